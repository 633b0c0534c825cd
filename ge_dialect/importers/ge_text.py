"""Protobuf text as GE's dumps have it: a reader that goes on after an error.

One regular expression takes a whole field, the frequent `attr { key … value { i: 1 } }` in one go.
A block is remembered by its text: the end of a block in the usual layout is the first closing brace
in the column it was opened in, so an equal block is found without reading it again. That it ends
there was checked when it was read the first time.
"""

from __future__ import annotations

import codecs
import re
import struct
from typing import Any

from ge_dialect.importers.ge_message import UNKNOWN, Msg, Source
from ge_dialect.importers.ge_schema import ENUMS, SCHEMA, Field

#: Messages in messages beyond this depth are refused.
MAX_DEPTH = 200
_STRING = r'"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"'
_SINGLE = r"'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'"
_FIELD = re.compile(
    rf"""(?:[\s;,]++|\#[^\n]*+)*+(?:
      attr\s*\{{\s*key:\s*({_STRING})\s*value\s*\{{\s*([ifbs]):\s*({_STRING}|[-+.\w]+)\s*\}}\s*\}}
    | (\w+)\s*(?::\s*((?:{_STRING}|{_SINGLE})(?:\s*(?:{_STRING}|{_SINGLE}))*|[-+]?[.\w][-+.\w]*)
              | :?\s*([{{<]) | :\s*(\[[^\]"'{{]*\]))
    | ([}}>])
    )""",
    re.X,
)
_END = re.compile(r"(?:[\s;,]++|#[^\n]*+)*+\Z")
_GAP = re.compile(r"(?:[\s;,]++|#[^\n]*+)*+")
_PIECES = re.compile(rf"{_STRING}|{_SINGLE}")
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)", re.S)
#: Beyond this length escapes are undone by Python's own decoder, where they mean the same there.
_LONG = 1000
_OWN_ESCAPES = re.compile(
    r"(?<!\\)(?:\\\\)*\\(?:[^\\'\"abfnrtvx0-7]|x(?![0-9a-fA-F]{2})|[4-7][0-7]{2})"
)
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_INT = re.compile(r"[-+]?(?:0[xX][0-9a-fA-F]+|\d+)\Z", re.ASCII)
_FLOAT = re.compile(r"[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?)[fF]?\Z", re.ASCII)
_WORDS = {
    "i": "an integer",
    "u": "an integer ≥ 0",
    "f": "a number",
    "b": "true or false",
    "s": "a string",
    "y": "a string",
    "e": "a name",
    "m": "a block",
    "a": "a block",
}
#: The end of a block worth remembering is looked for this far.
_FAR = 20_000
#: A block that begins further to the right is not remembered.
_DEEP = 200
#: Blocks worth remembering.
_SHARED = frozenset({"AttrEntry", "TensorDescriptor", "ShapeDef"})


class Unfit(ValueError):
    """A value that its field does not take."""


def _unescape(found: re.Match[str]) -> str:
    body = found.group(1)
    head = body[0]
    if head == "x" and len(body) > 1:
        return chr(int(body[1:], 16))
    if head in "01234567":
        return chr(int(body, 8) & 255)
    if head in "uU" and len(body) > 1:
        code = int(body[1:], 16)
        if code > 0x10FFFF or 0xD800 <= code < 0xE000:
            raise Unfit("an impossible character")
        return "".join(map(chr, chr(code).encode()))
    return _SIMPLE.get(head, head if ord(head) < 128 else "".join(map(chr, head.encode())))


def raw_bytes(raw: str) -> bytes:
    """Bytes of a literal, which may consist of several strings."""
    out = b""
    for piece in _PIECES.findall(raw):
        body = piece[1:-1]
        if "\\" not in body:
            out += body.encode("utf-8", "surrogateescape")
        elif len(body) > _LONG and _OWN_ESCAPES.search(body) is None:
            # in C, and without an object per character: the bytes of a constant
            out += codecs.escape_decode(body.encode("utf-8", "surrogateescape"))[0]
        elif body.isascii():
            out += _ESCAPE.sub(_unescape, body).encode("latin-1")
        else:
            plain = "".join(map(chr, body.encode("utf-8", "surrogateescape")))
            out += _ESCAPE.sub(_unescape, plain).encode("latin-1")
    return out


