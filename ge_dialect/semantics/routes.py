"""Running a graph of TensorFlow 1's control flow: nodes run when their values come.

A value belongs to a frame and to a turn of each loop around it (a tag: their numbers from outside
in). A node runs once for every tag for which all its inputs have come; where one of them is dead it
does not run, and hands dead values on. Merge takes what is alive, ControlTrigger always runs. The
rules are those of TensorFlow's executor:

Enter starts turn 0 of its frame, or, constant, serves every turn. NextIteration starts the next
turn with a value that is alive, and drops a dead one. A dead Exit counts when its loop can give no
other value any more. A Merge behind a dead Enter is dead. What a loop uses from outside without an
Enter (a constant that the compiler moved) serves every turn, too.

Ready nodes run by turn, then in block order, so that effects come in a fixed order.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NoReturn

from xdsl.dialects.builtin import DictionaryAttr, StringAttr
from xdsl.ir import Block

from ge_dialect.diagnostics import Diagnostic, GeError
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.names import node_name
from ge_dialect.ir.types import elem_of
from ge_dialect.ops.switching import BACK_EDGES
from ge_dialect.semantics.context import DEAD
from ge_dialect.semantics.registry import ROUTING

if TYPE_CHECKING:
    from ge_dialect.semantics.evaluator import _Plan, _Run, _Step

MERGES = frozenset({"Merge", "RefMerge"})
ENTERS = frozenset({"Enter", "RefEnter"})
EXITS = frozenset({"Exit", "RefExit"})
NEXTS = frozenset({"NextIteration", "RefNextIteration"})
Frame = tuple[str, ...]
Tag = tuple[int, ...]
#: What a node waits for: the place of a value, or, negative, a node's control output.
Key = int


@dataclass(slots=True)
class _Edge:
    """From a value to a node that takes it; steady: it serves every turn of the node's frame."""

    to: int
    key: Key
    steady: bool


@dataclass(slots=True)
class _Node:
    """One node. needs: keys to wait for in turn 0 or without a loop; backs: in later turns."""

    step: _Step
    frame: Frame
    inside: Frame
    needs: frozenset[Key]
    backs: frozenset[Key]
    constant: bool = False
    edges: list[_Edge] = field(default_factory=list)

    @property
    def kind(self) -> str:
        return self.step.op.ge_type


@dataclass(slots=True)
class _Visit:
    """A node at one tag: what has come so far."""

    held: dict[Key, Any] = field(default_factory=dict)
    done: bool = False


def _refuse(code: str, message: str, node: str, found: object, expected: object) -> NoReturn:
    raise GeError(Diagnostic(code, message, node=node, found=str(found), expected=str(expected)))


