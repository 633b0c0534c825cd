"""Diagnostics: what the tools say when something is wrong or worth knowing.

Nothing here imports xDSL or numpy, so that a tool can report a usage error without paying for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Any, Literal

Severity = Literal["error", "warning", "remark", "note"]


class ExitCode(IntEnum):
    """Exit status of every tool of the project."""

    OK = 0
    USER = 1
    USAGE = 2
    VERIFY = 3
    MISCOMPARE = 4
    INTERNAL = 70


#: Characters of a phrase that are shown; names in broken text may be of any length.
_SHOWN = 800


def _short(text: str) -> str:
    """The text, with its middle left out where it is far too long for a screen.

    Characters that a terminal would obey and not show are written as escapes: names may hold any.
    """
    if len(text) > _SHOWN:
        half = _SHOWN // 2
        text = f"{text[:half]} ... {text[-half:]}"
    return text if text.isprintable() else "".join(map(_visible, text))


def _visible(c: str) -> str:
    if c.isprintable() or c in "\n\t":
        return c
    return c.encode("unicode_escape").decode("ascii")


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One message.

    `location` is "file:line:col"; `excerpt` is a source excerpt with a caret line, laid out;
    `found`, `expected` and `hint` are short phrases. `category` refines remarks ("applied",
    "missed", "analysis").
    """

    code: str
    message: str
    severity: Severity = "error"
    location: str | None = None
    node: str | None = None
    found: str | None = None
    expected: str | None = None
    hint: str | None = None
    pass_name: str | None = None
    excerpt: str | None = None
    category: str | None = None

    def render(self) -> str:
        """The message as a few lines of text, most important first."""
        head = f"{_short(self.location)}: " if self.location else ""
        kind = f"{self.severity}[{self.category}]" if self.category else self.severity
        lines = [f"{head}{kind}: {self.code}: {_short(self.message)}"]
        if self.excerpt:
            lines += ["    " + line for line in self.excerpt.splitlines()]
        for label, text in (
            ("node", self.node),
            ("found", self.found),
            ("expected", self.expected),
            ("hint", self.hint),
            ("pass", self.pass_name),
        ):
            if text:
                shown = text.replace("\n", "\\n") if label == "node" else text
                lines.append(f"  {label}: {_short(shown)}")
        return "\n".join(lines)

    def to_json(self) -> dict[str, str]:
        """The fields which are set, for machine-readable reports."""
        names = self.__dataclass_fields__
        return {n: getattr(self, n) for n in names if getattr(self, n) is not None}


class GeError(Exception):
    """A user-facing failure: one or more diagnostics and the exit status they call for."""

    def __init__(
        self, diagnostics: Diagnostic | Iterable[Diagnostic], exit_code: int = ExitCode.USER
    ) -> None:
        found = (diagnostics,) if isinstance(diagnostics, Diagnostic) else tuple(diagnostics)
        super().__init__(found, exit_code)
        self.diagnostics: tuple[Diagnostic, ...] = found
        self.exit_code = int(exit_code)

    def __str__(self) -> str:
        return render_all(self.diagnostics)


def user_error(
    code: str, message: str, *, exit_code: int = ExitCode.USER, **fields: Any
) -> GeError:
    """A `GeError` of a single error; `fields` are those of `Diagnostic`."""
    return GeError(Diagnostic(code, message, **fields), exit_code)


def render_all(diagnostics: Sequence[Diagnostic], limit: int = 12) -> str:
    """Text of several diagnostics; what exceeds one screen is counted, not printed."""
    shown = [d.render() for d in diagnostics[:limit]]
    left = len(diagnostics) - limit
    if left > 0:
        shown.append(f"... and {left} more (--json-report lists all)")
    return "\n".join(shown)


def op_place(op: Any) -> tuple[str | None, str | None]:
    """`("file:line:col", node name)` of an operation, each None when unknown.

    The place of a node that a pass made is that of the node or graph it stands in.
    """
    from ge_dialect.ir.names import file_location, node_name

    around, place = op, file_location(op)
    while place is None and (around := around.parent_op()) is not None:
        place = file_location(around)
    return place, node_name(op)


@dataclass
class DiagnosticSink:
    """Collects diagnostics; `on_emit` sees each one as it comes (for instance to print it)."""

    on_emit: Callable[[Diagnostic], None] | None = None
    diagnostics: list[Diagnostic] = field(default_factory=list)
    pass_name: str | None = None

    def emit(self, diagnostic: Diagnostic) -> None:
        """Record a diagnostic, naming the running pass when the diagnostic names none."""
        if diagnostic.pass_name is None and self.pass_name is not None:
            diagnostic = replace(diagnostic, pass_name=self.pass_name)
        self.diagnostics.append(diagnostic)
        if self.on_emit is not None:
            self.on_emit(diagnostic)

    def _make(self, severity: Severity, code: str, message: str, op: Any, kw: dict) -> None:
        if op is not None:
            where, node = op_place(op)
            kw.setdefault("location", where)
            kw.setdefault("node", node)
        self.emit(Diagnostic(code, message, severity, **kw))

    def error(self, code: str, message: str, *, op: Any = None, **kw: Any) -> None:
        """Report an error; `op` supplies location and node name."""
        self._make("error", code, message, op, kw)

    def warning(self, code: str, message: str, *, op: Any = None, **kw: Any) -> None:
        """Report a warning."""
        self._make("warning", code, message, op, kw)

    def remark(self, code: str, message: str, *, op: Any = None, **kw: Any) -> None:
        """Report a remark (what was done, or why not)."""
        self._make("remark", code, message, op, kw)

    @property
    def errors(self) -> list[Diagnostic]:
        """The errors so far."""
        return [d for d in self.diagnostics if d.severity == "error"]

    @property
    def has_errors(self) -> bool:
        """Whether an error was reported."""
        return any(d.severity == "error" for d in self.diagnostics)

    def raise_if_errors(self, exit_code: int = ExitCode.USER) -> None:
        """Raise a `GeError` of all errors so far, if any."""
        if errors := self.errors:
            raise GeError(errors, exit_code)
