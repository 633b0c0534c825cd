"""ONNX rules: elementwise arithmetic, comparison, logic, casts and activations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.ir import SSAValue

from ge_dialect.dtypes import bits, is_float
from ge_dialect.importers.onnx_graph import Refused
from ge_dialect.importers.onnx_node import Node
from ge_dialect.importers.onnx_rules import Outputs, add_rule, rule
from ge_dialect.ir.types import elem_of, shape_of

#: ONNX operator -> (GE operator, revisions): same inputs, no attributes.
SAME: dict[str, tuple[str, str]] = {
    "Abs": ("Abs", "6 13"),
    "Acos": ("Acos", "7 22"),
    "Acosh": ("Acosh", "9 22"),
    "Add": ("Add", "7 13 14"),
    "And": ("LogicalAnd", "7"),
    "Asin": ("Asin", "7 22"),
    "Asinh": ("Asinh", "9 22"),
    "Atan": ("Atan", "7 22"),
    "Atanh": ("Atanh", "9 22"),
    "BitwiseAnd": ("BitwiseAnd", "18"),
    "BitwiseNot": ("Invert", "18"),
    "BitwiseOr": ("BitwiseOr", "18"),
    "BitwiseXor": ("BitwiseXor", "18"),
    "Ceil": ("Ceil", "6 13"),
    "Cos": ("Cos", "7 22"),
    "Cosh": ("Cosh", "9 22"),
    "Equal": ("Equal", "7 11 13 19"),
    "Erf": ("Erf", "9 13"),
    "Exp": ("Exp", "6 13"),
    "Floor": ("Floor", "6 13"),
    "Greater": ("Greater", "7 9 13"),
    "GreaterOrEqual": ("GreaterEqual", "12 16"),
    "HardSwish": ("HardSwish", "14 22"),
    "Identity": ("Identity", "1 13 14 16 19 21 23 24 25"),
    "IsNaN": ("IsNan", "9 13 20"),
    "Less": ("Less", "7 9 13"),
    "LessOrEqual": ("LessEqual", "12 16"),
    "Log": ("Log", "6 13"),
    "Mish": ("Mish", "18 22"),
    "Mul": ("Mul", "7 13 14"),
    "Neg": ("Neg", "6 13"),
    "Not": ("LogicalNot", "1"),
    "Or": ("LogicalOr", "7"),
    "Reciprocal": ("Reciprocal", "6 13"),
    "Relu": ("Relu", "6 13 14"),
    "Round": ("Round", "11 22"),  # half to even in both
    "Sigmoid": ("Sigmoid", "6 13"),
    "Sign": ("Sign", "9 13"),
    "Sin": ("Sin", "7 22"),
    "Sinh": ("Sinh", "9 22"),
    "Softplus": ("Softplus", "1 22"),
    "Softsign": ("Softsign", "1 22"),
    "Sqrt": ("Sqrt", "6 13"),
    "Sub": ("Sub", "7 13 14"),
    "Tan": ("Tan", "7 22"),
    "Tanh": ("Tanh", "6 13"),
    "Where": ("SelectV2", "9 16"),
    "Xor": ("NotEqual", "7"),  # on booleans the two are one
}


def _same(ge_type: str) -> Callable[[Node], Outputs]:
    def run(n: Node) -> Outputs:
        return n.emit(ge_type, n.xs())

    run.__doc__ = f"{ge_type}."
    return run


for _onnx, (_ge, _since) in SAME.items():
    add_rule(_onnx, _since, _same(_ge))


def scalar_like(n: Node, value: Any, like: SSAValue, role: str) -> SSAValue:
    """A rank-0 constant of the element type of `like`."""
    return n.constant(value, role, elem_of(like.type))


# --- arithmetic ------------------------------------------------------------------------------


@rule("Div", "7 13 14")
def div(n: Node) -> Outputs:
    """Integers divide toward zero in ONNX; RealDiv is only for floats."""
    return n.emit("RealDiv" if n.is_float() else "TruncateDiv", n.xs())


@rule("Mod", "10 13 28")
def mod(n: Node) -> Outputs:
    """`fmod = 0` takes the sign of the divisor (FloorMod), `fmod = 1` that of the dividend."""
    if n.int("fmod", 0):
        return n.emit("Mod", n.xs())
    if n.is_float() and n.since < 28:
        raise Refused("floats need fmod = 1", "GX-333")
    return n.emit("FloorMod", n.xs())


@rule("Pow", "7 12 13 15")
def pow_(n: Node) -> Outputs:
    """The exponent may have another type; the result has that of the base."""
    base, exponent = n.x(0), n.x(1)
    left, right = elem_of(base.type), elem_of(exponent.type)
    if left == right:
        return n.emit("Pow", [base, exponent])
    if is_float(left) and (not is_float(right) or bits(right) <= bits(left)):
        return n.emit("Pow", [base, n.cast(exponent, left)])
    if not is_float(left) and not is_float(right):
        return n.emit("Pow", [base, n.cast(exponent, left)])
    # A wider or fractional exponent: compute in its type, convert the result back.
    wide = n.emit("Pow", [n.cast(base, right), exponent])
    return n.cast(wide, left, "Result")


def _chain(n: Node, ge_type: str) -> Outputs:
    values = n.xs()
    if len(values) == 1:
        return n.emit("Identity", values)
    total = values[0]
    for i, value in enumerate(values[1:], 1):
        last = i == len(values) - 1
        total = n.emit(ge_type, [total, value], role=None if last else f"{ge_type}_{i}")
    return total


@rule("Max", "6 8 12 13")
def max_(n: Node) -> Outputs:
    """A chain of Maximum, which broadcasts."""
    return _chain(n, "Maximum")


@rule("Min", "6 8 12 13")
def min_(n: Node) -> Outputs:
    """A chain of Minimum, which broadcasts."""
    return _chain(n, "Minimum")


@rule("Sum", "6 8 13")
def sum_(n: Node) -> Outputs:
    """ONNX broadcasts, AccumulateNV2 does not: that only for more than two equal shapes."""
    shapes = {n.shape(i) for i in range(len(n))}
    shape = next(iter(shapes))
    if len(n) > 2 and len(shapes) == 1 and shape is not None and -1 not in shape:
        return n.emit("AccumulateNV2", [n.xs()], {"N": len(n)})
    return _chain(n, "Add")


@rule("Mean", "6 8 13")
def mean(n: Node) -> Outputs:
    """A chain of Add and a division."""
    values = n.xs()
    if len(values) == 1:
        return n.emit("Identity", values)
    total = values[0]
    for i, value in enumerate(values[1:], 1):
        total = n.emit("Add", [total, value], role=f"Add_{i}")
    return n.emit("RealDiv", [total, scalar_like(n, len(values), total, "count")])


@rule("Clip", "6")
def clip_6(n: Node) -> Outputs:
    """ClipByValue, or Maximum or Minimum where only one bound is given."""
    x = n.x()
    low = scalar_like(n, n.float("min", 0.0), x, "min") if n.has_attr("min") else None
    high = scalar_like(n, n.float("max", 0.0), x, "max") if n.has_attr("max") else None
    return _clip(n, x, low, high)


@rule("Clip", "11 12 13")
def clip(n: Node) -> Outputs:
    """ClipByValue, or Maximum or Minimum for one bound or where the bounds may cross."""
    return _clip(n, n.x(), n.optional(1), n.optional(2))


def _clip(n: Node, x: SSAValue, low: SSAValue | None, high: SSAValue | None) -> Outputs:
    """The upper bound is applied last, so it wins where `min > max`, as in ONNX."""
    if low is not None and high is not None:
        if not _crossed(n):
            return n.emit("ClipByValue", [x, low, high])
        return n.emit("Minimum", [n.emit("Maximum", [x, low], role="Maximum"), high])
    if low is not None:
        return n.emit("Maximum", [x, low])
    if high is not None:
        return n.emit("Minimum", [x, high])
    return n.emit("Identity", [x])


def _crossed(n: Node) -> bool:
    """Whether the bounds are computed or crossed, where ClipByValue promises nothing."""
    if n.since < 11:
        return n.float("min", 0.0) > n.float("max", 0.0)
    low, high = n.const(1), n.const(2)
    return low is None or high is None or bool((low > high).any())


@rule("IsInf", "10 20")
def is_inf(n: Node) -> Outputs:
    """GE's IsInf takes both signs; one sign alone is a comparison on top."""
    positive, negative = n.int("detect_positive", 1), n.int("detect_negative", 1)
    x = n.x()
    if positive and negative:
        return n.emit("IsInf", [x])
    zero = scalar_like(n, 0, x, "zero")
    if not positive and not negative:
        none = n.emit("NotEqual", [zero, zero], role="Never")
        return n.emit("LogicalAnd", [n.emit("IsInf", [x], role="IsInf"), none])
    side = n.emit("Greater" if positive else "Less", [x, zero], role="Side")
    return n.emit("LogicalAnd", [n.emit("IsInf", [x], role="IsInf"), side])


