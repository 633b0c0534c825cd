"""Building graphs in Python, node by node, with shapes and errors at once.

from ge_dialect.builder import Graph, ge

g = Graph("net")
x = g.input("x", (1, 3, 224, 224), "float16")
y = ge.Relu(x)
g.output(y)
model = g.model()
"""

from __future__ import annotations

from ge_dialect.builder import ge
from ge_dialect.builder.graph import Graph
from ge_dialect.builder.values import Node, Ref, Tensor

__all__ = ["Graph", "Node", "Ref", "Tensor", "ge"]
