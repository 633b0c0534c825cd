"""Golden meaning of functions of two inputs for every tensor of a list."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.broadcast import divide, powered
from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import Array, cast, widen, working_dtype
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]
Function = Callable[[Array, Array], Array]

_FUNCTIONS: dict[str, Function] = {
    "Add": np.add,
    "Sub": np.subtract,
    "Mul": np.multiply,
    "Div": divide,
    "Maximum": np.maximum,
    "Minimum": np.minimum,
    "Pow": powered,
}


def number(value: Array, x: Array) -> Array:
    """One number in the dtype in which x is computed with."""
    return cast(np.asarray(value).reshape(()), working_dtype(x.dtype))


def numbers(values: Array, count: int, ctx: Context) -> Array:
    """A vector with a number for each of `count` tensors."""
    if values.size != count:
        ctx.fail("the numbers do not fit", code="GX-221", found=values.size, expected=count)
    return values.reshape(-1)


def _register(name: str, fn: Function) -> None:
    @semantics(f"Foreach{name}Scalar")
    def by_one(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
        return tuple(fn(widen(x), number(args[1], x)) for x in args[0])

    @semantics(f"Foreach{name}ScalarList")
    def by_each(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
        values = numbers(args[1], len(args[0]), ctx)
        return tuple(fn(widen(x), number(v, x)) for x, v in zip(args[0], values, strict=True))

    @semantics(f"Foreach{name}List")
    def by_list(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
        found = []
        for x1, x2 in zip(args[0], args[1], strict=True):
            other = widen(x2)
            if len(args) > 2:  # alpha
                other = other * number(args[2], x2)
            found.append(fn(widen(x1), other))
        return tuple(found)


for _name, _fn in _FUNCTIONS.items():
    _register(_name, _fn)


@semantics("ForeachPowScalarAndTensor")
def foreach_pow_scalar_and_tensor(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
    """The number to the power of each element."""
    return tuple(powered(number(args[0], x), widen(x)) for x in args[1])
