"""Examples of the feed-forward layer of a transformer."""

from __future__ import annotations

from typing import Any

import numpy as np

Row = tuple[str, list[Any], dict[str, Any], list[str]]

_W, _E = ["4x6xf16", "6x5xf16"], ["2x4x6xf16", "2x6x5xf16"]
_COUNTS, _ENDS = np.array([1, 2], np.int64), np.array([0, 3], np.int64)

ROWS: list[Row] = [
    ("FFN", ["3x4xf16", *_W], {"activation": "gelu"}, ["3x5xf16"]),
    ("FFN", ["2x?x4xf16", *_W, None, "6xf16", "5xf16"], {"activation": "fastgelu"},
     ["2x?x5xf16"]),
    ("FFN", ["3x4xf16", "4x12xf16", "6x5xf16"], {"activation": "swiglu"}, ["3x5xf16"]),
    ("FFN", ["3x4xf16", *_E, _COUNTS, "2x6xf16", "2x5xf16"], {"activation": "silu"}, ["3x5xf16"]),
    ("FFN", ["3x4xf16", *_E, _ENDS], {"activation": "relu", "tokens_index_flag": True},
     ["3x5xf16"]),
]  # fmt: skip

_RELU = {"activation": "relu"}
REFUSED: list[tuple[str, list[Any], dict[str, Any], str]] = [
    ("FFN", ["3x4xf16", *_W], {"activation": "tanh"}, "GX-223"),
    ("FFN", ["3x4xf16", *_W], {**_RELU, "output_dtype": 1}, "GX-223"),
    ("FFN", ["3x4xf16", *_E, _COUNTS], {"activation": "geglu"}, "GX-223"),
    ("FFN", ["4xf16", *_W], _RELU, "GX-220"),
    ("FFN", ["3x4xf16", *_E], _RELU, "GX-220"),
    ("FFN", ["3x3xf16", *_W], _RELU, "GX-221"),
    ("FFN", ["3x4xf16", "4x5xf16", "5x5xf16"], {"activation": "reglu"}, "GX-221"),
    ("FFN", ["3x4xf16", "4x6xf16", "6x5xf16"], {"activation": "reglu"}, "GX-221"),
    ("FFN", ["3x4xf16", *_W, None, "5xf16"], _RELU, "GX-221"),
    ("FFN", ["3x4xf16", *_W, None, None, "6xf16"], _RELU, "GX-221"),
    ("FFN", ["3x4xf16", *_E, "3xi64"], _RELU, "GX-221"),
    ("FFN", ["3x4xf16", *_E, "2xi64", "3x6xf16"], _RELU, "GX-221"),
]
