"""Views of nodes: type, attributes, anchors, neighbours, bodies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from ge_dialect.ir.attributes import WeightAttr
from ge_dialect.ir.base import DYNAMIC, GeOp, get_str
from ge_dialect.ir.control import control_inputs, control_result, data_inputs
from ge_dialect.ir.names import file_location, origins
from ge_dialect.ir.narrow import is_dense
from ge_dialect.ir.types import is_ctrl
from ge_dialect.views.anchors import InAnchor, OutAnchor, ReadOnly, fill
from ge_dialect.views.plain import Attributes, unknown

if TYPE_CHECKING:
    import numpy as np

    from ge_dialect.views.graph import GraphView

_CONSTANTS = frozenset({"ge.Const", "ge.Constant"})


class NodeView(ReadOnly):
    """One node. Two views of one operation are equal.

    graph: where it stands. op: the xDSL operation, None for an argument (see the module).
    """

    __slots__ = ("_memo", "_owner", "_place", "graph", "name", "op")
    graph: GraphView
    name: str
    op: Operation | None
    _owner: Operation | BlockArgument
    _place: int
    _memo: dict[str, Any]

    def __init__(
        self, graph: GraphView, owner: Operation | BlockArgument, name: str | None, place: int
    ) -> None:
        op = owner if isinstance(owner, Operation) else None
        fill(self, graph=graph, op=op, name=name, _owner=owner, _place=place, _memo={})
        if not name:
            fill(self, name=f"{self.type}_{place}")

    @property
    def type(self) -> str:
        """GE's operator type ("Conv2D"), also of an operator the library does not know."""
        op = self.op
        if op is None:
            return "RefData" if self.out_anchors[0].is_ref else "Data"
        if not isinstance(op, GeOp):
            return op.name
        return op.ge_attr("type") or "Opaque" if op.name == "ge.Opaque" else op.ge_type

    @property
    def attrs(self) -> Attributes:
        """All attributes as Python values, under their names in the text.

        Declared ones come first, defaults included, absent optional ones as None; then those with
        a dot, the compiler's ("ge.engine") and others. What GE's dump says beyond the declared
        (`ge.attr.<name>`) has GE's name.
        """
        op, where = self.op, f"{self.type} {self.name!r}"
        held: dict[str, Attribute | int | None] = {}
        if isinstance(self._owner, BlockArgument):
            held["index"] = index = self._owner.index
            held |= {} if self.graph.op is None else self.graph.op.arg_attributes(index)
        elif isinstance(op, GeOp):
            for name, spec in type(op).ge_table().attrs.items():
                held[name] = op.properties.get(name, spec.default)
        elif op is not None:
            held |= op.properties
        return Attributes(held | ({} if op is None else op.attributes), where)

    @property
    def origins(self) -> tuple[str, ...]:
        """Names of the source nodes it stands for."""
        return (self.name,) if self.op is None else origins(self.op)

    @property
    def engine(self) -> str | None:
        """The engine that runs it ("AIcoreEngine"), None before one is chosen."""
        return None if self.op is None else get_str(self.op, "ge.engine")

    @property
    def location(self) -> str | None:
        """ "file:line:col" of the text it was read from, None where unknown."""
        return None if self.op is None else file_location(self.op)

    @property
    def value(self) -> np.ndarray | None:
        """The array of a constant, which cannot be written to; None for any other node.

        Raises `GeError` for a weight without bytes: GX-305 (abstract), GX-304 (not in the store).
        """
        held = None
        if self.op is not None and self.op.name in _CONSTANTS:
            held = self.op.properties.get("value")
        if is_dense(held):
            from ge_dialect.ir.dense import dense_to_numpy

            return dense_to_numpy(held)
        if not isinstance(held, WeightAttr):
            return None
        from ge_dialect.weights.resolve import resolve

        return resolve(held, self.graph.weights)

    # --- data ---

    @property
    def in_anchors(self) -> tuple[InAnchor, ...]:
        """Data inputs as GE counts them: absent optional ones too, dynamic ones one by one."""
        found: tuple[InAnchor, ...] | None = self._memo.get("in")
        if found is None:
            found = tuple([InAnchor(self, i, *slot) for i, slot in enumerate(self._slots())])
            self._memo["in"] = found
        return found

    @property
    def _connected(self) -> tuple[InAnchor, ...]:
        """Inputs by the number of the data operand."""
        found: tuple[InAnchor, ...] | None = self._memo.get("connected")
        if found is None:
            found = self._memo["connected"] = tuple(
                [a for a in self.in_anchors if a.value is not None]
            )
        return found

    def _slots(self) -> Iterator[tuple[str, str, SSAValue | None]]:
        """(name, declared name, value) of each data input."""
        op = self.op
        if isinstance(op, GeOp):
            for slot, arg in zip(type(op).ge_table().inputs, op.ge_args(), strict=True):
                if isinstance(arg, list):
                    for i, value in enumerate(arg):
                        yield f"{slot.name}{i}", slot.name, value
                else:
                    yield slot.name, slot.name, arg
        elif op is not None:
            for i, value in enumerate(data_inputs(op)):
                yield f"x{i}", "x", value

    @property
    def out_anchors(self) -> tuple[OutAnchor, ...]:
        """Data outputs, dynamic ones one by one."""
        found: tuple[OutAnchor, ...] | None = self._memo.get("out")
        if found is None:
            found = tuple([OutAnchor(self, i, *slot) for i, slot in enumerate(self._results())])
            self._memo["out"] = found
        return found

    def _results(self) -> Iterator[tuple[str, str, SSAValue]]:
        op = self.op
        if isinstance(self._owner, BlockArgument):
            yield "y", "y", self._owner
        elif isinstance(op, GeOp):
            for slot, group in zip(type(op).ge_table().outputs, op.ge_result_groups(), strict=True):
                for i, value in enumerate(group):
                    yield f"{slot.name}{i}" if slot.kind == DYNAMIC else slot.name, slot.name, value
        elif op is not None:
            for i, value in enumerate(r for r in op.results if not is_ctrl(r.type)):
                yield f"y{i}", "y", value

    def input(self, name: str) -> InAnchor:
        """The input of that name in the prototype, connected or not; "x1" is one of dynamic "x".

        Raises `UnknownName` (a `GeError` GX-256 and a KeyError) where there is none.
        """
        return _named(self, "input", name, self.in_anchors)

    def inputs(self, name: str) -> tuple[InAnchor, ...]:
        """All connected inputs of a dynamic (or any) input; `UnknownName` for an unknown name."""
        op = self.op
        if isinstance(op, GeOp) and name not in type(op).ge_table().positions:
            raise unknown(f"{self!r} has no input {name!r}", name, type(op).ge_table().positions)
        return tuple([a for a in self.in_anchors if a.slot == name and a.value is not None])

    def output(self, name: str) -> OutAnchor:
        """The output of that name in the prototype, as `input`."""
        return _named(self, "output", name, self.out_anchors)

    def outputs(self, name: str) -> tuple[OutAnchor, ...]:
        """All outputs of a dynamic (or any) output."""
        return tuple([a for a in self.out_anchors if a.slot == name])

    @property
    def in_data_nodes(self) -> tuple[NodeView, ...]:
        """The nodes whose outputs it reads, each once, in order of the inputs."""
        peers = [a.peer for a in self.in_anchors]
        return tuple(dict.fromkeys([p.node for p in peers if p is not None]))

    @property
    def out_data_nodes(self) -> tuple[NodeView, ...]:
        """The nodes that read its outputs, each once, in order of the graph."""
        found = {p.node for a in self.out_anchors for p in a.peers}
        return tuple(sorted(found, key=lambda n: n._place))

    # --- control, bodies ---

    @property
    def in_control_nodes(self) -> tuple[NodeView, ...]:
        """The nodes it waits for by control edges, in order of the edges."""
        owners = [] if self.op is None else [v.owner for v in control_inputs(self.op)]
        return self._nodes_of([o for o in owners if isinstance(o, Operation)])

    @property
    def out_control_nodes(self) -> tuple[NodeView, ...]:
        """The nodes that wait for it by control edges, in order of the graph."""
        result = None if self.op is None else control_result(self.op)
        found = self._nodes_of([] if result is None else [use.operation for use in result.uses])
        return tuple(sorted(found, key=lambda n: n._place))

    def _nodes_of(self, ops: Sequence[Operation]) -> tuple[NodeView, ...]:
        """Nodes of this graph, each once."""
        found = [self.graph._node_of(op) for op in ops]
        return tuple(dict.fromkeys([node for node in found if node is not None]))

    @property
    def bodies(self) -> tuple[GraphView, ...]:
        """Its graphs (branches of If, the original nodes of a fused operator …), in order."""
        return self.graph._bodies_of(self)

    def body(self, name: str) -> GraphView:
        """The body of that role ("then_branch", "branches0"); `UnknownName` for an unknown one."""
        return _named(self, "body", name, self.bodies)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NodeView) and other._owner is self._owner

    def __hash__(self) -> int:
        return hash(self._owner)

    def __repr__(self) -> str:
        return f"<{self.type} {self.name!r}>"


_Named = TypeVar("_Named", "InAnchor", "OutAnchor", "GraphView")


def _named(node: NodeView, what: str, name: str, among: Sequence[_Named]) -> _Named:
    for item in among:
        if item.name == name:
            return item
    slots = {item.slot for item in among if isinstance(item, InAnchor | OutAnchor)}
    hint = f"it is dynamic: {what}s({name!r}) gives all of it" if name in slots else None
    raise unknown(f"{node!r} has no {what} {name!r}", name, [i.name for i in among], hint)
