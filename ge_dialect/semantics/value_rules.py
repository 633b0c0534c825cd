"""What a node's rule says of values that come with the run: see `ge_dialect.infer.values`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ge_dialect.infer.node import known_ints
from ge_dialect.infer.values import ValueRule, value_rule
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.types import elem_of, tensor_type
from ge_dialect.semantics.context import Dead, Ref


def rule_of(op: GeOp) -> ValueRule | None:
    """The rule of a node that reads values of the run, None where it reads none."""
    cls = type(op)
    args = op.ge_args()
    if op.regions or len(args) != len(cls.ge_table().inputs):
        return None
    types = [
        None if a is None else [v.type for v in a] if isinstance(a, list) else a.type for a in args
    ]

    def known(name: str) -> Any:
        arg = args[cls.ge_table().input_index(name)]
        return None if arg is None or isinstance(arg, list) else known_ints(arg)

    return value_rule(cls, types, op.ge_attrs, [r.type for r in op.ge_data_results], known)


def check_values(rule: ValueRule, node: str, args: Sequence[Any], declared: Sequence[Any]) -> None:
    """GeError where the rule refuses what a node is given.

    args: per declared input an array, None, or a list; declared: types of all values in order.
    """
    held = [_held(a) for a in args]
    if any(isinstance(v, Dead) for a in held for v in (a if isinstance(a, list) else [a])):
        return
    rest = iter(declared)

    def type_of(value: Any) -> Any:
        type_ = next(rest)
        return type_ if value is None else tensor_type(np.shape(value), elem_of(type_))

    types = [
        None if a is None else [type_of(v) for v in h] if isinstance(h, list) else type_of(h)
        for a, h in zip(args, held, strict=True)
    ]
    table = rule.cls.ge_table()

    def value_of(name: str) -> Any:
        value = held[table.input_index(name)]
        return None if isinstance(value, list) else value

    rule.check(node, types, value_of)


def _held(arg: Any) -> Any:
    if isinstance(arg, list):
        return [_held(a) for a in arg]
    return arg.value if isinstance(arg, Ref) else arg
