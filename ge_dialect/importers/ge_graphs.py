"""One graph of a dump as a block: inputs, nodes, bodies, outputs, order of effects."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ge_dialect.importers.ge_attrs import META, message_attr, text_attr
from ge_dialect.importers.ge_bodies import (
    FEEDS,
    Body,
    Misfit,
    body_feeds,
    body_of,
    drop_subgraph_names,
    feed_type,
    int_attr,
    output_places,
    seed_origin,
)
from ge_dialect.importers.ge_const import add_value
from ge_dialect.importers.ge_links import Linked, Node, link_graph, split_edge
from ge_dialect.importers.ge_message import Msg
from ge_dialect.importers.ge_nodes import (
    RECORD,
    Draft,
    Shared,
    assign_slots,
    input_names,
    known_class,
    make_node,
    own_name,
    record_of,
)
from ge_dialect.importers.ge_order import order_effects
from ge_dialect.importers.ge_types import UNNAMED, is_unfed
from ge_dialect.ir import kinds
from ge_dialect.ir.attributes import RefType
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.build import build
from ge_dialect.ir.control import control_of
from ge_dialect.ir.graph import GraphOp, new_graph
from ge_dialect.ir.names import hint_from_name
from ge_dialect.ir.private import set_name_hint
from ge_dialect.ir.stock_text import MAX_DEPTH
from ge_dialect.ir.taken_names import TakenNames
from ge_dialect.ir.types import elem_of, num_elements, tensor_under
from ge_dialect.ops.switching import BACK_EDGES


@dataclass
class GraphTable:
    """All graphs of a dump by name, and which of them have become bodies."""

    shared: Shared
    graphs: dict[str, tuple[Msg, int]]
    owned: dict[str, str] = field(default_factory=dict)
    open: list[str] = field(default_factory=list)
    linked: dict[str, Linked | None] = field(default_factory=dict)

    def link(self) -> None:
        """Link all graphs, so that every bad edge is known before anything is made."""
        for name, (msg, _) in self.graphs.items():
            self.linked[name] = link_graph(self.shared.source, msg, name)


def graph_record(msg: Msg) -> DictionaryAttr:
    """Fields of a graph that the IR has no place for, its name included."""
    return message_attr(Msg("GraphDef", -1, {k: v for k, v in msg.f.items() if k != "op"}))


def symbol(name: str, taken: TakenNames) -> str:
    """A legal, unused symbol for a graph's name."""
    text = re.sub(r"[^A-Za-z0-9_.$-]+", "_", name).strip("_") or "graph"
    if not re.match(r"[A-Za-z_]", text):
        text = f"graph_{text}"
    return taken.fresh(text)


def import_graph(table: GraphTable, msg: Msg, name: str, taken: TakenNames) -> GraphOp | None:
    """A graph on its own; None where something is wrong, which the source then has."""
    linked = table.linked.get(name)
    if linked is None:
        return None
    feeds = _feeds(linked)
    types = [feed_type(table.shared, n) for n in feeds]
    if any(t is None for t in types):
        return None
    top = new_graph(symbol(name, taken), types, [n.name for n in feeds])  # pyright: ignore
    places = {n.index: i for i, n in enumerate(feeds)}
    builder = _Builder(table, linked, top.body, places, None)
    table.open.append(name)
    builder.run()
    table.open.pop()
    top.attributes[RECORD] = graph_record(msg)
    return top


def _feeds(linked: Linked) -> list[Node]:
    """The nodes that take the graph's inputs, in order of `index` where that is an order."""
    nodes = [n for n in linked.nodes if n.type in FEEDS and all(o < 0 for o, _ in n.data)]
    data = [n for n in nodes if n.type != "PlaceHolder"]
    index = [int_attr(n.msg, "index") for n in data]
    if len(set(index)) == len(index) and None not in index:
        data.sort(key=lambda n: int_attr(n.msg, "index") or 0)
    return [*data, *(n for n in nodes if n.type == "PlaceHolder")]


