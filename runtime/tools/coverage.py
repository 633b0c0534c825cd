"""Writes `docs/reference/coverage.md`: `python -m runtime.tools.coverage [--check]`.

What each operator has, read from the registries. It stands up here because kernels do.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ge_dialect.ir.base import GeOp
from ge_dialect.ops.registry import op_class, op_family, op_names
from ge_dialect.ops.unsettled import UNSETTLED
from ge_dialect.target.engines import BODY_OPS
from ge_dialect.tools.generated import write_generated

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "reference" / "coverage.md"
_HEAD = """\
# Coverage

Written by `python -m runtime.tools.coverage` from the registries.

- **inferred**: result types follow from the operands by a rule of the operator; else declared types
  are kept.
- **golden**: the evaluator has its meaning.
- **kernel**: the simulated device runs it compiled; "eager" means by the eager runtime only, which
  runs bodies itself.
- **ONNX in**: a rule of the importer names it. **ONNX out**: the exporter writes it.
- **dtypes**: how many element types the tensor with the most of them may have.
- **cost class**: by which its work is counted; elementwise where nothing else is known.

"""
#: The runtime handles these itself.
_EAGER = BODY_OPS
#: Nodes of the graph's frame: nothing runs.
_FRAME = frozenset({"Data", "RefData", "Const", "Constant", "NetOutput", "NoOp"})
_YES, _NO = "yes", "–"


@dataclass(frozen=True, slots=True)
class Row:
    """What one operator has; `kernel` is "yes", "eager", "none needed" or ""."""

    name: str
    family: str
    inferred: bool
    golden: bool
    kernel: str
    imported: bool
    exported: bool
    dtypes: str
    cost_class: str

    def text(self) -> str:
        """A line of the table."""
        marks = [_mark(self.inferred), _mark(self.golden), self.kernel or _NO]
        marks += [_mark(self.imported), _mark(self.exported)]
        cells = [f"[{self.name}](operators.md#{self.name.lower()})", *marks]
        return "| " + " | ".join([*cells, self.dtypes, self.cost_class]) + " |\n"


def _mark(value: bool) -> str:
    return _YES if value else _NO


def rows() -> list[Row]:
    """One row for each operator of the library, by family and name."""
    from ge_dialect.exporters.onnx_rules import export_table
    from ge_dialect.semantics.registry import has_semantics
    from ge_dialect.target.work import cost_class
    from runtime.kernels.registry import kernel_names

    kernels, imported, exported = set(kernel_names()), imported_operators(), set(export_table())
    found = []
    for name in op_names():
        cls = op_class(name)
        kernel = "yes" if name in kernels else "eager" if name in _EAGER else ""
        if not kernel and name in _FRAME:
            kernel = "none needed"
        found.append(
            Row(
                name,
                op_family(name),
                _infers(cls),
                has_semantics(name),
                kernel,
                name in imported,
                name in exported,
                _dtypes(cls),
                cost_class(name),
            )
        )
    return sorted(found, key=lambda r: (r.family.startswith("tail."), r.family, r.name))


def _infers(cls: type[GeOp]) -> bool:
    own = getattr(cls.ge_infer, "__func__", None)
    return own is not GeOp.ge_infer.__func__ or not cls.ge_table().outputs


def _dtypes(cls: type[GeOp]) -> str:
    from ge_dialect.dtypes import expand_spec

    table = cls.ge_table()
    slots = (*table.inputs, *table.outputs)
    specs = [table.types.get(slot.dtypes, slot.dtypes) for slot in slots] or ["ANY"]
    most = max(len(expand_spec(spec)) for spec in specs)
    return "all" if most == len(expand_spec("ANY")) else str(most)


@cache
def imported_operators() -> frozenset[str]:
    """Operators of GE that a file of ONNX rules names outside decorators and docstrings."""
    known = set(op_names())
    found: set[str] = set()
    for path in sorted((ROOT / "ge_dialect" / "importers").glob("onnx*.py")):
        # The rules of cells write ONNX nodes, whose names are ONNX's.
        if path.stem not in ("onnx_ops_recurrent", "onnx_reference", "onnx_known"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            found.update(word for text in _strings(tree) for word in text.split())
            for shape in filter(None, map(_composed, ast.walk(tree))):
                found.update(name for name in known if shape.fullmatch(name))
    return frozenset(found & known)


def _composed(node: ast.AST) -> re.Pattern[str] | None:
    """What a name put together with a number looks like (f"GridSampler{rank - 2}D")."""
    if not isinstance(node, ast.JoinedStr):
        return None
    parts = [str(v.value) if isinstance(v, ast.Constant) else None for v in node.values]
    literal = "".join(p for p in parts if p is not None)
    if not literal[:1].isupper() or not literal.isidentifier():
        return None
    return re.compile("".join(r"\d+" if p is None else p for p in parts))


def _strings(node: ast.AST) -> Iterator[str]:
    """String literals, those of decorators, docstrings and comparisons left out."""
    for name, value in ast.iter_fields(node):
        if name == "decorator_list" or isinstance(node, ast.Compare):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
                continue
            if isinstance(child, ast.Constant) and isinstance(child.value, str):
                yield child.value
            elif isinstance(child, ast.AST):
                yield from _strings(child)


def page_text() -> str:
    """The page: totals by family, then every operator that is not of the tail."""
    every = rows()
    families: dict[str, list[Row]] = {}
    for row in every:
        families.setdefault(row.family, []).append(row)
    parts = [_HEAD, "| family | operators | inferred | golden | kernel | ONNX in | ONNX out |\n"]
    parts.append("|---|---|---|---|---|---|---|\n")
    parts += [_total(_title(name), group) for name, group in families.items()]
    parts.append(_total("**all**", every))
    for name, group in families.items():
        if not name.startswith("tail."):
            parts.append(f"\n## {_title(name)}\n\n")
            parts.append(
                "| operator | inferred | golden | kernel | in | out | dtypes | cost class |\n"
            )
            parts.append("|---|---|---|---|---|---|---|---|\n")
            parts += [row.text() for row in group]
    parts.append("\n## Not evaluated\n\nThese are declared and carried; each says why.\n\n")
    parts.append("| operators | reason |\n|---|---|\n")
    for reason, names in UNSETTLED.items():
        links = ", ".join(f"[{n}](operators.md#{n.lower()})" for n in sorted(names.split()))
        parts.append(f"| {links} | {reason} |\n")
    return "".join(parts)


def _total(title: str, group: Sequence[Row]) -> str:
    cells = [
        len(group),
        sum(r.inferred for r in group),
        sum(r.golden for r in group),
        sum(bool(r.kernel) for r in group),
        sum(r.imported for r in group),
        sum(r.exported for r in group),
    ]
    return f"| {title} | " + " | ".join(map(str, cells)) + " |\n"


def _title(family: str) -> str:
    name = family.removeprefix("tail.").replace("_", " ")
    return f"{name} (tail)" if family.startswith("tail.") else name


def main(argv: Sequence[str] | None = None) -> int:
    """Write the page; with `--check` only compare, status 1 where it is out of date."""
    return write_generated(PAGE, page_text(), "runtime.tools.coverage", argv)


if __name__ == "__main__":
    sys.exit(main())
