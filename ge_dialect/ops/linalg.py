"""Linear algebra beyond products."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.infer.dims import merge_dim, require_rank
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import tin, tout
from ge_dialect.ir.types import tensor_type
from ge_dialect.ops._bases import REAL

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode


@ge_op
class MatrixDeterminant(GeOp):
    """Determinants of the square matrices in the last two axes.

    The prototype is not in the public data (assumed); the narrow floats are for the host engine.
    """

    name = "ge.MatrixDeterminant"
    TYPES: ClassVar = {"T": REAL}

    x = tin("T")
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape = n.shape("x")
        require_rank(shape, range(2, 64), "x")
        if shape is None:
            return (tensor_type(None, n.elem("x")),)
        merge_dim(shape[-1], shape[-2], "rows and columns")
        return (tensor_type(shape[:-2], n.elem("x")),)
