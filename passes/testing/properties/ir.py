"""The result is right IR: it verifies, its types are those inference gives, its text reads back."""

from __future__ import annotations

from typing import Any

from ge_dialect.diagnostics import GeError
from ge_dialect.infer.errors import InferError
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.printer import print_module
from ge_dialect.ir.types import layout_of
from ge_dialect.ir.verifier import verify
from passes.testing.properties.base import Property, Trial
from passes.testing.properties.runs import first_line


def _verifies(t: Trial) -> str | None:
    try:
        found = [d for d in verify(t.after.model.module) if d.severity == "error"]
    except Exception as error:  # IR so broken that the verifier stumbles
        return f"the verifier failed: {type(error).__name__}: {error}"
    if not found:
        return None
    d = found[0]
    where = f" at '{d.node}'" if d.node else ""
    return f"{d.code}{where}: {d.message}" + (f" (found {d.found})" if d.found else "")


def _types(t: Trial) -> str | None:
    from ge_dialect.infer.node import infer_op
    from passes.prepare.infer_shape import merged_type
    from passes.values import KnownValues

    if not t.is_graph:
        return None
    known = KnownValues(lambda: t.after.model.weights)
    for op in t.after.model.module.walk():
        if not isinstance(op, GeOp) or not _has_rule(op):
            continue
        try:
            inferred = infer_op(op, known.array)
        except InferError as error:
            return f"{op.ge_type} '{op.ge_node_name}' does not take its inputs: {error.message}"
        results = op.ge_data_results
        if len(inferred) != len(results):
            return f"{op.ge_type} '{op.ge_node_name}' has {len(results)} results"
        for i, (result, found) in enumerate(zip(results, inferred, strict=True)):
            if merged_type(result.type, found) is None:
                return (
                    f"result {i} of {op.ge_type} '{op.ge_node_name}' is recorded as "
                    f"{result.type} and inferred as {found}"
                )
    return None


def _has_rule(op: GeOp) -> bool:
    rule: Any = type(op).ge_infer
    plain: Any = GeOp.ge_infer
    return rule.__func__ is not plain.__func__


def _signature(t: Trial) -> str | None:
    if not t.is_graph:
        return None
    before, after = t.before.graphs, t.after.model.graphs
    if [g.sym_name.data for g in before] != [g.sym_name.data for g in after]:
        return "the graphs have other names"
    for old, new in zip(before, after, strict=True):
        if list(old.arg_names()) != list(new.arg_names()):
            return f"the inputs are {list(new.arg_names())}, they were {list(old.arg_names())}"
        for name, x, y in zip(old.arg_names(), old.args, new.args, strict=True):
            if x.type != y.type:
                return f"the type of input '{name}' was {x.type} and is {y.type}"
        was, now = old.net_output, new.net_output
        if not isinstance(was, GeOp) or not isinstance(now, GeOp):
            return "a graph has no NetOutput"
        if len(was.ge_data_operands) != len(now.ge_data_operands):
            return f"{len(now.ge_data_operands)} outputs, they were {len(was.ge_data_operands)}"
        for i, (x, y) in enumerate(zip(was.ge_data_operands, now.ge_data_operands, strict=True)):
            if _plain(x.type) != _plain(y.type) and not _refines(x.type, y.type):
                return f"output {i} was {x.type} and is {y.type}"
    return None


def _plain(type_: Any) -> Any:
    from ge_dialect.ir.types import with_layout

    return with_layout(type_, None) if layout_of(type_) is not None else type_


def _refines(old: Any, new: Any) -> bool:
    """Whether a type only says more than it did."""
    from passes.prepare.infer_shape import merged_type

    return merged_type(_plain(old), _plain(new)) is not None


def _round_trip(t: Trial) -> str | None:
    from ge_dialect.ir.reader import parse_module

    module = t.after.model.module
    forms = {(False, True)}  # generic, with names: the one that every tool writes
    if (more := _FORMS[t.seed % len(_FORMS)]) is not None:
        forms.add(more)
    for generic, names in sorted(forms):
        label = "the generic text" if generic else "the text"
        plain = print_module(module, generic=generic)
        text = t.after.text if names and not generic else plain
        if names and generic:
            text = print_module(module, debuginfo=True, generic=True)
        try:
            back = parse_module(text)
        except GeError as error:
            return f"{label} does not read back: {error.diagnostics[0].message}"
        again = print_module(back, generic=generic)
        if again != plain:
            return f"{label} reads back as something else: {first_line(plain, again)}"
        if names and _identity(back) != _identity(module):
            pairs = zip(_identity(module), _identity(back), strict=False)
            return f"{label} loses names: {next((p for p in pairs if p[0] != p[1]), '')}"
    return None


#: Other forms in turn: the generic one is read by stock xDSL, which is slow.
_FORMS = ((True, True), (False, False), None, (True, False), None)


def _identity(module: Any) -> list[tuple[str, tuple[str, ...]]]:
    """Names and origins of all nodes in order."""
    return [
        (op.ge_node_name or "", tuple(op.ge_origins))
        for op in module.walk()
        if isinstance(op, GeOp) and op.name != "ge.NetOutput"
    ]


VERIFIES = Property("verifies", "the result verifies", _verifies)
TYPES = Property("types", "recorded types are those that inference gives", _types)
SIGNATURE = Property("signature", "inputs and outputs stay what they were", _signature)
ROUND_TRIP = Property(
    "round-trip", "the text of the result reads back equal", _round_trip, share=3, of_change=True
)
