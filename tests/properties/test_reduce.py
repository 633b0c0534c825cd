"""Reduction: small, valid, the same failure, deterministic, and it gives up in time."""

from __future__ import annotations

import random
import shlex
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar

import numpy as np
import pytest

from ge_dialect.api import Model, parse
from ge_dialect.diagnostics import GeError
from ge_dialect.ir.build import build
from ge_dialect.ir.verifier import verify
from passes.base import Contract, Pass, PassResult
from passes.pipeline import as_pipeline
from passes.registry import register_pass, unregister_pass
from passes.rewriting import Pattern, PatternRewriter, apply_patterns
from passes.testing.reduce import Budget, CommandOracle, Trial, edits, reduce
from passes.testing.reduce.passlist import flattened
from passes.testing.reduce.table import read_model
from tests.growth import IN_PROPORTION, growth

DONE = "ge.done"


class Swapped(Pattern):
    """x - relu(y) becomes relu(y) - x."""

    root = ("Sub",)

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        from xdsl.dialects.builtin import UnitAttr
        from xdsl.ir import OpResult

        a, b = op.ge_args()
        if DONE in op.attributes or not isinstance(b, OpResult) or b.op.name != "ge.Relu":
            return
        new = build("Sub", [b, a])
        new.attributes[DONE] = UnitAttr()
        rw.replace(op, new)


class FanOut(Pattern):
    """relu(x) + y, with a relu used twice, takes the other use for its own."""

    root = ("Add",)

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        from xdsl.ir import OpResult

        a, b = op.ge_args()
        if not isinstance(a, OpResult) or a.op.name != "ge.Relu" or a.has_one_use():
            return
        rw.replace(op, build("Add", [a.op.ge_args()[0], b]))


class Raises(Pattern):
    """Raises at a Mul of something with itself."""

    root = ("Mul",)

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        a, b = op.ge_args()
        if a is b:
            raise KeyError("no such operand")


class WrongType(Pattern):
    """Records a wrong type for a Neg of a Neg."""

    root = ("Neg",)

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        from xdsl.ir import OpResult

        from ge_dialect.ir.types import elem_of, shape_of, tensor_type

        (a,) = op.ge_args()
        if isinstance(a, OpResult) and a.op.name == "ge.Neg" and shape_of(a.type) != (9,):
            rw.set_result_type(op.results[0], tensor_type((9,), elem_of(a.type)))


class Reports(Pattern):
    """Reports a made-up error for a Tanh."""

    root = ("Tanh",)

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        rw.report("GX-699", "no tanh here")


@dataclass(frozen=True)
class Faulty(Pass):
    """A pass with a fault that an option chooses."""

    name: ClassVar[str] = "test-faulty"
    contract: ClassVar[Contract] = Contract()
    fault: str = "none"
    spare: int = 0

    def run(self, module: Any, ctx: Any) -> PassResult:
        patterns = {
            "swap": Swapped,
            "fan-out": FanOut,
            "raise": Raises,
            "type": WrongType,
            "report": Reports,
        }
        if self.fault == "none":
            return PassResult(False)
        if self.fault == "hang":
            while any(op.name == "ge.Tanh" for op in module.walk()):
                pass
            return PassResult(False)
        return PassResult.from_counters(apply_patterns(module, [patterns[self.fault]()], ctx))


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    register_pass(Faulty)
    yield
    unregister_pass("test-faulty")


