"""ONNX rules: constants, shapes and their arithmetic, joining and splitting."""

from __future__ import annotations

import math
from typing import Any

from ge_dialect.dtypes import BY_NAME, ge_name, numpy_dtype, to_xdsl
from ge_dialect.importers.onnx_graph import Pending, Refused
from ge_dialect.importers.onnx_node import Node
from ge_dialect.importers.onnx_reader import dtype_name
from ge_dialect.importers.onnx_rules import Outputs, rule

_INT64 = 9  # GE's number
_MAX_RANGE = 1 << 28
_REVISIONS_13 = "13 21 23 24 25"

# --- constants -------------------------------------------------------------------------------


@rule("Constant", "1 9 11 12 13 19 21 23 24 25")
def constant(n: Node) -> Any:
    """Stays pending: it becomes a node where something reads it as a tensor."""
    import numpy as np

    name = n.proto.output[0]
    source = n.tensor("value")
    if source is not None:
        return Pending(name, source.dtype, source.shape, source.array)
    array: Any = n.sparse_tensor("sparse_value")
    if array is not None:
        pass
    elif n.has_attr("value_int"):
        array = np.array(n.int("value_int", 0), np.int64)
    elif n.has_attr("value_ints"):
        array = np.array(n.int_list("value_ints"), np.int64)
    elif n.has_attr("value_float"):
        array = np.array(n.float("value_float", 0.0), np.float32)
    elif n.has_attr("value_floats"):
        array = np.array(n.float_list("value_floats"), np.float32)
    if array is None:
        given = ", ".join(a.name for a in n.proto.attribute) or "no value"
        raise Refused(f"{given} is not supported")
    return Pending(name, ge_name(_elem(array)), array.shape, lambda: array)


def _elem(array: Any) -> Any:
    from ge_dialect.dtypes import from_numpy

    return from_numpy(array.dtype)


@rule("ConstantOfShape", "9 20 21 23 24 25")
def constant_of_shape(n: Node) -> Outputs:
    """Fill."""
    source = n.tensor("value")
    if source is None:
        value = n.constant(0.0, "value", to_xdsl("float32"))
    else:
        if source.count != 1:
            raise Refused("value must hold one element", "GX-333")
        array = source.array().reshape(())
        value = n.constant(array, "value", to_xdsl(source.dtype))
    return n.emit("Fill", [n.x(0), value])


@rule("EyeLike", "9 22")
def eye_like(n: Node) -> Any:
    """A constant, since the shape must be known."""
    import numpy as np

    shape = n.shape(0)
    if shape is None or len(shape) != 2 or -1 in shape:
        raise Refused("the shape must be known and have two dims")
    dtype = dtype_name(n.int("dtype", 0)) if n.has_attr("dtype") else ge_name(n.elem(0))
    kind = numpy_dtype(BY_NAME[dtype].type)
    k = n.int("k", 0)
    return Pending(n.proto.output[0], dtype, shape, lambda: np.eye(*shape, k=k).astype(kind))


@rule("Range", "11 27")
def range_(n: Node) -> Any:
    """A constant where its length is known, else Range."""
    import numpy as np

    start, limit, delta = (n.const(i) for i in range(3))
    if start is None or limit is None or delta is None:
        return n.emit("Range", n.xs())
    first, last, step = (v.reshape(()).astype(np.float64) for v in (start, limit, delta))
    if step == 0:
        raise Refused("delta is zero", "GX-333")
    if not np.isfinite((last - first) / step) or (last - first) / step > _MAX_RANGE:
        raise Refused(f"start {first}, limit {last} and delta {step} make no sensible range")
    count = max(math.ceil((last - first) / step), 0)
    kind = start.dtype
    # Halves are computed in f32 where `stash_type` says so (from 27 on, the default).
    wide = np.dtype(np.float32) if kind.itemsize == 2 and n.since >= 27 else kind
    if kind.kind in "iu" or n.int("stash_type", 1) != 1:
        wide = kind
    array = (
        start.reshape(()).astype(wide)
        + np.arange(count).astype(wide) * delta.reshape(()).astype(wide)
    ).astype(kind)
    return Pending(n.proto.output[0], ge_name(n.elem(0)), (count,), lambda: array)


# --- questions -------------------------------------------------------------------------------


