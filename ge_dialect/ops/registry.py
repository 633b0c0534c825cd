"""Operator types by name: the generated index, classes made from data, operators of the user and
of plug-ins.

Nothing is loaded before a name is asked for: `op_class("Conv2D")` imports the family file, or
makes a class of the same kind from an entry of a tail file.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from itertools import count
from typing import TYPE_CHECKING, Any

from ge_dialect.ops._index import MODULES
from ge_dialect.plugins import entries, journal

if TYPE_CHECKING:
    from ge_dialect.ir.base import GeOp

_classes: dict[str, type[GeOp]] = {}
_user: dict[str, type[GeOp]] = {}
_states = count(1)
_state = 0


def op_class(op_type: str) -> type[GeOp]:
    """The class of operator type `op_type` ("Conv2D"); KeyError for an unknown one.

    Raises `GeError` GX-020 to GX-022 for one of a plug-in that is broken.
    """
    found = _classes.get(op_type)
    if found is None:
        found = _classes[op_type] = _load(op_type)
    return found


def _load(op_type: str) -> type[GeOp]:
    where = MODULES.get(op_type)
    if where is None:
        if entries.offers("operators", op_type):
            return _of_plugin(op_type)
        raise KeyError(f"no operator of type {op_type}")
    module = import_module(f"ge_dialect.ops.{where}")
    if where.startswith("tail."):
        from ge_dialect.ops.from_data import class_from_data

        return class_from_data(op_type, module.OPS[op_type])
    return getattr(module, op_type)


def _of_plugin(op_type: str) -> type[GeOp]:
    from ge_dialect.ir.base import GeOp

    found = entries.entry("operators", op_type)

    def register(value: Any) -> str | None:
        if op_type in _user:  # importing the module has registered it
            return None
        if isinstance(value, Mapping):
            value = {"name": op_type, **value}
        elif not isinstance(value, type) or not issubclass(value, GeOp):
            return f"it gives {value!r:.200}, no operator class"
        name = value["name"] if isinstance(value, Mapping) else value.name.removeprefix("ge.")
        if name != op_type:
            return f"the operator is called '{name}'"
        try:
            register_op(value)
        except (ValueError, TypeError, KeyError) as error:
            return str(error)
        return None

    entries.value_of(found, register)
    if op_type not in _user:  # taken back, while the entry's value is kept
        register(entries.value_of(found))
    return _user[op_type]


def has_op(op_type: str) -> bool:
    """True for an operator of the library, one registered by the user, or one of a plug-in."""
    return op_type in MODULES or op_type in _user or entries.offers("operators", op_type)


def registered(op_type: str) -> type[GeOp] | None:
    """The class of an operator registered by the user or a plug-in; None for any other name."""
    return _user.get(op_type)


def op_names() -> list[str]:
    """All operator types of the library and those registered, sorted.

    Those of a plug-in count once one of them is used, so that what draws operators at random does
    not depend on what is installed.
    """
    return sorted({*MODULES, *_user})


def op_state() -> int:
    """A number for the operators there are: part of the key of what is kept about operators.

    It is 0 while the user has none, and another one after each change to those the user has.
    """
    return _state


def note_change() -> None:
    """An operator of the user's, or what is known of one, was given or taken back."""
    global _state
    _state = next(_states) if _user else 0


def op_family(op_type: str) -> str:
    """Where an operator is defined: "conv", "tail.transformer", "user"; KeyError if unknown."""
    return "user" if op_type in _user else MODULES[op_type]


def register_op(definition: Mapping[str, Any] | type[GeOp]) -> type[GeOp]:
    """Add an operator of the user's: a class made with `@ge_op`, or its description as data.

    Data has the form of the tail files (see `from_data`) plus `"name"`, the operator type. Usable
    as a decorator above `@ge_op`. Raises ValueError where the type exists already or the
    description is wrong.
    """
    if isinstance(definition, type):
        op_type, cls = definition.name.removeprefix("ge."), definition
        if definition.name == op_type:
            raise ValueError(f"operator name {op_type!r} must start with 'ge.'")
    else:
        from ge_dialect.ops.from_data import class_from_data

        data = dict(definition)
        op_type = data.pop("name", None)
        if not isinstance(op_type, str) or not op_type.isidentifier():
            raise ValueError(f"operator name {op_type!r} is no identifier")
        exists = op_type in MODULES or op_type in _user
        cls = None if exists else class_from_data(op_type, data)
    if cls is None or op_type in MODULES or op_type in _user:
        raise ValueError(f"operator type {op_type} exists already")
    _user[op_type] = _classes[op_type] = cls
    note_change()
    made = definition if isinstance(definition, type) else None
    journal.note("operator", op_type, made, lambda: unregister_op(op_type))
    return cls


def unregister_op(op_type: str) -> None:
    """Forget an operator of the user's (for tests and notebooks); KeyError for another one."""
    del _user[op_type]
    del _classes[op_type]
    note_change()
