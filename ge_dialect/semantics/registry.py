"""The table of golden semantics: operator type -> function.

Families load on first use of one of their operators, so that asking whether an operator has
semantics needs no numpy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ge_dialect.ops._index import MODULES
from ge_dialect.ops.registry import note_change
from ge_dialect.plugins import entries, journal

if TYPE_CHECKING:
    from ge_dialect.semantics.context import Context

SemanticsFn = Callable[[list[Any], Mapping[str, Any], "Context"], Any]

#: Operators that decide which nodes of their graph run at all, as TensorFlow 1 has them: a family.
ROUTING = frozenset(name for name, home in MODULES.items() if home == "switching")
# Operators with a class but no meaning of their own.
_WITHOUT = frozenset({"Opaque"})
_TABLE: dict[str, SemanticsFn] = {}


def _home(op_type: str) -> str | None:
    """The module that holds the library's semantics of an operator, None where it has none."""
    family = MODULES.get(op_type, "tail.")
    if family.startswith("tail.") or op_type in _WITHOUT:
        return None
    return f"ge_dialect.semantics.{family}"


def semantics(*op_types: str) -> Callable[[SemanticsFn], SemanticsFn]:
    """Decorator: the function is the golden meaning of these operator types.

    The function gets `args`, one per declared input (an array, None, or a list for a dynamic
    input), `attrs`, the attributes as Python values, and a `Context`; it returns an array or a
    tuple of arrays, one per result (a dynamic output gives as many as it has).
    """

    def register(fn: SemanticsFn) -> SemanticsFn:
        for op_type in op_types:
            home = _home(op_type)
            if fn.__module__ != home if home else op_type in _TABLE:
                raise ValueError(f"semantics of {op_type} are already given")
            _TABLE[op_type] = fn
            if home is None:
                note_change()
            journal.note("semantics", op_type, fn, lambda op_type=op_type: forget(op_type))
        return fn

    return register


def forget(op_type: str) -> None:
    """Take back semantics given by a user (for tests and notebooks)."""
    if _home(op_type):
        raise ValueError(f"the semantics of {op_type} are those of the library")
    _TABLE.pop(op_type, None)
    note_change()


def lookup(op_type: str) -> SemanticsFn | None:
    """The semantics of an operator type, None where it has none."""
    fn = _TABLE.get(op_type)
    if fn is not None:
        return fn
    home = _home(op_type)
    if home is not None:
        import_module(home)
        fn = _TABLE.get(op_type)
    elif entries.offers("semantics", op_type):
        fn = _of_plugin(op_type)
    return fn


def _of_plugin(op_type: str) -> SemanticsFn:
    found = entries.entry("semantics", op_type)

    def register(value: Any) -> str | None:
        if op_type in _TABLE:  # importing the module has registered it
            return None
        if not callable(value):
            return f"it gives {value!r:.200}, no function"
        _TABLE[op_type] = value
        journal.note("semantics", op_type, value, lambda: forget(op_type))
        return None

    value = entries.value_of(found, register)
    return _TABLE.setdefault(op_type, value)


def has_semantics(op_type: str) -> bool:
    """Whether an operator type has golden semantics; loads nothing."""
    if op_type in _TABLE or _home(op_type) is not None:
        return True
    return op_type not in _WITHOUT and entries.offers("semantics", op_type)


def missing(op_types: Iterable[str]) -> list[str]:
    """Those of `op_types` without semantics, each once, sorted."""
    return sorted({t for t in op_types if not has_semantics(t)})
