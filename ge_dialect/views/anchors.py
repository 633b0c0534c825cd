"""Data anchors of nodes as views show them: GE's places where edges begin and end."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from xdsl.ir import SSAValue

from ge_dialect.dtypes import ge_name
from ge_dialect.ir.attributes import RefType
from ge_dialect.ir.types import elem_of, layout_of, shape_of, tensor_under, type_text

if TYPE_CHECKING:
    from ge_dialect.views.node import NodeView


class ReadOnly:
    """What all views have in common: nothing of them can be changed."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(
            f"cannot set {name!r}: views are read only; a pass changes a graph "
            "(docs/add_a_pass.md), through the rewriter (docs/rewriting.md)"
        )

    def __delattr__(self, name: str) -> NoReturn:
        self.__setattr__(name, None)


def fill(view: ReadOnly, **fields: object) -> None:
    """Set fields of a view, for its own constructor and memory."""
    for name, value in fields.items():
        object.__setattr__(view, name, value)


class Anchor(ReadOnly):
    """An input or output of a node. Two views of one are equal.

    index: among the node's data anchors of its kind. name: GE's, "x0", "x1" … of a dynamic one.
    slot: the name in the prototype ("x"). value: the xDSL value, None for an input that is absent.
    """

    __slots__ = ("index", "name", "node", "slot", "value")
    node: NodeView
    index: int
    name: str
    slot: str
    value: SSAValue | None

    def __init__(
        self, node: NodeView, index: int, name: str, slot: str, value: SSAValue | None
    ) -> None:
        fill(self, node=node, index=index, name=name, slot=slot, value=value)

    @property
    def type(self) -> str | None:
        """MLIR text of the type, None where absent."""
        return None if self.value is None else type_text(self.value.type)

    @property
    def shape(self) -> tuple[int, ...] | None:
        """Logical shape, -1 for an unknown dim; None for an unknown rank or where absent."""
        tensor = None if self.value is None else tensor_under(self.value.type)
        return None if tensor is None else shape_of(tensor)

    @property
    def dtype(self) -> str | None:
        """GE's name of the dtype ("float16"), None where absent."""
        tensor = None if self.value is None else tensor_under(self.value.type)
        return None if tensor is None else ge_name(elem_of(tensor))

    @property
    def format(self) -> str | None:
        """GE's name of the storage format ("NC1HWC0"), None where there is none in particular."""
        layout = None if self.value is None else layout_of(self.value.type)
        return None if layout is None else layout.format

    @property
    def layout(self) -> str | None:
        """The storage layout as in the text ("FRACTAL_Z, groups = 2"), None as `format`."""
        layout = None if self.value is None else layout_of(self.value.type)
        return None if layout is None else layout.ge_text()

    @property
    def is_ref(self) -> bool:
        """Whether it is a handle to state (`!ge.ref`) and no tensor."""
        return self.value is not None and isinstance(self.value.type, RefType)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Anchor)
            and type(other) is type(self)
            and other.index == self.index
            and other.node == self.node
        )

    def __hash__(self) -> int:
        return hash((type(self), self.index, self.node))

    def __repr__(self) -> str:
        side = "in" if isinstance(self, InAnchor) else "out"
        said = self.type or "not connected"
        return f"<{side} {self.index} {self.name!r} of {self.node.name!r}: {said}>"


class InAnchor(Anchor):
    """A data input of a node."""

    __slots__ = ()

    @property
    def peer(self) -> OutAnchor | None:
        """The output it reads; None where absent and of a Data node, which nothing comes before."""
        return None if self.value is None else self.node.graph._maker(self.value)


class OutAnchor(Anchor):
    """A data output of a node."""

    __slots__ = ()

    @property
    def peers(self) -> tuple[InAnchor, ...]:
        """The inputs that read it, in order of the graph."""
        if self.value is None:
            return ()
        graph = self.node.graph
        found: list[InAnchor] = []
        for use in self.value.uses:
            reader = graph._node_of(use.operation)
            if reader is not None:
                found.append(reader._connected[use.index])
        return tuple(sorted(found, key=lambda a: (a.node._place, a.index)))
