"""From a planned graph to the compiled model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

from xdsl.dialects.builtin import DictionaryAttr, IntegerType, Signedness, StringAttr
from xdsl.ir import Operation

from ge_dialect.ir.attributes import CtrlType, RefType
from ge_dialect.ir.base import GeOp, get_int, get_str
from ge_dialect.ir.graph import GraphOp, module_graphs
from ge_dialect.ir.names import STABLE_ID, node_name, origins
from ge_dialect.ir.narrow import is_array
from ge_dialect.ir.outputs import output_names
from ge_dialect.ir.private import nodes_of
from ge_dialect.ir.types import tensor_type
from ge_dialect.rt import (
    BufferAttr,
    EventRecord,
    EventWait,
    Input,
    Kernel,
    Memcpy,
    Model,
    Output,
    Stream,
    Variable,
    Weight,
)
from ge_dialect.rt.values import to_attr
from ge_dialect.target.engines import RTS
from passes.base import Contract, Pass, PassResult
from passes.build.event_insertion import RECORD, WAIT, event_numbers
from passes.build.memory_plan import INPUT_OFFSETS, OFFSET, SPACES, WORKSPACE, WORKSPACE_BYTES
from passes.build.places import Roots, is_constant, is_state
from passes.build.schedule import Schedule

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Attribute, SSAValue

    from ge_dialect.target.soc_file import SoC
    from passes.context import PassContext

_BYTE = IntegerType(8, Signedness.UNSIGNED)


@dataclass(frozen=True)
class LowerToRt(Pass):
    """Replace every planned ``ge.graph`` by the ``rt.model`` that runs.

    Every task becomes an ``rt.kernel`` (a copy an ``rt.memcpy``) on its stream, with the places of
    its inputs and outputs, all attributes of its operator, its engine and the number of cores it
    uses. Nodes without a task vanish: they were only names for places.

    Before::

        ge.graph @g(%x: tensor<8xf16>) attributes {ge.events_inserted, ge.input_offsets = ["input[0]"], ge.arena_bytes = 0, ge.weight_bytes = 0, ge.input_bytes = 512, ge.output_bytes = 512, ge.variable_bytes = 0, ge.arena_lower_bound = 0, ge.memory_planned} {
          %a = ge.Relu(%x) {ge.engine = "AIcoreEngine", ge.stream = 0, ge.offset = ["output[0]"]} : tensor<8xf16>
          ge.NetOutput(%a) {ge.engine = "DNN_VM_GE_LOCAL"}
        }

    After::

        rt.model @g {soc = "Ascend910B2", format = 1, arena_bytes = 0, weight_bytes = 0, input_bytes = 512, output_bytes = 512, variable_bytes = 0, arena_lower_bound = 0, events = 0} {
          rt.input 0 "x" = input[0] : tensor<8xf16> zero_copy
          rt.output 0 "a" = output[0] : tensor<8xf16> zero_copy
          rt.stream 0 AIcoreEngine {
            rt.kernel "a" Relu(input[0] : tensor<8xf16>) -> (output[0] : tensor<8xf16>) on AIcoreEngine block_dim 1
          }
        }
    """  # noqa: E501

    name: ClassVar[str] = "lower-to-rt"
    stage: ClassVar[str] = "build"
    contract: ClassVar[Contract] = Contract(
        requires=("streams-assigned", "memory-planned"),
        establishes=("lowered",),
        destroys=("graph",),
        grows=True,
    )

    def run(self, module: ModuleOp, ctx: PassContext) -> PassResult:
        tasks = streams = lowered = 0
        for graph in module_graphs(module):
            lowering = _Lowering(graph, ctx.soc)
            model = lowering.model()
            for problem in lowering.problems:
                ctx.sink.error(problem[0], problem[1], op=problem[2])
            if lowering.problems:
                continue
            if ctx.remarks_enabled:
                plan = lowering.plan
                for op, stream, position in zip(
                    plan.tasks, plan.stream, plan.position, strict=True
                ):
                    ctx.remark(f"task {position} of stream {stream}", op=op)
            block = graph.parent
            assert block is not None
            block.insert_op_before(model, graph)
            graph.detach()
            graph.erase()
            lowered += 1
            tasks += len(lowering.plan.tasks)
            streams += len(lowering.plan.streams)
        functions = [op for op in module.body.block.ops if op.name == "func.func"]
        if functions and not lowered and not ctx.sink.has_errors:
            ctx.sink.warning(
                "GX-515",
                "the module has no ge.graph, so nothing was compiled",
                op=functions[0],
                found=f"{len(functions)} func.func",
                hint="func-to-graph makes graphs of functions: -p func-to-graph,ge-default",
            )
        return PassResult(bool(lowered), {"tasks": tasks, "streams": streams})


class _Lowering:
    """Lowers one graph."""

    def __init__(self, graph: GraphOp, soc: SoC) -> None:
        self.graph = graph
        self.soc = soc
        self.problems: list[tuple[str, str, Operation]] = []
        self.places: dict[int, tuple[str, int]] = {}  # by id of the value
        self.kept: list[SSAValue] = []  # constants and variables that have a place
        self.buffers: dict[int, BufferAttr] = {}
        self.attrs: dict[tuple[object, ...], DictionaryAttr] = {}
        self.roots = Roots()
        self.plan = Schedule()
        for op in nodes_of(graph.body):
            task = self.plan.add(op)
            self.roots.add(op, has_task=task is not None)
        self.problems += [("GX-510", f"{p.op.name} {p.reason}", p.op) for p in self.roots.problems]
        self._read_places()

    def _read_places(self) -> None:
        offsets = self.graph.attributes.get(INPUT_OFFSETS)
        places = offsets.data if is_array(offsets) else ()
        for arg, place in zip(self.graph.args, places, strict=False):
            self.places[id(arg)] = _place(place)
        for op in nodes_of(self.graph.body):
            own = op.attributes.get(OFFSET)
            if is_array(own) and isinstance(op, GeOp):
                values = [r for r in op.ge_data_results if id(r) not in self.roots.alias]
                for result, place in zip(values, own.data, strict=True):
                    self.places[id(result)] = _place(place)
                    if is_constant(result) or is_state(result):
                        self.kept.append(result)

    def buffer(self, value: SSAValue, user: Operation) -> BufferAttr:
        """The place of a value, with the type the user sees."""
        found = self.buffers.get(id(value))
        if found is None:
            found = self.buffers[id(value)] = self._buffer(value, user)
        return found

    def _buffer(self, value: SSAValue, user: Operation) -> BufferAttr:
        place = self.places.get(id(self.roots.of(value)))
        if place is None:
            self.problems.append(
                ("GX-513", f"an input of {user.name} has no place; run memory-plan before", user)
            )
            place = ("arena", 0)
        return BufferAttr.make(*place, _tensor(value.type))

    def model(self) -> Model:
        """The whole model."""
        config: dict[str, object] = {"soc": self.soc.name, "format": 1}
        for space in SPACES:
            config[f"{space}_bytes"] = get_int(self.graph, f"ge.{space}_bytes") or 0
        config["arena_lower_bound"] = get_int(self.graph, "ge.arena_lower_bound") or 0
        config["events"] = sum(len(event_numbers(op, WAIT)) for op in self.plan.tasks)
        members: list[Operation] = [*self._inputs(), *self._outputs(), *self._constants()]
        for stream in sorted(self.plan.streams):
            nodes = [self.plan.tasks[task] for task in self.plan.streams[stream]]
            engine = next(
                (e for n in nodes if (e := get_str(n, "ge.engine")) not in (None, RTS)), RTS
            )
            tasks = [task for node in nodes for task in self._tasks(node)]
            members.append(Stream(stream, str(engine), tasks))
        model = Model(self.graph.sym_name.data, config, members)
        model.attributes.update(
            {k: v for k, v in self.graph.attributes.items() if not k.startswith("ge.")}
        )
        return model

    def _inputs(self) -> Iterator[Operation]:
        for i, (arg, name) in enumerate(zip(self.graph.args, self.graph.arg_names(), strict=True)):
            buffer = BufferAttr.make(*self.places.get(id(arg), ("input", 0)), _tensor(arg.type))
            yield Input(i, name, buffer, zero_copy=buffer.space == "input")

    def _outputs(self) -> Iterator[Operation]:
        end = self.graph.net_output
        if not isinstance(end, GeOp):
            return
        bound: set[tuple[str, int]] = set()
        names = output_names(self.graph)
        for i, value in enumerate(end.ge_data_operands):
            buffer = self.buffer(value, end)
            key = (buffer.space, buffer.offset)
            own = buffer.space == "output" and key not in bound
            bound.add(key)
            yield Output(i, names[i], buffer, zero_copy=own)

    def _constants(self) -> Iterator[Operation]:
        seen: set[tuple[str, int]] = set()
        for value in self.kept:
            place, owner = self.places[id(value)], value.owner
            if place in seen or not isinstance(owner, GeOp):
                continue
            buffer = BufferAttr.make(*place, _tensor(value.type))
            if is_constant(value):
                seen.add(place)
                yield Weight(buffer, owner.properties["value"])
            else:
                name = node_name(owner) or owner.name
                yield Variable(name, buffer, owner.properties.get("value"))

    def _tasks(self, op: Operation) -> Iterator[Operation]:
        """Waits, the task itself, records."""
        assert isinstance(op, GeOp)
        for event in event_numbers(op, WAIT):
            yield EventWait(event)
        task = self._copy(op) if get_str(op, "ge.engine") == RTS else self._kernel(op)
        for key, value in op.attributes.items():
            if not key.startswith("ge."):  # what others wrote on the node stays with its task
                task.attributes[key] = value
        yield task
        for event in event_numbers(op, RECORD):
            yield EventRecord(event)

    def _copy(self, op: GeOp) -> Memcpy:
        source = self.buffer(op.ge_data_operands[0], op)
        target = self.buffer(op.ge_data_results[0], op)
        return Memcpy(node_name(op) or op.name, source, target)

    def _kernel(self, op: GeOp) -> Kernel:
        from ge_dialect.target.cost import block_dim

        inputs: list[BufferAttr | list[BufferAttr] | None] = []
        for arg in op.ge_args():
            if arg is None:
                inputs.append(None)
            elif isinstance(arg, list):
                inputs.append([self.buffer(v, op) for v in arg])
            else:
                inputs.append(self.buffer(arg, op))
        outputs = [
            self.buffer(r, op) for r in op.ge_data_results if not isinstance(r.type, CtrlType)
        ]
        scratch = op.attributes.get(WORKSPACE)
        workspace = None
        if isinstance(scratch, StringAttr):
            size = get_int(op, WORKSPACE_BYTES) or 0
            workspace = BufferAttr.make(*_place(scratch), tensor_type((size,), _BYTE))
        name = node_name(op) or op.name
        sources = origins(op)
        engine = get_str(op, "ge.engine") or ""
        return Kernel(
            node=name,
            op_type=op.ge_type,
            inputs=inputs,
            outputs=outputs,
            attrs=self._attrs(op),
            engine=engine,
            block_dim=block_dim(op.ge_type, [b.type for b in outputs], engine, self.soc),
            workspace=workspace,
            origins=() if sources == (name,) else sources,
        )

    def _attrs(self, op: GeOp) -> DictionaryAttr:
        """All attributes of the operator; the same dictionary for the same attributes."""
        stable = op.attributes.get(STABLE_ID)
        key = (op.name, id(stable), *map(id, op.properties.values()))
        found = self.attrs.get(key)
        if found is None:
            values = {k: v for k, v in op.ge_attrs().items() if v is not None}
            if isinstance(stable, StringAttr):
                values[STABLE_ID] = stable.data
            found = self.attrs[key] = DictionaryAttr({k: to_attr(v) for k, v in values.items()})
        return found


def _place(text: Attribute) -> tuple[str, int]:
    assert isinstance(text, StringAttr)
    return _read_place(text.data)


@lru_cache(maxsize=4096)
def _read_place(text: str) -> tuple[str, int]:
    space, _, rest = text.partition("[")
    return space, int(rest[:-1])


def _tensor(type_: Attribute) -> Attribute:
    return type_.tensor if isinstance(type_, RefType) else type_
