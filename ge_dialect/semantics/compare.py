"""Whether two runs agree (`docs/numerics.md`, "Comparing")."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def relative_error(got: Array, want: Array) -> float:
    """max|got - want| / max|want| over the finite elements.

    0 where nothing differs; infinite where shapes or the places of NaN and infinities differ, where
    integers, bools or strings differ at all, and where `want` is all zero and `got` is not.
    """
    if got.shape != want.shape:
        return float("inf")
    if got.dtype.kind in "iubOSU" and want.dtype.kind in "iubOSU":
        return 0.0 if np.array_equal(got, want) else float("inf")
    wide = np.complex128 if "c" in (got.dtype.kind, want.dtype.kind) else np.float64
    with np.errstate(invalid="ignore"):  # a signalling NaN becomes a quiet one
        a, b = got.astype(wide), want.astype(wide)
    finite = np.isfinite(a)
    if not np.array_equal(a[~finite], b[~finite], equal_nan=True):
        return float("inf")
    if not np.isfinite(b[finite]).all():
        return float("inf")
    difference = float(np.abs(a[finite] - b[finite]).max(initial=0.0))
    if difference == 0:
        return 0.0
    largest = float(np.abs(b[finite]).max(initial=0.0))
    return difference / largest if largest else float("inf")


def agree(got: Array, want: Array, tolerance: float) -> bool:
    """Whether `relative_error` is at most `tolerance`."""
    return relative_error(got, want) <= tolerance
