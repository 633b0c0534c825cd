"""`ge-reduce` on the command line."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

TOOL = "passes.tools.ge_reduce"
FAULTY = '''
from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from passes.base import Pass, PassResult
from passes.registry import PASSES, register_pass


@dataclass(frozen=True)
class Swaps(Pass):
    """Swaps the operands of each Sub that reads a Relu."""

    name: ClassVar[str] = "file-swaps"
    how: str = "swap"

    def run(self, module, ctx):
        changed = False
        for op in module.walk():
            if op.name == "ge.Sub" and op.operands[1].owner.name == "ge.Relu":
                if self.how == "raise":
                    raise IndexError("planted")
                a, b = op.operands
                op.operands = (b, a)
                changed = True
        return PassResult(changed)


if "file-swaps" not in PASSES:
    register_pass(Swaps)
'''
GRAPH = """
ge.graph @net(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>) {
  %a = ge.Exp(%x) : tensor<4x6xf32>
  %b = ge.Abs(%y) : tensor<4x6xf32>
  %c = ge.Minimum(%a, %b) : tensor<4x6xf32>
  %r = ge.Relu(%c) : tensor<4x6xf32>
  %s = ge.Sub(%y, %r) : tensor<4x6xf32>
  %t = ge.Add(%s, %a) : tensor<4x6xf32>
  ge.NetOutput(%t, %b)
}
"""


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a graph and a file with a faulty pass, as the working folder."""
    from passes.registry import PASSES, _loaded

    (tmp_path / "bad.mlir").write_text(GRAPH)
    (tmp_path / "faulty.py").write_text(FAULTY)
    monkeypatch.chdir(tmp_path)
    saved, loaded = dict(PASSES), dict(_loaded)
    yield tmp_path
    for table, old in ((PASSES, saved), (_loaded, loaded)):
        table.clear()
        table.update(old)


def test_help_is_short_and_imports_little() -> None:
    code = (
        "import sys\nfrom passes.tools.ge_reduce import main\nmain(['--help'])\n"
        "print([m for m in ('numpy', 'xdsl', 'onnx', 'rich') if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stderr.strip() == "[]"
    lines = done.stdout.splitlines()
    assert len(lines) < 45
    assert max(map(len, lines)) <= 100
    assert "examples:" in lines
    assert "the failure:" in lines


def test_value(tool: Any, files: Path) -> None:
    done = tool(
        "ge-reduce", "bad.mlir", "--load=faulty.py", "-p", "prune,file-swaps", "--fails=value"
    )
    assert done.status == 0, done.err
    out = done.out.decode()
    assert "reduced: 6 -> 2 ops, 2 -> 1 passes" in out
    assert "wrote: bad.reduced.mlir" in out
    assert done.err == b""
    text = (files / "bad.reduced.mlir").read_text()
    assert text.count("ge.Sub") == 1
    assert text.count(" = ge.") == 2
    command = shlex.split(out.splitlines()[-1].partition("reproduce: ")[2])
    assert command[:2] == ["ge-opt", "bad.reduced.mlir"]
    again = tool(*command)
    assert again.status == 4


def test_kind_is_found_out(tool: Any, files: Path) -> None:
    done = tool("ge-reduce", "bad.mlir", "--load=faulty.py", "-p", "file-swaps", "-o", "s.mlir")
    assert done.status == 0, done.err
    assert b"failure: values differ" in done.out
    done = tool(
        "ge-reduce", "bad.mlir", "--load=faulty.py", "-p", "file-swaps{how=raise}", "-o", "s.mlir"
    )
    assert done.status == 0, done.err
    assert b"raised IndexError: planted" in done.out


def test_reproducer_is_enough(tool: Any, files: Path) -> None:
    done = tool(
        "ge-opt",
        "bad.mlir",
        "--load=faulty.py",
        "-p",
        "prune,file-swaps{how=raise}",
        "--reproducer-dir=r",
    )
    assert done.status == 70
    (path,) = (files / "r").iterdir()
    done = tool("ge-reduce", str(path), "-o", "small.mlir")
    assert done.status == 0, done.err
    assert b"pipeline: file-swaps{how=raise}" in done.out
    assert "ge.Relu" in (files / "small.mlir").read_text()


def test_given_inputs(tool: Any, files: Path) -> None:
    np.savez("in.npz", x=np.ones((4, 6), "f"), y=np.full((4, 6), 5, "f"))
    done = tool(
        "ge-reduce", "bad.mlir", "--load=faulty.py", "-p", "file-swaps", "--inputs=in.npz",
        "-o", "s.mlir",
    )  # fmt: skip
    assert done.status == 0, done.err
    done = tool("ge-reduce", "bad.mlir", "-p", "prune", "--inputs=none.npz")
    assert done.status == 1
    assert b"GX-001" in done.err


def test_command(tool: Any, files: Path) -> None:
    done = tool("ge-reduce", "bad.mlir", "--test", "grep -q ge.Minimum {}", "-o", "s.mlir")
    assert done.status == 0, done.err
    assert (files / "s.mlir").read_text().count(" = ge.") == 1
    assert done.out.decode().splitlines()[-1] == "reproduce: grep -q ge.Minimum s.mlir"


def test_graph_to_stdout(tool: Any, files: Path) -> None:
    done = tool("ge-reduce", "bad.mlir", "--test", "grep -q ge.Abs {}", "-o", "-")
    assert done.status == 0
    assert done.out.decode().startswith("ge.graph @net")
    assert b"reduced: 6 -> 1 ops" in done.err


@pytest.mark.parametrize(
    ("arguments", "status", "code"),
    [
        (["-p", "prune", "--fails", "value"], 1, "GX-443"),
        (["-p", "prune", "--fails", "badly"], 2, "GX-008"),
        (["-p", "prune"], 1, "GX-443"),
        ([], 2, "GX-008"),
        (["-p", "prune", "--fails", "value", "--test", "x"], 2, "exclude each other"),
        (["-p", "nope"], 2, "GX-402"),
        (["-p", "prune", "-o", "no/such/x.mlir"], 1, "GX-002"),
    ],
)
def test_wrong_use(tool: Any, files: Path, arguments: list[str], status: int, code: str) -> None:
    done = tool("ge-reduce", "bad.mlir", *arguments)
    assert done.status == status
    assert code in done.err.decode()
    assert not (files / "bad.reduced.mlir").exists()


def test_ctrl_c_writes_the_best_so_far(files: Path) -> None:
    tried = files / "tried"
    slow = f"echo x >> {shlex.quote(str(tried))}; sleep 0.15; grep -q ge.Minimum {{}}"
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "passes.tools.ge_reduce",
            "bad.mlir",
            "--test",
            slow,
            "-o",
            "s.mlir",
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        start_new_session=True,
    )
    end = time.monotonic() + 60
    while time.monotonic() < end and process.poll() is None:
        if tried.exists() and tried.stat().st_size > 10:
            break  # it has tried a few graphs
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    if process.returncode == 0:
        pytest.skip("it was done before the signal came")
    assert process.returncode == 130, err
    if b"reduced:" in out:
        assert b"not finished" in out
        assert "ge.Minimum" in (files / "s.mlir").read_text()
