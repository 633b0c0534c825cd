"""Comparing values under what a pass promises about them.

``exact``: every bit counts, NaN places and the sign of zero included (not the payload of a NaN).

``reassociates``: a result may differ as far as rounding in another order may lead. The bound is
computed for each element, from the graph before the pass: e = |run - f64 shadow|, and s = the
spread of shadow runs in which every float value is moved by up to half a unit in the last place
of its own dtype, up or down at random (Monte Carlo arithmetic, after Parker 1997). Accepted is
|found - shadow| <= 16 max(e, s) + 4 ulp. The spread sees cancellation where e is small by luck.

``precision(dtype)``: the same with the half unit, and the ulp, of the lower dtype.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ge_dialect.semantics.context import Ref, State

if TYPE_CHECKING:
    from ge_dialect.ir.base import GeOp

Array = np.ndarray[Any, Any]

#: Shares of the bound: times the measured error, and units in the last place beside it.
FACTOR = 16.0
ULPS = 4.0
#: Perturbed shadow runs behind a bound, in pairs with opposite signs: what a Relu or Maximum hides
#: of one, the other shows.
SAMPLES = 8
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


@dataclass(frozen=True)
class Bound:
    """What a value may be: `shadow` is the f64 value, `radius` the allowed distance from it.

    For integers and bools `shadow` is the exact run's value and `others` what perturbed runs gave
    instead; the radius is 0. dtype: the precision promised (GE name), None for the value's own.
    """

    shadow: Array
    radius: Array
    others: tuple[Array, ...] = ()
    dtype: str | None = None


@dataclass
class Bounds:
    """Bounds of a graph's outputs, in order, and of its nodes' results by node name."""

    outputs: list[Bound | None]
    values: dict[str, list[Bound | None]] = field(default_factory=dict)


def precision_dtype(contract_values: str) -> str | None:
    """The dtype of a ``precision(dtype)`` promise, None for the others."""
    match = re.fullmatch(r"precision\((\w+)\)", contract_values)
    return match.group(1) if match else None


def weakest(promises: Sequence[str]) -> str:
    """One promise that a sequence of passes keeps together."""
    lowest = [p for p in promises if precision_dtype(p)]
    if lowest:
        return max(lowest, key=lambda p: _unit(precision_dtype(p)))
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
    left = list(expected) if isinstance(expected, list | tuple) else [expected]
    right = list(found) if isinstance(found, list | tuple) else [found]
    if len(left) != len(right):
        return Mismatch("count", f"{len(left)} values", f"{len(right)} values")
    if isinstance(bound, Bounds):
        bound = bound.outputs
    bounds = list(bound) if isinstance(bound, list | tuple) else [bound] * len(left)
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
    if promise == "exact" or not _is_float(a.dtype):
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
    if _is_float(a.dtype):
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
        a, b = _parts(a), _parts(b)
    shadow = bound.shadow
    if shadow.dtype.kind == "c":
        shadow = _parts(shadow)
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
        allowed = np.where(lost, _ulp(x, dtype, bound.dtype), allowed)
        distance = np.abs(y - center)
        good = distance <= allowed
        good |= (y == x) | (np.isnan(x) & np.isnan(y))
        # the result may leave the range of its dtype where the true value is about to
        top = _largest(dtype, bound.dtype)
        near = np.abs(center) + allowed >= top
        good |= np.isinf(y) & near & (np.sign(y) == np.sign(center))
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
    if numeric and _is_float(a.dtype):
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


# --------------------------------------------------------------------------------------- bounds


def f64_bound(
    model: Any,
    inputs: Any,
    *,
    dtype: str | None = None,
    graph: str | None = None,
    keep: Any = None,
    seed: int = 0,
) -> Bounds:
    """How far the values of a graph may move when its arithmetic is done in another order.

    model, inputs, graph, keep, seed: as for `ge_dialect.evaluate`. dtype: the precision that is
    promised (GE name) where it is lower than that of the values. Costs `SAMPLES` + 2 runs.
    Raises GeError as `evaluate` does.
    """
    from ge_dialect.api import evaluate

    def run(**options: Any) -> Any:
        return evaluate(model, inputs, graph=graph, keep=keep, seed=seed, state=State(), **options)

    plain = run()
    shadow = run(compute_dtype=np.float64)
    moved = [
        run(
            compute_dtype=np.float64, around=_Perturb(seed * SAMPLES + i // 2, dtype, i % 2 * 2 - 1)
        )
        for i in range(SAMPLES)
    ]
    outputs = _bounds(plain.outputs, shadow.outputs, [m.outputs for m in moved], dtype)
    values = {
        name: _bounds(held, shadow.values[name], [m.values[name] for m in moved], dtype)
        for name, held in plain.values.items()
        if name in shadow.values and all(name in m.values for m in moved)
    }
    return Bounds(outputs, values)


def _bounds(
    plain: Sequence[Any], shadow: Sequence[Any], moved: Sequence[Sequence[Any]], dtype: str | None
) -> list[Bound | None]:
    out: list[Bound | None] = []
    for i, (run, exact) in enumerate(zip(plain, shadow, strict=True)):
        out.append(_bound(_held(run), _held(exact), [_held(m[i]) for m in moved], dtype))
    return out


def _held(value: Any) -> Any:
    return value.value if isinstance(value, Ref) else value


def _bound(run: Any, shadow: Any, moved: list[Any], dtype: str | None) -> Bound | None:
    if run is None or shadow is None or run.shape != shadow.shape or run.dtype.kind in "OSU":
        return None
    if not _is_float(run.dtype):
        others = tuple(m for m in moved if m.shape == shadow.shape)
        return Bound(shadow, np.zeros(()), others, dtype)
    dtype_of_run = run.dtype
    if shadow.dtype.kind == "c":
        shadow, run = _parts(shadow), _parts(run)
        moved = [_parts(m) for m in moved]
    with np.errstate(all="ignore"):
        wide = run.astype(np.float64)
        radius = np.abs(wide - shadow)
        radius = np.where(np.isfinite(radius), radius, 0.0)
        for m in moved:
            if m.shape != shadow.shape:
                continue
            distance = np.abs(m - shadow)
            radius = np.maximum(radius, np.where(np.isfinite(distance), distance, 0.0))
        radius = FACTOR * radius + _ulp(shadow, dtype_of_run, dtype)
    return Bound(shadow, radius, (), dtype)


class _Perturb:
    """Moves every float value of a shadow run by half a unit in the last place of its dtype."""

    def __init__(self, seed: int, dtype: str | None, sign: int) -> None:
        self.sign = sign
        self.random = np.random.default_rng(seed)
        self.unit = 0.0 if dtype is None else _unit(dtype)
        #: inputs already moved, by identity; the originals are kept alive
        self.inputs: dict[int, tuple[Array, Array]] = {}
        self.mine: dict[int, Array] = {}

    def __call__(self, op: GeOp, name: str, args: list[Any], run: Any) -> list[Any]:
        types = iter(op.ge_data_operands)
        given: list[Any] = []
        for a in args:
            if isinstance(a, list):
                given.append([self._argument(v, next(types).type) for v in a])
            else:
                given.append(a if a is None else self._argument(a, next(types).type))
        results = [
            self._move(r, t.type) for r, t in zip(run(given), op.ge_data_results, strict=True)
        ]
        self.mine.update((id(r), r) for r in results if isinstance(r, np.ndarray))
        return results

    def _argument(self, value: Any, type_: Any) -> Any:
        if not isinstance(value, np.ndarray) or id(value) in self.mine:
            return value
        found = self.inputs.get(id(value))
        if found is None:
            found = self.inputs[id(value)] = (value, self._move(value, type_))
            self.mine[id(found[1])] = found[1]
        return found[1]

    def _move(self, value: Any, type_: Any) -> Any:
        if not isinstance(value, np.ndarray) or value.dtype != np.float64:
            return value
        from ge_dialect.dtypes import ge_name
        from ge_dialect.ir.types import elem_of

        unit = max(self.unit, _unit(ge_name(elem_of(type_))))
        # not just +1 and -1: the same sign twice would hide a difference of two values
        step = self.random.uniform(0.5, 1.0, value.shape) * self.sign
        step *= self.random.integers(0, 2, value.shape) * 2 - 1
        return np.asarray(value * (1.0 + unit * step))


def _plain_bound(a: Array, dtype: str | None) -> Bound:
    unit = max(_unit_of(a.dtype), 0.0 if dtype is None else _unit(dtype))
    if a.dtype.kind == "c":
        a = _parts(a)
    with np.errstate(all="ignore"):
        wide = a.astype(np.float64)
        finite = np.abs(wide[np.isfinite(wide)])
        top = float(finite.max()) if finite.size else 0.0
    return Bound(wide, np.full(a.shape, PLAIN * unit * top), (), dtype)


# --------------------------------------------------------------------------------------- dtypes


def _is_float(dtype: np.dtype[Any]) -> bool:
    """Floats and complex numbers, ml_dtypes' included."""
    if dtype.kind in "fc":
        return True
    if dtype.kind != "V":
        return False
    from ge_dialect.semantics.numerics import kind

    return kind(dtype) == "f"


