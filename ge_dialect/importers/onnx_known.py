"""What is known of a value at import: constants and the small integer arithmetic of shapes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import OpResult, SSAValue

from ge_dialect.ir.base import GeOp
from ge_dialect.ir.types import elem_of, shape_of

if TYPE_CHECKING:
    import numpy as np

#: Larger results are not computed at import; they do not decide a structure.
_LIMIT = 4096
#: Operators that shape arithmetic consists of.
_FOLDABLE = frozenset(
    (
        "Add Sub Mul FloorDiv TruncateDiv RealDiv Mod FloorMod Maximum Minimum Neg Abs Cast "
        "Identity ConcatD Concat GatherV2 Gather Squeeze Unsqueeze Reshape SliceD Slice "
        "StridedSlice StridedSliceD Fill BroadcastTo Floor Ceil Equal NotEqual Greater Less "
        "GreaterEqual LessEqual SelectV2 LogicalAnd LogicalOr LogicalNot ReduceProd ReduceSum "
        "ReduceMax ReduceMin TransposeD Transpose SplitD SplitV Tile Pack Sqrt Round "
        "Range StridedSliceV2 GatherElements GatherNd ScatterElements TensorScatterUpdate Where "
        "NonZero ReverseV2 Cumsum OneHot ArgMaxV2 TopKV2 PadV3 ReduceAll ReduceAny"
    ).split()
)


def known_value(value: SSAValue, memo: dict[SSAValue, np.ndarray | None]) -> np.ndarray | None:
    """Contents of a value that follow from constants and known shapes, None where they do not."""
    stack = [value]
    while stack:
        top = stack[-1]
        if top in memo:
            stack.pop()
            continue
        if not isinstance(top, OpResult) or not isinstance(top.op, GeOp):
            memo[top] = None
            continue
        op = top.op
        direct = _direct(op)
        if direct is not None or op.ge_type not in _FOLDABLE or _too_large(op):
            for result in op.ge_data_results:
                memo[result] = direct
            memo.setdefault(top, None)
            continue
        waiting = [o for o in op.ge_data_operands if o not in memo]
        if waiting:
            stack.extend(waiting)
            continue
        _compute(op, memo)
    return memo[value]


def _direct(op: GeOp) -> np.ndarray | None:
    import numpy as np

    if op.ge_type in ("Const", "Constant"):
        held = op.properties.get("value")
        if isinstance(held, DenseIntOrFPElementsAttr):
            from ge_dialect.ir.dense import dense_to_numpy

            return dense_to_numpy(held)
        return None
    if op.ge_type in ("Shape", "Size"):
        shape = shape_of(op.ge_data_operands[0].type)
        if shape is None or -1 in shape:
            return None
        from ge_dialect.dtypes import numpy_dtype

        kind = numpy_dtype(elem_of(op.results[0].type))
        return np.array(shape if op.ge_type == "Shape" else math.prod(shape), dtype=kind)
    return None


def _too_large(op: GeOp) -> bool:
    for result in op.ge_data_results:
        shape = shape_of(result.type)
        if shape is not None and -1 not in shape and math.prod(shape) > _LIMIT:
            return True
    return False


def _compute(op: GeOp, memo: dict[SSAValue, np.ndarray | None]) -> None:
    results = list(op.ge_data_results)
    for result in results:
        memo[result] = None
    args = [memo[o] for o in op.ge_data_operands]
    if any(a is None or a.size > _LIMIT for a in args):
        return
    from ge_dialect.semantics.evaluator import fold_op

    grouped: list[object] = []
    for arg in op.ge_args():
        if isinstance(arg, list):
            grouped.append([memo[v] for v in arg])
        else:
            grouped.append(None if arg is None else memo[arg])
    try:
        values = fold_op(op, grouped)
    except Exception:  # an operator that cannot be folded is merely not known
        return
    for result, array in zip(results, values, strict=False):
        if array.size <= _LIMIT:
            memo[result] = array
