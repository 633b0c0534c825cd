"""Probes: whether a module has a property of the IR (see `passes.properties`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ge_dialect.ir.attributes import RefType
from ge_dialect.ir.graph import module_graphs, walk_graphs
from ge_dialect.ir.narrow import is_array
from ge_dialect.ir.types import is_static, is_tensor

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Operation

#: Nodes which no engine runs and no stream holds.
_STRUCTURAL = {"ge.Data", "ge.NetOutput"}


def _nodes(module: ModuleOp) -> Iterator[Operation]:
    for graph in module_graphs(module):
        for block in walk_graphs(graph):
            yield from block.ops


def is_graph(module: ModuleOp) -> bool:
    """Whether the module holds a `ge.graph`."""
    return next(iter(module_graphs(module)), None) is not None


def is_lowered(module: ModuleOp) -> bool:
    """Whether the module holds an `rt.model`."""
    return any(op.name == "rt.model" for op in module.ops)


def has_normalized_io(module: ModuleOp) -> bool:
    """Whether every tensor argument of every graph is read by one `ge.Data` and nothing else."""
    for graph in module_graphs(module):
        for argument in graph.args:
            if isinstance(argument.type, RefType):
                continue
            uses = list(argument.uses)
            if len(uses) != 1 or uses[0].operation.name != "ge.Data":
                return False
    return True


def has_known_shapes(module: ModuleOp) -> bool:
    """Whether every graph argument and every tensor result has a static shape."""
    arguments = [a for graph in module_graphs(module) for a in graph.args]
    for values in (arguments, *(op.results for op in _nodes(module))):
        for value in values:
            kind = value.type
            if isinstance(kind, RefType):
                kind = kind.tensor
            if is_tensor(kind) and not is_static(kind):
                return False
    return True


def has_engines(module: ModuleOp) -> bool:
    """Whether every node that runs has `ge.engine`."""
    return _all_have(module, "ge.engine")


def has_streams(module: ModuleOp) -> bool:
    """Whether every node of a graph that has a task has `ge.stream`; those of bodies run where
    their owner does."""
    from ge_dialect.ir.base import get_str
    from ge_dialect.target.engines import GE_LOCAL

    return all(
        "ge.stream" in op.attributes
        or op.name in _STRUCTURAL
        or get_str(op, "ge.engine") == GE_LOCAL
        for graph in module_graphs(module)
        for op in graph.body.ops
    )


def _all_have(module: ModuleOp, attribute: str) -> bool:
    return all(attribute in op.attributes or op.name in _STRUCTURAL for op in _nodes(module))


def has_layouts(module: ModuleOp) -> bool:
    """Whether every node's engine takes it with the layouts it has."""
    from ge_dialect.ir.base import GeOp, get_str
    from ge_dialect.target.engines import engine_refusal

    for op in _nodes(module):
        if isinstance(op, GeOp) and op.name not in _STRUCTURAL:
            engine = get_str(op, "ge.engine")
            if engine is None or engine_refusal(op, engine, layouts=True) is not None:
                return False
    return True


def has_memory_plan(module: ModuleOp) -> bool:
    """Whether memory was planned, for the inputs there are; recorded by the pass that does it."""
    from passes.build.memory_plan import INPUT_OFFSETS, SPACES

    if not _is_marked(module, "ge.memory_planned"):
        return False
    for graph in module_graphs(module):
        places = graph.attributes.get(INPUT_OFFSETS)
        known = len(places.data) if is_array(places) else 0
        if known != len(graph.args):
            return False
        if any(f"ge.{space}_bytes" not in graph.attributes for space in SPACES):
            return False
    return True


def _is_marked(module: ModuleOp, attribute: str) -> bool:
    graphs = list(module_graphs(module))
    return bool(graphs) and all(attribute in g.attributes for g in graphs)