# --- activations -----------------------------------------------------------------------------


@rule("LeakyRelu", "6 16")
def leaky_relu(n: Node) -> Outputs:
    """LeakyRelu."""
    return n.emit("LeakyRelu", [n.x()], {"negative_slope": n.float("alpha", 0.01)})


@rule("Elu", "6 22")
def elu(n: Node) -> Outputs:
    """Elu."""
    return n.emit("Elu", [n.x()], {"alpha": n.float("alpha", 1.0)})


@rule("Celu", "12 28")
def celu(n: Node) -> Outputs:
    """`alpha (exp(x / alpha) - 1)` below zero: an Elu with a scaled input."""
    alpha = n.float("alpha", 1.0)
    if alpha == 0:
        raise Refused("alpha = 0 divides by zero", "GX-333")
    return n.emit("Elu", [n.x()], {"alpha": alpha, "input_scale": 1.0 / alpha})


#: ONNX's Selu defaults, as f32; GE's Selu has them built in.
_SELU = (1.67326319217681884765625, 1.05070102214813232421875)


@rule("Selu", "6 22")
def selu(n: Node) -> Outputs:
    """Other constants than the standard ones are an Elu with an output scale."""
    alpha, gamma = n.float("alpha", _SELU[0]), n.float("gamma", _SELU[1])
    if abs(alpha - _SELU[0]) < 1e-6 and abs(gamma - _SELU[1]) < 1e-6:
        return n.emit("Selu", [n.x()])
    return n.emit("Elu", [n.x()], {"alpha": alpha, "scale": gamma})


