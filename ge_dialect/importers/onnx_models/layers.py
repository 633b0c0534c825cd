"""Layers that several models share, as PyTorch's exporter writes them."""

from __future__ import annotations

from ge_dialect.importers.onnx_models.writer import ModelWriter, Size


def linear(w: ModelWriter, x: str, n_in: int, n_out: int, *, bias: bool = True) -> str:
    """A linear layer on a tensor of more than two axes: MatMul with the transposed weight, Add."""
    y = w.op("MatMul", x, w.weight("weight", (n_in, n_out), n_in))
    return w.op("Add", w.vector("bias", n_out), y) if bias else y


def gemm(w: ModelWriter, x: str, n_in: int, n_out: int) -> str:
    """A linear layer on a matrix."""
    weight = w.weight("weight", (n_out, n_in), n_in)
    return w.op("Gemm", x, weight, w.vector("bias", n_out), alpha=1.0, beta=1.0, transB=1)


def reduce_mean(w: ModelWriter, x: str) -> str:
    """Mean over the last axis, kept; the axis is an input from opset 18 on."""
    if w.opset >= 18:
        return w.op("ReduceMean", x, w.constant([-1]))
    return w.op("ReduceMean", x, axes=[-1])


def rms_norm(w: ModelWriter, x: str, n: int, epsilon: float) -> str:
    """x over its root mean square: RMSNormalization from opset 23 on, its parts before."""
    scale = w.vector("weight", n, 1.0)
    if w.opset >= 23:
        return w.op("RMSNormalization", x, scale, axis=-1, epsilon=epsilon)
    wide = w.widened(x)  # computed in float32 whatever the model's type is
    one, two, small = (w.constant(c, "float32") for c in (1.0, 2.0, epsilon))
    root = w.op("Sqrt", w.op("Add", reduce_mean(w, w.op("Pow", wide, two)), small))
    return w.op("Mul", scale, w.narrowed(w.op("Mul", wide, w.op("Div", one, root))))


def layer_norm(w: ModelWriter, x: str, n: int, epsilon: float) -> str:
    """LayerNormalization from opset 17 on, its parts before."""
    scale, shift = w.vector("weight", n, 1.0), w.vector("bias", n)
    if w.opset >= 17:
        return w.op("LayerNormalization", x, scale, shift, axis=-1, epsilon=epsilon)
    mean = reduce_mean(w, x)
    centred = w.op("Sub", x, mean)
    square = w.op("Pow", centred, w.scalar(2.0))
    variance = reduce_mean(w, square)
    deviation = w.op("Sqrt", w.op("Add", variance, w.scalar(epsilon)))
    scaled = w.op("Mul", w.op("Div", centred, deviation), scale)
    return w.op("Add", scaled, shift)


def gelu_erf(w: ModelWriter, x: str) -> str:
    """x · 0.5 · (1 + erf(x / √2)): Gelu from opset 20 on, five nodes before."""
    if w.opset >= 20:
        return w.op("Gelu", x)
    inner = w.op("Erf", w.op("Div", x, w.scalar(2**0.5)))
    return w.op("Mul", w.op("Mul", x, w.op("Add", inner, w.scalar(1.0))), w.scalar(0.5))


def gelu_tanh(w: ModelWriter, x: str) -> str:
    """The tanh form: Gelu from opset 20 on, spelled out as in GPT-2 before."""
    if w.opset >= 20:
        return w.op("Gelu", x, approximate="tanh")
    half = w.op("Mul", x, w.scalar(0.5))
    cubic = w.op("Mul", w.op("Pow", x, w.scalar(3.0)), w.scalar(0.044715))
    inner = w.op("Mul", w.op("Add", x, cubic), w.scalar(0.7978845608028654))
    return w.op("Mul", half, w.op("Add", w.op("Tanh", inner), w.scalar(1.0)))


