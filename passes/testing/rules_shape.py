"""Hints for operators that reshape, move, join, split, pad, repeat, slice and gather."""

from __future__ import annotations

from typing import Any

from passes.testing.rules import Call, hint
from passes.testing.scope import Dims, Scope, Value

#: Dtypes of data that is only moved.
_RANKED = range(1, 5)


def _x(scope: Scope, call: Call, name: str = "x", rank: int | range | None = None) -> Value:
    """The main input."""
    return call.main(scope, name, rank)


def some_axes(scope: Scope, rank: int, *, least: int = 0) -> Dims:
    """Distinct axes, some counted from the end."""
    if rank == 0:
        return ()
    first = scope.choose(rank)
    count = min(rank, least + scope.choose(3))
    axes = [(first + i) % rank for i in range(count)]
    return tuple(a - rank if scope.choose(4) == 3 else a for a in axes)


def an_axis(scope: Scope, rank: int) -> int:
    """One axis, counted from the end now and then."""
    axis = scope.choose(rank)
    return axis - rank if scope.choose(4) == 3 else axis


def permutation(scope: Scope, rank: int) -> Dims:
    """An order of axes: reversed, rotated, swapped, or as it is."""
    plain = list(range(rank))
    kind = scope.choose(4) if rank > 1 else 0
    if kind == 1:
        turn = 1 + scope.choose(rank - 1)
        plain = plain[turn:] + plain[:turn]
    elif kind == 2:
        plain[-1], plain[-2] = plain[-2], plain[-1]
    elif kind == 0:
        plain.reverse()
    return tuple(plain)


@hint(*(f"Reduce{k}" for k in ("Sum", "Mean", "Max", "Min", "Prod", "All", "Any")))
def _reduce(scope: Scope, call: Call) -> None:
    x = _x(scope, call)
    call.put("axes", scope.vector(some_axes(scope, x.rank)))
    call.attrs["keep_dims"] = scope.choose(2) == 1


@hint(*(f"Reduce{k}D" for k in ("Sum", "Mean", "Max", "Min", "Prod", "All", "Any")))
def _reduce_d(scope: Scope, call: Call) -> None:
    x = _x(scope, call)
    call.attrs["axes"] = some_axes(scope, x.rank)
    call.attrs["keep_dims"] = scope.choose(2) == 1


@hint("SoftmaxV2", "LogSoftmaxV2")
def _softmax(scope: Scope, call: Call) -> None:
    x = _x(scope, call, call.table.inputs[0].name)
    call.attrs["axes"] = some_axes(scope, x.rank, least=1) or (-1,)


# ------------------------------------------------------------------------------------- shapes


@hint("Reshape")
def _reshape(scope: Scope, call: Call) -> None:
    x = _x(scope, call)
    kind = scope.choose(5)
    target: Dims = (x.size,)
    if kind == 1:
        target = (-1,) if x.size else (0,)
    elif kind == 2:
        target = (1, *x.dims)
    elif kind == 3 and x.rank >= 2:
        target = (x.dims[0] * x.dims[1], *x.dims[2:])
    elif kind == 4 and x.rank >= 1 and x.size:
        target = (0, -1)
    call.put("shape", scope.vector(target))


@hint("Squeeze", "SqueezeV3")
def _squeeze(scope: Scope, call: Call) -> None:
    found = [v for v in scope.tensors(call.allowed("x")) if 1 in v.dims]
    if found and not scope.flag(0.1):
        x = call.put("x", scope.choose_value(found))
    else:
        x = call.put(
            "x", scope.fresh((1, *scope.palette.base[:2], 1), scope.dtype(call.allowed("x")))
        )
    ones = [i for i, d in enumerate(x.dims) if d == 1]
    axes = tuple(ones[: scope.choose(len(ones) + 1)])
    if call.op == "Squeeze":
        call.attrs["axis"] = axes
    else:
        call.put("axes", scope.vector(axes) if axes else None)


@hint("Unsqueeze", "UnsqueezeV3")
def _unsqueeze(scope: Scope, call: Call) -> None:
    x = _x(scope, call, rank=range(4))
    axes = (scope.choose(x.rank + 1),) if scope.choose(2) == 0 else (0, -1)
    if call.op == "Unsqueeze":
        call.attrs["axes"] = axes
    else:
        call.put("axes", scope.vector(axes))


@hint("ExpandDims")
def _expand_dims(scope: Scope, call: Call) -> None:
    x = _x(scope, call, rank=range(4))
    call.put("axis", scope.number(scope.choose(x.rank + 2) - 1))


@hint("Transpose")
def _transpose(scope: Scope, call: Call) -> None:
    x = _x(scope, call, rank=_RANKED)
    call.put("perm", scope.vector(permutation(scope, x.rank)))


@hint("TransposeD")
def _transpose_d(scope: Scope, call: Call) -> None:
    x = _x(scope, call, rank=_RANKED)
    call.attrs["perm"] = permutation(scope, x.rank)


