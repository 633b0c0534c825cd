"""Hints for operators that read or write by index, make sequences, or need an equation."""

from __future__ import annotations

from math import prod
from typing import Any

from passes.testing.rules import Call, existing, hint
from passes.testing.scope import INLINE, Dims, Scope, Value, scalar_literal

_INDEX = ("int64", "int32")
_RANKED = range(1, 5)


def _data(scope: Scope, call: Call, name: str, rank: int | range = _RANKED) -> Value:
    """The tensor that is read or written."""
    return call.main(scope, name, rank)


def _like(scope: Scope, dims: Dims, dtype: str) -> Value:
    return existing(scope, dims, dtype) or scope.fresh(dims, dtype)


def _indices(scope: Scope, dims: Dims, bound: int) -> Value:
    return scope.fresh(dims, scope.pick(_INDEX), ("index", bound))


@hint("GatherElements", "ScatterElements")
def _elements(scope: Scope, call: Call) -> Any:
    gather = call.op == "GatherElements"
    x = _data(scope, call, "x" if gather else "data")
    axis = scope.choose(x.rank)
    if not x.dims[axis]:
        return False
    dims = (*x.dims[:axis], 1 + scope.choose(2), *x.dims[axis + 1 :])
    call.put("index" if gather else "indices", _indices(scope, dims, x.dims[axis]))
    call.attrs["dim" if gather else "axis"] = axis
    if not gather:
        call.put("updates", _like(scope, dims, x.dtype))
        if x.dtype not in ("bool", "complex64"):
            call.attrs["reduction"] = scope.pick(("none", "add", "mul", "max", "min"))
    return None


def _tuples(scope: Scope, dims: Dims) -> tuple[Dims, int] | None:
    """Shape of a list of index tuples into `dims`, and the bound of their entries."""
    depth = 1 + scope.choose(len(dims))
    bound = min(dims[:depth])
    return None if not bound else ((1 + scope.choose(3), depth), bound)


@hint("GatherNd")
def _gather_nd(scope: Scope, call: Call) -> Any:
    x = _data(scope, call, "x")
    found = _tuples(scope, x.dims)
    if found is None:
        return False
    call.put("indices", _indices(scope, *found))
    return None


@hint("TensorScatterUpdate", "ScatterNd")
def _scatter_nd(scope: Scope, call: Call) -> Any:
    if call.op == "ScatterNd":
        dims = scope.palette.dims(scope, _RANKED)
        allowed = [d for d in call.allowed("x") if d in scope.knobs.dtypes] or call.allowed("x")
        dtype = scope.dtype(allowed)
        call.put("shape", scope.vector(dims))
    else:
        x = _data(scope, call, "x")
        dims, dtype = x.dims, x.dtype
    found = _tuples(scope, dims)
    if found is None:
        return False
    shape, bound = found
    call.put("indices", _indices(scope, shape, bound))
    slices = _like(scope, (*shape[:-1], *dims[shape[-1] :]), dtype)
    call.put("x" if call.op == "ScatterNd" else "updates", slices)
    return None


@hint("ReverseSequence")
def _reverse_sequence(scope: Scope, call: Call) -> None:
    x = _data(scope, call, "x", range(2, 5))
    batch = scope.choose(2)
    lengths = (x.dims[batch],)
    call.put("seq_lengths", _indices(scope, lengths, x.dims[1 - batch] + 1))
    call.attrs.update(seq_dim=1 - batch, batch_dim=batch)


@hint("StridedSliceV2")
def _strided_slice_v2(scope: Scope, call: Call) -> None:
    x = _data(scope, call, "x")
    axis = scope.choose(x.rank)
    d = x.dims[axis]
    lists = {"begin": (scope.choose(2),), "end": (d if scope.choose(2) else -1,)}
    if scope.choose(2) or axis:
        lists["axes"] = (axis,)
    if scope.choose(2):
        lists["strides"] = (1 + scope.choose(2),)
    for name in ("begin", "end", "axes", "strides"):
        call.put(name, scope.vector(lists[name]) if name in lists else None)


@hint("OneHot")
def _one_hot(scope: Scope, call: Call) -> None:
    _data(scope, call, "x", range(3))
    call.put("depth", scope.number(1 + scope.choose(4), call.allowed("depth")))
    dtype = scope.dtype(call.allowed("on_value"))
    call.put("on_value", _like(scope, (), dtype))
    call.put("off_value", _like(scope, (), dtype))
    call.attrs["axis"] = scope.pick((-1, 0))


