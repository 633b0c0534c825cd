"""ONNX exports: Ascend's quantising operators, by their definition."""

from __future__ import annotations

from ge_dialect.dtypes import ge_name
from ge_dialect.exporters.onnx_node import Out
from ge_dialect.exporters.onnx_rules import Results, export
from ge_dialect.exporters.onnx_tensor import onnx_number
from ge_dialect.exporters.onnx_values import NoCounterpart, Val
from ge_dialect.ir.types import elem_of

_ROUND = {"round": "Round", "rint": "Round", "floor": "Floor", "ceil": "Ceil"}
#: Ranges of the targets.
_RANGE = {
    "int4": (-8.0, 7.0),
    "int8": (-128.0, 127.0),
    "uint8": (0.0, 255.0),
    "float8_e4m3fn": (-448.0, 448.0),
    "float8_e5m2": (-57344.0, 57344.0),
}


def _into(n: Out, y: Val, mode: str) -> Val:
    """A float rounded and clipped into the type of the first result."""
    target = elem_of(n.result())
    bounds = _RANGE.get(ge_name(target))
    if bounds is None:
        raise NoCounterpart(f"quantisation to {ge_name(target)} is not supported")
    if ge_name(target).endswith(("int4", "int8")):
        if mode.lower() == "trunc":
            size = n.emit("Floor", [n.emit("Abs", [y])])
            y = n.emit("Mul", [n.emit("Sign", [y]), size])
        else:
            y = n.emit(_ROUND.get(mode.lower(), "Round"), [y])
    y = n.emit(
        "Clip", [y, *(n.like(b, y, r) for b, r in zip(bounds, ("low", "high"), strict=True))]
    )
    return n.emit("Cast", [y], elem=target, to=onnx_number(target))


def _along(n: Out, index: int, axis: int) -> Val:
    shape, rank = n.shape(index), n.rank(0)
    value = n.cast(n.x(index), "float32")
    if shape is None:
        raise NoCounterpart("the rank of the scale must be known")
    if shape == (1,):
        return n.reshape(value, [], "Scalar")
    if len(shape) != 1:
        return value
    axis = n.axis(axis)
    axes = [a for a in range(rank) if a != axis]
    return n.unsqueeze(value, axes, "Spread") if axes else value


def _tensor(n: Out, index: int) -> Val:
    """A scale or offset that broadcasts; one element must not add a dim to a scalar."""
    value = n.cast(n.x(index), "float32")
    return n.reshape(value, [], "Scalar") if n.shape(index) == (1,) else value


def _twice(n: Out, scale: Val) -> Val:
    return n.emit("Mul", [scale, scale]) if n.attrs["sqrt_mode"] else scale


@export("AscendQuant")
def ascend_quant(n: Out) -> Results:
    """Mul, Add, rounding, Clip, Cast."""
    x = n.cast(n.x(0), "float32")
    scale = n.attrs["scale"] ** (2 if n.attrs["sqrt_mode"] else 1)
    y = n.binary("Add", n.binary("Mul", x, scale, "Scale"), n.attrs["offset"], "Offset")
    return _into(n, y, n.attrs["round_mode"])


@export("AscendQuantV2")
def ascend_quant_v2(n: Out) -> Results:
    """Mul, Add, rounding, Clip, Cast, with tensors."""
    axis = n.attrs["axis"]
    y = n.emit("Mul", [n.cast(n.x(0), "float32"), _twice(n, _along(n, 1, axis))])
    if n.has(2):
        y = n.emit("Add", [y, _along(n, 2, axis)])
    return _into(n, y, n.attrs["round_mode"])


@export("AscendAntiQuant")
def ascend_anti_quant(n: Out) -> Results:
    """Cast, Add, Mul."""
    x = n.binary("Add", n.cast(n.x(0), "float32"), n.attrs["offset"], "Offset")
    return n.binary("Mul", x, n.attrs["scale"] ** (2 if n.attrs["sqrt_mode"] else 1), "Scale")


@export("AscendAntiQuantV2")
def ascend_anti_quant_v2(n: Out) -> Results:
    """Cast, Add, Mul, with tensors."""
    x = n.cast(n.x(0), "float32")
    if n.has(2):
        x = n.emit("Add", [x, _tensor(n, 2)])
    return n.emit("Mul", [x, _twice(n, _tensor(n, 1))])


