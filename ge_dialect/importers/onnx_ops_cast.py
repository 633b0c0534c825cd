"""ONNX rules: casts, with the differences to GE's Cast as nodes around it.

GE's Cast truncates floats to integers and saturates, and lets a narrow float overflow. ONNX wraps
into integers of fewer than 8 bits and saturates into fp8.
"""

from __future__ import annotations

from xdsl.ir import Attribute, SSAValue

from ge_dialect.dtypes import bits, ge_name, is_float, is_integer, to_xdsl
from ge_dialect.importers.onnx_graph import Refused
from ge_dialect.importers.onnx_node import Node
from ge_dialect.importers.onnx_ops_math import scalar_like
from ge_dialect.importers.onnx_reader import dtype_name
from ge_dialect.importers.onnx_rules import Outputs, rule
from ge_dialect.ir.types import elem_of

#: Largest finite number of the fp8 types.
FP8_LARGEST = {
    "float8_e4m3fn": 448.0,
    "float8_e5m2": 57344.0,
    "float8_e4m3fnuz": 240.0,
    "float8_e5m2fnuz": 57344.0,
}


@rule("Cast", "6 9 13 19 21 23 24 25 28")
def cast(n: Node) -> Outputs:
    """Cast; behind a clip for fp8 (unless `saturate` is 0), behind int32 for narrow integers."""
    return _cast(n, to_xdsl(dtype_name(n.int("to", 0))))


@rule("CastLike", "15 19 21 23 24 25")
def cast_like(n: Node) -> Outputs:
    """The target type is static, so this is a Cast."""
    return _cast(n, n.elem(1))


def _cast(n: Node, target: Attribute) -> Outputs:
    names = (ge_name(n.elem()), ge_name(target))
    if "string" in names:
        raise Refused("casts from and to strings are not supported", "GX-335")
    x = n.x()
    if not is_float(n.elem()):
        return emit_cast(n, x, target)
    if names[1] == "float8_e8m0" and n.string("round_mode", "up") != "nearest":
        return _power_of_two(n, x, n.string("round_mode", "up"))
    if n.int("saturate", 1):
        x = saturated(n, x, target)
    if is_integer(target) and bits(target) < 8:
        x = n.cast(x, to_xdsl("int32"), "Wrap")
    return emit_cast(n, x, target)


def emit_cast(n: Node, x: SSAValue, target: Attribute) -> SSAValue:
    """The main node: GE's Cast."""
    from ge_dialect.dtypes import ge_enum

    return n.emit("Cast", [x], {"dst_type": ge_enum(target)})


def saturated(n: Node, x: SSAValue, target: Attribute) -> SSAValue:
    """A float clipped to the finite range of an fp8 type; unchanged for other targets."""
    largest = FP8_LARGEST.get(ge_name(target))
    if largest is None or bits(elem_of(x.type)) <= 8:
        return x
    low, high = (scalar_like(n, v, x, r) for v, r in ((-largest, "low"), (largest, "high")))
    return n.emit("ClipByValue", [x, low, high], role="Saturate")


def _power_of_two(n: Node, x: SSAValue, mode: str) -> SSAValue:
    """Rounding to a power of two away from the nearest one, on the bits of a float32.

    e8m0 holds just a float32's exponent field. Rounding up adds a full significand first, so that
    any bit set in it carries into the exponent.
    """
    int32 = to_xdsl("int32")
    x = n.cast(x, to_xdsl("float32"), "Wide")
    word = n.emit("Bitcast", [x], {"type": int32}, role="Bits")
    if mode == "up":
        word = n.emit("Add", [word, scalar_like(n, 2**23 - 1, word, "significand")], role="Carried")
    elif mode != "down":
        raise Refused(f"round_mode = {mode} is unknown", "GX-333")
    field = n.emit("RightShift", [word, scalar_like(n, 23, word, "shift")], role="Exponent")
    if n.int("saturate", 1):
        field = n.emit("Minimum", [field, scalar_like(n, 254, field, "largest")], role="Saturate")
        nan = n.emit("IsNan", [x], role="IsNan")
        field = n.emit("SelectV2", [nan, scalar_like(n, 255, field, "nan"), field], role="Nan")
    byte = n.cast(field, to_xdsl("uint8"), "Byte")
    return n.emit("Bitcast", [byte], {"type": to_xdsl("float8_e8m0")})
