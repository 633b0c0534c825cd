"""ONNX rules: convolutions of one to three spatial dims, transposed and deformed ones included.

One spatial dim gets a neighbour of one; two are Conv2D, three Conv3D. ONNX's pads are all begins,
then all ends; GE's are pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import Attribute, SSAValue

from ge_dialect.dtypes import bits, ge_name, to_xdsl
from ge_dialect.importers.onnx_graph import Refused
from ge_dialect.importers.onnx_node import Node
from ge_dialect.importers.onnx_ops_nn import spatial_list, window_pads
from ge_dialect.importers.onnx_rules import Outputs, rule
from ge_dialect.ir.types import elem_of, shape_of


@dataclass
class Geometry:
    """Attributes of a convolution over `rank` spatial dims; pads are (before, after)."""

    rank: int
    kernel: list[int]
    strides: list[int]
    dilations: list[int]
    pads: list[tuple[int, int]]
    groups: int

    def ge_attrs(self) -> dict[str, object]:
        """GE's attributes, channels first; one spatial dim is a row of height one."""
        row = [1] if self.rank == 1 else []
        pads = [(0, 0), *self.pads] if self.rank == 1 else self.pads
        return {
            "strides": [1, 1, *row, *self.strides],
            "pads": [p for pair in pads for p in pair],
            "dilations": [1, 1, *row, *self.dilations],
            "groups": self.groups,
            "data_format": "NCDHW" if self.rank == 3 else "NCHW",
        }


def conv_geometry(n: Node, x: int, w: int) -> Geometry:
    """Geometry of a forward convolution; `x` and `w` are the numbers of its inputs."""
    rank = n.rank(x) - 2
    weight, shape = n.shape(w), n.shape(x)
    if weight is None or len(weight) != rank + 2 or -1 in weight[2:]:
        raise Refused("the shape of the weights must be known and fit the input")
    if rank not in (1, 2, 3):
        raise Refused(f"{rank} spatial dims are not supported")
    kernel = list(weight[2:])
    if (n.int_list("kernel_shape") or kernel) != kernel:
        raise Refused("kernel_shape contradicts the weights", "GX-333")
    strides = spatial_list(n, "strides", rank)
    dilations = spatial_list(n, "dilations", rank)
    assert shape is not None
    pads = window_pads(n, shape[2:], kernel, strides, dilations)
    return Geometry(rank, kernel, strides, dilations, pads, n.int("group", 1))


def as_rows(n: Node, value: SSAValue, role: str) -> SSAValue:
    """A tensor of one spatial dim with a dim of one before it."""
    return n.emit("Unsqueeze", [value], {"axes": [2]}, role=role)


def emit_conv(
    n: Node, x: SSAValue, w: SSAValue, bias: SSAValue | None, g: Geometry, role: str | None
) -> SSAValue:
    """Conv2D or Conv3D, and the way there and back for one spatial dim."""
    if g.rank == 3:
        return n.emit("Conv3D", [x, w, bias], g.ge_attrs(), role=role)
    if g.rank == 2:
        return n.emit("Conv2D", [x, w, bias], g.ge_attrs(), role=role)
    x, w = as_rows(n, x, "Input2D"), as_rows(n, w, "Filter2D")
    y = n.emit("Conv2D", [x, w, bias], g.ge_attrs(), role="Conv2D")
    return n.emit("Squeeze", [y], {"axis": [2]}, role=role)


@rule("Conv", "1 11 22")
def conv(n: Node) -> Outputs:
    """Conv2D or Conv3D, channels first; one spatial dim gets a neighbour of one."""
    return emit_conv(n, n.x(0), n.x(1), n.optional(2), conv_geometry(n, 0, 1), None)


# --- integers --------------------------------------------------------------------------------


def centred(
    n: Node, index: int, zero: int, axis: int | None, elem: Attribute, role: str
) -> SSAValue:
    """An 8-bit input less its zero point, as `elem`, which holds every difference.

    A zero point of several values lies along `axis`; with None it broadcasts as it is.
    """
    x = n.cast(n.x(index), elem, role)
    if not n.has(zero):
        return x
    less = along(n, n.x_as(zero, elem, f"{role}Zero"), axis, n.rank(index))
    return n.emit("Sub", [x, less], role=f"{role}Difference")


def along(n: Node, value: SSAValue, axis: int | None, rank: int) -> SSAValue:
    """A vector so shaped that it lies along `axis` of a tensor of `rank`; others unchanged."""
    shape = shape_of(value.type)
    if shape is None:
        raise Refused("the rank of scales and zero points must be known")
    if axis is None or shape in ((), (1,)) or len(shape) != 1:
        return value
    axes = [*range(axis), *range(axis + 1, rank)]
    return n.emit("Unsqueeze", [value], {"axes": axes}, role="Spread") if axes else value


def _narrow_zero(n: Node) -> Attribute:
    """int16, in which differences of 8-bit numbers are exact."""
    for index in (0, 1):
        if bits(n.elem(index)) > 8:
            raise Refused(f"{ge_name(n.elem(index))} inputs are not supported", "GX-335")
    return to_xdsl("int16")


