"""The order of nodes in a graph, by GE's four rules."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from xdsl.ir import Operation

from ge_dialect.ir.graph import module_graphs
from ge_dialect.ir.names import node_name
from ge_dialect.ir.private import nodes_of, operands_of, reorder
from ge_dialect.ir.types import is_static, tensor_under
from ge_dialect.layouts import storage_bytes
from passes.base import Contract, Pass, PassResult
from passes.build.places import CONSTANTS, VARIABLES

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Block, SSAValue

    from passes.context import PassContext

Mode = Literal["bfs", "dfs", "rdfs", "stable-rdfs"]
_LONG_LIVED = CONSTANTS | VARIABLES | {"ge.Data", "ge.RefData"}


@dataclass(frozen=True)
class TopologicalOrder(Pass):
    """Put the nodes of every graph into a topological order.

    ``mode`` is GE's ``ge.topoSortingMode``: *dfs* (default; what became ready last runs first),
    *bfs* (first in, first out, by name), *rdfs* (from the results backwards, small inputs first;
    cheap nodes that hang on constants are delayed to their first reader) and *stable-rdfs* (keeps
    a valid order, repairs the rest). Execution order within a stream, and with it the peak of
    memory, follow from it.

    Before::

        ge.graph @g(%x: tensor<8xf16>) {
          %a = ge.Relu(%x) : tensor<8xf16>
          %b = ge.Exp(%x) : tensor<8xf16>
          %c = ge.Abs(%a) : tensor<8xf16>
          %d = ge.Abs(%b) : tensor<8xf16>
          ge.NetOutput(%c, %d)
        }

    After::

        ge.graph @g(%x: tensor<8xf16>) {
          %a = ge.Relu(%x) : tensor<8xf16>
          %c = ge.Abs(%a) : tensor<8xf16>
          %b = ge.Exp(%x) : tensor<8xf16>
          %d = ge.Abs(%b) : tensor<8xf16>
          ge.NetOutput(%c, %d)
        }
    """

    name: ClassVar[str] = "topological-order"
    stage: ClassVar[str] = "build"
    waives: ClassVar[Mapping[str, str]] = {
        "idempotence": "GE's depth-first order depends on the order it starts from",
        "textual-order": "ties are broken by the order in the text, as in GE",
    }
    contract: ClassVar[Contract] = Contract()

    mode: Mode = "dfs"

    def run(self, module: ModuleOp, ctx: PassContext) -> PassResult:
        moved = 0
        for graph in module_graphs(module):
            block = graph.body
            edges = _edges(block)
            order = _ORDERS[self.mode](edges)
            steps = sum(old != new for new, old in enumerate(order))
            if steps and ctx.remarks_enabled:
                ctx.remark(
                    f"{steps} of {len(order)} nodes change places in order '{self.mode}'",
                    op=graph,
                    category="analysis",
                )
            if steps:
                moved += steps
                reorder(block, edges.ops, order)
        return PassResult(bool(moved), {"moved": moved})


class _Edges(NamedTuple):
    """The nodes of a graph, numbered by their place in the text, and the edges between them.

    The readers of node i are readers[first[i]] to readers[first[i + 1] - 1]: by result, then in
    graph order. degree: edges that enter a node from nodes of this graph. Numbers in flat lists: a
    list for each node costs more than all that is done with it.
    """

    ops: list[Operation]
    first: list[int]
    readers: list[int]
    degree: list[int]

    def readers_of(self, i: int) -> list[int]:
        """The readers of a node: by result, then in graph order."""
        return self.readers[self.first[i] : self.first[i + 1]]


def _edges(block: Block) -> _Edges:
    """One sweep over the nodes: beyond a few thousand of them, each further one costs more."""
    ops: list[Operation] = []
    slot = 0
    slots = [0]  # results of node i are numbers slots[i] to slots[i + 1] - 1
    slot_of: dict[int, int] = {}
    read: list[int] = []  # slot and reader of each edge
    readers: list[int] = []
    unknown: list[tuple[int, SSAValue]] = []  # arguments, values from outside, values defined later
    for i, op in enumerate(nodes_of(block)):
        ops.append(op)
        for value in operands_of(op):
            source = slot_of.get(id(value))
            if source is None:
                unknown.append((i, value))
            else:
                read.append(source)
                readers.append(i)
        for result in op.results:
            slot_of[id(result)] = slot
            slot += 1
        slots.append(slot)
    later = [(i, slot_of[id(value)]) for i, value in unknown if id(value) in slot_of]
    if later:
        pairs = sorted([*zip(readers, read, strict=True), *later])
        readers, read = [i for i, _ in pairs], [slot for _, slot in pairs]
    first, sorted_readers = _by_slot(slot, read, readers)
    degree = [0] * len(ops)
    for i in readers:
        degree[i] += 1
    return _Edges(ops, [first[slot] for slot in slots], sorted_readers, degree)


def _by_slot(count: int, read: list[int], readers: list[int]) -> tuple[list[int], list[int]]:
    """The readers sorted by what they read (a counting sort), and where each slot's begin."""
    sizes = [0] * (count + 1)
    for slot in read:
        sizes[slot] += 1
    first = list(accumulate(sizes))  # where each slot ends; filled from behind
    out = [0] * len(readers)
    for slot, reader in zip(reversed(read), reversed(readers), strict=True):
        first[slot] = at = first[slot] - 1
        out[at] = reader
    return first, out


