"""Each ONNX operator on small models, over the opsets in which it changed, against ONNX itself.

Where ONNX's reference evaluator departs from the specification (pooling with SAME_LOWER, unsorted
axes of Unsqueeze, negative pads) the case is in test_onnx_traps.py with its values written out.
"""

from __future__ import annotations

import numpy as np
import pytest

RNG = np.random.default_rng(7)
X = RNG.normal(size=(2, 3, 4, 5)).astype(np.float32)
Y = RNG.normal(size=(3, 1, 5)).astype(np.float32)
P = np.abs(X) + 0.1
I32 = RNG.integers(-9, 9, (3, 4)).astype(np.int32)
J32 = RNG.integers(1, 5, (3, 4)).astype(np.int32)
B1, B2 = X > 0, Y > 0
I64 = np.int64


def ints(*values: int) -> np.ndarray:
    return np.array(values, np.int64)


#: (operator, opsets, inputs, constants, attributes); inputs come before constants
CASES: list[tuple] = []


def case(op, opsets, inputs, constants=(), **attrs):
    CASES.append((op, opsets, list(inputs), list(constants), attrs))


for name in "Abs Ceil Floor Neg Relu Sigmoid Tanh Exp Sin Cos Atan Softplus Softsign".split():
    case(name, (7, 13, 22), [X])
for name in "Erf Sign Sinh Cosh".split():
    case(name, (9, 13), [X])
for name in "Log Sqrt Reciprocal".split():
    case(name, (7, 13), [P])
case("Round", (11, 22), [np.array([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5], np.float32)])
case("Not", (7,), [B1])
case("Identity", (7, 14), [X])
for name in "Add Sub Mul Div".split():
    case(name, (7, 13, 14), [X, Y])
    case(name, (7, 14), [I32, J32])
case("Pow", (7, 13), [P, Y])
case("Pow", (13, 15), [P, np.array([2, 3, 1, 0, 2], np.int64)])
case("Pow", (15,), [J32, np.array([0.5, 2.0, 1.5, 2.5], np.float32)])
for name in "Equal Greater Less".split():
    case(name, (11, 13), [I32, J32])
for name in "GreaterOrEqual LessOrEqual".split():
    case(name, (12, 16), [X, Y])
for name in "And Or Xor".split():
    case(name, (7,), [B1, B2])
case("Where", (9, 16), [B2, X, Y])
for name in "Max Min Sum Mean".split():
    case(name, (8, 13), [X, Y, np.float32(0.3)])
    case(name, (8, 13), [X])
case("Sum", (8,), [X, P, -X])
case("Clip", (7,), [X], min=-0.5, max=0.7)
case("Clip", (7,), [X], min=-0.5)
case("Clip", (11, 13), [X], [np.float32(-0.5), np.float32(0.7)])
case("Clip", (13,), [X], ["", np.float32(0.7)])
case("Clip", (13,), [X])
case("LeakyRelu", (7, 16), [X], alpha=0.2)
case("Elu", (7, 22), [X], alpha=1.5)
case("Celu", (12,), [X], alpha=0.7)
case("Selu", (7, 22), [X])
case("Selu", (7,), [X], alpha=1.5, gamma=1.2)
case("HardSigmoid", (7, 22), [X])
case("HardSwish", (14,), [X])
case("ThresholdedRelu", (10,), [X], alpha=0.4)
case("Shrink", (9,), [X], lambd=0.4, bias=0.1)
case("Mish", (18,), [X])
case("Gelu", (20,), [X])
case("Gelu", (20,), [X], approximate="tanh")
case("PRelu", (7, 9, 16), [X, RNG.uniform(0.1, 0.4, (3, 1, 1)).astype(np.float32)])
case("PRelu", (9, 16), [X, RNG.uniform(0.1, 0.4, (5,)).astype(np.float32)])
case("PRelu", (9,), [X, np.array([0.25], np.float32)])
for axis in (0, 1, 2, 3, -1):
    case("Softmax", (7, 11, 13), [X], axis=axis)
    case("LogSoftmax", (7, 11, 13), [X], axis=axis)
