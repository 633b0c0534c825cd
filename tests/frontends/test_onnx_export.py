"""Models written as ONNX: what comes back is the same graph, or at least the same values."""

from __future__ import annotations

import warnings
from functools import cache
from pathlib import Path

import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="needs the extra ge-opt[onnx]")

from ge_dialect import api  # noqa: E402
from ge_dialect.diagnostics import DiagnosticSink, GeError  # noqa: E402
from ge_dialect.exporters.onnx import export_onnx, save_onnx  # noqa: E402
from ge_dialect.exporters.onnx_rules import export_table, find_export  # noqa: E402
from ge_dialect.importers.onnx import import_onnx  # noqa: E402
from ge_dialect.importers.onnx_models import MODELS, example_of  # noqa: E402
from ge_dialect.importers.onnx_random import (  # noqa: E402
    LIGHT_MODELS,
    light_model_path,
    randomize_weights,
)
from ge_dialect.ops.registry import op_names  # noqa: E402
from ge_dialect.semantics.compare import relative_error  # noqa: E402
from ge_dialect.semantics.registry import has_semantics  # noqa: E402

DATA = Path(__file__).parent / "data" / "onnx_export"
OPSETS = (18, 21, 28)
#: What the generator of random numbers is keyed by does not survive where one ONNX node had become
#: several.
RANDOM = ("bernoulli", "training_dropout")
#: Cases of the kind that a helper keeps in one operator of GE and ONNX has not.
REFUSED = ("not_larger", "not_smaller")


def checked(model, **options):
    """The ONNX model, which passes ONNX's own full check."""
    made = export_onnx(model, **options)
    onnx.checker.check_model(made, full_check=True)
    return made


def module(text: str) -> api.Model:
    """The model of a text, or of a file of that name."""
    return api.parse(text if "\n" in text else (DATA / f"{text}.mlir").read_text())


def codes(model, **options) -> list[tuple[str, str]]:
    with pytest.raises(GeError) as caught:
        export_onnx(model, **options)
    return [(d.code, d.message) for d in caught.value.diagnostics]


# --- whole models ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [n if n == "squeezenet" else pytest.param(n, marks=pytest.mark.full) for n in LIGHT_MODELS],
)
def test_light_models_come_back_as_they_were(name):
    model = import_onnx(randomize_weights(onnx.load(light_model_path(name)), 0))
    made = checked(model)
    back = import_onnx(made)
    assert back.text() == model.text()
    assert all(np.array_equal(back.weights.get(n), model.weights.get(n)) for n in model.weights)


@pytest.mark.parametrize(
    "name",
    [
        "gpt2",
        *(
            pytest.param(f"{name}{variant}", marks=pytest.mark.full)
            for name in MODELS
            for variant in ("", ":dynamic", ":half")
        ),
    ],
)
def test_example_models_come_back(name):
    """The same values exactly; the same text where shapes are known."""
    example = example_of(name)
    model = import_onnx(example.proto)
    back = import_onnx(checked(model))
    if not name.endswith(":dynamic"):
        assert back.text() == model.text()
    inputs = example.inputs(seed=0)
    wanted = api.evaluate(model, inputs).outputs
    found = api.evaluate(back, inputs).outputs
    assert all(np.array_equal(a, b) for a, b in zip(wanted, found, strict=True))


@pytest.mark.parametrize(
    "text",
    [
        "ge.graph @g() {\n  ge.NetOutput()\n}\n",
        "ge.graph @g(%x: tensor<4xf32>) {\n  ge.NetOutput()\n}\n",
        "ge.graph @g(%x: tensor<4xf32>) {\n  %y = ge.Relu(%x) : tensor<4xf32>\n"
        "  ge.NetOutput()\n}\n",
    ],
)
def test_graphs_without_outputs_come_back(text, tmp_path):
    save_onnx(module(text), tmp_path / "g.onnx")
    sink = DiagnosticSink()
    assert import_onnx((tmp_path / "g.onnx").read_bytes(), sink=sink).text() == text
    assert [d.code for d in sink.diagnostics] == ["GX-333"] * ("Relu" in text)
    onnx.checker.check_model(str(tmp_path / "g.onnx"), full_check=True)


