"""ONNX's convolutions, pools, resizes, samplers, transforms and quantisation, against ONNX itself.

Each over the opsets in which it changed; in the full tier with unknown dims, and on the device.
"""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

RNG = np.random.default_rng(5)
F32 = np.float32


def floats(*shape):
    return RNG.normal(size=shape).astype(F32)


def bytes_(low, high, *shape):
    return RNG.integers(low, high, shape).astype(np.uint8 if low >= 0 else np.int8)


LINE, IMAGE, VOLUME = floats(2, 4, 9), floats(2, 4, 8, 7), floats(1, 2, 5, 6, 7)
SCALE4, SHIFT4 = floats(4), floats(4)
UP = np.array([1, 1, 2.0, 1.5], F32)
DOWN = np.array([1, 1, 0.5, 0.6], F32)
GRID = RNG.uniform(-1.3, 1.3, (2, 5, 6, 2)).astype(F32)
BOXES = np.array([[0, 0, 5, 6], [1, 2, 3, 3], [2.5, 1, 7, 7.5]], F32)
U8, I8 = bytes_(0, 256, 1, 2, 6, 7), bytes_(-128, 128, 3, 2, 3, 3)

#: (operator, opsets, inputs, constants, attributes); "" is an absent input
CASES: list[tuple] = []


def case(op, opsets, inputs, constants=(), **attrs):
    CASES.append((op, opsets, list(inputs), list(constants), attrs))


case(
    "Conv", (11, 22), [VOLUME], [floats(4, 1, 2, 3, 2), floats(4)], group=2, pads=[1, 0, 1, 0, 1, 0]
)
case("Conv", (11,), [VOLUME], [floats(3, 2, 2, 2, 2)], strides=[2, 1, 2], dilations=[1, 2, 1])
for x, kernel in ((LINE, (3,)), (IMAGE, (3, 2)), (VOLUME[:, :2], (2, 3, 2))):
    n = len(kernel)
    weight = floats(x.shape[1], 3, *kernel)
    case("ConvTranspose", (11, 22), [x], [weight, floats(3)], strides=[2] * n)
    case(
        "ConvTranspose",
        (11,),
        [x],
        [weight],
        strides=[3] * n,
        output_padding=[1] * n,
        dilations=[2] * n,
    )
    case("MaxPool", (10, 12), [x], kernel_shape=[2] * n, strides=[2] * n, dilations=[2] * n)
    case("LpPool", (11, 18), [x], kernel_shape=[2] * n, strides=[2] * n, p=3)
    case("LpPool", (18,), [x], kernel_shape=[2] * n, pads=[1, *[0] * (2 * n - 1)], p=1)
    case("AveragePool", (19, 22), [x], kernel_shape=[2] * n, dilations=[2] * n, strides=[1] * n)
    case("InstanceNormalization", (7, 22), [x], [floats(x.shape[1]), floats(x.shape[1])])
case("MaxPool", (8, 12), [VOLUME], kernel_shape=[2, 3, 2])
case("AveragePool", (7, 19), [VOLUME], kernel_shape=[2, 3, 2], pads=[1, 1, 0, 0, 1, 1])
case("AveragePool", (11,), [VOLUME], kernel_shape=[2, 2, 2], count_include_pad=1, pads=[1] * 6)
case("LpNormalization", (7, 22), [np.abs(IMAGE)], axis=1, p=1)
case("LpNormalization", (7, 22), [IMAGE], axis=-1)
case("GroupNormalization", (18,), [IMAGE], [floats(2), floats(2)], num_groups=2)
case("GroupNormalization", (21,), [IMAGE], [SCALE4, SHIFT4], num_groups=2, epsilon=1e-3)
case("LayerNormalization", (17,), [IMAGE], [floats(8, 7), floats(8, 7)], axis=2)
case("LayerNormalization", (17,), [IMAGE], [floats(7)])
case("LayerNormalization", (17,), [IMAGE], [floats(8, 1)], axis=2)
case("RMSNormalization", (23,), [IMAGE], [floats(7)])
case("RMSNormalization", (23,), [IMAGE], [floats(1)], axis=1)
case("BatchNormalization", (15,), [IMAGE], [SCALE4, SHIFT4, SHIFT4, SCALE4**2], training_mode=1)
for scales in (UP, DOWN):
    for mode in ("nearest", "linear", "cubic"):
        for way in ("half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric"):
            case(
                "Resize",
                (11, 13, 19),
                [IMAGE],
                [np.zeros(0, F32), scales],
                mode=mode,
                coordinate_transformation_mode=way,
            )
    case("Resize", (18,), [IMAGE], ["", scales], mode="cubic", antialias=1, exclude_outside=1)
