"""Small graphs that a pattern graph matches, for tests: the kit starts from them."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

from ge_dialect.infer.errors import InferError
from passes.ge_adapter.builder import Graph
from passes.ge_adapter.splicing import Built, build_nodes

if TYPE_CHECKING:
    from xdsl.ir import Attribute

    from ge_dialect.ir.base import OpTable

#: Shapes that inputs are tried with; what an operator does not take, its inference rule refuses.
_SHAPES: tuple[tuple[int, ...], ...] = ((4, 4), (4,), (1, 4, 4, 4), (2, 3, 4))
_DTYPES = ("float32", "float16", "int32", "bool")
_REQUIRED: dict[str, Any] = {
    "strides": (1, 1, 1, 1),
    "pads": (0, 0, 0, 0),
    "ksize": (1, 1, 2, 2),
    "perm": (1, 0),
}
_BY_KIND: dict[str, Any] = {"Int": 0, "ListInt": (0,), "Bool": False, "Float": 1.0}
#: Patterns with more inputs get the same shape for all of them.
_MIXED = 3


def instances(graph: Graph, limit: int = 3) -> list[str]:
    """IR texts of graphs that consist of the pattern, on inputs of a few shapes and dtypes.

    Few, or none, where nodes need other inputs or attributes than those that are tried.
    """
    from ge_dialect.dtypes import to_xdsl
    from ge_dialect.ir.types import tensor_type

    found: list[str] = []
    count = len(graph.inputs())
    shapes = [(s,) * count for s in _SHAPES]
    if 1 < count <= _MIXED:
        shapes += [s for s in product(_SHAPES, repeat=count) if len(set(s)) > 1]
    for dtype in _DTYPES:
        for chosen in shapes:
            text = _text(graph, [tensor_type(s, to_xdsl(dtype)) for s in chosen])
            if text is not None:
                found.append(text)
                if len(found) == limit:
                    return found
                break  # another dtype says more than another shape
    return found


def _attributes(table: OpTable) -> dict[str, Any]:
    """Values for the required attributes, and the order of axes that the kit's shapes have."""
    found = {n: _REQUIRED[n] for n, a in table.attrs.items() if a.required and n in _REQUIRED}
    for name, spec in table.attrs.items():
        if spec.required and name not in found and spec.kind.name in _BY_KIND:
            found[name] = _BY_KIND[spec.kind.name]
    return {**found, "data_format": "NCHW"} if "data_format" in table.attrs else found


def _text(graph: Graph, types: list[Attribute]) -> str | None:
    from xdsl.dialects.builtin import ModuleOp

    from ge_dialect.ir.build import build
    from ge_dialect.ir.build import graph as new_graph
    from ge_dialect.ir.naming import name_missing
    from ge_dialect.ir.printer import print_module
    from ge_dialect.ir.verifier import verify

    made, block = new_graph("g", types, [f"x{i}" for i in range(len(types))])
    inputs = dict(zip([n.index for n in graph.inputs()], block.args, strict=True))
    built = Built(dict(inputs))
    try:
        build_nodes(built, graph, [], _attributes)
    except (InferError, ValueError, KeyError):
        for op in reversed(built.ops):
            op.erase()
        return None
    block.add_ops(built.ops)
    outputs = [built.value(o) for o in graph.outputs]
    block.add_op(build("NetOutput", [outputs]))
    module = ModuleOp([made])
    name_missing(module)
    return None if verify(module) else print_module(module)
