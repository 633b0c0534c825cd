"""What users write on nodes is respected: pinned nodes stay, foreign attributes survive."""

from __future__ import annotations

from dataclasses import replace

from ge_dialect.ir.base import GeOp
from passes.effects import is_pinned
from passes.testing.properties.base import Property, Trial
from passes.testing.spec import GraphSpec, Step

_NOTE = "user.note"


def _pins(t: Trial) -> str | None:
    if not t.is_graph:
        return None
    pinned = [
        op
        for g in t.before.graphs
        for op in g.body.ops
        if is_pinned(op) and isinstance(op, GeOp) and not op.regions and _feeds_output(op)
    ]
    if not pinned:
        return None
    kept = {
        name
        for op in t.after.model.module.walk()
        if isinstance(op, GeOp) and is_pinned(op)
        for name in (op.ge_node_name, *op.ge_origins)
    }
    for op in pinned:
        if op.ge_node_name not in kept:
            return f"{op.ge_type} '{op.ge_node_name}' is marked to stay as it is and is gone"
    return None


def _feeds_output(op: GeOp) -> bool:
    return any(u.operation.name == "ge.NetOutput" for r in op.ge_data_results for u in r.uses)


def _foreign(t: Trial) -> str | None:
    spec = with_notes(t.spec)
    run = t.run(spec)
    if run.error is not None or not run.model.graphs:
        return None
    ops = {
        op.ge_node_name: op.ge_type
        for g in spec.build().graphs
        for op in g.body.ops
        if isinstance(op, GeOp)
    }
    for graph in run.model.graphs:
        for op in graph.body.ops:
            if not isinstance(op, GeOp) or ops.get(op.ge_node_name) != op.ge_type:
                continue
            if op.name != "ge.NetOutput" and _NOTE not in op.attributes:
                return f"{op.ge_type} '{op.ge_node_name}' lost an attribute of the user's"
    return None


def with_notes(spec: GraphSpec) -> GraphSpec:
    """The graph with a foreign attribute on every node that computes."""

    def noted(step: Step) -> Step:
        return replace(step, extra=(*step.extra, (_NOTE, '"mine"')))

    return replace(spec, steps=tuple(noted(s) for s in spec.steps))


PINS = Property("pins", "nodes marked no_need_constant_folding stay", _pins)
FOREIGN = Property(
    "foreign", "attributes the compiler does not know survive on their nodes", _foreign,
    waivable=True, share=4,
)  # fmt: skip
