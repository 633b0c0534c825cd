"""Views of graphs: values from the definition of small texts, and laws on all operators."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from ge_dialect import GraphView, InAnchor, Model, NodeView, OutAnchor, api, evaluate, view
from ge_dialect.diagnostics import GeError
from ge_dialect.dtypes import dtype_of
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.control import control_inputs
from ge_dialect.ir.graph import walk_graphs
from ge_dialect.ir.narrow import is_dense
from ge_dialect.ops.registry import op_names
from ge_dialect.views import UnknownName
from ge_dialect.weights import WeightStore
from passes import run_pipeline

TOUR = Path(__file__).resolve().parents[2] / "examples" / "tour.mlir"

NET = """ge.graph @net(%x: tensor<?x16x8x8xf16> {ge.shape_range = "1~4"}, %w: tensor<16x16x3x3xf16>) {
  %start_done = ge.NoOp() : !ge.ctrl loc("start")
  %t = ge.TransData(%x) {src_format = "NCHW", dst_format = "NC1HWC0"} : tensor<?x16x8x8xf16, #ge.layout<NC1HWC0>>
  %conv1, %conv1_done = ge.Conv2D(%t, %w) after(%start_done) {strides = [1, 1, 1, 1], pads = [1, 1, 1, 1], data_format = "NCHW", ge.engine = "AIcoreEngine", ge.stream = 3, my.mark} : tensor<?x16x8x8xf16, #ge.layout<NC1HWC0>>, !ge.ctrl loc("block/conv1"("conv"))
  %z = ge.Relu(%conv1) : tensor<?x16x8x8xf16, #ge.layout<NC1HWC0>>
  %a = ge.Add(%z, %conv1) after(%conv1_done) : tensor<?x16x8x8xf16, #ge.layout<NC1HWC0>>
  ge.NoOp() after(%start_done, %conv1_done) loc("end")
  ge.NetOutput(%a, %z)
}
"""  # noqa: E501


@pytest.fixture
def net() -> GraphView:
    return view(api.parse(NET))


def test_the_graph(net: GraphView) -> None:
    assert net.name == "net"
    names = ["x", "w", "start", "t", "block/conv1", "z", "a", "end", "NetOutput"]
    assert [n.name for n in net] == [n.name for n in net.nodes()] == names
    assert len(net) == len(names)
    assert [n.type for n in net][:4] == ["Data", "Data", "NoOp", "TransData"]
    assert net.input_names == ["x", "w"]
    assert [(a.node.name, a.name, a.index) for a in net.inputs] == [("x", "y", 0), ("w", "y", 0)]
    assert [(a.name, a.index) for a in net.outputs] == [("input0", 0), ("input1", 1)]
    assert [a.peer.node.name for a in net.outputs if a.peer] == net.output_names == ["a", "z"]
    assert net.parent is None
    assert net.op is not None
    assert net.op.sym_name.data == "net"
    assert repr(net) == "<graph 'net': 9 nodes>"


def test_nodes_are_found(net: GraphView) -> None:
    conv = net.node("block/conv1")
    assert conv in net
    assert "block/conv1" in net
    assert "conv1" not in net
    assert [n.name for n in net.find(type="NoOp")] == ["start", "end"]
    assert [n.name for n in net.find(name="block/*")] == ["block/conv1"]
    assert [n.name for n in net.find("*D*", "?")] == ["x", "w", "t"]
    assert net.find(type="Softmax") == []


def test_a_node(net: GraphView) -> None:
    conv = net.node("block/conv1")
    assert conv.type == "Conv2D"
    assert conv.origins == ("conv",)
    assert conv.engine == "AIcoreEngine"
    assert net.node("z").engine is None
    assert conv.location == "<string>:4:3"
    assert conv.graph is net
    assert conv.value is None
    assert conv.bodies == ()
    assert isinstance(conv.op, GeOp)
    assert repr(conv) == "<Conv2D 'block/conv1'>"


def test_attributes(net: GraphView) -> None:
    attrs = net.node("block/conv1").attrs
    assert dict(attrs) == {
        "strides": (1, 1, 1, 1),
        "pads": (1, 1, 1, 1),
        "dilations": (1, 1, 1, 1),
        "groups": 1,
        "data_format": "NCHW",
        "offset_x": 0,
        "ge.engine": "AIcoreEngine",
        "ge.stream": 3,
        "my.mark": True,
    }
    assert attrs["groups"] == 1
    assert "stride" not in attrs
    assert attrs.get("stride") is None
    assert attrs.get("stride", 5) == 5
    assert len(attrs) == 9
    with pytest.raises(UnknownName, match="did you mean 'strides'") as caught:
        attrs["stride"]
    assert caught.value.diagnostics[0].message == "Conv2D 'block/conv1' has no attribute 'stride'"
    assert dict(net.node("x").attrs) == {"index": 0, "ge.shape_range": "1~4"}
    assert dict(net.node("w").attrs) == {"index": 1}


def test_absent_inputs_have_anchors(net: GraphView) -> None:
    conv = net.node("block/conv1")
    named = [(a.index, a.name, a.slot) for a in conv.in_anchors]
    slots = ["x", "filter", "bias", "offset_w"]
    assert named == [(i, s, s) for i, s in enumerate(slots)]
    peers = [None if a.peer is None else a.peer.node.name for a in conv.in_anchors]
    assert peers == ["t", "w", None, None]
    bias = conv.input("bias")
    assert (bias.peer, bias.value, bias.type, bias.shape, bias.dtype) == (None,) * 5
    assert (bias.format, bias.layout, bias.is_ref) == (None, None, False)
    assert repr(bias) == "<in 2 'bias' of 'block/conv1': not connected>"
    assert conv.inputs("bias") == ()
    assert conv.inputs("x") == (conv.input("x"),)
    assert [n.name for n in conv.in_data_nodes] == ["t", "w"]


def test_types_of_anchors(net: GraphView) -> None:
    y = net.node("block/conv1").output("y")
    assert (y.shape, y.dtype) == ((-1, 16, 8, 8), "float16")
    assert (y.format, y.layout) == ("NC1HWC0", "NC1HWC0")
    assert y.type == "tensor<?x16x8x8xf16, #ge.layout<NC1HWC0>>"
    assert net.inputs[1].format is None
    assert net.inputs[1].shape == (16, 16, 3, 3)
    assert repr(net.inputs[1]) == "<out 0 'y' of 'w': tensor<16x16x3x3xf16>>"
    filters = view(
        api.parse(
            "ge.graph @g(%w: tensor<4x2x3x3xf16, #ge.layout<FRACTAL_Z, groups = 2>>, "
            "%u: tensor<*xi1>) {\n  ge.NetOutput(%w, %u)\n}\n"
        )
    )
    w, u = filters.inputs
    assert (w.format, w.layout) == ("FRACTAL_Z", "FRACTAL_Z, groups = 2")
    assert (u.shape, u.dtype, u.type) == (None, "bool", "tensor<*xi1>")


def test_peers_are_in_order_of_the_graph(net: GraphView) -> None:
    y = net.node("block/conv1").out_anchors[0]
    assert [(a.node.name, a.index, a.name) for a in y.peers] == [("z", 0, "x"), ("a", 1, "x2")]
    assert net.node("z").out_anchors[0].peers == (net.node("a").input("x1"), net.outputs[1])
    assert [n.name for n in net.node("z").out_data_nodes] == ["a", "NetOutput"]
    assert y.peers[0].peer == y
    assert net.inputs[0].peers == (net.node("t").input("src"),)


def test_control_edges(net: GraphView) -> None:
    def names(nodes: tuple[NodeView, ...]) -> list[str]:
        return [n.name for n in nodes]

    conv = net.node("block/conv1")
    assert names(conv.in_control_nodes) == ["start"]
    assert names(conv.out_control_nodes) == ["a", "end"]
    assert names(net.node("start").out_control_nodes) == ["block/conv1", "end"]
    assert names(net.node("end").in_control_nodes) == ["start", "block/conv1"]
    assert net.node("start").out_anchors == ()
    assert net.node("end").in_data_nodes == ()
    assert net.node("x").in_control_nodes == net.node("x").out_control_nodes == ()
    assert len(conv.out_anchors) == 1


def test_equality_is_that_of_operations() -> None:
    model = api.parse(NET)
    one, two = view(model), model.view("net")
    assert one == two
    assert one.node("z") == two.node("z") != one.node("a")
    assert one.node("x") == two.node("x") != one.node("w")
    assert {one.node("z"), two.node("z")} == {one.node("z")}
    assert one.node("a").input("x1") == two.node("a").input("x1") != one.node("a").input("x2")
    assert one.node("z").input("x") != one.node("z").output("y")
    assert len({a for g in (one, two) for n in g for a in (*n.in_anchors, *n.out_anchors)}) == len(
        [a for n in one for a in (*n.in_anchors, *n.out_anchors)]
    )
    assert view(api.parse(NET)) != one
    assert one != "net"


def test_data_nodes_are_the_arguments() -> None:
    text = """ge.graph @g(%x: tensor<4xf32>, %u: tensor<4xf32>, %r: !ge.ref<tensor<4xf32>>, %s: !ge.ref<tensor<4xf32>>) {
  %d = ge.Data(%x) : tensor<4xf32> loc("data")
  %e = ge.Data(%u) {index = 1} : tensor<4xf32>
  %v = ge.RefData(%r) {index = 2} : !ge.ref<tensor<4xf32>>
  %y = ge.Add(%d, %u) : tensor<4xf32>
  %z = ge.Read(%v) : tensor<4xf32>
  ge.NetOutput(%y, %e, %z)
}
"""  # noqa: E501
    g = view(api.parse(text))
    assert [n.name for n in g] == ["u", "s", "data", "e", "v", "y", "z", "NetOutput"]
    assert [a.node.name for a in g.inputs] == ["data", "u", "v", "s"]
    assert [a.node.type for a in g.inputs] == ["Data", "Data", "RefData", "RefData"]
    assert [a.is_ref for a in g.inputs] == [False, False, True, True]
    assert g.input_names == ["x", "u", "r", "s"]
    data, u = g.node("data"), g.node("u")
    assert data.input("x").peer is None  # nothing comes before it, as in GE
    assert data.input("x").shape == (4,)
    assert data.in_data_nodes == ()
    assert (data.op is None, u.op is None) == (False, True)
    # an argument with more readers than its Data is a node of its own
    assert g.node("e").input("x").peer == u.out_anchors[0]
    assert [a.node.name for a in u.out_anchors[0].peers] == ["e", "y"]
    assert (g.node("v").output("y").dtype, g.node("v").output("y").shape) == ("float32", (4,))
    assert u.attrs["index"] == 1
    assert (u.origins, u.engine, u.location, u.value, u.bodies) == (("u",), None, None, None, ())
    assert u.in_anchors == ()


def test_an_operation_before_an_argument_of_its_name() -> None:
    g = view(
        api.parse(
            'ge.graph @g(%x: tensor<4xf32>) {\n  %y = ge.Relu(%x) : tensor<4xf32> loc("x")\n'
            "  ge.NetOutput(%x, %y)\n}\n"
        )
    )
    assert g.node("x").type == "Relu"
    assert [n.type for n in g.find(name="x")] == ["Data", "Relu"]
    assert g.inputs[0].node.op is None


DYNAMIC = """ge.graph @g(%x: tensor<4xf32>, %s: tensor<i32>, %c: tensor<i1>) {
  %p, %q = ge.Split(%s, %x) {num_split = 2} : tensor<2xf32>, tensor<2xf32>
  %k = ge.ConcatV2([%q, %p, %q], %s) {N = 3} : tensor<6xf32>
  %r, %t = ge.If(%c, [%x, %k]) : tensor<?xf32>, tensor<4xf32> then_branch(%a, %b) {
    %inner = ge.Relu(%b) : tensor<6xf32>
    ge.NetOutput(%inner, %a)
  } else_branch(%a, %b) {
    ge.NetOutput(%a, %a)
  } loc("choice")
  %m = ge.Case(%s, [%x]) : tensor<4xf32> branches(%a) {
    ge.NetOutput(%a)
  } branches(%a) {
    %n = ge.PartitionedCall(%a) : tensor<4xf32> f(%b) {
      %deep = ge.Neg(%b) : tensor<4xf32>
      ge.NetOutput(%deep)
    }
    ge.NetOutput(%n)
  }
  ge.NetOutput(%r, %t, %m)
}
"""


def test_dynamic_inputs_and_outputs() -> None:
    g = view(api.parse(DYNAMIC))
    split, concat = g.node("p"), g.node("k")
    outputs = [(a.index, a.name, a.slot) for a in split.out_anchors]
    assert outputs == [(0, "y0", "y"), (1, "y1", "y")]
    assert [(a.index, a.name) for a in concat.in_anchors] == [
        (0, "x0"), (1, "x1"), (2, "x2"), (3, "concat_dim"),
    ]  # fmt: skip
    assert [a.peer.index for a in concat.inputs("x") if a.peer] == [1, 0, 1]
    assert concat.input("x1").peer == split.output("y0")
    assert concat.input("concat_dim").dtype == "int32"
    assert split.outputs("y") == split.out_anchors
    assert [(a.node.name, a.name) for a in split.output("y1").peers] == [("k", "x0"), ("k", "x2")]
    assert concat.in_data_nodes == (split, g.node("s"))
    assert split.out_data_nodes == (concat,)
    for call, kind in ((concat.input, "input"), (split.output, "output")):
        name = "x" if kind == "input" else "y"
        with pytest.raises(UnknownName, match=rf"it is dynamic: {kind}s\('{name}'\) gives all"):
            call(name)


def test_bodies() -> None:
    g = view(api.parse(DYNAMIC))
    choice = g.node("choice")
    then, other = choice.bodies
    assert (then.name, other.name) == ("then_branch", "else_branch")
    assert choice.body("else_branch") == other
    assert then.parent == choice
    assert then.op is None
    assert dict(then.attrs) == {}
    assert [n.name for n in then] == ["a", "b", "inner", "NetOutput"]
    assert then.input_names == ["a", "b"]
    assert then.output_names == ["inner", "a"]
    assert other.output_names == ["a", "a_1"]
    assert then.node("inner").input("x").peer == then.inputs[1]
    assert dict(then.node("b").attrs) == {"index": 1}
    assert then.node("inner").graph is then
    case = g.node("m")
    assert [b.name for b in case.bodies] == ["branches0", "branches1"]
    deep = case.body("branches1").node("n").body("f").node("deep")
    assert deep.type == "Neg"
    assert choice.bodies is choice.bodies  # one index per body and view
    assert [n.name for n in g.walk() if n.type in ("Relu", "Neg", "If", "Case", "Split")] == [
        "p", "choice", "inner", "m", "deep",
    ]  # fmt: skip
    with pytest.raises(UnknownName, match="did you mean 'then_branch'"):
        choice.body("then_brunch")


def test_the_body_of_a_fused_node() -> None:
    text = """ge.graph @g(%x: tensor<4xf32>) {
  %y = ge.AscBackend(%x) : tensor<4xf32> body(%a) {
    %b = ge.Abs(%a) : tensor<4xf32>
    %c = ge.Sqrt(%b) : tensor<4xf32>
    ge.NetOutput(%c)
  } loc("fused"(fused["abs", "sqrt"]))
  ge.NetOutput(%y)
}
"""
    from ge_dialect.ops.registry import op_class

    (role,) = op_class("AscBackend").ge_table().graphs
    fused = view(api.parse(text.replace(" body(", f" {role.name}("))).node("fused")
    assert fused.origins == ("abs", "sqrt")
    assert [n.type for b in fused.bodies for n in b] == ["Data", "Abs", "Sqrt", "NetOutput"]
    assert [a.name for a in (*fused.in_anchors, *fused.out_anchors)] == ["inputs0", "outputs0"]


def test_state() -> None:
    text = """ge.graph @count(%one: tensor<f32>) {
  %v = ge.Variable() : !ge.ref<tensor<f32>>
  %before, %before_done = ge.Read(%v) : tensor<f32>, !ge.ctrl
  %new = ge.AssignAdd(%v, %one) after(%before_done) : !ge.ref<tensor<f32>>
  ge.NetOutput(%before, %new)
}
"""
    g = view(api.parse(text))
    handle = g.node("v").out_anchors[0]
    assert (handle.is_ref, handle.shape, handle.dtype) == (True, (), "float32")
    assert handle.type == "!ge.ref<tensor<f32>>"
    assert [a.node.name for a in handle.peers] == ["before", "new"]
    assert g.node("new").in_control_nodes == (g.node("before"),)
    assert not g.node("before").out_anchors[0].is_ref


CONSTANTS = """ge.graph @g() {
  %a = ge.Const() {value = dense<[1.0, -2.0]> : tensor<2xf16>} : tensor<2xf16>
  %w = ge.Const() {value = #ge.weight<"w">} : tensor<2x3xf32>
  %r = ge.Constant() {value = #ge.weight<cast("w", f16)>} : tensor<2x3xf16>
  %h = ge.Const() {value = #ge.weight<"h", abstract>} : tensor<4096x4096xf16>
  %m = ge.Const() {value = #ge.weight<"missing">} : tensor<2xf32>
  %n = ge.Identity(%a) : tensor<2xf16>
  ge.NetOutput(%a, %w, %r, %h, %m, %n)
}
"""


def test_constants() -> None:
    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    model = api.parse(CONSTANTS, weights=WeightStore({"w": array}))
    g = view(model)
    a = g.node("a").value
    assert a is not None
    assert a.dtype == np.float16
    assert a.tolist() == [1, -2]
    assert not a.flags.writeable
    w, r = g.node("w").value, g.node("r").value
    assert w is not None
    assert r is not None
    np.testing.assert_array_equal(w, array)
    assert r.dtype == np.float16
    np.testing.assert_array_equal(r, array)
    assert not w.flags.writeable
    assert g.node("n").value is None
    for name, code in (("h", "GX-305"), ("m", "GX-304")):
        with pytest.raises(GeError) as caught:
            _ = g.node(name).value
        assert caught.value.diagnostics[0].code == code
    # attributes are cheap to list: no bytes of weights are touched
    assert g.node("h").attrs["value"] == '#ge.weight<"h", abstract>'
    assert g.node("a").attrs["value"].tolist() == [1, -2]
    # a graph by itself has no weights, unless they are given
    (graph,) = model.graphs
    with pytest.raises(GeError):
        _ = view(graph).node("w").value
    given = view(graph, weights=model.weights).node("w").value
    assert given is not None
    np.testing.assert_array_equal(given, array)


def test_nodes_of_unknown_type() -> None:
    text = """ge.graph @g(%x: tensor<4xf32>) {
  %y, %z = ge.Opaque(%x) {type = "Foo", ge.attr.size = 3 : i64, ge.attr.kind = f16, ge.attr.type = "T", ge.attr.a.b = [1 : i64, "s", true]} : tensor<4xf32>, tensor<2xi8> loc("foo")
  ge.NetOutput(%y)
}
"""  # noqa: E501
    foo = view(api.parse(text)).node("foo")
    assert foo.type == "Foo"
    assert repr(foo) == "<Foo 'foo'>"
    # undeclared attributes have GE's names, where no declared one has it
    assert dict(foo.attrs) == {
        "type": "Foo",
        "size": 3,
        "kind": "float16",
        "ge.attr.type": "T",
        "a.b": (1, "s", True),
    }
    assert [a.name for a in foo.in_anchors] == ["input0"]
    assert [a.name for a in foo.out_anchors] == ["output0", "output1"]
    assert [n.name for n in view(api.parse(text)).find(type="Foo")] == ["foo"]


def test_operations_of_other_dialects() -> None:
    text = """ge.graph @g(%x: tensor<4xf32>) {
  %y = "test.op"(%x) {k = 5 : i32, d = {a = unit}} : (tensor<4xf32>) -> tensor<4xf32>
  ge.NetOutput(%y)
}
"""
    g = view(api.parse(text))
    (node,) = g.find(type="test.op")
    assert dict(node.attrs) == {"k": 5, "d": {"a": True}}
    assert node.in_anchors[0].peer == g.inputs[0]
    assert node.out_anchors[0].peers == g.outputs
    assert node.in_data_nodes[0].name == "x"


def test_graphs_are_chosen_as_elsewhere() -> None:
    two = api.parse(NET + NET.replace("@net", "@other"))
    assert view(two, "other").name == two.view("other").name == "other"
    assert view(two.module, graph="net").name == "net"
    assert view(two.graphs[1]).name == "other"
    for call in (lambda: view(two), lambda: view(two, "othr"), lambda: two.view()):
        with pytest.raises(GeError) as caught:
            call()
        assert caught.value.diagnostics[0].code == "GX-011"
    compiled = api.load(TOUR)
    run_pipeline(compiled, "ge-default")
    with pytest.raises(GeError, match="graphs are there before the stage 'build'"):
        compiled.view()
    with pytest.raises(TypeError, match="load"):
        view("net.mlir")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="one graph"):
        view(two.graphs[0], "net")


def test_unknown_names_are_said_with_the_nearest(net: GraphView) -> None:
    calls: list[tuple[Callable[[], object], str]] = [
        (lambda: net.node("block/conv2"), "did you mean 'block/conv1'?"),
        (lambda: net.node("conv"), "it has become part of 'block/conv1'"),
        (lambda: net.node("block/conv1").input("filtre"), "did you mean 'filter'?"),
        (lambda: net.node("block/conv1").inputs("Bias"), "did you mean 'bias'?"),
        (lambda: net.node("block/conv1").output("Y"), "did you mean 'y'?"),
    ]
    for call, hint in calls:
        with pytest.raises(UnknownName) as caught:
            call()
        (found,) = caught.value.diagnostics
        assert (found.code, found.hint) == ("GX-256", hint)
        assert isinstance(caught.value, GeError)
        assert isinstance(caught.value, KeyError)
        assert str(caught.value) == found.render()
    with pytest.raises(KeyError):
        net.node("NetOutput").output("y")


def test_views_are_read_only(net: GraphView) -> None:
    conv = net.node("block/conv1")
    targets = [(net, "name"), (conv, "name"), (conv, "extra"), (conv.in_anchors[0], "value")]
    for target, name in targets:
        with pytest.raises(AttributeError, match="read only"):
            setattr(target, name, None)
    with pytest.raises(AttributeError, match="read only"):
        del conv.name
    with pytest.raises(TypeError):
        conv.attrs["groups"] = 2  # type: ignore[index]
    assert conv.name == "block/conv1"


def test_an_old_view_says_that_it_is_old() -> None:
    model = api.load(TOUR)
    old = view(model)
    run_pipeline(model, "prepare,fuse")
    with pytest.raises(GeError, match="GX-257"):
        _ = [(node.in_data_nodes, node.out_data_nodes) for node in old]
    new = view(model)
    assert [n.type for n in new.find(name="bn")] == ["Conv2D"]
    assert new.node("bn").origins == ("bn", "conv")
    with pytest.raises(KeyError, match="it has become part of 'bn'"):
        new.node("conv")


def test_names_of_ends_are_those_of_evaluate() -> None:
    model = api.load(TOUR)
    g = model.view()
    found = evaluate(model, {g.input_names[0]: np.ones(g.inputs[0].shape or (), np.float32)})
    assert found.output_names == g.output_names


def check_laws(graph: GraphView) -> None:
    """Edges seen from both ends are the same, and are those of the operations."""
    place = {node: i for i, node in enumerate(graph)}
    for node in graph:
        assert graph.node(node.name) == node or node.op is None
        for anchor in node.in_anchors:
            assert isinstance(anchor, InAnchor)
            assert node.in_anchors[anchor.index] is anchor
            assert anchor in (*node.inputs(anchor.slot), anchor)
            if anchor.peer is not None:
                assert anchor.peer.node in place
                assert anchor in anchor.peer.peers
                assert anchor.peer.value is anchor.value
        for anchor in node.out_anchors:
            assert isinstance(anchor, OutAnchor)
            assert all(p.peer == anchor for p in anchor.peers)
            order = [(place[p.node], p.index) for p in anchor.peers]
            assert order == sorted(set(order))
        assert all(node in n.out_control_nodes for n in node.in_control_nodes)
        assert all(node in n.in_control_nodes for n in node.out_control_nodes)
        op = node.op
        if isinstance(op, GeOp):
            values = [a.value for a in node.in_anchors if a.value is not None]
            assert tuple(values) == op.ge_data_operands
            assert tuple(a.value for a in node.out_anchors) == op.ge_data_results
            owners = dict.fromkeys(v.owner for v in control_inputs(op))
            assert [n.op for n in node.in_control_nodes] == list(owners)
            check_attributes(node, op)


def check_attributes(node: NodeView, op: GeOp) -> None:
    held = op.ge_attrs()
    assert list(node.attrs)[: len(held)] == list(held)
    for name, want in held.items():
        found = node.attrs[name]
        if is_dense(want):
            assert found.shape == tuple(want.type.get_shape())
        elif isinstance(want, bool | int | float | str | None):
            assert found == want
            assert type(found) is type(want)
        elif isinstance(want, tuple):
            named = tuple([d.name if (d := _dtype(v)) else v for v in want])
            assert found == named
        elif _dtype(want) is not None:
            assert found == _dtype(want).name  # type: ignore[union-attr]


def _dtype(value: object):
    from xdsl.ir import Attribute

    return dtype_of(value) if isinstance(value, Attribute) else None


def test_laws_on_every_operator(library_module: Callable[[int], ModuleOp]) -> None:
    module = api.parse(Model(library_module(7)).text()).module
    seen = 0
    for graph in Model(module).graphs:
        shown = view(graph)
        check_laws(shown)
        bodies = {shown, *(b for n in shown.walk() for b in n.bodies)}
        assert len(bodies) == len(list(walk_graphs(graph)))
        for body in bodies - {shown}:
            check_laws(body)
        seen += sum(1 for n in shown.walk() if n.op is not None)
    assert seen > len(op_names())


def test_laws_on_generated_graphs() -> None:
    from passes.testing import random_spec

    for seed in range(12):
        model = random_spec(seed).build()
        for graph in model.graphs:
            shown = view(graph)
            check_laws(shown)
            assert shown.input_names == graph.arg_names()


def test_time_is_linear() -> None:
    """One value that all nodes read, one node that reads all values: calls, not seconds."""

    def calls(n: int) -> int:
        lines = [f"  %n{i} = ge.Relu(%x) : tensor<4xf32>" for i in range(n)]
        names = ", ".join(f"%n{i}" for i in range(n))
        lines = ["ge.graph @g(%x: tensor<4xf32>) {", *lines, f"  ge.NetOutput({names})", "}"]
        graph = view(api.parse("\n".join(lines)))
        count = 0

        def tick(frame: object, event: str, arg: object) -> None:
            nonlocal count
            count += event == "call"

        sys.setprofile(tick)
        try:
            for node in graph:
                _ = node.in_data_nodes, node.out_data_nodes, graph.node(node.name).in_control_nodes
        finally:
            sys.setprofile(None)
        return count

    assert calls(800) < 2.2 * calls(400)


def test_importing_the_package_loads_nothing() -> None:
    script = """
import sys
import ge_dialect
assert not {"xdsl", "numpy"} & set(sys.modules)
assert ge_dialect.view.__name__ == "view"
assert "numpy" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", script], check=True)
