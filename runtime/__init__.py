"""The machine: a simulated Ascend device that gives values and times.

The stable names are here, loaded on first use so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_PUBLIC = {
    "LoadedModel": "runtime.loaded",
    "MemoryUse": "runtime.result",
    "RunResult": "runtime.result",
    "Timeline": "runtime.timeline",
    "kernel": "runtime.kernels.registry",
    "load_model": "runtime.loaded",
    "op_summary_csv": "runtime.op_summary",
    "random_inputs": "runtime.inputs",
    "simulate": "runtime.api",
    "summary": "runtime.report",
    "trace_json": "runtime.trace",
}

__all__ = sorted(_PUBLIC)


def __getattr__(name: str) -> Any:
    module = _PUBLIC.get(name)
    if module is None:
        raise AttributeError(f"module 'runtime' has no attribute '{name}'")
    value = getattr(import_module(module), name)
    globals()[name] = value
    return value
