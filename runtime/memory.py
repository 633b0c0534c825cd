"""Byte memory of the simulated device.

Each memory class (`ge_dialect.rt.SPACES`) is one array of bytes; a tensor is a typed view of some
of them at its planned offset. Nothing else holds values, so a wrong offset gives a wrong value.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.diagnostics import GeError, user_error
from ge_dialect.dtypes import bits, numpy_dtype
from ge_dialect.ir.types import elem_of, layout_of, shape_of
from ge_dialect.layouts import storage_shape
from ge_dialect.rt.attributes import ALIGNMENT
from runtime.kernels.registry import View
from runtime.packed import PackedView

#: Memory that nothing has written reads as these bytes: NaN for floats, -1 for integers.
POISON = 0xFF
_BASE_ALIGNMENT = 64
#: Blocks above this size are compared with the free memory of the host before they are made.
_LARGE = 1 << 30


def allocate(size: int, fill: int = POISON) -> np.ndarray:
    """`size` bytes of memory whose first address suits every element type.

    Raises `GeError` GX-608 where the host has not that much memory.
    """
    free = free_bytes() if size > _LARGE else None
    if free is not None and size > free:
        raise host_memory(size)
    try:
        raw = np.empty(size + _BASE_ALIGNMENT, np.uint8)
    except (MemoryError, ValueError):
        raise host_memory(size) from None
    skip = -raw.ctypes.data % _BASE_ALIGNMENT
    block = raw[skip : skip + size]
    block.fill(fill)
    return block


def free_bytes() -> int | None:
    """Memory of this host that is not in use, None where the system does not say."""
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None


def host_memory(size: int | None = None) -> GeError:
    """The error of a host that cannot hold a model's values."""
    return user_error(
        "GX-608",
        "this machine has not enough memory to hold the values of the model",
        found=None if size is None else f"{size} bytes are needed at once",
        hint="ask for times only (--time-only, values=False)",
    )


class TensorLayout:
    """What a tensor type means in memory: dtype, storage shape, bytes, logical shape, layout."""

    __slots__ = ("dtype", "layout", "nbytes", "shape", "storage", "width")

    def __init__(self, type_: Any) -> None:
        shape, elem = shape_of(type_), elem_of(type_)
        if shape is None or -1 in shape:
            raise user_error(
                "GX-609",
                "a tensor of unknown size cannot be placed in memory",
                found=str(type_),
                hint="the simulator runs static shapes only: say --input-shape, or give the inputs",
            )
        self.width = bits(elem)
        try:
            self.dtype = numpy_dtype(elem)
        except ValueError as error:
            raise user_error("GX-607", str(error), found=str(elem)) from None
        if self.dtype.kind == "O":
            raise user_error("GX-607", "strings cannot be placed in device memory", found=str(elem))
        self.shape = shape
        self.layout = layout_of(type_)
        self.storage = storage_shape(shape, elem, self.layout)
        count = 1
        for dim in self.storage:
            count *= dim
        packed = self.width < 8
        self.nbytes = -(-count * self.width // 8) if packed else count * self.dtype.itemsize


class LayoutCache:
    """`TensorLayout` of each type met, made once."""

    def __init__(self) -> None:
        self._known: dict[Any, TensorLayout] = {}

    def __call__(self, type_: Any) -> TensorLayout:
        found = self._known.get(type_)
        if found is None:
            found = self._known[type_] = TensorLayout(type_)
        return found


class Memory:
    """The memory classes of one loaded model.

    `sizes` maps a class name to its bytes. Raises `GeError` GX-605 for a tensor that lies outside
    of its class or at an address that is no multiple of `ALIGNMENT`.
    """

    def __init__(self, sizes: Mapping[str, int]) -> None:
        self.spaces: dict[str, np.ndarray] = {name: allocate(n) for name, n in sizes.items()}
        self.layouts = LayoutCache()

    def view(self, space: str, offset: int, type_: Any, where: str = "") -> View:
        """The typed view of a tensor; `where` names the user in diagnostics."""
        layout = self.layouts(type_)
        block = self.spaces.get(space)
        if block is None:
            raise user_error(
                "GX-605",
                f"the model has no memory class '{space}'",
                node=where or None,
                expected="one of " + ", ".join(self.spaces),
            )
        if offset < 0 or offset + layout.nbytes > block.shape[0]:
            raise user_error(
                "GX-605",
                f"a tensor lies outside of memory class '{space}'",
                node=where or None,
                found=f"bytes {offset} to {offset + layout.nbytes}, {type_}",
                expected=f"at most {block.shape[0]} bytes",
                hint="the memory plan and the sizes in the model's header disagree",
            )
        if offset % ALIGNMENT:
            raise user_error(
                "GX-605",
                f"a tensor in memory class '{space}' is not aligned",
                node=where or None,
                found=f"offset {offset}",
                expected=f"a multiple of {ALIGNMENT}",
            )
        view = View(bind(block, offset, layout), layout.shape, layout.layout)
        if layout.width < 8:
            raw = block[offset : offset + layout.nbytes]
            view = PackedView(raw, layout.width, view.data, view)
        return view


def bind(block: np.ndarray, offset: int, layout: TensorLayout) -> np.ndarray:
    """The bytes of `block` at `offset` as an array of the layout's dtype and storage shape.

    Types under a byte get an array of their own, see `runtime.packed`.
    """
    if layout.width < 8:
        return np.zeros(layout.storage, layout.dtype)
    raw = block[offset : offset + layout.nbytes]
    return raw.view(layout.dtype).reshape(layout.storage)
