"""Faults that other graph compilers and earlier versions of this one had, as far as the operators
of today can express them. Each graph must give the right value before any pass, after the pass
under test alone, after all passes on graphs, and on the simulated device after the whole pipeline;
or it must give the right diagnostic.
"""

from __future__ import annotations

import subprocess
import sys

import ml_dtypes
import numpy as np
import pytest

from ge_dialect.api import Model, evaluate, parse
from ge_dialect.diagnostics import ExitCode, GeError
from ge_dialect.ir.verifier import verify
from passes.context import PassContext
from passes.manager import run_pipeline
from passes.testing.compare import same_bits
from runtime.api import simulate

#: All stages that work on graphs.
GRAPH_STAGES = "prepare,fuse,format-prepare,format,stage1,partition,subgraph,stage2"
NAN, INF = float("nan"), float("inf")
F32, F16, F64, I32, I64, U8 = (
    np.dtype(n) for n in ("float32", "float16", "float64", "int32", "int64", "uint8")
)


def arr(values, dtype=F32):
    return np.array(values, dtype)


def model_of(text, weights=None):
    module = parse(text).module
    from ge_dialect.weights.store import WeightStore

    return Model(module, WeightStore(weights or {}))


def nodes(model, *types):
    return [op for op in model.module.walk() if op.name.removeprefix("ge.") in types]


def agree(found, expected, tolerance):
    assert len(found) == len(expected)
    for a, b in zip(found, expected, strict=True):
        assert a.dtype == b.dtype
        assert a.shape == b.shape
        if tolerance is None:
            assert same_bits(a, b).all(), (a, b)
        else:
            np.testing.assert_allclose(a.astype(F64), b.astype(F64), rtol=tolerance, atol=tolerance)


def right(text, inputs, expected, *, alone, tolerance=None, weights=None, device=True):
    """The values are right four ways; returns the model after the pass alone."""
    agree(evaluate(model_of(text, weights), inputs).outputs, expected, tolerance)
    single = model_of(text, weights)
    run_pipeline(single, alone, reproducer=False)
    agree(evaluate(single, inputs).outputs, expected, tolerance)
    whole = model_of(text, weights)
    run_pipeline(whole, GRAPH_STAGES, reproducer=False)
    agree(evaluate(whole, inputs).outputs, expected, tolerance)
    if device:
        agree(simulate(model_of(text, weights), inputs).outputs, expected, tolerance)
    return single


def graph(arguments, body, results):
    lines = "\n".join(f"  {line}" for line in body.strip().splitlines())
    return f"ge.graph @g({arguments}) {{\n{lines}\n  ge.NetOutput({results})\n}}\n"


def diagnosed(text, *, contains, pipeline=GRAPH_STAGES):
    """The graph is refused with a message that says what is wrong."""
    with pytest.raises(GeError) as caught:
        run_pipeline(model_of(text), pipeline, reproducer=False)
    said = " ".join(d.render() for d in caught.value.diagnostics)
    assert contains in said, said
    assert caught.value.exit_code != ExitCode.INTERNAL
    return caught.value.diagnostics


# ------------------------------------------------------------------------------ constant folding


@pytest.mark.parametrize(
    ("mlir", "dtype"), [("i64", I64), ("f16", F16), ("ui8", U8), ("f64", F64), ("f32", F32)]
)
def test_cf_01_slice_of_any_element_size(mlir, dtype):
    dot = "" if mlir[0] in "iu" else ".0"
    rows = f"[[1{dot}, 2{dot}, 3{dot}, 4{dot}], [5{dot}, 6{dot}, 7{dot}, 8{dot}]]"
    text = graph(
        "",
        f"""
%x = ge.Const() {{value = dense<{rows}> : tensor<2x4x{mlir}>}} : tensor<2x4x{mlir}>
%b = ge.Const() {{value = dense<[0, 1]> : tensor<2xi32>}} : tensor<2xi32>
%s = ge.Const() {{value = dense<2> : tensor<2xi32>}} : tensor<2xi32>
%y = ge.Slice(%x, %b, %s) : tensor<2x2x{mlir}>""",
        "%y",
    )
    after = right(text, [], [arr([[2, 3], [6, 7]], dtype)], alone="constant-folding", device=False)
    assert not nodes(after, "Slice")


def test_cf_01_slice_of_bools():
    text = graph(
        "",
        """
%x = ge.Const() {value = dense<[[true, false, true], [false, true, true]]> : tensor<2x3xi1>} : tensor<2x3xi1>
%y = ge.SliceD(%x) {offsets = [0, 1], size = [2, 2]} : tensor<2x2xi1>""",  # noqa: E501
        "%y",
    )
    expected = [arr([[False, True], [True, True]], np.dtype(bool))]
    right(text, [], expected, alone="constant-folding", device=False)


def test_cf_03_times_zero_keeps_nan():
    text = graph(
        "%x: tensor<3xf32>",
        """
%z = ge.Const() {value = dense<0.0> : tensor<3xf32>} : tensor<3xf32>
%y = ge.Mul(%x, %z) : tensor<3xf32>""",
        "%y",
    )
    right(text, [arr([NAN, INF, 1])], [arr([NAN, NAN, 0])], alone="constant-folding")


def test_cf_05_inverse_functions_overflow():
    text = graph(
        "%x: tensor<1xf32>, %z: tensor<1xf32>",
        """
%e = ge.Exp(%x) : tensor<1xf32>
%l = ge.Log(%e) : tensor<1xf32>
%s = ge.Square(%z) : tensor<1xf32>
%r = ge.Sqrt(%s) : tensor<1xf32>""",
        "%l, %r",
    )
    right(text, [arr([89]), arr([1e20])], [arr([INF]), arr([INF])], alone="stage1")


def test_cf_07_folding_has_a_size_limit_that_it_names():
    text = graph(
        "",
        """
%x = ge.Const() {value = dense<1.0> : tensor<1xf32>} : tensor<1xf32>
%n = ge.Const() {value = dense<[1048576]> : tensor<1xi64>} : tensor<1xi64>
%y = ge.Tile(%x, %n) : tensor<1048576xf32>""",
        "%y",
    )
    model = model_of(text)
    ctx = PassContext(remarks_enabled=True)
    report = run_pipeline(model, "constant-folding{max-bytes=1000000}", ctx=ctx)
    assert nodes(model, "Tile")
    assert report.counters()["constant-folding"]["above max-bytes"] == 1
    assert any("larger than max-bytes" in d.message for d in ctx.sink.diagnostics)


@pytest.mark.parametrize("shared", [False, True])
def test_cf_07_moves_of_large_constants_fold(shared):
    more = (
        "%z = ge.Relu(%c) : tensor<1024x1024xf32>" if shared else "%z = ge.Relu(%x) : tensor<f32>"
    )
    text = graph(
        "%x: tensor<f32>",
        f"""
%c = ge.Const() {{value = #ge.weight<"w">}} : tensor<1024x1024xf32>
%y = ge.TransposeD(%c) {{perm = [1, 0]}} : tensor<1024x1024xf32>
{more}""",
        "%y, %z",
    )
    held = np.arange(1 << 20, dtype=F32).reshape(1024, 1024)
    model = model_of(text, {"w": held})
    run_pipeline(model, "constant-folding")
    assert not nodes(model, "TransposeD")  # a recipe costs nothing, so both fold
    agree(evaluate(model, [arr(1)]).outputs[:1], [held.T], None)


@pytest.mark.parametrize("size", [10, 8000])
def test_cf_09_constant_of_the_wrong_size(size):
    raw = "0x" + "01" * size
    text = graph(
        "",
        f"""
%c = ge.Const() {{value = dense<"{raw}"> : tensor<1000xi32>}} : tensor<1000xi32>
%y = ge.TransposeD(%c) {{perm = [0]}} : tensor<1000xi32>""",
        "%y",
    )
    with pytest.raises(GeError) as caught:
        run_pipeline(model_of(text), GRAPH_STAGES)
    assert caught.value.exit_code in (ExitCode.USER, ExitCode.VERIFY)


