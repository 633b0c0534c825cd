"""Values of pass options: from text to the declared Python type and back."""

from __future__ import annotations

import re
import types
import typing
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from ge_dialect.containers import is_tuple
from passes.base import AtLeast, Pass

#: A word that needs no quotes.
WORD = re.compile(r"[A-Za-z_][\w.:/+\-]*")
NUMBER = re.compile(
    r"[-+]?(?:0x[0-9a-fA-F]+|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)(?![\w.])"
)
_KEYWORDS = {"true", "false", "none"}


@dataclass(frozen=True, slots=True)
class Scalar:
    """A scalar as written: `kind` is "number", "word" or "string"; `start`/`end` its columns."""

    kind: str
    text: str
    start: int
    end: int


Written = Scalar | tuple[Scalar, ...]


class OptionError(Exception):
    """The value does not fit the option's type; `expected` says what would.

    in_domain: False where the type is right and the number is too small.
    """

    def __init__(self, expected: str, in_domain: bool = True) -> None:
        super().__init__(expected)
        self.expected = expected
        self.in_domain = in_domain


def option_types(cls: type[Pass]) -> dict[str, Any]:
    """Type of every option of a pass class, by field name."""
    if not cls.option_fields():
        return {}
    hints = typing.get_type_hints(cls, include_extras=True)
    return {f.name: hints[f.name] for f in cls.option_fields()}


def out_of_domain(a_pass: Pass) -> list[tuple[str, Any, str]]:
    """Options of a pass whose numbers are too small: name, value, what is expected."""
    found: list[tuple[str, Any, str]] = []
    for name, wanted in option_types(type(a_pass)).items():
        value = getattr(a_pass, name)
        bounds = _bounds(wanted) if typing.get_origin(wanted) is Annotated else []
        if not all(_is_at_least(value, least) for least in bounds):
            found.append((name.replace("_", "-"), value, type_name(wanted)))
    return found


def plain_type(wanted: Any) -> Any:
    """The type of an option without what `Annotated` adds."""
    return typing.get_args(wanted)[0] if typing.get_origin(wanted) is Annotated else wanted


def convert(written: Written, wanted: Any) -> Any:
    """The Python value of `written` for an option of type `wanted`; raises `OptionError`."""
    origin = typing.get_origin(wanted)
    if origin is Annotated:
        value = convert(written, typing.get_args(wanted)[0])
        if not all(_is_at_least(value, least) for least in _bounds(wanted)):
            raise OptionError(type_name(wanted), in_domain=False)
        return value
    if origin in (typing.Union, types.UnionType):
        return _convert_union(written, typing.get_args(wanted), wanted)
    if origin is tuple:
        inner = typing.get_args(wanted)[0]
        parts = written if isinstance(written, tuple) else (written,)
        try:
            return tuple(convert(p, inner) for p in parts)
        except OptionError:
            raise OptionError(type_name(wanted)) from None
    if isinstance(written, tuple):
        raise OptionError(type_name(wanted))
    return _convert_scalar(written, wanted, origin)


def _convert_union(written: Written, members: tuple[Any, ...], wanted: Any) -> Any:
    if isinstance(written, Scalar) and (written.kind, written.text) == ("word", "none"):
        if type(None) in members:
            return None
    for member in members:
        if member is type(None):
            continue
        try:
            return convert(written, member)
        except OptionError:
            pass
    raise OptionError(type_name(wanted))


def _convert_scalar(scalar: Scalar, wanted: Any, origin: Any) -> Any:
    text = scalar.text
    if origin is Literal:
        for choice in typing.get_args(wanted):
            if (text == str(choice) and scalar.kind != "number") or _number_is(scalar, choice):
                return choice
    elif wanted is bool:
        if scalar.kind == "word" and text in ("true", "false"):
            return text == "true"
    elif wanted is int:
        if scalar.kind == "number":
            try:
                return int(text, 0)
            except ValueError:
                pass
    elif wanted is float:
        if (scalar.kind == "number" and "x" not in text.lower()) or text in ("inf", "nan"):
            return float(text)
    elif wanted is str:
        return text
    raise OptionError(type_name(wanted))


def _bounds(wanted: Any) -> list[float]:
    """The smallest values an annotated type allows."""
    return [m.least for m in wanted.__metadata__ if isinstance(m, AtLeast)]


def _is_at_least(value: Any, least: float) -> bool:
    values = value if is_tuple(value) else (value,)
    return all(v is None or v >= least for v in values)


def _number_is(scalar: Scalar, choice: object) -> bool:
    return scalar.kind == "number" and isinstance(choice, int) and scalar.text == str(choice)


def type_name(wanted: Any) -> str:
    """How an option type is called in messages and docs."""
    origin = typing.get_origin(wanted)
    args = typing.get_args(wanted)
    if origin is Annotated:
        return ", ".join([type_name(args[0]), *(f"at least {b:g}" for b in _bounds(wanted))])
    if origin is Literal:
        return "one of " + ", ".join(str(a) for a in args)
    if origin is tuple:
        return f"a list of {type_name(args[0])}"
    if origin in (typing.Union, types.UnionType):
        return " or ".join("none" if a is type(None) else type_name(a) for a in args)
    plain = {bool: "true or false", int: "integer", float: "number", str: "string"}
    return plain.get(wanted, str(wanted))


def format_value(value: Any) -> str:
    """Canonical text of an option value."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if is_tuple(value):
        inner = ",".join(format_value(v) for v in value)
        return inner if len(value) > 1 else f"[{inner}]"
    text = str(value)
    if WORD.fullmatch(text) and text not in _KEYWORDS:
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + escaped.replace("\n", "\\n").replace("\t", "\\t") + '"'