class Routes:
    """A block prepared: nodes with their frames, and the ways values take."""

    def __init__(self, block: Block, plan: _Plan) -> None:
        self.plan = plan
        last = block.last_op
        assert isinstance(last, GeOp)
        self.arguments = len(block.args)
        self.end = len(plan.steps)
        self.makers: dict[int, int] = {}  # place -> node that makes it
        index = {id(step.op): i for i, step in enumerate(plan.steps)}
        for i, step in enumerate(plan.steps):
            for place in range(step.first, step.first + len(step.out_types)):
                self.makers[place] = i
        waits = [
            frozenset(~index[id(c.owner)] for c in step.op.ge_control_operands)
            for step in plan.steps
        ]
        self.nodes: list[_Node] = []
        self.around: dict[str, Frame] = {}  # the frame that a loop stands in, by the loop's name
        while not self._placed(waits):  # an Enter may show later that its loop stands in another
            pass
        self.argument_edges: list[list[_Edge]] = [[] for _ in range(self.arguments)]
        self._connect()
        for place in plan.outputs:
            frame = self._frame_of(place)
            if frame:
                self.misfit(self.nodes[self.makers[place]], frame, "an Exit before the end")
        self.enters: dict[Frame, int] = defaultdict(int)
        for node in self.nodes:
            if node.kind in ENTERS:
                self.enters[node.inside] += 1

    # ------------------------------------------------------------------------------ preparing

    def _placed(self, waits: list[frozenset[Key]]) -> bool:
        """Give every node its frame; False where what was known of loops changed meanwhile."""
        known = dict(self.around)
        self.nodes = []
        try:
            for step, held in zip(self.plan.steps, waits, strict=True):
                self.nodes.append(self._node(step, held))
        except GeError:
            if known == self.around:
                raise
        return known == self.around

    def _frame_of(self, key: Key) -> Frame:
        """The frame that a value or a control output stands in."""
        if 0 <= key < self.arguments:
            return ()
        return self.nodes[self.makers[key] if key >= 0 else ~key].inside

    @staticmethod
    def misfit(node: _Node | _Step, found: object, expected: str) -> NoReturn:
        name = (node.step if isinstance(node, _Node) else node).name
        shown = "/".join(found) if isinstance(found, tuple) else found
        _refuse("GX-253", "the frames of loops do not fit", name, shown, expected)

    def _node(self, step: _Step, waits: frozenset[Key]) -> _Node:
        op, kind = step.op, step.op.ge_type
        places = [
            p for a in step.args if a is not None for p in (a if isinstance(a, list) else [a])
        ]
        needs = frozenset(places) | waits
        frame: Frame = ()
        for found in map(self._frame_of, needs):
            short, long = sorted((frame, found), key=len)
            if long[: len(short)] != short:
                self.misfit(step, f"{'/'.join(frame)} and {'/'.join(found)}", "one frame")
            frame = long
        node = _Node(step, frame, frame, needs, frozenset())
        if kind in ENTERS:
            name = str(op.ge_attr("frame_name"))
            if name in frame:  # loops are told apart by their names alone
                self.misfit(step, "/".join((*frame, name)), "names of their own for nested loops")
            around = self.around.get(name, ())
            if frame[: len(around)] == around:
                self.around[name] = frame
            elif around[: len(frame)] == frame:
                node.frame = around
            node.inside = (*node.frame, name)
            node.constant = bool(op.ge_attr("is_constant"))
        elif kind in EXITS or kind in NEXTS:
            if not frame:
                self.misfit(step, "no loop", "an Enter before it")
            node.inside = frame[:-1] if kind in EXITS else frame
        elif BACK_EDGES in op.attributes:
            if kind not in MERGES:
                self.misfit(step, BACK_EDGES, "a Merge")
            self._add_back_edges(node, places)
        return node

    def _add_back_edges(self, node: _Node, places: list[int]) -> None:
        """Give a Merge its entries from later turns."""
        step = node.step
        held = step.op.attributes[BACK_EDGES]
        if not isinstance(held, DictionaryAttr):
            self.misfit(step, f"{BACK_EDGES} = {held}", 'a dictionary, as {"1" = "node:0"}')
        backs: dict[int, int] = {}
        for number, text in held.data.items():
            if not (number.isascii() and number.isdigit()) or int(number) in backs:
                self.misfit(step, f"entry {number!r}", "numbers of inputs, each one once")
            named = text.data if isinstance(text, StringAttr) else str(text)
            name, _, output = named.rpartition(":")
            source = self._named(name)
            if source is None or source.op.ge_type not in NEXTS or output != "0":
                self.misfit(step, f"an edge from {named}", "from a NextIteration")
            given, taken = (elem_of(s.out_types[0]) for s in (source, step))
            if given != taken:
                self.misfit(step, f"{given} from {named}", f"{taken}, as its other inputs")
            backs[int(number)] = source.first
        forward = iter(places)
        total = len(places) + len(backs)
        if sorted(backs)[-1:] > [total - 1]:
            self.misfit(step, f"entry {max(backs)}", f"entries below {total}")
        entries = [backs[i] if i in backs else next(forward) for i in range(total)]
        node.step = replace(step, args=[entries])
        node.backs = frozenset(backs.values())

    def _named(self, name: str) -> _Step | None:
        for step in self.plan.steps:
            if (node_name(step.op) or step.name) == name:
                return step
        return None

    def _connect(self) -> None:
        for i, node in enumerate(self.nodes):
            for key in node.needs | node.backs:
                if key in node.backs:
                    source = self.nodes[self.makers[key]]
                    if source.frame != node.frame:
                        self.misfit(node, source.frame, "/".join(node.frame))
                steady = self._frame_of(key) != node.frame
                if not node.backs and not 0 <= key < self.arguments:
                    maker = self.nodes[self.makers[key] if key >= 0 else ~key]
                    steady = steady or maker.constant
                self._edges_of(key).append(_Edge(i, key, steady))
        for place in dict.fromkeys(self.plan.outputs):
            self._edges_of(place).append(_Edge(self.end, place, False))

    def _edges_of(self, key: Key) -> list[_Edge]:
        if 0 <= key < self.arguments:
            return self.argument_edges[key]
        return self.nodes[self.makers[key] if key >= 0 else ~key].edges

    # -------------------------------------------------------------------------------- running

    def run(self, run: _Run, args: list[Any]) -> list[Any]:
        """Outputs of the block on arguments; GeError where one is dead or never comes."""
        outputs = _Flow(self, run).outputs(args)
        found: list[Any] = []
        for i, place in enumerate(self.plan.outputs):
            value = outputs.get(place)
            if place not in outputs or value is DEAD:
                maker = self.nodes[self.makers[place]].step.name
                if place not in outputs:
                    message = "a node waits for a value that never comes"
                    _refuse("GX-253", message, maker, "frames that do not fit", "loops that end")
                _refuse(
                    "GX-254",
                    f"output {i} is dead: what makes it did not run",
                    maker,
                    "a dead value",
                    "a Merge with the other branch before the end",
                )
            found.append(value)
        return found


