"""Kernel of the feed-forward layer of a transformer: each row by the weights of its expert."""

from __future__ import annotations

import numpy as np

from runtime.kernels.refusal import Refusal, refuse_where
from runtime.kernels.registry import Call, kernel
from runtime.kernels.unary import convert
from runtime.kernels.views import logical, store


def _half_tanh(x: np.ndarray, argument: np.ndarray) -> np.ndarray:
    """x times the sigmoid of an argument."""
    return x * (np.tanh(argument / 2) + 1) / 2


def _act(x: np.ndarray, name: str) -> np.ndarray:
    half = x.shape[-1] // 2
    if name == "geglu":
        return x[..., :half] * _act(x[..., half:], "gelu")
    if name == "swiglu":
        return x[..., :half] * _act(x[..., half:], "silu")
    if name == "reglu":
        return x[..., :half] * _act(x[..., half:], "relu")
    if name == "relu":
        return np.where(x < 0, 0, x)
    if name == "gelu":
        return _half_tanh(x, 2 * np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))
    return _half_tanh(x, 1.702 * x if name == "fastgelu" else x)


def _experts(call: Call, rows: int) -> np.ndarray:
    """The expert of each row."""
    tokens = np.array(call.ints(3), np.int64)
    ends = tokens if call.attrs.get("tokens_index_flag") else np.cumsum(tokens)
    if (np.diff(ends, prepend=0) < 0).any() or (ends[-1] if ends.size else 0) != rows:
        found, expected = tokens.tolist(), f"{rows} rows"
        raise Refusal("expert_tokens does not cut the axis", found=found, expected=expected)
    return np.searchsorted(ends, np.arange(rows), side="right")


@kernel("FFN")
def ffn(call: Call) -> None:
    """All rows of an expert at a time, in double precision but for what lies between."""
    x, out, name = logical(call.arg(0)), call.outs[0], str(call.attrs["activation"])
    given = [v for v in (call.arg(0), call.opt(4), call.opt(5)) if v is not None]
    whole = any(v.data.dtype.kind == "i" for v in given)
    quantised = whole or any(call.opt(i) is not None for i in range(6, 14))
    message = "the quantised form is not evaluated"
    refuse_where(quantised, message, found="int8", expected="float16")
    rows = x.reshape(int(np.prod(x.shape[:-1])), x.shape[-1]).astype(np.float64)
    grouped = call.opt(3) is not None
    expert = _experts(call, len(rows)) if grouped else np.zeros(len(rows), np.int64)

    def layer(value: np.ndarray, number: int, index: int) -> np.ndarray:
        weight, bias = logical(call.arg(number)), call.opt(number + 3)
        y = value @ (weight[index] if grouped else weight).astype(np.float64)
        if bias is not None:
            shift = logical(bias)
            y = y + (shift[index] if grouped else shift).astype(np.float64)
        return y

    y = np.zeros((len(rows), out.shape[-1]))
    with np.errstate(all="ignore"):
        for index in np.unique(expert):
            mine = expert == index
            hidden = convert(_act(layer(rows[mine], 1, index), name), x.dtype)
            y[mine] = layer(hidden.astype(np.float64), 2, index)
        store(out, convert(y.reshape(out.shape), out.data.dtype))
