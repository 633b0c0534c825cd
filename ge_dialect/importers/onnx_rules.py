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
    """Decorator: the function imports `op_type` in the revisions listed in `since` ("6 13 14")."""

    def register(fn: RuleFn) -> RuleFn:
        add_rule(op_type, since, fn)
        return fn

    return register


def add_rule(op_type: str, since: str, fn: RuleFn) -> None:
    """Enter a rule; ValueError where a revision has one already."""
    versions = tuple(int(v) for v in since.split())
    table = _RULES.setdefault(op_type, {})
    for version in versions:
        if version in table:
            raise ValueError(f"{op_type} since {version} has a rule already")
        table[version] = Rule(op_type, versions, fn)


def _load() -> None:
    global _loaded
    if not _loaded:
        _loaded = True
        for family in _FAMILIES:
            import_module(f"ge_dialect.importers.onnx_ops_{family}")


def find_rule(op_type: str, since: int) -> Rule | None:
    """The rule for a revision, None where there is none."""
    _load()
    return _RULES.get(op_type, {}).get(since)


def known_revisions(op_type: str) -> list[int]:
    """Revisions of an operator that can be imported, oldest first."""
    _load()
    return sorted(_RULES.get(op_type, {}))


def rule_table() -> dict[str, list[int]]:
    """All operators with their revisions, in alphabetical order (for the docs and tests)."""
    _load()
    return {name: sorted(_RULES[name]) for name in sorted(_RULES)}


def all_rules() -> list[Rule]:
    """Every rule once, by operator and revision."""
    _load()
    found = {(r.op_type, r.since): r for table in _RULES.values() for r in table.values()}
    return [found[key] for key in sorted(found)]
