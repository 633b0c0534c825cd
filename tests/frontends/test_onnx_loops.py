"""Loop and Scan of ONNX: straight code and While, against ONNX's evaluator."""

from __future__ import annotations

import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="needs the extra ge-opt[onnx]")

RNG = np.random.default_rng(5)
F32, I64, BOOL = 1, 7, 9
# ONNX's evaluator takes an absent condition for one that does not hold.
YES = np.array(True)


def _graph(name, nodes, inputs, outputs, constants=()):
    info = onnx.helper.make_tensor_value_info
    empty = onnx.helper.make_empty_tensor_value_info
    made = [info(i, *t) if t else empty(i) for i, t in inputs.items()]
    held = [onnx.numpy_helper.from_array(v, k) for k, v in dict(constants).items()]
    return onnx.helper.make_graph(nodes, name, made, [empty(o) for o in outputs], held)


def _kinds(proto) -> list[str]:
    from ge_dialect.importers.onnx import import_onnx

    return [op.name for op in import_onnx(proto).graphs[0].body.ops]


def _sum_loop(ox, cond_out="cond_in", extra=()):
    """Adds an outer weight, in each turn times the counter; the sums are scan outputs."""
    nodes = [
        ox.node("Cast", ["turn"], ["turn_f"], to=F32),
        ox.node("Mul", ["w", "turn_f"], ["scaled"]),
        ox.node("Add", ["sum_in", "scaled"], ["sum_out"]),
        *extra,
        ox.node("Identity", [cond_out], ["cond_out"]),
        ox.node("Neg", ["sum_out"], ["row"]),
    ]
    inputs = {"turn": (I64, []), "cond_in": (BOOL, []), "sum_in": None}
    return _graph("body", nodes, inputs, ["cond_out", "sum_out", "row"])


def _loop(ox, trips, cond, body, fed, constants):
    nodes = [ox.node("Neg", ["v"], ["w"])]
    nodes.append(ox.node("Loop", [trips, cond, "x"], ["y", "rows"], body=body, name="loop"))
    return ox.model(nodes, fed, ["y", "rows"], opset=13, constants=constants)


@pytest.mark.parametrize("size", [3, 100])
def test_a_loop_of_known_length_is_written_out(ox, size):
    fed = {"x": RNG.normal(size=size).astype(np.float32)}
    constants = {"v": RNG.normal(size=size).astype(np.float32), "m": np.int64(4), "yes": YES}
    proto = _loop(ox, "m", "yes", _sum_loop(ox), fed, constants)
    ox.compare(proto, fed)
    assert "ge.While" not in _kinds(proto)


@pytest.mark.parametrize("trips", [0, 3])
@pytest.mark.parametrize("cond", [False, True])
def test_a_loop_of_computed_length(ox, trips, cond):
    fed = {"x": np.ones(3, np.float32), "m": np.int64(trips), "c": np.array(cond)}
    proto = _loop(ox, "m", "c", _sum_loop(ox), fed, {"v": np.arange(3, dtype=np.float32)})
    found = ox.run(proto, fed)
    turns = trips if cond else 0
    total, rows = np.ones(3, np.float32), []
    for i in range(turns):
        total = total - np.arange(3, dtype=np.float32) * np.float32(i)
        rows.append(-total)
    np.testing.assert_allclose(found[0], total)
    np.testing.assert_allclose(found[1], np.reshape(rows, (turns, 3)))


@pytest.mark.parametrize("known", [False, True])
def test_a_loop_that_its_body_ends(ox, known):
    extra = [
        ox.node("ReduceMax", ["sum_out"], ["most"], keepdims=0),
        ox.node("Less", ["most", "enough"], ["going"]),
    ]
    fed = {"x": np.zeros(3, np.float32)}
    constants = {"v": -np.ones(3, np.float32), "enough": np.float32(5), "yes": YES}
    (constants if known else fed)["m"] = np.int64(9)
    proto = _loop(ox, "m", "yes", _sum_loop(ox, "going", extra), fed, constants)
    ox.compare(proto, fed)
    assert ox.run(proto, fed)[1].shape == (4, 3)


