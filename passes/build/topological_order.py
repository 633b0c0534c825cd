"""The order of nodes in a graph, by GE's four rules."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import accumulate, islice
from operator import ne
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from xdsl.ir import Operation, OpResult

from ge_dialect.ir.graph import module_graphs
from ge_dialect.ir.names import node_name
from ge_dialect.ir.private import nodes_of, operands_of, reorder
from ge_dialect.ir.types import is_static, tensor_under
from ge_dialect.layouts import storage_bytes
from passes.base import Contract, Pass, PassResult
from passes.build.places import CONSTANTS, VARIABLES

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Block

    from passes.context import PassContext

Mode = Literal["bfs", "dfs", "rdfs", "stable-rdfs"]
#: Names of nodes in a message, at most.
_SHOWN = 8
#: Nodes from which on numpy numbers them; for fewer it is not worth being imported.
_MANY = 1_000
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
            if len(order) < len(edges.ops):
                _report_circle(edges.ops, order, ctx)
                continue
            steps = sum(map(ne, order, range(len(order))))
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

    degree: edges that enter a node. starts, readers: the edges that leave node `i` lead to
    ``readers[starts[i] : starts[i + 1]]``, by result, then in graph order.
    """

    ops: list[Operation]
    degree: list[int]
    starts: list[int]
    readers: list[int]

    def readers_of(self, i: int) -> list[int]:
        """The readers of a node: by result, then in graph order."""
        return self.readers[self.starts[i] : self.starts[i + 1]]


class _Reads(NamedTuple):
    """What the nodes of a graph read, node by node, before anything has a number.

    ids: of the nodes, in graph order. counts: how many results each reads. makers: the id of the
    node each of these comes from, which may be one of another graph. others: which result it is,
    by its place in `makers`, where it is not the first one.
    """

    ids: list[int]
    counts: list[int]
    makers: list[int]
    others: dict[int, int]


def _edges(block: Block) -> _Edges:
    """One sweep over the nodes: beyond a few thousand of them, each further one costs more."""
    ops: list[Operation] = []
    reads = ids, counts, makers, others = _Reads([], [], [], {})
    for op in nodes_of(block):
        before = len(makers)
        for value in operands_of(op):
            if type(value) is OpResult:
                if value.index:
                    others[len(makers)] = value.index
                makers.append(id(value.op))
        ops.append(op)
        ids.append(id(op))
        counts.append(len(makers) - before)
    numbered = _numbered if len(ops) < _MANY else _many_numbered
    return _Edges(ops, *numbered(reads))


def _numbered(reads: _Reads) -> tuple[list[int], list[int], list[int]]:
    """Degree, starts and readers of `_Edges`."""
    number = {node: i for i, node in enumerate(reads.ids)}
    degree = [0] * len(number)
    edges: list[tuple[int, int, int]] = []  # maker, result, reader
    read = enumerate(reads.makers)
    for i, count in enumerate(reads.counts):
        for at, node in islice(read, count):
            maker = number.get(node)
            if maker is not None:
                degree[i] += 1
                edges.append((maker, reads.others.get(at, 0), i))
    edges.sort()
    leaving = Counter(maker for maker, _, _ in edges)
    starts = list(accumulate((leaving[i] for i in range(len(number))), initial=0))
    return degree, starts, [reader for _, _, reader in edges]


def _many_numbered(reads: _Reads) -> tuple[list[int], list[int], list[int]]:
    """`_numbered` in columns of numbers, without an object in memory for each edge."""
    import numpy as np

    ids = np.array(reads.ids, np.int64)
    nodes = np.array(reads.makers, np.int64)
    by_id = ids.argsort(kind="stable")
    ids = ids[by_id]
    at = ids.searchsorted(nodes).clip(max=len(ids) - 1)
    inside = ids[at] == nodes
    makers = by_id[at[inside]]
    readers = np.repeat(np.arange(len(ids)), reads.counts)[inside]
    results = np.zeros(len(nodes), np.int64)
    results[list(reads.others)] = list(reads.others.values())
    degree = np.bincount(readers, minlength=len(ids))
    leaving = np.bincount(makers, minlength=len(ids))
    order = np.lexsort((results[inside], makers))  # stable: equal ones stay in graph order
    return degree.tolist(), [0, *leaving.cumsum().tolist()], readers[order].tolist()


