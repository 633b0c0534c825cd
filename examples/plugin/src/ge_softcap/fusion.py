"""A fusion in the pattern language, and a pattern that needs no pass around it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from ge_dialect.ir.types import num_elements
from passes.base import Contract, Pass, PassResult
from passes.pattern_dsl import const, node, rule, value, when
from passes.rewriting import Pattern, apply_patterns
from passes.values import constant_array

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from passes.context import PassContext
    from passes.rewriting import PatternRewriter


def _number(held: Any) -> float | None:
    """The value of a constant of one element, None for any other."""
    if num_elements(held.type) != 1:
        return None
    array = constant_array(held.owner, None)
    return None if array is None else float(array.reshape(-1)[0])


def _cap(m: Any) -> float:
    found = _number(m.divisor)
    return -1.0 if found is None else found


SOFT_CAP = rule(
    "soft-cap",
    node(
        "Mul",
        node(
            "Tanh",
            node("Div", "RealDiv", value("x").dtype("float32"), const("divisor"))
            .named("div")
            .absorb(),
        )
        .named("tanh")
        .absorb(),
        const("factor"),
    ).commutative(),
    lambda m: m.build("SoftCap", [m.x], {"cap": _cap(m)}, result_types=[m.root.results[0].type]),
    when(lambda m: 0 < _cap(m) < float("inf"), "the divisor is no positive number"),
    when(lambda m: _number(m.factor) == _number(m.divisor), "the factor is not the divisor"),
    when(lambda m: m.root.results[0].type == m.x.type, "a constant widens the shape"),
)


@dataclass(frozen=True)
class SoftCapFusion(Pass):
    """cap * tanh(x / cap) becomes SoftCap.

    Only for float32: a narrower type is rounded after each of the three nodes.

    Before::

        ge.graph @g(%x: tensor<2x3xf32>) {
          %c = ge.Const() {value = dense<30.0> : tensor<f32>} : tensor<f32>
          %d = ge.RealDiv(%x, %c) : tensor<2x3xf32>
          %t = ge.Tanh(%d) : tensor<2x3xf32>
          %y = ge.Mul(%t, %c) : tensor<2x3xf32>
          ge.NetOutput(%y)
        }

    After::

        ge.graph @g(%x: tensor<2x3xf32>) {
          %y = ge.SoftCap(%x) : tensor<2x3xf32> loc("y"(fused["y", "t", "d"]))
          ge.NetOutput(%y)
        }
    """

    name: ClassVar[str] = "soft-cap-fusion"
    stage: ClassVar[str] = "fuse"
    contract: ClassVar[Contract] = Contract(values="exact")

    def run(self, module: ModuleOp, ctx: PassContext) -> PassResult:
        """Apply the rule."""
        return PassResult.from_counters(apply_patterns(module, [SOFT_CAP], ctx))


class DropSecondAbs(Pattern):
    """abs(abs(x)) is abs(x)."""

    root: ClassVar[tuple[str, ...]] = ("Abs",)
    stage: ClassVar[str] = "stage1"
    contract: ClassVar[Contract] = Contract(values="exact")

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        """Read what the first one reads."""
        first = op.ge_input("x").owner
        if rw.when(getattr(first, "name", None) == "ge.Abs", "the input is not an Abs"):
            rw.replace_by_value(op, [first.results[0]])

    @classmethod
    def examples(cls) -> list[str]:
        """Graphs the kit starts from."""
        return [
            "ge.graph @g(%x: tensor<4xf32>) {\n"
            "  %a = ge.Abs(%x) : tensor<4xf32>\n"
            "  %b = ge.Abs(%a) : tensor<4xf32>\n"
            "  ge.NetOutput(%b)\n"
            "}\n"
        ]