def test_cf_11_folded_view_is_no_alias():
    text = graph(
        "%x: tensor<4xf32>",
        """
%v = ge.Variable() {value = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>} : !ge.ref<tensor<4xf32>>
%c = ge.Const() {value = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>} : tensor<4xf32>
%s = ge.Const() {value = dense<2> : tensor<2xi64>} : tensor<2xi64>
%y = ge.Reshape(%c, %s) : tensor<2x2xf32>
%a = ge.AssignAdd(%v, %x) : !ge.ref<tensor<4xf32>>
%r = ge.Read(%a) : tensor<4xf32>""",
        "%y, %r",
    )
    expected = [arr([[1, 2], [3, 4]]), arr([11, 12, 13, 14])]
    right(text, [arr([10] * 4)], expected, alone="constant-folding", device=False)


@pytest.mark.parametrize("n", [3, 5])
def test_cf_13_unknown_dim_stays_open(n):
    text = graph(
        "%x: tensor<?x4xf32>",
        """
%s = ge.Shape(%x) : tensor<2xi32>
%i = ge.Const() {value = dense<[0]> : tensor<1xi32>} : tensor<1xi32>
%d = ge.Gather(%s, %i) : tensor<1xi32>
%t = ge.Const() {value = dense<2> : tensor<2xi32>} : tensor<2xi32>
%c = ge.ConcatD([%d, %t]) {concat_dim = 0, N = 2} : tensor<3xi32>
%y = ge.Reshape(%x, %c) : tensor<?x2x2xf32>""",
        "%y",
    )
    x = np.arange(4 * n, dtype=F32).reshape(n, 4)
    for pipeline in ("prepare", "prepare,fuse,stage1,stage2"):
        model = model_of(text)
        run_pipeline(model, pipeline)
        agree(evaluate(model, [x]).outputs, [x.reshape(n, 2, 2)], None)


def test_cf_15_different_constants_stay_apart():
    text = graph(
        "%x: tensor<f32>, %y: tensor<f32>",
        """
%a = ge.Const() {value = dense<2.0> : tensor<f32>} : tensor<f32>
%b = ge.Const() {value = dense<4.0> : tensor<f32>} : tensor<f32>
%z = ge.Const() {value = dense<0.0> : tensor<f32>} : tensor<f32>
%n = ge.Const() {value = dense<"0x00000080"> : tensor<f32>} : tensor<f32>
%d = ge.RealDiv(%x, %a) : tensor<f32>
%m = ge.Mul(%y, %b) : tensor<f32>
%s = ge.Add(%d, %m) : tensor<f32>
%p = ge.RealDiv(%x, %z) : tensor<f32>
%q = ge.RealDiv(%x, %n) : tensor<f32>""",
        "%s, %p, %q",
    )
    expected = [arr(5), arr(INF), arr(-INF)]
    right(text, [arr(2), arr(1)], expected, alone="common-subexpression-elimination")


def test_cf_15_same_bytes_in_other_types_and_shapes_stay_apart():
    text = graph(
        "%x: tensor<2xf32>",
        """
%a = ge.Const() {value = dense<1> : tensor<1xi32>} : tensor<1xi32>
%b = ge.Const() {value = dense<1> : tensor<i32>} : tensor<i32>
%c = ge.Const() {value = dense<"0x01000000"> : tensor<1xf32>} : tensor<1xf32>""",
        "%x, %a, %b, %c",
    )
    model = model_of(text)
    run_pipeline(model, "cse")
    assert len(nodes(model, "Const")) == 3


def test_cf_17_integer_power_with_negative_exponent():
    """The documented rule, the same when folded and when run: the real result, truncated."""
    run = graph(
        "%x: tensor<3xi32>",
        """
%e = ge.Const() {value = dense<-1> : tensor<i32>} : tensor<i32>
%y = ge.Pow(%x, %e) : tensor<3xi32>""",
        "%y",
    )
    expected = [arr([1, 0, -1], I32)]
    right(run, [arr([1, 2, -1], I32)], expected, alone="stage1")
    held = "%x = ge.Const() {value = dense<[1, 2, -1]> : tensor<3xi32>} : tensor<3xi32>"
    folded = run.replace("%x: tensor<3xi32>", "").replace("  %e", f"  {held}\n  %e", 1)
    right(folded, [], expected, alone="constant-folding", device=False)


def test_cf_17_square_root_of_minus_infinity_is_one_rule():
    text = graph(
        "%x: tensor<1xf32>",
        """
%e = ge.Const() {value = dense<0.5> : tensor<1xf32>} : tensor<1xf32>
%y = ge.Pow(%x, %e) : tensor<1xf32>""",
        "%y",
    )
    given = [arr([-INF])]
    right(text, given, [arr([INF])], alone="stage1")


def test_cf_19_float_additions_keep_their_order():
    text = graph(
        "%x: tensor<f32>",
        """
%a = ge.Const() {value = dense<1.0e8> : tensor<f32>} : tensor<f32>
%b = ge.Const() {value = dense<1.0> : tensor<f32>} : tensor<f32>
%c = ge.Const() {value = dense<-1.0e8> : tensor<f32>} : tensor<f32>
%i = ge.Add(%b, %x) : tensor<f32>
%j = ge.Add(%a, %i) : tensor<f32>
%k = ge.Add(%j, %c) : tensor<f32>""",
        "%k",
    )
    right(text, [arr(0)], [arr(0)], alone="constant-folding")


def test_cf_21_neutral_elements_that_stretch():
    text = graph(
        "%x: tensor<1x3xf32>, %e: tensor<2x1xf32>, %p: tensor<2x3xf32>",
        """
%z = ge.Const() {value = dense<0.0> : tensor<2x3xf32>} : tensor<2x3xf32>
%a = ge.Add(%x, %z) : tensor<2x3xf32>
%t = ge.Const() {value = dense<[2, 3]> : tensor<2xi32>} : tensor<2xi32>
%b = ge.BroadcastTo(%e, %t) : tensor<2x3xf32>
%u = ge.Const() {value = dense<[3, 2]> : tensor<2xi32>} : tensor<2xi32>
%r = ge.Reshape(%p, %u) : tensor<3x2xf32>""",
        "%a, %b, %r",
    )
    x, e, p = arr([[1, 2, 3]]), arr([[4], [5]]), np.arange(6, dtype=F32).reshape(2, 3)
    expected = [np.repeat(x, 2, 0), np.repeat(e, 3, 1), p.reshape(3, 2)]
    right(text, [x, e, p], expected, alone="prepare")


def test_cf_21_mixed_dtypes_are_diagnosed():
    text = graph(
        "%x: tensor<3xi32>",
        """
%o = ge.Const() {value = dense<1.0> : tensor<f32>} : tensor<f32>
%y = ge.Mul(%x, %o) : tensor<3xi32>""",
        "%y",
    )
    found = diagnosed(text, contains="dtype")
    assert any(d.node == "y" for d in found)


def test_cf_23_transposed_addend_settles():
    text = graph(
        "%a: tensor<2x3xf32>, %b: tensor<3x2xf32>, %c: tensor<2x2xf32>",
        """
%m = ge.MatMul(%a, %b) : tensor<2x2xf32>
%t = ge.TransposeD(%c) {perm = [1, 0]} : tensor<2x2xf32>
%y = ge.Add(%m, %t) : tensor<2x2xf32>""",
        "%y",
    )
    a, b, c = (np.arange(n, dtype=F32) for n in (6, 6, 4))
    a, b, c = a.reshape(2, 3), b.reshape(3, 2), c.reshape(2, 2)
    right(text, [a, b, c], [a @ b + c.T], alone="fix(stage1)")


# ------------------------------------------------------------------------- common subexpressions


