"""ONNX exports: elementwise operators of one, two and three inputs."""

from __future__ import annotations

import math
from typing import Any

from ge_dialect.dtypes import bits, from_enum, ge_name, is_float, to_xdsl
from ge_dialect.exporters.onnx_graph import dtypes_of
from ge_dialect.exporters.onnx_node import Out
from ge_dialect.exporters.onnx_rules import Results, add_export, export
from ge_dialect.exporters.onnx_tensor import onnx_number
from ge_dialect.exporters.onnx_values import NoCounterpart, Val
from ge_dialect.ir.types import elem_of, shape_of

#: Operators that ONNX has under the same or another name, without attributes.
SAME: dict[str, str] = {
    "Abs": "Abs",
    "Acos": "Acos",
    "Acosh": "Acosh",
    "Asin": "Asin",
    "Asinh": "Asinh",
    "Atan": "Atan",
    "Atanh": "Atanh",
    "BitwiseAnd": "BitwiseAnd",
    "BitwiseOr": "BitwiseOr",
    "BitwiseXor": "BitwiseXor",
    "Ceil": "Ceil",
    "Cos": "Cos",
    "Cosh": "Cosh",
    "Equal": "Equal",
    "Erf": "Erf",
    "Floor": "Floor",
    "Greater": "Greater",
    "GreaterEqual": "GreaterOrEqual",
    "GuaranteeConst": "Identity",
    "HardSwish": "HardSwish",
    "Identity": "Identity",
    "Invert": "BitwiseNot",
    "IsInf": "IsInf",
    "IsNan": "IsNaN",
    "Less": "Less",
    "LessEqual": "LessOrEqual",
    "LogicalAnd": "And",
    "LogicalNot": "Not",
    "LogicalOr": "Or",
    "MatrixDeterminant": "Det",
    "Maximum": "Max",
    "MemcpyAsync": "Identity",
    "Minimum": "Min",
    "Mish": "Mish",
    "Neg": "Neg",
    "PlaceholderWithDefault": "Identity",
    "Pow": "Pow",
    "PreventGradient": "Identity",
    "Reciprocal": "Reciprocal",
    "Relu": "Relu",
    "Rint": "Round",
    "Sigmoid": "Sigmoid",
    "Sign": "Sign",
    "Sin": "Sin",
    "Sinh": "Sinh",
    "Softplus": "Softplus",
    "Softsign": "Softsign",
    "Sqrt": "Sqrt",
    "StopGradient": "Identity",
    "Sub": "Sub",
    "Tan": "Tan",
    "Tanh": "Tanh",
    "TensorMove": "Identity",
}


def _operands(n: Out) -> list[Val]:
    """All inputs in one element type: the result's, or for answers one that holds them."""
    values = [n.x(i) for i in range(len(n.args))]
    if len({v.elem for v in values}) == 1:
        return values
    common = elem_of(n.result())
    if ge_name(common) == "bool":
        names = {ge_name(v.elem) for v in values}
        floats = any(is_float(v.elem) for v in values)
        common = to_xdsl("float64" if "float64" in names else "float32" if floats else "int64")
    return [n.cast(v, common) for v in values]


def _wide(n: Out) -> list[Val]:
    """All inputs to compute with in several steps: narrow floats as f32."""
    narrow = ("float16", "bfloat16")
    return [n.cast(v, "float32") if ge_name(v.elem) in narrow else v for v in _operands(n)]


def _same(onnx_type: str):
    def run(n: Out) -> Results:
        return n.emit(onnx_type, _operands(n))

    run.__doc__ = f"{onnx_type}."
    return run


for _ge_type, _onnx_type in SAME.items():
    add_export(_ge_type, _same(_onnx_type))


def _is_bool(n: Out) -> bool:
    return n.dtype(0) == n.dtype(1) == "bool"


@export("Add")
def add(n: Out) -> Results:
    """Add; Or of booleans."""
    return n.emit("Or" if _is_bool(n) else "Add", _operands(n))


@export("Mul")
def mul(n: Out) -> Results:
    """Mul; And of booleans."""
    return n.emit("And" if _is_bool(n) else "Mul", _operands(n))


@export("NotEqual")
def not_equal(n: Out) -> Results:
    """Not of Equal; Xor of booleans."""
    if _is_bool(n):
        return n.emit("Xor", _operands(n))
    return n.emit("Not", [n.emit("Equal", _operands(n))])


@export("Div", "RealDiv", "TruncateDiv")
def div(n: Out) -> Results:
    """Div, which truncates integers; TruncateDiv of floats is rounded toward zero."""
    y = n.emit("Div", _operands(n))
    if n.op.ge_type != "TruncateDiv" or not is_float(y.elem):
        return y
    return n.emit("Mul", [n.emit("Sign", [y]), n.emit("Floor", [n.emit("Abs", [y])])])


