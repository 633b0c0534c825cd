"""Data flows one way: ge_dialect <- passes <- runtime; kernels never see the golden semantics."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FORBIDDEN = {
    "ge_dialect": ("passes", "runtime", "tests"),
    "passes": ("runtime", "tests"),
    "runtime": ("tests",),
    "runtime/kernels": ("ge_dialect.semantics", "passes"),
}


def imported_modules(path: Path) -> set[str]:
    """Absolute names of everything a file imports, also inside functions."""
    out: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            out.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            assert all(a.name != "*" for a in node.names), f"{path}: wildcard import"
            module = node.module or ""
            out.add(module)
            out.update(f"{module}.{alias.name}" for alias in node.names)
    return out


def is_under(name: str, package: str) -> bool:
    return name == package or name.startswith(package + ".")


@pytest.mark.parametrize("folder", FORBIDDEN)
def test_imports_flow_one_way(folder: str) -> None:
    files = sorted((ROOT / folder).rglob("*.py"))
    assert files
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in files
        for name in imported_modules(path)
        for package in FORBIDDEN[folder]
        if is_under(name, package)
    ]
    assert not wrong, wrong


def test_the_checker_sees_a_late_import(tmp_path: Path) -> None:
    file = tmp_path / "m.py"
    file.write_text("def f():\n    from passes.base import Pass\n    return Pass\n")
    assert "passes.base" in imported_modules(file)


def test_modules_stay_readable() -> None:
    """About 500 lines a module; data files are not code."""
    long = {
        str(p.relative_to(ROOT)): n
        for top in ("ge_dialect", "passes", "runtime")
        for p in (ROOT / top).rglob("*.py")
        if "tail" not in p.parts and (n := len(p.read_text().splitlines())) > 600
    }
    long.pop("ge_dialect/ops/_index.py", None)
    assert not long
