"""The in-process runner of RUN lines, and the same files under real lit."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

TESTS = Path(__file__).resolve().parents[1]
TEXT = b"ge.graph @g(%x: tensor<4xf32>) {\n  ge.NetOutput(%x)\n}\n"


@pytest.fixture(scope="module")
def runner() -> ModuleType:
    spec = importlib.util.spec_from_file_location("lit_runner", TESTS / "conftest.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_run_lines(runner: ModuleType, tmp_path: Path) -> None:
    file = tmp_path / "a.mlir"
    file.write_text("// RUN: a %s | \\\n// RUN:   b\n# RUN: c\n// CHECK: x\n")
    assert runner.run_lines(file) == ["a %s | b", "c"]


def test_substitutions(runner: ModuleType, tmp_path: Path) -> None:
    file = tmp_path / "a.mlir"
    assert runner.substitute("x %s %S %%s", file, tmp_path) == f"x {file} {tmp_path} %s"


def test_a_path_with_blanks(runner: ModuleType, tmp_path: Path) -> None:
    folder = tmp_path / "a b"
    folder.mkdir()
    file = folder / "a.mlir"
    file.write_bytes(TEXT + b"// CHECK: ge.graph\n")
    command = runner.substitute("ge-opt %s -o %t.out | cat %S/a.mlir | filecheck %s", file, folder)
    assert runner.run_command(command).status == 0
    assert (folder / "a.mlir.tmp.out").read_bytes() == TEXT


@pytest.mark.parametrize(
    ("command", "status", "out"),
    [
        ("ge-opt", 0, TEXT),
        ("ge-opt | ge-opt - -p prune", 0, TEXT),
        ("ge-opt -p nope", 2, b""),
        ("not ge-opt -p nope", 0, b""),
        ("! ge-opt -p prune", 1, TEXT),
        ("ge-opt -p nope | cat", 2, b""),
        ("ge-opt | cat", 0, TEXT),
        ("ge-opt 2>&1", 0, TEXT),
    ],
)
def test_commands(runner: ModuleType, command: str, status: int, out: bytes) -> None:
    done = runner.run_command(command, TEXT)
    assert (done.status, done.out) == (status, out)


def test_redirections(runner: ModuleType, tmp_path: Path) -> None:
    source, out, err = tmp_path / "in", tmp_path / "out", tmp_path / "err"
    source.write_bytes(TEXT)
    assert runner.run_command(f"ge-opt < {source} > {out}").out == b""
    assert out.read_bytes() == TEXT
    done = runner.run_command(f"ge-opt -p nope < {source} 2> {err}")
    assert (done.status, done.err) == (2, b"")
    assert b"GX-402" in err.read_bytes()
    assert b"GX-402" in runner.run_command(f"ge-opt -p nope < {source} 2>&1").out


def test_filecheck_fails_and_passes(runner: ModuleType, tmp_path: Path) -> None:
    file = tmp_path / "a.mlir"
    file.write_text("// CHECK: ge.graph @g\n")
    assert runner.run_command(f"ge-opt | filecheck {file}", TEXT).status == 0
    file.write_text("// CHECK: ge.graph @h\n")
    done = runner.run_command(f"ge-opt | filecheck {file}", TEXT)
    assert done.status != 0


@pytest.mark.full
def test_the_files_pass_under_real_lit(tmp_path: Path) -> None:
    lit = Path(sys.executable).with_name("lit")
    if not lit.exists():
        pytest.skip("lit is not installed")
    # a copy, as lit makes two words of a path with a blank
    files = shutil.copytree(TESTS / "filecheck", tmp_path / "files")
    done = subprocess.run(
        [str(lit), "-q", str(files)],
        capture_output=True,
        text=True,
        env={**os.environ, "LIT_EXEC_ROOT": str(tmp_path)},
    )
    assert done.returncode == 0, done.stdout[-4000:]
