"""Single-operator JSON: each operator of the list becomes a graph of its own."""

from __future__ import annotations

from typing import Any

from ge_dialect.dtypes import ALIASES, BY_NAME, FORMATS
from ge_dialect.importers.ge_json import JArray, JObject, parse_json
from ge_dialect.importers.ge_message import Msg, Source
from ge_dialect.importers.ge_types import format_name

#: Kinds of attributes and the field that holds one.
_KINDS = {
    "bool": ("b", bool), "int": ("i", int), "float": ("f", float), "string": ("s", str),
    "data_type": ("dt", int),
}  # fmt: skip
_LISTS = {"list_bool": "b", "list_int": "i", "list_float": "f", "list_string": "s"}
_VAL_TYPES = {"b": "VT_LIST_BOOL", "i": "VT_LIST_INT", "f": "VT_LIST_FLOAT", "s": "VT_LIST_STRING"}
#: More values than this are not taken for a constant.
MAX_VALUES = 1 << 24


def read_single_ops(source: Source) -> Msg | None:
    """A ModelDef with a graph for each operator; None where the text is no JSON."""
    value = parse_json(source)
    source.find = lambda msg, field, index: msg.pos
    if source.problems:
        return None
    out = Msg("ModelDef", 0)
    graphs: list[Msg] = []
    places: list[int] = []
    if not isinstance(value, JArray):
        source.error("GX-341", "the text is no list of operators", 0)
        return None
    taken: set[str] = set()
    for i, (item, pos) in enumerate(zip(value, value.places, strict=True)):
        if not isinstance(item, JObject):
            source.error("GX-341", "an operator is no object", pos, expected='{"op": ...}')
            continue
        if "op" not in item and set(item) <= {"compile_flag"}:
            continue
        op_type = item.get("op")
        if not isinstance(op_type, str) or not op_type:
            source.error(
                "GX-342", "an operator has no type", item.places.get("op", pos), expected='"op"'
            )
            continue
        graph = _Reader(source, item, op_type).graph()
        name = f"{op_type}_{i}"
        while name in taken:
            name += "_"
        taken.add(name)
        graph.f["name"] = name
        graphs.append(graph)
        places.append(pos)
    if graphs:
        out.f["graph"] = graphs
        out.at = {"graph": places}
    return out


