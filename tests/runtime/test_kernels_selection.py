"""Kernels of indexing, scattering, sorting, selection and bits against the golden functions.

Attributes, shapes and values are drawn at random, zero sizes, ties and NaN among them.
"""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from tests.runtime import test_kernels_golden as _golden
from tests.runtime.test_kernels_golden import check

BF16 = ml_dtypes.bfloat16
FLOATS = [np.float32, np.float16, BF16, np.float64]
NUMBERS = [*FLOATS, np.int8, np.uint8, np.int32, np.int64]
ROUNDS = range(12)


def _shape(rng, low=1, rank=None):
    rank = int(rng.integers(1, 4)) if rank is None else rank
    return tuple(int(rng.integers(low, 5)) for _ in range(rank))


def _values(rng, shape, dtype):
    """Few distinct values, so that there are ties."""
    if np.dtype(dtype) == bool:
        return rng.random(shape) < 0.5
    values = rng.integers(0, 5, shape)
    values = values if np.dtype(dtype).kind == "u" else values - 2
    out = values.astype(np.float64).astype(dtype)
    if np.issubdtype(np.dtype(dtype), np.floating) and out.size and rng.random() < 0.3:
        out.reshape(-1)[rng.integers(0, out.size)] = np.nan
    return out


def _scalar(value, dtype=np.int64):
    return np.array(value, dtype)


def _indices(rng, shape, size, dtype=np.int64, negative=True):
    return rng.integers(-size if negative else 0, size, shape).astype(dtype)


@pytest.mark.parametrize("seed", ROUNDS)
def test_gather_and_scatter_elements(seed):
    rng = np.random.default_rng(seed)
    dtype = NUMBERS[seed % len(NUMBERS)]
    shape = _shape(rng)
    axis = int(rng.integers(-len(shape), len(shape)))
    places = [int(rng.integers(0, d + 1)) for d in shape]
    places[axis] = int(rng.integers(0, 7))
    index = _indices(rng, places, shape[axis], np.int32 if seed % 2 else np.int64)
    x, updates = _values(rng, shape, dtype), _values(rng, places, dtype)
    check("GatherElements", [x, index], {"dim": axis})
    for reduction in ("none", "add", "mul", "max", "min"):
        check("ScatterElements", [x, index, updates], {"axis": axis, "reduction": reduction})


@pytest.mark.parametrize("seed", ROUNDS)
def test_index_tuples(seed):
    rng = np.random.default_rng(seed)
    dtype = NUMBERS[seed % len(NUMBERS)]
    shape = _shape(rng)
    depth, lead = int(rng.integers(1, len(shape) + 1)), _shape(rng, 0, int(rng.integers(0, 3)))
    tuples = np.stack([_indices(rng, lead, d, negative=False) for d in shape[:depth]], -1)
    x, updates = _values(rng, shape, dtype), _values(rng, (*lead, *shape[depth:]), dtype)
    check("GatherNd", [x, tuples])
    check("TensorScatterUpdate", [x, tuples, updates])
    check("ScatterNd", [tuples, updates, np.array(shape)], out=[dtype])
    signed = np.where(rng.random(tuples.shape) < 0.5, tuples, tuples - np.array(shape[:depth]))
    check("GatherNd", [x, signed], {"negative_index_support": True})


@pytest.mark.parametrize("seed", ROUNDS)
def test_order(seed):
    rng = np.random.default_rng(seed)
    dtype = NUMBERS[seed % len(NUMBERS)]
    shape = _shape(rng)
    axis = int(rng.integers(-len(shape), len(shape)))
    x = _values(rng, shape, dtype)
    for op_type in ("ArgMaxV2", "ArgMin"):
        check(op_type, [x, _scalar(axis)], out=[np.int64])
    k = _scalar([rng.integers(0, shape[axis] + 1)], np.int32)
    for flag in (False, True):
        check("TopK", [x, k], {"dim": axis, "largest": flag}, out=[dtype, np.int32])
        check("TopKV2", [x, k], {"dim": axis, "largest": flag}, out=[dtype, np.int32])
        check("Sort", [x], {"axis": axis, "descending": flag}, out=[dtype, np.int32])


