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


MISFIT = """\
in/net.mlir:3:5: error: GX-216: weight "w" does not have the type of its constant
  node: w
  found: tensor<100xf32>
  expected: tensor<{}>
"""


@pytest.mark.parametrize("wanted", ["100xf16", "10x10xf32", "99xf32"])
def test_a_constant_with_the_type_of_another_weight(tool: Tool, net: Path, wanted: str) -> None:
    wrong = TEXT.replace("tensor<100xf32>", f"tensor<{wanted}>")
    (net / "net.mlir").write_text(wrong)
    run(tool, "in/net.mlir", "-p", "prune", "-o", "o.mlir")  # which reads no weights
    for pipeline in ("ge-default", "prepare,engine-claim,build"):
        _, err = run(tool, "in/net.mlir", "-p", pipeline, "-o", "bad.mlir", status=3)
        assert err.startswith(MISFIT.format(wanted))
    assert not os.path.exists("bad.mlir")
    done = tool("ge-run", "in/net.mlir", "--golden", "--random-inputs", "0")
    assert done.status == 1
    assert b"error: GX-2" in done.err


def test_weights_that_are_not_there_are_no_misfit(tool: Tool, net: Path) -> None:
    (net / "net.mlir").write_text(TEXT.replace('"w"', '"another"'))
    run(tool, "in/net.mlir", "-p", "ge-default", "-o", "o.mlir")
    assert tool("ge-run", "o.mlir", "--time-only", "-q").status == 0


def test_weights_that_are_broken_are_said_before_lowering(tool: Tool, net: Path) -> None:
    (net / "net.weights" / "index.json").write_text("{")
    words = ("in/net.mlir", "-p", "engine-claim,build")
    _, err = run(tool, *words, "-o", "in/o.mlir", status=1)
    assert "error: GX-301" in err
    assert not os.path.exists("in/o.mlir")


@dataclass(frozen=True)
class Misname(Pass):
    """Gives every constant a recipe of the wrong type."""

    name: ClassVar[str] = "test-misname"
    stage: ClassVar[str] = "fuse"

    def run(self, module: Any, ctx: Any) -> PassResult:
        from xdsl.dialects.builtin import f16

        from ge_dialect.ir.graph import find_ops
        from ge_dialect.weights.resolve import recipe

        assert ctx.weights is not None
        for op in find_ops(module, {"ge.Const"}):
            op.properties["value"] = recipe("cast", "w", f16)
        return PassResult(True)


def test_a_pass_that_makes_a_misfit_is_named(tool: Tool, net: Path) -> None:
    register_pass(Misname)
    try:
        _, err = run(tool, "in/net.mlir", "-p", "test-misname", "-o", "o.mlir", status=3)
    finally:
        unregister_pass("test-misname")
    assert "GX-407: the IR does not verify after pass 'test-misname'" in err
    assert 'weight cast("w", f16) does not have the type of its constant' in err
