"""Cancellation of pairs of conversions that undo each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, cast

from ge_dialect.ir.types import elem_of, shape_of
from passes.base import Contract, Pass, PassResult
from passes.casts import keeps_values, loses_by_ge_table
from passes.effects import is_pinned
from passes.rewriting import Pattern, PatternRewriter, apply_patterns, defining_op
from passes.values import KnownValues

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from ge_dialect.ir.base import GeOp
    from passes.context import PassContext

_SQUEEZE = frozenset({"Squeeze", "SqueezeV2", "SqueezeV3"})
_UNSQUEEZE = frozenset({"Unsqueeze", "UnsqueezeV2", "UnsqueezeV3", "ExpandDims"})
_TRANSPOSE = frozenset({"Transpose", "TransposeD", "Permute"})
_RESHAPE = frozenset({"Reshape", "Flatten", "FlattenV2"})
_FAMILIES = (_SQUEEZE | _UNSQUEEZE | _RESHAPE, _TRANSPOSE, frozenset({"Cast"}), {"TransData"})


@dataclass(frozen=True)
class CancelPair(Pattern):
    """Users of the second conversion read what the first one read."""

    lossy_casts: bool = False
    name: ClassVar[str] = "cancel-pair"
    root: ClassVar[tuple[str, ...]] = tuple(sorted(t for family in _FAMILIES for t in family))

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        first = cast("GeOp | None", defining_op(op.operands[0]))
        reads = first is not None and first.name.startswith("ge.")
        if not rw.candidate(reads, "it reads a graph input"):
            return
        assert first is not None
        kinds = {first.name[3:], op.ge_type}
        family = next((f for f in _FAMILIES if op.ge_type in f), None)
        assert family is not None
        if not rw.fits(kinds <= family, "it cannot undo what it reads"):
            rw.unmatched(f"it reads {first.name[3:]}, which it cannot undo", first)
            return
        rw.involves(first)
        source = first.operands[0]
        if not rw.when(
            source.type == op.results[0].type, "the second does not restore the type of the first"
        ):
            return
        if not rw.when(
            not (is_pinned(op) or is_pinned(first)), "a node is marked no_need_constant_folding"
        ):
            return
        if family is _TRANSPOSE:
            if not _undo_each_other(first, op, rw):
                return
        elif "Cast" in kinds:
            before, between = elem_of(source.type), elem_of(first.results[0].type)
            loses = (
                loses_by_ge_table(before, between)
                if self.lossy_casts
                else not keeps_values(before, between)
            )
            if not rw.when(not loses, "the first cast loses values"):
                return
        elif family is _FAMILIES[0]:
            shape = shape_of(source.type)
            fixed = shape is not None and sum(d < 0 for d in shape) <= 1
            if not rw.when(fixed, "more than one dimension is unknown"):
                return
        rw.replace_by_value(op, [source])
        if all(r.first_use is None for r in first.ge_data_results):
            rw.erase(first)


def _undo_each_other(first: Any, second: Any, rw: PatternRewriter) -> bool:
    one, two = permutation(first, rw.values), permutation(second, rw.values)
    if not rw.when(one is not None and two is not None, "a permutation is not known"):
        return False
    assert one is not None
    assert two is not None
    inverse = len(one) == len(two) and all(one[axis] == i for i, axis in enumerate(two))
    return rw.when(inverse, "the permutations do not undo each other")


def permutation(op: Any, values: KnownValues | None) -> tuple[int, ...] | None:
    """Axes of a transpose, counted from the front; None where not known."""
    table = op.__class__.ge_table()
    if "perm" in table.attrs:
        axes: Any = op.ge_attr("perm")
    elif "order" in table.attrs:
        axes = op.ge_attr("order")
    else:
        known = None if values is None else values.array(op.ge_input("perm"))
        axes = None if known is None else known.reshape(-1).tolist()
    if axes is None:
        return None
    rank = len(axes)
    return tuple(int(a) + rank if a < 0 else int(a) for a in axes)


@dataclass(frozen=True)
class TransopSymmetryElimination(Pass):
    """Cancel pairs of conversions of which the second undoes the first.

    Pairs are two TransData, two transposes with inverse permutations, two casts, or two of Reshape,
    Squeeze and Unsqueeze. The first stays if something else reads it. Casts cancel only where the
    first one keeps every value (f16 → f32 → f16); with ``lossy-casts`` also where GE's table allows
    it (f32 → f16 → f32), which changes values.

    Before::

        ge.graph @g(%x: tensor<1x16x4x4xf16>) {
          %a = ge.TransData(%x) {src_format = "NCHW", dst_format = "NC1HWC0"} : tensor<1x16x4x4xf16, #ge.layout<NC1HWC0>>
          %b = ge.TransData(%a) {src_format = "NC1HWC0", dst_format = "NCHW"} : tensor<1x16x4x4xf16>
          %y = ge.Relu(%b) : tensor<1x16x4x4xf16>
          ge.NetOutput(%y)
        }

    After::

        ge.graph @g(%x: tensor<1x16x4x4xf16>) {
          %y = ge.Relu(%x) : tensor<1x16x4x4xf16>
          ge.NetOutput(%y)
        }
    """  # noqa: E501

    lossy_casts: bool = False

    name: ClassVar[str] = "transop-symmetry-elimination"
    stage: ClassVar[str] = "stage1"
    contract: ClassVar[Contract] = Contract(values="exact")

    def run(self, module: ModuleOp, ctx: PassContext) -> PassResult:
        pattern = CancelPair(self.lossy_casts)
        report = apply_patterns(module, [pattern], ctx, values=KnownValues(lambda: ctx.weights))
        return PassResult.from_counters(report)
