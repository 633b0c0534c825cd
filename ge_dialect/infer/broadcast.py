"""Broadcasting by numpy's rule, with unknown dims."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ge_dialect.infer.dims import Shape, show
from ge_dialect.infer.errors import SHAPE, InferError
from ge_dialect.ir.types import tensor_type

if TYPE_CHECKING:
    from xdsl.ir import Attribute

    from ge_dialect.infer.node import InferNode


def broadcast_shapes(a: Shape, b: Shape) -> Shape:
    """The common shape of two operands.

    Dims are aligned at the end and a dim of 1 stretches. An unknown dim against a known one other
    than 1 takes the known one (it can only be 1 or that); against 1 or unknown it stays unknown.
    """
    if a == b:
        return a
    if a is None or b is None:
        return None
    if len(a) < len(b):
        a, b = b, a
    lead = len(a) - len(b)
    out = list(a)
    for i, y in enumerate(b, lead):
        x = a[i]
        if x == y or y == 1:
            continue
        if x == 1 or x < 0:
            out[i] = y
        elif y >= 0:
            raise InferError(
                "shapes do not broadcast",
                found=f"{show(a)} and {show(b)}" if lead >= 0 else None,
                expected="dims equal or 1, aligned at the end",
                code=SHAPE,
            )
    return tuple(out)


def broadcast_all(*shapes: Shape) -> Shape:
    """The common shape of any number of operands; rank 0 for none."""
    if not shapes:
        return ()
    out = shapes[0]
    for s in shapes[1:]:
        out = broadcast_shapes(out, s)
    return out


def broadcast_to(shape: Shape, target: Shape) -> Shape:
    """`target` when `shape` stretches to it in one direction, else an error.

    A target dim of -1 whose source dim is known and not 1 takes the source dim.
    """
    if shape is None or target is None:
        return target
    bad = len(shape) > len(target)
    out = list(target)
    if not bad:
        for i, x in enumerate(shape, len(target) - len(shape)):
            t = target[i]
            if x == t or x == 1 or x < 0:
                continue
            if t < 0:
                out[i] = x
            else:
                bad = True
                break
    if bad:
        raise InferError(
            "the shape does not broadcast to the target",
            found=show(shape),
            expected=f"a shape that stretches to {show(target)}",
            code=SHAPE,
        )
    return tuple(out)


def stretched(n: InferNode, *names: str) -> tuple[Attribute]:
    """One result: the inputs stretched to each other, with the dtype of the first."""
    shape = broadcast_all(*(n.shape(name) for name in names))
    return (tensor_type(shape, n.elem(names[0])),)
