"""Analyses: cached, dropped when a pass changes the module, kept where its contract says so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from ge_dialect.diagnostics import GeError
from ge_dialect.ir.reader import parse_module
from passes import analysis, run_pipeline
from passes.analysis import ANALYSES, register_analysis
from passes.base import Contract, Pass, PassResult
from passes.context import PassContext
from passes.registry import pass_class, pass_names

TEXT = """
ge.graph @g(%x: tensor<4xf32>) {
  %a = ge.Relu(%x) : tensor<4xf32>
  %b = ge.Relu(%a) : tensor<4xf32> loc("b"("source"))
  ge.NetOutput(%b)
}
"""


def share(module: Any, ctx: PassContext) -> float:
    """Rests on op-census."""
    census = ctx.analysis("op-census", module)
    return census.get("ge.Relu", 0) / sum(census.values())


def loop_a(module: Any, ctx: PassContext) -> Any:
    return ctx.analysis("loop-b", module)


def loop_b(module: Any, ctx: PassContext) -> Any:
    return ctx.analysis("loop-a", module)


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "ANALYSES", dict(ANALYSES))
    for name, function in (("relu-share", share), ("loop-a", loop_a), ("loop-b", loop_b)):
        target = f"{function.__module__}:{function.__name__}"
        monkeypatch.setitem(analysis.ANALYSES, name, target)
    monkeypatch.setattr(
        analysis,
        "import_module",
        lambda name: __import__("sys").modules.get(name) or globals_module,
    )


class globals_module:
    """Stands for this file, which pytest may not list among the modules."""

    share, loop_a, loop_b = staticmethod(share), staticmethod(loop_a), staticmethod(loop_b)


@dataclass(frozen=True)
class Rename(Pass):
    """Marks the first Relu; `drop` also takes the last one away."""

    name: ClassVar = "rename-relu"
    contract: ClassVar = Contract(preserves=("op-census",))
    drop: bool = False

    def run(self, module: Any, ctx: PassContext) -> PassResult:
        relus = [op for op in module.walk() if op.name == "ge.Relu"]
        relus[0].attributes["ge.mark"] = relus[0].results[0].type
        if self.drop:
            from ge_dialect.ir.rewriter import Rewriter

            Rewriter().replace_by_value(relus[-1], [relus[-1].operands[0]])
        return PassResult(True)


@dataclass(frozen=True)
class Look(Pass):
    """Asks for analyses and changes nothing."""

    name: ClassVar = "look-around"

    def run(self, module: Any, ctx: PassContext) -> PassResult:
        for name in ("op-census", "origin-map", *(n for n in ("relu-share",) if n in
                     analysis.ANALYSES)):  # fmt: skip
            ctx.analysis(name, module)
        return PassResult(False)


def test_the_analyses_there_are():
    module, ctx = parse_module(TEXT), PassContext()
    assert ctx.analysis("op-census", module) == {"ge.Relu": 2, "ge.NetOutput": 1}
    assert ctx.analysis("origin-map", module)["source"] == ("b",)
    assert ctx.analyses.cached() == ("op-census", "origin-map")


def test_a_change_drops_what_the_contract_does_not_preserve():
    ctx = PassContext()
    run_pipeline(parse_module(TEXT), [Look(), Rename(), Look(), Look()], ctx=ctx)
    assert ctx.analyses.computed == {"op-census": 1, "origin-map": 2}


@pytest.mark.usefixtures("known")
def test_what_rests_on_a_dropped_result_goes_too():
    ctx, module = PassContext(), parse_module(TEXT)
    assert ctx.analysis("relu-share", module) == pytest.approx(2 / 3)
    assert ctx.analyses.rests_on == {"relu-share": {"op-census"}}
    ctx.analyses.invalidate(["relu-share"])
    assert ctx.analyses.cached() == ()
    ctx.analysis("relu-share", module)
    ctx.analyses.invalidate(["relu-share", "op-census"])
    assert set(ctx.analyses.cached()) == {"relu-share", "op-census"}


@pytest.mark.usefixtures("known")
def test_analyses_that_need_each_other_are_an_error():
    with pytest.raises(GeError, match="loop-a -> loop-b -> loop-a"):
        PassContext().analysis("loop-a", parse_module(TEXT))


def test_a_broken_promise_is_found():
    settings = {"check_contract": True, "reproducer": False}
    run_pipeline(parse_module(TEXT), [Look(), Rename()], **settings)
    with pytest.raises(GeError) as caught:
        run_pipeline(parse_module(TEXT), [Look(), Rename(drop=True)], **settings)
    assert caught.value.diagnostics[0].code == "GX-425"
    assert "op-census" in caught.value.diagnostics[0].message


def test_another_module_gets_its_own_result():
    ctx = PassContext()
    assert ctx.analysis("op-census", parse_module(TEXT))["ge.Relu"] == 2
    other = parse_module(TEXT.replace("ge.Relu(%a)", "ge.Abs(%a)"))
    assert ctx.analysis("op-census", other)["ge.Relu"] == 1


def test_names_are_unique():
    register_analysis("op-census", ANALYSES["op-census"])
    with pytest.raises(ValueError, match="taken"):
        register_analysis("op-census", share)


def test_contracts_preserve_known_analyses():
    for name in pass_names():
        assert set(pass_class(name).contract.preserves) <= set(ANALYSES), name


@pytest.mark.parametrize("name", ["infer-shape", "engine-claim", "engine-placement"])
def test_passes_keep_what_they_preserve(name: str):
    ctx = PassContext()
    assert pass_class(name).contract.preserves
    run_pipeline(parse_module(TEXT), [Look(), name], ctx=ctx, check_contract=True)
    assert ctx.analyses.computed == {"op-census": 1, "origin-map": 1}