@pytest.mark.parametrize("seed", [0, 7])
def test_cs_01_random_nodes_stay_apart(seed):
    text = graph(
        "",
        f"""
%s = ge.Const() {{value = dense<4> : tensor<1xi32>}} : tensor<1xi32>
%a = ge.RandomStandardNormal(%s) {{dtype = f32, seed = {seed}, seed2 = {seed}}} : tensor<4xf32>
%b = ge.RandomStandardNormal(%s) {{dtype = f32, seed = {seed}, seed2 = {seed}}} : tensor<4xf32>""",
        "%a, %b",
    )
    for pipeline in ("cse", GRAPH_STAGES):
        model = model_of(text)
        run_pipeline(model, pipeline)
        assert len(nodes(model, "RandomStandardNormal")) == 2
        if not seed:
            a, b = evaluate(model, []).outputs
            assert (a != b).any()


def test_cs_03_equal_destinations_stay_apart():
    """Two variables of one type and value, each written by another node."""
    text = graph(
        "%x: tensor<2xf32>",
        """
%p = ge.Variable() {value = dense<0.0> : tensor<2xf32>} : !ge.ref<tensor<2xf32>>
%q = ge.Variable() {value = dense<0.0> : tensor<2xf32>} : !ge.ref<tensor<2xf32>>
%n = ge.Neg(%x) : tensor<2xf32>
%a = ge.Assign(%p, %x) : !ge.ref<tensor<2xf32>>
%b = ge.Assign(%q, %n) : !ge.ref<tensor<2xf32>>
%r = ge.Read(%a) : tensor<2xf32>
%s = ge.Read(%b) : tensor<2xf32>""",
        "%r, %s",
    )
    x = arr([1, 2])
    right(text, [x], [x, -x], alone="cse", device=False)


CS_05 = {
    "keep_dims": (
        "%a = ge.ReduceSumD(%x) {axes = [0], keep_dims = true} : tensor<1x3xf32>",
        "%b = ge.ReduceSumD(%x) {axes = [0], keep_dims = false} : tensor<3xf32>",
    ),
    "cast": (
        "%a = ge.Cast(%x) {dst_type = 1} : tensor<2x3xf16>",
        "%b = ge.Cast(%x) {dst_type = 11} : tensor<2x3xf64>",
    ),
    "sorted": (
        "%a, %ai = ge.TopKV2(%x, %k) {sorted = true} : tensor<2x1xf32>, tensor<2x1xi32>",
        "%b, %bi = ge.TopKV2(%x, %k) {sorted = false} : tensor<2x1xf32>, tensor<2x1xi32>",
    ),
    "dtype": (
        "%a = ge.ArgMaxV2(%x, %k) {dtype = i32} : tensor<2xi32>",
        "%b = ge.ArgMaxV2(%x, %k) {dtype = i64} : tensor<2xi64>",
    ),
}


@pytest.mark.parametrize("case", CS_05)
def test_cs_05_attributes_tell_nodes_apart(case):
    one, two = CS_05[case]
    text = graph(
        "%x: tensor<2x3xf32>",
        f"%k = ge.Const() {{value = dense<1> : tensor<i32>}} : tensor<i32>\n{one}\n{two}",
        "%a, %b",
    )
    model = model_of(text)
    before = len(list(model.module.walk()))
    run_pipeline(model, "cse")
    assert len(list(model.module.walk())) == before


def test_cs_05_equal_nodes_merge_and_keep_both_origins():
    text = graph(
        "%x: tensor<2xf32>",
        '%a = ge.Relu(%x) {my.note = "left"} : tensor<2xf32>\n%b = ge.Relu(%x) : tensor<2xf32>',
        "%a, %b",
    )
    model = model_of(text)
    run_pipeline(model, "cse")
    (kept,) = nodes(model, "Relu")
    assert set(kept.ge_origins) == {"a", "b"}
    x = arr([-1, 1])
    right(text, [x], [arr([0, 1])] * 2, alone="cse")


# ----------------------------------------------------------------------------------------- casts


def casts(source, middle, back, numbers):
    dims = "4x"
    return graph(
        f"%x: tensor<{dims}{source}>",
        f"""
%a = ge.Cast(%x) {{dst_type = {numbers[0]}}} : tensor<{dims}{middle}>
%b = ge.Cast(%a) {{dst_type = {numbers[1]}}} : tensor<{dims}{back}>""",
        "%b",
    )


def test_ce_01_float_to_int_and_back():
    x = arr([0.3, 1.7, -0.4, -1.6])
    text = casts("f32", "i32", "f32", (3, 0))
    expected = [arr([0, 1, 0, -1])]
    right(text, [x], expected, alone="cast-remove,transop-symmetry-elimination")


def test_ce_01_floor_idiom():
    text = graph(
        "%x: tensor<4xf32>",
        """
%c = ge.Const() {value = dense<64.0> : tensor<f32>} : tensor<f32>
%p = ge.Add(%x, %c) : tensor<4xf32>
%a = ge.Cast(%p) {dst_type = 9} : tensor<4xi64>
%b = ge.Cast(%a) {dst_type = 0} : tensor<4xf32>
%y = ge.Sub(%b, %c) : tensor<4xf32>""",
        "%y",
    )
    right(text, [arr([0.3, 1.7, -0.4, -1.6])], [arr([0, 1, -1, -2])], alone="stage1")


def test_ce_03_through_half_precision():
    x = arr([1e-12, 1.234567e5, 1, -2])
    text = casts("f32", "f16", "f32", (1, 0))
    right(text, [x], [arr([0, INF, 1, -2])], alone="cast-remove,transop-symmetry-elimination")


@pytest.mark.parametrize(
    ("source", "middle", "numbers", "x"),
    [
        ("f16", "f32", (0, 1), arr([1.5, -0.0, NAN, 6e-8], F16)),
        ("ui8", "i32", (3, 4), arr([0, 255, 1, 128], U8)),
        ("f32", "f32", (0, 0), arr([1, 2, 3, 4])),
        ("f32", "f64", (11, 0), arr([1e-40, 3.4e38, -0.0, 0.1])),
    ],
)
def test_ce_07_lossless_casts_go(source, middle, numbers, x):
    text = casts(source, middle, source, numbers)
    after = right(text, [x], [x], alone="cast-remove,transop-symmetry-elimination")
    left = nodes(after, "Cast")
    assert not [c for c in left if c.operands[0].type != c.results[0].type]
    assert len(left) == 0


def test_ce_09_casts_between_layout_conversions():
    layout = "#ge.layout<NC1HWC0>"
    text = graph(
        "%x: tensor<1x16x2x2xf16>",
        f"""
%a = ge.TransData(%x) {{src_format = "NCHW", dst_format = "NC1HWC0"}} : tensor<1x16x2x2xf16, {layout}>
%b = ge.TransData(%a) {{src_format = "NC1HWC0", dst_format = "NCHW"}} : tensor<1x16x2x2xf16>
%c = ge.Cast(%b) {{dst_type = 0}} : tensor<1x16x2x2xf32>
%t = ge.TransposeD(%c) {{perm = [0, 2, 3, 1]}} : tensor<1x2x2x16xf32>
%d = ge.Cast(%t) {{dst_type = 1}} : tensor<1x2x2x16xf16>
%y = ge.Relu(%d) : tensor<1x2x2x16xf16>""",  # noqa: E501
        "%y",
    )
    x = (np.arange(64) - 20).astype(F16).reshape(1, 16, 2, 2)
    right(text, [x], [np.maximum(x.transpose(0, 2, 3, 1), 0)], alone="stage1", device=False)


def test_ce_11_float_to_int8_saturates_everywhere():
    values = [300.0, -300.0, 127.5, NAN]
    expected = [arr([127, -128, 127, 0], np.dtype("int8"))]
    folded = graph(
        "",
        """
%c = ge.Const() {value = dense<"0x0000964300009 6C30000FF420000C07F"> : tensor<4xf32>} : tensor<4xf32>
%y = ge.Cast(%c) {dst_type = 2} : tensor<4xi8>""".replace("9 6", "96"),  # noqa: E501
        "%y",
    )
    right(folded, [], expected, alone="constant-folding", device=False)
    run = graph("%x: tensor<4xf32>", "%y = ge.Cast(%x) {dst_type = 2} : tensor<4xi8>", "%y")
    right(run, [arr(values)], expected, alone="stage1")


