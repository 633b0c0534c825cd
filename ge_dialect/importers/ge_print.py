"""Messages as protobuf text in the form GE prints."""

from __future__ import annotations

import re
import struct
from typing import Any

from ge_dialect.importers.ge_message import NULL, UNKNOWN, Msg
from ge_dialect.importers.ge_schema import SCHEMA

#: Blocks that are printed once however often they occur.
_SHARED = frozenset({"AttrEntry", "TensorDescriptor", "ShapeDef", "AttrDef"})
_SPECIAL = re.compile(rb"[^ !#-&(-\[\]-~]")
_NAMED = {b"\n": b"\\n", b"\t": b"\\t", b"\r": b"\\r", b'"': b'\\"', b"'": b"\\'", b"\\": b"\\\\"}
_SLICE = 1 << 16
_quoted: dict[str | bytes, str] = {}


def _escaped(found: re.Match[bytes]) -> bytes:
    char = found.group()
    return _NAMED.get(char) or b"\\%03o" % char[0]


def quote_text(value: str | bytes) -> str:
    """A string literal of protobuf text."""
    known = _quoted.get(value)
    if known is None:
        raw = value if isinstance(value, bytes) else value.encode("utf-8", "surrogateescape")
        parts = [  # in slices: a long constant is an object a character otherwise
            _SPECIAL.sub(_escaped, raw[i : i + _SLICE]).decode("ascii")
            for i in range(0, len(raw), _SLICE)
        ]
        known = '"' + "".join(parts) + '"'
        if len(known) < 200 and len(_quoted) < 100_000:
            _quoted[value] = known
    return known


def float_literal(value: float) -> str:
    """Decimal of an f32 in six digits where they suffice, else in nine, as protobuf prints it."""
    if value != value:
        return "nan"
    if value in (float("inf"), float("-inf")):
        return "inf" if value > 0 else "-inf"
    short = f"{value:.6g}"
    try:
        same = struct.pack("<f", float(short)) == struct.pack("<f", value)
    except OverflowError:
        return repr(value)
    return short if same else f"{value:.9g}"


def scalar_literal(value: Any, kind: str) -> str:
    """Text of a scalar of that kind."""
    if kind in "sy":
        return quote_text(value)
    if kind == "b":
        return "true" if value else "false"
    if kind == "f":
        return float_literal(value)
    return str(value)


def print_text(msg: Msg, indent: int = 0) -> str:
    """Canonical protobuf text of a message: two spaces a level, maps sorted by key."""
    return "".join(_Printer().lines(msg, "  " * indent))


class _Printer:
    """Prints; blocks that are one object and stand at one depth are printed once."""

    def __init__(self) -> None:
        self.memo: dict[tuple[int, str], list[str]] = {}

    def lines(self, msg: Msg, pad: str) -> list[str]:
        """Pieces of the text of a message's content."""
        key = (id(msg), pad)
        known = self.memo.get(key)
        if known is not None:
            return known
        out: list[str] = []
        f = msg.f
        for name, spec in SCHEMA.get(msg.type, {}).items():
            value = f.get(name)
            if value is None:
                continue
            kind = spec.kind
            if kind == "a":
                for entry in sorted(value):
                    self._entry(out, entry, value[entry], name, pad)
            elif kind == "m":
                for item in value if spec.repeated else (value,):
                    out.append(f"{pad}{name} {{\n")
                    out += self.lines(item, pad + "  ")
                    out.append(pad + "}\n")
            else:
                for item in value if spec.repeated else (value,):
                    out.append(f"{pad}{name}: {scalar_literal(item, kind)}\n")
        for name, value in f.get(UNKNOWN, ()):
            if name == NULL:
                continue
            if isinstance(value, Msg):
                out.append(f"{pad}{name} {{\n")
                out += self.lines(value, pad + "  ")
                out.append(pad + "}\n")
            else:
                out.append(f"{pad}{name}: {value}\n")
        if msg.type in _SHARED:
            out = ["".join(out)]
            self.memo[key] = out
        return out

    def _entry(self, out: list[str], key: str, value: Msg, name: str, pad: str) -> None:
        out.append(f"{pad}{name} {{\n{pad}  key: {quote_text(key)}\n{pad}  value {{\n")
        out += self.lines(value, pad + "    ")
        out.append(f"{pad}  }}\n{pad}}}\n")
