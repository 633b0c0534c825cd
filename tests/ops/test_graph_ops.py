"""Operators whose types come from bodies, declarations, values or layouts."""

from __future__ import annotations

import numpy as np
import pytest

from ge_dialect.dtypes import to_xdsl
from ge_dialect.infer.errors import InferError
from ge_dialect.infer.node import check_op, infer_op
from ge_dialect.ir.build import body, build, const
from ge_dialect.ir.graph import new_graph
from ge_dialect.ir.types import layout, ref_type, tensor_type, with_layout
from ge_dialect.ops.registry import op_class
from ge_dialect.weights.resolve import weight

F32, F16, I32, BOOL = (to_xdsl(n) for n in ("float32", "float16", "int32", "bool"))


def t(*dims, elem=F32):
    return tensor_type(dims, elem)


def through(arg_types, make):
    """A body of one node made from its arguments, or of none."""
    region = body(arg_types)
    block = region.block
    values = make(block)
    block.add_op(build("NetOutput", [values]))
    return region


def added(block, op):
    block.add_op(op)
    return list(op.results)


def if_node(else_make, result_type, cond=None):
    """An If whose then_branch hands its argument, a 2x3 tensor, on."""
    g = new_graph("g", [cond or t(elem=BOOL), t(2, 3)])
    types = [a.type for a in g.args[1:]]
    node = build(
        "If",
        [g.args[0], list(g.args[1:])],
        result_types=[result_type],
        regions=[through(types, lambda b: list(b.args)), through(types, else_make)],
    )
    g.body.add_op(node)
    return node


def test_if_merges_its_branches():
    node = if_node(lambda b: added(b, build("Relu", [b.args[0]])), t(2, 3))
    assert infer_op(node) == [t(2, 3)]
    assert not check_op(node)

    def taller(b):
        two = added(b, build("ConcatD", [[b.args[0], b.args[0]]], {"concat_dim": 0, "N": 2}))
        return two

    node = if_node(taller, t(-1, 3))
    assert infer_op(node) == [t(-1, 3)]

    def flat(b):
        return added(b, build("Flatten", [b.args[0]], {"axis": 0}))

    node = if_node(lambda b: added(b, build("Unsqueeze", flat(b), {"axes": [0]})), t(2, 3))
    assert infer_op(node) == [tensor_type(None, F32)]


def test_if_refuses_branches_that_differ():
    node = if_node(lambda b: [], t(2, 3))
    with pytest.raises(InferError, match="differ in number"):
        infer_op(node)
    half = if_node(lambda b: added(b, build("Cast", [b.args[0]], {"dst_type": 1})), t(2, 3))
    with pytest.raises(InferError, match="differ in dtype"):
        infer_op(half)
    wide = if_node(lambda b: list(b.args), t(2, 3), cond=t(2, elem=BOOL))
    with pytest.raises(InferError, match="scalar"):
        infer_op(wide)


def test_body_arguments():
    types = [t(elem=BOOL), t(2), t(3)]
    assert op_class("If").ge_body_types(types, 0) == types[1:]
    assert op_class("While").ge_body_types(types, 1) == types
    assert op_class("PartitionedCall").ge_body_types(types, 0) == types
    assert op_class("Case").ge_body_types(types, 0) == types[1:]
    bounds = [t(elem=I32)] * 3
    assert op_class("For").ge_body_types([*bounds, t(2)], 0) == [t(elem=I32), t(2)]


def test_while_widens_what_a_turn_changes():
    g = new_graph("g", [t(2, 3)])

    def test(b):
        held = added(b, const(np.array(True)))
        return held

    def turn(b):
        return added(b, build("ConcatD", [[b.args[0], b.args[0]]], {"concat_dim": 1, "N": 2}))

    node = build(
        "While",
        [list(g.args)],
        result_types=[t(2, -1)],
        regions=[through([t(2, 3)], test), through([t(2, 3)], turn)],
    )
    g.body.add_op(node)
    assert infer_op(node) == [t(2, -1)]
    assert not check_op(node)


def test_while_condition_gives_one_scalar():
    g = new_graph("g", [t(2, 3)])
    keep = [through([t(2, 3)], lambda b: list(b.args)) for _ in range(2)]
    node = build("While", [list(g.args)], result_types=[t(2, 3)], regions=keep)
    with pytest.raises(InferError, match="condition body must be a scalar"):
        infer_op(node)


def test_call_gives_what_its_body_gives():
    g = new_graph("g", [t(2, 3)])
    region = through([t(2, 3)], lambda b: added(b, build("Shape", [b.args[0]])))
    node = build("PartitionedCall", [list(g.args)], result_types=[t(2, elem=I32)], regions=[region])
    assert infer_op(node) == [t(2, elem=I32)]


