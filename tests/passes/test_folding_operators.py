"""Folding of every core operator: each sample on constants gives what its evaluation gives.

The inputs stand once inline and once in the weight store; folded constants are resolved, recipes
included, and compared byte for byte with the evaluation of the original graph.
"""

from __future__ import annotations

import numpy as np
import pytest

from ge_dialect.diagnostics import GeError
from ge_dialect.dtypes import numpy_dtype
from ge_dialect.infer.errors import InferError
from ge_dialect.ir.attributes import RefType, WeightAttr
from ge_dialect.ir.build import build, const, module
from ge_dialect.ir.dense import dense_to_numpy
from ge_dialect.ir.graph import new_graph
from ge_dialect.ir.printer import print_module
from ge_dialect.ir.reader import parse_module
from ge_dialect.ir.types import elem_of, is_static, shape_of
from ge_dialect.ir.verifier import verify
from ge_dialect.semantics import evaluate_graph, has_semantics
from ge_dialect.weights.resolve import resolve, weight
from ge_dialect.weights.store import WeightStore
from passes.context import PassContext
from passes.folding import MAX_RECIPE, foldable_class
from passes.prepare.constant_folding import ConstantFolding
from tests.ops import samples


def foldable() -> list:
    from ge_dialect.ir import op_class

    return [
        s
        for s in samples.SAMPLES
        if isinstance(s.want, list) and has_semantics(s.op) and foldable_class(op_class(s.op))
    ]


def array_for(text: str, rng: np.random.Generator) -> np.ndarray | None:
    """Small positive values of a sample's type; unknown dims become 2."""
    type_ = samples.type_of(text)
    shape = shape_of(type_)
    if isinstance(type_, RefType) or shape is None:
        return None
    dims = [2 if d < 0 else d for d in shape]
    dtype = numpy_dtype(elem_of(type_))
    if dtype.kind == "b":
        return rng.integers(0, 2, dims).astype(bool)
    return rng.integers(1, 3, dims).astype(np.float32).astype(dtype)


def graph_of(sample, stored: bool):
    """The sample on constants, types inferred anew; None where it cannot be made."""
    rng = np.random.default_rng(7)
    graph, store = new_graph("g", []), WeightStore()

    def value(item):
        if item is None:
            return None
        array = array_for(item, rng) if isinstance(item, str) else item
        if array is None:
            raise LookupError
        elem = elem_of(samples.type_of(item)) if isinstance(item, str) else None
        inline = const(array, elem=elem)
        if not stored or not isinstance(item, str):
            op = inline
        else:
            name = store.put(f"w{len(store)}", dense_to_numpy(inline.properties["value"]))
            op = build("Const", [], {"value": weight(name)}, result_types=[inline.results[0].type])
        graph.body.add_op(op)
        return op.results[0]

    try:
        inputs = [[value(i) for i in x] if isinstance(x, list) else value(x) for x in sample.inputs]
        if samples._solo(sample):
            inputs = [inputs[0]]
        node = build(sample.op, inputs, sample.attrs, name="n")
    except (LookupError, ValueError, GeError, InferError):
        return None
    if not all(is_static(r.type) for r in node.ge_data_results):
        return None
    graph.body.add_op(node)
    graph.body.add_op(build("NetOutput", [list(node.ge_data_results)]))
    made = module([graph])
    return (made, store) if not verify(made) else None


@pytest.mark.parametrize("stored", [False, True], ids=["inline", "stored"])
@pytest.mark.parametrize("sample", foldable(), ids=lambda s: s.label)
def test_folding_gives_the_golden_bytes(sample, stored):
    found = graph_of(sample, stored)
    if found is None:
        return  # the sample's types leave its values open
    made, store = found
    graph = made.body.block.first_op
    try:
        before = evaluate_graph(graph, [], store).outputs
    except GeError:
        return  # values the operator refuses, such as an index out of range
    result = ConstantFolding().run(made, PassContext(weights=store))
    if not stored and 2 * len(print_module(made)) > MAX_RECIPE and not result.changed:
        return  # literals too large for the text of a recipe
    assert result.changed, print_module(made)
    assert not verify(made)
    made = parse_module(print_module(made))
    ends = [v.owner for v in made.body.block.first_op.net_output.ge_data_operands]
    for op, want in zip(ends, before, strict=True):
        held = op.properties["value"]
        got = resolve(held, store) if isinstance(held, WeightAttr) else dense_to_numpy(held)
        assert got.dtype == want.dtype
        assert got.shape == want.shape
        assert got.tobytes() == want.tobytes()


def test_most_samples_are_checked():
    made = [graph_of(s, True) for s in foldable()]
    assert sum(m is not None for m in made) > 0.8 * len(made)
