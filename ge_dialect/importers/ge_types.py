"""Tensor descriptors of GE's dumps and tensor types of ours.

A descriptor has a shape and a format twice: those of storage and those of origin. The type takes
the origin's shape; it has a layout only where storage is laid out in another way. A descriptor that
names an element type in the messages' numbering is not the number an attribute has.
"""

from __future__ import annotations

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute

from ge_dialect.dtypes import DTYPES, FORMATS, dtype_of, to_xdsl
from ge_dialect.importers.ge_message import Msg
from ge_dialect.ir.attributes import LayoutAttr
from ge_dialect.ir.types import (
    elem_of,
    layout,
    layout_of,
    shape_of,
    tensor_type,
)
from ge_dialect.ir.verify_node import MAX_ELEMENTS, MAX_RANK
from ge_dialect.layouts import LayoutError, default_origin, storage_shape, unpack_format

_BY_PRINTED = {d.printed: d.type for d in DTYPES} | {
    "DT_BFLOAT16": to_xdsl("bfloat16"),
    "DT_FLOAT32": to_xdsl("float32"),
}
#: Stands for an element type that is not named: GE prints nothing for it.
UNNAMED = to_xdsl("variant")
#: Formats that say nothing about the order in storage.
_VAGUE = frozenset({"ND", "RESERVED", "ALL", "NULL", "MD", "UNDEFINED", ""})
_ALIASES = {"FRACTAL_DECONV_SP_STRIDE8_TRANS": "DECONV_SP_STRIDE8_TRANS"}


class BadDescriptor(ValueError):
    """A descriptor that makes no type: the field, and what is wrong with it."""

    def __init__(self, field: str, message: str, found: str) -> None:
        super().__init__(message)
        self.field, self.message, self.found = field, message, found


def is_unfed(desc: Msg) -> bool:
    """Whether a descriptor stands for an optional input that is not connected."""
    return desc.get("dtype", "DT_UNDEFINED") == "DT_UNDEFINED" and "shape" not in desc.f


def _attr(desc: Msg, name: str, field: str) -> object:
    value = desc.attrs.get(name)
    return None if value is None else value.f.get(field)


def format_name(text: str) -> tuple[str, int]:
    """Format and groups of a printed format, "FRACTAL_Z:8"."""
    name, _, sub = text.removeprefix("FORMAT_").partition(":")
    groups = int(sub) if sub.isascii() and sub.isdigit() and len(sub) < 6 else 1
    return _ALIASES.get(name, name), max(1, groups)


def _format(desc: Msg, number: str, text: str | None) -> tuple[str, int, int | None]:
    """Format, groups and C0; the number, where there is one, wins over the text."""
    packed = _attr(desc, number, "i")
    if isinstance(packed, int) and packed >= 0:
        try:
            found = unpack_format(packed)
        except (LayoutError, ValueError, KeyError):
            found = None
        if found is not None:
            return found.format, found.groups, found.c0
    name, groups = format_name(text or "")
    return name, groups, None


def _dims(values: list[int], field: str) -> tuple[int, ...] | None:
    """Dims with -1 unknown, None for an unknown rank."""
    if -2 in values or -3 in values:
        return None
    count = 1
    for dim in values:
        if dim < -3:
            raise BadDescriptor(field, "a dim is negative", str(dim))
        count *= max(1, dim)
    if len(values) > MAX_RANK:
        raise BadDescriptor(field, "a tensor has too many dims", str(len(values)))
    if count > MAX_ELEMENTS:
        raise BadDescriptor(field, "a tensor has more elements than any memory", str(values))
    return tuple(values)


def origin_of_desc(desc: Msg) -> str:
    """The format of origin, "" where none is given."""
    text = _attr(desc, "origin_format", "s")
    name, _, _ = _format(desc, "origin_format_for_int", text if isinstance(text, str) else None)
    return name


