"""Examples of random numbers by key, and of further draws."""

from __future__ import annotations

from typing import Any

import numpy as np

from ge_dialect.dtypes import to_xdsl

Row = tuple[str, list[Any], dict[str, Any], list[str]]


def _n(*values: int) -> np.ndarray:
    return np.array(values, np.int64)


_ALG = np.array(1, np.int32)
_KEYED = ["1xui64", "2xui64", _ALG]
_HALF = {"dtype": to_xdsl("float16")}
ROWS: list[Row] = [
    ("StatelessRandomUniformV2", [_n(2, 3), *_KEYED], {}, ["2x3xf32"]),
    ("StatelessRandomUniformV2", ["2xi64", *_KEYED], _HALF, ["?x?xf16"]),
    ("StatelessRandomNormalV2", [_n(5), *_KEYED], {"dtype": to_xdsl("float64")}, ["5xf64"]),
    ("StatelessBernoulli", [_n(2, 3), "f32", "i64", "1xi64"], _HALF, ["2x3xf16"]),
    ("StatelessBernoulliV2", ["2x?xf16", "i64", "1xi64"], {}, ["2x?xf16"]),
    ("StatelessBernoulliV2", ["3xf32", "i64", "i64"], {"dtype": to_xdsl("bool")}, ["3xi1"]),
    ("StatelessDropOutGenMask", [_n(2, 3), "f16", "i64", "i64"], {}, ["16xui8"]),
    ("StatelessDropOutGenMask", ["2xi64", "f16", "i32", "i32", "1xi64"], {}, ["?xui8"]),
    ("StatelessRandperm", [np.array(7), "i64", "i64"], {}, ["7xi64"]),
    ("StatelessRandperm", ["i64", "i64", "i64"], {"dtype": to_xdsl("int32")}, ["?xi32"]),
    ("MultinomialWithReplacement", ["2x5xf32", "i64", "i64"], {"numsamples": 3}, ["2x3xi64"]),
    (
        "MultinomialWithReplacement",
        ["5xf64", "1xi64", "i64"],
        {"numsamples": 9, "replacement": True},
        ["9xi64"],
    ),
    ("TruncatedNormal", [_n(2, 3)], _HALF, ["2x3xf16"]),
    ("RandomShuffle", ["4x?xf32"], {}, ["4x?xf32"]),
]

REFUSED: list[tuple[str, list[Any], dict[str, Any], str]] = [
    ("StatelessRandomUniformV2", [_n(2), "2xui64", "2xui64", _ALG], {}, "GX-223"),
    ("StatelessRandomUniformV2", [_n(-2), *_KEYED], {}, "GX-223"),
    ("StatelessRandomNormalV2", [_n(2), *_KEYED], {"dtype": to_xdsl("int32")}, "GX-225"),
    ("StatelessRandomNormalV2", [_n(2), *_KEYED[:2], np.array(2, np.int32)], {}, "GX-223"),
    ("StatelessBernoulli", [_n(2), "2xf32", "i64", "i64"], {}, "GX-221"),
    ("StatelessBernoulliV2", ["2xf32", "2xi64", "i64"], {}, "GX-221"),
    ("StatelessBernoulliV2", ["2xf32", "i64", "i64"], {"dtype": to_xdsl("complex64")}, "GX-225"),
    ("StatelessDropOutGenMask", [_n(2), "f16", "2xi64", "i64"], {}, "GX-221"),
    ("StatelessRandperm", [np.array(-1), "i64", "i64"], {}, "GX-223"),
    ("MultinomialWithReplacement", ["2x5xf32", "i64", "i64"], {"numsamples": 6}, "GX-223"),
    ("MultinomialWithReplacement", ["2x1x5xf32", "i64", "i64"], {"numsamples": 1}, "GX-220"),
    ("TruncatedNormal", [_n(2)], {"dtype": to_xdsl("int8")}, "GX-225"),
    ("RandomShuffle", ["f32"], {}, "GX-220"),
]
