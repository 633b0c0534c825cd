"""Golden meaning of linear algebra beyond products."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import F64, Array
from ge_dialect.semantics.registry import semantics


@semantics("MatrixDeterminant")
def matrix_determinant(args: list[Any], attrs: Mapping[str, Any], ctx: Context) -> Array:
    """Determinants by LAPACK's factorisation in f64; 1 for matrices without elements.

    NaN of matrices with a NaN or infinity, as no order of elimination is fixed; of one element that
    element.
    """
    x = args[0].astype(F64)
    lost = ~np.isfinite(x).all(axis=(-2, -1))
    if x.shape[-1] == 1:
        return x[..., 0, 0]
    return np.asarray(np.where(lost, np.nan, np.linalg.det(x)))
