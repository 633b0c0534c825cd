"""Remarks: what passes did, did not do, and found out; filters and forms of them.

A remark is a diagnostic that also names the pattern, the condition that failed, the source nodes
concerned and the other nodes involved. Categories:

- ``applied``: a rewrite or decision took place;
- ``missed``: a candidate was found, and a condition kept it from being rewritten;
- ``analysis``: a fact a pass worked out (a placement, a memory plan);
- ``unmatched``: an op a pattern starts from, whose surroundings do not have the pattern's shape.
  These are many, so they are only made when a node is asked about.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from ge_dialect.diagnostics import Diagnostic, ExitCode, GeError, user_error

#: Categories in the order in which they are listed.
KINDS = ("applied", "missed", "analysis", "unmatched")
CODES_OF_KINDS = {
    "applied": "GX-420",
    "missed": "GX-421",
    "analysis": "GX-422",
    "unmatched": "GX-423",
}
#: What "all" means: kinds whose number is bounded by what passes do.
ALL = frozenset({"applied", "missed", "analysis"})


@dataclass(frozen=True, slots=True)
class Remark(Diagnostic):
    """A diagnostic of severity "remark".

    pattern: label of the pattern. reason: the condition that failed. origins: source nodes the node
    stands for, if not just itself. involved: names of the other nodes concerned. held: conditions
    that were checked before and held.
    """

    pattern: str | None = None
    reason: str | None = None
    origins: tuple[str, ...] | None = None
    involved: tuple[str, ...] | None = None
    held: tuple[str, ...] | None = None

    def render(self) -> str:
        """The message as a few lines of text; the nodes involved follow."""
        text = Diagnostic.render(self)
        if self.involved:
            text += f"\n  with: {', '.join(self.involved)}"
        return text

    def concerns(self, names: frozenset[str]) -> bool:
        """Whether the remark is about one of the named nodes or a node that stands for it."""
        if self.node in names:
            return True
        return any(n in names for n in (*(self.origins or ()), *(self.involved or ())))


def remarks_in(diagnostics: Iterable[Diagnostic]) -> list[Remark]:
    """The remarks among `diagnostics`, in order."""
    return [d for d in diagnostics if isinstance(d, Remark)]


@dataclass(frozen=True)
class RemarkFilter:
    """Which remarks to show; every group of terms that is given must be satisfied.

    kinds: categories. passes, patterns, nodes: globs of names. texts: regular expressions searched
    in the message. hidden: remarks of these pass globs are never shown.
    """

    kinds: frozenset[str] = ALL
    passes: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    nodes: tuple[str, ...] = ()
    texts: tuple[re.Pattern[str], ...] = ()
    hidden: tuple[str, ...] = ()

    def accepts(self, remark: Diagnostic) -> bool:
        """Whether the remark is to be shown."""
        if remark.category not in self.kinds:
            return False
        name = remark.pass_name or ""
        if self.hidden and _any_glob(name, self.hidden):
            return False
        if self.passes and not _any_glob(name, self.passes):
            return False
        if self.patterns and not _any_glob(getattr(remark, "pattern", None) or "", self.patterns):
            return False
        if self.nodes and not self._about(remark):
            return False
        return not self.texts or any(t.search(remark.message) for t in self.texts)

    def _about(self, remark: Diagnostic) -> bool:
        names = [remark.node or ""]
        if isinstance(remark, Remark):
            names += [*(remark.origins or ()), *(remark.involved or ())]
        return any(_any_glob(n, self.nodes) for n in names)


NOTHING = RemarkFilter(kinds=frozenset())


def _any_glob(name: str, globs: Sequence[str]) -> bool:
    return any(fnmatchcase(name, g) for g in globs)


def parse_filter(text: str, flag: str = "--remarks") -> RemarkFilter:
    """The filter that `text` says: terms separated by commas.

    A term is a kind (``applied``, ``missed``, ``analysis``, ``unmatched``, or ``all`` for the first
    three), a pass name or glob (``conv-*``), ``!glob`` (not these passes), ``pattern:glob``,
    ``node:glob`` or ``/regular expression/`` on the message. Without a kind all three are meant.
    Raises `GeError` GX-008 (usage) for anything else.
    """
    kinds: set[str] = set()
    groups: dict[str, list[str]] = {"pass": [], "pattern": [], "node": [], "!": []}
    texts: list[re.Pattern[str]] = []
    for term in _terms(text):
        if term == "all":
            kinds |= ALL
        elif term in KINDS:
            kinds.add(term)
        elif len(term) >= 2 and term[0] == "/" and term[-1] == "/":
            try:
                texts.append(re.compile(term[1:-1]))
            except re.error as error:
                raise _bad(flag, f"'{term}' is no regular expression: {error}") from None
        elif term.partition(":")[0] in ("pattern", "node"):
            group, _, glob = term.partition(":")
            groups[group].append(glob)
        elif term.startswith("!"):
            groups["!"].append(_pass_glob(term[1:], flag))
        else:
            groups["pass"].append(_pass_glob(term, flag))
    return RemarkFilter(
        frozenset(kinds) or ALL,
        tuple(groups["pass"]),
        tuple(groups["pattern"]),
        tuple(groups["node"]),
        tuple(texts),
        tuple(groups["!"]),
    )


def _terms(text: str) -> list[str]:
    """The terms; a comma inside slashes does not separate."""
    found = re.findall(r"/(?:[^/\\]|\\.)*/|[^,]+", text)
    return [t.strip() for t in found if t.strip()]


def _pass_glob(term: str, flag: str) -> str:
    from passes.registry import canonical_name, did_you_mean, known_names

    if any(c in term for c in "*?["):
        return term
    own = canonical_name(term)
    if own is None:
        raise _bad(
            flag,
            f"no kind or pass is called '{term}'",
            expected=", ".join(
                (*sorted(ALL), "all", "a pass name or glob, /regex/, node:, pattern:")
            ),
            hint=did_you_mean(term, [*KINDS, "all", *known_names()]),
        )
    return own


def _bad(flag: str, message: str, **fields: Any) -> GeError:
    return user_error("GX-008", f"{flag}: {message}", exit_code=ExitCode.USAGE, **fields)


def to_json(remarks: Iterable[Remark]) -> list[dict[str, Any]]:
    """Plain data, one entry a remark, with short keys in a fixed order."""
    out: list[dict[str, Any]] = []
    for r in remarks:
        entry: dict[str, Any] = {"kind": r.category, "pass": r.pass_name}
        for key, value in (
            ("pattern", r.pattern),
            ("node", r.node),
            ("origins", r.origins),
            ("message", r.message),
            ("reason", r.reason),
            ("held", r.held),
            ("involved", r.involved),
            ("location", r.location),
            ("code", r.code),
        ):
            if value:
                entry[key] = list(value) if isinstance(value, tuple) else value
        out.append(entry)
    return out
