"""Examples of the operators on lists of tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

Row = tuple[str, list[Any], dict[str, Any], list[str]]

UNARY = (
    "Abs Acos Asin Atan Copy Cos Cosh Erf Erfc Exp Expm1 Log Log10 Log1p Log2 Neg Reciprocal "
    "Sigmoid Sign Sin Sinh Sqrt Tan Tanh"
).split()
PAIRS = "Add Sub Mul Div Maximum Minimum Pow".split()
_TWO = ["2x3xf32", "?xf32"]
_HALF = ["2x?xf16", "*xf16"]
_OTHER = ["?x4xf16", "5xf16"]
_MET = ["2x4xf16", "5xf16"]


def _mode(value: int) -> np.ndarray:
    return np.array([value], np.int8)


ROWS: list[Row] = [
    *((f"Foreach{name}", [_TWO], {}, _TWO) for name in UNARY),
    ("ForeachCopy", [["2xi1", "i1"]], {}, ["2xi1", "i1"]),
    ("ForeachSign", [["2xi8"]], {}, ["2xi8"]),
    ("ForeachNeg", [["i32", "3xi32", "0xi32"]], {}, ["i32", "3xi32", "0xi32"]),
    ("ForeachNorm", [_TWO, "f32"], {}, ["f32", "f32"]),
    ("ForeachNorm", [["*xf16"], "1xi64"], {}, ["f16"]),
    ("ForeachRoundOffNumber", [_TWO, _mode(2)], {}, _TWO),
    ("ForeachRoundOffNumber", [["2xbf16"], _mode(5)], {}, ["2xbf16"]),
    *((f"Foreach{name}Scalar", [_TWO, "f32"], {}, _TWO) for name in PAIRS),
    *((f"Foreach{name}ScalarList", [_TWO, "2xf32"], {}, _TWO) for name in PAIRS),
    ("ForeachMulScalar", [["2xi32"], "1xi32"], {}, ["2xi32"]),
    ("ForeachMulScalarList", [["2xi32"], "?xi64"], {}, ["2xi32"]),
    *((f"Foreach{name}List", [_HALF, _OTHER], {}, _MET) for name in PAIRS[2:]),
    *((f"Foreach{name}List", [_HALF, _OTHER, "f32"], {}, _MET) for name in PAIRS[:2]),
    ("ForeachPowScalarAndTensor", ["i64", _TWO], {}, _TWO),
    *(
        (f"Foreach{name}Scalar", [_HALF, _OTHER, _HALF, "1xf16"], {}, _MET)
        for name in ("Addcdiv", "Addcmul")
    ),
    *(
        (f"Foreach{name}{kind}", [_HALF, _HALF, _OTHER, "2xf16"], {}, _MET)
        for name in ("Addcdiv", "Addcmul")
        for kind in ("ScalarList", "List")
    ),
    ("ForeachLerpScalar", [_HALF, _OTHER, "f32"], {}, _MET),
    ("ForeachLerpList", [_HALF, _HALF, _OTHER], {}, _MET),
]

_SHORT = ["2x3xf16"]

REFUSED: list[tuple[str, list[Any], dict[str, Any], str]] = [
    ("ForeachNorm", [_TWO, "2xf32"], {}, "GX-221"),
    ("ForeachRoundOffNumber", [_TWO, _mode(6)], {}, "GX-223"),
    ("ForeachRoundOffNumber", [_TWO, "3xi8"], {}, "GX-221"),
    ("ForeachAddScalar", [_TWO, "2xf32"], {}, "GX-221"),
    ("ForeachAddScalarList", [_TWO, "3xf32"], {}, "GX-221"),
    ("ForeachMulScalarList", [_TWO, "1x2xf32"], {}, "GX-220"),
    ("ForeachMulList", [_HALF, _SHORT], {}, "GX-226"),
    ("ForeachMulList", [_HALF, ["3x4xf16", "5xf16"]], {}, "GX-221"),
    ("ForeachSubList", [_HALF, _OTHER, "2xf32"], {}, "GX-221"),
    ("ForeachPowScalarAndTensor", ["2xf32", _TWO], {}, "GX-221"),
    ("ForeachAddcmulScalar", [_HALF, _OTHER, _HALF, "2xf16"], {}, "GX-221"),
    ("ForeachAddcmulScalar", [_HALF, _OTHER, _SHORT, "f16"], {}, "GX-226"),
    ("ForeachAddcdivList", [_HALF, _OTHER, _HALF, "3xf16"], {}, "GX-221"),
    ("ForeachAddcdivList", [_SHORT, ["2x4xf16"], _SHORT, "1xf16"], {}, "GX-221"),
    ("ForeachLerpScalar", [_HALF, _OTHER, "3xf32"], {}, "GX-221"),
    ("ForeachLerpList", [_HALF, _OTHER, _SHORT], {}, "GX-226"),
]
