"""ONNX rules: normalisation, by GE's operators where they say the same, else by the definition."""

from __future__ import annotations

from xdsl.ir import SSAValue

from ge_dialect.dtypes import ge_name, to_xdsl
from ge_dialect.importers.onnx_graph import Refused
from ge_dialect.importers.onnx_node import Node
from ge_dialect.importers.onnx_ops_math import scalar_like
from ge_dialect.importers.onnx_rules import Outputs, rule

#: dtypes whose statistics GE keeps in f32, as ONNX does by default
_NARROW = ("float16", "bfloat16", "float32")


@rule("BatchNormalization", "7")
def batch_norm_7(n: Node) -> Outputs:
    """BNInfer, whose parameters are f32 whatever the input is."""
    if not n.int("spatial", 1):
        raise Refused("spatial = 0 is not supported")
    return _batch_norm(n)


@rule("BatchNormalization", "9 14 15")
def batch_norm(n: Node) -> Outputs:
    """BNInfer, whose parameters are f32 whatever the input is; in training by its definition."""
    return _batch_norm_training(n) if n.int("training_mode", 0) else _batch_norm(n)


def _batch_norm_training(n: Node) -> Outputs:
    """Statistics of the batch (the variance of the population), and the running ones moved on."""
    rank = n.rank(0)
    if rank < 2:
        raise Refused("the input needs a channel dim", "GX-333")
    x = n.x(0)
    over = [a for a in range(rank) if a != 1]
    where, keep = n.constant(over, "axes"), {"keep_dims": True}
    mean = n.emit("ReduceMean", [x, where], keep, role="Mean")
    centred = n.emit("Sub", [x, mean], role="Centred")
    square = n.emit("Mul", [centred, centred], role="Square")
    variance = n.emit("ReduceMean", [square, where], keep, role="Variance")
    shifted = n.emit("Adds", [variance], {"value": n.float("epsilon", 1e-5)}, role="Epsilon")
    y = n.emit("Mul", [centred, n.emit("Rsqrt", [shifted], role="InvStd")], role="Normalised")
    spread = {"axes": [0, *range(2, rank)]}
    parts = [
        n.emit("Unsqueeze", [n.x_as(i, n.elem(0), f"Param{i}")], spread, role=r)
        for i, r in ((1, "Scale"), (2, "Bias"))
    ]
    y = n.emit("Add", [n.emit("Mul", [y, parts[0]], role="Scaled"), parts[1]])
    momentum = n.float("momentum", 0.9)
    outputs = [y]
    for index, fresh, role in ((3, mean, "RunningMean"), (4, variance, "RunningVariance")):
        flat = n.emit("Squeeze", [fresh], {"axis": over}, role=f"{role}Batch")
        flat = n.cast(flat, n.elem(index), f"{role}Cast")
        old = n.emit("Muls", [n.x(index)], {"value": momentum}, role=f"{role}Old")
        new = n.emit("Muls", [flat], {"value": 1 - momentum}, role=f"{role}New")
        outputs.append(n.emit("Add", [old, new], role=role))
    return outputs


def _batch_norm(n: Node) -> Outputs:
    """BNInfer; its parameters are f32 whatever the input is."""
    if any(n.wants(i) for i in range(1, 5)):
        raise Refused("statistics outputs (training) are not supported")
    parts = [n.x_as(i, to_xdsl("float32"), f"Param{i}") for i in range(1, 5)]
    return n.emit("BNInfer", [n.x(0), *parts], {"epsilon": n.float("epsilon", 1e-5)})


@rule("LRN", "1 13")
def lrn(n: Node) -> Outputs:
    """ONNX divides alpha by the window, GE does not; the window is 2 * radius + 1."""
    size = n.int("size", 0)
    if size < 1:
        raise Refused(f"size = {size} is not positive", "GX-333")
    if size % 2 == 0:
        return _even_lrn(n, size)
    attrs = {
        "depth_radius": (size - 1) // 2,
        "bias": n.float("bias", 1.0),
        "alpha": n.float("alpha", 1e-4) / size,
        "beta": n.float("beta", 0.75),
    }
    return n.emit("LRN", [n.x()], attrs)


