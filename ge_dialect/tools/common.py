"""What every command-line tool needs: exit codes, diagnostics, whole outputs, progress.

Nothing here imports numpy, xdsl or rich at import time, so that ``--help`` stays fast.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import IO, TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from ge_dialect.diagnostics import Diagnostic, GeError

EXIT_OK = 0
EXIT_USER = 1
EXIT_USAGE = 2
EXIT_INTERNAL = 70
#: What a shell reports for a process ended by the signal, 128 + number.
EXIT_CLOSED_PIPE = 141
EXIT_INTERRUPTED = 130

#: Lines of diagnostics that fit on one screen.
SCREEN_LINES = 42

#: Environment variable that turns an internal error into a full traceback.
DEBUG_VARIABLE = "GE_DEBUG"

#: Package -> what to type when it is missing.
INSTALL_HINTS = {
    "onnx": "pip install 'ge-opt[onnx]'",
    "rich": "pip install 'ge-opt[cli]'",
    "torch": "pip install 'ge-opt[torch]'",
}


def tool_error(code: str, message: str, *, exit_code: int = EXIT_USER, **fields: Any) -> GeError:
    """Return (not raise) a ``GeError`` with one diagnostic; ``fields`` as in ``Diagnostic``."""
    from ge_dialect.diagnostics import Diagnostic, GeError

    return GeError([Diagnostic(code, message, **fields)], exit_code=exit_code)


# --- running ---------------------------------------------------------------------------------


def run_tool(
    main: Callable[[Sequence[str]], int | None],
    argv: Sequence[str] | None = None,
    *,
    packages: Iterable[str] = ("ge_dialect",),
) -> int:
    """Run ``main(argv)`` and turn everything it may raise into an exit status.

    ``argv`` are the arguments without the program name (``sys.argv[1:]`` when None). Diagnostics go
    to stderr. A closed pipe and Ctrl-C end silently with the status a shell expects (141, 130); an
    unforeseen exception is one line and status 70, with its traceback when ``GE_DEBUG`` is set.
    ``packages`` are those of ours that the tool uses; a foreign package hiding one is reported.
    With ``argv`` None the process is the tool's own: threads that code of others left do not keep
    it alive, warnings of Python are for those who ask for them (``python -W``, ``GE_DEBUG``), and
    SIGTERM and SIGHUP end it after half-written outputs are gone.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    _replace_closed_streams()
    if argv is not None:
        return _status_of(main, arguments, packages)
    from ge_dialect.tools.ending import Ended, end_despite_threads, heed_signals

    _settle_process()
    heed_signals()
    try:
        status = _status_of(main, arguments, packages)
    except Ended as signal:
        signal.end()
    end_despite_threads(status)
    return status


def _settle_process() -> None:
    """What a user sees has a place on any terminal, and is said by the tool alone."""
    import warnings

    if not sys.warnoptions and not os.environ.get(DEBUG_VARIABLE):
        warnings.simplefilter("ignore")
    if isinstance(sys.stdout, io.TextIOWrapper):  # names of nodes are in any script
        sys.stdout.reconfigure(errors="backslashreplace")


def _status_of(
    main: Callable[[Sequence[str]], int | None], arguments: list[str], packages: Iterable[str]
) -> int:
    try:
        check_packages(packages)
        status = main(arguments)
        sys.stdout.flush()
    except SystemExit as stop:
        return _exit_status(stop)
    except BrokenPipeError:
        _silence_stdout()
        return EXIT_CLOSED_PIPE
    except KeyboardInterrupt as stop:
        if type(stop) is not KeyboardInterrupt:  # `ending.Ended`
            raise
        say("interrupted")
        return EXIT_INTERRUPTED
    except BaseException as error:
        return _report(error)
    return EXIT_OK if status is None else int(status)


def _refuse_write(*_: Any) -> NoReturn:
    raise OSError(errno.EBADF, "standard output is closed")


class _ClosedBytes(io.RawIOBase):
    """The bytes of a closed standard output."""

    write = _refuse_write


