"""Sources of choices: the only thing in which the three fronts of the generator differ."""

from __future__ import annotations

import random
from collections.abc import Callable
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

    def span(self, make: Callable[[], bool]) -> bool:
        """Run `make`, whose choices belong together."""
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

    def span(self, make: Callable[[], bool]) -> bool:
        """See `Choices`."""
        return make()


class OdometerChoices:
    """Answers that run through all combinations: `advance()` moves on to the next one.

    Asks in the order of a depth-first walk, so every sequence of answers occurs exactly once.
    first: the first answer of all, if it is to stay the same.
    """

    def __init__(self, first: int | None = None) -> None:
        self._digits: list[int] = [] if first is None else [first]
        self._bounds: list[int] = [] if first is None else [first + 1]
        self._fixed = len(self._digits)
        self._at = 0
        #: how many answers the first question had
        self.first_bound = 1

    def choose(self, n: int) -> int:
        """See `Choices`."""
        if n == 1:
            return 0
        at = self._at
        self._at = at + 1
        if at == 0:
            self.first_bound = n
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

    def span(self, make: Callable[[], bool]) -> bool:
        """See `Choices`."""
        return make()

    def advance(self) -> bool:
        """Turn to the next combination; False after the last."""
        del self._digits[self._at :], self._bounds[self._at :]
        self._at = 0
        while len(self._digits) > self._fixed:
            if self._digits[-1] + 1 < self._bounds[-1]:
                self._digits[-1] += 1
                return True
            self._digits.pop()
            self._bounds.pop()
        return False
