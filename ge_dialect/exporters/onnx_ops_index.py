"""ONNX exports: slices, gathers, writes by index, masks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ge_dialect.exporters.onnx_node import Out
from ge_dialect.exporters.onnx_rules import Results, export
from ge_dialect.exporters.onnx_values import NoCounterpart, Val

#: Bounds that mean "from the first" and "to behind the last" in either direction.
_FAR = (1 << 63) - 1


def _block(n: Out, offsets: Sequence[int], sizes: Sequence[int]) -> Results:
    axes = [
        i
        for i, (first, size) in enumerate(zip(offsets, sizes, strict=True))
        if not (first == 0 and size == (n.shape() or (-2,) * len(offsets))[i])
    ]
    if not axes:
        return n.emit("Identity", [n.x()])
    ends = [_FAR if sizes[a] == -1 else offsets[a] + sizes[a] for a in axes]
    return _slice(n, [offsets[a] for a in axes], ends, axes, [1] * len(axes))


def _slice(
    n: Out, begins: Sequence[int], ends: Sequence[int], axes: Sequence[int], steps: Sequence[int]
) -> Val:
    inputs = [
        n.constant(list(begins), "starts"),
        n.constant(list(ends), "ends"),
        n.constant(list(axes), "axes"),
    ]
    if any(s != 1 for s in steps):
        inputs.append(n.constant(list(steps), "steps"))
    return n.emit("Slice", [n.x(), *inputs])


@export("SliceD")
def slice_d(n: Out) -> Results:
    """Slice."""
    return _block(n, n.attrs["offsets"], n.attrs["size"])


@export("Slice")
def slice_(n: Out) -> Results:
    """Slice; computed bounds are added up, so none of the sizes may be -1 then."""
    offsets, sizes = n.ints(1), n.ints(2)
    if offsets is not None and sizes is not None:
        return _block(n, offsets, sizes)
    if sizes is None or -1 in sizes:
        raise NoCounterpart("sizes must be constant, without -1 where offsets are computed")
    first = n.int64(1)
    return n.emit("Slice", [n.x(), first, n.emit("Add", [first, n.constant(sizes, "size")])])


def _strided(n: Out, begin: Sequence[int], end: Sequence[int], stride: Sequence[int]) -> Results:
    """TensorFlow's slice: a Slice, then new dims and dropped ones."""
    masks = {
        m: n.attrs[f"{m}_mask"] for m in ("begin", "end", "ellipsis", "new_axis", "shrink_axis")
    }

    def has(mask: str, i: int) -> bool:
        return bool(masks[mask] >> i & 1)

    rank = n.rank()
    left = sum(not has("new_axis", i) and not has("ellipsis", i) for i in range(len(end)))
    rows: list[tuple[int, int, int, int]] = []
    drop: list[int] = []  # axes of the slice
    grow: list[int] = []  # axes of the result
    axis = place = 0
    for i in range(len(end)):
        if has("ellipsis", i):
            place += rank - left - axis
            axis = rank - left
            continue
        if has("new_axis", i):
            grow.append(place)
            place += 1
            continue
        left -= 1
        if has("shrink_axis", i):
            last = begin[i] + 1 if begin[i] != -1 else _FAR
            rows.append((begin[i], last, axis, 1))
            drop.append(axis)
        else:
            step = stride[i]
            first = (0 if step > 0 else _FAR) if has("begin", i) else begin[i]
            last = (_FAR if step > 0 else -_FAR) if has("end", i) else end[i]
            if not (has("begin", i) and has("end", i) and step == 1):
                rows.append((first, last, axis, step))
            place += 1
        axis += 1
    y = _slice(n, *zip(*rows, strict=True)) if rows else n.emit("Identity", [n.x()])
    if drop:
        y = n.squeeze(y, drop)
    return n.unsqueeze(y, grow) if grow else y


@export("StridedSlice")
def strided_slice(n: Out) -> Results:
    """Slice, with Squeeze and Unsqueeze for shrunk and new axes."""
    begin, end, stride = (n.ints(i) for i in (1, 2, 3))
    if begin is None or end is None or stride is None:
        if any(n.attrs[f"{m}_mask"] for m in ("begin", "end", "ellipsis", "new_axis")):
            raise NoCounterpart("computed bounds together with masks")
        first, last, step = (n.int64(i) for i in (1, 2, 3))
        places = n.shape(1)
        if places is None or places == (-1,):
            raise NoCounterpart("the number of bounds must be known")
        shrink = [i for i in range(places[0]) if n.attrs["shrink_axis_mask"] >> i & 1]
        if shrink:
            raise NoCounterpart("computed bounds of an axis that is dropped")
        axes = n.constant(list(range(places[0])), "axes")
        return n.emit("Slice", [n.x(), first, last, axes, step])
    return _strided(n, begin, end, stride)


