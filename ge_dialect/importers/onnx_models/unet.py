"""U-Net for segmentation (Ronneberger et al., 2015), with batch normalisation, opset 14.

Each level halves the image by MaxPool; the way up is ConvTranspose, or Resize and Conv in the last
level, beside the features of the way down.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ge_dialect.importers.onnx_models.layers import batch_norm, conv
from ge_dialect.importers.onnx_models.writer import ModelWriter


@dataclass(frozen=True)
class Unet:
    """Configuration; defaults are the small one. Image sizes are multiples of 2**levels."""

    opset: int = 14
    channels: int = 8
    levels: int = 3
    classes: int = 4
    batch: int = 1
    height: int = 32
    width: int = 24

    def build(self, w: ModelWriter) -> None:
        """Write the graph."""
        fixed = (self.batch, self.height, self.width)
        b, h, v = ("batch", "height", "width") if w.dynamic else fixed
        x = w.input("image", "real", [b, 3, h, v])
        n = self.channels
        with w.scope("inc"):
            x = self._twice(w, x, 3, n)
        skips = []
        for i in range(self.levels):
            skips.append(x)
            with w.scope(f"down{i + 1}"):
                x = w.op(
                    "MaxPool", x, ceil_mode=0, kernel_shape=[2, 2], pads=[0] * 4, strides=[2, 2]
                )
                x = self._twice(w, x, n, 2 * n)
            n *= 2
        for i in range(self.levels):
            with w.scope(f"up{i + 1}"):
                x = self._up(w, x, n, last=i == self.levels - 1)
                x = w.op("Concat", skips[-1 - i], x, axis=1)
                x = self._twice(w, x, n, n // 2)
            n //= 2
        with w.scope("outc"):
            x = conv(w, x, n, self.classes, 1)
        w.output("logits", x, "real", [b, self.classes, h, v])

    def _up(self, w: ModelWriter, x: str, n: int, *, last: bool) -> str:
        if not last:
            weight = w.weight("up.weight", (n, n // 2, 2, 2), n)
            return w.op(
                "ConvTranspose", x, weight, w.vector("up.bias", n // 2), dilations=[1, 1],
                group=1, kernel_shape=[2, 2], pads=[0] * 4, strides=[2, 2],
            )  # fmt: skip
        scales = w.constant([1.0, 1.0, 2.0, 2.0], "float32")
        x = w.op(
            "Resize", x, "", scales, mode="linear", nearest_mode="floor",
            coordinate_transformation_mode="half_pixel", cubic_coeff_a=-0.75,
        )  # fmt: skip
        with w.scope("up"):
            return conv(w, x, n, n // 2, 1)

    def _twice(self, w: ModelWriter, x: str, n_in: int, n_out: int) -> str:
        for i, c in enumerate((n_in, n_out)):
            with w.scope(f"double_conv.{3 * i}"):
                x = conv(w, x, c, n_out, 3, bias=False, gain=2.0)
            with w.scope(f"double_conv.{3 * i + 1}"):
                x = batch_norm(w, x, n_out)
            x = w.op("Relu", x)
        return x

    def inputs(self, rng: Any, sizes: dict[str, int]) -> dict[str, Any]:
        """Normal pixels."""
        import numpy as np

        shape = sizes["batch"], 3, sizes["height"], sizes["width"]
        return {"image": rng.standard_normal(shape, np.float32)}


#: "small" is for tests, "base" has published sizes.
SIZES = {
    "small": Unet(),
    "base": Unet(channels=64, levels=4, height=256, width=256),
}
