"""The Python builder: what it makes, and what it says to a newcomer."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ge_dialect import api
from ge_dialect.builder import Graph, Node, Ref, Tensor, ge
from ge_dialect.builder.stubgen import STUB, stub_text
from ge_dialect.diagnostics import GeError
from ge_dialect.ir.names import file_location, node_name
from ge_dialect.ir.verifier import verify


@pytest.fixture
def g() -> Graph:
    return Graph("net")


@pytest.fixture
def x(g) -> Tensor:
    return g.input("x", (1, 3, 8, 8), "float16")


FILTER = np.ones((4, 3, 3, 3), np.float16)
CONV = {"strides": [1, 1, 1, 1], "pads": [1, 1, 1, 1], "data_format": "NCHW"}


def line() -> int:
    frame = inspect.currentframe()
    assert frame is not None
    assert frame.f_back is not None
    return frame.f_back.f_lineno


def said(fn) -> tuple[str, str, str | None]:
    """Code, message and hint of the one diagnostic, which points into this file."""
    with pytest.raises(GeError) as caught:
        fn()
    (found,) = caught.value.diagnostics
    assert str(found.location).startswith(f"{__file__}:")
    return found.code, found.message, found.hint


def values(g: Graph, **inputs) -> list[np.ndarray]:
    return api.evaluate(g.model(), inputs).outputs


# --- nodes -----------------------------------------------------------------------------------


def test_a_node_of_a_sub_graph_may_be_called_as_its_end(g):
    x, c = g.input("x", (4,)), g.input("c", (), "bool")
    made = ge.If(
        c,
        [x],
        then_branch=lambda a: ge.Relu(a, name="NetOutput"),
        else_branch=lambda a: ge.Neg(a),
    )
    g.output(made[0])
    module = g.module()
    assert not verify(module)
    ends = [b.last_op for op in module.walk() for r in op.regions for b in r.blocks]
    assert [node_name(e) for e in ends if e.name == "ge.NetOutput"] == [
        "NetOutput", "NetOutput_1", "NetOutput",
    ]  # fmt: skip


def test_a_small_net(g, x):
    y = ge.Relu(ge.Conv2D(x, FILTER, **CONV, name="conv") * 2 + 1, name="act")
    assert (y.shape, y.dtype, y.rank, y.name) == ((1, 4, 8, 8), "float16", 4, "act")
    g.output(y, name="y")
    model = g.model()
    assert verify(model.module) == []
    text = model.text()
    assert api.parse(text, weights=model.weights).text() == text
    assert 'ge.output_names = ["y"]' in text
    assert [node_name(op) for op in model.graphs[0].body.ops] == [
        *("conv_filter", "conv", "Mul_x2", "Mul", "Add_x2", "Add", "act", "NetOutput")
    ]
    (found,) = api.evaluate(model, {"x": np.ones((1, 3, 8, 8), np.float16)}).outputs
    assert (found[0, 0, 1, 1], found[0, 0, 0, 0]) == (55, 25)


def test_nodes_know_their_line(g, x):
    y, here = ge.Relu(x), line()
    assert y.op is not None
    assert file_location(y.op) == f"{__file__}:{here}:1"


def test_several_results_are_a_named_tuple(g, x):
    found = ge.TopKV2(x, 2)
    assert found._fields == ("values", "indices")
    assert (found.values.dtype, found.indices.dtype) == ("float16", "int32")
    parts = ge.SplitD(x, split_dim=1, num_split=3)
    assert [p.shape for p in parts] == [(1, 1, 8, 8)] * 3
    assert isinstance(ge.NoOp(after=found.values), Node)


def test_the_number_of_a_list_is_counted(g, x):
    joined = ge.ConcatD([x, x, x], concat_dim=1)
    assert joined.shape == (1, 9, 8, 8)
    assert joined.op.ge_attr("N") == 3


def test_names_of_python(g):
    c = g.input("c", (3,), "bool")
    a, b = g.input("a", (3,)), g.input("b", (3,))
    assert ge.SelectV2(c, a, b).shape == (3,)
    assert ge.SelectV2(condition=c, then=a, else_=b).shape == (3,)


def test_control_edges(g, x):
    first = ge.Relu(x, name="first")
    second = ge.Neg(x, after=first)
    third = ge.Abs(x, after=[first, second])
    g.output(second, third)
    text = g.model().text()
    assert "ge.Neg(%x) after(%first_done)" in text
    assert "ge.Abs(%x) after(%first_done, %Neg_done)" in text


def test_dims_with_names_and_without(g):
    x = g.input("x/0", ("batch", 3, None))
    y = g.input("any", None)
    assert (x.shape, y.shape, y.rank) == ((-1, 3, -1), None, None)
    g.output(ge.Relu(x), ge.Relu(y))
    model = g.model()
    assert 'ge.name = "x/0"' in model.text()
    assert 'ge.symbols = ["batch", "", ""]' in model.text()
    assert model.graphs[0].arg_names() == ["x/0", "any"]


# --- constants -------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16", "int32", "uint8", "float64"])
def test_numbers_take_the_type_of_their_neighbour(g, dtype):
    a = g.input("a", (3,), dtype)
    for made in (a + 1, 1 + a, ge.Maximum(a, [1, 2, 3]), ge.ClipByValue(a, 0, 2)):
        assert (made.dtype, made.shape) == (dtype, (3,))
        assert {o.type.element_type for o in made.op.operands} == {a.ssa.type.element_type}


def test_arrays_keep_their_type(g, x):
    assert g.const(np.ones(3, np.int8)).dtype == "int8"
    assert g.const([1, 2]).dtype == "int64"
    assert g.const(2.5).dtype == "float32"
    assert g.const([1, 2], "float16").dtype == "float16"
    assert ge.GatherV2(x, [0, 2], 1).shape == (1, 2, 8, 8)


def test_large_constants_are_weights(g):
    with g:
        big = ge.Const(value=np.arange(65, dtype=np.int16), name="big")
    small = g.const(np.arange(64), name="small")
    g.output(big, small)
    model = g.model()
    assert list(model.weights) == ["big"]
    assert '#ge.weight<"big">' in model.text()
    assert api.evaluate(model, {}).outputs[0].tolist() == list(range(65))


def test_numpy_on_the_left(g):
    a = g.input("a", (3,))
    b = np.arange(3, dtype=np.float32) * a
    assert isinstance(b, Tensor)
    g.output(b)
    assert values(g, a=np.ones(3, np.float32))[0].tolist() == [0, 1, 2]


# --- Python's operators ----------------------------------------------------------------------


def test_operators_mean_what_numpy_means(g):
    fns = [
        lambda a, b: a + b,
        lambda a, b: a - b,
        lambda a, b: 2 - a,
        lambda a, b: a * b,
        lambda a, b: a / b,
        lambda a, b: 1 / b,
        lambda a, b: a // b,
        lambda a, b: a % b,
        lambda a, b: a**2,
        lambda a, b: 2**a,
        lambda a, b: -a,
        lambda a, b: abs(a),
        lambda a, b: a @ b.T if isinstance(b, np.ndarray) else a @ b.transpose(1, 0),
        lambda a, b: a < b,
        lambda a, b: a >= b,
        lambda a, b: (a > b) & ~(a <= 1),
        lambda a, b: (a > b) | (a <= 1),
        lambda a, b: (a > b) ^ (a <= 1),
    ]
    rng = np.random.default_rng(0)
    one, two = (rng.uniform(1, 3, (3, 4)).astype(np.float32) for _ in range(2))
    a, b = g.input("a", (3, 4)), g.input("b", (3, 4))
    g.output(*(fn(a, b) for fn in fns))
    for found, fn in zip(values(g, a=one, b=two), fns, strict=True):
        wanted = fn(one, two)
        assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
        np.testing.assert_allclose(found, wanted, rtol=1e-6)


@pytest.mark.parametrize(
    "index",
    [
        np.s_[0],
        np.s_[-1, ..., 2],
        np.s_[:, 1:3],
        np.s_[..., ::-1],
        np.s_[None, 1:, None, :, -2],
        np.s_[2:0:-1, :, 4:100],
        np.s_[0, 0, 0],
        np.s_[...],
    ],
)
def test_indexing_is_numpys(g, index):
    array = np.arange(60, dtype=np.float32).reshape(3, 4, 5)
    a = g.input("a", array.shape)
    g.output(a[index])
    np.testing.assert_array_equal(values(g, a=array)[0], array[index])


def test_indexing_by_a_tensor(g):
    a, i = g.input("a", (5, 2)), g.input("i", (3,), "int64")
    g.output(a[i])
    found = values(g, a=np.arange(10, dtype=np.float32).reshape(5, 2), i=np.array([4, -1, 0]))
    assert found[0].tolist() == [[8, 9], [8, 9], [0, 1]]


def test_methods(g, x):
    assert x.cast("float32").dtype == "float32"
    assert x.cast("float16") is x
    assert x.reshape(3, -1).shape == x.reshape([3, -1]).shape == (3, 64)
    assert x.transpose().shape == (8, 8, 3, 1)
    assert x.transpose(0, 2, 3, 1).shape == (1, 8, 8, 3)


# --- sub-graphs and state --------------------------------------------------------------------


def test_if_takes_what_its_functions_use(g):
    n = g.input("n", (), "int64")
    a, b = g.input("a", (2,)), g.input("b", (2,))
    c = b + 1
    (y,) = ge.If(n > 3, then_branch=lambda: a + c, else_branch=lambda: c * a + b)
    g.output(y)
    model = g.model()
    (node,) = [op for op in model.graphs[0].body.ops if op.name == "ge.If"]
    assert len(node.operands) == 4  # the condition, a, c and b
    arrays = {"a": np.array([1, 2], "f4"), "b": np.array([3, 4], "f4")}
    for number, wanted in ((4, [5, 7]), (3, [7, 14])):
        found = api.evaluate(model, {"n": np.array(number), **arrays}).outputs[0]
        assert found.tolist() == wanted


def test_if_with_inputs_and_several_outputs(g):
    a = g.input("a", (2,))
    made = ge.If(True, [a, a * 2], then_branch=lambda p, q: (p, q, 1.0),
                 else_branch=lambda p, q: [q, p, 2.0])  # fmt: skip
    assert [(m.dtype, m.shape) for m in made] == [*[("float32", (2,))] * 2, ("float32", ())]
    g.output(*made)
    assert [v.tolist() for v in values(g, a=np.ones(2, "f4"))] == [[1, 1], [2, 2], 1]


def test_while_keeps_what_it_does_not_change(g):
    a, n = g.input("a", (2,)), g.input("n", (), "int64")
    step = a * 2
    i, total = ge.While([0 * n, a], cond=lambda i, t: i < n, body=lambda i, t: (i + 1, t + step))
    g.output(i, total)
    count, found = values(g, a=np.array([1, 2], "f4"), n=np.array(3))
    assert (int(count), found.tolist()) == (3, [7, 14])


def test_nested_sub_graphs(g):
    a, n = g.input("a", ()), g.input("n", (), "int64")

    def inner():
        (y,) = ge.If(n > 1, then_branch=lambda: a * 2, else_branch=lambda: a * 3)
        return y + a

    (y,) = ge.If(n > 0, then_branch=inner, else_branch=lambda: a)
    g.output(y)
    model = g.model()
    assert [
        float(api.evaluate(model, {"a": np.float32(5), "n": np.array(n)}).outputs[0])
        for n in (0, 1, 2)
    ] == [5, 20, 15]


def test_calls_and_cases(g):
    x, i = g.input("x", (2,)), g.input("i", (), "int32")
    (y,) = ge.PartitionedCall([x], f=lambda a: ge.Relu(a) + x)
    (z,) = ge.Case(i, [x], branches=[lambda a: a + 1, lambda a: a * y, lambda a: a])
    assert (y.shape, z.shape) == ((2,), (2,))
    g.output(y, z)
    (node,) = [op for op in g.model().graphs[0].body.ops if op.name == "ge.Case"]
    assert (len(node.regions), len(node.operands)) == (3, 3)


def test_state_in_branches_is_ordered_too(g):
    i = g.input("i", (), "int32")
    v = g.variable("v", [1.0, 2.0])

    def bump():
        v.assign_add([1, 1])
        return v.read()

    (inner,) = ge.If(i > 0, then_branch=bump, else_branch=v.read)
    g.output(inner, v.read())
    model = g.model()
    for number, wanted in ((0, [1, 2]), (1, [2, 3])):
        found = api.evaluate(model, {"i": np.int32(number)}).outputs
        assert [f.tolist() for f in found] == [wanted, wanted]


def test_variables_are_read_and_written_in_order(g):
    v = g.variable("v", np.zeros(2, np.float32))
    assert isinstance(v, Ref)
    assert (v.shape, v.dtype) == ((2,), "float32")
    before = v.read()
    v.assign(before + 1)
    v.assign_add([10, 20])
    g.output(before, v.read())
    assert [o.tolist() for o in values(g)] == [[0, 0], [11, 21]]


def test_a_ref_input(g):
    r = g.ref_input("state", (2,))
    r.assign_add([1, 1])
    g.output(r.read())
    assert "!ge.ref<tensor<2xf32>>" in g.model().text()


# --- what a newcomer gets wrong --------------------------------------------------------------


def test_wrong_rank(g, x):
    code, message, _ = said(lambda: ge.Conv2D(x, FILTER[0], **CONV))
    assert (code, message) == ("GX-220", "Conv2D: filter has the wrong rank")


def test_missing_attribute(g, x):
    found = said(lambda: ge.Conv2D(x, FILTER, pads=[0, 0, 0, 0]))
    assert found[:2] == ("GX-104", "Conv2D needs the attribute 'strides'")


@pytest.mark.parametrize(
    ("given", "hint"),
    [
        ("stride", "strides"),
        ("dilation", "dilations"),
        ("dataformat", "data_format"),
        ("filtre", "filter"),
    ],
)  # fmt: skip
def test_unknown_attribute_suggests_the_nearest(g, x, given, hint):
    code, message, said_hint = said(lambda: ge.Conv2D(x, FILTER, **{**CONV, given: 1}))
    assert code == "GX-104"
    assert message == f"Conv2D has neither input nor attribute {given!r}"
    assert said_hint == f"did you mean {hint!r}?"


def test_unknown_operator_suggests_the_nearest():
    with pytest.raises(AttributeError, match=r"did you mean ge\.Conv2D\?"):
        ge.Conv2d  # noqa: B018
    with pytest.raises(AttributeError, match=r"GE has no operator 'zzzz'$"):
        ge.zzzz  # noqa: B018


def test_tensor_of_another_graph(g, x):
    other = Graph("other").input("z", (3,))
    code, message, _ = said(lambda: x + other)
    assert (code, message) == ("GX-130", "<tensor 'z' float32[3]> belongs to another graph")


def test_tensor_of_a_finished_sub_graph(g, x):
    kept = []

    def branch():
        kept.append(x * 2)
        return kept[0]

    ge.If(g.const(True), then_branch=branch, else_branch=lambda: x)
    code, _, hint = said(lambda: kept[0] + 1)
    assert (code, hint) == ("GX-130", "return it from the sub-graph")


@pytest.mark.parametrize(
    ("fn", "code", "words"),
    [
        (lambda g, x: ge.Conv2D(x, **CONV), "GX-106", "needs the input 'filter'"),
        (lambda g, x: ge.Conv2D(x, FILTER, strides=1, pads=[0] * 4), "GX-108", "list of integers"),
        (lambda g, x: ge.Relu(x, x), "GX-106", "takes 1 inputs"),
        (lambda g, x: ge.Relu(np.ones(3)), "GX-132", "which graph is meant"),
        (lambda g, x: ge.Relu("x"), "GX-132", "which graph is meant"),
        (lambda g, x: x + "a", "GX-131", "neither tensor nor number"),
        (lambda g, x: x * [[1, 2], [3]], "GX-131", "one shape"),
        (lambda g, x: g.input("i", (2,), "int8") + 300, "GX-131", "out of the range of int8"),
        (lambda g, x: g.input("i", (2,), "int8") + 0.5, "GX-131", "does not fit int8"),
        (lambda g, x: x + np.ones(3, np.float16), "GX-221", "do not broadcast"),
        (lambda g, x: ge.Relu(ge.TopKV2(x, 1)), "GX-106", "is one tensor"),
        (lambda g, x: ge.Assign(x, x), "GX-204", "has the wrong type"),
        (lambda g, x: ge.Relu(g.variable("v", 1.0)), "GX-204", "has the wrong type"),
        (lambda g, x: bool(x > 1), "GX-106", "no truth value"),
        (lambda g, x: list(x), "GX-106", "cannot be iterated"),
        (lambda g, x: x[x > 1], "GX-106", "a mask is no index"),
        (lambda g, x: x["a"], "GX-106", "is no index"),
        (lambda g, x: x @ x[0, 0, 0], "GX-106", "multiplies matrices"),
        (lambda g, x: g.input("x", (1,)), "GX-133", "has an input 'x' already"),
        (lambda g, x: [ge.Relu(x, name="a"), ge.Relu(x, name="a")], "GX-133", "a node 'a' already"),
        (lambda g, x: ge.Relu(x, name=3), "GX-108", "name is a text"),
        (lambda g, x: x.cast("flaot32"), "GX-108", "no dtype 'flaot32'"),
        (lambda g, x: ge.Relu(x, after=x), "GX-107", "orders nothing"),
        (lambda g, x: ge.Relu(x, after=3), "GX-106", "cannot wait for 3"),
        (lambda g, x: ge.If(True, [x], then_branch=lambda a: a), "GX-106", "'else_branch'"),
        (lambda g, x: ge.If(True, [x], then_branch=x, else_branch=x), "GX-106", "is a function"),
        (lambda g, x: g.output(ge.TopKV2(x, 1)), "GX-106", "an output is a tensor"),
        (lambda g, x: g.module(), "GX-132", "has no output"),
        (lambda g, x: g.variable("v"), "GX-106", "a value or a shape"),
        (lambda g, x: [g.output(x), g.module(), ge.Relu(x)], "GX-132", "is finished"),
    ],
)  # fmt: skip
def test_what_newcomers_do(g, x, fn, code, words):
    found = said(lambda: fn(g, x))
    assert found[0] == code
    assert words in found[1]


def test_a_failed_call_leaves_nothing(g, x):
    g.output(ge.Relu(x))
    before = [op.name for op in g.scope.block.ops]
    said(lambda: ge.Conv2D(x, FILTER[0], **CONV, name="again"))
    assert [op.name for op in g.scope.block.ops] == before
    ge.Conv2D(x, FILTER, **CONV, name="again")
    assert verify(g.module()) == []


def test_errors_point_at_the_caller(g, x):
    here = line() + 2
    with pytest.raises(GeError) as caught:
        ge.Conv2D(x, FILTER)
    assert str(caught.value.diagnostics[0].location) == f"{__file__}:{here}:1"


def test_an_operator_without_a_rule_wants_its_result_types(g):
    from ge_dialect.builder.calls import infers
    from ge_dialect.ops.registry import op_class, op_names

    for name in op_names():
        cls = op_class(name)
        table = cls.ge_table()
        plain = len(table.inputs) == 1 and not table.inputs[0].is_ref and not table.graphs
        if infers(cls) or not plain or len(table.outputs) != 1 or table.outputs[0].is_ref:
            continue
        if any(a.required for a in table.attrs.values()):
            continue
        x = g.input("x", (2,), "float32")
        code, _, hint = said(lambda n=name, v=x: getattr(ge, n)(v))
        assert (code, "results=" in str(hint)) == ("GX-228", True)
        return
    pytest.fail("every operator has a rule now: drop `results`")


# --- the stub --------------------------------------------------------------------------------


def test_the_stub_is_current():
    assert STUB.read_text(encoding="utf-8") == stub_text(), "python -m ge_dialect.builder.stubgen"


def test_operators_are_listed_and_documented():
    from ge_dialect.ops.registry import op_names

    assert dir(ge) == sorted(op_names())
    assert "convolution" in str(ge.Conv2D.__doc__)


_TYPED = """
import numpy as np
from ge_dialect.builder import Graph, ge

