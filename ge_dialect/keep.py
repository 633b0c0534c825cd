"""Which values of a run are wanted besides its outputs, by the names of their nodes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ge_dialect.diagnostics import Diagnostic, GeError
from ge_dialect.spelling import nearest

if TYPE_CHECKING:
    from xdsl.ir import Block

#: "all", names of nodes (one may stand alone), or None.
Keep = str | Collection[str] | None


def is_kept(keep: Keep, node: str) -> bool:
    """Whether the value of a node is wanted."""
    if keep is None or isinstance(keep, str):
        return keep in ("all", node)
    return node in keep


def checked(keep: Keep, known: Callable[[], Mapping[str, Sequence[str]]]) -> Keep:
    """`keep`, as a set where it is a collection.

    known: gives the names of all nodes that have a value, each with the source nodes that it
    stands for; asked where names are given. GeError GX-255 for every name that is not among them.
    """
    if keep is None or keep == "all":
        return keep
    wanted = frozenset([keep] if isinstance(keep, str) else keep)
    nodes = known()
    unknown = sorted(n for n in wanted if n not in nodes)
    if unknown:
        raise GeError(_unknown(name, nodes) for name in unknown)
    return wanted


def _unknown(name: str, nodes: Mapping[str, Sequence[str]]) -> Diagnostic:
    heirs = [node for node, origins in nodes.items() if name in origins]
    near = nearest(name, nodes)
    hint = f"did you mean '{near}'?" if near else None
    if heirs:
        hint = f"it has become part of '{heirs[0]}'"
    shown = ", ".join(list(nodes)[:8]) + (", …" if len(nodes) > 8 else "")
    return Diagnostic(
        "GX-255",
        f"no node '{name}' has a value that could be kept",
        found=repr(name),
        expected=shown or "none: no node has one",
        hint=hint,
    )


def node_names(
    block: Block, prefix: str = "", without: Collection[str] = frozenset()
) -> Iterator[str]:
    """Names of the nodes of a graph as a run calls them: those of a body are "outer/inner".

    without: operators whose nodes have no value in the run.
    """
    from ge_dialect.ir.base import GeOp
    from ge_dialect.ir.names import node_name

    place = 0
    for op in block.ops:
        if op is block.last_op or not isinstance(op, GeOp):
            continue
        name = prefix + (node_name(op) or f"{op.ge_type}_{place}")
        place += 1
        if op.ge_type not in without:
            yield name
        for region in op.regions:
            for inner in region.blocks:
                yield from node_names(inner, name + "/", without)
