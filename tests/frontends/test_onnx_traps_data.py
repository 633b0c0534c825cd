"""Traps of elementwise, shape and reducing operators at import; the table stands in
`test_onnx_traps.py`.

Expected values are written out, or those of ONNX's reference evaluator.
"""

from __future__ import annotations

import numpy as np
import pytest

F32 = np.float32


def one(ox, op, inputs, *, opset, constants=None, outputs=("y",), **attrs):
    """Golden outputs of a model of one node."""
    held = constants or {}
    node = ox.node(op, [*inputs, *held], list(outputs), **attrs)
    return ox.run(ox.model([node], inputs, outputs, opset=opset, constants=held), inputs)


def alike(ox, op, inputs, *, opset, outputs=("y",), constants=None, **attrs):
    """The import of one node gives what ONNX's evaluator gives."""
    held = constants or {}
    node = ox.node(op, [*inputs, *held], list(outputs), **attrs)
    ox.compare(ox.model([node], inputs, list(outputs), opset=opset, constants=held), inputs)


def kinds(ox, op, inputs, *, opset, constants=None, outputs=("y",), **attrs):
    """GE operators a node of one kind becomes."""
    from ge_dialect.importers.onnx import import_onnx

    held = constants or {}
    node = ox.node(op, [*inputs, *held], list(outputs), **attrs)
    proto = ox.model([node], inputs, list(outputs), opset=opset, constants=held)
    return [o.name[3:] for o in import_onnx(proto).graphs[0].body.ops][:-1]


def drawn(*shape):
    return np.random.default_rng(29).standard_normal(shape).astype(F32)


# --------------------------------------------------------------------------------- elementwise


def test_round_takes_halves_to_even(ox):
    x = {"x": np.array([0.5, 1.5, 2.5, -0.5, -1.5], F32)}
    assert one(ox, "Round", x, opset=11)[0].tolist() == [0, 2, 2, 0, -2]


@pytest.mark.parametrize("op", ["Max", "Min", "Mean"])
def test_variadic_extremes_and_means_broadcast(ox, op):
    fed = {"a": drawn(2, 1), "b": drawn(3), "c": drawn(1, 1)}
    fn = {"Max": np.maximum, "Min": np.minimum, "Mean": np.add}[op]
    want = fn(fn(fed["a"], fed["b"]), fed["c"]) / (3 if op == "Mean" else 1)
    np.testing.assert_allclose(one(ox, op, fed, opset=13)[0], want, rtol=1e-6)


@pytest.mark.parametrize("op", ["Max", "Min", "Sum", "Mean"])
def test_variadic_operators_of_one_input_are_that_input(ox, op):
    x = drawn(3)
    np.testing.assert_array_equal(one(ox, op, {"x": x}, opset=13)[0], x)


def test_clip_with_one_bound(ox):
    x = np.array([-3, 0, 3], F32)
    assert one(ox, "Clip", {"x": x}, constants={"low": F32(-1)}, opset=13)[0].tolist() == [-1, 0, 3]
    node = ox.node("Clip", ["x", "", "high"], ["y"])
    proto = ox.model([node], {"x": x}, ["y"], opset=13, constants={"high": F32(1)})
    assert ox.run(proto, {"x": x})[0].tolist() == [-3, 0, 1]
    old = one(ox, "Clip", {"x": x}, opset=7, min=-1.0, max=2.0)[0]
    assert old.tolist() == [-1, 0, 2]


def test_xor_is_of_truth_values(ox):
    fed = {"a": np.array([True, True, False]), "b": np.array([True, False, False])}
    assert one(ox, "Xor", fed, opset=7)[0].tolist() == [False, True, False]


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32, np.uint64])
def test_bit_shift_by_direction_is_logical(ox, dtype):
    top = np.iinfo(dtype).max
    fed = {"a": np.array([top, 1], dtype), "b": np.array([1, 2], dtype)}
    assert one(ox, "BitShift", fed, opset=11, direction="RIGHT")[0].tolist() == [top >> 1, 0]
    assert one(ox, "BitShift", fed, opset=11, direction="LEFT")[0].tolist() == [top - 1, 4]


