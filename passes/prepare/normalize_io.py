"""GE's form of graph inputs and outputs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, cast

from ge_dialect.ir.attributes import RefType
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.build import build
from ge_dialect.ir.control import add_control, control_inputs, control_of
from ge_dialect.ir.graph import GraphOp
from ge_dialect.ir.names import node_name
from ge_dialect.ir.order import does_work
from ge_dialect.ir.private import nodes_of, redirect_each
from ge_dialect.ir.rewriter import Rewriter
from ge_dialect.ir.taken_names import TakenNames
from ge_dialect.ir.types import is_ctrl
from passes.base import Contract, Pass, PassResult
from passes.effects import droppable

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Block, BlockArgument, Operation

    from passes.context import PassContext


@dataclass(frozen=True)
class NormalizeIo(Pass):
    """Give every graph GE's Data nodes and a NetOutput that waits for everything.

    Each tensor argument of a graph, and of the graphs inside nodes, is read by exactly one
    ``ge.Data`` with its position as ``index``; all other users read the Data. A handle to state
    (``!ge.ref``) stays as it is. Nodes with an effect that nothing reads or waits for (an Assign, a
    Print) get a control edge to the NetOutput, as GE's NetOutputPass does for leaves.

    Before::

        ge.graph @g(%x: tensor<4xf32>) {
          %a = ge.Relu(%x) : tensor<4xf32>
          ge.NetOutput(%a)
        }

    After::

        ge.graph @g(%x: tensor<4xf32>) {
          %x_1 = ge.Data(%x) {index = 0} : tensor<4xf32> loc("x")
          %a = ge.Relu(%x_1) : tensor<4xf32>
          ge.NetOutput(%a)
        }
    """

    name: ClassVar[str] = "normalize-io"
    stage: ClassVar[str] = "prepare"
    contract: ClassVar[Contract] = Contract(
        values="exact", establishes=("normalized-io",), grows=True
    )

    def run(self, module: ModuleOp, ctx: PassContext) -> PassResult:
        counters: Counter[str] = Counter()
        rewriter = Rewriter()
        blocks = _blocks_in(nodes_of(module.body.block))
        while blocks:
            block = blocks.pop()
            names, unread, nested = _survey(block)
            blocks += _blocks_in(nested)
            _inputs(block, names, rewriter, counters, ctx)
            _wait_for(unread, block, counters, ctx)
        return PassResult(bool(counters), dict(sorted(counters.items())))


def _blocks_in(ops: Iterable[Operation]) -> list[Block]:
    """The graphs inside nodes, the last one first."""
    return [block for op in ops for region in op.regions for block in region.blocks][::-1]


def _survey(block: Block) -> tuple[TakenNames, list[GeOp], list[Operation]]:
    """In one look at each node: the names, the nodes with an effect whose data nothing reads, and
    those with graphs inside.
    """
    names = TakenNames()
    unread: list[GeOp] = []
    nested: list[Operation] = []
    idle: dict[type[Operation], bool] = {}
    for op in nodes_of(block):
        name = node_name(op)
        if name is not None:
            names.held.add(name)
        if op.regions:
            nested.append(op)
        elif droppable(op, idle):  # most are: nothing more is asked about them
            continue
        if isinstance(op, GeOp) and does_work(op) and _is_unread(op) and not droppable(op, idle):
            unread.append(op)
    return names, unread, nested


def _is_unread(op: Operation) -> bool:
    return all(result.first_use is None or is_ctrl(result.type) for result in op.results)


class _Places:
    """Where the nodes of a block stand, as long as only Data nodes come, move and go."""

    def __init__(self, block: Block) -> None:
        self._block = block
        self._rest = _as_they_stand(block)
        self._number: dict[Operation, int] = {}
        first = block.first_op
        while first is not None and first.name == "ge.Data":
            first = first.next_op
        self._first_other = first

    def insert(self, data: Operation) -> None:
        """Insert a node behind the Data nodes that are at the start already."""
        if self._first_other is None:
            self._block.add_op(data)
        else:
            self._block.insert_op_before(data, self._first_other)

    def any_before(self, nodes: Iterable[Operation], data: Operation) -> bool:
        """Whether one of the nodes stands before a Data node that has not moved yet."""
        number = self._number
        while data not in number:
            number[next(self._rest)] = len(number)
        own = number[data]
        return any(number.get(op, own) < own for op in nodes)


def _as_they_stand(block: Block) -> Iterator[Operation]:
    """The nodes of a block in the order in which they stand when the first is asked for."""
    yield from list(nodes_of(block))


def _inputs(
    block: Block,
    taken: TakenNames,
    rewriter: Rewriter,
    counters: Counter[str],
    ctx: PassContext,
) -> None:
    """One Data per tensor argument, in argument order at the start of the graph."""
    places = _Places(block)
    labels: list[str] = []
    read: list[tuple[BlockArgument, GeOp]] = []  # what else reads these is to read their Data
    for index, arg in enumerate(block.args):
        if isinstance(arg.type, RefType):
            continue
        readers = [cast("GeOp", u.operation) for u in arg.uses if u.operation.name == "ge.Data"]
        readers.reverse()  # uses come newest first
        # one that waits for something cannot serve what that something reads
        data = next((r for r in readers if not control_inputs(r)), None)
        if data is not None:
            if places.any_before(_users(arg, readers), data):
                data.detach()
                places.insert(data)
        else:
            labels = labels or _labels(block)
            data = build(
                "Data",
                [arg],
                attrs={"index": index},
                result_types=[arg.type],
                name=taken.fresh(labels[index]),
            )
            places.insert(data)
            counters["data"] += 1
            if ctx.remarks_enabled:
                ctx.remark(f"stands for input {index}", op=data)
        for other in readers:
            if other is not data:
                _reroute(read, counters)
                read.clear()
                waits = control_inputs(other)
                rewriter.share_names(block, taken)
                rewriter.replace_by_value(other, [data.results[0]])
                counters["merged"] += 1
                if len(waits) > 1:  # the rewriter may have added a NoOp that waits instead
                    places = _Places(block)
        if data.ge_attr("index") != index:
            data.ge_set_attr("index", index)
            counters["renumbered"] += 1
        read.append((arg, data))
    _reroute(read, counters)


def _users(arg: BlockArgument, readers: Iterable[Operation]) -> list[Operation]:
    """What reads an argument or one of its Data nodes."""
    users = [u.operation for u in arg.uses]
    users += [u.operation for r in readers for result in r.results for u in result.uses]
    return users


def _labels(block: Block) -> list[str]:
    """The names of the arguments."""
    parent = block.parent_op()
    if isinstance(parent, GraphOp):
        return parent.arg_names()
    return [arg.name_hint or f"arg{arg.index}" for arg in block.args]


def _reroute(read: Iterable[tuple[BlockArgument, GeOp]], counters: Counter[str]) -> None:
    """Let what reads an argument read its Data."""
    moved = [
        (use, data.results[0])
        for arg, data in read
        for use in arg.uses
        if use.operation is not data
    ]
    if moved:
        redirect_each(moved)
        counters["rerouted"] += len(moved)


def _wait_for(unread: list[GeOp], block: Block, counters: Counter[str], ctx: PassContext) -> None:
    """Make the NetOutput wait for those of the nodes that nothing else waits for.

    Asked now, not in the survey: what waited may have been a Data that went since.
    """
    end = block.last_op
    if end is None or end.name != "ge.NetOutput":
        return
    leaves = [
        op
        for op in unread
        if op is not end and all(result.first_use is None for result in op.results)
    ]
    if leaves and add_control(end, [control_of(op) for op in leaves]):
        counters["leaves"] += len(leaves)
        if ctx.remarks_enabled:
            for op in leaves:
                ctx.remark("nothing reads it and it may have an effect: NetOutput waits", op=op)
