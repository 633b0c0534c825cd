"""Kernels of the operators on lists of tensors, on ND: for each place of the lists the kernel of
the operator on single tensors where there is one, in the dtype in which it computes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.kernels.refusal import Refusal
from runtime.kernels.registry import AICPU, Call, View, find_kernel, kernel
from runtime.kernels.unary import convert
from runtime.kernels.views import exact, logical, store, wide

_PLAIN = {"base": -1.0, "scale": 1.0, "shift": 0.0}
#: Operator on lists -> operator on single tensors and its attributes.
_SAME: dict[str, tuple[str, dict[str, Any]]] = {
    **{
        name: (name, _PLAIN if name in ("Exp", "Log") else {})
        for name in (
            "Abs Acos Asin Atan Cos Cosh Erf Exp Expm1 Log Log1p Neg Reciprocal Sigmoid Sign Sin "
            "Sinh Sqrt Tan Tanh"
        ).split()
    },
    "Log2": ("Log", {**_PLAIN, "base": 2.0}),
    "Log10": ("Log", {**_PLAIN, "base": 10.0}),
}
_PAIRS = {
    "Mul": "Mul",
    "Div": "RealDiv",
    "Maximum": "Maximum",
    "Minimum": "Minimum",
    "Pow": "Pow",
}
_ROUND = {1: "Rint", 2: "Floor", 3: "Ceil", 5: "Trunc"}


def _view(array: np.ndarray) -> View:
    return View(array, array.shape)


def _run(op: str, operands: Sequence[np.ndarray], out: View, attrs: dict[str, Any]) -> None:
    """One place: the kernel of a single operator, rounded to the dtype of the result."""
    found = find_kernel(op, AICPU, ["ND"] * (len(operands) + 1))
    assert found is not None, op
    like = next(a for a in operands if a.shape == out.shape)
    made = np.empty(out.shape, like.dtype)
    found.function(Call([_view(a) for a in operands], [_view(made)], attrs))
    store(out, convert(made, out.data.dtype))


def _tensors(call: Call, index: int) -> list[np.ndarray]:
    """The tensors of a list in the dtype they are computed in."""
    return [wide(logical(v)) for v in call.many(index)]


def _number(value: np.ndarray, like: np.ndarray) -> np.ndarray:
    return convert(value.reshape(()), like.dtype)


def _numbers(call: Call, index: int, count: int) -> list[np.ndarray]:
    """A number for each place, from a vector or from one number."""
    values = logical(call.arg(index)).reshape(-1)
    if len(values) == 1:
        return [values[:1]] * count
    if len(values) != count:
        raise Refusal("the numbers do not fit", code="GX-221", found=len(values), expected=count)
    return [values[i : i + 1] for i in range(count)]


def _save(out: View, value: np.ndarray) -> None:
    whole = out.data.dtype.kind in "iu"
    store(out, value.astype(out.data.dtype) if whole else convert(value, out.data.dtype))


# ------------------------------------------------------------------------------ one list


def _single(name: str, op: str, attrs: dict[str, Any]) -> None:
    @kernel(f"Foreach{name}")
    def each(call: Call) -> None:
        for x, out in zip(_tensors(call, 0), call.outs, strict=True):
            _run(op, [x], out, attrs)


for _name, (_op, _attrs) in _SAME.items():
    _single(_name, _op, _attrs)


@kernel("ForeachErfc")
def foreach_erfc(call: Call) -> None:
    """By the C library, number by number."""
    for x, out in zip(_tensors(call, 0), call.outs, strict=True):
        flat = np.fromiter((math.erfc(v) for v in x.reshape(-1)), np.float64, x.size)
        _save(out, flat.reshape(x.shape))


@kernel("ForeachCopy")
def foreach_copy(call: Call) -> None:
    """Copies the memory of each."""
    for x, out in zip(call.many(0), call.outs, strict=True):
        store(out, logical(x))


@kernel("ForeachNorm")
def foreach_norm(call: Call) -> None:
    """LpNorm over all axes of each; a scalar has one of size 1."""
    p = float(call.arg(1).data.reshape(-1)[0])
    if np.isnan(p):
        order = logical(call.arg(1)).tolist()
        raise Refusal("the order of the norm is no number", found=order)
    for x, out in zip(_tensors(call, 0), call.outs, strict=True):
        found = find_kernel("LpNorm", AICPU, ["ND", "ND"])
        assert found is not None
        made = np.empty((), x.dtype)
        attrs = {"p": p, "axes": (0,), "keepdim": False, "epsilon": 0.0}
        found.function(Call([_view(x.reshape(-1))], [_view(made)], attrs))
        _save(out, made)


@kernel("ForeachRoundOffNumber")
def foreach_round_off_number(call: Call) -> None:
    """Half is added away from 0 in double precision, where it is exact."""
    mode = int(call.arg(1).data.reshape(-1)[0])
    if mode != 4 and mode not in _ROUND:
        raise Refusal("roundMode is not supported", found=mode, expected="1 … 5")
    for x, out in zip(_tensors(call, 0), call.outs, strict=True):
        if mode == 4:
            long = x.astype(np.float64)
            _save(out, np.trunc(long + np.copysign(0.5, long)))
        else:
            _run(_ROUND[mode], [x], out, {})


# ------------------------------------------------------------------------------ two lists


def _scaled(sign: int) -> Callable[[Call], None]:
    def each(call: Call) -> None:
        """x1 ± alpha · x2; the number alone where there is no second list."""
        several = isinstance(call.args[1], list)
        others = [exact(x) for x in _tensors(call, 1)] if several else None
        at = 2 if several else 1
        factors = _numbers(call, at, len(call.outs))
        for i, (x, out) in enumerate(zip(_tensors(call, 0), call.outs, strict=True)):
            value = exact(_number(factors[i], x))
            if others is not None:
                value = value * others[i]
            _save(out, exact(x) + sign * value)

    return each


for _name, _sign in (("Add", 1), ("Sub", -1)):
    kernel(f"Foreach{_name}Scalar", f"Foreach{_name}ScalarList", f"Foreach{_name}List")(
        _scaled(_sign)
    )


def _pair(name: str, op: str) -> None:
    @kernel(f"Foreach{name}Scalar", f"Foreach{name}ScalarList")
    def by_numbers(call: Call) -> None:
        values = _numbers(call, 1, len(call.outs))
        for x, value, out in zip(_tensors(call, 0), values, call.outs, strict=True):
            _run(op, [x, _number(value, x)], out, {})

    @kernel(f"Foreach{name}List")
    def by_tensors(call: Call) -> None:
        for a, b, out in zip(_tensors(call, 0), _tensors(call, 1), call.outs, strict=True):
            _run(op, [a, b], out, {})


for _name, _op in _PAIRS.items():
    _pair(_name, _op)


@kernel("ForeachPowScalarAndTensor")
def foreach_pow_scalar_and_tensor(call: Call) -> None:
    """Pow with the number first."""
    for x, out in zip(_tensors(call, 1), call.outs, strict=True):
        _run("Pow", [_number(logical(call.arg(0)), x), x], out, {})


# ------------------------------------------------------------------------- three lists


def _three(name: str, function: Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]) -> None:
    @kernel(f"Foreach{name}Scalar", f"Foreach{name}ScalarList", f"Foreach{name}List")
    def each(call: Call) -> None:
        lists = (_tensors(call, i) for i in range(3))
        values = _numbers(call, 3, len(call.outs))
        with np.errstate(all="ignore"):
            for base, a, b, value, out in zip(*lists, values, call.outs, strict=True):
                factor = exact(_number(value, base))
                _save(out, function(exact(a), exact(b), factor) + exact(base))


_three("Addcdiv", lambda a, b, factor: a * factor / b)
_three("Addcmul", lambda a, b, factor: a * b * factor)


@kernel("ForeachLerpScalar", "ForeachLerpList")
def foreach_lerp(call: Call) -> None:
    """Back from the start by a share of what start is above end."""
    if isinstance(call.args[2], list):
        weights = [exact(w) for w in _tensors(call, 2)]
    else:
        weights = [exact(v) for v in _numbers(call, 2, len(call.outs))]
    lists = zip(_tensors(call, 0), _tensors(call, 1), weights, call.outs, strict=True)
    with np.errstate(all="ignore"):
        for x1, x2, weight, out in lists:
            start, end = exact(x1), exact(x2)
            share = weight.reshape(()) if weight.size == 1 else weight
            _save(out, start - (start - end) * share)
