"""The driver: order, changes, groups, failures, global state."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest

from ge_dialect.diagnostics import ExitCode, GeError
from ge_dialect.ir.names import set_node_name
from ge_dialect.ir.printer import print_module
from ge_dialect.ir.reader import parse_module
from passes.base import Contract, Pass, PassResult
from passes.context import PassContext
from passes.instrument import Instrument, Statistics
from passes.manager import RunOptions, run_pipeline
from passes.pipeline import parse_pipeline
from passes.properties import PROPERTIES, Property
from passes.registry import register_pass, unregister_pass
from passes.repro import parse_reproducer
from passes.timing import TimingTree

TEXT = """\
ge.graph @g(%x: tensor<4xf32>) {
  %a = ge.Relu(%x) : tensor<4xf32>
  %b = ge.Relu(%a) : tensor<4xf32>
  ge.NetOutput(%b)
}
"""


def relus(module) -> list:
    return [op for op in module.walk() if op.name == "ge.Relu"]


@dataclass(frozen=True)
class DropRelu(Pass):
    """Removes the last Relu."""

    name: ClassVar[str] = "test-drop"
    contract: ClassVar[Contract] = Contract(establishes=("test-dropped",))

    def run(self, module, ctx) -> PassResult:
        found = relus(module)
        if not found:
            return PassResult(False)
        last = found[-1]
        last.results[0].replace_all_uses_with(last.operands[0])
        last.detach()
        last.erase()
        return PassResult.from_counters({"dropped": 1})


@dataclass(frozen=True)
class Needs(Pass):
    """Needs what test-drop establishes."""

    name: ClassVar[str] = "test-needs"
    contract: ClassVar[Contract] = Contract(requires=("test-dropped",))

    def run(self, module, ctx) -> PassResult:
        return PassResult(False)


@dataclass(frozen=True)
class Forever(Pass):
    """Always says it changed something."""

    name: ClassVar[str] = "test-forever"

    def run(self, module, ctx) -> PassResult:
        return PassResult(True)


@dataclass(frozen=True)
class Quiet(Pass):
    """Changes the IR and says it did not."""

    name: ClassVar[str] = "test-quiet"

    def run(self, module, ctx) -> PassResult:
        DropRelu().run(module, ctx)
        return PassResult(False)


@dataclass(frozen=True)
class Grow(Pass):
    """Adds a Relu without saying so in its contract."""

    name: ClassVar[str] = "test-grow"

    def run(self, module, ctx) -> PassResult:
        relu = relus(module)[0]
        copy = relu.clone()
        relu.parent.insert_op_before(copy, relu)
        set_node_name(copy, "another")
        return PassResult(True)


@dataclass(frozen=True)
class Raises(Pass):
    """Fails in one of several ways."""

    name: ClassVar[str] = "test-raises"
    how: str = "key"

    def run(self, module, ctx) -> PassResult:
        if self.how == "key":
            raise KeyError("lost")
        if self.how == "recursion":
            return self.run(module, ctx)
        if self.how == "interrupt":
            raise KeyboardInterrupt
        if self.how == "sink":
            for op in relus(module):
                ctx.sink.error("GX-414", "this Relu is wrong", op=op)
            return PassResult(False)
        if self.how == "none":
            return None  # type: ignore[return-value]
        raise GeError.__new__(GeError) if self.how == "bare" else ValueError("x" * 5000)


@dataclass(frozen=True)
class Breaks(Pass):
    """Leaves IR which does not verify."""

    name: ClassVar[str] = "test-breaks"

    def run(self, module, ctx) -> PassResult:
        first, second = relus(module)
        second.operands[0] = first.operands[0]
        first.operands[0] = second.results[0]
        return PassResult(True)


@dataclass(frozen=True)
class Optional_(Pass):
    """Off unless enabled."""

    name: ClassVar[str] = "test-optional"
    enabled: ClassVar[bool] = False

    def run(self, module, ctx) -> PassResult:
        return PassResult(False)


ALL = (DropRelu, Needs, Forever, Quiet, Grow, Raises, Breaks, Optional_)


@pytest.fixture(autouse=True)
def passes_known(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for cls in ALL:
        register_pass(cls)
    monkeypatch.setitem(
        PROPERTIES,
        "test-dropped",
        Property("test-dropped", "a Relu was dropped", "operator:truth"),
    )
    yield
    for cls in ALL:
        unregister_pass(cls.name)


@pytest.fixture
def module():
    return parse_module(TEXT, filename="t.mlir")


def test_runs_in_order_and_counts(module) -> None:
    report = run_pipeline(module, "test-drop,test-optional,test-drop,test-drop")
    assert report.changed
    assert [(r.name, r.changed) for r in report.runs] == [
        ("test-drop", True),
        ("test-optional", False),
        ("test-drop", True),
        ("test-drop", False),
    ]
    assert report.counters()["test-drop"] == {"dropped": 2}
    assert "Relu" not in print_module(module)


def test_fix_stops_when_nothing_changes(module) -> None:
    report = run_pipeline(module, "fix(test-drop)")
    assert len(report.runs) == 3
    assert not report.diagnostics


def test_fix_which_does_not_settle_warns_and_names_the_pass(module) -> None:
    report = run_pipeline(module, "fix(test-optional,test-forever){max=3}")
    assert len(report.runs) == 6
    (warning,) = report.diagnostics
    assert (warning.code, warning.severity) == ("GX-408", "warning")
    assert "test-forever" in warning.render()
    assert "changes by test-forever" in (warning.found or "")


def test_disable_and_enable(module, monkeypatch: pytest.MonkeyPatch) -> None:
    import passes.stages as stages

    items = parse_pipeline("test-drop,test-optional").items
    monkeypatch.setattr(stages, "named_items", lambda name: items)
    names = lambda **kw: [r.name for r in run_pipeline(module, "stage1", **kw).runs]  # noqa: E731
    assert names() == ["test-drop"]
    assert names(enable=["test-optional"]) == ["test-drop", "test-optional"]
    assert names(disable=["test-drop"]) == []
    with pytest.raises(GeError) as caught:
        names(disable=["test-dropp"])
    assert caught.value.exit_code == ExitCode.USAGE


def test_requirements_are_checked_before_anything_runs(module) -> None:
    before = print_module(module)
    monkey = PROPERTIES["test-dropped"]
    PROPERTIES["test-dropped"] = Property(monkey.name, monkey.doc, "operator:not_")
    with pytest.raises(GeError) as caught:
        run_pipeline(module, "test-forever,test-needs,test-drop")
    assert caught.value.exit_code == ExitCode.USAGE
    text = str(caught.value)
    assert "GX-405" in text
    assert "run one of these first: test-drop" in text
    assert print_module(module) == before
    run_pipeline(module, "test-drop,test-needs")


def test_untruthful_changes(module) -> None:
    with pytest.raises(GeError, match="changed the IR and reported no change"):
        run_pipeline(module, "test-quiet", check_contract=True)
    with pytest.raises(GeError, match="reported a change it did not make"):
        run_pipeline(module, "test-forever", check_contract=True)


def test_promises_are_held(module, monkeypatch: pytest.MonkeyPatch) -> None:
    run_pipeline(module, "test-drop", check_contract=True)
    with pytest.raises(GeError, match="added operations against its contract"):
        run_pipeline(module, "test-grow", check_contract=True)
    known = PROPERTIES["test-dropped"]
    monkeypatch.setitem(PROPERTIES, known.name, Property(known.name, known.doc, "operator:not_"))
    with pytest.raises(GeError, match="did not establish 'test-dropped'"):
        run_pipeline(module, "test-drop", check_contract=True)


@pytest.mark.parametrize(
    ("how", "part"),
    [
        ("key", "raised KeyError: 'lost'"),
        ("recursion", "raised RecursionError"),
        ("long", "raised ValueError: xxx"),
        ("none", "not a PassResult"),
    ],
)
def test_an_exception_names_the_pass_and_leaves_a_reproducer(
    module, how: str, part: str, tmp_path: Path
) -> None:
    text = f"test-drop,test-raises{{how={how}}},test-drop"
    with pytest.raises(GeError) as caught:
        run_pipeline(module, text, reproducer_dir=str(tmp_path))
    error = caught.value
    assert error.exit_code == ExitCode.INTERNAL
    (diagnostic,) = error.diagnostics
    assert diagnostic.code == "GX-406"
    assert diagnostic.pass_name == "test-raises"
    assert part in diagnostic.message
    assert len(diagnostic.message) < 400
    assert "test_pipeline_run.py" in (diagnostic.found or "") or how == "none"
    (file,) = tmp_path.iterdir()
    assert str(file) in (diagnostic.hint or "")
    repro = parse_reproducer(file.read_text(), str(file))
    again = parse_module(repro.ir, filename=str(file))
    assert print_module(again) == print_module(parse_module(TEXT))
    with pytest.raises(GeError) as second:
        run_pipeline(again, repro.pipeline, reproducer=False)
    assert second.value.diagnostics[0].message == diagnostic.message


def test_reproducer_of_the_source_text(module, tmp_path: Path) -> None:
    with pytest.raises(GeError):
        run_pipeline(module, "test-raises", source="// mine\n" + TEXT, reproducer_dir=str(tmp_path))
    (file,) = tmp_path.iterdir()
    assert file.read_text().endswith("// mine\n" + TEXT)


def test_errors_of_a_pass_are_all_reported(module) -> None:
    ctx = PassContext()
    with pytest.raises(GeError) as caught:
        run_pipeline(module, "test-raises{how=sink}", ctx=ctx)
    assert caught.value.exit_code == ExitCode.USER
    assert [d.location for d in caught.value.diagnostics] == ["t.mlir:2:3", "t.mlir:3:3"]
    assert [d.node for d in caught.value.diagnostics] == ["a", "b"]
    assert {d.pass_name for d in caught.value.diagnostics} == {"test-raises"}


@pytest.mark.parametrize("verify", ["each", "ends", "stage"])
def test_broken_ir_is_reported_by_pass(module, verify: str, tmp_path: Path) -> None:
    with pytest.raises(GeError) as caught:
        run_pipeline(module, "test-breaks", verify=verify, reproducer_dir=str(tmp_path))
    assert caught.value.exit_code == ExitCode.VERIFY
    assert caught.value.diagnostics[0].code == "GX-407"
    first = caught.value.diagnostics[0]
    # what is checked later is no proof against the last pass
    assert first.pass_name == ("test-breaks" if verify == "each" else None)
    assert ("--verify=each" in (first.expected or "")) is (verify != "each")
    assert len(caught.value.diagnostics) > 1
    assert len(list(tmp_path.iterdir())) == 1


def test_verify_off(module) -> None:
    run_pipeline(module, "test-breaks", verify="off")
    with pytest.raises(GeError) as caught:
        run_pipeline(module, "test-optional")
    assert caught.value.exit_code == ExitCode.VERIFY
    with pytest.raises(ValueError, match="verify must be"):
        run_pipeline(module, "", verify="never")


@pytest.mark.parametrize("enabled", [True, False])
@pytest.mark.parametrize(
    "text", ["test-drop", "test-raises", "test-raises{how=sink}", "test-raises{how=interrupt}"]
)
def test_the_collector_is_restored_on_every_path(module, enabled: bool, text: str) -> None:
    states: list[bool] = []

    class Watch(Instrument):
        def before_pass(self, item, module) -> None:
            states.append(gc.isenabled())

    was = gc.isenabled()
    try:
        (gc.enable if enabled else gc.disable)()
        try:
            run_pipeline(module, text, instruments=[Watch()], reproducer=False)
        except (GeError, KeyboardInterrupt):
            pass
        assert gc.isenabled() is enabled
        assert states == [False]
    finally:
        (gc.enable if was else gc.disable)()


def test_the_sink_forgets_the_pass_after_a_failure(module) -> None:
    ctx = PassContext()
    with pytest.raises(GeError):
        run_pipeline(module, "test-raises", ctx=ctx, reproducer=False)
    assert (ctx.pass_name, ctx.sink.pass_name) == ("", None)


def test_instruments_can_skip_and_see_failures(module) -> None:
    seen: list[str] = []

    class Watch(Instrument):
        def begin(self, module) -> None:
            seen.append("begin")

        def should_run(self, item, module) -> bool:
            return item.name != "test-drop"

        def after_pass(self, run, module) -> None:
            seen.append(run.text)

        def failed(self, item, module, error) -> None:
            seen.append(f"failed {item.name}")

        def end(self, module) -> None:
            seen.append("end")

        def close(self) -> None:
            seen.append("close")

    with pytest.raises(GeError):
        run_pipeline(
            module, "test-drop,test-forever,test-raises", instruments=[Watch()], reproducer=False
        )
    assert seen == ["begin", "test-forever", "failed test-raises", "close"]


def test_statistics_and_timing(module) -> None:
    statistics, timing = Statistics(), TimingTree()
    run_pipeline(module, "fix(test-drop),(test-forever)", instruments=[statistics], timing=timing)
    text = statistics.render()
    assert "'test-drop' ran 3, changed 2" in text
    assert "(S)      2 dropped" in text
    tree = timing.render()
    assert "    test-drop (x3)" in tree
    assert tree.rstrip().endswith("Total")
    assert "(V) verify" in timing.render("list")
    data = timing.finish().to_json()
    assert [c["name"] for c in data["children"]] == ["(V) verify", "fix", "group"]


def test_a_model_is_taken_with_its_weights(module) -> None:
    from ge_dialect.api import Model

    ctx = PassContext()
    model = Model(module)
    report = run_pipeline(model, "test-drop", ctx=ctx)
    assert report.module is module
    assert ctx.weights is model.weights


def test_options_object(module) -> None:
    report = run_pipeline(module, "ge-default", options=RunOptions(stop_after="prepare"))
    assert report.pipeline == "prepare"


def test_analyses_are_cached_and_invalidated(module, monkeypatch: pytest.MonkeyPatch) -> None:
    import passes.analysis as analysis

    monkeypatch.setitem(analysis.ANALYSES, "test-count", "builtins:repr")
    monkeypatch.setattr(
        analysis, "import_module", lambda name: type("M", (), {"repr": lambda m, c: len(relus(m))})
    )
    ctx = PassContext()
    assert ctx.analysis("test-count", module) == 2
    assert ctx.analysis("test-count", module) == 2
    assert ctx.analyses.computed == {"test-count": 1}
    seen: list[int] = []

    class Ask(Instrument):
        def after_pass(self, run, module) -> None:
            seen.append(ctx.analysis("test-count", module))

    run_pipeline(module, "test-optional,test-optional,test-drop", ctx=ctx, instruments=[Ask()])
    assert seen == [2, 2, 1]
    assert ctx.analyses.computed == {"test-count": 3}
    with pytest.raises(GeError, match="no analysis is called 'nope'"):
        ctx.analysis("nope", module)
