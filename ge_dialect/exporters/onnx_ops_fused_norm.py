"""ONNX exports: normalisations fused with what stands around them, and statistics."""

from __future__ import annotations

import math

from ge_dialect.dtypes import is_float
from ge_dialect.exporters.onnx_node import Out
from ge_dialect.exporters.onnx_rules import Results, export
from ge_dialect.exporters.onnx_values import NoCounterpart, Val
from ge_dialect.ir.types import elem_of


def _normalised(n: Out, x: Val, axes: list[int], epsilon: float) -> tuple[Val, Val, Val]:
    """(x - mean) · rstd, mean, and rstd, with reduced axes kept."""
    mean = n.reduce("ReduceMean", x, axes, True, "Mean")
    centred = n.emit("Sub", [x, mean], "Centred")
    square = n.emit("Mul", [centred, centred], "Square")
    variance = n.reduce("ReduceMean", square, axes, True, "Variance")
    root = n.emit("Sqrt", [n.binary("Add", variance, epsilon, "Epsilon")])
    rstd = n.emit("Reciprocal", [root])
    return n.emit("Mul", [centred, rstd], "Standard"), mean, rstd


def _last(n: Out, parameter: int) -> list[int]:
    """The axes of a result that a parameter has."""
    count = n.rank(parameter)
    if not count:
        raise NoCounterpart("there is no axis to normalise")
    rank = n.rank(0)
    return list(range(rank - count, rank))


def _parameters(n: Out, y: Val, gamma: Val, beta: Val) -> Val:
    y = n.emit("Mul", [y, n.cast(gamma, y.elem)], "Scaled")
    return n.emit("Add", [y, n.cast(beta, y.elem)], "Affine")


@export("AddLayerNorm")
def add_layer_norm(n: Out) -> Results:
    """Add, then the definition of LayerNormalization."""
    places = (0, 1, 4) if n.has(4) else (0, 1)
    parts = n.wides(*places)
    total = n.emit("Add", parts[:2], "Sum")
    if n.has(4):
        total = n.emit("Add", [total, parts[2]], "Biased")
    y, mean, rstd = _normalised(n, total, _last(n, 2), n.attrs["epsilon"])
    return [_parameters(n, y, n.x(2), n.x(3)), mean, rstd, total]


@export("DeepNorm")
def deep_norm(n: Out) -> Results:
    """x · alpha + gx, then the definition of LayerNormalization."""
    x, gx = n.wides(0, 1)
    total = n.emit("Add", [n.binary("Mul", x, n.attrs["alpha"], "Alpha"), gx], "Sum")
    y, mean, rstd = _normalised(n, total, _last(n, 3), n.attrs["epsilon"])
    return [mean, rstd, _parameters(n, y, n.x(3), n.x(2))]


def _grouped(n: Out) -> tuple[Val, Val, Val]:
    shape, groups = n.known(), n.attrs["num_groups"]
    if 0 in shape:
        raise NoCounterpart("a size is zero")
    parts = n.reshape(n.wide(), [shape[0], groups, -1], "Groups")
    y, mean, rstd = _normalised(n, parts, [2], n.attrs["eps"])
    y = n.reshape(y, shape, "Whole")
    dims = [shape[1], *[1] * (len(shape) - 2)]
    for index, op_type in ((1, "Mul"), (2, "Add")):
        if n.has(index):
            y = n.emit(op_type, [y, n.reshape(n.cast(n.x(index), y.elem), dims, "Channel")])
    return y, n.squeeze(mean, [2], "Means"), n.squeeze(rstd, [2], "Deviations")


@export("GroupNormV2")
def group_norm_v2(n: Out) -> Results:
    """The definition of GroupNormalization, with its statistics."""
    return _grouped(n)


@export("GroupNormSilu")
def group_norm_silu(n: Out) -> Results:
    """The definition of GroupNormalization, then x · Sigmoid(x)."""
    y, mean, rstd = _grouped(n)
    if n.attrs["activate_silu"]:
        y = n.emit("Mul", [y, n.emit("Sigmoid", [y])])
    return [y, mean, rstd]


@export("AddRmsNormCast")
def add_rms_norm_cast(n: Out) -> Results:
    """Add, and the definition of RMSNormalization in f32."""
    total = n.cast(n.emit("Add", [n.wide(0), n.wide(1)], "Sum"), n.elem())
    x = n.cast(total, "float32")
    square = n.reduce("ReduceMean", n.emit("Mul", [x, x], "Square"), _last(n, 2), True, "Mean")
    root = n.emit("Sqrt", [n.binary("Add", square, n.attrs["epsilon"], "Epsilon")])
    rstd = n.emit("Reciprocal", [root])
    y = n.emit("Mul", [n.emit("Mul", [x, rstd], "Standard"), n.cast(n.x(2), x.elem)], "Scaled")
    return [y, y, rstd, total]