def big(ops: int, seed: int = 0) -> Model:
    """A graph of elementwise nodes in which each fault occurs in the middle."""
    rng = random.Random(seed)
    values, lines = ["x", "y"], []
    middle = {
        ops // 2: "%m0 = ge.Relu(%x)",
        ops // 2 + 4: "%m1 = ge.Sub(%y, %m0)",
        ops // 2 + 5: "%m2 = ge.Add(%m0, %m1)",
        ops // 2 + 8: "%m3 = ge.Mul(%m1, %m1)",
        ops // 2 + 9: "%m4 = ge.Neg(%m3)",
        ops // 2 + 11: "%m5 = ge.Neg(%m4)",
        ops // 2 + 12: "%m6 = ge.Tanh(%m5)",
    }
    for i in range(ops):
        text = middle.get(i)
        if text is None:
            kind = rng.choice(["Add", "Abs", "Minimum", "Exp", "Abs", "Maximum"])
            a, b = (rng.choice(values[-9:]) for _ in range(2))
            two = kind in ("Add", "Minimum", "Maximum")
            text = f"%v{i} = ge.{kind}(%{a}{f', %{b}' if two else ''})"
        lines.append(f"  {text} : tensor<3x5xf32>")
        values.append(text[1:].split(" ")[0])
    outputs = ", ".join(f"%{v}" for v in [*values[-2:], "m2", "m6"])
    head = "ge.graph @g(%x: tensor<3x5xf32>, %y: tensor<3x5xf32>) {\n"
    if ops < 26:
        outputs = f"%{values[-1]}"
    return parse(head + "\n".join(lines) + f"\n  ge.NetOutput({outputs})\n}}")


PIPELINE = "common-subexpression-elimination,fix(prune,test-faulty{fault=%s spare=3}){max=2},prune"


@pytest.mark.parametrize(
    ("fault", "fails", "ops"),
    [
        ("swap", "value", 2),
        ("fan-out", "value", 2),
        ("raise", "crash", 1),
        ("type", "verify", 2),
        ("report", "diagnostic=GX-699", 1),
    ],
)
def test_each_kind_of_failure_becomes_small(fault: str, fails: str, ops: int) -> None:
    model = big(120)
    before = model.text()
    small = reduce(model, PIPELINE % fault, fails)
    assert small.complete
    assert small.ops <= ops, str(small)
    assert str(small.pipeline) == f"test-faulty{{fault={fault}}}"
    assert model.text() == before, "the model given is not changed"
    assert not verify(small.model.module)
    assert "ge.NetOutput" in str(small)
    assert small.command.startswith("ge-opt reduced.mlir '--pipeline=test-faulty{")


def test_hanging_pass_becomes_small() -> None:
    from passes.testing.reduce import TimeoutOracle

    small = reduce(big(40), "prune,test-faulty{fault=hang}", TimeoutOracle(0.3))
    assert small.ops == 1
    assert "Tanh" in small.text()
    assert "--pass-timeout=0.3" in small.command


def test_same_result_twice() -> None:
    first, second = (str(reduce(big(80), PIPELINE % "swap", "value")) for _ in range(2))
    assert first == second


def test_a_function_decides() -> None:
    def holds_exp(model: Model, pipeline: Any) -> bool:
        return "ge.Exp" in model.text()

    small = reduce(big(60), "", holds_exp)
    assert small.ops == 1
    assert small.text().count("ge.Exp") == 1


def test_a_function_of_inputs_decides() -> None:
    def first_is_large(model: Model, pipeline: Any, inputs: list[Any]) -> bool:
        return bool(inputs) and float(np.max(inputs[0])) > 6

    inputs = {"x": np.full((3, 5), 7, "f"), "y": np.zeros((3, 5), "f")}
    small = reduce(big(20), "", first_is_large, inputs=inputs)
    assert small.ops <= 1
    assert np.max(next(iter(small.inputs.values()))) > 6


def test_a_command_decides(tmp_path: Any) -> None:
    oracle = CommandOracle("grep -q ge.Tanh {}", folder=str(tmp_path))
    small = reduce(big(30), "", oracle)
    assert small.ops == 1
    assert small.command == "grep -q ge.Tanh reduced.mlir"


def test_both_ways_to_import() -> None:
    import passes.testing
    import passes.testing.reduce as package

    for name in ("reduce", "Reduced", "Budget", "compare_values", "f64_bound"):
        assert name in passes.testing.__all__
        assert callable(getattr(passes.testing, name))
    small = package(big(6), "", lambda model, pipeline: "ge." in model.text())  # type: ignore[operator]
    assert small.complete


