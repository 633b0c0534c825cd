"""Shapes as values, and further forms of operators that change a shape only.

Sources: the prototypes; TensorFlow's ShapeN, BroadcastArgs, BroadcastGradientArgs and ConcatOffset;
torch.flatten for FlattenV2; Caffe's Permute.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import BY_ENUM, to_xdsl
from ge_dialect.infer.axes import squeeze_shape, transpose_shape, unsqueeze_shape
from ge_dialect.infer.dims import UNKNOWN, norm_axis, product, refine, require_rank
from ge_dialect.infer.errors import AXIS, COUNT, SHAPE
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import dyn_tin, dyn_tout, int_, ints, list_ints, tin, tout
from ge_dialect.ir.types import shape_of, tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_INDEX = "IndexNumberType"
_I32, _I64 = to_xdsl("int32"), to_xdsl("int64")


def _index_elem(n: InferNode) -> Attribute:
    """The dtype numbered by the attribute `dtype`: int32 or int64."""
    row = BY_ENUM.get(n.attr("dtype"))
    if row is None or row.type not in (_I32, _I64):
        n.fail("dtype is no index type", found=n.attr("dtype"), expected="3 (int32) or 9 (int64)")
    return row.type


def _sizes(n: InferNode, name: str) -> tuple[int, ...] | None:
    """Known entries of a shape, none of them negative."""
    sizes = n.ints(name)
    if sizes is not None and any(d < 0 for d in sizes):
        n.fail(f"{name} has a negative entry", found=list(sizes), expected="≥ 0")
    return sizes


@ge_op
class ShapeN(GeOp):
    """The shape of each of its inputs, as vectors of the dtype numbered `dtype`."""

    name = "ge.ShapeN"

    x = dyn_tin("ANY")
    y = dyn_tout(_INDEX)
    dtype = int_(3)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        elem = _index_elem(n)
        ranks = [UNKNOWN if s is None else len(s) for s in n.shapes("x")]
        return [tensor_type((rank,), elem) for rank in ranks]


@ge_op
class GatherShapes(GeOp):
    """Dims of several inputs in one vector: entry [i, a] of `axes` takes dim a of input i."""

    name = "ge.GatherShapes"

    x = dyn_tin("ANY")
    shape = tout(_INDEX)
    axes = list_ints()
    dtype = int_(3)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shapes = n.shapes("x")
        for entry in n.attr("axes"):
            if len(entry) != 2:
                n.fail("axes holds pairs", found=list(entry), expected="[input, axis]")
            index, axis = entry
            if not 0 <= index < len(shapes):
                n.fail("axes names no input", found=index, expected=f"0 … {len(shapes) - 1}")
            shape = shapes[index]
            if axis < 0 or (shape is not None and axis >= len(shape)):
                most = "…" if shape is None else len(shape) - 1
                n.fail("axes names no axis", found=axis, expected=f"0 … {most}", code=AXIS)
        return (tensor_type((len(n.attr("axes")),), _index_elem(n)),)


@ge_op
class BroadcastArgs(GeOp):
    """The shape that two shapes broadcast to."""

    name = "ge.BroadcastArgs"
    TYPES: ClassVar = {"T": _INDEX}

    x1 = tin("T")
    x2 = tin("T")
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        for name in ("x1", "x2"):
            require_rank(n.shape(name), 1, name)
        lengths = n.vector_length("x1"), n.vector_length("x2")
        a, b = _sizes(n, "x1"), _sizes(n, "x2")
        if a is not None and b is not None:
            for x, y in zip(reversed(a), reversed(b), strict=False):
                if x != y and 1 not in (x, y):
                    n.fail("the shapes do not broadcast", found=f"{x} and {y}",
                           expected="equal or 1", code=SHAPE)  # fmt: skip
        known = [length for length in lengths if length is not None]
        size = max(known) if len(known) == 2 else UNKNOWN
        return (tensor_type((size,), n.elem("x1")),)


@ge_op
class BroadcastGradientArgs(GeOp):
    """Axes over which gradients of a broadcast are summed, for each of two shapes.

    An axis that both have with size 1 stands in both; equal shapes give none. The lengths follow
    from the values.
    """

    name = "ge.BroadcastGradientArgs"
    TYPES: ClassVar = {"T": _INDEX}

    x1 = tin("T")
    x2 = tin("T")
    y1 = tout("T")
    y2 = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        for name in ("x1", "x2"):
            require_rank(n.shape(name), 1, name)
        a, b = _sizes(n, "x1"), _sizes(n, "x2")
        elem = n.elem("x1")
        if a is None or b is None:
            return (tensor_type((UNKNOWN,), elem),) * 2
        rank = max(len(a), len(b))
        pairs = list(zip((*(1,) * (rank - len(a)), *a), (*(1,) * (rank - len(b)), *b), strict=True))
        for x, y in pairs:
            if x != y and 1 not in (x, y):
                n.fail("the shapes do not broadcast", found=f"{x} and {y}", expected="equal or 1",
                       code=SHAPE)  # fmt: skip
        counts = [0, 0] if a == b else [sum(p[i] == 1 for p in pairs) for i in range(2)]
        return [tensor_type((c,), elem) for c in counts]


@ge_op
class ConcatOffset(GeOp):
    """Where each of N parts begins in their concatenation along axis `concat_dim`.

    The inputs are shapes of the parts; each result is 0 but for the entry of that axis.
    """

    name = "ge.ConcatOffset"
    TYPES: ClassVar = {"T": "int32"}

    concat_dim = tin("int32")
    x = dyn_tin("T")
    y = dyn_tout("T")
    N = int_()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        types = n.types("x")
        if n.attr("N") != len(types):
            n.fail("N is not the number of inputs", found=n.attr("N"), expected=len(types),
                   code=COUNT)  # fmt: skip
        shape: tuple[int, ...] | None = (UNKNOWN,)
        for t in types:
            require_rank(shape_of(t), 1, "x")
            shape = refine(shape, shape_of(t), "lengths of the shapes")
        axis = n.scalar("concat_dim")
        assert shape is not None
        if axis is not None and shape[0] >= 0:
            norm_axis(axis, shape[0], "concat_dim")
        return [tensor_type(shape, _I32) for _ in types]


@ge_op
class FlattenV2(GeOp):
    """x with the axes from `axis` to `end_axis` as one; a scalar becomes a vector."""

    name = "ge.FlattenV2"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    y = tout("T")
    axis = int_(1)
    end_axis = int_(-1)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape = n.shape("x")
        if shape is None:
            return (tensor_type(None, n.elem("x")),)
        rank = max(len(shape), 1)
        first, last = norm_axis(n.attr("axis"), rank), norm_axis(n.attr("end_axis"), rank)
        if first > last:
            n.fail("axis stands behind end_axis", found=f"{first} and {last}",
                   expected="axis ≤ end_axis")  # fmt: skip
        out = (*shape[:first], product(shape[first : last + 1]), *shape[last + 1 :])
        return (tensor_type(out, n.elem("x")),)


@ge_op
class Permute(GeOp):
    """x with its axes in another order: axis i of y is axis order[i] of x."""

    name = "ge.Permute"
    TYPES: ClassVar = {"T": "ANY"}  # beyond float16 and float32 assumed

    x = tin("T")
    y = tout("T")
    order = ints([0])

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        order = n.attr("order")
        return (tensor_type(transpose_shape(n.shape("x"), order), n.elem("x")),)


@ge_op
class SqueezeV2(GeOp):
    """x without the axes in `axis`, which have size 1; without all of size 1 if none is given."""

    name = "ge.SqueezeV2"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    y = tout("T")
    axis = ints([])

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return (tensor_type(squeeze_shape(n.shape("x"), n.attr("axis")), n.elem("x")),)


@ge_op
class UnsqueezeV2(GeOp):
    """x with new axes of size 1 at the places `axis` of the result."""

    name = "ge.UnsqueezeV2"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    y = tout("T")
    axis = ints([])

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return (tensor_type(unsqueeze_shape(n.shape("x"), n.attr("axis")), n.elem("x")),)


@ge_op
class TransShape(GeOp):
    """x in the shape `outShape`; passes on layouts put it in."""

    name = "ge.TransShape"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    y = tout("T")
    outShape = ints([])

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, out = n.shape("x"), n.attr("outShape")
        if any(d < 0 for d in out):
            n.fail("outShape has a negative entry", found=list(out), expected="≥ 0")
        if shape is not None and -1 not in shape and product(shape) != product(out):
            n.fail("the numbers of elements differ", found=product(shape), expected=product(out),
                   code=SHAPE)  # fmt: skip
        return (tensor_type(tuple(out), n.elem("x")),)


@ge_op
class ReFormat(GeOp):
    """x under another format's name; no element moves."""

    name = "ge.ReFormat"
    TYPES: ClassVar = {"T": "ANY"}

    src = tin("T")
    dst = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return (n.logical("src"),)
