"""Watching the patterns of a run from outside, and answering their conditions in another way.

Set ``ctx.probe`` before a run. `Coverage` counts; mutation (`passes.testing.mutation`) answers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from passes.rewriting import Pattern


class Probe:
    """Does nothing; subclass it."""

    def started(self, patterns: Sequence[Pattern]) -> None:
        """A sweep with these patterns begins."""

    def judge(self, pattern: Pattern, reason: str, holds: bool) -> bool:
        """A precondition was judged; what comes back counts."""
        return holds

    def applied(self, pattern: Pattern) -> None:
        """A pattern rewrote something."""


class Coverage(Probe):
    """Which patterns there are, which rewrote, and which of their conditions held and failed.

    patterns: by label. fired: rewrites by label. held, failed: by (label, reason).
    """

    def __init__(self) -> None:
        self.patterns: dict[str, Pattern] = {}
        self.fired: Counter[str] = Counter()
        self.held: Counter[tuple[str, str]] = Counter()
        self.failed: Counter[tuple[str, str]] = Counter()

    def started(self, patterns: Sequence[Pattern]) -> None:
        for pattern in patterns:
            self.patterns.setdefault(pattern.label, pattern)

    def judge(self, pattern: Pattern, reason: str, holds: bool) -> bool:
        (self.held if holds else self.failed)[(pattern.label, reason)] += 1
        return holds

    def applied(self, pattern: Pattern) -> None:
        self.fired[pattern.label] += 1

    def add(self, other: Coverage) -> None:
        """Count what another run showed, too."""
        for label, pattern in other.patterns.items():
            self.patterns.setdefault(label, pattern)
        self.fired += other.fired
        self.held += other.held
        self.failed += other.failed

    @property
    def conditions(self) -> list[tuple[str, str]]:
        """All conditions met, by label and reason."""
        return sorted({*self.held, *self.failed})


__all__ = ["Coverage", "Probe"]
