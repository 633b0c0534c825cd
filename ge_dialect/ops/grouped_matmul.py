"""Matrix products of groups, and forms of the matrix product with scaling or permutation built in.

Public documents: aclnnGroupedMatmul(V2 … V4), aclnnTransposeBatchMatMul; GEMM and FullyConnection
as Caffe and BLAS define them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import ge_name, is_integer, to_xdsl
from ge_dialect.infer.broadcast import broadcast_shapes, broadcast_to
from ge_dialect.infer.dims import UNKNOWN, merge_dim, product, require_rank, show
from ge_dialect.infer.errors import COUNT, DTYPE, RANK, SHAPE
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import bool_, dyn_tin, dyn_tout, int_, ints, opt_tin, tin, tout
from ge_dialect.ir.types import elem_of, shape_of, tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_I32 = to_xdsl("int32")
Shape = tuple[int, ...] | None


def _matrix(shape: Shape, turned: bool) -> tuple[int, int]:
    """Rows and columns of the last two axes, turned on demand."""
    if shape is None:
        return UNKNOWN, UNKNOWN
    return (shape[-1], shape[-2]) if turned else (shape[-2], shape[-1])


@ge_op
class BatchMatMulV3(GeOp):
    """Matrix products over the last two axes (+ bias) of the Ascend C generation, for floats."""

    name = "ge.BatchMatMulV3"
    TYPES: ClassVar = {"T": "FLOAT"}

    x1 = tin("T")
    x2 = tin("T")
    bias = opt_tin("FLOAT")
    offset_w = opt_tin("int4, int8")
    y = tout("T")
    adj_x1 = bool_(False)
    adj_x2 = bool_(False)
    offset_x = int_(0)
    enable_hf32 = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        a, b = n.shape("x1"), n.shape("x2")
        for name, shape in (("x1", a), ("x2", b)):
            if shape is not None and len(shape) < 2:
                n.fail(f"{name} is no matrix", found=show(shape), expected="rank ≥ 2", code=RANK)
        rows, k = _matrix(a, n.attr("adj_x1"))
        k2, columns = _matrix(b, n.attr("adj_x2"))
        merge_dim(k, k2, "inner dims of x1 and x2")
        out: Shape = None
        if a is not None and b is not None:
            batch = broadcast_shapes(a[:-2], b[:-2])
            assert batch is not None
            out = (*batch, rows, columns)
            if n.has("bias"):
                broadcast_to(n.shape("bias"), out)
        if n.has("offset_w"):
            n.fail("offset_w is reserved", found="connected", expected="not connected", code=COUNT)
        return (tensor_type(out, n.elem("x1")),)


@ge_op
class FullyConnection(GeOp):
    """x with its axes from `axis` on (1 or 2) made one, times the transpose of w, plus b.

    w is [num_output, K …], with `transpose` [K …, num_output]; its axes behind (before) the outputs
    count as one. int8 gives int32. y is [rows, num_output], with axis 2 [batch, rows, num_output];
    GE adds two ones to the former in NC1HWC0 (assumed: not here).
    """

    name = "ge.FullyConnection"
    TYPES: ClassVar = {"T": "FLOAT, int8"}  # int4 is packed in GE, and not taken here

    x = tin("T")
    w = tin("T")
    b = opt_tin("FLOAT, int32")
    offset_w = opt_tin("int4, int8")
    y = tout("FLOAT, int32")
    num_output = int_()
    transpose = bool_(False)
    axis = int_(1)
    offset_x = int_(0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, w, count, axis = n.shape("x"), n.shape("w"), n.attr("num_output"), n.attr("axis")
        if axis not in (1, 2):
            n.fail("axis is not supported", found=axis, expected="1 or 2")
        if count < 1:
            n.fail("num_output must be positive", found=count, expected="≥ 1")
        if n.attr("offset_x"):
            n.fail("offset_x is not supported", found=n.attr("offset_x"), expected=0)
        if n.has("offset_w"):
            n.fail("offset_w is reserved", found="connected", expected="not connected", code=COUNT)
        require_rank(shape, range(axis + 1, 8), "x")
        require_rank(w, range(2, 8), "w")
        inner = UNKNOWN if shape is None else product(shape[axis:])
        if w is not None:
            outputs, rest = (w[-1], w[:-1]) if n.attr("transpose") else (w[0], w[1:])
            merge_dim(outputs, count, "outputs of w and num_output")
            merge_dim(inner, product(rest), "inner dims of x and w")
        if n.has("b"):
            require_rank(n.shape("b"), 1, "b")
            broadcast_to(n.shape("b"), (count,))
        elem = _I32 if is_integer(n.elem("x")) else n.elem("x")
        if n.has("b") and is_integer(n.elem("b")) != is_integer(elem):
            n.fail("x and b are of different kinds", found=ge_name(n.elem("b")),
                   expected=ge_name(elem), code=DTYPE)  # fmt: skip
        lead = (UNKNOWN,) * axis if shape is None else shape[:axis]
        return (tensor_type((*lead, count), elem),)


@ge_op
class GEMM(GeOp):
    """alpha · a · b + beta · c of matrices, each of a and b transposed first where asked.

    alpha and beta hold one number; the result has the dtype of c.
    """

    name = "ge.GEMM"
    TYPES: ClassVar = {"T": "float16, float32, int8, int32", "C": "float16, float32, int8, int32"}

    a = tin("T")
    b = tin("T")
    c = tin("C")
    alpha = tin("float16, float32, int8, int32")
    beta = tin("float16, float32, int8, int32")
    y = tout("C")
    transpose_a = bool_(False)
    transpose_b = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        for name in ("a", "b"):
            require_rank(n.shape(name), 2, name)
        for name in ("alpha", "beta"):
            if n.shape(name) not in (None, (), (1,), (UNKNOWN,)):
                n.fail(f"{name} must hold one number", found=show(n.shape(name)),
                       expected="one element", code=SHAPE)  # fmt: skip
        kinds = {is_integer(n.elem(name)) for name in ("a", "c", "alpha", "beta")}
        if len(kinds) > 1:
            n.fail("floats and integers do not mix", found=ge_name(n.elem("c")),
                   expected="one kind", code=DTYPE)  # fmt: skip
        rows, k = _matrix(n.shape("a"), n.attr("transpose_a"))
        k2, columns = _matrix(n.shape("b"), n.attr("transpose_b"))
        merge_dim(k, k2, "inner dims of a and b")
        broadcast_to(n.shape("c"), (rows, columns))
        return (tensor_type((rows, columns), n.elem("c")),)


def _permuted(n: InferNode, name: str, shape: Shape) -> Shape:
    """A shape of rank 3 by one of the permutations; none given leaves it."""
    perm = n.attr(name)
    if perm and sorted(perm) != [0, 1, 2]:
        n.fail(f"{name} is no permutation", found=list(perm), expected="of 0, 1, 2")
    return shape if shape is None or not perm else tuple(shape[p] for p in perm)


@ge_op
class TransposeBatchMatMul(GeOp):
    """Matrix products of rank-3 operands, each permuted before, and the result permuted after.

    batch_split_factor f > 1 makes a result [M, B, N] into [f, M, B · N / f]. The quantised form
    (scale) is not evaluated.
    """

    name = "ge.TransposeBatchMatMul"
    TYPES: ClassVar = {"T": "FLOAT"}

    x1 = tin("T")
    x2 = tin("T")
    bias = opt_tin("FLOAT")
    scale = opt_tin("int64, uint64")
    y = tout("FLOAT, int8")
    perm_x1 = ints([])
    perm_x2 = ints([])
    perm_y = ints([])
    enable_hf32 = bool_(False)
    batch_split_factor = int_(1)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        for name in ("x1", "x2"):
            require_rank(n.shape(name), 3, name)
        a = _permuted(n, "perm_x1", n.shape("x1")) or (UNKNOWN,) * 3
        b = _permuted(n, "perm_x2", n.shape("x2")) or (UNKNOWN,) * 3
        batch = merge_dim(a[0], b[0], "batches of x1 and x2")
        merge_dim(a[2], b[1], "inner dims of x1 and x2")
        whole: Shape = (batch, a[1], b[2])
        if n.has("bias"):
            broadcast_to(n.shape("bias"), whole)
        out = _permuted(n, "perm_y", whole)
        factor = n.attr("batch_split_factor")
        if factor < 1:
            n.fail("batch_split_factor must be positive", found=factor, expected="≥ 1")
        if factor > 1:
            assert out is not None
            width = product(out[1:])
            if tuple(n.attr("perm_y")) != (1, 0, 2):
                n.fail("batch_split_factor needs perm_y 1, 0, 2", found=list(n.attr("perm_y")),
                       expected=[1, 0, 2])  # fmt: skip
            if out[1] >= 0 and out[1] % factor:
                n.fail("the batch does not divide", found=out[1],
                       expected=f"a multiple of {factor}", code=SHAPE)  # fmt: skip
            out = (factor, out[0], UNKNOWN if width < 0 else width // factor)
        return (tensor_type(out, n.elem("x1")),)


_MANY = "FLOAT, float64, int8"  # float64 is assumed


@ge_op
class GroupedMatmul(GeOp):
    """The products of several pairs of matrices, each x[i] · weight[i] (+ bias[i]).

    With group_type -1 there are as many of x, weight and y. With 0 one x [M, K] is cut into groups
    of rows, with 2 one x [M, K] and one weight [K, N] into groups of their inner dim; group_list
    holds running sums of the sizes (group_list_type 0) or the sizes (1). One weight of rank 3 holds
    those of all groups. split_item 0 and 1 give a y per group, 2 and 3 one: rows behind the last
    group are 0 (assumed); with group_type 2 it is [groups, M, N]. transpose_x and transpose_weight
    turn the last two axes. int8 gives int32. Scaled and quantised forms and activations are not
    evaluated.
    """

    name = "ge.GroupedMatmul"

    x = dyn_tin(_MANY)
    weight = dyn_tin(_MANY)
    bias = dyn_tin("float16, float32, int32, bfloat16")  # bfloat16 is assumed
    scale = dyn_tin("bfloat16, uint64")
    offset = dyn_tin("float32")
    antiquant_scale = dyn_tin("float16, bfloat16")
    antiquant_offset = dyn_tin("float16, bfloat16")
    group_list = opt_tin("int64")
    per_token_scale = opt_tin("float32")
    y = dyn_tout(_MANY + ", int32")
    split_item = int_(0)
    dtype = int_(0)
    transpose_weight = bool_(False)
    transpose_x = bool_(False)
    group_type = int_(-1)
    group_list_type = int_(0)
    act_type = int_(0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        kind, single = n.attr("group_type"), n.attr("split_item") in (2, 3)
        for name, allowed in (("group_type", (-1, 0, 2)), ("split_item", (0, 1, 2, 3)),
                              ("group_list_type", (0, 1))):  # fmt: skip
            if n.attr(name) not in allowed:
                n.fail(f"{name} is not supported", found=n.attr(name), expected=allowed)
        xs, ws = n.shapes("x"), n.shapes("weight")
        if not xs or not ws:
            n.fail("x and weight are not connected", found=len(xs), expected="1 or more",
                   code=COUNT)  # fmt: skip
        elems = {elem_of(t) for t in (*n.types("x"), *n.types("weight"))}
        if len(elems) > 1:
            n.fail("x and weight differ in dtype", found=sorted(map(ge_name, elems)),
                   expected="one dtype", code=DTYPE)  # fmt: skip
        elem = elem_of(n.types("x")[0])
        elem = _I32 if is_integer(elem) else elem
        if n.has("bias") and {is_integer(elem_of(t)) for t in n.types("bias")} != {
            is_integer(elem)
        }:
            n.fail("bias is of another kind than the products", found=ge_name(n.elem("bias")),
                   expected=ge_name(elem), code=DTYPE)  # fmt: skip
        if kind == -1:
            shapes = _pairs(n, xs, ws, single)
        else:
            shapes = _groups(n, xs, ws, kind, single)
        return [tensor_type(s, elem) for s in shapes]


def _one_product(n: InferNode, x: Shape, w: Shape) -> tuple[int, int]:
    """Rows and columns of one product of matrices."""
    require_rank(w, 2, "weight")
    if x is not None and len(x) < 2:
        n.fail("x is no matrix", found=show(x), expected="rank ≥ 2", code=RANK)
    rows, k = _matrix(x, n.attr("transpose_x"))
    k2, columns = _matrix(w, n.attr("transpose_weight"))
    merge_dim(k, k2, "inner dims of x and weight")
    return rows, columns


def _check_bias(n: InferNode, count: int, columns: Sequence[int]) -> None:
    if not n.has("bias"):
        return
    shapes = [shape_of(t) for t in n.types("bias")]
    if len(shapes) == 1 and count != 1:
        require_rank(shapes[0], 2, "bias")
        if shapes[0] is not None:
            merge_dim(shapes[0][0], count, "biases and groups")
            for width in columns:
                merge_dim(shapes[0][1], width, "columns of bias")
        return
    if len(shapes) != count:
        n.fail("there is not one bias per group", found=len(shapes), expected=count, code=COUNT)
    for shape, width in zip(shapes, columns, strict=True):
        require_rank(shape, (1, 2) if count == 1 else 1, "bias")
        broadcast_to(shape, (1, width) if shape is not None and len(shape) == 2 else (width,))


def _pairs(n: InferNode, xs: Sequence[Shape], ws: Sequence[Shape], single: bool) -> list[Shape]:
    if len(xs) != len(ws):
        n.fail("there is not one weight per x", found=len(ws), expected=len(xs), code=COUNT)
    if n.has("group_list"):
        n.fail("group_list needs group_type 0 or 2", found="connected", expected="not connected")
    sizes = [_one_product(n, x, w) for x, w in zip(xs, ws, strict=True)]
    _check_bias(n, len(sizes), [c for _, c in sizes])
    if not single:
        return [None if x is None else (*x[:-2], *s) for x, s in zip(xs, sizes, strict=True)]
    for x in xs:
        require_rank(x, 2, "x")
    rows, columns = 0, UNKNOWN
    for r, c in sizes:
        rows = UNKNOWN if min(rows, r) < 0 else rows + r
        columns = merge_dim(columns, c, "columns of the products")
    return [(rows, columns)]


def _groups(
    n: InferNode, xs: Sequence[Shape], ws: Sequence[Shape], kind: int, single: bool
) -> list[Shape]:
    if len(xs) != 1 or not n.has("group_list"):
        n.fail("groups of one x need group_list", found=f"{len(xs)} of x", expected="1 and a list",
               code=COUNT)  # fmt: skip
    require_rank(xs[0], 2, "x")
    require_rank(n.shape("group_list"), 1, "group_list")
    count = n.vector_length("group_list")
    rows, k = _matrix(xs[0], n.attr("transpose_x"))
    if kind == 2:
        if len(ws) != 1 or not single or n.has("bias"):
            n.fail("groups of the inner dim give one result, without bias", found=len(ws),
                   expected="one weight, split_item 2 or 3", code=COUNT)  # fmt: skip
        require_rank(ws[0], 2, "weight")
        k2, columns = _matrix(ws[0], n.attr("transpose_weight"))
        merge_dim(k, k2, "inner dims of x and weight")
        return [(UNKNOWN if count is None else count, rows, columns)]
    widths: list[int] = []
    stacked = len(ws) == 1 and (ws[0] is None or len(ws[0]) == 3)
    if stacked and ws[0] is not None and count is not None:
        merge_dim(ws[0][0], count, "weights and groups")
    elif not stacked and count is not None and count != len(ws):
        n.fail("there is not one weight per group", found=len(ws), expected=count, code=COUNT)
    number = count if count is not None else len(ws) if not stacked else 0
    for w in ws:
        if not stacked:
            require_rank(w, 2, "weight")
        k2, columns = _matrix(w, n.attr("transpose_weight"))
        merge_dim(k, k2, "inner dims of x and weight")
        widths.append(columns)
    if stacked:
        widths *= number
    if number:
        _check_bias(n, number, widths)
    if single:
        columns = UNKNOWN if not widths else widths[0]
        for c in widths:
            columns = merge_dim(columns, c, "columns of the products")
        if stacked and not widths:
            columns = _matrix(ws[0], n.attr("transpose_weight"))[1]
        return [(rows, columns)]
    if count is None and stacked:
        n.fail("the number of results is not known", expected="group_list of a known length")
    sizes = n.ints("group_list")
    if sizes is None:
        return [(UNKNOWN, c) for c in widths]
    if n.attr("group_list_type") == 0:
        sizes = tuple(b - a for a, b in zip((0, *sizes), sizes, strict=False))
    if any(s < 0 for s in sizes) or 0 <= rows < sum(sizes):
        n.fail("group_list does not cut x", found=list(sizes), expected=f"sizes up to {rows}")
    return list(zip(sizes, widths, strict=True))
