"""Dynamic shapes hold for every concrete run: over generated graphs and the example models.

A graph with static shapes is opened: some dims of its inputs become symbols, the types of all
results become unknown. Then sizes are chosen for the symbols, and what inference says for these is
compared with the expressions and ranges.
"""

from __future__ import annotations

import random

import pytest
from xdsl.dialects.builtin import ArrayAttr, StringAttr

from ge_dialect.api import parse
from ge_dialect.diagnostics import GeError
from ge_dialect.ir.attributes import RefType
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.graph import module_graphs, walk_graphs
from ge_dialect.ir.names import node_name
from ge_dialect.ir.private import set_type
from ge_dialect.ir.types import elem_of, is_tensor, shape_of, tensor_type
from passes.context import PassContext
from passes.manager import run_pipeline

_FIXED = ("ge.Const", "ge.Constant", "ge.Variable", "ge.Opaque")


def tensors(module):
    """All tensor values in a fixed order."""
    out = []
    for block in walk_graphs(module):
        out += [a for a in block.args if is_tensor(a.type)]
        out += [r for op in block.ops for r in op.results if is_tensor(r.type)]
    return out


def opened(text, weights, rng, keep=0.3):
    """The model with open dims, named by their size or not at all."""
    model = parse(text, weights=weights)
    (graph,) = module_graphs(model.module)
    for i, arg in enumerate(graph.args):
        if not is_tensor(arg.type) or not shape_of(arg.type):
            continue
        shape = shape_of(arg.type)
        dims = [d if rng.random() < keep else -1 for d in shape]
        set_type(arg, tensor_type(dims, elem_of(arg.type)))
        names = [
            f"s{d}" if o < 0 and rng.random() < 0.8 else ""
            for d, o in zip(shape, dims, strict=True)
        ]
        limits = [f"0~{max(d, 9)}" if o < 0 else str(o) for d, o in zip(shape, dims, strict=True)]
        graph.set_arg_attributes(
            i,
            {
                **graph.arg_attributes(i),
                "ge.symbols": ArrayAttr([StringAttr(n) for n in names]),
                "ge.shape_range": StringAttr(",".join(limits)),
            },
        )
    for block in walk_graphs(model.module):
        for op in block.ops:
            if isinstance(op, GeOp) and op.name not in _FIXED and op.operands:
                for r in op.results:
                    if is_tensor(r.type) and not isinstance(r.type, RefType) and shape_of(r.type):
                        set_type(r, tensor_type([-1] * len(shape_of(r.type)), elem_of(r.type)))
    return model


def with_sizes(model, found, sizes):
    """A copy with these sizes of the symbols of inputs, all types inferred; None where refused."""
    copy = parse(model.text(), weights=model.weights)
    (graph,) = module_graphs(copy.module)
    (original,) = module_graphs(model.module)
    for arg, source in zip(graph.args, original.args, strict=True):
        dims = found.shape(source) if is_tensor(source.type) else None
        if dims is not None:
            shape = [e.evaluate(sizes) for e in dims]
            set_type(arg, tensor_type(shape, elem_of(arg.type)))
    try:
        run_pipeline(copy, "infer-shape", verify="off")
    except GeError:
        return None
    for value, other in zip(tensors(model.module), tensors(copy.module), strict=True):
        ranks = [
            None if s is None else len(s) for s in (shape_of(value.type), shape_of(other.type))
        ]
        if None not in ranks and ranks[0] != ranks[1]:
            return None  # Squeeze: the recorded rank, which is believed, is another one
    return copy


def check(model, found, graph, sizes, concrete):
    """Every known size of the concrete copy is its expression and within its range."""
    env = dict(sizes)
    count = 0
    for value, actual in zip(tensors(model.module), tensors(concrete.module), strict=True):
        dims, shape = found.shape(value), shape_of(actual.type)
        if dims is None or shape is None:
            continue
        assert len(dims) == len(shape), value
        for axis, (e, size) in enumerate(zip(dims, shape, strict=True)):
            if size < 0:
                continue
            low, high = found.range(value, axis)
            assert low <= size <= high, (value.owner, axis, e, size, (low, high), sizes)
            if e.name is not None and e.name.startswith("?"):
                env.setdefault(e.name, size)
            if e.symbols() <= env.keys():
                assert e.evaluate(env) == size, (value.owner, axis, str(e), size, sizes)
                count += e.value is None
    return count


def symbols_of_inputs(found, graph):
    names = {
        n
        for a in graph.args
        if is_tensor(a.type)
        for e in found.shape(a) or ()
        for n in e.symbols()
    }
    return sorted(names)


