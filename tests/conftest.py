"""Collects ``tests/filecheck/**/*.mlir`` and runs their RUN lines in this process.

The files stay compatible with lit (``lit tests/filecheck``). A RUN line may hold our tools and
``filecheck``, joined by ``|``, with ``not``, ``2>&1``, ``> FILE``, ``2> FILE`` and ``< FILE``;
other programs are started as processes. `%s`, `%S`, `%t`, `%T` and `%%` are replaced as lit does.
"""

from __future__ import annotations

import contextlib
import gc
import io
import locale
import logging
import os
import re
import resource
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

FILECHECK = Path(__file__).with_name("filecheck")
#: Programs run in this process: name -> "module:function", called with the arguments.
TOOLS = {
    "ge-opt": "passes.tools.ge_opt:main",
    "ge-translate": "ge_dialect.tools.ge_translate:main",
    "ge-run": "runtime.tools.ge_run:main",
    "ge-reduce": "passes.tools.ge_reduce:main",
}
_RUN = re.compile(r"(?://|#)\s*RUN:\s*(.*?)\s*$")


@dataclass
class Finished:
    """A finished command: status and what it wrote."""

    status: int
    out: bytes
    err: bytes


def run_lines(path: Path) -> list[str]:
    """The commands of the RUN lines; a trailing backslash joins lines."""
    commands: list[str] = []
    joined = False
    for line in path.read_text(encoding="utf-8").splitlines():
        match = _RUN.search(line)
        if match is None:
            continue
        text = match.group(1)
        if joined:
            commands[-1] += " " + text
        else:
            commands.append(text)
        joined = commands[-1].endswith("\\")
        if joined:
            commands[-1] = commands[-1][:-1].rstrip()
    return commands


def substitute(command: str, path: Path, scratch: Path) -> str:
    """The command with lit's substitutions made; paths with blanks stay words."""
    values = {
        "%%": "%",
        "%s": shlex.quote(str(path)),
        "%S": shlex.quote(str(path.parent)),
        "%t": shlex.quote(str(scratch / f"{path.name}.tmp")),
        "%T": shlex.quote(str(scratch)),
    }
    return re.sub(r"%[%sStT]", lambda m: values[m.group()], command)


