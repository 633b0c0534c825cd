"""Examples of elementwise operators of several steps."""

from __future__ import annotations

from typing import Any

from ge_dialect.dtypes import to_xdsl

Row = tuple[str, list[Any], dict[str, Any], list[str]]
_X = "2x3x4xf32"

ROWS: list[Row] = [
    ("Addcdiv", [_X, "3x1xf32", "4xf32", "f32"], {}, [_X]),
    ("Addcdiv", ["2x?xi64", "2x3xi64", "3xi64", "1xi32"], {}, ["2x3xi64"]),
    ("Addcmul", [_X, "3x1xf32", "4xf32", "f32"], {}, [_X]),
    ("Addcmul", ["?x3xi8", "2x3xi8", "3xi8", "1xi8"], {}, ["2x3xi8"]),
    ("AxpyV2", [_X, "4xf32", "f32"], {}, [_X]),
    ("AxpyV2", ["2x?xf16", "3xf32", "1xi32"], {}, ["2x3xf32"]),
    ("Sxpy", [_X, "4xf32", None], {}, [_X]),
    ("Sxpy", ["2x?xi32", "3xi32", "1xf16"], {}, ["2x3xf16"]),
    ("Bias", [_X, "3xf32"], {}, [_X]),
    ("Bias", ["2x?x4xf16", "3x4xf16"], {"num_axes": -1}, ["2x3x4xf16"]),
    ("Bias", [_X, "2x3xf32"], {"axis": -3, "bias_from_blob": False}, [_X]),
    ("ClipByValueV2", ["2x1x4xf32", "3x1xf32", "f32"], {}, [_X]),
    ("ClipByValueV2", ["2x?xi32", "i32", "3xi32"], {}, ["2x3xi32"]),
    ("Complex", ["2x3xf32", "3xf32"], {}, ["2x3xc64"]),
    ("Real", ["2x?xc64"], {}, ["2x?xf32"]),
    ("Imag", ["2x?xc64"], {}, ["2x?xf32"]),
    ("Eltwise", [[_X, _X, "2x?x4xf32"]], {"N": 3}, [_X]),
    ("Eltwise", [["2x3xf16"] * 2], {"N": 2, "coeff": [0.5, -2.0]}, ["2x3xf16"]),
    ("Eltwise", [["2x3xf32"] * 3], {"N": 3, "mode": 0}, ["2x3xf32"]),
    ("Eltwise", [["2x3xf32"] * 3], {"N": 3, "mode": 2}, ["2x3xf32"]),
    ("FusedMulAddN", [_X, "2x?x4xf32", "f32"], {}, [_X]),
    ("FusedMulAddN", ["2x3xi32", "2x3xi32", "1x1xi32"], {}, ["2x3xi32"]),
    ("Lerp", [_X, "3x1xf32", "4xf32"], {}, [_X]),
    ("Lerp", ["2x?xf16", "3xf16", "f16"], {}, ["2x3xf16"]),
    ("Power", ["2x?xf32"], {"power": 2.0, "scale": 0.5, "shift": 0.25}, ["2x?xf32"]),
    ("Scale", [_X, "3xf32", "3xf32"], {}, [_X]),
    ("Scale", ["2x?x4xf16", "1xf16", None], {"num_axes": 0}, ["2x?x4xf16"]),
    ("Trunc", ["2x?xf32"], {}, ["2x?xf32"]),
    ("Trunc", ["2x3xi8"], {}, ["2x3xi8"]),
    ("Xlogy", [_X, "3x1xf32"], {}, [_X]),
    ("Xlogy", ["2x?xc64", "3xc64"], {}, ["2x3xc64"]),
]

REFUSED: list[tuple[str, list[Any], dict[str, Any], str]] = [
    ("Addcdiv", [_X, "3xf32", "4xf32", "f32"], {}, "GX-221"),
    ("AxpyV2", [_X, _X, "3xf32"], {}, "GX-221"),
    ("Bias", [_X, "4xf32"], {}, "GX-221"),
    ("Bias", [_X, "3x4xf32"], {}, "GX-223"),
    ("Bias", [_X, "3xf32"], {"axis": 3}, "GX-222"),
    ("Bias", [_X, "3xf32"], {"num_axes": -2}, "GX-223"),
    ("Scale", [_X, "3xf32", None], {"num_axes": 0}, "GX-221"),
    ("Scale", [_X, "3xf32", "4xf32"], {}, "GX-221"),
    ("Complex", ["2xf32", "2xf32"], {"Tout": to_xdsl("complex128")}, "GX-225"),
    ("Real", ["2xc64"], {"Tout": to_xdsl("float64")}, "GX-225"),
    ("Eltwise", [["2xf32", "3xf32"]], {"N": 2}, "GX-221"),
    ("Eltwise", [["2xf32", "2xf32"]], {"N": 3}, "GX-226"),
    ("Eltwise", [["2xf32"]], {"N": 1, "mode": 3}, "GX-223"),
    ("Eltwise", [["2xf32"]], {"N": 1, "coeff": [1.0, 2.0]}, "GX-223"),
    ("FusedMulAddN", [_X, _X, "4xf32"], {}, "GX-221"),
]
