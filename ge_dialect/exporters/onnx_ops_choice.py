"""ONNX exports: choices of boxes and distinct values, reads and writes by index tensors."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ge_dialect.exporters.onnx_node import Out
from ge_dialect.exporters.onnx_rules import Results, export
from ge_dialect.exporters.onnx_values import NoCounterpart, Val
from ge_dialect.ir.types import elem_of, shape_of


@export("NonMaxSuppressionV3")
def non_max_suppression_v3(n: Out) -> Results:
    """NonMaxSuppression of one image and class, and the numbers out of its rows."""
    if n.attrs["offset"]:
        raise NoCounterpart("an offset of boxes")
    boxes = n.unsqueeze(n.cast(n.x(0), "float32"), [0], "Image")
    scores = n.unsqueeze(n.cast(n.x(1), "float32"), [0, 1], "Class")
    limit = n.emit("Max", [n.vector(2), n.constant([0], "none")], "Limit")
    bounds = [n.reshape(n.cast(n.x(i), "float32"), [1], "Bound") for i in (3, 4)]
    rows = n.emit("NonMaxSuppression", [boxes, scores, limit, *bounds], center_point_box=0)
    return n.emit("Gather", [rows, n.constant(2, "column")], "Numbers", axis=1)


@export("CropAndResize")
def crop_and_resize(n: Out) -> Results:
    """GatherND of the neighbours of each point, weighed; the points are computed as GE does."""
    shape, sizes = n.shape(0), n.need_ints(3, "crop_size")
    if shape is None or min(shape[1:3]) < 1 or len(sizes) != 2 or min(sizes) < 1:
        raise NoCounterpart("the sizes of the images must be known")
    boxes = n.wide(1)
    image = n.reshape(n.int64(2), [-1, 1, 1], "Images")
    places, inside = [], []
    for a in (0, 1):
        at = _points(n, boxes, a, sizes[a], shape[1 + a])
        low = n.emit("GreaterOrEqual", [at, n.like(0, at, "first")], f"Low_{a}")
        high = n.binary("LessOrEqual", at, shape[1 + a] - 1, f"High_{a}")
        there = n.emit("And", [low, high], f"Inside_{a}")
        places.append(n.emit("Where", [there, at, n.like(0, at, "zero")], f"Place_{a}"))
        inside.append(n.unsqueeze(there, [2 - a], f"There_{a}"))
    x = n.cast(n.x(0), boxes.elem)
    if n.attrs["method"] == "nearest":
        near = []
        for at in places:
            floor = n.emit("Floor", [at])
            half = n.binary("Sub", at, floor, "Part")
            up = n.cast(n.binary("GreaterOrEqual", half, 0.5, "Half"), at.elem)
            near.append(n.cast(n.emit("Add", [floor, up], "Nearest"), "int64"))
        value = _corner(n, x, image, near)
    else:
        floors = [n.emit("Floor", [at]) for at in places]
        parts = [n.emit("Sub", [p, f], "Part") for p, f in zip(places, floors, strict=True)]
        down, across = (n.unsqueeze(p, [2 - a, 3], "Weight") for a, p in enumerate(parts))
        sides = [
            [n.cast(f, "int64"), n.cast(n.emit("Ceil", [p]), "int64")]
            for p, f in zip(places, floors, strict=True)
        ]
        edges = [
            _between(n, [_corner(n, x, image, [row, col]) for col in sides[1]], across)
            for row in sides[0]
        ]
        value = _between(n, edges, down)
    there = n.unsqueeze(n.emit("And", inside, "All"), [3], "Channels")
    return n.emit("Where", [there, value, n.like(n.attrs["extrapolation_value"], x, "outside")])


def _points(n: Out, boxes: Val, a: int, count: int, size: int) -> Val:
    """Where the points of each box lie along an axis: (boxes, points)."""
    import numpy as np

    first, last = (n.slice(boxes, i, i + 1, 1, f"Side_{i}") for i in (a, a + 2))
    if count == 1:
        middle = n.binary("Mul", n.emit("Add", [first, last], "Both"), 0.5, "Middle")
        return n.binary("Mul", middle, size - 1, "Centre")
    length = n.binary("Mul", n.emit("Sub", [last, first], "Span"), size - 1, "Length")
    step = n.binary("Div", length, count - 1, "Step")
    numbers = n.constant(np.arange(count)[None], "numbers", boxes.elem)
    start = n.binary("Mul", first, size - 1, "Start")
    return n.emit("Add", [start, n.emit("Mul", [numbers, step], "Steps")], "Points")


def _corner(n: Out, x: Val, image: Val, places: Sequence[Val]) -> Val:
    """x at (image, row, column), for all rows and columns of each box."""
    parts = [image, n.unsqueeze(places[0], [2], "Rows"), n.unsqueeze(places[1], [1], "Columns")]
    return n.emit("GatherND", [x, _stacked(n, parts)], "Corner")


def _stacked(n: Out, parts: Sequence[Val], shape: Sequence[int] | None = None) -> Val:
    """Index tensors, stretched to their common shape, side by side on a new last axis."""
    if shape is None:
        total = parts[0]
        for part in parts[1:]:
            total = n.emit("Add", [total, part], "Stretch")
        sizes: Val = n.emit("Shape", [total], "Sizes")
    else:
        sizes = n.constant(list(shape), "sizes")
    wide = [n.unsqueeze(n.emit("Expand", [p, sizes], "Wide"), [-1], "Last") for p in parts]
    return n.emit("Concat", wide, "Indices", axis=-1) if len(wide) > 1 else wide[0]


def _between(n: Out, ends: Sequence[Val], weight: Val) -> Val:
    a, b = ends
    return n.emit("Add", [a, n.emit("Mul", [n.emit("Sub", [b, a]), weight])])


# --- distinct values -------------------------------------------------------------------------


def _no_numbers(n: Out, index: int) -> Val:
    return n.emit("Identity", [n.constant([], "none", elem_of(n.result(index)))])


@export("UniqueWithCountsAndSorting")
def unique_with_counts_and_sorting(n: Out) -> Results:
    """Unique of x, flat; what is not asked for is empty."""
    x = n.x() if n.shape() is not None and n.rank() == 1 else n.reshape(n.x(), [-1], "Flat")
    y, _, where, count = n.emit_all("Unique", [x], 4, {"sorted": int(n.attrs["sorted"])})
    if n.attrs["return_inverse"]:
        where = n.emit("Reshape", [where, n.emit("Shape", [n.x()])], "Inverse")
    return [
        y,
        where if n.attrs["return_inverse"] else _no_numbers(n, 1),
        count if n.attrs["return_counts"] else _no_numbers(n, 2),
    ]


@export("UniqueConsecutive")
def unique_consecutive(n: Out) -> Results:
    """Compress of the slices that differ from the one before."""
    rank, whole = n.rank(), n.attrs["axis"] == 1000
    if whole:
        x, axis, others = n.reshape(n.x(), [-1], "Flat"), 0, []
    else:
        x, axis = n.x(), n.axis(n.attrs["axis"])
        others = [a for a in range(rank) if a != axis]
        if others and 0 in n.known():
            raise NoCounterpart("a size is zero")
    later = n.slice(x, 1, (1 << 63) - 1, axis, "Later")
    earlier = n.slice(x, 0, -1, axis, "Earlier")
    differ = n.emit("Not", [n.emit("Equal", [later, earlier], "Equal")], "Differ")
    if others:
        any_ = n.reduce("ReduceMax", n.cast(differ, "int64"), others, False, "Any")
        differ = n.cast(any_, "bool")
    size = n.emit("Shape", [x], "Size", start=axis, end=axis + 1)
    import numpy as np

    fresh = n.emit("Concat", [n.constant(np.array([True]), "first"), differ], "All", axis=0)
    bounds = [n.constant([0], "start"), size, n.constant([0], "axis")]
    fresh = n.emit("Slice", [fresh, *bounds], "Fresh")  # no element, no first one
    y = n.emit("Compress", [x, fresh], axis=axis)
    results: list[Val] = [y]
    if n.attrs["return_idx"]:
        sums = n.emit("CumSum", [n.cast(fresh, "int64"), n.constant(0, "zero")], "Sums")
        idx = n.emit("Sub", [sums, n.constant(1, "one")], "Places")
        results.append(n.emit("Reshape", [idx, n.emit("Shape", [n.x()])]) if whole else idx)
    else:
        results.append(_no_numbers(n, 1))
    if n.attrs["return_counts"]:
        starts = n.reshape(n.emit("NonZero", [fresh]), [-1], "Starts")
        ends = n.emit("Concat", [n.slice(starts, 1, (1 << 63) - 1, 0, "Next"), size], axis=0)
        # without an element there is an end and no start
        ends = n.emit("Slice", [ends, bounds[0], n.emit("Shape", [starts]), bounds[2]], "Ends")
        results.append(n.emit("Sub", [ends, starts], "Counts"))
    else:
        results.append(_no_numbers(n, 2))
    return results


@export("SearchSorted")
def search_sorted(n: Out) -> Results:
    """How many elements of a row stand before a value: a comparison of all pairs."""
    rank = n.rank(0)
    rows, values = n.x(0), n.x(1)
    if n.has(2):
        rows = n.emit("GatherElements", [rows, n.x(2)], "Sorted", axis=rank - 1)
    if n.dtype(0) != n.dtype(1):
        raise NoCounterpart("rows and values of two types")
    if n.is_float() and n.dtype() not in ("float32", "float64"):
        rows, values = (n.cast(v, "float32") for v in (rows, values))
    if rank > 1:
        rows = n.unsqueeze(rows, [rank - 1], "Rows")
    column = n.unsqueeze(values, [-1], "Column")
    before = n.emit("LessOrEqual" if n.attrs["right"] else "Less", [rows, column], "Before")
    if n.is_float():  # NaN stands behind all numbers
        odd = n.emit("IsNaN", [column], "Odd")
        if not n.attrs["right"]:
            odd = n.emit("And", [odd, n.emit("Not", [n.emit("IsNaN", [rows])])], "Smaller")
        before = n.emit("Or", [before, odd], "Counted")
    return n.reduce("ReduceSum", n.cast(before, "int64"), [-1], False, "Count")


# --- reads and writes by index tensors --------------------------------------------------------


class _Key:
    """Index tensors for marked axes, which are moved to the front and, as one, back."""

    def __init__(self, n: Out, mask: Sequence[int], place: int) -> None:
        rank = n.rank(0)
        self.marked = [a for a, m in enumerate(mask) if m]
        self.rest = [a for a in range(rank) if a not in self.marked]
        shapes = [shape_of(v.type) for v in n.ssa(place)]
        if len(self.marked) != len(shapes) or not self.marked or rank < len(mask):
            raise NoCounterpart("there is not one index per axis marked")
        if any(s is None or -1 in s for s in shapes):
            raise NoCounterpart("the shapes of the indices must be known")
        import numpy as np

        self.shape = np.broadcast_shapes(*(s for s in shapes if s is not None))
        parts = [n.cast(v, "int64") for v in n.xs(place)]
        self.indices = _stacked(n, parts, self.shape)
        first = self.marked[0]
        together = self.marked == list(range(first, first + len(self.marked)))
        #: Where the axes of the indices stand in what is read.
        self.place = first if together else 0
        self.front = [*self.marked, *self.rest]

    def order(self, back: bool) -> list[int]:
        """From the indices' axes first to where they stand, or back."""
        count = len(self.shape)
        lead = [count + i for i in range(self.place)]
        tail = [count + i for i in range(self.place, len(self.rest))]
        order = [*lead, *range(count), *tail]
        return [order.index(i) for i in range(len(order))] if back else order