@rule("HardSigmoid", "6 22")
def hard_sigmoid(n: Node) -> Outputs:
    """HardSigmoid, always with ONNX's alpha and beta."""
    attrs = {"alpha": n.float("alpha", 0.2), "beta": n.float("beta", 0.5)}
    return n.emit("HardSigmoid", [n.x()], attrs)


@rule("ThresholdedRelu", "10 22")
def thresholded_relu(n: Node) -> Outputs:
    """Greater and SelectV2."""
    x = n.x()
    above = n.emit(
        "Greater", [x, scalar_like(n, n.float("alpha", 1.0), x, "alpha")], role="Greater"
    )
    return n.emit("SelectV2", [above, x, scalar_like(n, 0, x, "zero")])


@rule("Shrink", "9")
def shrink(n: Node) -> Outputs:
    """`x + bias` below `-lambd`, `x - bias` above `lambd`, zero between."""
    x = n.x()
    lambd, bias = n.float("lambd", 0.5), n.float("bias", 0.0)
    below = n.emit("Less", [x, scalar_like(n, -lambd, x, "low")], role="Less")
    above = n.emit("Greater", [x, scalar_like(n, lambd, x, "high")], role="Greater")
    offset = scalar_like(n, bias, x, "bias")
    up = n.emit("Add", [x, offset], role="Add")
    down = n.emit("Sub", [x, offset], role="Sub")
    rest = n.emit("SelectV2", [above, down, scalar_like(n, 0, x, "zero")], role="Above")
    return n.emit("SelectV2", [below, up, rest])