@export("StridedSliceD")
def strided_slice_d(n: Out) -> Results:
    """Slice, with Squeeze and Unsqueeze for shrunk and new axes."""
    return _strided(n, n.attrs["begin"], n.attrs["end"], n.attrs["strides"])


@export("StridedSliceV2")
def strided_slice_v2(n: Out) -> Results:
    """Slice."""
    masked = any(n.attrs[f"{m}_mask"] for m in ("begin", "end"))
    if n.has(3) and not masked:
        inputs = [n.x(0), *(n.int64(i) for i in (1, 2, 3))]
        return n.emit("Slice", [*inputs, n.int64(4) if n.has(4) else None])
    begin, end = n.ints(1), n.ints(2)
    steps = n.ints(4) if n.has(4) else [1] * len(begin or ())
    if begin is None or end is None or steps is None:
        if masked or any(n.attrs[f"{m}_mask"] for m in ("ellipsis", "new_axis", "shrink_axis")):
            raise NoCounterpart("computed bounds together with masks")
        places = n.shape(1)
        if places is None or places == (-1,):
            raise NoCounterpart("the number of bounds must be known")
        axes = n.constant(list(range(places[0])), "axes")
        rest = n.int64(4) if n.has(4) else None
        return n.emit("Slice", [n.x(), n.int64(1), n.int64(2), axes, rest])
    if not n.has(3):
        return _strided(n, begin, end, steps)
    axes = n.need_ints(3, "axes")
    for i, step in enumerate(steps):
        if n.attrs["begin_mask"] >> i & 1:
            begin[i] = 0 if step > 0 else _FAR
        if n.attrs["end_mask"] >> i & 1:
            end[i] = _FAR if step > 0 else -_FAR
    return _slice(n, begin, end, axes, steps)


def _gather(n: Out, axis: int, batch: int) -> Results:
    if batch < 0:
        batch += n.rank(1)
    if n.shape(0) is not None:
        axis = n.axis(axis)
    if not batch:
        return n.emit("Gather", [n.x(0), n.x(1)], axis=axis)
    if axis != batch or n.rank(1) != batch + 1:
        raise NoCounterpart("batch_dims are supported for one row of indices on the next axis")
    return n.emit("GatherND", [n.x(0), n.unsqueeze(n.int64(1), [batch + 1])], batch_dims=batch)


@export("Gather")
def gather(n: Out) -> Results:
    """Gather; GatherND with batch axes."""
    batch = n.attrs["batch_dims"]
    return _gather(n, batch + n.rank(1) if batch < 0 else batch, batch)


@export("GatherV2")
def gather_v2(n: Out) -> Results:
    """Gather along a constant axis; GatherND with batch axes."""
    return _gather(n, n.need_ints(2, "axis")[0], n.attrs["batch_dims"])


@export("GatherElements")
def gather_elements(n: Out) -> Results:
    """GatherElements."""
    return n.emit("GatherElements", [n.x(0), n.x(1)], axis=n.attrs["dim"])


@export("GatherNd")
def gather_nd(n: Out) -> Results:
    """GatherND."""
    return n.emit("GatherND", [n.x(0), n.int64(1)])


@export("ScatterElements")
def scatter_elements(n: Out) -> Results:
    """ScatterElements."""
    attrs = {"axis": n.attrs["axis"], "reduction": n.attrs["reduction"]}
    return n.emit("ScatterElements", [n.x(0), n.x(1), n.x(2)], **attrs)


@export("TensorScatterUpdate")
def tensor_scatter_update(n: Out) -> Results:
    """ScatterND."""
    return n.emit("ScatterND", [n.x(0), n.int64(1), n.x(2)])


@export("ScatterNd")
def scatter_nd(n: Out) -> Results:
    """ScatterND that adds to zeros."""
    elem = n.elem(1)
    zero = n.constant(0, "zero", elem)
    blank = n.emit("Expand", [zero, n.int64(2)])
    return n.emit("ScatterND", [blank, n.int64(0), n.x(1)], reduction="add")


