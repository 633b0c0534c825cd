"""ONNX exports: normalisations. Statistics that something reads are computed beside them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ge_dialect.dtypes import to_xdsl
from ge_dialect.exporters.onnx_node import Out
from ge_dialect.exporters.onnx_ops_conv import is_last
from ge_dialect.exporters.onnx_rules import Results, export
from ge_dialect.exporters.onnx_values import NoCounterpart, Val


@export("BiasAdd")
def bias_add(n: Out) -> Results:
    """Add of the bias along the channels."""
    rank, first = n.rank(0), n.attrs["data_format"].startswith("NC")
    bias = n.x(1)
    if first and rank > 2:
        bias = n.unsqueeze(bias, range(1, rank - 1), "Bias")
    return n.emit("Add", [n.x(0), bias])


@export("BNInfer")
def bn_infer(n: Out) -> Results:
    """BatchNormalization."""
    return n.emit("BatchNormalization", [n.x(i) for i in range(5)], epsilon=n.attrs["epsilon"])


def _spread(n: Out, value: Val, axis: int, rank: int, role: str) -> Val:
    """A vector along one axis."""
    axes = [a for a in range(rank) if a != axis]
    return n.unsqueeze(value, axes, role) if axes else value


@export("BatchNorm")
def batch_norm(n: Out) -> Results:
    """BatchNormalization, or in training its definition."""
    rank = n.rank()
    axis = 1 if n.attrs["data_format"].startswith("NC") else rank - 1
    if not n.attrs["is_training"]:
        mean, variance = n.x(3), n.x(4)
        x = n.x(0)
        perm = [0, axis, *range(1, axis)] if axis != 1 else list(range(rank))
        x = n.transpose(x, perm, "First")
        y = n.emit(
            "BatchNormalization",
            [x, n.x(1), n.x(2), mean, variance],
            epsilon=n.attrs["epsilon"],
        )
        y = n.transpose(y, [perm.index(a) for a in range(rank)], "Last")
        return [y, mean, variance, mean, variance, variance]
    return _batch_norm_training(n, axis, rank)


def _batch_norm_training(n: Out, axis: int, rank: int) -> Results:
    over = [a for a in range(rank) if a != axis]
    count = math.prod(n.known()[a] for a in over)
    wide = n.x(1).elem
    x = n.cast(n.x(0), wide)
    mean = n.reduce("ReduceMean", x, over, True, "Mean")
    centred = n.emit("Sub", [x, mean])
    variance = n.reduce("ReduceMean", n.emit("Mul", [centred, centred]), over, True, "Variance")
    root = n.emit("Sqrt", [n.binary("Add", variance, n.attrs["epsilon"], "Epsilon")])
    scale, offset = (_spread(n, n.x(i), axis, rank, "Spread") for i in (1, 2))
    y = n.emit("Add", [n.emit("Mul", [n.emit("Div", [centred, root]), scale]), offset])
    used = [n.squeeze(v, over, "Vector") for v in (mean, variance)]
    following = [used[0], n.binary("Mul", used[1], count / max(count - 1, 1), "Unbiased")]
    factor = n.attrs["exponential_avg_factor"]
    if factor != 1.0 and n.has(3) and n.has(4):
        following = [
            n.emit(
                "Add",
                [
                    n.binary("Mul", n.cast(n.x(3 + i), wide), 1 - factor, "Kept"),
                    n.binary("Mul", new, factor, "Fresh"),
                ],
            )
            for i, new in enumerate(following)
        ]
    return [y, *following, *used, used[1]]


@export("LRN")
def lrn(n: Out) -> Results:
    """LRN; ONNX divides alpha by the window, GE does not."""
    size = 2 * n.attrs["depth_radius"] + 1
    attrs = {"size": size, "alpha": n.attrs["alpha"] * size}
    return n.emit("LRN", [n.x()], **attrs, beta=n.attrs["beta"], bias=n.attrs["bias"])


def _ones(n: Out, shape: Sequence[int]) -> Val:
    import numpy as np

    if -1 in shape:
        raise NoCounterpart("the normalised dims must be known")
    return n.constant(np.ones(shape), "ones", n.elem())


def _layer(n: Out, count: int, gamma: Val | None, beta: Val | None, last: str) -> Results:
    """LayerNormalization over the last `count` dims, or in f64, which it rounds, its definition.

    last: "rstd" or "variance", the third result.
    """
    rank, epsilon = n.rank(), n.attrs["epsilon"]
    axes = list(range(rank - count, rank))
    x = n.x()
    if n.dtype() != "float64" and count:
        scale = gamma if gamma is not None else _ones(n, (n.shape() or ())[rank - count :])
        inputs = [x, scale, beta]
        attrs = {"axis": -count, "epsilon": epsilon}
        number = 3 if _wants(n) else 1
        made = n.emit_all("LayerNormalization", inputs, number, attrs, elem=to_xdsl("float32"))
        if len(made) == 1:
            return [made[0], None, None]
        y, mean, rstd = made
        if last == "rstd" or not n.wants(2):
            return [y, mean, rstd]
        wide = n.cast(x, mean.elem)
        centred = n.emit("Sub", [wide, mean])
        return [y, mean, n.reduce("ReduceMean", n.emit("Mul", [centred, centred]), axes, True)]
    mean = n.reduce("ReduceMean", x, axes, True, "Mean")
    centred = n.emit("Sub", [x, mean])
    variance = n.reduce("ReduceMean", n.emit("Mul", [centred, centred]), axes, True, "Variance")
    root = n.emit("Sqrt", [n.binary("Add", variance, epsilon, "Epsilon")])
    y = n.emit("Div", [centred, root])
    y = y if gamma is None else n.emit("Mul", [y, gamma])
    y = y if beta is None else n.emit("Add", [y, beta])
    return [y, mean, n.emit("Reciprocal", [root]) if last == "rstd" else variance]


def _wants(n: Out) -> bool:
    return n.wants(1) or n.wants(2)


@export("LayerNormV4")
def layer_norm_v4(n: Out) -> Results:
    """LayerNormalization over as many dims as normalized_shape has entries."""
    dims = n.shape(1)
    if dims is None or -1 in dims:
        raise NoCounterpart("the number of normalised dims must be known")
    return _layer(n, dims[0] if dims else 0, n.opt(2), n.opt(3), "rstd")


@export("LayerNorm")
def layer_norm(n: Out) -> Results:
    """LayerNormalization, with the variance beside it where it is read."""
    return _layer(n, n.rank() - n.axis(n.attrs["begin_norm_axis"]), n.x(1), n.x(2), "variance")


@export("LayerNormV3")
def layer_norm_v3(n: Out) -> Results:
    """LayerNormalization."""
    return _layer(n, n.rank() - n.axis(n.attrs["begin_norm_axis"]), n.x(1), n.x(2), "rstd")


def _rms(n: Out, x: Val, gamma: int) -> list[Val | None]:
    count = n.rank(gamma)
    axes, epsilon = list(range(-count, 0)), n.attrs["epsilon"]
    if n.opset >= 23 and n.dtype() != "float64" and not n.wants(1) and count:
        attrs = {"axis": -count, "epsilon": epsilon}
        return [n.emit("RMSNormalization", [x, n.x(gamma)], **attrs), None]
    wide = x if n.dtype() == "float64" else n.cast(x, "float32")
    square = n.reduce("ReduceMean", n.emit("Mul", [wide, wide]), axes, True)
    rstd = n.emit("Reciprocal", [n.emit("Sqrt", [n.binary("Add", square, epsilon, "Epsilon")])])
    y = n.emit("Mul", [n.emit("Mul", [wide, rstd]), n.cast(n.x(gamma), wide.elem)])
    return [n.cast(y, n.elem()), rstd]


@export("RmsNorm")
def rms_norm(n: Out) -> Results:
    """RMSNormalization (from opset 23), or its definition where rstd is read."""
    return _rms(n, n.x(0), 1)


@export("AddRmsNorm")
def add_rms_norm(n: Out) -> Results:
    """Add, then as RmsNorm."""
    total = n.emit("Add", [n.x(0), n.x(1)])
    return [*_rms(n, total, 2), total]


@export("GroupNorm")
def group_norm(n: Out) -> Results:
    """GroupNormalization (from opset 21), or its definition; statistics beside it."""
    groups, epsilon = n.attrs["num_groups"], n.attrs["eps"]
    stats: list[Val | None] = [None, None]
    if n.opset >= 21 and not _wants(n):
        attrs = {"num_groups": groups, "epsilon": epsilon}
        return [n.emit("GroupNormalization", [n.x(0), n.x(1), n.x(2)], **attrs), *stats]
    shape = n.known()
    if 0 in shape:
        raise NoCounterpart("a size is zero")
    c, rank = shape[1], len(shape)
    parts = n.reshape(n.wide(), [shape[0], groups, -1], "Groups")
    mean = n.reduce("ReduceMean", parts, [2], True, "Mean")
    centred = n.emit("Sub", [parts, mean])
    variance = n.reduce("ReduceMean", n.emit("Mul", [centred, centred]), [2], True, "Variance")
    root = n.emit("Sqrt", [n.binary("Add", variance, epsilon, "Epsilon")])
    y = n.reshape(n.emit("Div", [centred, root]), shape, "Whole")
    dims = [c, *[1] * (rank - 2)]
    y = n.emit("Mul", [y, n.reshape(n.wide(1), dims, "Gamma")])
    y = n.emit("Add", [y, n.reshape(n.wide(2), dims, "Beta")])
    return [y, *(n.squeeze(v, [2], "Vector") for v in (mean, variance))]


@export("InstanceNorm")
def instance_norm(n: Out) -> Results:
    """InstanceNormalization; statistics beside it where they are read."""
    rank, last = n.rank(), is_last(n.attrs["data_format"])
    perm = [0, rank - 1, *range(1, rank - 1)] if last else list(range(rank))
    x = n.transpose(n.x(0), perm, "First")
    y = n.emit("InstanceNormalization", [x, n.x(1), n.x(2)], epsilon=n.attrs["epsilon"])
    y = n.transpose(y, [perm.index(a) for a in range(rank)], "Last")
    if not _wants(n):
        return [y, None, None]
    over = [a for a in range(1, rank) if a != (rank - 1 if last else 1)]
    mean = n.reduce("ReduceMean", n.x(0), over, True, "Mean")
    centred = n.emit("Sub", [n.x(0), mean])
    return [y, mean, n.reduce("ReduceMean", n.emit("Mul", [centred, centred]), over, True)]


@export("L2Normalize")
def l2_normalize(n: Out) -> Results:
    """x over the root of its sum of squares, which counts at least eps."""
    x = n.wide()
    axes = [n.axis(a) for a in n.attrs["axis"]] or list(range(n.rank()))
    total = n.reduce("ReduceSum", n.emit("Mul", [x, x]), axes, True)
    bound = n.emit("Max", [total, n.like(n.attrs["eps"], x, "eps")])
    return n.emit("Div", [x, n.emit("Sqrt", [bound])])


@export("RotaryMul", "RotaryPositionEmbedding")
def rotary(n: Out) -> Results:
    """x times cosines plus x turned by a quarter times sines."""
    x, rank = n.wide(0), n.rank(0)
    if n.attrs.get("mode"):
        width = n.known()[-1]
        places = [i + 1 - 2 * (i % 2) for i in range(width)]
        turned = n.emit("Gather", [x, n.constant(places, "places")], axis=rank - 1)
        signs = n.constant([-1.0 if i % 2 == 0 else 1.0 for i in range(width)], "signs", x.elem)
        turned = n.emit("Mul", [turned, signs])
    else:
        first, second = n.emit_all("Split", [x], 2, {"axis": rank - 1, "num_outputs": 2})
        turned = n.emit("Concat", [n.emit("Neg", [second]), first], axis=rank - 1)
    return n.emit("Add", [n.emit("Mul", [x, n.wide(1)]), n.emit("Mul", [turned, n.wide(2)])])
