"""ONNX exports: tensors made from few numbers, triangles, blocks of space, shapes as values."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ge_dialect.exporters.onnx_node import Out
from ge_dialect.exporters.onnx_rules import Results, export
from ge_dialect.exporters.onnx_values import NoCounterpart, Val
from ge_dialect.ir.types import elem_of, shape_of

#: A made constant has at most so many elements.
MOST_MADE = 1 << 20


def _bounded(count: int) -> None:
    if count > MOST_MADE:
        raise NoCounterpart(f"a constant of {count} elements")


@export("PlaceHolder", "End", "MemcpyAddrAsync")
def handed_on(n: Out) -> Results:
    """Identity."""
    return n.emit("Identity", [n.x()])


@export("PhonyConcat")
def phony_concat(n: Out) -> Results:
    """Concat."""
    if len(n.attrs["concat_dim"]) != 1:
        raise NoCounterpart("several levels")
    rank = len(shape_of(n.result()) or ())
    return n.emit("Concat", n.xs(), axis=n.axis(n.attrs["concat_dim"][0], rank))


@export("PhonySplit")
def phony_split(n: Out) -> Results:
    """Split into equal parts."""
    if len(n.attrs["split_dim"]) != 1:
        raise NoCounterpart("several levels")
    axis, count = n.axis(n.attrs["split_dim"][0]), n.count()
    return n.emit_all("Split", [n.x()], count, {"axis": axis, "num_outputs": count})


@export("TransShape")
def trans_shape(n: Out) -> Results:
    """Reshape."""
    dims = list(n.attrs["outShape"])
    if 0 in dims:
        raise NoCounterpart("a size is zero")
    return n.reshape(n.x(), dims)


# --- made tensors ----------------------------------------------------------------------------


@export("Empty")
def empty(n: Out) -> Results:
    """Expand of zero."""
    zero = n.constant(0, "zero", elem_of(n.result()))
    return n.emit("Expand", [zero, n.int64(0)])


@export("Eye")
def eye(n: Out) -> Results:
    """A constant."""
    import numpy as np

    rows, columns = n.attrs["num_rows"], n.attrs["num_columns"] or n.attrs["num_rows"]
    _bounded(rows * columns * math.prod(n.attrs["batch_shape"]))
    one = np.broadcast_to(np.eye(rows, columns), (*n.attrs["batch_shape"], rows, columns))
    return n.emit("Identity", [n.constant(one, "eye", elem_of(n.result()))])


@export("Diag")
def diag(n: Out) -> Results:
    """x where row and column agree, the axes apart again."""
    import numpy as np

    shape = n.known()
    size = math.prod(shape)
    _bounded(size * size)
    if not size:
        raise NoCounterpart("a size is zero")
    zero = n.constant(0, "zero", n.elem())
    row = n.reshape(n.x(), [1, size], "Row")
    matrix = n.emit("Where", [n.constant(np.eye(size, dtype=bool), "eye"), row, zero], "Matrix")
    return n.reshape(matrix, [*shape, *shape])


@export("LinSpace")
def lin_space(n: Out) -> Results:
    """start + i · step, counted in f64; the ends are start and stop themselves."""
    import numpy as np

    count = n.need_ints(2, "num")[0]
    _bounded(count)
    start, stop = (n.reshape(n.cast(n.x(i), "float64"), [1], "End") for i in (0, 1))
    if count == 1:
        return start
    step = n.binary("Div", n.emit("Sub", [stop, start]), float(count - 1), "Step")
    places = n.constant(np.arange(1, count - 1), "places", step.elem)
    inner = n.emit("Add", [start, n.emit("Mul", [step, places])])
    return n.emit("Concat", [start, inner, stop], axis=0)


@export("PadV2")
def pad_v2(n: Out) -> Results:
    """Pad with a value, the pads turned to ONNX's order."""
    value = n.reshape(n.x(2), [], "Value") if n.shape(2) != () else n.x(2)
    turned = n.emit("Transpose", [n.int64(1)], "Pads", perm=[1, 0])
    return n.emit("Pad", [n.x(0), n.reshape(turned, [-1], "Flat"), value], mode="constant")


