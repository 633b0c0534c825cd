"""One operator of a dump as a node: of its class where it fits, else `ge.Opaque`."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr
from xdsl.ir import Attribute, Region, SSAValue

from ge_dialect.diagnostics import DiagnosticSink
from ge_dialect.importers.ge_attrs import (
    META,
    attribute_map,
    message_attr,
    text_attr,
    to_attribute,
    to_property,
)
from ge_dialect.importers.ge_links import Node
from ge_dialect.importers.ge_message import UNKNOWN, Msg, Source
from ge_dialect.importers.ge_types import (
    BadDescriptor,
    desc_type,
    is_unfed,
    origin_of_desc,
)
from ge_dialect.ir import kinds
from ge_dialect.ir.base import DYNAMIC, OPTIONAL, REQUIRED, GeOp, OpTable
from ge_dialect.ir.build import build
from ge_dialect.ir.control import segments_attr
from ge_dialect.ir.names import MAX_ORIGINS, hint_from_name, make_location
from ge_dialect.ir.private import create_node, set_name_hint
from ge_dialect.ir.stock_text import ambiguous_outputs, result_sizes
from ge_dialect.ir.types import CTRL, ref_type
from ge_dialect.ir.verify_node import Inference, structure_problems, type_problems
from ge_dialect.weights.store import WeightStore

#: What a node remembers of its dump that the IR has no other place for.
RECORD = "ge.dump"
#: What precedes attributes that the operator does not declare.
PREFIX = "ge.attr."
#: What precedes attributes of ours in a dump.
OWN_PREFIX = "_ge_opt."
#: Where GE keeps the names of the nodes a node was made from.
ORIGINS = "_datadump_original_op_names"
#: Fields of an operator that have their own form in the IR.
_PLACED = frozenset({"name", "type", "input", "attr", "input_desc", "output_desc", UNKNOWN})
_BAD_VALUE = object()


@dataclass
class Shared:
    """What all graphs of one dump have in common."""

    source: Source
    sink: DiagnosticSink
    store: WeightStore
    descs: list[Attribute] = field(default_factory=list)
    metas: list[Attribute] = field(default_factory=list)
    #: operator type -> first reason and nodes that became opaque although the type is known
    misfits: dict[str, tuple[str, list[str]]] = field(default_factory=dict)
    #: nodes that got a control edge, or lost part of an edge
    ordered: list[str] = field(default_factory=list)
    unequal: list[str] = field(default_factory=list)
    partial: list[str] = field(default_factory=list)
    #: variables whose name occurs in several graphs
    twice: list[str] = field(default_factory=list)
    #: what nodes of a ge_onnx file have of their own, by identity of the operator
    onnx: dict[int, Attribute] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._desc_ids: dict[int, tuple[int, Attribute | None, Msg]] = {}
        self._desc_index: dict[Attribute, int] = {}
        self._meta_index: dict[Attribute, int] = {}
        self._right: dict[Any, Any] = {}
        self._attr_ids: dict[int, tuple[Attribute, Msg]] = {}

    def desc(self, msg: Msg) -> tuple[int, Attribute | None]:
        """Number of a descriptor in the table, and its type; reports a bad one, type None."""
        known = self._desc_ids.get(id(msg))
        if known is None:
            held = message_attr(msg)
            number = self._desc_index.setdefault(held, len(self.descs))
            if number == len(self.descs):
                self.descs.append(held)
            try:
                type_ = desc_type(msg)
            except BadDescriptor as bad:
                self.source.error_in("GX-346", bad.message, msg, bad.field, found=bad.found)
                type_ = None
            known = self._desc_ids[id(msg)] = (number, type_, msg)
        return known[0], known[1]

    def meta(self, attrs: dict[str, Msg]) -> int | None:
        """Number of the attributes that only name things, None where there are none."""
        chosen = {k: v for k, v in attrs.items() if k in META}
        if not chosen:
            return None
        held = attribute_map(dict(sorted(chosen.items())))
        number = self._meta_index.setdefault(held, len(self.metas))
        if number == len(self.metas):
            self.metas.append(held)
        return number

    def attribute(self, msg: Msg) -> Attribute:
        """MLIR attribute of an AttrDef, shared where the message is."""
        known = self._attr_ids.get(id(msg))
        if known is None:
            known = self._attr_ids[id(msg)] = (to_attribute(msg), msg)
        return known[0]

    def tables(self) -> dict[str, Attribute]:
        """The tables the nodes' records point into."""
        out: dict[str, Attribute] = {}
        if self.descs:
            out["descs"] = ArrayAttr(self.descs)
        if self.metas:
            out["metas"] = ArrayAttr(self.metas)
        return out


