"""One step of a plain recurrent layer, sum by sum."""

from __future__ import annotations

from math import fsum, tanh

import numpy as np
import pytest

from ge_dialect.semantics.evaluator import apply_op


@pytest.mark.parametrize("cont", [None, (3,), (3, 1)])
@pytest.mark.parametrize("state", [False, True])
@pytest.mark.parametrize("static", [False, True])
@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_a_step(cont, state, static, dtype):
    rng = np.random.default_rng(2)

    def draw(*shape):
        return rng.uniform(-1, 1, shape).astype(dtype)

    x, w_xh, bias_h, w_ho, bias_o = draw(3, 4), draw(4, 5), draw(5), draw(5, 2), draw(2)
    share = None if cont is None else rng.integers(0, 2, cont).astype(dtype)
    more = draw(3, 5) if static else None
    h_0, w_hh = (draw(3, 5), draw(5, 5)) if state else (None, None)
    o_t, h_t = apply_op("BasicRNNCell", [x, share, more, h_0, w_xh, bias_h, w_hh, w_ho, bias_o])
    assert o_t.dtype == h_t.dtype == dtype
    near = 2e-3 if dtype == np.float16 else 1e-6
    for b in range(3):
        hidden = []
        for h in range(5):
            terms = [float(x[b, i]) * float(w_xh[i, h]) for i in range(4)] + [float(bias_h[h])]
            if more is not None:
                terms.append(float(more[b, h]))
            if h_0 is not None:
                factor = 1.0 if share is None else float(share.reshape(-1)[b])
                terms += [factor * float(h_0[b, g]) * float(w_hh[g, h]) for g in range(5)]
            hidden.append(tanh(fsum(terms)))
            assert abs(float(h_t[b, h]) - hidden[h]) < near
        for o in range(2):
            total = fsum(hidden[h] * float(w_ho[h, o]) for h in range(5)) + float(bias_o[o])
            assert abs(float(o_t[b, o]) - tanh(total)) < near
