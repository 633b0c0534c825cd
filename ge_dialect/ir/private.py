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
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue, SSAValues, Use

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


def set_operands(op: Operation, operands: Sequence[SSAValue]) -> None:
    """Replace all operands."""
    op.operands = operands


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
    use = old.first_use
    if use is None or old is new:
        return
    last = use
    while use is not None:
        last = use
        op, index = use._operation, use._index
        operands = list(op._operands)
        operands[index] = new
        op._operands = SSAValues(operands)
        use = use._next_use
    head = new.first_use
    last._next_use = head
    if head is not None:
        head._prev_use = last
    new.first_use = old.first_use
    old.first_use = None
    if new._name is None and type(new) is OpResult:
        new._name = old._name


def redirect(uses: Iterable[tuple[Use, SSAValue]]) -> None:
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