def test_a_loop_without_trip_count(ox):
    body = _graph(
        "body",
        [
            ox.node("Mul", ["s", "two"], ["t"]),
            ox.node("Less", ["t", "enough"], ["going"]),
        ],
        {"turn": (I64, []), "cond_in": (BOOL, []), "s": None},
        ["going", "t"],
        {"two": np.float32(2)},
    )
    nodes = [ox.node("Loop", ["", "yes", "x"], ["y"], body=body)]
    fed = {"x": np.float32(1)}
    ox.compare(
        ox.model(nodes, fed, ["y"], opset=13, constants={"enough": np.float32(50), "yes": YES}), fed
    )


def test_a_loop_whose_value_grows(ox):
    """Written out where the trip count is known, else refused."""
    from ge_dialect.diagnostics import GeError

    nodes = [
        ox.node("Concat", ["s", "x"], ["t"], axis=0),
        ox.node("Identity", ["cond_in"], ["cond_out"]),
    ]
    inputs = {"turn": (I64, []), "cond_in": (BOOL, []), "s": None}
    body = _graph("body", nodes, inputs, ["cond_out", "t"])
    loop = [ox.node("Loop", ["m", "yes", "x"], ["y"], body=body)]
    fed = {"x": np.arange(2, dtype=np.float32)}
    ox.compare(ox.model(loop, fed, ["y"], opset=13, constants={"m": np.int64(2), "yes": YES}), fed)
    fed["m"] = np.int64(2)
    with pytest.raises(GeError, match="changes its shape"):
        ox.run(ox.model(loop, fed, ["y"], opset=13, constants={"yes": YES}), fed)


def test_a_loop_in_a_loop_and_an_if(ox):
    inner = _graph(
        "inner",
        [ox.node("Add", ["b", "w"], ["b2"]), ox.node("Identity", ["c1"], ["c2"])],
        {"j": (I64, []), "c1": (BOOL, []), "b": None},
        ["c2", "b2"],
    )
    then = _graph("then", [ox.node("Loop", ["n", "yes", "a"], ["r"], body=inner)], {}, ["r"])
    other = _graph("other", [ox.node("Neg", ["a"], ["r"])], {}, ["r"])
    outer = _graph(
        "outer",
        [
            ox.node("Less", ["i", "one"], ["early"]),
            ox.node("If", ["early"], ["a2"], then_branch=then, else_branch=other),
            ox.node("Identity", ["k1"], ["k2"]),
        ],
        {"i": (I64, []), "k1": (BOOL, []), "a": None},
        ["k2", "a2"],
    )
    nodes = [ox.node("Loop", ["m", "yes", "x"], ["y"], body=outer)]
    fed = {"x": np.ones(2, np.float32), "w": np.full(2, 3, np.float32)}
    fed |= {"m": np.int64(3), "n": np.int64(2)}
    ox.compare(
        ox.model(nodes, fed, ["y"], opset=13, constants={"one": np.int64(1), "yes": YES}), fed
    )


SCANS = {
    "plain": {},
    "reversed": {"scan_input_directions": [1, 0], "scan_output_directions": [0, 1]},
    "axes": {"scan_input_axes": [1, -1], "scan_output_axes": [1, 0]},
}


@pytest.mark.parametrize("unrolled", [True, False])
@pytest.mark.parametrize("case", SCANS)
def test_scan(ox, case, unrolled, monkeypatch):
    from ge_dialect.importers import onnx_loops

    if not unrolled:
        monkeypatch.setattr(onnx_loops, "UNROLLED_NODES", 0)
    nodes = [
        ox.node("Mul", ["p", "q"], ["pq"]),
        ox.node("Add", ["s", "pq"], ["t"]),
        ox.node("Neg", ["t"], ["u"]),
        ox.node("Sub", ["p", "k"], ["v"]),
    ]
    body = _graph("body", nodes, {"s": None, "p": None, "q": None}, ["t", "u", "v"])
    shape = (2, 4) if case == "axes" else (4, 2)
    fed = {"z": np.zeros(2, np.float32)}
    fed |= {k: RNG.normal(size=shape).astype(np.float32) for k in ("a", "b")}
    scan = ox.node("Scan", ["z", "a", "b"], ["y", "r", "w"], body=body, num_scan_inputs=2)
    scan.attribute.extend(onnx.helper.make_attribute(k, v) for k, v in SCANS[case].items())
    proto = ox.model([scan], fed, ["y", "r", "w"], opset=16, constants={"k": np.float32(2)})
    s, rows = fed["z"], []
    axes = SCANS[case].get("scan_input_axes", [0, 0])
    a, b = (np.moveaxis(fed[k], axis, 0) for k, axis in zip("ab", axes, strict=True))
    a = a[::-1] if case == "reversed" else a
    for p, q in zip(a, b, strict=True):
        s = s + p * q
        rows.append((-s, p - 2))
    first, second = (np.stack(r) for r in zip(*rows, strict=True))
    second = second[::-1] if case == "reversed" else second
    first = first.T if case == "axes" else first
    ox.same(ox.run(proto, fed), [s, first, second])
    assert ("ge.While" in _kinds(proto)) is not unrolled


