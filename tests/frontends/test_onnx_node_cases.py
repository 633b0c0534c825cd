"""ONNX's own generated node tests: all that the importer does not refuse."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="needs the extra ge-opt[onnx]")

#: Cases whose expected values ONNX leaves undefined: float to a narrow integer out of its range.
UNDEFINED = tuple(f"_to_{t}" for t in ("INT4", "UINT4", "INT2", "UINT2"))
#: Half precision is compared at its own resolution.
HALF = ("fp16", "bf16", "float16")
#: At least so many must agree (of the cases of onnx 1.23); it falls when an operator is lost.
EXPECTED = 1110


@pytest.mark.full
def test_node_cases():
    from onnx.backend.test.case.node import collect_testcases

    from ge_dialect import api
    from ge_dialect.diagnostics import GeError
    from ge_dialect.importers.onnx import import_onnx

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cases = collect_testcases(None)
    agreed, wrong = 0, []
    for case in cases:
        if any(t in case.name for t in UNDEFINED):
            continue
        try:
            model = import_onnx(case.model)
        except GeError:
            continue  # a form that is refused; test_onnx_traps.py has the reasons
        for given, expected in case.data_sets:
            found = api.evaluate(model, [_array(g) for g in given]).outputs
            if _agree(found, [_array(e) for e in expected], case):
                agreed += 1
            else:
                wrong.append(case.name)
    assert wrong == []
    if tuple(map(int, onnx.__version__.split(".")[:2])) >= (1, 23):
        assert agreed >= EXPECTED


def _array(value) -> np.ndarray:
    if isinstance(value, onnx.TensorProto):
        return onnx.numpy_helper.to_array(value)
    return np.asarray(value)


def _agree(found, expected, case) -> bool:
    rtol = max(case.rtol, 2e-2 if any(h in case.name for h in HALF) else 1e-3)
    for mine, theirs in zip(found, expected, strict=False):
        if (mine.dtype, mine.shape) != (theirs.dtype, theirs.shape):
            return False
        if mine.dtype.kind not in "OcS":
            mine, theirs = mine.astype(np.float64), theirs.astype(np.float64)
        if not np.allclose(mine, theirs, rtol=rtol, atol=max(case.atol, 1e-6), equal_nan=True):
            return False
    return True
