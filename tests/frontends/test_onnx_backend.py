"""Conformance: the node cases that ONNX ships, in the golden evaluator and on the simulated device.

`python -m pytest tests/frontends/test_onnx_backend.py -m nightly` runs all of them and prints the
score; the full tier runs a fixed third. Counted are the cases of numeric tensors in the default
domain. A case that does not pass is listed with its reason in `onnx_backend_exceptions.toml`.
"""

from __future__ import annotations

import random
import sys
import time
import tomllib
import warnings
from functools import cache
from pathlib import Path

import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="needs the extra ge-opt[onnx]")

#: Of the 1,807 cases of onnx 1.23.
THRESHOLD = 1760
COUNTED = 1807
#: Share of the cases passing golden that may fail on the simulated device, with a reason.
SIMULATED_LOSS = 0.03
GOLDEN_SECONDS = 360
THIRD = 20260
EXCEPTIONS = Path(__file__).with_name("onnx_backend_exceptions.toml")
CONTROL = ("If", "Loop", "Scan", "SequenceMap")


def _numeric(info) -> bool:
    kind = info.type
    return kind.HasField("tensor_type") and kind.tensor_type.elem_type != onnx.TensorProto.STRING


@cache
def cases() -> dict:
    """All counted cases by name."""
    from onnx.backend.test.case.node import collect_testcases

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = collect_testcases(None)
    out = {}
    for case in found:
        graph = case.model.graph
        if any(n.domain not in ("", "ai.onnx") for n in graph.node):
            continue
        if all(map(_numeric, (*graph.input, *graph.output))):
            out[case.name] = case
    return out


@cache
def exceptions() -> dict[str, dict[str, str]]:
    """Section -> case -> reason."""
    return tomllib.loads(EXCEPTIONS.read_text(encoding="utf-8"))


