"""Places where GE and ONNX disagree, or ONNX with itself between opsets: one test each, by name.

Expected values are written out or computed by numpy from ONNX's specification.
"""

from __future__ import annotations

import numpy as np
import pytest

RNG = np.random.default_rng(11)
F32 = np.float32


def one(ox, op, inputs, *, opset, constants=None, outputs=("y",), **attrs):
    """Golden outputs of a model of one node."""
    held = constants or {}
    node = ox.node(op, [*inputs, *held], list(outputs), **attrs)
    return ox.run(ox.model([node], inputs, outputs, opset=opset, constants=held), inputs)


def kinds(ox, op, inputs, *, opset, constants=None, **attrs):
    """GE operators a node of one kind becomes."""
    from ge_dialect.importers.onnx import import_onnx

    held = constants or {}
    node = ox.node(op, [*inputs, *held], ["y"], **attrs)
    proto = ox.model([node], inputs, ["y"], opset=opset, constants=held)
    return [o.name[3:] for o in import_onnx(proto).graphs[0].body.ops][:-1]


def test_mod_takes_the_sign_of_the_divisor_and_fmod_of_the_dividend(ox):
    fed = {"a": np.array([-7, 7, -7, 7], np.int32), "b": np.array([3, -3, -3, 3], np.int32)}
    assert one(ox, "Mod", fed, opset=13)[0].tolist() == [2, -2, -1, 1]
    assert one(ox, "Mod", fed, opset=13, fmod=1)[0].tolist() == [-1, 1, -1, 1]


def test_integer_div_truncates(ox):
    fed = {"a": np.array([-7, 7, -7], np.int32), "b": np.array([2, -2, -2], np.int32)}
    assert one(ox, "Div", fed, opset=14)[0].tolist() == [-3, -3, 3]


def test_variadic_sum_broadcasts(ox):
    fed = {"a": np.ones((2, 1), F32), "b": np.full((3,), 2, F32), "c": np.full((1, 1), 4, F32)}
    assert one(ox, "Sum", fed, opset=13)[0].tolist() == [[7, 7, 7], [7, 7, 7]]
    assert "AccumulateNV2" not in kinds(ox, "Sum", fed, opset=13)
    equal = {n: np.ones((2, 2), F32) for n in "abc"}
    assert kinds(ox, "Sum", equal, opset=13) == ["AccumulateNV2"]


def test_softmax_before_13_normalises_all_trailing_axes_together(ox):
    x = RNG.normal(size=(2, 3, 4)).astype(F32)
    joint = one(ox, "Softmax", {"x": x}, opset=11)[0]
    np.testing.assert_allclose(joint.sum(axis=(1, 2)), 1, rtol=1e-6)
    last = one(ox, "Softmax", {"x": x}, opset=13)[0]
    np.testing.assert_allclose(last.sum(axis=-1), 1, rtol=1e-6)


def test_same_lower_is_not_same_upper(ox):
    x = np.array([1, 2, 3, 4], F32).reshape(1, 1, 1, 4)
    attrs = {"kernel_shape": [1, 2], "strides": [1, 1]}
    upper = one(ox, "MaxPool", {"x": x}, opset=12, auto_pad="SAME_UPPER", **attrs)[0]
    lower = one(ox, "MaxPool", {"x": x}, opset=12, auto_pad="SAME_LOWER", **attrs)[0]
    assert upper.reshape(-1).tolist() == [2, 3, 4, 4]
    assert lower.reshape(-1).tolist() == [1, 2, 3, 4]


def test_same_rounds_the_output_up(ox):
    x = RNG.normal(size=(1, 1, 9, 9)).astype(F32)
    for mode in ("SAME_UPPER", "SAME_LOWER"):
        y = one(
            ox, "MaxPool", {"x": x}, opset=12, auto_pad=mode, kernel_shape=[2, 2], strides=[2, 2]
        )[0]
        assert y.shape == (1, 1, 5, 5)


