"""The axis order (GE's origin format) of tensors whose type does not say it.

A layout says what the logical axes are; a tensor without one may be an image in NCHW or NHWC. What
is known is gathered here: operators with a `data_format` seed their data input and their results,
the attribute `ge.origin_format` of a node (or of an argument of the graph) seeds its results,
layouts seed the tensor they belong to, and operators that work element by element, or hand a value
on, carry the order along in both directions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Attribute, Block, SSAValue

from ge_dialect.ir.base import GeOp
from ge_dialect.ir.graph import GraphOp, module_graphs
from ge_dialect.ir.names import node_name
from ge_dialect.ir.types import layout_of, shape_of, tensor_under
from ge_dialect.layouts import ORIGIN_FORMATS, origin_of
from ge_dialect.target.oplib import aicore_entry

ATTRIBUTE = "ge.origin_format"

#: Operators that hand a value on, beside those the operator library calls elementwise.
_PASSING = frozenset(
    "Data RefData Identity IdentityN TransData Cast Read Assign If StatelessIf Case StatelessCase "
    "While StatelessWhile PartitionedCall StatefulPartitionedCall".split()
)
_ELEMENTWISE_RULES = frozenset({"shared", "channel", "concat"})


class OriginFormats:
    """Origin formats of the values of a module: the analysis ``origin-formats``.

    Two results are equal where they say the same of nodes of the same names.
    """

    def __init__(self, module: ModuleOp) -> None:
        self._above: dict[SSAValue, SSAValue] = {}
        self._seeds: dict[SSAValue, set[str]] = {}
        self._table: dict[tuple[str, str], tuple[str | None, ...]] = {}
        graphs = module_graphs(module)
        for graph in graphs:
            self._arguments(graph)
            self._block(graph.body)
        for graph in graphs:
            self._note(graph.body, graph.sym_name.data)

    def of(self, value: SSAValue) -> str | None:
        """Origin format of a value; None where nothing, or more than one thing, is said of it."""
        found = self._seeds.get(self._root(value), ())
        return next(iter(found)) if len(found) == 1 else None

    def table(self) -> Mapping[tuple[str, str], tuple[str | None, ...]]:
        """By graph (bodies are `graph/node/index`) and node: the format of each result."""
        return self._table

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OriginFormats) and self._table == other._table

    __hash__ = None  # type: ignore[assignment]

    # ------------------------------------------------------------------------------- facts

    def _arguments(self, graph: GraphOp) -> None:
        for arg in graph.args:
            held = graph.arg_attributes(arg.index).get(ATTRIBUTE)
            if isinstance(held, StringAttr):
                self._say(arg, held.data)

    def _block(self, block: Block) -> None:
        for arg in block.args:
            self._layout(arg)
        for op in block.ops:
            for result in op.results:
                self._layout(result)
            if isinstance(op, GeOp):
                self._node(op)
                for region in op.regions:
                    for inner in region.blocks:
                        self._block(inner)
                        self._body(op, inner)

    def _node(self, op: GeOp) -> None:
        own = op.attributes.get(ATTRIBUTE)
        results = op.ge_data_results
        if isinstance(own, StringAttr):
            for result in results:
                self._say(result, own.data)
        inputs = op.ge_data_operands
        named = op.properties.get("data_format")
        if isinstance(named, StringAttr) and named.data in ORIGIN_FORMATS:
            filters = "BackpropFilter" in op.ge_type  # whose result is no image
            for value in (*inputs[:1], *(() if filters else results)):
                self._say(value, named.data)
        if not self._carries(op):
            return
        for value in (*inputs, *results[1:]):
            if results and _rank(value) == _rank(results[0]):
                self._join(value, results[0])

    @staticmethod
    def _carries(op: GeOp) -> bool:
        if op.regions:
            return False  # see _body
        if op.ge_type in _PASSING:
            return True
        entry = aicore_entry(op.ge_type)
        return entry is not None and entry.rule in _ELEMENTWISE_RULES

    def _body(self, op: GeOp, body: Block) -> None:
        """Arguments are the last inputs of the node; its results are those of the body."""
        inputs = op.ge_data_operands
        for arg, value in zip(reversed(body.args), reversed(inputs), strict=False):
            self._join(arg, value)
        last = body.last_op
        if not isinstance(last, GeOp) or last.ge_type != "NetOutput":
            return
        given = last.ge_data_operands
        results = op.ge_data_results
        if len(given) == len(results) and op.ge_type in _PASSING:
            for value, result in zip(given, results, strict=True):
                if _rank(value) == _rank(result):
                    self._join(value, result)

    def _layout(self, value: SSAValue) -> None:
        held = layout_of(value.type) if tensor_under(value.type) is not None else None
        shape = shape_of(value.type) if held is not None else None
        if held is not None and shape is not None:
            self._say(value, origin_of(len(shape), held))

    def _say(self, value: SSAValue, format_: str) -> None:
        if format_ != "ND" and _rank(value) == len(format_):
            self._seeds.setdefault(self._root(value), set()).add(format_)

    # ------------------------------------------------------------------------------- classes

    def _root(self, value: SSAValue) -> SSAValue:
        while (above := self._above.get(value)) is not None:
            further = self._above.get(above)
            if further is not None:
                self._above[value] = further
            value = above
        return value

    def _join(self, a: SSAValue, b: SSAValue) -> None:
        a, b = self._root(a), self._root(b)
        if a is not b:
            self._above[a] = b
            said = self._seeds.pop(a, None)
            if said:
                self._seeds.setdefault(b, set()).update(said)

    # --------------------------------------------------------------------------------- table

    def _note(self, block: Block, path: str) -> None:
        for op in _nodes(block):
            name = node_name(op) or ""
            self._table[path, name] = tuple(self.of(r) for r in op.ge_data_results)
            for index, region in enumerate(op.regions):
                for inner in region.blocks:
                    self._note(inner, f"{path}/{name}/{index}")


def _nodes(block: Block) -> Iterator[GeOp]:
    return (op for op in block.ops if isinstance(op, GeOp))


def _rank(value: SSAValue) -> int | None:
    type_: Attribute = value.type
    if tensor_under(type_) is None:
        return None
    shape = shape_of(type_)
    return None if shape is None else len(shape)
