"""The progress line of the tools, on a terminal only."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import TracebackType


class Progress:
    """One progress line on stderr, only on a terminal; silent in a pipe or file.

    Use as a context manager; ``total`` None shows activity without a share. ``rich`` draws it when
    installed, plain text otherwise.
    """

    def __init__(self, title: str, total: int | None = None, *, enabled: bool | None = None):
        self.title = title
        self.total = total
        self.done = 0
        self._enabled = _is_terminal(sys.stderr) if enabled is None else enabled
        self._bar: Any = None
        self._task: Any = None
        self._shown = ""

    def __enter__(self) -> Progress:
        if self._enabled:
            try:
                from rich.console import Console
                from rich.progress import Progress as RichProgress
            except ImportError:
                self._draw()
            else:
                console = Console(file=sys.stderr)
                self._bar = RichProgress(console=console, transient=True)
                self._bar.start()
                self._task = self._bar.add_task(self.title, total=self.total)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()
        elif self._shown:
            _clear_line(len(self._shown))

    def advance(self, steps: int = 1) -> None:
        """Count ``steps`` more."""
        self.done += steps
        if self._bar is not None:
            self._bar.advance(self._task, steps)
        else:
            self._draw()

    def step(self, title: str, total: int | None = None) -> None:
        """Begin the next phase under a new title."""
        self.title, self.total, self.done = title, total, 0
        if self._bar is not None:
            self._bar.reset(self._task, description=title, total=total)
        else:
            self._draw()

    def _draw(self) -> None:
        if not self._enabled or self._bar is not None:
            return
        share = f" {100 * self.done // self.total}%" if self.total else ""
        text = f"{self.title}{share}"
        if text != self._shown:
            sys.stderr.write("\r" + text.ljust(len(self._shown)))
            sys.stderr.flush()
            self._shown = text


def _is_terminal(stream: Any) -> bool:
    try:
        return bool(stream.isatty())
    except (AttributeError, ValueError):
        return False


def _clear_line(width: int) -> None:
    sys.stderr.write("\r" + " " * width + "\r")
    sys.stderr.flush()