def test_conv_pads_are_begins_then_ends(ox):
    x, w = np.ones((1, 1, 2, 2), F32), np.ones((1, 1, 1, 1), F32)
    y = one(ox, "Conv", {"x": x}, constants={"w": w}, opset=11, pads=[1, 0, 0, 2])[0]
    assert y.shape == (1, 1, 3, 4)
    assert y[0, 0].tolist() == [[0, 0, 0, 0], [1, 1, 0, 0], [1, 1, 0, 0]]


def test_shape_start_and_end(ox):
    fed = {"x": np.zeros((2, 3, 4, 5), F32)}
    assert one(ox, "Shape", fed, opset=15, start=1, end=-1)[0].tolist() == [3, 4]
    assert one(ox, "Shape", fed, opset=15, start=-9, end=9)[0].tolist() == [2, 3, 4, 5]
    assert one(ox, "Shape", fed, opset=15, start=3, end=1)[0].tolist() == []


def test_reduce_without_axes_takes_all_and_noop_takes_none(ox):
    x = RNG.normal(size=(2, 3)).astype(F32)
    assert one(ox, "ReduceMax", {"x": x}, opset=11)[0].shape == (1, 1)
    empty = {"axes": np.zeros(0, np.int64)}
    assert one(ox, "ReduceMax", {"x": x}, opset=18, constants=empty)[0].shape == (1, 1)
    kept = one(ox, "ReduceMax", {"x": x}, opset=18, constants=empty, noop_with_empty_axes=1)[0]
    np.testing.assert_array_equal(kept, x)
    squares = one(ox, "ReduceSumSquare", {"x": x}, opset=18, noop_with_empty_axes=1)[0]
    np.testing.assert_allclose(squares, x * x, rtol=1e-6)


def test_log_sum_exp_of_nothing_but_minus_infinity(ox):
    x = np.array([[-np.inf, -np.inf], [np.inf, 0], [1000, 1000]], F32)
    found = one(ox, "ReduceLogSumExp", {"x": x}, opset=13, axes=[1], keepdims=0)[0]
    np.testing.assert_allclose(found, [-np.inf, np.inf, 1000 + np.log(2)], rtol=1e-6)


def test_clip_with_crossed_bounds_gives_the_upper_one(ox):
    x = np.array([-3, 0, 3], F32)
    bounds = {"low": F32(2), "high": F32(1)}
    assert one(ox, "Clip", {"x": x}, opset=13, constants=bounds)[0].tolist() == [1, 1, 1]


def test_expand_broadcasts_both_ways(ox):
    x = np.arange(3, dtype=F32).reshape(3, 1)
    shape = {"s": np.array([2, 1, 4])}
    assert one(ox, "Expand", {"x": x}, opset=13, constants=shape)[0].shape == (2, 3, 4)
    keep = {"s": np.array([1, 1])}
    np.testing.assert_array_equal(one(ox, "Expand", {"x": x}, opset=13, constants=keep)[0], x)
    computed = {"x": x, "s": np.array([2, 1, 4])}
    assert one(ox, "Expand", computed, opset=13)[0].shape == (2, 3, 4)


def test_unsqueeze_axes_are_those_of_the_result_in_any_order(ox):
    x = np.zeros((3, 1, 5), F32)
    assert one(ox, "Unsqueeze", {"x": x}, opset=7, axes=[4, 0])[0].shape == (1, 3, 1, 5, 1)
    axes = {"axes": np.array([-1, 0])}
    assert one(ox, "Unsqueeze", {"x": x}, opset=13, constants=axes)[0].shape == (1, 3, 1, 5, 1)


def test_negative_pads_cut(ox):
    x = np.arange(12, dtype=F32).reshape(3, 4)
    pads = {"p": np.array([-1, 1, 0, -2]), "v": F32(9)}
    found = one(ox, "Pad", {"x": x}, opset=13, constants=pads)[0]
    np.testing.assert_array_equal(found, np.pad(x[1:, :2], ((0, 0), (1, 0)), constant_values=9))


