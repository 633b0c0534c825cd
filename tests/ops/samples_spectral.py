"""Examples of Fourier transforms of complex numbers."""

from __future__ import annotations

from typing import Any

Row = tuple[str, list[Any], dict[str, Any], list[str]]

ROWS: list[Row] = [
    ("FFT", ["2x5xc64"], {}, ["2x5xc64"]),
    ("FFT", ["?xc128"], {}, ["?xc128"]),
    ("IFFT", ["3x2x6xc128"], {}, ["3x2x6xc128"]),
    ("IFFT", ["0x3xc64"], {}, ["0x3xc64"]),
    ("FFT2D", ["2x3x4xc64"], {}, ["2x3x4xc64"]),
    ("FFT2D", ["?x5xc128"], {}, ["?x5xc128"]),
]

REFUSED: list[tuple[str, list[Any], dict[str, Any], str]] = [
    ("FFT", ["c64"], {}, "GX-220"),
    ("IFFT", ["c128"], {}, "GX-220"),
    ("FFT2D", ["3xc64"], {}, "GX-220"),
]
