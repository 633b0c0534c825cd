"""No two buffers that live at once share bytes: plans of graphs with everything in them.

The check is written from the definition: tasks, who reads which bytes, and what happens before
what, each found anew from the text of the plan.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import pytest
from xdsl.dialects.builtin import StringAttr, f32
from xdsl.ir import Attribute, Operation, SSAValue

from ge_dialect.ir import get_int, get_str, module_graphs, tensor_type
from ge_dialect.ir.attributes import CtrlType, RefType
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.build import build, const
from ge_dialect.ir.build import graph as new_graph
from ge_dialect.ir.build import module as new_module
from ge_dialect.ir.control import add_control, control_of
from ge_dialect.ir.graph import GraphOp
from ge_dialect.ir.kinds import int_to_attr
from ge_dialect.ir.types import ref_type
from ge_dialect.layouts import storage_bytes
from passes.build.event_insertion import EventInsertion, event_numbers
from passes.build.memory_plan import MemoryPlan
from passes.build.stream_assignment import StreamAssignment
from passes.context import PassContext

LOCAL, COPIES = "DNN_VM_GE_LOCAL", "DNN_VM_RTS"
ENGINES = ("AIcoreEngine", "AIcoreEngine", "DNN_VM_AICPU", "third", "fourth")
SIZES = [tensor_type((n,), f32) for n in (0, 1, 4, 100, 128, 300, 1000)]


class Maker:
    """A random graph with constants, variables, copies, relabelling and nodes of many results."""

    def __init__(self, rng: random.Random, name: str) -> None:
        self.rng = rng
        types: list[Attribute] = [rng.choice(SIZES) for _ in range(rng.randrange(4))]
        types += [ref_type(rng.choice(SIZES))] * (rng.random() < 0.3)
        self.graph, self.block = new_graph(name, types, [f"a{i}" for i in range(len(types))])
        self.values: list[SSAValue] = []
        self.refs: list[SSAValue] = []
        self.placed: list[Operation] = []
        self.take(self.graph.args)
        self.engines = rng.sample(ENGINES, rng.randrange(1, 5))
        for i in range(rng.choice([0, 1, 5, 20, 40])):
            self.node(f"n{i}")
        pool = self.values + self.refs
        outs = [rng.choice(pool) for _ in range(rng.randrange(5))] if pool else []
        self.put("NetOutput", [outs], [], LOCAL, "end")

    def take(self, values: tuple[SSAValue, ...] | list[SSAValue]) -> None:
        for value in values:
            (self.refs if isinstance(value.type, RefType) else self.values).append(value)

    def put(self, kind: str, inputs: list, types: list, engine: str, name: str, **attrs) -> None:
        self.add(build(kind, inputs, attrs=attrs, result_types=types, name=name), engine)

    def add(self, op: GeOp, engine: str) -> None:
        rng = self.rng
        op.attributes["ge.engine"] = StringAttr(engine)
        if engine != LOCAL and rng.random() < 0.15:
            op.attributes["ge.workspace_bytes"] = int_to_attr(rng.choice([1, 512, 513, 5000]))
        self.block.add_op(op)
        if self.placed and (op.name == "ge.NoOp" or rng.random() < 0.15):
            some = rng.sample(self.placed, min(2, len(self.placed)))
            add_control(op, [control_of(p) for p in some])
        self.placed.append(op)
        self.take(list(op.ge_data_results))

    def node(self, name: str) -> None:
        rng, values = self.rng, self.values
        engine = rng.choice([*self.engines, COPIES]) if rng.random() < 0.3 else self.engines[0]
        kind = rng.random()
        if not values or kind < 0.08:
            self.add(const(np.full((rng.choice([1, 4]),), 1.0, np.float32), name=name), LOCAL)
            return
        x = values[-1 - min(len(values) - 1, int(rng.expovariate(0.25)))]
        if kind < 0.12:
            self.put("Variable", [], [ref_type(x.type)], LOCAL, name)
        elif kind < 0.24 and self.refs:
            ref = rng.choice(self.refs)
            if rng.random() < 0.5:
                self.put("Assign", [ref, x], [ref.type], engine, name)
            else:
                self.put("Read", [ref], [ref.type.tensor], COPIES, name)
        elif kind < 0.36:
            self.put(rng.choice(["Identity", "Squeeze"]), [x], [x.type], LOCAL, name)
        elif kind < 0.44:
            several = [rng.choice(values) for _ in range(rng.randrange(1, 4))]
            engine = rng.choice([LOCAL, engine])
            self.put("IdentityN", [several], [v.type for v in several], engine, name)
        elif kind < 0.5:
            self.put("Reshape", [x, rng.choice(values)], [x.type], LOCAL, name)
        elif kind < 0.56:
            self.put("NoOp", [], [], LOCAL, name)
        elif kind < 0.68:
            types = [rng.choice(SIZES) for _ in range(rng.randrange(4))]
            self.put("SplitD", [x], types, engine, name, split_dim=0, num_split=len(types))
        elif kind < 0.72:
            self.put("Print", [[x]], [], engine, name)
        else:
            self.put("Add", [x, rng.choice(values)], [rng.choice(SIZES)], engine, name)


@dataclass
class Buffer:
    """Bytes of one memory class, the task that makes what is there, and all tasks that touch it."""

    space: str
    start: int
    size: int
    maker: Operation | None
    users: set[Operation] = field(default_factory=set)
    constant: Attribute | None = None

    def meets(self, other: Buffer) -> bool:
        """Whether they share an address; an empty tensor has one too."""
        return (
            self.space == other.space
            and self.start < other.start + max(other.size, 1)
            and other.start < self.start + max(self.size, 1)
        )


def data(values: Iterator[SSAValue] | tuple[SSAValue, ...]) -> list[SSAValue]:
    return [v for v in values if not isinstance(v.type, CtrlType)]


def buffer(place: Attribute, type_: Attribute, maker: Operation | None = None) -> Buffer:
    space, _, rest = place.data.partition("[")
    size = storage_bytes(type_.tensor if isinstance(type_, RefType) else type_)
    return Buffer(space, int(rest[:-1]), size, maker, {maker} if maker else set())


def buffers_of(graph: GraphOp) -> dict[SSAValue | Operation, Buffer]:
    """What lies where: by value (those that own bytes), or by task for its scratch memory."""
    owner: dict[SSAValue, SSAValue] = {arg: arg for arg in graph.args}
    found: dict[SSAValue | Operation, Buffer] = {}
    if graph.args:
        for arg, place in zip(graph.args, graph.attributes["ge.input_offsets"], strict=True):
            found[arg] = buffer(place, arg.type)
    for op in graph.body.ops:
        task = get_str(op, "ge.engine") != LOCAL
        inputs, results = data(op.operands), data(op.results)
        own: list[SSAValue] = []
        for i, result in enumerate(results):
            if op.name == "ge.Assign" or not (task or op.name in ("ge.Const", "ge.Variable")):
                owner[result] = owner[inputs[i]]
            else:
                owner[result] = result
                own.append(result)
        places = op.attributes.get("ge.offset", ())
        assert len(list(places)) == len(own) or (not task and not places)
        for result, place in zip(own, places, strict=False):
            found[result] = buffer(place, result.type, op if task else None)
            found[result].constant = op.properties.get("value")
        if task:
            for value in inputs:
                found[owner[value]].users.add(op)
        scratch = get_int(op, "ge.workspace_bytes")
        assert (scratch is not None) == ("ge.workspace" in op.attributes)
        if scratch is not None:
            found[op] = buffer(op.attributes["ge.workspace"], tensor_type((0,), f32), op)
            found[op].size = scratch
    outputs = {owner[v] for v in data(graph.body.last_op.operands)}
    for what, at in found.items():  # results of the graph go to the caller, nothing else does
        if at.maker is not None:
            assert at.space == ("output" if what in outputs else "arena")
    assert outputs <= set(found)
    return found


def done_before(graph: GraphOp) -> dict[Operation, set[Operation]]:
    """For each task those that are done when it starts: by the stream, and by events."""
    before: dict[Operation, set[Operation]] = {}
    recorders: dict[int, Operation] = {}
    last: dict[int | None, Operation] = {}
    for op in graph.body.ops:
        if get_str(op, "ge.engine") != LOCAL:
            stream = get_int(op, "ge.stream")
            direct = [recorders[n] for n in event_numbers(op, "ge.wait")]
            if stream in last:
                direct.append(last[stream])
            before[op] = {t for d in direct for t in (*before[d], d)}
            last[stream] = op
            recorders.update((n, op) for n in event_numbers(op, "ge.record"))
    return before


def check(graph: GraphOp) -> int:
    """Raises where what a task reads is not made yet, or not there any more.

    Returns how many buffers share bytes.
    """
    before = done_before(graph)
    found = list(buffers_of(graph).values())
    shared = 0
    for i, one in enumerate(found):
        assert one.start % 512 == 0
        assert one.start + one.size <= (get_int(graph, f"ge.{one.space}_bytes") or 0)
        assert all(one.maker in before[task] for task in one.users - {one.maker} if one.maker)
        for two in found[:i]:
            if one.meets(two):
                shared += 1
                if one.space == "weight":
                    assert one.constant == two.constant
                    continue
                assert one.space == "arena"
                assert one.users <= before[two.maker] or two.users <= before[one.maker]
    return shared


def planned(seed: int, reduction: str, reuse: bool) -> list[GraphOp]:
    rng = random.Random(seed)
    module = new_module([Maker(rng, f"g{i}").graph for i in range(rng.choice([1, 1, 2]))])
    ctx = PassContext()
    for step in (StreamAssignment(), EventInsertion(reduction), MemoryPlan(reuse)):
        step.run(module, ctx)
    assert not ctx.sink.diagnostics
    return module_graphs(module)


@pytest.mark.parametrize("reduction", ["full", "ge"])
def test_only_the_dead_share_bytes(reduction: str) -> None:
    assert sum(check(g) for seed in range(150) for g in planned(seed, reduction, True)) > 500


def test_without_reuse_only_equal_constants_share_bytes() -> None:
    for seed in range(40):
        for graph in planned(seed, "full", False):
            arena = [b for b in buffers_of(graph).values() if b.space == "arena"]
            assert not any(one.meets(two) for i, one in enumerate(arena) for two in arena[:i])


def test_the_check_sees_a_buffer_that_goes_too_early(monkeypatch) -> None:
    """With readers on other streams forgotten, some plan is wrong."""
    import passes.build.memory_plan as planner

    allocate = planner.allocate

    def forgetful(tasks, lives):
        lives.elsewhere.clear()
        return allocate(tasks, lives)

    monkeypatch.setattr(planner, "allocate", forgetful)
    with pytest.raises(AssertionError):
        sum(check(graph) for seed in range(150) for graph in planned(seed, "full", True))
