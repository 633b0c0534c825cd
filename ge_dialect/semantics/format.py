"""Golden meaning of layout conversions: none, since values here are logical tensors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import Array, finish, shadowed
from ge_dialect.semantics.registry import semantics


@semantics("TransData")
def trans_data(args: list[Any], attrs: Mapping[str, Any], ctx: Context) -> Array:
    """x; only its storage changes."""
    return args[0]


@semantics("Reinterpret")
def reinterpret(args: list[Any], attrs: Mapping[str, Any], ctx: Context) -> Array:
    """The bytes of x as a tensor of the declared type."""
    from ge_dialect.dtypes import numpy_dtype
    from ge_dialect.ir.types import elem_of

    x, shape = args[0], ctx.out_shape(0)
    target = numpy_dtype(elem_of(ctx.out_types[0])) if ctx.out_types else x.dtype
    source = numpy_dtype(elem_of(ctx.arg_types[0])) if ctx.arg_types else x.dtype
    if source != target:
        flat = np.ascontiguousarray(finish(x, source)).reshape(-1)
        x = flat.view(target).astype(shadowed(target, ctx.compute_dtype), copy=False)
        shape = x.shape if shape is None else shape
    if shape is None or x.shape == tuple(shape):
        return x
    return x.reshape(shape)
