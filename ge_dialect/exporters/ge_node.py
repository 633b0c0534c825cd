"""One node as an OpDef: from its record where that still fits, else as GE would write it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, DictionaryAttr, StringAttr
from xdsl.ir import Attribute, BlockArgument, SSAValue

from ge_dialect.importers.ge_attrs import (
    attr_text,
    from_attribute,
    from_message_attr,
    from_property,
)
from ge_dialect.importers.ge_bodies import FEEDS
from ge_dialect.importers.ge_const import TYPES as CONSTANTS
from ge_dialect.importers.ge_const import encode
from ge_dialect.importers.ge_graphs import BACK_EDGES
from ge_dialect.importers.ge_links import split_edge
from ge_dialect.importers.ge_message import Msg
from ge_dialect.importers.ge_nodes import ORIGINS, OWN_PREFIX, PREFIX, RECORD
from ge_dialect.importers.ge_types import canonical_desc, int_list, origin_attr, origin_of_desc
from ge_dialect.ir.attributes import WeightAttr
from ge_dialect.ir.base import DYNAMIC, OPTIONAL, REQUIRED, GeOp
from ge_dialect.ir.names import recorded_origins
from ge_dialect.ir.types import tensor_under

if TYPE_CHECKING:
    from ge_dialect.exporters.ge_dump import Tables
    from ge_dialect.exporters.ge_graph import BlockView

_EMPTY: dict[str, Attribute] = {}
_UNFED = Msg("TensorDescriptor", -1, {"layout": "FORMAT_RESERVED"})


def record_entries(op: Any) -> dict[str, Attribute]:
    """What a node remembers of its dump; read only."""
    held = op.attributes.get(RECORD)
    return held.data if isinstance(held, DictionaryAttr) else _EMPTY  # pyright: ignore


def _numbers(attr: Attribute | None) -> list[int] | None:
    return list(attr.get_values()) if isinstance(attr, DenseArrayBase) else None  # pyright: ignore


def _number(attr: Attribute | None) -> int | None:
    value = getattr(getattr(attr, "value", None), "data", None)
    return value if isinstance(value, int) else None


def _s(values: list[str], typed: bool = True) -> Msg:
    f: dict[str, Any] = {"s": values} if values else {}
    if typed:
        f["val_type"] = "VT_LIST_STRING"
    return Msg("AttrDef", -1, {"list": Msg("ListValue", -1, f)})


def _i(value: int) -> Msg:
    return Msg("AttrDef", -1, {"i": value})


class NodeWriter:
    """Writes the nodes of one block."""

    def __init__(self, tables: Tables, view: BlockView) -> None:
        self.tables = tables
        self.view = view
        self.all_names = {*view.names.values(), *view.arg_names.values()}
        self.count = 0

    # ------------------------------------------------------------------------ graph inputs

    def feed(self, arg: BlockArgument) -> Msg:
        """A Data (or RefData) for an argument that no node of GE's stands for."""
        from ge_dialect.ir.attributes import RefType

        desc = self.canonical(arg.type, "", self.view.arg_names[arg])
        type_ = "RefData" if isinstance(arg.type, RefType) else "Data"
        attrs = {"index": _i(arg.index)}
        if self.view.owner is not None:
            attrs["_parent_node_index"] = _i(self.view.parent_index(arg.index))
        f = {
            "name": self.view.arg_names[arg],
            "type": type_,
            "attr": attrs,
            "has_out_attr": True,
            "input_desc": [desc],
            "output_desc": [desc],
        }
        number = self._next()
        if number:
            f["id"] = number
        return Msg("OpDef", -1, f)

    def _next(self) -> int:
        self.count += 1
        return self.count - 1

    # -------------------------------------------------------------------------------- nodes

    def node(self, op: GeOp, graphs: list[str]) -> Msg:
        """The OpDef of a node; `graphs` are the names of its bodies."""
        record = record_entries(op)
        f: dict[str, Any] = {}
        held = record.get("op")
        if held is not None:
            try:
                f.update(from_message_attr(held, "OpDef").f)
            except ValueError:
                held = None
        number = self._next()
        if not record:
            f["has_out_attr"] = True
            if number:  # zeros are not printed
                f["id"] = number
        name = self.view.names[op]
        f["name"] = name
        f["type"] = op.ge_type if op.ge_type != "Opaque" else op.ge_attr("type")
        entries = self._entries(op, record)
        descs = self._input_descs(op, record, entries)
        texts = [("" if v is None else self.view.edge(v)) for v in entries]
        for number, text in self._back_edges(op).items():
            if number < len(texts):
                texts[number] = text
        legacy = [attr_text(t) for t in _items(record.get("legacy"))]
        instead = {(split_edge(t) or ("", 0))[0] for t in legacy}
        texts += legacy
        texts += [f"{n}:-1" for n in self.view.waits(op) if n not in instead]
        if texts:
            f["input"] = texts
        outputs = self._output_descs(op, record)
        if descs:
            f["input_desc"] = descs
        if outputs:
            f["output_desc"] = outputs
        stream = _number(op.attributes.get("ge.stream"))
        if stream:
            f["stream_id"] = stream
        if graphs:
            f["subgraph_name"] = graphs
        attrs = self._attrs(op, record, entries)
        if attrs:
            f["attr"] = attrs
        self._drop_stale(f, record)
        return Msg("OpDef", -1, f)

    def _drop_stale(self, f: dict[str, Any], record: dict[str, Attribute]) -> None:
        """Names of neighbours that are no longer there say nothing."""
        known = {attr_text(n) for n in _items(record.get("strays"))}
        for names, numbers in (("src_name", "src_index"), ("dst_name", "dst_index")):
            listed = f.get(names)
            if not all(n in self.all_names or ":" in n or n in known for n in listed or ()):
                f.pop(names, None)
                f.pop(numbers, None)

    # ------------------------------------------------------------------------------- inputs

    def _back_edges(self, op: GeOp) -> dict[int, str]:
        """Edges from a later turn of a loop, as "node:output" by number of the input, sorted."""
        held = op.attributes.get(BACK_EDGES)
        edges = held.data if isinstance(held, DictionaryAttr) else _EMPTY
        out: dict[int, str] = {}
        for key, text in edges.items():
            name, colon, output = attr_text(text).rpartition(":")
            if key.isascii() and key.isdigit():
                out[int(key)] = self.view.written_name(name) + colon + output
        if held is not None and len(out) != len(getattr(held, "data", ())):
            self.tables.refuse(f"{BACK_EDGES} is no list of edges", self.view.names[op])
        return dict(sorted(out.items()))

    def _entries(self, op: GeOp, record: dict[str, Attribute]) -> list[SSAValue | None]:
        """Data inputs in GE's order, None where nothing is connected or an edge goes back."""
        entries = self._forward_entries(op, record)
        for number in self._back_edges(op):
            if number > len(entries):
                self.tables.refuse(f"{BACK_EDGES}: no input {number}", self.view.names[op])
            elif number == len(entries) or entries[number] is not None:
                entries.insert(number, None)
        return entries

    def _forward_entries(self, op: GeOp, record: dict[str, Attribute]) -> list[SSAValue | None]:
        """Data inputs that are operands, in GE's order."""
        operands = list(op.ge_data_operands)
        written = _numbers(record.get("inputs"))
        if op.ge_type in FEEDS and operands and isinstance(operands[0], BlockArgument):
            return [None] * len(written or ())
        if written is not None and sorted(n for n in written if n >= 0) == list(
            range(len(operands))
        ):
            return [None if n < 0 else operands[n] for n in written]
        table = type(op).ge_table()
        if table.fixed or record:
            return list(operands)
        out: list[SSAValue | None] = []
        for slot, arg in zip(table.inputs, op.ge_args(), strict=True):
            if slot.kind == DYNAMIC:
                out += arg  # pyright: ignore[reportOperatorIssue]
            else:
                out.append(arg)  # pyright: ignore[reportArgumentType]
        while out and out[-1] is None:
            out.pop()
        return out

    def _input_descs(
        self, op: GeOp, record: dict[str, Attribute], entries: list[SSAValue | None]
    ) -> list[Msg]:
        numbers = _numbers(record.get("in"))
        feeds = op.ge_type in FEEDS and not any(e is not None for e in entries)
        if feeds:
            if numbers is not None:
                return [self.tables.descs[n][0] for n in numbers if self._known(n)]
            value = op.ge_data_operands[0] if op.ge_data_operands else None
            return [] if value is None else [self.canonical(value.type, "", self.view.names[op])]
        kept = _numbers(record.get("kept")) or ()
        as_written = numbers is not None and all(map(self._known, numbers))
        back = self._back_edges(op)
        out: list[Msg] = []
        for k, value in enumerate(entries):
            listed = as_written and numbers is not None and k < len(numbers)
            if value is None and k in back and not listed:
                # what comes back has the type of what goes on; it is counted by its descriptor
                out.append(self.canonical(op.results[0].type, "", self.view.names[op], op))
                continue
            if value is None:
                out.append(self.tables.descs[numbers[k]][0] if listed else _UNFED)  # pyright: ignore
                continue
            if listed:
                desc = self._matching(numbers[k], value.type, k in kept, op)  # pyright: ignore
            elif as_written:
                continue  # the dump had no descriptor here either
            else:
                desc = self.canonical(value.type, "", self.view.names[op], op)
            out.append(self._with_parent(op, entries, k, desc))
        if as_written and numbers is not None:
            out += [self.tables.descs[n][0] for n in numbers[len(entries) :]]
        return out

    def _known(self, number: int) -> bool:
        return 0 <= number < len(self.tables.descs)

    def _matching(self, number: int, type_: Attribute, kept: bool, op: GeOp) -> Msg:
        """The descriptor of the dump where it still says the type, else a new one."""
        desc, recorded = self.tables.descs[number]
        tensor = tensor_under(type_)
        if kept or recorded is tensor or recorded == tensor:
            return desc
        return self.canonical(type_, origin_of_desc(desc), self.view.names[op], op)

    def _with_parent(self, op: GeOp, entries: list[SSAValue | None], k: int, desc: Msg) -> Msg:
        """A body's output says which output of the owner it is."""
        owner = self.view.owner
        if op.name != "ge.NetOutput" or owner is None:
            return desc
        block = op.parent
        if owner.name in ("ge.While", "ge.StatelessWhile") and block is owner.regions[0].block:
            return desc
        operands = list(op.ge_data_operands)
        written = _numbers(record_entries(op).get("inputs"))
        place = k
        if written is not None and k < len(written) and written[k] >= 0 and len(operands):
            place = written[k]
        have = desc.attrs.get("_parent_node_index")
        if have is not None and have.f.get("i") == place:
            return desc
        attrs = {**desc.attrs, "_parent_node_index": _i(place)}
        return Msg("TensorDescriptor", -1, {**desc.f, "attr": attrs})

    def canonical(self, type_: Attribute, origin: str, name: str, op: GeOp | None = None) -> Msg:
        """The descriptor GE would write."""
        if not origin and op is not None:
            origin = origin_attr(op.attributes.get("ge.origin_format"))
        try:
            return canonical_desc(tensor_under(type_) or type_, origin)
        except (ValueError, TypeError, KeyError) as error:
            self.tables.refuse(str(error), name)
            return Msg("TensorDescriptor")

    # ------------------------------------------------------------------------------ outputs

    def _output_descs(self, op: GeOp, record: dict[str, Attribute]) -> list[Msg]:
        results = op.ge_data_results
        numbers = _numbers(record.get("out"))
        name = self.view.names[op]
        if numbers is None or not all(map(self._known, numbers)):
            return [self.canonical(r.type, "", name, op) for r in results]
        if len(numbers) != len(results):
            if not results or (not numbers and op.name == "ge.End"):
                return [self.tables.descs[n][0] for n in numbers]
            return [self.canonical(r.type, "", name, op) for r in results]
        return [
            self._matching(n, r.type, "kept_out" in record, op)
            for n, r in zip(numbers, results, strict=True)
        ]

    # --------------------------------------------------------------------------- attributes

    def _attrs(
        self, op: GeOp, record: dict[str, Attribute], entries: list[SSAValue | None]
    ) -> dict[str, Msg]:
        out: dict[str, Msg] = {}
        name = self.view.names[op]
        self._meta(op, record, entries, out)
        if op.ge_type in CONSTANTS:
            self._constant(op, record, out)
        elif op.ge_type != "Opaque":
            self._properties(op, record, out)
        for key, value in op.attributes.items():
            if key in (RECORD, BACK_EDGES, "ge.stream", "ge.origin_format"):
                continue
            if key.startswith(PREFIX):
                gname = key[len(PREFIX) :]
            elif key.startswith("ge."):
                gname = OWN_PREFIX + key[3:]
            else:
                gname = key
            try:
                out[gname] = from_attribute(value)
            except (ValueError, TypeError) as error:
                if key.startswith(PREFIX):
                    self.tables.refuse(f"attribute {gname!r}: {error}", name)
        origins = list(recorded_origins(op))
        if origins and not _is_list(out.get(ORIGINS), origins):
            out[ORIGINS] = _s(origins)
        if self.view.owner is not None and op.ge_type in FEEDS:
            operands = op.ge_data_operands
            if operands and isinstance(operands[0], BlockArgument):
                out["_parent_node_index"] = _i(self.view.parent_index(operands[0].index))
        return out

    def _properties(self, op: GeOp, record: dict[str, Attribute], out: dict[str, Msg]) -> None:
        table = type(op).ge_table()
        absent = {a.data for a in _items(record.get("absent")) if isinstance(a, StringAttr)}
        odd = record.get("odd")
        odds = odd.data if isinstance(odd, DictionaryAttr) else _EMPTY
        for name, spec in table.attrs.items():
            if name in odds:
                if name in absent:
                    continue
                out[name] = from_attribute(odds[name])  # pyright: ignore
                continue
            value = op.properties.get(name)
            if value is None or (name in absent and value == spec.default):
                continue
            try:
                out[name] = from_property(value, spec.kind)
            except (ValueError, TypeError) as error:
                tensor = self._tensor(value, op) if spec.kind.name == "Tensor" else None
                if tensor is not None:
                    out[name] = tensor
                else:
                    self.tables.refuse(f"attribute {name!r}: {error}", self.view.names[op])

    def _meta(
        self,
        op: GeOp,
        record: dict[str, Attribute],
        entries: list[SSAValue | None],
        out: dict[str, Msg],
    ) -> None:
        """Names of inputs and outputs, as the dump had them or as GE has them."""
        number = _number(record.get("meta"))
        if number is not None and 0 <= number < len(self.tables.metas):
            out.update(self.tables.metas[number])
            return
        if record or op.ge_type == "Opaque":
            return
        table = type(op).ge_table()
        inputs: list[str] = []
        for slot, arg in zip(table.inputs, op.ge_args(), strict=True):
            if slot.kind == DYNAMIC:
                count = len(arg or ()) + len(self._back_edges(op))  # pyright: ignore
                inputs += [f"{slot.name}{i}" for i in range(count)]
            else:
                inputs.append(slot.name)
        results = [
            slot.name if slot.kind == REQUIRED else f"{slot.name}{i}"
            for slot, group in zip(table.outputs, op.ge_result_groups(), strict=True)
            for i in range(len(group))
        ]
        for side, names in (("input", inputs), ("output", results)):
            pairs = sorted((n, i) for i, n in enumerate(names))
            out[f"_{side}_name_key"] = _s([n for n, _ in pairs])
            out[f"_{side}_name_value"] = int_list([i for _, i in pairs])
        kinds_of = {REQUIRED: 0, OPTIONAL: 1, DYNAMIC: 2}
        out["_ir_attr_names"] = _s(list(table.attrs))
        out["_ir_inputs_key"] = _s([s.name for s in table.inputs])
        out["_ir_inputs_value"] = int_list([kinds_of[s.kind] for s in table.inputs])
        out["_ir_outputs_key"] = _s([s.name for s in table.outputs])
        out["_ir_outputs_value"] = int_list([int(s.kind == DYNAMIC) for s in table.outputs])

    # ---------------------------------------------------------------------------- constants

    def _constant(self, op: GeOp, record: dict[str, Attribute], out: dict[str, Msg]) -> None:
        value = op.properties.get("value")
        number = _number(record.get("value"))
        if value is None or (record and number is None):
            return
        if not self.tables.payload and not record:
            return
        f: dict[str, Any] = {}
        type_ = op.results[0].type
        if number is None:
            f["desc"] = self._output_descs(op, record)[0]
        elif self._known(number):
            f["desc"] = self._matching(number, type_, False, op)
        data = record.get("data")
        if isinstance(data, StringAttr):
            f["data"] = data.data.encode("latin-1", "replace")
        elif self.tables.payload:
            raw = self._bytes(value, type_, self.view.names[op])
            if raw is not None:
                f["data"] = raw
        if not self.tables.payload:
            f.pop("data", None)
        rest = record.get("tensor")
        if rest is not None:
            f.update(from_message_attr(rest, "TensorDef").f)
        out["value"] = Msg("AttrDef", -1, {"t": Msg("TensorDef", -1, f)})

    def _tensor(self, value: Attribute, op: GeOp) -> Msg | None:
        type_ = getattr(value, "type", None)
        if type_ is None:
            return None
        f: dict[str, Any] = {"desc": self.canonical(type_, "", self.view.names[op])}
        raw = self._bytes(value, type_, self.view.names[op]) if self.tables.payload else None
        if raw is not None:
            f["data"] = raw
        return Msg("AttrDef", -1, {"t": Msg("TensorDef", -1, f)})

    def _bytes(self, value: Attribute, type_: Attribute, name: str) -> bytes | None:
        """The bytes of storage, None for a weight without any."""
        from ge_dialect.diagnostics import GeError

        try:
            if isinstance(value, WeightAttr):
                if value.abstract:
                    return None
                from ge_dialect.weights.resolve import resolve

                array = resolve(value, self.tables.store)
            else:
                from ge_dialect.ir.dense import dense_to_numpy

                array = dense_to_numpy(value)  # pyright: ignore[reportArgumentType]
            return encode(tensor_under(type_) or type_, array)
        except GeError as error:
            if error.diagnostics[0].code != "GX-305":  # some weight in a recipe has no bytes
                self.tables.refuse(error.diagnostics[0].message, name)
        except ValueError as error:
            self.tables.refuse(str(error), name)
        return None


def _items(attr: Attribute | None) -> tuple[Attribute, ...]:
    return attr.data if isinstance(attr, ArrayAttr) else ()


def _is_list(value: Msg | None, names: list[str]) -> bool:
    held = None if value is None else value.f.get("list")
    return isinstance(held, Msg) and held.many("s") == names


__all__ = ["NodeWriter", "record_entries"]
