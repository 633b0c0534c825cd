"""Stands in for GE's Python package while a file is loaded, where that is not installed.

A file that says ``from ge.passes import PatternFusionPass`` or ``from ge.es.math import MatMul``
then gets the classes of `passes.ge_adapter`. The modules exist only during loading; a name of GE's
that has no counterpart is an ImportError, as GE's own samples expect of a missing one.
"""

from __future__ import annotations

import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any, cast

_ES = ("all", "math", "nn", "array", "control", "image", "random", "transformer", "logging")
_MODULES = (
    "ge",
    "ge.passes",
    "ge.graph",
    "ge.graph.types",
    "ge.es",
    "ge.es.graph_builder",
    "ge.es.tensor_holder",
    *(f"ge.es.{name}" for name in _ES),
)
#: Names whose counterpart is called otherwise here.
_RENAMED = {"Node": "NodeView"}


class _Module(ModuleType):
    """A module whose names are looked up when they are asked for."""

    def __getattr__(self, name: str) -> Any:
        import passes.ge_adapter as adapter

        if name.startswith("__"):
            raise AttributeError(name)
        if f"{self.__name__}.{name}" in _MODULES:
            import importlib

            return importlib.import_module(f"{self.__name__}.{name}")
        found = _RENAMED.get(name, name)
        if found in adapter.__all__:
            return getattr(adapter, found)
        if self.__name__.startswith("ge.es"):
            return getattr(adapter.es, name)
        raise AttributeError(f"{self.__name__} of this project has no {name}")


class _Finder:
    """Finds the stand-ins; everything under `ge` that is none is missing."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: Any = None) -> Any:
        """The spec of a stand-in, None for any other module."""
        if name not in _MODULES:
            return None
        return ModuleSpec(name, cast("Any", _Finder), is_package=True)

    @staticmethod
    def create_module(spec: ModuleSpec) -> ModuleType:
        """An empty module that looks names up."""
        return _Module(spec.name)

    @staticmethod
    def exec_module(module: ModuleType) -> None:
        """Nothing is to be run."""


@contextmanager
def ge_modules() -> Generator[None]:
    """Provide GE's modules in the block, unless GE is installed."""
    if "ge" in sys.modules or find_spec("ge") is not None:
        yield
        return
    finder: Any = _Finder
    sys.meta_path.append(finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for name in _MODULES:
            sys.modules.pop(name, None)
