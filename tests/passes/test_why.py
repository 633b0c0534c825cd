"""--why: the history of a node, through fusion, merging, layouts and lowering."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from ge_dialect.diagnostics import ExitCode, GeError
from ge_dialect.ir.reader import parse_module
from passes.context import PassContext
from passes.tools.ge_opt import main
from passes.why import Explanation, explain, fusion_table

TOUR = Path(__file__).resolve().parents[2] / "examples" / "tour.mlir"
T = "tensor<1x2x4x4xf32>"
NET = """
ge.graph @net(%x: tensor<1x2x4x4xf32>) {
  %w = ge.Const() {value = dense<0.5> : tensor<2x2x1x1xf32>} : tensor<2x2x1x1xf32>
  %g = ge.Const() {value = dense<1.5> : tensor<2xf32>} : tensor<2xf32>
  %c = ge.Conv2D(%x, %w) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW"} : tensor<1x2x4x4xf32>
  %y = ge.BNInfer(%c, %g, %g, %g, %g) {epsilon = 0.001} : tensor<1x2x4x4xf32>
  %r = ge.Relu(%y) : tensor<1x2x4x4xf32>
  %s = ge.Relu(%y) : tensor<1x2x4x4xf32>
  %z = ge.Add(%r, %s) : tensor<1x2x4x4xf32>
  ge.NetOutput(%z)
}
"""  # noqa: E501


def why(name: str, text: str = NET, pipeline: str = "ge-default") -> Explanation:
    (found,) = explain(parse_module(text), pipeline, name)
    return found


def decisions(found: Explanation) -> list[tuple[str, str, str]]:
    return [(s.label, r.category or "", r.message) for s in found.said for r in s.remarks]


def test_a_fused_node_is_followed_into_the_one_that_stands_for_it():
    found = why("c")
    said = decisions(found)
    assert ("fuse/conv-bn-fold", "applied", "conv-bn applied") in said
    assert ("format/engine-claim", "applied", "placed on AIcoreEngine") in said
    layout = "result 0 lies in NC1HWC0, its own choice"
    assert ("format/heavy-format-propagation", "applied", layout) in said
    (before,) = found.before
    assert (before.name, before.op, before.graph) == ("c", "Conv2D", "net")
    (after,) = found.after
    assert (after.name, after.op, after.origins) == ("y", "Conv2D", ("y", "c"))
    assert "AIcoreEngine" in after.facts
    assert "prune" in found.silent


def test_a_missed_fusion_says_which_condition_failed_and_what_held():
    found = why("c", NET.replace("ge.NetOutput(%z)", "ge.NetOutput(%z, %c)"), "prepare,fuse")
    (missed,) = [r for s in found.said for r in s.remarks if r.category == "missed"]
    assert missed.reason == "the result of the convolution has other users"
    assert missed.node == "y"
    text = found.render()
    assert "missed    conv-bn missed: the result of the convolution has other users at y" in text
    assert "with c" in text
    assert "; a parameter of the normalisation is no constant;" in text


def test_a_candidate_whose_shape_does_not_fit_is_listed_too():
    text = NET.replace("ge.BNInfer(%c,", "ge.BNInfer(%x,")
    reason = "conv-bn does not fit: a graph input is not made by Conv2D or DepthwiseConv2D"
    assert ("fuse/conv-bn-fold", "unmatched", reason) in decisions(why("y", text, "fuse"))


def test_a_merged_node():
    found = why("s")
    assert ("stage1/common-subexpression-elimination", "applied", "merged into 'r'") in decisions(
        found
    )
    assert [n.name for n in found.after] == ["r"]


def test_a_removed_node():
    text = NET.replace("  ge.NetOutput", f"  %dead = ge.Neg(%x) : {T}\n  ge.NetOutput")
    found = why("dead", text)
    assert ("prepare/prune", "applied", "removed: nothing depends on it") in decisions(found)
    assert not found.after
    assert found.render().splitlines()[-2] == "  is gone"


def test_a_node_made_by_a_pass():
    found = why("trans_TransData_0", pipeline="prepare,fuse,format")
    assert not found.before
    assert "was not in the input" in found.render()
    assert any("converted from NCHW to NC1HWC0" in m for _, _, m in decisions(found))


def test_a_folded_node_and_its_constants():
    text = NET.replace("  %c =", "  %k = ge.Add(%g, %g) : tensor<2xf32>\n  %c =").replace(
        "BNInfer(%c, %g,", "BNInfer(%c, %k,"
    )
    for name in ("k", "g"):
        said = decisions(why(name, text, "prepare"))
        assert ("prepare/infer-shape-for-preprocess", "applied", "fold-constant applied") in said


def test_asking_about_the_result_finds_what_was_said_of_its_origins():
    names = {r.node for s in why("y").said for r in s.remarks}
    assert "y" in names
    assert ("fuse/conv-bn-fold", "applied", "conv-bn applied") in decisions(why("y"))


def test_unknown_names_are_errors_with_a_hint():
    with pytest.raises(GeError) as caught:
        explain(parse_module(NET.replace("%c", "%conv1")), "prepare", "conv2", "qqq")
    first, second = caught.value.diagnostics
    assert (first.code, first.hint) == ("GX-424", "did you mean 'conv1'?")
    assert "--print-debuginfo" in (second.hint or "")


def test_the_answer_is_plain_data_too():
    data = json.loads(json.dumps(why("c").to_json()))
    assert data["node"] == "c"
    assert [n["name"] for n in data["after"]] == ["y"]
    assert {d["pass"] for d in data["decisions"]} >= {"conv-bn-fold", "engine-claim"}
    assert data["decisions"][0]["remarks"][0]["kind"] in ("applied", "unmatched")


def test_answers_do_not_change_what_is_compiled():
    from ge_dialect.ir.printer import print_module
    from passes import run_pipeline

    plain, asked = parse_module(NET), parse_module(NET)
    run_pipeline(plain, "ge-default", ctx=PassContext())
    explain(asked, "ge-default", "c", "z")
    assert print_module(plain) == print_module(asked)


# ------------------------------------------------------------------------------- the tool


def test_the_tool_answers(capsys: pytest.CaptureFixture[str]):
    args = ["-p", "ge-default", "--why", "conv", "--why", "b", "-o", os.devnull]
    assert main([str(TOUR), *args]) == 0
    err = capsys.readouterr().err
    assert err.index("why conv?") < err.index("why b?")
    assert "applied   conv-bn applied at bn" in err


def test_the_tool_answers_in_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    out = tmp_path / "r.json"
    args = ["-p", "fuse", "--why", "conv", "--remarks-json", str(out), "-o", os.devnull]
    assert main([str(TOUR), *args]) == 0
    (answer,) = json.loads(out.read_text())["why"]
    assert answer["node"] == "conv"


def test_passes_that_were_left_out_are_named(capsys: pytest.CaptureFixture[str]):
    args = ["-p", "fuse", "--disable-pass=conv-bn-fold", "--why", "conv", "-o", os.devnull]
    assert main([str(TOUR), *args]) == 0
    assert capsys.readouterr().err.splitlines()[-1] == "  left out: conv-bn-fold"


def test_the_tool_refuses_unknown_names(capsys: pytest.CaptureFixture[str]):
    args = ["-p", "prepare", "--why", "convv", "-o", os.devnull]
    assert main([str(TOUR), *args]) == ExitCode.USER
    assert "did you mean 'conv'" in capsys.readouterr().err


def test_a_failing_run_is_explained_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "net.mlir").write_text(
        'ge.graph @g(%x: tensor<4xf32>) {\n  %o = ge.Opaque(%x) {type = "M"} : tensor<4xf32>\n'
        "  ge.NetOutput(%o)\n}\n"
    )
    args = ["-p", "ge-default", "--why", "o", "--reproducer-dir", str(tmp_path), "-o", os.devnull]
    assert main([str(tmp_path / "net.mlir"), *args]) == ExitCode.USER
    err = capsys.readouterr().err
    assert "why o?" in err
    assert "GX-503" in err


def test_the_table_counts_candidates():
    ctx = PassContext(remarks_enabled=True)
    from passes.manager import run_pipeline
    from passes.why import Explainer, fusion_result

    watch = Explainer(ctx.sink)
    run_pipeline(parse_module(NET), "fuse", ctx=ctx, instruments=[watch])
    assert "conv-bn-fold" in fusion_table(watch.runs)
    table = fusion_result([watch.runs])["session_and_graph_id_0_0"]["graph_fusion"]
    assert table["conv-bn-fold"] == {"match_times": "1", "effect_times": "1"}


@pytest.mark.parametrize("seed", range(15))
def test_explaining_random_graphs_changes_nothing(seed: int):
    """With every remark, near miss and trace switched on the same graph comes out."""
    import io

    from passes.attempts import Tracer
    from passes.manager import run_pipeline
    from passes.structural_diff import diff
    from passes.testing.seeded import random_spec

    plain, asked = random_spec(seed).build(), random_spec(seed).build()
    run_pipeline(plain, "prepare,fuse,stage1", reproducer=False)
    ctx = PassContext(near_misses=True, tracer=Tracer("*", io.StringIO()))
    run_pipeline(asked, "prepare,fuse,stage1", ctx=ctx, reproducer=False)
    assert plain.text() == asked.text()
    assert diff(plain.module, asked.module).empty
    assert all(r.reason for r in ctx.sink.diagnostics if r.category in ("missed", "unmatched"))


def test_a_wrong_name_does_not_hide_what_went_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "net.mlir").write_text(
        'ge.graph @g(%x: tensor<4xf32>) {\n  %o = ge.Opaque(%x) {type = "M"} : tensor<4xf32>\n'
        "  ge.NetOutput(%o)\n}\n"
    )
    flags = ["--reproducer-dir", str(tmp_path), "-o", os.devnull]
    args = [str(tmp_path / "net.mlir"), "-p", "stream-assignment", "--why", "zzz", *flags]
    assert main(args) == ExitCode.USAGE  # the order of passes is wrong: nothing ran
    err = capsys.readouterr().err
    assert "GX-405" in err
    assert "zzz" not in err
    args[2] = "prepare,engine-claim"
    assert main(args) == ExitCode.USER  # no engine takes an unknown operator
    err = capsys.readouterr().err
    assert "GX-503" in err
    assert "no node is called 'zzz'" in err
