"""`ge_onnx_*.pbtxt`: GE's graphs in ONNX's messages, which viewers open.

A node's descriptors and fields are attributes there (`output_desc_shape:0`). What the way back
would write in another form than the file has it is remembered in `ge.onnx` of the node.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from typing import Any

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr
from xdsl.ir import Attribute

from ge_dialect.importers.ge_attrs import message_attr, text_attr
from ge_dialect.importers.ge_links import split_edge
from ge_dialect.importers.ge_message import Msg, Source
from ge_dialect.importers.ge_schema import PROTO_DTYPES, SCHEMA

#: Attribute of a node: what its ONNX form has that ours would not give.
DELTA = "ge.onnx"
#: What operator types begin with.
TYPE_PREFIX = "ge:"
#: Fields of an operator that are attributes here.
FIELDS = (
    "id stream_id input_name src_name src_index dst_name dst_index input_i output_i workspace "
    "workspace_bytes is_input_const"
).split()
_DESC_FIELDS = (
    "size weight_size reuse_input output_tensor device_type input_tensor real_dim_cnt "
    "reuse_input_index data_offset cmps_size cmps_tab cmps_tab_offset"
).split()
_DESC = re.compile(r"(input|output)_desc_(\w+?):(\d+)\Z|(input|output)_desc_(\d+)\Z")
_VALUE = re.compile(r"(\w+?)_(desc_(?:dtype|shape|layout|device_type)|data)\Z")
#: More descriptors than this are not believed.
MAX_DESCS = 100_000


#: An operator and the node it was read from, with the outputs that something reads.
Pair = tuple[Msg, Msg, set[int]]


def from_onnx(source: Source, model: Msg) -> tuple[Msg, dict[str, Attribute], list[Pair]]:
    """The ModelDef of a ge_onnx text, what the module remembers of it, and where it is from."""
    graph = model.get("graph")
    if graph is None and "node" in model.f:
        graph, model = model, Msg("OnnxModel")
    out = Msg("ModelDef", 0)
    if graph is None:
        source.error("GX-342", "the dump holds no graph", 0)
        return out, {}, []
    types = [n.get("op_type", "") for n in graph.many("node")]
    if types and not any(t.startswith(TYPE_PREFIX) or t == "subgraph" for t in types):
        source.error(
            "GX-340",
            "the text is an ONNX model, not a dump of GE",
            graph.place("node", 0),
            found=types[0],
            expected=f"{TYPE_PREFIX}<type>",
            hint="save it as a binary .onnx file",
        )
        return out, {}, []
    graphs: list[Msg] = []
    pairs: list[Pair] = []
    places: list[int] = []
    _graph(source, graph, graphs, places, graph.get("name", ""), pairs)
    out.f["graph"] = graphs
    out.at = {"graph": places}
    kept = Msg("OnnxGraph", -1, {k: v for k, v in graph.f.items() if k != "node"})
    head = Msg("OnnxModel", -1, {**{k: v for k, v in model.f.items() if k != "graph"}})
    head.f["graph"] = kept
    return out, {"onnx": message_attr(head)}, pairs


def _graph(
    source: Source,
    graph: Msg,
    graphs: list[Msg],
    places: list[int],
    name: str,
    pairs: list[Pair],
) -> None:
    ops: list[Msg] = []
    at: list[int] = []
    out = Msg("GraphDef", graph.pos, {"name": name, "op": ops})
    out.at = {"op": at}
    graphs.append(out)
    places.append(graph.pos)
    used = _used_outputs(graph)
    read = used_outputs(t for n in graph.many("node") for t in n.many("input"))
    inner: list[tuple[Msg, str]] = []
    for i, node in enumerate(graph.many("node")):
        if node.get("op_type") == "subgraph":
            for attribute in node.many("attribute"):
                held = attribute.get("g")
                if isinstance(held, Msg):
                    inner.append((held, held.get("name") or node.get("name", "")))
            continue
        ops.append(_node(source, node, used))
        name_used = read.get(node.get("name", ""), set())
        pairs.append((ops[-1], node, name_used))
        at.append(graph.place("node", i))
    for held, inner_name in inner:
        _graph(source, held, graphs, places, inner_name, pairs)


def used_outputs(edges: Iterable[str]) -> dict[str, set[int]]:
    """Outputs that edges read, -1 for control, by name of the node."""
    out: dict[str, set[int]] = {}
    for text in edges:
        edge = split_edge(text)
        if edge is not None:
            out.setdefault(edge[0], set()).add(edge[1])
    return out


def _used_outputs(graph: Msg) -> dict[str, int]:
    """Number of outputs of a node that are used somewhere, by name."""
    out: dict[str, int] = {}
    for node in graph.many("node"):
        for text in (*node.many("input"), *node.many("output")):
            edge = split_edge(text)
            if edge is not None and edge[1] < MAX_DESCS:
                out[edge[0]] = max(out.get(edge[0], 0), edge[1] + 1)
    return out


def plain(attribute: Msg) -> Any:
    """Value of an attribute: proto3 leaves out zeros and empty lists."""
    type_ = attribute.get("type", "UNDEFINED")
    defaults: dict[str, tuple[str, Any]] = {
        "INT": ("i", 0), "FLOAT": ("f", 0.0), "STRING": ("s", ""), "INTS": ("ints", []),
        "FLOATS": ("floats", []), "STRINGS": ("strings", []),
    }  # fmt: skip
    if type_ not in defaults:
        for field in ("s", "i", "f", "ints", "floats", "strings"):
            if field in attribute.f:
                return attribute.f[field]
        return None
    field, default = defaults[type_]
    return attribute.f.get(field, default)


def _node(source: Source, node: Msg, used: dict[str, int]) -> Msg:
    name = node.get("name", "")
    f: dict[str, Any] = {
        "name": name,
        "type": node.get("op_type", "").removeprefix(TYPE_PREFIX),
    }
    if node.many("input"):
        f["input"] = node.many("input")
    out = Msg("OpDef", node.pos, f)
    attrs: dict[str, Msg] = {}
    descs: dict[tuple[str, int], dict[str, Any]] = {}
    tensors: dict[str, dict[str, Any]] = {}
    counts: dict[str, int] = {}
    kind_of = declared_kinds(f["type"])
    for attribute in node.many("attribute"):
        key, value = attribute.get("name", ""), plain(attribute)
        m = _DESC.match(key)
        if key in ("input_desc_nums", "output_desc_nums"):
            counts[key.partition("_")[0]] = value if isinstance(value, int) else 0
        elif m is not None:
            _desc_attribute(m, value, descs)
        elif key in FIELDS:
            _field(f, key, value)
        elif key == "subgraph_name" and isinstance(value, list) and _texts(value):
            f[key] = value
        elif (v := _VALUE.match(key)) is not None and v.group(1) in ("value",):
            tensors.setdefault(v.group(1), {})[v.group(2)] = value
        else:
            made = _attr(attribute, value, kind_of(key))
            if made is not None:
                made.pos = attribute.pos
                attrs[key] = made
    for key, parts in tensors.items():
        attrs[key] = _tensor(parts)
    for side in ("input", "output"):
        given = [i for s, i in descs if s == side]
        count = counts.get(side, max(given, default=-1) + 1)
        if not 0 <= count <= MAX_DESCS:
            source.error("GX-341", f"{name!r} has {count} {side} descriptors", node.pos, node=name)
            count = 0
        if side == "output" and "output" not in counts and not given:
            count = min(used.get(name, 0), MAX_DESCS)
        made_descs = [_desc(descs.get((side, i))) for i in range(count)]
        for desc in made_descs:
            desc.pos = node.pos
        if made_descs:
            f[f"{side}_desc"] = made_descs
    if attrs:
        f["attr"] = attrs
    return out


def declared_kinds(op_type: str) -> Callable[[str], str]:
    """Kind of each attribute that the operator declares, "" for others."""
    from ge_dialect.importers.ge_nodes import known_class

    cls = known_class(op_type)
    if cls is None:
        return lambda name: ""
    table = cls.ge_table().attrs
    return lambda name: table[name].kind.name if name in table else ""


def _desc_attribute(
    m: re.Match[str], value: Any, descs: dict[tuple[str, int], dict[str, Any]]
) -> None:
    side, what, number = m.group(1) or m.group(4), m.group(2), m.group(3) or m.group(5)
    if len(number) > 6:
        return
    held = descs.setdefault((side, int(number)), {})
    if what is not None:
        held[what] = value
        return
    try:  # nodes with many descriptors have each as one JSON text
        parsed = json.loads(value) if isinstance(value, str) else None
    except (ValueError, RecursionError):
        parsed = None
    if isinstance(parsed, dict):
        held.update(parsed)


def _texts(value: list[Any]) -> bool:
    return all(isinstance(v, str) for v in value)


def _field(f: dict[str, Any], key: str, value: Any) -> None:
    spec = SCHEMA["OpDef"][key]
    if spec.repeated:
        type_ = str if spec.kind == "s" else int
        if isinstance(value, list) and value and all(isinstance(v, type_) for v in value):
            f[key] = [bool(v) for v in value] if spec.kind == "b" else value
    elif isinstance(value, int) and value:
        f[key] = value


def _attr(attribute: Msg, value: Any, kind: str) -> Msg | None:
    f: dict[str, Any]
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int):
        f = {"b": bool(value)} if kind == "Bool" else {"dt" if kind == "Type" else "i": value}
    elif isinstance(value, float):
        f = {"f": value}
    elif isinstance(value, str):
        f = {"s": value}
    else:
        return _list(attribute, value, kind)
    return Msg("AttrDef", -1, f)


def _list(attribute: Msg, value: list[Any], kind: str) -> Msg:
    type_ = attribute.get("type")
    field, val_type = {"INTS": ("i", "INT"), "FLOATS": ("f", "FLOAT")}.get(type_, ("s", "STRING"))
    if kind == "ListBool" and field == "i":
        field, val_type, value = "b", "BOOL", [bool(v) for v in value]
    elif kind == "ListType" and field == "i":
        field, val_type = "dt", "DATA_TYPE"
    f: dict[str, Any] = {field: value} if value else {}
    f["val_type"] = "VT_LIST_" + val_type
    return Msg("AttrDef", -1, {"list": Msg("ListValue", -1, f)})


def _text(value: Any) -> Msg:
    return Msg("AttrDef", -1, {"s": value})


def _ints(value: Any) -> list[int]:
    items = value if isinstance(value, list) else []
    return [v for v in items if isinstance(v, int) and not isinstance(v, bool)]


def _desc(parts: dict[str, Any] | None) -> Msg:
    from ge_dialect.importers.ge_types import int_list

    if parts is None:
        return Msg("TensorDescriptor", -1, {"shape": Msg("ShapeDef", -1, {"dim": [-2]})})
    f: dict[str, Any] = {}
    attrs: dict[str, Msg] = {}
    for key, value in parts.items():
        if key == "dtype":
            if value in PROTO_DTYPES and value != "DT_UNDEFINED":
                f["dtype"] = value
        elif key == "shape":
            dims = _ints(value)
            f["shape"] = Msg("ShapeDef", -1, {"dim": dims} if dims else {})
        elif key == "layout" and isinstance(value, str):
            f["layout"] = value
        elif key == "origin_dtype" and isinstance(value, str):
            attrs["origin_data_type"] = _text(value)
        elif key == "origin_layout" and isinstance(value, str):
            attrs["origin_format"] = _text(value)
        elif key == "origin_shape":
            if _ints(value):
                attrs["origin_shape"] = int_list(_ints(value))
        elif key.startswith("attr_"):
            made = _attr(Msg("OnnxAttr", -1, {"type": _type_name(value)}), value, "")
            if made is not None:
                attrs[key[5:]] = made
        elif key in _DESC_FIELDS and value:
            kind = SCHEMA["TensorDescriptor"][key].kind
            if kind == "s" and isinstance(value, str):
                f[key] = value
            elif kind != "s" and isinstance(value, int):
                f[key] = bool(value) if kind == "b" else value
    if attrs:
        f["attr"] = attrs
    return Msg("TensorDescriptor", -1, f)


def _type_name(value: Any) -> str:
    if isinstance(value, list) and value:
        return {int: "INTS", float: "FLOATS"}.get(type(value[0]), "STRINGS")
    return "INTS"


def _tensor(parts: dict[str, Any]) -> Msg:
    named = {k.removeprefix("desc_"): v for k, v in parts.items() if k != "data"}
    f: dict[str, Any] = {"desc": _desc(named)}
    data = parts.get("data")
    if isinstance(data, str):
        f["data"] = data.encode("utf-8", "surrogateescape")
    return Msg("AttrDef", -1, {"t": Msg("TensorDef", -1, f)})


# ------------------------------------------------------------------------ what differs


def delta(written: Msg, original: Msg) -> Attribute | None:
    """What turns the node an export writes into the one of the file; None where they are equal."""
    put, drop = [], []
    mine = _by_name(written)
    theirs = _by_name(original)
    for name, items in theirs.items():
        if mine.get(name) != items:
            put += items
    drop = [name for name in mine if name not in theirs]
    entries: dict[str, Attribute] = {}
    if put:
        entries["put"] = ArrayAttr([message_attr(p) for p in put])
    if drop:
        entries["drop"] = ArrayAttr([text_attr(d) for d in drop])
    rest = {k: v for k, v in original.f.items() if k not in ("attribute", "input", "op_type")}
    if rest != {k: v for k, v in written.f.items() if k not in ("attribute", "input", "op_type")}:
        entries["node"] = message_attr(Msg("OnnxNode", -1, rest))
    if original.get("op_type", "") != written.get("op_type", ""):
        entries["op_type"] = StringAttr(original.get("op_type", ""))
    return DictionaryAttr(entries) if entries else None


def _by_name(node: Msg) -> dict[str, list[Msg]]:
    out: dict[str, list[Msg]] = {}
    for attribute in node.many("attribute"):
        out.setdefault(attribute.get("name", ""), []).append(attribute)
    return out
