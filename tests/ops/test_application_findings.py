"""Faults that single applications of operators brought to light, each as its smallest case."""

from __future__ import annotations

import numpy as np
import pytest

from ge_dialect.diagnostics import GeError
from ge_dialect.dtypes import to_xdsl
from ge_dialect.infer.errors import InferError
from ge_dialect.infer.node import infer_parts
from ge_dialect.infer.reshape import reshape_shape
from ge_dialect.ir.base import DYNAMIC
from ge_dialect.ir.types import shape_of, tensor_type
from ge_dialect.ops.registry import op_class
from ge_dialect.semantics import apply_op

F32 = np.float32
I32 = np.int32


def inferred(op, types, attrs=None, **consts):
    """Shape of the only result for (shape, dtype) pairs."""
    given = [t if t is None else tensor_type(t[0], to_xdsl(t[1])) for t in types]
    (type_,) = infer_parts(op_class(op), given, attrs or {}, consts.get)
    return shape_of(type_)


def test_what_a_reshape_copies_cancels_out_without_elements_too():
    assert reshape_shape((0, 3), (0, -1)) == (0, 3)
    assert reshape_shape((3, 0), (0, -1)) == (3, 0)
    assert reshape_shape((-1, 3), (0, -1)) == (-1, 3)
    for shape, target in (((0, 3, 1), [0, -1]), ((0, 3), [3, 0]), ((2, 0), [0, 0, 5])):
        (y,) = apply_op("Reshape", [np.zeros(shape, F32), np.array(target)])
        assert y.shape == reshape_shape(shape, target)


def test_a_reshape_of_what_may_be_empty_takes_zero_for_a_size():
    assert reshape_shape((-1, 3), (3, 0)) == (3, -1)
    assert reshape_shape((0, 3), (3, 0)) == (3, 0)


def test_one_scale_serves_a_scalar():
    attrs = {"relu_flag": True}
    (y,) = apply_op("AscendDequant", [I32(3), np.ones(1, np.float16)], attrs)
    assert y.shape == ()
    (y,) = apply_op("AscendAntiQuantV2", [np.int8(3), np.ones(1, F32), np.ones(1, F32)])
    assert y.shape == ()


@pytest.mark.parametrize("op", ["PRelu", "ClipByValue", "AscendDequant"])
def test_an_unknown_length_may_be_one(op):
    scalar, vector = ((), "float32"), ((-1,), "float32")
    types = [scalar, vector, vector] if op == "ClipByValue" else [scalar, vector]
    if op == "AscendDequant":
        types = [((2,), "int32"), ((-1,), "float16")]
    assert inferred(op, types) == types[0][0]


def test_paddings_of_all_befores_then_all_afters_are_counted():
    types = [((), "float32"), ((4, 2), "int64"), None]
    with pytest.raises(InferError, match="pair per axis"):
        inferred("PadV3", types, {"paddings_contiguous": False, "mode": "edge"}, paddings=[0] * 8)


def test_integer_sums_take_no_float_bias():
    types = [((2, 3), "int32"), ((3, 4), "int32"), ((4,), "float32")]
    with pytest.raises(InferError, match="integer"):
        inferred("MatMul", types)


def test_a_stride_of_zero_is_refused_where_the_axis_is_dropped_too():
    attrs = {"begin": [0], "end": [1], "strides": [0], "shrink_axis_mask": 1}
    with pytest.raises(InferError, match="strides"):
        inferred("StridedSliceD", [((2,), "float32")], attrs)


def test_valid_pooling_of_volumes_does_not_round_up():
    attrs = {"ksize": [1, 1, 2, 2, 2], "strides": [1, 1, 2, 2, 2], "data_format": "NCDHW"}
    attrs |= {"padding": "VALID", "ceil_mode": 1}
    (y,) = apply_op("MaxPool3D", [np.zeros((1, 1, 3, 4, 3), F32)], attrs)
    assert y.shape == (1, 1, 1, 2, 1)


def test_depthwise_convolution_without_channels():
    attrs = {"strides": [1] * 4, "pads": [0] * 4, "data_format": "NCHW"}
    args = [np.zeros((4, 0, 4, 4), F32), np.zeros((0, 1, 1, 1), F32)]
    assert apply_op("DepthwiseConv2D", args, attrs)[0].shape == (4, 0, 4, 4)


def test_minus_one_keeps_an_axis_that_is_stretched_by_nothing():
    assert inferred("BroadcastTo", [((1, 3), "float32"), ((2,), "int64")], shape=[-1, 3]) == (1, 3)


def test_a_variable_takes_the_shape_of_what_it_is_assigned():
    from ge_dialect.ir.types import ref_type

    types = [ref_type(tensor_type((3, 0), to_xdsl("float32")))]
    types.append(tensor_type((3, 2), to_xdsl("float32")))
    attrs = {"validate_shape": False}
    (type_,) = infer_parts(op_class("Assign"), types, attrs, lambda _: None)
    assert shape_of(type_) == (3, 2)


