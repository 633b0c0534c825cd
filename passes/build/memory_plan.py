"""Where every tensor of a static graph lies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice
from typing import TYPE_CHECKING, ClassVar, cast

from xdsl.dialects.builtin import ArrayAttr, StringAttr, UnitAttr
from xdsl.ir import OpResult, SSAValue

from ge_dialect.ir.attributes import RefType
from ge_dialect.ir.base import GeOp, get_int, set_int
from ge_dialect.ir.graph import GraphOp, module_graphs
from ge_dialect.ir.names import node_name
from ge_dialect.ir.private import nodes_of, operands_of
from ge_dialect.ir.types import is_static, tensor_under
from ge_dialect.layouts import storage_bytes
from ge_dialect.target.engines import VALUE_SIZED_OPS
from passes.base import Contract, Pass, PassResult
from passes.build.allocation import Lives, Tasks, allocate
from passes.build.event_insertion import MARK, read_events
from passes.build.places import Roots, is_constant, is_state
from passes.build.schedule import Event, Schedule, clocks

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Attribute, Operation

    from passes.context import PassContext

OFFSET = "ge.offset"
WORKSPACE = "ge.workspace"
WORKSPACE_BYTES = "ge.workspace_bytes"
INPUT_OFFSETS = "ge.input_offsets"
SPACES = ("arena", "weight", "input", "output", "variable")
#: Nodes or inputs that one diagnostic names; the others are counted.
_LISTED = 8
_TOLD = frozenset(f"ge.{name}" for name in VALUE_SIZED_OPS)


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
                counters["buffers"] += len(planner.buffers)
                counters["arena_bytes"] += planner.places.taken["arena"]
                counters["lower_bound_bytes"] += planner.lower_bound
        return PassResult(changed, counters)


def _open_inputs_hint(names: Sequence[str]) -> str:
    """What to do about shapes that are not known: inputs to give sizes to, where some are open."""
    if not names:
        return (
            "no input is open: the shapes follow from values; ge-run --golden evaluates the graph"
        )
    shown = ", ".join(names[:_LISTED]) + (", ..." if len(names) > _LISTED else "")
    return f"give the inputs static shapes (--input-shape of ge-run, ge-translate): {shown}"


def _counted(count: int, kind: str) -> str:
    """How many there are, as a diagnostic says it: `an input`, `3 inputs`."""
    if count > 1:
        return f"{count} {kind}s"
    return f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"


def _node(op: Operation) -> str:
    """A node as a diagnostic lists it."""
    return f"{node_name(op)} ({op.name}: {', '.join(str(r.type) for r in op.results)})"


def _listed(texts: Iterable[str], count: int) -> str:
    """The first of so many things, and how many there are more."""
    shown = "; ".join(islice(texts, _LISTED))
    return shown + (f"; and {count - _LISTED} more" if count > _LISTED else "")


class _Sizes:
    """Aligned bytes that values of a type take."""

    def __init__(self, alignment: int) -> None:
        self.alignment = alignment
        self.found: dict[int, int] = {}  # by id of the type

    def known(self, type_: Attribute) -> bool:
        """Whether the shape is known."""
        return self.of(type_) >= 0

    def of(self, type_: Attribute) -> int:
        """Storage bytes of a tensor (or of the tensor behind a ref), at least a block; else 0.

        Negative where the shape is not known.
        """
        size = self.found.get(id(type_))
        return self._measure(type_) if size is None else size

    def align(self, size: int) -> int:
        """The bytes of the blocks that so many bytes take; at least one block."""
        return max(1, -(-size // self.alignment)) * self.alignment

    def _measure(self, type_: Attribute) -> int:
        tensor = tensor_under(type_)
        if tensor is None:
            size = 0
        elif not is_static(tensor):
            size = -1
        else:
            size = self.align(storage_bytes(type_.tensor if isinstance(type_, RefType) else type_))
        self.found[id(type_)] = size
        return size


class _Places:
    """Where values lie, and how many bytes of each memory class are taken."""

    def __init__(self, sizes: _Sizes) -> None:
        self.sizes = sizes
        self.taken: dict[str, int] = dict.fromkeys(SPACES, 0)
        self.of: dict[int, StringAttr] = {}  # by id of the value
        self.shared: dict[tuple[Attribute | None, Attribute], StringAttr] = {}  # equal constants
        self.texts: dict[tuple[str, int], StringAttr] = {}

    def text(self, space: str, offset: int) -> StringAttr:
        """The text of a place; the same for all that lie there."""
        found = self.texts.get((space, offset))
        if found is None:
            found = self.texts[space, offset] = StringAttr(f"{space}[{offset}]")
        return found

    def put(self, space: str, value: SSAValue) -> StringAttr:
        """The next place of a memory class that only grows."""
        at = self.taken[space]
        self.taken[space] = at + self.sizes.of(value.type)
        found = self.of[id(value)] = self.text(space, at)
        return found

    def hold(self, value: SSAValue) -> None:
        """A place for a constant or a variable that has none yet; equal constants share theirs."""
        if id(value) in self.of:
            return
        if not is_constant(value):
            self.put("variable", value)
            return
        owner = value.owner
        assert isinstance(owner, GeOp)
        key = (owner.properties.get("value"), value.type)
        place = self.shared.get(key)
        if place is None:
            self.shared[key] = self.put("weight", value)
        else:
            self.of[id(value)] = place


class _Planner:
    """Plans one graph."""

    def __init__(self, graph: GraphOp, ctx: PassContext, reuse: bool) -> None:
        self.graph = graph
        self.ctx = ctx
        self.reuse = reuse
        self.sizes = _Sizes(ctx.soc.memory.alignment)
        self.places = _Places(self.sizes)
        self.owners = Roots()
        # the arena: results and nodes with scratch, their lives, their numbers by id of a value
        self.buffers: list[Operation | SSAValue] = []
        self.lives = Lives()
        self.number: dict[int, int] = {}
        self.workspaces: dict[int, StringAttr] = {}  # by id of the node
        self.lower_bound = 0
        # what cannot be planned: types of open inputs, nodes whose shapes are not known or depend
        # on values
        self.open: dict[str, Attribute] = {}
        self.unknown: list[Operation] = []
        self.told: list[Operation] = []

    def run(self) -> bool:
        """Plan and write; False if the graph cannot be planned (reported)."""
        for name, arg in zip(self.graph.arg_names(), self.graph.args, strict=True):
            if self.sizes.known(arg.type):
                self.places.put("variable" if is_state(arg) else "input", arg)
            else:
                self.open[name] = arg.type
        plan = self._sweep()
        events, odd = read_events(plan)
        if self._refused(odd):
            return False
        self._outputs()
        self._arena(plan, events)
        self._write()
        return True

    def _sweep(self) -> Schedule:
        """One look at every node: who owns which bytes, the tasks, and how long buffers live."""
        plan = Schedule()
        problems, unknown, told = self.owners.problems, self.unknown, self.told
        known = self.sizes.known
        for op in nodes_of(self.graph.body):
            task = plan.add(op)
            self.owners.add(op, has_task=task is not None)
            for result in op.results:
                if not known(result.type):
                    unknown.append(op)
                    break
            else:
                if op.name in _TOLD:
                    told.append(op)
            if not (problems or unknown or told or self.open):
                self._live(cast("GeOp", op), task, plan)
        return plan

    def _refused(self, odd_events: Sequence[int]) -> bool:
        """Report what cannot be planned."""
        if odd_events:
            self.ctx.sink.error(
                "GX-513",
                f"@{self.graph.sym_name.data}: the events are not those of its tasks",
                op=self.graph,
                found="numbers " + ", ".join(map(str, odd_events[:_LISTED])),
                expected="each is recorded by one task and awaited by a later one",
                hint="run event-insertion before memory-plan",
            )
        for problem in self.owners.problems:
            text = f"{problem.op.name} {problem.reason}"
            self.ctx.sink.error("GX-510", text, op=problem.op, hint=problem.hint)
        hint = _open_inputs_hint(list(self.open))
        if self.unknown:
            self._refuse_nodes(self.unknown, "not known at build time", hint)
        elif self.open:
            inputs = (f"{name} ({type_})" for name, type_ in self.open.items())
            shown = _listed(inputs, len(self.open))
            which = _counted(len(self.open), "input")
            self._refuse(which, "not known at build time", self.graph, shown, hint)
        if self.told:
            self._refuse_nodes(
                self.told,
                "declared, and follow from values: no kernel could keep to them",
                "the device takes static shapes only; ge-run --golden evaluates the graph",
            )
        problems = self.owners.problems
        return bool(odd_events or problems or self.unknown or self.told or self.open)

    def _refuse_nodes(self, ops: Sequence[Operation], why: str, hint: str) -> None:
        """One GX-511 for all nodes whose shapes are `why`; it stands at the first of them."""
        shown = _listed(map(_node, ops), len(ops))
        self._refuse(_counted(len(ops), "node"), why, ops[0], shown, hint)

    def _refuse(self, which: str, why: str, at: Operation, found: str, hint: str) -> None:
        self.ctx.sink.error(
            "GX-511",
            f"@{self.graph.sym_name.data}: the shapes of {which} are {why}",
            op=at,
            found=found,
            hint=hint,
        )

    def _live(self, op: GeOp, task: int | None, plan: Schedule) -> None:
        """What a node makes begins to live, and what it reads lives until it is done."""
        held, alias, number, lives = self.owners.held, self.owners.alias, self.number, self.lives
        after = 0
        if task is not None:
            stream, after = plan.stream[task], plan.position[task] + 1
            for value in operands_of(op):
                i = number.get(id(value))
                if i is None:
                    if (owner := held.get(id(value))) is not None:
                        self.places.hold(owner)
                elif plan.stream[lives.births[i]] == stream:
                    lives.ends[i] = after
                else:
                    lives.elsewhere.setdefault(i, {})[stream] = after
        for result in op.ge_data_results:
            key = id(result)
            if (owner := alias.get(key)) is not None:
                if (i := number.get(id(owner))) is not None:
                    number[key] = i
            elif task is None:
                continue  # a constant or a variable: placed where a task reads it
            elif key in held:
                self.places.hold(result)
            else:
                number[key] = lives.add(self.sizes.of(result.type), task, after)
                self.buffers.append(result)
        if task is not None and (scratch := get_int(op, WORKSPACE_BYTES)):
            lives.add(self.sizes.align(scratch), task, after)
            self.buffers.append(op)

    def _outputs(self) -> None:
        """Results of the graph: those that tasks make go to the caller's memory, not the arena."""
        end = self.graph.net_output
        values = list(end.ge_data_operands) if isinstance(end, GeOp) else []
        taken: set[int] = set()
        for owner in map(self.owners.of, values):
            i = self.number.get(id(owner))
            if i is not None and i not in taken:
                taken.add(i)
                self.places.put("output", owner)
        for value in values:
            if (holder := self.owners.held.get(id(value))) is not None:
                self.places.hold(holder)
        if taken:
            self.lives = self.lives.without(taken)
            self.buffers = [b for i, b in enumerate(self.buffers) if i not in taken]

    def _arena(self, plan: Schedule, events: Sequence[Event]) -> None:
        """Offsets of intermediate values and workspaces."""
        lives, buffers = self.lives, self.buffers
        offsets: list[int] = []
        if self.reuse:
            known = clocks(plan, events)
            placed = allocate(Tasks(plan.stream, plan.position, known), lives)
            offsets += placed.offsets
            peak, self.lower_bound = placed.peak, placed.lower_bound
            if self.ctx.remarks_enabled:
                self.ctx.remark(
                    f"arena {peak} bytes, lower bound {placed.lower_bound}, without reuse "
                    f"{sum(lives.sizes)}; placement '{placed.strategy}'",
                    op=self.graph,
                    category="analysis",
                )
        else:
            *offsets, peak = accumulate(lives.sizes, initial=0)
            self.lower_bound = peak
        self.places.taken["arena"] = peak
        if self.ctx.remarks_enabled:
            self._explain(offsets)
        for what, offset in zip(buffers, offsets, strict=True):
            table = self.places.of if isinstance(what, SSAValue) else self.workspaces
            table[id(what)] = self.places.text("arena", offset)

    def _explain(self, offsets: Sequence[int]) -> None:
        """Remark: where a buffer lies, and whose place it takes over."""
        owners: dict[int, str | None] = {}
        for buffer, offset, size in zip(self.buffers, offsets, self.lives.sizes, strict=True):
            if isinstance(buffer, OpResult):
                op, what = buffer.op, f"result {buffer.index}"
            else:
                op, what = cast("Operation", buffer), "workspace"
            before, name = owners.get(offset), node_name(op)
            owners[offset] = name
            reuse = f", in the place of '{before}'" if before is not None else ""
            self.ctx.remark(
                f"{what} in arena[{offset}], {size} bytes{reuse}",
                op=op,
                category="analysis",
                involved=None if before is None else (before,),
            )

    def _write(self) -> None:
        graph, places = self.graph, self.places.of
        lists: dict[tuple[StringAttr, ...], ArrayAttr[StringAttr]] = {}

        def listed(own: tuple[StringAttr, ...]) -> ArrayAttr[StringAttr]:
            found = lists.get(own)
            if found is None:
                found = lists[own] = ArrayAttr(own)
            return found

        if graph.args:
            graph.attributes[INPUT_OFFSETS] = listed(tuple([places[id(a)] for a in graph.args]))
        for op in nodes_of(graph.body):
            own = tuple([places[id(r)] for r in op.results if id(r) in places])
            if own:
                op.attributes[OFFSET] = listed(own)
            else:
                op.attributes.pop(OFFSET, None)
            if id(op) in self.workspaces:
                op.attributes[WORKSPACE] = self.workspaces[id(op)]
            else:
                op.attributes.pop(WORKSPACE, None)
        for space in SPACES:
            set_int(graph, f"ge.{space}_bytes", self.places.taken[space])
        set_int(graph, "ge.arena_lower_bound", self.lower_bound)
        graph.attributes["ge.memory_planned"] = UnitAttr()
