"""Weights of a module that goes through `ge-opt`."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ge_dialect.api import load
from ge_dialect.weights import WeightStore

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
