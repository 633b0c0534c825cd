# pyright: reportPrivateUsage=false
# xDSL offers no public way to do what this module does: that is its purpose.
"""The only module that touches xDSL's private fields; tests check it against the public API."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from xdsl.dialects.builtin import (
    ArrayAttr,
    FileLineColLoc,
    FusedLoc,
    IntAttr,
    LocationAttr,
    NameLoc,
    NoneAttr,
    StringAttr,
)
from xdsl.ir import (
    Attribute,
    Block,
    BlockArgument,
    Operation,
    OpResult,
    SSAValue,
    SSAValues,
    Use,
)

from ge_dialect.ir.attributes import CtrlType
from ge_dialect.ir.batches import Batch

if TYPE_CHECKING:
    from xdsl.parser import Parser
    from xdsl.printer import Printer
    from xdsl.utils.mlir_lexer import MLIRToken

_OpT = TypeVar("_OpT", bound=Operation)

_NEW = object.__new__
# Not vars(x)[name] = …: asking for the dictionary of an object makes one, which doubles its size.
_set = object.__setattr__
_NONE = NoneAttr()
_item = tuple[Any, ...].__getitem__

#: Uses or results of one node come in batches if there are fewer than this.
_FEW = 8


def _bare_uses(count: int) -> tuple[Use, ...]:
    """Uses of one node, without fields."""
    return tuple([_NEW(Use) for _ in range(count)])


def _bare_results(count: int) -> SSAValues[OpResult]:
    """Results of one node, without fields."""
    return SSAValues([_NEW(OpResult) for _ in range(count)])


_uses = [Batch(partial(_bare_uses, n), n + 1) for n in range(_FEW)]
_results = [Batch(partial(_bare_results, n), n + 1) for n in range(_FEW)]
_properties: Batch[dict[str, Attribute]] = Batch(dict)
_attributes: Batch[dict[str, Attribute]] = Batch(dict)
_strings: Batch[StringAttr] = Batch(partial(_NEW, StringAttr))
_ints: Batch[IntAttr] = Batch(partial(_NEW, IntAttr))
_file_locs: Batch[FileLineColLoc] = Batch(partial(_NEW, FileLineColLoc))
_name_locs: Batch[NameLoc] = Batch(partial(_NEW, NameLoc))


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


def append_argument(block: Block, type_: Attribute) -> BlockArgument:
    """Append one argument to a block and return it; xDSL's way builds four tuples of all."""
    arg = BlockArgument(type_, block, len(block._args))
    block._args = (*block._args, arg)
    return arg


def reorder_arguments(block: Block, args: Sequence[BlockArgument]) -> None:
    """Bring the arguments of a block into another order: `args` are exactly those it has."""
    for index, arg in enumerate(args):
        arg.index = index
    block._args = tuple(args)


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


def reorder(block: Block, ops: Sequence[Operation], order: Sequence[int]) -> None:
    """Bring the operations of a block into another order.

    ops: exactly those of the block, as they stand. order: their numbers in `ops`, each once. Where
    two stay neighbours nothing is written: a node that is not touched costs nothing.
    """
    before = -1
    for i in order:
        if i != before + 1:
            op = ops[i]
            if before < 0:
                op._prev_op = None
                block._first_op = op
            else:
                first = ops[before]
                op._prev_op = first
                first._next_op = op
        before = i
    if order and before != len(ops) - 1:
        ops[before]._next_op = None
        block._last_op = ops[before]


def next_op(op: Operation) -> Operation | None:
    """The next operation of the block."""
    return op._next_op


class TidyOperands(SSAValues[SSAValue]):
    """Operands among which each control edge is needed: none comes twice, and none is implied by
    a data operand of the same maker. Whatever xDSL makes of them is plain `SSAValues` again."""


def is_tidy(op: Operation) -> bool:
    """Whether the operands are known to be tidy, so that an edit of one need not look at all."""
    return type(op._operands) is TidyOperands


