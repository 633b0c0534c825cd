"""BERT: bidirectional encoder (Devlin et al., 2018); layer norm and Gelu in parts at opset 14."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ge_dialect.importers.onnx_models.layers import (
    attention,
    gelu_erf,
    gemm,
    join_heads,
    keys_turned,
    layer_norm,
    linear,
    split_heads,
)
from ge_dialect.importers.onnx_models.writer import ModelWriter, Size

EPSILON = 1e-12


@dataclass(frozen=True)
class Bert:
    """Configuration; defaults are the small one."""

    opset: int = 14
    vocabulary: int = 101
    positions: int = 64
    width: int = 48
    layers: int = 2
    heads: int = 4
    inner: int = 96
    batch: int = 2
    sequence: int = 12

    def build(self, w: ModelWriter) -> None:
        """Write the graph."""
        dims = ("batch", "sequence") if w.dynamic else (self.batch, self.sequence)
        ids = w.input("input_ids", "int64", dims)
        mask = w.input("attention_mask", "int64", dims)
        kinds = w.input("token_type_ids", "int64", dims)
        batch, length = w.size(ids, 0, self.batch), w.size(ids, 1, self.sequence)
        wide = w.unsqueeze(mask, 1, 2)
        off = w.op("Sub", w.scalar(1.0), w.cast(wide))
        hidden_scores = w.op("Mul", off, w.scalar(w.lowest))
        with w.scope("embeddings"):
            x = self._embed(w, ids, kinds, length)
        for i in range(self.layers):
            with w.scope(f"encoder.layer.{i}"):
                x = self._layer(w, x, hidden_scores, batch, length)
        with w.scope("pooler"):
            first = w.op("Gather", x, w.constant(0), axis=1)
            with w.scope("dense"):
                first = gemm(w, first, self.width, self.width)
            pooled = w.op("Tanh", first)
        w.output("last_hidden_state", x, "real", [*dims, self.width])
        w.output("pooler_output", pooled, "real", [dims[0], self.width])

    def _embed(self, w: ModelWriter, ids: str, kinds: str, length: Size) -> str:
        import numpy as np

        table = w.weight("word_embeddings.weight", (self.vocabulary, self.width), 1, 0.25)
        kind_table = w.weight("token_type_embeddings.weight", (2, self.width), 1, 0.1)
        place_table = w.weight("position_embeddings.weight", (self.positions, self.width), 1, 0.1)
        places = w.held(w.path("position_ids"), np.arange(self.positions)[None])
        places = w.cut(places, 1, 0, length)
        x = w.op("Gather", table, ids)
        x = w.op("Add", x, w.op("Gather", kind_table, kinds))
        x = w.op("Add", x, w.op("Gather", place_table, places))
        with w.scope("LayerNorm"):
            return layer_norm(w, x, self.width, EPSILON)

    def _layer(self, w: ModelWriter, x: str, masked: str, batch: Size, length: Size) -> str:
        with w.scope("attention"):
            with w.scope("self"):
                y = self._attend(w, x, masked, batch, length)
            with w.scope("output"):
                with w.scope("dense"):
                    y = linear(w, y, self.width, self.width)
                y = w.op("Add", y, x)
                with w.scope("LayerNorm"):
                    x = layer_norm(w, y, self.width, EPSILON)
        with w.scope("intermediate"):
            with w.scope("dense"):
                y = linear(w, x, self.width, self.inner)
            with w.scope("intermediate_act_fn"):
                y = gelu_erf(w, y)
        with w.scope("output"):
            with w.scope("dense"):
                y = linear(w, y, self.inner, self.width)
            y = w.op("Add", y, x)
            with w.scope("LayerNorm"):
                return layer_norm(w, y, self.width, EPSILON)

    def _attend(self, w: ModelWriter, x: str, masked: str, batch: Size, length: Size) -> str:
        size = self.width // self.heads
        parts = {}
        for name in ("query", "key", "value"):
            with w.scope(name):
                parts[name] = linear(w, x, self.width, self.width)
        # each view asks for the sizes anew, as tracing leaves it
        b, n = w.size(parts["key"], 0, self.batch), w.size(parts["key"], 1, self.sequence)
        turned = keys_turned(w)
        key = split_heads(w, parts["key"], b, n, self.heads, size, turned=turned)
        value = split_heads(w, parts["value"], batch, length, self.heads, size)
        query = split_heads(w, parts["query"], batch, length, self.heads, size)
        context = attention(w, query, key, value, size, masked)
        b, n = w.size(context, 0, self.batch), w.size(context, 2, self.sequence)
        return join_heads(w, context, b, n, self.width)

    def inputs(self, rng: Any, sizes: dict[str, int]) -> dict[str, Any]:
        """Random tokens; the last tokens of all but the first sample are masked."""
        import numpy as np

        shape = sizes["batch"], sizes["sequence"]
        mask = np.ones(shape, np.int64)
        mask[1:, -(shape[1] // 4) :] = 0
        return {
            "input_ids": rng.integers(0, self.vocabulary, shape),
            "attention_mask": mask,
            "token_type_ids": rng.integers(0, 2, shape),
        }


#: "small" is for tests, "base" has published sizes.
SIZES = {
    "small": Bert(),
    "base": Bert(
        vocabulary=30522,
        positions=512,
        width=768,
        layers=12,
        heads=12,
        inner=3072,
        batch=1,
        sequence=128,
    ),
}
