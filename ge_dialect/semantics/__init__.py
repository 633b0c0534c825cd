"""Golden semantics: what every operator means, as numpy functions, and an evaluator of graphs.

`has_semantics`, `semantics` and `missing` are cheap; the rest loads numpy on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ge_dialect.semantics.registry import has_semantics, lookup, missing, semantics

_WHERE = {
    "Budget": "budget",
    "agree": "compare",
    "relative_error": "compare",
    "Context": "context",
    "EvalResult": "evaluator",
    "Ref": "context",
    "State": "context",
    "apply_op": "single",
    "cast": "numerics",
    "check_semantics": "evaluator",
    "evaluate_graph": "evaluator",
    "evaluate_ranks": "ranks",
    "fold_op": "single",
    "limited": "budget",
}

__all__ = [
    "Budget",
    "Context",
    "EvalResult",
    "Ref",
    "State",
    "agree",
    "apply_op",
    "cast",
    "check_semantics",
    "evaluate_graph",
    "evaluate_ranks",
    "fold_op",
    "has_semantics",
    "limited",
    "lookup",
    "missing",
    "relative_error",
    "semantics",
]


def __getattr__(name: str) -> Any:
    where = _WHERE.get(name)
    if where is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{where}"), name)
    globals()[name] = value
    return value
