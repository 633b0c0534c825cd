"""What the compiler knows about the machine: SoC files, engines, op library, cost model."""

from __future__ import annotations

from importlib import import_module
from typing import Any

_WHERE = {
    "Cost": "cost",
    "SoC": "soc_file",
    "claiming_engine": "engines",
    "engine_refusal": "engines",
    "kernel_cost": "cost",
    "load_soc": "soc_file",
    "soc_names": "soc_file",
    "task_cost": "cost",
}


def __getattr__(name: str) -> Any:
    where = _WHERE.get(name)
    if where is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"ge_dialect.target.{where}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(_WHERE)