def _report_circle(ops: list[Operation], order: list[int], ctx: PassContext) -> None:
    """GX-516 with the nodes of one circle: `order` has only the nodes that wait for none."""
    left = set(range(len(ops))).difference(order)
    number = {id(op): i for i, op in enumerate(ops)}
    walked: dict[int, None] = {}
    i = min(left)
    while i not in walked:
        walked[i] = None
        makers = [number.get(id(value.owner)) for value in operands_of(ops[i])]
        i = next(maker for maker in makers if maker in left)
    circle = list(walked)
    circle = circle[circle.index(i) :]
    names = [node_name(ops[k]) or ops[k].name for k in reversed(circle[:_SHOWN])]
    more = len(circle) - len(names)
    ctx.sink.error(
        "GX-516",
        "nodes wait for each other, so there is no order",
        op=ops[i],
        found=", ".join(names) + (f" and {more} more" if more else ""),
        expected="a graph in which every node can run after what it reads",
    )


def _end_last(ops: list[Operation], order: list[int]) -> list[int]:
    """The terminator last; it is the last node of the text, whatever its graph's order is."""
    end = len(ops) - 1
    if len(order) <= end:  # nodes wait for each other
        return order
    if end < 0 or ops[end].name != "ge.NetOutput" or order[-1] == end:
        return order
    order.remove(end)
    order.append(end)
    return order


def _dfs(edges: _Edges) -> list[int]:
    ops, degree, starts, readers = edges
    stack = [i for i in range(len(ops) - 1, -1, -1) if not degree[i]]
    out: list[int] = []
    while stack:
        i = stack.pop()
        out.append(i)
        for reader in readers[starts[i] : starts[i + 1]]:
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


def _free(edges: _Edges) -> list[int]:
    """The nodes that wait for none that wait for each other, in depth-first order."""
    return _dfs(edges._replace(degree=edges.degree.copy()))


def _rdfs(edges: _Edges) -> list[int]:
    ops = edges.ops
    if len(free := _free(edges)) < len(ops):
        return free
    ends = [i for i in range(len(ops)) if not edges.readers_of(i)]
    order = _post_order(edges, ends, lambda i: (_bytes(ops[i]), node_name(ops[i]) or ""))
    return _end_last(ops, _delay(order, edges))


def _stable(edges: _Edges) -> list[int]:
    if len(free := _free(edges)) < len(edges.ops):
        return free
    return _end_last(edges.ops, _post_order(edges, range(len(edges.ops)), lambda i: (i,)))


def _delay(order: list[int], edges: _Edges) -> list[int]:
    """Move chains that start from long-lived values right before their first reader.

    A chain begins with a node all of whose inputs are constants, variables or graph inputs and
    goes on with nodes of one input. A target that several readers share is not moved again.
    """
    ops = edges.ops
    position = {i: at for at, i in enumerate(order)}
    slots = [deque([i]) for i in order]
    pinned: set[int] = set()
    for at in range(len(order)):
        chain = slots[at]
        if not chain or at in pinned:
            continue
        first = ops[chain[0]]
        readers = {position[r] for r in edges.readers_of(chain[-1])}
        if first.name in _LONG_LIVED or not readers or not _from_long_lived(first):
            continue
        if any(len(operands_of(ops[i])) != 1 for i in islice(chain, 1, None)):
            continue
        target = min(readers)
        if target > at + 1:
            slots[target].extendleft(reversed(chain))
            chain.clear()
            if len(readers) > 1:
                pinned.add(target)
    return [i for slot in slots for i in slot]


def _from_long_lived(op: Operation) -> bool:
    return all(
        not isinstance(v.owner, Operation) or v.owner.name in _LONG_LIVED for v in operands_of(op)
    )


_ORDERS = {"bfs": _bfs, "dfs": _dfs, "rdfs": _rdfs, "stable-rdfs": _stable}
