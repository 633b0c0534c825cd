"""How much work an operator does: its cost class, arithmetic and traffic.

Pure functions of types and attributes, on logical shapes for arithmetic and storage shapes for
traffic. Nothing here depends on the device.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any

from ge_dialect.ir.types import elem_of, layout_of, shape_of
from ge_dialect.layouts import storage_bytes
from ge_dialect.target.registered import target_of

if TYPE_CHECKING:
    from xdsl.ir import Attribute

_CLASSES: dict[str, tuple[str, ...]] = {
    "matmul": (
        "FFN MatMul MatMulV2 MatMulV3 BatchMatMul BatchMatMulV2 BatchMatMulV3 FullyConnection "
        "GroupedMatmul TransposeBatchMatMul QuantBatchMatmul QuantBatchMatmulV3 Einsum "
        "WeightQuantBatchMatmulV2 GEMM MatmulAllReduce AllGatherMatmul MatmulReduceScatter "
        "DynamicRNN DynamicGRUV2 BasicLSTMCell BasicRNNCell CommonLSTM CommonGRU",
    ),
    "conv": (
        "Conv2D DepthwiseConv2D DeformableConv2D Conv3D Conv3DV2 Conv2DTranspose Conv2DTransposeD "
        "Conv3DTranspose Conv2DBackpropInput Conv2DBackpropInputD Conv2DBackpropFilter "
        "Conv2DBackpropFilterD Conv3DBackpropFilter Conv3DBackpropInput Conv2DV2 QuantConv2D",
    ),
    "attention": (
        "FlashAttentionScore FlashAttentionScoreGrad FusedInferAttentionScore "
        "PromptFlashAttention IncreFlashAttention",
    ),
    "norm": (
        "BNInfer BNInference BNInferenceD BatchNorm LayerNorm LayerNormV3 LayerNormV4 RmsNorm "
        "AddRmsNorm AddLayerNorm GroupNorm InstanceNorm L2Normalize LRN SoftmaxV2 LogSoftmaxV2 "
        "SoftmaxGrad SoftmaxGradExt LpNorm LogSoftmaxGrad SoftmaxCrossEntropyLoss "
        "SoftmaxCrossEntropyWithLogits "
        "SparseSoftmaxCrossEntropyWithLogits BNInferGrad BNTrainingReduce BNTrainingReduceGrad "
        "BNTrainingUpdate BNTrainingUpdateV2 BNTrainingUpdateGrad BatchNormGrad BatchNormGradV3 "
        "BatchNormV3 DeepNorm GroupNormSilu GroupNormV2 LayerNormGrad LayerNormGradV3 "
        "LayerNormBetaGammaBackpropV2 "
        "MVNV2 AddRmsNormCast AddRmsNormQuant RmsNormGrad ScaledMaskedSoftmax "
        "MaskedSoftmaxWithRelPosBias MoeGatingTopKSoftmax MoeGatingTopKSoftmaxV2 MoeGatingTopK "
        "KvRmsNormRopeCache",
    ),
    "reduction": (
        "ReduceSum ReduceSumD ReduceMean ReduceMeanD ReduceMax ReduceMaxD ReduceMin ReduceMinD "
        "ReduceProd ReduceProdD ReduceAll ReduceAllD ReduceAny ReduceAnyD ReduceLogSumExp ArgMaxV2 "
        "ArgMin ArgMaxWithValue ArgMinWithValue Cumsum Cumprod TopK TopKV2 Sort Unique "
        "UniqueWithCounts UniqueWithCountsAndSorting HostUnique HostTfIdfVectorizer "
        "NonMaxSuppressionV3 NonMaxSuppressionV6 BiasAddGrad L2Loss "
        "MseLoss UniqueConsecutive SearchSorted MoeComputeExpertTokens MoeFinalizeRouting "
        "MoeFinalizeRoutingV2 EmbeddingDenseGrad LpNormV2 ReduceLogSum ReduceMeanWithCast "
        "ReduceStdV2 ReduceStdWithMean SquareSumV1 ForeachNorm",
    ),
    "pool": (
        "AdaptiveAvgPool2d AvgPool AvgPoolV2 AvgPool3D MaxPool MaxPoolV3 MaxPool3D "
        "MaxPoolWithArgmax MaxPool3DWithArgmaxV2 GlobalAveragePool Pooling AvgPoolGrad MaxPoolGrad "
        "MaxPoolGradWithArgmax MaxPoolGradWithArgmaxV1 MaxPoolWithArgmaxV1 PSROIPooling "
        "PSROIPoolingV2 ROIPooling",
    ),
    "layout": ("TransData TransDataRNN Transpose TransposeD Permute",),
    "move": (
        "Concat ConcatD ConcatV2 Pack Unpack Split SplitD SplitV SplitVD Slice SliceD "
        "StridedSlice StridedSliceD Gather GatherV2 GatherNd GatherElements ScatterNd "
        "ScatterUpdate ScatterElements Pad PadD PadV3 MirrorPad Tile TileD Fill BroadcastTo "
        "OneHot Range ReverseV2 ReverseSequence StridedSliceV2 TensorScatterUpdate MaskedSelect "
        "MaskedFill Roll TensorMove Where NonZero Tril Triu Bitcast Assign SpaceToDepth "
        "DepthToSpace Identity AsStrided BatchToSpaceND DynamicPartition DynamicStitch Diag Empty "
        "End Eye FlattenV2 GuaranteeConst HcomAllGather HcomAllGatherV HcomAllToAll HcomAllToAllV "
        "HcomAllToAllVC HcomBroadcast HcomReceive HcomSend IdentityN Index IndexByTensor "
        "IndexPutV2 MemcpyAddrAsync MemcpyAsync MoeInitRouting PadV2 PhonyConcat PhonySplit "
        "PlaceHolder PlaceholderWithDefault PreventGradient RandomShuffle ReFormat RefIdentity "
        "ScatterNdUpdate ScatterPaKvCache SpaceToBatchND SqueezeV2 StopGradient "
        "StridedSliceAssign StridedSliceGrad TransShape Trilu UnsqueezeV2 ViewCopy Expand "
        "MatrixDiagV2 ForeachCopy MoeInitRoutingV3",
    ),
}
COST_CLASS: dict[str, str] = {
    op: name for name, groups in _CLASSES.items() for group in groups for op in group.split()
}

TRANSCENDENTAL = frozenset(
    "Acos Acosh Addcdiv ApplyAdam ApplyAdamD ApplyAdamW Asin Asinh Atan Atan2 Atanh Celu CeluV2 "
    "Cos Cosh Div DivNoNan Elu Erf Exp Expm1 FastGelu FloorDiv FloorMod GeGluV2 Gelu GeluGrad "
    "GeluV2 GLU HardSwish Log Log1p LogSigmoid LogSoftmaxGrad LogSoftmaxV2 LRN Mish Mod Pow Power "
    "RandomStandardNormal RealDiv Reciprocal Rsqrt Selu Sigmoid SigmoidCrossEntropyWithLogits Sin "
    "Sinh SoftmaxV2 Softplus Softsign Sqrt SwiGlu SwiGluGrad Swish Tan Tanh TruncateDiv "
    "Xlogy ForeachAcos ForeachAddcdivList ForeachAddcdivScalar ForeachAddcdivScalarList "
    "ForeachAsin ForeachAtan ForeachCos ForeachCosh ForeachDivList ForeachDivScalar "
    "ForeachDivScalarList ForeachErf ForeachErfc ForeachExp ForeachExpm1 ForeachLog ForeachLog10 "
    "ForeachLog1p ForeachLog2 ForeachPowList ForeachPowScalar ForeachPowScalarAndTensor "
    "ForeachPowScalarList ForeachReciprocal ForeachSigmoid ForeachSin ForeachSinh ForeachSqrt "
    "ForeachTan ForeachTanh".split()
)


#: Operators that read of their first input only what they hand on.
PARTIAL = frozenset(
    "Gather GatherV2 GatherNd GatherElements Slice SliceD StridedSlice StridedSliceD "
    "StridedSliceV2".split()
)


@dataclass(frozen=True, slots=True)
class Work:
    """What one execution does. `flops` count multiply and add separately; `bytes` are read plus
    written in storage; `dtype_bits` is the element width the arithmetic runs in."""

    cost_class: str
    flops: int
    bytes: int
    elements: int
    dtype_bits: int
    integer: bool


def cost_class(op_type: str) -> str:
    """Cost class of an operator type; "elementwise" where none is known."""
    known = COST_CLASS.get(op_type)
    if known is not None:
        return known
    facts = target_of(op_type)
    return "elementwise" if facts is None else facts.cost_class


def is_transcendental(op_type: str) -> bool:
    """Whether each element costs a vector core as much as an exponential."""
    if op_type in TRANSCENDENTAL:
        return True
    facts = target_of(op_type)
    return facts is not None and facts.transcendental


def work_of(
    op_type: str,
    inputs: Sequence[Any],
    outputs: Sequence[Attribute],
    attrs: Mapping[str, Any],
) -> Work:
    """The work of an operator on tensors of these types.

    `inputs` has one item per slot: a type, None, or a sequence of types; all shapes are static.
    """
    flat: list[Attribute] = []
    for slot in inputs:
        if slot is None:
            continue
        if isinstance(slot, Sequence):
            flat += slot
        else:
            flat.append(slot)
    written = sum(storage_bytes(t) for t in outputs)
    traffic = sum(storage_bytes(t) for t in flat) + written
    elements = max([_count(t) for t in (*outputs, *flat)], default=0)
    if op_type in PARTIAL and flat:
        whole = storage_bytes(flat[0])
        traffic -= whole - min(whole, written)
        elements = max([_count(t) for t in (*outputs, *flat[1:])], default=0)
    kind = cost_class(op_type)
    main = (flat or list(outputs))[0] if (flat or outputs) else None
    bits, integer = _dtype(main)
    return Work(kind, _flops(op_type, kind, flat, outputs, attrs), traffic, elements, bits, integer)


def _dtype(type_: Attribute | None) -> tuple[int, bool]:
    from ge_dialect.dtypes import bits, is_integer

    if type_ is None:
        return 16, False
    elem = elem_of(type_)
    return max(8, bits(elem)), is_integer(elem)


def _count(type_: Attribute) -> int:
    dims = shape_of(type_)
    return prod(dims) if dims else 1


def _dims(type_: Attribute) -> tuple[int, ...]:
    return shape_of(type_) or ()


def _flops(
    op_type: str,
    kind: str,
    inputs: Sequence[Attribute],
    outputs: Sequence[Attribute],
    attrs: Mapping[str, Any],
) -> int:
    facts = target_of(op_type)
    if facts is not None and facts.flops is not None:
        return int(facts.flops(inputs, outputs, attrs))
    if op_type in ("Conv2DTranspose", "Conv3DTranspose", "Conv2DTransposeD"):
        data = inputs if op_type.endswith("D") else inputs[1:]
        if len(data) >= 2:
            return 2 * _count(data[0]) * _macs_per_result(op_type, data[1], attrs)
    if "Conv" in op_type and "Backprop" in op_type and outputs:
        data = [t for t in inputs if len(_dims(t)) >= 4]
        filter_ = outputs[0] if "Filter" in op_type else data[0]
        return 2 * _count(data[-1]) * _macs_per_result(op_type, filter_, attrs)
    if kind == "conv" and outputs and len(inputs) >= 2:
        return 2 * _count(outputs[0]) * _macs_per_result(op_type, inputs[1], attrs)
    if op_type == "Einsum" and inputs:
        return 2 * max(len(inputs) - 1, 1) * _einsum_points(inputs, str(attrs["equation"]))
    if kind == "attention" and len(inputs) >= 2:
        products = 5 if op_type.endswith("Grad") else 2
        return 2 * products * _count(inputs[0]) * _keys(inputs[1], attrs)
    if op_type in _RECURRENT and len(inputs) >= 2:
        weights = sum(_count(w) for w in inputs[1 : 1 + _RECURRENT[op_type]])
        return 2 * prod(_dims(inputs[0])[:-1]) * weights
    if op_type == "FFN" and len(inputs) >= 3:  # a row meets the weights of one expert
        weights = sum(prod(_dims(w)[-2:]) for w in inputs[1:3])
        return 2 * prod(_dims(inputs[0])[:-1]) * weights
    if kind == "matmul" and outputs and len(inputs) >= 2:
        return 2 * _count(outputs[0]) * _contracted(inputs[0], attrs)
    if kind == "pool" and outputs:
        window = attrs.get("ksize") or ()
        if op_type == "GlobalAveragePool" or not window or attrs.get("global_pooling"):
            return _count(inputs[0])
        return _count(outputs[0]) * prod(window)
    if kind in ("layout", "move"):
        return 0
    per_element = 4 if kind == "norm" else 1
    return per_element * max([_count(t) for t in (*outputs, *inputs)], default=0)


#: Where the positions stand in a layout of keys, and how many weights a recurrent layer has.
_POSITIONS = {"BSH": 1, "SBH": 0, "BSND": 1, "BNSD": 2, "TND": 0}
_RECURRENT = {"DynamicRNN": 1, "DynamicGRUV2": 2, "CommonLSTM": 2, "CommonGRU": 2}


def _keys(key: Attribute, attrs: Mapping[str, Any]) -> int:
    """How many keys a query is compared with: each costs a product with it and one with a value."""
    dims = _dims(key)
    place = _POSITIONS.get(str(attrs.get("input_layout", "BSH")).partition("_")[0], 1)
    return dims[place] if place < len(dims) else 1


def _macs_per_result(op_type: str, filter_: Attribute, attrs: Mapping[str, Any]) -> int:
    """Input channels of a group times the kernel window."""
    dims = _dims(filter_)
    if len(dims) < 3:
        return 1
    layout = layout_of(filter_)
    channels_last = attrs.get("data_format") in ("NHWC", "NDHWC") or (
        layout and layout.origin == "HWCN"
    )
    if channels_last:
        per_group = 1 if op_type == "DepthwiseConv2D" else dims[-2]
        return per_group * prod(dims[:-2])
    return prod(dims[1:])


def _einsum_points(inputs: Sequence[Attribute], equation: str) -> int:
    """Number of products that are summed up: the sizes of all letters, dots included."""
    from ge_dialect.infer.einsum import split_equation, terms

    sizes: dict[str, int] = {}
    spread = 1
    for term, type_ in zip(split_equation(equation, len(inputs))[0], inputs, strict=True):
        dims, parts = list(_dims(type_)), terms(term)
        if "..." in parts:
            at, letters = parts.index("..."), len(parts) - 1
            end = len(dims) - (letters - at)
            spread = max(spread, prod(dims[at:end]))
            parts, dims = [p for p in parts if p != "..."], dims[:at] + dims[end:]
        sizes.update(zip(parts, dims, strict=True))
    return prod(sizes.values()) * spread


def _contracted(x1: Attribute, attrs: Mapping[str, Any]) -> int:
    dims = _dims(x1)
    if not dims:
        return 1
    flags = ("transpose_x1", "adj_x1", "transpose_a")
    transposed = any(attrs.get(name) for name in flags)
    return dims[-2] if transposed and len(dims) > 1 else dims[-1]  # pyright: ignore[reportGeneralTypeIssues]
