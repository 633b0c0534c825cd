"""Folding of batch normalisation into the convolution before it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from xdsl.dialects.builtin import Float32Type, IntegerType

from ge_dialect.ir.build import build
from ge_dialect.ir.control import control_inputs, control_result
from ge_dialect.ir.merge import can_merge
from ge_dialect.ir.names import node_name, origins, set_node_name
from ge_dialect.ir.types import elem_of, layout_of, shape_of, tensor_type, with_layout
from passes.base import Contract, Pass, PassResult
from passes.effects import is_pinned
from passes.folding import Derivation, Folder, constant_op, make_const
from passes.rewriting import Pattern, PatternRewriter, apply_patterns, producer

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import SSAValue

    from passes.context import PassContext

_CONVOLUTIONS = ("ge.Conv2D", "ge.DepthwiseConv2D")
_F32, _INDEX = Float32Type(), IntegerType(64)
_PARAMETERS = ("scale", "offset", "mean", "variance")


@dataclass(frozen=True)
class FoldConvBn(Pattern):
    """Conv2D (or DepthwiseConv2D) and an inference BatchNorm become one convolution."""

    folder: Folder = field(default_factory=Folder)
    name: ClassVar[str] = "conv-bn"
    root: ClassVar[tuple[str, ...]] = ("BatchNorm", "BNInfer")

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        conv: Any = producer(op)
        if conv is None or conv.name not in _CONVOLUTIONS:
            return
        if not (_normalisation_fits(op, rw) and _convolution_fits(conv, op, rw)):
            return
        filter_, bias = conv.ge_input("filter"), conv.ge_input("bias")
        try:
            new_filter, new_bias = self._weights(conv, op, filter_, bias)
        except ValueError as error:
            rw.when(False, f"the new weights cannot be formed: {error}")
            return
        inputs = {"x": conv.ge_input("x"), "filter": new_filter, "bias": new_bias}
        fused = build(
            conv.ge_type,
            inputs,
            conv.ge_attrs(),
            result_types=[op.results[0].type],
            control=control_inputs(conv),
        )
        old = [*op_constants(conv), *op_constants(op)]
        unused = [None] * (len(op.ge_data_results) - 1)
        rw.replace(op, [new_filter, new_bias, fused], [fused.results[0], *unused], merged=[conv])
        rw.erase(conv)
        for const in dict.fromkeys(old):
            if const.parent is not None and all(r.first_use is None for r in const.results):
                rw.erase(const)

    def _weights(self, conv: Any, norm: Any, filter_: SSAValue, bias: Any) -> tuple[Any, Any]:
        """New filter and bias, not inserted: with k = scale / sqrt(variance + epsilon) per output
        channel, w' = w * k and b' = (b - mean) * k + offset, formed in f32."""
        d = Derivation(self.folder)
        scale, offset, mean, variance = (
            d.cast(d.of(norm.ge_input(name)), _F32) for name in _PARAMETERS
        )
        epsilon = d.literal([norm.ge_attr("epsilon")], _F32)
        k = d.apply("RealDiv", scale, d.apply("Sqrt", d.apply("Add", variance, epsilon)))
        along = d.apply("Reshape", k, d.literal(_factor_shape(conv), _INDEX))
        wide = d.apply("Mul", d.cast(d.of(filter_), _F32), along)
        elem = elem_of(filter_.type)
        if bias is None:
            bias_type = with_layout(norm.ge_input("offset").type, None)
            shift = d.apply("Sub", offset, d.apply("Mul", mean, k))
        else:
            bias_type = bias.type
            centred = d.apply("Sub", d.cast(d.of(bias), _F32), mean)
            shift = d.apply("Add", d.apply("Mul", centred, k), offset)
        bias_elem = elem if bias is None else elem_of(bias_type)
        bias_type = tensor_type(shape_of(bias_type), bias_elem, layout_of(bias_type))
        name = node_name(conv)
        sources = [bias, *(norm.ge_input(p) for p in _PARAMETERS)]
        return (
            _named(d.cast(wide, elem), filter_.type, name, "filter", [filter_]),
            _named(d.cast(shift, bias_elem), bias_type, name, "bias", sources),
        )


def _named(value: Any, type_: Any, conv: str | None, role: str, sources: list[Any]) -> Any:
    """A Const of `value` called after the convolution, standing for the constants in `sources`."""
    const = make_const(value.properties["value"], type_)
    names = [n for v in sources if v is not None for n in origins(constant_op(v))]
    set_node_name(const, f"{conv or 'conv'}_{role}", names)
    return const


def op_constants(op: Any) -> list[Any]:
    """The constants a node reads, each once."""
    found = (constant_op(v) for v in op.ge_data_operands)
    return list(dict.fromkeys(c for c in found if c is not None))


def _factor_shape(conv: Any) -> list[int]:
    """Shape in which one factor per output channel multiplies the filter."""
    dims = shape_of(conv.ge_input("filter").type)
    if conv.ge_attr("data_format") == "NCHW":
        return [dims[0], 1, 1, 1]
    if conv.ge_type == "DepthwiseConv2D":
        return [1, 1, dims[2], dims[3]]
    return [1, 1, 1, dims[3]]


def _normalisation_fits(norm: Any, rw: PatternRewriter) -> bool:
    if norm.ge_type == "BatchNorm":
        if not rw.when(not norm.ge_attr("is_training"), "the normalisation is in training mode"):
            return False
        rest = norm.ge_data_results[1:]
        if not rw.when(
            all(r.first_use is None for r in rest), "the statistics of the batch are used"
        ):
            return False
    given = [norm.ge_input(name) for name in _PARAMETERS]
    if not rw.when(
        all(constant_op(v) is not None for v in given),
        "a parameter of the normalisation is no constant",
    ):
        return False
    return rw.when(not is_pinned(norm), "the normalisation is marked no_need_constant_folding")


def _convolution_fits(conv: Any, norm: Any, rw: PatternRewriter) -> bool:
    y = conv.results[0]
    filter_, bias = conv.ge_input("filter"), conv.ge_input("bias")
    dims, out = shape_of(filter_.type), shape_of(norm.ge_input("scale").type)
    data_format = conv.ge_attr("data_format")
    norm_format = norm.ge_attr("data_format") if norm.ge_type == "BatchNorm" else "NCHW"
    return (
        rw.when(y.has_one_use(), "the result of the convolution has other users")
        and rw.when(
            (done := control_result(conv)) is None or done.first_use is None,
            "another node waits for the convolution",
        )
        and rw.when(constant_op(filter_) is not None, "the filter is no constant")
        and rw.when(bias is None or constant_op(bias) is not None, "the bias is no constant")
        and rw.when(conv.ge_input("offset_w") is None, "the convolution has weight offsets")
        and rw.when(data_format == norm_format, "the data formats differ")
        and rw.when(
            dims is not None and -1 not in dims and out is not None and -1 not in out,
            "the number of channels is not known",
        )
        and rw.when(
            layout_of(y.type) == layout_of(norm.results[0].type),
            "the layouts of the results differ",
        )
        and rw.when(
            not any(
                is_pinned(c)
                for c in (conv, constant_op(filter_), constant_op(bias))
                if c is not None
            ),
            "the weights are marked no_need_constant_folding",
        )
        and rw.when(can_merge(conv, norm), "the nodes are bound to different places")
    )


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
