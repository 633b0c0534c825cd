"""One graph as a GraphDef, the bodies in it as further ones."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue

from ge_dialect.exporters.ge_node import NodeWriter, record_entries
from ge_dialect.importers.ge_attrs import from_message_attr
from ge_dialect.importers.ge_bodies import FEEDS
from ge_dialect.importers.ge_message import Msg
from ge_dialect.importers.ge_nodes import RECORD
from ge_dialect.importers.ge_types import canonical_desc
from ge_dialect.ir.attributes import CtrlType, RefType
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.graph import GraphOp
from ge_dialect.ir.names import node_name
from ge_dialect.ir.private import name_hint, operands_of
from ge_dialect.ir.taken_names import TakenNames
from ge_dialect.ir.types import tensor_under

if TYPE_CHECKING:
    from ge_dialect.exporters.ge_dump import Tables

#: Nodes that are no nodes of GE's: what reads them reads what they read.
FOLDED = frozenset({"ge.Reinterpret", "ge.Read"})


class GraphWriter:
    """Writes a graph and everything in it; `taken` holds the names of graphs in use."""

    def __init__(self, tables: Tables, taken: TakenNames) -> None:
        self.tables = tables
        self.taken = taken

    def top(self, graph: GraphOp, name: str) -> list[Msg]:
        """GraphDefs of a graph: its own first, then those of its bodies, outer before inner."""
        held = graph.attributes.get(RECORD)
        return self.block(graph.body, name, held, None, graph.arg_names())

    def block(
        self,
        block: Block,
        name: str,
        record: Attribute | None,
        owner: GeOp | None,
        arg_names: list[str],
    ) -> list[Msg]:
        """GraphDefs of one block and of the bodies in it."""
        try:
            msg = from_message_attr(record, "GraphDef") if record is not None else Msg("GraphDef")
        except ValueError:
            msg = Msg("GraphDef")
        named = record is not None
        if not named or msg.get("name") is not None:
            msg.f["name"] = name
        view = BlockView(block, owner, arg_names)
        writer = NodeWriter(self.tables, view)
        ops: list[Msg] = [writer.feed(arg) for arg in view.bare_args]
        inner: list[Msg] = []
        for op in block.ops:
            if op.name in FOLDED:
                continue
            if not isinstance(op, GeOp):
                self.tables.refuse(f"GE has no operator {op.name}", view.names.get(op, "?"))
                continue
            if op.name == "ge.NetOutput" and "made" in record_entries(op):
                continue
            names: list[str] = []
            for i, region in enumerate(op.regions):
                held = _graph_record(op, i)
                wanted = _recorded_name(held) or f"{view.names[op]}_{_slot_name(op, i)}"
                inner_name = self.taken.fresh(wanted)
                names.append(inner_name)
                body = region.block
                arguments = [name_hint(a) or f"arg{j}" for j, a in enumerate(body.args)]
                inner += self.block(body, inner_name, held, op, arguments)
            ops.append(writer.node(op, names))
        if not named:
            _outputs(msg, ops)
        msg.f["op"] = ops
        return [msg, *inner]


def _outputs(msg: Msg, ops: list[Msg]) -> None:
    end = ops[-1] if ops and ops[-1].get("type") == "NetOutput" else None
    if end is not None:
        msg.f["output"] = [f"{end.get('name')}:0"]
    else:
        msg.f.setdefault("output", [])


def _graph_record(op: GeOp, index: int) -> Attribute | None:
    held = record_entries(op).get("graphs")
    if isinstance(held, ArrayAttr) and index < len(held.data):
        return held.data[index]
    return None


def _recorded_name(record: Attribute | None) -> str | None:
    name = record.data.get("name") if isinstance(record, DictionaryAttr) else None
    return name.data if isinstance(name, StringAttr) else None


def _slot_name(op: GeOp, index: int) -> str:
    specs = type(op).ge_table().graphs
    if index < len(specs) and not specs[index].dynamic:
        return specs[index].name
    return f"{specs[-1].name if specs else 'body'}_{index}"


class BlockView:
    """Names and edges of a block as GE sees them: without the nodes that are only ours."""

    def __init__(self, block: Block, owner: GeOp | None, arg_names: list[str]) -> None:
        self.block = block
        self.owner = owner
        self.names: dict[Operation, str] = {}
        taken = TakenNames()
        unnamed: list[Operation] = []
        for op in block.ops:
            name = node_name(op)
            if name is None or name in taken:
                unnamed.append(op)
            else:
                taken.add(name)
                self.names[op] = name
        for op in unnamed:
            self.names[op] = taken.fresh(node_name(op) or op.name.rpartition(".")[2])
        self.arg_names: dict[SSAValue, str] = {}
        self.bare_args: list[BlockArgument] = []
        for arg in block.args:
            users = [use.operation for use in arg.uses]
            if users and all(u.name[3:] in FEEDS for u in users):
                continue
            if not users and owner is not None:
                continue
            self.bare_args.append(arg)
            self.arg_names[arg] = taken.fresh(arg_names[arg.index])

    def written_name(self, name: str) -> str:
        """What the node of a name in the IR is called in the dump."""
        return self._written.get(name, name)

    @cached_property
    def _written(self) -> dict[str | None, str]:
        out: dict[str | None, str] = {}
        for op, written in self.names.items():
            out.setdefault(node_name(op), written)
        return out

    def shift(self) -> int:
        """Inputs of the owner before those its body takes."""
        if self.owner is None:
            return 0
        return len(self.owner.ge_data_operands) - len(self.block.args)

    def parent_index(self, index: int) -> int:
        """Input of the owner behind an argument."""
        if self.owner is not None and self.owner.name == "ge.For" and index == 0:
            return 0
        return index + self.shift()

    def source(self, value: SSAValue) -> SSAValue:
        """The value behind nodes that are only ours."""
        while isinstance(value, OpResult) and value.op.name in FOLDED:
            value = operands_of(value.op)[0]
        return value

    def edge(self, value: SSAValue) -> str:
        """ "node:output" of a value."""
        value = self.source(value)
        if isinstance(value, OpResult):
            return f"{self.names[value.op]}:{value.index}"
        if value in self.arg_names:
            return f"{self.arg_names[value]}:0"
        return f"{self._feed_of(value)}:0"

    def _feed_of(self, value: SSAValue) -> str:
        for use in value.uses:
            if use.operation in self.names:
                return self.names[use.operation]
        return "?"

    def waits(self, op: Operation) -> list[str]:
        """Names of the nodes an operator waits for, those that an import put there left out."""
        out: dict[str, None] = {}
        self._waits_of(op, out)
        for value in operands_of(op):
            if isinstance(value.type, CtrlType):
                continue
            # a read waits in the place of the node it reads for
            while isinstance(value, OpResult) and value.op.name in FOLDED:
                self._waits_of(value.op, out)
                value = operands_of(value.op)[0]
        own = self.names.get(op)
        return [name for name in out if name != own]

    def _waits_of(self, op: Operation, out: dict[str, None]) -> None:
        ordered = record_entries(op).get("ordered")
        left_out = (
            {a.data for a in ordered.data if isinstance(a, StringAttr)}
            if isinstance(ordered, ArrayAttr)
            else ()
        )
        for value in operands_of(op):
            if not isinstance(value.type, CtrlType) or not isinstance(value, OpResult):
                continue
            for source in self._doers(value.op):
                name = self.names[value.op]
                if name not in left_out:
                    out.setdefault(self.names[source])

    def _doers(self, op: Operation) -> list[Operation]:
        """The node itself, or those that read through it."""
        if op.name not in FOLDED:
            return [op]
        found: list[Operation] = []
        for result in op.results:
            if not isinstance(result.type, CtrlType):
                for use in result.uses:
                    found += self._doers(use.operation)
        return found


def feed_desc(value: SSAValue) -> Msg:
    """Descriptor of a graph's input."""
    type_ = value.type
    return canonical_desc(tensor_under(type_) if isinstance(type_, RefType) else type_)  # pyright: ignore
