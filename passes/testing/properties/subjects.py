"""From a pass or a pipeline's name to a subject: what must run before it, what it waives."""

from __future__ import annotations

from typing import Any

from passes.base import Pass
from passes.pipeline import NamedItem, PassItem, Pipeline, as_pipeline
from passes.registry import PASSES, pass_class
from passes.stages import DEFAULT_PIPELINE, named_items, named_pipeline, pipeline_names
from passes.testing.properties.base import Subject, subject_of


def make_subject(what: Any, **more: Any) -> Subject:
    """The subject of a pass (name, class or object), of a named pipeline or of pipeline text.

    more: executor, soc and probe, see `Subject`.
    """
    pipeline = as_pipeline(what)
    waives: dict[str, str] = {}
    name = str(pipeline)
    if len(pipeline.items) == 1:
        item = pipeline.items[0]
        if isinstance(item, NamedItem):
            waives = dict(named_pipeline(item.name).waives)
        elif isinstance(item, PassItem):
            name = item.name
            waives = dict(item.cls.waives)
    return subject_of(pipeline, prefix_of(pipeline), name, waives, **more)


def named_subjects() -> list[str]:
    """Names of all registered passes and named pipelines that run anything."""
    return [*PASSES, *(n for n in pipeline_names() if list(Pipeline(named_items(n)).passes()))]


def needs(pipeline: Pipeline) -> list[str]:
    """Properties of the IR that a pipeline requires and does not establish itself."""
    held: set[str] = set()
    out: dict[str, None] = {}
    for item in pipeline.running((), ()):
        contract = item.cls.contract
        for need in contract.requires:
            if need not in held:
                out[need] = None
        held.update(contract.establishes)
        held.difference_update(contract.destroys)
    return list(out)


def prefix_of(pipeline: Pipeline) -> Pipeline:
    """What runs before: nothing where nothing is required, else the default flow up to there.

    A pass that is not part of the default flow gets the passes that establish what it requires.
    """
    wanted = needs(pipeline)
    if not wanted:
        return Pipeline()
    first = next(iter(pipeline.running((), ()))).name
    flow = [i for i in Pipeline(named_items(DEFAULT_PIPELINE)).running((), ())]
    names = [i.name for i in flow]
    if first in names:
        return Pipeline(tuple(flow[: names.index(first)]))
    out: list[PassItem] = []
    for need in wanted:
        for item in (i for n in _establishing(need, frozenset()) for i in as_pipeline(n).passes()):
            if item not in out:
                out.append(item)
    return Pipeline(tuple(out))


def _establishing(need: str, busy: frozenset[str]) -> list[str]:
    """Names of passes that together establish a property, in order."""
    for name in PASSES:
        cls: type[Pass] = pass_class(name)
        if need in cls.contract.establishes and name not in busy:
            before = [n for r in cls.contract.requires for n in _establishing(r, busy | {name})]
            return [*before, name]
    return []