def run_command(command: str, stdin: bytes = b"") -> Finished:
    """Run a pipeline of commands; its status is that of the last one that failed."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars="|<>&")
    lexer.whitespace_split = True
    stages: list[list[str]] = [[]]
    for token in lexer:
        if token == "|":
            stages.append([])
        else:
            stages[-1].append(token)
    status, err = 0, b""
    for stage in stages:
        done = _run_stage(stage, stdin)
        stdin = done.out
        err += done.err
        status = done.status or status
    return Finished(status, stdin, err)


def _run_stage(words: Sequence[str], stdin: bytes) -> Finished:
    arguments: list[str] = []
    files: dict[str, str] = {}
    merged = False
    rest = iter(words)
    pending = ""
    for word in rest:
        if word == ">&" or (word == ">" and pending == "2"):
            target = next(rest)
            merged |= word == ">&" and target == "1"
            if word == ">":
                files["2>"] = target
            pending = ""
        elif word in (">", "<"):
            files[word] = next(rest)
        elif word == "2":
            pending = "2"
        else:
            arguments.append(word)
    if "<" in files:
        stdin = Path(files["<"]).read_bytes()
    negated = arguments[0] in ("not", "!")
    done = run_tool(arguments[1:] if negated else arguments, stdin, merged)
    if negated:
        done.status = 0 if done.status else 1
    if ">" in files:
        Path(files[">"]).write_bytes(done.out)
        done.out = b""
    if "2>" in files:
        Path(files["2>"]).write_bytes(done.err)
        done.err = b""
    return done


def run_tool(arguments: Sequence[str], stdin: bytes = b"", merged: bool = False) -> Finished:
    """Run one command, ours in this process; `merged` sends stderr into stdout."""
    name, *rest = arguments
    if name == "filecheck":
        return _in_process(lambda: _filecheck(rest), stdin, merged)
    if name in TOOLS:
        module, _, function = TOOLS[name].partition(":")
        main = getattr(import_module(module), function)
        return _in_process(lambda: main(rest), stdin, merged)
    done = subprocess.run([name, *rest], input=stdin, capture_output=True, timeout=60)
    out = done.stdout + (done.stderr if merged else b"")
    return Finished(done.returncode, out, b"" if merged else done.stderr)


def _filecheck(arguments: Sequence[str]) -> int:
    from filecheck.matcher import Matcher
    from filecheck.options import parse_argv_options

    return Matcher.from_opts(parse_argv_options(["filecheck", *arguments])).run()


def _in_process(call: Callable[[], int | None], stdin: bytes, merged: bool) -> Finished:
    out = io.BytesIO()
    err = out if merged else io.BytesIO()
    with _streams(stdin, out, err):
        try:
            status = call() or 0
        except SystemExit as stop:
            status = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    return Finished(status, out.getvalue(), b"" if merged else err.getvalue())


@contextlib.contextmanager
def _streams(stdin: bytes, out: io.BytesIO, err: io.BytesIO) -> Iterator[None]:
    saved = sys.stdin, sys.stdout, sys.stderr
    fresh = (
        io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"),
        io.TextIOWrapper(out, encoding="utf-8", write_through=True),
        io.TextIOWrapper(err, encoding="utf-8", write_through=True),
    )
    sys.stdin, sys.stdout, sys.stderr = fresh
    try:
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = saved
        for stream in fresh[1:]:
            with contextlib.suppress(ValueError):
                stream.flush()
                stream.detach()


class LitFile(pytest.File):
    """A text file with RUN lines."""

    def collect(self) -> Iterator[LitItem]:
        """One item for all lines of the file."""
        yield LitItem.from_parent(self, name="run")


class LitItem(pytest.Item):
    """Runs the lines of one file, in order."""

    def runtest(self) -> None:
        """Fail at the first line which fails."""
        lines = run_lines(self.path)
        if not lines:
            raise LitFailure("the file has no RUN line")
        scratch = self.config._tmp_path_factory.mktemp("lit")  # type: ignore[attr-defined]
        with unchanged_process():
            for line in lines:
                done = run_command(substitute(line, self.path, scratch))
                if done.status:
                    output = (done.out + done.err).decode("utf-8", "replace")
                    raise LitFailure(f"RUN: {line}\nstatus {done.status}\n{output}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style=None):  # type: ignore[override]
        """The command and its output instead of a traceback."""
        if isinstance(excinfo.value, LitFailure):
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[os.PathLike[str], int, str]:
        """Where the test is."""
        return self.path, 0, str(self.path.relative_to(FILECHECK))


class LitFailure(Exception):
    """A RUN line failed."""


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Take up `.mlir` files below ``tests/filecheck``."""
    if file_path.suffix == ".mlir" and FILECHECK in file_path.parents:
        if "Inputs" not in file_path.parts:
            return LitFile.from_parent(parent, path=file_path)
    return None


@pytest.fixture
def tool() -> Callable[..., Finished]:
    """Runs one of our tools in this process: ``tool("ge-opt", "x.mlir", stdin=b"")``."""

    def call(*arguments: str, stdin: bytes = b"") -> Finished:
        return run_tool(arguments, stdin)

    return call


# ------------------------------------------------------ what a module leaves in the process

