"""Dense literals to text; the rules stand in `ge_dialect.ir.dense`."""

from __future__ import annotations

import math
import struct
from functools import lru_cache
from io import StringIO
from typing import Any

from xdsl.dialects.builtin import (
    AnyFloat,
    ComplexType,
    DenseIntOrFPElementsAttr,
    IntegerType,
)
from xdsl.ir import Attribute

from ge_dialect.ir.attributes import quote
from ge_dialect.ir.narrow import is_dense, is_integer_type

INLINE_LIMIT = 64
"""Constants of more elements than this belong into the weight store."""

# Decimal digits to try, per width, before falling back to bytes.  The last entry always suffices
# for a finite value of that format.
_DIGITS = {8: (2, 3, 4), 16: (3, 4, 5), 32: (6, 7, 8, 9), 64: (15, 16, 17)}


def _dotted(text: str) -> str:
    """MLIR lexes a float only if it has a dot: ``1e-05`` becomes ``1.0e-05``."""
    if "." in text:
        return text
    mantissa, e, exponent = text.partition("e")
    return f"{mantissa}.0{e}{exponent}"


def short_decimal(value: float, elem: AnyFloat) -> str | None:
    """A decimal that reads back to exactly `value` in the float type `elem`, or None.

    NaN and infinities have none; for finite values digits are added until the bits agree.
    """
    if not math.isfinite(value):
        return None
    if value == int(value) and abs(value) < 1e6:  # common, and the same in every format
        return f"{int(value)}.0" if value or math.copysign(1.0, value) > 0 else "-0.0"
    want = elem.pack((value,))
    for digits in _DIGITS.get(elem.bitwidth, (17,)):
        text = _dotted(f"{value:.{digits}g}")
        try:
            if elem.pack((float(text),)) == want:
                return text
        except OverflowError:  # rounding up left the range of the format
            continue
    return None


def _int_text(value: int, elem: Attribute) -> str:
    if is_integer_type(elem) and elem.width.data == 1:
        return "true" if value else "false"
    return str(value)


def _element_texts(attr: DenseIntOrFPElementsAttr, data: bytes) -> list[str] | None:
    """The elements of `data` as decimals, or None when one of them has none."""
    elem = attr.type.element_type
    try:
        values: list[Any] = list(elem.iter_unpack(data))
    except (NotImplementedError, struct.error):
        return None
    if isinstance(elem, ComplexType):
        part = elem.element_type
        pairs: list[str] = []
        for re_im in values:
            texts = [
                short_decimal(v, part) if isinstance(part, AnyFloat) else _int_text(v, part)
                for v in re_im
            ]
            if None in texts:
                return None
            pairs.append(f"({texts[0]}, {texts[1]})")
        return pairs
    if isinstance(elem, AnyFloat):
        memo: dict[float, str | None] = {}
        out: list[str] = []
        for v in values:
            # 0.0 and -0.0 are equal as keys, so zeros are not memoised
            text = memo.get(v) if v else None
            if text is None:
                text = short_decimal(v, elem)
                if text is None:
                    return None
                memo[v] = text
            out.append(text)
        return out
    return [_int_text(v, elem) for v in values]


def _nested(texts: list[str], shape: tuple[int, ...]) -> str:
    if not shape:
        return texts[0]
    for dim in reversed(shape[1:]):
        texts = ["[" + ", ".join(texts[i : i + dim]) + "]" for i in range(0, len(texts), dim)]
    return "[" + ", ".join(texts) + "]"


def dense_body(attr: DenseIntOrFPElementsAttr) -> str:
    """``dense<...>`` without the type."""
    data = attr.data.data
    if not data:
        return "dense<>"
    size = attr.type.element_type.compile_time_size
    count = len(data) // size
    first = data[:size]
    splat = count > 1 and data == first * count
    elem = attr.type.element_type
    is_bool = isinstance(elem, IntegerType) and elem.width.data == 1
    if splat:
        texts = _element_texts(attr, first)
        if texts is not None:
            return f"dense<{texts[0]}>"
        return f'dense<"0x{first.hex().upper()}">'
    # Bools of any number stay a list: MLIR packs their bytes form into bits, xDSL does not.
    if count <= INLINE_LIMIT or is_bool:
        texts = _element_texts(attr, data)
        if texts is not None:
            shape = tuple(attr.type.get_shape())
            return f"dense<{_nested(texts, shape)}>"
    return f'dense<"0x{data.hex().upper()}">'


def dense_text(attr: DenseIntOrFPElementsAttr) -> str:
    """The whole attribute, ``dense<[1.0, 2.0]> : tensor<2xf32>``."""
    return f"{dense_body(attr)} : {attr.type}"


@lru_cache(maxsize=1)
def _printer_class() -> type:
    from xdsl.printer import Printer

    class _AttributePrinter(Printer):
        """Stock printing of everything but dense literals, at any depth."""

        def print_attribute(self, attribute: Attribute) -> None:
            if is_dense(attribute):
                self.print_string(dense_body(attribute))
                self.print_string(" : ")
                attribute = attribute.type
            super().print_attribute(attribute)

        def print_string_literal(self, string: str) -> None:
            # as it is: stock xDSL reads escaped bytes above 0x7F back as a bytes attribute
            self.print_string(quote(string))

    return _AttributePrinter


def attribute_text(attr: Attribute) -> str:
    """Ordinary MLIR text of any attribute; dense literals in it survive reading."""
    out = StringIO()
    _printer_class()(out).print_attribute(attr)
    return out.getvalue()
