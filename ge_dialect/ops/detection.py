"""Choice of boxes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import to_xdsl
from ge_dialect.infer.dims import UNKNOWN, merge_dim, show
from ge_dialect.infer.errors import RANK, SHAPE
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import int_, opt_tin, tin, tout
from ge_dialect.ir.types import tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_FLOATS = "float16, float32"


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
        if boxes is not None and boxes[2] not in (4, UNKNOWN):
            n.fail("a box has four numbers", found=show(boxes), expected="?x?x4", code=SHAPE)
        if boxes is not None and scores is not None:
            merge_dim(boxes[0], scores[0], "images of boxes and scores")
            merge_dim(boxes[1], scores[2], "numbers of boxes and scores")
        for name in ("max_output_size", "iou_threshold", "score_threshold"):
            shape = n.shape(name) if n.has(name) else None
            if shape not in ((), (1,), (UNKNOWN,), None):
                n.fail(
                    f"{name} must hold one value",
                    found=show(shape),
                    expected="a scalar or one element",
                    code=SHAPE,
                )
        return (tensor_type((UNKNOWN, 3), to_xdsl("int32")),)
