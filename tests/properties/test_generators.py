"""The graph generators: what they make is valid, varied, reproducible, printable and shrinks."""

from __future__ import annotations

import json
import pickle
import random
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, find, given, settings

from ge_dialect.api import evaluate, parse
from ge_dialect.ir.types import shape_of
from ge_dialect.ir.verifier import verify
from ge_dialect.ops.registry import op_class, op_names, register_op, unregister_op
from ge_dialect.semantics import has_semantics
from ge_dialect.semantics.registry import forget, semantics
from passes.testing import (
    PROFILES,
    GraphSpec,
    Input,
    Knobs,
    Literal,
    Step,
    all_specs,
    input_sets,
    pattern_specs,
    random_spec,
    random_specs,
    specs,
)
from passes.testing.choices import OdometerChoices
from passes.testing.draft import Draft
from passes.testing.engine import UNMADE
from passes.testing.from_pattern import NO_MATCH, Target
from passes.testing.inputs import KINDS, input_names
from passes.testing.mutate import MUTATORS, checked
from passes.testing.recast import recast
from passes.testing.rules import HINTS
from passes.testing.type_text import text_of, type_of

DEFAULT = 300
QUICK = settings(
    database=None, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)


@pytest.fixture(scope="module")
def sample():
    return list(random_specs(0, DEFAULT))


def assert_valid(spec: GraphSpec):
    model = spec.build()
    problems = verify(model.module)
    assert not problems, f"{problems[0].render()}\n{spec}"
    return model


def assert_runs(spec: GraphSpec, seed: int, kinds) -> None:
    model = assert_valid(spec)
    for inputs in input_sets(spec, seed, kinds):
        evaluate(model, inputs)


# ------------------------------------------------------------------------------ what is made


def test_graphs_verify_and_run_on_all_kinds_of_inputs(sample):
    for seed, spec in enumerate(sample):
        kinds = (KINDS[seed % len(KINDS)], KINDS[(seed + 3) % len(KINDS)])
        assert_runs(spec, seed, kinds)


@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_every_profile_gives_valid_graphs(profile):
    for spec in random_specs(1000, 25, profile):
        assert_runs(spec, 0, ("exact",))


def generated_types(count: int) -> Counter[str]:
    return Counter(s.op for spec in random_specs(0, count) for s in spec.walk())


def test_every_operator_with_semantics_is_generated():
    """NetOutput ends each graph; what no step makes (`UNMADE`) is not there; the rest turns up."""
    made = generated_types(2000)
    expected = {t for t in op_names() if has_semantics(t)} - {"NetOutput", *UNMADE}
    assert sorted(expected - set(made)) == []


def test_dtypes_and_structures_are_varied(sample):
    text = "\n".join(map(str, sample))
    for needed in ("f32", "f16", "bf16", "i32", "i64", "i1", "i8", "ui8", "f64"):
        assert f"x{needed}" in text, needed
    types = [t for spec in sample for t in spec.value_types()]
    shapes = [shape_of(type_of(t)) for t in types]
    assert any(s == () for s in shapes)
    assert any(s and 0 in s for s in shapes)
    assert any(s and -1 in s for s in shapes)
    assert any("#ge.layout" in t for t in types)
    assert any(len(s.outputs) > 2 for s in sample)
    assert any(o < len(s.inputs) for s in sample for o in s.outputs), "an input passed through"
    assert any(s.weights for s in sample)
    assert any(step.after for s in sample for step in s.steps)
    assert any(len(step.types) > 1 for s in sample for step in s.steps)
    assert any(b.steps for s in sample for step in s.steps for b in step.bodies)
    assert any(i.domain[0] == "fixed" for s in sample for i in s.inputs)


def test_most_nodes_are_alive(sample):
    alive = total = 0
    for spec in sample:
        live = live_steps(spec)
        tasks = [i for i, s in enumerate(spec.steps) if s.op not in ("Const", "Constant", "Data")]
        alive += sum(i in live for i in tasks)
        total += len(tasks)
    assert alive >= 0.8 * total


