"""Examples of gradients of activations, and of gates and thresholds."""

from __future__ import annotations

from typing import Any

Row = tuple[str, list[Any], dict[str, Any], list[str]]
_X = "2x3x4xf32"

ROWS: list[Row] = [
    ("GeluGrad", [_X, _X, _X], {}, [_X]),
    ("GeluGrad", ["2x?xf16", "4xf16", "2x4xf16"], {}, ["2x4xf16"]),
    ("SigmoidGrad", [_X, _X], {}, [_X]),
    ("SigmoidGrad", ["?x4xbf16", "4xbf16"], {"complex_conj": True}, ["?x4xbf16"]),
    ("TanhGrad", [_X, "3x1xf32"], {}, [_X]),
    ("TanhGrad", ["2xc64", "2xc64"], {"complex_conj": True}, ["2xc64"]),
    ("SoftmaxGrad", [_X, _X], {}, [_X]),
    ("SoftmaxGradExt", [_X, _X, "f32"], {}, [_X]),
    ("SoftmaxGradExt", ["2x?x4xf16", "?x3x4xf16", "1xf16"], {"axes": -1}, ["2x3x4xf16"]),
    ("SoftmaxGradExt", ["2x?x4xbf16", "*xbf16", "2x3x4xbf16"], {"axes": 0}, ["2x3x4xbf16"]),
    ("SoftmaxGrad", ["2x?x4xf16", "?x3x4xf16"], {"axes": [0, -1]}, ["2x3x4xf16"]),
    ("LogSoftmaxGrad", [_X, _X], {"axis": [1]}, [_X]),
    ("LogSoftmaxGrad", ["f32", "f32"], {}, ["f32"]),
    ("SwiGluGrad", ["2x3xf32", "2x6xf32"], {}, ["2x6xf32"]),
    ("SwiGluGrad", ["2x?xf16", "?x3xf16"], {"dim": 0}, ["4x3xf16"]),
    ("Celu", ["2x?xf32"], {"alpha1": 0.5, "alpha3": 2.0}, ["2x?xf32"]),
    ("Celu", ["2x3xf16"], {"alpha2": -2.0}, ["2x3xf16"]),
    ("CeluV2", ["2x?xf32"], {"alpha": 0.5}, ["2x?xf32"]),
    ("CeluV2", ["2x3xf32"], {"alpha": -2.0}, ["2x3xf32"]),
    ("FastGelu", ["2x?xf32"], {}, ["2x?xf32"]),
    ("LogSigmoid", ["2x?xf32"], {}, ["2x?xf32"]),
    ("Shrink", ["2x?xf32"], {"bias": 0.25}, ["2x?xf32"]),
    ("ThresholdedRelu", ["2x?xf32"], {}, ["2x?xf32"]),
    ("Threshold", ["2x?xf32"], {}, ["2x?xf32"]),
    ("Threshold", ["2x3xi32"], {"threshold": 1.5}, ["2x3xi32"]),
    ("ThresholdV2", ["2x?xf32", "f32", "1xf32"], {}, ["2x?xf32"]),
    ("ThresholdV2", ["2x3xi32", "1xi32", None], {}, ["2x3xi32"]),
    ("HardMax", [_X], {"axis": 1}, [_X]),
    ("HardMax", ["f32"], {}, ["f32"]),
    ("GLU", ["2x6xf32"], {}, ["2x3xf32"]),
    ("GLU", ["4x?xf16"], {"dim": 0}, ["2x?xf16"]),
    ("GeGluV2", ["2x6xf32"], {}, ["2x3xf32", "2x3xf32"]),
    (
        "GeGluV2",
        ["4x?xf16"],
        {"dim": 0, "approximate": 0, "activate_left": True},
        ["2x?xf16", "2x?xf16"],
    ),
]

REFUSED: list[tuple[str, list[Any], dict[str, Any], str]] = [
    ("SigmoidGrad", ["2xf32", "3xf32"], {}, "GX-221"),
    ("SoftmaxGrad", [_X, "2x3x5xf32"], {}, "GX-221"),
    ("SoftmaxGradExt", [_X, "2x3x5xf32", "f32"], {}, "GX-221"),
    ("SoftmaxGradExt", [_X, _X, "3xf32"], {}, "GX-221"),
    ("SoftmaxGradExt", [_X, _X, "1x1x1x1xf32"], {}, "GX-221"),
    ("SoftmaxGradExt", [_X, _X, "f32"], {"axes": 3}, "GX-222"),
    ("SoftmaxGradExt", [_X, _X, "f32"], {"keep_dims": False}, "GX-223"),
    ("SoftmaxGrad", [_X, _X], {"axes": [3]}, "GX-222"),
    ("SoftmaxGrad", [_X, _X], {"axes": []}, "GX-223"),
    ("SwiGluGrad", ["2x3xf32", "2x5xf32"], {}, "GX-221"),
    ("SwiGluGrad", ["2x2xf32", "2x6xf32"], {}, "GX-221"),
    ("Celu", ["2xf32"], {"alpha2": 0.0}, "GX-223"),
    ("CeluV2", ["2xf32"], {"alpha": 0.0}, "GX-223"),
    ("ThresholdV2", [_X, "2xf32", None], {}, "GX-223"),
    ("HardMax", [_X], {"axis": 3}, "GX-222"),
    ("GLU", ["2x5xf32"], {}, "GX-221"),
    ("GeGluV2", ["2x6xf32"], {"approximate": 2}, "GX-223"),
]
