"""ONNX exports: further forms of operators that other frameworks gave to GE."""

from __future__ import annotations

import math

from ge_dialect.dtypes import ge_name, is_float, to_xdsl
from ge_dialect.exporters.onnx_node import Out
from ge_dialect.exporters.onnx_rules import Results, export
from ge_dialect.exporters.onnx_values import NoCounterpart, Val
from ge_dialect.ir.types import elem_of

# --- thresholds and gates --------------------------------------------------------------------


@export("Celu")
def celu_of_three(n: Out) -> Results:
    """Elu of x / alpha2 below zero, alpha3 · x elsewhere."""
    if n.attrs["alpha2"] < 0:
        raise NoCounterpart("alpha2 must be positive")
    x = n.wide()
    inner = n.binary("Div", x, n.attrs["alpha2"], "Inner")
    left = n.emit("Elu", [inner], alpha=n.attrs["alpha1"])
    right = n.binary("Mul", x, n.attrs["alpha3"], "Right")
    return n.emit("Where", [n.emit("Less", [x, n.like(0, x, "zero")]), left, right])


@export("CeluV2")
def celu(n: Out) -> Results:
    """Celu in f32, which is all it takes; in f64 by Elu."""
    alpha = n.attrs["alpha"]
    if alpha <= 0:
        raise NoCounterpart("alpha must be positive")
    x = n.wide()
    if n.dtype() != "float64":
        return n.emit("Celu", [x], alpha=alpha)
    y = n.emit("Elu", [n.binary("Div", x, alpha, "Inner")], alpha=alpha)
    return n.emit("Where", [n.emit("Greater", [x, n.like(0, x, "zero")]), x, y])


@export("FastGelu")
def fast_gelu(n: Out) -> Results:
    """x · Sigmoid(1.702 x)."""
    x = n.wide()
    return n.emit("Mul", [x, n.emit("Sigmoid", [n.binary("Mul", x, 1.702, "Slope")])])


@export("LogSigmoid")
def log_sigmoid(n: Out) -> Results:
    """Neg of Softplus of Neg."""
    return n.emit("Neg", [n.emit("Softplus", [n.emit("Neg", [n.wide()])])])


@export("Shrink")
def shrink(n: Out) -> Results:
    """Shrink."""
    return n.emit("Shrink", [n.x()], lambd=n.attrs["lambd"], bias=n.attrs["bias"])


@export("ThresholdedRelu")
def thresholded_relu(n: Out) -> Results:
    """ThresholdedRelu."""
    return n.emit("ThresholdedRelu", [n.x()], alpha=n.attrs["alpha"])


@export("Threshold")
def threshold(n: Out) -> Results:
    """Cast of Greater."""
    x = n.cast(n.x(), "float64" if n.dtype() == "float64" else "float32")
    if not n.is_float() and n.dtype() not in ("int8", "uint8", "int16", "uint16"):
        raise NoCounterpart("whole numbers beyond the precision of float32")
    above = n.emit("Greater", [x, n.like(n.attrs["threshold"], x, "threshold")])
    return n.cast(above, elem_of(n.result()))


@export("ThresholdV2")
def threshold_v2(n: Out) -> Results:
    """Where x is Greater."""
    x = n.x(0)
    other = n.scalar(2) if n.has(2) else n.like(0, x, "zero")
    bound = n.cast(n.scalar(1), x.elem)
    return n.emit("Where", [n.emit("Greater", [x, bound]), x, n.cast(other, x.elem)])


@export("HardMax")
def hard_max(n: Out) -> Results:
    """Hardmax."""
    if n.rank() == 0:
        raise NoCounterpart("a scalar has no axis")
    return n.emit("Hardmax", [n.x()], axis=n.axis(n.attrs["axis"]))


def _halves(n: Out, x: Val) -> list[Val]:
    axis = n.axis(n.attrs["dim"])
    return n.emit_all("Split", [x], 2, {"axis": axis, "num_outputs": 2})


@export("GLU")
def glu(n: Out) -> Results:
    """The first half times Sigmoid of the second."""
    a, b = _halves(n, n.wide())
    return n.emit("Mul", [a, n.emit("Sigmoid", [b])])


@export("GeGluV2")
def ge_glu(n: Out) -> Results:
    """One half times Gelu (from opset 20) of the other."""
    a, b = _halves(n, n.wide())
    if n.attrs["activate_left"]:
        a, b = b, a
    gelu = n.emit("Gelu", [b], approximate="tanh" if n.attrs["approximate"] else "none")
    return [n.emit("Mul", [a, gelu]), gelu]


# --- arithmetic of several steps -------------------------------------------------------------


