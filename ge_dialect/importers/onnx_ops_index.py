"""ONNX rules: slices, gathers, padding."""

from __future__ import annotations

from xdsl.ir import SSAValue

from ge_dialect.dtypes import to_xdsl
from ge_dialect.importers.onnx_graph import Refused
from ge_dialect.importers.onnx_node import Node
from ge_dialect.importers.onnx_rules import Outputs, rule
from ge_dialect.ir.types import elem_of, shape_of


@rule("Slice", "1")
def slice_1(n: Node) -> Outputs:
    """StridedSlice over all axes."""
    starts, ends = n.int_list("starts"), n.int_list("ends")
    if starts is None or ends is None:
        raise Refused("starts or ends is missing", "GX-333")
    return strided_slice(n, n.x(0), starts, ends, n.int_list("axes"), None, None)


@rule("Slice", "10 11 13")
def slice_10(n: Node) -> Outputs:
    """StridedSlice over all axes; StridedSliceV2 for what is computed."""
    axes, steps = n.ints(3), n.ints(4)
    starts, ends = n.ints(1), n.ints(2)
    known = (axes is not None or not n.has(3)) and (steps is not None or not n.has(4))
    if starts is not None and ends is not None and known and n.shape(0) is not None:
        return strided_slice(n, n.x(0), starts, ends, axes, steps, None)
    operands = [n.x(0), n.x(1), n.x(2), n.optional(3), n.optional(4)]
    return n.emit("StridedSliceV2", operands)


def strided_slice(
    n: Node,
    x: SSAValue,
    starts: list[int],
    ends: list[int],
    axes: list[int] | None,
    steps: list[int] | None,
    role: str | None,
) -> SSAValue:
    """StridedSlice over all axes, with ONNX's clamping.

    A bound beyond the axis becomes a mask bit, because for a negative step "up to before the first
    element" has no index of its own.
    """
    shape = shape_of(x.type)
    if shape is None:
        raise Refused("the rank must be known")
    rank = len(shape)
    axes = list(range(len(starts))) if axes is None else [n.axis(a, rank) for a in axes]
    steps = steps or [1] * len(starts)
    if not len(starts) == len(ends) == len(axes) == len(steps) or len(set(axes)) != len(axes):
        raise Refused("starts, ends, axes and steps do not fit each other", "GX-333")
    begin, end, stride = [0] * rank, [0] * rank, [1] * rank
    begin_mask = end_mask = (1 << rank) - 1
    for first, last, axis, step in zip(starts, ends, axes, steps, strict=True):
        if step == 0:
            raise Refused("a step is zero", "GX-333")
        bit = 1 << axis
        dim = shape[axis]
        stride[axis] = step
        if dim >= 0:
            first, last = _clamp(first, last, dim, step)
        far = 2**31 - 1
        open_begin = first <= -far or first >= far
        if dim < 0 and open_begin and (first < 0) != (step > 0):
            # Starts behind the far end: nothing is left.
            begin[axis], end[axis] = 0, 0
            begin_mask, end_mask = begin_mask & ~bit, end_mask & ~bit
            continue
        if not open_begin:
            begin[axis], begin_mask = first, begin_mask & ~bit
        open_end = last is None or last <= -far or last >= far
        if dim < 0 and last is not None and open_end and (last > 0) != (step > 0):
            begin[axis], end[axis] = 0, 0
            begin_mask, end_mask = begin_mask & ~bit, end_mask & ~bit
            continue
        if not open_end and last is not None:
            end[axis], end_mask = last, end_mask & ~bit
    operands = [x]
    for values, what in ((begin, "begin"), (end, "end"), (stride, "strides")):
        operands.append(n.constant(values, f"{role or 'slice'}_{what}"))
    masks = {"begin_mask": begin_mask, "end_mask": end_mask}
    return n.emit("StridedSlice", operands, masks, role=role)


def _clamp(first: int, last: int, dim: int, step: int) -> tuple[int, int | None]:
    """Bounds in [0, dim]; None as the end means "to the end in the direction of the step"."""
    begin, end, _ = slice(first, last, step).indices(dim)
    if step > 0:
        return begin, max(end, begin)
    if begin < 0:  # nothing to start from
        return 0, 0
    return begin, (None if end < 0 else min(end, begin))