def set_operand(op: Operation, index: int, value: SSAValue) -> None:
    """Change one operand; as through xDSL's mutable view, with one copy instead of four."""
    old = op._operands
    use = op._operand_uses[index]
    _item(old, index).remove_use(use)
    value.add_use(use)
    operands = list(old)
    operands[index] = value
    op._operands = _kind_with(old, value)(operands)


def append_operands(op: Operation, values: Sequence[SSAValue]) -> None:
    """Add operands at the end; the uses of the others stay as they are."""
    old = op._operands
    index = len(old)
    uses: list[Use] = []
    for value in values:
        use = Use(op, index)
        value.add_use(use)
        uses.append(use)
        index += 1
    op._operands = type(old)([*old, *values])
    op._operand_uses = (*op._operand_uses, *uses)


def drop_operand(op: Operation, index: int) -> None:
    """Remove one operand. A use knows its place, so each later one takes that of the one before:
    nothing else is done per operand, but that is."""
    old, uses = op._operands, op._operand_uses
    _item(old, index).remove_use(uses[index])
    op._operands = type(old)(_item(old, slice(index)) + _item(old, slice(index + 1, None)))
    op._operand_uses = uses = uses[:index] + uses[index + 1 :]
    for use in uses[index:]:
        use._index, index = index, use._index


def set_last_operands(op: Operation, start: int, values: Sequence[SSAValue]) -> None:
    """Replace the operands from `start` on; with `values`, they must be tidy."""
    old, uses = op._operands, op._operand_uses
    for value, use in zip(_item(old, slice(start, None)), uses[start:], strict=True):
        value.remove_use(use)
    op._operands = TidyOperands(_item(old, slice(start)))
    op._operand_uses = uses[:start]
    append_operands(op, values)


def reads(op: Operation, maker: Operation | Block) -> bool:
    """Whether an operand of a node is a result of another, a control result included.

    Costs the smaller of the number of operands and the number of uses of the maker.
    """
    operands = op._operands
    if isinstance(maker, Block):
        return any(v.owner is maker for v in operands)
    left = len(operands)
    for result in _item(maker.results, slice(None, None, -1)):  # that for control is the last one
        use = result.first_use
        while use is not None and left:
            if use._operation is op:
                return True
            use = use._next_use
            left -= 1
        if not left:
            return any(v.owner is maker for v in operands)
    return False


def _kind_with(operands: SSAValues, new: SSAValue) -> type[SSAValues]:
    """What operands are when one of them becomes `new`: tidy ones may wait for its maker."""
    if type(operands) is not TidyOperands:
        return SSAValues
    maker = new.owner
    if isinstance(maker, Operation) and type(_item(maker.results, -1)._type) is CtrlType:
        return SSAValues
    return TidyOperands


def create_node(
    cls: type[_OpT],
    operands: Sequence[SSAValue],
    result_types: Sequence[Attribute],
    properties: Mapping[str, Attribute],
    attributes: Mapping[str, Attribute],
    location: LocationAttr,
) -> _OpT:
    """`cls.create(...)` without regions, successors and the filling in of defaults.

    `properties` must hold all defaults already. The node keeps copies of both mappings.
    """
    op = _NEW(cls)  # no batches: nodes of all classes lie in the order of the graph
    op._operands = SSAValues(operands)
    count = len(operands)
    op._operand_uses = uses = _uses[count].take() if count < _FEW else _bare_uses(count)
    index = 0
    for use in uses:
        value = operands[index]
        use._operation = op
        use._index = index
        use._prev_use = None
        use._next_use = first = value.first_use
        if first is not None:
            first._prev_use = use
        value.first_use = use
        index += 1
    count = len(result_types)
    op.results = results = _results[count].take() if count < _FEW else _bare_results(count)
    index = 0
    for result in results:
        result._type = result_types[index]
        result.op = op
        result.index = index
        result.first_use = None
        result._name = None
        index += 1
    op._successors = ()
    op._successor_uses = ()
    op.properties = _properties.take()
    op.properties.update(properties)
    op.attributes = _attributes.take()
    op.attributes.update(attributes)
    op.location = location
    op.regions = ()
    op.parent = None
    op._prev_op = None
    op._next_op = None
    return op