@hint("Range")
def _range(scope: Scope, call: Call) -> None:
    dtype = scope.pick(("int32", "int64", "float32"))
    start, step = scope.choose(3), scope.pick((1, 2, -1))
    numbers = {"start": start, "limit": start + step * scope.choose(5), "delta": step}
    for name, number in numbers.items():
        call.put(name, scope.held(scalar_literal(number, dtype)))


@hint("MaskedFill", "MaskedSelect")
def _masked(scope: Scope, call: Call) -> None:
    x = _data(scope, call, "x", range(5))
    dims = x.dims if scope.choose(3) < 2 else x.dims[-1:]
    call.put("mask", _like(scope, dims, "bool"))
    if call.op == "MaskedFill":
        call.put("value", _like(scope, (), x.dtype))


@hint("Multinomial")
def _multinomial(scope: Scope, call: Call) -> Any:
    x = _data(scope, call, "logits", 2)
    call.put("num_samples", scope.number(1 + scope.choose(3), ("int32",)))
    call.attrs["seed"] = scope.choose(4)
    return None if x.dims[1] else False


@hint("Bitcast")
def _bitcast(scope: Scope, call: Call) -> None:
    # integers only: the bits of a float mean nothing under a tolerance
    whole = ("int32", "int8", "uint8", "int16", "int64")
    call.main(scope, "x", None, whole)
    call.attrs["type"] = scope.pick(("uint32", "uint8", "int8", "int32", "uint16", "uint64"))


#: Equations with the ranks of their inputs; every letter of one equation may have any size.
_EQUATIONS = (
    ("ij,jk->ik", (2, 2)),
    ("ij->ji", (2,)),
    ("ij->i", (2,)),
    ("i,j->ij", (1, 1)),
    ("bij,bjk->bik", (3, 3)),
    ("...i,...i->...", (2, 2)),
    ("ij,ij", (2, 2)),
)


@hint("Einsum")
def _einsum(scope: Scope, call: Call) -> None:
    equation, ranks = scope.pick(_EQUATIONS)
    allowed = [d for d in call.allowed("x") if d in scope.knobs.dtypes] or call.allowed("x")
    first = scope.tensor(allowed, rank=ranks[0])
    values: list[Any] = [first]
    if len(ranks) == 2:
        terms = equation.partition("->")[0].split(",")
        sizes = dict(zip(terms[0].replace("...", "*"), first.dims, strict=True))
        dims = tuple(sizes.get(c, 2) for c in terms[1].replace("...", "*"))
        values.append(_like(scope, dims, first.dtype))
    call.put("x", values)
    call.attrs.update(equation=equation, N=len(values))


@hint("NonMaxSuppressionV6")
def _boxes(scope: Scope, call: Call) -> None:
    count = 2 + scope.choose(3)
    dtype = scope.dtype(("float32", "float16"))
    call.put("boxes", scope.fresh((1, count, 4), dtype))
    call.put("scores", scope.fresh((1, 1 + scope.choose(2), count), dtype))
    most = scope.number(1 + scope.choose(3)) if scope.choose(2) else None
    call.put("max_output_size", most)
    call.args.update(iou_threshold=None, score_threshold=None)


@hint("NonMaxSuppressionV3")
def _boxes_of_one_class(scope: Scope, call: Call) -> None:
    count, dtype = 2 + scope.choose(3), scope.dtype(("float32", "float16"))
    call.put("boxes", scope.fresh((count, 4), dtype))
    call.put("scores", scope.fresh((count,), dtype))
    call.put("max_output_size", scope.number(1 + scope.choose(3), ("int32",)))
    for name in ("iou_threshold", "score_threshold"):
        call.put(name, scope.fresh((), dtype))
    call.attrs["offset"] = 0


@hint("HostTfIdfVectorizer")
def _tf_idf(scope: Scope, call: Call) -> None:
    dims = scope.palette.dims(scope, range(1, 3))
    dims = dims if prod(dims) <= INLINE else dims[-1:]
    call.put("x", _indices(scope, dims, 5))
    call.attrs.update(
        mode=scope.pick(("TF", "IDF", "TFIDF")),
        min_gram_length=1,
        max_gram_length=2,
        max_skip_count=scope.choose(2),
        ngram_counts=(0, 2),
        ngram_indexes=(0, 2, 1),
        pool_int64s=(1, 2, 3, 1),
    )