def test_pr_05_multiply_and_add_round_twice():
    a, w, b = (arr(v) for v in (-1.575527e9, -552544768, 1765214720))
    text = graph(
        "%a: tensor<f32>, %w: tensor<f32>, %b: tensor<f32>",
        "%m = ge.Mul(%a, %w) : tensor<f32>\n%y = ge.Add(%m, %b) : tensor<f32>",
        "%y",
    )
    right(text, [a, w, b], [arr(a * w) + b], alone=GRAPH_STAGES)


def test_pr_07_half_precision_sums_accumulate_in_single():
    x = np.full(10000, 1e-4, F16)
    text = graph("%x: tensor<10000xf16>", "%y = ge.ReduceSumD(%x) {axes = [0]} : tensor<f16>", "%y")
    expected = [np.asarray(x.astype(F32).sum(dtype=F64), F16)]
    assert abs(float(expected[0]) - 1.0002) < 1e-3
    right(text, [x], expected, alone="stage1", tolerance=1e-3)


# --------------------------------------------------------------------------- transposes, layouts


@pytest.mark.parametrize("a", [arr([[1, 2], [3, 4]]), np.arange(6, dtype=F32).reshape(3, 2)])
def test_tr_01_identity_transpose_before_matmul(a):
    n = a.shape[0]
    text = graph(
        f"%a: tensor<{n}x2xf32>, %w: tensor<2x2xf32>",
        f"""
%t = ge.TransposeD(%a) {{perm = [0, 1]}} : tensor<{n}x2xf32>
%m = ge.MatMul(%t, %w) : tensor<{n}x2xf32>
%z = ge.Const() {{value = dense<0.0> : tensor<2xf32>}} : tensor<2xf32>
%y = ge.Add(%m, %z) : tensor<{n}x2xf32>""",
        "%y",
    )
    right(text, [a, np.eye(2, dtype=F32)], [a], alone="unchanged-transpose-remove")


def test_tr_03_two_transposes_compose_in_order():
    text = graph(
        "%x: tensor<2x3x4xf32>",
        """
%a = ge.TransposeD(%x) {perm = [1, 0, 2]} : tensor<3x2x4xf32>
%b = ge.TransposeD(%a) {perm = [0, 2, 1]} : tensor<3x4x2xf32>""",
        "%b",
    )
    x = np.arange(24, dtype=F32).reshape(2, 3, 4)
    right(text, [x], [x.transpose(1, 2, 0)], alone="transop-symmetry-elimination")


def test_tr_05_shape_sees_the_inner_value():
    text = graph(
        "%a: tensor<3x2xf32>, %b: tensor<3x4xf32>",
        """
%t = ge.TransposeD(%a) {perm = [1, 0]} : tensor<2x3xf32>
%m = ge.MatMul(%t, %b) : tensor<2x4xf32>
%u = ge.TransposeD(%m) {perm = [1, 0]} : tensor<4x2xf32>
%s = ge.Shape(%m) : tensor<2xi32>""",
        "%u, %s",
    )
    a, b = np.arange(6, dtype=F32).reshape(3, 2), np.arange(12, dtype=F32).reshape(3, 4)
    right(text, [a, b], [(a.T @ b).T, arr([2, 4], I32)], alone="stage1")


@pytest.mark.parametrize(
    ("perm", "same"), [((1, 0, -1, -2), (1, 0, 3, 2)), ((0, -2, 1, -1), (0, 2, 1, 3))]
)
def test_tr_07_axes_counted_from_the_end(perm, same):
    x = np.arange(24, dtype=F32).reshape(1, 2, 3, 4)
    y = x.transpose(same)
    dims = "x".join(map(str, y.shape))
    text = graph(
        "%x: tensor<1x2x3x4xf32>",
        f"%y = ge.TransposeD(%x) {{perm = {list(perm)}}} : tensor<{dims}xf32>",
        "%y",
    )
    right(text, [x], [y], alone="unchanged-transpose-remove", device=False)


def test_tr_13_bias_of_the_last_axis():
    text = graph(
        "%x: tensor<2x3x4x5xf32>, %w: tensor<1x1x5x5xf32>",
        """
%c = ge.Conv2D(%x, %w) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NHWC"} : tensor<2x3x4x5xf32>
%b = ge.Const() {value = dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>} : tensor<5xf32>
%y = ge.Add(%c, %b) : tensor<2x3x4x5xf32>""",  # noqa: E501
        "%y",
    )
    x = np.arange(120, dtype=F32).reshape(2, 3, 4, 5)
    w = np.eye(5, dtype=F32).reshape(1, 1, 5, 5)
    right(text, [x, w], [x + arr([1, 2, 3, 4, 5])], alone="conv-scale-fold")


TR_15 = {
    "squeeze": ("%y = ge.Squeeze(%c) {axis = [0]} : tensor<3x4x4xf32>", lambda c: c[0]),
    "argmin": (
        "%k = ge.Const() {value = dense<1> : tensor<i32>} : tensor<i32>\n"
        "%y = ge.ArgMin(%c, %k) {dtype = i64} : tensor<1x4x4xi64>",
        lambda c: c.argmin(1),
    ),
    "slice": (
        "%y = ge.StridedSliceD(%c) {begin = [0, 1, 0, 0], end = [1, 3, 4, 4], "
        "strides = [1, 1, 1, 1]} : tensor<1x2x4x4xf32>",
        lambda c: c[:, 1:3],
    ),
    "concat": (
        "%y = ge.ConcatD([%c, %c]) {concat_dim = 1, N = 2} : tensor<1x6x4x4xf32>",
        lambda c: np.concatenate([c, c], 1),
    ),
}


@pytest.mark.parametrize("case", TR_15)
def test_tr_15_layouts_end_where_the_rank_changes(case):
    body, wanted = TR_15[case]
    text = graph(
        "%x: tensor<1x3x4x4xf32>, %w: tensor<3x3x1x1xf32>",
        "%c = ge.Conv2D(%x, %w) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], "
        f'data_format = "NCHW"}} : tensor<1x3x4x4xf32>\n{body}',
        "%y",
    )
    x = ((np.arange(48) * 7) % 11).astype(F32).reshape(1, 3, 4, 4)
    w = np.eye(3, dtype=F32)[::-1].reshape(3, 3, 1, 1).copy()
    right(text, [x, w], [wanted(x[:, ::-1])], alone="engine-claim,heavy-format-propagation")


def test_tr_17_logical_types_survive_layouts():
    text = graph(
        "%x: tensor<1x3x4x4xf16>, %w: tensor<5x3x1x1xf16>",
        "%c = ge.Conv2D(%x, %w) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], "
        'data_format = "NCHW"} : tensor<1x5x4x4xf16>\n%y = ge.Relu(%c) : tensor<1x5x4x4xf16>',
        "%y",
    )
    model = model_of(text)
    run_pipeline(model, "prepare,format")
    (conv,) = nodes(model, "Conv2D")
    assert tuple(conv.results[0].type.get_shape()) == (1, 5, 4, 4)
    (relu,) = nodes(model, "Relu")
    assert tuple(relu.results[0].type.get_shape()) == (1, 5, 4, 4)


def test_tr_19_input_straight_to_output():
    text = graph("%x: tensor<1x3x2x2xf32>, %y: tensor<2xi32>", "", "%y, %x, %y")
    x, y = np.arange(12, dtype=F32).reshape(1, 3, 2, 2), arr([1, 2], I32)
    right(text, [x, y], [y, x, y], alone="normalize-io")


# ---------------------------------------------------------------------------------------- fusion


def bn(name, source, scale, dims="1x2x2x2"):
    parts = [
        f"%{name}{k} = ge.Const() {{value = dense<{v}> : tensor<2xf32>}} : tensor<2xf32>"
        for k, v in (("s", scale), ("o", 0.0), ("m", 0.0), ("v", 1.0))
    ]
    call = ", ".join(f"%{name}{k}" for k in "somv")
    parts.append(f"%{name} = ge.BNInfer({source}, {call}) {{epsilon = 0.0}} : tensor<{dims}xf32>")
    return "\n".join(parts)