@export("AscendDequant")
def ascend_dequant(n: Out) -> Results:
    """Cast, Mul, and Relu where asked for."""
    if n.dtype(1) == "uint64":
        raise NoCounterpart("scales packed into 64 bits")
    y = n.emit("Mul", [n.cast(n.x(0), "float32"), _twice(n, _along(n, 1, 1))])
    return n.emit("Relu", [y]) if n.attrs["relu_flag"] else y


# --- quantisation by packed scales, by ranges and by a framework's scales ------------------------


def _saturated(n: Out, y: Val, low: float, high: float, dtype: str) -> Val:
    """A whole number in f64 clipped into an integer type; NaN, which saturates to 0, too."""
    bounds = [n.like(v, y, name) for v, name in ((low, "low"), (high, "high"))]
    return n.cast(n.emit("Clip", [y, *bounds]), dtype)


def _spread(n: Out, value: Val, index: int, axis: int) -> Val:
    """A vector along an axis of x; a single number as it is."""
    shape, rank = n.shape(index), n.rank(0)
    if shape is None or len(shape) > 1:
        raise NoCounterpart("a scale of this shape")
    if shape in ((), (1,)):
        return n.reshape(value, [], "Scalar")
    axes = [a for a in range(rank) if a != n.axis(axis, rank)]
    return n.unsqueeze(value, axes, "Spread") if axes else value


@export("Quantize")
def quantize(n: Out) -> Results:
    """Round of x / scale, plus the zero point, clipped."""
    target = {"torch.qint8": "int8", "torch.quint8": "uint8"}.get(n.attrs["dtype"])
    if target is None:
        raise NoCounterpart(f"quantisation to {n.attrs['dtype']} is not supported")
    x, axis = n.cast(n.x(0), "float64"), n.attrs["axis"]
    scale = _spread(n, n.cast(n.x(1), "float64"), 1, axis)
    y = n.emit("Round", [n.emit("Div", [x, scale])])
    if n.has(2):
        y = n.emit("Round", [n.emit("Add", [y, _spread(n, n.cast(n.x(2), "float64"), 2, axis)])])
    return _saturated(n, y, *_RANGE[target], target)


@export("Dequantize")
def dequantize(n: Out) -> Results:
    """Codes as numbers of the range."""
    lowest, highest = {"int8": (-128, 127), "uint8": (0, 255), "int32": (-(2**31), 2**31 - 1)}.get(
        n.dtype().removeprefix("q"), (0, 0)
    )
    if not highest:
        raise NoCounterpart(f"codes of {n.dtype()}")
    x, low, high = (
        n.cast(n.x(0), "float64"),
        *(n.reshape(n.cast(n.x(i), "float64"), [], "End") for i in (1, 2)),
    )
    if n.attrs["mode"] == "SCALED":
        factor = n.binary("Div", high, highest, "Top")
        if lowest < 0:
            factor = n.emit("Max", [n.binary("Div", low, lowest, "Bottom"), factor])
        return n.cast(n.emit("Mul", [x, factor]), "float32")
    step = n.binary("Div", n.emit("Sub", [high, low], "Span"), highest - lowest, "Step")
    above = n.emit("Mul", [n.binary("Sub", x, lowest, "Code"), step], "Above")
    return n.cast(n.emit("Add", [low, above]), "float32")


@export("FakeQuantWithMinMaxArgs")
def fake_quant(n: Out) -> Results:
    """Clip to the moved range, Floor to its steps, and back, in f64."""
    import math

    low, high = n.attrs["min"], n.attrs["max"]
    first, last = float(n.attrs["narrow_range"]), 2.0 ** n.attrs["num_bits"] - 1
    step = (high - low) / (last - first)
    zero = min(max(math.floor(first - low / step + 0.5), first), last)
    bottom, top = (first - zero) * step, (last - zero) * step
    x = n.cast(n.x(0), "float64")
    inside = n.emit("Clip", [x, n.like(bottom, x, "bottom"), n.like(top, x, "top")])
    count = n.binary("Div", n.binary("Sub", inside, bottom, "Above"), step, "Steps")
    whole = n.emit("Floor", [n.binary("Add", count, 0.5, "Nearest")])
    return n.cast(n.binary("Add", n.binary("Mul", whole, step, "Back"), bottom, "Moved"), "float32")
