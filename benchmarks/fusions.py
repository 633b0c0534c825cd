"""The same ten rewrites for our driver and for xDSL's walker.

On the generated graph one op in ten matches, all of them by one of the rules.
A rule replaces a pair, feeder and follower, by one node where the feeder is used once.
"""

from __future__ import annotations

from typing import Any, ClassVar

from xdsl.pattern_rewriter import (
    GreedyRewritePatternApplier,
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
)

from ge_dialect.ir import op_class
from ge_dialect.ir.build import build
from passes.context import PassContext
from passes.rewriting import Pattern, apply_patterns, producer

#: feeder, follower, replacement
RULES = [
    ("Mul", "Add", "Maximum"), ("Mul", "Sub", "Minimum"), ("Sigmoid", "Mul", "Add"),
    ("Mul", "Relu", "Tanh"), ("Add", "Relu", "Abs"), ("Sigmoid", "Tanh", "Relu"),
    ("Tanh", "Sigmoid", "Relu"), ("Tanh", "Add", "Sub"), ("Sigmoid", "Sub", "Mul"),
    ("Tanh", "Mul", "Add"),
]  # fmt: skip


def _made(op: Any, first: Any, replacement: str) -> Any:
    """The node that stands for both, with as many inputs as it takes."""
    count = len(op_class(replacement).ge_table().inputs)
    inputs = [*first.operands[:1], *op.operands[1:]][:count]
    while len(inputs) < count:
        inputs.append(inputs[0])
    return build(replacement, inputs, result_types=[op.results[0].type])


def our_fusion(feeder: str, follower: str, replacement: str) -> Pattern:
    """A rule for our driver."""
    wanted = f"ge.{feeder}"

    class Fusion(Pattern):
        root: ClassVar = (follower,)
        name: ClassVar = f"{follower}-{feeder}"

        def match_and_rewrite(self, op: Any, rw: Any) -> None:
            first = producer(op)
            if first is None or first.name != wanted:
                return
            if not rw.when(first.results[0].has_one_use(), "the producer has other users"):
                return
            rw.replace(op, _made(op, first, replacement), merged=[first])
            rw.erase(first)

    return Fusion()


class StockFusion(RewritePattern):
    """A rule for xDSL's walker, which knows no control edges: nodes with some are left alone."""

    def __init__(self, feeder: str, follower: str, replacement: str) -> None:
        self.follower = op_class(follower)
        self.wanted = f"ge.{feeder}"
        self.replacement = replacement

    def match_and_rewrite(self, op: Any, rewriter: PatternRewriter) -> None:
        if not isinstance(op, self.follower):
            return
        first = op.operands[0].owner
        if getattr(first, "name", "") != self.wanted:
            return
        if not first.results[0].has_one_use() or len(first.results) > 1 or len(op.results) > 1:
            return
        rewriter.replace(op, _made(op, first, self.replacement))
        rewriter.erase(first)


def run_ours(module: Any) -> object:
    """All rules on our driver."""
    return apply_patterns(module, [our_fusion(*rule) for rule in RULES], PassContext())


def run_stock(module: Any) -> object:
    """All rules on xDSL's walker."""
    patterns: list[RewritePattern] = [StockFusion(*rule) for rule in RULES]
    applier = GreedyRewritePatternApplier(patterns, dce_enabled=False)
    return PatternRewriteWalker(applier).rewrite_module(module)
