"""One reduction: the best case so far, the trials, their memory and their budget."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ge_dialect.diagnostics import GeError
from ge_dialect.ir.verifier import verify
from passes.guard import PassTimeout, time_limit
from passes.pipeline import Pipeline
from passes.testing.reduce.oracles import Oracle, Setting, Trial
from passes.testing.reduce.table import Graph, Table

T = TypeVar("T")
Item = TypeVar("Item")


@dataclass(frozen=True)
class Budget:
    """When to stop: seconds of wall time, and trials that ask the oracle."""

    seconds: float = 60.0
    trials: int = 20_000


class OutOfBudget(Exception):
    """Time or trials are used up; the best case so far stands."""


@dataclass(frozen=True)
class Case:
    """A table, a pipeline and values of the inputs by name."""

    table: Table
    pipeline: Pipeline
    inputs: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def input_values(self, seed: int) -> list[Any]:
        """Arrays of the first graph's inputs, in order: given ones where they fit."""
        return [self.value_of(p.name, p.type, seed) for p in self.table.graphs[0].inputs]

    def value_of(self, name: str, type_: Any, seed: int) -> Any:
        """The array given for an input, else one drawn from the seed and the name."""
        found = self.inputs.get(name)
        if found is not None and fits(found, type_):
            return found
        return drawn(name, type_, seed)


def fits(array: Any, type_: Any) -> bool:
    """Whether an array can be the value of an input of this type."""
    from ge_dialect.dtypes import numpy_dtype
    from ge_dialect.ir.types import elem_of, shape_of

    shape = shape_of(type_)
    if array.dtype != numpy_dtype(elem_of(type_)):
        return False
    if shape is None:
        return True
    return len(shape) == array.ndim and all(
        n in (-1, m) for n, m in zip(shape, array.shape, strict=True)
    )


def drawn(name: str, type_: Any, seed: int) -> Any:
    """Small exact values for an input, the same for the same name, type and seed."""
    import zlib

    import numpy as np

    from passes.testing.inputs import make_array
    from passes.testing.spec import Input
    from passes.testing.type_text import text_of

    rng = np.random.default_rng([seed, zlib.crc32(name.encode())])
    return make_array(Input(text_of(type_)), "exact", rng)


class Session:
    """Tries cases; the last one that failed is `best`."""

    def __init__(
        self,
        case: Case,
        oracle: Oracle,
        budget: Budget,
        *,
        seed: int = 0,
        setting: Setting | None = None,
        on_progress: Callable[[str, int, int], None] | None = None,
    ) -> None:
        self.best = case
        self.oracle = oracle
        self.budget = budget
        self.seed = seed
        self.setting = setting or Setting()
        self.on_progress = on_progress
        self.trials = self.remembered = self.refused = 0
        self.steps: list[str] = []
        self.phase = ""
        #: a candidate may loop for ever where the case did not
        self.trial_seconds: float | None = None
        self._started = time.monotonic()
        self._seen: dict[Any, Table] = {}
        self._accept_invalid = bool(self._problems(case.table.build()))

    # --------------------------------------------------------------------------------- trials

    @staticmethod
    def _problems(model: Any) -> bool:
        return any(d.severity == "error" for d in verify(model.module))

    def trial(self, case: Case) -> Trial:
        """What the oracle gets for a case."""
        values = case.input_values(self.seed) if self.oracle.needs_inputs else []
        return Trial(case.table.build, case.pipeline, values, self.setting)

    def attempt(self, case: Case, *, again: bool = False) -> bool:
        """Whether a case fails as the first one; then it is the best one from now on.

        A case is looked at once (again: although its graph and pipeline were), and one that does
        not verify is refused without asking the oracle. Raises OutOfBudget.
        """
        key = None
        if not again:
            key = (case.table.key(), str(case.pipeline))
            if key in self._seen:
                self.remembered += 1
                return False
            self._seen[key] = case.table  # keeps the attributes alive that the key names by id
        if time.monotonic() - self._started > self.budget.seconds:
            raise OutOfBudget("time")
        if self.trials >= self.budget.trials:
            raise OutOfBudget("trials")
        try:
            if not self._accept_invalid and self._problems(case.table.build()):
                self.refused += 1
                return False
            self.trials += 1
            with time_limit(self.trial_seconds):
                if not self.oracle.check(self.trial(case)):
                    return False
        except (PassTimeout, GeError, ValueError, TypeError, KeyError, RecursionError, MemoryError):
            self.refused += 1  # not a graph at all
            return False
        self.best = case
        self._tell()
        return True

    def _tell(self) -> None:
        if self.on_progress is not None:
            self.on_progress(self.phase, self.best.table.size(), self.trials)

    def attempt_graph(self, index: int, graph: Graph | None) -> bool:
        """Try the best case with one graph changed."""
        if graph is None or graph is self.best.table.graphs[index]:
            return False
        return self.attempt_table(self.best.table.with_graph(index, graph))

    def attempt_table(self, table: Table) -> bool:
        """Try the best case with another table."""
        return self.attempt(Case(table, self.best.pipeline, self.best.inputs))

    # ------------------------------------------------------------------------------- searching

    def minimise(
        self,
        items: Sequence[Item],
        attempt: Callable[[Sequence[Item]], bool],
        *,
        keep_one: bool = False,
    ) -> list[Item]:
        """A subset of `items` that still fails and from which no single item can go.

        Delta debugging (after Zeller and Hildebrandt 2002): chunks are left out, large ones first.
        `attempt` tries a subset and makes it the best case where it fails.
        """
        left = list(items)
        if not keep_one and left and attempt([]):
            return []
        size = max(len(left) // 2, 1)
        while left:
            changed = False
            start = len(left)
            while start > 0:
                # from the end: later nodes depend on earlier ones, not the other way round
                start = max(0, start - size)
                rest = [*left[:start], *left[start + size :]]
                if rest and attempt(rest):
                    left, changed = rest, True
            if size == 1 and not changed:
                break
            size = max(1, min(size // 2, len(left) // 2))
        return left

    def note(self, what: str) -> None:
        """Record a step of the reduction."""
        self.steps.append(what)
