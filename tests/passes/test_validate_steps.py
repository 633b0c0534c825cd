"""`--max-steps`: how long a golden run under validation, bisection and reduction may be."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

from ge_dialect.api import parse
from ge_dialect.diagnostics import GeError
from ge_dialect.ir.build import build
from ge_dialect.semantics.budget import DEFAULT, Budget, current, limited, with_steps
from passes.base import Pass, PassResult
from passes.bisect import bisect
from passes.context import PassContext
from passes.manager import run_pipeline
from passes.registry import register_pass, unregister_pass
from passes.testing import reduce
from passes.testing.reduce import ValueOracle
from passes.validate import Validate

Tool = Callable[..., Any]

#: Adds 1 from %x on until 40 is reached: some hundred steps on small inputs.
LOOP = """\
ge.graph @g(%x: tensor<i32>) {
  %w = ge.While(%x) : tensor<i32> cond(%a) {
    %most = ge.Const() {value = dense<40> : tensor<i32>} : tensor<i32>
    %c = ge.Less(%a, %most) : tensor<i1>
    ge.NetOutput(%c)
  } body(%a) {
    %one = ge.Const() {value = dense<1> : tensor<i32>} : tensor<i32>
    %b = ge.Add(%a, %one) : tensor<i32>
    ge.NetOutput(%b)
  }
  %y = ge.Neg(%w) : tensor<i32>
  %z = ge.Neg(%w) : tensor<i32>
  ge.NetOutput(%y, %z)
}
"""
FEW, ENOUGH = 50, 1000


@dataclass(frozen=True)
class LoseNeg(Pass):
    """Puts Abs in the place of Neg."""

    name: ClassVar[str] = "test-lose-neg"

    def run(self, module: Any, ctx: PassContext) -> PassResult:
        from ge_dialect.ir.rewriter import Rewriter

        found = [op for op in module.walk() if op.name == "ge.Neg"]
        for op in found:
            new = build("Abs", [op.operands[0]], name=op.ge_node_name)
            Rewriter().replace(op, [new], new.ge_data_results)
        return PassResult(bool(found), {})


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    register_pass(LoseNeg)
    yield
    unregister_pass(LoseNeg.name)


@pytest.fixture
def path(tmp_path: Path) -> str:
    """The loop in a file."""
    held = tmp_path / "net.mlir"
    held.write_text(LOOP)
    return str(held)


def test_the_budget_of_an_option() -> None:
    assert with_steps(None) == DEFAULT
    assert with_steps(0) == Budget(steps=None)
    assert with_steps(7).steps == 7
    with limited(Budget(array_bytes=9, steps=5)):
        assert with_steps(7) == Budget(array_bytes=9, steps=7)
        assert with_steps(None).steps == 5


@pytest.mark.parametrize("mode", ["each", "stage", "ends"])
def test_a_run_that_is_too_long_cannot_be_compared(tool: Tool, path: str, mode: str) -> None:
    words = ("ge-opt", path, "-p", "cse", f"--validate={mode}")
    assert tool(*words).status == 0
    assert tool(*words, f"--max-steps={ENOUGH}").status == 0
    done = tool(*words, f"--max-steps={FEW}")
    said = done.err.decode()
    assert (done.status, done.out) == (1, b"")
    assert "GX-444" in said
    assert "GX-249" in said
    assert f"at most {FEW} nodes run" in said
    assert "in ge-run and ge-opt by --max-steps N" in said


def test_no_limit_at_all(tool: Tool, path: str) -> None:
    words = ("ge-opt", path, "-p", "cse", "--validate=each")
    with limited(Budget(steps=FEW)):  # as a stricter default would be
        assert tool(*words).status == 1
        assert tool(*words, "--max-steps=0").status == 0
        assert current().steps == FEW


def test_it_goes_with_what_compares_values(tool: Tool, path: str) -> None:
    for words in ("-p cse", "-p cse --verify=each"):
        done = tool("ge-opt", path, *words.split(), "--max-steps=5")
        assert done.status == 2
        assert b"--max-steps does nothing without --validate, --validate-inputs" in done.err
    done = tool("ge-reduce", path, *"-p cse --fails crash --max-steps 5".split())
    assert done.status == 2
    assert b"--max-steps does nothing with --fails crash" in done.err


def test_passes_are_not_limited(path: str) -> None:
    seen: list[int | None] = []

    @dataclass(frozen=True)
    class Look(Pass):
        """Notes the steps that count where passes run."""

        name: ClassVar[str] = "test-look"

        def run(self, module: Any, ctx: PassContext) -> PassResult:
            seen.append(current().steps)
            return PassResult(True, {})

    model = parse(LOOP)
    ctx = PassContext(weights=model.weights)
    watch = Validate("each", ctx, max_steps=ENOUGH)
    run_pipeline(model, [Look()], ctx=ctx, instruments=[watch], reproducer=False)
    assert seen == [DEFAULT.steps]
    assert watch.comparisons == 1


def test_a_reproducer_holds_it(tool: Tool, path: str, tmp_path: Path) -> None:
    words = ("-p", "cse,test-lose-neg", "--validate=each", f"--max-steps={ENOUGH}")
    done = tool("ge-opt", path, *words, f"--reproducer-dir={tmp_path}")
    assert done.status == 4
    hint = next(line for line in done.err.decode().splitlines() if "hint: " in line)
    command = shlex.split(hint.partition("hint: ")[2])
    with limited(Budget(steps=FEW)):
        assert f'"max_steps": {ENOUGH}' in Path(command[-1]).read_text()
        assert tool(*command).status == 4
        assert tool(*command, f"--max-steps={FEW}").status == 1  # said again, it counts
        small = tmp_path / "small.mlir"
        done = tool("ge-reduce", command[-1], "-o", str(small))
        assert done.status == 0, done.err.decode()
        assert f"--validate=ends --max-steps={ENOUGH}" in done.out.decode()
        assert b"While" not in small.read_bytes()


def test_bisection(tool: Tool, path: str) -> None:
    words = ("ge-opt", path, "-p", "cse,test-lose-neg", "--bisect")
    with limited(Budget(steps=FEW)):
        assert tool(*words).status == 1
        done = tool(*words, f"--max-steps={ENOUGH}")
    assert done.status == 4
    assert b"from pass 2, 'test-lose-neg'" in done.err
    with pytest.raises(GeError, match="GX-444"):
        bisect(lambda: parse(LOOP), "cse,test-lose-neg", max_steps=FEW)


def test_reduction(tool: Tool, path: str, tmp_path: Path) -> None:
    with pytest.raises(GeError, match="GX-443"):
        reduce(parse(LOOP), [LoseNeg()], ValueOracle(max_steps=FEW))
    words = ("ge-reduce", path, "-p", "test-lose-neg", "-o", str(tmp_path / "small.mlir"))
    with limited(Budget(steps=FEW)):
        assert tool(*words).status == 1
        for more in ([], ["--fails=value"]):
            done = tool(*words, *more, "--max-steps=0")
            assert done.status == 0, done.err.decode()
            assert "--max-steps=0" in done.out.decode()
