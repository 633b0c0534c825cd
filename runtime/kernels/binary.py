"""Elementwise kernels of several tensors with numpy's broadcast rule, on layouts that line up."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from runtime.kernels.registry import Call, View, kernel
from runtime.kernels.unary import complex_of, scalar
from runtime.kernels.views import (
    align,
    clear_padding,
    dims,
    is_float,
    is_narrow,
    logical,
    same_storage,
    store,
    wide,
)


def combine(
    views: Sequence[View], out: View, function: Callable[..., np.ndarray], *, zero: bool
) -> None:
    """`function` of the operands, in storage where that is possible, else on logical values.

    `zero`: the function of zeros is zero, so that padding stays zero when all operands have the
    shape of the result.
    """
    arrays = align(views, out)
    with np.errstate(all="ignore"):
        if arrays is None:
            store(out, function(*(wide(logical(v)) for v in views)))
            return
        target = out.data if len(views[0].shape) else out.data.reshape(out.shape)
        fast = isinstance(function, np.ufunc) and not is_narrow(arrays[0].dtype)
        if fast and arrays[0].dtype == target.dtype:
            function(*arrays, out=target)
        else:
            target[...] = function(*(wide(a) for a in arrays))
    if not (zero and same_storage([*views, out])):
        clear_padding(out)


def _subtract(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.not_equal(a, b) if a.dtype.kind == "b" else np.subtract(a, b)


def _divide(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """True division of floats; integers truncate towards zero, by zero gives 0."""
    if is_float(a.dtype) or a.dtype.kind == "c":
        return a / b
    return _truncate(a, b)


def _truncate(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    if is_float(a.dtype):
        return np.trunc(a / b)
    safe = np.where(b == 0, 1, b)
    quotient = a // safe
    inexact = (quotient * safe != a) & ((a < 0) != (safe < 0))
    return np.where(b == 0, 0, quotient + inexact).astype(a.dtype)


def _no_nan(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.where(
        b == 0, np.zeros((), a.dtype), _divide(a, np.where(b == 0, 1, b).astype(b.dtype))
    )


def _floor_div(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    if is_float(a.dtype):
        return np.floor(a / b)
    return np.where(b == 0, 0, a // np.where(b == 0, 1, b)).astype(a.dtype)


def _floor_mod(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    if is_float(a.dtype):
        return np.mod(a, b)
    return np.where(b == 0, 0, np.mod(a, np.where(b == 0, 1, b))).astype(a.dtype)


def _mod(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    if is_float(a.dtype):
        return np.fmod(a, b)
    return np.where(b == 0, 0, np.fmod(a, np.where(b == 0, 1, b))).astype(a.dtype)


def _pow(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    if is_float(a.dtype):
        powers = np.power(a, b)
        # minus infinity has no sign under a fractional power: numpy's loops disagree on it
        lost = (a == -np.inf) & (np.abs(b) < np.inf) & (np.floor(b) != b)
        if lost.any():
            powers = np.where(lost, np.abs(a).astype(a.dtype) ** np.sign(b), powers)
        return powers.astype(a.dtype)
    if a.dtype.kind == "c":
        return np.power(a, b)
    if np.all(b >= 0):
        return np.power(a, b)
    # Integers to a negative power: 1 and -1 stay units, all else rounds to 0.
    units = np.where(np.abs(a) == 1, np.where((b % 2 == 0) | (a == 1), 1, -1), 0)
    return np.where(b < 0, units, np.power(a, np.maximum(b, 0))).astype(a.dtype)


def _squared_difference(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    d = a - b
    return d * d


def _atan2(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The angle of a complex number, in float64."""
    out = np.angle(complex_of(b, a, np.dtype(np.complex128)))
    return np.where(np.isnan(a) | np.isnan(b), np.nan, out).astype(a.dtype)


_BINARY: dict[str, tuple[Callable[..., np.ndarray], bool]] = {
    "Add": (np.add, True),
    "Sub": (_subtract, True),
    "Mul": (np.multiply, True),
    "Div": (_divide, False),
    "RealDiv": (_divide, False),
    "DivNoNan": (_no_nan, True),
    "FloorDiv": (_floor_div, False),
    "TruncateDiv": (_truncate, False),
    "FloorMod": (_floor_mod, False),
    "Mod": (_mod, False),
    "Pow": (_pow, False),
    "Maximum": (np.maximum, True),
    "Minimum": (np.minimum, True),
    "SquaredDifference": (_squared_difference, True),
    "Equal": (np.equal, False),
    "NotEqual": (np.not_equal, True),
    "Greater": (np.greater, True),
    "GreaterEqual": (np.greater_equal, False),
    "Less": (np.less, True),
    "LessEqual": (np.less_equal, False),
    "LogicalAnd": (np.logical_and, True),
    "LogicalOr": (np.logical_or, True),
    "Atan2": (_atan2, False),
    "BitwiseAnd": (np.bitwise_and, True),
    "BitwiseOr": (np.bitwise_or, True),
    "BitwiseXor": (np.bitwise_xor, True),
}


