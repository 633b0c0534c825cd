"""GE's form of graph inputs and outputs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, cast

from ge_dialect.ir.attributes import RefType
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.build import build
from ge_dialect.ir.control import add_control, control_inputs, control_of
from ge_dialect.ir.graph import GraphOp, walk_graphs
from ge_dialect.ir.names import names_in, node_name
from ge_dialect.ir.order import does_work
from ge_dialect.ir.private import nodes_of
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
        for block in walk_graphs(module):
            names, unread = _survey(block)
            _inputs(block, names, rewriter, counters, ctx)
            _wait_for(unread, block, counters, ctx)
        return PassResult(bool(counters), dict(sorted(counters.items())))


def _survey(block: Block) -> tuple[TakenNames, list[GeOp]]:
    """The names of the nodes, and the nodes with an effect whose data nothing reads."""
    names = TakenNames()
    unread: list[GeOp] = []
    for op in nodes_of(block):
        name = node_name(op)
        if name is not None:
            names.add(name)
        for result in op.results:
            if result.first_use is not None and not is_ctrl(result.type):
                break
        else:
            if isinstance(op, GeOp) and does_work(op) and not droppable(op):
                unread.append(op)
    return names, unread


def _inputs(
    block: Block,
    taken: TakenNames | None,
    rewriter: Rewriter,
    counters: Counter[str],
    ctx: PassContext,
) -> None:
    """One Data per tensor argument, in argument order at the start of the graph."""
    for index, arg in enumerate(block.args):
        if isinstance(arg.type, RefType):
            continue
        readers = [cast("GeOp", u.operation) for u in arg.uses if u.operation.name == "ge.Data"]
        readers.reverse()  # uses come newest first
        # one that waits for something cannot serve what that something reads
        data = next((r for r in readers if not control_inputs(r)), None)
        if data is not None:
            _move_before_readers(block, arg, readers, data)
        else:
            if taken is None:
                taken = names_in(block)
            data = build(
                "Data",
                [arg],
                attrs={"index": index},
                result_types=[arg.type],
                name=taken.fresh(_name_of(block, arg)),
            )
            _insert_at_start(block, data)
            counters["data"] += 1
            if ctx.remarks_enabled:
                ctx.remark(f"stands for input {index}", op=data)
        for other in readers:
            if other is not data:
                rewriter.replace_by_value(other, [data.results[0]])
                counters["merged"] += 1
                taken = None  # its name is free again
        if data.ge_attr("index") != index:
            data.ge_set_attr("index", index)
            counters["renumbered"] += 1
        for use in list(arg.uses):
            if use.operation is not data:
                rewriter.set_operand(use.operation, use.index, data.results[0])
                counters["rerouted"] += 1


def _move_before_readers(
    block: Block, arg: BlockArgument, readers: Sequence[Operation], data: Operation
) -> None:
    """Let the Data stand at the start where something that is to read it stands before it."""
    users = {u.operation for u in arg.uses}
    users.update(u.operation for r in readers for result in r.results for u in result.uses)
    users.discard(data)
    op = block.first_op
    while op is not data and op not in users:
        assert op is not None
        op = op.next_op
    if op is not data:
        data.detach()
        _insert_at_start(block, data)


def _name_of(block: Block, arg: BlockArgument) -> str:
    parent = block.parent_op()
    if isinstance(parent, GraphOp):
        return parent.arg_names()[arg.index]
    return arg.name_hint or f"arg{arg.index}"


def _insert_at_start(block: Block, data: Operation) -> None:
    """Behind the Data nodes that are at the start already."""
    op = block.first_op
    while op is not None and op.name == "ge.Data":
        op = op.next_op
    if op is None:
        block.add_op(data)
    else:
        block.insert_op_before(data, op)


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
