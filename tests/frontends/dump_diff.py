"""Compares two dumps field by field, whatever order operators, graphs and maps stand in.

`python tests/frontends/dump_diff.py a.txt b.txt` lists the differences. Numbers are compared as
numbers, floats as f32; fields that nobody declares by their text.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from ge_dialect.importers.ge_dump import dump_kind, text_root
from ge_dialect.importers.ge_json import parse_json, read_json
from ge_dialect.importers.ge_message import UNKNOWN, Msg, Source
from ge_dialect.importers.ge_text import read_text

_BY_NAME = {"op": "name", "graph": "name", "node": "name", "attribute": "name"}


def read_dump(text: str) -> Msg:
    """The message of a dump of any kind."""
    kind = dump_kind(text)
    source = Source(text, "dump")
    if kind == "om-json":
        msg = read_json(source, "ModelDef", parse_json(source))
    else:
        msg = read_text(source, "OnnxModel" if kind == "ge-onnx" else text_root(text))
    source.raise_problems()
    return msg


def _plain(value: Any, field: str = "") -> Any:
    """Messages as dictionaries; what has names or no order by name."""
    if isinstance(value, Msg):
        return {k: _plain(v, k) for k, v in value.f.items()}
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items()}
    if isinstance(value, tuple):
        return tuple(_plain(v) for v in value)
    if not isinstance(value, list):
        return value
    items = [_plain(v) for v in value]
    if field in _BY_NAME and all(isinstance(v, dict) for v in items):
        out: dict[str, Any] = {}
        for item in items:
            out.setdefault(item.get(_BY_NAME[field], ""), []).append(item)
        return {k: v[0] if len(v) == 1 else v for k, v in out.items()}
    if field == UNKNOWN:
        return sorted(items, key=repr)
    if field == "input":
        # data inputs have places; what a node waits for has none
        split = [e for e in items if not str(e).endswith(":-1")]
        return [*split, *sorted(e for e in items if str(e).endswith(":-1"))]
    return items


def differences(one: Msg, two: Msg) -> list[tuple[str, Any, Any]]:
    """(path, value in one, value in two), None for what is not there."""
    out: list[tuple[str, Any, Any]] = []
    _compare(_plain(one), _plain(two), "", out)
    return out


def _compare(a: Any, b: Any, path: str, out: list[tuple[str, Any, Any]]) -> None:
    if isinstance(a, dict) and isinstance(b, dict):
        for key in {**a, **b}:
            _compare(a.get(key), b.get(key), f"{path}/{key}", out)
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for i, (x, y) in enumerate(zip(a, b, strict=True)):
            _compare(x, y, f"{path}[{i}]", out)
    elif a != b:
        out.append((path, a, b))


def diff_texts(one: str, two: str) -> list[tuple[str, Any, Any]]:
    """Differences of two texts of one kind."""
    return differences(read_dump(one), read_dump(two))


def main(argv: list[str]) -> int:
    """List the differences; 1 where there are any."""
    found = diff_texts(*(Path(a).read_text(encoding="utf-8") for a in argv[:2]))
    for path, a, b in found:
        sys.stdout.write(f"{path}: {str(a)[:100]} -> {str(b)[:100]}\n")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
