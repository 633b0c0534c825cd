"""Control edges: order between nodes as SSA values of type `!ge.ctrl`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

from xdsl.dialects.builtin import DenseArrayBase, IntegerType, i32
from xdsl.ir import Operation, OpResult, SSAValue

from ge_dialect.ir.attributes import CTRL, CtrlType
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.private import (
    append_result,
    drop_last_result,
    last_result,
    operands_of,
    set_name_hint,
    split_operands,
)

_OPERANDS = "operandSegmentSizes"
_RESULTS = "resultSegmentSizes"
_segments: dict[tuple[int, ...], DenseArrayBase[IntegerType]] = {}


def segments_attr(sizes: Sequence[int]) -> DenseArrayBase[IntegerType]:
    """The interned segment-size attribute."""
    key = tuple(sizes)
    found = _segments.get(key)
    if found is None:
        found = _segments[key] = DenseArrayBase.from_list(i32, key)
    return found


def _set_last_size(op: Operation, name: str, size: int) -> None:
    """Change the last entry, that of the control values, of a segment-size property."""
    sizes = list(cast("DenseArrayBase[IntegerType]", op.properties[name]).get_values())
    sizes[-1] = size
    op.properties[name] = segments_attr(sizes)


def control_result(op: Operation) -> OpResult | None:
    """The control result of a node, None while nothing waits for it."""
    last = last_result(op)
    return last if last is not None and type(last.type) is CtrlType else None


def control_of(op: Operation) -> OpResult:
    """The control result of a node, added on demand; its name hint is `<first result>_done`."""
    found = control_result(op)
    if found is not None:
        return found
    if _RESULTS in op.properties:
        _set_last_size(op, _RESULTS, 1)
    first = op.results[0].name_hint if op.results else None
    result = append_result(op, CTRL)
    if first is not None:
        set_name_hint(result, first + "_done")
    return result


def drop_control_result(op: Operation) -> None:
    """Remove an unused control result."""
    if control_result(op) is None:
        return
    drop_last_result(op)
    if _RESULTS in op.properties:
        _set_last_size(op, _RESULTS, 0)


def control_inputs(op: Operation) -> tuple[SSAValue, ...]:
    """Control operands: the trailing operands of type `!ge.ctrl`."""
    return tuple(split_operands(op, CtrlType)[1])


def data_inputs(op: Operation) -> tuple[SSAValue, ...]:
    """Operands without the control operands."""
    return tuple(split_operands(op, CtrlType)[0])


def set_control(op: Operation, controls: Iterable[SSAValue]) -> None:
    """Replace the control operands; duplicates and edges a data operand implies are dropped."""
    data = data_inputs(op)
    have = {v.owner for v in data}
    kept: list[SSAValue] = []
    for c in controls:
        if c.owner is op or c.owner in have:
            continue
        have.add(c.owner)
        kept.append(c)
    _write_control(op, data, kept)


def add_control(op: Operation, controls: Iterable[SSAValue]) -> bool:
    """Append control operands that are not implied yet; True where any was added."""
    have = {v.owner for v in operands_of(op)}
    new: list[SSAValue] = []
    for c in controls:
        if c.owner is op or c.owner in have:
            continue
        have.add(c.owner)
        new.append(c)
    if new:
        _write_control(op, data_inputs(op), [*control_inputs(op), *new])
    return bool(new)


def _write_control(op: Operation, data: Sequence[SSAValue], controls: Sequence[SSAValue]) -> None:
    op.operands = (*data, *controls)
    if isinstance(op, GeOp) and not type(op).ge_table().fixed:
        _set_last_size(op, _OPERANDS, len(controls))
