"""The pattern language: shapes with captures and clauses, conditions with reasons, replacements.

x = value("x")
negs = table(
    "negations",
    rule("neg-neg", node("Neg", node("Neg", x)), x),
    rule("sub", node("Add", x, node("Neg", value("y"))).commutative(), make("Sub", x, "y")),
)
apply_patterns(module, negs.patterns, ctx)
"""

from __future__ import annotations

from passes.pattern_dsl.rules import (
    DslPattern,
    Match,
    Rule,
    RuleTable,
    Template,
    attr_of,
    make,
    rule,
    table,
)
from passes.pattern_dsl.terms import (
    absent,
    any_of,
    const,
    node,
    optional,
    value,
    values,
    when,
)

__all__ = [
    "DslPattern",
    "Match",
    "Rule",
    "RuleTable",
    "Template",
    "absent",
    "any_of",
    "attr_of",
    "const",
    "make",
    "node",
    "optional",
    "rule",
    "table",
    "value",
    "values",
    "when",
]
