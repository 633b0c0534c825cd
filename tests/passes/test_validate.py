"""Values before and after passes: what is found, where, on which inputs, and at what cost."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from xdsl.dialects.builtin import UnitAttr

from ge_dialect.api import Model, evaluate, parse
from ge_dialect.diagnostics import ExitCode, GeError
from ge_dialect.ir.build import build, const
from ge_dialect.ir.control import control_inputs, set_control
from passes.base import Contract, Pass, PassResult, precision
from passes.context import PassContext
from passes.instrument import Instrument
from passes.manager import run_pipeline
from passes.registry import register_pass, unregister_pass
from passes.rewriting import Pattern, PatternRewriter, apply_patterns
from passes.testing.compare import compare_values, f64_bound
from passes.validate import Validate

TEXT = """
ge.graph @net(%x: tensor<2x4xf32>, %y: tensor<2x4xf32>) {
  %a = ge.Relu(%x) : tensor<2x4xf32>
  %b = ge.Relu(%x) : tensor<2x4xf32>
  %c = ge.Sub(%y, %b) : tensor<2x4xf32>
  %d = ge.Exp(%c) : tensor<2x4xf32>
  %e = ge.Add(%a, %d) : tensor<2x4xf32>
  ge.NetOutput(%e, %c)
}
"""


def replaced(op_type: str, make: Any) -> type[Pattern]:
    """A pattern that replaces each node of a type once."""

    class Once(Pattern):
        root = (op_type,)
        name = "Once"

        def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
            if "ge.done" in op.attributes:
                return
            made = make(op)
            for new in made:
                new.attributes["ge.done"] = UnitAttr()
            rw.replace(op, made)

    return Once


def _half(op: Any) -> list[Any]:
    """exp(x) as exp(x/2) * exp(x/2)."""
    two = const(np.float32(0.5), name=f"{op.ge_node_name}_half")
    (x,) = op.ge_args()
    part = build("Mul", [x, two.results[0]], name=f"{op.ge_node_name}_part")
    root = build("Exp", [part.results[0]], name=f"{op.ge_node_name}_root")
    return [two, part, root, build("Mul", [root.results[0], root.results[0]])]


def _rounded(op: Any) -> list[Any]:
    """The node in float16."""
    (x,) = op.ge_args()
    low = build("Cast", [x], {"dst_type": 1}, name=f"{op.ge_node_name}_low")
    made = build(op.ge_type, [low.results[0]], name=f"{op.ge_node_name}_f16")
    return [low, made, build("Cast", [made.results[0]], {"dst_type": 0})]


class _Test(Pass):
    name: ClassVar[str] = "test-base"
    pattern: ClassVar[type[Pattern]]

    def run(self, module: Any, ctx: Any) -> PassResult:
        return PassResult.from_counters(apply_patterns(module, [self.pattern()], ctx))


def _pass(name: str, pattern: type[Pattern], values: str = "exact") -> type[Pass]:
    made = dataclass(frozen=True)(
        type(
            name.removeprefix("test-").title().replace("-", ""),
            (_Test,),
            {
                "name": name,
                "pattern": pattern,
                "contract": Contract(values=values, grows=True),
                "__doc__": "A pass for tests.",
                "__module__": __name__,
                "__annotations__": {},
            },
        )
    )
    globals()[made.__name__] = made
    return made


def _swapped(op: Any) -> list[Any]:
    a, b = op.ge_args()
    return [build("Sub", [b, a])]


SWAP = _pass("test-swap", replaced("Sub", _swapped))
HALF = _pass("test-half", replaced("Exp", _half), "reassociates")
LIAR = _pass("test-liar", replaced("Exp", _half), "exact")
LOW = _pass("test-low", replaced("Exp", _rounded), precision("float16"))
TOO_LOW = _pass("test-too-low", replaced("Exp", _rounded), "reassociates")
BREAKS = _pass(
    "test-breaks",
    replaced(
        "Exp",
        lambda op: [
            build(
                "Opaque",
                [list(op.ge_args())],
                {"type": "Strange"},
                result_types=[op.results[0].type],
            )
        ],
    ),
)


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    passes = (SWAP, HALF, LIAR, LOW, TOO_LOW, BREAKS)
    for one in passes:
        register_pass(one)
    yield
    for one in passes:
        unregister_pass(one.name)


def validate(text: str, pipeline: Any, when: Any = "each", **settings: Any) -> Validate:
    """Run a pipeline under validation."""
    model = parse(text)
    ctx = PassContext(weights=model.weights)
    instrument = Validate(when, ctx, **settings)
    run_pipeline(model, pipeline, ctx=ctx, instruments=[instrument], reproducer=False)
    return instrument


def failure(text: str, pipeline: Any, when: Any = "each", **settings: Any) -> GeError:
    """The error of such a run."""
    with pytest.raises(GeError) as caught:
        validate(text, pipeline, when, **settings)
    return caught.value


# ------------------------------------------------------------------------------ finding faults


def test_names_the_pass_the_value_and_its_sources() -> None:
    error = failure(TEXT, "common-subexpression-elimination,test-swap,prune")
    head = error.diagnostics[0]
    assert error.exit_code == ExitCode.MISCOMPARE
    assert (head.code, head.pass_name, head.node) == ("GX-441", "test-swap", "c")
    assert "promises 'exact'" in head.message
    assert head.expected
    assert head.found
    assert "8 of 8 elements differ" in head.found


@pytest.mark.parametrize("when", ["stage", "ends"])
def test_later_comparison_names_what_ran(when: str) -> None:
    error = failure(TEXT, "common-subexpression-elimination,test-swap,prune", when)
    assert error.diagnostics[0].pass_name is None
    notes = "\n".join(d.message for d in error.diagnostics[1:])
    assert "common-subexpression-elimination, test-swap" in notes


def test_the_whole_pipeline_is_right_up_to_the_compiled_model() -> None:
    for when in ("each", "stage", "ends"):
        model = parse(TEXT)
        ctx = PassContext(weights=model.weights)
        instrument = Validate(when, ctx)
        run_pipeline(model, "ge-default", ctx=ctx, instruments=[instrument])
        assert instrument.comparisons > 0
        codes = [d.code for d in ctx.sink.diagnostics if d.severity == "warning"]
        assert "GX-440" in codes


def test_a_compiled_model_is_run_by_the_executor() -> None:
    seen: list[int] = []

    def executor(model: Model, inputs: Any) -> list[Any]:
        seen.append(len(inputs))
        return [np.asarray(v) for v in evaluate(parse(TEXT), list(inputs)).outputs]

    validate(TEXT, "ge-default", "ends", executor=executor)
    assert seen

    def wrong(model: Model, inputs: Any) -> list[Any]:
        return [v + 1 for v in executor(model, inputs)]

    error = failure(TEXT, "ge-default", "ends", executor=wrong)
    assert error.exit_code == ExitCode.MISCOMPARE


@pytest.mark.parametrize("when", ["each", "stage", "ends"])
def test_the_simulated_device_is_such_an_executor(when: str) -> None:
    from runtime import simulate

    instrument = validate(
        TEXT, "ge-default", when, executor=lambda m, inputs: simulate(m, inputs).outputs
    )
    assert instrument.comparisons > 0


def test_result_that_cannot_be_evaluated() -> None:
    error = failure(TEXT, "test-breaks")
    assert error.exit_code == ExitCode.MISCOMPARE
    assert "no golden semantics" in str(error)


# ---------------------------------------------------------------------------------- tolerances


def test_promises_decide_what_is_allowed() -> None:
    validate(TEXT, "test-half")
    assert failure(TEXT, "test-liar").diagnostics[0].pass_name == "test-liar"
    validate(TEXT, "test-low")
    assert failure(TEXT, "test-too-low").diagnostics[0].pass_name == "test-too-low"
    validate(TEXT, "test-low,test-half", "ends")


def test_bound_grows_with_cancellation_and_not_without() -> None:
    text = """
    ge.graph @g(%x: tensor<64xf32>, %y: tensor<64xf32>) {
      %p = ge.Add(%x, %y) : tensor<64xf32>
      %q = ge.Sub(%p, %y) : tensor<64xf32>
      ge.NetOutput(%q, %p)
    }"""
    rng = np.random.default_rng(0)
    x = rng.standard_normal(64).astype("f")
    y = (rng.standard_normal(64) * 1e4).astype("f")
    bounds = f64_bound(parse(text), [x, y]).outputs
    plain = evaluate(parse(text), [x, y]).outputs
    assert compare_values(plain, [x, x + y], "reassociates", bound=bounds) is None
    off = plain[1] * np.float32(1 + 1e-5)
    assert compare_values(plain, [x, off], "reassociates", bound=bounds) is not None
    assert compare_values(plain, [x + np.float32(0.1), x + y], "reassociates", bound=bounds)


def test_overflow_in_another_order_is_no_fault_but_a_lost_nan_is() -> None:
    text = """
    ge.graph @g(%x: tensor<3x4xf32>, %w: tensor<4x2xf32>) {
      %m = ge.MatMulV2(%x, %w) : tensor<3x2xf32>
      ge.NetOutput(%m)
    }"""
    most = np.finfo("f").max
    x = np.array([[most, most, -most, -most], [np.nan, 1, 2, 3], [1, 2, 3, 4]], "f")
    w = np.ones((4, 2), "f")
    bounds = f64_bound(parse(text), [x, w]).outputs
    plain = evaluate(parse(text), [x, w]).outputs[0]
    other = np.array(plain)
    other[0] = [np.nan, -np.inf]
    assert compare_values(plain, other, "reassociates", bound=bounds) is None
    for row in (1, 2):
        wrong = np.array(plain)
        wrong[row, 0] = 0.0 if row == 1 else np.nan
        mismatch = compare_values(plain, wrong, "reassociates", bound=bounds)
        assert mismatch is not None
        assert (mismatch.what, mismatch.index) == ("nan", (row, 0))


def test_relu_does_not_hide_what_cancellation_did() -> None:
    text = """
    ge.graph @g(%x: tensor<256xf32>, %y: tensor<256xf32>) {
      %p = ge.Sub(%x, %y) : tensor<256xf32>
      %r = ge.Relu(%p) : tensor<256xf32>
      ge.NetOutput(%r)
    }"""
    x = np.full(256, 1e8, "f")
    for seed in range(8):
        (bound,) = f64_bound(parse(text), [x, x], seed=seed).outputs
        assert bound is not None
        assert (bound.radius > 1.0).all()


@pytest.mark.parametrize(
    ("expected", "found", "what"),
    [
        ([0.0], [-0.0], "value"),
        ([np.nan], [np.nan], None),
        ([np.nan], [1.0], "nan"),
        ([np.inf], [1.0], "inf"),
        ([1.0, 2.0], [1.0], "shape"),
        ([1.0], np.array([1.0], np.float64), "dtype"),
        ([1], np.array([2], np.int32), "dtype"),
    ],
)
def test_exact_comparison(expected: Any, found: Any, what: str | None) -> None:
    given = found if isinstance(found, np.ndarray) else np.array(found, "f")
    mismatch = compare_values(np.array(expected, "f"), given)
    assert (mismatch and mismatch.what) == what


def test_numbers_of_values_and_small_dtypes() -> None:
    import ml_dtypes

    assert compare_values([1, 2], [1]).what == "count"  # type: ignore[union-attr]
    for dtype in (ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.int4):
        a = np.array([1, 2, 3], dtype)
        assert compare_values(a, a.copy()) is None
        assert compare_values(a, np.array([1, 2, 4], dtype)).index == (2,)  # type: ignore[union-attr]
    c = np.array([1 + 2j], np.complex64)
    assert compare_values(c, c.copy()) is None
    assert compare_values(c, c + 1, "reassociates") is not None
    assert compare_values(c, c * np.complex64(1 + 1e-7), "reassociates") is None
    with pytest.raises(ValueError, match="no such promise"):
        compare_values(c, c, "roughly")


# -------------------------------------------------------------------------------------- effects

PRINTS = """
ge.graph @g(%x: tensor<2xf32>, %y: tensor<2xf32>) {
  %a_done = ge.Print([%x]) : !ge.ctrl
  ge.Print([%y]) after(%a_done)
  ge.NetOutput(%x)
}
"""


@dataclass(frozen=True)
class Reordered(Pass):
    """Reverses the order of prints."""

    name: ClassVar[str] = "test-reordered"

    def run(self, module: Any, ctx: Any) -> PassResult:
        (graph,) = [op for op in module.ops if op.name == "ge.graph"]
        first, second = [op for op in graph.body.ops if op.name == "ge.Print"]
        set_control(second, [c for c in control_inputs(second) if c.owner is not first])
        from ge_dialect.ir.control import add_control, control_of

        second.detach()
        graph.body.insert_op_before(second, first)
        add_control(first, [control_of(second)])
        return PassResult(True)


def test_order_of_prints_is_compared() -> None:
    error = failure(PRINTS, Reordered())
    assert "print" in error.diagnostics[0].message


# ----------------------------------------------------------------------------- inputs and costs


def test_given_inputs_decide() -> None:
    same = {"x": np.zeros((2, 4), "f"), "y": np.zeros((2, 4), "f")}
    ones = {"x": np.ones((2, 4), "f"), "y": np.full((2, 4), 3, "f")}
    said = failure(TEXT, "test-swap", inputs=ones).diagnostics
    assert "the inputs given" in said[1].message
    equal = TEXT.replace("ge.NetOutput(%e, %c)", "ge.NetOutput(%e)")
    with pytest.raises(GeError):  # +0.0 where -0.0 was is not the same bits
        validate(equal, "test-swap", inputs={"x": np.ones((2, 4), "f"), "y": ones["x"] * 0})
    validate(equal.replace("Sub", "Add"), "test-swap", inputs=same)
    with pytest.raises(GeError) as caught:
        validate(TEXT, "prune", inputs={"x": same["x"]})
    assert caught.value.diagnostics[0].code == "GX-246"


def test_graph_that_cannot_be_evaluated_is_said_at_once() -> None:
    text = """
    ge.graph @g(%x: tensor<2xf32>) {
      %a = ge.Opaque([%x]) {type = "Strange"} : tensor<2xf32>
      ge.NetOutput(%a)
    }"""
    error = failure(text, "prune")
    assert [d.code for d in error.diagnostics] == ["GX-444", "GX-241"]


def test_unchanged_values_are_not_computed_again() -> None:
    counts: list[tuple[int, int]] = []

    class Watch(Validate):
        def after_pass(self, run: Any, module: Any) -> None:
            super().after_pass(run, module)
            counts.append((self._sets[0].memo.runs, self._sets[0].memo.hits))

    model = parse(TEXT)
    ctx = PassContext(weights=model.weights)
    watch = Watch("each", ctx)
    run_pipeline(
        model, "common-subexpression-elimination,prune,prune", ctx=ctx, instruments=[watch]
    )
    memo = watch._sets[0].memo
    assert watch.comparisons == 1, "only after passes that changed something"
    assert memo.runs == 9
    assert memo.hits == 5, "the duplicate within the first run, then every node of the second"


def test_several_graphs() -> None:
    two = TEXT + TEXT.replace("@net", "@other").replace("ge.Sub(%y, %b)", "ge.Add(%y, %b)")
    error = failure(two, "test-swap")
    assert any("graph 'net'" in d.message for d in error.diagnostics)


# ------------------------------------------------------------------------------------- the tool


def test_tool_exits_with_4_and_its_reproducer_does_too(tool: Any, tmp_path: Path) -> None:
    path = tmp_path / "net.mlir"
    path.write_text(TEXT)
    np.savez(tmp_path / "in.npz", x=np.ones((2, 4), "f"), y=np.full((2, 4), 3, "f"))
    for more in ([], [f"--validate-inputs={tmp_path / 'in.npz'}"]):
        done = tool(
            "ge-opt", str(path), "-p", "prune,test-swap", "--validate=each",
            f"--reproducer-dir={tmp_path}", *more,
        )  # fmt: skip
        assert done.status == 4
        assert b"after pass 'test-swap'" in done.err
        assert done.out == b""
        again = next(line for line in done.err.decode().splitlines() if "hint: " in line)
        command = shlex.split(again.partition("hint: ")[2])
        repeated = tool(*command)
        assert repeated.status == 4
        assert b"after pass 'test-swap'" in repeated.err
    done = tool("ge-opt", str(path), "-p", "prune", "--validate=each")
    assert done.status == 0
    done = tool("ge-opt", str(path), "-p", "prune", "--validate-inputs", str(path))
    assert done.status == 1
    assert b"GX-001" in done.err


def test_validation_is_an_instrument_among_others() -> None:
    assert issubclass(Validate, Instrument)
    with pytest.raises(ValueError, match="when must be"):
        Validate("sometimes", PassContext())  # type: ignore[arg-type]
