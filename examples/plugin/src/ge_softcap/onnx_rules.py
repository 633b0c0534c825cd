"""Import from ONNX: an operator of a domain of our own."""

from __future__ import annotations

from ge_dialect.importers.onnx_node import Node
from ge_dialect.importers.onnx_rules import Outputs, rule


@rule("com.example.SoftCap", since="1")
def soft_cap(n: Node) -> Outputs:
    """SoftCap with the attribute `cap`."""
    return n.emit("SoftCap", [n.x()], {"cap": n.float("cap", 30.0)})
