"""What the cheat sheet names exists: flags, spellings of MLIR, passes, operators, Python names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "cheatsheet.md"
#: Where names in the page live.
MODULES = (
    *("passes", "passes.base", "passes.rewriting", "passes.pattern_dsl", "passes.pdl_export"),
    *("passes.testing", "ge_dialect", "ge_dialect.ir", "ge_dialect.builder", "ge_dialect.layouts"),
    *("ge_dialect.diagnostics", "runtime"),
)


def rows() -> Iterator[list[str]]:
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("|") and not line.startswith("|---"):
            yield [c.strip() for c in re.split(r"(?<!\\)\|", line.strip("|"))]


def code(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


def flags_of_tools() -> set[str]:
    from ge_dialect.tools.ge_translate import build_parser as translate
    from passes.tools.ge_opt import build_parser as opt
    from passes.tools.ge_reduce import build_parser as reduce
    from runtime.tools.ge_run import build_parser as run

    return {
        flag
        for parser in (opt(), run(), reduce(), translate())
        for action in parser._actions
        for flag in action.option_strings
    }


def test_our_flags_are_there() -> None:
    known = flags_of_tools()
    ours = [flag for row in rows() for cell in row[1:] for c in code(cell)
            for flag in re.findall(r"(?<![\w-])--?[a-z][a-z-]*", c)]  # fmt: skip
    assert len(ours) > 30
    assert not [f for f in ours if f not in known]


def test_spellings_of_mlir_are_taken() -> None:
    from passes.tools.ge_opt import build_parser, translate_flags

    known = {f for a in build_parser()._actions for f in a.option_strings}
    taken = [row[0] for row in rows() if row[-1].startswith("✓")]
    assert len(taken) > 8
    for cell in taken:
        for flag in re.findall(r"--[a-z-]+", cell):
            found = translate_flags([flag])[0].partition("=")[0]
            assert found in known, flag


def words(column: str) -> set[str]:
    """Names that stand alone or are called, in a column of ours."""
    return {m for c in code(column) for m in re.findall(r"^@?([A-Za-z_]\w{3,})(?:\(|$)", c)}


@pytest.mark.parametrize("name", sorted({w for row in rows() for w in words(row[1])}))
def test_our_names_are_there(name: str) -> None:
    from importlib import import_module

    from ge_dialect.ir.base import GeOp
    from ge_dialect.ops.registry import has_op
    from passes.base import Pass
    from passes.pattern_dsl import DslPattern

    held = [import_module(m) for m in MODULES] + [GeOp, Pass, DslPattern]
    words = {"after", "filecheck", "prepare", "root", "semantics", "shape", "stage", "stage1",
             "ends", "target"}  # fmt: skip
    assert name in words or has_op(name) or any(hasattr(place, name) for place in held)


def test_passes_and_operators_are_there() -> None:
    from ge_dialect.ops.registry import has_op
    from passes.registry import canonical_name

    text = " ".join(cell for row in rows() for cell in row[1:])
    for name in re.findall(r"`ge\.([A-Z]\w+)`", text):
        assert has_op(name) or name == "Opaque", name
    for name in ("infer-shape", "constant-folding", "lower-to-rt", "engine-claim",
                 "engine-placement"):  # fmt: skip
        assert f"`{name}`" in text
        assert canonical_name(name) == name
