"""One GE node as its export rule sees it, and the writing of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import Attribute, Operation, Region

from ge_dialect.diagnostics import GeError
from ge_dialect.dtypes import ge_name, is_float, to_xdsl
from ge_dialect.exporters.onnx_graph import GraphWriter, Made
from ge_dialect.exporters.onnx_rules import find_export
from ge_dialect.exporters.onnx_values import KNOWN_ELEMENTS, Held, NoCounterpart, Val
from ge_dialect.infer import infer_op
from ge_dialect.infer.errors import InferError
from ge_dialect.ir.attributes import RefType, WeightAttr
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.names import node_name
from ge_dialect.ir.types import elem_of, is_tensor, shape_of
from ge_dialect.plugins.journal import fault, is_foreign
from ge_dialect.weights.recipe import Ref, parse_recipe

if TYPE_CHECKING:
    import numpy as np

_STATE = "a variable, which ONNX has not: make it an input and an output of the graph"


class Out:
    """The view of one GE node and the way to write ONNX nodes for it.

    Inputs and results are counted in the operator's declared order; a dynamic input is one place.
    """

    def __init__(self, graph: GraphWriter, op: GeOp, name: str) -> None:
        self.graph = graph
        self.op = op
        self.name = name
        self.args = op.ge_args()
        self.attrs: dict[str, Any] = op.ge_attrs()

    @property
    def opset(self) -> int:
        """The opset that is written."""
        return self.graph.shared.opset

    # --- inputs ---

    def has(self, index: int) -> bool:
        """Whether an optional input is connected."""
        return index < len(self.args) and self.args[index] is not None

    def ssa(self, index: int = 0) -> Any:
        """The SSA value of an input."""
        return self.args[index]

    def x(self, index: int = 0) -> Val:
        """The value of an input."""
        return self.graph.values[self.ssa(index)]

    def wide(self, index: int = 0) -> Val:
        """The value of an input to compute with in several steps: a narrow float as f32, as GE's
        meaning has it, rounded once at the end.
        """
        if self.is_float(index) and self.dtype(index) not in ("float32", "float64"):
            return self.cast(self.x(index), "float32")
        return self.x(index)

    def wides(self, *places: int) -> list[Val]:
        """Values of float inputs in the widest type among them, f32 at least."""
        double = any(self.dtype(i) == "float64" for i in places)
        return [self.cast(self.x(i), "float64" if double else "float32") for i in places]

    def opt(self, index: int) -> Val | None:
        """The value of an optional input, None where absent."""
        return self.x(index) if self.has(index) else None

    def xs(self, index: int = 0) -> list[Val]:
        """The values of a dynamic input."""
        return [self.graph.values[v] for v in self.ssa(index)]

    def shape(self, index: int = 0) -> tuple[int, ...] | None:
        """Shape of an input, -1 for unknown dims, None for unknown rank."""
        return shape_of(self.ssa(index).type)

    def rank(self, index: int = 0) -> int:
        """Rank of an input; refused where unknown."""
        shape = self.shape(index)
        if shape is None:
            raise NoCounterpart("the rank must be known")
        return len(shape)

    def known(self, index: int = 0) -> tuple[int, ...]:
        """Shape of an input; refused where a dim is unknown."""
        shape = self.shape(index)
        if shape is None or -1 in shape:
            raise NoCounterpart("the shape must be known")
        return shape

    def elem(self, index: int = 0) -> Attribute:
        """Element type of an input."""
        return elem_of(self.ssa(index).type)

    def dtype(self, index: int = 0) -> str:
        """GE's name of the element type of an input."""
        return ge_name(self.elem(index))

    def is_float(self, index: int = 0) -> bool:
        """Whether an input is of a real floating type."""
        return is_float(self.elem(index))

    def result(self, index: int = 0) -> Attribute:
        """Type of a result."""
        return self.op.ge_data_results[index].type

    def count(self) -> int:
        """Number of results."""
        return len(self.op.ge_data_results)

    def wants(self, index: int) -> bool:
        """Whether something reads a result."""
        return bool(self.op.ge_data_results[index].uses)

    def const(self, index: int) -> np.ndarray | None:
        """Contents of an input that is a small constant, else None."""
        value = self.graph.values.get(self.ssa(index)) if self.has(index) else None
        if not isinstance(value, Held):
            return None
        count = 1
        for d in value.shape:
            count *= d
        return value.array() if count <= KNOWN_ELEMENTS else None

    def ints(self, index: int) -> list[int] | None:
        """Integers of a constant input, flattened; None where computed or absent."""
        held = self.const(index)
        return None if held is None else [int(v) for v in held.reshape(-1)]

    def need_ints(self, index: int, what: str) -> list[int]:
        """Integers of an input; refused where they are computed."""
        found = self.ints(index)
        if found is None:
            raise NoCounterpart(f"{what} must be constant")
        return found

    def axis(self, value: int, rank: int | None = None) -> int:
        """An axis in [0, rank)."""
        rank = self.rank() if rank is None else rank
        return value + rank if value < 0 else value

    # --- nodes ---

    def emit(
        self,
        op_type: str,
        inputs: Sequence[Val | None],
        role: str | None = None,
        *,
        elem: Attribute | None = None,
        **attrs: Any,
    ) -> Val:
        """A node of one result; attributes that are None are left out."""
        return self.graph.emit(op_type, inputs, attrs, elem=elem, role=role)[0]

    def emit_all(
        self,
        op_type: str,
        inputs: Sequence[Val | None],
        count: int,
        attrs: Mapping[str, Any] | None = None,
        *,
        elem: Attribute | None = None,
    ) -> list[Val]:
        """A node of several results."""
        return self.graph.emit(op_type, inputs, attrs, count=count, elem=elem)

    def constant(self, value: Any, role: str, elem: Attribute | None = None) -> Held:
        """A helper constant; int64 for integers unless `elem` says otherwise."""
        import numpy as np

        from ge_dialect.dtypes import numpy_dtype

        array = np.asarray(value)
        if elem is None:
            elem = to_xdsl("int64") if array.dtype.kind in "iu" or not array.size else None
        if elem is None:
            elem = to_xdsl("bool" if array.dtype.kind == "b" else "float32")
        array = array.astype(numpy_dtype(elem))
        return self.graph.constant(elem, array.shape, lambda: array, f"{self.name}_{role}")

    def like(self, value: float, x: Val, role: str) -> Held:
        """A scalar of the element type of `x`."""
        return self.constant(value, role, x.elem)

    def cast(self, value: Val, dtype: str | Attribute) -> Val:
        """A value as another element type."""
        return self.graph.cast(value, to_xdsl(dtype) if isinstance(dtype, str) else dtype)

    def int64(self, index: int) -> Val:
        """An input as int64, which ONNX wants for sizes and axes."""
        return self.cast(self.x(index), "int64")

    def vector(self, index: int) -> Val:
        """An input of one element as an int64 vector."""
        value = self.int64(index)
        return value if self.shape(index) == (1,) else self.reshape(value, [1], "Vector")

    def reshape(self, value: Val, shape: Sequence[int], role: str = "Reshape") -> Val:
        """A value in another shape (one -1 allowed; a 0 copies)."""
        if (
            isinstance(value, Held)
            and value.weight is None
            and 0 not in shape
            and 0 not in value.shape
        ):
            old, dims = value, tuple(shape)
            array = old.array().reshape(dims)
            return self.graph.constant(old.elem, array.shape, lambda: array, f"{old.base}_{role}")
        return self.emit("Reshape", [value, self.constant(list(shape), f"{role}_shape")], role)

    def scalar(self, index: int) -> Val:
        """An input of one element as a scalar."""
        return (
            self.x(index) if self.shape(index) == () else self.reshape(self.x(index), [], "Scalar")
        )

    def unsqueeze(self, value: Val, axes: Sequence[int], role: str = "Unsqueeze") -> Val:
        """A value with dims of one put in."""
        return self.emit("Unsqueeze", [value, self.constant(list(axes), f"{role}_axes")], role)

    def squeeze(self, value: Val, axes: Sequence[int], role: str = "Squeeze") -> Val:
        """A value with dims of one taken out."""
        return self.emit("Squeeze", [value, self.constant(list(axes), f"{role}_axes")], role)

    def transpose(self, value: Val, perm: Sequence[int], role: str = "Transpose") -> Val:
        """A value with its axes in another order; itself where they stay."""
        if list(perm) == list(range(len(perm))):
            return value
        return self.emit("Transpose", [value], role, perm=list(perm))

    def slice(
        self, value: Val, start: int, end: int, axis: int, role: str = "Slice", step: int = 1
    ) -> Val:
        """A range of one axis."""
        parts = [(start, "starts"), (end, "ends"), (axis, "axes"), (step, "steps")]
        return self.emit(
            "Slice", [value, *(self.constant([v], f"{role}_{n}") for v, n in parts)], role
        )

    def binary(self, op_type: str, a: Val, b: Val | float, role: str | None = None) -> Val:
        """Add, Sub, Mul, Div … of two values, the second of which may be a number."""
        right = b if isinstance(b, Val) else self.like(b, a, (role or op_type).lower())
        return self.emit(op_type, [a, right], role)

    def reduce(
        self, op_type: str, x: Val, axes: Sequence[int], keep: bool, role: str | None = None
    ) -> Val:
        """A reduction over known axes; x itself where there are none."""
        if not axes:
            return x
        where = self.constant(list(axes), f"{role or 'reduce'}_axes")
        return self.emit(op_type, [x, where], role, keepdims=int(keep))

    def body(self, region: Region, arguments: Sequence[Val], graph: GraphWriter) -> list[Val]:
        """Write a body into `graph`; the values of its outputs."""
        return graph.block(region.block, arguments)