def live_steps(spec: GraphSpec) -> set[int]:
    maker = {}
    for i, (first, step) in enumerate(zip(spec.first_results(), spec.steps, strict=True)):
        maker.update({first + k: i for k in range(len(step.types))})
    effects = [i for i, s in enumerate(spec.steps) if s.op in ("Print", "Assign", "AssignAdd")]
    stack = [maker[o] for o in spec.outputs if o in maker] + effects + list(spec.after)
    live: set[int] = set()
    while stack:
        i = stack.pop()
        if i not in live:
            live.add(i)
            stack += [maker[v] for v in spec.steps[i].operands() if v in maker]
            stack += spec.steps[i].after
    return live


def test_knobs_are_obeyed():
    pure = {s.op for spec in random_specs(0, 150, "pure") for s in spec.walk()}
    assert not pure & {"Variable", "Assign", "Read", "Print", "RandomUniform", "If", "While"}
    for spec in random_specs(0, 60, Knobs(ops=("Relu", "Add"), dtypes=("float16",))):
        assert spec.op_types() <= {"Relu", "Add", "Const", "Data", "Constant"}
        assert all(t.endswith("f16") for t in spec.value_types())
    for spec in random_specs(0, 60, PROFILES["plain"]):
        assert not any("?" in t for t in spec.value_types())
    effects = Counter(s.op for spec in random_specs(0, 240, "effects") for s in spec.walk())
    for op in ("Read", "Assign", "AssignAdd", "Print", "RefData", "If", "While", "NoOp"):
        assert effects[op], op
    for spec in random_specs(0, 40, Knobs(exclude=("Relu", "If"))):
        assert not spec.op_types() & {"Relu", "If"}


def test_results_of_a_retyped_graph_are_counted():
    """Also those of operators on lists, whose number inference tells; the text needs it."""
    import dataclasses

    from passes.testing.spec import COUNTED_BY, COUNTED_BY_RULE, result_count

    lists = ("ForeachExp", "IdentityN", "ShapeN", "ConcatOffset", "HcomBroadcast")
    wanted = {*lists, *COUNTED_BY, *COUNTED_BY_RULE} - {"SwitchN"}
    met = Counter()
    for spec in random_specs(0, 400, Knobs(ops=tuple(sorted(wanted)))):
        for step in spec.retyped().steps:
            met[step.op] += 1
        kept = [len(s.types) for s in spec.steps if s.types is not None]
        bare = [dataclasses.replace(s, types=None) for s in spec.steps if s.types is not None]
        counted = [s.op not in COUNTED_BY_RULE for s in bare]
        assert [result_count(s) for s, c in zip(bare, counted, strict=True) if c] == [
            n for n, c in zip(kept, counted, strict=True) if c
        ]
        assert str(spec.retyped())
    assert wanted <= met.keys()


def test_an_operator_of_the_user_is_generated_from_its_definition():
    from typing import ClassVar

    from ge_dialect.ir import GeOp, float_, ge_op, tin, tout
    from ge_dialect.ops.registry import register_op, unregister_op
    from ge_dialect.semantics import registry, semantics

    @register_op
    @ge_op
    class ScaledSum(GeOp):
        """x1 + k·x2."""

        name = "ge.ScaledSum"
        TYPES: ClassVar = {"T": "float32, float16"}
        x1 = tin("T")
        x2 = tin("T")
        y = tout("T")
        k = float_()

        @classmethod
        def ge_infer(cls, n):
            if n.shape("x1") != n.shape("x2"):
                n.fail("shapes differ")
            return (n.logical("x1"),)

    semantics("ScaledSum")(lambda args, attrs, ctx: args[0] + attrs["k"] * args[1])
    try:
        made = [
            step
            for spec in random_specs(0, 40, Knobs(ops=("ScaledSum", "Relu")))
            for step in spec.steps
            if step.op == "ScaledSum"
        ]
        assert len(made) > 20
        assert {t for s in made for t in s.types} > {"f32"}
        assert all(s.attr("k") is not None for s in made)
        assert "ScaledSum" in {s.op for spec in random_specs(0, 400) for s in spec.steps}
    finally:
        unregister_op("ScaledSum")
        registry._TABLE.pop("ScaledSum")