def test_where_broadcasts_three_ways(ox):
    fed = {"c": np.array([[True], [False]]), "a": np.arange(3, dtype=F32), "b": F32(9).reshape(())}
    assert one(ox, "Where", fed, opset=16)[0].tolist() == [[0, 1, 2], [9, 9, 9]]
    # a condition as long as the first axis is no choice of rows
    fed = {"c": np.array([True, False]), "a": np.ones((2, 2), F32), "b": np.zeros((2, 2), F32)}
    assert one(ox, "Where", fed, opset=16)[0].tolist() == [[1, 0], [1, 0]]


def test_cast_numbers_are_those_of_ge_and_floats_truncate(ox):
    import onnx

    x = {"x": np.array([-1.7, -0.2, 0.0, 0.2, 1.7], F32)}
    assert one(ox, "Cast", x, opset=13, to=onnx.TensorProto.INT32)[0].tolist() == [-1, 0, 0, 0, 1]
    flags = one(ox, "Cast", x, opset=13, to=onnx.TensorProto.BOOL)[0]
    assert flags.tolist() == [True, True, False, True, True]
    for kind, dtype in (("DOUBLE", np.float64), ("FLOAT16", np.float16), ("INT64", np.int64)):
        assert one(ox, "Cast", x, opset=13, to=getattr(onnx.TensorProto, kind))[0].dtype == dtype


def test_cast_like_is_a_cast_at_import(ox):
    fed = {"x": np.array([1.5], F32), "like": np.zeros(3, np.int64)}
    assert one(ox, "CastLike", fed, opset=15)[0].tolist() == [1]
    assert kinds(ox, "CastLike", fed, opset=15) == ["Cast"]


def test_dropout_of_inference_is_the_input_and_a_mask_of_ones(ox):
    x = {"x": drawn(2, 3)}
    y, mask = one(ox, "Dropout", x, opset=13, outputs=("y", "m"))
    np.testing.assert_array_equal(y, x["x"])
    assert mask.dtype == bool
    assert mask.all()


def test_slopes_of_prelu_stretch_to_the_input_only(ox):
    fed = {"x": np.full((2, 3, 2), -1, F32), "s": np.array([1, 2, 3], F32).reshape(3, 1)}
    found = one(ox, "PRelu", fed, opset=16)[0]
    assert found[0].tolist() == [[-1, -1], [-2, -2], [-3, -3]]
    # a vector of slopes stretches along the last axis, not along the channels
    fed = {"x": np.full((2, 2, 3), -1, F32), "s": np.array([1, 2, 3], F32)}
    assert one(ox, "PRelu", fed, opset=16)[0][0].tolist() == [[-1, -2, -3], [-1, -2, -3]]


@pytest.mark.parametrize(
    ("op", "attrs"),
    [
        ("Selu", {"alpha": 2.0, "gamma": 3.0}),
        ("Selu", {}),
        ("Celu", {"alpha": 2.0}),
        ("Elu", {"alpha": 0.5}),
        ("HardSigmoid", {}),
        ("HardSigmoid", {"alpha": 0.5, "beta": 0.1}),
        ("LeakyRelu", {}),
        ("ThresholdedRelu", {}),
        ("ThresholdedRelu", {"alpha": 0.5}),
        ("Shrink", {"lambd": 0.7, "bias": 0.2}),
        ("HardSwish", {}),
    ],
)
def test_parameters_of_activations_are_those_of_onnx(ox, op, attrs):
    opset = {"Shrink": 9, "ThresholdedRelu": 10}.get(op, 14)
    alike(ox, op, {"x": drawn(4, 5)}, opset=opset, **attrs)


@pytest.mark.parametrize("way", ["none", "tanh"])
def test_gelu_by_its_approximation(ox, way):
    alike(ox, "Gelu", {"x": drawn(4, 5)}, opset=20, approximate=way)
    alike(ox, "Swish", {"x": drawn(4, 5)}, opset=24, alpha=1.5)


