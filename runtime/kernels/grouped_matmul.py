"""Kernels of grouped, scaled and permuted products on ND: sums over the inner dim by einsum."""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from runtime.kernels.refusal import Refusal, refuse_where
from runtime.kernels.registry import Call, kernel
from runtime.kernels.views import logical, store, wide


def _operand(x: np.ndarray) -> np.ndarray:
    """Floats in float32 or wider; integers exact in int64."""
    return x.astype(np.int64) if x.dtype.kind in "iu" else wide(x)


def _turned(x: np.ndarray, flag: bool) -> np.ndarray:
    return np.moveaxis(x, -1, -2) if flag else x


def _sum(equation: str, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.einsum(equation, _operand(a), _operand(b))


def _save(view: Any, value: np.ndarray) -> None:
    store(view, value.astype(view.data.dtype))


@kernel("FullyConnection")
def fully_connection(call: Call) -> None:
    """One output at a time."""
    x, w, out = logical(call.arg(0)), logical(call.arg(1)), call.outs[0]
    axis, count = int(call.attrs["axis"]), int(call.attrs["num_output"])
    rows = _operand(x).reshape(*x.shape[:axis], int(np.prod(x.shape[axis:])))
    y = np.zeros(out.shape, rows.dtype)
    for n in range(count):
        weights = w[..., n] if call.attrs["transpose"] else w[n]
        y[..., n] = (rows * _operand(weights).reshape(-1)).sum(axis=-1)
    bias = call.opt(2)
    _save(out, y if bias is None else y + _operand(logical(bias)).astype(y.dtype))


@kernel("GEMM")
def gemm(call: Call) -> None:
    """The addend first, then the product."""
    a, b, c = (logical(call.arg(i)) for i in range(3))
    alpha, beta = (_operand(call.arg(i).data.reshape(-1)[:1])[0] for i in (3, 4))
    left = "km" if call.attrs["transpose_a"] else "mk"
    right = "nk" if call.attrs["transpose_b"] else "kn"
    product = _sum(f"{left},{right}->mn", a, b)
    _save(call.outs[0], _operand(c) * beta + product * alpha)


@kernel("TransposeBatchMatMul")
def transpose_batch_mat_mul(call: Call) -> None:
    """Permutations as letters of one equation."""
    message = "the quantised form is not evaluated"
    refuse_where(call.opt(3) is not None, message, found="scale", expected="not connected")
    attrs = call.attrs

    def letters(perm: Any, names: str) -> str:
        # the axis that comes to place i is perm[i]
        return "".join(names[list(perm).index(i)] for i in range(3)) if perm else names

    first, second = letters(attrs["perm_x1"], "bmk"), letters(attrs["perm_x2"], "bkn")
    y = _sum(f"{first},{second}->bmn", logical(call.arg(0)), logical(call.arg(1)))
    if call.opt(2) is not None:
        y = y + _operand(logical(call.arg(2)))
    if attrs["perm_y"]:
        y = np.einsum("bmn->" + "".join("bmn"[p] for p in attrs["perm_y"]), y)
    factor = attrs["batch_split_factor"]
    if factor > 1:
        parts = np.split(y, factor, axis=1)
        y = np.stack([p.reshape(len(p), -1) for p in parts])
    _save(call.outs[0], y)


@kernel("GroupedMatmul")
def grouped_matmul(call: Call) -> None:
    """Groups as ranges of rows, or of the inner dim."""
    attrs = call.attrs
    extra = [call.many(i) for i in range(3, 7)]
    other = any(extra) or call.opt(8) is not None or attrs["act_type"]
    message = "quantised forms and activations are not evaluated"
    refuse_where(other, message, expected="plain products")
    xs = [_turned(logical(v), attrs["transpose_x"]) for v in call.many(0)]
    ws = [_turned(logical(v), attrs["transpose_weight"]) for v in call.many(1)]
    biases = [_operand(logical(v)) for v in call.many(2)]
    if attrs["group_type"] == -1:
        pairs = list(zip(xs, ws, strict=True))
    else:
        ends = call.ints(7)
        if attrs["group_list_type"] == 1:
            ends = list(accumulate(ends))
        sizes = [b - a for a, b in pairwise([0, *ends])]
        whole = xs[0].shape[int(attrs["group_type"] == 2)]
        if min(sizes, default=0) < 0 or sum(sizes) > whole:
            message, expected = "group_list does not cut the axis", f"up to {whole}"
            raise Refusal(message, found=sizes, expected=expected)
        starts = [0, *ends[:-1]]
        if attrs["group_type"] == 2:
            value = np.zeros(call.outs[0].shape, _operand(xs[0]).dtype)
            for g, (a, e) in enumerate(zip(starts, ends, strict=True)):
                value[g] = _sum("mk,kn->mn", xs[0][:, a:e], ws[0][a:e])
            _save(call.outs[0], value)
            return
        each = list(ws[0]) if len(ws) == 1 and ws[0].ndim == 3 else ws
        pairs = [(xs[0][a:e], w) for a, e, w in zip(starts, ends, each, strict=True)]
    products = []
    for i, (x, w) in enumerate(pairs):
        y = _sum("...k,kn->...n", x, w)
        if biases:
            alone = len(biases) == 1 and len(pairs) != 1
            y = y + (biases[0][i] if alone else biases[i]).astype(y.dtype)
        products.append(y)
    if attrs["split_item"] in (0, 1):
        for view, y in zip(call.outs, products, strict=True):
            _save(view, y)
        return
    value = np.zeros(call.outs[0].shape, _operand(xs[0]).dtype)
    row = 0
    for y in products:
        value[row : row + len(y)] = y
        row += len(y)
    _save(call.outs[0], value)
