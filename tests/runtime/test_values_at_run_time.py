"""Sizes and axes that come with the run: where they contradict what is declared, all say so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import prod
from random import Random
from typing import Any

import numpy as np
import pytest

from ge_dialect.api import Model, evaluate, parse
from ge_dialect.diagnostics import GeError
from ge_dialect.ir.build import build, graph
from ge_dialect.ir.types import shape_of
from ge_dialect.ops.registry import op_class
from ge_dialect.semantics.budget import Budget, limited
from passes.testing.applications import Application, accepts, applications, arrays
from runtime import simulate
from tests.runtime import test_kernels_golden_drawn as drawn
from tests.runtime.test_odd_integers import integers, numbers, small

F32 = np.float32
EXPAND = "%y = ge.Expand(%x, %v) : tensor<2x3xf32>"
CONCAT = "%y = ge.ConcatV2([%x, %x], %v) {N = 2} : tensor<4x1xf32>"
DIMS = "%y = ge.ExpandDims(%x, %v) : tensor<2x1x1xf32>"
#: A node, the type of its values, right ones, wrong ones, and how the wrong ones are refused.
NODES = [
    (EXPAND, "2xi64", [2, 3], [3, 4], "GX-221"),
    (EXPAND, "2xi64", [2, 3], [2, 4], "GX-243"),
    ("%y = ge.GatherV2(%x, %v, %v) : tensor<1x1xf32>", "1xi64", [0], [2], "GX-222"),
    (CONCAT, "i32", 0, 1, "GX-243"),
    (CONCAT, "i32", 0, 2, "GX-222"),
    (DIMS, "i64", 1, 0, "GX-243"),
    (DIMS, "i64", 1, 5, "GX-222"),
    ("%y = ge.BroadcastTo(%x, %v) : tensor<2x2xf32>", "2xi32", [2, 2], [2, -3], "GX-223"),
    ("%y = ge.Cumsum(%x, %v) : tensor<2x1xf32>", "i32", -1, 2, "GX-222"),
]
WAYS: dict[str, Callable[..., Any]] = {
    "golden": lambda model, args: evaluate(model, args),
    "eager": lambda model, args: simulate(model, args, mode="eager"),
    "graph": lambda model, args: simulate(model, args),
}


@pytest.mark.parametrize(("node", "type_", "right", "wrong", "code"), NODES)
def test_values_that_contradict_the_types(
    node: str, type_: str, right: Any, wrong: Any, code: str
) -> None:
    text = f"ge.graph @g(%x: tensor<2x1xf32>, %v: tensor<{type_}>) {{ {node}\n ge.NetOutput(%y) }}"
    dtype = np.int32 if type_.endswith("i32") else np.int64
    x = np.ones((2, 1), F32)
    said = []
    for name, run in WAYS.items():
        run(parse(text), [x, np.array(right, dtype)])
        if name == "graph" and "ExpandDims" in node:
            continue  # compiled, it is no task: nothing looks at its values
        with pytest.raises(GeError) as refused:
            run(parse(text), [x, np.array(wrong, dtype)])
        (found,) = refused.value.diagnostics
        assert (found.code, found.node) == (code, "y"), name
        said.append(found.render())
    assert len(set(said)) == 1


@pytest.mark.parametrize(
    ("x", "node", "value"),
    [
        ("1xf32", "%y = ge.SqueezeV3(%x, axes = %v) : tensor<f32>", np.array([3])),
        ("f32", "%y = ge.SqueezeV3(%x, axes = %v) : tensor<f32>", np.array([0])),
        ("2xf32", "%y:2 = ge.Split(%v, %x) {num_split = 2} : tensor<1xf32>, tensor<1xf32>",
         np.array([1], np.int32)),
    ],
)  # fmt: skip
def test_axes_that_are_not_there(x: str, node: str, value: np.ndarray) -> None:
    kind = "i32" if value.dtype == np.int32 else "i64"
    last = "%y#0" if ":2" in node else "%y"
    text = f"ge.graph @g(%x: tensor<{x}>, %v: tensor<1x{kind}>) {{ {node}\n ge.NetOutput({last}) }}"
    shape = tuple(int(d) for d in x.split("x")[:-1])
    for name in ("golden", "eager"):
        with pytest.raises(GeError) as refused:
            WAYS[name](parse(text), [np.zeros(shape, F32), value])
        assert refused.value.diagnostics[0].code == "GX-222", name


def as_graph(app: Application, types: tuple[Any, ...]) -> Model:
    """The application with its operands as inputs of a graph."""
    from xdsl.dialects.builtin import ModuleOp

    made, block = graph("g", [o.type for _, _, o in app.operands()])
    rest = iter(block.args)
    given = [
        None if a is None else [next(rest) for _ in a] if isinstance(a, tuple) else next(rest)
        for a in app.args
    ]
    op = build(app.op, given, dict(app.attrs), result_types=list(types), name="node")
    block.add_op(op)
    block.add_op(build("NetOutput", [list(op.ge_data_results)]))
    return Model(ModuleOp([made]))


def outcome(run: Callable[[], Any]) -> tuple[str, ...]:
    try:
        with limited(Budget(array_bytes=1 << 24)):
            run()
    except GeError as error:
        found = error.diagnostics[0]
        return found.code, found.message
    return ("ok",)


def check(op: str, count: int) -> int:
    """Wrong values of drawn applications: golden semantics and the eager device say the same."""
    random, refused = Random(op), 0
    for app in applications(op, 51, count):
        inferred = accepts(app)
        known = [p for p in integers(app) if p[2].values is not None]
        if inferred is None or not all(small(shape_of(t)) for t in inferred.types):
            continue
        sizes = [prod(shape_of(t) or ()) for t in inferred.types]
        if sizes and not any(sizes):
            continue  # nothing is launched
        if not known or any(o.dtype == "string" or o.ref for _, _, o in app.operands()):
            continue
        i, k, operand = random.choice(known)
        (number,) = numbers(app, operand, random, 1)
        args = arrays(app, 3)
        new = (args[i] if k is None else args[i][k]).copy()
        new.reshape(-1)[random.randrange(new.size)] = number
        open_ = app
        for a, b, o in known:
            open_ = open_.put(a, b, replace(o, values=None))
        model = as_graph(open_, inferred.types)
        flat = [
            new if (a, b) == (i, k) else args[a] if b is None else args[a][b]
            for a, b, _ in app.operands()
        ]
        wanted = outcome(lambda: evaluate(model, flat))  # noqa: B023
        said = outcome(lambda: simulate(model, flat, mode="eager"))  # noqa: B023
        if "GX-601" in said or wanted[0] in ("GX-248", "GX-242"):
            continue  # no engine takes it; the golden run is cut short
        message = wanted[-1] if wanted[-1].startswith(op) else f"{op}: {wanted[-1]}"
        assert said == (wanted if wanted == ("ok",) or wanted[0] == "GX-243" else
                        (wanted[0], message)), (str(app), number)  # fmt: skip
        refused += wanted != ("ok",)
    return refused


OPS = [t for t in drawn.ops() if not op_class(t).ge_table().graphs]


@pytest.mark.full
@pytest.mark.parametrize("op", OPS)
def test_wrong_values_are_refused_alike(op: str) -> None:
    print(op, check(op, 15))