class _ClosedOutput(io.TextIOBase):
    """In the place of a standard output that was closed before the start (`>&-`)."""

    buffer = _ClosedBytes()
    write = _refuse_write


def _replace_closed_streams() -> None:
    """Python has None for standard streams which are closed; nothing is read from those or said."""
    if sys.stdin is None:
        sys.stdin = io.TextIOWrapper(io.BytesIO())
    if sys.stdout is None:
        sys.stdout = _ClosedOutput()
    if sys.stderr is None:
        sys.stderr = io.StringIO()


def _exit_status(stop: SystemExit) -> int:
    from ge_dialect.plugins.journal import foreign_place

    place = foreign_place(stop)
    if place is not None:
        return _report(tool_error("GX-026", "code of a plug-in ended the program", location=place))
    if stop.code is None:
        return EXIT_OK
    if isinstance(stop.code, int):
        return stop.code
    say(str(stop.code))
    return EXIT_USER


def _report(error: BaseException) -> int:
    from ge_dialect.diagnostics import GeError

    if isinstance(error, GeError):
        render_diagnostics(error.diagnostics)
        return int(error.exit_code)
    if os.environ.get(DEBUG_VARIABLE):
        import traceback

        traceback.print_exception(error)
        return EXIT_INTERNAL
    text = " ".join(str(error).split()) or "no message"
    if isinstance(error, OSError):
        failure = tool_error("GX-005", f"the system refused: {text}")
        render_diagnostics(failure.diagnostics)
        return EXIT_USER
    missing = _missing_package(error)
    if missing is not None:
        hint = INSTALL_HINTS.get(missing, "this installation is not whole: pip install -U ge-opt")
        failure = tool_error("GX-007", f"this needs the package {missing!r}", hint=hint)
        render_diagnostics(failure.diagnostics)
        return EXIT_USER
    if isinstance(error, MemoryError):
        failure = tool_error("GX-005", "this machine has not enough memory for that")
        render_diagnostics(failure.diagnostics)
        return EXIT_USER
    failure = tool_error(
        "GX-006",
        f"internal error: {type(error).__name__}: {text[:400]}",
        hint=f"set {DEBUG_VARIABLE}=1 to see the traceback, and please report it",
    )
    render_diagnostics(failure.diagnostics)
    return EXIT_INTERNAL


def _missing_package(error: BaseException) -> str | None:
    """The package of others that is not installed, or is only a part of one."""
    if not isinstance(error, ModuleNotFoundError) or error.name is None:
        return None
    name = error.name.partition(".")[0]
    return None if name in ("ge_dialect", "passes", "runtime") else name


def render_diagnostics(
    diagnostics: Iterable[Diagnostic], stream: IO[str] | None = None, *, limit: int = SCREEN_LINES
) -> None:
    """Write diagnostics to ``stream`` (stderr), about ``limit`` lines, then how many more."""
    target = sys.stderr if stream is None else stream
    listed = list(diagnostics)
    lines = shown = 0
    try:
        for diagnostic in listed:
            text = diagnostic.render().rstrip("\n") + "\n"
            if shown and lines + text.count("\n") > limit:
                break
            target.write(text)
            lines += text.count("\n")
            shown += 1
        if len(listed) > shown:
            target.write(f"... and {len(listed) - shown} more\n")
        target.flush()
    except (BrokenPipeError, ValueError):
        pass  # nobody reads stderr any more


def say(text: str) -> None:
    """Write a line to stderr, unless nobody reads it any more."""
    try:
        sys.stderr.write(text + "\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        pass


def _silence_stdout() -> None:
    """Keep the interpreter's last flush of stdout from failing on the closed pipe."""
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)
    except (OSError, ValueError, AttributeError):
        pass


# --- reading and writing ---------------------------------------------------------------------


