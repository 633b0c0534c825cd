"""Passes in the shape of GE's Python fusion passes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from ge_dialect.api import evaluate, parse
from ge_dialect.diagnostics import GeError
from ge_dialect.ir.verifier import verify
from ge_dialect.plugins import journal
from passes.base import Contract
from passes.context import PassContext
from passes.ge_adapter import (
    STAGES,
    DataType,
    DecomposePass,
    FusionBasePass,
    GraphBuilder,
    PassStage,
    PatternFusionPass,
    PatternMatcherConfigBuilder,
    adapted,
    create_pattern,
    create_replacement,
    es,
    get_registered_passes,
    pattern,
    register_decompose_pass,
    register_fusion_pass,
)
from passes.manager import run_pipeline

HERE = journal.Source("these tests")


@pytest.fixture(autouse=True)
def taken_back() -> Iterator[None]:
    """Passes that a test registers are forgotten."""
    with journal.registering(HERE):
        yield
    journal.forget(HERE)
    assert get_registered_passes() == []


def run(cls: Any, text: str, **settings: Any) -> tuple[str, dict[str, int], list[str]]:
    """IR after the pass of a class, its counters, and the reasons of missed rewrites."""
    model = parse(text)
    arrays = [_array(a) for a in model.graphs[0].args]
    before = evaluate(model, arrays).outputs
    ctx = PassContext(remarks_enabled=True, **settings)
    report = run_pipeline(model, adapted(cls)(), ctx=ctx, check_contract=True, reproducer=False)
    assert not verify(model.module)
    for a, b in zip(before, evaluate(model, arrays).outputs, strict=True):
        assert np.allclose(a, b, rtol=1e-5)
    missed = [d for d in ctx.sink.diagnostics if d.category == "missed"]
    reasons = [d.message.partition("missed: ")[2] for d in missed]
    return model.text(), dict(next(iter(report.counters().values()))), reasons


def _array(arg: Any) -> Any:
    from ge_dialect.ir.types import shape_of

    shape = shape_of(arg.type)
    return np.arange(1, 1 + int(np.prod(shape)), dtype=np.float32).reshape(shape) / 8


def graph(body: str, outputs: str, args: str = "%x: tensor<4x4xf32>, %y: tensor<4x4xf32>") -> str:
    lines = "\n".join(f"  {line.strip()}" for line in body.strip().splitlines())
    return f"ge.graph @g({args}) {{\n{lines}\n  ge.NetOutput({outputs})\n}}\n"


FUSE = PassStage.AFTER_BUILTIN_FUSION_PASS


def bias_pass(config: Any = None, reason: str | None = None) -> Any:
    """MatMul and Add become MatMul with bias."""

    @register_fusion_pass(name="MatMulBiasPass", stage=PassStage.AFTER_INFER_SHAPE)
    class MatMulBias(PatternFusionPass):
        def __init__(self) -> None:
            super().__init__(config)

        def patterns(self) -> Any:
            builder = GraphBuilder("biased")
            a, b, c = builder.create_inputs(3)
            product = es.MatMul(a, b)
            found = create_pattern(builder.build_and_reset([es.Add(product, c)]))
            return [found.capture_tensor(product)]

        def meet_requirements(self, match_result: Any) -> bool:
            node = match_result.get_captured_tensor(0).node
            assert node.type == "MatMul"
            assert isinstance(node.get_input_desc(0).get_data_type(), DataType)
            assert len(node.get_output_desc(0).get_shape()) == 2
            assert [n.type for n in match_result.get_matched_nodes()] == ["MatMul", "Add"]
            return match_result.refuse(reason) if reason else True

        def replacement(self, match_result: Any) -> Any:
            node = match_result.get_captured_tensor(0).node
            builder = GraphBuilder("one")
            a, b, c = builder.create_inputs(3)
            attrs = {n: node.get_attr(n) for n in ("transpose_x1", "transpose_x2")}
            return create_replacement(builder.build_and_reset([es.MatMul(a, b, c, **attrs)]))

    return MatMulBias


BIASED = """
%b = ge.Const() {value = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>} : tensor<4xf32>
%m = ge.MatMul(%x, %y) {transpose_x1 = true} : tensor<4x4xf32>
%a = ge.Add(%m, %b) : tensor<4x4xf32>
"""


def test_pattern_is_replaced() -> None:
    text, counters, _ = run(bias_pass(), graph(BIASED, "%a"))
    assert "%a = ge.MatMul(%x, %y, bias = %b) {transpose_x1 = true}" in text
    assert 'loc("a"(fused["a", "m"]))' in text
    assert counters == {"MatMulBiasPass": 1}


def test_it_is_a_pass_of_its_stage() -> None:
    cls = adapted(bias_pass())
    assert (cls.name, cls.stage, cls.joins) == ("mat-mul-bias", "prepare", "end")
    assert cls.contract == Contract(values="reassociates", grows=True)
    model = parse(graph(BIASED, "%a"))
    report = run_pipeline(model, "ge-default", stop_after="fuse", enable=["mat-mul-bias"])
    ran = [r.name for r in report.runs]
    assert ran.index("mat-mul-bias") == ran.index("conv-bn-fold") - 1
    assert [STAGES[s] for s in PassStage] == [
        ("prepare", "start"),
        ("prepare", "end"),
        ("fuse", "end"),
        ("stage1", "end"),
    ]


@pytest.mark.parametrize(
    ("body", "outputs", "reason"),
    [
        (BIASED, "%a, %m", "the result of MatMul has readers outside the pattern"),
        (
            BIASED.replace("%y)", "%y, bias = %b)"),
            "%a",
            None,  # an optional input the pattern has not: another shape
        ),
        (BIASED.replace("ge.Add(%m, %b)", "ge.Add(%b, %m)"), "%a", None),  # by position
        (
            BIASED.replace("transpose_x1 = true}", 'ge.stream_label = "s"}'),
            "%a",
            "the nodes are bound to different places",
        ),
        (
            BIASED.replace("transpose_x1 = true}", "ge.attr.no_need_constant_folding = true}"),
            "%a",
            "a node is marked no_need_constant_folding",
        ),
    ],
)
def test_near_misses(body: str, outputs: str, reason: str | None) -> None:
    text, counters, reasons = run(bias_pass(), graph(body, outputs))
    assert "ge.Add(" in text
    assert counters == {}
    assert reasons == ([] if reason is None else [reason])


def test_a_refusal_has_a_reason() -> None:
    assert run(bias_pass(reason="too small"), graph(BIASED, "%a"))[2] == ["too small"]


def test_control_edges_of_the_target_do_not_matter() -> None:
    body = """
    %v = ge.Variable() {index = 0} : !ge.ref<tensor<4x4xf32>>
    %w, %written = ge.Assign(%v, %x) : !ge.ref<tensor<4x4xf32>>, !ge.ctrl
    %m = ge.MatMul(%x, %y) after(%written) : tensor<4x4xf32>
    %a = ge.Add(%m, %y) : tensor<4x4xf32>
    """
    found, counters, _ = run(bias_pass(), graph(body, "%a"))
    assert counters == {"MatMulBiasPass": 1}
    assert "bias = %y) after(%" in found


def test_configuration_of_the_matcher() -> None:
    def make(config: Any) -> Any:
        @register_fusion_pass(name=f"Zero{len(get_registered_passes())}Pass", stage=FUSE)
        class Zero(PatternFusionPass):
            def __init__(self) -> None:
                super().__init__(config)

            @pattern
            def add_zero(self, inputs: Any) -> Any:
                return es.SoftmaxV2(inputs[0], axes=[1]) + 0

            def replacement(self, inputs: Any, match_result: Any) -> Any:
                node = match_result.get_captured_tensor(1).node
                return es.SoftmaxV2(
                    inputs[0], axes=node.get_in_data_nodes_and_port_indexes(0)[0].get_attr("axes")
                )

        return Zero

    text = graph(
        """
        %z = ge.Const() {value = dense<0.0> : tensor<f32>} : tensor<f32>
        %s = ge.SoftmaxV2(%x) {axes = [0]} : tensor<4x4xf32>
        %a = ge.Add(%s, %z) : tensor<4x4xf32>
        """,
        "%a",
    )
    assert sum(run(make(None), text)[1].values()) == 1
    strict = PatternMatcherConfigBuilder().enable_const_value_match().build()
    assert sum(run(make(strict), text)[1].values()) == 1
    one = text.replace("dense<0.0>", "dense<1.0>")
    assert sum(run(make(strict), one)[1].values()) == 0
    exact = PatternMatcherConfigBuilder().enable_ir_attr_match().build()
    assert sum(run(make(exact), text)[1].values()) == 0
    assert sum(run(make(exact), text.replace("[0]", "[1]"))[1].values()) == 1


TWICE = """
%e = ge.Exp(%x) : tensor<4x4xf32>
%n = ge.Neg(%e) : tensor<4x4xf32>
%s = ge.Sqrt(%e) : tensor<4x4xf32>
"""


def two_outputs() -> Any:
    @register_fusion_pass(name="TwoOutputsPass", stage=FUSE)
    class TwoOutputs(PatternFusionPass):
        @pattern
        def pair(self, inputs: Any) -> Any:
            e = es.Exp(inputs[0])
            return [es.Neg(e), es.Sqrt(e)]

        def replacement(self, inputs: Any) -> Any:
            return (0 - es.Exp(inputs[0]), es.Exp(inputs[0] * 0.5))

    return TwoOutputs


def test_several_outputs() -> None:
    text, counters, _ = run(two_outputs(), graph(TWICE, "%n, %s"))
    assert counters == {"TwoOutputsPass": 1}
    assert "Sqrt" not in text
    # a reader of the first output that stands before the second producer
    between = TWICE.replace("%s = ", "%r = ge.Relu(%n) : tensor<4x4xf32>\n%s = ")
    text, counters, _ = run(two_outputs(), graph(between, "%r, %s"))
    assert counters == {"TwoOutputsPass": 1}


def test_no_cycle_is_made() -> None:
    @register_fusion_pass(name="CyclePass", stage=FUSE)
    class Cycle(PatternFusionPass):
        @pattern
        def pair(self, inputs: Any) -> Any:
            return [es.Neg(inputs[0]), es.Exp(inputs[1])]

        def replacement(self, inputs: Any) -> Any:
            return [es.Sub(inputs[1], inputs[0]) - inputs[1], es.Exp(inputs[1])]

    body = """
    %n = ge.Neg(%x) : tensor<4x4xf32>
    %e = ge.Exp(%n) : tensor<4x4xf32>
    """
    _, counters, reasons = run(Cycle, graph(body, "%e, %n"))
    assert counters == {}
    assert reasons == ["an input is made after a reader of an output: it would be a cycle"]


def test_replacement_of_another_type_is_refused() -> None:
    @register_fusion_pass(name="WidensPass", stage=FUSE)
    class Widens(PatternFusionPass):
        @pattern
        def one(self, inputs: Any) -> Any:
            return es.Neg(inputs[0])

        def replacement(self, inputs: Any) -> Any:
            return es.ReduceSumD(inputs[0], axes=[0])

    reasons = run(Widens, graph("%n = ge.Neg(%x) : tensor<4x4xf32>", "%n"))[2]
    assert reasons == ["the replacement has results of another type"]


def test_decomposition_is_not_repeated() -> None:
    @register_decompose_pass(name="SplitNegPass", stage=FUSE, op_types=["Neg"])
    class SplitNeg(DecomposePass):
        contract: ClassVar[Contract] = Contract(values="exact", grows=True)

        def meet_requirements(self, node: Any) -> bool:
            return node.name != "keep"

        def replacement(self, node: Any) -> Any:
            builder = GraphBuilder("split")
            x = builder.create_input(0)
            return builder.build_and_reset([es.Neg(es.Neg(es.Neg(x)))])

    body = """
    %n = ge.Neg(%x) : tensor<4x4xf32>
    %k = ge.Neg(%n) : tensor<4x4xf32> loc("keep")
    """
    text, counters, reasons = run(SplitNeg, graph(body, "%k"))
    assert counters == {"SplitNegPass": 1}
    assert text.count("ge.Neg") == 4
    assert reasons == ["meet_requirements() said no"]


def test_grouped_convolution_in_parts() -> None:
    """Dynamic outputs and inputs, bare numbers as axes, attributes by position."""

    @register_decompose_pass(name="GroupedPass", stage=FUSE, op_types=["Conv2D"])
    class Grouped(DecomposePass):
        def meet_requirements(self, node: Any) -> bool:
            return node.get_attr("groups") != 1 and node.get_attr("data_format") == "NCHW"

        def replacement(self, node: Any) -> Any:
            builder = GraphBuilder("grouped")
            x, w = builder.create_inputs(2)
            n = node.get_attr("groups")
            attrs = [node.get_attr(a) for a in ("strides", "pads", "dilations")]
            parts = zip(es.Split(1, x, n, num_split=n), es.Split(0, w, n, num_split=n), strict=True)
            done = [es.Conv2D(a, b, None, None, *attrs, 1, "NCHW") for a, b in parts]
            return builder.build_and_reset([es.Concat(1, done, len(done))])

    body = """
    %c = ge.Conv2D(%x, %w) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], groups = 2, \
