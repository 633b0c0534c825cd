"""Pooling over 2-D images.

`ksize` and `strides` have one entry per axis of `data_format`; `pads` are top, bottom, left,
right. SAME pads so that the output has ceil(in / stride) elements, the odd one behind.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import from_enum
from ge_dialect.infer.dims import require_rank
from ge_dialect.infer.errors import SIZE
from ge_dialect.infer.window import (
    require_at_least_zero,
    require_length,
    require_positive,
    same_output,
    spatial_axes,
    window_output,
)
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import bool_, int_, ints, string, tin, tout
from ge_dialect.ir.types import elem_of, shape_of, tensor_type
from ge_dialect.ops._bases import REAL

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_MAX = "RealNumberType, qint8"


def _pool(
    n: InferNode,
    data: Attribute,
    mode: str,
    mode_name: str,
    pads: Sequence[int],
    ceil_mode: bool,
    whole: bool,
) -> Sequence[Attribute]:
    """Result of pooling `data`; `whole`: one window over the whole image."""
    shape = shape_of(data)
    require_rank(shape, 4, "x")
    spatial = spatial_axes(n.attr("data_format"))
    lists = {}
    for name in ("ksize", "strides"):
        lists[name] = values = n.attr(name)
        require_length(values, 4, name)
        require_positive(values, name)
        if any(v != 1 for i, v in enumerate(values) if i not in spatial):
            n.fail(
                f"{name} must be 1 along batch and channels",
                found=list(values),
                expected=f"entries other than 1 only in places {spatial}",
            )
    if mode not in ("SAME", "VALID") and (mode_name == "padding" or mode != "CALCULATED"):
        known = "SAME or VALID" if mode_name == "padding" else "CALCULATED, SAME or VALID"
        n.fail(f"unknown {mode_name}", found=mode, expected=known)
    if shape is None:
        shape = (-1,) * 4
    out = list(shape)
    for k, axis in enumerate(spatial):
        size, kernel, stride = shape[axis], lists["ksize"][axis], lists["strides"][axis]
        if whole:
            out[axis] = 1
        elif mode == "SAME":
            out[axis] = same_output(size, stride)
        elif mode == "VALID":
            out[axis] = window_output(size, kernel, stride, 0, 0)
        else:
            before, after = pads[2 * k], pads[2 * k + 1]
            if max(before, after) >= kernel:
                n.fail(
                    "a window would see padding only",
                    found=f"pads {list(pads)} with ksize {list(lists['ksize'])}",
                    expected="pads smaller than the window",
                )
            out[axis] = window_output(size, kernel, stride, before, after, 1, ceil_mode)
    return (tensor_type(out, elem_of(data)),)


def pool_by_padding(
    n: InferNode, shape: tuple[int, ...] | None, elem: Attribute
) -> Sequence[Attribute]:
    """The type of what pooling by the attribute `padding` makes of data of a shape."""
    data = tensor_type(shape, elem)
    return _pool(n, data, n.attr("padding"), "padding", (0, 0, 0, 0), False, False)


def _pool_by_padding(n: InferNode) -> Sequence[Attribute]:
    return pool_by_padding(n, n.shape("x"), n.elem("x"))


def _pool_by_mode(n: InferNode) -> Sequence[Attribute]:
    pads = n.attr("pads")
    require_length(pads, 4, "pads")
    require_at_least_zero(pads, "pads")
    mode = n.attr("padding_mode")
    whole, ceil_mode = n.attr("global_pooling"), n.attr("ceil_mode")
    return _pool(n, n.logical("x"), mode, "padding_mode", pads, ceil_mode, whole)


class _ByPadding(GeOp):
    """Pooling with SAME or VALID padding."""

    x = tin("T")
    y = tout("T")
    ksize = ints()
    strides = ints()
    padding = string()
    data_format = string("NHWC")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _pool_by_padding(n)


@ge_op
class MaxPool(_ByPadding):
    """Largest element of each window, with SAME or VALID padding."""

    name = "ge.MaxPool"
    TYPES: ClassVar = {"T": _MAX}


@ge_op
class MaxPoolV3(GeOp):
    """Largest element of each window; padding is ignored, not zero.

    `padding_mode` CALCULATED takes `pads`. `ceil_mode` keeps a last window that reaches beyond the
    padded image, unless it would start in the padding behind it. `global_pooling`: one window over
    the whole image.
    """

    name = "ge.MaxPoolV3"
    TYPES: ClassVar = {"T": _MAX}

    x = tin("T")
    y = tout("T")
    ksize = ints()
    strides = ints()
    padding_mode = string("CALCULATED")
    pads = ints([0, 0, 0, 0])
    data_format = string("NCHW")
    global_pooling = bool_(False)
    ceil_mode = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _pool_by_mode(n)


@ge_op
class AvgPool(_ByPadding):
    """Mean of each window without its padding, with SAME or VALID padding."""

    name = "ge.AvgPool"
    TYPES: ClassVar = {"T": REAL}


@ge_op
class AvgPoolV2(GeOp):
    """Mean of each window.

    `exclusive` divides by the number of elements without padding, else by the window clipped to
    the padded image; a `divisor_override` other than 0 divides by itself. Other attributes as in
    MaxPoolV3.
    """

    name = "ge.AvgPoolV2"
    TYPES: ClassVar = {"T": REAL}

    x = tin("T")
    y = tout("T")
    ksize = ints()
    strides = ints()
    padding_mode = string("CALCULATED")
    pads = ints([0, 0, 0, 0])
    data_format = string("NCHW")
    global_pooling = bool_(False)
    ceil_mode = bool_(False)
    exclusive = bool_(True)
    divisor_override = int_(0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        divisor = n.attr("divisor_override")
        if divisor < 0:
            n.fail("divisor_override must not be negative", found=divisor, expected="≥ 0")
        return _pool_by_mode(n)


@ge_op
class GlobalAveragePool(GeOp):
    """Mean over all axes from the third on (NCHW, NCDHW), which stay with size 1."""

    name = "ge.GlobalAveragePool"
    TYPES: ClassVar = {"T": REAL}

    x = tin("T")
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape = n.shape("x")
        require_rank(shape, range(3, 9), "x")
        if shape is not None:
            shape = (*shape[:2], *(1,) * (len(shape) - 2))
        return (tensor_type(shape, n.elem("x")),)


@ge_op
class MaxPoolWithArgmax(GeOp):
    """Largest element of each window and its place, the first of equals, SAME or VALID padding.

    argmax is (row·width + column)·channels + channel, with `include_batch_in_index` also counting
    the images before; its dtype has GE's number `Targmax`. NaN is the largest with `nan_prop`, else
    it counts as minus infinity (assumed).
    """

    name = "ge.MaxPoolWithArgmax"
    TYPES: ClassVar = {"T": REAL}  # float64 is assumed

    x = tin("T")
    y = tout("T")
    argmax = tout("IndexNumberType")
    ksize = ints()
    strides = ints()
    padding = string()
    Targmax = int_(9)
    include_batch_in_index = bool_(False)
    data_format = string("NHWC")
    nan_prop = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        number = n.attr("Targmax")
        if number not in (3, 9):
            n.fail("dtype of argmax is not supported", found=number, expected="3 or 9")
        (y,) = _pool_by_padding(n)
        return (y, tensor_type(shape_of(y), from_enum(number)))


@ge_op
class Pooling(GeOp):
    """Caffe's pooling: `mode` 0 takes the largest element of each window, 1 the mean.

    `window` and `stride` hold height and width, `pad` top, bottom, left, right. `ceil_mode` 0 keeps
    a last window that reaches beyond the padded image unless it would start behind it, 1 drops it.
    A mean counts padding, but not what lies beyond. `global_pooling`: one window over all.
    """

    name = "ge.Pooling"
    TYPES: ClassVar = {"T": REAL}  # without int8, whose sums the device keeps unscaled

    x = tin("T")
    y = tout("T")
    mode = int_(0)
    global_pooling = bool_(False)
    window = ints([1, 1])
    stride = ints([1, 1])
    pad = ints([0, 0, 0, 0])
    dilation = ints([1, 1, 1, 1])
    ceil_mode = int_(0)
    data_format = string("NCHW")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape = n.shape("x")
        require_rank(shape, 4, "x")
        spatial = spatial_axes(n.attr("data_format"))
        for name in ("mode", "ceil_mode"):
            if n.attr(name) not in (0, 1):
                n.fail(f"{name} is not supported", found=n.attr(name), expected="0 or 1")
        for name in ("window", "stride"):
            require_length(n.attr(name), 2, name)
            require_positive(n.attr(name), name)
        require_length(n.attr("pad"), 4, "pad")
        require_at_least_zero(n.attr("pad"), "pad")
        if any(d != 1 for d in n.attr("dilation")):
            n.fail("dilation is not supported", found=list(n.attr("dilation")), expected="ones")
        out = [-1] * 4 if shape is None else list(shape)
        for k, axis in enumerate(spatial):
            if n.attr("global_pooling"):
                out[axis] = 1
                continue
            before, after = n.attr("pad")[2 * k : 2 * k + 2]
            window, stride = n.attr("window")[k], n.attr("stride")[k]
            if max(before, after) >= window:
                n.fail(
                    "a window would see padding only",
                    found=f"pad {list(n.attr('pad'))} with window {list(n.attr('window'))}",
                    expected="pad smaller than the window",
                )
            ceil = not n.attr("ceil_mode")
            out[axis] = window_output(out[axis], window, stride, before, after, 1, ceil)
        return (tensor_type(out, n.elem("x")),)


@ge_op
class AdaptiveAvgPool2d(GeOp):
    """Mean over windows that share out an image [N, C, H, W] or [C, H, W].

    Window i of an axis goes from floor(i·in / out) to ceil((i + 1)·in / out).
    """

    name = "ge.AdaptiveAvgPool2d"
    TYPES: ClassVar = {"T": REAL}  # float64 is assumed

    x = tin("T")
    y = tout("T")
    output_size = ints()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, size = n.shape("x"), n.attr("output_size")
        require_rank(shape, (3, 4), "x")
        require_length(size, 2, "output_size")
        require_positive(size, "output_size")
        if shape is None:
            return (tensor_type(None, n.elem("x")),)
        if 0 in shape[-2:]:
            n.fail("x has nothing to average", found=list(shape), expected="H, W ≥ 1", code=SIZE)
        return (tensor_type((*shape[:-2], *size), n.elem("x")),)
