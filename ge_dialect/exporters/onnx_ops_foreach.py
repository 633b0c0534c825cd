"""ONNX exports: functions of lists of tensors, a node or a few for each tensor."""

from __future__ import annotations

import math
from collections.abc import Callable

from ge_dialect.dtypes import ge_name, is_float
from ge_dialect.exporters.onnx_node import Out
from ge_dialect.exporters.onnx_ops_elementwise import expm1_of, log1p_of
from ge_dialect.exporters.onnx_rules import Results, add_export, export
from ge_dialect.exporters.onnx_values import NoCounterpart, Val

_UNARY = (
    "Abs Acos Asin Atan Cos Cosh Erf Exp Log Neg Reciprocal Sigmoid Sign Sin Sinh Sqrt Tan Tanh"
)
_PAIRS = {
    "Add": "Add",
    "Sub": "Sub",
    "Mul": "Mul",
    "Div": "Div",
    "Maximum": "Max",
    "Minimum": "Min",
    "Pow": "Pow",
}


def _wide(n: Out, value: Val) -> Val:
    """A narrow float in f32, in which several steps are taken."""
    narrow = is_float(value.elem) and ge_name(value.elem) not in ("float32", "float64")
    return n.cast(value, "float32") if narrow else value


def _lists(n: Out, *places: int) -> list[tuple[Val, ...]]:
    lists = [[_wide(n, v) for v in n.xs(i)] for i in places]
    return list(zip(*lists, strict=True))


def _number(n: Out, index: int, x: Val) -> Val:
    """The one number of an input, in the type of x."""
    return n.reshape(n.cast(n.x(index), x.elem), [], "Number")


def _numbers(n: Out, index: int, xs: list[Val]) -> list[Val]:
    """A number for each tensor."""
    found = []
    for i, x in enumerate(xs):
        one = n.slice(n.reshape(n.x(index), [-1], "Numbers"), i, i + 1, 0, f"Number_{i}")
        found.append(n.reshape(n.cast(one, x.elem), [], f"Scalar_{i}"))
    return found


def _unary(name: str) -> None:
    def run(n: Out) -> Results:
        return [n.emit(name, [x]) for (x,) in _lists(n, 0)]

    run.__doc__ = f"{name} of each tensor."
    add_export(f"Foreach{name}", run)


for _name in _UNARY.split():
    _unary(_name)


@export("ForeachExpm1")
def foreach_expm1(n: Out) -> Results:
    """As Expm1, for each tensor."""
    return [expm1_of(n, x) for (x,) in _lists(n, 0)]


@export("ForeachLog1p")
def foreach_log1p(n: Out) -> Results:
    """As Log1p, for each tensor."""
    return [log1p_of(n, x) for (x,) in _lists(n, 0)]


def _logarithm(name: str, base: float) -> None:
    def run(n: Out) -> Results:
        factor = 1 / math.log(base)
        return [n.binary("Mul", n.emit("Log", [x]), factor, "Base") for (x,) in _lists(n, 0)]

    run.__doc__ = f"Log over the logarithm of {base:g}, for each tensor."
    add_export(name, run)


_logarithm("ForeachLog2", 2.0)
_logarithm("ForeachLog10", 10.0)


@export("ForeachCopy")
def foreach_copy(n: Out) -> Results:
    """Identity of each tensor."""
    return [n.emit("Identity", [x]) for x in n.xs(0)]


# --- pairs -----------------------------------------------------------------------------------


def _two(n: Out, op_type: str, a: Val, b: Val) -> Val:
    if op_type in ("Div", "Pow") and not is_float(a.elem):
        raise NoCounterpart("quotients and powers of whole numbers")
    return n.emit(op_type, [a, b])


def _pairs(name: str, op_type: str) -> None:
    def by_one(n: Out) -> Results:
        return [_two(n, op_type, x, _number(n, 1, x)) for (x,) in _lists(n, 0)]

    def by_each(n: Out) -> Results:
        xs = [x for (x,) in _lists(n, 0)]
        return [_two(n, op_type, x, v) for x, v in zip(xs, _numbers(n, 1, xs), strict=True)]

    def by_list(n: Out) -> Results:
        made = []
        for a, b in _lists(n, 0, 1):
            other = n.emit("Mul", [b, _number(n, 2, b)]) if n.has(2) else b
            made.append(_two(n, op_type, a, other))
        return made

    rules: dict[str, tuple[str, Callable[[Out], Results]]] = {
        "Scalar": ("with one number", by_one),
        "ScalarList": ("with a number of its own", by_each),
        "List": ("with the one at its place", by_list),
    }
    for end, (words, run) in rules.items():
        run.__doc__ = f"{op_type} of each tensor {words}."
        add_export(f"Foreach{name}{end}", run)


