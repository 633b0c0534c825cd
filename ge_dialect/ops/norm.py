"""Normalisation over batch or neighbouring channels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.infer.dims import merge_dim, require_rank
from ge_dialect.infer.errors import MISSING
from ge_dialect.infer.window import CHANNEL
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import bool_, float_, int_, opt_tin, string, tin, tout
from ge_dialect.ir.types import tensor_type
from ge_dialect.ops._bases import REAL

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode


def _channels(n: InferNode, axis: int | None, names: Sequence[str]) -> int:
    """The number of channels x and the per-channel vectors agree on."""
    shape = n.shape("x")
    c = -1 if shape is None or axis is None else shape[axis]
    for name in names:
        given = n.shape(name)
        if given is None:
            continue
        require_rank(given, 1, name)
        c = merge_dim(c, given[0], f"channels of x and {name}")
    return c


@ge_op
class BatchNorm(GeOp):
    """(x - mean) / sqrt(variance + epsilon) · scale + offset per channel.

    In training, mean and variance are those of the batch; else they are inputs. The channel axis
    is that of `data_format`: 1 for NCHW and NCDHW, the last for NHWC and NDHWC. batch_mean to
    reserve_space_3 have one value per channel.
    """

    name = "ge.BatchNorm"
    TYPES: ClassVar = {"T1": REAL, "T2": "float32, float64"}  # float64 is assumed

    x = tin("T1")
    scale = tin("T2")
    offset = tin("T2")
    mean = opt_tin("T2")
    variance = opt_tin("T2")
    y = tout("T1")
    batch_mean = tout("T2")
    batch_variance = tout("T2")
    reserve_space_1 = tout("T2")
    reserve_space_2 = tout("T2")
    reserve_space_3 = tout("T2")
    epsilon = float_(0.0001)
    data_format = string("NHWC")
    is_training = bool_(True)
    exponential_avg_factor = float_(1.0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape = n.shape("x")
        require_rank(shape, range(2, 6), "x")
        data_format = n.attr("data_format")
        if data_format not in CHANNEL:
            n.fail("data_format is not supported", found=data_format, expected=", ".join(CHANNEL))
        axis = None
        if shape is not None:
            axis = 1 if data_format.startswith("NC") else len(shape) - 1
        if not n.attr("is_training"):
            for name in ("mean", "variance"):
                if not n.has(name):
                    n.fail(f"inference needs the input {name}", expected=name, code=MISSING)
        c = _channels(n, axis, ("scale", "offset", "mean", "variance"))
        if axis is not None and shape is not None:
            shape = (*shape[:axis], c, *shape[axis + 1 :])
        per_channel = tensor_type((c,), n.elem("scale"))
        return (tensor_type(shape, n.elem("x")), *(per_channel,) * 5)


@ge_op
class BNInfer(GeOp):
    """(x - mean) / sqrt(variance + epsilon) · scale + offset per channel, axis 1 of x."""

    name = "ge.BNInfer"
    TYPES: ClassVar = {"T": "FLOAT", "P": "float32"}

    x = tin("T")
    scale = tin("P")
    offset = tin("P")
    mean = tin("P")
    variance = tin("P")
    y = tout("T")
    epsilon = float_()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape = n.shape("x")
        require_rank(shape, range(2, 6), "x")
        c = _channels(n, 1, ("scale", "offset", "mean", "variance"))
        if shape is not None:
            shape = (shape[0], c, *shape[2:])
        return (tensor_type(shape, n.elem("x")),)


@ge_op
class LRN(GeOp):
    """x / (bias + alpha · s)^beta with s the sum of squares over neighbouring channels.

    The 2·depth_radius + 1 channels around each one (axis 1) count, clipped at the ends.
    """

    name = "ge.LRN"
    TYPES: ClassVar = {"T": REAL}  # beyond float16 and float32 assumed

    x = tin("T")
    y = tout("T")
    depth_radius = int_(5)
    bias = float_(1.0)
    alpha = float_(1.0)
    beta = float_(0.5)
    norm_region = string("ACROSS_CHANNELS")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        require_rank(n.shape("x"), 4, "x")
        if n.attr("depth_radius") < 0:
            n.fail(
                "depth_radius must not be negative", found=n.attr("depth_radius"), expected="≥ 0"
            )
        if n.attr("norm_region") != "ACROSS_CHANNELS":
            n.fail(
                "norm_region is not supported",
                found=n.attr("norm_region"),
                expected="ACROSS_CHANNELS",
            )
        return (n.logical("x"),)
