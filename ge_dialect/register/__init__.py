"""The graph register: what is declared, whether a node is legal under it, and what can run it."""

from __future__ import annotations

from ge_dialect.register.definition import (
    Attr,
    IrDefinition,
    NodeRecord,
    Slot,
    SlotKind,
    definition_of,
    definition_of_class,
)
from ge_dialect.register.errors import ErrorCode, Finding, error_codes, finding
from ge_dialect.register.legality import (
    check_module,
    check_node,
    check_record,
    findings,
    record_of,
)
from ge_dialect.register.recover import IncompatibleError, Recovered, recover
from ge_dialect.register.strategies import Strategy, node_strategies, strategies

__all__ = [
    "Attr",
    "ErrorCode",
    "Finding",
    "IncompatibleError",
    "IrDefinition",
    "NodeRecord",
    "Recovered",
    "Slot",
    "SlotKind",
    "Strategy",
    "check_module",
    "check_node",
    "check_record",
    "definition_of",
    "definition_of_class",
    "error_codes",
    "finding",
    "findings",
    "node_strategies",
    "record_of",
    "recover",
    "strategies",
]