def _register(name: str, function: Callable[..., np.ndarray], zero: bool) -> None:
    @kernel(name, layouts="*")
    def run(call: Call) -> None:
        x1, x2, out = call.arg(0), call.arg(1), call.outs[0]
        if x1.data.dtype == x2.data.dtype:
            combine([x1, x2], out, function, zero=zero)
            return
        common = wide(
            np.empty(0, out.data.dtype)
        ).dtype  # operands of two dtypes meet in the result's

        def meet(a: np.ndarray, b: np.ndarray) -> np.ndarray:
            return function(a.astype(common), b.astype(common))

        combine([x1, x2], out, meet, zero=zero)


for _name, (_function, _zero) in _BINARY.items():
    _register(_name, _function, _zero)


@kernel("Axpy", layouts="*")
def axpy(call: Call) -> None:
    """x1 + alpha * x2."""
    alpha = float(call.attrs["alpha"])
    combine(
        [call.arg(0), call.arg(1)],
        call.outs[0],
        lambda a, b: a + b * scalar(alpha, a),
        zero=True,
    )


@kernel("FusedMulAdd", layouts="*")
def fused_mul_add(call: Call) -> None:
    """x1 * x2 + x3, rounded once for 16-bit floats."""
    views = [call.arg(0), call.arg(1), call.arg(2)]
    combine(views, call.outs[0], lambda a, b, c: a * b + c, zero=True)


@kernel("AddN", "AccumulateNV2", layouts="*")
def add_n(call: Call) -> None:
    """Sum of equally shaped tensors, from the first to the last."""

    def total(first: np.ndarray, *rest: np.ndarray) -> np.ndarray:
        result = first.copy()
        for array in rest:
            result = result + array
        return result

    combine(call.many(0), call.outs[0], total, zero=True)


@kernel("Select", layouts="*")
def select(call: Call) -> None:
    """x1 where the condition holds, else x2; a rank-1 condition chooses whole rows."""
    condition, x1, x2 = call.arg(0), call.arg(1), call.arg(2)
    if len(condition.shape) == 1 and len(x1.shape) > 1:
        mask = logical(condition).reshape(-1, *([1] * (len(x1.shape) - 1)))
        store(call.outs[0], np.where(mask, logical(x1), logical(x2)))
        return
    select_v2(call)


@kernel("SelectV2", layouts="*")
def select_v2(call: Call) -> None:
    """x1 where the condition holds, else x2, all three stretched to each other."""
    condition, x1, x2, out = call.arg(0), call.arg(1), call.arg(2), call.outs[0]
    arrays = align([condition, x1, x2], out)
    if arrays is None:
        store(out, np.where(logical(condition), logical(x1), logical(x2)))
        return
    out.data[...] = np.where(*arrays).reshape(out.data.shape)
    clear_padding(out)


@kernel("BiasAdd", layouts="*")
def bias_add(call: Call) -> None:
    """Add one value per channel; the bias is a rank-1 ND tensor."""
    x, bias, out = call.arg(0), call.arg(1), call.outs[0]
    values = wide(logical(bias))
    if x.format == "NC1HWC0" and len(x.shape) == 4:
        lanes = channel_lanes(x, values)
        out.data[...] = wide(x.data) + lanes
        clear_padding(out)
        return
    axis = _channel_axis(x, str(call.attrs.get("data_format", "NHWC")))
    shape = [1] * len(x.shape)
    shape[axis] = values.shape[0]
    store(out, wide(logical(x)) + values.reshape(shape))


def _channel_axis(x: View, data_format: str) -> int:
    if len(x.shape) <= 2 or not data_format.startswith("NC"):
        return len(x.shape) - 1
    return 1


def channel_lanes(x: View, values: np.ndarray, fill: float = 0.0) -> np.ndarray:
    """Per-channel values as [1, C1, 1, 1, C0], to broadcast over an NC1HWC0 view."""
    (channels,) = dims(x, "C")
    c1, c0 = x.data.shape[1], x.data.shape[4]
    lanes = np.full(c1 * c0, fill, values.dtype)
    lanes[:channels] = values
    return lanes.reshape(1, c1, 1, 1, c0)


@kernel("BroadcastTo", layouts="ND")
def broadcast_to(call: Call) -> None:
    """Expand x to the shape of the result."""
    x, out = call.arg(0), call.outs[0]
    store(out, np.broadcast_to(logical(x), out.shape))
