"""Files of small graphs that say what a pattern does there.

A file is named after a pass and holds modules separated by ``// -----``. A comment of each says
which pattern rewrites it, or which one leaves it alone and by which condition::

    // take-branch fires
    ge.graph @g(...) { ... }

    // -----

    // take-branch declines: the condition is negative
    ge.graph @g(...) { ... }
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from ge_dialect.api import parse
from passes.split import split_input
from passes.testing.from_pattern import with_weight_bytes
from passes.testing.spec import GraphSpec

_CLAIM = re.compile(r"^// ([\w.-]+) (fires|declines: (.+?))\s*$", re.MULTILINE)


@dataclass(frozen=True)
class Case:
    """A graph that a pattern (by label) rewrites, or, with a `reason`, leaves alone.

    spec: the graph, with small numbers for the weights it names.
    """

    pattern: str
    reason: str | None
    spec: GraphSpec

    @property
    def fires(self) -> bool:
        """Whether the pattern rewrites the graph."""
        return self.reason is None

    def __str__(self) -> str:
        return f"{self.pattern} {'fires' if self.fires else f'declines: {self.reason}'}"


def read_cases(text: str) -> list[Case]:
    """The cases of a file's text. Raises ValueError for a graph that claims nothing, or more than
    one thing, `GeError` for text that is no module."""
    found = []
    for part in split_input(text):
        claims = _CLAIM.findall(part)
        if len(claims) != 1:
            raise ValueError(f"one '// PATTERN fires' or '// PATTERN declines: REASON' in\n{part}")
        (pattern, _, reason), spec = claims[0], GraphSpec.from_model(parse(part))
        found.append(Case(pattern, reason or None, with_weight_bytes(spec)))
    return found


def cases_in(folder: Path) -> dict[str, list[Case]]:
    """The cases of all files of a folder, by pass."""
    files = sorted(folder.glob("*.mlir"))
    return {f.stem: read_cases(f.read_text(encoding="utf-8")) for f in files}


__all__ = ["Case", "cases_in", "read_cases"]
