"""Files and streams that nobody gives on purpose: a diagnostic, no waiting, no half output."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ge_dialect.api import Model, load, save
from ge_dialect.builder import Graph, ge
from ge_dialect.diagnostics import GeError
from ge_dialect.tools import common, ending

Tool = Callable[..., Any]

NET = """\
ge.graph @g(%x: tensor<4xf32>) {
  %y = ge.Relu(%x) : tensor<4xf32>
  ge.NetOutput(%y)
}
"""
RUN = ("ge-run", "net.mlir", "--random-inputs", "0", "-q")


@pytest.fixture
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a small graph in net.mlir."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "net.mlir").write_text(NET)
    return tmp_path


def refused(tool: Tool, *arguments: str, code: str, status: int = 1, stdin: bytes = b"") -> str:
    """What a run says that must end with that status and code, leaving everything as it was."""
    before = {p: os.lstat(p).st_mtime_ns for p in sorted(os.listdir())}
    done = tool(*arguments, stdin=stdin)
    said = done.err.decode()
    assert done.status == status, said
    assert f"{code}: " in said
    assert "Traceback" not in said
    assert {p: os.lstat(p).st_mtime_ns for p in sorted(os.listdir())} == before
    return said


def model_with_weights() -> None:
    """A small model as m.mlir, its weights in m.weights."""
    g = Graph("m")
    w = np.arange(1024, dtype=np.float32).reshape(32, 32)
    g.output(ge.MatMulV2(g.input("x", (2, 32)), w, name="fc"))
    save(g.model(), "m.mlir")


def saved(**arrays: Any) -> bytes:
    """The bytes of an .npz."""
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return stream.getvalue()


# --- outputs ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["folder/", "circle", "x" * 300])
def test_names_that_lead_to_no_file(tool: Tool, inside: Path, name: str) -> None:
    (inside / "circle").symlink_to("circle")
    for arguments in (
        ("ge-opt", "net.mlir", "-p", "cse", "-o", name),
        ("ge-opt", "net.mlir", "-p", "cse", "-o", "/dev/null", "--json-report", name),
        ("ge-translate", "net.mlir", "-o", name),
        (*RUN, "--outputs", name),
    ):
        refused(tool, *arguments, code="GX-002")


def test_reports_do_not_replace_what_is_read(tool: Tool, inside: Path) -> None:
    (inside / "in.npz").write_bytes(saved(x=np.zeros(4, np.float32)))
    for report in ("--trace", "--op-summary", "--outputs", "--values"):
        refused(tool, *RUN, report, "./net.mlir", code="GX-002")
    refused(tool, "ge-run", "net.mlir", "--inputs", "in.npz", "--outputs", "in.npz", code="GX-002")
    for report in ("--json-report", "--remarks-json", "--fusion-report"):
        refused(tool, "ge-opt", "net.mlir", "-p", "cse", report, "net.mlir", code="GX-002")
    assert tool("ge-opt", "net.mlir", "-p", "cse", "-o", "net.mlir").status == 0


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_a_report_on_a_full_disk_is_said(tool: Tool, inside: Path) -> None:
    words = ("ge-opt", "net.mlir", "-p", "cse", "-o", "/dev/null", "--json-report", "/dev/full")
    assert "No space left" in refused(tool, *words, code="GX-002")


def test_a_reproducer_without_a_place_is_said(tool: Tool, inside: Path) -> None:
    (inside / "boom.py").write_text(
        "from dataclasses import dataclass\nfrom passes.base import Pass\n\n\n"
        "@dataclass(frozen=True)\nclass Boom(Pass):\n    name = 'boom-of-a-test'\n\n"
        "    def run(self, module, ctx):\n        raise KeyError(3)\n"
    )
    words = ("ge-opt", "net.mlir", "--load", "boom.py", "-p", "boom-of-a-test")
    done = tool(*words, "--reproducer-dir", "net.mlir/below")
    assert done.status == 70
    assert b"no reproducer could be written to 'net.mlir/below'" in done.err


def test_names_that_no_archive_holds(tool: Tool, inside: Path) -> None:
    for name in ("a\\00b", "a" * 70_000):
        text = NET.replace(") {", f') attributes {{ge.output_names = ["{name}"]}} {{', 1)
        words = ("ge-run", "-", "--random-inputs", "0", "-q", "--outputs", "o.npz")
        refused(tool, *words, code="GX-619", stdin=text.encode())


# --- streams and signals ---------------------------------------------------------------------


def process(*arguments: str, before: str = "", **kwargs: Any) -> subprocess.CompletedProcess[bytes]:
    """`ge-run` as a process of its own, through a shell where `before` says so."""
    command = [sys.executable, "-m", "runtime.tools.ge_run", *arguments]
    if before:
        command = ["sh", "-c", f'exec "$@" {before}', "sh", *command]
    return subprocess.run(command, capture_output=True, timeout=60, check=False, **kwargs)


def test_bytes_for_a_closed_stdout(inside: Path) -> None:
    done = process("net.mlir", "--random-inputs", "0", "--outputs", "-", before=">&-")
    assert done.returncode == 1
    assert b"standard output is closed" in done.stderr


def test_any_name_on_a_terminal_without_unicode(inside: Path) -> None:
    (inside / "net.mlir").write_text(NET.replace("@g", '@"\u5377\u79ef"'), encoding="utf-8")
    ascii_only = {**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONUTF8": "0"}
    done = process("net.mlir", "--random-inputs", "0", env=ascii_only)
    assert (done.returncode, done.stderr) == (0, b"")
    assert rb"\u5377\u79ef" in done.stdout


def test_a_signalling_nan_is_no_warning(inside: Path) -> None:
    bits = np.array([0x7F800001, 0xFFC12345, 0x7F800000, 0x80000000], np.uint32)
    (inside / "in.npz").write_bytes(saved(x=bits.view(np.float32)))
    done = process("net.mlir", "--inputs", "in.npz", "--check", "0", "-q")
    assert (done.returncode, done.stderr) == (0, b"")
    golden = process("net.mlir", "--inputs", "in.npz", "--golden")
    assert (golden.returncode, golden.stderr) == (0, b"")


_SLOW = """
import os, sys, time
from ge_dialect.tools import common

