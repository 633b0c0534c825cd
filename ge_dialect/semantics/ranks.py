"""Golden runs of several ranks: one graph per rank, in step at every collective operator.

Ranks take turns: the lowest one that can go on runs until it waits for others or ends, so a run is
the same every time. A collective happens when every rank of its group has come to it; ranks that
come to different ones, or with other parameters, shapes or dtypes, are an error, and so is waiting
that nobody ends. A send waits for its receive, as HCCL's do.
"""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

from ge_dialect.diagnostics import Diagnostic, GeError

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from ge_dialect.keep import Keep
    from ge_dialect.semantics.evaluator import EvalResult, Inputs
    from ge_dialect.weights.store import WeightStore

#: GE's name of the group of all ranks.
WORLD_GROUP = "hccl_world_group"
MISMATCH, DEADLOCK = "GX-250", "GX-251"

#: From what each member of a group brings, in their order, what each of them gets.
Combine = Callable[[list[Any]], Sequence[Any]]


class Communicator(Protocol):
    """What an operator sees of the ranks."""

    def members(self, group: str, node: str) -> tuple[int, ...]:
        """Ranks of a group in order; GeError for a group that is not known or without this rank."""
        ...

    def index(self, group: str, node: str) -> int:
        """Place of this rank in a group."""
        ...

    def together(
        self, op: str, group: str, node: str, same: Mapping[str, Any], value: Any, combine: Combine
    ) -> Any:
        """A collective: every member brings a value, `same` must agree; what this rank gets."""
        ...

    def send(self, group: str, node: str, to: int, tag: int, value: Any) -> None:
        """Hand a value to a member of the group, once it receives."""
        ...

    def receive(self, group: str, node: str, source: int, tag: int, kind: Any) -> Any:
        """The value a member of the group sends; its (shape, dtype) must be `kind`."""
        ...


def _fail(
    code: str, message: str, node: str | None, found: object, expected: object, hint: str = ""
) -> NoReturn:
    raise GeError(
        Diagnostic(
            code,
            message,
            node=node or None,
            found=str(found),
            expected=str(expected),
            hint=hint or None,
        )
    )


class Alone:
    """The world of `evaluate_graph`: one rank, of which every group consists."""

    def members(self, group: str, node: str) -> tuple[int, ...]:
        """This rank."""
        return (0,)

    def index(self, group: str, node: str) -> int:
        """0."""
        return 0

    def together(
        self, op: str, group: str, node: str, same: Mapping[str, Any], value: Any, combine: Combine
    ) -> Any:
        """What one member gets from its own value."""
        return combine([value])[0]

    def send(self, group: str, node: str, to: int, tag: int, value: Any) -> None:
        """Nobody receives."""
        _fail(DEADLOCK, "a rank alone sends to nobody", node, f"rank {to}", "several ranks", _HINT)

    def receive(self, group: str, node: str, source: int, tag: int, kind: Any) -> Any:
        """Nobody sends."""
        _fail(DEADLOCK, "a rank alone receives nothing", node, f"rank {source}", "several ranks",
              _HINT)  # fmt: skip


_HINT = "run all ranks at once with ge_dialect.semantics.ranks.evaluate_ranks"


@dataclass
class _Request:
    """What a rank waits for."""

    op: str
    group: str
    node: str
    same: Mapping[str, Any]
    value: Any
    combine: Combine | None = None
    partner: int = -1
    tag: int = 0

    def describe(self) -> str:
        what = f"{self.op} of group {self.group!r}"
        if self.partner >= 0:
            way = "to" if self.op == "HcomSend" else "from"
            what += f" {way} member {self.partner} with tag {self.tag}"
        return f"{what} in node {self.node!r}"


class _Stopped(BaseException):
    """Ends a rank whose run is pointless, since another failed."""