def to_f32(value: float) -> float:
    """The nearest f32; what is too large becomes infinite."""
    try:
        return struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def scalar(raw: str, kind: str, names: tuple[str, ...] = ()) -> Any:
    """Python value of a literal for a field of that kind; `Unfit` where it does not fit."""
    quoted = raw[0] in "\"'"
    if kind == "s":
        if not quoted:
            raise Unfit(raw)
        if "\\" not in raw and raw.count(raw[0]) == 2:
            return raw[1:-1]
        return raw_bytes(raw).decode("utf-8", "surrogateescape")
    if kind == "y":
        if not quoted:
            raise Unfit(raw)
        return raw_bytes(raw)
    if quoted:
        raise Unfit(raw)
    if kind in "iu":
        if not _INT.match(raw):
            raise Unfit(raw)
        sign, digits = (-1, raw[1:]) if raw[0] == "-" else (1, raw.lstrip("+"))
        if len(digits) > 25:
            raise Unfit("a number beyond 64 bits")
        octal = len(digits) > 1 and digits[0] == "0" and digits.isdigit()
        try:
            value = sign * int(digits, 8 if octal else 0)
        except ValueError:
            raise Unfit(raw) from None
        if not (0 if kind == "u" else -(2**63)) <= value < 2**63:
            raise Unfit(raw)
        return value
    if kind == "b":
        if raw in ("true", "True", "t", "1"):
            return True
        if raw in ("false", "False", "f", "0"):
            return False
        raise Unfit(raw)
    if kind == "f":
        if _FLOAT.match(raw):
            return to_f32(float(raw.rstrip("fF")))
        word = raw.lower().lstrip("+-")
        if word in ("inf", "infinity", "nan"):
            return float(raw.lower())
        raise Unfit(raw)
    # a name of an enumeration, or its number
    if _INT.match(raw) and raw.removeprefix("-").isdigit():
        number = int(raw) if len(raw) < 10 else -1
        if not 0 <= number < len(names):
            raise Unfit(raw)
        return names[number]
    if raw not in names:
        raise Unfit(raw)
    return raw