def test_running_sums_may_leave_out_the_element_and_run_back(ox):
    x, axis = {"x": np.array([1, 2, 3], F32)}, {"a": np.array(0)}
    found = [
        one(ox, "CumSum", x, constants=axis, opset=14, exclusive=e, reverse=r)[0].tolist()
        for e, r in ((0, 0), (1, 0), (0, 1), (1, 1))
    ]
    assert found == [[1, 3, 6], [0, 1, 3], [6, 5, 3], [5, 3, 0]]


# ------------------------------------------------------------------------------ shapes, indices


@pytest.mark.parametrize("axis", [0, 1, 2, 3, -1, -3])
def test_flatten_at_any_axis(ox, axis):
    alike(ox, "Flatten", {"x": drawn(2, 3, 4)}, opset=13, axis=axis)


def test_transpose_without_perm_reverses(ox):
    assert one(ox, "Transpose", {"x": drawn(2, 3, 4)}, opset=13)[0].shape == (4, 3, 2)


def test_concat_counts_its_axis_from_the_end_and_alone_is_no_node(ox):
    fed = {"a": drawn(2, 1), "b": drawn(2, 3)}
    assert one(ox, "Concat", fed, opset=13, axis=-1)[0].shape == (2, 4)
    assert "ConcatD" not in kinds(ox, "Concat", {"a": drawn(2, 1)}, opset=13, axis=-1)


def test_slice_without_axes_and_with_ends_beyond(ox):
    x = np.arange(12, dtype=F32).reshape(3, 4)
    held = {"s": np.array([1, -3]), "e": np.array([2**63 - 1, 2**31 - 1])}
    assert one(ox, "Slice", {"x": x}, constants=held, opset=13)[0].tolist() == x[1:, -3:].tolist()
    old = one(ox, "Slice", {"x": x}, opset=7, starts=[0], ends=[-1], axes=[1])[0]
    assert old.tolist() == x[:, :-1].tolist()


def test_gather_nd_with_batch_axes(ox):
    fed = {"x": drawn(2, 3, 4), "i": np.array([[1], [2]])}
    assert one(ox, "GatherND", fed, opset=13, batch_dims=1)[0].shape == (2, 4)
    alike(ox, "GatherND", fed, opset=13, batch_dims=1)


@pytest.mark.parametrize("reduction", ["add", "mul", "max", "min"])
def test_scatters_reduce(ox, reduction):
    fed = {"x": drawn(3, 3), "i": np.array([[0, 0, 2]]), "u": drawn(1, 3)}
    alike(ox, "ScatterElements", fed, opset=18, axis=1, reduction=reduction)
    fed = {"x": drawn(4, 2), "i": np.array([[1], [1], [3]]), "u": drawn(3, 2)}
    alike(ox, "ScatterND", fed, opset=18, reduction=reduction)


def test_scatter_nd_leaves_its_first_input_alone(ox):
    import onnx

    fed = {"x": np.zeros(3, F32), "u": np.ones(1, F32)}
    nodes = [
        ox.node("ScatterND", ["x", "i", "u"], ["y"]),
        onnx.helper.make_node("Identity", ["x"], ["z"]),
    ]
    proto = ox.model(nodes, fed, ["y", "z"], opset=18, constants={"i": np.array([[1]])})
    y, z = ox.run(proto, fed)
    assert (y.tolist(), z.tolist()) == ([0, 1, 0], [0, 0, 0])


def test_pads_are_all_begins_then_all_ends(ox):
    x = np.ones((1, 2), F32)
    held = {"p": np.array([1, 0, 0, 2])}
    found = one(ox, "Pad", {"x": x}, constants=held, opset=13)[0]
    assert found.tolist() == [[0, 0, 0, 0], [1, 1, 0, 0]]


def test_pads_of_some_axes_and_around_the_corner(ox):
    x = np.arange(3, dtype=F32).reshape(1, 3)
    node = ox.node("Pad", ["x", "p", "", "a"], ["y"], mode="wrap")
    held = {"p": np.array([1, 2]), "a": np.array([-1])}
    proto = ox.model([node], {"x": x}, ["y"], opset=19, constants=held)
    assert ox.run(proto, {"x": x})[0].tolist() == [[2, 0, 1, 2, 0, 1]]