@export("DivNoNan")
def div_no_nan(n: Out) -> Results:
    """Div, with zero where the divisor is zero."""
    x, y = _operands(n)
    zero = n.emit("Equal", [y, n.like(0, y, "zero")])
    safe = n.emit("Where", [zero, n.like(1, y, "one"), y], "Safe")
    return n.emit("Where", [zero, n.like(0, y, "none"), n.emit("Div", [x, safe])])


def _floor_mod(n: Out, a: Val, b: Val) -> Val:
    """Remainder with the sign of the divisor; ONNX's Mod has it for integers only."""
    if not is_float(a.elem):
        return n.emit("Mod", [a, b])
    rest = n.emit("Mod", [a, b], "Remainder", fmod=1)
    zero = n.like(0, rest, "zero")
    signs = [n.emit("Less", [v, zero], "Negative") for v in (rest, b)]
    there = n.emit("Not", [n.emit("Equal", [rest, zero])])
    other = n.emit("And", [there, n.emit("Xor", signs)])
    return n.emit("Where", [other, n.emit("Add", [rest, b]), rest])


@export("FloorMod")
def floor_mod(n: Out) -> Results:
    """Mod, corrected for floats, whose remainder has the dividend's sign in ONNX."""
    return _floor_mod(n, *_operands(n))


@export("FloorDiv")
def floor_div(n: Out) -> Results:
    """Floor of Div; for integers the dividend less Mod, divided."""
    a, b = _operands(n)
    if is_float(a.elem):
        return n.emit("Floor", [n.emit("Div", [a, b])])
    return n.emit("Div", [n.emit("Sub", [a, n.emit("Mod", [a, b])]), b])


@export("Mod")
def mod(n: Out) -> Results:
    """Mod with fmod = 1: the dividend's sign."""
    return n.emit("Mod", _operands(n), fmod=1)


@export("SquaredDifference")
def squared_difference(n: Out) -> Results:
    """Sub, then Mul with itself."""
    d = n.emit("Sub", _wide(n))
    return n.emit("Mul", [d, d])


@export("Square")
def square(n: Out) -> Results:
    """Mul with itself."""
    return n.emit("Mul", [n.x(), n.x()])


@export("Rsqrt")
def rsqrt(n: Out) -> Results:
    """Reciprocal of Sqrt."""
    return n.emit("Reciprocal", [n.emit("Sqrt", [n.wide()])])


@export("Expm1")
def expm1(n: Out) -> Results:
    """2 · sinh(x / 2) · exp(x / 2), which does not cancel near zero; Exp less 1 further out."""
    return expm1_of(n, n.wide())


def expm1_of(n: Out, x: Val) -> Val:
    """Expm1 of a value."""
    half = n.binary("Mul", x, 0.5, "Half")
    near = n.emit("Mul", [n.emit("Sinh", [half]), n.emit("Exp", [half])])
    near = n.binary("Mul", near, 2.0, "Twice")
    far = n.binary("Sub", n.emit("Exp", [x]), 1.0, "Far")
    return n.emit(
        "Where", [n.emit("Greater", [n.emit("Abs", [x]), n.like(1, x, "one")]), far, near]
    )


@export("Log1p")
def log1p(n: Out) -> Results:
    """x · log(u) / (u - 1) with u = 1 + x; x itself where u is 1."""
    return log1p_of(n, n.wide())


def log1p_of(n: Out, x: Val) -> Val:
    """Log1p of a value."""
    u = n.binary("Add", x, 1.0)
    small = n.emit("Equal", [u, n.like(1.0, x, "one")])
    d = n.emit("Where", [small, n.like(1.0, x, "safe"), n.binary("Sub", u, 1.0)], "Difference")
    ratio = n.emit("Div", [n.emit("Mul", [x, n.emit("Log", [u])]), d])
    inf = n.emit("IsInf", [x], detect_negative=0)
    return n.emit("Where", [n.emit("Or", [small, inf]), x, ratio])


def _affine(n: Out) -> Val:
    x = n.wide()
    if n.attrs["scale"] != 1.0:
        x = n.binary("Mul", x, n.attrs["scale"], "Scale")
    return n.binary("Add", x, n.attrs["shift"], "Shift") if n.attrs["shift"] != 0.0 else x


@export("Exp")
def exp(n: Out) -> Results:
    """Exp; a base other than e is Pow."""
    x = _affine(n)
    if n.attrs["base"] == -1.0:
        return n.emit("Exp", [x])
    return n.emit("Pow", [n.like(n.attrs["base"], x, "base"), x])


