"""Comparing values under what a pass promises about them.

``exact``: every bit counts, NaN places and the sign of zero included (not the payload of a NaN).

``reassociates``: a result may differ as far as rounding in another order may lead. The bound is
computed for each element, from the graph before the pass: e = |run - f64 shadow|, and s = the
spread of shadow runs in which every float value is moved by up to half a unit in the last place
of its own dtype, up or down at random (Monte Carlo arithmetic, after Parker 1997). Accepted is
|found - shadow| <= 16 max(e, s) + 4 ulp. The spread sees cancellation where e is small by luck.
Infinities and NaN stand in the same places, except in elements that depend on values so large that
their sums may overflow in one order and not in another.

``precision(dtype)``: the same with the half unit, and the ulp, of the lower dtype.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ge_dialect.containers import as_list, is_list, is_tuple
from ge_dialect.semantics.context import Ref
from passes.testing.shadow import (
    Bound,
    Bounds,
    f64_bound,
    is_float,
    largest_of,
    parts_of,
    ulp_of,
    unit_named,
    unit_of,
)

Array = np.ndarray[Any, Any]

#: Without a bound: this many half units in the last place of max|expected|.
PLAIN = 16.0


@dataclass(frozen=True)
class Mismatch:
    """The first difference of two values.

    what: "count", "kind", "dtype", "shape", "value", "nan" or "inf". output: position in the list
    that was compared. index: of the worst element. differing: how many elements differ. error and
    allowed: |found - expected| and its bound there, where both are numbers.
    """

    what: str
    expected: str
    found: str
    output: int = 0
    index: tuple[int, ...] | None = None
    differing: int = 0
    total: int = 0
    error: float | None = None
    allowed: float | None = None

    def __str__(self) -> str:
        where = f"output {self.output}"
        if self.index:
            where += f" at [{', '.join(map(str, self.index))}]"
        text = f"{where}: {self.what}: expected {self.expected}, found {self.found}"
        if self.error is not None and self.allowed:
            text += f" (differs by {self.error:.3g}, allowed {self.allowed:.3g})"
        if self.total > 1 and self.differing:
            text += f"; {self.differing} of {self.total} elements differ"
        return text


def precision_dtype(contract_values: str) -> str | None:
    """The dtype of a ``precision(dtype)`` promise, None for the others."""
    match = re.fullmatch(r"precision\((\w+)\)", contract_values)
    return match.group(1) if match else None


def weakest(promises: Sequence[str]) -> str:
    """One promise that a sequence of passes keeps together."""
    lowest = [p for p in promises if precision_dtype(p)]
    if lowest:
        return max(lowest, key=lambda p: unit_named(precision_dtype(p)))
    return "reassociates" if "reassociates" in promises else "exact"


# ---------------------------------------------------------------------------------- comparison


def compare_values(
    expected: Any, found: Any, contract_values: str = "exact", *, bound: Any = None
) -> Mismatch | None:
    """The first difference that the promise does not allow, None where there is none.

    expected, found: arrays (or `Ref`s, compared by what they hold), or sequences of those.
    contract_values: as in `Contract.values`. bound: a `Bound`, one per value, or `Bounds` (then of
    the outputs); without one, promises other than exact take `PLAIN` half units in the last place
    of max|expected|.
    """
    left, right = as_list(expected), as_list(found)
    if len(left) != len(right):
        return Mismatch("count", f"{len(left)} values", f"{len(right)} values")
    if isinstance(bound, Bounds):
        bound = bound.outputs
    bounds = as_list(bound) if is_list(bound) or is_tuple(bound) else [bound] * len(left)
    if contract_values != "exact" and contract_values != "reassociates":
        if precision_dtype(contract_values) is None:
            raise ValueError(f"no such promise: {contract_values!r}")
    for i, (a, b, limit) in enumerate(zip(left, right, bounds, strict=True)):
        mismatch = _compare_one(a, b, contract_values, limit, i)
        if mismatch is not None:
            return mismatch
    return None


def _compare_one(
    expected: Any, found: Any, promise: str, bound: Bound | None, output: int
) -> Mismatch | None:
    if isinstance(expected, Ref) or isinstance(found, Ref):
        if not (isinstance(expected, Ref) and isinstance(found, Ref)):
            return Mismatch("kind", _kind(expected), _kind(found), output)
        expected, found = expected.value, found.value
    if expected is None or found is None:
        if expected is found:
            return None
        return Mismatch("kind", _kind(expected), _kind(found), output)
    a, b = np.asarray(expected), np.asarray(found)
    if a is b:
        return None
    if a.dtype != b.dtype:
        return Mismatch("dtype", str(a.dtype), str(b.dtype), output)
    if a.shape != b.shape:
        return Mismatch("shape", str(list(a.shape)), str(list(b.shape)), output)
    if promise == "exact" or not is_float(a.dtype):
        return _compare_exact(a, b, output, bound if promise != "exact" else None)
    if bound is None:
        bound = _plain_bound(a, precision_dtype(promise))
    return _compare_bounded(a, b, bound, output)


def _kind(value: Any) -> str:
    if value is None:
        return "nothing"
    return "a reference" if isinstance(value, Ref) else f"{value.dtype}{list(value.shape)}"


def same_bits(a: Array, b: Array) -> Array:
    """Element by element: the same bits, or both NaN. Arrays of one dtype and shape."""
    if a.dtype.kind in "biu":
        return np.asarray(a == b)
    if a.dtype.kind == "O":
        pairs = zip(a.reshape(-1), b.reshape(-1), strict=True)
        return np.array([x == y for x, y in pairs], bool).reshape(a.shape)
    if a.dtype.kind in "SU":
        return np.asarray(a == b)
    if a.dtype.kind == "c":
        return same_bits(a.real, b.real) & same_bits(a.imag, b.imag)
    size = a.dtype.itemsize
    raw = np.dtype(f"u{size}") if size in (1, 2, 4, 8) else None
    if raw is None:
        return np.asarray((a == b) & (np.signbit(a) == np.signbit(b)))
    same = np.ascontiguousarray(a).view(raw) == np.ascontiguousarray(b).view(raw)
    same = np.asarray(same).reshape(a.shape)
    if is_float(a.dtype):
        with np.errstate(all="ignore"):
            same = same | (np.isnan(a) & np.isnan(b))
    return np.asarray(same)


def _compare_exact(a: Array, b: Array, output: int, bound: Bound | None) -> Mismatch | None:
    same = same_bits(a, b)
    if bound is not None and not same.all():
        # a decision on rounded values: right is what any of the perturbed runs gave
        for other in (bound.shadow, *bound.others):
            if other.shape == b.shape:
                same = same | np.asarray(other == b)
    if same.all():
        return None
    return _worst(a, b, ~same, None, output)


def _compare_bounded(a: Array, b: Array, bound: Bound, output: int) -> Mismatch | None:
    dtype = a.dtype
    if dtype.kind == "c":
        a, b = parts_of(a), parts_of(b)
    shadow = bound.shadow
    if shadow.dtype.kind == "c":
        shadow = parts_of(shadow)
    radius = np.broadcast_to(bound.radius, shadow.shape)
    if shadow.shape != a.shape:
        plain = _plain_bound(a, bound.dtype)
        shadow, radius = plain.shadow, plain.radius
    with np.errstate(all="ignore"):
        x, y = a.astype(np.float64), b.astype(np.float64)
        # where the run overflowed or went NaN, or the shadow did, the run itself is the measure
        lost = ~np.isfinite(shadow)
        center = np.where(lost, x, shadow)
        allowed = np.where(np.isfinite(radius), radius, 0.0)
        allowed = np.where(lost, ulp_of(x, dtype, bound.dtype), allowed)
        distance = np.abs(y - center)
        good = distance <= allowed
        good |= (y == x) | (np.isnan(x) & np.isnan(y))
        # the result may leave the range of its dtype where the true value is about to
        top = largest_of(dtype, bound.dtype)
        near = np.abs(center) + allowed >= top
        good |= np.isinf(y) & near & (np.sign(y) == np.sign(center))
        if bound.tainted is not None and bound.tainted.shape == good.shape:
            good |= bound.tainted & ~np.isfinite(y)
            good |= bound.tainted & ~np.isfinite(x) & ~np.isfinite(shadow)
    if good.all():
        return None
    return _worst(a, b, ~good, allowed, output)


def _worst(a: Array, b: Array, bad: Array, allowed: Array | None, output: int) -> Mismatch:
    places = np.argwhere(bad)
    count = len(places)
    where = tuple(int(i) for i in places[0])
    numeric = a.dtype.kind not in "OSU"
    error = None
    if numeric:
        with np.errstate(all="ignore"):
            wide = np.complex128 if a.dtype.kind == "c" else np.float64
            distance = np.abs(b.astype(wide) - a.astype(wide))
            score = np.where(bad, np.where(np.isfinite(distance), distance, np.inf), -1.0)
            where = tuple(int(i) for i in np.unravel_index(int(np.argmax(score)), a.shape))
            error = float(distance[where])
    x, y = a[where], b[where]
    what = "value"
    if numeric and is_float(a.dtype):
        if bool(np.isnan(x)) != bool(np.isnan(y)):
            what = "nan"
        elif bool(np.isinf(x)) != bool(np.isinf(y)):
            what = "inf"
    return Mismatch(
        what,
        show(x),
        show(y),
        output,
        where,
        count,
        int(a.size),
        error if error is not None and np.isfinite(error) else None,
        float(allowed[where]) if allowed is not None else None,
    )


def show(value: Any) -> str:
    """One element, with all digits that tell it from its neighbours."""
    kind = getattr(getattr(value, "dtype", None), "kind", "")
    if kind in "fV" and kind:
        digits = {2: 5, 4: 9, 8: 17}.get(value.dtype.itemsize, 3)
        return f"{float(value):.{digits}g}"
    return str(value)


def per_tensor(bounds: Bounds) -> Bounds:
    """Bounds for another formula, as a kernel's: what one element may, all of its tensor may."""

    def wide(bound: Bound | None) -> Bound | None:
        if bound is None or not bound.radius.size:
            return bound
        most = bound.radius[np.isfinite(bound.radius)].max(initial=0.0)
        return replace(bound, radius=np.full(bound.radius.shape, most))

    return Bounds([wide(b) for b in bounds.outputs])


def _plain_bound(a: Array, dtype: str | None) -> Bound:
    unit = max(unit_of(a.dtype), 0.0 if dtype is None else unit_named(dtype))
    if a.dtype.kind == "c":
        a = parts_of(a)
    with np.errstate(all="ignore"):
        wide = a.astype(np.float64)
        finite = np.abs(wide[np.isfinite(wide)])
        top = float(finite.max()) if finite.size else 0.0
    return Bound(wide, np.full(a.shape, PLAIN * unit * top), (), dtype)


__all__ = [
    "Bound",
    "Bounds",
    "Mismatch",
    "compare_values",
    "f64_bound",
    "per_tensor",
    "precision_dtype",
    "same_bits",
    "show",
    "weakest",
]
