"""The builder used wrongly: one diagnostic at the caller's line, and the graph is as before."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ge_dialect import api
from ge_dialect.builder import Graph, ge
from ge_dialect.diagnostics import GeError


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


def test_dtypes_are_texts() -> None:
    refused(lambda: Graph("g").input("x", (2,), np.float32), "GX-108", "'float32'?")  # type: ignore[arg-type]


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
