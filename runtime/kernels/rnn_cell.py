"""Kernel of one step of a plain recurrent layer, on ND."""

from __future__ import annotations

import numpy as np

from runtime.kernels.registry import Call, kernel
from runtime.kernels.unary import convert
from runtime.kernels.views import logical, store


@kernel("BasicRNNCell")
def basic_rnn_cell(call: Call) -> None:
    """One product of all that is read with all weights, in double precision."""
    x, cont, static, old, w_xh, bias_h, w_hh, w_ho, bias_o = (
        None if v is None else logical(v).astype(np.float64)
        for v in (call.opt(i) for i in range(9))
    )
    assert x is not None
    assert w_xh is not None
    assert bias_h is not None
    ones = np.ones((len(x), 1))
    read, weights = [x, ones], [w_xh, bias_h[None, :]]
    if old is not None and w_hh is not None:
        read.append(old if cont is None else old * cont.reshape(-1, 1))
        weights.append(w_hh)
    assert w_ho is not None
    total = np.concatenate(read, axis=1) @ np.concatenate(weights, axis=0)
    state = np.tanh(total if static is None else total + static)
    output = np.tanh(np.einsum("bh,ho->bo", state, w_ho) + bias_o)
    for out, value in zip(call.outs, (output, state), strict=True):
        store(out, convert(value, out.data.dtype))
