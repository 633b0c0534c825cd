"""Text of dense literals to bytes; the rules stand in `ge_dialect.ir.dense`."""

from __future__ import annotations

import json
import math
import re
import struct
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    ComplexType,
    IndexType,
    IntegerType,
    Signedness,
    TensorType,
)
from xdsl.ir import Attribute

if TYPE_CHECKING:
    from typing_extensions import TypeIs
    from xdsl.dialects.builtin import AnyDenseElement, ShapedType

#: An element as it is read: its text, a number of JSON, or a pair of texts (complex).
_Element: TypeAlias = str | int | float | tuple[str, str]


class DenseError(ValueError):
    """A literal that is malformed or does not fit its type; the message says which."""


_TOKEN = re.compile(r'\s*(?:([\[\](),])|("[^"\\\n]*")|([^\s\[\](),"]+))')
_HEX = re.compile(r"0[xX][0-9a-fA-F]+\Z")
_INT = re.compile(r"-?(?:[0-9]+|0[xX][0-9a-fA-F]+)\Z")
_FLOAT = re.compile(r"-?[0-9]+(?:\.[0-9]*(?:[eE][-+]?[0-9]+)?)?\Z")
_PLAIN = re.compile(r"[-+0-9.eE,\[\]\s]*\Z")
_MAX_RANK = 64


def _fail(message: str) -> NoReturn:
    raise DenseError(message)


def _is_number(elem: object) -> TypeIs[AnyDenseElement]:
    return isinstance(elem, IntegerType | IndexType | AnyFloat | ComplexType)


def _num(shape: tuple[int, ...]) -> int:
    return math.prod(shape)


def _shape_of(type_: Attribute) -> tuple[int, ...]:
    if not isinstance(type_, TensorType) and not hasattr(type_, "get_shape"):
        _fail("a dense literal needs a ranked tensor, vector or memref type")
    shape = cast("ShapedType", type_).get_shape()
    if any(d == DYNAMIC_INDEX or d < 0 for d in shape):
        _fail("a dense literal needs a static shape")
    return shape


def _flatten(tree: Any, depth: int = 0) -> tuple[list[Any], tuple[int, ...]]:
    """Elements and shape of nested lists; ragged ones are refused."""
    if not isinstance(tree, list):
        return [tree], ()
    if depth > _MAX_RANK:
        _fail("the list is nested too deeply")
    rows = cast("list[Any]", tree)
    if not rows:
        return [], (0,)
    if not isinstance(rows[0], list):
        for item in rows:
            if isinstance(item, list):
                _fail("the rows of the list have different lengths")
        return rows, (len(rows),)
    flat: list[Any] = []
    inner: tuple[int, ...] | None = None
    for item in rows:
        values, shape = _flatten(item, depth + 1)
        if not isinstance(item, list) or (inner is not None and shape != inner):
            _fail("the rows of the list have different lengths")
        inner = shape
        flat += values
    assert inner is not None
    return flat, (len(rows), *inner)


def _tokens_to_tree(body: str) -> Any:
    """Nested lists of element texts; a complex element is a pair (tuple) of texts."""
    tokens: list[str] = []
    pos = 0
    body = body.strip()
    while pos < len(body):
        m = _TOKEN.match(body, pos)
        if m is None or m.group(2):
            _fail("expected numbers and brackets in a dense literal")
        tokens.append(m.group(1) or m.group(3))
        pos = m.end()
    at = 0

    def peek() -> str:
        return tokens[at] if at < len(tokens) else ""

    def take(what: str | None = None) -> str:
        nonlocal at
        t = peek()
        if (what is not None and t != what) or not t:
            _fail(f"expected {what or 'a number'} in a dense literal, found {t or 'its end'}")
        at += 1
        return t

    def scalar() -> str:
        t = take()
        if t in "[](),":
            _fail(f"expected a number in a dense literal, found {t}")
        return t

    def item(depth: int) -> Any:
        if depth > _MAX_RANK:
            _fail("the list is nested too deeply")
        if peek() == "(":
            take("(")
            real = scalar()
            take(",")
            imag = scalar()
            take(")")
            return (real, imag)
        if peek() != "[":
            return scalar()
        take("[")
        out: list[Any] = []
        if peek() == "]":
            take("]")
            return out
        while True:
            out.append(item(depth + 1))
            if peek() == ",":
                take(",")
                continue
            take("]")
            return out

    tree = item(0)
    if at != len(tokens):
        _fail(f"unexpected {peek()} after the elements of a dense literal")
    return tree


def _int_value(text: _Element, elem: IntegerType | IndexType) -> int:
    if isinstance(text, str):
        if text in ("true", "false"):
            if not (isinstance(elem, IntegerType) and elem.width.data == 1):
                _fail(f"{text} is a value of i1 only, the element type is {elem}")
            value = int(text == "true")
        elif _INT.match(text):
            value = int(text, 0) if "x" in text or "X" in text else int(text)
        else:
            _fail(f"expected an integer for {elem}, found {text}")
    elif isinstance(text, int):
        value = text
    else:
        _fail(f"expected an integer for {elem}, found {text}")
    if isinstance(elem, IndexType):
        return value
    if value < 0 and elem.signedness.data == Signedness.UNSIGNED:
        _fail(f"{value} is negative, the element type is {elem}")
    try:
        return elem.get_normalized_value(value)
    except ValueError:
        low, high = elem.value_range()
        _fail(f"{value} does not fit {elem}, which takes {low} to {high - 1}")