def own_name(name: str) -> str:
    """Name in the IR of an attribute that the operator does not declare."""
    return "ge." + name[len(OWN_PREFIX) :] if name.startswith(OWN_PREFIX) else PREFIX + name


def origins_of(op: Msg) -> tuple[str, ...]:
    """Source nodes that a dump names; none where there are more than are kept."""
    value = op.attrs.get(ORIGINS)
    held = None if value is None else value.f.get("list")
    names = held.many("s") if isinstance(held, Msg) else []
    return tuple(names) if len(set(names)) == len(names) <= MAX_ORIGINS else ()


def known_class(type_: str) -> type[GeOp] | None:
    """The class of an operator type, None where nobody declared it."""
    from ge_dialect.ops.registry import has_op, op_class

    return op_class(type_) if has_op(type_) and type_ != "Opaque" else None


# -------------------------------------------------------------------------------- input slots


def input_names(op: Msg) -> dict[int, str]:
    """Name by input index, as the dump itself says; empty where it does not."""
    attrs = op.attrs
    for key, value in (
        ("_input_name_key", "_input_name_value"),
        ("_input_name_idx_key", "_input_name_idx_value"),
    ):
        names, numbers = attrs.get(key), attrs.get(value)
        if names is None or numbers is None:
            continue
        a, b = names.f.get("list"), numbers.f.get("list")
        if isinstance(a, Msg) and isinstance(b, Msg) and len(a.many("s")) == len(b.many("i")):
            return dict(zip(b.many("i"), a.many("s"), strict=True))
    return {}


def assign_slots(table: OpTable, names: dict[int, str], given: list[bool]) -> list[int] | None:
    """Slot of each entry (-1 for one that is not connected); None where they do not fit.

    given: whether each entry is connected.
    """
    slots = table.inputs
    by_name = {s.name: i for i, s in enumerate(slots)}
    out: list[int] = []
    if names and all(k in names for k, g in enumerate(given) if g):
        for k, connected in enumerate(given):
            if not connected:
                out.append(-1)
                continue
            found = by_name.get(names[k])
            if found is None:
                base = names[k].rstrip("0123456789").removesuffix("_dynamic_")
                found = by_name.get(base)
                if found is None or slots[found].kind != DYNAMIC:
                    out = []
                    break
            out.append(found)
        if out or not given:
            return out if _fits(table, out) else None
    # by position: a dynamic slot takes what the others leave
    fixed = sum(s.kind != DYNAMIC for s in slots)
    spare = max(0, len(given) - fixed)
    plan: list[int] = []
    for i, slot in enumerate(slots):
        plan += [i] * spare if slot.kind == DYNAMIC else [i]
        spare = 0 if slot.kind == DYNAMIC else spare
    if len(given) > len(plan):
        return None
    out = [plan[k] if connected else -1 for k, connected in enumerate(given)]
    return out if _fits(table, out) else None


def _fits(table: OpTable, assigned: list[int]) -> bool:
    counts = [0] * len(table.inputs)
    for i in assigned:
        if i >= 0:
            counts[i] += 1
    return all(
        (n == 1 if s.kind == REQUIRED else n <= 1 if s.kind == OPTIONAL else True)
        for s, n in zip(table.inputs, counts, strict=True)
    )


# ---------------------------------------------------------------------------------- the node


@dataclass
class Draft:
    """A node on its way: values per entry, types of its outputs, its record."""

    node: Node
    entries: list[SSAValue | None]
    controls: list[SSAValue]
    outputs: list[Attribute]
    record: dict[str, Attribute]
    regions: Sequence[Region] = ()
    #: what the dump has as data inputs where that is not `entries`
    written: list[int] | None = None
    #: lets go of the bodies: they stand alone then
    fall_back: Callable[[], None] | None = None


