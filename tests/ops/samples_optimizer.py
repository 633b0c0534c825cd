"""Examples of the optimisers."""

from __future__ import annotations

from typing import Any

Row = tuple[str, list[Any], dict[str, Any], list[str]]
_V, _G, _N = "&2x3xf32", "2x3xf32", "f32"
_ADAM = [_V, _V, _V, *(_N,) * 6, _G]
_HALF = ["&2x?xf16", "&2x3xf16", "&2x?xf16", *("1xf16",) * 6, "?x3xf16"]
_SGD = [_V, _G, _N, _V, "1xf32", _V]

ROWS: list[Row] = [
    ("ApplyGradientDescent", [_V, _N, _G], {}, [_V]),
    ("ApplyGradientDescent", ["&2x3xi32", "1xi32", "2x3xi32"], {}, ["&2x3xi32"]),
    ("ApplyMomentum", [_V, _V, _N, _G, _N], {}, [_V]),
    ("ApplyMomentum", [_V, _V, _N, _G, "1xf32"], {"use_nesterov": True}, [_V]),
    ("ApplyAdam", _ADAM, {}, [_V]),
    ("ApplyAdam", _HALF, {"use_nesterov": True}, ["&2x?xf16"]),
    ("ApplyAdamD", _ADAM, {"use_nesterov": True}, [_V] * 3),
    ("ApplyAdamD", _HALF, {}, ["&2x?xf16", "&2x3xf16", "&2x?xf16"]),
    ("ApplyAdamW", [*_ADAM[:9], _N, _G, None], {}, [_V] * 3),
    ("ApplyAdamW", [*_ADAM[:9], _N, _G, _G], {"maximize": True}, [_V] * 3),
    ("SGD", _SGD, {"dampening": 0.5, "weight_decay": 0.25}, [_V]),
    ("SGD", _SGD, {"nesterov": True}, [_V]),
]

REFUSED: list[tuple[str, list[Any], dict[str, Any], str]] = [
    ("ApplyGradientDescent", [_V, "2xf32", _G], {}, "GX-221"),
    ("ApplyGradientDescent", [_V, _N, "3xf32"], {}, "GX-221"),
    ("ApplyMomentum", [_V, "&2x4xf32", _N, _G, _N], {}, "GX-221"),
    ("ApplyAdam", [*_ADAM[:9], "2x4xf32"], {}, "GX-221"),
    ("ApplyAdamW", [*_ADAM[:9], _N, _G, None], {"amsgrad": True}, "GX-223"),
    ("SGD", _SGD, {"weight_decay": -1.0}, "GX-223"),
    ("SGD", _SGD, {"nesterov": True, "dampening": 0.5}, "GX-223"),
]
