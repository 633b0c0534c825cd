"""The compiler: passes over the `ge` dialect, pipelines and the driver.

The stable names are here, loaded on first use so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from passes.base import Contract, Pass, PassResult, precision
    from passes.context import PassContext
    from passes.manager import run_pipeline
    from passes.pipeline import Pipeline, parse_pipeline
    from passes.plugins import load, unload
    from passes.registry import pass_class, pass_names, register_pass
    from passes.stages import register_pipeline

_PUBLIC = {
    "Contract": "passes.base",
    "Pass": "passes.base",
    "PassContext": "passes.context",
    "PassResult": "passes.base",
    "Pipeline": "passes.pipeline",
    "load": "passes.plugins",
    "parse_pipeline": "passes.pipeline",
    "pass_class": "passes.registry",
    "pass_names": "passes.registry",
    "precision": "passes.base",
    "register_pass": "passes.registry",
    "register_pipeline": "passes.stages",
    "run_pipeline": "passes.manager",
    "unload": "passes.plugins",
}

__all__ = [
    "Contract",
    "Pass",
    "PassContext",
    "PassResult",
    "Pipeline",
    "load",
    "parse_pipeline",
    "pass_class",
    "pass_names",
    "precision",
    "register_pass",
    "register_pipeline",
    "run_pipeline",
    "unload",
]


def __getattr__(name: str) -> Any:
    module = _PUBLIC.get(name)
    if module is None:
        raise AttributeError(f"module 'passes' has no attribute '{name}'")
    value = getattr(import_module(module), name)
    globals()[name] = value
    return value
