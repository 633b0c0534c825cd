"""Examples of every core operator: inputs, attributes and the types its rule gives.

A type is written as in the text form ("2x?x3xf32", "f32" for a scalar, "*xf32" for unknown rank);
a numpy array is a constant; None an absent input; a list the values of a dynamic input.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ge_dialect.dtypes import from_numpy, to_xdsl
from ge_dialect.ir.build import build, const
from ge_dialect.ir.graph import new_graph
from ge_dialect.ir.types import ref_type, tensor_type

ELEMS = {
    "f8": "float8_e4m3fn",
    "f16": "float16",
    "bf16": "bfloat16",
    "f32": "float32",
    "f64": "float64",
    "i1": "bool",
    "i4": "int4",
    "i8": "int8",
    "i16": "int16",
    "i32": "int32",
    "i64": "int64",
    "ui8": "uint8",
    "ui64": "uint64",
    "qi8": "qint8",
    "qui8": "quint8",
    "c64": "complex64",
    "c128": "complex128",
    "str": "string",
}


class Sample(NamedTuple):
    """One call of an operator and the result types, or the code of the refusal."""

    op: str
    inputs: Sequence[Any]
    attrs: dict[str, Any]
    want: Any

    @property
    def label(self) -> str:
        """Name of the test."""
        texts = ["const" if isinstance(i, np.ndarray) else str(i) for i in self.inputs]
        return f"{self.op}({', '.join(texts)})" + (f" {self.attrs}" if self.attrs else "")


def type_of(text: str) -> Any:
    """Read "2x?xf32", "f32", "*xf32", or "&2xf32" for a ref."""
    if text.startswith("&"):
        return ref_type(type_of(text[1:]))
    *dims, elem = text.split("x")
    shape = None if dims == ["*"] else tuple(-1 if d == "?" else int(d) for d in dims)
    return tensor_type(shape, to_xdsl(ELEMS[elem]))


def ints(*values: int, dtype: Any = np.int64) -> np.ndarray:
    """A constant vector of integers."""
    return np.array(values, dtype)


def scalar(value: int, dtype: Any = np.int64) -> np.ndarray:
    """A constant scalar."""
    return np.array(value, dtype)


def place(sample: Sample, types: Any = type_of) -> tuple[Any, Any]:
    """A graph whose arguments are the sample's inputs, and the node; results inferred."""
    arg_types: list[Any] = []

    def count(item: Any) -> None:
        if isinstance(item, str):
            arg_types.append(types(item))

    for item in sample.inputs:
        for one in item if isinstance(item, list) else [item]:
            count(one)
    graph = new_graph("g", arg_types)
    args = iter(graph.body.args)

    def value(item: Any) -> Any:
        if item is None:
            return None
        if isinstance(item, str):
            return next(args)
        made = const(item, elem=from_numpy(item.dtype))
        graph.body.add_op(made)
        return made.results[0]

    inputs = [[value(i) for i in x] if isinstance(x, list) else value(x) for x in sample.inputs]
    node = build(sample.op, [inputs[0]] if _solo(sample) else inputs, sample.attrs, name="n")
    graph.body.add_op(node)
    graph.body.add_op(build("NetOutput", [list(node.ge_data_results)]))
    return graph, node


def _solo(sample: Sample) -> bool:
    return len(sample.inputs) == 1 and isinstance(sample.inputs[0], list)


