"""All operators of GE as functions: `ge.Conv2D(x, w, strides=[1, 1, 1, 1])`.

What they take and give stands in `ge.pyi`, which is generated from the operators' classes; here
each is made when its name is first asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ge_dialect.ops._index import MODULES

#: functions of the library's operators; those of the user's come and go
_made: dict[str, Callable[..., Any]] = {}


def __getattr__(name: str) -> Callable[..., Any]:
    found = _made.get(name)
    if found is None:
        found = _operator(name)
        if name in MODULES:
            _made[name] = found
    return found


def _operator(name: str) -> Callable[..., Any]:
    from ge_dialect.ops.registry import has_op, op_class, op_names

    if name.startswith("_") or not has_op(name):
        from ge_dialect.builder.foreign import FOREIGN, written_here
        from ge_dialect.spelling import nearest

        near = None if name.lower() in FOREIGN else nearest(name, op_names())
        told = None if name.startswith("_") else written_here(name)
        hint = f"; did you mean ge.{near}?" if near else f"; here it is {told}" if told else ""
        raise AttributeError(f"GE has no operator {name!r}{hint}")
    cls = op_class(name)

    def operator(*args: Any, **kwargs: Any) -> Any:
        from ge_dialect.builder.calls import call

        return call(name, args, kwargs)

    operator.__name__ = operator.__qualname__ = name
    operator.__doc__ = cls.__doc__
    return operator


def __dir__() -> list[str]:
    from ge_dialect.ops.registry import op_names

    return sorted(op_names())
