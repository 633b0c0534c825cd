"""ONNX rules: Resize and Upsample.

GE's Resize takes one entry per axis, so `axes` is spelt out here, and an aspect ratio to keep
becomes a computed scale. Plain enlargements of images are GE's operators for them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.ir import SSAValue

from ge_dialect.dtypes import ge_name, to_xdsl
from ge_dialect.importers.onnx_graph import Refused
from ge_dialect.importers.onnx_node import Node
from ge_dialect.importers.onnx_rules import Outputs, rule
from ge_dialect.ir.types import elem_of

_IMAGE_DTYPES = ("float16", "bfloat16", "float32", "float64")


@dataclass
class Target:
    """Inputs of a resize over all axes; None where absent."""

    roi: SSAValue | None = None
    scales: SSAValue | None = None
    sizes: SSAValue | None = None


def _given(n: Node, index: int) -> bool:
    """Whether an input is there; an empty tensor means absent."""
    return n.has(index) and n.shape(index) != (0,)


def _picked(n: Node, value: SSAValue, other: SSAValue, places: list[int], role: str) -> SSAValue:
    """Entries of `value` and `other`, one behind the other, at `places`."""
    both = n.emit("ConcatD", [[value, other]], {"concat_dim": 0, "N": 2}, role=f"{role}Both")
    index, axis = n.constant(places, f"{role}_places"), n.constant(0, f"{role}_axis")
    return n.emit("GatherV2", [both, index, axis], role=role)


def _dims(n: Node, dtype: str, role: str) -> SSAValue:
    """Dims of x as a vector."""
    shape = n.shape(0)
    assert shape is not None
    if -1 not in shape:
        return n.constant(list(shape), role, to_xdsl(dtype))
    dims = n.emit("Shape", [n.x(0)], {"dtype": 9}, role=role)
    return n.cast(dims, to_xdsl(dtype), f"{role}Cast")


def _whole(n: Node, target: Target, axes: list[int], rank: int) -> Target:
    """Entries for all axes of x from those for `axes`."""
    if axes == list(range(rank)):
        return target
    count = len(axes)
    out = Target()
    if target.sizes is not None:
        places = [axes.index(a) if a in axes else count + a for a in range(rank)]
        dims = _dims(n, ge_name(elem_of(target.sizes.type)), "dims")
        out.sizes = _picked(n, target.sizes, dims, places, "Sizes")
    if target.scales is not None:
        places = [axes.index(a) if a in axes else count for a in range(rank)]
        one = n.constant([1.0], "one", elem_of(target.scales.type))
        out.scales = _picked(n, target.scales, one, places, "Scales")
    if target.roi is not None:
        starts = [axes.index(a) if a in axes else 2 * count for a in range(rank)]
        ends = [count + axes.index(a) if a in axes else 2 * count + 1 for a in range(rank)]
        whole = n.constant([0.0, 1.0], "whole", elem_of(target.roi.type))
        out.roi = _picked(n, target.roi, whole, starts + ends, "Roi")
    return out


def _keep_ratio(n: Node, target: Target, axes: list[int], policy: str) -> None:
    """One scale for all axes, the smallest or largest asked for, and the sizes it gives."""
    assert target.sizes is not None
    f64 = to_xdsl("float64")
    dims = _dims(n, "float64", "float_dims")
    if axes != list(range(n.rank(0))):
        index, axis = n.constant(axes, "axes"), n.constant(0, "dims_axis")
        dims = n.emit("GatherV2", [dims, index, axis], role="AxesDims")
    ratio = n.emit("RealDiv", [n.cast(target.sizes, f64, "FloatSizes"), dims], role="Ratios")
    over, keep = n.constant([0], "all"), {"keep_dims": True}
    reduce = "ReduceMin" if policy == "not_larger" else "ReduceMax"
    scale = n.emit(reduce, [ratio, over], keep, role="Scale")
    exact = n.emit("Mul", [dims, scale], role="ExactSizes")
    rounded = n.emit("Floor", [n.emit("Adds", [exact], {"value": 0.5}, role="Half")], role="Halves")
    target.sizes = n.cast(rounded, to_xdsl("int64"), "KeptSizes")
    one = n.constant(np.ones(len(axes)), "ones", f64)
    target.scales = n.emit("Mul", [one, scale], role="KeptScales")


@rule("Resize", "11 13 18 19")
def resize(n: Node) -> Outputs:
    """Resize, or GE's operators for images where they do the same."""
    rank = n.rank(0)
    mode = n.string("mode", "nearest")
    axes = [n.axis(a, rank) for a in n.int_list("axes") or range(rank)]
    way = n.string("coordinate_transformation_mode", "half_pixel")
    attrs: dict[str, Any] = {
        "coordinate_transformation_mode": way,
        "cubic_coeff_a": n.float("cubic_coeff_a", -0.75),
        "exclude_outside": n.int("exclude_outside", 0),
        "extrapolation_value": n.float("extrapolation_value", 0.0),
        "mode": mode,
        "nearest_mode": n.string("nearest_mode", "round_prefer_floor"),
        "antialias": bool(n.int("antialias", 0)),
    }
    policy = n.string("keep_aspect_ratio_policy", "stretch")
    if policy == "stretch" and len(axes) == rank:
        image = _image(n, attrs)
        if image is not None:
            return image
    target = Target()
    if way == "tf_crop_and_resize":
        target.roi = n.x(1)
    if _given(n, 3):
        target.sizes = n.x(3)
        if policy != "stretch":
            _keep_ratio(n, target, axes, policy)
    elif _given(n, 2):
        target.scales = n.x(2)
    target = _whole(n, target, axes, rank)
    return n.emit("Resize", [n.x(0), target.roi, target.scales, target.sizes], attrs)


