"""Folding of batch normalisation into the convolution before it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from passes.base import Contract, Pass, PassResult
from passes.effects import is_pinned
from passes.folding import Derivation, Folder, constant_op
from passes.fuse.convolution import (
    CONVOLUTION_CONDITIONS,
    F32,
    bias_const,
    filter_const,
    replace_pair,
    scaled_filter,
)
from passes.pattern_dsl import DslPattern, Match, node, when
from passes.rewriting import apply_patterns

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from passes.context import PassContext

_PARAMETERS = ("scale", "offset", "mean", "variance")


@dataclass(frozen=True)
class FoldConvBn(DslPattern):
    """Conv2D (or DepthwiseConv2D) and an inference BatchNorm become one convolution."""

    folder: Folder = field(default_factory=Folder)
    name: ClassVar[str] = "conv-bn"
    shape: ClassVar = node(
        "BatchNorm", "BNInfer", node("Conv2D", "DepthwiseConv2D").named("conv")
    ).named("norm")
    conditions: ClassVar = (
        when(
            lambda m: not (_is_full(m.norm) and m.norm.ge_attr("is_training")),
            "the normalisation is in training mode",
        ),
        when(
            lambda m: all(r.first_use is None for r in m.norm.ge_data_results[1:]),
            "the statistics of the batch are used",
        ),
        when(
            lambda m: all(constant_op(m.norm.ge_input(p)) is not None for p in _PARAMETERS),
            "a parameter of the normalisation is no constant",
        ),
        when(
            lambda m: not is_pinned(m.norm),
            "the normalisation is marked no_need_constant_folding",
        ),
        when(
            lambda m: m.conv.ge_attr("data_format") == _data_format(m.norm),
            "the data formats differ",
        ),
        *CONVOLUTION_CONDITIONS,
    )

    def rewrite(self, m: Match) -> None:
        """One convolution with new weights."""
        try:
            new_filter, new_bias = self._weights(m.conv, m.norm)
        except ValueError as error:
            m.decline(f"the new weights cannot be formed: {error}")
            return
        replace_pair(m.rw, m.conv, m.norm, new_filter, new_bias)

    def _weights(self, conv: Any, norm: Any) -> tuple[Any, Any]:
        """New filter and bias, not inserted: with k = scale / sqrt(variance + epsilon) per output
        channel, w' = w * k and b' = (b - mean) * k + offset, formed in f32."""
        d = Derivation(self.folder)
        given = [norm.ge_input(name) for name in _PARAMETERS]
        scale, offset, mean, variance = (d.cast(d.of(v), F32) for v in given)
        epsilon = d.literal([norm.ge_attr("epsilon")], F32)
        k = d.apply("RealDiv", scale, d.apply("Sqrt", d.apply("Add", variance, epsilon)))
        bias = conv.ge_input("bias")
        if bias is None:
            shift = d.apply("Sub", offset, d.apply("Mul", mean, k))
        else:
            centred = d.apply("Sub", d.cast(d.of(bias), F32), mean)
            shift = d.apply("Add", d.apply("Mul", centred, k), offset)
        new_filter = filter_const(conv, scaled_filter(d, conv, k))
        return new_filter, bias_const(d, conv, shift, given)


def _is_full(norm: Any) -> bool:
    """Whether it is a BatchNorm, which has a training mode and a data format."""
    return norm.ge_type == "BatchNorm"


def _data_format(norm: Any) -> str:
    return norm.ge_attr("data_format") if _is_full(norm) else "NCHW"


@dataclass(frozen=True)
class ConvBnFold(Pass):
    """Fold an inference BatchNorm or BNInfer into the Conv2D or DepthwiseConv2D before it.

    With k = scale / sqrt(variance + epsilon) per output channel, the filter becomes w * k and the
    bias (b - mean) * k + offset, formed in f32 and rounded to the filter's dtype; both are recipes
    unless small and exact. The convolution must be used by the normalisation alone (a graph output
    is a use), nothing may wait for it, filter, bias and all parameters must be constants, and the
    data formats must agree. Control edges of both nodes go to the new one.

    Before::

        ge.graph @g(%x: tensor<1x3x8x8xf32>) {
          %w = ge.Const() {value = #ge.weight<"w">} : tensor<4x3x3x3xf32>
          %g = ge.Const() {value = #ge.weight<"g">} : tensor<4xf32>
          %o = ge.Const() {value = #ge.weight<"o">} : tensor<4xf32>
          %m = ge.Const() {value = #ge.weight<"m">} : tensor<4xf32>
          %v = ge.Const() {value = #ge.weight<"v">} : tensor<4xf32>
          %c = ge.Conv2D(%x, %w) {strides = [1, 1, 1, 1], pads = [1, 1, 1, 1], data_format = "NCHW"} : tensor<1x4x8x8xf32>
          %y = ge.BNInfer(%c, %g, %o, %m, %v) {epsilon = 0.001} : tensor<1x4x8x8xf32>
          ge.NetOutput(%y)
        }

    After::

        ge.graph @g(%x: tensor<1x3x8x8xf32>) {
          %c_filter = ge.Const() {value = #ge.weight<mul("w", reshape(div("g", sqrt(add("v", const([0.001], f32)))), [4, 1, 1, 1]))>} : tensor<4x3x3x3xf32> loc("c_filter"("w"))
          %c_bias = ge.Const() {value = #ge.weight<sub("o", mul("m", div("g", sqrt(add("v", const([0.001], f32))))))>} : tensor<4xf32> loc("c_bias"(fused["g", "o", "m", "v"]))
          %y = ge.Conv2D(%x, %c_filter, bias = %c_bias) {strides = [1, 1, 1, 1], pads = [1, 1, 1, 1], data_format = "NCHW"} : tensor<1x4x8x8xf32> loc("y"(fused["y", "c"]))
          ge.NetOutput(%y)
        }
    """  # noqa: E501

    name: ClassVar[str] = "conv-bn-fold"
    stage: ClassVar[str] = "fuse"
    contract: ClassVar[Contract] = Contract(values="reassociates", grows=True)

    def run(self, module: ModuleOp, ctx: PassContext) -> PassResult:
        report = apply_patterns(module, [FoldConvBn(Folder(lambda: ctx.weights))], ctx)
        return PassResult.from_counters(report)