def test_names_stay():
    proto = onnx.load(light_model_path("squeezenet"))
    made = export_onnx(import_onnx(proto))
    assert [i.name for i in made.graph.input] == ["data_0"]
    assert [o.name for o in made.graph.output] == [o.name for o in proto.graph.output]
    kinds = ("Conv", "Relu", "MaxPool", "Concat")
    named = {n.name for n in made.graph.node}
    assert {n.name or n.output[0] for n in proto.graph.node if n.op_type in kinds} <= named


def test_bytes_are_deterministic():
    proto = randomize_weights(onnx.load(light_model_path("squeezenet")), 0)
    one, two = (
        export_onnx(import_onnx(proto)).SerializeToString(deterministic=True) for _ in range(2)
    )
    assert one == two


# --- node cases ------------------------------------------------------------------------------


@cache
def cases() -> dict:
    from onnx.backend.test.case.node import collect_testcases

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {c.name: c for c in collect_testcases(None)}


def _array(value) -> np.ndarray:
    return onnx.numpy_helper.to_array(value) if isinstance(value, onnx.TensorProto) else value


def trouble(case, opset: int) -> str | None:
    """What is lost on the way to ONNX and back; None where nothing is, or nothing was imported."""
    try:
        model = import_onnx(case.model)
    except GeError:
        return None
    try:
        back = import_onnx(checked(model, opset=opset))
        for given, _ in case.data_sets:
            inputs = [np.asarray(_array(g)) for g in given]
            wanted = api.evaluate(model, inputs).outputs
            found = api.evaluate(back, inputs).outputs
            for a, b in zip(wanted, found, strict=True):
                if (a.dtype, a.shape) != (b.dtype, b.shape):
                    return f"{a.dtype}{a.shape} became {b.dtype}{b.shape}"
                limit = 1e-2 if a.dtype.itemsize < 4 else 1e-5
                if relative_error(b, a) > (0 if a.dtype.kind in "biuO" else limit):
                    return "other values"
    except GeError as error:
        return error.diagnostics[0].message
    return None


def _troubles(names, opset: int, newer: bool) -> dict[str, str]:
    found = {}
    for name in names:
        if any(word in name for word in (*RANDOM, *REFUSED)):
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            reason = trouble(cases()[name], opset)
        if reason is not None and not (newer and f" in opset {opset}" in reason):
            found[name] = reason
    return found


@pytest.mark.full
def test_a_third_of_the_node_cases_comes_back():
    assert _troubles(sorted(cases())[::3], 28, newer=False) == {}


@pytest.mark.nightly
@pytest.mark.parametrize("opset", OPSETS)
def test_all_node_cases_come_back(opset):
    found = _troubles(sorted(cases()), opset, newer=True)
    allowed = (
        *("ONNX's", "signed numbers", "volumes", "no element type", "axis must be constant"),
        "last window on padding",
    )
    left = {n: r for n, r in found.items() if opset == 28 or not any(a in r for a in allowed)}
    assert left == {}


# --- what GE says in its own way -------------------------------------------------------------

TEXTS = ("channels_last depthwise matrices pools slices elementwise layouts normalisation").split()


def inputs_of(model: api.Model, seed: int = 0) -> dict[str, np.ndarray]:
    from ge_dialect.dtypes import numpy_dtype
    from ge_dialect.ir.types import elem_of, shape_of

    rng = np.random.default_rng(seed)
    (graph,) = model.graphs
    out = {}
    for name, arg in zip(graph.arg_names(), graph.args, strict=True):
        kind = numpy_dtype(elem_of(arg.type))
        shape = [3 if d < 0 else d for d in shape_of(arg.type) or ()]
        values = rng.normal(size=shape) if kind.kind == "f" else rng.integers(-9, 9, shape)
        if kind.kind in "iu":
            values = np.where(values == 0, 5, values)
        out[name] = values.astype(kind)
    return out


