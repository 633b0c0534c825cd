"""How far values may move when arithmetic is done in another order: bounds from f64 shadow runs.

The bound of `passes.testing.compare` is made here: e = |run - shadow|, the spread s of shadow runs
in which every value is moved a little, and which elements depend on values near the range's end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ge_dialect.containers import is_list
from ge_dialect.semantics.context import Ref, State

if TYPE_CHECKING:
    from typing_extensions import TypeIs

    from ge_dialect.ir.base import GeOp

Array = np.ndarray[Any, Any]

#: Shares of the bound: times the measured error, and units in the last place beside it.
FACTOR = 16.0
ULPS = 4.0
#: Perturbed shadow runs behind a bound, in pairs with opposite signs: what a Relu or Maximum hides
#: of one, the other shows.
SAMPLES = 8
#: A value of this share of its dtype's largest number may overflow in a sum.
MARGIN = 64.0


@dataclass(frozen=True)
class Bound:
    """What a value may be: `shadow` is the f64 value, `radius` the allowed distance from it.

    For integers and bools `shadow` is the exact run's value and `others` what perturbed runs gave
    instead; the radius is 0. dtype: the precision promised (GE name), None for the value's own.
    tainted: elements that depend on values so large that sums of them may overflow in one order and
    not in another, or that are infinite or NaN in some of the runs only, so that infinities and NaN
    among them prove nothing.
    """

    shadow: Array
    radius: Array
    others: tuple[Array, ...] = ()
    dtype: str | None = None
    tainted: Array | None = None


@dataclass
class Bounds:
    """Bounds of a graph's outputs, in order, and of its nodes' results by node name."""

    outputs: list[Bound | None]
    values: dict[str, list[Bound | None]] = field(default_factory=dict)


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
    promised (GE name) where it is lower than that of the values. Costs `SAMPLES` + 3 runs.
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
    moved.append(run(compute_dtype=np.float64, around=_Taint(dtype)))
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


def is_array(value: object) -> TypeIs[Array]:
    """Whether a value is an array of any dtype."""
    return isinstance(value, np.ndarray)


def _held(value: Any) -> Any:
    return value.value if isinstance(value, Ref) else value


def _bound(run: Any, shadow: Any, moved: list[Any], dtype: str | None) -> Bound | None:
    if run is None or shadow is None or run.shape != shadow.shape or run.dtype.kind in "OSU":
        return None
    if not is_float(run.dtype):
        others = tuple(m for m in moved[:-1] if m.shape == shadow.shape)
        return Bound(shadow, np.zeros(()), others, dtype)
    dtype_of_run = run.dtype
    if shadow.dtype.kind == "c":
        shadow, run = parts_of(shadow), parts_of(run)
        moved = [parts_of(m) for m in moved]
    with np.errstate(all="ignore"):
        wide = run.astype(np.float64)
        radius = np.abs(wide - shadow)
        radius = np.where(np.isfinite(radius), radius, 0.0)
        *moved, taint = moved
        tainted = np.isnan(taint) & ~np.isnan(shadow) if taint.shape == shadow.shape else None
        for m in moved:
            if m.shape != shadow.shape:
                continue
            if tainted is not None and not np.isfinite(m).all():
                # 0 * inf in one run is a tiny number * inf in another
                tainted = tainted | ~_same_kind(m, shadow)
            distance = np.abs(m - shadow)
            radius = np.maximum(radius, np.where(np.isfinite(distance), distance, 0.0))
        radius = FACTOR * radius + ulp_of(shadow, dtype_of_run, dtype)
    return Bound(shadow, radius, (), dtype, tainted)


def _same_kind(a: Array, b: Array) -> Array:
    """Where two f64 arrays are both finite, both NaN, or the same infinity."""
    same = (np.isnan(a) & np.isnan(b)) | (np.isfinite(a) & np.isfinite(b))
    return np.asarray(same | ((a == b) & np.isinf(a)))


class _Shadow:
    """Changes every float value of a shadow run, inputs as well as results."""

    #: Of a lower precision that is promised, half a unit in the last place of 1.
    unit = 0.0

    def __init__(self) -> None:
        #: inputs already moved, by identity; the originals are kept alive
        self.inputs: dict[int, tuple[Array, Array]] = {}
        self.mine: dict[int, Array] = {}

    def __call__(self, op: GeOp, name: str, args: list[Any], run: Any) -> list[Any]:
        types = iter(op.ge_data_operands)
        given: list[Any] = []
        for a in args:
            if is_list(a):
                given.append([self._argument(v, next(types).type) for v in a])
            else:
                given.append(a if a is None else self._argument(a, next(types).type))
        if op.name == "ge.Pow":
            given[1] = self._whole(given[1], op.ge_data_operands[1].type)
        results = [
            self._move(r, t.type) for r, t in zip(run(given), op.ge_data_results, strict=True)
        ]
        self.mine.update((id(r), r) for r in results if is_array(r))
        return results

    def _argument(self, value: Any, type_: Any) -> Any:
        if not is_array(value) or id(value) in self.mine:
            return value
        found = self.inputs.get(id(value))
        if found is None:
            found = self.inputs[id(value)] = (value, self._move(value, type_))
            self.mine[id(found[1])] = found[1]
        return found[1]

    def _move(self, value: Any, type_: Any) -> Any:
        if not is_array(value) or value.dtype != np.float64:
            return value
        from ge_dialect.dtypes import ge_name
        from ge_dialect.ir.types import elem_of

        return self.change(value, ge_name(elem_of(type_)))

    def _whole(self, exponent: Any, type_: Any) -> Any:
        """An exponent without what moved it off a whole number, where a negative base gives NaN."""
        if not is_array(exponent) or exponent.dtype != np.float64:
            return exponent
        from ge_dialect.dtypes import ge_name
        from ge_dialect.ir.types import elem_of

        unit = max(self.unit, unit_named(ge_name(elem_of(type_))))
        near = np.rint(exponent)
        return np.where(np.abs(exponent - near) <= unit * np.abs(near), near, exponent)

    def change(self, value: Array, dtype: str) -> Array:
        """The value that stands for an f64 array of a node's declared dtype."""
        raise NotImplementedError


