"""Shape inference: sources of values, graphs inside nodes, joins, contradictions, refusals."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.builtin import f32

from ge_dialect.ir.private import set_type
from ge_dialect.ir.reader import parse_module
from ge_dialect.ir.types import tensor_type, type_text
from ge_dialect.weights.store import WeightStore
from passes.context import PassContext
from passes.prepare.infer_shape import InferShape


def run(text: str, weights=None, edit=None):
    module = parse_module(text)
    if edit is not None:
        edit(module)
    ctx = PassContext(weights=weights)
    result = InferShape().run(module, ctx)
    return module, result, ctx


def type_of(module, name: str) -> str:
    op = next(o for o in module.walk() if getattr(o, "ge_node_name", None) == name)
    return type_text(op.results[0].type)


def test_a_typed_graph_does_not_change():
    text = """
    ge.graph @g(%x: tensor<4xf32>) {
      %a = ge.Relu(%x) : tensor<4xf32>
      ge.NetOutput(%a)
    }
    """
    assert not run(text)[1].changed


def test_a_new_input_type_runs_through():
    text = """
    ge.graph @g(%x: tensor<1x4x6x6xf32>) {
      %w = ge.Const() {value = #ge.weight<"w">} : tensor<8x4x3x3xf32>
      %c = ge.Conv2D(%x, %w) {strides = [1, 1, 2, 2], pads = [1, 1, 1, 1], data_format = "NCHW"} : tensor<1x8x3x3xf32>
      %r = ge.Relu(%c) : tensor<1x8x3x3xf32>
      ge.NetOutput(%r)
    }
    """  # noqa: E501

    def wider(module):
        set_type(module.body.block.first_op.args[0], tensor_type((2, 4, 10, 10), f32))

    module, result, ctx = run(text, edit=wider)
    assert result.changed
    assert type_of(module, "r") == "tensor<2x8x5x5xf32>"
    # the input changed before the run: recorded types contradict, which is said once, at the root
    assert [d.node for d in ctx.sink.diagnostics] == ["c"]


def test_layouts_are_kept():
    text = """
    ge.graph @g(%x: tensor<?x4x2x2xf32, #ge.layout<NC1HWC0>>) {
      %a = ge.Relu(%x) : tensor<?x4x2x2xf32, #ge.layout<NC1HWC0>>
      ge.NetOutput(%a)
    }
    """

    def known(module):
        arg = module.body.block.first_op.args[0]
        from ge_dialect.ir.types import layout_of

        set_type(arg, tensor_type((3, 4, 2, 2), f32, layout_of(arg.type)))

    module, _, ctx = run(text, edit=known)
    assert type_of(module, "a") == "tensor<3x4x2x2xf32, #ge.layout<NC1HWC0>>"
    assert not ctx.sink.diagnostics


RESHAPE = """
ge.graph @g(%x: tensor<2x8xf32>, %p: tensor<2x3xf32>) {{
  {lines}
  %y = ge.Reshape(%x, %s) : tensor<?x?xf32>
  ge.NetOutput(%y)
}}
"""


@pytest.mark.parametrize(
    "lines",
    [
        "%s = ge.Const() {value = dense<[4, -1]> : tensor<2xi64>} : tensor<2xi64>",
        '%s = ge.Const() {value = #ge.weight<"s">} : tensor<2xi64>',
        """%a = ge.Const() {value = dense<[2, 2]> : tensor<2xi64>} : tensor<2xi64>
           %s = ge.Add(%a, %a) : tensor<2xi64>""",
        """%q = ge.Shape(%p) {dtype = 9} : tensor<2xi64>
           %k = ge.Const() {value = dense<[2, 1]> : tensor<2xi64>} : tensor<2xi64>
           %t = ge.Mul(%q, %k) : tensor<2xi64>
           %o = ge.Const() {value = dense<[0, 1]> : tensor<2xi64>} : tensor<2xi64>
           %m = ge.Sub(%t, %o) : tensor<2xi64>
           %n = ge.Const() {value = dense<[0, 2]> : tensor<2xi64>} : tensor<2xi64>
           %i = ge.Identity(%m) : tensor<2xi64>
           %s = ge.Add(%i, %n) : tensor<2xi64>""",
    ],
)
def test_shapes_from_values(lines):
    weights = WeightStore({"s": np.array([4, 4], np.int64)})
    module, _, ctx = run(RESHAPE.format(lines=lines), weights)
    assert not ctx.sink.has_errors, ctx.sink.errors[0].render()
    assert type_of(module, "y") == "tensor<4x4xf32>"


def test_values_pass_into_graphs():
    module, _, _ = run(
        """
        ge.graph @g(%x: tensor<2x8xf32>) {
          %s = ge.Const() {value = dense<[16]> : tensor<1xi64>} : tensor<1xi64>
          %y = ge.PartitionedCall(%x, %s) : tensor<?xf32> f(%a, %b) {
            %r = ge.Reshape(%a, %b) : tensor<?xf32>
            ge.NetOutput(%r)
          }
          ge.NetOutput(%y)
        }
        """
    )
    assert type_of(module, "y") == "tensor<16xf32>"


def test_branches_are_joined_and_loops_widened():
    module, _, ctx = run(
        """
        ge.graph @g(%x: tensor<2x8xf32>, %c: tensor<i1>) {
          %y = ge.If(%c, [%x]) : tensor<*xf32> then_branch(%a) {
            %t = ge.ConcatD(%a, %a) {concat_dim = 0, N = 2} : tensor<?x?xf32>
            ge.NetOutput(%t)
          } else_branch(%a) {
            ge.NetOutput(%a)
          }
          ge.NetOutput(%y)
        }
        """
    )
    assert not ctx.sink.has_errors
    assert type_of(module, "y") == "tensor<?x8xf32>"


def test_all_refusals_are_reported_at_once():
    text = """
    ge.graph @g(%x: tensor<2x?xf32>, %y: tensor<?xf32>) {
      %a = ge.Add(%x, %y) : tensor<2x?xf32>
      %b = ge.Sub(%x, %y) : tensor<2x?xf32>
      ge.NetOutput(%a, %b)
    }
    """

    def clash(module):
        args = module.body.block.first_op.args
        set_type(args[0], tensor_type((2, 3), f32))
        set_type(args[1], tensor_type((4,), f32))

    _, _, ctx = run(text, edit=clash)
    assert [d.node for d in ctx.sink.errors] == ["a", "b"]
    assert all(d.location for d in ctx.sink.errors)


def test_a_node_is_asked_once_where_nothing_else_changes(monkeypatch):
    """Getting its own types is no reason to look at a node again; its users' is."""
    from passes.prepare import infer_shape

    asked = []
    real = infer_shape.infer_op

    def counted(op, const_of=None):
        asked.append(op.ge_node_name)
        return real(op, const_of)

    monkeypatch.setattr(infer_shape, "infer_op", counted)
    module = parse_module("""
    ge.graph @g(%x: tensor<4xf32>) {
      %a = ge.Relu(%x) : tensor<*xf32>
      %b = ge.Abs(%a) : tensor<*xf32>
      %c = ge.Add(%a, %b) : tensor<*xf32>
      ge.NetOutput(%c)
    }
    """)
    infer_shape.InferShape().run(module, PassContext())
    assert asked == ["a", "b", "c"]
    (graph,) = module.ops
    assert [str(op.results[0].type) for op in list(graph.body.ops)[:-1]] == ["tensor<4xf32>"] * 3
