"""Settings of the interpreter that are others while something runs.

Several threads may be inside at once: the first one changes the setting, the last one puts back
what was there.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from threading import Lock
from typing import Generic, TypeVar

_T = TypeVar("_T")
_RECURSION = 20_000


class Held(Generic[_T]):
    """A setting. change: sets it and returns what `restore` needs to put it back."""

    def __init__(self, change: Callable[[], _T], restore: Callable[[_T], None]) -> None:
        self._change = change
        self._restore = restore
        self._lock = Lock()
        self._inside = 0
        self._before: list[_T] = []

    @contextmanager
    def held(self) -> Generator[None]:
        """Changed inside the `with` statement."""
        with self._lock:
            if not self._inside:
                self._before.append(self._change())
            self._inside += 1
        try:
            yield
        finally:
            with self._lock:
                self._inside -= 1
                if not self._inside:
                    self._restore(self._before.pop())


def _collector_off() -> bool:
    was = gc.isenabled()
    gc.disable()
    return was


def _collector_back(was: bool) -> None:
    if was:
        gc.enable()


def _deep() -> int:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _RECURSION))
    return limit


#: The cyclic collector off: reading and rewriting make many objects and few cycles.
COLLECTOR = Held(_collector_off, _collector_back)
#: Room for deep nesting.
RECURSION = Held(_deep, sys.setrecursionlimit)

__all__ = ["COLLECTOR", "RECURSION", "Held"]
