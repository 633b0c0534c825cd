"""ONNX rules: RNN, GRU and LSTM, as a Scan over the steps of each direction.

The products with the inputs are taken for all steps at once before the Scan; its body has the
products with the state. Equations and gate orders are those of ONNX's operator pages.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from xdsl.ir import SSAValue

from ge_dialect.importers.onnx_graph import Pending, Poisoned, Refused
from ge_dialect.importers.onnx_node import Node, Scope, import_node
from ge_dialect.importers.onnx_rules import Outputs, rule

if TYPE_CHECKING:
    import numpy as np
    from onnx import NodeProto

#: The opset in which the nodes here are written.
_OPSET = 14
#: Activation -> defaults of (alpha, beta).
_DEFAULTS: dict[str, tuple[float | None, float | None]] = {
    "relu": (None, None),
    "tanh": (None, None),
    "sigmoid": (None, None),
    "softsign": (None, None),
    "softplus": (None, None),
    "affine": (1.0, 0.0),
    "leakyrelu": (0.01, None),
    "thresholdedrelu": (1.0, None),
    "scaledtanh": (1.0, 1.0),
    "hardsigmoid": (0.2, 0.5),
    "elu": (1.0, None),
}
_PLAIN = {
    "relu": "Relu",
    "tanh": "Tanh",
    "sigmoid": "Sigmoid",
    "softsign": "Softsign",
    "softplus": "Softplus",
    "leakyrelu": "LeakyRelu",
    "thresholdedrelu": "ThresholdedRelu",
    "hardsigmoid": "HardSigmoid",
    "elu": "Elu",
}


class _Writer:
    """Collects ONNX nodes; names get the expanded node's as prefix."""

    def __init__(self, n: Node, elem: Any, counter: list[int] | None = None) -> None:
        self.n, self.elem = n, elem
        self.nodes: list[NodeProto] = []
        self.counter = [0] if counter is None else counter

    def fresh(self, role: str) -> str:
        """A new value name."""
        self.counter[0] += 1
        return f"{self.n.name}/{role}_{self.counter[0]}"

    def op(self, kind: str, *inputs: str, outputs: int = 0, **attrs: Any) -> Any:
        """One node; its output name, or `outputs` of them."""
        from onnx import helper

        names = [self.fresh(kind) for _ in range(max(outputs, 1))]
        self.nodes.append(helper.make_node(kind, inputs, names, names[0], **attrs))
        return names if outputs else names[0]

    def constant(self, array: np.ndarray) -> str:
        """A constant: known by name from here on."""
        from ge_dialect.dtypes import from_numpy, ge_name

        name = self.fresh("constant")
        dtype = ge_name(from_numpy(array.dtype))
        held = Pending(name, dtype, array.shape, lambda: array, self.n.origin)
        self.n.graph.values[name] = held
        return name

    def ints(self, *values: int) -> str:
        """A constant list of int64."""
        import numpy as np

        return self.constant(np.array(values, np.int64))

    def number(self, value: float) -> str:
        """A constant scalar of the sequence's type."""
        import numpy as np

        from ge_dialect.dtypes import numpy_dtype

        return self.constant(np.array(value, numpy_dtype(self.elem)))

    def split(self, x: str, parts: int, axis: int = -1) -> list[str]:
        """Equal parts along an axis."""
        return [x] if parts == 1 else self.op("Split", x, outputs=parts, axis=axis)

    def sum(self, *names: str | None) -> str:
        """Sum of those that are there."""
        given = [name for name in names if name is not None]
        total = given[0]
        for name in given[1:]:
            total = self.op("Add", total, name)
        return total


@dataclass(frozen=True)
class _Cell:
    """gates: rows of W and R in units of hidden_size; states: 1, or 2 with a cell state."""

    gates: int
    functions: tuple[str, ...]
    states: int
    step: Callable[[_Direction, _Writer, str, list[str]], list[str]]


