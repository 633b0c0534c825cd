"""Attribute values of a task: between Python values, xDSL attributes and text.

A task keeps the attributes of its operator by value, not by declaration, so that an executor needs
no operator definitions: integers are `i64`, floats `f32`, everything else what MLIR makes of it.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping
from typing import Any

from xdsl.dialects.builtin import (
    ArrayAttr,
    BytesAttr,
    DenseArrayBase,
    DictionaryAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    f32,
    i64,
)
from xdsl.ir import Attribute

from ge_dialect.ir import kinds

_BOOL = IntegerType(1)
_TRUE = IntegerAttr(-1, _BOOL)
_FALSE = IntegerAttr(0, _BOOL)
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\0D"}


def to_attr(value: object) -> Attribute:
    """The attribute of a bool, int, float, str, nested sequence, dict or attribute."""
    if isinstance(value, Attribute):
        return canonical(value)
    if isinstance(value, bool):
        return _TRUE if value else _FALSE
    if isinstance(value, int):
        return IntegerAttr(value, i64)
    if isinstance(value, float):
        return FloatAttr(value, f32)
    if isinstance(value, str):
        return StringAttr(value)
    if isinstance(value, Mapping):
        return DictionaryAttr({str(k): to_attr(v) for k, v in value.items()})
    if isinstance(value, (list, tuple)):
        return ArrayAttr([to_attr(v) for v in value])
    raise TypeError(f"no attribute for a Python value of type {type(value).__name__}")


def canonical(attr: Attribute) -> Attribute:
    """The one form in which a value is kept: i64 integers, f32 floats, plain arrays."""
    if isinstance(attr, IntegerAttr):
        if attr.type == _BOOL:
            return _TRUE if attr.value.data else _FALSE
        return attr if attr.type == i64 else IntegerAttr(attr.value.data, i64)
    if isinstance(attr, FloatAttr):
        return attr if attr.type == f32 else FloatAttr(attr.value.data, f32)
    if isinstance(attr, ArrayAttr):
        return ArrayAttr([canonical(a) for a in attr.data])
    if isinstance(attr, DenseArrayBase):
        return ArrayAttr([to_attr(v) for v in attr.get_values()])
    if isinstance(attr, BytesAttr):  # xDSL's reading of a string with escapes beyond ASCII
        return StringAttr(attr.data.decode("utf-8", "replace"))
    if isinstance(attr, DictionaryAttr):
        return DictionaryAttr({k: canonical(a) for k, a in attr.data.items()})
    return attr


def to_python(attr: Attribute) -> Any:
    """The Python value of an attribute; tuples for arrays, else the attribute itself."""
    if isinstance(attr, IntegerAttr):
        return bool(attr.value.data) if attr.type == _BOOL else attr.value.data
    if isinstance(attr, FloatAttr):
        return attr.value.data
    if isinstance(attr, StringAttr):
        return attr.data
    if isinstance(attr, ArrayAttr):
        return tuple(to_python(a) for a in attr.data)
    if isinstance(attr, DenseArrayBase):
        return tuple(attr.get_values())
    if isinstance(attr, DictionaryAttr):
        return {k: to_python(a) for k, a in attr.data.items()}
    return attr


def float_text(value: float) -> str:
    """Shortest decimal that reads back to the same f32, always with a dot; bits if not finite."""
    if not math.isfinite(value):
        return f"0x{struct.pack('>f', value).hex().upper()} : f32"
    return kinds.float_text(value)


def string_text(value: str) -> str:
    """A quoted MLIR string."""
    if value.isascii() and value.isprintable() and '"' not in value and "\\" not in value:
        return f'"{value}"'
    return '"' + "".join(_escape(c) for c in value) + '"'


def _escape(char: str) -> str:
    if char in _ESCAPES:
        return _ESCAPES[char]
    if char.isascii() and not char.isprintable():
        return f"\\{ord(char):02X}"
    return char


def value_text(attr: Attribute) -> str:
    """The text of a canonical attribute, without type noise (`1`, `0.5`, `true`, `[1, 2]`)."""
    if isinstance(attr, IntegerAttr):
        if attr.type == _BOOL:
            return "true" if attr.value.data else "false"
        return str(attr.value.data)
    if isinstance(attr, FloatAttr):
        return float_text(attr.value.data)
    if isinstance(attr, StringAttr):
        return string_text(attr.data)
    if isinstance(attr, ArrayAttr):
        return "[" + ", ".join(map(value_text, attr.data)) + "]"
    if isinstance(attr, DictionaryAttr):
        return dict_text(attr.data)
    from ge_dialect.ir.dense import attribute_text

    return attribute_text(attr)


def dict_text(entries: Mapping[str, Attribute]) -> str:
    """`{key = value, …}` in the given order; keys that are no identifiers are quoted."""
    parts = []
    for key, value in entries.items():
        name = key if _is_key(key) else string_text(key)
        parts.append(f"{name} = {value_text(value)}")
    return "{" + ", ".join(parts) + "}"


def _is_key(text: str) -> bool:
    return bool(text) and text.isascii() and all(p.isidentifier() for p in text.split("."))