def _parts(value: Array) -> Array:
    """Real and imaginary parts along a new last axis."""
    return np.stack([value.real, value.imag], axis=-1).astype(np.float64)


def _info(dtype: np.dtype[Any]) -> Any:
    import ml_dtypes

    if dtype.kind == "c":
        dtype = np.dtype(f"f{dtype.itemsize // 2}")
    return ml_dtypes.finfo(dtype)


def _unit_of(dtype: np.dtype[Any]) -> float:
    """Half a unit in the last place of 1."""
    if not _is_float(dtype):
        return 0.0
    return float(_info(dtype).eps) / 2


def _unit(name: str | None) -> float:
    if name is None:
        return 0.0
    from ge_dialect.dtypes import numpy_dtype, to_xdsl

    try:
        return _unit_of(np.dtype(numpy_dtype(to_xdsl(name))))
    except ValueError:  # a type without values
        return 0.0


def _ulp(center: Array, dtype: np.dtype[Any], lower: str | None) -> Array:
    """ULPS units in the last place of each element."""
    info = _info(np.dtype(dtype))
    unit = max(_unit_of(np.dtype(dtype)), _unit(lower))
    small = float(info.smallest_subnormal)
    return ULPS * np.maximum(2.0 * unit * np.abs(center), small)


def _largest(dtype: np.dtype[Any], lower: str | None) -> float:
    top = float(_info(np.dtype(dtype)).max)
    if lower is not None:
        from ge_dialect.dtypes import numpy_dtype, to_xdsl

        top = min(top, float(_info(np.dtype(numpy_dtype(to_xdsl(lower)))).max))
    return top


__all__ = [
    "Bound",
    "Bounds",
    "Mismatch",
    "compare_values",
    "f64_bound",
    "precision_dtype",
    "same_bits",
    "show",
    "weakest",
]
