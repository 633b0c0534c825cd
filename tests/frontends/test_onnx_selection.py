"""Indexing, scattering, sorting and random numbers where ONNX and GE differ, each by name."""

from __future__ import annotations

import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="needs the extra ge-opt[onnx]")

F32 = np.float32
X = np.arange(24, dtype=F32).reshape(2, 3, 4)


def ints(*values):
    return np.array(values, np.int64)


def compare(ox, op, inputs, constants=None, *, opset=13, outputs=("y",), types=None, **attrs):
    """The node with some inputs computed and some constant, against ONNX's evaluator."""
    constants = constants or {}
    names = [*inputs, *constants]
    order = sorted(names, key=lambda n: n[0])  # inputs are called a…, b…, c…
    node = ox.node(op, order, list(outputs), **attrs)
    proto = ox.model([node], inputs, list(outputs), opset=opset, constants=constants, types=types)
    ox.compare(proto, inputs)


def ops_of(ox, op, inputs, constants=None, *, opset=13, outputs=("y",), **attrs):
    from ge_dialect.importers.onnx import import_onnx

    constants = constants or {}
    order = sorted([*inputs, *constants], key=lambda n: n[0])
    node = ox.node(op, order, list(outputs), **attrs)
    proto = ox.model([node], inputs, list(outputs), opset=opset, constants=constants)
    return [o.ge_type for o in import_onnx(proto).graphs[0].body.ops]


def both(ox, op, first, rest, **kw):
    """All but the first input constant, then computed as well."""
    compare(ox, op, first, rest, **kw)
    compare(ox, op, {**first, **rest}, **kw)


def test_gather_nd_batch_dims(ox):
    for batch, indices in ((0, [[0, 2], [1, -1]]), (1, [[-1], [1]]), (2, [[[0], [1], [3]]] * 2)):
        both(ox, "GatherND", {"a": X}, {"b": np.array(indices, np.int64)}, batch_dims=batch)


def test_gather_elements_counts_negative_indices_from_the_end(ox):
    index = np.array([[[0, -1, 1, 2]], [[-3, 2, -2, 0]]])
    both(ox, "GatherElements", {"a": X}, {"b": index}, axis=1)


@pytest.mark.parametrize("reduction", ["none", "add", "mul", "max", "min"])
def test_scatter_nd_reductions_and_negative_indices(ox, reduction):
    rest = {"b": np.array([[1, -1], [0, 0], [1, 2]]), "c": np.ones((3, 4), F32) * 3}
    both(ox, "ScatterND", {"a": X}, rest, opset=18, reduction=reduction)


def test_scatter_nd_leaves_its_first_operand_alone(ox):
    fed = {"a": X[0, 0].copy(), "b": np.array([[1]]), "c": np.array([9], F32)}
    nodes = [ox.node("ScatterND", ["a", "b", "c"], ["y"]), ox.node("Neg", ["a"], ["z"])]
    ox.compare(ox.model(nodes, fed, ["y", "z"], opset=13), fed)


@pytest.mark.parametrize("reduction", ["none", "add", "mul", "max", "min"])
def test_scatter_elements_reductions(ox, reduction):
    index = np.array([[[1, -1, 0, 2]], [[0, 1, 2, 0]]])
    rest = {"b": index, "c": np.full(index.shape, 5, F32)}
    both(ox, "ScatterElements", {"a": X}, rest, opset=18, axis=1, reduction=reduction)


def test_top_k_takes_k_as_a_vector_and_gives_int64(ox):
    x = np.array([[1, 3, 3, 2], [4, 0, 4, 4]], F32)
    for largest in (0, 1):
        both(ox, "TopK", {"a": x}, {"b": ints(2)}, outputs=("y", "z"), largest=largest)
    both(ox, "TopK", {"a": x}, {"b": ints(1)}, outputs=("y", "z"), axis=0)


@pytest.mark.parametrize("op", ["ArgMax", "ArgMin"])
@pytest.mark.parametrize("last", [0, 1])
@pytest.mark.parametrize("keep", [0, 1])
def test_arg_of_equals_and_kept_dims(ox, op, last, keep):
    x = np.array([[2, 5, 5, 2], [1, 1, 1, 1]], F32)
    for axis in (0, 1, -1):
        compare(ox, op, {"a": x}, axis=axis, select_last_index=last, keepdims=keep)
    types = {"a": (1, ["n", "m"])}
    compare(ox, op, {"a": x}, types=types, axis=1, select_last_index=last, keepdims=keep)
    vector = x[0].copy()
    compare(ox, op, {"a": vector}, axis=0, select_last_index=last, keepdims=keep)


