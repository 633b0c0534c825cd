"""Questions about Python's containers whose answer also tells a type checker of their elements.

After `isinstance(x, list)` the elements are unknown to it, here they are what is certain: anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing_extensions import TypeIs


def is_list(value: object) -> TypeIs[list[Any]]:
    """Whether it is a list."""
    return isinstance(value, list)


def is_tuple(value: object) -> TypeIs[tuple[Any, ...]]:
    """Whether it is a tuple."""
    return isinstance(value, tuple)


def is_object(value: object) -> TypeIs[dict[str, Any]]:
    """Whether it is a dictionary, as JSON and TOML give it: with strings as keys."""
    return isinstance(value, dict)


def is_sequence(value: object) -> TypeIs[Sequence[Any]]:
    """Whether it is a sequence; text is one."""
    return isinstance(value, Sequence)


def as_list(what: Any) -> list[Any]:
    """The items of a list or tuple, as a new list; of any other value, itself alone."""
    return list(what) if is_list(what) or is_tuple(what) else [what]
