"""A U-Net of a latent diffusion model (Rombach et al., 2022), opset 17.

Group normalisation by way of InstanceNormalization, SiLU, an embedding of the time step, spatial
self-attention and attention to a text in the middle, nearest-neighbour Resize on the way up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from ge_dialect.importers.onnx_models.layers import (
    conv,
    gemm,
    group_norm,
    join_heads,
    layer_norm,
    linear,
    silu,
    split_heads,
)
from ge_dialect.importers.onnx_models.writer import ModelWriter


@dataclass(frozen=True)
class Diffusion:
    """Configuration; defaults are the small one. Sizes of latents are multiples of 2**levels."""

    opset: int = 17
    channels: int = 16
    levels: int = 2
    groups: int = 4
    heads: int = 2
    text: int = 24
    latent: int = 4
    batch: int = 1
    height: int = 16
    width: int = 12
    sequence: int = 7

    def build(self, w: ModelWriter) -> None:
        """Write the graph."""
        fixed = (self.batch, self.height, self.width, self.sequence)
        b, h, v, s = ("batch", "height", "width", "sequence") if w.dynamic else fixed
        x = w.input("sample", "real", [b, self.latent, h, v])
        step = w.input("timestep", "int64", [b])
        text = w.input("encoder_hidden_states", "real", [b, s, self.text])
        n = self.channels
        with w.scope("time_embedding"):
            time = self._time(w, step)
        with w.scope("conv_in"):
            x = conv(w, x, self.latent, n, 3)
        skips = []
        for i in range(self.levels):
            with w.scope(f"down_blocks.{i}"):
                with w.scope("resnets.0"):
                    x = self._block(w, x, time, n, n)
                skips.append(x)
                with w.scope("downsamplers.0.conv"):
                    x = conv(w, x, n, 2 * n, 3, stride=2)
            n *= 2
        with w.scope("mid_block"):
            with w.scope("resnets.0"):
                x = self._block(w, x, time, n, n)
            with w.scope("attentions.0"):
                x = self._transformer(w, x, text, n)
        for i in range(self.levels):
            with w.scope(f"up_blocks.{i}"):
                with w.scope("upsamplers.0"):
                    x = w.op(
                        "Resize", x, "", w.constant([1.0, 1.0, 2.0, 2.0], "float32"),
                        coordinate_transformation_mode="asymmetric", mode="nearest",
                        nearest_mode="floor", cubic_coeff_a=-0.75,
                    )  # fmt: skip
                    with w.scope("conv"):
                        x = conv(w, x, n, n // 2, 3)
                n //= 2
                x = w.op("Concat", x, skips[-1 - i], axis=1)
                with w.scope("resnets.0"):
                    x = self._block(w, x, time, 2 * n, n)
        with w.scope("conv_norm_out"):
            x = group_norm(w, x, n, self.groups, 1e-5)
        x = silu(w, x)
        with w.scope("conv_out"):
            x = conv(w, x, n, self.latent, 3)
        w.output("out_sample", x, "real", [b, self.latent, h, v])

    def _time(self, w: ModelWriter, step: str) -> str:
        """Sines and cosines of the step at falling frequencies, through two linear layers."""
        import numpy as np

        half, wide = self.channels // 2, 4 * self.channels
        frequencies = np.exp(-math.log(10000.0) * np.arange(half) / half).astype(np.float32)[None]
        angles = w.op("Mul", w.cast(w.unsqueeze(step, 1), "float32"), w.constant(frequencies, "f4"))
        both = w.op("Concat", w.op("Sin", angles), w.op("Cos", angles), axis=-1)
        swapped = w.cut(both, 1, half, 2**63 - 1), w.cut(both, 1, 0, half)
        y = w.narrowed(w.op("Concat", *swapped, axis=-1))
        with w.scope("linear_1"):
            y = gemm(w, y, self.channels, wide)
        y = silu(w, y)
        with w.scope("linear_2"):
            return gemm(w, y, wide, wide)

    def _block(self, w: ModelWriter, x: str, time: str, n_in: int, n_out: int) -> str:
        with w.scope("norm1"):
            y = group_norm(w, x, n_in, self.groups, 1e-5)
        y = silu(w, y)
        with w.scope("conv1"):
            y = conv(w, y, n_in, n_out, 3)
        shift = silu(w, time)
        with w.scope("time_emb_proj"):
            shift = gemm(w, shift, 4 * self.channels, n_out)
        y = w.op("Add", y, w.unsqueeze(shift, 2, 3))
        with w.scope("norm2"):
            y = group_norm(w, y, n_out, self.groups, 1e-5)
        y = silu(w, y)
        with w.scope("conv2"):
            y = conv(w, y, n_out, n_out, 3)
        if n_in != n_out:
            with w.scope("conv_shortcut"):
                x = conv(w, x, n_in, n_out, 1)
        return w.op("Div", w.op("Add", x, y), w.scalar(1.0))

    def _transformer(self, w: ModelWriter, x: str, text: str, n: int) -> str:
        scale = 2**self.levels
        b, c, h, v = (
            w.size(x, axis, known)
            for axis, known in enumerate((self.batch, n, self.height // scale, self.width // scale))
        )
        with w.scope("norm"):
            y = group_norm(w, x, n, self.groups, 1e-6)
        pixels = self._product(w, h, v)
        y = w.reshape(w.op("Transpose", y, perm=[0, 2, 3, 1]), b, pixels, c)
        with w.scope("transformer_blocks.0"):
            for part, source, size in (("attn1", None, n), ("attn2", text, self.text)):
                with w.scope(part.replace("attn", "norm")):
                    z = layer_norm(w, y, n, 1e-5)
                with w.scope(part):
                    y = w.op("Add", self._attend(w, z, source or z, n, size), y)
            with w.scope("norm3"):
                z = layer_norm(w, y, n, 1e-5)
            with w.scope("ff"):
                y = w.op("Add", self._feed_forward(w, z, n), y)
        y = w.op("Transpose", w.reshape(y, b, h, v, c), perm=[0, 3, 1, 2])
        with w.scope("proj_out"):
            y = conv(w, y, n, n, 1)
        return w.op("Add", y, x)

    def _product(self, w: ModelWriter, a: int | str, b: int | str) -> int | str:
        if isinstance(a, int) and isinstance(b, int):
            return a * b
        return w.op("Mul", str(a), str(b))

    def _attend(self, w: ModelWriter, x: str, source: str, n: int, size: int) -> str:
        parts = {}
        pixels = self.height * self.width // 4**self.levels
        for name, value, c in (("q", x, n), ("k", source, size), ("v", source, size)):
            with w.scope(f"to_{name}"):
                y = linear(w, value, c, n, bias=False)
            count = pixels if value == x else self.sequence
            b, s = w.size(y, 0, self.batch), w.size(y, 1, count)
            parts[name] = split_heads(w, y, b, s, self.heads, n // self.heads, turned=name == "k")
        scores = w.op("MatMul", parts["q"], parts["k"])
        scores = w.op("Mul", scores, w.scalar((n // self.heads) ** -0.5))
        y = w.op("MatMul", w.op("Softmax", scores, axis=-1), parts["v"])
        b, s = w.size(y, 0, self.batch), w.size(y, 2, pixels)
        y = join_heads(w, y, b, s, n)
        with w.scope("to_out.0"):
            return linear(w, y, n, n)

    def _feed_forward(self, w: ModelWriter, x: str, n: int) -> str:
        """Gated linear unit with Gelu: one half times the Gelu of the other."""
        from ge_dialect.importers.onnx_models.layers import gelu_erf

        with w.scope("net.0"):
            with w.scope("proj"):
                y = linear(w, x, n, 8 * n)
            value, gate = w.ops("Split", 2, y, w.constant([4 * n, 4 * n]), axis=-1)
            y = w.op("Mul", value, gelu_erf(w, gate))
        with w.scope("net.2"):
            return linear(w, y, 4 * n, n)

    def inputs(self, rng: Any, sizes: dict[str, int]) -> dict[str, Any]:
        """Normal latents and texts, random steps of 1000."""
        import numpy as np

        b = sizes["batch"]
        shape = b, self.latent, sizes["height"], sizes["width"]
        return {
            "sample": rng.standard_normal(shape, np.float32),
            "timestep": rng.integers(0, 1000, (b,)),
            "encoder_hidden_states": rng.standard_normal(
                (b, sizes["sequence"], self.text), np.float32
            ),
        }


#: "small" is for tests, "base" of the order of published models.
SIZES = {
    "small": Diffusion(),
    "base": Diffusion(channels=320, groups=32, heads=8, text=768, height=64, width=64, sequence=77),
}
