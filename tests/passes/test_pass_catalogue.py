"""Every registered pass has what a pass must have; its example does what it says."""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from ge_dialect.codes import CODES
from passes import docgen
from passes.base import EXACT, REASSOCIATES, Contract, Pass
from passes.examples import pass_examples, run_example
from passes.options import convert, format_value, option_types
from passes.pipeline import parse_pipeline
from passes.pipeline_parser import PipelineParser
from passes.properties import PROPERTIES
from passes.registry import ALIASES, PASSES, pass_class, pass_names
from passes.stages import STAGE_NAMES, named_pipeline, pipeline_names

ROOT = Path(__file__).resolve().parents[2]
NAMES = pass_names()


@pytest.mark.parametrize("name", NAMES)
def test_declaration(name: str) -> None:
    cls = pass_class(name)
    assert issubclass(cls, Pass)
    assert cls.name == name
    assert re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name)
    file = Path(inspect.getfile(cls))
    assert file.stem == name.replace("-", "_"), "file name == pass name"
    assert PASSES[name] == f"{cls.__module__}:{cls.__qualname__}"
    assert cls.stage in STAGE_NAMES
    assert name not in pipeline_names()
    assert dataclasses.is_dataclass(cls)
    assert cls.__dataclass_params__.frozen  # type: ignore[attr-defined]
    assert 0 < len(cls.summary()) <= 100


@pytest.mark.parametrize("name", NAMES)
def test_contract(name: str) -> None:
    cls = pass_class(name)
    assert "contract" in vars(cls), "a pass states its own contract"
    contract = cls.contract
    assert isinstance(contract, Contract)
    assert contract.values in (EXACT, REASSOCIATES) or re.fullmatch(
        r"precision\(\w+\)", contract.values
    )
    for known in (*contract.requires, *contract.establishes, *contract.destroys):
        assert known in PROPERTIES


@pytest.mark.parametrize("name", NAMES)
def test_options_have_defaults_and_text(name: str) -> None:
    cls = pass_class(name)
    for field, kind in option_types(cls).items():
        value = getattr(cls(), field)
        written = PipelineParser(format_value(value), "option")._value()
        assert convert(written, kind) == value
    assert str(parse_pipeline(name)) == name


@pytest.mark.parametrize("name", NAMES)
def test_docstring_has_an_example(name: str) -> None:
    assert pass_examples(pass_class(name))


@pytest.mark.parametrize("name", NAMES)
def test_examples_do_what_they_say(name: str) -> None:
    for example in pass_examples(pass_class(name)):
        found, expected = run_example(example)
        assert found == expected


def filechecked() -> set[str]:
    """Passes that stand in the pipeline of some RUN line."""
    found: set[str] = set()
    for file in (ROOT / "tests" / "filecheck").rglob("*.mlir"):
        for line in file.read_text().splitlines():
            if "RUN:" in line:
                words = set(re.findall(r"[\w-]+", line))
                found |= words | {ALIASES[w] for w in words & set(ALIASES)}
    return found


@pytest.mark.parametrize("name", NAMES)
def test_has_a_filecheck_test(name: str) -> None:
    assert name in filechecked()


def test_every_pass_file_is_registered() -> None:
    registered = {target.partition(":")[0] for target in PASSES.values()}
    missing = []
    for stage in (
        "prepare",
        "fuse",
        "format",
        "stage1",
        "partition",
        "subgraph",
        "stage2",
        "build",
    ):
        for file in (ROOT / "passes" / stage).glob("*.py"):
            module = f"passes.{stage}.{file.stem}"
            is_pass = re.search(r"^class \w+\(Pass\):", file.read_text(), re.M)
            if is_pass and module not in registered:
                missing.append(module)
    assert not missing


def test_aliases_lead_somewhere() -> None:
    for alias, target in ALIASES.items():
        assert target in PASSES
        assert alias not in PASSES
        assert alias not in pipeline_names()


@pytest.mark.parametrize("name", pipeline_names())
def test_pipeline_files(name: str) -> None:
    declared = named_pipeline(name)
    pipeline = parse_pipeline(", ".join(declared.passes))
    for item in pipeline.passes():
        assert item.build().name == item.name


def test_stages_run_their_own_passes() -> None:
    """A pass declares the stage it belongs to; a stage may borrow passes of others."""
    used = {i.name for s in STAGE_NAMES for i in parse_pipeline(s).passes()}
    unused = [n for n in NAMES if n not in used and pass_class(n).enabled]
    allowed = {n for n in unused if "not part of" in (pass_class(n).__doc__ or "")}
    assert set(unused) == allowed, "put these into a stage, or say they are not part of one"


def test_reference_page_is_up_to_date() -> None:
    assert docgen.main(["--check"]) == 0, "run python -m passes.docgen"


def _codes(pattern: str, files: Iterable[Path]) -> dict[str, str]:
    """Codes by the first file each is found in."""
    found: dict[str, str] = {}
    for file in sorted(files):
        if file.name != "codes.py":
            for code in re.findall(pattern, file.read_text(encoding="utf-8")):
                found.setdefault(code, str(file.relative_to(ROOT)))
    return found


def test_codes_in_use_are_registered_and_registered_ones_in_use() -> None:
    sources = [f for p in ("ge_dialect", "passes", "runtime") for f in (ROOT / p).rglob("*.py")]
    used = _codes(r"\"(GX-\d{3})\"", sources)
    assert {c: where for c, where in used.items() if c not in CODES} == {}
    assert [c for c in CODES if c not in used] == [], "nobody says these"
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *sources]
    named = _codes(r"\b(GX-\d{3})\b", pages)
    assert {c: where for c, where in named.items() if c not in CODES} == {}


def test_no_two_codes_mean_the_same() -> None:
    titles = [title.removeprefix("remark: ") for title in CODES.values()]
    assert len(set(titles)) == len(titles)


def test_codes_are_in_order_and_in_range() -> None:
    codes = list(CODES)
    assert codes == sorted(codes)
    assert all(re.fullmatch(r"GX-[0-6]\d\d", c) for c in codes)
