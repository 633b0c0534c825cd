"""Collective communication: operators that act over the ranks of a group.

They share the I/O channel "hccl": a graph orders them, as HCCL runs them in the order of their
stream. A group is named; "hccl_world_group" is all ranks. Blocks stand along axis 0, in the order
of the ranks; the forms with counts see their data as one row of elements. A graph run by itself is
a rank alone in its world; `ge_dialect.semantics.ranks.evaluate_ranks` runs several.

Definitions: HCCL's public interface (HcclAllReduce …, HcclSend, HcclRecv) and the prototypes; of
the fused products, the public documents of aclnnMatmulAllReduce, aclnnAllGatherMatmul and
aclnnMatmulReduceScatter.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.infer.broadcast import broadcast_to
from ge_dialect.infer.dims import UNKNOWN, Shape, merge_dim, refine, require_rank
from ge_dialect.infer.errors import DTYPE
from ge_dialect.infer.ranks import (
    block_shape,
    check_reduction,
    extent,
    gathered_shape,
    rank_count,
    scattered_shape,
)
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.effects import Effects
from ge_dialect.ir.fields import (
    bool_,
    dyn_tin,
    dyn_tout,
    int_,
    ints,
    opt_tin,
    string,
    tin,
    tout,
    type_,
)
from ge_dialect.ir.types import elem_of, shape_of, tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_CHANNEL = Effects.io("hccl")
_SUMMED = "FLOAT, int8, int16, int32, int64"  # int64 is assumed
_FLOATS = "float16, bfloat16, float32"  # float32 is assumed


@ge_op
class HcomAllReduce(GeOp):
    """The reduction (sum, max, min, prod) of x over the ranks, on each of them."""

    name = "ge.HcomAllReduce"
    TYPES: ClassVar = {"T": _SUMMED}
    EFFECTS: ClassVar = _CHANNEL

    x = tin("T")
    y = tout("T")
    reduction = string()
    group = string()
    fusion = int_(1)
    fusion_id = int_(-1)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        check_reduction(n)
        return (n.logical("x"),)


@ge_op
class HcomReduce(GeOp):
    """The reduction of x over the ranks, on the root; another rank keeps its x (assumed)."""

    name = "ge.HcomReduce"
    TYPES: ClassVar = {"T": _SUMMED}
    EFFECTS: ClassVar = _CHANNEL

    x = tin("T")
    y = tout("T")
    root_rank = int_()
    reduction = string()
    group = string()
    fusion = int_(0)
    fusion_id = int_(-1)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        check_reduction(n)
        return (n.logical("x"),)


@ge_op
class HcomAllGather(GeOp):
    """x of all ranks, one behind the other along axis 0, on each of them."""

    name = "ge.HcomAllGather"
    TYPES: ClassVar = {"T": "RealNumberType"}
    EFFECTS: ClassVar = _CHANNEL

    x = tin("T")
    y = tout("T")
    rank_size = int_()
    group = string()
    fusion = int_(0)
    fusion_id = int_(-1)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return (tensor_type(gathered_shape(block_shape(n, "x"), rank_count(n)), n.elem("x")),)


@ge_op
class HcomReduceScatter(GeOp):
    """The reduction of x over the ranks, of which each rank gets its block of axis 0."""

    name = "ge.HcomReduceScatter"
    TYPES: ClassVar = {"T": _SUMMED}
    EFFECTS: ClassVar = _CHANNEL

    x = tin("T")
    y = tout("T")
    reduction = string()
    fusion = int_(0)
    fusion_id = int_(-1)
    group = string()
    rank_size = int_()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        check_reduction(n)
        return (tensor_type(scattered_shape(n, block_shape(n, "x"), rank_count(n)), n.elem("x")),)


@ge_op
class HcomAllToAll(GeOp):
    """Block i of y is what rank i has in x for this rank; blocks of equal size along axis 0."""

    name = "ge.HcomAllToAll"
    TYPES: ClassVar = {"T": "RealNumberType"}
    EFFECTS: ClassVar = _CHANNEL

    x = tin("T")
    y = tout("T")
    rank_size = int_()
    group = string()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape = block_shape(n, "x")
        scattered_shape(n, shape, rank_count(n))
        return (tensor_type(shape, n.elem("x")),)


@ge_op
class HcomBroadcast(GeOp):
    """The tensors of the root, on every rank; all ranks bring tensors of the same types."""

    name = "ge.HcomBroadcast"
    EFFECTS: ClassVar = _CHANNEL

    x = dyn_tin("RealNumberType")
    y = dyn_tout("RealNumberType")
    root_rank = int_()
    group = string()
    fusion = int_(0)
    fusion_id = int_(-1)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return [tensor_type(shape_of(t), elem_of(t)) for t in n.types("x")]


@ge_op
class HcomSend(GeOp):
    """Hands x to member `dest_rank` of the group, once it receives with the same tag."""

    name = "ge.HcomSend"
    EFFECTS: ClassVar = _CHANNEL

    x = tin("RealNumberType")
    group = string()
    sr_tag = int_()
    dest_rank = int_()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        if n.attr("dest_rank") < 0:
            n.fail("dest_rank must not be negative", found=n.attr("dest_rank"), expected="≥ 0")
        return ()


@ge_op
class HcomReceive(GeOp):
    """What member `src_rank` of the group sends with the same tag: of this shape and dtype."""

    name = "ge.HcomReceive"
    EFFECTS: ClassVar = _CHANNEL

    y = tout("RealNumberType")
    group = string()
    sr_tag = int_()
    src_rank = int_()
    shape = ints()
    dtype = type_()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        if n.attr("src_rank") < 0:
            n.fail("src_rank must not be negative", found=n.attr("src_rank"), expected="≥ 0")
        if any(d < 0 for d in n.attr("shape")):
            n.fail("shape has a negative entry", found=list(n.attr("shape")), expected="≥ 0")
        return (tensor_type(tuple(n.attr("shape")), n.attr("dtype")),)


@ge_op
class HcomAllToAllV(GeOp):
    """Blocks of elements of several sizes: send_counts[i] from send_displacements[i] go to rank i.

    What comes from rank i stands at recv_displacements[i] of recv_data, recv_counts[i] elements;
    between the blocks are zeros (assumed).
    """

    name = "ge.HcomAllToAllV"
    TYPES: ClassVar = {"T": "RealNumberType"}
    EFFECTS: ClassVar = _CHANNEL

    send_data = tin("T")
    send_counts = tin("int64")
    send_displacements = tin("int64")
    recv_counts = tin("int64")
    recv_displacements = tin("int64")
    recv_data = tout("T")
    group = string()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        extent(n, "send_counts", "send_displacements")
        size = extent(n, "recv_counts", "recv_displacements")
        return (tensor_type((size,), n.elem("send_data")),)


@ge_op
class HcomAllToAllVC(GeOp):
    """HcomAllToAllV by one matrix: send_count_matrix[i, j] elements go from rank i to rank j.

    Blocks lie one behind the other. `rank` is the place of this rank in the group.
    """

    name = "ge.HcomAllToAllVC"
    TYPES: ClassVar = {"T": "RealNumberType"}
    EFFECTS: ClassVar = _CHANNEL

    send_data = tin("T")
    send_count_matrix = tin("int64")
    recv_data = tout("T")
    rank = int_()
    group = string()
    fusion = int_(0)
    fusion_id = int_(-1)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, rank = n.shape("send_count_matrix"), n.attr("rank")
        require_rank(shape, 2, "send_count_matrix")
        counts, size = n.ints("send_count_matrix"), UNKNOWN
        if shape is not None:
            count = merge_dim(shape[0], shape[1], "rows and columns of send_count_matrix")
            if rank < 0 or 0 <= count <= rank:
                most = count - 1 if count >= 0 else "…"
                n.fail("rank is no place in the group", found=rank, expected=f"0 … {most}")
            if counts is not None:
                if any(c < 0 for c in counts):
                    n.fail("a count is negative", found=list(counts), expected="≥ 0")
                size = sum(counts[rank::count])
        return (tensor_type((size,), n.elem("send_data")),)


@ge_op
class HcomAllGatherV(GeOp):
    """The first send_count elements of x of every rank, that of rank i at recv_displacements[i].

    Without displacements they lie one behind the other; between them are zeros (assumed).
    """

    name = "ge.HcomAllGatherV"
    TYPES: ClassVar = {"T": "RealNumberType"}
    EFFECTS: ClassVar = _CHANNEL

    x = tin("T")
    send_count = tin("int64")
    recv_counts = tin("int64")
    recv_displacements = opt_tin("int64")
    y = tout("T")
    group = string()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        n.scalar("send_count")
        size = extent(n, "recv_counts", "recv_displacements")
        return (tensor_type((size,), n.elem("x")),)


@ge_op
class HcomReduceScatterV(GeOp):
    """The reduction of x over the ranks, of which rank i gets send_counts[i] elements.

    They start at send_displacements[i], or follow those of the ranks before; recv_count is their
    number on this rank.
    """

    name = "ge.HcomReduceScatterV"
    TYPES: ClassVar = {"T": _SUMMED}
    EFFECTS: ClassVar = _CHANNEL

    x = tin("T")
    recv_count = tin("int64")
    send_counts = tin("int64")
    send_displacements = opt_tin("int64")
    y = tout("T")
    reduction = string()
    group = string()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        check_reduction(n)
        extent(n, "send_counts", "send_displacements")
        count = n.scalar("recv_count")
        if count is not None and count < 0:
            n.fail("recv_count must not be negative", found=count, expected="≥ 0")
        return (tensor_type((UNKNOWN if count is None else count,), n.elem("x")),)


# ---------------------------------------------------------------------------- fused products


def _product(n: InferNode, ranks: int | tuple[int, ...] = 2) -> tuple[Shape, Attribute]:
    """Shape and dtype of x1 · x2 + bias, of matrices; ranks: those x1 may have."""
    a, b = n.shape("x1"), n.shape("x2")
    require_rank(a, ranks, "x1")
    require_rank(b, 2, "x2")
    if n.attr("is_trans_a"):
        n.fail("is_trans_a is not supported", found=True, expected=False)
    if n.elem("x1") != n.elem("x2"):
        n.fail("x1 and x2 differ in dtype", found=f"{n.elem('x1')} and {n.elem('x2')}",
               expected="one dtype", code=DTYPE)  # fmt: skip
    inner, columns = UNKNOWN, UNKNOWN
    if b is not None:
        inner, columns = (b[1], b[0]) if n.attr("is_trans_b") else (b[0], b[1])
    if a is not None:
        merge_dim(a[-1], inner, "inner dims of x1 and x2")
    out = None if a is None else (*a[:-1], columns)
    if n.has("bias"):
        require_rank(n.shape("bias"), 1, "bias")
        broadcast_to(n.shape("bias"), (columns,))
    return out, n.elem("x1")


@ge_op
class MatmulAllReduce(GeOp):
    """The reduction over the ranks of x1 · x2 + bias + x3, each rounded before it travels.

    Quantised forms (scales) are not evaluated.
    """

    name = "ge.MatmulAllReduce"
    EFFECTS: ClassVar = _CHANNEL

    x1 = tin(_FLOATS + ", int8")
    x2 = tin(_FLOATS + ", int4, int8")
    bias = opt_tin(_FLOATS + ", int32")
    x3 = opt_tin(_FLOATS)
    antiquant_scale = opt_tin("float16, bfloat16")
    antiquant_offset = opt_tin("float16, bfloat16")
    dequant_scale = opt_tin("FLOAT, int64, uint64")
    pertoken_scale = opt_tin("float32")
    comm_quant_scale_1 = opt_tin("float16, bfloat16")
    comm_quant_scale_2 = opt_tin("float16, bfloat16")
    y = tout(_FLOATS)
    group = string()
    reduce_op = string("sum")
    is_trans_a = bool_(False)
    is_trans_b = bool_(False)
    comm_turn = int_(0)
    antiquant_group_size = int_(0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        if n.attr("reduce_op") != "sum":
            n.fail("reduce_op is not supported", found=n.attr("reduce_op"), expected="sum")
        out, elem = _product(n, (2, 3))
        if n.has("x3"):
            out = refine(out, n.shape("x3"), "the product and x3")
        return (tensor_type(out, elem),)


@ge_op
class AllGatherMatmul(GeOp):
    """gather_out · x2 + bias, where gather_out is x1 of all ranks along axis 0.

    With is_gather_out false gather_out is empty (assumed); rank_size 0 leaves the number of ranks
    open. Only the left operand is gathered (gather_index 0).
    """

    name = "ge.AllGatherMatmul"
    TYPES: ClassVar = {"T": _FLOATS}
    EFFECTS: ClassVar = _CHANNEL

    x1 = tin("T")
    x2 = tin("T")
    bias = opt_tin("T")
    y = tout("T")
    gather_out = tout("T")
    group = string()
    is_trans_a = bool_(False)
    is_trans_b = bool_(False)
    gather_index = int_(0)
    comm_turn = int_(0)
    rank_size = int_(0)
    is_gather_out = bool_(True)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        if n.attr("gather_index"):
            n.fail("gather_index is not supported", found=n.attr("gather_index"), expected=0)
        out, elem = _product(n)
        size, gathered = n.attr("rank_size"), n.shape("x1")
        if size < 0:
            n.fail("rank_size must not be negative", found=size, expected="≥ 0")
        out, gathered = (
            None if s is None else gathered_shape(s, size) if size else (UNKNOWN, *s[1:])
            for s in (out, gathered)
        )
        if not n.attr("is_gather_out"):
            gathered = (0,)
        return (tensor_type(out, elem), tensor_type(gathered, elem))


@ge_op
class MatmulReduceScatter(GeOp):
    """The sum over the ranks of x1 · x2 + bias, of which each rank gets its block of rows.

    The products are rounded before they travel; rank_size 0 leaves the number of ranks open.
    """

    name = "ge.MatmulReduceScatter"
    TYPES: ClassVar = {"T": _FLOATS}
    EFFECTS: ClassVar = _CHANNEL

    x1 = tin("T")
    x2 = tin("T")
    bias = opt_tin("T")
    y = tout("T")
    group = string()
    reduce_op = string("sum")
    is_trans_a = bool_(False)
    is_trans_b = bool_(False)
    comm_turn = int_(0)
    rank_size = int_(0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        if n.attr("reduce_op") != "sum":
            n.fail("reduce_op is not supported", found=n.attr("reduce_op"), expected="sum")
        out, elem = _product(n)
        size = n.attr("rank_size")
        if size < 0:
            n.fail("rank_size must not be negative", found=size, expected="≥ 0")
        if size:
            out = scattered_shape(n, out, size)
        elif out is not None:
            out = (UNKNOWN, *out[1:])
        return (tensor_type(out, elem),)
