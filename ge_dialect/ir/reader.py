"""Reading IR text: `parse_module` and the diagnostics of broken text.

The grammar stands in `docs/ir.md`. Reading never raises anything but `GeError`, whose diagnostics
carry a code, `file:line:col`, and the source line with a caret.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Span

from ge_dialect.diagnostics import Diagnostic, GeError
from ge_dialect.held import COLLECTOR, RECURSION
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.batches import together
from ge_dialect.ir.context import make_context
from ge_dialect.ir.reader_lines import GeParser
from ge_dialect.ir.reader_recovery import ERRORS, located
from ge_dialect.ir.reader_tables import Names
from ge_dialect.ir.stock_text import GeParseError, text_span, undefined

if TYPE_CHECKING:
    from xdsl.context import Context

_WIDTH = 96
_QUOTED_OR_FOREIGN = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|[^\x00-\x7f]')


def parse_module(
    text: str | bytes, ctx: Context | None = None, filename: str = "<stdin>"
) -> ModuleOp:
    """Read a module; one that is not written as `builtin.module` is made around the operations.

    ctx: the context to look names up in, by default a fresh one with our dialects.
    filename: the name used in locations and diagnostics.
    Nodes get a name where the text gives none: that of their first result, else one made from
    their type; `op.location` also keeps file, line and column.
    Raises GeError with located diagnostics (codes GX-1xx) for text that is no module. The module
    is not verified.
    """
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8")
        except UnicodeDecodeError as error:
            line = text.count(b"\n", 0, error.start) + 1
            column = error.start - text.rfind(b"\n", 0, error.start)
            raise GeError(
                Diagnostic(
                    "GX-120",
                    f"byte 0x{text[error.start]:02X} is no UTF-8 text",
                    location=f"{filename}:{line}:{column}",
                )
            ) from None
    if text.startswith("\ufeff"):
        text = text[1:]
    if not text.isascii():
        _refuse_foreign_characters(text, filename)
    with COLLECTOR.held(), RECURSION.held(), together():
        parser = None
        errors: list[ParseError] = []
        module = None
        try:
            parser = GeParser(ctx if ctx is not None else make_context(), text, filename)
            errors = parser.errors
            module = _parse_all(parser)
        except ParseError as error:
            if getattr(error, "code", None) != "":
                errors.append(error)
        except ERRORS as error:
            # raised by xDSL's parser or attribute classes for values that make no sense
            assert parser is not None
            errors.append(located(parser, error))
    if errors or module is None:
        raise GeError([diagnose(e, filename) for e in errors])
    return module


def _refuse_foreign_characters(text: str, filename: str) -> None:
    """GX-101 for a character beyond ASCII outside of strings and comments.

    xDSL's lexer takes letters and digits of any script (a shape of Arabic digits), MLIR's none.
    """
    for match in _QUOTED_OR_FOREIGN.finditer(text):
        if not match[0].isascii() and match[0][0] not in '"/':
            at = match.start()
            line = text.count("\n", 0, at) + 1
            raise GeError(
                Diagnostic(
                    "GX-101",
                    "a character that is not ASCII outside of strings and comments",
                    location=f"{filename}:{line}:{at - text.rfind(chr(10), 0, at)}",
                    found=f"{match[0] if match[0].isprintable() else ''} (U+{ord(match[0]):04X})",
                )
            )


def _parse_all(parser: GeParser) -> ModuleOp:
    ops: list[Operation] = []
    names = Names()
    while True:
        parser.parse_aliases()
        if parser.at_end:
            break
        if not parser.token_opens_op:
            parser.raise_error("expected an operation")
        where = parser.position(parser.pos)
        start = parser.pos
        op = parser.parse_or_skip(start)
        if op is None:
            continue
        if isinstance(op, GeOp):
            parser.name_node(op, parser.first_result(start), names, where)
        ops.append(op)
    missing = undefined(parser)
    if missing:
        raise GeParseError(
            parser.token_span, f"values are used but not defined: {missing}", "GX-102"
        )
    if len(ops) == 1 and isinstance(ops[0], ModuleOp):
        return ops[0]
    return ModuleOp(ops)


# ---------------------------------------------------------------------------------- diagnostics


def _excerpt(span: Span) -> tuple[int, int, str]:
    """Line, column (both from 1) and the source line with carets, cut to one screen line."""
    text = span.input.content
    start = min(span.start, len(text))
    begin = text.rfind("\n", 0, start) + 1
    end = text.find("\n", start)
    line_text = text[begin : len(text) if end < 0 else end].rstrip("\r")
    line = text.count("\n", 0, start) + 1
    column = start - begin
    length = max(1, min(span.end, begin + len(line_text)) - start)
    cut = 0
    if len(line_text) > _WIDTH:
        cut = max(0, min(column - _WIDTH // 2, len(line_text) - _WIDTH))
        line_text = line_text[cut : cut + _WIDTH]
    length = min(length, max(1, cut + _WIDTH - column))
    shown = "".join(c if c.isprintable() else " " for c in line_text)
    return line, column + 1, f"{shown}\n{' ' * (column - cut)}{'^' * length}"


def diagnose(error: ParseError, filename: str) -> Diagnostic:
    """The diagnostic of a parse error."""
    span = text_span(error)
    if getattr(error, "code", None) is None:
        from ge_dialect.ir.type_habits import problem_at

        odd = problem_at(span.input.content, span.start)
        if odd is not None:
            place = Span(odd.start, odd.end, span.input)
            error = GeParseError(place, odd.message, hint=odd.hint, expected=odd.expected)
            span = place
    code, message = getattr(error, "code", None) or _code_of(error.msg), _tidy(error.msg)
    if "before closing string" in message:
        span, message = _broken_string(span)
    line, column, excerpt = _excerpt(span)
    return Diagnostic(
        code,
        message,
        location=f"{filename}:{line}:{column}",
        excerpt=excerpt,
        hint=getattr(error, "hint", None),
        expected=getattr(error, "expected", None),
    )


_STRING_PART = re.compile(r'(?:[^"\\\n\v\f]|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*')


def _broken_string(span: Span) -> tuple[Span, str]:
    """Where the string literal at a place goes wrong, and in what way."""
    text = span.input.content
    part = _STRING_PART.match(text, span.start + 1)
    end = part.end() if part is not None else span.start + 1
    if text[end : end + 1] == "\\":
        message = 'there is no such escape in strings: \\\\, \\", \\n, \\t and two hex digits are'
        return Span(end, min(end + 2, len(text)), span.input), message
    what = "the text ends in it" if end >= len(text) else "a line ends in it (write \\n or \\0A)"
    return span, f"a string is not closed: {what}"


def _code_of(message: str) -> str:
    lowered = message.lower()
    if "already defined" in lowered:
        return "GX-114"
    if "not defined" in lowered or "before assignment" in lowered:
        return "GX-102"
    if "string" in lowered or "end of file" in lowered:
        return "GX-115"
    return "GX-101"


#: What xDSL's parser, Python and we call the same thing.
_OTHER_WORDS = {
    "Operation builtin.unregistered does not have a custom format.": (
        'an operation of an unknown dialect is read in generic form: "d.op"(%x) : (type) -> type'
    ),
    "in block definition": "'}' expected: the body of a graph or an operation is not closed",
    "set_int_max_str_digits": "a number of more digits than any value has",
}


def _tidy(message: str) -> str:
    text = " ".join(message.split())
    for phrase, words in _OTHER_WORDS.items():
        if text == phrase or (phrase in text and "_" in phrase):
            return words
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


__all__ = ["diagnose", "parse_module"]