def test_nothing_fails() -> None:
    with pytest.raises(GeError) as caught:
        reduce(big(20), "prune", "value")
    assert caught.value.diagnostics[0].code == "GX-443"
    with pytest.raises(GeError, match="no way of failing"):
        reduce(big(20), "prune", "badly")


def test_time_runs_out_with_the_best_so_far() -> None:
    small = reduce(big(60), PIPELINE % "swap", "value", budget=Budget(seconds=60, trials=6))
    assert not small.complete
    assert small.trials <= 6
    assert "trials used up" in small.steps[-1]
    assert Trial(lambda: small.model, small.pipeline)  # a whole case


def test_interrupted_with_the_best_so_far() -> None:
    calls = 0

    def progress(phase: str, ops: int, trials: int) -> None:
        nonlocal calls
        calls += 1
        if calls == 8:
            raise KeyboardInterrupt

    small = reduce(big(60), PIPELINE % "swap", "value", on_progress=progress, interruptible=True)
    assert small.steps[-1] == "interrupted"
    assert small.ops < 60
    calls = 0
    with pytest.raises(KeyboardInterrupt):
        reduce(big(60), PIPELINE % "swap", "value", on_progress=progress)


CALLS = """
ge.graph @g(%c: tensor<i1>, %x: tensor<4xf32>, %y: tensor<4xf32>) {
  %a = ge.Abs(%x) : tensor<4xf32>
  %r = ge.If(%c, [%a, %y]) : tensor<4xf32> then_branch(%p, %q) {
    %s = ge.Exp(%p) : tensor<4xf32>
    %t = ge.Mul(%s, %s) : tensor<4xf32>
    ge.NetOutput(%t)
  } else_branch(%p, %q) {
    %u = ge.Add(%p, %q) : tensor<4xf32>
    ge.NetOutput(%u)
  }
  %z = ge.Exp(%r) : tensor<4xf32>
  ge.NetOutput(%z)
}
"""


def test_failures_inside_bodies() -> None:
    small = reduce(parse(CALLS), "test-faulty{fault=raise}", "crash")
    assert small.ops == 1
    assert "ge.If" not in small.text()


def test_bodies_are_trimmed() -> None:
    text = CALLS.replace(
        ": tensor<4xf32> then_branch", ": tensor<4xf32>, tensor<4xf32> then_branch"
    )
    text = text.replace("%r =", "%r, %unused =").replace("NetOutput(%t)", "NetOutput(%t, %q)")
    text = text.replace("NetOutput(%u)", "NetOutput(%u, %p)")

    def has_if_with_mul(model: Model, pipeline: Any) -> bool:
        return any(
            op.name == "ge.Mul" and op.parent_op() is not None and op.parent_op().name == "ge.If"
            for op in model.module.walk()
        )

    small = reduce(parse(text), "", has_if_with_mul)
    (node,) = [op for op in small.model.module.walk() if op.name == "ge.If"]
    assert len(node.results) == 1
    assert len(node.operands) <= 2


def test_endless_candidates_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    # `passes.testing.reduce` is the function once somebody asked for it, not this module
    package = import_module("passes.testing.reduce")
    monkeypatch.setattr(package, "_TRIAL_SECONDS", 0.1)

    def spins_without_exp(model: Model, pipeline: Any) -> bool:
        while "ge.Exp" not in model.text():
            pass
        return True

    small = reduce(big(12), "", spins_without_exp)
    assert small.ops == 1


def test_compiled_models_are_refused() -> None:
    from passes import run_pipeline

    model = big(8)
    run_pipeline(model, "ge-default")
    with pytest.raises(GeError) as caught:
        reduce(model, "prune", "crash")
    assert caught.value.diagnostics[0].code == "GX-443"


def test_table_reads_and_builds_the_same_text() -> None:
    for model in (big(30), parse(CALLS)):
        table = read_model(model)
        assert table.build().text() == model.text()
        assert table.key() == read_model(table.build()).key()


def test_pipelines_are_flattened() -> None:
    flat = flattened(as_pipeline("group(prune,fix(group(prune))),prepare").items)
    text = ",".join(map(str, flat))
    assert text.startswith("prune,fix(prune),")
    assert "prepare" not in text.split(",")


