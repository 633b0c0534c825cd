"""Pooling with places, moved samples and boxes, against loops from their definitions."""

from __future__ import annotations

from itertools import product
from math import ceil, floor, isnan

import numpy as np
import pytest

from ge_dialect.diagnostics import GeError
from ge_dialect.semantics.evaluator import apply_op


def rng():
    return np.random.default_rng(5)


def window(start, count, step, size):
    return [p for p in (start + k * step for k in range(count)) if 0 <= p < size]


# ------------------------------------------------------------------------ places of maxima

POOLS = [
    {"ksize": [1, 3, 2, 1], "strides": [1, 2, 1, 1], "pads": [1, 1, 0, 1]},
    {"ksize": [1, 2, 2, 1], "strides": [1, 3, 2, 1], "pads": [1, 1, 1, 1], "ceil_mode": True},
    {"ksize": [1, 2, 3, 1], "strides": [1, 1, 1, 1], "pads": [1, 0, 1, 1],
     "dilation": [1, 2, 2, 1]},
]  # fmt: skip


@pytest.mark.parametrize("attrs", POOLS)
@pytest.mark.parametrize("lost", [False, True])
def test_places_of_the_largest(attrs, lost):
    x = rng().integers(-3, 4, (2, 3, 6, 7)).astype(np.float32)
    if lost:
        x[rng().random(x.shape) < 0.1] = np.nan
    y, place = apply_op("MaxPoolWithArgmaxV1", [x], attrs)
    (kh, kw), (sh, sw), (ph, pw) = (attrs[k][1:3] for k in ("ksize", "strides", "pads"))
    dh, dw = attrs.get("dilation", [1, 1, 1, 1])[1:3]
    for n, c, r, s in np.ndindex(*y.shape):
        best = None
        for i in window(r * sh - ph, kh, dh, 6):
            for j in window(s * sw - pw, kw, dw, 7):
                v = float(x[n, c, i, j])
                if best is None or v > best[0] or (isnan(v) and not isnan(best[0])):
                    best = (v, i * 7 + j)
        np.testing.assert_array_equal((y[n, c, r, s], place[n, c, r, s]), best)