class _Reader:
    def __init__(self, source: Source, root: str) -> None:
        self.source = source
        self.text = source.text
        self.root = Msg(root, 0)
        self.blocks: dict[tuple[str, str], Any] = {}
        self.values: dict[tuple[str, str], Msg] = {}
        self.strings: dict[str, str] = {}
        #: where the last value of a wrong kind ends
        self.misfit_end = 0

    def read(self) -> Msg:
        """The whole text as one message; problems go to the source."""
        text, match = self.text, _FIELD.match
        schema = SCHEMA
        msg = self.root
        fields = schema[msg.type]
        # frames: message, its fields, name in the parent, (block key, where it has to end) or None
        stack: list[tuple[Msg, dict[str, Field], str, Any]] = []
        name, memo = "", None
        strings = self.strings
        pos = 0
        while True:
            m = match(text, pos)
            if m is None:
                if _END.match(text, pos):
                    break
                pos = self._skip(pos)
                if pos < 0:
                    return self.root
                continue
            pos = m.end()
            kind = m.lastindex
            if kind == 3:
                key_raw, which, raw = m.group(1, 2, 3)
                if fields.get("attr") and fields["attr"].kind == "a":
                    value = self.values.get((which, raw))
                    if value is None:
                        value = self._value(which, raw, m.start(3))
                    key = strings.get(key_raw)
                    if key is None:
                        key = strings[key_raw] = self._string(key_raw, m.start(1))
                    held = msg.f.get("attr")
                    if held is None:
                        held = msg.f["attr"] = {}
                    held[key] = value
                    continue
                # an attr where none belongs: read it as an unknown block
                pos = m.start(1)
                pos = text.rindex("{", 0, pos) + 1
                stack.append((msg, fields, name, memo))
                name, memo, msg = "attr", None, Msg(UNKNOWN, pos)
                fields = {}
            elif kind == 5:
                field_name, raw = m.group(4, 5)
                spec = fields.get(field_name)
                if spec is None:
                    self._unknown(msg, field_name, raw, m.start(4))
                    continue
                if spec.kind in "ma":
                    self._misfit(field_name, spec.kind, raw, m.start(5))
                    continue
                self._set(msg, field_name, spec, raw, m.start(5))
            elif kind == 6:
                field_name = m.group(4)
                spec = fields.get(field_name)
                if len(stack) >= MAX_DEPTH:
                    self.source.error(
                        "GX-340", f"messages are nested more than {MAX_DEPTH} deep", m.start(4)
                    )
                    return self.root
                stack.append((msg, fields, name, memo))
                name, memo = field_name, None
                if spec is None or spec.kind not in "ma":
                    if spec is not None:
                        self._misfit(field_name, spec.kind, "a block", m.start(6))
                    msg = Msg(UNKNOWN, pos)
                    fields = {}
                    continue
                type_ = spec.message if spec.kind == "m" else "AttrEntry"
                if type_ in _SHARED:
                    at = m.start(4)
                    indent = at - text.rfind("\n", max(0, at - _DEEP), at) - 1
                    end = -1
                    if indent < _DEEP:
                        end = text.find("\n" + " " * indent + "}", pos, pos + _FAR)
                    if end > 0:
                        key = (type_, text[pos:end])
                        known = self.blocks.get(key)
                        if known is not None:
                            msg, fields, name, memo = stack.pop()
                            self._attach(msg, field_name, spec, known, pos)
                            pos = end + indent + 2
                            continue
                        memo = (key, end + indent + 2, len(self.source.problems))
                msg = Msg(type_, pos)
                fields = schema[type_]
            elif kind == 8:
                if not stack:
                    self.source.error("GX-340", "a brace closes nothing", m.start(8))
                    if self.source.full:
                        return self.root
                    continue
                done, done_name, done_memo = msg, name, memo
                msg, fields, name, memo = stack.pop()
                if done_memo is not None and (
                    done_memo[1] == pos and done_memo[2] == len(self.source.problems)
                ):
                    self.blocks[done_memo[0]] = done
                spec = fields.get(done_name)
                if spec is None or done.type == UNKNOWN:
                    msg.f.setdefault(UNKNOWN, []).append((done_name, done))
                else:
                    self._attach(msg, done_name, spec, done, done.pos)
            else:
                self._short_list(msg, fields, m)
            if self.source.full:
                return self.root
        if stack:
            if self.misfit_end >= len(text):
                self.source.problems.pop()  # only the cut made it a wrong value
            self.source.error(
                "GX-340",
                f"the text ends inside '{name}'",
                len(text),
                hint=f"the block opened at {self.source.where(msg.pos)} does not end; "
                "the file may be cut",
            )
        return self.root

    def _attach(self, msg: Msg, name: str, spec: Field, value: Msg, pos: int) -> None:
        if spec.kind == "a":
            if "key" not in value.f:
                self.source.error("GX-342", "an entry of a map has no key", pos)
                return
            held = msg.f.setdefault("attr", {})
            held[value.f["key"]] = value.f.get("value") or Msg("AttrDef", pos)
        elif spec.repeated:
            held = msg.f.get(name)
            if held is None:
                msg.f[name] = [value]
                if msg.at is None:
                    msg.at = {}
                msg.at[name] = [pos]
            else:
                held.append(value)
                msg.at[name].append(pos)  # pyright: ignore[reportOptionalSubscript]
        else:
            msg.f[name] = value

    def _set(self, msg: Msg, name: str, spec: Field, raw: str, pos: int) -> None:
        try:
            value = scalar(raw, spec.kind, ENUMS.get((msg.type, name), ()))
        except Unfit:
            self._misfit(name, spec.kind, raw, pos)
            return
        if spec.repeated:
            held = msg.f.get(name)
            if held is None:
                msg.f[name] = [value]
            else:
                held.append(value)
        else:
            msg.f[name] = value

    def _value(self, which: str, raw: str, pos: int) -> Msg:
        msg = Msg("AttrDef", pos)
        before = len(self.source.problems)
        self._set(msg, which, SCHEMA["AttrDef"][which], raw, pos)
        if before == len(self.source.problems):
            self.values[which, raw] = msg
        return msg

    def _string(self, raw: str, pos: int) -> str:
        try:
            return scalar(raw, "s")
        except Unfit:
            self._misfit("key", "s", raw, pos)
            return raw

    def _short_list(self, msg: Msg, fields: dict[str, Field], m: re.Match[str]) -> None:
        name, raw = m.group(4, 7)
        spec = fields.get(name)
        if spec is None:
            self._unknown(msg, name, raw, m.start(4))
            return
        if not spec.repeated or spec.kind in "ma":
            self._misfit(name, spec.kind, "a list", m.start(7))
            return
        for item in raw[1:-1].split(","):
            if item.strip():
                self._set(msg, name, spec, item.strip(), m.start(7))

    def _unknown(self, msg: Msg, name: str, raw: str, pos: int) -> None:
        msg.f.setdefault(UNKNOWN, []).append((name, raw))

    def _misfit(self, name: str, kind: str, raw: str, pos: int) -> None:
        shown = raw if len(raw) < 60 else raw[:57] + "..."
        if not self.source.full:
            self.misfit_end = pos + len(raw)
        self.source.error(
            "GX-341",
            f"field '{name}' has a value of the wrong kind",
            pos,
            found=shown,
            expected=_WORDS[kind],
        )

    def _skip(self, pos: int) -> int:
        """Past something that is no field: the offset to go on at, -1 at the end."""
        found = _GAP.match(self.text, pos)
        start = found.end() if found else pos
        end = self.text.find("\n", start)
        rest = self.text[start : len(self.text) if end < 0 else end]
        if end < 0 and not self.text[start:].strip():
            return -1
        at_end = end < 0 or not self.text[end:].strip()
        message = "the text ends inside a field" if at_end else "this is no field"
        self.source.error(
            "GX-340",
            message,
            start,
            found=rest[:60] or None,
            expected="name: value, or name { ... }",
            hint="the file may be cut" if at_end else None,
        )
        return -1 if at_end or self.source.full else end


