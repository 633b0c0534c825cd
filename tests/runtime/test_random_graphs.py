"""Random graphs: golden, eager and compiled runs agree, in any legal order of the streams."""

from __future__ import annotations

import numpy as np
import pytest

from ge_dialect.api import Model, evaluate, parse
from ge_dialect.ir.copying import copy_module
from ge_dialect.weights.store import WeightStore
from passes import run_pipeline
from runtime.api import compile_default, simulate
from runtime.loaded import load_model
from runtime.sanitizer import find_races
from runtime.scheduler import AdversarialSchedule

STAGES = ("prepare", "fuse", "format-prepare", "format", "stage1", "partition", "stage2")
ELEMENTS = {"f32": "float32", "f16": "float16", "f64": "float64"}


class Maker:
    """Grows a graph of rank-4 tensors node by node, as text."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.lines = []
        self.weights = {}
        self.values = []  # (name, shape, element)
        self.count = 0

    def draw(self, low, high):
        return int(self.rng.integers(low, high + 1))

    def pick(self, elements=("f32", "f16", "f64"), where=lambda shape: True):
        fitting = [v for v in self.values if v[2] in elements and where(v[1])]
        return fitting[self.draw(0, len(fitting) - 1)] if fitting else None

    def add(self, text, shape, element):
        name = f"v{self.count}"
        self.count += 1
        kind = f"tensor<{'x'.join(map(str, (*shape, element)))}>"
        self.lines.append(f"  %{name} = {text} : {kind}")
        self.values.append((name, shape, element))

    def constant(self, shape, element, low=-0.5, high=0.5):
        name = f"w{len(self.weights)}"
        array = self.rng.uniform(low, high, shape).astype(ELEMENTS[element])
        self.weights[name] = array
        kind = f"tensor<{'x'.join(map(str, (*shape, element)))}>"
        self.lines.append(f'  %{name} = ge.Const() {{value = #ge.weight<"{name}">}} : {kind}')
        return name

    # --- nodes ---

    def conv(self):
        x = self.pick(("f32", "f16"), lambda s: s[2] >= 3 and s[3] >= 3)
        if x is None:
            return
        name, (n, c, h, w), element = x
        groups = self.rng.choice([1, 1, c, 2 if c % 2 == 0 else 1])
        cout = int(groups) * self.draw(1, max(1, 20 // int(groups)))
        k = self.draw(1, 3)
        s, p = self.draw(1, 2), self.draw(0, k // 2)
        weight = self.constant((cout, c // int(groups), k, k), element)
        bias = f", bias = %{self.constant((cout,), element)}" if self.draw(0, 1) else ""
        oh, ow = (h + 2 * p - k) // s + 1, (w + 2 * p - k) // s + 1
        attrs = (
            f"strides = [1, 1, {s}, {s}], pads = [{p}, {p}, {p}, {p}], groups = {groups}, "
            'data_format = "NCHW"'
        )
        text = f"ge.Conv2D(%{name}, %{weight}{bias}) {{{attrs}}}"
        self.add(text, (n, cout, oh, ow), element)

    def unary(self):
        name, shape, element = self.pick()
        kind = self.rng.choice(["Relu", "Sigmoid", "Tanh", "Abs", "Neg", "Softsign", "Exp"])
        if kind == "Exp":
            self.add(f"ge.Tanh(%{name})", shape, element)
            name = self.values[-1][0]
        self.add(f"ge.{kind}(%{name})", shape, element)

    def binary(self):
        name, shape, element = self.pick()
        other = self.pick((element,), lambda s: s == shape)
        kind = self.rng.choice(["Add", "Sub", "Mul", "Maximum", "Minimum"])
        self.add(f"ge.{kind}(%{name}, %{other[0]})", shape, element)

    def broadcast(self):
        name, shape, element = self.pick()
        small = tuple(d if self.draw(0, 1) else 1 for d in shape)
        weight = self.constant(small, element)
        self.add(f"ge.{self.rng.choice(['Add', 'Mul'])}(%{name}, %{weight})", shape, element)

    def pool(self):
        x = self.pick(("f32", "f16"), lambda s: s[2] >= 3 and s[3] >= 3)
        if x is None:
            return
        name, (n, c, h, w), element = x
        k, s = self.draw(2, 3), self.draw(1, 2)
        p = self.draw(0, k // 2)
        kind = self.rng.choice(["MaxPoolV3", "AvgPoolV2"])
        oh, ow = (h + 2 * p - k) // s + 1, (w + 2 * p - k) // s + 1
        attrs = f"ksize = [1, 1, {k}, {k}], strides = [1, 1, {s}, {s}], pads = [{p}, {p}, {p}, {p}]"
        self.add(f"ge.{kind}(%{name}) {{{attrs}}}", (n, c, oh, ow), element)

    def norm(self):
        x = self.pick(("f32",))
        if x is None:
            return
        name, shape, element = x
        vectors = [self.constant((shape[1],), "f32", 0.5, 1.5) for _ in range(4)]
        inputs = ", ".join(f"%{v}" for v in vectors)
        self.add(f"ge.BNInfer(%{name}, {inputs}) {{epsilon = 0.001}}", shape, element)

    def concat(self):
        name, shape, element = self.pick()
        axis = self.draw(0, 3)
        same = [
            v
            for v in self.values
            if v[2] == element
            and all(a == b or i == axis for i, (a, b) in enumerate(zip(v[1], shape, strict=True)))
        ]
        parts = [(name, shape), *((v[0], v[1]) for v in same[: self.draw(0, 2)])]
        out = list(shape)
        out[axis] = sum(s[axis] for _, s in parts)
        if out[axis] > 64:
            return
        inputs = ", ".join(f"%{n}" for n, _ in parts)
        text = f"ge.ConcatD({inputs}) {{concat_dim = {axis}, N = {len(parts)}}}"
        self.add(text, tuple(out), element)

    def reduce(self):
        name, shape, element = self.pick()
        axes = sorted({self.draw(0, 3) for _ in range(2)})
        out = tuple(1 if i in axes else d for i, d in enumerate(shape))
        kind = self.rng.choice(["ReduceMeanD", "ReduceMaxD"])
        self.add(f"ge.{kind}(%{name}) {{axes = {axes}, keep_dims = true}}", out, element)

    def transpose(self):
        name, shape, element = self.pick()
        perm = [int(v) for v in self.rng.permutation(4)]
        out = tuple(shape[p] for p in perm)
        self.add(f"ge.TransposeD(%{name}) {{perm = {perm}}}", out, element)

    def reshape(self):
        name, (n, c, h, w), element = self.pick()
        out = (n, c * h, w, 1) if self.draw(0, 1) else (n, w, h, c)
        if max(out) > 64:
            return
        dims = ", ".join(map(str, out))
        value = f"dense<[{dims}]> : tensor<4xi64>"
        self.lines.append(f"  %s{self.count} = ge.Const() {{value = {value}}} : tensor<4xi64>")
        self.add(f"ge.Reshape(%{name}, %s{self.count})", out, element)

    def cast(self):
        name, shape, element = self.pick()
        number = {"f32": 0, "f16": 1, "f64": 11}
        target = self.rng.choice([e for e in number if e != element])
        self.add(f"ge.Cast(%{name}) {{dst_type = {number[target]}}}", shape, str(target))

    def softmax(self):
        x = self.pick(("f32", "f16"))
        if x is not None:
            name, shape, element = x
            self.add(f"ge.SoftmaxV2(%{name}) {{axes = [{self.draw(-1, 3)}]}}", shape, element)

    def model(self, size):
        shape = (self.draw(1, 2), self.draw(1, 20), self.draw(4, 8), self.draw(4, 8))
        self.values.append(("x", shape, "f32"))
        nodes = [
            self.conv, self.conv, self.unary, self.unary, self.binary, self.broadcast, self.pool,
            self.norm, self.concat, self.reduce, self.transpose, self.reshape, self.cast,
            self.softmax,
        ]  # fmt: skip
        while self.count < size:
            nodes[self.draw(0, len(nodes) - 1)]()
        names = [v[0] for v in self.values if v[0] != "x"]
        outputs = [names[-1], *(str(n) for n in self.rng.choice(names[:-1], 2, replace=False))]
        kind = f"tensor<{'x'.join(map(str, (*shape, 'f32')))}>"
        text = f"ge.graph @random(%x: {kind}) {{\n" + "\n".join(self.lines)
        text += "\n  ge.NetOutput(" + ", ".join(f"%{o}" for o in outputs) + ")\n}\n"
        return text, shape


def _check(seed, size=14):
    maker = Maker(seed)
    text, shape = maker.model(size)
    model = parse(text, weights=WeightStore(maker.weights))
    x = [np.random.default_rng(seed).uniform(-1, 1, shape).astype(np.float32)]
    golden = evaluate(model, x)
    eager = simulate(model, x, mode="eager")
    compiled = compile_default(model)
    loaded = load_model(compiled.module, compiled.weights)
    assert find_races(loaded.model) == []
    runs = {"eager": eager, "graph": loaded.run(x)}
    for order in range(2):
        runs[f"adversarial:{order}"] = loaded.run(x, schedule=AdversarialSchedule(order))
    for how, run in runs.items():
        assert len(run.outputs) == len(golden.outputs)
        for got, want in zip(run.outputs, golden.outputs, strict=True):
            assert got.dtype == want.dtype, how
            assert got.shape == want.shape, how
            a, b = got.astype(np.float64), want.astype(np.float64)
            tolerance = 2e-2 if "f16" in text else 1e-4
            scale = max(np.abs(b).max(), 1e-3)
            assert np.abs(a - b).max() <= tolerance * scale, f"{how}, seed {seed}\n{text}"
    np.testing.assert_array_equal(
        runs["graph"].outputs[0], runs["adversarial:0"].outputs[0], err_msg=text
    )


def _check_stages(seed):
    """The graph runs node by node after every stage, and keeps its values."""
    maker = Maker(seed)
    text, shape = maker.model(14)
    model = parse(text, weights=WeightStore(maker.weights))
    x = [np.random.default_rng(seed).uniform(-1, 1, shape).astype(np.float32)]
    golden = evaluate(model, x).outputs
    for stage in STAGES:
        copy = Model(copy_module(model.module), model.weights)
        run_pipeline(copy, "ge-default", stop_after=stage)
        for got, want in zip(simulate(copy, x, mode="eager").outputs, golden, strict=True):
            a, b = got.astype(np.float64), want.astype(np.float64)
            tolerance = (2e-2 if "f16" in text else 1e-4) * max(np.abs(b).max(), 1e-3)
            assert np.abs(a - b).max() <= tolerance, f"after {stage}, seed {seed}\n{text}"


@pytest.mark.parametrize("seed", range(3))
def test_every_stage(seed):
    _check_stages(seed)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(3, 40))
def test_every_stage_of_more_graphs(seed):
    _check_stages(seed)


@pytest.mark.parametrize("seed", range(40))
def test_random_graph(seed):
    _check(seed)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(1000, 1300))
def test_more_random_graphs(seed):
    _check(seed, 25)
