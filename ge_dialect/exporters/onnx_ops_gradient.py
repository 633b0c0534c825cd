"""ONNX exports: gradients, by the formulas that define them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ge_dialect.exporters.onnx_node import Out
from ge_dialect.exporters.onnx_rules import Results, export
from ge_dialect.exporters.onnx_values import NoCounterpart, Val
from ge_dialect.ir.types import elem_of

# Gelu(x) is about x · sigmoid(_SLOPE · (x + _CUBIC · x³)); D. Hendrycks, K. Gimpel, 2016.
_SLOPE, _CUBIC = 2 * 0.7978845608028654, 0.044715


def _less(n: Out, start: float, x: Val, role: str) -> Val:
    """A number less x."""
    return n.emit("Sub", [n.like(start, x, f"{role.lower()}_one"), x], role)


# --- activations -----------------------------------------------------------------------------


@export("SigmoidGrad")
def sigmoid_grad(n: Out) -> Results:
    """dy · y · (1 - y)."""
    y, dy = n.wides(0, 1)
    return n.emit("Mul", [dy, n.emit("Mul", [y, _less(n, 1, y, "Rest")], "Slope")])


@export("TanhGrad")
def tanh_grad(n: Out) -> Results:
    """dy · (1 - y · y)."""
    y, dy = n.wides(0, 1)
    return n.emit("Mul", [dy, _less(n, 1, n.emit("Mul", [y, y], "Square"), "Slope")])


@export("GeluGrad")
def gelu_grad(n: Out) -> Results:
    """dy · (s + x · (1 - s) · s · u') with s the sigmoid of the polynomial u of x."""
    if n.shape(2) != n.shape(1) or n.shape(0) != n.shape(1):
        raise NoCounterpart("dy, x and y must have one shape")
    dy, x = n.wides(0, 1)
    square = n.emit("Mul", [x, x], "Square")
    inner = n.binary("Add", n.binary("Mul", square, _CUBIC, "Cubic"), 1.0, "Inner")
    s = n.emit("Sigmoid", [n.emit("Mul", [n.binary("Mul", x, _SLOPE, "Line"), inner], "Poly")])
    slope = n.binary("Add", n.binary("Mul", square, 3 * _CUBIC, "Triple"), 1.0, "Outer")
    slope = n.binary("Mul", slope, _SLOPE, "Slope")
    bend = n.emit("Mul", [s, _less(n, 1, s, "Rest")], "Bend")
    rest = n.emit("Mul", [n.emit("Mul", [x, slope], "Steep"), bend], "Curve")
    # far out the bend is 0 while the polynomial overflows
    flat = n.emit("Equal", [bend, n.like(0, x, "zero")])
    rest = n.emit("Where", [flat, n.like(0, x, "none"), rest])
    return n.emit("Mul", [dy, n.emit("Add", [s, rest])])


def _axes(n: Out, listed: Sequence[int]) -> list[int]:
    rank = n.rank()
    return [n.axis(a, rank) for a in listed] if rank else []


@export("SoftmaxGrad")
def softmax_grad(n: Out) -> Results:
    """s · (g - sum(s · g))."""
    s, g = n.wides(0, 1)
    product = n.emit("Mul", [s, g], "Product")
    total = n.reduce("ReduceSum", product, _axes(n, n.attrs["axes"]), True)
    return n.emit("Mul", [s, n.emit("Sub", [g, total])])


@export("LogSoftmaxGrad")
def log_softmax_grad(n: Out) -> Results:
    """g - exp(x) · sum(g)."""
    g, x = n.wides(0, 1)
    total = n.reduce("ReduceSum", g, _axes(n, n.attrs["axis"]), True)
    return n.emit("Sub", [g, n.emit("Mul", [n.emit("Exp", [x]), total])])


@export("SwiGluGrad")
def swi_glu_grad(n: Out) -> Results:
    """The gradients of both halves of a gated input, side by side."""
    g, x = n.wides(0, 1)
    axis = n.axis(n.attrs["dim"], n.rank(1))
    a, b = n.emit_all("Split", [x], 2, {"axis": axis, "num_outputs": 2})
    s = n.emit("Sigmoid", [a])
    bent = n.emit("Mul", [a, _less(n, 1, s, "Rest")], "Bend")
    slope = n.emit("Mul", [s, n.binary("Add", bent, 1.0, "Inner")], "Slope")
    first = n.emit("Mul", [n.emit("Mul", [g, b], "Gate"), slope], "First")
    second = n.emit("Mul", [g, n.emit("Mul", [a, s], "Swish")], "Second")
    return n.emit("Concat", [first, second], axis=axis)


# --- losses and sums -------------------------------------------------------------------------


@export("BiasAddGrad")
def bias_add_grad(n: Out) -> Results:
    """ReduceSum over all but the channels."""
    rank = n.rank()
    channel = 1 if n.attrs["data_format"].startswith("NC") else rank - 1
    over = [a for a in range(rank) if a != channel]
    return n.reduce("ReduceSum", n.wide(), over, False) if over else n.emit("Identity", [n.x()])


@export("MseLossGrad")
def mse_loss_grad(n: Out) -> Results:
    """2 · (predict - label) · dout, over the number of elements for a mean."""
    predict, label, dout = n.wides(0, 1, 2)
    difference = n.emit("Sub", [predict, label])
    y = n.emit("Mul", [n.binary("Mul", difference, 2.0, "Double"), dout])
    if n.attrs["reduction"] != "mean":
        return y
    return n.binary("Div", y, max(math.prod(n.known(0)), 1), "Mean")


# --- normalisations --------------------------------------------------------------------------


def _layer_grad(n: Out, rstd: Val) -> Results:
    """Gradients of x, gamma and beta; what mean has as ones was normalised."""
    dy, x, _, mean, gamma = n.wides(0, 1, 2, 3, 4)
    shape, kept = n.known(1), n.known(3)
    rstd = n.cast(rstd, x.elem)
    over = [a for a, d in enumerate(kept) if d == 1]
    count = max(math.prod(shape[a] for a in over), 1)
    standard = n.emit("Mul", [n.emit("Sub", [x, mean], "Centred"), rstd], "Standard")
    scaled = n.emit("Mul", [dy, gamma], "Scaled")

    def share(value: Val, role: str) -> Val:
        return n.binary("Div", n.reduce("ReduceSum", value, over, True, role), count, f"{role}Mean")

    along = share(n.emit("Mul", [scaled, standard], "Along"), "AlongSum")
    level = share(scaled, "LevelSum")
    inner = n.emit("Sub", [n.emit("Sub", [scaled, level]), n.emit("Mul", [standard, along])])
    lead = list(range(len(shape) - n.rank(4)))
    weighed = n.emit("Mul", [dy, standard], "Weighed")
    return [
        n.emit("Mul", [rstd, inner]),
        n.reduce("ReduceSum", weighed, lead, False, "Gamma"),
        n.reduce("ReduceSum", dy, lead, False, "Beta") if lead else n.emit("Identity", [dy]),
    ]


@export("LayerNormGrad")
def layer_norm_grad(n: Out) -> Results:
    """The chain rule with the variance, to which 1e-12 is added."""
    variance = n.wides(2, 1)[0]
    root = n.emit("Sqrt", [n.binary("Add", variance, 1e-12, "Epsilon")])
    return _layer_grad(n, n.emit("Reciprocal", [root]))


@export("LayerNormGradV3")
def layer_norm_grad_v3(n: Out) -> Results:
    """The chain rule with the inverse deviation."""
    return _layer_grad(n, n.x(2))


@export("LayerNormBetaGammaBackpropV2")
def layer_norm_parameters(n: Out) -> Results:
    """Sums over what stands before the dims of gamma."""
    dy, standard = n.wides(0, 1)
    lead = list(range(n.rank(0) - len(n.attrs["shape_gamma"])))
    product = n.emit("Mul", [dy, standard])
    total = n.reduce("ReduceSum", dy, lead, False, "Beta") if lead else n.emit("Identity", [dy])
    return [n.reduce("ReduceSum", product, lead, False, "Gamma"), total]


@export("RmsNormGrad")
def rms_norm_grad(n: Out) -> Results:
    """The chain rule with the inverse root mean square."""
    dy, x, rstd, gamma = n.wides(0, 1, 2, 3)
    shape, count = n.known(1), n.rank(3)
    lead, over = list(range(len(shape) - count)), list(range(len(shape) - count, len(shape)))
    if 0 in shape:
        raise NoCounterpart("a size is zero")
    rstd = n.reshape(rstd, [*shape[: len(lead)], *[1] * count], "Spread")
    normal, g = n.emit("Mul", [x, rstd], "Normal"), n.emit("Mul", [dy, gamma], "Scaled")
    total = n.reduce("ReduceSum", n.emit("Mul", [g, normal], "Along"), over, True, "AlongSum")
    mean = n.binary("Div", total, math.prod(shape[a] for a in over), "Mean")
    inner = n.emit("Sub", [g, n.emit("Mul", [normal, mean])])
    weighed = n.emit("Mul", [dy, normal], "Weighed")
    return [n.emit("Mul", [inner, rstd]), n.reduce("ReduceSum", weighed, lead, False, "Gamma")]


# --- batch normalisation, in f64 as GE's meaning has it -----------------------------------------


def _double(n: Out, index: int) -> Val:
    return n.cast(n.x(index), "float64")


def _stretched(n: Out, value: Val, rank: int, axis: int) -> Val:
    axes = [a for a in range(rank) if a != axis]
    return n.unsqueeze(value, axes) if axes else value


def _rstd(n: Out, variance: Val) -> Val:
    root = n.emit("Sqrt", [n.binary("Add", variance, n.attrs["epsilon"], "Epsilon")])
    return n.emit("Reciprocal", [root])


def _over(rank: int, axis: int) -> list[int]:
    return [a for a in range(rank) if a != axis]


def _channel_sum(n: Out, value: Val, rank: int, axis: int, role: str) -> Val:
    return n.reduce("ReduceSum", value, _over(rank, axis), False, role)


@export("BNTrainingReduce")
def bn_training_reduce(n: Out) -> Results:
    """Sums of the values and of their squares."""
    x, rank = _double(n, 0), n.rank()
    if rank < 2:
        raise NoCounterpart("x has no channels to keep")
    square = n.emit("Mul", [x, x], "Square")
    return [_channel_sum(n, x, rank, 1, "Sum"), _channel_sum(n, square, rank, 1, "SquareSum")]


@export("BNInferGrad")
def bn_infer_grad(n: Out) -> Results:
    """grads times the factor of the normalisation."""
    factor = n.emit("Mul", [_double(n, 1), _rstd(n, _double(n, 2))], "Factor")
    return n.emit("Mul", [_double(n, 0), _stretched(n, factor, n.rank(), 1)])


def _bn_standard(n: Out, x: Val, mean: Val, rstd: Val, rank: int, axis: int) -> Val:
    centred = n.emit("Sub", [x, _stretched(n, mean, rank, axis)])
    return n.emit("Mul", [centred, _stretched(n, rstd, rank, axis)], "Standard")


def _bn_data(
    n: Out, grads: Val, standard: Val, diff: tuple[Val, Val], factor: Val, axis: int
) -> Val:
    shape = n.known(0)
    rank, count = len(shape), math.prod(shape[a] for a in _over(len(shape), axis))
    scale, offset = (
        _stretched(n, n.binary("Div", d, max(count, 1), "Share"), rank, axis) for d in diff
    )
    inner = n.emit("Sub", [n.emit("Sub", [grads, offset]), n.emit("Mul", [standard, scale])])
    return n.emit("Mul", [_stretched(n, factor, rank, axis), inner])


@export("BNTrainingUpdateGrad")
def bn_training_update_grad(n: Out) -> Results:
    """Sums of grads · standardised x and of grads."""
    grads, x, mean, variance = (_double(n, i) for i in range(4))
    rank = n.rank()
    standard = _bn_standard(n, x, mean, _rstd(n, variance), rank, 1)
    product = n.emit("Mul", [grads, standard])
    return [_channel_sum(n, product, rank, 1, "Scale"), _channel_sum(n, grads, rank, 1, "Offset")]


@export("BNTrainingReduceGrad")
def bn_training_reduce_grad(n: Out) -> Results:
    """The gradient of x with the sums at hand."""
    grads, x, diff_scale, diff_offset, scale, mean, variance = (_double(n, i) for i in range(7))
    rstd = _rstd(n, variance)
    standard = _bn_standard(n, x, mean, rstd, n.rank(), 1)
    factor = n.emit("Mul", [scale, rstd], "Factor")
    return _bn_data(n, grads, standard, (diff_scale, diff_offset), factor, 1)


def _bn_gradients(n: Out, mean: Val, rstd: Val, axis: int) -> list[Val | None]:
    grads, x, scale = (_double(n, i) for i in range(3))
    rank = n.rank()
    standard = _bn_standard(n, x, mean, rstd, rank, axis)
    product = n.emit("Mul", [grads, standard], "Weighed")
    diff = (
        _channel_sum(n, product, rank, axis, "Scale"),
        _channel_sum(n, grads, rank, axis, "Offset"),
    )
    factor = n.emit("Mul", [scale, rstd], "Factor")
    if n.attrs["is_training"]:
        return [_bn_data(n, grads, standard, diff, factor, axis), *diff]
    return [n.emit("Mul", [grads, _stretched(n, factor, rank, axis)]), *diff]


@export("BatchNormGrad")
def batch_norm_grad(n: Out) -> Results:
    """Gradients of x, scale and offset."""
    rank = n.rank()
    axis = 1 if n.attrs["data_format"].startswith("NC") else rank - 1
    found = _bn_gradients(n, _double(n, 3), _rstd(n, _double(n, 4)), axis)
    empty = [n.constant([], "none", elem_of(n.result(i))) for i in (3, 4)]
    return [*found, *empty]


@export("BatchNormGradV3")
def batch_norm_grad_v3(n: Out) -> Results:
    """Gradients of x, weight and bias."""
    if n.attrs["is_training"]:
        return _bn_gradients(n, _double(n, 5), _double(n, 6), 1)
    return _bn_gradients(n, _double(n, 3), _rstd(n, _double(n, 4)), 1)