def _unary() -> list[Sample]:
    real = (
        "Acos Asin Atan Ceil Cos Cosh Erf Exp Expm1 Floor Log Log1p Neg OnesLike Reciprocal Rint "
        "Round Rsqrt Sign Sin Sinh Sqrt Square Tan ZerosLike Abs Elu Gelu GeluV2 HardSigmoid "
        "HardSwish LeakyRelu LogSoftmaxV2 Mish Relu Relu6 Selu Sigmoid SoftmaxV2 Softplus Softsign "
        "Swish Tanh Identity"
    ).split()
    out = [Sample(op, ["2x?x3xf32"], {}, ["2x?x3xf32"]) for op in real]
    out += [Sample(op, ["2x3xf16"], {}, ["2x3xf16"]) for op in real]
    out += [Sample(op, ["2x3xf32"], {}, ["2x3xi1"]) for op in ("IsFinite", "IsInf", "IsNan")]
    out += [Sample(op, ["3xf32"], {"value": 2.0}, ["3xf32"]) for op in ("Adds", "Muls")]
    out += [
        Sample("Invert", ["2xi32"], {}, ["2xi32"]),
        Sample("LogicalNot", ["2xi1"], {}, ["2xi1"]),
        Sample("Cast", ["2x?xf32"], {"dst_type": 1}, ["2x?xf16"]),
        Sample("Cast", ["*xi32"], {"dst_type": 12}, ["*xi1"]),
        Sample("ClipByValue", ["2x3xf32", "f32", "1xf32"], {}, ["2x3xf32"]),
        Sample("SoftmaxV2", ["2x3xf16"], {"half_to_float": True, "axes": [0, 1]}, ["2x3xf32"]),
        Sample("PRelu", ["2x3x4xf32", "3xf32"], {}, ["2x3x4xf32"]),
        Sample("PRelu", ["2x3x4xf32", "1xf32"], {}, ["2x3x4xf32"]),
        Sample("PRelu", ["2x3x4xf32", "3x1xf32"], {}, ["2x3x4xf32"]),
    ]
    return out


def _binary() -> list[Sample]:
    both = (
        "Add Sub Mul RealDiv Div DivNoNan FloorDiv FloorMod Mod TruncateDiv Maximum Minimum Pow "
        "SquaredDifference"
    ).split()
    out = [Sample(op, ["2x1x4xf32", "3x1xf32"], {}, ["2x3x4xf32"]) for op in both]
    out += [Sample(op, ["?x4xf16", "4xf16"], {}, ["?x4xf16"]) for op in both]
    compare = "Equal NotEqual Greater GreaterEqual Less LessEqual".split()
    out += [Sample(op, ["2x1xf32", "3xf32"], {}, ["2x3xi1"]) for op in compare]
    out += [Sample(op, ["2x1xi1", "3xi1"], {}, ["2x3xi1"]) for op in ("LogicalAnd", "LogicalOr")]
    bits = ("BitwiseAnd", "BitwiseOr", "BitwiseXor")
    out += [Sample(op, ["2x1xi32", "3xi32"], {}, ["2x3xi32"]) for op in bits]
    out += [
        Sample("Mul", ["2xf16", "2xf32"], {}, ["2xf32"]),
        Sample("Pow", ["2xf16", "i64"], {}, ["2xf16"]),
        Sample("Mul", ["2xf16", "2xbf16"], {}, ["2xf32"]),
        Sample("Axpy", ["2x1xf32", "3xf32"], {"alpha": 0.5}, ["2x3xf32"]),
        Sample("AddN", [["2x?xf32", "?x3xf32"]], {"N": 2}, ["2x3xf32"]),
        Sample("AddN", [["2x3xf32"] * 3], {"N": 3}, ["2x3xf32"]),
        Sample("AccumulateNV2", [["2x3xf32"] * 2], {"N": 2}, ["2x3xf32"]),
        Sample("FusedMulAdd", ["2x1xf32", "3xf32", "f32"], {}, ["2x3xf32"]),
        Sample("Select", ["2x3xi1", "2x3xf32", "2x3xf32"], {}, ["2x3xf32"]),
        Sample("Select", ["2xi1", "?x3xf32", "?x3xf32"], {}, ["2x3xf32"]),
        Sample("Select", ["i1", "2x3xf32", "2x3xf32"], {}, ["2x3xf32"]),
        Sample("SelectV2", ["2x1xi1", "3xf32", "f32"], {}, ["2x3xf32"]),
        Sample("BroadcastTo", ["3x1xf32", ints(2, 3, 4)], {}, ["2x3x4xf32"]),
        Sample("BroadcastTo", ["3xf32", "2xi64"], {}, ["?x3xf32"]),
        Sample("BroadcastTo", ["3xf32", "?xi64"], {}, ["*xf32"]),
        Sample("BiasAdd", ["2x3x4xf32", "4xf32"], {}, ["2x3x4xf32"]),
        Sample("BiasAdd", ["2x?x4xf32", "3xf32"], {"data_format": "NCHW"}, ["2x3x4xf32"]),
    ]
    return out