CONV = (
    "ge.Conv2D(%x, %w) {{strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], "
    'data_format = "NCHW"}} : tensor<1x2x2x2xf32>'
).replace("{{", "{").replace("}}", "}")  # fmt: skip
W = "%w = ge.Const() {value = dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32>} : tensor<2x2x1x1xf32>"  # noqa: E501


def convolved(x):
    w = arr([[1, 2], [3, 4]])
    return np.einsum("oc,nchw->nohw", w, x).astype(F32)


X = np.arange(8, dtype=F32).reshape(1, 2, 2, 2)


def test_fu_01_shared_filter():
    body = f"{W}\n%c = {CONV}\n%d = {CONV}\n{bn('p', '%c', 2.0)}\n{bn('q', '%d', 3.0)}"
    text = graph("%x: tensor<1x2x2x2xf32>", body, "%p, %q")
    expected = [2 * convolved(X), 3 * convolved(X)]
    right(text, [X], expected, alone="conv-bn-fold", tolerance=1e-6)


def test_fu_05_zero_padding_before_a_maximum():
    text = graph(
        "%x: tensor<1x1x2x2xf32>",
        """
%p = ge.PadD(%x) {paddings = [[0, 0], [0, 0], [1, 1], [1, 1]]} : tensor<1x1x4x4xf32>
%y = ge.MaxPoolV3(%p) {ksize = [1, 1, 3, 3], strides = [1, 1, 1, 1]} : tensor<1x1x2x2xf32>""",
        "%y",
    )
    x = np.full((1, 1, 2, 2), -1, F32)
    right(text, [x], [np.zeros((1, 1, 2, 2), F32)], alone="fuse")


def test_fu_07_addends_that_are_no_bias():
    text = graph(
        "%a: tensor<3x3xf32>, %b: tensor<3x1xf32>, %c: tensor<1x4xf32>, %k: tensor<2x3x3xf32>",
        """
%m = ge.MatMul(%a, %b) : tensor<3x1xf32>
%y = ge.Add(%m, %c) : tensor<3x4xf32>
%n = ge.BatchMatMul(%k, %a) : tensor<2x3x3xf32>""",
        "%y, %n",
    )
    a, b, c = np.arange(9, dtype=F32).reshape(3, 3), arr([[1], [2], [3]]), arr([[1, 2, 3, 4]])
    k = np.arange(18, dtype=F32).reshape(2, 3, 3)
    right(text, [a, b, c, k], [a @ b + c, k @ a], alone="fuse,stage1")


def test_fu_07_rank_0_factor():
    text = graph(
        "%s: tensor<f32>, %w: tensor<1x64xf32>",
        """
%o = ge.Const() {value = dense<1.0> : tensor<1xf32>} : tensor<1xf32>
%m = ge.Mul(%s, %o) : tensor<1xf32>
%r = ge.Unsqueeze(%m) {axes = [0]} : tensor<1x1xf32>
%p = ge.MatMul(%r, %w) : tensor<1x64xf32>
%y = ge.Squeeze(%p) {axis = [0]} : tensor<64xf32>""",
        "%y",
    )
    w = np.arange(64, dtype=F32).reshape(1, 64)
    right(text, [arr(2), w], [2 * w[0]], alone="stage1")


def test_fu_09_inner_value_is_an_output():
    text = graph(
        "%a: tensor<2x2xf32>, %b: tensor<2x2xf32>, %c: tensor<2xf32>",
        """
%m = ge.MatMul(%a, %b) : tensor<2x2xf32>
%s = ge.Add(%m, %c) : tensor<2x2xf32>
%y = ge.Relu(%s) : tensor<2x2xf32>""",
        "%s, %y",
    )
    a, b, c = arr([[1, 2], [3, 4]]), arr([[1, -1], [-2, 1]]), arr([0.5, 1])
    s = a @ b + c
    right(text, [a, b, c], [s, np.maximum(s, 0)], alone="fuse")


def test_fu_09_normalised_value_and_convolution_both_output():
    text = graph("%x: tensor<1x2x2x2xf32>", f"{W}\n%c = {CONV}\n{bn('p', '%c', 2.0)}", "%c, %p")
    right(text, [X], [convolved(X), 2 * convolved(X)], alone="conv-bn-fold", tolerance=1e-6)


def test_fu_11_concat_of_parts_in_another_order():
    text = graph(
        "%x: tensor<4xf32>",
        """
%a = ge.SliceD(%x) {offsets = [2], size = [2]} : tensor<2xf32>
%b = ge.SliceD(%x) {offsets = [0], size = [2]} : tensor<2xf32>
%y = ge.ConcatD([%a, %b]) {concat_dim = 0, N = 2} : tensor<4xf32>""",
        "%y",
    )
    right(text, [arr([1, 2, 3, 4])], [arr([3, 4, 1, 2])], alone="stage1")


def test_fu_13_slices_of_a_concat():
    text = graph(
        "%x: tensor<2x3xf32>, %y: tensor<2x4xf32>",
        """
%c = ge.ConcatD([%x, %y]) {concat_dim = 1, N = 2} : tensor<2x7xf32>
%a = ge.SliceD(%c) {offsets = [0, 3], size = [-1, -1]} : tensor<2x4xf32>
%b = ge.SliceD(%c) {offsets = [0, 2], size = [2, 2]} : tensor<2x2xf32>""",
        "%a, %b",
    )
    x, y = np.arange(6, dtype=F32).reshape(2, 3), np.arange(8, dtype=F32).reshape(2, 4) + 10
    right(text, [x, y], [y, np.concatenate([x, y], 1)[:, 2:4]], alone="fuse,stage1")


def test_fu_15_padding_read_by_slices_and_others():
    text = graph(
        "%x: tensor<4xf32>",
        """
%p = ge.PadD(%x) {paddings = [[1, 1]]} : tensor<6xf32>
%b = ge.Const() {value = dense<[1]> : tensor<1xi32>} : tensor<1xi32>
%s = ge.Const() {value = dense<[2]> : tensor<1xi32>} : tensor<1xi32>
%t = ge.Const() {value = dense<[4]> : tensor<1xi32>} : tensor<1xi32>
%u = ge.Slice(%p, %b, %s) : tensor<2xf32>
%v = ge.Slice(%p, %b, %t) : tensor<4xf32>
%r = ge.Relu(%p) : tensor<6xf32>""",
        "%u, %v, %r",
    )
    x = arr([1, -2, 3, 4])
    right(text, [x], [x[:2], x, arr([0, 1, 0, 3, 4, 0])], alone="fuse,stage1")


def test_fu_21_one_row_is_reduced_once():
    text = graph(
        "%x: tensor<1x5xf32>, %y: tensor<3x1xf32>",
        """
%s = ge.ReduceSumD(%x) {axes = [1], keep_dims = true} : tensor<1x1xf32>
%z = ge.Add(%y, %s) : tensor<3x1xf32>""",
        "%z",
    )
    x, y = arr([[1, 2, 3, 4, 5]]), arr([[1], [2], [3]])
    right(text, [x, y], [y + 15], alone="stage1")


def test_fu_23_fused_node_says_where_it_comes_from():
    body = f"{W}\n%c = {CONV}\n{bn('p', '%c', 2.0)}"
    body = body.replace('data_format = "NCHW"}', 'data_format = "NCHW", ge.stream_label = "s"}')
    body = body.replace("epsilon = 0.0}", 'epsilon = 0.0, ge.stream_label = "s", my.note = "b"}')
    model = model_of(graph("%x: tensor<1x2x2x2xf32>", body, "%p"))
    run_pipeline(model, "conv-bn-fold")
    (conv,) = nodes(model, "Conv2D")
    assert list(conv.ge_origins) == ["p", "c"]
    assert conv.attributes["ge.stream_label"].data == "s"
    assert conv.attributes["my.note"].data == "b"


def test_fu_25_convolution_with_two_readers():
    body = f"{W}\n%c = {CONV}\n{bn('p', '%c', 2.0)}\n{bn('q', '%c', 3.0)}"
    text = graph("%x: tensor<1x2x2x2xf32>", body, "%p, %q")
    expected = [2 * convolved(X), 3 * convolved(X)]
    right(text, [X], expected, alone="conv-bn-fold", tolerance=1e-6)


