"""The graph register: error codes, recovery of IR definitions, legality, ways to execute."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ge_dialect.api import parse
from ge_dialect.diagnostics import GeError
from ge_dialect.ir import op_class
from ge_dialect.ops.registry import op_names
from ge_dialect.register import (
    Attr,
    IncompatibleError,
    IrDefinition,
    NodeRecord,
    Slot,
    SlotKind,
    check_module,
    check_record,
    definition_of,
    error_codes,
    finding,
    node_strategies,
    recover,
    strategies,
)
from ge_dialect.semantics.registry import ROUTING, has_semantics

# ---------------------------------------------------------------------------------- the codes


def test_every_code_has_title_arguments_and_a_suggestion():
    codes = error_codes()
    assert len(codes) > 120
    for code, entry in codes.items():
        assert re.fullmatch(r"[EW][12]\d{3}[0-9A-F]", code), code
        assert all((entry.title, entry.text, entry.cause, entry.solution)), code
        assert entry.solution.endswith("."), code
        named = set(re.findall(r"\{(\w+)\}", entry.text))
        assert named == set(entry.args), code


def test_arguments_are_checked():
    assert "Foo" in finding("E10501", "n", opname="n", optype="Foo").text
    with pytest.raises(ValueError, match="takes opname, optype"):
        finding("E10501", "n", optype="Foo")


# -------------------------------------------------------------------------------- definitions


def test_definition_of_conv2d():
    conv = definition_of("Conv2D")
    assert conv is not None
    assert [(s.name, s.kind) for s in conv.inputs] == [
        ("x", "required"), ("filter", "required"), ("bias", "optional"), ("offset_w", "optional"),
    ]  # fmt: skip
    assert [a.name for a in conv.attrs if a.required] == ["strides", "pads"]
    assert definition_of("NobodyKnowsThis") is None
    assert definition_of("Opaque") is None


def test_nodes_of_today_need_no_recovery():
    for op_type in op_names():
        prototype = definition_of(op_type)
        if prototype is None:
            assert op_type == "Opaque"
            continue
        record = NodeRecord("n", prototype)
        done = recover(record, prototype)
        assert not done.changed, op_type
        assert done.record == record, op_type


# ----------------------------------------------------------------------------------- recovery

PROTOTYPE = IrDefinition(
    "Foo",
    (Slot("x"), Slot("bias", SlotKind.OPTIONAL)),
    (Slot("y"),),
    (Attr("axis", required=True), Attr("keep")),
    (),
)


def node(inputs=PROTOTYPE.inputs, outputs=PROTOTYPE.outputs, attrs=PROTOTYPE.attrs):
    """A node that carries these lists, connects x and sets axis."""
    own = IrDefinition("Foo", tuple(inputs), tuple(outputs), tuple(attrs), ())
    return NodeRecord("foo", own, {"x": 1}, 1, {"axis": 1})


def reasons(record: NodeRecord) -> list[str]:
    with pytest.raises(IncompatibleError) as caught:
        recover(record, PROTOTYPE)
    assert {f.code for f in caught.value.findings} == {"E14001"}
    return [f.text for f in caught.value.findings]


def test_an_older_node_gets_what_is_optional():
    done = recover(node(inputs=[Slot("x")], attrs=[Attr("axis", required=True)]), PROTOTYPE)
    assert (done.added_inputs, done.added_attrs) == (("bias",), ("keep",))
    assert done.record.definition == PROTOTYPE


def test_an_older_node_lacks_what_is_required():
    (inputs,) = reasons(node(inputs=[]))
    assert "'x'" in inputs
    (attrs,) = reasons(replace(node(attrs=[]), attrs={}))
    assert "'axis'" in attrs


def test_a_newer_node_loses_what_it_does_not_use():
    more = [*PROTOTYPE.inputs, Slot("scale", SlotKind.OPTIONAL)]
    wide = node(inputs=more, attrs=[*PROTOTYPE.attrs, Attr("mode")])
    done = recover(wide, PROTOTYPE)
    assert (done.dropped_inputs, done.dropped_attrs) == (("scale",), ("mode",))
    (used,) = reasons(replace(wide, connected={"x": 1, "scale": 1}))
    assert "'scale'" in used
    (set_,) = reasons(replace(wide, attrs={"axis": 1, "mode": "a"}))
    assert "'mode'" in set_
    (needed,) = reasons(node(inputs=[*PROTOTYPE.inputs, Slot("w")]))
    assert "'w'" in needed


def test_names_kinds_and_order_of_the_common_beginning():
    assert "the prototype's is 'x'" in reasons(node(inputs=[Slot("a")]))[0]
    assert "required" in reasons(node(inputs=[Slot("x", SlotKind.DYNAMIC)]))[0]
    swapped = [Attr("keep"), Attr("axis", required=True)]
    assert "attribute 0 'keep'" in reasons(node(attrs=swapped))[0]


def test_no_more_outputs_than_the_prototype():
    assert "2 outputs" in reasons(node(outputs=[Slot("y"), Slot("z")]))[0]


def test_all_broken_rules_are_said_at_once():
    assert len(reasons(node(inputs=[Slot("a")], outputs=[Slot("y"), Slot("z")]))) == 2


names = st.lists(st.sampled_from("abcdef"), unique=True, max_size=5)
kinds = st.sampled_from(list(SlotKind))
slots = names.flatmap(
    lambda ns: st.tuples(*(st.builds(Slot, st.just(n), kinds) for n in ns))
)  # fmt: skip
attrs = names.flatmap(
    lambda ns: st.tuples(*(st.builds(Attr, st.just(n), st.booleans()) for n in ns))
)
definitions = st.builds(IrDefinition, st.just("Foo"), slots, slots, attrs, st.just(()))
uses = st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 2), max_size=6)
records = st.builds(NodeRecord, st.just("n"), definitions, uses, st.integers(0, 5), uses)


def compatible(record: NodeRecord, prototype: IrDefinition) -> bool:
    """The four rules, said once more in another form: one entry at a time, from the end."""
    own = record.definition

    def beyond(entries, others):
        return [e for i, e in enumerate(entries) if i >= len(others)]

    same = all(
        (a.name, a.kind) == (b.name, b.kind)
        for mine, theirs in (
            (own.inputs, prototype.inputs),
            (own.outputs, prototype.outputs),
            (own.attrs, prototype.attrs),
        )
        for a, b in zip(mine, theirs, strict=False)
    )
    return (
        same
        and len(own.outputs) <= len(prototype.outputs)
        and all(s.kind != "required" for s in beyond(prototype.inputs, own.inputs))
        and all(
            s.kind != "required" and not record.connected.get(s.name)
            for s in beyond(own.inputs, prototype.inputs)
        )
        and all(
            not a.required or a.name in record.attrs for a in beyond(prototype.attrs, own.attrs)
        )
        and all(a.name not in record.attrs for a in beyond(own.attrs, prototype.attrs))
    )


@settings(max_examples=200, deadline=None)
@given(records, definitions)
def test_recovery_by_the_four_rules(record: NodeRecord, prototype: IrDefinition):
    try:
        done = recover(record, prototype)
    except IncompatibleError:
        assert not compatible(record, prototype)
        return
    assert compatible(record, prototype)
    assert done.record.definition == prototype
    again = recover(done.record, prototype)
    assert again.record == done.record
    assert not again.changed


@settings(max_examples=60, deadline=None)
@given(records)
def test_every_node_recovers_to_itself(record: NodeRecord):
    assert not recover(record, record.definition).changed


# ----------------------------------------------------------------------------------- legality


def codes(record: NodeRecord) -> list[str]:
    return [f.code for f in check_record(record, PROTOTYPE)]


def test_legal_and_not():
    assert codes(node()) == []
    assert [f.code for f in check_record(NodeRecord("n", IrDefinition("Nope")))] == ["E10501"]
    assert codes(node(inputs=[Slot("a")])) == ["E14001"]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"connected": {}}, ["E10401", "E14001"]),
        ({"connected": {"bias": 1}}, ["E14001"]),  # one tensor, but in the optional place
        ({"connected": {"x": 2}}, ["E14001"]),
        ({"connected": {"x": 1, "bias": 1, "z": 1}}, ["E10401", "E14001"]),
        ({"extra_inputs": 2}, ["E10401"]),
        ({"outputs": 2}, ["E10403"]),
        ({"attrs": {}}, ["E10030"]),
    ],
)
def test_each_way_to_be_illegal(change, expected):
    record = replace(NodeRecord("foo", PROTOTYPE, {"x": 1}, 1, {"axis": 1}), **change)
    assert codes(record) == expected


def test_nodes_of_a_module():
    text = """
    ge.graph @g(%x: tensor<4xf32>) {
      %a = ge.Relu(%x) : tensor<4xf32>
      %b = ge.Opaque(%a) {type = "Nope"} : tensor<4xf32> loc("b")
      %c = ge.Opaque(%a, %b) {type = "Relu"} : tensor<4xf32> loc("c")
      %d = ge.Opaque(%c) {type = "Cast"} : tensor<4xi32> loc("d")
      ge.NetOutput(%d)
    }
    """
    found = check_module(parse(text).module)
    assert [(f.node, f.code) for f in found] == [
        ("b", "E10501"),
        ("c", "E10401"),
        ("d", "E10030"),
    ]


def test_the_library_is_legal_under_itself():
    for op_type in op_names():
        table = op_class(op_type).ge_table()
        if op_type == "Opaque":
            continue
        record = NodeRecord(
            "n",
            IrDefinition(op_type),
            {s.name: 1 for s in table.inputs if s.kind == 0},
            len(table.outputs),
            {a.name: None for a in table.attrs.values() if a.required},
        )
        assert check_record(record) == [], op_type


# --------------------------------------------------------------------------- ways to execute


def test_engines_of_operators():
    assert [s.engine.name for s in strategies("Reshape")] == ["DNN_VM_GE_LOCAL"]
    assert [s.engine.name for s in strategies("MemcpyAsync")] == ["DNN_VM_RTS"]
    conv = strategies("Conv2D")
    assert [s.engine.library for s in conv] == ["AIcoreEngine", "aicpu_ascend_kernel"]
    assert "f16" in conv[0].dtypes[-1]
    for word, near in (("conv2d", "'Conv2D'"), ("Conv", "'Conv2D'"), ("Sofmax", "'SoftmaxV2'")):
        with pytest.raises(GeError, match=f"GX-112.*\n.*did you mean {near}"):
            strategies(word)
    with pytest.raises(GeError, match="no operator of type 'NobodyKnowsThis'"):
        strategies("NobodyKnowsThis")


def test_whatever_has_a_meaning_can_be_executed():
    """But for nodes that only say where values go, which no engine runs."""
    left = {t for t in op_names() if has_semantics(t) and not strategies(t)}
    assert left <= ROUTING


def test_a_node_says_why_an_engine_does_not_take_it():
    text = """
    ge.graph @g(%x: tensor<4xf64>) {
      %a = ge.Relu(%x) : tensor<4xf64>
      ge.NetOutput(%a)
    }
    """
    (graph,) = parse(text).module.body.block.ops
    relu = next(iter(graph.regions[0].block.ops))
    refused = {s.engine.name: s.refusal for s in node_strategies(relu)}
    assert refused["DNN_VM_AICPU"] is None
    assert "f64" in (refused["AIcoreEngine"] or "") or "float64" in (refused["AIcoreEngine"] or "")
