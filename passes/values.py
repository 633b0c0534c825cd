"""What is known of values at compile time: constants, shapes, and integer arithmetic on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation, OpResult, SSAValue

from ge_dialect.containers import is_list
from ge_dialect.diagnostics import GeError
from ge_dialect.ir.attributes import WeightAttr
from ge_dialect.ir.narrow import is_dense
from ge_dialect.ir.types import elem_of, num_elements, shape_of

if TYPE_CHECKING:
    import numpy as np
    from xdsl.ir import BlockArgument

    from ge_dialect.ir.base import GeOp

#: Weights with more elements are not read to find out a shape.
MAX_ELEMENTS = 4096
#: Results of evaluated integer arithmetic may have at most this many elements.
MAX_COMPUTED = 64
_MAX_DEPTH = 200

CONST_OPS = frozenset({"ge.Const", "ge.Constant"})
_THROUGH = frozenset({"ge.Identity", "ge.Reinterpret", "ge.Data", "ge.TransData"})
#: Operators of shape arithmetic, evaluated when all inputs are known integers.
_ARITHMETIC = frozenset(
    {
        f"ge.{name}"
        for name in (
            "Add", "BroadcastArgs", "Cast", "Concat", "ConcatD", "ConcatV2", "Div", "ExpandDims",
            "Fill", "FloorDiv", "FloorMod", "Gather", "GatherV2", "Maximum", "Minimum", "Mod",
            "Mul", "Neg", "Pack", "Range", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceProdD",
            "ReduceSum", "ReduceSumD", "Reshape", "Select", "SelectV2", "Slice", "SliceD", "Split",
            "Squeeze", "StridedSlice", "StridedSliceD", "Sub", "TruncateDiv", "Unpack",
            "Unsqueeze", "Equal", "Greater", "GreaterEqual", "Less", "LessEqual", "NotEqual",
        )
    }
)  # fmt: skip


class KnownValues:
    """Values known at compile time, found on demand and remembered.

    weights: the module's store, None, or a function that gives it when first needed. A remembered
    value stays right while types only become more precise and constants do not change.
    """

    def __init__(self, weights: Any = None) -> None:
        self._weights = weights
        self._memo: dict[SSAValue, Any] = {}
        # unknown values, by the depth they were met at: otherwise each would be looked at again
        # for every way that leads to it. They may become known when the graph changes
        self._unknown: dict[SSAValue, int] = {}
        self._changes: Callable[[], int] | None = None
        self._changes_seen: int | None = None
        # one of them was only too far to go: it may be nearer next time
        self._too_far = False

    def follow(self, changes: Callable[[], int]) -> None:
        """Remember between questions what is not known, as long as nothing changes.

        changes: gives the number of changes of the graph made so far.
        """
        self._changes = changes
        self._unknown.clear()

    def array(self, value: SSAValue) -> np.ndarray[Any, Any] | None:
        """The value as an array, None where it is not known."""
        changes = None if self._changes is None else self._changes()
        if changes is None or changes != self._changes_seen or self._too_far:
            self._unknown.clear()
            self._changes_seen = changes
            self._too_far = False
        return self._array(value, 0)

    def forget(self, value: SSAValue) -> None:
        """Drop what is remembered of one value."""
        self._memo.pop(value, None)

    def _array(self, value: SSAValue, depth: int) -> Any:
        found = self._memo.get(value)
        if found is not None:
            return found
        if depth > _MAX_DEPTH:
            self._too_far = True
            return None
        if self._unknown.get(value, depth + 1) <= depth:
            return None
        if isinstance(value, OpResult):
            found = self._of_result(value.op, value, depth)
        else:
            outer = passed_value(value)
            found = None if outer is None else self._array(outer, depth + 1)
        if found is None:
            self._unknown[value] = depth
        else:
            self._memo[value] = found
        return found

    def _of_result(self, op: Operation, value: OpResult, depth: int) -> Any:
        name = op.name
        if name in CONST_OPS:
            return constant_array(op, self._weights)
        if name in _THROUGH:
            return self._array(op.operands[0], depth + 1) if op.operands else None
        if name in ("ge.Shape", "ge.Size", "ge.Rank"):
            return shape_data(op)
        if name in _ARITHMETIC and isinstance(elem_of(value.type), IntegerType):
            return self._arithmetic(cast("GeOp", op), value, depth)
        return None

    def _arithmetic(self, op: GeOp, value: OpResult, depth: int) -> Any:
        count = num_elements(value.type)
        if count is not None and count > MAX_COMPUTED:
            return None
        args: list[Any] = []
        for arg in op.ge_args():
            if arg is None:
                args.append(None)
            elif isinstance(arg, list):
                args.append([self._array(v, depth + 1) for v in arg])
            else:
                args.append(self._array(arg, depth + 1))
        flat: list[Any] = [x for a in args for x in (a if is_list(a) else [a])]
        connected = op.ge_data_operands
        if sum(x is not None for x in flat) != len(connected):
            return None
        if any(x is not None and x.size > MAX_ELEMENTS for x in flat):
            return None
        results = folded(op, args)
        if results is None:
            return None
        found = results[value.index]
        return found if found.size <= MAX_COMPUTED else None


def folded(op: Any, args: Sequence[Any]) -> list[Any] | None:
    """Results of a node on known arrays, one entry per declared input; None where it refuses."""
    from ge_dialect.semantics import fold_op

    try:
        return fold_op(op, args)
    except (GeError, ArithmeticError, ValueError, IndexError, TypeError, KeyError):
        return None


def passed_value(arg: SSAValue) -> SSAValue | None:
    """What is passed for an argument of an If, Case or PartitionedCall graph; None elsewhere.

    The arguments of loops change from turn to turn and of a whole graph come from outside.
    """
    owner = arg.owner
    if isinstance(owner, Operation):
        return None
    parent = owner.parent_op()
    if parent is None:
        return None
    offset = {"ge.If": 1, "ge.StatelessIf": 1, "ge.Case": 1, "ge.StatelessCase": 1}.get(parent.name)
    if offset is None:
        if parent.name not in ("ge.PartitionedCall", "ge.StatefulPartitionedCall"):
            return None
        offset = 0
    index = offset + cast("BlockArgument", arg).index
    return parent.operands[index] if index < len(parent.operands) else None


def constant_array(op: Operation, weights: Any, limit: int = MAX_ELEMENTS) -> Any:
    """Value of a Const as an array; None for a weight that is abstract, absent or too large."""
    held = op.properties.get("value")
    if is_dense(held):
        from ge_dialect.ir.dense import dense_to_numpy

        return dense_to_numpy(held)
    if not isinstance(held, WeightAttr) or held.abstract:
        return None
    count = num_elements(op.results[0].type)
    if count is None or count > limit:
        return None
    store = opened(weights)
    if store is None:
        return None
    from ge_dialect.weights.resolve import resolve

    try:
        return resolve(held, store)
    except GeError:
        return None


def opened(weights: Any) -> Any:
    """The store itself where `weights` is a function that gives it."""
    return weights() if callable(weights) else weights


def shape_data(op: Operation) -> Any:
    """Result of Shape, Size or Rank where the input's type says enough, else None."""
    shape = shape_of(op.operands[0].type)
    if shape is None:
        return None
    if op.name == "ge.Rank":
        value: Any = len(shape)
    elif -1 in shape:
        return None
    elif op.name == "ge.Shape":
        value = shape
    else:
        value = 1
        for dim in shape:
            value *= dim
    import numpy as np

    from ge_dialect.dtypes import numpy_dtype

    return np.asarray(value, numpy_dtype(elem_of(op.results[0].type)))