def test_a_string_alone_stays_a_string():
    (y,) = apply_op("Add", [np.array("a", object), np.array("b", object)])
    assert y.dtype == object
    assert y.item() == "ab"
    words = np.array(["a", "b"], object)
    assert apply_op("GatherV2", [words, np.array(1), np.array(0)])[0].item() == "b"


@pytest.mark.parametrize(
    ("op", "args", "attrs"),
    [
        ("HostCol2Im", [np.full((1, 4, 1), "a", object), *[np.array([2, 2])] * 2], {}),
        (
            "ScatterElements",
            [np.full(2, "a", object), np.array([1]), np.full(1, "b", object)],
            {"reduction": "mul"},
        ),
        ("ReduceMaxD", [np.ones(2, np.complex64)], {"axes": [0]}),
    ],
)
def test_what_has_no_meaning_is_refused_with_a_diagnostic(op, args, attrs):
    with pytest.raises(GeError):
        apply_op(op, args, attrs)


def test_resizing_to_nothing():
    sizes, attrs = np.array([1, 2, 0, 1]), {"mode": "linear", "antialias": True}
    (y,) = apply_op("Resize", [np.zeros((1, 2, 6, 4), F32), None, None, sizes], attrs)
    assert y.shape == (1, 2, 0, 1)


def test_frames_of_another_length_than_their_window():
    args = [np.zeros((1, 7, 1), F32), np.array(1), np.ones(4, F32), np.array(1)]
    with pytest.raises(GeError, match="agree"):
        apply_op("HostSTFT", args)


def test_counts_of_rows_without_elements():
    attrs = {
        "mode": "TF",
        "min_gram_length": 1,
        "max_gram_length": 1,
        "max_skip_count": 0,
        "ngram_counts": [0],
        "ngram_indexes": [0, 1],
        "pool_int64s": [1, 2],
    }
    (y,) = apply_op("HostTfIdfVectorizer", [np.zeros((4, 0), np.int64)], attrs)
    np.testing.assert_array_equal(y, np.zeros((4, 2)))


@pytest.mark.parametrize("op", ["Conv2D", "Conv3D"])
def test_integer_convolutions_take_no_float_bias(op):
    ones = [1] * (4 if op == "Conv2D" else 5)
    attrs = {"strides": ones, "pads": [0] * (2 * (len(ones) - 2))}
    attrs["data_format"] = "NCHW" if op == "Conv2D" else "NCDHW"
    types = [((1, 2, *ones[2:]), "int8"), ((3, 2, *ones[2:]), "int8"), ((3,), "float32")]
    with pytest.raises(InferError, match="integer"):
        inferred(op, types, attrs)


def test_an_unknown_length_of_scales_may_be_one():
    types = [((2, 3, 4), "float32"), ((2, 3, 4), "float32"), ((3, 4), "float32")]
    given = [tensor_type(s, to_xdsl(d)) for s, d in [*types, types[2], ((-1,), "float32")]]
    args = [*given[:4], None, None, None, given[4]]
    found = infer_parts(op_class("AddRmsNormQuant"), args, {}, lambda _: None)
    assert shape_of(found[0]) == (2, 3, 4)


def test_a_negative_size_is_no_size_of_a_transposed_convolution():
    attrs = {"strides": [1, 1, 2, 2, 1], "pads": [0] * 6, "data_format": "NCDHW"}
    types = [((5,), "int64"), ((0, 0, 1, 0, 0), "float16"), ((0, 4, 1, 1, 1), "float16")]
    types += [None, None]
    with pytest.raises(InferError, match="input_size"):
        inferred("Conv3DTranspose", types, attrs, input_size=[0, 0, 0, -1, 0])


@pytest.mark.parametrize(("shape", "target", "found"), [
    ((-1, 1, 0, 7, 7, -1), (0, 0), (-1, -1)),
    ((2, 1, 0, 7), (0, 0), (0, 0)),
    ((2, -1, -1), (0, 5, 0), (-1, 5, -1)),
    ((8, -1, 4), (0, 0, 4), (8, -1, 4)),
    ((8, 0, -1), (0, 0, 5), (8, 0, 5)),
    ((-1, 12), (0, 3, 4), (-1, 3, 4)),
])  # fmt: skip
def test_what_a_reshape_copies_is_open_where_the_input_may_be_empty(shape, target, found):
    assert reshape_shape(shape, target) == found


