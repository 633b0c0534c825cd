"""The types an operator's rule gives are those of the arrays its golden function gives.

Rule and meaning are written apart from each other; here they meet on the same nodes.
"""

from __future__ import annotations

import numpy as np
import pytest

from ge_dialect.dtypes import numpy_dtype
from ge_dialect.ir.types import RefType, elem_of, shape_of
from ge_dialect.semantics.evaluator import evaluate_graph
from tests.ops import samples

#: Inputs whose random values decide whether the node has a meaning (a stride may be 0).
BY_VALUE = {"StridedSlice": "1xi64", "Expand": "1xi64", "GroupedMatmul": "2xi64"}
#: Examples for several ranks; test_semantics_ranks.py runs these.
SEVERAL_RANKS = ("HcomSend", "HcomReceive", "HcomAllGatherV")


def is_definite(sample):
    """True where all dims of inputs and results are known, and every deciding value."""
    flat = [i for x in sample.inputs for i in (x if isinstance(x, list) else [x])]
    texts = [i for i in [*flat, *sample.want] if isinstance(i, str)]
    by_value = BY_VALUE.get(sample.op) in texts
    alone = sample.attrs.get("rank_size", 1) == 1 or not sample.op.startswith("Hcom")
    if by_value or not alone or sample.op in SEVERAL_RANKS:
        return False
    return not any("?" in i or "*" in i for i in texts)


@pytest.mark.parametrize(
    "sample",
    [s for s in samples.SAMPLES if is_definite(s) and s.op != "RefData"],
    ids=lambda s: s.label,
)
def test_the_golden_function_gives_the_inferred_types(sample):
    graph, node = samples.place(sample)
    rng = np.random.default_rng(0)

    def array(type_):
        dtype = numpy_dtype(elem_of(type_))
        # small values that are valid indices, sizes and arguments of sqrt, log and acos alike
        if dtype.kind in "iub":
            return rng.integers(0, 2, shape_of(type_)).astype(dtype)
        if dtype.kind == "O":
            return np.full(shape_of(type_), "text", object)
        return rng.uniform(0.1, 0.9, shape_of(type_)).astype(dtype)

    inputs = [array(a.type) for a in graph.args]
    result = evaluate_graph(graph, inputs, keep="all")
    for r, value in zip(node.ge_data_results, result.outputs, strict=True):
        if isinstance(r.type, RefType):
            continue
        value = np.asarray(value)
        assert value.shape == shape_of(r.type)
        assert value.dtype == numpy_dtype(elem_of(r.type))