def test_scan_of_unknown_length(ox):
    body = _graph("body", [ox.node("Add", ["s", "p"], ["t"])], {"s": None, "p": None}, ["t", "t"])
    body.output[1].name = "u"
    body.node.append(ox.node("Neg", ["t"], ["u"]))
    fed = {"z": np.zeros(2, np.float32), "a": np.ones((5, 2), np.float32)}
    scan = ox.node("Scan", ["z", "a"], ["y", "r"], body=body, num_scan_inputs=1)
    proto = ox.model([scan], fed, ["y", "r"], opset=16, types={"a": (F32, ["n", 2])})
    ox.compare(proto, fed)
    assert "ge.While" in _kinds(proto)


@pytest.mark.parametrize("unrolled", [True, False])
def test_function_bodies_with_a_scan(ox, unrolled, monkeypatch):
    """LinearAttention is defined by a Scan, whose body captures values of the function."""
    from ge_dialect.importers import onnx_loops

    if onnx.defs.onnx_opset_version() < 27:
        pytest.skip("LinearAttention is of opset 27")
    if not unrolled:
        monkeypatch.setattr(onnx_loops, "UNROLLED_NODES", 0)
    batch, steps, heads, size = 2, 5, 2, 3
    fed = {k: RNG.normal(size=(batch, steps, heads * size)).astype(np.float32) for k in "qkv"}
    attrs = {"q_num_heads": heads, "kv_num_heads": heads, "update_rule": "linear", "scale": 0.5}
    node = ox.node("LinearAttention", ["q", "k", "v"], ["y", "last"], name="att", **attrs)
    proto = ox.model([node], fed, ["y", "last"], opset=27)
    q, k, v = (fed[n].reshape(batch, steps, heads, size) for n in "qkv")
    state = np.zeros((batch, heads, size, size), np.float32)
    rows = []
    for t in range(steps):
        state = state + np.einsum("bhi,bhj->bhij", k[:, t], v[:, t])
        rows.append(0.5 * np.einsum("bhi,bhij->bhj", q[:, t], state))
    expected = np.stack(rows, 1).reshape(batch, steps, -1)
    ox.same(ox.run(proto, fed), [expected, state])


@pytest.mark.parametrize("declared", [True, False])
def test_a_loop_whose_shapes_only_the_model_knows(ox, declared):
    """A slice at the counter has an unknown size for inference; the declaration says 1."""
    from ge_dialect.diagnostics import GeError

    nodes = [
        ox.node("Unsqueeze", ["i", "zero"], ["begin"]),
        ox.node("Add", ["begin", "one"], ["end"]),
        ox.node("Slice", ["table", "begin", "end"], ["piece"]),
        ox.node("Add", ["s", "piece"], ["t"]),
        ox.node("Identity", ["c"], ["c2"]),
        ox.node("Neg", ["t"], ["row"]),
    ]
    inputs = {"i": (I64, []), "c": (BOOL, []), "s": (F32, [1])}
    held = {"zero": np.array([0]), "one": np.array([1]), "table": np.arange(9, dtype=np.float32)}
    body = _graph("body", nodes, inputs, ["c2", "t", "row"], held)
    if declared:
        for i in (1, 2):
            info = onnx.helper.make_tensor_value_info(body.output[i].name, F32, [1])
            body.output[i].CopyFrom(info)
    loop = [ox.node("Loop", ["m", "yes", "x"], ["y", "rows"], body=body)]
    fed = {"x": np.ones(1, np.float32), "m": np.int64(4)}
    proto = ox.model(loop, fed, ["y", "rows"], opset=13, constants={"yes": YES})
    if declared:
        ox.compare(proto, fed)
    else:
        with pytest.raises(GeError, match="must be known"):
            ox.run(proto, fed)
