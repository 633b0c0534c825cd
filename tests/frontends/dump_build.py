"""Small dumps from a few words: what the files in data/dumps were made with, and tests use."""

from __future__ import annotations

from typing import Any

from ge_dialect.importers.ge_message import Msg
from ge_dialect.importers.ge_print import print_text


def i(value: int) -> Msg:
    """An integer attribute."""
    return Msg("AttrDef", -1, {"i": value})


def s(value: str) -> Msg:
    """A string attribute."""
    return Msg("AttrDef", -1, {"s": value})


def b(value: bool) -> Msg:
    """A boolean attribute."""
    return Msg("AttrDef", -1, {"b": value})


def f(value: float) -> Msg:
    """A float attribute."""
    return Msg("AttrDef", -1, {"f": value})


def lst(field: str, values: list[Any], val_type: str | None = None) -> Msg:
    """A list attribute; val_type None: the list does not name its kind."""
    fields: dict[str, Any] = {field: values} if values else {}
    if val_type:
        fields["val_type"] = "VT_LIST_" + val_type
    return Msg("AttrDef", -1, {"list": Msg("ListValue", -1, fields)})


def ints(*values: int) -> Msg:
    """A list of integers."""
    return lst("i", list(values), "INT")


def func(name: str, **attrs: Msg) -> Msg:
    """A nested function."""
    fields: dict[str, Any] = {"name": name} if name else {}
    if attrs:
        fields["attr"] = attrs
    return Msg("AttrDef", -1, {"func": Msg("NamedAttrs", -1, fields)})


def desc(
    shape: list[int] | None = None,
    dtype: str = "DT_FLOAT",
    layout: str = "ND",
    *,
    origin: str | None = None,
    origin_shape: list[int] | None = None,
    **attrs: Msg,
) -> Msg:
    """A tensor descriptor; shape None: without any."""
    held: dict[str, Msg] = dict(attrs)
    if origin is not None:
        held["origin_format"] = s(origin)
    if origin_shape is not None:
        held["origin_shape"] = ints(*origin_shape)
    fields: dict[str, Any] = {}
    if dtype:
        fields["dtype"] = dtype
    if shape is not None:
        fields["shape"] = Msg("ShapeDef", -1, {"dim": shape} if shape else {})
    if layout:
        fields["layout"] = layout
    if held:
        fields["attr"] = held
    return Msg("TensorDescriptor", -1, fields)


def tensor(of: Msg | None, data: bytes | None = None) -> Msg:
    """A tensor attribute."""
    fields: dict[str, Any] = {}
    if of is not None:
        fields["desc"] = of
    if data is not None:
        fields["data"] = data
    return Msg("AttrDef", -1, {"t": Msg("TensorDef", -1, fields)})


def op(
    name: str,
    type_: str,
    inputs: list[str] = [],  # noqa: B006
    outs: list[Msg] = [],  # noqa: B006
    ins: list[Msg] = [],  # noqa: B006
    attrs: dict[str, Msg] | None = None,
    **fields: Any,
) -> Msg:
    """An operator."""
    held: dict[str, Any] = {"name": name, "type": type_}
    if inputs:
        held["input"] = list(inputs)
    if attrs:
        held["attr"] = attrs
    if ins:
        held["input_desc"] = list(ins)
    if outs:
        held["output_desc"] = list(outs)
    held.update(fields)
    return Msg("OpDef", -1, held)


def data(name: str, of: Msg, index: int = 0, parent: int | None = None) -> Msg:
    """A graph input."""
    attrs = {"index": i(index)}
    if parent is not None:
        attrs["_parent_node_index"] = i(parent)
    return op(name, "Data", [], [of], [of], attrs)


def out(inputs: list[str], of: list[Msg], parents: list[int] | None = None) -> Msg:
    """A NetOutput; parents: results of the owner."""
    if parents is not None:
        of = [
            Msg("TensorDescriptor", -1, {**d.f, "attr": {**d.attrs, "_parent_node_index": i(p)}})
            for d, p in zip(of, parents, strict=True)
        ]
    return op("NetOutput", "NetOutput", inputs, [], of)


def graph(name: str, *ops: Msg, **fields: Any) -> Msg:
    """A graph."""
    return Msg("GraphDef", -1, {"name": name, "op": list(ops), **fields})


def model(*graphs: Msg, **fields: Any) -> str:
    """The text of a ModelDef."""
    return print_text(Msg("ModelDef", -1, {**fields, "graph": list(graphs)}))