@rule("Gelu", "20")
def gelu(n: Node) -> Outputs:
    """GeluV2."""
    return n.emit("GeluV2", [n.x()], {"approximate": n.string("approximate", "none")})


@rule("Swish", "24")
def swish(n: Node) -> Outputs:
    """Swish."""
    return n.emit("Swish", [n.x()], {"scale": n.float("alpha", 1.0)})


@rule("PRelu", "7 9 16")
def prelu(n: Node) -> Outputs:
    """GE's slope is one number or one per channel; any other broadcast is a selection."""
    x, slope = n.x(0), n.x(1)
    shape, weight = shape_of(x.type), shape_of(slope.type)
    if n.is_float() and shape is not None and weight is not None and len(shape) >= 2:
        if weight in ((1,), ()):
            return n.emit("PRelu", [x, slope if weight else n.reshape(slope, [1], "Slope")])
        channels = shape[1]
        per_channel = (channels, *(1,) * (len(shape) - 2))
        if channels > 0 and len(weight) == len(per_channel) and weight == per_channel:
            return n.emit("PRelu", [x, n.reshape(slope, [channels], "Slope")])
    positive = n.emit("Greater", [x, scalar_like(n, 0, x, "zero")], role="Greater")
    scaled = n.emit("Mul", [x, slope], role="Mul")
    return n.emit("SelectV2", [positive, x, scaled])


def _softmax(n: Node, ge_type: str, default: int, flatten: bool) -> Outputs:
    given = n.int("axis", default)
    shape = n.shape()
    if not flatten:
        if shape is not None:
            given = n.axis(given, len(shape))
        return n.emit(ge_type, [n.x()], {"axes": [given]})
    if shape is None:
        raise Refused("the rank must be known where the axes are flattened (opset < 13)")
    rank = len(shape)
    # An axis equal to the rank leaves rows of one element: everything becomes 1 (or log 1).
    first = given + rank if given < 0 else given
    if not 0 <= first <= rank:
        raise Refused(f"axis {given} is out of range for rank {rank}", "GX-333")
    axes = [a for a in range(first, rank) if shape[a] != 1] or list(range(first, rank))[:1]
    if len(axes) == 1:
        return n.emit(ge_type, [n.x()], {"axes": axes})
    return _flat_softmax(n, ge_type, first)


def _flat_softmax(n: Node, ge_type: str, first: int) -> Outputs:
    """Joint softmax over all axes from `first` on: through a matrix, as ONNX defines it, or with
    unknown dims, which no Reshape can restore, over a list of axes.
    """
    x = n.x()
    shape = shape_of(x.type)
    assert shape is not None
    rows, columns = _product(shape[:first]), _product(shape[first:])
    if sum(d < 0 for d in shape) > 1:
        if first == len(shape):
            raise Refused("more than one unknown dim and an axis behind the last (opset < 13)")
        return n.emit(ge_type, [x], {"axes": list(range(first, len(shape)))})
    flat = n.reshape(x, [rows, columns], "Flatten")
    soft = n.emit(ge_type, [flat], {"axes": [1]})
    return n.reshape(soft, list(shape), "Restore")


def _product(dims: tuple[int, ...]) -> int:
    total = 1
    for d in dims:
        if d < 0:
            return -1
        total *= d
    return total


@rule("Softmax", "1 11")
def softmax_1(n: Node) -> Outputs:
    """Before opset 13 all axes from `axis` on are normalised together."""
    return _softmax(n, "SoftmaxV2", 1, flatten=True)


@rule("Softmax", "13")
def softmax(n: Node) -> Outputs:
    """SoftmaxV2 over one axis."""
    return _softmax(n, "SoftmaxV2", -1, flatten=False)


@rule("LogSoftmax", "1 11")
def log_softmax_1(n: Node) -> Outputs:
    """LogSoftmaxV2 over all axes from `axis` on, together."""
    return _softmax(n, "LogSoftmaxV2", 1, flatten=True)


@rule("LogSoftmax", "13")
def log_softmax(n: Node) -> Outputs:
    """LogSoftmaxV2 over one axis."""
    return _softmax(n, "LogSoftmaxV2", -1, flatten=False)
