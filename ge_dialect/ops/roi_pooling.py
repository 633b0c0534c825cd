"""Pooling of the bins of boxes: the largest element of each (R. Girshick, "Fast R-CNN", ICCV 2015),
or the mean, each bin in channels of its own (J. Dai et al., "R-FCN", NIPS 2016).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.infer.dims import UNKNOWN, merge_dim, product, require_rank, show
from ge_dialect.infer.errors import COUNT, SIZE
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import float_, int_, opt_tin, tin, tout
from ge_dialect.ir.types import tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_COUNTS = 8  # numbers that a row of roi_actual_num has, of which one says something


@ge_op
class ROIPooling(GeOp):
    """Largest element of x [N, C, H, W] in each of pooled_h x pooled_w bins of each box.

    Boxes are [K, 5] or [N, 5, K]: the number of an image, then x1, y1, x2, y2, which the scales and
    rounding to the nearest whole number (halves upwards) take to elements of x, both ends included.
    Of n elements bin i of p has those from floor(i·n / p) to ceil((i + 1)·n / p), inside of x; a
    bin without any is 0. Row i of roi_actual_num [N, 8] says first how many of the K boxes of row i
    are meant; the others give 0 (assumed). float64 is for ONNX (assumed).
    """

    name = "ge.ROIPooling"
    TYPES: ClassVar = {"T": "float16, float32, float64"}

    x = tin("T")
    rois = tin("T")
    roi_actual_num = opt_tin("int32")
    y = tout("T")
    pooled_h = int_()
    pooled_w = int_()
    spatial_scale_h = float_()
    spatial_scale_w = float_()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, boxes, counts = n.shape("x"), n.shape("rois"), n.shape("roi_actual_num")
        require_rank(shape, 4, "x")
        require_rank(boxes, (2, 3), "rois")
        require_rank(counts, 2, "roi_actual_num")
        for name in ("pooled_h", "pooled_w"):
            if n.attr(name) < 1:
                n.fail(f"{name} must be positive", found=n.attr(name), expected="≥ 1")
        for name in ("spatial_scale_h", "spatial_scale_w"):
            if not 0 < n.attr(name) < float("inf"):
                n.fail(f"{name} must be positive", found=n.attr(name), expected="> 0")
        batch, channels = (UNKNOWN, UNKNOWN) if shape is None else shape[:2]
        if shape is not None and 0 in shape[2:]:
            n.fail("x has nothing to pool", found=show(shape), expected="≥ 1", code=SIZE)
        count = UNKNOWN
        if boxes is not None:
            merge_dim(boxes[1], 5, "entries of a box")
            if len(boxes) == 3:
                batch = merge_dim(batch, boxes[0], "images of x and rois")
                count = product((batch, boxes[2]))
            else:
                count = boxes[0]
                if n.has("roi_actual_num"):
                    n.fail("numbers of boxes need boxes by image", found=show(boxes),
                           expected="rank 3", code=COUNT)  # fmt: skip
        if counts is not None:
            merge_dim(batch, counts[0], "images and roi_actual_num")
            merge_dim(counts[1], _COUNTS, "entries of roi_actual_num")
        return (tensor_type((count, channels, n.attr("pooled_h"), n.attr("pooled_w")),
                            n.elem("x")),)  # fmt: skip


class _PositionSensitive(GeOp):
    """What both versions share."""

    x = tin("T")
    rois = tin("T")
    y = tout("T")
    spatial_scale = float_()
    output_dim = int_()
    group_size = int_()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, boxes = n.shape("x"), n.shape("rois")
        require_rank(shape, 4, "x")
        require_rank(boxes, 3, "rois")
        for name in ("output_dim", "group_size"):
            if n.attr(name) < 1:
                n.fail(f"{name} must be positive", found=n.attr(name), expected="≥ 1")
        if not 0 < n.attr("spatial_scale") < float("inf"):
            found = n.attr("spatial_scale")
            n.fail("spatial_scale must be positive", found=found, expected="> 0")
        size, channels = n.attr("group_size"), n.attr("output_dim")
        count = UNKNOWN
        if shape is not None:
            if 0 in shape[2:]:
                n.fail("x has nothing to pool", found=show(shape), expected="≥ 1", code=SIZE)
            merge_dim(shape[1], channels * size * size, "channels of x and of the bins")
        if boxes is not None:
            merge_dim(boxes[1], 5, "entries of a box")
            batch = boxes[0]
            if shape is not None:
                batch = merge_dim(shape[0], batch, "images of x and rois")
            count = product((batch, boxes[2]))
        return (tensor_type((count, channels, size, size), n.elem("x")),)


@ge_op
class PSROIPooling(_PositionSensitive):
    """Mean of each of group_size x group_size bins of each box, bin (i, j) in its own channels.

    Channel c of a bin of g x g is channel (c·g + i)·g + j of x [N, output_dim·g·g, H, W] (Caffe's
    order). Boxes [N, 5, K] are the number of an image and x1, y1, x2, y2; rounded (halves upwards),
    the far ends by one more, and scaled they are at least 0.1 long. Bin i of n / g elements each
    has those from floor(i·n / g) to ceil((i + 1)·n / g), counted from the start of the box, inside
    of x; a bin without any is 0.
    """

    name = "ge.PSROIPooling"
    TYPES: ClassVar = {"T": "float16, float32"}


@ge_op
class PSROIPoolingV2(_PositionSensitive):
    """PSROIPooling."""

    name = "ge.PSROIPoolingV2"
    TYPES: ClassVar = {"T": "float16, float32"}
