"""Layout conversions that undo, repeat or lengthen each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from ge_dialect.ir.base import GeOp, set_str
from ge_dialect.ir.build import build
from ge_dialect.ir.graph import find_ops
from ge_dialect.ir.merge import can_merge
from ge_dialect.ir.names import node_name, origins, set_node_name
from ge_dialect.ir.rewriter import Rewriter
from ge_dialect.ir.types import layout_of, with_layout
from ge_dialect.target.engines import AICORE, AICPU, engine_refusal
from passes.base import Contract, Pass, PassResult
from passes.effects import is_pinned
from passes.rewriting import Pattern, apply_patterns, defining_op
from passes.values import CONST_OPS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Attribute, Operation, SSAValue

    from passes.context import PassContext
    from passes.rewriting import PatternRewriter


@dataclass(frozen=True)
class TransNodeMerge(Pass):
    """Remove TransData nodes that are not needed.

    A conversion to the layout the value has already goes; of two in a row the first is passed by,
    so inverse pairs vanish; conversions of one value to one layout become one; and the conversion
    of a constant becomes a constant with that layout, laid out once when the model is loaded. Nodes
    marked no_need_constant_folding stay: the mark forbids folding, merging and passing by alike.

    Before::

        ge.graph @g(%x: tensor<1x16x8x8xf16, #ge.layout<NC1HWC0>>) {
          %a = ge.TransData(%x) {src_format = "NC1HWC0", dst_format = "NCHW"} : tensor<1x16x8x8xf16>
          %b = ge.TransData(%a) {src_format = "NCHW", dst_format = "NC1HWC0"} : tensor<1x16x8x8xf16, #ge.layout<NC1HWC0>>
          %c = ge.Relu(%b) : tensor<1x16x8x8xf16, #ge.layout<NC1HWC0>>
          ge.NetOutput(%c)
        }

    After::

        ge.graph @g(%x: tensor<1x16x8x8xf16, #ge.layout<NC1HWC0>>) {
          %c = ge.Relu(%x) : tensor<1x16x8x8xf16, #ge.layout<NC1HWC0>>
          ge.NetOutput(%c)
        }
    """  # noqa: E501

    name: ClassVar[str] = "trans-node-merge"
    stage: ClassVar[str] = "format"
    contract: ClassVar[Contract] = Contract()

    def run(self, module: ModuleOp, ctx: PassContext) -> PassResult:
        patterns: list[Pattern] = [IdleConversion(), ConversionChain(), ConvertedConstant()]
        report = apply_patterns(module, patterns, ctx)
        if not report.seeds:
            return PassResult(False)
        counters = dict(report)
        # all patterns start at conversions: where nothing was rewritten, these are still all; in
        # another order where nodes own graphs, which remarks would show
        conversions = report.roots
        if conversions is None or report.changed or ctx.remarks_enabled:
            conversions = find_ops(module, ("ge.TransData",))
        shared = share_conversions(conversions, Rewriter(), ctx)
        if shared:
            counters["shared"] = shared
        return PassResult.from_counters(counters)


class IdleConversion(Pattern):
    """A conversion to the layout the value has: its users read the value."""

    root: ClassVar[tuple[str, ...]] = ("TransData",)

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        source = op.ge_data_operands[0]
        if rw.candidate(source.type == op.results[0].type, "it changes the layout") and rw.when(
            not is_pinned(op), "a node is marked no_need_constant_folding"
        ):
            rw.replace_by_value(op, [source])


class ConversionChain(Pattern):
    """A conversion of a conversion: the second reads what the first reads."""

    root: ClassVar[tuple[str, ...]] = ("TransData",)

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        first = defining_op(op.ge_data_operands[0])
        converts = first is not None and first.name == "ge.TransData"
        if not rw.candidate(converts, "it reads no conversion", first):
            return
        rw.involves(first)
        assert isinstance(first, GeOp)
        if not rw.when(
            not (is_pinned(op) or is_pinned(first)), "a node is marked no_need_constant_folding"
        ):
            return
        source = first.ge_data_operands[0]
        before = source.type
        after = op.results[0].type
        if before == after:
            rw.replace_by_value(op, [source])
        else:
            # the storage formats on both ends must be convertible in one step
            have, want = layout_of(before), layout_of(after)
            if not rw.when(
                have is None or want is None, "no direct conversion between two hardware layouts"
            ):
                return
            new = build(
                "TransData",
                [source],
                attrs={
                    "src_format": first.ge_attr("src_format"),
                    "dst_format": op.ge_attr("dst_format"),
                    "groups": max(first.ge_attr("groups"), op.ge_attr("groups")),
                },
                result_types=[after],
            )
            rw.replace(op, new)
            if "ge.engine" in new.attributes:
                engine = AICORE if engine_refusal(new, AICORE) is None else AICPU
                set_str(new, "ge.engine", engine)
        if first.parent is not None and all(r.first_use is None for r in first.results):
            rw.erase(first)


class ConvertedConstant(Pattern):
    """A converted constant: a constant that lies in that layout."""

    root: ClassVar[tuple[str, ...]] = ("TransData",)

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        source = op.ge_data_operands[0]
        owner = defining_op(source)
        constant = owner is not None and owner.name in CONST_OPS
        if not rw.candidate(constant, "it reads no constant", owner):
            return
        rw.involves(owner)
        assert isinstance(owner, GeOp)
        if not rw.when(
            not (is_pinned(op) or is_pinned(owner)), "a node is marked no_need_constant_folding"
        ):
            return
        type_ = with_layout(source.type, layout_of(op.results[0].type))
        new = build(owner.ge_type, [], owner.ge_attrs(), result_types=[type_])
        new.attributes.update(owner.attributes)
        set_node_name(new, node_name(op) or "const", origins(owner))
        rw.replace(op, new)
        if owner.parent is not None and all(r.first_use is None for r in owner.results):
            rw.erase(owner)


def share_conversions(
    conversions: Sequence[Operation], rewriter: Rewriter, ctx: PassContext
) -> int:
    """Conversions of one value to one layout: the first in graph order serves all."""
    seen: dict[tuple[SSAValue, Attribute, frozenset[tuple[str, Attribute]]], Operation] = {}
    merged = 0
    for op in conversions:
        assert isinstance(op, GeOp)
        if op.ge_control_operands or is_pinned(op):
            if ctx.remarks_enabled:
                reason = "it waits for other nodes"
                if is_pinned(op):
                    reason = "the node is marked no_need_constant_folding"
                ctx.remark(f"not shared: {reason}", op=op, category="missed", reason=reason)
            continue
        key = (op.ge_data_operands[0], op.results[0].type, frozenset(op.properties.items()))
        first = seen.setdefault(key, op)
        if first is op:
            continue
        fits, reason = can_merge(first, op), "the nodes are bound to different places"
        if ctx.remarks_enabled:
            ctx.remark(
                f"shared with '{node_name(first)}'" if fits else f"not shared: {reason}",
                op=op,
                category="applied" if fits else "missed",
                reason=None if fits else reason,
                involved=(node_name(first),),
            )
        if fits:
            rewriter.replace_by_value(op, [first.results[0]], merge_into=first)
            merged += 1
    return merged
