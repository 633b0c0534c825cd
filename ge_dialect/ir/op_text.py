"""Pieces of the text of one `ge` operator, shared by our printer and by stock xDSL's."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import FileLineColLoc, NameLoc, NoneAttr, UnitAttr
from xdsl.ir import Attribute, Block, Operation

from ge_dialect.ir.attributes import CtrlType, quote
from ge_dialect.ir.kinds import write_attr
from ge_dialect.ir.names import node_name, recorded_origins
from ge_dialect.ir.private import name_hint, operands_of

if TYPE_CHECKING:
    from xdsl.printer import Printer

    from ge_dialect.ir.base import GeOp, OpTable
    from ge_dialect.ir.graph import GraphOp

BARE = re.compile(r"[A-Za-z_][A-Za-z0-9_$.]*\Z")


def ambiguous_outputs(table: OpTable) -> bool:
    """Whether result types are grouped in brackets, since sizes do not follow from their count."""
    return sum(s.kind != 0 for s in table.outputs) > 1


def key_text(name: str) -> str:
    """An attribute name, quoted where it is no identifier."""
    return name if BARE.match(name) else quote(name)


def symbol_text(name: str) -> str:
    """`@name`, quoted where the name is no identifier."""
    return "@" + key_text(name)


def attr_entries(op: GeOp, table: OpTable) -> list[str]:
    """`name = value` of all properties that are not defaults, then of discardable attributes."""
    props = op.properties
    out: list[str] = []
    for name, spec in table.attrs.items():
        value = props.get(name)
        if value is None or value is spec.default or value == spec.default:
            continue
        if not spec.kind.accepts(value):  # broken IR is printed as it is, for diagnosis
            out.append(f"{key_text(name)} = {write_attr(value)}")
        elif isinstance(value, UnitAttr):
            out.append(key_text(name))
        else:
            out.append(f"{key_text(name)} = {spec.kind.write(value)}")
    for name, value in op.attributes.items():
        if isinstance(value, UnitAttr):
            out.append(key_text(name))
        else:
            out.append(f"{key_text(name)} = {write_attr(value)}")
    return out


def args_plan(op: GeOp, table: OpTable) -> list[tuple[str, int, bool]]:
    """How the data inputs are written: (prefix, number of values, bracketed) per written input."""
    if table.fixed:
        return [("", 1, False)] * len(table.inputs)
    plan: list[tuple[str, int, bool]] = []
    if table.solo:
        return [("", op.ge_segments()[0], False)]
    named = False
    for slot, count in zip(table.inputs, op.ge_segments(), strict=False):
        named = named or slot.kind == 2
        if named and count == 0 and slot.kind == 2:
            continue
        plan.append((f"{slot.name} = " if named else "", count, slot.kind == 1))
    return plan


def print_op(op: GeOp, printer: Printer) -> None:
    """Write one operator after its name on a stock printer."""
    table = type(op).ge_table()
    operands = operands_of(op)
    emit = printer.print_string
    emit("(")
    at = 0
    first = True
    for prefix, count, bracketed in args_plan(op, table):
        if count == 0 and not bracketed:
            continue
        if not first:
            emit(", ")
        first = False
        emit(prefix)
        if bracketed:
            emit("[")
        printer.print_list(operands[at : at + count], printer.print_ssa_value)
        if bracketed:
            emit("]")
        at += count
    emit(")")
    if len(operands) > at:
        emit(" after(")
        printer.print_list(operands[at:], printer.print_ssa_value)
        emit(")")
    entries = attr_entries(op, table)
    if entries:
        emit(" {" + ", ".join(entries) + "}")
    if op.results and ambiguous_outputs(table):
        emit(" : " + ", ".join(result_type_texts(op, table)))
    elif op.results:
        emit(" : ")
        printer.print_list(op.results, lambda r: printer.print_attribute(r.type))
    names = body_labels(op, table)
    for label, region in zip(names, op.regions, strict=True):
        block = region.first_block
        emit(f" {label}(")
        if isinstance(block, Block):
            printer.print_list(block.args, printer.print_ssa_value)
        emit(") ")
        printer.print_region(region, print_entry_block_args=False, print_empty_block=False)
    if not printer.print_debuginfo:
        text = name_text(op)
        if text:
            emit(f" {text}")


def result_type_texts(op: GeOp, table: OpTable) -> list[str]:
    """Result types as written, grouped in brackets where sizes would be lost."""
    if not ambiguous_outputs(table):
        return [write_attr(r.type) for r in op.results]
    out: list[str] = []
    for slot, group in zip(table.outputs, op.ge_result_groups(), strict=True):
        texts = ", ".join(write_attr(r.type) for r in group)
        out.append(texts if slot.kind == 0 else f"[{texts}]")
    if op.results and isinstance(op.results[-1].type, CtrlType):
        out.append(write_attr(op.results[-1].type))
    return out


def body_labels(op: GeOp, table: OpTable) -> list[str]:
    """GE's graph name for each region."""
    labels: list[str] = []
    left = len(op.regions) - len(table.graphs)
    for spec in table.graphs:
        labels += [spec.name] * (1 + left if spec.dynamic else 1)
    return labels


