"""Pattern and replacement graphs: plain nodes without types, built as GE's eager style does.

A bare number where an input is expected becomes a constant; its dtype is settled when the graph is
put into a target, where the other inputs are known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from ge_dialect.containers import is_list, is_tuple

Number = int | float
#: GE's two names of a constant's type.
CONSTS = frozenset({"Const", "Constant"})


class InputType(IntEnum):
    """Kinds of graph inputs; here all of them match any value."""

    DATA = 0
    REF_DATA = 1
    AIPP_DATA = 2
    ANY_DATA = 3


@dataclass(eq=False)
class Node:
    """A node of a pattern or replacement.

    type: operator type, "Data" for an input of the graph, "Const" for a constant. args: one per
    input slot of the operator: a tensor, None, or a list for a dynamic one. attrs: those that were
    given. outputs: how many results it has.
    """

    type: str
    name: str
    args: list[TensorHolder | list[TensorHolder] | None] = field(default_factory=list)
    attrs: dict[str, Any] = field(default_factory=dict)
    outputs: int = 1
    after: list[Node] = field(default_factory=list)
    index: int = 0
    value: Any = None
    dtype: str | None = None

    def tensors(self) -> Iterator[TensorHolder]:
        """All its inputs, flattened."""
        for arg in self.args:
            if isinstance(arg, list):
                yield from arg
            elif arg is not None:
                yield arg

    def get_attr(self, name: str) -> Any:
        """An attribute that was given; RuntimeError for another one."""
        if name not in self.attrs:
            raise RuntimeError(f"{self.type} {self.name} has no attribute {name!r}")
        return self.attrs[name]


class TensorHolder:
    """One output of a node."""

    def __init__(self, node: Node, index: int = 0) -> None:
        self.node = node
        self.index = index

    def __repr__(self) -> str:
        return f"<{self.node.type} {self.node.name}:{self.index}>"

    def __add__(self, other: TensorHolder | Number) -> TensorHolder:
        return es.Add(self, other)

    def __radd__(self, other: Number) -> TensorHolder:
        return es.Add(other, self)

    def __sub__(self, other: TensorHolder | Number) -> TensorHolder:
        return es.Sub(self, other)

    def __rsub__(self, other: Number) -> TensorHolder:
        return es.Sub(other, self)

    def __mul__(self, other: TensorHolder | Number) -> TensorHolder:
        return es.Mul(self, other)

    def __rmul__(self, other: Number) -> TensorHolder:
        return es.Mul(other, self)

    def __truediv__(self, other: TensorHolder | Number) -> TensorHolder:
        return es.Div(self, other)

    def __rtruediv__(self, other: Number) -> TensorHolder:
        return es.Div(other, self)


@dataclass(frozen=True, eq=False)
class NodeIo:
    """An output of a node, of a pattern or of the target."""

    node: Any
    index: int = 0


class Outputs(tuple[TensorHolder, ...]):
    """The results of a node with several: by position, or as attributes by their names."""

    names: tuple[str, ...] = ()

    def __getattr__(self, name: str) -> TensorHolder:
        if name in self.names:
            return self[self.names.index(name)]
        raise AttributeError(name)


@dataclass(eq=False)
class Graph:
    """A finished pattern or replacement: what `GraphBuilder.build_and_reset` returns."""

    name: str
    outputs: list[TensorHolder]

    def nodes(self) -> list[Node]:
        """All nodes but inputs, producers first."""
        order: list[Node] = []
        done: set[int] = set()

        def visit(node: Node) -> None:
            if id(node) in done:
                return
            done.add(id(node))
            for source in (*(t.node for t in node.tensors()), *node.after):
                visit(source)
            if node.type != "Data":
                order.append(node)

        for out in self.outputs:
            visit(out.node)
        return order

    def inputs(self) -> list[Node]:
        """The inputs that are read, by index."""
        found: dict[int, Node] = {}
        held = [t.node for n in self.nodes() for t in n.tensors()]
        for node in (*held, *(out.node for out in self.outputs)):
            if node.type == "Data":
                found[id(node)] = node
        return sorted(found.values(), key=lambda n: n.index)


def as_graph(given: object, must: str) -> Graph:
    """The graph that was given; TypeError for anything else, where `must` says what is wrong."""
    if not isinstance(given, Graph):
        raise TypeError(f"{must} {given!r}")
    return given


class GraphBuilder:
    """Makes a graph: inputs and constants here, other nodes with `es`."""

    def __init__(self, name: str | None = None) -> None:
        self.name = name or "graph"
        self._outputs: dict[int, TensorHolder] = {}
        self._built = False

    def create_input(self, index: int, **_: Any) -> TensorHolder:
        """Input number `index`; name, dtype, format and shape do not matter to matching."""
        self._check()
        return TensorHolder(Node("Data", f"input_{index}", index=index))

    def create_inputs(self, num: int, start_index: int = 0) -> list[TensorHolder]:
        """`num` inputs in a row."""
        return [self.create_input(start_index + i) for i in range(num)]

    def _const(self, dtype: str, value: Any, shape: Sequence[int] | None = None) -> TensorHolder:
        import numpy as np

        self._check()
        array = np.asarray(value, dtype)
        if shape is not None:
            array = np.broadcast_to(array, shape) if array.ndim == 0 else array.reshape(shape)
        return TensorHolder(Node("Const", "const", value=array, dtype=dtype))

    def create_const_float(self, value: Any, shape: Sequence[int] | None = None) -> TensorHolder:
        """A float32 constant: of a number, or of a list with that shape."""
        return self._const("float32", value, shape)

    def create_const_int64(self, value: Any, shape: Sequence[int] | None = None) -> TensorHolder:
        """An int64 constant."""
        return self._const("int64", value, shape)

    def create_const_int32(self, value: Any, shape: Sequence[int] | None = None) -> TensorHolder:
        """An int32 constant."""
        return self._const("int32", value, shape)

    def create_const_uint64(self, value: Any, shape: Sequence[int] | None = None) -> TensorHolder:
        """A uint64 constant."""
        return self._const("uint64", value, shape)

    def create_const_uint32(self, value: Any, shape: Sequence[int] | None = None) -> TensorHolder:
        """A uint32 constant."""
        return self._const("uint32", value, shape)

    def create_vector_int64(self, value: Sequence[int]) -> TensorHolder:
        """A vector of int64."""
        return self._const("int64", list(value))

    def create_scalar_float(self, value: float) -> TensorHolder:
        """A float32 scalar."""
        return self._const("float32", value)

    def create_scalar_int64(self, value: int) -> TensorHolder:
        """An int64 scalar."""
        return self._const("int64", value)

    def create_scalar_int32(self, value: int) -> TensorHolder:
        """An int32 scalar."""
        return self._const("int32", value)

    def create_scalar_uint64(self, value: int) -> TensorHolder:
        """A uint64 scalar."""
        return self._const("uint64", value)

    def create_scalar_uint32(self, value: int) -> TensorHolder:
        """A uint32 scalar."""
        return self._const("uint32", value)

    def set_graph_output(self, tensor: TensorHolder, output_index: int) -> None:
        """Make a tensor an output of the graph."""
        self._check()
        self._outputs[output_index] = tensor

    def set_node_attr_int64(self, tensor: TensorHolder, attr_name: str, value: int) -> None:
        """Set a discardable attribute of a node of a replacement."""
        tensor.node.attrs[attr_name] = value

    set_node_attr_string = set_node_attr_bool = set_node_attr_int64

    def add_control_dependency(
        self, dst_tensor: TensorHolder, src_tensors: Sequence[TensorHolder]
    ) -> None:
        """Let a node wait for others; in a replacement only."""
        dst_tensor.node.after += [t.node for t in src_tensors]

    def build_and_reset(self, outputs: Sequence[TensorHolder] | None = None) -> Graph:
        """The graph; afterwards the builder makes no more."""
        self._check()
        if outputs is not None:
            self._outputs = dict(enumerate(outputs))
        if not self._outputs:
            raise ValueError(f"graph '{self.name}' has no output")
        self._built = True
        return Graph(self.name, [self._outputs[i] for i in sorted(self._outputs)])

    def _check(self) -> None:
        if self._built:
            raise RuntimeError(f"graph '{self.name}' is built; use another GraphBuilder")


class _Operators:
    """Functions for all operator types, by name: ``es.MatMul(x1, x2, transpose_x1=True)``."""

    def __getattr__(self, op_type: str) -> Any:
        from ge_dialect.ops.registry import has_op

        if op_type.startswith("_") or not has_op(op_type):
            raise AttributeError(f"there is no operator {op_type}")

        def make(*args: Any, **named: Any) -> Any:
            return make_node(op_type, args, named)

        make.__name__ = op_type
        return make


es: Any = _Operators()


def make_node(op_type: str, args: Sequence[Any], named: dict[str, Any]) -> Any:
    """A node of `op_type`: inputs in declared order, then attributes, both also by name.

    Where the operator has a dynamic output, how many results it has comes between the two, or as
    `output_num`. Returns the tensor, or all of them where the operator has several results.
    TypeError for arguments that do not fit.
    """
    from ge_dialect.ir.base import DYNAMIC, REQUIRED
    from ge_dialect.ops.registry import op_class

    table = op_class(op_type).ge_table()
    order = [*(s.name for s in table.inputs), *table.attrs]
    if any(s.kind == DYNAMIC for s in table.outputs):
        order.insert(len(table.inputs), "output_num")
    if len(args) > len(order):
        raise TypeError(f"{op_type} takes at most {len(order)} arguments")
    given = dict(zip(order, args, strict=False))
    for name, value in named.items():
        if name not in order:
            raise TypeError(f"{op_type} has no input or attribute {name!r}")
        if name in given:
            raise TypeError(f"{op_type}: {name!r} is given twice")
        given[name] = value
    node = Node(op_type, op_type)
    for slot in table.inputs:
        value = given.get(slot.name)
        if slot.kind == DYNAMIC:
            node.args.append([_tensor(v) for v in value or ()])
        elif value is None and slot.kind == REQUIRED:
            raise TypeError(f"{op_type}: input {slot.name!r} is missing")
        else:
            node.args.append(None if value is None else _tensor(value))
    node.attrs = {n: _plain(given[n]) for n in table.attrs if given.get(n) is not None}
    if any(s.kind == DYNAMIC for s in table.outputs):
        count = given.get("output_num") or node.attrs.get("num_split") or node.attrs.get("num")
        node.outputs = int(count or 1)
    else:
        node.outputs = len(table.outputs)
    if node.outputs == 1:
        return TensorHolder(node)
    found = Outputs(TensorHolder(node, i) for i in range(node.outputs))
    found.names = tuple(s.name for s in table.outputs)
    return found


def _tensor(value: Any) -> TensorHolder:
    if isinstance(value, TensorHolder):
        return value
    if isinstance(value, Outputs):
        return value[0]
    if isinstance(value, bool | int | float):
        return TensorHolder(Node("Const", "const", value=value))
    if is_list(value) or is_tuple(value):
        if all(isinstance(v, int | float) for v in value):
            return TensorHolder(Node("Const", "const", value=list(value)))
    raise TypeError(f"{value!r} is no tensor")


def _plain(value: Any) -> Any:
    """An attribute as a Python value of ours: dtypes by their xDSL types."""
    from passes.ge_adapter.views import DataType

    if isinstance(value, DataType):
        from ge_dialect.dtypes import BY_ENUM

        return BY_ENUM[int(value)].type
    return tuple(value) if is_list(value) else value