_NCHW = {"data_format": "NCHW"}
_CONV = {"strides": [1, 1, 2, 2], "pads": [1, 1, 1, 1], **_NCHW}
_POOL = {"ksize": [1, 1, 3, 3], "strides": [1, 1, 2, 2]}
_POOL_NHWC = {"ksize": [1, 3, 3, 1], "strides": [1, 2, 2, 1]}


def _images() -> list[Sample]:
    x = "2x4x9x9xf32"
    out = [
        Sample("Conv2D", [x, "8x4x3x3xf32"], _CONV, ["2x8x5x5xf32"]),
        Sample("Conv2D", [x, "8x2x3x3xf32", "8xf32"], {**_CONV, "groups": 2}, ["2x8x5x5xf32"]),
        Sample("Conv2D", ["?x4x?x9xf16", "8x4x3x3xf16"], _CONV, ["?x8x?x5xf16"]),
        Sample("Conv2D", ["*xf16", "8x4x3x3xf16"], _CONV, ["?x8x?x?xf16"]),
        Sample("Conv2D", ["2x4x9x9xi8", "8x4x3x3xi8"], _CONV, ["2x8x5x5xi32"]),
        Sample(
            "Conv2D",
            ["2x9x9x4xf32", "3x3x4x8xf32"],
            {"strides": [1, 2, 2, 1], "pads": [0, 0, 1, 1], "dilations": [1, 2, 2, 1]},
            ["2x3x4x8xf32"],
        ),
        Sample("DepthwiseConv2D", [x, "8x1x3x3xf32", "8xf32"], _CONV, ["2x8x5x5xf32"]),
        Sample(
            "DepthwiseConv2D",
            ["2x9x9x4xf16", "3x3x4x2xf16"],
            {"strides": [1, 1, 1, 1], "pads": [0, 0, 0, 0]},
            ["2x7x7x8xf16"],
        ),
    ]
    for op in ("MaxPool", "AvgPool"):
        out += [
            Sample(op, ["2x9x9x4xf32"], {**_POOL_NHWC, "padding": "SAME"}, ["2x5x5x4xf32"]),
            Sample(op, ["2x8x8x4xf32"], {**_POOL_NHWC, "padding": "VALID"}, ["2x3x3x4xf32"]),
            Sample(op, ["?x4x9x?xf32"], {**_POOL, "padding": "SAME", **_NCHW}, ["?x4x5x?xf32"]),
        ]
    for op in ("MaxPoolV3", "AvgPoolV2"):
        out += [
            Sample(op, ["2x4x8x8xf32"], {**_POOL, "pads": [1, 1, 1, 1]}, ["2x4x4x4xf32"]),
            Sample(op, ["2x4x8x8xf32"], {**_POOL, "ceil_mode": True}, ["2x4x4x4xf32"]),
            Sample(op, ["2x4x8x8xf32"], {**_POOL, "padding_mode": "VALID"}, ["2x4x3x3xf32"]),
            Sample(op, ["2x4x8x8xf16"], {**_POOL, "padding_mode": "SAME"}, ["2x4x4x4xf16"]),
            Sample(op, ["2x4x?x8xf32"], {**_POOL, "global_pooling": True}, ["2x4x1x1xf32"]),
        ]
    c = ["4xf32"] * 4
    out += [
        Sample("GlobalAveragePool", [x], {}, ["2x4x1x1xf32"]),
        Sample(
            "BatchNorm",
            ["2x4x3x3xf16", *c],
            {"is_training": False, **_NCHW},
            ["2x4x3x3xf16", *["4xf32"] * 5],
        ),
        Sample("BatchNorm", ["2x3x3x4xf32", *c[:2]], {}, ["2x3x3x4xf32", *["4xf32"] * 5]),
        Sample("BNInfer", ["2x4x3x3xf16", *c], {"epsilon": 1e-5}, ["2x4x3x3xf16"]),
        Sample("BNInfer", ["2x?x3x3xf32", *c], {"epsilon": 1e-5}, ["2x4x3x3xf32"]),
        Sample("LRN", [x], {"depth_radius": 2, "alpha": 1e-4, "beta": 0.75}, [x]),
    ]
    return out


