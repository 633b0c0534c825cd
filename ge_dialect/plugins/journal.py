"""Who registered what: every registry notes here what it gets while foreign code is loaded.

So a listing can say where a name came from, and a file that is unloaded, or fails half-way, leaves
nothing behind.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, redirect_stdout
from dataclasses import dataclass
from typing import Any

#: Our own packages: what they register while foreign code imports them is not foreign.
OURS = ("ge_dialect", "passes", "runtime")


@dataclass(frozen=True, slots=True)
class Source:
    """Where foreign code comes from: `label` for people ("ge-swish 0.1", "my_pass.py"); `path` of
    a file or project folder given with `--load`, None for an installed distribution."""

    label: str
    path: str | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """One registration: `kind` ("operator", "pass", …), the name, and how to take it back."""

    kind: str
    name: str
    source: Source
    undo: Callable[[], object]


#: What stands around foreign code while it is loaded; higher layers add theirs, given a label.
AROUND: list[Callable[[str], AbstractContextManager[None]]] = []
#: What goes through foreign code untouched, whoever raised it; higher layers add theirs.
INTERRUPTS: list[type[BaseException]] = [KeyboardInterrupt]
_running: list[Source] = []
_notes: list[Note] = []


@contextmanager
def registering(source: Source) -> Iterator[None]:
    """What is registered in the block comes from `source`; an exception takes it back again."""
    _running.append(source)
    start = len(_notes)
    try:
        yield
    except BaseException:
        _take_back(_notes[start:])
        del _notes[start:]
        raise
    finally:
        _running.pop()


@contextmanager
def foreign_code(source: Source) -> Iterator[None]:
    """Around code of others while it is loaded: `registering`, and what it prints goes to stderr,
    as stdout carries the result."""
    with ExitStack() as stack:
        stack.enter_context(registering(source))
        stack.enter_context(redirect_stdout(sys.stderr))
        for around in AROUND:
            stack.enter_context(around(source.label))
        yield


def is_foreign(value: Any) -> bool:
    """Whether a function or class is not one of our packages'."""
    home = getattr(value, "__module__", None) or ""
    return home.partition(".")[0] not in OURS


def is_interrupt(error: BaseException) -> bool:
    """Whether an exception ends the work from outside, so that it is no fault of foreign code."""
    return isinstance(error, tuple(INTERRUPTS))


def fault(error: BaseException) -> str:
    """An exception of foreign code in one line, whatever its own text does."""
    try:
        said = " ".join(str(error).split())[:300]
    except Exception:
        said = ""
    # Text that no stream can carry must not hide the rest.
    said = said.encode("utf-8", "backslashreplace").decode("utf-8")
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def foreign_place(error: BaseException) -> str | None:
    """File and line of code of others that raised an exception when code of ours called it."""
    frames = []
    trace = error.__traceback__
    while trace is not None:
        name = str(trace.tb_frame.f_globals.get("__name__"))
        frames.append((name.partition(".")[0], trace.tb_frame.f_code.co_filename, trace.tb_lineno))
        trace = trace.tb_next
    # The first is the one that caught it; the next may be the main function of a tool of others.
    if len(frames) < 3 or frames[1][0] not in OURS or frames[-1][0] in ("argparse", *OURS):
        return None
    return f"{frames[-1][1]}:{frames[-1][2]}"


def note(kind: str, name: str, value: Any, undo: Callable[[], object]) -> None:
    """A registry got `value` under `name`; `undo` removes it. Nothing happens outside of loading,
    nor for what our own packages register."""
    if not _running:
        return
    if is_foreign(value):
        _notes.append(Note(kind, name, _running[-1], undo))


def forget(source: Source) -> None:
    """Take back everything that came from a source, the last first."""
    _take_back([n for n in _notes if n.source == source])
    _notes[:] = [n for n in _notes if n.source != source]


def _take_back(notes: list[Note]) -> None:
    for entry in reversed(notes):
        try:
            entry.undo()
        except (KeyError, ValueError):  # its owner has removed it
            continue


def source_of(kind: str, name: str) -> Source | None:
    """Where a registered thing came from; None for ours and for what no plug-in registered."""
    for entry in reversed(_notes):
        if entry.kind == kind and entry.name == name:
            return entry.source
    return None


def notes_of(source: Source) -> list[Note]:
    """What came from a source, in order."""
    return [n for n in _notes if n.source == source]
