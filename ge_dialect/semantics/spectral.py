"""Golden meaning of Fourier transforms of complex numbers, in double precision.

Sums are formed in no fixed order: a transform that reads an infinity or NaN is NaN as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import Array
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]


def _transform(x: Array, transform: Callable[..., Array], axes: tuple[int, ...]) -> Array:
    if not x.size:
        return x
    fine = np.isfinite(x).all(axis=axes, keepdims=True)
    y = transform(x.astype(np.complex128), axes=axes)
    return np.where(fine, y, complex(np.nan, np.nan)).astype(x.dtype)


@semantics("FFT")
def fft(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Along the last axis."""
    return _transform(args[0], np.fft.fftn, (-1,))


@semantics("IFFT")
def ifft(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Along the last axis, backwards."""
    return _transform(args[0], np.fft.ifftn, (-1,))


@semantics("FFT2D")
def fft2d(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Along the last two axes."""
    return _transform(args[0], np.fft.fftn, (-2, -1))