def test_most_operators_are_generated_without_any_hint(monkeypatch):
    """From their definition and inference alone; hints are for what is bound more tightly."""
    from passes.testing import rules
    from passes.testing.engine import generated_ops

    ours = {t for t, fn in HINTS.items() if fn.__module__.startswith("passes.testing")}
    ops = [t for t in generated_ops(Knobs()) if op_class(t).EFFECTS.is_pure]
    assert ours <= {t for t in op_names() if has_semantics(t)}, "a hint for no operator"
    monkeypatch.setattr(rules, "HINTS", {})
    left_out = []
    for op in ops:
        knobs = Knobs(ops=(op,), structures=0.0, duplicates=0.0, min_ops=1, max_ops=3)
        if not any(op in spec.op_types() for spec in random_specs(0, 20, knobs)):
            left_out.append(op)
    assert len(left_out) <= 0.2 * len(ops), left_out


# ------------------------------------------------------------------------------- the fronts


def test_seeds_give_the_same_graphs_everywhere(sample):
    assert [random_spec(s) for s in range(20)] == sample[:20]
    code = (
        "from passes.testing import random_spec; import hashlib; "
        "print(hashlib.sha256(''.join(random_spec(s).to_json() for s in range(40)).encode())"
        ".hexdigest())"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PATH": ""},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(runs) == 1


@settings(QUICK, max_examples=60, phases=[Phase.generate])
@given(specs("small"))
def test_hypothesis_graphs_are_valid(spec):
    assert_runs(spec, 0, ("exact",))


def has_planted_fault(spec: GraphSpec) -> bool:
    """A subtraction of what a Relu made: the start of a wrong rewrite."""
    relus = {
        first
        for first, step in zip(spec.first_results(), spec.steps, strict=True)
        if step.op == "Relu"
    }
    return any(s.op == "Sub" and s.operands()[1] in relus for s in spec.steps)


def test_hypothesis_shrinks_to_the_nodes_that_matter():
    knobs = PROFILES["plain"].but(ops=("Relu", "Neg", "Add", "Sub", "Mul"), min_ops=1)
    fixed = settings(QUICK, max_examples=300, derandomize=False)
    found = find(specs(knobs), has_planted_fault, settings=fixed, random=random.Random(0))
    steps = [s.op for s in found.steps if s.op != "Const"]
    assert len(steps) <= 4, str(found)


def test_exhaustive_front_makes_each_graph_once():
    found = list(all_specs(2))
    assert len(found) == len(set(found)) > 50
    assert {o for s in found for o in s.op_types()} - {"Const"} == {"Relu", "Neg", "Add", "Sub"}
    for spec in found:
        assert_valid(spec)
    # every order of every pair of values, and the same one twice
    first = {s.steps[0].args for s in found if s.op_types() == {"Sub"} and len(s.steps) == 1}
    assert first == {(0, 0), (0, 1)}
    second = {
        s.steps[1].args
        for s in found
        if [t.op for t in s.steps] == ["Relu", "Sub"] and len(s.inputs) == 1
    }
    assert second == {(a, b) for a in (0, 1) for b in (0, 1)}


def test_odometer_runs_through_all_answers():
    source = OdometerChoices()
    seen = []
    while True:
        first = source.choose(2)
        seen.append((first, source.choose(3) if first else source.flag(0.5)))
        if not source.advance():
            break
    assert seen == [(0, False), (0, True), (1, 0), (1, 1), (1, 2)]


# -------------------------------------------------------------------------------- the spec


def test_specs_are_plain_data(sample):
    for spec in sample[:100]:
        text = spec.to_json()
        assert GraphSpec.from_json(text) == spec
        assert json.loads(text)
        assert pickle.loads(pickle.dumps(spec)) == spec
        assert hash(GraphSpec.from_json(text)) == hash(spec)
        assert repr(spec).startswith("<GraphSpec\ngraph(")


def test_specs_survive_a_model(sample):
    """Built and read back, a spec differs only in what a module does not hold."""
    for spec in sample[:120]:
        once = spec.normalized()
        assert once.normalized() == once
        assert once.steps == spec.steps or any(s.bodies for s in spec.steps)
        assert once.outputs == spec.outputs
        assert once.build().text() == spec.build().text()


def test_inferred_types_are_those_recorded(sample):
    """What the generator recorded is what inference says of the built graph."""
    for spec in sample[:120]:
        assert spec.retyped().build().text() == spec.build().text()


def test_a_spec_reads_as_a_few_lines():
    spec = GraphSpec(
        (Input("?x2xf32", dims=(3, 2)), Input("2xi64", domain=("index", 3))),
        (
            Step(
                "Const", (), (("value", Literal.of(np.array([1.5, -2], np.float32))),), ("2xf32",)
            ),
            Step("Add", (0, 2), types=("?x2xf32",)),
            Step("Gather", (3, 1), types=("2x2xf32",), after=(1,)),
        ),
        (4, 0),
    )
    assert str(spec) == (
        "graph(%0: ?x2xf32 [3x2], %1: 2xi64 index(3))\n"
        "  #0 %2 = Const() {value = [1.5, -2]} : 2xf32\n"
        "  #1 %3 = Add(%0, %2) : ?x2xf32\n"
        "  #2 %4 = Gather(%3, %1) after(#1) : 2x2xf32\n"
        "  return(%4, %0)"
    )
    assert_runs(spec, 0, KINDS)


def test_anything_readable_can_be_a_spec():
    text = """
    ge.graph @net(%x: tensor<1x16x4x4xf16, #ge.layout<NC1HWC0>>) attributes {ge.tag = 3 : i64} {
      %w = ge.Const() {value = #ge.weight<"w", abstract>} : tensor<100xf16>
      %o, %o_done = ge.Opaque(%x) {type = "Foo", ge.attr.k = "v"} : tensor<*xf32>, !ge.ctrl
      %v = ge.Variable() : !ge.ref<tensor<2xf32>> loc("state")
      ge.NetOutput(%o, %w, %v) after(%o_done) {ge.engine = "E"}
    }
    """
    model = parse(text)
    spec = GraphSpec.from_model(model)
    assert GraphSpec.from_model(spec.build()) == spec
    assert GraphSpec.from_json(spec.to_json()) == spec
    assert spec.retyped().normalized() == spec
    assert 'loc("state")' in model.text()
    assert "%state = ge.Variable" in spec.build().text()


def test_default_names_make_way():
    steps = (Step("Relu", (0,), name="Relu_1"), Step("Relu", (1,)), Step("Relu", (2,)))
    spec = GraphSpec((Input("2xf32"),), steps, (3,))
    assert_valid(spec)
    names = [s.label(i) for i, s in enumerate(spec.normalized().steps)]
    assert names == ["Relu_1", "Relu_1_", "Relu_2"]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"inputs": [], "steps": [{"op": 1}]}', "nope"])
