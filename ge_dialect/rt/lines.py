"""Reads the usual lines of a compiled model with one regular expression each.

Whatever is not exactly of the printed form goes to xDSL's parser, which reports errors with their
column. Texts of types, attribute dictionaries and buffers are parsed once each.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, StringAttr, i64
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import ParseError

from ge_dialect.rt.attributes import SPACES, BufferAttr
from ge_dialect.rt.ops import NONE, EventRecord, EventWait, Kernel, Weight
from ge_dialect.rt.values import canonical

if TYPE_CHECKING:
    from xdsl.parser import Parser

_TENSOR = r"tensor<[^<>\n]*(?:<[^<>\n]*>[^<>\n]*)*>"
_BUFFER = rf"(?:{'|'.join(SPACES)})\[\d+\] : {_TENSOR}"
_ITEM = rf"(?:none|{_BUFFER}|\[(?:{_BUFFER}(?:, {_BUFFER})*)?\])"
_KERNEL = re.compile(
    r'rt\.kernel "([^"\\\n]*)" ([A-Za-z_]\w*)'
    rf"\(((?:{_ITEM}(?:, {_ITEM})*)?)\) -> \(((?:{_BUFFER}(?:, {_BUFFER})*)?)\)"
    r'(?: (\{(?:[^"\n{}]|"[^"\\\n]*")*\}))?'
    r" on (\w+) block_dim (\d+)"
    rf"(?: workspace ({_BUFFER}))?"
    r'(?: origins \[("[^"\\\n]*"(?:, "[^"\\\n]*")*)\])?'
    r"[ \t]*\n"
)
_WEIGHT = re.compile(rf"rt\.weight ({_BUFFER}) = (#ge\.weight<[^\n]*>)[ \t]*\n")
_EVENT = re.compile(r"rt\.event_(record|wait) (\d+)[ \t]*\n")
_TOKEN = re.compile(rf"none|\[|\]|{_BUFFER}")
_PLACE = re.compile(r"(\w+)\[(\d+)\] : (.*)", re.DOTALL)
_QUOTED = re.compile(r'"([^"]*)"')
_SPACE = re.compile(r"\s*")


class LineReader:
    """Reads lines for one parser. `sub_parser` makes a parser for a part of the text."""

    def __init__(self, sub_parser: Callable[[str], Parser]) -> None:
        self._sub_parser = sub_parser
        self._buffers: dict[str, BufferAttr] = {}
        self._types: dict[str, Attribute] = {}
        self._dicts: dict[str, Attribute] = {}
        self._strings: dict[str, StringAttr] = {}
        self._numbers: dict[str, IntegerAttr] = {}

    def read(self, text: str, pos: int) -> tuple[Operation, int] | None:
        """The operation whose line starts at `pos` and where the next one starts, or None."""
        try:
            found = self._read(text, pos)
        except ParseError:
            return None
        if found is None:
            return None
        op, end = found
        gap = _SPACE.match(text, end)
        return op, gap.end() if gap is not None else end

    def _read(self, text: str, pos: int) -> tuple[Operation, int] | None:
        if text.startswith("rt.kernel", pos):
            m = _KERNEL.match(text, pos)
            return None if m is None else (self._kernel(m), m.end())
        if text.startswith("rt.event", pos):
            m = _EVENT.match(text, pos)
            if m is None:
                return None
            cls = EventRecord if m.group(1) == "record" else EventWait
            return cls(int(m.group(2))), m.end()
        m = _WEIGHT.match(text, pos)
        if m is None:
            return None
        value = self._sub_parser(m.group(2)).parse_attribute()
        return Weight(self._buffer(m.group(1)), value), m.end()

    def _kernel(self, m: re.Match[str]) -> Operation:
        node, op_type, inputs, outputs, attrs, engine, cores, scratch, origins = m.groups()
        properties: dict[str, Any] = {
            "node": StringAttr(node),
            "op_type": self._string(op_type),
            "inputs": ArrayAttr(self._slots(inputs)),
            "outputs": ArrayAttr([self._buffer(t) for t in _TOKEN.findall(outputs)]),
            "attrs": self._dict(attrs or "{}"),
            "engine": self._string(engine),
            "block_dim": self._number(cores),
        }
        if scratch is not None:
            properties["workspace"] = self._buffer(scratch)
        if origins is not None:
            properties["origins"] = ArrayAttr([StringAttr(o) for o in _QUOTED.findall(origins)])
        return Kernel.create(properties=properties)

    def _slots(self, text: str) -> list[Attribute]:
        out: list[Attribute] = []
        group: list[Attribute] | None = None
        for token in _TOKEN.findall(text):
            if token == "[":
                group = []
            elif token == "]":
                assert group is not None
                out.append(ArrayAttr(group))
                group = None
            else:
                item = NONE if token == "none" else self._buffer(token)
                (out if group is None else group).append(item)
        return out

    def _buffer(self, text: str) -> BufferAttr:
        found = self._buffers.get(text)
        if found is None:
            m = _PLACE.match(text)
            assert m is not None
            space, offset, type_text = m.groups()
            type_ = self._types.get(type_text)
            if type_ is None:
                type_ = self._types[type_text] = self._sub_parser(type_text).parse_type()
            found = self._buffers[text] = BufferAttr.make(space, int(offset), type_)
        return found

    def _dict(self, text: str) -> Attribute:
        found = self._dicts.get(text)
        if found is None:
            entries = self._sub_parser(text).parse_optional_attr_dict()
            found = self._dicts[text] = canonical(DictionaryAttr(entries))
        return found

    def _string(self, text: str) -> StringAttr:
        found = self._strings.get(text)
        if found is None:
            found = self._strings[text] = StringAttr(text)
        return found

    def _number(self, text: str) -> IntegerAttr:
        found = self._numbers.get(text)
        if found is None:
            found = self._numbers[text] = IntegerAttr(int(text), i64)
        return found
