"""Conv and batch normalisation: values, layouts and dtypes, and every precondition."""

from __future__ import annotations

import numpy as np
import pytest

from ge_dialect.ir.printer import print_module
from ge_dialect.ir.reader import parse_module
from ge_dialect.ir.verifier import verify
from ge_dialect.semantics import evaluate_graph
from ge_dialect.weights.store import WeightStore
from passes.context import PassContext
from passes.folding import Folder
from passes.fuse.conv_bn_fold import ConvBnFold, FoldConvBn
from passes.rewriting import apply_patterns

BN = "ge.BNInfer(%c, %g, %o, %m, %v) {epsilon = 0.01}"
NAMES = ("g", "o", "m", "v")


def graph(
    *,
    dtype: str = "f32",
    x: tuple[int, ...] = (1, 4, 6, 6),
    w: tuple[int, ...] = (8, 4, 3, 3),
    out: tuple[int, ...] = (1, 8, 6, 6),
    conv: str = 'data_format = "NCHW"',
    op: str = "Conv2D",
    bias: str | None = None,
    norm: str = BN,
    results: str | None = None,
    extra: str = "",
    ends: str = "%y",
    channels: int = 8,
    filter_attrs: str = "",
    conv_attrs: str = "",
    norm_attrs: str = "",
    params: str = "",
    done: str = "",
) -> str:
    def t(dims, kind=dtype):
        return f"tensor<{'x'.join(map(str, dims))}x{kind}>"

    parameters = "".join(
        f'  %{n} = ge.Const() {{value = #ge.weight<"{n}">}} : tensor<{channels}xf32>\n'
        for n in NAMES
        if f"%{n}:" not in params
    )
    b = (
        f'  %b = ge.Const() {{value = #ge.weight<"b">}} : tensor<{channels}x{bias}>\n'
        if bias
        else ""
    )
    left = "%y" if results is None else "%y, %y1, %y2, %y3, %y4, %y5"
    right = t(out) if results is None else ", ".join([t(out), *[f"tensor<{channels}xf32>"] * 5])
    end_type = ", !ge.ctrl" if done else ""
    norm = norm[:-1] + norm_attrs + "}"
    return (
        f"ge.graph @g(%x: {t(x)}{params}) {{\n"
        f'  %w = ge.Const() {{value = #ge.weight<"w">{filter_attrs}}} : {t(w)}\n'
        f"{parameters}{b}"
        f"  %c{done} = ge.{op}(%x, %w{', bias = %b' if bias else ''}) "
        f"{{strides = [1, 1, 1, 1], pads = [1, 1, 1, 1], {conv}{conv_attrs}}} : "
        f"{t(out)}{end_type}\n"
        f"{extra}  {left} = {norm} : {right}\n"
        f"  ge.NetOutput({ends})\n}}\n"
    )


def store(w, dtype="float32", channels=8, bias=None) -> WeightStore:
    import ml_dtypes

    kinds = {"float32": np.float32, "float16": np.float16, "bfloat16": ml_dtypes.bfloat16}
    rng = np.random.default_rng(3)
    made = {"w": rng.standard_normal(w).astype(kinds[dtype])}
    for name in NAMES:
        made[name] = rng.uniform(0.5, 1.5, channels).astype(np.float32)
    if bias:
        made["b"] = rng.standard_normal(channels).astype(kinds[bias])
    return WeightStore(made)


def check(text: str, weights: WeightStore, x: np.ndarray, tolerance: float):
    module = parse_module(text)
    assert not verify(module)
    graph_op = module.body.block.first_op
    before = evaluate_graph(graph_op, [x], weights).outputs[0]
    ctx = PassContext(weights=weights)
    result = ConvBnFold().run(module, ctx)
    assert result.counters == {"conv-bn": 1}, print_module(module)
    assert not verify(module)
    assert "ge.BN" not in print_module(module)
    after = evaluate_graph(graph_op, [x], weights).outputs[0]
    assert after.dtype == before.dtype
    wide_a, wide_b = before.astype(np.float64), after.astype(np.float64)
    assert np.abs(wide_a - wide_b).max() <= tolerance * np.abs(wide_a).max()
    return module


