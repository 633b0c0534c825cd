"""How large a graph of the kit may become, and what happens to one that is larger.

Every tensor is bounded, those a formula makes on the way included: by its type before anything
runs (`too_large`), and in a run by the budget of golden semantics, which looks at the sizes at
hand. What a formula does not announce, and all that passes and devices do, is bounded by the
address space (`memory_limit`). A graph beyond that is refused, and counted (`counted`).
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from ge_dialect.diagnostics import GeError
from ge_dialect.semantics.budget import Budget, bytes_of, limited
from passes.testing.spec import GraphSpec
from passes.testing.type_text import type_of

#: Generated values have a few thousand elements at most, loops a few rounds.
KIT = Budget(array_bytes=1 << 20, steps=20_000)
#: Bytes of address space beyond what is in use when a check begins.
SPACE = 1 << 31
_CODES = frozenset({"GX-248", "GX-249"})
_tally: ContextVar[Counter[str] | None] = ContextVar("tally", default=None)


def is_over_budget(error: GeError) -> bool:
    """Whether a golden run ended at its budget."""
    return error.diagnostics[0].code in _CODES


def too_large(spec: GraphSpec) -> bool:
    """Whether some value of the graph, or of its bodies, is beyond the limit by its type alone."""
    most = KIT.array_bytes or 0
    types = [given.type for given in spec.inputs]
    types += [text for step in spec.walk() for text in step.types or ()]
    return any((bytes_of(type_of(text)) or 0) > most for text in set(types))


@contextmanager
def counted() -> Generator[Counter[str], None, None]:
    """Counts in the block what is refused for its size: "graph", "run"."""
    tally: Counter[str] = Counter()
    token = _tally.set(tally)
    try:
        yield tally
    finally:
        _tally.reset(token)


def refused(what: str) -> None:
    """Note something that was refused for its size."""
    tally = _tally.get()
    if tally is not None:
        tally[what] += 1


@contextmanager
def memory_limit(space: int = SPACE) -> Generator[None, None, None]:
    """At most `space` bytes more of address space in the block; MemoryError beyond.

    On systems that do not say how much is in use the block runs without limit.
    """
    used = _in_use()
    if used is None:
        yield
        return
    import resource

    before = resource.getrlimit(resource.RLIMIT_AS)
    given = [n for n in before if n != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_AS, (min([used + space, *given]), before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def _in_use() -> int | None:
    """Bytes of address space of this process, where Linux tells."""
    try:
        with open("/proc/self/statm", encoding="ascii") as held:
            return int(held.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return None


@contextmanager
def kit_limits(**more: Any) -> Generator[None, None, None]:
    """All limits of the kit; `more`: see `memory_limit`."""
    with limited(KIT), memory_limit(**more):
        yield


__all__ = [
    "KIT",
    "counted",
    "is_over_budget",
    "kit_limits",
    "memory_limit",
    "refused",
    "too_large",
]
