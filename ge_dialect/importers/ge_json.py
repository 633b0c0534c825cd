"""JSON of GE's dumps (om→json, single operators): a reader with places, messages in and out."""

from __future__ import annotations

import json
import re
from typing import Any

from ge_dialect.importers.ge_message import NULL, UNKNOWN, Msg, Source
from ge_dialect.importers.ge_schema import ENUMS, SCHEMA, Field
from ge_dialect.importers.ge_text import MAX_DEPTH, Unfit, to_f32

_SPACE = re.compile(r"\s*")
_STRING = re.compile(r'"[^"\\\x00-\x1f]*+(?:\\.[^"\\\x00-\x1f]*+)*+"')
_NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][-+]?\d+)?")
_WORD = re.compile(r"true|false|null|NaN|-?Infinity")
_CONSTANTS = {
    "true": True,
    "false": False,
    "null": None,
    "NaN": float("nan"),
    "Infinity": float("inf"),
    "-Infinity": float("-inf"),
}
_MANY_DIGITS = 400


class JObject(dict[str, Any]):
    """A JSON object that knows where it and its values stand."""

    __slots__ = ("places", "pos")

    def __init__(self, pos: int) -> None:
        super().__init__()
        self.pos = pos
        self.places: dict[str, int] = {}


class JArray(list[Any]):
    """A JSON array that knows where it and its items stand."""

    __slots__ = ("places", "pos")

    def __init__(self, pos: int) -> None:
        super().__init__()
        self.pos = pos
        self.places: list[int] = []


class _Broken(Exception):
    def __init__(self, pos: int, message: str) -> None:
        self.pos, self.message = pos, message


def parse_json(source: Source) -> Any:
    """The value of a text; a syntax error is recorded in `source` and gives None."""
    try:
        return _Parser(source.text).document()
    except _Broken as broken:
        at_end = not source.text[broken.pos :].strip()
        source.error(
            "GX-340",
            "the text ends too early" if at_end else broken.message,
            broken.pos,
            hint="the file may be cut" if at_end else None,
        )
        return None


class _Parser:
    """Without recursion: nesting is a list of open containers."""

    def __init__(self, text: str) -> None:
        self.text = text

    def document(self) -> Any:
        text = self.text
        stack: list[JObject | JArray] = []
        keys: list[str] = []
        pos = self.space(1 if text.startswith("\ufeff") else 0)
        while True:
            start = pos
            char = text[pos : pos + 1]
            value: Any
            if char == "{" or char == "[":
                if len(stack) >= MAX_DEPTH:
                    raise _Broken(pos, f"values are nested more than {MAX_DEPTH} deep")
                value = JObject(pos) if char == "{" else JArray(pos)
                pos = self.space(pos + 1)
                if text[pos : pos + 1] != ("}" if char == "{" else "]"):
                    stack.append(value)
                    if char == "{":
                        pos = self.key(pos, keys)
                    continue
                pos += 1
            else:
                value, pos = self.scalar(pos)
            while True:  # the value is complete: it goes into what is open
                if not stack:
                    pos = self.space(pos)
                    if pos != len(text):
                        raise _Broken(pos, "something follows the end of the value")
                    return value
                top = stack[-1]
                if isinstance(top, JObject):
                    key = keys.pop()
                    if key in top:
                        raise _Broken(start, f"the key {key!r} is given twice")
                    top[key] = value
                    top.places[key] = start
                else:
                    top.append(value)
                    top.places.append(start)
                pos = self.space(pos)
                char = text[pos : pos + 1]
                if char == ",":
                    pos = self.space(pos + 1)
                    if isinstance(top, JObject):
                        pos = self.key(pos, keys)
                    break
                if char != ("}" if isinstance(top, JObject) else "]"):
                    raise _Broken(pos, "expected a comma or the end of the list")
                value, start, pos = stack.pop(), top.pos, pos + 1

    def space(self, pos: int) -> int:
        return _SPACE.match(self.text, pos).end()  # pyright: ignore

    def key(self, pos: int, keys: list[str]) -> int:
        m = _STRING.match(self.text, pos)
        if m is None:
            raise _Broken(pos, "expected a name in quotes")
        keys.append(self.string(m))
        pos = self.space(m.end())
        if self.text[pos : pos + 1] != ":":
            raise _Broken(pos, "expected ':'")
        return self.space(pos + 1)

    def string(self, m: re.Match[str]) -> str:
        raw = m.group()
        if "\\" not in raw:
            return raw[1:-1]
        try:
            text = json.loads(raw)
        except ValueError:
            raise _Broken(m.start(), "a string has a wrong escape") from None
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")

    def scalar(self, pos: int) -> tuple[Any, int]:
        text = self.text
        if text[pos : pos + 1] == '"':
            m = _STRING.match(text, pos)
            if m is None:
                raise _Broken(pos if '"' in text[pos + 1 :] else len(text), "a string is broken")
            return self.string(m), m.end()
        m = _WORD.match(text, pos)
        if m is not None:
            return _CONSTANTS[m.group()], m.end()
        m = _NUMBER.match(text, pos)
        if m is None:
            raise _Broken(pos, "expected a value")
        raw = m.group()
        if m.group(1) or m.group(2) or len(raw) > _MANY_DIGITS:
            return float(raw), m.end()
        return int(raw), m.end()


