"""The feed-forward layer of a transformer as one operator, of one expert or several.

Public descriptions: aclnnFFN and its kernel; the activations are those of the Ascend C library.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import to_xdsl
from ge_dialect.infer.dims import UNKNOWN, merge_dim, require_rank
from ge_dialect.infer.errors import SHAPE
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import bool_, int_, opt_tin, string, tin, tout
from ge_dialect.ir.types import tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_F16 = to_xdsl("float16")
PLAIN = ("fastgelu", "relu", "silu", "gelu")
GATED = ("geglu", "swiglu", "reglu")


@ge_op
class FFN(GeOp):
    """act(x · weight1 + bias1) · weight2 + bias2, with what act gives rounded to x's dtype.

    `activation` relu; silu, x / (1 + exp(-x)); fastgelu, x / (1 + exp(-1.702·x)); gelu, by tanh.
    geglu, swiglu and reglu are the first half of the columns times gelu, silu or relu of the
    second.

    With expert_tokens, the numbers of rows of each expert (or, with `tokens_index_flag`, where
    these rows end), weights and biases have a further first axis. Quantised forms are carried, not
    evaluated.
    """

    name = "ge.FFN"
    TYPES: ClassVar = {"T": "float16, int8"}

    x = tin("T")
    weight1 = tin("T")
    weight2 = tin("T")
    expert_tokens = opt_tin("int64")
    bias1 = opt_tin("float16, int32")
    bias2 = opt_tin("float16, int32")
    scale = opt_tin("float32")
    offset = opt_tin("float32")
    deq_scale1 = opt_tin("uint64")
    deq_scale2 = opt_tin("uint64")
    antiquant_scale1 = opt_tin("float16")
    antiquant_scale2 = opt_tin("float16")
    antiquant_offset1 = opt_tin("float16")
    antiquant_offset2 = opt_tin("float16")
    y = tout("float16")
    activation = string()
    inner_precise = int_(0)
    output_dtype = int_(-1)
    tokens_index_flag = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        name, experts = n.attr("activation"), n.has("expert_tokens")
        if name not in (*PLAIN, *GATED):
            n.fail("activation is not supported", found=name, expected=", ".join((*PLAIN, *GATED)))
        if n.attr("output_dtype") not in (-1, 0):
            found = n.attr("output_dtype")
            n.fail("output_dtype is not supported", found=found, expected="-1 or 0, float16")
        if experts and name in GATED:
            n.fail("experts have no gate", found=name, expected=", ".join(PLAIN))
        shape = n.shape("x")
        require_rank(shape, range(2, 9), "x")
        require_rank(n.shape("expert_tokens"), 1, "expert_tokens")
        hidden = _columns(n, 1, UNKNOWN if shape is None else shape[-1], experts)
        if name in GATED and hidden != UNKNOWN:
            if hidden % 2:
                n.fail("the halves differ", found=hidden, expected="an even number", code=SHAPE)
            hidden //= 2
        columns = _columns(n, 2, hidden, experts)
        return (tensor_type(None if shape is None else (*shape[:-1], columns), _F16),)


def _columns(n: InferNode, number: int, inner: int, experts: bool) -> int:
    """Columns of a weight, whose rows must be `inner` and which its bias must fit."""
    weight, bias = n.shape(f"weight{number}"), n.shape(f"bias{number}")
    require_rank(weight, 3 if experts else 2, f"weight{number}")
    require_rank(bias, 2 if experts else 1, f"bias{number}")
    if weight is None:
        return UNKNOWN if bias is None else bias[-1]
    merge_dim(inner, weight[-2], f"what meets the rows of weight{number}")
    columns = weight[-1]
    if bias is not None:
        columns = merge_dim(columns, bias[-1], f"columns of weight{number} and bias{number}")
    tokens = n.shape("expert_tokens")
    for count, what in ((weight[0], "weight"), (None if bias is None else bias[0], "bias")):
        if experts and tokens is not None and count is not None:
            merge_dim(tokens[0], count, f"expert_tokens and {what}{number}")
    return columns