@rule("ConvInteger", "10")
def conv_integer(n: Node) -> Outputs:
    """A convolution of int16 differences to the zero points, which the host engine computes."""
    wide = _narrow_zero(n)
    x = centred(n, 0, 2, None, wide, "Centred")
    w = centred(n, 1, 3, 0, wide, "CentredFilter")
    return emit_conv(n, x, w, None, conv_geometry(n, 0, 1), None)


# --- transposed ------------------------------------------------------------------------------


def _transposed_pads(n: Node, g: Geometry, extra: list[int]) -> tuple[Geometry, list[int]]:
    """Pads and output sizes (0: follows from the pads) from output_shape, auto_pad or pads.

    Sizes beyond what the pads can cut are reached by zeros behind.
    """
    shape = n.shape(0)
    assert shape is not None
    given, mode = n.int_list("output_shape"), n.string("auto_pad", "NOTSET")
    if not given and mode in ("NOTSET", "", "VALID"):
        if mode == "VALID":
            g.pads = [(0, 0)] * g.rank
        return g, [0] * g.rank
    if -1 in shape[2:]:
        raise Refused("output_shape and auto_pad need known spatial dims")
    sizes = given or [d * s for d, s in zip(shape[2:], g.strides, strict=True)]
    sizes = sizes[-g.rank :]
    pads = []
    for i, size in enumerate(sizes):
        reach = (shape[2 + i] - 1) * g.strides[i] + (g.kernel[i] - 1) * g.dilations[i] + 1
        total = max(reach + extra[i] - size, 0)
        small, large = total // 2, total - total // 2
        pads.append((small, large) if mode == "SAME_UPPER" else (large, small))
    g.pads = pads
    return g, sizes


@rule("ConvTranspose", "1 11 22")
def conv_transpose(n: Node) -> Outputs:
    """Conv2DTranspose or Conv3DTranspose; the filter is that of the forward convolution."""
    rank = n.rank(0) - 2
    weight = n.shape(1)
    if weight is None or len(weight) != rank + 2 or -1 in weight[2:]:
        raise Refused("the shape of the weights must be known and fit the input")
    if rank not in (1, 2, 3):
        raise Refused(f"{rank} spatial dims are not supported")
    kernel = list(weight[2:])
    if (n.int_list("kernel_shape") or kernel) != kernel:
        raise Refused("kernel_shape contradicts the weights", "GX-333")
    strides, dilations = spatial_list(n, "strides", rank), spatial_list(n, "dilations", rank)
    flat = n.int_list("pads") or [0] * (2 * rank)
    extra = n.int_list("output_padding") or [0] * rank
    if len(flat) != 2 * rank or len(extra) != rank:
        raise Refused("pads or output_padding do not fit the input", "GX-333")
    if min(flat) < 0:
        raise Refused("negative pads are not supported")
    pads = [(flat[i], flat[i + rank]) for i in range(rank)]
    g = Geometry(rank, kernel, strides, dilations, pads, n.int("group", 1))
    g, sizes = _transposed_pads(n, g, extra)
    row = [1] if rank == 1 else []
    x, w, bias = n.x(0), n.x(1), n.optional(2)
    if rank == 1:
        x, w = as_rows(n, x, "Input2D"), as_rows(n, w, "Filter2D")
    size = n.constant([0, 0, *([0] if row else []), *sizes], "input_size")
    attrs = {**g.ge_attrs(), "output_padding": [0, 0, *([0] if row else []), *extra]}
    ge_type = "Conv3DTranspose" if rank == 3 else "Conv2DTranspose"
    y = n.emit(ge_type, [size, x, w, bias], attrs, role="Conv2DTranspose" if rank == 1 else None)
    return n.emit("Squeeze", [y], {"axis": [2]}) if rank == 1 else y


# --- deformed --------------------------------------------------------------------------------


def _gathered(n: Node, value: SSAValue, places: Sequence[int], role: str) -> SSAValue:
    """The channels of `value` at `places`."""
    index, axis = n.constant(list(places), f"{role}_places"), n.constant(1, f"{role}_axis")
    return n.emit("GatherV2", [value, index, axis], role=role)


@rule("DeformConv", "19 22")
def deform_conv(n: Node) -> Outputs:
    """DeformableConv2D; ONNX's offsets are pairs (y, x), GE's all x, then all y, then the mask."""
    if n.rank(0) != 4:
        raise Refused("only two spatial dims are supported")
    g = conv_geometry(n, 0, 1)
    parts = n.int("offset_group", 1)
    pairs = parts * g.kernel[0] * g.kernel[1]
    ys = [2 * i for i in range(pairs)]
    offsets = _gathered(n, n.x(2), [y + 1 for y in ys] + ys, "Offsets")
    if n.has(4):
        inputs = [offsets, n.x(4)]
        attrs = {"concat_dim": 1, "N": 2}
        offsets = n.emit("ConcatD", [inputs], attrs, role="OffsetsAndMask")
    attrs = {**g.ge_attrs(), "deformable_groups": parts, "modulated": n.has(4)}
    if elem_of(offsets.type) != n.elem(0):
        offsets = n.cast(offsets, n.elem(0), "OffsetsCast")
    return n.emit("DeformableConv2D", [n.x(0), n.x(1), offsets, n.optional(3)], attrs)