@rule("Shape", "1 13 15 19 21 23 24 25")
def shape(n: Node) -> Outputs:
    """`start` and `end` (from 15) are a slice of the whole shape."""
    first, last = n.int("start", 0), n.int("end", 2**31)
    if first == 0 and not n.has_attr("end"):
        return n.emit("Shape", [n.x()], {"dtype": _INT64})
    rank = n.rank()
    begin, end, _ = slice(first, last).indices(rank)
    whole = n.emit("Shape", [n.x()], {"dtype": _INT64}, role="Whole")
    parts = ([begin], [max(end, begin)], [1])
    names = ("begin", "end", "strides")
    return n.emit(
        "StridedSlice", [whole, *(n.constant(p, r) for p, r in zip(parts, names, strict=True))]
    )


@rule("Size", "1 13 19 21 23 24 25")
def size(n: Node) -> Outputs:
    """Size as int64."""
    return n.emit("Size", [n.x()], {"dtype": _INT64})


# --- the same elements in another shape ------------------------------------------------------


@rule("Reshape", "5 13")
def reshape_5(n: Node) -> Outputs:
    """Reshape; zeros copy the input's dims."""
    return _reshape(n, keep_zeros=False)


@rule("Reshape", "14 19 21 23 24 25")
def reshape(n: Node) -> Outputs:
    """Reshape; zeros copy the input's dims, or are zero with `allowzero`."""
    return _reshape(n, keep_zeros=bool(n.int("allowzero", 0)))


def _reshape(n: Node, keep_zeros: bool) -> Outputs:
    """Zeros are resolved here: they copy the input's dim, or stay zero with `allowzero`.

    GE's Reshape copies too, so only dims that are really zero need another form.
    """
    target = n.ints(1)
    if target is None:
        if keep_zeros:
            return _reshape_zeros(n)
        return n.emit("Reshape", [n.x(0), n.x(1)])
    source = n.shape(0)
    if sum(d == -1 for d in target) > 1 or min(target, default=0) < -1:
        raise Refused(f"shape {target} is not valid", "GX-333")
    if 0 in target and keep_zeros:
        if -1 in target:
            raise Refused(f"shape {target} mixes 0 and -1 with allowzero = 1", "GX-333")
        dims = n.constant(target, "dims")
        # No element at all: any tensor of that shape is the result, and Reshape would copy dims.
        zero = n.constant(0, "zero", n.elem(0))
        return n.emit("Fill", [dims, zero])
    if 0 in target and source is not None:
        if target.index(0) >= len(source) or any(
            d == 0 and i >= len(source) for i, d in enumerate(target)
        ):
            raise Refused(f"shape {target} copies a dim the input has not", "GX-333")
        filled = [source[i] if d == 0 else d for i, d in enumerate(target)]
        if sum(d < 0 for d in filled) <= 1 and 0 not in filled:
            target = filled
    return n.emit("Reshape", [n.x(0), n.constant(target, "dims")])


def _reshape_zeros(n: Node) -> Outputs:
    """A computed shape whose zeros are sizes: Fill for an input without elements, else Reshape."""
    source = n.shape(0)
    if source is None or (-1 in source and 0 not in source):
        raise Refused("allowzero = 1 with a computed shape needs the input's shape")
    if 0 in source:
        return n.emit("Fill", [n.x(1), n.constant(0, "zero", n.elem(0))])
    return n.emit("Reshape", [n.x(0), n.x(1)])


@rule("Flatten", "1 9 11 13 21 23 24 25")
def flatten(n: Node) -> Outputs:
    """Flatten with the axis counted from the front."""
    axis = n.int("axis", 1)
    if axis < 0:
        axis += n.rank()
    if axis < 0 or ((s := n.shape()) is not None and axis > len(s)):
        raise Refused(f"axis {n.int('axis', 1)} is out of range", "GX-333")
    return n.emit("Flatten", [n.x()], {"axis": axis})


@rule("Squeeze", "1 11")
def squeeze_1(n: Node) -> Outputs:
    """Squeeze."""
    return _squeeze(n, n.int_list("axes") or [])


@rule("Squeeze", _REVISIONS_13)
def squeeze(n: Node) -> Outputs:
    """Squeeze; SqueezeV3 for computed axes."""
    axes = n.ints(1) if n.has(1) else []
    if axes is None:
        return n.emit("SqueezeV3", [n.x(0), n.x(1)])
    return _squeeze(n, axes)


