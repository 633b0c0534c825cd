"""Faults of passes that the kit found, each with the small graph it showed."""

from __future__ import annotations

import numpy as np

from ge_dialect.api import evaluate, parse
from ge_dialect.dtypes import to_xdsl
from ge_dialect.ir.base import get_str
from passes.manager import run_pipeline
from passes.properties import PROPERTIES
from passes.testing.spec import GraphSpec, Input, Literal, Step, Text


def test_folding_keeps_the_shape_that_reinterpret_declares():
    """The recipe of a reinterpreted weight had the shape of the weight."""
    held = Literal.of(np.arange(120, dtype=np.float32).reshape(1, 6, 5, 4))
    spec = GraphSpec(
        (),
        (
            Step("Const", (), (("value", Text('#ge.weight<"w0">')),), ("1x6x5x4xf32",)),
            Step("Reinterpret", (0,), types=("120xf32",)),
        ),
        (1,),
        weights=(("w0", held),),
    )
    model = spec.build()
    run_pipeline(model, "constant-folding")
    (found,) = evaluate(model, []).outputs
    np.testing.assert_array_equal(found, np.arange(120, dtype=np.float32))


def test_folding_leaves_bytes_read_as_another_dtype():
    held = Literal.of(np.arange(100, dtype=np.int32))
    spec = GraphSpec(
        (),
        (
            Step("Const", (), (("value", Text('#ge.weight<"w0">')),), ("100xi32",)),
            Step("Reinterpret", (0,), types=("100xui32",)),
        ),
        (1,),
        weights=(("w0", held),),
    )
    model = spec.build()
    before = evaluate(spec.build(), []).outputs
    run_pipeline(model, "constant-folding")
    np.testing.assert_array_equal(evaluate(model, []).outputs[0], before[0])


def test_an_unnamed_input_keeps_its_name():
    """Users of a removed node moved to a graph input, which then took the name of the node."""
    spec = GraphSpec((Input("1xf64"),), (Step("Cast", (0,), (("dst_type", 11),), name="c"),), (1,))
    model = spec.build()
    before = model.graphs[0].arg_names()
    run_pipeline(model, "cast-remove")
    assert model.graphs[0].arg_names() == before == ["arg0"]


def test_an_input_of_unknown_size_is_an_unknown_shape():
    """'shapes-known' looked at results only, so that normalising inputs broke it."""
    module = parse("ge.graph @g(%x: tensor<?xf32>) {\n  ge.NetOutput(%x)\n}").module
    assert not PROPERTIES["shapes-known"].holds(module)


def test_lowering_an_empty_graph_is_a_change():
    model = parse("ge.graph @g() {\n  ge.NetOutput()\n}")
    assert run_pipeline(model, "ge-default").runs[-1].changed


def test_power_of_minus_infinity_is_the_same_alone_and_in_vectors():
    """numpy's vector loop and its scalar loop differ there."""
    text = (
        "ge.graph @g(%x: tensor<{n}xf32>, %e: tensor<{n}xf32>) {{\n"
        "  %y = ge.Pow(%x, %e) : tensor<{n}xf32>\n  ge.NetOutput(%y)\n}}"
    )
    for n in (1, 4, 33):
        for exponent, expected in ((0.5, np.inf), (-0.5, 0.0), (1.5, np.inf)):
            x = np.full(n, -np.inf, np.float32)
            given = [x, np.full(n, exponent, np.float32)]
            (found,) = evaluate(parse(text.format(n=n)), given).outputs
            np.testing.assert_array_equal(found, np.full(n, expected, np.float32))


def run(text, pipeline):
    """The model after a pipeline, verified."""
    from ge_dialect.ir.verifier import verify

    model = parse(text)
    run_pipeline(model, pipeline)
    assert not verify(model.module)
    return model


def kinds(model):
    return [op.name[3:] for op in model.graphs[0].body.ops]


LAID_OUT = "tensor<1x16x2x2xf16, #ge.layout<NC1HWC0>>"
PLAIN = "tensor<1x16x2x2xf16>"
STAYS = "ge.attr.no_need_constant_folding = false"


