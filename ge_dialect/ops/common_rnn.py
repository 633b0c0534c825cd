"""LSTM and GRU as ONNX defines them: weights per direction, gates iofc and zrh.

Source: ONNX's LSTM and GRU, which CANN's importer maps to these operators.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.infer.dims import UNKNOWN, merge_dim, refine, require_rank
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import float_, floats, int_, opt_tin, string, strings, tin, tout
from ge_dialect.ir.types import tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_FLOATS = "FLOAT, float64"  # beyond float16 and float32 assumed
DIRECTIONS = {"forward": 1, "reverse": 1, "bidirectional": 2}


def _layer(n: InferNode, gates: int, states: Sequence[str]) -> tuple[int, int, int, int]:
    """Steps, directions, batch and hidden size; an error where inputs do not fit."""
    direction, hidden = n.attr("direction"), n.attr("hidden_size")
    if direction not in DIRECTIONS:
        n.fail("direction is not supported", found=direction, expected=", ".join(DIRECTIONS))
    if hidden < 1:
        n.fail("hidden_size must be positive", found=hidden, expected="≥ 1")
    count, shape = DIRECTIONS[direction], n.shape("x")
    require_rank(shape, 3, "x")
    steps, batch, inner = (UNKNOWN,) * 3 if shape is None else shape
    for name, want in (
        ("w", (count, gates * hidden, inner)),
        ("r", (count, gates * hidden, hidden)),
        ("b", (count, 2 * gates * hidden)),
    ):
        if n.has(name):
            refine(n.shape(name), want, f"{name} and what x and hidden_size want")
    for name in states:
        given = n.shape(name)
        require_rank(given, 3, name)
        if given is not None:
            batch = merge_dim(batch, given[1], f"batches of x and {name}")
            refine(given, (count, batch, hidden), f"{name} and what x and hidden_size want")
    lengths = n.shape("sequence_lens")
    require_rank(lengths, 1, "sequence_lens")
    if lengths is not None:
        batch = merge_dim(batch, lengths[0], "batches of x and sequence_lens")
    return steps, count, batch, hidden


@ge_op
class CommonLSTM(GeOp):
    """ONNX's LSTM: i, o, f are sigmoids and c̃ a tanh of x · wᵀ + h · rᵀ + b, in this order.

    c = f · c + i · c̃, h = o · tanh(c); p holds the peepholes of i, o, f. sequence_lens ends a
    sample: its y is 0 from there on, its last states are those of its last step. y is [T,
    directions, B, H], y_h and y_c [directions, B, H]. Other activations and input_forget are not
    evaluated.
    """

    name = "ge.CommonLSTM"
    TYPES: ClassVar = {"T": _FLOATS}

    x = tin("T")
    w = tin("T")
    r = tin("T")
    b = opt_tin("T")
    sequence_lens = opt_tin("int32")
    initial_h = opt_tin("T")
    initial_c = opt_tin("T")
    p = opt_tin("T")
    y = tout("T")
    y_h = tout("T")
    y_c = tout("T")
    activation_alpha = floats([])
    activation_beta = floats([])
    activations = strings([])
    clip = float_(-1.0)
    direction = string("forward")
    hidden_size = int_()
    input_forget = int_(0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        steps, count, batch, hidden = _layer(n, 4, ("initial_h", "initial_c"))
        if n.has("p"):
            refine(n.shape("p"), (count, 3 * hidden), "p and what hidden_size wants")
        elem = n.elem("x")
        last = tensor_type((count, batch, hidden), elem)
        return (tensor_type((steps, count, batch, hidden), elem), last, last)


@ge_op
class CommonGRU(GeOp):
    """ONNX's GRU: z and r are sigmoids of x · wᵀ + h · rᵀ + b, h̃ a tanh; in the order z, r, h.

    h̃ takes (r ⊙ h) · rᵀ, with linear_before_reset r ⊙ (h · rᵀ + its bias); h = (1 - z) · h̃ + z · h.
    Results and sequence_lens as in CommonLSTM.
    """

    name = "ge.CommonGRU"
    TYPES: ClassVar = {"T": _FLOATS}

    x = tin("T")
    w = tin("T")
    r = tin("T")
    b = opt_tin("T")
    sequence_lens = opt_tin("int32")
    initial_h = opt_tin("T")
    y = tout("T")
    y_h = tout("T")
    activation_alpha = floats([])
    activation_beta = floats([])
    activations = strings([])
    clip = float_(-1.0)
    direction = string("forward")
    hidden_size = int_()
    linear_before_reset = int_(0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        steps, count, batch, hidden = _layer(n, 3, ("initial_h",))
        elem = n.elem("x")
        last = tensor_type((count, batch, hidden), elem)
        return (tensor_type((steps, count, batch, hidden), elem), last)
