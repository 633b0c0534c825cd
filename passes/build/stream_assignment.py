"""Which stream every task runs on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ge_dialect.ir.base import get_int, get_str
from ge_dialect.ir.graph import module_graphs
from ge_dialect.ir.kinds import int_to_attr
from ge_dialect.ir.private import nodes_of
from ge_dialect.target.engines import ENGINES, GE_LOCAL, RTS
from passes.base import Contract, Pass, PassResult

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
            tasks: list[Operation] = []
            engines: list[str] = []
            held: list[dict[str, Attribute]] = []
            for op in nodes_of(graph.body):
                engine = get_str(op, "ge.engine") or ""
                if engine != GE_LOCAL:
                    tasks.append(op)
                    engines.append(engine)
                    held.append(op.attributes)
            numbers = _numbers(engines)
            riding = _riding(tasks, engines, numbers)
            streams = max(streams, len(numbers) or len(set(riding.values())))
            written = {engine: int_to_attr(stream) for engine, stream in numbers.items()}
            for task, (engine, attributes) in enumerate(zip(engines, held, strict=True)):
                stream = written[engine] if engine != RTS else int_to_attr(riding[task])
                if attributes.get(STREAM) != stream:
                    attributes[STREAM] = stream
                    changed += 1
            if ctx.remarks_enabled:
                _explain(tasks, engines, ctx)
        limit = ctx.soc.queue.streams
        if streams > limit:
            ctx.sink.error(
                "GX-512", "too many streams", found=str(streams), expected=f"at most {limit}"
            )
        return PassResult(bool(changed), {"assigned": changed, "streams": streams})


def _numbers(engines: list[str]) -> dict[str, int]:
    """The stream of each engine that has tasks, but for copies."""
    used = dict.fromkeys(engines)
    numbers: dict[str, int] = {}
    for engine in (*ENGINES, *used):
        if engine in used and engine != RTS:
            numbers.setdefault(engine, len(numbers))
    return numbers


def _explain(tasks: list[Operation], engines: list[str], ctx: PassContext) -> None:
    """Remark: the stream of a node, and why it is that one."""
    for op, engine in zip(tasks, engines, strict=True):
        rides = " with the node it copies for" if engine == RTS else f" of {engine}"
        ctx.remark(f"on stream {get_int(op, STREAM)}{rides}", op=op, category="analysis")


def _riding(tasks: list[Operation], engines: list[str], numbers: dict[str, int]) -> dict[int, int]:
    """The stream of each copy, by the number of its task."""
    riding: dict[int, int] = {}
    if RTS not in engines:
        return riding
    chosen: dict[Operation | Block, int] = {
        op: numbers[e] for op, e in zip(tasks, engines, strict=True) if e != RTS
    }
    for task, op in enumerate(tasks):
        if engines[task] == RTS:
            riding[task] = chosen[op] = _ride(op, chosen)
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
