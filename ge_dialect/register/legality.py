"""Which nodes of a module no version of their operator takes: GE's legality checks.

A node that is of its class went through the verifier already, so what is left to look at are nodes
that came in as `ge.Opaque` because they did not fit, nodes that carry the IR definition of another
version, and whether anything can run them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, DictionaryAttr, IntegerAttr, StringAttr

from ge_dialect.importers.ge_nodes import PREFIX, RECORD
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.graph import walk_graphs
from ge_dialect.ir.names import node_name
from ge_dialect.ir.types import shape_of, tensor_under
from ge_dialect.register.definition import (
    Attr,
    IrDefinition,
    NodeRecord,
    Slot,
    SlotKind,
    definition_of,
)
from ge_dialect.register.errors import Finding, finding
from ge_dialect.register.recover import IncompatibleError, recover, refused

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Attribute

#: `_ir_inputs_value` of a dump.
_KINDS = (SlotKind.REQUIRED, SlotKind.OPTIONAL, SlotKind.DYNAMIC)
#: Their prototypes declare an input that nobody connects, and the classes here none.
_UNFED = frozenset({"Data", "RefData", "Variable", "VariableV2"})
_OUTPUT_KINDS = (SlotKind.REQUIRED, SlotKind.DYNAMIC)


def check_module(module: ModuleOp) -> list[Finding]:
    """All findings of all graphs, in the order of the text; empty where every node is legal."""
    return [found for _, found in findings(module)]


def findings(module: ModuleOp) -> Iterator[tuple[GeOp, Finding]]:
    """The findings of `check_module`, each with its node."""
    metas = _metas(module)
    for block in walk_graphs(module):
        for op in block.ops:
            if isinstance(op, GeOp):
                for found in check_node(op, metas):
                    yield op, found


def check_node(op: GeOp, metas: Iterable[Mapping[str, Attribute]] = ()) -> list[Finding]:
    """Findings about one node; `metas` is the table that nodes of a dump point into."""
    return [*check_record(record_of(op, list(metas))), *_shapes(op)]


def check_record(record: NodeRecord, prototype: IrDefinition | None = None) -> list[Finding]:
    """Findings about a node as data, against `prototype` (by default the registered one).

    Unknown type (E10501); an IR definition that cannot be recovered (E14001, once per broken
    rule); inputs missing or beyond the prototype (E10401); two tensors for one optional input
    (E14001); outputs beyond it (E10403); a required attribute that is not set (E10030).
    """
    name, op_type = record.name, record.op_type
    wanted = prototype if prototype is not None else definition_of(op_type)
    if wanted is None:
        return [finding("E10501", name, opname=name, optype=op_type)]
    try:
        whole = recover(record, wanted).record
    except IncompatibleError as error:
        return error.findings
    return [*_inputs(whole, wanted), *_outputs(whole, wanted), *_attrs(whole, wanted)]


def _inputs(record: NodeRecord, wanted: IrDefinition) -> Iterator[Finding]:
    slots = wanted.inputs or ()
    known = {s.name for s in slots}
    given = sum(record.connected.values()) + record.extra_inputs
    least = sum(s.kind == SlotKind.REQUIRED for s in slots)
    endless = any(s.kind == SlotKind.DYNAMIC for s in slots)
    if given < least or (given > len(slots) and not endless):
        most = "any number" if endless else len(slots)
        expected = str(least) if least == most else f"{least} to {most}"
        yield finding("E10401", record.name, expect_num=expected, input_num=given)
    for name, count in record.connected.items():
        if count and name not in known:
            yield refused(record, f"input '{name}'", "the prototype has no such input")
    for slot in slots:
        count = record.connected.get(slot.name, 0)
        if count > 1 and slot.kind != SlotKind.DYNAMIC:
            yield refused(record, f"input '{slot.name}'", f"it is {slot.kind} and has {count}")
        elif not count and slot.kind == SlotKind.REQUIRED:
            yield refused(record, f"input '{slot.name}'", "it is required and not connected")


def _outputs(record: NodeRecord, wanted: IrDefinition) -> Iterator[Finding]:
    slots = wanted.outputs or ()
    if record.outputs > len(slots) and all(s.kind != SlotKind.DYNAMIC for s in slots):
        yield finding("E10403", record.name, expect_num=len(slots), input_num=record.outputs)


def _attrs(record: NodeRecord, wanted: IrDefinition) -> Iterator[Finding]:
    for attr in wanted.attrs or ():
        if attr.required and attr.name not in record.attrs:
            yield finding("E10030", record.name, attrname=attr.name, op_name=record.name)


def _shapes(op: GeOp) -> Iterator[Finding]:
    """E14002: a dim below -1 in a type (a shape of unknown rank is `*` in the IR)."""
    for value in (*op.ge_data_operands, *op.ge_data_results):
        tensor = tensor_under(value.type)
        shape = None if tensor is None else shape_of(tensor)
        if shape is not None and any(d < -1 for d in shape):
            yield finding(
                "E14002", node_name(op), attribute=f"shape {list(shape)}", reason="a dim below -1"
            )


# ------------------------------------------------------------------------------ nodes as data


def record_of(op: GeOp, metas: list[Mapping[str, Attribute]] | None = None) -> NodeRecord:
    """A node of the IR as data: by its class, or of an opaque one by what its dump said."""
    name = node_name(op) or op.name
    if op.ge_type != "Opaque":
        table = type(op).ge_table()
        connected = {
            slot.name: len(arg) if isinstance(arg, list) else int(arg is not None)
            for slot, arg in zip(table.inputs, op.ge_args(), strict=True)
        }
        definition = _carried(op, metas) or IrDefinition(op.ge_type)
        return NodeRecord(name, definition, connected, len(op.ge_data_results), op.ge_attrs())
    op_type = str(op.ge_attr("type"))
    carried = _carried(op, metas) or IrDefinition(op_type)
    carried = IrDefinition(op_type, carried.inputs, carried.outputs, carried.attrs)
    attrs = {k.removeprefix(PREFIX): v for k, v in op.attributes.items() if k.startswith(PREFIX)}
    connected, extra = _connected(op, op_type, carried, _meta(op, metas))
    return NodeRecord(name, carried, connected, len(op.ge_data_results), attrs, extra)


def _connected(
    op: GeOp, op_type: str, carried: IrDefinition, meta: Mapping[str, Attribute]
) -> tuple[dict[str, int], int]:
    """Tensors per input of an opaque node, by the names the dump gives, else by position."""
    count = len(op.ge_data_operands)
    slots = carried.inputs
    prototype = definition_of(op_type)
    if slots is None:
        slots = prototype.inputs if prototype is not None else None
    if slots is None:
        return {}, count
    numbers, texts = _ints(meta.get("_input_name_value")), _texts(meta.get("_input_name_key"))
    names = dict(zip(numbers, texts, strict=False))
    out: dict[str, int] = {}
    extra = 0
    dynamic = next((s.name for s in slots if s.kind == SlotKind.DYNAMIC), None)
    known = {s.name: s for s in slots}
    for i in range(count):
        given = names.get(i)
        slot = None
        if given is not None:
            base = given.rstrip("0123456789")
            slot = given if given in known else base if base in known else given
        elif i < len(slots):
            slot = slots[i].name
        else:
            slot = dynamic
        if slot is None:
            extra += 1
        else:
            out[slot] = out.get(slot, 0) + 1
    return out, extra


def _carried(op: GeOp, metas: list[Mapping[str, Attribute]] | None) -> IrDefinition | None:
    """The IR definition a node of a dump was written with."""
    meta = _meta(op, metas)
    inputs, outputs = meta.get("_ir_inputs_key"), meta.get("_ir_outputs_key")
    attrs = meta.get("_ir_attr_names")
    if inputs is None and outputs is None and attrs is None:
        return None
    return IrDefinition(
        str(op.ge_attr("type")) if op.ge_type == "Opaque" else op.ge_type,
        None if op.ge_type in _UNFED else _slots(inputs, meta.get("_ir_inputs_value"), _KINDS),
        _slots(outputs, meta.get("_ir_outputs_value"), _OUTPUT_KINDS),
        None if attrs is None else tuple(Attr(a) for a in _texts(attrs)),
    )


def _slots(
    names: Attribute | None, kinds: Attribute | None, table: tuple[SlotKind, ...]
) -> tuple[Slot, ...] | None:
    if names is None or kinds is None:
        return None
    numbers = _ints(kinds)
    texts = _texts(names)
    if len(numbers) != len(texts) or any(not 0 <= n < len(table) for n in numbers):
        return None
    return tuple(Slot(t, table[n]) for t, n in zip(texts, numbers, strict=True))


def _metas(module: ModuleOp) -> list[Mapping[str, Attribute]]:
    held = module.attributes.get(RECORD)
    table = held.data.get("metas") if isinstance(held, DictionaryAttr) else None
    if not isinstance(table, ArrayAttr):
        return []
    return [row.data if isinstance(row, DictionaryAttr) else {} for row in table.data]


def _meta(op: GeOp, metas: list[Mapping[str, Attribute]] | None) -> Mapping[str, Attribute]:
    held = op.attributes.get(RECORD)
    number = held.data.get("meta") if isinstance(held, DictionaryAttr) else None
    if not isinstance(number, IntegerAttr) or not metas:
        return {}
    index = number.value.data
    return metas[index] if 0 <= index < len(metas) else {}


def _unwrapped(value: Attribute | None) -> Any:
    if isinstance(value, DictionaryAttr) and len(value.data) == 1:
        return next(iter(value.data.values()))  # {untyped = …}
    return value


def _texts(value: Attribute | None) -> list[str]:
    held = _unwrapped(value)
    if not isinstance(held, ArrayAttr):
        return []
    return [t.data for t in held.data if isinstance(t, StringAttr)]


def _ints(value: Attribute | None) -> list[int]:
    held = _unwrapped(value)
    if isinstance(held, DenseArrayBase):
        return [int(n) for n in held.get_values()]
    return []
