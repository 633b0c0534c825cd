"""Inputs with hundreds of mistakes: one screen says what is wrong, and how many more there are."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from ge_dialect.diagnostics import Diagnostic
from ge_dialect.tools.common import SCREEN_LINES
from ge_dialect.tools.screen import Screen
from passes.tools.ge_opt import main

BROKEN = "ge.graph @g(%x: tensor<4xf32>) {\n  ge.NetOutput(%z)\n}\n"
EXPECTING = BROKEN.replace("  ge.", "  // expected-error@+1 {{%z is not defined}}\n  ge.")
CLEAN = BROKEN.replace("%z", "%x")
WORDS = ("--split-input-file", "-p", "cse", "-o", "out.mlir")


@pytest.fixture
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(parts: list[str], *words: str) -> int:
    Path("in.mlir").write_text("// -----\n".join(parts))
    return main(["in.mlir", *WORDS, *words])


def test_hundreds_of_broken_parts_fit_a_screen(
    inside: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([BROKEN] * 300) == 1
    said = capsys.readouterr()
    lines = said.err.splitlines()
    assert len(lines) <= SCREEN_LINES + 1
    shown = said.err.count("error: GX-102")
    assert shown > 1
    assert lines[-1] == f"... and {300 - shown} more (--json-report FILE lists all)"
    assert not said.out
    assert not Path("out.mlir").exists()


def test_the_report_has_all(inside: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([BROKEN] * 60, "--json-report", "r.json") == 1
    report = json.loads(Path("r.json").read_text())
    assert [d["code"] for d in report["diagnostics"]] == ["GX-102"] * 60
    assert report["exit_status"] == 1
    assert capsys.readouterr().err.endswith("more (all in r.json)\n")


def test_a_few_are_shown_without_a_count(inside: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([BROKEN, CLEAN, BROKEN]) == 1
    said = capsys.readouterr().err
    assert said.count("error: GX-102") == 2
    assert " more" not in said


def test_every_expected_error_is_compared(inside: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([EXPECTING] * 100, "--verify-diagnostics") == 0
    assert run([*[EXPECTING] * 99, BROKEN], "--verify-diagnostics") == 1
    said = capsys.readouterr().err
    assert said.count("error: GX-413") == 1
    assert "in.mlir:497:" in said  # 99 parts of five lines before it
    assert run([BROKEN] * 100, "--verify-diagnostics") == 1
    said = capsys.readouterr().err
    assert len(said.splitlines()) <= SCREEN_LINES + 1
    assert f"... and {100 - said.count('error: GX-413')} more" in said


def test_the_worst_status_counts_wherever_it_is(inside: Path) -> None:
    wrong = CLEAN.replace("%x)\n}", '%x)\n  "ge.Relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>\n}')
    assert run([*[BROKEN] * 60, wrong]) == 3
    assert run([wrong, *[BROKEN] * 60]) == 3
    assert run([CLEAN] * 60) == 0


def test_warnings_do_not_hide_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    monkeypatch.setattr("sys.stderr", out)
    screen = Screen()
    screen.show(Diagnostic("GX-408", f"odd {i}", "warning") for i in range(100))
    screen.show([Diagnostic("GX-102", "wrong")])
    screen.end("how")
    lines = out.getvalue().splitlines()
    assert lines[-2:] == ["error: GX-102: wrong", f"... and {100 - SCREEN_LINES} more (how)"]
    assert len(lines) == SCREEN_LINES + 2


def test_one_that_is_larger_than_a_screen_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    monkeypatch.setattr("sys.stderr", out)
    screen = Screen(limit=3)
    screen.show([Diagnostic("GX-102", "wrong", excerpt="a\nb\nc\nd"), Diagnostic("GX-102", "too")])
    screen.end("how")
    assert out.getvalue().splitlines()[-2:] == ["    d", "... and 1 more (how)"]