@pytest.mark.parametrize("seed", ROUNDS)
def test_running(seed):
    rng = np.random.default_rng(seed)
    dtype = NUMBERS[seed % len(NUMBERS)]
    shape = _shape(rng, 0)
    axis = _scalar(rng.integers(-len(shape), len(shape)))
    x = _values(rng, shape, dtype)
    attrs = {"exclusive": bool(rng.random() < 0.5), "reverse": bool(rng.random() < 0.5)}
    for op_type in ("Cumsum", "Cumprod"):
        check(op_type, [x, axis], attrs)


@pytest.mark.parametrize("seed", ROUNDS)
def test_strided_slice_v2(seed):
    rng = np.random.default_rng(seed)
    shape = _shape(rng, 0)
    x = _values(rng, shape, NUMBERS[seed % len(NUMBERS)])
    axes = rng.permutation(len(shape))[: rng.integers(1, len(shape) + 1)]
    begin, end = (rng.integers(-6, 7, axes.size) for _ in range(2))
    strides = rng.choice([-2, -1, 1, 2, 3], axes.size)
    masks = {f"{m}_mask": int(rng.integers(0, 8)) for m in ("begin", "end")}
    check("StridedSliceV2", [x, begin, end, axes, strides], masks)
    check("StridedSliceV2", [x, begin, end, None, strides], masks)
    check("StridedSliceV2", [x, begin, end, None, None])


@pytest.mark.parametrize("seed", ROUNDS)
def test_selection(seed):
    rng = np.random.default_rng(seed)
    dtype = [np.float32, np.float16, BF16, np.int8, np.int32, np.int64, bool][seed % 7]
    shape = _shape(rng, 0, int(rng.integers(2, 4)))
    x = _values(rng, shape, dtype)
    mask = rng.random(shape[1:]) < 0.5
    check("MaskedFill", [x, mask, _values(rng, (), dtype)])
    for op_type in ("Tril", "Triu"):
        check(op_type, [x], {"diagonal": int(rng.integers(-4, 5))})
    axes = rng.permutation(len(shape))[: rng.integers(0, len(shape) + 1)]
    check("ReverseV2", [x, axes - len(shape) * (rng.random(axes.size) < 0.5)])
    index = rng.integers(-2, 6, shape)
    axis = int(rng.integers(-1, len(shape) + 1))
    on, off = (_values(rng, (1,), dtype) for _ in range(2))
    check("OneHot", [index, _scalar(4), on, off], {"axis": axis}, out=[dtype])


@pytest.mark.parametrize("dtype", [*FLOATS, np.int32, np.int64])
def test_range(dtype):
    whole = [(0, 5, 1), (3, -4, -2), (1, 1, 1), (2, 9, 3), (5, 1, 1)]
    parts = [] if np.dtype(dtype).kind == "i" else [(0.5, 3, 0.25), (1, 0, -0.125)]
    for values in whole + parts:
        for closed in (False, True):
            args = [np.array(v).astype(dtype) for v in values]
            check("Range", args, {"is_closed": closed})


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.uint32, np.int64, np.uint64])
def test_shifts(dtype):
    rng = np.random.default_rng(7)
    info = np.iinfo(dtype)
    ends = np.array([info.min, info.max], dtype)
    x = np.concatenate([rng.integers(info.min, info.max, 20, dtype), ends])
    count = np.arange(x.size).astype(dtype)
    counts = [count, np.array(3, dtype), np.array(info.bits - 1, dtype), np.array(info.bits, dtype)]
    if info.min < 0:
        counts.append(np.array(-1, dtype))
    for y in counts:
        check("LeftShift", [x, y])
        check("RightShift", [x, y])


