"""ONNX rules: bits, contractions by an equation, optional values."""

from __future__ import annotations

from typing import Any

from ge_dialect.dtypes import bits, to_xdsl
from ge_dialect.importers.onnx_graph import Pending, Refused
from ge_dialect.importers.onnx_node import Node
from ge_dialect.importers.onnx_reader import dtype_name
from ge_dialect.importers.onnx_rules import Outputs, rule


@rule("BitShift", "11 28")
def bit_shift(n: Node) -> Outputs:
    """LeftShift or RightShift."""
    direction = n.string("direction", "")
    if direction not in ("LEFT", "RIGHT"):
        raise Refused(f"direction = {direction!r} is neither LEFT nor RIGHT", "GX-333")
    return n.emit("LeftShift" if direction == "LEFT" else "RightShift", n.xs())


@rule("BitCast", "26")
def bit_cast(n: Node) -> Outputs:
    """Bitcast to a type of the same size."""
    target = to_xdsl(dtype_name(n.int("to", 0)))
    if bits(target) != bits(n.elem()):
        raise Refused("BitCast needs types of one size", "GX-333")
    return n.emit("Bitcast", [n.x()], {"type": target})


@rule("Einsum", "12 28")
def einsum(n: Node) -> Outputs:
    """Einsum."""
    return n.emit("Einsum", [n.xs()], {"equation": n.string("equation", ""), "N": len(n)})


@rule("OptionalHasElement", "15 18 28")
def optional_has_element(n: Node) -> Any:
    """A constant: true for a tensor, false where no input is connected."""
    import numpy as np

    there = n.has(0)
    return Pending(n.proto.output[0], "bool", (), lambda: np.array(there))


@rule("OptionalGetElement", "15 18 28")
def optional_get_element(n: Node) -> Outputs:
    """Identity: a tensor is its own element."""
    return n.emit("Identity", [n.x()])