@dataclass
class _Direction:
    """What the body of one direction reads of the node."""

    n: Node
    #: R transposed; for GRU by gate.
    recurrent: list[str]
    #: Bias of the recurrent product's last gate, where it is not added to the inputs (GRU).
    late_bias: str | None
    peepholes: list[str] | None
    functions: list[tuple[str, float | None, float | None]]
    clip: float | None

    def peep(self, w: _Writer, gate: int, cell: str) -> str | None:
        """A gate's view of the cell state, None without peepholes."""
        return None if self.peepholes is None else w.op("Mul", self.peepholes[gate], cell)

    def act(self, w: _Writer, index: int, x: str) -> str:
        """Clip, then activation `index`."""
        if self.clip is not None:
            x = w.op("Clip", x, w.number(-self.clip), w.number(self.clip))
        name, alpha, beta = self.functions[index]
        if name == "affine":
            return w.op("Add", w.op("Mul", x, w.number(alpha or 0.0)), w.number(beta or 0.0))
        if name == "scaledtanh":
            inner = w.op("Tanh", w.op("Mul", x, w.number(beta or 0.0)))
            return w.op("Mul", inner, w.number(alpha or 0.0))
        given: dict[str, Any] = {"alpha": alpha, "beta": beta}
        return w.op(_PLAIN[name], x, **{k: v for k, v in given.items() if v is not None})


def _rnn_step(d: _Direction, w: _Writer, x: str, state: list[str]) -> list[str]:
    return [d.act(w, 0, w.sum(x, w.op("MatMul", state[0], d.recurrent[0])))]


def _gru_step(d: _Direction, w: _Writer, x: str, state: list[str]) -> list[str]:
    """Gates z, r, h."""
    (hidden,) = state
    xz, xr, xh = w.split(x, 3)
    rz, rr, rh = d.recurrent
    z = d.act(w, 0, w.sum(xz, w.op("MatMul", hidden, rz)))
    r = d.act(w, 0, w.sum(xr, w.op("MatMul", hidden, rr)))
    if d.n.int("linear_before_reset", 0):
        inner = w.op("Mul", r, w.sum(w.op("MatMul", hidden, rh), d.late_bias))
    else:
        inner = w.sum(w.op("MatMul", w.op("Mul", r, hidden), rh), d.late_bias)
    h = d.act(w, 1, w.sum(xh, inner))
    kept = w.op("Mul", z, hidden)
    return [w.sum(w.op("Mul", w.op("Sub", w.number(1), z), h), kept)]


def _lstm_step(d: _Direction, w: _Writer, x: str, state: list[str]) -> list[str]:
    """Gates i, o, f, c; peepholes i, o, f."""
    hidden, cell = state
    i, o, f, c = w.split(w.sum(x, w.op("MatMul", hidden, d.recurrent[0])), 4)
    i = d.act(w, 0, w.sum(i, d.peep(w, 0, cell)))
    if d.n.int("input_forget", 0):
        f = w.op("Sub", w.number(1), i)
    else:
        f = d.act(w, 0, w.sum(f, d.peep(w, 2, cell)))
    new = w.sum(w.op("Mul", f, cell), w.op("Mul", i, d.act(w, 1, c)))
    o = d.act(w, 0, w.sum(o, d.peep(w, 1, new)))
    return [w.op("Mul", o, d.act(w, 2, new)), new]


@rule("RNN", "7 14 22")
def rnn(n: Node) -> Outputs:
    """H = f(x W + h R + b)."""
    return _recurrent(n, _Cell(1, ("Tanh",), 1, _rnn_step))


@rule("GRU", "7 14 22")
def gru(n: Node) -> Outputs:
    """Gated recurrent unit."""
    return _recurrent(n, _Cell(3, ("Sigmoid", "Tanh"), 1, _gru_step))


@rule("LSTM", "7 14 22")
def lstm(n: Node) -> Outputs:
    """Long short-term memory, with peepholes."""
    return _recurrent(n, _Cell(4, ("Sigmoid", "Tanh", "Tanh"), 2, _lstm_step))


