"""Resizing by interpolation.

`Resize` covers what ONNX asks of its operator of that name, axis by axis; the two older operators
are those of TensorFlow and PyTorch on images [N, C, H, W]. A float scale is out / in.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.infer.dims import UNKNOWN, require_rank, show
from ge_dialect.infer.errors import COUNT, LENGTH, SIZE
from ge_dialect.infer.window import require_length
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import bool_, float_, floats, int_, opt_tin, string, tin, tout, type_
from ge_dialect.ir.types import tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_IMAGES = "SignedDataType, FLOAT, float64, uint8, uint16"
#: How an output position maps to the input.
COORDINATES = (
    "half_pixel",
    "half_pixel_symmetric",
    "pytorch_half_pixel",
    "align_corners",
    "asymmetric",
    "tf_half_pixel_for_nn",
    "tf_crop_and_resize",
)
#: Which neighbour `mode` nearest takes.
NEAREST = ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil")


def _one_of(n: InferNode, name: str, allowed: Sequence[str]) -> str:
    value = n.attr(name)
    if value not in allowed:
        n.fail(f"{name} is not supported", found=value, expected=", ".join(allowed))
    return str(value)


def _entries(n: InferNode, name: str, count: int | None) -> None:
    length = n.vector_length(name) if n.has(name) else None
    if length is not None and count is not None and length != count:
        n.fail(f"{name} has the wrong number of entries", found=length, expected=count, code=LENGTH)


@ge_op
class Resize(GeOp):
    """x interpolated to another size along each axis, the axes one after the other.

    `scales` (out = floor(in·scale)) or `sizes` has one entry per axis of x. Where both are given
    `sizes` says how many elements there are, `scales` where they lie. `roi` (all starts, then all
    ends, as fractions) serves tf_crop_and_resize, which gives `extrapolation_value` outside of x.
    `exclude_outside` leaves elements beyond the borders out of the weights, else the border element
    stands for them. `antialias` widens the kernel when shrinking. The prototype is not in the
    public data (assumed); `antialias` and the dtypes beyond FLOAT are ours, on the host engine.
    """

    name = "ge.Resize"
    TYPES: ClassVar = {"T": "FLOAT, float64, IntegerDataType, bool"}

    x = tin("T")
    roi = opt_tin("FLOAT, float64")
    scales = opt_tin("float32, float64")
    sizes = opt_tin("IndexNumberType")
    y = tout("T")
    coordinate_transformation_mode = string("half_pixel")
    cubic_coeff_a = float_(-0.75)
    exclude_outside = int_(0)
    extrapolation_value = float_(0.0)
    mode = string("nearest")
    nearest_mode = string("round_prefer_floor")
    antialias = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        way = _one_of(n, "coordinate_transformation_mode", COORDINATES)
        _one_of(n, "mode", ("nearest", "linear", "cubic"))
        _one_of(n, "nearest_mode", NEAREST)
        shape = n.shape("x")
        rank = None if shape is None else len(shape)
        if not (n.has("sizes") or n.has("scales")):
            n.fail("neither scales nor sizes is given", expected="one of them", code=COUNT)
        if way == "tf_crop_and_resize" and not n.has("roi"):
            n.fail("tf_crop_and_resize needs roi", expected="roi", code=COUNT)
        _entries(n, "sizes", rank)
        _entries(n, "scales", rank)
        _entries(n, "roi", None if rank is None else 2 * rank)
        lengths = [n.vector_length(i) for i in ("sizes", "scales") if n.has(i)]
        known = [v for v in lengths if v is not None]
        if shape is None:
            shape = (UNKNOWN,) * known[0] if known else None
        if n.has("sizes"):
            sizes = n.ints("sizes")
            if sizes is not None and any(v < 0 for v in sizes):
                n.fail("a size is negative", found=list(sizes), expected="≥ 0")
            out = sizes if sizes is not None else None if shape is None else (UNKNOWN,) * len(shape)
        else:
            out = _scaled(n, shape)
        if shape is not None and out is not None:
            for size, count in zip(shape, out, strict=True):
                if size == 0 and count > 0:
                    expected = "an axis with elements"
                    n.fail("an empty axis cannot grow", found=count, expected=expected, code=SIZE)
        return (tensor_type(out, n.elem("x")),)


def _scaled(n: InferNode, shape: tuple[int, ...] | None) -> tuple[int, ...] | None:
    if shape is None:
        return None
    scales = n.const("scales")
    if scales is None:
        return (UNKNOWN,) * len(shape)
    values = [float(s) for s in scales.reshape(-1)]
    if any(not s > 0 or math.isinf(s) for s in values):
        n.fail("scales must be positive", found=values, expected="> 0")
    return tuple(
        UNKNOWN if d < 0 else math.floor(d * s) for d, s in zip(shape, values, strict=True)
    )


def _image(n: InferNode) -> tuple[int, ...]:
    shape = n.shape("x")
    require_rank(shape, 4, "x")
    scales = n.attr("scales")
    require_length(scales, (0, 2), "scales")
    if any(s < 0 or not math.isfinite(s) for s in scales):
        n.fail("scales must not be negative", found=list(scales), expected="≥ 0, 0 for none")
    if n.attr("align_corners") and n.attr("half_pixel_centers"):
        n.fail("align_corners excludes half_pixel_centers", found="both", expected="one of them")
    length, sizes = n.vector_length("size"), n.ints("size")
    if length not in (None, 2):
        what = "size has the wrong number of entries"
        n.fail(what, found=length, expected=2, code=LENGTH)
    if sizes is not None and any(v < 1 for v in sizes):
        n.fail("size must be positive", found=list(sizes), expected="≥ 1")
    if shape is not None and 0 in shape[2:]:
        n.fail("x has nothing to interpolate", found=show(shape), expected="H, W ≥ 1", code=SIZE)
    lead = (UNKNOWN, UNKNOWN) if shape is None else shape[:2]
    return (*lead, *(sizes if sizes is not None else (UNKNOWN, UNKNOWN)))


@ge_op
class ResizeNearestNeighborV2(GeOp):
    """x [N, C, H, W] at the nearest positions of another size.

    Position i comes from floor(i·in / out), with `half_pixel_centers` from floor((i + ½)·in / out),
    with `align_corners` from round(i·(in - 1) / (out - 1)), halves up. `scales` other than 0 stand
    for out / in.
    """

    name = "ge.ResizeNearestNeighborV2"
    TYPES: ClassVar = {"T": _IMAGES}

    x = tin("T")
    size = tin("int32")
    y = tout("T")
    align_corners = bool_(False)
    half_pixel_centers = bool_(False)
    scales = floats([0.0, 0.0])

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return (tensor_type(_image(n), n.elem("x")),)


@ge_op
class ResizeBilinearV2(GeOp):
    """x [N, C, H, W] interpolated linearly to another size, borders repeated.

    Position i lies at i·in / out, with `half_pixel_centers` at (i + ½)·in / out - ½, with
    `align_corners` at i·(in - 1) / (out - 1). `scales` other than 0 stand for out / in. The result
    has the dtype of x where that is a float, else `dtype`.
    """

    name = "ge.ResizeBilinearV2"
    TYPES: ClassVar = {"T": _IMAGES}

    x = tin("T")
    size = tin("int32")
    y = tout("FLOAT, float64, uint8")
    align_corners = bool_(False)
    half_pixel_centers = bool_(False)
    dtype = type_("float32")
    scales = floats([0.0, 0.0])

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        from ge_dialect.dtypes import is_float

        elem = n.elem("x")
        return (tensor_type(_image(n), elem if is_float(elem) else n.attr("dtype")),)
