"""ONNX rules: random numbers, and dropout in training.

Numbers are counter-based, keyed by the node's seed and its stable id; ONNX prescribes no values.
"""

from __future__ import annotations

import struct

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, SSAValue

from ge_dialect.dtypes import ge_name, to_xdsl
from ge_dialect.importers.onnx_graph import Refused
from ge_dialect.importers.onnx_node import Node
from ge_dialect.importers.onnx_reader import dtype_name
from ge_dialect.importers.onnx_rules import Outputs, rule
from ge_dialect.ir.names import STABLE_ID
from ge_dialect.ir.types import elem_of, shape_of

_FLOATS = ("float16", "bfloat16", "float32", "float64")


def _seed(n: Node) -> int:
    """The seed as an integer: the bits of a float, 0 where there is none."""
    if not n.has_attr("seed"):
        return 0
    if n.op_type == "Dropout":  # the one whose seed is an integer
        return n.int("seed", 0)
    return int.from_bytes(struct.pack("<f", n.float("seed", 0.0)), "little")


def _dims(n: Node, like: SSAValue | None) -> SSAValue:
    shape = n.int_list("shape") if like is None else shape_of(like.type)
    if shape is None and like is None:
        raise Refused("shape is missing", "GX-333")
    if shape is not None and -1 not in shape:
        return n.constant(list(shape), "dims")
    return n.emit("Shape", [like], {"dtype": 9}, role="Dims")


def draw(
    n: Node, ge_type: str, dims: SSAValue, elem: Attribute, role: str | None = "Random"
) -> SSAValue:
    """Numbers of one of GE's generators, with the node's seed and name as stable id."""
    if ge_name(elem) not in _FLOATS:
        raise Refused(f"random numbers of type {ge_name(elem)} are not supported")
    value = n.emit(ge_type, [dims], {"dtype": elem, "seed": _seed(n)}, role=role)
    _mark(n, value)
    return value


def _mark(n: Node, value: SSAValue) -> None:
    value.owner.attributes[STABLE_ID] = StringAttr(n.name)  # type: ignore[union-attr]


def _elem(n: Node, like: SSAValue | None) -> Attribute:
    if n.has_attr("dtype") and n.int("dtype", 0):
        return to_xdsl(dtype_name(n.int("dtype", 1)))
    return to_xdsl("float32") if like is None else elem_of(like.type)


def _scaled(n: Node, ge_type: str, like: SSAValue | None, scale: float, shift: float) -> SSAValue:
    elem = _elem(n, like)
    plain = scale == 1.0 and shift == 0.0
    value = draw(n, ge_type, _dims(n, like), elem, None if plain else "Random")
    if scale != 1.0:
        role = "Scaled" if shift else None
        value = n.emit("Mul", [value, n.constant(scale, "scale", elem)], role=role)
    return n.emit("Add", [value, n.constant(shift, "shift", elem)]) if shift else value


@rule("RandomUniform", "1 22")
def random_uniform(n: Node) -> Outputs:
    """RandomUniform, scaled and shifted."""
    low = n.float("low", 0.0)
    return _scaled(n, "RandomUniform", None, n.float("high", 1.0) - low, low)


@rule("RandomUniformLike", "1 22")
def random_uniform_like(n: Node) -> Outputs:
    """RandomUniform in the shape of the input, scaled and shifted."""
    low = n.float("low", 0.0)
    return _scaled(n, "RandomUniform", n.x(), n.float("high", 1.0) - low, low)


@rule("RandomNormal", "1 22")
def random_normal(n: Node) -> Outputs:
    """RandomStandardNormal, scaled and shifted."""
    return _scaled(n, "RandomStandardNormal", None, n.float("scale", 1.0), n.float("mean", 0.0))


@rule("RandomNormalLike", "1 22")
def random_normal_like(n: Node) -> Outputs:
    """RandomStandardNormal in the shape of the input, scaled and shifted."""
    return _scaled(n, "RandomStandardNormal", n.x(), n.float("scale", 1.0), n.float("mean", 0.0))


@rule("Bernoulli", "15 22")
def bernoulli(n: Node) -> Outputs:
    """Whether a uniform number lies below the probability."""
    x = n.x()
    below = n.emit("Less", [draw(n, "RandomUniform", _dims(n, x), elem_of(x.type)), x], role="Less")
    return n.cast(below, _elem(n, x), None)


@rule("Multinomial", "7 22")
def multinomial(n: Node) -> Outputs:
    """Multinomial."""
    number = n.int("dtype", 6)
    elem = to_xdsl(dtype_name(number))
    if ge_name(elem) not in ("int32", "int64"):
        raise Refused("the result must be int32 or int64", "GX-333")
    size = n.constant(n.int("sample_size", 1), "samples", to_xdsl("int32"))
    value = n.emit("Multinomial", [n.x(), size], {"dtype": elem, "seed": _seed(n)})
    _mark(n, value)
    return value


def training_dropout(n: Node) -> Outputs:
    """Dropout with `training_mode` computed or true: elements are kept where a uniform number is
    not below the ratio, and scaled by 1 / (1 - ratio); without training the ratio is 0.
    """
    x = n.x(0)
    elem = elem_of(x.type)
    ratio = n.x(1) if n.has(1) else n.constant(0.5, "ratio", elem)
    ratio = n.cast(ratio, elem, "Ratio")
    zero = n.constant(0, "zero", elem)
    ratio = n.emit("SelectV2", [n.x(2), ratio, zero], role="Rate")
    numbers = draw(n, "RandomUniform", _dims(n, x), elem)
    keep = n.emit("GreaterEqual", [numbers, ratio], role="Mask")
    rest = n.emit("Sub", [n.constant(1, "one", elem), ratio], role="Rest")
    scaled = n.emit("RealDiv", [x, rest], role="Scaled")
    return [n.emit("SelectV2", [keep, scaled, zero]), keep]
