"""ONNX exports: resizing and sampling, blocks of pixels, boxes, signals."""

from __future__ import annotations

from typing import Any

from ge_dialect.dtypes import bits, is_float, to_xdsl
from ge_dialect.exporters.onnx_node import Out
from ge_dialect.exporters.onnx_ops_conv import channels_first, channels_last
from ge_dialect.exporters.onnx_rules import Results, export
from ge_dialect.exporters.onnx_tensor import onnx_number
from ge_dialect.exporters.onnx_values import NoCounterpart, Val
from ge_dialect.ir.types import elem_of


@export("Resize")
def resize(n: Out) -> Results:
    """Resize with its attributes; scales are left out where sizes are given."""
    way, mode = n.attrs["coordinate_transformation_mode"], n.attrs["mode"]
    if n.has(2) and n.has(3):
        raise NoCounterpart("scales together with sizes")
    scales = n.cast(n.x(2), "float32") if n.has(2) else None
    roi = n.x(1) if way == "tf_crop_and_resize" else None
    attrs: dict[str, Any] = {"coordinate_transformation_mode": way, "mode": mode}
    if mode == "nearest" or n.attrs["nearest_mode"] != "round_prefer_floor":
        attrs["nearest_mode"] = n.attrs["nearest_mode"]
    if mode == "cubic":
        attrs["cubic_coeff_a"] = n.attrs["cubic_coeff_a"]
    if n.attrs["exclude_outside"]:
        attrs["exclude_outside"] = 1
    if n.attrs["antialias"]:
        attrs["antialias"] = 1
    if n.attrs["extrapolation_value"]:
        attrs["extrapolation_value"] = n.attrs["extrapolation_value"]
    sizes = n.int64(3) if n.has(3) else None
    return n.emit("Resize", [n.x(0), roi, scales, sizes], **attrs)


def _image(n: Out, way: str, mode: str, nearest: str | None) -> Val:
    """Resize of the last two of four dims: by given scales, else to sizes."""
    shape, out = n.shape(), n.ints(1)
    if shape is None or out is None or -1 in shape:
        raise NoCounterpart("the sizes must be known")
    given = n.attrs["scales"]
    scales = sizes = None
    if len(given) == 2 and all(given):
        fits = [int(d * s) == o for d, s, o in zip(shape[2:], given, out, strict=True)]
        if not all(fits):
            raise NoCounterpart("scales that do not give the sizes")
        scales = n.constant([1.0, 1.0, *given], "scales", to_xdsl("float32"))
    else:
        if any(given):
            raise NoCounterpart("a scale for one axis only")
        sizes = n.constant([*shape[:2], *out], "sizes")
    attrs = {"coordinate_transformation_mode": way, "mode": mode, "nearest_mode": nearest}
    x = n.x(0)
    if is_float(elem_of(n.result())) and not n.is_float():
        x = n.cast(x, "float32" if bits(n.elem()) < 32 else "float64")
    return n.emit("Resize", [x, None, scales, sizes], **attrs)


@export("ResizeNearestNeighborV2")
def resize_nearest(n: Out) -> Results:
    """Resize by floor of the position; with align_corners at the nearest, halves up."""
    if n.attrs["align_corners"]:
        return _image(n, "align_corners", "nearest", "round_prefer_ceil")
    way = "tf_half_pixel_for_nn" if n.attrs["half_pixel_centers"] else "asymmetric"
    if way == "tf_half_pixel_for_nn":
        # The way of that name left ONNX: floor of (i + 0.5) / scale is ceil of it less a half.
        raise NoCounterpart("half_pixel_centers: ONNX has no such rule for the nearest element")
    return _image(n, way, "nearest", "floor")


@export("ResizeBilinearV2")
def resize_bilinear(n: Out) -> Results:
    """Resize in mode linear."""
    if n.attrs["align_corners"]:
        return _image(n, "align_corners", "linear", None)
    return _image(
        n, "half_pixel" if n.attrs["half_pixel_centers"] else "asymmetric", "linear", None
    )


@export("GridSampler2D", "GridSampler3D")
def grid_sample(n: Out) -> Results:
    """GridSample; of volumes from opset 20."""
    mode = n.attrs["interpolation_mode"]
    if n.opset >= 20:
        mode = {"bilinear": "linear", "bicubic": "cubic"}.get(mode, mode)
    elif n.rank() != 4:
        raise NoCounterpart("volumes", "a later --opset has them")
    attrs = {"mode": mode, "padding_mode": n.attrs["padding_mode"]}
    return n.emit(
        "GridSample", [n.x(0), n.x(1)], **attrs, align_corners=int(n.attrs["align_corners"])
    )


@export("GridSample")
def grid_sample_of_any_rank(n: Out) -> Results:
    """GridSample, channels first; of volumes from opset 20."""
    if n.attrs["channel_last"]:
        raise NoCounterpart("channels last")
    return grid_sample(n)


@export("AffineGrid")
def affine_grid(n: Out) -> Results:
    """AffineGrid (from opset 20)."""
    attrs: dict[str, Any] = {"align_corners": int(n.attrs["align_corners"])}
    return n.emit("AffineGrid", [n.x(0), n.int64(1)], **attrs)


