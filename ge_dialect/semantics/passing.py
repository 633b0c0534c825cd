"""Golden meaning of operators that hand their input on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import Array
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]


@semantics(
    "StopGradient",
    "PreventGradient",
    "GuaranteeConst",
    "PlaceholderWithDefault",
    "PlaceHolder",
    "End",
    "MemcpyAsync",
    "MemcpyAddrAsync",
    "RefIdentity",
)
def handed_on(args: list[Any], attrs: Attrs, ctx: Context) -> Any:
    """x, a tensor or a handle."""
    return args[0]


@semantics("IdentityN")
def identity_n(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
    """All inputs."""
    return tuple(args[0])


@semantics("PhonyConcat")
def phony_concat(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """The parts behind one another."""
    if len(attrs["concat_dim"]) != 1:
        ctx.fail("several levels are not evaluated", found=attrs["N"], expected="one level")
    return np.concatenate(args[0], attrs["concat_dim"][0])


@semantics("PhonySplit")
def phony_split(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
    """Equal parts."""
    if len(attrs["split_dim"]) != 1:
        ctx.fail("several levels are not evaluated", found=attrs["num_split"], expected="one level")
    return tuple(np.split(args[0], attrs["num_split"][0], attrs["split_dim"][0]))
