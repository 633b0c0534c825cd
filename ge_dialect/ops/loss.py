"""Losses, and the gradients that belong to them.

`reduction` is "none" (one loss per element or example), "sum" or "mean". Classes are axis 1 of the
scores [N, C, …]; what stands behind are positions with a label each.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.infer.broadcast import broadcast_shapes, broadcast_to
from ge_dialect.infer.dims import merge_dim, refine, require_rank
from ge_dialect.infer.window import CHANNEL
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import float_, int_, opt_tin, string, tin, tout
from ge_dialect.ir.types import tensor_type
from ge_dialect.ops._bases import REAL

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

REDUCTIONS = ("none", "mean", "sum")


def _reduction(n: InferNode) -> bool:
    """True where the losses are summed up."""
    name = n.attr("reduction")
    if name not in REDUCTIONS:
        n.fail("unknown reduction", found=name, expected=", ".join(REDUCTIONS))
    return name != "none"


def _labelled(n: InferNode, scores: str, labels: str, weight: str) -> tuple[int, ...] | None:
    """The shape of the labels, of which there is one per example and position."""
    shape, given, per_class = n.shape(scores), n.shape(labels), n.shape(weight)
    require_rank(shape, range(2, 9), scores)
    require_rank(per_class, 1, weight)
    if shape is None:
        return given
    if per_class is not None:
        merge_dim(shape[1], per_class[0], f"classes of {scores} and {weight}")
    return refine((shape[0], *shape[2:]), given, f"{scores} without classes and {labels}")


@ge_op
class BiasAddGrad(GeOp):
    """The sum of x over all axes but that of the channels, which is the last, or 1 for NC…."""

    name = "ge.BiasAddGrad"
    TYPES: ClassVar = {"T": "NumberType"}

    x = tin("T")
    y = tout("T")
    data_format = string("NHWC")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, data_format = n.shape("x"), n.attr("data_format")
        if data_format not in CHANNEL:
            n.fail("data_format is not supported", found=data_format, expected=", ".join(CHANNEL))
        require_rank(shape, range(2, 9), "x")
        channels = -1
        if shape is not None:
            channels = shape[1 if data_format.startswith("NC") else -1]
        return (tensor_type((channels,), n.elem("x")),)


@ge_op
class L2Loss(GeOp):
    """Half the sum of squares, a scalar."""

    name = "ge.L2Loss"
    TYPES: ClassVar = {"T": REAL}

    x = tin("T")
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return (tensor_type((), n.elem("x")),)


@ge_op
class MseLoss(GeOp):
    """(predict - label)², or the sum or the mean of all of it."""

    name = "ge.MseLoss"
    TYPES: ClassVar = {"T": REAL}  # float64 is assumed

    predict = tin("T")
    label = tin("T")
    y = tout("T")
    reduction = string("mean")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        summed = _reduction(n)
        shape = refine(n.shape("predict"), n.shape("label"), "shapes of predict and label")
        return (tensor_type(() if summed else shape, n.elem("predict")),)


@ge_op
class MseLossGrad(GeOp):
    """2·(predict - label)·dout, over the number of elements for the mean."""

    name = "ge.MseLossGrad"
    TYPES: ClassVar = {"T": REAL}  # float64 is assumed

    predict = tin("T")
    label = tin("T")
    dout = tin("T")
    y = tout("T")
    reduction = string("mean")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        _reduction(n)
        shape = refine(n.shape("predict"), n.shape("label"), "shapes of predict and label")
        return (tensor_type(broadcast_to(n.shape("dout"), shape), n.elem("predict")),)


@ge_op
class NLLLoss(GeOp):
    """-weight[target]·x[target] per example, where x holds logarithms of probabilities.

    An example whose target is ignore_index counts for nothing. The mean is that by weights, whose
    sum is total_weight.
    """

    name = "ge.NLLLoss"
    TYPES: ClassVar = {"T": REAL}  # float64 is assumed

    x = tin("T")
    target = tin("int32, int64, uint8")
    weight = opt_tin("T")
    y = tout("T")
    total_weight = tout("T")
    reduction = string("mean")
    ignore_index = int_(-100)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        summed = _reduction(n)
        shape = _labelled(n, "x", "target", "weight")
        elem = n.elem("x")
        return (tensor_type(() if summed else shape, elem), tensor_type((), elem))


@ge_op
class NLLLossGrad(GeOp):
    """-weight[target]·y_grad at the target of each example, over total_weight for the mean."""

    name = "ge.NLLLossGrad"
    TYPES: ClassVar = {"T": REAL}  # float64 is assumed

    x = tin("T")
    y_grad = tin("T")
    target = tin("int32, int64, uint8")
    weight = tin("T")
    total_weight = tin("T")
    x_grad = tout("T")
    reduction = string("mean")
    ignore_index = int_(-100)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        summed = _reduction(n)
        shape = _labelled(n, "x", "target", "weight")
        if summed:
            shape = None
            _one(n, "y_grad")
        refine(n.shape("y_grad"), shape, "shapes of y_grad and target")
        _one(n, "total_weight")
        return (n.logical("x"),)


def _one(n: InferNode, name: str) -> None:
    given = n.shape(name)
    if given is not None and any(d not in (1, -1) for d in given):
        n.fail(f"{name} must hold one value", found=list(given), expected="1 element")


@ge_op
class SigmoidCrossEntropyWithLogits(GeOp):
    """-target·log(s) - (1 - target)·log(1 - s) with s = sigmoid(predict)."""

    name = "ge.SigmoidCrossEntropyWithLogits"
    TYPES: ClassVar = {"T": REAL}  # float64 is assumed

    predict = tin("T")
    target = tin("T")
    loss = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape = refine(n.shape("predict"), n.shape("target"), "shapes of predict and target")
        return (tensor_type(shape, n.elem("predict")),)


@ge_op
class SmoothL1Loss(GeOp):
    """d² / (2·sigma) where d = |predict - label| is less than sigma, else d - sigma / 2."""

    name = "ge.SmoothL1Loss"
    TYPES: ClassVar = {"T": REAL}  # float64 is assumed

    predict = tin("T")
    label = tin("T")
    loss = tout("T")
    sigma = float_(1.0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        if not n.attr("sigma") >= 0:
            n.fail("sigma must not be negative", found=n.attr("sigma"), expected="≥ 0")
        shape = refine(n.shape("predict"), n.shape("label"), "shapes of predict and label")
        return (tensor_type(shape, n.elem("predict")),)


@ge_op
class SoftmaxCrossEntropyLoss(GeOp):
    """NLLLoss of the logarithm of the softmax of the scores over the classes, and that logarithm.

    Unlike in ONNX the default of ignore_index is the class 0.
    """

    name = "ge.SoftmaxCrossEntropyLoss"
    TYPES: ClassVar = {"T": REAL}

    scores = tin("T")
    labels = tin("IndexNumberType")
    weights = opt_tin("T")
    loss = tout("T")
    log_prop = tout("T")
    ignore_index = int_(0)
    reduction = string("mean")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        summed = _reduction(n)
        shape = _labelled(n, "scores", "labels", "weights")
        loss = tensor_type(() if summed else shape, n.elem("scores"))
        return (loss, n.logical("scores"))


@ge_op
class SoftmaxCrossEntropyWithLogits(GeOp):
    """The cross entropy of labels [N, C] and softmax(features), and its gradient.

    loss [N] = -sum of labels·log(softmax); backprop [N, C] = softmax - labels, which is the
    gradient where labels sum to 1. A dim of 1 stretches to the other's.
    """

    name = "ge.SoftmaxCrossEntropyWithLogits"
    TYPES: ClassVar = {"T": REAL}

    features = tin("T")
    labels = tin("T")
    loss = tout("T")
    backprop = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        for name in ("features", "labels"):
            require_rank(n.shape(name), 2, name)
        shape = broadcast_shapes(n.shape("features"), n.shape("labels"))
        rows = (-1,) if shape is None else shape[:1]
        elem = n.elem("features")
        whole = (-1, -1) if shape is None else shape
        return (tensor_type(rows, elem), tensor_type(whole, elem))


@ge_op
class SparseSoftmaxCrossEntropyWithLogits(GeOp):
    """SoftmaxCrossEntropyWithLogits with the numbers of the classes as labels [N]."""

    name = "ge.SparseSoftmaxCrossEntropyWithLogits"
    TYPES: ClassVar = {"T": REAL}

    features = tin("T")
    labels = tin("IndexNumberType")
    loss = tout("T")
    backprop = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, labels = n.shape("features"), n.shape("labels")
        require_rank(shape, 2, "features")
        require_rank(labels, 1, "labels")
        rows = -1 if shape is None else shape[0]
        if labels is not None:
            rows = merge_dim(rows, labels[0], "examples of features and labels")
        elem = n.elem("features")
        classes = -1 if shape is None else shape[1]
        return (tensor_type((rows,), elem), tensor_type((rows, classes), elem))
