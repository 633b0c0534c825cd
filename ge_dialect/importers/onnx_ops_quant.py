"""ONNX rules: linear quantisation, by its definition in elementwise operators.

`y = saturate(round(x / scale) + zero_point)` and back; GE's own quantising operators multiply by
the scale and round otherwise, so they are for a pass to choose, not for the importer. Products of
quantised tensors are exact integer products of the differences to the zero points.
"""

from __future__ import annotations

from xdsl.ir import Attribute, SSAValue

from ge_dialect.dtypes import bits, ge_name, is_float, to_xdsl
from ge_dialect.importers.onnx_graph import Refused
from ge_dialect.importers.onnx_node import Node
from ge_dialect.importers.onnx_ops_conv import along, centred, conv_geometry, emit_conv
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
    "uint2": (0, 3),
    "uint4": (0, 15),
    "uint8": (0, 255),
    "uint16": (0, 2**16 - 1),
    "float8_e4m3fn": (-448, 448),
    "float8_e5m2": (-57344, 57344),
    "float8_e4m3fnuz": (-240, 240),
    "float8_e5m2fnuz": (-57344, 57344),
    "float4_e2m1": (-6, 6),
}


def _along_axis(n: Node, value: SSAValue, default_axis: int) -> SSAValue:
    """A scale or zero point so shaped that it broadcasts against the input."""
    shape = shape_of(value.type)
    block = n.int("block_size", 0)
    if shape is None:
        raise Refused("the rank of the scale must be known")
    if shape in ((), (1,)) and not block:
        return value
    rank = n.rank(0)
    axis = n.axis(n.int("axis", default_axis), rank)
    if block:
        return _repeated(n, value, axis, block)
    if len(shape) != 1:
        raise Refused(f"a scale of shape {list(shape)} is not supported")
    axes = [*range(axis), *range(axis + 1, rank)]
    return n.emit("Unsqueeze", [value], {"axes": axes}, role="Spread") if axes else value


def _repeated(n: Node, value: SSAValue, axis: int, block: int) -> SSAValue:
    """Each entry of a blocked scale `block` times along the axis, as far as the input goes."""
    shape = n.shape(0)
    if shape is None or shape[axis] < 0:
        raise Refused("blocked quantisation needs a known dim")
    places = n.constant([i // block for i in range(shape[axis])], "block_of")
    where = n.constant(axis, "block_axis")
    return n.emit("GatherV2", [value, places, where], role="Blocks")


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
    wide = to_xdsl("float32")
    x = n.cast(n.x(0), wide, "Wide")
    scale = _along_axis(n, n.x_as(1, wide, "WideScale"), 1)
    y = n.emit("RealDiv", [x, scale], role="Scaled")
    if not is_float(target):
        y = n.emit("Round", [y], role="Rounded")
    if n.has(2):
        y = n.emit("Add", [y, _along_axis(n, n.x_as(2, wide, "WideZero"), 1)], role="Shifted")
    if is_float(target) and not n.int("saturate", 1):
        return n.cast(y, target, None)
    return _into(n, y, target)


def _target(n: Node) -> Attribute:
    if n.has(2):
        return n.elem(2)
    if n.int("output_dtype", 0):
        return to_xdsl(dtype_name(n.int("output_dtype", 0)))
    return to_xdsl("uint8")


def _into(n: Node, y: SSAValue, target: Attribute) -> SSAValue:
    """A whole number, or any for a float target, clipped to its range and cast: the main node."""
    name = ge_name(target)
    if name not in _RANGE:
        raise Refused(f"quantisation to {name} is not supported", "GX-335")
    low, high = (
        scalar_like(n, v, y, r) for v, r in zip(_RANGE[name], ("low", "high"), strict=True)
    )
    return n.cast(n.emit("ClipByValue", [y, low, high], role="Saturated"), target, None)


# --- products --------------------------------------------------------------------------------


def _rescaled(
    n: Node, total: SSAValue, scales: tuple[SSAValue, SSAValue, SSAValue], zero: int
) -> SSAValue:
    """saturate(round(total * (a * b / y) + zero point)); the factor in the scales' own dtype."""
    a, b, y = scales
    wide = to_xdsl("float32")
    both = n.emit("Mul", [a, b], role="BothScales")
    factor = n.cast(n.emit("RealDiv", [both, y], role="Factor"), wide, "WideFactor")
    real = n.emit("Mul", [n.cast(total, wide, "Real"), factor], role="Rescaled")
    rank = len(shape_of(total.type) or ())
    shift = along(n, n.x_as(zero, wide, "ShiftZero"), None, rank)
    real = n.emit("Add", [real, shift], role="Shifted")
    return _into(n, n.emit("Round", [real], role="Rounded"), n.elem(zero))


def _matrices(
    n: Node, first: int, second: int, zeros: tuple[int, int], role: str | None
) -> SSAValue:
    """int32 product of two quantised inputs less their zero points.

    A vector of zero points of the first goes with its rows, one of the second with its columns.
    """
    for index in (first, second):
        if bits(n.elem(index)) > 8 or is_float(n.elem(index)):
            raise Refused(f"{ge_name(n.elem(index))} inputs are not supported", "GX-335")
    ranks = n.rank(first), n.rank(second)
    if min(ranks) < 2:
        raise Refused("vectors are not supported")
    int32 = to_xdsl("int32")
    a = centred(n, first, zeros[0], ranks[0] - 2, int32, "A")
    b = centred(n, second, zeros[1], None, int32, "B")
    ge_type = "MatMulV2" if max(ranks) == 2 else "BatchMatMulV2"
    return n.emit(ge_type, [a, b], role=role)


@rule("MatMulInteger", "10")
def matmul_integer(n: Node) -> Outputs:
    """An int32 product of the differences to the zero points."""
    return _matrices(n, 0, 1, (2, 3), None)


@rule("QLinearMatMul", "10 21")
def qlinear_matmul(n: Node) -> Outputs:
    """The int32 product, rescaled and quantised."""
    total = _matrices(n, 0, 3, (2, 5), "Product")
    rows = along(n, n.x(1), n.rank(0) - 2, n.rank(0))
    return _rescaled(n, total, (rows, n.x(4), n.x(6)), 7)


@rule("QLinearConv", "10")
def qlinear_conv(n: Node) -> Outputs:
    """A convolution of int16 differences to the zero points, rescaled and quantised."""
    wide = to_xdsl("int16")
    rank = n.rank(0)
    for index in (0, 3):
        if bits(n.elem(index)) > 8:
            raise Refused(f"{ge_name(n.elem(index))} inputs are not supported", "GX-335")
    x = centred(n, 0, 2, None, wide, "Centred")
    w = centred(n, 3, 5, 0, wide, "CentredFilter")
    total = emit_conv(n, x, w, n.optional(8), conv_geometry(n, 0, 3), "Sums")
    scale = along(n, n.x(4), 1, rank)
    return _rescaled(n, total, (n.x(1), scale, n.x(6)), 7)
