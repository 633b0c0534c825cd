"""Golden meaning of sums with products, quotients and differences for every tensor of lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.foreach_pairs import number, numbers
from ge_dialect.semantics.numerics import Array, widen
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]
Function = Callable[[Array, Array, Array, Array], Array]


def _quotient(base: Array, x2: Array, x3: Array, value: Array) -> Array:
    return base + value * x2 / x3


def _product(base: Array, x2: Array, x3: Array, value: Array) -> Array:
    return base + value * x2 * x3


def _register(name: str, fn: Function) -> None:
    @semantics(f"Foreach{name}Scalar")
    def by_one(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
        lists = zip(*args[:3], strict=True)
        return tuple(
            fn(widen(x1), widen(x2), widen(x3), number(args[3], x1)) for x1, x2, x3 in lists
        )

    @semantics(f"Foreach{name}ScalarList", f"Foreach{name}List")
    def by_each(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
        lists = zip(*args[:3], numbers(args[3], len(args[0]), ctx), strict=True)
        return tuple(fn(widen(x1), widen(x2), widen(x3), number(v, x1)) for x1, x2, x3, v in lists)


_register("Addcdiv", _quotient)
_register("Addcmul", _product)


@semantics("ForeachLerpScalar")
def foreach_lerp_scalar(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
    """start + weight · (end - start), one weight."""
    found = []
    for x1, x2 in zip(args[0], args[1], strict=True):
        start, end = widen(x1), widen(x2)
        found.append(start + number(args[2], x1) * (end - start))
    return tuple(found)


@semantics("ForeachLerpList")
def foreach_lerp_list(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
    """start + weight · (end - start), a weight for each element."""
    found = []
    for group in zip(*args, strict=True):
        start, end, weight = map(widen, group)
        found.append(start + weight * (end - start))
    return tuple(found)