def reference_differs(model: api.Model, made, inputs, tolerance: float = 1e-5) -> list[str]:
    """Outputs of ONNX's evaluator that are not the golden ones."""
    from ge_dialect.importers.onnx_reference import reference_evaluator

    golden = api.evaluate(model, inputs).outputs
    found = reference_evaluator(made).run(None, inputs)
    out = []
    for i, (a, b) in enumerate(zip(golden, found, strict=True)):
        b = np.asarray(b)
        limit = 1e-2 if a.dtype.itemsize < 4 and a.dtype.kind not in "biu" else tolerance
        limit = 0 if a.dtype.kind in "biu" else limit
        if (a.dtype, a.shape) != (b.dtype, b.shape) or relative_error(b, a) > limit:
            out.append(f"output {i}: {a.dtype}{a.shape}, {b.dtype}{b.shape}")
    return out


@pytest.mark.parametrize("opset", OPSETS)
@pytest.mark.parametrize("name", TEXTS)
def test_onnx_computes_the_same(name, opset):
    model = module(name)
    made = checked(model, opset=opset)
    inputs = inputs_of(model)
    with np.errstate(all="ignore"):
        assert reference_differs(model, made, inputs) == []
        back = api.evaluate(import_onnx(made), inputs).outputs
    for a, b in zip(api.evaluate(model, inputs).outputs, back, strict=True):
        assert relative_error(b, a) <= (1e-2 if a.dtype.itemsize == 2 else 1e-5)


# --- sub-graphs ------------------------------------------------------------------------------


@pytest.mark.parametrize("flag", [True, False])
def test_if_reads_outer_values_by_name(flag):
    model = module("if")
    made = checked(model)
    assert [len(n.input) for n in made.graph.node if n.op_type == "If"] == [1]
    inputs = {**inputs_of(model), "c": np.array(flag)}
    assert reference_differs(model, made, inputs) == []


@pytest.mark.parametrize("turns", [0, 1, 4])
def test_while_is_a_loop_and_what_stays_is_captured(turns):
    model = module("while")
    made = checked(model)
    (loop,) = [n for n in made.graph.node if n.op_type == "Loop"]
    assert len(loop.input) == 4  # no trip count, the condition, two states
    inputs = {**inputs_of(model), "n": np.array(turns)}
    assert reference_differs(model, made, inputs) == []


def test_partitioned_call_is_written_in_its_place():
    model = module("call")
    made = checked(model)
    assert [n.op_type for n in made.graph.node] == ["Relu", "Sub"]
    assert reference_differs(model, made, inputs_of(model)) == []


# --- names, dims, outputs --------------------------------------------------------------------


def test_dynamic_dims_and_their_symbols():
    value = onnx.helper.make_tensor_value_info
    graph = onnx.helper.make_graph(
        [onnx.helper.make_node("Relu", ["x"], ["y"], name="r")],
        "g",
        [value("x", 1, ["batch", 3, None])],
        [value("y", 1, ["batch", 3, None])],
    )
    made = checked(import_onnx(onnx.helper.make_model(graph)))
    (dims,) = [i.type.tensor_type.shape.dim for i in made.graph.input]
    assert (dims[0].dim_param, dims[1].dim_value, dims[2].WhichOneof("value")) == ("batch", 3, None)


def test_constants_and_repeated_values_that_are_outputs_are_copied():
    """An input that is an output under its own name stands for both."""
    text = """ge.graph @net(%x: tensor<3xf32>) {
  %c = ge.Const() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : tensor<2xf32>
  %y = ge.Relu(%x) : tensor<3xf32>
  ge.NetOutput(%x, %c, %y, %y)
}
"""
    model = module(text)
    made = checked(model)
    assert [o.name for o in made.graph.output] == ["x", "c", "y", "y_1"]
    assert [n.op_type for n in made.graph.node] == ["Relu", "Identity", "Identity"]
    assert reference_differs(model, made, inputs_of(model)) == []


@pytest.mark.parametrize(("opset", "version"), [(18, 8), (21, 10), (28, 14)])
def test_versions(opset, version):
    made = checked(module("matrices"), opset=opset)
    assert [(o.domain, o.version) for o in made.opset_import] == [("", opset)]
    assert made.ir_version == version


def test_ends_of_unknown_rank():
    text = """ge.graph @net(%x: tensor<*xf32>) {
  %y = ge.Relu(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}
"""
    assert codes(module(text))[0][0] == "GX-361"


