"""Normalisation by the statistics of each sample: layers, groups, instances, root mean squares.

Variances count all elements. gamma and beta scale and shift per element or per channel.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import to_xdsl
from ge_dialect.infer.dims import UNKNOWN, merge_dim, norm_axes, norm_axis, refine, require_rank
from ge_dialect.infer.errors import SHAPE
from ge_dialect.infer.window import CHANNEL
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import bool_, float_, int_, ints, opt_tin, string, tin, tout
from ge_dialect.ir.types import tensor_type
from ge_dialect.ops._bases import REAL

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_F32, _F64 = to_xdsl("float32"), to_xdsl("float64")
Shape = tuple[int, ...] | None


def _statistic(elem: Attribute) -> Attribute:
    """dtype of a saved statistic: f32, f64 for f64."""
    return elem if elem == _F64 else _F32


def _kept(shape: tuple[int, ...], first: int) -> tuple[int, ...]:
    """Shape of what is left when the axes from `first` on are reduced and kept."""
    return (*shape[:first], *(1,) * (len(shape) - first))


def _same_tail(n: InferNode, name: str, tail: Sequence[int]) -> None:
    """An error where an input has not the shape of the normalised dims."""
    if n.has(name):
        refine(n.shape(name), tuple(tail), f"{name} and the normalised dims of x")


def _by_axes(n: InferNode) -> Sequence[Attribute]:
    shape, elem = n.shape("x"), n.elem("x")
    if shape is None:
        return (tensor_type(None, elem),) * 3
    first = norm_axis(n.attr("begin_norm_axis"), len(shape), "begin_norm_axis")
    params = norm_axis(n.attr("begin_params_axis"), len(shape), "begin_params_axis")
    for name in ("gamma", "beta"):
        _same_tail(n, name, shape[params:])
    kept = tensor_type(_kept(shape, first), elem)
    return (tensor_type(shape, elem), kept, kept)


@ge_op
class LayerNorm(GeOp):
    """(x - mean) / sqrt(variance + epsilon) · gamma + beta over the axes from begin_norm_axis on.

    gamma and beta have the dims of x from begin_params_axis on; mean and variance keep ones.
    """

    name = "ge.LayerNorm"
    TYPES: ClassVar = {"T": REAL}  # float64 is assumed

    x = tin("T")
    gamma = tin("T")
    beta = tin("T")
    y = tout("T")
    mean = tout("T")
    variance = tout("T")
    begin_norm_axis = int_(0)
    begin_params_axis = int_(0)
    epsilon = float_(1e-07)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _by_axes(n)


@ge_op
class LayerNormV3(GeOp):
    """LayerNorm that gives rstd = 1 / sqrt(variance + epsilon) instead of the variance."""

    name = "ge.LayerNormV3"
    TYPES: ClassVar = {"T": REAL}  # float64 is assumed

    x = tin("T")
    gamma = tin("T")
    beta = tin("T")
    y = tout("T")
    mean = tout("T")
    rstd = tout("T")
    begin_norm_axis = int_(0)
    begin_params_axis = int_(0)
    epsilon = float_(1e-05)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _by_axes(n)


@ge_op
class LayerNormV4(GeOp):
    """LayerNorm over the last dims of x, which `normalized_shape` repeats; mean and rstd in f32.

    A missing gamma is 1, a missing beta 0.
    """

    name = "ge.LayerNormV4"
    TYPES: ClassVar = {"T1": REAL, "T3": REAL}  # float64 is assumed

    x = tin("T1")
    normalized_shape = tin("IndexNumberType")
    gamma = opt_tin("T3")
    beta = opt_tin("T3")
    y = tout("T1")
    mean = tout("float32, float64")
    rstd = tout("float32, float64")
    epsilon = float_(1e-05)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, elem = n.shape("x"), n.elem("x")
        count, sizes = n.vector_length("normalized_shape"), n.ints("normalized_shape")
        kept: Shape = None
        if shape is not None and count is not None:
            if not 1 <= count <= len(shape):
                expected = f"1 … {len(shape)} entries"
                n.fail("normalized_shape does not fit x", found=count, expected=expected)
            first = len(shape) - count
            if sizes is not None:
                refine(shape[first:], tuple(sizes), "normalized_shape and the last dims of x")
            for name in ("gamma", "beta"):
                _same_tail(n, name, shape[first:])
            kept = _kept(shape, first)
        saved = tensor_type(kept, _statistic(elem))
        return (tensor_type(shape, elem), saved, saved)


def _rms(n: InferNode, shape: Shape, x: str) -> tuple[Attribute, Attribute]:
    """Types of the result and of rstd; gamma tells how many dims are normalised."""
    elem, gamma = n.elem(x), n.shape("gamma")
    kept: Shape = None
    if shape is not None and gamma is not None:
        if not 1 <= len(gamma) <= len(shape):
            expected = f"rank 1 … {len(shape)}"
            n.fail(
                "gamma does not fit x", found=f"rank {len(gamma)}", expected=expected, code=SHAPE
            )
        first = len(shape) - len(gamma)
        refine(shape[first:], gamma, "gamma and the last dims of x")
        kept = _kept(shape, first)
    return tensor_type(shape, elem), tensor_type(kept, _statistic(elem))


@ge_op
class RmsNorm(GeOp):
    """x · rstd · gamma with rstd = 1 / sqrt(mean of squares + epsilon) over the dims of gamma."""

    name = "ge.RmsNorm"
    TYPES: ClassVar = {"T1": REAL, "T2": REAL}  # float64 is assumed

    x = tin("T1")
    gamma = tin("T2")
    y = tout("T1")
    rstd = tout("float32, float64")
    epsilon = float_(1e-06)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _rms(n, n.shape("x"), "x")


@ge_op
class AddRmsNorm(GeOp):
    """RmsNorm of x = x1 + x2, which is a result as well; the rounded sum is what is normalised."""

    name = "ge.AddRmsNorm"
    TYPES: ClassVar = {"T": REAL}  # float64 is assumed

    x1 = tin("T")
    x2 = tin("T")
    gamma = tin("T")
    y = tout("T")
    rstd = tout("float32, float64")
    x = tout("T")
    epsilon = float_(1e-06)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        y, rstd = _rms(n, refine(n.shape("x1"), n.shape("x2"), "shapes of x1 and x2"), "x1")
        return (y, rstd, y)


def _vector(n: InferNode, name: str, channels: int) -> int:
    """Channels that x and a per-channel vector agree on."""
    given = n.shape(name)
    if given is None:
        return channels
    require_rank(given, 1, name)
    return merge_dim(channels, given[0], f"channels of x and {name}")


@ge_op
class GroupNorm(GeOp):
    """Normalisation over groups of neighbouring channels, scaled and shifted per channel.

    x is [N, C, …]; mean and variance are [N, num_groups] (assumed).
    """

    name = "ge.GroupNorm"
    TYPES: ClassVar = {"T": REAL}  # beyond float16 and float32 assumed

    x = tin("T")
    gamma = tin("T")
    beta = tin("T")
    y = tout("T")
    mean = tout("T")
    variance = tout("T")
    num_groups = int_()
    data_format = string("NCHW")
    eps = float_(0.0001)
    is_training = bool_(True)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, groups = n.shape("x"), n.attr("num_groups")
        if n.attr("data_format") != "NCHW":
            n.fail("data_format is not supported", found=n.attr("data_format"), expected="NCHW")
        require_rank(shape, range(2, 9), "x")
        channels = UNKNOWN if shape is None else shape[1]
        for name in ("gamma", "beta"):
            channels = _vector(n, name, channels)
        if groups < 1 or (channels >= 0 and channels % groups):
            expected = f"a divisor of {channels}" if channels >= 0 else "≥ 1"
            n.fail("channels do not divide into groups", found=groups, expected=expected)
        batch = UNKNOWN if shape is None else shape[0]
        out = None if shape is None else (batch, channels, *shape[2:])
        saved = tensor_type((batch, groups), n.elem("x"))
        return (tensor_type(out, n.elem("x")), saved, saved)


@ge_op
class InstanceNorm(GeOp):
    """Normalisation over the spatial axes of each channel; mean and variance keep ones.

    The channel axis is that of `data_format`; formats of another rank than 4 and 5 count by where
    the letter C stands, second or last.
    """

    name = "ge.InstanceNorm"
    TYPES: ClassVar = {"T": REAL}  # float64 is assumed

    x = tin("T")
    gamma = tin("T")
    beta = tin("T")
    y = tout("T")
    mean = tout("T")
    variance = tout("T")
    data_format = string("NDHWC")
    epsilon = float_(1e-06)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, data_format = n.shape("x"), n.attr("data_format")
        if data_format not in CHANNEL:
            n.fail("data_format is not supported", found=data_format, expected=", ".join(CHANNEL))
        require_rank(shape, range(3, 9), "x")
        if shape is None:
            return (tensor_type(None, n.elem("x")),) * 3
        axis = 1 if data_format[1] == "C" else len(shape) - 1
        channels = shape[axis]
        for name in ("gamma", "beta"):
            channels = _vector(n, name, channels)
        out = (*shape[:axis], channels, *shape[axis + 1 :])
        kept = tuple(d if a in (0, axis) else 1 for a, d in enumerate(out))
        saved = tensor_type(kept, n.elem("x"))
        return (tensor_type(out, n.elem("x")), saved, saved)


@ge_op
class L2Normalize(GeOp):
    """x / sqrt(max(sum of squares over `axis`, eps)); no axis means all."""

    name = "ge.L2Normalize"
    TYPES: ClassVar = {"T": REAL}  # beyond float16 and float32 assumed

    x = tin("T")
    y = tout("T")
    axis = ints([])
    eps = float_(0.0001)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape = n.shape("x")
        if shape is not None:
            norm_axes(n.attr("axis"), len(shape), "axis")
        return (tensor_type(shape, n.elem("x")),)