def record_of(shared: Shared, node: Node, names: Container[str]) -> dict[str, Attribute] | None:
    """Everything of an operator that the IR has no place for; None where a descriptor is bad.

    names: of the nodes of the graph.
    """
    msg = node.msg
    record: dict[str, Attribute] = {}
    good = True
    for name, key in (("input_desc", "in"), ("output_desc", "out")):
        numbers: list[int] = []
        for desc in msg.many(name):
            number, type_ = shared.desc(desc)
            numbers.append(number)
            good = good and (type_ is not None or (name == "input_desc" and is_unfed(desc)))
        record[key] = kinds.ints_to_attr(numbers)
    if node.legacy:
        record["legacy"] = ArrayAttr([text_attr(t) for t in node.legacy])
    meta = shared.meta(msg.attrs)
    if meta is not None:
        record["meta"] = kinds.int_to_attr(meta)
    rest = {k: v for k, v in msg.f.items() if k not in _PLACED}
    if rest.get("stream_id"):
        del rest["stream_id"]  # it is `ge.stream`; a zero that is printed is form only
    unknown = msg.f.get(UNKNOWN)
    if unknown:
        rest[UNKNOWN] = unknown
    strays = dict.fromkeys(
        n for n in (*msg.many("src_name"), *msg.many("dst_name")) if n not in names and ":" not in n
    )
    if strays:
        record["strays"] = ArrayAttr([text_attr(n) for n in strays])
    if rest:
        record["op"] = message_attr(Msg("OpDef", -1, rest))
    return record if good else None


def make_node(shared: Shared, draft: Draft) -> GeOp:
    """The node, of its class where it fits it, else opaque."""
    cls = known_class(draft.node.type)
    if cls is not None and not (cls.ge_table().graphs and not draft.regions):
        made, reason = _of_class(shared, cls, draft)
        if made is not None:
            return made
        if reason:
            _, nodes = shared.misfits.setdefault(draft.node.type, (reason, []))
            nodes.append(draft.node.name)
        if draft.fall_back is not None:
            draft.fall_back()
    return _opaque(shared, draft)


def _of_class(shared: Shared, cls: type[GeOp], draft: Draft) -> tuple[GeOp | None, str]:
    table = cls.ge_table()
    node = draft.node
    given = [v is not None for v in draft.entries]
    assigned = assign_slots(table, input_names(node.msg), given)
    if assigned is None:
        return None, "its inputs are not those of the operator"
    groups: list[list[SSAValue]] = [[] for _ in table.inputs]
    places: list[tuple[int, int]] = []
    for slot, value in zip(assigned, draft.entries, strict=True):
        if value is None:
            places.append((-1, 0))
        else:
            places.append((slot, len(groups[slot])))
            groups[slot].append(value)
    starts = [0]
    for group in groups:
        starts.append(starts[-1] + len(group))
    operands = [v for group in groups for v in group]
    numbers = [-1 if s < 0 else starts[s] + i for s, i in places]
    if draft.written is not None:
        numbers = draft.written
    props, attributes, record = _attributes(shared, node, table, draft.record)
    if props is None:
        return None, f"attribute {attributes!r} is missing or of another kind"
    types = _result_types(table, draft.outputs)
    if types is None:
        return None, "its outputs are not those of the operator"
    if draft.written is not None or numbers != list(range(len(operands))):
        record["inputs"] = kinds.ints_to_attr(numbers)
    if not table.fixed:
        props["operandSegmentSizes"] = segments_attr([*map(len, groups), len(draft.controls)])
    if table.sized_results:
        if ambiguous_outputs(table):
            return None, "it is not known which outputs are there"
        sizes = result_sizes(table, len(types), 0)
        if sizes is None:
            return None, "its outputs are not those of the operator"
        props["resultSegmentSizes"] = segments_attr(sizes)
    if record:
        attributes[RECORD] = DictionaryAttr(record)
    op = _create(cls, draft, operands, types, props, attributes)
    problem = _problem(shared, op)
    if problem is None:
        return op, ""
    op.drop_all_references()
    return None, problem


def _problem(shared: Shared, op: GeOp) -> str | None:
    """Why the class does not take the node; remembered by what the answer depends on."""
    operands = op.operands
    key = (
        type(op),
        tuple([id(v.type) for v in operands]),
        tuple([id(r.type) for r in op.results]),
        tuple([id(p) for p in op.properties.values()]),
    )
    known = None if op.regions else shared._right.get(key)
    if known is not None:
        return known[0]
    problems = structure_problems(op) or type_problems(op)
    asked = False
    if not problems:
        inference = Inference(op)
        problems, asked = inference.problems, inference.asked
    text = None
    if problems:
        first = problems[0]
        text = first.message.removeprefix(f"{op.name}: ")
        if first.found:
            text += f" (found {first.found})"
    if not asked and not op.regions:
        keep = ([v.type for v in operands], [r.type for r in op.results])
        shared._right[key] = (text, keep, list(op.properties.values()))
    return text


def _result_types(table: OpTable, outputs: list[Attribute]) -> list[Attribute] | None:
    fixed = [s for s in table.outputs if s.kind == REQUIRED]
    if len(outputs) < len(fixed) or (len(fixed) == len(table.outputs) != len(outputs)):
        return None
    types = list(outputs)
    if len(fixed) == len(table.outputs):
        for i, slot in enumerate(table.outputs):
            if slot.is_ref:
                types[i] = ref_type(types[i])
    return types


