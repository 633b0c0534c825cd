"""Why a node became what it became: everything that passes said about it and its origins.

`Explainer` watches a run and keeps the remarks of every pass run; `explain` picks those about one
node. What the node is at both ends is read from the module.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ge_dialect.diagnostics import GeError, user_error
from passes.instrument import Instrument, PassRun
from passes.remarks import Remark, remarks_in

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Operation

    from ge_dialect.diagnostics import DiagnosticSink
    from passes.pipeline import PassItem


@dataclass(frozen=True, slots=True)
class NodeFacts:
    """What a node is at one moment. graph: its graph; facts: engine, stream, layout, as text."""

    name: str
    op: str
    graph: str
    origins: tuple[str, ...]
    facts: tuple[str, ...]

    def text(self) -> str:
        """The node on one line."""
        line = f"'{self.name}', {self.op}"
        if self.facts:
            line += f" ({', '.join(self.facts)})"
        others = [o for o in self.origins if o != self.name]
        return f"{line}, stands for {', '.join(self.origins)}" if others else line

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "name": self.name,
            "op": self.op,
            "graph": self.graph,
            "origins": list(self.origins),
            "facts": list(self.facts),
        }


@dataclass(frozen=True)
class Said:
    """The remarks of one run of one pass."""

    stage: str | None
    pass_name: str
    remarks: tuple[Remark, ...]

    @property
    def label(self) -> str:
        """Stage and pass."""
        return f"{self.stage}/{self.pass_name}" if self.stage else self.pass_name


@dataclass(frozen=True)
class Explanation:
    """The answer to "why is this node what it is?"."""

    node: str
    before: tuple[NodeFacts, ...]
    after: tuple[NodeFacts, ...]
    said: tuple[Said, ...]
    silent: tuple[str, ...]
    left_out: tuple[str, ...] = ()

    def render(self) -> str:
        """The answer as text."""
        lines = [f"why {self.node}?"]
        lines += [f"  was {n.text()} in @{n.graph}" for n in self.before] or [
            "  was not in the input"
        ]
        for said in self.said:
            lines.append(f"  {said.label}")
            for r in said.remarks:
                at = f" at {r.node}" if r.node not in (None, self.node) else ""
                lines.append(f"    {r.category:<10}{r.message}{at}")
                if r.category == "unmatched":
                    continue  # one line each: they are many
                if r.involved:
                    lines.append(f"    {'':<10}with {', '.join(r.involved)}")
                if r.held:
                    lines.append(f"    {'':<10}ruled out before: {'; '.join(r.held)}")
        lines += [f"  is {n.text()} in @{n.graph}" for n in self.after] or ["  is gone"]
        if self.silent:
            lines.append(f"  nothing said by {', '.join(self.silent)}")
        if self.left_out:
            lines.append(f"  left out: {', '.join(self.left_out)}")
        return "\n".join(lines) + "\n"

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        from passes.remarks import to_json

        return {
            "node": self.node,
            "before": [n.to_json() for n in self.before],
            "decisions": [
                {"stage": s.stage, "pass": s.pass_name, "remarks": to_json(s.remarks)}
                for s in self.said
            ],
            "after": [n.to_json() for n in self.after],
            "silent": list(self.silent),
            "left_out": list(self.left_out),
        }


@dataclass
class Explainer(Instrument):
    """Keeps what was said by each pass run, and the nodes at both ends of the run."""

    sink: DiagnosticSink
    names: Sequence[str] = ()
    left_out: tuple[str, ...] = ()
    before: list[NodeFacts] = field(default_factory=list)
    after: list[NodeFacts] = field(default_factory=list)
    runs: list[Said] = field(default_factory=list)
    _seen: int = 0
    _stage: str | None = None
    _module: Any = None

    def begin(self, module: ModuleOp) -> None:
        """Look at the nodes of the input."""
        self._module = module
        self._seen = len(self.sink.diagnostics)
        if self.names:
            self.before = list(node_facts(module))

    def before_stage(self, stage: str, module: ModuleOp) -> None:
        """Note the stage."""
        self._stage = stage

    def after_stage(self, stage: str, module: ModuleOp) -> None:
        """Leave the stage."""
        self._stage = None

    def after_pass(self, run: PassRun, module: ModuleOp) -> None:
        """Take the remarks of the pass."""
        self._take(run.stage, run.name)

    def failed(self, item: PassItem | None, module: ModuleOp, error: BaseException) -> None:
        """Take what a failing pass said."""
        self._take(self._stage, item.name if item is not None else "(verify)")

    def close(self) -> None:
        """Look at the nodes of the result, also after a failure."""
        if self.names and self._module is not None:
            try:
                self.after = list(node_facts(self._module))
            except Exception:  # a module left half rewritten
                self.after = []

    @property
    def started(self) -> bool:
        """Whether the run got as far as its first pass."""
        return self._module is not None

    def _take(self, stage: str | None, name: str) -> None:
        new = self.sink.diagnostics[self._seen :]
        self._seen = len(self.sink.diagnostics)
        self.runs.append(Said(stage, name, tuple(remarks_in(new))))

    def explanations(self) -> list[Explanation]:
        """One per asked name, in order; raises `GeError` GX-424 for names no node ever had."""
        missing = [n for n in self.names if not self._knows(n)]
        if missing:
            raise GeError([d for n in missing for d in self._unknown(n).diagnostics])
        return [self.explain(n) for n in self.names]

    def _knows(self, name: str) -> bool:
        nodes = (*self.before, *self.after)
        if any(name == n.name or name in n.origins for n in nodes):
            return True
        return any(r.concerns(frozenset({name})) for said in self.runs for r in said.remarks)

    def _unknown(self, name: str) -> GeError:
        from passes.registry import did_you_mean

        known = {n.name for n in (*self.before, *self.after)}
        return user_error(
            "GX-424",
            f"--why: no node is called '{name}'",
            hint=did_you_mean(name, known) or "--print-debuginfo shows the names of nodes",
        )

    def explain(self, name: str) -> Explanation:
        """What was said about a node, the nodes it stands for and those that stand for it."""
        names = {name}
        for n in (*self.before, *self.after):
            if n.name == name:
                names.update(n.origins)
        wanted = frozenset(names)
        said: list[Said] = []
        silent: list[str] = []
        for run in self.runs:
            about = tuple(r for r in run.remarks if r.concerns(wanted))
            if about:
                said.append(Said(run.stage, run.pass_name, about))
            else:
                silent.append(run.pass_name)
        spoke = {s.pass_name for s in said}
        return Explanation(
            name,
            tuple(n for n in self.before if n.name in wanted),
            tuple(n for n in self.after if n.name in wanted or wanted.intersection(n.origins)),
            tuple(said),
            tuple(dict.fromkeys(p for p in silent if p not in spoke)),
            self.left_out,
        )


def explain(target: Any, pipeline: Any, *names: str, **settings: Any) -> list[Explanation]:
    """Run `pipeline` on `target` (as `run_pipeline`, in place) and explain the named nodes."""
    from passes.context import PassContext
    from passes.manager import run_pipeline

    ctx = settings.pop("ctx", None) or PassContext()
    ctx.remarks_enabled = ctx.near_misses = True
    watch = Explainer(ctx.sink, names)
    run_pipeline(target, pipeline, ctx=ctx, instruments=[watch], **settings)
    return watch.explanations()


# ------------------------------------------------------------------------- matched and effected


def fusion_counts(runs: Sequence[Said]) -> dict[str, tuple[int, int, Counter[str]]]:
    """By pass: candidates matched, rewrites that took effect, and reasons of the rest."""
    out: dict[str, tuple[int, int, Counter[str]]] = {}
    for said in runs:
        applied = sum(r.category == "applied" for r in said.remarks)
        reasons = Counter(r.reason or r.message for r in said.remarks if r.category == "missed")
        matched, effected, why = out.get(said.pass_name, (0, 0, Counter[str]()))
        why.update(reasons)
        out[said.pass_name] = (
            matched + applied + sum(reasons.values()),
            effected + applied,
            why,
        )
    return out


def fusion_result(parts: Sequence[Sequence[Said]]) -> dict[str, Any]:
    """The counts in the form of GE's ``fusion_result.json``, with the reasons it lacks.

    parts: the runs of each part of the input; GE counts graphs. As in GE, numbers are strings.
    """
    out: dict[str, Any] = {}
    for number, runs in enumerate(parts):
        table = {}
        for name, (matched, effected, why) in fusion_counts(runs).items():
            entry: dict[str, Any] = {"match_times": str(matched), "effect_times": str(effected)}
            if why:
                entry["missed"] = {reason: str(n) for reason, n in why.most_common()}
            table[name] = entry
        out[f"session_and_graph_id_0_{number}"] = {"graph_fusion": table, "ub_fusion": {}}
    return out


def fusion_table(runs: Sequence[Said]) -> str:
    """The counts as text: a row a pass, the reasons of missed candidates below it."""
    counts = fusion_counts(runs)
    wide = max([len(n) for n in counts] + [4])
    lines = [f"{'pass':<{wide}}  matched  effected"]
    for name, (matched, effected, why) in counts.items():
        lines.append(f"{name:<{wide}}  {matched:7d}  {effected:8d}")
        lines += [f"{'':<{wide}}  {n:7d}  {reason}" for reason, n in why.most_common()]
    return "\n".join(lines) + "\n"


# ------------------------------------------------------------------------------------- nodes


def node_facts(module: ModuleOp) -> Iterator[NodeFacts]:
    """Every named node of a module, of graphs as well as of a compiled model."""
    from xdsl.dialects.builtin import StringAttr

    from ge_dialect.ir.names import node_name, origins
    from ge_dialect.ir.narrow import is_array

    for top in module.ops:
        graph = top.properties.get("sym_name")
        where = graph.data if isinstance(graph, StringAttr) else "?"
        for op in top.walk():
            held = op.properties.get("node")
            if isinstance(held, StringAttr):  # a task of a compiled model
                listed = op.properties.get("origins")
                found = listed.data if is_array(listed) else (held,)
                sources = tuple(o.data for o in found if isinstance(o, StringAttr))
                yield NodeFacts(held.data, _kind(op), where, sources, _task_facts(op))
                continue
            name = node_name(op) if op is not top else None
            if name is not None:
                yield NodeFacts(name, _kind(op), where, origins(op), _facts(op))


def _kind(op: Operation) -> str:
    from xdsl.dialects.builtin import StringAttr

    held = op.properties.get("op_type")
    return held.data if isinstance(held, StringAttr) else op.name.removeprefix("ge.")


def _facts(op: Operation) -> tuple[str, ...]:
    from ge_dialect.ir.base import get_int, get_str
    from ge_dialect.ir.types import layout_of

    facts: list[str] = []
    engine, stream = get_str(op, "ge.engine"), get_int(op, "ge.stream")
    if engine is not None:
        facts.append(engine)
    if stream is not None:
        facts.append(f"stream {stream}")
    for result in op.results[:1]:
        layout = layout_of(result.type)
        if layout is not None:
            facts.append(layout.ge_text())
    return tuple(facts)


def _task_facts(op: Operation) -> tuple[str, ...]:
    from xdsl.dialects.builtin import IntegerAttr, StringAttr

    facts: list[str] = []
    engine = op.properties.get("engine")
    if isinstance(engine, StringAttr):
        facts.append(engine.data)
    parent = op.parent_op()
    number = parent.properties.get("index") if parent is not None else None
    if parent is not None and parent.name == "rt.stream" and isinstance(number, IntegerAttr):
        facts.append(f"stream {number.value.data}")
    return tuple(facts)