SIZES = np.array([12, 9])
for policy in ("stretch", "not_larger", "not_smaller"):
    case(
        "Resize",
        (18, 19),
        [IMAGE],
        ["", "", SIZES],
        axes=[2, 3],
        mode="linear",
        keep_aspect_ratio_policy=policy,
    )
    case("Resize", (18,), [IMAGE], ["", "", SIZES], axes=[3, 1], keep_aspect_ratio_policy=policy)
case("Resize", (18,), [IMAGE], ["", UP[2:]], axes=[3, 2], mode="linear")
case(
    "Resize",
    (19,),
    [IMAGE],
    ["", DOWN],
    mode="linear",
    coordinate_transformation_mode="half_pixel_symmetric",
)
case(
    "Resize",
    (13,),
    [np.arange(12, dtype=np.uint8).reshape(1, 1, 3, 4)],
    [np.zeros(0, F32), UP],
    mode="linear",
)
case("GridSample", (16,), [IMAGE, GRID], mode="nearest", padding_mode="border")
case(
    "GridSample", (20, 22), [IMAGE, GRID], mode="cubic", padding_mode="reflection", align_corners=1
)
case(
    "GridSample",
    (20,),
    [VOLUME, RNG.uniform(-1.2, 1.2, (1, 2, 3, 4, 3)).astype(F32)],
    mode="linear",
)
case("AffineGrid", (20,), [floats(2, 2, 3)], [np.array([2, 1, 3, 4])])
for opset in (16, 22):
    case(
        "RoiAlign",
        (opset,),
        [IMAGE, BOXES],
        [np.array([0, 1, 1])],
        output_height=3,
        output_width=2,
        spatial_scale=0.8,
    )
case(
    "RoiAlign",
    (16,),
    [IMAGE, BOXES],
    [np.array([0, 1, 1])],
    mode="max",
    sampling_ratio=2,
    output_height=2,
    output_width=2,
)
case("DeformConv", (19, 22), [IMAGE, floats(4, 2, 2, 2), floats(2, 8, 7, 6)], group=2)
case("Col2Im", (18,), [floats(1, 12, 20)], [np.array([5, 7]), np.array([2, 3])])
case("DFT", (17,), [floats(2, 6, 1)], axis=1, onesided=1)
case("DFT", (20,), [floats(2, 6, 5, 2)], ["", np.array(2)], inverse=1)
case("Det", (11, 22), [floats(2, 4, 4)])
case("ConvInteger", (10,), [U8, I8], [np.uint8(120), np.int8(3)], pads=[1, 1, 1, 1])
case("ConvInteger", (10,), [U8, I8], ["", np.array([1, -2, 3], np.int8)])
case(
    "MatMulInteger",
    (10,),
    [bytes_(0, 256, 3, 5), bytes_(-128, 128, 5, 4)],
    [np.uint8(9), np.int8(-3)],
)
case(
    "QLinearMatMul",
    (10, 21),
    [bytes_(0, 256, 3, 5)],
    [
        F32(0.02),
        np.uint8(120),
        bytes_(0, 256, 5, 4),
        F32(0.03),
        np.uint8(130),
        F32(0.3),
        np.uint8(100),
    ],
)
case(
    "QLinearConv",
    (10,),
    [U8],
    [
        F32(0.02),
        np.uint8(120),
        I8,
        np.array([0.02, 0.03, 0.01], F32),
        np.array([0, 0, 0], np.int8),
        F32(0.6),
        np.uint8(110),
    ],
    pads=[1, 0, 1, 0],
)
case("DynamicQuantizeLinear", (11,), [floats(3, 4)])
BLOCKS = np.abs(floats(2, 2, 8, 7)) + F32(0.01)
case(
    "QuantizeLinear",
    (21, 25),
    [IMAGE],
    [BLOCKS, np.zeros((2, 2, 8, 7), np.int8)],
    axis=1,
    block_size=2,
)
case("DequantizeLinear", (21,), [bytes_(-99, 99, 2, 4, 8, 7)], [BLOCKS], axis=1, block_size=2)
for narrow in ("uint4", "int4", "float8_e4m3fnuz", "float8_e5m2fnuz"):
    zero = np.zeros((), getattr(ml_dtypes, narrow))
    case("QuantizeLinear", (21,), [IMAGE], [F32(0.3), zero])