def _squeeze(n: Node, axes: list[int]) -> Outputs:
    shape_ = n.shape(0)
    if shape_ is not None:
        axes = sorted(n.axis(a, len(shape_)) for a in axes)
    if not axes and shape_ is not None and -1 not in shape_ and 1 not in shape_:
        return n.emit("Identity", [n.x(0)])
    return n.emit("Squeeze", [n.x(0)], {"axis": axes})


@rule("Unsqueeze", "1 11")
def unsqueeze_1(n: Node) -> Outputs:
    """Unsqueeze; axes are the result's, in any order."""
    return _unsqueeze(n, n.int_list("axes") or [])


@rule("Unsqueeze", _REVISIONS_13)
def unsqueeze(n: Node) -> Outputs:
    """Unsqueeze; UnsqueezeV3 for computed axes."""
    axes = n.ints(1)
    if axes is None:
        return n.emit("UnsqueezeV3", [n.x(0), n.x(1)])
    return _unsqueeze(n, axes)


def _unsqueeze(n: Node, axes: list[int]) -> Outputs:
    """Axes are those of the result and come in any order."""
    shape_ = n.shape(0)
    if not axes:
        return n.emit("Identity", [n.x(0)])
    if shape_ is not None:
        rank = len(shape_) + len(axes)
        axes = sorted(n.axis(a, rank) for a in axes)
        if len(set(axes)) != len(axes):
            raise Refused(f"axes {axes} name one twice", "GX-333")
    return n.emit("Unsqueeze", [n.x(0)], {"axes": axes})


@rule("Transpose", "1 13 21 23 24 25")
def transpose(n: Node) -> Outputs:
    """TransposeD; no `perm` reverses the axes."""
    perm = n.int_list("perm")
    if perm is None:
        perm = list(reversed(range(n.rank())))
    if (s := n.shape()) is not None and sorted(perm) != list(range(len(s))):
        raise Refused(f"perm {perm} does not fit rank {len(s)}", "GX-333")
    return n.emit("TransposeD", [n.x()], {"perm": perm})


def _blocks(n: Node) -> tuple[list[int], int]:
    shape_ = n.shape()
    block = n.int("blocksize", 0)
    if shape_ is None or len(shape_) != 4 or block < 1:
        raise Refused("the input must have four dims and blocksize be positive", "GX-333")
    if -1 in shape_[1:]:
        raise Refused("all dims but the first must be known")
    return list(shape_), block


@rule("DepthToSpace", "1 11 13 28")
def depth_to_space(n: Node) -> Outputs:
    """DepthToSpace of an NCHW tensor."""
    attrs = {"block_size": n.int("blocksize", 0), "mode": n.string("mode", "DCR")}
    return n.emit("DepthToSpace", [n.x()], {**attrs, "data_format": "NCHW"})


