"""The engines of a device and which of them takes a node."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ge_dialect.ir.types import elem_of, is_static, layout_of, tensor_under
from ge_dialect.semantics.registry import ROUTING, has_semantics
from ge_dialect.target.layout_rules import plan_layouts
from ge_dialect.target.oplib import aicore_entry, dtype_refusal

if TYPE_CHECKING:
    from xdsl.ir import Attribute

    from ge_dialect.ir.base import GeOp

AICORE = "AIcoreEngine"
AICPU = "DNN_VM_AICPU"
RTS = "DNN_VM_RTS"
GE_LOCAL = "DNN_VM_GE_LOCAL"

ENGINES: tuple[str, ...] = (GE_LOCAL, RTS, AICORE, AICPU)
"""In the order in which they are asked: cheapest first."""

LOCAL_OPS = frozenset(
    "Bitcast Case Const Constant Data ExpandDims FileConstant Flatten FlattenV2 For Identity "
    "IdentityN If NetOutput NoOp PartitionedCall ReFormat RefData Reinterpret Reshape Squeeze "
    "SqueezeV2 SqueezeV3 StatefulPartitionedCall StatelessCase StatelessIf StatelessWhile "
    "StopGradient Unsqueeze UnsqueezeV2 UnsqueezeV3 Variable VariableV2 While".split()
)
"""Operators without a task of their own."""

RTS_OPS = frozenset({"Read", "ReadVariableOp", "MemcpyAsync", "TensorMove"})
"""Operators which the runtime does by copying."""

BODY_OPS = frozenset(
    "AscBackend Case For FusedAscBackend If PartitionedCall StatefulPartitionedCall StatelessCase "
    "StatelessIf StatelessWhile SuperKernel While".split()
)
"""Operators that run graphs of their own."""

VALUE_SIZED_OPS = frozenset(
    "BroadcastGradientArgs DynamicPartition DynamicStitch HostUnique MaskedSelect "
    "NonMaxSuppressionV3 NonMaxSuppressionV6 NonZero Unique UniqueConsecutive UniqueWithCounts "
    "UniqueWithCountsAndSorting Where".split()
)
"""Operators whose results have sizes that follow from values: they are in no static model."""


def engine_refusal(op: GeOp, engine: str, *, layouts: bool = True) -> str | None:
    """Why an engine does not take a node, or None if it does.

    layouts: whether the storage layouts of its tensors count (not before they are assigned).
    """
    kind = op.ge_type
    if engine == GE_LOCAL:
        return None if kind in LOCAL_OPS else "is not a node without a task"
    if engine == RTS:
        return None if kind in RTS_OPS else "is not a copy"
    if kind in LOCAL_OPS or kind in RTS_OPS:
        return "needs no kernel"
    if engine == AICPU:
        return _aicpu_refusal(op, layouts)
    if engine == AICORE:
        return _aicore_refusal(op, layouts)
    return "is not an engine of this device"


def claiming_engine(op: GeOp, *, layouts: bool = True, exclude: Sequence[str] = ()) -> str | None:
    """The first engine, cheapest first and without the excluded ones, that takes the node."""
    for engine in ENGINES:
        if engine not in exclude and engine_refusal(op, engine, layouts=layouts) is None:
            return engine
    return None


def refusals(op: GeOp, *, layouts: bool = True) -> dict[str, str]:
    """Reason of every engine that does not take the node."""
    found = {e: engine_refusal(op, e, layouts=layouts) for e in ENGINES}
    return {e: reason for e, reason in found.items() if reason is not None}


def _aicpu_refusal(op: GeOp, layouts: bool) -> str | None:
    if op.ge_type in ROUTING:
        return "decides which nodes run: If and While do so on a device"
    if not has_semantics(op.ge_type):
        return "has no semantics, so no AI CPU kernel"
    if not layouts or op.ge_type == "TransData":
        return None
    for value in (*op.ge_data_operands, *op.ge_data_results):
        layout = layout_of(value.type)
        if layout is not None:
            return f"AI CPU kernels take no {layout.format}"
    return None


def _aicore_refusal(op: GeOp, layouts: bool) -> str | None:
    entry = aicore_entry(op.ge_type)
    if entry is None:
        return "is not in the AI Core library"
    inputs: list[Attribute | list[Attribute] | None] = []
    for arg in op.ge_args():
        if arg is None:
            inputs.append(None)
        elif isinstance(arg, list):
            inputs.append([_elem(v.type) for v in arg])
        else:
            inputs.append(_elem(arg.type))
    outputs = [_elem(r.type) for r in op.ge_data_results]
    refusal = dtype_refusal(entry, inputs, outputs)
    if refusal is not None:
        return refusal
    if entry.rule == "transdata":
        return _transdata_refusal(op)
    operands = op.ge_data_operands
    if not layouts:
        plan = plan_layouts(op, entry, None)
        return plan if isinstance(plan, str) else None
    results = op.ge_data_results
    first = layout_of(results[0].type) if results else None
    plan = plan_layouts(op, entry, first)
    if isinstance(plan, str):
        return plan
    for value, wanted in zip((*operands, *results), (*plan.operands, *plan.results), strict=True):
        have = layout_of(value.type)
        if have is not wanted and have != wanted:
            want = "no layout" if wanted is None else wanted.ge_text()
            found = "none" if have is None else have.ge_text()
            return f"wants {want} where the layout is {found}"
    return None


def _elem(type_: Attribute) -> Attribute:
    tensor = tensor_under(type_)
    return type_ if tensor is None else elem_of(tensor)


def _transdata_refusal(op: GeOp) -> str | None:
    for value in (*op.ge_data_operands, *op.ge_data_results):
        layout = layout_of(value.type)
        if layout is not None and layout.groups > 1:
            return "grouped layouts are converted by the AI CPU"
        if not is_static(value.type):
            return "has no kernel for unknown shapes"
    return None
