"""Normalisation by the statistics of each sample: gradients, and forms fused with other steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import to_xdsl
from ge_dialect.infer.dims import Shape, merge_dim, norm_axes, refine, require_rank
from ge_dialect.infer.errors import SHAPE
from ge_dialect.infer.promote import promote
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import bool_, bools, float_, int_, ints, opt_tin, string, tin, tout
from ge_dialect.ir.types import tensor_type
from ge_dialect.ops._bases import REAL

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_F32 = to_xdsl("float32")


def _last_dims(n: InferNode, shape: Shape, names: Sequence[str]) -> None:
    """The parameters have the last dims of the data."""
    for name in names:
        given = n.shape(name)
        if shape is None or given is None:
            continue
        if not 1 <= len(given) <= len(shape):
            n.fail(
                f"{name} does not fit x",
                found=f"rank {len(given)}",
                expected=f"rank 1 … {len(shape)}",
                code=SHAPE,
            )
        refine(shape[len(shape) - len(given) :], given, f"the last dims of x and {name}")


def _kept(n: InferNode, shape: Shape, name: str) -> Shape:
    """Shape of a statistic: the dims that gamma normalises are ones."""
    gamma = n.shape(name)
    if shape is None or gamma is None:
        return None
    return (*shape[: len(shape) - len(gamma)], *(1,) * len(gamma))


@ge_op
class AddLayerNorm(GeOp):
    """LayerNorm of x = x1 + x2 + bias over the last dims, those of gamma; x is a result as well.

    The sum is normalised before it is rounded (assumed). rstd = 1 / sqrt(variance + epsilon). Of
    two dtypes y and x have the wider one; x is given whatever additional_output says.
    """

    name = "ge.AddLayerNorm"
    TYPES: ClassVar = {"A": "FLOAT", "B": "FLOAT", "G": "FLOAT", "Y": "FLOAT"}

    x1 = tin("A")
    x2 = tin("B")
    gamma = tin("G")
    beta = tin("G")
    bias = opt_tin("FLOAT")
    y = tout("Y")
    mean = tout("float32")
    rstd = tout("float32")
    x = tout("Y")
    epsilon = float_(1e-05)
    additional_output = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape = refine(n.shape("x1"), n.shape("x2"), "shapes of x1 and x2")
        refine(n.shape("gamma"), n.shape("beta"), "shapes of gamma and beta")
        _last_dims(n, shape, ("gamma", "beta", "bias"))
        y = tensor_type(shape, promote(n.elem("x1"), n.elem("x2")))
        saved = tensor_type(_kept(n, shape, "gamma"), _F32)
        return (y, saved, saved, y)


@ge_op
class DeepNorm(GeOp):
    """LayerNorm of alpha·x + gx over the last dims, those of gamma."""

    name = "ge.DeepNorm"
    TYPES: ClassVar = {"T": "FLOAT"}

    x = tin("T")
    gx = tin("T")
    beta = tin("T")
    gamma = tin("T")
    mean = tout("float32")
    rstd = tout("float32")
    y = tout("T")
    alpha = float_(0.3)
    epsilon = float_(1e-06)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape = refine(n.shape("x"), n.shape("gx"), "shapes of x and gx")
        refine(n.shape("gamma"), n.shape("beta"), "shapes of gamma and beta")
        _last_dims(n, shape, ("gamma", "beta"))
        saved = tensor_type(_kept(n, shape, "gamma"), _F32)
        return (saved, saved, tensor_type(shape, n.elem("x")))


def _groups(n: InferNode) -> Sequence[Attribute]:
    """Types of y, mean and rstd of normalised groups of channels (axis 1)."""
    shape, groups, elem = n.shape("x"), n.attr("num_groups"), n.elem("x")
    if groups < 1:
        n.fail("num_groups must be positive", found=groups, expected="≥ 1")
    require_rank(shape, range(2, 9), "x")
    if shape is None:
        saved = tensor_type((-1, groups), elem)
        return (tensor_type(None, elem), saved, saved)
    channels = shape[1]
    for name in ("gamma", "beta"):
        given = n.shape(name)
        require_rank(given, 1, name)
        if given is not None:
            channels = merge_dim(channels, given[0], f"channels of x and {name}")
    if channels >= 0 and channels % groups:
        n.fail("channels do not divide into groups", found=channels, expected=f"by {groups}")
    saved = tensor_type((shape[0], groups), elem)
    return (tensor_type((shape[0], channels, *shape[2:]), elem), saved, saved)


@ge_op
class GroupNormSilu(GeOp):
    """GroupNorm with rstd as last result, then y·sigmoid(y) unless `activate_silu` is false."""

    name = "ge.GroupNormSilu"
    TYPES: ClassVar = {"T": "FLOAT", "P": "FLOAT"}

    x = tin("T")
    gamma = opt_tin("P")
    beta = opt_tin("P")
    y = tout("T")
    mean = tout("T")
    rstd = tout("T")
    num_groups = int_()
    eps = float_(1e-05)
    activate_silu = bool_(True)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _groups(n)


@ge_op
class GroupNormV2(GeOp):
    """GroupNorm with rstd = 1 / sqrt(variance + eps) as last result.

    Channels are axis 1; data_format is reserved, and statistics are always those of x (assumed).
    """

    name = "ge.GroupNormV2"
    TYPES: ClassVar = {"T": "FLOAT"}

    x = tin("T")
    gamma = tin("T")
    beta = tin("T")
    y = tout("T")
    mean = tout("T")
    rstd = tout("T")
    num_groups = int_()
    data_format = string("NHWC")
    eps = float_(1e-05)
    is_training = bool_(True)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _groups(n)


def _layer_gradient(n: InferNode, spread: str) -> Sequence[Attribute]:
    """Types of the gradients of x, gamma and beta."""
    shape = refine(n.shape("dy"), n.shape("x"), "shapes of dy and x")
    _last_dims(n, shape, ("gamma",))
    for name in ("mean", spread):
        given = n.shape(name)
        if shape is None or given is None:
            continue
        require_rank(given, len(shape), name)
        for d, whole in zip(given, shape, strict=True):
            if d not in (1, -1):
                merge_dim(d, whole, f"dims of {name} and x")
    gamma = n.logical("gamma")
    return (tensor_type(shape, n.elem("x")), gamma, gamma)


@ge_op
class LayerNormGrad(GeOp):
    """Gradients of LayerNorm with respect to x, gamma and beta.

    The axes in which mean has ones were normalised; gamma has the last dims of x. As on the device
    1e-12 is added to the variance (assumed), whatever the forward operator added.
    """

    name = "ge.LayerNormGrad"
    TYPES: ClassVar = {"T": REAL}  # float64 is assumed

    dy = tin("T")
    x = tin("T")
    variance = tin("T")
    mean = tin("T")
    gamma = tin("T")
    pd_x = tout("T")
    pd_gamma = tout("T")
    pd_beta = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _layer_gradient(n, "variance")


@ge_op
class LayerNormGradV3(GeOp):
    """LayerNormGrad by rstd instead of the variance; all results are made whatever output_mask."""

    name = "ge.LayerNormGradV3"
    TYPES: ClassVar = {"T": "FLOAT, float64", "S": "FLOAT, float64", "P": "FLOAT, float64"}

    dy = tin("T")
    x = tin("T")
    rstd = tin("S")
    mean = tin("S")
    gamma = tin("P")
    pd_x = tout("T")
    pd_gamma = tout("P")
    pd_beta = tout("P")
    output_mask = bools([True, True, True])

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _layer_gradient(n, "rstd")


@ge_op
class LayerNormBetaGammaBackpropV2(GeOp):
    """Sums of dy·res_for_gamma and of dy over the axes that `shape_gamma` lacks in front."""

    name = "ge.LayerNormBetaGammaBackpropV2"
    TYPES: ClassVar = {"T": "FLOAT"}

    dy = tin("T")
    res_for_gamma = tin("float32")
    pd_gamma = tout("T")
    pd_beta = tout("T")
    shape_gamma = ints()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape = refine(n.shape("dy"), n.shape("res_for_gamma"), "shapes of dy and res_for_gamma")
        sizes = n.attr("shape_gamma")
        if any(s < 0 for s in sizes):
            n.fail("a size is negative", found=list(sizes), expected="≥ 0")
        if shape is not None:
            if len(sizes) > len(shape):
                n.fail("shape_gamma has more dims than dy", found=list(sizes), expected=len(shape))
            refine(shape[len(shape) - len(sizes) :], sizes, "the last dims of dy and shape_gamma")
        gamma = tensor_type(sizes, n.elem("dy"))
        return (gamma, gamma)


@ge_op
class MVNV2(GeOp):
    """(x - mean) / (deviation + eps) over `axes` together (ONNX's MeanVarianceNormalization)."""

    name = "ge.MVNV2"
    TYPES: ClassVar = {"T": REAL}  # beyond float16 and float32 assumed

    x = tin("T")
    y = tout("T")
    eps = float_(1e-09)
    axes = ints([0, 2, 3])

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape = n.shape("x")
        if not n.attr("axes"):
            n.fail("axes is empty", found=[], expected="at least one axis")
        if shape is not None:
            norm_axes(n.attr("axes"), len(shape))
        return (n.logical("x"),)
