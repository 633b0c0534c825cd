"""Golden meaning of softmax with scale and mask."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import F32, Array, widen
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]


def _softmax(x: Array) -> Array:
    e = np.exp(x - np.max(x, axis=-1, keepdims=True, initial=-np.inf))
    return e / e.sum(axis=-1, keepdims=True)


@semantics("ScaledMaskedSoftmax")
def scaled_masked_softmax(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Softmax of what the mask leaves."""
    x = widen(args[0])
    x = x * x.dtype.type(attrs["scale"])
    mask: Any = False if args[1] is None else args[1]
    if attrs["fixed_triu_mask"]:
        mask = np.arange(x.shape[-1]) > np.arange(x.shape[-2])[:, None]
    return _softmax(np.where(mask, np.finfo(F32).min, x).astype(x.dtype))


@semantics("MaskedSoftmaxWithRelPosBias")
def masked_softmax_with_rel_pos_bias(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Softmax of scores, mask and bias added up."""
    x, bias = widen(args[0]), widen(args[2])
    scores = x * x.dtype.type(attrs["scale_value"])
    if args[1] is not None:
        mask = widen(args[1])
        windows = int(np.prod(mask.shape[:-2]))
        mask = mask.reshape(windows, 1, *mask.shape[-2:])  # windows, heads
        if x.ndim == 4:
            parts = scores.reshape(len(x) // max(windows, 1), windows, *scores.shape[1:])
            scores = (parts + mask).reshape(x.shape)
        else:
            scores = scores + mask
    return _softmax(scores + bias.reshape(bias.shape[-3:]))
