"""Shape inference of tensors of attention heads: their layouts, and what must fit what.

Layouts name the axes of query, key and value: BSH and SBH hold the heads in the last axis, BSND and
BNSD (B, N, S, D: batch, heads, positions, size of a head) apart, TND strings the positions of all
samples together. Several heads of the query may share one of key and value.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from ge_dialect.dtypes import ge_name
from ge_dialect.infer.broadcast import broadcast_to
from ge_dialect.infer.dims import UNKNOWN, Shape, merge_dim, require_rank
from ge_dialect.infer.errors import DTYPE, SHAPE
from ge_dialect.ir.types import elem_of

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

#: Axes of a layout's tensor: H is heads and their size in one.
LAYOUTS = {"BSH": "BSH", "SBH": "SBH", "BSND": "BSND", "BNSD": "BNSD", "TND": "TND"}


class Heads(NamedTuple):
    """Sizes of a tensor of heads: batch (1 for TND), heads, positions, size of a head."""

    batch: int
    heads: int
    length: int
    size: int


def heads_of(n: InferNode, name: str, shape: Shape, layout: str, heads: int) -> Heads:
    """Sizes of an input; `heads` is their number, -1 where only the tensor tells."""
    axes = LAYOUTS[layout]
    require_rank(shape, len(axes), name)
    if shape is None:
        return Heads(UNKNOWN, heads, UNKNOWN, UNKNOWN)
    dims = dict(zip(axes, shape, strict=True))
    if "H" in dims:
        width, size = dims["H"], UNKNOWN
        if width >= 0 and heads > 0:
            if width % heads:
                n.fail(
                    f"the last dim of {name} does not divide into heads",
                    found=width,
                    expected=f"a multiple of {heads}",
                    code=SHAPE,
                )
            size = width // heads
        return Heads(dims["B"], heads, dims["S"], size)
    number = merge_dim(dims["N"], heads, f"heads of {name}")
    return Heads(dims.get("B", 1), number, dims.get("S", dims.get("T", UNKNOWN)), dims["D"])


def check_dtypes(n: InferNode, *names: str) -> None:
    """InferError where inputs of one dtype symbol differ in dtype."""
    table, bound = n.cls.ge_table(), {}
    for name in names:
        symbol = table.inputs[table.input_index(name)].dtypes
        for type_ in n.types(name):
            elem = elem_of(type_)
            first, wanted = bound.setdefault(symbol, (name, elem))
            if elem != wanted:
                n.fail(
                    f"{first} and {name} have different dtypes",
                    found=ge_name(elem),
                    expected=ge_name(wanted),
                    code=DTYPE,
                )


def check_layout(n: InferNode, allowed: Sequence[str]) -> str:
    """The layout of the node, an error for one the operator has not."""
    layout = n.attr("input_layout")
    if layout not in allowed:
        n.fail("input_layout is not supported", found=layout, expected=", ".join(allowed))
    return layout


def check_heads(n: InferNode, name: str) -> int:
    """A positive number of heads."""
    heads = n.attr(name)
    if heads < 1:
        n.fail(f"{name} must be positive", found=heads, expected="≥ 1")
    return heads


def check_shared(n: InferNode, heads: int, shared: int) -> None:
    """An error unless every head of key and value serves as many heads of the query."""
    if heads > 0 and (shared == 0 or (shared > 0 and heads % shared)):
        n.fail(
            "heads of the query do not divide among those of the key",
            found=f"{heads} and {shared}",
            expected="a multiple",
            code=SHAPE,
        )


def check_scores(n: InferNode, names: Sequence[str], q: Heads, k: Heads) -> None:
    """An error where an addend or mask does not stretch to the scores (B, N, S1, S2)."""
    for name in names:
        if n.has(name):
            broadcast_to(n.shape(name), (q.batch, q.heads, q.length, k.length))


def check_mask(n: InferNode, q: Heads, k: Heads, flat: bool = False) -> None:
    """An error where atten_mask is neither one for all heads of a sample nor one for all scores.

    flat: two axes of it are samples and keys, not queries and keys.
    """
    shape = n.shape("atten_mask")
    if shape is not None and len(shape) == 3:
        broadcast_to(shape, (q.batch, q.length, k.length))
    elif shape is not None and len(shape) == 2 and flat:
        broadcast_to(shape, (q.batch, k.length))
    else:
        check_scores(n, ("atten_mask",), q, k)


def check_training_mask(n: InferNode, q: Heads, k: Heads) -> None:
    """An error unless atten_mask is (S1, S2) or (B, N, S1, S2), each of B and N 1 on demand.

    With three axes it would say nothing of whether the first is samples or heads.
    """
    require_rank(n.shape("atten_mask"), (2, 4), "atten_mask")
    check_scores(n, ("atten_mask",), q, k)


def check_sparse(n: InferNode, most: int = 8) -> int:
    """The sparse mode; modes from 1 on need a mask."""
    mode = n.attr("sparse_mode")
    if not 0 <= mode <= most:
        n.fail("sparse_mode is not supported", found=mode, expected=f"0 … {most}")
    if mode and not n.has("atten_mask"):
        n.fail("the sparse mode needs atten_mask", found=mode, expected="atten_mask connected")
    return mode


def with_value_size(shape: Shape, layout: str, heads: int, size: int) -> Shape:
    """The shape of the query with the size of a head of the value."""
    if shape is None:
        return None
    last = size if layout[-1] == "D" else UNKNOWN if min(size, heads) < 0 else heads * size
    return (*shape[:-1], last)


def operands(n: InferNode, layout: str, heads: int) -> tuple[Heads, Heads, Heads]:
    """Query, key and value that fit; heads of the key follow from the size of the query's."""
    check_dtypes(n, "query", "key", "value")
    q = heads_of(n, "query", n.shape("query"), layout, heads)
    shared = -1
    if layout in ("BSH", "SBH"):
        if q.size == 0:
            n.fail("a head of the query has no elements", found=0, expected="≥ 1", code=SHAPE)
        key = n.shape("key")
        if q.size > 0 and key and key[-1] >= 0:
            if key[-1] % q.size:
                n.fail(
                    "the last dim of key does not divide into heads of the query's size",
                    found=key[-1],
                    expected=f"a multiple of {q.size}",
                    code=SHAPE,
                )
            shared = key[-1] // q.size
    k = heads_of(n, "key", n.shape("key"), layout, shared)
    v = heads_of(n, "value", n.shape("value"), layout, k.heads)
    merge_dim(q.batch, k.batch, "batches of query and key")
    merge_dim(k.batch, v.batch, "batches of key and value")
    merge_dim(k.length, v.length, "positions of key and value")
    merge_dim(q.size, k.size, "sizes of the heads of query and key")
    merge_dim(k.heads, v.heads, "heads of key and value")
    check_shared(n, heads, k.heads)
    return q, k, v