def test_compress_with_a_condition_shorter_than_the_axis(ox):
    both(ox, "Compress", {"a": X}, {"b": np.array([True, False, True])}, axis=2)
    both(ox, "Compress", {"a": X}, {"b": np.array([False, True, True])})


def test_unique_along_an_axis_and_unsorted(ox):
    x = np.array([[2, 1, 1, 2], [0, 3, 3, 0]], F32)
    names = ("w", "x1", "y", "z")
    for attrs in ({}, {"axis": 1}, {"axis": 0}):
        compare(ox, "Unique", {"a": x}, outputs=names, **attrs)
    # ONNX's evaluator fails on these; the values follow from the specification
    for axis, y in ((None, [2, 1, 0, 3]), (1, [[2, 1], [0, 3]])):
        attrs = {} if axis is None else {"axis": axis}
        node = ox.node("Unique", ["a"], list(names), sorted=0, **attrs)
        found = ox.run(ox.model([node], {"a": x}, names, opset=13), {"a": x})
        assert found[0].tolist() == y
        assert found[1].tolist() == ([0, 1, 4, 5] if axis is None else [0, 1])
        assert found[2].tolist() == ([0, 1, 1, 0, 2, 3, 3, 2] if axis is None else [0, 1, 1, 0])
        assert found[3].tolist() == ([2, 2, 2, 2] if axis is None else [2, 2])


def test_one_hot_indices_out_of_range_are_off_and_negative_ones_wrap(ox):
    index = np.array([[0, -1], [7, -9]], np.int64)
    for axis in (0, 1, -1):
        rest = {"b": np.array(4), "c": np.array([2, 5], F32)}
        both(ox, "OneHot", {"a": index}, rest, axis=axis)
    both(ox, "OneHot", {"a": index.astype(F32)}, {"b": np.array(4.0, F32), "c": ints(0, 1)})


def test_non_zero_gives_a_column_each(ox):
    compare(ox, "NonZero", {"a": np.array([[1, 0], [0, 2], [3, 4]], F32)})


def test_trilu_beyond_the_corners(ox):
    for k in (-5, -1, 0, 2, 5):
        for upper in (0, 1):
            both(ox, "Trilu", {"a": X}, {"b": np.array(k)}, opset=14, upper=upper)


SLICES = [
    (ints(1), ints(2**63 - 1), ints(-1), ints(2)),
    (ints(-1), ints(-(2**63)), ints(1), ints(-1)),
    (ints(-9, 1), ints(9, 3), ints(2, 0), ints(1, 1)),
    (ints(2), ints(1), ints(1), ints(1)),
    (ints(5, 0), ints(-5, 2), ints(-1, -2), ints(-2, 1)),
]


@pytest.mark.parametrize("case", SLICES)
def test_slice_with_everything_computed(ox, case):
    starts, ends, axes, steps = case
    both(ox, "Slice", {"a": X}, {"b": starts, "c": ends, "d": axes, "e": steps})
    compare(ox, "Slice", {"a": X, "b": starts, "c": ends}, {"d": axes, "e": steps})
    compare(ox, "Slice", {"a": X, "d": axes}, {"b": starts, "c": ends, "e": steps})


def test_slice_without_axes_and_steps(ox):
    both(ox, "Slice", {"a": X}, {"b": ints(1, 0), "c": ints(2, -1)})


def test_pad_axes_and_wrap(ox):
    x, value = X[0], np.array(7, F32)
    both(ox, "Pad", {"a": x}, {"b": ints(1, 2), "c": value, "d": ints(-1)}, opset=18)
    rest = {"b": ints(1, 0, 0, 2), "c": value, "d": ints(-1, 0)}
    both(ox, "Pad", {"a": x}, rest, opset=18)
    for pads in (ints(1, 2, 0, 3), ints(0, 7, 2, 0)):
        both(ox, "Pad", {"a": x}, {"b": pads}, opset=19, mode="wrap")


def test_split_sizes_may_be_computed(ox):
    sizes = {"b": ints(1, 3)}
    both(ox, "Split", {"a": X}, sizes, outputs=("y", "z"), axis=-1)
    types = {"a": (1, [2, 3, "n"])}
    outputs = ("w", "y", "z")
    node = {"opset": 18, "outputs": outputs, "types": types, "axis": 2, "num_outputs": 3}
    compare(ox, "Split", {"a": X}, **node)