def _attributes(
    shared: Shared, node: Node, table: OpTable, record: dict[str, Attribute]
) -> tuple[dict[str, Attribute] | None, Any, dict[str, Attribute]]:
    """Properties, other attributes and the record; None and a name where one is missing."""
    attrs = node.msg.attrs
    props: dict[str, Attribute] = {}
    absent: list[str] = []
    record = dict(record)
    odd: dict[str, Attribute] = {}
    for name, spec in table.attrs.items():
        given = attrs.get(name)
        value = None if given is None else _property(shared, given, spec)
        if given is not None and value is None:
            if spec.required:
                return None, name, record
            odd[name] = shared.attribute(given)
        if value is None:
            if spec.default is not None:
                props[name] = spec.default
                absent.append(name)
            elif spec.required:
                return None, name, record
        else:
            props[name] = value
    _trust_descriptors(node.msg, table, props, odd, absent, shared)
    if absent:
        record["absent"] = ArrayAttr([StringAttr(a) for a in absent])
    if odd:
        record["odd"] = DictionaryAttr(odd)
    attributes: dict[str, Attribute] = {}
    for name in sorted(attrs):
        if name not in table.attrs and name not in META:
            attributes[own_name(name)] = shared.attribute(attrs[name])
    return props, attributes, record


def _property(shared: Shared, given: Msg, spec: Any) -> Attribute | None:
    key = (id(given), spec.kind.name)
    known = shared._right.get(key)
    if known is None:
        known = shared._right[key] = (to_property(given, spec.kind), given)
    return known[0]


def _trust_descriptors(
    msg: Msg,
    table: OpTable,
    props: dict[str, Attribute],
    odd: dict[str, Attribute],
    absent: list[str],
    shared: Shared,
) -> None:
    """Where `data_format` says one order and the descriptor another, the descriptor is right."""
    held = props.get("data_format")
    descs = msg.many("input_desc")
    if not isinstance(held, StringAttr) or "data_format" not in table.attrs or not descs:
        return
    origin = origin_of_desc(descs[0]) or descs[0].get("layout", "")
    pairs = ({"NCHW", "NHWC"}, {"NCDHW", "NDHWC"})
    if held.data == origin or not any({held.data, origin} <= p for p in pairs):
        return
    if "data_format" in absent:
        absent.remove("data_format")
        absent.append("data_format")
        odd["data_format"] = StringAttr("")
    else:
        odd["data_format"] = shared.attribute(msg.attrs["data_format"])
    props["data_format"] = kinds.string_to_attr(origin)


def _create(
    cls: type[GeOp],
    draft: Draft,
    operands: list[SSAValue],
    types: list[Attribute],
    props: dict[str, Attribute],
    attributes: dict[str, Attribute],
) -> GeOp:
    name = draft.node.name
    location = make_location(name, origins_of(draft.node.msg))
    all_operands = [*operands, *draft.controls]
    if draft.regions:
        op = cls.create(
            operands=all_operands,
            result_types=types,
            properties=props,
            attributes=attributes,
            regions=list(draft.regions),
            location=location,
        )
    else:
        op = create_node(cls, all_operands, types, props, attributes, location)
    hint = hint_from_name(name)
    if hint is not None:
        for i, result in enumerate(op.results):
            if result.type is not CTRL:
                set_name_hint(result, hint if i == 0 else f"{hint}_{i}")
    return op  # pyright: ignore[reportReturnType]


def _opaque(shared: Shared, draft: Draft) -> GeOp:
    attributes: dict[str, Attribute] = {}
    attrs = draft.node.msg.attrs
    for name in sorted(attrs):
        if name not in META:
            attributes[own_name(name)] = shared.attribute(attrs[name])
    record = dict(draft.record)
    operands = [v for v in draft.entries if v is not None]
    if draft.written is not None:
        record["inputs"] = kinds.ints_to_attr(draft.written)
    elif len(operands) != len(draft.entries):
        numbers, i = [], 0
        for v in draft.entries:
            numbers.append(-1 if v is None else i)
            i += v is not None
        record["inputs"] = kinds.ints_to_attr(numbers)
    if record:
        attributes[RECORD] = DictionaryAttr(record)
    return build(
        "Opaque",
        [operands],  # pyright: ignore[reportArgumentType]
        {"type": draft.node.type},
        result_types=draft.outputs,
        control=draft.controls,
        name=draft.node.name,
        origins=origins_of(draft.node.msg),
        attributes=attributes,
    )
