"""Places where GE and ONNX disagree, or ONNX with itself between opsets: one test each, by name.

Expected values are written out or computed by numpy from ONNX's specification. The traps of the
mapping table (by its sections: elementwise, layers, normalisation, data movement, reductions,
control and quantisation) and their tests, here, in `test_onnx_traps_data.py` and in
`test_onnx_traps_layers.py`; loops and scans are in `test_onnx_loops.py`:

    4.2  Round is half to even                   test_round_takes_halves_to_even
    4.2  integer Div truncates                   test_integer_div_truncates
    4.2  Pow: exponent of another dtype          test_pow_keeps_the_type_of_the_base
    4.2  Mod and fmod: whose sign
         test_mod_takes_the_sign_of_the_divisor_and_fmod_of_the_dividend
    4.2  Max, Min, Mean broadcast                test_variadic_extremes_and_means_broadcast
    4.2  variadic of one input                   test_variadic_operators_of_one_input_are_that_input
    4.2  Sum broadcasts, AccumulateNV2 does not  test_variadic_sum_broadcasts
    4.2  Clip: min > max                         test_clip_with_crossed_bounds_gives_the_upper_one
    4.2  Clip: which of min, max exists          test_clip_with_one_bound
    4.2  Xor of bools                            test_xor_is_of_truth_values
    4.2  BitShift unsigned, by direction         test_bit_shift_by_direction_is_logical
    4.2  IsInf by sign                           test_is_inf_of_one_sign
    4.2  Where broadcasts three ways             test_where_broadcasts_three_ways
    4.2  Cast: other enum, truncation, bool
         test_cast_numbers_are_those_of_ge_and_floats_truncate
    4.2  Cast: saturate (19)                     test_fp8_casts_saturate_unless_told_otherwise
    4.2  Cast to narrow integers                 test_casts_to_narrow_integers_wrap
    4.2  CastLike folds to Cast                  test_cast_like_is_a_cast_at_import
    4.2  Dropout: mask output
         test_dropout_of_inference_is_the_input_and_a_mask_of_ones
    4.2  PRelu: one-way slope                    test_slopes_of_prelu_stretch_to_the_input_only
    4.2  Selu, HardSigmoid, … parameters         test_parameters_of_activations_are_those_of_onnx
    4.2  Gelu approximate, Swish alpha           test_gelu_by_its_approximation
    4.2  CumSum exclusive, reverse
         test_running_sums_may_leave_out_the_element_and_run_back
    4.3  MatMul of 1-D operands                  test_matmul_of_vectors_drops_their_axes
    4.3  MatMul 2-D by N-D
         test_matmul_of_matrix_and_batch_stretches_the_matrix
    4.3  Gemm: alpha without C                   test_gemm_without_c_keeps_alpha
    4.3  Gemm: C 1-D as bias                     test_gemm_with_a_row_of_bias_is_one_node
    4.3  Gemm: beta                              test_gemm_scales_c_by_beta
    4.3  Conv: pads interleaved                  test_conv_pads_are_begins_then_ends
    4.3  Conv: auto_pad SAME_*                   test_conv_with_auto_pad_needs_the_sizes
    4.3  Conv: no attributes at all              test_conv_takes_the_kernel_from_the_filter
    4.3  Conv 1-D
         test_conv_of_signals_is_a_convolution_of_flat_images
    4.3  ConvTranspose: output_shape
         test_output_shape_of_a_transposed_conv_overrides_its_pads
    4.3  ConvTranspose: layout of W
         test_filters_of_a_transposed_conv_lead_with_the_channels_of_x
    4.3  MaxPool: large windows                  test_max_pool_of_a_large_window
    4.3  MaxPool: Indices, storage_order
         test_max_pool_indices_count_through_the_whole_tensor
    4.3  pools: dilations                        test_what_ge_operators_know_not_is_bridged
    4.3  SAME_LOWER is not SAME_UPPER            test_same_lower_is_not_same_upper
    4.3  SAME rounds up                          test_same_rounds_the_output_up
    4.3  AveragePool: count_include_pad
         test_average_pool_divides_by_what_is_data_unless_told_otherwise
    4.3  AveragePool: ceil_mode divisor          test_the_divisor_of_average_pools_that_round_up
    4.3  RoiAlign: half pixels                   test_roi_align_before_16_has_no_half_pixels
    4.4  BatchNormalization of rank 2, 3         test_batch_normalisation_of_any_rank
    4.4  BatchNormalization: momentum            test_momentum_is_the_share_of_the_old_statistics
    4.4  LayerNormalization: third output
         test_the_third_result_of_layer_normalisation_is_the_inverse_deviation
    4.4  LayerNormalization: stash_type
         test_layer_normalisation_of_halves_computes_in_the_stash_type
    4.4  GroupNormalization 18 and 21
         test_scales_of_group_normalisation_are_of_groups_then_of_channels
    4.4  RMSNormalization                        test_rms_normalisation_does_not_centre
    4.4  LRN: alpha over the window              test_lrn_divides_alpha_by_the_window
    4.4  Softmax < 13 flattens
         test_softmax_before_13_normalises_all_trailing_axes_together
    4.4  LogSoftmax, Hardmax, too                test_the_softmax_family_starts_at_axis_1_before_13
    4.4  Attention: heads, softcap
         test_attention_repeats_the_heads_of_keys_and_caps_scores
    4.4  RotaryEmbedding: halves or pairs        test_rotary_embedding_pairs_halves_or_neighbours
    4.5  Reshape: 0, -1, allowzero               test_reshape_zero_copies_or_is_zero
    4.5  Flatten: axis 0, negative               test_flatten_at_any_axis
    4.5  Unsqueeze: axes of the output
         test_unsqueeze_axes_are_those_of_the_result_in_any_order
    4.5  Transpose without perm                  test_transpose_without_perm_reverses
    4.5  Concat: negative axis, one input
         test_concat_counts_its_axis_from_the_end_and_alone_is_no_node
    4.5  Split: num_outputs                      test_split_by_count_has_a_smaller_last_part
    4.5  Slice: INT64 ends, no axes              test_slice_without_axes_and_with_ends_beyond
    4.5  Slice backwards to before 0             test_slice_backwards_past_the_first_element
    4.5  Gather: negative indices                test_gather_takes_negative_indices
    4.5  GatherND: batch_dims                    test_gather_nd_with_batch_axes
    4.5  Scatter*: reductions, mul               test_scatters_reduce
    4.5  ScatterND mutates nothing               test_scatter_nd_leaves_its_first_input_alone
    4.5  Expand is two-way                       test_expand_broadcasts_both_ways
    4.5  Pad: begins, then ends                  test_pads_are_all_begins_then_all_ends
    4.5  Pad: negative                           test_negative_pads_cut
    4.5  Pad: axes, wrap                         test_pads_of_some_axes_and_around_the_corner
    4.5  Shape: start, end                       test_shape_start_and_end
    4.5  Constant: value_*                       test_constants_by_every_attribute
    4.5  Constant: sparse_value                  test_sparse_constants_are_filled_with_zeros
    4.5  ConstantOfShape: default                test_constant_of_shape_is_zero_of_float_by_default
    4.5  EyeLike, Trilu                          test_eye_like_and_trilu_with_shifts
    4.5  DepthToSpace: DCR, CRD                  test_depth_to_space_reads_depth_or_columns_first
    4.5  OneHot: indices out of range            test_one_hot_of_negative_and_foreign_indices
    4.5  NonZero is transposed                   test_non_zero_has_a_row_per_axis
    4.5  Compress: short condition               test_compress_by_a_short_condition
    4.5  Unique: axis                            test_unique_along_an_axis
    4.5  TopK: K, int64                          test_top_k_takes_a_vector_of_one_and_gives_int64
    4.5  ArgMax: keepdims, last index            test_arg_max_keeps_the_axis_and_may_take_the_last
    4.5  Resize: nearest_mode                    test_resize_nearest_mode_is_kept
    4.5  Resize: antialias, axes, policy         test_resize_with_antialias_axes_and_a_kept_ratio
    4.5  Resize: roi                             test_resize_of_a_crop
    4.5  Upsample: scales 7 and 9
         test_upsample_has_scales_as_an_attribute_then_as_an_input
    4.5  GridSample: names at 20                 test_grid_sample_changed_the_names_of_its_modes
    4.6  axes an attribute until 17              test_axes_of_reductions_become_an_input_at_18
    4.6  ReduceSum: axes at 13                   test_axes_of_sums_become_an_input_at_13_already
    4.6  no axes, noop
         test_reduce_without_axes_takes_all_and_noop_takes_none
    4.6  empty sets                              test_reductions_of_nothing
    4.6  ReduceLogSumExp of infinities           test_log_sum_exp_of_nothing_but_minus_infinity
    4.7  If: captured values                     test_values_an_if_captures_become_its_inputs
    4.7  LSTM, GRU: gate order
         test_gates_of_recurrent_layers_are_in_the_order_of_onnx
    4.7  layout = 1                              test_recurrent_layers_with_the_batch_first
    4.7  sequences                               test_sequences_are_refused_by_name
    4.7  random: no CSE                          test_random_nodes_are_not_merged
    4.7  QuantizeLinear divides                  test_quantisation_divides_by_the_scale
    4.7  ai.onnx.ml: clear diagnostics           test_what_has_no_mapping_is_refused_by_name
    4.8  functions: cycle trap
         test_relu_and_softmax_are_mapped_before_functions_are_expanded
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


def test_the_table_of_traps_names_tests():
    import re
    from pathlib import Path

    named = re.findall(r"\btest_\w+(?!\.py)\b", (__doc__ or "").split(":\n\n", 1)[1])
    texts = [
        p.read_text(encoding="utf-8") for p in Path(__file__).parent.glob("test_onnx_traps*.py")
    ]
    written = {
        name for text in texts for name in re.findall(r"^def (test_\w+)", text, re.MULTILINE)
    }
    assert len(set(named)) == len(named) > 90
    assert set(named) == written - {"test_the_table_of_traps_names_tests"}