@rule("SpaceToDepth", "1 13 28")
def space_to_depth(n: Node) -> Outputs:
    """SpaceToDepth of an NCHW tensor; mode CRD, which GE has not, is a transpose of split dims."""
    if n.string("mode", "DCR") == "DCR":
        attrs = {"block_size": n.int("blocksize", 0), "data_format": "NCHW"}
        return n.emit("SpaceToDepth", [n.x()], attrs)
    (batch, c, h, w), b = _blocks(n)
    if h % b or w % b:
        raise Refused(f"{h} x {w} does not divide into blocks of {b}", "GX-333")
    x = n.reshape(n.x(), [batch, c, h // b, b, w // b, b], "Split")
    x = n.emit("TransposeD", [x], {"perm": [0, 1, 3, 5, 2, 4]}, role="Transpose")
    return n.reshape(x, [batch, c * b * b, h // b, w // b], None)


# --- joining and splitting -------------------------------------------------------------------


@rule("Concat", "4 11 13")
def concat(n: Node) -> Outputs:
    """ConcatD; a single input is Identity."""
    axis = n.int("axis", 1)
    for i in range(len(n)):
        if (s := n.shape(i)) is not None:
            axis = n.axis(axis, len(s))
            break
    values = n.xs()
    if len(values) == 1:
        return n.emit("Identity", values)
    return n.emit("ConcatD", [values], {"concat_dim": axis, "N": len(values)})


@rule("Split", "2 11")
def split_2(n: Node) -> Outputs:
    """SplitD for equal parts, else SplitV."""
    return _split(n, n.int_list("split"))


@rule("Split", "13 18")
def split(n: Node) -> Outputs:
    """SplitD for equal parts, else SplitV; with `num_outputs` the last part may be smaller."""
    if n.has(1) and n.ints(1) is None:
        given, shape_ = n.int("axis", 0), n.shape(0)
        place = given if shape_ is None and given >= 0 else n.axis(given, n.rank(0))
        axis = n.constant(place, "axis", to_xdsl("int32"))
        return n.emit_all("SplitV", [n.x(0), n.x(1), axis], {"num_split": len(n.proto.output)})
    return _split(n, n.ints(1))


def _split(n: Node, sizes: list[int] | None) -> Outputs:
    """Equal parts are SplitD, others SplitV; without sizes the last part may be smaller."""
    count = len(n.proto.output)
    shape_ = n.shape(0)
    axis = n.int("axis", 0)
    if shape_ is not None:
        axis = n.axis(axis, len(shape_))
    dim = -1 if shape_ is None else shape_[axis]
    if sizes is None:
        if n.int("num_outputs", count) != count:
            raise Refused("num_outputs is not the number of outputs", "GX-333")
        if dim < 0:
            return _split_unknown(n, axis, count)
        part = -(-dim // count)
        sizes = [min(part, max(dim - i * part, 0)) for i in range(count)]
    if len(sizes) != count or (dim >= 0 and sum(sizes) != dim):
        raise Refused(f"sizes {sizes} do not fit {count} outputs of dim {dim}", "GX-333")
    if count == 1:
        return n.emit("Identity", [n.x(0)])
    if len(set(sizes)) == 1 and dim >= 0:
        return n.emit_all("SplitD", [n.x(0)], {"split_dim": axis, "num_split": count})
    where = n.constant(axis, "axis", to_xdsl("int32"))
    lengths = n.constant(sizes, "sizes")
    return n.emit_all("SplitV", [n.x(0), lengths, where], {"num_split": count})


def _split_unknown(n: Node, axis: int, count: int) -> Outputs:
    """Parts of an axis whose size is not known: SplitD, or sizes computed for an uneven end."""
    if not n.has_attr("num_outputs"):
        return n.emit_all("SplitD", [n.x(0)], {"split_dim": axis, "num_split": count})
    whole = n.emit("Shape", [n.x(0)], {"dtype": _INT64}, role="Shape")
    size = n.emit("SliceD", [whole], {"offsets": [axis], "size": [1]}, role="Size")
    up = n.emit("Add", [size, n.constant([count - 1], "rest")], role="Up")
    part = n.emit("FloorDiv", [up, n.constant([count], "count")], role="Part")
    before = n.emit("Mul", [part, n.constant(list(range(count)), "places")], role="Before")
    left = n.emit("Sub", [size, before], role="Left")
    left = n.emit("Maximum", [left, n.constant([0], "zero")], role="Positive")
    sizes = n.emit("Minimum", [left, part], role="Sizes")
    where = n.constant(axis, "axis", to_xdsl("int32"))
    return n.emit_all("SplitV", [n.x(0), sizes, where], {"num_split": count})


@rule("Tile", "6 13")
def tile(n: Node) -> Outputs:
    """Tile."""
    repeats = n.ints(1)
    if repeats is not None:
        return n.emit("Tile", [n.x(0), n.constant(repeats, "multiples")])
    return n.emit("Tile", [n.x(0), n.x(1)])


@rule("Expand", "8 13")
def expand(n: Node) -> Outputs:
    """ONNX broadcasts both ways: a 1 in `shape` keeps the input's dim. BroadcastTo does not."""
    given, shape_ = n.ints(1), n.shape(0)
    if given is None or shape_ is None or -1 in shape_:
        return _expand_by_product(n)
    rank = max(len(given), len(shape_))
    asked = [1] * (rank - len(given)) + given
    has = [1] * (rank - len(shape_)) + list(shape_)
    target = []
    for a, h in zip(asked, has, strict=True):
        if h not in (a, 1) and a != 1:
            raise Refused(f"shapes {list(shape_)} and {given} do not broadcast", "GX-333")
        target.append(h if a == 1 else a)
    if target == list(shape_):
        return n.emit("Identity", [n.x(0)])
    return n.emit("BroadcastTo", [n.x(0), n.constant(target, "dims")])


def _expand_by_product(n: Node) -> Outputs:
    """Two-way broadcasting of sizes known only later: the product with ones of that shape."""
    elem = n.elem(0)
    is_bool = ge_name(elem) == "bool"
    ones = n.emit("Fill", [n.x(1), n.constant(1, "one", elem)], role="Ones")
    return n.emit("LogicalAnd" if is_bool else "Mul", [n.x(0), ones])
