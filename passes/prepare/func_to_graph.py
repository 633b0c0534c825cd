"""Functions of the `func` dialect become graphs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from xdsl.dialects.builtin import DictionaryAttr, UnregisteredOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region

from ge_dialect.ir.base import GeOp
from ge_dialect.ir.build import build
from ge_dialect.ir.graph import GraphOp
from ge_dialect.ir.names import names_in
from ge_dialect.ir.naming import name_missing
from ge_dialect.ir.narrow import is_array
from ge_dialect.ir.sequence import order_by_place
from ge_dialect.ir.types import tensor_under
from passes.base import Contract, Pass, PassResult

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from passes.context import PassContext


@dataclass(frozen=True)
class FuncToGraph(Pass):
    """Turn every ``func.func`` into a ``ge.graph`` of the same name.

    Arguments stay, with their attributes; ``func.return`` becomes ``ge.NetOutput``; attributes of
    the function whose names have a dot stay. A function runs its lines one after another, so
    conflicting effects get the control edges that a graph needs. What is no node, a function of
    several blocks or of none, and arguments that are neither tensors nor refs are errors, all
    reported at once. Graphs stay as they are. It is not part of a stage: functions come from other
    tools, ``-p func-to-graph,ge-default`` compiles them.

    Before::

        func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
          %y = ge.Relu(%x) : tensor<4xf32>
          ge.Print(%x)
          ge.Print(%y)
          func.return %y : tensor<4xf32>
        }
        ge.graph @g(%x: tensor<4xf32>) {
          ge.NetOutput(%x)
        }

    After::

        ge.graph @f(%x: tensor<4xf32>) {
          %y = ge.Relu(%x) : tensor<4xf32>
          %Print = ge.Print(%x) : !ge.ctrl
          ge.Print(%y) after(%Print) loc("Print_1")
          ge.NetOutput(%y)
        }
        ge.graph @g(%x: tensor<4xf32>) {
          ge.NetOutput(%x)
        }
    """

    name: ClassVar[str] = "func-to-graph"
    stage: ClassVar[str] = "prepare"
    contract: ClassVar[Contract] = Contract(preserves=())

    def run(self, module: ModuleOp, ctx: PassContext) -> PassResult:
        functions = [op for op in module.body.block.ops if isinstance(op, FuncOp)]
        problems = [p for f in functions for p in _problems(f)]
        for op, message in problems:
            ctx.sink.error("GX-446", message, op=op)
        if problems:
            return PassResult(False)
        total = 0
        for name, graph in [(f.sym_name.data, _convert(f)) for f in functions]:
            edges = order_by_place(graph.body)
            total += edges
            if ctx.remarks_enabled:
                said = f"function @{name} is a graph, {edges} control edges keep its order"
                ctx.remark(said, op=graph, category="applied")
        return PassResult(bool(functions), {"functions": len(functions), "edges": total})


def _problems(function: FuncOp) -> Iterator[tuple[Operation, str]]:
    """What keeps a function from being a graph, with the operation it stands at."""
    name = function.sym_name.data
    if len(function.body.blocks) != 1:
        yield function, f"function @{name} has {len(function.body.blocks)} blocks; a graph has one"
        return
    block = function.body.block
    for arg in block.args:
        if tensor_under(arg.type) is None:
            yield function, f"argument {arg.index} of function @{name} is no tensor: {arg.type}"
    given = function.properties.get("arg_attrs")
    if is_array(given) and len(given.data) != len(block.args):
        counts = f"{len(block.args)} arguments, attributes of {len(given.data)}"
        yield function, f"function @{name} has {counts}"
    for op in block.ops:
        if not isinstance(op, GeOp | ReturnOp):
            called = op.op_name.data if isinstance(op, UnregisteredOp) else op.name
            yield op, f"{called} in function @{name} is no node of a graph"


def _convert(function: FuncOp) -> GraphOp:
    """Replace a function by a graph of the same nodes."""
    old = function.body.block
    end = old.last_op
    assert isinstance(end, ReturnOp)
    block = Block(arg_types=[a.type for a in old.args])
    for before, after in zip(old.args, block.args, strict=True):
        after.name_hint = before.name_hint
        before.replace_all_uses_with(after)
    values = list(end.arguments)
    end.detach()
    for op in list(old.ops):
        op.detach()
        block.add_op(op)
    block.add_op(build("NetOutput", [values], name=names_in(block).free("NetOutput")))
    end.erase()
    graph = GraphOp.create(properties={"sym_name": function.sym_name}, regions=[Region(block)])
    graph.location = function.location
    given = function.properties.get("arg_attrs")
    if is_array(given):
        attributes = graph.all_arg_attributes()
        for index, held in enumerate(given.data):
            if isinstance(held, DictionaryAttr):
                attributes[index] = dict(held.data)
        graph.set_all_arg_attributes(attributes)
    graph.attributes.update({k: v for k, v in function.attributes.items() if "." in k})
    parent = function.parent
    assert parent is not None
    parent.insert_op_before(graph, function)
    function.detach()
    function.erase()
    name_missing(graph)
    return graph
