"""ONNX exports: distinct values and n-grams."""

from __future__ import annotations

from typing import Any

from ge_dialect.exporters.onnx_node import Out
from ge_dialect.exporters.onnx_rules import Results, export


@export("HostUnique")
def host_unique(n: Out) -> Results:
    """Unique."""
    attrs = {"axis": n.attrs["axis"], "sorted": int(n.attrs["sorted"])}
    return n.emit_all("Unique", [n.x()], 4, attrs)


@export("Unique")
def unique(n: Out) -> Results:
    """Unique in order of occurrence."""
    y, _, where, _ = n.emit_all("Unique", [n.x()], 4, {"sorted": 0})
    return [y, where]


@export("UniqueWithCounts")
def unique_with_counts(n: Out) -> Results:
    """Unique in order of occurrence, with counts."""
    y, _, where, count = n.emit_all("Unique", [n.x()], 4, {"sorted": 0})
    return [y, where, count]


@export("HostTfIdfVectorizer")
def tf_idf(n: Out) -> Results:
    """TfIdfVectorizer."""
    names = ("min_gram_length", "max_gram_length", "max_skip_count", "mode")
    attrs = {k: n.attrs[k] for k in names}
    lists: dict[str, Any] = {
        k: list(n.attrs[k]) for k in ("ngram_counts", "ngram_indexes", "pool_int64s")
    }
    weights = list(n.attrs["weights"]) or None
    return n.emit("TfIdfVectorizer", [n.x()], **attrs, **lists, weights=weights)