def test_constants_by_every_attribute(ox):
    cases = {
        "value_int": (3, np.int64),
        "value_ints": ([1, 2], np.int64),
        "value_float": (0.5, F32),
        "value_floats": ([0.5, 1.5], F32),
    }
    for name, (value, dtype) in cases.items():
        node = ox.node("Constant", [], ["y"], **{name: value})
        (found,) = ox.run(ox.model([node], {}, ["y"], opset=13), {})
        assert (found.dtype, found.tolist()) == (dtype, value)


def test_sparse_constants_are_filled_with_zeros(ox):
    import onnx

    values = onnx.numpy_helper.from_array(np.array([5, 7], F32), "v")
    places = onnx.numpy_helper.from_array(np.array([1, 3]), "p")
    held = onnx.helper.make_sparse_tensor(values, places, [4])
    node = ox.node("Constant", [], ["y"], sparse_value=held)
    assert ox.run(ox.model([node], {}, ["y"], opset=13), {})[0].tolist() == [0, 5, 0, 7]


def test_constant_of_shape_is_zero_of_float_by_default(ox):
    (found,) = one(ox, "ConstantOfShape", {}, constants={"s": np.array([2, 1])}, opset=9)
    assert (found.dtype, found.tolist()) == (F32, [[0], [0]])


def test_eye_like_and_trilu_with_shifts(ox):
    assert one(ox, "EyeLike", {"x": drawn(2, 3)}, opset=9, k=1)[0].tolist() == [
        [0, 1, 0],
        [0, 0, 1],
    ]
    for upper in (0, 1):
        held = {"k": np.array(-1)}
        alike(ox, "Trilu", {"x": drawn(3, 4)}, constants=held, opset=14, upper=upper)


@pytest.mark.parametrize("mode", ["DCR", "CRD"])
def test_depth_to_space_reads_depth_or_columns_first(ox, mode):
    alike(ox, "DepthToSpace", {"x": drawn(1, 8, 2, 3)}, opset=13, blocksize=2, mode=mode)


def test_one_hot_of_negative_and_foreign_indices(ox):
    fed = {"i": np.array([0, -1, 3, -4])}
    held = {"d": np.array(3), "v": np.array([0, 1], F32)}
    found = one(ox, "OneHot", fed, constants=held, opset=11)[0]
    assert found.tolist() == [[1, 0, 0], [0, 0, 1], [0, 0, 0], [0, 0, 0]]


def test_non_zero_has_a_row_per_axis(ox):
    x = {"x": np.array([[1, 0], [0, 2]], F32)}
    assert one(ox, "NonZero", x, opset=13)[0].tolist() == [[0, 1], [0, 1]]


def test_compress_by_a_short_condition(ox):
    x = np.arange(6, dtype=F32).reshape(3, 2)
    held = {"c": np.array([False, True])}
    assert one(ox, "Compress", {"x": x}, constants=held, opset=11, axis=0)[0].tolist() == [[2, 3]]


def test_unique_along_an_axis(ox):
    x = {"x": np.array([[1, 0], [1, 0], [2, 3]], F32)}
    outputs = ("y", "i", "v", "c")
    alike(ox, "Unique", x, opset=11, outputs=outputs, axis=0)


def test_top_k_takes_a_vector_of_one_and_gives_int64(ox):
    x = {"x": np.array([3, 1, 2], F32)}
    values, places = one(
        ox, "TopK", x, constants={"k": np.array([2])}, opset=11, outputs=("v", "i")
    )
    assert (values.tolist(), places.tolist(), places.dtype) == ([3, 2], [0, 2], np.int64)
    least = one(
        ox, "TopK", x, constants={"k": np.array([2])}, opset=11, outputs=("v", "i"), largest=0
    )
    assert least[0].tolist() == [1, 2]


def test_arg_max_keeps_the_axis_and_may_take_the_last(ox):
    x = {"x": np.array([[1, 3, 3]], F32)}
    assert one(ox, "ArgMax", x, opset=13, axis=1)[0].tolist() == [[1]]
    assert one(ox, "ArgMax", x, opset=13, axis=1, select_last_index=1)[0].tolist() == [[2]]
    assert one(ox, "ArgMin", x, opset=13, axis=1, keepdims=0)[0].tolist() == [0]


