"""Traps of layers, loops and quantisation at import; the table stands in `test_onnx_traps.py`.

Expected values are written out, or those of ONNX's reference evaluator.
"""

from __future__ import annotations

import numpy as np
import pytest

from ge_dialect.diagnostics import GeError

F32 = np.float32


def rng():
    return np.random.default_rng(23)


def one(ox, op, inputs, *, opset, constants=None, outputs=("y",), **attrs):
    """Golden outputs of a model of one node; an input called "" is left out."""
    held = constants or {}
    node = ox.node(op, [*inputs, *held], list(outputs), **attrs)
    return ox.run(ox.model([node], inputs, outputs, opset=opset, constants=held), inputs)


def alike(ox, op, inputs, *, opset, outputs=("y",), tolerance=1e-5, constants=None, **attrs):
    """The import of one node gives what ONNX's evaluator gives."""
    held = constants or {}
    node = ox.node(op, [*inputs, *held], list(outputs), **attrs)
    proto = ox.model([node], inputs, list(outputs), opset=opset, constants=held)
    ox.compare(proto, inputs, tolerance)


def kinds(ox, op, inputs, *, opset, constants=None, outputs=("y",), **attrs):
    """GE operators a node of one kind becomes."""
    from ge_dialect.importers.onnx import import_onnx

    held = constants or {}
    node = ox.node(op, [*inputs, *held], list(outputs), **attrs)
    proto = ox.model([node], inputs, list(outputs), opset=opset, constants=held)
    return [o.name[3:] for o in import_onnx(proto).graphs[0].body.ops][:-1]


def drawn(*shape):
    return rng().standard_normal(shape).astype(F32)


# ---------------------------------------------------------------------- products, convolutions


def test_matmul_of_vectors_drops_their_axes(ox):
    a, m = np.array([1, 2], F32), np.array([[1, 2, 3], [4, 5, 6]], F32)
    assert one(ox, "MatMul", {"a": a, "b": m}, opset=13)[0].tolist() == [9, 12, 15]
    assert one(ox, "MatMul", {"a": m.T.copy(), "b": a}, opset=13)[0].tolist() == [9, 12, 15]
    assert one(ox, "MatMul", {"a": a, "b": a}, opset=13)[0].shape == ()


def test_matmul_of_matrix_and_batch_stretches_the_matrix(ox):
    a, b = drawn(2, 3), drawn(4, 3, 5)
    assert one(ox, "MatMul", {"a": a, "b": b}, opset=13)[0].shape == (4, 2, 5)
    alike(ox, "MatMul", {"a": a, "b": b}, opset=13)
    assert "MatMulV2" in kinds(ox, "MatMul", {"a": a, "b": drawn(3, 5)}, opset=13)


def test_gemm_scales_c_by_beta(ox):
    fed = {"a": np.eye(2, dtype=F32), "b": np.eye(2, dtype=F32), "c": np.ones((2, 1), F32)}
    found = one(ox, "Gemm", fed, opset=13, alpha=2.0, beta=3.0)[0]
    assert found.tolist() == [[5, 3], [3, 5]]


def test_conv_takes_the_kernel_from_the_filter(ox):
    x, w = np.ones((1, 1, 4, 4), F32), np.ones((1, 1, 3, 2), F32)
    y = one(ox, "Conv", {"x": x}, constants={"w": w}, opset=11)[0]
    assert y.shape == (1, 1, 2, 3)
    assert (y == 6).all()


@pytest.mark.parametrize("mode", ["SAME_UPPER", "SAME_LOWER"])
@pytest.mark.parametrize("spatial", [1, 2, 3])
def test_conv_with_auto_pad_needs_the_sizes(ox, mode, spatial):
    x, w = drawn(1, 2, *(5,) * spatial), drawn(3, 2, *(2,) * spatial)
    y = one(ox, "Conv", {"x": x}, constants={"w": w}, opset=11, auto_pad=mode)[0]
    assert y.shape == (1, 3, *(5,) * spatial)
    alike(ox, "Conv", {"x": x}, constants={"w": w}, opset=11, auto_pad=mode)


