"""Attributes of GE's dumps as MLIR attributes, and back without loss.

Plain kinds have their natural form: `"x"`, `3 : i64`, `1.0 : f32`, `true`, `array<i64: 1, 2>`,
`["a"]`, a type for an element type, `[array<i64: 1>]` for a list of lists. What has none is a
dictionary whose first key says what it is: `{untyped = […]}` is a list that does not name its kind,
`{strings = []}` an empty list that does, `{func = "f", attrs = {…}}` a nested function, and
`{message = {…}}` anything else, field by field.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    i1,
)
from xdsl.ir import Attribute, TypeAttribute

from ge_dialect.dtypes import BY_ENUM, dtype_of
from ge_dialect.importers.ge_message import NULL, UNKNOWN, Msg
from ge_dialect.importers.ge_schema import ENUMS, SCHEMA
from ge_dialect.ir import kinds

#: Field of a typed list -> its name in the list's own kind, and the key of an empty one.
_TYPED = {"s": "VT_LIST_STRING", "i": "VT_LIST_INT", "f": "VT_LIST_FLOAT", "b": "VT_LIST_BOOL"}
_EMPTY = {
    "VT_LIST_STRING": "strings",
    "VT_LIST_FLOAT": "floats",
    "VT_LIST_BOOL": "bools",
    "VT_LIST_BYTES": "bytes",
    "VT_LIST_TENSOR_DESC": "descs",
    "VT_LIST_TENSOR": "tensors",
    "VT_LIST_GRAPH": "graphs",
    "VT_LIST_NAMED_ATTRS": "funcs",
    "VT_LIST_DATA_TYPE": "types",
    "VT_LIST_NONE": "none",
}
_EMPTY_BACK = {key: value for value, key in _EMPTY.items()}
#: Attributes by which GE's loader finds names; they are no attributes of the operator.
META = frozenset(
    "_input_name_key _input_name_value _output_name_key _output_name_value _opt_input "
    "_ir_attr_names _ir_inputs_key _ir_inputs_value _ir_outputs_key _ir_outputs_value "
    "_input_name_idx_key _input_name_idx_value _output_name_idx_key _output_name_idx_value "
    "_src_out_peer_index_for_ge_txt_load".split()
)


def text_attr(value: str) -> Attribute:
    """A string; one that is not UTF-8 by its bytes."""
    try:
        value.encode()
    except UnicodeEncodeError:
        raw = value.encode("utf-8", "surrogateescape").decode("latin-1")
        return DictionaryAttr({"latin1": StringAttr(raw)})
    return kinds.string_to_attr(value)


def attr_text(attr: Attribute) -> str:
    """The string of `text_attr`; ValueError for anything else."""
    if isinstance(attr, StringAttr):
        return attr.data
    if isinstance(attr, DictionaryAttr) and isinstance(attr.data.get("latin1"), StringAttr):
        raw = attr.data["latin1"].data.encode("latin-1", "replace")  # pyright: ignore
        return raw.decode("utf-8", "surrogateescape")
    raise ValueError(f"expected a string, found {attr}")


_TO: dict[str, Callable[[Any], Attribute]] = {
    "s": text_attr,
    "i": kinds.int_to_attr,
    "u": kinds.int_to_attr,
    "f": kinds.float_to_attr,
    "b": kinds.bool_to_attr,
    "e": kinds.string_to_attr,
    "y": lambda value: StringAttr(value.decode("latin-1")),
}


# ------------------------------------------------------------------------------- dump -> MLIR


def to_attribute(value: Msg) -> Attribute:
    """The MLIR attribute of an AttrDef."""
    f = value.f
    if len(f) == 1:
        (field, held), *_ = f.items()
        if field in "sifb":
            return _TO[field](held)
        if field == "list":
            found = _list(held)
            if found is not None:
                return found
        elif field == "dt":
            row = BY_ENUM.get(held)
            if row is not None and not row.host_only:
                return row.type
        elif field == "list_list_int":
            rows = held.many("list_list_i")
            if all(set(r.f) <= {"list_i"} for r in rows) and set(held.f) <= {"list_list_i"}:
                return ArrayAttr([kinds.ints_to_attr(r.many("list_i")) for r in rows])
        elif field == "func" and set(held.f) <= {"name", "attr"}:
            entries: dict[str, Attribute] = {"func": text_attr(held.get("name", ""))}
            if "attr" in held.f:
                entries["attrs"] = attribute_map(held.attrs)
            return DictionaryAttr(entries)
    return DictionaryAttr({"message": message_attr(value)})


def attribute_map(values: dict[str, Msg]) -> DictionaryAttr:
    """A map of attributes as a dictionary, by key: a map has no order."""
    return DictionaryAttr({key: to_attribute(values[key]) for key in sorted(values)})


def _list(value: Msg) -> Attribute | None:
    f = value.f
    val_type = f.get("val_type")
    fields = [name for name in f if name != "val_type"]
    if not fields:
        if val_type is None:
            return DictionaryAttr({"untyped": ArrayAttr([])})
        if val_type == "VT_LIST_INT":
            return kinds.ints_to_attr(())
        return DictionaryAttr({_EMPTY[val_type]: ArrayAttr([])})
    if len(fields) > 1 or fields[0] not in _TYPED or not f[fields[0]]:
        return None
    (field,) = fields
    items = f[field]
    held = kinds.ints_to_attr(items) if field == "i" else ArrayAttr([_TO[field](x) for x in items])
    if val_type is None:
        return DictionaryAttr({"untyped": held})
    return held if _TYPED[field] == val_type else None


def message_attr(value: Msg) -> DictionaryAttr:
    """Any message, field by field."""
    out: dict[str, Attribute] = {}
    fields = SCHEMA.get(value.type, {})
    for name in (*fields, UNKNOWN):
        held = value.f.get(name)
        if held is None:
            continue
        if name == UNKNOWN:
            from ge_dialect.importers.ge_print import print_text

            if any(key == NULL for key, _ in held):
                out[NULL] = kinds.bool_to_attr(True)
            text = print_text(Msg(UNKNOWN, -1, {UNKNOWN: held}))
            if text:
                out[UNKNOWN] = text_attr(text)
            continue
        spec = fields[name]
        if spec.kind == "a":
            out[name] = attribute_map(held)
        elif spec.kind == "m":
            out[name] = (
                ArrayAttr([message_attr(x) for x in held]) if spec.repeated else message_attr(held)
            )
        elif not spec.repeated:
            out[name] = _TO[spec.kind](held)
        elif spec.kind in "iu":
            out[name] = kinds.ints_to_attr(held)
        else:
            out[name] = ArrayAttr([_TO[spec.kind](x) for x in held])
    return DictionaryAttr(out)


# ------------------------------------------------------------------------------- MLIR -> dump


def _ints(attr: Attribute) -> list[int]:
    if isinstance(attr, DenseArrayBase):
        return list(attr.get_values())  # pyright: ignore
    raise ValueError(f"expected a list of integers, found {attr}")


def _int(attr: Attribute) -> int:
    if isinstance(attr, IntegerAttr):
        return attr.value.data
    raise ValueError(f"expected an integer, found {attr}")


def _float(attr: Attribute) -> float:
    if isinstance(attr, FloatAttr):
        return attr.value.data
    raise ValueError(f"expected a float, found {attr}")


_FROM: dict[str, Callable[[Attribute], Any]] = {
    "s": attr_text,
    "i": _int,
    "u": _int,
    "f": _float,
    "b": lambda a: bool(_int(a)),
    "e": attr_text,
    "y": lambda a: attr_text(a).encode("latin-1", "replace"),
}


def _items(attr: Attribute) -> tuple[Attribute, ...]:
    if isinstance(attr, ArrayAttr):
        return attr.data
    raise ValueError(f"expected a list, found {attr}")


def _entries(attr: Attribute) -> dict[str, Attribute]:
    if isinstance(attr, DictionaryAttr):
        return dict(attr.data)
    raise ValueError(f"expected a dictionary, found {attr}")


_memo: dict[Attribute, Msg] = {}


def from_attribute(attr: Attribute) -> Msg:
    """The AttrDef of an attribute, an imported one or any that fits a kind of GE's.

    Raises ValueError for one that GE has no kind for.
    """
    known = _memo.get(attr)
    if known is None:
        known = Msg("AttrDef", -1, _from(attr))
        if len(_memo) > 50_000:
            _memo.clear()
        _memo[attr] = known
    return known


def _from(attr: Attribute) -> dict[str, Any]:
    if isinstance(attr, StringAttr):
        return {"s": attr.data}
    if isinstance(attr, IntegerAttr):
        return {"b": bool(attr.value.data)} if attr.type == i1 else {"i": attr.value.data}
    if isinstance(attr, FloatAttr):
        return {"f": attr.value.data}
    if isinstance(attr, DenseArrayBase):
        return {"list": _typed("i", list(attr.get_values()))}  # pyright: ignore
    if isinstance(attr, ArrayAttr):
        return _from_array(attr)
    if isinstance(attr, DictionaryAttr):
        return _from_dictionary(attr)
    if isinstance(attr, TypeAttribute):
        row = dtype_of(attr)
        if row is not None and not row.host_only:
            return {"dt": row.enum}
    raise ValueError(f"GE has no attribute for {attr}")


def _typed(field: str, values: list[Any], val_type: str | None = None) -> Msg:
    f: dict[str, Any] = {field: values} if values else {}
    f["val_type"] = val_type or _TYPED[field]
    return Msg("ListValue", -1, f)


def _field_of(item: Attribute) -> str:
    if isinstance(item, FloatAttr):
        return "f"
    if isinstance(item, IntegerAttr):
        return "b" if item.type == i1 else "i"
    return "s"


def _from_array(attr: ArrayAttr[Any]) -> dict[str, Any]:
    items = attr.data
    if all(isinstance(x, DenseArrayBase) for x in items):
        rows = [Msg("ListInt", -1, {"list_i": v} if (v := _ints(x)) else {}) for x in items]
        return {"list_list_int": Msg("ListListInt", -1, {"list_list_i": rows} if rows else {})}
    if all(isinstance(x, TypeAttribute) and dtype_of(x) is not None for x in items):
        numbers = [dtype_of(x).enum for x in items]  # pyright: ignore
        return {"list": Msg("ListValue", -1, {"dt": numbers, "val_type": "VT_LIST_DATA_TYPE"})}
    field = _field_of(items[0])
    return {"list": _typed(field, [_FROM[field](x) for x in items])}


def _from_dictionary(attr: DictionaryAttr) -> dict[str, Any]:
    data = attr.data
    if "latin1" in data:
        return {"s": attr_text(attr)}
    if "untyped" in data:
        held = data["untyped"]
        if isinstance(held, DenseArrayBase):
            return {"list": Msg("ListValue", -1, {"i": _ints(held)})}
        items = _items(held)
        if not items:
            return {"list": Msg("ListValue", -1)}
        field = _field_of(items[0])
        return {"list": Msg("ListValue", -1, {field: [_FROM[field](x) for x in items]})}
    if "func" in data:
        f: dict[str, Any] = {}
        name = attr_text(data["func"])
        if name:
            f["name"] = name
        if "attrs" in data:
            f["attr"] = from_map(data["attrs"])
        return {"func": Msg("NamedAttrs", -1, f)}
    if "message" in data:
        return from_message_attr(data["message"], "AttrDef").f
    for key in data:
        if key in _EMPTY_BACK:
            return {"list": Msg("ListValue", -1, {"val_type": _EMPTY_BACK[key]})}
    raise ValueError(f"GE has no attribute for {attr}")


def from_map(attr: Attribute) -> dict[str, Msg]:
    """A map of attributes from a dictionary."""
    return {key: from_attribute(value) for key, value in _entries(attr).items()}


def from_message_attr(attr: Attribute, type_: str) -> Msg:
    """The message of `message_attr`; ValueError where a field does not fit."""
    out = Msg(type_)
    fields = SCHEMA[type_]
    for name, value in _entries(attr).items():
        if name == NULL and name not in fields:
            out.f.setdefault(UNKNOWN, []).append((NULL, NULL))
            continue
        if name == UNKNOWN:
            from ge_dialect.importers.ge_message import Source
            from ge_dialect.importers.ge_text import read_text

            read = read_text(Source(attr_text(value), "?"), "ShapeDef")
            out.f.setdefault(UNKNOWN, []).extend(read.f.get(UNKNOWN, ()))
            continue
        spec = fields.get(name)
        if spec is None:
            raise ValueError(f"{type_} has no field {name}")
        if spec.kind == "a":
            out.f[name] = from_map(value)
        elif spec.kind == "m":
            out.f[name] = (
                [from_message_attr(x, spec.message) for x in _items(value)]
                if spec.repeated
                else from_message_attr(value, spec.message)
            )
        elif not spec.repeated:
            held = _FROM[spec.kind](value)
            if spec.kind == "e" and held not in ENUMS[type_, name]:
                raise ValueError(f"{name} is never {held}")
            out.f[name] = held
        elif spec.kind in "iu":
            out.f[name] = _ints(value)
        else:
            out.f[name] = [_FROM[spec.kind](x) for x in _items(value)]
    return out


# ------------------------------------------------------------------- declared attributes


def to_property(value: Msg, kind: kinds.Kind) -> Attribute | None:
    """A declared attribute of that kind, None where the AttrDef holds another kind."""
    f = value.f
    name = kind.name
    if len(f) != 1:
        return None
    if name == "Int" and "i" in f:
        return kinds.int_to_attr(f["i"])
    if name == "Float" and "f" in f:
        return kinds.float_to_attr(f["f"])
    if name == "Bool" and "b" in f:
        return kinds.bool_to_attr(f["b"])
    if name == "String" and "s" in f:
        found = text_attr(f["s"])
        return found if isinstance(found, StringAttr) else None
    if name == "Type" and "dt" in f:
        row = BY_ENUM.get(f["dt"])
        return row.type if row is not None and not row.host_only else None
    if name == "ListListInt" and "list_list_int" in f:
        found = to_attribute(value)
        return found if isinstance(found, ArrayAttr) else None
    if "list" in f:
        return _list_property(f["list"], name)
    return None


_LIST_KINDS = {"ListInt": "i", "ListFloat": "f", "ListBool": "b", "ListString": "s"}


def _list_property(value: Msg, name: str) -> Attribute | None:
    f = value.f
    field = _LIST_KINDS.get(name)
    if field is None or f.get("val_type") != _TYPED[field] or set(f) - {field, "val_type"}:
        if name == "ListType" and f.get("val_type") == "VT_LIST_DATA_TYPE" and f.get("dt"):
            rows = [BY_ENUM.get(n) for n in f["dt"]]
            if all(r is not None and not r.host_only for r in rows) and len(f) == 2:
                return ArrayAttr([r.type for r in rows if r is not None])
        return None
    items = f.get(field, [])
    if field == "i":
        return kinds.ints_to_attr(items)
    found = [_TO[field](x) for x in items]
    if field == "s" and not all(isinstance(x, StringAttr) for x in found):
        return None
    return ArrayAttr(found)


def from_property(attr: Attribute, kind: kinds.Kind) -> Msg:
    """The AttrDef of a declared attribute; empty lists get the kind that is declared."""
    if isinstance(attr, ArrayAttr) and not attr.data:
        if kind.name == "ListListInt":
            return Msg("AttrDef", -1, {"list_list_int": Msg("ListListInt")})
        field = _LIST_KINDS.get(kind.name)
        val_type = _TYPED[field] if field else "VT_LIST_DATA_TYPE"
        return Msg("AttrDef", -1, {"list": Msg("ListValue", -1, {"val_type": val_type})})
    return from_attribute(attr)
