"""Helpers that kernels share: axes of a view, logical reading and writing, padding lanes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ge_dialect.layouts import from_storage, to_storage
from runtime.kernels.registry import Call, View

_PLAIN = frozenset({"ND", "NCHW", "NHWC", "HWCN", "CHWN", "NCDHW", "NDHWC", "DHWCN", "DHWNC"})


def is_narrow(dtype: np.dtype) -> bool:
    """Whether values of `dtype` are floats that are computed in float32."""
    return dtype.itemsize <= 2 and (dtype.kind == "f" or dtype.name.startswith(("bfloat", "float")))


def is_whole(dtype: np.dtype) -> bool:
    """Whether `dtype` is an integer type, those of fewer than 8 bits included."""
    return dtype.kind in "iu" or dtype.name in ("int4", "uint4", "int2", "uint2")


def wide(array: np.ndarray) -> np.ndarray:
    """The array in the dtype it is computed in: float32 for 16-bit and smaller floats."""
    return array.astype(np.float32) if is_narrow(array.dtype) else array


def exact(array: np.ndarray) -> np.ndarray:
    """Floats in double precision, complex numbers likewise; integers as they are."""
    if array.dtype.kind == "c":
        return array.astype(np.complex128)
    return array.astype(np.float64) if is_float(array.dtype) else array


def is_float(dtype: np.dtype) -> bool:
    """Whether `dtype` is a real floating type, the small ones included."""
    return dtype.kind == "f" or is_narrow(dtype)


def origin_of(view: View) -> str:
    """Axis letters of the logical shape of a rank-4 or rank-5 view."""
    if view.layout is not None and view.layout.origin:
        return view.layout.origin
    return {4: "NCHW", 5: "NCDHW"}.get(len(view.shape), "ND")


def dims(view: View, order: str) -> tuple[int, ...]:
    """Logical dims of a view in the axis order asked for, for instance `dims(x, "NCHW")`."""
    origin = origin_of(view)
    return tuple(view.shape[origin.index(letter)] for letter in order)


def is_plain(view: View) -> bool:
    """Whether the storage shape is the logical shape."""
    if view.layout is None or view.format == "ND":
        return True
    return view.format in _PLAIN and view.format == origin_of(view)


def logical(view: View) -> np.ndarray:
    """The value in logical shape (no copy for plain layouts)."""
    if is_plain(view):
        return view.data.reshape(view.shape)
    if view.format == "NC1HWC0":
        return _from_5d(view)
    return from_storage(view.data, view.shape, view.layout)


def doubles(call: Call, index: int) -> np.ndarray:
    """Input `index` in logical shape and double precision."""
    return logical(call.arg(index)).astype(np.float64)


def store(view: View, value: np.ndarray) -> None:
    """Write a logical value to a view; padding becomes zero."""
    if is_plain(view):
        view.data[...] = value.reshape(view.data.shape)
        return
    value = np.broadcast_to(value, view.shape).astype(view.data.dtype, copy=False)
    if view.format == "NC1HWC0":
        _to_5d(view, value)
        return
    view.data[...] = to_storage(np.ascontiguousarray(value), view.layout).reshape(view.data.shape)


def _to_nchw_axes(view: View) -> tuple[int, ...]:
    origin = origin_of(view)
    return tuple(origin.index(letter) for letter in "NCHW")


def _from_5d(view: View) -> np.ndarray:
    if len(view.shape) != 4:
        return from_storage(view.data, view.shape, view.layout)
    axes = _to_nchw_axes(view)
    n, c, h, w = (view.shape[a] for a in axes)
    nchw = view.data.transpose(0, 1, 4, 2, 3).reshape(n, -1, h, w)[:, :c]
    return nchw if axes == (0, 1, 2, 3) else nchw.transpose(np.argsort(axes))


def _to_5d(view: View, value: np.ndarray) -> None:
    if len(view.shape) != 4:
        stored = to_storage(np.ascontiguousarray(value), view.layout)
        view.data[...] = stored.reshape(view.data.shape)
        return
    nchw = value.transpose(_to_nchw_axes(view))
    channels, (c1, c0) = nchw.shape[1], (view.data.shape[1], view.data.shape[4])
    lanes = view.data.transpose(0, 1, 4, 2, 3)
    n, _, h, w = nchw.shape
    whole = channels // c0
    if whole:
        lanes[:, :whole] = nchw[:, : whole * c0].reshape(n, whole, c0, h, w)
    if whole < c1:
        rest = channels - whole * c0
        lanes[:, whole, :rest] = nchw[:, whole * c0 :]
        lanes[:, whole, rest:] = 0


def clear_padding(view: View) -> None:
    """Set the lanes that stand for no logical element to zero.

    A zero times a weight is harmless while an infinity or NaN is not, so a kernel whose function
    does not map zero to zero calls this.
    """
    if is_plain(view) or view.format in _PLAIN:
        return
    if view.format == "NC1HWC0" and len(view.shape) == 4:
        (channels,) = dims(view, "C")
        used = channels % view.data.shape[4]
        if used:
            view.data[:, -1, :, :, used:] = 0
        return
    store(view, logical(view).copy())


def same_storage(views: Sequence[View]) -> bool:
    """Whether all views have one logical shape and one layout, so that storage lines up."""
    first = views[0]
    return all(
        v.shape == first.shape and v.data.shape == first.data.shape and _same_layout(v, first)
        for v in views[1:]
    )


def _same_layout(a: View, b: View) -> bool:
    if a.layout is b.layout or a.layout == b.layout:
        return True
    return is_plain(a) and is_plain(b)


def align(views: Sequence[View], out: View) -> list[np.ndarray] | None:
    """Arrays which broadcast to `out.data` as the logical values broadcast to `out.shape`.

    None when storage cannot be used directly. One-element tensors broadcast whatever their layout;
    a tensor of one channel in NC1HWC0 broadcasts by its lane 0.
    """
    arrays: list[np.ndarray] = []
    for view in views:
        if view.data.size and all(d == 1 for d in view.shape):
            arrays.append(view.data.reshape(-1)[:1].reshape(()))
        elif is_plain(view) and is_plain(out):
            arrays.append(view.data.reshape(view.shape))
        elif not _same_layout(view, out) or len(view.shape) != len(out.shape):
            return None
        elif view.shape == out.shape or view.format in _PLAIN:
            arrays.append(view.data)
        elif view.format == "NC1HWC0" and len(view.shape) == 4:
            (mine,), (theirs,) = dims(view, "C"), dims(out, "C")
            arrays.append(view.data if mine == theirs else view.data[:, :, :, :, :1])
        else:
            return None
    return arrays
