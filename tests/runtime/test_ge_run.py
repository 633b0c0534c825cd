"""The `ge-run` tool: inputs, outputs, exit statuses, messages."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from types import SimpleNamespace

import ml_dtypes
import numpy as np
import pytest

from ge_dialect.api import load
from runtime.tools.ge_run import main
from runtime.tools.run_model import read_arrays, relative_error, write_arrays

NET = """
ge.graph @net(%x_1: tensor<2x3xf32>, %k: tensor<i32>) {
  %a = ge.Exp(%x_1) : tensor<2x3xf32>
  %b = ge.Cast(%k) {dst_type = 0} : tensor<f32>
  %c = ge.Mul(%a, %b) : tensor<2x3xf32>
  ge.NetOutput(%c, %b)
}
"""


@pytest.fixture
def net(tmp_path):
    path = tmp_path / "net.mlir"
    path.write_text(NET)
    return path


@pytest.fixture
def inputs(tmp_path):
    path = tmp_path / "in.npz"
    np.savez(path, x_1=np.ones((2, 3), np.float32), k=np.array(2, np.int32))
    return path


def _read(path):
    with np.load(path) as archive:
        return {n: archive[n] for n in archive.files}


@pytest.mark.parametrize("how", [[], ["--mode", "eager"], ["--golden"]])
def test_values_in_every_mode(net, inputs, tmp_path, how, capsys):
    out = tmp_path / "out.npz"
    assert main([str(net), "--inputs", str(inputs), "--outputs", str(out), *how]) == 0
    got = _read(out)
    np.testing.assert_allclose(got["c"], 2 * np.e * np.ones((2, 3)), rtol=1e-6)
    assert got["b"].shape == ()
    assert capsys.readouterr().out


@pytest.mark.parametrize("how", [[], ["--mode", "eager"], ["--golden"]])
def test_what_the_graph_prints_is_no_summary(tmp_path, how, capsysbinary):
    path = tmp_path / "net.mlir"
    path.write_text(
        "ge.graph @g(%x: tensor<2xi32>) {\n  %p = ge.Print(%x) : !ge.ctrl\n"
        "  ge.Print(%x, %x) after(%p)\n  ge.NetOutput(%x)\n}\n"
    )
    np.savez(tmp_path / "in.npz", x=np.array([1, -2], np.int32))
    words = [str(path), "--inputs", str(tmp_path / "in.npz"), "-q", *how]
    assert main(words) == 0
    assert capsysbinary.readouterr().out == b"[ 1, -2]\n[ 1, -2] [ 1, -2]\n"
    assert main([*words, "--outputs", "-"]) == 0
    assert capsysbinary.readouterr().err == b"[ 1, -2]\n[ 1, -2] [ 1, -2]\n"


def test_summary_goes_to_stdout_unless_that_carries_a_result(net, capsys):
    assert main([str(net), "--random-inputs", "0"]) == 0
    plain = capsys.readouterr()
    assert "latency" in plain.out
    assert not plain.err
    assert main([str(net), "--random-inputs", "0", "--op-summary", "-"]) == 0
    piped = capsys.readouterr()
    assert piped.out.startswith("Device_id,")
    assert "latency" in piped.err
    assert main([str(net), "--random-inputs", "0", "-q"]) == 0
    assert not capsys.readouterr().out


def test_compiled_text_from_stdin(net, inputs, tmp_path, monkeypatch):
    from runtime.api import compile_default

    text = compile_default(load(net)).text()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(text.encode())))
    out = tmp_path / "out.npz"
    assert main(["-", "--inputs", str(inputs), "--outputs", str(out), "-q"]) == 0
    np.testing.assert_allclose(_read(out)["c"], 2 * np.e, rtol=1e-6)


def test_output_bytes_repeat(net, tmp_path):
    files = [tmp_path / "a.npz", tmp_path / "b.npz"]
    for path in files:
        assert main([str(net), "--random-inputs", "7", "--outputs", str(path), "-q"]) == 0
    assert files[0].read_bytes() == files[1].read_bytes()


def test_values_of_all_nodes(net, tmp_path):
    path = tmp_path / "values.npz"
    for how in ([], ["--mode", "eager"], ["--golden"]):
        assert main([str(net), "--random-inputs", "0", "--values", str(path), "-q", *how]) == 0
        assert {"a", "b", "c"} <= set(_read(path))


def test_check(net, capsys, monkeypatch):
    assert main([str(net), "--random-inputs", "0", "--check", "1e-6"]) == 0
    assert "agree" in capsys.readouterr().out
    monkeypatch.setattr("runtime.tools.run_model.relative_error", lambda got, want: 0.5)
    assert main([str(net), "--random-inputs", "0", "--check", "1e-6"]) == 4
    assert "GX-615" in capsys.readouterr().err


NOT_FINITE = """
ge.graph @net(%x: tensor<4xf32>) {
  %y = ge.Log(%x) : tensor<4xf32>
  %z = ge.Neg(%x) : tensor<4xf32>
  ge.NetOutput(%y, %z)
}
"""


def test_the_check_says_what_is_not_finite(tmp_path, capsys):
    net, inputs = tmp_path / "net.mlir", tmp_path / "x.npz"
    net.write_text(NOT_FINITE)
    command = [str(net), "--inputs", str(inputs), "--check", "1e-6"]
    np.savez(inputs, x=np.array([-1, -2, 0, 1], np.float32))
    assert main(command) == 0
    said = capsys.readouterr()
    assert said.out.splitlines()[-1].endswith(
        ", 2 of 8 values NaN in both, 1 of 8 values infinite in both"
    )
    assert said.err == ""
    np.savez(inputs, x=np.array([-1, -2, 0, -3], np.float32))
    assert main([*command, "-q"]) == 0
    said = capsys.readouterr()
    assert said.out == ""
    assert "warning: GX-618: output 'y' holds no finite value" in said.err
    assert "each of 4 values is NaN or infinite" in said.err
    assert main([str(net), "--golden", "--inputs", str(inputs)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "y: 4 float32, from -inf to -inf, mean -inf, 3 of 4 values NaN",
        "z: 4 float32, from -0 to 3, mean 1.5",
    ]


def test_time_only_needs_no_inputs(net, tmp_path):
    trace = tmp_path / "trace.json"
    assert main([str(net), "--time-only", "-q", "--trace", str(trace)]) == 0
    assert trace.read_text().startswith("[")


@pytest.mark.parametrize(
    ("arguments", "status", "code"),
    [
        ([], 1, "GX-602"),
        (["--inputs", "/nowhere.npz"], 1, "cannot read"),
        (["--random-inputs", "0", "--outputs", "/nowhere/out.npz"], 1, "cannot write"),
        (["--random-inputs", "0", "--soc", "910Z9"], 1, "GX-501"),
        (["--random-inputs", "0", "--schedule", "chaos"], 2, "GX-610"),
        (["--random-inputs", "0", "--graph", "other"], 1, "other"),
        (["--random-inputs", "0", "--inputs", "x.npz"], 2, "exclude"),
        (["--golden", "--mode", "eager"], 2, "exclude"),
        (["--time-only", "--outputs", "o.npz"], 2, "no values"),
        (["--mode", "slow"], 2, "slow"),
    ],
)
def test_refusals(net, capsys, arguments, status, code):
    assert main([str(net), *arguments]) == status
    captured = capsys.readouterr()
    assert code in captured.err
    assert "Traceback" not in captured.err
    assert not captured.out


def test_broken_npz(net, tmp_path, capsys):
    bad = tmp_path / "bad.npz"
    for content in (b"", b"PK\x03\x04 cut", b"no archive at all"):
        bad.write_bytes(content)
        assert main([str(net), "--inputs", str(bad)]) == 1
        assert "GX-611" in capsys.readouterr().err


def test_wrong_inputs_leave_no_output(net, tmp_path, capsys):
    wrong, out = tmp_path / "wrong.npz", tmp_path / "out.npz"
    np.savez(wrong, x_1=np.ones((2, 4), np.float32), k=np.array(2, np.int64))
    assert main([str(net), "--inputs", str(wrong), "--outputs", str(out)]) == 1
    assert capsys.readouterr().err.count("GX-603") == 2
    assert not out.exists()


def test_arrays_round_trip(tmp_path):
    path = tmp_path / "a.npz"
    arrays = {
        "s": np.float32(1.5),
        "b": np.arange(6).reshape(2, 3),
        "h": np.ones(2, ml_dtypes.bfloat16),
    }
    write_arrays(path, arrays)
    from runtime.inputs import InputSpec

    got = read_arrays(str(path), [InputSpec("h", (2,), np.dtype(ml_dtypes.bfloat16))])
    for name, array in arrays.items():
        np.testing.assert_array_equal(got[name], array)
    assert got["h"].dtype == ml_dtypes.bfloat16


def test_relative_error():
    a = np.array([1.0, np.nan, 4.0])
    assert relative_error(a, a) == 0
    assert relative_error(a, np.array([1.0, 2.0, 4.0])) == np.inf
    assert relative_error(np.array([1.0, 4.4]), np.array([1.0, 4.0])) == pytest.approx(0.1)
    assert relative_error(np.zeros(2), np.zeros(2)) == 0
    assert relative_error(np.zeros(2), np.zeros(3)) == np.inf


def test_help_is_light():
    script = (
        "import sys\n"
        "from runtime.tools.ge_run import main\n"
        "status = main(['--help'])\n"
        "heavy = sorted({'numpy', 'xdsl'} & set(sys.modules))\n"
        "sys.exit(f'{heavy}' if heavy else status)\n"
    )
    env = {**os.environ, "COLUMNS": "80"}
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, env=env
    )
    assert done.returncode == 0, done.stderr
    assert "examples:" in done.stdout
    assert len(done.stdout.splitlines()) < 60


def test_damaged_models_give_diagnostics(tmp_path, capsys):
    """Whatever is wrong in the text of a compiled model is a user's error with a message."""
    from pathlib import Path

    from runtime.api import compile_default

    example = Path(__file__).parents[2] / "examples" / "two_engines.mlir"
    text = compile_default(load(example)).text()
    words = [m.span() for m in re.finditer(r"\d+|[A-Za-z_]+|[^\s\w]", text)]
    rng = np.random.default_rng(0)
    path = tmp_path / "damaged.mlir"
    for _ in range(80):
        start, end = words[int(rng.integers(len(words)))]
        other = words[int(rng.integers(len(words)))]
        number = str(rng.choice([0, 1, 3, 512, 1 << 20, -1]))
        new = ["", text[slice(*other)], number][int(rng.integers(3))]
        path.write_text(text[:start] + new + text[end:])
        status = main([str(path), "--random-inputs", "0", "-q"])
        message = capsys.readouterr().err
        assert status in (0, 1, 3), (text[start - 40 : end + 40], new, message)
        assert "Traceback" not in message
        assert bool(message) == (status != 0)