@export("Trilu")
def trilu(n: Out) -> Results:
    """Trilu."""
    k = None
    if n.has(1):
        k = n.x(1) if n.shape(1) == () else n.reshape(n.x(1), [], "Diagonal")
    return n.emit("Trilu", [n.x(0), k], upper=int(n.attrs["upper"]))


@export("Expand")
def expand(n: Out) -> Results:
    """Expand."""
    return n.emit("Expand", [n.x(0), n.int64(1)])


@export("MatrixDiagV2")
def matrix_diag_v2(n: Out) -> Results:
    """GatherElements of the diagonals by a table of places, the value elsewhere."""
    import numpy as np

    from ge_dialect.ops.blocks import matrix_sizes

    shape, k = n.known(0), n.need_ints(1, "k")
    rows, columns = n.need_ints(2, "num_rows")[0], n.need_ints(3, "num_cols")[0]
    low, high = k[0], k[-1]
    sizes = matrix_sizes(shape[-1], low, high, rows, columns)
    if low > high or sizes is None or 0 in shape:
        raise NoCounterpart("the diagonals do not fit the matrix")
    _bounded(math.prod(sizes))
    lead = shape[:-1] if low == high else shape[:-2]
    if low != high and shape[-2] != high - low + 1:
        raise NoCounterpart("the diagonals do not fit the matrix")
    i, j = np.ogrid[: sizes[0], : sizes[1]]
    d = j - i
    inside = (low <= d) & (d <= high)
    place = np.where(inside, j - np.maximum(d, 0), 0)
    inside = inside & (place < shape[-1])
    flat = np.where(inside, np.where(inside, high - d, 0) * shape[-1] + place, 0)
    x = n.reshape(n.x(0), [*lead, (high - low + 1) * shape[-1]], "Flat")
    picked = n.emit("Gather", [x, n.constant(flat, "places")], "Picked", axis=len(lead))
    value = n.x(4) if n.shape(4) == () else n.reshape(n.x(4), [], "Value")
    return n.emit("Where", [n.constant(inside, "inside"), picked, value])


# --- blocks ----------------------------------------------------------------------------------


def _blocks(n: Out) -> tuple[list[int], list[list[int]], tuple[int, ...]]:
    sizes, flat = n.need_ints(1, "block_shape"), n.need_ints(2, "the paddings or crops")
    shape = n.known(0)
    if 0 in shape or any(b < 1 for b in sizes) or len(sizes) >= len(shape):
        raise NoCounterpart("block_shape does not fit")
    return sizes, [flat[2 * i : 2 * i + 2] for i in range(len(sizes))], shape


