"""docs/reference/coverage.md says what the registries say."""

from __future__ import annotations

import pytest

from runtime.tools import coverage

ROWS = {row.name: row for row in coverage.rows()}


def test_the_page_is_up_to_date():
    assert coverage.main(["--check"]) == 0, "run python -m runtime.tools.coverage"


def test_a_page_that_is_out_of_date_is_noticed(tmp_path, monkeypatch):
    monkeypatch.setattr(coverage, "PAGE", tmp_path / "coverage.md")
    assert coverage.main(["--check"]) == 1
    assert coverage.main([]) == 0
    assert coverage.main(["--check"]) == 0


@pytest.mark.parametrize(
    ("name", "kernel", "imported", "cost_class"),
    [
        ("Conv2D", "yes", True, "conv"),
        ("While", "eager", True, "elementwise"),
        ("ReduceSumD", "yes", True, "reduction"),
        ("GridSampler2D", "yes", True, "elementwise"),
        ("NonZero", "", True, "move"),
        ("AscendQuant", "yes", False, "elementwise"),
    ],
)
def test_rows(name, kernel, imported, cost_class):
    row = ROWS[name]
    assert row.inferred
    assert row.golden
    assert (row.kernel, row.imported, row.cost_class) == (kernel, imported, cost_class)


def test_operators_with_a_class_have_a_meaning():
    """Only operators with golden semantics are classes of their own."""
    without = {r.name for r in ROWS.values() if not r.golden and not r.family.startswith("tail.")}
    assert without == {"Opaque"}
