"""What the AI Core library and the cost model know of operators that are not ours."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ge_dialect.plugins import entries, journal
from ge_dialect.target.oplib_data import OPS

if TYPE_CHECKING:
    from xdsl.ir import Attribute

FlopsFn = Callable[[Sequence["Attribute"], Sequence["Attribute"], Mapping[str, Any]], int]


@dataclass(frozen=True, slots=True)
class OpTarget:
    """Facts of one operator.

    library: its line in the AI Core library, "<layout rule> <signature> <dtype sets>" as in
    `ge_dialect.target.oplib_data`; None: only the AI CPU runs it. cost_class: one of
    `ge_dialect.target.soc_file.COST_CLASSES`. transcendental: each element costs as much as an
    exponential. flops: operations of one execution from input types, result types and attributes,
    where the formula of the class does not fit.
    """

    library: str | None = None
    cost_class: str = "elementwise"
    transcendental: bool = False
    flops: FlopsFn | None = None

    def problem(self) -> str | None:
        """What is wrong with it, None where nothing is."""
        from ge_dialect.target.oplib import RULES, parse_entry
        from ge_dialect.target.soc_file import COST_CLASSES

        if self.cost_class not in COST_CLASSES:
            return f"cost class {self.cost_class!r} is none of {', '.join(COST_CLASSES)}"
        if self.library is None:
            return None
        try:
            found = parse_entry("it", self.library)
        except (ValueError, IndexError):
            return f"{self.library!r} is not '<layout rule> <inputs>><outputs> <dtype sets>'"
        if found.rule not in RULES:
            return f"layout rule {found.rule!r} is none of {', '.join(RULES)}"
        letters = set(found.inputs + found.outputs)
        if not found.columns and letters != set(found.sets):
            return f"{self.library!r} names dtypes for {sorted(found.sets)}, not {sorted(letters)}"
        return None


_table: dict[str, OpTarget] = {}


def register_target(op_type: str, facts: OpTarget) -> OpTarget:
    """Say how an operator of the user's runs on the device.

    Raises ValueError for an operator of the library, one that has facts, and for wrong facts.
    """
    if op_type in OPS or op_type in _table:
        raise ValueError(f"the target knows {op_type} already")
    problem = facts.problem()
    if problem is not None:
        raise ValueError(f"{op_type}: {problem}")
    _table[op_type] = facts
    journal.note("target data", op_type, None, lambda: _table.pop(op_type, None))
    return facts


def unregister_target(op_type: str) -> None:
    """Forget facts given with `register_target`; KeyError for any other operator."""
    del _table[op_type]


def target_of(op_type: str) -> OpTarget | None:
    """The facts that the user or a plug-in gives of an operator; None for those of the library."""
    found = _table.get(op_type)
    if found is None and op_type not in OPS and entries.offers("targets", op_type):
        found = _of_plugin(op_type)
    return found


def _of_plugin(op_type: str) -> OpTarget:
    def register(value: Any) -> str | None:
        if op_type in _table:  # importing the module has registered it
            return None
        if not isinstance(value, OpTarget):
            return f"it gives {value!r:.200}, no OpTarget"
        problem = value.problem()
        if problem is None:
            register_target(op_type, value)
        return problem

    value = entries.provide("targets", op_type, register)
    return _table.setdefault(op_type, value)