def test_resize_with_antialias_axes_and_a_kept_ratio(ox):
    x = {"x": drawn(1, 1, 6, 4)}
    held = {"r": np.zeros(0, F32), "s": np.zeros(0, F32), "n": np.array([3, 3])}
    for policy in ("stretch", "not_larger", "not_smaller"):
        attrs = {"axes": [2, 3], "keep_aspect_ratio_policy": policy, "mode": "linear"}
        alike(ox, "Resize", x, constants=held, opset=18, antialias=1, **attrs)


def test_resize_of_a_crop(ox):
    x = {"x": drawn(1, 1, 4, 4)}
    held = {
        "r": np.array([0, 0, 0.2, 0.3, 1, 1, 0.8, 1.2], F32),
        "s": np.zeros(0, F32),
        "n": np.array([1, 1, 3, 3]),
    }
    attrs = {"coordinate_transformation_mode": "tf_crop_and_resize", "mode": "linear"}
    alike(ox, "Resize", x, constants=held, opset=13, extrapolation_value=7.0, **attrs)


def test_upsample_has_scales_as_an_attribute_then_as_an_input(ox):
    x = np.array([[[[1, 2]]]], F32)
    scales = np.array([1, 1, 2, 2], F32)
    want = [[1, 1, 2, 2], [1, 1, 2, 2]]
    old = one(ox, "Upsample", {"x": x}, opset=7, scales=scales.tolist(), mode="nearest")[0]
    new = one(ox, "Upsample", {"x": x}, constants={"s": scales}, opset=9, mode="nearest")[0]
    assert (old[0, 0].tolist(), new[0, 0].tolist()) == (want, want)


def test_grid_sample_changed_the_names_of_its_modes(ox):
    fed = {"x": drawn(1, 1, 4, 4), "g": np.clip(drawn(1, 2, 2, 2), -1, 1)}
    for old, new in (("bilinear", "linear"), ("bicubic", "cubic"), ("nearest", "nearest")):
        before = one(ox, "GridSample", fed, opset=16, mode=old)[0]
        after = one(ox, "GridSample", fed, opset=20, mode=new)[0]
        np.testing.assert_array_equal(before, after)


# ---------------------------------------------------------------------------------- reductions


@pytest.mark.parametrize("op", ["Mean", "Max", "Min", "Prod", "L1", "L2", "LogSum", "SumSquare"])
def test_axes_of_reductions_become_an_input_at_18(ox, op):
    x = {"x": np.abs(drawn(2, 3)) + F32(0.5)}
    old = one(ox, f"Reduce{op}", x, opset=13, axes=[1], keepdims=0)[0]
    new = one(ox, f"Reduce{op}", x, constants={"a": np.array([1])}, opset=18, keepdims=0)[0]
    np.testing.assert_array_equal(old, new)
    alike(ox, f"Reduce{op}", x, constants={"a": np.array([-1])}, opset=18)


def test_axes_of_sums_become_an_input_at_13_already(ox):
    x = {"x": np.ones((2, 3), F32)}
    assert one(ox, "ReduceSum", x, opset=11, axes=[0])[0].tolist() == [[2, 2, 2]]
    assert one(ox, "ReduceSum", x, constants={"a": np.array([0])}, opset=13)[0].shape == (1, 3)


@pytest.mark.parametrize(
    ("op", "want"),
    [
        ("Sum", 0.0),
        ("Prod", 1.0),
        ("Max", -np.inf),
        ("Min", np.inf),
        ("L1", 0.0),
        ("L2", 0.0),
        ("SumSquare", 0.0),
        ("LogSum", -np.inf),
        ("LogSumExp", -np.inf),
    ],
)
def test_reductions_of_nothing(ox, op, want):
    x = {"x": np.zeros((2, 0), F32)}
    found = one(ox, f"Reduce{op}", x, constants={"a": np.array([1])}, opset=18, keepdims=0)[0]
    assert found.tolist() == [want, want]
