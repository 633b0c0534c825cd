"""ONNX exports: recurrent layers."""

from __future__ import annotations

from typing import Any

from ge_dialect.exporters.onnx_node import Out
from ge_dialect.exporters.onnx_rules import Results, export


def _attrs(n: Out) -> dict[str, Any]:
    """Attributes that both have; those at their defaults are left out."""
    found: dict[str, Any] = {
        "hidden_size": n.attrs["hidden_size"],
        "direction": n.attrs["direction"],
    }
    if n.attrs["clip"] > 0:
        found["clip"] = n.attrs["clip"]
    for name in ("activations", "activation_alpha", "activation_beta"):
        if n.attrs[name]:
            found[name] = list(n.attrs[name])
    return found


@export("CommonLSTM")
def common_lstm(n: Out) -> Results:
    """LSTM."""
    attrs = _attrs(n)
    if n.attrs["input_forget"]:
        attrs["input_forget"] = n.attrs["input_forget"]
    return n.emit_all("LSTM", [n.opt(i) for i in range(8)], 3, attrs)


@export("CommonGRU")
def common_gru(n: Out) -> Results:
    """GRU."""
    attrs = _attrs(n)
    if n.attrs["linear_before_reset"]:
        attrs["linear_before_reset"] = 1
    return n.emit_all("GRU", [n.opt(i) for i in range(6)], 2, attrs)