@pytest.mark.parametrize(
    ("source", "target"),
    [(np.float32, np.int32), (np.float32, np.uint8), (np.float64, np.int16), (BF16, np.uint16),
     (np.int64, np.float32)],
)  # fmt: skip
def test_bitcast(source, target):
    from ge_dialect.dtypes import from_numpy

    rng = np.random.default_rng(8)
    x = rng.integers(0, 100, (2, 3)).astype(source)
    there = {"type": from_numpy(np.dtype(target))}
    check("Bitcast", [x], there, out=[target])
    check("Bitcast", [x], {**there, "keep_dim": True}, out=[target])
    ratio = np.dtype(source).itemsize // np.dtype(target).itemsize
    if ratio > 1:
        bits = rng.integers(0, 100, (3, 2, ratio)).astype(target)
        back = {"type": from_numpy(np.dtype(source))}
        check("Bitcast", [bits], back, out=[source])
        check("Bitcast", [bits], {**back, "keep_dim": True}, out=[source])


EQUATIONS = [
    ("ij->ji", [(2, 3)]),
    ("ij", [(2, 3)]),
    ("ji", [(2, 3)]),
    ("ii", [(3, 3)]),
    ("ii->i", [(3, 3)]),
    ("iji->j", [(3, 2, 3)]),
    ("iiji->ji", [(2, 2, 3, 2)]),
    ("i,i", [(4,), (4,)]),
    ("i,j", [(4,), (3,)]),
    ("ij,jk->ik", [(2, 3), (3, 4)]),
    ("bij,bjk->bik", [(2, 2, 3), (2, 3, 4)]),
    ("...ij,...jk", [(2, 1, 2, 3), (5, 3, 4)]),
    ("...ij,jk->...ik", [(2, 2, 3), (3, 4)]),
    ("i...->...", [(2, 3, 4)]),
    ("ij,jk,kl->il", [(2, 3), (3, 4), (4, 2)]),
    (" i j , j -> i ", [(2, 3), (3,)]),
    ("ij->", [(2, 0)]),
    ("Ab,bA->A", [(2, 3), (3, 2)]),
]


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int32, np.int8])
@pytest.mark.parametrize(("equation", "shapes"), EQUATIONS, ids=[e for e, _ in EQUATIONS])
def test_einsum(equation, shapes, dtype):
    rng = np.random.default_rng(9)
    args = [rng.integers(-3, 4, s).astype(dtype) for s in shapes]
    check("Einsum", [args], {"equation": equation, "N": len(args)}, out=[dtype])


@pytest.mark.parametrize("seed", ROUNDS)
def test_reverse_sequence(seed):
    rng = np.random.default_rng(seed)
    shape = _shape(rng, 1, int(rng.integers(2, 4)))
    time, batch = (int(a) for a in rng.permutation(len(shape))[:2])
    lengths = rng.integers(0, shape[time] + 1, shape[batch])
    x = _values(rng, shape, NUMBERS[seed % len(NUMBERS)])
    check("ReverseSequence", [x, lengths], {"seq_dim": time, "batch_dim": batch - len(shape)})


@pytest.mark.parametrize("mode", ["TF", "IDF", "TFIDF"])
def test_tf_idf(mode):
    rng = np.random.default_rng(10)
    for skip in range(3):
        attrs = {
            "mode": mode,
            "min_gram_length": 1 + skip % 2,
            "max_gram_length": 3,
            "max_skip_count": skip,
            "ngram_counts": (0, 2, 6),
            "ngram_indexes": (0, 3, 1, 4, 2),
            "pool_int64s": (0, 1, 0, 1, 1, 2, 0, 1, 2),
            "weights": (0.5, 2.0, 1.0, 3.0, 0.25),
        }
        for shape in ((7,), (3, 7), (2, 1)):
            x = rng.integers(0, 3, shape)
            check("HostTfIdfVectorizer", [x], attrs, out=[np.float32])