# ------------------------------------------------------------------------------ to messages


def read_json(source: Source, root: str, value: Any) -> Msg:
    """A message from a parsed JSON object; values that do not fit go to `source`."""
    source.find = lambda msg, field, index: _find(source.text, msg, field)
    return _Converter(source).message(value, root, 0)


def _find(text: str, msg: Msg, field: str) -> int:
    found = text.find(f'"{field}"', max(0, msg.pos))
    return msg.pos if found < 0 else found


class _Converter:
    def __init__(self, source: Source) -> None:
        self.source = source

    def misfit(self, name: str, pos: int, found: Any, expected: str) -> None:
        shown = str(found)
        self.source.error(
            "GX-341",
            f"field '{name}' has a value of the wrong kind",
            pos,
            found=shown if len(shown) < 60 else shown[:57] + "...",
            expected=expected,
        )

    def message(self, value: Any, type_: str, pos: int) -> Msg:
        out = Msg(type_, pos)
        if not isinstance(value, JObject):
            self.misfit(type_, pos, value, "an object")
            return out
        out.pos = value.pos
        fields = SCHEMA[type_]
        for name, item in value.items():
            where = value.places[name]
            spec = fields.get(name) or fields.get(_snake(name))
            if spec is None or item is None:
                out.f.setdefault(UNKNOWN, []).append((name, json.dumps(item)))
                continue
            self.field(out, name if name in fields else _snake(name), spec, item, where)
        return out

    def field(self, out: Msg, name: str, spec: Field, item: Any, pos: int) -> None:
        if spec.kind == "a":
            self.map(out, item, pos)
            return
        if not spec.repeated:
            value = self.one(item, out.type, name, spec, pos)
            if value is not None:
                out.f[name] = value
            return
        items = item if isinstance(item, JArray) else [item]
        places = item.places if isinstance(item, JArray) else [pos]
        held = out.f.setdefault(name, [])
        kept: list[int] = []
        for one, where in zip(items, places, strict=True):
            value = self.one(one, out.type, name, spec, where)
            if value is not None:
                held.append(value)
                kept.append(where)
        if spec.kind == "m":
            out.at = {**(out.at or {}), name: kept}

    def map(self, out: Msg, item: Any, pos: int) -> None:
        held = out.f.setdefault("attr", {})
        if isinstance(item, JObject):
            entries = [(k, v, item.places[k]) for k, v in item.items()]
        elif isinstance(item, JArray):
            entries = []
            for one, where in zip(item, item.places, strict=True):
                key = one.get("key") if isinstance(one, JObject) else None
                if not isinstance(key, str):
                    self.source.error("GX-342", "an entry of a map has no key", where)
                    continue
                entries.append((key, one.get("value"), one.places.get("value", where)))
        else:
            self.misfit("attr", pos, item, "a list of keys and values")
            return
        for key, value, where in entries:
            if value is None:
                held[key] = Msg("AttrDef", where, {UNKNOWN: [(NULL, NULL)]})
            else:
                held[key] = self.message(value, "AttrDef", where)

    def one(self, item: Any, type_: str, name: str, spec: Field, pos: int) -> Any:
        if spec.kind == "m":
            return self.message(item, spec.message, pos)
        try:
            return _scalar(item, spec.kind, ENUMS.get((type_, name), ()))
        except Unfit:
            self.misfit(name, pos, item, _EXPECTED[spec.kind])
            return None