@export("MVNV2")
def mvn_v2(n: Out) -> Results:
    """Mean 0, deviation 1, with eps beside the root."""
    x, axes = n.wide(), [n.axis(a) for a in n.attrs["axes"]]
    mean = n.reduce("ReduceMean", x, axes, True, "Mean")
    centred = n.emit("Sub", [x, mean], "Centred")
    square = n.emit("Mul", [centred, centred], "Square")
    root = n.emit("Sqrt", [n.reduce("ReduceMean", square, axes, True, "Variance")])
    return n.emit("Div", [centred, n.binary("Add", root, n.attrs["eps"], "Epsilon")])


# --- statistics ------------------------------------------------------------------------------


def _listed(n: Out, name: str) -> list[int]:
    """Axes of an attribute, all where there are none."""
    return [n.axis(a) for a in n.attrs[name]] or list(range(n.rank()))


@export("LpNorm", "LpNormV2")
def lp_norm(n: Out) -> Results:
    """(sum of |x|**p)**(1 / p), at least epsilon."""
    p, axes, keep = n.attrs["p"], _listed(n, "axes"), n.attrs["keepdim"]
    if isinstance(p, int) and abs(p) >= 2**31 - 1:
        p = math.copysign(math.inf, p)
    size = n.emit("Abs", [n.wide()])
    if math.isinf(p):
        if 0 in n.known():
            raise NoCounterpart("a size is zero")
        y = n.reduce("ReduceMax" if p > 0 else "ReduceMin", size, axes, keep, "Extreme")
    elif p == 0:
        zero = n.emit("Equal", [size, n.like(0, size, "zero")])
        y = n.reduce("ReduceSum", n.cast(n.emit("Not", [zero]), size.elem), axes, keep, "Count")
    elif p == 1:
        y = n.reduce("ReduceSum", size, axes, keep, "Sum")
    elif p == 2:
        total = n.reduce("ReduceSum", n.emit("Mul", [size, size]), axes, keep, "Sum")
        y = n.emit("Sqrt", [total], "Root")
    else:
        total = n.reduce("ReduceSum", n.binary("Pow", size, p, "Power"), axes, keep, "Sum")
        y = n.binary("Pow", total, 1 / p, "Root")
    return n.emit("Max", [y, n.like(n.attrs["epsilon"], y, "epsilon")])


def _given_axes(n: Out) -> list[int]:
    found = n.need_ints(1, "axes")
    if not found and not n.attrs.get("noop_with_empty_axes", True):
        return list(range(n.rank()))
    return [n.axis(a) for a in found]


@export("ReduceLogSum")
def reduce_log_sum(n: Out) -> Results:
    """Log of ReduceSum."""
    return n.emit("Log", [n.reduce("ReduceSum", n.wide(), _given_axes(n), n.attrs["keep_dims"])])


@export("ReduceMeanWithCast")
def reduce_mean_with_cast(n: Out) -> Results:
    """Cast and ReduceMean."""
    out = elem_of(n.result())
    if not is_float(out):
        raise NoCounterpart("means of whole numbers")
    x = n.cast(n.x(), out)
    wide = x if str(out) == "f64" else n.cast(x, "float32")
    axes = _given_axes(n)
    if not axes:
        return n.emit("Identity", [wide])
    return n.reduce("ReduceMean", wide, axes, n.attrs["keep_dims"], "Mean")


def _deviation(n: Out, centred: Val, axes: list[int], less: int, keep: bool) -> Val:
    count = math.prod(n.known()[a] for a in axes)
    square = n.emit("Mul", [centred, centred], "Square")
    total = n.reduce("ReduceSum", square, axes, keep, "Sum")
    return n.emit("Sqrt", [n.binary("Div", total, float(max(count - less, 0)), "Variance")])


@export("ReduceStdV2")
def reduce_std_v2(n: Out) -> Results:
    """The root of the variance, and the mean."""
    x, axes, keep = n.wide(), _listed(n, "dim"), n.attrs["keepdim"]
    mean = n.reduce("ReduceMean", x, axes, True, "Mean")
    std = _deviation(n, n.emit("Sub", [x, mean], "Centred"), axes, n.attrs["correction"], keep)
    return [std, mean if keep or not axes else n.squeeze(mean, axes, "Means")]


@export("ReduceStdWithMean")
def reduce_std_with_mean(n: Out) -> Results:
    """The root of the variance about a given mean."""
    if n.attrs["invert"]:
        raise NoCounterpart("an inverted deviation")
    x, mean = n.wides(0, 1)
    less = n.attrs["correction"] if n.attrs["unbiased"] else 0
    axes = _listed(n, "dim")
    return _deviation(n, n.emit("Sub", [x, mean], "Centred"), axes, less, n.attrs["keepdim"])


@export("SquareSumV1")
def square_sum_v1(n: Out) -> Results:
    """ReduceSum of squares."""
    x = n.wide()
    square = n.emit("Mul", [x, x], "Square")
    return n.reduce("ReduceSum", square, _listed(n, "axis"), n.attrs["keep_dims"], "Sum")
