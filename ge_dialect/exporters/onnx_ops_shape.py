"""ONNX exports: the same elements in another shape, and questions about shapes."""

from __future__ import annotations

from ge_dialect.dtypes import from_enum
from ge_dialect.exporters.onnx_node import Out
from ge_dialect.exporters.onnx_rules import Results, export
from ge_dialect.exporters.onnx_values import NoCounterpart, Val
from ge_dialect.ir.types import shape_of


@export("Reshape")
def reshape(n: Out) -> Results:
    """Reshape; with `axis` and `num_axes` to the shape of the result, which must be known."""
    if n.attrs["axis"] == 0 and n.attrs["num_axes"] == -1:
        dims, shape = n.ints(1), n.shape()
        if dims is not None and 0 in dims and shape is not None and 0 in shape:
            # GE copies no dim of a tensor without elements: zeros are sizes there.
            return n.emit("Reshape", [n.x(), n.int64(1)], allowzero=1)
        return n.emit("Reshape", [n.x(), n.int64(1)])
    target = shape_of(n.result())
    if target is None or sum(d < 0 for d in target) > 1:
        raise NoCounterpart("the shape of the result must be known")
    return n.emit("Reshape", [n.x(), n.constant(list(target), "dims")], allowzero=int(0 in target))


@export("Flatten")
def flatten(n: Out) -> Results:
    """Flatten."""
    axis, shape = n.attrs["axis"], n.shape()
    if shape is not None:
        axis = n.axis(axis) if shape else 0
    return n.emit("Flatten", [n.x()], axis=axis)


def _squeeze(n: Out, axes: list[int] | None) -> Results:
    if not axes:
        return n.emit("Squeeze", [n.x()])
    return n.squeeze(n.x(), axes)


@export("Squeeze")
def squeeze(n: Out) -> Results:
    """Squeeze."""
    return _squeeze(n, list(n.attrs["axis"]))


@export("SqueezeV3")
def squeeze_v3(n: Out) -> Results:
    """Squeeze with its axes as an input."""
    if n.has(1) and n.ints(1) is None:
        return n.emit("Squeeze", [n.x(), n.int64(1)])
    return _squeeze(n, n.ints(1))


@export("Unsqueeze")
def unsqueeze(n: Out) -> Results:
    """Unsqueeze; Identity without axes."""
    axes = list(n.attrs["axes"])
    return n.unsqueeze(n.x(), axes) if axes else n.emit("Identity", [n.x()])


@export("UnsqueezeV3", "ExpandDims")
def unsqueeze_v3(n: Out) -> Results:
    """Unsqueeze with its axes as an input."""
    axes = n.ints(1)
    if axes is not None:
        return n.unsqueeze(n.x(), axes) if axes else n.emit("Identity", [n.x()])
    axis = n.int64(1)
    return n.emit("Unsqueeze", [n.x(), n.vector(1) if n.shape(1) == () else axis])


@export("TransposeD")
def transpose_d(n: Out) -> Results:
    """Transpose."""
    return n.emit(
        "Transpose",
        [n.x()],
        perm=[n.axis(a, len(p)) for a in p] if (p := n.attrs["perm"]) else None,
    )


@export("Transpose")
def transpose(n: Out) -> Results:
    """Transpose; its order must be constant."""
    perm = n.need_ints(1, "perm")
    return n.emit("Transpose", [n.x()], perm=[n.axis(a, len(perm)) for a in perm] or None)


def _index(n: Out, value: Val) -> Val:
    return n.cast(value, from_enum(n.attrs["dtype"]))


@export("Shape")
def shape(n: Out) -> Results:
    """Shape; a Cast where int32 is asked for, which is GE's default."""
    return _index(n, n.emit("Shape", [n.x()]))


@export("Size")
def size(n: Out) -> Results:
    """Size, cast like Shape."""
    return _index(n, n.emit("Size", [n.x()]))


@export("Rank")
def rank(n: Out) -> Results:
    """Size of Shape."""
    return n.cast(n.emit("Size", [n.emit("Shape", [n.x()])]), "int32")
