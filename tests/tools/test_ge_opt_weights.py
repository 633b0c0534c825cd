"""Weights of a module that goes through `ge-opt`."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from ge_dialect.api import load
from ge_dialect.weights import WeightStore
from ge_dialect.weights.resolve import weight
from passes.base import Pass, PassResult
from passes.registry import register_pass, unregister_pass

Tool = Callable[..., Any]

TEXT = """\
builtin.module attributes {ge.weights = "net.weights"} {
  ge.graph @g(%x: tensor<100xf32>) {
    %w = ge.Const() {value = #ge.weight<"w">} : tensor<100xf32>
    %y = ge.Add(%x, %w) : tensor<100xf32>
    ge.NetOutput(%y)
  }
}
"""


@pytest.fixture
def net(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "net.mlir").write_text(TEXT)
    store = WeightStore({"w": np.arange(100, dtype=np.float32), "unused": np.zeros(3)})
    store.save(folder / "net.weights")
    return folder


def run(tool: Tool, *arguments: str, stdin: bytes = b"", status: int = 0) -> tuple[bytes, str]:
    done = tool("ge-opt", *arguments, stdin=stdin)
    assert done.status == status, done.err.decode()
    return done.out, done.err.decode()


def weight_of(path: str) -> np.ndarray:
    return load(path).weights.get("w")


def test_beside_the_input_the_folder_is_shared(tool: Tool, net: Path) -> None:
    run(tool, "in/net.mlir", "-o", "in/out.mlir")
    assert sorted(os.listdir("in")) == ["net.mlir", "net.weights", "out.mlir"]
    assert 'ge.weights = "net.weights"' in Path("in/out.mlir").read_text()
    assert weight_of("in/out.mlir")[7] == 7


def test_elsewhere_it_is_linked_or_copied(tool: Tool, net: Path) -> None:
    run(tool, "in/net.mlir", "-o", "other.mlir")
    assert 'ge.weights = "other.weights"' in Path("other.mlir").read_text()
    assert weight_of("other.mlir")[7] == 7
    assert "unused" not in load("other.mlir").weights


def test_to_stdout_the_name_stays(tool: Tool, net: Path) -> None:
    out, _ = run(tool, "in/net.mlir")
    assert b'ge.weights = "net.weights"' in out
    done, _ = run(tool, "-", "--weights", "in/net.weights", "-o", "third.mlir", stdin=out)
    assert done == b""
    assert weight_of("third.mlir")[7] == 7


def test_dumps_find_their_weights(tool: Tool, net: Path) -> None:
    run(tool, "in/net.mlir", "--stop-after=prepare", "--dump-dir=dump", "-o", "in/out.mlir")
    assert sorted(os.listdir("dump")) == [
        "00-PreRunBegin.mlir",
        "01-prepare-PreRunAfterPrepare.mlir",
        "net.weights",
    ]
    assert weight_of("dump/01-prepare-PreRunAfterPrepare.mlir")[7] == 7


def test_weights_that_cannot_be_found(tool: Tool, net: Path) -> None:
    out, err = run(tool, "-", "-o", "x.mlir", stdin=TEXT.encode(), status=1)
    assert (out, os.path.exists("x.mlir")) == (b"", False)
    assert "GX-30" in err
    out, err = run(
        tool, "-", stdin=TEXT.replace('"net.weights"', '"../in/net.weights"').encode(), status=1
    )
    assert "GX-302" in err


def test_a_text_alone_does_not_touch_its_weights(tool: Tool, net: Path) -> None:
    """Printing needs no weights, so a missing folder is no error on the way to stdout."""
    out, _ = run(tool, "-", stdin=TEXT.encode())
    assert out.decode() == TEXT


@dataclass(frozen=True)
class NewWeight(Pass):
    """Puts a new weight in the place of the old one."""

    name: ClassVar[str] = "test-new-weight"

    def run(self, module, ctx) -> PassResult:
        ctx.weights.put("new", ctx.weights.get("w") + 1)
        for op in module.walk():
            if op.name == "ge.Const":
                op.properties["value"] = weight("new")
        return PassResult(True)


def test_new_weights_are_written_beside_the_output(tool: Tool, net: Path) -> None:
    register_pass(NewWeight)
    try:
        flags = ("in/net.mlir", "-p", "test-new-weight")
        run(tool, *flags, "-o", "in/out.mlir")
        assert 'ge.weights = "out.weights"' in Path("in/out.mlir").read_text()
        store = load("in/out.mlir").weights
        assert store.names() == ["new"]
        assert store.get("new")[7] == 8
        out, err = run(tool, *flags, status=1)
        assert out == b""
        assert "GX-310" in err
        assert "-o FILE" in err
    finally:
        unregister_pass("test-new-weight")
