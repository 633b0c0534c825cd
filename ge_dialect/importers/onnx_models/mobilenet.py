"""MobileNet v2 and v3 (Sandler et al., 2018; Howard et al., 2019).

Version 2, opset 13, keeps batch normalisation as nodes and clips at 6. Version 3, opset 14, has it
folded into the convolutions, as exporting in inference mode does, squeeze-and-excitation and
HardSwish.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ge_dialect.importers.onnx_models.layers import batch_norm, conv, gemm
from ge_dialect.importers.onnx_models.writer import ModelWriter

#: expansion, channels, repeats, stride; table 2 of the paper.
_V2 = (
    (1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2),
    (6, 320, 1, 1),
)  # fmt: skip
#: kernel, expanded, channels, squeeze-and-excitation, HardSwish, stride; table 2 of the paper.
_V3 = (
    (3, 16, 16, True, False, 2), (3, 72, 24, False, False, 2), (3, 88, 24, False, False, 1),
    (5, 96, 40, True, True, 2), (5, 240, 40, True, True, 1), (5, 240, 40, True, True, 1),
    (5, 120, 48, True, True, 1), (5, 144, 48, True, True, 1), (5, 288, 96, True, True, 2),
    (5, 576, 96, True, True, 1), (5, 576, 96, True, True, 1),
)  # fmt: skip


@dataclass(frozen=True)
class _Net:
    divisor: int = 4
    """Channels of the paper are divided by this."""
    image: int = 32
    classes: int = 10
    batch: int = 2

    def inputs(self, rng: Any, sizes: dict[str, int]) -> dict[str, Any]:
        """Normal pixels."""
        import numpy as np

        shape = sizes["batch"], 3, self.image, self.image
        return {"input": rng.standard_normal(shape, np.float32)}


@dataclass(frozen=True)
class MobileNetV2(_Net):
    """Configuration; defaults are the small one."""

    opset: int = 13

    def build(self, w: ModelWriter) -> None:
        """Write the graph."""
        b = "batch" if w.dynamic else self.batch
        x = w.input("input", "real", [b, 3, self.image, self.image])
        n = 32 // self.divisor
        with w.scope("features.0"):
            x = self._unit(w, x, 3, n, 3, stride=2)
        count = 1
        for expansion, channels, repeats, stride in _V2:
            for i in range(repeats):
                with w.scope(f"features.{count}"):
                    c = channels // self.divisor
                    x = self._block(w, x, n, c, expansion, stride if i == 0 else 1)
                n, count = c, count + 1
        last = 1280 // self.divisor
        with w.scope(f"features.{count}"):
            x = self._unit(w, x, n, last, 1)
        x = w.flatten(w.op("GlobalAveragePool", x), 1, last)
        with w.scope("classifier.1"):
            x = gemm(w, x, last, self.classes)
        w.output("logits", x, "real", [b, self.classes])

    def _unit(
        self, w: ModelWriter, x: str, n: int, c: int, k: int, *, stride: int = 1, group: int = 1
    ) -> str:
        with w.scope("0"):
            x = conv(w, x, n, c, k, stride=stride, group=group, bias=False, gain=2.0)
        with w.scope("1"):
            x = batch_norm(w, x, c)
        with w.scope("2"):
            return w.op("Clip", x, w.scalar(0.0), w.scalar(6.0))

    def _block(self, w: ModelWriter, x: str, n: int, c: int, expansion: int, stride: int) -> str:
        y, wide = x, n * expansion
        with w.scope("conv"):
            if expansion != 1:
                with w.scope("0"):
                    y = self._unit(w, y, n, wide, 1)
            with w.scope("1"):
                y = self._unit(w, y, wide, wide, 3, stride=stride, group=wide)
            with w.scope("2"):
                y = conv(w, y, wide, c, 1, bias=False)
            with w.scope("3"):
                y = batch_norm(w, y, c, damped=stride == 1 and n == c)
        return w.op("Add", x, y) if stride == 1 and n == c else y


@dataclass(frozen=True)
class MobileNetV3(_Net):
    """Configuration of the variant "small"; defaults are the small one."""

    opset: int = 14

    def build(self, w: ModelWriter) -> None:
        """Write the graph."""
        b = "batch" if w.dynamic else self.batch
        x = w.input("input", "real", [b, 3, self.image, self.image])
        n = 16 // self.divisor
        with w.scope("features.0.0"):
            x = w.op("HardSwish", conv(w, x, 3, n, 3, stride=2, gain=2.0))
        for i, (kernel, wide, channels, excited, swish, stride) in enumerate(_V3):
            with w.scope(f"features.{i + 1}.block"):
                wide, c = wide // self.divisor, channels // self.divisor
                x = self._block(w, x, n, wide, c, kernel, excited, swish, stride)
            n = c
        wide, last = 576 // self.divisor, 1024 // self.divisor
        with w.scope(f"features.{len(_V3) + 1}.0"):
            x = w.op("HardSwish", conv(w, x, n, wide, 1, gain=2.0))
        x = w.flatten(w.op("GlobalAveragePool", x), 1, wide)
        with w.scope("classifier"):
            with w.scope("0"):
                x = gemm(w, x, wide, last)
            x = w.op("HardSwish", x)
            with w.scope("3"):
                x = gemm(w, x, last, self.classes)
        w.output("logits", x, "real", [b, self.classes])

    def _block(
        self, w: ModelWriter, x: str, n: int, wide: int, c: int, kernel: int, excited: bool,
        swish: bool, stride: int,
    ) -> str:  # fmt: skip
        act = "HardSwish" if swish else "Relu"
        y = x
        if wide != n:
            with w.scope("0"):
                y = w.op(act, conv(w, y, n, wide, 1, gain=2.0))
        with w.scope("1"):
            y = w.op(act, conv(w, y, wide, wide, kernel, stride=stride, group=wide, gain=2.0))
        if excited:
            with w.scope("2"):
                y = w.op("Mul", self._excitation(w, y, wide), y)
        with w.scope("3"):
            y = conv(w, y, wide, c, 1)
        return w.op("Add", y, x) if stride == 1 and n == c else y

    def _excitation(self, w: ModelWriter, x: str, n: int) -> str:
        inner = max(n // 4, 2)
        y = w.op("GlobalAveragePool", x)
        with w.scope("fc1"):
            y = w.op("Relu", conv(w, y, n, inner, 1))
        with w.scope("fc2"):
            y = conv(w, y, inner, n, 1)
        return w.op("HardSigmoid", y, alpha=1 / 6, beta=0.5)


_FULL = {"divisor": 1, "image": 224, "classes": 1000, "batch": 1}
#: "small" is for tests, "base" has published sizes.
SIZES_V2 = {"small": MobileNetV2(), "base": MobileNetV2(**_FULL)}
SIZES_V3 = {"small": MobileNetV3(), "base": MobileNetV3(**_FULL)}
