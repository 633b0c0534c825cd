"""Removal of casts that convert nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from ge_dialect.ir.types import elem_of
from passes.base import Contract, Pass, PassResult
from passes.casts import is_whole, keeps_values, within
from passes.effects import is_pinned
from passes.rewriting import Pattern, PatternRewriter, apply_patterns, producer

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from passes.context import PassContext


class DropCast(Pattern):
    """A cast to the same type goes; a cast after a widening cast reads the first one's input."""

    name: ClassVar[str] = "drop-cast"
    root: ClassVar[tuple[str, ...]] = ("Cast",)

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        source, result = op.operands[0], op.results[0]
        if source.type == result.type:
            if rw.when(not is_pinned(op), "the node is marked no_need_constant_folding"):
                rw.replace_by_value(op, [source])
            return
        first = producer(op)
        casts = first is not None and first.name == "ge.Cast"
        if not rw.candidate(casts, "it changes the type and reads no cast", first):
            return
        assert first is not None
        rw.involves(first)
        pinned = is_pinned(op) or is_pinned(first)
        if not rw.when(not pinned, "the node is marked no_need_constant_folding"):
            return
        origin = first.operands[0]
        before, between = elem_of(origin.type), elem_of(source.type)
        if not rw.when(keeps_values(before, between), "the first cast loses values"):
            return
        after = elem_of(result.type)
        wraps = is_whole(before) and is_whole(after) and not within(before, after)
        if not rw.when(
            is_whole(between) or not wraps, "through floats numbers saturate that would wrap"
        ):
            return
        rw.set_operand(op, 0, origin)
        if first.results[0].first_use is None:
            rw.erase(first)


@dataclass(frozen=True)
class CastRemove(Pass):
    """Remove casts to the type a tensor has, and the first of two casts where it keeps all values.

    Before::

        ge.graph @g(%x: tensor<4xf16>) {
          %a = ge.Cast(%x) {dst_type = 0} : tensor<4xf32>
          %b = ge.Cast(%a) {dst_type = 11} : tensor<4xf64>
          %c = ge.Cast(%b) {dst_type = 11} : tensor<4xf64>
          ge.NetOutput(%c)
        }

    After::

        ge.graph @g(%x: tensor<4xf16>) {
          %b = ge.Cast(%x) {dst_type = 11} : tensor<4xf64>
          ge.NetOutput(%b)
        }
    """

    name: ClassVar[str] = "cast-remove"
    stage: ClassVar[str] = "stage1"
    contract: ClassVar[Contract] = Contract(values="exact")

    def run(self, module: ModuleOp, ctx: PassContext) -> PassResult:
        return PassResult.from_counters(apply_patterns(module, [DropCast()], ctx))
