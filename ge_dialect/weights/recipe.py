"""Recipes: a derived weight as an expression over golden operators, as text and as a tree.

Grammar (canonical text has one space after each comma and around `=`):

    term   := "name" | number | word | [term, ...] | word(term, ..., word = term, ...)
    leaves := "w"                                a weight of the store
              const([1.0, 2.0], f32)             a small literal
              bits("0x0000C07F", [1], f32)       the same by its bytes, where decimals would lie
              splat(0.0, [64, 64], f32)          one value everywhere
    calls  := cast("w", f16), transpose("w", [1, 0]), mul("w", "g") ...   short forms
              BatchMatMulV2("a", "b", adj_x1 = true)                      any operator by its name
              result(SplitD("w", split_dim = 0, num_split = 2), 1)        another output

Nothing here imports numpy. Trees are built bottom up and know their text, so neither printing nor
parsing recurses: a chain of a thousand folds is as safe as one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from ge_dialect.diagnostics import user_error
from ge_dialect.ir.attributes import quote


@dataclass(frozen=True, slots=True)
class Ref:
    """A weight of the store (or, as the value of an attribute, a string)."""

    name: str
    text: str = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", quote(self.name))


@dataclass(frozen=True, slots=True)
class Word:
    """A bare word: a dtype, `true`, `false`, `none`, `inf`, `nan`."""

    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """An operator applied to terms; equal where the canonical texts are."""

    name: str
    args: tuple[Any, ...]
    attrs: tuple[tuple[str, Any], ...] = ()
    text: str = field(init=False, repr=False)

    def __post_init__(self) -> None:
        parts = [term_text(a) for a in self.args]
        parts += [f"{key} = {term_text(value)}" for key, value in self.attrs]
        object.__setattr__(self, "text", f"{self.name}({', '.join(parts)})")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Call) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)


#: Kept under a name of its own: a `const(...)` or `bits(...)` leaf is an ordinary call.
Const = Call
Term = Ref | Word | Call | int | float | tuple


def term_text(term: Any) -> str:
    """Canonical text of a term; TypeError for something that is none."""
    if isinstance(term, Ref | Word | Call):
        return term.text
    if isinstance(term, bool):
        return "true" if term else "false"
    if isinstance(term, int):
        return str(term)
    if isinstance(term, float):
        return number_text(term)
    if isinstance(term, tuple):
        return "[" + ", ".join(term_text(t) for t in term) + "]"
    raise TypeError(f"{type(term).__name__} is no term of a recipe")


def number_text(value: float) -> str:
    """Shortest decimal of a float that MLIR's lexer takes (always with a dot)."""
    if value != value:
        return "nan"
    if value in (float("inf"), float("-inf")):
        return "inf" if value > 0 else "ninf"
    text = repr(value)
    return text if "." in text else text.replace("e", ".0e")


print_recipe = term_text

_TOKEN = re.compile(
    r"""\s*(?:
      (?P<string>"(?:[^"\\\n]|\\.)*")
    | (?P<float>[-+]?(?:\d+\.\d*(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+))
    | (?P<int>[-+]?\d+)
    | (?P<word>[A-Za-z_][\w.$]*)
    | (?P<punct>[\[\](),=])
    )""",
    re.VERBOSE,
)
_ESCAPE = re.compile(rb'\\(n|t|\\|"|[0-9A-Fa-f]{2}|.)', re.DOTALL)
_SIMPLE = {b"n": b"\n", b"t": b"\t", b"\\": b"\\", b'"': b'"'}


def unquote(literal: str) -> str:
    """Contents of an MLIR string literal; ValueError for a bad escape or bytes not UTF-8."""

    def one(match: re.Match[bytes]) -> bytes:
        code = match.group(1)
        if code in _SIMPLE:
            return _SIMPLE[code]
        if len(code) != 2:
            raise ValueError(f"bad escape \\{code.decode(errors='replace')}")
        return bytes([int(code, 16)])

    return _ESCAPE.sub(one, literal[1:-1].encode()).decode()


class _Frame:
    """An open bracket: what is being built and the terms so far."""

    __slots__ = ("attrs", "close", "items", "key", "name", "start")

    def __init__(self, name: str | None, close: str, start: int) -> None:
        self.name, self.close, self.start = name, close, start
        self.items: list[Any] = []
        self.attrs: list[tuple[str, Any]] = []
        self.key: str | None = None

    def add(self, term: Any) -> bool:
        if self.key is not None:
            self.attrs.append((self.key, term))
            self.key = None
        elif self.attrs:
            return False
        else:
            self.items.append(term)
        return True

    def done(self) -> Any:
        if self.name is None:
            return tuple(self.items)
        return Call(self.name, tuple(self.items), tuple(self.attrs))


