"""Examples of gradients and fused forms of normalisation."""

from __future__ import annotations

from typing import Any

Row = tuple[str, list[Any], dict[str, Any], list[str]]
_X, _C, _S = "2x3x4xf32", "4xf32", "2x3x1xf32"
_G = "2x4x5xf32"

ROWS: list[Row] = [
    ("AddLayerNorm", [_X, _X, _C, _C, None], {}, [_X, _S, _S, _X]),
    ("AddLayerNorm", [_X, "2x3x4xf16", "3x4xf32", "3x4xf32", "4xf32"], {},
     [_X, "2x1x1xf32", "2x1x1xf32", _X]),
    ("AddLayerNorm", ["2x?x4xf16", "?x3x4xf16", "4xf32", "4xf32", "2x3x4xf16"], {},
     ["2x3x4xf16", _S, _S, "2x3x4xf16"]),
    ("DeepNorm", [_X, _X, _C, _C], {"alpha": 0.5}, [_S, _S, _X]),
    ("DeepNorm", ["2x?x4xf16", "2x3x4xf16", "3x4xf16", "3x4xf16"], {},
     ["2x1x1xf32", "2x1x1xf32", "2x3x4xf16"]),
    ("GroupNormSilu", [_G, _C, _C], {"num_groups": 2}, [_G, "2x2xf32", "2x2xf32"]),
    ("GroupNormSilu", ["2x?x5xf16", "4xf32", None], {"num_groups": 4, "activate_silu": False},
     ["2x4x5xf16", "2x4xf16", "2x4xf16"]),
    ("GroupNormV2", [_G, _C, _C], {"num_groups": 2}, [_G, "2x2xf32", "2x2xf32"]),
    ("GroupNormV2", ["?x4xf16", "4xf16", "?xf16"], {"num_groups": 1},
     ["?x4xf16", "?x1xf16", "?x1xf16"]),
    ("LayerNormGrad", [_X, _X, _S, _S, _C], {}, [_X, _C, _C]),
    ("LayerNormGrad", ["2x?x4xf16", "2x3x4xf16", "2x1x1xf16", "2x1x1xf16", "3x4xf16"], {},
     ["2x3x4xf16", "3x4xf16", "3x4xf16"]),
    ("LayerNormGradV3", [_X, _X, _S, _S, _C], {}, [_X, _C, _C]),
    ("LayerNormGradV3", ["2x?x4xf16", "2x3x4xf16", "2x3x1xf32", "2x3x1xf32", "3x4xf32"], {},
     ["2x3x4xf16", "3x4xf32", "3x4xf32"]),
    ("LayerNormBetaGammaBackpropV2", [_X, _X], {"shape_gamma": [3, 4]}, ["3x4xf32", "3x4xf32"]),
    ("LayerNormBetaGammaBackpropV2", ["2x?x4xf16", _X], {"shape_gamma": [4]},
     ["4xf16", "4xf16"]),
    ("MVNV2", ["2x3x4x5xf32"], {}, ["2x3x4x5xf32"]),
    ("MVNV2", ["2x?x4xf16"], {"axes": [-1, 0], "eps": 0.5}, ["2x?x4xf16"]),
]  # fmt: skip

REFUSED: list[tuple[str, list[Any], dict[str, Any], str]] = [
    ("AddLayerNorm", [_X, "2x3x5xf32", _C, _C, None], {}, "GX-221"),
    ("AddLayerNorm", [_X, _X, "3xf32", "3xf32", None], {}, "GX-221"),
    ("DeepNorm", [_X, _X, _C, "f32"], {}, "GX-221"),
    ("GroupNormSilu", [_G, _C, None], {"num_groups": 3}, "GX-223"),
    ("GroupNormV2", [_G, "5xf32", _C], {"num_groups": 2}, "GX-221"),
    ("GroupNormV2", [_G, _C, _C], {"num_groups": 0}, "GX-223"),
    ("LayerNormGrad", [_X, _X, _S, "2x2x1xf32", _C], {}, "GX-221"),
    ("LayerNormGrad", [_X, _X, _S, "2x3xf32", _C], {}, "GX-220"),
    ("LayerNormBetaGammaBackpropV2", [_X, _X], {"shape_gamma": [5]}, "GX-221"),
    ("MVNV2", [_X], {}, "GX-222"),
    ("MVNV2", [_X], {"axes": []}, "GX-223"),
]
