"""Rules of nodes whose sizes or axes follow from values: asked before their kernel runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ge_dialect.infer.values import ValueRule, value_rule
from ge_dialect.ops.registry import op_class
from runtime.kernels.registry import Slot, View
from runtime.kernels.views import logical


def rule_of(
    op_type: str,
    types: Sequence[Any],
    attrs: dict[str, Any],
    out_types: Sequence[Any],
    constant: Callable[[int], Any],
) -> ValueRule | None:
    """The rule of an operator that reads values of the run; None where there is nothing to ask.

    types: per declared input a type, None or a list. constant: the value of an input by number
    where it is a weight, None elsewhere.
    """
    try:
        cls = op_class(op_type)
    except KeyError:
        return None  # a task without an operator
    table = cls.ge_table()
    if len(types) != len(table.inputs):
        return None
    return value_rule(
        cls, types, lambda: attrs, out_types, lambda name: constant(table.input_index(name))
    )


def check_values(rule: ValueRule, args: Sequence[Slot], types: Sequence[Any], node: str) -> None:
    """GeError where the rule refuses what the operands hold now."""
    table = rule.cls.ge_table()
    rule.check(node, types, lambda name: _value(args[table.input_index(name)]))


def _value(slot: Slot) -> Any:
    return logical(slot) if isinstance(slot, View) else None