# --- writing ---------------------------------------------------------------------------------


def write_node(graph: GraphWriter, op: Operation) -> None:
    """Write one node through its rule; refusals are collected, never raised."""
    shared = graph.shared
    if not isinstance(op, GeOp):
        shared.refuse("GX-360", op.name, "is no operator of GE", op.name)
        return
    name = node_name(op) or op.ge_type
    if op.ge_control_operands:
        shared.dropped += 1
    if op.ge_type == "Const" or op.ge_type == "Constant":
        _write_constant(graph, op, name)
        return
    start = len(graph.nodes)
    results = _run(graph, op, name)
    if results is None:
        for r in op.ge_data_results:
            graph.values[r] = Val(elem_of(r.type) if is_tensor(r.type) else to_xdsl("float32"))
        return
    _bind(graph, op, name, results, start)


def _run(graph: GraphWriter, op: GeOp, name: str) -> list[Val | None] | None:
    shared, op_type = graph.shared, op.ge_type
    if any(isinstance(v.type, RefType) for v in (*op.ge_data_operands, *op.ge_data_results)):
        shared.refuse("GX-360", op_type, "holds or changes state", name, _STATE)
        return None
    rule = find_export(op_type)
    if rule is None:
        shared.refuse("GX-360", op_type, "has no counterpart in ONNX", name)
        return None
    try:
        made = rule(Out(graph, op, name))
    except NoCounterpart as error:
        shared.refuse("GX-361", op_type, error.reason, name, error.hint)
        return None
    except GeError as error:
        for d in error.diagnostics:
            shared.refuse(d.code, op_type, d.message, name, d.hint)
        return None
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        why = _misfit(op)
        if why is None and is_foreign(rule):
            why = f"the rule is at fault: {fault(error)}"
        if why is None:
            raise
        shared.refuse("GX-361", op_type, why, name)
        return None
    return [made] if isinstance(made, Val) else list(made)