for _name, _type in _PAIRS.items():
    _pairs(_name, _type)


@export("ForeachPowScalarAndTensor")
def foreach_pow_scalar_and_tensor(n: Out) -> Results:
    """Pow of one number to each tensor."""
    return [_two(n, "Pow", _number(n, 0, x), x) for (x,) in _lists(n, 1)]


# --- sums ------------------------------------------------------------------------------------


def _sums(name: str, op_type: str) -> None:
    def of(n: Out, parts: tuple[Val, ...], value: Val) -> Val:
        base, a, b = parts
        if not is_float(base.elem):
            raise NoCounterpart("whole numbers")
        return n.emit("Add", [base, n.emit(op_type, [n.emit("Mul", [value, a]), b])])

    def by_one(n: Out) -> Results:
        return [of(n, parts, _number(n, 3, parts[0])) for parts in _lists(n, 0, 1, 2)]

    def by_each(n: Out) -> Results:
        groups = _lists(n, 0, 1, 2)
        values = _numbers(n, 3, [g[0] for g in groups])
        return [of(n, g, v) for g, v in zip(groups, values, strict=True)]

    by_one.__doc__ = f"x1 + number · {op_type} of x2 and x3, for each."
    by_each.__doc__ = f"x1 + number · {op_type} of x2 and x3, a number for each."
    add_export(f"Foreach{name}Scalar", by_one)
    add_export(f"Foreach{name}ScalarList", by_each)
    add_export(f"Foreach{name}List", by_each)


_sums("Addcdiv", "Div")
_sums("Addcmul", "Mul")


def _between(n: Out, start: Val, end: Val, weight: Val) -> Val:
    return n.emit("Add", [start, n.emit("Mul", [weight, n.emit("Sub", [end, start])])])


@export("ForeachLerpScalar")
def foreach_lerp_scalar(n: Out) -> Results:
    """start + weight · (end - start), one weight."""
    return [_between(n, a, b, _number(n, 2, a)) for a, b in _lists(n, 0, 1)]


@export("ForeachLerpList")
def foreach_lerp_list(n: Out) -> Results:
    """start + weight · (end - start), a weight for each element."""
    return [_between(n, a, b, w) for a, b, w in _lists(n, 0, 1, 2)]


@export("ForeachNorm")
def foreach_norm(n: Out) -> Results:
    """ReduceL1, ReduceL2 or ReduceMax of sizes, for a constant order."""
    order = n.const(1)
    p = float(order.reshape(-1)[0]) if order is not None and order.size == 1 else math.nan
    kind = {1.0: "ReduceL1", 2.0: "ReduceL2"}.get(p)
    if kind is None:
        raise NoCounterpart("norms of orders other than 1 and 2")
    return [n.emit(kind, [x], keepdims=0) for (x,) in _lists(n, 0)]


@export("ForeachRoundOffNumber")
def foreach_round_off_number(n: Out) -> Results:
    """Round, Floor or Ceil; halves away from zero and towards zero by sizes and signs."""
    mode = n.need_ints(1, "roundMode")[0]
    plain = {1: "Round", 2: "Floor", 3: "Ceil"}
    if mode not in (*plain, 4, 5):
        raise NoCounterpart("roundMode is not supported")
    made = []
    for (x,) in _lists(n, 0):
        if mode in plain:
            made.append(n.emit(plain[mode], [x]))
            continue
        size = n.emit("Abs", [x])
        down = n.emit("Floor", [size])
        if mode == 4:
            half = n.binary("GreaterOrEqual", n.emit("Sub", [size, down], "Part"), 0.5, "Half")
            down = n.emit("Add", [down, n.cast(half, x.elem)], "Up")
        made.append(n.emit("Mul", [n.emit("Sign", [x]), down]))
    return made
