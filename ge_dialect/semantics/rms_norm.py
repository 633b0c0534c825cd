"""Golden meaning of fused root-mean-square normalisation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import F32, Array, cast, finish, widen
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]


def _normalised(args: list[Any], epsilon: float) -> tuple[Array, Array, Array]:
    """Result times gamma, rstd, and the rounded sum."""
    total = finish(widen(args[0]) + widen(args[1]), args[0].dtype)
    x, gamma = widen(total), widen(args[2])
    over = tuple(range(x.ndim - gamma.ndim, x.ndim))
    square = np.sum(x * x, axis=over, keepdims=True) / x.dtype.type(max(gamma.size, 1))
    rstd = 1 / np.sqrt(square + x.dtype.type(epsilon))
    return x * rstd * gamma, rstd, total


@semantics("AddRmsNormCast")
def add_rms_norm_cast(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
    """The result twice: wide and rounded."""
    y, rstd, total = _normalised(args, attrs["epsilon"])
    return y, y, rstd, total


@semantics("AddRmsNormQuant")
def add_rms_norm_quant(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
    """The result quantised by one or two sets of scales."""
    y, _, total = _normalised(args, attrs["epsilon"])
    if args[7] is not None:
        y = y + widen(args[7])

    def quantised(scales: Any, zero: Any) -> Array:
        if scales is None:
            return np.zeros(y.shape, np.int8)
        z = y / widen(scales) if attrs["div_mode"] else y * widen(scales)
        z = z if zero is None else z + widen(zero).astype(y.dtype)
        return cast(np.rint(z), np.dtype(np.int8))

    return quantised(args[3], args[5]), quantised(args[4], args[6]), total


@semantics("RmsNormGrad")
def rms_norm_grad(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, Array]:
    """Gradients by the chain rule."""
    dy, x, rstd, gamma = (widen(a) for a in args)
    over = tuple(range(x.ndim - gamma.ndim, x.ndim))
    rest = tuple(range(x.ndim - gamma.ndim))
    rstd = rstd.reshape(*x.shape[: x.ndim - gamma.ndim], *(1,) * gamma.ndim)
    normal, g = x * rstd, dy * gamma
    mean = np.sum(g * normal, axis=over, keepdims=True) / F32.type(max(gamma.size, 1))
    return (g - normal * mean) * rstd, np.sum(dy * normal, axis=rest)
