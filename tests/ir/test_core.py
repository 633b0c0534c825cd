"""Operator base class, tables, types, names, control edges: the facts of design section 3."""

from __future__ import annotations

from itertools import permutations
from typing import ClassVar

import pytest
from xdsl.dialects.builtin import DYNAMIC_INDEX, NoneAttr, TensorType, f16, f32, i1
from xdsl.ir import Block, Operation, Region

from ge_dialect.ir import fields as F
from ge_dialect.ir import private
from ge_dialect.ir.attributes import CTRL, LayoutAttr
from ge_dialect.ir.base import DYNAMIC, OPTIONAL, REQUIRED, GeOp, ge_op
from ge_dialect.ir.build import build
from ge_dialect.ir.build import graph as new_graph
from ge_dialect.ir.build import module as new_module
from ge_dialect.ir.control import (
    add_control,
    control_inputs,
    control_of,
    control_result,
    drop_control_result,
    set_control,
)
from ge_dialect.ir.graph import module_graphs
from ge_dialect.ir.kinds import float_text
from ge_dialect.ir.merge import can_merge, merged_attributes
from ge_dialect.ir.names import (
    MAX_ORIGINS,
    bound_origins,
    hint_from_name,
    node_name,
    origins,
    set_node_name,
)
from ge_dialect.ir.printer import print_module
from ge_dialect.ir.reader import parse_module
from ge_dialect.ir.types import elem_of, layout, layout_of, num_elements, shape_of, tensor_type
from ge_dialect.ops.registry import op_class

T = tensor_type([2, 3], f32)


@ge_op
class Sample(GeOp):
    """One of everything."""

    name = "ge.SampleForTests"
    TYPES: ClassVar = {"T": "float16, float32"}
    x = F.tin("T")
    bias = F.opt_tin("T")
    more = F.dyn_tin("ALL")
    y = F.tout("T")
    extra = F.dyn_tout("ALL")
    strides = F.ints()
    groups = F.int_(1)
    alpha = F.float_(0.1)
    mode = F.string(opt=True)


class Shared(GeOp):
    """Fields of a family."""

    TYPES: ClassVar = {"T": "float16, float32"}
    x = F.dyn_tin("T")
    y = F.dyn_tout("T")


@ge_op
class OfFamily(Shared):
    """Takes its lists from the base class and has one number more."""

    name = "ge.OfFamilyForTests"
    scale = F.float_(1.0)


def make(x, bias=None, more=(), extra=0, **attrs) -> GeOp:
    from ge_dialect.ir.control import segments_attr

    props = {"strides": F.kinds.INTS.to_attr([1, 1])}
    operands = [x, *([bias] if bias is not None else []), *more]
    sizes = [1, int(bias is not None), len(more), 0]
    props["operandSegmentSizes"] = segments_attr(sizes)
    props["resultSegmentSizes"] = segments_attr([1, extra, 0])
    return Sample.create(operands=operands, result_types=[T] * (1 + extra), properties=props)


@pytest.fixture
def block() -> Block:
    block = Block(arg_types=[T, T, T])
    Region(block)
    return block


def test_table() -> None:
    table = Sample.ge_table()
    assert [(s.name, s.kind) for s in table.inputs] == [
        ("x", REQUIRED),
        ("bias", OPTIONAL),
        ("more", DYNAMIC),
    ]
    assert [(s.name, s.kind) for s in table.outputs] == [("y", REQUIRED), ("extra", DYNAMIC)]
    assert table.first_named == 1
    assert not table.fixed
    assert table.sized_results
    assert [a.name for a in table.attrs.values() if a.required] == ["strides"]


def test_lists_declared_in_a_base_class(block: Block) -> None:
    """They need sizes of their segments; an operator without lists carries none."""
    table = OfFamily.ge_table()
    assert op_class("Relu").irdl_options == ()
    assert [(s.name, s.kind) for s in table.inputs] == [("x", DYNAMIC)]
    assert [(s.name, s.kind) for s in table.outputs] == [("y", DYNAMIC)]
    assert table.sized_results
    assert list(table.attrs) == ["scale"]
    from ge_dialect.ir.control import segments_attr

    sizes = {
        "operandSegmentSizes": segments_attr([2, 0]),
        "resultSegmentSizes": segments_attr([2, 0]),
    }
    op = OfFamily.create(operands=block.args[:2], result_types=[T, T], properties={
        "scale": F.kinds.FLOAT.to_attr(1.0), **sizes})  # fmt: skip
    op.verify()
    assert op.ge_inputs("x") == tuple(block.args[:2])


def test_arguments_by_slot(block: Block) -> None:
    a, b, c = block.args
    op = make(a, more=[b, c], extra=2)
    assert op.ge_args() == [a, None, [b, c]]
    assert op.ge_input("bias") is None
    assert op.ge_inputs("more") == (b, c)
    assert op.ge_operand_index("more", 1) == 2
    assert [len(g) for g in op.ge_result_groups()] == [1, 2]
    with pytest.raises(TypeError):
        op.ge_input("more")