def read_input(path: str | os.PathLike[str]) -> bytes:
    """Return all bytes of a file, or of stdin for ``-``. Raises ``GeError`` GX-001."""
    name = os.fsdecode(path)
    try:
        if name == "-":
            return sys.stdin.buffer.read()
        with open(name, "rb") as stream:
            return stream.read()
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the name
        reason = getattr(error, "strerror", None) or str(error)
        made = name.startswith(("model:", "light:"))  # names that ge-translate alone takes
        hint = f"ge-translate {name} -o FILE.mlir makes a file of it" if made else None
        raise tool_error("GX-001", f"cannot read {name!r}: {reason}", hint=hint) from None


def input_name(path: str | os.PathLike[str]) -> str:
    """Name of an input as shown in locations."""
    name = os.fsdecode(path)
    return "<stdin>" if name == "-" else name


def decode_text(data: bytes, name: str) -> str:
    """Return ``data`` as UTF-8 text. Raises ``GeError`` GX-003 with the place of the bad byte."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        raise tool_error(
            "GX-003",
            "the input is not UTF-8 text",
            location=f"{name}:{line}:{column}",
            found=f"byte 0x{data[error.start]:02x}",
        ) from None


def atomic_write(path: str | os.PathLike[str], data: str | bytes) -> None:
    """Write a whole output: the file appears complete or not at all; ``-`` is stdout.

    The data goes to a temporary file in the same folder, which is then renamed over ``path``.
    Devices and pipes are written directly. Raises ``GeError`` GX-002.
    """
    name = os.fspath(path)
    raw = data.encode("utf-8") if isinstance(data, str) else data
    if name == "-":
        _write_stdout(raw)
        return
    target = _place(name)
    try:
        if os.path.exists(name) and not os.path.isfile(name):
            if os.path.isdir(name):
                raise tool_error("GX-002", f"cannot write {name!r}: it is a folder")
            with open(name, "wb") as stream:  # what /dev/stdout leads to has no name
                stream.write(raw)
            return
        _write_then_rename(target, raw)
    except BrokenPipeError:
        raise
    except OSError as error:
        reason = error.strerror or str(error)
        raise tool_error("GX-002", f"cannot write {name!r}: {reason}") from None


def _place(name: str) -> str:
    """The file that an output's name leads to. Raises ``GeError`` GX-002 where it leads to none."""
    target = os.path.realpath(name)
    if name.endswith(os.sep) and not os.path.isdir(target):
        raise tool_error("GX-002", f"cannot write {name!r}: this is the name of a folder")
    if os.path.islink(target):
        raise tool_error("GX-002", f"cannot write {name!r}: the link leads in a circle")
    return target


def _write_stdout(raw: bytes) -> None:
    sys.stdout.flush()
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:  # a captured stream without a byte layer
        sys.stdout.write(raw.decode("utf-8"))
    else:
        # Unbuffered (PYTHONUNBUFFERED) a pipe may take only a part, without an error.
        left = memoryview(raw)
        while left:
            left = left[buffer.write(left) or 0 :]
        buffer.flush()


def _write_then_rename(target: str, raw: bytes) -> None:
    folder, base = os.path.split(target)
    temporary = os.path.join(folder, f".{base[:100]}.{os.getpid()}.tmp")
    try:
        if os.path.exists(target) and not os.access(target, os.W_OK):
            raise PermissionError(13, "Permission denied")
        # O_EXCL with mode 0666 lets the umask decide, unlike mkstemp's 0600.
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        with open(descriptor, "wb") as stream:
            stream.write(raw)
        os.replace(temporary, target)
    except BaseException:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise


def has_no_folder(path: str | os.PathLike[str]) -> bool:
    """Whether an output is standard output, a device or a pipe, with no place for files beside."""
    name = os.fspath(path)
    return name == "-" or (
        os.path.exists(name) and not os.path.isfile(name) and not os.path.isdir(name)
    )


def is_lost(path: str | os.PathLike[str]) -> bool:
    """Whether what is written to an output is for nobody (``/dev/null``)."""
    return os.path.realpath(os.fspath(path)) == os.path.realpath(os.devnull)


