"""ViT: vision transformer (Dosovitskiy et al., 2020), opset 17."""

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
from ge_dialect.importers.onnx_models.writer import ModelWriter

EPSILON = 1e-6


@dataclass(frozen=True)
class Vit:
    """Configuration; defaults are the small one."""

    opset: int = 17
    image: int = 32
    patch: int = 8
    width: int = 48
    layers: int = 2
    heads: int = 4
    inner: int = 96
    classes: int = 10
    batch: int = 2

    @property
    def tokens(self) -> int:
        """Patches and the class token."""
        return (self.image // self.patch) ** 2 + 1

    def build(self, w: ModelWriter) -> None:
        """Write the graph."""
        b = "batch" if w.dynamic else self.batch
        pixels = w.input("pixel_values", "real", [b, 3, self.image, self.image])
        with w.scope("embeddings"):
            x = self._embed(w, pixels)
        for i in range(self.layers):
            with w.scope(f"encoder.layer.{i}"):
                x = self._layer(w, x)
        with w.scope("layernorm"):
            x = layer_norm(w, x, self.width, EPSILON)
        first = w.op("Gather", x, w.constant(0), axis=1)
        with w.scope("classifier"):
            logits = gemm(w, first, self.width, self.classes)
        w.output("logits", logits, "real", [b, self.classes])

    def _embed(self, w: ModelWriter, pixels: str) -> str:
        batch = w.size(pixels, 0, self.batch)
        with w.scope("patch_embeddings"):
            p = self.patch
            with w.scope("projection"):
                weight = w.weight("weight", (self.width, 3, p, p), 3 * p * p)
                x = w.op(
                    "Conv", pixels, weight, w.vector("bias", self.width), dilations=[1, 1],
                    group=1, kernel_shape=[p, p], pads=[0] * 4, strides=[p, p],
                )  # fmt: skip
            if w.dynamic:
                head = w.cut(w.op("Shape", x), 0, 0, 2)
                x = w.op("Reshape", x, w.op("Concat", head, w.constant([-1]), axis=0))
            else:
                x = w.reshape(x, self.batch, self.width, self.tokens - 1)
            x = w.op("Transpose", x, perm=[0, 2, 1])
        token = w.weight("cls_token", (1, 1, self.width), 1, 0.1)
        x = w.op("Concat", w.expand(token, batch, -1, -1), x, axis=1)
        return w.op("Add", x, w.weight("position_embeddings", (1, self.tokens, self.width), 1, 0.1))

    def _layer(self, w: ModelWriter, x: str) -> str:
        with w.scope("layernorm_before"):
            y = layer_norm(w, x, self.width, EPSILON)
        with w.scope("attention"):
            y = self._attend(w, y)
        x = w.op("Add", y, x)
        with w.scope("layernorm_after"):
            y = layer_norm(w, x, self.width, EPSILON)
        with w.scope("intermediate"):
            with w.scope("dense"):
                y = linear(w, y, self.width, self.inner)
            with w.scope("intermediate_act_fn"):
                y = gelu_erf(w, y)
        with w.scope("output"):
            with w.scope("dense"):
                y = linear(w, y, self.inner, self.width)
            return w.op("Add", y, x)

    def _attend(self, w: ModelWriter, x: str) -> str:
        size = self.width // self.heads
        parts = {}
        with w.scope("attention"):
            for name in ("key", "value", "query"):
                with w.scope(name):
                    y = linear(w, x, self.width, self.width)
                b, n = w.size(y, 0, self.batch), w.size(y, 1, self.tokens)
                turned = name == "key" and keys_turned(w)
                parts[name] = split_heads(w, y, b, n, self.heads, size, turned=turned)
            y = attention(w, parts["query"], parts["key"], parts["value"], size, None)
            b, n = w.size(y, 0, self.batch), w.size(y, 2, self.tokens)
            y = join_heads(w, y, b, n, self.width)
        with w.scope("output.dense"):
            return linear(w, y, self.width, self.width)

    def inputs(self, rng: Any, sizes: dict[str, int]) -> dict[str, Any]:
        """Normal pixels."""
        import numpy as np

        shape = sizes["batch"], 3, self.image, self.image
        return {"pixel_values": rng.standard_normal(shape, np.float32)}


#: "small" is for tests, "base" has published sizes.
SIZES = {
    "small": Vit(),
    "base": Vit(
        image=224, patch=16, width=768, layers=12, heads=12, inner=3072, classes=1000, batch=1
    ),
}
