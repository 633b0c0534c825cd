"""Golden meaning of the matrix products."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import F64, I64, Array, kind, matmul, widen
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]


def _turned(a: Array, flag: bool) -> Array:
    if not flag:
        return a
    a = np.swapaxes(a, -1, -2)
    return a.conj() if a.dtype.kind == "c" else a


def _product(args: list[Any], attrs: Attrs, ctx: Context, turn1: bool, turn2: bool) -> Array:
    x1, x2, *rest = args
    bias = rest[0] if rest else None
    if len(rest) > 1 and rest[1] is not None:
        ctx.fail("offset_w is reserved by GE and has no meaning", expected="not connected")
    offset = attrs.get("offset_x") or 0
    if offset and kind(x1.dtype) in "iu":
        x1 = widen(x1).astype(I64) - offset
    y = matmul(_turned(x1, turn1), _turned(x2, turn2))
    if bias is not None:
        y = y + (bias.astype(y.dtype) if y.dtype.kind == "f" else widen(bias))
    out = ctx.out_dtype(0)
    if y.dtype.kind == "i" and out is not None and kind(out) == "f":
        y = y.astype(F64)
    return y


@semantics("MatMul", "MatMulV2", "MatMulV3")
def mat_mul(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Product of two matrices, each transposed on demand, plus bias."""
    return _product(args, attrs, ctx, attrs["transpose_x1"], attrs["transpose_x2"])


@semantics("BatchMatMul", "BatchMatMulV2")
def batch_mat_mul(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Products of the matrices in the last two axes; the other axes broadcast."""
    return _product(args, attrs, ctx, attrs["adj_x1"], attrs["adj_x2"])
