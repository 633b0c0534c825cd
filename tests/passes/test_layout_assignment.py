"""Which layouts nodes get, where conversions stand, and who runs what."""

from __future__ import annotations

import numpy as np
import pytest

from ge_dialect.api import evaluate, parse
from ge_dialect.ir import get_str, layout_of, module_graphs
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.reader import parse_module
from ge_dialect.ir.verifier import verify
from ge_dialect.target.engines import engine_refusal
from passes.context import PassContext
from passes.format.engine_claim import EngineClaim
from passes.format.heavy_format_propagation import HeavyFormatPropagation
from passes.format.trans_node_merge import TransNodeMerge
from passes.partition.engine_placement import EnginePlacement
from runtime import simulate

X = "tensor<1x32x8x8xf16>"
CONV = f"""
  %w = ge.Const() {{value = #ge.weight<"w">}} : tensor<32x32x1x1xf16>
  %c = ge.Conv2D(%x, %w) {{strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW"}} : {X}
"""


def assigned(body: str, args: str = f"%x: {X}") -> dict[str, GeOp]:
    """The nodes of a graph after layout assignment, by name; the result verifies."""
    module = parse_module(f"ge.graph @g({args}) {{\n{body}\n}}")
    ctx = PassContext()
    for a_pass in (EngineClaim(), HeavyFormatPropagation(), TransNodeMerge(), EnginePlacement()):
        a_pass.run(module, ctx)
    assert not ctx.sink.diagnostics
    assert not verify(module)
    (graph,) = module_graphs(module)
    nodes = {op.ge_node_name: op for op in graph.body.ops}
    for op in nodes.values():
        assert engine_refusal(op, get_str(op, "ge.engine")) is None
    return nodes


def formats(op: GeOp) -> list[str | None]:
    """Formats of the data operands, then of the results."""
    found = [layout_of(v.type) for v in (*op.ge_data_operands, *op.ge_data_results)]
    return [None if f is None else f.format for f in found]


def transdata(nodes: dict[str, GeOp]) -> int:
    return sum(op.ge_type == "TransData" for op in nodes.values())


@pytest.mark.parametrize(
    ("operand", "value", "follows"),
    [
        (X, '#ge.weight<"b">', True),
        ("tensor<1x32x1x1xf16>", '#ge.weight<"b">', True),
        ("tensor<32x1x1xf16>", '#ge.weight<"b">', True),
        ("tensor<1x1x8x8xf16>", '#ge.weight<"b">', False),
        ("tensor<8xf16>", '#ge.weight<"b">', False),
        ("tensor<f16>", "dense<2.0> : tensor<f16>", True),
        ("tensor<1xf16>", "dense<[2.0]> : tensor<1xf16>", True),
    ],
)
def test_broadcast_operands(operand: str, value: str, follows: bool) -> None:
    nodes = assigned(
        CONV + f"%b = ge.Const() {{value = {value}}} : {operand}\n"
        f"%m = ge.Mul(%c, %b) : {X}\n ge.NetOutput(%m)"
    )
    assert formats(nodes["m"])[-1] == ("NC1HWC0" if follows else None)
    assert transdata(nodes) == 2
    # the constant costs nothing at run time
    assert nodes["m"].ge_data_operands[1].owner.name == "ge.Const"


def test_scalar_with_partial_blocks_stays_plain() -> None:
    body = CONV.replace("32x32x1x1", "24x32x1x1").replace(f": {X}", ": tensor<1x24x8x8xf16>")
    nodes = assigned(
        body + "%b = ge.Const() {value = dense<2.0> : tensor<f16>} : tensor<f16>\n"
        "%m = ge.Mul(%c, %b) : tensor<1x24x8x8xf16>\n ge.NetOutput(%m)"
    )
    assert formats(nodes["m"]) == [None, None, None]


