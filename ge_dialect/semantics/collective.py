"""Golden meaning of communication: what each rank brings, and what it gets of what all brought."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any

import numpy as np

from ge_dialect.diagnostics import Diagnostic, GeError
from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import Array, finish, int_list, matmul, scalar, widen
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]
_REDUCTIONS: dict[str, Callable[[Array, Array], Array]] = {
    "sum": np.add,
    "max": np.maximum,
    "min": np.minimum,
    "prod": np.multiply,
}


def _kind(x: Array) -> tuple[tuple[int, ...], str]:
    return tuple(x.shape), str(x.dtype)


def _together(op: str, attrs: Attrs, ctx: Context, value: Any, combine: Any, **same: Any) -> Any:
    """What this rank gets. `same`: what all ranks must agree on."""
    ranks = ctx.state.ranks()
    return ranks.together(op, attrs["group"], ctx.node_name, same, value, combine)


def _members(attrs: Attrs, ctx: Context) -> int:
    """Ranks in the group; an error where `rank_size` says another number."""
    count = len(ctx.state.ranks().members(attrs["group"], ctx.node_name))
    size = attrs.get("rank_size")
    if size and size != count:
        ctx.fail(
            "rank_size is not the number of ranks in the group",
            code="GX-250",
            found=size,
            expected=count,
            hint="ge_dialect.semantics.ranks.evaluate_ranks runs several ranks",
        )
    return count


def _reduced(parts: list[Array], how: str) -> Array:
    """Elements of all ranks in one, widened, in the order of the ranks, rounded once."""
    if how not in _REDUCTIONS:
        known = ", ".join(_REDUCTIONS)
        raise GeError(
            Diagnostic("GX-240", "there is no such reduction", found=repr(how), expected=known)
        )
    total = reduce(_REDUCTIONS[how], (widen(p) for p in parts))
    return finish(total, parts[0].dtype)


def _block(x: Array, place: int, count: int, ctx: Context) -> Array:
    if len(x) % count:
        ctx.fail("axis 0 does not divide among the ranks", code="GX-221", found=len(x))
    size = len(x) // count
    return x[place * size : (place + 1) * size]


@semantics("HcomAllReduce")
def all_reduce(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """The reduction, everywhere."""
    (x,) = args
    how = attrs["reduction"]
    return _together(
        "HcomAllReduce",
        attrs,
        ctx,
        x,
        lambda parts: [_reduced(parts, how)] * len(parts),
        reduction=how,
        tensor=_kind(x),
    )


@semantics("HcomReduce")
def reduce_(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """The reduction at the root."""
    (x,) = args
    how, root = attrs["reduction"], attrs["root_rank"]
    _check_root(root, attrs, ctx)

    def combine(parts: list[Array]) -> list[Array]:
        return [_reduced(parts, how) if i == root else p for i, p in enumerate(parts)]

    return _together(
        "HcomReduce", attrs, ctx, x, combine, reduction=how, root_rank=root, tensor=_kind(x)
    )


def _check_root(root: int, attrs: Attrs, ctx: Context) -> None:
    count = _members(attrs, ctx)
    if not 0 <= root < count:
        ctx.fail("the group has no such root", code="GX-250", found=root, expected=f"< {count}")


@semantics("HcomBroadcast")
def broadcast(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
    """The root's tensors."""
    tensors, root = args[0], attrs["root_rank"]
    _check_root(root, attrs, ctx)
    kinds = [_kind(x) for x in tensors]
    return tuple(
        _together(
            "HcomBroadcast",
            attrs,
            ctx,
            tensors,
            lambda parts: [parts[root]] * len(parts),
            root_rank=root,
            tensors=kinds,
        )
    )


