"""Folding of per-channel factors and summands into the convolution before them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, cast

from ge_dialect.ir.types import elem_of, shape_of
from passes.base import Contract, Pass, PassResult
from passes.effects import is_pinned
from passes.folding import Derivation, Folder, constant_op
from passes.fuse.convolution import (
    CONVOLUTIONS,
    F32,
    FLOATS,
    INDEX,
    bias_const,
    convolution_fits,
    filter_const,
    out_channels,
    replace_pair,
    scaled_filter,
)
from passes.rewriting import Pattern, PatternRewriter, apply_patterns, producer

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Operation, SSAValue

    from passes.context import PassContext

_CHANNEL = {"NCHW": 1, "NHWC": 3}


@dataclass(frozen=True)
class FoldConvScale(Pattern):
    """A convolution and a Mul, Add, Sub or BiasAdd with one constant per channel become one."""

    folder: Folder = field(default_factory=Folder)
    name: ClassVar[str] = "conv-scale"
    root: ClassVar[tuple[str, ...]] = ("Add", "BiasAdd", "Mul", "Sub")

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        at, conv = 0, producer(op)
        if conv is None or conv.name not in CONVOLUTIONS:
            if op.name == "ge.Sub":
                return  # constant - conv needs a factor of -1: not worth a rule
            at, first, conv = 1, conv, producer(op, 1)
            reads = conv is not None and conv.name in CONVOLUTIONS
            if not rw.candidate(reads, "it does not read a convolution", first):
                return
        rw.involves(conv)
        other: SSAValue = op.operands[1 - at]
        constant = constant_op(other)
        if not rw.when(constant is not None, "the other operand is no constant"):
            return
        if not (self._operand_fits(conv, op, other, rw) and convolution_fits(conv, op, rw)):
            return
        try:
            new_filter, new_bias = self._weights(conv, op, other)
        except ValueError as error:
            rw.missed(f"the new weights cannot be formed: {error}")
            return
        replace_pair(rw, conv, op, new_filter, new_bias)

    @staticmethod
    def _operand_fits(conv: Any, op: Any, other: SSAValue, rw: PatternRewriter) -> bool:
        result, shape = shape_of(op.results[0].type), shape_of(other.type)
        data_format = conv.ge_attr("data_format")
        if op.ge_type == "BiasAdd":
            per_channel = op.ge_attr("data_format") == data_format
        else:
            per_channel = shape is not None and _is_per_channel(shape, data_format)
        return (
            rw.when(per_channel, "the constant is not one value per channel")
            and rw.when(
                result is not None and result == shape_of(conv.results[0].type),
                "the constant stretches the result of the convolution",
            )
            and rw.when(
                isinstance(elem_of(conv.ge_input("filter").type), FLOATS),
                "the filter holds no floats",
            )
            and rw.when(
                not is_pinned(op) and not is_pinned(cast("Operation", constant_op(other))),
                "a node is marked no_need_constant_folding",
            )
        )

    def _weights(self, conv: Any, op: Any, other: SSAValue) -> tuple[Any, Any]:
        """New filter and bias: w * k and b * k for a factor k, w and b + k for a summand."""
        d = Derivation(self.folder)
        channels, bias = out_channels(conv), conv.ge_input("bias")
        value = d.cast(d.of(other), F32)
        if shape_of(value.results[0].type) != (channels,):
            name = "Reshape" if _elements(other) == channels else "BroadcastTo"
            if name == "BroadcastTo":
                value = d.apply("Reshape", value, d.literal([1], INDEX))
            value = d.apply(name, value, d.literal([channels], INDEX))
        old = None if bias is None else d.cast(d.of(bias), F32)
        if op.ge_type == "Mul":
            new_filter = filter_const(conv, scaled_filter(d, conv, value))
            if old is None:
                return new_filter, None
            return new_filter, bias_const(d, conv, d.apply("Mul", old, value), [other])
        if old is None:
            total = value if op.ge_type != "Sub" else d.apply("Neg", value)
        else:
            total = d.apply("Sub" if op.ge_type == "Sub" else "Add", old, value)
        return conv.ge_input("filter"), bias_const(d, conv, total, [other])


def _elements(value: SSAValue) -> int:
    count = 1
    for dim in shape_of(value.type) or ():
        count *= dim
    return count


def _is_per_channel(shape: tuple[int, ...], data_format: str) -> bool:
    """Whether a constant of this shape has one value per channel of a rank-4 result, or one."""
    if -1 in shape or len(shape) > 4:
        return False
    full = (1,) * (4 - len(shape)) + shape
    return all(dim == 1 for axis, dim in enumerate(full) if axis != _CHANNEL[data_format])


@dataclass(frozen=True)
class ConvScaleFold(Pass):
    """Fold a Mul, Add, Sub or BiasAdd with a constant per channel into the convolution before it.

    A factor goes into filter and bias, a summand into the bias, formed in f32 and rounded to the
    dtype the convolution has. The preconditions on the convolution are those of `conv-bn-fold`.

    Before::

        ge.graph @g(%x: tensor<1x3x8x8xf32>) {
          %w = ge.Const() {value = #ge.weight<"w">} : tensor<4x3x1x1xf32>
          %s = ge.Const() {value = #ge.weight<"s">} : tensor<4x1x1xf32>
          %o = ge.Const() {value = #ge.weight<"o">} : tensor<4x1x1xf32>
          %c = ge.Conv2D(%x, %w) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW"} : tensor<1x4x8x8xf32>
          %m = ge.Mul(%c, %s) : tensor<1x4x8x8xf32>
          %y = ge.Add(%m, %o) : tensor<1x4x8x8xf32>
          ge.NetOutput(%y)
        }

    After::

        ge.graph @g(%x: tensor<1x3x8x8xf32>) {
          %c_filter = ge.Const() {value = #ge.weight<mul("w", reshape(reshape("s", [4]), [4, 1, 1, 1]))>} : tensor<4x3x1x1xf32> loc("c_filter"("w"))
          %m_bias = ge.Const() {value = #ge.weight<reshape("o", [4])>} : tensor<4xf32> loc("m_bias"("o"))
          %y = ge.Conv2D(%x, %c_filter, bias = %m_bias) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW"} : tensor<1x4x8x8xf32> loc("y"(fused["y", "m", "c"]))
          ge.NetOutput(%y)
        }
    """  # noqa: E501

    name: ClassVar[str] = "conv-scale-fold"
    stage: ClassVar[str] = "fuse"
    contract: ClassVar[Contract] = Contract(values="reassociates", grows=True)

    def run(self, module: ModuleOp, ctx: PassContext) -> PassResult:
        report = apply_patterns(module, [FoldConvScale(Folder(lambda: ctx.weights))], ctx)
        return PassResult.from_counters(report)
