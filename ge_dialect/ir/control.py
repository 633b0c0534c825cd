"""Control edges: order between nodes as SSA values of type `!ge.ctrl`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar, cast

from xdsl.dialects.builtin import DenseArrayBase, IntegerType, i32
from xdsl.ir import Block, Operation, OpResult, SSAValue, Use

from ge_dialect.ir.attributes import CTRL, CtrlType
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.private import (
    append_operands,
    append_result,
    drop_last_result,
    drop_operand,
    is_tidy,
    last_result,
    operands_of,
    reads,
    set_last_operands,
    set_name_hint,
    split_operands,
)

_OPERANDS = "operandSegmentSizes"
_RESULTS = "resultSegmentSizes"
#: For up to so many nodes it is asked one by one whether another one reads them.
_FEW = 4
_Maker = TypeVar("_Maker", bound=Operation | Block)
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
    have.add(op)
    kept: list[SSAValue] = []
    for c in controls:
        owner = c.owner
        if owner not in have:
            have.add(owner)
            kept.append(c)
    set_last_operands(op, len(data), kept)
    if _is_sized(op):
        _set_last_size(op, _OPERANDS, len(kept))


def add_control(op: Operation, controls: Iterable[SSAValue]) -> bool:
    """Append control operands that are not implied yet; True where any was added."""
    by_maker: dict[Operation | Block, SSAValue] = {}
    for c in controls:
        by_maker.setdefault(c.owner, c)
    new = [by_maker[maker] for maker in not_read(op, by_maker)]
    if new:
        append_operands(op, new)
        _add_to_size(op, len(new))
    return bool(new)


def first_uses(done: SSAValue) -> list[Use]:
    """The first use by each node that waits for a control value."""
    found: dict[Operation, Use] = {}
    for use in done.uses:
        found.setdefault(use.operation, use)
    return list(found.values())


def replace_control(use: Use, instead: Sequence[SSAValue]) -> None:
    """Let a node wait for `instead` and not for the control value of this use any longer.

    As `set_control` with the other control operands and `instead`; but where nothing else can
    have become superfluous, the other operands are not looked at.
    """
    op = use.operation
    if is_tidy(op):
        drop_operand(op, use.index)
        _add_to_size(op, -1)
        add_control(op, instead)
        return
    gone = operands_of(op)[use.index]
    set_control(op, [*(c for c in control_inputs(op) if c is not gone), *instead])


def not_read(op: Operation, makers: Iterable[_Maker]) -> list[_Maker]:
    """Those of some other makers of values, each once, of which a node reads and awaits nothing."""
    others = [m for m in dict.fromkeys(makers) if m is not op]
    if len(others) <= _FEW:
        return [m for m in others if not reads(op, m)]
    have = {v.owner for v in operands_of(op)}
    return [m for m in others if m not in have]


def _is_sized(op: Operation) -> bool:
    return isinstance(op, GeOp) and not type(op).ge_table().fixed


def _add_to_size(op: Operation, more: int) -> None:
    """Count control operands that came or went."""
    if _is_sized(op):
        sizes = cast("DenseArrayBase[IntegerType]", op.properties[_OPERANDS]).get_values()
        _set_last_size(op, _OPERANDS, sizes[-1] + more)
