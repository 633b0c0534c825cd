"""Golden meaning of the gradient of fused attention: all scores at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.attention import apart, left_out, together, weighted
from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import Array, matmul, widen
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]

_NAMES = (
    "query key value dy pse_shift drop_mask padding_mask atten_mask softmax_max softmax_sum "
    "softmax_in attention_in prefix actual_seq_qlen actual_seq_kvlen q_start_idx kv_start_idx"
).split()
_UNREAD = "padding_mask softmax_in prefix q_start_idx kv_start_idx".split()


def _operands(args: list[Any], attrs: Attrs, ctx: Context) -> dict[str, Any]:
    given: dict[str, Any] = dict(zip(_NAMES, args, strict=True))
    for name in _UNREAD:
        if given[name] is not None:
            ctx.fail(f"{name} is not evaluated", found="connected", expected="not connected")
    for name in ("softmax_max", "softmax_sum", "attention_in"):
        if given[name] is None:
            ctx.fail(f"{name} is needed", found="not connected", expected="what the forward gave")
    if attrs["pse_type"] not in (0, 1) or not 0 <= attrs["sparse_mode"] <= 4:
        ctx.fail(
            "this form of attention is not evaluated",
            found=f"pse_type {attrs['pse_type']}, sparse_mode {attrs['sparse_mode']}",
            expected="pse_type 0 or 1, sparse_mode 0 … 4",
        )
    if attrs["input_layout"] == "TND":
        ctx.fail("samples strung together are not evaluated", found="TND", expected="BSH, …")
    if attrs["keep_prob"] < 1 and given["drop_mask"] is None:
        ctx.fail("dropout needs drop_mask", expected="drop_mask connected or keep_prob = 1")
    return given


def _kept(mask: Array, shape: tuple[int, ...], share: Any, ctx: Context) -> Array:
    """The factor of each weight, by the bits of drop_mask."""
    bits, count = np.unpackbits(mask.reshape(-1), bitorder="little"), int(np.prod(shape))
    if bits.size < count:
        ctx.fail("drop_mask has too few bits", found=bits.size, expected=count)
    return (bits[:count].reshape(shape) / share).astype(share.dtype)


def _summed(x: Array, shape: tuple[int, ...]) -> Array:
    """x summed up over what `shape` was stretched by."""
    wide = (1,) * (x.ndim - len(shape)) + shape
    axes = tuple(i for i, d in enumerate(wide) if d == 1)
    return x.sum(axis=axes, keepdims=True).reshape(shape)


@semantics("FlashAttentionScoreGrad")
def flash_attention_score_grad(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
    """The chain rule through values, weights, softmax and products."""
    given = _operands(args, attrs, ctx)
    layout, heads = attrs["input_layout"], attrs["head_num"]
    q, dy, y = (
        apart(widen(given[name]), layout, heads) for name in ("query", "dy", "attention_in")
    )
    flat = layout in ("BSH", "SBH")
    shared = given["key"].shape[-1] // max(q.shape[-1], 1) if flat else 0
    k, v = (apart(widen(given[name]), layout, shared) for name in ("key", "value"))
    group = q.shape[1] // max(k.shape[1], 1)
    keys, values = (np.repeat(x, group, axis=1) for x in (k, v))
    scale, shift = q.dtype.type(attrs["scale_value"]), given["pse_shift"]
    s = matmul(q, keys.swapaxes(2, 3))
    if shift is None:
        s = s * scale
    else:
        s = (s + widen(shift)) * scale if attrs["pse_type"] == 1 else s * scale + widen(shift)
    band = (attrs["pre_tockens"], attrs["next_tockens"])
    out = left_out(attrs["sparse_mode"], given["atten_mask"], s.shape[2], s.shape[3], band)
    top, total = (widen(given[name])[..., :1] for name in ("softmax_max", "softmax_sum"))
    out = np.broadcast_to(out, s.shape)
    p = np.where(out, q.dtype.type(0), np.exp(s - top) / total)
    keep: Any = q.dtype.type(1)
    if given["drop_mask"] is not None:
        keep = _kept(given["drop_mask"], p.shape, q.dtype.type(attrs["keep_prob"]), ctx)
    p, dp = p.astype(q.dtype), matmul(dy, values.swapaxes(2, 3)) * keep
    ds = p * (dp - (dy * y).sum(axis=-1, keepdims=True))
    ds, turned = np.where(out, q.dtype.type(0), ds), out.swapaxes(2, 3)

    def shared_by(x: Array) -> Array:
        return x.reshape(x.shape[0], k.shape[1], group, *x.shape[2:]).sum(axis=2)

    dq = weighted(ds, keys, out) * scale
    dk = shared_by(weighted(ds.swapaxes(2, 3), q, turned) * scale)
    dv = shared_by(weighted((p * keep).swapaxes(2, 3), dy, turned))
    if shift is None:
        dpse = np.zeros((0,), q.dtype)
    else:
        dpse = _summed(ds * scale if attrs["pse_type"] == 1 else ds, shift.shape)
    return (*(together(x, layout) for x in (dq, dk, dv)), dpse)
