"""Writing IR as text: a straight printer for `ge` operators, stock xDSL's for foreign ones.

The custom form is the one of design §3. A node's name is written only where reading the text would
not give it the same name. The generic form is MLIR's, readable by any MLIR tool; dense literals
that stock xDSL would write wrongly are written as bytes in both.
"""

from __future__ import annotations

from io import StringIO
from typing import Any

from xdsl.dialects.builtin import (
    DictionaryAttr,
    FileLineColLoc,
    FunctionType,
    ModuleOp,
    NameLoc,
    NoneAttr,
    StringAttr,
    UnitAttr,
    UnknownLoc,
    UnregisteredOp,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.printer import Printer

from ge_dialect.ir.attributes import CtrlType, quote
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.graph import GraphOp
from ge_dialect.ir.kinds import write_attr
from ge_dialect.ir.narrow import is_array
from ge_dialect.ir.op_text import (
    args_plan,
    attr_entries,
    body_labels,
    dict_text,
    key_text,
    loc_text,
    location_text,
    result_type_texts,
    symbol_text,
)
from ge_dialect.ir.printer_tables import (
    ClassFacts,
    bodies_fit,
    join_inputs,
    results_fit,
    segment_names,
    segment_sizes,
)
from ge_dialect.ir.private import name_hint, operands_of, printer_indent
from ge_dialect.ir.ssa_names import SsaNames, is_legal


def print_module(module: Operation, *, generic: bool = False, debuginfo: bool = False) -> str:
    """Text of a module (or of any other operation) with a newline at its end.

    generic: MLIR's generic form, in which names of nodes appear only with `debuginfo`.
    debuginfo: write all locations.
    A `builtin.module` without name and attributes is left out around its operations.
    """
    p = ModulePrinter(generic, debuginfo)
    if isinstance(module, ModuleOp) and not generic and _is_implicit(module):
        p.block(module.body.block, "")
    else:
        p.operation(module, "")
    return "\n".join(p.lines) + ("\n" if p.lines else "")


def _is_implicit(module: ModuleOp) -> bool:
    if module.attributes or module.sym_name is not None or len(module.body.blocks) != 1:
        return False
    ops = list(module.body.block.ops)
    return not (len(ops) == 1 and isinstance(ops[0], ModuleOp))


def op_text(op: Operation, *, generic: bool = False, debuginfo: bool = False) -> str:
    """Text of one operation on its own; values from elsewhere get names by their hints."""
    p = ModulePrinter(generic, debuginfo)
    for value in operands_of(op):
        p.names.define(value)
    p.operation(op, "")
    return "\n".join(p.lines)


class ModulePrinter:
    """One printing of one module; `lines` is the text so far."""

    def __init__(self, generic: bool = False, debuginfo: bool = False) -> None:
        self.generic = generic
        self.debuginfo = debuginfo
        self.lines: list[str] = []
        self.names = SsaNames(isolated=not generic)
        self._facts: dict[type, ClassFacts] = {}
        self._dicts: dict[tuple[Any, ...], str | None] = {}
        self._types: dict[int, str] = {}
        self._keep: list[Any] = []  # objects whose ids are keys
        self._ordinals: dict[tuple[int, str], int] = {}

    # --------------------------------------------------------------------------- attributes

    def type_text(self, type_: Attribute) -> str:
        """Text of a type, memoised on the object."""
        text = self._types.get(id(type_))
        if text is None:
            text = self._types[id(type_)] = write_attr(type_)
            self._keep.append(type_)
        return text

    def _dict(self, op: GeOp, facts: ClassFacts) -> str | None:
        """Attribute text of a node with a leading blank; None where the short form has none."""
        props = op.properties
        attrs = op.attributes
        values = props.values()
        if attrs:
            loose = attrs.values()
            key = (facts.head, *props, *map(id, values), *attrs, *map(id, loose))
        else:
            key = (facts.head, *props, *map(id, values))
        try:
            return self._dicts[key]
        except KeyError:
            pass
        known = facts.table.attrs
        text: str | None = None
        if all(
            n in segment_names(facts.table) or (n in known and known[n].kind.accepts(v))
            for n, v in props.items()
        ) and all("." in n for n in attrs):
            entries = attr_entries(op, facts.table)
            text = " {" + ", ".join(entries) + "}" if entries else ""
        self._dicts[key] = text
        self._keep.append((*values, *attrs.values()))
        return text

    # --------------------------------------------------------------------------- operations

    def operation(self, op: Operation, indent: str) -> None:
        """Append the lines of one operation."""
        if self.generic:
            self._generic(op, indent)
        elif isinstance(op, GeOp):
            self._node(op, indent)
        elif isinstance(op, GraphOp):
            self._graph(op, indent)
        elif isinstance(op, ModuleOp) and len(op.body.blocks) == 1:
            self._module(op, indent)
        else:
            self._foreign(op, indent)

    def block(self, block: Block, indent: str) -> None:
        """Append the operations of a block."""
        known = self._facts
        quick = None if self.generic or self.debuginfo else self._quick
        append = self.lines.append
        for op in block.ops:
            facts = known.get(type(op))
            line = None
            if facts is not None and facts.quick and quick is not None:
                line = quick(op, facts, indent)
            if line is None:
                self.operation(op, indent)
            else:
                append(line)

    def _quick(self, op: Any, facts: ClassFacts, indent: str) -> str | None:
        """Line of a node of fixed arity with one result and, perhaps, control edges.

        None, with nothing changed, for any other node. Does what `_node` does in general.
        """
        results = op.results
        operands = operands_of(op)
        count = len(operands)
        data = facts.count
        if count < data or len(results) != 1:
            return None
        names = self.names
        if names.early:
            return None
        by_value = names.by_value
        try:
            args = [by_value[id(v)] for v in operands]
        except KeyError:
            return None
        attrs = self._dict(op, facts)
        if attrs is None:
            return None
        result = results[0]
        type_text = self.type_text(result.type)
        if type_text == "!ge.ctrl":
            return None
        loc = op.location
        hint = name_hint(result)
        tail = ""
        name = by_value.get(id(result))
        if isinstance(loc, NameLoc):
            node = loc.desc.data
            if name is None and node == hint and node not in names.used and is_legal(node):
                name = names.take(node, result)
            if type(loc.location) not in _PLAIN_CHILDREN:
                name = name or names.results(op)[0]
                text = loc_text(op, name[1:])
                tail = f" {text}" if text else ""
            else:
                name = name or names.results(op)[0]
                if name[1:] != node:
                    tail = f" loc({quote(node)})"
        elif name is None:
            name = names.results(op)[0]
        if count == data:
            return f"{indent}{name} = {facts.head}{', '.join(args)}){attrs} : {type_text}{tail}"
        waits = ", ".join(args[data:])
        return (
            f"{indent}{name} = {facts.head}{', '.join(args[:data])}) after({waits})"
            f"{attrs} : {type_text}{tail}"
        )

    def _node(self, op: GeOp, indent: str) -> None:
        cls = type(op)
        facts = self._facts.get(cls)
        if facts is None:
            facts = self._facts[cls] = ClassFacts(cls)
        operands = operands_of(op)
        results = op.results
        by_value = self.names.by_value
        # the short form cannot be read where a value is used before its definition
        waiting = self.names.early
        early = any(id(v) not in by_value or id(v) in waiting for v in operands)
        args = [self.names.of(v) for v in operands]
        data = len(args)
        while data and isinstance(operands[data - 1].type, CtrlType):
            data -= 1
        attrs = self._dict(op, facts)
        line = indent
        first = None
        shown = 0
        if results:
            names = self.names.results(op)
            first = names[0][1:]
            line += ", ".join(names) + " = "
            shown = len(results) - isinstance(results[-1].type, CtrlType)
        tail = self._tail(op, first, facts)
        inputs = self._inputs(op, facts, args, data)
        wrong_count = not results_fit(op, facts, shown)
        if early or attrs is None or inputs is None or wrong_count:
            self._generic(op, indent, tail)
            return
        line += facts.head + inputs + ")"
        if data < len(args):
            line += f" after({', '.join(args[data:])})"
        line += attrs
        if results:
            if facts.simple:
                line += " : " + ", ".join([self.type_text(r.type) for r in results])
            else:
                line += " : " + ", ".join(result_type_texts(op, facts.table))
        if facts.graphs:
            self._bodies(op, facts, line, tail, indent)
        else:
            self.lines.append(line + tail)

    def _tail(self, op: GeOp, first: str | None, facts: ClassFacts) -> str:
        """` loc(...)` where it is wanted or needed."""
        loc = op.location
        default = first
        if first is None:
            key = (id(op.parent), facts.type_name)
            n = self._ordinals.get(key, 0)
            self._ordinals[key] = n + 1
            default = f"{facts.type_name}_{n}" if n else facts.type_name
        if self.debuginfo:
            return " " + location_text(loc)
        if not isinstance(loc, NameLoc):
            return ""
        if loc.desc.data == default and type(loc.location) in _PLAIN_CHILDREN:
            return ""
        text = loc_text(op, default)
        return f" {text}" if text else ""

    def _inputs(self, op: GeOp, facts: ClassFacts, args: list[str], data: int) -> str | None:
        """The data inputs as written; None where segment sizes do not fit the operands."""
        if facts.fixed:
            return ", ".join(args[:data]) if data == facts.count else None
        table = facts.table
        counts = segment_sizes(op.properties.get("operandSegmentSizes"))
        if (
            counts is None
            or len(counts) != len(table.inputs) + 1
            or sum(counts[:-1]) != data
            or counts[-1] != len(args) - data
        ):
            return None
        for slot, count in zip(table.inputs, counts, strict=False):
            if (slot.kind == 0 and count != 1) or (slot.kind == 2 and count > 1) or count < 0:
                return None
        return join_inputs(args_plan(op, table), args)

    def _bodies(self, op: GeOp, facts: ClassFacts, line: str, tail: str, indent: str) -> None:
        labels = body_labels(op, facts.table)
        if len(labels) != len(op.regions) or not bodies_fit(op):
            self._generic(op, indent, tail)
            return
        for label, region in zip(labels, op.regions, strict=True):
            block = region.block
            self.names.enter()
            args = ", ".join(self.names.define(a) for a in block.args)
            self.lines.append(f"{line} {label}({args}) {{")
            self.block(block, indent + "  ")
            self.names.leave()
            line = indent + "}"
        self.lines.append(line + tail)

    def _graph(self, op: GraphOp, indent: str) -> None:
        if (
            len(op.regions) != 1
            or len(op.region.blocks) != 1
            or op.results
            or op.operands
            or set(op.properties) - {"sym_name", "arg_attrs"}
            or not isinstance(op.properties.get("sym_name"), StringAttr)
            or not _plain_arg_attrs(op)
        ):
            self._generic(op, indent)
            return
        self.names.enter()
        args: list[str] = []
        for i, arg in enumerate(op.args):
            text = f"{self.names.define(arg)}: {self.type_text(arg.type)}"
            text += dict_text(op.arg_attributes(i))
            if self.debuginfo:
                text += " " + location_text(arg.location)
            args.append(text)
        head = f"{indent}ge.graph {symbol_text(op.sym_name.data)}({', '.join(args)})"
        if op.attributes:
            head += " attributes" + dict_text(op.attributes)
        self.lines.append(head + " {")
        self.block(op.body, indent + "  ")
        self.names.leave()
        tail = " " + location_text(op.location) if self.debuginfo else ""
        self.lines.append(indent + "}" + tail)

    def _module(self, op: ModuleOp, indent: str) -> None:
        head = indent + "builtin.module"
        if op.sym_name is not None:
            head += " " + symbol_text(op.sym_name.data)
        if op.attributes:
            head += " attributes" + dict_text(op.attributes)
        self.lines.append(head + " {")
        self.block(op.body.block, indent + "  ")
        tail = " " + location_text(op.location) if self.debuginfo else ""
        self.lines.append(indent + "}" + tail)

    def _foreign(self, op: Operation, indent: str) -> None:
        # a node, graph or module comes here only in a form that the short text cannot express
        generic = self.generic or isinstance(op, GeOp | GraphOp | ModuleOp)
        try:
            text = self._stock_text(op, indent, generic)
        except (ValueError, LookupError, TypeError, AttributeError, AssertionError):
            text = self._stock_text(op, indent, True)  # its own form fails on broken IR
        self.lines.extend((indent + text).split("\n"))

    def _stock_text(self, op: Operation, indent: str, generic: bool) -> str:
        stream = StringIO()
        stock = _StockPrinter(self, stream, generic)
        with stock.indented(len(indent) // 2):
            stock.print_op(op)
        return stream.getvalue()

    # ------------------------------------------------------------------------- generic form

    def _generic(self, op: Operation, indent: str, loc: str = "") -> None:
        """Append an operation in MLIR's generic form; `loc` is its location where not implied."""
        if op.successors or any(len(r.blocks) > 1 for r in op.regions):
            self._foreign(op, indent)
            return
        line = indent
        of = self.names.of
        args = ", ".join([of(v) for v in operands_of(op)])
        if op.results:
            line += ", ".join(self.names.results(op)) + " = "
        attributes = op.attributes
        name = op.name
        if isinstance(op, UnregisteredOp):
            name = op.op_name.data
            attributes = {k: v for k, v in attributes.items() if k != "op_name__"}
        line += f'"{name}"({args})'
        if op.properties:
            line += " <" + self._plain_dict(op.properties) + ">"
        tail = ""
        if attributes:
            tail += " " + self._plain_dict(attributes)
        tail += " : " + self._signature(op)
        tail += " " + location_text(op.location) if self.debuginfo else loc
        if not op.regions:
            self.lines.append(line + tail)
            return
        line += " ("
        for i, region in enumerate(op.regions):
            if i:
                line += ", "
            line = self._generic_region(region, line, indent)
        self.lines.append(line + ")" + tail)

    def _generic_region(self, region: Region, line: str, indent: str) -> str:
        """Append a region up to its closing brace; returns the line that brace is on."""
        self.lines.append(line + "{")
        block = region.first_block
        if block is not None:
            # other tools do not know that the body is isolated, so no name may repeat in it
            names = self.names
            names.enter(isolated=False)
            if block.args or block.first_op is None:
                args: list[str] = []
                for arg in block.args:
                    text = f"{names.define(arg)}: {self.type_text(arg.type)}"
                    if self.debuginfo:
                        text += " " + location_text(arg.location)
                    args.append(text)
                label = f"^bb0({', '.join(args)}):" if args else "^bb0:"
                self.lines.append(indent + label)
            self.block(block, indent + "  ")
            names.leave()
        return indent + "}"

    def _plain_dict(self, values: Any) -> str:
        items = [
            key_text(k) if isinstance(v, UnitAttr) else f"{key_text(k)} = {write_attr(v)}"
            for k, v in values.items()
        ]
        return "{" + ", ".join(items) + "}"

    def _signature(self, op: Operation) -> str:
        inputs = ", ".join([self.type_text(v.type) for v in operands_of(op)])
        results = op.results
        if len(results) == 1 and not isinstance(results[0].type, FunctionType):
            return f"({inputs}) -> {self.type_text(results[0].type)}"
        return f"({inputs}) -> ({', '.join([self.type_text(r.type) for r in results])})"


def _plain_arg_attrs(op: GraphOp) -> bool:
    """Whether the attributes of the arguments are such that the short form keeps them."""
    attrs = op.properties.get("arg_attrs")
    if attrs is None:
        return True
    if not is_array(attrs) or len(attrs.data) != len(op.args):
        return False
    return all(isinstance(d, DictionaryAttr) for d in attrs.data) and any(
        d.data for d in attrs.data if isinstance(d, DictionaryAttr)
    )


_PLAIN_CHILDREN = (NoneAttr, FileLineColLoc, UnknownLoc)


class _StockPrinter(Printer):
    """xDSL's printer for foreign operations, sharing our value names and attribute texts."""

    def __init__(self, owner: ModulePrinter, stream: StringIO, generic: bool) -> None:
        super().__init__(stream, print_generic_format=generic, print_debuginfo=owner.debuginfo)
        self._owner = owner

    def print_ssa_value(self, value: SSAValue) -> str:
        names = self._owner.names
        # arguments are first met where their block begins
        name = names.define(value) if isinstance(value, BlockArgument) else names.of(value)
        self.print_string(name)
        return name[1:]

    def print_attribute(self, attribute: Attribute) -> None:
        if self.printing_location:
            super().print_attribute(attribute)
        else:
            self.print_string(write_attr(attribute))

    def print_op(self, op: Operation) -> None:
        if isinstance(op, GeOp | GraphOp) and not self.print_generic_format:
            owner = self._owner
            outer = owner.lines
            owner.lines = []
            indent = "  " * printer_indent(self)
            owner.operation(op, indent)
            self.print_string("\n".join(owner.lines)[len(indent) :])
            owner.lines = outer
            return
        for result in op.results:
            self._owner.names.define(result)
        super().print_op(op)


__all__ = ["ModulePrinter", "op_text", "print_module"]
