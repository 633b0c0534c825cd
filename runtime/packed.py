"""Tensors of types under a byte: packed in device memory, one element a byte for kernels.

The elements of a tensor follow each other without gaps, the first in the lowest bits, as the plan
counts them; numpy holds one a byte. A kernel's inputs are unpacked when it starts and its outputs
packed when they appear, so that overlapping memory shows here as it does for whole bytes.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import numpy as np

from runtime.kernels.registry import Slot, View


class PackedView(View):
    """A view whose `data` is a copy of the packed bytes `raw`, `width` bits an element."""

    __slots__ = ("raw", "width")

    def __init__(self, raw: np.ndarray, width: int, data: np.ndarray, like: View) -> None:
        super().__init__(data, like.shape, like.layout)
        self.raw = raw
        self.width = width

    def load(self) -> None:
        """Bring `data` up to date with memory."""
        if self.data.size:
            bits = np.unpackbits(self.raw, bitorder="little")[: self.data.size * self.width]
            codes = np.packbits(bits.reshape(-1, self.width), axis=1, bitorder="little")
            values = _table(self.data.dtype, self.width)[codes[:, 0]]
            self.data[...] = values.reshape(self.data.shape)

    def save(self) -> None:
        """Write `data` to memory."""
        if self.data.size:
            codes = np.ascontiguousarray(self.data).reshape(-1, 1).view(np.uint8)
            bits = np.unpackbits(codes, axis=1, bitorder="little")[:, : self.width]
            self.raw[...] = np.packbits(bits.reshape(-1), bitorder="little")


@cache
def _table(dtype: np.dtype, width: int) -> np.ndarray:
    """The value of each bit pattern."""
    codes = np.arange(1 << width)
    if not dtype.name.startswith(("int", "uint")):
        return codes.astype(np.uint8).view(dtype)
    if dtype.name.startswith("int"):
        codes = np.where(codes >> (width - 1), codes - (1 << width), codes)
    return codes.astype(np.int8).astype(dtype)


def load(slots: Iterable[Slot]) -> None:
    """Unpack the packed views among operands."""
    for slot in slots:
        for view in slot if isinstance(slot, list) else (slot,):
            if isinstance(view, PackedView):
                view.load()


def save(views: Iterable[View]) -> None:
    """Pack the packed views among results."""
    for view in views:
        if isinstance(view, PackedView):
            view.save()


def memory_of(view: View) -> np.ndarray:
    """The bytes of a view as they lie in memory."""
    return view.raw if isinstance(view, PackedView) else view.data