@export("SpaceToBatchND")
def space_to_batch_nd(n: Out) -> Results:
    """Pad, then a Transpose of the blocks."""
    sizes, table, shape = _blocks(n)
    m, rest = len(sizes), len(shape) - len(sizes) - 1
    pads = [*(p[0] for p in table), *(p[1] for p in table)]
    x = n.x(0)
    if any(pads):
        none = [0] * rest
        whole = [0, *pads[:m], *none, 0, *pads[m:], *none]
        x = n.emit("Pad", [x, n.constant(whole, "pads")], "Pad", mode="constant")
    space = [d + a + b for d, (a, b) in zip(shape[1:], table, strict=False)]
    if any(d % b for d, b in zip(space, sizes, strict=True)):
        raise NoCounterpart("block_shape does not divide the sizes")
    split = [v for d, b in zip(space, sizes, strict=True) for v in (d // b, b)]
    x = n.reshape(x, [shape[0], *split, *shape[m + 1 :]], "Blocks")
    inner, outer = [2 + 2 * i for i in range(m)], [1 + 2 * i for i in range(m)]
    last = range(2 * m + 1, 2 * m + 1 + rest)
    x = n.transpose(x, [*inner, 0, *outer, *last], "Turn")
    dims = [shape[0] * math.prod(sizes), *split[::2], *shape[m + 1 :]]
    return n.emit("Reshape", [x, n.constant(dims, "dims")])


@export("BatchToSpaceND")
def batch_to_space_nd(n: Out) -> Results:
    """A Transpose of the blocks, then Slice."""
    sizes, table, shape = _blocks(n)
    m, blocks = len(sizes), math.prod(sizes)
    if shape[0] % blocks:
        raise NoCounterpart("block_shape does not divide the batch")
    batch, space, rest = shape[0] // blocks, shape[1 : m + 1], shape[m + 1 :]
    x = n.reshape(n.x(0), [*sizes, batch, *space, *rest], "Blocks")
    last = range(2 * m + 1, 2 * m + 1 + len(rest))
    x = n.transpose(x, [m, *(a for i in range(m) for a in (m + 1 + i, i)), *last], "Turn")
    whole = [d * b for d, b in zip(space, sizes, strict=True)]
    x = n.emit("Reshape", [x, n.constant([batch, *whole, *rest], "dims")], "Whole")
    cut = [(i, a, d - b) for i, (d, (a, b)) in enumerate(zip(whole, table, strict=True)) if a or b]
    if not cut:
        return x
    parts = [[a for _, a, _ in cut], [e for _, _, e in cut], [i + 1 for i, _, _ in cut]]
    held = [n.constant(p, name) for p, name in zip(parts, ("starts", "ends", "axes"), strict=True)]
    return n.emit("Slice", [x, *held])


# --- shapes as values ------------------------------------------------------------------------


@export("GatherShapes")
def gather_shapes(n: Out) -> Results:
    """Chosen entries of Shape."""
    parts: list[Val] = []
    if not n.attrs["axes"]:
        return n.emit("Identity", [n.constant([], "none", elem_of(n.result()))])
    for k, (i, axis) in enumerate(n.attrs["axes"]):
        shape = n.emit("Shape", [n.xs()[i]], f"Shape_{k}")
        parts.append(n.emit("Gather", [shape, n.constant([axis], f"axis_{k}")], axis=0))
    return n.emit("Concat", parts, axis=0)


def _lengthened(n: Out, index: int, rank: int) -> Val:
    shape = n.shape(index)
    assert shape is not None
    value = n.int64(index)
    if shape[0] == rank:
        return value
    ones = n.constant([1] * (rank - shape[0]), "ones")
    return n.emit("Concat", [ones, value], "Longer", axis=0)


def _ranks(n: Out) -> int:
    shapes: Sequence[tuple[int, ...] | None] = [n.shape(0), n.shape(1)]
    lengths = [s[0] if s and len(s) == 1 else -1 for s in shapes]
    if -1 in lengths:
        raise NoCounterpart("the ranks must be known")
    return max(lengths)


@export("BroadcastArgs")
def broadcast_args(n: Out) -> Results:
    """The sizes of one shape, those of the other where they are 1."""
    rank = _ranks(n)
    a, b = (_lengthened(n, i, rank) for i in (0, 1))
    return n.emit("Where", [n.emit("Equal", [a, n.constant(1, "one")]), b, a])


@export("BroadcastGradientArgs")
def broadcast_gradient_args(n: Out) -> Results:
    """Places of ones in each shape; none where both shapes are equal."""
    rank = _ranks(n)
    a, b = (_lengthened(n, i, rank) for i in (0, 1))
    same = n.cast(n.emit("Equal", [a, b], "Same"), "int64")
    if n.shape(0) == n.shape(1):
        every = n.reduce("ReduceMin", same, [0], True, "Every") if rank else same
        differ = n.emit("Equal", [every, n.constant(0, "zero")], "Differ")
    else:
        differ = None
    out = []
    for i, shape in enumerate((a, b)):
        one = n.emit("Equal", [shape, n.constant(1, "one")], f"One_{i}")
        if differ is not None:
            one = n.emit("And", [one, differ], f"Stretched_{i}")
        out.append(n.reshape(n.emit("NonZero", [one]), [-1], f"Axes_{i}"))
    return out