def test_defaults_are_present_in_memory(block: Block) -> None:
    op = make(block.args[0])
    assert op.ge_attrs() == {"strides": (1, 1), "groups": 1, "alpha": pytest.approx(0.1),
                             "mode": None}  # fmt: skip
    op.ge_set_attr("mode", "SAME")
    assert op.ge_attr("mode") == "SAME"
    with pytest.raises(TypeError):
        op.ge_set_attr("groups", "two")
    with pytest.raises(KeyError):
        op.ge_set_attr("nothing", 1)


def test_dtype_symbols_agree(block: Block) -> None:
    half = tensor_type([2, 3], f16)
    other = Block(arg_types=[half])
    op = make(block.args[0], bias=other.args[0])
    assert any("bias has dtype float16, but x has float32" in p for p in op.ge_dtype_problems())


def test_no_member_of_the_base_class_can_be_hidden() -> None:
    own = {n for n in vars(GeOp) if not n.startswith("_")} - set(vars(Operation))
    allowed = {"irdl_options", "traits", "get_irdl_definition", "verify_", "parse", "print",
               "name"}  # fmt: skip
    assert {n for n in own - allowed if not n.startswith("ge_") and not n.isupper()} == set()


# ------------------------------------------------------------------------------------- types


def test_types_are_interned_and_unknown_dims_are_minus_one() -> None:
    a = tensor_type([1, -1, 3], f16, layout("NC1HWC0", c0=32))
    assert a is tensor_type((1, -7, 3), f16, layout("NC1HWC0", c0=32))
    assert a.get_shape() == (1, DYNAMIC_INDEX, 3)
    assert shape_of(a) == (1, -1, 3)
    assert num_elements(a) is None
    assert layout_of(a).c0 == 32
    # a type built elsewhere has the same answers
    plain = TensorType(f16, [DYNAMIC_INDEX, 4])
    assert shape_of(plain) == (-1, 4)
    assert plain.encoding == NoneAttr()
    assert shape_of(tensor_type(None, f16)) is None
    assert elem_of(tensor_type([], f16)) == f16
    with pytest.raises(ValueError, match="unknown rank"):
        tensor_type(None, f16, layout("NHWC"))


def test_layout_text_leaves_out_what_is_derivable() -> None:
    assert layout("NC1HWC0").ge_text() == "NC1HWC0"
    full = layout("FRACTAL_Z", origin="NHWC", groups=2, c0=32)
    assert full.ge_text() == "FRACTAL_Z, origin = NHWC, groups = 2, c0 = 32"
    assert isinstance(full, LayoutAttr)


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("1x3x4x4xf16, #ge.layout<NC1HWC0, origin = NCHW>", "1x3x4x4xf16, #ge.layout<NC1HWC0>"),
        ("1x3x4x4xi8, #ge.layout<NC1HWC0, c0 = 32>", "1x3x4x4xi8, #ge.layout<NC1HWC0>"),
        ("1x3x4x4xf16, #ge.layout<NC1HWC0, c0 = 32>", None),
        ("1x3x4x4xf16, #ge.layout<NC1HWC0, origin = NHWC>", None),
        ("1x3x4x4x5xf16, #ge.layout<NDC1HWC0, origin = NCDHW>",
         "1x3x4x4x5xf16, #ge.layout<NDC1HWC0>"),
        ("?x3x?x4xf32, #ge.layout<FRACTAL_Z, origin = NCHW, groups = 2, c0 = 16>",
         "?x3x?x4xf32, #ge.layout<FRACTAL_Z, groups = 2>"),
        ("64xf16, #ge.layout<NC1HWC0, origin = NCHW>", "64xf16, #ge.layout<NC1HWC0>"),
        ("8x8xf16, #ge.layout<FRACTAL_NZ, origin = ND>", "8x8xf16, #ge.layout<FRACTAL_NZ>"),
        ("8x8xf16, #ge.layout<FRACTAL_Z, origin = NCHW>", None),
    ],
)  # fmt: skip
def test_what_a_layout_says_by_itself_is_not_part_of_the_type(written: str, text: str) -> None:
    from ge_dialect.ir.reader import parse_module

    source = f"ge.graph @g(%x: tensor<{written}>) {{\n  ge.NetOutput(%x)\n}}\n"
    arg = parse_module(source).body.block.first_op.args[0]
    assert str(arg.type) == f"tensor<{text or written}>"
    assert arg.type is tensor_type(shape_of(arg.type), elem_of(arg.type), layout_of(arg.type))


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.1, "0.1"), (1.0, "1.0"), (1e-5, "1.0e-05"), (0.009999999776482582, "0.01"),
     (16777216.0, "16777216.0"), (-0.0, "-0.0"), (3.4028234663852886e38, "3.4028235e+38")],
)  # fmt: skip
def test_floats_print_shortest_with_a_dot(value: float, text: str) -> None:
    assert float_text(value) == text


# ------------------------------------------------------------------------------------- names