OPEN = """
ge.graph @net(%x: tensor<?x3xf32> {ge.symbols = ["n", ""]},
              %k: tensor<?xf32> {ge.symbols = ["n"]}) {
  %c = ge.Unsqueeze(%k) {axes = [1]} : tensor<?x1xf32>
  %y = ge.Mul(%x, %c) : tensor<?x3xf32>
  ge.NetOutput(%y)
}
"""


@pytest.mark.parametrize("how", [[], ["--mode", "eager"], ["--golden"]])
def test_open_dims_take_the_sizes_of_the_arrays(tmp_path, how):
    net, given, out = tmp_path / "net.mlir", tmp_path / "in.npz", tmp_path / "out.npz"
    net.write_text(OPEN)
    np.savez(given, x=np.ones((5, 3), np.float32), k=np.arange(5, dtype=np.float32))
    assert main([str(net), "--inputs", str(given), "--outputs", str(out), *how]) == 0
    (y,) = _read(out).values()
    np.testing.assert_array_equal(y, np.tile(np.arange(5, dtype=np.float32)[:, None], 3))


def test_open_dims_take_the_sizes_asked_for(tmp_path, capsys):
    net = tmp_path / "net.mlir"
    net.write_text(OPEN)
    run = [str(net), "--random-inputs", "0", "--check", "1e-6"]
    assert main([*run, "--input-shape", "x:4,-1"]) == 0  # k has the same named dim
    assert main(run) == 1
    assert "--input-shape" in capsys.readouterr().err
    for shapes in ("x:4,2", "x:4", "y:1", "x:4,3;k:5"):
        assert main([*run, "--input-shape", shapes]) == 1
        assert "GX-339" in capsys.readouterr().err
    assert main([*run, "--input-shape", "x"]) == 2


def test_shapes_given_in_python():
    from ge_dialect.api import give_shapes, parse
    from ge_dialect.ir.types import shape_of

    model = parse(OPEN)
    give_shapes(model, {"k": (7,)})
    (graph,) = model.graphs
    assert [shape_of(a.type) for a in graph.args] == [(7, 3), (7,)]
    assert "ge.symbols" not in model.text()
    parse(model.text())
