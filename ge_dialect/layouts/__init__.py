"""Tensor layouts: storage shapes and element placement of logical tensors.

    storage_shape((1, 64, 56, 56), "float16", Layout("NC1HWC0"))   # (1, 4, 56, 56, 16)

Importing this package does not import numpy; `to_storage` and `from_storage` need it.
"""

from __future__ import annotations

from ge_dialect.layouts.formats import (
    FORMAT_NAMES,
    FORMAT_NUMBERS,
    HEAVY_FORMATS,
    ORIGIN_FORMATS,
    Layout,
    LayoutError,
    LayoutLike,
    default_origin,
    is_heavy,
    pack_format,
    unpack_format,
)
from ge_dialect.layouts.placement import from_storage, to_storage
from ge_dialect.layouts.shapes import (
    c0_of,
    element_bits,
    origin_of,
    reserved_bytes,
    storage_bytes,
    storage_shape,
)

__all__ = [
    "FORMAT_NAMES",
    "FORMAT_NUMBERS",
    "HEAVY_FORMATS",
    "ORIGIN_FORMATS",
    "Layout",
    "LayoutError",
    "LayoutLike",
    "c0_of",
    "default_origin",
    "element_bits",
    "from_storage",
    "is_heavy",
    "origin_of",
    "pack_format",
    "reserved_bytes",
    "storage_bytes",
    "storage_shape",
    "to_storage",
    "unpack_format",
]
