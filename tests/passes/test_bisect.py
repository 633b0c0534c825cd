"""The first bad pass and the first bad rewrite, in few runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, log2
from pathlib import Path
from typing import Any, ClassVar

import pytest
from xdsl.dialects.builtin import UnitAttr

from ge_dialect.api import Model, parse
from ge_dialect.diagnostics import GeError
from ge_dialect.ir.build import build
from ge_dialect.ir.names import node_name
from passes.base import Contract, Pass, PassResult
from passes.bisect import Bisection, bisect
from passes.manager import RunOptions
from passes.registry import register_pass, unregister_pass
from passes.rewriting import Pattern, PatternRewriter, apply_patterns


@dataclass(frozen=True)
class Renumber(Pattern):
    """Rebuilds every Add; the one called `wrong` becomes a Sub, or raises, or gets a wrong type."""

    root = ("Add",)
    name = "Renumber"
    wrong: str = "n20"
    how: str = "value"

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        if "ge.done" in op.attributes:
            return
        is_wrong = node_name(op) == self.wrong
        if is_wrong and self.how == "crash":
            raise ZeroDivisionError("planted")
        kind = "Sub" if is_wrong and self.how == "value" else "Add"
        types = [r.type for r in op.results]
        new = build(kind, list(op.ge_args()), result_types=types)
        new.attributes["ge.done"] = UnitAttr()
        rw.replace(op, new)
        if is_wrong and self.how == "verify":
            from ge_dialect.ir.types import elem_of, tensor_type

            rw.set_result_type(new.results[0], tensor_type((7,), elem_of(new.results[0].type)))


@dataclass(frozen=True)
class Rebuilds(Pass):
    """Rebuilds all sums, one of them wrongly."""

    name: ClassVar[str] = "test-rebuilds"
    contract: ClassVar[Contract] = Contract()
    wrong: str = "n20"
    how: str = "value"

    def run(self, module: Any, ctx: Any) -> PassResult:
        return PassResult.from_counters(
            apply_patterns(module, [Renumber(self.wrong, self.how)], ctx)
        )


@dataclass(frozen=True)
class Uncounted(Pass):
    """Swaps operands of every Sub without counting."""

    name: ClassVar[str] = "test-uncounted"

    def run(self, module: Any, ctx: Any) -> PassResult:
        for op in module.walk():
            if op.name == "ge.Sub":
                a, b = op.operands
                op.operands = (b, a)
        return PassResult(True)


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    for one in (Rebuilds, Uncounted):
        register_pass(one)
    yield
    for one in (Rebuilds, Uncounted):
        unregister_pass(one.name)


def text(ops: int = 32) -> str:
    """A chain of sums."""
    lines = [
        f"  %n{i} = ge.Add(%{'x' if i == 0 else f'n{i - 1}'}, %y) : tensor<4xf32>"
        for i in range(ops)
    ]
    body = "\n".join(lines)
    head = "ge.graph @g(%x: tensor<4xf32>, %y: tensor<4xf32>) {\n"
    return f"{head}{body}\n  %s = ge.Sub(%n{ops - 1}, %x) : tensor<4xf32>\n  ge.NetOutput(%s)\n}}"


def make(ops: int = 32) -> Model:
    return parse(text(ops))


AROUND = "prune,common-subexpression-elimination,identity-remove,%s,prune,cast-remove,prune"


@pytest.mark.parametrize(
    ("how", "kind", "status"),
    [("value", "value", 4), ("verify", "verify", 3), ("crash", "GX-406", 70)],
)
def test_finds_pass_and_rewrite(how: str, kind: str, status: int) -> None:
    found = bisect(make, AROUND % f"test-rebuilds{{how={how}}}")
    assert found is not None
    assert (found.pass_name, found.number) == ("test-rebuilds", 4)
    assert (found.failure.kind, found.failure.exit_code) == (kind, status)
    if how == "crash":
        assert (found.rewrite, found.rewrites) == (21, 21)
        assert "IR before it" in found.render()
        return
    assert (found.rewrite, found.rewrites) == (21, 32)
    assert (found.pattern, found.node) == ("Renumber", "n20")
    lines = found.diff().splitlines()
    changed = [x for x in lines if x[:1] in "+-" and not x.startswith(("+++", "---"))]
    assert [c for c in changed if c.startswith("-")] == [
        "-  %n20 = ge.Add(%n19, %y) : tensor<4xf32>"
    ]
    assert any("%n19 =" in line for line in lines), "lines before it"
    assert any("%n22 =" in line for line in lines), "lines behind it"
    assert not any("%n10 =" in line for line in lines), "and no more"


def test_few_runs() -> None:
    ops, passes = 256, 16
    pipeline = ",".join(["prune"] * 9 + ["test-rebuilds{wrong=n77}"] + ["prune"] * (passes - 10))
    found = bisect(lambda: make(ops), pipeline)
    assert found is not None
    assert (found.number, found.rewrite) == (10, 78)
    assert found.runs <= ceil(log2(passes)) + ceil(log2(ops)) + 8


def test_loops_count_every_run_of_a_pass() -> None:
    found = bisect(make, "fix(prune,test-rebuilds){max=2},prune")
    assert found is not None
    assert found.number == 2


def test_pass_that_counts_nothing() -> None:
    found = bisect(make, "prune,test-uncounted,prune")
    assert found is not None
    assert (found.pass_name, found.rewrite, found.rewrites) == ("test-uncounted", None, 0)
    assert "counts no rewrites" in found.render()
    assert "ge.Sub(%x, %n31)" in found.diff()


def test_nothing_fails() -> None:
    assert bisect(make, "prune,common-subexpression-elimination") is None
    assert bisect(make, "") is None
    assert bisect(make, "ge-default") is None


def test_whole_pipeline_up_to_the_compiled_model() -> None:
    found = bisect(lambda: make(8), "test-rebuilds{wrong=n3},ge-default")
    assert found is not None
    assert (found.pass_name, found.rewrite) == ("test-rebuilds", 4)


def test_endless_pass() -> None:
    @dataclass(frozen=True)
    class Endless(Pass):
        """Never ends."""

        name: ClassVar[str] = "test-endless"

        def run(self, module: Any, ctx: Any) -> PassResult:
            while True:
                pass

    bisection = Bisection(make, ["prune", Endless(), "prune"], options=RunOptions(pass_timeout=0.3))
    found = bisection.run()
    assert found is not None
    assert (found.pass_name, found.failure.kind) == ("test-endless", "GX-442")


def test_unusable_pipeline_is_an_error() -> None:
    with pytest.raises(GeError) as caught:
        bisect(make, "lower-to-rt")
    assert caught.value.diagnostics[0].code == "GX-405"


def test_tool(tool: Any, tmp_path: Path) -> None:
    path = tmp_path / "net.mlir"
    path.write_text(text())
    done = tool("ge-opt", str(path), "-p", AROUND % "test-rebuilds", "--bisect")
    assert done.status == 4
    out = done.out.decode()
    assert "first bad pass: test-rebuilds (pass 4 of 7)" in out
    assert "first bad rewrite: 21 of 32: Renumber at 'n20'" in out
    assert b"GX-441" in done.err
    done = tool("ge-opt", str(path), "-p", "prune", "--bisect")
    assert done.status == 0
    assert b"nothing fails" in done.out
    # the limit that bisection found stops just before the bad rewrite
    for limit, status in ((20, 0), (21, 4)):
        done = tool(
            "ge-opt", str(path), "-p", AROUND % "test-rebuilds", "--validate=ends",
            f"--rewrite-limit={limit}", f"--reproducer-dir={tmp_path}",
        )  # fmt: skip
        assert done.status == status
