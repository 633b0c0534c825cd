"""The analysis ``origin-formats``: what is known of axis orders that types do not say."""

from __future__ import annotations

import pytest

from ge_dialect.ir.reader import parse_module
from passes.context import PassContext

IMAGE = "tensor<1x8x8x4xf16>"
CONV = "{strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "


def formats(body: str, args: str = f"%x: {IMAGE}") -> dict[str, str | None]:
    lines = "\n".join(f"  {line.strip()}" for line in body.strip().splitlines())
    module = parse_module(f"ge.graph @g({args}) {{\n{lines}\n}}\n")
    found = PassContext().analysis("origin-formats", module).table()
    return {name: held[0] for (path, name), held in found.items() if held and path == "g"}


def test_data_format_is_carried_both_ways() -> None:
    found = formats(
        f"""
        %a = ge.Relu(%x) : {IMAGE}
        %b = ge.Conv2D(%a, %w) {CONV}"NHWC"}} : {IMAGE}
        %c = ge.Add(%b, %b) : {IMAGE}
        %d = ge.Cast(%c) {{dst_type = 0}} : tensor<1x8x8x4xf32>
        %t = ge.TransposeD(%d) {{perm = [0, 3, 1, 2]}} : tensor<1x4x8x8xf32>
        %r = ge.Relu(%t) : tensor<1x4x8x8xf32>
        ge.NetOutput(%r)
        """,
        f"%x: {IMAGE}, %w: tensor<1x1x4x4xf16>",
    )
    assert found == {**dict.fromkeys("abcd", "NHWC"), "t": None, "r": None}


def test_the_attribute_of_a_node_and_of_an_input() -> None:
    body = f'%a = ge.Relu(%x) : {IMAGE}\n%b = ge.Abs(%y) {{ge.origin_format = "NHWC"}} : {IMAGE}'
    found = formats(
        f"{body}\nge.NetOutput(%a, %b)",
        f'%x: {IMAGE} {{ge.origin_format = "HWCN"}}, %y: {IMAGE}',
    )
    assert found == {"a": "HWCN", "b": "NHWC"}


@pytest.mark.parametrize(
    ("layout", "wanted"),
    [("NC1HWC0", "NCHW"), ("NC1HWC0, origin = NHWC", "NHWC"), ("NHWC", "NCHW")],
)
def test_layouts_say_it(layout: str, wanted: str) -> None:
    stored = f"tensor<1x8x8x4xf16, #ge.layout<{layout}>>"
    name, origin = layout.partition(",")[0], wanted
    found = formats(
        f"""
        %a = ge.Relu(%x) : {IMAGE}
        %t = ge.TransData(%a) {{src_format = "{origin}", dst_format = "{name}"}} : {stored}
        ge.NetOutput(%t)
        """
    )
    assert found == {"a": wanted, "t": wanted}


def test_what_contradicts_itself_or_has_another_rank_is_not_known() -> None:
    found = formats(
        f"""
        %a = ge.Relu(%x) : {IMAGE}
        %b = ge.Conv2D(%a, %w) {CONV}"NHWC"}} : {IMAGE}
        %c = ge.Abs(%a) {{ge.origin_format = "NCHW"}} : {IMAGE}
        %d = ge.Relu(%v) {{ge.origin_format = "NHWC"}} : tensor<4xf16>
        %e = ge.Add(%b, %d) : {IMAGE}
        ge.NetOutput(%c, %e)
        """,
        f"%x: {IMAGE}, %w: tensor<1x1x4x4xf16>, %v: tensor<4xf16>",
    )
    assert found == {**dict.fromkeys("acd"), "b": "NHWC", "e": "NHWC"}


def test_bodies_know_what_is_passed_to_them() -> None:
    text = f"""ge.graph @g(%p: tensor<i1>, %x: {IMAGE}) {{
      %a = ge.Relu(%x) {{ge.origin_format = "NHWC"}} : {IMAGE}
      %r = ge.If(%p, [%a]) : {IMAGE} then_branch(%b) {{
        %s = ge.Relu(%b) : {IMAGE}
        ge.NetOutput(%s)
      }} else_branch(%b) {{
        ge.NetOutput(%b)
      }}
      ge.NetOutput(%r)
    }}
    """
    ctx = PassContext()
    module = parse_module(text)
    found = ctx.analysis("origin-formats", module)
    assert found.table()["g/r/0", "s"] == ("NHWC",)
    assert found.table()["g", "r"] == ("NHWC",)
    assert found == PassContext().analysis("origin-formats", parse_module(text))
    other = parse_module(text.replace('"NHWC"', '"NCHW"'))
    assert found != PassContext().analysis("origin-formats", other)
