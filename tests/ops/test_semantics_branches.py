"""Operators with graphs of their own, by the evaluator and by the eager runtime."""

from __future__ import annotations

import numpy as np
import pytest

from ge_dialect.api import parse
from ge_dialect.diagnostics import GeError
from ge_dialect.ir.verifier import verify
from ge_dialect.semantics import evaluate_graph
from ge_dialect.semantics.evaluator import apply_op
from runtime import simulate


def both(text, inputs):
    """Outputs of the evaluator; the eager runtime must give the same."""
    model = parse(text)
    assert not verify(model.module)
    got = evaluate_graph(model.graphs[0], inputs).outputs
    ran = simulate(model, inputs, mode="eager").outputs
    for a, b in zip(got, ran, strict=True):
        np.testing.assert_array_equal(a, b)
    return got


CASE = """
ge.graph @g(%i: tensor<i32>, %x: tensor<2xf32>) {
  %y = ge.{op}(%i, [%x]) : tensor<2xf32> branches(%a) {{
    %n = ge.Neg(%a) : tensor<2xf32>
    ge.NetOutput(%n)
  }} branches(%a) {{
    %n = ge.Add(%a, %a) : tensor<2xf32>
    ge.NetOutput(%n)
  }} branches(%a) {{
    ge.NetOutput(%a)
  }}
  ge.NetOutput(%y)
}
"""
CASE = CASE.replace("{{", "{").replace("}}", "}")


@pytest.mark.parametrize("op", ["Case", "StatelessCase"])
@pytest.mark.parametrize(
    ("index", "want"), [(0, [-1, -2]), (1, [2, 4]), (2, [1, 2]), (3, [1, 2]), (-1, [1, 2])]
)
def test_case(op, index, want):
    x = np.array([1, 2], np.float32)
    (y,) = both(CASE.replace("{op}", op), [np.array(index, np.int32), x])
    assert y.tolist() == want


FOR = """
ge.graph @g(%s: tensor<i32>, %l: tensor<i32>, %d: tensor<i32>, %x: tensor<i32>) {
  %y, %n = ge.For(%s, %l, %d, [%x, %x]) : tensor<i32>, tensor<i32> body(%i, %a, %b) {
    %ten = ge.Const() {value = dense<10> : tensor<i32>} : tensor<i32>
    %m = ge.Mul(%a, %ten) : tensor<i32>
    %t = ge.Add(%m, %i) : tensor<i32>
    ge.NetOutput(%t, %a)
  }
  ge.NetOutput(%y, %n)
}
"""


@pytest.mark.parametrize(
    ("start", "limit", "delta", "want"),
    [(1, 4, 1, [123, 12]), (5, 0, -2, [531, 53]), (3, 3, 1, [0, 0]), (0, 5, 3, [3, 0])],
)
def test_for(start, limit, delta, want):
    values = [np.array(v, np.int32) for v in (start, limit, delta, 0)]
    assert [int(v) for v in both(FOR, values)] == want


def test_a_for_that_never_ends():
    values = [np.array(v, np.int32) for v in (0, 1, 0, 0)]
    with pytest.raises(GeError, match="delta"):
        evaluate_graph(parse(FOR).graphs[0], values)


@pytest.mark.parametrize("flag", [True, False])
def test_stateless_if_and_while(flag):
    text = """
    ge.graph @g(%c: tensor<i1>, %x: tensor<i32>) {
      %y = ge.StatelessIf(%c, [%x]) : tensor<i32> then_branch(%a) {
        %n = ge.Neg(%a) : tensor<i32>
        ge.NetOutput(%n)
      } else_branch(%a) {
        ge.NetOutput(%a)
      }
      %z = ge.StatelessWhile(%y) : tensor<i32> cond(%a) {
        %l = ge.Const() {value = dense<20> : tensor<i32>} : tensor<i32>
        %b = ge.Less(%a, %l) : tensor<i1>
        ge.NetOutput(%b)
      } body(%a) {
        %f = ge.Const() {value = dense<7> : tensor<i32>} : tensor<i32>
        %s = ge.Add(%a, %f) : tensor<i32>
        ge.NetOutput(%s)
      }
      ge.NetOutput(%y, %z)
    }
    """
    y, z = both(text, [np.array(flag), np.array(3, np.int32)])
    assert (int(y), int(z)) == ((-3, 25) if flag else (3, 24))


@pytest.mark.parametrize(
    ("op", "label"),
    [("StatefulPartitionedCall", "f"), ("AscBackend", "body"), ("FusedAscBackend", "body"),
     ("SuperKernel", "body")],
)  # fmt: skip
def test_calls(op, label):
    text = f"""
    ge.graph @g(%x: tensor<2xf32>) {{
      %y = ge.{op}(%x) : tensor<2xf32> {label}(%a) {{
        %n = ge.Neg(%a) : tensor<2xf32>
        ge.NetOutput(%n)
      }}
      %t = ge.ControlTrigger() : !ge.ctrl
      ge.NetOutput(%y)
    }}
    """
    text = text.replace(
        "      %t = ge.ControlTrigger() : !ge.ctrl\n", "      ge.ControlTrigger()\n"
    )
    assert both(text, [np.array([1, -2], np.float32)])[0].tolist() == [-1, 2]


def test_branches_of_several_types():
    text = CASE.replace("{op}", "Case").replace(
        "%n = ge.Neg(%a) : tensor<2xf32>",
        "%n = ge.Const() {value = dense<0> : tensor<2xi32>} : tensor<2xi32>",
    )
    (problem, *_) = verify(parse(text).module)
    assert problem.code in ("GX-212", "GX-225")


def test_map_index():
    def at(x, table, levels=None):
        args = [np.array(v, np.int32) for v in (x, table)]
        args += [] if levels is None else [np.array(levels, np.int32)]
        return int(apply_op("MapIndex", args)[0])

    table = [1, 8, 2, 8, 2, 8, 4, 16]
    assert at([2, 8], table) == 1
    assert at([4, 16], table) == 3
    assert at([8, 1], table) == -1
    assert at([4, 16], table, [5, 6, 7, 9]) == 9
    assert at([4, 1], table, [5, 6, 7, 9]) == -1


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_dims_that_were_unknown(dtype):
    """As the multi-batch form chooses its branch: the unknown dims, looked up in a table."""
    shapes = [np.array([4, 3], dtype), np.array([5, 6, 7], dtype), np.array([], dtype)]
    attrs = {"shape_info": [2, -1, 3, 3, 5, -1, -1, 0], "N": 3}
    (dims,) = apply_op("GetDynamicDims", [shapes], attrs)
    assert dims.dtype == dtype
    assert dims.tolist() == [4, 6, 7]
    table = np.array([1, 2, 3, 4, 6, 7], np.int32)
    assert apply_op("MapIndex", [dims.astype(np.int32), table])[0] == 1
    (none,) = apply_op("GetDynamicDims", [shapes[:1]], {"shape_info": [2, 4, 3], "N": 1})
    assert none.shape == (0,)
