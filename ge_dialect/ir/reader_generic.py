"""The one-line path for nodes in MLIR's generic form, as our printer and mlir-opt write it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import FileLineColLoc, NameLoc, NoneAttr
from xdsl.ir import Attribute, Operation, SSAValue

from ge_dialect.ir.base import SEGMENT_PROPERTIES
from ge_dialect.ir.names import location_leaves
from ge_dialect.ir.private import create_node, raw_name_loc, raw_string, set_name_hint
from ge_dialect.ir.reader_tables import ClassFacts, Names, with_file

if TYPE_CHECKING:
    from ge_dialect.ir.reader_lines import GeParser

_RESULT = r"%(?:[0-9]+|[A-Za-z_$.\-][A-Za-z0-9_$.\-]*)(?::[0-9]+)?"
_TYPE = r'[^\s{"()]+(?:(?:, | = )[^\s{"()]+)*'
_DICT = r'\{[^{}"\n]*(?:"[^"\\\n]*"[^{}"\n]*)*\}'
GENERIC = re.compile(
    rf'(?:({_RESULT}(?:, {_RESULT})*) = )?"ge\.(\w+)"'
    r'\(([^()"\n]*)\)'
    rf"(?: <({_DICT})>)?"
    rf"(?: ({_DICT}))?"
    rf" : \(((?:{_TYPE})?)\) -> (?:\(((?:{_TYPE})?)\)|({_TYPE}))"
    r'(?: loc\((?:"([^"\\\n]*)"(?:\(([^()\n]*)\))?|(#\w+))\))?'
    r"[ \t]*(?://[^\n]*)?\r?\n"
)


def generic_line(
    parser: GeParser, fact: ClassFacts, m: re.Match[str], pos: int, names: Names
) -> Operation | None:
    """The operator of a matched line, None where xDSL's parser has to look at it."""
    res, _, args, props_text, attrs_text, inputs, many, one, loc_name, loc_child, alias = m.groups()
    operands = _operands(parser, args)
    reader = parser.value_reader
    in_types = reader.type_list(inputs) if inputs else ()
    out_text = many if one is None else one
    types = reader.type_list(out_text) if out_text else ()
    if operands is None or in_types is None or types is None or len(in_types) != len(operands):
        return None
    for value, type_ in zip(operands, in_types, strict=True):
        if value.type is not type_ and value.type != type_:
            return None

    key = (props_text, attrs_text)
    entry = fact.generic.get(key)
    if entry is None:
        props = reader.plain_dict(props_text) if props_text else {}
        attrs = reader.plain_dict(attrs_text) if attrs_text else {}
        if props is None or attrs is None:
            return None
        declared = fact.table.attrs
        if any(n in declared or n in SEGMENT_PROPERTIES for n in attrs):
            return None  # properties among the attributes, as older tools write them
        for name, default in fact.table.defaults.items():
            props.setdefault(name, default)
        entry = fact.generic[key] = (props, attrs)

    results = _results(parser, res, len(types))
    if results is None:
        return None
    where = parser.position(pos)
    leaves: Sequence[Attribute] = ()
    if loc_name is not None and loc_child is not None:
        found = parser.leaves(loc_child)
        if found is None:
            return None
        leaves = found
    elif alias is not None:
        loc = parser.attribute_aliases.get(alias)
        if not isinstance(loc, NameLoc):
            return None
        loc_name = loc.desc.data
        leaves = [] if isinstance(loc.location, NoneAttr) else location_leaves(loc.location)
        leaves = [leaf for leaf in leaves if isinstance(leaf, NameLoc | FileLineColLoc)]
    explicit = loc_name is not None
    first = results[0][0] if results else None
    name = parser.settled_name(loc_name, first, fact.type_name, names)
    op = create_node(
        fact.cls,
        operands,
        types,
        entry[0],
        entry[1],
        raw_name_loc(raw_string(name), with_file(leaves, where)),
    )
    names.taken[name] = (op, explicit)
    at = 0
    for label, count in results:
        group = op.results[at : at + count]
        at += count
        parser.ssa_values[label] = tuple(group)
        if not label[0].isdigit():
            for value in group:
                set_name_hint(value, label)
    return op


def _operands(parser: GeParser, args: str) -> list[SSAValue] | None:
    values = parser.ssa_values
    out: list[SSAValue] = []
    if not args:
        return out
    for arg in args.split(", "):
        label, _, index = arg[1:].partition("#")
        group = values.get(label)
        if group is None or (index and not index.isdigit()):
            return None
        n = int(index) if index else 0
        if n >= len(group):
            return None
        out.append(group[n])
    return out


def _results(parser: GeParser, res: str | None, total: int) -> list[tuple[str, int]] | None:
    """Names of the results with the number each stands for; None where they do not fit."""
    if res is None:
        return [] if total == 0 else None
    out: list[tuple[str, int]] = []
    seen = 0
    for part in res.split(", "):
        label, _, count = part[1:].partition(":")
        n = int(count) if count else 1
        if label in parser.ssa_values or label in parser.forward_ssa_references:
            return None
        out.append((label, n))
        seen += n
    if seen != total or len({label for label, _ in out}) != len(out):
        return None
    return out