def loc_text(op: Operation, default: str | None) -> str | None:
    """`loc("name")`, with recorded origins, or None where the name is `default` without origins."""
    name = node_name(op)
    if name is None:
        return None
    sources = recorded_origins(op)
    if name == default and not sources:
        return None
    if not sources:
        return f"loc({quote(name)})"
    if len(sources) == 1:
        return f"loc({quote(name)}({quote(sources[0])}))"
    return f"loc({quote(name)}(fused[{', '.join(map(quote, sources))}]))"


def location_text(loc: Attribute) -> str:
    """A location as an operation ends with it in text with locations: `loc("file":1:2)`."""
    text = _plain_location(loc)
    return write_attr(loc) if text is None else f"loc({text})"


def _plain_location(loc: Attribute) -> str | None:
    """A name or position without the word `loc` around it; None for other kinds."""
    if type(loc) is FileLineColLoc:
        return f"{quote(loc.filename.data)}:{loc.line.data}:{loc.column.data}"
    if type(loc) is not NameLoc:
        return None
    name = quote(loc.desc.data)
    if type(loc.location) is NoneAttr:
        return name
    child = _plain_location(loc.location)
    return None if child is None else f"{name}({child})"


def name_text(op: Operation) -> str | None:
    """`loc_text` on a stock printer, which does not tell the SSA name it gave: the hint stands."""
    return loc_text(op, name_hint(op.results[0]) if op.results else op.name[3:])


def print_graph(op: GraphOp, printer: Printer) -> None:
    """Write `@name(...) attributes {...} { body }` on a stock printer."""
    printer.print_string(" ")
    printer.print_symbol_name(op.sym_name.data)
    printer.print_string("(")
    for i, arg in enumerate(op.args):
        if i:
            printer.print_string(", ")
        printer.print_ssa_value(arg)
        printer.print_string(": " + write_attr(arg.type) + dict_text(op.arg_attributes(i)))
        if printer.print_debuginfo:
            printer.print_string(" ")
            printer.print_attribute(arg.location)
    printer.print_string(")")
    if op.attributes:
        printer.print_string(" attributes" + dict_text(op.attributes))
    printer.print_string(" ")
    printer.print_region(op.region, print_entry_block_args=False, print_empty_block=False)


def dict_text(attributes: Mapping[str, Attribute]) -> str:
    """` {name = value, ...}` in ordinary MLIR syntax, empty where there is nothing."""
    if not attributes:
        return ""
    items = [
        key_text(k) if isinstance(v, UnitAttr) else f"{key_text(k)} = {write_attr(v)}"
        for k, v in attributes.items()
    ]
    return " {" + ", ".join(items) + "}"
