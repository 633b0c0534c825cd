"""Inputs nobody would write on purpose: a short diagnostic with a code, never an internal error."""

from __future__ import annotations

import io
import os
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from ge_dialect import api
from ge_dialect.diagnostics import GeError
from passes import run_pipeline
from passes.options import option_types, plain_type
from passes.prepare.constant_folding import ConstantFolding
from passes.registry import pass_class, pass_names
from passes.testing import check
from runtime import simulate
from tests.tools.refusals import NET, Tool, graph, refused

# --- values of options -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        "ge-opt net.mlir -p cse --rewrite-limit=-1",
        "ge-opt net.mlir -p cse --pass-timeout=-1",
        "ge-opt net.mlir -p cse --pass-timeout=nan",
        "ge-opt net.mlir -p cse --pass-timeout=inf",
        "ge-opt net.mlir -p cse --validate=each --validate-seed=-5",
        "ge-opt net.mlir -p cse --soc=",
        "ge-opt net.mlir -p cse --output=",
        "ge-run net.mlir --random-inputs -1",
        "ge-run net.mlir --random-inputs x",
        "ge-run net.mlir --random-inputs 0 --seed -1",
        "ge-run net.mlir --random-inputs 0 --check -1",
        "ge-run net.mlir --random-inputs 0 --check nan",
        "ge-run net.mlir --random-inputs 0 --golden --trace t.json",
        "ge-run net.mlir --random-inputs 0 --golden --mode eager",
        "ge-run net.mlir --random-inputs 0 --host-queue 3",
        "ge-run net.mlir --random-inputs 0 --outputs=",
        "ge-run net.mlir --time-only --values v.npz",
        "ge-run",
        "ge-translate net.mlir --dump-level 9",
        "ge-translate net.mlir --random-weights -1",
        "ge-reduce net.mlir -p cse --timeout -1",
        "ge-reduce net.mlir -p cse --max-time nan",
        "ge-reduce net.mlir -p cse --max-trials -5",
        "ge-reduce net.mlir -p cse --seed -1",
        "ge-reduce net.mlir -p cse --fails value --test true",
        "ge-reduce net.mlir -p cse --fails timeout=soon",
        "ge-reduce net.mlir -p cse --fails diagnostic=nonsense",
        "ge-reduce net.mlir -p cse --timeout 0",
        "ge-reduce net.mlir -p cse --max-time 0",
        "ge-reduce net.mlir -p cse --max-trials 0",
        "ge-opt net.mlir -p cse --verify-each=maybe",
        "ge-reduce net.mlir -p cse --fails timeout=-1",
    ],
)
def test_wrong_use(tool: Tool, inside: Path, arguments: str) -> None:
    refused(tool, *arguments.split(), status=2, code="GX-008")


@pytest.mark.parametrize(
    "arguments",
    [
        "ge-opt net.mlir -p cse --dump-ge-level 1",
        "ge-opt net.mlir -p cse --dump-ge-filter A",
        "ge-opt net.mlir -p cse --print-ir-graph g",
        "ge-opt net.mlir -p cse --validate-seed 0",
        "ge-opt net.mlir -p cse --json-report -",
        "ge-opt net.mlir -p cse -o - --remarks-json -",
        "ge-opt net.mlir -p cse -o o --remarks-json - --json-report -",
        "ge-opt net.mlir -p cse --bisect --print-ir-after-all",
        "ge-opt net.mlir -p cse --bisect --remarks all",
        "ge-opt net.mlir --run-reproducer --stop-after fuse",
        "ge-opt net.mlir --validate each",
        "ge-opt net.mlir --print-ir-after-all",
        "ge-opt net.mlir --bisect",
        "ge-opt net.mlir --diff-dump a b",
        "ge-opt -p cse --diff-dump a b",
        "ge-run net.mlir --golden --random-inputs 0 --soc Ascend910B2",
        "ge-run net.mlir --golden --random-inputs 0 --schedule nominal",
        "ge-run net.mlir --golden --random-inputs 0 --sanitize",
        "ge-run net.mlir --random-inputs 0 --host-queue 1",
        "ge-run net.mlir --mode eager --random-inputs 0 --schedule adversarial:1",
        "ge-run net.mlir --mode eager --random-inputs 0 --sanitize",
        "ge-run net.mlir --time-only --random-inputs 0",
        "ge-run net.mlir --random-inputs 0 --max-steps 5",
        "ge-run net.mlir --random-inputs 0 --trace - --op-summary -",
        "ge-translate net.mlir --random-weights 0 --abstract-weights",
        "ge-translate model:bert-base:layers=1 --input-weights .",
        "ge-reduce net.mlir -p cse --fails crash --inputs x.npz",
        "ge-reduce net.mlir --test true --seed 1",
    ],
)
def test_options_that_would_do_nothing(tool: Tool, inside: Path, arguments: str) -> None:
    said = refused(tool, *arguments.split(), status=2, code="GX-008")
    assert any(word in said for word in ("does nothing", "exclude", "would both go to"))