@semantics("HcomAllGather")
def all_gather(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """All blocks, everywhere."""
    (x,) = args
    _members(attrs, ctx)
    return _together(
        "HcomAllGather",
        attrs,
        ctx,
        x,
        lambda parts: [np.concatenate(parts)] * len(parts),
        tensor=_kind(x),
    )


@semantics("HcomReduceScatter")
def reduce_scatter(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """A block of the reduction for each rank."""
    return _scatter("HcomReduceScatter", args[0], attrs["reduction"], attrs, ctx)


def _scatter(op: str, x: Array, how: str, attrs: Attrs, ctx: Context) -> Array:
    count = _members(attrs, ctx)
    _block(x, 0, count, ctx)

    def combine(parts: list[Array]) -> list[Array]:
        total = _reduced(parts, how)
        return [_block(total, i, count, ctx) for i in range(count)]

    return _together(op, attrs, ctx, x, combine, reduction=how, tensor=_kind(x))


@semantics("HcomAllToAll")
def all_to_all(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """The transpose of a matrix of blocks whose rows are the ranks."""
    (x,) = args
    count = _members(attrs, ctx)
    _block(x, 0, count, ctx)

    def combine(parts: list[Array]) -> list[Array]:
        return [np.concatenate([_block(p, i, count, ctx) for p in parts]) for i in range(count)]

    return _together("HcomAllToAll", attrs, ctx, x, combine, tensor=_kind(x))


@semantics("HcomSend")
def send(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Any, ...]:
    """Waits until the other rank receives."""
    ranks = ctx.state.ranks()
    ranks.send(attrs["group"], ctx.node_name, attrs["dest_rank"], attrs["sr_tag"], args[0])
    return ()


@semantics("HcomReceive")
def receive(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Waits until the other rank sends."""
    kind = tuple(attrs["shape"]), str(ctx.dtype(attrs["dtype"]))
    ranks = ctx.state.ranks()
    return ranks.receive(attrs["group"], ctx.node_name, attrs["src_rank"], attrs["sr_tag"], kind)


# --------------------------------------------------------------------------- blocks of any size


def _starts(sizes: Sequence[int]) -> list[int]:
    """Where blocks that lie one behind the other start."""
    return [sum(sizes[:i]) for i in range(len(sizes))]


def _cut(x: Array, starts: Sequence[int], sizes: Sequence[int], ctx: Context) -> list[Array]:
    """Blocks of the elements of x."""
    row = x.reshape(-1)
    for start, size in zip(starts, sizes, strict=True):
        if start < 0 or size < 0 or start + size > row.size:
            ctx.fail("a block is not within the data", found=f"{start} + {size}", expected=row.size)
    return [row[a : a + n] for a, n in zip(starts, sizes, strict=True)]


def _laid(
    blocks: Sequence[Array], starts: Sequence[int], sizes: Sequence[int], ctx: Context
) -> Array:
    """Blocks at their places, zeros between; each must have the size the receiver counts on."""
    end = max((a + n for a, n in zip(starts, sizes, strict=True) if n), default=0)
    out = np.zeros(end, blocks[0].dtype)
    for block, start, size in zip(blocks, starts, sizes, strict=True):
        if block.size != size:
            ctx.fail(
                "a rank sends another number of elements than is counted on",
                code="GX-250",
                found=block.size,
                expected=size,
            )
        out[start : start + size] = block
    return out


def _per_rank(numbers: Sequence[int], what: str, count: int, ctx: Context) -> None:
    if len(numbers) != count:
        ctx.fail(f"{what} has not one entry per rank", found=len(numbers), expected=count)


@semantics("HcomAllToAllV")
def all_to_all_v(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Blocks of several sizes to all ranks."""
    count = _members(attrs, ctx)
    x, sizes, starts, wanted, places = args[0], *(int_list(a) for a in args[1:])
    for numbers, what in ((sizes, "send_counts"), (starts, "send_displacements"),
                          (wanted, "recv_counts"), (places, "recv_displacements")):  # fmt: skip
        _per_rank(numbers, what, count, ctx)
    blocks = _cut(x, starts, sizes, ctx)
    found = _together("HcomAllToAllV", attrs, ctx, blocks, _transposed, dtype=str(x.dtype))
    return _laid(found, places, wanted, ctx)


def _transposed(parts: list[list[Array]]) -> list[list[Array]]:
    return [[p[i] for p in parts] for i in range(len(parts))]


@semantics("HcomAllToAllVC")
def all_to_all_vc(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Blocks of several sizes, by the matrix of sizes."""
    x, matrix = args
    count, place = _members(attrs, ctx), ctx.state.ranks().index(attrs["group"], ctx.node_name)
    if matrix.shape != (count, count) or attrs["rank"] != place:
        found = f"{matrix.shape}, rank {attrs['rank']}"
        expected = f"{count} by {count}, rank {place}"
        message = "the matrix or `rank` does not fit the group"
        ctx.fail(message, code="GX-250", found=found, expected=expected)
    sizes = int_list(matrix[place])
    blocks = _cut(x, _starts(sizes), sizes, ctx)
    same = {"dtype": str(x.dtype), "send_count_matrix": matrix.tolist()}
    found = _together("HcomAllToAllVC", attrs, ctx, blocks, _transposed, **same)
    wanted = int_list(matrix[:, place])
    return _laid(found, _starts(wanted), wanted, ctx)


@semantics("HcomAllGatherV")
def all_gather_v(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Blocks of several sizes from all ranks."""
    x, wanted = args[0], int_list(args[2])
    _per_rank(wanted, "recv_counts", _members(attrs, ctx), ctx)
    places = _starts(wanted) if args[3] is None else int_list(args[3])
    _per_rank(places, "recv_displacements", len(wanted), ctx)
    (block,) = _cut(x, [0], [scalar(args[1], "send_count", ctx)], ctx)
    found = _together(
        "HcomAllGatherV", attrs, ctx, block, lambda parts: [parts] * len(parts), dtype=str(x.dtype)
    )
    return _laid(found, places, wanted, ctx)


@semantics("HcomReduceScatterV")
def reduce_scatter_v(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Blocks of several sizes of the reduction."""
    x, sizes, how = args[0], int_list(args[2]), attrs["reduction"]
    _per_rank(sizes, "send_counts", _members(attrs, ctx), ctx)
    starts = _starts(sizes) if args[3] is None else int_list(args[3])
    _per_rank(starts, "send_displacements", len(sizes), ctx)
    _cut(x, starts, sizes, ctx)
    block = _together(
        "HcomReduceScatterV",
        attrs,
        ctx,
        x.reshape(-1),
        lambda parts: _cut(_reduced(parts, how), starts, sizes, ctx),
        reduction=how,
        tensor=_kind(x.reshape(-1)),
        send_counts=sizes,
        send_displacements=starts,
    )
    count = scalar(args[1], "recv_count", ctx)
    if block.size != count:
        ctx.fail("recv_count is not what this rank gets", found=count, expected=block.size)
    return block


# ------------------------------------------------------------------------------ fused products


def _product(x1: Array, x2: Array, bias: Any, attrs: Attrs) -> Array:
    """x1 · x2 + bias, rounded to the dtype of x1."""
    y = matmul(x1, x2.T if attrs["is_trans_b"] else x2)
    return finish(y if bias is None else (y + widen(bias)).astype(y.dtype), x1.dtype)


@semantics("MatmulAllReduce")
def matmul_all_reduce(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """The sum of all ranks' products."""
    x1, x2, bias, x3, *scales = args
    if any(s is not None for s in scales) or x1.dtype.kind in "iu":
        ctx.fail("quantised products are not evaluated", expected="float operands, no scales")
    y = _product(x1, x2, bias, attrs)
    if x3 is not None:
        y = finish(widen(y) + widen(x3), x1.dtype)
    return _together(
        "MatmulAllReduce",
        attrs,
        ctx,
        y,
        lambda parts: [_reduced(parts, "sum")] * len(parts),
        tensor=_kind(y),
    )


@semantics("AllGatherMatmul")
def all_gather_matmul(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, Array]:
    """The product of all ranks' rows."""
    x1, x2, bias = args
    _members(attrs, ctx)
    gathered = _together(
        "AllGatherMatmul",
        attrs,
        ctx,
        x1,
        lambda parts: [np.concatenate(parts)] * len(parts),
        tensor=_kind(x1),
    )
    shown = gathered if attrs["is_gather_out"] else np.zeros((0,), x1.dtype)
    return _product(gathered, x2, bias, attrs), shown


@semantics("MatmulReduceScatter")
def matmul_reduce_scatter(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """A block of the sum of all ranks' products."""
    y = _product(args[0], args[1], args[2], attrs)
    return _scatter("MatmulReduceScatter", y, "sum", attrs, ctx)