@pytest.mark.parametrize("attrs", POOLS)
def test_gradients_go_to_their_places(attrs):
    x = rng().standard_normal((2, 3, 6, 7)).astype(np.float32)
    y, place = apply_op("MaxPoolWithArgmaxV1", [x], attrs)
    grad = rng().integers(-4, 5, y.shape).astype(np.float32)
    (back,) = apply_op("MaxPoolGradWithArgmaxV1", [x, grad, place], attrs)
    want = np.zeros(x.shape)
    for n, c, r, s in np.ndindex(*y.shape):
        want[n, c, place[n, c, r, s] // 7, place[n, c, r, s] % 7] += grad[n, c, r, s]
    np.testing.assert_array_equal(back, want)
    (none,) = apply_op("MaxPoolGradWithArgmaxV1", [x, grad, np.full_like(place, -1)], attrs)
    assert not none.any()
    with pytest.raises(GeError, match="out of range"):
        apply_op("MaxPoolGradWithArgmaxV1", [x, grad, np.full_like(place, 42)], attrs)


def test_a_window_over_padding_alone_has_no_place():
    x = np.ones((1, 1, 1, 2), np.float32)
    attrs = {"ksize": [1, 1, 2, 1], "strides": [1, 1, 1, 1], "pads": [1, 0, 1, 1],
             "dilation": [1, 1, 3, 1]}  # fmt: skip
    y, place = apply_op("MaxPoolWithArgmaxV1", [x], attrs)
    assert (y.item(), place.item()) == (-np.inf, -1)


# --------------------------------------------------------------------------- moved samples


def bilinear(image, p, q):
    total = 0.0
    for i, j in product((floor(p), floor(p) + 1), (floor(q), floor(q) + 1)):
        if 0 <= i < image.shape[0] and 0 <= j < image.shape[1]:
            total += (1 - abs(p - i)) * (1 - abs(q - j)) * float(image[i, j])
    return total


DEFORM = [
    {"strides": [1, 1, 2, 1], "pads": [1, 0, 1, 1], "ksize": [2, 3], "deformable_groups": 2},
    {"strides": [1, 1, 1, 2], "pads": [0, 0, 0, 1], "ksize": [2, 2], "dilations": [1, 1, 2, 1],
     "modulated": False},
]  # fmt: skip


def moved(attrs, whole=False):
    x = rng().standard_normal((2, 4, 5, 6))
    kh, kw = attrs["ksize"]
    parts, kinds = attrs.get("deformable_groups", 1), 3 if attrs.get("modulated", True) else 2
    sizes = []
    for a in (0, 1):
        extent = (attrs["ksize"][a] - 1) * attrs.get("dilations", [1] * 4)[2 + a] + 1
        room = (5, 6)[a] + sum(attrs["pads"][2 * a : 2 * a + 2]) - extent
        sizes.append(room // attrs["strides"][2 + a] + 1)
    offsets = 2 * rng().standard_normal((2, kinds, parts, kh, kw, *sizes))
    if whole:
        offsets[:, :2] = np.round(offsets[:, :2])
    return x, offsets


@pytest.mark.parametrize("attrs", DEFORM)
@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("last", [False, True])
def test_samples_at_moved_places(attrs, whole, last):
    x, offsets = moved(attrs, whole)
    n, kinds, parts, kh, kw, rows, cols = offsets.shape
    flat = offsets.reshape(n, -1, rows, cols)
    more = {}
    if last:
        more = {k: [1, *attrs[k][2:], 1] for k in ("strides", "dilations") if k in attrs}
        more["data_format"] = "NHWC"
    given = [np.moveaxis(a, 1, -1) if last else a for a in (x, flat)]
    (y,) = apply_op("DeformableOffsets", given, {**attrs, **more})
    y = np.moveaxis(y, -1, 1) if last else y
    assert y.shape == (2, 4, rows * kh, cols * kw)
    (sh, sw), pads = attrs["strides"][2:], attrs["pads"]
    dh, dw = attrs.get("dilations", [1] * 4)[2:]
    for b, c, r, s, i, j in np.ndindex(n, 4, rows, cols, kh, kw):
        move = offsets[b, :, c * parts // 4, i, j, r, s]
        value = bilinear(
            x[b, c], r * sh - pads[0] + i * dh + move[1], s * sw - pads[2] + j * dw + move[0]
        )
        want = value * (move[2] if kinds == 3 else 1)
        assert abs(y[b, c, r * kh + i, s * kw + j] - want) < 1e-12


@pytest.mark.parametrize("attrs", DEFORM)
def test_a_convolution_of_the_samples_is_a_deformable_one(attrs):
    x, offsets = moved(attrs)
    flat = offsets.reshape(2, -1, *offsets.shape[-2:])
    weight = rng().standard_normal((3, 4, *attrs["ksize"]))
    (y,) = apply_op("DeformableOffsets", [x, flat], attrs)
    conv = {"strides": [1, 1, *attrs["ksize"]], "pads": [0] * 4, "data_format": "NCHW"}
    (found,) = apply_op("Conv2D", [y, weight], conv)
    own = {k: v for k, v in attrs.items() if k != "ksize"}
    (want,) = apply_op("DeformableConv2D", [x, weight, flat], {**own, "data_format": "NCHW"})
    np.testing.assert_allclose(found, want, atol=1e-12)


@pytest.mark.parametrize("attrs", DEFORM)
def test_gradients_of_moved_samples(attrs):
    x, offsets = moved(attrs)
    flat = offsets.reshape(2, -1, *offsets.shape[-2:])
    (y,) = apply_op("DeformableOffsets", [x, flat], attrs)
    grad = rng().standard_normal(y.shape)
    found = apply_op("DeformableOffsetsGrad", [grad, x, flat], attrs)
    for at, value in enumerate((x, flat)):
        places = rng().permutation(value.size)[:60]
        for place in places:
            step = np.zeros(value.size)
            step[place] = 1e-6
            sides = []
            for sign in (1, -1):
                given = [x, flat]
                given[at] = value + sign * step.reshape(value.shape)
                sides.append((apply_op("DeformableOffsets", given, attrs)[0] * grad).sum())
            slope = (sides[0] - sides[1]) / 2e-6
            assert abs(found[at].reshape(-1)[place] - slope) < 1e-6


def test_what_is_read_outside_is_zero_whatever_is_inside():
    x = np.full((1, 1, 2, 2), np.inf, np.float32)
    far = np.zeros((1, 2, 2, 2), np.float32)
    far[:, 0] = [[5, np.nan], [-9, 1e30]]
    attrs = {"strides": [1] * 4, "pads": [0] * 4, "ksize": [1, 1], "modulated": False}
    with np.errstate(invalid="ignore"):  # of neighbours that do not count
        (y,) = apply_op("DeformableOffsets", [x, far], attrs)
    assert y.tolist() == [[[[0, 0], [0, 0]]]]


FOLDS = [
    {"kernel_size": [2, 3], "dilation": [1, 1], "padding": [1, 0], "stride": [2, 1]},
    {"kernel_size": [2, 2], "dilation": [2, 1], "padding": [0, 2], "stride": [1, 3]},
]


@pytest.mark.parametrize("attrs", FOLDS)
def test_columns_go_back_to_where_they_were_seen(attrs):
    (kh, kw), (dh, dw), (ph, pw), (sh, sw) = (
        attrs[k] for k in ("kernel_size", "dilation", "padding", "stride")
    )
    height, width = 5, 6
    rows = (height + 2 * ph - dh * (kh - 1) - 1) // sh + 1
    cols = (width + 2 * pw - dw * (kw - 1) - 1) // sw + 1
    x = rng().standard_normal((2, 3, kh * kw, rows * cols))
    size = np.array([height, width], np.int32)
    (y,) = apply_op("Col2im", [x, size], attrs)
    want = np.zeros((2, 3, height, width))
    for i, j, a, b in np.ndindex(kh, kw, rows, cols):
        r, s = a * sh - ph + i * dh, b * sw - pw + j * dw
        if 0 <= r < height and 0 <= s < width:
            want[:, :, r, s] += x[:, :, i * kw + j, a * cols + b]
    np.testing.assert_allclose(y, want, atol=1e-12)
    pads = {"strides": [sh, sw], "dilations": [dh, dw], "pads": [ph, pw, ph, pw]}
    flat = x.reshape(2, 3 * kh * kw, rows * cols)
    given = [flat, size.astype(np.int64), np.array([kh, kw])]
    np.testing.assert_allclose(apply_op("HostCol2Im", given, pads)[0], y, atol=1e-12)


# -------------------------------------------------------------------------------- boxes


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_boxes_by_loops(dtype):
    random = rng()
    x = random.standard_normal((3, 2, 7, 9)).astype(dtype)
    corners = np.sort(random.integers(-3, 20, (12, 2, 2)) / 2, axis=1).reshape(12, 4)
    boxes = np.column_stack([random.integers(0, 3, 12), corners]).astype(dtype)
    attrs = {"pooled_h": 3, "pooled_w": 2, "spatial_scale_h": 0.5, "spatial_scale_w": 0.75}
    (y,) = apply_op("ROIPooling", [x, boxes, None], attrs)
    want = np.zeros_like(y)
    for k, (b, *box) in enumerate(boxes.astype(float)):
        left, top, right, bottom = (
            floor(v * s + 0.5) for v, s in zip(box, (0.75, 0.5, 0.75, 0.5), strict=True)
        )
        tall, wide = max(bottom - top + 1, 1), max(right - left + 1, 1)
        for c, i, j in np.ndindex(2, 3, 2):
            rows = range(top + floor(i * tall / 3), top + ceil((i + 1) * tall / 3))
            cols = range(left + floor(j * wide / 2), left + ceil((j + 1) * wide / 2))
            seen = [x[int(b), c, r, s] for r in rows for s in cols if 0 <= r < 7 and 0 <= s < 9]
            want[k, c, i, j] = max(seen, default=0)
    np.testing.assert_array_equal(y, want)


def test_boxes_by_image():
    x = rng().standard_normal((2, 3, 4, 4)).astype(np.float32)
    rows = np.array(
        [[0, 0, 0, 3, 3], [1, 1, 1, 2, 3], [0, 2, 2, 2, 2], [1, 0, 0, 1, 1]], np.float32
    )
    attrs = {"pooled_h": 2, "pooled_w": 2, "spatial_scale_h": 1.0, "spatial_scale_w": 1.0}
    (flat,) = apply_op("ROIPooling", [x, rows, None], attrs)
    stacked = rows.reshape(2, 2, 5).transpose(0, 2, 1)
    (all_of_them,) = apply_op("ROIPooling", [x, stacked, None], attrs)
    np.testing.assert_array_equal(all_of_them, flat)
    count = np.zeros((2, 8), np.int32)
    count[:, 0] = [1, 2]
    (some,) = apply_op("ROIPooling", [x, stacked, count], attrs)
    np.testing.assert_array_equal(some, flat * np.array([1, 0, 1, 1]).reshape(4, 1, 1, 1))
    for wrong, text in (
        ([x, rows + np.float32(2), None], "names an image"),
        ([x, rows * np.float32(1e30), None], "too large"),
        ([x, stacked, count + np.int32(5)], "out of range"),
    ):
        with pytest.raises(GeError, match=text):
            apply_op("ROIPooling", wrong, attrs)


def test_means_of_bins_with_channels_of_their_own():
    random = rng()
    size, channels, scale = 3, 2, 0.75
    x = random.standard_normal((2, channels * size * size, 7, 9)).astype(np.float32)
    corners = np.sort(random.integers(-2, 24, (2, 6, 2, 2)) / 2, axis=2).reshape(2, 6, 4)
    corners[0, 0] = [3, 3, 2, 2]  # turned over
    image = random.integers(0, 2, (2, 6, 1))
    rois = np.concatenate([image, corners], axis=2).transpose(0, 2, 1).astype(np.float32)
    attrs = {"spatial_scale": scale, "output_dim": channels, "group_size": size}
    (y,) = apply_op("PSROIPooling", [x, rois], attrs)
    for row, k in product(range(2), range(6)):
        box = rois[row, :, k].astype(float).tolist()
        left, top = (floor(v + 0.5) * scale for v in box[1:3])
        right, bottom = ((floor(v + 0.5) + 1) * scale for v in box[3:])
        tall, wide = max(bottom - top, 0.1) / size, max(right - left, 0.1) / size
        for c, i, j in np.ndindex(channels, size, size):
            rows = range(floor(top + i * tall), ceil(top + (i + 1) * tall))
            cols = range(floor(left + j * wide), ceil(left + (j + 1) * wide))
            plane = x[int(box[0]), (c * size + i) * size + j]
            seen = [float(plane[r, s]) for r in rows for s in cols if 0 <= r < 7 and 0 <= s < 9]
            want = sum(seen) / len(seen) if seen else 0
            assert abs(y[row * 6 + k, c, i, j] - want) < 1e-6
    for wrong, text in ((rois + np.float32(2), "names an image"), (rois * 1e30, "too large")):
        with pytest.raises(GeError, match=text):
            apply_op("PSROIPoolingV2", [x, wrong.astype(np.float32)], attrs)


# ----------------------------------------------------------------------- on the device


@pytest.mark.parametrize("seed", range(3))
def test_kernels_agree_where_places_are_far_out(seed):
    """Generated calls stay near the image; these do not."""
    from ge_dialect.ops.registry import op_class
    from runtime.kernels.registry import AICPU, Call, View, find_kernel

    attrs = DEFORM[seed % 2]
    x, offsets = moved(attrs, whole=seed == 2)
    flat = offsets.reshape(2, -1, *offsets.shape[-2:]) * 3
    (y,) = apply_op("DeformableOffsets", [x, flat], attrs)
    grad = rng().standard_normal(y.shape)
    table = op_class("DeformableOffsets").ge_table()
    known = {a.name: a.kind.to_python(a.default) for a in table.attrs.values() if not a.required}
    for op, given in (("DeformableOffsets", [x, flat]), ("DeformableOffsetsGrad", [grad, x, flat])):
        want = apply_op(op, given, attrs)
        outs = [View(np.full(w.shape, np.nan), w.shape) for w in want]
        call = Call([View(a, a.shape) for a in given], outs, {**known, **attrs})
        found = find_kernel(op, AICPU, ["ND"] * 5)
        assert found is not None
        found.function(call)
        for mine, golden in zip(outs, want, strict=True):
            np.testing.assert_allclose(mine.data, golden, atol=1e-12)