def test_other_json_is_refused(text):
    with pytest.raises(ValueError, match=r"\S"):
        GraphSpec.from_json(text)


@pytest.mark.parametrize(
    "text", ["f32", "2x?x3xbf16", "*xi32", "0xi1", "&4xf32", "2xcomplex<f32>", "3x!ge.string"]
)
def test_types_read_and_write(text):
    assert text_of(type_of(text)) == text


def test_no_types_of_no_tensors():
    with pytest.raises(ValueError, match="is no type"):
        type_of("2xnothing")


# ------------------------------------------------------------------------------------ inputs


def test_exact_inputs_make_sums_and_products_exact():
    spec = GraphSpec(
        (Input("16x16xf32"), Input("16x16xf32")),
        (Step("MatMul", (0, 1, None), types=("16x16xf32",)),),
        (2,),
    )
    for seed in range(20):
        a, b = input_sets(spec, seed, ("exact",))[0].values()
        exact = a.astype(np.float64) @ b.astype(np.float64)
        for order in (
            np.arange(16),
            np.arange(16)[::-1],
            np.random.default_rng(seed).permutation(16),
        ):
            found = np.zeros((16, 16), np.float32)
            for k in order:
                found += np.outer(a[:, k], b[k])
            np.testing.assert_array_equal(found, exact)


