"""Names in use, and the first free one of `base`, `base_1`, `base_2` …"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heappop, heappush


class TakenNames:
    """A set of names that finds free ones without counting from the start each time.

    For each base it remembers up to which number all names were taken, and which numbers below
    that have become free since, so that n names of one base cost n steps and not n².
    """

    __slots__ = ("_counted", "_freed", "held")

    def __init__(self, names: Iterable[str] = ()) -> None:
        #: The names. Adding one here is the same as `add`; names leave through `discard` only.
        self.held = set(names)
        #: base -> n: each of base_1 … base_n is taken, or its number is in `_freed`
        self._counted: dict[str, int] = {}
        #: base -> heap of numbers that were freed; some may be taken again
        self._freed: dict[str, list[int]] = {}

    def __contains__(self, name: object) -> bool:
        return name in self.held

    def __len__(self) -> int:
        return len(self.held)

    def add(self, name: str) -> None:
        """Take exactly this name."""
        self.held.add(name)

    def update(self, names: Iterable[str]) -> None:
        """Take all these names."""
        self.held.update(names)

    def discard(self, name: str) -> None:
        """Free a name; one that is not taken is free already."""
        if name not in self.held:
            return
        self.held.remove(name)
        base, _, digits = name.rpartition("_")
        if base not in self._counted:
            return
        try:
            number = int(digits)
        except ValueError:
            return
        if 0 < number <= self._counted[base]:
            heappush(self._freed.setdefault(base, []), number)

    def free(self, base: str) -> str:
        """`base`, or `base_1`, `base_2` …: the first that is not taken. It is not taken by this."""
        held = self.held
        if base not in held:
            return base
        freed = self._freed.get(base)
        while freed:
            name = f"{base}_{freed[0]}"
            if name not in held:
                return name
            heappop(freed)
        number = self._counted.get(base, 0) + 1
        while (name := f"{base}_{number}") in held:
            number += 1
        self._counted[base] = number - 1
        return name

    def fresh(self, base: str) -> str:
        """The first free name, as `free` has it, which is taken from now on."""
        name = self.free(base)
        self.held.add(name)
        return name