def desc_type(desc: Msg) -> Attribute:
    """The tensor type of a descriptor; raises `BadDescriptor`."""
    printed = desc.get("dtype", "DT_UNDEFINED")
    elem = UNNAMED if printed == "DT_UNDEFINED" else _BY_PRINTED.get(printed)
    if elem is None:
        raise BadDescriptor("dtype", "an element type is not known", printed)
    stored_msg = desc.get("shape")
    stored = _dims(stored_msg.many("dim") if stored_msg is not None else [], "shape")
    origin_list = _attr(desc, "origin_shape", "list")
    given = origin_list.f.get("i") if isinstance(origin_list, Msg) else None
    shape = _dims(given, "origin_shape") if given else stored
    name, groups, c0 = _format(desc, "format_for_int", desc.get("layout"))
    origin = origin_of_desc(desc)
    if name not in FORMATS and name not in _VAGUE:
        raise BadDescriptor("layout", "a format is not known", name)
    if shape is None or stored is None:
        return tensor_type(None, elem)
    if not given:
        # without the origin's shape there is only that of storage, whatever its format
        return tensor_type(stored, elem)
    if name in _VAGUE or name == origin or (not origin and not _is_heavy(name)):
        return tensor_type(shape, elem)
    return tensor_type(shape, elem, _layout(shape, elem, name, origin, groups, c0))


def _is_heavy(name: str) -> bool:
    from ge_dialect.layouts import HEAVY_FORMATS

    return name in HEAVY_FORMATS


def _layout(
    shape: tuple[int, ...], elem: Attribute, name: str, origin: str, groups: int, c0: int | None
) -> LayoutAttr | None:
    """The layout, None where a tensor of this shape cannot lie in it."""
    named = origin if origin in FORMATS and origin not in ("RESERVED", "ALL", "NULL") else None
    if named == default_origin(len(shape)):
        named = None
    found = layout(name, origin=named, groups=groups, c0=c0)
    try:
        storage_shape(shape, elem, found)
    except (LayoutError, ValueError):
        return None
    return found


# ---------------------------------------------------------------------------- the other way


def printed_dtype(elem: Attribute) -> str:
    """GE's name of an element type in a descriptor; ValueError where GE has none."""
    if elem == UNNAMED:
        return "DT_UNDEFINED"
    row = dtype_of(elem)
    if row is None or row.host_only:
        raise ValueError(f"GE has no element type {elem}")
    return row.printed


def _i(value: int) -> Msg:
    return Msg("AttrDef", -1, {"i": value})


def int_list(values: tuple[int, ...] | list[int]) -> Msg:
    """The AttrDef of a list of integers."""
    f: dict[str, object] = {"i": list(values)} if values else {}
    f["val_type"] = "VT_LIST_INT"
    return Msg("AttrDef", -1, {"list": Msg("ListValue", -1, f)})


_canonical: dict[tuple[Attribute, str], Msg] = {}


def canonical_desc(type_: Attribute, origin: str = "") -> Msg:
    """The descriptor GE would write for a type; `origin` is the format of origin where known.

    Raises ValueError for an element type or layout that GE has not.
    """
    key = (type_, origin)
    known = _canonical.get(key)
    if known is None:
        known = _make_desc(type_, origin)
        if len(_canonical) > 50_000:
            _canonical.clear()
        _canonical[key] = known
    return known


def _make_desc(type_: Attribute, origin: str) -> Msg:
    from ge_dialect.layouts import pack_format

    elem, shape, held = elem_of(type_), shape_of(type_), layout_of(type_)
    printed = printed_dtype(elem)
    dims = [-2] if shape is None else list(shape)
    if held is None:
        fmt = origin_format = origin if origin in FORMATS else "ND"
        number = FORMATS[fmt]
        stored, text = dims, fmt
    else:
        fmt, text = held.format, held.format
        origin_format = held.origin or default_origin(len(dims))
        stored = list(storage_shape(shape or (), elem, held))
        number = pack_format(fmt, held.groups, held.c0)
        if held.groups > 1:
            text = f"{fmt}:{held.groups}"
    origin_number = FORMATS[origin_format]
    return Msg(
        "TensorDescriptor",
        -1,
        {
            "dtype": printed,
            "shape": Msg("ShapeDef", -1, {"dim": stored} if stored else {}),
            "layout": text,
            "attr": {
                "format_for_int": _i(number),
                "origin_data_type": Msg("AttrDef", -1, {"s": printed}),
                "origin_format": Msg("AttrDef", -1, {"s": origin_format}),
                "origin_format_for_int": _i(origin_number),
                "origin_shape": int_list(dims),
                "origin_shape_initialized": Msg("AttrDef", -1, {"b": True}),
            },
            "has_out_attr": True,
            "device_type": "NPU",
        },
    )


def origin_attr(attr: object) -> str:
    """Format of origin from a `ge.origin_format` attribute, "" where there is none."""
    return attr.data if isinstance(attr, StringAttr) else ""
