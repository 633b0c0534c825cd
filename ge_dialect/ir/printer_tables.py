"""What the printer knows of an operator class, and small helpers."""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import DenseArrayBase, IntegerType, i32
from xdsl.ir import Attribute

from ge_dialect.ir.base import GeOp, OpTable
from ge_dialect.ir.narrow import is_dense_array
from ge_dialect.ir.op_text import ambiguous_outputs
from ge_dialect.ir.private import operands_of


class ClassFacts:
    """What the printer needs of an operator class."""

    __slots__ = (
        "count",
        "fixed",
        "graphs",
        "head",
        "outputs",
        "quick",
        "simple",
        "table",
        "type_name",
    )

    def __init__(self, cls: type[GeOp]) -> None:
        table = cls.ge_table()
        self.table: OpTable = table
        self.head = cls.name + "("
        self.type_name = cls.name[3:]
        self.fixed = table.fixed
        self.count = len(table.inputs)
        self.outputs = -1 if table.sized_results else len(table.outputs)
        self.simple = not ambiguous_outputs(table)
        self.graphs = bool(table.graphs)
        self.quick = self.fixed and self.outputs == 1 and not self.graphs


def results_fit(op: GeOp, facts: ClassFacts, shown: int) -> bool:
    """Whether the number of data results is one the short form can express."""
    if facts.outputs >= 0:
        return shown == facts.outputs
    counts = segment_sizes(op.properties.get("resultSegmentSizes"))
    return (
        counts is not None
        and len(counts) == len(facts.table.outputs) + 1
        and sum(counts[:-1]) == shown
        and counts[-1] == len(op.results) - shown
        and all(
            n >= 0 and (s.kind != 0 or n == 1)
            for s, n in zip(facts.table.outputs, counts, strict=False)
        )
    )


def join_inputs(plan: list[tuple[str, int, bool]], args: list[str]) -> str:
    """The inputs as written, from the plan of `args_plan` and the names of the values."""
    parts: list[str] = []
    at = 0
    for prefix, count, bracketed in plan:
        group = ", ".join(args[at : at + count])
        at += count
        if bracketed:
            parts.append(f"{prefix}[{group}]")
        elif count:
            parts.append(prefix + group)
    return ", ".join(parts)


def segment_names(table: OpTable) -> tuple[str, ...]:
    """Segment-size properties that a class stores."""
    names = () if table.fixed else ("operandSegmentSizes",)
    return (*names, "resultSegmentSizes") if table.sized_results else names


def segment_sizes(value: Attribute | None) -> tuple[int, ...] | None:
    """The numbers of a segment-size property, None where it is none."""
    if is_dense_array(value) and value.elt_type == i32:
        return tuple(cast("DenseArrayBase[IntegerType]", value).get_values())
    return None


def bodies_fit(op: GeOp) -> bool:
    """Whether each body is one block whose arguments have the types that the node passes."""
    types = [v.type for v in operands_of(op)]
    for index, region in enumerate(op.regions):
        if len(region.blocks) != 1:
            return False
        try:
            passed = list(type(op).ge_body_types(types, index))
        except (IndexError, TypeError, ValueError):
            return False
        if [a.type for a in region.block.args] != passed:
            return False
    return True
