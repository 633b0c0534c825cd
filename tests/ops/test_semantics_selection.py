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


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("op_type", list(_cases(np.zeros((2, 2), np.float32))))
def test_every_dtype_of_the_prototype(op_type, name):
    """What the prototype takes is computed, in its dtype; what it does not is another test."""
    cls = op_class(op_type)
    slot = {"ScatterNd": 1, "OneHot": 2}.get(op_type, 0)
    spec = cls.ge_table().inputs[slot].dtypes
    if BY_NAME[name].type not in expand_spec(cls.TYPES.get(spec, spec)):
        return
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
