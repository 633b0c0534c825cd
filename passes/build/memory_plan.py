"""Where every tensor of a static graph lies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any, ClassVar, cast

from xdsl.dialects.builtin import ArrayAttr, StringAttr, UnitAttr

from ge_dialect.ir.attributes import RefType
from ge_dialect.ir.base import GeOp, get_int, set_int
from ge_dialect.ir.graph import GraphOp, module_graphs
from ge_dialect.ir.names import node_name
from ge_dialect.ir.private import nodes_of, operands_of
from ge_dialect.ir.types import is_static, tensor_under
from ge_dialect.layouts import storage_bytes
from ge_dialect.target.engines import VALUE_SIZED_OPS
from passes.base import Contract, Pass, PassResult
from passes.build.allocation import Life, Task, allocate
from passes.build.event_insertion import MARK, read_events
from passes.build.places import Roots, is_constant, is_state, roots
from passes.build.schedule import Schedule, clocks, schedule

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Attribute, Operation, SSAValue

    from passes.context import PassContext

OFFSET = "ge.offset"
WORKSPACE = "ge.workspace"
WORKSPACE_BYTES = "ge.workspace_bytes"
INPUT_OFFSETS = "ge.input_offsets"
SPACES = ("arena", "weight", "input", "output", "variable")
#: Nodes or inputs that one diagnostic names; the others are counted.
_LISTED = 8
#: What lies in the arena: ("value", a result) or ("workspace", the node).
_Buffer = tuple[str, "SSAValue | Operation"]


@dataclass(frozen=True)
class MemoryPlan(Pass):
    """Give every tensor a memory class and an offset.

    ``ge.offset`` lists the places of a node's results: ``arena`` for intermediate values,
    ``weight`` for constants a task reads, ``variable`` for state, ``output`` for results of the
    graph, which are written straight into the caller's memory; the graph's inputs stand in
    ``ge.input_offsets``. All offsets are multiples of the SoC's block alignment (512 bytes).

    Arena buffers share bytes when the later one's stream knows, by stream order and events, that
    all readers of the earlier one are done. Several placements are tried and the smallest is kept;
    ``ge.arena_lower_bound`` is what no placement for this order and these events can undercut.
    Scratch memory that a node asks for in ``ge.workspace_bytes`` is planned likewise.

    Before::

        ge.graph @g(%x: tensor<256xf16>) attributes {ge.events_inserted} {
          %a = ge.Relu(%x) {ge.engine = "AIcoreEngine", ge.stream = 0} : tensor<256xf16>
          %b = ge.Exp(%a) {ge.engine = "AIcoreEngine", ge.stream = 0} : tensor<256xf16>
          %c = ge.Abs(%b) {ge.engine = "AIcoreEngine", ge.stream = 0} : tensor<256xf16>
          %d = ge.Neg(%c) {ge.engine = "AIcoreEngine", ge.stream = 0} : tensor<256xf16>
          ge.NetOutput(%d) {ge.engine = "DNN_VM_GE_LOCAL"}
        }

    After::

        ge.graph @g(%x: tensor<256xf16>) attributes {ge.events_inserted, ge.input_offsets = ["input[0]"], ge.arena_bytes = 1024, ge.weight_bytes = 0, ge.input_bytes = 512, ge.output_bytes = 512, ge.variable_bytes = 0, ge.arena_lower_bound = 1024, ge.memory_planned} {
          %a = ge.Relu(%x) {ge.engine = "AIcoreEngine", ge.stream = 0, ge.offset = ["arena[0]"]} : tensor<256xf16>
          %b = ge.Exp(%a) {ge.engine = "AIcoreEngine", ge.stream = 0, ge.offset = ["arena[512]"]} : tensor<256xf16>
          %c = ge.Abs(%b) {ge.engine = "AIcoreEngine", ge.stream = 0, ge.offset = ["arena[0]"]} : tensor<256xf16>
          %d = ge.Neg(%c) {ge.engine = "AIcoreEngine", ge.stream = 0, ge.offset = ["output[0]"]} : tensor<256xf16>
          ge.NetOutput(%d) {ge.engine = "DNN_VM_GE_LOCAL"}
        }
    """  # noqa: E501

    name: ClassVar[str] = "memory-plan"
    stage: ClassVar[str] = "build"
    waives: ClassVar[Mapping[str, str]] = {
        "locality": "buffers of the whole graph share one arena",
        "textual-order": "lifetimes follow the order in the text",
    }
    contract: ClassVar[Contract] = Contract(
        requires=("streams-assigned",), establishes=("memory-planned",)
    )

    reuse: bool = True

    def run(self, module: ModuleOp, ctx: PassContext) -> PassResult:
        counters = {"buffers": 0, "arena_bytes": 0, "lower_bound_bytes": 0}
        changed = False
        for graph in module_graphs(module):
            if MARK not in graph.attributes:
                ctx.sink.error(
                    "GX-513",
                    f"@{graph.sym_name.data} has no events",
                    op=graph,
                    hint="run event-insertion before memory-plan",
                )
                continue
            planner = _Planner(graph, ctx, self.reuse)
            if planner.run():
                changed = True
                counters["buffers"] += planner.buffers
                counters["arena_bytes"] += planner.sizes["arena"]
                counters["lower_bound_bytes"] += planner.lower_bound
        return PassResult(changed, counters)


def _open_inputs_hint(graph: GraphOp) -> str:
    """What to do about shapes that are not known: inputs to give sizes to, where some are open."""
    names = zip(graph.arg_names(), graph.args, strict=True)
    found = [name for name, arg in names if not _Planner.known(arg.type)]
    if not found:
        return (
            "no input is open: the shapes follow from values; ge-run --golden evaluates the graph"
        )
    shown = ", ".join(found[:_LISTED]) + (", ..." if len(found) > _LISTED else "")
    return f"give the inputs static shapes (--input-shape of ge-run, ge-translate): {shown}"


def _sharers(owners: Roots) -> dict[int, list[int]]:
    """The other values that lie where a value lies, all by id."""
    found: dict[int, list[int]] = {}
    for value, owner in owners.alias.items():
        found.setdefault(id(owner), []).append(value)
    return found


class _Planner:
    """Plans one graph."""

    def __init__(self, graph: GraphOp, ctx: PassContext, reuse: bool) -> None:
        self.graph = graph
        self.ctx = ctx
        self.reuse = reuse
        self.alignment = ctx.soc.memory.alignment
        self.sizes: dict[str, int] = dict.fromkeys(SPACES, 0)
        self.places: dict[int, str] = {}  # by id of the value
        self.workspaces: dict[Operation, str] = {}
        self.lower_bound = 0
        self.buffers = 0
        self.bytes_of: dict[int, int] = {}  # by id of the type
        self.shared: dict[tuple[Attribute | None, Attribute], str] = {}  # of equal constants

    def run(self) -> bool:
        """Plan and write; False if the graph cannot be planned (reported)."""
        block = self.graph.body
        owners = roots(block)
        for problem in owners.problems:
            text = f"{problem.op.name} {problem.reason}"
            self.ctx.sink.error("GX-510", text, op=problem.op, hint=problem.hint)
        unknown: list[Operation] = []
        told: list[Operation] = []
        for op in nodes_of(block):
            if any(not self.known(r.type) for r in op.results):
                unknown.append(op)
            elif op.name[3:] in VALUE_SIZED_OPS:
                told.append(op)
        if unknown:
            self._refuse(unknown, "not known at build time", _open_inputs_hint(self.graph))
        if told:
            self._refuse(
                told,
                "declared, and follow from values: no kernel could keep to them",
                "the device takes static shapes only; ge-run --golden evaluates the graph",
            )
        unknown += told
        if owners.problems or unknown:
            return False
        plan = schedule(block)
        self._ends(plan, [owners.of(v) for v in self._outputs()])
        self._arena(plan, owners)
        self._write(plan)
        return True

    def _refuse(self, ops: Sequence[Operation], why: str, hint: str) -> None:
        """One GX-511 for nodes whose shapes are `why`; it stands at the first of them."""
        listed = [
            f"{node_name(op)} ({op.name}: {', '.join(str(r.type) for r in op.results)})"
            for op in ops[:_LISTED]
        ]
        left = len(ops) - len(listed)
        count = "the shapes of a node" if len(ops) == 1 else f"the shapes of {len(ops)} nodes"
        self.ctx.sink.error(
            "GX-511",
            f"@{self.graph.sym_name.data}: {count} are {why}",
            op=ops[0],
            found="; ".join(listed) + (f"; and {left} more" if left else ""),
            hint=hint,
        )

    @staticmethod
    def known(type_: Attribute) -> bool:
        tensor = tensor_under(type_)
        return tensor is None or is_static(tensor)

    def _outputs(self) -> list[SSAValue]:
        end = self.graph.net_output
        return list(end.ge_data_operands) if isinstance(end, GeOp) else []

    def size(self, type_: Attribute) -> int:
        """Aligned storage bytes of a tensor (or of the tensor behind a ref); at least a block."""
        found = self.bytes_of.get(id(type_))
        if found is None:
            found = self.bytes_of[id(type_)] = self.align(
                storage_bytes(type_.tensor if isinstance(type_, RefType) else type_)
            )
        return found

    def align(self, size: int) -> int:
        return max(1, -(-size // self.alignment)) * self.alignment

    def put(self, space: str, size: int) -> str:
        """The next place of a memory class that only grows."""
        at = self.sizes[space]
        self.sizes[space] = at + size
        return f"{space}[{at}]"

    def _ends(self, plan: Schedule, outputs: list[SSAValue]) -> None:
        """Places of inputs, and of results that tasks make for the caller."""
        for arg in self.graph.args:
            space = "variable" if is_state(arg) else "input"
            self.places[id(arg)] = self.put(space, self.size(arg.type))
        for value in outputs:
            if (
                id(value) not in self.places
                and id(value.owner) in plan.number
                and not is_state(value)
            ):
                self.places[id(value)] = self.put("output", self.size(value.type))

    def _hold(self, value: SSAValue) -> None:
        """A place for a constant or a variable that has none yet; equal constants share theirs."""
        if id(value) in self.places:
            return
        size = self.size(value.type)
        if not is_constant(value):
            self.places[id(value)] = self.put("variable", size)
            return
        owner = value.owner
        assert isinstance(owner, GeOp)
        key = (owner.properties.get("value"), value.type)
        if key not in self.shared:
            self.shared[key] = self.put("weight", size)
        self.places[id(value)] = self.shared[key]

    def _lives(self, plan: Schedule, owners: Roots) -> tuple[list[Life], list[_Buffer]]:
        """The lives of what tasks make, with what each is; what they read else is placed.

        One sweep over the tasks, in which the readers of a buffer write into its life.
        """
        held, sharers = owners.held, _sharers(owners)
        ends: dict[int, dict[int, int]] = {}
        buffers: list[_Buffer] = []
        lives: list[Life] = []
        for index, op in enumerate(plan.tasks):
            stream, after = plan.stream[index], plan.position[index] + 1
            assert isinstance(op, GeOp)
            for value in operands_of(op):
                last = ends.get(id(value))
                if last is not None:
                    last[stream] = after
                elif (owner := held.get(id(value))) is not None:
                    self._hold(owner)
            for result in op.ge_data_results:
                key = id(result)
                if key in self.places or key in owners.alias:
                    continue
                if key in held:
                    self._hold(result)
                    continue
                last = ends[key] = {stream: after}
                for sharer in sharers.get(key, ()):
                    ends[sharer] = last
                buffers.append(("value", result))
                lives.append(Life(self.size(result.type), index, last))
            scratch = get_int(op, WORKSPACE_BYTES)
            if scratch:
                buffers.append(("workspace", op))
                lives.append(Life(self.align(scratch), index, {stream: after}))
        return lives, buffers

    def _arena(self, plan: Schedule, owners: Roots) -> None:
        """Offsets of intermediate values and workspaces, and places of constants and variables."""
        lives, buffers = self._lives(plan, owners)
        for value in self._outputs():
            owner = owners.held.get(id(value))
            if owner is not None:
                self._hold(owner)
        self.buffers = len(lives)
        offsets: list[int] = []
        if self.reuse:
            known = clocks(plan, read_events(plan))
            tasks = list(map(Task, plan.stream, plan.position, known))
            placed = allocate(tasks, lives)
            offsets += placed.offsets
            peak, self.lower_bound = placed.peak, placed.lower_bound
            if self.ctx.remarks_enabled:
                self.ctx.remark(
                    f"arena {peak} bytes, lower bound {placed.lower_bound}, without reuse "
                    f"{sum(a.size for a in lives)}; placement '{placed.strategy}'",
                    op=self.graph,
                    category="analysis",
                )
        else:
            *offsets, peak = accumulate((life.size for life in lives), initial=0)
            self.lower_bound = peak
        self.sizes["arena"] = peak
        if self.ctx.remarks_enabled:
            self._explain(buffers, offsets, lives)
        for (kind, what), offset in zip(buffers, offsets, strict=True):
            place = f"arena[{offset}]"
            if kind == "value":
                self.places[id(what)] = place
            else:
                self.workspaces[cast("Operation", what)] = place

    def _explain(
        self, keys: Sequence[tuple[str, Any]], offsets: Sequence[int], lives: Sequence[Life]
    ) -> None:
        """Remark: where a buffer lies, and whose place it takes over."""
        owners: dict[int, str | None] = {}
        for (kind, key), offset, life in zip(keys, offsets, lives, strict=True):
            op = key if kind == "workspace" else key.owner
            what = "workspace" if kind == "workspace" else f"result {key.index}"
            before, name = owners.get(offset), node_name(op)
            owners[offset] = name
            reuse = f", in the place of '{before}'" if before is not None else ""
            self.ctx.remark(
                f"{what} in arena[{offset}], {life.size} bytes{reuse}",
                op=op,
                category="analysis",
                involved=None if before is None else (before,),
            )

    def _write(self, plan: Schedule) -> None:
        graph = self.graph
        texts: dict[str, StringAttr] = {}
        places = self.places

        def text(place: str) -> StringAttr:
            found = texts.get(place)
            if found is None:
                found = texts[place] = StringAttr(place)
            return found

        if graph.args:
            graph.attributes[INPUT_OFFSETS] = ArrayAttr(
                [text(self.places[id(a)]) for a in graph.args]
            )
        for op in graph.body.ops:
            if not isinstance(op, GeOp):
                continue
            own = [places[id(r)] for r in op.ge_data_results if id(r) in places]
            if own:
                op.attributes[OFFSET] = ArrayAttr([text(p) for p in own])
            else:
                op.attributes.pop(OFFSET, None)
            if op in self.workspaces:
                op.attributes[WORKSPACE] = text(self.workspaces[op])
            else:
                op.attributes.pop(WORKSPACE, None)
        for space in SPACES:
            set_int(graph, f"ge.{space}_bytes", self.sizes[space])
        set_int(graph, "ge.arena_lower_bound", self.lower_bound)
        graph.attributes["ge.memory_planned"] = UnitAttr()
