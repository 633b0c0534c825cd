"""Damaged text through the whole of `ge-opt`: a diagnostic, never an internal error."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

TOUR = Path(__file__).resolve().parents[2] / "examples" / "tour.mlir"
CONTROL = """\
ge.graph @g(%v: !ge.ref<tensor<4xf32>>, %p: tensor<i1>, %x: tensor<4xf32>) {
  %r, %done = ge.Assign(%v, %x) : !ge.ref<tensor<4xf32>>, !ge.ctrl
  %y = ge.Read(%v) after(%done) {ge.stream = 1} : tensor<4xf32>
  %z = ge.If(%p, [%y]) : tensor<4xf32> then_branch(%a) {
    %n = ge.Neg(%a) : tensor<4xf32> loc("deep/neg"("src"))
    ge.NetOutput(%n)
  } else_branch(%b) {
    ge.NetOutput(%b)
  }
  ge.NetOutput(%z)
}
"""
PIECES = ["%", "{", "}", "(", ")", "tensor<", "-1", "\0", "é", '"', "ge.", "after(", "?", "*", "#"]


def damaged(text: str, rng: random.Random) -> str:
    """The text with a few small faults."""
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        at = rng.randrange(len(text))
        width = rng.choice((1, 1, 2, 8, 40))
        kind = rng.randrange(4)
        if kind == 0:
            text = text[:at] + text[at + width :]
        elif kind == 1:
            text = text[:at] + rng.choice(PIECES) + text[at:]
        elif kind == 2:
            other = rng.randrange(len(text))
            text = text[:at] + text[other : other + width] + text[at:]
        else:
            text = text[:at]
        text = text or "x"
    return text


@pytest.mark.parametrize(
    ("source", "seeds"),
    [
        ("tour", 60),
        ("control", 60),
        pytest.param("tour", 2000, marks=pytest.mark.full),
        pytest.param("control", 2000, marks=pytest.mark.full),
    ],
)
def test_damaged_text(tool: Callable[..., Any], source: str, seeds: int) -> None:
    whole = CONTROL if source == "control" else TOUR.read_text()
    assert tool("ge-opt", "-p", "prepare,stage1", stdin=whole.encode()).status == 0
    for seed in range(seeds):
        text = damaged(whole, random.Random(seed))
        arguments = ("ge-opt", "-p", "prepare,stage1", "--reproducer-dir", "/nonexistent")
        done = tool(*arguments, stdin=text.encode())
        said = done.err.decode()
        assert done.status in (0, 1, 3), f"seed {seed}: {said}\n{text}"
        if done.status:
            assert done.out == b""
            assert "GX-" in said
            assert len(said.splitlines()) < 60
