"""Simpler types, attributes and names of a failing case, once its graph is small."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from xdsl.ir import Attribute, Block, SSAValue

from ge_dialect.containers import is_tuple
from ge_dialect.diagnostics import GeError
from ge_dialect.infer.errors import InferError
from ge_dialect.ir.attributes import CtrlType, RefType
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.narrow import is_dense
from ge_dialect.ir.types import (
    elem_of,
    layout_of,
    ref_type,
    shape_of,
    tensor_type,
    with_layout,
)
from passes.testing.observe import VALIDATION_KINDS, drawn_inputs
from passes.testing.reduce import edits
from passes.testing.reduce.session import Case, drawn, fits
from passes.testing.reduce.shrink import Shrinker
from passes.testing.reduce.table import Graph, Node, Table, build_graph, make_node

#: Nodes whose result types no rule gives.
_DECLARED = frozenset({"Variable", "Reinterpret", "TransData", "Opaque", "Placeholder"})
_CONSTANTS = frozenset({"Const", "Constant"})


class Simplifier(Shrinker):
    """The last strategies of a reduction."""

    def simplify(self) -> bool:
        """Smaller sizes, default attributes, plain values."""
        return self.run(
            [
                ("shrink sizes", self.sizes),
                ("default attributes", self.attributes),
                ("drop annotations", self.annotations),
                ("plain constants", self.constants),
            ]
        )

    # ----------------------------------------------------------------------------------- sizes

    def sizes(self) -> None:
        """Make dims smaller, the same size everywhere at once; types are inferred anew."""
        if len(self.table.graphs) != 1:
            return
        for _ in range(8):
            before = self.table
            for size in sorted(_sizes_of(self.table.graphs[0]), reverse=True):
                for smaller in dict.fromkeys((1, 2, 3, 4, size // 4, size // 2)):
                    if 0 < smaller < size and self._resize(size, smaller):
                        break
            if self.table is before:
                return

    def _resize(self, size: int, smaller: int) -> bool:
        for numbers in (True, False):
            try:
                table = resized(self.table, {size: smaller}, numbers=numbers)
            except (InferError, GeError, ValueError, TypeError, KeyError, IndexError):
                continue
            best = self.session.best
            inputs = _sliced(best.inputs, table.graphs[0])
            if self.session.attempt(Case(table, best.pipeline, inputs)):
                return True
        return False

    # ------------------------------------------------------------------------------ attributes

    def attributes(self) -> None:
        """Set declared attributes to their defaults, all at once first."""
        for scope in self.live_scopes():
            items = [
                (n.key, name) for n in self.graph(scope).nodes for name in _changed_attributes(n)
            ]
            if not items:
                continue
            changed = set(items)

            def attempt(
                kept: Sequence[tuple[int, str]], scope: Any = scope, changed: Any = changed
            ) -> bool:
                gone = changed - set(kept)
                nodes = tuple(
                    _with_defaults(n, {name for key, name in gone if key == n.key})
                    for n in self.graph(scope).nodes
                )
                graph = replace(self.graph(scope), nodes=nodes)
                return self.attempt(scope, graph) or (
                    not scope.is_body and self._retyped(scope.index, graph)
                )

            self.session.minimise(items, attempt)

    def _retyped(self, index: int, graph: Graph) -> bool:
        """Try a graph with its types inferred anew."""
        try:
            table = resized(self.table.with_graph(index, graph), {}, numbers=False, index=index)
        except (InferError, GeError, ValueError, TypeError, KeyError, IndexError):
            return False
        return self.session.attempt_table(table)

    def annotations(self) -> None:
        """Drop attributes with a dot: of nodes, graphs, inputs and the module."""
        for scope in self.live_scopes():
            graph = self.graph(scope)
            items: list[tuple[int | None, str]] = [
                (n.key, name) for n in graph.nodes for name in n.extra
            ]
            items += [(None, name) for name in (*graph.attrs, *graph.end_attrs)]
            if not items:
                continue

            def attempt(kept: Sequence[tuple[int | None, str]], scope: Any = scope) -> bool:
                return self.attempt(scope, _annotated(self.graph(scope), set(kept)))

            self.session.minimise(items, attempt)
        bare = replace(self.table, attrs={})
        if self.table.attrs:
            self.session.attempt_table(bare)
        for i, graph in enumerate(self.table.graphs):
            if any(p.attrs for p in graph.inputs):
                ports = tuple(replace(p, attrs={}) for p in graph.inputs)
                self.session.attempt_graph(i, replace(graph, inputs=ports))

    # ------------------------------------------------------------------------------- constants

    def constants(self) -> None:
        """Make constants all zero or all one."""
        for scope in self.live_scopes():
            for node in self.graph(scope).nodes:
                if node.cls.name[3:] not in _CONSTANTS:
                    continue
                for fill in (0, 1):
                    graph = scope.get(self.table)
                    if graph is None:
                        break
                    plain = edits.constant_node(node.results[0], node.types[0], node.name, fill)
                    if plain is None or plain.props["value"] == node.props.get("value"):
                        break
                    if self.attempt(scope, edits.with_node(graph, node.key, props=plain.props)):
                        break

    def values(self) -> bool:
        """Simpler input values; True where those that validation draws itself show the failure."""
        case, session = self.session.best, self.session
        if not session.oracle.needs_inputs:
            return True
        for kind in VALIDATION_KINDS:
            try:
                (inputs,) = drawn_inputs(build_graph(case.table.graphs[0]), session.seed, (kind,))
            except (GeError, ValueError):
                break
            if session.attempt(Case(case.table, case.pipeline, inputs), again=True):
                return True
        import numpy as np

        for port in case.table.graphs[0].inputs:
            held = self.session.best.inputs.get(port.name)
            if held is None:
                continue
            simple = [drawn(port.name, port.type, session.seed)]
            simple += [np.zeros_like(held), np.ones_like(held)]
            for array in simple:
                if fits(array, port.type):
                    inputs = {**session.best.inputs, port.name: array}
                    if session.attempt(Case(case.table, case.pipeline, inputs), again=True):
                        break
        return False


# ----------------------------------------------------------------------------------- attributes


def _changed_attributes(node: Node) -> Iterator[str]:
    for name, spec in node.cls.ge_table().attrs.items():
        value = node.props.get(name)
        if value is None or spec.required or value == spec.default:
            continue
        yield name


def _with_defaults(node: Node, names: set[str]) -> Node:
    if not names:
        return node
    props = dict(node.props)
    for name in names:
        default = node.cls.ge_table().attrs[name].default
        if default is None:
            props.pop(name)
        else:
            props[name] = default
    return replace(node, props=props)


def _annotated(graph: Graph, kept: set[tuple[int | None, str]]) -> Graph:
    nodes = tuple(
        replace(n, extra={k: v for k, v in n.extra.items() if (n.key, k) in kept}) if n.extra else n
        for n in graph.nodes
    )

    def left(attrs: Mapping[str, Attribute]) -> dict[str, Attribute]:
        return {k: v for k, v in attrs.items() if (None, k) in kept}

    return replace(graph, nodes=nodes, attrs=left(graph.attrs), end_attrs=left(graph.end_attrs))


# ---------------------------------------------------------------------------------------- sizes


def _sizes_of(graph: Graph) -> set[int]:
    out: set[int] = set()
    types = [p.type for p in graph.inputs]
    types += [t for n in graph.nodes if n.cls.name[3:] in _CONSTANTS for t in n.types]
    for type_ in types:
        out.update(d for d in shape_of(type_) or () if d > 1)
    return out


def resized(table: Table, sizes: Mapping[int, int], *, numbers: bool, index: int = 0) -> Table:
    """The table with dims replaced in inputs and constants and all other types inferred anew.

    numbers: whether integers in constants and attributes that equal a replaced size follow it.
    Raises InferError or ValueError where that gives no graph.
    """
    graph = table.graphs[index]
    inputs = tuple(replace(p, type=_resized_type(p.type, sizes)) for p in graph.inputs)
    block = Block(arg_types=[p.type for p in inputs])
    nodes = _infer_nodes(graph, inputs, block, sizes, numbers)
    return table.with_graph(index, replace(graph, inputs=inputs, nodes=tuple(nodes)))


def _infer_nodes(
    graph: Graph, inputs: Sequence[Any], block: Block, sizes: Mapping[int, int], numbers: bool
) -> list[Node]:
    from ge_dialect.infer.node import infer_op

    values: dict[int, SSAValue] = {p.value: a for p, a in zip(inputs, block.args, strict=True)}
    made: dict[int, Any] = {}
    nodes: list[Node] = []
    for node in graph.nodes:
        node = _resized_node(node, sizes, numbers)
        if node.bodies:
            operand_types = [values[v].type for v in node.operands()]
            bodies: list[Graph] = []
            for i, body in enumerate(node.bodies):
                types = node.cls.ge_body_types(operand_types, i)
                ports = tuple(replace(p, type=t) for p, t in zip(body.inputs, types, strict=True))
                inner = Block(arg_types=list(types))
                inner_nodes = _infer_nodes(body, ports, inner, sizes, numbers)
                bodies.append(replace(body, inputs=ports, nodes=tuple(inner_nodes)))
            node = replace(node, bodies=tuple(bodies))
        op = make_node(node, values, made)
        if node.cls.name[3:] not in _DECLARED | _CONSTANTS:
            assert isinstance(op, GeOp)
            types = infer_op(op)
            types = [
                t if layout_of(o) is None else with_layout(t, layout_of(o))
                for t, o in zip(types, node.types, strict=True)
            ]
            if types != list(node.types):
                node = replace(node, types=tuple(types))
                op.drop_all_references()
                op = make_node(node, values, made)
        block.add_op(op)
        made[node.key] = op
        data = [r for r in op.results if not isinstance(r.type, CtrlType)]
        values.update(zip(node.results, data, strict=True))
        nodes.append(node)
    return nodes


def _resized_type(type_: Attribute, sizes: Mapping[int, int]) -> Attribute:
    if isinstance(type_, RefType):
        return ref_type(_resized_type(type_.tensor, sizes))
    shape = shape_of(type_)
    if shape is None or not any(d in sizes for d in shape):
        return type_
    return tensor_type([sizes.get(d, d) for d in shape], elem_of(type_), layout_of(type_))


def _resized_node(node: Node, sizes: Mapping[int, int], numbers: bool) -> Node:
    kind = node.cls.name[3:]
    if not sizes:
        return node
    types = tuple(_resized_type(t, sizes) for t in node.types)
    props = node.props
    if kind in _CONSTANTS:
        value = _resized_constant(node, types[0], sizes, numbers)
        props = {**node.props, "value": value}
    elif numbers:
        props = {k: _resized_numbers(node, k, v, sizes) for k, v in props.items()}
    return replace(node, types=types, props=props)


def _resized_constant(
    node: Node, type_: Attribute, sizes: Mapping[int, int], numbers: bool
) -> Attribute:
    import numpy as np

    from ge_dialect.ir.dense import dense_from_numpy, dense_to_numpy

    value = node.props["value"]
    shape = shape_of(type_)
    assert shape is not None
    if is_dense(value):
        array = dense_to_numpy(value)
    elif type_ == node.types[0]:
        return value
    else:  # a weight: only its type is known here, and a small constant stands for it
        from ge_dialect.dtypes import numpy_dtype

        array = np.ones(shape, numpy_dtype(elem_of(type_)))
    if array.shape != shape:
        array = array[tuple(slice(0, d) for d in shape)]
    if numbers and array.dtype.kind in "iu" and array.size <= 16:
        flat = [sizes.get(int(v), int(v)) for v in array.reshape(-1)]
        array = np.array(flat, array.dtype).reshape(array.shape)
    if array.shape != shape:
        raise ValueError("a constant does not shrink")
    return dense_from_numpy(np.ascontiguousarray(array), elem_of(type_))


def _resized_numbers(
    node: Node, name: str, value: Attribute, sizes: Mapping[int, int]
) -> Attribute:
    spec = node.cls.ge_table().attrs.get(name)
    if spec is None or "Int" not in spec.kind.name:
        return value
    old = spec.kind.to_python(value)

    def swap(v: Any) -> Any:
        if is_tuple(v):
            return tuple(swap(x) for x in v)
        return sizes.get(v, v) if isinstance(v, int) and not isinstance(v, bool) else v

    new = swap(old)
    return value if new == old else spec.kind.to_attr(new)


def _sliced(inputs: Mapping[str, Any], graph: Graph) -> dict[str, Any]:
    """Values of inputs cut to the sizes their types have now."""
    out = dict(inputs)
    for port in graph.inputs:
        array, shape = inputs.get(port.name), shape_of(port.type)
        if array is None or shape is None or len(shape) != array.ndim:
            continue
        cut = tuple(slice(None) if d < 0 else slice(0, d) for d in shape)
        out[port.name] = array[cut]
    return out


__all__ = ["Simplifier", "resized"]
