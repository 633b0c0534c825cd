"""Diagnostics expected by comments in the input, compared with those produced.

A comment ``expected-error@+1 {{text}}`` expects, on the next line, an error whose text contains
`text`. Kinds are error, warning, remark and note; places ``@+N``, ``@-N``, ``@above``, ``@below``
(the nearest line without such a comment) and ``@unknown`` (no position); a number before the
braces repeats the expectation; ``-re`` after the kind takes ``{{regex}}`` parts inside the text.
Remarks are compared only when the input expects one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ge_dialect.diagnostics import Diagnostic

_EXPECTED = re.compile(
    r"expected-(?P<kind>error|warning|remark|note)(?P<re>-re)?"
    r"(?:[ \t]*@(?P<place>[+-]\d+|above|below|unknown))?[ \t]*(?P<count>\d+)?[ \t]*"
    r"\{\{(?P<text>(?:\{\{.*?\}\}|(?!\}\}).)*)\}\}"
)
_ANY = re.compile(r"expected-(?:error|warning|remark|note)(?:-re)?(?=[@{: \t]|$)")
_PART = re.compile(r"\{\{(.*?)\}\}")


@dataclass
class Expectation:
    """One expected diagnostic; `line` is None for ``@unknown``, `at` the comment's own line."""

    kind: str
    line: int | None
    text: str
    regex: bool
    at: int
    met: bool = False

    def matches(self, diagnostic: Diagnostic) -> bool:
        """Whether `diagnostic` is the expected one."""
        if diagnostic.severity != self.kind or line_of(diagnostic) != self.line:
            return False
        rendered = diagnostic.render()
        if not self.regex:
            return self.text in rendered
        pieces = _PART.split(self.text)
        pattern = "".join(p if i % 2 else re.escape(p) for i, p in enumerate(pieces))
        return re.search(pattern, rendered) is not None


def line_of(diagnostic: Diagnostic) -> int | None:
    """The line of a diagnostic's location, or None."""
    parts = (diagnostic.location or "").rsplit(":", 2)
    return int(parts[1]) if len(parts) == 3 and parts[1].isdecimal() else None


def expectations(text: str) -> list[Expectation]:
    """All expectations in `text`."""
    lines = text.split("\n")
    marked = [_EXPECTED.search(line) is not None for line in lines]
    found: list[Expectation] = []
    for number, line in enumerate(lines, 1):
        if not marked[number - 1]:
            continue
        for match in _EXPECTED.finditer(line):
            place = match["place"]
            target = _target(place, number, marked)
            for _ in range(int(match["count"] or 1)):
                found.append(
                    Expectation(match["kind"], target, match["text"], bool(match["re"]), number)
                )
    return found


def _target(place: str | None, number: int, marked: list[bool]) -> int | None:
    if place is None:
        return number
    if place == "unknown":
        return None
    if place in ("above", "below"):
        step = -1 if place == "above" else 1
        number += step
        while 1 <= number <= len(marked) and marked[number - 1]:
            number += step
        return number
    return number + int(place)


def _unreadable(text: str, filename: str) -> list[Diagnostic]:
    """Comments that begin as an expectation and are none, which must not pass for one."""
    problems: list[Diagnostic] = []
    for number, line in enumerate(text.split("\n"), 1):
        comment = line.find("//")
        if comment < 0 or "expected-" not in line:
            continue
        read = {m.start() for m in _EXPECTED.finditer(line)}
        for match in _ANY.finditer(line, comment):
            inside = any(m.start() < match.start() < m.end() for m in _EXPECTED.finditer(line))
            if match.start() not in read and not inside:
                problems.append(
                    Diagnostic(
                        "GX-413",
                        "an expectation that cannot be read",
                        location=f"{filename}:{number}:{match.start() + 1}",
                        found=line[match.start() :].strip(),
                        expected="expected-error@+1 {{text}}",
                    )
                )
    return problems


def compare(text: str, filename: str, produced: Iterable[Diagnostic]) -> list[Diagnostic]:
    """What differs: one GX-413 for each unexpected and each missing diagnostic."""
    wanted = expectations(text)
    problems = _unreadable(text, filename)
    with_remarks = any(e.kind == "remark" for e in wanted)
    for diagnostic in produced:
        if diagnostic.severity == "remark" and not with_remarks:
            continue
        for expectation in wanted:
            if not expectation.met and expectation.matches(diagnostic):
                expectation.met = True
                break
        else:
            problems.append(
                Diagnostic(
                    "GX-413",
                    f"unexpected {diagnostic.severity}",
                    location=diagnostic.location,
                    found=f"{diagnostic.code}: {diagnostic.message}",
                )
            )
    for expectation in wanted:
        if not expectation.met:
            problems.append(
                Diagnostic(
                    "GX-413",
                    f"expected {expectation.kind} was not produced"
                    + ("" if expectation.line is None else f" on line {expectation.line}"),
                    location=f"{filename}:{expectation.at}:1",
                    expected=expectation.text,
                )
            )
    return problems
