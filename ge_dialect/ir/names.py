"""Identity of nodes: a unique name and the source names a node stands for.

Both are in `op.location`: `NameLoc(name, child)`, where the child holds the origins as name
locations (one, or a fused list) and, for parsed text, the file position. A node that has no
origins listed is its own origin.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
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
_DROPPED = re.compile(r"\.\.\. (\d{1,18}) more\Z")
_NO_LOCATIONS: Mapping[str, NameLoc] = {}


def node_name(op: Operation) -> str | None:
    """The node's name, None where it has none."""
    loc = op.location
    return loc.desc.data if type(loc) is NameLoc else None


def location_leaves(loc: Attribute) -> list[Attribute]:
    """Locations a fused location is made of, at any depth; any other location alone."""
    if type(loc) is not FusedLoc:
        return [loc]
    leaves: list[Attribute] = []
    for child in cast("ArrayAttr[Attribute]", loc.locations).data:
        if type(child) is FusedLoc:
            leaves += location_leaves(child)
        else:
            leaves.append(child)
    return leaves


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
    return tuple([leaf.desc.data for leaf in leaves if type(leaf) is NameLoc])


def file_location(op: Operation) -> str | None:
    """ "file:line:col" of the text the node was read from, None where unknown."""
    loc = op.location
    leaves = location_leaves(loc.location if isinstance(loc, NameLoc) else loc)
    for leaf in leaves:
        if isinstance(leaf, FileLineColLoc):
            return f"{leaf.filename.data}:{leaf.line.data}:{leaf.column.data}"
    return None


def bound_origins(names: Iterable[str]) -> tuple[str, ...]:
    """Duplicates dropped, at most MAX_ORIGINS kept (deterministic: the first ones).

    What lists that were cut before have dropped counts on.
    """
    given = tuple(names)
    unique = tuple(dict.fromkeys(given))
    if len(unique) <= MAX_ORIGINS:
        return unique
    cut = [int(found[1]) for n in given if (found := _DROPPED.match(n))]
    kept = [n for n in unique if not _DROPPED.match(n)]
    more = sum(cut) + max(len(kept) - MAX_ORIGINS + 1, 0)
    return (*kept[: MAX_ORIGINS - 1], f"... {more} more")


def make_location(
    name: str,
    source_names: Sequence[str] = (),
    file: FileLineColLoc | None = None,
    known: Mapping[str, NameLoc] = _NO_LOCATIONS,
) -> NameLoc:
    """The location of a node: its name, its origins (left out when just its own name), its file.

    known: locations that some of the origins have already, by name.
    """
    names = bound_origins(source_names)
    children: list[Attribute] = []
    if names and names != (name,):
        children += [known.get(n) or raw_name_loc(raw_string(n)) for n in names]
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
    file: FileLineColLoc | None = None
    known: dict[str, NameLoc] = {}
    for leaf in location_leaves(loc.location if type(loc) is NameLoc else loc):
        if type(leaf) is NameLoc:
            if type(leaf.location) is NoneAttr:
                known[leaf.desc.data] = leaf
        elif file is None and type(leaf) is FileLineColLoc:
            file = leaf
    op.location = make_location(name, source_names, file, known)


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
