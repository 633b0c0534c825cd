"""The table of ONNX rules: operator -> the revisions it knows and the function that imports them.

A revision is ONNX's `since_version`: the opset in which the operator got its current definition.
A rule lists those it was written for; any other one is refused rather than guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, TypeAlias

from xdsl.ir import SSAValue

from ge_dialect.plugins import entries, journal

if TYPE_CHECKING:
    from ge_dialect.importers.onnx_node import Node

#: What a rule returns: the value of the first output, or those of all.
Outputs: TypeAlias = SSAValue | Sequence[SSAValue | None]
RuleFn = Callable[["Node"], Outputs]

#: The opsets the importer takes; the newest is whatever the installed onnx package knows.
OLDEST_OPSET = 7

_FAMILIES = (
    "cast",
    "math",
    "nn",
    "norm",
    "conv",
    "pool",
    "resize",
    "vision",
    "signal",
    "shape",
    "index",
    "reduce",
    "quant",
    "control",
    "loop",
    "recurrent",
    "scatter",
    "sort",
    "random",
    "misc",
)
_RULES: dict[str, dict[int, Rule]] = {}
_loaded = False


@dataclass(frozen=True, slots=True)
class Rule:
    """One operator in some of its revisions."""

    op_type: str
    since: tuple[int, ...]
    run: RuleFn


def rule(op_type: str, since: str) -> Callable[[RuleFn], RuleFn]:
    """Decorator: the function imports `op_type` in the revisions listed in `since` ("6 13 14").

    An operator of another domain is written with it, "com.example.HardClamp"; its revisions are
    versions of that domain.
    """

    def register(fn: RuleFn) -> RuleFn:
        add_rule(op_type, since, fn)
        return fn

    return register


def add_rule(op_type: str, since: str, fn: RuleFn) -> None:
    """Enter a rule; ValueError where a revision has one already."""
    if journal.is_foreign(fn) and "." not in op_type:
        _load()  # ours count, whether or not something was imported before
    versions = tuple(int(v) for v in since.split())
    table = _RULES.setdefault(op_type, {})
    for version in versions:
        if version in table:
            raise ValueError(f"{op_type} since {version} has a rule already")
    table.update((version, Rule(op_type, versions, fn)) for version in versions)

    def undo() -> None:
        for version in versions:
            table.pop(version, None)

    journal.note("ONNX rule", op_type, fn, undo)


def _load() -> None:
    global _loaded
    if not _loaded:
        _loaded = True
        for family in _FAMILIES:
            import_module(f"ge_dialect.importers.onnx_ops_{family}")


def _revisions(op_type: str) -> dict[int, Rule]:
    _load()
    found = _RULES.get(op_type)
    if not found and entries.offers("onnx", op_type):
        entries.provide("onnx", op_type, lambda _: _unregistered(op_type))
        found = _RULES.get(op_type)
    return found or {}


def _unregistered(op_type: str) -> str | None:
    """What is wrong after the module of an entry was imported."""
    return None if _RULES.get(op_type) else f"importing it registers no rule for {op_type}"


def find_rule(op_type: str, since: int) -> Rule | None:
    """The rule for a revision, None where there is none."""
    return _revisions(op_type).get(since)


def known_revisions(op_type: str) -> list[int]:
    """Revisions of an operator that can be imported, oldest first."""
    return sorted(_revisions(op_type))


def rule_table() -> dict[str, list[int]]:
    """All operators with their revisions, in alphabetical order (for the docs and tests)."""
    _load()
    return {name: sorted(_RULES[name]) for name in sorted(_RULES) if _RULES[name]}


def all_rules() -> list[Rule]:
    """Every rule once, by operator and revision."""
    _load()
    found = {(r.op_type, r.since): r for table in _RULES.values() for r in table.values()}
    return [found[key] for key in sorted(found)]