_EXPECTED = {
    "i": "an integer",
    "u": "an integer ≥ 0",
    "f": "a number",
    "b": "true or false",
    "s": "a string",
    "y": "a string",
    "e": "a name",
}


def _scalar(item: Any, kind: str, names: tuple[str, ...]) -> Any:
    if kind == "s" and isinstance(item, str):
        return item
    if kind == "y" and isinstance(item, str):
        return _bytes(item)
    if kind == "b" and isinstance(item, bool):
        return item
    if kind == "f" and isinstance(item, int | float | str) and not isinstance(item, bool):
        try:
            return to_f32(float(item))
        except (ValueError, OverflowError):
            raise Unfit from None
    if kind in "iu":
        if isinstance(item, str) and re.fullmatch(r"-?\d{1,20}", item):
            item = int(item)  # protobuf's JSON writes 64-bit integers as text
        if isinstance(item, int) and not isinstance(item, bool):
            if (0 if kind == "u" else -(2**63)) <= item < 2**63:
                return item
    if kind == "e":
        if isinstance(item, str) and item in names:
            return item
        if isinstance(item, int) and not isinstance(item, bool) and 0 <= item < len(names):
            return names[item]
    raise Unfit


def _bytes(text: str) -> bytes:
    """Bytes of a JSON string: one byte a character where all fit, else UTF-8."""
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogateescape")


def _snake(name: str) -> str:
    return re.sub(r"[A-Z]", lambda m: "_" + m.group().lower(), name)


# ---------------------------------------------------------------------------- from messages


def message_to_json(msg: Msg) -> Any:
    """What `json.dumps` takes for a message; maps are lists of keys and values, sorted."""
    fields = SCHEMA.get(msg.type, {})
    out: dict[str, Any] = {}
    for name, value in msg.f.items():
        if name == UNKNOWN:
            for key, raw in value:
                if key != NULL:
                    out[key] = message_to_json(raw) if isinstance(raw, Msg) else _raw(raw)
            continue
        spec = fields[name]
        if spec.kind == "a":
            out[name] = [{"key": key, "value": _attr(value[key])} for key in sorted(value)]
        elif spec.repeated:
            out[name] = [_plain(item, spec.kind) for item in value]
        else:
            out[name] = _plain(value, spec.kind)
    return out


def _attr(value: Msg) -> Any:
    if any(name == NULL for name, _ in value.f.get(UNKNOWN, ())):
        return None
    return message_to_json(value)


def _plain(value: Any, kind: str) -> Any:
    if kind == "m":
        return message_to_json(value)
    if kind == "y":
        return value.decode("latin-1")
    if kind == "s":
        return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    if kind == "f":
        from ge_dialect.importers.ge_print import float_literal

        return float(float_literal(value))
    return value


def _raw(raw: str) -> Any:
    try:
        return json.loads(raw)
    except ValueError:
        return raw


def print_json(value: Any) -> str:
    """JSON text as GE writes it: sorted keys."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)
