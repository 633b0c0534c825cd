"""Remarks: what passes report, filters, JSON, the matched and effected table, traces."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ge_dialect.diagnostics import Diagnostic, ExitCode, GeError
from ge_dialect.ir.reader import parse_module
from passes import run_pipeline
from passes.context import PassContext
from passes.examples import pass_examples
from passes.registry import pass_class, pass_names
from passes.remarks import Remark, RemarkFilter, parse_filter, remarks_in, to_json
from passes.tools.ge_opt import main

CONV = """
ge.graph @g(%x: tensor<1x2x4x4xf32>) {
  %w = ge.Const() {value = dense<0.5> : tensor<2x2x1x1xf32>} : tensor<2x2x1x1xf32>
  %g = ge.Const() {value = dense<1.5> : tensor<2xf32>} : tensor<2xf32>
  %c = ge.Conv2D(%x, %w) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW"} : tensor<1x2x4x4xf32>
  %y = ge.BNInfer(%c, %g, %g, %g, %g) {epsilon = 0.001} : tensor<1x2x4x4xf32>
  ge.NetOutput(%y)
}
"""  # noqa: E501
SHARED = CONV.replace("ge.NetOutput(%y)", "ge.NetOutput(%y, %c)")


def remarks(text: str, pipeline: str, **settings: object) -> list[Remark]:
    ctx = PassContext(remarks_enabled=True, **settings)  # type: ignore[arg-type]
    run_pipeline(parse_module(text), pipeline, ctx=ctx)
    return remarks_in(ctx.sink.diagnostics)


def said(text: str, pipeline: str, node: str, **settings: object) -> list[tuple[str, str]]:
    return [
        (r.category, r.message)
        for r in remarks(text, pipeline, **settings)
        if r.node == node  # type: ignore[misc]
    ]


# ------------------------------------------------------------------------ what a remark holds


def test_a_missed_rewrite_names_pattern_condition_and_nodes():
    (r,) = [r for r in remarks(SHARED, "conv-bn-fold") if r.category == "missed"]
    assert (r.pass_name, r.pattern, r.node) == ("conv-bn-fold", "conv-bn", "y")
    assert r.reason == "the result of the convolution has other users"
    assert r.involved == ("c",)
    assert "a parameter of the normalisation is no constant" in (r.held or ())
    assert r.render().splitlines()[-1] == "  with: c"


def test_an_applied_rewrite_names_what_went_and_what_came():
    (r,) = remarks(CONV, "conv-bn-fold")
    assert (r.category, r.node, r.origins) == ("applied", "y", ("c", "w", "g"))
    assert r.involved is not None
    assert {"c", "w", "g", "c_filter", "c_bias"} == set(r.involved)


def test_no_remarks_without_being_asked():
    ctx = PassContext()
    run_pipeline(parse_module(SHARED), "ge-default", ctx=ctx)
    assert not ctx.sink.diagnostics


def test_unmatched_shapes_are_only_reported_when_wanted():
    assert not [r for r in remarks(SHARED, "conv-bn-fold") if r.category == "unmatched"]
    alone = SHARED.replace("ge.BNInfer(%c,", "ge.BNInfer(%x,")
    (r,) = [
        r for r in remarks(alone, "conv-bn-fold", near_misses=True) if r.category == "unmatched"
    ]
    assert (r.node, r.reason) == ("y", "a graph input is not made by Conv2D or DepthwiseConv2D")


# ----------------------------------------------------------------------- what passes report

T = "tensor<4xf32>"


def graph(body: str, ends: str) -> str:
    lines = "\n".join(f"  {line.strip()}" for line in body.strip().splitlines())
    return f"ge.graph @g(%x: {T}, %y: {T}) {{\n{lines}\n  ge.NetOutput({ends})\n}}\n"


def test_merging_says_with_what_and_why_not():
    text = graph(
        f"""%a = ge.Cast(%x) {{dst_type = 1}} : tensor<4xf16>
        %b = ge.Cast(%x) {{dst_type = 1}} : tensor<4xf16>
        %c = ge.SoftmaxV2(%x) {{axes = [0]}} : {T}
        %d = ge.SoftmaxV2(%x) {{axes = [-1]}} : {T}
        %e = ge.Relu(%y) {{ge.engine = "A"}} : {T}
        %f = ge.Relu(%y) {{ge.engine = "B"}} : {T}
        %h = ge.Relu(%y) {{ge.attr.no_need_constant_folding = true}} : {T}""",
        "%a, %b, %c, %d, %e, %f, %h",
    )
    assert said(text, "cse", "b") == [("applied", "merged into 'a'")]
    assert said(text, "cse", "d") == [("missed", "not merged with 'c': axes differ")]
    assert said(text, "cse", "f") == [("missed", "not merged with 'e': ge.engine differ")]
    pinned = "not merged with 'e': a node is marked no_need_constant_folding"
    assert said(text, "cse", "h") == [("missed", pinned)]


def test_merging_of_random_nodes_is_refused_with_a_reason():
    text = """
    ge.graph @g(%s: tensor<1xi64>) {
      %a = ge.RandomUniform(%s) {dtype = f32, seed = 1} : tensor<?xf32>
      %b = ge.RandomUniform(%s) {dtype = f32, seed = 1} : tensor<?xf32>
      ge.NetOutput(%a, %b)
    }
    """
    assert said(text, "cse", "b") == [
        ("missed", "not merged with 'a': the operator may have an effect")
    ]


def test_pruning_says_why_a_dead_node_stays():
    text = graph(
        f"""%a = ge.Relu(%x) {{ge.attr._force_skip_prune = true}} : {T}
        %b = ge.Opaque(%x) {{type = "Mystery"}} : {T}
        %c = ge.Opaque(%x) {{type = "Mystery"}} : {T}
        %d = ge.Relu(%y) : {T}""",
        "%x",
    )
    assert said(text, "prune", "a") == [("missed", "not removed: _force_skip_prune is set")]
    for node in "bc":
        assert said(text, "prune", node) == [("missed", "not removed: it may have an effect")]
    assert said(text, "prune", "d") == [("applied", "removed: nothing depends on it")]


def test_folding_says_when_it_hits_its_limit():
    text = graph(
        "%c = ge.Const() {value = dense<1.0> : tensor<1xf32>} : tensor<1xf32>\n"
        "%n = ge.Const() {value = dense<[1000]> : tensor<1xi64>} : tensor<1xi64>\n"
        "%r = ge.BroadcastTo(%c, %n) : tensor<1000xf32>",
        "%r",
    )
    (found,) = [r for r in remarks(text, "constant-folding{max-bytes=64}") if r.node == "r"]
    assert (found.category, found.reason) == ("missed", "the result is larger than max-bytes")
    assert found.involved == ("c", "n")


def test_engines_say_what_was_asked_and_why_a_node_falls_back():
    text = "ge.graph @g(%x: tensor<8xf64>) {\n  %a = ge.Exp(%x) : tensor<8xf64>\n" \
           "  ge.NetOutput(%a)\n}\n"  # fmt: skip
    found = [r for r in remarks(text, "engine-claim") if r.node == "a"]
    assert [r.category for r in found] == ["missed", "applied"]
    assert found[0].message.startswith("AIcoreEngine ")
    assert found[1].message == "placed on DNN_VM_AICPU"
    assert len(found[1].held or ()) == 3
    kept = text.replace("ge.Exp(%x)", 'ge.Exp(%x) {ge.engine = "DNN_VM_AICPU"}')
    assert said(kept, "engine-claim", "a") == [("analysis", "DNN_VM_AICPU is kept")]


def test_layouts_say_who_chose_and_what_was_converted():
    text = CONV.replace("f32", "f16").replace("tensor<2xf16>", "tensor<2xf32>")
    found = remarks(text, "engine-claim,heavy-format-propagation")
    by_node = {r.node: r for r in found if r.pass_name == "heavy-format-propagation"}
    assert by_node["c"].message == "result 0 lies in NC1HWC0, its own choice"
    assert by_node["y"].message == "result 0 lies in NC1HWC0, as its data comes in"
    assert by_node["y"].involved == ("c",)
    assert by_node["w"].message == "constant laid out as FRACTAL_Z"
    (conversion,) = [r for n, r in by_node.items() if n is not None and "_0" in n]
    assert conversion.message == "converted from NCHW to NC1HWC0 for Conv2D on AIcoreEngine"
    reduced = "ge.ReduceMaxD(%y) {axes = [1], keep_dims = true} : tensor<1x1x4x4xf16>"
    lost = text.replace("ge.NetOutput(%y)", f"%z = {reduced}\n  ge.NetOutput(%z)")
    assert said(lost, "engine-claim,heavy-format-propagation", "z")[-1] == (
        "missed",
        "layout not kept: reduces C",
    )


# ----------------------------------------------------------------------------------- filters


def remark(**fields: object) -> Remark:
    given = {"category": "missed", "pass_name": "conv-bn-fold", "node": "layer1/bn", **fields}
    return Remark("GX-421", "conv-bn missed: other users", "remark", **given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "accepted"),
    [
        ("all", True),
        ("missed", True),
        ("applied", False),
        ("applied,analysis", False),
        ("applied,missed", True),
        ("conv-bn-fold", True),
        ("conv-*", True),
        ("missed,prune", False),
        ("missed,prune,conv-*", True),
        ("!conv-*", False),
        ("missed,!prune", True),
        ("/other/", True),
        ("/other,? users/", True),
        ("/^other/", False),
        ("node:layer1/*", True),
        ("node:layer2/*", False),
        ("node:conv1", True),
        ("node:src", True),
        ("pattern:conv-b?", True),
        ("pattern:x", False),
        ("cse", False),
        ("unmatched", False),
    ],
)
def test_filters(text: str, accepted: bool):
    found = remark(pattern="conv-bn", involved=("conv1",), origins=("src",))
    assert parse_filter(text).accepts(found) is accepted


@pytest.mark.parametrize("text", ["some", "convbn-fold", "/[/", "!nope"])
def test_bad_filters_are_usage_errors(text: str):
    with pytest.raises(GeError) as caught:
        parse_filter(text)
    assert caught.value.exit_code == ExitCode.USAGE
    assert caught.value.diagnostics[0].code == "GX-008"


def test_a_mistyped_pass_has_a_hint():
    with pytest.raises(GeError, match="did you mean 'conv-bn-fold'"):
        parse_filter("convbn-fold")


def test_plain_diagnostics_pass_filters_too():
    plain = Diagnostic("GX-420", "done", "remark", category="applied", node="a")
    assert RemarkFilter().accepts(plain)
    assert not parse_filter("node:b").accepts(plain)


def test_json_has_short_entries():
    assert to_json([remark(involved=("c",), reason="other users", pattern="conv-bn")]) == [
        {
            "kind": "missed",
            "pass": "conv-bn-fold",
            "pattern": "conv-bn",
            "node": "layer1/bn",
            "message": "conv-bn missed: other users",
            "reason": "other users",
            "involved": ["c"],
            "code": "GX-421",
        }
    ]


# ---------------------------------------------------------------------------------- the tool


@pytest.fixture
def shared(tmp_path: Path) -> str:
    (tmp_path / "net.mlir").write_text(SHARED)
    return str(tmp_path / "net.mlir")


def run(capsys: pytest.CaptureFixture[str], *args: str, status: int = 0) -> str:
    assert main([*args, "-o", os.devnull]) == status
    return capsys.readouterr().err


def test_the_tool_filters(shared: str, capsys: pytest.CaptureFixture[str]):
    err = run(capsys, shared, "-p", "prepare,fuse", "--remarks=missed,conv-*")
    assert err.count("remark[missed]") == 1
    assert "  with: c\n" in err
    assert run(capsys, shared, "-p", "prepare,fuse", "--remarks=node:nothing") == ""


def test_remarks_as_json(shared: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    out = tmp_path / "remarks.json"
    assert run(capsys, shared, "-p", "fuse", "--remarks-json", str(out)) == ""
    data = json.loads(out.read_text())
    assert data["version"] == 1
    assert [(r["pass"], r["kind"], r["node"]) for r in data["remarks"]] == [
        ("conv-bn-fold", "missed", "y")
    ]
    run(capsys, shared, "-p", "fuse", "--remarks=applied", "--remarks-json", str(out))
    assert json.loads(out.read_text())["remarks"] == []


def test_the_fusion_report_counts_matched_and_effected(
    shared: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    out = tmp_path / "fusion_result.json"
    run(capsys, shared, "-p", "prepare,fuse", "--fusion-report", str(out))
    table = json.loads(out.read_text())["session_and_graph_id_0_0"]["graph_fusion"]
    assert table["conv-bn-fold"] == {
        "match_times": "1",
        "effect_times": "0",
        "missed": {"the result of the convolution has other users": "1"},
    }
    assert table["normalize-io"]["effect_times"] == "1"
    err = run(capsys, shared, "-p", "fuse", "--fusion-report", "-")
    assert err.splitlines()[0].split() == ["pass", "matched", "effected"]
    assert "      1  the result of the convolution has other users\n" in err


def test_a_trace_of_a_pattern(shared: str, capsys: pytest.CaptureFixture[str]):
    err = run(capsys, shared, "-p", "fuse", "--trace-pattern=conv-bn")
    assert err.splitlines()[0] == "[conv-bn-fold] conv-bn at y (BNInfer)"
    assert err.splitlines()[-2:] == [
        "    FAIL  the result of the convolution has other users",
        "    missed",
    ]


def test_a_trace_of_no_pattern(shared: str, capsys: pytest.CaptureFixture[str]):
    """Patterns are made as passes run, so that a wrong name is known at the end, and warned of."""
    err = run(capsys, shared, "-p", "fuse", "--trace-pattern=conv-bm")
    lines = err.splitlines()
    assert lines[0] == (
        "warning: GX-419: --trace-pattern: no pattern of this run is called 'conv-bm'"
    )
    assert "conv-bn" in lines[1]
    assert lines[2:] == ["  hint: did you mean 'conv-bn'?"]
    err = run(capsys, shared, "-p", "fuse", "--trace-pattern=conv-bn-fold")
    assert "  hint: that is a pass; it has the pattern 'conv-bn'\n" in err
    err = run(capsys, shared, "-p", "cse", "--trace-pattern=conv-bn")
    assert "  found: no patterns at all\n" in err


def test_a_trace_of_a_pattern_that_finds_no_node(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    part = "ge.graph @g(%x: tensor<4xf32>) {\n  ge.NetOutput(%x)\n}\n"
    path = tmp_path / "net.mlir"
    path.write_text(f"{part}// -----\n{part}")
    report = tmp_path / "r.json"
    words = ("--split-input-file", "--trace-pattern=conv-bn", "--json-report", str(report))
    err = run(capsys, str(path), "-p", "fuse", *words)
    assert err.splitlines() == [
        "warning: GX-419: --trace-pattern: 'conv-bn' was not tried",
        "  found: no node that it starts from",
        "  pass: conv-bn-fold",
    ]
    assert [d["code"] for d in json.loads(report.read_text())["diagnostics"]] == ["GX-419"]


def test_the_driver_of_ge(shared: str, capsys: pytest.CaptureFixture[str]):
    err = run(capsys, shared, "-p", "prepare", "--driver=ge", "--remarks=analysis")
    assert "GE's sweep: " in err


def test_explaining_costs_nothing_unless_asked():
    code = (
        "import sys; from passes.tools.ge_opt import main; main(['--help']);"
        "print('passes.why' in sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stderr == "False\n"


@pytest.mark.parametrize("name", pass_names())
def test_every_pass_says_what_it_did_on_its_example(name: str):
    """A pass that changes the graph without a word cannot be asked why."""
    for example in pass_examples(pass_class(name)):
        ctx = PassContext(remarks_enabled=True)
        report = run_pipeline(
            parse_module(example.before), example.pipeline, ctx=ctx, reproducer=False
        )
        changed = any(r.changed for r in report.runs if r.name == name)
        own = [r for r in remarks_in(ctx.sink.diagnostics) if r.pass_name == name]
        assert not changed or any(r.category in ("applied", "analysis") for r in own)
        assert all(r.category != "missed" or r.reason for r in own), "a miss without a reason"