@pytest.mark.parametrize(
    ("mlir", "name", "tolerance"),
    [("f32", "float32", 1e-6), ("f16", "float16", 4e-3), ("bf16", "bfloat16", 3e-2)],
)
@pytest.mark.parametrize("bias", [None, "f32", "same"])
def test_dtypes(mlir, name, tolerance, bias):
    bias_mlir = mlir if bias == "same" else bias
    bias_name = name if bias == "same" else "float32" if bias else None
    weights = store((8, 4, 3, 3), name, bias=bias_name)
    x = np.random.default_rng(1).standard_normal((1, 4, 6, 6)).astype(weights.get("w").dtype)
    module = check(graph(dtype=mlir, bias=bias_mlir), weights, x, tolerance)
    conv = next(op for op in module.walk() if op.name == "ge.Conv2D")
    assert str(conv.ge_input("bias").type.element_type) == (bias_mlir or mlir)


def test_batch_norm_nhwc():
    norm = (
        "ge.BatchNorm(%c, %g, %o, mean = %m, variance = %v) "
        '{epsilon = 0.01, is_training = false, data_format = "NHWC"}'
    )
    text = graph(
        x=(1, 6, 6, 4), w=(3, 3, 4, 8), out=(1, 6, 6, 8), conv='data_format = "NHWC"',
        norm=norm, results="six",
    )  # fmt: skip
    x = np.random.default_rng(1).standard_normal((1, 6, 6, 4)).astype(np.float32)
    check(text, store((3, 3, 4, 8)), x, 1e-6)


def test_groups():
    text = graph(w=(8, 2, 3, 3), conv='groups = 2, data_format = "NCHW"')
    x = np.random.default_rng(1).standard_normal((1, 4, 6, 6)).astype(np.float32)
    check(text, store((8, 2, 3, 3)), x, 1e-6)


def test_depthwise_nchw():
    text = graph(w=(8, 1, 3, 3), op="DepthwiseConv2D")
    x = np.random.default_rng(1).standard_normal((1, 4, 6, 6)).astype(np.float32)
    check(text, store((8, 1, 3, 3)), x, 1e-6)


def test_depthwise_nhwc_with_multiplier():
    norm = (
        "ge.BatchNorm(%c, %g, %o, mean = %m, variance = %v) "
        '{epsilon = 0.01, is_training = false, data_format = "NHWC"}'
    )
    text = graph(
        x=(1, 6, 6, 4), w=(3, 3, 4, 2), out=(1, 6, 6, 8), conv='data_format = "NHWC"',
        norm=norm, results="six", op="DepthwiseConv2D",
    )  # fmt: skip
    x = np.random.default_rng(1).standard_normal((1, 6, 6, 4)).astype(np.float32)
    check(text, store((3, 3, 4, 2)), x, 1e-6)


def test_two_normalisations_fold_one_after_the_other():
    text = graph(
        extra="",
        norm=BN,
    ).replace(
        "  ge.NetOutput(%y)",
        "  %z = ge.BNInfer(%y, %o, %g, %v, %m) {epsilon = 0.5} : tensor<1x8x6x6xf32>\n"
        "  ge.NetOutput(%z)",
    )
    weights = store((8, 4, 3, 3))
    module = parse_module(text)
    g = module.body.block.first_op
    x = np.random.default_rng(1).standard_normal((1, 4, 6, 6)).astype(np.float32)
    before = evaluate_graph(g, [x], weights).outputs[0]
    result = ConvBnFold().run(module, PassContext(weights=weights))
    assert result.counters == {"conv-bn": 2}
    after = evaluate_graph(g, [x], weights).outputs[0]
    assert np.abs(before - after).max() <= 1e-5 * np.abs(before).max()


def test_abstract_weights_fold_to_abstract_recipes():
    text = graph().replace('#ge.weight<"w">', '#ge.weight<"w", abstract>')
    module = parse_module(text)
    ConvBnFold().run(module, PassContext())
    out = print_module(module)
    assert "ge.BN" not in out
    assert ", abstract>" in out.split("%c_filter")[1].splitlines()[0]
    assert "abstract" not in out.split("%c_bias = ")[1].splitlines()[0]


