"""Operator types by name: the generated index, classes made from data, operators of the user.

Nothing is loaded before a name is asked for: `op_class("Conv2D")` imports the family file, or
makes a class of the same kind from an entry of a tail file.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ge_dialect.ops._index import MODULES

if TYPE_CHECKING:
    from ge_dialect.ir.base import GeOp

_classes: dict[str, type[GeOp]] = {}
_user: dict[str, type[GeOp]] = {}


def op_class(op_type: str) -> type[GeOp]:
    """The class of operator type `op_type` ("Conv2D"); KeyError for an unknown one."""
    found = _classes.get(op_type)
    if found is None:
        found = _classes[op_type] = _load(op_type)
    return found


def _load(op_type: str) -> type[GeOp]:
    where = MODULES.get(op_type)
    if where is None:
        raise KeyError(f"no operator of type {op_type}")
    module = import_module(f"ge_dialect.ops.{where}")
    if where.startswith("tail."):
        from ge_dialect.ops.from_data import class_from_data

        return class_from_data(op_type, module.OPS[op_type])
    return getattr(module, op_type)


def has_op(op_type: str) -> bool:
    """True for an operator of the library or one registered by the user."""
    return op_type in MODULES or op_type in _user


def op_names() -> list[str]:
    """All operator types, sorted."""
    return sorted({*MODULES, *_user})


def op_count() -> int:
    """How many operator types there are; changes when the user registers one."""
    return len(MODULES) + len(_user)


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
        cls = None if has_op(op_type) else class_from_data(op_type, data)
    if cls is None or has_op(op_type):
        raise ValueError(f"operator type {op_type} exists already")
    _user[op_type] = _classes[op_type] = cls
    return cls


def unregister_op(op_type: str) -> None:
    """Forget an operator of the user's (for tests and notebooks); KeyError for another one."""
    del _user[op_type]
    del _classes[op_type]
