"""Kernel of the gradient of fused attention: a head at a time, over blocks of keys.

A block's weights come from the rows' saved maxima and sums (T. Dao et al., "FlashAttention",
NeurIPS 2022, algorithm 4). No product of all queries and keys is ever held.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.kernels.attention import (
    AXES,
    BLOCK,
    by_mode,
    count_heads,
    dropout,
    head_of,
    head_size,
    need_bits,
    need_drop_mask,
    need_known_form,
    need_unconnected,
    read_products,
    shifted,
)
from runtime.kernels.refusal import Refusal, refuse_where
from runtime.kernels.registry import Call, kernel
from runtime.kernels.views import logical, store, wide


@kernel("FlashAttentionScoreGrad")
def flash_attention_score_grad(call: Call) -> None:
    """Heads add to the gradient of the key and value they share."""
    attrs, layout, heads = call.attrs, call.attrs["input_layout"], call.attrs["head_num"]
    need_unconnected(call, "FlashAttentionScoreGrad", 3, 4, 5, 7, 8, 9, 11, 13, 14)
    for name, slot in (("softmax_max", 8), ("softmax_sum", 9), ("attention_in", 11)):
        if call.opt(slot) is None:
            message, expected = f"{name} is needed", "what the forward gave"
            raise Refusal(message, found="not connected", expected=expected)
    need_known_form(attrs)
    message = "samples strung together are not evaluated"
    refuse_where(layout == "TND", message, found=layout, expected="BSH, …")
    need_drop_mask(call, 5)
    q, k, v, dy, top, total, y = (wide(logical(call.arg(i))) for i in (0, 1, 2, 3, 8, 9, 11))
    shift, mask = (None if call.opt(i) is None else wide(logical(call.arg(i))) for i in (4, 7))
    bits = None if call.opt(5) is None else call.arg(5).data.reshape(-1)
    scale, first = q.dtype.type(attrs["scale_value"]), attrs["pse_type"] == 1
    shared = count_heads(k, layout, head_size(q, layout, heads))
    sizes = [head_size(x, layout, c) for x, c in ((q, heads), (k, shared), (v, shared))]
    place = AXES[layout][0]
    need_bits(bits, q.shape[AXES[layout][2]] * heads * q.shape[place] * k.shape[place])
    dq, dk, dv = (np.zeros(x.shape, q.dtype) for x in (q, k, v))
    dpse = None if shift is None else np.zeros(shift.shape, q.dtype)
    for b in range(q.shape[AXES[layout][2]]):
        for n in range(heads):
            m = n * shared // heads
            rows, add_q = (head_of(x, layout, b, n, sizes[0]) for x in (q, dq))
            keys, add_k = (head_of(x, layout, b, m, sizes[1]) for x in (k, dk))
            values, add_v = (head_of(x, layout, b, m, sizes[2]) for x in (v, dv))
            above, result = (head_of(x, layout, b, n, sizes[2]) for x in (dy, y))
            shape = (heads, len(rows), len(keys))
            band = (attrs["pre_tockens"], attrs["next_tockens"])
            masked = by_mode(attrs["sparse_mode"], mask, shape[1:], band)
            keep = None if bits is None else dropout(bits, shape, b, n, attrs)
            delta = np.einsum("sd,sd->s", above, result)[:, None]
            i = np.arange(len(rows))[:, None]
            for start in range(0, len(keys), BLOCK):
                part = slice(start, min(start + BLOCK, len(keys)))
                j = np.arange(part.start, part.stop)[None, :]
                s = shifted(rows @ keys[part].T, shift, scale, first, b, n, i, j)
                out = np.broadcast_to(masked(b, n, i, j), s.shape)
                s = np.exp(s - top[b, n, :, :1]) / total[b, n, :, :1]
                weight = np.where(out, 0, s).astype(q.dtype)
                factor = 1 if keep is None else keep(i, j).astype(q.dtype)
                slope = weight * (factor * (above @ values[part].T) - delta)
                slope = np.where(out, 0, slope).astype(q.dtype)
                add_v[part] += read_products((weight * factor).T, above, out.T)
                add_q += scale * read_products(slope, keys[part], out)
                add_k[part] += scale * read_products(slope.T, rows, out.T)
                if dpse is not None:
                    _spread(dpse, scale * slope if first else slope, b, n, i, j)
    for view, number in zip(call.outs, (dq, dk, dv, dpse), strict=True):
        if number is not None:
            store(view, number)


def _spread(total: np.ndarray, part: np.ndarray, b: int, n: int, i: Any, j: Any) -> None:
    """Adds a block to what stretches to (batch, heads, rows, columns)."""
    total = total[(None,) * (4 - total.ndim)]
    places = (
        np.asarray(0 if d == 1 else p) for d, p in zip(total.shape, (b, n, i, j), strict=True)
    )
    np.add.at(total, tuple(np.broadcast_arrays(*places, part)[:4]), part)