@dataclass
class _Rank:
    number: int
    world: _World
    turn: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    request: _Request | None = None
    reply: Any = None
    done: bool = False
    error: BaseException | None = None
    result: Any = None
    thread: threading.Thread | None = None

    # the communicator of this rank

    def members(self, group: str, node: str) -> tuple[int, ...]:
        found = self.world.groups.get(group)
        if found is None or self.number not in found:
            known = ", ".join(sorted(self.world.groups))
            message = f"rank {self.number} is in no group of this name"
            _fail(MISMATCH, message, node, group, known, "give it to evaluate_ranks as groups={…}")
        return found

    def index(self, group: str, node: str) -> int:
        return self.members(group, node).index(self.number)

    def together(
        self, op: str, group: str, node: str, same: Mapping[str, Any], value: Any, combine: Combine
    ) -> Any:
        self.members(group, node)
        return self._wait(_Request(op, group, node, same, value, combine))

    def send(self, group: str, node: str, to: int, tag: int, value: Any) -> None:
        self._partner(group, node, to)
        self._wait(_Request("HcomSend", group, node, {}, value, None, to, tag))

    def receive(self, group: str, node: str, source: int, tag: int, kind: Any) -> Any:
        self._partner(group, node, source)
        return self._wait(_Request("HcomReceive", group, node, {}, kind, None, source, tag))

    def _partner(self, group: str, node: str, place: int) -> None:
        count = len(self.members(group, node))
        if not 0 <= place < count:
            _fail(MISMATCH, "the group has no such member", node, place, f"0 … {count - 1}")

    def _wait(self, request: _Request) -> Any:
        self.request = request
        self.world.main.release()
        self.turn.acquire()
        if self.world.stopped:
            raise _Stopped
        return self.reply


@dataclass
class _World:
    """All ranks of a run, and whose turn it is."""

    groups: dict[str, tuple[int, ...]]
    ranks: list[_Rank] = field(default_factory=list)
    main: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    stopped: bool = False

    def run(self, jobs: Sequence[Callable[[_Rank], Any]]) -> list[Any]:
        self.ranks = [_Rank(i, self) for i in range(len(jobs))]
        for rank, job in zip(self.ranks, jobs, strict=True):
            work = contextvars.copy_context()
            rank.thread = threading.Thread(
                target=work.run, args=(self._live, rank, job), name=f"rank {rank.number}",
                daemon=True,
            )  # fmt: skip
        try:
            self._turns()
        finally:
            self._end()
        return [rank.result for rank in self.ranks]

    def _live(self, rank: _Rank, job: Callable[[_Rank], Any]) -> None:
        rank.turn.acquire()
        try:
            if not self.stopped:
                rank.result = job(rank)
        except _Stopped:
            pass
        except BaseException as error:
            rank.error = error
        finally:
            rank.done = True
            self.main.release()

    def _turns(self) -> None:
        for rank in self.ranks:
            assert rank.thread is not None
            rank.thread.start()
        ready = list(self.ranks)
        while ready:
            rank = ready.pop(0)
            rank.turn.release()
            self.main.acquire()
            if rank.error is not None:
                raise _named(rank.error, rank.number)
            ready = sorted([*ready, *self._matched()], key=lambda r: r.number)
        waiting = [r for r in self.ranks if not r.done]
        if waiting:
            lines = [f"rank {r.number}: {r.request.describe()}" for r in waiting if r.request]
            ended = [str(r.number) for r in self.ranks if r.done]
            found = "; ".join(lines) + (f"; ended: rank {', '.join(ended)}" if ended else "")
            first = waiting[0].request
            hint = "a send waits for its receive, a collective for all ranks of its group"
            _fail(DEADLOCK, "ranks wait for one another for ever", first and first.node, found,
                  "calls that match", hint)  # fmt: skip

    def _end(self) -> None:
        """Let threads that still wait come to their end."""
        self.stopped = True
        for rank in self.ranks:
            if rank.thread is not None and rank.thread.is_alive():
                rank.turn.release()
                rank.thread.join()

    def _matched(self) -> list[_Rank]:
        """Ranks whose waiting is over now; GeError where ranks disagree."""
        over: list[_Rank] = []
        for name, members in self.groups.items():
            waiting = {
                place: self.ranks[number]
                for place, number in enumerate(members)
                if (request := self.ranks[number].request) is not None and request.group == name
            }
            over += self._collective(waiting, len(members))
            over += self._pairs(waiting)
        return over

    def _collective(self, waiting: dict[int, _Rank], size: int) -> list[_Rank]:
        here = {i: r for i, r in waiting.items() if r.request and r.request.combine is not None}
        if not here:
            return []
        first = next(iter(here.values()))
        assert first.request is not None
        for rank in here.values():
            _agree(first, rank)
        if len(here) < size:
            return []
        combine = first.request.combine
        assert combine is not None
        given = combine([here[i].request.value for i in range(size)])  # type: ignore[union-attr]
        for i in range(size):
            here[i].reply, here[i].request = given[i], None
        return list(here.values())

    def _pairs(self, waiting: dict[int, _Rank]) -> list[_Rank]:
        over: list[_Rank] = []
        for place, rank in waiting.items():
            sent = rank.request
            if sent is None or sent.op != "HcomSend":
                continue
            other = waiting.get(sent.partner)
            wanted = other.request if other is not None else None
            if other is None or wanted is None or wanted.op != "HcomReceive":
                continue
            if wanted.partner != place or wanted.tag != sent.tag:
                continue
            kind = (tuple(sent.value.shape), str(sent.value.dtype))
            if kind != wanted.value:
                found = f"rank {rank.number} sends {kind}, rank {other.number} wants {wanted.value}"
                _fail(
                    MISMATCH, "what is sent is not what is received", sent.node, found, "one type"
                )
            other.reply, rank.reply = sent.value, None
            rank.request = other.request = None
            over += [rank, other]
        return over


