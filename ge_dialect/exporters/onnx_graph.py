"""One ONNX graph under construction: nodes and constants, then its `GraphProto`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from xdsl.ir import Attribute, Block, SSAValue

from ge_dialect.dtypes import ge_name
from ge_dialect.exporters.onnx_tensor import onnx_number
from ge_dialect.exporters.onnx_values import Held, NoCounterpart, Shared, Val
from ge_dialect.importers.onnx_reader import ELEMENT_TYPES
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.types import elem_of, shape_of

if TYPE_CHECKING:
    import numpy as np
    from onnx import GraphProto, NodeProto, ValueInfoProto
    from onnx.defs import OpSchema

_LATER = "a later --opset has it"
#: Names that ONNX's schemas give element types, by ours.
_TYPE_TEXT = {
    "float32": "float",
    "float64": "double",
    "float8_e4m3fn": "float8e4m3fn",
    "float8_e4m3fnuz": "float8e4m3fnuz",
    "float8_e5m2": "float8e5m2",
    "float8_e5m2fnuz": "float8e5m2fnuz",
    "float4_e2m1": "float4e2m1",
    "float8_e8m0": "float8e8m0",
}
_FROM_TEXT = {f"tensor({_TYPE_TEXT.get(n, n)})": n for n in ELEMENT_TYPES.values()}
#: Where an operator of ONNX does not take an element type: those to compute in, best first.
_WIDER: dict[str, tuple[str, ...]] = {
    "float16": ("float32",),
    "bfloat16": ("float32",),
    "float8_e4m3fn": ("float16", "float32"),
    "float8_e5m2": ("float16", "float32"),
    "float8_e4m3fnuz": ("float16", "float32"),
    "float8_e5m2fnuz": ("float16", "float32"),
    "float8_e8m0": ("float32",),
    "float4_e2m1": ("float16", "float32"),
    "int2": ("int8", "int32"),
    "uint2": ("uint8", "int32"),
    "int4": ("int8", "int32"),
    "uint4": ("uint8", "int32"),
    "int8": ("int32", "int64", "float32", "float64"),
    "uint8": ("int32", "uint64", "int64", "float32", "float64"),
    "int16": ("int32", "int64", "float32", "float64"),
    "uint16": ("int32", "uint64", "int64", "float32", "float64"),
    "int32": ("int64", "float64"),
    "uint32": ("uint64", "int64", "float64"),
    "bool": ("uint8", "int32", "int64", "float32"),
}


@cache
def schema_of(op_type: str, opset: int) -> OpSchema:
    """Schema of a standard operator; KeyError where the opset has none."""
    from onnx import defs

    try:
        return defs.get_schema(op_type, opset, "")
    except defs.SchemaError:
        raise KeyError(f"ONNX has no {op_type} in opset {opset}") from None


@cache
def _constraints(op_type: str, opset: int) -> dict[str, frozenset[str]]:
    """Type parameter -> dtypes it may have."""
    return {
        c.type_param_str: frozenset(_FROM_TEXT[t] for t in c.allowed_type_strs if t in _FROM_TEXT)
        for c in schema_of(op_type, opset).type_constraints
    }


def dtypes_of(op_type: str, opset: int, parameter: str) -> frozenset[str]:
    """Element types that a type parameter of an operator may have."""
    return _constraints(op_type, opset).get(parameter, frozenset())


def need_element_type(elem: Attribute, opset: int) -> None:
    """Refuse an element type that came to ONNX after an opset."""
    if ge_name(elem) not in dtypes_of("Identity", opset, "V"):
        onnx_number(elem)
        raise NoCounterpart(f"opset {opset} has no element type {ge_name(elem)}", _LATER)


def _formal(formals: Sequence[Any], index: int) -> Any:
    return formals[min(index, len(formals) - 1)]


@dataclass
class Made:
    """A node; role: what its name is put together from where it is no main node."""

    op_type: str
    inputs: list[Val | None]
    outputs: list[Val]
    attrs: dict[str, Any]
    role: str
    name: str = ""


@dataclass
class GraphWriter:
    """Nodes of one graph; bodies are graphs of their own that read outer values by name."""

    shared: Shared
    values: dict[SSAValue, Val] = field(default_factory=dict)
    nodes: list[Made] = field(default_factory=list)
    held: list[Held] = field(default_factory=list)
    #: Results that have to have a certain name: the graph's outputs.
    wanted: dict[SSAValue, str] = field(default_factory=dict)
    inputs: list[tuple[Val, tuple[int, ...] | None, Sequence[str]]] = field(default_factory=list)
    outputs: list[tuple[Val, tuple[int, ...] | None]] = field(default_factory=list)
    #: Results whose shape no reader can infer.
    declared: list[tuple[Val, tuple[int, ...] | None]] = field(default_factory=list)

    def child(self) -> GraphWriter:
        """A writer for a body."""
        return GraphWriter(self.shared)

    def constant(
        self,
        elem: Attribute,
        shape: tuple[int, ...],
        make: Callable[[], np.ndarray],
        base: str,
        weight: str | None = None,
    ) -> Held:
        """A constant of this graph; it is written where a node reads it."""
        made = Held(elem, None, tuple(shape), make, base, weight)
        self.held.append(made)
        return made

    def use(self, value: Val) -> Val:
        """A value that something reads now: a constant gets its name."""
        if isinstance(value, Held) and not value.used:
            value.used = True
            value.name = self.shared.value_name(value.base)
        return value

    # --- nodes ---

    def emit(
        self,
        op_type: str,
        inputs: Sequence[Val | None],
        attrs: Mapping[str, Any] | None = None,
        *,
        count: int = 1,
        elem: Attribute | None = None,
        role: str | None = None,
    ) -> list[Val]:
        """A node with its `count` results.

        Inputs of an element type that the operator does not take are widened, and results of that
        type cast back. elem: of results whose type the schema leaves open.
        Raises NoCounterpart where nothing wider is taken either, or the opset lacks the operator.
        """
        try:
            schema = schema_of(op_type, self.shared.opset)
        except KeyError as error:
            raise NoCounterpart(str(error.args[0]), _LATER) from None
        allowed = _constraints(op_type, self.shared.opset)
        given = list(inputs)
        while given and given[-1] is None:
            given.pop()
        bound: dict[str, tuple[Attribute, Attribute]] = {}
        ready: list[Val | None] = []
        for i, value in enumerate(given):
            if value is None:
                ready.append(None)
                continue
            text = _formal(schema.inputs, i).type_str
            ready.append(self._fitted(op_type, value, text, allowed, bound))
        made = Made(op_type, ready, [], dict(attrs or {}), role or op_type)
        for value in ready:
            if value is not None:
                self.use(value)
        self.nodes.append(made)
        results: list[Val] = []
        for i in range(count):
            text = _formal(schema.outputs, i).type_str
            narrow: Attribute | None = None
            if text in bound:
                own, kind = bound[text]
                narrow = own if own != kind else None
            else:
                kind = elem if elem is not None else _only(text, allowed)
            if kind is None:
                raise AssertionError(f"the type of result {i} of {op_type} must be said")
            need_element_type(kind, self.shared.opset)
            raw = Val(kind)
            made.outputs.append(raw)
            results.append(raw if narrow is None else self.cast(raw, narrow))
        return results

    def _fitted(
        self,
        op_type: str,
        value: Val,
        text: str,
        allowed: Mapping[str, frozenset[str]],
        bound: dict[str, tuple[Attribute, Attribute]],
    ) -> Val:
        from ge_dialect.dtypes import to_xdsl

        if text in bound:
            return self.cast(value, bound[text][1])
        names = allowed.get(text) or ({_FROM_TEXT[text]} if text in _FROM_TEXT else frozenset())
        own = ge_name(value.elem)
        if own in names:
            kind = value.elem
        else:
            wide = next((w for w in _WIDER.get(own, ()) if w in names), None)
            if wide is None and len(names) == 1:
                wide = next(iter(names))  # int64 for sizes and axes
            if wide is None:
                raise NoCounterpart(f"ONNX's {op_type} does not take {own}")
            kind = to_xdsl(wide)
        if text in allowed:
            bound[text] = (value.elem, kind)
        return self.cast(value, kind)

    def cast(self, value: Val, elem: Attribute, role: str = "Cast") -> Val:
        """The value as another element type; constants of numbers are converted here."""
        from ge_dialect.dtypes import numpy_dtype

        if value.elem == elem:
            return value
        number = onnx_number(elem)
        for used in (value.elem, elem):
            need_element_type(used, self.shared.opset)
        if isinstance(value, Held) and value.weight is None:
            kind, old = numpy_dtype(elem), value
            whole = old.array().dtype.kind in "iub" or kind.kind not in "iub"
            if whole:
                return self.constant(elem, old.shape, lambda: old.array().astype(kind), old.base)
        made = Made("Cast", [self.use(value)], [Val(elem)], {"to": number}, role)
        self.nodes.append(made)
        return made.outputs[0]

    # --- blocks ---

    def block(self, block: Block, arguments: Sequence[Val]) -> list[Val]:
        """Write the nodes of a block and return the values of its outputs."""
        from ge_dialect.exporters.onnx_node import write_node

        self.values.update(zip(block.args, arguments, strict=True))
        outputs: list[Val] = []
        for op in block.ops:
            if op.name == "ge.NetOutput":
                assert isinstance(op, GeOp)
                outputs = [self.values.get(o) or Val(elem_of(o.type)) for o in op.ge_data_operands]
            else:
                write_node(self, op)
        return outputs

    def finish_output(self, value: Val, shape: tuple[int, ...] | None, name: str) -> None:
        """Make a value an output called `name`; another value than the node's is copied."""
        if isinstance(value, Held) or value.name != name:
            (copy,) = self.emit("Identity", [value], role=name)
            copy.name = name
            self.nodes[-1].name = self.shared.node_name(name)
            value = copy
        self.outputs.append((value, shape))

    def body_outputs(self, values: Sequence[Val], types: Sequence[Attribute]) -> None:
        """Outputs of a body: values it does not compute itself are copied into it."""
        own = {id(o) for n in self.nodes for o in n.outputs}
        for value, type_ in zip(values, types, strict=True):
            if id(value) not in own:
                (copy,) = self.emit("Identity", [value], role="Identity")
                copy.name = self.shared.value_name(f"{value.name or 'body'}_out")
                self.nodes[-1].name = self.shared.node_name(copy.name)
                value = copy
            own.discard(id(value))  # an output stands once
            self.outputs.append((value, shape_of(type_)))

    # --- the message ---

    def proto(self, name: str) -> GraphProto:
        """The graph's message; nodes and constants in order."""
        import onnx

        out = onnx.GraphProto()
        out.name = name
        out.node.extend(self._node(n) for n in self.nodes)
        out.initializer.extend(self.shared.tensors.proto(h) for h in self.held if h.used)
        for value, shape, symbols in self.inputs:
            out.input.append(_info(value, shape, symbols))
        for value, shape in self.outputs:
            out.output.append(_info(value, shape, ()))
        ends = {v.name for v, _ in self.outputs}
        for value, shape in self.declared:
            if value.name not in ends:
                out.value_info.append(_info(value, shape, ()))
        return out

    def _node(self, made: Made) -> NodeProto:
        import onnx

        out = onnx.NodeProto()
        out.op_type = made.op_type
        out.name = made.name
        out.input.extend("" if v is None else v.name or "" for v in made.inputs)
        out.output.extend(v.name or "" for v in made.outputs)
        kinds = schema_of(made.op_type, self.shared.opset).attributes
        for key, value in sorted(made.attrs.items()):
            if value is None:
                continue
            if isinstance(value, GraphWriter):
                value = value.proto(f"{made.name}_{key}")
            kind: Any = kinds[key].type
            out.attribute.append(onnx.helper.make_attribute(key, value, attr_type=int(kind.value)))
        return out


def _only(text: str, allowed: Mapping[str, frozenset[str]]) -> Attribute | None:
    from ge_dialect.dtypes import to_xdsl

    names = allowed.get(text) or ({_FROM_TEXT[text]} if text in _FROM_TEXT else frozenset())
    return to_xdsl(next(iter(names))) if len(names) == 1 else None


def _info(value: Val, shape: tuple[int, ...] | None, symbols: Sequence[str]) -> ValueInfoProto:
    import onnx

    out = onnx.ValueInfoProto()
    out.name = value.name or ""
    tensor = out.type.tensor_type
    tensor.elem_type = onnx_number(value.elem)
    if shape is not None:
        tensor.shape.SetInParent()
        for i, size in enumerate(shape):
            dim = tensor.shape.dim.add()
            if size >= 0:
                dim.dim_value = size
            elif i < len(symbols) and symbols[i]:
                dim.dim_param = symbols[i]
    return out
