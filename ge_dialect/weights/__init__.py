"""Weights: a store of named arrays, recipes that derive new ones, and their evaluation.

`WeightStore` is loaded on first use, so that importing the package needs neither numpy nor xDSL.
Recipes are in `ge_dialect.weights.recipe` (text and tree) and `ge_dialect.weights.resolve` (making
them, their types and their values).
"""

from __future__ import annotations

from typing import Any

__all__ = ["WeightStore"]


def __getattr__(name: str) -> Any:
    if name != "WeightStore":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from ge_dialect.weights.store import WeightStore

    return WeightStore
