"""ONNX exports: losses of classes and of pairs."""

from __future__ import annotations

from ge_dialect.exporters.onnx_node import Out
from ge_dialect.exporters.onnx_rules import Results, export
from ge_dialect.exporters.onnx_values import NoCounterpart, Val


@export("SmoothL1Loss")
def smooth_l1_loss(n: Out) -> Results:
    """A parabola near 0 that goes on as a line."""
    a, b = n.wides(0, 1)
    sigma = n.attrs["sigma"]
    d = n.emit("Abs", [n.emit("Sub", [a, b])])
    near = n.binary("Div", n.emit("Mul", [d, d], "Square"), 2 * sigma, "Parabola")
    far = n.binary("Sub", d, sigma / 2, "Line")
    return n.emit("Where", [n.binary("Less", d, sigma, "Near"), near, far])


@export("SigmoidCrossEntropyWithLogits")
def sigmoid_cross_entropy(n: Out) -> Results:
    """max(x, 0) - x · target + Softplus(-|x|)."""
    x, target = n.wides(0, 1)
    high = n.emit("Max", [x, n.like(0, x, "zero")])
    level = n.emit("Sub", [high, n.emit("Mul", [x, target])])
    return n.emit("Add", [level, n.emit("Softplus", [n.emit("Neg", [n.emit("Abs", [x])])])])


def _one_hot(n: Out, classes: Val, count: int, axis: int) -> Val:
    """Booleans: whether a class along `axis` is the target's."""
    both = n.constant([0, 1], "values")
    depth = n.constant(count, "depth")
    hot = n.emit("OneHot", [classes, depth, both], axis=axis)
    return n.cast(hot, "bool")


def _classes(n: Out, index: int) -> tuple[Val, Val]:
    """Class numbers, 0 for those ignored, and which count."""
    given = n.int64(index)
    ignored = n.emit("Equal", [given, n.constant(n.attrs["ignore_index"], "ignored")])
    chosen = n.emit("Where", [ignored, n.constant(0, "none"), given])
    return chosen, n.emit("Not", [ignored])


def _weights(n: Out, index: int, chosen: Val, counts: Val, like: Val) -> Val:
    """The weight of each example, 0 for those that do not count."""
    if not n.has(index):
        return n.cast(counts, like.elem)
    picked = n.emit("Gather", [n.cast(n.x(index), like.elem), chosen])
    return n.emit("Where", [counts, picked, n.like(0, like, "nothing")])


def _channels(n: Out) -> int:
    shape = n.shape(0)
    if shape is None or len(shape) < 2 or shape[1] < 1:
        raise NoCounterpart("the number of classes must be known")
    return shape[1]


@export("NLLLoss")
def nll_loss(n: Out) -> Results:
    """NegativeLogLikelihoodLoss, with the sum of the weights beside it."""
    _channels(n)
    x = n.wide(0)
    weight = n.cast(n.x(2), x.elem) if n.has(2) else None
    target = n.int64(1)
    attrs = {"ignore_index": n.attrs["ignore_index"], "reduction": n.attrs["reduction"]}
    y = n.emit("NegativeLogLikelihoodLoss", [x, target, weight], **attrs)
    if not n.wants(1):
        return [y, None]
    weights = _weights(n, 2, *_classes(n, 1), x)
    return [y, n.emit("ReduceSum", [weights], "Total", keepdims=0)]


@export("NLLLossGrad")
def nll_loss_grad(n: Out) -> Results:
    """One entry per example, at its target."""
    count = _channels(n)
    x, upstream = n.wides(0, 1)
    chosen, counts = _classes(n, 2)
    weights = _weights(n, 3, chosen, counts, x)
    if n.attrs["reduction"] != "none":
        upstream = n.reshape(upstream, [], "Scalar")
    entries = n.emit("Mul", [n.emit("Neg", [weights]), upstream])
    if n.attrs["reduction"] == "mean":
        total = n.reshape(n.cast(n.x(4), x.elem), [], "Total")
        entries = n.emit("Div", [entries, total])
    entries = n.emit("Where", [counts, entries, n.like(0, x, "skipped")])
    here = _one_hot(n, chosen, count, 1)
    return n.emit("Where", [here, n.unsqueeze(entries, [1], "Spread"), n.like(0, x, "zero")])


@export("SoftmaxCrossEntropyLoss")
def softmax_cross_entropy_loss(n: Out) -> Results:
    """SoftmaxCrossEntropyLoss."""
    x = n.wide(0)
    weight = n.cast(n.x(2), x.elem) if n.has(2) else None
    attrs = {"ignore_index": n.attrs["ignore_index"], "reduction": n.attrs["reduction"]}
    return n.emit_all("SoftmaxCrossEntropyLoss", [x, n.int64(1), weight], 2, attrs)


@export("SoftmaxCrossEntropyWithLogits")
def softmax_cross_entropy(n: Out) -> Results:
    """-sum(labels · LogSoftmax), and softmax - labels."""
    if n.shape(0) != n.shape(1) or n.shape(0) is None:
        raise NoCounterpart("features and labels must have one shape")
    features, labels = n.wides(0, 1)
    logs = n.emit("LogSoftmax", [features], axis=1)
    total = n.reduce("ReduceSum", n.emit("Mul", [labels, logs]), [1], False, "Sum")
    return [n.emit("Neg", [total]), n.emit("Sub", [n.emit("Exp", [logs]), labels])]


@export("SparseSoftmaxCrossEntropyWithLogits")
def sparse_softmax_cross_entropy(n: Out) -> Results:
    """The same with one class per example."""
    x = n.wide(0)
    logs = n.emit("LogSoftmax", [x], axis=1)
    labels = n.int64(1)
    picked = n.emit("GatherElements", [logs, n.unsqueeze(labels, [1], "Column")], axis=1)
    here = n.cast(_one_hot(n, labels, _channels(n), 1), x.elem)
    loss = n.emit("Neg", [n.squeeze(picked, [1], "Row")])
    return [loss, n.emit("Sub", [n.emit("Exp", [logs]), here])]
