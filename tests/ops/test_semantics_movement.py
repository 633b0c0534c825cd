"""Operators that move data: exact for every dtype, against Python lists."""

from __future__ import annotations

import itertools

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ge_dialect.diagnostics import GeError
from ge_dialect.semantics import apply_op

DTYPES = [np.float32, np.float16, ml_dtypes.bfloat16, np.int8, np.int64, bool]


def run(op_type, *args, **attrs):
    (result,) = apply_op(op_type, list(args), attrs)
    return result


def ints(*values):
    return np.array(values, np.int64)


def count(*shape, dtype=np.int32):
    return np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_bits_survive_moving(dtype):
    x = count(2, 3, dtype=dtype)
    for got in (
        run("Reshape", x, ints(3, 2)),
        run("TransposeD", x, perm=[1, 0]),
        run("Identity", x),
        run("TransData", x, src_format="ND", dst_format="ND"),
        run("TileD", x, multiples=[1, 2]),
        run("PadD", x, paddings=[[0, 1], [1, 0]]),
        apply_op("ConcatD", [[x, x]], {"concat_dim": 0, "N": 2})[0],
        apply_op("SplitD", [x], {"split_dim": 1, "num_split": 3})[0],
        run("GatherV2", x, ints(1, 0), ints(1)),
    ):
        assert got.dtype == x.dtype
    odd = np.array([np.nan, -0.0, np.inf], np.float32)
    assert run("Reshape", odd, ints(3, 1)).tobytes() == odd.tobytes()


def test_reshape():
    x = count(2, 3, 4)
    assert run("Reshape", x, ints(-1)).tolist() == list(range(24))
    assert run("Reshape", x, ints(0, -1)).shape == (2, 12)
    assert run("Reshape", x, ints(4, 6), num_axes=3).shape == (4, 6)
    assert run("Reshape", x, ints(-1), axis=1).shape == (2, 12)
    assert run("Reshape", x, ints(6), axis=0, num_axes=2).shape == (6, 4)
    assert run("Reshape", count(1), np.zeros(0, np.int64)).shape == ()
    assert run("Reshape", count(0, 3), ints(3, 0)).shape == (3, 0)
    assert run("Reshape", count(0, 3), ints(-1, 3)).shape == (0, 3)
    with pytest.raises(GeError, match="number of elements"):
        run("Reshape", x, ints(5, 5))


def test_squeeze_and_unsqueeze():
    x = count(1, 3, 1)
    assert run("Squeeze", x).shape == (3,)
    assert run("Squeeze", x, axis=[-1]).shape == (1, 3)
    assert run("SqueezeV3", x, ints(0)).shape == (3, 1)
    assert run("SqueezeV3", x).shape == (3,)
    assert run("Squeeze", count(1, 1)).shape == ()
    assert run("Unsqueeze", count(3), axes=[2, 0]).shape == (1, 3, 1)
    assert run("UnsqueezeV3", count(3), ints(-1)).shape == (3, 1)
    assert run("Unsqueeze", np.int32(7), axes=[0, 1]).tolist() == [[7]]
    assert run("ExpandDims", count(2, 3), np.int32(-1)).shape == (2, 3, 1)
    with pytest.raises(GeError):
        run("Squeeze", x, axis=[1])


def test_flatten_shape_size_rank():
    x = count(2, 3, 4)
    assert [run("Flatten", x, axis=a).shape for a in (0, 1, 2, 3, -1)] == [
        (1, 24), (2, 12), (6, 4), (24, 1), (6, 4),
    ]  # fmt: skip
    assert run("Flatten", np.int32(1), axis=0).shape == (1, 1)
    assert run("Shape", x).tolist() == [2, 3, 4]
    assert run("Shape", x, dtype=9).dtype == np.int64
    assert run("Shape", np.int32(1)).shape == (0,)
    assert run("Size", x).tolist() == 24
    assert run("Rank", x).tolist() == 3


@given(st.permutations(range(4)))
def test_transpose(perm):
    x = count(2, 3, 1, 4)
    got = run("Transpose", x, ints(*perm))
    assert got.shape == tuple(x.shape[p] for p in perm)
    for index in itertools.product(*map(range, got.shape)):
        source = [0] * 4
        for place, axis in enumerate(perm):
            source[axis] = index[place]
        assert got[index] == x[tuple(source)]


