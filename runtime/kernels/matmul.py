"""Matrix product kernels on ND."""

from __future__ import annotations

import numpy as np

from runtime.kernels.conv import accumulator, wrapped
from runtime.kernels.refusal import need_absent
from runtime.kernels.registry import Call, View, kernel
from runtime.kernels.views import is_whole, logical, store


def _operand(view: View, transpose: bool, dtype: np.dtype) -> np.ndarray:
    value = logical(view)
    if value.dtype != dtype:
        value = value.astype(dtype)
    return np.swapaxes(value, -1, -2) if transpose else value


def _product(call: Call, first: str, second: str) -> None:
    x1, x2, y = call.arg(0), call.arg(1), call.outs[0]
    need_absent(call.opt(3), "offset_w")
    dtype = accumulator(x1.data.dtype)
    a = _operand(x1, bool(call.attrs.get(first)), dtype)
    transpose = bool(call.attrs.get(second))
    if 1 in call.constant and x2.data.dtype != dtype:
        if "x2" not in call.cache:
            call.cache["x2"] = _operand(x2, transpose, dtype)
        b = call.cache["x2"]
    else:
        b = _operand(x2, transpose, dtype)
    bias = call.opt(2)
    if (
        bias is None
        and not call.attrs.get("offset_x")
        and y.data.dtype == dtype
        and y.layout is None
    ):
        np.matmul(a, b, out=y.data.reshape(y.shape))
        return
    offset = int(call.attrs.get("offset_x") or 0) if is_whole(x1.data.dtype) else 0
    result = np.matmul(a - offset, b)
    if bias is not None:
        result = result + logical(bias).astype(dtype)
    store(y, wrapped(result, y.data.dtype))


@kernel("MatMul", "MatMulV2", "MatMulV3")
def matmul(call: Call) -> None:
    """x1 @ x2 + bias, accumulated in float32 (16-bit floats) or exactly (integers)."""
    _product(call, "transpose_x1", "transpose_x2")


@kernel("BatchMatMul", "BatchMatMulV2", "BatchMatMulV3")
def batch_matmul(call: Call) -> None:
    """Matrix product of the last two axes, the others broadcast."""
    _product(call, "adj_x1", "adj_x2")