@pytest.mark.parametrize("opset", [7, 17, 29])
def test_opsets_that_are_not_written(opset):
    assert codes(module("matrices"), opset=opset)[0][0] == "GX-337"


# --- refusals --------------------------------------------------------------------------------


def test_all_refusals_come_at_once():
    text = """ge.graph @net(%x: tensor<3xf32>) {
  %v = ge.Variable() : !ge.ref<tensor<3xf32>>
  %a = ge.Read(%v) : tensor<3xf32>
  %b = ge.Add(%a, %x) : tensor<3xf32>
  %c = ge.Opaque(%b) {type = "Foo"} : tensor<3xf32>
  %p, %p_done = ge.Print(%c) : !ge.ctrl
  ge.NetOutput(%c) after(%p_done)
}
"""
    text = text.replace("%p, %p_done", "%p_done")
    found = codes(module(text))
    assert [code for code, _ in found] == ["GX-360"] * 4
    assert [m.split(":")[0] for _, m in found] == [
        f"GE operator {t}" for t in ("Variable", "Read", "Opaque", "Print")
    ]
    with pytest.raises(GeError) as caught:
        export_onnx(module(text))
    assert "make it an input" in str(caught.value.diagnostics[0].hint)
    assert caught.value.diagnostics[0].node == "v"


def test_a_form_that_a_later_opset_has():
    text = """ge.graph @net(%x: tensor<3xf32>) {
  %a = ge.Const() {value = dense<0> : tensor<i32>} : tensor<i32>
  %y = ge.Cumprod(%x, %a) : tensor<3xf32>
  ge.NetOutput(%y)
}
"""
    model = module(text)
    checked(model)
    with pytest.raises(GeError) as caught:
        export_onnx(model, opset=21)
    (found,) = caught.value.diagnostics
    assert (found.code, found.hint) == ("GX-361", "a later --opset has it")


def test_control_edges_are_left_out_with_a_remark():
    from ge_dialect.diagnostics import DiagnosticSink

    text = """ge.graph @net(%x: tensor<3xf32>) {
  %a, %a_done = ge.Relu(%x) : tensor<3xf32>, !ge.ctrl
  %b = ge.Neg(%x) after(%a_done) : tensor<3xf32>
  ge.NetOutput(%a, %b)
}
"""
    sink = DiagnosticSink()
    made = export_onnx(module(text), sink=sink)
    assert [n.op_type for n in made.graph.node] == ["Relu", "Neg"]
    assert [d.code for d in sink.diagnostics] == ["GX-362"]


def test_abstract_weights_are_refused():
    proto = randomize_weights(onnx.load(light_model_path("squeezenet")), 0)
    assert {c for c, _ in codes(import_onnx(proto, abstract_weights=True))} == {"GX-305"}


@pytest.mark.parametrize("external", [False, True])
def test_recipes_are_evaluated(tmp_path, external):
    """Derived weights have no bytes of their own until someone needs them."""
    from ge_dialect.weights.store import WeightStore

    text = """ge.graph @net(%x: tensor<3x70xf16>) {
  %w = ge.Const() {value = #ge.weight<cast(mul("w", "g"), f16)>} : tensor<3x70xf16>
  %y = ge.Add(%x, %w) : tensor<3x70xf16>
  ge.NetOutput(%y)
}
"""
    rng = np.random.default_rng(0)
    store = WeightStore({n: rng.normal(size=(3, 70)).astype("f4") for n in ("w", "g")})
    model = api.parse(text, weights=store)
    save_onnx(model, tmp_path / "net.onnx", external_data=external, threshold=0)
    back = import_onnx(tmp_path / "net.onnx")
    wanted = (store.get("w") * store.get("g")).astype(np.float16)
    assert np.array_equal(back.weights.get("w"), wanted)


# --- external data ---------------------------------------------------------------------------


def _weights(model) -> dict[str, np.ndarray]:
    return {n: model.weights.get(n) for n in model.weights}


def _same_weights(a, b) -> bool:
    one, two = _weights(a), _weights(b)
    return one.keys() == two.keys() and all(np.array_equal(one[n], two[n]) for n in one)


