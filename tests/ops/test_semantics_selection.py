"""Meaning of indexing, sorting, selection and bits: every dtype, special values, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from ge_dialect.diagnostics import GeError
from ge_dialect.dtypes import BY_NAME, expand_spec, ge_name, numpy_dtype
from ge_dialect.ir import op_class
from ge_dialect.semantics.evaluator import apply_op

NAMES = [n for n, d in BY_NAME.items() if d.numpy not in (None, "object")]
INDEX = np.array([[1, 0], [0, 1]], np.int64)
ROWS = np.array([[1], [0]], np.int64)


def _x(name):
    """A 2x2 tensor with the values 1 0 / 2 1 as the dtype has them."""
    dtype = numpy_dtype(BY_NAME[name].type)
    values = np.array([[1, 0], [2, 1]], np.float32)
    if dtype.kind == "b" or (dtype.kind == "V" and name.startswith(("int", "uint"))):
        return (values % 2).astype(np.int8).astype(dtype)
    return values.astype(dtype)


def _cases(x):
    one = x[:1, 0].copy()
    return {
        "GatherElements": ([x, INDEX], {}),
        "GatherNd": ([x, ROWS], {}),
        "StridedSliceV2": ([x, np.array([0]), np.array([1]), np.array([1])], {}),
        "ScatterElements": ([x, INDEX, x], {}),
        "ScatterNd": ([ROWS, x, np.array([2, 2])], {}),
        "TensorScatterUpdate": ([x, ROWS, x], {}),
        "ReverseSequence": ([x, np.array([1, 2])], {"seq_dim": 1}),
        "ReverseV2": ([x, np.array([0])], {}),
        "TopKV2": ([x, np.array(1)], {}),
        "Sort": ([x], {}),
        "HostUnique": ([x], {}),
        "Unique": ([x.reshape(-1)], {}),
        "ArgMaxV2": ([x, np.array(0)], {}),
        "Cumsum": ([x, np.array(0)], {}),
        "Cumprod": ([x, np.array(0)], {}),
        "MaskedSelect": ([x, np.eye(2, dtype=bool)], {}),
        "MaskedFill": ([x, np.eye(2, dtype=bool), one], {}),
        "OneHot": ([INDEX, np.array(2), one, one], {}),
        "Tril": ([x], {}),
        "Triu": ([x], {}),
        "Where": ([x], {}),
        "NonZero": ([x], {}),
        "LeftShift": ([x, x], {}),
        "RightShift": ([x, x], {}),
        "Einsum": ([[x, x]], {"equation": "ij,jk->ik", "N": 2}),
    }


def _pairs():
    """Each operator with the dtypes of its prototype that numpy can hold."""
    for op_type in _cases(np.zeros((2, 2), np.float32)):
        cls = op_class(op_type)
        slot = {"ScatterNd": 1, "OneHot": 2}.get(op_type, 0)
        spec = cls.ge_table().inputs[slot].dtypes
        taken = expand_spec(cls.TYPES.get(spec, spec))
        yield from ((op_type, name) for name in NAMES if BY_NAME[name].type in taken)


@pytest.mark.parametrize(("op_type", "name"), list(_pairs()))
def test_every_dtype_of_the_prototype(op_type, name):
    x = _x(name)
    args, attrs = _cases(x)[op_type]
    results = apply_op(op_type, args, attrs)
    assert results
    if ge_name(_elem(results[0])) not in ("int64", "int32"):
        assert results[0].dtype == x.dtype
    again = apply_op(op_type, args, attrs, compute_dtype=np.float64)
    assert [r.shape for r in again] == [r.shape for r in results]


def _elem(array):
    from ge_dialect.dtypes import from_numpy

    return from_numpy(array.dtype)


def test_nan_is_the_largest_and_comes_first_of_its_kind():
    x = np.array([1, np.nan, 3, np.nan], np.float32)
    assert apply_op("ArgMaxV2", [x, np.array(0)])[0] == 1
    assert apply_op("ArgMin", [x, np.array(0)])[0] == 1
    values, places = apply_op("TopKV2", [x, np.array(3)])
    assert places.tolist() == [1, 3, 2]
    assert np.isnan(values[:2]).all()
    assert apply_op("Sort", [x])[1].tolist() == [0, 2, 1, 3]


def test_equal_elements_keep_their_order():
    x = np.array([2, 1, 2, 1, 2], np.int32)
    assert apply_op("TopKV2", [x, np.array(3)])[1].tolist() == [0, 2, 4]
    assert apply_op("TopKV2", [x, np.array(2)], {"largest": False})[1].tolist() == [1, 3]
    assert apply_op("Sort", [x], {"descending": True})[1].tolist() == [0, 2, 4, 1, 3]


def test_the_last_update_of_an_element_wins():
    x, index = np.zeros(3, np.float32), np.array([1, 1, 2])
    updates = np.array([5, 6, 7], np.float32)
    assert apply_op("ScatterElements", [x, index, updates])[0].tolist() == [0, 6, 7]
    (y,) = apply_op("TensorScatterUpdate", [x, index[:, None], updates])
    assert y.tolist() == [0, 6, 7]
    (y,) = apply_op("ScatterNd", [index[:, None], updates, np.array([3])])
    assert y.tolist() == [0, 11, 7]


def test_narrow_floats_are_summed_in_float32():
    x = np.full(3000, 1.0, np.float16)
    assert apply_op("Cumsum", [x, np.array(0)])[0][-1] == 3000
    data, index = np.zeros(1, np.float16), np.zeros(3000, np.int64)
    attrs = {"reduction": "add"}
    assert apply_op("ScatterElements", [data, index, x], attrs)[0].tolist() == [3000]


def test_running_sums_of_integers_wrap():
    x = np.array([100, 100, 100], np.int8)
    assert apply_op("Cumsum", [x, np.array(0)])[0].tolist() == [100, -56, 44]


@pytest.mark.parametrize(
    ("op_type", "args"),
    [
        ("GatherElements", [np.zeros(3, np.float32), np.array([3])]),
        ("GatherNd", [np.zeros(3, np.float32), np.array([[-1]])]),
        ("ScatterElements", [np.zeros(3, np.float32), np.array([-4]), np.ones(1, np.float32)]),
        ("ScatterNd", [np.array([[5]]), np.ones(1, np.float32), np.array([3])]),
        ("TensorScatterUpdate", [np.zeros(3), np.array([[3]]), np.ones(1)]),
    ],
)
def test_an_index_outside_is_refused(op_type, args):
    with pytest.raises(GeError, match="outside the axis"):
        apply_op(op_type, args)


def test_boxes_of_equal_score_and_no_bound():
    boxes = np.array([[[0, 0, 1, 1], [0, 0, 1, 1], [2, 2, 3, 3]]], np.float32)
    scores = np.array([[[0.5, 0.5, 0.9]]], np.float32)
    args = [boxes, scores, None, np.array(0.5, np.float32)]
    assert apply_op("NonMaxSuppressionV6", args)[0].tolist() == [[0, 0, 2], [0, 0, 0]]
    args[2] = np.array(1)
    assert apply_op("NonMaxSuppressionV6", args)[0].tolist() == [[0, 0, 2]]


def test_bits_of_a_float():
    x = np.array([1.0, -2.0], np.float32)
    (y,) = apply_op("Bitcast", [x], {"type": BY_NAME["int32"].type})
    assert y.tolist() == [0x3F800000, -0x40000000]
    (z,) = apply_op("Bitcast", [x], {"type": BY_NAME["uint8"].type})
    assert z.tolist() == [[0, 0, 128, 63], [0, 0, 0, 192]]


# --- what has no kernel, against plain loops --------------------------------------------------


def _ranges(rng):
    return tuple(int(n) for n in rng.integers(0, 4, rng.integers(1, 4)))


@pytest.mark.parametrize("seed", range(20))
def test_coordinates_and_masks_by_loops(seed):
    rng = np.random.default_rng(seed)
    shape = _ranges(rng)
    x = rng.integers(-1, 2, shape).astype([np.float32, np.int8, bool][seed % 3])
    places = [list(p) for p in np.ndindex(shape) if x[p] != 0]
    (found,) = apply_op("Where", [x])
    assert found.tolist() == places
    (found,) = apply_op("NonZero", [x], {"transpose": True})
    assert found.shape == (len(shape), len(places))
    assert found.T.tolist() == places
    mask = rng.random(shape) < 0.5
    (found,) = apply_op("MaskedSelect", [x, mask])
    assert found.tolist() == [x[p].item() for p in np.ndindex(shape) if mask[p]]


@pytest.mark.parametrize("seed", range(20))
def test_distinct_values_by_a_dictionary(seed):
    rng = np.random.default_rng(seed)
    x = rng.integers(-2, 3, rng.integers(0, 9)).astype(np.float32)
    first: dict[float, int] = {}
    for place, value in enumerate(x.tolist()):
        first.setdefault(value, place)
    order = list(first)
    where, counts = [order.index(v) for v in x.tolist()], [x.tolist().count(v) for v in order]
    y, idx, count = apply_op("UniqueWithCounts", [x], {"out_idx": BY_NAME["int64"].type})
    assert (y.tolist(), idx.tolist(), count.tolist()) == (order, where, counts)
    assert apply_op("Unique", [x])[0].tolist() == order
    y, indices, inverse, count = apply_op("HostUnique", [x], {"sorted": False})
    assert (y.tolist(), indices.tolist()) == (order, list(first.values()))
    assert (inverse.tolist(), count.tolist()) == (where, counts)
    y, indices, inverse, count = apply_op("HostUnique", [x])
    assert y.tolist() == sorted(order)
    assert y[inverse].tolist() == x.tolist()
    assert [first[v] for v in y.tolist()] == indices.tolist()
    assert [x.tolist().count(v) for v in y.tolist()] == count.tolist()


@pytest.mark.parametrize("seed", range(20))
def test_distinct_slices_by_a_dictionary(seed):
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 2, (3, 6, 2)[: int(rng.integers(2, 4))]).astype(np.int32)
    axis = int(rng.integers(-x.ndim, x.ndim))
    rows = [s.tolist() for s in np.moveaxis(x, axis, 0)]
    order = [r for i, r in enumerate(rows) if r not in rows[:i]]
    for is_sorted in (False, True):
        want = sorted(order) if is_sorted else order
        attrs = {"axis": axis, "sorted": is_sorted}
        y, indices, inverse, count = apply_op("HostUnique", [x], attrs)
        assert [s.tolist() for s in np.moveaxis(y, axis, 0)] == want
        assert indices.tolist() == [rows.index(r) for r in want]
        assert inverse.tolist() == [want.index(r) for r in rows]
        assert count.tolist() == [rows.count(r) for r in want]


def _kept(boxes, scores, limit, overlap, least):
    """Greedy choice over corners (y1, x1, y2, x2) in order, one box after the other."""

    def area(b):
        return (b[2] - b[0]) * (b[3] - b[1])

    def shared(a, b):
        height = min(a[2], b[2]) - max(a[0], b[0])
        width = min(a[3], b[3]) - max(a[1], b[1])
        inner = max(height, 0) * max(width, 0)
        whole = area(a) + area(b) - inner
        return inner / whole if whole > 0 else 0

    kept: list[int] = []
    for i in sorted(range(len(boxes)), key=lambda k: (-scores[k], k)):
        fits = all(shared(boxes[i], boxes[j]) <= overlap for j in kept)
        if len(kept) < limit and scores[i] > least and fits:
            kept.append(i)
    return kept


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("centred", [0, 1])
def test_choice_of_boxes_by_loops(seed, centred):
    rng = np.random.default_rng(seed)
    images, classes, count = 2, 2, int(rng.integers(1, 9))
    low = rng.integers(0, 6, (images, count, 2))
    high = low + rng.integers(1, 5, (images, count, 2))
    corners = np.concatenate([low, high], -1).astype(np.float32)
    if centred:
        boxes = np.concatenate([(low + high) / 2, high - low], -1).astype(np.float32)
    else:
        swap = rng.random((images, count, 1)) < 0.5  # corners come in any order
        boxes = np.where(swap, corners[..., [2, 3, 0, 1]], corners)
    scores = rng.integers(0, 5, (images, classes, count)).astype(np.float32) / 4
    limit, overlap, least = int(rng.integers(0, 5)), 0.3, 0.1
    (found,) = apply_op(
        "NonMaxSuppressionV6",
        [boxes, scores, np.array(limit), np.float32(overlap), np.float32(least)],
        {"center_point_box": centred},
    )
    want = [
        [i, c, k]
        for i in range(images)
        for c in range(classes)
        for k in _kept(corners[i].tolist(), scores[i, c].tolist(), limit, overlap, least)
    ]
    assert found.tolist() == want
