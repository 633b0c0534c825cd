"""What ties a sub-graph to its owner: parent indices of its inputs and outputs, names, orders."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import DictionaryAttr
from xdsl.ir import Attribute, Operation

from ge_dialect.importers.ge_links import Linked, Node
from ge_dialect.importers.ge_message import Msg, Source
from ge_dialect.importers.ge_nodes import Draft, Shared, assign_slots, input_names
from ge_dialect.importers.ge_types import origin_of_desc
from ge_dialect.ir import kinds
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.types import layout_of, ref_type, shape_of, tensor_under
from ge_dialect.layouts import ORIGIN_FORMATS, default_origin

#: Nodes that bring a value in from outside; those of engine sub-graphs too.
FEEDS = frozenset({"Data", "RefData", "AippData", "AnnData", "QueueData", "PlaceHolder"})


@dataclass
class Body:
    """What a graph that is a body must take and give. loop_test: its outputs are its own."""

    args: list[Attribute]
    shift: int
    counted: bool
    results: list[Attribute] | None


class Misfit(Exception):
    """A graph that cannot be the body of its owner; the graph stands alone then."""


def int_attr(msg: Msg, name: str) -> int | None:
    value = msg.attrs.get(name)
    found = None if value is None else value.f.get("i")
    return found if isinstance(found, int) else None


def feed_type(shared: Shared, node: Node) -> Attribute | None:
    descs = node.msg.many("output_desc")
    if not descs:
        shared.source.error(
            "GX-346",
            f"{node.type} {node.name!r} does not say what it gives",
            node.pos,
            node=node.name,
            expected="an output_desc",
        )
        return None
    _, type_ = shared.desc(descs[0])
    if type_ is not None and node.type == "RefData":
        return ref_type(type_)
    return type_


def body_of(draft: Draft, cls: type[GeOp], index: int) -> Body:
    table = cls.ge_table()
    given = [v is not None for v in draft.entries]
    slots = assign_slots(table, input_names(draft.node.msg), given)
    if slots is None:
        raise Misfit("its inputs are not those of the operator")
    pairs = [(s, v) for s, v in zip(slots, draft.entries, strict=True) if v is not None]
    types = [v.type for _, v in sorted(pairs, key=lambda p: p[0])]
    args = list(cls.ge_body_types(types, index))
    counted = draft.node.type == "For"
    test = len(table.graphs) > index and table.graphs[index].name == "cond"
    return Body(args, len(types) - len(args), counted, None if test else draft.outputs)


def body_feeds(shared: Shared, linked: Linked, body: Body, owner: Node) -> dict[int, int]:
    """Argument by feeding node; one with a wrong parent index gets an argument of its own.

    What is wrong is reported; the body is made all the same, to see what else is.
    """
    out: dict[int, int] = {}
    wrong: list[Node] = []
    for node in linked.nodes:
        if node.type not in FEEDS or any(o >= 0 for o, _ in node.data):
            continue
        number = int_attr(node.msg, "_parent_node_index")
        if number is None:
            _bad_parent(shared.source, linked, node.pos, node.name, None, body, owner)
            wrong.append(node)
            continue
        place = number - body.shift if not (body.counted and number == 0) else 0
        if not 0 <= place < len(body.args):
            pos = shared.source.find(node.msg, "_parent_node_index", 0)
            _bad_parent(shared.source, linked, pos, node.name, number, body, owner)
            wrong.append(node)
            continue
        out[node.index] = place
    for node in wrong:
        type_ = feed_type(shared, node)
        if type_ is not None:
            out[node.index] = len(body.args)
            body.args.append(type_)
    return out


def _bad_parent(
    source: Source,
    linked: Linked,
    pos: int,
    name: str,
    number: int | None,
    body: Body,
    owner: Node,
    what: str = "input",
) -> None:
    low, count = (body.shift, len(body.args)) if what == "input" else (0, 0)
    if what == "output":
        count = len(body.results or ())
    source.error(
        "GX-348",
        f"{name!r} of sub-graph {linked.name!r} has no parent index"
        if number is None
        else f"{name!r} of sub-graph {linked.name!r} has a wrong parent index",
        pos,
        node=name,
        found=None if number is None else str(number),
        expected=f"_parent_node_index, an {what} of {owner.name!r}"
        + (f": {low} to {low + count - 1}" if count else ""),
    )


def output_places(source: Source, graph: str, node: Node, count: int) -> list[int] | None:
    """Result of the owner by entry; None where a parent index is wrong."""
    descs = node.msg.many("input_desc")
    numbers = [int_attr(d, "_parent_node_index") for d in descs[: len(node.data)]]
    numbers += [None] * (len(node.data) - len(numbers))
    good, seen = True, set()
    for k, number in enumerate(numbers):
        if number is None or not 0 <= number < count or number in seen:
            pos = node.msg.place("input_desc", k)
            source.error(
                "GX-348",
                f"output {k} of sub-graph {graph!r} has "
                + ("no parent index" if number is None else "a wrong parent index"),
                pos,
                node=node.name,
                found=None if number is None else str(number),
                expected=f"_parent_node_index, 0 to {count - 1}, each once",
            )
            good = False
        seen.add(number)
    return numbers if good else None  # pyright: ignore[reportReturnType]


def seed_origin(op: Operation, node: Node) -> None:
    """Say the axis order of a source of values where its rank suggests another."""
    descs = node.msg.many("output_desc")
    if len(descs) != 1 or not op.results:
        return
    tensor = tensor_under(op.results[0].type)
    shape = None if tensor is None else shape_of(tensor)
    origin = origin_of_desc(descs[0])
    if tensor is None or shape is None or layout_of(tensor) is not None:
        return
    if origin in ORIGIN_FORMATS - {"ND", default_origin(len(shape))}:
        op.attributes["ge.origin_format"] = kinds.string_to_attr(origin)


def drop_subgraph_names(record: dict[str, Attribute]) -> None:
    """The names of bodies stand with their graphs."""
    held = record.get("op")
    if isinstance(held, DictionaryAttr):
        rest = {k: v for k, v in held.data.items() if k != "subgraph_name"}
        if rest:
            record["op"] = DictionaryAttr(rest)
        else:
            del record["op"]