def _matrices() -> list[Sample]:
    out = []
    for op in ("MatMul", "MatMulV2"):
        out += [
            Sample(op, ["2x3xf32", "3x4xf32"], {}, ["2x4xf32"]),
            Sample(op, ["2x3xf16", "4x3xf16", "4xf16"], {"transpose_x2": True}, ["2x4xf16"]),
            Sample(op, ["?x2xf32", "?x4xf32"], {"transpose_x1": True}, ["2x4xf32"]),
            Sample(op, ["*xf32", "3x4xf32"], {}, ["?x4xf32"]),
        ]
    for op in ("BatchMatMul", "BatchMatMulV2"):
        out += [
            Sample(op, ["5x1x2x3xf32", "4x3x4xf32"], {}, ["5x4x2x4xf32"]),
            Sample(op, ["?x3x2xf32", "3x4xf32"], {"adj_x1": True}, ["?x2x4xf32"]),
        ]
    out += [
        Sample("MatMulV2", ["2x3xi8", "3x4xi8"], {}, ["2x4xi32"]),
        Sample("BatchMatMulV2", ["5x2x3xf32", "3x4xf32", "4xf32"], {}, ["5x2x4xf32"]),
    ]
    return out


def _reductions() -> list[Sample]:
    out = []
    for kind in ("Sum", "Mean", "Max", "Min", "Prod"):
        op = f"Reduce{kind}"
        out += [
            Sample(op, ["2x3x4xf32", ints(0, -1)], {}, ["3xf32"]),
            Sample(op, ["2x3x4xf32", scalar(1, np.int32)], {"keep_dims": True}, ["2x1x4xf32"]),
            Sample(op, ["2x3xf32", ints()], {}, ["2x3xf32"]),
            Sample(op, ["2x3xf32", ints()], {"noop_with_empty_axes": False}, ["f32"]),
            Sample(op, ["2x3x4xf32", "1xi64"], {}, ["?x?xf32"]),
            Sample(op, ["2x3x4xf32", "1xi64"], {"keep_dims": True}, ["?x?x?xf32"]),
            Sample(f"{op}D", ["2x?x4xf32"], {"axes": [2]}, ["2x?xf32"]),
            Sample(f"{op}D", ["2x3xf32"], {"axes": []}, ["f32"]),
        ]
    for kind in ("All", "Any"):
        op = f"Reduce{kind}"
        out += [
            Sample(op, ["2x3xi1", ints(1)], {}, ["2xi1"]),
            Sample(op, ["2x3xf32", ints(1)], {"keep_dims": True}, ["2x1xi1"]),
            Sample(f"{op}D", ["2x3xi1"], {"axes": [0]}, ["3xi1"]),
        ]
    return out


def _shapes() -> list[Sample]:
    return [
        Sample("Reshape", ["2x3x4xf32", ints(0, -1)], {}, ["2x12xf32"]),
        Sample("Reshape", ["?x3x4xf32", ints(0, -1)], {}, ["?x12xf32"]),
        Sample("Reshape", ["2x3x4xf32", "2xi64"], {}, ["?x?xf32"]),
        Sample("Reshape", ["2x3x4xf32", ints(-1)], {"axis": 1, "num_axes": 2}, ["2x12xf32"]),
        Sample("Reshape", ["1xf32", ints()], {}, ["f32"]),
        Sample("Squeeze", ["1x3x1xf32"], {}, ["3xf32"]),
        Sample("Squeeze", ["1x3x1xf32"], {"axis": [-1]}, ["1x3xf32"]),
        Sample("Squeeze", ["?x3xf32"], {}, ["*xf32"]),
        Sample("SqueezeV3", ["1x3x1xf32"], {}, ["3xf32"]),
        Sample("SqueezeV3", ["1x3x1xf32", ints(0)], {}, ["3x1xf32"]),
        Sample("SqueezeV3", ["1x3x1xf32", "2xi64"], {}, ["?xf32"]),
        Sample("Unsqueeze", ["3xf32"], {"axes": [2, 0]}, ["1x3x1xf32"]),
        Sample("UnsqueezeV3", ["3xf32", ints(-1)], {}, ["3x1xf32"]),
        Sample("UnsqueezeV3", ["3xf32", "2xi64"], {}, ["?x?x?xf32"]),
        Sample("ExpandDims", ["3xf32", scalar(-1, np.int32)], {}, ["3x1xf32"]),
        Sample("ExpandDims", ["3xf32", "i32"], {}, ["?x?xf32"]),
        Sample("Flatten", ["2x3x4xf32"], {}, ["2x12xf32"]),
        Sample("Flatten", ["2x3x4xf32"], {"axis": 3}, ["24x1xf32"]),
        Sample("Flatten", ["2x?x4xf32"], {"axis": -1}, ["?x4xf32"]),
        Sample("Shape", ["2x?xf32"], {}, ["2xi32"]),
        Sample("Shape", ["*xf32"], {"dtype": 9}, ["?xi64"]),
        Sample("Size", ["2x3xf32"], {}, ["i32"]),
        Sample("Rank", ["2x3xf32"], {}, ["i32"]),
        Sample("Transpose", ["2x3x4xf32", ints(2, 0, 1)], {}, ["4x2x3xf32"]),
        Sample("Transpose", ["2x3xf32", "2xi64"], {}, ["?x?xf32"]),
        Sample("TransposeD", ["2x?x4xf32"], {"perm": [1, 2, 0]}, ["?x4x2xf32"]),
        Sample("TransposeD", ["*xf32"], {"perm": [1, 0]}, ["?x?xf32"]),
    ]


