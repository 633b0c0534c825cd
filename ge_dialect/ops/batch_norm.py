"""Batch normalisation in training: its two halves, and its gradients.

Channels are axis 1 where no attribute says otherwise. Variances count all n elements of a channel;
a running variance takes n / (n - 1) of it (0 where n is 1, as on the device).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import to_xdsl
from ge_dialect.infer.dims import Shape, merge_dim, refine, require_rank
from ge_dialect.infer.errors import COUNT, SIZE
from ge_dialect.infer.window import CHANNEL
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.effects import Effects
from ge_dialect.ir.fields import (
    bool_,
    bools,
    float_,
    int_,
    opt_tin,
    ref_in,
    ref_out,
    string,
    tin,
    tout,
)
from ge_dialect.ir.types import ref_type, tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_F32 = to_xdsl("float32")


def _channels(
    n: InferNode, shape: Shape, vectors: Sequence[str], axis: int = 1
) -> tuple[Shape, int]:
    """The shape of the data with all that the vectors per channel know, and the channels."""
    require_rank(shape, range(2, 6), "the data")
    axis = axis if shape is None else axis % len(shape)
    c = -1 if shape is None else shape[axis]
    for name in vectors:
        given = n.shape(name)
        require_rank(given, 1, name)
        if given is not None:
            c = merge_dim(c, given[0], f"channels and {name}")
    if shape is not None:
        shape = (*shape[:axis], c, *shape[axis + 1 :])
    return shape, c


@ge_op
class BNInferGrad(GeOp):
    """grads·scale / sqrt(batch_variance + epsilon): the gradient under given statistics."""

    name = "ge.BNInferGrad"
    TYPES: ClassVar = {"T": "FLOAT"}

    grads = tin("T")
    scale = tin("float32")
    batch_variance = tin("float32")
    x_backprop = tout("T")
    epsilon = float_(0.0001)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, _ = _channels(n, n.shape("grads"), ("scale", "batch_variance"))
        return (tensor_type(shape, n.elem("grads")),)


@ge_op
class BNInference(GeOp):
    """Caffe's batch normalisation by given statistics, channels along axis 1.

    Without scale and offset (x - f·mean) / sqrt(f·variance + epsilon), where f is 1 divided by the
    first number of momentum, 0 for 0. With both scale·(x - mean) / sqrt(variance + epsilon) +
    offset, whatever momentum is. What one of them alone and mode 0 mean is not public.
    """

    name = "ge.BNInference"
    TYPES: ClassVar = {"T": "FLOAT"}

    x = tin("T")
    mean = tin("FLOAT")
    variance = tin("FLOAT")
    momentum = tin("FLOAT")
    scale = opt_tin("FLOAT")
    offset = opt_tin("FLOAT")
    y = tout("T")
    epsilon = float_(1e-5)
    use_global_stats = bool_(True)
    mode = int_(1)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        if not n.attr("use_global_stats") or n.attr("mode") != 1:
            found = f"use_global_stats {n.attr('use_global_stats')}, mode {n.attr('mode')}"
            n.fail("this form is not supported", found=found, expected="true and 1")
        if n.has("scale") != n.has("offset"):
            given = "scale" if n.has("scale") else "offset"
            n.fail("scale and offset go together", found=given, expected="both or none",
                   code=COUNT)  # fmt: skip
        require_rank(n.shape("momentum"), (0, 1), "momentum")
        if n.shape("momentum") == (0,):
            n.fail("momentum has no number", found=0, expected="≥ 1", code=SIZE)
        vectors = ("mean", "variance", *(("scale", "offset") if n.has("scale") else ()))
        shape, _ = _channels(n, n.shape("x"), vectors)
        return (tensor_type(shape, n.elem("x")),)


@ge_op
class BNTrainingReduce(GeOp):
    """Sum and sum of squares of each channel."""

    name = "ge.BNTrainingReduce"
    TYPES: ClassVar = {"T": "FLOAT"}

    x = tin("T")
    sum = tout("float32")
    square_sum = tout("float32")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        _, c = _channels(n, n.shape("x"), ())
        per_channel = tensor_type((c,), _F32)
        return (per_channel, per_channel)


@ge_op
class BNTrainingReduceGrad(GeOp):
    """Gradient with respect to x, from those BNTrainingUpdateGrad gives for scale and offset.

    scale·r·(grads - diff_offset / n - (x - batch_mean)·r·diff_scale / n) with
    r = 1 / sqrt(batch_variance + epsilon).
    """

    name = "ge.BNTrainingReduceGrad"
    TYPES: ClassVar = {"T": "FLOAT"}

    grads = tin("T")
    x = tin("T")
    diff_scale = tin("float32")
    diff_offset = tin("float32")
    scale = tin("float32")
    batch_mean = tin("float32")
    batch_variance = tin("float32")
    y = tout("T")
    epsilon = float_(0.0001)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        vectors = ("diff_scale", "diff_offset", "scale", "batch_mean", "batch_variance")
        shape = refine(n.shape("grads"), n.shape("x"), "shapes of grads and x")
        shape, _ = _channels(n, shape, vectors)
        return (tensor_type(shape, n.elem("grads")),)


@ge_op
class BNTrainingUpdate(GeOp):
    """Normalises x by the sums of BNTrainingReduce and moves the running statistics.

    mean and variance become factor·(those of the batch) + (1 - factor)·(what they were).
    """

    name = "ge.BNTrainingUpdate"
    TYPES: ClassVar = {"T": "FLOAT"}
    EFFECTS: ClassVar = Effects.writes("mean", "variance", reads=("mean", "variance"))

    x = tin("T")
    sum = tin("float32")
    square_sum = tin("float32")
    scale = tin("float32")
    offset = tin("float32")
    mean = ref_in("float32")
    variance = ref_in("float32")
    y = tout("T")
    mean_ = ref_out("float32", name="mean")
    variance_ = ref_out("float32", name="variance")
    batch_mean = tout("float32")
    batch_variance = tout("float32")
    factor = float_()
    epsilon = float_()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        vectors = ("sum", "square_sum", "scale", "offset", "mean", "variance")
        shape, c = _channels(n, n.shape("x"), vectors)
        saved = tensor_type((c,), _F32)
        mean, variance = (ref_type(n.logical(name)) for name in ("mean", "variance"))
        return (tensor_type(shape, n.elem("x")), mean, variance, saved, saved)


@ge_op
class BNTrainingUpdateV2(GeOp):
    """BNTrainingUpdate without running statistics."""

    name = "ge.BNTrainingUpdateV2"
    TYPES: ClassVar = {"T": "FLOAT"}

    x = tin("T")
    sum = tin("float32")
    square_sum = tin("float32")
    scale = tin("float32")
    offset = tin("float32")
    y = tout("T")
    batch_mean = tout("float32")
    batch_variance = tout("float32")
    epsilon = float_()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        vectors = ("sum", "square_sum", "scale", "offset")
        shape, c = _channels(n, n.shape("x"), vectors)
        saved = tensor_type((c,), _F32)
        return (tensor_type(shape, n.elem("x")), saved, saved)


@ge_op
class BNTrainingUpdateGrad(GeOp):
    """Gradients with respect to scale and offset.

    diff_scale is the sum of grads·(x - batch_mean) / sqrt(batch_variance + epsilon), diff_offset
    that of grads.
    """

    name = "ge.BNTrainingUpdateGrad"
    TYPES: ClassVar = {"T": "FLOAT"}

    grads = tin("T")
    x = tin("T")
    batch_mean = tin("float32")
    batch_variance = tin("float32")
    diff_scale = tout("float32")
    diff_offset = tout("float32")
    epsilon = float_(0.0001)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape = refine(n.shape("grads"), n.shape("x"), "shapes of grads and x")
        _, c = _channels(n, shape, ("batch_mean", "batch_variance"))
        per_channel = tensor_type((c,), _F32)
        return (per_channel, per_channel)


@ge_op
class BatchNormGrad(GeOp):
    """Gradients of BatchNorm with respect to x, scale and offset.

    reserve_space_1 and 2 are the mean and the variance y was made with: of the batch in training,
    given otherwise. The last two results have no elements, as in TensorFlow (assumed); all others
    are made whatever output_mask says.
    """

    name = "ge.BatchNormGrad"
    TYPES: ClassVar = {"T": "FLOAT"}

    y_backprop = tin("T")
    x = tin("T")
    scale = tin("float32")
    reserve_space_1 = tin("float32")
    reserve_space_2 = tin("float32")
    reserve_space_3 = opt_tin("float32")
    x_backprop = tout("T")
    scale_backprop = tout("float32")
    offset_backprop = tout("float32")
    reserve_space_4 = tout("float32")
    reserve_space_5 = tout("float32")
    epsilon = float_(0.0001)
    data_format = string("NHWC")
    is_training = bool_(True)
    output_mask = bools([True, False, False])

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        data_format = n.attr("data_format")
        if data_format not in CHANNEL:
            n.fail("data_format is not supported", found=data_format, expected=", ".join(CHANNEL))
        shape = refine(n.shape("y_backprop"), n.shape("x"), "shapes of y_backprop and x")
        vectors = ("scale", "reserve_space_1", "reserve_space_2")
        shape, c = _channels(n, shape, vectors, 1 if data_format.startswith("NC") else -1)
        per_channel, none = tensor_type((c,), _F32), tensor_type((0,), _F32)
        return (tensor_type(shape, n.elem("x")), per_channel, per_channel, none, none)


@ge_op
class BatchNormGradV3(GeOp):
    """Gradients of BatchNormV3 with respect to x, weight and bias.

    In training by save_mean and save_rstd, else by the running statistics.
    """

    name = "ge.BatchNormGradV3"
    TYPES: ClassVar = {"T1": "FLOAT", "T2": "FLOAT", "T4": "FLOAT"}

    dy = tin("T1")
    x = tin("T1")
    weight = tin("T2")
    running_mean = tin("T4")
    running_var = tin("T4")
    save_mean = tin("float32")
    save_rstd = tin("float32")
    dx = tout("T1")
    dweight = tout("T2")
    dbias = tout("T2")
    is_training = bool_(True)
    epsilon = float_(1e-5)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape = refine(n.shape("dy"), n.shape("x"), "shapes of dy and x")
        vectors = ("weight", "running_mean", "running_var", "save_mean", "save_rstd")
        shape, c = _channels(n, shape, vectors)
        per_channel = tensor_type((c,), n.elem("weight"))
        return (tensor_type(shape, n.elem("dy")), per_channel, per_channel)


@ge_op
class BatchNormV3(GeOp):
    """Batch normalisation that moves its running statistics by `momentum` in training.

    save_mean and save_rstd are what y was made with. Without training the running statistics are
    used and stay.
    """

    name = "ge.BatchNormV3"
    TYPES: ClassVar = {"T1": "FLOAT", "T2": "FLOAT", "T4": "FLOAT"}
    EFFECTS: ClassVar = Effects.writes(
        "running_mean", "running_var", reads=("running_mean", "running_var")
    )

    x = tin("T1")
    weight = tin("T2")
    bias = tin("T2")
    running_mean = ref_in("T4")
    running_var = ref_in("T4")
    y = tout("T1")
    running_mean_ = ref_out("T4", name="running_mean")
    running_var_ = ref_out("T4", name="running_var")
    save_mean = tout("float32")
    save_rstd = tout("float32")
    epsilon = float_(1e-5)
    momentum = float_(0.1)
    is_training = bool_(True)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        vectors = ("weight", "bias", "running_mean", "running_var")
        shape, c = _channels(n, n.shape("x"), vectors)
        saved = tensor_type((c,), _F32)
        mean, variance = (ref_type(n.logical(name)) for name in ("running_mean", "running_var"))
        return (tensor_type(shape, n.elem("x")), mean, variance, saved, saved)
