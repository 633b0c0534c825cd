"""Nodes whose sizes or axes follow from values that are known only when they run.

Declared result types say what such a node will give; nothing before the run can tell whether its
values agree. Golden semantics and the simulated device both ask the operator's rule once more, when
the values are there, so that they refuse the same with the same words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import IntegerType

from ge_dialect.diagnostics import Diagnostic, GeError
from ge_dialect.infer.errors import InferError
from ge_dialect.infer.node import InferNode, OpClass, Slot
from ge_dialect.ir.types import elem_of, num_elements, shape_of, tensor_under

if TYPE_CHECKING:
    from xdsl.ir import Attribute

#: Inputs of more elements hold data, not sizes: no rule reads them.
_MOST = 1024


@dataclass(frozen=True, slots=True)
class ValueRule:
    """The rule of a node that reads values which come with the run.

    out_types: as declared, -1 for what is not known.
    """

    cls: OpClass
    attrs: dict[str, Any]
    out_types: Sequence[Attribute]

    def check(self, node: str, types: Sequence[Slot], value_of: Callable[[str], Any]) -> None:
        """GeError where the rule refuses the values or they contradict a declared shape.

        types: of the inputs as they are. value_of: an input's value by name, None where it has
        none (state, a list).
        """
        op_type = self.cls.name.removeprefix("ge.")
        parts = InferNode.from_parts(self.cls, types, self.attrs, value_of, self.out_types)
        try:
            inferred = list(self.cls.ge_infer(parts))
        except InferError as error:
            raise GeError(
                Diagnostic(
                    error.code,
                    f"{op_type}: {error.message}",
                    node=node or None,
                    found=None if error.found is None else str(error.found),
                    expected=None if error.expected is None else str(error.expected),
                )
            ) from error
        for i, (made, declared) in enumerate(zip(inferred, self.out_types, strict=False)):
            have, want = _shape(made), _shape(declared)
            if have is None or want is None:
                continue
            if len(have) != len(want) or any(
                a != b and -1 not in (a, b) for a, b in zip(have, want, strict=True)
            ):
                raise GeError(
                    Diagnostic(
                        "GX-243",
                        f"result {i} of {op_type} has another shape than declared",
                        node=node or None,
                        found=str(list(have)).replace("-1", "?"),
                        expected=str(list(want)).replace("-1", "?"),
                        hint="infer the types anew",
                    )
                )


def _shape(type_: Attribute) -> tuple[int, ...] | None:
    held = tensor_under(type_)
    return None if held is None else shape_of(held)


def value_rule(
    cls: OpClass,
    types: Sequence[Slot],
    attrs: Callable[[], dict[str, Any]],
    out_types: Sequence[Attribute],
    known: Callable[[str], Any],
) -> ValueRule | None:
    """The rule of a node that is to be asked when it runs; None where it reads nothing then.

    attrs: gives the attributes. known: an input's value by name where it is known before the run,
    None elsewhere.
    """
    table = cls.ge_table()
    if table.graphs or not out_types:
        return None
    open_ = {
        slot.name
        for slot, given in zip(table.inputs, types, strict=True)
        if any(_may_be_read(t) for t in _flat(given)) and known(slot.name) is None
    }
    if not open_:
        return None
    asked: set[str] = set()

    def const_of(name: str) -> Any:
        value = known(name)
        if value is None:
            asked.add(name)
        return value

    found = attrs()
    try:
        cls.ge_infer(InferNode.from_parts(cls, types, found, const_of, out_types))
    except Exception:
        return None  # refused whatever the values are: the verifier's business
    return ValueRule(cls, found, tuple(out_types)) if asked & open_ else None


def _flat(slot: Slot) -> Sequence[Attribute]:
    if slot is None:
        return ()
    return tuple(slot) if isinstance(slot, Sequence) else (slot,)


def _may_be_read(type_: Attribute) -> bool:
    """Whether a value may say sizes or axes: some integers, or one number."""
    held = tensor_under(type_)
    if held is None:
        return False
    count = num_elements(held)
    whole = isinstance(elem_of(held), IntegerType)
    return (whole and (count is None or count <= _MOST)) or count == 1
