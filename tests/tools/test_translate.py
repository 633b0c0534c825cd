"""`ge-translate`: what it writes, how it fails, what it costs."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys

import numpy as np
import pytest

from ge_dialect.tools.ge_translate import main

onnx = pytest.importorskip("onnx", reason="needs the extra ge-opt[onnx]")

TOOL = [sys.executable, "-m", "ge_dialect.tools.ge_translate"]


@pytest.fixture
def file(tmp_path):
    """An ONNX file with one large and one small weight."""
    h = onnx.helper
    held = {"w": np.arange(300, dtype=np.float32).reshape(3, 100), "b": np.float32(2)}
    nodes = [h.make_node("MatMul", ["x", "w"], ["t"]), h.make_node("Add", ["t", "b"], ["y"])]
    graph = h.make_graph(
        nodes,
        "net",
        [h.make_tensor_value_info("x", 1, [2, 3])],
        [h.make_tensor_value_info("y", 1, [2, 100])],
        [onnx.numpy_helper.from_array(np.asarray(a), n) for n, a in held.items()],
    )
    path = tmp_path / "m.onnx"
    made = h.make_model(graph, opset_imports=[h.make_opsetid("", 13)])
    path.write_bytes(made.SerializeToString())
    return path


@pytest.fixture
def inside(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def process(*arguments: str, data: bytes = b"", **env: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*TOOL, *arguments],
        input=data,
        capture_output=True,
        env={**os.environ, **env},
        timeout=60,
        check=False,
    )


def check_values(path, weights=None) -> None:
    from ge_dialect import api

    model = api.load(path, weights=weights)
    found = api.evaluate(model, {"x": np.ones((2, 3), np.float32)}).outputs[0]
    expected = np.arange(300, dtype=np.float32).reshape(3, 100).sum(0) + 2
    np.testing.assert_array_equal(found, np.stack([expected, expected]))


def test_text_and_weights_beside_it(file, inside):
    assert main(["m.onnx", "-o", "out.mlir"]) == 0
    assert sorted(os.listdir(inside)) == ["m.onnx", "out.mlir", "out.weights"]
    assert 'ge.weights = "out.weights"' in (inside / "out.mlir").read_text()
    check_values(inside / "out.mlir")


def test_the_same_bytes_again(file, inside):
    main(["m.onnx", "-o", "a.mlir", "--weights", "w"])
    first = (inside / "a.mlir").read_bytes()
    index = (inside / "w" / "index.json").read_bytes()
    main(["m.onnx", "-o", "a.mlir", "--weights", "w"])
    assert (inside / "a.mlir").read_bytes() == first
    assert (inside / "w" / "index.json").read_bytes() == index


def test_the_same_bytes_everywhere(inside):
    """Neither hash seeds nor the instructions numpy finds change text or weights."""
    seen = set()
    for env in (
        {"PYTHONHASHSEED": "1"},
        {"PYTHONHASHSEED": "2", "NPY_DISABLE_CPU_FEATURES": "AVX2 FMA3 AVX512F AVX512_SKX"},
    ):
        done = process("light:squeezenet", "--random-weights", "0", "-o", "a.mlir", **env)
        assert done.returncode == 0
        shard = (inside / "a.weights" / "shard-00000.safetensors").read_bytes()
        index = (inside / "a.weights" / "index.json").read_bytes()
        seen.add(((inside / "a.mlir").read_bytes(), index, shard))
    assert len(seen) == 1


def test_pipe_in_and_out_needs_a_folder_for_weights(file, inside):
    data = file.read_bytes()
    refused = process("-", data=data)
    assert refused.returncode == 1
    assert b"--weights" in refused.stderr
    assert refused.stdout == b""
    done = process("-", "--weights", "w", data=data)
    assert done.returncode == 0
    assert done.stderr == b""  # no progress in a pipe
    (inside / "piped.mlir").write_bytes(done.stdout)
    check_values(inside / "piped.mlir")


def test_kind_is_told_by_content(file, inside):
    file.rename(inside / "model.txt")
    assert main(["model.txt", "-o", "a.mlir"]) == 0
    (inside / "a.mlir").rename(inside / "b.onnx")
    assert main(["b.onnx", "-o", "c.mlir", "--input-weights", "a.weights"]) == 0
    check_values(inside / "c.mlir")
    assert main(["b.onnx", "-o", "d.mlir", "--name", "other"]) == 0
    assert "@other(" in (inside / "d.mlir").read_text()


def test_text_that_begins_with_a_line_end(inside):
    (inside / "a.mlir").write_text("\n\nge.graph @g(%x: tensor<2xf32>) {\n  ge.NetOutput(%x)\n}\n")
    assert main(["a.mlir", "-o", "b.mlir"]) == 0


def test_name_and_generic_form(file, inside):
    assert main(["m.onnx", "-o", "a.mlir", "--name", "mine", "--print-op-generic"]) == 0
    text = (inside / "a.mlir").read_text()
    assert '"ge.graph"' in text
    assert '"mine"' in text


def test_random_weights(file, inside):
    for seed, name in (("1", "a"), ("1", "b"), ("2", "c")):
        assert main(["m.onnx", "-o", f"{name}.mlir", "--random-weights", seed]) == 0
    shards = {n: (inside / f"{n}.weights" / "shard-00000.safetensors").read_bytes() for n in "abc"}
    assert shards["a"] == shards["b"] != shards["c"]


def test_abstract_weights(file, inside):
    assert main(["m.onnx", "-o", "a.mlir", "--abstract-weights"]) == 0
    assert os.listdir(inside / "a.weights") == ["index.json"]
    assert '#ge.weight<"w", abstract>' in (inside / "a.mlir").read_text()


def test_light_models_by_name(inside):
    assert main(["light:squeezenet", "-o", "s.mlir", "--random-weights", "0"]) == 0
    assert (inside / "s.weights").is_dir()


def test_warnings_go_to_stderr(inside, capsys):
    h = onnx.helper
    graph = h.make_graph(
        [h.make_node("Relu", ["x"], ["y"])],
        "g",
        [h.make_tensor_value_info("x", 1, [2])],
        [h.make_tensor_value_info("y", 1, [3])],
    )
    model = h.make_model(graph, opset_imports=[h.make_opsetid("", 13)])
    (inside / "m.onnx").write_bytes(model.SerializeToString())
    assert main(["m.onnx"]) == 0
    out, err = capsys.readouterr()
    assert "warning: GX-336" in err
    assert "warning" not in out


# --- failures --------------------------------------------------------------------------------


def failing(capsys, *arguments: str) -> str:
    """Diagnostics of a run that must fail with status 1, one screen, no output, no traceback."""
    assert main(list(arguments)) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "Traceback" not in err
    assert len(err.splitlines()) <= 24
    return err


def test_bad_inputs(file, inside, capsys):
    whole = file.read_bytes()
    (inside / "cut.onnx").write_bytes(whole[: len(whole) // 2])
    (inside / "junk").write_bytes(b"\xff\x00\x01junk")
    (inside / "empty").write_bytes(b"")
    (inside / "bad.mlir").write_text("ge.graph @g( {")
    (inside / "latin").write_bytes("ge.graph @ü".encode("latin-1"))
    for name, code in (
        ("cut.onnx", "GX-330"),
        ("junk", "GX-338"),
        ("empty", "GX-009"),
        ("missing", "GX-001"),
        (".", "GX-001"),
        ("bad.mlir", "GX-1"),
        ("latin", "GX-003"),
        ("light:nothing", "GX-012"),
    ):
        assert code in failing(capsys, name, "-o", "out.mlir"), name
    assert not (inside / "out.mlir").exists()


def test_unwritable_outputs_fail_before_the_work(file, inside, capsys):
    (inside / "file").write_text("x")
    for target in ("no/such/folder/a.mlir", "file/a.mlir", "."):
        assert "GX-002" in failing(capsys, "m.onnx", "-o", target)
    (inside / "a.weights").write_text("not a folder")
    assert "GX-310" in failing(capsys, "m.onnx", "-o", "a.mlir")
    assert not (inside / "a.mlir").exists()


def test_side_files_missing_or_outside(file, inside, capsys):
    main(["m.onnx", "-o", "a.mlir"])
    text = (inside / "a.mlir").read_text()
    (inside / "b.mlir").write_text(text.replace("a.weights", "gone.weights"))
    assert "GX-300" in failing(capsys, "b.mlir")
    (inside / "b.mlir").write_text(text.replace("a.weights", "../a.weights"))
    assert "GX-302" in failing(capsys, "b.mlir")
    shard = inside / "a.weights" / "shard-00000.safetensors"
    shard.write_bytes(shard.read_bytes()[:-4])
    assert "GX-303" in failing(capsys, "a.mlir", "-o", "c.mlir")


def test_wrong_usage(capsys):
    for arguments in (
        [],
        ["a", "b"],
        ["a", "--nonsense"],
        ["a", "--random-weights", "x"],
        ["a", "--random-weights", "-1"],
        ["a", "--ran", "1"],
    ):
        assert main(arguments) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert "ge-translate" in err
        assert len(err.splitlines()) <= 3


def test_missing_onnx_package(file, inside):
    """The hint to install it is all that is said."""
    code = (
        "import sys; sys.modules['onnx'] = None\n"
        "from importlib import util; real = util.find_spec\n"
        "util.find_spec = lambda n, *a: None if n == 'onnx' else real(n, *a)\n"
        "del sys.modules['onnx']\n"
        "from ge_dialect.tools.ge_translate import main; sys.exit(main(['m.onnx']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "pip install 'ge-opt[onnx]'" in done.stderr
    assert len(done.stderr.splitlines()) <= 2


def test_closed_pipe_and_interrupt(file, inside):
    main(["m.onnx", "-o", "a.mlir"])
    for unbuffered in ("", "1"):
        writer = subprocess.Popen(
            [*TOOL, "light:densenet121"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        )
        assert writer.stdout is not None
        assert writer.stderr is not None
        writer.stdout.read(10)
        writer.stdout.close()
        assert writer.stderr.read() == b""
        assert writer.wait(60) == 141
    waiting = subprocess.Popen([*TOOL, "-"], stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    assert waiting.stdin is not None
    waiting.stdin.write(b"\n" * 300_000)  # more than a pipe holds: now it waits for its input
    waiting.send_signal(signal.SIGINT)
    _, err = waiting.communicate(timeout=30)
    assert waiting.returncode == 130
    assert err == b"interrupted\n"


# --- cost ------------------------------------------------------------------------------------


def test_help_is_short_grouped_and_cheap():
    code = (
        "import sys\nfrom ge_dialect.tools.ge_translate import main\nassert main(['--help']) == 0\n"
        "assert not {'numpy', 'xdsl', 'onnx', 'rich'} & set(sys.modules)"
    )
    done, helped = measured(code)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) <= 40
    for word in ("input and output:", "translation:", "examples:"):
        assert word in done.stdout
    python = min(measured("pass")[1] for _ in range(3))
    assert min(helped, measured(code)[1], measured(code)[1]) < 6 * python


def measured(code: str) -> tuple[subprocess.CompletedProcess[str], float]:
    """A finished run of some Python, and its user and system time in seconds."""
    env = {**os.environ, "COLUMNS": "80"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env=env
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def test_list_of_operators(capsys):
    assert main(["--list-operators"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert len(out) >= 100
    assert any(line.split()[0] == "Conv" and "22" in line for line in out)
