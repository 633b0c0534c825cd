"""Layout rules of the AI Core: which layouts an operator reads and writes.

`plan_layouts` answers both questions asked of a rule: "what would this node want, if its data
flowed in layout L?" (layout assignment) and "are these layouts allowed?" (engine placement).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr

from ge_dialect.ir.types import elem_of, layout, layout_of, shape_of, tensor_under
from ge_dialect.layouts import c0_of, is_heavy
from ge_dialect.layouts.formats import EXPAND_AXES

if TYPE_CHECKING:
    from xdsl.ir import Attribute, SSAValue

    from ge_dialect.ir.attributes import LayoutAttr
    from ge_dialect.ir.base import GeOp
    from ge_dialect.target.oplib import OpEntry

HEAVY = "NC1HWC0"
SEED_RULES = frozenset({"conv", "pool"})
"""Rules whose operators choose their layout by themselves; the others follow their data."""


@dataclass(frozen=True, slots=True)
class LayoutPlan:
    """Layout per data operand and per data result; None: no particular layout."""

    operands: tuple[LayoutAttr | None, ...]
    results: tuple[LayoutAttr | None, ...]


def plan_layouts(op: GeOp, entry: OpEntry, flow: LayoutAttr | None) -> LayoutPlan | str:
    """Layouts for a node whose data flows in layout `flow`, or why that is impossible.

    Nodes whose rule is in `SEED_RULES` take their own layout whatever `flow` is.
    """
    operands, results = op.ge_data_operands, op.ge_data_results
    if entry.rule == "conv":
        return _conv(op)
    if entry.rule == "pool":
        return _pool(op)
    if flow is None or not is_heavy(flow.format):
        return LayoutPlan((None,) * len(operands), (None,) * len(results))
    if flow.format != HEAVY:
        return f"no rule for {flow.format}"
    rule = _FOLLOWERS.get(entry.rule)
    if rule is None:
        return f"takes no {flow.format}"
    return rule(op, flow, operands, results)


def channel_axis(flow: LayoutAttr) -> int:
    """Position of C in the logical shape of an NC1HWC0 tensor."""
    return 3 if flow.origin == "NHWC" else 1


def trailing_axes(flow: LayoutAttr, rank: int) -> str | None:
    """Axes that a tensor of that rank stands for in the layout, if broadcasting agrees with it.

    GE lifts a tensor of rank 3 to CHW; broadcasting puts missing axes in front, which is the same.
    """
    origin = flow.origin or "NCHW"
    letters = origin if rank == 4 else EXPAND_AXES.get(origin, {}).get(rank)
    return letters if letters and "C" in letters and origin.endswith(letters) else None


def _dims(value: SSAValue) -> tuple[int, ...] | None:
    tensor = tensor_under(value.type)
    return None if tensor is None else shape_of(tensor)


def _elem(value: SSAValue) -> Attribute:
    tensor = tensor_under(value.type)
    assert tensor is not None
    return elem_of(tensor)


# ------------------------------------------------------------------------------------- seeds


def _data_layout(op: GeOp, value: SSAValue) -> LayoutAttr | str:
    dims = _dims(value)
    if dims is None or len(dims) != 4:
        return "needs a tensor of rank 4"
    attrs = type(op).ge_table().attrs
    order = op.ge_attr("data_format") if "data_format" in attrs else "NCHW"
    if order not in ("NCHW", "NHWC"):
        return f"has no kernel for data_format {order}"
    return layout(HEAVY, origin=None if order == "NCHW" else order)


def _conv(op: GeOp) -> LayoutPlan | str:
    data = _data_layout(op, op.ge_data_operands[0])
    if isinstance(data, str):
        return data
    groups = _groups(op, data)
    if isinstance(groups, str):
        return groups
    origin = None if data.origin is None else "HWCN"
    weight = layout("FRACTAL_Z", origin=origin, groups=groups)
    rest = (None,) * (len(op.ge_data_operands) - 2)
    return LayoutPlan((data, weight, *rest), (data,) * len(op.ge_data_results))


def _groups(op: GeOp, data: LayoutAttr) -> int | str:
    if op.ge_type != "DepthwiseConv2D":
        return int(op.ge_attr("groups"))
    dims, filter_ = _dims(op.ge_data_operands[0]), _dims(op.ge_data_operands[1])
    assert dims is not None
    channels = dims[channel_axis(data)]
    if filter_ is None or len(filter_) != 4 or filter_[1 if data.origin is None else 2] != 1:
        return "needs a filter with one input channel per group"
    return channels if channels > 0 else "needs a known number of channels"


def _pool(op: GeOp) -> LayoutPlan | str:
    operands, results = op.ge_data_operands, op.ge_data_results
    data = _data_layout(op, operands[0])
    if isinstance(data, str):
        return data
    return LayoutPlan((data, *(None,) * (len(operands) - 1)), (data,) * len(results))


# --------------------------------------------------------------------------------- followers


def _same_c0(flow: LayoutAttr, values: Sequence[SSAValue]) -> bool:
    elems = {_elem(v) for v in values}
    return len(elems) <= 1 or len({c0_of(elem, flow) for elem in elems}) == 1


def _shared(
    op: GeOp, flow: LayoutAttr, operands: Sequence[SSAValue], results: Sequence[SSAValue]
) -> LayoutPlan | str:
    """Elementwise, with GE's conditions on broadcasting in NC1HWC0."""
    out = _dims(results[0]) if results else None
    if out is None or len(out) != 4:
        return "needs rank 4"
    if any(_dims(r) != out for r in results):
        return "has results of different shapes"
    axis = channel_axis(flow)
    channels = out[axis]
    layouts: list[LayoutAttr | None] = []
    moving = [*results]
    for value in operands:
        dims = _dims(value)
        if dims is None:
            return "needs known ranks"
        if all(d == 1 for d in dims) and dims != out:
            if channels < 0 or channels % c0_of(_elem(value), flow):
                return "a scalar operand needs whole blocks of C0"
            layouts.append(None)
            continue
        letters = trailing_axes(flow, len(dims))
        if letters is None:
            return "an operand's axes are not the last ones of the result"
        if dims[letters.index("C")] != channels:
            return "broadcasts C"
        layouts.append(flow)
        moving.append(value)
    if not _same_c0(flow, moving):
        return "changes C0 with the dtype"
    return LayoutPlan(tuple(layouts), (flow,) * len(results))


