"""Kinds of operator attributes: GE's attribute types and how each is held, written and read.

A kind converts between a Python value (what passes, inference and semantics see) and the MLIR
attribute (what the IR holds), and writes and parses the short text form of design §3.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    f32,
    i1,
    i64,
)
from xdsl.ir import Attribute, TypeAttribute
from xdsl.irdl import AttrConstraint, VerificationContext
from xdsl.utils.exceptions import VerifyException

from ge_dialect.ir.attributes import quote
from ge_dialect.ir.narrow import is_array, is_dense_array, is_float, is_integer

if TYPE_CHECKING:
    from xdsl.parser import Parser


@dataclass(frozen=True)
class Kind:
    """One attribute kind.

    name: GE's name of the kind ("ListInt"); `to_attr` raises TypeError or ValueError for a value
    that does not fit; `accepts` checks an attribute; `write` gives the short text; `parse` reads
    it with an xDSL parser.
    """

    name: str
    accepts: Callable[[Attribute], bool]
    to_attr: Callable[[Any], Attribute]
    to_python: Callable[[Any], Any]
    write: Callable[[Any], str]
    parse: Callable[[Parser], Attribute]


@dataclass(frozen=True)
class KindConstraint(AttrConstraint[Attribute]):
    """IRDL constraint that also names the kind, from which all text tables are made."""

    kind: Kind

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        if not self.kind.accepts(attr):
            raise VerifyException(f"expected an attribute of kind {self.kind.name}, found {attr}")

    def mapping_type_vars(self, type_var_mapping: Any) -> KindConstraint:
        return self


def float_text(value: float) -> str:
    """Shortest decimal with a dot that reads back to the same f32; value must be finite."""
    if not value:  # 0.0 and -0.0 are one key of the memo
        return "-0.0" if math.copysign(1.0, value) < 0 else "0.0"
    return _float_text(value)


@lru_cache(maxsize=65536)
def _float_text(value: float) -> str:
    want = struct.pack("<f", value)
    for digits in range(1, 10):
        text = f"{value:.{digits}g}"
        if struct.pack("<f", f32_round(float(text))) == want:
            break
    else:
        text = repr(value)
    # repr of the short value is nicer than %g's exponent for mid-sized numbers
    text = repr(float(text))
    if "e" in text and "." not in text:
        text = text.replace("e", ".0e")
    return text


def f32_round(value: float) -> float:
    """`value` rounded to the nearest f32 (overflow goes to infinity)."""
    if math.isnan(value) or math.isinf(value):
        return value
    try:
        return struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


# ------------------------------------------------------------------ Python value -> attribute


@lru_cache(maxsize=65536)
def _int_attr(value: int) -> IntegerAttr[IntegerType]:
    return IntegerAttr(value, i64)


def int_to_attr(value: Any) -> Attribute:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"expected an integer, found {value!r}")
    return _int_attr(int(value))


@lru_cache(maxsize=65536)
def _float_attr(text: str) -> FloatAttr[Any]:
    return FloatAttr(float.fromhex(text), f32)


def float_to_attr(value: Any) -> FloatAttr[Any]:
    if isinstance(value, str | bytes):
        raise TypeError(f"expected a float, found {value!r}")
    number = f32_round(float(value))
    if math.isfinite(number):
        return _float_attr(number.hex())
    return FloatAttr(number, f32)


_BOOLS = (IntegerAttr(0, i1), IntegerAttr(1, i1))


def bool_to_attr(value: Any) -> Attribute:
    if value is True or value is False or value in (0, 1):
        return _BOOLS[int(value)]
    raise TypeError(f"expected true or false, found {value!r}")


@lru_cache(maxsize=65536)
def _str_attr(value: str) -> StringAttr:
    return StringAttr(value)


def string_to_attr(value: Any) -> Attribute:
    if isinstance(value, bytes):
        value = value.decode("utf-8", "surrogateescape")
    if not isinstance(value, str):
        raise TypeError(f"expected a string, found {value!r}")
    return _str_attr(value)


@lru_cache(maxsize=65536)
def _ints_attr(values: tuple[int, ...]) -> DenseArrayBase[Any]:
    return DenseArrayBase.from_list(i64, values)


def ints_to_attr(value: Any) -> Attribute:
    if isinstance(value, str | bytes) or not hasattr(value, "__iter__"):
        raise TypeError(f"expected a list of integers, found {value!r}")
    out: list[int] = []
    for v in value:
        if isinstance(v, bool) or not hasattr(v, "__index__"):
            raise TypeError(f"expected a list of integers, found {value!r}")
        out.append(int(v))
    return _ints_attr(tuple(out))


def floats_to_attr(value: Any) -> Attribute:
    if isinstance(value, str | bytes) or not hasattr(value, "__iter__"):
        raise TypeError(f"expected a list of floats, found {value!r}")
    return ArrayAttr([float_to_attr(v) for v in value])


def _list_to_attr(item: Callable[[Any], Attribute]) -> Callable[[Any], Attribute]:
    def convert(value: Any) -> Attribute:
        if isinstance(value, str | bytes) or not hasattr(value, "__iter__"):
            raise TypeError(f"expected a list, found {value!r}")
        return ArrayAttr([item(v) for v in value])

    return convert


def type_to_attr(value: Any) -> Attribute:
    if isinstance(value, str):
        from ge_dialect.dtypes import to_xdsl

        return to_xdsl(value)
    if isinstance(value, TypeAttribute):
        return value
    raise TypeError(f"expected an element type, found {value!r}")


def any_to_attr(value: Any) -> Attribute:
    if isinstance(value, Attribute):
        return value
    raise TypeError(f"expected an attribute, found {value!r}")


def tensor_to_attr(value: Any) -> Attribute:
    if isinstance(value, Attribute):
        return value
    from ge_dialect.ir.dense import dense_from_numpy

    return dense_from_numpy(value)


# ------------------------------------------------------------------------------------ accepts


def _is_int(attr: Attribute) -> bool:
    return is_integer(attr) and attr.type == i64


def _is_bool(attr: Attribute) -> bool:
    return is_integer(attr) and attr.type == i1


def _is_float(attr: Attribute) -> bool:
    return is_float(attr) and attr.type == f32


def _is_ints(attr: Attribute) -> bool:
    return is_dense_array(attr) and attr.elt_type == i64


def _is_list(item: Callable[[Attribute], bool]) -> Callable[[Attribute], bool]:
    return lambda attr: is_array(attr) and all(item(a) for a in attr.data)


def _is_tensor(attr: Attribute) -> bool:
    from xdsl.dialects.builtin import DenseIntOrFPElementsAttr

    from ge_dialect.ir.attributes import WeightAttr

    return isinstance(attr, DenseIntOrFPElementsAttr | WeightAttr)


# -------------------------------------------------------------------------------------- text


def write_attr(attr: Attribute) -> str:
    """Ordinary MLIR text of an attribute, memoised on it."""
    text = attr.__dict__.get("ge_written")
    if text is None:
        from ge_dialect.ir.dense import attribute_text

        text = vars(attr)["ge_written"] = attribute_text(attr)
    return text


def write_float(attr: Any) -> str:
    value = attr.value.data
    if math.isfinite(value):
        return float_text(value)
    return write_attr(attr)


def _write_ints(attr: Any) -> str:
    text = attr.__dict__.get("ge_short")
    if text is None:
        text = "[" + ", ".join(map(str, attr.get_values())) + "]"
        attr.__dict__["ge_short"] = text
    return text


def _write_list(item: Callable[[Any], str]) -> Callable[[Any], str]:
    return lambda attr: "[" + ", ".join(item(a) for a in attr.data) + "]"


def _parse_float(p: Parser) -> Attribute:
    attr = p.parse_attribute()
    if is_float(attr) and attr.type == f32:
        return attr
    if is_float(attr) or isinstance(attr, IntegerAttr):
        made = float_to_attr(attr.value.data)
        if math.isinf(made.value.data) and not math.isinf(attr.value.data):
            p.raise_error(f"{attr.value.data} does not fit f32")
        return made
    p.raise_error(f"expected a float, found {attr}")


def _parse_int(p: Parser) -> Attribute:
    return int_to_attr(p.parse_integer(allow_boolean=False))


def _parse_ints(p: Parser) -> Attribute:
    return ints_to_attr(
        p.parse_comma_separated_list(
            p.Delimiter.SQUARE, lambda: p.parse_integer(allow_boolean=False)
        )
    )


def _parse_list(item: Callable[[Parser], Attribute]) -> Callable[[Parser], Attribute]:
    return lambda p: ArrayAttr(p.parse_comma_separated_list(p.Delimiter.SQUARE, lambda: item(p)))


def _parse_bool(p: Parser) -> Attribute:
    return _BOOLS[int(p.parse_boolean())]


def _parse_string(p: Parser) -> Attribute:
    return _str_attr(p.parse_str_literal())


def _write_bool(attr: Any) -> str:
    return "true" if attr.value.data else "false"


def _write_string(attr: Any) -> str:
    return quote(attr.data)


def _write_int(attr: Any) -> str:
    return str(attr.value.data)


def _int_value(attr: Any) -> int:
    return attr.value.data


def _float_value(attr: Any) -> float:
    return attr.value.data


def _bool_value(attr: Any) -> bool:
    return bool(attr.value.data)


def _str_value(attr: Any) -> str:
    return attr.data


def _ints_value(attr: Any) -> tuple[int, ...]:
    values = attr.__dict__.get("ge_values")
    if values is None:
        values = attr.__dict__["ge_values"] = tuple(attr.get_values())
    return values


def _list_value(item: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda attr: tuple([item(a) for a in attr.data])


def _same(attr: Any) -> Any:
    return attr


def _is_type(attr: Attribute) -> bool:
    return isinstance(attr, TypeAttribute)


INT = Kind("Int", _is_int, int_to_attr, _int_value, _write_int, _parse_int)
BOOL = Kind("Bool", _is_bool, bool_to_attr, _bool_value, _write_bool, _parse_bool)
FLOAT = Kind("Float", _is_float, float_to_attr, _float_value, write_float, _parse_float)
STRING = Kind(
    "String",
    lambda a: isinstance(a, StringAttr),
    string_to_attr,
    _str_value,
    _write_string,
    _parse_string,
)
INTS = Kind("ListInt", _is_ints, ints_to_attr, _ints_value, _write_ints, _parse_ints)
TYPE = Kind("Type", _is_type, type_to_attr, _same, write_attr, lambda p: p.parse_type())
ANY = Kind("Any", lambda a: True, any_to_attr, _same, write_attr, lambda p: p.parse_attribute())
TENSOR = Kind(
    "Tensor", _is_tensor, tensor_to_attr, _same, write_attr, lambda p: p.parse_attribute()
)


def _list_kind(name: str, item: Kind) -> Kind:
    return Kind(
        name,
        _is_list(item.accepts),
        _list_to_attr(item.to_attr),
        _list_value(item.to_python),
        _write_list(item.write),
        _parse_list(item.parse),
    )


FLOATS = _list_kind("ListFloat", FLOAT)
BOOLS = _list_kind("ListBool", BOOL)
STRINGS = _list_kind("ListString", STRING)
TYPES = _list_kind("ListType", TYPE)
LIST_INTS = _list_kind("ListListInt", INTS)

#: All kinds by GE's name.
KINDS: dict[str, Kind] = {
    k.name: k
    for k in (
        INT,
        BOOL,
        FLOAT,
        STRING,
        INTS,
        FLOATS,
        BOOLS,
        STRINGS,
        TYPES,
        LIST_INTS,
        TYPE,
        TENSOR,
        ANY,
    )
}
