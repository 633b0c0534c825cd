"""The table of ONNX exports: GE's operator -> the function that writes it as ONNX nodes.

A rule sees one node (`Out`) and returns the values of its results, in order. Element types need no
care: what ONNX's operator does not take is widened around it, and a result of another type than
the node's is cast (see `onnx_node`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, TypeAlias

from ge_dialect.ops._index import MODULES
from ge_dialect.plugins import journal

if TYPE_CHECKING:
    from ge_dialect.exporters.onnx_node import Out
    from ge_dialect.exporters.onnx_values import Val

#: What a rule returns: the value of the first result, or those of all.
Results: TypeAlias = "Val | Sequence[Val | None]"
RuleFn = Callable[["Out"], Results]

#: Opsets that can be written: from the one in which all reductions take their axes as an input.
OLDEST_OPSET = 18
#: The newest that is tested, and the default where the installed onnx package knows it.
NEWEST_OPSET = 28

_FAMILIES = (
    "elementwise",
    "activation",
    "shape",
    "move",
    "index",
    "reduce",
    "matrix",
    "conv",
    "pool",
    "norm",
    "image",
    "sort",
    "quant",
    "random",
    "control",
    "forms",
    "made",
    "choice",
    "gradient",
    "loss",
    "fused_norm",
    "attention",
    "moe",
    "recurrent",
    "foreach",
)
_RULES: dict[str, RuleFn] = {}
_loaded = False


def export(*op_types: str) -> Callable[[RuleFn], RuleFn]:
    """Decorator: the function writes these operators of GE."""

    def register(fn: RuleFn) -> RuleFn:
        for op_type in op_types:
            add_export(op_type, fn)
        return fn

    return register


def add_export(op_type: str, fn: RuleFn) -> None:
    """Enter a rule; ValueError where the operator has one already."""
    if journal.is_foreign(fn) and op_type in MODULES:
        _load()  # ours count, whether or not something was exported before
    if op_type in _RULES:
        raise ValueError(f"{op_type} has a rule already")
    _RULES[op_type] = fn
    journal.note("ONNX export", op_type, fn, lambda: _RULES.pop(op_type, None))


def _load() -> None:
    global _loaded
    if not _loaded:
        _loaded = True
        for family in _FAMILIES:
            import_module(f"ge_dialect.exporters.onnx_ops_{family}")


def find_export(op_type: str) -> RuleFn | None:
    """The rule of an operator, None where ONNX has no counterpart that we know."""
    _load()
    return _RULES.get(op_type)


def export_table() -> dict[str, RuleFn]:
    """All operators that can be exported, in alphabetical order."""
    _load()
    return {name: _RULES[name] for name in sorted(_RULES)}