def _movement() -> list[Sample]:
    two, pads = ["2x3xf32", "2x4xf32"], np.array([[1, 2], [0, 1]])
    return [
        Sample("Concat", [scalar(1, np.int32), two], {"N": 2}, ["2x7xf32"]),
        Sample("ConcatV2", [two, scalar(-1)], {"N": 2}, ["2x7xf32"]),
        Sample("ConcatV2", [two, "i64"], {"N": 2}, ["?x?xf32"]),
        Sample("ConcatD", [two], {"N": 2, "concat_dim": 1}, ["2x7xf32"]),
        Sample("ConcatD", [["?x3xf32", "2x?xf32"]], {"N": 2, "concat_dim": 0}, ["?x3xf32"]),
        Sample("Pack", [["2x3xf32"] * 2], {"N": 2, "axis": 1}, ["2x2x3xf32"]),
        Sample("Unpack", ["2x3xf32"], {"num": 3, "axis": -1}, ["2xf32"] * 3),
        Sample("Split", [scalar(0, np.int32), "4x3xf32"], {"num_split": 2}, ["2x3xf32"] * 2),
        Sample("Split", ["i32", "4x3xf32"], {"num_split": 2}, ["?x?xf32"] * 2),
        Sample("SplitD", ["?x3xf32"], {"num_split": 3, "split_dim": 1}, ["?x1xf32"] * 3),
        Sample(
            "SplitV",
            ["2x6xf32", ints(1, -1), scalar(1)],
            {"num_split": 2},
            ["2x1xf32", "2x5xf32"],
        ),
        Sample("SplitV", ["2x6xf32", "2xi64", scalar(1)], {"num_split": 2}, ["2x?xf32"] * 2),
        Sample("Pad", ["2x3xf32", pads], {}, ["5x4xf32"]),
        Sample("Pad", ["2x3xf32", "2x2xi64"], {}, ["?x?xf32"]),
        Sample("PadD", ["2x3xf32"], {"paddings": [[1, 2], [0, 1]]}, ["5x4xf32"]),
        Sample("PadV3", ["2x3xf32", pads, "f32"], {}, ["5x4xf32"]),
        Sample("PadV3", ["2x3xf32", ints(1, 0, 2, 1)], {"paddings_contiguous": False}, ["5x4xf32"]),
        Sample("PadV3", ["2x3xf32", ints(1, 1, 0, 2)], {"mode": "reflect"}, ["4x5xf32"]),
        Sample("PadV3", ["2x3xf32", ints(5, 1, 0, 2)], {"mode": "edge"}, ["8x5xf32"]),
        Sample("Tile", ["2x3xf32", ints(2, 1)], {}, ["4x3xf32"]),
        Sample("Tile", ["2x3xf32", ints(2, 2, 1)], {}, ["2x4x3xf32"]),
        Sample("Tile", ["2x3xf32", "2xi64"], {}, ["?x?xf32"]),
        Sample("TileD", ["2x3xf32"], {"multiples": [1, 3]}, ["2x9xf32"]),
        Sample("Fill", [ints(2, 3), "f16"], {}, ["2x3xf16"]),
        Sample("Fill", ["2xi64", "f16"], {}, ["?x?xf16"]),
        Sample("Slice", ["4x5xf32", ints(1, 2), ints(2, -1)], {}, ["2x3xf32"]),
        Sample("SliceD", ["4x5xf32"], {"offsets": [1, 2], "size": [2, -1]}, ["2x3xf32"]),
        Sample("StridedSlice", ["4x5xf32", ints(1), ints(4), ints(2)], {}, ["2x5xf32"]),
        Sample("StridedSlice", ["4x5xf32", "1xi64", "1xi64", ints(1)], {}, ["?x5xf32"]),
        Sample(
            "StridedSlice",
            ["4x5xf32", "1xi64", "1xi64", "1xi64"],
            {"shrink_axis_mask": 1},
            ["5xf32"],
        ),
        Sample(
            "StridedSliceD",
            ["4x5xf32"],
            {"begin": [-1, 0], "end": [0, 9], "strides": [-1, 1], "end_mask": 1},
            ["4x5xf32"],
        ),
        Sample("Gather", ["4x5xf32", ints(1, 0, dtype=np.int32)], {}, ["2x5xf32"]),
        Sample("Gather", ["2x4x5xf32", np.zeros((2, 3), int)], {"batch_dims": 1}, ["2x3x5xf32"]),
        Sample("GatherV2", ["4x5xf32", np.zeros((2, 3), int), scalar(-1)], {}, ["4x2x3xf32"]),
        Sample("GatherV2", ["4x5xf32", "2x3xi64", "i64"], {}, ["?x?x?xf32"]),
        Sample("TransData", ["2x3xf32"], {"src_format": "ND", "dst_format": "ND"}, ["2x3xf32"]),
        Sample("RandomUniform", [ints(2, 3)], {"dtype": to_xdsl("float16")}, ["2x3xf16"]),
        Sample("RandomUniform", ["2xi64"], {"dtype": to_xdsl("float32")}, ["?x?xf32"]),
        Sample("Data", ["2x?xf32"], {}, ["2x?xf32"]),
        Sample("Reinterpret", ["2x3xf32"], {}, ["2x3xf32"]),
        Sample("Read", ["&2x3xf32"], {}, ["2x3xf32"]),
        Sample("RefData", ["&2x3xf32"], {}, ["&2x3xf32"]),
        Sample("Assign", ["&2x3xf32", "2x3xf32"], {}, ["&2x3xf32"]),
        Sample("Assign", ["&2x3xf32", "5xf32"], {"validate_shape": False}, ["&5xf32"]),
        Sample("AssignAdd", ["&2x3xf32", "3xf32"], {}, ["&2x3xf32"]),
        Sample("AssignSub", ["&2x3xf32", "f32"], {}, ["&2x3xf32"]),
        Sample("Assert", ["i1", ["2x3xf32", "4xi64"]], {}, []),
        Sample("Assert", ["1xi1", []], {"summarize": -1}, []),
        Sample("NoOp", [], {}, []),
        Sample("Print", [["2x3xf32"]], {}, []),
    ]


SAMPLES: list[Sample] = [
    *_unary(),
    *_binary(),
    *_images(),
    *_matrices(),
    *_reductions(),
    *_shapes(),
    *_movement(),
]


def _families() -> list[Any]:
    """The files beside this one with the examples of one family each: ROWS and REFUSED."""
    found = sorted(Path(__file__).parent.glob("samples_*.py"))
    return [import_module(f"tests.ops.{path.stem}") for path in found]


_FAMILIES = _families()
SAMPLES += [Sample(*row) for family in _FAMILIES for row in family.ROWS]
#: Operator, inputs, attributes and the code of the refusal, of the families in files of their own.
REFUSED: list[tuple[str, Sequence[Any], dict[str, Any], str]] = [
    row for family in _FAMILIES for row in family.REFUSED
]
