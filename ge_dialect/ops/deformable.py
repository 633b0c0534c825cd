"""Images resampled at moved places, one sample per filter element: a convolution with moving taps
is DeformableOffsets followed by a convolution whose strides are its kernel size.

Prototypes and sizes: the public headers and the attention notes there; the order of the channels of
offsets is that of DeformableConv2D.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.infer.dims import UNKNOWN, merge_dim, refine, require_rank, show
from ge_dialect.infer.errors import SHAPE, SIZE
from ge_dialect.infer.window import CHANNEL, require_length, require_positive, spatial_axes
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import bool_, int_, ints, string, tin, tout
from ge_dialect.ir.types import tensor_type
from ge_dialect.ops.conv import check_lists, filter_positions

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode


def _sampled(n: InferNode) -> tuple[list[int], list[int], list[int]]:
    """Shapes of x, offsets and the samples, as far as they tell each other."""
    spatial, channel = spatial_axes(n.attr("data_format")), CHANNEL[n.attr("data_format")]
    require_rank(n.shape("x"), 4, "x")
    require_rank(n.shape("offsets"), 4, "offsets")
    x = list(n.shape("x") or (UNKNOWN,) * 4)
    offsets = list(n.shape("offsets") or (UNKNOWN,) * 4)
    if 0 in [x[a] for a in spatial]:
        n.fail("x has nothing to sample", found=show(tuple(x)), expected="≥ 1", code=SIZE)
    lists = check_lists(n, spatial, 4)
    kernel, parts = n.attr("ksize"), n.attr("deformable_groups")
    require_length(kernel, 2, "ksize")
    require_positive(kernel, "ksize")
    require_positive([parts], "deformable_groups")
    if x[channel] >= 0 and x[channel] % parts:
        n.fail("channels do not divide into groups", found=x[channel], expected=parts, code=SHAPE)
    wanted = kernel[0] * kernel[1] * parts * (3 if n.attr("modulated") else 2)
    offsets[channel] = merge_dim(offsets[channel], wanted, "channels of offsets and of the filter")
    x[0] = offsets[0] = merge_dim(x[0], offsets[0], "batches of x and offsets")
    out = list(x)
    for k, axis in enumerate(spatial):
        size = filter_positions(lists, axis, k, x[axis], kernel[k])
        offsets[axis] = merge_dim(size, offsets[axis], "places of the filter and of offsets")
        out[axis] = UNKNOWN if offsets[axis] < 0 else offsets[axis] * kernel[k]
    return x, offsets, out


@ge_op
class DeformableOffsets(GeOp):
    """x read at the places of a filter's elements, each moved by `offsets`; zero outside of x.

    y has kernel height times as many rows as the filter has positions, and kernel width times as
    many columns: its block at a position holds the samples of the elements. Between elements of x
    the samples are bilinear. Offsets have the channels of DeformableConv2D: moves along x, along y,
    then, if `modulated`, factors.
    """

    name = "ge.DeformableOffsets"
    TYPES: ClassVar = {"T": "FLOAT"}

    x = tin("T")
    offsets = tin("T")
    y = tout("T")
    strides = ints()
    pads = ints()
    ksize = ints()
    dilations = ints([1, 1, 1, 1])
    data_format = string("NCHW")
    deformable_groups = int_(1)
    modulated = bool_(True)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        _, _, out = _sampled(n)
        return (tensor_type(out, n.elem("x")),)


@ge_op
class DeformableOffsetsGrad(GeOp):
    """Gradients of DeformableOffsets with respect to x and offsets, where y has the gradient grad.

    At a place on an element the slope towards the next element counts.
    """

    name = "ge.DeformableOffsetsGrad"
    TYPES: ClassVar = {"T": "FLOAT"}

    grad = tin("T")
    x = tin("T")
    offsets = tin("T")
    grad_x = tout("T")
    grad_offsets = tout("T")
    strides = ints()
    pads = ints()
    ksize = ints()
    dilations = ints([1, 1, 1, 1])
    data_format = string("NCHW")
    deformable_groups = int_(1)
    modulated = bool_(True)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        x, offsets, out = _sampled(n)
        require_rank(n.shape("grad"), 4, "grad")
        made = refine(tuple(out), n.shape("grad"), "shapes of grad and of the samples")
        assert made is not None
        channel = CHANNEL[n.attr("data_format")]
        x[0] = offsets[0] = made[0]
        x[channel] = made[channel]
        for k, axis in enumerate(spatial_axes(n.attr("data_format"))):
            if offsets[axis] < 0 <= made[axis]:
                kernel = n.attr("ksize")[k]
                if made[axis] % kernel:
                    n.fail("grad does not divide into blocks", found=made[axis],
                           expected=f"a multiple of {kernel}", code=SHAPE)  # fmt: skip
                offsets[axis] = made[axis] // kernel
        return tensor_type(x, n.elem("x")), tensor_type(offsets, n.elem("x"))