@rule("Resize", "10")
def resize_10(n: Node) -> Outputs:
    """Resize at positions i / scale, the element before."""
    return _upsample(n, n.x(1))


@rule("Upsample", "7")
def upsample_7(n: Node) -> Outputs:
    """Resize by the attribute `scales`."""
    scales = n.float_list("scales")
    if scales is None:
        raise Refused("scales is missing", "GX-333")
    return _upsample(n, n.constant(scales, "scales", to_xdsl("float32")))


@rule("Upsample", "9 10")
def upsample_9(n: Node) -> Outputs:
    """Resize by the input `scales`."""
    return _upsample(n, n.x(1))


def _upsample(n: Node, scales: SSAValue) -> SSAValue:
    attrs = {
        "coordinate_transformation_mode": "asymmetric",
        "mode": n.string("mode", "nearest"),
        "nearest_mode": "floor",
    }
    return n.emit("Resize", [n.x(0), None, scales, None], attrs)


def _image(n: Node, attrs: dict[str, Any]) -> SSAValue | None:
    """GE's operators for images of known size where ONNX's attributes fit them, else None."""
    shape, way = n.shape(0), attrs["coordinate_transformation_mode"]
    scales = n.const(2) if _given(n, 2) else None
    sizes = n.ints(3) if _given(n, 3) else None
    known = shape is not None and len(shape) == 4 and -1 not in shape and 0 not in shape
    if not known or (scales is None and sizes is None) or attrs["exclude_outside"]:
        return None
    assert shape is not None
    if ge_name(n.elem(0)) not in _IMAGE_DTYPES or attrs["antialias"]:
        return None
    if sizes is not None:
        factors = [0.0] * 4
        outs = list(sizes)
        lead = outs[:2] == list(shape[:2])
    else:
        assert scales is not None
        factors = [float(s) for s in scales.reshape(-1)]
        outs = [int(np.floor(d * s)) for d, s in zip(shape, factors, strict=True)]
        lead = factors[:2] == [1.0, 1.0]
    if not lead or min(outs) < 1:
        return None
    size = n.constant(outs[2:], "size", to_xdsl("int32"))
    more = {"scales": factors[2:]}
    if attrs["mode"] == "nearest":
        if way != "asymmetric" or attrs["nearest_mode"] != "floor":
            return None
        return n.emit("ResizeNearestNeighborV2", [n.x(0), size], more)
    exact = [d * s for d, s in zip(shape[2:], factors[2:], strict=True)]
    if attrs["mode"] != "linear" or way not in ("half_pixel", "asymmetric", "align_corners"):
        return None
    if way == "align_corners" and any(
        e not in (0.0, o) for e, o in zip(exact, outs[2:], strict=True)
    ):
        return None
    flags = {"align_corners": way == "align_corners", "half_pixel_centers": way == "half_pixel"}
    return n.emit("ResizeBilinearV2", [n.x(0), size], {**more, **flags})