def _float_bytes(text: _Element, elem: AnyFloat) -> bytes:
    if isinstance(text, str):
        if _HEX.match(text):
            bits = int(text, 16)
            if bits.bit_length() > elem.bitwidth:
                _fail(f"{text} has more bits than {elem}")
            return bits.to_bytes(elem.compile_time_size, "little")
        if not _FLOAT.match(text):
            _fail(f"expected a number for {elem}, found {text}")
        value = float(text)
    elif isinstance(text, tuple):
        _fail(f"expected a number for {elem}, found a complex one")
    else:
        try:
            value = float(text)
        except OverflowError:
            _fail(f"an integer of {len(str(text))} digits does not fit {elem}")
    try:
        out = elem.pack((value,))
    except (OverflowError, struct.error):
        _fail(f"{value} does not fit {elem}")
    if math.isinf(next(iter(elem.iter_unpack(out)))) and not math.isinf(value):
        _fail(f"{value} does not fit {elem}")
    return out


def _pack(values: list[_Element], elem: AnyDenseElement) -> bytes:
    if isinstance(elem, IntegerType | IndexType):
        try:
            return elem.pack([_int_value(v, elem) for v in values])
        except (struct.error, OverflowError):
            _fail(f"a value does not fit {elem}")
    if isinstance(elem, ComplexType):
        part = elem.element_type
        out = bytearray()
        for v in values:
            if not isinstance(v, tuple):
                _fail(f"expected (real, imaginary) for {elem}, found {v}")
            for p in v:
                if isinstance(part, IntegerType):
                    out += part.pack((_int_value(p, part),))
                else:
                    out += _float_bytes(p, part)
        return bytes(out)
    if values and all(type(v) in (int, float) for v in values):
        try:
            data = elem.pack(cast("list[float]", values))
        except (OverflowError, struct.error):  # f16 says the second of a large integer
            data = None
        # 0x7C00-like results of an overflow must not pass silently
        if data is not None and not any(map(math.isinf, elem.iter_unpack(data))):
            return data
    return b"".join([_float_bytes(v, elem) for v in values])


def _no_constant(text: str) -> NoReturn:
    _fail(f"expected a number in a dense literal, found {text}")


def normalise_bytes(data: bytes, elem: AnyDenseElement) -> bytes:
    """Integers narrower than a byte come zero extended from MLIR; xDSL keeps them sign extended."""
    if not isinstance(elem, IntegerType) or elem.width.data >= 8:
        return data
    width = elem.width.data
    mask = (1 << width) - 1
    sign = 0 if elem.signedness.data == Signedness.UNSIGNED else 1 << (width - 1)
    return bytes([(((b & mask) ^ sign) - sign) & 0xFF for b in data])


#: Bytes of the largest constant that is held in memory as an attribute.
MAX_BYTES = 2**32


def parse_dense_body(body: str, type_: Attribute) -> bytes:
    """Bytes of the text between ``dense<`` and ``>`` for a literal of type `type_`.

    Raises `DenseError` for text that is no literal, a shape that differs from the type's, or a
    value that does not fit the element type.
    """
    elem: object = getattr(type_, "element_type", None)
    if not _is_number(elem):
        _fail("a dense literal needs integer, index, float or complex elements")
    shape = _shape_of(type_)
    count = _num(shape)
    try:
        size = elem.compile_time_size
    except NotImplementedError:
        _fail(f"constants of {elem} are not supported")
    if count * size > MAX_BYTES:
        _fail(f"a constant of {type_} is too large for text: put it into a weight")
    body = body.strip()
    if not body:
        if count:
            _fail(f"the type has {count} elements, the literal has none")
        return b""
    if body[0] == '"':
        if len(body) < 4 or body[-1] != '"' or body[1:3] not in ("0x", "0X"):
            _fail('bytes of a dense literal are written "0x…"')
        try:
            data = bytes.fromhex(body[3:-1])
        except ValueError:
            _fail("the bytes of a dense literal are not hexadecimal pairs")
        if len(data) == size:
            data *= count
        if len(data) != count * size:
            _fail(f"the type {type_} takes {count * size} bytes, the literal has {len(data)}")
        return normalise_bytes(data, elem)
    tree: Any
    if _PLAIN.match(body):
        try:
            tree = json.loads(body, parse_constant=_no_constant)
        except DenseError:
            raise
        except RecursionError:
            _fail("the list is nested too deeply")
        except ValueError:  # forms JSON lacks, such as `1.` or `01`, or broken text
            tree = _tokens_to_tree(body)
    else:
        tree = _tokens_to_tree(body)
    values, found = _flatten(tree)
    if found == ():
        return _pack(values, elem) * count
    if found != shape and not (count == 0 and not values):
        _fail(f"the type has the shape {list(shape)}, the literal {list(found)}")
    return _pack(values, elem)
