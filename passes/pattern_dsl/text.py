"""Rules in readable text: ``Neg(Neg(x)) => x``, then one line per condition.

Conditions are written by their reasons, as ``unless ...``: what is said when one fails.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ge_dialect.containers import is_list, is_tuple
from passes.pattern_dsl.rules import AttrOf, DslPattern, Rule, RuleTable, Template
from passes.pattern_dsl.terms import (
    Absent,
    AnyOf,
    Const,
    Node,
    Optional,
    Term,
    Values,
    terms_of,
)

if TYPE_CHECKING:
    from types import ModuleType


def term_text(term: Term) -> str:
    """A term on one line, without its clauses."""
    if isinstance(term, Optional):
        return f"{term_text(term.term)}?"
    if isinstance(term, Absent):
        return "-"
    if isinstance(term, AnyOf):
        return f"({' | '.join(term_text(t) for t in term.terms)})"
    if isinstance(term, Values):
        return f"[{term.name or '...'}]"
    if isinstance(term, Const):
        return f"{term.name}: Const" if term.name else "Const"
    if isinstance(term, Node):
        inputs = [
            term_text(t) if isinstance(slot, int) else f"{slot} = {term_text(t)}"
            for slot, t in term.inputs
        ]
        if term.swaps:
            inputs[:2] = [" <-> ".join(inputs[:2])]
        if not inputs:
            inputs = ["..."]
        result = f"#{term.result}" if term.result else ""
        lead = f"{term.name}: " if term.name else ""
        return f"{lead}{'|'.join(term.types)}({', '.join(inputs)}){result}"
    return term.name or "_"


def replacement_text(part: Any) -> str:
    """A replacement on one line; a function by its name."""
    if is_list(part) or is_tuple(part):
        return f"[{', '.join('-' if p is None else replacement_text(p) for p in part)}]"
    if isinstance(part, Template):
        inputs = ["-" if i is None else replacement_text(i) for i in part.inputs]
        attrs = [f"{k} = {_held(v)}" for k, v in part.attrs]
        tail = f" {{{', '.join(attrs)}}}" if attrs else ""
        return f"{part.op_type}({', '.join(inputs)}){tail}"
    if isinstance(part, Term):
        return part.name or "_"
    if isinstance(part, str):
        return part
    doc = (getattr(part, "__doc__", None) or "").strip().split("\n", 1)[0].rstrip(".")
    name = getattr(part, "__name__", "built")
    return f"<{doc or ('built' if name == '<lambda>' else name)}>"


def _held(value: Any) -> str:
    if isinstance(value, AttrOf):
        return f"{value.term}.{value.attr}"
    return "<computed>" if callable(value) else str(list(value) if is_tuple(value) else value)


def reasons_of(pattern: DslPattern) -> list[str]:
    """What can keep the rule from applying once its shape fits, in the order of checking."""
    clauses = [c.reason for t in terms_of(pattern.shape) for c in t.clauses]
    absents = [t.reason for t in terms_of(pattern.shape) if isinstance(t, Absent) and t.reason]
    return list(dict.fromkeys([*clauses, *absents, *(c.reason for c in pattern.conditions)]))


def rules_in(module: ModuleType) -> list[DslPattern]:
    """The rules a module defines: those made by `rule`, and its classes with their defaults."""
    found: list[DslPattern] = []
    for held in vars(module).values():
        if isinstance(held, RuleTable):
            found += held.rules
        elif isinstance(held, Rule):
            found.append(held)
        elif isinstance(held, type) and issubclass(held, DslPattern):
            if held.__module__ == module.__name__:
                found.append(held())
    return list(dict.fromkeys(found))


def _replacement_of(pattern: DslPattern) -> Any:
    if isinstance(pattern, Rule):
        return pattern.replacement
    own = type(pattern).rewrite is not DslPattern.rewrite
    return pattern.rewrite if own else pattern.replace


def rule_text(pattern: DslPattern) -> str:
    """A rule: its shape and replacement, then the conditions, one a line."""
    new = _replacement_of(pattern)
    lines = [f"{pattern.label}: {term_text(pattern.shape)} => {replacement_text(new)}"]
    lines += [f"    unless {reason}" for reason in reasons_of(pattern)]
    return "\n".join(lines)


def table_text(table: RuleTable) -> str:
    """A table: rules with their arrows below each other, conditions indented."""
    rows: list[tuple[str, str, str, list[str]]] = []
    for r in table.rules:
        new = replacement_text(_replacement_of(r))
        rows.append((r.label, term_text(r.shape), new, reasons_of(r)))
    wide = (
        max((len(label) for label, *_ in rows), default=0),
        min(max((len(shape) for _, shape, *_ in rows), default=0), 48),
    )
    lines = [f"{table.name}:"]
    for label, shape, new, reasons in rows:
        lines.append(f"  {label:<{wide[0]}}  {shape:<{wide[1]}} => {new}")
        lines += [f"  {'':<{wide[0]}}    unless {reason}" for reason in reasons]
    return "\n".join(lines)
