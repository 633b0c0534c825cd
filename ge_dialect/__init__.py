"""The language: `ge` and `rt` dialects, operators, layouts, golden semantics, targets, importers.

The names below are the stable Python surface; everything else may move. They are loaded on first
use, so importing the package costs next to nothing.
"""

from __future__ import annotations

from typing import Any

__version__ = "0.1.0"

_PUBLIC = {
    "Model": "ge_dialect.api",
    "load": "ge_dialect.api",
    "save": "ge_dialect.api",
    "evaluate": "ge_dialect.api",
    "GeError": "ge_dialect.diagnostics",
    "Diagnostic": "ge_dialect.diagnostics",
}

__all__ = ["__version__", *_PUBLIC]  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    where = _PUBLIC.get(name)
    if where is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(where), name)
