"""The integer rules, against numpy where numpy has the operation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ge_dialect.infer import axes, broadcast, dims, joining, reshape, slicing, window
from ge_dialect.infer.errors import InferError

DIMS = st.integers(0, 4)
SHAPES = st.lists(DIMS, max_size=4).map(tuple)


def hide(data: st.DataObject, shape: tuple[int, ...]) -> tuple[int, ...] | None:
    """The same shape with some dims, or the rank, unknown."""
    if data.draw(st.integers(0, 9)) == 0:
        return None
    return tuple(-1 if data.draw(st.booleans()) else d for d in shape)


def covers(general: tuple[int, ...] | None, exact: tuple[int, ...]) -> bool:
    """True when `general` describes a tensor of shape `exact`."""
    if general is None:
        return True
    return len(general) == len(exact) and all(
        g in (-1, e) for g, e in zip(general, exact, strict=True)
    )


@given(SHAPES, SHAPES, st.data())
@settings(max_examples=300, deadline=None)
def test_broadcast_is_numpys(a, b, data):
    try:
        want = np.broadcast_shapes(a, b)
    except ValueError:
        with pytest.raises(InferError) as error:
            broadcast.broadcast_shapes(a, b)
        assert error.value.expected
        return
    assert broadcast.broadcast_shapes(a, b) == want
    assert covers(broadcast.broadcast_shapes(hide(data, a), hide(data, b)), want)


@pytest.mark.parametrize(
    ("a", "b", "want"),
    [
        ((-1,), (1,), (-1,)),
        ((-1,), (3,), (3,)),
        ((-1,), (-1,), (-1,)),
        ((-1, 2), (2,), (-1, 2)),
        ((), (2, -1), (2, -1)),
        ((0,), (1,), (0,)),
        (None, (2,), None),
    ],
)
def test_broadcast_of_unknown_dims(a, b, want):
    assert broadcast.broadcast_shapes(a, b) == want
    assert broadcast.broadcast_shapes(b, a) == want


@pytest.mark.parametrize(
    ("shape", "target", "want"),
    [((3, 1), (2, 3, 4), (2, 3, 4)), ((3,), (-1,), (3,)), ((1,), (-1,), (-1,)), ((), (2,), (2,))],
)
def test_broadcast_to(shape, target, want):
    assert broadcast.broadcast_to(shape, target) == want


@pytest.mark.parametrize(("shape", "target"), [((2,), (3,)), ((1, 1), (1,)), ((2,), (1,))])
def test_broadcast_to_refuses(shape, target):
    with pytest.raises(InferError):
        broadcast.broadcast_to(shape, target)


@given(SHAPES, st.data())
@settings(max_examples=200, deadline=None)
def test_reduce_is_numpys(shape, data):
    rank = len(shape)
    picked = data.draw(st.lists(st.integers(0, rank - 1), unique=True)) if rank else []
    signed = [a - rank if data.draw(st.booleans()) else a for a in picked]
    keep = data.draw(st.booleans())
    want = np.zeros(shape).sum(axis=tuple(signed), keepdims=keep).shape
    assert axes.reduce_shape(shape, signed, keep) == want
    assert covers(axes.reduce_shape(hide(data, shape), signed, keep), want)
    assert covers(axes.reduce_shape(shape, None, keep), want)


@given(SHAPES, st.data())
@settings(max_examples=200, deadline=None)
def test_transpose_and_unsqueeze_are_numpys(shape, data):
    rank = len(shape)
    perm = data.draw(st.permutations(range(rank)))
    want = np.zeros(shape).transpose(perm).shape
    assert axes.transpose_shape(shape, perm) == want
    assert covers(axes.transpose_shape(hide(data, shape), perm), want)
    count = data.draw(st.integers(0, 3))
    new = data.draw(st.permutations(range(rank + count)))[:count]
    want = np.expand_dims(np.zeros(shape), tuple(new)).shape
    assert axes.unsqueeze_shape(shape, new) == want
    if new:  # an empty list means all axes of size 1
        assert axes.squeeze_shape(want, new) == shape


def test_squeeze_without_axes():
    assert axes.squeeze_shape((1, 2, 1), []) == (2,)
    assert axes.squeeze_shape((1, -1), []) is None
    assert axes.squeeze_shape((1, -1), [1]) == (1,)
    with pytest.raises(InferError, match="cannot be squeezed"):
        axes.squeeze_shape((1, 2), [1])


@pytest.mark.parametrize("perm", [[0, 0], [0], [0, 2], [0, 1, 2]])
def test_bad_permutations(perm):
    with pytest.raises(InferError, match="perm"):
        axes.transpose_shape((2, 3), perm)


@pytest.mark.parametrize("axis", [-3, 2, 7])
def test_axis_range(axis):
    with pytest.raises(InferError, match="out of range") as error:
        dims.norm_axis(axis, 2)
    assert error.value.found == axis
    assert error.value.code == "GX-222"


def test_repeated_axes():
    with pytest.raises(InferError, match="twice"):
        dims.norm_axes([0, -2], 2)


@pytest.mark.parametrize(
    ("shape", "target", "want"),
    [
        ((2, 3, 4), [6, -1], (6, 4)),
        ((2, 3, 4), [0, -1], (2, 12)),
        ((-1, 3), [0, 3], (-1, 3)),
        ((-1, 3, 4), [0, -1], (-1, 12)),
        ((-1, 3), [-1], (-1,)),
        ((-1, 4), [-1, 2], (-1, 2)),
        ((), [1, 1], (1, 1)),
        ((1,), [], ()),
        ((0, 3), [3, 0], (3, 0)),
        ((0, 3), [-1, 3], (0, 3)),
        (None, [2, -1], (2, -1)),
        (None, [0, 2], (-1, 2)),
    ],
)
def test_reshape(shape, target, want):
    assert reshape.reshape_shape(shape, target) == want


def test_reshape_of_a_range_of_axes():
    assert reshape.reshape_shape((2, 3, 4, 5), [12], axis=1, num_axes=2) == (2, 12, 5)
    assert reshape.reshape_shape((2, 3, 4), [-1], axis=1) == (2, 12)
    assert reshape.reshape_shape((2, 3), [1], axis=-1, num_axes=0) == (2, 3, 1)
    assert reshape.reshape_shape((2, 3), None, target_rank=3) == (-1, -1, -1)
    assert reshape.reshape_shape((2, 3), None) is None


@pytest.mark.parametrize(
    ("shape", "target"),
    [((2, 3), [4]), ((2, 3), [-1, -1]), ((2, 3), [-2]), ((2, 3), [4, -1]), ((2,), [1, 0])],
)
def test_reshape_refuses(shape, target):
    with pytest.raises(InferError) as error:
        reshape.reshape_shape(shape, target)
    assert error.value.found is not None
    assert error.value.expected is not None


@given(SHAPES, st.data())
@settings(max_examples=200, deadline=None)
def test_flatten_is_a_product(shape, data):
    axis = data.draw(st.integers(-len(shape) if shape else 0, len(shape)))
    want = np.zeros(shape).reshape(int(np.prod(shape[:axis])), int(np.prod(shape[axis:]))).shape
    if axis == len(shape):
        want = (int(np.prod(shape)), 1)
    assert reshape.flatten_shape(shape, axis) == want


@given(
    st.integers(1, 12), st.integers(1, 4), st.integers(1, 3), st.integers(1, 3),
    st.integers(0, 3), st.integers(0, 3), st.booleans(),
)  # fmt: skip
@settings(max_examples=400, deadline=None)
def test_window_counts_positions(size, kernel, stride, dilation, before, after, ceil):
    extent = (kernel - 1) * dilation + 1
    total = size + before + after
    if total < extent:
        with pytest.raises(InferError, match="larger than the padded input"):
            window.window_output(size, kernel, stride, before, after, dilation, ceil)
        return
    starts = list(range(0, total - extent + 1, stride))
    if ceil and starts[-1] + extent < total and starts[-1] + stride < size + before:
        starts.append(starts[-1] + stride)
    got = window.window_output(size, kernel, stride, before, after, dilation, ceil)
    if max(before, after) < extent:  # else some window sees padding only, which nobody asks for
        assert got == len(starts)


@given(st.integers(1, 20), st.integers(1, 5), st.integers(1, 4), st.integers(1, 3))
@settings(max_examples=200, deadline=None)
def test_same_pads_give_same_output(size, kernel, stride, dilation):
    before, after = window.same_pads(size, kernel, stride, dilation)
    assert 0 <= after - before <= 1
    want = window.same_output(size, stride)
    assert window.window_output(size, kernel, stride, before, after, dilation) == want


def test_window_of_an_unknown_size():
    assert window.window_output(-1, 3, 2, 1, 1) == -1
    assert window.same_output(-1, 2) == -1


@given(st.lists(SHAPES, min_size=1, max_size=3), st.data())
@settings(max_examples=300, deadline=None)
def test_concat_is_numpys(shapes, data):
    first = shapes[0]
    if not first:
        return
    axis = data.draw(st.integers(-len(first), len(first) - 1))
    at = axis % len(first)
    fixed = [(*first[:at], data.draw(DIMS), *first[at + 1 :]) for _ in shapes]
    want = np.concatenate([np.zeros(s) for s in fixed], axis).shape
    assert joining.concat_shape(fixed, axis) == want
    assert covers(joining.concat_shape([hide(data, s) for s in fixed], axis), want)
    equal = [first] * len(shapes)
    want = np.stack([np.zeros(s) for s in equal], axis).shape
    assert joining.stack_shape(equal, axis) == want
    assert joining.unstack_shape(want, axis, len(equal)) == first


def test_concat_refines_and_refuses():
    assert joining.concat_shape([(2, -1), (3, 4)], 0) == (5, 4)
    assert joining.concat_shape([(2, -1), (-1, 3)], 1) == (2, -1)
    with pytest.raises(InferError, match="differ on axis 1"):
        joining.concat_shape([(2, 3), (2, 4)], 0)
    with pytest.raises(InferError, match="differ in rank"):
        joining.concat_shape([(2, 3), (2,)], 0)
    with pytest.raises(InferError, match="nothing to join"):
        joining.concat_shape([], 0)


def test_splits():
    assert joining.split_shapes((4, 6), 1, 3) == [(4, 2)] * 3
    assert joining.split_shapes((-1, 6), 0, 2) == [(-1, 6)] * 2
    assert joining.split_sizes((4, 6), 1, [1, -1, 2], 3) == [(4, 1), (4, 3), (4, 2)]
    assert joining.split_sizes((-1,), 0, [1, -1], 2) == [(1,), (-1,)]
    assert joining.split_sizes((4,), 0, None, 2) == [(-1,), (-1,)]
    with pytest.raises(InferError, match="evenly"):
        joining.split_shapes((5,), 0, 2)
    with pytest.raises(InferError, match="add up"):
        joining.split_sizes((5,), 0, [2, 2], 2)
    with pytest.raises(InferError, match="entries"):
        joining.split_sizes((5,), 0, [5], 2)


@given(SHAPES, st.data())
@settings(max_examples=200, deadline=None)
def test_pad_and_tile_are_numpys(shape, data):
    pads = [(data.draw(st.integers(0, 2)), data.draw(st.integers(0, 2))) for _ in shape]
    want = np.pad(np.zeros(shape), pads).shape if shape else ()
    assert joining.pad_shape(shape, pads) == want
    assert covers(joining.pad_shape(hide(data, shape), pads), want)
    times = [data.draw(st.integers(0, 3)) for _ in shape]
    assert joining.tile_shape(shape, times) == np.tile(np.zeros(shape), times).shape


def test_padding_may_crop_but_not_below_zero():
    assert joining.pad_shape((4,), [(-1, -2)]) == (1,)
    with pytest.raises(InferError, match="negative size"):
        joining.pad_shape((2,), [(-1, -2)])


@given(SHAPES, st.data())
@settings(max_examples=400, deadline=None)
def test_strided_slice_is_pythons(shape, data):
    n = len(shape)
    begin = [data.draw(st.integers(-5, 5)) for _ in range(n)]
    end = [data.draw(st.integers(-5, 5)) for _ in range(n)]
    step = [data.draw(st.sampled_from([-2, -1, 1, 2])) for _ in range(n)]
    bm, em = data.draw(st.integers(0, 15)), data.draw(st.integers(0, 15))
    index = tuple(
        slice(None if bm >> i & 1 else begin[i], None if em >> i & 1 else end[i], step[i])
        for i in range(n)
    )
    want = np.zeros(shape)[index].shape
    got = slicing.strided_slice_shape(shape, begin, end, step, bm, em)
    assert got == want
    assert covers(slicing.strided_slice_shape(hide(data, shape), begin, end, step, bm, em), want)
    assert covers(slicing.strided_slice_shape(shape, None, end, step, bm, em), want)


def test_strided_slice_masks():
    f = slicing.strided_slice_shape
    assert f((4, 5, 6), [0, 1], [0, 3], [1, 1], ellipsis_mask=1) == (4, 5, 2)
    assert f((4, 5), [0, 0, 1], [0, 0, 3], [1, 1, 1], 2, 2, new_axis_mask=1) == (1, 4, 2)
    assert f((4, 5), [-1], [0], [1], shrink_axis_mask=1) == (5,)
    with pytest.raises(InferError, match="outside the axis"):
        f((4, 5), [4], [0], [1], shrink_axis_mask=1)
    with pytest.raises(InferError, match="zero"):
        f((4,), [0], [2], [0])
    with pytest.raises(InferError, match="more entries"):
        f((4,), [0, 0], [2, 2], [1, 1])


def test_slice():
    assert slicing.slice_shape((4, 5), [1, 2], [2, -1]) == (2, 3)
    assert slicing.slice_shape((-1, 5), [1, 0], [-1, 2]) == (-1, 2)
    assert slicing.slice_shape((4, 5), None, [2, -1]) == (2, -1)
    assert slicing.slice_shape((4, 5), [0, 0], None) == (-1, -1)
    with pytest.raises(InferError, match="beyond"):
        slicing.slice_shape((4,), [3], [2])


@given(SHAPES, SHAPES, st.data())
@settings(max_examples=200, deadline=None)
def test_gather_is_numpys(shape, idx, data):
    if not shape:
        return
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    if shape[axis] == 0:
        return
    want = np.take(np.zeros(shape), np.zeros(idx, int), axis).shape
    assert slicing.gather_shape(shape, idx, axis) == want
    assert covers(slicing.gather_shape(hide(data, shape), hide(data, idx), axis), want)


def test_gather_with_batch_dims():
    assert slicing.gather_shape((2, 5, 3), (2, 4), 1, 1) == (2, 4, 3)
    with pytest.raises(InferError, match="batch dims"):
        slicing.gather_shape((2, 5), (3, 4), 1, 1)


def test_refine_and_widen():
    assert dims.refine((2, -1), (-1, 3)) == (2, 3)
    assert dims.widen((2, 3), (2, 4)) == (2, -1)
    assert dims.widen((2,), (2, 3)) is None
    with pytest.raises(InferError):
        dims.refine((2,), (3,))
    assert dims.product((2, -1, 0)) == 0
    assert dims.product((2, -1)) == -1
    assert dims.show((2, -1)) == "2x?"
