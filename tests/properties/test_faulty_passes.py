"""Planted faults: the kit finds each, and shows it on a graph of a few nodes."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

from passes.testing.check import check_pass

FILE = Path(__file__).with_name("faulty_passes.py")
_SPEC = importlib.util.spec_from_file_location("faulty_passes", FILE)
assert _SPEC is not None
assert _SPEC.loader is not None
faulty_passes = importlib.util.module_from_spec(_SPEC)
sys.modules["faulty_passes"] = faulty_passes
_SPEC.loader.exec_module(faulty_passes)
FAULTY = faulty_passes.FAULTY

#: Found within a few graphs, so cheap enough for the default tests.
QUICK = (
    *("swapped-operands", "minus-self-is-zero", "lossy-cast-pair", "control-edge-dropped"),
    *("effects-pruned", "name-duplicated", "claims-nothing", "never-settles", "raises"),
)
SMALL = 4


def find(cls, folder):
    return check_pass(cls(), profile="default", stop_at_first=True, folder=str(folder))


@pytest.mark.parametrize("cls", [c for c in FAULTY if c.name in QUICK], ids=lambda c: c.name)
def test_found(cls, tmp_path):
    report = find(cls, tmp_path)
    assert not report.ok, f"the fault was not found: {cls.__doc__}"
    failure = report.failures[0]
    assert failure.ops is not None
    assert failure.ops <= SMALL, str(failure)
    assert "ge.graph @g" in str(failure)
    assert f"pipeline: {cls.name}" in str(failure)
    assert "reproduce: python -m passes.testing.check " in str(failure)


def test_the_command_shows_the_failure(tmp_path, capsys):
    """What a failure says to run does show it."""
    import shlex

    from passes.registry import unregister_pass
    from passes.testing.check import main

    failure = find(faulty_passes.LossyCastPair, tmp_path).failures[0]
    try:
        status = main(shlex.split(failure.command)[3:])
    finally:
        for cls in FAULTY:
            unregister_pass(cls.name)
    assert status == 4
    assert "property 'values' fails" in capsys.readouterr().out


@pytest.mark.full
def test_all_found_and_reduced(tmp_path):
    """At least 30 faults, all found by the default profile, at least 25 on four nodes or fewer."""
    rows, missed, large = [], [], []
    for cls in FAULTY:
        report = find(cls, tmp_path)
        if report.ok:
            missed.append(cls.name)
            rows.append(f"{cls.name:28} MISSED in {report.graphs} graphs")
            continue
        failure = report.failures[0]
        if failure.ops is None or failure.ops > SMALL:
            large.append(cls.name)
        rows.append(
            f"{cls.name:28} {failure.prop:14} graph {report.graphs:4}  {failure.ops} ops  "
            f"{failure.message[:70]}"
        )
    table = "\n".join(rows)
    sys.stdout.write(f"\n{table}\n{len(FAULTY)} faults, {len(missed)} missed\n")
    assert len(FAULTY) >= 30
    assert not missed, table
    assert len(FAULTY) - len(large) >= 25, table
