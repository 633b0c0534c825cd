"""ONNX rules: linear quantisation, by its definition in elementwise operators.

`y = saturate(round(x / scale) + zero_point)` and back; GE's own quantising operators multiply by
the scale and round otherwise, so they are for a pass to choose, not for the importer.
"""

from __future__ import annotations

from xdsl.ir import Attribute, SSAValue

from ge_dialect.dtypes import ge_name, is_float, to_xdsl
from ge_dialect.importers.onnx_graph import Refused
from ge_dialect.importers.onnx_node import Node
from ge_dialect.importers.onnx_ops_math import scalar_like
from ge_dialect.importers.onnx_reader import dtype_name
from ge_dialect.importers.onnx_rules import Outputs, rule
from ge_dialect.ir.types import shape_of

#: Smallest and largest number of the targets of quantisation.
_RANGE: dict[str, tuple[float, float]] = {
    "int2": (-2, 1),
    "int4": (-8, 7),
    "int8": (-128, 127),
    "int16": (-(2**15), 2**15 - 1),
    "uint8": (0, 255),
    "uint16": (0, 2**16 - 1),
    "float8_e4m3fn": (-448, 448),
    "float8_e5m2": (-57344, 57344),
}


def _along_axis(n: Node, value: SSAValue, default_axis: int) -> SSAValue:
    """A scale or zero point so shaped that it broadcasts against the input."""
    shape = shape_of(value.type)
    if n.int("block_size", 0):
        raise Refused("blocked quantisation is not supported")
    if shape is None:
        raise Refused("the rank of the scale must be known")
    if shape in ((), (1,)):
        return value
    if len(shape) != 1:
        raise Refused(f"a scale of shape {list(shape)} is not supported")
    rank = n.rank(0)
    axis = n.axis(n.int("axis", default_axis), rank)
    axes = [*range(axis), *range(axis + 1, rank)]
    return n.emit("Unsqueeze", [value], {"axes": axes}, role="Spread") if axes else value


@rule("DequantizeLinear", "10 13 19 21 23 24 25 28")
def dequantize(n: Node) -> Outputs:
    """(x - zero_point) * scale, computed in f32 at least."""
    if n.has_attr("output_dtype") and n.int("output_dtype", 0):
        result = to_xdsl(dtype_name(n.int("output_dtype", 0)))
    else:
        result = n.elem(1)
    wide = to_xdsl("float32") if ge_name(result) != "float64" else result
    x = n.cast(n.x(0), wide, "Wide")
    if n.has(2):
        zero = _along_axis(n, n.x_as(2, wide, "WideZero"), 1)
        x = n.emit("Sub", [x, zero], role="Centred")
    scale = _along_axis(n, n.x_as(1, wide, "WideScale"), 1)
    if wide == result:
        return n.emit("Mul", [x, scale])
    return n.cast(n.emit("Mul", [x, scale], role="Scaled"), result, None)


@rule("QuantizeLinear", "10 13 19 21 23 24 25 28")
def quantize(n: Node) -> Outputs:
    """Division, Round, the zero point, a clip to the range of the target, Cast."""
    target = _target(n)
    name = ge_name(target)
    if name not in _RANGE:
        raise Refused(f"quantisation to {name} is not supported", "GX-335")
    if not n.int("saturate", 1):
        raise Refused("quantisation without saturation is not supported")
    wide = to_xdsl("float32")
    x = n.cast(n.x(0), wide, "Wide")
    scale = _along_axis(n, n.x_as(1, wide, "WideScale"), 1)
    y = n.emit("RealDiv", [x, scale], role="Scaled")
    if not is_float(target):
        y = n.emit("Round", [y], role="Rounded")
    if n.has(2):
        y = n.emit("Add", [y, _along_axis(n, n.x_as(2, wide, "WideZero"), 1)], role="Shifted")
    low, high = (
        scalar_like(n, v, y, r) for v, r in zip(_RANGE[name], ("low", "high"), strict=True)
    )
    y = n.emit("ClipByValue", [y, low, high], role="Saturated")
    return n.cast(y, target, None)


def _target(n: Node) -> Attribute:
    if n.has(2):
        return n.elem(2)
    if n.int("output_dtype", 0):
        return to_xdsl(dtype_name(n.int("output_dtype", 0)))
    return to_xdsl("uint8")
