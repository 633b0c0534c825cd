"""Choice of boxes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import to_xdsl
from ge_dialect.infer.dims import UNKNOWN, merge_dim, require_rank, show
from ge_dialect.infer.errors import RANK, SHAPE
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import int_, opt_tin, tin, tout
from ge_dialect.ir.types import tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_FLOATS = "float16, float32"


def _four_numbers(shape: tuple[int, ...] | None, n: InferNode) -> None:
    if shape is not None and shape[-1] not in (4, UNKNOWN):
        expected = "x".join("?" * (len(shape) - 1) + "4")
        n.fail("a box has four numbers", found=show(shape), expected=expected, code=SHAPE)


@ge_op
class NonMaxSuppressionV3(GeOp):
    """Greedy choice of boxes, [boxes, 4], by their scores, [boxes]: the numbers of those taken.

    Boxes are taken in order of falling score (of equal scores the first) as long as the score
    exceeds `score_threshold`, unless the overlap (intersection over union) with a box taken before
    exceeds `iou_threshold`, and at most `max_output_size` of them. A box is two opposite corners.
    An `offset` other than 0 is not evaluated: what it is added to is not public.
    """

    name = "ge.NonMaxSuppressionV3"

    boxes = tin(_FLOATS)
    scores = tin(_FLOATS)
    max_output_size = tin("int32")
    iou_threshold = tin(_FLOATS)
    score_threshold = tin(_FLOATS)
    selected_indices = tout("int32")
    offset = int_(0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        boxes, scores = n.shape("boxes"), n.shape("scores")
        require_rank(boxes, 2, "boxes")
        require_rank(scores, 1, "scores")
        _four_numbers(boxes, n)
        if boxes is not None and scores is not None:
            merge_dim(boxes[0], scores[0], "numbers of boxes and scores")
        n.one_value("max_output_size", "iou_threshold", "score_threshold")
        return (tensor_type((UNKNOWN,), to_xdsl("int32")),)


@ge_op
class NonMaxSuppressionV6(GeOp):
    """Greedy choice of boxes, for each image and class on its own.

    Boxes are taken in order of falling score (of equal scores the first) as long as the score
    exceeds `score_threshold`, unless the overlap (intersection over union) with a box taken before
    exceeds `iou_threshold`, and at most `max_output_size` of them; without a bound none. Corners
    are y1, x1, y2, x2 in any order, or, with `center_point_box`, centre x, centre y, width,
    height. A row of the result is image, class, box. The prototype is not in the public data
    (assumed).
    """

    name = "ge.NonMaxSuppressionV6"
    TYPES: ClassVar = {"T": _FLOATS}

    boxes = tin("T")
    scores = tin("T")
    max_output_size = opt_tin("int32, int64")
    iou_threshold = opt_tin(_FLOATS)
    score_threshold = opt_tin(_FLOATS)
    selected_indices = tout("int32")
    center_point_box = int_(0)
    max_boxes_size = int_(0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        boxes, scores = n.shape("boxes"), n.shape("scores")
        for name, shape in (("boxes", boxes), ("scores", scores)):
            if shape is not None and len(shape) != 3:
                n.fail(
                    f"{name} has the wrong rank", found=show(shape), expected="rank 3", code=RANK
                )
        _four_numbers(boxes, n)
        if boxes is not None and scores is not None:
            merge_dim(boxes[0], scores[0], "images of boxes and scores")
            merge_dim(boxes[1], scores[2], "numbers of boxes and scores")
        n.one_value("max_output_size", "iou_threshold", "score_threshold")
        return (tensor_type((UNKNOWN, 3), to_xdsl("int32")),)
