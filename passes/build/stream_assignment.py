"""Which stream every task runs on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ge_dialect.ir.base import get_int
from ge_dialect.ir.graph import module_graphs
from ge_dialect.ir.kinds import int_to_attr
from ge_dialect.ir.private import nodes_of
from ge_dialect.target.engines import ENGINES, RTS
from passes.base import Contract, Pass, PassResult
from passes.build.schedule import engine_of_task

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Attribute, Block, Operation

    from passes.context import PassContext

STREAM = "ge.stream"


@dataclass(frozen=True)
class StreamAssignment(Pass):
    """Give every task a stream: one stream per engine that has tasks, the AI Core's first.

    Copies (engine RTS) have no stream of their own: they ride on that of the node they copy for,
    else of the node they copy from, else on stream 0. Nodes without a task get no stream.

    Before::

        ge.graph @g(%x: tensor<8xf16>) {
          %a = ge.Relu(%x) {ge.engine = "AIcoreEngine"} : tensor<8xf16>
          %b = ge.Exp(%x) {ge.engine = "DNN_VM_AICPU"} : tensor<8xf16>
          ge.NetOutput(%a, %b) {ge.engine = "DNN_VM_GE_LOCAL"}
        }

    After::

        ge.graph @g(%x: tensor<8xf16>) {
          %a = ge.Relu(%x) {ge.engine = "AIcoreEngine", ge.stream = 0} : tensor<8xf16>
          %b = ge.Exp(%x) {ge.engine = "DNN_VM_AICPU", ge.stream = 1} : tensor<8xf16>
          ge.NetOutput(%a, %b) {ge.engine = "DNN_VM_GE_LOCAL"}
        }
    """

    name: ClassVar[str] = "stream-assignment"
    stage: ClassVar[str] = "build"
    waives: ClassVar[Mapping[str, str]] = {
        "locality": "streams are shared out over the whole graph",
        "textual-order": "streams are given out in the order in the text",
    }
    contract: ClassVar[Contract] = Contract(
        requires=("engines-claimed",), establishes=("streams-assigned",)
    )

    def run(self, module: ModuleOp, ctx: PassContext) -> PassResult:
        changed = streams = 0
        for graph in module_graphs(module):
            block = graph.body
            queues, copies = _assign(block)
            numbers = {engine: queue.stream for engine, queue in queues.items()}
            riding = _riding(block, copies, numbers) if copies else {}
            for op, stream in riding.items():
                written = int_to_attr(stream)
                changed += op.attributes.get(STREAM) != written
                op.attributes[STREAM] = written
            changed += sum(queue.changed for queue in queues.values())
            streams = max(streams, len(numbers) or len(set(riding.values())))
            if ctx.remarks_enabled:
                _explain(block, ctx)
        limit = ctx.soc.queue.streams
        if streams > limit:
            ctx.sink.error(
                "GX-512", "too many streams", found=str(streams), expected=f"at most {limit}"
            )
        return PassResult(bool(changed), {"assigned": changed, "streams": streams})


class _Queue:
    """The tasks of one engine: attributes of their nodes, streams they had, how many differ now."""

    def __init__(self, stream: int) -> None:
        self.stream = stream
        self.written = int_to_attr(stream)
        self.nodes: list[dict[str, Attribute]] = []
        self.before: list[Attribute | None] = []
        self.changed = 0

    def add(self, attributes: dict[str, Attribute]) -> None:
        """Append a task and write the stream on its node."""
        old = attributes.get(STREAM)
        self.nodes.append(attributes)
        self.before.append(old)
        if old != self.written:
            attributes[STREAM] = self.written
            self.changed += 1

    def renumber(self, stream: int) -> None:
        """Write another stream on all nodes."""
        self.stream = stream
        self.written = int_to_attr(stream)
        self.changed = sum(old != self.written for old in self.before)
        for attributes in self.nodes:
            attributes[STREAM] = self.written


def _assign(block: Block) -> tuple[dict[str, _Queue], list[Operation]]:
    """The tasks of each engine, with their streams written on the nodes, and the copies, without.

    One sweep numbers the engines as they come; a second look at all nodes would cost as much as
    the first. Only where that is not the order of `ENGINES` nodes are written again.
    """
    queues: dict[str, _Queue] = {}
    copies: list[Operation] = []
    for op in nodes_of(block):
        engine = engine_of_task(op)
        if engine == RTS:
            copies.append(op)
        elif engine is not None:
            queue = queues.get(engine)
            if queue is None:
                queue = queues[engine] = _Queue(len(queues))
            queue.add(op.attributes)
    ranked = [engine for engine in dict.fromkeys((*ENGINES, *queues)) if engine in queues]
    for stream, engine in enumerate(ranked):
        if queues[engine].stream != stream:
            queues[engine].renumber(stream)
    return queues, copies


def _explain(block: Block, ctx: PassContext) -> None:
    """Remark: the stream of a node, and why it is that one."""
    for op in nodes_of(block):
        engine = engine_of_task(op)
        if engine is not None:
            named = engine or "nodes without engine"
            whose = "with the node it copies for" if engine == RTS else f"of {named}"
            ctx.remark(f"on stream {get_int(op, STREAM)} {whose}", op=op, category="analysis")


def _riding(block: Block, copies: list[Operation], numbers: dict[str, int]) -> dict[Operation, int]:
    """The stream of each copy."""
    chosen: dict[Operation | Block, int] = {
        op: numbers[engine] for op in nodes_of(block) if (engine := engine_of_task(op)) in numbers
    }
    riding: dict[Operation, int] = {}
    for op in copies:
        riding[op] = chosen[op] = _ride(op, chosen)
    return riding


def _ride(op: Operation, chosen: dict[Operation | Block, int]) -> int:
    for result in op.results:
        users = [use.operation for use in result.uses]
        for user in reversed(users):  # uses come newest first
            if user in chosen:
                return chosen[user]
    for operand in op.operands:
        if operand.owner in chosen:
            return chosen[operand.owner]
    return 0