# ------------------------------------------------------------------------------- shape inference


def test_sh_01_ellipsis_that_stands_for_nothing():
    text = graph(
        "%x: tensor<5xf32>",
        "%y = ge.StridedSliceD(%x) {begin = [0, 1], end = [0, 3], strides = [1, 1], "
        "ellipsis_mask = 1} : tensor<2xf32>",
        "%y",
    )
    right(text, [np.arange(5, dtype=F32)], [arr([1, 2])], alone="infer-shape")


def test_sh_05_rank_0_stays_rank_0():
    text = graph(
        "%x: tensor<3xf32>, %i: tensor<i32>",
        """
%g = ge.Gather(%x, %i) : tensor<f32>
%u = ge.Unsqueeze(%g) {axes = [0]} : tensor<1xf32>
%s = ge.ReduceSumD(%u) {axes = [0], keep_dims = false} : tensor<f32>
%e = ge.Const() {value = dense<> : tensor<0xi32>} : tensor<0xi32>
%r = ge.Reshape(%u, %e) : tensor<f32>""",
        "%g, %s, %r",
    )
    right(text, [arr([1, 2, 3]), arr(1, I32)], [arr(2)] * 3, alone="infer-shape", device=False)


def test_sh_07_squeeze_of_an_axis_that_is_not_1():
    text = graph("%x: tensor<2x3xf32>", "%y = ge.Squeeze(%x) {axis = [0]} : tensor<3xf32>", "%y")
    diagnosed(text, contains="Squeeze")


def test_sh_11_open_bound_is_infinite():
    text = graph(
        "%x: tensor<2xf32>, %n: tensor<1xi64>",
        """
%lo = ge.Const() {value = dense<"0x000080FF"> : tensor<f32>} : tensor<f32>
%hi = ge.Const() {value = dense<1.0> : tensor<f32>} : tensor<f32>
%y = ge.ClipByValue(%x, %lo, %hi) : tensor<2xf32>
%a = ge.Const() {value = dense<-9223372036854775808> : tensor<i64>} : tensor<i64>
%b = ge.Const() {value = dense<1> : tensor<i64>} : tensor<i64>
%z = ge.ClipByValue(%n, %a, %b) : tensor<1xi64>""",
        "%y, %z",
    )
    inputs = [arr([-INF, 5]), arr([-(2**40)], I64)]
    expected = [arr([-INF, 1]), arr([-(2**40)], I64)]
    right(text, inputs, expected, alone="stage1", device=False)


def test_sh_13_last_part_is_smaller():
    text = graph(
        "%x: tensor<10xi32>, %e: tensor<0x2xf32>",
        """
%s = ge.Const() {value = dense<[3, 3, 3, 1]> : tensor<4xi32>} : tensor<4xi32>
%d = ge.Const() {value = dense<0> : tensor<i32>} : tensor<i32>
%a, %b, %c, %f = ge.SplitV(%x, %s, %d) {num_split = 4} : tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<1xi32>
%g, %h = ge.SplitD(%e) {split_dim = 0, num_split = 2} : tensor<0x2xf32>, tensor<0x2xf32>""",  # noqa: E501
        "%a, %b, %c, %f, %g",
    )
    x = np.arange(10, dtype=I32)
    expected = [x[:3], x[3:6], x[6:9], x[9:], np.zeros((0, 2), F32)]
    right(text, [x, np.zeros((0, 2), F32)], expected, alone="stage1", device=False)


def test_sh_19_power_of_a_negative_number_is_nan():
    run = graph(
        "%x: tensor<f32>",
        "%p = ge.Pow(%x, %x) : tensor<f32>\n%y = ge.Log(%p) : tensor<f32>",
        "%y",
    )
    right(run, [arr(-1.5)], [arr(NAN)], alone="stage1")
    folded = run.replace("%x: tensor<f32>", "").replace(
        "  %p", "  %x = ge.Const() {value = dense<-1.5> : tensor<f32>} : tensor<f32>\n  %p", 1
    )
    right(folded, [], [arr(NAN)], alone="constant-folding", device=False)


# ----------------------------------------------------------------------- control flow and control


def test_ct_07_order_through_a_constant_survives():
    text = graph(
        "%x: tensor<1xf32>, %z: tensor<1xf32>",
        """
%p_done = ge.Print(%x) : !ge.ctrl
%c, %c_done = ge.Const() {value = dense<1.0> : tensor<1xf32>} after(%p_done) : tensor<1xf32>, !ge.ctrl
%q_done = ge.Print(%z) after(%c_done) : !ge.ctrl""".replace(  # noqa: E501
            "ge.Const() {value = dense<1.0> : tensor<1xf32>} after(%p_done)",
            "ge.Const() after(%p_done) {value = dense<1.0> : tensor<1xf32>}",
        ),
        "%x",
    )
    for pipeline in ("useless-control-out-remove,prune", GRAPH_STAGES):
        model = model_of(text)
        run_pipeline(model, pipeline)
        printed = [t for _, t in evaluate(model, [arr([1]), arr([2])]).state.printed]
        assert len(printed) == 2
        assert "1" in printed[0]
        assert "2" in printed[1]
        from passes.testing.properties.order import happens_before

        order = happens_before(model)
        assert sorted(len(v) for v in order.values()) == [0, 1]


def test_ct_09_loop_counter_kept_by_value():
    text = """ge.graph @g(%a: tensor<3xi32>) {
  %i = ge.Const() {value = dense<0> : tensor<1xi32>} : tensor<1xi32>
  %n, %r = ge.While(%i, %a) : tensor<1xi32>, tensor<3xi32> cond(%i0, %a0) {
    %three = ge.Const() {value = dense<3> : tensor<1xi32>} : tensor<1xi32>
    %less = ge.Less(%i0, %three) : tensor<1xi1>
    ge.NetOutput(%less)
  } body(%i1, %a1) {
    %one = ge.Const() {value = dense<1> : tensor<1xi32>} : tensor<1xi32>
    %at = ge.Unsqueeze(%i1) {axes = [0]} : tensor<1x1xi32>
    %new = ge.TensorScatterUpdate(%a1, %at, %i1) : tensor<3xi32>
    %next = ge.Add(%i1, %one) : tensor<1xi32>
    ge.NetOutput(%next, %new)
  }
  ge.NetOutput(%r)
}
"""
    right(text, [arr([9, 9, 9], I32)], [arr([0, 1, 2], I32)], alone="stage1", device=False)


def test_ct_11_a_body_reads_only_what_is_passed_to_it():
    inner = """ge.graph @g(%c: tensor<i1>, %x: tensor<2xf32>) {
  %k = ge.Const() {value = dense<2.0> : tensor<2xf32>} : tensor<2xf32>
  %y = ge.If(%c, [PASSED]) : tensor<2xf32> then_branch(ARGS) {
    %r = ge.Mul(%a, FACTOR) : tensor<2xf32>
    ge.NetOutput(%r)
  } else_branch(ARGS) {
    ge.NetOutput(%a)
  }
  ge.NetOutput(%y)
}
"""
    captured = inner.replace("PASSED", "%x").replace("ARGS", "%a").replace("FACTOR", "%k")
    with pytest.raises(GeError) as caught:
        run_pipeline(parse(captured), "prune", reproducer=False)
    assert caught.value.exit_code in (ExitCode.USER, ExitCode.VERIFY)
    passed = inner.replace("PASSED", "%x, %k").replace("ARGS", "%a, %b").replace("FACTOR", "%b")
    x = arr([1, 2])
    true = np.asarray(True)
    right(passed, [true, x], [2 * x], alone="stage1", device=False)


def test_ct_13_dead_inputs_keep_their_place():
    text = graph(
        "%x: tensor<1xf32>, %dead: tensor<5xi32>, %y: tensor<1xf32>",
        "%s = ge.Sub(%x, %y) : tensor<1xf32>",
        "%s",
    )
    inputs = [arr([3]), np.zeros(5, I32), arr([1])]
    right(text, inputs, [arr([2])], alone="normalize-io,prune")
    model = model_of(text)
    run_pipeline(model, GRAPH_STAGES)
    assert [d.ge_attr("index") for d in nodes(model, "Data")] == [0, 1, 2]