def main(argv):
    write = os.replace
    def slow(a, b):
        print("writing", flush=True)
        time.sleep(30)
    os.replace = slow
    common.atomic_write("out", b"half")

sys.argv = ["x"]
sys.exit(common.run_tool(main))
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_no_half_output(inside: Path, number: signal.Signals) -> None:
    with subprocess.Popen([sys.executable, "-c", _SLOW], stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == b"writing\n"
        running.send_signal(number)
        assert running.wait(20) == -number
    assert os.listdir() == ["net.mlir"]


def test_a_signal_in_a_pass(inside: Path) -> None:
    (inside / "sleepy.py").write_text(
        "import time\nfrom dataclasses import dataclass\nfrom passes.base import Pass\n\n\n"
        "@dataclass(frozen=True)\nclass Sleepy(Pass):\n    name = 'sleepy-of-a-test'\n\n"
        "    def run(self, module, ctx):\n        print('running', flush=True)\n"
        "        time.sleep(30)\n"
    )
    words = ("net.mlir", "--load", "sleepy.py", "-p", "sleepy-of-a-test", "-o", "out.mlir")
    command = [sys.executable, "-m", "passes.tools.ge_opt", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        assert running.stdout.readline() == b"running\n"
        running.send_signal(signal.SIGTERM)
        assert running.wait(20) == -signal.SIGTERM
        assert running.stderr.read() == b""
    assert sorted(os.listdir()) == ["net.mlir", "sleepy.py"]


def test_signals_that_are_ignored_stay_so(monkeypatch: pytest.MonkeyPatch) -> None:
    old = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    term = signal.getsignal(signal.SIGTERM)
    try:
        ending.heed_signals()
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, old)
        signal.signal(signal.SIGTERM, term)


def test_a_closed_output_refuses_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", common._ClosedOutput())
    for data in ("text", b"\x93bytes"):
        with pytest.raises(OSError, match="closed"):
            common.atomic_write("-", data)


# --- inputs ----------------------------------------------------------------------------------


def test_the_empty_input_is_said_by_all_tools(tool: Tool, inside: Path) -> None:
    for command in (
        "ge-opt -",
        "ge-run - --random-inputs 0",
        "ge-translate -",
        "ge-reduce - -p cse",
    ):
        refused(tool, *command.split(), code="GX-009")


def test_model_and_inputs_from_one_stream(tool: Tool, inside: Path) -> None:
    refused(tool, "ge-run", "-", "--inputs", "-", code="GX-008", status=2, stdin=NET.encode())


def test_inputs_of_another_graph_are_not_tried(tool: Tool, inside: Path) -> None:
    (inside / "in.npz").write_bytes(saved(y=np.zeros(4, np.float32)))
    words = ("ge-reduce", "net.mlir", "-p", "cse", "--fails", "value", "--inputs", "in.npz")
    assert "expected: x" in refused(tool, *words, code="GX-602")


def test_byte_order_and_raw_bytes(tool: Tool, inside: Path) -> None:
    x = np.array([-1, 2, -3, 4], np.float32)
    (inside / "in.npz").write_bytes(saved(x=x.astype(">f4")))
    for mode in ((), ("--golden",), ("--mode", "eager")):
        run = ("ge-run", "net.mlir", "--inputs", "in.npz", *mode, "--outputs", "o.npz", "-q")
        assert tool(*run).status == 0
        assert np.load("o.npz")["y"].tolist() == [0, 2, 0, 4]
    os.remove("o.npz")
    for odd in (np.zeros(4, "V4"), np.zeros(4, [("a", np.float32)])):
        (inside / "in.npz").write_bytes(saved(x=odd))
        refused(tool, "ge-run", "net.mlir", "--inputs", "in.npz", code="GX-603")


def test_weights_of_a_text_from_stdin(tool: Tool, inside: Path) -> None:
    model_with_weights()
    text = Path("m.mlir").read_bytes()
    run = ("ge-run", "-", "--random-inputs", "0", "--check", "1e-5", "-q")
    assert tool(*run, stdin=text).status == 0
    compiled = tool("ge-opt", "-", "-p", "ge-default", stdin=text)
    assert tool(*run[:4], stdin=compiled.out).status == 0
    os.rename("m.weights", "w")
    assert "--weights DIR" in refused(tool, *run, code="GX-300", stdin=text)
    assert tool(*run, "--weights", "w", stdin=text).status == 0
    assert tool("ge-run", "m.mlir", "--time-only").status == 0
    assert tool("ge-run", "-", "--time-only", stdin=text).status == 0


@pytest.mark.parametrize("which", ["index.json", "shard-00000.safetensors"])
def test_pipes_in_the_place_of_weights(inside: Path, which: str) -> None:
    model_with_weights()
    os.remove(f"m.weights/{which}")
    os.mkfifo(f"m.weights/{which}")
    start = time.monotonic()
    with pytest.raises(GeError, match="not a regular file"):
        load("m.mlir").weights.get("fc_x2")
    assert time.monotonic() - start < 5


def test_unknown_sizes_name_the_input(tool: Tool, inside: Path) -> None:
    text = NET.replace("4x", "?x").encode()
    assert "node: x" in refused(
        tool, "ge-run", "-", "--random-inputs", "0", code="GX-609", stdin=text
    )


def test_options_of_a_reproducer_nested_beyond_reason(tool: Tool, inside: Path) -> None:
    head = "// ge-opt reproducer 1\n// error: x\n// pipeline: cse\n// options: "
    text = head + "[" * 100_000 + "\n// run with\n" + NET
    refused(tool, "ge-opt", "-", "--run-reproducer", code="GX-412", status=2, stdin=text.encode())


# --- ONNX ------------------------------------------------------------------------------------


def loop_model() -> bytes:
    """Doubles x once for each row of s: ONNX, the rows of s open."""
    from onnx import TensorProto, helper, numpy_helper

    def value(name: str, type_: int, shape: list[Any]) -> Any:
        return helper.make_tensor_value_info(name, type_, shape)

    body = helper.make_graph(
        [
            helper.make_node("Identity", ["k"], ["k2"]),
            helper.make_node("Add", ["v", "v"], ["v2"]),
        ],
        "body",
        [
            value("i", TensorProto.INT64, []),
            value("k", TensorProto.BOOL, []),
            value("v", TensorProto.FLOAT, [4]),
        ],
        [value("k2", TensorProto.BOOL, []), value("v2", TensorProto.FLOAT, [4])],
    )
    nodes = [
        helper.make_node("Shape", ["s"], ["n"]),
        helper.make_node("Squeeze", ["n", "zero"], ["count"]),
        helper.make_node("Loop", ["count", "", "x"], ["y"], body=body, name="loop"),
    ]
    graph = helper.make_graph(
        nodes,
        "loop",
        [value("x", TensorProto.FLOAT, [4]), value("s", TensorProto.FLOAT, ["N"])],
        [value("y", TensorProto.FLOAT, [4])],
        [numpy_helper.from_array(np.array([0], np.int64), "zero")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    return model.SerializeToString()


def test_sizes_are_known_when_onnx_is_imported(tool: Tool, inside: Path) -> None:
    pytest.importorskip("onnx")
    data = loop_model()
    (inside / "loop.onnx").write_bytes(data)
    run = ("--random-inputs", "0", "--check", "0", "-q")
    sized = (*run, "--input-shape", "s:3")
    assert tool("ge-run", "loop.onnx", *sized).status == 0
    assert tool("ge-run", "-", *sized, stdin=data).status == 0
    assert isinstance(load("loop.onnx", input_shapes={"s": (3,)}), Model)
    x = np.array([1, 2, 3, 4], np.float32)
    (inside / "in.npz").write_bytes(saved(x=x, s=np.zeros(3, np.float32)))
    given = ("ge-run", "loop.onnx", "--inputs", "in.npz", "--outputs", "o.npz", "-q")
    assert tool(*given).status == 0
    assert np.load("o.npz")["y"].tolist() == (8 * x).tolist()
    translated = tool("ge-translate", "loop.onnx", "-o", "loop.mlir")
    assert translated.status == 0
    said = tool("ge-run", "loop.mlir", *run, "--input-shape", "s:3").err.decode()
    assert "GX-510: " in said
    assert "--mode eager runs it" in said


def test_external_data_in_a_folder_that_is_given(tool: Tool, inside: Path) -> None:
    onnx = pytest.importorskip("onnx")
    model_with_weights()
    (inside / "a").mkdir()
    words = ("ge-translate", "m.mlir", "--to", "onnx", "--external-data", "-o", "a/m.onnx")
    assert tool(*words).status == 0
    os.rename("a/m.onnx", "m.onnx")
    run = ("ge-run", "m.onnx", "--random-inputs", "0", "--check", "1e-5", "-q")
    proto = onnx.load("m.onnx", load_external_data=False)
    if not any(t.external_data for t in proto.graph.initializer):
        pytest.fail("the model has no external data")
    refused(tool, *run, code="GX-334")
    assert tool(*run, "--weights", "a").status == 0
    location = {e.key: e.value for e in proto.graph.initializer[0].external_data}["location"]
    (inside / location).mkdir()
    assert "Is a directory" in refused(tool, *run, code="GX-334")


def test_reports_are_whole_json(tool: Tool, inside: Path) -> None:
    done = tool(*RUN, "--trace", "t.json")
    assert done.status == 0
    assert json.loads(Path("t.json").read_text())


# --- what is missing, and code of others -----------------------------------------------------


@pytest.mark.parametrize(
    ("package", "command"),
    [
        ("onnx", "ge_dialect.tools.ge_translate light:squeezenet -o o.mlir"),
        ("onnx", "ge_dialect.tools.ge_translate net.mlir --to onnx -o o.onnx"),
        ("xdsl", "passes.tools.ge_opt net.mlir -p cse"),
        ("ml_dtypes", "runtime.tools.ge_run net.mlir --random-inputs 0"),
    ],
)
def test_packages_that_are_missing(inside: Path, package: str, command: str) -> None:
    (inside / "sitecustomize.py").write_text(f"import sys; sys.modules[{package!r}] = None\n")
    path = os.pathsep.join(filter(None, [str(inside), os.environ.get("PYTHONPATH")]))
    env = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    before = sorted(os.listdir())
    words = [sys.executable, "-m", *command.split()]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False, env=env)
    assert done.returncode == 1, done.stderr
    assert f"GX-007: this needs the package '{package}'" in done.stderr
    assert "pip install" in done.stderr
    assert sorted(os.listdir()) == before


def test_a_pipe_is_no_plug_in(tool: Tool, inside: Path) -> None:
    os.mkfifo("plug.py")
    refused(tool, "ge-opt", "net.mlir", "--load", "plug.py", "-p", "cse", code="GX-001")


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("raise ValueError('\\ud800')", "ValueError: \\ud800"),
        ("raise Silent", "raised Silent"),
    ],
)
def test_exceptions_whose_text_cannot_be_shown(
    tool: Tool, inside: Path, body: str, words: str
) -> None:
    (inside / "boom.py").write_text(
        "from dataclasses import dataclass\nfrom passes.base import Pass\n\n\n"
        "class Silent(Exception):\n    def __str__(self):\n        raise KeyError\n\n\n"
        "@dataclass(frozen=True)\nclass Boom(Pass):\n    name = 'boom-of-a-test'\n\n"
        f"    def run(self, module, ctx):\n        {body}\n"
    )
    command = ("ge-opt", "net.mlir", "--load", "boom.py", "-p", "boom-of-a-test")
    done = tool(*command, "--reproducer-dir", ".")
    assert done.status == 70
    assert (
        f"GX-406: pass 'boom-of-a-test' raised {words.removeprefix('raised ')}" in done.err.decode()
    )
    (name,) = [n for n in os.listdir() if n.startswith("ge-opt-")]
    again = tool("ge-opt", "--run-reproducer", name)
    assert again.status == 70