@rule("Gather", "1 11 13")
def gather(n: Node) -> Outputs:
    """GatherV2 that takes negative indices."""
    axis = n.int("axis", 0)
    if (shape := n.shape(0)) is not None:
        axis = n.axis(axis, len(shape))
    where = n.constant(axis, "axis", to_xdsl("int64"))
    return n.emit("GatherV2", [n.x(0), n.x(1), where], {"negative_index_support": True})


@rule("Pad", "2")
def pad_2(n: Node) -> Outputs:
    """PadV3; negative pads cut by StridedSlice first."""
    pads = n.int_list("pads")
    if pads is None:
        raise Refused("pads is missing", "GX-333")
    value = n.float("value", 0.0)
    fill = n.constant(value, "value", n.elem(0)) if value else None
    return _pad(n, pads, fill)


@rule("Pad", "11 13 18 19 21 23 24 25")
def pad(n: Node) -> Outputs:
    """PadV3; negative pads cut by StridedSlice first."""
    fill = n.optional(2)
    if n.has(2) and (value := n.const(2)) is not None:
        fill = n.constant(value.reshape(()), "value", n.elem(0))
    pads, axes = n.ints(1), n.ints(3)
    if n.string("mode", "constant") == "wrap":
        return _wrap(n)
    if pads is None or (n.has(3) and axes is None):
        return _emit_pad(n, n.x(0), _computed_pads(n), fill, contiguous=False)
    if axes is not None:
        rank = n.rank(0)
        axes = [n.axis(a, rank) for a in axes]
        if len(pads) != 2 * len(axes):
            raise Refused("pads do not fit the axes", "GX-333")
        full = [0] * (2 * rank)
        for i, axis in enumerate(axes):
            full[axis], full[axis + rank] = pads[i], pads[i + len(axes)]
        pads = full
    return _pad(n, pads, fill)


def _computed_pads(n: Node) -> SSAValue:
    """All begins, then all ends, of every axis; those that `axes` does not name are zero."""
    if not n.has(3):
        return n.x(1)
    rank, axes = n.rank(0), n.ints(3)
    if axes is not None:
        places = [n.axis(a, rank) for a in axes]
        where = n.constant(places + [a + rank for a in places], "places")
    else:
        size = n.constant(rank, "rank", n.elem(3))
        begins = n.emit("FloorMod", [n.x(3), size], role="Begins")
        ends = n.emit("Add", [begins, size], role="Ends")
        where = n.emit("ConcatD", [[begins, ends]], {"concat_dim": 0, "N": 2}, role="Places")
    zeros = n.constant([0] * (2 * rank), "zeros", n.elem(1))
    return n.emit("ScatterElements", [zeros, where, n.x(1)], role="Pads")


def _wrap(n: Node) -> Outputs:
    """GatherV2 per axis, at places counted beyond the ends and taken modulo the size."""
    from ge_dialect.importers.onnx_ops_scatter import axis_size

    x, rank, int64 = n.x(0), n.rank(0), to_xdsl("int64")
    pads, axes = n.ints(1), n.ints(3) if n.has(3) else list(range(rank))
    if axes is None:
        raise Refused("computed axes together with mode = wrap are not supported")
    where = [n.axis(a, rank) for a in axes]
    active = [i for i in range(len(where)) if pads is None or pads[i] or pads[i + len(where)]]
    if not active:
        return n.emit("Identity", [x])
    for i in active:
        axis = where[i]
        bounds = []
        for at in (i, i + len(where)):
            if pads is not None:
                bounds.append(n.constant([pads[at]], "pad", int64))
            else:
                block = {"offsets": [at], "size": [1]}
                one = n.emit("SliceD", [n.x(1)], block, role=f"Pad_{at}")
                bounds.append(n.cast(one, int64))
        size = axis_size(n, x, axis, f"size_{axis}")
        first = n.emit("Neg", [bounds[0]], role=f"First_{axis}")
        last = n.emit("Add", [size, bounds[1]], role=f"Last_{axis}")
        step = n.constant([1], "step", int64)
        places = n.emit("Range", [first, last, step], role=f"Range_{axis}")
        places = n.emit("FloorMod", [places, size], role=f"Places_{axis}")
        role = None if i == active[-1] else f"Wrapped_{axis}"
        x = n.emit("GatherV2", [x, places, n.constant(axis, "axis", int64)], role=role)
    return x


