"""Kernels of communication on ND for a device that is a rank by itself: every group is this rank.

Several ranks run by golden semantics only (`evaluate_ranks`); a kernel refuses a node that names
another number of ranks.
"""

from __future__ import annotations

import numpy as np

from runtime.kernels.refusal import Refusal, refuse_where
from runtime.kernels.registry import Call, View, kernel
from runtime.kernels.views import logical, store, wide


def _alone(call: Call) -> None:
    size = call.attrs.get("rank_size")
    if size not in (None, 0, 1):
        raise Refusal(
            "rank_size is not the number of ranks in the group",
            code="GX-250",
            found=size,
            expected=1,
            hint="ge_dialect.semantics.ranks.evaluate_ranks runs several ranks",
        )
    root = call.attrs.get("root_rank", 0)
    if root != 0:
        raise Refusal("the group has no such root", code="GX-250", found=root, expected="< 1")


@kernel("HcomAllReduce", "HcomReduce", "HcomAllGather", "HcomReduceScatter", "HcomAllToAll")
def pass_on(call: Call) -> None:
    """What one rank gets of what it brings."""
    _alone(call)
    store(call.outs[0], logical(call.arg(0)))


@kernel("HcomBroadcast")
def broadcast(call: Call) -> None:
    """The tensors of this rank."""
    _alone(call)
    for view, out in zip(call.many(0), call.outs, strict=True):
        store(out, logical(view))


@kernel("HcomSend", "HcomReceive")
def nobody(call: Call) -> None:
    """There is no other rank."""
    sends = "dest_rank" in call.attrs
    other = call.attrs["dest_rank" if sends else "src_rank"]
    raise Refusal(
        f"a rank alone {'sends to nobody' if sends else 'receives nothing'}",
        code="GX-251",
        found=f"rank {other}",
        expected="several ranks",
        hint="run all ranks at once with ge_dialect.semantics.ranks.evaluate_ranks",
    )


def _own(call: Call, index: int, name: str) -> int:
    """The number that an input says of this rank, the only one."""
    numbers = call.ints(index)
    if len(numbers) != 1:
        message = f"{name} has not one entry per rank"
        raise Refusal(message, found=len(numbers), expected=1)
    return numbers[0]


def _need_equal(sent: int, wanted: int) -> None:
    if sent != wanted:
        message = "a rank sends another number of elements than is counted on"
        raise Refusal(message, code="GX-250", found=sent, expected=wanted)


def _block(call: Call, start: int, count: int) -> np.ndarray:
    """So many elements of the first input."""
    row = logical(call.arg(0)).reshape(-1)
    if start < 0 or count < 0 or start + count > row.size:
        found = f"{start} + {count}"
        raise Refusal("a block is not within the data", found=found, expected=row.size)
    return row[start : start + count]


def _placed(out: View, block: np.ndarray, place: int) -> None:
    """One block at its place, zeros around it."""
    value = np.zeros(out.shape, block.dtype)
    value[place : place + block.size] = block
    store(out, value)


@kernel("HcomAllToAllV")
def all_to_all_v(call: Call) -> None:
    """The block this rank has for itself."""
    names = ("send_counts", "send_displacements", "recv_counts", "recv_displacements")
    count, start, wanted, place = (_own(call, i, n) for i, n in enumerate(names, 1))
    block = _block(call, start, count)
    _need_equal(count, wanted)
    _placed(call.outs[0], block, place)


@kernel("HcomAllToAllVC")
def all_to_all_vc(call: Call) -> None:
    """The block this rank has for itself, by the matrix."""
    shape, rank = call.arg(1).shape, call.attrs["rank"]
    if shape != (1, 1) or rank != 0:
        message, found = "the matrix or `rank` does not fit the group", f"{shape}, rank {rank}"
        raise Refusal(message, code="GX-250", found=found, expected="1 by 1, rank 0")
    _placed(call.outs[0], _block(call, 0, call.ints(1)[0]), 0)


@kernel("HcomAllGatherV")
def all_gather_v(call: Call) -> None:
    """The first elements, at their place."""
    wanted = _own(call, 2, "recv_counts")
    place = 0 if call.opt(3) is None else _own(call, 3, "recv_displacements")
    block = _block(call, 0, call.ints(1)[0])
    _need_equal(block.size, wanted)
    _placed(call.outs[0], block, place)


@kernel("HcomReduceScatterV")
def reduce_scatter_v(call: Call) -> None:
    """The elements that are this rank's."""
    count = _own(call, 2, "send_counts")
    start = 0 if call.opt(3) is None else _own(call, 3, "send_displacements")
    block, wanted = _block(call, start, count), call.ints(1)[0]
    if count != wanted:
        message = "recv_count is not what this rank gets"
        raise Refusal(message, found=wanted, expected=count)
    _placed(call.outs[0], block, 0)


def _product(call: Call) -> np.ndarray:
    x1, x2 = wide(logical(call.arg(0))), wide(logical(call.arg(1)))
    letters = "nk" if call.attrs["is_trans_b"] else "kn"
    y = np.einsum(f"...k,{letters}->...n", x1, x2)
    return y if call.opt(2) is None else y + wide(logical(call.arg(2)))


@kernel("MatmulAllReduce")
def matmul_all_reduce(call: Call) -> None:
    """The product, rounded, then the addend."""
    quantised = any(call.opt(i) is not None for i in range(4, 10))
    quantised = quantised or call.arg(0).data.dtype.kind in "iu"
    message = "quantised products are not evaluated"
    refuse_where(quantised, message, expected="float operands, no scales")
    y = _product(call).astype(call.outs[0].data.dtype)
    if call.opt(3) is not None:
        y = wide(y) + wide(logical(call.arg(3)))
    store(call.outs[0], y)


@kernel("MatmulReduceScatter")
def matmul_reduce_scatter(call: Call) -> None:
    """The product: one rank has all rows."""
    _alone(call)
    store(call.outs[0], _product(call))


@kernel("AllGatherMatmul")
def all_gather_matmul(call: Call) -> None:
    """The product, and the rows that were gathered."""
    _alone(call)
    store(call.outs[0], _product(call))
    if call.attrs["is_gather_out"]:
        store(call.outs[1], logical(call.arg(0)))