@pytest.mark.parametrize(
    ("channels", "axis", "follows"), [(32, 1, True), (24, 1, False), (24, 2, True), (24, -2, True)]
)
def test_concat(channels: int, axis: int, follows: bool) -> None:
    one = f"tensor<1x{channels}x8x8xf16>"
    shape = [1, channels, 8, 8]
    shape[axis] *= 2
    both = f"tensor<{'x'.join(map(str, shape))}xf16>"
    body = CONV.replace("32x32x1x1", f"{channels}x32x1x1").replace(f": {X}", f": {one}")
    nodes = assigned(
        body + f"%r = ge.Relu(%c) : {one}\n"
        f"%j = ge.ConcatD(%c, %r) {{concat_dim = {axis}, N = 2}} : {both}\n ge.NetOutput(%j)"
    )
    assert formats(nodes["j"])[-1] == ("NC1HWC0" if follows else None)


@pytest.mark.parametrize(
    ("axes", "keep", "follows"), [("[2, 3]", "true", True), ("[1]", "true", False)]
)
def test_reduce(axes: str, keep: str, follows: bool) -> None:
    out = "tensor<1x32x1x1xf16>" if axes == "[2, 3]" else "tensor<1x1x8x8xf16>"
    nodes = assigned(
        CONV + f"%r = ge.ReduceMeanD(%c) {{axes = {axes}, keep_dims = {keep}}} : {out}\n"
        "ge.NetOutput(%r)"
    )
    assert formats(nodes["r"])[0] == ("NC1HWC0" if follows else None)


def test_one_conversion_serves_all_readers() -> None:
    nodes = assigned(
        CONV + '%w2 = ge.Const() {value = #ge.weight<"v">} : tensor<32x32x1x1xf16>\n'
        "%d = ge.Conv2D(%x, %w2) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], "
        f'data_format = "NCHW"}} : {X}\n'
        f"%s = ge.SoftmaxV2(%c) {{axes = [1]}} : {X}\n%t = ge.SoftmaxV2(%c) {{axes = [2]}} : {X}\n"
        "ge.NetOutput(%d, %s, %t)"
    )
    assert transdata(nodes) == 3  # of the input, of %c, of %d


def test_a_filter_that_others_read_is_copied() -> None:
    nodes = assigned(
        CONV + "%a = ge.Abs(%w) : tensor<32x32x1x1xf16>\n%b = ge.Add(%a, %w) : "
        "tensor<32x32x1x1xf16>\n ge.NetOutput(%c, %b)"
    )
    assert formats(nodes["w"]) == [None]
    assert formats(nodes["w_FRACTAL_Z"]) == ["FRACTAL_Z"]
    assert nodes["w_FRACTAL_Z"].ge_origins == ("w",)


def test_image_in_nhwc() -> None:
    nodes = assigned(
        '%w = ge.Const() {value = #ge.weight<"w">} : tensor<3x3x16x32xf16>\n'
        "%c = ge.Conv2D(%x, %w) {strides = [1, 1, 1, 1], pads = [1, 1, 1, 1]} : "
        "tensor<1x8x8x32xf16>\n%r = ge.Relu(%c) : tensor<1x8x8x32xf16>\nge.NetOutput(%r)",
        "%x: tensor<1x8x8x16xf16>",
    )
    assert str(layout_of(nodes["r"].results[0].type)) == "#ge.layout<NC1HWC0, origin = NHWC>"
    assert str(layout_of(nodes["w"].results[0].type)) == "#ge.layout<FRACTAL_Z, origin = HWCN>"
    assert nodes["trans_TransData_0"].ge_attr("src_format") == "NHWC"


def test_groups() -> None:
    nodes = assigned(
        '%w = ge.Const() {value = #ge.weight<"w">} : tensor<32x8x3x3xf16>\n'
        "%c = ge.Conv2D(%x, %w) {strides = [1, 1, 1, 1], pads = [1, 1, 1, 1], groups = 4, "
        f'data_format = "NCHW"}} : {X}\n'
        '%v = ge.Const() {value = #ge.weight<"v">} : tensor<32x1x3x3xf16>\n'
        "%d = ge.DepthwiseConv2D(%c, %v) {strides = [1, 1, 1, 1], pads = [1, 1, 1, 1], "
        f'data_format = "NCHW"}} : {X}\nge.NetOutput(%d)'
    )
    assert str(layout_of(nodes["w"].results[0].type)) == "#ge.layout<FRACTAL_Z, groups = 4>"
    assert str(layout_of(nodes["v"].results[0].type)) == "#ge.layout<FRACTAL_Z, groups = 32>"


