"""Readers of types, attribute dictionaries and locations for the one-line path of the reader.

They take the text forms our printer writes and return interned objects; for anything else they
return None (or hand one value to xDSL's parser), so they never have to be complete.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import (
    ArrayAttr,
    FileLineColLoc,
    NameLoc,
    NoneAttr,
    StringAttr,
    UnitAttr,
)
from xdsl.ir import Attribute
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError, VerifyException

from ge_dialect.ir import kinds
from ge_dialect.ir.attributes import CTRL, LayoutAttr
from ge_dialect.ir.control import segments_attr
from ge_dialect.ir.dense import DenseError, parse_dense
from ge_dialect.ir.private_parser import parser_at_end
from ge_dialect.ir.types import AnyTensor, intern_type, is_tensor, layout, ref_type, tensor_type

if TYPE_CHECKING:
    from ge_dialect.ir.base import OpTable

#: What broken values make xDSL's parser and attribute constructors raise.
_INFINITE = (float("inf"), float("-inf"))
VALUE_ERRORS = (
    ParseError,
    VerifyException,
    ValueError,
    TypeError,
    OverflowError,
    AssertionError,
    NotImplementedError,
    KeyError,
    IndexError,
    AttributeError,
    RecursionError,
)

_TENSOR = re.compile(
    r"tensor<(?:\*x|((?:(?:0|[1-9][0-9]*|\?)x)*))([a-z][a-z0-9A-Z]*|complex<[a-z0-9]+>|!ge\.[a-z0-9_]+)"
    r"(?:, #ge\.layout<([^<>\n]*)>)?>"
)
_LAYOUT = re.compile(
    r"(\w+)(?:, origin = (\w+))?(?:, groups = ([1-9][0-9]*))?(?:, c0 = ([1-9][0-9]*))?\Z"
)
_KEY = re.compile(r"\s*([A-Za-z_][\w$.]*)(?:(\s*=\s*)|(?=\s*[,}]))", re.ASCII)
_NEXT = re.compile(r"\s*(?:(,)|(\}))")
_INT = re.compile(r"-?[0-9]+(?![\w.$])")
_FLOAT = re.compile(r"-?[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?(?![\w.$])")
_STRING = re.compile(r'"([^"\\\n]*)"')
_BOOL = re.compile(r"(?:true|false)(?![\w.$])")
_INTS = re.compile(r"\[((?:-?[0-9]+(?:, ?-?[0-9]+)*)?)\]")
_I64 = re.compile(r"\s*:\s*i64(?![\w.$])")
_F32 = re.compile(r"\s*:\s*f32(?![\w.$])")
_ARRAY = re.compile(r"array<(i64|i32)(?:: ((?:-?[0-9]+)(?:, -?[0-9]+)*))?>")
_COLON = re.compile(r"\s*:")
_DENSE = re.compile(r'dense<([^<>"\n]*|"0x[0-9A-Fa-f]*")>\s*:\s*')
_LOC_CHILD = re.compile(r'"[^"\\\n]*"\Z|fused\["[^"\\\n]*"(?:, "[^"\\\n]*")*\]\Z')


class ValueReader:
    """Memoised readers bound to one parser's context and aliases."""

    def __init__(self, sub_parser: Callable[[str], Parser]) -> None:
        self._sub = sub_parser
        self._elems: dict[str, Attribute] = {}
        self._layouts: dict[str, LayoutAttr] = {}
        self._types: dict[str, Attribute] = {"!ge.ctrl": CTRL}
        self._lists: dict[str, tuple[Attribute, ...] | None] = {}
        self._strings: dict[str, Attribute] = {}

    # ------------------------------------------------------------------------------- types

    def type_list(self, text: str) -> tuple[Attribute, ...] | None:
        """Types of a comma list that takes up all of `text`, None where it is none."""
        try:
            return self._lists[text]
        except KeyError:
            pass
        found = self._type_list(text)
        self._lists[text] = found
        return found

    def _type_list(self, text: str) -> tuple[Attribute, ...] | None:
        one = self._types.get(text)
        if one is not None:
            return (one,)
        out: list[Attribute] = []
        pos = 0
        end = len(text)
        while True:
            step = self.type_at(text, pos)
            if step is None:
                return self._stock_types(text)
            type_, pos = step
            out.append(type_)
            if pos == end:
                return tuple(out)
            if not text.startswith(", ", pos):
                return self._stock_types(text)
            pos += 2

    def type_at(self, text: str, pos: int) -> tuple[Attribute, int] | None:
        """Type of ours that starts at `pos`, and the position after it."""
        m = _TENSOR.match(text, pos)
        if m is not None:
            found = self._types.get(m.group())
            if found is None:
                found = self._tensor(m)
                if found is None:
                    return None
                self._types[m.group()] = found
            return found, m.end()
        if text.startswith("!ge.ctrl", pos):
            return CTRL, pos + 8
        if text.startswith("!ge.ref<", pos):
            step = self.type_at(text, pos + 8)
            if step is not None and is_tensor(step[0]) and text.startswith(">", step[1]):
                return ref_type(step[0]), step[1] + 1
        return None

    def _tensor(self, m: re.Match[str]) -> AnyTensor | None:
        dims, elem_text, layout_text = m.groups()
        elem = self._elems.get(elem_text)
        if elem is None:
            elem = self.stock(elem_text, "parse_type")
            if elem is None:
                return None
            self._elems[elem_text] = elem
        found = None
        if layout_text is not None:
            if dims is None:
                return None
            found = self._layout(layout_text)
            if found is None:
                return None
        if dims is None:
            return tensor_type(None, elem)
        shape = [-1 if d == "?" else int(d) for d in dims.split("x")[:-1]]
        return tensor_type(shape, elem, found)

    def _layout(self, text: str) -> LayoutAttr | None:
        found = self._layouts.get(text)
        if found is None:
            m = _LAYOUT.match(text)
            if m is None:
                return None
            fmt, origin, groups, c0 = m.groups()
            try:
                found = layout(
                    fmt,
                    origin=origin,
                    groups=int(groups) if groups else 1,
                    c0=int(c0) if c0 else None,
                )
            except VerifyException:
                return None
            self._layouts[text] = found
        return found

    def _stock_types(self, text: str) -> tuple[Attribute, ...] | None:
        try:
            p = self._sub(text)
            types = p.parse_comma_separated_list(p.Delimiter.NONE, p.parse_type)
            return tuple([intern_type(t) for t in types]) if parser_at_end(p) else None
        except VALUE_ERRORS:
            return None

    def stock(self, text: str, method: str) -> Attribute | None:
        """One attribute or type that takes up all of `text`, read by xDSL; None where it fails."""
        try:
            p = self._sub(text)
            found = getattr(p, method)()
            return found if parser_at_end(p) else None
        except VALUE_ERRORS:
            return None

    # ------------------------------------------------------------------------------- dicts

    def attributes(
        self, text: str, table: OpTable
    ) -> tuple[dict[str, Attribute], dict[str, Attribute]] | None:
        """Properties and discardable attributes of `{...}`; None for anything unusual."""
        props: dict[str, Attribute] = {}
        attrs: dict[str, Attribute] = {}
        specs = table.attrs
        pos = 1
        if text == "{}":
            return props, attrs
        while True:
            m = _KEY.match(text, pos)
            if m is None:
                return None
            name = m.group(1)
            pos = m.end()
            spec = specs.get(name)
            if spec is None:
                if "." not in name or name in attrs:
                    return None
                if m.group(2) is None:
                    value: Attribute | None = UnitAttr()
                else:
                    step = self._free_value(text, pos)
                    if step is None:
                        return None
                    value, pos = step
                attrs[name] = value
            else:
                if name in props or m.group(2) is None:
                    return None
                step = self._kind_value(text, pos, spec.kind)
                if step is None:
                    return None
                props[name], pos = step
            m = _NEXT.match(text, pos)
            if m is None:
                return None
            pos = m.end()
            if m.group(2):
                return (props, attrs) if pos == len(text) else None

    def plain_dict(self, text: str) -> dict[str, Attribute] | None:
        """A dictionary in ordinary MLIR syntax; None for anything unusual."""
        out: dict[str, Attribute] = {}
        pos = 1
        if text == "{}":
            return out
        while True:
            m = _KEY.match(text, pos)
            if m is None or m.group(1) in out:
                return None
            pos = m.end()
            if m.group(2) is None:
                out[m.group(1)] = UnitAttr()
            else:
                step = self._free_value(text, pos)
                if step is None:
                    return None
                out[m.group(1)], pos = step
            m = _NEXT.match(text, pos)
            if m is None:
                return None
            pos = m.end()
            if m.group(2):
                return out if pos == len(text) else None

    def _string(self, text: str) -> Attribute:
        found = self._strings.get(text)
        if found is None:
            found = self._strings[text] = kinds.string_to_attr(text)
        return found

    def _kind_value(self, text: str, pos: int, kind: kinds.Kind) -> tuple[Attribute, int] | None:
        if kind is kinds.INTS:
            m = _INTS.match(text, pos)
            if m is not None:
                body = m.group(1)
                try:
                    values = [int(v) for v in body.split(",")] if body else []
                    return kinds.ints_to_attr(values), m.end()
                except VALUE_ERRORS:
                    return None
        elif kind is kinds.INT:
            m = _INT.match(text, pos)
            if m is not None and _COLON.match(text, m.end()) is None:
                try:
                    return kinds.int_to_attr(int(m.group())), m.end()
                except VALUE_ERRORS:
                    return None
        elif kind is kinds.STRING:
            m = _STRING.match(text, pos)
            if m is not None:
                return self._string(m.group(1)), m.end()
        elif kind is kinds.BOOL:
            m = _BOOL.match(text, pos)
            if m is not None:
                return kinds.bool_to_attr(m.group() == "true"), m.end()
        elif kind is kinds.FLOAT:
            m = _FLOAT.match(text, pos)
            if m is not None and _COLON.match(text, m.end()) is None:
                made = kinds.float_to_attr(float(m.group()))
                if made.value.data not in _INFINITE:  # else it does not fit: kind.parse says so
                    return made, m.end()
        elif kind is kinds.TENSOR:
            m = _DENSE.match(text, pos)
            if m is not None:
                return self._dense(m, text)
        return self._sub_value(text, pos, kind.parse)

    def _free_value(self, text: str, pos: int) -> tuple[Attribute, int] | None:
        m = _STRING.match(text, pos)
        if m is not None:
            return self._string(m.group(1)), m.end()
        m = _INT.match(text, pos)
        if m is not None:
            end = m.end()
            if _COLON.match(text, end) is not None:
                typed = _I64.match(text, end)
                if typed is None:
                    return self._sub_value(text, pos, _parse_attribute)
                end = typed.end()
            try:
                return kinds.int_to_attr(int(m.group())), end
            except VALUE_ERRORS:
                return None
        m = _FLOAT.match(text, pos)
        if m is not None:
            typed = _F32.match(text, m.end())
            if typed is not None:
                return kinds.float_to_attr(float(m.group())), typed.end()
        m = _BOOL.match(text, pos)
        if m is not None:
            return kinds.bool_to_attr(m.group() == "true"), m.end()
        m = _ARRAY.match(text, pos)
        if m is not None:
            values = [int(v) for v in m.group(2).split(",")] if m.group(2) else []
            try:
                if m.group(1) == "i64":
                    return kinds.ints_to_attr(values), m.end()
                return segments_attr(values), m.end()
            except VALUE_ERRORS:
                return None
        m = _INTS.match(text, pos)
        if m is not None:
            numbers = m.group(1).split(",") if m.group(1) else []
            try:
                return ArrayAttr([kinds.int_to_attr(int(v)) for v in numbers]), m.end()
            except VALUE_ERRORS:
                return None
        m = _DENSE.match(text, pos)
        if m is not None:
            return self._dense(m, text)
        return self._sub_value(text, pos, _parse_attribute)

    def _dense(self, m: re.Match[str], text: str) -> tuple[Attribute, int] | None:
        step = self.type_at(text, m.end())
        if step is None:
            return None
        try:
            return parse_dense(m.group(1), step[0]), step[1]
        except DenseError:
            return None

    def _sub_value(
        self, text: str, pos: int, parse: Callable[[Parser], Any]
    ) -> tuple[Attribute, int] | None:
        try:
            p = self._sub(text[pos:])
            value = parse(p)
            return value, pos + p.pos
        except VALUE_ERRORS:
            return None

    # --------------------------------------------------------------------------- locations

    def location_child(self, text: str) -> Sequence[Attribute] | None:
        """Leaves of the inner location of `loc("name"(<text>))`: name and file locations."""
        if _LOC_CHILD.match(text) is not None:
            none = NoneAttr()
            return [NameLoc(StringAttr(n), none) for n in _STRING.findall(text)]
        found = self.stock(f"loc({text})", "parse_optional_location")
        if found is None:
            return None
        from ge_dialect.ir.names import location_leaves

        leaves = location_leaves(found)
        if all(isinstance(leaf, NameLoc | FileLineColLoc) for leaf in leaves):
            return leaves
        return None


def _parse_attribute(p: Parser) -> Attribute:
    return p.parse_attribute()
