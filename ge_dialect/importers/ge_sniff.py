"""Which dump of GE a text is, told by its first words."""

from __future__ import annotations

import re

#: What `dump_kind` tells apart.
KINDS = ("ge-proto", "ge-onnx", "om-json", "single-op")
_HEAD = re.compile(r"(?:\s|#[^\n]*\n)*(\w+)\s*(?::\s*(?P<v>\"[^\"\n]*\"|[-\w.]+)|(?P<b>[{<]))")
_FIRST = {
    "name", "version", "custom_version", "graph", "op", "attr", "input", "output", "attr_groups",
}  # fmt: skip
_ONNX = re.compile(r"^\s*(?:node\s*\{|op_type:|ir_version:|producer_name:)", re.M)


def dump_kind(text: str) -> str | None:
    """Which dump a text is, by its first words; None for none of them."""
    head = text[:4096].lstrip("\ufeff \t\r\n")
    if head[:1] in ("{", "["):
        if head[:1] == "[":
            return "single-op" if re.match(r"\[\s*(?:\{|\]|\Z)", head) else None
        return "om-json" if re.match(r'\{\s*(?:"|\}|\Z)', head) else None
    m = _HEAD.match(head)
    if m is None:
        return None
    word = m.group(1)
    if word in ("ir_version", "producer_name", "node"):
        return "ge-onnx"
    if word not in _FIRST:
        return None
    if word == "graph" and m.group("b") is None:
        return None
    return "ge-onnx" if _ONNX.search(head) and 'op_type: "ge:' in text else "ge-proto"