case("STFT", (17,), [floats(2, 20, 1)], [np.array(4), floats(6)])

IDS = [f"{i}-{c[0]}-{c[1]}" for i, c in enumerate(CASES)]
#: Reasons for which a node may be refused when no dim of its inputs is known.
NEEDS_DIMS = ("must be known", "needs known", "need known", "needs a known")
OUTPUTS = {"BatchNormalization": 3, "LayerNormalization": 3, "DynamicQuantizeLinear": 3}


def model_of(ox, row, opset, types=None):
    op, _, inputs, constants, attrs = row
    fed = {f"x{i}": np.asarray(a) for i, a in enumerate(inputs)}
    held = {f"c{i}": np.asarray(a) for i, a in enumerate(constants) if not isinstance(a, str)}
    names = [*fed, *("" if isinstance(a, str) else f"c{i}" for i, a in enumerate(constants))]
    outputs = [f"y{i}" for i in range(OUTPUTS.get(op, 1))]
    if op == "BatchNormalization" and not attrs.get("training_mode"):
        outputs = outputs[:1]
    node = ox.node(op, names, outputs, name=f"the/{op}", **attrs)
    return ox.model([node], fed, outputs, opset=opset, constants=held, types=types), fed


@pytest.mark.parametrize("row", CASES, ids=IDS)
def test_operator_means_what_onnx_says(ox, row):
    for opset in row[1]:
        proto, fed = model_of(ox, row, opset)
        ox.compare(proto, fed, 2e-5)


@pytest.mark.full
@pytest.mark.parametrize("row", CASES, ids=IDS)
def test_operator_on_unknown_dims(ox, row):
    """The same with every dim of the inputs symbolic: refused with a reason, or right."""
    import onnx

    from ge_dialect.diagnostics import GeError

    proto, fed = model_of(ox, row, row[1][-1])
    types = {
        n: (
            onnx.helper.np_dtype_to_tensor_dtype(a.dtype),
            [None if d == 1 else f"{n}{i}" for i, d in enumerate(a.shape)],
        )
        for n, a in fed.items()
    }
    proto, _ = model_of(ox, row, row[1][-1], types)
    reasons: list[str] = []
    try:
        ox.compare(proto, fed, 1e-4)
    except GeError as error:
        reasons = [d.message for d in error.diagnostics]
    assert all(any(r in reason for r in NEEDS_DIMS) for reason in reasons), reasons


def same_as(ox, node, opset, other, other_opset, inputs, constants=None):
    """Two nodes with equal golden results, for what ONNX's reference evaluator does not take."""
    results = []
    for made, version in ((node, opset), (other, other_opset)):
        held = {k: v for k, v in (constants or {}).items() if k in made.input}
        proto = ox.model([made], inputs, ["y"], opset=version, constants=held)
        results.append(ox.run(proto, inputs))
    ox.same(*results)


@pytest.mark.parametrize("scales", [UP, DOWN], ids=["up", "down"])
@pytest.mark.parametrize("mode", ["nearest", "linear"])
def test_old_resizes_are_asymmetric_and_take_the_element_before(ox, scales, mode):
    attrs = {
        "mode": mode,
        "coordinate_transformation_mode": "asymmetric",
        "nearest_mode": "floor",
    }
    now = ox.node("Resize", ["x", "", "s"], ["y"], **attrs)
    for op, opset in (("Resize", 10), ("Upsample", 9)):
        old = ox.node(op, ["x", "s"], ["y"], mode=mode)
        same_as(ox, old, opset, now, 13, {"x": IMAGE}, {"s": scales})
    oldest = ox.node("Upsample", ["x"], ["y"], mode=mode, scales=scales.tolist())
    same_as(ox, oldest, 7, now, 13, {"x": IMAGE}, {"s": scales})


@pytest.mark.parametrize(("old", "new"), [("bilinear", "linear"), ("bicubic", "cubic")])
def test_grid_sample_modes_changed_their_names(ox, old, new):
    nodes = [ox.node("GridSample", ["x", "g"], ["y"], mode=mode) for mode in (old, new)]
    same_as(ox, nodes[0], 16, nodes[1], 20, {"x": IMAGE, "g": GRID})


