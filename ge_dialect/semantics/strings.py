"""Golden meaning of the lengths of strings, and of printing them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import Array
from ge_dialect.semantics.registry import semantics


@semantics("StringLength")
def string_length(args: list[Any], attrs: Mapping[str, Any], ctx: Context) -> Array:
    """Bytes or characters; text is UTF-8."""
    (x,) = args
    found = []
    for text in x.reshape(-1).tolist():
        if attrs["unit"] == "BYTE":
            found.append(len(text if isinstance(text, bytes) else text.encode()))
        else:
            found.append(len(text.decode() if isinstance(text, bytes) else text))
    return np.array(found, np.int32).reshape(x.shape)


@semantics("PrintV2")
def print_v2(args: list[Any], attrs: Mapping[str, Any], ctx: Context) -> tuple[Any, ...]:
    """Hands the text to the run's state."""
    text = args[0].reshape(-1).tolist()[0]
    shown = text.decode(errors="replace") if isinstance(text, bytes) else str(text)
    ctx.state.printed.append((ctx.node_name, shown))
    return ()
