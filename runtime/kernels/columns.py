"""Kernel of columns summed back into images, on ND."""

from __future__ import annotations

import numpy as np

from runtime.kernels.registry import Call, kernel
from runtime.kernels.unary import convert
from runtime.kernels.views import logical, store


@kernel("Col2im")
def col2im(call: Call) -> None:
    """Element of the image by element: what its windows say, found from their positions."""
    x, out = logical(call.arg(0)).astype(np.float64), call.outs[0]
    (kh, kw), (dh, dw), (ph, pw), (sh, sw) = (
        call.attrs[k] for k in ("kernel_size", "dilation", "padding", "stride")
    )
    n, c, height, width = out.shape
    rows = (height + 2 * ph - dh * (kh - 1) - 1) // sh + 1
    cols = (width + 2 * pw - dw * (kw - 1) - 1) // sw + 1
    parts = x.reshape(n, c, kh, kw, rows, cols)
    down = _readers(height, kh, dh, ph, sh, rows)
    across = _readers(width, kw, dw, pw, sw, cols)
    y = np.zeros((n, c, height, width))
    for r, tops in enumerate(down):
        for s, lefts in enumerate(across):
            for i, a in tops:
                for j, b in lefts:
                    y[:, :, r, s] += parts[:, :, i, j, a, b]
    store(out, convert(y, out.data.dtype))


def _readers(
    size: int, kernel_size: int, dilation: int, pad: int, stride: int, count: int
) -> list[list[tuple[int, int]]]:
    """For each place the elements of the window that read it, with the window's position."""
    found: list[list[tuple[int, int]]] = []
    for place in range(size):
        own = []
        for k in range(kernel_size):
            start, rest = divmod(place + pad - k * dilation, stride)
            if rest == 0 and 0 <= start < count:
                own.append((k, start))
        found.append(own)
    return found