def test_a_computed_filter_of_groups_is_laid_out_by_the_ai_cpu() -> None:
    nodes = assigned(
        "%c = ge.Conv2D(%x, %w) {strides = [1, 1, 1, 1], pads = [1, 1, 1, 1], groups = 4, "
        f'data_format = "NCHW"}} : {X}\nge.NetOutput(%c)',
        f"%x: {X}, %w: tensor<32x8x3x3xf16>",
    )
    found = {op.ge_attr("groups"): get_str(op, "ge.engine") for op in nodes.values()
             if op.ge_type == "TransData"}  # fmt: skip
    assert found == {1: "AIcoreEngine", 4: "DNN_VM_AICPU"}


def test_the_ai_cpu_gets_plain_tensors() -> None:
    nodes = assigned(
        CONV + "%k = ge.Cast(%c) {dst_type = 11} : tensor<1x32x8x8xf64>\n"
        "%e = ge.Exp(%k) : tensor<1x32x8x8xf64>\n%b = ge.Cast(%e) {dst_type = 1} : "
        f"{X}\n%s = ge.Add(%b, %c) : {X}\nge.NetOutput(%s)"
    )
    assert get_str(nodes["e"], "ge.engine") == "DNN_VM_AICPU"
    assert formats(nodes["k"]) == [None, None]
    assert formats(nodes["s"]) == ["NC1HWC0"] * 3


def test_a_cast_that_changes_the_block_size_is_plain() -> None:
    nodes = assigned(
        CONV + "%q = ge.Cast(%c) {dst_type = 2} : tensor<1x32x8x8xi8>\n ge.NetOutput(%q)"
    )
    assert formats(nodes["q"]) == [None, None]


def test_bodies_are_handled_on_their_own() -> None:
    module = parse_module(
        f"ge.graph @g(%p: tensor<i1>, %x: {X}) {{\n"
        '  %w = ge.Const() {value = #ge.weight<"w">} : tensor<32x32x1x1xf16>\n'
        f"  %y = ge.If(%p, [%x, %w]) : {X} then_branch(%a, %f) {{\n"
        "    %c = ge.Conv2D(%a, %f) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], "
        f'data_format = "NCHW"}} : {X}\n    ge.NetOutput(%c)\n'
        "  } else_branch(%a, %f) {\n    ge.NetOutput(%a)\n  }\n  ge.NetOutput(%y)\n}"
    )
    ctx = PassContext()
    for a_pass in (EngineClaim(), HeavyFormatPropagation(), EnginePlacement()):
        a_pass.run(module, ctx)
    assert not ctx.sink.diagnostics
    assert not verify(module)
    inner = next(op for op in module.walk() if op.name == "ge.Conv2D")
    assert layout_of(inner.results[0].type).format == "NC1HWC0"
    assert sum(op.name == "ge.TransData" for op in module.walk()) == 3


@pytest.mark.parametrize("target", ["FRACTAL_Z", "FRACTAL_NZ", "NC1HWC0"])
def test_a_conversion_of_the_graph_reads_what_it_says(target: str) -> None:
    """Where its maker gets a layout, a conversion back stands between; values are those before."""
    laid = f"tensor<1x32x8x8xf16, #ge.layout<{target}>>"
    body = f"""
  %p = ge.MaxPoolV3(%x) {{ksize = [1, 1, 1, 1], strides = [1, 1, 1, 1], data_format = "NCHW"}} : {X}
  %t = ge.TransData(%p) {{src_format = "NCHW", dst_format = "{target}"}} : {laid}
  %u = ge.TransData(%t) {{src_format = "{target}", dst_format = "NCHW"}} : {X}
  ge.NetOutput(%u)"""
    nodes = assigned(body)
    assert layout_of(nodes["p"].results[0].type) is not None
    model = parse(f"ge.graph @g(%x: {X}) {{\n{body}\n}}")
    x = np.arange(32 * 64, dtype=np.float16).reshape(1, 32, 8, 8)
    (wanted,) = evaluate(model, [x]).outputs
    (found,) = simulate(model, [x]).outputs
    np.testing.assert_array_equal(found, wanted)
    np.testing.assert_array_equal(wanted, x)