def test_join_and_cut():
    a, b = count(2, 2), 10 + count(2, 1)
    joined = [[0, 1, 10], [2, 3, 11]]
    assert apply_op("Concat", [np.int32(1), [a, b]], {"N": 2})[0].tolist() == joined
    assert apply_op("ConcatV2", [[a, b], ints(-1)], {"N": 2})[0].tolist() == joined
    assert apply_op("ConcatD", [[a, b]], {"concat_dim": 1, "N": 2})[0].tolist() == joined
    assert apply_op("Pack", [[a, a + 4]], {"axis": -1, "N": 2})[0].tolist() == [
        [[0, 4], [1, 5]], [[2, 6], [3, 7]],
    ]  # fmt: skip
    parts = apply_op("Unpack", [a], {"num": 2, "axis": 1})
    assert [p.tolist() for p in parts] == [[0, 2], [1, 3]]
    x = count(4, 2)
    halves = apply_op("Split", [np.int32(0), x], {"num_split": 2})
    assert [h.tolist() for h in halves] == [[[0, 1], [2, 3]], [[4, 5], [6, 7]]]
    parts = apply_op("SplitV", [x, ints(1, -1, 0), ints(0)], {"num_split": 3})
    assert [len(p) for p in parts] == [1, 3, 0]
    with pytest.raises(GeError):
        apply_op("SplitV", [x, ints(1, 1), ints(0)], {"num_split": 2})


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=2),
    st.sampled_from(["constant", "edge", "reflect"]),
    st.booleans(),
)
@settings(deadline=None)
def test_pad(pairs, mode, contiguous):
    x = count(4, 5)
    flat = [v for p in pairs for v in p]
    if not contiguous:
        flat = [p[0] for p in pairs] + [p[1] for p in pairs]
    got = run("PadV3", x, ints(*flat), np.int32(-1), mode=mode, paddings_contiguous=contiguous)
    assert got.shape == (4 + sum(pairs[0]), 5 + sum(pairs[1]))

    def place(i, n):
        if mode == "edge":
            return min(max(i, 0), n - 1)
        i = abs(i)
        return i if i < n else 2 * (n - 1) - i

    for i, j in np.ndindex(got.shape):
        y, z = i - pairs[0][0], j - pairs[1][0]
        inside = 0 <= y < 4 and 0 <= z < 5
        if mode == "constant" and not inside:
            assert got[i, j] == -1
        else:
            assert got[i, j] == x[place(y, 4), place(z, 5)]


def test_pad_zero_and_tile_and_fill():
    x = count(1, 2) + 1
    assert run("Pad", x, np.array([[1, 0], [0, 1]])).tolist() == [[0, 0, 0], [1, 2, 0]]
    assert run("Tile", x, ints(2, 2)).tolist() == [[1, 2, 1, 2]] * 2
    assert run("Tile", x, ints(2, 1, 1)).shape == (2, 1, 2)
    assert run("Tile", x, ints(0, 1)).shape == (0, 2)
    filled = run("Fill", ints(2, 2), np.float16(0.5))
    assert filled.dtype == np.float16
    assert filled.tolist() == [[0.5, 0.5]] * 2
    assert run("Fill", np.zeros(0, np.int64), np.array([7])).shape == ()
    assert run("Fill", ints(0, 3), np.int32(1)).shape == (0, 3)


def test_slice():
    x = count(3, 4)
    assert run("Slice", x, ints(1, 1), ints(2, -1)).tolist() == [[5, 6, 7], [9, 10, 11]]
    assert run("SliceD", x, offsets=[0, 4], size=[3, 0]).shape == (3, 0)
    with pytest.raises(GeError):
        run("SliceD", x, offsets=[0, 2], size=[3, 3])


bound = st.one_of(st.integers(-7, 7), st.sampled_from([-(2**31), 2**31 - 1]))


