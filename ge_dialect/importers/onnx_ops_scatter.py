"""ONNX rules: gathers and writes by index, reversed sequences."""

from __future__ import annotations

import math

from xdsl.ir import SSAValue

from ge_dialect.dtypes import to_xdsl
from ge_dialect.importers.onnx_graph import Refused
from ge_dialect.importers.onnx_node import Node
from ge_dialect.importers.onnx_rules import Outputs, rule
from ge_dialect.ir.types import elem_of, shape_of


def known_shape(n: Node, index: int) -> tuple[int, ...]:
    """Shape of an input; refused where a dim is unknown."""
    shape = n.shape(index)
    if shape is None or -1 in shape:
        raise Refused(f"the shape of input {index} must be known")
    return shape


@rule("GatherElements", "11 13")
def gather_elements(n: Node) -> Outputs:
    """GatherElements."""
    axis = n.axis(n.int("axis", 0), n.rank(0))
    return n.emit("GatherElements", [n.x(0), n.x(1)], {"dim": axis})


@rule("GatherND", "11 12 13")
def gather_nd(n: Node) -> Outputs:
    """GatherNd, which has no `batch_dims`: the places on those axes become part of the tuples."""
    import numpy as np

    batch, indices = n.int("batch_dims", 0), n.x(1)
    if batch:
        shape = known_shape(n, 1)
        if not 0 < batch < len(shape):
            raise Refused(f"batch_dims {batch} does not fit the indices", "GX-333")
        grid = np.moveaxis(np.indices(shape[:-1])[:batch], 0, -1)
        places = n.constant(grid, "batch", elem_of(indices.type))
        attrs = {"concat_dim": len(shape) - 1, "N": 2}
        indices = n.emit("ConcatD", [[places, indices]], attrs, role="Tuples")
    return n.emit("GatherNd", [n.x(0), indices], {"negative_index_support": True})


def _scatter(n: Node, reduction: str) -> Outputs:
    axis = n.axis(n.int("axis", 0), n.rank(0))
    attrs = {"axis": axis, "reduction": reduction}
    return n.emit("ScatterElements", [n.x(0), n.x(1), n.x(2)], attrs)


@rule("Scatter", "9 11")
def scatter(n: Node) -> Outputs:
    """ScatterElements under its old name."""
    return _scatter(n, "none")


@rule("ScatterElements", "11 13 16 18")
def scatter_elements(n: Node) -> Outputs:
    """ScatterElements."""
    return _scatter(n, n.string("reduction", "none"))


def _from_front(n: Node, indices: SSAValue, index: int, depth: int) -> SSAValue:
    """Index tuples into the first axes of an input, negative entries counted from the end."""
    known = n.const(1)
    if known is not None and bool((known >= 0).all()):
        return indices
    shape = n.shape(index)
    elem = elem_of(indices.type)
    if shape is not None and -1 not in shape[:depth]:
        sizes = n.constant(list(shape[:depth]), "sizes", elem)
    else:
        whole = n.emit("Shape", [n.x(index)], {"dtype": 9}, role="Shape")
        attrs = {"offsets": [0], "size": [depth]}
        sizes = n.cast(n.emit("SliceD", [whole], attrs, role="Sizes"), elem, "SizesCast")
    below = n.emit("Less", [indices, n.constant(0, "zero", elem)], role="Negative")
    wrapped = n.emit("Add", [indices, sizes], role="Wrapped")
    return n.emit("SelectV2", [below, wrapped, indices], role="FromFront")


@rule("ScatterND", "11 13 16 18")
def scatter_nd(n: Node) -> Outputs:
    """TensorScatterUpdate; with a reduction ScatterElements on a matrix of slices.

    GE's operators take no negative indices; they are counted from the front first.
    """
    reduction, places = n.string("reduction", "none"), n.shape(1)
    if places is None or not places or places[-1] < 1:
        raise Refused("the last dim of indices must be known")
    depth = places[-1]
    indices = _from_front(n, n.x(1), 0, depth)
    if reduction == "none":
        return n.emit("TensorScatterUpdate", [n.x(0), indices, n.x(2)])
    shape, places = known_shape(n, 0), known_shape(n, 1)
    if depth > len(shape):
        raise Refused("indices has tuples longer than the rank of data", "GX-333")
    elem = elem_of(indices.type)
    steps = [math.prod(shape[i + 1 : depth]) for i in range(depth)]
    scaled = n.emit("Mul", [indices, n.constant(steps, "steps", elem)], role="Scaled")
    attrs = {"axes": [len(places) - 1], "keep_dims": False}
    rows = n.emit("ReduceSumD", [scaled], attrs, role="Rows")
    count, width = math.prod(places[:-1]), math.prod(shape[depth:])
    rows = n.reshape(rows, [count, 1], "RowsColumn")
    rows = n.emit("BroadcastTo", [rows, n.constant([count, width], "dims")], role="Places")
    data = n.reshape(n.x(0), [math.prod(shape[:depth]), width], "Slices")
    updates = n.reshape(n.x(2), [count, width], "Updates")
    attrs = {"axis": 0, "reduction": reduction}
    flat = n.emit("ScatterElements", [data, rows, updates], attrs, role="Scatter")
    return n.reshape(flat, list(shape), None)


@rule("TensorScatter", "24")
def tensor_scatter(n: Node) -> Outputs:
    """ScatterElements along the sequence, at places counted from each batch's write index."""
    import numpy as np

    cache, update = known_shape(n, 0), known_shape(n, 1)
    rank = len(cache)
    axis = n.axis(n.int("axis", -2), rank)
    if axis == 0 or len(update) != rank:
        raise Refused("axis and update do not fit past_cache", "GX-333")
    steps, int64 = update[axis], to_xdsl("int64")
    if n.has(2):
        start = n.reshape(n.x(2), [update[0], 1], "Starts")
        places = n.emit("Add", [start, n.constant(np.arange(steps), "steps")], role="Places")
    else:
        places = n.constant(np.tile(np.arange(steps), (update[0], 1)), "places")
    mode = n.string("mode", "linear")
    if mode == "circular":
        places = n.emit("FloorMod", [places, n.constant(cache[axis], "length", int64)], role="Ring")
    elif mode != "linear":
        raise Refused(f"mode = {mode} is not supported")
    spread = [update[0] if i == 0 else steps if i == axis else 1 for i in range(rank)]
    places = n.reshape(places, spread, "Spread")
    places = n.emit("BroadcastTo", [places, n.constant(list(update), "dims")], role="Index")
    return n.emit("ScatterElements", [n.x(0), places, n.x(1)], {"axis": axis})


@rule("ReverseSequence", "10 28")
def reverse_sequence(n: Node) -> Outputs:
    """ReverseSequence."""
    rank = n.rank(0)
    time, batch = n.axis(n.int("time_axis", 0), rank), n.axis(n.int("batch_axis", 1), rank)
    attrs = {"seq_dim": time, "batch_dim": batch}
    return n.emit("ReverseSequence", [n.x(0), n.x(1)], attrs)


def axis_size(n: Node, x: SSAValue, axis: int, role: str) -> SSAValue:
    """Size of an axis as int64 of one element: a constant where it is known."""
    shape = shape_of(x.type)
    if shape is not None and shape[axis] >= 0:
        return n.constant([shape[axis]], role)
    whole = n.emit("Shape", [x], {"dtype": 9}, role=f"{role}_shape")
    return n.emit("SliceD", [whole], {"offsets": [axis], "size": [1]}, role=role)