@hint("BroadcastTo")
def _broadcast_to(scope: Scope, call: Call) -> None:
    x = _x(scope, call, rank=range(4))
    target = tuple(2 if d == 1 and scope.choose(2) else d for d in x.dims)
    call.put("shape", scope.vector((2, *target) if scope.choose(2) else target))


# ---------------------------------------------------------------------------- joining, splitting


def joined(scope: Scope, x: Value, axis: int) -> list[Any]:
    """Values that differ at most along one axis."""
    rest = x.dims[:axis] + x.dims[axis + 1 :]
    found = [
        v for v in scope.tensors((x.dtype,), x.rank) if v.dims[:axis] + v.dims[axis + 1 :] == rest
    ]
    out: list[Any] = [x]
    for _ in range(scope.choose(3)):
        if found and scope.choose(3) < 2:
            out.append(scope.choose_value(found))
        else:
            dims = (*x.dims[:axis], 1 + scope.choose(2), *x.dims[axis + 1 :])
            out.append(scope.fresh(dims, x.dtype))
    return out


@hint("Concat", "ConcatV2", "ConcatD")
def _concat(scope: Scope, call: Call) -> None:
    dtypes = [d for d in call.allowed("x") if d in scope.knobs.dtypes] or call.allowed("x")
    x = scope.tensor(dtypes, rank=_RANKED)
    axis = an_axis(scope, x.rank)
    values = joined(scope, x, axis % x.rank)
    call.put("x", values)
    call.attrs["N"] = len(values)
    if call.op == "ConcatD":
        call.attrs["concat_dim"] = axis
    else:
        call.put("concat_dim", scope.number(axis))


@hint("Pack")
def _pack(scope: Scope, call: Call) -> None:
    dtypes = [d for d in call.allowed("x") if d in scope.knobs.dtypes] or call.allowed("x")
    x = scope.tensor(dtypes, rank=range(4))
    found = [v for v in scope.values if v.ctype is x.ctype] or [x]
    values: list[Any] = [x, *(scope.choose_value(found) for _ in range(scope.choose(3)))]
    call.put("x", values)
    call.attrs.update(axis=an_axis(scope, x.rank + 1), N=len(values))


@hint("Unpack")
def _unpack(scope: Scope, call: Call) -> Any:
    x = _x(scope, call, rank=_RANKED)
    axis = an_axis(scope, x.rank)
    call.attrs.update(num=x.dims[axis], axis=axis)
    return None if 0 < x.dims[axis] <= 8 else False


@hint("Split", "SplitD")
def _split(scope: Scope, call: Call) -> Any:
    x = _x(scope, call, rank=_RANKED)
    axis = an_axis(scope, x.rank)
    size = x.dims[axis]
    parts = [k for k in (2, 3, 1, 4) if size % k == 0]
    call.attrs["num_split"] = scope.pick(parts or (1,))
    if call.op == "SplitD":
        call.attrs["split_dim"] = axis
    else:
        call.put("split_dim", scope.number(axis))


@hint("SplitV")
def _split_v(scope: Scope, call: Call) -> None:
    x = _x(scope, call, rank=_RANKED)
    axis = an_axis(scope, x.rank)
    size = x.dims[axis]
    first = scope.choose(size + 1)
    sizes = (first, size - first) if scope.choose(2) == 0 else (first, -1)
    call.put("size_splits", scope.vector(sizes))
    call.put("split_dim", scope.number(axis))
    call.attrs["num_split"] = 2


# ------------------------------------------------------------------------- padding, repeating


def _paddings(scope: Scope, x: Value) -> list[tuple[int, int]]:
    pads = [(0, 0)] * x.rank
    if x.rank:
        pads[scope.choose(x.rank)] = (scope.choose(2), scope.choose(3))
        pads[-1] = (scope.choose(2), pads[-1][1])
    return pads


@hint("Pad")
def _pad(scope: Scope, call: Call) -> None:
    call.put("paddings", scope.matrix(_paddings(scope, _x(scope, call, rank=_RANKED))))


@hint("PadD")
def _pad_d(scope: Scope, call: Call) -> None:
    call.attrs["paddings"] = tuple(_paddings(scope, _x(scope, call, rank=_RANKED)))


@hint("PadV3")
def _pad_v3(scope: Scope, call: Call) -> None:
    x = _x(scope, call, rank=_RANKED)
    pads = _paddings(scope, x)
    contiguous = scope.choose(4) < 3
    if contiguous:
        call.put("paddings", scope.matrix(pads))
    else:
        call.attrs["paddings_contiguous"] = False
        call.put("paddings", scope.vector([p[0] for p in pads] + [p[1] for p in pads]))
    mode = scope.choose(4)
    if mode == 1:
        call.put("constant_values", scope.fresh((), x.dtype))
    elif mode > 1 and all(d > 2 or p == (0, 0) for d, p in zip(x.dims, pads, strict=True)):
        call.attrs["mode"] = ("edge", "reflect")[mode - 2]
    call.args.setdefault("constant_values", None)


