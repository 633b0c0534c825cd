"""Tensors made from few numbers, triangles, paddings, and blocks moved between batch and space.

Sources: TensorFlow's SpaceToBatchND, BatchToSpaceND, Diag, LinSpace and PadV2; torch.eye; ONNX's
Trilu; the prototypes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import BY_ENUM, expand_spec, ge_name
from ge_dialect.infer.broadcast import broadcast_shapes
from ge_dialect.infer.dims import UNKNOWN, merge_dim, require_rank, show
from ge_dialect.infer.errors import DTYPE, LENGTH, RANK, SHAPE
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import bool_, int_, ints, opt_tin, tin, tout, type_
from ge_dialect.ir.types import tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_INDEX = "IndexNumberType"
_NUMBERS = "BasicType, bool"
_STARTED = (
    "float16, float32, float64, int8, int16, int32, int64, uint8, uint16, uint32, uint64, bool"
)
Shape = tuple[int, ...] | None


def _elem(n: InferNode) -> Attribute:
    """Element type with the number `dtype`."""
    row = BY_ENUM.get(n.attr("dtype"))
    if row is None or row.type not in expand_spec(_NUMBERS):
        n.fail("dtype is not supported", found=n.attr("dtype"), expected="a number of a dtype",
               code=DTYPE)  # fmt: skip
    return row.type


@ge_op
class Empty(GeOp):
    """A tensor of shape `shape` and the dtype numbered `dtype`; it holds zeros (assumed)."""

    name = "ge.Empty"

    shape = tin("int32, int64")  # int64 is assumed
    y = tout(_NUMBERS)
    dtype = int_(3)
    init = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        length, dims = n.vector_length("shape"), n.ints("shape")
        if dims is not None and any(d < 0 for d in dims):
            n.fail("shape has a negative entry", found=list(dims), expected="≥ 0")
        out: Shape = None if length is None else (UNKNOWN,) * length
        return (tensor_type(out if dims is None else tuple(dims), _elem(n)),)


class _Start(GeOp):
    """What both names share."""

    y = tout(_STARTED)
    dtype = type_("int32")
    shape = ints([])

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        elem, shape = n.attr("dtype"), n.attr("shape")
        if elem not in expand_spec(_STARTED):
            n.fail("dtype is not supported", found=ge_name(elem), expected=_STARTED, code=DTYPE)
        if any(d < 0 for d in shape):
            n.fail("shape has a negative entry", found=list(shape), expected="sizes ≥ 0")
        return (tensor_type(tuple(shape), elem),)


@ge_op
class ParallelConcatStart(_Start):
    """Room for what several nodes join into: a tensor of shape `shape`; it holds zeros (assumed).

    GE's ParallelConcatStartOpPass replaces it by a constant.
    """

    name = "ge.ParallelConcatStart"


@ge_op
class _ParallelConcatStart(_Start):  # pyright: ignore[reportUnusedClass]
    """ParallelConcatStart under TensorFlow's name, which real graphs have."""

    name = "ge._ParallelConcatStart"


