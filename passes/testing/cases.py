"""Files of small graphs that say what a pass or a pattern does there.

A file is named after a pass and holds modules separated by ``// -----``. A comment of each says
what it is about: a graph that a pattern rewrites, one that a pattern leaves alone and by which
condition, one that the pass refuses with a diagnostic, or one that becomes the module after it::

    // take-branch fires
    ge.graph @g(...) { ... }

    // -----

    // take-branch declines: the condition is negative
    ge.graph @g(...) { ... }

    // -----

    // refused: GX-503
    ge.graph @g(...) { ... }

    // -----

    // before
    ge.graph @g(...) { ... }

    // -----

    // after
    ge.graph @g(...) { ... }
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ge_dialect.api import parse
from ge_dialect.ir.printer import print_module
from passes.split import split_input
from passes.testing.from_pattern import with_weight_bytes
from passes.testing.properties.base import Subject, run_on
from passes.testing.spec import GraphSpec

if TYPE_CHECKING:
    from passes.probe import Coverage

_CLAIM = re.compile(
    r"^// (?:(?P<pattern>[\w.-]+) (?:fires|declines: (?P<reason>.+?))"
    r"|refused: (?P<code>[\w-]+)|(?P<part>before|after))\s*$",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Case:
    """A graph, as `text`, with what comes of it.

    pattern: which one (by label) rewrites it, or, with a `reason`, leaves it alone. code: of the
    diagnostic with which it is refused. after: what it becomes, printed, where that is said.
    """

    text: str
    pattern: str | None = None
    reason: str | None = None
    code: str | None = None
    after: str | None = None

    @property
    def fires(self) -> bool:
        """Whether the pattern rewrites the graph."""
        return self.reason is None

    @cached_property
    def spec(self) -> GraphSpec:
        """The graph, with small numbers for the weights it names."""
        return with_weight_bytes(GraphSpec.from_model(parse(self.text)))

    def fault(self, subject: Subject, probe: Coverage) -> str | None:
        """What a subject makes of the graph instead, None where it is as said.

        probe: counts, and is the one that patterns see.
        """
        subject = replace(subject, probe=probe)
        if self.pattern is not None:
            before = probe.fired[self.pattern]
            run_on(self.spec.build(), subject)
            fired = probe.fired[self.pattern] > before
            return None if fired == self.fires else f"{self.pattern} fires: {fired}"
        run = run_on(parse(self.text), subject)
        if self.code is not None:
            codes = [] if run.error is None else [d.code for d in run.error.diagnostics]
            return None if self.code in codes else f"no diagnostic {self.code}"
        if run.error is not None:
            return run.error.diagnostics[0].render()
        found = print_module(run.model.module)
        return None if found == self.after else f"it becomes\n{found}"


def read_cases(text: str) -> list[Case]:
    """The cases of a file's text. Raises ValueError for a graph that claims nothing, or more than
    one thing, `GeError` for text that is no module."""
    found: list[Case] = []
    before: str | None = None
    for part in split_input(text):
        claims = list(_CLAIM.finditer(part))
        if len(claims) != 1 or (claims[0]["part"] == "after") != (before is not None):
            raise ValueError(
                "one '// PATTERN fires', '// PATTERN declines: REASON', '// refused: CODE', or "
                f"'// before' and then '// after', is expected in\n{part}"
            )
        claim = claims[0]
        if claim["part"] == "before":
            before = part
        elif before is not None:
            found.append(Case(before, after=print_module(parse(part).module)))
            before = None
        else:
            found.append(Case(part, claim["pattern"], claim["reason"], claim["code"]))
    if before is not None:
        raise ValueError(f"no '// after' follows\n{before}")
    return found


def cases_in(folder: Path) -> dict[str, list[Case]]:
    """The cases of all files of a folder, by pass."""
    files = sorted(folder.glob("*.mlir"))
    return {f.stem: read_cases(f.read_text(encoding="utf-8")) for f in files}


__all__ = ["Case", "cases_in", "read_cases"]