# ----------------------------------------------------------------------------- state and memory


def test_me_03_value_written_through_a_handle_is_used():
    text = graph(
        "%s: tensor<2xf32>",
        """
%v = ge.Variable() {value = dense<0.0> : tensor<2xf32>} : !ge.ref<tensor<2xf32>>
%a = ge.Assign(%v, %s) : !ge.ref<tensor<2xf32>>
%r = ge.Read(%a) : tensor<2xf32>
%o = ge.Const() {value = dense<1.0> : tensor<f32>} : tensor<f32>
%y = ge.Add(%r, %o) : tensor<2xf32>""",
        "%y",
    )
    right(text, [arr([4, 5])], [arr([5, 6])], alone="stage1", device=False)


def test_me_05_a_copy_is_not_the_variable():
    text = graph(
        "",
        """
%v = ge.Variable() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : !ge.ref<tensor<2xf32>>
%o = ge.Const() {value = dense<1.0> : tensor<2xf32>} : tensor<2xf32>
%c, %c_done = ge.Read(%v) : tensor<2xf32>, !ge.ctrl
%i = ge.Identity(%c) : tensor<2xf32>
%a = ge.AssignAdd(%v, %o) after(%c_done) : !ge.ref<tensor<2xf32>>
%x = ge.Read(%a) : tensor<2xf32>""",
        "%i, %x",
    )
    right(text, [], [arr([1, 2]), arr([2, 3])], alone="identity-remove,cse", device=False)


def test_me_07_write_beside_a_reader_must_be_ordered():
    """Without an edge between them the graph is refused; with one, the old value is read."""
    body = """
%v = ge.Variable() {value = dense<[-1.0, 2.0]> : tensor<2xf32>} : !ge.ref<tensor<2xf32>>
%b, %b_done = ge.Read(%v) : tensor<2xf32>, !ge.ctrl
%d = ge.Add(%x, %b) : tensor<2xf32>
%r = ge.Relu(%x) : tensor<2xf32>
%w = ge.Assign(%v, %r)AFTER : !ge.ref<tensor<2xf32>>"""
    open_ = graph("%x: tensor<2xf32>", body.replace("AFTER", ""), "%d").replace(
        ", %b_done = ge.Read(%v) : tensor<2xf32>, !ge.ctrl", " = ge.Read(%v) : tensor<2xf32>"
    )
    assert any(d.code == "GX-214" for d in verify(parse(open_).module))
    ordered = graph("%x: tensor<2xf32>", body.replace("AFTER", " after(%b_done)"), "%d")
    right(ordered, [arr([1, 1])], [arr([0, 3])], alone="stage1", device=False)


def test_me_11_only_the_reference_is_written():
    text = graph(
        "",
        """
%p = ge.Variable() {value = dense<1.0> : tensor<2xf32>} : !ge.ref<tensor<2xf32>>
%q = ge.Variable() {value = dense<5.0> : tensor<2xf32>} : !ge.ref<tensor<2xf32>>
%x = ge.Read(%q) : tensor<2xf32>
%a = ge.AssignAdd(%p, %x) : !ge.ref<tensor<2xf32>>
%r = ge.Read(%a) : tensor<2xf32>
%s = ge.Read(%q) : tensor<2xf32>""",
        "%r, %s",
    )
    right(text, [], [arr([6, 6]), arr([5, 5])], alone="stage1", device=False)


def test_me_13_output_that_is_a_view():
    text = graph(
        "%x: tensor<2x3xf32>",
        """
%n = ge.Neg(%x) : tensor<2x3xf32>
%s = ge.Const() {value = dense<[6]> : tensor<1xi32>} : tensor<1xi32>
%v = ge.Reshape(%n, %s) : tensor<6xf32>
%a = ge.Relu(%x) : tensor<2x3xf32>
%b = ge.Exp(%a) : tensor<2x3xf32>
%c = ge.Abs(%b) : tensor<2x3xf32>""",
        "%v, %c",
    )
    x = np.arange(6, dtype=F32).reshape(2, 3)
    expected = [-x.reshape(6), np.exp(x)]
    right(text, [x], expected, alone="stage1", tolerance=1e-6)


def test_me_19_state_adds_up_over_runs():
    from ge_dialect.semantics.context import State

    text = graph(
        "%x: tensor<1xf32>",
        """
%v = ge.Variable() {value = dense<0.0> : tensor<1xf32>} : !ge.ref<tensor<1xf32>>
%a = ge.AssignAdd(%v, %x) : !ge.ref<tensor<1xf32>>
%y = ge.Read(%a) : tensor<1xf32>""",
        "%y",
    )
    for pipeline in ("stage1", GRAPH_STAGES):
        model, state = model_of(text), State()
        run_pipeline(model, pipeline)
        found = [float(evaluate(model, [arr([2])], state=state).outputs[0][0]) for _ in range(3)]
        assert found == [2, 4, 6]


def test_me_21_inputs_need_not_be_contiguous():
    text = graph(
        "%a: tensor<2x3xf32>, %b: tensor<3x2xf32>",
        "%y = ge.MatMul(%a, %b) : tensor<2x2xf32>",
        "%y",
    )
    a = np.arange(6, dtype=F32).reshape(3, 2).T
    b = np.broadcast_to(arr([[1.0], [2.0], [3.0]]), (3, 2))
    right(text, [a, b], [np.ascontiguousarray(a) @ b.copy()], alone="stage1")


# ----------------------------------------------------------------------------- streams and engines


def test_st_05_stream_numbers_have_no_gaps():
    from ge_dialect.ir.base import get_int

    text = graph(
        "%x: tensor<4xf32>, %d: tensor<4xf64>",
        "%a = ge.Relu(%x) : tensor<4xf32>\n%b = ge.Exp(%d) : tensor<4xf64>\n"
        "%c = ge.Cast(%b) {dst_type = 0} : tensor<4xf32>\n%y = ge.Add(%a, %c) : tensor<4xf32>",
        "%y",
    )
    model = model_of(text)
    run_pipeline(model, f"{GRAPH_STAGES},topological-order,stream-assignment")
    found = {get_int(op, "ge.stream") for op in model.module.walk()} - {None}
    assert found == set(range(len(found)))


def test_en_03_absent_optional_input_is_supported():
    from ge_dialect.ir.base import get_str

    model = model_of(graph("%x: tensor<1x2x2x2xf32>", f"{W}\n%c = {CONV}", "%c"))
    run_pipeline(model, "engine-claim")
    (conv,) = nodes(model, "Conv2D")
    assert get_str(conv, "ge.engine") == "AIcoreEngine"


def test_en_05_all_nodes_without_engine_are_named():
    text = graph(
        "%x: tensor<2xf32>",
        """
%a = ge.Opaque(%x) {type = "Convx"} : tensor<2xf32>
%b = ge.Opaque(%a) {type = "Poolx"} : tensor<2xf32>""",
        "%b",
    )
    found = diagnosed(text, contains="no engine takes", pipeline="engine-claim")
    assert {d.node for d in found} == {"a", "b"}


# ------------------------------------------------------------------------------------- importers


def test_im_03_leaky_relu_of_basic_operators():
    text = graph(
        "%x: tensor<4xf32>",
        """
%p = ge.Const() {value = dense<0.6> : tensor<f32>} : tensor<f32>
%q = ge.Const() {value = dense<0.4> : tensor<f32>} : tensor<f32>
%a = ge.Mul(%x, %p) : tensor<4xf32>
%b = ge.Abs(%x) : tensor<4xf32>
%c = ge.Mul(%b, %q) : tensor<4xf32>
%y = ge.Add(%a, %c) : tensor<4xf32>""",
        "%y",
    )
    x = arr([-2, -0.0, 1, NAN])
    expected = [x * F32.type(0.6) + np.abs(x) * F32.type(0.4)]
    right(text, [x], expected, alone="fuse,stage1")