@export("ROIAlign")
def roi_align(n: Out) -> Results:
    """RoiAlign; the number of its image, in front of each box, is split off."""
    mode = n.attrs["roi_end_mode"]
    if mode == 1 or n.has(2):
        raise NoCounterpart("roi_end_mode = 1 and rois_n are not supported")
    boxes = n.slice(n.x(1), 1, 5, 1, "Boxes")
    number = n.squeeze(n.slice(n.x(1), 0, 1, 1, "Number"), [1], "Images")
    attrs = {
        "coordinate_transformation_mode": "half_pixel" if mode == 2 else "output_half_pixel",
        "mode": n.attrs["pool_mode"],
        "output_height": n.attrs["pooled_height"],
        "output_width": n.attrs["pooled_width"],
        "sampling_ratio": n.attrs["sample_num"],
        "spatial_scale": n.attrs["spatial_scale"],
    }
    return n.emit("RoiAlign", [n.x(0), boxes, n.cast(number, "int64")], **attrs)


@export("ROIPooling")
def roi_pooling(n: Out) -> Results:
    """MaxRoiPool of boxes one below the other, with one scale."""
    if n.rank(1) != 2:
        raise NoCounterpart("boxes by image")
    scale = n.attrs["spatial_scale_h"]
    if scale != n.attrs["spatial_scale_w"]:
        raise NoCounterpart("a scale for each axis")
    shape = [n.attrs["pooled_h"], n.attrs["pooled_w"]]
    return n.emit("MaxRoiPool", [n.x(0), n.x(1)], pooled_shape=shape, spatial_scale=scale)


@export("HostCol2Im")
def col2im(n: Out) -> Results:
    """Col2Im."""
    attrs = {k: n.attrs[k] for k in ("strides", "pads", "dilations")}
    return n.emit("Col2Im", [n.x(0), n.int64(1), n.int64(2)], **attrs)


@export("DepthToSpace")
def depth_to_space(n: Out) -> Results:
    """DepthToSpace."""
    data_format = n.attrs["data_format"]
    x = channels_first(n, n.x(), data_format)
    y = n.emit("DepthToSpace", [x], blocksize=n.attrs["block_size"], mode=n.attrs["mode"])
    return channels_last(n, y, data_format)


@export("SpaceToDepth")
def space_to_depth(n: Out) -> Results:
    """SpaceToDepth."""
    data_format = n.attrs["data_format"]
    x = channels_first(n, n.x(), data_format)
    y = n.emit("SpaceToDepth", [x], blocksize=n.attrs["block_size"])
    return channels_last(n, y, data_format)


@export("NonMaxSuppressionV6")
def non_max_suppression(n: Out) -> Results:
    """NonMaxSuppression; no bound, which means no box in ONNX, becomes the largest one."""
    limit = n.vector(2) if n.has(2) else n.constant([2**31 - 1], "limit")
    bounds = [
        n.reshape(n.cast(n.x(i), "float32"), [1], "Bound") if n.has(i) else None for i in (3, 4)
    ]
    inputs = [n.cast(n.x(i), "float32") for i in (0, 1)]
    attrs = {"center_point_box": n.attrs["center_point_box"]}
    return n.emit("NonMaxSuppression", [*inputs, limit, *bounds], **attrs)


# --- signals ---------------------------------------------------------------------------------


def _scalar(n: Out, index: int) -> Val | None:
    if not n.has(index):
        return None
    return n.int64(index) if n.shape(index) == () else n.reshape(n.int64(index), [], "Scalar")


@export("HostDFT")
def dft(n: Out) -> Results:
    """DFT (its axis is an input from opset 20 on)."""
    attrs: dict[str, Any] = {k: int(n.attrs[k]) for k in ("inverse", "onesided")}
    inputs = [n.x(0), _scalar(n, 1)]
    if n.attrs["onesided"] and not n.attrs["inverse"] and (n.shape() or (1,))[-1] != 1:
        raise NoCounterpart("one side of a transform of complex numbers")
    if n.opset >= 20:
        return n.emit("DFT", [*inputs, _scalar(n, 2)], **attrs)
    attrs["axis"] = n.need_ints(2, "axis")[0] if n.has(2) else n.rank() - 2
    return n.emit("DFT", inputs, **attrs)


@export("HostSTFT")
def stft(n: Out) -> Results:
    """STFT."""
    inputs = [n.x(0), _scalar(n, 1), n.opt(2), _scalar(n, 3)]
    return n.emit("STFT", inputs, onesided=int(n.attrs["onesided"]))


@export("HostMelWeightMatrix")
def mel_weight_matrix(n: Out) -> Results:
    """MelWeightMatrix."""
    elem = elem_of(n.result())
    inputs = [n.x(i) if n.shape(i) == () else n.reshape(n.x(i), [], "Scalar") for i in range(5)]
    return n.emit("MelWeightMatrix", inputs, elem=elem, output_datatype=onnx_number(elem))
