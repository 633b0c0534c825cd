"""What a property is, what it is checked on, and what it is told about the pass.

A `Subject` is a pass or a named pipeline with its promises. A `Trial` is one graph with the runs
that properties share, each made once and on demand. A `Property` looks at a trial and says what is
wrong, or nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ge_dialect.diagnostics import ExitCode, GeError
from ge_dialect.ir.printer import print_module
from ge_dialect.ops.registry import op_state
from passes.base import Contract
from passes.context import PassContext
from passes.manager import RunOptions, run_pipeline
from passes.pipeline import Pipeline
from passes.testing.compare import Bounds, weakest
from passes.testing.observe import Executor, Observed
from passes.testing.shared import Golden, golden_of
from passes.testing.spec import GraphSpec

if TYPE_CHECKING:
    from ge_dialect.api import Model
    from passes.probe import Probe

#: Seconds one run may take.
SECONDS = 20.0
#: Diagnostics that are no verdict on the graph: the pass itself went wrong.
_FAULTS = frozenset({"GX-406", "GX-407", "GX-414", "GX-442"})


@dataclass(frozen=True)
class Property:
    """Something that must hold for every pass.

    name: also the key under which a pass waives it. doc: one line. check: what is wrong on a trial,
    None where nothing is. waivable: whether a pass may opt out with a reason. share: how often it
    is checked (every graph, every second one, …). of_change: it compares a graph with its result,
    so that it holds where the pass left the graph as it was.
    """

    name: str
    doc: str
    check: Callable[[Trial], str | None]
    waivable: bool = False
    share: int = 1
    of_change: bool = False


@dataclass(frozen=True)
class Subject:
    """A pass or a pipeline under test.

    prefix: what is run before, so that what it requires holds; that is not under test. contract:
    what it promises (of a pipeline: what its passes promise together). waives: properties it does
    not claim, with reasons. executor: runs what is no `ge.graph` any more. probe: watches patterns.
    seconds: how long one run may take.
    """

    name: str
    pipeline: Pipeline
    prefix: Pipeline
    contract: Contract
    waives: Mapping[str, str] = field(default_factory=dict[str, str])
    executor: Executor | None = None
    soc: str | None = None
    probe: Probe | None = None
    seconds: float = SECONDS


@dataclass
class Run:
    """One run of a subject. error: what stopped it. changed: what it said."""

    model: Model
    ctx: PassContext
    changed: bool = False
    error: GeError | None = None

    @property
    def fault(self) -> str | None:
        """The failure of the pass itself, None where it ended or refused the graph."""
        if self.error is None:
            return None
        first = self.error.diagnostics[0]
        if first.code in _FAULTS or self.error.exit_code == ExitCode.INTERNAL:
            found = f" ({first.found})" if first.found else ""
            return f"{first.message}{found}"
        return None

    @cached_property
    def text(self) -> str:
        """The module as text, with names and origins."""
        return print_module(self.model.module, debuginfo=True)


def run_on(model: Model, subject: Subject, pipeline: Pipeline | None = None) -> Run:
    """Run a subject, or another pipeline, on a model, in place; errors are kept, not raised."""
    ctx = PassContext(weights=model.weights)
    if subject.soc is not None:
        ctx.soc_name = subject.soc
    if pipeline is None:
        pipeline, ctx.probe = subject.pipeline, subject.probe
    run = Run(model, ctx)
    options = RunOptions(verify="off", reproducer=False, pass_timeout=subject.seconds)
    try:
        run.changed = run_pipeline(model, pipeline, ctx=ctx, options=options).changed
    except GeError as error:
        run.error = error
    return run


class Trial:
    """A subject on one graph.

    spec: the graph as the subject gets it (the prefix has run). kinds: of inputs, see
    `passes.testing.inputs`. inputs: given ones, in order, instead of drawn ones. partner: a graph
    without effects that locality puts beside it.
    """

    def __init__(
        self,
        subject: Subject,
        spec: GraphSpec,
        *,
        seed: int = 0,
        kinds: Sequence[str] = ("exact", "special"),
        inputs: Sequence[Any] | None = None,
        partner: GraphSpec | None = None,
    ) -> None:
        self.subject = subject
        self.spec = spec
        self.seed = seed
        self.kinds = tuple(kinds)
        self.partner = partner
        self._inputs = inputs
        #: the inputs on which a difference showed, for the reproducer
        self.shown: list[Any] | None = None

    def run(self, spec: GraphSpec | None = None) -> Run:
        """The subject on a new build of the graph, or of another one."""
        model = (self.spec if spec is None else spec).build()
        return run_on(model, self.subject)

    @cached_property
    def before(self) -> Model:
        """The graph, untouched."""
        return self.spec.build()

    @cached_property
    def before_text(self) -> str:
        """Its text, with names and origins."""
        return print_module(self.before.module, debuginfo=True)

    @cached_property
    def after(self) -> Run:
        """The subject's run."""
        return self.run()

    @property
    def is_graph(self) -> bool:
        """Whether the result is a `ge.graph` still."""
        return bool(self.after.model.graphs)

    @cached_property
    def result_spec(self) -> GraphSpec:
        """The result as a spec."""
        return GraphSpec.from_model(self.after.model)

    @property
    def is_unchanged(self) -> bool:
        """Whether the result is the very graph that went in: what holds of it still does."""
        return self.is_graph and self.after.text == self.before_text

    @cached_property
    def golden(self) -> Golden:
        """Golden runs of the graph, shared with other trials of it."""
        if self._inputs is not None:
            return Golden([self._inputs])
        # a device has formulas of its own, which may overflow elsewhere
        tame = self.subject.contract.values != "exact" or not self.is_graph
        return golden_of(self.spec, self.seed, self.kinds, tame=tame, operators=op_state())

    @property
    def input_sets(self) -> list[list[Any]]:
        """Inputs in order, one list per kind."""
        return self.golden.inputs

    def observed(self, inputs: Sequence[Any]) -> Observed | None:
        """What the graph shows before the pass; None where golden semantics refuse the inputs."""
        return self.golden.seen(self.before, inputs)

    def bounds(self, inputs: Sequence[Any], dtype: str | None) -> Bounds:
        """How far values may move on inputs, at the precision of a dtype."""
        return self.golden.bounds(self.before, inputs, dtype)


def subject_of(
    pipeline: Pipeline,
    prefix: Pipeline,
    name: str,
    waives: Mapping[str, str] | None = None,
    executor: Executor | None = None,
    soc: str | None = None,
    probe: Probe | None = None,
) -> Subject:
    """A subject with the contract that its passes keep together."""
    contracts = [item.cls.contract for item in pipeline.running((), ())]
    established: dict[str, None] = {}
    destroyed: dict[str, None] = {}
    for c in contracts:
        if "graph" in c.destroys:
            established.clear()  # they were properties of the graph
        for gone in c.destroys:
            established.pop(gone, None)
            destroyed[gone] = None
        for new in c.establishes:
            established[new] = None
            destroyed.pop(new, None)
    contract = Contract(
        values=weakest([c.values for c in contracts]),
        establishes=tuple(established),
        destroys=tuple(destroyed),
        preserves=contracts[0].preserves if len(contracts) == 1 else (),
        grows=any(c.grows for c in contracts),
        reads_only=all(c.reads_only for c in contracts),
    )
    return Subject(name, pipeline, prefix, contract, waives or {}, executor, soc, probe)
