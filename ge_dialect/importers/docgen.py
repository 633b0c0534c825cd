"""Writes `docs/reference/onnx.md`: `python -m ge_dialect.importers.docgen [--check]`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from ge_dialect.exporters.onnx_rules import export_table
from ge_dialect.importers.onnx_rules import all_rules
from ge_dialect.tools.generated import write_generated

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "onnx.md"
_HEAD = """\
# ONNX operators

Written by `python -m ge_dialect.importers.docgen` from the rules in `ge_dialect/importers`. A
revision is the opset in which ONNX gave the operator that definition; a model of a later opset uses
the newest revision up to its own. How the importer works: [importing ONNX](../onnx.md).

| ONNX | revisions | becomes |
|---|---|---|
"""
_EXPORTS = """
## Operators of GE as ONNX

What `ge-translate --to onnx` writes for each operator; all others are refused
([exporting ONNX](../onnx_export.md)).

| GE | becomes |
|---|---|
"""


def page() -> str:
    """The whole page."""
    rows = []
    for rule in all_rules():
        what = " ".join((rule.run.__doc__ or "").split("\n\n")[0].split())
        revisions = ", ".join(map(str, rule.since))
        rows.append(f"| {rule.op_type} | {revisions} | {what} |\n")
    exports = [
        f"| {op_type} | {' '.join((run.__doc__ or '').split(chr(10) * 2)[0].split())} |\n"
        for op_type, run in export_table().items()
    ]
    return _HEAD + "".join(rows) + _EXPORTS + "".join(exports)


def main(argv: Sequence[str] | None = None) -> int:
    """Write the page; with `--check` only compare, status 1 where it is out of date."""
    return write_generated(PAGE, page(), "ge_dialect.importers.docgen", argv)


if __name__ == "__main__":
    sys.exit(main())