def test_special_inputs_hold_every_special_value():
    spec = GraphSpec((Input("400xf32"), Input("400xf16"), Input("400xbf16")), (), (0,))
    for array in input_sets(spec, 0, ("special",))[0].values():
        wide = array.astype(np.float64)
        assert np.isnan(wide).any()
        assert np.isposinf(wide).any()
        assert np.isneginf(wide).any()
        assert (np.signbit(wide) & (wide == 0)).any()
        least = np.min(np.abs(wide[(wide != 0) & np.isfinite(wide)]))
        assert 0 < least < float(ml_tiny(array.dtype)), "a denormal"
        assert np.isfinite(wide).any()


def ml_tiny(dtype):
    import ml_dtypes

    return ml_dtypes.finfo(dtype).smallest_normal


def test_inputs_of_small_dtypes_are_of_their_grid():
    import ml_dtypes

    spec = GraphSpec((Input("64xf32"),), (), (0,))
    for kind, dtype in (("fp16", np.float16), ("bf16", ml_dtypes.bfloat16)):
        (x,) = input_sets(spec, 3, (kind,))[0].values()
        np.testing.assert_array_equal(x, x.astype(dtype).astype(np.float32))
        assert len(np.unique(x)) > 50


def test_inputs_keep_their_domains(sample):
    for seed, spec in enumerate(sample):
        for inputs in input_sets(spec, seed, ("special", "zeros")):
            for name, one in zip(input_names(spec), spec.inputs, strict=True):
                array = inputs[name]
                if one.domain[0] == "index":
                    assert ((array >= 0) & (array < one.domain[1])).all()
                elif one.domain[0] == "fixed":
                    assert array.reshape(-1).tolist() == list(one.domain[1:])
                elif one.domain[0] == "positive":
                    assert not (array <= 0).any()


def test_inputs_of_a_model_are_guessed():
    model = parse(
        """
        ge.graph @g(%x: tensor<5x2xf32>, %i: tensor<3xi32>, %s: tensor<2xi64>) {
          %d = ge.Data(%i) {index = 1} : tensor<3xi32>
          %g = ge.Gather(%x, %d) : tensor<3x2xf32>
          %r = ge.Reshape(%g, %s) : tensor<2x3xf32>
          ge.NetOutput(%r)
        }
        """
    )
    for inputs in input_sets(model, 1, KINDS):
        assert inputs["s"].tolist() == [2, 3]
        evaluate(model, inputs)


def test_unknown_kinds_are_refused(sample):
    with pytest.raises(ValueError, match="unknown kind"):
        input_sets(sample[0], 0, ("exakt",))


# ---------------------------------------------------------------------------------- patterns


def pattern_of(module: str, name: str):
    from importlib import import_module

    return getattr(import_module(module), name)


