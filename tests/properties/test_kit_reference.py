"""The reference page of the kit: up to date, complete, and its examples run."""

from __future__ import annotations

import shutil
import sys
import types
from pathlib import Path

import pytest

import passes.testing
from passes.testing import docgen
from passes.testing.reference import SECTIONS, Entry

ROOT = Path(__file__).resolve().parents[2]
ENTRIES = [entry for section in SECTIONS for entry in section.entries]


def test_page_is_current() -> None:
    assert docgen.main(["--check"]) == 0, "run python -m passes.testing.docgen"


def test_every_public_name_is_there() -> None:
    assert {e.name for e in ENTRIES} >= set(passes.testing.__all__) - {"PROFILES"}
    assert "PROFILES" in docgen.page_text()
    for entry in ENTRIES:
        assert (docgen.resolve(entry).__doc__ or "").strip(), entry.target


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda e: e.name)
def test_example_runs(entry: Entry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    module = types.ModuleType("kit_example")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile(entry.example, entry.name, "exec", dont_inherit=True), module.__dict__)
