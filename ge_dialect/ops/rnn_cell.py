"""One step of a plain recurrent layer (Caffe's RNNLayer).

Prototype: the public headers; formula: Caffe's layer, whose weights there are transposed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.infer.dims import UNKNOWN, merge_dim, require_rank
from ge_dialect.infer.errors import COUNT
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import bool_, int_, opt_tin, tin, tout
from ge_dialect.ir.types import tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_FLOATS = "float16, float32"


@ge_op
class BasicRNNCell(GeOp):
    """h_t = tanh(x·w_xh + bias_h + w_xh_x_static + (cont·h_0)·w_hh), o_t = tanh(h_t·w_ho + bias_o).

    x is [B, I], h_0 and the static part [B, H], cont [B] or [B, 1], weights are [in, out] (assumed;
    so is float32 of x and the weights). What is not connected is left out; h_0 and w_hh go
    together. num_output is H and the columns of o_t, 0 means whatever the weights have (assumed).
    expose_hidden changes no value.
    """

    name = "ge.BasicRNNCell"
    TYPES: ClassVar = {"T": _FLOATS, "C": _FLOATS}

    x = tin("T")
    cont = opt_tin("T")
    w_xh_x_static = opt_tin(_FLOATS)
    h_0 = opt_tin(_FLOATS)
    w_xh = tin("T")
    bias_h = tin("C")
    w_hh = opt_tin("T")
    w_ho = tin("T")
    bias_o = tin(_FLOATS)
    o_t = tout("C")
    h_t = tout("C")
    expose_hidden = bool_(False)
    num_output = int_(0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        sizes = {"B": UNKNOWN, "I": UNKNOWN, "H": UNKNOWN, "O": UNKNOWN, "1": 1}
        count = n.attr("num_output")
        if count < 0:
            n.fail("num_output must not be negative", found=count, expected="≥ 0")
        if count:
            sizes["H"] = sizes["O"] = count
        if n.has("h_0") != n.has("w_hh"):
            given = "h_0" if n.has("h_0") else "w_hh"
            n.fail("h_0 and w_hh go together", found=given, expected="both or none", code=COUNT)
        for name, letters in (
            ("x", "BI"),
            ("w_xh", "IH"),
            ("bias_h", "H"),
            ("w_ho", "HO"),
            ("bias_o", "O"),
            ("w_xh_x_static", "BH"),
            ("h_0", "BH"),
            ("w_hh", "HH"),
            ("cont", "B1"),
        ):
            shape = n.shape(name)
            require_rank(shape, (1, 2) if name == "cont" else len(letters), name)
            for size, letter in zip(shape or (), letters, strict=False):
                sizes[letter] = merge_dim(sizes[letter], size, f"sizes {letter} with {name}")
        batch, elem = sizes["B"], n.elem("bias_h")
        return tensor_type((batch, sizes["O"]), elem), tensor_type((batch, sizes["H"]), elem)
