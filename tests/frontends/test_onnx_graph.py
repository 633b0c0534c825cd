"""Names, inputs, outputs, constants and errors of whole ONNX graphs."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="needs the extra ge-opt[onnx]")

F32 = np.float32
X = np.arange(6, dtype=F32).reshape(2, 3)


def load(proto, **options):
    from ge_dialect.importers.onnx import import_onnx

    return import_onnx(proto, **options)


def codes(source, **options) -> list[str]:
    """Codes of the diagnostics with which an import fails."""
    from ge_dialect.diagnostics import GeError

    with pytest.raises(GeError) as caught:
        load(source, **options)
    for diagnostic in caught.value.diagnostics:
        assert "Traceback" not in diagnostic.render()
        assert diagnostic.location
    return [d.code for d in caught.value.diagnostics]


def names(model) -> list[str]:
    return [op.ge_node_name for op in model.graphs[0].body.ops]


def test_node_and_value_names_are_kept(ox):
    nodes = [
        ox.node("Neg", ["in/x:0"], ["t"], name="block/neg 1"),
        ox.node("Abs", ["t"], ["out/y"]),
    ]
    model = load(ox.model(nodes, {"in/x:0": X}, ["out/y"], opset=13), name="my graph")
    graph = model.graphs[0]
    assert graph.sym_name.data == "my_graph"
    assert graph.arg_names() == ["in/x:0"]
    assert names(model) == ["block/neg 1", "out/y", "NetOutput"]  # an unnamed node: its value's
    from ge_dialect import api

    result = api.evaluate(model, {"in/x:0": X})
    assert result.output_names == ["out/y"]
    text = model.text()
    again = api.evaluate(api.parse(text), {"in/x:0": X})
    np.testing.assert_array_equal(again.outputs[0], X)
    assert '"block/neg 1"' in text


def test_equal_names_become_unique(ox):
    nodes = [
        ox.node("Neg", ["x"], ["a"], name="n"),
        ox.node("Neg", ["a"], ["y"], name="n"),
    ]
    assert names(load(ox.model(nodes, {"x": X}, ["y"], opset=13)))[:2] == ["n", "n_1"]


def test_helpers_have_the_node_as_origin(ox):
    node = ox.node("Gemm", ["x", "w"], ["y"], name="fc", alpha=0.5)
    proto = ox.model([node], {"x": X}, ["y"], opset=13, constants={"w": np.ones((3, 2), F32)})
    ops = list(load(proto).graphs[0].body.ops)
    made = {op.ge_node_name: op.ge_origins for op in ops}
    assert made["fc_Product"] == ("fc",)
    assert made["fc"] == ("fc",)


def test_initialisers_inline_or_in_the_store(ox):
    held = {"small": np.ones(64, F32), "large": np.arange(65, dtype=F32)}
    nodes = [ox.node("Add", ["x", "small"], ["a"]), ox.node("Add", ["y", "large"], ["b"])]
    fed = {"x": np.zeros(64, F32), "y": np.zeros(65, F32)}
    model = load(ox.model(nodes, fed, ["a", "b"], opset=13, constants=held))
    assert model.weights.names() == ["large"]
    np.testing.assert_array_equal(model.weights.get("large"), held["large"])
    assert '#ge.weight<"large">' in model.text()
    assert names(model)[0] == "small"


def test_an_initialiser_listed_as_input_is_no_input(ox):
    node = ox.node("Add", ["x", "w"], ["y"])
    proto = ox.model([node], {"x": X, "w": X}, ["y"], opset=9, constants={"w": X})
    proto.ir_version = 3
    assert load(proto).graphs[0].arg_names() == ["x"]


def test_a_constant_is_one_node_and_unread_ones_are_none(ox):
    nodes = [
        ox.node("Constant", [], ["c"], value=onnx.numpy_helper.from_array(X)),
        ox.node("Constant", [], ["unread"], value=onnx.numpy_helper.from_array(X)),
        ox.node("Add", ["x", "c"], ["t"]),
        ox.node("Mul", ["t", "c"], ["y"]),
    ]
    model = load(ox.model(nodes, {"x": X}, ["y"], opset=13, constants={"idle": X}))
    assert names(model) == ["c", "t", "y", "NetOutput"]


def test_outputs_that_are_named_and_not_read_cost_nothing(ox):
    x = np.zeros((1, 2, 8, 8), F32)
    nodes = [
        ox.node("Dropout", ["x"], ["d", "mask"]),
        ox.node("MaxPool", ["d"], ["y", "indices"], kernel_shape=[2, 2]),
    ]
    model = load(ox.model(nodes, {"x": x}, ["y"], opset=12))
    kinds = [op.name for op in model.graphs[0].body.ops]
    assert kinds == ["ge.Identity", "ge.MaxPoolV3", "ge.NetOutput"]


def test_half_precision_statistics_are_constants_of_f32(ox):
    x = np.random.default_rng(0).normal(size=(2, 70, 3, 3)).astype(np.float16)
    held = {n: np.linspace(0.5, 1.5, 70).astype(np.float16) for n in "sbmv"}
    node = ox.node("BatchNormalization", ["x", *held], ["y"])
    proto = ox.model([node], {"x": x}, ["y"], opset=14, constants=held)
    assert [op.name for op in load(proto).graphs[0].body.ops][-2:] == ["ge.BNInfer", "ge.NetOutput"]
    ox.compare(proto, {"x": x}, 2e-3)


def test_symbolic_dims_are_unknown_and_named(ox):
    node = ox.node("Relu", ["x"], ["y"])
    types = {"x": (1, ["N", 3, None, 5])}
    model = load(ox.model([node], {"x": X}, ["y"], opset=13, types=types))
    text = model.text()
    assert "tensor<?x3x?x5xf32>" in text
    assert 'ge.symbols = ["N", "", "", ""]' in text


@pytest.mark.parametrize("shape", [(2, 3), (4, 3)])
def test_unknown_dims_run_with_any_size(ox, shape):
    nodes = [
        ox.node("MatMul", ["x", "w"], ["t"]),
        ox.node("Softmax", ["t"], ["y"], axis=-1),
    ]
    x = np.ones(shape, F32)
    held = {"w": np.arange(12, dtype=F32).reshape(3, 4)}
    types = {"x": (1, ["N", 3])}
    ox.compare(ox.model(nodes, {"x": x}, ["y"], opset=13, constants=held, types=types), {"x": x})


def test_odd_outputs(ox):
    """An output twice, an input and an initialiser passed through, an unused input."""
    node = ox.node("Neg", ["x"], ["y"])
    proto = ox.model(
        [node], {"x": X, "idle": X}, ["y", "x", "w", "y"], opset=13, constants={"w": X + 1}
    )
    found = ox.run(proto, {"x": X, "idle": X})
    for mine, theirs in zip(found, [-X, X, X + 1, -X], strict=True):
        np.testing.assert_array_equal(mine, theirs)


def test_a_model_without_inputs(ox):
    nodes = [
        ox.node("Constant", [], ["c"], value=onnx.numpy_helper.from_array(X)),
        ox.node("Neg", ["c"], ["y"]),
    ]
    np.testing.assert_array_equal(ox.run(ox.model(nodes, {}, ["y"], opset=13), {})[0], -X)


def test_nodes_in_any_order(ox):
    nodes = [ox.node("Neg", ["t"], ["y"]), ox.node("Abs", ["x"], ["t"])]
    np.testing.assert_array_equal(
        ox.run(ox.model(nodes, {"x": X}, ["y"], opset=13), {"x": X})[0], -X
    )


def test_model_functions_are_inlined(ox):
    body = [ox.node("Neg", ["a"], ["t"]), ox.node("Abs", ["t"], ["b"])]
    function = onnx.helper.make_function(
        "mine", "NegAbs", ["a"], ["b"], body, [onnx.helper.make_opsetid("", 13)]
    )
    node = ox.node("NegAbs", ["x"], ["y"], domain="mine")
    proto = ox.model([node], {"x": X}, ["y"], opset=13)
    proto.functions.append(function)
    proto.opset_import.append(onnx.helper.make_opsetid("mine", 1))
    np.testing.assert_array_equal(ox.run(proto, {"x": X})[0], X)


def test_operators_defined_by_others_are_expanded(ox):
    """MeanVarianceNormalization has no rule: its function body is imported in its place."""
    x = np.random.default_rng(0).normal(size=(2, 4, 3, 5)).astype(F32)
    node = ox.node("MeanVarianceNormalization", ["x"], ["y"], name="mvn", axes=[0, 2, 3])
    proto = ox.model([node, ox.node("Relu", ["y"], ["z"])], {"x": x}, ["z"], opset=13)
    ox.compare(proto, {"x": x})
    ops = list(load(proto).graphs[0].body.ops)
    assert "mvn" in [op.ge_node_name for op in ops]
    assert {op.ge_origins for op in ops if op.ge_node_name.startswith("mvn")} == {("mvn",)}
    plain = [op for op in ops if op.ge_node_name.startswith("mvn")]
    assert len(plain) > 5


def test_expansions_that_fail_name_what_they_need(ox, monkeypatch):
    from ge_dialect.diagnostics import GeError
    from ge_dialect.importers import onnx_rules

    fed = {"x": np.zeros((1, 2, 3, 4), F32)}
    node = ox.node("MeanVarianceNormalization", ["x"], ["y"], name="mvn")
    proto = ox.model([node], fed, ["y"], opset=13)
    load(proto)
    monkeypatch.setattr(onnx_rules, "_RULES", {**onnx_rules._RULES, "Sqrt": {}})
    with pytest.raises(GeError) as caught:
        load(proto)
    assert [d.node for d in caught.value.diagnostics] == ["mvn"]
    assert "Sqrt" in str(caught.value)


def test_a_wrong_declaration_is_a_warning(ox):
    from ge_dialect.diagnostics import DiagnosticSink

    sink = DiagnosticSink()
    node = ox.node("Relu", ["x"], ["y"])
    load(ox.model([node], {"x": X}, ["y"], opset=13, types={"y": (1, [9, 9])}), sink=sink)
    assert [d.code for d in sink.diagnostics] == ["GX-336"]


# --- refusals --------------------------------------------------------------------------------


def test_everything_unsupported_is_listed_at_once(ox):
    nodes = [
        ox.node("ImageDecoder", ["x"], ["a"], name="first"),
        ox.node("Relu", ["x"], ["b"]),
        ox.node("StringSplit", ["x"], ["c"], name="second"),
        ox.node("ImageDecoder", ["b"], ["d"], name="third"),
        ox.node("Frobnicate", ["d"], ["e"], name="fourth"),
        ox.node("Foo", ["e"], ["f"], name="fifth", domain="com.example"),
    ]
    from ge_dialect.diagnostics import GeError

    with pytest.raises(GeError) as caught:
        load(ox.model(nodes, {"x": X}, ["f"], opset=20), label="net.onnx")
    text = str(caught.value)
    for word in ("ImageDecoder", "first, third", "StringSplit", "Frobnicate", "com.example.Foo"):
        assert word in text
    assert {d.code for d in caught.value.diagnostics} == {"GX-331"}
    assert len(caught.value.diagnostics) == 4
    assert text.startswith("net.onnx: error: GX-331")


def test_an_unknown_revision_is_refused(ox, monkeypatch):
    from ge_dialect.importers import onnx_rules

    monkeypatch.setattr(onnx_rules, "_RULES", {**onnx_rules._RULES, "Relu": {}})
    assert codes(ox.model([ox.node("Relu", ["x"], ["y"])], {"x": X}, ["y"], opset=13)) == ["GX-331"]


@pytest.mark.parametrize("opset", [1, 6, 999])
def test_opsets_out_of_range(ox, opset):
    proto = ox.model([ox.node("Relu", ["x"], ["y"])], {"x": X}, ["y"], opset=13)
    proto.opset_import[0].version = opset
    assert codes(proto) == ["GX-337"]


def test_invalid_graphs(ox):
    relu = ox.node("Relu", ["x"], ["y"])
    cases = {
        "undefined value": [ox.node("Relu", ["nowhere"], ["y"])],
        "defined twice": [relu, ox.node("Neg", ["x"], ["y"])],
        "cycle": [ox.node("Add", ["x", "y"], ["t"]), ox.node("Neg", ["t"], ["y"])],
        "missing input": [ox.node("Add", ["x"], ["y"])],
        "bad axis": [ox.node("Concat", ["x", "x"], ["y"], axis=7)],
        "bad kind": [ox.node("LeakyRelu", ["x"], ["y"], alpha="a")],
    }
    for what, nodes in cases.items():
        proto = ox.model(nodes, {"x": X}, ["y"], opset=13)
        assert "GX-333" in codes(proto), what
    assert "GX-333" in codes(ox.model([relu], {"x": X}, ["z"], opset=13))


def test_shapes_that_do_not_fit(ox):
    proto = ox.model([ox.node("MatMul", ["x", "x"], ["y"])], {"x": X}, ["y"], opset=13)
    assert codes(proto)[0].startswith("GX-2")


def test_strings_and_foreign_types_are_refused(ox):
    node = ox.node("Cast", ["x"], ["y"], to=8)
    assert codes(ox.model([node], {"x": X}, ["y"], opset=13)) == ["GX-335"]
    fnuz = ox.model(
        [ox.node("Relu", ["x"], ["y"])], {"x": X}, ["y"], opset=19, types={"x": (18, [2])}
    )
    assert "GX-335" in codes(fnuz)


def test_wrong_amount_of_data(ox):
    proto = ox.model(
        [ox.node("Add", ["x", "w"], ["y"])], {"x": X}, ["y"], opset=13, constants={"w": X}
    )
    proto.graph.initializer[0].raw_data = b"\0" * 5
    assert codes(proto) == ["GX-333"]


def test_truncated_and_garbage_files(tmp_path, ox):
    held = {"w": np.arange(300, dtype=F32).reshape(3, 100)}
    whole = ox.model(
        [ox.node("MatMul", ["x", "w"], ["y"])], {"x": X}, ["y"], opset=13, constants=held
    ).SerializeToString()
    path = tmp_path / "m.onnx"
    for cut in (0, 1, 5, 40, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:cut])
        assert codes(path) == ["GX-330"], cut
    for junk in (b"hello", b"\x08\x07", bytes(range(256)), b"\xff" * 50):
        path.write_bytes(junk)
        assert codes(path) == ["GX-330"]


def test_flipped_bytes_never_escape(ox):
    """Whatever damage does to a file, the outcome is a model or a diagnostic."""
    import random

    from ge_dialect.diagnostics import GeError
    from ge_dialect.importers.onnx_random import light_model_path

    data = light_model_path("zfnet512").read_bytes()
    rng = random.Random(5)
    for _ in range(60):
        damaged = bytearray(data)
        for _ in range(rng.choice([1, 3, 20])):
            damaged[rng.randrange(len(data))] = rng.randrange(256)
        with contextlib.suppress(GeError):
            load(bytes(damaged))


# --- external data ---------------------------------------------------------------------------


def external(ox, tmp_path, location: str, data: bytes | None, **fields):
    proto = ox.model(
        [ox.node("Add", ["x", "w"], ["y"])], {"x": X}, ["y"], opset=13, constants={"w": X}
    )
    tensor = proto.graph.initializer[0]
    tensor.ClearField("raw_data")
    tensor.data_location = onnx.TensorProto.EXTERNAL
    for key, value in {"location": location, **fields}.items():
        tensor.external_data.add(key=key, value=str(value))
    folder = tmp_path / "model"
    folder.mkdir(exist_ok=True)
    if data is not None:
        (folder / "w.bin").write_bytes(data)
    path = folder / "m.onnx"
    path.write_bytes(proto.SerializeToString())
    return path


def test_external_data_are_read_from_the_folder(ox, tmp_path):
    from ge_dialect import api

    data = b"\7" * 8 + (X * 3).tobytes() + b"rest"
    path = external(ox, tmp_path, "w.bin", data, offset=8, length=24)
    found = api.evaluate(load(path), {"x": X}).outputs[0]
    np.testing.assert_array_equal(found, X * 4)


@pytest.mark.parametrize("location", ["../w.bin", "/etc/hostname", "", "a/../../w.bin", "no.bin"])
def test_external_data_outside_or_missing(ox, tmp_path, location):
    (tmp_path / "w.bin").write_bytes(X.tobytes())
    assert codes(external(ox, tmp_path, location, X.tobytes())) == ["GX-334"]


def test_external_data_through_a_link_or_cut_short(ox, tmp_path):
    (tmp_path / "outside.bin").write_bytes(X.tobytes())
    path = external(ox, tmp_path, "w.bin", None)
    (path.parent / "w.bin").symlink_to(tmp_path / "outside.bin")
    assert codes(path) == ["GX-334"]
    (path.parent / "w.bin").unlink()
    assert codes(external(ox, tmp_path, "w.bin", X.tobytes()[:-1])) == ["GX-334"]
    assert codes(path.read_bytes()) == ["GX-334"]  # bytes have no folder


def test_abstract_weights_need_no_data(ox, tmp_path):
    """A model whose data are elsewhere can still be compiled and timed."""
    held = {"w": np.zeros((3, 100), F32)}
    node = ox.node("MatMul", ["x", "w"], ["y"])
    proto = ox.model([node], {"x": X}, ["y"], opset=13, constants=held)
    tensor = proto.graph.initializer[0]
    tensor.ClearField("raw_data")
    tensor.data_location = onnx.TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value="absent.bin")
    model = load(proto, abstract_weights=True)
    assert '#ge.weight<"w", abstract>' in model.text()
    assert model.weights.is_abstract("w")
    from ge_dialect import api
    from ge_dialect.diagnostics import GeError

    api.save(model, tmp_path / "m.mlir")
    again = api.load(tmp_path / "m.mlir")
    assert again.weights.is_abstract("w")
    with pytest.raises(GeError, match="GX-305"):
        api.evaluate(again, {"x": X})


def test_external_data_of_a_model_behind_a_link(ox, tmp_path):
    """Beside the link, or else beside the file that it leads to; outside of neither."""
    from ge_dialect import api
    from ge_dialect.tools.ge_translate import main

    real = external(ox, tmp_path, "w.bin", (X * 3).tobytes())
    here = tmp_path / "here"
    here.mkdir()
    link = here / "link.onnx"
    link.symlink_to(real)

    def value():
        direct = api.evaluate(load(link), {"x": X}).outputs[0]
        assert main([str(link), "-o", str(tmp_path / "out.mlir")]) == 0
        for path in (link, tmp_path / "out.mlir"):
            np.testing.assert_array_equal(api.evaluate(api.load(path), {"x": X}).outputs[0], direct)
        return direct

    np.testing.assert_array_equal(value(), X * 4)
    (here / "w.bin").write_bytes((X * 5).tobytes())
    np.testing.assert_array_equal(value(), X * 6)
    (here / "w.bin").unlink()
    (tmp_path / "outside.bin").write_bytes(X.tobytes())
    (here / "w.bin").symlink_to(tmp_path / "outside.bin")
    assert codes(link) == ["GX-334"]
    (here / "w.bin").unlink()
    (real.parent / "w.bin").unlink()
    assert codes(link) == ["GX-334"]


def test_external_data_are_written_where_a_link_leads(ox, tmp_path):
    from ge_dialect import api
    from ge_dialect.exporters.onnx import save_onnx

    model = load(external(ox, tmp_path, "w.bin", (X * 3).tobytes()))
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
    (tmp_path / "there" / "real.onnx").touch()
    (tmp_path / "here" / "link.onnx").symlink_to("../there/real.onnx")
    save_onnx(model, tmp_path / "here" / "link.onnx", external_data=True, threshold=1)
    assert [p.name for p in (tmp_path / "here").iterdir()] == ["link.onnx"]
    for path in ("here/link.onnx", "there/real.onnx"):
        got = api.evaluate(load(tmp_path / path), {"x": X}).outputs[0]
        np.testing.assert_array_equal(got, X * 4)