@pytest.mark.parametrize(
    ("module", "name", "reasons"),
    [
        (
            "passes.fuse.conv_bn_fold",
            "FoldConvBn",
            {
                "the result of the convolution has other users",
                "a parameter of the normalisation is no constant",
                "another node waits for the convolution",
                "the filter is no constant",
            },
        ),
        ("passes.stage1.cast_remove", "DropCast", {"the first cast loses values"}),
        (
            "passes.stage1.transop_symmetry_elimination",
            "CancelPair",
            {"the second does not restore the type of the first"},
        ),
        ("passes.prepare.cond_remove", "TakeBranch", {"the condition is not known"}),
    ],
)
def test_patterns_get_positives_and_near_misses(module, name, reasons):
    found = pattern_specs(pattern_of(module, name), seed=0, tries=300)
    positives, near_misses = found
    assert len(positives) == 10
    assert reasons <= found.reasons
    target = Target(pattern_of(module, name))
    for spec in positives:
        assert_runs(spec, 0, ("exact",))
        assert target.run(spec).fired
    for spec in near_misses:
        assert_runs(spec, 0, ("exact",))
    for reason, kept in found.near_misses.items():
        for spec in kept:
            outcome = target.run(spec)
            assert reason in outcome.missed or (reason == NO_MATCH and not outcome.fired)


def test_a_pass_is_a_target_too_and_seeds_give_the_same_graphs():
    first = pattern_specs("identity-remove", seed=3, tries=60)
    again = pattern_specs("identity-remove", seed=3, tries=60)
    assert first.positives == again.positives
    assert first.near_misses == again.near_misses
    assert first.positives


def test_a_pattern_of_ones_own_gives_its_examples():
    from passes.rewriting import Pattern

    class DropDoubleNeg(Pattern):
        """-(-x) is x."""

        root = ("Neg",)

        @classmethod
        def examples(cls):
            return [
                """
                ge.graph @g(%x: tensor<4xf32>) {
                  %a = ge.Neg(%x) : tensor<4xf32>
                  %b = ge.Neg(%a) : tensor<4xf32>
                  ge.NetOutput(%b)
                }
                """
            ]

        def match_and_rewrite(self, op, rw):
            first = op.operands[0].owner
            if getattr(first, "name", "") != "ge.Neg":
                return
            if rw.when(first.results[0].has_one_use(), "the first has other users"):
                rw.replace_by_value(op, [first.operands[0]])

    found = pattern_specs(DropDoubleNeg, tries=200)
    assert len(found.positives) == 10
    assert found.reasons == {"the first has other users"}


def test_every_mutator_changes_some_graph():
    import passes.testing.mutate_nodes  # noqa: F401

    pool = list(random_specs(50, 60, PROFILES["default"]))
    for name, fn in MUTATORS.items():
        rng = random.Random(0)
        valid = 0
        for spec in pool * 3:
            draft = Draft(spec)
            if not fn(draft, rng):
                continue
            try:
                made = checked(draft.spec().retyped())
            except KeyError:
                continue
            if made is not None and made != checked(spec.retyped()):
                valid += 1
                assert_valid(made)
            if valid >= 3:
                break
        assert valid, name


def test_a_draft_changes_nothing_by_itself(sample):
    for spec in sample[:60]:
        assert Draft(spec).spec() == spec


def test_recast_moves_a_graph_to_another_dtype():
    moved = 0
    ops = ("Relu", "Add", "Exp", "MatMulV2", "ReduceSumD", "Transpose", "Conv2D", "Cast")
    for spec in random_specs(0, 40, PROFILES["plain"].but(ops=ops)):
        made = checked(recast(spec, "float32", "float16"))
        if made is None:
            continue
        moved += 1
        assert not any(t.endswith("xf32") for t in made.value_types())
        assert_valid(made)
    assert moved > 25


def test_an_operator_registered_anew_is_asked_anew():
    def types(dtype):
        entry = {"in": f"x: {dtype}", "out": f"y: {dtype}", "infer": "same"}
        register_op({"name": "KitTwice", **entry})
        semantics("KitTwice")(lambda args, attrs, ctx: args[0])
        try:
            specs = [random_spec(seed, Knobs(ops=("KitTwice",), max_ops=1)) for seed in range(6)]
        finally:
            unregister_op("KitTwice")
            forget("KitTwice")
        steps = [n for s in specs for n in s.steps if n.op == "KitTwice"]
        return {t.rpartition("x")[2] for n in steps for t in n.types}

    assert types("float32") == {"f32"}
    assert types("float16") == {"f16"}
