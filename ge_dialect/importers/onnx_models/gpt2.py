"""GPT-2 with past keys and values (Radford et al., 2019), opset 17."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ge_dialect.importers.onnx_models.layers import gelu_tanh, join_heads, layer_norm, split_heads
from ge_dialect.importers.onnx_models.writer import ModelWriter, Size

EPSILON = 1e-5


@dataclass(frozen=True)
class Gpt2:
    """Configuration; defaults are the small one."""

    opset: int = 17
    vocabulary: int = 97
    positions: int = 32
    width: int = 48
    layers: int = 2
    heads: int = 4
    batch: int = 2
    sequence: int = 5
    past: int = 6

    def build(self, w: ModelWriter) -> None:
        """Write the graph."""
        names = ("batch", "sequence", "past", "past + sequence")
        fixed = (self.batch, self.sequence, self.past, self.past + self.sequence)
        b, s, p, all_ = names if w.dynamic else fixed
        size = self.width // self.heads
        ids = w.input("input_ids", "int64", [b, s])
        past = [
            [
                w.input(f"past_key_values.{i}.{part}", "real", [b, self.heads, p, size])
                for part in ("key", "value")
            ]
            for i in range(self.layers)
        ]
        mask = w.input("attention_mask", "int64", [b, all_])
        with w.scope("transformer"):
            x, present = self._run(w, ids, mask, past)
        with w.scope("lm_head"):
            table = w.weight("weight", (self.width, self.vocabulary), self.width)
            logits = w.op("MatMul", x, table)
        w.output("logits", logits, "real", [b, s, self.vocabulary])
        for i, pair in enumerate(present):
            for part, value in zip(("key", "value"), pair, strict=True):
                shape = [b, self.heads, all_, size]
                w.output(f"present.{i}.{part}", value, "real", shape)

    def _run(
        self, w: ModelWriter, ids: str, mask: str, past: list[list[str]]
    ) -> tuple[str, list[list[str]]]:
        batch, length = w.size(ids, 0, self.batch), w.size(ids, 1, self.sequence)
        before = w.size(past[0][0], 2, self.past)
        places = w.unsqueeze(w.arange(before, w.add_sizes(length, before)), 0)
        places = w.reshape(places, -1, length)
        wide = w.unsqueeze(w.reshape(mask, batch, -1), 1, 2)
        off = w.op("Sub", w.scalar(1.0), w.cast(wide))
        masked = w.op("Mul", off, w.scalar(w.lowest))
        table = w.weight("wte.weight", (self.vocabulary, self.width), 1, 0.25)
        place_table = w.weight("wpe.weight", (self.positions, self.width), 1, 0.1)
        x = w.op("Gather", table, ids)
        x = w.op("Add", x, w.op("Gather", place_table, places))
        present = []
        for i in range(self.layers):
            with w.scope(f"h.{i}"):
                with w.scope("ln_1"):
                    y = layer_norm(w, x, self.width, EPSILON)
                with w.scope("attn"):
                    y, pair = self._attend(w, y, masked, past[i])
                present.append(pair)
                x = w.op("Add", y, x)
                with w.scope("ln_2"):
                    y = layer_norm(w, x, self.width, EPSILON)
                with w.scope("mlp"):
                    x = w.op("Add", x, self._mlp(w, y))
        with w.scope("ln_f"):
            x = layer_norm(w, x, self.width, EPSILON)
        return w.reshape(x, -1, length, self.width), present

    def _mlp(self, w: ModelWriter, x: str) -> str:
        with w.scope("c_fc"):
            x = self._conv1d(w, x, self.width, 4 * self.width)
        with w.scope("act"):
            x = gelu_tanh(w, x)
        with w.scope("c_proj"):
            return self._conv1d(w, x, 4 * self.width, self.width)

    def _conv1d(self, w: ModelWriter, x: str, n_in: int, n_out: int) -> str:
        """GPT-2's linear layer: a Gemm on a matrix, reshaped before and after."""
        batch, length = w.size(x, 0, self.batch), w.size(x, 1, self.sequence)
        rows = w.reshape(x, -1, n_in)
        weight = w.weight("weight", (n_in, n_out), n_in)
        y = w.op("Gemm", rows, weight, w.vector("bias", n_out), alpha=1.0, beta=1.0)
        return w.reshape(y, batch, length, n_out)

    def _attend(
        self, w: ModelWriter, x: str, masked: str, past: list[str]
    ) -> tuple[str, list[str]]:
        import numpy as np

        size = self.width // self.heads
        with w.scope("c_attn"):
            joint = self._conv1d(w, x, self.width, 3 * self.width)
        parts = w.ops("Split", 3, joint, w.constant([self.width] * 3), axis=2)
        heads = []
        for part in parts:
            b, n = w.size(part, 0, self.batch), w.size(part, 1, self.sequence)
            heads.append(split_heads(w, part, b, n, self.heads, size))
        query = heads[0]
        key = w.op("Concat", past[0], heads[1], axis=-2)
        value = w.op("Concat", past[1], heads[2], axis=-2)
        turned = w.op("Transpose", key, perm=[0, 1, 3, 2])
        scores = w.op("Div", w.op("MatMul", query, turned), w.scalar(size**0.5))
        lower = np.tril(np.ones((1, 1, self.positions, self.positions), bool))
        triangle = w.held("transformer.causal_mask", lower)
        here = w.size(query, 2, self.sequence)
        whole = w.size(key, 2, self.past + self.sequence)
        start = self._difference(w, whole, here)
        rows = w.cut(triangle, 2, start, whole)
        causal = w.cut(rows, 3, 0, whole)
        scores = w.op("Where", causal, scores, w.scalar(w.lowest))
        weights = w.op("Softmax", w.op("Add", scores, masked), axis=-1)
        context = w.op("MatMul", weights, value)
        b, n = w.size(context, 0, self.batch), w.size(context, 2, self.sequence)
        y = join_heads(w, context, b, n, self.width)
        with w.scope("c_proj"):
            return self._conv1d(w, y, self.width, self.width), [key, value]

    def _difference(self, w: ModelWriter, a: Size, b: Size) -> Size:
        if isinstance(a, int) and isinstance(b, int):
            return a - b
        return w.op("Sub", str(a), str(b))

    def inputs(self, rng: Any, sizes: dict[str, int]) -> dict[str, Any]:
        """Random tokens and past; the first tokens of all but the first sample are padding."""
        import numpy as np

        b, s, p = (sizes[n] for n in ("batch", "sequence", "past"))
        mask = np.ones((b, p + s), np.int64)
        mask[1:, : p // 3] = 0
        fed = {"input_ids": rng.integers(0, self.vocabulary, (b, s)), "attention_mask": mask}
        shape = b, self.heads, p, self.width // self.heads
        for i in range(self.layers):
            for part in ("key", "value"):
                fed[f"past_key_values.{i}.{part}"] = rng.standard_normal(shape, np.float32)
        return fed


#: "small" is for tests, "base" has published sizes.
SIZES = {
    "small": Gpt2(),
    "base": Gpt2(
        vocabulary=50257,
        positions=1024,
        width=768,
        layers=12,
        heads=12,
        batch=1,
        sequence=16,
        past=112,
    ),
}