@export("UnsortedSegmentSum")
def unsorted_segment_sum(n: Out) -> Results:
    """ScatterND that adds to zeros; what belongs to no segment goes to one more, cut off."""
    count = n.need_ints(2, "num_segments")[0]
    shape, over = n.known(0), n.rank(1)
    ids = n.int64(1)
    outside = n.emit("Less", [ids, n.like(0, ids, "first")])
    ids = n.unsqueeze(n.emit("Where", [outside, n.like(count, ids, "rest"), ids]), [over])
    dims = n.constant([count + 1, *shape[over:]], "dims")
    blank = n.emit("Expand", [n.constant(0, "zero", n.elem(0)), dims])
    total = n.emit("ScatterND", [blank, ids, n.x(0)], reduction="add")
    return n.slice(total, 0, count, 0)


@export("ReverseSequence")
def reverse_sequence(n: Out) -> Results:
    """ReverseSequence; axes that ONNX does not allow are moved to the front and back."""
    time, batch = n.axis(n.attrs["seq_dim"]), n.axis(n.attrs["batch_dim"])
    if {time, batch} == {0, 1}:
        attrs: dict[str, Any] = {"time_axis": time, "batch_axis": batch}
        return n.emit("ReverseSequence", [n.x(0), n.int64(1)], **attrs)
    rest = [a for a in range(n.rank()) if a not in (time, batch)]
    perm = [batch, time, *rest]
    x = n.transpose(n.x(0), perm, "Front")
    y = n.emit("ReverseSequence", [x, n.int64(1)], time_axis=1, batch_axis=0)
    return n.transpose(y, [perm.index(a) for a in range(len(perm))], "Back")


@export("ReverseV2")
def reverse_v2(n: Out) -> Results:
    """Slice with steps of -1."""
    axes = [n.axis(a) for a in n.need_ints(1, "axis")]
    if not axes:
        return n.emit("Identity", [n.x()])
    many = len(axes)
    return _slice(n, [_FAR] * many, [-_FAR] * many, axes, [-1] * many)


@export("OneHot")
def one_hot(n: Out) -> Results:
    """OneHot for constant depths; indices outside, which ONNX wraps, are sent beyond the end."""
    x = n.int64(0)
    depth = n.reshape(n.int64(1), [], "Depth") if n.shape(1) != () else n.int64(1)
    values = [n.reshape(n.x(i), [1], "Value") for i in (3, 2)]
    negative = n.emit("Less", [x, n.like(0, x, "zero")])
    index = n.emit("Where", [negative, depth, x])
    both = n.emit("Concat", values, axis=0)
    if n.shape(0) == ():  # ONNX wants a dim
        row = n.emit("OneHot", [n.reshape(index, [1], "Row"), depth, both], axis=-1)
        return n.squeeze(row, [0])
    return n.emit("OneHot", [index, depth, both], axis=n.attrs["axis"])


@export("NonZero")
def non_zero(n: Out) -> Results:
    """NonZero, turned where a row is asked for."""
    found = n.emit("NonZero", [n.x()])
    return found if n.attrs["transpose"] else n.emit("Transpose", [found], perm=[1, 0])


@export("Where")
def where(n: Out) -> Results:
    """NonZero, a row for each element."""
    return n.emit("Transpose", [n.emit("NonZero", [n.x()])], perm=[1, 0])


@export("MaskedSelect")
def masked_select(n: Out) -> Results:
    """Compress of flat tensors of one shape."""
    if n.shape(0) != n.shape(1):
        raise NoCounterpart("the mask must have the shape of x")
    flat = [n.reshape(n.x(i), [-1], "Flat") for i in (0, 1)]
    return n.emit("Compress", flat)


def _triangle(n: Out, upper: int) -> Results:
    k = n.constant(n.attrs["diagonal"], "k")
    return n.emit("Trilu", [n.x(), k], upper=upper)


@export("Tril")
def tril(n: Out) -> Results:
    """Trilu."""
    return _triangle(n, 0)


@export("Triu")
def triu(n: Out) -> Results:
    """Trilu."""
    return _triangle(n, 1)


@export("Range")
def range_(n: Out) -> Results:
    """Range; a closed one ends a half step later."""
    parts = [n.x(i) if n.shape(i) == () else n.reshape(n.x(i), [], "Scalar") for i in range(3)]
    if not n.attrs["is_closed"]:
        return n.emit("Range", parts)
    if n.is_float():
        half = n.binary("Mul", parts[2], 0.5, "Half")
        return n.emit("Range", [parts[0], n.emit("Add", [parts[1], half]), parts[2]])
    further = n.emit("Add", [parts[1], n.emit("Sign", [parts[2]])])
    return n.emit("Range", [parts[0], further, parts[2]])
