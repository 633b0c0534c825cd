"""Loops of ONNX (Loop, Scan) as straight code where the number of turns is known, else as While."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from xdsl.ir import Attribute, Block, Region, SSAValue

from ge_dialect.dtypes import to_xdsl
from ge_dialect.importers.onnx_bodies import (
    Captures,
    bind_argument,
    body_outputs,
    captures,
    end_body,
    import_body,
    inner_importer,
)
from ge_dialect.importers.onnx_graph import GraphImporter, Pending, Refused, declared_type
from ge_dialect.importers.onnx_node import Node
from ge_dialect.ir.private import append_argument
from ge_dialect.ir.types import elem_of, shape_of, tensor_type

if TYPE_CHECKING:
    from onnx import GraphProto

#: Loops of a known number of turns are written out up to this many nodes: those can be compiled.
UNROLLED_NODES = 2048


@dataclass
class Elements:
    """A tensor of which each turn sees one slice along `axis`, from the end where reversed."""

    formal: str
    value: SSAValue
    axis: int = 0
    reverse: bool = False


@dataclass
class Rows:
    """A body output whose values of all turns are stacked on a new axis."""

    axis: int = 0
    reverse: bool = False


@dataclass
class Loop:
    """A loop: its body takes `counter`, `cond`, the states and the slices by their names.

    The body's outputs are the next `cond` (where there is one), the next states and the rows.
    limit: most turns, int64 scalar; turns: their number where it is known and nothing ends the
    loop before. cond: condition of the first turn, None where only `limit` counts.
    """

    body: GraphProto
    limit: SSAValue
    turns: int | None
    states: list[tuple[str, SSAValue]]
    rows: list[Rows]
    elements: list[Elements] = field(default_factory=list)
    counter: str | None = None
    cond_formal: str | None = None
    cond: SSAValue | None = None
    #: Whether `limit` is a number of turns, not "as many as you like".
    bounded: bool = True

    @property
    def first_state(self) -> int:
        """Place of the first state among the body's outputs."""
        return 1 if self.cond_formal is not None else 0


def emit_loop(n: Node, loop: Loop) -> list[SSAValue]:
    """The final states and the stacked rows."""
    count = loop.first_state + len(loop.states) + len(loop.rows)
    if len(loop.body.output) != count:
        given = len(loop.body.output)
        raise Refused(f"the body has {given} outputs; expected {count}", "GX-333")
    turns = loop.turns
    if turns is not None and (turns or not loop.rows):
        if turns * max(len(loop.body.node), 1) <= UNROLLED_NODES:
            return _unrolled(n, loop, turns)
    return _While(n, loop).emit()


def _true() -> Pending:
    import numpy as np

    return Pending("always", "bool", (), lambda: np.array(True))


# --- straight code ---


def _unrolled(n: Node, loop: Loop, turns: int) -> list[SSAValue]:
    outer = n.graph
    taken = captures(n, [loop.body], share_large=True)
    shared = {name: outer.values[name] for name in (*taken.names, *taken.pending)}
    slices = {e.formal: _slices(n, e, turns) for e in loop.elements}
    state = [value for _, value in loop.states]
    rows: list[list[SSAValue]] = [[] for _ in loop.rows]
    held = inner_importer(n, outer.block, shared)
    held.add_initializers(loop.body)
    for turn in range(turns):
        inner = inner_importer(n, outer.block, held.values)
        inner.taken, inner.known = outer.taken, outer.known
        inner.values.update(zip([name for name, _ in loop.states], state, strict=True))
        inner.values.update({formal: values[turn] for formal, values in slices.items()})
        if loop.counter is not None:
            inner.values[loop.counter] = _number(turn)
        if loop.cond_formal is not None:
            inner.values[loop.cond_formal] = _true()
        inner.run(loop.body, n.scope)
        outputs = body_outputs(loop.body, inner)[loop.first_state :]
        following, row = outputs[: len(state)], outputs[len(state) :]
        for old, new in zip(state, following, strict=True):
            if elem_of(old.type) != elem_of(new.type):
                raise Refused("a loop-carried value changes its element type", "GX-333")
        state = following
        for values, value in zip(rows, row, strict=True):
            values.append(value)
        # Constants that this turn has made serve the next ones.
        held.values.update({name: inner.values[name] for name in held.values})
    outer.values.update({name: held.values[name] for name in shared})
    stacked = [_stack(n, r, values) for r, values in zip(loop.rows, rows, strict=True)]
    return [*state, *stacked]


def _number(turn: int) -> Pending:
    import numpy as np

    return Pending(f"turn_{turn}", "int64", (), lambda: np.array(turn, np.int64))