def _pad(n: Node, pads: list[int], fill: SSAValue | None) -> Outputs:
    """ONNX lists all begins, then all ends; GE a pair per axis. Negative pads cut first."""
    x = n.x(0)
    rank = len(pads) // 2
    if len(pads) % 2 or ((s := n.shape(0)) is not None and len(s) != rank):
        raise Refused("pads do not fit the input", "GX-333")
    if not any(pads):
        return n.emit("Identity", [x])
    grow = any(p > 0 for p in pads)
    if any(p < 0 for p in pads):
        if n.string("mode", "constant") != "constant" and grow:
            raise Refused("negative pads are supported only with mode = constant")
        starts = [max(-p, 0) for p in pads[:rank]]
        ends = [-max(-p, 0) if p < 0 else 2**63 - 1 for p in pads[rank:]]
        x = strided_slice(n, x, starts, ends, None, None, "Cut" if grow else None)
        if not grow:
            return x
    pairs = [[max(b, 0), max(e, 0)] for b, e in zip(pads[:rank], pads[rank:], strict=True)]
    return _emit_pad(n, x, n.constant(pairs, "paddings"), fill, contiguous=True)


def _emit_pad(
    n: Node, x: SSAValue, paddings: SSAValue, fill: SSAValue | None, *, contiguous: bool
) -> SSAValue:
    mode = n.string("mode", "constant")
    if mode not in ("constant", "reflect", "edge"):
        raise Refused(f"mode = {mode} is not supported")
    if mode == "constant" and fill is None:
        fill = n.constant(0, "value", elem_of(x.type))
    attrs = {"mode": mode, "paddings_contiguous": contiguous}
    return n.emit("PadV3", [x, paddings, fill if mode == "constant" else None], attrs)


@rule("Trilu", "14")
def trilu(n: Node) -> Outputs:
    """Triu or Tril; SelectV2 by the distance from the diagonal where k is computed."""
    import numpy as np

    upper, k = bool(n.int("upper", 1)), n.ints(1) if n.has(1) else [0]
    if k is not None:
        return n.emit("Triu" if upper else "Tril", [n.x(0)], {"diagonal": k[0]})
    shape = n.shape(0)
    if shape is None or len(shape) < 2 or -1 in shape[-2:]:
        raise Refused("the last two dims must be known where k is computed")
    rows, columns = shape[-2:]
    distance = n.constant(np.arange(columns)[None, :] - np.arange(rows)[:, None], "distance")
    limit = n.cast(n.x(1), elem_of(distance.type), "K")
    keep = n.emit("GreaterEqual" if upper else "LessEqual", [distance, limit], role="Keep")
    return n.emit("SelectV2", [keep, n.x(0), n.constant(0, "zero", n.elem(0))])


@rule("OneHot", "9 11 28")
def one_hot(n: Node) -> Outputs:
    """OneHot, with negative indices counted from the end; one out of range matches no class."""
    int64 = to_xdsl("int64")
    axis = n.axis(n.int("axis", -1), n.rank(0) + 1)
    depth = n.x_as(1, int64, "Depth")
    index = n.cast(n.x(0), int64, "Index")
    negative = n.emit("Less", [index, n.constant(0, "zero", int64)], role="Negative")
    if (shape_of(depth.type) or (1,)) != () and shape_of(index.type) == ():
        depth = n.reshape(depth, [], "DepthScalar")
    wrapped = n.emit("Add", [index, depth], role="Wrapped")
    index = n.emit("SelectV2", [negative, wrapped, index], role="Class")
    off = strided_slice(n, n.x(2), [0], [1], None, None, "Off")
    on = strided_slice(n, n.x(2), [1], [2], None, None, "On")
    return n.emit("OneHot", [index, depth, on, off], {"axis": axis})
