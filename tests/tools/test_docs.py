"""Commands and code in README and docs do what the page says.

- a ```console block: each `$ command` runs in a scratch folder that holds `examples/`; the lines
  below it are its output (lines `> …` still belong to the command), where a line `...` stands for
  any lines and `…` for any text;
- a ```python block runs; blocks of one page share their names;
- a ```mlir block is a module that parses and verifies; a ```mlir fragment block does not run.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

from ge_dialect.plugins import journal

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(
    p
    for p in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    if "reference" not in p.relative_to(ROOT).parts
)
_FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path, kind: str) -> list[str]:
    """Contents of the fenced blocks of a kind."""
    return [m.group(2) for m in _FENCE.finditer(page.read_text()) if m.group(1).strip() == kind]


def commands(block: str) -> list[tuple[str, str]]:
    """(command, expected output) pairs of a console block; a trailing backslash joins lines."""
    out: list[tuple[str, str]] = []
    lines = block.splitlines()
    i = 0
    while i < len(lines):
        if not lines[i].startswith("$ "):
            raise AssertionError(f"output before the first command: {lines[i]!r}")
        command = lines[i][2:]
        while command.endswith("\\"):
            i += 1
            command = command[:-1] + lines[i].removeprefix(">").strip()
        i += 1
        while i < len(lines) and (lines[i].startswith("> ") or lines[i] == ">"):
            command += "\n" + lines[i][2:]
            i += 1
        start = i
        while i < len(lines) and not lines[i].startswith("$ "):
            i += 1
        out.append((command, "\n".join(lines[start:i]).strip("\n")))
    return out


def matches(expected: str, actual: str) -> bool:
    """Equality, where `...` alone on a line is any lines and `…` any text within a line."""
    pattern = ""
    for line in expected.splitlines():
        if line.strip() == "...":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*?".join(re.escape(part) for part in line.rstrip().split("…")) + r" *\n"
    return re.fullmatch(pattern, actual.rstrip("\n") + "\n") is not None


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    return tmp_path


def shell(command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    env = dict(os.environ)
    path = env.get("PATH", os.defpath)
    env["PATH"] = f"{Path(sys.executable).parent}:{path}"
    env["COLUMNS"] = "100"
    return subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"],
        cwd=cwd,
        env=env,
        capture_output=True,
        text=True,
        timeout=1200,
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_commands(page: Path, scratch: Path) -> None:
    for block in blocks(page, "console"):
        for command, expected in commands(block):
            if command.startswith("make "):
                continue  # `make test` is this run; `make demo` has a test of its own
            run = shell(command, scratch)
            actual = run.stdout + run.stderr
            if expected or run.returncode not in (0, 1):
                assert matches(expected, actual), f"$ {command}\n--- is\n{actual}"


@pytest.fixture
def taken_back() -> Iterator[None]:
    """What a page registers is not there for others."""
    source = journal.Source("a page")
    with journal.registering(source):
        yield
    journal.forget(source)


@pytest.mark.usefixtures("taken_back")
@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_python(page: Path, scratch: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(scratch)
    module = types.ModuleType("docs_page")  # dataclasses look their module up by name
    monkeypatch.setitem(sys.modules, module.__name__, module)
    for i, block in enumerate(blocks(page, "python")):
        code = compile(block, f"{page.name}[{i}]", "exec", dont_inherit=True)
        exec(code, module.__dict__)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_mlir(page: Path) -> None:
    from ge_dialect.ir.reader import parse_module
    from ge_dialect.ir.verifier import verify_or_raise

    for block in blocks(page, "mlir"):
        verify_or_raise(parse_module(block, filename=page.name))


def test_links_lead_somewhere() -> None:
    broken = [
        f"{page.relative_to(ROOT)}: {target}"
        for page in PAGES
        for target in re.findall(r"\]\(([^)#\s]+)", page.read_text())
        if not target.startswith(("http:", "https:")) and not (page.parent / target).exists()
    ]
    assert not broken


def test_the_matcher() -> None:
    assert matches("a\n...\nb", "a\nx\ny\nb\n")
    assert matches("n = … ns", "n = 12 ns\n")
    assert not matches("a", "b\n")
    assert not matches("a\n...", "b\n")