@export("Addcdiv")
def addcdiv(n: Out) -> Results:
    """input + value · x1 / x2."""
    base, a, b = (n.wide(i) for i in range(3))
    scaled = n.emit("Mul", [n.cast(n.x(3), base.elem), a])
    return n.emit("Add", [base, n.emit("Div", [scaled, b])])


@export("Addcmul")
def addcmul(n: Out) -> Results:
    """input + value · x1 · x2."""
    base, a, b, value = (n.wide(i) for i in range(4))
    return n.emit("Add", [base, n.emit("Mul", [n.emit("Mul", [value, a]), b])])


def _weighted(n: Out, op_type: str) -> Results:
    common = elem_of(n.result())
    if ge_name(common) in ("float16", "bfloat16"):
        common = to_xdsl("float32")
    a, b = n.cast(n.x(0), common), n.cast(n.x(1), common)
    if n.has(2):
        b = n.emit("Mul", [b, n.cast(n.scalar(2), common)])
    return n.emit(op_type, [a, b])


@export("AxpyV2")
def axpy_v2(n: Out) -> Results:
    """x1 + alpha · x2."""
    return _weighted(n, "Add")


@export("Sxpy")
def sxpy(n: Out) -> Results:
    """x1 - alpha · x2."""
    return _weighted(n, "Sub")


def _laid(n: Out, index: int) -> Val:
    """A parameter along the dims of x from `axis` on."""
    value, shape, rank = n.wide(index), n.shape(index), n.rank(0)
    if shape is None:
        raise NoCounterpart("the rank of the parameter must be known")
    if shape in ((), (1,)):
        return value if shape == () else n.reshape(value, [], "Scalar")
    behind = rank - n.axis(n.attrs["axis"], rank) - len(shape)
    if behind <= 0:
        return value
    return n.unsqueeze(value, range(len(shape), len(shape) + behind), "Spread")


@export("Bias")
def bias(n: Out) -> Results:
    """Add along some dims."""
    return n.emit("Add", [n.wide(0), _laid(n, 1)])


@export("Scale")
def scale(n: Out) -> Results:
    """Mul, and Add of a bias, along some dims."""
    y = n.emit("Mul", [n.wide(0), _laid(n, 1)])
    return n.emit("Add", [y, _laid(n, 2)]) if n.has(2) else y


@export("Eltwise")
def eltwise(n: Out) -> Results:
    """A chain of Mul, Add or Max."""
    values = [n.cast(v, "float32") if n.op.ge_data_operands and _narrow(v) else v for v in n.xs()]
    mode, coeff = n.attrs["mode"], n.attrs["coeff"]
    if mode == 1 and coeff:
        values = [n.binary("Mul", v, c, "Scaled") for v, c in zip(values, coeff, strict=True)]
    total, *rest = values
    for v in rest:
        total = n.emit({0: "Mul", 1: "Add", 2: "Max"}[mode], [total, v])
    return total if rest else n.emit("Identity", [total])


def _narrow(value: Val) -> bool:
    return ge_name(value.elem) in ("float16", "bfloat16")


@export("FusedMulAddN")
def fused_mul_add_n(n: Out) -> Results:
    """x1 · x3 + x2."""
    c = n.wide(2) if n.shape(2) == () else n.reshape(n.wide(2), [], "Scalar")
    return n.emit("Add", [n.emit("Mul", [n.wide(0), c]), n.wide(1)])


@export("Lerp")
def lerp(n: Out) -> Results:
    """start + weight · (end - start)."""
    a, b, weight = (n.wide(i) for i in range(3))
    return n.emit("Add", [a, n.emit("Mul", [weight, n.emit("Sub", [b, a])])])


@export("Power")
def power(n: Out) -> Results:
    """Pow of scale · x + shift."""
    x = n.wide()
    base = n.binary("Add", n.binary("Mul", x, n.attrs["scale"], "Scale"), n.attrs["shift"], "Shift")
    return n.binary("Pow", base, n.attrs["power"], "Exponent")


@export("Trunc")
def trunc(n: Out) -> Results:
    """Sign times Floor of Abs; whole numbers stay."""
    if not n.is_float():
        return n.emit("Identity", [n.x()])
    x = n.x()
    return n.emit("Mul", [n.emit("Sign", [x]), n.emit("Floor", [n.emit("Abs", [x])])])


@export("Xlogy")
def xlogy(n: Out) -> Results:
    """x1 · Log(x2), zero where x1 is."""
    if not n.is_float():
        raise NoCounterpart("complex numbers")
    a, b = n.wide(0), n.wide(1)
    zero = n.emit("Equal", [a, n.like(0, a, "zero")])
    log = n.emit("Log", [n.emit("Where", [zero, n.like(1, b, "one"), b])])
    return n.emit("Where", [zero, n.like(0, a, "none"), n.emit("Mul", [a, log])])


# --- products --------------------------------------------------------------------------------