def test_constants():
    node = const(np.zeros((2, 3), np.float16))
    assert infer_op(node) == [t(2, 3, elem=F16)]
    held = build("Const", [], {"value": weight("w")}, result_types=[t(5)])
    assert infer_op(held) == [t(5)]
    with pytest.raises(InferError, match="not known"):
        build("Const", [], {"value": weight("w")})
    wrong = build("Const", [], {"value": node.ge_attr("value")}, result_types=[t(2, 4, elem=F16)])
    (problem,) = check_op(wrong)
    assert problem.code == "GX-221"
    assert (problem.found, problem.expected) == ("2x4", "2x3")


def test_variables():
    node = build("Variable", [], result_types=[ref_type(t(2))])
    assert infer_op(node) == [ref_type(t(2))]
    held = const(np.zeros(3, np.float32)).ge_attr("value")
    bad = build("Variable", [], {"value": held}, result_types=[ref_type(t(2))])
    with pytest.raises(InferError, match="variable and its value"):
        infer_op(bad)
    with pytest.raises(InferError, match="not known"):
        build("Variable", [])


def test_opaque_keeps_its_types():
    g = new_graph("g", [t(2, 3), t(4)])
    node = build("Opaque", [list(g.args)], {"type": "Foo"}, result_types=[t(7), t(-1)])
    assert infer_op(node) == [t(7), t(-1)]
    assert not check_op(node)


def test_formats_of_transdata_are_those_of_the_types():
    five = layout("NC1HWC0")
    x = t(1, 32, 4, 4, elem=F16)
    g = new_graph("g", [x, with_layout(x, five)])
    there = {"src_format": "NCHW", "dst_format": "NC1HWC0"}
    node = build("TransData", [g.args[0]], there, result_types=[with_layout(x, five)])
    assert infer_op(node) == [x]
    assert not check_op(node)
    for attrs, source, result in (
        (there, g.args[1], with_layout(x, five)),
        (there, g.args[0], x),
        (there, g.args[0], with_layout(x, layout("FRACTAL_Z"))),
        ({**there, "dst_format": "NC1HWC"}, g.args[0], with_layout(x, five)),
    ):
        bad = build("TransData", [source], attrs, result_types=[result])
        (problem,) = check_op(bad)
        assert problem.code == "GX-223"
    grouped = with_layout(x, layout("FRACTAL_Z", groups=2))
    to_z = {"src_format": "NCHW", "dst_format": "FRACTAL_Z"}
    bad = build("TransData", [g.args[0]], to_z, result_types=[grouped])
    assert "groups" in check_op(bad)[0].message
    good = build("TransData", [g.args[0]], {**to_z, "groups": 2}, result_types=[grouped])
    assert not check_op(good)


def test_reinterpret_keeps_the_bytes():
    g = new_graph("g", [t(2, 3)])
    assert not check_op(build("Reinterpret", [g.args[0]], result_types=[t(6)]))
    assert not check_op(build("Reinterpret", [g.args[0]], result_types=[t(12, elem=F16)]))
    (problem,) = check_op(build("Reinterpret", [g.args[0]], result_types=[t(7)]))
    assert problem.code == "GX-227"


def test_declared_types_may_know_more_but_not_contradict():
    g = new_graph("g", [t(2, -1)])
    assert not check_op(build("Relu", [g.args[0]], result_types=[t(2, 5)]))
    assert not check_op(build("Relu", [g.args[0]], result_types=[tensor_type(None, F32)]))
    (shape,) = check_op(build("Relu", [g.args[0]], result_types=[t(3, 5)]))
    assert shape.code == "GX-221"
    (dtype,) = check_op(build("Relu", [g.args[0]], result_types=[t(2, 5, elem=F16)]))
    assert dtype.code == "GX-225"
    split = build("SplitD", [g.args[0]], {"split_dim": 0, "num_split": 2}, result_types=[t(1, -1)])
    assert check_op(split)[0].code == "GX-226"


def test_values_are_seen_through_shape_and_identity():
    g = new_graph("g", [t(2, 6), t(3, 4)])
    shape = build("Shape", [g.args[1]], {"dtype": 9})
    same = build("Identity", [shape])
    assert build("Reshape", [g.args[0], same]).results[0].type == t(3, 4)
    dynamic = build("Shape", [new_graph("h", [t(3, -1)]).args[0]])
    assert build("Reshape", [g.args[0], dynamic]).results[0].type == t(-1, -1)


def test_reinterpreted_bytes_are_other_numbers():
    g = new_graph("g", [t(2, 6)])
    four = const(np.array([3, 0, 4, 0], np.int32))
    two = build("Reinterpret", [four], result_types=[t(2, elem=to_xdsl("int64"))])
    assert build("Reshape", [g.args[0], two]).results[0].type == t(-1, -1)
