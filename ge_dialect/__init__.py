"""The language: `ge` and `rt` dialects, operators, layouts, golden semantics, targets, importers.

The names below are the stable Python surface; everything else may move. They are loaded on first
use, so importing the package costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ge_dialect.api import Model, evaluate, load, save
    from ge_dialect.diagnostics import Diagnostic, GeError
    from ge_dialect.views import GraphView, InAnchor, NodeView, OutAnchor, view

__version__ = "0.1.0"

_PUBLIC = {
    "Diagnostic": "ge_dialect.diagnostics",
    "GeError": "ge_dialect.diagnostics",
    "GraphView": "ge_dialect.views",
    "InAnchor": "ge_dialect.views",
    "Model": "ge_dialect.api",
    "NodeView": "ge_dialect.views",
    "OutAnchor": "ge_dialect.views",
    "evaluate": "ge_dialect.api",
    "load": "ge_dialect.api",
    "save": "ge_dialect.api",
    "view": "ge_dialect.views",
}

__all__ = [
    "Diagnostic",
    "GeError",
    "GraphView",
    "InAnchor",
    "Model",
    "NodeView",
    "OutAnchor",
    "__version__",
    "evaluate",
    "load",
    "save",
    "view",
]


def __getattr__(name: str) -> Any:
    where = _PUBLIC.get(name)
    if where is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(where), name)
