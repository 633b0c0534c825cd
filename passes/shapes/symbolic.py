"""The analyses ``symbolic-shapes`` and ``shape-ranges``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from ge_dialect.ir.graph import module_graphs
from passes.shapes.ranges import ANY_SIZE, Range, range_of, size_range
from passes.shapes.tracker import GraphShapes, Shape, Tracker
from passes.values import KnownValues

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from passes.context import PassContext


@dataclass
class SymbolicShapes:
    """Dims of all values of a module as expressions: the analysis ``symbolic-shapes``."""

    graphs: dict[str, GraphShapes] = field(default_factory=dict)
    #: name of the graph that each value is in
    home: dict[SSAValue, str] = field(default_factory=dict[SSAValue, str])

    def shape(self, value: SSAValue) -> Shape:
        """Dims of a value as expressions; None for an unknown rank; KeyError for no tensor."""
        return self.graphs[self.home[value]].shapes[value]

    def range(self, value: SSAValue, axis: int) -> Range:
        """Smallest and largest size of a dim; the largest may be infinite."""
        graph = self.graphs[self.home[value]]
        dims = graph.shapes[value]
        if dims is None:
            return ANY_SIZE
        return size_range(dims[axis], graph.ranges)

    def equal(self, a: SSAValue, i: int, b: SSAValue, j: int) -> bool | None:
        """Whether dim i of a and dim j of b are the same size; None where that is not known."""
        x, y = self.shape(a), self.shape(b)
        if x is None or y is None or self.home[a] != self.home[b]:
            return None
        difference = x[i] - y[j]
        if difference == 0:
            return True
        low, high = range_of(difference, self.graphs[self.home[a]].ranges)
        return False if low > 0 or high < 0 else None


def symbolic_shapes(module: ModuleOp, ctx: PassContext) -> SymbolicShapes:
    """Every dim of every value as an expression over symbols of its graph's inputs."""
    out = SymbolicShapes()
    known = KnownValues(lambda: ctx.weights)
    known.follow(lambda: 0)  # an analysis changes nothing
    for graph in module_graphs(module):
        tracker = Tracker(known)
        found = tracker.run(graph)
        out.graphs[graph.sym_name.data] = found
        for value in found.shapes:
            out.home[value] = graph.sym_name.data
    return out


def shape_ranges(module: ModuleOp, ctx: PassContext) -> dict[SSAValue, tuple[Range, ...] | None]:
    """Smallest and largest size of every dim of every value; None for an unknown rank."""
    out: dict[SSAValue, tuple[Range, ...] | None] = {}
    for graph in ctx.analysis("symbolic-shapes", module).graphs.values():
        for value, dims in graph.shapes.items():
            out[value] = (
                None if dims is None else tuple([size_range(e, graph.ranges) for e in dims])
            )
    return out
