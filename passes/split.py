"""Several inputs in one file, separated by lines ``// -----``."""

from __future__ import annotations

import re

MARKER = "// -----"
_LINE = re.compile(rf"^{MARKER}[ \t]*\r?$", re.MULTILINE)


def split_input(text: str) -> list[str]:
    """The parts of `text`; each starts with as many empty lines as stand before it in the file.

    So positions in a part are positions in the file. Parts without any text are left out.
    """
    parts: list[str] = []
    begin = 0
    for match in [*_LINE.finditer(text), None]:
        end = len(text) if match is None else match.start()
        if text[begin:end].strip():
            parts.append("\n" * text.count("\n", 0, begin) + text[begin:end])
        if match is not None:
            begin = match.end()
    return parts


def join_output(parts: list[str]) -> str:
    """Outputs of several parts as one text that splits again."""
    return f"{MARKER}\n".join(p if p.endswith("\n") else p + "\n" for p in parts)
