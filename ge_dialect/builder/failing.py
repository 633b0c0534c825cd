"""Errors of the builder: diagnostics at the line of the caller."""

from __future__ import annotations

import os
import sys
from typing import Any, NoReturn

from ge_dialect.diagnostics import Diagnostic, GeError

_HERE = os.path.dirname(os.path.abspath(__file__))


def caller() -> tuple[str, int]:
    """File and line of the nearest caller outside the builder."""
    frame = sys._getframe(1)
    while frame is not None and os.path.dirname(frame.f_code.co_filename) == _HERE:
        frame = frame.f_back
    return (frame.f_code.co_filename, frame.f_lineno) if frame is not None else ("<unknown>", 1)


def fail(code: str, message: str, *, node: str | None = None, **fields: Any) -> NoReturn:
    """Raise a `GeError` of one diagnostic at the caller's line."""
    raise GeError(diagnostic(code, message, node=node, **fields)) from None


def diagnostic(code: str, message: str, *, node: str | None = None, **fields: Any) -> Diagnostic:
    """A diagnostic at the caller's line; found and expected may be anything."""
    file, line = caller()
    found, expected, hint = (
        None if fields.get(k) is None else str(fields[k]) for k in ("found", "expected", "hint")
    )
    return Diagnostic(
        code,
        message,
        location=f"{file}:{line}:1",
        node=node,
        found=found,
        expected=expected,
        hint=hint,
    )


def nearest(name: str, known: list[str]) -> str | None:
    """A hint that names what is spelt alike; else all there is, where that is not much."""
    from ge_dialect.spelling import nearest as spelt_like

    near = spelt_like(name, known, 0.5)
    if near:
        return f"did you mean {near!r}?"
    return f"there are: {', '.join(known)}" if known and len(known) <= 12 else None