case("Softmax", (7, 13), [X])
case("IsNaN", (9, 13), [np.array([1, np.nan, np.inf], np.float32)])
for flags in ((1, 1), (1, 0), (0, 1), (0, 0)):
    case(
        "IsInf",
        (10, 20),
        [np.array([1, np.nan, np.inf, -np.inf], np.float32)],
        detect_positive=flags[0],
        detect_negative=flags[1],
    )
for to in (1, 6, 7, 9, 10, 11, 3):
    case("Cast", (9, 13, 19, 25), [np.array([-1.7, 0.0, 2.5, 100.2], np.float32)], to=to)
case("Cast", (9, 13), [np.array([1.7, 0.0, 2.5, 200.2], np.float32)], to=2)
case("CastLike", (15, 19), [I32, np.float16(0)])
# matrices
A, B = RNG.normal(size=(4, 6)).astype(np.float32), RNG.normal(size=(6, 5)).astype(np.float32)
C5, C45 = RNG.normal(size=(5,)).astype(np.float32), RNG.normal(size=(4, 5)).astype(np.float32)
case("MatMul", (7, 13), [A, B])
case("MatMul", (9,), [RNG.normal(size=(2, 3, 4, 6)).astype(np.float32), B])
case("MatMul", (9,), [A[0], B])
case("MatMul", (9,), [A, B[:, 0]])
case("MatMul", (9,), [A[0], B[:, 0]])
case("MatMul", (13,), [RNG.normal(size=(2, 1, 4, 6)).astype(np.float32), np.stack([B, -B, B])])
case("Gemm", (7, 11, 13), [A, B, C5])
case("Gemm", (7, 13), [A, B, C45], alpha=0.5, beta=2.0)
case("Gemm", (9, 13), [A.T.copy(), B.T.copy(), np.float32(2)], transA=1, transB=1)
case("Gemm", (11, 13), [A, B], alpha=0.25)
# convolution and pooling
IMG = RNG.normal(size=(2, 4, 9, 10)).astype(np.float32)
W = RNG.normal(size=(6, 4, 3, 2)).astype(np.float32)
BIAS = RNG.normal(size=(6,)).astype(np.float32)
case("Conv", (7, 11, 22), [IMG, W, BIAS], strides=[2, 1], pads=[1, 0, 2, 1])
case("Conv", (11,), [IMG, W], dilations=[2, 3], auto_pad="VALID")
case("Conv", (11,), [IMG, W], auto_pad="SAME_UPPER", strides=[2, 2])
case("Conv", (11,), [IMG, W], auto_pad="SAME_LOWER")
case("Conv", (11,), [IMG, W[:, :2].copy()], group=2)
case("Conv", (11,), [IMG[:, :, 0], W[..., 0], BIAS], strides=[2], pads=[1, 1])
case("MaxPool", (7, 8, 10, 12), [IMG], kernel_shape=[3, 2], strides=[2, 2], pads=[1, 0, 1, 1])
case("MaxPool", (10,), [IMG], kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1)
case("MaxPool", (7,), [IMG], kernel_shape=[2, 3], strides=[2, 2], auto_pad="SAME_UPPER")
case("MaxPool", (8,), [IMG[:, :, 0]], kernel_shape=[3])
case("AveragePool", (7, 11, 19), [IMG], kernel_shape=[3, 2], strides=[2, 2], pads=[1, 0, 1, 1])
case("AveragePool", (7,), [IMG], kernel_shape=[3, 3], pads=[1, 1, 1, 1], count_include_pad=1)
case("AveragePool", (10,), [IMG], kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1)
case("AveragePool", (7,), [IMG], kernel_shape=[2, 2], auto_pad="SAME_UPPER")
case("AveragePool", (7,), [IMG], kernel_shape=[2, 2], auto_pad="VALID")
case("GlobalAveragePool", (7, 22), [IMG])
case("GlobalAveragePool", (7,), [IMG[:, :, 0]])
case("GlobalMaxPool", (7, 22), [IMG])
case("LRN", (7, 13), [IMG], size=3, alpha=0.3, beta=0.75, bias=1.5)
STATS = [RNG.uniform(0.5, 1.5, 4).astype(np.float32) for _ in range(4)]
for shape in ((2, 4), (2, 4, 9), (2, 4, 9, 10), (1, 4, 2, 3, 2)):
    case("BatchNormalization", (7, 9, 14, 15), [RNG.normal(size=shape).astype(np.float32), *STATS])
