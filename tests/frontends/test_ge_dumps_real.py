"""Real dumps of real users, where they are at hand: `GE_SHARED`, or `../shared` beside the repo."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ge_dialect.diagnostics import GeError
from ge_dialect.exporters.ge_dump import export_dump
from ge_dialect.importers.ge_dump import dump_kind, import_dump
from ge_dialect.ir.verifier import verify
from tests.frontends.dump_diff import diff_texts

HERE = Path(__file__).parent
SHARED = Path(os.environ.get("GE_SHARED") or Path(__file__).resolve().parents[3] / "shared")
GRAPHS = SHARED / "graphs"
FILES = sorted(
    p
    for pattern in ("*.txt", "*.pbtxt", "*.om.json", "single_op/*.json")
    for p in GRAPHS.glob(pattern)
)
#: Single-operator files that are wrong on purpose.
WRONG = "ge_exc_"

pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(not FILES, reason="no real dumps: GE_SHARED and ../shared are absent"),
]


GOOD = [p for p in FILES if not p.name.startswith(WRONG)]


@pytest.fixture(params=GOOD or [None], ids=lambda p: getattr(p, "name", "none"))
def real(request: pytest.FixtureRequest):
    """Name, text and model of a file."""
    path = request.param
    text = path.read_text(encoding="utf-8")
    return path.name, text, import_dump(text, label=path.name)


def test_wrong_files_say_where() -> None:
    for path in FILES:
        if not path.name.startswith(WRONG):
            continue
        try:
            model = import_dump(path.read_text(encoding="utf-8"), label=path.name)
        except GeError as error:
            places = [d.location for d in error.diagnostics]
        else:
            places = [str(verify(model.module) == [])]  # an operator nobody declared
        assert places
        assert all(places)


def test_imports_and_verifies(real) -> None:
    assert verify(real[2].module) == []


def test_survives_export(real) -> None:
    _, text, model = real
    kind = dump_kind(text)
    to = "ge-proto" if kind == "single-op" else kind
    written = export_dump(model, to)
    again = import_dump(written)
    if kind == "single-op":
        assert export_dump(again, to) == written
        return
    assert again.text() == model.text()
    assert diff_texts(text, written) == []


@pytest.mark.parametrize("to", ["ge-proto", "ge-onnx", "om-json"])
def test_every_kind(real, to: str) -> None:
    written = export_dump(real[2], to)
    assert verify(import_dump(written).module) == []


def test_passes_run(real) -> None:
    from passes.manager import run_pipeline

    run_pipeline(real[2], "prune,cse")
    assert verify(real[2].module) == []
    export_dump(real[2])
