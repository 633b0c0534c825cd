"""Generated graphs of all operators that can be exported: their ONNX models keep the values."""

from __future__ import annotations

import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="needs the extra ge-opt[onnx]")

from ge_dialect import api  # noqa: E402
from ge_dialect.diagnostics import GeError  # noqa: E402
from ge_dialect.exporters.onnx import export_onnx  # noqa: E402
from ge_dialect.exporters.onnx_rules import export_table  # noqa: E402
from ge_dialect.importers.onnx import import_onnx  # noqa: E402
from ge_dialect.importers.onnx_reference import reference_evaluator  # noqa: E402
from ge_dialect.semantics.compare import relative_error  # noqa: E402
from passes.testing import Knobs, input_sets, random_spec  # noqa: E402

#: Written for what ONNX has, and drawn by whoever runs them.
RANDOM = ("DropOut", "Dropout", "Multinomial", "RandomStandardNormal", "RandomUniform")
#: Nodes that ONNX's reference evaluator does not compute as ONNX says, or at all, for some inputs:
#: NaN, ties, sizes of zero, narrow types, scalars (onnx 1.23).
UNLIKE = frozenset(
    (
        "AveragePool Col2Im ConvTranspose DeformConv Det GridSample LayerNormalization MaxPool Mod "
        "MaxRoiPool Gelu Multinomial NonMaxSuppression Pow Resize RoiAlign TfIdfVectorizer OneHot "
        "Unique"
    ).split()
)
EXPORTED = tuple(n for n in export_table() if n not in RANDOM)
ALL = Knobs(
    ops=EXPORTED, refs=0.0, io=0.0, ref_inputs=0.0, random=0.0, subgraphs=0.2, min_ops=1, max_ops=3
)
PLAIN = ALL.but(
    dtypes=("float32", "float32", "int64", "bool"), special=0.0, zero_size=0.0, rank0=0.0
)
#: Words of the only reasons for which a part of them may not come back.
OPEN = ("must be known", "known spatial dims", "does not fit its inputs", "does not take it")


def difference(golden, found) -> str | None:
    for i, (a, b) in enumerate(zip(golden, map(np.asarray, found), strict=True)):
        if (a.dtype, a.shape) != (b.dtype, b.shape):
            return f"output {i} is {b.dtype}{b.shape}, not {a.dtype}{a.shape}"
        limit = 0.0 if a.dtype.kind in "biu" else 1e-4 if a.dtype.itemsize > 2 else 2e-2
        if relative_error(b, a) > limit:
            return f"output {i} has other values"
    return None


def _node_types(graph):
    for node in graph.node:
        yield node.op_type
        for attribute in node.attribute:
            yield from _node_types(attribute.g)


#: ONNX leaves division by zero open.
DIVIDES = frozenset("FloorDiv FloorMod Mod TruncateDiv RealDiv Div DivNoNan".split())
#: ONNX leaves open where these rank NaN, and what they make of rows of negative infinity.
RANKS = frozenset(
    (
        "FlashAttentionScore FusedInferAttentionScore IncreFlashAttention MoeGatingTopK "
        "MoeGatingTopKSoftmax MoeGatingTopKSoftmaxV2 PromptFlashAttention"
    ).split()
)


def is_open(model, inputs) -> bool:
    """Whether ONNX does not say what the values are."""
    held = {op.ge_type for op in model.graphs[0].walk() if hasattr(op, "ge_type")}
    if held & DIVIDES:
        return True
    if not held & RANKS:
        return False
    values = api.evaluate(model, inputs, keep="all").values.values()
    arrays = [np.asarray(a) for results in values for a in results]
    return not all(
        np.isfinite(a.astype(float)).all() for a in arrays if a.dtype.kind not in "biucO"
    )


def run(seeds, knobs, *, reference: bool) -> tuple[list[str], int]:
    """Failures, and how many graphs were compared."""
    failures, compared = [], 0
    for seed in seeds:
        spec = random_spec(seed, knobs)
        model = spec.build()
        try:
            made = export_onnx(model)
        except GeError:
            continue  # a form that ONNX has not; the rules' own tests name them
        onnx.checker.check_model(made, full_check=True)
        (inputs,) = input_sets(spec, seed, kinds=("exact",))
        with np.errstate(all="ignore"):
            try:
                golden = api.evaluate(model, inputs).outputs
            except GeError:
                continue  # sizes that inference did not know, and that the operator does not take
            if reference:
                if UNLIKE & set(_node_types(made.graph)):
                    continue
                try:
                    found = reference_evaluator(made).run(None, inputs)
                except Exception as error:
                    failures.append(f"{seed}: {error!r:.200}")
                    continue
            else:
                try:
                    back = import_onnx(made)
                except GeError as error:
                    if not any(w in d.message for d in error.diagnostics for w in OPEN):
                        failures.append(f"{seed}: {error.diagnostics[0].message}")
                    continue
                found = api.evaluate(back, inputs).outputs
        compared += 1
        wrong = difference(golden, found)
        if wrong is not None and not is_open(model, inputs):
            failures.append(f"{seed}: {wrong}")
    return failures, compared


def test_values_come_back():
    failures, compared = run(range(60), ALL, reference=False)
    assert failures == []
    assert compared >= 50


def test_onnx_computes_the_same():
    failures, compared = run(range(60), PLAIN, reference=True)
    assert failures == []
    assert compared >= 35


@pytest.mark.full
def test_values_of_many_graphs_come_back():
    failures, compared = run(range(1000, 2000), ALL, reference=False)
    assert failures == []
    assert compared >= 850


@pytest.mark.full
def test_onnx_computes_the_same_for_many_graphs():
    failures, compared = run(range(1000, 1800), PLAIN, reference=True)
    assert failures == []
    assert compared >= 400


def each_rule(knobs: Knobs, seeds: range, *, reference: bool) -> tuple[list[str], int]:
    """The same with one operator at a time, so that none is left to luck."""
    failures, compared = [], 0
    for op_type in EXPORTED:
        one = knobs.but(ops=(op_type,), min_ops=1, max_ops=1, subgraphs=0.0)
        wrong, count = run(seeds, one, reference=reference)
        failures += [f"{op_type} {line}" for line in wrong]
        compared += count
    return failures, compared


@pytest.mark.full
def test_each_rule_keeps_values():
    failures, compared = each_rule(ALL, range(6), reference=False)
    assert failures == []
    assert compared >= 5 * len(EXPORTED)


@pytest.mark.full
def test_onnx_computes_the_same_by_each_rule():
    failures, compared = each_rule(PLAIN, range(3), reference=True)
    assert failures == []
    assert compared >= 2 * len(EXPORTED)


@pytest.mark.nightly
def test_each_rule_keeps_values_of_many_graphs():
    failures, compared = each_rule(ALL, range(100, 200), reference=False)
    assert failures == []
    assert compared >= 80 * len(EXPORTED)