def test_control_edges_of_both_nodes_go_to_the_new_one():
    text = (
        graph()
        .replace("  %c = ", "  %p = ge.Print(%x) : !ge.ctrl\n  %c = ")
        .replace("ge.Conv2D(%x, %w)", "ge.Conv2D(%x, %w) after(%p)")
        .replace("  %y = ", "  %q = ge.Print(%x) after(%p) : !ge.ctrl\n  %y, %d = ")
        .replace("ge.BNInfer(%c, %g, %o, %m, %v)", "ge.BNInfer(%c, %g, %o, %m, %v) after(%q)")
        .replace("0.01} : tensor<1x8x6x6xf32>", "0.01} : tensor<1x8x6x6xf32>, !ge.ctrl")
        .replace("  ge.NetOutput", "  ge.Print(%x) after(%d)\n  ge.NetOutput")
    )
    module = parse_module(text)
    assert not verify(module)
    ConvBnFold().run(module, PassContext())
    assert not verify(module)
    conv = next(op for op in module.walk() if op.name == "ge.Conv2D")
    assert {v.owner.ge_node_name for v in conv.ge_control_operands} == {"p", "q"}
    assert [u.operation.name for u in conv.results[-1].uses] == ["ge.Print"]


def test_shared_parameters_stay_for_the_others():
    text = graph(ends="%y, %g")
    module = parse_module(text)
    ConvBnFold().run(module, PassContext())
    assert not verify(module)
    assert "%g = ge.Const()" in print_module(module)


TRAINING = (
    "ge.BatchNorm(%c, %g, %o, mean = %m, variance = %v) "
    '{epsilon = 0.01, is_training = true, data_format = "NCHW"}'
)
INFERENCE = TRAINING.replace("true", "false")
PINNED = ", ge.attr.no_need_constant_folding = false"
NEAR_MISSES = {
    "the normalisation is in training mode": {"norm": TRAINING, "results": "six"},
    "the statistics of the batch are used": {
        "norm": INFERENCE,
        "results": "six",
        "ends": "%y, %y1",
    },
    "a parameter of the normalisation is no constant": {"params": ", %g: tensor<8xf32>"},
    "the normalisation is marked no_need_constant_folding": {"norm_attrs": PINNED},
    "the result of the convolution has other users": {"ends": "%y, %c"},
    "another node waits for the convolution": {
        "done": ", %d",
        "extra": "  ge.Print(%x) after(%d)\n",
    },
    "the filter is no constant": {"params": ", %w: tensor<8x4x3x3xf32>"},
    "the bias is no constant": {"bias": "f32", "params": ", %b: tensor<8xf32>"},
    "the data formats differ": {
        "norm": INFERENCE.replace("NCHW", "NHWC"),
        "results": "six",
        "x": (1, 4, 6, 8),
        "out": (1, 8, 6, 8),
    },
    "the number of channels is not known": {"w": ("?", 4, 3, 3), "out": (1, "?", 6, 6)},
    "the weights are marked no_need_constant_folding": {"filter_attrs": PINNED},
    "the convolution has weight offsets": {},
    "the layouts of the results differ": {},
    "the nodes are bound to different places": {
        "conv_attrs": ', ge.engine = "AIcoreEngine"',
        "norm_attrs": ', ge.engine = "DNN_VM_AICPU"',
    },
}


def near_miss(reason: str) -> str:
    options = dict(NEAR_MISSES[reason])
    text = graph(**options)
    for name in ("w", "b"):
        if f"%{name}:" in options.get("params", ""):
            text = "\n".join(
                line for line in text.splitlines() if not line.startswith(f"  %{name} = ")
            )
    if reason == "the convolution has weight offsets":
        text = text.replace("(%x, %w)", "(%x, %w, offset_w = %z)").replace(
            "  %c = ", "  %z = ge.Const() {value = dense<0> : tensor<8xi8>} : tensor<8xi8>\n  %c = "
        )
    if reason == "the layouts of the results differ":
        text = text.replace("1x8x6x6xf32>\n  %y", "1x8x6x6xf32, #ge.layout<NC1HWC0>>\n  %y")
    return text