def test_range_of_computed_bounds(ox):
    for a, b, c in ((1, 9, 3), (5, -3, -2), (3, 3, 1)):
        for kind in (np.int64, np.int32, F32):
            compare(ox, "Range", {k: np.array(v, kind) for k, v in zip("abc", (a, b, c))})  # noqa: B905


def test_cum_sum_reversed_and_exclusive(ox):
    for attrs in ({}, {"reverse": 1}, {"exclusive": 1}, {"reverse": 1, "exclusive": 1}):
        both(ox, "CumSum", {"a": X}, {"b": np.array(-2, np.int32)}, **attrs)


def test_reverse_sequence_axes(ox):
    x = X.transpose(2, 0, 1).copy()
    both(ox, "ReverseSequence", {"a": x}, {"b": ints(3, 1)})
    both(ox, "ReverseSequence", {"a": X}, {"b": ints(3, 1)}, time_axis=1, batch_axis=0)


def test_hardmax_before_13_takes_all_trailing_axes_together(ox):
    x = np.array([[[1, 2], [2, 0]], [[3, 1], [3, 3]]], F32)
    compare(ox, "Hardmax", {"a": x})
    compare(ox, "Hardmax", {"a": x}, axis=0)
    compare(ox, "Hardmax", {"a": x.reshape(2, 4)}, opset=11, axis=1)


def test_bit_shift_of_more_than_the_width(ox):
    x, count = np.array([1, 200, 255], np.uint8), np.array([7, 8, 1], np.uint8)
    for direction in ("LEFT", "RIGHT"):
        compare(ox, "BitShift", {"a": x, "b": count}, direction=direction)


def test_reshape_to_computed_zeros_that_are_sizes(ox):
    empty = np.zeros((0, 3, 4), F32)
    compare(ox, "Reshape", {"a": empty, "b": ints(3, 4, 0)}, opset=14, allowzero=1)
    compare(ox, "Reshape", {"a": X, "b": ints(4, 6)}, opset=14, allowzero=1)


def test_optional_of_nothing_has_no_element(ox):
    proto = ox.model([ox.node("OptionalHasElement", [""], ["y"])], {}, ["y"], opset=18)
    assert ox.run(proto, {})[0].tolist() is False


def test_what_ge_has_is_one_node(ox):
    assert ops_of(ox, "GatherElements", {"a": X, "b": np.zeros((1, 1, 1), np.int64)})[0] == (
        "GatherElements"
    )
    found = ops_of(ox, "TopK", {"a": X, "b": ints(1)}, outputs=("y", "z"))
    assert found[0] == "TopKV2"
    assert "Triu" in ops_of(ox, "Trilu", {"a": X}, {"b": np.array(1)}, opset=14)
    assert "OneHot" in ops_of(ox, "Hardmax", {"a": X})


# --- random numbers ---------------------------------------------------------------------------


def drawn(ox, op, inputs=None, *, opset=15, outputs=("y",), **attrs):
    inputs = inputs or {}
    node = ox.node(op, list(inputs), list(outputs), name="noise", **attrs)
    return ox.run(ox.model([node], inputs, list(outputs), opset=opset), inputs)


def test_random_uniform_stays_in_its_bounds(ox):
    (y,) = drawn(ox, "RandomUniform", shape=[50, 40], low=-3.0, high=-1.0)
    assert y.dtype == F32
    assert y.min() >= -3
    assert y.max() < -1
    assert abs(y.mean() + 2) < 0.1
    (half,) = drawn(ox, "RandomUniformLike", {"a": X}, dtype=10)
    assert half.dtype == np.float16
    assert half.shape == X.shape


def test_random_normal_has_its_mean_and_scale(ox):
    (y,) = drawn(ox, "RandomNormal", shape=[5000], mean=4.0, scale=0.5)
    assert abs(y.mean() - 4) < 0.05
    assert abs(y.std() - 0.5) < 0.05
    (like,) = drawn(ox, "RandomNormalLike", {"a": X})
    assert (like.shape, like.dtype) == (X.shape, F32)


def test_seeds_make_other_numbers_and_the_same_twice(ox):
    one, again, other = (drawn(ox, "RandomUniform", shape=[8], seed=s)[0] for s in (1.0, 1.0, 2.0))
    np.testing.assert_array_equal(one, again)
    assert (one != other).any()


