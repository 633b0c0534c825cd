"""Where the kit leaves files: nowhere while everything holds, else in one folder that it names."""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

from ge_dialect.ir.rewriter import Rewriter
from passes.base import Pass, PassResult
from passes.context import PassContext
from passes.registry import register_pass, unregister_pass
from passes.testing.check import check_pass, main
from passes.testing.spec import GraphSpec, Input, Step


@dataclass(frozen=True)
class DropRelu(Pass):
    """Removes every Relu, and with it a promise about values."""

    name: ClassVar[str] = "drop-relu"

    def run(self, module: Any, ctx: PassContext) -> PassResult:
        found = [op for op in module.walk() if op.name == "ge.Relu"]
        for op in found:
            Rewriter().replace_by_value(op, [op.operands[0]])
        return PassResult(bool(found), {})


RELU = GraphSpec((Input("4xf32"),), (Step("Relu", (0,), types=("4xf32",)),), (1,))


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The temporary folder, empty at first."""
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    register_pass(DropRelu)
    yield place
    unregister_pass(DropRelu.name)


def test_nothing_is_left_where_nothing_fails(temporary: Path) -> None:
    report = check_pass("cast-remove", profile="quick")
    assert report.ok
    assert report.folder is None
    assert "cases are in" not in str(report)
    assert list(temporary.iterdir()) == []


def test_one_folder_holds_all_that_failed(temporary: Path) -> None:
    report = check_pass(DropRelu(), profile="quick", graphs=[RELU])
    assert len(report.failures) > 1
    (folder,) = temporary.iterdir()
    assert folder.name.startswith("ge-check-")
    assert report.folder == str(folder)
    assert str(report).endswith(f"\ncases are in {folder}")
    failed = {f"drop-relu-{f.prop}.mlir" for f in report.failures}
    assert {p.name for p in folder.iterdir() if p.suffix == ".mlir"} == failed
    command = shlex.split(report.failures[0].command)
    assert main([*command[3:]]) == 4


def test_a_folder_of_your_own_is_named_too(temporary: Path, tmp_path: Path) -> None:
    own = tmp_path / "found"
    calm = {"profile": "quick", "properties": ["values"], "folder": str(own)}
    report = check_pass("cast-remove", **calm)
    assert (report.folder, own.exists()) == (None, False)
    report = check_pass(DropRelu(), graphs=[RELU], stop_at_first=True, **calm)
    assert report.folder == str(own)
    assert f"cases are in {own}" in str(report)
    assert sorted(p.name for p in own.iterdir())[0] == "drop-relu-values.mlir"
    assert list(temporary.iterdir()) == []


def test_without_reduction_nothing_is_written(temporary: Path) -> None:
    report = check_pass(DropRelu(), profile="quick", graphs=[RELU], reduce=False)
    assert not report.ok
    assert report.folder is None
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"properties": ["values", "valeus"]}, "there is no property 'valeus'; there are: "),
        ({"profile": "quik"}, "there is no profile 'quik'; there are: quick, default, nightly"),
    ],
)
def test_a_name_that_nothing_has_is_said_with_those_there_are(asked, said) -> None:
    with pytest.raises(ValueError, match=said):
        check_pass("cse", **asked)
