"""A ModelDef in ONNX's messages, as GE writes it for viewers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr
from xdsl.ir import Attribute

from ge_dialect.importers.ge_attrs import attr_text, from_message_attr
from ge_dialect.importers.ge_message import Msg
from ge_dialect.importers.ge_nodes import RECORD
from ge_dialect.importers.ge_onnx import DELTA, FIELDS, TYPE_PREFIX, used_outputs
from ge_dialect.importers.ge_schema import SCHEMA
from ge_dialect.ir.names import node_name

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from ge_dialect.api import Model

_TYPES = {"i": "INT", "f": "FLOAT", "s": "STRING", "ints": "INTS", "floats": "FLOATS",
          "strings": "STRINGS", "g": "GRAPH"}  # fmt: skip
_ORIGINS = {"origin_format", "origin_shape", "origin_data_type"}


def to_onnx(msg: Msg, model: Model, level: int = 1) -> Msg:
    """The OnnxModel of a ModelDef or GraphDef. level: 2 leaves out texts, 3 all attributes."""
    graphs = [msg] if msg.type == "GraphDef" else msg.many("graph")
    deltas = _deltas(model.module) if level == 1 else {}
    nodes = _nodes(graphs[0], level, deltas)
    for inner in graphs[1:]:
        inner_nodes = _nodes(inner, level, deltas)
        made = Msg("OnnxGraph", -1, {"node": inner_nodes, "name": inner.get("name", "")})
        nodes.append(
            Msg(
                "OnnxNode",
                -1,
                {
                    "name": inner.get("name", ""),
                    "op_type": "subgraph",
                    "attribute": [_attribute("graph", "g", made)],
                },
            )
        )
    graph = Msg("OnnxGraph", -1, {"name": graphs[0].get("name", "")})
    head = Msg("OnnxModel", -1, {"ir_version": 6, "producer_name": "GE"})
    held = model.module.attributes.get(RECORD)
    kept = held.data.get("onnx") if isinstance(held, DictionaryAttr) else None
    if kept is not None:
        try:
            head = from_message_attr(kept, "OnnxModel")
            graph = head.get("graph") or graph
        except ValueError:
            pass
    else:
        graph.f["output"] = [
            Msg("OnnxValue", -1, {"name": text}) for text in graphs[0].many("output")
        ]
    graph.f["node"] = nodes
    head.f["graph"] = graph
    return head


def _deltas(module: ModuleOp) -> dict[str, DictionaryAttr]:
    """What nodes remember of the file they came from, by name; names used twice have none."""
    out: dict[str, DictionaryAttr] = {}
    seen: set[str] = set()
    for op in module.walk():
        name = node_name(op)
        if name is None or name in seen:
            out.pop(name or "", None)
            continue
        seen.add(name)
        held = op.attributes.get(DELTA)
        if isinstance(held, DictionaryAttr):
            out[name] = held
    return out


def _nodes(graph: Msg, level: int, deltas: dict[str, DictionaryAttr]) -> list[Msg]:
    used = used_outputs(t for op in graph.many("op") for t in op.many("input"))
    out: list[Msg] = []
    for op in graph.many("op"):
        node = onnx_node(op, used.get(op.get("name", ""), set()), level)
        held = deltas.get(op.get("name", ""))
        out.append(node if held is None else _patched(node, held))
    return out


def onnx_node(op: Msg, used: set[int], level: int = 1) -> Msg:
    """The ONNX form of an operator; `used` are its outputs that something reads."""
    name = op.get("name", "")
    f: dict[str, Any] = {}
    if op.many("input"):
        f["input"] = op.many("input")
    outputs = [f"{name}:{i}" for i in sorted(u for u in used if u >= 0)]
    if -1 in used:
        outputs.append(f"{name}:-1")
    if outputs:
        f["output"] = outputs
    f["name"] = name
    f["op_type"] = TYPE_PREFIX + op.get("type", "")
    if level < 3:
        attributes = _op_attributes(op, level)
        f["attribute"] = sorted(attributes, key=lambda a: a.f["name"])
    return Msg("OnnxNode", -1, f)


def _attribute(name: str, field: str, value: Any) -> Msg:
    f: dict[str, Any] = {"name": name}
    if value or field == "g":
        f[field] = value  # proto3 leaves out what is zero or empty
    f["type"] = _TYPES[field]
    return Msg("OnnxAttr", -1, f)


def _op_attributes(op: Msg, level: int) -> list[Msg]:
    out: list[Msg] = []
    for field in FIELDS:
        kind, repeated, _ = SCHEMA["OpDef"][field]
        value = op.get(field)
        if repeated:
            items = [int(v) for v in value or ()] if kind != "s" else list(value or ())
            out.append(_attribute(field, "strings" if kind == "s" else "ints", items))
        else:
            out.append(_attribute(field, "i", value or 0))
    if op.many("subgraph_name"):
        out.append(_attribute("subgraph_name", "strings", op.many("subgraph_name")))
    for side in ("input", "output"):
        descs = op.many(f"{side}_desc")
        out.append(_attribute(f"{side}_desc_nums", "i", len(descs)))
        for i, desc in enumerate(descs):
            out += _desc_attributes(desc, f"{side}_desc_", f":{i}", side == "input")
    for key, value in op.attrs.items():
        out += _attr(key, value, level)
    return out


def _s(desc: Msg, name: str, default: str = "") -> str:
    value = desc.attrs.get(name)
    found = None if value is None else value.f.get("s")
    return found if isinstance(found, str) else default


def _desc_attributes(desc: Msg, before: str, after: str, full: bool) -> list[Msg]:
    def add(name: str, field: str, value: Any) -> None:
        out.append(_attribute(f"{before}{name}{after}", field, value))

    out: list[Msg] = []
    shape = desc.get("shape")
    add("dtype", "s", desc.get("dtype", "DT_UNDEFINED"))
    add("shape", "ints", [] if shape is None else shape.many("dim"))
    add("layout", "s", desc.get("layout", ""))
    origin = desc.attrs.get("origin_shape")
    listed = None if origin is None else origin.f.get("list")
    add("origin_dtype", "s", _s(desc, "origin_data_type", "DT_UNDEFINED"))
    add("origin_shape", "ints", listed.many("i") if isinstance(listed, Msg) else [])
    add("origin_layout", "s", _s(desc, "origin_format"))
    for field in ("size", "weight_size", "real_dim_cnt"):
        add(field, "i", desc.get(field, 0))
    add("device_type", "s", desc.get("device_type", ""))
    if full:
        for field in ("reuse_input", "output_tensor", "input_tensor"):
            add(field, "i", int(desc.get(field, False)))
        for field in ("data_offset", "cmps_size", "cmps_tab_offset"):
            add(field, "i", desc.get(field, 0))
        add("cmps_tab", "s", desc.get("cmps_tab", ""))
    for key, value in desc.attrs.items():
        if key not in _ORIGINS:
            for made in _attr(key, value, 1):
                name = made.f["name"]
                made.f["name"] = f"{before}attr_{name}{after}"
                out.append(made)
    return out


def _attr(key: str, value: Msg, level: int) -> list[Msg]:
    for field, held in value.f.items():
        if field == "s":
            return [_attribute(key, "s", held)] if level == 1 else []
        if field in ("i", "dt", "b"):
            return [_attribute(key, "i", int(held))]
        if field == "f":
            return [_attribute(key, "f", held)]
        if field == "list":
            return _list(key, held, level)
        if field == "list_list_int":
            rows = held.many("list_list_i")
            return [_attribute(f"{key}_{k}", "ints", r.many("list_i")) for k, r in enumerate(rows)]
        if field == "t":
            return _tensor(key, held, level)
        if field == "func" and level == 1:
            out: list[Msg] = []
            for inner, one in held.attrs.items():
                out += _attr(f"{key}_{inner}", one, level)
            return out
    return []


def _list(key: str, held: Msg, level: int) -> list[Msg]:
    for field, items in held.f.items():
        if field in ("i", "b", "dt"):
            return [_attribute(key, "ints", [int(v) for v in items])]
        if field == "f":
            return [_attribute(key, "floats", items)]
        if field == "s":
            return [_attribute(key, "strings", items)] if level == 1 else []
        if field not in ("val_type",):
            return []
    kind = {"VT_LIST_INT": "ints", "VT_LIST_BOOL": "ints", "VT_LIST_FLOAT": "floats"}
    field = kind.get(held.get("val_type", ""), "strings")
    return [_attribute(key, field, [])] if level == 1 or field != "strings" else []


def _tensor(key: str, held: Msg, level: int) -> list[Msg]:
    desc = held.get("desc")
    out: list[Msg] = []
    if desc is not None:
        shape = desc.get("shape")
        out.append(_attribute(f"{key}_desc_dtype", "s", desc.get("dtype", "DT_UNDEFINED")))
        out.append(_attribute(f"{key}_desc_shape", "ints", shape.many("dim") if shape else []))
        out.append(_attribute(f"{key}_desc_layout", "s", desc.get("layout", "")))
        out.append(_attribute(f"{key}_desc_device_type", "s", desc.get("device_type", "")))
    if level == 1 and held.get("data"):
        data = held.f["data"].decode("utf-8", "surrogateescape")
        out.append(_attribute(f"{key}_data", "s", data))
    return out


def _patched(node: Msg, held: DictionaryAttr) -> Msg:
    """The node with what its file had otherwise; an entry that makes no sense is left out."""
    try:
        put = [from_message_attr(a, "OnnxAttr") for a in _items(held.data.get("put"))]
        drop = {attr_text(a) for a in _items(held.data.get("drop"))}
        rest = held.data.get("node")
        f = dict(node.f)
        if rest is not None:
            f = {k: v for k, v in f.items() if k in ("attribute", "input", "op_type")}
            f.update(from_message_attr(rest, "OnnxNode").f)
    except ValueError:
        return node
    drop |= {p.get("name", "") for p in put}
    kept = [a for a in node.many("attribute") if a.get("name") not in drop]
    attributes = sorted([*kept, *put], key=lambda a: a.get("name", ""))
    f.pop("attribute", None)
    if attributes:
        f["attribute"] = attributes
    op_type = held.data.get("op_type")
    if isinstance(op_type, StringAttr):
        f["op_type"] = op_type.data
    return Msg("OnnxNode", -1, f)


def _items(attr: Attribute | None) -> tuple[Attribute, ...]:
    return attr.data if isinstance(attr, ArrayAttr) else ()


__all__ = ["onnx_node", "to_onnx"]