def third() -> list[str]:
    """A fixed third of the cases."""
    names = sorted(cases())
    return random.Random(THIRD).sample(names, len(names) // 3)


def _array(value) -> np.ndarray:
    if isinstance(value, onnx.TensorProto):
        return onnx.numpy_helper.to_array(value)
    return np.asarray(value)


def differences(found, expected, case) -> list[str]:
    """How outputs differ from the expected ones by the case's own tolerance; empty if not."""
    out = []
    if len(found) != len(expected):
        return [f"{len(found)} outputs, expected {len(expected)}"]
    for i, (mine, theirs) in enumerate(zip(found, map(_array, expected), strict=True)):
        if mine.dtype != theirs.dtype or mine.shape != theirs.shape:
            out.append(
                f"output {i}: {mine.dtype}{mine.shape}, expected {theirs.dtype}{theirs.shape}"
            )
            continue
        # As ONNX's own runner has it: two units in the last place of bfloat16.
        rtol = max(case.rtol, 2**-6) if mine.dtype.name == "bfloat16" else case.rtol
        if mine.dtype.kind not in "cb":
            wide = object if mine.dtype.itemsize == 8 and mine.dtype.kind in "iu" else np.float64
            mine, theirs = mine.astype(wide), theirs.astype(wide)
        if mine.dtype == object or mine.dtype.kind == "b":
            good = bool(np.all(mine == theirs))
        else:
            good = np.allclose(mine, theirs, rtol=rtol, atol=case.atol, equal_nan=True)
        if not good:
            out.append(f"output {i}: other values")
    return out


def golden(case) -> str | None:
    """Why a case fails in the golden evaluator, None where it passes."""
    from ge_dialect import api
    from ge_dialect.diagnostics import GeError
    from ge_dialect.importers.onnx import import_onnx

    try:
        model = import_onnx(case.model)
        for given, expected in case.data_sets:
            found = api.evaluate(model, [_array(g) for g in given]).outputs
            wrong = differences(found, expected, case)
            if wrong:
                return f"{case.name}: {wrong[0]}"
    except GeError as error:
        return f"{case.name}: {error.diagnostics[0].message}"
    return None


def is_static(case) -> bool:
    """Whether a case has no control flow and all shapes follow from those of the inputs."""
    from ge_dialect.importers.onnx import import_onnx
    from ge_dialect.ir.types import is_static as static

    if any(n.op_type in CONTROL for n in case.model.graph.node):
        return False
    (graph,) = import_onnx(case.model).graphs
    return all(
        not op.regions and all(static(r.type) for r in op.ge_data_results)
        for op in graph.body.ops
        if hasattr(op, "ge_data_results")
    )


def simulated(case) -> str | None:
    """Why a case fails on the simulated device after `ge-default`, None where it passes."""
    from ge_dialect.diagnostics import GeError
    from ge_dialect.importers.onnx import import_onnx
    from runtime import simulate

    try:
        for given, expected in case.data_sets:
            found = simulate(import_onnx(case.model), [_array(g) for g in given]).outputs
            wrong = differences(list(found), expected, case)
            if wrong:
                return f"{case.name}: {wrong[0]}"
    except GeError as error:
        return f"{case.name}: {error.diagnostics[0].message}"
    return None


def _unlisted(failures: dict[str, str], section: str) -> list[str]:
    listed = exceptions().get(section, {})
    return [reason for name, reason in failures.items() if name not in listed]


def _run(names, check) -> dict[str, str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = {name: check(cases()[name]) for name in names}
    return {name: reason for name, reason in found.items() if reason is not None}


def _is_newest() -> bool:
    return tuple(map(int, onnx.__version__.split(".")[:2])) == (1, 23)


@pytest.mark.parametrize("section", ["golden", "simulated"])
def test_exceptions_have_reasons(section):
    assert all(isinstance(r, str) and r.strip() for r in exceptions().get(section, {}).values())


@pytest.mark.full
def test_a_third_is_right():
    failures = _run(third(), golden)
    assert _unlisted(failures, "golden") == []


@pytest.mark.full
def test_a_third_is_right_on_the_device():
    failures = _run(_on_device(third()[::2]), simulated)
    assert _unlisted(failures, "simulated") == []


def _on_device(names) -> list[str]:
    """Cases that pass golden, without control flow and data-dependent shapes."""
    good = set(names) - set(_run(names, golden))
    return [n for n in names if n in good and is_static(cases()[n])]


@pytest.mark.full
def test_random_values_have_the_expected_types():
    from ge_dialect import api
    from ge_dialect.importers.onnx import import_onnx

    names = [n for n, reason in exceptions()["golden"].items() if reason == "random values"]
    assert names
    for case in (cases()[n] for n in names if n in cases()):
        model = import_onnx(case.model)
        for given, expected in case.data_sets:
            found = api.evaluate(model, [_array(g) for g in given]).outputs
            want = [_array(e) for e in expected]
            assert [(f.dtype, f.shape) for f in found] == [(w.dtype, w.shape) for w in want]


@pytest.mark.nightly
def test_all_are_right(capsys):
    begin = time.process_time()
    failures = _run(cases(), golden)
    seconds = time.process_time() - begin
    passed = len(cases()) - len(failures)
    with capsys.disabled():
        sys.stdout.write(f"\ngolden {passed} of {len(cases())} ({seconds:.0f} s)\n")
    assert _unlisted(failures, "golden") == []
    obsolete = [n for n in exceptions().get("golden", {}) if n in cases() and n not in failures]
    assert obsolete == [], "listed as failing, but right"
    assert seconds < 2 * GOLDEN_SECONDS
    if _is_newest():
        assert len(cases()) == COUNTED
        assert passed >= THRESHOLD


@pytest.mark.nightly
def test_all_are_right_on_the_device(capsys):
    names = _on_device(list(cases()))
    failures = _run(names, simulated)
    with capsys.disabled():
        sys.stdout.write(f"\nsimulated {len(names) - len(failures)} of {len(names)}\n")
    assert _unlisted(failures, "simulated") == []
    assert len(failures) <= SIMULATED_LOSS * len(names)
