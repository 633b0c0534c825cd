"""Cutting one graph out of a printed module."""

from __future__ import annotations


def only_graph(text: str, name: str) -> str:
    """The lines of ``ge.graph @name`` in `text`, or "" when there is none.

    Works on printed text, where a graph begins on its own line and ends with the closing brace of
    the same indentation.
    """
    lines = text.splitlines()
    for i, line in enumerate(lines):
        body = line.lstrip()
        custom = body.startswith((f"ge.graph @{name}(", f"ge.graph @{name} "))
        generic = body.startswith('"ge.graph"(') and f'sym_name = "{name}"' in body
        if not (custom or generic):
            continue
        indent = line[: len(line) - len(body)]
        for j in range(i + 1, len(lines)):
            if lines[j].startswith(indent + "}"):
                return "\n".join(lines[i : j + 1]) + "\n"
        return "\n".join(lines[i:]) + "\n"
    return ""
