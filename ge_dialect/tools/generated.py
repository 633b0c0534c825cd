"""Files of the repository that are written from the code: pages, stubs, indexes."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path


def write_generated(
    path: Path, text: str, module: str, arguments: Sequence[str] | None = None
) -> int:
    """Write a file, or with `--check` only compare; the status of the command, 1 where it differs.

    module: what writes it ("passes.docgen"). arguments: of the command line, by default its own.
    Raises `GeError` GX-002.
    """
    if "--check" in (sys.argv[1:] if arguments is None else arguments):
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            return 0
        sys.stderr.write(f"{path.name} is out of date: python -m {module}\n")
        return 1
    from ge_dialect.tools.common import atomic_write

    path.parent.mkdir(parents=True, exist_ok=True)
    atomic_write(path, text)
    return 0
