"""Contractions by an equation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.infer.broadcast import broadcast_all
from ge_dialect.infer.dims import Shape, merge_dim, show
from ge_dialect.infer.einsum import split_equation, terms
from ge_dialect.infer.errors import COUNT, RANK
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import dyn_tin, int_, string, tout
from ge_dialect.ir.types import tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode


@ge_op
class Einsum(GeOp):
    """Sum of products over the axes whose letter does not stand behind the arrow of `equation`.

    numpy's rules: without an arrow the letters that occur once, in alphabetical order; `...` stands
    for further axes, which broadcast; a letter twice in one term takes the diagonal.
    """

    name = "ge.Einsum"
    TYPES: ClassVar = {"T": "RealNumberType, complex64, complex128"}  # wider than the headers

    x = dyn_tin("T")
    y = tout("T")
    equation = string()
    N = int_()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shapes = n.shapes("x")
        if len(shapes) != n.attr("N") or not shapes:
            n.fail(
                "N is not the number of inputs",
                found=n.attr("N"),
                expected=len(shapes),
                code=COUNT,
            )
        inputs, output = split_equation(n.attr("equation"), len(shapes))
        sizes: dict[str, int] = {}
        extra: list[Shape] = []
        for term, shape in zip(inputs, shapes, strict=True):
            extra.append(_bind(n, term, shape, sizes))
        wide: Shape = () if not any("..." in t for t in inputs) else broadcast_all(*extra)
        if "..." in output and wide is None:
            return (tensor_type(None, n.elem("x")),)
        dims: list[int] = []
        for part in terms(output):
            dims.extend(wide or () if part == "..." else [sizes[part]])
        return (tensor_type(tuple(dims), n.elem("x")),)


def _bind(n: InferNode, term: str, shape: Shape, sizes: dict[str, int]) -> Shape:
    """Give the letters of a term their sizes; the dims that its dots stand for."""
    parts = terms(term)
    dots = parts.index("...") if "..." in parts else None
    letters = len(parts) - (dots is not None)
    if shape is None:
        for part in parts:
            if part != "...":
                sizes.setdefault(part, -1)
        return () if dots is None else None
    if len(shape) < letters or (dots is None and len(shape) != letters):
        n.fail(
            "a term of the equation has another rank than its input",
            found=f"{term!r} for {show(shape)}",
            expected=f"{letters} axes",
            code=RANK,
        )
    spread = len(shape) - letters
    axis = 0
    extra: Shape = ()
    for part in parts:
        if part == "...":
            extra = shape[axis : axis + spread]
            axis += spread
            continue
        size = shape[axis]
        axis += 1
        sizes[part] = merge_dim(sizes[part], size, f"sizes of {part}") if part in sizes else size
    return extra