def _functions(n: Node, cell: _Cell, directions: int) -> list[tuple[str, Any, Any]]:
    """(activation, alpha, beta) for all directions; given numbers go to those that take one."""
    names = n.string_list("activations") or list(cell.functions) * directions
    if len(names) != len(cell.functions) * directions:
        raise Refused(f"activations has {len(names)} entries", "GX-333")
    alphas = list(n.float_list("activation_alpha") or [])
    betas = list(n.float_list("activation_beta") or [])
    found = []
    for name in (s.lower() for s in names):
        if name not in _DEFAULTS:
            raise Refused(f"activation {name} is not supported")
        alpha, beta = _DEFAULTS[name]
        if alpha is not None and alphas:
            alpha = alphas.pop(0)
        if beta is not None and betas:
            beta = betas.pop(0)
        found.append((name, alpha, beta))
    return found


def _recurrent(n: Node, cell: _Cell) -> Outputs:
    kinds = {"forward": (False,), "reverse": (True,), "bidirectional": (False, True)}
    direction = n.string("direction", "forward")
    if direction not in kinds:
        raise Refused(f"direction = {direction} does not exist", "GX-333")
    shape = n.shape(0)
    hidden = (n.shape(2) or (-1,))[-1]
    if shape is None or len(shape) != 3 or hidden < 0 or n.rank(1) != 3:
        raise Refused("the rank of X and the shape of R must be known")
    backwards = kinds[direction]
    functions = _functions(n, cell, len(backwards))
    w = _Writer(n, n.elem(0))
    batch_first = bool(n.int("layout", 0))
    x = n.proto.input[0]
    if batch_first:
        x = w.op("Transpose", x, perm=[1, 0, 2])
    lens = n.proto.input[4] if n.has(4) else None
    mask = None if lens is None else _mask(w, n, lens, shape[1 if batch_first else 0])
    per = len(cell.functions)
    made = []
    for i, reverse in enumerate(backwards):
        taken = functions[i * per : (i + 1) * per]
        made.append(_direction(n, w, cell, i, reverse, taken, x, hidden, lens, mask))
    results = [_join(w, [d[0] for d in made], 1)]
    results += [_join(w, [d[1 + s] for d in made], 0) for s in range(cell.states)]
    if batch_first:
        results[0] = w.op("Transpose", results[0], perm=[2, 0, 1, 3])
        results[1:] = [w.op("Transpose", r, perm=[1, 0, 2]) for r in results[1:]]
    return _import(n, w, results)


def _join(w: _Writer, parts: list[str], axis: int) -> str:
    """Stack the directions on a new axis."""
    raised = [w.op("Unsqueeze", p, w.ints(axis)) for p in parts]
    return raised[0] if len(raised) == 1 else w.op("Concat", *raised, axis=axis)


def _import(n: Node, w: _Writer, results: Sequence[str]) -> list[SSAValue | None]:
    graph = n.graph
    depth = 1 if n.scope is None else n.scope.depth + 1
    label = n.name if n.scope is None else n.scope.label
    scope = Scope(_OPSET, n.origin, label, depth)
    wanted = [r for i, r in enumerate(results) if n.wants(i)]
    graph.read.update(i for node in w.nodes for i in node.input if i)
    graph.read.update(wanted)
    for node in w.nodes:
        import_node(graph, node, scope)
    found: list[SSAValue | None] = []
    for name in results[: len(n.proto.output)]:
        if isinstance(graph.values[name], Poisoned):
            raise Refused("a part of it is refused")
        found.append(graph.operand(name))
    return found


def _mask(w: _Writer, n: Node, lens: str, steps: int) -> str:
    """(steps, batch, 1): whether a step lies within the sample's length."""
    import numpy as np

    if steps < 0:
        raise Refused("the number of steps must be known where sequence_lens is given")
    places = w.constant(np.arange(steps, dtype=np.int32)[:, None])
    return w.op("Unsqueeze", w.op("Less", places, lens), w.ints(-1))


def _part(w: _Writer, n: Node, index: int, direction: int) -> str:
    """Entry `direction` of an input's first axis, without that axis."""
    name = n.proto.input[index]
    if n.shape(index) is not None and (n.shape(index) or (0,))[0] == 1:
        return w.op("Squeeze", name, w.ints(0))
    return w.op("Gather", name, w.constant(_index(direction)), axis=0)