def test_a_mask_of_one_sample_serves_all():
    q, k = np.ones((2, 1, 8), F32), np.arange(64, dtype=F32).reshape(2, 4, 8)
    attrs = {"num_heads": 2, "num_key_value_heads": 2}
    once = [q, [k], [k], None, np.array([[0, 1, 0, 0]], np.int8), *[None] * 10]
    twice = [*once[:4], np.repeat(once[4], 2, axis=0), *once[5:]]
    results = [apply_op("IncreFlashAttention", args, attrs)[0] for args in (once, twice)]
    np.testing.assert_array_equal(*results)


def _prompt(lengths, mode=3):
    q, k = np.ones((1, 3, 2, 2), F32), np.ones((1, 1, 2, 2), F32)
    mask = np.zeros((3, 1), bool)
    args = [q, k, k, None, mask, None, np.array([lengths]), *[None] * 5]
    attrs = {"num_heads": 2, "num_key_value_heads": 2, "input_layout": "BSND"}
    return apply_op("PromptFlashAttention", args, {**attrs, "sparse_mode": mode})[0]


def test_a_length_beyond_the_positions_is_all_of_them():
    assert _prompt(2).shape == (1, 3, 2, 2)
    with pytest.raises(GeError, match="negative"):
        _prompt(-1)


def test_a_mask_fits_the_positions_of_a_pool_of_blocks():
    attrs = {"num_heads": 2, "num_key_value_heads": 2, "block_size": 2}
    pool, one = tensor_type((4, 2, 8), to_xdsl("float32")), to_xdsl("float32")
    given = [tensor_type((2, 1, 8), one), [pool], [pool], None, None,
             tensor_type((2,), to_xdsl("int64")), *[None] * 7,
             tensor_type((2, 3), to_xdsl("int32")), None]  # fmt: skip
    for width, right in ((6, True), (7, False)):
        given[4] = tensor_type((2, width), to_xdsl("bool"))
        if right:
            infer_parts(op_class("IncreFlashAttention"), given, attrs, lambda _: None)
        else:
            with pytest.raises(InferError):
                infer_parts(op_class("IncreFlashAttention"), given, attrs, lambda _: None)


def test_keys_and_values_of_a_sample_have_as_many_positions():
    f32 = to_xdsl("float32")
    parts = [[tensor_type((1, n, 8), f32) for n in lengths] for lengths in ((2, 3), (2, 4))]
    given = [tensor_type((2, 1, 8), f32), *parts, *[None] * 12]
    attrs = {"num_heads": 2, "num_key_value_heads": 2}
    with pytest.raises(InferError, match="positions"):
        infer_parts(op_class("IncreFlashAttention"), given, attrs, lambda _: None)


@pytest.mark.parametrize(("place", "shape"), [(6, (2, 3, 5)), (16, ()), (16, (2, 3, 1))])
def test_masks_and_ropes_of_attention_have_their_axes(place, shape):
    f32 = to_xdsl("float32")
    given = [tensor_type((2, n, 8), f32) for n in (3, 5, 5)] + [None] * 16
    given[place] = tensor_type(shape, to_xdsl("bool") if place == 6 else f32)
    given[17] = None if place == 6 else tensor_type((2, 5, 2), f32)
    attrs = {"head_num": 2, "input_layout": "BSH"}
    with pytest.raises(InferError):
        infer_parts(op_class("FlashAttentionScore"), given, attrs, lambda _: None)


def test_stacked_biases_are_as_wide_as_every_product():
    f32 = to_xdsl("float32")
    given = [[tensor_type(s, f32) for s in shapes]
             for shapes in (((5, 2), (5, 2)), ((2, 0), (2, 5)), ((2, 0),))]  # fmt: skip
    with pytest.raises(InferError, match="columns of bias"):
        infer_parts(op_class("GroupedMatmul"), [*given, [], [], [], [], None, None], {}, None)


def test_a_choice_of_experts_without_rows():
    (y, *_) = apply_op("MoeGatingTopK", [np.zeros((0, 4), F32), None], {"k": 1, "group_count": 2})
    assert y.shape == (0, 1)


def test_a_sorter_names_elements():
    args = [np.ones(1, F32), np.ones(1, F32), np.array([1])]
    with pytest.raises(GeError, match="outside the axis"):
        apply_op("SearchSorted", args)


@pytest.mark.parametrize("op", ["MaxPoolGrad", "MaxPoolWithArgmax"])
def test_a_window_far_larger_than_its_data_reads_what_there_is(op):
    rng = np.random.default_rng(3)
    x, grad = rng.normal(size=(1, 3, 5, 2)).astype(F32), np.ones((1, 2, 3, 2), F32)
    args = [x, grad, grad] if op == "MaxPoolGrad" else [x]
    attrs = {"strides": [1, 2, 2, 1], "padding": "SAME", "data_format": "NHWC"}
    found = [apply_op(op, args, {**attrs, "ksize": [1, 2, k, 1]}) for k in (21, 2**31 - 1)]
    for a, b in zip(*found, strict=True):
        np.testing.assert_array_equal(a, b)