class _Flow:
    """One run of a block."""

    def __init__(self, routes: Routes, run: _Run) -> None:
        self.routes, self.runner = routes, run
        self.visits: dict[tuple[int, Tag], _Visit] = {}
        self.ready: list[tuple[Tag, int]] = []
        self.ended: dict[Key, Any] = {}
        # turns that began, and what serves all turns, by frame
        self.turns: dict[Frame, dict[Tag, None]] = defaultdict(dict)
        self.steady: dict[Frame, list[tuple[Tag, _Edge, Any]]] = defaultdict(list)
        self.entered: dict[tuple[Frame, Tag], int] = defaultdict(int)
        self.left: set[tuple[int, Tag]] = set()
        self.dead_exits: dict[tuple[int, Tag], None] = {}

    def outputs(self, args: list[Any]) -> dict[Key, Any]:
        """What reaches the end, by place."""
        routes = self.routes
        self._begin((), ())
        for place, value in enumerate(args):
            for edge in routes.argument_edges[place]:
                self._send(edge, value, ())
        for i, node in enumerate(routes.nodes):
            if not node.needs:
                self._visit(i, ())
                self._check(i, ())
        while self.ready or self._settle_exits():
            if self.ready:
                tag, i = heapq.heappop(self.ready)
                self._run_node(i, tag)
        return self.ended

    def _begin(self, frame: Frame, tag: Tag) -> None:
        """A turn begins: what serves every turn comes to it."""
        if tag in self.turns[frame]:
            return
        self.turns[frame][tag] = None
        for prefix, edge, value in list(self.steady[frame]):
            if tag[: len(prefix)] == prefix:
                self._deliver(edge, value, tag)

    def _send(self, edge: _Edge, value: Any, tag: Tag) -> None:
        """A value with its tag on its way along an edge."""
        if not edge.steady:
            self._deliver(edge, value, tag)
            return
        frame = self.routes.nodes[edge.to].frame
        self.steady[frame].append((tag, edge, value))
        for turn in list(self.turns[frame]):
            if turn[: len(tag)] == tag:
                self._deliver(edge, value, turn)

    def _deliver(self, edge: _Edge, value: Any, tag: Tag) -> None:
        if edge.to == self.routes.end:
            self.ended[edge.key] = value
            return
        visit = self._visit(edge.to, tag)
        if not visit.done:
            visit.held[edge.key] = value
            self._check(edge.to, tag)
        elif edge.key in self.routes.nodes[edge.to].backs:
            self.routes.misfit(self.routes.nodes[edge.to], "two values of one turn", "one")

    def _visit(self, i: int, tag: Tag) -> _Visit:
        found = self.visits.get((i, tag))
        if found is None:
            found = self.visits[i, tag] = _Visit()
        return found

    def _check(self, i: int, tag: Tag) -> None:
        """Put a node on the list where all it waits for has come."""
        node, visit = self.routes.nodes[i], self.visits[i, tag]
        later = bool(node.backs) and tag[-1] > 0
        if any(k in visit.held for k in node.backs) if later else node.needs <= visit.held.keys():
            visit.done = True
            heapq.heappush(self.ready, (tag, i))

    def _run_node(self, i: int, tag: Tag) -> None:
        node = self.routes.nodes[i]
        step, kind = node.step, node.kind
        held = self.visits[i, tag].held
        if node.backs:  # remembered, so that a second value of the turn is seen
            self.visits[i, tag].held = {}
            held = {key: held.get(key, DEAD) for key in node.needs | node.backs}
        else:
            del self.visits[i, tag]
        alive = kind == "ControlTrigger" or not any(v is DEAD for v in held.values())
        if kind in MERGES:
            alive = any(v is not DEAD for key, v in held.items() if key >= 0)
        if alive:
            results = self.runner.step(step, held, kind not in ROUTING)
            if self.runner.kept(step.name) and not any(r is DEAD for r in results):
                self.runner.values[step.name] = results
        else:
            results = [DEAD] * len(step.out_types)
        self._hand_on(i, node, tag, results, alive)

    def _hand_on(self, i: int, node: _Node, tag: Tag, results: list[Any], alive: bool) -> None:
        kind = node.kind
        out = tag
        if kind in ENTERS:
            self.entered[node.inside, tag] += 1
            if not node.constant:
                out = (*tag, 0)
            self._begin(node.inside, (*tag, 0))
        elif kind in NEXTS:
            if not alive:
                return
            out = (*tag[:-1], tag[-1] + 1)
            self._begin(node.frame, out)
        elif kind in EXITS:
            out = tag[:-1]
            if not alive:
                self.dead_exits[i, out] = None
                return
            if (i, out) in self.left:
                self.routes.misfit(node, "two values of one loop", "one")
            self.left.add((i, out))
        self._spread(node, results, out, alive)

    def _spread(self, node: _Node, results: list[Any], tag: Tag, alive: bool) -> None:
        first = node.step.first
        for edge in node.edges:
            value = results[edge.key - first] if edge.key >= 0 else (True if alive else DEAD)
            to_merge = edge.to != self.routes.end and self.routes.nodes[edge.to].backs
            # a constant serves turn 0 of a Merge that closes a loop
            at = (*tag, 0) if node.constant and to_merge and not edge.steady else tag
            self._send(edge, value, at)

    def _settle_exits(self) -> bool:
        """Hand on dead Exits of the innermost loops that can give nothing else any more."""
        routes = self.routes
        over = [
            (i, tag)
            for i, tag in self.dead_exits
            if (i, tag) not in self.left
            and self.entered[routes.nodes[i].frame, tag] == routes.enters[routes.nodes[i].frame]
        ]
        depth = max((len(routes.nodes[i].frame) for i, _ in over), default=0)
        over = [(i, tag) for i, tag in over if len(routes.nodes[i].frame) == depth]
        for i, tag in over:
            del self.dead_exits[i, tag]
            self.left.add((i, tag))
            node = routes.nodes[i]
            self._spread(node, [DEAD] * len(node.step.out_types), tag, False)
        return bool(over)
