"""Golden meaning of pooling over volumes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import Array, lowest, widen
from ge_dialect.semantics.registry import semantics
from ge_dialect.semantics.volumes import (
    argmax_windows,
    axes_of,
    reduce_windows,
    window_counts,
)
from ge_dialect.semantics.windows import Axis

Attrs = Mapping[str, Any]


def _three(values: Any, last: bool) -> list[int]:
    """Entries along depth, height and width of a list of 1, 3 or 5."""
    if len(values) == 1:
        return [values[0]] * 3
    if len(values) == 3:
        return list(values)
    return list(values[1:4] if last else values[2:5])


def _pairs(pads: Any) -> list[int]:
    if len(pads) == 1:
        return [pads[0]] * 6
    return [p for p in pads for _ in (0, 1)] if len(pads) == 3 else list(pads)


def _prepared(
    args: list[Any], attrs: Attrs, ctx: Context, mode: str
) -> tuple[Array, list[Axis], bool]:
    """x as [N, C, D, H, W] in its working dtype, its windows, and whether channels stood last."""
    last = attrs["data_format"] == "NDHWC"
    x = widen(args[0])
    if last:
        x = x.transpose(0, 4, 1, 2, 3)
    axes = axes_of(
        x.shape[2:],
        _three(attrs["ksize"], last),
        _three(attrs["strides"], last),
        _three(attrs.get("dilation") or (1,), last),
        mode,
        _pairs(attrs["pads"]),
        bool(attrs["ceil_mode"]),
        ctx,
    )
    return x, axes, last


def _restored(y: Array, last: bool) -> Array:
    return np.ascontiguousarray(y.transpose(0, 2, 3, 4, 1)) if last else y


@semantics("MaxPool3D")
def max_pool3d(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Largest element of each window; padding never wins, NaN always does."""
    x, axes, last = _prepared(args, attrs, ctx, attrs["padding"])
    return _restored(reduce_windows(x, axes, np.maximum, lowest(x.dtype)), last)


@semantics("MaxPool3DWithArgmaxV2")
def max_pool3d_with_argmax(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, Array]:
    """Largest element of each window and its flat place in the volume; the first of equals."""
    x, axes, last = _prepared(args, attrs, ctx, "CALCULATED")
    best, place = argmax_windows(x, axes)
    return _restored(best, last), _restored(place, last)


@semantics("AvgPool3D")
def avg_pool3d(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Mean of each window, over data only or with the padding that was asked for."""
    x, axes, last = _prepared(args, attrs, ctx, "CALCULATED")
    total = reduce_windows(x, axes, np.add, 0)
    override = attrs["divisor_override"]
    if override:
        total = total / x.dtype.type(override)
    else:
        total = total / window_counts(axes, attrs["count_include_pad"]).astype(x.dtype)
    return _restored(total, last)
