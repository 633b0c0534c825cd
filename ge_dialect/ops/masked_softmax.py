"""Softmax of scores that are scaled and masked first.

Public documents: torch_npu.npu_scaled_masked_softmax, aclnnMaskedSoftmaxWithRelPosBias.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.infer.broadcast import broadcast_to
from ge_dialect.infer.dims import UNKNOWN, require_rank
from ge_dialect.infer.errors import SHAPE
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import bool_, float_, int_, opt_tin, tin, tout
from ge_dialect.ir.types import tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode


@ge_op
class ScaledMaskedSoftmax(GeOp):
    """softmax of x · scale along the last axis, without what `mask` marks.

    mask stretches to x; with fixed_triu_mask the elements behind the diagonal of the last two axes
    are left out instead. A row with nothing left is uniform: what is left out counts as a very
    small number.
    """

    name = "ge.ScaledMaskedSoftmax"
    TYPES: ClassVar = {"T": "FLOAT"}  # float32 results are assumed

    x = tin("T")
    mask = opt_tin("bool")  # uint1 has no arrays here
    y = tout("T")
    scale = float_(1.0)
    fixed_triu_mask = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape = n.shape("x")
        require_rank(shape, range(1, 64), "x")
        if n.attr("fixed_triu_mask"):
            require_rank(shape, range(2, 64), "x")
        if n.has("mask"):
            broadcast_to(n.shape("mask"), shape)
        return (n.logical("x"),)


@ge_op
class MaskedSoftmaxWithRelPosBias(GeOp):
    """softmax of x · scale_value + atten_mask + relative_pos_bias along the last axis.

    x is [B, W, N, S1, S2], or [B · W, N, S1, S2] with W from the mask, which is [W, S1, S2] with
    ones put in or not; the bias is [N, S1, S2], with ones in front or not.
    """

    name = "ge.MaskedSoftmaxWithRelPosBias"
    TYPES: ClassVar = {"T": "FLOAT"}

    x = tin("T")
    atten_mask = opt_tin("T")
    relative_pos_bias = tin("T")
    y = tout("T")
    scale_value = float_(1.0)
    inner_precision_mode = int_(0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, mask = n.shape("x"), n.shape("atten_mask")
        require_rank(shape, (4, 5), "x")
        require_rank(mask, (3, 4, 5), "atten_mask")
        if shape is not None:
            broadcast_to(n.shape("relative_pos_bias"), (*(1,) * (len(shape) - 3), *shape[-3:]))
            if mask is not None:
                free = UNKNOWN if UNKNOWN in mask[:-2] else 1
                windows, *ones = [d for d in mask[:-2] if d not in (1, UNKNOWN)] or [free]
                whole = shape[1] if len(shape) == 5 else shape[0]
                fits = (
                    windows < 0
                    or whole < 0
                    or (
                        windows == whole if len(shape) == 5 else whole % (windows or whole + 1) == 0
                    )
                )
                if ones or not (fits or windows == 1):
                    n.fail(
                        "atten_mask does not fit the windows of x",
                        found=list(mask),
                        expected=f"[{whole}, S1, S2]",
                        code=SHAPE,
                    )
                broadcast_to(mask[-2:], shape[-2:])
        return (tensor_type(shape, n.elem("x")),)