@given(
    st.lists(
        st.tuples(bound, bound, st.sampled_from([1, 2, -1, -2]), st.booleans(), st.booleans()),
        max_size=2,
    )
)
@settings(deadline=None)
def test_strided_slice_is_pythons(entries):
    x = count(5, 4)
    begin_mask = sum(1 << i for i, e in enumerate(entries) if e[3])
    end_mask = sum(1 << i for i, e in enumerate(entries) if e[4])
    rows = x.tolist()
    cuts = [slice(None if e[3] else e[0], None if e[4] else e[1], e[2]) for e in entries]
    cuts += [slice(None)] * (2 - len(cuts))
    expected = [row[cuts[1]] for row in rows[cuts[0]]]
    bounds = [np.array([e[k] for e in entries], np.int64) for k in range(3)]
    got = run("StridedSlice", x, *bounds, begin_mask=begin_mask, end_mask=end_mask)
    assert got.tolist() == expected
    by_attribute = run(
        "StridedSliceD",
        x,
        **{k: v.tolist() for k, v in zip(("begin", "end", "strides"), bounds, strict=True)},
        begin_mask=begin_mask,
        end_mask=end_mask,
    )
    assert by_attribute.tolist() == expected


def test_strided_slice_masks():
    x = count(2, 3, 4)
    one = ints(1)
    assert run("StridedSlice", x, one, ints(2), one, shrink_axis_mask=1).tolist() == x.tolist()[1]
    assert run("StridedSlice", x, ints(-1), ints(0), one, shrink_axis_mask=1).shape == (3, 4)
    assert run("StridedSlice", x, one, one, one, new_axis_mask=1).shape == (1, 2, 3, 4)
    got = run("StridedSlice", x, ints(0, 1), ints(0, 3), ints(1, 1), ellipsis_mask=1)
    assert got.tolist() == [[row[1:3] for row in plane] for plane in x.tolist()]
    mixed = run(
        "StridedSlice",
        x,
        ints(0, 0, 2),
        ints(0, 0, 3),
        ints(1, 1, 1),
        ellipsis_mask=1,
        new_axis_mask=2,
        shrink_axis_mask=4,
    )
    assert mixed.tolist() == [[[row[2]] for row in plane] for plane in x.tolist()]


def test_gather():
    x = count(3, 4)
    assert run("Gather", x, np.array([[2, 0]])).tolist() == [[x.tolist()[2], x.tolist()[0]]]
    assert run("GatherV2", x, np.int64(1), ints(1)).tolist() == [1, 5, 9]
    picked = run("GatherV2", x, np.array([[3, 3], [0, 1]]), np.int32(-1))
    assert picked.tolist() == [[[r[3], r[3]], [r[0], r[1]]] for r in x.tolist()]
    with pytest.raises(GeError, match="negative_index_support"):
        run("GatherV2", x, ints(-1), ints(0))
    assert run("GatherV2", x, ints(-1), ints(0), negative_index_support=True).tolist() == [
        x.tolist()[-1]
    ]
    with pytest.raises(GeError, match="outside"):
        run("Gather", x, ints(3))
    assert run("Gather", x, np.zeros((0,), np.int32)).shape == (0, 4)


def test_gather_in_batches():
    x = count(2, 3, 4)
    indices = np.array([[2, 0], [1, 1]])
    got = run("GatherV2", x, indices, ints(1), batch_dims=1)
    assert got.tolist() == [[x.tolist()[b][i] for i in indices[b]] for b in range(2)]
    last = run("GatherV2", x, indices, ints(2), batch_dims=1)
    assert last.tolist() == [
        [[row[i] for i in indices[b]] for row in x.tolist()[b]] for b in range(2)
    ]
    assert run("Gather", x, indices, batch_dims=1).tolist() == got.tolist()


def test_reinterpret_keeps_bytes():
    from ge_dialect.dtypes import to_xdsl
    from ge_dialect.ir.types import tensor_type

    x = np.array([1.0, -2.0], np.float32)
    as_ints = tensor_type((2, 1), to_xdsl("int32"))
    (got,) = apply_op("Reinterpret", [x], out_types=[as_ints])
    assert got.tolist() == [[0x3F800000], [0xC0000000 - 2**32]]
