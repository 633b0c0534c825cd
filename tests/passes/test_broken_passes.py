"""Passes that raise, never end, or leave invalid IR: each is named, its reproducer fails the same
way, and the process is as it was."""

from __future__ import annotations

import gc
import os
import shlex
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from ge_dialect.api import parse
from ge_dialect.diagnostics import GeError
from ge_dialect.ir.private import set_type
from passes.base import Pass, PassResult
from passes.guard import PassTimeout, global_state_kept, time_limit
from passes.manager import run_pipeline
from passes.registry import register_pass, unregister_pass

TEXT = """
ge.graph @g(%x: tensor<2x4xf32>) {
  %a = ge.Relu(%x) : tensor<2x4xf32>
  %b = ge.Exp(%a) : tensor<2x4xf32>
  ge.NetOutput(%b)
}
"""
#: The limit where one is reached, and where it is not: so long that no machine is too slow for it.
SHORT, LONG = 0.2, 60.0


def raises(module: Any) -> None:
    raise KeyError("planted")


def recurses(module: Any) -> None:
    recurses(module)


def exits(module: Any) -> None:
    sys.exit(0)


def spins(module: Any) -> None:
    while True:
        pass


def sleeps(module: Any) -> None:
    time.sleep(2 * LONG)


def swallows(module: Any) -> None:
    while True:
        try:
            while True:
                pass
        except Exception:
            pass


def rewrites_for_ever(module: Any) -> None:
    (graph,) = module.ops
    op = graph.body.first_op
    while True:
        op.attributes["ge.x"] = op.location


def dangles(module: Any) -> None:
    (graph,) = module.ops
    op = graph.body.first_op
    set_type(op.results[0], graph.args[0].type.__class__(graph.args[0].type.element_type, [9]))


def misplaces(module: Any) -> None:
    (graph,) = module.ops
    first = graph.body.first_op
    second = first.next_op
    first.detach()
    graph.body.insert_op_after(first, second)


ENDLESS = ("spins", "sleeps", "swallows", "rewrites")
FAULTS: dict[str, tuple[Callable[[Any], None], str, int]] = {
    "raises": (raises, "GX-406", 70),
    "recurses": (recurses, "GX-406", 70),
    "exits": (exits, "GX-406", 70),
    "spins": (spins, "GX-442", 70),
    "sleeps": (sleeps, "GX-442", 70),
    "swallows": (swallows, "GX-442", 70),
    "rewrites": (rewrites_for_ever, "GX-442", 70),
    "dangles": (dangles, "GX-407", 3),
    "misplaces": (misplaces, "GX-407", 3),
}


def disturb() -> None:
    """Change all the global state that a pass should not."""
    gc.enable()
    gc.set_threshold(11, 3, 3)
    sys.setrecursionlimit(sys.getrecursionlimit() - 50)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.chdir("/")
    np.seterr(all="raise")
    sys.stdout = sys.stderr


def state() -> tuple[Any, ...]:
    """What must be the same before and after."""
    return (
        gc.isenabled(),
        gc.get_threshold(),
        sys.getrecursionlimit(),
        signal.getsignal(signal.SIGINT),
        signal.getsignal(signal.SIGALRM),
        signal.getitimer(signal.ITIMER_REAL),
        os.getcwd(),
        np.geterr(),
        sys.stdout,
    )


def limit(fault: str) -> float:
    """A time limit for the pass with that fault."""
    return SHORT if fault in ENDLESS else LONG


@dataclass(frozen=True)
class Broken(Pass):
    """A pass with a fault that an option chooses."""

    name: ClassVar[str] = "test-broken"
    fault: str = "none"

    def run(self, module: Any, ctx: Any) -> PassResult:
        disturb()
        if self.fault != "none":
            FAULTS[self.fault][0](module)
        return PassResult(True)


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    register_pass(Broken)
    yield
    unregister_pass("test-broken")


