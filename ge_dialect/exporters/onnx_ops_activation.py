"""ONNX exports: activations."""

from __future__ import annotations

import math

from ge_dialect.exporters.onnx_node import Out
from ge_dialect.exporters.onnx_rules import Results, export
from ge_dialect.exporters.onnx_values import NoCounterpart, Val

# Constants of SELU that ONNX has as defaults, in f32 as GE's.
_SELU = (1.67326319217681884765625, 1.05070102214813232421875)


@export("Relu6")
def relu6(n: Out) -> Results:
    """Clip to 0 and 6."""
    x = n.x()
    return n.emit("Clip", [x, n.like(0, x, "low"), n.like(6, x, "high")])


@export("LeakyRelu")
def leaky_relu(n: Out) -> Results:
    """LeakyRelu."""
    return n.emit("LeakyRelu", [n.x()], alpha=n.attrs["negative_slope"])


@export("PRelu")
def prelu(n: Out) -> Results:
    """PRelu with a vector of slopes along axis 1."""
    slope, rank = n.x(1), n.rank(0)
    if n.shape(1) not in ((), (1,)) and n.rank(1) == 1 and rank > 2:
        slope = n.unsqueeze(slope, range(1, rank - 1), "Slope")
    return n.emit("PRelu", [n.x(0), slope])


@export("Elu")
def elu(n: Out) -> Results:
    """Elu or Celu; other scales by the definition."""
    alpha, scale, inner = (n.attrs[a] for a in ("alpha", "scale", "input_scale"))
    x = n.x()
    if scale == inner == 1.0:
        return n.emit("Elu", [x], alpha=alpha)
    if scale == 1.0 and n.dtype() == "float32" and math.isclose(alpha * inner, 1, rel_tol=1e-6):
        return n.emit("Celu", [x], alpha=alpha)
    if inner == 1.0:
        return n.emit("Selu", [x], alpha=alpha, gamma=scale)
    x = n.wide()
    zero = n.like(0, x, "zero")
    below = n.binary("Mul", n.emit("Min", [x, zero]), inner, "Inner")
    if inner > 0:
        left = n.emit("Elu", [below], alpha=alpha)
    else:  # Elu lets what is positive by
        left = n.binary("Mul", n.binary("Sub", n.emit("Exp", [below]), 1.0, "Less"), alpha, "Alpha")
    y = n.emit("Where", [n.emit("Greater", [x, zero]), x, left])
    return y if scale == 1.0 else n.binary("Mul", y, scale, "Scale")


@export("Selu")
def selu(n: Out) -> Results:
    """Selu with its own constants."""
    return n.emit("Selu", [n.x()])


@export("HardSigmoid")
def hard_sigmoid(n: Out) -> Results:
    """HardSigmoid with both attributes."""
    if not n.is_float():
        raise NoCounterpart("integers are not supported")
    return n.emit("HardSigmoid", [n.x()], alpha=n.attrs["alpha"], beta=n.attrs["beta"])


def _gelu(n: Out, approximate: str) -> Val:
    """Gelu (from opset 20), or its definition."""
    x = n.x()
    if n.opset >= 20:
        return n.emit("Gelu", [x], approximate=approximate)
    x = n.wide()
    if approximate == "none":
        inner = n.emit("Erf", [n.binary("Mul", x, math.sqrt(0.5), "Root")])
    else:
        cube = n.emit("Mul", [n.emit("Mul", [x, x]), x])
        total = n.emit("Add", [x, n.binary("Mul", cube, 0.044715, "Cubic")])
        inner = n.emit("Tanh", [n.binary("Mul", total, math.sqrt(2 / math.pi), "Slope")])
    share = n.binary("Mul", n.binary("Add", inner, 1.0, "Shift"), 0.5, "Half")
    return n.emit("Mul", [x, share])


@export("Gelu")
def gelu(n: Out) -> Results:
    """Gelu with the approximation by tanh."""
    return _gelu(n, "tanh")


@export("GeluV2")
def gelu_v2(n: Out) -> Results:
    """Gelu."""
    return _gelu(n, "tanh" if n.attrs["approximate"] == "tanh" else "none")


@export("Swish")
def swish(n: Out) -> Results:
    """Swish (from opset 24), or x · Sigmoid."""
    x, scale = n.x(), n.attrs["scale"]
    if n.opset >= 24:
        return n.emit("Swish", [x], alpha=scale)
    x = n.wide()
    inner = x if scale == 1.0 else n.binary("Mul", x, scale, "Scale")
    return n.emit("Mul", [x, n.emit("Sigmoid", [inner])])


@export("SwiGlu")
def swi_glu(n: Out) -> Results:
    """Split in halves; the first times its Sigmoid times the second."""
    axis = n.axis(n.attrs["dim"])
    a, b = n.emit_all("Split", [n.wide()], 2, {"axis": axis, "num_outputs": 2})
    return n.emit("Mul", [n.emit("Mul", [a, n.emit("Sigmoid", [a])]), b])


@export("ReluGrad")
def relu_grad(n: Out) -> Results:
    """Where the feature is positive, else zero."""
    x = n.x(1)
    positive = n.emit("Greater", [x, n.like(0, x, "zero")])
    return n.emit("Where", [positive, n.x(0), n.like(0, n.x(0), "none")])


def _over(n: Out) -> list[int]:
    axes = list(n.attrs["axes"])
    shape = n.shape()
    if shape is None:
        return axes
    if not shape:
        return []
    return sorted({n.axis(a) for a in axes})


@export("SoftmaxV2")
def softmax(n: Out) -> Results:
    """Softmax; over several axes by the definition."""
    axes, x = _over(n), n.wide() if n.attrs["half_to_float"] else n.x()
    if len(axes) == 1:
        return n.emit("Softmax", [x], axis=axes[0])
    if not axes:
        return n.emit("Exp", [n.emit("Sub", [x, x])])
    x = n.wide()
    top = n.reduce("ReduceMax", x, axes, True)
    e = n.emit("Exp", [n.emit("Sub", [x, top])])
    return n.emit("Div", [e, n.reduce("ReduceSum", e, axes, True)])


@export("LogSoftmaxV2")
def log_softmax(n: Out) -> Results:
    """LogSoftmax; over several axes by the definition."""
    axes, x = _over(n), n.x()
    if len(axes) == 1:
        return n.emit("LogSoftmax", [x], axis=axes[0])
    if not axes:
        return n.emit("Sub", [x, x])
    x = n.wide()
    shifted = n.emit("Sub", [x, n.reduce("ReduceMax", x, axes, True)])
    total = n.reduce("ReduceSum", n.emit("Exp", [shifted]), axes, True)
    return n.emit("Sub", [shifted, n.emit("Log", [total])])