def parse_recipe(text: str) -> Any:
    """Tree of a recipe's text. Raises `GeError` GX-308 with the column of the fault."""
    tokens = _tokens(text)
    top = _Frame(None, "", 0)
    stack = [top]
    at = 0
    need_term = True
    while at < len(tokens):
        kind, value, place = tokens[at]
        at += 1
        frame = stack[-1]
        if kind == "punct" and value in ")]":
            empty = not frame.items and not frame.attrs
            if value != frame.close or (need_term and not empty) or frame.key is not None:
                raise _bad(text, place, f"unexpected {value!r}")
            stack.pop()
            term: Any = frame.done()
        elif not need_term:
            if value != "," or len(stack) == 1:
                raise _bad(text, place, "expected ',' or a closing bracket")
            need_term = True
            continue
        elif kind == "punct" and value == "[":
            stack.append(_Frame(None, "]", place))
            continue
        elif kind == "punct":
            raise _bad(text, place, "expected a term")
        elif kind == "word" and _punct(tokens, at, "("):
            stack.append(_Frame(value, ")", place))
            at += 1
            continue
        elif kind == "word" and _punct(tokens, at, "="):
            if frame.name is None or frame.key is not None:
                raise _bad(text, place, "an attribute belongs into a call")
            frame.key = value
            at += 1
            continue
        else:
            term = _atom(text, kind, value, place)
        if not stack[-1].add(term):
            raise _bad(text, place, "a positional argument after a named one")
        need_term = False
    if len(stack) > 1:
        raise _bad(text, stack[-1].start, "this bracket is never closed")
    if len(top.items) != 1:
        raise _bad(text, len(text), "expected a weight name or a recipe")
    return top.items[0]


def _tokens(text: str) -> list[tuple[str, str, int]]:
    out: list[tuple[str, str, int]] = []
    at, end = 0, len(text.rstrip())
    while at < end:
        match = _TOKEN.match(text, at)
        if match is None:
            raise _bad(text, at, f"unexpected character {text[at : at + 1]!r}")
        kind = match.lastgroup or ""
        out.append((kind, match.group(kind), match.start(kind)))
        at = match.end()
    return out


def _punct(tokens: list[tuple[str, str, int]], at: int, value: str) -> bool:
    return at < len(tokens) and tokens[at][0] == "punct" and tokens[at][1] == value


def _atom(text: str, kind: str, value: str, place: int) -> Any:
    if kind == "string":
        try:
            return Ref(unquote(value))
        except ValueError as error:
            raise _bad(text, place, f"bad string: {error}") from None
    if kind == "int":
        return int(value)
    if kind == "float":
        return float(value)
    return {"true": True, "false": False}.get(value, Word(value))


def _bad(text: str, at: int, what: str) -> Exception:
    shown = text if len(text) <= 160 else text[max(0, at - 80) : at + 80]
    offset = at if len(text) <= 160 else min(at, 80)
    return user_error(
        "GX-308",
        f"malformed recipe at column {at + 1}: {what}",
        excerpt=shown + "\n" + " " * offset + "^",
    )


def operands(call: Call) -> list[Any]:
    """The tensor terms of a call, in order; lists are opened, attributes are not tensors."""
    if call.name in ("const", "bits", "splat"):
        return []
    out: list[Any] = []
    for arg in call.args:
        for term in arg if isinstance(arg, tuple) else (arg,):
            if isinstance(term, Ref | Call):
                out.append(term)
    return out


def recipe_names(term: Any) -> list[str]:
    """Names of the stored weights a term reads, each once, in order of appearance."""
    names: dict[str, None] = {}
    stack = [term]
    while stack:
        top = stack.pop()
        if isinstance(top, Ref):
            names.setdefault(top.name)
        elif isinstance(top, Call):
            stack.extend(reversed(operands(top)))
    return list(names)


def post_order(term: Any) -> list[Call]:
    """All distinct calls of a term, every call after those it reads."""
    out: dict[str, Call] = {}
    stack: list[tuple[Any, bool]] = [(term, False)]
    while stack:
        top, ready = stack.pop()
        if not isinstance(top, Call) or top.text in out:
            continue
        if ready:
            out[top.text] = top
            continue
        stack.append((top, True))
        stack.extend((t, False) for t in reversed(operands(top)))
    return list(out.values())