data_format = "NCHW"} : tensor<1x4x2x2xf32>
    """
    args = "%x: tensor<1x4x4x4xf32>, %w: tensor<4x2x3x3xf32>"
    text, counters, _ = run(Grouped, graph(body, "%c", args))
    assert counters == {"GroupedPass": 1}
    assert text.count("ge.Conv2D") == 2
    assert "ge.Concat(" in text


def test_base_pass_looks_and_reports(capsys: pytest.CaptureFixture[str]) -> None:
    seen: list[Any] = []

    @register_fusion_pass(name="LookPass", stage=PassStage.BEFORE_INFER_SHAPE)
    class Look(FusionBasePass):
        def run(self, graph: Any, context: Any) -> Any:
            print("looking")
            for node in graph.get_all_nodes():
                sources = range(node.get_inputs_size())
                at = [node.get_in_data_nodes_and_port_indexes(i) for i in sources]
                seen.append((node.type, node.name, [(n.name, i) for n, i in at]))
            assert context.get_pass_name() == "LookPass"
            context.set_error_message("too many nodes")
            return len(seen) < 4

    run(Look, graph("%n = ge.Neg(%x) : tensor<4x4xf32>", "%n"))
    assert seen == [("Neg", "n", [("x", 0)]), ("NetOutput", "NetOutput", [("n", 0)])]
    with pytest.raises(GeError, match="GE pass LookPass failed: too many nodes"):
        run(Look, graph("%n = ge.Neg(%x) : tensor<4x4xf32>", "%n"))
    out, err = capsys.readouterr()
    assert (out, "looking" in err) == ("", True)
    assert adapted(Look).joins == "start"


def test_wrong_classes() -> None:
    with pytest.raises(TypeError, match="no run\\(\\)"):

        class HasRun(PatternFusionPass):
            def run(self, graph: Any, context: Any) -> Any:
                return None

    with pytest.raises(TypeError, match="subclasses of FusionBasePass"):
        register_fusion_pass(name="XPass", stage=FUSE)(int)  # type: ignore[type-var]
    with pytest.raises(TypeError, match="op_types"):
        register_decompose_pass(name="XPass", stage=FUSE, op_types=[])
    with pytest.raises(TypeError, match="not registered"):
        adapted(PatternFusionPass)
    bias_pass()
    with pytest.raises(ValueError, match="'mat-mul-bias' is taken"):

        @register_fusion_pass(name="MatMulBias", stage=FUSE)
        class Again(PatternFusionPass):
            pass


@pytest.mark.parametrize(
    ("patterns", "replacement", "said"),
    [
        (lambda s, i: es.Neg(i[0]), lambda s, i: None, "must return a tensor"),
        (lambda s, i: es.Neg(i[0]), lambda s, i: [i[0], i[0]], "has 2 outputs, 1 are replaced"),
        (lambda s, i: es.Neg(i[0]), lambda s, i: i[1], "reads input 1, which is not matched"),
        (lambda s, i: i[0], lambda s, i: i[0], "does not end in an operator"),
        (lambda s, i: [x for x in i], lambda s, i: i[0], "use inputs"),
    ],
)
def test_faults_name_the_pass(patterns: Any, replacement: Any, said: str, tmp_path: Path) -> None:
    cls = type(
        "Faulty", (PatternFusionPass,), {"one": pattern(patterns), "replacement": replacement}
    )
    register_fusion_pass(name="FaultyPass", stage=FUSE)(cls)
    with pytest.raises(GeError) as caught:
        run_pipeline(
            parse(graph("%n = ge.Neg(%x) : tensor<4x4xf32>", "%n")),
            "faulty",
            reproducer_dir=str(tmp_path),
        )
    head = caught.value.diagnostics[0]
    assert (head.code, head.pass_name) == ("GX-406", "faulty")
    assert said in head.message
    assert "--run-reproducer" in (head.hint or "")


def test_builder() -> None:
    builder = GraphBuilder("g")
    x = builder.create_input(0)
    with pytest.raises(TypeError, match="takes at most"):
        es.Neg(x, x)
    with pytest.raises(TypeError, match="no input or attribute 'axis'"):
        es.Neg(x, axis=1)
    with pytest.raises(TypeError, match="input 'x2' is missing"):
        es.MatMul(x)
    with pytest.raises(AttributeError, match="no operator NoSuchOp"):
        _ = es.NoSuchOp
    top = es.TopKV2(x, 2)
    assert top.values is top[0]
    assert top.indices.index == 1
    with pytest.raises(ValueError, match="has no output"):
        builder.build_and_reset()
    builder.set_graph_output(es.Neg(x), 0)
    assert [n.type for n in builder.build_and_reset().nodes()] == ["Neg"]
    with pytest.raises(RuntimeError, match="is built"):
        builder.create_input(1)


AS_IN_GE = '''
from ge.es.graph_builder import GraphBuilder
from ge.graph.types import DataType
from ge.passes import PassStage, PatternFusionPass, create_pattern, create_replacement
from ge.passes import register_fusion_pass

try:
    from ge.es.math import Add, NoSuchOperator
except ImportError:
    from ge.es.all import Add


@register_fusion_pass(name="PythonAddZeroPass", stage=PassStage.BEFORE_INFER_SHAPE)
class PythonAddZeroPass(PatternFusionPass):
    """x + 0 is x."""

    def patterns(self):
        print("patterns are made")
        builder = GraphBuilder("add_zero")
        x = builder.create_input(0)
        out = Add(x, builder.create_const_float(0.0))
        return [create_pattern(builder.build_and_reset([out]))]

    def meet_requirements(self, match_result):
        from ge.graph import Tensor

        for node in match_result.get_matched_nodes():
            if node.type == "Const":
                value = node.get_attr("value")
                assert isinstance(value, Tensor)
                return value.data_type == DataType.DT_FLOAT and value.data == 0.0
        return False

    def replacement(self, match_result):
        builder = GraphBuilder("identity")
        builder.set_graph_output(builder.create_input(0), 0)
        return create_replacement(builder.build_and_reset())
'''


def test_a_file_written_for_ge_loads_unchanged(tool: Any, tmp_path: Path) -> None:
    import sys

    (tmp_path / "add_zero.py").write_text(AS_IN_GE)
    body = """
    %z = ge.Const() {value = dense<0.0> : tensor<f32>} : tensor<f32>
    %a = ge.Add(%x, %z) : tensor<4x4xf32>
    %n = ge.Neg(%a) : tensor<4x4xf32>
    """
    (tmp_path / "net.mlir").write_text(graph(body, "%n"))
    done = tool(
        "ge-opt", str(tmp_path / "net.mlir"), f"--load={tmp_path}/add_zero.py",
        "--enable-pass=python-add-zero", "-p", "prepare",
    )  # fmt: skip
    assert done.status == 0, done.err
    assert b"ge.Add" not in done.out
    assert b"patterns are made" not in done.out
    assert b"patterns are made" in done.err
    assert "ge" not in sys.modules


def test_what_was_refused_leaves_no_reader() -> None:
    """A replacement that is built and given up must not count as a use of the values it read."""
    cls = two_outputs()
    body = TWICE.replace("ge.Neg(%e)", "ge.Neg(%e) {ge.x = 1 : i64}")

    @register_fusion_pass(name="GivesUpPass", stage=FUSE)
    class GivesUp(PatternFusionPass):
        @pattern
        def one(self, inputs: Any) -> Any:
            return es.Neg(inputs[0])

        def replacement(self, inputs: Any) -> Any:
            return es.Shape(es.Exp(inputs[0]))

    model = parse(graph(body, "%n, %s"))
    before = {r: len(list(r.uses)) for op in model.graphs[0].body.ops for r in op.results}
    run_pipeline(model, adapted(GivesUp)())
    after = {r: len(list(r.uses)) for op in model.graphs[0].body.ops for r in op.results}
    assert before == after
    assert adapted(cls).name == "two-outputs"


def test_the_kit_starts_from_the_pattern() -> None:
    from passes.ge_adapter.instances import instances
    from passes.testing import pattern_specs

    builder = GraphBuilder("conv")
    x, w = builder.create_inputs(2)
    found = instances(builder.build_and_reset([es.Relu(es.Conv2D(x, w))]))
    assert len(found) == 2
    assert all("ge.Conv2D(%x0, %x1) {strides" in text for text in found)

    cls = adapted(bias_pass())
    specs = pattern_specs(cls(), seed=0, tries=60)
    assert len(specs.positives) >= 5
    assert "the result of MatMul has readers outside the pattern" in specs.reasons
