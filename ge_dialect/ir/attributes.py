"""Attributes and types that the `ge` dialect adds to MLIR's.

Types: `!ge.ctrl` (order without data), `!ge.ref<tensor<…>>` (a handle to state), and element types
that MLIR lacks (`!ge.string`, `!ge.qint8`, `!ge.hif8` …).
Attributes: `#ge.layout<…>` (how a tensor lies in storage) and `#ge.weight<…>` (a constant by
reference or by recipe).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IntAttr, NoneAttr, StringAttr, TensorType, UnrankedTensorType
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.utils.exceptions import VerifyException

if TYPE_CHECKING:
    from xdsl.parser import AttrParser
    from xdsl.printer import Printer


@irdl_attr_definition
class CtrlType(ParametrizedAttribute, TypeAttribute):
    """`!ge.ctrl`: the type of a node's control output; it carries order and no data."""

    name = "ge.ctrl"


@irdl_attr_definition
class RefType(ParametrizedAttribute, TypeAttribute):
    """`!ge.ref<tensor<4xf32>>`: a handle to state that holds a tensor of that type."""

    name = "ge.ref"

    tensor: Attribute

    def verify(self) -> None:
        if not isinstance(self.tensor, TensorType | UnrankedTensorType):
            raise VerifyException("!ge.ref holds a tensor type")


@irdl_attr_definition
class LayoutAttr(ParametrizedAttribute):
    """`#ge.layout<NC1HWC0, origin = NHWC, groups = 2, c0 = 32>`: storage layout of a tensor.

    Only the format is always written. `origin` is the axis order that the *logical* shape has
    (default NCHW or NCDHW by rank), `groups` the group count of FRACTAL_Z and FRACTAL_Z_3D,
    `c0` the inner block where the element type does not decide it.
    """

    name = "ge.layout"

    format_: StringAttr
    origin_: StringAttr | NoneAttr
    groups_: IntAttr
    c0_: IntAttr | NoneAttr

    @property
    def format(self) -> str:
        """GE's format name, for example "NC1HWC0"."""
        return self.format_.data

    @property
    def origin(self) -> str | None:
        """Axis order of the logical shape where it is not the default, else None."""
        return self.origin_.data if isinstance(self.origin_, StringAttr) else None

    @property
    def groups(self) -> int:
        """Number of convolution groups the layout is made for; 1 without groups."""
        return self.groups_.data

    @property
    def c0(self) -> int | None:
        """Inner block size where it does not follow from the element type, else None."""
        return self.c0_.data if isinstance(self.c0_, IntAttr) else None

    def verify(self) -> None:
        from ge_dialect.dtypes import FORMATS

        if self.format not in FORMATS:
            raise VerifyException(f"unknown format {self.format!r} in #ge.layout")
        if self.origin is not None and self.origin not in FORMATS:
            raise VerifyException(f"unknown origin format {self.origin!r} in #ge.layout")
        if self.groups < 1:
            raise VerifyException("groups of #ge.layout must be at least 1")
        if self.c0 is not None and self.c0 < 1:
            raise VerifyException("c0 of #ge.layout must be at least 1")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        fields: dict[str, Attribute] = {}
        with parser.in_angle_brackets():
            fmt = StringAttr(parser.parse_identifier())
            while parser.parse_optional_punctuation(","):
                key = parser.parse_identifier()
                parser.parse_punctuation("=")
                if key in fields:
                    parser.raise_error(f"field {key!r} of #ge.layout is given twice")
                if key == "origin":
                    fields[key] = StringAttr(parser.parse_identifier())
                elif key in ("groups", "c0"):
                    fields[key] = IntAttr(parser.parse_integer(allow_boolean=False))
                else:
                    parser.raise_error(
                        f"#ge.layout has no field {key!r}; expected origin, groups or c0"
                    )
        return [
            fmt,
            fields.get("origin", NoneAttr()),
            fields.get("groups", IntAttr(1)),
            fields.get("c0", NoneAttr()),
        ]

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(f"<{self.ge_text()}>")

    def ge_text(self) -> str:
        """The text between the angle brackets, canonical."""
        text = self.format
        if self.origin is not None:
            text += f", origin = {self.origin}"
        if self.groups != 1:
            text += f", groups = {self.groups}"
        if self.c0 is not None:
            text += f", c0 = {self.c0}"
        return text


@irdl_attr_definition
class WeightAttr(ParametrizedAttribute):
    """`#ge.weight<"name">`: a constant whose bytes are in the module's weight store.

    `expr` is canonical text: a quoted name, or a recipe over golden operators such as
    `cast(mul("w", "g"), f16)`. An *abstract* weight has a type and no bytes.
    """

    name = "ge.weight"

    expr_: StringAttr
    abstract_: IntAttr

    @property
    def expr(self) -> str:
        """Canonical text of the name or recipe, quotes included."""
        return self.expr_.data

    @property
    def abstract(self) -> bool:
        """True where there are no bytes behind the weight."""
        return bool(self.abstract_.data)

    @property
    def key(self) -> str | None:
        """The name in the store where this is no recipe, else None."""
        text = self.expr
        if not (text.startswith('"') and text.endswith('"') and text.count('"') == 2):
            return None
        return text[1:-1]

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            expr = _parse_weight_expr(parser, 0)
            abstract = 0
            if parser.parse_optional_punctuation(","):
                parser.parse_keyword("abstract")
                abstract = 1
        return [StringAttr(expr), IntAttr(abstract)]

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(f"<{self.ge_text()}>")

    def ge_text(self) -> str:
        """The text between the angle brackets, canonical."""
        return self.expr + (", abstract" if self.abstract else "")