def test_slice_backwards_past_the_first_element(ox):
    x = np.arange(5, dtype=F32)
    held = {"s": np.array([3]), "e": np.array([-(2**63)]), "a": np.array([0]), "t": np.array([-2])}
    assert one(ox, "Slice", {"x": x}, opset=13, constants=held)[0].tolist() == [3, 1]
    held["s"], held["e"] = np.array([2**62]), np.array([-6])
    assert one(ox, "Slice", {"x": x}, opset=13, constants=held)[0].tolist() == [4, 2, 0]


def test_gather_takes_negative_indices(ox):
    x = np.arange(6, dtype=F32).reshape(3, 2)
    found = one(ox, "Gather", {"x": x}, opset=11, constants={"i": np.array([-1, 0])})[0]
    assert found.tolist() == [[4, 5], [0, 1]]


def test_pow_keeps_the_type_of_the_base(ox):
    fed = {"b": np.array([9, 4], np.int32), "e": np.array([0.5, 1.5], F32)}
    found = one(ox, "Pow", fed, opset=15)[0]
    assert (found.dtype, found.tolist()) == (np.int32, [3, 8])


def test_split_by_count_has_a_smaller_last_part(ox):
    x = np.arange(7, dtype=F32)
    found = one(ox, "Split", {"x": x}, opset=18, outputs=("a", "b", "c"), num_outputs=3)
    assert [f.tolist() for f in found] == [[0, 1, 2], [3, 4, 5], [6]]


def test_reshape_zero_copies_or_is_zero(ox):
    x = np.zeros((0, 3), F32)
    copied = one(ox, "Reshape", {"x": x}, opset=13, constants={"s": np.array([0, 1, -1])})
    assert copied[0].shape == (0, 1, 3) or copied[0].size == 0
    held = {"s": np.array([3, 0])}
    assert one(ox, "Reshape", {"x": x}, opset=14, constants=held, allowzero=1)[0].shape == (3, 0)


def test_is_inf_of_one_sign(ox):
    x = {"x": np.array([np.inf, -np.inf, np.nan, 0], F32)}
    only = one(ox, "IsInf", x, opset=10, detect_negative=0)[0]
    assert only.tolist() == [True, False, False, False]


def test_lrn_divides_alpha_by_the_window(ox):
    x = np.ones((1, 3, 1, 1), F32)
    y = one(ox, "LRN", {"x": x}, opset=13, size=3, alpha=3.0, beta=1.0, bias=1.0)[0]
    np.testing.assert_allclose(y.reshape(-1), [1 / 3, 1 / 4, 1 / 3], rtol=1e-6)


def test_gemm_without_c_keeps_alpha(ox):
    fed = {"a": np.eye(2, dtype=F32), "b": np.ones((2, 2), F32)}
    assert one(ox, "Gemm", fed, opset=11, alpha=0.5)[0].tolist() == [[0.5, 0.5], [0.5, 0.5]]


def test_gemm_with_a_row_of_bias_is_one_node(ox):
    fed = {"a": np.ones((2, 3), F32)}
    held = {"b": np.ones((3, 4), F32), "c": np.ones((4,), F32)}
    assert kinds(ox, "Gemm", fed, opset=13, constants=held) == ["Const", "Const", "MatMulV2"]


def test_fp8_casts_saturate_unless_told_otherwise(ox):
    import ml_dtypes
    import onnx

    x = {"x": np.array([1000.0, -1000.0, np.nan, 1.5], F32)}
    to = onnx.TensorProto.FLOAT8E4M3FN
    found = one(ox, "Cast", x, opset=19, to=to)[0]
    assert found.dtype == ml_dtypes.float8_e4m3fn
    assert found[[0, 1, 3]].astype(F32).tolist() == [448, -448, 1.5]
    plain = one(ox, "Cast", x, opset=19, to=to, saturate=0)[0].astype(F32)
    assert np.isnan(plain[:3]).all()


