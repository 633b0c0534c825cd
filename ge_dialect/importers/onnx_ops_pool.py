"""ONNX rules: pooling."""

from __future__ import annotations

from xdsl.ir import SSAValue

from ge_dialect.importers.onnx_graph import Refused
from ge_dialect.importers.onnx_node import Node
from ge_dialect.importers.onnx_ops_nn import spatial_list, window_pads
from ge_dialect.importers.onnx_rules import Outputs, rule


def _pool(n: Node, ge_type: str, more: dict[str, object]) -> Outputs:
    rank = n.rank(0) - 2
    if rank not in (1, 2):
        raise Refused(f"{rank} spatial dims are not supported")
    kernel = n.int_list("kernel_shape")
    if kernel is None or len(kernel) != rank or min(kernel) < 1:
        raise Refused("kernel_shape is missing or does not fit the input", "GX-333")
    if set(n.int_list("dilations") or [1]) != {1}:
        raise Refused("dilations are not supported")
    shape = n.shape(0)
    assert shape is not None
    strides = spatial_list(n, "strides", rank)
    pads = window_pads(n, shape[2:], kernel, strides, [1] * rank)
    ceil_mode = bool(n.int("ceil_mode", 0)) and n.string("auto_pad", "NOTSET") == "NOTSET"
    x: SSAValue = n.x(0)
    if rank == 1:
        x = n.emit("Unsqueeze", [x], {"axes": [2]}, role="Input2D")
        kernel, strides, pads = [1, *kernel], [1, *strides], [(0, 0), *pads]
    attrs = {
        "ksize": [1, 1, *kernel],
        "strides": [1, 1, *strides],
        "padding_mode": "CALCULATED",
        "pads": [p for pair in pads for p in pair],
        "data_format": "NCHW",
        "ceil_mode": ceil_mode,
        **more,
    }
    y = n.emit(ge_type, [x], attrs, role="Pool2D" if rank == 1 else None)
    return n.emit("Squeeze", [y], {"axis": [2]}) if rank == 1 else y


@rule("MaxPool", "1 8 10 11 12 22")
def max_pool(n: Node) -> Outputs:
    """MaxPoolV3; dilations and the Indices output are refused."""
    if n.wants(1):
        raise Refused("the Indices output is not supported")
    return _pool(n, "MaxPoolV3", {})


@rule("AveragePool", "7 10 11 19 22")
def average_pool(n: Node) -> Outputs:
    """AvgPoolV2; padding counts in the divisor only with `count_include_pad`."""
    return _pool(n, "AvgPoolV2", {"exclusive": not n.int("count_include_pad", 0)})


@rule("GlobalAveragePool", "1 22")
def global_average_pool(n: Node) -> Outputs:
    """GlobalAveragePool, or ReduceMean where the rank is not 4."""
    rank = n.rank(0)
    if rank == 4:
        return n.emit("GlobalAveragePool", [n.x()])
    axes = n.constant(list(range(2, rank)), "axes")
    return n.emit("ReduceMean", [n.x(), axes], {"keep_dims": True})


@rule("GlobalMaxPool", "1 22")
def global_max_pool(n: Node) -> Outputs:
    """ReduceMax over the spatial dims."""
    axes = n.constant(list(range(2, n.rank(0))), "axes")
    return n.emit("ReduceMax", [n.x(), axes], {"keep_dims": True})