def _parse_weight_expr(parser: AttrParser, depth: int) -> str:
    """One recipe expression in canonical text: `f(a, b, [1, 2], f16, key = 3)`."""
    if depth > 1000:
        parser.raise_error("recipe of #ge.weight is nested too deeply")
    if (text := parser.parse_optional_str_literal()) is not None:
        return quote(text)
    if (raw := parser.parse_optional_bytes_literal()) is not None:  # beyond ASCII
        try:
            return quote(raw.decode())
        except UnicodeDecodeError:
            parser.raise_error("a weight name must be UTF-8")
    if parser.parse_optional_punctuation("["):
        items: list[str] = []
        if parser.parse_optional_punctuation("]") is None:
            items.append(_parse_weight_expr(parser, depth + 1))
            while parser.parse_optional_punctuation(","):
                items.append(_parse_weight_expr(parser, depth + 1))
            parser.parse_punctuation("]")
        return "[" + ", ".join(items) + "]"
    number = parser.parse_optional_number()
    if number is not None:
        text = repr(number)
        # MLIR's lexer wants a dot in every float.
        return text.replace("e", ".0e") if "e" in text and "." not in text else text
    word = parser.parse_optional_identifier()
    if word is None:
        parser.raise_error('expected a weight name in quotes or a recipe such as cast("w", f16)')
    if parser.parse_optional_punctuation("("):
        parts: list[str] = []
        if parser.parse_optional_punctuation(")") is None:
            parts.append(_parse_weight_expr(parser, depth + 1))
            while parser.parse_optional_punctuation(","):
                parts.append(_parse_weight_expr(parser, depth + 1))
            parser.parse_punctuation(")")
        return f"{word}({', '.join(parts)})"
    if parser.parse_optional_punctuation("="):
        return f"{word} = {_parse_weight_expr(parser, depth + 1)}"
    return word


@lru_cache(maxsize=65536)
def quote(text: str) -> str:
    """`text` as an MLIR string literal."""
    return '"' + _SPECIAL.sub(lambda found: _escape(found[0]), text) + '"'


_SPECIAL = re.compile(r'["\\\x00-\x1f\x7f]')


def _escape(ch: str) -> str:
    if ch in '"\\':
        return "\\" + ch
    if ch == "\n":
        return "\\n"
    if ch == "\t":
        return "\\t"
    return f"\\{ord(ch):02X}"


def _element(type_name: str, doc: str) -> type[ParametrizedAttribute]:
    cls = type(
        "".join(p.capitalize() for p in type_name.split(".")[1].split("_")) + "Type",
        (ParametrizedAttribute, TypeAttribute),
        {"name": type_name, "__doc__": doc, "__module__": __name__, "__annotations__": {}},
    )
    return irdl_attr_definition(cls)


#: Element types MLIR lacks: our name -> class. Sizes and GE numbers stand in ge_dialect.dtypes.
EXTRA_ELEMENT_TYPES: dict[str, type[ParametrizedAttribute]] = {
    name: _element(f"ge.{name}", f"`!ge.{name}`: {doc}.")
    for name, doc in {
        "string": "a string, 16-byte head with the payload behind",
        "string_ref": "a reference to a string",
        "resource": "a resource handle",
        "variant": "a variant handle",
        "qint8": "framework-quantised int8",
        "quint8": "framework-quantised uint8",
        "qint16": "framework-quantised int16",
        "quint16": "framework-quantised uint16",
        "qint32": "framework-quantised int32",
        "dual": "an int8 and a fp32 half in five bytes",
        "dual_sub_int8": "the int8 half of dual",
        "dual_sub_uint8": "the uint8 half of dual",
        "hif8": "HiFloat8",
        "hif4": "HiFloat4",
        "f4e1m2": "4-bit float with one exponent bit",
    }.items()
}

GE_TYPES: list[type[Attribute]] = [CtrlType, RefType, *EXTRA_ELEMENT_TYPES.values()]
GE_ATTRIBUTES: list[type[Attribute]] = [LayoutAttr, WeightAttr]

#: The one value of `!ge.ctrl`.
CTRL = CtrlType()

__all__ = [
    "CTRL",
    "EXTRA_ELEMENT_TYPES",
    "GE_ATTRIBUTES",
    "GE_TYPES",
    "CtrlType",
    "LayoutAttr",
    "RefType",
    "WeightAttr",
    "quote",
]
