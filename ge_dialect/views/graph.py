"""Views of graphs: their nodes by name, type and order, their inputs and outputs."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase
from itertools import islice
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from ge_dialect.api import Model, as_model, pick_graph
from ge_dialect.diagnostics import user_error
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.graph import GraphOp
from ge_dialect.ir.names import node_name
from ge_dialect.ir.outputs import names_of_values, output_names
from ge_dialect.views.anchors import InAnchor, OutAnchor, ReadOnly, fill
from ge_dialect.views.node import NodeView
from ge_dialect.views.plain import Attributes, unknown

if TYPE_CHECKING:
    from ge_dialect.weights.store import WeightStore

_DATA = frozenset({"ge.Data", "ge.RefData"})


def view(
    model: Model | ModuleOp | GraphOp,
    graph: str | None = None,
    *,
    weights: WeightStore | None = None,
) -> GraphView:
    """A view of a graph: the only one, the one called `graph`, or the `GraphOp` itself.

    weights: where values of constants come from; those of the model by default.
    Raises `GeError` GX-011 where there is no such graph or several to choose from.
    """
    if isinstance(model, GraphOp):
        if graph is not None:
            raise TypeError("graph= chooses among the graphs of a model; this is one graph")
        chosen = model
    else:
        given = as_model(model)
        chosen = pick_graph(given, graph)
        weights = given.weights if weights is None else weights
    return GraphView(chosen.body, chosen.sym_name.data, weights=weights)


class GraphView(ReadOnly):
    """One graph, or one body of a node. Iterating gives its nodes, `in` takes nodes and names.

    name: of a body, its role ("then_branch", "branches0"). parent: the node a body belongs to.
    """

    __slots__ = ("_block", "_bodies", "_names", "_nodes", "_of", "name", "parent", "weights")
    name: str
    parent: NodeView | None
    weights: WeightStore | None
    _block: Block
    _nodes: tuple[NodeView, ...]
    _of: dict[Operation | SSAValue, NodeView]
    _names: dict[str, NodeView]
    _bodies: dict[Operation, tuple[GraphView, ...]]

    def __init__(
        self,
        block: Block,
        name: str,
        *,
        weights: WeightStore | None = None,
        parent: NodeView | None = None,
    ) -> None:
        fill(self, _block=block, name=name, weights=weights, parent=parent, _bodies={})
        nodes: list[NodeView] = []
        for arg, arg_name in zip(block.args, self.input_names, strict=True):
            if _data_node(arg) is None:
                nodes.append(NodeView(self, arg, arg_name, len(nodes)))
        for op in block.ops:
            nodes.append(NodeView(self, op, node_name(op), len(nodes)))
        # an operation before an argument of the same name, the first of several operations
        named = {n.name: n for n in sorted(reversed(nodes), key=lambda n: n.op is not None)}
        fill(self, _nodes=tuple(nodes), _of={n._owner: n for n in nodes}, _names=named)

    # --- nodes ---

    def nodes(self) -> tuple[NodeView, ...]:
        """All nodes in order: arguments without a `ge.Data`, then operations as in the text."""
        return self._nodes

    def __iter__(self) -> Iterator[NodeView]:
        return iter(self._nodes)

    def __len__(self) -> int:
        return len(self._nodes)

    def __contains__(self, item: object) -> bool:
        if isinstance(item, NodeView):
            return item._owner in self._of
        return item in self._names

    def node(self, name: str) -> NodeView:
        """The node of that name; bodies have names of their own.

        Raises `UnknownName` (a `GeError` GX-256 and a KeyError) where there is none.
        """
        found = self._names.get(name)
        if found is None:
            heirs = [n.name for n in self._nodes if name in n.origins]
            hint = f"it has become part of {heirs[0]!r}" if heirs else None
            raise unknown(f"graph {self.name!r} has no node {name!r}", name, self._names, hint)
        return found

    def find(self, type: str = "*", name: str = "*") -> list[NodeView]:
        """The nodes whose type and name match, in order; `*`, `?` and `[…]` as in file names."""
        return [n for n in self._nodes if fnmatchcase(n.type, type) and fnmatchcase(n.name, name)]

    def walk(self) -> Iterator[NodeView]:
        """All nodes, each followed by those of its bodies."""
        stack = [iter(self._nodes)]
        while stack:
            node = next(stack[-1], None)
            if node is None:
                stack.pop()
            else:
                yield node
                stack += [iter(body) for body in reversed(node.bodies)]

    # --- ends ---

    @property
    def input_names(self) -> list[str]:
        """Names of the inputs, in order, as `evaluate` takes them."""
        owner = self.op
        if isinstance(owner, GraphOp):
            return owner.arg_names()
        return [arg.name_hint or f"arg{arg.index}" for arg in self._block.args]

    @property
    def inputs(self) -> tuple[OutAnchor, ...]:
        """The outputs of the Data nodes, one per input."""
        owners = [_data_node(arg) or arg for arg in self._block.args]
        return tuple([self._of[owner].out_anchors[0] for owner in owners])

    @property
    def output_names(self) -> list[str]:
        """Names of the outputs, in order, as `evaluate` gives them."""
        owner = self.op
        if isinstance(owner, GraphOp):
            return output_names(owner)
        values = [a.value for a in self.outputs if a.value is not None]
        return names_of_values(values, dict(zip(self._block.args, self.input_names, strict=True)))

    @property
    def outputs(self) -> tuple[InAnchor, ...]:
        """The inputs of NetOutput; their peers make the graph's outputs."""
        end = self._block.last_op
        return self._of[end].in_anchors if end is not None and end.name == "ge.NetOutput" else ()

    # --- the rest ---

    @property
    def attrs(self) -> Attributes:
        """Attributes of the graph, of a body none."""
        return Attributes({} if self.op is None else self.op.attributes, f"graph {self.name!r}")

    @property
    def op(self) -> GraphOp | None:
        """The `ge.graph`, None for a body."""
        owner = self._block.parent_op()
        return owner if isinstance(owner, GraphOp) else None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GraphView) and other._block is self._block

    def __hash__(self) -> int:
        return hash(self._block)

    def __repr__(self) -> str:
        return f"<graph {self.name!r}: {len(self)} nodes>"

    def _maker(self, value: SSAValue) -> OutAnchor | None:
        if isinstance(value, OpResult):
            node = self._node_of(value.op)
            return None if node is None else node.out_anchors[value.index]
        node = self._of.get(value)
        return None if node is None else node.out_anchors[0]

    def _node_of(self, op: Operation) -> NodeView | None:
        """The node of an operation, None where it stands in another graph."""
        found = self._of.get(op)
        if found is None and op.parent_block() is self._block:
            raise user_error(
                "GX-257",
                f"graph {self.name!r} has changed since this view of it was taken",
                hint="take a new one with view(model)",
            )
        return found

    def _bodies_of(self, node: NodeView) -> tuple[GraphView, ...]:
        op = node.op
        if op is None or not op.regions:
            return ()
        found = self._bodies.get(op)
        if found is None:
            made = [
                GraphView(region.blocks[0], name, weights=self.weights, parent=node)
                for name, region in zip(_body_names(op), op.regions, strict=True)
                if region.blocks
            ]
            found = self._bodies[op] = tuple(made)
        return found


def _body_names(op: Operation) -> list[str]:
    """Roles of the bodies as declared, those of a list with numbers."""
    if not isinstance(op, GeOp):
        return [f"body{i}" for i in range(len(op.regions))]
    names: list[str] = []
    graphs = type(op).ge_table().graphs
    for spec in graphs:
        count = len(op.regions) - len(graphs) + 1
        names += [f"{spec.name}{i}" for i in range(count)] if spec.dynamic else [spec.name]
    return names


def _data_node(arg: BlockArgument) -> Operation | None:
    """The `ge.Data` or `ge.RefData` that an argument is, where nothing else reads it."""
    readers = [use.operation for use in islice(arg.uses, 2)]
    return readers[0] if len(readers) == 1 and readers[0].name in _DATA else None