class _Reader:
    def __init__(self, source: Source, item: JObject, op_type: str) -> None:
        self.source, self.item, self.type = source, item, op_type
        self.pos = item.pos

    def misfit(self, what: str, pos: int, found: Any, expected: str) -> None:
        shown = str(found)
        self.source.error(
            "GX-341",
            f"{what} of {self.type} has a value of the wrong kind",
            pos,
            found=shown if len(shown) < 60 else shown[:57] + "...",
            expected=expected,
        )

    def graph(self) -> Msg:
        """Data and constants, the operator, NetOutput."""
        descs = self.descs("input_desc")
        outputs = self.descs("output_desc")
        ops: list[Msg] = []
        inputs: list[str] = []
        names: list[tuple[str, int]] = []
        count = 0
        groups: dict[str, int] = {}
        for k, (desc, raw) in enumerate(descs):
            group = raw.get("dynamic_input")
            given = raw.get("name")
            if isinstance(group, str) and group:
                given = f"{group}{groups.get(group, 0)}"
                groups[group] = groups.get(group, 0) + 1
            if isinstance(given, str) and given:
                names.append((given, k))
            if desc is None or desc.get("dtype", "DT_UNDEFINED") == "DT_UNDEFINED":
                inputs.append("")
                continue
            if raw.get("is_const") is True:
                name, op = f"const_{k}", self.constant(f"const_{k}", desc, raw)
            else:
                name = f"input_{k}"
                op = self.op(name, "Data", {"index": Msg("AttrDef", -1, {"i": count})}, [], [desc])
                op.f["input_desc"] = [desc]
                count += 1
            ops.append(op)
            inputs.append(f"{name}:0")
        while inputs and not inputs[-1]:
            inputs.pop()
        attrs = self.attrs()
        if names and len(names) == len(descs):
            ordered = sorted(names)
            attrs["_input_name_key"] = _list("s", [n for n, _ in ordered])
            attrs["_input_name_value"] = _list("i", [i for _, i in ordered])
        name = self.item.get("name")
        name = name if isinstance(name, str) and name else self.type
        results = [d for d, _ in outputs if d is not None]
        main = self.op(name, self.type, attrs, inputs, results)
        main.f["input_desc"] = [d if d is not None else Msg("TensorDescriptor") for d, _ in descs]
        ops.append(main)
        end = self.op(
            "NetOutput", "NetOutput", {}, [f"{name}:{i}" for i in range(len(results))], []
        )
        if results:
            end.f["input_desc"] = results
        ops.append(end)
        out = Msg("GraphDef", self.pos, {"op": ops})
        out.at = {"op": [self.pos] * len(ops)}
        return out

    def op(
        self, name: str, type_: str, attrs: dict[str, Msg], inputs: list[str], outputs: list[Msg]
    ) -> Msg:
        f: dict[str, Any] = {"name": name, "type": type_}
        if inputs:
            f["input"] = inputs
        if attrs:
            f["attr"] = attrs
        if outputs:
            f["output_desc"] = outputs
        return Msg("OpDef", self.pos, f)

    def descs(self, key: str) -> list[tuple[Msg | None, JObject]]:
        held = self.item.get(key)
        if held is None:
            return []
        if not isinstance(held, JArray):
            self.misfit(key, self.item.places[key], held, "a list of descriptors")
            return []
        out: list[tuple[Msg | None, JObject]] = []
        for raw, pos in zip(held, held.places, strict=True):
            if not isinstance(raw, JObject):
                self.misfit(key, pos, raw, "a descriptor")
                continue
            out.append((self.desc(raw), raw))
        return out

    def desc(self, raw: JObject) -> Msg | None:
        """A tensor descriptor; None for one that stands for no tensor."""

        def at(key: str) -> int:
            return raw.places.get(key, raw.pos)

        type_ = raw.get("type")
        row = BY_NAME.get(ALIASES.get(type_, type_)) if isinstance(type_, str) else None
        fmt, groups = format_name(str(raw.get("format", "ND")))
        if isinstance(type_, str) and type_.upper() == "UNDEFINED":
            return Msg("TensorDescriptor", raw.pos, {"layout": "FORMAT_RESERVED"})
        if row is None or row.host_only:
            self.misfit("type", at("type"), type_, "the name of an element type")
            return None
        if fmt not in FORMATS:
            self.misfit("format", at("format"), raw.get("format"), "the name of a format")
            return None
        shape = self.ints(raw, "shape")
        if shape is None:
            return None
        if -2 in shape and len(shape) > 1:
            self.misfit("shape", at("shape"), shape, "[-2] alone for an unknown rank")
            return None
        attrs: dict[str, Msg] = {}
        if "origin_shape" in raw:
            origin = self.ints(raw, "origin_shape")
            if origin is not None:
                attrs["origin_shape"] = _list("i", origin)
                attrs["origin_shape_initialized"] = Msg("AttrDef", -1, {"b": True})
        if "origin_format" in raw:
            attrs["origin_format"] = Msg("AttrDef", -1, {"s": str(raw["origin_format"])})
        self.range(raw, shape, attrs)
        f: dict[str, Any] = {
            "dtype": row.printed,
            "shape": Msg("ShapeDef", -1, {"dim": shape} if shape else {}),
            "layout": fmt if groups == 1 else f"{fmt}:{groups}",
        }
        if attrs:
            f["attr"] = attrs
        return Msg("TensorDescriptor", raw.pos, f)

    def ints(self, raw: JObject, key: str) -> list[int] | None:
        held = raw.get(key, JArray(raw.pos))
        good = isinstance(held, JArray) and all(
            isinstance(d, int) and not isinstance(d, bool) and -3 <= d < 2**63 for d in held
        )
        if not good:
            self.misfit(key, raw.places.get(key, raw.pos), held, "a list of dims")
            return None
        return list(held)

    def range(self, raw: JObject, shape: list[int], attrs: dict[str, Msg]) -> None:
        held = raw.get("shape_range")
        if held is None:
            return
        unknown = sum(d < 0 for d in shape)
        good = isinstance(held, JArray) and all(
            isinstance(r, JArray) and len(r) == 2 and all(type(x) is int for x in r) for r in held
        )
        if not good or len(held) not in (unknown, len(shape)):
            self.misfit(
                "shape_range", raw.places["shape_range"], held, f"{unknown} pairs [low, high]"
            )
            return
        rows = [Msg("ListInt", -1, {"list_i": list(r)}) for r in held]
        inner = Msg("ListListInt", -1, {"list_list_i": rows} if rows else {})
        attrs["shape_range"] = Msg("AttrDef", -1, {"list_list_int": inner})

    def constant(self, name: str, desc: Msg, raw: JObject) -> Msg:
        """A Const with the listed values."""
        f: dict[str, Any] = {"desc": desc}
        values = raw.get("const_value")
        if isinstance(values, JArray) and len(values) <= MAX_VALUES:
            data = self.data(desc, values, raw.places["const_value"])
            if data is not None:
                f["data"] = data
        elif values is not None:
            self.misfit("const_value", raw.places["const_value"], values, "a list of numbers")
        value = Msg("AttrDef", -1, {"t": Msg("TensorDef", -1, f)})
        return self.op(name, "Const", {"value": value}, [], [desc])

    def data(self, desc: Msg, values: JArray, pos: int) -> bytes | None:
        import numpy as np

        from ge_dialect.dtypes import numpy_dtype
        from ge_dialect.importers.ge_types import desc_type
        from ge_dialect.ir.types import elem_of, num_elements

        type_ = desc_type(desc)
        try:
            dtype = numpy_dtype(elem_of(type_))
            array = np.array(list(values)).astype(dtype)
        except (ValueError, TypeError, OverflowError):
            self.misfit("const_value", pos, values[:4], "numbers of the element type")
            return None
        count = num_elements(type_)
        if array.ndim != 1 or (count is not None and count != array.size):
            self.misfit("const_value", pos, f"{len(values)} values", f"{count} values")
            return None
        return array.tobytes()

    def attrs(self) -> dict[str, Msg]:
        held = self.item.get("attr")
        if held is None:
            return {}
        if not isinstance(held, JArray):
            self.misfit("attr", self.item.places["attr"], held, "a list of attributes")
            return {}
        out: dict[str, Msg] = {}
        for raw, pos in zip(held, held.places, strict=True):
            name = raw.get("name") if isinstance(raw, JObject) else None
            if not isinstance(name, str) or not name:
                self.source.error("GX-342", f"an attribute of {self.type} has no name", pos)
                continue
            made = self.attr(raw, name)
            if made is not None:
                out[name] = made
        return out

    def attr(self, raw: JObject, name: str) -> Msg | None:
        kind, value = raw.get("type"), raw.get("value")
        pos = raw.places.get("value", raw.pos)
        if kind in _KINDS:
            field, type_ = _KINDS[kind]
            if _is(value, type_):
                held = _f32(float(value or 0)) if field == "f" else value
                return Msg("AttrDef", raw.pos, {field: held})
            self.misfit(f"attribute '{name}'", pos, value, str(kind))
            return None
        if kind in _LISTS:
            field = _LISTS[kind]
            type_ = {"b": bool, "i": int, "f": float, "s": str}[field]
            if isinstance(value, JArray) and all(_is(v, type_) for v in value):
                return _list(field, [_f32(v) if field == "f" else v for v in value])
            self.misfit(f"attribute '{name}'", pos, value, str(kind))
            return None
        if kind == "list_list_int":
            if isinstance(value, JArray) and all(
                isinstance(r, JArray) and all(_is(v, int) for v in r) for r in value
            ):
                rows = [Msg("ListInt", -1, {"list_i": list(r)} if r else {}) for r in value]
                inner = Msg("ListListInt", -1, {"list_list_i": rows} if rows else {})
                return Msg("AttrDef", raw.pos, {"list_list_int": inner})
            self.misfit(f"attribute '{name}'", pos, value, "list_list_int")
            return None
        known = ", ".join([*_KINDS, *_LISTS, "list_list_int"])
        self.misfit(f"type of attribute '{name}'", raw.places.get("type", raw.pos), kind, known)
        return None


def _is(value: Any, type_: type) -> bool:
    if type_ is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if type_ is int:
        return type(value) is int and -(2**63) <= value < 2**63
    return isinstance(value, type_)


def _f32(value: float) -> float:
    from ge_dialect.importers.ge_text import to_f32

    try:
        return to_f32(float(value))
    except OverflowError:
        return float("inf")


def _list(field: str, values: list[Any]) -> Msg:
    f: dict[str, Any] = {field: values} if values else {}
    f["val_type"] = _VAL_TYPES[field]
    return Msg("AttrDef", -1, {"list": Msg("ListValue", -1, f)})
