"""A fixture of the tests of refusals."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.refusals import NET


@pytest.fixture
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a small graph in net.mlir."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "net.mlir").write_text(NET)
    return tmp_path
