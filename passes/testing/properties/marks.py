"""What users write on nodes is respected: pinned nodes stay, foreign attributes survive."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ge_dialect.ir.base import GeOp
from ge_dialect.ir.merge import MergePolicy, policy_of
from ge_dialect.ir.types import layout_of
from passes.effects import is_pinned
from passes.testing.properties.base import Property, Trial
from passes.testing.spec import GraphSpec, Step

if TYPE_CHECKING:
    from xdsl.ir import Attribute

_NOTE = "user.note"
#: Nodes that are nowhere: constants and ends.
_PLACELESS = frozenset({"ge.Const", "ge.Constant", "ge.Data", "ge.NetOutput", "ge.TransData"})


def _pins(t: Trial) -> str | None:
    if not t.is_graph:
        return None
    pinned = [
        op
        for g in t.before.graphs
        for op in g.body.ops
        if is_pinned(op) and isinstance(op, GeOp) and not op.regions
    ]
    if not pinned:
        return None
    kept = {
        (op.name, name)
        for op in t.after.model.module.walk()
        if isinstance(op, GeOp) and is_pinned(op)
        for name in (op.ge_node_name, *op.ge_origins)
    }
    after = {
        (op.name, name)
        for g in t.after.model.graphs
        for op in g.body.ops
        if isinstance(op, GeOp)
        for name in (op.ge_node_name, *op.ge_origins)
    }
    for op in pinned:
        if (op.name, op.ge_node_name) not in kept and (_feeds_output(op) or _bypassed(op, after)):
            return f"{op.ge_type} '{op.ge_node_name}' is marked to stay as it is and is gone"
    return None


def _feeds_output(op: GeOp) -> bool:
    return any(u.operation.name == "ge.NetOutput" for r in op.ge_data_results for u in r.uses)


def _bypassed(op: GeOp, after: set[tuple[str, str | None]]) -> bool:
    """Whether a node that read `op` is still there; what it reads now is something else."""
    users = (u.operation for r in op.ge_data_results for u in r.uses)
    return any(isinstance(u, GeOp) and (u.name, u.ge_node_name) in after for u in users)


def _bound(t: Trial) -> str | None:
    """Attributes that bind a node to a place are those of every node it stands for.

    What stands in a body may be bound for itself, whatever its owner is bound to.
    """
    if not t.is_graph:
        return None
    places = "engines-claimed" in t.subject.contract.establishes
    moves = "layouts-assigned" in t.subject.contract.establishes
    held: dict[str | None, dict[str, Attribute]] = {}
    layouts: dict[tuple[str, str | None], object] = {}
    inside: set[tuple[str | None, str, str, object]] = set()
    for graph in t.before.graphs:
        for op in graph.body.ops:
            if op.results and not moves and op.name not in _PLACELESS and isinstance(op, GeOp):
                layouts[(op.name, op.ge_node_name)] = _layout(op)
            for inner in (o for r in op.regions for o in r.walk()):
                for name, value in inner.attributes.items():
                    inside.add((getattr(op, "ge_node_name", None), inner.name, name, value))
            found = {k: v for k, v in op.attributes.items() if policy_of(k) is MergePolicy.EQUAL}
            if isinstance(op, GeOp) and found and op.name not in _PLACELESS:
                held[op.ge_node_name] = found
    for graph in t.after.model.graphs:
        for op in graph.body.ops:
            if not isinstance(op, GeOp) or op.name in _PLACELESS:
                continue
            for origin in op.ge_origins:
                layout = layouts.get((op.name, origin), _layout(op))
                if layout != _layout(op):
                    return f"{op.ge_type} '{op.ge_node_name}' has another layout than '{origin}'"
                for name, value in held.get(origin, {}).items():
                    if name == "ge.engine" and places:
                        continue  # it is the pass's work to place nodes
                    own = op.attributes.get(name)
                    if own != value and (origin, op.name, name, own) not in inside:
                        return (
                            f"{op.ge_type} '{op.ge_node_name}' stands for '{origin}' and has "
                            f"another {name}"
                        )
    return None


def _layout(op: GeOp) -> object:
    return layout_of(op.results[0].type) if op.ge_data_results else None


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


BOUND = Property(
    "bound",
    "a node keeps the place (label, scope, engine) and layout of the nodes it stands for",
    _bound,
    of_change=True,
)
PINS = Property("pins", "nodes marked no_need_constant_folding stay", _pins, of_change=True)
FOREIGN = Property(
    "foreign", "attributes the compiler does not know survive on their nodes", _foreign,
    waivable=True, share=4,
)  # fmt: skip
