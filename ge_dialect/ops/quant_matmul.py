"""Matrix products of quantised numbers, scaled back to floats or quantised anew.

A scale of 64 bits holds a float32 in its low half. hifloat8 has no numpy dtype: it is carried.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import BY_ENUM, ge_enum, ge_name, to_xdsl
from ge_dialect.infer.broadcast import broadcast_shapes
from ge_dialect.infer.dims import Shape, merge_dim, require_rank, show
from ge_dialect.infer.errors import DTYPE, RANK, SHAPE
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import bool_, int_, opt_tin, tin, tout
from ge_dialect.ir.types import tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_F16, _INT8 = to_xdsl("float16"), to_xdsl("int8")
_NARROW = "int4, int8, float4_e2m1, float8_e4m3fn, float8_e5m2, hifloat8"


def _dims(
    n: InferNode, names: tuple[str, str], flags: tuple[str, str]
) -> tuple[Shape, int, int, int]:
    """Shape of the product of two (stacks of) matrices, and its rows, columns and inner size."""
    shapes = [n.shape(name) for name in names]
    for name, shape in zip(names, shapes, strict=True):
        if shape is not None and len(shape) < 2:
            n.fail(f"{name} is no matrix", found=show(shape), expected="rank 2 or more", code=RANK)
    a, b = shapes
    m = k1 = k2 = cols = -1
    if a is not None:
        m, k1 = (a[-1], a[-2]) if n.attr(flags[0]) else (a[-2], a[-1])
    if b is not None:
        k2, cols = (b[-1], b[-2]) if n.attr(flags[1]) else (b[-2], b[-1])
    inner = merge_dim(k1, k2, f"inner dims of {names[0]} and {names[1]}")
    if a is None or b is None:
        return None, m, cols, inner
    batch = broadcast_shapes(a[:-2], b[:-2])
    assert batch is not None
    return (*batch, m, cols), m, cols, inner


def _vector(n: InferNode, name: str, size: int, what: str) -> None:
    """An input that holds one number, or one per row or column."""
    given = n.shape(name)
    require_rank(given, (0, 1), name)
    if given not in (None, (), (1,)):
        merge_dim(size, given[0], f"{what} and {name}")


@ge_op
class QuantBatchMatmul(GeOp):
    """(x1·x2 + bias)·deq_scale as float16, each matrix transposed first where asked."""

    name = "ge.QuantBatchMatmul"

    x1 = tin("int8")
    x2 = tin("int8")
    bias = tin("int32")
    deq_scale = tin("uint64")
    y = tout("float16")
    adj_x1 = bool_(False)
    adj_x2 = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, _, cols, _ = _dims(n, ("x1", "x2"), ("adj_x1", "adj_x2"))
        for name in ("bias", "deq_scale"):
            _vector(n, name, cols, "columns")
        return (tensor_type(shape, _F16),)


@ge_op
class QuantBatchMatmulV3(GeOp):
    """x1·x2 with its scales, as the dtype with GE's number `dtype`.

    An integer bias is added to the sums, which are then multiplied by scale (per column) and
    pertoken_scale (per row); a float bias is added to that. int8 results take `offset` and are
    rounded to nearest even and saturate; int32 results are the sums with their bias, unscaled
    (assumed). Scales per block of `group_size` are not evaluated.
    """

    name = "ge.QuantBatchMatmulV3"

    x1 = tin(_NARROW)
    x2 = tin(_NARROW)
    scale = tin("bfloat16, float32, int64, uint64, float8_e8m0")
    offset = opt_tin("float32")
    bias = opt_tin("FLOAT, int32")
    pertoken_scale = opt_tin("float32, float8_e8m0")
    y = tout("FLOAT, int8, int32")
    dtype = int_()
    transpose_x1 = bool_(False)
    transpose_x2 = bool_(False)
    group_size = int_(0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        row = BY_ENUM.get(n.attr("dtype"))
        known = ("float32", "float16", "bfloat16", "int8", "int32")
        if row is None or row.name not in known:
            n.fail("dtype is not supported", found=n.attr("dtype"), expected=", ".join(known))
        kinds = [ge_name(n.elem(name)).startswith("int") for name in ("x1", "x2")]
        if kinds[0] != kinds[1]:
            found = f"{ge_name(n.elem('x1'))} and {ge_name(n.elem('x2'))}"
            n.fail("integers meet floats", found=found, expected="both integers", code=DTYPE)
        if row.name in ("int8", "int32") and not kinds[0]:
            n.fail("floats have float results", found=row.name, expected="float32", code=DTYPE)
        if row.name == "int32" and n.has("bias") and ge_name(n.elem("bias")) != "int32":
            found = ge_name(n.elem("bias"))
            n.fail("the bias of integer sums is int32", found=found, expected="int32", code=DTYPE)
        flags = ("transpose_x1", "transpose_x2")
        shape, rows, cols, _ = _dims(n, ("x1", "x2"), flags)
        if not n.attr("group_size"):
            for name in ("scale", "offset", "bias"):
                _vector(n, name, cols, "columns")
            _vector(n, "pertoken_scale", rows, "rows")
        return (tensor_type(shape, row.type),)


def _check_groups(n: InferNode, name: str, inner: int, cols: int) -> None:
    """A parameter of the weight: for all, per column, or per column and group of rows."""
    given = n.shape(name)
    require_rank(given, (0, 1, 2), name)
    if given is None or given in ((), (1,)):
        return
    turned = n.attr("transpose_weight")
    if len(given) == 1:
        merge_dim(cols, given[0], f"columns and {name}")
        return
    groups, size = (given[1], given[0]) if turned else given
    merge_dim(cols, size, f"columns and {name}")
    step = n.attr("antiquant_group_size")
    if groups < 0:
        return
    count = 1 if not step else -(-inner // step) if inner >= 0 else -1
    if count >= 0 and groups != count:
        n.fail(f"{name} has the wrong groups", found=groups, expected=count, code=SHAPE)


@ge_op
class WeightQuantBatchMatmulV2(GeOp):
    """x times (weight + antiquant_offset)·antiquant_scale, plus bias, of matrices.

    The parameters of the weight serve all, a column, or `antiquant_group_size` rows of a column.
    With quant_scale the result is quantised to int8: round(y·quant_scale + quant_offset). int32
    weights, eight int4 in one, and packed or power-of-two antiquant_scale are not evaluated.
    """

    name = "ge.WeightQuantBatchMatmulV2"
    TYPES: ClassVar = {"T": "float16, bfloat16"}

    x = tin("T")
    weight = tin("int4, int8, int32, float4_e2m1, float8_e4m3fn, hifloat8")
    antiquant_scale = tin("float16, bfloat16, int64, uint64, float8_e8m0")
    antiquant_offset = opt_tin("float16, bfloat16, int32")
    quant_scale = opt_tin("float32, uint64")
    quant_offset = opt_tin("float32")
    bias = opt_tin("FLOAT")
    y = tout("float16, bfloat16, int8")
    transpose_x = bool_(False)
    transpose_weight = bool_(False)
    antiquant_group_size = int_(0)
    dtype = int_(-1)
    inner_precise = int_(0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        for name in ("x", "weight"):
            require_rank(n.shape(name), 2, name)
        if n.attr("antiquant_group_size") < 0:
            found = n.attr("antiquant_group_size")
            n.fail("antiquant_group_size is negative", found=found, expected="≥ 0")
        flags = ("transpose_x", "transpose_weight")
        shape, _, cols, inner = _dims(n, ("x", "weight"), flags)
        for name in ("antiquant_scale", "antiquant_offset"):
            _check_groups(n, name, inner, cols)
        for name in ("quant_scale", "quant_offset", "bias"):
            _vector(n, name, cols, "columns")
        elem = _INT8 if n.has("quant_scale") else n.elem("x")
        if n.has("quant_offset") and not n.has("quant_scale"):
            n.fail("quant_offset needs quant_scale", found="none", expected="quant_scale")
        if n.attr("dtype") not in (-1, ge_enum(elem)):
            n.fail("dtype does not fit", found=n.attr("dtype"), expected=f"-1 or {ge_enum(elem)}")
        return (tensor_type(shape if shape is not None else (-1, -1), elem),)