case("InstanceNormalization", (7,), [IMG, STATS[0], STATS[1]])
case("LayerNormalization", (17,), [A, *(np.stack([C5[0] + i for i in range(6)]),) * 2], axis=-1)
# shapes
case("Flatten", (7, 9), [X], axis=0)
case("Flatten", (9, 13), [X], axis=2)
case("Flatten", (11, 21), [X], axis=-1)
case("Flatten", (9,), [X], axis=4)
case("Reshape", (7, 13, 14), [X], [ints(0, -1, 5)])
case("Reshape", (7,), [X], [ints(0, 0, 20)])
case("Reshape", (14,), [X[:, :0]], [ints(0, 7)], allowzero=1)
case("Transpose", (7, 13), [X])
case("Transpose", (7, 21), [X], perm=[0, 2, 3, 1])
case("Squeeze", (7, 11), [Y], axes=[1])
case("Squeeze", (7, 11), [Y])
case("Squeeze", (13, 21), [Y], [ints(-2)])
case("Unsqueeze", (7,), [Y], axes=[0, 4])
case("Unsqueeze", (13,), [Y], [ints(-1, 0)])
case("Concat", (7, 13), [X, X[:, :, :1]], axis=2)
case("Concat", (11,), [X, X], axis=-1)
case("Concat", (7,), [X], axis=1)
case("Tile", (7, 13), [Y], [ints(2, 3, 1)])
case("Expand", (8, 13), [Y], [ints(2, 1, 4, 1)])
case("Expand", (8,), [Y], [ints(1)])
case("Shape", (7, 15), [X])
case("Shape", (15,), [X], start=1)
case("Shape", (15, 21), [X], start=-3, end=-1)
case("Size", (7, 13), [X])
case("DepthToSpace", (7, 13), [RNG.normal(size=(2, 8, 2, 3)).astype(np.float32)], blocksize=2)
case(
    "DepthToSpace",
    (11,),
    [RNG.normal(size=(2, 8, 2, 3)).astype(np.float32)],
    blocksize=2,
    mode="CRD",
)
case("SpaceToDepth", (7, 13), [RNG.normal(size=(2, 2, 4, 6)).astype(np.float32)], blocksize=2)
# indexing
case("Gather", (7, 11, 13), [X], [ints(0, 2, 1).reshape(3, 1)], axis=1)
case("Gather", (11,), [X], [ints(-1, 0)], axis=-1)
case("Slice", (7, 9), [X], starts=[0, -2], ends=[1, 2**31 - 1], axes=[0, 3])
case("Slice", (10, 13), [X], [ints(1, 0), ints(2**63 - 1, -1)])
case("Slice", (10, 13), [X], [ints(-1, 10), ints(-(2**63), 0), ints(3, 2), ints(-1, -2)])
case("Slice", (11,), [X], [ints(3), ints(1), ints(3)])
case("Slice", (11,), [X], [ints(-9), ints(-9), ints(2), ints(-1)])
case("Pad", (7,), [X], pads=[0, 1, 0, 2, 1, 0, 0, 0], value=0.5)
case("Pad", (11, 13), [X], [ints(0, 1, 0, 2, 1, 0, 0, 0), np.float32(0.5)])
case("Pad", (11,), [X], [ints(0, 1, 0, 2, 1, 0, 0, 1)], mode="reflect")
case("Pad", (11,), [X], [ints(0, 1, 0, 2, 1, 0, 0, 1)], mode="edge")
case("Pad", (18,), [X], [ints(1, 2), np.float32(3), ints(-1)])
case("Trilu", (14,), [X])
case("Trilu", (14,), [X], [I64(-1)], upper=0)
case("Trilu", (14,), [X], [I64(2)], upper=1)
case("OneHot", (9, 11), [ints(0, 2, -1, 5)], [I64(3), np.array([2, 7], np.float32)])
case("OneHot", (11,), [ints(0, 2, 1, 1).reshape(2, 2)], [I64(3), ints(0, 1)], axis=1)
# quantisation
SCALES = np.array([0.02, 0.05, 0.1], np.float32)
ZEROS = np.array([3, 0, 100], np.uint8)
U8 = RNG.integers(0, 256, (2, 3, 4)).astype(np.uint8)
case("QuantizeLinear", (10, 13, 19, 21), [X], [np.float32(0.02), np.uint8(120)])
case("QuantizeLinear", (10, 21), [X], [np.float32(0.01), np.int8(-5)])
case("QuantizeLinear", (13, 21), [X], [SCALES, ZEROS])
case("QuantizeLinear", (13,), [X], [SCALES[:2].repeat([2, 3]), ZEROS[:2].repeat([2, 3])], axis=-1)
case("DequantizeLinear", (19, 21, 23), [U8], [np.float32(0.02), np.uint8(120)])
case("DequantizeLinear", (19, 25), [U8], [SCALES, ZEROS])
case("DequantizeLinear", (19,), [I32], [np.float32(0.5)])
# reductions
for name in (
    "ReduceSum ReduceMean ReduceMax ReduceMin ReduceProd ReduceL1 ReduceL2 ReduceSumSquare "
    "ReduceLogSum ReduceLogSumExp"
).split():
    early = (7, 11) if name == "ReduceSum" else (7, 11, 13)
    late = (13, 18) if name == "ReduceSum" else (18,)
    case(name, early, [P], axes=[1, -1])
    case(name, early, [P], axes=[2], keepdims=0)
    case(name, (7, 18), [P])
    case(name, late, [P], [ints(-1, 0)], keepdims=0)
    case(name, late, [P], [ints(3)])
