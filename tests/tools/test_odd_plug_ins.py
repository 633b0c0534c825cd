"""Loaded files, example models, exports and loops as nobody would want them: one diagnostic."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.tools.refusals import NET, Tool, graph, refused


def saved(**arrays: np.ndarray) -> bytes:
    """The bytes of an .npz."""
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return stream.getvalue()


# --- loaded files ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        b"x = 1\0\n",
        "x = 1\n".encode("utf-16"),
        b"# -*- coding: nope -*-\nx = 1\n",
        b"import sys; sys.exit(0)",
        b"raise BaseException('mine')",
        b"raise GeneratorExit('mine')",
        b"def f(): f()\nf()",
        b"class E(Exception):\n    def __str__(self): raise ValueError('no text')\nraise E()",
        b"x = " + b"(" * 5000 + b")" * 5000,
        b"x = " + b"-" * 100_000 + b"1",
        b"import passes; passes.load(__file__)",
    ],
    ids=[
        "zero",
        "utf16",
        "coding",
        "exit",
        "base",
        "generator",
        "recursion",
        "str",
        "parens",
        "minus",
        "itself",
    ],
)
def test_files_that_cannot_be_loaded(tool: Tool, inside: Path, text: bytes):
    (inside / "mine \u00fc.py").write_bytes(text)
    said = refused(tool, "ge-opt", "net.mlir", "--load", "mine \u00fc.py", code="GX-025")
    assert "mine \u00fc.py" in said
    assert ":0" not in said


PATTERN = """\
from passes.rewriting import Pattern


class ReluOnce(Pattern):
    \"\"\"relu(relu(x)) is relu(x).\"\"\"
    root = ("Relu",)
    def match_and_rewrite(self, op, rw):
        rw.when(False, "never")
"""


def test_two_files_with_one_pattern(tool: Tool, inside: Path):
    for name in ("a.py", "b.py"):
        (inside / name).write_text(PATTERN)
    run = ("ge-opt", "net.mlir", "--load", "a.py", "-p", "relu-once")
    assert tool(*run, "--load", "./a.py").err == b""
    done = tool(*run, "--load", "b.py")
    assert done.status == 0
    assert b"GX-023" in done.err
    assert b"one from a.py" in done.err


OPERATOR = """\
from typing import ClassVar

from ge_dialect.ir import GeOp, ge_op, tin, tout
from ge_dialect.semantics.registry import semantics
from runtime.kernels.registry import kernel


@ge_op
class Halve(GeOp):
    \"\"\"x / 2.\"\"\"

    name = "ge.Halve"
    TYPES: ClassVar = {"T": "float32"}
    x = tin("T")
    y = tout("T")

    @classmethod
    def ge_infer(cls, n):
        INFER


@semantics("Halve")
def halve(args, attrs, ctx):
    MEANING


@kernel("Halve", layouts="*")
def run(call):
    KERNEL