def _index(value: int) -> np.ndarray:
    import numpy as np

    return np.array(value, np.int64)


def _initial(w: _Writer, n: Node, index: int, direction: int, x: str, hidden: int) -> str:
    """Initial state (batch, hidden), zeros where not given."""
    if n.has(index):
        if n.int("layout", 0):
            return w.op("Gather", n.proto.input[index], w.constant(_index(direction)), axis=1)
        return _part(w, n, index, direction)
    shape = n.shape(0) or ()
    batch = shape[0 if n.int("layout", 0) else 1]
    if batch >= 0:
        import numpy as np

        from ge_dialect.dtypes import numpy_dtype

        return w.constant(np.zeros((batch, hidden), numpy_dtype(n.elem(0))))
    count = w.op("Slice", w.op("Shape", x), w.ints(1), w.ints(2))
    return w.op("Expand", w.number(0), w.op("Concat", count, w.ints(hidden), axis=0))


def _direction(
    n: Node,
    w: _Writer,
    cell: _Cell,
    index: int,
    reverse: bool,
    functions: list[tuple[str, Any, Any]],
    x: str,
    hidden: int,
    lens: str | None,
    mask: str | None,
) -> list[str]:
    """Names of all hidden states (steps, batch, hidden) and of the last states (batch, hidden)."""
    if reverse and lens is not None:  # each sample by its own length
        x = w.op("ReverseSequence", x, lens, time_axis=0, batch_axis=1)
    product = w.op("MatMul", x, w.op("Transpose", _part(w, n, 1, index), perm=[1, 0]))
    late = None
    if n.has(3):
        ahead, recurrent = w.split(_part(w, n, 3, index), 2)
        if cell.gates == 3:
            z, r, late = w.split(recurrent, 3)
            xz, xr, xh = w.split(ahead, 3)
            bias = w.op("Concat", w.sum(xz, z), w.sum(xr, r), xh, axis=0)
        else:
            bias = w.sum(ahead, recurrent)
        product = w.op("Add", product, bias)
    right = w.op("Transpose", _part(w, n, 2, index), perm=[1, 0])
    rights = w.split(right, 3) if cell.gates == 3 else [right]
    peep = w.split(_part(w, n, 7, index), 3) if cell.states == 2 and n.has(7) else None
    clip = n.float("clip", 0.0) if n.has_attr("clip") else None
    d = _Direction(n, rights, late, peep, functions, clip)
    initial = [_initial(w, n, 5 + s, index, x, hidden) for s in range(cell.states)]
    back = reverse and lens is None
    last = _scan(w, d, cell, initial, product, mask, back)
    every = last.pop()
    if reverse and lens is not None:
        every = w.op("ReverseSequence", every, lens, time_axis=0, batch_axis=1)
    return [every, *last]


def _scan(
    w: _Writer,
    d: _Direction,
    cell: _Cell,
    initial: list[str],
    product: str,
    mask: str | None,
    back: bool,
) -> list[str]:
    """The Scan over the steps: last states, then all hidden states."""
    from onnx import helper

    body = _Writer(w.n, w.elem, w.counter)
    state = [body.fresh("state") for _ in initial]
    inputs = [body.fresh("x")] + ([] if mask is None else [body.fresh("within")])
    new = step = cell.step(d, body, inputs[0], state)
    if mask is not None:
        within = inputs[1]
        new = [body.op("Where", within, a, b) for a, b in zip(step, state, strict=True)]
        row = body.op("Where", within, step[0], body.number(0))
    else:
        row = body.op("Identity", step[0])
    info = helper.make_empty_tensor_value_info
    graph = helper.make_graph(
        body.nodes, "step", [info(s) for s in (*state, *inputs)], [info(o) for o in (*new, row)]
    )
    scanned = [product] + ([] if mask is None else [mask])
    return w.op(
        "Scan",
        *initial,
        *scanned,
        outputs=len(initial) + 1,
        body=graph,
        num_scan_inputs=len(scanned),
        scan_input_directions=[int(back)] * len(scanned),
        scan_output_directions=[int(back)],
    )
