"""The stable Python surface is what docs/views.md lists: no name more, no name less."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import ge_dialect
import passes
import runtime

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "views.md").read_text()


def table(head: str) -> set[str]:
    """Names in the first column of the table with that heading."""
    (rows,) = re.findall(rf"^\| {re.escape(head)} \| \|\n\|---\|---\|\n((?:\|.*\n)+)", PAGE, re.M)
    first = [row.split("|")[1] for row in rows.splitlines()]
    return {name for cell in first for name in re.findall(r"`(\w+)[^`]*`", cell)}


def test_the_listed_names_are_all_there_are() -> None:
    assert table("of `ge_dialect`") == set(ge_dialect.__all__)
    assert set(ge_dialect.__all__) == {*ge_dialect._PUBLIC, "__version__"}
    assert {"run_pipeline"} <= set(passes.__all__)
    assert {"simulate"} <= set(runtime.__all__)


@pytest.mark.parametrize(
    ("head", "classes"),
    [
        ("`GraphView`", [ge_dialect.GraphView]),
        ("`NodeView`", [ge_dialect.NodeView]),
        ("`InAnchor`, `OutAnchor`", [ge_dialect.InAnchor, ge_dialect.OutAnchor]),
    ],
)
def test_the_listed_members_are_all_there_are(head: str, classes: list[type]) -> None:
    members = {name for cls in classes for name in dir(cls) if not name.startswith("_")}
    assert table(head) - {"len", "in"} == members


def test_the_row_of_model_names_its_members() -> None:
    (row,) = [line for line in PAGE.splitlines() if line.startswith("| `Model` |")]
    named = set(re.findall(r"`(\w+)[^`]*`", row.split("|")[2]))
    fields = set(ge_dialect.Model.__dataclass_fields__)
    methods = {name for name in vars(ge_dialect.Model) if not name.startswith("_")}
    assert named == fields | methods


def test_everything_of_the_surface_is_described() -> None:
    for name in set(ge_dialect.__all__) - {"__version__"}:
        assert (getattr(ge_dialect, name).__doc__ or "").strip(), name
    for cls in (ge_dialect.GraphView, ge_dialect.NodeView, ge_dialect.InAnchor):
        for name in (n for n in dir(cls) if not n.startswith("_")):
            member = getattr(cls, name)
            if callable(member) or isinstance(member, property):
                assert (member.__doc__ or "").strip(), (cls, name)