@pytest.mark.parametrize("options", ['{"enable": [1, 2]}', '{"load": 3}', '{"enable": "cse"}'])
def test_lists_of_a_reproducer(tool: Tool, inside: Path, options: str) -> None:
    text = (
        f"// ge-opt reproducer 1\n// error: x\n// pipeline: cse\n// options: {options}\n//\n{NET}"
    )
    words = ("ge-opt", "-", "--run-reproducer")
    assert "list of names" in refused(tool, *words, code="GX-412", status=2, stdin=text.encode())


def test_compiled_text_of_another_version(tool: Tool, inside: Path) -> None:
    compiled = tool("ge-opt", "net.mlir", "-p", "ge-default").out
    for version in (b"2", b'"1"'):
        text = compiled.replace(b"format = 1", b"format = " + version)
        words = ("ge-run", "-", "--random-inputs", "0")
        assert "reads format 1" in refused(tool, *words, code="GX-217", status=3, stdin=text)


def test_an_unknown_operator_may_be_a_plug_in(tool: Tool, inside: Path) -> None:
    text = NET.replace("ge.Relu", "ge.XyzzyOfMine").encode()
    assert "--load FILE" in refused(tool, "ge-opt", "-", code="GX-112", stdin=text)


def relu_model(dims: list[Any]) -> bytes:
    """ONNX of a Relu of that shape."""
    from onnx import TensorProto, helper

    values = [helper.make_tensor_value_info(n, TensorProto.FLOAT, dims) for n in "xy"]
    graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "g", values[:1], values[1:])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    return model.SerializeToString()


