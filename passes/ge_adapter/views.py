"""What a GE-style pass sees of the target graph: nodes, descriptors, constants. Read only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from ge_dialect.containers import is_tuple
from ge_dialect.dtypes import DTYPES, FORMATS, dtype_of
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.control import control_inputs, control_result
from ge_dialect.ir.names import node_name
from ge_dialect.ir.narrow import is_dense
from ge_dialect.ir.types import elem_of, layout_of, shape_of, tensor_under
from passes.values import CONST_OPS

if TYPE_CHECKING:
    pass

#: GE's dtypes by name (`DataType.DT_FLOAT`) and number.
DataType: Any = IntEnum("DataType", {d.printed: d.enum for d in DTYPES})
#: GE's formats by name (`Format.FORMAT_ND`) and number.
Format: Any = IntEnum("Format", {f"FORMAT_{name}": number for name, number in FORMATS.items()})


@dataclass(frozen=True)
class TensorDesc:
    """Type of one input or output of a node. shape: -1 for an unknown dim, [-2] for a rank."""

    data_type: Any
    shape: list[int]
    format: Any

    def get_data_type(self) -> Any:
        """The dtype."""
        return self.data_type

    def get_shape(self) -> list[int]:
        """The logical shape."""
        return list(self.shape)

    def get_format(self) -> Any:
        """The storage format, ND where there is none in particular."""
        return self.format


@dataclass(frozen=True)
class Tensor:
    """A constant: type and contents (nested lists, a number for a scalar)."""

    data_type: Any
    shape: list[int]
    data: Any
    format: Any


def desc_of(type_: Attribute) -> TensorDesc:
    """The descriptor of a tensor type; RuntimeError for a type that is none."""
    tensor = tensor_under(type_)
    if tensor is None:
        raise RuntimeError("this is no tensor")
    known = dtype_of(elem_of(tensor))
    layout, shape = layout_of(tensor), shape_of(tensor)
    return TensorDesc(
        DataType(known.enum) if known is not None and not known.host_only else None,
        [-2] if shape is None else list(shape),
        Format[f"FORMAT_{'ND' if layout is None else layout.format}"],
    )


class NodeView:
    """A node of the target, or an argument of its graph, which looks like a Data node."""

    def __init__(self, owner: Operation | SSAValue, weights: Any = None) -> None:
        self._owner = owner
        self._op = owner if isinstance(owner, GeOp) else None
        self._weights = weights

    @property
    def name(self) -> str:
        """Its name in the graph."""
        if isinstance(self._owner, Operation):
            return node_name(self._owner) or ""
        return self._owner.name_hint or f"arg{getattr(self._owner, 'index', 0)}"

    @property
    def type(self) -> str:
        """The operator type."""
        return "Data" if self._op is None else self._op.ge_type

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NodeView) and other._owner is self._owner

    def __hash__(self) -> int:
        return hash(self._owner)

    def __repr__(self) -> str:
        return f"<{self.type} {self.name}>"

    # --- attributes ---

    def has_attr(self, name: str) -> bool:
        """Whether it has a value for an attribute."""
        try:
            self.get_attr(name)
        except RuntimeError:
            return False
        return True

    def get_attr(self, name: str) -> Any:
        """Python value of an attribute: dtypes as `DataType`, a constant's value as `Tensor`.

        RuntimeError where it has none.
        """
        op = self._op
        if op is not None and name == "value" and op.name in CONST_OPS:
            return self._constant(op)
        value: Any = None
        if op is not None and name in type(op).ge_table().attrs:
            value = op.ge_attr(name)
        elif op is not None:
            held = op.attributes.get(name) or op.attributes.get(f"ge.attr.{name}")
            value = getattr(held, "data", getattr(getattr(held, "value", None), "data", None))
        if value is None:
            raise RuntimeError(f"{self.type} {self.name} has no attribute {name!r}")
        return _shown(value)

    def _constant(self, op: GeOp) -> Tensor:
        from passes.values import constant_array

        array = constant_array(op, self._weights)
        if array is None:
            raise RuntimeError(f"the value of {self.name} is not known")
        desc = self.get_output_desc(0)
        return Tensor(desc.data_type, list(array.shape), array.tolist(), desc.format)

    # --- inputs and outputs ---

    def _inputs(self) -> list[SSAValue | None]:
        """One per input anchor: absent optional inputs in between are None."""
        found: list[SSAValue | None] = []
        for arg in self._op.ge_args() if self._op is not None else ():
            if isinstance(arg, list):
                found += arg
            else:
                found.append(arg)
        while found and found[-1] is None:
            found.pop()
        return found

    def _results(self) -> Sequence[SSAValue]:
        if self._op is not None:
            return self._op.ge_data_results
        return (self._owner,) if isinstance(self._owner, SSAValue) else ()

    def get_inputs_size(self) -> int:
        """How many input anchors it has."""
        return len(self._inputs())

    def get_outputs_size(self) -> int:
        """How many outputs it has."""
        return len(self._results())

    def _input(self, index: int) -> SSAValue:
        inputs = self._inputs()
        value = inputs[index] if 0 <= index < len(inputs) else None
        if value is None:
            raise RuntimeError(f"{self.type} {self.name} has no input {index}")
        return value

    def get_input_desc(self, index: int) -> TensorDesc:
        """Type of an input; RuntimeError for one that is not connected."""
        return desc_of(self._input(index).type)

    def get_output_desc(self, index: int) -> TensorDesc:
        """Type of an output; RuntimeError where there is no such one."""
        results = self._results()
        if not 0 <= index < len(results):
            raise RuntimeError(f"{self.type} {self.name} has no output {index}")
        return desc_of(results[index].type)

    def get_in_data_nodes_and_port_indexes(self, in_index: int) -> tuple[NodeView, int]:
        """The node that makes an input, and which of its outputs it is."""
        return view_of(self._input(in_index), self._weights)

    def get_out_data_nodes_and_port_indexes(self, out_index: int) -> list[tuple[NodeView, int]]:
        """The nodes that read an output, each with the number of the input."""
        results = self._results()
        if not 0 <= out_index < len(results):
            raise RuntimeError(f"{self.type} {self.name} has no output {out_index}")
        found: list[tuple[NodeView, int]] = []
        for use in results[out_index].uses:
            if isinstance(use.operation, GeOp) and use.index < len(use.operation.ge_data_operands):
                found.append((NodeView(use.operation, self._weights), use.index))
        return found

    def get_in_control_nodes(self) -> list[NodeView]:
        """The nodes it waits for by a control edge."""
        if self._op is None:
            return []
        owners = [v.owner for v in control_inputs(self._op)]
        return [NodeView(o, self._weights) for o in owners if isinstance(o, Operation)]

    def get_out_control_nodes(self) -> list[NodeView]:
        """The nodes that wait for it by a control edge."""
        out = None if self._op is None else control_result(self._op)
        return [] if out is None else [NodeView(u.operation, self._weights) for u in out.uses]


def view_of(value: SSAValue, weights: Any = None) -> tuple[NodeView, int]:
    """The node that makes a value, and the number of the result."""
    if isinstance(value, OpResult):
        return NodeView(value.op, weights), value.index
    return NodeView(value, weights), 0


def _shown(value: Any) -> Any:
    """A value of ours as GE's Python has it."""
    if is_dense(value):
        from ge_dialect.ir.dense import dense_to_numpy

        return dense_to_numpy(value).tolist()
    if isinstance(value, Attribute):
        known = dtype_of(value)
        return str(value) if known is None or known.host_only else DataType(known.enum)
    return [_shown(v) for v in value] if is_tuple(value) else value
