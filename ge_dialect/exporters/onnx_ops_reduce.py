"""ONNX exports: reductions, extremes' positions, running sums."""

from __future__ import annotations

from typing import Any

from ge_dialect.dtypes import to_xdsl
from ge_dialect.exporters.onnx_node import Out
from ge_dialect.exporters.onnx_rules import Results, add_export, export
from ge_dialect.exporters.onnx_values import NoCounterpart, Val

#: Reductions that ONNX has.
REDUCTIONS: dict[str, str] = {
    "ReduceSum": "ReduceSum",
    "ReduceProd": "ReduceProd",
    "ReduceMean": "ReduceMean",
    "ReduceMax": "ReduceMax",
    "ReduceMin": "ReduceMin",
    "ReduceAll": "ReduceMin",
    "ReduceAny": "ReduceMax",
}


def _axes(n: Out, tensor_form: bool) -> list[int] | None:
    """Axes to reduce, None where they are computed; GE's empty list means none or all."""
    found = n.ints(1) if tensor_form else list(n.attrs["axes"])
    if found is None:
        return None
    if not found and not n.attrs.get("noop_with_empty_axes", tensor_form):
        return list(range(n.rank()))
    return [n.axis(a) for a in found] if n.shape() is not None else found


def _reduction(ge_type: str, onnx_type: str, tensor_form: bool) -> None:
    logical = ge_type in ("ReduceAll", "ReduceAny")

    def run(n: Out) -> Results:
        axes, keep = _axes(n, tensor_form), int(n.attrs["keep_dims"])
        x = n.x()
        if logical and n.dtype() != "bool":
            x = n.emit("Cast", [x], elem=to_xdsl("bool"), to=9)
        if axes is None:
            more: dict[str, Any] = {
                "noop_with_empty_axes": int(n.attrs.get("noop_with_empty_axes", tensor_form))
            }
            return n.emit(onnx_type, [x, n.int64(1)], keepdims=keep, **more)
        if not axes:
            return n.emit("Identity", [x])
        if onnx_type == "ReduceMean" and not n.is_float():
            count = 1
            for a in axes:
                count *= n.known()[a]
            total = n.reduce("ReduceSum", n.cast(x, "int64"), axes, bool(keep))
            return n.emit("Div", [total, n.constant(count, "count")])
        return n.reduce(onnx_type, x, axes, bool(keep))

    run.__doc__ = f"{onnx_type} with its axes given."
    add_export(ge_type if tensor_form else f"{ge_type}D", run)


for _ge_type, _onnx_type in REDUCTIONS.items():
    _reduction(_ge_type, _onnx_type, True)
    _reduction(_ge_type, _onnx_type, False)


@export("ReduceLogSumExp")
def reduce_log_sum_exp(n: Out) -> Results:
    """ReduceLogSumExp."""
    axes = _axes(n, True)
    if axes is None:
        return n.emit("ReduceLogSumExp", [n.x(), n.int64(1)], keepdims=int(n.attrs["keep_dims"]))
    if not axes:
        return n.emit("Identity", [n.x()])
    return n.reduce("ReduceLogSumExp", n.x(), axes, n.attrs["keep_dims"])


def _position(n: Out, onnx_type: str) -> Results:
    axis = n.axis(n.need_ints(1, "dimension")[0])
    return n.emit(onnx_type, [n.x()], axis=axis, keepdims=0)


@export("ArgMaxV2")
def arg_max(n: Out) -> Results:
    """ArgMax along a constant axis."""
    return _position(n, "ArgMax")


@export("ArgMin")
def arg_min(n: Out) -> Results:
    """ArgMin along a constant axis."""
    return _position(n, "ArgMin")


def _with_value(n: Out, position: str, value: str) -> Results:
    axis, keep = n.axis(n.attrs["dimension"]), n.attrs["keep_dims"]
    place = n.emit(position, [n.x()], axis=axis, keepdims=int(keep))
    return [place, n.reduce(value, n.x(), [axis], keep)]


@export("ArgMaxWithValue")
def arg_max_with_value(n: Out) -> Results:
    """ArgMax and ReduceMax."""
    return _with_value(n, "ArgMax", "ReduceMax")


@export("ArgMinWithValue")
def arg_min_with_value(n: Out) -> Results:
    """ArgMin and ReduceMin."""
    return _with_value(n, "ArgMin", "ReduceMin")


def _running(n: Out, onnx_type: str) -> Results:
    attrs: dict[str, Any] = {a: int(n.attrs[a]) for a in ("exclusive", "reverse")}
    axis = n.x(1) if n.shape(1) == () else n.reshape(n.int64(1), [], "Axis")
    return n.emit(onnx_type, [n.x(), axis], **attrs)


@export("Cumsum")
def cumsum(n: Out) -> Results:
    """CumSum."""
    return _running(n, "CumSum")


@export("Cumprod")
def cumprod(n: Out) -> Results:
    """CumProd (from opset 26)."""
    return _running(n, "CumProd")


@export("TopK", "TopKV2")
def top_k(n: Out) -> Results:
    """TopK with k as a vector."""
    attrs = {
        "axis": n.axis(n.attrs["dim"]),
        "largest": int(n.attrs["largest"]),
        "sorted": int(n.attrs["sorted"]),
    }
    return _indexed(n, n.x(), n.vector(1), attrs)


def _indexed(n: Out, x: Val, k: Val, attrs: dict[str, int]) -> Results:
    return n.emit_all("TopK", [x, k], 2, attrs)


@export("Sort")
def sort(n: Out) -> Results:
    """TopK of the whole axis, whose size must be known."""
    axis = n.axis(n.attrs["axis"])
    shape = n.shape()
    if shape is None or shape[axis] < 0:
        raise NoCounterpart("the size of the axis must be known")
    attrs = {"axis": axis, "largest": int(n.attrs["descending"]), "sorted": 1}
    return _indexed(n, n.x(), n.constant([shape[axis]], "k"), attrs)