def test_onnx_inputs_that_cannot_exist(tool: Tool, inside: Path) -> None:
    pytest.importorskip("onnx")
    (inside / "m.onnx").write_bytes(relu_model([2**62]))
    assert "at most 2^59" in refused(tool, "ge-translate", "m.onnx", "-o", "o.mlir", code="GX-333")
    (inside / "m.onnx").write_bytes(relu_model(["N", "M"]))
    sized = ("ge-run", "m.onnx", "--time-only", "--input-shape", "x:999999999,999999999")
    assert "at most 2^59" in refused(tool, *sized, code="GX-333")


def test_onnx_from_stdin_is_called_so(tool: Tool, inside: Path) -> None:
    pytest.importorskip("onnx")
    assert "<stdin>: error: " in refused(
        tool, "ge-translate", "-", code="GX-330", stdin=b"\x08\x08"
    )


def test_versions(tool: Tool) -> None:
    for name in ("ge-opt", "ge-run", "ge-translate", "ge-reduce"):
        assert tool(name, "--version").out.startswith(f"{name} ".encode())


def test_a_comparison_does_not_replace_what_it_compares(tool: Tool, inside: Path) -> None:
    words = ("ge-opt", "--diff-dump", "net.mlir", "net.mlir", "--diff-json", "net.mlir")
    refused(tool, *words, code="GX-002")


