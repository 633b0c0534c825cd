"""Numbers on command lines are plain decimal; anything else is wrong usage."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ge_dialect.api import parse
from ge_dialect.diagnostics import Diagnostic
from ge_dialect.importers.ge_types import format_name
from ge_dialect.importers.onnx_models import __main__ as onnx_models
from ge_dialect.tools import ge_translate
from ge_dialect.tools.arguments import amount, count, number, positive
from passes.shapes.given import input_shapes
from passes.testing import command
from passes.tools import ge_opt, ge_reduce
from passes.verify_diagnostics import line_of
from runtime.tools import ge_run

Tool = Callable[..., Any]
ROOT = Path(__file__).resolve().parents[2]

NET = """\
ge.graph @g(%x: tensor<4xf32>) {
  %y = ge.Relu(%x) : tensor<4xf32>
  ge.NetOutput(%y)
}
"""
#: What Python's `int` or `float` take, and other text.
ODD = (
    "٣",
    "３",
    "²",
    "+3",
    "-3",
    " 3",
    "3 ",
    "1_0",
    "0x3",
    "",
    "nan",
    "inf",
    "-0",
    "3\n",
    "9" * 500,
)
PARSERS = {
    "ge-opt": ge_opt.build_parser,
    "ge-reduce": ge_reduce.build_parser,
    "ge-run": ge_run.build_parser,
    "ge-translate": ge_translate.build_parser,
    "passes.testing.check": command.arguments,
    "onnx_models": onnx_models.build_parser,
}


@pytest.mark.parametrize("text", [*ODD, "1e999"])
@pytest.mark.parametrize("kind", [count, number, amount, positive])
def test_odd_forms_are_refused(kind: Callable[[str], float], text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError) as caught:
        kind(text)
    assert len(str(caught.value)) < 120


def test_plain_numbers_are_taken() -> None:
    assert [count(t) for t in ("0", "7", "007", "1" * 30)] == [0, 7, 7, int("1" * 30)]
    assert [number(t) for t in ("1", "20000")] == [1, 20000]
    assert [amount(t) for t in ("0", "3", "0.5", ".5", "1.", "1e-3", "2E+2")] == [
        *(0, 3, 0.5, 0.5, 1, 0.001, 200),
    ]
    assert positive("1e-3") == 0.001
    for kind, text in ((count, "1.5"), (number, "0"), (positive, "0"), (positive, "0e5")):
        with pytest.raises(argparse.ArgumentTypeError):
            kind(text)


@pytest.mark.parametrize("name", PARSERS)
def test_every_option_that_is_a_number_is_of_these_kinds(name: str) -> None:
    shared = {count, number, amount, positive}
    for action in PARSERS[name]()._actions:
        kind = action.type
        if kind is None or kind in shared:
            continue
        try:
            made = kind("3")  # pyright: ignore[reportCallIssue]
        except (argparse.ArgumentTypeError, ValueError):
            continue
        assert not isinstance(made, int | float), action.option_strings


def test_no_command_line_takes_what_python_takes() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for folder in ("ge_dialect", "passes", "runtime", "benchmarks", "examples")
        for path in sorted((ROOT / folder).rglob("*.py"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(r"\btype=(int|float)\b", line)
    ]
    assert found == []


@pytest.mark.parametrize("text", ["٣", "+3", "1_0", "3.5"])
@pytest.mark.parametrize(
    "arguments",
    [
        "ge-opt net.mlir -p cse --rewrite-limit={}",
        "ge-opt net.mlir -p cse --validate=each --validate-seed={}",
        "ge-opt net.mlir -p cse --validate=each --max-steps={}",
        "ge-opt net.mlir -p cse --dump-ge=d --dump-ge-level={}",
        "ge-run net.mlir --golden --random-inputs={}",
        "ge-run net.mlir --golden --random-inputs=0 --max-steps={}",
        "ge-run net.mlir --mode=eager --random-inputs=0 --host-queue={}",
        "ge-reduce net.mlir -p cse --max-trials={}",
        "ge-reduce net.mlir -p cse --max-steps={}",
        "ge-translate net.mlir --random-weights={}",
    ],
)
def test_of_the_tools(tool: Tool, tmp_path: Path, arguments: str, text: str) -> None:
    (tmp_path / "net.mlir").write_text(NET)
    words = arguments.replace("net.mlir", str(tmp_path / "net.mlir")).replace(
        "=d ", f"={tmp_path}/d "
    )
    done = tool(*(w.replace("{}", text) for w in words.split()))
    said = done.err.decode()
    assert (done.status, done.out) == (2, b"")
    assert said.startswith(f"{arguments.split()[0]}: error: GX-008: argument --")
    assert f"must be a whole number, at least {int('trials' in arguments)}: {text!r}" in said
    assert [p.name for p in tmp_path.iterdir()] == ["net.mlir"]


@pytest.mark.parametrize("text", ["٣", "２"])
@pytest.mark.parametrize("pipeline", ["constant-folding{{max-bytes={}}}", "fix(cse){{max={}}}"])
def test_of_pipelines(tool: Tool, pipeline: str, text: str) -> None:
    done = tool("ge-opt", "-", "-p", pipeline.format(text), stdin=NET.encode())
    assert done.status == 2
    assert b"GX-401" in done.err


@pytest.mark.parametrize("name", ["validate_seed", "max_steps", "rewrite_limit", "pass_timeout"])
@pytest.mark.parametrize("value", ["3", -1, True, [1], 1e999, float("nan")])
@pytest.mark.parametrize("words", ["ge-opt - --run-reproducer", "ge-reduce - --fails value"])
def test_of_reproducers(tool: Tool, words: str, name: str, value: object) -> None:
    options = json.dumps({"validate": "each", name: value})
    head = ("// ge-opt reproducer 1", "// error: ", "// pipeline: cse", f"// options: {options}")
    text = "\n".join([*head, "// run with: ge-opt --run-reproducer FILE", NET])
    done = tool(*words.split(), stdin=text.encode())
    assert (done.status, done.out) == (2, b"")
    assert f"<stdin>:4:1: error: GX-412: the option '{name}' is not a" in done.err.decode()


def test_digits_that_are_no_numbers_in_texts() -> None:
    """`str.isdigit` is true of them, `int` raises."""
    assert format_name("FORMAT_FRACTAL_Z:8") == ("FRACTAL_Z", 8)
    assert format_name("FORMAT_FRACTAL_Z:²") == ("FRACTAL_Z", 1)
    assert line_of(Diagnostic("GX-001", "", location="x.mlir:²:1")) is None
    text = NET.replace("<4xf32>", "<?xf32>").replace("<?xf32>)", '<?xf32> {ge.symbols = ["²*2"]})')
    ((dims,), _) = input_shapes(parse(text).graphs[0])
    assert dims is not None
    assert str(dims[0]) == "²*2"  # a name, not a product
