"""Joining, splitting, padding, repeating and filling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.infer.dims import show
from ge_dialect.infer.errors import COUNT, LENGTH, RANK, SHAPE
from ge_dialect.infer.joining import (
    concat_shape,
    pad_shape,
    split_shapes,
    split_sizes,
    stack_shape,
    tile_shape,
    unstack_shape,
)
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import (
    bool_,
    dyn_tin,
    dyn_tout,
    int_,
    ints,
    list_ints,
    opt_tin,
    string,
    tin,
    tout,
)
from ge_dialect.ir.types import tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_INDEX = "IndexNumberType"


def _check_count(n: InferNode, name: str = "x") -> None:
    given = len(n.types(name))
    if given == 0:
        n.fail("there are no inputs", found=0, expected="at least 1", code=COUNT)
    if n.attr("N") != given:
        n.fail("N is not the number of inputs", found=n.attr("N"), expected=given, code=COUNT)


def _concat(n: InferNode, axis: int | None) -> Sequence[Attribute]:
    _check_count(n)
    return (tensor_type(concat_shape(n.shapes("x"), axis), n.elem("x")),)


@ge_op
class Concat(GeOp):
    """The N inputs joined along the axis `concat_dim`, which comes first."""

    name = "ge.Concat"
    TYPES: ClassVar = {"T": "ANY"}

    concat_dim = tin(_INDEX)
    x = dyn_tin("T")
    y = tout("T")
    N = int_(1)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _concat(n, n.scalar("concat_dim"))


@ge_op
class ConcatV2(GeOp):
    """The N inputs joined along the axis `concat_dim`, which comes last."""

    name = "ge.ConcatV2"
    TYPES: ClassVar = {"T": "ANY"}

    x = dyn_tin("T")
    concat_dim = tin(_INDEX)
    y = tout("T")
    N = int_(1)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _concat(n, n.scalar("concat_dim"))


@ge_op
class ConcatD(GeOp):
    """The N inputs joined along the axis `concat_dim`, an attribute."""

    name = "ge.ConcatD"
    TYPES: ClassVar = {"T": "ANY"}

    x = dyn_tin("T")
    y = tout("T")
    concat_dim = int_()
    N = int_(1)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _concat(n, n.attr("concat_dim"))


@ge_op
class Pack(GeOp):
    """The N inputs, all of one shape, stacked on a new axis at place `axis` of the result."""

    name = "ge.Pack"
    TYPES: ClassVar = {"T": "ANY"}

    x = dyn_tin("T")
    y = tout("T")
    axis = int_(0)
    N = int_(1)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        _check_count(n)
        return (tensor_type(stack_shape(n.shapes("x"), n.attr("axis")), n.elem("x")),)


@ge_op
class Unpack(GeOp):
    """x cut into `num` slices along `axis`, which disappears."""

    name = "ge.Unpack"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    y = dyn_tout("T")
    num = int_()
    axis = int_(0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        num = n.attr("num")
        one = tensor_type(unstack_shape(n.shape("x"), n.attr("axis"), num), n.elem("x"))
        return (one,) * num


@ge_op
class Split(GeOp):
    """x cut into `num_split` equal parts along the axis `split_dim`, which comes first."""

    name = "ge.Split"
    TYPES: ClassVar = {"T": "ANY"}

    split_dim = tin(_INDEX)
    x = tin("T")
    y = dyn_tout("T")
    num_split = int_()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shapes = split_shapes(n.shape("x"), n.scalar("split_dim"), n.attr("num_split"))
        return [tensor_type(s, n.elem("x")) for s in shapes]


@ge_op
class SplitD(GeOp):
    """x cut into `num_split` equal parts along the axis `split_dim`, an attribute."""

    name = "ge.SplitD"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    y = dyn_tout("T")
    split_dim = int_()
    num_split = int_()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shapes = split_shapes(n.shape("x"), n.attr("split_dim"), n.attr("num_split"))
        return [tensor_type(s, n.elem("x")) for s in shapes]


@ge_op
class SplitV(GeOp):
    """x cut along the axis `split_dim` into parts of sizes `size_splits`; one may be -1."""

    name = "ge.SplitV"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    size_splits = tin(_INDEX)
    split_dim = tin(_INDEX)
    y = dyn_tout("T")
    num_split = int_()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        parts = n.attr("num_split")
        count = n.vector_length("size_splits")
        if count is not None and count != parts:
            n.fail(
                "size_splits has the wrong number of entries",
                found=count,
                expected=f"num_split = {parts}",
                code=LENGTH,
            )
        axis, sizes = n.scalar("split_dim"), n.ints("size_splits")
        shapes = split_sizes(n.shape("x"), axis, sizes, parts)
        return [tensor_type(s, n.elem("x")) for s in shapes]


def _pad_pairs(n: InferNode, contiguous: bool) -> list[tuple[int, int]] | None:
    """Pairs (before, after) from the input `paddings`, None where not known."""
    given, shape = n.shape("paddings"), n.shape("x")
    if given is not None and len(given) == 2 and contiguous:
        if given[1] not in (2, -1):
            n.fail(
                "paddings must hold pairs",
                found=show(given),
                expected="shape (rank, 2)",
                code=SHAPE,
            )
        entries = 2 * given[0] if given[0] >= 0 else None
    elif given is not None and len(given) <= 1:
        entries = n.vector_length("paddings")
    elif given is not None and len(given) != 2:
        n.fail("paddings has the wrong rank", found=show(given), expected="rank 1 or 2", code=RANK)
    else:
        entries = None if given is None or -1 in given else given[0] * given[1]
    if entries is not None and (entries % 2 or (shape is not None and entries != 2 * len(shape))):
        n.fail(
            "paddings must hold a pair per axis",
            found=f"{entries} entries for {show(shape)}",
            expected="two per axis",
            code=LENGTH,
        )
    values = n.ints("paddings")
    if values is None:
        return None
    half = len(values) // 2
    if contiguous:
        pairs = [(values[2 * i], values[2 * i + 1]) for i in range(half)]
    else:
        pairs = [(values[i], values[half + i]) for i in range(half)]
    _check_pairs(n, pairs)
    return pairs


def _check_pairs(n: InferNode, pairs: Sequence[Sequence[int]]) -> None:
    for pair in pairs:
        if any(p < 0 for p in pair):
            n.fail("paddings must not be negative", found=[list(p) for p in pairs], expected="≥ 0")


@ge_op
class Pad(GeOp):
    """x with zeros around it; `paddings` holds (before, after) per axis."""

    name = "ge.Pad"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    paddings = tin(_INDEX)
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return (tensor_type(pad_shape(n.shape("x"), _pad_pairs(n, True)), n.elem("x")),)


@ge_op
class PadD(GeOp):
    """x with zeros around it; `paddings` holds (before, after) per axis, as an attribute."""

    name = "ge.PadD"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    y = tout("T")
    paddings = list_ints()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        _check_pairs(n, n.attr("paddings"))
        return (tensor_type(pad_shape(n.shape("x"), n.attr("paddings")), n.elem("x")),)


@ge_op
class PadV3(GeOp):
    """x with padding around it: constant, or the border repeated (edge) or mirrored (reflect).

    `paddings` holds (before, after) per axis, or, where not `paddings_contiguous`, all befores and
    then all afters. `constant_values` is one element, 0 where absent. reflect does not repeat the
    border, so it needs fewer elements of padding than the axis has.
    """

    name = "ge.PadV3"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    paddings = tin(_INDEX)
    constant_values = opt_tin("T")
    y = tout("T")
    mode = string("constant")
    paddings_contiguous = bool_(True)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        mode = n.attr("mode")
        if mode not in ("constant", "edge", "reflect"):
            n.fail("unknown mode", found=mode, expected="constant, edge or reflect")
        if n.has("constant_values"):
            n_values = n.shape("constant_values")
            if n_values not in ((), (1,), (-1,), None):
                n.fail(
                    "constant_values must be one element",
                    found=show(n_values),
                    expected="a scalar or one element",
                    code=SHAPE,
                )
        pairs = _pad_pairs(n, n.attr("paddings_contiguous"))
        shape = n.shape("x")
        if mode != "constant" and pairs is not None and shape is not None:
            least = 0 if mode == "edge" else 1
            for size, pair in zip(shape, pairs, strict=True):
                if size >= 0 and max(pair) > 0 and (size == 0 or (least and max(pair) >= size)):
                    n.fail(
                        f"mode {mode} needs more elements",
                        found=f"padding {pair} of an axis of size {size}",
                        expected="less padding",
                        code=SHAPE,
                    )
        return (tensor_type(pad_shape(shape, pairs), n.elem("x")),)


@ge_op
class Tile(GeOp):
    """x repeated `multiples` times along each axis; missing axes of x on the left count as 1."""

    name = "ge.Tile"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    multiples = tin(_INDEX)
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        length, times = n.vector_length("multiples"), n.ints("multiples")
        shape = n.shape("x")
        if times is None:
            if length is None:
                out = None
            else:
                tile_shape(shape, (1,) * length)  # too few entries are an error all the same
                out = (-1,) * length
            return (tensor_type(out, n.elem("x")),)
        return (tensor_type(tile_shape(shape, times), n.elem("x")),)


@ge_op
class TileD(GeOp):
    """x repeated `multiples` times along each axis, an attribute."""

    name = "ge.TileD"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    y = tout("T")
    multiples = ints()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return (tensor_type(tile_shape(n.shape("x"), n.attr("multiples")), n.elem("x")),)


@ge_op
class Fill(GeOp):
    """A tensor of shape `dims` with one value everywhere."""

    name = "ge.Fill"
    TYPES: ClassVar = {"T": "ANY"}

    dims = tin(_INDEX)
    value = tin("T")
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        value = n.shape("value")
        if value not in ((), (1,), (-1,), None):
            n.fail(
                "value must be one element",
                found=show(value),
                expected="a scalar or one element",
                code=SHAPE,
            )
        length, dims = n.vector_length("dims"), n.ints("dims")
        if dims is None:
            return (tensor_type(None if length is None else (-1,) * length, n.elem("value")),)
        if any(d < 0 for d in dims):
            n.fail("dims has a negative entry", found=list(dims), expected="sizes ≥ 0")
        return (tensor_type(dims, n.elem("value")),)