def test_conv_of_signals_is_a_convolution_of_flat_images(ox):
    x, w = drawn(1, 2, 7), drawn(3, 2, 3)
    alike(ox, "Conv", {"x": x}, constants={"w": w}, opset=11, strides=[2], pads=[1, 0])


def test_output_shape_of_a_transposed_conv_overrides_its_pads(ox):
    x, w = drawn(1, 1, 3, 3), drawn(1, 2, 3, 3)
    attrs = {"output_shape": [10, 8], "strides": [3, 2]}
    assert one(ox, "ConvTranspose", {"x": x, "w": w}, opset=11, **attrs)[0].shape == (1, 2, 10, 8)
    alike(ox, "ConvTranspose", {"x": x, "w": w}, opset=11, **attrs)


def test_filters_of_a_transposed_conv_lead_with_the_channels_of_x(ox):
    x, w = np.ones((1, 2, 1, 1), F32), np.arange(6, dtype=F32).reshape(2, 3, 1, 1)
    y = one(ox, "ConvTranspose", {"x": x, "w": w}, opset=11)[0]
    assert y.reshape(-1).tolist() == [3, 5, 7]


# ------------------------------------------------------------------------------------- pooling


def test_max_pool_of_a_large_window(ox):
    x = drawn(1, 1, 20, 20)
    alike(ox, "MaxPool", {"x": x}, opset=12, kernel_shape=[17, 17], strides=[1, 1])


def test_the_divisor_of_average_pools_that_round_up(ox):
    x = np.ones((1, 1, 4, 4), F32)
    attrs = {"kernel_shape": [3, 3], "strides": [2, 2], "ceil_mode": 1}
    plain = one(ox, "AveragePool", {"x": x}, opset=22, **attrs)[0]
    assert (plain == 1).all()
    padded = one(
        ox, "AveragePool", {"x": x}, opset=22, pads=[1, 1, 1, 1], count_include_pad=1, **attrs
    )
    alike(ox, "AveragePool", {"x": x}, opset=22, pads=[1] * 4, count_include_pad=1, **attrs)
    assert padded[0].shape == (1, 1, 3, 3)


def test_roi_align_before_16_has_no_half_pixels(ox):
    x = np.arange(16, dtype=F32).reshape(1, 1, 4, 4)
    fed = {"x": x, "rois": np.array([[0, 0, 2, 2]], F32), "i": np.zeros(1, np.int64)}
    attrs = {"output_height": 1, "output_width": 1, "sampling_ratio": 1}
    assert one(ox, "RoiAlign", fed, opset=10, **attrs)[0].item() == 5
    assert one(ox, "RoiAlign", fed, opset=16, **attrs)[0].item() == 2.5
    way = {"coordinate_transformation_mode": "output_half_pixel"}
    assert one(ox, "RoiAlign", fed, opset=16, **attrs, **way)[0].item() == 5


# -------------------------------------------------------------------------------- normalisation


@pytest.mark.parametrize("shape", [(4, 3), (4, 3, 5), (2, 3, 4, 5), (2, 3, 2, 2, 2)])
def test_batch_normalisation_of_any_rank(ox, shape):
    held = {n: rng().uniform(0.5, 2, 3).astype(F32) for n in ("s", "b", "m", "v")}
    alike(ox, "BatchNormalization", {"x": drawn(*shape)}, constants=held, opset=15)


def test_momentum_is_the_share_of_the_old_statistics(ox):
    x = np.array([[0.0], [2.0]], F32)
    held = {"s": 1, "b": 0, "m": 10, "v": 10}
    held = {n: np.full(1, v, F32) for n, v in held.items()}
    outputs = ("y", "mean", "var")
    _, mean, var = one(ox, "BatchNormalization", {"x": x}, constants=held, opset=15,
                       outputs=outputs, training_mode=1, momentum=0.9)  # fmt: skip
    np.testing.assert_allclose(mean, [9.1], rtol=1e-6)
    np.testing.assert_allclose(var, [9.1], rtol=1e-6)


