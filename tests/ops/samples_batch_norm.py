"""Examples of batch normalisation in training."""

from __future__ import annotations

from typing import Any

Row = tuple[str, list[Any], dict[str, Any], list[str]]
_X, _C, _R = "2x3x4x5xf32", "3xf32", "&3xf32"
_E = {"epsilon": 0.001}
_UPDATE = {"factor": 0.25, "epsilon": 0.001}

ROWS: list[Row] = [
    ("BNTrainingReduce", [_X], {}, [_C, _C]),
    ("BNTrainingReduce", ["2x?xf16"], {}, ["?xf32", "?xf32"]),
    ("BNTrainingUpdate", [_X, _C, _C, _C, _C, _R, _R], _UPDATE, [_X, _R, _R, _C, _C]),
    ("BNTrainingUpdate", ["2x?x4xf16", _C, "?xf32", _C, _C, _R, _R], _UPDATE,
     ["2x3x4xf16", _R, _R, _C, _C]),
    ("BNInference", [_X, _C, _C, "1xf32"], {}, [_X]),
    ("BNInference", ["2x?x4xf16", "3xf16", _C, "f32", _C, "?xbf16"], _E, ["2x3x4xf16"]),
    ("BNTrainingUpdateV2", [_X, _C, _C, _C, _C], _E, [_X, _C, _C]),
    ("BNTrainingUpdateV2", ["2x?x4xf16", _C, "?xf32", _C, _C], _E, ["2x3x4xf16", _C, _C]),
    ("BNTrainingUpdateGrad", [_X, _X, _C, _C], _E, [_C, _C]),
    ("BNTrainingUpdateGrad", ["2x?xbf16", "2x3xbf16", "?xf32", _C], {}, [_C, _C]),
    ("BNTrainingReduceGrad", [_X, _X, _C, _C, _C, _C, _C], _E, [_X]),
    ("BNInferGrad", [_X, _C, _C], _E, [_X]),
    ("BNInferGrad", ["2x?x4xf16", _C, "?xf32"], {}, ["2x3x4xf16"]),
    ("BatchNormGrad", [_X, _X, "5xf32", "5xf32", "5xf32", None], _E,
     [_X, "5xf32", "5xf32", "0xf32", "0xf32"]),
    ("BatchNormGrad", [_X, _X, _C, _C, _C, _C], {"data_format": "NCHW", "is_training": False},
     [_X, _C, _C, "0xf32", "0xf32"]),
    ("BatchNormGradV3", [_X, _X, *(_C,) * 5], {}, [_X, _C, _C]),
    ("BatchNormGradV3", ["2x?xf16", "2x3xf16", "3xbf16", "3xf16", "?xf16", _C, _C],
     {"is_training": False}, ["2x3xf16", "3xbf16", "3xbf16"]),
    ("BatchNormV3", [_X, _C, _C, _R, _R], {}, [_X, _R, _R, _C, _C]),
    ("BatchNormV3", ["2x?x4xf16", "3xbf16", "3xbf16", _R, _R], {"is_training": False},
     ["2x3x4xf16", _R, _R, _C, _C]),
]  # fmt: skip

REFUSED: list[tuple[str, list[Any], dict[str, Any], str]] = [
    ("BNTrainingReduce", ["3xf32"], {}, "GX-220"),
    ("BNTrainingUpdate", [_X, _C, _C, "4xf32", _C, _R, _R], _UPDATE, "GX-221"),
    ("BNInference", [_X, _C, _C, "1xf32", _C, None], {}, "GX-226"),
    ("BNInference", [_X, _C, "4xf32", "1xf32"], {}, "GX-221"),
    ("BNInference", [_X, _C, _C, "0xf32"], {}, "GX-227"),
    ("BNInference", [_X, _C, _C, "1x1xf32"], {}, "GX-220"),
    ("BNInference", [_X, _C, _C, "1xf32"], {"mode": 0}, "GX-223"),
    ("BNTrainingUpdateV2", [_X, _C, _C, "4xf32", _C], _E, "GX-221"),
    ("BNTrainingUpdateGrad", [_X, "2x3x4x6xf32", _C, _C], {}, "GX-221"),
    ("BNInferGrad", [_X, _C, "3x1xf32"], {}, "GX-220"),
    ("BatchNormGrad", [_X, _X, _C, _C, _C, None], {}, "GX-221"),
    ("BatchNormGrad", [_X, _X, _C, _C, _C, None], {"data_format": "CN"}, "GX-223"),
    ("BatchNormV3", [_X, _C, "4xf32", _R, _R], {}, "GX-221"),
]