case("ReduceSum", (13,), [P], noop_with_empty_axes=1)
case("ReduceMax", (20,), [B1], [ints(1)])


def _id(row: tuple) -> str:
    op, opsets, inputs, constants, attrs = row
    shapes = "_".join("x".join(map(str, np.shape(i))) or "s" for i in inputs)
    extra = "-".join(f"{k}={v}" for k, v in attrs.items()).replace(" ", "")
    return f"{op}-{opsets}-{shapes}-{len(constants)}-{extra}"


@pytest.mark.parametrize("row", CASES, ids=[f"{i}-{_id(c)}" for i, c in enumerate(CASES)])
def test_operator_means_what_onnx_says(ox, row):
    op, opsets, inputs, constants, attrs = row
    fed = {f"x{i}": np.asarray(a) for i, a in enumerate(inputs)}
    held = {f"c{i}": np.asarray(a) for i, a in enumerate(constants) if not isinstance(a, str)}
    names = [*fed, *("" if isinstance(a, str) else f"c{i}" for i, a in enumerate(constants))]
    for opset in opsets:
        node = ox.node(op, names, ["y"], name=f"the/{op}", **attrs)
        proto = ox.model([node], fed, ["y"], opset=opset, constants=held)
        tolerance = 1e-5 if op not in ("Softplus", "Mish") else 1e-4
        ox.compare(proto, fed, tolerance)


def test_split_equal_uneven_and_counted(ox):
    x = {"x": X}
    outs = ["a", "b"]
    for opset, constants, attrs in (
        (7, {}, {"axis": 2}),
        (11, {}, {"axis": -2, "split": [1, 3]}),
        (13, {"s": ints(3, 1)}, {"axis": 2}),
        (18, {}, {"axis": 3, "num_outputs": 2}),
    ):
        node = ox.node("Split", ["x", *constants], outs, **attrs)
        ox.compare(ox.model([node], x, outs, opset=opset, constants=constants), x)


def test_constants_of_every_kind(ox):
    import onnx

    for attrs in (
        {"value": onnx.numpy_helper.from_array(X)},
        {"value_float": 1.5},
        {"value_floats": [1.5, float("nan"), float("inf")]},
        {"value_int": -3},
        {"value_ints": [1, 2, 3]},
    ):
        node = ox.node("Constant", [], ["y"], **attrs)
        ox.compare(ox.model([node], {}, ["y"], opset=13), {})


def test_constant_of_shape_eye_and_range(ox):
    import onnx

    seven = onnx.helper.make_tensor("v", 6, [1], [7])
    nodes = [
        ox.node("ConstantOfShape", ["s"], ["a"], value=seven),
        ox.node("ConstantOfShape", ["s"], ["b"]),
        ox.node("EyeLike", ["b"], ["c"], k=1, dtype=7),
        ox.node("Range", ["l", "h", "d"], ["r"]),
    ]
    constants = {"s": ints(3, 4), "l": I64(9), "h": I64(-2), "d": I64(-3)}
    proto = ox.model(nodes, {}, ["a", "b", "c", "r"], opset=11, constants=constants)
    ox.compare(proto, {})