def test_the_third_result_of_layer_normalisation_is_the_inverse_deviation(ox):
    x = np.array([[1, 3]], F32)
    held = {"s": np.ones(2, F32), "b": np.zeros(2, F32)}
    _, mean, inverse = one(ox, "LayerNormalization", {"x": x}, constants=held, opset=17,
                           outputs=("y", "m", "i"), epsilon=0.0)  # fmt: skip
    assert mean.tolist() == [[2]]
    assert inverse.tolist() == [[1]]
    wide = one(ox, "LayerNormalization", {"x": x * 2}, constants=held, opset=17,
               outputs=("y", "m", "i"), epsilon=0.0)  # fmt: skip
    assert wide[2].tolist() == [[0.5]]


def test_layer_normalisation_of_halves_computes_in_the_stash_type(ox):
    x = {"x": (drawn(2, 8) + 100).astype(np.float16)}
    held = {"s": np.ones(8, np.float16), "b": np.zeros(8, np.float16)}
    y, mean = one(ox, "LayerNormalization", x, constants=held, opset=17, outputs=("y", "m"))
    assert (y.dtype, mean.dtype) == (np.float16, np.float32)


def test_scales_of_group_normalisation_are_of_groups_then_of_channels(ox):
    x = {"x": drawn(1, 4, 3, 3)}
    of_groups = {"s": np.array([1, 3], F32), "b": np.zeros(2, F32)}
    old = one(ox, "GroupNormalization", x, constants=of_groups, opset=18, num_groups=2)[0]
    of_channels = {"s": np.array([1, 1, 3, 3], F32), "b": np.zeros(4, F32)}
    new = one(ox, "GroupNormalization", x, constants=of_channels, opset=21, num_groups=2)[0]
    np.testing.assert_allclose(old, new, rtol=1e-6)
    alike(ox, "GroupNormalization", x, constants=of_channels, opset=21, num_groups=2)


def test_rms_normalisation_does_not_centre(ox):
    x = {"x": np.array([[3, 3]], F32)}
    y = one(ox, "RMSNormalization", x, constants={"s": np.ones(2, F32)}, opset=23, epsilon=0.0)[0]
    np.testing.assert_allclose(y, [[1, 1]], rtol=1e-6)


@pytest.mark.parametrize("op", ["Softmax", "LogSoftmax", "Hardmax"])
def test_the_softmax_family_starts_at_axis_1_before_13(ox, op):
    x = drawn(2, 3, 4)
    flat = one(ox, op, {"x": x.reshape(2, 12)}, opset=13)[0].reshape(2, 3, 4)
    np.testing.assert_allclose(one(ox, op, {"x": x}, opset=11)[0], flat, rtol=1e-5, atol=1e-6)
    assert one(ox, op, {"x": x}, opset=13)[0].shape == (2, 3, 4)


@pytest.mark.parametrize("interleaved", [0, 1])
def test_rotary_embedding_pairs_halves_or_neighbours(ox, interleaved):
    fed = {"x": drawn(1, 2, 3, 4), "cos": drawn(1, 3, 2), "sin": drawn(1, 3, 2)}
    alike(ox, "RotaryEmbedding", fed, opset=23, interleaved=interleaved)


def test_attention_repeats_the_heads_of_keys_and_caps_scores(ox):
    fed = {"q": drawn(1, 4, 2, 8), "k": drawn(1, 2, 3, 8), "v": drawn(1, 2, 3, 8)}
    alike(ox, "Attention", fed, opset=23, softcap=2.0)


# ---------------------------------------------------------------------- control, recurrent, more


def test_values_an_if_captures_become_its_inputs(ox):
    import onnx

    add = onnx.helper.make_node("Add", ["x", "x"], ["t"])
    mul = onnx.helper.make_node("Mul", ["x", "z"], ["e"])
    out = [onnx.helper.make_tensor_value_info(n, 1, [2]) for n in "te"]
    then, other = (
        onnx.helper.make_graph([n], n.op_type, [], [o])
        for n, o in zip((add, mul), out, strict=True)
    )
    node = ox.node("If", ["c"], ["y"], then_branch=then, else_branch=other)
    for flag, want in ((True, [2, 4]), (False, [5, 10])):
        fed = {"c": np.array(flag), "x": np.array([1, 2], F32), "z": np.array([5, 5], F32)}
        assert ox.run(ox.model([node], fed, ["y"], opset=16), fed)[0].tolist() == want


