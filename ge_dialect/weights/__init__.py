"""Weights: a store of named arrays, recipes that derive new ones, and their evaluation.

Names are loaded on first use, so that importing the package needs neither numpy nor xDSL.
"""

from __future__ import annotations

from typing import Any

_HOME = {
    "Entry": "index",
    "WeightStore": "store",
    "Call": "recipe",
    "Const": "recipe",
    "Ref": "recipe",
    "parse_recipe": "recipe",
    "print_recipe": "recipe",
    "recipe_names": "recipe",
    "recipe": "resolve",
    "const_term": "resolve",
    "describe": "resolve",
    "resolve": "resolve",
    "weight": "resolve",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{home}"), name)