def _mixed_model() -> api.Model:
    """Weights that need an offset, of types that are packed or have no numpy type."""
    import ml_dtypes

    rng = np.random.default_rng(0)
    kinds = ("float32", "bool", "bfloat16", "int4", "complex64", "float8_e5m2")
    held = []
    for i, kind in enumerate(kinds):
        values = rng.integers(-7, 7, size=(33, 41 + i))
        array = values.astype(getattr(ml_dtypes, kind, kind))
        held.append(onnx.numpy_helper.from_array(array, f"w_{kind}"))
    nodes = [onnx.helper.make_node("Identity", [h.name], [f"y{i}"]) for i, h in enumerate(held)]
    outputs = [
        onnx.helper.make_tensor_value_info(f"y{i}", h.data_type, h.dims) for i, h in enumerate(held)
    ]
    graph = onnx.helper.make_graph(nodes, "mixed", [], outputs, held)
    return import_onnx(onnx.helper.make_model(graph))


def test_external_data_beside_the_file(tmp_path):
    model = _mixed_model()
    save_onnx(model, tmp_path / "net.onnx", external_data=True, threshold=0)
    proto = onnx.load(tmp_path / "net.onnx", load_external_data=False)
    places = [{e.key: e.value for e in i.external_data} for i in proto.graph.initializer]
    assert {p["location"] for p in places} == {"net.onnx.data"}
    assert all(int(p["offset"]) % 4096 == 0 for p in places)
    onnx.checker.check_model(str(tmp_path / "net.onnx"), full_check=True)
    back = import_onnx(tmp_path / "net.onnx")
    assert _same_weights(back, model)
    # From there to a weight folder, from the folder to external data again: bytes by reference.
    api.save(back, tmp_path / "net.mlir")
    again = api.load(tmp_path / "net.mlir")
    save_onnx(again, tmp_path / "again.onnx", external_data=True, threshold=0)
    assert _same_weights(import_onnx(tmp_path / "again.onnx"), model)
    assert not [p for p in tmp_path.iterdir() if p.name.endswith(".tmp")]


def test_external_data_needs_a_file():
    with pytest.raises(GeError, match="standard output"):
        save_onnx(_mixed_model(), "-", external_data=True)


def test_small_constants_stay_inside(tmp_path):
    save_onnx(_mixed_model(), tmp_path / "net.onnx", external_data=True, threshold=10**9)
    assert [p.name for p in tmp_path.iterdir()] == ["net.onnx"]


_BIG = (3 << 30) // 4
_MEASURE = """
import sys
from ge_dialect.importers.onnx import import_onnx
from ge_dialect.exporters.onnx import save_onnx
model = import_onnx(sys.argv[1])
(name,) = list(model.weights)
place = model.weights.place_of(name)
assert place[0].endswith("big.bin") and place[1:] == (4096, 4 * {size}), place
array = model.weights.get(name)
assert array[0, 0] == 1.0 and array[-1, -1] == 2.0 and not array.flags.owndata
if len(sys.argv) > 2:
    save_onnx(model, sys.argv[2], external_data=True)
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
print(status["VmHWM"].split()[0])  # rusage would count the parent's memory too
"""


def _big_model(folder) -> None:
    """A model whose only weight has 3 GiB, in a file that is a hole but for its ends."""
    helper = onnx.helper
    with open(folder / "big.bin", "wb") as stream:
        stream.truncate(4096 + 4 * _BIG)
        stream.seek(4096)
        stream.write(np.float32(1).tobytes())
        stream.seek(4092 + 4 * _BIG)
        stream.write(np.float32(2).tobytes())
    rows = _BIG // 1024
    tensor = onnx.TensorProto(name="w", data_type=1, dims=[rows, 1024], data_location=1)
    for key, value in (("location", "big.bin"), ("offset", "4096"), ("length", str(4 * _BIG))):
        tensor.external_data.add(key=key, value=value)
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["y"])],
        "big",
        [helper.make_tensor_value_info("x", 1, [1, rows])],
        [helper.make_tensor_value_info("y", 1, [1, 1024])],
        [tensor],
    )
    (folder / "big.onnx").write_bytes(helper.make_model(graph).SerializeToString())