@hint("Tile")
def _tile(scope: Scope, call: Call) -> None:
    x = _x(scope, call, rank=range(4))
    times = tuple(1 + scope.choose(2) for _ in x.dims)
    call.put("multiples", scope.vector((2, *times) if scope.choose(4) == 3 else times))


@hint("TileD")
def _tile_d(scope: Scope, call: Call) -> None:
    x = _x(scope, call, rank=_RANKED)
    call.attrs["multiples"] = tuple(1 + scope.choose(2) for _ in x.dims)


@hint("Fill")
def _fill(scope: Scope, call: Call) -> None:
    found = [v for v in scope.tensors(call.allowed("value")) if v.dims in ((), (1,))]
    if found and scope.choose(2) == 0:
        value = scope.choose_value(found)
    else:
        value = scope.fresh((), scope.dtype(call.allowed("value")))
    call.put("value", value)
    call.put("dims", shape_vector(scope, scope.palette.dims(scope)))


def shape_vector(scope: Scope, dims: Dims) -> Value:
    """A shape as data: of a Shape node where there is one, else a constant."""
    found = [
        v
        for v in scope.values
        if v.actual is not None and v.rank == 1 and v.maker is not None and v.maker.op == "Shape"
    ]
    if found and scope.choose(2) == 1:
        return scope.choose_value(found)
    return scope.vector(dims)


@hint("RandomUniform", "RandomStandardNormal")
def _random(scope: Scope, call: Call) -> None:
    call.put("shape", shape_vector(scope, scope.palette.dims(scope)))
    call.attrs["dtype"] = scope.dtype(("float32", "float16", "bfloat16", "float64"))
    call.attrs["seed"] = scope.choose(4)


# --------------------------------------------------------------------------- slices and gathers


def _block(scope: Scope, x: Value) -> tuple[list[int], list[int]]:
    """Offsets and sizes of a block of x."""
    offsets, sizes = [0] * x.rank, list(x.dims)
    if x.rank:
        axis = scope.choose(x.rank)
        d = x.dims[axis]
        offsets[axis] = scope.choose(min(d, 3) + 1) if d else 0
        sizes[axis] = -1 if scope.choose(2) else max(d - offsets[axis] - scope.choose(2), 0)
    return offsets, sizes


@hint("Slice")
def _slice(scope: Scope, call: Call) -> None:
    offsets, sizes = _block(scope, _x(scope, call, rank=_RANKED))
    call.put("offsets", scope.vector(offsets))
    call.put("size", scope.vector(sizes))


@hint("SliceD")
def _slice_d(scope: Scope, call: Call) -> None:
    offsets, sizes = _block(scope, _x(scope, call, rank=_RANKED))
    call.attrs.update(offsets=tuple(offsets), size=tuple(sizes))


def _bounds(scope: Scope, call: Call, x: Value) -> tuple[list[int], list[int], list[int]]:
    """Begin, end and strides of a strided slice of the first axes, with masks now and then."""
    begin: list[int] = []
    end: list[int] = []
    strides: list[int] = []
    for d in x.dims[: 1 + scope.choose(2)]:
        if scope.choose(3) == 2:
            begin.append(-1)
            end.append(-d - 1)
            strides.append(-1)
        else:
            begin.append(scope.choose(2))
            end.append(d if scope.choose(2) == 0 else -1)
            strides.append(1 + scope.choose(2))
    kind = scope.choose(8)
    if kind == 5:
        call.attrs["begin_mask"] = call.attrs["end_mask"] = 1
    elif kind == 6 and x.dims[0]:
        call.attrs["shrink_axis_mask"] = 1
        begin[0], end[0], strides[0] = 0, 1, 1
    elif kind == 7:
        call.attrs["new_axis_mask" if scope.choose(2) else "ellipsis_mask"] = 1
    return begin, end, strides


@hint("StridedSlice")
def _strided_slice(scope: Scope, call: Call) -> None:
    x = _x(scope, call, rank=_RANKED)
    for name, values in zip(("begin", "end", "strides"), _bounds(scope, call, x), strict=True):
        call.put(name, scope.vector(values))


@hint("StridedSliceD")
def _strided_slice_d(scope: Scope, call: Call) -> None:
    x = _x(scope, call, rank=_RANKED)
    begin, end, strides = _bounds(scope, call, x)
    call.attrs.update(begin=tuple(begin), end=tuple(end), strides=tuple(strides))


@hint("Gather", "GatherV2")
def _gather(scope: Scope, call: Call) -> Any:
    x = _x(scope, call, rank=_RANKED)
    batch = 1 if x.rank >= 2 and scope.choose(4) == 3 else 0
    axis = batch
    if call.op == "GatherV2":
        axis = batch + scope.choose(x.rank - batch)
        call.put("axis", scope.number(axis))
    bound = x.dims[axis]
    if not bound:
        return False
    dims = (*x.dims[:batch], 1 + scope.choose(3)) if scope.choose(4) else x.dims[:batch]
    call.put("indices", scope.fresh(dims, scope.pick(("int64", "int32")), ("index", bound)))
    call.attrs["batch_dims"] = batch
    return None
