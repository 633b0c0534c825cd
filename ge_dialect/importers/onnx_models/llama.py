"""A Llama-style decoder (Touvron et al., 2023) with grouped queries and past, opset 17.

Root-mean-square norm, rotary positions and the causal mask stand in parts, as exported.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ge_dialect.importers.onnx_models.layers import join_heads, linear, rms_norm, silu, split_heads
from ge_dialect.importers.onnx_models.writer import TO_END, ModelWriter, Size

EPSILON = 1e-5
THETA = 10000.0


@dataclass(frozen=True)
class Llama:
    """Configuration; defaults are the small one. kv_heads: heads of keys and values."""

    opset: int = 17
    vocabulary: int = 89
    width: int = 48
    layers: int = 2
    heads: int = 6
    kv_heads: int = 2
    inner: int = 80
    batch: int = 2
    sequence: int = 5
    past: int = 4

    @property
    def head(self) -> int:
        """Size of one head."""
        return self.width // self.heads

    def build(self, w: ModelWriter) -> None:
        """Write the graph."""
        names = ("batch", "sequence", "past", "past + sequence")
        fixed = (self.batch, self.sequence, self.past, self.past + self.sequence)
        b, s, p, all_ = names if w.dynamic else fixed
        ids = w.input("input_ids", "int64", [b, s])
        mask = w.input("attention_mask", "int64", [b, all_])
        places = w.input("position_ids", "int64", [b, s])
        past = [
            [
                w.input(f"past_key_values.{i}.{part}", "real", [b, self.kv_heads, p, self.head])
                for part in ("key", "value")
            ]
            for i in range(self.layers)
        ]
        with w.scope("model"):
            x, present = self._run(w, ids, mask, places, past)
        with w.scope("lm_head"):
            logits = linear(w, x, self.width, self.vocabulary, bias=False)
        w.output("logits", logits, "real", [b, s, self.vocabulary])
        for i, pair in enumerate(present):
            for part, value in zip(("key", "value"), pair, strict=True):
                shape = [b, self.kv_heads, all_, self.head]
                w.output(f"present.{i}.{part}", value, "real", shape)

    def _run(
        self, w: ModelWriter, ids: str, mask: str, places: str, past: list[list[str]]
    ) -> tuple[str, list[list[str]]]:
        with w.scope("embed_tokens"):
            table = w.weight("weight", (self.vocabulary, self.width), 1, 0.5)
            x = w.op("Gather", table, ids)
        masked = self._mask(w, ids, mask, past[0][0])
        with w.scope("rotary_emb"):
            angles = self._angles(w, places)
        present = []
        for i in range(self.layers):
            with w.scope(f"layers.{i}"):
                with w.scope("input_layernorm"):
                    y = self._norm(w, x)
                with w.scope("self_attn"):
                    y, pair = self._attend(w, y, masked, angles, past[i])
                present.append(pair)
                x = w.op("Add", x, y)
                with w.scope("post_attention_layernorm"):
                    y = self._norm(w, x)
                with w.scope("mlp"):
                    x = w.op("Add", x, self._mlp(w, y))
        with w.scope("norm"):
            return self._norm(w, x), present

    def _mask(self, w: ModelWriter, ids: str, mask: str, key: str) -> str:
        """0 where a token may look, the lowest float elsewhere: (batch, 1, sequence, all)."""
        batch, here = w.size(ids, 0, self.batch), w.size(ids, 1, self.sequence)
        before = w.size(key, 2, self.past)
        end = w.add_sizes(before, here)
        positions = w.arange(before, end)
        full = w.filled([here, end], w.lowest)
        upper = w.op("Trilu", full, w.constant(1), upper=1)
        later = w.op("Greater", w.arange(0, end), w.reshape(positions, -1, 1))
        causal = w.op("Mul", upper, w.cast(later))
        causal = w.expand(w.unsqueeze(causal, 0, 1), batch, 1, -1, -1)
        padding = w.cast(w.unsqueeze(mask, 1, 2))
        hidden = w.op("Equal", w.op("Add", causal, padding), w.scalar(0.0))
        return w.op("Where", hidden, w.scalar(w.lowest), causal)

    def _angles(self, w: ModelWriter, places: str) -> tuple[str, str]:
        """Cosines and sines of position · frequency, (batch, 1, sequence, head)."""
        import numpy as np

        half = self.head // 2
        frequencies = THETA ** (-np.arange(half) / half)
        held = w.held("model.rotary_emb.inv_freq", frequencies.astype(np.float32)[None, :, None])
        rows = w.expand(held, w.size(places, 0, self.batch), -1, 1)
        columns = w.cast(w.unsqueeze(places, 1), "float32")
        turned = w.op("Transpose", w.op("MatMul", rows, columns), perm=[0, 2, 1])
        both = w.op("Concat", turned, turned, axis=-1)
        cos, sin = (
            w.narrowed(w.op("Mul", w.op(kind, both), w.constant(1.0, "float32")))
            for kind in ("Cos", "Sin")
        )
        return w.unsqueeze(cos, 1), w.unsqueeze(sin, 1)

    def _rotated(self, w: ModelWriter, x: str, angles: tuple[str, str]) -> str:
        middle: Size = self.head // 2
        if w.dynamic:  # x.shape[-1] // 2
            middle = w.op("Div", str(w.size(x, 3, self.head)), w.constant(2))
            middle = w.op("Cast", w.op("Cast", middle, to=7), to=7)
        low = w.cut(x, 3, 0, middle)
        high = w.op("Neg", w.cut(x, 3, middle, TO_END))
        turned = w.op("Concat", high, low, axis=-1)
        return w.op("Add", w.op("Mul", x, angles[0]), w.op("Mul", turned, angles[1]))

    def _norm(self, w: ModelWriter, x: str) -> str:
        return rms_norm(w, x, self.width, EPSILON)

    def _mlp(self, w: ModelWriter, x: str) -> str:
        with w.scope("gate_proj"):
            gate = linear(w, x, self.width, self.inner, bias=False)
        with w.scope("act_fn"):
            gate = silu(w, gate)
        with w.scope("up_proj"):
            up = linear(w, x, self.width, self.inner, bias=False)
        product = w.op("Mul", gate, up)
        with w.scope("down_proj"):
            return linear(w, product, self.inner, self.width, bias=False)

    def _attend(
        self, w: ModelWriter, x: str, masked: str, angles: tuple[str, str], past: list[str]
    ) -> tuple[str, list[str]]:
        heads = {}
        b, n = w.size(x, 0, self.batch), w.size(x, 1, self.sequence)
        for part, count in (("q", self.heads), ("k", self.kv_heads), ("v", self.kv_heads)):
            with w.scope(f"{part}_proj"):
                y = linear(w, x, self.width, count * self.head, bias=False)
            heads[part] = split_heads(w, y, b, n, count, self.head)
        query = self._rotated(w, heads["q"], angles)
        key = w.op("Concat", past[0], self._rotated(w, heads["k"], angles), axis=-2)
        value = w.op("Concat", past[1], heads["v"], axis=-2)
        keys, values = self._repeated(w, key), self._repeated(w, value)
        turned = w.op("Transpose", keys, perm=[0, 1, 3, 2])
        scores = w.op("Div", w.op("MatMul", query, turned), w.scalar(self.head**0.5))
        whole = w.size(keys, 2, self.past + self.sequence)
        scores = w.op("Add", scores, w.cut(masked, 3, 0, whole))
        weights = w.narrowed(w.op("Softmax", w.widened(scores), axis=-1))
        y = w.op("MatMul", weights, values)
        y = join_heads(w, y, b, n, self.width)
        with w.scope("o_proj"):
            return linear(w, y, self.width, self.width, bias=False), [key, value]

    def _repeated(self, w: ModelWriter, x: str) -> str:
        """Keys or values of a head for each of the query heads that share it."""
        times = self.heads // self.kv_heads
        b, n = w.size(x, 0, self.batch), w.size(x, 2, self.past + self.sequence)
        y = w.expand(w.unsqueeze(x, 2), b, self.kv_heads, times, n, self.head)
        return w.reshape(y, b, self.heads, n, self.head)

    def inputs(self, rng: Any, sizes: dict[str, int]) -> dict[str, Any]:
        """Random tokens and past; the first tokens of all but the first sample are padding."""
        import numpy as np

        b, s, p = (sizes[n] for n in ("batch", "sequence", "past"))
        mask = np.ones((b, p + s), np.int64)
        mask[1:, : p // 2] = 0
        places = np.clip(np.cumsum(mask, axis=1) - 1, 0, None)[:, p:]
        fed = {
            "input_ids": rng.integers(0, self.vocabulary, (b, s)),
            "attention_mask": mask,
            "position_ids": places,
        }
        shape = b, self.kv_heads, p, self.head
        for i in range(self.layers):
            for part in ("key", "value"):
                fed[f"past_key_values.{i}.{part}"] = rng.standard_normal(shape, np.float32)
        return fed


#: "small" is for tests, "base" of the order of published models.
SIZES = {
    "small": Llama(),
    "base": Llama(
        vocabulary=32000,
        width=768,
        layers=12,
        heads=12,
        kv_heads=4,
        inner=2048,
        batch=1,
        sequence=16,
        past=112,
    ),
    # Llama 3 8B (Grattafiori et al., 2024), one token after 2047; meant for weights=False
    "8b": Llama(
        vocabulary=128256,
        width=4096,
        layers=32,
        heads=32,
        kv_heads=8,
        inner=14336,
        batch=1,
        sequence=1,
        past=2047,
    ),
}