def test_names_and_origins() -> None:
    op = build("NoOp")
    assert node_name(op) is None
    set_node_name(op, "conv/1", ["a", "b", "a"])
    assert (node_name(op), origins(op)) == ("conv/1", ("a", "b"))
    set_node_name(op, "x")
    assert origins(op) == ("x",)
    many = bound_origins(f"n{i}" for i in range(1000))
    assert len(many) == MAX_ORIGINS
    assert many[-1] == "... 937 more"


@pytest.mark.parametrize(
    ("name", "hint"), [("a", "a"), ("a/b:0", "a_b_0"), ("1x", "v_1x"), ("", None), ("é", "é")]
)
def test_ssa_hints(name: str, hint: str | None) -> None:
    got = hint_from_name(name)
    assert got == hint or (name == "é" and got is not None)


# ----------------------------------------------------------------------------- control edges


def test_control_result_is_made_on_demand(block: Block) -> None:
    op = make(block.args[0], extra=1)
    block.add_op(op)
    assert control_result(op) is None
    done = control_of(op)
    assert control_of(op) is done
    assert done.type is CTRL
    assert op.results[-1] is done
    assert [len(g) for g in op.ge_result_groups()] == [1, 1]
    op.verify()
    drop_control_result(op)
    assert control_result(op) is None
    op.verify()


def test_control_edges_drop_what_is_implied(block: Block) -> None:
    a = make(block.args[0])
    b = make(a.results[0])
    c = make(b.results[0])
    block.add_ops([a, b, c])
    assert not add_control(b, [control_of(a)])  # b reads a already
    assert add_control(c, [control_of(a)])
    assert not add_control(c, [control_of(a)])
    assert control_inputs(c) == (control_of(a),)
    assert c.ge_args() == [b.results[0], None, []]
    c.verify()
    set_control(c, [])
    assert control_inputs(c) == ()
    c.verify()


# ------------------------------------------------------------------- attributes when merging


def test_attribute_policies() -> None:
    a, b = build("NoOp"), build("NoOp")
    a.attributes["ge.engine"] = F.kinds.string_to_attr("AIcoreEngine")
    b.attributes["ge.engine"] = F.kinds.string_to_attr("DNN_VM_AICPU")
    assert not can_merge(a, b)
    b.attributes["ge.engine"] = a.attributes["ge.engine"]
    b.attributes["mine.note"] = F.kinds.string_to_attr("kept")
    a.attributes["ge.stream"] = F.kinds.int_to_attr(3)
    assert can_merge(a, b)
    assert set(merged_attributes([a, b])) == {"ge.engine", "mine.note"}


# ------------------------------------------------------------------------- private and public


def test_private_access_agrees_with_the_public_api(block: Block) -> None:
    op = make(block.args[0], more=[block.args[1]])
    block.add_op(op)
    assert private.operands_of(op) == tuple(op.operands)
    private.set_type(op.results[0], tensor_type([9], f32))
    assert op.results[0].type == tensor_type([9], f32)
    private.set_name_hint(op.results[0], "x_1")
    assert op.results[0].name_hint == "x_1"
    assert private.name_hint(op.results[0]) == "x_1"
    nxt = make(block.args[2])
    block.add_op(nxt)
    assert private.next_op(op) is op.next_op is nxt


def test_arguments_are_appended_and_reordered() -> None:
    block, public = Block(arg_types=[f32]), Block(arg_types=[f32])
    arg, other = private.append_argument(block, i1), public.insert_arg(i1, 1)
    assert (arg.block, arg.index, arg.type) == (block, other.index, other.type)
    assert arg.location == other.location
    assert block.args[1] is arg
    private.reorder_arguments(block, block.args[::-1])
    assert [(a.type, a.index) for a in block.args] == [(i1, 0), (f32, 1)]
    block.erase_arg(arg)
    assert [(a.type, a.index) for a in block.args] == [(f32, 0)]


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
def test_reorder_gives_every_order(count: int) -> None:
    """Both ways round, and a node can be added behind the last."""
    for order in permutations(range(count)):
        block = Block()
        ops = [build("NoOp", []) for _ in range(count)]
        block.add_ops(ops)
        private.reorder(block, ops, order)
        wanted = [ops[i] for i in order]
        assert list(block.ops) == wanted
        assert list(reversed(block.ops)) == wanted[::-1]
        assert (block.first_op, block.last_op) == (wanted[0], wanted[-1])
        block.add_op(build("NoOp", []))
        assert len(block.ops) == count + 1


@pytest.mark.parametrize(
    "names", [["a b", "a_b"], ["a_b", "a b"], ["1", "v_1"], ["x y", "x_y", "x_y_1"], ["a", "a_1"]]
)
def test_inputs_keep_names_that_look_alike_as_ssa_names(names: list[str]) -> None:
    made, block = new_graph("g", [T] * len(names), names)
    assert made.arg_names() == names
    block.add_op(build("NetOutput", [list(block.args)], result_types=[]))
    (again,) = module_graphs(parse_module(print_module(new_module([made]))))
    assert again.arg_names() == names


def test_of_inputs_of_one_name_the_first_has_it() -> None:
    made, _ = new_graph("g", [T] * 3, ["a", "a", "b"])
    assert made.arg_names() == ["a", "arg1", "b"]
