"""Tests of types that say what a container holds as far as one can: anything.

After `isinstance` alone the items of what was `Any` are of no known type, and so is all that is
made from them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing_extensions import TypeIs
    from xdsl.dialects.builtin import DenseIntOrFPElementsAttr


def is_list(value: object) -> TypeIs[list[Any]]:
    """Whether a value is a list."""
    return isinstance(value, list)


def is_tuple(value: object) -> TypeIs[tuple[Any, ...]]:
    """Whether a value is a tuple."""
    return isinstance(value, tuple)


def is_sequence(value: object) -> TypeIs[Sequence[Any]]:
    """Whether a value is a sequence; text is one."""
    return isinstance(value, Sequence)


def as_list(what: Any) -> list[Any]:
    """The items of a list or tuple, as a new list; of any other value, itself alone."""
    return list(what) if is_list(what) or is_tuple(what) else [what]


def is_dense(value: object) -> TypeIs[DenseIntOrFPElementsAttr[Any]]:
    """Whether a value is an attribute that holds the numbers of a tensor."""
    from xdsl.dialects.builtin import DenseIntOrFPElementsAttr

    return isinstance(value, DenseIntOrFPElementsAttr)


def is_wrapped(value: object) -> TypeIs[staticmethod[..., Any] | classmethod[Any, ..., Any]]:
    """Whether a value is a function that a class holds as a static or class method."""
    return isinstance(value, staticmethod | classmethod)


def is_object(value: object) -> TypeIs[dict[str, Any]]:
    """Whether a value is a JSON object."""
    return isinstance(value, dict)


__all__ = [
    "as_list",
    "is_dense",
    "is_list",
    "is_object",
    "is_sequence",
    "is_tuple",
    "is_wrapped",
]
