"""Columns of windows summed back into images (PyTorch's fold)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.infer.dims import UNKNOWN, merge_dim, product, require_rank
from ge_dialect.infer.errors import LENGTH
from ge_dialect.infer.window import (
    require_at_least_zero,
    require_length,
    require_positive,
    window_output,
)
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import ints, tin, tout
from ge_dialect.ir.types import tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode


@ge_op
class Col2im(GeOp):
    """x [N, C, kh·kw, L] has at l what window l saw of an image; y [N, C, H, W] sums it there.

    output_size is H, W; L counts the positions of the window, row by row. What lies in the padding
    is lost. The transpose of taking windows.
    """

    name = "ge.Col2im"
    TYPES: ClassVar = {"T": "FLOAT"}

    x = tin("T")
    output_size = tin("int32")
    y = tout("T")
    kernel_size = ints()
    dilation = ints()
    padding = ints()
    stride = ints()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        x, sizes = n.shape("x"), n.ints("output_size")
        require_rank(x, 4, "x")
        if n.vector_length("output_size") not in (None, 2):
            found = n.vector_length("output_size")
            n.fail("output_size has the wrong number of entries", found=found, expected=2,
                   code=LENGTH)  # fmt: skip
        lists = {name: n.attr(name) for name in ("kernel_size", "dilation", "padding", "stride")}
        for name, values in lists.items():
            require_length(values, 2, name)
            (require_at_least_zero if name == "padding" else require_positive)(values, name)
        lead = (UNKNOWN, UNKNOWN)
        if x is not None:
            lead = x[:2]
            merge_dim(x[2], product(lists["kernel_size"]), "elements of x and of the window")
        if sizes is None:
            return (tensor_type((*lead, UNKNOWN, UNKNOWN), n.elem("x")),)
        require_at_least_zero(sizes, "output_size")
        count = product(
            window_output(
                sizes[a],
                lists["kernel_size"][a],
                lists["stride"][a],
                lists["padding"][a],
                lists["padding"][a],
                lists["dilation"][a],
            )
            for a in (0, 1)
        )
        if x is not None:
            merge_dim(x[3], count, "columns of x and positions of the window")
        return (tensor_type((*lead, *sizes), n.elem("x")),)