def _read(n: Out, key: _Key) -> Results:
    x = n.transpose(n.x(0), key.front, "Front")
    picked = n.emit("GatherND", [x, key.indices])
    return n.transpose(picked, key.order(False), "Place")


@export("Index")
def index(n: Out) -> Results:
    """GatherND with the marked axes in front."""
    return _read(n, _Key(n, n.need_ints(1, "the marks of the axes"), 3))


@export("IndexByTensor")
def index_by_tensor(n: Out) -> Results:
    """GatherND with the marked axes in front."""
    return _read(n, _Key(n, n.attrs["indices_mask"] or (1,) * len(n.ssa(1)), 1))


@export("IndexPutV2")
def index_put_v2(n: Out) -> Results:
    """ScatterND with the marked axes in front; which of several writes stays is open in ONNX."""
    key = _Key(n, n.need_ints(2, "the marks of the axes"), 4)
    shape = n.known(0)
    inner = [shape[a] for a in key.rest]
    read = [*inner[: key.place], *key.shape, *inner[key.place :]]
    add = n.attrs["accumulate"]
    if add and n.dtype() == "bool":
        raise NoCounterpart("sums of booleans")
    x, value = (n.wide(0), n.wide(1)) if add else (n.x(0), n.x(1))
    value = n.emit("Expand", [n.cast(value, x.elem), n.constant(read, "read")], "Wide")
    value = n.transpose(value, key.order(True), "Turned")
    x = n.transpose(x, key.front, "Front")
    y = n.emit("ScatterND", [x, key.indices, value], reduction="add" if add else None)
    return n.transpose(y, [key.front.index(a) for a in range(len(shape))], "Back")


