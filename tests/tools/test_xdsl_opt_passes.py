"""Our passes in stock `xdsl-opt`, and what the plug-in costs it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from passes.registry import PASSES
from passes.stages import pipeline_names
from passes.universe import PASSES_UNIVERSE, xdsl_name

XDSL_OPT = Path(sys.executable).with_name("xdsl-opt")
TEXT = """\
ge.graph @g(%x: tensor<4xf32>) {
  %a = ge.Relu(%x) : tensor<4xf32>
  %b = ge.Relu(%x) : tensor<4xf32>
  %c = ge.Add(%a, %b) : tensor<4xf32>
  ge.NetOutput(%c)
}
"""


def test_every_pass_and_pipeline_is_offered_with_its_options() -> None:
    offered = PASSES_UNIVERSE.all_passes
    for name in (*PASSES, *pipeline_names(), "cse"):
        adapter = offered[xdsl_name(name)]()
        assert adapter.name == xdsl_name(name)
        adapter()  # all options have defaults
    assert all(n.startswith("ge-") for n in offered)


@pytest.mark.skipif(not XDSL_OPT.exists(), reason="xdsl-opt is not installed")
def test_xdsl_opt_runs_our_passes() -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(XDSL_OPT), *arguments], input=TEXT, capture_output=True, text=True, timeout=60
        )

    done = run("-p", "ge-cse,ge-prune")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("ge.Relu") == 1


def test_the_plug_in_module_is_light() -> None:
    code = (
        "import passes.universe, sys\n"
        "print([m for m in sys.modules if m == 'numpy' or m.startswith('passes.stage1')])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout == "[]\n", done.stderr
