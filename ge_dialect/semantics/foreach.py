"""Golden meaning of functions of one input for every tensor of a list."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import Array, scalar, widen
from ge_dialect.semantics.registry import semantics
from ge_dialect.semantics.special import erf, erfc, sigmoid

Attrs = Mapping[str, Any]


def _each(op_type: str, fn: Callable[[Array], Array]) -> None:
    @semantics(op_type)
    def run(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
        return tuple(fn(widen(x)) for x in args[0])


for _name, _fn in {
    "Abs": np.abs,
    "Acos": np.arccos,
    "Asin": np.arcsin,
    "Atan": np.arctan,
    "Cos": np.cos,
    "Cosh": np.cosh,
    "Erf": erf,
    "Erfc": erfc,
    "Exp": np.exp,
    "Expm1": np.expm1,
    "Log": np.log,
    "Log10": np.log10,
    "Log1p": np.log1p,
    "Log2": np.log2,
    "Neg": np.negative,
    "Sigmoid": sigmoid,
    "Sign": np.sign,
    "Sin": np.sin,
    "Sinh": np.sinh,
    "Sqrt": np.sqrt,
    "Tan": np.tan,
    "Tanh": np.tanh,
}.items():
    _each(f"Foreach{_name}", _fn)

_each("ForeachReciprocal", lambda x: 1 / x)


@semantics("ForeachCopy")
def foreach_copy(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
    """The tensors themselves."""
    return tuple(args[0])


def _norm(x: Array, p: float) -> Array:
    size, t = np.abs(x), x.dtype.type
    if p == np.inf:
        return np.max(size, initial=0)
    if p == -np.inf:
        return np.min(size, initial=np.inf)
    if p == 0:
        return np.sum(size != 0).astype(x.dtype)
    if p == 1:
        return np.sum(size)
    if p == 2:
        return np.sqrt(np.sum(np.square(size)))
    return np.power(np.sum(np.power(size, t(p))), t(1 / p))


@semantics("ForeachNorm")
def foreach_norm(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
    """(sum of |x|**p)**(1 / p) of all elements."""
    p = float(args[1].reshape(())) if args[1].size == 1 else float("nan")
    if np.isnan(p):
        ctx.fail("the order of the norm is no number", found=args[1].tolist())
    return tuple(np.asarray(_norm(widen(x), p)) for x in args[0])


def _half_away(x: Array) -> Array:
    size = np.abs(x)
    down = np.floor(size)
    return np.copysign(down + (size - down >= 0.5), x)


_ROUND: dict[int, Callable[[Array], Array]] = {
    1: np.rint,
    2: np.floor,
    3: np.ceil,
    4: _half_away,
    5: np.trunc,
}


@semantics("ForeachRoundOffNumber")
def foreach_round_off_number(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
    """Whole numbers, in one of five ways."""
    mode = scalar(args[1], "roundMode", ctx)
    if mode not in _ROUND:
        ctx.fail("roundMode is not supported", found=mode, expected="1 … 5")
    return tuple(_ROUND[mode](widen(x)) for x in args[0])
