"""A shorter pipeline that still fails."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

from ge_dialect.diagnostics import GeError
from passes.pipeline import GroupItem, Item, NamedItem, PassItem, Pipeline, is_left_out
from passes.testing.reduce.session import Case, Session


def flattened(
    items: Iterable[Item], inside_named: bool = False, enable: Collection[str] = ()
) -> list[Item]:
    """The items with stages, named pipelines and plain groups replaced by what they run.

    enable: passes to keep which named pipelines leave out by default.
    """
    if enable:
        items = Pipeline(tuple(items)).joined(sorted(enable)).items
    out: list[Item] = []
    for item in items:
        if isinstance(item, NamedItem):
            out += flattened(item.items, True, enable)
        elif isinstance(item, GroupItem):
            inner = flattened(item.items, inside_named, enable)
            out += [replace(item, items=tuple(inner))] if item.rounds is not None else inner
        elif not is_left_out(item, inside_named, (), enable):
            out.append(item)
    return out


class PipelineShrinker:
    """Shortens the pipeline of the best case."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def run(self) -> bool:
        """Leave out passes, loops and options; whether anything went."""
        session = self.session
        session.phase = "shorten the pipeline"
        before, trials = session.best.pipeline, session.trials
        if not before.items:
            return False
        self._attempt(flattened(before.items))
        self._passes()
        self._loops()
        self._options()
        after = session.best.pipeline
        if str(after) == str(before):
            return False
        counts = [sum(1 for _ in p.passes()) for p in (before, after)]
        tried = session.trials - trials
        session.note(f"shorten the pipeline: {counts[0]} -> {counts[1]} passes, {tried} trials")
        return True

    def _attempt(self, items: Sequence[Item]) -> bool:
        best = self.session.best
        return self.session.attempt(Case(best.table, Pipeline(tuple(items)), best.inputs))

    def _passes(self) -> None:
        items = self.session.best.pipeline.items
        if len(items) > 1:
            # one pass is often enough, and quicker to find than by halving
            for item in reversed(items[-4:]):
                if self._attempt([item]):
                    return
            self.session.minimise(items, self._attempt)

    def _loops(self) -> None:
        """Run the body of a loop once."""
        at = 0
        while at < len(items := self.session.best.pipeline.items):
            item = items[at]
            if isinstance(item, GroupItem):
                rest = [*items[:at], *item.items, *items[at + 1 :]]
                if self._attempt(rest):
                    self._passes()
                    continue

                def attempt(kept: Sequence[Item], at: int = at) -> bool:
                    now = self.session.best.pipeline.items
                    group = now[at]
                    assert isinstance(group, GroupItem)
                    group = replace(group, items=tuple(kept))
                    return bool(kept) and self._attempt([*now[:at], group, *now[at + 1 :]])

                self.session.minimise(item.items, attempt)
            at += 1

    def _options(self) -> None:
        """Leave out options of passes, all of a pass at first."""
        for at, item in enumerate(self.session.best.pipeline.items):
            if not isinstance(item, PassItem) or not item.build().options():
                continue
            names = list(item.build().options())

            def attempt(kept: Sequence[str], at: int = at) -> bool:
                now = list(self.session.best.pipeline.items)
                now[at] = _only(now[at], kept)
                return self._attempt(now)

            self.session.minimise(names, attempt)

    def advance(self) -> bool:
        """Start from what the passes before the last one make of the graph."""
        from passes.testing.reduce.oracles import run_trial
        from passes.testing.reduce.table import read_model

        session = self.session
        session.phase = "start before the last pass"
        best = session.best
        if len(best.pipeline.items) < 2:
            return False
        *earlier, last = best.pipeline.items
        trial = replace(session.trial(best), pipeline=Pipeline(tuple(earlier)))
        model, error, _ = run_trial(trial, verify="off")
        if error is not None:
            return False
        try:
            table = read_model(model)
        except (GeError, ValueError):
            return False
        inputs: dict[str, Any] = {}
        for old, new in zip(best.table.graphs[0].inputs, table.graphs[0].inputs, strict=False):
            if old.name in best.inputs:
                inputs[new.name] = best.inputs[old.name]
        if not session.attempt(Case(table, Pipeline((last,)), inputs)):
            return False
        session.note(f"start before the last pass: {len(earlier)} passes less")
        return True


def _only(item: Item, names: Sequence[str]) -> Item:
    """A pass with only some of its options."""
    assert isinstance(item, PassItem)
    options = {k: v for k, v in item.build().options().items() if k in names}
    if item.instance is not None:
        return replace(item, options=options, instance=type(item.instance)(**options))
    return replace(item, options=options)
