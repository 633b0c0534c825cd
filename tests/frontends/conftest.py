"""What the tests of the importers share: small models and comparison with ONNX's evaluator."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace

import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="needs the extra ge-opt[onnx]")


def _value(name: str, array: np.ndarray | tuple[int, list] | None):
    if array is None:
        return onnx.helper.make_empty_tensor_value_info(name)
    if isinstance(array, tuple):
        return onnx.helper.make_tensor_value_info(name, *array)
    kind = onnx.helper.np_dtype_to_tensor_dtype(array.dtype)
    return onnx.helper.make_tensor_value_info(name, kind, array.shape)


def model(
    nodes: Sequence[object],
    inputs: dict[str, np.ndarray],
    outputs: Sequence[str],
    *,
    opset: int,
    constants: dict[str, np.ndarray] | None = None,
    types: dict[str, tuple[int, list]] | None = None,
):
    """A ModelProto; `types` replaces the declared type of an input (symbolic dims)."""
    declared = types or {}
    graph = onnx.helper.make_graph(
        list(nodes),
        "test",
        [_value(n, declared.get(n, a)) for n, a in inputs.items()],
        [_value(n, declared.get(n)) for n in outputs],
        [onnx.numpy_helper.from_array(np.asarray(a), n) for n, a in (constants or {}).items()],
    )
    made = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", opset)])
    made.ir_version = 8
    return made


def run(proto, inputs: dict[str, np.ndarray]) -> list[np.ndarray]:
    """Golden outputs of the imported model; its module must verify and survive text."""
    from ge_dialect import api
    from ge_dialect.importers.onnx import import_onnx
    from ge_dialect.ir.verifier import verify

    imported = import_onnx(proto)
    assert [d.render() for d in verify(imported.module)] == []
    text = imported.text()
    assert api.parse(text).text() == text
    return list(api.evaluate(imported, inputs).outputs)


def compare(proto, inputs: dict[str, np.ndarray], tolerance: float = 1e-5) -> None:
    """Golden and ONNX's reference evaluator agree: dtype, shape, NaN places, values."""
    from ge_dialect.importers.onnx_reference import reference_evaluator

    expected = reference_evaluator(proto).run(None, dict(inputs))
    same(run(proto, inputs), expected, tolerance)


def same(found: Sequence[np.ndarray], expected: Sequence[object], tolerance: float = 1e-5) -> None:
    """Equal dtypes, shapes and NaNs; max |difference| within tolerance of max |expected|."""
    assert len(found) == len(expected)
    for mine, theirs in zip(found, expected, strict=True):
        theirs = np.asarray(theirs)
        assert (mine.dtype, mine.shape) == (theirs.dtype, theirs.shape)
        if mine.dtype.kind in "biuO":
            np.testing.assert_array_equal(mine, theirs)
            continue
        a, b = mine.astype(np.float64), theirs.astype(np.float64)
        np.testing.assert_array_equal(np.isnan(a), np.isnan(b))
        np.testing.assert_array_equal(np.isinf(a), np.isinf(b))
        finite = np.isfinite(b)
        scale = np.abs(b[finite]).max(initial=0.0)
        assert np.abs(a[finite] - b[finite]).max(initial=0.0) <= tolerance * scale


@pytest.fixture(scope="session")
def ox() -> SimpleNamespace:
    """`model`, `run`, `compare`, `same` and `node` (onnx.helper.make_node)."""
    return SimpleNamespace(
        model=model, run=run, compare=compare, same=same, node=onnx.helper.make_node
    )
