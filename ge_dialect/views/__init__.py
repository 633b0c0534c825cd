"""Graphs, nodes and anchors of a model in GE's words and Python's values, to look at.

`view(model)` gives a `GraphView` of nodes with `InAnchor`s and `OutAnchor`s. A view shows the graph
as it was when the view was taken: after a pass take a new one. It is read only: passes and their
rewriter change graphs (docs/add_a_pass.md), `op` and `value` lead to what they work on.

An argument of a graph is GE's Data node: the `ge.Data` (or `ge.RefData`) of the text where that is
all that reads the argument, else a node of that type without an operation.
"""

from __future__ import annotations

from ge_dialect.views.anchors import InAnchor, OutAnchor
from ge_dialect.views.graph import GraphView, view
from ge_dialect.views.node import NodeView
from ge_dialect.views.plain import UnknownName

__all__ = ["GraphView", "InAnchor", "NodeView", "OutAnchor", "UnknownName", "view"]
