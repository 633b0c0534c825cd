"""Matrix products."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import ge_name, is_integer, to_xdsl
from ge_dialect.infer.broadcast import broadcast_shapes, broadcast_to
from ge_dialect.infer.dims import merge_dim, require_rank, show
from ge_dialect.infer.errors import DTYPE, RANK
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import bool_, int_, opt_tin, tin, tout
from ge_dialect.ir.types import tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_INT8, _INT4, _INT32 = to_xdsl("int8"), to_xdsl("int4"), to_xdsl("int32")
_PLAIN = "FLOAT, float64, int32"  # float64 is assumed: AICPU only
_QUANT = "FLOAT, float64, int32, int8, int4, hifloat8"


def _product(
    n: InferNode, transpose_1: str, transpose_2: str, *, batched: bool, bias: bool
) -> Sequence[Attribute]:
    a, b = n.shape("x1"), n.shape("x2")
    for what, shape in (("x1", a), ("x2", b)):
        if batched and shape is not None and len(shape) < 2:
            n.fail(f"{what} is no matrix", found=show(shape), expected="rank 2 or more", code=RANK)
        if not batched:
            require_rank(shape, 2, what)
    elem = n.elem("x1")
    if n.elem("x2") != elem:
        n.fail(
            "x1 and x2 differ in dtype",
            found=f"{elem} and {n.elem('x2')}",
            expected="one dtype",
            code=DTYPE,
        )
    out_elem = _INT32 if elem in (_INT8, _INT4) else elem
    m = k1 = k2 = cols = -1
    if a is not None:
        m, k1 = (a[-1], a[-2]) if n.attr(transpose_1) else (a[-2], a[-1])
    if b is not None:
        k2, cols = (b[-1], b[-2]) if n.attr(transpose_2) else (b[-2], b[-1])
    merge_dim(k1, k2, "inner dims of x1 and x2")
    out: tuple[int, ...] | None
    if not batched:
        out = (m, cols)
    elif a is None or b is None:
        out = None
    else:
        batch = broadcast_shapes(a[:-2], b[:-2])
        assert batch is not None
        out = (*batch, m, cols)
    if bias and n.has("bias"):
        given = n.shape("bias")
        if not batched:
            require_rank(given, (1, 2), "bias")
        if out is not None:
            broadcast_to(given, out)
        if is_integer(out_elem) and not is_integer(n.elem("bias")):
            n.fail(
                "the bias of integer sums must be integer",
                found=ge_name(n.elem("bias")),
                expected=ge_name(out_elem),
                code=DTYPE,
            )
    return (tensor_type(out, out_elem),)


@ge_op
class MatMul(GeOp):
    """x1 · x2 (+ bias) of matrices, each transposed first where asked."""

    name = "ge.MatMul"
    TYPES: ClassVar = {"T": _PLAIN}

    x1 = tin("T")
    x2 = tin("T")
    bias = opt_tin(_PLAIN)
    y = tout("T")
    transpose_x1 = bool_(False)
    transpose_x2 = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _product(n, "transpose_x1", "transpose_x2", batched=False, bias=True)


@ge_op
class MatMulV2(GeOp):
    """x1 · x2 (+ bias) of matrices, each transposed first where asked; int8 gives int32."""

    name = "ge.MatMulV2"
    TYPES: ClassVar = {"T": _QUANT}

    x1 = tin("T")
    x2 = tin("T")
    bias = opt_tin(_PLAIN)
    offset_w = opt_tin("int8, int4")
    y = tout("FLOAT, float64, int32, hifloat8")
    transpose_x1 = bool_(False)
    transpose_x2 = bool_(False)
    offset_x = int_(0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _product(n, "transpose_x1", "transpose_x2", batched=False, bias=True)


@ge_op
class MatMulV3(GeOp):
    """MatMulV2 of the Ascend C generation, for floats; opImplMode chooses among equal results."""

    name = "ge.MatMulV3"
    TYPES: ClassVar = {"T": "FLOAT, float64"}  # float64 is assumed

    x1 = tin("T")
    x2 = tin("T")
    bias = opt_tin("FLOAT, float64")
    offset_w = opt_tin("int4, int8")
    y = tout("T")
    transpose_x1 = bool_(False)
    transpose_x2 = bool_(False)
    offset_x = int_(0)
    opImplMode = int_(1)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _product(n, "transpose_x1", "transpose_x2", batched=False, bias=True)


@ge_op
class BatchMatMul(GeOp):
    """Matrix products over the last two axes; the axes before broadcast."""

    name = "ge.BatchMatMul"
    TYPES: ClassVar = {"T": _PLAIN + ", hifloat8"}

    x1 = tin("T")
    x2 = tin("T")
    y = tout("T")
    adj_x1 = bool_(False)
    adj_x2 = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _product(n, "adj_x1", "adj_x2", batched=True, bias=False)


@ge_op
class BatchMatMulV2(GeOp):
    """Matrix products over the last two axes (+ bias); the axes before broadcast."""

    name = "ge.BatchMatMulV2"
    TYPES: ClassVar = {"T": _QUANT}

    x1 = tin("T")
    x2 = tin("T")
    bias = opt_tin(_PLAIN)
    offset_w = opt_tin("int8, int4")
    y = tout("FLOAT, float64, int32, hifloat8")
    adj_x1 = bool_(False)
    adj_x2 = bool_(False)
    offset_x = int_(0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _product(n, "adj_x1", "adj_x2", batched=True, bias=True)
