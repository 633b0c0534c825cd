"""What each part of an `rt` operation must be, and what is said of one that is not.

The text form leaves little room for mistakes; the generic form and Python leave all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    UnitAttr,
)
from xdsl.ir import Attribute, Operation

from ge_dialect.diagnostics import Diagnostic
from ge_dialect.ir.attributes import WeightAttr
from ge_dialect.ir.names import file_location
from ge_dialect.rt.attributes import BufferAttr

_SHOWN = 120
_BOOL = IntegerType(1)


@dataclass(frozen=True)
class Part:
    """The kind of an attribute: in words, as a test, and the least value of an integer."""

    words: str
    accepts: Callable[[Any], bool]
    least: int | None = None
    optional: bool = False


def is_integer(attr: object) -> TypeGuard[IntegerAttr]:
    """Whether this is an integer that is no boolean."""
    return isinstance(attr, IntegerAttr) and attr.type != _BOOL


def _is_slots(attr: object) -> bool:
    return isinstance(attr, ArrayAttr) and all(
        isinstance(slot, BufferAttr | UnitAttr) or _is_buffers(slot) for slot in attr.data
    )


def _is_buffers(attr: object) -> bool:
    return isinstance(attr, ArrayAttr) and all(isinstance(b, BufferAttr) for b in attr.data)


def _is_strings(attr: object) -> bool:
    return isinstance(attr, ArrayAttr) and all(isinstance(s, StringAttr) for s in attr.data)


def _of(cls: type | Any) -> Callable[[Any], bool]:
    return lambda attr: isinstance(attr, cls)


_STRING = Part("a string", _of(StringAttr))
#: A number of things, a size, or a position.
COUNT = Part("an integer from 0 on", is_integer, least=0)
_CORES = Part("an integer from 1 on", is_integer, least=1)
_BUFFER = Part("a #rt.buffer", _of(BufferAttr))
_SCRATCH = Part("a #rt.buffer", _of(BufferAttr), optional=True)
_FLAG = Part("unit", _of(UnitAttr), optional=True)
_DICT = Part("a dictionary", _of(DictionaryAttr))
_CONSTANT = Part("a #ge.weight or dense data", _of(WeightAttr | DenseIntOrFPElementsAttr))
_INIT = Part(_CONSTANT.words, _CONSTANT.accepts, optional=True)
_BINDING = {"index": COUNT, "node": _STRING, "buffer": _BUFFER, "zero_copy": _FLAG}

PARTS: Mapping[str, Mapping[str, Part]] = {
    "rt.model": {"sym_name": _STRING, "config": _DICT},
    "rt.input": _BINDING,
    "rt.output": _BINDING,
    "rt.weight": {"buffer": _BUFFER, "value": _CONSTANT},
    "rt.variable": {"node": _STRING, "buffer": _BUFFER, "value": _INIT},
    "rt.stream": {"index": COUNT, "engine": _STRING},
    "rt.kernel": {
        "node": _STRING,
        "op_type": _STRING,
        "inputs": Part("an array of buffers, units and arrays of buffers", _is_slots),
        "outputs": Part("an array of buffers", _is_buffers),
        "attrs": _DICT,
        "engine": _STRING,
        "block_dim": _CORES,
        "workspace": _SCRATCH,
        "origins": Part("an array of strings", _is_strings, optional=True),
    },
    "rt.memcpy": {"node": _STRING, "source": _BUFFER, "target": _BUFFER},
    "rt.event_record": {"event": COUNT},
    "rt.event_wait": {"event": COUNT},
}
_WITH_BODY = ("rt.model", "rt.stream")


def shown(attr: object) -> str:
    """An attribute as it stands in a diagnostic."""
    return str(attr)[:_SHOWN]


def at(op: Operation, code: str, message: str, **fields: Any) -> Diagnostic:
    """A diagnostic about an operation: its place, and its node where it has one."""
    node = op.properties.get("node")
    if isinstance(node, StringAttr):
        fields.setdefault("node", node.data)
    return Diagnostic(code, message, location=file_location(op), **fields)


def part_problems(op: Operation) -> Iterator[Diagnostic]:
    """What is wrong with the attributes and the form of one operation, taken for itself."""
    parts = PARTS[op.name]
    held = op.properties
    for name, part in parts.items():
        value = held.get(name)
        if value is None:
            if not part.optional:
                message = f"{op.name} needs the attribute '{name}'"
                yield at(op, "GX-206", message, found="nothing", expected=part.words)
        elif not part.accepts(value) or part.least is not None:
            yield from value_problems(op, f"attribute '{name}' of {op.name}", value, part)
    for name in held:
        if name not in parts:
            message = f"{op.name} has no attribute '{name}'"
            yield at(op, "GX-208", message, expected=", ".join(parts))
    bodies = int(op.name in _WITH_BODY)
    if op.operands or op.results or op.successors or len(op.regions) != bodies:
        found = f"{len(op.operands)} operands, {len(op.results)} results, {len(op.regions)} regions"
        yield at(
            op,
            "GX-217",
            f"{op.name} has parts that it does not have by its definition",
            found=found,
            expected=f"0 operands, 0 results, {bodies} regions",
        )
    elif bodies and (len(op.regions[0].blocks) != 1 or op.regions[0].block.args):
        yield at(op, "GX-217", f"the body of {op.name} is one block without arguments")


def value_problems(op: Operation, what: str, value: Attribute, part: Part) -> Iterator[Diagnostic]:
    """What is wrong with one value; `what` names it."""
    if not part.accepts(value):
        yield at(
            op, "GX-207", f"{what} has the wrong kind", found=shown(value), expected=part.words
        )
    elif part.least is not None:
        number = getattr(value, "value").data  # noqa: B009 - an integer, by `accepts`
        if number < part.least:
            yield at(op, "GX-223", f"{what} is too small", found=str(number), expected=part.words)
