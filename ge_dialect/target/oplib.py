"""What the engines can run: the AI Core library's entries and the checks made against them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from ge_dialect.target.oplib_data import OPS
from ge_dialect.target.registered import target_of

if TYPE_CHECKING:
    from xdsl.ir import Attribute

RULES: dict[str, str] = {
    "nd": "every tensor without a particular layout",
    "shared": "one layout for all tensors of the result's shape; one-element tensors stay ND",
    "channel": "input and result share NC1HWC0; parameters per channel stay ND",
    "concat": "NC1HWC0 along C if every part has whole blocks of C0, along other axes always",
    "reduce": "NC1HWC0 if the dimensions are kept and C is not reduced",
    "pool": "input and result NC1HWC0",
    "conv": "input and result NC1HWC0, filter FRACTAL_Z, bias ND",
    "transdata": "what the conversion says",
}
"""Layout rules of the AI Core. Every rule but `conv`, `pool` and `transdata` also allows ND."""

SHORT_DTYPES: dict[str, str] = {
    "float16": "f16",
    "bfloat16": "bf16",
    "float32": "f32",
    "float64": "f64",
    "bool": "bool",
    "int4": "i4",
    "int8": "i8",
    "uint8": "u8",
    "int16": "i16",
    "uint16": "u16",
    "int32": "i32",
    "uint32": "u32",
    "int64": "i64",
    "uint64": "u64",
    "complex32": "c32",
    "complex64": "c64",
}
"""GE's dtype name -> the short name used in the library's data."""


@dataclass(frozen=True, slots=True)
class OpEntry:
    """One operator of the AI Core library.

    `inputs` and `outputs` have one letter per slot (a dynamic slot counts once); tensors of one
    letter share a dtype out of `sets[letter]`. If `columns` is not empty, the dtypes of all slots
    together must be one of them. `assumed`: not from the public library.
    """

    op_type: str
    rule: str
    inputs: str
    outputs: str
    sets: dict[str, frozenset[str]]
    columns: frozenset[tuple[str, ...]]
    assumed: bool


def aicore_entry(op_type: str) -> OpEntry | None:
    """The AI Core library's entry for an operator type, or None."""
    text = OPS.get(op_type)
    if text is None:
        facts = target_of(op_type)
        text = facts.library if facts is not None else None
    return None if text is None else parse_entry(op_type, text)


@cache
def parse_entry(op_type: str, text: str) -> OpEntry:
    """A line of the library's data; ValueError or IndexError where it is not of that form."""
    rule, signature, *rest = text.split(" ")
    inputs, _, outputs = signature.partition(">")
    assumed = rest[-1] == "assumed"
    if assumed:
        rest.pop()
    if rest[0] == "columns":
        columns = frozenset(tuple(c.replace(">", ",").strip(",").split(",")) for c in rest[1:])
        return OpEntry(op_type, rule, inputs, outputs, {}, columns, assumed)
    sets = {part[0]: frozenset(part[2:].split(",")) for part in rest}
    return OpEntry(op_type, rule, inputs, outputs, sets, frozenset(), assumed)


@cache
def short_dtype(elem: Attribute) -> str:
    """The library's name of an element type; "?" for one it has no name for."""
    from ge_dialect.dtypes import dtype_of

    known = dtype_of(elem)
    return SHORT_DTYPES.get(known.name, "?") if known else "?"


def dtype_refusal(
    entry: OpEntry,
    inputs: Sequence[Attribute | Sequence[Attribute] | None],
    outputs: Sequence[Attribute],
) -> str | None:
    """Why the entry does not take these element types, or None if it does.

    `inputs` has one item per slot: an element type, None for an optional input that is not
    connected, or a list for a dynamic input. `outputs` may be longer than the entry's slots where
    the last one is dynamic.
    """
    slots: list[tuple[int, str]] = []
    for i, item in enumerate(inputs):
        if item is None:
            continue
        for elem in item if isinstance(item, Sequence) else (item,):
            slots.append((i, short_dtype(elem)))
    n_in, n_out = len(entry.inputs), len(entry.outputs)
    if slots and slots[-1][0] >= n_in:
        return f"takes {n_in} inputs"
    for i, elem in enumerate(outputs):
        slots.append((n_in + min(i, n_out - 1), short_dtype(elem)))
    if entry.columns:
        if any(all(column[i] == dtype for i, dtype in slots) for column in entry.columns):
            return None
        return f"has no kernel for {_listing(entry, slots)}"
    letters = entry.inputs + entry.outputs
    chosen: dict[str, str] = {}
    for i, dtype in slots:
        letter = letters[i]
        if dtype not in entry.sets[letter] or chosen.setdefault(letter, dtype) != dtype:
            return f"has no kernel for {_listing(entry, slots)}"
    return None


def _listing(entry: OpEntry, slots: list[tuple[int, str]]) -> str:
    n_in = len(entry.inputs)
    left = ", ".join(d for i, d in slots if i < n_in)
    right = ", ".join(d for i, d in slots if i >= n_in)
    return f"({left}) -> ({right})"
