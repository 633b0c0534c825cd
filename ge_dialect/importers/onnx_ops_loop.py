"""ONNX rules: Loop and Scan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from ge_dialect.dtypes import to_xdsl
from ge_dialect.importers.onnx_graph import Refused
from ge_dialect.importers.onnx_loops import Elements, Loop, Rows, emit_loop
from ge_dialect.importers.onnx_node import Node
from ge_dialect.importers.onnx_ops_scatter import axis_size
from ge_dialect.importers.onnx_rules import Outputs, rule
from ge_dialect.ir.types import shape_of

if TYPE_CHECKING:
    from onnx import GraphProto

#: Trip counts from here on mean "no limit"; exporters write the largest int64.
_NO_LIMIT = 2**31
#: Samples of a batch that opset 8's Scan is written out for.
_MOST_SAMPLES = 64


def _scalar(n: Node, index: int, role: str) -> SSAValue:
    """An input of one element as a scalar."""
    return n.x(index) if n.shape(index) == () else n.reshape(n.x(index), [], role)


def _condition_stays(body: GraphProto) -> bool:
    """Whether the body hands on the condition, or says it holds."""
    from onnx import numpy_helper

    made = {out: node for node in body.node for out in node.output}
    constants = {i.name: i for i in body.initializer}
    name = body.output[0].name
    while name in made and made[name].op_type == "Identity":
        name = made[name].input[0]
    if name == body.input[1].name:
        return True
    held = constants.get(name)
    if name in made and made[name].op_type == "Constant":
        held = next((a.t for a in made[name].attribute if a.name == "value"), None)
    return held is not None and bool(numpy_helper.to_array(held).all())


@rule("Loop", "1 11 13 16 19 21 23 24 25")
def loop_(n: Node) -> Outputs:
    """Straight code for a known trip count that nothing shortens, else While.

    Scan outputs are written into tensors of the trip count, cut where the loop ends before.
    """
    body, int64 = n.subgraph("body"), to_xdsl("int64")
    states = len(n) - 2
    if len(body.input) != states + 2 or len(body.output) < states + 1:
        raise Refused("the body does not fit the node's inputs", "GX-333")
    count, start = n.ints(0), n.const(1)
    bounded = n.has(0) and (count is None or count[0] < _NO_LIMIT)
    limit = _scalar(n, 0, "Trips") if n.has(0) else n.constant(2**63 - 1, "trips", int64)
    stays = _condition_stays(body)
    cond = _scalar(n, 1, "Condition") if n.has(1) else None
    turns = None
    if stays and (cond is None or start is not None):
        if start is not None and not start.all():
            limit, turns = n.constant(0, "trips", int64), 0
        elif bounded and count is not None:
            turns = max(count[0], 0)
        cond = None
    elif stays:
        assert cond is not None
        limit = n.emit("Mul", [limit, n.cast(cond, int64, "Whether")], role="Turns")
        cond = None
    elif cond is None:
        cond = n.constant(True, "cond")
    names = [i.name for i in body.input]
    return emit_loop(
        n,
        Loop(
            body,
            limit,
            turns,
            [(name, n.x(i + 2)) for i, name in enumerate(names[2:])],
            [Rows() for _ in range(len(body.output) - states - 1)],
            counter=names[0],
            cond_formal=names[1],
            cond=cond,
            bounded=bounded or turns == 0,
        ),
    )


@rule("Scan", "9 11 16 19 21 23 24 25")
def scan(n: Node) -> Outputs:
    """Straight code for short sequences of known length, else While."""
    return emit_loop(n, _scan(n, n.xs(), n.subgraph("body")))


def _scan(n: Node, inputs: list[SSAValue], body: GraphProto, directions: str = "") -> Loop:
    count = n.int("num_scan_inputs", 0)
    states, names = len(inputs) - count, [i.name for i in body.input]
    rows = len(body.output) - states
    if count < 1 or states < 0 or len(names) != len(inputs) or rows < 0:
        raise Refused("the body does not fit the node's inputs", "GX-333")
    axes = n.int_list("scan_input_axes") or [0] * count
    back = n.int_list(directions or "scan_input_directions") or [0] * count
    out_axes = n.int_list("scan_output_axes") or [0] * rows
    out_back = n.int_list("scan_output_directions") or [0] * rows
    if (len(axes), len(back), len(out_axes), len(out_back)) != (count, count, rows, rows):
        raise Refused("axes or directions do not fit the scan inputs and outputs", "GX-333")
    elements = []
    lengths = set()
    for formal, value, axis, reverse in zip(
        names[states:], inputs[states:], axes, back, strict=True
    ):
        shape = shape_of(value.type)
        if not shape:
            raise Refused("the rank of a scan input must be known and not 0")
        elements.append(Elements(formal, value, n.axis(axis, len(shape)), bool(reverse)))
        lengths.add(shape[elements[-1].axis])
    lengths.discard(-1)
    if len(lengths) > 1:
        raise Refused("the scan inputs have different lengths", "GX-333")
    turns = lengths.pop() if lengths else None
    if turns is None:
        length = axis_size(n, elements[0].value, elements[0].axis, "length")
        limit = n.reshape(length, [], "Length")
    else:
        limit = n.constant(turns, "length", to_xdsl("int64"))
    return Loop(
        body,
        limit,
        turns,
        list(zip(names[:states], inputs[:states], strict=True)),
        [Rows(a, bool(b)) for a, b in zip(out_axes, out_back, strict=True)],
        elements,
    )


@rule("Scan", "8")
def scan8(n: Node) -> Outputs:
    """Each sample of the batch by itself; the first axis of all inputs is the batch."""
    if n.has(0):
        raise Refused("sequence_lens is not supported")
    body, inputs = n.subgraph("body"), [n.x(i) for i in range(1, len(n))]
    batches = {(shape_of(v.type) or (-1,))[0] for v in inputs}
    if len(batches) != 1 or not 0 < (batch := batches.pop()) <= _MOST_SAMPLES:
        raise Refused(f"the batch must be known, 1 to {_MOST_SAMPLES}")
    samples = [n.emit_all("Unpack", [v], {"num": batch, "axis": 0}, role="Samples") for v in inputs]
    made = []
    for sample in zip(*samples, strict=True):
        loop = _scan(n, list(sample), body, "directions")
        made.append(emit_loop(n, loop))
    attrs = {"axis": 0, "N": batch}
    return [
        n.emit("Pack", [list(values)], attrs, role="Batch") for values in zip(*made, strict=True)
    ]
