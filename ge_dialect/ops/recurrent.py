"""Recurrent layers: LSTM and GRU over time, and one step of an LSTM.

Sources: the public documents and reference of ops-nn's dynamic_rnn, MindSpore's DynamicGRUV2 and
BasicLSTMCell, TensorFlow's BasicLSTMCell.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.infer.dims import UNKNOWN, merge_dim, refine, require_rank
from ge_dialect.infer.errors import SHAPE
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import bool_, float_, int_, opt_tin, string, tin, tout
from ge_dialect.ir.types import tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_FLOATS = "float16, float32"
DIRECTIONS = ("UNIDIRECTIONAL", "REDIRECTIONAL")


def _gates(n: InferNode, columns: int, count: int, what: str) -> int:
    """Size of the hidden state from the columns of a weight, -1 where unknown."""
    if columns < 0:
        return UNKNOWN
    if columns % count:
        n.fail(
            f"columns of {what} do not divide into gates",
            found=columns,
            expected=f"a multiple of {count}",
            code=SHAPE,
        )
    return columns // count


def _check_layer(n: InferNode, orders: Sequence[str]) -> None:
    """Attributes that choose a form which has no definition here."""
    direction = n.attr("direction")
    if direction not in DIRECTIONS:
        n.fail("direction is not supported", found=direction, expected=", ".join(DIRECTIONS))
    if n.attr("gate_order") not in orders:
        n.fail("gate_order is not supported", found=n.attr("gate_order"),
               expected=", ".join(orders))  # fmt: skip
    if n.attr("activation") != "tanh":
        n.fail("activation is not supported", found=n.attr("activation"), expected="tanh")
    for name, only in (("cell_depth", 1), ("num_proj", 0), ("time_major", True)):
        if n.attr(name) != only:
            n.fail(f"{name} is not supported", found=n.attr(name), expected=only)


def _state(n: InferNode, name: str, batch: int, hidden: int) -> tuple[int, int]:
    """Batch and hidden size agreed with a state [1, B, H] or [B, H]."""
    shape = n.shape(name)
    require_rank(shape, (2, 3), name)
    if shape is None:
        return batch, hidden
    if len(shape) == 3:
        merge_dim(shape[0], 1, f"layers of {name}")
    return (
        merge_dim(batch, shape[-2], f"batches of x and {name}"),
        merge_dim(hidden, shape[-1], f"hidden sizes of the weights and {name}"),
    )


def _lengths(n: InferNode, steps: int, batch: int, hidden: int) -> None:
    """seq_length is a number per sample, or a mask [T, B, H]."""
    shape = n.shape("seq_length")
    require_rank(shape, (1, 3), "seq_length")
    if shape is not None and len(shape) == 1:
        merge_dim(shape[0], batch, "samples of x and seq_length")
    else:
        refine(shape, (steps, batch, hidden), "seq_length and the results")


@ge_op
class DynamicRNN(GeOp):
    """LSTM over the time steps of x [T, B, I], with all gates kept.

    [x, h] · w + b holds i, j, f, o (or i, f, j, o) in the order of gate_order, of which j gets
    tanh, the others a sigmoid, f after forget_bias. c = f · c + i · j, at most cell_clip where
    that is positive, h = o · tanh(c). seq_length, a number per sample or a mask [T, B, H], stops a
    sample: c and h stay, y is 0 there. REDIRECTIONAL runs from the last step to the first. Results
    are [T, B, H]. Peepholes, dropout and GRU cells are not evaluated.
    """

    name = "ge.DynamicRNN"
    TYPES: ClassVar = {"T": _FLOATS}

    x = tin("T")
    w = tin("T")
    b = tin(_FLOATS)
    seq_length = opt_tin("float16, float32, int32")
    init_h = opt_tin(_FLOATS)
    init_c = opt_tin(_FLOATS)
    wci = opt_tin(_FLOATS)
    wcf = opt_tin(_FLOATS)
    wco = opt_tin(_FLOATS)
    mask = opt_tin("uint8")
    y = tout(_FLOATS)
    output_h = tout(_FLOATS)
    output_c = tout(_FLOATS)
    i = tout(_FLOATS)
    j = tout(_FLOATS)
    f = tout(_FLOATS)
    o = tout(_FLOATS)
    tanhc = tout(_FLOATS)
    cell_type = string("LSTM")
    direction = string("UNIDIRECTIONAL")
    cell_depth = int_(1)
    use_peephole = bool_(False)
    keep_prob = float_(1.0)
    cell_clip = float_(-1.0)
    num_proj = int_(0)
    time_major = bool_(True)
    activation = string("tanh")
    forget_bias = float_(0.0)
    gate_order = string("ijfo")
    is_training = bool_(True)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        _check_layer(n, ("ijfo", "ifjo"))
        shape, w, b = n.shape("x"), n.shape("w"), n.shape("b")
        require_rank(shape, 3, "x")
        require_rank(w, 2, "w")
        require_rank(b, 1, "b")
        steps, batch, inner = (UNKNOWN,) * 3 if shape is None else shape
        columns = UNKNOWN if w is None else w[1]
        if b is not None:
            columns = merge_dim(columns, b[0], "columns of w and b")
        hidden = _gates(n, columns, 4, "w")
        for name in ("init_h", "init_c"):
            batch, hidden = _state(n, name, batch, hidden)
        if w is not None and min(inner, hidden) >= 0:
            merge_dim(w[0], inner + hidden, "rows of w, and inputs with hidden states")
        if n.has("seq_length"):
            _lengths(n, steps, batch, hidden)
        # results that are states take their dtype (assumed), the others that of b
        elems = [
            n.elem("x"),
            *(n.elem(s) if n.has(s) else n.elem("x") for s in ("init_h", "init_c")),
        ]
        out = [tensor_type((steps, batch, hidden), e) for e in elems]
        gate = tensor_type((steps, batch, hidden), n.elem("b"))
        return (*out, gate, gate, gate, gate, gate)


@ge_op
class DynamicGRUV2(GeOp):
    """GRU over the time steps of x [T, B, I], with all gates kept.

    z (update) and r (reset) are sigmoids of x · weight_input + bias_input + h · weight_hidden +
    bias_hidden, n = tanh(the input's part + r · hidden_new), where hidden_new is the state's part;
    h = (1 - z) · n + z · h. The columns hold z, r, n (h) in the order of gate_order. seq_length and
    direction as in DynamicRNN. Results are [T, B, H]. Only reset_after is evaluated.
    """

    name = "ge.DynamicGRUV2"
    TYPES: ClassVar = {"T": _FLOATS}  # float32 is assumed

    x = tin("T")
    weight_input = tin("T")
    weight_hidden = tin("T")
    bias_input = opt_tin(_FLOATS)
    bias_hidden = opt_tin(_FLOATS)
    seq_length = opt_tin("float16, float32, int32")
    init_h = opt_tin(_FLOATS)
    y = tout(_FLOATS)
    output_h = tout(_FLOATS)
    update = tout(_FLOATS)
    reset = tout(_FLOATS)
    new = tout(_FLOATS)
    hidden_new = tout(_FLOATS)
    direction = string("UNIDIRECTIONAL")
    cell_depth = int_(1)
    keep_prob = float_(1.0)
    cell_clip = float_(-1.0)
    num_proj = int_(0)
    time_major = bool_(True)
    activation = string("tanh")
    gate_order = string("zrh")
    reset_after = bool_(True)
    is_training = bool_(True)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        _check_layer(n, ("zrh", "rzh"))
        shape = n.shape("x")
        require_rank(shape, 3, "x")
        steps, batch, inner = (UNKNOWN,) * 3 if shape is None else shape
        columns = UNKNOWN
        for name in ("weight_input", "weight_hidden"):
            given = n.shape(name)
            require_rank(given, 2, name)
            if given is not None:
                columns = merge_dim(columns, given[1], f"columns of {name}")
        for name in ("bias_input", "bias_hidden"):
            given = n.shape(name)
            require_rank(given, 1, name)
            if given is not None:
                columns = merge_dim(columns, given[0], f"columns of {name}")
        hidden = _gates(n, columns, 3, "the weights")
        batch, hidden = _state(n, "init_h", batch, hidden)
        for name, rows in (("weight_input", inner), ("weight_hidden", hidden)):
            given = n.shape(name)
            if given is not None:
                merge_dim(given[0], rows, f"rows of {name}")
        if n.has("seq_length"):
            _lengths(n, steps, batch, hidden)
        state = n.elem("init_h") if n.has("init_h") else n.elem("x")
        gate = n.elem("bias_input") if n.has("bias_input") else n.elem("x")
        dims = (steps, batch, hidden)
        first, rest = tensor_type(dims, state), tensor_type(dims, gate)
        return (first, first, rest, rest, rest, rest)


@ge_op
class BasicLSTMCell(GeOp):
    """One step of an LSTM: x [B, I], states h and c [B, H], w [I + H, 4H].

    The columns hold i, j, f, o; f is the sigmoid after forget_bias. Dropout (mask) is not
    evaluated.
    """

    name = "ge.BasicLSTMCell"
    TYPES: ClassVar = {"T": _FLOATS, "C": _FLOATS}  # float32 of x, h and w is assumed

    x = tin("T")
    h = tin("T")
    c = tin("C")
    w = tin("T")
    b = tin(_FLOATS)
    mask = opt_tin("uint8")
    ct = tout("C")
    ht = tout("T")
    it = tout("C")
    jt = tout("C")
    ft = tout("C")
    ot = tout("C")
    tanhct = tout("C")
    keep_prob = float_(1.0)
    forget_bias = float_(1.0)
    state_is_tuple = bool_(True)
    activation = string("tanh")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        if n.attr("activation") != "tanh" or not n.attr("state_is_tuple"):
            n.fail("this form of the cell is not supported", found=n.attr("activation"),
                   expected="tanh, state_is_tuple")  # fmt: skip
        x, w, b = n.shape("x"), n.shape("w"), n.shape("b")
        require_rank(x, 2, "x")
        require_rank(w, 2, "w")
        require_rank(b, 1, "b")
        batch, inner = (UNKNOWN, UNKNOWN) if x is None else x
        columns = UNKNOWN if w is None else w[1]
        if b is not None:
            columns = merge_dim(columns, b[0], "columns of w and b")
        hidden = _gates(n, columns, 4, "w")
        for name in ("h", "c"):
            require_rank(n.shape(name), 2, name)
            batch, hidden = _state(n, name, batch, hidden)
        if w is not None and min(inner, hidden) >= 0:
            merge_dim(w[0], inner + hidden, "rows of w, and inputs with hidden states")
        state = tensor_type((batch, hidden), n.elem("c"))
        gates = (state,) * 5
        return (state, tensor_type((batch, hidden), n.elem("x")), *gates)
