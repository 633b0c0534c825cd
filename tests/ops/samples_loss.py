"""Examples of the losses."""

from __future__ import annotations

from typing import Any

Row = tuple[str, list[Any], dict[str, Any], list[str]]
_X = "2x3x4xf32"
_NLL = ["4x3xf32", "4xi32", "3xf32"]

ROWS: list[Row] = [
    ("BiasAddGrad", [_X], {}, ["4xf32"]),
    ("BiasAddGrad", ["2x?x4xi32"], {"data_format": "NCHW"}, ["?xi32"]),
    ("L2Loss", ["2x?xf32"], {}, ["f32"]),
    ("MseLoss", [_X, _X], {}, ["f32"]),
    ("MseLoss", ["2x?xf16", "2x3xf16"], {"reduction": "none"}, ["2x3xf16"]),
    ("MseLoss", [_X, _X], {"reduction": "sum"}, ["f32"]),
    ("MseLossGrad", [_X, _X, "f32"], {}, [_X]),
    ("MseLossGrad", [_X, "2x?x4xf32", _X], {"reduction": "none"}, [_X]),
    ("NLLLoss", _NLL, {}, ["f32", "f32"]),
    ("NLLLoss", ["?x3xf16", "4xi64", None], {"reduction": "none"}, ["4xf16", "f16"]),
    ("NLLLoss", ["2x3x5xf32", "2x5xi32", None], {"reduction": "sum", "ignore_index": 1},
     ["f32", "f32"]),
    ("NLLLossGrad", ["4x3xf32", "f32", "4xi32", "3xf32", "1xf32"], {}, ["4x3xf32"]),
    ("NLLLossGrad", ["2x3x5xf32", "2x5xf32", "2x5xi32", "3xf32", "f32"], {"reduction": "none"},
     ["2x3x5xf32"]),
    ("SigmoidCrossEntropyWithLogits", [_X, "2x?x4xf32"], {}, [_X]),
    ("SigmoidCrossEntropyWithLogits", ["?xbf16", "?xbf16"], {}, ["?xbf16"]),
    ("SmoothL1Loss", [_X, _X], {"sigma": 0.5}, [_X]),
    ("SmoothL1Loss", [_X, _X], {"sigma": 0.0}, [_X]),
    ("SmoothL1Loss", ["2x?xf16", "?x3xf16"], {}, ["2x3xf16"]),
    ("SoftmaxCrossEntropyLoss", ["4x3xf32", "4xi64", None], {}, ["f32", "4x3xf32"]),
    ("SoftmaxCrossEntropyLoss", ["2x3x5xf32", "2x5xi32", "3xf32"],
     {"reduction": "none", "ignore_index": 2}, ["2x5xf32", "2x3x5xf32"]),
    ("SoftmaxCrossEntropyWithLogits", ["4x3xf32", "4x3xf32"], {}, ["4xf32", "4x3xf32"]),
    ("SoftmaxCrossEntropyWithLogits", ["?x3xf16", "1x3xf16"], {}, ["?xf16", "?x3xf16"]),
    ("SparseSoftmaxCrossEntropyWithLogits", ["?x3xf32", "4xi32"], {}, ["4xf32", "4x3xf32"]),
    ("SparseSoftmaxCrossEntropyWithLogits", ["2x3xf16", "?xi64"], {}, ["2xf16", "2x3xf16"]),
]  # fmt: skip

REFUSED: list[tuple[str, list[Any], dict[str, Any], str]] = [
    ("BiasAddGrad", [_X], {"data_format": "CN"}, "GX-223"),
    ("MseLoss", [_X, "3xf32"], {}, "GX-221"),
    ("MseLoss", [_X, _X], {"reduction": "max"}, "GX-223"),
    ("MseLossGrad", [_X, _X, "5xf32"], {}, "GX-221"),
    ("NLLLoss", ["4x3xf32", "5xi32", None], {}, "GX-221"),
    ("NLLLoss", ["4x3xf32", "4xi32", "4xf32"], {}, "GX-221"),
    ("NLLLossGrad", ["4x3xf32", "4xf32", "4xi32", "3xf32", "1xf32"], {}, "GX-223"),
    ("SmoothL1Loss", [_X, _X], {"sigma": -1.0}, "GX-223"),
    ("SigmoidCrossEntropyWithLogits", [_X, "3xf32"], {}, "GX-221"),
    ("SoftmaxCrossEntropyLoss", ["3xf32", "3xi32", None], {}, "GX-220"),
    ("SoftmaxCrossEntropyWithLogits", ["4x3xf32", "4x2xf32"], {}, "GX-221"),
    ("SparseSoftmaxCrossEntropyWithLogits", ["4x3xf32", "3xi32"], {}, "GX-221"),
]
