"""Random graphs with values for property tests of passes.

`random_model(seed)` gives a model whose every value is exact in its dtype (small integers and
dyadic fractions), so that exact passes must keep every byte. Graphs hold what passes look for:
duplicates, dead nodes, identities, pairs of conversions, constants inline and in the store, shape
arithmetic, conditionals, calls, convolutions with normalisations and near misses of them, prints
chained by control edges that also run through pure nodes.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from ge_dialect.api import Model
from ge_dialect.dtypes import to_xdsl
from ge_dialect.ir import new_graph, tensor_type
from ge_dialect.ir.build import body, build, const, module
from ge_dialect.ir.control import control_of
from ge_dialect.weights.store import WeightStore

F32, F16, I32, BOOL = (to_xdsl(n) for n in ("float32", "float16", "int32", "bool"))
SHAPES = ((2, 4), (4,), (1, 4, 2, 2), (2, 1, 4))


@dataclass
class Maker:
    """Grows one graph."""

    rng: random.Random
    store: WeightStore
    block: Any
    values: list[Any] = field(default_factory=list)
    nodes: list[Any] = field(default_factory=list)
    constants: list[Any] = field(default_factory=list)
    last_print: Any = None
    count: int = 0

    def add(self, op_type: str, inputs: Any, attrs: Any = None, **kw: Any) -> Any:
        """A node under a fresh name; now and then it waits for another one."""
        self.count += 1
        control = kw.pop("control", [])
        if self.nodes and self.rng.random() < 0.12:
            control = [*control, control_of(self.rng.choice(self.nodes))]
        if self.constants and self.rng.random() < 0.03:
            control = [*control, control_of(self.rng.choice(self.constants))]
        op = build(op_type, inputs, attrs, name=f"n{self.count}", control=control, **kw)
        self.block.add_op(op)
        self.nodes.append(op)
        return op

    def push(self, op: Any) -> Any:
        self.values += op.ge_data_results
        return op

    def waits(self) -> list[Any]:
        """What the next print waits for: prints are in order."""
        return [] if self.last_print is None else [self.last_print]

    def pick(self, want: Callable[[Any], bool] = lambda v: True) -> Any:
        fitting = [v for v in self.values if want(v)]
        return (
            self.rng.choice(fitting[-6:] if self.rng.random() < 0.7 else fitting)
            if fitting
            else None
        )

    def array(self, shape: tuple[int, ...], elem: Any) -> np.ndarray:
        numbers = [self.rng.randint(-3, 3) for _ in range(int(np.prod(shape, dtype=int)))]
        dtype = {F32: np.float32, F16: np.float16, I32: np.int32}[elem]
        return np.array(numbers, dtype).reshape(shape)

    def constant(self, shape: tuple[int, ...], elem: Any) -> Any:
        """A Const: inline, or a weight of the store."""
        self.count += 1
        name = f"c{self.count}"
        array = self.array(shape, elem)
        if array.size <= 64 and self.rng.random() < 0.6:
            op = const(array, name=name, elem=elem)
        else:
            from ge_dialect.weights.resolve import weight

            self.store.put(name, array)
            held = {"value": weight(name)}
            op = build("Const", [], held, result_types=[tensor_type(shape, elem)], name=name)
        self.block.add_op(op)
        self.constants.append(op)
        return op.results[0]


def dims(v: Any) -> tuple[int, ...]:
    return tuple(v.type.get_shape())


def elem(v: Any) -> Any:
    return v.type.element_type


def is_number(v: Any) -> bool:
    return elem(v) in (F32, I32)


def unary(m: Maker) -> None:
    x = m.pick(is_number)
    m.push(m.add(m.rng.choice(["Relu", "Neg", "Abs"]), [x]))


def binary(m: Maker) -> None:
    x = m.pick(is_number)
    y = m.pick(lambda v: v.type == x.type)
    if m.rng.random() < 0.3:
        y = m.constant(dims(x), elem(x))
    kind = m.rng.choice(["Add", "Sub", "Maximum", "Minimum"])
    m.push(m.add(kind, [x, y]))


def duplicate(m: Maker) -> None:
    ops = [o for o in m.nodes if o.name in ("ge.Relu", "ge.Neg", "ge.Add", "ge.Sub")]
    if ops:
        old = m.rng.choice(ops)
        m.push(m.add(old.ge_type, list(old.ge_data_operands)))


def identity(m: Maker) -> None:
    m.push(m.add("Identity", [m.pick()]))


def casts(m: Maker) -> None:
    x = m.pick(is_number)
    number = {"float16": 1, "int32": 3, "float32": 0, "float64": 11}
    for name in m.rng.choice(
        [["float32", "int32"], ["float64", "float32"], ["int32", "int32"], ["float64", "int32"]]
    ):
        x = m.push(m.add("Cast", [x], {"dst_type": number[name]})).results[0]


def transposes(m: Maker) -> None:
    x = m.pick()
    rank = len(dims(x))
    perm = list(range(rank))
    m.rng.shuffle(perm)
    inverse = [perm.index(i) for i in range(rank)]
    y = m.push(m.add("TransposeD", [x], {"perm": perm})).results[0]
    m.push(m.add("TransposeD", [y], {"perm": m.rng.choice([inverse, inverse, perm])}))


def reshapes(m: Maker) -> None:
    x = m.pick()
    size = int(np.prod(dims(x), dtype=int))
    for target in m.rng.choice([[dims(x)], [(size,), dims(x)], [(size, 1)]]):
        shape = m.constant_ints(list(target))
        y = m.add("Reshape", [x, shape], result_types=[tensor_type(target, elem(x))])
        x = m.push(y).results[0]


def squeezes(m: Maker) -> None:
    x = m.pick()
    y = m.push(m.add("Unsqueeze", [x], {"axes": [0]})).results[0]
    if m.rng.random() < 0.7:
        m.push(m.add("Squeeze", [y], {"axis": [0]}))


def on_constants(m: Maker) -> None:
    shape, kind = m.rng.choice(SHAPES), m.rng.choice([F32, I32])
    a, b = m.constant(shape, kind), m.constant(shape, kind)
    op = m.push(m.add(m.rng.choice(["Add", "Sub", "Mul", "Maximum"]), [a, b]))
    m.push(m.add("Neg", [op.results[0]]))


def shape_arithmetic(m: Maker) -> None:
    x = m.pick()
    s = m.add("Shape", [x], {})
    two = m.constant_ints([2], I32)
    t = m.add("Mul", [s.results[0], two])
    one = m.constant((1,), F32)
    known = m.rng.random() < 0.5
    target = tuple(2 * d for d in dims(x)) if known else (-1,) * len(dims(x))
    if known:
        wide = m.add("BroadcastTo", [one, t.results[0]], result_types=[tensor_type(target, F32)])
        m.push(wide)
    else:
        wide = m.add("BroadcastTo", [one, s.results[0]], result_types=[tensor_type(target, F32)])
        m.push(m.add("Cast", [x], {"dst_type": 0}))
        m.add("Print", [[wide.results[0]]], control=m.waits())
        m.last_print = control_of(m.nodes[-1])
    m.push(t)


def conditional(m: Maker) -> None:
    x = m.pick(lambda v: elem(v) == F32)
    if x is None:
        return
    if m.rng.random() < 0.6:
        c = m.constant_ints([m.rng.choice([0, 1, 2])], I32)
    else:
        z = m.pick(lambda v: elem(v) == I32)
        if z is None:
            return
        axes = list(range(len(dims(z))))
        c = m.add("ReduceMaxD", [z], {"axes": axes, "keep_dims": False}).results[0]
    regions = []
    for kind in ("Relu", "Neg"):
        region = body([x.type])
        block = region.block
        op = build(kind, [block.args[0]], name="a")
        twin = build(kind, [block.args[0]], name="b")
        end = build("Add", [op.results[0], twin.results[0]], name="s")
        block.add_ops([op, twin, end, build("Exp", [op.results[0]], name="dead")])
        block.add_op(build("NetOutput", [[end.results[0]]]))
        regions.append(region)
    m.push(m.add("If", [c, [x]], result_types=[x.type], regions=regions))


def called(m: Maker) -> None:
    x = m.pick()
    region = body([x.type])
    block = region.block
    inner = build("Identity", [block.args[0]], name="i")
    block.add_ops([inner, build("NetOutput", [[inner.results[0]]])])
    m.push(m.add("PartitionedCall", [[x]], result_types=[x.type], regions=[region]))


def printed(m: Maker) -> None:
    waits = []
    if m.last_print is not None:
        waits = [m.last_print]
        if m.rng.random() < 0.4:  # order that runs through a pure node
            via = m.add("Identity", [m.pick()], control=waits)
            m.push(via)
            waits = [control_of(via)]
    op = m.add("Print", [[m.pick(is_number)]], control=waits)
    m.last_print = control_of(op)


def convolution(m: Maker) -> None:
    x = m.pick(lambda v: dims(v) == (1, 4, 2, 2) and elem(v) == F32)
    if x is None:
        return
    groups = m.rng.choice([1, 2])
    w = m.constant((4, 4 // groups, 1, 1), F32)
    bias = m.constant((4,), F32) if m.rng.random() < 0.5 else None
    c = m.add(
        "Conv2D",
        {"x": x, "filter": w, "bias": bias},
        {"strides": [1] * 4, "pads": [0] * 4, "groups": groups, "data_format": "NCHW"},
    )
    y = c.results[0]
    if m.rng.random() < 0.5:
        for kind in m.rng.choice([["Mul"], ["Add"], ["Mul", "Add"], ["Sub"]]):
            k = m.constant(m.rng.choice([(4, 1, 1), (1, 4, 1, 1), (1,), (2, 2)]), F32)
            y = m.add(kind, m.rng.sample([y, k], 2)).results[0]
    scale, offset, mean = (m.constant((4,), F32) for _ in range(3))
    variance = const(np.array([0.25, 1.0, 4.0, 0.5], np.float32), name=f"v{m.count}")
    m.block.add_op(variance)
    if m.rng.random() < 0.2:
        m.push(c)  # another user may come: the fold must see it
    n = m.add("BNInfer", [y, scale, offset, mean, variance.results[0]], {"epsilon": 0.0})
    # keep numbers exact for what follows
    k = m.add("Rint", [n.results[0]])
    m.push(k)


STEPS = (
    [unary] * 4 + [binary] * 5 + [duplicate] * 3 + [identity] * 2 + [casts] * 2
    + [transposes] * 2 + [reshapes] * 2 + [squeezes, on_constants, on_constants]
    + [shape_arithmetic, conditional, called, printed, printed]
)  # fmt: skip


def _constant_ints(self: Maker, values: list[int], kind: Any = None) -> Any:
    self.count += 1
    dtype = np.int64 if kind is None else np.int32
    op = const(np.array(values, dtype), name=f"c{self.count}")
    self.block.add_op(op)
    return op.results[0]


Maker.constant_ints = _constant_ints  # type: ignore[attr-defined]


def make_model(seed: int, *, convolutions: bool = False) -> Model:
    """The model of a seed; equal for equal seeds."""
    rng = random.Random(seed)
    types = [tensor_type(s, k) for s, k in zip(SHAPES, (F32, I32, F32, F32), strict=True)]
    graph = new_graph("g", types, [f"x{i}" for i in range(len(types))])
    m = Maker(rng, WeightStore(), graph.body)
    m.values = list(graph.body.args)
    for _ in range(rng.randint(3, 22)):
        step = convolution if convolutions and rng.random() < 0.4 else rng.choice(STEPS)
        step(m)
    ends = [rng.choice(m.values[len(types) :] or m.values) for _ in range(rng.randint(1, 3))]
    graph.body.add_op(build("NetOutput", [ends], name="end"))
    return Model(module([graph]), m.store)


def make_inputs(seed: int) -> list[np.ndarray]:
    """Small integers for the inputs of `make_model`."""
    rng = np.random.default_rng(seed)
    kinds = (np.float32, np.int32, np.float32, np.float32)
    return [rng.integers(-4, 5, s).astype(k) for s, k in zip(SHAPES, kinds, strict=True)]


@pytest.fixture(scope="session")
def random_model() -> Callable[..., Model]:
    """`random_model(seed)` makes a model."""
    return make_model


@pytest.fixture(scope="session")
def random_inputs() -> Callable[[int], list[np.ndarray]]:
    """`random_inputs(seed)` makes inputs for it."""
    return make_inputs


#: Passes for which the quick profile has no work.
QUIET_WHEN_QUICK = ("infer-shape",)
#: Passes for what is no graph; the graphs are there to be left alone.
QUIET_ON_GRAPHS = ("func-to-graph",)
#: Share of graphs that may be too large, or have no values to compare.
SILENT = 0.1


def simulated(model, inputs, schedule: str | None = None):
    """Outputs, prints and final variables of a compiled model on the simulated device; GeError for
    a race."""
    from ge_dialect.diagnostics import GeError
    from passes.testing.observe import Observed
    from runtime.loaded import load_model
    from runtime.sanitizer import find_races
    from runtime.scheduler import parse_schedule

    loaded = load_model(model.module, model.weights)
    races = find_races(loaded.model)
    if races:
        raise GeError([race.diagnostic() for race in races])
    run = loaded.run(list(inputs), schedule=parse_schedule(schedule))
    return Observed(run.outputs, run.output_names, run.printed, loaded.variables())


@pytest.fixture
def on_device() -> Callable[..., Any]:
    """Runs a compiled model: `simulated`."""
    return simulated


@pytest.fixture
def hold() -> Callable[[str, str], None]:
    """Hold a pass or pipeline to all properties, on graphs that are not silently left out."""
    from passes.registry import PASSES, pass_class
    from passes.testing.check import check_pass

    def check(name: str, profile: str) -> None:
        report = check_pass(name, profile=profile, executor=simulated)
        report.raise_if_failed()
        assert report.graphs > 10, report
        assert report.rejected <= SILENT * report.graphs, report
        assert report.unvalued <= max(SILENT * report.changed, 1), report
        reads = name in PASSES and pass_class(name).contract.reads_only
        if reads or name in QUIET_ON_GRAPHS:
            assert not report.changed, report
        elif not (profile == "quick" and name in QUIET_WHEN_QUICK):
            assert report.changed, f"no graph made {name} do anything"

    return check
