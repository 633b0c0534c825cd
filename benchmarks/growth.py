"""How the time of each pass grows with ten times the nodes.

Every pass is timed in a process of its own, on graphs just read, as `ge-opt` runs it: how fast a
processor gets at a graph depends on where its parts lie in memory, and in a process that has built
and dropped other graphs they lie in the gaps that those left.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from statistics import median
from typing import Any, NamedTuple

from graphgen import graph_text

SMALL, LARGE = 2_000, 20_000
CONTROL = "(walk over the nodes, no work)"
#: Passes that are timed where they stand in ge-default, each on what the one before it left.
LATE = [
    "engine-claim", "heavy-format-propagation", "trans-node-merge", "engine-placement",
    "topological-order", "stream-assignment", "event-insertion", "memory-plan", "lower-to-rt",
]  # fmt: skip

Work = Callable[[Any], object]
Make = Callable[[], Any]


@contextmanager
def uncollected() -> Iterator[None]:
    """No collection of garbage inside.

    It is collected before, and before the module is built: afterwards it would decide which parts
    of the module are in the caches.
    """
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def timed(work: Work, module: Any) -> float:
    """CPU seconds of `work`."""
    start = time.process_time()
    work(module)
    return time.process_time() - start


def cpu(work: Work, make: Make) -> float:
    """CPU seconds of `work` on a fresh module; building it is not counted."""
    with uncollected():
        return timed(work, make())


def reader(text: str) -> Make:
    """A function that gives fresh modules of this text."""
    from ge_dialect.ir.reader import parse_module

    return lambda: parse_module(text)


def maker(ops: int) -> Make:
    """A function that gives fresh copies of the generated graph."""
    return reader(graph_text(ops))


def run_pass(name: str) -> Work:
    """Our pass of that name as a function of a module."""
    from passes.context import PassContext
    from passes.registry import pass_class

    instance = pass_class(name)()
    return lambda module: instance.run(module, PassContext())


def run_as_users_do(name: str) -> Work:
    """The pass through `run_pipeline`: it verifies, and keeps a text to reproduce failures from."""
    from passes import run_pipeline

    return lambda module: run_pipeline(module, name)


def walk(module: Any) -> object:
    """No pass: looks at every node and does nothing. Linear by construction, so it is a control."""
    from ge_dialect.ir.graph import module_graphs
    from ge_dialect.ir.private import nodes_of

    return sum(1 for graph in module_graphs(module) for _ in nodes_of(graph.body))


class Growth(NamedTuple):
    """CPU seconds of one pass on a small and on a ten times as large graph, round by round."""

    small: list[float]
    large: list[float]

    @property
    def ratio(self) -> float:
        """The median over the rounds: a lucky one at either size does not count."""
        return median([b / a for a, b in zip(self.small, self.large, strict=True)])


Growths = dict[str, Growth]


def early_passes() -> list[str]:
    """The passes that are timed on the generated graph."""
    from passes.registry import PASSES

    firsts = ("passes.prepare", "passes.fuse", "passes.stage1")
    return [name for name, target in PASSES.items() if target.startswith(firsts)]


def texts(ops: int) -> dict[str, str]:
    """The text of the graph that each pass is timed on."""
    from ge_dialect.ir.printer import print_module

    text = graph_text(ops)
    found = dict.fromkeys([CONTROL, *early_passes()], text)
    module = reader(text)()
    for name in LATE:
        found[name] = print_module(module)
        run_pass(name)(module)
    return found


def grown(name: str, small: str, large: str, rounds: int, *, used: bool = False) -> Growth:
    """The growth of one pass; a ratio is taken of two runs close in time."""
    work = walk if name == CONTROL else run_as_users_do(name) if used else run_pass(name)
    makes = reader(small), reader(large)
    cpu(work, makes[0])  # imports what it needs
    found = Growth([], [])
    for _ in range(rounds):
        for times, make in zip(found, makes, strict=True):
            times.append(cpu(work, make))
    return found


def chained(names: list[str], small: str, large: str, rounds: int) -> Growths:
    """The growth of passes that run one after the other on one module."""
    works = {name: run_pass(name) for name in names}
    found = {name: Growth([], []) for name in names}
    for i in range(rounds + 1):
        for at, make in enumerate((reader(small), reader(large))):
            with uncollected():
                module = make()
                for name, work in works.items():
                    spent = timed(work, module)
                    if i:  # the first round imports what they need
                        found[name][at].append(spent)
    return found


def apart(function: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """The result of a function of this module, called in a fresh process."""
    with get_context("spawn").Pool(1) as pool:
        return pool.apply(function, args, options)


def measured(rounds: int, large: bool) -> dict[str, Growths]:
    """The growth of every pass, by what is measured.

    alone: the pass itself. used: with all that `run_pipeline` does around it. chained: the late
    passes one after the other on one module. There a pass that looks at what the one before it
    looked at finds a graph of 2,000 nodes in the processor's caches, and one of 20,000 not, so it
    takes as long as alone on the large one, and less than alone on the small one.
    """
    small, ten = apart(texts, SMALL), apart(texts, LARGE)
    names = [*early_passes(), *LATE]
    found = {
        "alone": {n: apart(grown, n, small[n], ten[n], rounds) for n in [CONTROL, *names]},
        "used": {n: apart(grown, n, small[n], ten[n], rounds, used=True) for n in names},
        "chained": apart(chained, LATE, small[LATE[0]], ten[LATE[0]], rounds),
    }
    if large:
        more = apart(texts, 10 * LARGE)
        found["200k/20k"] = {n: apart(grown, n, ten[n], more[n], 2) for n in [CONTROL, *names]}
    return found


def is_checked(measure: str, name: str) -> bool:
    """Whether this ratio must hold."""
    return measure in ("alone", "used") and name != CONTROL
