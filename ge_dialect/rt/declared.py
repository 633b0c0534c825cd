"""A kernel against the declaration of its operator, where there is one.

An executor needs no declarations: a kernel may be of a type that nobody declares, and then nothing
is checked here. Of a known operator, slots and attributes have to be those that its kernels read,
and the shapes have to follow from one another as they do in a graph.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import ArrayAttr, UnitAttr
from xdsl.ir import Attribute

from ge_dialect.diagnostics import Diagnostic, GeError
from ge_dialect.ir.base import DYNAMIC, REQUIRED
from ge_dialect.ir.names import file_location
from ge_dialect.rt.attributes import BufferAttr
from ge_dialect.rt.parts import shown
from ge_dialect.rt.values import to_python

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ge_dialect.ir.base import AttrSpec, GeOp, OpTable


def operator_problems(kernel: Any, known: dict[Any, list[Diagnostic]]) -> list[Diagnostic]:
    """Problems of a kernel by its operator's declaration.

    known: what was found for kernels with the same type, attributes and operands before.
    """
    held = kernel.properties
    types = tuple(_types(slot) for slot in held["inputs"].data)
    results = tuple(b.type for b in held["outputs"].data)
    key = (held["op_type"].data, held["attrs"], types, results)
    found = known.get(key)
    if found is None:
        found = known[key] = _problems(held["op_type"].data, held["attrs"].data, types, results)
    place, node = file_location(kernel), held["node"].data
    return [replace(problem, location=place, node=node) for problem in found]


def _types(slot: Attribute) -> Any:
    """A type, None for an input that is not connected, a tuple of types for a dynamic one."""
    if isinstance(slot, BufferAttr):
        return slot.type
    return None if isinstance(slot, UnitAttr) else tuple(b.type for b in slot.data)  # type: ignore[attr-defined]


def _problems(
    op_type: str, attrs: dict[str, Attribute], types: Sequence[Any], results: Sequence[Attribute]
) -> list[Diagnostic]:
    from ge_dialect.ops.registry import has_op, op_class

    if not has_op(op_type):
        return []
    cls = op_class(op_type)
    table = cls.ge_table()
    problems = [*_slots(op_type, table, types), *_outputs(op_type, table, len(results))]
    for name, spec in table.attrs.items():
        value = attrs.get(name)
        if value is None:
            if spec.required or spec.default is not None:
                message = f"the kernel of {op_type} needs the attribute '{name}'"
                wanted = spec.kind.name
                problems.append(Diagnostic("GX-206", message, found="nothing", expected=wanted))
        elif not _fits(spec, value):
            message = f"attribute '{name}' of the kernel of {op_type} has the wrong kind"
            found, wanted = shown(value), spec.kind.name
            problems.append(Diagnostic("GX-207", message, found=found, expected=wanted))
    return problems or _by_rule(cls, attrs, types, results)


def _slots(op_type: str, table: OpTable, types: Sequence[Any]) -> list[Diagnostic]:
    if len(types) != len(table.inputs):
        names = ", ".join(spec.name for spec in table.inputs) or "none"
        return [
            Diagnostic(
                "GX-203",
                f"the kernel of {op_type} has another number of input slots than its operator",
                found=str(len(types)),
                expected=f"{len(table.inputs)}: {names}",
            )
        ]
    problems: list[Diagnostic] = []
    for spec, given in zip(table.inputs, types, strict=True):
        found = "none" if given is None else "a list" if type(given) is tuple else "a buffer"
        wanted = ("a list",)
        if spec.kind != DYNAMIC:
            wanted = ("a buffer",) if spec.kind == REQUIRED else ("a buffer", "none")
        if found not in wanted:
            message = f"input '{spec.name}' of the kernel of {op_type} is connected wrongly"
            expected = " or ".join(wanted)
            problems.append(Diagnostic("GX-203", message, found=found, expected=expected))
    return problems


def _outputs(op_type: str, table: OpTable, count: int) -> list[Diagnostic]:
    kinds = [spec.kind for spec in table.outputs]
    least = kinds.count(REQUIRED)
    if count >= least and (DYNAMIC in kinds or count <= len(kinds)):
        return []
    names = ", ".join(spec.name for spec in table.outputs) or "none"
    more = "at least " if DYNAMIC in kinds or least < len(kinds) else ""
    return [
        Diagnostic(
            "GX-203",
            f"the kernel of {op_type} has another number of outputs than its operator",
            found=str(count),
            expected=f"{more}{least}: {names}",
        )
    ]


def _fits(spec: AttrSpec, value: Attribute) -> bool:
    """Whether a value, kept without its declaration, is one of the declared kind."""
    if spec.kind.name == "Any":
        return True
    if spec.kind.name == "Tensor" and isinstance(value, ArrayAttr):
        return False
    plain = to_python(value)
    if spec.kind.name == "Type" and not isinstance(plain, Attribute):
        return False
    try:
        spec.kind.to_attr(plain)
    except (TypeError, ValueError, LookupError, OverflowError, AttributeError):
        return False
    return True


def _by_rule(
    cls: type[GeOp],
    attrs: dict[str, Attribute],
    types: Sequence[Any],
    results: Sequence[Attribute],
) -> list[Diagnostic]:
    """What the operator's shape rule refuses; values of inputs are not known here."""
    from ge_dialect.infer.values import ValueRule

    rule = ValueRule(cls, {k: to_python(v) for k, v in attrs.items()}, results)
    try:
        rule.check("", types, lambda name: None)
    except GeError as refused:
        return list(refused.diagnostics)
    except Exception:  # a rule that does not take these types at all, or one of others at fault
        return []
    return []
