"""What an operator's rule sees of its node, and the driver that asks the rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING, Any, NoReturn

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IntegerType
from xdsl.ir import Attribute, OpResult, SSAValue

from ge_dialect.dtypes import ge_name
from ge_dialect.infer.dims import refine, show
from ge_dialect.infer.errors import ATTR, DTYPE, SHAPE, InferError
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.types import CtrlType, RefType, elem_of, shape_of, tensor_type, tensor_under
from ge_dialect.ir.verify_node import MAX_ELEMENTS

if TYPE_CHECKING:
    import numpy as np

Slot = Attribute | None | Sequence[Attribute]
OpClass = type[GeOp]
ConstOf = Callable[[SSAValue], "np.ndarray[Any, Any] | None"]
_UNSET: Any = object()


# `type` is a method of the class below, so annotations there say OpClass
class InferNode:
    """One node as its rule sees it: types per declared input, attributes, constants, sub-graphs.

    Shapes are logical, -1 is an unknown dim and None an unknown rank. Refs are looked through:
    the shape and dtype of a ref input are those of its tensor.
    """

    __slots__ = ("_attrs", "_const", "_inputs", "cls", "declared", "op")

    def __init__(
        self,
        cls: OpClass,
        inputs: Sequence[Slot],
        attrs: Mapping[str, Any] | None,
        const: Callable[[str], Any] | None,
        declared: Sequence[Attribute],
        op: GeOp | None,
    ) -> None:
        self.cls = cls
        self.op = op
        self.declared = declared
        """Result types recorded so far, control results excluded; empty for a new node."""
        self._inputs = inputs
        self._attrs = attrs
        self._const = const

    @classmethod
    def from_parts(
        cls,
        op_class: OpClass,
        input_types: Sequence[Slot],
        attrs: Mapping[str, Any],
        const_of: Callable[[str], Any] | None = None,
        declared: Sequence[Attribute] = (),
    ) -> InferNode:
        """A node that does not exist yet.

        input_types: per declared input a type, None where absent, a sequence for a dynamic one.
        attrs: Python values; what is missing takes its default. const_of: the known value of an
        input by name, as an array or a sequence of integers, None where unknown.
        """
        return cls(op_class, input_types, attrs, const_of, declared, None)

    # -------------------------------------------------------------------------------- inputs

    def _slot(self, name: str) -> Slot:
        return self._inputs[self.cls.ge_table().input_index(name)]

    def has(self, name: str) -> bool:
        """True where the input is connected."""
        slot = self._slot(name)
        return slot is not None and (isinstance(slot, Attribute) or len(slot) > 0)

    def type(self, name: str) -> Attribute | None:
        """Type of an input, None where it is not connected; the first of a dynamic one."""
        slot = self._slot(name)
        if isinstance(slot, list | tuple):
            return slot[0] if slot else None
        return slot  # pyright: ignore[reportReturnType]

    def types(self, name: str) -> tuple[Attribute, ...]:
        """Types of the values of any input."""
        slot = self._slot(name)
        if slot is None:
            return ()
        return (slot,) if isinstance(slot, Attribute) else tuple(slot)

    def shape(self, name: str) -> tuple[int, ...] | None:
        """Shape of an input, None where the rank is unknown or nothing is connected."""
        found = self.type(name)
        return None if found is None else shape_of(found)

    def shapes(self, name: str) -> list[tuple[int, ...] | None]:
        """Shapes of the values of a dynamic input."""
        return [shape_of(t) for t in self.types(name)]

    def elem(self, name: str) -> Attribute:
        """Element type of an input (of the first value of a dynamic one)."""
        found = self.type(name)
        if found is None:
            raise InferError(f"input {name} is not connected", expected="a tensor", code="GX-228")
        return elem_of(found)

    def logical(self, name: str) -> Attribute:
        """Tensor type of an input, without layout and without ref."""
        found = self.type(name)
        if found is None:
            raise InferError(f"input {name} is not connected", expected="a tensor", code="GX-228")
        return tensor_type(shape_of(found), elem_of(found))

    # ---------------------------------------------------------------------- attributes, values

    def attr(self, name: str) -> Any:
        """Python value of an attribute, its default where unset."""
        if self.op is not None:
            return self.op.ge_attr(name)
        assert self._attrs is not None
        value = self._attrs.get(name, _UNSET)
        spec = self.cls.ge_table().attrs[name]
        if value is _UNSET or value is None:
            if spec.required:
                raise InferError(
                    f"attribute {name} is required", expected=spec.kind.name, code="GX-228"
                )
            return None if spec.default is None else spec.kind.to_python(spec.default)
        if isinstance(value, Attribute):
            return spec.kind.to_python(value)
        try:
            return spec.kind.to_python(spec.kind.to_attr(value))
        except (TypeError, ValueError) as error:
            raise InferError(
                f"attribute {name} has the wrong kind: {error}", expected=spec.kind.name, code=ATTR
            ) from None

    def const(self, name: str) -> np.ndarray[Any, Any] | None:
        """Known value of an input as an array, None where unknown."""
        value = self._value(name)
        if value is None:
            return None
        import numpy as np

        return np.asarray(value)

    def ints(self, name: str) -> tuple[int, ...] | None:
        """Known value of an integer input, flattened (axes, shapes, sizes); None where unknown."""
        value = self._value(name)
        if value is None:
            return None
        if isinstance(value, tuple):
            return value
        if hasattr(value, "tolist"):
            value = value.ravel().tolist()
        elif not isinstance(value, Sequence):
            value = [value]
        return tuple([int(v) for v in value])

    def scalar(self, name: str) -> int | None:
        """Known value of an integer input of one element (an axis, a count); None where unknown.

        An error where the input has another number of elements.
        """
        shape = self.shape(name)
        if shape not in ((), (1,)) and shape is not None and -1 not in shape:
            self.fail(
                f"{name} must hold one value",
                found=f"shape {show(shape)}",
                expected="a scalar or one element",
                code=SHAPE,
            )
        value = self.ints(name)
        return value[0] if value else None

    def _value(self, name: str) -> Any:
        return None if self._const is None else self._const(name)

    def one_value(self, *names: str, any_rank: bool = False) -> None:
        """An error where an input is known to hold another number of values than one.

        any_rank: a dim of 1 may stand any number of times, not once at most.
        """
        for name in names:
            shape = self.shape(name)
            if shape is None:
                continue
            if (len(shape) > 1 and not any_rank) or any(d not in (1, -1) for d in shape):
                self.fail(
                    f"{name} must hold one value",
                    found=f"shape {show(shape)}",
                    expected="a scalar or one element",
                    code=SHAPE,
                )

    def vector_length(self, name: str) -> int | None:
        """Length of a one-dimensional input, None where unknown; an error for another rank.

        A scalar counts as one entry, as GE's shape inputs do.
        """
        shape = self.shape(name)
        if shape is None:
            return None
        if len(shape) > 1:
            self.fail(
                f"{name} must be one-dimensional",
                found=f"shape {show(shape)}",
                expected="rank 1",
                code="GX-220",
            )
        if not shape:
            return 1
        return None if shape[0] < 0 else shape[0]

    # ------------------------------------------------------------------------ results, bodies

    def body_results(self, index: int) -> tuple[Attribute, ...] | None:
        """Types that body `index` hands to its NetOutput; None for a new node or an open body."""
        if self.op is None or index >= len(self.op.regions):
            return None
        region = self.op.regions[index]
        block = region.blocks[0] if region.blocks else None
        last = block.last_op if block is not None else None
        if last is None or last.name != "ge.NetOutput":
            return None
        return tuple([v.type for v in last.operands if not isinstance(v.type, CtrlType)])

    def fail(
        self,
        message: str,
        *,
        found: object = None,
        expected: object = None,
        code: str = ATTR,
    ) -> NoReturn:
        """Refuse the node with one diagnostic."""
        raise InferError(message, found=found, expected=expected, code=code)


# ------------------------------------------------------------------------------------- driver


def known_ints(value: SSAValue, depth: int = 8) -> Any:
    """Integers a value is known to hold without any analysis: a tuple, an array, or None.

    Looks through Identity and Cast-free paths as GE does: Const, Shape and Size of a tensor whose
    shape is known. Never touches weight bytes.
    """
    while depth and isinstance(value, OpResult):
        op = value.op
        if op.name in ("ge.Const", "ge.Constant"):
            held = op.properties.get("value")
            if not isinstance(held, DenseIntOrFPElementsAttr):
                return None
            if isinstance(held.get_element_type(), IntegerType):
                return tuple([int(v) for v in held.get_values()])
            from ge_dialect.ir.dense import dense_to_numpy

            return dense_to_numpy(held)
        if op.name == "ge.Shape":
            shape = shape_of(op.operands[0].type)
            return None if shape is None or -1 in shape else shape
        if op.name not in ("ge.Identity", "ge.Reinterpret") or not op.operands:
            return None
        if elem_of(op.operands[0].type) != elem_of(value.type):
            return None  # the same bytes are other numbers
        value = op.operands[0]
        depth -= 1
    return None


def node_of(op: GeOp, const_of: ConstOf | None = None) -> InferNode:
    """The view of an existing node.

    const_of: known value of an SSA value as an array, None where unknown; by default only
    constants in the text are known (`known_ints`).
    """
    cls = type(op)
    args = op.ge_args()
    inputs: list[Slot] = [
        None if a is None else [v.type for v in a] if isinstance(a, list) else a.type for a in args
    ]

    def const(name: str) -> Any:
        arg = args[cls.ge_table().input_index(name)]
        if arg is None or isinstance(arg, list):
            return None
        if const_of is not None:
            found = const_of(arg)
            if found is not None:
                return found
        return known_ints(arg)

    return InferNode(cls, inputs, None, const, [r.type for r in op.ge_data_results], op)


def infer_op(op: GeOp, const_of: ConstOf | None = None) -> list[Attribute]:
    """Result types of a node by its operator's rule, logical and without layout.

    Raises InferError where the rule refuses the inputs or attributes, and for a result of more
    elements than there can be.
    """
    n = node_of(op, const_of)
    types = list(op.ge_infer(n))
    for i, type_ in enumerate(types):
        held = tensor_under(type_)
        dims = None if held is None else shape_of(held)
        if dims and prod(max(d, 1) for d in dims) > MAX_ELEMENTS:
            raise InferError(
                f"result {i} would be larger than any tensor",
                found=show(dims),
                expected="at most 2^59 elements",
                code="GX-204",
            )
    return types


def infer_parts(
    op_class: OpClass,
    input_types: Sequence[Slot],
    attrs: Mapping[str, Any],
    const_of: Callable[[str], Any] | None = None,
) -> list[Attribute]:
    """Result types of a node that does not exist yet; see `InferNode.from_parts`."""
    return list(op_class.ge_infer(InferNode.from_parts(op_class, input_types, attrs, const_of)))


def check_op(op: GeOp, const_of: ConstOf | None = None) -> list[InferError]:
    """What is wrong with a node's declared result types, by its operator's rule.

    A declared type may know more or less than the rule; it must not contradict it.
    """
    try:
        inferred = infer_op(op, const_of)
    except InferError as error:
        return [error]
    declared = [r.type for r in op.ge_data_results]
    if len(inferred) != len(declared):
        return [
            InferError(
                "the number of results does not fit",
                found=len(declared),
                expected=len(inferred),
                code="GX-226",
            )
        ]
    out: list[InferError] = []
    for i, (want, have) in enumerate(zip(inferred, declared, strict=True)):
        if want is have:
            continue
        if isinstance(want, RefType) != isinstance(have, RefType):
            out.append(
                InferError(f"result {i} has the wrong type", found=have, expected=want, code=DTYPE)
            )
            continue
        if elem_of(want) != elem_of(have):
            out.append(
                InferError(
                    f"result {i} has the wrong dtype",
                    found=ge_name(elem_of(have)),
                    expected=ge_name(elem_of(want)),
                    code=DTYPE,
                )
            )
            continue
        try:
            refine(shape_of(want), shape_of(have))
        except InferError:
            out.append(
                InferError(
                    f"result {i} has the wrong shape",
                    found=show(shape_of(have)),
                    expected=show(shape_of(want)),
                    code=SHAPE,
                )
            )
    return out


__all__ = [
    "ConstOf",
    "InferError",
    "InferNode",
    "check_op",
    "infer_op",
    "infer_parts",
    "known_ints",
    "node_of",
]
