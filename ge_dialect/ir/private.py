"""The only module that touches xDSL's private fields; tests check it against the public API."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Attribute, Operation, OpResult, SSAValue, SSAValues, Use


def operands_of(op: Operation) -> tuple[SSAValue, ...]:
    """The operand tuple, without building xDSL's mutable view."""
    return op._operands


def set_type(value: SSAValue, type_: Attribute) -> None:
    """Change the type of a value in place; uses are kept (xDSL's public way makes a new value)."""
    value._type = type_


def append_result(op: Operation, type_: Attribute) -> OpResult:
    """Append one result to an operation and return it."""
    result = OpResult(type_, op, len(op.results))
    op.results = SSAValues((*op.results, result))
    return result


def drop_last_result(op: Operation) -> None:
    """Remove the last result, which must be unused."""
    last = op.results[-1]
    if last.first_use is not None:
        raise ValueError("a result with uses cannot be removed")
    op.results = SSAValues(op.results[:-1])


def set_name_hint(value: SSAValue, name: str | None) -> None:
    """Set the name hint as it is; xDSL's setter strips a trailing `_<n>` and refuses numbers."""
    value._name = name


def name_hint(value: SSAValue) -> str | None:
    """The name hint as stored."""
    return value._name


def next_op(op: Operation) -> Operation | None:
    """The next operation of the block."""
    return op._next_op


def set_operands(op: Operation, operands: Sequence[SSAValue]) -> None:
    """Replace all operands."""
    op.operands = operands


def create_node(
    cls: type[Operation],
    operands: Sequence[SSAValue],
    result_types: Sequence[Attribute],
    properties: dict[str, Attribute],
    attributes: dict[str, Attribute],
    location: LocationAttr,
) -> Operation:
    """`cls.create(...)` without regions, successors and the filling in of defaults.

    The dictionaries are taken over, not copied; `properties` must hold all defaults already.
    """
    op = object.__new__(cls)
    fields = op.__dict__
    uses: list[Use] = []
    index = 0
    for value in operands:
        use = Use(op, index)
        uses.append(use)
        index += 1
        first = value.first_use
        if first is not None:
            use._next_use = first
            first._prev_use = use
        value.first_use = use
    fields["_operands"] = SSAValues(operands)
    fields["_operand_uses"] = tuple(uses)
    index = 0
    results: list[OpResult] = []
    for type_ in result_types:
        results.append(OpResult(type_, op, index))
        index += 1
    fields["results"] = SSAValues(results)
    fields["_successors"] = ()
    fields["_successor_uses"] = ()
    fields["properties"] = properties
    fields["attributes"] = attributes
    fields["location"] = location
    fields["regions"] = ()
    fields["parent"] = None
    fields["_next_op"] = None
    fields["_prev_op"] = None
    return op
