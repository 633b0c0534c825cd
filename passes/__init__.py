"""The compiler: passes over the `ge` dialect, pipelines and the driver.

The stable names are here, loaded on first use so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

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

__all__ = sorted(_PUBLIC)


def __getattr__(name: str) -> Any:
    module = _PUBLIC.get(name)
    if module is None:
        raise AttributeError(f"module 'passes' has no attribute '{name}'")
    value = getattr(import_module(module), name)
    globals()[name] = value
    return value