def _agree(a: _Rank, b: _Rank) -> None:
    """An error unless two ranks are at the same call."""
    one, two = a.request, b.request
    assert one is not None
    assert two is not None
    if one.op != two.op:
        found = f"rank {a.number}: {one.describe()}; rank {b.number}: {two.describe()}"
        _fail(MISMATCH, "ranks come to different collectives", two.node, found, "the same order")
    for name, value in one.same.items():
        if two.same.get(name) != value:
            found = f"{value} on rank {a.number}, {two.same.get(name)} on rank {b.number}"
            message = f"ranks disagree on {name} of {one.op} of group {one.group!r}"
            _fail(MISMATCH, message, two.node, found, "one value")


def _named(error: BaseException, number: int) -> BaseException:
    """The error of a rank, with the rank's number in the message."""
    if not isinstance(error, GeError):
        return error
    from dataclasses import replace

    told = [replace(d, message=f"rank {number}: {d.message}") for d in error.diagnostics]
    return GeError(told, exit_code=error.exit_code)


def evaluate_ranks(
    graphs: Operation | Sequence[Operation],
    inputs: Sequence[Inputs],
    weights: WeightStore | Sequence[WeightStore | None] | None = None,
    keep: Keep = None,
    *,
    groups: Mapping[str, Sequence[int]] | None = None,
    seed: int = 0,
    compute_dtype: Any = None,
) -> list[EvalResult]:
    """Run one graph per rank and return their results, by rank.

    graphs: one for all ranks, or one each. inputs: for each rank, as for `evaluate_graph`; their
    number is that of the ranks. weights: a store for all ranks, or one each. groups: ranks of each
    named group in order; `hccl_world_group` is all of them. seed, keep, compute_dtype: as for
    `evaluate_graph`, of every rank.
    Raises GeError: what `evaluate_graph` raises, with the rank named; ranks that do not agree
    (GX-250); ranks that wait for ever (GX-251). ValueError for graphs, weights or groups that do
    not fit the number of ranks.
    """
    from ge_dialect.semantics.context import State
    from ge_dialect.semantics.evaluator import evaluate_graph

    count = len(inputs)
    each = list(graphs) if isinstance(graphs, Sequence) else [graphs] * count
    stores = list(weights) if isinstance(weights, Sequence) else [weights] * count
    for what, found in (("graphs", each), ("weights", stores)):
        if len(found) != count:
            raise ValueError(f"{len(found)} {what} for the inputs of {count} ranks")
    for graph in each:
        if getattr(graph, "name", "builtin.module") == "builtin.module":
            kind = type(graph).__name__
            raise TypeError(f"a rank runs a graph, as model.graphs[0], not a {kind}")
    if not count:
        return []
    named = {WORLD_GROUP: tuple(range(count))}
    for name, ranks in (groups or {}).items():
        members = tuple(ranks) if isinstance(ranks, Iterable) else ()
        whole = all(isinstance(r, int) and 0 <= r < count for r in members)
        if not members or not whole or len(set(members)) != len(members):
            raise ValueError(f"group {name!r} is no list of distinct ranks below {count}: {ranks}")
        named[name] = members

    def job(graph: Operation, given: Inputs, store: WeightStore | None) -> Callable[[_Rank], Any]:
        return lambda rank: evaluate_graph(
            graph,
            given,
            store,
            keep,
            seed=seed,
            state=State(comm=rank),
            compute_dtype=compute_dtype,
        )

    jobs = [job(*one) for one in zip(each, inputs, stores, strict=True)]
    return _World(named).run(jobs)
