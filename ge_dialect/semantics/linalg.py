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

    NaN where there is one in the matrix; LAPACK takes such a matrix for singular.
    """
    x = args[0].astype(F64)
    return np.asarray(np.where(np.isnan(x).any(axis=(-2, -1)), np.nan, np.linalg.det(x)))