def test_roi_align_of_opset_10_does_not_move_boxes(ox):
    attrs = {"output_height": 3, "output_width": 2, "sampling_ratio": 2}
    old = ox.node("RoiAlign", ["x", "b", "n"], ["y"], **attrs)
    way = "output_half_pixel"
    new = ox.node("RoiAlign", ["x", "b", "n"], ["y"], coordinate_transformation_mode=way, **attrs)
    same_as(ox, old, 10, new, 16, {"x": IMAGE, "b": BOXES}, {"n": np.array([0, 1, 1])})


def test_max_roi_pool_takes_the_largest_of_each_bin(ox):
    x = np.arange(24, dtype=F32).reshape(1, 1, 4, 6)
    boxes = np.array([[0, 0, 0, 10, 6], [0, 4, 2, 6, 4]], F32)  # halved: 0 … 5 by 0 … 3
    node = ox.node("MaxRoiPool", ["x", "b"], ["y"], pooled_shape=[2, 3], spatial_scale=0.5)
    (y,) = ox.run(ox.model([node], {"x": x, "b": boxes}, ["y"], opset=11), {"x": x, "b": boxes})
    assert y[0, 0].tolist() == [[7, 9, 11], [19, 21, 23]]
    assert y[1, 0].tolist() == [[8, 9, 9], [14, 15, 15]]


def test_conv_transpose_pads_cut_the_output(ox):
    """Stride one and a filter of ones sum neighbours; pads drop the ends."""
    x = np.arange(1, 5, dtype=F32).reshape(1, 1, 4)
    held = {"w": np.ones((1, 1, 2), F32)}
    node = ox.node("ConvTranspose", ["x", "w"], ["y"], pads=[1, 0])
    (y,) = ox.run(ox.model([node], {"x": x}, ["y"], opset=11, constants=held), {"x": x})
    assert y.reshape(-1).tolist() == [3, 5, 7, 4]


def test_conv_transpose_in_groups_is_one_for_each(ox):
    x, w = floats(2, 4, 3, 5), floats(4, 2, 2, 3)
    runs = []
    for data, weight, groups in ((x, w, 2), (x[:, :2], w[:2], 1), (x[:, 2:], w[2:], 1)):
        node = ox.node("ConvTranspose", ["x", "w"], ["y"], group=groups, strides=[2, 1])
        proto = ox.model([node], {"x": data}, ["y"], opset=11, constants={"w": weight})
        runs += ox.run(proto, {"x": data})
    ox.same(runs[:1], [np.concatenate(runs[1:], axis=1)])


def test_conv_transpose_output_shape_overrides_pads(ox):
    x = floats(1, 2, 4, 5)
    held = {"w": floats(2, 3, 3, 3)}
    for upper in ("SAME_UPPER", "SAME_LOWER"):
        attrs = {"strides": [2, 2], "output_shape": [8, 10], "auto_pad": upper}
        node = ox.node("ConvTranspose", ["x", "w"], ["y"], **attrs)
        (y,) = ox.run(ox.model([node], {"x": x}, ["y"], opset=11, constants=held), {"x": x})
        begin = 0 if upper == "SAME_UPPER" else 1
        pads = [begin, begin, 1 - begin, 1 - begin]
        plain = ox.node("ConvTranspose", ["x", "w"], ["y"], strides=[2, 2], pads=pads)
        proto = ox.model([plain], {"x": x}, ["y"], opset=11, constants=held)
        ox.same([y], ox.run(proto, {"x": x}))


def test_lp_norm_of_negative_numbers(ox):
    x = np.array([[-1.0, 2.0, -5.0], [0.0, 0.0, 0.0]], F32)
    node = ox.node("LpNormalization", ["x"], ["y"], p=1)
    (y,) = ox.run(ox.model([node], {"x": x}, ["y"], opset=22), {"x": x})
    np.testing.assert_allclose(y, [[-0.125, 0.25, -0.625], [0, 0, 0]])


@pytest.mark.full
@pytest.mark.parametrize("row", CASES, ids=IDS)
def test_operator_on_the_device(ox, row):
    """Golden and simulated values agree."""
    from ge_dialect import api
    from ge_dialect.importers.onnx import import_onnx
    from runtime import simulate

    proto, fed = model_of(ox, row, row[1][-1])
    expected = api.evaluate(import_onnx(proto), fed).outputs
    found = list(simulate(import_onnx(proto), fed).outputs)
    for mine, want in zip(found, expected, strict=True):
        ox.same([mine], [want], 1e-4)