def _channel(
    op: GeOp, flow: LayoutAttr, operands: Sequence[SSAValue], results: Sequence[SSAValue]
) -> LayoutPlan | str:
    dims = _dims(operands[0])
    if dims is None or len(dims) != 4 or _dims(results[0]) != dims:
        return "needs rank 4"
    if flow.origin is not None:
        return "has no kernel for NHWC"
    rest = (None,) * (len(operands) - 1)
    tail = (None,) * (len(results) - 1)
    return LayoutPlan((flow, *rest), (flow, *tail))


def _concat(
    op: GeOp, flow: LayoutAttr, operands: Sequence[SSAValue], results: Sequence[SSAValue]
) -> LayoutPlan | str:
    axis = axes_of(op, "concat_dim")
    if axis is None or len(axis) != 1:
        return "needs a constant axis"
    parts = op.ge_inputs("x")
    shapes = [_dims(v) for v in parts]
    if any(s is None or len(s) != 4 for s in shapes):
        return "needs rank 4"
    if axis[0] % 4 == channel_axis(flow):
        for value, dims in zip(parts, shapes, strict=True):
            assert dims is not None
            channels = dims[channel_axis(flow)]
            if channels < 0 or channels % c0_of(_elem(value), flow):
                return "joins parts that are no whole blocks of C0"
    mine = set(parts)
    return LayoutPlan(tuple(flow if v in mine else None for v in operands), (flow,) * len(results))


def _reduce(
    op: GeOp, flow: LayoutAttr, operands: Sequence[SSAValue], results: Sequence[SSAValue]
) -> LayoutPlan | str:
    dims = _dims(operands[0])
    if dims is None or len(dims) != 4:
        return "needs rank 4"
    if not op.ge_attr("keep_dims"):
        return "drops dimensions"
    axes = axes_of(op, "axes")
    if axes is None:
        return "needs constant axes"
    if not axes or channel_axis(flow) in {a % 4 for a in axes}:
        return "reduces C"
    return LayoutPlan((flow, *(None,) * (len(operands) - 1)), (flow,) * len(results))


_FOLLOWERS: dict[str, Any] = {
    "shared": _shared,
    "channel": _channel,
    "concat": _concat,
    "reduce": _reduce,
}


def axes_of(op: GeOp, name: str) -> tuple[int, ...] | None:
    """Value of an attribute or of a constant input of that name; None if it is not known."""
    table = type(op).ge_table()
    if name in table.attrs:
        value = op.ge_attr(name)
        if value is None:
            return None
        return (value,) if isinstance(value, int) else tuple(value)
    if all(s.name != name for s in table.inputs):
        return None
    source = op.ge_input(name)
    return None if source is None else const_ints(source)


def const_ints(value: SSAValue) -> tuple[int, ...] | None:
    """The integers of an inline constant, None for anything else."""
    owner = value.owner
    if getattr(owner, "name", "") not in ("ge.Const", "ge.Constant"):
        return None
    data = owner.properties.get("value")  # type: ignore[union-attr]
    if not isinstance(data, DenseIntOrFPElementsAttr):
        return None
    return tuple(int(v) for v in data.get_values())


def heavy_flow(op: GeOp) -> LayoutAttr | None:
    """The hardware layout of the first data operand that has one."""
    for value in op.ge_data_operands:
        found = layout_of(value.type)
        if found is not None and is_heavy(found.format):
            return found
    return None
