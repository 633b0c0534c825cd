"""Kernels of communication on ND for a device that is a rank by itself: every group is this rank.

Several ranks run by golden semantics only (`evaluate_ranks`); a kernel refuses a node that names
another number of ranks.
"""

from __future__ import annotations

import numpy as np

from runtime.kernels.refusal import Refusal
from runtime.kernels.registry import Call, View, kernel
from runtime.kernels.views import logical, store, wide


def _alone(call: Call) -> None:
    size = call.attrs.get("rank_size")
    if size not in (None, 0, 1):
        raise ValueError(f"this device is one rank, the node wants {size}")
    place = call.attrs.get("root_rank", call.attrs.get("rank", 0))
    if place != 0:
        raise ValueError(f"this device is rank 0, the node names rank {place}")


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
    raise ValueError("this device is one rank: there is nobody to send to or receive from")


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


def _placed(out: View, row: np.ndarray, start: int, place: int, count: int) -> None:
    """One block at its place, zeros around it."""
    if start < 0 or count < 0 or start + count > row.size:
        found = f"{start} + {count}"
        raise Refusal("a block is not within the data", found=found, expected=row.size)
    value = np.zeros(out.shape, row.dtype)
    value[place : place + count] = row[start : start + count]
    store(out, value)


@kernel("HcomAllToAllV")
def all_to_all_v(call: Call) -> None:
    """The block this rank has for itself."""
    names = ("send_counts", "send_displacements", "recv_counts", "recv_displacements")
    count, start, wanted, place = (_own(call, i, n) for i, n in enumerate(names, 1))
    _need_equal(count, wanted)
    _placed(call.outs[0], logical(call.arg(0)).reshape(-1), start, place, count)


@kernel("HcomAllToAllVC")
def all_to_all_vc(call: Call) -> None:
    """The block this rank has for itself, by the matrix."""
    _alone(call)
    _placed(call.outs[0], logical(call.arg(0)).reshape(-1), 0, 0, call.ints(1)[0])


@kernel("HcomAllGatherV")
def all_gather_v(call: Call) -> None:
    """The first elements, at their place."""
    wanted = _own(call, 2, "recv_counts")
    place = 0 if call.opt(3) is None else _own(call, 3, "recv_displacements")
    count = call.ints(1)[0]
    _need_equal(count, wanted)
    _placed(call.outs[0], logical(call.arg(0)).reshape(-1), 0, place, count)


@kernel("HcomReduceScatterV")
def reduce_scatter_v(call: Call) -> None:
    """The elements that are this rank's."""
    count = _own(call, 2, "send_counts")
    start = 0 if call.opt(3) is None else _own(call, 3, "send_displacements")
    wanted = call.ints(1)[0]
    if count != wanted:
        message = "recv_count is not what this rank gets"
        raise Refusal(message, found=wanted, expected=count)
    _placed(call.outs[0], logical(call.arg(0)).reshape(-1), start, 0, count)


def _product(call: Call) -> np.ndarray:
    x1, x2 = wide(logical(call.arg(0))), wide(logical(call.arg(1)))
    letters = "nk" if call.attrs["is_trans_b"] else "kn"
    y = np.einsum(f"...k,{letters}->...n", x1, x2)
    return y if call.opt(2) is None else y + wide(logical(call.arg(2)))


@kernel("MatmulAllReduce")
def matmul_all_reduce(call: Call) -> None:
    """The product, rounded, then the addend."""
    if any(call.opt(i) is not None for i in range(4, 10)):
        raise ValueError("quantised products have no kernel")
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