def test_weights_and_layouts_stay() -> None:
    from ge_dialect.weights.store import WeightStore

    store = WeightStore({"w": np.ones((8, 16), "f"), "v": np.ones((4,), "f")})
    text = """
    ge.graph @g(%x: tensor<8x16xf32>) {
      %w = ge.Const() {value = #ge.weight<"w">} : tensor<8x16xf32>
      %a = ge.Add(%x, %w) : tensor<8x16xf32>
      %m = ge.Mul(%a, %a) : tensor<8x16xf32>
      ge.NetOutput(%m)
    }"""
    small = reduce(parse(text, weights=store), "test-faulty{fault=raise}", "crash")
    assert small.ops == 1


def test_saved_files_show_the_failure_again(tmp_path: Any, tool: Any) -> None:
    small = reduce(big(60), PIPELINE % "swap", "value")
    command = shlex.split(small.save(tmp_path / "small.mlir"))
    assert command[0] == "ge-opt"
    done = tool(*command)
    assert done.status == 4, done.err
    assert b"test-faulty" in done.err


def _reduce_random(seed: int) -> None:
    """Reduce a generated graph of any kind to two operator types that it has."""
    from collections import Counter

    from passes.testing.knobs import PROFILES
    from passes.testing.seeded import random_spec

    knobs = list(PROFILES.values())[seed % len(PROFILES)]
    model = random_spec(seed, knobs).build()
    names = [op.name for op in model.module.walk() if op.name.startswith("ge.")]
    names = [n for n in names if n not in ("ge.graph", "ge.NetOutput")]
    if not names:
        return
    rng = random.Random(seed)
    wanted = Counter(rng.sample(names, min(2, len(names))))

    def has_them(model: Model, pipeline: Any) -> bool:
        found = Counter(op.name for op in model.module.walk())
        return all(found[n] >= k for n, k in wanted.items())

    small = reduce(model, "", has_them, budget=30)
    assert small.complete
    assert has_them(small.model, None)
    assert not verify(small.model.module)
    assert small.ops <= sum(wanted.values()) + 4, str(small)
    assert parse(small.text(), weights=small.model.weights).text() == small.text()


@pytest.mark.parametrize("seed", range(24))
def test_random_graphs(seed: int) -> None:
    _reduce_random(seed)


@pytest.mark.full
@pytest.mark.parametrize("first", range(24, 424, 40))
def test_many_random_graphs(first: int) -> None:
    for seed in range(first, first + 40):
        _reduce_random(seed)


def test_seed_is_part_of_the_command(tmp_path: Any, tool: Any) -> None:
    small = reduce(big(40), PIPELINE % "swap", "value", seed=5)
    command = shlex.split(small.save(tmp_path / "small.mlir"))
    assert "--validate-seed=5" in command or any("npz" in w for w in command)
    assert tool(*command).status == 4


def test_large_graph_in_time() -> None:
    start = time.process_time()
    small = reduce(big(600), PIPELINE % "swap", "value")
    assert small.ops <= 2
    assert time.process_time() - start < 30


def test_cutting_many_outputs_takes_time_in_proportion():
    def fan(n):
        nodes = "".join(
            f"  %a{i} = ge.Relu(%x) : tensor<2xf32>\n  %b{i} = ge.Relu(%a{i}) : tensor<2xf32>\n"
            for i in range(n)
        )
        ends = ", ".join(f"%a{i}, %b{i}" for i in range(0, n, 2))
        text = f"ge.graph @g(%x: tensor<2xf32>) {{\n{nodes}  ge.NetOutput({ends})\n}}\n"
        graph = read_model(parse(text)).graphs[0]
        return graph, {node.key for node in graph.nodes[::2]}

    fans = {n: fan(n) for n in (300, 3000)}
    made = edits.cut(*fans[300], outputs="dead")
    assert len(made.outputs) == 300

    assert growth(lambda n: edits.cut(*fans[n], outputs="dead"), 300) < IN_PROPORTION