def _end_last(ops: list[Operation], order: list[int]) -> list[int]:
    """The terminator last; it is the last node of the text, whatever its graph's order is."""
    end = len(ops) - 1
    if end < 0 or ops[end].name != "ge.NetOutput" or order[-1] == end:
        return order
    order.remove(end)
    order.append(end)
    return order


def _dfs(edges: _Edges) -> list[int]:
    ops, first, readers, degree = edges
    stack = [i for i in range(len(ops) - 1, -1, -1) if not degree[i]]
    out: list[int] = []
    while stack:
        i = stack.pop()
        out.append(i)
        for reader in readers[first[i] : first[i + 1]]:
            left = degree[reader] - 1
            degree[reader] = left
            if not left:
                stack.append(reader)
    return _end_last(ops, out)


def _bfs(edges: _Edges) -> list[int]:
    ops, degree = edges.ops, edges.degree
    seeds = deque(i for i in range(len(ops)) if not degree[i])
    queue: deque[int] = deque()
    out: list[int] = []
    while queue or seeds:
        i = (queue or seeds).popleft()
        out.append(i)
        ready: list[int] = []
        for reader in edges.readers_of(i):
            degree[reader] -= 1
            if not degree[reader]:
                ready.append(reader)
        queue.extend(sorted(ready, key=lambda k: node_name(ops[k]) or ""))
    return _end_last(ops, out)


def _post_order(
    edges: _Edges, roots: Iterable[int], key: Callable[[int], tuple[Any, ...]]
) -> list[int]:
    """Inputs before the node, walked from the roots; inputs of a node in the order of `key`."""
    number = {id(op): i for i, op in enumerate(edges.ops)}
    seen = [False] * len(edges.ops)
    out: list[int] = []
    for root in roots:
        stack = [(root, False)]
        while stack:
            i, done = stack.pop()
            if done:
                out.append(i)
            elif not seen[i]:
                seen[i] = True
                stack.append((i, True))
                owners = {number.get(id(v.owner)): None for v in operands_of(edges.ops[i])}
                new = [k for k in owners if k is not None and not seen[k]]
                stack.extend((k, False) for k in sorted(new, key=key, reverse=True))
    return out


def _bytes(op: Operation) -> int:
    total = 0
    for result in op.results:
        tensor = tensor_under(result.type)
        if tensor is not None and is_static(tensor):
            total += storage_bytes(tensor)
    return total


def _rdfs(edges: _Edges) -> list[int]:
    ops = edges.ops
    ends = [i for i in range(len(ops)) if not edges.readers_of(i)]
    order = _post_order(edges, ends, lambda i: (_bytes(ops[i]), node_name(ops[i]) or ""))
    return _end_last(ops, _delay(order, edges))


def _stable(edges: _Edges) -> list[int]:
    return _end_last(edges.ops, _post_order(edges, range(len(edges.ops)), lambda i: (i,)))


def _delay(order: list[int], edges: _Edges) -> list[int]:
    """Move chains that start from long-lived values right before their first reader.

    A chain begins with a node all of whose inputs are constants, variables or graph inputs and
    goes on with nodes of one input. A target that several readers share is not moved again.
    """
    ops = edges.ops
    position = {i: at for at, i in enumerate(order)}
    slots: list[list[int]] = [[i] for i in order]
    pinned: set[int] = set()
    for at in range(len(order)):
        chain = slots[at]
        if not chain or at in pinned:
            continue
        first = ops[chain[0]]
        readers = {position[r] for r in edges.readers_of(chain[-1])}
        if first.name in _LONG_LIVED or not readers or not _from_long_lived(first):
            continue
        if any(len(operands_of(ops[i])) != 1 for i in chain[1:]):
            continue
        target = min(readers)
        if target > at + 1:
            slots[target] = chain + slots[target]
            slots[at] = []
            if len(readers) > 1:
                pinned.add(target)
    return [i for slot in slots for i in slot]


def _from_long_lived(op: Operation) -> bool:
    return all(
        not isinstance(v.owner, Operation) or v.owner.name in _LONG_LIVED for v in operands_of(op)
    )


_ORDERS = {"bfs": _bfs, "dfs": _dfs, "rdfs": _rdfs, "stable-rdfs": _stable}
