"""Names that packages offer lazily: they exist, and no submodule of the same name hides them."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

PACKAGES = {
    "ge_dialect": "_PUBLIC",
    "passes": "_PUBLIC",
    "runtime": "_PUBLIC",
}


@pytest.mark.parametrize("package", PACKAGES)
def test_names_exist_and_are_not_hidden(package: str) -> None:
    module = import_module(package)
    names = set(getattr(module, PACKAGES[package]))
    folder = Path(module.__file__ or "").parent
    inside = {p.stem for p in folder.iterdir() if p.suffix == ".py" or p.is_dir()}
    assert not names & inside, "importing that module would replace the name in the package"
    for name in names:
        assert getattr(module, name) is not None


@pytest.mark.parametrize(
    ("package", "table"), [("passes", "_PUBLIC"), ("passes.testing", "_WHERE")]
)
def test_names_loaded_on_first_use_are_those_listed(package: str, table: str) -> None:
    module = import_module(package)
    assert sorted(module.__all__) == sorted(getattr(module, table))
