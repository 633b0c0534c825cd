"""AI Core operator library of the 910B generation: layouts and dtypes, one line per operator.

`<layout rule> <signature> <sets>`: the signature has one letter per input slot and output in
declared order; tensors of one letter share a dtype, the sets say which it may be. Where the dtypes
do not vary independently, `columns` lists the allowed combinations (inputs>outputs). Entries that
end in `assumed` are ours: the public library chooses those at compile time. The others are facts
of the public library, see docs/target.md. Layout rules: `ge_dialect.target.oplib.RULES`.
"""

from __future__ import annotations

OPS: dict[str, str] = {
    "Abs": "shared T>T T=bf16,f16,f32,i32,i64",
    "AccumulateNV2": "shared T>T T=f16,bf16,f32,i32,i64 assumed",
    "Acos": "shared T>T T=f16,f32,bf16",
    "Add": "shared TT>T T=f16,bf16,f32,i8,u8,i32,i64 assumed",
    "AddLayerNorm": (
        "nd TUVVW>WXXW columns f32,f16,f32,f32,f32>f32,f32,f32,f32 "
        "f32,bf16,f32,f32,f32>f32,f32,f32,f32 f16,f32,f32,f32,f32>f32,f32,f32,f32 "
        "bf16,f32,f32,f32,f32>f32,f32,f32,f32 f16,f16,f32,f32,f16>f16,f32,f32,f16 "
        "bf16,bf16,f32,f32,bf16>bf16,f32,f32,bf16 f16,f16,f16,f16,f16>f16,f32,f32,f16 "
        "bf16,bf16,bf16,bf16,bf16>bf16,f32,f32,bf16 f32,f32,f32,f32,f32>f32,f32,f32,f32"
    ),
    "AddN": "shared T>T T=bf16,f16,f32,i32,i64",
    "AddRmsNorm": "nd TTT>TUT T=f16,f32,bf16 U=f32",
    "AddRmsNormCast": "nd TTT>UTUT T=f16,bf16 U=f32",
    "Adds": "shared T>T T=f16,f32,i32,i64,bf16,i16",
    "AllGatherMatmul": "nd TTT>TT T=f16,bf16",
    "ApplyGradientDescent": "nd TTT>T T=f16,f32",
    "ApplyRotaryPosEmb": "nd TTTT>TT T=f16,f32,bf16",
    "ArgMaxV2": "nd TU>V T=f16,f32,i64,bf16,i32 U=i32,i64 V=i32,i64",
    "ArgMaxWithValue": "nd T>UT T=f16,f32,bf16,i64,i32 U=i32,i64",
    "ArgMin": "nd TU>V T=f16,f32,i64,bf16,i32 U=i32,i64 V=i32,i64",
    "ArgMinWithValue": "nd T>UT T=f16,f32,bf16,i64,i32 U=i32,i64",
    "AscendAntiQuantV2": "nd TUU>V T=i4,i8 U=f32,bf16 V=f16,bf16",
    "AscendDequant": "nd TU>V T=i32 U=u64 V=f16",
    "AscendQuant": "nd T>U T=f16,f32 U=i8,i4",
    "AscendQuantV2": "nd TTT>U T=f16,f32,bf16 U=i8,i4",
    "AscendRequant": "nd TU>V T=i32 U=u64 V=i8",
    "AscendWeightQuant": "nd TT>U T=i8 U=i8,i4",
    "Asin": "shared T>T T=f16,f32,bf16",
    "Assign": "nd TT>T T=f16,f32,i32,u32,i8,u8,i16,u16,i64",
    "AssignAdd": (
        "nd TU>T columns bf16,bf16>bf16 f16,f16>f16 f32,f32>f32 i32,i32>i32 i64,i64>i64 f32,f16>f32"
    ),
    "AssignSub": "nd TT>T T=f16,f32,i32,i8,u8,bf16,i64",
    "Atan": "shared T>T T=f16,f32,bf16",
    "Atan2": "shared TT>T T=f16,f32,bf16",
    "AvgPool": "pool T>T T=f16,bf16,f32 assumed",
    "AvgPool3D": "nd T>T T=f16,f32,bf16",
    "AvgPoolGrad": "nd TU>U T=i32 U=f16",
    "AvgPoolV2": "pool T>T T=f16,bf16,f32 assumed",
    "Axpy": "shared TT>T T=f16,bf16,f32,i32 assumed",
    "BNInfer": "channel TUUUU>T T=f16,f32,bf16 U=f32",
    "BatchMatMul": "nd TT>T T=f16,bf16,f32 assumed",
    "BatchMatMulV2": "nd TTUI>T T=f16,bf16,f32 U=f16,bf16,f32 I=i8 assumed",
    "BatchMatMulV3": (
        "nd TTUV>W columns f16,f16,f16,i8>f16 f16,f16,f32,i8>f16 f16,f16,f32,i8>f32 "
        "f32,f32,f32,i4>f32 bf16,bf16,f32,i8>bf16 bf16,bf16,f32,i8>f32"
    ),
    "BiasAdd": "nd TT>T T=f16,bf16,f32,i32,i64 assumed",
    "BiasAddGrad": "nd T>U T=bf16,f16,f32 U=f32",
    "BitwiseAnd": "shared TT>T T=i16,u16,i32,i64",
    "BitwiseOr": "shared TT>T T=i16,u16,i32,i64",
    "BitwiseXor": "shared TT>T T=i16,u16,i32,i64",
    "BroadcastTo": "nd TU>T T=i32,f32,f16,u32,bool,i64,bf16,i8,u8 U=i32,i64",
    "Cast": (
        "shared T>U T=f16,bf16,f32,bool,i8,u8,i32,i64 U=f16,bf16,f32,bool,i8,u8,i32,i64 assumed"
    ),
    "Ceil": "shared T>T T=f16,f32,bf16",
    "ClipByValue": "shared TTT>T T=bf16,f16,f32,i32,i64",
    "Concat": "concat UT>T U=i32 T=f16,bf16,f32,bool,i8,u8,i16,u16,i32,u32,i64,u64 assumed",
    "ConcatD": "concat T>T T=f16,bf16,f32,bool,i8,u8,i16,u16,i32,u32,i64,u64 assumed",
    "ConcatOffset": "nd TT>T T=i32",
    "ConcatV2": "concat TU>T T=f16,bf16,f32,bool,i8,u8,i16,u16,i32,u32,i64,u64 U=i32,i64 assumed",
    "Conv2D": "conv TTUI>T T=f16,bf16,f32 U=f16,bf16,f32 I=i8 assumed",
    "Conv2DBackpropFilter": "nd TUT>V T=f16,f32,bf16 U=i32 V=f32",
    "Conv2DBackpropFilterD": "nd TT>U T=f16,f32,bf16 U=f32",
    "Conv2DBackpropInput": "nd TUU>U T=i32,i64 U=f16,f32,bf16",
    "Conv2DBackpropInputD": (
        "nd TT>U columns f16,f16>f16 i8,i8>i32 bf16,bf16>bf16 f32,f32>f32 f16,f16>f32"
    ),
    "Conv2DTranspose": (
        "nd TUUVW>U columns i32,f16,f16,f16,i8>f16 i32,f32,f32,f32,i8>f32 "
        "i32,bf16,bf16,f32,i8>bf16 i64,f16,f16,f16,i8>f16 i64,f32,f32,f32,i8>f32 "
        "i64,bf16,bf16,f32,i8>bf16"
    ),
    "Conv2DTransposeD": (
        "nd TTUV>W columns f16,f16,f16,i8>f16 i4,i4,i32,i4>i32 i8,i8,i32,i8>i32 "
        "bf16,bf16,f32,i8>bf16 f32,f32,f32,i8>f32 f16,f16,f32,i8>f32"
    ),
    "Conv3D": (
        "nd TTUV>W columns f16,f16,f16,i8>f16 i8,i8,i32,i8>i32 bf16,bf16,f32,i8>bf16 "
        "f32,f32,f32,i8>f32"
    ),
    "Conv3DBackpropFilter": "nd TUT>V T=f16,bf16 U=i32 V=f32",
    "Conv3DBackpropInput": "nd TUU>U T=i32,i64 U=f16,bf16",
    "Conv3DTranspose": (
        "nd TUUVW>U columns i32,f16,f16,f16,i8>f16 i64,f16,f16,f16,i8>f16 "
        "i32,bf16,bf16,f32,i8>bf16 i64,bf16,bf16,f32,i8>bf16"
    ),
    "Conv3DV2": (
        "nd TTUVVW>X columns bf16,bf16,f32,f32,f32,i8>bf16 f32,f32,f32,f32,f32,i8>f32 "
        "f16,f16,f16,f32,f32,i8>f16 f16,f16,f32,f32,f32,i8>f16 i8,i8,f32,f32,f32,i8>bf16 "
        "i8,i8,bf16,f32,f32,i8>bf16 i8,i8,f32,f32,f32,i8>f16 i8,i8,f16,f32,f32,i8>f16"
    ),
    "Cos": "shared T>T T=f16,bf16,f32 assumed",
    "Cosh": "shared T>T T=f16,f32,bf16",
    "Cumsum": "nd TU>T T=i32,f32,f16,bf16 U=i32,i64",
    "DeepNorm": "nd TTTT>UUT T=f16,f32,bf16 U=f32",
    "DepthToSpace": "nd T>T T=f32,f16,i8,i16,i32,u8,u16,u32,u64,i64,bf16",
    "DepthwiseConv2D": "conv TTUI>T T=f16,bf16,f32 U=f16,bf16,f32 I=i8 assumed",
    "DequantSwigluQuant": (
        "nd TUUVUUW>XU columns bf16,f32,f32,f32,f32,f32,i64>i8,f32 "
        "f16,f32,f32,f32,f32,f32,i64>i8,f32 i32,f32,f32,f16,f32,f32,i64>i8,f32 "
        "i32,f32,f32,bf16,f32,f32,i64>i8,f32 i32,f32,f32,f32,f32,f32,i64>i8,f32 "
        "i32,f32,f32,i32,f32,f32,i64>i8,f32"
    ),
    "Dequantize": "nd TUU>U T=i8,u8,i32 U=f32",
    "Diag": "nd T>T T=i32,f16,f32",
    "Div": "shared TT>T T=bf16,f16,f32,i32,i8,u8",
    "DivNoNan": "shared TT>T T=bf16,f16,f32,i32,i8,u8",
    "DynamicQuant": "nd TTU>VW T=f16,bf16 U=i32 V=i8,i4 W=f32",
    "DynamicQuantV2": "nd TTU>VWW T=f16,bf16 U=i32 V=i8,i4 W=f32",
    "Eltwise": "shared T>T T=f16,f32,bf16",
    "Elu": "shared T>T T=f16,f32,bf16",
    "Equal": "shared TT>U T=bf16,f16,f32,i32,i8,u8,bool,i64 U=bool",
    "Erf": "shared T>T T=f16,f32,bf16",
    "Exp": "shared T>T T=f16,f32,bf16",
    "Expm1": "shared T>T T=f16,f32,bf16",
    "Eye": "nd >T T=f16,f32,i32,i16,i8,u8,bool,i64,bf16",
    "FFN": "nd TTTITTFFUUTTTT>T T=f16 I=i64 F=f32 U=u64 assumed",
    "FakeQuantWithMinMaxArgs": "shared T>T T=f32",
    "FastGelu": "shared T>T T=f16,f32,bf16",
    "Fill": "nd TU>U T=i32,i64 U=i32,i64,f32,f16,i8,bool,bf16",
    "FlashAttentionScore": (
        "nd TTTPBPMIIIIIFFFTTFF>FFTT T=f16,bf16,f32 P=f16,bf16,f32 B=u8 M=bool,u8 I=i64 "
        "F=f32 assumed"
    ),
    "FlashAttentionScoreGrad": (
        "nd TTTTPBPMFFPPIIIII>TTTP T=f16,bf16,f32 P=f16,bf16,f32 B=u8 M=bool,u8 I=i64 F=f32 assumed"
    ),
    "Floor": "shared T>T T=bf16,f16,f32",
    "FloorDiv": "shared TT>T T=f16,f32,i32,i8,u8,i64,bf16",
    "FloorMod": "shared TT>T T=f16,f32,i32,i64,bf16",
    "ForeachAbs": "nd T>T T=f16,f32,bf16 assumed",
    "ForeachAcos": "nd T>T T=f16,f32,bf16 assumed",
    "ForeachAddList": "nd TTU>T T=f16,f32,bf16,i32 U=f16,f32,i32 assumed",
    "ForeachAddScalar": "nd TU>T T=f16,f32,bf16,i32 U=f16,f32,i32 assumed",
    "ForeachAddScalarList": "nd TU>T T=f16,f32,bf16,i32 U=f32,i64 assumed",
    "ForeachAddcdivList": "nd TTTU>T T=f16,f32,bf16 U=f16,f32,bf16 assumed",
    "ForeachAddcdivScalar": "nd TTTU>T T=f16,f32,bf16 U=f16,f32 assumed",
    "ForeachAddcdivScalarList": "nd TTTU>T T=f16,f32,bf16 U=f16,f32,bf16 assumed",
    "ForeachAddcmulList": "nd TTTU>T T=f16,f32,bf16,i32 U=f16,f32,i32,bf16 assumed",
    "ForeachAddcmulScalar": "nd TTTU>T T=f16,f32,bf16,i32 U=f16,f32,i32 assumed",
    "ForeachAddcmulScalarList": "nd TTTU>T T=f16,f32,bf16,i32 U=f16,f32,i32,bf16 assumed",
    "ForeachAsin": "nd T>T T=f16,f32,bf16 assumed",
    "ForeachAtan": "nd T>T T=f16,f32,bf16 assumed",
    "ForeachCopy": "nd T>T T=f16,f32,bf16,i8,i16,i32,i64,u8,u16,u32,bool assumed",
    "ForeachCos": "nd T>T T=f16,f32,bf16 assumed",
    "ForeachCosh": "nd T>T T=f16,f32,bf16 assumed",
    "ForeachDivList": "nd TT>T T=f16,f32,bf16 assumed",
    "ForeachDivScalar": "nd TU>T T=f16,f32,bf16 U=f16,f32 assumed",
    "ForeachDivScalarList": "nd TU>T T=f16,f32,bf16 U=f32 assumed",
    "ForeachErf": "nd T>T T=f16,f32,bf16 assumed",
    "ForeachErfc": "nd T>T T=f16,f32,bf16 assumed",
    "ForeachExp": "nd T>T T=f16,f32,bf16 assumed",
    "ForeachExpm1": "nd T>T T=f16,f32,bf16 assumed",
    "ForeachLerpList": "nd TTT>T T=f16,f32,bf16 assumed",
    "ForeachLerpScalar": "nd TTU>T T=f16,f32,bf16 U=f32 assumed",
    "ForeachLog": "nd T>T T=f16,f32,bf16 assumed",
    "ForeachLog10": "nd T>T T=f16,f32,bf16 assumed",
    "ForeachLog1p": "nd T>T T=f16,f32,bf16 assumed",
    "ForeachLog2": "nd T>T T=f16,f32,bf16 assumed",
    "ForeachMaximumList": "nd TT>T T=f16,f32,bf16,i32 assumed",
    "ForeachMaximumScalar": "nd TU>T T=f16,f32,bf16,i32 U=f16,f32,i32 assumed",
    "ForeachMaximumScalarList": "nd TU>T T=f16,f32,bf16,i32 U=f32,i64 assumed",
    "ForeachMinimumList": "nd TT>T T=f16,f32,bf16,i32 assumed",
    "ForeachMinimumScalar": "nd TU>T T=f16,f32,bf16,i32 U=f16,f32,i32 assumed",
    "ForeachMinimumScalarList": "nd TU>T T=f16,f32,bf16,i32 U=f32,i64 assumed",
    "ForeachMulList": "nd TT>T T=f16,f32,bf16,i32 assumed",
    "ForeachMulScalar": "nd TU>T T=f16,f32,bf16,i32 U=f16,f32,i32 assumed",
    "ForeachMulScalarList": "nd TU>T T=f16,f32,bf16,i32 U=f32,i64 assumed",
    "ForeachNeg": "nd T>T T=f16,f32,bf16,i32 assumed",
    "ForeachNorm": "nd TU>T T=f16,f32,bf16 U=f32,i64 assumed",
    "ForeachPowList": "nd TT>T T=f16,f32,bf16,i32 assumed",
    "ForeachPowScalar": "nd TU>T T=f16,f32,bf16,i32 U=f32,i64 assumed",
    "ForeachPowScalarAndTensor": "nd UT>T U=f32,i64 T=f16,f32,bf16,i32 assumed",
    "ForeachPowScalarList": "nd TU>T T=f16,f32,bf16,i32 U=f32,i64 assumed",
    "ForeachReciprocal": "nd T>T T=f16,f32,bf16 assumed",
    "ForeachRoundOffNumber": "nd TU>T T=f16,f32,bf16 U=i8 assumed",
    "ForeachSigmoid": "nd T>T T=f16,f32,bf16 assumed",
    "ForeachSign": "nd T>T T=f16,f32,bf16,i8,i32,i64 assumed",
    "ForeachSin": "nd T>T T=f16,f32,bf16 assumed",
    "ForeachSinh": "nd T>T T=f16,f32,bf16 assumed",
    "ForeachSqrt": "nd T>T T=f16,f32,bf16 assumed",
    "ForeachSubList": "nd TTU>T T=f16,f32,bf16,i32 U=f16,f32,i32 assumed",
    "ForeachSubScalar": "nd TU>T T=f16,f32,bf16,i32 U=f16,f32,i32 assumed",
    "ForeachSubScalarList": "nd TU>T T=f16,f32,bf16,i32 U=f32,i64 assumed",
    "ForeachTan": "nd T>T T=f16,f32,bf16 assumed",
    "ForeachTanh": "nd T>T T=f16,f32,bf16 assumed",
    "FusedInferAttentionScore": (
        "nd TTTPMIIUFUEEAAJIIAAAATTITTTFBII>TF T=f16,bf16 P=f16,bf16 M=f16,bool,i8,u8 I=i64 "
        "U=u64 F=f32 E=bf16,f32 A=f16,bf16,f32 J=i32 B=bf16 assumed"
    ),
    "FusedMulAdd": "shared TTT>T T=f16,bf16,f32,i32 assumed",
    "FusedMulAddN": "nd TTT>T T=bf16,f16,f32,i32",
    "Gather": "nd TU>T T=i64,u64,u32,i32,f32,f16,bf16,i8,u8,i16,u16 U=i32,i64",
    "GatherElements": "nd TU>T T=f16,bf16,f32,i8,u8,i32,u32,i16,u16,i64,u64 U=i32,i64",
    "GatherNd": "nd TU>T T=i64,i32,f32,f16,i8,u8,bool,bf16 U=i32,i64",
    "GatherV2": (
        "nd TUV>T T=f16,bf16,f32,bool,i8,u8,i16,u16,i32,u32,i64,u64 U=i32,i64 V=i32,i64 assumed"
    ),
    "GeGluV2": "nd T>TT T=f16,bf16,f32",
    "Gelu": "shared T>T T=bf16,f16,f32",
    "GeluGrad": "nd TTT>T T=f16,f32,bf16",
    "GeluV2": "shared T>T T=bf16,f16,f32",
    "Greater": "shared TT>U T=f16,f32,i32,i8,u8,i64,bf16 U=bool",
    "GreaterEqual": "shared TT>U T=bf16,f16,f32,i32,i8,u8,i64 U=bool",
    "GridSample": "nd TT>T T=f16,f32,bf16",
    "GroupNormSilu": (
        "nd TUU>TTT columns f16,f16,f16>f16,f16,f16 f32,f32,f32>f32,f32,f32 "
        "bf16,bf16,bf16>bf16,bf16,bf16 f16,f32,f32>f16,f16,f16 bf16,f32,f32>bf16,bf16,bf16"
    ),
    "HardSigmoid": "shared T>T T=f16,f32,i32,bf16",
    "HardSwish": "shared T>T T=f16,f32,bf16",
    "IncreFlashAttention": (
        "nd TTTPMIUFUFFHHJI>T T=f16,bf16 P=f16,bf16 M=f16,bool,i8,u8 I=i64 U=u64,f32 F=f32 "
        "H=f16 J=i32 assumed"
    ),
    "Index": "nd TUUV>T T=f32,f16,bf16,i64,i32,bool,u8,i8 U=i64 V=i64,i32",
    "IndexPutV2": "nd TTUUV>T T=f32,u8,i64,bool,f16,i32,i8,bf16 U=i64 V=i64,bool,i32",
    "InstanceNorm": "nd TTT>TTT T=f16,f32",
    "InterleaveRope": "nd TTT>T T=f16,bf16",
    "Invert": "shared T>T T=i16,u16",
    "Iou": "nd TT>T T=f16,f32",
    "IsFinite": "shared T>U T=f16,f32,bf16 U=bool",
    "IsInf": "shared T>U T=f16,f32,bf16 U=bool",
    "IsNan": "shared T>U T=f16,bf16,f32 U=bool",
    "KvRmsNormRopeCache": "nd TTTTITTFFFFT>TTTT T=f16,f32,bf16 I=i64 F=f32 assumed",
    "L2Normalize": "nd T>T T=f16,f32",
    "LRN": "nd T>T T=f16,f32",
    "LayerNorm": "nd TTT>TTT T=f16,bf16,f32 assumed",
    "LayerNormGrad": "nd TTTTT>TTT T=f16,f32",
    "LayerNormV4": (
        "nd TUVV>TWW columns f32,i32,f32,f32>f32,f32,f32 f16,i32,f32,f32>f16,f32,f32 "
        "f16,i32,f16,f16>f16,f32,f32 bf16,i32,f32,f32>bf16,f32,f32 "
        "bf16,i32,bf16,bf16>bf16,f32,f32"
    ),
    "LeakyRelu": "shared T>T T=f16,f32,bf16",
    "Lerp": "nd TTT>T T=f16,f32,bf16",
    "Less": "shared TT>U T=bf16,f16,f32,i32,i8,u8,i64 U=bool",
    "LessEqual": "shared TT>U T=bf16,f16,f32,i32,i8,u8,i64 U=bool",
    "LinSpace": "nd TTU>T T=i8,u8,i16,i32,f32,f16,bf16 U=i32,i64",
    "Log": "shared T>T T=bf16,f16,f32",
    "Log1p": "shared T>T T=bf16,f16,f32",
    "LogSoftmaxV2": "nd T>T T=f16,f32,bf16",
    "LogicalAnd": "shared TT>T T=bool",
    "LogicalNot": "shared T>T T=bool",
    "LogicalOr": "shared TT>T T=bool",
    "LpNorm": "nd T>T T=f16,f32",
    "MaskedFill": "nd TUT>T T=bf16,f16,f32,i8,i32,bool U=bool",
    "MaskedSoftmaxWithRelPosBias": "nd TTT>T T=f16,bf16,f32",
    "MatMul": "nd TTU>T T=f16,bf16,f32 U=f16,bf16,f32 assumed",
    "MatMulV2": "nd TTUI>T T=f16,bf16,f32 U=f16,bf16,f32 I=i8 assumed",
    "MatMulV3": (
        "nd TTUV>T columns f16,f16,f16,i8>f16 f16,f16,f32,i8>f16 f32,f32,f32,i4>f32 "
        "bf16,bf16,f32,i8>bf16"
    ),
    "MatmulReduceScatter": "nd TTT>T T=f16,bf16",
    "MaxPool": "pool T>T T=f16,bf16,f32 assumed",
    "MaxPoolGradWithArgmax": "nd TTU>T T=f16 U=u16,i64",
    "MaxPoolV3": "pool T>T T=f16,bf16,f32 assumed",
    "MaxPoolWithArgmax": "nd T>TU T=f16 U=u16",
    "Maximum": "shared TT>T T=bf16,f16,f32,i32,i8,i64",
    "Minimum": "shared TT>T T=f16,f32,i64,i32,i8,bf16",
    "MirrorPad": "nd TU>T T=bf16,f16,f32,i32,u32,i16,u16,i64 U=i32,i64",
    "Mish": "shared T>T T=f16,f32,bf16",
    "Mod": "shared TT>T T=f16,f32,i32,i8,u8,bf16",
    "MoeComputeExpertTokens": "nd T>T T=i32",
    "MoeFinalizeRouting": "nd TTTTTUU>T T=f16,f32,bf16 U=i32",
    "MoeFinalizeRoutingV2": (
        "nd TUTTTVU>T columns f16,i32,f16,f16,f16,f16,i32>f16 "
        "f32,i32,f32,f32,f32,f32,i32>f32 bf16,i32,bf16,bf16,bf16,bf16,i32>bf16 "
        "bf16,i32,bf16,bf16,bf16,f32,i32>bf16"
    ),
    "MoeGatingTopK": "nd TT>TUV T=f16,f32,bf16 U=i32 V=f32",
    "MoeGatingTopKSoftmax": "nd TU>TVV T=f16,f32,bf16 U=bool V=i32",
    "MoeGatingTopKSoftmaxV2": "nd TU>TVW T=f16,f32,bf16 U=bool V=i32 W=f32",
    "MoeInitRouting": "nd TUU>TUU T=f16,bf16,f32 U=i32",
    "MoeInitRoutingV3": (
        "nd TUVV>WUXV columns i8,i32,f32,f32>i8,i32,i64,f32 f16,i32,f32,f32>f16,i32,i64,f32 "
        "f16,i32,f32,f32>i8,i32,i64,f32 bf16,i32,f32,f32>bf16,i32,i64,f32 "
        "bf16,i32,f32,f32>i8,i32,i64,f32 f32,i32,f32,f32>f32,i32,i64,f32 "
        "f32,i32,f32,f32>i8,i32,i64,f32 assumed"
    ),
    "MseLoss": "nd TT>T T=f16,f32,bf16",
    "Mul": "shared TT>T T=f16,bf16,f32,i8,u8,i32,i64 assumed",
    "Muls": "shared T>T T=bf16,f16,f32,i32,i64,c32,c64",
    "NLLLoss": "nd TUT>TT T=f32,bf16 U=i32,i64",
    "NPUAllocFloatStatus": "nd >T T=f32",
    "Neg": "shared T>T T=bf16,f16,f32,i32,i64,i8",
    "NonZero": "nd T>U T=f32,bool,i8,u8,f16,bf16 U=i32,i64",
    "NotEqual": "shared TT>U T=f16,f32,i32,i8,u8,bool,i64,bf16 U=bool",
    "OneHot": "nd TUVV>V T=i32,i64 U=i32,i64 V=f16,f32,i32,i64",
    "OnesLike": "nd T>T T=f16,f32,i32,i8,u8,bf16,bool",
    "PRelu": "nd TT>T T=f16,bf16,f32 assumed",
    "Pack": "nd T>T T=f16,bf16,f32,bool,i8,u8,i16,u16,i32,u32,i64,u64 assumed",
    "Pad": "nd TU>T T=bf16,f16,f32,i32,i16,u16,i8,i64 U=i32,i64",
    "PadD": "nd T>T T=f16,bf16,f32,i32,i64 assumed",
    "PadV3": "nd TUT>T T=f16,bf16,f32,i32,i64 U=i32,i64 assumed",
    "Pow": "shared TT>T T=bf16,f16,f32,i32,i8,u8",
    "PromptFlashAttention": (
        "nd TTTPMIIUFUFF>T T=f16,bf16 P=f16,bf16 M=f16,bool,i8,u8 I=i64 U=u64 F=f32 assumed"
    ),
    "QuantBatchMatmul": "nd TTUV>W T=i8 U=i32 V=u64 W=f16",
    "QuantConv2D": "nd TTUVW>X T=i8 U=u64,i64 V=i32 W=f32 X=f16",
    "ROIAlign": "nd TTU>T T=f16,f32 U=i32",
    "RealDiv": "shared TT>T T=f16,bf16,f32 assumed",
    "Reciprocal": "shared T>T T=f16,bf16,f32 assumed",
    "ReduceAll": "nd TU>T T=bool U=i32,i64",
    "ReduceAllD": "nd T>T T=bool",
    "ReduceAny": "nd TU>T T=bool U=i32,i64",
    "ReduceAnyD": "nd T>T T=bool",
    "ReduceLogSumExp": "nd TU>T T=f16,f32 U=i64,i32",
    "ReduceMax": "reduce TU>T T=f16,f32,u8,i32,i64,bf16,i8 U=i32,i64",
    "ReduceMaxD": "reduce T>T T=f32,f16,i8,u8,bool,i32,bf16",
    "ReduceMean": "reduce TU>T T=f16,f32,bf16 U=i32,i64",
    "ReduceMeanD": "reduce T>T T=bf16,f16,f32",
    "ReduceMin": "reduce TU>T T=f16,f32,u8,i32,i64,bf16,i8 U=i32,i64",
    "ReduceMinD": "reduce T>T T=f16,f32,i8,u8,i32,bf16",
    "ReduceProd": "reduce TU>T T=f16,f32,i8,u8,i64,bf16,i32 U=i32,i64",
    "ReduceProdD": "reduce T>T T=f16,f32,i8,u8,bf16,i32",
    "ReduceSum": "reduce TU>T T=f16,f32,i32,i64,bf16 U=i32,i64",
    "ReduceSumD": "reduce T>T T=bf16,f16,f32",
    "Relu": "shared T>T T=f16,f32,i32,i8,bf16,i64",
    "Relu6": "shared T>T T=f16,f32,i32,bf16",
    "ReluGrad": "shared TT>T T=f16,f32,i32,i8,u8,bf16,i64",
    "ResizeBilinearV2": "nd TU>V columns f16,i32>f32 f32,i32>f32 f16,i32>f16",
    "ResizeNearestNeighborV2": "nd TU>T T=f16,f32,bf16 U=i32",
    "ReverseV2": "nd TU>T T=bf16,f16,f32,i32,i16,u16,i64 U=i32,i64",
    "Rint": "shared T>T T=f16,f32,bf16",
    "RmsNorm": (
        "nd TU>TV columns f16,f32>f16,f32 bf16,f32>bf16,f32 f16,f16>f16,f32 f32,f32>f32,f32 "
        "bf16,bf16>bf16,f32"
    ),
    "RmsNormGrad": (
        "nd TTUV>TU columns f16,f16,f32,f32>f16,f32 bf16,bf16,f32,f32>bf16,f32 "
        "f16,f16,f32,f16>f16,f32 f32,f32,f32,f32>f32,f32 bf16,bf16,f32,bf16>bf16,f32"
    ),
    "Roll": "nd T>T T=f32,f16,i32,u32,i8,u8,bf16,i64",
    "RotaryMul": "nd TTT>T T=f16,f32,bf16",
    "RotaryPositionEmbedding": "nd TTT>T T=f16,f32,bf16",
    "Round": "shared T>T T=bf16,f16,f32,i32",
    "Rsqrt": "shared T>T T=f16,f32,bf16",
    "SGD": "nd TTTTTT>T T=f16,f32,bf16",
    "ScaledMaskedSoftmax": "nd TU>T T=f16,f32,bf16 U=bool",
    "ScatterElements": "nd TUT>T T=f16,f32,i32,i8,u8,bf16 U=i32,i64",
    "ScatterNd": "nd TUV>U T=i32,i64 U=f32,f16,i32 V=i32,i64",
    "ScatterNdUpdate": "nd TUT>T T=f16,f32,bool,bf16,i64,i8 U=i32,i64",
    "ScatterUpdate": "nd TUT>T T=f16,f32,bf16,i32,i64 U=i32,i64",
    "Select": "nd UTT>T U=bool T=f16,bf16,f32,i8,u8,i32 assumed",
    "SelectV2": "nd TUU>U T=bool U=bf16,f16,f32,i32,i8,u8,i64",
    "Selu": "shared T>T T=f16,f32,i32,i8,bf16",
    "Sigmoid": "shared T>T T=bf16,f16,f32",
    "SigmoidCrossEntropyWithLogits": "nd TT>T T=f16,f32,bf16",
    "SigmoidGrad": "nd TT>T T=f16,f32,bf16",
    "Sign": "shared T>T T=bf16,f16,f32,i32",
    "Sin": "shared T>T T=f16,f32,bf16",
    "Sinh": "shared T>T T=f16,f32,bf16",
    "Slice": "nd TUU>T T=f16,bf16,f32,bool,i8,u8,i16,u16,i32,u32,i64,u64 U=i32,i64 assumed",
    "SliceD": "nd T>T T=f16,bf16,f32,bool,i8,u8,i16,u16,i32,u32,i64,u64 assumed",
    "SmoothL1Loss": "nd TT>T T=f16,f32,bf16",
    "SoftmaxCrossEntropyWithLogits": "nd TT>TT T=f16,bf16,f32",
    "SoftmaxV2": "nd T>T T=f16,bf16,f32 assumed",
    "Softplus": "shared T>T T=bf16,f16,f32",
    "Softsign": "shared T>T T=bf16,f16,f32",
    "Split": "nd TU>U T=i32 U=f16,f32,i8,i16,i32,i64,u8,u16,u32,u64,bool,bf16",
    "SplitD": "nd T>T T=f16,bf16,f32,bool,i8,u8,i16,u16,i32,u32,i64,u64 assumed",
    "SplitV": "nd TUV>T T=f16,bf16,f32,bool,i8,u8,i16,u16,i32,u32,i64,u64 U=i32,i64 V=i32 assumed",
    "Sqrt": "shared T>T T=f16,f32,bf16",
    "Square": "shared T>T T=f16,f32,i32,i64,bf16",
    "SquaredDifference": "shared TT>T T=bf16,f16,f32,i32,i64",
    "StridedSlice": "nd TUUU>T T=f16,f32,i32,u8,bool,i8,i64,i16,u16,u32,u64,bf16,c32,c64 U=i32,i64",
    "StridedSliceD": "nd T>T T=f16,bf16,f32,bool,i8,u8,i16,u16,i32,u32,i64,u64 assumed",
    "StridedSliceGrad": "nd TTTTU>U T=i32,i64 U=bf16,f16,f32,i32",
    "Sub": "shared TT>T T=bf16,f16,f32,i32,i64,c32,c64,u8,i8,bool",
    "SwiGlu": "nd T>T T=f16,f32,bf16",
    "SwiGluGrad": "nd TT>T T=f16,f32,bf16",
    "Swish": "shared T>T T=f16,f32,bf16",
    "Tan": "shared T>T T=bf16,f16,f32,i32",
    "Tanh": "shared T>T T=f16,f32,bf16",
    "TanhGrad": "nd TT>T T=f16,f32,bf16",
    "Tile": "nd TU>T T=i32,f32,f16,bool,i64,bf16,i8,u8,i16,u16,u32,u64,c64 U=i32,i64",
    "TileD": "nd T>T T=f16,bf16,f32,bool,i8,u8,i16,u16,i32,u32,i64,u64 assumed",
    "TopKV2": "nd TU>TU T=f16,f32,bf16 U=i32",
    "TransData": "transdata T>T T=f16,bf16,f32,i16,u16,i32,u32,i8,u8 assumed",
    "TransDataRNN": "nd T>T T=f16,f32",
    "TransQuantParamV2": "nd TT>U T=f32 U=u64",
    "Transpose": "nd TU>T T=f16,f32,i8,i16,i32,i64,u8,u16,u32,u64,bool,bf16 U=i32,i64",
    "TransposeBatchMatMul": (
        "nd TTUV>W columns f16,f16,f16,i64>f16 f16,f16,f32,i64>f16 f32,f32,f32,i64>f32 "
        "bf16,bf16,f32,i64>bf16 bf16,bf16,bf16,i64>bf16 f16,f16,f16,i64>i8 "
        "f16,f16,f16,u64>i8"
    ),
    "TransposeD": "nd T>T T=f16,f32,i8,i16,i32,i64,u8,u16,u32,u64,bool,bf16",
    "Tril": "nd T>T T=bf16,f16,f32,f64,u8,i8,u16,i16,u32,i32,u64,i64,bool",
    "Triu": "nd T>T T=bf16,f16,f32,f64,u8,i8,u16,i16,u32,i32,u64,i64,bool",
    "TruncateDiv": "shared TT>T T=bf16,f16,f32,i32,i8,u8",
    "Unpack": "nd T>T T=f16,bf16,f32,bool,i8,u8,i16,u16,i32,u32,i64,u64 assumed",
    "Xlogy": "shared TT>T T=bf16,f16,f32",
    "ZerosLike": "nd T>T T=bf16,f16,f32,i32,i8,u8,bool,i64",
}
