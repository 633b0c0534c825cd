"""ONNX rules: pooling over one to three spatial dims.

Two dims are MaxPoolV3 and AvgPoolV2, one gets a neighbour of one. GE's 2-D operators know no
dilations: dilated maxima are MaxPool3D over one depth, dilated means and L^p norms a convolution
with ones.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from xdsl.ir import SSAValue

from ge_dialect.dtypes import is_float, to_xdsl
from ge_dialect.importers.onnx_graph import Refused
from ge_dialect.importers.onnx_node import Node
from ge_dialect.importers.onnx_ops_math import scalar_like
from ge_dialect.importers.onnx_ops_nn import spatial_list, window_pads
from ge_dialect.importers.onnx_rules import Outputs, rule
from ge_dialect.ir.types import elem_of, shape_of


@dataclass
class Window:
    """A pooling window over `rank` spatial dims; pads are (before, after)."""

    rank: int
    size: tuple[int, ...]
    kernel: list[int]
    strides: list[int]
    dilations: list[int]
    pads: list[tuple[int, int]]
    ceil_mode: bool

    @property
    def dilated(self) -> bool:
        """Whether a window skips elements."""
        return any(d != 1 for d in self.dilations)

    def outputs(self) -> list[int]:
        """Number of windows along each dim."""
        out = []
        for size, k, s, d, (before, after) in zip(
            self.size, self.kernel, self.strides, self.dilations, self.pads, strict=True
        ):
            if size < 0:
                raise Refused("the spatial dims must be known")
            room = size + before + after - (k - 1) * d - 1
            count = room // s + 1
            if self.ceil_mode:
                count = math.ceil(room / s) + 1
                count -= (count - 1) * s >= size + before
            out.append(count)
        return out

    def volume(self, data_format: str = "NCDHW") -> dict[str, object]:
        """Attributes of a 3-D operator; missing dims are ones before the others."""
        more = 3 - self.rank
        ones = [1] * (2 + more)
        return {
            "ksize": [*ones, *self.kernel],
            "strides": [*ones, *self.strides],
            "pads": [0] * (2 * more) + [p for pair in self.pads for p in pair],
            "data_format": data_format,
        }


def _window(n: Node) -> Window:
    rank = n.rank(0) - 2
    if rank not in (1, 2, 3):
        raise Refused(f"{rank} spatial dims are not supported")
    kernel = n.int_list("kernel_shape")
    if kernel is None or len(kernel) != rank or min(kernel) < 1:
        raise Refused("kernel_shape is missing or does not fit the input", "GX-333")
    shape = n.shape(0)
    assert shape is not None
    strides, dilations = spatial_list(n, "strides", rank), spatial_list(n, "dilations", rank)
    pads = window_pads(n, shape[2:], kernel, strides, dilations)
    ceil_mode = bool(n.int("ceil_mode", 0)) and n.string("auto_pad", "NOTSET") == "NOTSET"
    return Window(rank, shape[2:], kernel, strides, dilations, pads, ceil_mode)


def _plain(n: Node, w: Window, ge_type: str, more: dict[str, object]) -> Outputs:
    """A 2-D operator of GE on one or two spatial dims."""
    x: SSAValue = n.x(0)
    kernel, strides, pads = w.kernel, w.strides, w.pads
    if w.rank == 1:
        x = n.emit("Unsqueeze", [x], {"axes": [2]}, role="Input2D")
        kernel, strides, pads = [1, *kernel], [1, *strides], [(0, 0), *pads]
    attrs = {
        "ksize": [1, 1, *kernel],
        "strides": [1, 1, *strides],
        "padding_mode": "CALCULATED",
        "pads": [p for pair in pads for p in pair],
        "data_format": "NCHW",
        "ceil_mode": w.ceil_mode,
        **more,
    }
    y = n.emit(ge_type, [x], attrs, role="Pool2D" if w.rank == 1 else None)
    return n.emit("Squeeze", [y], {"axis": [2]}) if w.rank == 1 else y


def _to_volume(n: Node, x: SSAValue, w: Window) -> SSAValue:
    axes = list(range(2, 5 - w.rank))
    return n.emit("Unsqueeze", [x], {"axes": axes}, role="Volume") if axes else x


def _from_volume(n: Node, y: SSAValue, w: Window, role: str | None) -> SSAValue:
    axes = list(range(2, 5 - w.rank))
    return n.emit("Squeeze", [y], {"axis": axes}, role=role) if axes else y


@rule("MaxPool", "1 8 10 11 12 22")
def max_pool(n: Node) -> Outputs:
    """MaxPoolV3; MaxPool3D for volumes and dilations, with its places where Indices are read."""
    w = _window(n)
    if n.wants(1):
        return _max_with_indices(n, w)
    if w.rank < 3 and not w.dilated:
        return _plain(n, w, "MaxPoolV3", {})
    attrs = {
        **w.volume(),
        "padding": "CALCULATED",
        "dilation": [1] * (5 - w.rank) + w.dilations,
        "ceil_mode": int(w.ceil_mode),
    }
    x = _to_volume(n, n.x(0), w)
    y = n.emit("MaxPool3D", [x], attrs, role=None if w.rank == 3 else "Pool3D")
    return _from_volume(n, y, w, None)


def _max_with_indices(n: Node, w: Window) -> Outputs:
    """GE's places count within one volume, ONNX's through the whole tensor."""
    shape = n.shape(0)
    assert shape is not None
    attrs = {
        **w.volume(),
        "dilation": [1] * (5 - w.rank) + w.dilations,
        "ceil_mode": w.ceil_mode,
        "dtype": 9,
    }
    more = w.rank < 3
    x = _to_volume(n, n.x(0), w)
    y, place = n.emit_all("MaxPool3DWithArgmaxV2", [x], attrs, role="Pool3D" if more else None)
    y = _from_volume(n, y, w, None)
    place = _from_volume(n, place, w, "Places")
    if n.int("storage_order", 0):
        place = _column_major(n, place, w)
    if -1 in shape:
        raise Refused("the Indices output needs a known input shape")
    images, volume = shape[0] * shape[1], math.prod(shape[2:])
    if images == 1:
        return [y, place]
    import numpy as np

    first = np.arange(images).reshape(shape[0], shape[1], *[1] * w.rank) * volume
    return [y, n.emit("Add", [place, n.constant(first, "first")], role="Indices")]


def _column_major(n: Node, place: SSAValue, w: Window) -> SSAValue:
    """Places counted with the first spatial dim running fastest."""
    total: SSAValue | None = None
    rest, weight = place, math.prod(w.size)
    for i in reversed(range(w.rank)):
        size = scalar_like(n, w.size[i], place, f"size{i}")
        weight //= w.size[i]
        at = n.emit("FloorMod", [rest, size], role=f"Place{i}")
        part = n.emit("Mul", [at, scalar_like(n, weight, place, f"weight{i}")], role=f"Part{i}")
        total = part if total is None else n.emit("Add", [total, part], role=f"Sum{i}")
        rest = n.emit("FloorDiv", [rest, size], role=f"Rest{i}")
    assert total is not None
    return total


def _window_sum(n: Node, x: SSAValue, w: Window, role: str) -> SSAValue:
    """Sum over each window, padding counting as zero: a convolution with ones, channel by channel.

    In ceil mode the padding behind is stretched to the last window.
    """
    shape = shape_of(x.type)
    if shape is None or -1 in shape[1:]:
        raise Refused("all dims but the batch must be known")
    out = w.outputs()
    pads, row = [], [1] if w.rank == 1 else []
    for i, (before, after) in enumerate(w.pads):
        reach = (out[i] - 1) * w.strides[i] + (w.kernel[i] - 1) * w.dilations[i] + 1
        pads += [before, max(after, reach - w.size[i] - before)]
    x = n.reshape(x, [-1, 1, *row, *shape[2:]], f"{role}Images")
    elem = elem_of(x.type)
    import numpy as np

    ones = n.constant(np.ones([1, 1, *row, *w.kernel]), f"{role}_ones", elem)
    attrs = {
        "strides": [1, 1, *row, *w.strides],
        "dilations": [1, 1, *row, *w.dilations],
        "pads": [0, 0] * len(row) + pads,
        "data_format": "NCDHW" if w.rank == 3 else "NCHW",
    }
    y = n.emit("Conv3D" if w.rank == 3 else "Conv2D", [x, ones, None], attrs, role=role)
    return n.reshape(y, [-1, shape[1], *out], f"{role}Shape")


def _counts(w: Window, with_padding: bool) -> list[list[int]]:
    """Elements of each window that count, per dim; never what ceil mode adds."""
    counts = []
    for i, out in enumerate(w.outputs()):
        before, after = w.pads[i] if with_padding else (0, 0)
        low, high = -before, w.size[i] + after
        starts = [o * w.strides[i] - w.pads[i][0] for o in range(out)]
        taps = [k * w.dilations[i] for k in range(w.kernel[i])]
        counts.append([sum(low <= s + t < high for t in taps) for s in starts])
    return counts


@rule("AveragePool", "7 10 11 19 22")
def average_pool(n: Node) -> Outputs:
    """AvgPoolV2 or AvgPool3D; padding counts in the divisor only with `count_include_pad`."""
    w, whole = _window(n), bool(n.int("count_include_pad", 0))
    if not w.dilated and w.rank < 3:
        return _plain(n, w, "AvgPoolV2", {"exclusive": not whole})
    if not w.dilated:
        attrs = {**w.volume(), "ceil_mode": w.ceil_mode, "count_include_pad": whole}
        return n.emit("AvgPool3D", [n.x(0)], attrs)
    import numpy as np

    divisor = np.ones(())
    for row in _counts(w, whole):
        divisor = np.multiply.outer(divisor, row)
    total = _window_sum(n, n.x(0), w, "Sum")
    return n.emit("RealDiv", [total, n.constant(divisor, "counts", n.elem(0))])


@rule("LpPool", "2 11 18 22")
def lp_pool(n: Node) -> Outputs:
    """(sum of |x|^p over each window)^(1/p)."""
    p = n.int("p", 2)
    total = _window_sum(n, _power(n, n.x(0), p), _window(n), "Sum")
    return _root(n, total, p)


@rule("GlobalLpPool", "2 22")
def global_lp_pool(n: Node) -> Outputs:
    """(sum of |x|^p over the spatial dims)^(1/p)."""
    p = n.int("p", 2)
    axes = n.constant(list(range(2, n.rank(0))), "axes")
    total = n.emit("ReduceSum", [_power(n, n.x(0), p), axes], {"keep_dims": True}, role="Sum")
    return _root(n, total, p)


def _power(n: Node, x: SSAValue, p: int) -> SSAValue:
    """|x|^p."""
    if not is_float(elem_of(x.type)) or p < 1:
        raise Refused(f"p = {p} of {elem_of(x.type)} is not supported", "GX-335")
    if p == 2:
        return n.emit("Square", [x], role="Power")
    x = n.emit("Abs", [x], role="Abs")
    return x if p == 1 else n.emit("Pow", [x, scalar_like(n, p, x, "p")], role="Power")


def _root(n: Node, x: SSAValue, p: int) -> SSAValue:
    """x^(1/p) as the main node."""
    if p == 2:
        return n.emit("Sqrt", [x])
    if p == 1:
        return n.emit("Identity", [x])
    return n.emit("Pow", [x, scalar_like(n, 1 / p, x, "root")])


@rule("LpNormalization", "1 22")
def lp_normalization(n: Node) -> Outputs:
    """x over its L^p norm along an axis; 0 where the norm is 0."""
    p, axis = n.int("p", 2), n.axis(n.int("axis", -1), n.rank(0))
    x = n.x(0)
    axes = n.constant([axis], "axes")
    total = n.emit("ReduceSum", [_power(n, x, p), axes], {"keep_dims": True}, role="Sum")
    norm = n.emit("Sqrt", [total], role="Norm") if p == 2 else total
    if p > 2:
        norm = n.emit("Pow", [total, scalar_like(n, 1 / p, total, "root")], role="Norm")
    return n.emit("DivNoNan", [x, norm])


@rule("MaxUnpool", "9 11 22")
def max_unpool(n: Node) -> Outputs:
    """Zeros with each element at its place, counted through the whole output."""
    shape, rank = n.shape(0), n.rank(0) - 2
    kernel = n.int_list("kernel_shape")
    if shape is None or -1 in shape:
        raise Refused("the shape must be known")
    if kernel is None or len(kernel) != rank:
        raise Refused("kernel_shape is missing or does not fit the input", "GX-333")
    strides, pads = spatial_list(n, "strides", rank), n.int_list("pads") or [0] * (2 * rank)
    sizes = [
        (d - 1) * s + k - pads[i] - pads[i + rank]
        for i, (d, s, k) in enumerate(zip(shape[2:], strides, kernel, strict=True))
    ]
    inferred = [*shape[:2], *sizes]
    zero = n.constant(0, "zero", n.elem(0))
    flat = n.reshape(n.x(0), [-1], "Flat")
    places = n.reshape(n.cast(n.x(1), to_xdsl("int64"), "Places"), [-1], "FlatPlaces")
    blank = n.emit("Fill", [n.constant([math.prod(inferred)], "count"), zero], role="Blank")
    y = n.emit("ScatterElements", [blank, places, flat], {"axis": 0}, role="Placed")
    if not n.has(2):
        return n.reshape(y, inferred, None)
    y = n.reshape(y, inferred, "Image")
    behind = n.emit("Sub", [n.x(2), n.constant(inferred, "inferred")], role="Behind")
    parts = [n.constant([0] * len(inferred), "before"), behind]
    pads = n.emit("ConcatD", [parts], {"concat_dim": 0, "N": 2}, role="Pads")
    attrs = {"mode": "constant", "paddings_contiguous": False}
    return n.emit("PadV3", [y, pads, zero], attrs)


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
