"""The operator: inputs, attributes and the rule for its result."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ge_dialect.ir import GeOp, float_, ge_op, tin, tout

if TYPE_CHECKING:
    from xdsl.ir import Attribute

    from ge_dialect.infer.node import InferNode


@ge_op
class SoftCap(GeOp):
    """cap * tanh(x / cap): x for small values, never beyond ±cap."""

    name = "ge.SoftCap"
    TYPES: ClassVar = {"T": "float16, float32, bfloat16"}

    x = tin("T")
    y = tout("T")
    cap = float_(30.0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> list[Attribute]:
        """The type of x."""
        cap = n.attr("cap")
        if not 0 < cap < float("inf"):
            n.fail("cap must be positive and finite", found=cap)
        return [n.logical("x")]
