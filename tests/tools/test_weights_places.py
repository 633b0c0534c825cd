"""Where weights of a text lie: odd names of outputs, and texts behind symbolic links."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from ge_dialect.api import Model, evaluate, load, parse, save
from ge_dialect.diagnostics import GeError
from ge_dialect.tools.ge_translate import main as ge_translate
from ge_dialect.weights import WeightStore
from ge_dialect.weights.index import beside, name_beside
from passes.tools.ge_opt import main as ge_opt
from runtime.tools.ge_run import main as ge_run

TEXT = """\
builtin.module attributes {ge.weights = "net.weights"} {
  ge.graph @g(%x: tensor<128xf32>) {
    %w = ge.Const() {value = #ge.weight<"w">} : tensor<128xf32>
    %y = ge.Add(%x, %w) : tensor<128xf32>
    ge.NetOutput(%y)
  }
}
"""
X = np.zeros(128, np.float32)


def store(value: float) -> WeightStore:
    return WeightStore({"w": np.full(128, value, np.float32)})


@pytest.fixture
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("net.mlir").write_text(TEXT)
    store(3.0).save("net.weights")
    return tmp_path


def value(path: str | Path) -> float:
    """What the graph adds, read from a file anew."""
    return float(evaluate(load(path), [X]).outputs[0][0])


# --- names of outputs

ODD = (".mlir", "..mlir", "...mlir", "..", "....", "..net", "a..mlir", "..mlir.mlir", "d/..mlir")


@pytest.mark.parametrize("name", [n for n in ODD if n != ".."])
@pytest.mark.parametrize("tool", ["ge-opt", "ge-translate", "save"])
def test_weights_of_an_oddly_named_output_are_found(inside: Path, name: str, tool: str) -> None:
    Path("out/d").mkdir(parents=True)
    output = f"out/{name}"
    if tool == "ge-opt":
        assert ge_opt(["net.mlir", "-p", "prune", "-o", output]) == 0
    elif tool == "ge-translate":
        assert ge_translate(["net.mlir", "-o", output]) == 0
    else:
        save(load("net.mlir"), output)
    assert value(output) == 3.0
    assert ge_run([output, "--random-inputs", "0", "-q"]) == 0
    os.rename("out", "moved")  # text and weights go together
    assert value(f"moved/{name}") == 3.0


def test_a_folder_is_no_output(inside: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for tool, words in ((ge_opt, ["-p", "prune"]), (ge_translate, [])):
        assert tool(["net.mlir", *words, "-o", ".."]) == 1
        assert "GX-002" in capsys.readouterr().err


def test_dots_at_the_front_of_a_name_do_not_lead_out(inside: Path) -> None:
    assert name_beside("net.mlir", "..weights") == "..weights"
    assert name_beside("a/net.mlir", "a/..b/c") == os.path.join("..b", "c")
    assert name_beside("a/net.mlir", "b") is None
    assert name_beside("net.mlir", "..") is None
    assert beside("net.mlir", "..weights") == Path("..weights")
    with pytest.raises(GeError, match="GX-302"):
        beside("net.mlir", "../weights")


# --- symbolic links


@pytest.fixture
def linked(inside: Path) -> Path:
    """`here/link.mlir` leads to `there/net.mlir`; neither has weights beside it yet."""
    Path("here").mkdir()
    Path("there").mkdir()
    Path("there/net.mlir").write_text(TEXT)
    Path("here/link.mlir").symlink_to("../there/net.mlir")
    return inside


def test_weights_beside_the_file_that_a_link_leads_to(linked: Path) -> None:
    store(5.0).save("there/net.weights")
    assert value("here/link.mlir") == 5.0
    assert ge_run(["here/link.mlir", "--random-inputs", "0", "-q"]) == 0
    assert ge_opt(["here/link.mlir", "-p", "prune", "-o", "out.mlir"]) == 0
    assert value("out.mlir") == 5.0


def test_weights_beside_the_link_count_first(linked: Path) -> None:
    store(5.0).save("there/net.weights")
    store(7.0).save("here/net.weights")
    assert value("here/link.mlir") == 7.0
    assert value("there/net.mlir") == 5.0
    assert ge_opt(["here/link.mlir", "-p", "prune", "-o", "out.mlir"]) == 0
    assert value("out.mlir") == 7.0


def test_weights_that_are_nowhere(linked: Path) -> None:
    with pytest.raises(GeError, match="GX-300") as caught:
        load("here/link.mlir")
    assert "here/net.weights" in str(caught.value)


def test_a_link_of_a_folder(linked: Path) -> None:
    store(5.0).save("there/net.weights")
    Path("shortcut").symlink_to("there")
    assert value("shortcut/net.mlir") == 5.0


@pytest.mark.parametrize("place", ["here", "there"])
def test_side_files_do_not_lead_out(linked: Path, place: str) -> None:
    """Each of the two folders keeps the rule; a link that leads out is not passed over either."""
    Path(f"{place}/net.weights").symlink_to(linked / "net.weights")
    for tool, words in ((ge_opt, ["-p", "prune"]), (ge_run, ["--random-inputs", "0"])):
        assert tool(["here/link.mlir", *words]) == 1
    with pytest.raises(GeError, match="GX-302"):
        load("here/link.mlir")


def test_what_is_written_to_a_link_goes_where_it_leads(linked: Path) -> None:
    for tool, words in ((ge_opt, ["-p", "prune"]), (ge_translate, [])):
        assert tool(["net.mlir", *words, "-o", "here/link.mlir"]) == 0
        assert Path("here/link.mlir").is_symlink()
        assert sorted(os.listdir("here")) == ["link.mlir"]
        assert value("here/link.mlir") == value("there/net.mlir") == 3.0
    save(Model(parse(TEXT).module, store(9.0)), "here/link.mlir")
    assert value("there/net.mlir") == 9.0


def test_a_folder_that_would_shadow_new_weights(
    linked: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store(7.0).save("here/net.weights")
    before = Path("there/net.mlir").read_bytes()
    for tool, words in ((ge_opt, ["-p", "prune"]), (ge_translate, [])):
        assert tool(["net.mlir", *words, "-o", "here/link.mlir"]) == 1
        assert "GX-310" in capsys.readouterr().err
    assert Path("there/net.mlir").read_bytes() == before
    assert sorted(os.listdir("there")) == ["net.mlir"]


@pytest.mark.parametrize("place", ["here", "there"])
def test_a_link_is_rewritten_in_place(linked: Path, place: str) -> None:
    store(7.0).save(f"{place}/net.weights")
    assert ge_opt(["here/link.mlir", "-p", "prune", "-o", "here/link.mlir"]) == 0
    assert value("here/link.mlir") == 7.0
    assert sorted(os.listdir(place)) == sorted(
        ["net.weights", "link.mlir" if place == "here" else "net.mlir"]
    )


@pytest.mark.parametrize("below", ["", "sub"])
def test_a_text_does_not_stand_where_its_weights_go(inside: Path, below: str) -> None:
    """It is said before anything is written."""
    model = load("net.mlir")
    target = inside / "new" / "x.mlir"
    target.parent.mkdir()
    with pytest.raises(GeError) as refused:
        save(model, target, weights=target / below)
    assert [d.code for d in refused.value.diagnostics] == ["GX-310"]
    assert not list(target.parent.iterdir())
