"""Graphs as sets of what they compute, for comparing results without names and order.

Every node gets a number such that two nodes have the same number exactly when they are the same
operator with the same attributes, types and control edges on the same values; control edges that
order no effects do not count. Numbers are given out by one table for all graphs compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from passes.testing.spec import GraphSpec, Step, result_count

#: Attributes that say where a node stands among the inputs, not what it is.
_PLACES = {"Data": {"index"}, "RefData": {"index"}}
#: Ends of a graph, whether something reads them or not.
_STAYS = frozenset({"Data", "RefData"})


class Numbers:
    """The table of numbers; shared by the graphs that are compared."""

    def __init__(self) -> None:
        self._known: dict[Any, int] = {}

    def of(self, key: Any) -> int:
        """The number of a key."""
        return self._known.setdefault(key, len(self._known))

    def shape(self, spec: GraphSpec, first_input: int = 0) -> Shape:
        """The live nodes and outputs of a graph; inputs are numbered from `first_input` on.

        Which dead nodes a pass leaves behind may depend on the order of its visits.
        """
        values: list[int] = [
            self.of(("input", first_input + i, given.type)) for i, given in enumerate(spec.inputs)
        ]
        nodes: list[int] = []
        carries = order_carriers(spec)
        for step in spec.steps:
            after = {nodes[a] for a in step.after if a in carries}
            number = self._step(step, values, after)
            nodes.append(number)
            values += [self.of(("result", number, i)) for i in range(result_count(step))]
        outputs = [values[o] for o in spec.outputs]
        waits = sorted({nodes[a] for a in spec.after if a in carries})
        live = live_steps(spec)
        return Shape(
            [n for i, n in enumerate(nodes) if i in live],
            outputs,
            waits,
            [s.op for i, s in enumerate(spec.steps) if i in live],
        )

    def _step(self, step: Step, values: Sequence[int], after: set[int]) -> int:
        args = tuple(
            None
            if a is None
            else tuple(values[v] for v in a)
            if isinstance(a, tuple)
            else values[a]
            for a in step.args
        )
        places = _PLACES.get(step.op, ())
        attrs = tuple(sorted(((n, repr(v)) for n, v in step.attrs if n not in places)))
        bodies: list[int] = []
        for body in step.bodies:
            inner = self.shape(body)
            bodies.append(
                self.of(
                    (
                        "body",
                        tuple(sorted(inner.nodes)),
                        tuple(inner.outputs),
                        tuple(inner.waits),
                    )
                )
            )
        key = (
            step.op,
            args,
            attrs,
            step.types,
            tuple(sorted(after)),
            tuple(bodies),
            tuple(sorted(step.extra)),
        )
        return self.of(key)


class Shape:
    """nodes: numbers in order, ops: their operators; outputs: numbers of values; waits: what the
    end waits for."""

    def __init__(
        self, nodes: list[int], outputs: list[int], waits: list[int], ops: list[str]
    ) -> None:
        self.nodes = nodes
        self.ops = ops
        self.outputs = outputs
        self.waits = waits

    @property
    def counted(self) -> Counter[int]:
        """How often each node occurs."""
        return Counter(self.nodes)


def order_carriers(spec: GraphSpec) -> set[int]:
    """Indices of the steps behind an effect: to wait for any other orders nothing."""
    from ge_dialect.ops.registry import op_class

    out: set[int] = set()
    values: list[int | None] = [None] * len(spec.inputs)
    for i, step in enumerate(spec.steps):
        if (
            step.bodies
            or op_class(step.op).EFFECTS.is_effectful
            or any(a in out for a in step.after)
            or any(values[v] in out for v in step.operands())
        ):
            out.add(i)
        values += [i] * result_count(step)
    return out


def live_steps(spec: GraphSpec) -> set[int]:
    """Indices of the steps that outputs or effects depend on."""
    from ge_dialect.ops.registry import op_class

    maker: dict[int, int] = {}
    n = len(spec.inputs)
    for i, step in enumerate(spec.steps):
        for _ in range(result_count(step)):
            maker[n] = i
            n += 1
    live: set[int] = set()
    todo = [maker[o] for o in spec.outputs if o in maker] + list(spec.after)
    for i, step in enumerate(spec.steps):
        if step.op in _STAYS or step.bodies or op_class(step.op).EFFECTS.is_effectful:
            todo.append(i)
    while todo:
        i = todo.pop()
        if i in live:
            continue
        live.add(i)
        step = spec.steps[i]
        todo += [maker[v] for v in step.operands() if v in maker]
        todo += step.after
    return live


def difference(a: Shape, b: Shape) -> str | None:
    """What two graphs have in different numbers, in words; None where they are the same."""
    if a.counted == b.counted and a.outputs == b.outputs and a.waits == b.waits:
        return None
    only_left = a.counted - b.counted
    only_right = b.counted - a.counted
    if only_left or only_right:
        names = _ops(only_left, a), _ops(only_right, b)
        return f"only in the first: {names[0] or 'nothing'}; only in the second: {names[1]}"
    if a.outputs != b.outputs:
        at = next((i for i, (x, y) in enumerate(zip(a.outputs, b.outputs, strict=False)) if x != y))
        return f"output {at} is another value"
    return "the end waits for other nodes"


def _ops(counted: Counter[int], shape: Shape) -> str:
    found = [op for op, n in zip(shape.ops, shape.nodes, strict=True) if n in counted]
    return ", ".join(found[:6]) + (", …" if len(found) > 6 else "") or "nothing"
