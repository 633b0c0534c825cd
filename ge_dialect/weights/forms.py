"""Short forms of recipes: how `cast("w", f16)` is written with GE's operators.

Each form takes the positional terms of a call and returns operator type, input terms and
attributes. The reader of element types is passed in.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ge_dialect.weights.recipe import Call, Ref, Word

TypeOf = Callable[[Any], Any]
Form = Callable[[list[Any], TypeOf], tuple[str, list[Any], dict[str, Any]]]


def _plain(op_type: str, count: int) -> Form:
    def make(args: list[Any], type_of: TypeOf) -> tuple[str, list[Any], dict[str, Any]]:
        _count(op_type, args, count)
        return op_type, args, {}

    return make


def _count(name: str, args: list[Any], count: int) -> None:
    if len(args) != count:
        raise ValueError(f"{name} takes {count} arguments, {len(args)} given")


def _ints(values: Any) -> Call:
    """A list of integers as an int64 literal operand."""
    if not isinstance(values, tuple) or not all(type(v) is int for v in values):
        raise ValueError("a list of integers expected")
    if not values:
        return Call("bits", (Ref("0x"), (0,), Word("i64")))
    return Call("const", (values, Word("i64")))


def _cast(args: list[Any], type_of: TypeOf) -> tuple[str, list[Any], dict[str, Any]]:
    from ge_dialect.dtypes import ge_enum

    _count("cast", args, 2)
    return "Cast", args[:1], {"dst_type": ge_enum(type_of(args[1]))}


def _transpose(args: list[Any], type_of: TypeOf) -> tuple[str, list[Any], dict[str, Any]]:
    _count("transpose", args, 2)
    return "TransposeD", args[:1], {"perm": list(args[1])}


def _with_ints(name: str, op_type: str, lists: int) -> Form:
    def make(args: list[Any], type_of: TypeOf) -> tuple[str, list[Any], dict[str, Any]]:
        _count(name, args, 1 + lists)
        return op_type, [args[0], *(_ints(a) for a in args[1:])], {}

    return make


def _concat(args: list[Any], type_of: TypeOf) -> tuple[str, list[Any], dict[str, Any]]:
    _count("concat", args, 2)
    parts, axis = args
    if not isinstance(parts, tuple):
        raise ValueError("a list of tensors expected")
    return "ConcatD", [parts], {"concat_dim": axis, "N": len(parts)}


def _pad(args: list[Any], type_of: TypeOf) -> tuple[str, list[Any], dict[str, Any]]:
    _count("pad", args, 2)
    pairs = args[1]
    flat = Call("const", (pairs, Word("i64")))
    return "Pad", [args[0], flat], {}


def _forms() -> dict[str, Form]:
    forms: dict[str, Form] = {
        "cast": _cast,
        "concat": _concat,
        "pad": _pad,
        "transpose": _transpose,
        "reshape": _with_ints("reshape", "Reshape", 1),
        "broadcast": _with_ints("broadcast", "BroadcastTo", 1),
        "slice": _with_ints("slice", "Slice", 2),
    }
    for name, op_type in {
        "abs": "Abs",
        "exp": "Exp",
        "log": "Log",
        "neg": "Neg",
        "reciprocal": "Reciprocal",
        "rsqrt": "Rsqrt",
        "sqrt": "Sqrt",
    }.items():
        forms[name] = _plain(op_type, 1)
    for name, op_type in {
        "add": "Add",
        "div": "RealDiv",
        "matmul": "MatMulV2",
        "maximum": "Maximum",
        "minimum": "Minimum",
        "mul": "Mul",
        "pow": "Pow",
        "sub": "Sub",
    }.items():
        forms[name] = _plain(op_type, 2)
    return forms


#: Short form -> how to write it with GE's operators.
SHORT: dict[str, Form] = _forms()
