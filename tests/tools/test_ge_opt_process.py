"""`ge-opt` as a process: start-up cost, pipes, signals, determinism, read-only places."""

from __future__ import annotations

import io
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

SMALL = """\
ge.graph @g(%x: tensor<4xf32>) {
  %a = ge.Relu(%x) : tensor<4xf32>
  %b = ge.Relu(%x) : tensor<4xf32>
  %c = ge.Add(%a, %b) : tensor<4xf32>
  ge.NetOutput(%c)
}
"""
TOOL = [sys.executable, "-m", "passes.tools.ge_opt"]


def run(*arguments: str, text: str = SMALL, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*TOOL, *arguments],
        input=text,
        capture_output=True,
        text=True,
        env={**os.environ, **env},
        timeout=60,
    )


def costs(*commands: Sequence[str]) -> list[float]:
    """Least user and system time of a few runs of each, in turn; the machine may be busy."""
    best = [float("inf")] * len(commands)
    for _ in range(3):
        for i, command in enumerate(commands):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            done = subprocess.run(command, input=SMALL, capture_output=True, text=True, timeout=60)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            assert done.returncode == 0, done.stderr
            spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            best[i] = min(best[i], spent)
    return best


def test_help_is_quick() -> None:
    """As a multiple of what Python itself takes to start: no machine matters."""
    shown, python = costs([*TOOL, "--help"], [sys.executable, "-c", "pass"])
    assert shown < 4 * python


def test_a_small_run_is_quick() -> None:
    """As a multiple of what xDSL takes to be imported; 0.34 s and 0.15 s on the usual machine."""
    imported = [sys.executable, "-c", "import xdsl.dialects.builtin"]
    ran, xdsl = costs([*TOOL, "-", "--pipeline=cse"], imported)
    assert ran < 3.2 * xdsl


@pytest.mark.parametrize(
    ("arguments", "absent"),
    [
        (["--help"], ("numpy", "xdsl")),
        (["--list-pipelines"], ("numpy", "xdsl")),
        (["--no-such"], ("numpy", "xdsl")),
        (["-p", "nope"], ("numpy", "xdsl")),
        (["-", "--pipeline=cse"], ("numpy", "onnx", "rich")),
    ],
)
def test_what_is_not_imported(arguments: list[str], absent: tuple[str, ...]) -> None:
    code = (
        "import sys\n"
        "from passes.tools.ge_opt import main\n"
        f"main({arguments!r})\n"
        f"print([m for m in {absent!r} if m in sys.modules], file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=SMALL, capture_output=True, text=True, timeout=60
    )
    assert done.stderr.splitlines()[-1] == "[]"


TOUR = Path(__file__).resolve().parents[2] / "examples" / "tour.mlir"


def test_the_same_bytes_for_every_hash_seed() -> None:
    """All stages, names, origins and plans; nothing in them may follow a set's order."""
    flags = (str(TOUR), "-p", "ge-default", "--print-debuginfo", "--print-ir-after-all")
    first, second = (run(*flags, PYTHONHASHSEED=seed) for seed in ("1", "2"))
    assert first.returncode == 0, first.stderr
    assert (first.stdout, first.stderr) == (second.stdout, second.stderr)


def test_the_same_bytes_without_the_cpus_extensions() -> None:
    """Folded constants, plans and offsets hold nothing that depends on how numpy was compiled."""
    code = (
        "import numpy._core._multiarray_umath as m\n"
        "print(' '.join(f for f in m.__cpu_dispatch__ if m.__cpu_features__[f]))\n"
    )
    known = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    flags = (str(TOUR), "-p", "ge-default", "--print-ir-after-all")
    plain = run(*flags)
    bare = run(*flags, NPY_DISABLE_CPU_FEATURES=known.stdout.strip())
    assert bare.returncode == 0, bare.stderr
    assert (plain.stdout, plain.stderr) == (bare.stdout, bare.stderr)


def test_a_closed_pipe_is_silent() -> None:
    many = "".join(f"  %v{i} = ge.Relu(%x) : tensor<4xf32>\n" for i in range(4000))
    text = f"ge.graph @g(%x: tensor<4xf32>) {{\n{many}  ge.NetOutput(%v0)\n}}\n"
    process = subprocess.Popen(
        TOOL, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    process.stdin.write(text.encode())
    process.stdin.close()
    assert process.wait(60) == 141
    assert process.stderr.read() == b""
    process.stderr.close()


def test_ctrl_c_ends_cleanly(tmp_path: Path) -> None:
    output = tmp_path / "out.mlir"
    process = subprocess.Popen(
        [*TOOL, "-", "-o", str(output)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    process.stdin.write(b"//\n" * 100_000)  # more than a pipe holds: now it waits for its input
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert (out, err) == (b"", b"interrupted\n")
    assert not output.exists()


def test_an_output_below_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = run("-o", str(tmp_path / "file" / "out.mlir"))
    assert done.returncode == 1
    assert "GX-002" in done.stderr


def test_a_full_disk() -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full here")
    done = run("-o", "/dev/full")
    assert done.returncode == 1
    assert "GX-002" in done.stderr
    assert "Traceback" not in done.stderr


def test_help_that_cannot_be_written(capsys, monkeypatch) -> None:
    from ge_dialect.tools.common import run_tool
    from passes.tools.ge_opt import run as ge_opt

    class Full(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(sys, "stdout", Full())
    assert run_tool(ge_opt, ["--help"]) == 1
    assert "No space left" in capsys.readouterr().err


def test_tracebacks_are_for_those_who_ask() -> None:
    code = (
        "from passes.registry import PASSES\n"
        "PASSES['boom'] = 'no_such_module:Boom'\n"
        "from passes.tools.ge_opt import main\n"
        "raise SystemExit(main(['-p', 'boom', '--verify=off']))\n"
    )
    for debug in ("", "1"):
        done = subprocess.run(
            [sys.executable, "-c", code],
            input=SMALL,
            capture_output=True,
            text=True,
            env={**os.environ, "GE_DEBUG": debug},
            timeout=60,
        )
        assert done.returncode == 70
        assert ("Traceback" in done.stderr) is bool(debug)
        assert "boom" in done.stderr or "no_such_module" in done.stderr
