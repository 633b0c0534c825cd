"""Examples of latent keys and values on their way into a cache."""

from __future__ import annotations

from typing import Any

Row = tuple[str, list[Any], dict[str, Any], list[str]]

_KV = ["2x1x3x8xf16", "4xf16", "2x1x3x4xf16", "2x1x3x4xf16"]
_NORM = ["2x3xi64", "&3x1x5x4xf16", "&3x1x5x4xf16"]
_PAGED = ["6xi64", "&4x2x1x4xf16", "&4x2x1x4xf16"]

ROWS: list[Row] = [
    ("KvRmsNormRopeCache", [*_KV, *_NORM], {},
     ["&3x1x5x4xf16", "&3x1x5x4xf16", "2x1x3x4xf16", "2x1x3x4xf16"]),
    ("KvRmsNormRopeCache", [*_KV, *_PAGED], {"cache_mode": "PA", "is_output_kv": True},
     ["&4x2x1x4xf16", "&4x2x1x4xf16", "2x1x3x4xf16", "2x1x3x4xf16"]),
    ("KvRmsNormRopeCache",
     ["2x1x?x6xf32", "2xf32", "2x1x1x4xf32", "2x1x1x4xf32", "2x?xi64", "&2x1x5x4xf32",
      "&2x1x5x2xf32"], {},
     ["&2x1x5x4xf32", "&2x1x5x2xf32", "2x1x?x4xf32", "2x1x?x2xf32"]),
]  # fmt: skip

_BAD: list[tuple[list[Any], dict[str, Any], str]] = [
    (["2x3x8xf16", *_KV[1:], *_NORM], {}, "GX-220"),
    ([_KV[0], "3xf16", *_KV[2:], *_NORM], {}, "GX-221"),
    ([_KV[0], "9xf16", *_KV[2:], *_NORM], {}, "GX-221"),
    ([*_KV[:2], "2x1x2x4xf16", _KV[3], *_NORM], {}, "GX-221"),
    ([*_KV[:3], "2x1x3x2xf16", *_NORM], {}, "GX-221"),
    ([*_KV, "2x2xi64", *_NORM[1:]], {}, "GX-221"),
    ([*_KV, "6xi64", *_NORM[1:]], {}, "GX-220"),
    ([*_KV, _NORM[0], "&1x1x5x4xf16", _NORM[2]], {}, "GX-221"),
    ([*_KV, _NORM[0], "&3x2x5x4xf16", _NORM[2]], {}, "GX-221"),
    ([*_KV, *_NORM[:2], "&3x1x5x3xf16"], {}, "GX-221"),
    ([*_KV, *_NORM[:2], "&3x1x5x4xf32"], {}, "GX-225"),
    ([*_KV, "5xi64", *_PAGED[1:]], {"cache_mode": "PA_BNSD"}, "GX-221"),
    ([*_KV, *_NORM], {"cache_mode": "NZ"}, "GX-223"),
]
REFUSED: list[tuple[str, list[Any], dict[str, Any], str]] = [
    ("KvRmsNormRopeCache", *bad) for bad in _BAD
]