@export("FullyConnection")
def fully_connection(n: Out) -> Results:
    """MatMul of x, flat from an axis on, with the turned weights."""
    shape, axis, count = n.known(0), n.attrs["axis"], n.attrs["num_output"]
    inner = math.prod(shape[axis:])
    x, w = n.x(0), n.x(1)
    if not n.is_float():
        wide = elem_of(n.result())
        wide_name = "float32" if is_float(wide) else "int32"
        x, w = n.cast(x, wide_name), n.cast(w, wide_name)
    x = n.reshape(x, [*shape[:axis], inner], "Rows")
    if n.attrs["transpose"]:
        w = n.reshape(w, [inner, count], "Weights")
    else:
        w = n.transpose(n.reshape(w, [count, inner], "Weights"), [1, 0], "Columns")
    y = n.emit("MatMul", [x, w])
    return n.emit("Add", [y, n.cast(n.x(2), y.elem)]) if n.has(2) else y


@export("GEMM")
def gemm(n: Out) -> Results:
    """alpha · a · b + beta · c, the factors being inputs."""
    wide = elem_of(n.result()) if not n.is_float() else n.wide(0).elem
    a, b = n.cast(n.x(0), wide), n.cast(n.x(1), wide)
    a = n.transpose(a, [1, 0], "A") if n.attrs["transpose_a"] else a
    b = n.transpose(b, [1, 0], "B") if n.attrs["transpose_b"] else b
    alpha, beta = (n.cast(n.scalar(i), wide) for i in (3, 4))
    product = n.emit("Mul", [n.emit("MatMul", [a, b]), alpha])
    return n.emit("Add", [product, n.emit("Mul", [n.cast(n.x(2), wide), beta])])


@export("TransposeBatchMatMul")
def transpose_batch_mat_mul(n: Out) -> Results:
    """MatMul between Transposes."""
    if n.has(3) or n.attrs["batch_split_factor"] > 1:
        raise NoCounterpart("scale and batch_split_factor are not supported")
    a, b = n.transpose(n.x(0), n.attrs["perm_x1"]), n.transpose(n.x(1), n.attrs["perm_x2"])
    y = n.emit("MatMul", [a, b])
    y = n.emit("Add", [y, n.cast(n.x(2), y.elem)]) if n.has(2) else y
    return n.transpose(y, n.attrs["perm_y"], "Y")


# --- shapes ----------------------------------------------------------------------------------


@export("FlattenV2")
def flatten_v2(n: Out) -> Results:
    """Reshape that copies the dims around; shapes without zeros only."""
    shape = n.known()
    if 0 in shape:
        raise NoCounterpart("a size is zero")
    rank = max(len(shape), 1)
    first, last = n.attrs["axis"] % rank, n.attrs["end_axis"] % rank
    size = math.prod(shape[first : last + 1])
    dims = [*shape[:first], size, *shape[last + 1 :]]
    return n.emit("Reshape", [n.x(), n.constant(dims, "dims")])


@export("Permute")
def permute(n: Out) -> Results:
    """Transpose."""
    rank = n.rank()
    return n.emit("Transpose", [n.x()], perm=[n.axis(a, rank) for a in n.attrs["order"]] or None)


@export("SqueezeV2")
def squeeze_v2(n: Out) -> Results:
    """Squeeze."""
    axes = list(n.attrs["axis"])
    return n.squeeze(n.x(), axes) if axes else n.emit("Squeeze", [n.x()])


@export("UnsqueezeV2")
def unsqueeze_v2(n: Out) -> Results:
    """Unsqueeze."""
    axes = list(n.attrs["axis"])
    return n.unsqueeze(n.x(), axes) if axes else n.emit("Identity", [n.x()])


@export("ShapeN")
def shape_n(n: Out) -> Results:
    """Shape of each input."""
    return [n.cast(n.emit("Shape", [x]), elem_of(n.result())) for x in n.xs()]


@export("IdentityN")
def identity_n(n: Out) -> Results:
    """Identity of each input."""
    return [n.emit("Identity", [x]) for x in n.xs()]


# --- losses ----------------------------------------------------------------------------------


@export("MseLoss")
def mse_loss(n: Out) -> Results:
    """The square of the difference, its mean or sum."""
    d = n.emit("Sub", [n.wide(0), n.wide(1)])
    y = n.emit("Mul", [d, d])
    kind = n.attrs["reduction"]
    if kind == "none":
        return y
    return n.emit("ReduceMean" if kind == "mean" else "ReduceSum", [y], keepdims=0)


@export("L2Loss")
def l2_loss(n: Out) -> Results:
    """Half the sum of squares."""
    x = n.wide()
    return n.binary("Mul", n.emit("ReduceSumSquare", [x], keepdims=0), 0.5, "Half")