class _Perturb(_Shadow):
    """Moves values by up to half a unit in the last place of their dtype."""

    def __init__(self, seed: int, dtype: str | None, sign: int) -> None:
        super().__init__()
        self.sign = sign
        self.random = np.random.default_rng(seed)
        self.unit = 0.0 if dtype is None else unit_named(dtype)

    def change(self, value: Array, dtype: str) -> Array:
        """Up or down at random."""
        unit = max(self.unit, unit_named(dtype))
        # not just +1 and -1: the same sign twice would hide a difference of two values
        size: tuple[int, ...] = value.shape
        step = self.random.uniform(0.5, 1.0, size) * self.sign
        step *= self.random.integers(0, 2, size) * 2 - 1
        return np.asarray(value * (1.0 + unit * step))


class _Taint(_Shadow):
    """Makes NaN of finite values near the end of their dtype's range; NaN goes where they go."""

    def __init__(self, lower: str | None) -> None:
        super().__init__()
        self.lower = lower

    def change(self, value: Array, dtype: str) -> Array:
        """NaN from a `MARGIN`-th of the largest number on."""
        from ge_dialect.dtypes import numpy_dtype, to_xdsl

        top = largest_of(np.dtype(numpy_dtype(to_xdsl(dtype))), self.lower)
        huge = np.isfinite(value) & (np.abs(value) >= top / MARGIN)
        return np.where(huge, np.nan, value) if huge.any() else value


# --------------------------------------------------------------------------------------- dtypes


def is_float(dtype: np.dtype[Any]) -> bool:
    """Floats and complex numbers, ml_dtypes' included."""
    if dtype.kind in "fc":
        return True
    if dtype.kind != "V":
        return False
    from ge_dialect.semantics.numerics import kind

    return kind(dtype) == "f"


def parts_of(value: Array) -> Array:
    """Real and imaginary parts along a new last axis."""
    return np.stack([value.real, value.imag], axis=-1).astype(np.float64)


def limits_of(dtype: np.dtype[Any]) -> np.finfo[Any]:
    """The limits of a float dtype, ml_dtypes' included; of the parts of a complex one."""
    import ml_dtypes

    if dtype.kind == "c":
        dtype = np.dtype(f"f{dtype.itemsize // 2}")
    return cast("np.finfo[Any]", ml_dtypes.finfo(dtype))  # it has all that numpy's has


def unit_of(dtype: np.dtype[Any]) -> float:
    """Half a unit in the last place of 1."""
    if not is_float(dtype):
        return 0.0
    return float(limits_of(dtype).eps) / 2


def unit_named(name: str | None) -> float:
    if name is None:
        return 0.0
    from ge_dialect.dtypes import numpy_dtype, to_xdsl

    try:
        return unit_of(np.dtype(numpy_dtype(to_xdsl(name))))
    except ValueError:  # a type without values
        return 0.0


def ulp_of(center: Array, dtype: np.dtype[Any], lower: str | None) -> Array:
    """ULPS units in the last place of each element."""
    info = limits_of(np.dtype(dtype))
    unit = max(unit_of(np.dtype(dtype)), unit_named(lower))
    small = float(info.smallest_subnormal)
    return ULPS * np.maximum(2.0 * unit * np.abs(center), small)


def largest_of(dtype: np.dtype[Any], lower: str | None) -> float:
    top = float(limits_of(np.dtype(dtype)).max)
    if lower is not None:
        from ge_dialect.dtypes import numpy_dtype, to_xdsl

        top = min(top, float(limits_of(np.dtype(numpy_dtype(to_xdsl(lower)))).max))
    return top
