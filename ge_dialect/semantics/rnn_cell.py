"""Golden meaning of one step of a plain recurrent layer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import Array, widen
from ge_dialect.semantics.registry import semantics


@semantics("BasicRNNCell")
def basic_rnn_cell(args: list[Any], attrs: Mapping[str, Any], ctx: Context) -> tuple[Array, Array]:
    """The state, then the output from it."""
    x, cont, static, old, w_xh, bias_h, w_hh, w_ho, bias_o = (
        None if a is None else widen(a) for a in args
    )
    assert x is not None
    total = x @ w_xh + bias_h
    if static is not None:
        total = total + static
    if old is not None:
        if cont is not None:
            old = old * cont.reshape(len(x), 1)
        total = total + old @ w_hh
    state = np.tanh(total)
    return np.tanh(state @ w_ho + bias_o), state
