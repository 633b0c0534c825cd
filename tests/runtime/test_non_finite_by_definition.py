"""NaN and infinities by the definition of an operator: golden function and device, worked by hand.

`docs/numerics.md`, "NaN, infinities, zeros", states the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from ge_dialect.api import evaluate, parse
from ge_dialect.diagnostics import GeError
from passes.manager import run_pipeline
from runtime.api import simulate

INF, NAN = np.inf, np.nan
Case = tuple[str, Sequence[tuple[str, Any]], Any]


def image(rows: Any) -> Any:
    """[1, 1, H, W]."""
    return [[rows]]


#: The operator with its operands as %0, %1 …; types and values of these; the first result.
CASES: dict[str, Case] = {
    "a weight of zero multiplies": (
        'ge.Conv2D(%0, %1) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW"}'
        " : tensor<1x1x1x3xf32>",
        [("1x1x1x3xf32", image([[INF, 2, NAN]])), ("1x1x1x1xf32", [[[[0]]]])],
        image([[NAN, 0, NAN]]),
    ),
    "an element outside of the window is not read": (
        'ge.Conv2D(%0, %1) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW"}'
        " : tensor<1x1x1x3xf32>",
        [("1x1x1x4xf32", image([[INF, 2, 3, 4]])), ("1x1x1x2xf32", [[[[1, 1]]]])],
        image([[INF, 5, 7]]),
    ),
    "what no filter reaches stays zero": (
        "ge.Conv2DTransposeD(%0, %1) {input_size = [0, 0, 0, 0], strides = [1, 1, 1, 2],"
        ' pads = [0, 0, 0, 0], data_format = "NCHW"} : tensor<1x1x1x3xf32>',
        [("1x1x1x2xf32", image([[1, 2]])), ("1x1x1x1xf32", [[[[INF]]]])],
        image([[INF, 0, INF]]),
    ),
    "what is added to a lane stays in it": (
        "ge.BasicRNNCell(%0, w_xh_x_static = %1, w_xh = %2, bias_h = %3, w_ho = %4, bias_o = %5)"
        " : tensor<1x1xf32>, tensor<1x2xf32>",
        [
            ("1x1xf16", [[1]]),
            ("1x2xf16", [[INF, 0]]),
            ("1x2xf16", [[1, 2]]),
            ("2xf32", [0, 0]),
            ("2x1xf16", [[1], [2]]),
            ("1xf32", [0]),
        ],
        [[np.tanh(1 + 2 * np.tanh(2))]],
    ),
    "a mean reads its window": (
        "ge.AdaptiveAvgPool2d(%0) {output_size = [1, 2]} : tensor<1x1x2xf32>",
        [("1x1x4xf32", [[[INF, 1, 2, 4]]])],
        [[[INF, 3]]],
    ),
    "a lost transform is NaN throughout, another one is not": (
        "ge.HostDFT(%0) : tensor<2x2x2xf32>",
        [("2x2x1xf32", [[[INF], [1]], [[1], [2]]])],
        [[[NAN, NAN], [NAN, NAN]], [[3, 0], [-1, 0]]],
    ),
    "both neighbours of a place are read": (
        'ge.Resize(%0, scales = %1) {mode = "linear",'
        ' coordinate_transformation_mode = "asymmetric"} : tensor<8xf32>',
        [("4xf32", [1, INF, 3, 5]), ("1xf32", [2])],
        [NAN, INF, INF, INF, 3, 4, 5, 5],
    ),
    "a place without elements is zero": (
        'ge.GridSampler2D(%0, %1) {align_corners = true, interpolation_mode = "bilinear",'
        ' padding_mode = "zeros"} : tensor<1x1x1x4xf32>',
        [
            ("1x1x2x2xf32", image([[1, 2], [3, INF]])),
            ("1x1x4x2xf32", [[[[-1, -1], [NAN, 0], [INF, -1], [1, 1]]]]),
        ],
        image([[NAN, 0, 0, INF]]),
    ),
    "boxes do not see beyond them": (
        "ge.ROIAlign(%0, %1) {spatial_scale = 1.0, pooled_height = 1, pooled_width = 1,"
        " sample_num = 1, roi_end_mode = 0} : tensor<1x1x1x1xf32>",
        [
            ("1x1x3x3xf32", image([[1, 2, INF], [3, 4, NAN], [INF, INF, INF]])),
            ("1x5xf32", [[0, 0, 0, 1, 1]]),
        ],
        image([[2.5]]),
    ),
    "statistics of an infinity": (
        "ge.LayerNormV4(%0, %1) : tensor<2x2xf32>, tensor<2x1xf32>, tensor<2x1xf32>",
        [("2x2xf32", [[INF, 1], [2, 2]]), ("1xi64", [2])],
        [[NAN, NAN], [0, 0]],
    ),
    "a row of a softmax with an infinity": (
        "ge.ScaledMaskedSoftmax(%0, mask = %1) : tensor<3x3xf32>",
        [
            ("3x3xf32", [[INF, 0, 0], [0, NAN, 0], [0, 0, INF]]),
            ("3x3xi1", [[0, 0, 0], [0, 1, 0], [0, 0, 0]]),
        ],
        [[NAN, NAN, NAN], [0.5, 0, 0.5], [NAN, NAN, NAN]],
    ),
    "a key left out is not read": (
        "ge.PromptFlashAttention(%0, %1, %1, atten_mask = %2) {num_heads = 1} : tensor<1x2x1xf32>",
        [
            ("1x2x1xf32", [[[0], [0]]]),
            ("1x2x1xf32", [[[3], [INF]]]),
            ("1x2x2xi1", [[[0, 1], [0, 0]]]),
        ],
        [[[3], [NAN]]],
    ),
    "the ends of a line are its ends": (
        "ge.LinSpace(%0, %1, %2) : tensor<3xf32>",
        [("f32", INF), ("f32", 1), ("i64", 3)],
        [INF, NAN, 1],
    ),
    "a difference comes first": (
        "ge.Lerp(%0, %1, %2) : tensor<2xf32>",
        [("2xf32", [INF, 1]), ("2xf32", [1, INF]), ("1xf32", [0.5])],
        [NAN, INF],
    ),
    "a determinant with an infinity": (
        "ge.MatrixDeterminant(%0) : tensor<2xf32>",
        [("2x2x2xf32", [[[INF, 0], [0, 1]], [[1, 2], [0, 3]]])],
        [NAN, 3],
    ),
}


def _graph(op: str, operands: Sequence[tuple[str, Any]]) -> str:
    """Inputs that decide about shapes are weights, which a pipeline asks for."""
    fixed = {"i64"} | {t for t, _ in operands if t.startswith("1x") and t.endswith("i64")}
    head = ", ".join(f"%{i}: tensor<{t}>" for i, (t, _) in enumerate(operands) if t not in fixed)
    lines = []
    for i, (t, value) in enumerate(operands):
        if t in fixed:
            lines.append(
                f"%{i} = ge.Const() {{value = dense<{value}> : tensor<{t}>}} : tensor<{t}>"
            )
    count = len(op.rsplit(" : ", 1)[1].split("tensor<")) - 1
    names = [f"%r{i}" for i in range(count)]
    lines += [f"{', '.join(names)} = {op}", f"ge.NetOutput({names[0]})"]
    return f"ge.graph @g({head}) {{\n  " + "\n  ".join(lines) + "\n}"


_DTYPES = {"f32": np.float32, "f16": np.float16, "i64": np.int64, "i1": np.bool_}


def _arrays(operands: Sequence[tuple[str, Any]], text: str) -> list[np.ndarray]:
    given = []
    for i, (t, value) in enumerate(operands):
        if f"%{i}: " in text:
            given.append(np.array(value, _DTYPES[t.split("x")[-1]]))
    return given


@pytest.mark.parametrize("name", CASES)
def test_golden_and_device_follow_the_definition(name: str) -> None:
    op, operands, want = CASES[name]
    text = _graph(op, operands)
    given = _arrays(operands, text)
    golden = evaluate(parse(text), given).outputs[0]
    np.testing.assert_allclose(golden, np.array(want), rtol=1e-6, atol=1e-12, err_msg="golden")
    model = parse(text)
    run_pipeline(model.module, "ge-default")
    found = simulate(model, given).outputs[0]
    np.testing.assert_allclose(found, np.array(want), rtol=1e-6, atol=1e-12, err_msg="device")


def test_a_box_or_a_weight_of_a_draw_must_be_finite() -> None:
    op, operands, _ = CASES["boxes do not see beyond them"]
    text = _graph(op, operands)
    given = _arrays(operands, text)
    given[1][0, 1] = NAN
    with pytest.raises(GeError, match="box"):
        evaluate(parse(text), given)
    model = parse(text)
    run_pipeline(model.module, "ge-default")
    with pytest.raises(GeError, match="box"):
        simulate(model, given)


_WINDOW = 'strides = [1, 1, 1, 1], pads = [1, 1, 1, 1], data_format = "NCHW"'
#: Types of the inputs, operator and its result: channels do not fill the blocks of the layout.
BLOCKED = {
    "convolution": (["1x3x4x4", "5x3x3x3"], f"ge.Conv2D(%0, %1) {{{_WINDOW}}}", "1x5x4x4"),
    "groups": (["1x6x4x4", "4x3x3x3"], f"ge.Conv2D(%0, %1) {{groups = 2, {_WINDOW}}}", "1x4x4x4"),
    "one by one": (["1x6x4x4", "6x1x3x3"], f"ge.DepthwiseConv2D(%0, %1) {{{_WINDOW}}}", "1x6x4x4"),
    "statistics": (
        ["1x6x4x4", *["6"] * 4],
        "ge.BNInfer(%0, %1, %2, %3, %4) {epsilon = 1.0}",
        "1x6x4x4",
    ),
}


@pytest.mark.parametrize("name", BLOCKED)
def test_lanes_that_fill_a_block_meet_nothing(name: str) -> None:
    inputs, op, result = BLOCKED[name]
    head = ", ".join(f"%{i}: tensor<{t}xf32>" for i, t in enumerate(inputs))
    body = f"%y = {op} : tensor<{result}xf32>\n  %z = ge.Relu(%y) : tensor<{result}xf32>"
    text = f"ge.graph @g({head}) {{\n  {body}\n  ge.NetOutput(%z)\n}}"
    model = parse(text)
    run_pipeline(model.module, "ge-default")
    rng = np.random.default_rng(5)
    for special in (NAN, INF, -INF):
        for spoilt in range(len(inputs)):
            given = [
                rng.integers(-2, 3, [int(d) for d in t.split("x")]).astype(np.float32)
                for t in inputs
            ]
            given[spoilt].reshape(-1)[rng.integers(given[spoilt].size)] = special
            want, got = evaluate(parse(text), given).outputs[0], simulate(model, given).outputs[0]
            np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-5)
