"""What inference says of an application against what its execution gives, for every operator.

Applications are drawn by the generator kit and widened (ranks up to 8, no elements, scalars, axes
counted from the end, absent and dynamic inputs, every dtype arrays can hold), thousands of
different ones of each operator; `application_checks.py` says what is asked of each and of all.
Half of the operators are drawn here, the others by `test_infer_vs_execution_rest.py`.
"""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest

from ge_dialect.dtypes import numpy_dtype
from ge_dialect.ir.types import elem_of, shape_of
from ge_dialect.ops.registry import op_class, op_names
from ge_dialect.semantics.registry import has_semantics
from tests.ops import application_checks as checks

FEW, FULL, NIGHTLY = 4, 2000, 5000


@pytest.mark.parametrize("op", checks.drawn_ops())
def test_inference_and_execution_agree(op):
    assert checks.Checker(op).run(FEW).seen["any"] > 0


@pytest.mark.full
@pytest.mark.parametrize("op", checks.drawn_ops()[::2])
def test_inference_and_execution_agree_by_the_thousand(op):
    found, lacks = checks.thousands_of(op, FULL, 1)
    print(op, dict(found.seen))
    assert not lacks


@pytest.mark.nightly
@pytest.mark.parametrize("op", checks.drawn_ops()[::2])
def test_inference_and_execution_agree_by_more_thousands(op):
    found, lacks = checks.thousands_of(op, NIGHTLY, 2)
    print(op, dict(found.seen))
    assert not lacks


def test_the_lists_name_operators():
    named = {op for feature in checks.FEATURES for op in checks.ops_without(feature)}
    named |= {*checks.DATA_SIZED, *checks.NOT_DRAWN, *checks.EXCEPTIONS["few"]}
    for op in named:
        assert has_semantics(op), op
    for op, key, dtype in checks.listed_dtypes("refused") | checks.listed_dtypes("not_run"):
        assert dtype in ("*", *checks.slot_dtypes(op)[key]), (op, key)
    reasons = [*checks.DATA_SIZED.values(), *checks.VALUES.values(), *checks.NOT_DRAWN.values()]
    reasons += [held["reason"] for held in checks.EXCEPTIONS["few"].values()]
    for name, groups in checks.EXCEPTIONS.items():
        reasons += [group["reason"] for group in groups] if name != "few" else []
    for reason in reasons:
        assert re.fullmatch(r"\w.{8,}", reason)
    assert set(checks.EXCEPTIONS) == {f.replace(" ", "_") for f in checks.FEATURES} | {
        "few",
        "refused",
        "not_run",
    }


# -------------------------------------------------------------------------------------- bodies


def _bodies(seeds):
    from ge_dialect.infer.node import infer_op
    from ge_dialect.ir.attributes import RefType
    from ge_dialect.ir.graph import module_graphs
    from ge_dialect.semantics.evaluator import evaluate_graph
    from passes.testing.inputs import input_sets
    from passes.testing.knobs import Knobs
    from passes.testing.seeded import random_spec

    knobs = Knobs(subgraphs=2.0, max_ops=4, min_ops=2, io=0.0, random=0.0, dynamic=0.4, refs=0.0)
    met = Counter()
    for seed in seeds:
        spec = random_spec(seed, knobs)
        model = spec.build()
        (graph,) = module_graphs(model.module)
        for inputs in input_sets(spec, seed, kinds=("exact",)):
            found = evaluate_graph(graph, inputs, model.weights, "all")
            for op in graph.body.ops:
                kept = found.values.get(op.ge_node_name)
                if kept is None:
                    continue
                met[op.ge_type] += 1
                for type_, value in zip(infer_op(op), kept, strict=True):
                    if isinstance(type_, RefType):
                        continue
                    shape = shape_of(type_)
                    assert np.asarray(value).dtype == numpy_dtype(elem_of(type_)), op
                    assert shape is None or checks.fits(shape, np.shape(value)), op
    return met


def test_bodies():
    met = _bodies(range(40))
    assert all(met[op] for op in ("If", "While", "PartitionedCall"))


@pytest.mark.full
def test_bodies_by_the_thousand():
    """Operators with graphs, as often as the others."""
    met = _bodies(range(1000, 19500))
    having = [t for t in op_names() if has_semantics(t) and op_class(t).ge_table().graphs]
    assert {t: met[t] for t in having if met[t] < FULL} == {}