@export("Log")
def log(n: Out) -> Results:
    """Log; a base other than e divides by its logarithm."""
    y = n.emit("Log", [_affine(n)])
    if n.attrs["base"] == -1.0:
        return y
    return n.binary("Div", y, math.log(n.attrs["base"]), "Base")


@export("Round")
def round_(n: Out) -> Results:
    """Round, which goes to even; of integers Identity. Decimals scale before and after."""
    decimals = n.attrs["decimals"]
    if not n.is_float():
        if decimals < 0:
            raise NoCounterpart("integers are not rounded to tens")
        return n.emit("Identity", [n.x()])
    if not decimals:
        return n.emit("Round", [n.x()])
    ten = 10.0 ** abs(decimals)
    up, down = ("Mul", "Div") if decimals > 0 else ("Div", "Mul")
    return n.binary(down, n.emit("Round", [n.binary(up, n.x(), ten, "Up")]), ten, "Down")


@export("IsFinite")
def is_finite(n: Out) -> Results:
    """Not of IsInf or IsNaN; true for whole numbers."""
    x = n.x()
    if not n.is_float():
        return n.emit("Equal", [x, x])
    return n.emit("Not", [n.emit("Or", [n.emit("IsInf", [x]), n.emit("IsNaN", [x])])])


def _number(n: Out, x: Val, value: float, role: str) -> Val:
    """A float attribute as a scalar, truncated into the range of x where that holds integers."""
    if is_float(x.elem):
        return n.like(value, x, role)
    import numpy as np

    from ge_dialect.dtypes import numpy_dtype
    from ge_dialect.semantics.numerics import cast

    return n.constant(cast(np.asarray(value), numpy_dtype(x.elem)), role, x.elem)


@export("Adds")
def adds(n: Out) -> Results:
    """Add of a constant."""
    return n.emit("Add", [n.x(), _number(n, n.x(), n.attrs["value"], "value")])


@export("Muls")
def muls(n: Out) -> Results:
    """Mul with a constant."""
    return n.emit("Mul", [n.x(), _number(n, n.x(), n.attrs["value"], "value")])


@export("Axpy")
def axpy(n: Out) -> Results:
    """x1 + alpha · x2."""
    b = n.wide(1)
    scaled = n.emit("Mul", [b, _number(n, b, n.attrs["alpha"], "alpha")])
    return n.emit("Add", [n.wide(0), scaled])


@export("FusedMulAdd")
def fused_mul_add(n: Out) -> Results:
    """Mul, then Add."""
    a, b, c = _wide(n)
    return n.emit("Add", [n.emit("Mul", [a, b]), c])


@export("AddN", "AccumulateNV2")
def add_n(n: Out) -> Results:
    """Sum; Adds for whole numbers, which ONNX's Sum does not take."""
    if len(n.xs()) == 1 or ge_name(n.xs()[0].elem) in dtypes_of("Sum", n.opset, "T"):
        return n.emit("Sum", n.xs())
    total, *rest = n.xs()
    for x in rest:
        total = n.emit("Add", [total, x])
    return total


@export("Atan2")
def atan2(n: Out) -> Results:
    """Atan of the quotient, moved by pi into the quadrant of (x1, x2), with C's signs of zero."""
    y, x = _wide(n)
    zero = n.like(0, x, "zero")

    def below(v: Val) -> Val:  # -0.0 counts
        signs = [n.emit("Less", [w, zero]) for w in (v, n.emit("Reciprocal", [v]))]
        return n.emit("Or", signs)

    both = n.emit("And", [n.emit("IsInf", [x]), n.emit("IsInf", [y])])
    top, under = (n.emit("Where", [both, n.emit("Sign", [v]), v]) for v in (y, x))
    base = n.emit("Atan", [n.emit("Div", [top, under])])
    turn = n.emit("Where", [below(y), n.like(-math.pi, x, "down"), n.like(math.pi, x, "up")])
    left = below(x)
    found = n.emit("Where", [left, n.emit("Add", [base, turn]), base])
    right = n.emit("Mul", [n.emit("Sign", [y]), n.like(math.pi / 2, x, "right")])
    found = n.emit("Where", [n.emit("Equal", [x, zero]), right, found])
    flat = n.emit("Where", [left, turn, y])
    found = n.emit("Where", [n.emit("Equal", [y, zero]), flat, found])
    return n.emit("Where", [n.emit("IsNaN", [x]), x, found])


@export("ClipByValue", "ClipByValueV2")
def clip_by_value(n: Out) -> Results:
    """Clip; Max and Min where the bounds are no scalars, which ONNX's are."""
    bounds = []
    for i in (1, 2):
        shape = n.shape(i)
        if shape == (1,):
            bounds.append(n.reshape(n.x(i), [], "Scalar"))
        elif shape == ():
            bounds.append(n.x(i))
    if len(bounds) == 2:
        return n.emit("Clip", [n.x(0), *bounds])
    return n.emit("Min", [n.emit("Max", [n.x(0), n.x(1)]), n.x(2)])