def test_a_device_file_nested_beyond_reason(tool: Tool, inside: Path) -> None:
    (inside / "soc.toml").write_text("a = " + "[" * 100_000)
    refused(tool, *RUN, "--soc", "soc.toml", code="GX-502")


# --- devices as outputs ----------------------------------------------------------------------


def test_weights_do_not_go_beside_a_device(tool: Tool, inside: Path) -> None:
    model_with_weights()
    folder = Path("m.weights").resolve()
    for arguments in (
        ("ge-translate", "m.mlir", "-o", os.devnull),
        ("ge-opt", "m.mlir", "-p", "ge-default", "-o", os.devnull),
    ):
        done = tool(*arguments)
        assert (done.status, done.err) == (0, b"")
        assert not os.path.exists(f"{os.devnull}.weights")
    assert folder.is_dir()
    os.mkfifo("pipe")
    refused(tool, "ge-translate", "m.mlir", "-o", "pipe", code="GX-310")


@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="no /dev/full here")
def test_standard_output_by_its_other_name(inside: Path) -> None:
    command = [sys.executable, "-m", "passes.tools.ge_opt", "net.mlir", "-o", "/dev/stdout"]
    done = subprocess.run(command, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == NET


def test_example_models_have_the_manners_of_tools(
    inside: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("onnx")
    from ge_dialect.importers.onnx_models.__main__ import main

    for arguments, status, code in (
        (["vit", "-o", "no/folder.onnx"], 1, "GX-002"),
        (["vit", "-o", "x", "--inputs", "./x"], 1, "GX-002"),
        (["vit", "-o", "-", "--inputs", "-"], 2, "GX-008"),
        (["vit", "--seed", "-1"], 2, "GX-008"),
        ([], 2, "GX-008"),
        (["nope"], 1, "GX-012"),
    ):
        assert main(arguments) == status
        assert code in capsys.readouterr().err
    assert os.listdir() == ["net.mlir"]
