"""Golden meaning of grouped, scaled and permuted matrix products."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import Array, int_list, kind, matmul, scalar, widen
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]


def _turned(a: Array, flag: bool) -> Array:
    return a.swapaxes(-1, -2) if flag else a


def _plus(y: Array, bias: Any) -> Array:
    return y if bias is None else (y + widen(bias)).astype(y.dtype)


@semantics("BatchMatMulV3")
def batch_mat_mul_v3(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Products of the matrices in the last two axes."""
    x1, x2 = _turned(args[0], attrs["adj_x1"]), _turned(args[1], attrs["adj_x2"])
    return _plus(matmul(x1, x2), args[2])


@semantics("FullyConnection")
def fully_connection(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Rows of x times the rows of w."""
    x, w = args[:2]
    lead, inner = x.shape[: attrs["axis"]], int(np.prod(x.shape[attrs["axis"] :]))
    count = attrs["num_output"]
    matrix = w.reshape(inner, count) if attrs["transpose"] else w.reshape(count, inner).T
    return _plus(matmul(x.reshape(*lead, inner), matrix), args[2])


@semantics("GEMM")
def gemm(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """alpha · a · b + beta · c."""
    a, b, c = args[:3]
    alpha, beta = (
        scalar(widen(v), name, ctx) for v, name in ((args[3], "alpha"), (args[4], "beta"))
    )
    y = matmul(_turned(a, attrs["transpose_a"]), _turned(b, attrs["transpose_b"]))
    if kind(y.dtype) == "f":
        top = np.result_type(y.dtype, widen(c).dtype)
        return y.astype(top) * top.type(alpha) + widen(c).astype(top) * top.type(beta)
    return y * alpha + c.astype(np.int64) * beta


@semantics("TransposeBatchMatMul")
def transpose_batch_mat_mul(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """A product between permutations."""
    x1, x2, bias, scale = args
    if scale is not None:
        ctx.fail("the quantised form is not evaluated", found="scale", expected="not connected")

    def permuted(a: Array, perm: Sequence[int]) -> Array:
        return a.transpose(perm) if perm else a

    y = _plus(matmul(permuted(x1, attrs["perm_x1"]), permuted(x2, attrs["perm_x2"])), bias)
    y = permuted(y, attrs["perm_y"])
    factor = attrs["batch_split_factor"]
    if factor > 1:
        rows, batch, columns = y.shape
        y = y.reshape(rows, factor, batch // factor * columns).swapaxes(0, 1)
    return y


@semantics("GroupedMatmul")
def grouped_matmul(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
    """One product per pair, or per group of rows or of the inner dim."""
    xs, ws, biases, *quantised, groups, per_token = args
    if any(quantised) or per_token is not None or attrs["act_type"]:
        ctx.fail("quantised forms and activations are not evaluated", expected="plain products")
    single = attrs["split_item"] in (2, 3)
    out = ctx.out_dtype(0)
    xs = [_turned(x, attrs["transpose_x"]) for x in xs]
    if attrs["group_type"] == -1:
        products = [
            _product(x, w, _bias(biases, i, len(xs)), attrs)
            for i, (x, w) in enumerate(zip(xs, ws, strict=True))
        ]
        return (np.concatenate(products),) if single else tuple(products)
    sizes = _sizes(groups, xs[0].shape[0 if attrs["group_type"] == 0 else 1], attrs, ctx)
    starts = [sum(sizes[:i]) for i in range(len(sizes))]
    cuts = [slice(a, a + s) for a, s in zip(starts, sizes, strict=True)]
    if attrs["group_type"] == 2:
        w = _turned(ws[0], attrs["transpose_weight"])
        parts = [matmul(xs[0][:, c], w[c]) for c in cuts]
        empty = np.zeros((0, xs[0].shape[0], w.shape[1]), out)
        return (np.stack(parts) if parts else empty,)
    each = list(ws[0]) if len(ws) == 1 and ws[0].ndim == 3 else ws
    if len(each) != len(cuts):
        ctx.fail("there is not one weight per group", found=len(each), expected=len(cuts))
    products = [
        _product(xs[0][c], w, _bias(biases, i, len(cuts)), attrs)
        for i, (c, w) in enumerate(zip(cuts, each, strict=True))
    ]
    if not single:
        return tuple(products)
    left = len(xs[0]) - sum(sizes)
    columns = _turned(ws[0], attrs["transpose_weight"]).shape[-1]
    dtype = products[0].dtype if products else widen(xs[0]).dtype
    return (np.concatenate([*products, np.zeros((left, columns), dtype)]),)


def _product(x: Array, w: Array, bias: Any, attrs: Attrs) -> Array:
    y = matmul(x, _turned(w, attrs["transpose_weight"]))
    return _plus(y, bias)


def _bias(biases: list[Array], index: int, count: int) -> Any:
    if not biases:
        return None
    return biases[0][index] if len(biases) == 1 and count != 1 else biases[index]


def _sizes(groups: Array, whole: int, attrs: Attrs, ctx: Context) -> list[int]:
    """Sizes of the groups, which must lie within the axis."""
    numbers = int_list(groups)
    if attrs["group_list_type"] == 0:
        numbers = [b - a for a, b in zip([0, *numbers], numbers, strict=False)]
    if any(s < 0 for s in numbers) or sum(numbers) > whole:
        ctx.fail("group_list does not cut the axis", found=numbers, expected=f"up to {whole}")
    return numbers