def test_im_07_bits_of_constants_are_kept():
    text = graph(
        "",
        """
%h = ge.Const() {value = dense<"0x01000080FF03"> : tensor<3xf16>} : tensor<3xf16>
%b = ge.Const() {value = dense<"0x01008000"> : tensor<2xbf16>} : tensor<2xbf16>
%t = ge.Const() {value = dense<true> : tensor<i1>} : tensor<i1>
%n = ge.Identity(%h) : tensor<3xf16>
%m = ge.Identity(%b) : tensor<2xbf16>
%c = ge.Cast(%t) {dst_type = 3} : tensor<i32>""",
        "%n, %m, %c",
    )
    half = np.array([0x0001, 0x8000, 0x03FF], np.uint16).view(F16)
    brain = np.array([0x0001, 0x0080], np.uint16).view(ml_dtypes.bfloat16)
    expected = [half, brain, arr(1, I32)]
    right(text, [], expected, alone="identity-remove,constant-folding", device=False)


def test_im_09_integer_in_and_out():
    text = graph(
        "%x: tensor<2xf32>, %n: tensor<i64>",
        "%f = ge.Cast(%n) {dst_type = 0} : tensor<f32>\n%y = ge.Add(%x, %f) : tensor<2xf32>",
        "%y, %n",
    )
    right(text, [arr([1, 2]), arr(3, I64)], [arr([4, 5]), arr(3, I64)], alone="normalize-io")


# ---------------------------------------------------------------------------- pipeline and tools


def test_pp_01_pipeline_text_prints_back():
    from passes.pipeline import parse_pipeline

    text = "prepare,fix(prune,group(cast-remove,constant-folding{max-bytes=9}){name=in}){max=3}"
    assert str(parse_pipeline(text)) == text
    with pytest.raises(GeError) as caught:
        parse_pipeline("prepare, cse, const-folding")
    assert "constant-folding" in caught.value.diagnostics[0].render()
    assert "15" in str(caught.value.diagnostics[0].location)


def test_pp_03_same_bytes_whatever_the_hash_seed(tmp_path):
    source = tmp_path / "net.mlir"
    body = f"{W}\n%c = {CONV}\n{bn('p', '%c', 2.0)}\n%r = ge.Relu(%p) : tensor<1x2x2x2xf32>"
    source.write_text(graph("%x: tensor<1x2x2x2xf32>", body, "%r"), encoding="utf-8")
    made = []
    for seed in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-m", "passes.tools.ge_opt", str(source), "--pipeline=ge-default"],
            env={"PYTHONHASHSEED": seed, "PATH": ""},
            capture_output=True,
            timeout=60,
            check=True,
        )
        made.append(done.stdout)
    assert made[0] == made[1]
    assert b"rt.model" in made[0]


def test_pp_05_watching_changes_nothing():
    body = f"{W}\n%c = {CONV}\n{bn('p', '%c', 2.0)}\n%i = ge.Identity(%p) : tensor<1x2x2x2xf32>"
    text = graph("%x: tensor<1x2x2x2xf32>", body, "%i")
    made = []
    for watched in (False, True):
        model = model_of(text)
        ctx = PassContext(remarks_enabled=watched, near_misses=watched)
        run_pipeline(model, "ge-default", ctx=ctx)
        made.append(model.text())
    assert made[0] == made[1]


def test_pp_07_wrong_soc_is_the_users_fault():
    from ge_dialect.target import load_soc

    with pytest.raises(GeError) as caught:
        load_soc("Ascend910Z9")
    assert caught.value.exit_code in (ExitCode.USER, ExitCode.USAGE)
    assert "910Z9" in caught.value.diagnostics[0].render()


@pytest.mark.parametrize("seed", range(12))
def test_pp_11_all_passes_or_none_and_one_output_more(seed):
    from dataclasses import replace

    from passes.testing import input_sets, random_spec
    from passes.testing.compare import compare_values, f64_bound
    from passes.testing.spec import Step

    spec = random_spec(1000 + seed, "plain")
    inputs = list(input_sets(spec, seed, ("ordinary",))[0].values())
    before = evaluate(spec.build(), inputs).outputs
    value = spec.outputs[0]
    more = replace(
        spec,
        steps=(*spec.steps, Step("Identity", (value,), types=(spec.value_types()[value],))),
        outputs=(*spec.outputs, len(spec.value_types())),
    )
    for variant in (spec, more):
        model = variant.build()
        run_pipeline(model, GRAPH_STAGES)
        found = evaluate(model, inputs).outputs[: len(before)]
        bound = f64_bound(spec.build(), inputs)
        assert compare_values(before, found, "reassociates", bound=bound) is None


# ------------------------------------------------------------------------------- what is not here

#: Cases that today's operators, importers or tools cannot express yet, and what they wait for.
WAITING = {
    "CS-07": "an API to run CSE inside a sweep of patterns",
    "PR-03": "the operator RefIdentity",
    "FU-17": "the operator AddRmsNorm and its quantised forms",
    "SH-09": "an operator for log-sum-exp; the ONNX importer's expansion is tested with it",
    "SH-15": "the PyTorch importer",
    "SH-17": "cases of the ONNX importer, tests/frontends",
    "DY-01": "options for dynamic shapes (--input_shape)",
    "DY-02": "options for gears",
    "DY-03": "options for gears",
    "DY-04": "options for gears",
    "DY-05": "options for gears",
    "DY-06": "options for gears",
    "DY-07": "options for gears",
    "DY-08": "options for gears",
    "DY-10": "options for gears",
    "DY-12": "models of several gears",
    "DY-16": "a cache of compiled models",
    "CT-05": "the operator RefIdentity",
    "ME-09": "variables passed through loops on the device",
    "ME-15": "kernels that need their output cleared",
    "ME-17": "compilation of graphs of unknown shape",
    "ST-01": "calls that keep their own graph on the device",
    "ST-03": "a static check of events in rt text; the deadlock at run time is tested with runtime",
    "EN-01": "tensors of strings on an engine",
    "EN-07": "compilation of graphs of unknown shape",
    "IM-01": "cases of the ONNX importer, tests/frontends",
    "IM-05": "the importer of GE dumps",
    "IM-11": "the PyTorch importer",
    "IM-13": "the fusion switch file",
    "PP-09": "the fusion report",
}
#: All cases of the collection, by its own numbers.
CASES = (
    "CF-01 CF-03 CF-05 CF-07 CF-09 CF-11 CF-13 CF-15 CF-17 CF-19 CF-21 CF-23 CS-01 CS-03 CS-05 "
    "CS-07 CE-01 CE-03 CE-07 CE-09 CE-11 PR-03 PR-05 PR-07 TR-01 TR-03 TR-05 TR-07 TR-13 TR-15 "
    "TR-17 TR-19 FU-01 FU-05 FU-07 FU-09 FU-11 FU-13 FU-15 FU-17 FU-21 FU-23 FU-25 SH-01 SH-05 "
    "SH-07 SH-09 SH-11 SH-13 SH-15 SH-17 SH-19 DY-01 DY-02 DY-03 DY-04 DY-05 DY-06 DY-07 DY-08 "
    "DY-10 DY-12 DY-16 CT-05 CT-07 CT-09 CT-11 CT-13 ME-03 ME-05 ME-07 ME-09 ME-11 ME-13 ME-15 "
    "ME-17 ME-19 ME-21 ST-01 ST-03 ST-05 EN-01 EN-03 EN-05 EN-07 IM-01 IM-03 IM-05 IM-07 IM-09 "
    "IM-11 IM-13 PP-01 PP-03 PP-05 PP-07 PP-09 PP-11"
).split()


def test_every_case_is_tested_or_waits():
    import re

    named = re.findall(r"^test_([a-z]{2}_\d\d)_", "\n".join(globals()), re.M)
    tested = {n.upper().replace("_", "-") for n in named}
    assert tested | set(WAITING) == set(CASES)
    assert not tested & set(WAITING)
    assert all(WAITING.values())