def read_text(source: Source, root: str) -> Msg:
    """The message of a text; what is wrong with it is recorded in `source`, never raised.

    Time and memory are linear in the text.
    """
    source.find = lambda msg, field, index: find_field(source.text, msg, field, index)
    return _Reader(source, root).read()


def top_field(text: str, names: tuple[str, ...]) -> str | None:
    """Which of some fields comes first outside of all blocks."""
    depth = pos = 0
    while (m := _FIELD.match(text, pos)) is not None:
        pos = m.end()
        if m.lastindex == 6:
            if depth == 0 and m.group(4) in names:
                return m.group(4)
            depth += 1
        elif m.lastindex == 8:
            depth -= 1
    return None


def find_field(text: str, msg: Msg, field: str, index: int = 0) -> int:
    """Offset of (the `index`-th value of) a field of a message, that of the message if not found.

    An attribute is named by its key.
    """
    depth, seen, pos = 0, 0, max(0, msg.pos)
    places = (msg.at or {}).get(field)
    if places and index < len(places):
        return places[index]
    while True:
        m = _FIELD.match(text, pos)
        if m is None:
            return msg.pos
        pos = m.end()
        kind = m.lastindex
        if kind == 8:
            depth -= 1
            if depth < 0:
                return msg.pos
        elif kind == 3:
            if depth == 0 and m.group(1)[1:-1] == field:
                return m.start(1)
        elif kind == 6:
            depth += 1
        elif kind == 5:
            name = m.group(4)
            if depth == 0 and name == field:
                if seen == index:
                    return m.start(5)
                seen += 1
            elif depth == 1 and name == "key" and m.group(5)[1:-1] == field:
                return m.start(5)