def test_conversions_marked_to_stay_do_so():
    """`trans-node-merge` passed by, shared and folded them; the mark counts whatever its value."""
    to_heavy = 'src_format = "NCHW", dst_format = "NC1HWC0"'
    pair = f"""ge.graph @g(%x: {PLAIN}) {{
      %a = ge.TransData(%x) {{{to_heavy}}} : {LAID_OUT}
      %b = ge.TransData(%a) {{src_format = "NC1HWC0", dst_format = "NCHW", {STAYS}}} : {PLAIN}
      ge.NetOutput(%b)
    }}"""
    assert kinds(run(pair, "trans-node-merge")) == ["TransData", "TransData", "NetOutput"]
    assert kinds(run(pair.replace(f", {STAYS}", ""), "trans-node-merge")) == ["NetOutput"]

    twice = f"""ge.graph @g(%x: {PLAIN}) {{
      %a = ge.TransData(%x) {{{to_heavy}}} : {LAID_OUT}
      %b = ge.TransData(%x) {{{to_heavy}, {STAYS}}} : {LAID_OUT}
      ge.NetOutput(%a, %b)
    }}"""
    assert kinds(run(twice, "trans-node-merge")) == ["TransData", "TransData", "NetOutput"]
    assert kinds(run(twice.replace(f", {STAYS}", ""), "trans-node-merge")).count("TransData") == 1

    constant = f"""ge.graph @g() {{
      %c = ge.Const() {{value = dense<1.0> : {PLAIN}}} : {PLAIN}
      %a = ge.TransData(%c) {{{to_heavy}, {STAYS}}} : {LAID_OUT}
      ge.NetOutput(%a)
    }}"""
    assert kinds(run(constant, "trans-node-merge")) == ["Const", "TransData", "NetOutput"]
    assert kinds(run(constant.replace(f", {STAYS}", ""), "trans-node-merge")) == [
        "Const",
        "NetOutput",
    ]


def test_a_node_inside_a_call_keeps_its_own_engine():
    """`bound` held the engine of the call against nodes that had their own."""
    text = """ge.graph @g(%x: tensor<2xf32>) {
      %y = ge.PartitionedCall(%x) {ge.engine = "AIcoreEngine"} : tensor<2xf32> f(%a) {
        %r = ge.Relu(%a) {ge.engine = "DNN_VM_AICPU"} : tensor<2xf32>
        %n = ge.Neg(%r) : tensor<2xf32>
        ge.NetOutput(%n)
      }
      ge.NetOutput(%y)
    }"""
    relu, neg, _ = run(text, "unfold-subgraph").graphs[0].body.ops
    assert get_str(relu, "ge.engine") == "DNN_VM_AICPU"
    assert get_str(neg, "ge.engine") == "AIcoreEngine"
    from passes.testing.check import fails_on
    from passes.testing.properties import BY_NAME

    assert fails_on(parse(text), "unfold-subgraph", BY_NAME["bound"]) is None


FORMAT = "engine-claim,heavy-format-propagation"


def test_a_call_whose_body_ends_in_another_layout_is_repaired():
    """The result of the call kept a layout that the repaired body no longer gave."""
    text = f"""ge.graph @g(%x: {PLAIN}) {{
      %y = ge.PartitionedCall(%x) : {LAID_OUT} f(%a) {{
        %b = ge.TransData(%a) {{src_format = "NCHW", dst_format = "NC1HWC0"}} : {LAID_OUT}
        ge.NetOutput(%b)
      }}
      ge.NetOutput(%y)
    }}"""
    x = np.arange(64, dtype=np.float16).reshape(1, 16, 2, 2)
    model = run(text, FORMAT)
    assert PROPERTIES["layouts-assigned"].holds(model.module)
    np.testing.assert_array_equal(evaluate(model, [x]).outputs[0], x)


def test_a_call_of_a_value_in_a_hardware_layout_is_repaired():
    """The argument of the body follows the input, which is converted."""
    text = f"""ge.graph @g(%x: {LAID_OUT}) {{
      %y = ge.PartitionedCall(%x) : {PLAIN} f(%a) {{
        %b = ge.TransData(%a) {{src_format = "NC1HWC0", dst_format = "NCHW"}} : {PLAIN}
        ge.NetOutput(%b)
      }}
      ge.NetOutput(%y)
    }}"""
    model = run(text, FORMAT)
    assert PROPERTIES["layouts-assigned"].holds(model.module)


