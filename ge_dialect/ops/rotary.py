"""Rotary position embedding: pairs of elements turned by the angles of their position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.infer.broadcast import broadcast_to
from ge_dialect.infer.dims import require_rank
from ge_dialect.infer.errors import SHAPE
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import int_, string, tin, tout
from ge_dialect.ops._bases import REAL

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode


def _turned(n: InferNode, names: Sequence[str]) -> Sequence[Attribute]:
    shape = n.shape("x")
    require_rank(shape, range(1, 64), "x")
    if shape is not None:
        if shape[-1] >= 0 and shape[-1] % 2:
            n.fail("the last dim has no pairs", found=shape[-1], expected="even", code=SHAPE)
        for name in names:
            broadcast_to(n.shape(name), shape)
    return (n.logical("x"),)


@ge_op
class RotaryMul(GeOp):
    """x·r1 + turn(x)·r2, where turn puts the negated second half before the first.

    r1 and r2 (cosines and sines) broadcast to x.
    """

    name = "ge.RotaryMul"
    TYPES: ClassVar = {"T": REAL}  # float64 is assumed

    x = tin("T")
    r1 = tin("T")
    r2 = tin("T")
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _turned(n, ("r1", "r2"))


@ge_op
class RotaryPositionEmbedding(GeOp):
    """x·cos + turn(x)·sin; `mode` 0 pairs elements of the two halves, 1 neighbours.

    cos and sin broadcast to x and repeat an angle for both elements of a pair.
    """

    name = "ge.RotaryPositionEmbedding"
    TYPES: ClassVar = {"T": REAL}  # float64 is assumed

    x = tin("T")
    cos = tin("T")
    sin = tin("T")
    y = tout("T")
    mode = int_(0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        if n.attr("mode") not in (0, 1):
            n.fail("mode is not supported", found=n.attr("mode"), expected="0 or 1")
        return _turned(n, ("cos", "sin"))


@ge_op
class ApplyRotaryPosEmb(GeOp):
    """RotaryMul of query and key by one cos and sin, in one node.

    query and key are [B, S, heads, D] (layout 1) or [B, heads, S, D] (3), cos and sin stretch to
    them. rotary_mode "half" pairs elements of the two halves, "interleave" neighbours, "quarter"
    those of the halves of each half. GE writes query and key in place; here the results are new
    values (aclnnApplyRotaryPosEmb).
    """

    name = "ge.ApplyRotaryPosEmb"
    TYPES: ClassVar = {"T": "FLOAT"}

    query = tin("T")
    key = tin("T")
    cos = tin("T")
    sin = tin("T")
    query_ = tout("T", name="query")
    key_ = tout("T", name="key")
    layout = int_(1)
    rotary_mode = string("half")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        parts = {"half": 2, "interleave": 2, "quarter": 4}.get(n.attr("rotary_mode"))
        if parts is None:
            n.fail(
                "rotary_mode is not supported",
                found=n.attr("rotary_mode"),
                expected="half, interleave or quarter",
            )
        if n.attr("layout") not in (1, 2, 3, 4):
            n.fail("layout is not supported", found=n.attr("layout"), expected="1 … 4")
        for name in ("query", "key"):
            shape = n.shape(name)
            require_rank(shape, (3, 4), name)
            if shape is None:
                continue
            if shape[-1] >= 0 and shape[-1] % parts:
                n.fail(
                    f"the last dim of {name} does not divide",
                    found=shape[-1],
                    expected=f"a multiple of {parts}",
                    code=SHAPE,
                )
            for angle in ("cos", "sin"):
                broadcast_to(n.shape(angle), shape)
        return (n.logical("query"), n.logical("key"))


@ge_op
class InterleaveRope(GeOp):
    """Pairs of neighbours of x taken apart into halves, then RotaryMul: x'·cos + turn(x')·sin.

    x' holds the even elements of x before the odd ones, and so does the result; cos and sin
    stretch to x, [B, heads, S, D] (aclnnInterleaveRope).
    """

    name = "ge.InterleaveRope"
    TYPES: ClassVar = {"T": "FLOAT"}  # float32 is assumed

    x = tin("T")
    cos = tin("T")
    sin = tin("T")
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _turned(n, ("cos", "sin"))