g = Graph("net")
x = g.input("x", (1, 3, 8, 8), "float16")
y = ge.Conv2D(x, np.ones((4, 3, 3, 3), np.float16), strides=[1, 1, 1, 1], pads=(0, 0, 0, 0))
values, indices = ge.TopKV2(y * 2 + 1, 2)
named = ge.TopKV2(y, 2).indices
(z,) = ge.If(True, [x], then_branch=lambda a: a, else_branch=lambda a: a[0] @ a)
g.output(values, indices, named, z, ge.Relu(z).cast("float32"))
ge.Conv2D(x, x, stride=[1])  # wrong attribute, missing ones
ge.Relu(x, name=3)  # wrong type
ge.TopKV2(y, 2).places  # no such result
ge.Conv2d(x)  # no such operator
"""


@pytest.mark.full
def test_a_type_checker_sees_the_operators(tmp_path):
    import json
    import shutil

    tool = shutil.which("basedpyright", path=str(Path(sys.executable).parent)) or shutil.which(
        "basedpyright"
    )
    if tool is None:
        pytest.skip("needs the extra ge-opt[types]")
    (tmp_path / "net.py").write_text(_TYPED)
    root = str(STUB.parents[2])
    (tmp_path / "pyrightconfig.json").write_text(json.dumps({"extraPaths": [root]}))
    done = subprocess.run(
        [tool, "--level", "error", "--outputjson", "--pythonpath", sys.executable, "net.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    found = [
        (d["range"]["start"]["line"] + 1, d.get("rule"))
        for d in json.loads(done.stdout)["generalDiagnostics"]
    ]
    lines = _TYPED.splitlines()
    first = lines.index("ge.Conv2D(x, x, stride=[1])  # wrong attribute, missing ones") + 1
    assert {n for n, _ in found} == {first, first + 1, first + 2, first + 3}
    assert (first, "reportCallIssue") in found
    assert (first + 3, "reportAttributeAccessIssue") in found