@pytest.mark.parametrize("opset", [7, 10, 12, 13, 22])
def test_dropout_is_the_identity_with_a_full_mask(ox, opset):
    node = ox.node("Dropout", ["x"], ["y", "mask"])
    found = ox.run(ox.model([node], {"x": X}, ["y", "mask"], opset=opset), {"x": X})
    np.testing.assert_array_equal(found[0], X)
    assert found[1].dtype == (np.float32 if opset < 10 else np.bool_)
    assert found[1].all()


@pytest.mark.parametrize("flag", [False, True])
def test_if_captures_outer_values(ox, flag):
    import onnx

    def branch(name, nodes, constants=()):
        out = onnx.helper.make_empty_tensor_value_info("out")
        return onnx.helper.make_graph(nodes, name, [], [out], list(constants))

    then = branch(
        "then",
        [ox.node("Add", ["x", "k"], ["t"]), ox.node("Mul", ["t", "two"], ["out"])],
        [onnx.numpy_helper.from_array(np.float32(2), "two")],
    )
    other = branch("other", [ox.node("Sub", ["z", "x"], ["out"])])
    nodes = [
        ox.node("Neg", ["x"], ["z"]),
        ox.node("If", ["c"], ["y"], then_branch=then, else_branch=other, name="choice"),
    ]
    fed = {"c": np.array(flag), "x": X}
    big = RNG.normal(size=X.shape).astype(np.float32)
    ox.compare(ox.model(nodes, fed, ["y"], opset=13, constants={"k": big}), fed)


def test_shape_arithmetic_becomes_constants(ox):
    """Shape, Gather, Concat, Reshape as exporters write them: known at import, no node left."""
    from ge_dialect.importers.onnx import import_onnx

    nodes = [
        ox.node("Shape", ["x"], ["s"]),
        ox.node("Gather", ["s", "zero"], ["n"]),
        ox.node("Unsqueeze", ["n"], ["n1"], axes=[0]),
        ox.node("Concat", ["n1", "rest"], ["target"], axis=0),
        ox.node("Reshape", ["x", "target"], ["y"]),
    ]
    constants = {"zero": I64(0), "rest": ints(-1, 5)}
    proto = ox.model(nodes, {"x": X}, ["y"], opset=11, constants=constants)
    ox.compare(proto, {"x": X})
    kinds = [op.name for op in import_onnx(proto).graphs[0].body.ops]
    assert kinds == ["ge.Const", "ge.Reshape", "ge.NetOutput"]


#: Reasons for which a node may be refused when no dim of its inputs is known.
NEEDS_DIMS = ("must be known", "needs known", "are needed where dims are unknown", "unknown dim")


@pytest.mark.parametrize("row", CASES, ids=[f"{i}-{c[0]}" for i, c in enumerate(CASES)])
def test_operator_on_unknown_dims(ox, row):
    """The same with every dim symbolic: refused with a reason, or right."""
    import onnx

    from ge_dialect.diagnostics import GeError

    op, opsets, inputs, constants, attrs = row
    fed = {f"x{i}": np.asarray(a) for i, a in enumerate(inputs)}
    held = {f"c{i}": np.asarray(a) for i, a in enumerate(constants) if not isinstance(a, str)}
    names = [*fed, *("" if isinstance(a, str) else f"c{i}" for i, a in enumerate(constants))]
    types = {
        n: (
            onnx.helper.np_dtype_to_tensor_dtype(a.dtype),
            [None if d == 1 else f"{n}{i}" for i, d in enumerate(a.shape)],
        )
        for n, a in fed.items()
    }
    for opset in opsets:
        node = ox.node(op, names, ["y"], **attrs)
        proto = ox.model([node], fed, ["y"], opset=opset, constants=held, types=types)
        reasons: list[str] = []
        try:
            ox.compare(proto, fed, 1e-4)
        except GeError as error:
            reasons = [d.message for d in error.diagnostics]
        assert all(any(r in reason for r in NEEDS_DIMS) for reason in reasons), reasons
