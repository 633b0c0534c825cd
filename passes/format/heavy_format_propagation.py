"""Storage layouts: convolutions and pools choose theirs, neighbours follow, conversions between."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, cast

from ge_dialect.ir.attributes import CtrlType, LayoutAttr, RefType
from ge_dialect.ir.base import GeOp, get_str, set_str
from ge_dialect.ir.build import build
from ge_dialect.ir.graph import walk_graphs
from ge_dialect.ir.names import node_name, origins, set_node_name
from ge_dialect.ir.rewriter import Rewriter
from ge_dialect.ir.types import layout_of, shape_of, with_layout
from ge_dialect.layouts import default_origin, is_heavy
from ge_dialect.target.engines import AICORE, AICPU, engine_refusal
from ge_dialect.target.layout_rules import (
    SEED_RULES,
    LayoutPlan,
    heavy_flow,
    plan_layouts,
)
from ge_dialect.target.oplib import aicore_entry
from passes.base import Contract, Pass, PassResult

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Attribute, Block, Operation, SSAValue

    from passes.context import PassContext

_PLAIN = {"NC1HWC0": "NCHW", "FRACTAL_Z": "NCHW", "NDC1HWC0": "NCDHW", "FRACTAL_Z_3D": "NCDHW"}
"""Axis order a tensor without layout has where it meets one of these."""
_CONSTANTS = frozenset({"ge.Const", "ge.Constant"})


@dataclass(frozen=True)
class HeavyFormatPropagation(Pass):
    """Assign storage layouts and insert the conversions between them.

    Convolutions and pools on the AI Core read and write NC1HWC0 and want FRACTAL_Z filters. One
    sweep in graph order lets elementwise nodes, concatenations, normalisations and reductions
    follow the layout their data comes in, as far as the operator library allows; everything else
    stays without a layout. Where the two ends of an edge differ, a ``ge.TransData`` stands behind
    the producer, one for all its readers; so a graph whose layouts do not agree is repaired: a
    layout that nothing brings in goes, and an order of axes (NHWC) is one of inputs only. A
    constant is not converted: it is given the layout, so its bytes are laid out once when the model
    is loaded.

    Before::

        ge.graph @g(%x: tensor<1x16x8x8xf16>) {
          %d = ge.Data(%x) {index = 0, ge.engine = "DNN_VM_GE_LOCAL"} : tensor<1x16x8x8xf16>
          %w = ge.Const() {value = #ge.weight<"w">, ge.engine = "DNN_VM_GE_LOCAL"} : tensor<16x16x1x1xf16>
          %c = ge.Conv2D(%d, %w) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW", ge.engine = "AIcoreEngine"} : tensor<1x16x8x8xf16>
          %r = ge.Relu(%c) {ge.engine = "AIcoreEngine"} : tensor<1x16x8x8xf16>
          ge.NetOutput(%r) {ge.engine = "DNN_VM_GE_LOCAL"}
        }

    After::

        ge.graph @g(%x: tensor<1x16x8x8xf16>) {
          %d = ge.Data(%x) {index = 0, ge.engine = "DNN_VM_GE_LOCAL"} : tensor<1x16x8x8xf16>
          %trans_TransData_0 = ge.TransData(%d) {src_format = "NCHW", dst_format = "NC1HWC0", ge.engine = "AIcoreEngine"} : tensor<1x16x8x8xf16, #ge.layout<NC1HWC0>>
          %w = ge.Const() {value = #ge.weight<"w">, ge.engine = "DNN_VM_GE_LOCAL"} : tensor<16x16x1x1xf16, #ge.layout<FRACTAL_Z>>
          %c = ge.Conv2D(%trans_TransData_0, %w) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW", ge.engine = "AIcoreEngine"} : tensor<1x16x8x8xf16, #ge.layout<NC1HWC0>>
          %r = ge.Relu(%c) {ge.engine = "AIcoreEngine"} : tensor<1x16x8x8xf16, #ge.layout<NC1HWC0>>
          %trans_TransData_1 = ge.TransData(%r) {src_format = "NC1HWC0", dst_format = "NCHW", ge.engine = "AIcoreEngine"} : tensor<1x16x8x8xf16>
          ge.NetOutput(%trans_TransData_1) {ge.engine = "DNN_VM_GE_LOCAL"}
        }
    """  # noqa: E501

    name: ClassVar[str] = "heavy-format-propagation"
    stage: ClassVar[str] = "format"
    contract: ClassVar[Contract] = Contract(
        requires=("engines-claimed",),
        establishes=("layouts-assigned",),
        destroys=("streams-assigned", "memory-planned"),
        grows=True,
    )

    def run(self, module: ModuleOp, ctx: PassContext) -> PassResult:
        counters: Counter[str] = Counter()
        for block in walk_graphs(module):
            _Sweep(block, ctx, counters).run()
        return PassResult.from_counters(counters)


class _Sweep:
    """One forward sweep over one block."""

    def __init__(self, block: Block, ctx: PassContext, counters: Counter[str]) -> None:
        self.block = block
        self.ctx = ctx
        self.counters = counters
        self.rewriter = Rewriter()
        self.converted: dict[tuple[SSAValue, LayoutAttr | None], SSAValue] = {}
        self.number = 0

    def run(self) -> None:
        for op in list(self.block.ops):
            if not isinstance(op, GeOp) or op.name in _CONSTANTS:
                continue
            if op.name == "ge.TransData":
                self.keep_source(op)
                continue
            plan = self.plan(op)
            if plan is not None:
                self.apply(op, plan)

    def keep_source(self, op: GeOp) -> None:
        """Let a TransData of the graph read what it says, where its maker lies otherwise now."""
        (value,) = op.ge_data_operands
        lies = layout_of(value.type)
        if lies is not None and lies.format != op.ge_attr("src_format"):
            self.rewriter.set_operand(op, 0, self.convert(value, None, op))

    def plan(self, op: GeOp) -> LayoutPlan | None:
        """Layouts of a node; None if it wants no layout and none comes in or was declared."""
        if op.name == "ge.Data":  # an input lies as the caller lays it
            lies = layout_of(op.ge_data_operands[0].type)
            return LayoutPlan((lies,), (lies,)) if lies is not None else None
        entry = aicore_entry(op.ge_type) if get_str(op, "ge.engine") == AICORE else None
        flow = heavy_flow(op)
        if entry is not None and (flow is not None or entry.rule in SEED_RULES):
            plan = plan_layouts(op, entry, flow)
            if isinstance(plan, LayoutPlan):
                return plan
            if self.ctx.remarks_enabled:
                self.ctx.remark(
                    f"layout not kept: {plan}",
                    op=op,
                    category="missed",
                    reason=plan,
                    involved=_makers(op),
                )
        if flow is None and not _has_layouts(op):
            return None
        return LayoutPlan((None,) * len(op.ge_data_operands), (None,) * len(op.ge_data_results))

    def apply(self, op: GeOp, plan: LayoutPlan) -> None:
        """Convert operands where needed, give results their layouts."""
        for i, (value, wanted) in enumerate(zip(op.ge_data_operands, plan.operands, strict=False)):
            if isinstance(value.type, CtrlType | RefType):
                continue
            if layout_of(value.type) != wanted:
                self.rewriter.set_operand(op, i, self.convert(value, wanted, op))
        for result, wanted in zip(op.ge_data_results, plan.results, strict=True):
            if isinstance(result.type, RefType) or layout_of(result.type) == wanted:
                continue
            self.relay(result, with_layout(result.type, wanted))
            if self.ctx.remarks_enabled:
                self._explain(op, wanted, result.index)
        for index, region in enumerate(op.regions):
            types = type(op).ge_body_types([v.type for v in op.ge_data_operands], index)
            for arg, type_ in zip(region.block.args, types, strict=True):
                if arg.type != type_:
                    self.relay(arg, type_)

    def relay(self, value: SSAValue, type_: Attribute) -> None:
        """Give a value the type with another layout; conversions of it say what comes in."""
        had, wanted = layout_of(value.type), layout_of(type_)
        self.rewriter.set_result_type(value, type_)
        self.counters["layouts"] += 1
        for use in list(value.uses):
            if had is not None and use.operation.name == "ge.TransData":
                plain = _plain_format(had, value)
                format_ = plain if wanted is None else wanted.format
                self.rewriter.set_attr(cast("GeOp", use.operation), "src_format", format_)

    def _explain(self, op: GeOp, wanted: LayoutAttr | None, index: int) -> None:
        """Remark: which layout a result got, and whether the node chose it or follows its data."""
        entry = aicore_entry(op.ge_type)
        own = entry is not None and entry.rule in SEED_RULES
        how = "its own choice" if own else "as its data comes in"
        label = "no layout" if wanted is None else wanted.ge_text()
        self.ctx.remark(
            f"result {index} lies in {label}, {how}",
            op=op,
            involved=None if own else _makers(op),
        )

    def convert(self, value: SSAValue, wanted: LayoutAttr | None, user: GeOp) -> SSAValue:
        """`value` in another layout: made once per value and layout."""
        key = (value, wanted)
        found = self.converted.get(key)
        if found is not None:
            return found
        owner = value.owner
        if getattr(owner, "name", None) in _CONSTANTS:
            result = self.constant(cast("Operation", owner), value, wanted, user)
        else:
            result = self.transdata(value, wanted, user)
        self.converted[key] = result
        self.converted[(result, layout_of(value.type))] = value
        return result

    def constant(
        self, owner: Operation, value: SSAValue, wanted: LayoutAttr | None, user: GeOp
    ) -> SSAValue:
        """The constant with the layout: itself if only `user` reads it, else a copy."""
        type_ = with_layout(value.type, wanted)
        self.counters["constants"] += 1
        if self.ctx.remarks_enabled:
            format_ = wanted.ge_text() if wanted is not None else "ND"
            self.ctx.remark(
                f"constant laid out as {format_}", op=owner, involved=(node_name(user),)
            )
        if all(use.operation is user for use in value.uses) and value.has_one_use():
            self.rewriter.set_result_type(value, type_)
            return value
        assert isinstance(owner, GeOp)
        label = wanted.format if wanted is not None else "ND"
        copy = owner.clone()
        copy.attributes = dict(owner.attributes)
        set_node_name(copy, f"{node_name(owner) or 'const'}_{label}", origins(owner))
        self.rewriter.insert_after(owner, copy)
        self.rewriter.set_result_type(copy.results[0], type_)
        return copy.results[0]

    def transdata(self, value: SSAValue, wanted: LayoutAttr | None, user: GeOp) -> SSAValue:
        """A TransData behind the producer of `value`."""
        have = layout_of(value.type)
        heavy = wanted if wanted is not None else have
        assert heavy is not None
        plain = _plain_format(heavy, value)
        name = f"trans_TransData_{self.number}"
        self.number += 1
        op = build(
            "TransData",
            [value],
            attrs={
                "src_format": have.format if have is not None else plain,
                "dst_format": wanted.format if wanted is not None else plain,
                "groups": max(have.groups if have else 1, wanted.groups if wanted else 1),
            },
            result_types=[with_layout(value.type, wanted)],
            name=name,
        )
        owner = value.owner
        if isinstance(owner, GeOp):
            self.rewriter.insert_after(owner, op)
        else:
            self.rewriter.insert_at_start(self.block, op)
        engine = AICORE if engine_refusal(op, AICORE) is None else AICPU
        set_str(op, "ge.engine", engine)
        self.counters["transdata"] += 1
        if self.ctx.remarks_enabled:
            self.ctx.remark(
                f"converted from {op.ge_attr('src_format')} to {op.ge_attr('dst_format')} "
                f"for {user.ge_type} on {engine}",
                op=op,
                involved=(getattr(owner, "ge_node_name", None), node_name(user)),
            )
        return op.results[0]


def _has_layouts(op: GeOp) -> bool:
    """Whether layouts come in that no kernel takes (axes in another order), or results are
    declared to lie in one that nothing brings in. What reads a ref lies as the ref does."""
    values = (*op.ge_data_operands, *op.ge_data_results)
    if any(isinstance(v.type, RefType) for v in values):
        return False
    return any(layout_of(v.type) is not None for v in values)


def _plain_format(layout: LayoutAttr, value: SSAValue) -> str:
    """Axis order of a value without layout where it meets this one."""
    if layout.origin is not None:
        return layout.origin
    shape = shape_of(value.type)
    found = default_origin(len(shape)) if shape is not None else "ND"
    return _PLAIN.get(layout.format, "ND" if is_heavy(layout.format) else found)


def _makers(op: GeOp) -> tuple[str | None, ...]:
    """Names of the nodes whose values come in with a hardware layout."""
    found = [v.owner for v in op.ge_data_operands if layout_of(v.type) is not None]
    return tuple(node_name(o) for o in found if isinstance(o, GeOp))
