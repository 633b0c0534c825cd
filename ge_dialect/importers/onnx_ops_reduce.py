"""ONNX rules: reductions."""

from __future__ import annotations

from xdsl.ir import SSAValue

from ge_dialect.dtypes import ge_name
from ge_dialect.importers.onnx_graph import Refused
from ge_dialect.importers.onnx_node import Node
from ge_dialect.importers.onnx_ops_math import scalar_like
from ge_dialect.importers.onnx_rules import Outputs, add_rule, rule

#: Reductions take their axes as an attribute until this revision, as an input from it on.
_AXES_INPUT = {"ReduceSum": 13}
_BOOL = {"ReduceMax": "ReduceAny", "ReduceMin": "ReduceAll"}


def _axes(n: Node) -> SSAValue | None:
    """The axes as an operand; None where the reduction is the identity.

    Always explicit, because GE reads empty axes as "nothing" and ONNX as "all".
    """
    if n.since < _AXES_INPUT.get(n.op_type, 18):
        given = n.int_list("axes")
    elif n.has(1):
        given = [] if n.shape(1) == (0,) else n.ints(1)
        if given is None:
            if n.shape(1) in ((-1,), None):
                raise Refused("the number of axes must be known")
            return n.x(1)
    else:
        given = None
    if not given:
        if n.int("noop_with_empty_axes", 0):
            return None
        given = list(range(n.rank(0)))
    elif (shape := n.shape(0)) is not None:
        given = [n.axis(a, len(shape)) for a in given]
    return n.constant(given, "axes")


def _reduce(n: Node, ge_type: str, x: SSAValue, role: str | None, axes: SSAValue) -> SSAValue:
    return n.emit(ge_type, [x, axes], {"keep_dims": bool(n.int("keepdims", 1))}, role=role)


def _plain(ge_type: str):
    def run(n: Node) -> Outputs:
        axes, x = _axes(n), n.x(0)
        if axes is None:
            return n.emit("Identity", [x])
        kind = _BOOL.get(ge_type, ge_type) if ge_name(n.elem()) == "bool" else ge_type
        return _reduce(n, kind, x, None, axes)

    run.__doc__ = f"{ge_type} with the axes always given; of booleans any or all."
    if ge_type not in _BOOL:
        run.__doc__ = f"{ge_type} with the axes always given."
    return run


for _name, _since in {
    "ReduceMax": "1 11 12 13 18 20",
    "ReduceMean": "1 11 13 18",
    "ReduceMin": "1 11 12 13 18 20",
    "ReduceProd": "1 11 13 18",
    "ReduceSum": "1 11 13",
}.items():
    add_rule(_name, _since, _plain(_name))


@rule("ReduceL1", "1 11 13 18")
def reduce_l1(n: Node) -> Outputs:
    """ReduceSum of Abs."""
    axes = _axes(n)
    if axes is None:
        return n.emit("Abs", [n.x()])
    return _reduce(n, "ReduceSum", n.emit("Abs", [n.x()], role="Abs"), None, axes)


def _sum_of_squares(n: Node, role: str | None) -> SSAValue:
    axes = _axes(n)
    x = n.x()
    if axes is None:
        return n.emit("Mul", [x, x], role=role)
    return _reduce(n, "ReduceSum", n.emit("Mul", [x, x], role="Square"), role, axes)


@rule("ReduceSumSquare", "1 11 13 18")
def reduce_sum_square(n: Node) -> Outputs:
    """ReduceSum of squares."""
    return _sum_of_squares(n, None)


@rule("ReduceL2", "1 11 13 18")
def reduce_l2(n: Node) -> Outputs:
    """Sqrt of ReduceSum of squares."""
    return n.emit("Sqrt", [_sum_of_squares(n, "Sum")])


@rule("ReduceLogSum", "1 11 13 18 28")
def reduce_log_sum(n: Node) -> Outputs:
    """Log of ReduceSum."""
    axes, x = _axes(n), n.x()
    return n.emit("Log", [x if axes is None else _reduce(n, "ReduceSum", x, "Sum", axes)])


@rule("ReduceLogSumExp", "1 11 13 18 28")
def reduce_log_sum_exp(n: Node) -> Outputs:
    """The maximum, where finite, is taken out first, so that large inputs do not overflow."""
    axes, x = _axes(n), n.x()
    if axes is None:
        return n.emit("Identity", [x])
    keep = {"keep_dims": True}
    top = n.emit("ReduceMax", [x, axes], keep, role="Max")
    finite = n.emit("IsFinite", [top], role="IsFinite")
    top = n.emit("SelectV2", [finite, top, scalar_like(n, 0, x, "zero")], role="Shift")
    shifted = n.emit("Exp", [n.emit("Sub", [x, top], role="Sub")], role="Exp")
    log = n.emit("Log", [n.emit("ReduceSum", [shifted, axes], keep, role="Sum")], role="Log")
    if n.int("keepdims", 1):
        return n.emit("Add", [log, top])
    total = n.emit("Add", [log, top], role="Add")
    from ge_dialect.importers.onnx_known import known_value

    given = known_value(axes, n.graph.known)
    if given is None:
        return n.emit("SqueezeV3", [total, axes])
    return n.emit("Squeeze", [total], {"axis": sorted(int(a) for a in given.reshape(-1))})
