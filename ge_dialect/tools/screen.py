"""A screen of diagnostics for a tool that says them one by one, over all parts of its input."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ge_dialect.tools import common

if TYPE_CHECKING:
    from ge_dialect.diagnostics import Diagnostic


class Screen:
    """Shows diagnostics on stderr until a screen is full; the others are counted.

    Errors have a screen of their own, so that no number of warnings hides why a run failed.
    """

    def __init__(self, limit: int = common.SCREEN_LINES) -> None:
        self._limit = limit
        self._lines = {True: 0, False: 0}
        self.hidden = 0

    def show(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Show what still fits; after the first that does not, nothing of its kind is shown."""
        for diagnostic in diagnostics:
            kind = diagnostic.severity == "error"
            used, size = self._lines[kind], diagnostic.render().count("\n") + 1
            if used and used + size > self._limit:
                self._lines[kind] = self._limit
                self.hidden += 1
                continue
            self._lines[kind] = used + size
            common.render_diagnostics([diagnostic])

    def end(self, how: str) -> None:
        """Say how many were not shown, and how to see all."""
        if self.hidden:
            common.say(f"... and {self.hidden} more ({how})")
        self.hidden = 0
