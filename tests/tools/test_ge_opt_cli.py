"""`ge-opt` as a user calls it: output, printing, dumps, reports, bad input."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

from passes.base import Pass, PassResult
from passes.registry import register_pass, unregister_pass

Tool = Callable[..., Any]

TEXT = """\
ge.graph @g(%x: tensor<4xf32>) {
  %a = ge.Relu(%x) : tensor<4xf32>
  %b = ge.Relu(%a) : tensor<4xf32>
  ge.NetOutput(%b)
}
"""
SHORTER = """\
ge.graph @g(%x: tensor<4xf32>) {
  %a = ge.Relu(%x) : tensor<4xf32>
  ge.NetOutput(%a)
}
"""


@dataclass(frozen=True)
class Drop(Pass):
    """Removes the last Relu of every graph that has two."""

    name: ClassVar[str] = "test-drop"
    stage: ClassVar[str] = "fuse"

    def run(self, module, ctx) -> PassResult:
        found = [op for op in module.walk() if op.name == "ge.Relu"]
        if len(found) < 2:
            ctx.remark("too few", category="missed")
            return PassResult(False)
        ctx.remark("dropped one", op=found[-1])
        found[-1].results[0].replace_all_uses_with(found[-1].operands[0])
        found[-1].detach()
        found[-1].erase()
        return PassResult.from_counters({"dropped": 1})


@dataclass(frozen=True)
class Complain(Pass):
    """Reports errors, or raises."""

    name: ClassVar[str] = "test-complain"
    crash: bool = False
    times: int = 1
    interrupt: bool = False

    def run(self, module, ctx) -> PassResult:
        if self.interrupt:
            raise KeyboardInterrupt
        if self.crash:
            raise RuntimeError("no\nway")
        for op in module.walk():
            if op.name == "ge.Relu":
                for i in range(self.times):
                    ctx.sink.error("GX-414", f"bad Relu {i}", op=op)
        return PassResult(False)


@pytest.fixture(autouse=True)
def passes_known() -> Iterator[None]:
    register_pass(Drop)
    register_pass(Complain)
    yield
    unregister_pass("test-drop")
    unregister_pass("test-complain")


@pytest.fixture
def net(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "net.mlir"
    file.write_text(TEXT)
    return file


def run(tool: Tool, *arguments: str, stdin: str = "", status: int = 0) -> tuple[str, str]:
    done = tool("ge-opt", *arguments, stdin=stdin.encode())
    out, err = done.out.decode(), done.err.decode()
    assert done.status == status, err
    assert "Traceback" not in err
    return out, err


# --- results ---


def test_file_to_stdout(tool: Tool, net: Path) -> None:
    assert run(tool, "net.mlir") == (TEXT, "")
    assert run(tool, "net.mlir", "-p", "test-drop") == (SHORTER, "")


def test_stdin_is_the_default(tool: Tool) -> None:
    assert run(tool, "--pipeline=test-drop", stdin=TEXT) == (SHORTER, "")
    assert run(tool, "-", stdin=TEXT) == (TEXT, "")


def test_output_file(tool: Tool, net: Path) -> None:
    assert run(tool, "net.mlir", "-p", "test-drop", "-o", "out.mlir") == ("", "")
    assert Path("out.mlir").read_text() == SHORTER
    assert sorted(os.listdir()) == ["net.mlir", "out.mlir"]


def test_several_pipelines_run_in_order(tool: Tool) -> None:
    out, err = run(tool, "-p", "test-drop", "-p", "group()", "--dump-pass-pipeline", stdin=TEXT)
    assert out == SHORTER
    assert err == "Pass pipeline: test-drop,group()\n"


def test_generic_form_and_debuginfo_read_back(tool: Tool) -> None:
    generic, _ = run(tool, "--print-op-generic", stdin=TEXT)
    assert '"ge.Relu"(%x)' in generic
    assert run(tool, stdin=generic)[0] == TEXT
    named, _ = run(tool, "--print-debuginfo", stdin=TEXT)
    assert "loc(" in named
    assert run(tool, stdin=named)[0] == TEXT


def test_split_input_file(tool: Tool) -> None:
    text = f"// -----\n{TEXT}// -----\n\n// -----\n{SHORTER}"
    out, _ = run(tool, "--split-input-file", "-p", "test-drop", stdin=text)
    assert out == f"{SHORTER}// -----\n{SHORTER}"


def test_parts_fail_alone_and_nothing_is_written(tool: Tool, tmp_path: Path) -> None:
    bad = "ge.graph @g(%x: tensor<4xf32>) {\n  ge.NetOutput(%nope)\n}\n"
    text = f"{bad}// -----\n{TEXT}// -----\n{bad}"
    output = tmp_path / "out"
    out, err = run(tool, "--split-input-file", "-o", str(output), stdin=text, status=1)
    assert (out, output.exists()) == ("", False)
    assert "<stdin>:2:" in err
    assert "<stdin>:12:" in err


# --- printing, dumping ---


def test_print_ir(tool: Tool) -> None:
    pipeline = "-ptest-drop,test-drop"
    out, err = run(tool, pipeline, "--print-ir-before=test-drop", stdin=TEXT)
    assert out == SHORTER
    banner = "// -----// IR Dump Before test-drop //----- //\n"
    assert err == banner + TEXT + banner + SHORTER
    banner = banner.replace("Before", "After")
    for flag in ("--print-ir-after-change", "--mlir-print-ir-after-change", "--print-ir-change"):
        assert run(tool, pipeline, flag, stdin=TEXT)[1] == banner + SHORTER
    for flag in ("--print-ir-after-all", "--print-ir-after=test-drop"):
        assert run(tool, pipeline, flag, stdin=TEXT)[1] == 2 * (banner + SHORTER)


def test_print_diff(tool: Tool) -> None:
    _, err = run(tool, "-p", "test-drop,test-drop", "--print-ir-diff", stdin=TEXT)
    assert err.count("IR Diff After test-drop") == 1
    assert "-  %b = ge.Relu(%a) : tensor<4xf32>\n" in err


def test_print_one_graph(tool: Tool) -> None:
    two = TEXT + TEXT.replace("@g", "@h")
    _, err = run(tool, "-p", "test-drop", "--print-ir-before-all", "--print-ir-graph=h", stdin=two)
    assert "@h" in err
    assert "@g" not in err
    wrong = ("-ptest-drop", "--print-ir-after-all", "--print-ir-graph=hh")
    out, err = run(tool, *wrong, stdin=two, status=1)
    assert (out, err.splitlines()[0]) == ("", "error: GX-011: no graph is called 'hh'")
    parts = TEXT + "// -----\n" + TEXT.replace("@g", "@h")
    split = ("-ptest-drop", "--print-ir-after-all", "--split-input-file", "--print-ir-graph")
    assert run(tool, *split, "h", stdin=parts)[1].count("@h") == 1
    assert run(tool, *split, "i", stdin=parts, status=1)[0] == ""


def test_dump_dir_has_numbered_files_with_ges_names(tool: Tool, net: Path) -> None:
    run(tool, "net.mlir", "--stop-after=fuse", "--dump-dir=d/e")
    assert sorted(os.listdir("d/e")) == [
        "00-PreRunBegin.mlir",
        "01-prepare-PreRunAfterPrepare.mlir",
        "02-fuse-PreRunAfterOptimizeOriginalGraph.mlir",
    ]
    assert Path("d/e/00-PreRunBegin.mlir").read_text() == TEXT
    run(tool, "net.mlir", "-ptest-drop,test-drop", "--dump-dir=f", "--dump-each")
    assert sorted(os.listdir("f")) == [
        "00-PreRunBegin.mlir",
        "01-test-drop.mlir",
        "02-result.mlir",
    ]


def test_timing_and_statistics_go_to_stderr(tool: Tool) -> None:
    out, err = run(tool, "-p", "test-drop", "--timing", "--statistics", stdin=TEXT)
    assert out == SHORTER
    assert "(S)      1 dropped" in err
    for row in ("Parser", "test-drop", "(V) verify", "Output", "Rest", "Total"):
        assert re.search(rf"\d+\.\d{{4}} \(.*%\)\s+{re.escape(row)}", err), row
    assert "Execution time" in run(tool, "--mlir-timing", "-", stdin=TEXT)[1]
    assert "Execution time" in run(tool, "--timing=list", "-", stdin=TEXT)[1]


def test_remarks(tool: Tool) -> None:
    _, err = run(tool, "-p", "test-drop,test-drop", "--remarks=applied", stdin=TEXT)
    assert err.startswith("<stdin>:3:3: remark[applied]: GX-420: dropped one\n  node: b\n")
    assert "too few" not in err
    assert "too few" in run(tool, "-p", "test-drop,test-drop", "--remarks=all", stdin=TEXT)[1]
    assert "GX-008" in run(tool, "--remarks=some", stdin=TEXT, status=2)[1]


def test_json_report(tool: Tool, tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    run(tool, "-p", "test-drop", "--json-report", str(file), stdin=TEXT)
    data = json.loads(file.read_text())
    assert data["exit_status"] == 0
    assert data["parts"][0]["passes"][0]["pass"] == "test-drop"
    assert data["parts"][0]["passes"][0]["counters"] == {"dropped": 1}
    run(tool, "-p", "test-complain", "--json-report", str(file), stdin=TEXT, status=1)
    data = json.loads(file.read_text())
    assert data["exit_status"] == 1
    assert [d["code"] for d in data["diagnostics"]] == ["GX-414", "GX-414"]


# --- information ---


def test_help(tool: Tool) -> None:
    out, _ = run(tool, "--help")
    assert "examples:" in out
    assert len(out.splitlines()) < 80
    assert max(map(len, out.splitlines())) <= 100


def test_lists(tool: Tool) -> None:
    out, _ = run(tool, "--list-passes")
    assert re.search(r"fuse:\n(  .*\n)*  test-drop +Removes the last Relu", out)
    assert "      times=1  (integer)" in out
    out, _ = run(tool, "--list-pipelines")
    assert out.startswith("prepare          stage ")
    assert "ge-default" in out
    assert "ge" in run(tool, "--show-dialects")[0]
    assert run(tool, "--version")[0].startswith("ge-opt ")


# --- bad input ---


def one_screen(text: str) -> bool:
    return 0 < len(text.splitlines()) <= 50 and max(map(len, text.splitlines())) < 500


@pytest.mark.parametrize(
    ("arguments", "stdin", "status", "parts"),
    [
        (["-p", "nope"], TEXT, 2, ["<pipeline>:1:1", "GX-402"]),
        (["-p", "test-drop{x=1}"], TEXT, 2, ["<pipeline>:1:11", "GX-403"]),
        (["-p", "test-complain{times=a}"], TEXT, 2, ["<pipeline>:1:21", "GX-404"]),
        (["-p", "test-drop,"], TEXT, 2, ["<pipeline>:1:11", "GX-401"]),
        (["--stop-after=nope"], TEXT, 2, ["GX-402", "nope"]),
        (["--disable-pass=test-dropp"], TEXT, 2, ["GX-402", "did you mean 'test-drop'?"]),
        (["-p", "test-drop", "--print-ir-after=x"], TEXT, 2, ["GX-402"]),
        (["--verify=maybe"], TEXT, 2, ["GX-008", "each"]),
        (["--test-drop"], TEXT, 2, ["GX-008", "--pipeline=test-drop"]),
        (["--tming"], TEXT, 2, ["GX-008", "did you mean '--timing'?"]),
        (["a", "b"], TEXT, 2, ["GX-008"]),
        (["--run-reproducer", "-ptest-drop"], TEXT, 2, ["GX-008"]),
        (["--run-reproducer"], TEXT, 2, ["GX-412", "<stdin>:1:1"]),
        ([], "", 1, ["GX-009", "<stdin>:1:1"]),
        ([], " \n\n", 1, ["GX-009"]),
        ([], "ge.graph @g(", 1, ["<stdin>:1:", "GX-1"]),
        ([], TEXT.replace("(%a)", "(%q)"), 1, ["<stdin>:3:16", "GX-1"]),
        ([], "hello world", 1, ["<stdin>:1:1", "GX-1"]),
        ([], TEXT.replace("ge.Relu(%a)", "ge.Reluu(%a)"), 1, ["<stdin>:3:8", "GX-1"]),
        (["no/such.mlir"], "", 1, ["GX-001", "no/such.mlir"]),
        (["."], "", 1, ["GX-001"]),
        (["-o", "no/such/dir/out.mlir"], TEXT, 1, ["GX-002"]),
        (["-o", "."], TEXT, 1, ["GX-002"]),
        (["--json-report", "."], TEXT, 1, ["GX-002"]),
        (["--weights", "no/such"], TEXT, 1, ["GX-001"]),
        (["-p", "test-complain"], TEXT, 1, ["<stdin>:2:3", "<stdin>:3:3", "bad Relu 0"]),
        (["-p", "test-complain{times=90}"], TEXT, 1, [" more (--json-report"]),
        (["-p", "test-complain{interrupt}"], TEXT, 130, ["interrupted"]),
    ],
)
def test_bad_input(
    tool: Tool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    stdin: str,
    status: int,
    parts: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    out, err = run(tool, *arguments, stdin=stdin, status=status)
    assert out == ""
    assert os.listdir() == []
    for part in parts:
        assert part in err
    assert one_screen(err)


def test_not_utf8(tool: Tool) -> None:
    done = tool("ge-opt", stdin=b"ge.graph\n // \xff\n")
    assert done.status == 1
    assert b"<stdin>:2:5" in done.err


def test_crash_leaves_a_reproducer_that_fails_the_same_way(
    tool: Tool, tmp_path: Path, net: Path
) -> None:
    folder = str(tmp_path / "repro")
    out, err = run(
        tool, "net.mlir", "-ptest-drop,test-complain{crash}", "--reproducer-dir", folder, status=70
    )
    assert out == ""
    assert one_screen(err)
    assert "GX-406: pass 'test-complain' raised RuntimeError: no way" in err
    (name,) = os.listdir(folder)
    path = os.path.join(folder, name)
    assert f"ge-opt --run-reproducer {path}" in err
    out, again = run(tool, "--run-reproducer", path, status=70)
    assert again.splitlines()[0] == err.splitlines()[0]
    assert os.listdir(folder) == [name]


def test_a_reproducer_with_operations_of_unknown_dialects(tool: Tool, tmp_path: Path) -> None:
    text = TEXT.replace("ge.Relu(%a) :", '"foo.bar"(%a) : (tensor<4xf32>) ->')
    flags = ("--allow-unregistered-dialect", "--reproducer-dir", str(tmp_path))
    _, err = run(tool, "-ptest-complain{crash}", *flags, stdin=text, status=70)
    (path,) = tmp_path.iterdir()
    _, again = run(tool, "--run-reproducer", str(path), status=70)
    assert again.splitlines()[0] == err.splitlines()[0]


def test_dumps_of_what_does_not_verify(
    tool: Tool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    wrong = TEXT.replace("tensor<4xf32>\n", "tensor<5xf32>\n", 1)
    _, plain = run(tool, "-p", "test-drop", stdin=wrong, status=3)
    Path("file").write_text("")
    for folder in ("new/dump", "file"):  # one that can be made, one that cannot
        _, err = run(tool, "-p", "test-drop", "--dump-dir", folder, stdin=wrong, status=3)
        assert err == plain
    assert [p.name for p in Path("new/dump").iterdir()] == ["00-failed-pipeline.mlir"]


def test_an_old_output_survives_a_failure(tool: Tool, net: Path) -> None:
    Path("out.mlir").write_text("old")
    run(tool, "net.mlir", "-p", "test-complain", "-o", "out.mlir", status=1)
    assert Path("out.mlir").read_text() == "old"


def test_in_place(tool: Tool, net: Path) -> None:
    run(tool, "net.mlir", "-p", "test-drop", "-o", "net.mlir")
    assert net.read_text() == SHORTER


# --- expected diagnostics ---

EXPECTING = """\
ge.graph @g(%x: tensor<4xf32>) {
  // expected-error@+1 {{bad Relu 0}}
  %a = ge.Relu(%x) : tensor<4xf32>
  %b = ge.Relu(%a) : tensor<4xf32>  // expected-error-re {{bad Relu {{[0-9]+}}}}
  ge.NetOutput(%b)
}
"""


def test_expected_errors(tool: Tool) -> None:
    flags = ("--verify-diagnostics", "-p", "test-complain")
    assert run(tool, *flags, stdin=EXPECTING) == ("", "")
    _, err = run(tool, *flags, stdin=EXPECTING.replace("Relu 0}}", "Relu 1}}"), status=1)
    assert "<stdin>:3:3: error: GX-413: unexpected error" in err
    assert "<stdin>:2:1: error: GX-413: expected error was not produced on line 3" in err
    _, err = run(tool, "--verify-diagnostics", stdin=EXPECTING, status=1)
    assert err.count("was not produced") == 2


@pytest.mark.parametrize("place", ["@below", " @below", " @+1 ", "  @+1", "\t@+1"])
def test_places_may_stand_apart(tool: Tool, place: str) -> None:
    flags = ("--verify-diagnostics", "-p", "test-complain")
    run(tool, *flags, stdin=EXPECTING.replace("error@+1", f"error{place}"))
    wrong = EXPECTING.replace("error@+1", f"error{place}").replace("Relu 0}}", "Relu 1}}")
    _, err = run(tool, *flags, stdin=wrong, status=1)
    assert "expected error was not produced on line 3" in err


def test_expected_parse_errors_in_parts(tool: Tool) -> None:
    text = """\
ge.graph @g(%x: tensor<4xf32>) {
  // expected-error@below {{}}
  ge.NetOutput(%nope)
}
// -----
ge.graph @g(%x: tensor<4xf32>) {
  ge.NetOutput(%nope)
  // expected-error@above {{}}
}
"""
    run(tool, "--verify-diagnostics", "--split-input-file", stdin=text)


def test_expected_remarks_count_only_when_one_is_expected(tool: Tool) -> None:
    flags = ("--verify-diagnostics", "-p", "test-drop,test-drop")
    run(tool, *flags, stdin=TEXT)
    wanted = TEXT.replace("%b = ge", "// expected-remark@+1 {{dropped one}}\n  %b = ge")
    _, err = run(tool, *flags, stdin=wanted, status=1)
    assert "unexpected remark" in err
    run(tool, *flags, stdin=wanted + "// expected-remark@unknown {{too few}}\n")
