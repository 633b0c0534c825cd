"""Writes `_index.py`: `python -m ge_dialect.ops.indexgen [--check]`.

Reads the source of the family and tail files without importing them.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence
from pathlib import Path

from ge_dialect.tools.generated import write_generated

HERE = Path(__file__).parent
INDEX = HERE / "_index.py"
_HEAD = '''"""Where each operator is defined: operator type -> module under `ge_dialect.ops`.

Written by `python -m ge_dialect.ops.indexgen`; a test checks that it is up to date. A value that
starts with "tail." names a data file, any other a file of classes.
"""

MODULES: dict[str, str] = {
'''


def classes_in(path: Path) -> list[str]:
    """Operator types of the `@ge_op` classes of a family file."""
    out: list[str] = []
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef) and any(
            isinstance(d, ast.Name) and d.id == "ge_op" for d in node.decorator_list
        ):
            out.append(node.name)
    return out


def entries_in(path: Path) -> list[str]:
    """Operator types of a tail file."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Dict):
            return [k.value for k in node.value.keys if isinstance(k, ast.Constant)]  # pyright: ignore
    return []


def index_text() -> str:
    """The text `_index.py` should have; ValueError where a type is defined twice."""
    where: dict[str, str] = {}
    found = [(p.stem, classes_in(p)) for p in sorted(HERE.glob("*.py"))]
    found += [(f"tail.{p.stem}", entries_in(p)) for p in sorted((HERE / "tail").glob("*.py"))]
    for module, names in found:
        for name in names:
            if name in where:
                raise ValueError(f"{name} is defined in {where[name]} and in {module}")
            where[name] = module
    lines = [f'    "{name}": "{where[name]}",\n' for name in sorted(where)]
    return _HEAD + "".join(lines) + "}\n"


def main(argv: Sequence[str] | None = None) -> int:
    """Write the index; with `--check` only compare, status 1 where it is out of date."""
    return write_generated(INDEX, index_text(), "ge_dialect.ops.indexgen", argv)


if __name__ == "__main__":
    sys.exit(main())
