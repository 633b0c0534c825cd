"""Copies of modules are the same in all that counts, and take time in proportion."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp, f32

from ge_dialect.ir.build import module
from ge_dialect.ir.context import make_context
from ge_dialect.ir.copying import copy_module
from ge_dialect.ir.graph import new_graph
from ge_dialect.ir.printer import print_module
from ge_dialect.ir.private import nodes_of
from ge_dialect.ir.reader import parse_module
from ge_dialect.ir.types import tensor_type
from tests.growth import IN_PROPORTION, growth

T = "tensor<8xf16>"
NESTED = f"""
module attributes {{k.of = "module"}} {{
  ge.graph @g(%x_1: {T} {{ge.shape_range = "a"}}, %7: tensor<i1>, %c: {T}) {{
    %a_2, %done = ge.Exp(%x_1) {{k.a = 1}} : {T}, !ge.ctrl loc("first"("origin"))
    %r = ge.If(%7, [%a_2, %a_2]) after(%done) : {T} then_branch(%p_3, %q) {{
      %y_4 = ge.Relu(%p_3) : {T}
      ge.NetOutput(%y_4)
    }} else_branch(%p, %q_5) {{
      ge.NetOutput(%q_5)
    }}
    ge.NetOutput(%r, %c, %c)
  }}
  ge.graph @h(%x: {T}) {{
    ge.NetOutput(%x)
  }}
}}
"""
BRANCHES = """
func.func @f(%c: i1, %x_1: f32) -> f32 {
  "cf.br"(%x_1)[^late] : (f32) -> ()
^late(%y_2: f32):
  func.return %y_2 : f32
}
"""


def whole(given: ModuleOp) -> str:
    return print_module(given, generic=True, debuginfo=True)


def uses(given: ModuleOp) -> list[list[tuple[str, int]]]:
    """Users of all values, in order."""
    values = [v for op in given.walk() for v in op.results]
    values += [a for op in given.walk() for r in op.regions for b in r.blocks for a in b.args]
    return [[(u.operation.name, u.index) for u in v.uses] for v in values]


def test_nothing_is_lost() -> None:
    given = parse_module(NESTED)
    copy = copy_module(given)
    assert whole(copy) == whole(given)
    assert uses(copy) == uses(given)
    mine = set(given.walk())
    assert not any(op in mine for op in copy.walk())
    assert all(u.operation not in mine for op in copy.walk() for v in op.results for u in v.uses)
    assert print_module(copy) == print_module(given)
    assert "%x_1" in print_module(copy)


def test_a_value_that_is_used_before_it_is_made() -> None:
    given = parse_module(f"ge.graph @g(%x: {T}) {{\n  %a = ge.Exp(%x) : {T}\n"
                         f"  %b = ge.Relu(%a) : {T}\n  ge.NetOutput(%b)\n}}\n")  # fmt: skip
    (graph,) = given.body.block.ops
    block = graph.regions[0].block
    first = next(iter(nodes_of(block)))
    first.detach()
    block.insert_op_after(first, next(iter(nodes_of(block))))
    copy = copy_module(given)
    (other,) = copy.body.block.ops
    relu, exp, _ = nodes_of(other.regions[0].block)
    assert relu.operands[0] is exp.results[0]


def test_blocks_that_follow_each_other() -> None:
    given = parse_module(BRANCHES, make_context(allow_unregistered=True))
    copy = copy_module(given)
    (function,) = copy.body.block.ops
    first, late = function.regions[0].blocks
    last = first.last_op
    assert last is not None
    assert last.successors[0] is late
    assert whole(copy) == whole(given)


def test_many_inputs() -> None:
    given = {
        n: module([new_graph("g", [tensor_type([8], f32)] * n, [f"x{i}" for i in range(n)])])
        for n in (500, 5000)
    }
    assert growth(lambda n: copy_module(given[n]), 500) < IN_PROPORTION
