"""Identity of nodes: a unique name and the source names a node stands for.

Both are in `op.location`: `NameLoc(name, child)`, where the child holds the origins as name
locations (one, or a fused list) and, for parsed text, the file position. A node that has no
origins listed is its own origin.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import cast

from xdsl.dialects.builtin import (
    UNKNOWN_LOC,
    ArrayAttr,
    FileLineColLoc,
    FusedLoc,
    NameLoc,
    NoneAttr,
)
from xdsl.ir import Attribute, Block, Operation

from ge_dialect.ir.private import nodes_of, raw_fused_loc, raw_name_loc, raw_string
from ge_dialect.ir.taken_names import TakenNames

#: Attribute that holds the stable id of a random node, by which its numbers are drawn; the node's
#: name counts where there is none.
STABLE_ID = "ge.random_id"
#: More source names than this are not kept; the last entry then says how many were dropped.
MAX_ORIGINS = 64

_NONE = NoneAttr()
_HINT = re.compile(r"[A-Za-z_][\w$.]*\Z")
_BAD = re.compile(r"[^\w$.]")


def node_name(op: Operation) -> str | None:
    """The node's name, None where it has none."""
    loc = op.location
    return loc.desc.data if type(loc) is NameLoc else None


def location_leaves(loc: Attribute) -> list[Attribute]:
    """Locations a fused location is made of, at any depth; any other location alone."""
    if isinstance(loc, FusedLoc):
        locations = cast("ArrayAttr[Attribute]", loc.locations)
        return [leaf for child in locations.data for leaf in location_leaves(child)]
    return [loc]


def origins(op: Operation) -> tuple[str, ...]:
    """Names of the source nodes this node stands for: those recorded, else its own name."""
    loc = op.location
    if type(loc) is not NameLoc:
        return ()
    if type(loc.location) is NoneAttr:
        return (loc.desc.data,)
    listed = recorded_origins(op)
    return listed or (loc.desc.data,)


def recorded_origins(op: Operation) -> tuple[str, ...]:
    """Origins that are written down explicitly (not the node's own name)."""
    loc = op.location
    if not isinstance(loc, NameLoc) or isinstance(loc.location, NoneAttr):
        return ()
    leaves = location_leaves(loc.location)
    return tuple(leaf.desc.data for leaf in leaves if isinstance(leaf, NameLoc))


def file_location(op: Operation) -> str | None:
    """ "file:line:col" of the text the node was read from, None where unknown."""
    loc = op.location
    leaves = location_leaves(loc.location if isinstance(loc, NameLoc) else loc)
    for leaf in leaves:
        if isinstance(leaf, FileLineColLoc):
            return f"{leaf.filename.data}:{leaf.line.data}:{leaf.column.data}"
    return None


def bound_origins(names: Iterable[str]) -> tuple[str, ...]:
    """Duplicates dropped, at most MAX_ORIGINS kept (deterministic: the first ones)."""
    unique = tuple(dict.fromkeys(names))
    if len(unique) <= MAX_ORIGINS:
        return unique
    return (*unique[: MAX_ORIGINS - 1], f"... {len(unique) - MAX_ORIGINS + 1} more")


def make_location(
    name: str, source_names: Sequence[str] = (), file: FileLineColLoc | None = None
) -> NameLoc:
    """The location of a node: its name, its origins (left out when just its own name), its file."""
    names = bound_origins(source_names)
    children: list[Attribute] = []
    if names and names != (name,):
        children += [raw_name_loc(raw_string(n)) for n in names]
    if file is not None:
        children.append(file)
    child: Attribute = _NONE
    if len(children) == 1:
        child = children[0]
    elif children:
        child = raw_fused_loc(children)
    return raw_name_loc(raw_string(name), child)


def set_node_name(op: Operation, name: str, source_names: Sequence[str] = ()) -> None:
    """Give a node its name and origins; a file position it has is kept."""
    loc = op.location
    if loc is UNKNOWN_LOC:
        op.location = make_location(name, source_names)
        return
    file = next(
        (
            leaf
            for leaf in location_leaves(loc.location if isinstance(loc, NameLoc) else loc)
            if isinstance(leaf, FileLineColLoc)
        ),
        None,
    )
    op.location = make_location(name, source_names, file)


def clear_location(op: Operation) -> None:
    """Remove name, origins and position."""
    op.location = UNKNOWN_LOC


def hint_from_name(name: str) -> str | None:
    """A legal SSA name made from a node name, None where nothing is left of it."""
    if _HINT.match(name):
        return name
    text = _BAD.sub("_", name)
    if not text:
        return None
    return text if _HINT.match(text) else "v_" + text


def names_in(block: Block) -> TakenNames:
    """All node names of a graph's own block (bodies have names of their own)."""
    return TakenNames(n for op in nodes_of(block) if (n := node_name(op)) is not None)
