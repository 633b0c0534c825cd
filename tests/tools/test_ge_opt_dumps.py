"""`ge-opt --dump-ge` and `--diff-dump`, and dumps as inputs of the tools."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DUMPS = ROOT / "tests" / "frontends" / "data" / "dumps"
TOUR = str(ROOT / "examples" / "tour.mlir")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_stages_get_ges_names_in_both_formats(tool, here: Path) -> None:
    assert tool("ge-opt", TOUR, "-p", "ge-default", "--dump-ge=d", "-o", "o.mlir").status == 0
    names = sorted(p.name for p in (here / "d").iterdir())
    assert names[0] == "ge_onnx_00000000_graph_1_PreRunBegin.pbtxt"
    assert names[10] == "ge_proto_00000000_graph_1_PreRunBegin.txt"
    assert names[-1] == "ge_proto_00000009_graph_1_PreRunAfterBuild.txt"
    assert len(names) == 20
    for name in names:  # each is a dump again, also the one before lowering
        assert tool("ge-opt", f"d/{name}", "-p", "prune", "-o", "x.mlir").status == 0, name


def test_levels_formats_and_filter(tool, here: Path) -> None:
    common = ("ge-opt", str(DUMPS / "constants.txt"), "-p", "cse", "-o", "o.mlir")
    tool(*common, "--dump-ge=one", "--dump-ge-format=ge-proto")
    tool(*common, "--dump-ge=two", "--dump-ge-format=ge-proto", "--dump-ge-level=2")
    tool(*common, "--dump-ge=three", "--dump-ge-format=ge-onnx", "--dump-ge-level=3")
    tool(*common, "--dump-ge=none", "--dump-ge-filter=Nothing|More")
    one = (here / "one" / "ge_proto_00000001_graph_1_result.txt").read_text()
    two = (here / "two" / "ge_proto_00000001_graph_1_result.txt").read_text()
    three = (here / "three" / "ge_onnx_00000001_graph_1_result.pbtxt").read_text()
    assert "data: " in one
    assert "data: " not in two
    assert "attribute {" not in three
    assert list((here / "none").iterdir()) == []
    wrong = tool(*common, "--dump-ge=d", "--dump-ge-format=json")
    assert wrong.status == 2
    assert "GX-008" in wrong.err.decode()


def test_each_pass_that_changed(tool, here: Path) -> None:
    tool("ge-opt", TOUR, "-p", "cse,prune", "--dump-ge=d", "--dump-each", "-o", "o.mlir")
    names = {p.name for p in (here / "d").iterdir()}
    assert "ge_proto_00000001_graph_1_common-subexpression-elimination.txt" in names
    assert "ge_proto_00000003_graph_1_result.txt" in names


def test_diff_of_dumps(tool, here: Path) -> None:
    first = DUMPS / "if_nested.txt"
    text = first.read_text(encoding="utf-8")
    second = here / "b.txt"
    second.write_text(
        text.replace('name: "neg"', 'name: "renamed"')
        .replace('"neg:0"', '"renamed:0"')
        .replace('type: "Abs"', 'type: "Neg"')
        .replace('name: "root"', 'name: "graph_of_another_stage"')
    )
    same = tool("ge-opt", "--diff-dump", str(first), str(first))
    assert (same.status, same.out) == (0, b"no difference\n")
    found = tool("ge-opt", "--diff-dump", str(first), "b.txt", "--diff-json=d.json")
    assert found.status == 4
    assert "renamed (was neg)" in found.out.decode()
    assert "ge.Abs -> ge.Neg" in found.out.decode()
    assert "gone" not in found.out.decode()
    data = json.loads((here / "d.json").read_text())
    assert data["equal"] is False
    assert data["counts"]["changed"] >= 2
    shapes = here / "c.txt"
    shapes.write_text(text.replace("dim: 4", "dim: 5").replace('"ND"', '"NCHW"'))
    found = tool("ge-opt", "--diff-dump", str(first), "c.txt", "--diff-json=-")
    listed = json.loads(found.out.decode())
    assert any("tensor<4xf32> -> tensor<5xf32>" in str(g) for g in listed["graphs"])
    assert "NCHW" in found.out.decode()


def test_diff_says_what_is_wrong(tool, here: Path) -> None:
    (here / "cut.txt").write_text('graph { name: "g"')
    found = tool("ge-opt", "--diff-dump", "cut.txt", "cut.txt")
    assert found.status == 1
    assert "GX-340" in found.err.decode()


def test_translate_writes_every_kind(tool, here: Path) -> None:
    for to, end in (("ge-proto", "txt"), ("ge-onnx", "pbtxt"), ("om-json", "json")):
        wrote = tool("ge-translate", str(DUMPS / "while_loop.txt"), "--to", to, "-o", f"x.{end}")
        assert (wrote.status, wrote.err) == (0, b"")
        again = tool("ge-translate", f"x.{end}", "-o", "y.mlir")
        assert again.status == 0
        assert "ge.While" in (here / "y.mlir").read_text()
    named = tool("ge-translate", "x.txt", "--to", "ge-proto", "--name", "net")
    assert b'graph {\n  name: "net"\n' in named.out


def test_what_is_no_graph_is_run_all_the_same(tool, here: Path) -> None:
    text = "func.func @f() {\n  func.return\n}\n"
    (here / "f.mlir").write_text(text)
    found = tool("ge-opt", "f.mlir", "-p", "cse", "--dump-ge=d")
    assert found.status == 0
    assert "warning: GX-353" in found.err.decode()
    assert list((here / "d").iterdir()) == []