"""
PARTS = {
    "INFER": 'return [n.type("x")]',
    "MEANING": "return args[0] / 2",
    "KERNEL": "call.outs[0].data[...] = call.arg(0).data / 2",
}


@pytest.mark.parametrize(
    ("part", "text", "status", "code"),
    [
        ("INFER", "raise KeyError(3)", 3, "GX-218"),
        ("INFER", "raise SystemExit(3)", 3, "GX-218"),
        ("INFER", "n.nothing()", 3, "GX-218"),
        ("INFER", "raise NotImplementedError", 3, "GX-218"),
        ("INFER", "return None", 3, "GX-218"),
        ("INFER", "return ['x']", 3, "GX-218"),
        ("MEANING", "raise KeyError(3)", 1, "GX-242"),
        ("MEANING", "raise SystemExit(0)", 1, "GX-242"),
        ("MEANING", "ctx.nothing()", 1, "GX-242"),
        ("MEANING", "return None", 1, "GX-243"),
        ("MEANING", "return 'x'", 1, "GX-243"),
        ("MEANING", "return args[0].astype(int)", 1, "GX-243"),
        ("MEANING", "return args[0][:2]", 1, "GX-243"),
        ("KERNEL", "raise KeyError(3)", 1, "GX-612"),
        ("KERNEL", "raise SystemExit(0)", 1, "GX-612"),
    ],
)
def test_operators_at_fault(tool: Tool, inside: Path, part: str, text: str, status: int, code: str):
    source = OPERATOR
    for name, good in PARTS.items():
        source = source.replace(name, text if name == part else good)
    (inside / "op.py").write_text(source)
    net = NET.replace("Relu", "Halve")
    mode = ("--mode", "eager") if part == "KERNEL" else ("--golden",)
    run = ("ge-run", "-", "--load", "op.py", "--random-inputs", "0", *mode)
    said = refused(tool, *run, status=status, code=code, stdin=net)
    assert "node: y" in said


def test_code_of_others_does_not_end_the_program_unsaid(tool: Tool, inside: Path):
    (inside / "op.py").write_text(
        "from ge_dialect.importers.onnx_rules import rule\n"
        "@rule('mine.Softsign', since='1')\n"
        "def make(*_):\n    raise SystemExit(0)\n"
    )
    pytest.importorskip("onnx")
    from onnx import TensorProto, helper

    infos = [helper.make_tensor_value_info(n, TensorProto.FLOAT, [4]) for n in "xy"]
    node = helper.make_node("Softsign", ["x"], ["y"], domain="mine")
    graph = helper.make_graph([node], "g", infos[:1], infos[1:])
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("mine", 1)]
    made = helper.make_model(graph, opset_imports=opsets, ir_version=8)
    (inside / "m.onnx").write_bytes(made.SerializeToString())
    said = refused(tool, "ge-translate", "m.onnx", "--load", "op.py", code="GX-026")
    assert "op.py:4: " in said


# --- models, shapes, ONNX --------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        "bert:layers=9999999999",
        "bert:heads=0",
        "llama:layers=0",
        "vit:patch=0",
        "unet:levels=40",
        "mobilenet_v2:divisor=1000",
        "bert:vocabulary=1000000000",
        "llama-8b",
        "diffusion:levels=10",
    ],
)
def test_sizes_that_no_example_has(tool: Tool, inside: Path, options: str):
    pytest.importorskip("onnx")
    large = any(word in options for word in ("vocab", "8b", "n:l"))
    said = refused(tool, "ge-translate", f"model:{options}", "-o", "m.mlir", code="GX-012")
    assert ("--abstract-weights" in said) == large


def test_a_size_that_no_tensor_has(tool: Tool, inside: Path):
    run = ("ge-run", "net.mlir", "--random-inputs", "0", "--input-shape")
    refused(tool, *run, f"x:{'9' * 20}", status=2, code="GX-339")


@pytest.mark.parametrize(
    "arguments",
    [
        "--to onnx --name=",
        "--to onnx --dump-level 2",
        "--to onnx --print-op-generic",
        "--to ge-proto --print-debuginfo",
        "--to onnx --weights w",
        "--to ge-proto --opset 18",
        "--dump-level 2",
    ],
)
def test_options_of_another_target(tool: Tool, inside: Path, arguments: str):
    refused(tool, "ge-translate", "net.mlir", *arguments.split(), status=2, code="GX-008")


def test_external_data_that_cannot_lie_there(tool: Tool, inside: Path):
    pytest.importorskip("onnx")
    text = graph("tensor<400xf32>", "dense<1.5> : tensor<400xf32>")
    (inside / "big.mlir").write_text(text)
    (inside / "c.onnx.data").mkdir()
    export = ("ge-translate", "big.mlir", "--to", "onnx", "--external-data", "-o")
    for target in ("/dev/null", "c.onnx", ".", "none/c.onnx", "-"):
        refused(tool, *export, target, code="GX-002")
    assert not os.path.exists("/dev/null.data")
    assert tool(*export, "d.onnx").status == 0
    assert (inside / "d.onnx.data").stat().st_size == 1600


def test_a_graph_without_a_name_has_one_in_onnx(tool: Tool, inside: Path):
    onnx = pytest.importorskip("onnx")
    text = NET.replace("@g", '@""')
    done = tool("ge-translate", "-", "--to", "onnx", "-o", "x.onnx", stdin=text.encode())
    assert done.status == 0, done.err.decode()
    onnx.checker.check_model("x.onnx", full_check=True)


def test_complex_results_are_summed_up_in_silence(tool: Tool, inside: Path):
    text = graph("tensor<4xcomplex<f32>>").replace("Relu", "Identity")
    done = tool("ge-run", "-", "--golden", "--random-inputs", "0", stdin=text.encode())
    assert (done.status, done.err) == (0, b"")


def test_a_loop_that_does_not_end(tool: Tool, inside: Path, monkeypatch: pytest.MonkeyPatch):
    from ge_dialect.builder import Graph, ge
    from runtime import eager_control

    g = Graph("loop")
    (y,) = ge.While([g.input("x", ())], cond=lambda a: True, body=lambda a: a + 1)
    g.output(y)
    monkeypatch.setattr(eager_control, "MOST_ROUNDS", 50)
    run = ("ge-run", "-", "--mode", "eager", "--random-inputs", "0")
    said = refused(tool, *run, code="GX-249", stdin=g.model().text())
    assert "node: While" in said
    for how in ("--mode eager", "--golden"):
        run = ("ge-run", "-", *how.split(), "--random-inputs", "0", "--max-steps", "7")
        said = refused(tool, *run, code="GX-249", stdin=g.model().text())
        assert "--max-steps N" in said


def test_golden_arrays_beyond_the_memory(tool: Tool, inside: Path, monkeypatch: pytest.MonkeyPatch):
    from runtime.tools import run_model

    monkeypatch.setattr(run_model, "free_bytes", lambda: 1 << 30)
    text = (
        "ge.graph @g(%x: tensor<f32>, %s: tensor<2xi64>) {\n"
        "  %y = ge.Fill(%s, %x) : tensor<?x?xf32>\n  ge.NetOutput(%y)\n}\n"
    )
    (inside / "in.npz").write_bytes(
        saved(x=np.array(1, np.float32), s=np.array([100_000, 100_000]))
    )
    run = ("ge-run", "-", "--golden", "--inputs", "in.npz")
    said = refused(tool, *run, code="GX-248", stdin=text)
    assert "node: y" in said


def test_ranks_with_no_such_reduction():
    from ge_dialect.api import parse
    from ge_dialect.diagnostics import GeError
    from ge_dialect.semantics import evaluate_ranks

    text = (
        "ge.graph @g(%x: tensor<4xf32>) {\n"
        '  %y = ge.HcomAllReduce(%x) {reduction = "avg", group = "hccl_world_group"} '
        ": tensor<4xf32>\n  ge.NetOutput(%y)\n}\n"
    )
    (g,) = parse(text).graphs
    given = [[np.zeros(4, np.float32)]] * 2
    with pytest.raises(GeError, match="GX-240"):
        evaluate_ranks(g, given)
    for groups in ({"a": "01"}, {"a": 3}, {"a": [0.0, 1.0]}, {"a": [0, 0]}, {"a": []}):
        with pytest.raises(ValueError, match="group 'a'"):
            evaluate_ranks(g, given, groups=groups)  # type: ignore[arg-type]


# --- graphs that do not fit together, operator by operator -------------------------------------


def unary(node: str, type_: str = "tensor<2x3xf32>", result: str = "tensor<*xf32>") -> str:
    """A graph of one node of %x."""
    return f"ge.graph @g(%x: {type_}) {{\n  %y = {node} : {result}\n  ge.NetOutput(%y)\n}}\n"


@pytest.mark.parametrize(
    "text",
    [
        unary("ge.Cast(%x) {dst_type = 2147483647}"),
        unary("ge.Shape(%x) {dtype = -2147483648}", result="tensor<*xi32>"),
        unary(
            "ge.DepthwiseConv2D(%x, %x) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], "
            'data_format = "SAME"}',
            "tensor<1x1x3x3xf32>",
        ),
    ],
)
def test_attributes_that_no_onnx_node_has(tool: Tool, inside: Path, text: str):
    pytest.importorskip("onnx")
    from ge_dialect.api import parse
    from ge_dialect.diagnostics import GeError
    from ge_dialect.exporters.onnx import export_onnx

    export = ("ge-translate", "-", "--to", "onnx", "-o", "x.onnx")
    assert "<stdin>:2:3: " in refused(tool, *export, status=3, code="GX-22", stdin=text)
    with pytest.raises(GeError, match=r"GX-361: .* does not fit its inputs"):
        export_onnx(parse(text))


def test_more_results_than_a_node_can_have(tool: Tool, inside: Path):
    text = unary("ge.Unpack(%x) {num = 2147483647}", result="tensor<3xf32>")
    export = ("ge-translate", "-", "--to", "onnx", "-o", "x.onnx")
    refused(tool, *export, status=3, code="GX-2", stdin=text)


@pytest.mark.parametrize("mode", ["eager", "graph"])
def test_a_rank_that_is_not_known(tool: Tool, inside: Path, mode: str):
    node = 'ge.AvgPool(%x) {ksize = [1, 3, 3, 1], strides = [1, 2, 2, 1], padding = "SAME"}'
    text = unary(node, "tensor<2x9x9x4xf32>")
    done = tool("ge-run", "-", "--random-inputs", "0", "--mode", mode, stdin=text.encode())
    assert done.status == 0, done.err.decode()


@pytest.mark.parametrize("command", ["ge-opt - -p prepare", "ge-run - --time-only"])
def test_results_that_are_larger_than_any_tensor(tool: Tool, inside: Path, command: str):
    text = unary("ge.TileD(%x) {multiples = [1, 9223372036854775807]}")
    said = refused(tool, *command.split(), status=3, code="GX-204", stdin=text)
    assert "<stdin>:2:3: " in said
    assert "at most 2^59 elements" in said


def test_a_constant_that_asks_for_more_than_any_tensor(tool: Tool, inside: Path):
    text = (
        "ge.graph @g(%x: tensor<f32>) {\n"
        "  %s = ge.Const() {value = dense<[9223372036854775807, 3]> : tensor<2xi64>} "
        ": tensor<2xi64>\n  %y = ge.Fill(%s, %x) : tensor<*xf32>\n  ge.NetOutput(%y)\n}\n"
    )
    for command in ("ge-opt - -p ge-default", "ge-run - --time-only"):
        done = tool(*command.split(), stdin=text.encode())
        said = done.err.decode()
        assert done.status in (1, 3), said
        assert "<stdin>:3:3: error: GX-204: " in said
        assert "node: y" in said


@pytest.mark.parametrize("mode", ["graph", "eager"])
def test_a_variable_as_output_is_compared_by_what_it_holds(tool: Tool, inside: Path, mode: str):
    text = (
        "ge.graph @g(%v: !ge.ref<tensor<4xf32>>, %x: tensor<4xf32>) {\n"
        "  %r = ge.Assign(%v, %x) : !ge.ref<tensor<4xf32>>\n  ge.NetOutput(%r)\n}\n"
    )
    run = ("ge-run", "-", "--random-inputs", "0")
    done = tool(*run, "--check", "0", "--mode", mode, stdin=text.encode())
    assert done.status == 0, done.err.decode()
    assert tool(*run, "--golden", "--outputs", "out.npz", stdin=text.encode()).status == 0
    (held,) = np.load("out.npz").values()
    assert (held.dtype, held.shape) == (np.dtype("float32"), (4,))


def test_a_shift_of_the_smallest_number(tool: Tool, inside: Path):
    node = "ge.Roll(%x) {shifts = [-9223372036854775808], dims = [1]}"
    run = ("ge-run", "-", "--random-inputs", "0", "--check", "0")
    done = tool(*run, stdin=unary(node, result="tensor<2x3xf32>").encode())
    assert done.status == 0, done.err.decode()


def test_nothing_to_reduce(tool: Tool, inside: Path):
    refused(tool, "ge-reduce", "-", "-p", "cse", code="GX-443", stdin="builtin.module {\n}\n")


# --- options -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        "ge-opt net.mlir -p cse --dump-each",
        "ge-opt net.mlir -p cse --dump-ge-filter A",
        "ge-opt net.mlir -p cse --dump-ge-format ge-onnx",
        "ge-opt net.mlir -p cse --diff-json x",
        "ge-run net.mlir --random-inputs 0 --outputs - --trace -",
    ],
)
def test_options_that_would_do_nothing(tool: Tool, inside: Path, arguments: str):
    refused(tool, *arguments.split(), status=2, code="GX-008")


@pytest.mark.parametrize("folder", ["--dump-dir", "--dump-ge"])
@pytest.mark.parametrize("file", ["-o", "--json-report", "--remarks-json"])
def test_a_file_where_the_dumps_go(tool: Tool, inside: Path, folder: str, file: str):
    run = ("ge-opt", "net.mlir", "-p", "cse", folder, "a", file, "./a")
    refused(tool, *run, code="GX-002")


@pytest.mark.parametrize(("left", "said"), [("forever", True), ("for_a_moment", False)])
def test_threads_of_a_plug_in_do_not_keep_the_tool(inside: Path, left: str, said: bool):
    """What ends by itself, pools too, is waited for as always."""
    (inside / "own.py").write_text(
        "import threading, time\nfrom concurrent.futures import ThreadPoolExecutor\n"
        "ThreadPoolExecutor(1).submit(abs, 1)\n"
        "def forever():\n    while True: time.sleep(0.05)\n"
        "def for_a_moment(): time.sleep(0.1)\n"
        f"threading.Thread(target={left}, name='own').start()\n"
    )
    program = (
        "import sys\nfrom ge_dialect.tools import ending\nending.GRACE = 0.5\n"
        "from passes.tools.ge_opt import main\nsys.exit(main())"
    )
    words = ["net.mlir", "--load", "own.py", "-p", "none-such"]
    done = subprocess.run([sys.executable, "-c", program, *words], capture_output=True, timeout=60)
    err = done.stderr.decode()
    assert done.returncode == 2, err
    assert ("warning: GX-027: " in err) == said
    assert ("'own' (" in err and "own.py:4)" in err) == said
    assert "Traceback" not in err