class _Builder:
    """Makes the nodes of one graph."""

    def __init__(
        self,
        table: GraphTable,
        linked: Linked,
        block: Block,
        feeds: dict[int, int],
        body: Body | None,
    ) -> None:
        self.table, self.shared = table, table.shared
        self.linked, self.block, self.feeds, self.body = linked, block, feeds, body
        self.source = table.shared.source
        self.ops: dict[int, Operation] = {}
        self.names = frozenset(n.name for n in linked.nodes)
        self.taken = TakenNames(self.names)
        self.views: dict[tuple[SSAValue, Attribute], SSAValue] = {}
        self.end: Node | None = None

    def run(self) -> None:
        """All nodes in order, then the outputs."""
        for node in self.linked.order:
            if node.type == "NetOutput":
                self._net_output(node)
            else:
                self._node(node)
            if self.source.full:
                return
        if self.end is None:
            self._made_output()
        self.shared.ordered += order_effects(self.block)

    # ------------------------------------------------------------------------------- values

    def value(self, origin: int, output: int) -> SSAValue | None:
        """The value of an edge; None where its node could not be made."""
        op = self.ops.get(origin)
        if op is None or output >= len(op.results):
            return None
        return op.results[output]

    def read(self, value: SSAValue, node: Node, k: int, controls: list[SSAValue]) -> SSAValue:
        """What a ref holds, read for one input of a node: after whatever the node waits for."""
        name = self.taken.fresh(f"{node.name}/read_{k}")
        op = build("Read", [value], control=controls, name=name)
        self.block.add_op(op)
        return op.results[0]

    def view(self, value: SSAValue, type_: Attribute, node: Node, k: int) -> SSAValue | None:
        """The value seen with the type of the other end of an edge; None where sizes differ."""
        known = self.views.get((value, type_))
        if known is not None:
            return known
        here, there = num_elements(value.type), num_elements(type_)
        if here is not None and there is not None:
            from ge_dialect.dtypes import bits

            if here * bits(elem_of(value.type)) != there * bits(elem_of(type_)):
                return None
        name = self.taken.fresh(f"{node.name}/as_{k}")
        op = build("Reinterpret", [value], result_types=[type_], name=name)
        self.block.add_op(op)
        self.views[value, type_] = op.results[0]
        return op.results[0]

    def entries(
        self, node: Node, record: dict[str, Attribute], controls: list[SSAValue]
    ) -> list[SSAValue | None] | None:
        """Values of a node's inputs with the types its descriptors name; None where one lacks."""
        values: list[SSAValue | None] = []
        for origin, output in node.data:
            value = None if origin < 0 else self.value(origin, output)
            if origin >= 0 and value is None:
                return None
            values.append(value)
        if any(v is not None and isinstance(v.type, RefType) for v in values):
            takes = self._takes_refs(node, values)
            for k, value in enumerate(values):
                if value is not None and isinstance(value.type, RefType) and not takes[k]:
                    values[k] = self.read(value, node, k, controls)
        descs = node.msg.many("input_desc")
        kept: list[int] = []
        for k, value in enumerate(values):
            if value is None or k >= len(descs) or is_unfed(descs[k]):
                continue
            _, type_ = self.shared.desc(descs[k])
            have = tensor_under(value.type)
            if type_ is None or type_ is have or type_ == have:
                continue
            seen = None
            if not isinstance(value.type, RefType) and elem_of(type_) != UNNAMED:
                seen = self.view(value, type_, node, k)
            if seen is None:
                kept.append(k)
                if elem_of(type_) != UNNAMED:
                    self.shared.unequal.append(f"{node.name}:{k}")
            else:
                values[k] = seen
        if kept:
            record["kept"] = kinds.ints_to_attr(kept)
        return values

    def _takes_refs(self, node: Node, values: list[SSAValue | None]) -> list[bool]:
        if node.type == "NetOutput":
            return [False] * len(values)
        cls = known_class(node.type)
        if cls is None:
            return [True] * len(values)
        table = cls.ge_table()
        slots = assign_slots(table, input_names(node.msg), [v is not None for v in values])
        if slots is None:
            return [True] * len(values)
        if table.graphs:
            inside = self._refs_inside(node)
            return [k in inside for k in range(len(slots))]
        return [i >= 0 and (table.inputs[i].is_ref or table.inputs[i].is_any) for i in slots]

    def _refs_inside(self, node: Node) -> set[int]:
        """Inputs of an owner that its bodies take as refs."""
        out: set[int] = set()
        for name in node.msg.many("subgraph_name"):
            graph = self.table.graphs.get(name)
            for op in graph[0].many("op") if graph is not None else ():
                number = int_attr(op, "_parent_node_index")
                if op.get("type") == "RefData" and number is not None:
                    out.add(number)
        return out

    def controls(self, node: Node) -> list[SSAValue]:
        """Control results of what a node waits for."""
        ops = [self.ops[i] for i in node.waits if i in self.ops]
        return [control_of(op) for op in ops if op.name != "ge.NetOutput"]

    # -------------------------------------------------------------------------------- nodes

    def _node(self, node: Node) -> None:
        record = record_of(self.shared, node, self.names)
        if record is None:
            return
        controls = self.controls(node)
        written = None
        if node.index in self.feeds:
            entries: list[SSAValue | None] | None = [self.block.args[self.feeds[node.index]]]
            written = [-1] * len(node.data)
        else:
            entries = self.entries(node, record, controls)
        if entries is None:
            return
        outputs = [self.shared.desc(d)[1] for d in node.msg.many("output_desc")]
        if written is not None and len(outputs) == 1 and entries[0] is not None:
            # what reads it names its type; the node itself hands on what comes in
            passed = tensor_under(entries[0].type)
            if outputs[0] is not passed and outputs[0] != passed:
                outputs = [passed]
                record["kept_out"] = kinds.bool_to_attr(True)
        draft = Draft(node, entries, controls, outputs, record, written=written)  # pyright: ignore
        if node.type == "End" and not outputs and len(entries) == 1 and entries[0] is not None:
            draft.outputs = [entries[0].type]  # it gives on what it takes, to another graph
        self._attach_bodies(draft)
        if not add_value(self.shared, draft, self.block):
            self.block.add_op(make_node(self.shared, draft))
        op = self.block.last_op
        assert op is not None
        self._stream(op, node)
        if node.index in self.feeds or not node.data:
            seed_origin(op, node)
        if node.back:
            op.attributes[BACK_EDGES] = DictionaryAttr(
                {str(k): text_attr(text) for k, text in node.back}
            )
        self._remember(op, node)
        self.ops[node.index] = op

    @staticmethod
    def _stream(op: Operation, node: Node) -> None:
        stream = node.msg.get("stream_id")
        if stream:
            op.attributes["ge.stream"] = kinds.int_to_attr(stream)

    def _remember(self, op: Operation, node: Node) -> None:
        held = self.shared.onnx.get(id(node.msg))
        if held is not None:
            op.attributes["ge.onnx"] = held

    def _attach_bodies(self, draft: Draft) -> None:
        names = draft.node.msg.many("subgraph_name")
        cls = known_class(draft.node.type)
        if not names or cls is None or not cls.ge_table().graphs:
            return
        graphs = self.table.graphs
        if not all(n in graphs for n in names):
            return
        specs = cls.ge_table().graphs
        if not any(g.dynamic for g in specs) and len(specs) != len(names):
            reason = f"it has {len(names)} sub-graphs, {len(specs)} are its own"
            self.shared.misfits.setdefault(draft.node.type, (reason, []))[1].append(draft.node.name)
            return
        regions: list[Region] = []
        records: list[Attribute] = []
        before = set(self.table.owned)

        def release() -> None:
            for name in set(self.table.owned) - before:
                del self.table.owned[name]

        try:
            for i, name in enumerate(names):
                region = self._body(draft, cls, i, name)
                if region is None:
                    continue  # it is reported; the others may have problems too
                regions.append(region)
                records.append(graph_record(graphs[name][0]))
        except Misfit as misfit:
            release()
            self.shared.misfits.setdefault(draft.node.type, (str(misfit), []))[1].append(
                draft.node.name
            )
            return
        if len(regions) < len(names):
            return
        alone = dict(draft.record)

        def fall_back() -> None:
            release()
            draft.regions, draft.record = (), alone

        draft.regions, draft.fall_back = regions, fall_back
        draft.record["graphs"] = ArrayAttr(records)
        drop_subgraph_names(draft.record)

    def _body(self, draft: Draft, cls: type[GeOp], index: int, name: str) -> Region | None:
        table, node = self.table, draft.node
        _, pos = table.graphs[name]
        if name in table.open or name in table.owned:
            self.source.error_in(
                "GX-347",
                f"sub-graph {name!r} contains itself"
                if name in table.open
                else f"sub-graph {name!r} belongs to two operators",
                node.msg,
                "subgraph_name",
                index,
                node=node.name,
            )
            return None
        if len(table.open) > MAX_DEPTH:
            self.source.error("GX-110", f"graphs are nested more than {MAX_DEPTH} levels deep", pos)
            return None
        table.owned[name] = node.name
        linked = table.linked.get(name)
        if linked is None:
            return None
        body = body_of(draft, cls, index)
        feeds = body_feeds(self.shared, linked, body, node)
        block = Block(arg_types=body.args)
        for n in linked.nodes:
            hint = hint_from_name(n.name) if n.index in feeds else None
            if hint is not None:
                set_name_hint(block.args[feeds[n.index]], hint)
        table.open.append(name)
        before = len(self.source.problems)
        try:
            _Builder(table, linked, block, feeds, body).run()
        finally:
            table.open.pop()
        return Region(block) if len(self.source.problems) == before else None

    # ------------------------------------------------------------------------------ outputs

    def _net_output(self, node: Node) -> None:
        if self.end is not None:
            self.source.error(
                "GX-342", "the graph has a second NetOutput", node.pos, node=node.name
            )
            return
        self.end = node
        record = record_of(self.shared, node, self.names)
        if record is None:
            return
        controls = self.controls(node)
        values = self.entries(node, record, controls)
        if values is None:
            return
        written = [-1] * len(values)
        body = self.body
        results = None if body is None else body.results
        if results is None:
            operands = [v for v in values if v is not None]
            count = 0
            for k, v in enumerate(values):
                if v is not None:
                    written[k], count = count, count + 1
        else:
            places = output_places(self.source, self.linked.name, node, len(results))
            if places is None:
                return
            found: list[SSAValue | None] = [None] * len(results)
            for k, place in enumerate(places):
                found[place], written[k] = values[k], place
            if any(v is None for v in found):
                raise Misfit("a sub-graph does not give all of its outputs")
            operands = [
                self._as_result(v, t, node, i)
                for i, (v, t) in enumerate(zip(found, results, strict=True))
                if v is not None
            ]
        attributes: dict[str, Attribute] = {
            own_name(name): self.shared.attribute(value)
            for name, value in sorted(node.msg.attrs.items())
            if name not in META
        }
        if written != list(range(len(operands))):
            record["inputs"] = kinds.ints_to_attr(written)
        attributes[RECORD] = DictionaryAttr(record)
        end = build(
            "NetOutput",
            [operands],
            result_types=[],
            control=controls,
            name=node.name,
            attributes=attributes,
        )
        self.block.add_op(end)
        self._stream(end, node)
        self._remember(end, node)
        self.ops[node.index] = end

    def _as_result(self, value: SSAValue, type_: Attribute, node: Node, i: int) -> SSAValue:
        if value.type is type_ or value.type == type_:
            return value
        seen = self.view(value, type_, node, i)
        if seen is None:
            raise Misfit(f"output {i} of a sub-graph has another size than that of its node")
        return seen

    def _made_output(self) -> None:
        """The end of a graph that has none: its listed outputs, or those of its End nodes."""
        values: list[SSAValue] = []
        by_name = {n.name: n.index for n in self.linked.nodes}
        for i, text in enumerate(self.linked.msg.many("output")):
            edge = split_edge(text) or (text, 0)
            value = self.value(by_name[edge[0]], edge[1]) if edge[0] in by_name else None
            if value is not None:
                values.append(value)
            elif edge[0] not in by_name:
                self.source.error_in(
                    "GX-344",
                    f"output {text!r} comes from a node that is not there",
                    self.linked.msg,
                    "output",
                    i,
                )
        if not values:
            ends = [n for n in self.linked.nodes if n.type == "End"]
            values = [v for n in ends if (v := self.value(n.index, 0)) is not None]
        fake: Any = Node(Msg("OpDef"), -1, -1, "NetOutput", "NetOutput")
        values = [
            self.read(v, fake, i, []) if isinstance(v.type, RefType) else v
            for i, v in enumerate(values)
        ]
        results = None if self.body is None else self.body.results
        if results is not None:
            if len(values) != len(results):
                raise Misfit("a sub-graph does not give all of its outputs")
            values = [
                self._as_result(v, t, fake, i)
                for i, (v, t) in enumerate(zip(values, results, strict=True))
            ]
        name = self.taken.fresh("NetOutput")
        record = DictionaryAttr({"made": kinds.bool_to_attr(True)})
        self.block.add_op(
            build("NetOutput", [values], result_types=[], name=name, attributes={RECORD: record})
        )


__all__ = ["BACK_EDGES", "GraphTable", "StringAttr", "import_graph", "symbol"]
