"""Lengths of strings, and printing them."""

from __future__ import annotations

import numpy as np
import pytest

from ge_dialect.semantics.evaluator import apply_op
from runtime.kernels.registry import AICPU, Call, View, find_kernel

TEXTS = np.array([["", "abc"], ["Größe", "円…"]], object)


@pytest.mark.parametrize(
    ("unit", "want"), [("BYTE", [[0, 3], [7, 6]]), ("UTF8_CHAR", [[0, 3], [5, 2]])]
)
@pytest.mark.parametrize("raw", [False, True])
def test_lengths(unit, want, raw):
    texts = np.array([[t.encode() for t in row] for row in TEXTS], object) if raw else TEXTS
    (y,) = apply_op("StringLength", [texts], {"unit": unit})
    assert (y.dtype, y.tolist()) == (np.int32, want)
    out = View(np.empty((2, 2), np.int32), (2, 2))
    found = find_kernel("StringLength", AICPU, ["ND", "ND"])
    assert found is not None
    found.function(Call([View(texts, texts.shape)], [out], {"unit": unit}))
    assert out.data.tolist() == want


@pytest.mark.parametrize("text", ["Größe", "Größe".encode()])
def test_printing(text):
    from ge_dialect.semantics.context import Context
    from ge_dialect.semantics.registry import lookup

    context, x = Context(node_name="n"), np.array(text, object)
    golden = lookup("PrintV2")
    assert golden is not None
    assert golden([x], {"output_stream": "stderr"}, context) == ()
    assert context.state.printed == [("n", "Größe")]
    call = Call([View(x, ())], [], {}, node_id="n")
    found = find_kernel("PrintV2", AICPU, ["ND"])
    assert found is not None
    found.function(call)
    assert call.printed == [("n", "Größe")]
