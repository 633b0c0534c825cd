"""Tensors of eager mode: typed memory that several values may share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ge_dialect.rt.view import Buffer
from runtime.allocator import Block
from runtime.kernels.registry import View
from runtime.kernels.views import is_plain


@dataclass(slots=True)
class Storage:
    """Memory that `users` tensors share; with `block` None it is never freed."""

    block: Block | None
    users: int = 1


@dataclass(slots=True)
class Tensor:
    """A value on the device: its type with layout, storage and (with values) view."""

    type: Any
    storage: Storage
    view: View | None
    constant: bool = False


def is_flat(tensor: Tensor) -> bool:
    """Whether storage is the row-major logical tensor, so that it may be seen in another shape."""
    return tensor.view is None or is_plain(tensor.view)


def same_layout(a: Any, b: Any) -> bool:
    """Whether two layouts store alike; a missing one and ND are the same."""
    return a is b or _key(a) == _key(b)


def _key(layout: Any) -> tuple[Any, ...]:
    if layout is None or layout.format in ("ND", layout.origin):
        return ()
    return layout.format, layout.origin, layout.groups, layout.c0


def map_slot(slot: Any, function: Callable[[Tensor], Any]) -> Any:
    """`function` of an input slot: None stays, a dynamic slot gives a list (buffers: a tuple)."""
    if slot is None:
        return None
    if isinstance(slot, list):
        made = [function(t) for t in slot]
        return tuple(made) if function is buffer_of else made
    return function(slot)


def view_of(tensor: Tensor) -> View | None:
    """The tensor's view."""
    return tensor.view


def buffer_of(tensor: Tensor) -> Buffer:
    """The tensor as profiles and costs see it."""
    block = tensor.storage.block
    if block is None:
        return Buffer("weight" if tensor.constant else "input", 0, tensor.type)
    return Buffer("arena", block.offset, tensor.type)