def test_sums_of_no_rows_of_queries():
    q, pool = np.zeros((0, 3, 0), F32), np.zeros((4, 0, 0), F32)
    given = [q, [pool], [pool], *[None] * 3, np.zeros(1, np.int64), *[None] * 7]
    args = [*given, np.zeros((0, 2), I32), *[None] * 15]
    attrs = {"num_heads": 2, "num_key_value_heads": 2, "softmax_lse_flag": True}
    y, sums = apply_op("FusedInferAttentionScore", args, attrs)
    assert (y.shape, sums.shape) == ((0, 3, 0), (0, 2, 3, 1))


@pytest.mark.parametrize(("op", "mode"), [("MirrorPad", "REFLECT"), ("PadV3", "edge")])
def test_a_scalar_has_no_axis_to_pad(op, mode):
    args = [F32(3), np.zeros((0, 2), I32), None][: 2 + (op == "PadV3")]
    assert apply_op(op, args, {"mode": mode})[0] == 3


def test_a_transform_has_a_length():
    with pytest.raises(GeError, match="dft_length"):
        apply_op("HostDFT", [np.ones((2, 2, 1), F32), np.array(0), np.array(1)], {})
    half = {"inverse": True, "onesided": True}
    with pytest.raises(GeError, match="no elements"):
        apply_op("HostDFT", [np.ones((1, 1, 2), F32), None, np.array(1)], half)
    types = [((1, 1, 2), "float32"), None, ((), "int64")]  # the axis is not known yet
    found = inferred("HostDFT", types, half)
    out = tensor_type(found, to_xdsl("float32"))
    with pytest.raises(GeError, match="dft_length"):
        apply_op("HostDFT", [np.ones((1, 1, 2), F32), None, np.array(1)], half, out_types=[out])
    with pytest.raises(GeError, match="frame_length"):
        apply_op("HostSTFT", [np.ones((2, 7, 1), F32), np.array(1), None, np.array(0)], {})


def test_a_cache_has_a_row_for_each_of_what_is_written():
    types = [((2, 1, 1, 6), "float32"), ((2,), "float32"), *[((2, 1, 1, 4), "float32")] * 2]
    types += [((2, 1), "int64"), ((7, 1, 7, 4), "float32"), ((1, 1, 7, 2), "float32")]
    given = [tensor_type(s, to_xdsl(d)) for s, d in types] + [None] * 5
    with pytest.raises(InferError, match="fewer rows"):
        infer_parts(op_class("KvRmsNormRopeCache"), given, {}, lambda _: None)


def test_what_a_gelu_gradient_has_beyond_one_keeps_its_digits():
    x = np.array([7.0])
    (y,) = apply_op("GeluGrad", [np.ones(1), x, x])
    u, du = 0.7978845608 * (7 + 0.044715 * 343), 0.7978845608 * (1 + 3 * 0.044715 * 49)
    want = 7 * np.exp(-2 * u) * 2 * du - np.exp(-2 * u)  # 1 + this, as far as doubles go
    assert abs((y[0] - 1) - want) < 5e-16


@pytest.mark.parametrize(
    "op", ["ReduceMax", "ReduceMaxD", "ReduceMin", "ReduceMinD", "ClipByValue"]
)
def test_complex_numbers_have_no_order(op):
    x, axes = tensor_type((3,), to_xdsl("complex64")), tensor_type((1,), to_xdsl("int32"))
    given = [x] * 3 if op == "ClipByValue" else [x] if op.endswith("D") else [x, axes]
    attrs = {"axes": [0]} if op.endswith("D") else {}
    with pytest.raises(InferError, match="order") as refused:
        infer_parts(op_class(op), given, attrs, lambda _: None)
    assert refused.value.code == "GX-225"


@pytest.mark.parametrize(
    ("op", "attrs"),
    [
        ("FlashAttentionScore", {"head_num": 1, "input_layout": "BSH"}),
        ("FlashAttentionScoreGrad", {"head_num": 1, "input_layout": "BSH"}),
        ("PromptFlashAttention", {"num_heads": 1}),
        ("IncreFlashAttention", {"num_heads": 1}),
        ("FusedInferAttentionScore", {"num_heads": 1}),
    ],
)
def test_key_and_value_have_one_dtype(op, attrs):
    table = op_class(op).ge_table()
    q, k, v = (tensor_type((1, 1, 8), to_xdsl(t)) for t in ("float16", "float16", "float32"))
    listed = table.inputs[1].kind == DYNAMIC
    given = [q, [k] if listed else k, [v] if listed else v]
    with pytest.raises(InferError, match="different dtypes") as refused:
        infer_parts(op_class(op), given + [None] * (len(table.inputs) - 3), attrs, lambda _: None)
    assert refused.value.code == "GX-225"
