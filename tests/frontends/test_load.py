"""`load`: the one entry to models of every kind."""

from __future__ import annotations

import io
import sys

import numpy as np
import pytest

from ge_dialect import api
from ge_dialect.diagnostics import GeError

TEXT = "ge.graph @g(%x: tensor<2xf32>) {\n  ge.NetOutput(%x)\n}\n"
X = np.ones((2, 3), np.float32)


@pytest.fixture
def proto(ox):
    return ox.model([ox.node("Relu", ["x"], ["y"])], {"x": X}, ["y"], opset=13)


def test_text_and_onnx_are_told_apart_by_content(proto, tmp_path):
    (tmp_path / "a").write_text("\n\n// a comment\n" + TEXT)
    (tmp_path / "b").write_bytes(proto.SerializeToString())
    assert api.load(tmp_path / "a").graphs[0].sym_name.data == "g"
    assert api.load(tmp_path / "b").graphs[0].sym_name.data == "test"


@pytest.mark.parametrize("kind", ["text", "onnx"])
def test_standard_input(proto, monkeypatch, kind):
    data = TEXT.encode() if kind == "text" else proto.SerializeToString()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert len(api.load("-").graphs) == 1


def test_neither(tmp_path):
    for data, code in ((b"", "GX-009"), (b"\xff\x00", "GX-338"), (b" \n ", "GX-009")):
        (tmp_path / "a").write_bytes(data)
        with pytest.raises(GeError, match=code):
            api.load(tmp_path / "a")


def test_saved_models_load_again(ox, tmp_path):
    from ge_dialect.importers.onnx import import_onnx

    held = {"w": np.arange(300, dtype=np.float32).reshape(3, 100)}
    node = ox.node("MatMul", ["x", "w"], ["y"])
    model = import_onnx(ox.model([node], {"x": X}, ["y"], opset=13, constants=held))
    api.save(model, tmp_path / "m.mlir")
    again = api.load(tmp_path / "m.mlir")
    assert again.text() == model.text()
    (found,) = api.evaluate(again, {"x": X}).outputs
    np.testing.assert_array_equal(found, X @ held["w"])
