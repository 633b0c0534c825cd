"""Shapes as values, changes of shape, and operators that hand on: by hand."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from ge_dialect.api import parse
from ge_dialect.diagnostics import GeError
from ge_dialect.semantics import evaluate_graph
from ge_dialect.semantics.evaluator import apply_op


def ints(*values, dtype=np.int32):
    return np.array(values, dtype)


def test_shapes_as_values():
    a, b = np.zeros((2, 3)), np.zeros(())
    one, two = apply_op("ShapeN", [[a, b]], {"dtype": 9})
    assert one.tolist() == [2, 3]
    assert two.shape == (0,)
    assert one.dtype == np.int64
    (picked,) = apply_op("GatherShapes", [[a, np.zeros(7)]], {"axes": [[1, 0], [0, 1], [0, 0]]})
    assert picked.tolist() == [7, 3, 2]


def test_broadcast_arguments():
    (y,) = apply_op("BroadcastArgs", [ints(4, 1, 3), ints(5, 1)])
    assert y.tolist() == [4, 5, 3]
    with pytest.raises(GeError):
        apply_op("BroadcastArgs", [ints(2), ints(3)])


@pytest.mark.parametrize(
    ("a", "b", "first", "second"),
    [
        # the examples of TensorFlow's own tests
        ([2, 3, 5], [1], [], [0, 1, 2]),
        ([1], [2, 3, 5], [0, 1, 2], []),
        ([2, 3, 5], [5], [], [0, 1]),
        ([2, 3, 5], [3, 1], [], [0, 2]),
        ([2, 1, 5], [3, 1], [1], [0, 2]),
        ([3, 1], [2, 1, 5], [0, 2], [1]),
        ([2, 3, 5], [2, 3, 5], [], []),
        ([2, 1], [2, 1], [], []),
        ([1, 1], [1], [0, 1], [0, 1]),
    ],
)
def test_broadcast_gradient_arguments(a, b, first, second):
    y1, y2 = apply_op("BroadcastGradientArgs", [ints(*a), ints(*b)])
    assert (y1.tolist(), y2.tolist()) == (first, second)


def test_concat_offset():
    shapes = [ints(2, 2, 7), ints(2, 3, 7), ints(2, 9, 7)]
    got = apply_op("ConcatOffset", [np.int32(1), shapes], {"N": 3})
    assert [v.tolist() for v in got] == [[0, 0, 0], [0, 2, 0], [0, 5, 0]]


def test_changes_of_shape():
    x = np.arange(24).reshape(2, 3, 4)
    assert apply_op("FlattenV2", [x])[0].shape == (2, 12)
    assert apply_op("FlattenV2", [x], {"axis": 0, "end_axis": 1})[0].shape == (6, 4)
    assert apply_op("FlattenV2", [np.array(3)], {"axis": 0})[0].tolist() == [3]
    (y,) = apply_op("Permute", [x], {"order": [2, 0, 1]})
    assert all(y[k, i, j] == x[i, j, k] for i, j, k in np.ndindex(2, 3, 4))
    thin = x.reshape(2, 1, 3, 4, 1)
    assert apply_op("SqueezeV2", [thin])[0].shape == (2, 3, 4)
    assert apply_op("SqueezeV2", [thin], {"axis": [-1]})[0].shape == (2, 1, 3, 4)
    (y,) = apply_op("UnsqueezeV2", [x], {"axis": [4, 1]})
    assert y.shape == (2, 1, 3, 4, 1)
    (y,) = apply_op("TransShape", [x], {"outShape": [4, 6]})
    assert y.reshape(-1).tolist() == list(range(24))
    assert apply_op("ReFormat", [x])[0] is not None


def test_handing_on():
    x = np.array([1, -0.0, np.nan], ml_dtypes.bfloat16)
    for op in ("StopGradient", "PreventGradient", "GuaranteeConst", "PlaceholderWithDefault",
               "PlaceHolder", "End", "MemcpyAsync", "MemcpyAddrAsync"):  # fmt: skip
        assert apply_op(op, [x])[0].tobytes() == x.tobytes()
    assert [v.tolist() for v in apply_op("IdentityN", [[ints(1), ints(2, 3)]])] == [[1], [2, 3]]


def test_joins_by_place():
    a, b = np.array([[1, 2], [3, 4]]), np.array([[5], [6]])
    (y,) = apply_op("PhonyConcat", [[a, b]], {"concat_dim": [1], "N": [2]})
    assert y.tolist() == [[1, 2, 5], [3, 4, 6]]
    parts = apply_op("PhonySplit", [y], {"split_dim": [-1], "num_split": [3]})
    assert [p.tolist() for p in parts] == [[[1], [3]], [[2], [4]], [[5], [6]]]


def test_another_name_of_a_variable():
    graph = parse("""
    ge.graph @g() {
      %v = ge.Variable() {value = dense<[1, 2]> : tensor<2xi32>} : !ge.ref<tensor<2xi32>>
      %w = ge.RefIdentity(%v) : !ge.ref<tensor<2xi32>>
      %c = ge.Const() {value = dense<5> : tensor<2xi32>} : tensor<2xi32>
      %a = ge.AssignAdd(%w, %c) : !ge.ref<tensor<2xi32>>
      %r = ge.Read(%a) : tensor<2xi32>
      ge.NetOutput(%r)
    }
    """).graphs[0]
    result = evaluate_graph(graph)
    assert result.outputs[0].tolist() == [6, 7]
    assert result.state.variables["v"].value.tolist() == [6, 7]