def test_a_layout_that_nothing_brings_in_goes():
    """Layouts that disagree on an edge are repaired, not left as they came."""
    text = f"ge.graph @g(%a: {PLAIN}) {{\n  %c = ge.Relu(%a) : {LAID_OUT}\n  ge.NetOutput(%c)\n}}"
    model = run(text, FORMAT)
    assert PROPERTIES["layouts-assigned"].holds(model.module)
    assert kinds(model) == ["Relu", "NetOutput"]


def test_inputs_stand_before_all_that_read_them():
    """In another order of the text a node read a Data that stood behind it."""
    text = """ge.graph @g(%x: tensor<2xf32>) {
      %r = ge.Relu(%x) : tensor<2xf32>
      %d = ge.Data(%x) : tensor<2xf32>
      ge.NetOutput(%r, %d)
    }"""
    assert kinds(run(text, "normalize-io")) == ["Data", "Relu", "NetOutput"]


def test_an_input_that_waits_serves_nobody_it_waits_for():
    text = """ge.graph @g(%x: tensor<2xf32>) {
      %p = ge.Print([%x]) : !ge.ctrl
      %d = ge.Data(%x) after(%p) : tensor<2xf32>
      %r = ge.Relu(%d) : tensor<2xf32>
      ge.NetOutput(%r)
    }"""
    model = run(text, "normalize-io")
    assert kinds(model) == ["Data", "Print", "Relu", "NetOutput"]
    assert evaluate(model, [np.array([-1, 2], np.float32)]).outputs[0].tolist() == [0, 2]


def test_results_whose_size_follows_from_values_are_in_no_static_model():
    """With a declared size they got as far as the device, which has no kernel for them."""
    import pytest

    from ge_dialect.diagnostics import GeError

    text = """ge.graph @g(%x: tensor<1x0xf32>) {
      %y = ge.Where(%x) : tensor<0x2xi64>
      ge.NetOutput(%y)
    }"""
    with pytest.raises(GeError) as caught:
        run_pipeline(parse(text), "ge-default")
    assert "GX-511" in {d.code for d in caught.value.diagnostics}


def test_what_inputs_are_run_with_survives_the_passes_before():
    """Sizes and domains were lost, so that values of open graphs were not compared."""
    from passes.testing.check import as_subject_gets
    from passes.testing.properties.subjects import make_subject

    spec = GraphSpec(
        (Input("?x4xf32", dims=(3, 4)), Input("2xi32", domain=("index", 3))),
        (Step("Relu", (0,)), Step("Gather", (0, 1))),
        (2, 3),
    ).normalized()
    spec = GraphSpec.from_json(spec.to_json())
    from dataclasses import replace

    inputs = (replace(spec.inputs[0], dims=(3, 4)), replace(spec.inputs[1], domain=("index", 3)))
    found = as_subject_gets(make_subject("heavy-format-propagation"), replace(spec, inputs=inputs))
    assert found is not None
    assert [i.dims for i in found.inputs] == [(3, 4), None]
    assert found.inputs[1].domain == ("index", 3)


def test_a_filter_with_infinities_meets_no_zeros_between_the_data():
    """The kernel of the transposed convolution made NaN of the zeros it had put there."""
    from runtime.api import simulate

    text = """ge.graph @g(%s: tensor<4xi32>, %w: tensor<4x1x2x2xf32>, %x: tensor<1x4x2x2xf32>) {
      %y = ge.Conv2DBackpropInput(%s, %w, %x) {strides = [1, 1, 2, 2], pads = [0, 0, 0, 0], data_format = "NCHW"} : tensor<1x1x4x4xf32>
      ge.NetOutput(%y)
    }"""  # noqa: E501
    weight = np.arange(16, dtype=np.float32).reshape(4, 1, 2, 2) - 5
    weight[1, 0, 1, 0] = -np.inf
    given = [np.array([1, 1, 4, 4], np.int32), weight, np.ones((1, 4, 2, 2), np.float32)]
    golden = evaluate(parse(text), given).outputs[0]
    found = simulate(run(text, "ge-default"), given).outputs[0]
    assert not np.isnan(golden).any()
    np.testing.assert_array_equal(found, golden)