@pytest.mark.parametrize("fault", FAULTS)
def test_named_and_everything_put_back(fault: str, tmp_path: Path) -> None:
    before = state()
    start = time.monotonic()
    with pytest.raises(GeError) as caught:
        run_pipeline(
            parse(TEXT),
            f"prune,test-broken{{fault={fault}}},prune",
            pass_timeout=limit(fault),
            reproducer_dir=str(tmp_path),
        )
    assert state() == before
    assert time.monotonic() - start < LONG  # `sleeps` was woken up
    head = caught.value.diagnostics[0]
    assert (head.code, head.pass_name) == (FAULTS[fault][1], "test-broken")
    assert caught.value.exit_code == FAULTS[fault][2]
    assert "test-broken" in head.message
    assert head.hint
    assert "--run-reproducer" in head.hint


@pytest.mark.parametrize("fault", FAULTS)
def test_reproducer_fails_the_same_way(fault: str, tool: Any, tmp_path: Path) -> None:
    path = tmp_path / "net.mlir"
    path.write_text(TEXT)
    before = state()[:-1]
    done = tool(
        "ge-opt", str(path), "-p", f"prune,test-broken{{fault={fault}}}",
        f"--pass-timeout={limit(fault)}", f"--reproducer-dir={tmp_path}",
    )  # fmt: skip
    first = done.err.decode().splitlines()
    assert done.status == FAULTS[fault][2]
    assert state()[:-1] == before
    hint = next(line for line in first if line.startswith("  hint: ge-opt --run-reproducer"))
    again = tool(*shlex.split(hint.partition("hint: ")[2]))
    assert again.status == done.status
    assert again.err.decode().splitlines()[0].split(": ", 1)[-1] == first[0].split(": ", 1)[-1]


def test_good_pass_is_put_right_too() -> None:
    before = state()
    run_pipeline(parse(TEXT), "test-broken", pass_timeout=LONG, check_contract=False)
    assert state() == before


def test_ctrl_c_goes_through_with_everything_put_back() -> None:
    @dataclass(frozen=True)
    class Interrupted(Pass):
        """Meets Ctrl-C."""

        name: ClassVar[str] = "test-interrupted"

        def run(self, module: Any, ctx: Any) -> PassResult:
            disturb()
            raise KeyboardInterrupt

    before = state()
    with pytest.raises(KeyboardInterrupt):
        run_pipeline(parse(TEXT), Interrupted(), pass_timeout=LONG)
    assert state() == before


# ------------------------------------------------------------------------------- the time limit


def test_limit_keeps_the_callers_timer() -> None:
    fired: list[int] = []
    old = signal.signal(signal.SIGALRM, lambda *a: fired.append(1))
    try:
        signal.setitimer(signal.ITIMER_REAL, LONG)
        with pytest.raises(PassTimeout), time_limit(0.1):
            spins(None)
        assert 0 < signal.getitimer(signal.ITIMER_REAL)[0] < LONG - 0.09
        assert fired == []
        signal.setitimer(signal.ITIMER_REAL, 0.05)  # is over while the limit's own timer runs
        with pytest.raises(PassTimeout), time_limit(0.1):
            spins(None)
        end = time.monotonic() + LONG
        while not fired and time.monotonic() < end:
            time.sleep(0.01)
        assert fired == [1]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)


def test_limits_nest() -> None:
    with time_limit(LONG):
        with pytest.raises(PassTimeout), time_limit(0.05):
            spins(None)
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 4
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0


def test_threads_run_without_limit_and_without_error() -> None:
    found: list[Any] = []

    def work() -> None:
        try:
            with global_state_kept():
                report = run_pipeline(parse(TEXT), "prune", pass_timeout=0.01)
            found.append(report)
        except BaseException as error:
            found.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert [type(f).__name__ for f in found] == ["RunReport"] * 4


@pytest.mark.parametrize("seconds", [None, 0, -1.0])
def test_no_limit(seconds: float | None) -> None:
    before = state()
    with time_limit(seconds):
        assert state() == before
