"""Plumbing shared by the tools: whole outputs, exit codes, foreign packages, progress."""

from __future__ import annotations

import io
import os
import stat
import subprocess
import sys

import pytest

from ge_dialect.diagnostics import Diagnostic, GeError
from ge_dialect.tools import common
from ge_dialect.tools.progress import Progress


def test_outputs_appear_whole(tmp_path):
    path = tmp_path / "out"
    common.atomic_write(path, "first")
    common.atomic_write(path, b"second")
    assert path.read_bytes() == b"second"
    assert os.listdir(tmp_path) == ["out"]
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~mask


def test_a_failed_write_keeps_the_old_output(tmp_path, monkeypatch):
    path = tmp_path / "out"
    path.write_text("old")

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(GeError, match="No space left"):
        common.atomic_write(path, "new")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["out"]


def test_links_and_devices_are_written_through(tmp_path):
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    common.atomic_write(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"
    common.atomic_write("/dev/null", "new")
    assert not os.path.isfile("/dev/null")


@pytest.mark.parametrize("name", ["", "no/folder", "."])
def test_unwritable(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    for ask in (lambda: common.atomic_write(name, "x"), lambda: common.check_writable(name)):
        with pytest.raises(GeError, match="GX-002"):
            ask()


def test_text_must_be_utf8():
    with pytest.raises(GeError) as caught:
        common.decode_text(b"ab\nc\xffd", "f.mlir")
    (diagnostic,) = caught.value.diagnostics
    assert (diagnostic.code, diagnostic.location) == ("GX-003", "f.mlir:2:2")


@pytest.mark.parametrize(
    ("raised", "status", "words"),
    [
        (GeError([Diagnostic("GX-001", "no")], 3), 3, "GX-001"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (SystemExit(2), 2, ""),
        (SystemExit(None), 0, ""),
        (SystemExit("words"), 1, "words"),
        (PermissionError(13, "Permission denied"), 1, "GX-005"),
        (ValueError("odd\nthing"), 70, "ValueError: odd thing"),
        (RecursionError(), 70, "GX-006"),
        (MemoryError(), 1, "not enough memory"),
    ],
    ids=lambda v: type(v).__name__,
)
def test_every_exception_has_a_status(capsys, monkeypatch, raised, status, words):
    monkeypatch.delenv(common.DEBUG_VARIABLE, raising=False)

    def main(_):
        raise raised

    assert common.run_tool(main, []) == status
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err
    assert "Traceback" not in err


def test_results_of_main(monkeypatch):
    assert common.run_tool(lambda _: None, []) == 0
    assert common.run_tool(lambda argv: len(argv), ["a", "b"]) == 2


def test_debug_shows_the_traceback(capsys, monkeypatch):
    monkeypatch.setenv(common.DEBUG_VARIABLE, "1")

    def main(_):
        raise ValueError("odd")

    assert common.run_tool(main, []) == 70
    assert "Traceback" in capsys.readouterr().err


def test_many_diagnostics_fit_one_screen():
    out = io.StringIO()
    common.render_diagnostics([Diagnostic("GX-001", str(i)) for i in range(100)], out)
    lines = out.getvalue().splitlines()
    assert len(lines) == common.SCREEN_LINES + 1
    assert f"{100 - common.SCREEN_LINES} more" in lines[-1]


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_large_output_passes_a_slow_pipe_whole(unbuffered):
    code = "from ge_dialect.tools.common import atomic_write; atomic_write('-', 'x' * 3_000_000)"
    writer = subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
    )
    assert writer.stdout is not None
    total = 0
    while chunk := writer.stdout.read(100_000):
        total += len(chunk)
    assert (total, writer.wait(30)) == (3_000_000, 0)


@pytest.mark.parametrize("layout", ["passes.py", "passes/__init__.py", "passes/other.py"])
def test_a_foreign_package_that_hides_ours_is_named(tmp_path, layout):
    path = tmp_path / layout
    path.parent.mkdir(exist_ok=True)
    path.write_text("raise SystemExit('imported')")
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from ge_dialect.tools.common import run_tool\n"
        "sys.exit(run_tool(lambda _: print('ran'), [], packages=('ge_dialect', 'passes')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=False
    )
    if layout.endswith("other.py"):  # a folder without __init__ never wins over a package
        assert (done.returncode, done.stdout) == (0, "ran\n")
        return
    assert done.returncode == 1
    assert "GX-004" in done.stderr
    assert str(tmp_path) in done.stderr
    assert done.stdout == ""


def test_progress_is_silent_unless_on_a_terminal(capsys, monkeypatch):
    with Progress("working", 3) as progress:
        progress.advance()
    assert capsys.readouterr().err == ""
    monkeypatch.setitem(sys.modules, "rich.progress", None)  # as if rich were missing
    with Progress("working", 4, enabled=True) as progress:
        progress.advance()
        progress.step("writing")
    err = capsys.readouterr().err
    assert "working 25%" in err
    assert err.endswith("\r")