@pytest.mark.parametrize("dtype", FLOATS)
def test_inverse_hyperbolic(dtype):
    def check_all(values):
        with np.errstate(all="ignore"):
            x = np.array(values).astype(dtype)
        check("Asinh", [x])
        check("Atanh", [x])
        check("Acosh", [x])

    check_all(np.linspace(-0.9, 0.9, 31))
    check_all([1e-6, -1e-6, 0.0, 1.0, -1.0, 1.0001, 2, 5, 300])
    check_all([np.nan, np.inf, -np.inf])
    for value in (1e4, 1e8, 1e15, 1e30):
        check_all([value, -value])


@pytest.mark.parametrize("seed", ROUNDS)
def test_rearrangements(seed):
    rng = np.random.default_rng(seed)
    dtype = NUMBERS[seed % len(NUMBERS)]
    b, layout = int(rng.integers(1, 4)), ("NHWC", "NCHW")[seed % 2]
    n, h, w, c = (int(v) for v in rng.integers(1, 3, 4))
    block = {"block_size": b, "data_format": layout}
    deep = (n, h, w, c * b * b) if layout == "NHWC" else (n, c * b * b, h, w)
    for mode in ("DCR", "CRD"):
        check("DepthToSpace", [_values(rng, deep, dtype)], {**block, "mode": mode})
    wide = (n, h * b, w * b, c) if layout == "NHWC" else (n, c, h * b, w * b)
    check("SpaceToDepth", [_values(rng, wide, dtype)], block)
    shape = _shape(rng, 1)
    x = _values(rng, shape, dtype)
    dims = tuple(int(a) for a in rng.integers(-len(shape), len(shape), rng.integers(1, 3)))
    shifts = tuple(int(v) for v in rng.integers(-7, 8, len(dims)))
    check("Roll", [x], {"shifts": shifts, "dims": dims})
    check("Roll", [x], {"shifts": shifts[:1], "dims": ()})
    for mode, less in (("REFLECT", 1), ("SYMMETRIC", 0)):
        pairs = np.array([[rng.integers(0, d + 1 - less) for _ in range(2)] for d in shape])
        check("MirrorPad", [x, pairs], {"mode": mode})
    sizes = (1, -1) if shape[-1] > 1 else (0, 1)
    attrs = {"size_splits": sizes, "split_dim": -1, "num_split": 2}
    check("SplitVD", [x], attrs, out=[dtype, dtype])


@pytest.mark.parametrize("seed", ROUNDS)
def test_extremes_with_values_and_segments(seed):
    rng = np.random.default_rng(seed)
    dtype = [np.float32, np.float16, BF16, np.int32][seed % 4]
    shape = _shape(rng)
    x = _values(rng, shape, dtype)
    for op_type in ("ArgMaxWithValue", "ArgMinWithValue"):
        attrs = {
            "dimension": int(rng.integers(-len(shape), len(shape))),
            "keep_dims": seed % 3 == 0,
        }
        check(op_type, [x], attrs, out=[np.int32, dtype])
    ids = rng.integers(-1, 3, shape[: rng.integers(1, len(shape) + 1)])
    check("UnsortedSegmentSum", [x, ids, _scalar(3)])
    if dtype != np.int32:
        axes = np.flatnonzero(rng.random(len(shape)) < 0.5)
        check("ReduceLogSumExp", [x, axes], {"keep_dims": seed % 2 == 0})
        check("Atan2", [x, _values(rng, shape, dtype)])


def test_log_sum_exp_of_infinities():
    x = np.array([[-np.inf, -np.inf], [np.inf, 1], [1000, 1000], [-1e4, 3]], np.float32)
    check("ReduceLogSumExp", [x, np.array([1])])
    check("ReduceLogSumExp", [x, np.array([], np.int64)], {"noop_with_empty_axes": True})


@pytest.mark.parametrize("dtype", [np.float32, np.float16, BF16])
def test_dropout_by_mask(dtype):
    rng = np.random.default_rng(3)
    x, mask = _values(rng, (10, 13), dtype), rng.integers(0, 256, 32).astype(np.uint8)
    check("DropOutDoMask", [x, mask, np.array(0.8).astype(dtype)])