def _even_lrn(n: Node, size: int) -> Outputs:
    """By its definition: the mean of squares over `size` channels, the odd one behind."""
    if n.rank(0) != 4:
        raise Refused("even windows are supported only for images")
    x = n.x(0)
    square = n.emit("Square", [x], role="Square")
    square = n.emit("Unsqueeze", [square], {"axes": [1]}, role="Volume")
    attrs = {
        "ksize": [1, 1, size, 1, 1],
        "strides": [1] * 5,
        "pads": [(size - 1) // 2, size // 2, 0, 0, 0, 0],
        "data_format": "NCDHW",
    }
    mean = n.emit("AvgPool3D", [square], attrs, role="Mean")
    mean = n.emit("Squeeze", [mean], {"axis": [1]}, role="Means")
    scaled = n.emit("Muls", [mean], {"value": n.float("alpha", 1e-4)}, role="Scaled")
    base = n.emit("Adds", [scaled], {"value": n.float("bias", 1.0)}, role="Base")
    power = n.emit("Pow", [base, scalar_like(n, n.float("beta", 0.75), base, "beta")], role="Power")
    return n.emit("RealDiv", [x, power])


def _normalise(n: Node, x: SSAValue, axes: list[int], epsilon: float) -> tuple[SSAValue, ...]:
    """(x - mean) / sqrt(var + epsilon) over `axes`, with mean and 1 / std, in x's type."""
    where = n.constant(axes, "axes")
    keep = {"keep_dims": True}
    mean = n.emit("ReduceMean", [x, where], keep, role="Mean")
    centred = n.emit("Sub", [x, mean], role="Centred")
    square = n.emit("Mul", [centred, centred], role="Square")
    variance = n.emit("ReduceMean", [square, where], keep, role="Variance")
    shifted = n.emit("Adds", [variance], {"value": epsilon}, role="Epsilon")
    inverse = n.emit("Rsqrt", [shifted], role="InvStd")
    return n.emit("Mul", [centred, inverse], role="Normalised"), mean, inverse


def _fits(n: Node, axis: int) -> bool:
    """Whether scale and bias have exactly the dims of x from `axis` on, in x's narrow dtype."""
    shape = n.shape(0)
    if shape is None or ge_name(n.elem(0)) not in _NARROW or n.int("stash_type", 1) != 1:
        return False
    tail = shape[axis:]
    given = [i for i in (1, 2) if n.has(i)]
    return -1 not in tail and all(n.shape(i) == tail and n.elem(i) == n.elem(0) for i in given)


@rule("InstanceNormalization", "6 22")
def instance_norm(n: Node) -> Outputs:
    """InstanceNorm: statistics over the spatial dims of each sample and channel."""
    rank = n.rank(0)
    if rank < 3:
        raise Refused("the input needs a spatial dim", "GX-333")
    attrs = {"data_format": "NCHW", "epsilon": n.float("epsilon", 1e-5)}
    return n.emit("InstanceNorm", [n.x(0), n.x(1), n.x(2)], attrs)


@rule("LayerNormalization", "17")
def layer_norm(n: Node) -> Outputs:
    """LayerNormV4; where scale and bias broadcast, or in f64, by its definition."""
    rank = n.rank(0)
    axis = n.axis(n.int("axis", -1), rank)
    epsilon = n.float("epsilon", 1e-5)
    if _fits(n, axis):
        shape = n.shape(0)
        assert shape is not None
        dims = n.constant(list(shape[axis:]), "shape", to_xdsl("int32"))
        inputs = [n.x(0), dims, n.x(1), n.optional(2)]
        return n.emit_all("LayerNormV4", inputs, {"epsilon": epsilon})
    x = n.x(0)
    if n.int("stash_type", 1) == 1:
        x = n.cast(x, to_xdsl("float32"), "Stash")
    y, mean, inverse = _normalise(n, x, list(range(axis, rank)), epsilon)
    y = n.cast(y, n.elem(0), "Unstash")
    bias = n.optional(2)
    if bias is None:
        return [n.emit("Mul", [y, n.x(1)]), mean, inverse]
    scaled = n.emit("Mul", [y, n.x(1)], role="Scaled")
    return [n.emit("Add", [scaled, bias]), mean, inverse]


@rule("RMSNormalization", "23")
def rms_norm(n: Node) -> Outputs:
    """RmsNorm; where the scale broadcasts, or in f64, by its definition."""
    rank = n.rank(0)
    axis = n.axis(n.int("axis", -1), rank)
    epsilon = n.float("epsilon", 1e-5)
    if _fits(n, axis):
        return n.emit("RmsNorm", [n.x(0), n.x(1)], {"epsilon": epsilon})
    x = n.x(0)
    if n.int("stash_type", 1) == 1:
        x = n.cast(x, to_xdsl("float32"), "Stash")
    axes = n.constant(list(range(axis, rank)), "axes")
    square = n.emit("Square", [x], role="Square")
    mean = n.emit("ReduceMean", [square, axes], {"keep_dims": True}, role="Mean")
    inverse = n.emit(
        "Rsqrt", [n.emit("Adds", [mean], {"value": epsilon}, role="Epsilon")], role="Rms"
    )
    y = n.cast(n.emit("Mul", [x, inverse], role="Normalised"), n.elem(0), "Unstash")
    return n.emit("Mul", [y, n.x(1)])


@rule("GroupNormalization", "18 21")
def group_norm(n: Node) -> Outputs:
    """GroupNorm; before 21 scale and bias are per group and repeated for its channels."""
    groups, shape = n.int("num_groups", 0), n.shape(0)
    if n.rank(0) < 2 or groups < 1:
        raise Refused("the input needs a channel dim and at least one group", "GX-333")
    scale, bias = n.x(1), n.x(2)
    if n.since < 21:
        assert shape is not None
        if shape[1] < 0:
            raise Refused("the number of channels must be known")
        each = max(shape[1] // groups, 1)
        places = n.constant([c // each for c in range(shape[1])], "group_of")
        axis = n.constant(0, "channel_axis")
        scale, bias = (
            n.emit("GatherV2", [v, places, axis], role=r)
            for v, r in ((scale, "Scales"), (bias, "Biases"))
        )
    attrs = {"num_groups": groups, "eps": n.float("epsilon", 1e-5)}
    return n.emit("GroupNorm", [n.x(0), scale, bias], attrs)
