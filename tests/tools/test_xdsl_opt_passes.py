"""Our passes in stock `xdsl-opt`, and what the plug-in costs it."""

from __future__ import annotations

import runpy
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

from passes import universe
from passes.base import Pass, PassResult
from passes.registry import ALIASES, own_pass_names, register_pass, unregister_pass
from passes.stages import pipeline_names
from passes.universe import xdsl_name

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
    offered = universe.PASSES_UNIVERSE.all_passes
    names = {*own_pass_names(), *ALIASES, *pipeline_names()}
    assert set(offered) == {xdsl_name(name) for name in names}
    for shown, make in offered.items():
        adapter = make()
        assert adapter.name == shown
        adapter()  # all options have defaults
    assert all(n.startswith("ge-") for n in offered)


def test_what_others_registered_is_not_offered() -> None:
    """Also where they did so before the module is imported."""

    @dataclass(frozen=True)
    class Mine(Pass):
        """A pass of the user's."""

        name: ClassVar[str] = "test-mine"

        def run(self, module: Any, ctx: Any) -> PassResult:
            return PassResult(False)

    register_pass(Mine)
    try:
        fresh = runpy.run_path(universe.__file__)["PASSES_UNIVERSE"]
    finally:
        unregister_pass(Mine.name)
    assert set(fresh.all_passes) == set(universe.PASSES_UNIVERSE.all_passes)


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