@export("InplaceIndexAdd")
def inplace_index_add(n: Out) -> Results:
    """ScatterND that adds, with the axis in front."""
    rank, axis = n.rank(0), n.axis(n.attrs["axis"])
    if n.dtype() == "bool":
        raise NoCounterpart("sums of booleans")
    front = [axis, *(a for a in range(rank) if a != axis)]
    added = n.wide(2)
    if n.has(3):
        added = n.emit("Mul", [added, n.reshape(n.cast(n.x(3), added.elem), [], "Alpha")])
    x, added = (n.transpose(v, front, "Front") for v in (n.wide(0), added))
    places = n.unsqueeze(n.int64(1), [1], "Places")
    y = n.emit("ScatterND", [x, places, added], reduction="add")
    return n.transpose(y, [front.index(a) for a in range(rank)], "Back")


@export("EmbeddingDenseGrad")
def embedding_dense_grad(n: Out) -> Results:
    """ScatterND that adds to zeros; rows of padding_idx count nothing."""
    import numpy as np

    shape = n.shape(0)
    if shape is None or shape[-1] < 1:
        raise NoCounterpart("the size of the rows must be known")
    count, width = n.attrs["num_weights"], shape[-1]
    indices = n.reshape(n.int64(1), [-1, 1], "Indices")
    rows = n.reshape(n.wide(0), [-1, width], "Rows")
    skipped = n.emit("Equal", [indices, n.constant(n.attrs["padding_idx"], "padding")], "Skipped")
    rows = n.emit("Where", [skipped, n.like(0, rows, "zero"), rows], "Kept")
    blank = n.constant(np.zeros((count, width)), "blank", rows.elem)
    y = n.emit("ScatterND", [blank, indices, rows], reduction="add")
    if not n.attrs["scale_grad_by_freq"]:
        return y
    zeros = n.constant(np.zeros(count), "none", rows.elem)
    flat = n.reshape(indices, [-1], "Flat")
    ones = n.emit("Expand", [n.like(1, rows, "one"), n.emit("Shape", [flat])], "Ones")
    often = n.emit("ScatterND", [zeros, indices, ones], "Often", reduction="add")
    often = n.emit("Max", [often, n.like(1, rows, "least")])
    return n.emit("Div", [y, n.unsqueeze(often, [1], "Column")])