@ge_op
class Eye(GeOp):
    """Ones on the main diagonal of matrices [batch_shape …, num_rows, num_columns], else zeros.

    num_columns 0 means num_rows.
    """

    name = "ge.Eye"

    y = tout(_NUMBERS)
    num_rows = int_()
    num_columns = int_(0)
    batch_shape = ints([])
    dtype = int_(0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        rows, columns, batch = n.attr("num_rows"), n.attr("num_columns"), n.attr("batch_shape")
        if rows < 1 or columns < 0 or any(d < 1 for d in batch):
            n.fail("sizes must be positive", found=[*batch, rows, columns], expected="≥ 1")
        return (tensor_type((*batch, rows, columns or rows), _elem(n)),)


@ge_op
class Diag(GeOp):
    """y[i …, i …] = x[i …], else zeros: x of rank r gives rank 2r."""

    name = "ge.Diag"
    TYPES: ClassVar = {"T": _NUMBERS}

    x = tin("T")
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape = n.shape("x")
        require_rank(shape, range(1, 5), "x")
        return (tensor_type(None if shape is None else (*shape, *shape), n.elem("x")),)


@ge_op
class LinSpace(GeOp):
    """`num` numbers from start to stop, both included, at equal distances; start alone for one."""

    name = "ge.LinSpace"
    TYPES: ClassVar = {"T": "FLOAT, float64"}  # beyond float32 and float64 assumed

    start = tin("T")
    stop = tin("T")
    num = tin(_INDEX)
    output = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        for name in ("start", "stop"):
            if n.shape(name) not in (None, (), (1,), (UNKNOWN,)):
                n.fail(f"{name} must hold one number", found=show(n.shape(name)),
                       expected="one element", code=SHAPE)  # fmt: skip
        count = n.scalar("num")
        if count is not None and count < 1:
            n.fail("num must be positive", found=count, expected="≥ 1")
        return (tensor_type((UNKNOWN if count is None else count,), n.elem("start")),)


@ge_op
class PadV2(GeOp):
    """x with `paddings` [rank, 2] elements of constant_values before and behind each axis."""

    name = "ge.PadV2"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    paddings = tin(_INDEX)
    constant_values = tin("T")
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, table = n.shape("x"), n.shape("paddings")
        require_rank(table, 2, "paddings")
        if table is not None:
            merge_dim(table[1], 2, "columns of paddings")
            if shape is not None:
                merge_dim(table[0], len(shape), "rows of paddings and axes of x")
        if n.shape("constant_values") not in (None, (), (1,), (UNKNOWN,)):
            n.fail("constant_values must hold one value", found=show(n.shape("constant_values")),
                   expected="one element", code=SHAPE)  # fmt: skip
        flat = n.ints("paddings")
        if flat is not None and any(p < 0 for p in flat):
            n.fail("paddings has a negative entry", found=list(flat), expected="≥ 0")
        if shape is None or flat is None:
            out: Shape = None if shape is None else (UNKNOWN,) * len(shape)
        else:
            out = tuple(
                UNKNOWN if d < 0 else d + sum(flat[2 * i : 2 * i + 2]) for i, d in enumerate(shape)
            )
        return (tensor_type(out, n.elem("x")),)


@ge_op
class Trilu(GeOp):
    """The upper (upper 1) or lower triangle of the last two axes; zeros elsewhere.

    The k-th diagonal, above the main one where positive, belongs to it; without k the main one.
    """

    name = "ge.Trilu"
    TYPES: ClassVar = {"T": _NUMBERS}

    x = tin("T")
    k = opt_tin("int64")
    y = tout("T")
    upper = int_(1)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        require_rank(n.shape("x"), range(2, 64), "x")
        if n.attr("upper") not in (0, 1):
            n.fail("upper is not supported", found=n.attr("upper"), expected="0 or 1")
        if n.has("k"):
            n.scalar("k")
        return (n.logical("x"),)


def _block_sizes(n: InferNode, table_name: str) -> tuple[int | None, Sequence[int] | None]:
    """Number of blocked axes, and their block sizes."""
    count, sizes = n.vector_length("block_shape"), n.ints("block_shape")
    require_rank(n.shape("block_shape"), 1, "block_shape")
    table = n.shape(table_name)
    require_rank(table, 2, table_name)
    if table is not None:
        merge_dim(table[1], 2, f"columns of {table_name}")
        if count is not None and table[0] >= 0 and table[0] != count:
            n.fail(f"{table_name} has not one row per block", found=table[0], expected=count,
                   code=LENGTH)  # fmt: skip
    if sizes is not None and any(b < 1 for b in sizes):
        n.fail("block_shape must be positive", found=list(sizes), expected="≥ 1")
    shape = n.shape("x")
    if shape is not None and count is not None and len(shape) < count + 1:
        n.fail("x has too few axes", found=show(shape), expected=f"rank ≥ {count + 1}", code=RANK)
    return count, sizes


@ge_op
class SpaceToBatchND(GeOp):
    """Axes 1 … m of x padded, cut into blocks of block_shape, whose places go to the batch.

    Result [prod(block) · N, padded sizes / block …, rest]; the place in the block is the slower
    part of the batch.
    """

    name = "ge.SpaceToBatchND"
    TYPES: ClassVar = {"T": _NUMBERS}

    x = tin("T")
    block_shape = tin(_INDEX)
    paddings = tin(_INDEX)
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        count, sizes = _block_sizes(n, "paddings")
        pads, shape = n.ints("paddings"), n.shape("x")
        if pads is not None and any(p < 0 for p in pads):
            n.fail("paddings has a negative entry", found=list(pads), expected="≥ 0")
        if shape is None or count is None:
            return (tensor_type(None if shape is None else (UNKNOWN,) * len(shape), n.elem("x")),)
        if sizes is None or pads is None:
            out = (*(UNKNOWN,) * (count + 1), *shape[count + 1 :])
            return (tensor_type(out, n.elem("x")),)
        batch, space = shape[0], []
        for i, block in enumerate(sizes):
            size = shape[i + 1]
            if size >= 0:
                size += pads[2 * i] + pads[2 * i + 1]
                if size % block:
                    n.fail("a padded axis does not divide into blocks", found=size,
                           expected=f"a multiple of {block}", code=SHAPE)  # fmt: skip
                size //= block
            space.append(size)
            batch = UNKNOWN if batch < 0 else batch * block
        return (tensor_type((batch, *space, *shape[count + 1 :]), n.elem("x")),)


@ge_op
class BatchToSpaceND(GeOp):
    """The inverse of SpaceToBatchND; `crops` are cut off instead of paddings put on."""

    name = "ge.BatchToSpaceND"
    TYPES: ClassVar = {"T": _NUMBERS}

    x = tin("T")
    block_shape = tin(_INDEX)
    crops = tin(_INDEX)
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        count, sizes = _block_sizes(n, "crops")
        crops, shape = n.ints("crops"), n.shape("x")
        if crops is not None and any(c < 0 for c in crops):
            n.fail("crops has a negative entry", found=list(crops), expected="≥ 0")
        if shape is None or count is None:
            return (tensor_type(None if shape is None else (UNKNOWN,) * len(shape), n.elem("x")),)
        if sizes is None or crops is None:
            out = (*(UNKNOWN,) * (count + 1), *shape[count + 1 :])
            return (tensor_type(out, n.elem("x")),)
        blocks = 1
        for block in sizes:
            blocks *= block
        if shape[0] >= 0 and shape[0] % blocks:
            n.fail("the batch does not divide by the blocks", found=shape[0],
                   expected=f"a multiple of {blocks}", code=SHAPE)  # fmt: skip
        space = []
        for i, block in enumerate(sizes):
            size = UNKNOWN
            if shape[i + 1] >= 0:
                size = shape[i + 1] * block - crops[2 * i] - crops[2 * i + 1]
                if size < 0:
                    n.fail("crops leave nothing", found=list(crops), expected="within the axis",
                           code=SHAPE)  # fmt: skip
            space.append(size)
        batch = UNKNOWN if shape[0] < 0 else shape[0] // blocks
        return (tensor_type((batch, *space, *shape[count + 1 :]), n.elem("x")),)


@ge_op
class Expand(GeOp):
    """x and a tensor of shape `shape` broadcast together: x stretched to the common shape."""

    name = "ge.Expand"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    shape = tin(_INDEX)
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, length, dims = n.shape("x"), n.vector_length("shape"), n.ints("shape")
        require_rank(n.shape("shape"), 1, "shape")
        if dims is not None and any(d < 0 for d in dims):
            n.fail("shape has a negative entry", found=list(dims), expected="≥ 0")
        if length is None:
            return (tensor_type(None, n.elem("x")),)
        target = (UNKNOWN,) * length if dims is None else tuple(dims)
        return (tensor_type(broadcast_shapes(shape, target), n.elem("x")),)


@ge_op
class MatrixDiagV2(GeOp):
    """Matrices with the given diagonals k[0] … k[1], `padding_value` elsewhere.

    diagonal is [… , L] for one diagonal, [… , number, L] for several, the uppermost first, each
    from its left end on. Sizes of -1 are the least that hold the diagonals; both: a square.
    """

    name = "ge.MatrixDiagV2"
    TYPES: ClassVar = {"T": _NUMBERS}

    diagonal = tin("T")
    k = tin("int32")
    num_rows = tin("int32")
    num_cols = tin("int32")
    padding_value = tin("T")
    output = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, k = n.shape("diagonal"), n.ints("k")
        require_rank(n.shape("k"), (0, 1), "k")
        require_rank(shape, range(1, 64), "diagonal")
        for name in ("num_rows", "num_cols", "padding_value"):
            if n.shape(name) not in (None, (), (1,), (UNKNOWN,)):
                n.fail(
                    f"{name} must hold one number",
                    found=show(n.shape(name)),
                    expected="one element",
                    code=SHAPE,
                )
        rows, columns = n.scalar("num_rows"), n.scalar("num_cols")
        if k is not None and (len(k) not in (1, 2) or k[0] > k[-1]):
            n.fail("k is no range of diagonals", found=list(k), expected="k[0] ≤ k[1]")
        if shape is None or k is None:
            return (tensor_type(None, n.elem("diagonal")),)
        lead = shape[:-1]
        if k[0] != k[-1]:
            require_rank(shape, range(2, 64), "diagonal")
            merge_dim(shape[-2], k[-1] - k[0] + 1, "diagonals given and named by k")
            lead = shape[:-2]
        if shape[-1] < 0 or rows is None or columns is None:
            return (tensor_type((*lead, UNKNOWN, UNKNOWN), n.elem("diagonal")),)
        sizes = matrix_sizes(shape[-1], k[0], k[-1], rows, columns)
        if sizes is None:
            n.fail(
                "the diagonals do not fit the matrix",
                found=[rows, columns],
                expected="room",
                code=SHAPE,
            )
        return (tensor_type((*lead, *sizes), n.elem("diagonal")),)


def matrix_sizes(
    length: int, low: int, high: int, rows: int, columns: int
) -> tuple[int, int] | None:
    """Rows and columns of a matrix that holds diagonals low … high, None where they do not fit."""
    least = length - min(high, 0), length + max(low, 0)
    if rows == columns == -1:
        rows = columns = max(least)
    rows, columns = (least[0] if rows == -1 else rows), (least[1] if columns == -1 else columns)
    longest = max(
        (min(rows + min(d, 0), columns - max(d, 0)) for d in range(low, high + 1)), default=0
    )
    fits = rows >= 0 and columns >= 0 and longest == length
    return (rows, columns) if fits else None