#: Where only what others register is held; read only where it has been imported.
FOREIGN = (
    "ge_dialect.builder.graph:_current",
    "ge_dialect.ops.registry:_user",
    "ge_dialect.plugins.entries:_projects",
    "ge_dialect.plugins.entries:_values",
    "ge_dialect.plugins.journal:_notes",
    "ge_dialect.plugins.journal:_running",
    "ge_dialect.plugins.loading:_loaded",
    "ge_dialect.target.registered:_table",
    "passes.ge_adapter.fusion:_registered",
    "passes.stages:_registered",
    "passes.stages:_resolving",
)
#: Where our own packages register, too, when they are imported.
SHARED = (
    "ge_dialect.builder.ge:_made",
    "ge_dialect.exporters.onnx_rules:_RULES",
    "ge_dialect.importers.onnx_rules:_RULES",
    "ge_dialect.plugins.journal:AROUND",
    "ge_dialect.plugins.loading:ADOPTERS",
    "ge_dialect.semantics.registry:_TABLE",
    "passes.analysis:ANALYSES",
    "passes.registry:PASSES",
    "passes.registry:_loaded",
    "passes.testing.mutate:MUTATORS",
    "passes.testing.rules:HINTS",
    "runtime.kernels.registry:_kernels",
)
#: Such registries that hold values, not code, from the beginning.
FILLED = ("ge_dialect.ir.merge:POLICIES", "ge_dialect.plugins.journal:INTERRUPTS")
_OURS = ("ge_dialect", "passes", "runtime")
_ABSENT = object()
_KNOWN_FOLDERS = (str(FILECHECK.parents[1]), *(p for p in sys.path if p))
_from_known_folders: set[str] = set()
State = dict[str | tuple[Any, ...], Any]


def process_state() -> State:
    """What tests can change for the whole process, in parts that can be compared."""
    found: State = {}
    for place in (*FOREIGN, *SHARED, *FILLED):
        name, _, attribute = place.partition(":")
        module = sys.modules.get(name)
        if module is not None:
            _spread(place, getattr(module, attribute), found)
    try:
        found["working folder"] = os.getcwd()
    except OSError:
        found["working folder"] = None
    for name, value in os.environ.items():
        if name != "PYTEST_CURRENT_TEST":
            found[f"environment variable {name}"] = value
    for number in signal.valid_signals():
        found[f"handler of signal {int(number)}"] = signal.getsignal(number)
    root = logging.getLogger()
    mask = os.umask(0o077)
    os.umask(mask)
    numpy: Any = sys.modules.get("numpy")
    if hasattr(numpy, "get_printoptions"):
        found["numpy.geterr()"] = numpy.geterr()
        found["numpy.get_printoptions()"] = numpy.get_printoptions()
    found |= {
        "sys.path": list(sys.path),
        "recursion limit": sys.getrecursionlimit(),
        "sys.dont_write_bytecode": sys.dont_write_bytecode,
        "hooks": (sys.excepthook, sys.getprofile(), list(sys.path_hooks)),
        "cyclic collector": (gc.isenabled(), gc.get_threshold()),
        "locale": locale.setlocale(locale.LC_ALL),
        "umask": mask,
        "logging": (root.level, logging.root.manager.disable),
        "log handlers": [h for h in root.handlers if not type(h).__module__.startswith("_pytest")],
        "timer": signal.getitimer(signal.ITIMER_REAL) != (0.0, 0.0),
        "limit of memory": resource.getrlimit(resource.RLIMIT_AS),
        "threads": [t for t in threading.enumerate() if not t.daemon],
        "modules from elsewhere": _elsewhere(),
    }
    return found


def _spread(place: str, held: Any, found: State) -> None:
    """Every entry of a table or list by itself; a table or list in it one level deep."""
    for key, value in held.items() if isinstance(held, dict) else enumerate(held):
        if isinstance(value, dict | list):
            inner = value.items() if isinstance(value, dict) else enumerate(value)
            for part, entry in inner:
                found[place, key, part] = entry
        else:
            found[place, key] = value


def _elsewhere() -> list[str]:
    """Modules that were imported from files of a test."""
    out = []
    for name in sys.modules.keys() - _from_known_folders:
        file = getattr(sys.modules[name], "__file__", None)
        if isinstance(file, str) and not file.startswith(_KNOWN_FOLDERS):
            out.append(name)
        else:
            _from_known_folders.add(name)
    return sorted(out)


