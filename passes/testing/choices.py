"""Sources of choices: the only thing in which the three fronts of the generator differ."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Protocol


class Choices(Protocol):
    """Answers the generator's questions. Zero is always the simplest answer."""

    def choose(self, n: int) -> int:
        """One of `n` alternatives, 0 to n - 1; `n` is at least 1."""
        ...

    def index(self, n: int) -> int:
        """A place in a list of `n` values, the oldest first; `n` is at least 1."""
        ...

    def flag(self, share: float) -> bool:
        """True in about that share of all answers."""
        ...

    def more(self, done: int, low: int, high: int) -> bool:
        """Whether another step follows the `done` ones."""
        ...

    def inside(self, done: int, high: int) -> bool:
        """Whether another step follows the `done` ones of a body."""
        ...

    def finish(self) -> None:
        """All steps are made; what follows are choices of the whole graph."""
        ...


class RandomChoices:
    """Answers from a seeded generator; `chains` is how often a reference is the newest value."""

    def __init__(self, seed: int, chains: float = 0.5) -> None:
        self._draw = random.Random(seed).random
        self._chains = chains
        self._total = -1

    def choose(self, n: int) -> int:
        """See `Choices`."""
        return int(self._draw() * n) if n > 1 else 0

    def index(self, n: int) -> int:
        """See `Choices`."""
        if n == 1:
            return 0
        r = self._draw()
        if r < self._chains:
            return n - 1
        return int((r - self._chains) / (1.0 - self._chains) * n)

    def flag(self, share: float) -> bool:
        """See `Choices`."""
        return share > 0.0 and self._draw() < share

    def more(self, done: int, low: int, high: int) -> bool:
        """See `Choices`."""
        if self._total < 0:
            self._total = low + int(self._draw() * (high - low + 1))
        return done < self._total

    def inside(self, done: int, high: int) -> bool:
        """See `Choices`."""
        return done < high and self._draw() < 0.6

    def finish(self) -> None:
        """See `Choices`."""


#: Numbers on a tape are below this; references are small numbers of their own.
TAPE_RANGE = 1024

#: One step on tape: small numbers for references, and numbers below TAPE_RANGE for choices.
StepTape = tuple[Sequence[int], Sequence[int]]


class TapeChoices:
    """Answers read from numbers, as a shrinking front needs them.

    Each step has its own tape, so removing one leaves the choices of the others. References are
    clipped, choices are scaled; what is not on the tape is 0. The first tape is the graph's.
    """

    def __init__(self, graph: Sequence[int], steps: Sequence[StepTape]) -> None:
        self._graph = graph
        self._steps = steps
        self._choices: Sequence[int] = graph
        self._refs: Sequence[int] = ()
        self._at = 0
        self._ref_at = 0
        self._graph_at = 0
        self._next = 0

    def choose(self, n: int) -> int:
        """See `Choices`."""
        if n == 1:
            return 0
        at = self._at
        self._at = at + 1
        return self._choices[at] * n // TAPE_RANGE if at < len(self._choices) else 0

    def index(self, n: int) -> int:
        """See `Choices`."""
        if n == 1:
            return 0
        at = self._ref_at
        self._ref_at = at + 1
        found = self._refs[at] if at < len(self._refs) else 0
        return found if found < n else n - 1

    def flag(self, share: float) -> bool:
        """See `Choices`."""
        if share <= 0.0:
            return False
        at = self._at
        self._at = at + 1
        if at >= len(self._choices):
            return False
        return self._choices[at] >= TAPE_RANGE * (1.0 - share)

    def more(self, done: int, low: int, high: int) -> bool:
        """See `Choices`: one step per tape."""
        if not self._next:
            self._graph_at = self._at
        return self._turn()

    def inside(self, done: int, high: int) -> bool:
        """See `Choices`: the steps of a body use the tapes behind their owner's."""
        return done < high and self.choose(2) == 1 and self._turn()

    def finish(self) -> None:
        """See `Choices`: the rest of the graph's own tape."""
        self._choices, self._at = self._graph, self._graph_at
        self._refs, self._ref_at = (), 0

    def _turn(self) -> bool:
        """Go on to the next step's tape."""
        if self._next >= len(self._steps):
            return False
        self._refs, self._choices = self._steps[self._next]
        self._next += 1
        self._at = self._ref_at = 0
        return True


class OdometerChoices:
    """Answers that run through all combinations: `advance()` moves on to the next one.

    Asks in the order of a depth-first walk, so every sequence of answers occurs exactly once.
    """

    def __init__(self) -> None:
        self._digits: list[int] = []
        self._bounds: list[int] = []
        self._at = 0

    def choose(self, n: int) -> int:
        """See `Choices`."""
        if n == 1:
            return 0
        at = self._at
        self._at = at + 1
        if at == len(self._digits):
            self._digits.append(0)
            self._bounds.append(n)
        return self._digits[at]

    def index(self, n: int) -> int:
        """See `Choices`."""
        return self.choose(n)

    def flag(self, share: float) -> bool:
        """See `Choices`: both answers where the share is above 0."""
        return share > 0.0 and self.choose(2) == 1

    def more(self, done: int, low: int, high: int) -> bool:
        """See `Choices`."""
        return done < low or (done < high and self.choose(2) == 1)

    def inside(self, done: int, high: int) -> bool:
        """See `Choices`."""
        return done < high and self.choose(2) == 1

    def finish(self) -> None:
        """See `Choices`."""

    def advance(self) -> bool:
        """Turn to the next combination; False after the last."""
        del self._digits[self._at :], self._bounds[self._at :]
        self._at = 0
        while self._digits:
            if self._digits[-1] + 1 < self._bounds[-1]:
                self._digits[-1] += 1
                return True
            self._digits.pop()
            self._bounds.pop()
        return False
