"""The source names of a node that goes on standing for more of them."""

from __future__ import annotations

from xdsl.dialects.builtin import NameLoc
from xdsl.ir import Operation

from ge_dialect.ir.build import build
from ge_dialect.ir.names import (
    MAX_ORIGINS,
    bound_origins,
    location_leaves,
    origins,
    set_node_name,
)


def test_those_left_out_are_counted_on() -> None:
    """A list that was cut before and one more: what was left out before counts as well."""
    many = bound_origins(f"n{i}" for i in range(MAX_ORIGINS + 1))
    assert many[-1] == "... 2 more"
    for count in range(3, 200):
        many = bound_origins([*many, f"m{count}"])
        assert many[-1] == f"... {count} more"
    assert many[:-1] == tuple(f"n{i}" for i in range(MAX_ORIGINS - 1))
    others = bound_origins(f"o{i}" for i in range(100))
    assert bound_origins([*many, *others])[-1] == f"... {199 + 63 + 37} more"
    assert bound_origins([*many, "n1"]) == many
    assert bound_origins(["... more", "... 3 more"]) == ("... more", "... 3 more")


def leaves_of(op: Operation) -> list[NameLoc]:
    assert isinstance(op.location, NameLoc)
    return [leaf for leaf in location_leaves(op.location.location) if isinstance(leaf, NameLoc)]


def test_they_keep_their_locations() -> None:
    """A node that stands for one more has the others' locations still; none is made anew."""
    op = build("NoOp", [], name="a", origins=("b", "c"))
    before = leaves_of(op)
    set_node_name(op, "a", (*origins(op), "d"))
    after = leaves_of(op)
    assert [leaf.desc.data for leaf in after] == ["b", "c", "d"]
    assert all(one is two for one, two in zip(before, after, strict=False))