@export("Cast")
def cast(n: Out) -> Results:
    """Cast; a float outside the range of an integer, which GE saturates, is undefined in ONNX."""
    target = from_enum(n.attrs["dst_type"])
    if n.elem() == target:
        return n.emit("Identity", [n.x()])
    more: dict[str, Any] = {}
    if ge_name(target).startswith("float8"):
        more["saturate"] = 0
    if ge_name(target) == "float8_e8m0" and n.is_float():
        more["round_mode"] = "nearest"
    return n.emit("Cast", [n.x()], elem=target, to=onnx_number(target), **more)


@export("SelectV2")
def select_v2(n: Out) -> Results:
    """Where."""
    return n.emit("Where", [n.x(0), n.x(1), n.x(2)])


@export("Select")
def select(n: Out) -> Results:
    """Where; a vector of conditions is laid along the first axis."""
    cond, rank = n.x(0), n.rank(1)
    if n.shape(0) is not None and n.rank(0) == 1 and rank > 1:
        cond = n.unsqueeze(cond, range(1, rank))
    return n.emit("Where", [cond, n.x(1), n.x(2)])


@export("MaskedFill")
def masked_fill(n: Out) -> Results:
    """Where with the value as a scalar."""
    value = n.x(2) if n.shape(2) == () else n.reshape(n.x(2), [], "Scalar")
    return n.emit("Where", [n.x(1), value, n.x(0)])


def _shift(n: Out, direction: str) -> Results:
    """BitShift, which before opset 28 takes unsigned numbers only, by less than their width."""
    x, count = n.x(0), n.x(1)
    if n.opset >= 28:
        return n.emit("BitShift", [x, count], direction=direction)
    if not n.dtype().startswith("uint"):
        return _signed_shift(n, direction)
    width = n.like(bits(n.elem()), count, "width")
    if (held := n.const(1)) is not None and bool((held < int(width.array())).all()):
        return n.emit("BitShift", [x, count], direction=direction)
    gone = n.emit("GreaterOrEqual", [count, width])
    safe = n.emit("Where", [gone, n.like(0, count, "none"), count], "Count")
    y = n.emit("BitShift", [x, safe], direction=direction)
    return n.emit("Where", [gone, n.like(0, x, "zero"), y])


def _signed_shift(n: Out, direction: str) -> Results:
    """A product with a power of two, or a quotient rounded down."""
    held = n.const(1)
    if held is None:
        raise NoCounterpart("signed numbers are shifted by constants only")
    width = bits(n.elem())
    x = n.cast(n.x(0), "int64") if width < 64 else n.x(0)
    if bool((held < 0).any()) or bool((held >= min(width, 63)).any()):
        raise NoCounterpart("a shift reaches beyond the width")
    import numpy as np

    power = n.constant(np.int64(1) << held.astype(np.int64), "power", x.elem)
    if direction == "LEFT":
        return n.emit("Mul", [x, power])
    return n.emit("Div", [n.emit("Sub", [x, n.emit("Mod", [x, power])]), power])


@export("LeftShift")
def left_shift(n: Out) -> Results:
    """BitShift of unsigned numbers, a product for signed ones."""
    return _shift(n, "LEFT")


@export("RightShift")
def right_shift(n: Out) -> Results:
    """BitShift of unsigned numbers, a floored quotient for signed ones."""
    return _shift(n, "RIGHT")


@export("Bitcast")
def bitcast(n: Out) -> Results:
    """BitCast (from opset 26) to a type of the same size."""
    target = n.attrs["type"]
    if bits(target) != bits(n.elem()):
        raise NoCounterpart("BitCast needs types of one size")
    return n.emit("BitCast", [n.x()], elem=target, to=onnx_number(target))


@export("TransData")
def trans_data(n: Out) -> Results:
    """Nothing: a layout is storage only."""
    return n.x()


@export("Data")
def data(n: Out) -> Results:
    """Nothing: the input itself."""
    return n.x()


@export("Reinterpret")
def reinterpret(n: Out) -> Results:
    """Nothing, or Reshape to the declared shape."""
    if n.elem() != elem_of(n.result()):
        raise NoCounterpart("bytes are not read as another type")
    shape = shape_of(n.result())
    if shape is None or shape == n.shape():
        return n.x()
    if sum(d < 0 for d in shape) > 1:
        raise NoCounterpart("more than one dim is unknown")
    return n.emit("Reshape", [n.x(), n.constant(list(shape), "dims")], allowzero=int(0 in shape))


@export("NoOp")
def no_op(n: Out) -> Results:
    """Nothing."""
    return []