def test_where_terms_cancel_the_bound_is_that_of_their_rounding():
    """A kernel that rounds once differs from golden semantics, which round twice."""
    from passes.testing.compare import compare_values, f64_bound, per_tensor

    text = """ge.graph @g(%a: tensor<2xf32>, %b: tensor<2xf32>) {
      %p = ge.Mul(%a, %b) : tensor<2xf32>
      %y = ge.Sub(%p, %a) : tensor<2xf32>
      ge.NetOutput(%y)
    }"""
    a = np.array([3.3, 1.7], np.float32)
    given = [a, np.array([1 + 2**-22, 1 - 2**-23], np.float32)]
    expected = evaluate(parse(text), given).outputs
    once = [(a.astype(np.float64) * given[1] - a).astype(np.float32)]
    assert compare_values(expected, once, "reassociates") is not None
    bounds = per_tensor(f64_bound(parse(text), given))
    assert compare_values(expected, once, "reassociates", bound=bounds) is None
    wrong = [expected[0] + np.float32(1e-4)]
    assert compare_values(expected, wrong, "reassociates", bound=bounds) is not None


def test_zero_times_infinity_proves_nothing_where_the_zero_is_rounding():
    """One formula found the mean itself, another a number next to it."""
    from passes.testing.compare import compare_values, f64_bound

    text = """ge.graph @g(%a: tensor<2xf32>, %b: tensor<2xf32>, %c: tensor<2xf32>) {
      %d = ge.Sub(%a, %b) : tensor<2xf32>
      %y = ge.Mul(%d, %c) : tensor<2xf32>
      ge.NetOutput(%y)
    }"""
    a = np.array([0.1, 0.3], np.float32)
    given = [a, a, np.array([np.inf, 1], np.float32)]
    expected = evaluate(parse(text), given).outputs
    assert np.isnan(expected[0][0])
    bound = f64_bound(parse(text), given)
    for value in (np.inf, -np.inf, np.nan):
        found = [np.array([value, 0], np.float32)]
        assert compare_values(expected, found, "reassociates", bound=bound) is None
        wrong = [np.array([np.nan, value], np.float32)]
        assert compare_values(expected, wrong, "reassociates", bound=bound) is not None


def test_a_moved_place_that_is_no_number_reads_something():
    """The kernel took NaN for a place and stumbled."""
    from runtime.api import simulate

    text = """ge.graph @g(%x: tensor<1x2x2x1xf32>, %w: tensor<1x1x1x1xf32>, %o: tensor<1x2x2x3xf32>) {
      %y = ge.DeformableConv2D(%x, %w, %o) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0]} : tensor<1x2x2x1xf32>
      ge.NetOutput(%y)
    }"""  # noqa: E501
    moves = np.ones((1, 2, 2, 3), np.float32)
    moves[..., :2] = 0
    moves[0, 0, 0, 0] = np.nan
    given = [np.ones((1, 2, 2, 1), np.float32), np.ones((1, 1, 1, 1), np.float32), moves]
    golden = evaluate(parse(text), given).outputs[0]
    found = simulate(run(text, "ge-default"), given).outputs[0]
    np.testing.assert_array_equal(found.ravel()[1:], golden.ravel()[1:])


def test_an_order_of_axes_is_one_of_inputs_only():
    """Nodes read and wrote NHWC where their kernels know none, and gave wrong values in silence."""
    from runtime.api import simulate

    plain, permuted = "tensor<1x2x2x3xf32>", "tensor<1x2x2x3xf32, #ge.layout<NHWC>>"
    x = np.arange(12, dtype=np.float32).reshape(1, 2, 2, 3)
    for op in ("Relu(%x)", "LogSoftmaxV2(%x) {axes = [1]}", "Softsign(%x)"):
        for given in (plain, permuted):
            for result in (plain, permuted):
                body = f"%y = ge.{op} : {result}\n  ge.NetOutput(%y)"
                text = f"ge.graph @g(%x: {given}) {{\n  {body}\n}}"
                model = run(text, "prepare,fuse,format")
                assert PROPERTIES["layouts-assigned"].holds(model.module)
                assert PROPERTIES["normalized-io"].holds(model.module)
                found = simulate(run(text, "ge-default"), [x]).outputs[0]
                np.testing.assert_allclose(found, evaluate(parse(text), [x]).outputs[0], rtol=1e-6)