@pytest.mark.parametrize("op", ["LSTM", "GRU"])
def test_gates_of_recurrent_layers_are_in_the_order_of_onnx(ox, op):
    gates = {"LSTM": 4, "GRU": 3}[op]
    fed = {"x": drawn(3, 2, 2)}
    held = {"w": drawn(1, gates * 3, 2), "r": drawn(1, gates * 3, 3), "b": drawn(1, gates * 6)}
    alike(ox, op, fed, constants=held, opset=14, hidden_size=3, outputs=("y", "h"))


def test_recurrent_layers_with_the_batch_first(ox):
    fed = {"x": drawn(2, 3, 2)}
    held = {"w": drawn(1, 12, 2), "r": drawn(1, 12, 3)}
    y, h = one(
        ox, "LSTM", fed, constants=held, opset=14, hidden_size=3, layout=1, outputs=("y", "h")
    )
    assert (y.shape, h.shape) == ((2, 3, 1, 3), (2, 1, 3))
    turned = {"x": fed["x"].swapaxes(0, 1).copy()}
    first = one(ox, "LSTM", turned, constants=held, opset=14, hidden_size=3, outputs=("y", "h"))[0]
    np.testing.assert_allclose(y, first.transpose(2, 0, 1, 3), rtol=1e-6)


def test_sequences_are_refused_by_name(ox):
    from ge_dialect.importers.onnx import import_onnx

    fed = {"a": drawn(2), "b": drawn(2)}
    nodes = [
        ox.node("SequenceConstruct", ["a", "b"], ["s"]),
        ox.node("SequenceAt", ["s", "i"], ["y"]),
    ]
    proto = ox.model(nodes, fed, ["y"], opset=11, constants={"i": np.array(-1)})
    with pytest.raises(GeError, match="SequenceConstruct"):
        import_onnx(proto)


def test_random_nodes_are_not_merged(ox):
    from ge_dialect.importers.onnx import import_onnx
    from passes import run_pipeline

    nodes = [ox.node("RandomNormal", [], [n], shape=[4]) for n in ("a", "b")]
    model = import_onnx(ox.model(nodes, {}, ["a", "b"], opset=13))
    run_pipeline(model, "cse,prune")
    assert sum("Random" in o.name for o in model.graphs[0].body.ops) == 2


def test_quantisation_divides_by_the_scale(ox):
    x = {"x": np.array([-1, 0, 0.25, 0.75, 1000], F32)}
    held = {"s": F32(0.5), "z": np.uint8(3)}
    found = one(ox, "QuantizeLinear", x, constants=held, opset=13)[0]
    assert found.tolist() == [1, 3, 3, 5, 255]  # 0.5 and 1.5 go to the even neighbour
    back = one(ox, "DequantizeLinear", {"x": found}, constants=held, opset=13)[0]
    assert back.tolist() == [-1, 0, 0, 1, 126]


def test_what_has_no_mapping_is_refused_by_name(ox):
    import onnx

    from ge_dialect.importers.onnx import import_onnx

    node = ox.node("Scaler", ["x"], ["y"], domain="ai.onnx.ml")
    proto = ox.model([node], {"x": np.ones(2, F32)}, ["y"], opset=13)
    proto.opset_import.append(onnx.helper.make_opsetid("ai.onnx.ml", 3))
    with pytest.raises(GeError, match="Scaler"):
        import_onnx(proto)


def test_relu_and_softmax_are_mapped_before_functions_are_expanded(ox):
    x = {"x": drawn(2, 3)}
    assert kinds(ox, "Relu", x, opset=14) == ["Relu"]
    assert kinds(ox, "Softmax", x, opset=13) == ["SoftmaxV2"]
