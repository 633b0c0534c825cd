"""Examples of the operators of indexing, scattering, sorting, selection, bits and contractions."""

from __future__ import annotations

from typing import Any

import numpy as np

from ge_dialect.dtypes import to_xdsl

Row = tuple[str, list[Any], dict[str, Any], list[str]]


def _ints(*values: int) -> np.ndarray:
    return np.array(values, np.int64)


def _one(value: float, dtype: Any = np.int64) -> np.ndarray:
    return np.array(value, dtype)


_F32 = np.float32
_TWO_OF_THREE = np.array([[0], [2]])
_NGRAMS = {
    "mode": "TF",
    "min_gram_length": 1,
    "max_gram_length": 2,
    "max_skip_count": 1,
    "ngram_counts": [0, 2],
    "ngram_indexes": [0, 1, 2, 3],
    "pool_int64s": [2, 3, 5, 4, 5, 6],
}

#: Operator, inputs, attributes, result types.
ROWS: list[Row] = [
    ("StridedSliceV2", ["4x5xf32", _ints(0), _ints(3), _ints(1), _ints(2)], {}, ["4x2xf32"]),
    ("StridedSliceV2", ["4x5xf32", _ints(-1), _ints(-99), _ints(-2), _ints(-1)], {}, ["4x5xf32"]),
    ("StridedSliceV2", ["4x5xf32", _ints(1), _ints(3)], {}, ["2x5xf32"]),
    ("StridedSliceV2", ["4x5xf32", "1xi64", "1xi64", _ints(0)], {}, ["?x5xf32"]),
    ("StridedSliceV2", ["4x5xf32", "1xi64", "1xi64", "1xi64", "1xi64"], {}, ["?x?xf32"]),
    ("StridedSliceV2", ["4x5xf32", _ints(0), "1xi64", _ints(1)], {"end_mask": 1}, ["4x5xf32"]),
    ("GatherElements", ["3x4xf32", "2x4xi64"], {}, ["2x4xf32"]),
    ("GatherElements", ["3x4xf16", "3x?xi32"], {"dim": -1}, ["3x?xf16"]),
    ("GatherElements", ["*xf32", "3x2xi64"], {"dim": 1}, ["3x2xf32"]),
    ("GatherNd", ["3x4x5xf32", "6x2xi64"], {}, ["6x5xf32"]),
    ("GatherNd", ["3x4xf32", _TWO_OF_THREE], {}, ["2x4xf32"]),
    ("GatherNd", ["3x4xf32", "6x?xi64"], {}, ["*xf32"]),
    ("ScatterElements", ["3x4xf32", "2x4xi64", "2x4xf32"], {}, ["3x4xf32"]),
    ("ScatterElements", ["3x?xf16", "3x2xi32", "3x2xf16"], {"axis": 1, "reduction": "add"},
     ["3x?xf16"]),
    ("ScatterNd", ["2x1xi64", "2x4xf32", _ints(3, 4)], {}, ["3x4xf32"]),
    ("ScatterNd", ["2x1xi64", "2x4xf32", "2xi64"], {}, ["?x?xf32"]),
    ("TensorScatterUpdate", ["3x4xf32", "2x1xi64", "2x4xf32"], {}, ["3x4xf32"]),
    ("TensorScatterUpdate", ["3x4xi1", "5x2xi64", "5xi1"], {}, ["3x4xi1"]),
    ("ReverseSequence", ["4x2x3xf32", "2xi64"], {"seq_dim": 0, "batch_dim": 1}, ["4x2x3xf32"]),
    ("ReverseSequence", ["?x4xf32", "2xi32"], {"seq_dim": -1}, ["2x4xf32"]),
    ("ArgMaxV2", ["2x3x4xf32", _one(1)], {}, ["2x4xi64"]),
    ("ArgMaxV2", ["2x?xf16", _one(-1)], {"dtype": to_xdsl("int32")}, ["2xi32"]),
    ("ArgMaxV2", ["2x3x4xf32", "i64"], {}, ["?x?xi64"]),
    ("ArgMin", ["2x3xi32", _one(0)], {}, ["3xi64"]),
    ("TopK", ["2x5xf32", _one(3, np.int32)], {}, ["2x3xf32", "2x3xi32"]),
    ("TopKV2", ["2x5xf32", _one(3)], {"indices_dtype": 9}, ["2x3xf32", "2x3xi64"]),
    ("TopKV2", ["5x2xf16", "1xi64"], {"dim": 0, "largest": False}, ["?x2xf16", "?x2xi32"]),
    ("Sort", ["2x5xf32"], {}, ["2x5xf32", "2x5xi32"]),
    ("Sort", ["5x?xi8"], {"axis": 0, "descending": True}, ["5x?xi8", "5x?xi32"]),
    ("Unique", ["5xf32"], {}, ["?xf32", "5xi32"]),
    ("Unique", ["0xf32"], {}, ["0xf32", "0xi32"]),
    ("UniqueWithCounts", ["5xi64"], {"out_idx": to_xdsl("int64")}, ["?xi64", "5xi64", "?xi64"]),
    ("HostUnique", ["2x3xf32"], {}, ["?xf32", "?xi64", "6xi64", "?xi64"]),
    ("HostUnique", ["2x3xf32"], {"axis": 1, "sorted": False},
     ["2x?xf32", "?xi64", "3xi64", "?xi64"]),
    ("HostTfIdfVectorizer", ["2x6xi32"], _NGRAMS, ["2x4xf32"]),
    ("HostTfIdfVectorizer", ["6xi64"], {**_NGRAMS, "mode": "TFIDF", "weights": [1.0] * 4},
     ["4xf32"]),
    ("Cumsum", ["2x3xf32", _one(1)], {}, ["2x3xf32"]),
    ("Cumsum", ["2x?xi32", "i32"], {"exclusive": True, "reverse": True}, ["2x?xi32"]),
    ("Cumprod", ["2x3xf16", _one(-1)], {}, ["2x3xf16"]),
    ("Where", ["2x3xi1"], {}, ["?x2xi64"]),
    ("Where", ["0x3xi1"], {}, ["0x2xi64"]),
    ("NonZero", ["2x3xf32"], {}, ["?x2xi64"]),
    ("NonZero", ["2x3xf32"], {"transpose": True, "dtype": to_xdsl("int32")}, ["2x?xi32"]),
    ("MaskedSelect", ["2x3xf32", "3xi1"], {}, ["?xf32"]),
    ("MaskedFill", ["2x3xf32", "3xi1", "f32"], {}, ["2x3xf32"]),
    ("OneHot", ["2x3xi64", _one(4), "f32", "f32"], {}, ["2x3x4xf32"]),
    ("OneHot", ["2x3xi32", "i32", "1xi8", "1xi8"], {"axis": 0}, ["?x2x3xi8"]),
    ("Range", [_one(1), _one(8), _one(3)], {}, ["3xi64"]),
    ("Range", [_one(1.0, _F32), _one(0.0, _F32), _one(-0.25, _F32)], {"is_closed": True},
     ["5xf32"]),
    ("Range", ["f32", "f32", "f32"], {}, ["?xf32"]),
    ("Tril", ["2x3x4xf32"], {}, ["2x3x4xf32"]),
    ("Triu", ["3x?xi1"], {"diagonal": -1}, ["3x?xi1"]),
    ("ReverseV2", ["2x3x4xf32", _ints(0, -1)], {}, ["2x3x4xf32"]),
    ("LeftShift", ["2x1xui8", "3xui8"], {}, ["2x3xui8"]),
    ("RightShift", ["2x1xi32", "3xi32"], {}, ["2x3xi32"]),
    ("Bitcast", ["2x3xf32"], {"type": to_xdsl("int32")}, ["2x3xi32"]),
    ("Bitcast", ["2x3xf32"], {"type": to_xdsl("uint8")}, ["2x3x4xui8"]),
    ("Bitcast", ["2x4xui8"], {"type": to_xdsl("float32")}, ["2xf32"]),
    ("Bitcast", ["2x8xui8"], {"type": to_xdsl("float32"), "keep_dim": True}, ["2x2xf32"]),
    ("Einsum", [["2x3xf32", "3x4xf32"]], {"equation": "ij,jk->ik", "N": 2}, ["2x4xf32"]),
    ("Einsum", [["5x2x3xf16", "?x3x4xf16"]], {"equation": "...ij,...jk", "N": 2}, ["5x2x4xf16"]),
    ("Einsum", [["3x3xi32"]], {"equation": "ii", "N": 1}, ["i32"]),
    ("NonMaxSuppressionV6", ["1x6x4xf32", "1x2x6xf32", _ints(3), "f32", "f32"], {}, ["?x3xi32"]),
    ("NonMaxSuppressionV6", ["1x6x4xf32", "1x2x6xf32"], {"center_point_box": 1}, ["?x3xi32"]),
    ("RandomStandardNormal", [_ints(2, 3)], {"dtype": to_xdsl("float32")}, ["2x3xf32"]),
    ("RandomStandardNormal", ["2xi64"], {"dtype": to_xdsl("float16")}, ["?x?xf16"]),
    ("Multinomial", ["2x5xf32", _one(7, np.int32)], {}, ["2x7xi64"]),
    ("Acosh", ["2x?xf32"], {}, ["2x?xf32"]),
    ("Asinh", ["2x3xf16"], {}, ["2x3xf16"]),
    ("Atanh", ["2x3xf32"], {}, ["2x3xf32"]),
]  # fmt: skip