@pytest.mark.parametrize("reason", NEAR_MISSES)
def test_near_misses_give_their_reason(reason):
    module = parse_module(near_miss(reason))
    problems = verify(module)
    assert not problems, problems[0].render()
    before = print_module(module)
    ctx = PassContext(remarks_enabled=True)
    report = apply_patterns(module, [FoldConvBn(Folder())], ctx)
    assert dict(report.missed) == {("conv-bn", reason): 1}
    assert not report.changed
    assert print_module(module) == before
    (remark,) = ctx.sink.diagnostics
    assert remark.category == "missed"
    assert reason in remark.message


def test_a_convolution_of_integers_is_left_alone():
    text = """
    ge.graph @g(%x: tensor<1x4x6x6xi8>, %g: tensor<8xf32>) {
      %w = ge.Const() {value = #ge.weight<"w">} : tensor<8x4x3x3xi8>
      %c = ge.Conv2D(%x, %w) {strides = [1, 1, 1, 1], pads = [1, 1, 1, 1], data_format = "NCHW"} : tensor<1x8x6x6xi32>
      %f = ge.Cast(%c) {dst_type = 0} : tensor<1x8x6x6xf32>
      %y = ge.BNInfer(%f, %g, %g, %g, %g) {epsilon = 0.01} : tensor<1x8x6x6xf32>
      ge.NetOutput(%y)
    }
    """  # noqa: E501
    module = parse_module(text)
    assert not ConvBnFold().run(module, PassContext()).changed


@pytest.mark.parametrize(
    "reason", ["the normalisation is in training mode", "the data formats differ"]
)
def test_a_precondition_is_needed(reason):
    """Without the precondition the fold gives other values (or graphs that do not verify)."""
    module = parse_module(near_miss(reason))
    weights = store((8, 4, 3, 3))
    g = module.body.block.first_op
    x = np.random.default_rng(1).standard_normal(g.args[0].type.get_shape()).astype(np.float32)
    before = evaluate_graph(g, [x], weights).outputs[0]
    ignored = frozenset({("conv-bn", reason)})
    apply_patterns(module, [FoldConvBn(Folder(weights))], PassContext(), ignored=ignored)
    after = evaluate_graph(g, [x], weights).outputs[0]
    assert np.abs(before - after).max() > 1e-3


def test_nodes_bound_to_an_engine_fold_into_a_model_that_compiles():
    from ge_dialect.api import Model
    from passes import run_pipeline

    engine = ', ge.engine = "AIcoreEngine"'
    module = parse_module(graph(conv_attrs=engine, norm_attrs=engine))
    text = print_module(run_pipeline(Model(module, store((8, 4, 3, 3))), "ge-default").module)
    assert "rt.kernel" in text
    assert "BN" not in text


def test_large_splats_in_the_text_fold_into_short_recipes():
    text = graph(w=(8, 64, 3, 3), x=(1, 64, 6, 6))
    for name, shape in {"w": "8x64x3x3", **dict.fromkeys(NAMES, "8")}.items():
        held = f"dense<0.5> : tensor<{shape}xf32>"
        text = text.replace(f'#ge.weight<"{name}">', held)
    x = np.random.default_rng(0).standard_normal((1, 64, 6, 6)).astype(np.float32)
    module = check(text, WeightStore({}), x, 1e-5)
    assert "splat(0.5, [8, 64, 3, 3], f32)" in print_module(module)
    assert max(map(len, print_module(module).splitlines())) < 500


def test_large_different_elements_in_the_text_are_not_spelt_out():
    from xdsl.dialects.builtin import f32

    from ge_dialect.ir.dense import dense_from_numpy

    module = parse_module(graph(w=(8, 64, 3, 3), x=(1, 64, 6, 6)))
    values = np.arange(8 * 64 * 9, dtype=np.float32).reshape(8, 64, 3, 3)
    const = module.body.block.first_op.body.first_op
    const.properties["value"] = dense_from_numpy(values, f32)
    assert not ConvBnFold().run(module, PassContext(weights=store((8, 64, 3, 3)))).changed
