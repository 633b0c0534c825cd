"""The only module that touches xDSL's private fields; tests check it against the public API."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Attribute, Operation, OpResult, SSAValue, SSAValues


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