def _measured(*arguments: str) -> int:
    """Largest resident size in MiB of a process that imports (and writes) a model."""
    import subprocess
    import sys

    code = _MEASURE.format(size=_BIG)
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return int(done.stdout) // 1024


def test_more_than_2_gib_is_imported_by_reference(tmp_path):
    _big_model(tmp_path)
    assert _measured(str(tmp_path / "big.onnx")) < 500


@pytest.mark.full
def test_more_than_2_gib_is_exported_by_reference(tmp_path):
    _big_model(tmp_path)
    out = tmp_path / "out.onnx"
    assert _measured(str(tmp_path / "big.onnx"), str(out)) < 500
    data = tmp_path / "out.onnx.data"
    assert data.stat().st_size == 4 * _BIG
    with open(data, "rb") as stream:
        assert np.frombuffer(stream.read(4), "f4") == 1
        stream.seek(-4, 2)
        assert np.frombuffer(stream.read(4), "f4") == 2


def test_more_than_2_gib_inside_one_file_is_refused(tmp_path):
    _big_model(tmp_path)
    model = import_onnx(tmp_path / "big.onnx")
    with pytest.raises(GeError) as caught:
        export_onnx(model)
    (found,) = caught.value.diagnostics
    assert found.code == "GX-363"
    assert "--external-data" in str(found.hint)


# --- the command -----------------------------------------------------------------------------


def test_ge_translate(tmp_path, monkeypatch, capfd):
    from ge_dialect.tools.ge_translate import main

    monkeypatch.chdir(tmp_path)
    (tmp_path / "net.mlir").write_text((DATA / "matrices.mlir").read_text())
    assert main(["net.mlir", "--to", "onnx", "-o", "net.onnx", "--opset", "21"]) == 0
    assert onnx.load("net.onnx").opset_import[0].version == 21
    assert main(["net.onnx", "-o", "back.mlir"]) == 0
    assert main(["net.mlir", "--opset", "21"]) == 2
    assert main(["net.mlir", "--to", "onnx", "-o", "x.onnx", "--opset", "5"]) == 1
    assert "18 to" in capfd.readouterr().err
    assert not (tmp_path / "x.onnx").exists()


_PLUGIN = """
from ge_dialect.exporters.onnx_rules import export
from ge_dialect.ir import GeOp, ge_op, tin, tout
from ge_dialect.ops.registry import register_op


@ge_op
class ExportedTwice(GeOp):
    \"\"\"x + x.\"\"\"

    name = "ge.ExportedTwice"
    x = tin("float32")
    y = tout("float32")

    @classmethod
    def ge_infer(cls, n):
        return (n.logical("x"),)


register_op(ExportedTwice)


@export("ExportedTwice")
def twice(n):
    return n.emit("Add", [n.x(), n.x()])
"""


def test_a_rule_of_ones_own(tmp_path):
    from ge_dialect.plugins.loading import loading

    (tmp_path / "twice.py").write_text(_PLUGIN)
    with loading([str(tmp_path / "twice.py")]):
        model = module("""ge.graph @net(%x: tensor<3xf32>) {
  %y = ge.ExportedTwice(%x) : tensor<3xf32>
  ge.NetOutput(%y)
}
""")
        assert [n.op_type for n in checked(model).graph.node] == ["Add"]
    assert find_export("ExportedTwice") is None


# --- the table -------------------------------------------------------------------------------


def test_rules_are_of_operators_with_a_meaning():
    names = set(op_names())
    for op_type, rule in export_table().items():
        assert op_type in names
        assert has_semantics(op_type) or op_type in ("NoOp", "Data"), op_type
        assert (rule.__doc__ or "").strip(), op_type


#: Operators that rules of the importer name and ONNX cannot say by themselves.
NOT_EXPORTED = set("Const Constant Data NetOutput".split())
#: Roles of helper nodes that are called like an operator.
ROLES = set("Bias Empty End Index Power Real Scale".split())


def test_what_is_imported_can_be_exported():
    from runtime.tools.coverage import imported_operators

    meant = {n for n in imported_operators() if has_semantics(n)}
    assert {n for n in meant if find_export(n) is None} <= NOT_EXPORTED | ROLES
