"""The order of nodes in a graph, by GE's four rules."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from xdsl.ir import Operation

from ge_dialect.ir.graph import module_graphs
from ge_dialect.ir.names import node_name
from ge_dialect.ir.private import operands_of, reorder
from ge_dialect.ir.types import is_static, tensor_under
from ge_dialect.layouts import storage_bytes
from passes.base import Contract, Pass, PassResult
from passes.build.places import CONSTANTS, VARIABLES

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

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
            before = list(block.ops)
            order = _ORDERS[self.mode](before)
            steps = sum(a is not b for a, b in zip(before, order, strict=True))
            if steps and ctx.remarks_enabled:
                ctx.remark(
                    f"{steps} of {len(order)} nodes change places in order '{self.mode}'",
                    op=graph,
                    category="analysis",
                )
            if steps:
                moved += steps
                reorder(block, order)
        return PassResult(bool(moved), {"moved": moved})


def _edges(ops: list[Operation]) -> tuple[list[list[int]], list[int]]:
    """Successors (one entry per edge: by output, then by reader in graph order) and in-degrees.

    Nodes are numbered by their place in `ops`.
    """
    by_value: dict[int, list[int]] = {id(r): [] for op in ops for r in op.results}
    degree = [0] * len(ops)
    for i, op in enumerate(ops):
        for value in operands_of(op):
            readers = by_value.get(id(value))
            if readers is not None:
                readers.append(i)
                degree[i] += 1
    after: list[list[int]] = []
    for op in ops:
        results = op.results
        if len(results) == 1:
            after.append(by_value[id(results[0])])
        else:
            after.append([i for r in results for i in by_value[id(r)]])
    return after, degree


def _end_last(order: list[Operation]) -> list[Operation]:
    ends = [op for op in order if op.name == "ge.NetOutput"]
    return [op for op in order if op.name != "ge.NetOutput"] + ends


def _dfs(ops: list[Operation]) -> list[Operation]:
    after, degree = _edges(ops)
    stack = [i for i in range(len(ops) - 1, -1, -1) if not degree[i]]
    out: list[Operation] = []
    while stack:
        i = stack.pop()
        out.append(ops[i])
        for reader in after[i]:
            degree[reader] -= 1
            if not degree[reader]:
                stack.append(reader)
    return _end_last(out)


def _bfs(ops: list[Operation]) -> list[Operation]:
    after, degree = _edges(ops)
    seeds = deque(i for i in range(len(ops)) if not degree[i])
    queue: deque[int] = deque()
    out: list[Operation] = []
    while queue or seeds:
        i = (queue or seeds).popleft()
        out.append(ops[i])
        ready: list[int] = []
        for reader in after[i]:
            degree[reader] -= 1
            if not degree[reader]:
                ready.append(reader)
        queue.extend(sorted(ready, key=lambda k: node_name(ops[k]) or ""))
    return _end_last(out)


def _post_order(ops: list[Operation], roots: list[Operation], key: object) -> list[Operation]:
    """Inputs before the node, walked from the roots; inputs of a node in the order of `key`."""
    inside = set(ops)
    seen: set[Operation] = set()
    out: list[Operation] = []
    for root in roots:
        stack = [(root, False)]
        while stack:
            op, done = stack.pop()
            if done:
                out.append(op)
                continue
            if op in seen:
                continue
            seen.add(op)
            stack.append((op, True))
            owners = {v.owner: None for v in operands_of(op) if v.owner in inside}
            inputs = [o for o in owners if isinstance(o, Operation) and o not in seen]
            inputs.sort(key=key, reverse=True)  # type: ignore[call-overload]
            stack.extend((o, False) for o in inputs)
    return out


def _bytes(op: Operation) -> int:
    total = 0
    for result in op.results:
        tensor = tensor_under(result.type)
        if tensor is not None and is_static(tensor):
            total += storage_bytes(tensor)  # pyright: ignore[reportArgumentType]
    return total


def _rdfs(ops: list[Operation]) -> list[Operation]:
    after, _ = _edges(ops)
    order = _post_order(
        ops,
        [op for op, readers in zip(ops, after, strict=True) if not readers],
        lambda o: (_bytes(o), node_name(o) or ""),
    )
    number = {op: i for i, op in enumerate(ops)}
    readers = {op: [ops[k] for k in after[number[op]]] for op in order}
    return _end_last(_delay(order, readers))


def _stable(ops: list[Operation]) -> list[Operation]:
    old = {op: i for i, op in enumerate(ops)}
    return _end_last(_post_order(ops, ops, old.__getitem__))


def _delay(order: list[Operation], after: dict[Operation, list[Operation]]) -> list[Operation]:
    """Move chains that start from long-lived values right before their first reader.

    A chain begins with a node all of whose inputs are constants, variables or graph inputs and
    goes on with nodes of one input. A target that several readers share is not moved again.
    """
    position = {op: i for i, op in enumerate(order)}
    slots: list[list[Operation]] = [[op] for op in order]
    pinned: set[int] = set()
    for i in range(len(order)):
        chain = slots[i]
        if not chain or i in pinned:
            continue
        first, last = chain[0], chain[-1]
        readers = {position[r] for r in after[last]}
        if first.name in _LONG_LIVED or not readers or not _from_long_lived(first):
            continue
        if any(len(operands_of(op)) != 1 for op in chain[1:]):
            continue
        target = min(readers)
        if target > i + 1:
            slots[target] = chain + slots[target]
            slots[i] = []
            if len(readers) > 1:
                pinned.add(target)
    return [op for slot in slots for op in slot]


def _from_long_lived(op: Operation) -> bool:
    return all(
        not isinstance(v.owner, Operation) or v.owner.name in _LONG_LIVED for v in operands_of(op)
    )


_ORDERS = {"bfs": _bfs, "dfs": _dfs, "rdfs": _rdfs, "stable-rdfs": _stable}
