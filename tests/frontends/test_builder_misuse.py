"""The builder used wrongly: one diagnostic at the caller's line, and the graph is as before."""

from __future__ import annotations

import inspect
import re
import sys
import warnings
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from ge_dialect import api
from ge_dialect.builder import Graph, ge
from ge_dialect.builder.foreign import FOREIGN
from ge_dialect.diagnostics import GeError
from ge_dialect.dtypes import to_xdsl
from ge_dialect.ops.registry import has_op, op_class

#: Without the types of the stub, which knows what is wrong before it runs.
anything: Any = ge


def started() -> tuple[Graph, Any]:
    """A graph with one input."""
    g = Graph("g")
    return g, g.input("x", (2, 3))


def refused(call: Callable[[], object], code: str, words: str = "") -> None:
    """The call must end with that code, and no warning of numpy, at a line of this file."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(GeError) as caught:
            call()
    problem = caught.value.diagnostics[0]
    assert problem.code == code, problem.render()
    assert words in problem.render()
    assert problem.location is not None
    assert problem.location.startswith(__file__)


@pytest.mark.parametrize("name", ["", None, 3])
def test_names_that_are_no_text(name: Any) -> None:
    refused(lambda: Graph(name), "GX-108", "a text")
    refused(lambda: Graph("g").input(name, (2,)), "GX-108", "a text")


@pytest.mark.parametrize(
    "shape",
    [3, "ab", ..., np.array(2), (-5,), (2.0,), (2.5,), (True,), ("",), ((2,),), (..., 2)],
    ids=repr,
)
def test_shapes_that_are_none(shape: Any) -> None:
    refused(lambda: Graph("g").input("x", shape), "GX-108", "a shape")
    refused(lambda: Graph("g").ref_input("x", shape), "GX-108", "a shape")
    refused(lambda: Graph("g").variable("x", shape=shape), "GX-108", "a shape")


def test_sizes_of_numpy() -> None:
    x = Graph("g").input("x", np.array([2, 3]))
    assert x.shape == (2, 3)
    assert all(type(n) is int for n in x.shape)


@pytest.mark.parametrize(
    ("dtype", "name"),
    [
        *(("float16", "float16"), ("f16", "float16"), ("bf16", "bfloat16"), ("f32", "float32")),
        *(("i1", "bool"), ("ui8", "uint8"), ("i64", "int64"), ("complex<f32>", "complex64")),
        *((np.float16, "float16"), (np.dtype("int8"), "int8"), (np.bool_, "bool"), (bool, "bool")),
        *((ml_dtypes.bfloat16, "bfloat16"), (np.dtype(ml_dtypes.int4), "int4")),
        *((to_xdsl("float8_e5m2"), "float8_e5m2"), ("f8E5M2", "float8_e5m2")),
    ],
)
def test_what_names_a_dtype(dtype: Any, name: str) -> None:
    g = Graph("g")
    x = g.input("x", (2,), dtype)
    assert x.dtype == name
    assert g.const(1, dtype).dtype == g.variable("v", shape=(2,), dtype=dtype).dtype == name
    y = g.input("y", (2,), "float32" if name != "float32" else "float16")
    assert y.cast(dtype).dtype == ge.Cast(y, dst_type=dtype).dtype == name
    assert x.cast(dtype) is x


def test_dtypes_of_attributes_and_results() -> None:
    g, x = started()
    with g:
        assert ge.RandomUniform([2, 3], dtype=np.float16).dtype == "float16"
        assert ge.RandomUniform([2, 3], dtype="bf16").dtype == "bfloat16"
    assert anything.Relu(x, results=[((2, 3), np.float32)]).dtype == "float32"


@pytest.mark.parametrize(
    ("dtype", "said"),
    [
        *(
            (np.float128, "numpy.longdouble"),
            ("floot16", "'float16'?"),
            (float, "'float32' or"),
            (3, ""),
        ),
        *((None, ""), ("tensor", ""), (np.array(1.0), ""), (">f4", ""), (np.dtype(">f4"), "")),
    ],
)
def test_what_names_no_dtype(dtype: Any, said: str) -> None:
    refused(lambda: Graph("g").input("x", (2,), dtype), "GX-108", said)
    refused(lambda: started()[1].cast(dtype), "GX-108", said)


def test_names_of_other_libraries() -> None:
    """Every name leads to operators that are there, with inputs and attributes they have."""
    for name, told in FOREIGN.items():
        for op_type in re.findall(r"\bge\.([A-Z]\w*)", told):
            assert has_op(op_type), name
        for op_type, given in re.findall(r"\bge\.([A-Z]\w*)\(([^)]*)\)", told):
            table = op_class(op_type).ge_table()
            known = [*table.attrs, *(slot.name for slot in table.inputs)]
            assert set(re.findall(r"(\w+)=", given)) <= set(known), name


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda g, x: x.sum(), "a tensor has no 'sum'; here it is ge.ReduceSumD(x, axes=[...])"),
        (lambda g, x: x.relu(), "here it is ge.Relu(x)"),
        (lambda g, x: x.T, "here it is x.transpose()"),
        (lambda g, x: x.astype(np.float16), "x.cast('float16')"),
        (lambda g, x: x.qqqqqq, "a tensor has no 'qqqqqq'"),
        (lambda g, x: anything.matmul(x, x), "ge.MatMulV2(x, b), x @ b"),
        (lambda g, x: anything.concat([x, x]), "ge.ConcatD([x, b], concat_dim="),
        (lambda g, x: anything.relu(x), "did you mean ge.Relu"),
        (lambda g, x: anything.log_softmax(x), "LogSoftmaxV2"),
        (lambda g, x: anything.qqqqqq(x), "no operator 'qqqqqq'"),
        (lambda g, x: g.relu(x), "a graph has no 'relu'; here it is ge.Relu"),
        (lambda g, x: g.outputs(x), "a graph has no 'outputs'; did you mean 'output'"),
    ],
)
def test_habits_from_other_libraries(ask: Callable[[Any, Any], object], said: str) -> None:
    with pytest.raises(AttributeError, match=re.escape(said)):
        ask(*started())


def test_functions_of_numpy_take_no_tensors() -> None:
    x: Any = started()[1]
    calls: tuple[Callable[[], object], ...] = (
        lambda: np.mean(x),
        lambda: np.concatenate([x, x]),
        lambda: np.where(x, 1, 2),
    )
    for call, said in zip(calls, ("ReduceMeanD", "ConcatD", "SelectV2"), strict=True):
        with pytest.raises(TypeError, match=f"takes no tensor of a graph; here it is ge.{said}"):
            call()


def nested(depth: int) -> Graph:
    """A graph of Ifs, each in the one before; the innermost uses values of the outermost."""
    g, x = started()

    def inside(left: int) -> Any:
        if left == 0:
            return x + 1
        return ge.If(x[0, 0] > 0, then_branch=lambda: inside(left - 1), else_branch=lambda: x)[0]

    g.output(inside(depth))
    return g


def test_deep_nesting() -> None:
    limit = sys.getrecursionlimit()
    model = nested(100).model()
    assert api.evaluate(model, [np.ones((2, 3), np.float32)]).outputs[0].tolist() == [[2] * 3] * 2
    assert api.parse(model.text()).text() == model.text()
    for depth in (101, 300):
        refused(lambda n=depth: nested(n), "GX-110", "more than 100 levels")
    assert sys.getrecursionlimit() == limit


@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        (300, "int8"),
        (-1, "uint8"),
        ([9], "int4"),
        (2**63, "int64"),
        (1.5, "int32"),
        (float("nan"), "int32"),
        (1e6, "float16"),
        (1e300, "float32"),
        (1j, "float32"),
        ("1", "float32"),
        (np.array([1j]), "float32"),
        (np.array([None]), None),
        (np.array(["a"], object), None),
    ],
)
def test_constants_that_do_not_fit(value: Any, dtype: str | None) -> None:
    g = Graph("g")
    refused(lambda: g.const(value, dtype), "GX-131")
    assert g.const(1).name == "Const"  # the first there is


def test_constants_that_fit() -> None:
    g = Graph("g")
    for value, dtype in ((float("nan"), "float16"), (float("inf"), "float16"), (-8, "int4")):
        assert g.const(value, dtype).dtype == dtype
    assert g.const(np.array([300.7]), "int32").dtype == "int32"  # arrays are converted


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda x: x & 1, "GX-209"),
        (lambda x: x + 1j, "GX-131"),
        (lambda x: x[x], "GX-209"),
        (lambda x: x[np.array([0, 1])], "GX-106"),
        (lambda x: x[: np.array([0, 1])], "GX-106"),
        (lambda x: ge.TopKV2(x, 2.5), "GX-209"),
        (lambda x: ge.Relu(x, results=3), "GX-106"),  # type: ignore[arg-type]
        (lambda x: ge.Relu(x, results=[((9,), "float32")]), "GX-221"),
        (lambda x: ge.ConcatD([x, x], concat_dim=2**70), "GX-108"),
        (lambda x: ge.Case(x, branches=[]), "GX-106"),
        (lambda x: ge.If(x[0, 0] > 0, then_branch=lambda a: x, else_branch=lambda: x), "GX-106"),
        (lambda x: ge.While([x], cond=lambda: x, body=lambda a: a), "GX-106"),
        (lambda x: ge.NetOutput(x), "GX-132"),
    ],
)
def test_a_refused_call_leaves_nothing(call: Callable[[Any], object], code: str) -> None:
    g, x = started()
    _ = x[0, 0] > 0  # what the condition needs is there before
    refused(lambda: call(x), code)
    g.output(ge.Neg(x))
    g.module()
    assert all(type(u.operation).__name__ != "BitwiseAnd" for u in x.ssa.uses)


def test_readers_that_were_refused_do_not_count() -> None:
    g, x = started()
    for _ in range(3):
        refused(lambda: x & 1, "GX-209")
        refused(lambda: ge.Relu(x, results=[((9,), "float32")]), "GX-221")
    assert len(list(x.ssa.uses)) == 0
    g.output(x)
    assert [type(op).__name__ for op in g.module().body.block.ops] == ["GraphOp"]


def test_what_a_body_raises_leaves_nothing() -> None:
    g, x = started()
    condition = x[0, 0] > 0
    before = g.scope.block.last_op

    def broken() -> Any:
        _ = x * 2
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError):
        ge.If(condition, then_branch=broken, else_branch=lambda: x)
    assert g.scope.block.last_op is before
    (y,) = ge.If(condition, then_branch=lambda: x * 2, else_branch=lambda: x)
    g.output(y)
    found = api.evaluate(g.model(), {"x": np.ones((2, 3), np.float32)})
    assert (found.outputs[0] == 2).all()


def test_bodies_of_any_signature() -> None:
    g, x = started()
    (y,) = ge.PartitionedCall([x], f=lambda *a: a[0] + 1)
    (z,) = ge.PartitionedCall([y], f=lambda a, b=2: a * b)
    g.output(z)
    found = api.evaluate(g.model(), {"x": np.ones((2, 3), np.float32)})
    assert (found.outputs[0] == 4).all()


def test_the_line_is_that_of_the_caller() -> None:
    _, x = started()
    with pytest.raises(GeError) as caught:
        ge.ConcatD([x, x], concat_dim=7)
    frame = inspect.currentframe()
    assert frame is not None
    assert caught.value.diagnostics[0].location == f"{__file__}:{frame.f_lineno - 3}:1"
