"""Kernels of fused root-mean-square normalisation on ND: rows in float64."""

from __future__ import annotations

import numpy as np

from runtime.kernels.registry import Call, View, kernel
from runtime.kernels.views import logical, store, wide


def _rows(call: Call, out_x: View) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Normalised rows, inverse roots and the sum; the sum is rounded first."""
    a, b = (wide(logical(call.arg(i))) for i in (0, 1))
    total = (a + b).astype(out_x.data.dtype)
    gamma = logical(call.arg(2)).astype(np.float64).reshape(-1)
    count = int(np.prod(total.shape[: total.ndim - len(call.arg(2).shape)]))
    rows = total.astype(np.float64).reshape(count, gamma.size)
    mean = np.einsum("ij,ij->i", rows, rows) / max(gamma.size, 1)
    root = np.sqrt(mean + call.attrs["epsilon"])
    return rows / root[:, None] * gamma, 1 / root, total


def _save(view: View, value: np.ndarray) -> None:
    store(view, value.astype(np.float32).reshape(view.shape).astype(view.data.dtype))


@kernel("AddRmsNormCast")
def add_rms_norm_cast(call: Call) -> None:
    """Both precisions from the same rows."""
    y, inverse, total = _rows(call, call.outs[3])
    for view, value in zip(call.outs, (y, y, inverse), strict=False):
        _save(view, value)
    store(call.outs[3], total)


@kernel("AddRmsNormQuant")
def add_rms_norm_quant(call: Call) -> None:
    """Steps of the scales, counted in float32 as the golden rule divides."""
    y, _, total = _rows(call, call.outs[2])
    y = y.astype(np.float32)
    if call.opt(7) is not None:
        y = y + wide(logical(call.arg(7))).reshape(-1)
    for out, scale, zero in ((call.outs[0], 3, 5), (call.outs[1], 4, 6)):
        if call.opt(scale) is None:
            store(out, np.zeros(out.shape, np.int8))
            continue
        factor = wide(logical(call.arg(scale))).reshape(-1)
        z = y / factor if call.attrs["div_mode"] else y * factor
        if call.opt(zero) is not None:
            z = z + wide(logical(call.arg(zero))).reshape(-1).astype(np.float32)
        z = np.where(np.isnan(z), 0, np.clip(np.round(z), -128, 127))
        store(out, z.astype(np.int8).reshape(out.shape))
    store(call.outs[2], total)


@kernel("RmsNormGrad")
def rms_norm_grad(call: Call) -> None:
    """Row by row: what is along the normalised row is taken out of the gradient."""
    size = call.arg(3).data.size
    gamma = logical(call.arg(3)).astype(np.float64).reshape(-1)
    count = call.arg(2).data.size
    dy, x = (logical(call.arg(i)).astype(np.float64).reshape(count, size) for i in (0, 1))
    inverse = logical(call.arg(2)).astype(np.float64).reshape(-1)
    dx, dgamma = np.zeros_like(x), np.zeros(size)
    for i, r in enumerate(inverse):
        direction, g = x[i] * r, dy[i] * gamma
        dx[i] = r * (g - direction * (g @ direction) / max(size, 1))
        dgamma += dy[i] * direction
    _save(call.outs[0], dx)
    _save(call.outs[1], dgamma)
