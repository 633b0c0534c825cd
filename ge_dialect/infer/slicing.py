"""Slices, strided slices with masks, gathers."""

from __future__ import annotations

from collections.abc import Sequence

from ge_dialect.infer.dims import UNKNOWN, Shape, as_size, norm_axis, refine, show
from ge_dialect.infer.errors import ATTR, LENGTH, RANK, SIZE, InferError


def slice_shape(shape: Shape, offsets: Sequence[int] | None, size: Sequence[int] | None) -> Shape:
    """Shape of the block of `size` at `offsets`; a size of -1 reaches to the end of its axis."""
    if offsets is not None and size is not None and len(offsets) != len(size):
        raise InferError(
            "offsets and size differ in length",
            found=f"{len(offsets)} and {len(size)}",
            expected="one entry per axis each",
            code=LENGTH,
        )
    for what, v in (("offsets", offsets), ("size", size)):
        if v is not None and shape is not None and len(v) != len(shape):
            raise InferError(
                f"{what} has the wrong number of entries",
                found=len(v),
                expected=f"{len(shape)} for {show(shape)}",
                code=LENGTH,
            )
    if size is None:
        rank = len(shape) if shape is not None else len(offsets) if offsets is not None else None
        return None if rank is None else (UNKNOWN,) * rank
    dims = shape if shape is not None else (UNKNOWN,) * len(size)
    starts: Sequence[int] | None = offsets
    out = []
    for i, (d, n) in enumerate(zip(dims, size, strict=True)):
        o = None if starts is None else as_size(starts[i])
        n = as_size(n)
        if n < UNKNOWN or (o is not None and o < 0):
            raise InferError(
                "offsets must be ≥ 0 and size ≥ -1",
                found=f"offset {o}, size {n} on axis {i}",
                expected="a block inside the input",
                code=ATTR,
            )
        if d >= 0 and ((o or 0) + max(n, 0) > d):
            raise InferError(
                "the block reaches beyond the input",
                found=f"offset {o}, size {n} on axis {i} of size {d}",
                expected=f"offset + size ≤ {d}",
                code=SIZE,
            )
        out.append(n if n >= 0 else UNKNOWN if d < 0 or o is None else d - o)
    return tuple(out)


def slice_length(size: int, begin: int | None, end: int | None, stride: int) -> int:
    """Number of elements of the Python slice [begin:end:stride] of an axis of known size."""
    for value in (size, begin, end):
        symbolic = getattr(value, "slice_length", None)
        if symbolic is not None:
            return symbolic(size, begin, end, stride)
    return len(range(size)[begin:end:stride])


def strided_slice_shape(
    shape: Shape,
    begin: Sequence[int] | None,
    end: Sequence[int] | None,
    strides: Sequence[int] | None,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
) -> Shape:
    """Shape of a strided slice by TensorFlow's rule, which GE takes over.

    Entry i of begin/end/strides handles the next axis, unless bit i is set in `ellipsis_mask`
    (skip as many axes as remain), in `new_axis_mask` (insert an axis of size 1; the entry is
    ignored) or in `shrink_axis_mask` (take the one element at begin and drop the axis). Bits of
    `begin_mask`/`end_mask` mean "from the start/to the end".
    """
    lengths = {len(v) for v in (begin, end, strides) if v is not None}
    if len(lengths) > 1:
        raise InferError(
            "begin, end and strides differ in length",
            found=sorted(lengths),
            expected="equal lengths",
            code=LENGTH,
        )
    if shape is None or not lengths:
        return None
    if ellipsis_mask & (ellipsis_mask - 1):
        raise InferError(
            "ellipsis_mask names more than one place",
            found=ellipsis_mask,
            expected="at most one bit",
            code=ATTR,
        )
    (n,) = lengths
    rank = len(shape)
    used = sum(1 for i in range(n) if not (ellipsis_mask >> i & 1) and not (new_axis_mask >> i & 1))
    if used > rank:
        raise InferError(
            "the slice has more entries than the input axes",
            found=used,
            expected=f"at most {rank} for {show(shape)}",
            code=RANK,
        )
    out: list[int] = []
    axis = 0
    for i in range(n):
        bit = 1 << i
        if ellipsis_mask & bit:
            out.extend(shape[axis : axis + rank - used])
            axis += rank - used
            continue
        if new_axis_mask & bit:
            out.append(1)
            continue
        d = shape[axis]
        axis += 1
        if shrink_axis_mask & bit:
            _check_stride(strides, i)
            b = None if begin is None else as_size(begin[i])
            if b is not None and d >= 0 and not -d <= b < d:
                raise InferError(
                    "the index lies outside the axis",
                    found=f"{b} on axis {axis - 1} of size {d}",
                    expected=f"{-d} … {d - 1}",
                    code=SIZE,
                )
            continue
        out.append(_strided_dim(d, i, bit, begin, end, strides, begin_mask, end_mask))
    out.extend(shape[axis:])
    return tuple(out)


def _check_stride(strides: Sequence[int] | None, i: int) -> None:
    if strides is not None and int(strides[i]) == 0:
        raise InferError("strides must not be zero", found=list(strides), expected="≠ 0", code=ATTR)


def _strided_dim(
    d: int,
    i: int,
    bit: int,
    begin: Sequence[int] | None,
    end: Sequence[int] | None,
    strides: Sequence[int] | None,
    begin_mask: int,
    end_mask: int,
) -> int:
    if strides is None:
        return UNKNOWN
    _check_stride(strides, i)
    s = int(strides[i])
    b = None if begin_mask & bit else UNKNOWN if begin is None else as_size(begin[i])
    e = None if end_mask & bit else UNKNOWN if end is None else as_size(end[i])
    if (begin is None and b is not None) or (end is None and e is not None):
        return UNKNOWN
    if d >= 0:
        return slice_length(d, b, e, s)
    # some slices of an unknown axis still have a known size
    if b is None and e is None and abs(s) == 1:
        return UNKNOWN
    if b is not None and e is not None and b == e:
        return 0
    return UNKNOWN


def gather_shape(shape: Shape, indices: Shape, axis: int | None, batch_dims: int = 0) -> Shape:
    """Shape of slices of `shape` along `axis` taken by `indices`, with `batch_dims` common axes.

    shape[:axis] + indices[batch_dims:] + shape[axis+1:]; the first `batch_dims` dims agree.
    """
    if indices is not None:
        rank_i = len(indices)
        batch_dims = batch_dims + rank_i if batch_dims < 0 else batch_dims
        if not 0 <= batch_dims <= rank_i:
            raise InferError(
                "batch_dims is out of range for the indices",
                found=batch_dims,
                expected=f"0 … {rank_i}",
                code=ATTR,
            )
    if shape is not None and not shape:
        raise InferError(
            "a scalar cannot be gathered from", found="scalar", expected="rank ≥ 1", code=RANK
        )
    if shape is None or indices is None:
        return None
    rank = len(shape)
    if axis is None:
        return (UNKNOWN,) * (rank - 1 + len(indices) - batch_dims)
    axis = norm_axis(axis, rank)
    if batch_dims > axis:
        raise InferError(
            "batch_dims reaches beyond axis", found=batch_dims, expected=f"≤ {axis}", code=ATTR
        )
    common = refine(shape[:batch_dims], indices[:batch_dims], "batch dims of x and indices")
    assert common is not None
    return common + shape[batch_dims:axis] + indices[batch_dims:] + shape[axis + 1 :]
