"""Shapes that travel as values: integer tensors whose elements are expressions.

Operators that only move elements are run on numbers that stand for the elements, by their golden
functions; integer arithmetic is done on the expressions.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import OpResult, SSAValue

from ge_dialect.ir.base import GeOp
from ge_dialect.ir.narrow import is_integer_type
from ge_dialect.ir.types import elem_of, is_tensor
from passes.shapes.expr import Expr, as_expr, constant
from passes.values import CONST_OPS, MAX_COMPUTED, KnownValues, folded, passed_value

if TYPE_CHECKING:
    from passes.shapes.tracker import Tracker

_THROUGH = frozenset({"ge.Identity", "ge.Reinterpret", "ge.Data", "ge.TransData", "ge.Cast"})
_NARROWEST = 32  # bits that a size is taken to fit in
_VIEWS = frozenset({"ge.Reshape", "ge.Unsqueeze", "ge.Squeeze", "ge.ExpandDims", "ge.FlattenV2"})
#: Operators that move elements: name -> inputs that hold them; the others must be known.
_MOVES: dict[str, tuple[str, ...]] = {
    "ge.BroadcastTo": ("x",),
    "ge.Concat": ("x",),
    "ge.ConcatD": ("x",),
    "ge.ConcatV2": ("x",),
    "ge.ConcatV2D": ("x",),
    "ge.Expand": ("x",),
    "ge.Fill": ("value",),
    "ge.Gather": ("x",),
    "ge.GatherV2": ("x",),
    "ge.GatherV2D": ("x",),
    "ge.GatherElements": ("x",),
    "ge.Pack": ("x",),
    "ge.ReverseV2": ("x",),
    "ge.ReverseV2D": ("x",),
    "ge.Slice": ("x",),
    "ge.SliceD": ("x",),
    "ge.Split": ("x",),
    "ge.SplitD": ("x",),
    "ge.SplitV": ("x",),
    "ge.SplitVD": ("x",),
    "ge.StridedSlice": ("x",),
    "ge.StridedSliceD": ("x",),
    "ge.StridedSliceV2": ("x",),
    "ge.Tile": ("x",),
    "ge.TileD": ("x",),
    "ge.Transpose": ("x",),
    "ge.TransposeD": ("x",),
    "ge.Unpack": ("x",),
    "ge.Select": ("x1", "x2"),
    "ge.SelectV2": ("then", "else"),
}
_REDUCTIONS = {
    "ge.ReduceProd": "*",
    "ge.ReduceProdD": "*",
    "ge.ReduceSum": "+",
    "ge.ReduceSumD": "+",
}
#: Values that ask for each other, at most; longer chains are gone through from their start.
_DEEP = 50
#: What stands for elements begins here: large numbers that no size is mistaken for.
_FIRST_ID = 1 << 20


class ShapeData:
    """Known values of small integer tensors, as arrays of `Expr`."""

    def __init__(self, tracker: Tracker, known: KnownValues) -> None:
        self._tracker = tracker
        self._known = known
        self._memo: dict[SSAValue, Any] = {}
        self._depth = 0

    def constants(self, value: SSAValue) -> Any:
        """The value as an array of numbers where it does not depend on a symbol."""
        found = self._known.array(value)
        if found is not None:
            return found
        return self._numbers(value)

    def _numbers(self, value: SSAValue) -> Any:
        import numpy as np

        held = self.array(value)
        if held is None:
            return None
        numbers = [e.value for e in held.ravel().tolist()]
        if None in numbers:
            return None
        from ge_dialect.dtypes import numpy_dtype

        return np.array(numbers, numpy_dtype(elem_of(value.type))).reshape(held.shape)

    def array(self, value: SSAValue) -> Any:
        """The value as an object array of `Expr`; None where it is not known."""
        if value in self._memo:
            return self._memo[value]
        if self._depth == _DEEP:
            self._from_the_start(value)
        if value in self._memo:
            return self._memo[value]
        self._memo[value] = None  # what asks for itself is not known
        self._depth += 1
        try:
            found = self._memo[value] = self._array(value)
        finally:
            self._depth -= 1
        return found

    def _from_the_start(self, value: SSAValue) -> None:
        """Find out a value at the end of a long chain, its makers first: each one asking for the
        one before would be too deep for Python."""
        depth, self._depth = self._depth, 0
        seen: set[SSAValue] = set()
        stack = [value]
        while stack:
            last = stack[-1]
            if last in seen or last in self._memo:
                stack.pop()
                self.array(last)
                continue
            seen.add(last)
            stack += _asked(last)
        self._depth = depth

    def forget(self, values: list[SSAValue]) -> None:
        """Drop what is remembered of values that are looked at again."""
        for value in values:
            self._memo.pop(value, None)

    def _array(self, value: SSAValue) -> Any:
        if not is_tensor(value.type) or not isinstance(elem_of(value.type), IntegerType):
            return None
        if not isinstance(value, OpResult):
            outer = passed_value(value)
            return None if outer is None else self.array(outer)
        op: Any = value.op
        name = op.name
        if name in CONST_OPS:
            return _exprs(self._known.array(value))
        if name in ("ge.Shape", "ge.ShapeN", "ge.Size", "ge.Rank"):
            return self._of_shape(op, value)
        if name in _THROUGH or name in _VIEWS:
            elem = elem_of(value.type)
            if name == "ge.Cast" and is_integer_type(elem) and elem.width.data < _NARROWEST:
                return None
            if name == "ge.Reinterpret" and elem_of(op.operands[0].type) != elem_of(value.type):
                return None
            held = self.array(op.operands[0])
            return held if held is None or name in _THROUGH else self._viewed(held, value)
        shape = self._tracker.fixed_shape(value)
        count = 1
        for d in shape or ():
            count *= d
        if shape is None or count > MAX_COMPUTED:
            return None
        if name in _MOVES:
            return self._moved(op, value)
        if name in _REDUCTIONS:
            return self._reduced(op, _REDUCTIONS[name], shape)
        function = _ELEMENTWISE.get(name)
        if function is None:
            return None
        args = [self.array(v) for v in op.ge_data_operands]
        if any(a is None for a in args):
            return None
        return self._elementwise(function, args)

    def _elementwise(self, function: Callable[..., Any], args: list[Any]) -> Any:
        import numpy as np

        arrays = np.broadcast_arrays(*args)
        out = np.empty(arrays[0].shape, object)
        for i in np.ndindex(out.shape):
            found = function(self._tracker, *[a[i] for a in arrays])
            if found is None or as_expr(found).is_long:
                return None
            out[i] = as_expr(found)
        return out

    def _viewed(self, held: Any, value: SSAValue) -> Any:
        shape = self._tracker.fixed_shape(value)
        return None if shape is None or held.size != _count(shape) else held.reshape(shape)

    def _of_shape(self, op: Any, value: OpResult) -> Any:
        import numpy as np

        dims = self._tracker.shape(op.operands[value.index if op.name == "ge.ShapeN" else 0])
        if dims is None:
            return None
        if op.name == "ge.Rank":
            return _exprs(np.asarray(len(dims)))
        if op.name == "ge.Size":
            total = constant(1)
            for d in dims:
                total = total * d
                if total.is_long:
                    return None
            out = np.empty((), object)
            out[()] = total
            return out
        out = np.empty(len(dims), object)
        out[:] = dims
        return out

    def _moved(self, op: GeOp, value: OpResult) -> Any:
        import numpy as np

        from ge_dialect.dtypes import numpy_dtype

        pool: list[Expr] = []
        fresh = itertools.count(_FIRST_ID)
        dtype = numpy_dtype(elem_of(value.type))
        if dtype.itemsize < 4:
            return None

        def stand_in(v: SSAValue) -> Any:
            held = self.array(v)
            if held is None:
                return None
            ids = np.empty(held.shape, dtype)
            for i in np.ndindex(held.shape):
                ids[i] = next(fresh)
                pool.append(held[i])
            return ids

        args: list[Any] = []
        for spec, arg in zip(op.__class__.ge_table().inputs, op.ge_args(), strict=True):
            ask = stand_in if spec.name in _MOVES[op.name] else self.constants
            if arg is None:
                args.append(None)
                continue
            got = [ask(v) for v in (arg if isinstance(arg, list) else [arg])]
            if any(g is None for g in got):
                return None
            args.append(got if isinstance(arg, list) else got[0])
        results = folded(op, args)
        if results is None:
            return None
        ids = results[value.index]
        out = np.empty(ids.shape, object)
        for i in np.ndindex(ids.shape):
            place = int(ids[i]) - _FIRST_ID
            if not 0 <= place < len(pool):
                return None
            out[i] = pool[place]
        return out

    def _reduced(self, op: Any, sign: str, shape: tuple[int, ...]) -> Any:
        import numpy as np

        held = self.array(op.operands[0])
        if held is None or held.ndim > 1 or _count(shape) != 1 or held.size == 0:
            return None
        total = held.ravel()[0]
        for e in held.ravel()[1:]:
            total = total * e if sign == "*" else total + e
            if total.is_long:
                return None
        out = np.empty(shape, object)
        out.fill(total)
        return out


def _asked(value: SSAValue) -> list[SSAValue]:
    """The integers that a value is made of."""
    if not isinstance(value, OpResult):
        outer = passed_value(value)
        return [] if outer is None else [outer]
    if not isinstance(value.op, GeOp):
        return []
    return [
        v
        for v in value.op.ge_data_operands
        if is_tensor(v.type) and isinstance(elem_of(v.type), IntegerType)
    ]


def _count(shape: tuple[int, ...]) -> int:
    n = 1
    for d in shape:
        n *= d
    return n


def _exprs(array: Any) -> Any:
    """Numbers as an array of constants; None for what is too large to be a shape."""
    import numpy as np

    if array is None or array.size > MAX_COMPUTED or array.dtype.kind not in "iub":
        return None
    out = np.empty(array.shape, object)
    for i in np.ndindex(array.shape):
        out[i] = constant(int(array[i]))
    return out


def _quotient(t: Tracker, a: Expr, b: Expr) -> Expr | None:
    """Rounded down; the same as rounded to zero where both are positive."""
    return a // b if t.range_of(a)[0] >= 0 and t.range_of(b)[0] > 0 else None


def _remainder(t: Tracker, a: Expr, b: Expr) -> Expr | None:
    q = _quotient(t, a, b)
    return None if q is None else a - q * b


def _negated(_: Tracker, a: Expr) -> Expr:
    return -a


def _compare(low: int, zero: bool, high: bool) -> _OfTwo:
    """The comparison that holds for a < b, a == b, a > b as given."""
    answers = {-1: bool(low), 0: zero, 1: high}

    def compare(t: Tracker, a: Expr, b: Expr) -> bool | None:
        first, last = t.range_of(a - b)
        signs = {s for s, on in ((-1, first < 0), (0, first <= 0 <= last), (1, last > 0)) if on}
        found = {answers[s] for s in signs}
        return found.pop() if len(found) == 1 else None

    return compare


_OfTwo: TypeAlias = "Callable[[Tracker, Expr, Expr], Expr | bool | None]"
_BINARY: dict[str, _OfTwo] = {
    "ge.Add": lambda t, a, b: a + b,
    "ge.AddV2": lambda t, a, b: a + b,
    "ge.Sub": lambda t, a, b: a - b,
    "ge.Mul": lambda t, a, b: a * b,
    "ge.Maximum": lambda t, a, b: t.maximum(a, b),
    "ge.Minimum": lambda t, a, b: t.minimum(a, b),
    "ge.Div": _quotient,
    "ge.FloorDiv": _quotient,
    "ge.TruncateDiv": _quotient,
    "ge.FloorMod": _remainder,
    "ge.Mod": _remainder,
    "ge.Equal": _compare(False, True, False),
    "ge.NotEqual": _compare(True, False, True),
    "ge.Less": _compare(True, False, False),
    "ge.LessEqual": _compare(True, True, False),
    "ge.Greater": _compare(False, False, True),
    "ge.GreaterEqual": _compare(False, True, True),
}
_ELEMENTWISE: dict[str, Callable[..., Expr | bool | None]] = {
    "ge.Neg": _negated,
    **_BINARY,
}
