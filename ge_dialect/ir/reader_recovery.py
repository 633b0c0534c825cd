"""Going on after an error, so that one reading reports all of them.

An operation that cannot be read is left out: the reader continues behind it, and later uses of its
results are not reported again.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from xdsl.utils.exceptions import ParseError, VerifyException

from ge_dialect.ir.reader_values import VALUE_ERRORS
from ge_dialect.ir.stock_text import GeParseError, text_span

if TYPE_CHECKING:
    from ge_dialect.ir.reader_lines import GeParser

MAX_ERRORS = 20

_PIECE = re.compile(r'"(?:[^"\\\n]++|\\.)*+"|//[^\n]*|[{}\n]|[^"/{}\n]++|.', re.DOTALL)
_RESULTS = re.compile(r"\s*((?:%[\w$.\-]+(?::[0-9]+)?\s*,?\s*)+)=")
_NAME = re.compile(r"%([\w$.\-]+)")


def end_of_operation(text: str, start: int) -> int | None:
    """Position behind the operation written at `start`; None where its braces do not close.

    An operation ends with the first line on which all its braces are closed.
    """
    depth = 0
    for m in _PIECE.finditer(text, start):
        piece = m.group()
        if piece == "{":
            depth += 1
        elif piece == "}":
            depth -= 1
            if depth < 0:  # the brace of the graph around it
                return m.start()
        elif piece == "\n" and depth == 0:
            return m.end()
    return None


def results_of(text: str, start: int) -> list[str]:
    """Names of the results of the operation written at `start`."""
    m = _RESULTS.match(text, start)
    return _NAME.findall(m.group(1)) if m is not None else []


def located(parser: GeParser, error: Exception) -> ParseError:
    """The error as a parse error; one without a place gets that of the current token."""
    if isinstance(error, ParseError):
        return error
    # an exception of several arguments prints as a tuple; the first one says what is wrong
    said = str(error.args[0]) if len(error.args) > 1 else str(error)
    words = said.strip().splitlines()
    message = words[0] if words else type(error).__name__
    code = "GX-108" if isinstance(error, VerifyException) else "GX-119"
    if isinstance(error, RecursionError):
        code, message = "GX-110", "the text is nested too deeply"
    return GeParseError(parser.token_span, message, code)


def recover(parser: GeParser, error: Exception, start: int) -> int:
    """Record an error in the operation at `start`; the position behind it, where reading goes on.

    Raises the error where it is not known how to go on.
    """
    found = located(parser, error)
    span = text_span(found)
    end = end_of_operation(parser.text, start)
    if end is None or end <= start or span.start > end or len(parser.errors) >= MAX_ERRORS:
        raise found
    if getattr(found, "code", None) != "":
        parser.errors.append(found)
    parser.poisoned.update(results_of(parser.text, start))
    return end


#: The errors that reading an operation may raise.
ERRORS = (ParseError, *VALUE_ERRORS)
