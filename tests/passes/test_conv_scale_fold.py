"""Factors and summands per channel: values and every precondition."""

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
from passes.fuse.conv_scale_fold import ConvScaleFold, FoldConvScale
from passes.rewriting import apply_patterns

LAYOUTS = {
    "NCHW": ((1, 4, 5, 5), (8, 4, 1, 1), (1, 8, 5, 5)),
    "NHWC": ((1, 5, 5, 4), (1, 1, 4, 8), (1, 5, 5, 8)),
}


def t(dims, kind="f32") -> str:
    return f"tensor<{'x'.join([*map(str, dims), kind])}>"


def graph(
    node: str = "Mul(%c, %k)",
    k: tuple[int, ...] = (8, 1, 1),
    data_format: str = "NCHW",
    kind: str = "f32",
    bias: bool = False,
    attrs: str = "",
    ends: str = "%y",
    extra: str = "",
    args: str = "",
    pin: str = "",
    done: str = "",
) -> str:
    x, w, y = LAYOUTS[data_format]
    b = f'  %b = ge.Const() {{value = #ge.weight<"b">}} : {t((8,), kind)}\n' if bias else ""
    const = (
        ""
        if "%k" in args
        else f'  %k = ge.Const() {{value = #ge.weight<"k">{pin}}} : {t(k, kind)}\n'
    )
    return f"""ge.graph @g(%x: {t(x, kind)}{args}) {{
  %w = ge.Const() {{value = #ge.weight<"w">}} : {t(w, kind)}
{const}{b}  %c{done} = ge.Conv2D(%x, %w{", bias = %b" if bias else ""}) {{strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "{data_format}"}} : {t(y, kind)}{", !ge.ctrl" if done else ""}
{extra}  %y = ge.{node} {attrs}: {t(y, kind)}
  ge.NetOutput({ends})
}}
"""  # noqa: E501


def weights(k, data_format="NCHW", dtype=np.float32) -> WeightStore:
    rng = np.random.default_rng(2)
    return WeightStore(
        {
            "w": rng.standard_normal(LAYOUTS[data_format][1]).astype(dtype),
            "k": rng.uniform(0.5, 2, k).astype(dtype),
            "b": rng.standard_normal(8).astype(dtype),
        }
    )


CASES = [
    ("Mul(%c, %k)", (8, 1, 1), "NCHW"),
    ("Mul(%k, %c)", (1, 8, 1, 1), "NCHW"),
    ("Mul(%c, %k)", (1,), "NCHW"),
    ("Mul(%c, %k)", (), "NCHW"),
    ("Add(%c, %k)", (8, 1, 1), "NCHW"),
    ("Add(%k, %c)", (1, 1, 1, 1), "NCHW"),
    ("Sub(%c, %k)", (8, 1, 1), "NCHW"),
    ("Mul(%c, %k)", (8,), "NHWC"),
    ("Add(%c, %k)", (1, 1, 1, 8), "NHWC"),
    ('BiasAdd(%c, %k) {data_format = "NCHW"}', (8,), "NCHW"),
    ("BiasAdd(%c, %k)", (8,), "NHWC"),
]


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize(
    ("kind", "dtype", "tolerance"), [("f32", np.float32, 1e-6), ("f16", np.float16, 4e-3)]
)
@pytest.mark.parametrize(("node", "k", "data_format"), CASES)
def test_values(node, k, data_format, kind, dtype, tolerance, bias):
    module = parse_module(graph(node, k, data_format, kind, bias))
    assert not verify(module)
    g = module.body.block.first_op
    store = weights(k, data_format, dtype)
    x = np.random.default_rng(5).standard_normal(LAYOUTS[data_format][0]).astype(dtype)
    before = evaluate_graph(g, [x], store).outputs[0]
    result = ConvScaleFold().run(module, PassContext(weights=store))
    assert result.counters == {"conv-scale": 1}, print_module(module)
    assert not verify(module)
    after = evaluate_graph(g, [x], store).outputs[0]
    assert after.dtype == before.dtype
    a, b = before.astype(np.float64), after.astype(np.float64)
    assert np.abs(a - b).max() <= tolerance * np.abs(a).max()


PINNED = ", ge.attr.no_need_constant_folding"
NEAR_MISSES = {
    "the other operand is no constant": graph(args=", %k: tensor<8x1x1xf32>"),
    "the constant is not one value per channel": graph(k=(5,)),
    "the constant stretches the result of the convolution": graph().replace(
        "tensor<1x8x5x5xf32>\n  %y", "tensor<1x1x5x5xf32>\n  %y"
    ).replace('"w">} : tensor<8x4x1x1xf32>', '"w">} : tensor<1x4x1x1xf32>'),
    "a node is marked no_need_constant_folding": graph(pin=PINNED),
    "the result of the convolution has other users": graph(ends="%y, %c"),
    "another node waits for the convolution": graph(
        done=", %d", extra="  ge.Print(%x) after(%d)\n"
    ),
}  # fmt: skip


@pytest.mark.parametrize("reason", NEAR_MISSES)
def test_near_misses_give_their_reason(reason):
    module = parse_module(NEAR_MISSES[reason])
    problems = verify(module)
    assert not problems, problems[0].render()
    before = print_module(module)
    report = apply_patterns(module, [FoldConvScale(Folder())], PassContext())
    assert dict(report.missed) == {("conv-scale", reason): 1}
    assert print_module(module) == before


def test_a_constant_minus_the_convolution_stays():
    module = parse_module(graph("Sub(%k, %c)"))
    assert not ConvScaleFold().run(module, PassContext()).changed


def test_a_filter_of_integers_takes_no_factor():
    """It would be rounded and saturate: 3 * 1000 is no int8."""
    text = """
        ge.graph @g(%x: tensor<1x3x4x4xi8>) {
          %w = ge.Const() {value = dense<3> : tensor<2x3x1x1xi8>} : tensor<2x3x1x1xi8>
          %k = ge.Const() {value = dense<1000> : tensor<2x1x1xi32>} : tensor<2x1x1xi32>
          %c = ge.Conv2D(%x, %w) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW"} : tensor<1x2x4x4xi32>
          %y = ge.Mul(%c, %k) : tensor<1x2x4x4xi32>
          ge.NetOutput(%y)
        }"""  # noqa: E501
    module = parse_module(text)
    report = apply_patterns(module, [FoldConvScale(Folder())], PassContext())
    assert dict(report.missed) == {("conv-scale", "the filter holds no floats"): 1}
