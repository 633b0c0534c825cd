"""Element placement: moving values between a logical tensor and its storage.

Every format is a chain of steps on the whole array, each with an exact inverse: transpose, pad with
zeros, reshape. `to_storage` runs the chain forward, `from_storage` backward; nothing loops over
elements. Formats that are no such chain (block diagonals, gate blocks) have their own steps.
Padding is zero in every direction.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from ge_dialect.layouts.formats import NZ_FORMATS, ORIGIN_FORMATS, LayoutError, LayoutLike
from ge_dialect.layouts.shapes import (
    ROWS,
    c0_of,
    ceil_div,
    group_packing,
    named_dims,
    origin_of,
    permutation,
    storage_shape,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray


class _Step(Protocol):
    def forward(self, a: NDArray[Any]) -> NDArray[Any]: ...
    def backward(self, a: NDArray[Any]) -> NDArray[Any]: ...


class _Transpose:
    def __init__(self, order: Sequence[int]) -> None:
        self.order = tuple(order)
        self.inverse = tuple(sorted(range(len(self.order)), key=self.order.__getitem__))

    def forward(self, a: NDArray[Any]) -> NDArray[Any]:
        return a.transpose(self.order)

    def backward(self, a: NDArray[Any]) -> NDArray[Any]:
        return a.transpose(self.inverse)


class _Reshape:
    def __init__(self, before: Sequence[int], after: Sequence[int]) -> None:
        self.before, self.after = tuple(before), tuple(after)

    def forward(self, a: NDArray[Any]) -> NDArray[Any]:
        return a.reshape(self.after)

    def backward(self, a: NDArray[Any]) -> NDArray[Any]:
        return a.reshape(self.before)


class _Pad:
    def __init__(self, before: Sequence[int], after: Sequence[int]) -> None:
        self.after = tuple(after)
        self.inner = tuple(slice(0, n) for n in before)
        self.needed = tuple(before) != self.after

    def forward(self, a: NDArray[Any]) -> NDArray[Any]:
        if not self.needed:
            return a
        import numpy as np

        out = np.zeros(self.after, a.dtype)
        out[self.inner] = a
        return out

    def backward(self, a: NDArray[Any]) -> NDArray[Any]:
        return a[self.inner] if self.needed else a


class _GroupDiagonal:
    """[groups, cin, rest, cout] <-> [G', E*cin, rest, E*cout] with group e of a block on its
    diagonal.
    """

    def __init__(self, groups: int, enlarge: int, cin: int, rest: int, cout: int) -> None:
        self.groups, self.enlarge = groups, enlarge
        self.cin, self.rest, self.cout = cin, rest, cout
        self.blocks = ceil_div(groups, enlarge)

    def forward(self, a: NDArray[Any]) -> NDArray[Any]:
        import numpy as np

        e, g = self.enlarge, self.groups
        out = np.zeros((self.blocks, e, self.cin, self.rest, e, self.cout), a.dtype)
        index = np.arange(g)
        out[index // e, index % e, :, :, index % e, :] = a
        return out.reshape(self.blocks, e * self.cin, self.rest, e * self.cout)

    def backward(self, a: NDArray[Any]) -> NDArray[Any]:
        import numpy as np

        e = self.enlarge
        index = np.arange(self.groups)
        split = a.reshape(self.blocks, e, self.cin, self.rest, e, self.cout)
        return split[index // e, index % e, :, :, index % e, :]


class _LaneDiagonal:
    """[..., C0] <-> [..., C0, C0] with the lanes on the diagonal (C1HWNCoC0)."""

    def forward(self, a: NDArray[Any]) -> NDArray[Any]:
        import numpy as np

        lanes = np.arange(a.shape[-1])
        out = np.zeros((*a.shape, a.shape[-1]), a.dtype)
        out[..., lanes, lanes] = a
        return out

    def backward(self, a: NDArray[Any]) -> NDArray[Any]:
        return a.diagonal(axis1=-2, axis2=-1)


class _GateBlocks:
    """[C, 4h] <-> padded [K, N]: input and hidden rows padded apart, each gate's columns padded
    apart.
    """

    def __init__(self, c: int, n: int) -> None:
        self.hidden = n // 4
        self.inputs = c - self.hidden
        self.hidden_pad = ceil_div(self.hidden, ROWS) * ROWS
        self.inputs_pad = ceil_div(self.inputs, ROWS) * ROWS

    def forward(self, a: NDArray[Any]) -> NDArray[Any]:
        import numpy as np

        out = np.zeros((self.inputs_pad + self.hidden_pad, 4, self.hidden_pad), a.dtype)
        gates = a.reshape(a.shape[0], 4, self.hidden)
        out[: self.inputs, :, : self.hidden] = gates[: self.inputs]
        out[self.inputs_pad : self.inputs_pad + self.hidden, :, : self.hidden] = gates[
            self.inputs :
        ]
        return out.reshape(out.shape[0], -1)

    def backward(self, a: NDArray[Any]) -> NDArray[Any]:
        import numpy as np

        gates = a.reshape(a.shape[0], 4, self.hidden_pad)[:, :, : self.hidden]
        rows = (gates[: self.inputs], gates[self.inputs_pad : self.inputs_pad + self.hidden])
        return np.concatenate(rows).reshape(-1, 4 * self.hidden)


def _round_up(value: int, block: int) -> int:
    return ceil_div(value, block) * block


def _to_axes(
    shape: Sequence[int], origin: str, order: str, fmt: str
) -> tuple[list[_Step], dict[str, int]]:
    """Steps from the logical tensor to the axes of `order`, and the dims by letter. A missing D is
    1.
    """
    if origin == "ND" and len(shape) == 4:
        origin = "NCHW"
    dims = named_dims(shape, origin, fmt)
    lifted = origin if "D" in origin or "D" not in order else "D" + origin
    steps: list[_Step] = [_Reshape(shape, [dims[a] for a in lifted])]
    if any(a not in order for a in lifted):
        lost = [a for a in lifted if a not in order and dims[a] != 1]
        if lost:
            raise LayoutError(
                f"format {fmt} has no place for axis {lost[0]} of size {dims[lost[0]]}"
            )
        kept = "".join(a for a in lifted if a in order)
        steps.append(_Reshape([dims[a] for a in lifted], [dims[a] for a in kept]))
        lifted = kept
    steps.append(_Transpose([lifted.index(a) for a in order]))
    return steps, dims


def _blocks(before: Sequence[int], blocks: Sequence[int], order: Sequence[int]) -> list[_Step]:
    """Pad each axis to a multiple of its block (1: leave whole), split it, and transpose the split
    axes.
    """
    padded = [_round_up(n, b) for n, b in zip(before, blocks, strict=True)]
    split = [
        d for n, b in zip(padded, blocks, strict=True) for d in ((n,) if b == 1 else (n // b, b))
    ]
    return [_Pad(before, padded), _Reshape(padded, split), _Transpose(order)]


def _fractal_z(shape: Sequence[int], origin: str, layout: LayoutLike, c0: int) -> list[_Step]:
    if layout.groups <= 1:
        steps, d = _to_axes(shape, origin, "NDCHW", layout.format)
        before = [d[a] for a in "NDCHW"]
        return steps + _blocks(before, (ROWS, 1, c0, 1, 1), (2, 3, 5, 6, 0, 1, 4))
    steps, d = _to_axes(shape, origin, "NCDHW", layout.format)
    n, c, depth, h, w = (d[a] for a in "NCDHW")
    groups, cout, space = layout.groups, n // layout.groups, depth * h * w
    enlarge, blocks, _, _ = group_packing(c, n, groups, c0)
    steps += [
        _Reshape((n, c, depth, h, w), (groups, cout, c, space)),
        _Transpose((0, 2, 3, 1)),
        _GroupDiagonal(groups, enlarge, c, space, cout),
        _Reshape(
            (blocks, enlarge * c, space, enlarge * cout),
            (blocks, enlarge * c, depth, h * w, enlarge * cout),
        ),
    ]
    before = (blocks, enlarge * c, depth, h * w, enlarge * cout)
    return steps + _blocks(before, (1, c0, 1, 1, ROWS), (0, 3, 1, 4, 5, 6, 2))


def _channel_format(fmt: str, shape: Sequence[int], origin: str, c0: int) -> list[_Step]:
    if fmt in ("NC1HWC0", "NC1HWC0_C04"):
        steps, d = _to_axes(shape, origin, "NCHW", fmt)
        return steps + _blocks([d[a] for a in "NCHW"], (1, c0, 1, 1), (0, 1, 3, 4, 2))
    if fmt == "NDC1HWC0":
        steps, d = _to_axes(shape, origin, "NDCHW", fmt)
        return steps + _blocks([d[a] for a in "NDCHW"], (1, 1, c0, 1, 1), (0, 1, 2, 4, 5, 3))
    if fmt == "C1HWC0":
        steps, d = _to_axes(shape, origin, "CNHW", fmt)
        if d["C"] != 1:
            raise LayoutError(f"C1HWC0 holds depthwise weights with C = 1, found C = {d['C']}")
        steps.append(_Reshape([d[a] for a in "CNHW"], [d[a] for a in "NHW"]))
        return steps + _blocks([d[a] for a in "NHW"], (c0, 1, 1), (0, 2, 3, 1))
    if fmt == "C1HWNCoC0":
        steps, d = _to_axes(shape, origin, "CHWN", fmt)
        if d["N"] != 1:
            raise LayoutError(
                f"C1HWNCoC0 has a defined placement for N = 1 only, found N = {d['N']}"
            )
        steps += _blocks([d[a] for a in "CHWN"], (c0, 1, 1, 1), (0, 2, 3, 4, 1))
        return [*steps, _LaneDiagonal()]
    raise LayoutError(f"format {fmt} has no public element placement")


def _weight_format(
    fmt: str, shape: Sequence[int], origin: str, layout: LayoutLike, c0: int
) -> list[_Step]:
    if fmt in ("FRACTAL_Z", "FRACTAL_Z_3D"):
        return _fractal_z(shape, origin, layout, c0)
    if fmt == "FRACTAL_Z_3D_TRANSPOSE":
        steps, d = _to_axes(shape, origin, "NDCHW", fmt)
        before = [d[a] for a in "NDCHW"]
        if origin == "DHWNC":
            return steps + _blocks(before, (c0, 1, ROWS, 1, 1), (2, 0, 5, 6, 3, 4, 1))
        return steps + _blocks(before, (ROWS, 1, c0, 1, 1), (2, 5, 6, 0, 3, 1, 4))
    if fmt == "FRACTAL_Z_C04":
        steps, d = _to_axes(shape, origin, "NHWC", fmt)
        n, h, w, c = (d[a] for a in "NHWC")
        steps += [_Pad((n, h, w, c), (n, h, w, 4)), _Reshape((n, h, w, 4), (n, h * w * 4))]
        return steps + _blocks((n, h * w * 4), (ROWS, c0), (2, 0, 1, 3))
    if fmt == "FRACTAL_ZN_LSTM":
        steps, d = _to_axes(shape, origin, "HWCN", fmt)
        if d["H"] != 1 or d["W"] != 1 or d["N"] % 4 or d["C"] < d["N"] // 4:
            raise LayoutError("FRACTAL_ZN_LSTM holds a [input + hidden, 4 * hidden] matrix")
        gates = _GateBlocks(d["C"], d["N"])
        rows, columns = gates.inputs_pad + gates.hidden_pad, 4 * gates.hidden_pad
        steps += [_Reshape((1, 1, d["C"], d["N"]), (d["C"], d["N"])), gates]
        return steps + _blocks((rows, columns), (ROWS, ROWS), (0, 2, 3, 1))
    return _channel_format(fmt, shape, origin, c0)


def _steps(shape: tuple[int, ...], layout: LayoutLike, c0: int) -> list[_Step]:
    fmt, rank = layout.format, len(shape)
    origin = origin_of(rank, layout)
    if fmt in ORIGIN_FORMATS:
        order = permutation(rank, origin, fmt)
        return [] if order is None else [_Transpose(order)]
    if fmt in NZ_FORMATS or fmt == "FRACTAL_ZZ":
        matrix = (shape[0], 1) if rank == 1 else shape
        batch = tuple(range(rank - 2)) if rank > 1 else ()
        b = len(batch)
        if fmt == "FRACTAL_ZZ":
            order = (*batch, b, b + 2, b + 1, b + 3)
            blocks = (*(1 for _ in batch), c0, c0)
        else:
            order = (*batch, b + 2, b, b + 1, b + 3)
            blocks = (*(1 for _ in batch), ROWS, c0)
        return [_Reshape(shape, matrix), *_blocks(matrix, blocks, order)]
    if origin == "ND" and fmt == "FRACTAL_Z" and rank == 2:
        return _blocks(shape, (c0, ROWS), (0, 2, 3, 1))
    return _weight_format(fmt, shape, origin, layout, c0)


def to_storage(array: NDArray[Any], layout: LayoutLike | None, elem: Any = None) -> NDArray[Any]:
    """Values of a logical tensor as they lie in storage, contiguous, of shape `storage_shape`.

    array: the logical tensor. elem: element type if it differs from the array's dtype (int4 kept in
    bytes). Lanes and rows beyond the logical dims are zero. Raises LayoutError when the format has
    no defined placement.
    """
    import numpy as np

    if layout is None or layout.format == "ND" or array.ndim == 0:
        return np.ascontiguousarray(array) if array.ndim else array
    elem = array.dtype if elem is None else elem
    shape = storage_shape(array.shape, elem, layout)
    if 0 in array.shape:
        return np.zeros(shape, array.dtype)
    for step in _steps(array.shape, layout, c0_of(elem, layout)):
        array = step.forward(array)
    return np.ascontiguousarray(array).reshape(shape)


def from_storage(
    storage: NDArray[Any], shape: Sequence[int], layout: LayoutLike | None, elem: Any = None
) -> NDArray[Any]:
    """The logical tensor of `shape` held in `storage` (any shape with the right element count);
    padding is dropped.

    May return a view of `storage`. Raises LayoutError when the count is wrong or the format has no
    defined placement.
    """
    import numpy as np

    shape = tuple(shape)
    elem = storage.dtype if elem is None else elem
    expected = storage_shape(shape, elem, layout)
    if storage.size != int(np.prod(expected, dtype=np.int64)):
        found = f"{storage.size} elements"
        raise LayoutError(f"storage of {shape} is {expected}, found {found}")
    if layout is None or layout.format == "ND" or not shape or 0 in shape:
        return storage.reshape(shape)
    storage = storage.reshape(expected)
    steps = _steps(shape, layout, c0_of(elem, layout))
    # The last transpose may have been flattened by the storage shape: unfold it first.
    probe = _shape_after(steps, shape)
    array = storage.reshape(probe)
    for step in reversed(steps):
        array = step.backward(array)
    return array


def _shape_after(steps: Sequence[_Step], shape: tuple[int, ...]) -> tuple[int, ...]:
    for step in steps:
        if isinstance(step, _Transpose):
            shape = tuple(shape[i] for i in step.order)
        elif isinstance(step, _Reshape | _Pad):
            shape = step.after
        elif isinstance(step, _GroupDiagonal):
            shape = (step.blocks, step.enlarge * step.cin, step.rest, step.enlarge * step.cout)
        elif isinstance(step, _LaneDiagonal):
            shape = (*shape, shape[-1])
        elif isinstance(step, _GateBlocks):
            shape = (step.inputs_pad + step.hidden_pad, 4 * step.hidden_pad)
    return shape
