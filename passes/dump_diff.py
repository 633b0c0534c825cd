"""`--diff-dump A B`: what differs between two graphs, from GE's dumps or from our text.

Nodes are matched by name, the rest by what they read and who reads them (see
`passes.structural_diff`). Compared are operators, edges, attributes, types with layouts, and the
formats the descriptors name; what only records a dump's form is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import DictionaryAttr, StringAttr
from xdsl.ir import Attribute

from ge_dialect.ir.narrow import is_array
from passes.structural_diff import ModuleDiff, diff

if TYPE_CHECKING:
    from ge_dialect.api import Model
    from ge_dialect.diagnostics import DiagnosticSink

#: Attributes that say how a dump was written, not what it says.
RECORDS = ("ge.dump", "ge.onnx")
#: Made for the comparison: formats of inputs and outputs, as descriptors name them.
FORMATS = "formats"


@dataclass
class DumpDiff:
    """The differences of two models."""

    first: str
    second: str
    changes: ModuleDiff

    @property
    def equal(self) -> bool:
        """Whether there is no difference."""
        return self.changes.empty

    def render(self) -> str:
        """The differences as text, ``-`` only in the first, ``+`` only in the second."""
        if self.equal:
            return "no difference\n"
        counts = ", ".join(f"{n} {kind}" for kind, n in self.changes.counts().items() if n)
        return f"{counts or 'graphs differ'}\n{self.changes.render()}"

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "version": 1,
            "first": self.first,
            "second": self.second,
            "equal": self.equal,
            "counts": self.changes.counts(),
            "graphs": self.changes.to_json(),
        }


def diff_files(first: str, second: str, sink: DiagnosticSink | None = None) -> DumpDiff:
    """Compare two files of any kind that `ge_dialect.load` takes; raises its `GeError`s."""
    from ge_dialect.api import load

    return diff_models(load(first, sink=sink), load(second, sink=sink), first, second)


def diff_models(one: Model, two: Model, first: str = "A", second: str = "B") -> DumpDiff:
    """Compare two models; both lose their records of dumps on the way."""
    with_formats = all(_is_dump(m) for m in (one, two))
    for model in (one, two):
        _prepare(model, with_formats)
    _pair_graphs(one, two)
    return DumpDiff(first, second, diff(one.module, two.module))


def _is_dump(model: Model) -> bool:
    held = model.module.attributes.get(RECORDS[0])
    return isinstance(held, DictionaryAttr) and "descs" in held.data


def _prepare(model: Model, with_formats: bool) -> None:
    held = model.module.attributes.get(RECORDS[0])
    table = held.data.get("descs") if isinstance(held, DictionaryAttr) else None
    formats = [_format_of(d) for d in table.data] if is_array(table) else []
    for op in model.module.walk():
        record = op.attributes.pop(RECORDS[0], None)
        op.attributes.pop(RECORDS[1], None)
        if with_formats and isinstance(record, DictionaryAttr):
            text = " -> ".join(_listed(record.data.get(k), formats) for k in ("in", "out"))
            if text.strip(" ->"):
                op.attributes[FORMATS] = StringAttr(text)


def _format_of(desc: Attribute) -> str:
    layout = desc.data.get("layout") if isinstance(desc, DictionaryAttr) else None
    return layout.data if isinstance(layout, StringAttr) else ""


def _listed(numbers: Any, formats: list[str]) -> str:
    values: Sequence[int] = numbers.get_values() if hasattr(numbers, "get_values") else ()
    return ", ".join(formats[n] or "?" for n in values if 0 <= n < len(formats))


def _pair_graphs(one: Model, two: Model) -> None:
    """Graphs whose names occur on one side only are compared in order: names change by stage."""
    names = [{g.sym_name.data for g in m.graphs} for m in (one, two)]
    left = [g for g in one.graphs if g.sym_name.data not in names[1]]
    right = [g for g in two.graphs if g.sym_name.data not in names[0]]
    for a, b in zip(left, right, strict=False):
        b.properties["sym_name"] = a.properties["sym_name"]
