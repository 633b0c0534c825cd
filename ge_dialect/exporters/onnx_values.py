"""Values of an ONNX model under construction, and what its graphs have in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from xdsl.ir import Attribute

from ge_dialect.diagnostics import Diagnostic, DiagnosticSink
from ge_dialect.ir.taken_names import TakenNames
from ge_dialect.weights.store import WeightStore

if TYPE_CHECKING:
    import numpy as np

    from ge_dialect.exporters.onnx_tensor import Tensors

#: Constants up to this many elements are looked into by rules (axes, shapes, pads).
KNOWN_ELEMENTS = 4096


class NoCounterpart(Exception):
    """A rule's refusal of one node."""

    def __init__(self, reason: str, hint: str | None = None) -> None:
        super().__init__(reason)
        self.reason, self.hint = reason, hint


@dataclass(eq=False)
class Val:
    """A value of the ONNX model; it gets its name when the node that makes it is finished."""

    elem: Attribute
    name: str | None = None


@dataclass(eq=False)
class Held(Val):
    """A constant; it becomes an initialiser of the graph that holds it where a node reads it.

    weight: its name in the store where it is one, so that its bytes can stay where they are.
    """

    shape: tuple[int, ...] = ()
    make: Callable[[], np.ndarray] = field(default=lambda: _nothing())
    base: str = "const"
    weight: str | None = None
    used: bool = False
    _array: Any = None

    def array(self) -> np.ndarray:
        """Its contents."""
        if self._array is None:
            array = self.make()
            if array.size > KNOWN_ELEMENTS:
                return array
            self._array = array
        return self._array


def _nothing() -> Any:
    raise ValueError("a constant without contents")


@dataclass
class Shared:
    """What all graphs of one exported model have in common."""

    opset: int
    store: WeightStore
    sink: DiagnosticSink
    tensors: Tensors
    names: TakenNames = field(default_factory=TakenNames)
    nodes: TakenNames = field(default_factory=TakenNames)
    dropped: int = 0
    #: (code, operator, reason, hint) -> names of the nodes refused for it
    refused: dict[tuple[str, str, str, str | None], list[str]] = field(default_factory=dict)

    def value_name(self, base: str) -> str:
        """A name for a value, unique in the model: bodies must not hide outer names."""
        return self.names.fresh(base or "value")

    def node_name(self, base: str) -> str:
        """A name for a node, unique in the model."""
        return self.nodes.fresh(base)

    def refuse(
        self, code: str, op_type: str, reason: str, node: str, hint: str | None = None
    ) -> None:
        """Record a refusal; equal ones become one diagnostic."""
        self.refused.setdefault((code, op_type, reason, hint), []).append(node)

    def diagnostics(self) -> list[Diagnostic]:
        """All refusals, in order of the first node concerned."""
        out = []
        for (code, op_type, reason, hint), nodes in self.refused.items():
            shown = ", ".join(nodes[:6])
            if len(nodes) > 6:
                shown += f" and {len(nodes) - 6} more"
            head = f"GE operator {op_type}" if op_type else "the graph"
            out.append(Diagnostic(code, f"{head}: {reason}", node=shown or None, hint=hint))
        return out