def _slices(n: Node, e: Elements, turns: int) -> list[SSAValue]:
    if turns == 0:
        return []
    attrs = {"num": turns, "axis": e.axis}
    values = n.emit_all("Unpack", [e.value], attrs, role=f"{e.formal}_Slices")
    return values[::-1] if e.reverse else values


def _stack(n: Node, rows: Rows, values: list[SSAValue]) -> SSAValue:
    ordered = values[::-1] if rows.reverse else values
    rank = len(shape_of(values[0].type) or ())
    axis = n.axis(rows.axis, rank + 1)
    return n.emit("Pack", [ordered], {"axis": axis, "N": len(values)}, role="Rows")


# --- While ---


class _While:
    """A While whose state is: turn, limit, condition, states, rows so far, captures, elements."""

    def __init__(self, n: Node, loop: Loop) -> None:
        self.n, self.loop = n, loop
        self.int64 = to_xdsl("int64")
        self.block = Block()
        self.operands: list[SSAValue] = []

    def emit(self) -> list[SSAValue]:
        """The node and what follows it; its final states and rows."""
        n, loop = self.n, self.loop
        taken = captures(n, [loop.body], share_large=True)
        turn = self._argument(n.constant(0, "first", self.int64))
        limit = self._argument(loop.limit)
        cond = None if loop.cond is None else self._argument(loop.cond)
        states = [self._argument(value) for _, value in loop.states]
        inner, fixed = self._importer(taken, turn, cond, states)
        m = n.within(inner)
        for e, arg in zip(loop.elements, fixed[len(taken.names) :], strict=True):
            inner.values[e.formal] = self._slice(m, e, arg, turn, limit)
        outputs = import_body(n, loop.body, inner)
        following, rows = outputs[loop.first_state :], outputs[loop.first_state + len(states) :]
        following = following[: len(states)]
        following = self._kept(m, states, following)
        grown = self._rows(m, rows, turn, limit)
        one = m.constant(1, "one", self.int64)
        head = [m.emit("Add", [turn, one], role="Next"), limit]
        if cond is not None:
            head.append(m.graph.operand(loop.body.output[0].name))
        end_body(self.block, [*head, *following, *fixed, *grown])
        results = n.emit_all(
            "While", [self.operands], regions=[self._condition(), Region(self.block)]
        )
        base = len(head)
        finals = results[base : base + len(states)]
        stacked = results[len(results) - len(grown) :] if grown else []
        return [*finals, *self._finished(stacked, results[0])]

    def _kept(self, m: Node, states: list[SSAValue], following: list[SSAValue]) -> list[SSAValue]:
        """The next states, with the shapes that the states have."""
        kept = []
        infos = self.loop.body.output[self.loop.first_state :]
        for old, new, info in zip(states, following, infos, strict=False):
            _check_state(old.type, new.type)
            wanted, found = shape_of(old.type), shape_of(new.type)
            if wanted is not None and not _covers(wanted, found):
                # Inference does not say that the shape stays; the model may.
                if -1 in wanted or _row_shape(new, declared_type(info)) != wanted:
                    raise Refused("it must be known that a loop-carried value keeps its shape")
                new = m.reshape(new, wanted, "State")
            kept.append(new)
        return kept

    def _argument(self, value: SSAValue) -> SSAValue:
        self.operands.append(value)
        return append_argument(self.block, value.type)

    def _importer(
        self, taken: Captures, turn: SSAValue, cond: SSAValue | None, states: list[SSAValue]
    ) -> tuple[GraphImporter, list[SSAValue]]:
        loop, inner = self.loop, inner_importer(self.n, self.block, taken.pending)
        if loop.counter is not None:
            inner.values[loop.counter] = turn
        if loop.cond_formal is not None:
            inner.values[loop.cond_formal] = _true() if cond is None else cond
        inner.values.update(zip([name for name, _ in loop.states], states, strict=True))
        fixed = []
        for name, value in zip(taken.names, taken.operands, strict=True):
            fixed.append(self._argument(value))
            bind_argument(self.n, inner, name, fixed[-1])
        fixed += [self._argument(e.value) for e in loop.elements]
        return inner, fixed

    def _slice(
        self, m: Node, e: Elements, arg: SSAValue, turn: SSAValue, limit: SSAValue
    ) -> SSAValue:
        place = self._place(m, turn, limit, e.reverse)
        axis = m.constant(e.axis, f"{e.formal}_axis", self.int64)
        return m.emit("GatherV2", [arg, place, axis], role=f"{e.formal}_Slice")

    def _place(self, m: Node, turn: SSAValue, limit: SSAValue, reverse: bool) -> SSAValue:
        if not reverse:
            return turn
        last = m.emit("Sub", [limit, m.constant(1, "one", self.int64)], role="Last")
        return m.emit("Sub", [last, turn], role="FromEnd")

    def _rows(
        self, m: Node, rows: list[SSAValue], turn: SSAValue, limit: SSAValue
    ) -> list[SSAValue]:
        """Writes each row into a tensor of all; those start as zeros outside."""
        grown = []
        declared = self.loop.body.output[len(self.loop.body.output) - len(rows) :]
        for spec, row, info in zip(self.loop.rows, rows, declared, strict=True):
            shape = _row_shape(row, declared_type(info))
            if shape is None or -1 in shape:
                raise Refused("the shape of a scan output must be known")
            if not self.loop.bounded:
                raise Refused("scan outputs of a loop without a trip count are not supported")
            whole = self._argument(self._zeros(shape, elem_of(row.type)))
            place = m.reshape(self._place(m, turn, limit, spec.reverse), [1, 1], "Place")
            update = m.reshape(row, [1, *shape], "Row")
            grown.append(m.emit("TensorScatterUpdate", [whole, place, update], role="Write"))
        return grown

    def _zeros(self, shape: tuple[int, ...], elem: Attribute) -> SSAValue:
        n, limit = self.n, self.loop.limit
        known = n.graph.known_of(limit)
        zero = n.constant(0, "zero", elem)
        if known is not None:
            dims = n.constant([max(int(known), 0), *shape], "rows_shape")
            return n.emit("Fill", [dims, zero], role="Empty")
        count = n.emit("Maximum", [limit, n.constant(0, "none", self.int64)], role="Count")
        dims = n.reshape(count, [1], "CountVector")
        if shape:
            attrs = {"concat_dim": 0, "N": 2}
            row = n.constant(list(shape), "row_shape")
            dims = n.emit("ConcatD", [[dims, row]], attrs, role="RowsShape")
        wanted = [tensor_type((-1, *shape), elem)]
        return n.emit("Fill", [dims, zero], role="Empty", result_types=wanted)

    def _condition(self) -> Region:
        block = Block(arg_types=[a.type for a in self.block.args])
        inner = inner_importer(self.n, block, {})
        m = self.n.within(inner)
        going = m.emit("Less", [block.args[0], block.args[1]], role="Going")
        if self.loop.cond is not None:
            going = m.emit("LogicalAnd", [going, block.args[2]], role="Again")
        end_body(block, [going])
        return Region(block)

    def _finished(self, stacked: list[SSAValue], turns: SSAValue) -> list[SSAValue]:
        """The rows of the turns that took place, on the axis where they belong."""
        n, out = self.n, []
        for spec, value in zip(self.loop.rows, stacked, strict=True):
            if self.loop.cond is not None:
                begin, end = n.constant([0], "begin"), n.reshape(turns, [1], "End")
                axes = n.constant([0], "axes")
                value = n.emit("StridedSliceV2", [value, begin, end, axes, None], role="Taken")
            rank = len(shape_of(value.type) or ())
            axis = n.axis(spec.axis, rank)
            if axis:
                perm = [*range(1, axis + 1), 0, *range(axis + 1, rank)]
                value = n.emit("TransposeD", [value], {"perm": perm}, role="Axis")
            out.append(value)
        return out


def _row_shape(row: SSAValue, declared: Attribute | None) -> tuple[int, ...] | None:
    """What inference and the model's declaration know of a scan output's shape."""
    ours = shape_of(row.type)
    theirs = None if declared is None else shape_of(declared)
    if ours is None or theirs is None or len(ours) != len(theirs):
        return ours if theirs is None else theirs
    return tuple(b if a < 0 else a for a, b in zip(ours, theirs, strict=True))


def _covers(wanted: tuple[int, ...], found: tuple[int, ...] | None) -> bool:
    if found is None or len(found) != len(wanted):
        return False
    return all(a in (-1, b) for a, b in zip(wanted, found, strict=True))


def _check_state(old: Attribute, new: Attribute) -> None:
    if elem_of(old) != elem_of(new):
        raise Refused("a loop-carried value changes its element type", "GX-333")
    a, b = shape_of(old), shape_of(new)
    if a is None or b is None or a == b:
        return
    if len(a) != len(b) or any(x != y and x >= 0 and y >= 0 for x, y in zip(a, b, strict=True)):
        raise Refused("a loop-carried value changes its shape; such loops need a known trip count")
