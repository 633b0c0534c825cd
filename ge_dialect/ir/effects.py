"""Effects of operators: what a node does besides computing its results.

Every operator class declares one `EffectSet`. Order between effects is given by data and control
edges only; two conflicting effects without a path between them are a verifier error.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class EffectKind(Enum):
    """PURE: may be merged, folded, erased. STATE: reads or writes resources. UNKNOWN: unsaid."""

    PURE = "pure"
    STATE = "state"
    RANDOM = "random"
    IO = "io"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class EffectSet:
    """Declared effects of an operator class.

    reads, writes: names of ref inputs whose resource is read or written.
    channel: the I/O channel ("stdout") that all I/O operators of that name share.
    """

    kind: EffectKind
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    channel: str | None = None

    @property
    def is_pure(self) -> bool:
        """True where nodes may be merged, folded and erased."""
        return self.kind is EffectKind.PURE

    @property
    def is_effectful(self) -> bool:
        """True where the node must run and its order counts (state or I/O, random excluded)."""
        return self.kind in (EffectKind.STATE, EffectKind.IO)


class Effects:
    """Ready-made effect sets for class declarations."""

    PURE = EffectSet(EffectKind.PURE)
    RANDOM = EffectSet(EffectKind.RANDOM)
    UNKNOWN = EffectSet(EffectKind.UNKNOWN)

    @staticmethod
    def reads(*inputs: str) -> EffectSet:
        """Reads the resources behind these ref inputs."""
        return EffectSet(EffectKind.STATE, reads=inputs)

    @staticmethod
    def writes(*inputs: str, reads: tuple[str, ...] = ()) -> EffectSet:
        """Writes the resources behind these ref inputs (and may read others)."""
        return EffectSet(EffectKind.STATE, reads=reads, writes=inputs)

    @staticmethod
    def io(channel: str) -> EffectSet:
        """Input or output on a named channel; all users of a channel are ordered."""
        return EffectSet(EffectKind.IO, channel=channel)
