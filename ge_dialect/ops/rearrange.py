"""Elements moved by a fixed rule: blocks, rotations, mirrored borders, splits by a list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.infer.dims import UNKNOWN, norm_axis, require_rank, show
from ge_dialect.infer.errors import LENGTH, RANK, SHAPE
from ge_dialect.infer.joining import pad_shape, split_sizes
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import dyn_tout, int_, ints, string, tin, tout
from ge_dialect.ir.types import tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_INDEX = "IndexNumberType"


def _axes(n: InferNode) -> tuple[int, int, int]:
    """Places of C, H, W by `data_format`; checks the block size and the rank."""
    layout, block = n.attr("data_format"), n.attr("block_size")
    if layout not in ("NHWC", "NCHW"):
        n.fail("data_format is not supported", found=layout, expected="NHWC or NCHW")
    if block < 1:
        n.fail("block_size must be positive", found=block, expected="≥ 1")
    require_rank(n.shape("x"), 4, "x")
    return layout.index("C"), layout.index("H"), layout.index("W")


def _scaled(n: InferNode, grow: Sequence[int], shrink: Sequence[int]) -> Sequence[Attribute]:
    """x with some dims times the block size and others divided by it (twice if listed twice)."""
    block, shape = n.attr("block_size"), n.shape("x")
    out = [UNKNOWN] * 4 if shape is None else list(shape)
    for axis in set(shrink):
        size = block ** list(shrink).count(axis)
        if out[axis] >= 0 and out[axis] % size:
            n.fail(
                "the blocks do not divide the tensor",
                found=f"axis {axis} of {show(shape)}",
                expected=f"a multiple of {size}",
                code=SHAPE,
            )
        out[axis] = UNKNOWN if out[axis] < 0 else out[axis] // size
    for axis in grow:
        out[axis] = UNKNOWN if out[axis] < 0 else out[axis] * block
    return (tensor_type(tuple(out), n.elem("x")),)


@ge_op
class DepthToSpace(GeOp):
    """Channels of x moved into blocks of block_size x block_size pixels.

    `mode` says what the channel counts first: DCR the place in the block, CRD the channel that
    stays.
    """

    name = "ge.DepthToSpace"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    y = tout("T")
    block_size = int_()
    mode = string("DCR")
    data_format = string("NHWC")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        if n.attr("mode") not in ("DCR", "CRD"):
            n.fail("unknown mode", found=n.attr("mode"), expected="DCR or CRD")
        c, h, w = _axes(n)
        return _scaled(n, (h, w), (c, c))


@ge_op
class SpaceToDepth(GeOp):
    """Blocks of block_size x block_size pixels of x moved into channels, the place in the block
    first.
    """

    name = "ge.SpaceToDepth"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    y = tout("T")
    block_size = int_()
    data_format = string("NHWC")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        c, h, w = _axes(n)
        return _scaled(n, (c, c), (h, w))


@ge_op
class Roll(GeOp):
    """x rotated by `shifts` along `dims`; what leaves at one end comes in at the other.

    Without `dims` the elements in row-major order are rotated by the one shift.
    """

    name = "ge.Roll"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    y = tout("T")
    shifts = ints()
    dims = ints([])

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shifts, dims, shape = n.attr("shifts"), n.attr("dims"), n.shape("x")
        if len(shifts) != (len(dims) or 1):
            n.fail(
                "shifts and dims differ in length",
                found=f"{len(shifts)} and {len(dims)}",
                expected="one shift for each dim, or one without dims",
                code=LENGTH,
            )
        if shape is not None:
            for axis in dims:
                norm_axis(axis, len(shape), "dims")
        return (n.logical("x"),)


@ge_op
class MirrorPad(GeOp):
    """x with its mirror image around it; `paddings` holds (before, after) per axis.

    REFLECT does not repeat the border, SYMMETRIC does.
    """

    name = "ge.MirrorPad"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    paddings = tin(_INDEX)
    y = tout("T")
    mode = string()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        mode, shape, given = n.attr("mode"), n.shape("x"), n.shape("paddings")
        if mode not in ("REFLECT", "SYMMETRIC"):
            n.fail("unknown mode", found=mode, expected="REFLECT or SYMMETRIC")
        if given is not None and (len(given) != 2 or given[1] not in (2, UNKNOWN)):
            n.fail("paddings must hold pairs", found=show(given), expected="rank x 2", code=RANK)
        if given is not None and shape is not None and given[0] not in (len(shape), UNKNOWN):
            n.fail(
                "paddings must hold a pair per axis",
                found=show(given),
                expected=f"{len(shape)} pairs",
                code=LENGTH,
            )
        flat = n.ints("paddings")
        pairs = None if flat is None else list(zip(flat[::2], flat[1::2], strict=True))
        if pairs is not None and min(flat or (), default=0) < 0:
            n.fail("paddings must not be negative", found=pairs, expected="≥ 0")
        if pairs is not None and shape is not None:
            for size, pair in zip(shape, pairs, strict=True):
                limit = size - 1 if mode == "REFLECT" else size
                if size >= 0 and max(pair) > max(limit, 0):
                    n.fail(
                        "the mirror image is larger than the axis",
                        found=f"padding {pair} of an axis of size {size}",
                        expected=f"at most {max(limit, 0)}",
                        code=SHAPE,
                    )
        return (tensor_type(pad_shape(shape, pairs), n.elem("x")),)


@ge_op
class TensorMove(GeOp):
    """A copy of x in memory of its own. The prototype is not in the public data (assumed)."""

    name = "ge.TensorMove"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return (n.logical("x"),)


@ge_op
class SplitVD(GeOp):
    """x cut along the axis `split_dim` into parts of sizes `size_splits`, all attributes."""

    name = "ge.SplitVD"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    y = dyn_tout("T")
    size_splits = ints()
    split_dim = int_()
    num_split = int_()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        sizes, parts = n.attr("size_splits"), n.attr("num_split")
        if len(sizes) != parts:
            n.fail(
                "size_splits has the wrong number of entries",
                found=len(sizes),
                expected=f"num_split = {parts}",
                code=LENGTH,
            )
        shapes = split_sizes(n.shape("x"), n.attr("split_dim"), sizes, parts)
        return [tensor_type(s, n.elem("x")) for s in shapes]