def check_writable(path: str | os.PathLike[str]) -> None:
    """Fail early (GX-002) if ``path`` cannot become an output, before long work is started."""
    name = os.fspath(path)
    if name == "-":
        return
    target = _place(name)
    folder = os.path.dirname(target)
    if has_no_folder(name):
        target = name  # a device or a pipe; what /dev/stdout leads to has no name
    elif os.path.isdir(target):
        raise tool_error("GX-002", f"cannot write {name!r}: it is a folder")
    elif not os.path.isdir(folder):
        raise tool_error("GX-002", f"cannot write {name!r}: no folder {folder!r}")
    where = target if os.path.exists(target) else folder
    if not os.access(where, os.W_OK):
        raise tool_error("GX-002", f"cannot write {name!r}: Permission denied")


def refuse_terminal(path: str | os.PathLike[str], what: str) -> None:
    """Raise ``GeError`` GX-002 where bytes of `what` would be written to a terminal."""
    if os.fspath(path) == "-" and sys.stdout.isatty():
        raise tool_error(
            "GX-002",
            f"{what} is not text for a terminal",
            expected="a file or a pipe",
            hint="name a file, or say > FILE",
            exit_code=EXIT_USAGE,
        )


def check_outputs(
    paths: Iterable[str | os.PathLike[str] | None],
    inputs: Iterable[str | os.PathLike[str] | None] = (),
) -> None:
    """``check_writable`` for all outputs of a call; two that are one file are refused, too.

    An output over one of ``inputs`` is refused. None and "-" (the standard streams) are passed by.
    """
    read = {os.path.realpath(os.fspath(p)): os.fspath(p) for p in inputs if p not in (None, "-")}
    seen: set[str] = set()
    for path in paths:
        if path is None or os.fspath(path) in ("", "-"):
            continue
        name = os.fspath(path)
        check_writable(name)
        if os.path.exists(name) and not os.path.isfile(name):
            continue  # a device or a pipe takes several
        target = os.path.realpath(name)
        if target in read:
            raise tool_error("GX-002", f"cannot write {name!r}: it is an input of this call")
        if target in seen:
            raise tool_error("GX-002", f"two outputs of one call would go to {name!r}")
        seen.add(target)


def make_folder(path: str | os.PathLike[str]) -> None:
    """Make a folder for outputs, with its parents, unless it exists. Raises ``GeError`` GX-002."""
    name = os.fspath(path)
    try:
        os.makedirs(name, exist_ok=True)
    except OSError as error:
        reason = "it is no folder" if os.path.exists(name) else error.strerror or str(error)
        raise tool_error("GX-002", f"cannot make the folder {name!r}: {reason}") from None


# --- packages --------------------------------------------------------------------------------


def check_packages(names: Iterable[str]) -> None:
    """Check, without importing, that each of our packages found on the path is really ours.

    Ours stand beside ``ge_dialect``. Raises ``GeError`` GX-004 naming what hides one.
    """
    from importlib.util import find_spec

    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    for name in names:
        expected = os.path.join(root, name, "__init__.py")
        try:
            spec = find_spec(name)
        except (ImportError, ValueError):
            spec = None
        found = None if spec is None else spec.origin
        if found is not None and os.path.realpath(found) == os.path.realpath(expected):
            continue
        if spec is None:
            problem, place = f"package {name!r} of ge-opt was not found", "nothing"
        else:
            place = found or ", ".join(spec.submodule_search_locations or ()) or "?"
            problem = f"package {name!r} of ge-opt is hidden by another one"
        raise tool_error(
            "GX-004",
            problem,
            found=place,
            expected=expected,
            hint="run from another folder, remove or rename what hides it, or check PYTHONPATH",
        )


def require_package(name: str) -> None:
    """Raise ``GeError`` GX-007 with the install hint when an optional package is missing."""
    from importlib.util import find_spec

    try:
        found = find_spec(name) is not None
    except (ImportError, ValueError):
        found = False
    if not found:
        hint = INSTALL_HINTS.get(name, f"pip install {name}")
        raise tool_error("GX-007", f"this needs the package {name!r}", hint=hint)