@pytest.mark.parametrize(
    "arguments",
    [
        *("--pipeline=cse --inputs x.npz", "--pipeline=cse --beside x.json"),
        *("--pipeline=cse --seed -1", "--pipeline=cse --profil quick"),
        *("net.mlir --pipeline=cse --profile quick", "net.mlir --pipeline=cse --folder ."),
        *("net.mlir --pipeline=cse --property=values --beside x.json", "--pipeline="),
    ],
)
def test_wrong_use_of_the_check(
    inside: Path, capsys: pytest.CaptureFixture[str], arguments: str
) -> None:
    assert check.main(arguments.split()) == 2
    assert "GX-008: " in capsys.readouterr().err


def test_files_of_the_check(inside: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (inside / "spec.json").write_text("{}")
    (inside / "y.npz").write_bytes(saved(y=np.zeros(4, np.float32)))
    for option, code in (("--beside=spec.json", "GX-001"), ("--inputs=y.npz", "GX-602")):
        assert check.main(["net.mlir", "--pipeline=cse", option]) == 1
        assert code in capsys.readouterr().err


@pytest.mark.parametrize(
    "flag",
    [
        *("--dump-dir", "--dump-ge", "--json-report", "--reproducer-dir", "--weights", "--why"),
        *("--disable-pass", "--enable-pass", "--print-ir-after", "--start-at", "--trace-pattern"),
    ],
)
def test_options_without_a_value(tool: Tool, inside: Path, flag: str) -> None:
    said = refused(tool, "ge-opt", "net.mlir", "-p", "cse", f"{flag}=", status=2, code="GX-008")
    assert "a name is missing" in said


@pytest.mark.parametrize("kind", ["adversarial", "adversarial:", "adversarial:-1", "adversarial:²"])
def test_a_schedule_without_a_seed(tool: Tool, inside: Path, kind: str) -> None:
    run = ("ge-run", "net.mlir", "--random-inputs", "0", "--schedule", kind)
    assert "adversarial:0" in refused(tool, *run, status=2, code="GX-610")
    with pytest.raises(GeError, match="GX-610"):
        simulate("net.mlir", [np.zeros(4, np.float32)], mode="eager", schedule=kind)


def test_numbers_of_passes_have_a_domain(tool: Tool, inside: Path) -> None:
    for name in pass_names():
        for option, kind in option_types(pass_class(name)).items():
            if plain_type(kind) in (int, float):
                assert kind != plain_type(kind), f"{name}: least value of {option}"
    text = "constant-folding{max-bytes=-1}"
    said = refused(tool, "ge-opt", "net.mlir", "-p", text, status=2, code="GX-404")
    assert "at least 0" in said
    with pytest.raises(GeError, match="GX-404"):
        run_pipeline(api.load("net.mlir"), ConstantFolding(max_bytes=-1))


def test_names_of_passes_that_are_not_there(tool: Tool, inside: Path) -> None:
    text = f"{NET}// -----\n{NET}"
    done = tool(
        *("ge-opt", "-", "-p", "cse", "--split-input-file", "--enable-pass=conv-bn-fold"),
        *("--disable-pass=dce", "--print-ir-after=infer-shape"),
        stdin=text.encode(),
    )
    said = done.err.decode()
    assert (done.status, said.count("warning: GX-416: ")) == (0, 3)
    assert "its stage 'fuse' is not in the pipeline" in said
    assert "--pipeline=common-subexpression-elimination,conv-bn-fold" in said
    quiet = tool("ge-opt", "net.mlir", "-p", "fuse", "--enable-pass=conv-scale-fold")
    assert (quiet.status, quiet.err) == (0, b"")
    report = run_pipeline(api.load("net.mlir"), "cse", disable=["prune"], enable=["prune"])
    assert "enabled and disabled" in report.diagnostics[0].message


@pytest.mark.parametrize(
    "arguments",
    [
        "ge-translate net.mlir --to onnx",
        "ge-run net.mlir --random-inputs 0 --outputs -",
        "ge-run net.mlir --golden --random-inputs 0 --values -",
    ],
)
def test_bytes_do_not_go_to_a_terminal(inside: Path, arguments: str) -> None:
    """The standard output is a terminal of its own; nothing but the diagnostic is said."""
    import pty

    command, *rest = arguments.split()
    module = {"ge-run": "runtime.tools.ge_run"}.get(command, "ge_dialect.tools.ge_translate")
    ours, theirs = pty.openpty()
    try:
        done = subprocess.run(
            [sys.executable, "-m", module, *rest], stdout=theirs, stderr=subprocess.PIPE, timeout=60
        )
    finally:
        os.close(theirs)
        os.close(ours)
    assert done.returncode == 2
    said = done.stderr.decode()
    assert "GX-002" in said
    assert "> FILE" in said


def test_a_very_long_time_limit(tool: Tool, inside: Path) -> None:
    assert tool("ge-opt", "net.mlir", "-p", "cse", "--pass-timeout", "1e300").status == 0


# --- files -----------------------------------------------------------------------------------


def saved(**arrays: np.ndarray) -> bytes:
    """The bytes of an .npz."""
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return stream.getvalue()


def archive(name: str, data: bytes) -> bytes:
    """A zip archive of one member."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as made:
        made.writestr(name, data)
    return stream.getvalue()


GOOD = saved(x=np.zeros(4, np.float32))
SINGLE = io.BytesIO()
np.save(SINGLE, np.zeros(4, np.float32))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"hello",
        SINGLE.getvalue(),
        GOOD[:60],
        GOOD[:-3],
        archive("x.npy", b"garbage"),
        archive("x.npy", b"\x93NUMPY\x01\x00\x05\x00{'a':"),
        archive("x", b"text"),
        saved(x=np.array([None, 1], dtype=object)),
        GOOD.replace(b"'<f4'", b"'<q9'"),
    ],
    ids=["empty", "text", "npy", "cut", "end", "garbage", "header", "other", "objects", "dtype"],
)
def test_inputs_that_are_no_npz(tool: Tool, inside: Path, data: bytes) -> None:
    (inside / "in.npz").write_bytes(data)
    refused(tool, "ge-run", "net.mlir", "--inputs", "in.npz", code="GX-611")
    validate = ("-p", "cse", "--validate=each", "--validate-inputs", "in.npz")
    refused(tool, "ge-opt", "net.mlir", *validate, code="GX-001")


def test_dump_folder_that_cannot_be(tool: Tool, inside: Path) -> None:
    for folder in ("net.mlir", "net.mlir/below", "/dev/null"):
        refused(tool, "ge-opt", "net.mlir", "-p", "cse", "--dump-dir", folder, code="GX-002")


def test_reduce_refuses_what_it_cannot_use(tool: Tool, inside: Path) -> None:
    common = ("ge-reduce", "net.mlir", "-p", "ge-default", "-o", "small.mlir")
    refused(tool, *common, "--soc", "nope", code="GX-501")
    for text in ("x = (", "raise KeyError(3)", "import sys; sys.exit(0)"):
        (inside / "passes_of_mine.py").write_text(text)
        said = refused(tool, *common, "--load", "passes_of_mine.py", code="GX-025")
        assert "passes_of_mine.py" in said


# --- text ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("opening", "closing"), [("[", "]"), ("{a = ", "}"), ('loc("a"(', "))"), ("tuple<", ">")]
)
@pytest.mark.parametrize("depth", [120, 300, 3000])
def test_deep_attributes(tool: Tool, inside: Path, opening: str, closing: str, depth: int) -> None:
    if opening.startswith("loc"):
        where = 'loc("n"(' + '"a"(' * depth + '"b"' + ")" * depth + "))"
        text = NET.replace("ge.Relu(%x) : tensor<4xf32>", f"ge.Relu(%x) : tensor<4xf32> {where}")
    else:
        inner = {"[": "", "{a = ": "1", "tuple<": "i1"}[opening]
        value = opening * depth + inner + closing * depth
        text = NET.replace("(%x) :", f"(%x) {{ge.v = {value}}} :")
    for form in ("--print-debuginfo", "--print-op-generic"):
        refused(tool, "ge-opt", "-", "-p", "cse", form, stdin=text, code="GX-110")


@pytest.mark.parametrize(
    "type_",
    [
        f"tensor<{'9' * 30}xf32>",
        "tensor<99999999999x99999999999x999999999xf32>",
        "tensor<0x4611686018427387904x4611686018427387904xf32>",
        f"tensor<{'1x' * 65}f32>",
    ],
)
def test_tensors_that_cannot_exist(tool: Tool, inside: Path, type_: str) -> None:
    commands = ("ge-opt - -p cse", "ge-opt - -p ge-default", "ge-run - --random-inputs 0")
    for command in (*commands, "ge-run - --time-only", "ge-run - --golden --random-inputs 0"):
        refused(tool, *command.split(), status=3, code="GX-204", stdin=graph(type_))


def test_constants_that_fit_no_memory(tool: Tool, inside: Path) -> None:
    text = graph("tensor<1000000000000xf32>", "dense<1.0> : tensor<1000000000000xf32>")
    said = refused(tool, "ge-opt", "-", "-p", "ge-default", code="GX-113", stdin=text)
    assert "<stdin>:2:" in said


def test_long_names_do_not_fill_the_screen(tool: Tool, inside: Path) -> None:
    for text in (NET.replace("Relu", "R" * 100_000), NET.replace("f32>\n", f"f32> {'z' * 9999}\n")):
        done = tool("ge-opt", "-", stdin=text.encode())
        assert done.status == 1
        assert b"GX-112" in done.err
        assert len(done.err) < 2000


def test_a_node_that_a_pass_made_has_a_place(tool: Tool, inside: Path) -> None:
    for dims in ("?", "*"):
        text = graph(f"tensor<{dims}xf32>")
        said = refused(tool, "ge-opt", "-", "-p", "ge-default", code="GX-511", stdin=text)
        assert all(line.startswith("<stdin>:") for line in said.splitlines() if "error" in line)


def test_block_labels_say_what_is_wrong(tool: Tool, inside: Path) -> None:
    text = (
        '"builtin.module"() ({\n  "ge.graph"() ({\n  ^0(%x: i1):\n  }) : () -> ()\n}) : () -> ()\n'
    )
    said = refused(tool, "ge-opt", "-", code="GX-119", stdin=text)
    assert "('" not in said


# --- streams ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "status", "words"),
    [
        ("-p cse net.mlir >&-", 1, "standard output is closed"),
        ("--list-passes >&-", 1, "standard output is closed"),
        ("-p cse net.mlir -o out.mlir >&-", 0, ""),
        ("-p cse <&-", 1, "GX-009"),
        ("-p nope net.mlir 2>&-", 2, ""),
    ],
)
def test_streams_that_are_closed(inside: Path, command: str, status: int, words: str) -> None:
    tool = shlex.join([sys.executable, "-m", "passes.tools.ge_opt"])
    shell = ["sh", "-c", f"{tool} {command}"]
    done = subprocess.run(shell, capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stderr
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


# --- graphs ----------------------------------------------------------------------------------

ODD_GRAPHS = {
    "reinterpret to another rank": """\
ge.graph @g(%x: tensor<4x1xf32>) {
  %y = ge.Reinterpret(%x) : tensor<4xf32>
  %z = ge.Reinterpret(%y) : tensor<2x2xi32>
  ge.NetOutput(%y, %z)
}
""",
    "reinterpret a scalar": """\
ge.graph @g(%x: tensor<f32>) {
  %y = ge.Reinterpret(%x) : tensor<1xui32>
  %z = ge.Add(%y, %y) : tensor<1xui32>
  ge.NetOutput(%y, %z)
}
""",
    "channels last of rank 3": """\
ge.graph @g(%x: tensor<2x3x3xf32>, %v: tensor<3xf32>, %w: tensor<3xf32>) {
  %s = ge.Abs(%v) : tensor<3xf32>
  %y, %a, %b, %c, %d, %e = ge.BatchNorm(%x, %w, %w, mean = %v, variance = %s) {is_training = false} : tensor<2x3x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
  ge.NetOutput(%y)
}
""",  # noqa: E501
    "no element": """\
ge.graph @g(%x: tensor<0x3xf32>) {
  %y = ge.Relu(%x) : tensor<0x3xf32>
  ge.NetOutput(%y, %x, %y)
}
""",
}


@pytest.mark.parametrize("name", ODD_GRAPHS)
@pytest.mark.parametrize("mode", ["graph", "eager"])
def test_odd_graphs_have_their_golden_values(
    tool: Tool, inside: Path, name: str, mode: str
) -> None:
    arguments = ("ge-run", "-", "--random-inputs", "0", "--check", "1e-5", "--mode", mode)
    done = tool(*arguments, "--outputs", "out.npz", stdin=ODD_GRAPHS[name].encode())
    assert done.status == 0, done.err.decode()
    golden = (*arguments[:4], "--golden", "--outputs", "golden.npz")
    assert tool(*golden, stdin=ODD_GRAPHS[name].encode()).status == 0
    for (_, got), (_, want) in zip(
        np.load("out.npz").items(), np.load("golden.npz").items(), strict=True
    ):
        assert (got.dtype, got.shape) == (want.dtype, want.shape)


def test_dumps_with_odd_escapes(tool: Tool, inside: Path) -> None:
    (inside / "dump.txt").write_text('graph { name: "g\\xZZ\\777\\u" }\n')
    for command in ("ge-translate dump.txt", "ge-opt dump.txt -p cse"):
        done = tool(*command.split())
        assert done.status in (0, 1, 3), done.err.decode()


def test_the_determinant_of_a_matrix_with_nan(tool: Tool, inside: Path) -> None:
    text = """\
ge.graph @g(%x: tensor<2x2x2xf32>) {
  %y = ge.MatrixDeterminant(%x) : tensor<2xf32>
  ge.NetOutput(%y)
}
"""
    (inside / "in.npz").write_bytes(
        saved(x=np.array([[[np.nan, 1], [1, 1]], [[2, 0], [0, 3]]], np.float32))
    )
    for mode in (("--golden",), ("--mode", "eager")):
        done = tool(
            "ge-run", "-", "--inputs", "in.npz", *mode, "--outputs", "o.npz", stdin=text.encode()
        )
        assert done.status == 0, done.err.decode()
        (y,) = np.load("o.npz").values()
        assert np.isnan(y[0])
        assert y[1] == pytest.approx(6)


def test_an_infinity_stays_in_the_windows_that_see_it(tool: Tool, inside: Path) -> None:
    text = """\
ge.graph @g(%x: tensor<1x9x1x2xf32>) {
  %y = ge.LRN(%x) {depth_radius = 1} : tensor<1x9x1x2xf32>
  ge.NetOutput(%y)
}
"""
    x = np.ones((1, 9, 1, 2), np.float32)
    x[0, 1, 0, 0], x[0, 2, 0, 1] = np.inf, np.nan
    (inside / "in.npz").write_bytes(saved(x=x))
    run = ("ge-run", "-", "--inputs", "in.npz", "--mode", "eager", "--check", "1e-6")
    done = tool(*run, stdin=text.encode())
    assert done.status == 0, done.err.decode()


# --- text that looks right -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "column"),
    [
        ("%x: tensor<4x", "%x: tensor<\uff14x", 24),  # a full-width digit
        ("%x: tensor<4x", "%\u0663: tensor<4x", 14),  # an Arabic digit
    ],
)
def test_digits_of_other_scripts(tool: Tool, inside: Path, old: str, new: str, column: int):
    (inside / "net.mlir").write_text(NET.replace(old, new, 1), encoding="utf-8")
    said = refused(tool, "ge-opt", "net.mlir", code="GX-101")
    assert f"net.mlir:1:{column}: " in said


def test_other_scripts_in_names_and_comments(tool: Tool, inside: Path):
    text = "// \u6ce8\u91ca\n" + NET.replace(
        "xf32>\n  ge.Net", 'xf32> loc("\u5377\u79ef")\n  ge.Net'
    )
    (inside / "net.mlir").write_text(text, encoding="utf-8")
    done = tool("ge-opt", "net.mlir", "--print-debuginfo")
    assert done.status == 0
    assert "\u5377\u79ef" in done.out.decode()


def test_resources_are_no_weights(tool: Tool, inside: Path):
    text = graph("tensor<4xf32>", "dense_resource<w> : tensor<4xf32>")
    refused(tool, "ge-opt", stdin=text, status=3, code="GX-207")


def test_weights_folder_that_is_no_string(tool: Tool, inside: Path):
    text = f"builtin.module attributes {{ge.weights = 3}} {{\n{NET}}}\n"
    refused(tool, "ge-opt", stdin=text, code="GX-311")


def test_two_graphs_of_one_name_are_said_once(tool: Tool, inside: Path):
    said = refused(tool, "ge-opt", stdin=NET + NET, status=3, code="GX-219")
    assert said.count("error: ") == 1
    assert "<stdin>:5:1: " in said


@pytest.mark.parametrize(
    "arguments",
    [
        ("ge-opt", "net.mlir", "-o", "a", "--json-report", "a"),
        ("ge-opt", "net.mlir", "-o", "a", "--remarks-json", "./a"),
        ("ge-run", "net.mlir", "--random-inputs", "0", "--trace", "a", "--op-summary", "a"),
    ],
)
def test_two_outputs_to_one_file(tool: Tool, inside: Path, arguments: tuple[str, ...]):
    refused(tool, *arguments, code="GX-002")


@pytest.mark.parametrize(
    "comment", ["expected-error {{undefined", "expected-error@ {{x}}", "expected-error: x"]
)
def test_expectations_that_cannot_be_read(tool: Tool, inside: Path, comment: str):
    text = NET.replace("  %y", f"  // {comment}\n  %y")
    refused(tool, "ge-opt", "--verify-diagnostics", stdin=text, code="GX-413")


def test_a_filter_that_lets_nothing_through(tool: Tool, inside: Path) -> None:
    words = ("ge-opt", "net.mlir", "-p", "fuse", "-o", "o.mlir", "--dump-ge", "d")
    done = tool(*words, "--dump-ge-filter", "Biuld|X")
    assert (done.status, os.listdir("d")) == (0, [])
    assert b"GX-418" in done.err
    assert b"a part of PreRunBegin, PreRunAfterOptimizeOriginalGraph" in done.err
    assert tool(*words, "--dump-ge-filter", "Begin").err == b""


def test_stages_by_their_other_names(tool: Tool, inside: Path) -> None:
    words = ("-p", "infer-shape,cse,prune", "--start-at=cse", "--stop-after=dce")
    done = tool("ge-opt", "net.mlir", *words, "--dump-pass-pipeline")
    assert b"Pass pipeline: common-subexpression-elimination,prune\n" in done.err


@pytest.mark.parametrize(("dtype", "said"), [("si8", "did you mean 'i8'?"), ("i7", "")])
def test_dtypes_that_ge_has_not(tool: Tool, inside: Path, dtype: str, said: str) -> None:
    text = graph(f"tensor<4x{dtype}>")
    err = refused(tool, "ge-opt", stdin=text, status=3, code="GX-209")
    assert "GE has no such dtype" in err
    assert said in err


# --- what stands in a graph and is no node of GE ------------------------------------------------

FOREIGN = {
    "an operation of another dialect": "%y = arith.negf %x : tensor<4xf32>",
    "a module": "builtin.module {\n  }\n  %y = ge.Relu(%x) : tensor<4xf32>",
    "no results": '"test.sink"(%x) : (tensor<4xf32>) -> ()\n  %y = ge.Relu(%x) : tensor<4xf32>',
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_foreign_operations_pass_through_and_do_not_run(
    tool: Tool, inside: Path, kind: str
) -> None:
    text = NET.replace("%y = ge.Relu(%x) : tensor<4xf32>", FOREIGN[kind])
    more = ("--allow-unregistered-dialect",) if "test." in text else ()
    if not more:
        for mode, code in (("graph", "GX-510"), ("eager", "GX-601")):
            words = ("ge-run", "-", "--random-inputs", "0", "--mode", mode)
            assert "<stdin>:2:3: " in refused(tool, *words, code=code, stdin=text)
        golden = ("ge-run", "-", "--random-inputs", "0", "--golden")
        assert "<stdin>:2:3: " in refused(tool, *golden, code="GX-241", stdin=text)
    kept = tool("ge-opt", "-", "-p", "prepare,fuse,stage1", *more, stdin=text.encode())
    assert kept.status == 0, kept.err.decode()
    refused(tool, "ge-opt", "-", "-p", "ge-default", *more, code="GX-510", stdin=text)


def test_a_graph_in_a_graph(tool: Tool, inside: Path) -> None:
    text = NET.replace("  ge.Net", "  " + NET.replace("@g", "@h") + "  ge.Net", 1)
    for command in ("ge-opt -", "ge-run - --random-inputs 0", "ge-translate - --to onnx -o o.onnx"):
        said = refused(tool, *command.split(), status=3, code="GX-217", stdin=text)
        assert "graph @h stands in another graph" in said


def test_types_left_open_are_inferred_in_every_mode(tool: Tool, inside: Path) -> None:
    text = NET.replace(
        "(%x) : tensor<4xf32>", "(%x) : tensor<*xf32>\n  %z = ge.Neg(%y) : tensor<?xf32>"
    )
    for mode in ("graph", "eager"):
        words = ("ge-run", "-", "--random-inputs", "0", "--mode", mode, "--check", "0")
        assert tool(*words, stdin=text.encode()).status == 0


def test_sizes_that_follow_from_values_name_their_node(tool: Tool, inside: Path) -> None:
    text = NET.replace(
        "%y = ge.Relu(%x) : tensor<4xf32>",
        "%m = ge.Cast(%x) {dst_type = 12} : tensor<4xi1>\n  %y = ge.Where(%m) : tensor<?x1xi64>",
    )
    for mode in ("graph", "eager"):
        done = tool("ge-run", "-", "--random-inputs", "0", "--mode", mode, stdin=text.encode())
        if done.status:
            said = done.err.decode()
            assert "<stdin>:3:3: " in said
            assert "node: y" in said


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("\\1B[31mred", "\\x1b[31mred"),
        ("a\\00b", "a\\x00b"),
        ("two\\0Alines", "two\\nlines"),
        ("\\E2\\80\\AEback", "\\u202eback"),
    ],
)
def test_names_are_shown_and_not_obeyed(tool: Tool, inside: Path, name: str, shown: str) -> None:
    text = NET.replace(
        "ge.Relu(%x) : tensor<4xf32>", f'ge.Opaque(%x) {{type = "T"}} : tensor<4xf32> loc("{name}")'
    )
    said = refused(tool, "ge-run", "-", "--random-inputs", "0", code="GX-503", stdin=text)
    assert f"  node: {shown}\n" in said
    assert said.replace("\n", "").isprintable()


# --- habits of other tools --------------------------------------------------------------------

FUNCTION = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = ge.Relu(%x) : tensor<4xf32>
  func.return %y : tensor<4xf32>
}
"""


def test_functions_are_no_graphs(tool: Tool, inside: Path) -> None:
    said = refused(tool, "ge-run", "-", "--random-inputs", "0", code="GX-011", stdin=FUNCTION)
    assert "func-to-graph" in said
    compiled = tool("ge-opt", "-", "-p", "ge-default", stdin=FUNCTION.encode())
    assert compiled.status == 0
    assert b"<stdin>:1:1: warning: GX-515: " in compiled.err
    graphs = tool("ge-opt", "-", "-p", "func-to-graph,ge-default", stdin=FUNCTION.encode())
    assert (graphs.status, graphs.err) == (0, b"")
    assert b"rt.model @main" in graphs.out


def test_nested_pipelines_of_mlir(tool: Tool, inside: Path) -> None:
    said = refused(
        tool, "ge-opt", "net.mlir", "-p", "builtin.module(func.func(cse))", status=2, code="GX-402"
    )
    assert "a pass sees the whole module" in said


def test_custom_forms_of_unknown_dialects(tool: Tool, inside: Path) -> None:
    text = NET.replace("ge.Relu(%x)", "stablehlo.abs %x")
    words = ("ge-opt", "-", "--allow-unregistered-dialect")
    assert "generic form" in refused(tool, *words, code="GX-101", stdin=text)


def test_options_of_atc(tool: Tool, inside: Path) -> None:
    words = ("ge-opt", "net.mlir", "--soc_version=Ascend910B2")
    assert "--soc NAME" in refused(tool, *words, status=2, code="GX-008")
