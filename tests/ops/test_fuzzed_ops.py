"""Corrupted nodes: a rule takes a node or refuses it with a diagnostic, and never breaks.

What it takes, the golden function takes as well, with the same result types.
"""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.builtin import IntegerType

from ge_dialect.codes import CODES
from ge_dialect.diagnostics import GeError
from ge_dialect.dtypes import numpy_dtype
from ge_dialect.infer.errors import InferError
from ge_dialect.ir.types import RefType, elem_of, is_static, shape_of
from ge_dialect.semantics.evaluator import evaluate_graph
from tests.ops import samples

INTS = (-3, -2, -1, 0, 1, 2, 3, 7)


def mutated_int(rng, value):
    return int(rng.choice(INTS)) if rng.random() < 0.6 else value + int(rng.integers(-1, 2))


def mutated(rng, value):
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return mutated_int(rng, value)
    if isinstance(value, float):
        return float(rng.choice([-1.0, 0.0, 0.5, 2.0]))
    if isinstance(value, str):
        return str(rng.choice(["SAME", "VALID", "NCHW", "NHWC", "reflect", "none", "?"]))
    if isinstance(value, list):
        out = [mutated(rng, v) if rng.random() < 0.4 else v for v in value]
        if rng.random() < 0.3:
            out = out[:-1] if rng.random() < 0.5 else [*out, *(out[:1] or [0])]
        return out
    return value


def mutated_array(rng, value):
    if value.ndim == 1 and rng.random() < 0.3:
        value = value[:-1] if rng.random() < 0.5 else np.append(value, rng.choice(INTS))
    out = value.copy().astype(value.dtype)
    for i in np.ndindex(out.shape):
        if rng.random() < 0.3:
            out[i] = rng.choice(INTS)
    return out


def mutated_type(rng, text):
    ref, text = text[:1] if text.startswith("&") else "", text.removeprefix("&")
    *dims, elem = text.split("x")
    if dims == ["*"]:
        dims = ["2", "3"]
    dims = [str(int(rng.integers(0, 5))) if rng.random() < 0.25 else d for d in dims]
    if rng.random() < 0.15:
        dims = dims[:-1] if rng.random() < 0.5 else [*dims, "2"]
    if rng.random() < 0.1 and elem in ("f32", "f16"):
        elem = "f64" if rng.random() < 0.5 else "bf16"
    return ref + "x".join([*dims, elem]).replace("?", "2")


def mutation(rng, sample):
    """The sample with some of its parts changed; may well be valid still."""

    def change(item):
        if item is None or rng.random() < 0.5:
            return item.replace("?", "2").replace("*", "2x3") if isinstance(item, str) else item
        if isinstance(item, str):
            return mutated_type(rng, item)
        if isinstance(item, list):
            return [change(i) for i in item]
        return mutated_array(rng, item)

    attrs = {k: mutated(rng, v) if rng.random() < 0.4 else v for k, v in sample.attrs.items()}
    return samples.Sample(sample.op, [change(i) for i in sample.inputs], attrs, None)


def golden_refusal(rng, graph, node):
    """Checks the golden function's results against the rule; its refusal, where it refuses."""

    def array(type_):
        dtype = numpy_dtype(elem_of(type_))
        if dtype.kind in "iub":
            return rng.integers(0, 2, shape_of(type_)).astype(dtype)
        if dtype.kind == "O":
            return np.full(shape_of(type_), "text", object)
        return rng.uniform(0.1, 0.9, shape_of(type_)).astype(dtype)

    try:
        result = evaluate_graph(graph, [array(a.type) for a in graph.args])
    except GeError as error:
        return error
    for r, value in zip(node.ge_data_results, result.outputs, strict=True):
        if isinstance(r.type, RefType):
            continue
        value, declared = np.asarray(value), shape_of(r.type)
        if declared is not None:
            assert len(declared) == value.ndim
            assert all(d in (-1, v) for d, v in zip(declared, value.shape, strict=True))
        assert value.dtype == numpy_dtype(elem_of(r.type))
    return None


#: Inputs that cut an axis into parts: whether they do is data, also where it is constant.
CUTS = ("expert_tokens", "group_index")


def decided_by_values(graph, node):
    """True where axes, sizes, indices or other ranks are involved that no rule on types sees."""
    table = type(node).ge_table()
    cut = any(s.name in CUTS and node.ge_inputs(s.name) for s in table.inputs)
    named = any(word in node.name for word in ("CTC", "Gather", "Hcom"))
    return cut or named or any(isinstance(elem_of(a.type), IntegerType) for a in graph.args)


def place(sample):
    """The graph and its node, or the rule's refusal."""
    try:
        return samples.place(sample)
    except InferError as error:
        return error


@pytest.mark.parametrize("sample", samples.SAMPLES, ids=lambda s: s.label)
def test_a_corrupted_node_is_taken_or_refused(sample):
    rng = np.random.default_rng(len(sample.label))
    for _ in range(25):
        broken = mutation(rng, sample)
        placed = place(broken)
        if isinstance(placed, InferError):
            assert placed.code in CODES
            assert placed.code.startswith("GX-22")
            assert placed.found is not None or placed.expected is not None, placed.message
            continue
        graph, node = placed
        if node.ge_dtype_problems() or not all(is_static(a.type) for a in graph.args):
            continue  # the verifier refuses dtypes before it asks the rule
        error = golden_refusal(rng, graph, node)
        if error is not None and not decided_by_values(graph, node):
            raise AssertionError(f"{broken.label} is taken by the rule, but: {error}")