#: Operator, inputs, attributes, code of the refusal.
REFUSED: list[tuple[str, list[Any], dict[str, Any], str]] = [
    ("StridedSliceV2", ["4x5xf32", _ints(0), _ints(3), _ints(2)], {}, "GX-222"),
    ("StridedSliceV2", ["4x5xf32", _ints(0, 0), _ints(3, 3), _ints(1, 1)], {}, "GX-222"),
    ("StridedSliceV2", ["4x5xf32", _ints(0, 0), _ints(3), _ints(1)], {}, "GX-224"),
    ("StridedSliceV2", ["4xf32", _ints(0), _ints(3), _ints(0), _ints(0)], {}, "GX-223"),
    ("StridedSliceV2", ["4xf32", _ints(0), _ints(3), _ints(0)], {"shrink_axis_mask": 1}, "GX-223"),
    ("GatherElements", ["3x4xf32", "4xi64"], {}, "GX-220"),
    ("GatherElements", ["3x4xf32", "3x5xi64"], {}, "GX-227"),
    ("GatherElements", ["f32", "i64"], {}, "GX-220"),
    ("GatherElements", ["3x4xf32", "3x4xi64"], {"dim": 2}, "GX-222"),
    ("GatherNd", ["3x4xf32", "6x3xi64"], {}, "GX-221"),
    ("GatherNd", ["3x4xf32", "i64"], {}, "GX-220"),
    ("ScatterElements", ["3x4xf32", "2x4xi64", "2x3xf32"], {}, "GX-221"),
    ("ScatterElements", ["3x4xf32", "2x5xi64", "2x5xf32"], {}, "GX-227"),
    ("ScatterElements", ["3x4xf32", "2x4xi64", "2x4xf32"], {"reduction": "mean"}, "GX-223"),
    ("ScatterNd", ["2x1xi64", "2x5xf32", _ints(3, 4)], {}, "GX-221"),
    ("ScatterNd", ["2x1xi64", "2x4xf32", _ints(3, -4)], {}, "GX-223"),
    ("TensorScatterUpdate", ["3x4xf32", "2x1xi64", "2x3xf32"], {}, "GX-221"),
    ("ReverseSequence", ["4x2xf32", "3xi64"], {"seq_dim": 0, "batch_dim": 1}, "GX-221"),
    ("ReverseSequence", ["4x2xf32", "4xi64"], {"seq_dim": 0}, "GX-223"),
    ("ArgMaxV2", ["2x3xf32", _one(2)], {}, "GX-222"),
    ("ArgMaxV2", ["2x0xf32", _one(1)], {}, "GX-227"),
    ("ArgMin", ["2x3xf32", _one(0)], {"dtype": to_xdsl("float32")}, "GX-225"),
    ("TopKV2", ["2x3xf32", _one(4)], {}, "GX-227"),
    ("TopKV2", ["2x3xf32", _one(-1)], {}, "GX-223"),
    ("TopKV2", ["2x3xf32", _ints(1, 1)], {}, "GX-221"),
    ("TopKV2", ["2x3xf32", _one(1)], {"indices_dtype": 0}, "GX-225"),
    ("Sort", ["2x3xf32"], {"axis": 2}, "GX-222"),
    ("Unique", ["2x3xf32"], {}, "GX-220"),
    ("HostUnique", ["2x3xf32"], {"axis": 2}, "GX-222"),
    ("HostTfIdfVectorizer", ["2x6xi32"], {**_NGRAMS, "mode": "DF"}, "GX-223"),
    ("HostTfIdfVectorizer", ["2x6xi32"], {**_NGRAMS, "ngram_indexes": [0]}, "GX-224"),
    ("Cumsum", ["2x3xf32", _one(2)], {}, "GX-222"),
    ("NonZero", ["2x3xf32"], {"dtype": to_xdsl("float32")}, "GX-225"),
    ("MaskedSelect", ["2x3xf32", "2xi1"], {}, "GX-221"),
    ("MaskedFill", ["2x3xf32", "3xi1", "3xf32"], {}, "GX-221"),
    ("OneHot", ["2x3xi64", _one(-4), "f32", "f32"], {}, "GX-223"),
    ("OneHot", ["2x3xi64", _one(4), "2xf32", "f32"], {}, "GX-221"),
    ("OneHot", ["2x3xi64", _one(4), "f32", "f32"], {"axis": 3}, "GX-222"),
    ("Range", [_one(1), _one(8), _one(0)], {}, "GX-223"),
    ("Range", ["2xf32", "f32", "f32"], {}, "GX-221"),
    ("Tril", ["3xf32"], {}, "GX-220"),
    ("ReverseV2", ["2x3xf32", _ints(0, -2)], {}, "GX-222"),
    ("LeftShift", ["2xi8", "3xi8"], {}, "GX-221"),
    ("Bitcast", ["3xf32"], {"type": to_xdsl("float64")}, "GX-221"),
    ("Einsum", [["2x3xf32", "4x4xf32"]], {"equation": "ij,jk->ik", "N": 2}, "GX-221"),
    ("Einsum", [["2x3xf32"]], {"equation": "ijk->i", "N": 1}, "GX-220"),
    ("Einsum", [["2x3xf32"]], {"equation": "ij->k", "N": 1}, "GX-223"),
    ("Einsum", [["2x3xf32"]], {"equation": "ij,jk", "N": 1}, "GX-226"),
    ("NonMaxSuppressionV6", ["1x6x5xf32", "1x2x6xf32"], {}, "GX-221"),
    ("NonMaxSuppressionV6", ["1x6x4xf32", "1x2x5xf32"], {}, "GX-221"),
    ("RandomStandardNormal", [_ints(-1)], {"dtype": to_xdsl("float32")}, "GX-223"),
    ("Multinomial", ["5xf32", _one(7, np.int32)], {}, "GX-220"),
]  # fmt: skip