def test_update_of_rows():
    from ge_dialect.api import evaluate, parse
    from runtime import simulate

    model = parse("""
    ge.graph @g(%i: tensor<3xi64>, %u: tensor<3x2xf32>) {
      %v = ge.Variable() {value = dense<1.0> : tensor<4x2xf32>} : !ge.ref<tensor<4x2xf32>>
      %w, %done = ge.ScatterUpdate(%v, %i, %u) : !ge.ref<tensor<4x2xf32>>, !ge.ctrl
      %y = ge.Read(%w) after(%done) : tensor<4x2xf32>
      ge.NetOutput(%y)
    }
    """)
    fed = [np.array([2, 0, 2]), np.arange(6, dtype=np.float32).reshape(3, 2)]
    want = [[2, 3], [1, 1], [4, 5], [1, 1]]
    assert evaluate(model, fed).outputs[0].tolist() == want
    assert simulate(model, fed).outputs[0].tolist() == want


@pytest.mark.parametrize(
    "op_type", ["RandomStandardNormal", "Multinomial", "RandomUniformInt", "DropOutGenMask"]
)
def test_random(op_type):
    from ge_dialect.dtypes import from_numpy
    from ge_dialect.semantics.context import Context, State
    from ge_dialect.semantics.registry import lookup
    from runtime.kernels.registry import Call, find_kernel

    if op_type == "Multinomial":
        args = [np.log(np.array([[1, 2, 4], [5, 0.01, 1]], np.float32)), _scalar(200, np.int32)]
        shape, dtype = (2, 200), np.int64
    elif op_type == "RandomUniformInt":
        args = [np.array([30, 7]), _scalar(-3), _scalar(2**40)]
        shape, dtype = (30, 7), np.int64
    elif op_type == "DropOutGenMask":
        args, shape, dtype = [np.array([30, 70]), np.float32(0.7)], (272,), np.uint8
    else:
        args, shape, dtype = [np.array([30, 7])], (30, 7), np.float32
    attrs = {"dtype": from_numpy(np.dtype(dtype)), "seed": 3, "seed2": 4}
    for draw in (0, 2):
        context = Context(node_id="noise", seed=7, state=State(draws={"noise": draw}))
        want = lookup(op_type)(args, attrs, context)
        out = _golden._blank(shape, dtype)
        call = Call([_golden._view(a) for a in args], [out], attrs, node_id="noise", seed=7)
        call.draw = draw
        find_kernel(op_type, _golden.AI_CORE, ["ND"]).function(call)
        np.testing.assert_allclose(out.data, want, rtol=1e-6)
        if op_type == "Multinomial":
            share = [(out.data[0] == c).mean() for c in range(3)]
            np.testing.assert_allclose(share, [1 / 7, 2 / 7, 4 / 7], atol=0.15)
        elif op_type == "RandomUniformInt":
            assert out.data.min() >= -3
            assert 2**38 < out.data.max() < 2**40
        elif op_type == "DropOutGenMask":
            assert abs(np.unpackbits(out.data).mean() - 0.7) < 0.05
        else:
            assert abs(float(out.data.mean())) < 0.3
            assert 0.8 < float(out.data.std()) < 1.2


def test_tensor_move_and_bitcast_on_the_device():
    from ge_dialect.api import evaluate, parse
    from runtime import simulate

    model = parse("""
    ge.graph @g(%x: tensor<2x3xf32>) {
      %m = ge.TensorMove(%x) : tensor<2x3xf32>
      %b = ge.Bitcast(%m) {type = ui8} : tensor<2x3x4xui8>
      %r = ge.Relu(%b) : tensor<2x3x4xui8>
      ge.NetOutput(%m, %b, %r)
    }
    """)
    x = np.arange(6, dtype=np.float32).reshape(2, 3) - 2
    for mode in ("graph", "eager"):
        found = simulate(model, [x], mode=mode).outputs
        for mine, want in zip(found, evaluate(model, [x]).outputs, strict=True):
            np.testing.assert_array_equal(mine, want)
