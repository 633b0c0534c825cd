"""Kernels of softmax with scale and mask, on ND, row by row."""

from __future__ import annotations

import numpy as np

from runtime.kernels.registry import Call, kernel
from runtime.kernels.views import logical, store, wide


def _row(scores: np.ndarray) -> np.ndarray:
    weights = np.exp(scores - scores.max(initial=-np.inf))
    return weights / weights.sum()


@kernel("ScaledMaskedSoftmax")
def scaled_masked_softmax(call: Call) -> None:
    """Weights of the kept elements; all alike where none is."""
    x = wide(logical(call.arg(0)))
    y = np.zeros_like(x)
    view = call.opt(1)
    mask = np.broadcast_to(False if view is None else logical(view), x.shape)
    scale = x.dtype.type(call.attrs["scale"])
    for place in np.ndindex(x.shape[:-1]):
        kept = ~mask[place]
        if call.attrs["fixed_triu_mask"]:
            kept = np.arange(x.shape[-1]) <= place[-1]
        scores = x[place] * scale
        if (scores[kept] >= np.finfo(np.float32).min).any():
            y[place][kept] = _row(scores[kept])
            if np.isnan(y[place][kept]).any():
                y[place] = np.nan  # nor is a share of nothing known
        elif np.isnan(scores[kept]).any() or kept.all():
            y[place] = np.nan
        elif kept.any():  # what is left out stands for the lowest number, not for -inf
            y[place][~kept] = 1 / x.dtype.type(len(kept) - kept.sum())
        else:
            y[place] = 1 / x.dtype.type(max(x.shape[-1], 1))
    store(call.outs[0], y)


@kernel("MaskedSoftmaxWithRelPosBias")
def masked_softmax_with_rel_pos_bias(call: Call) -> None:
    """Window by window and head by head."""
    x, bias = wide(logical(call.arg(0))), wide(logical(call.arg(2)))
    heads = x.shape[-3]
    matrices = x.reshape(-1, heads, *x.shape[-2:])
    bias = np.broadcast_to(bias.reshape(bias.shape[-3:]), matrices.shape[1:])
    view = call.opt(1)
    masks = None if view is None else wide(logical(view)).reshape(-1, *view.shape[-2:])
    y = np.zeros_like(matrices)
    scale = x.dtype.type(call.attrs["scale_value"])
    for w, window in enumerate(matrices):
        for n in range(heads):
            scores = window[n] * scale
            if masks is not None:
                scores = scores + masks[w % len(masks)]
            for i, row in enumerate(scores + bias[n]):
                y[w, n, i] = _row(row)
    store(call.outs[0], y.reshape(x.shape))
