"""What the pattern driver writes down of every try of a pattern, when someone wants to know.

Without remarks or a trace no `Attempts` exists and a try costs nothing extra.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import IO, TYPE_CHECKING, Any

from ge_dialect.diagnostics import Diagnostic
from ge_dialect.ir.names import node_name, origins
from passes.registry import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from xdsl.ir import Operation

    from passes.context import PassContext
    from passes.rewriting import Pattern

#: More nodes than this are not listed in one remark.
MAX_INVOLVED = 16


class Tracer:
    """Shows the steps of the patterns whose label fits a glob, as they are tried."""

    def __init__(self, glob: str, stream: IO[str]) -> None:
        self.glob = glob
        self._stream = stream
        self.tries = 0
        #: labels of the patterns that passes had ready, with the pass; patterns are made as a pass
        #: runs, so nothing knows them before
        self.met: dict[str, str] = {}

    def meet(self, patterns: Iterable[Pattern], pass_name: str) -> None:
        """A pass is about to look for nodes that these patterns start from."""
        for pattern in patterns:
            self.met.setdefault(pattern.label, pass_name)

    def wants(self, label: str) -> bool:
        """Whether the pattern is shown."""
        return fnmatchcase(label, self.glob)

    def line(self, text: str) -> None:
        """Write one line."""
        self._stream.write(text + "\n")

    def silence(self) -> Diagnostic | None:
        """Why nothing was shown: no pattern of that name, or no node to try it at."""
        if self.tries:
            return None
        fitting = [label for label in self.met if self.wants(label)]
        if fitting:
            return Diagnostic(
                "GX-419",
                f"--trace-pattern: '{fitting[0]}' was not tried",
                "warning",
                found="no node that it starts from",
                pass_name=self.met[fitting[0]],
            )
        of_pass = [label for label, name in self.met.items() if name == self.glob]
        hint = f"that is a pass; it has the pattern '{of_pass[0]}'" if of_pass else None
        return Diagnostic(
            "GX-419",
            f"--trace-pattern: no pattern of this run is called '{self.glob}'",
            "warning",
            found="the patterns " + _some(sorted(self.met)) if self.met else "no patterns at all",
            hint=hint or did_you_mean(self.glob, self.met),
        )


def _some(names: list[str]) -> str:
    more = len(names) - MAX_INVOLVED
    return ", ".join(names[:MAX_INVOLVED]) + (f" and {more} more" if more > 0 else "")


class _Outcome:
    """Why a try ended without a rewrite."""

    __slots__ = ("held", "involved", "matched", "reason")

    def __init__(
        self, reason: str, matched: bool, involved: tuple[str, ...], held: tuple[str, ...]
    ) -> None:
        self.reason = reason
        self.matched = matched
        self.involved = involved
        self.held = held


class Attempts:
    """Notes of one sweep: the running try, and how the last try at every op ended."""

    def __init__(self, ctx: PassContext) -> None:
        self._ctx = ctx
        self._tracer: Tracer | None = ctx.tracer
        self._tracing = False
        self._ended: dict[tuple[Operation, Pattern], _Outcome] = {}
        self._key: Any = None
        self._held: list[str] = []
        self._with: list[str] = []
        self._gone: list[tuple[str | None, tuple[str, ...]]] = []
        self._new: list[Operation] = []

    # ---- a try ------------------------------------------------------------------------------

    def begin(self, op: Operation, pattern: Pattern) -> None:
        """A pattern is about to be tried at `op`."""
        self._key = (op, pattern)
        for notes in (self._held, self._with, self._gone, self._new):
            notes.clear()
        tracer = self._tracer
        self._tracing = tracer is not None and tracer.wants(pattern.label)
        if self._tracing:
            assert tracer is not None
            tracer.tries += 1
            where = node_name(op) or "?"
            tracer.line(
                f"[{self._ctx.pass_name or 'pass'}] {pattern.label} at {where} ({_kind(op)})"
            )

    def forget(self, key: tuple[Operation, Pattern]) -> None:
        """Drop how earlier tries of a pattern at a node ended."""
        self._ended.pop(key, None)

    def involve(self, ops: Iterable[Any]) -> None:
        """Further nodes the candidate consists of."""
        for op in ops:
            if op is None:
                continue
            name = node_name(op)
            if name is not None and name not in self._with:
                self._with.append(name)
                if self._tracing:
                    self.step(f"with  {name} ({_kind(op)})")

    def step(self, text: str) -> None:
        """A line of the trace."""
        if self._tracing:
            assert self._tracer is not None
            self._tracer.line(f"    {text}")

    def checked(self, reason: str, holds: bool) -> None:
        """A condition was looked at; `reason` is what is said when it fails."""
        if holds:
            if reason not in self._held:
                self._held.append(reason)
            self.step(f"ok    not so: {reason}")
        else:
            self.step(f"FAIL  {reason}")

    def failed(self, reason: str, *, matched: bool) -> None:
        """The try will end because of `reason`; `matched` where the shape of the pattern fits."""
        self._ended[self._key] = _Outcome(reason, matched, tuple(self._with), tuple(self._held))
        if not matched:
            self.step(f"no    {reason}")

    def removed(self, op: Operation) -> None:
        """A node goes during the try."""
        self._gone.append((node_name(op), origins(op)))

    def inserted(self, op: Operation) -> None:
        """A node came during the try."""
        self._new.append(op)

    def applied(self, op: Operation, pattern: Pattern, announce: bool) -> None:
        """The try rewrote something."""
        self._ended.pop(self._key, None)
        self.step("applied")
        ctx = self._ctx
        if not (announce and ctx.remarks_enabled):
            return
        own = node_name(op)
        names = [*self._with, *(n for n, _ in self._gone), *map(node_name, self._new)]
        sources = [*origins(op), *(o for _, listed in self._gone for o in listed)]
        ctx.remark(
            f"{pattern.label} applied",
            op=op,
            category="applied",
            pattern=pattern.label,
            involved=_listed(names, own),
            origins=_listed(sources, own),
        )

    def end(self) -> None:
        """The try is over."""
        if self._tracing and self._key in self._ended:
            outcome = self._ended[self._key]
            self.step("missed" if outcome.matched else "not a candidate")

    # ---- the sweep is over --------------------------------------------------------------------

    def report(self, missed: dict[tuple[Operation, Pattern], str]) -> None:
        """Remarks of the candidates that were not rewritten, in the order they were met."""
        ctx = self._ctx
        if not ctx.remarks_enabled:
            return
        for (op, pattern), reason in missed.items():
            if op.parent is not None:
                outcome = self._ended.get((op, pattern))
                self._remark(op, pattern, reason, outcome, "missed")
        if not ctx.near_misses:
            return
        for (op, pattern), outcome in self._ended.items():
            if op.parent is not None and not outcome.matched and (op, pattern) not in missed:
                self._remark(op, pattern, outcome.reason, outcome, "unmatched")

    def _remark(
        self,
        op: Operation,
        pattern: Pattern,
        reason: str,
        outcome: _Outcome | None,
        category: str,
    ) -> None:
        own = node_name(op)
        said = "missed" if category == "missed" else "does not fit"
        self._ctx.remark(
            f"{pattern.label} {said}: {reason}",
            op=op,
            category=category,
            pattern=pattern.label,
            reason=reason,
            involved=_listed(outcome.involved, own) if outcome else None,
            held=outcome.held or None if outcome else None,
        )


def _kind(op: Operation) -> str:
    return op.name.removeprefix("ge.")


def _listed(names: Sequence[str | None], own: str | None) -> tuple[str, ...] | None:
    """The names other than `own`, each once, cut to a readable number; None where there is none."""
    found = [n for n in dict.fromkeys(names) if n is not None and n != own]
    if len(found) > MAX_INVOLVED:
        found = [*found[: MAX_INVOLVED - 1], f"... {len(found) - MAX_INVOLVED + 1} more"]
    return tuple(found) or None