def test_average_pool_divides_by_what_is_data_unless_told_otherwise(ox):
    x = np.ones((1, 1, 2, 2), F32)
    attrs = {"kernel_shape": [2, 2], "pads": [1, 1, 0, 0]}
    assert one(ox, "AveragePool", {"x": x}, opset=11, **attrs)[0][0, 0, 0, 0] == 1
    padded = one(ox, "AveragePool", {"x": x}, opset=11, count_include_pad=1, **attrs)[0]
    assert padded[0, 0, 0, 0] == 0.25


@pytest.mark.parametrize(
    ("op", "attrs"),
    [
        ("MaxPool", {"kernel_shape": [2, 2], "dilations": [2, 2]}),
        ("MaxPool", {"kernel_shape": [2, 2], "dilations": [1, 3], "auto_pad": "SAME_UPPER"}),
        ("LRN", {"size": 4}),
        ("LRN", {"size": 2, "alpha": 0.5}),
        ("AveragePool", {"kernel_shape": [2, 2], "dilations": [2, 2]}),
        ("AveragePool", {"kernel_shape": [2, 3], "dilations": [2, 1], "pads": [1, 1, 0, 0]}),
        ("LpPool", {"kernel_shape": [2, 2], "p": 3, "ceil_mode": 1, "strides": [2, 3]}),
    ],
)
def test_what_ge_operators_know_not_is_bridged(ox, op, attrs):
    """Dilated pools and even windows, against ONNX's reference evaluator."""
    x = np.random.default_rng(0).standard_normal((1, 4, 8, 8)).astype(F32)
    node = ox.node(op, ["x"], ["y"], **attrs)
    ox.compare(ox.model([node], {"x": x}, ["y"], opset=22 if op != "LRN" else 13), {"x": x})


def test_max_pool_indices_count_through_the_whole_tensor(ox):
    x = np.arange(32, dtype=F32).reshape(1, 2, 4, 4)[..., ::-1].copy()
    attrs = {"kernel_shape": [2, 2], "strides": [2, 2]}
    more = {"opset": 12, "outputs": ("y", "i")}
    y, places = one(ox, "MaxPool", {"x": x}, **more, **attrs)
    assert (x.reshape(-1)[places] == y).all()
    _, columns = one(ox, "MaxPool", {"x": x}, storage_order=1, **more, **attrs)
    assert (x.transpose(0, 1, 3, 2).reshape(-1)[columns] == y).all()


@pytest.mark.parametrize("target", ["INT4", "UINT4", "INT2", "UINT2"])
def test_casts_to_narrow_integers_wrap(ox, target):
    import onnx

    x = {"x": np.array([-9.0, -3.7, -1.0, 2.5, 9.0, 21.0], F32)}
    found = one(ox, "Cast", x, opset=25, to=getattr(onnx.TensorProto, target))[0].astype(int)
    width = int(target[-1])
    assert (found % (1 << width)).tolist() == [int(v) % (1 << width) for v in x["x"]]


def test_resize_nearest_mode_is_kept(ox):
    x = np.arange(4, dtype=F32).reshape(1, 1, 1, 4)
    scales = {"roi": np.zeros(0, F32), "scales": np.array([1, 1, 1, 1.5], F32)}
    found = {}
    for mode in ("floor", "ceil", "round_prefer_floor", "round_prefer_ceil"):
        attrs = {"mode": "nearest", "nearest_mode": mode}
        way = "asymmetric"
        y = one(
            ox,
            "Resize",
            {"x": x},
            opset=13,
            constants=scales,
            coordinate_transformation_mode=way,
            **attrs,
        )[0]
        found[mode] = y.reshape(-1).tolist()
    assert found["floor"] == [0, 0, 1, 2, 2, 3]
    assert found["ceil"] == [0, 1, 2, 2, 3, 3]
    assert found["round_prefer_floor"] == [0, 1, 1, 2, 3, 3]