def silu(w: ModelWriter, x: str) -> str:
    """x · sigmoid(x), two nodes."""
    return w.op("Mul", x, w.op("Sigmoid", x))


def split_heads(
    w: ModelWriter,
    x: str,
    batch: Size,
    length: Size,
    heads: int,
    size: int,
    *,
    turned: bool = False,
) -> str:
    """(batch, length, heads · size) to (batch, heads, length, size), or `turned` the last two."""
    parts = w.reshape(x, batch, length, heads, size)
    return w.op("Transpose", parts, perm=[0, 2, 3, 1] if turned else [0, 2, 1, 3])


def attention(
    w: ModelWriter, query: str, keys: str, values: str, size: int, mask: str | None
) -> str:
    """softmax(query · keysᵀ / √size + mask) · values; Attention from opset 23 on.

    All of (batch, heads, length, size), the keys turned before opset 23 (see `keys_turned`).
    """
    if w.opset >= 23:
        given = [query, keys, values, *([mask] if mask else [])]
        return w.op("Attention", *given, scale=size**-0.5)
    scores = w.op("Div", w.op("MatMul", query, keys), w.scalar(size**0.5))
    if mask is not None:
        scores = w.op("Add", scores, mask)
    return w.op("MatMul", w.op("Softmax", scores, axis=-1), values)


def keys_turned(w: ModelWriter) -> bool:
    """Whether `attention` wants the keys with the last two axes exchanged."""
    return w.opset < 23


def join_heads(w: ModelWriter, x: str, batch: Size, length: Size, width: int) -> str:
    """(batch, heads, length, size) to (batch, length, width)."""
    return w.reshape(w.op("Transpose", x, perm=[0, 2, 1, 3]), batch, length, width)


def conv(
    w: ModelWriter,
    x: str,
    c_in: int,
    c_out: int,
    kernel: int,
    *,
    stride: int = 1,
    group: int = 1,
    bias: bool = True,
    gain: float = 1.0,
) -> str:
    """A square convolution that keeps the size, divided by the stride."""
    pad = (kernel - 1) // 2
    fan_in = c_in // group * kernel * kernel
    held = [w.weight("weight", (c_out, c_in // group, kernel, kernel), fan_in, gain)]
    if bias:
        held.append(w.vector("bias", c_out))
    return w.op(
        "Conv",
        x,
        *held,
        dilations=[1, 1],
        group=group,
        kernel_shape=[kernel, kernel],
        pads=[pad] * 4,
        strides=[stride, stride],
    )


def batch_norm(w: ModelWriter, x: str, n: int, *, damped: bool = False) -> str:
    """Batch normalisation in inference; `damped` at the end of a residual branch."""
    held = (
        w.vector("weight", n, 0.4 if damped else 1.0),
        w.vector("bias", n),
        w.vector("running_mean", n),
        w.positive("running_var", n),
    )
    return w.op("BatchNormalization", x, *held, epsilon=1e-5, momentum=0.9)


def group_norm(w: ModelWriter, x: str, n: int, groups: int, epsilon: float) -> str:
    """GroupNormalization from opset 21 on; before, by way of InstanceNormalization."""
    import numpy as np

    if w.opset >= 21:
        held = w.vector("weight", n, 1.0), w.vector("bias", n)
        return w.op("GroupNormalization", x, *held, num_groups=groups, epsilon=epsilon)
    rows = w.op("Reshape", x, w.constant([0, groups, -1]))
    ones = w.constant(np.ones(groups), "real")
    zeros = w.constant(np.zeros(groups), "real")
    y = w.op("InstanceNormalization", rows, ones, zeros, epsilon=epsilon)
    y = w.op("Reshape", y, w.op("Shape", x))
    scale = w.unsqueeze(w.vector("weight", n, 1.0), 1, 2)
    return w.op("Add", w.op("Mul", y, scale), w.unsqueeze(w.vector("bias", n), 1, 2))