def test_conversions_of_different_attributes_are_two():
    """Which of the two stayed depended on the order of the text."""
    text = f"""ge.graph @g(%x: {PLAIN}) {{
      %a = ge.TransData(%x) {{src_format = "NCHW", dst_format = "NC1HWC0"}} : {LAID_OUT}
      %b = ge.TransData(%x) {{src_format = "NCHW", dst_format = "NC1HWC0", src_subformat = -1}} : {LAID_OUT}
      ge.NetOutput(%a, %b)
    }}"""  # noqa: E501
    assert kinds(run(text, "trans-node-merge")).count("TransData") == 2


def test_a_graph_without_inputs_can_be_planned():
    model = run("ge.graph @g() {\n  ge.NetOutput()\n}", "event-insertion,memory-plan")
    assert PROPERTIES["memory-planned"].holds(model.module)


def test_weights_of_classes_that_are_ignored_take_no_part():
    """The kernel of a loss multiplied them with zero, which NaN survives."""
    from runtime.api import simulate

    text = """ge.graph @g(%x: tensor<2x2xf32>, %t: tensor<2xi32>, %w: tensor<2xf32>) {
      %y, %z = ge.NLLLoss(%x, %t, weight = %w) {reduction = "none", ignore_index = 1} : tensor<2xf32>, tensor<f32>
      ge.NetOutput(%y, %z)
    }"""  # noqa: E501
    x = np.array([[5, 6], [7, 8]], np.float32)
    given = [x, np.array([1, 0], np.int32), np.array([2, np.nan], np.float32)]
    golden = evaluate(parse(text), given).outputs
    found = simulate(run(text, "ge-default"), given).outputs
    for a, b in zip(golden, found, strict=True):
        np.testing.assert_array_equal(a, b)


def test_a_node_merged_into_its_like_adds_no_needless_order():
    """The end came to wait for what it reads through the node that stayed."""
    text = """ge.graph @g(%r: !ge.ref<tensor<3x3xf16>>) {
      %d = ge.RefData(%r) : !ge.ref<tensor<3x3xf16>>
      %a = ge.Read(%d) : tensor<3x3xf16>
      %b = ge.TransData(%a) {src_format = "ND", dst_format = "FRACTAL_NZ"} : tensor<3x3xf16, #ge.layout<FRACTAL_NZ>>
      %c = ge.TransData(%a) {src_format = "ND", dst_format = "FRACTAL_NZ"} : tensor<3x3xf16, #ge.layout<FRACTAL_NZ>>
      ge.NetOutput(%c)
    }"""  # noqa: E501
    end = run(text, "trans-node-merge").graphs[0].net_output
    assert not end.ge_control_operands


def test_a_sample_at_a_whole_place_is_no_negative_zero():
    """Golden sums start at 0; the kernel handed -0.0 on, whose reciprocal is another infinity."""
    from runtime.api import simulate

    text = """ge.graph @g(%x: tensor<1x1x3x3xf32>, %m: tensor<1x2x3x3xf32>) {
  %y = ge.DeformableOffsets(%x, %m)
    {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], ksize = [1, 1], modulated = false}
    : tensor<1x1x3x3xf32>
  ge.NetOutput(%y)
}
"""
    given = [np.full((1, 1, 3, 3), -0.0, np.float32), np.zeros((1, 2, 3, 3), np.float32)]
    for (found,) in (evaluate(parse(text), given).outputs, simulate(parse(text), given).outputs):
        assert not np.signbit(found).any()


def test_work_of_a_gradient_that_is_no_convolution():
    """Backprop in the name was taken for one; without data of four dims nothing was found."""
    from ge_dialect.ir.types import tensor_type
    from ge_dialect.target.work import work_of

    f32 = to_xdsl("float32")
    data = [tensor_type((1, 2), f32)] * 2
    gamma = [tensor_type((2,), f32)] * 2
    found = work_of("LayerNormBetaGammaBackpropV2", data, gamma, {"shape_gamma": (2,)})
    assert found.elements > 0


def test_gelu_of_doubles_and_gates_keep_their_digits():
    from math import erfc, exp, sqrt

    from runtime.kernels.activation import gelu
    from runtime.kernels.recurrent import _logistic

    x = np.array([-1.0, -0.5, 0.25])
    want = [v * erfc(-v / sqrt(2)) / 2 for v in x]
    np.testing.assert_allclose(gelu(x), want, rtol=4e-16)
    assert abs(float(_logistic(np.array(-34.0))) / (1 / (1 + exp(34.0))) - 1) < 1e-13
