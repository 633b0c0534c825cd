"""Straight printer of `rt` operations: one string per line, types memoised."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import ArrayAttr, UnitAttr
from xdsl.ir import Attribute

from ge_dialect.ir.op_text import dict_text as mlir_dict_text
from ge_dialect.ir.op_text import key_text, symbol_text
from ge_dialect.rt.attributes import BufferAttr
from ge_dialect.rt.values import dict_text, string_text

if TYPE_CHECKING:
    from xdsl.printer import Printer

_INDENT = "  "


class RtWriter:
    """Turns `rt` operations into lines; keeps the text of every type it has met."""

    def __init__(self) -> None:
        self.types: dict[Attribute, str] = {}
        self.dicts: dict[Attribute, str] = {}

    def lines(self, op: Any, indent: str = "") -> list[str]:
        """The lines of one operation with everything in it, without a final newline."""
        out: list[str] = []
        self._emit(op, indent, out)
        return out

    def _emit(self, op: Any, indent: str, out: list[str]) -> None:
        writer = _WRITERS[op.name]
        head = f"{indent}{op.name} {writer(self, op)}"
        if op.attributes:
            head += f" attributes{mlir_dict_text(op.attributes)}"
        if not op.regions:
            out.append(head)
            return
        out.append(f"{head} {{")
        inner = indent + _INDENT
        for child in op.body.block.ops:
            if child.name in _WRITERS:
                self._emit(child, inner, out)
            else:
                out.extend(inner + line for line in str(child).splitlines())
        out.append(f"{indent}}}")

    def type(self, attr: Attribute) -> str:
        """The text of a type."""
        text = self.types.get(attr)
        if text is None:
            text = self.types[attr] = str(attr)
        return text

    def buffer(self, buffer: BufferAttr) -> str:
        """`arena[512] : tensor<8xf16>`."""
        return f"{buffer.at.data}[{buffer.byte.data}] : {self.type(buffer.type)}"

    def slot(self, slot: Attribute) -> str:
        """One input slot of a kernel."""
        if isinstance(slot, BufferAttr):
            return self.buffer(slot)
        if isinstance(slot, ArrayAttr):
            return "[" + ", ".join(self.buffer(b) for b in slot.data) + "]"
        return "none"

    def model(self, op: Any) -> str:
        return f"{symbol_text(op.sym_name.data)} {dict_text(op.config.data)}"

    def binding(self, op: Any) -> str:
        tail = " zero_copy" if isinstance(op.zero_copy, UnitAttr) else ""
        name = string_text(op.node.data)
        return f"{op.index.value.data} {name} = {self.buffer(op.buffer)}{tail}"

    def weight(self, op: Any) -> str:
        return f"{self.buffer(op.buffer)} = {_constant_text(op.value)}"

    def variable(self, op: Any) -> str:
        tail = f" init {_constant_text(op.value)}" if op.value is not None else ""
        return f"{string_text(op.node.data)} = {self.buffer(op.buffer)}{tail}"

    def stream(self, op: Any) -> str:
        return f"{op.index.value.data} {key_text(op.engine.data)}"

    def kernel(self, op: Any) -> str:
        p = op.properties
        op_type = p["op_type"].data
        inputs = ", ".join([self.slot(s) for s in p["inputs"].data])
        outputs = ", ".join([self.buffer(b) for b in p["outputs"].data])
        if not (op_type.isidentifier() and op_type.isascii()):
            op_type = string_text(op_type)
        text = f"{string_text(p['node'].data)} {op_type}({inputs}) -> ({outputs})"
        attrs = p["attrs"]
        if attrs.data:
            body = self.dicts.get(attrs)
            if body is None:
                body = self.dicts[attrs] = dict_text(attrs.data)
            text += " " + body
        text += f" on {key_text(p['engine'].data)} block_dim {p['block_dim'].value.data}"
        if (workspace := p.get("workspace")) is not None:
            text += f" workspace {self.buffer(workspace)}"
        if (origins := p.get("origins")) is not None:
            text += " origins [" + ", ".join(string_text(o.data) for o in origins.data) + "]"
        return text

    def memcpy(self, op: Any) -> str:
        return f"{string_text(op.node.data)} {self.buffer(op.source)} -> {self.buffer(op.target)}"

    def event(self, op: Any) -> str:
        return str(op.event.value.data)


_WRITERS: dict[str, Any] = {
    "rt.model": RtWriter.model,
    "rt.input": RtWriter.binding,
    "rt.output": RtWriter.binding,
    "rt.weight": RtWriter.weight,
    "rt.variable": RtWriter.variable,
    "rt.stream": RtWriter.stream,
    "rt.kernel": RtWriter.kernel,
    "rt.memcpy": RtWriter.memcpy,
    "rt.event_record": RtWriter.event,
    "rt.event_wait": RtWriter.event,
}


def _constant_text(attr: Attribute) -> str:
    """Weights by name; dense data in the form that survives reading (bytes where needed)."""
    from ge_dialect.ir.dense import attribute_text

    return attribute_text(attr)


def print_op(op: Any, printer: Printer) -> None:
    """Prints an `rt` operation, its name already printed, through an xDSL printer."""
    head = " " + _WRITERS[op.name](RtWriter(), op)
    if op.attributes:
        head += f" attributes{mlir_dict_text(op.attributes)}"
    printer.print_string(head)
    for region in op.regions:
        printer.print_string(" ")
        printer.print_region(region)