def _misfit(op: GeOp) -> str | None:
    """Why a node's attributes and inputs do not fit each other, None where they do."""
    try:
        infer_op(op)
    except InferError as error:
        found = "" if error.found is None else f": {error.found}"
        return f"does not fit its inputs: {error.message}{found}"
    return None


def _bind(
    graph: GraphWriter, op: GeOp, name: str, results: Sequence[Val | None], start: int
) -> None:
    """Give results their types and names, and the new nodes theirs."""
    shared = graph.shared
    fresh = {id(v) for n in graph.nodes[start:] for v in n.outputs}
    for i, result in enumerate(op.ge_data_results):
        value = results[i] if i < len(results) else None
        if value is None:
            if result.uses:
                shared.refuse("GX-361", op.ge_type, f"its result {i} has no counterpart", name)
            graph.values[result] = Val(elem_of(result.type))
            continue
        if value.elem != elem_of(result.type):
            value = graph.cast(value, elem_of(result.type))
            fresh.add(id(value))
        graph.values[result] = value
        if value.name is None and id(value) in fresh:
            wanted = graph.wanted.get(result)
            value.name = wanted or shared.value_name(name if i == 0 else f"{name}_{i}")
    main = results[0] if results else None
    if main is not None and op.ge_data_results:
        main = graph.values[op.ge_data_results[0]]
    for made in graph.nodes[start:]:
        if not made.name:
            is_main = any(v is main for v in made.outputs)
            made.name = shared.node_name(name if is_main else f"{name}_{made.role}")
        _name_outputs(graph, made)


def _name_outputs(graph: GraphWriter, made: Made) -> None:
    for i, value in enumerate(made.outputs):
        if value.name is None:
            value.name = graph.shared.value_name(made.name if i == 0 else f"{made.name}_{i}")


def _write_constant(graph: GraphWriter, op: GeOp, name: str) -> None:
    """A constant by its node's name; a plain weight stays where it is."""
    (result,) = op.ge_data_results
    value = op.properties["value"]
    elem, shape = elem_of(result.type), shape_of(result.type) or ()
    store = graph.shared.store
    if isinstance(value, WeightAttr):
        if value.abstract:
            graph.shared.refuse(
                "GX-305", op.ge_type, "is abstract: it has a type and no bytes", name
            )
        term = parse_recipe(value.expr)
        weight = term.name if isinstance(term, Ref) and term.name in store else None
        graph.values[result] = graph.constant(
            elem, shape, lambda: _resolved(value, store), name, weight
        )
    elif isinstance(value, DenseIntOrFPElementsAttr):
        from ge_dialect.ir.dense import dense_to_numpy

        graph.values[result] = graph.constant(elem, shape, lambda: dense_to_numpy(value), name)
    else:
        graph.shared.refuse("GX-361", op.ge_type, "its value is of another kind", name)
        graph.values[result] = Val(elem)


def _resolved(value: WeightAttr, store: Any) -> np.ndarray:
    from ge_dialect.weights.resolve import resolve

    return resolve(value, store)
