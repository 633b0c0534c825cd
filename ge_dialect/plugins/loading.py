"""Loading a file or a project folder by path: `--load` of the tools, `load` in Python.

A Python file runs as a module of its own; what it registers with our decorators is there, and what
it merely defines (operators; passes and patterns where the `passes` package is in use) is adopted.
A folder with a ``pyproject.toml`` offers its entry points as if it were installed. Everything is
taken back by `unload`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from ge_dialect.diagnostics import GeError, user_error
from ge_dialect.plugins import entries, journal
from ge_dialect.plugins.journal import Source, fault, foreign_code, is_interrupt

#: Look at a loaded file and register what it defines; higher layers add theirs.
ADOPTERS: list[Callable[[ModuleType], None]] = []


@dataclass
class Loaded:
    """A loaded file or folder; `names` says what it registered."""

    path: str
    source: Source
    module: ModuleType | None = None
    data: bytes = b""
    import_path: str | None = None

    @property
    def names(self) -> list[tuple[str, str]]:
        """What came from it, in order; from a folder, only what was used so far."""
        return [(n.kind, n.name) for n in journal.notes_of(self.source)]


_loaded: dict[str, Loaded] = {}


def load(path: str | os.PathLike[str]) -> Loaded:
    """Load a Python file, or a project folder; again where it has changed since.

    Raises `GeError` GX-001 for what is neither, GX-025 with the line for a file that cannot be
    run; then nothing of it stays.
    """
    real = os.path.realpath(os.fspath(path))
    if os.path.isdir(real):
        return _load_project(os.fspath(path), real)
    if os.path.exists(real) and not os.path.isfile(real):
        raise _unreadable(os.fspath(path), "it is no Python file")  # reading a pipe may not end
    try:
        with open(real, "rb") as file:
            data = file.read()
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the path
        raise _unreadable(path, getattr(error, "strerror", None) or str(error)) from None
    known = _loaded.get(real)
    if known is not None:
        if known.data == data:
            return known
        unload(real)
    return _load_file(os.fspath(path), real, data)


def unload(path: str | os.PathLike[str]) -> None:
    """Take back what a loaded file or folder brought; nothing happens for another one."""
    held = _loaded.pop(os.path.realpath(os.fspath(path)), None)
    if held is None:
        return
    journal.forget(held.source)
    entries.remove_project(held.source)
    _leave(held)


def loaded_paths() -> list[str]:
    """Absolute paths of everything that is loaded, in order; a reproducer records them."""
    return list(_loaded)


def all_loaded() -> list[Loaded]:
    """Everything that is loaded, in order."""
    return list(_loaded.values())


@contextmanager
def loading(paths: Iterable[str]) -> Iterator[None]:
    """Load for the time of the block; what was loaded before stays."""
    mine: list[str] = []
    try:
        for path in paths:
            real = os.path.realpath(path)
            known = _loaded.get(real)
            if load(path) is not known:
                mine.append(real)
        yield
    finally:
        for real in reversed(mine):
            unload(real)


def _unreadable(path: str | os.PathLike[str], why: str) -> GeError:
    return user_error("GX-001", f"cannot load {os.fspath(path)!r}: {why}")


# --------------------------------------------------------------------------------------- files


def _module_name(path: str) -> str:
    stem = os.path.basename(path).partition(".")[0]
    name = base = "ge_loaded_" + "".join(c if c.isalnum() else "_" for c in stem)
    number = 2
    while name in sys.modules:
        name, number = f"{base}_{number}", number + 1
    return name


def _load_file(shown: str, real: str, data: bytes) -> Loaded:
    if not real.endswith(".py"):
        raise _unreadable(shown, "it is no Python file")
    try:
        code = compile(data, real, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise _syntax(shown, error) from error
    held = Loaded(real, Source(shown, real), data=data)
    name = _module_name(real)
    module = held.module = ModuleType(name)
    module.__file__ = real
    sys.modules[name] = module
    held.import_path = os.path.dirname(real)
    _enter(held)
    try:
        with foreign_code(held.source):
            _execute(code, module, shown, real)
            for adopt in (_adopt_operators, *ADOPTERS):
                _say_where(lambda adopt=adopt: adopt(module), shown, real)
    except BaseException:
        _leave(held)
        raise
    _loaded[real] = held
    return held


def _execute(code: Any, module: ModuleType, shown: str, real: str) -> None:
    cached, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        _say_where(lambda: exec(code, vars(module)), shown, real)
    finally:
        sys.dont_write_bytecode = cached


def _say_where(run: Callable[[], object], shown: str, real: str) -> None:
    try:
        run()
    except GeError:
        raise
    except BaseException as error:  # the file is foreign code
        if is_interrupt(error):
            raise
        raise user_error(
            "GX-025",
            f"{shown} cannot be loaded",
            location=_place(error, shown, real),
            found=fault(error),
        ) from error


def _place(error: BaseException, shown: str, real: str) -> str:
    """The innermost line of the file on the way to the exception."""
    trace, line = error.__traceback__, 0
    if isinstance(error, SyntaxError) and error.filename == real:
        line = error.lineno or 0
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == real:
            line = trace.tb_lineno
        trace = trace.tb_next
    return f"{shown}:{line}" if line else shown


#: Characters of a source line that are shown on each side of a mistake.
_AROUND_MISTAKE = 60


def _syntax(shown: str, error: Exception) -> GeError:
    if not isinstance(error, SyntaxError) or not error.lineno:
        said = error.msg if isinstance(error, SyntaxError) else str(error)
        found = said or "an expression that is nested too deeply for Python"
        return user_error("GX-025", f"{shown} cannot be loaded", location=shown, found=found)
    column = max(error.offset or 1, 1)
    text = (error.text or "").rstrip("\n")
    cut = max(column - 1 - _AROUND_MISTAKE, 0)
    text = text[cut : column + _AROUND_MISTAKE]
    return user_error(
        "GX-025",
        f"{shown} cannot be loaded: {error.msg}",
        location=f"{shown}:{error.lineno}:{column}",
        excerpt=f"{text}\n{' ' * (column - 1 - cut)}^" if text else None,
    )


def _adopt_operators(module: ModuleType) -> None:
    """Register operators that are defined with `@ge_op` and not registered."""
    base = sys.modules.get("ge_dialect.ir.base")
    if base is None:
        return
    from ge_dialect.ops.registry import register_op, registered

    for cls in list(vars(module).values()):
        if not isinstance(cls, type) or not issubclass(cls, base.GeOp):
            continue
        mine = cls.__module__ == module.__name__ and "ge_own_rule" in vars(cls)
        if mine and registered(cls.name.removeprefix("ge.")) is not cls:
            register_op(cls)


def _enter(held: Loaded) -> None:
    """Let it import what lies beside it; at the end of the path, where it hides nothing."""
    if held.import_path is not None and held.import_path not in sys.path:
        sys.path.append(held.import_path)
    else:
        held.import_path = None


def _leave(held: Loaded) -> None:
    if held.module is not None:
        sys.modules.pop(held.module.__name__, None)
    elif held.import_path is not None:  # a folder: what is imported from it runs anew next time
        for name, module in list(sys.modules.items()):
            file = getattr(module, "__file__", None)
            if isinstance(file, str) and file.startswith(held.import_path + os.sep):
                del sys.modules[name]
    if held.import_path is not None and held.import_path in sys.path:
        sys.path.remove(held.import_path)


# ------------------------------------------------------------------------------------- projects


def _load_project(shown: str, real: str) -> Loaded:
    """Offer the entry points of a project folder."""
    import tomllib

    file = os.path.join(real, "pyproject.toml")
    try:
        with open(file, "rb") as stream:
            data = stream.read()
    except OSError:
        why = "it is a folder without pyproject.toml"
        raise _unreadable(shown, why) from None
    known = _loaded.get(real)
    if known is not None:
        if known.data == data:
            return known
        unload(real)
    try:
        project = tomllib.loads(data.decode("utf-8")).get("project", {})
    except (ValueError, UnicodeDecodeError) as error:
        raise user_error("GX-025", f"{shown}/pyproject.toml cannot be read: {error}") from None
    label = f"{project.get('name', os.path.basename(real))} ({shown})"
    held = Loaded(real, Source(label, real), data=data)
    inner = os.path.join(real, "src")
    held.import_path = inner if os.path.isdir(inner) else real
    groups = project.get("entry-points", {})
    entries.add_project(
        entries.Entry(group.removeprefix(entries.PREFIX), str(name), str(value), held.source)
        for group, table in groups.items()
        if group.startswith(entries.PREFIX)
        for name, value in table.items()
    )
    _enter(held)
    _loaded[real] = held
    return held