def check_seed(seed, tries=4):
    from passes.testing.knobs import PROFILES
    from passes.testing.seeded import random_spec

    rng = random.Random(seed)
    knobs = PROFILES["default"].but(dynamic=0.0, layouts=0.0, refs=0.0, ref_inputs=0.0)
    built = random_spec(seed, knobs).build()
    text = built.text()
    model = opened(text, built.weights, rng)
    (graph,) = module_graphs(model.module)
    ctx = PassContext(weights=model.weights)
    found = ctx.analysis("symbolic-shapes", model.module)
    ranges = ctx.analysis("shape-ranges", model.module)
    known = found.graphs[graph.sym_name.data]
    for value, dims in known.shapes.items():
        held = None if dims is None else tuple(found.range(value, i) for i in range(len(dims)))
        assert ranges[value] == held
    names = symbols_of_inputs(found, graph)
    (source,) = module_graphs(parse(text, weights=built.weights).module)
    original = {}
    for arg, before in zip(graph.args, source.args, strict=True):
        if is_tensor(arg.type):
            for e, d in zip(found.shape(arg) or (), shape_of(before.type) or (), strict=True):
                if e.name is not None:
                    original[e.name] = d
    compared = 0
    for turn in range(tries):
        sizes = {}
        for n in names:
            low, high = known.ranges[n]
            sizes[n] = (
                original[n] if turn == 0 and n in original else rng.randint(low, min(high, 9))
            )
        concrete = with_sizes(model, found, sizes)
        if concrete is not None:
            compared += check(model, found, known, sizes, concrete)
    return compared


def test_expressions_and_ranges_hold_over_generated_graphs():
    assert sum(check_seed(seed) for seed in range(25)) > 40


@pytest.mark.full
def test_expressions_and_ranges_hold_over_many_graphs():
    assert sum(check_seed(seed) for seed in range(1000, 1150)) > 400


def check_values(seed):
    """Sizes that depend on values lie in their ranges, too: compared with golden values."""
    from ge_dialect.api import evaluate
    from passes.testing.inputs import input_sets
    from passes.testing.knobs import PROFILES
    from passes.testing.seeded import random_spec

    knobs = PROFILES["pure"].but(dynamic=0.0, layouts=0.0, data_dependent=0.6)
    spec = random_spec(seed, knobs)
    built = spec.build()
    model = opened(built.text(), built.weights, random.Random(seed))
    (graph,) = module_graphs(model.module)
    found = PassContext(weights=model.weights).analysis("symbolic-shapes", model.module)
    try:
        values = evaluate(built, input_sets(spec, seed, ["exact"])[0], keep="all").values
    except GeError:
        return 0
    count = 0
    for op in graph.body.ops:
        arrays = values.get(node_name(op) or "", [])
        for result, array in zip(op.results, arrays, strict=False):
            dims = found.shape(result) if is_tensor(result.type) else None
            for axis in range(len(dims or ())):
                low, high = found.range(result, axis)
                assert low <= array.shape[axis] <= high, (seed, op.name, axis)
                count += dims[axis].name in found.graphs[graph.sym_name.data].opaque
    return count


@pytest.mark.full
def test_sizes_that_depend_on_values_lie_in_their_ranges():
    assert sum(check_values(seed) for seed in range(150)) > 30


MODELS = {
    # sizes of the symbols to compare on
    "bert": [{"batch": 1, "sequence": 7}, {"batch": 3, "sequence": 1}],
    "gpt2": [
        {"batch": 2, "sequence": 5, "past": 3},
        {"batch": 1, "sequence": 1, "past": 9},
    ],
    "llama": [{"batch": 2, "sequence": 5, "past": 3}],
    "vit": [{"batch": 3}],
    "unet": [{"batch": 2, "height": 16, "width": 24}],
    "diffusion": [{"batch": 1, "height": 8, "width": 16, "sequence": 3}],
    "mobilenet_v3": [{"batch": 2}],
}


def check_model(name):
    pytest.importorskip("onnx")
    from ge_dialect.importers.onnx import import_onnx
    from ge_dialect.importers.onnx_models import example_model

    model = import_onnx(example_model(name, dynamic=True).proto)
    (graph,) = module_graphs(model.module)
    found = PassContext(weights=model.weights).analysis("symbolic-shapes", model.module)
    known = found.graphs[graph.sym_name.data]
    assert known.opaque == ()
    assert None not in known.shapes.values()
    for sizes in MODELS[name]:
        assert set(known.ranges) == set(sizes)
        concrete = with_sizes(model, found, sizes)
        assert concrete is not None
        assert check(model, found, known, sizes, concrete) > 50
        # nothing was left open, so all of it was compared
        assert all(-1 not in shape_of(v.type) for v in tensors(concrete.module))
    return model, found


@pytest.mark.parametrize("name", ["bert", "gpt2"])
def test_language_models_are_symbolic_everywhere(name):
    check_model(name)


@pytest.mark.full
@pytest.mark.parametrize("name", list(MODELS)[2:])
def test_example_models_are_symbolic_everywhere(name):
    check_model(name)


def test_batch_and_sequence_are_kept_apart_from_other_sizes():
    model, found = check_model("bert")
    (graph,) = module_graphs(model.module)
    last, pooled = graph.net_output.operands
    assert [str(e) for e in found.shape(last)] == ["batch", "sequence", "48"]
    assert [str(e) for e in found.shape(pooled)] == ["batch", "48"]
    assert found.equal(last, 0, graph.args[1], 0) is True
    assert found.equal(last, 0, graph.args[1], 1) is None