def test_bernoulli_follows_the_probability(ox):
    p = np.repeat(np.array([0.0, 0.25, 1.0], F32), 2000)
    (y,) = drawn(ox, "Bernoulli", {"a": p}, dtype=7)
    assert y.dtype == np.int64
    rates = y.reshape(3, -1).mean(axis=1)
    np.testing.assert_allclose(rates, [0, 0.25, 1], atol=0.05)


def test_multinomial_follows_the_logits(ox):
    logits = np.log(np.array([[1, 3, 4]], F32) / 8)
    (y,) = drawn(ox, "Multinomial", {"a": logits}, sample_size=4000)
    assert (y.dtype, y.shape) == (np.int32, (1, 4000))
    rates = [(y == c).mean() for c in range(3)]
    np.testing.assert_allclose(rates, [1 / 8, 3 / 8, 4 / 8], atol=0.05)


@pytest.mark.parametrize("training", [False, True])
def test_dropout_in_training_scales_what_it_keeps(ox, training):
    x = np.ones(4000, F32)
    fed = {"a": x, "b": np.array(0.25, F32), "c": np.array(training)}
    y, mask = drawn(ox, "Dropout", fed, opset=13, outputs=("y", "z"))
    assert mask.dtype == bool
    np.testing.assert_allclose(y, np.where(mask, 1 / 0.75 if training else 1, 0), rtol=1e-6)
    assert abs(mask.mean() - (0.75 if training else 1)) < 0.05


# --- unknown dims -----------------------------------------------------------------------------

N3 = {"a": (1, ["n", "m", "k"])}
DYNAMIC = [
    ("ArgMin", {"a": X}, {}, 13, {"axis": 1}),
    ("Compress", {"a": X}, {"b": np.array([True, False])}, 13, {"axis": 1}),
    ("CumSum", {"a": X}, {"b": np.array(1)}, 14, {}),
    ("GatherElements", {"a": X}, {"b": np.zeros((2, 3, 2), np.int64)}, 13, {"axis": 2}),
    ("GatherND", {"a": X}, {"b": np.array([[1, -1]])}, 13, {}),
    ("Hardmax", {"a": X}, {}, 13, {}),
    ("NonZero", {"a": X}, {}, 13, {}),
    ("Pad", {"a": X}, {"b": ints(1, 1), "c": np.array(0, F32), "d": ints(2)}, 18, {}),
    ("Pad", {"a": X}, {"b": ints(0, 1, 0, 0, 0, 2)}, 19, {"mode": "wrap"}),
    ("ScatterElements", {"a": X}, {"b": np.array([[[1]]]), "c": np.ones((1, 1, 1), F32)}, 18, {}),
    ("ScatterND", {"a": X}, {"b": np.array([[1, -1]]), "c": np.ones((1, 4), F32)}, 18, {}),
    ("Slice", {"a": X, "b": ints(1)}, {"c": ints(9), "d": ints(-1)}, 13, {}),
    ("Split", {"a": X, "b": ints(1, 2)}, {}, 13, {"axis": 1}),
    ("Trilu", {"a": X}, {"b": np.array(1)}, 14, {}),
]


@pytest.mark.parametrize("row", DYNAMIC, ids=[r[0] for r in DYNAMIC])
def test_operator_on_unknown_dims(ox, row):
    op, inputs, constants, opset, attrs = row
    outputs = ("y", "z") if op == "Split" else ("y",)
    compare(ox, op, inputs, constants, opset=opset, outputs=outputs, types=N3, **attrs)


def test_random_numbers_of_unknown_shape(ox):
    for op in ("RandomUniformLike", "RandomNormalLike", "Bernoulli"):
        node = ox.node(op, ["a"], ["y"])
        x = np.full((2, 3, 4), 0.5, F32)
        (y,) = ox.run(ox.model([node], {"a": x}, ["y"], opset=15, types=N3), {"a": x})
        assert y.shape == x.shape


def test_top_k_of_unknown_dims_and_computed_k(ox):
    fed = {"a": X, "b": ints(2)}
    compare(ox, "TopK", fed, types=N3, outputs=("y", "z"), axis=1)


def test_one_hot_of_unknown_dims_and_computed_depth(ox):
    fed = {"a": np.array([[0, 1], [2, -1]], np.int64), "b": np.array(3)}
    rest = {"c": np.array([0, 1], F32)}
    compare(ox, "OneHot", fed, rest, types={"a": (7, ["n", "m"])})