def _is_ours(value: Any) -> bool:
    """Whether a registry's entry is one our own packages made when they were imported."""
    if isinstance(value, str):  # "module:name"
        return value.split(".")[0] in _OURS
    if not callable(value):  # a kernel, or a rule of the importer
        value = getattr(value, "function", None) or getattr(value, "run", None)
    return str(getattr(value, "__module__", None)).split(".")[0] in _OURS


def changes(before: State, after: State) -> list[str]:
    """What differs, in words; what our own packages register when they are imported does not."""
    out = []
    newly_filled = set(FILLED) - {key[0] for key in before}
    for key in before.keys() | after.keys():
        old, new = before.get(key, _ABSENT), after.get(key, _ABSENT)
        if old is new or (old is not _ABSENT and new is not _ABSENT and old == new):
            continue
        if isinstance(key, tuple):
            ours = key[0] in newly_filled or (key[0] not in FOREIGN and _is_ours(new))
            if old is _ABSENT and ours:
                continue
            key = key[0] + "".join(f"[{part!r}]" for part in key[1:])
        elif old is _ABSENT and key.startswith("numpy."):
            continue  # numpy was imported
        was, now = ("nothing" if v is _ABSENT else f"{v!r:.300}" for v in (old, new))
        out.append(f"{key}: was {was}, is {now}")
    return sorted(out)


@contextlib.contextmanager
def unchanged_process() -> Iterator[None]:
    """Fail where the block leaves registries or the process different, so that no test depends on
    which others ran before it. A user's registration is to be taken back where it was made."""
    before = process_state()
    yield
    left = changes(before, process_state())
    if left:
        pytest.fail("left behind for other tests:\n  " + "\n  ".join(left), pytrace=False)


@pytest.fixture(autouse=True, scope="session")
def _temporary_files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What is left in the temporary folder on purpose, as the cases of failures are, lies in that
    of the session, which pytest clears away."""
    place = str(tmp_path_factory.mktemp("temporary"))
    before, said = tempfile.tempdir, os.environ.get("TMPDIR")
    tempfile.tempdir = os.environ["TMPDIR"] = place
    yield
    tempfile.tempdir = before
    if said is None:
        del os.environ["TMPDIR"]
    else:
        os.environ["TMPDIR"] = said


@pytest.fixture(autouse=True, scope="module")
def _nothing_left_behind() -> Iterator[None]:
    with unchanged_process():
        yield


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Importing a file of tests leaves nothing behind either."""
    if not isinstance(collector, pytest.Module):
        return (yield)
    before = process_state()
    report = yield
    left = changes(before, process_state())
    if left and report.passed:
        report.outcome = "failed"
        report.longrepr = "left behind by importing it:\n  " + "\n  ".join(left)
    return report


# --------------------------------------------------------------- skips that CI puts up with

#: Parts of skip reasons that are fine in CI; any other skip fails the run there.
LISTED_SKIPS = (
    "GE_SHARED",
    "../shared",
    "PyYAML is not installed",
    "mlir-opt is not installed",
    "no /dev/full here",
    "it was done before the signal came",
    "needs the extra ge-opt[types]",
)
_unlisted: list[str] = []


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note skips without a listed reason."""
    if not report.skipped or hasattr(report, "wasxfail"):
        return
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    if not any(part in reason for part in LISTED_SKIPS):
        _unlisted.append(f"{report.nodeid}: {reason}")


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """In CI a skip nobody listed is a failure."""
    if os.environ.get("CI") and _unlisted and exitstatus == 0:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say which skips are not listed."""
    if os.environ.get("CI") and _unlisted:
        terminalreporter.section("skips that are not listed in tests/conftest.py")
        for line in _unlisted:
            terminalreporter.line(line)