@export("StridedSliceGrad")
def strided_slice_grad(n: Out) -> Results:
    """ScatterElements of dy to the places of a slice of numbered elements."""
    import numpy as np

    from ge_dialect.semantics.context import Context
    from ge_dialect.semantics.registry import lookup

    dims, *bounds = (n.need_ints(i, "the bounds") for i in range(4))
    size = math.prod(dims)
    if not 0 < size <= 1 << 20:
        raise NoCounterpart(f"a slice of {size} elements")
    read = lookup("StridedSlice")
    assert read is not None
    numbers = np.arange(size).reshape(dims)
    found = read([numbers, *(np.array(b) for b in bounds)], n.attrs, Context())
    places = np.asarray(found).reshape(-1)
    blank = n.emit("Expand", [n.constant(0, "zero", n.elem(4)), n.constant([size], "size")])
    dy = n.reshape(n.x(4), [-1], "Flat")
    y = n.emit("ScatterElements", [blank, n.constant(places, "places"), dy], axis=0)
    return n.reshape(y, dims, "Whole")


@export("DynamicPartition")
def dynamic_partition(n: Out) -> Results:
    """Compress of the slices of each number."""
    shape, rank = n.shape(0), n.rank(1)
    if shape is None:
        raise NoCounterpart("the rank must be known")
    x, numbers = n.x(0), n.x(1)
    if rank != 1:
        if -1 in shape[rank:] or 0 in shape[rank:]:
            raise NoCounterpart("the sizes of the slices must be known")
        x, numbers = n.reshape(x, [-1, *shape[rank:]], "Rows"), n.reshape(numbers, [-1], "Numbers")
    parts = []
    for i in range(n.attrs["num_partitions"]):
        here = n.emit("Equal", [numbers, n.like(i, numbers, f"number_{i}")], f"Here_{i}")
        parts.append(n.emit("Compress", [x, here], axis=0))
    return parts