def raw_string(text: str) -> StringAttr:
    """A `StringAttr` without its verification."""
    out = _strings.take()
    _set(out, "data", text)
    return out


def raw_int(value: int) -> IntAttr:
    """An `IntAttr` without its verification."""
    out = _ints.take()
    _set(out, "data", value)
    return out


def raw_file_loc(filename: StringAttr, line: IntAttr, column: IntAttr) -> FileLineColLoc:
    """A `FileLineColLoc` without its verification."""
    out = _file_locs.take()
    _set(out, "filename", filename)
    _set(out, "line", line)
    _set(out, "column", column)
    return out


def raw_name_loc(name: StringAttr, child: Attribute = _NONE) -> NameLoc:
    """A `NameLoc` without its verification."""
    out = _name_locs.take()
    _set(out, "desc", name)
    _set(out, "location", child)
    return out


def raw_fused_loc(locations: Sequence[Attribute]) -> FusedLoc:
    """A `FusedLoc` without its verification."""
    out = _NEW(FusedLoc)
    array: ArrayAttr[Attribute] = _NEW(ArrayAttr)
    _set(array, "data", tuple(locations))
    _set(out, "locations", array)
    _set(out, "metadata", _NONE)
    return out


def last_result(op: Operation) -> OpResult | None:
    """The last result, None where there is none; faster than indexing `op.results`."""
    results = op.results
    return _item(results, -1) if results else None


def split_operands(op: Operation, kind: type) -> tuple[Sequence[SSAValue], Sequence[SSAValue]]:
    """The operands before the trailing ones whose type is of class `kind`, and those."""
    operands = op._operands
    n = len(operands)
    while n and type(_item(operands, n - 1)._type) is kind:
        n -= 1
    if n == len(operands):
        return operands, ()
    return _item(operands, slice(0, n)), _item(operands, slice(n, None))


def drop_node(op: Operation) -> None:
    """Detach and erase a node none of whose results is used."""
    if op.parent is not None:
        op.parent.detach_op(op)
    op.drop_all_references()


def move_uses(old: SSAValue, new: SSAValue) -> None:
    """Let all users of `old` read `new`; a missing name hint of a result is taken from `old`.

    That of an argument is not: it would rename an input of the graph.
    """
    if old.first_use is None or old is new:
        return
    redirect_uses(old, new)
    if new._name is None and type(new) is OpResult:
        new._name = old._name


def redirect_uses(old: SSAValue, new: SSAValue) -> None:
    """Let all users of `old` read `new`."""
    use = old.first_use
    if use is None or old is new:
        return
    last = use
    op = use._operation
    operands = list(op._operands)
    while use is not None:
        last = use
        if use._operation is not op:
            op._operands = _kind_with(op._operands, new)(operands)
            op = use._operation
            operands = list(op._operands)
        operands[use._index] = new  # a node that reads the value often is copied once
        use = use._next_use
    op._operands = _kind_with(op._operands, new)(operands)
    head = new.first_use
    last._next_use = head
    if head is not None:
        head._prev_use = last
    new.first_use = old.first_use
    old.first_use = None


def redirect_each(uses: Iterable[tuple[Use, SSAValue]]) -> None:
    """Let each of these uses be of another value.

    The operands of a node are written once, however many of them change.
    """
    changed: dict[Operation, list[SSAValue]] = {}
    for use, value in uses:
        op, index = use._operation, use._index
        operands = changed.get(op)
        if operands is None:
            operands = changed[op] = list(op._operands)
        operands[index].remove_use(use)
        value.add_use(use)
        operands[index] = value
    for op, operands in changed.items():
        op._operands = SSAValues(operands)


def nodes_of(block: Block) -> Iterator[Operation]:
    """The operations of a block, in order; the block must not change meanwhile."""
    op = block._first_op
    while op is not None:
        yield op
        op = op._next_op


def current_token(parser: Parser) -> MLIRToken:
    """The token that a parser has read and not used yet."""
    return parser._current_token


def printer_indent(printer: Printer) -> int:
    """Indentation levels a stock printer is at."""
    return printer._indent
