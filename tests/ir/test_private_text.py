"""What the reader builds without xDSL's checks is what xDSL's public API builds."""

from __future__ import annotations

from xdsl.dialects.builtin import (
    UNKNOWN_LOC,
    FileLineColLoc,
    IntAttr,
    NameLoc,
    NoneAttr,
    StringAttr,
    f32,
)
from xdsl.ir import Block

from ge_dialect.ir.private import (
    create_node,
    raw_file_loc,
    raw_int,
    raw_name_loc,
    raw_string,
)
from ge_dialect.ir.private_parser import OpenLexer
from ge_dialect.ir.types import tensor_type
from ge_dialect.ops.registry import op_class


def test_raw_locations_equal_made_ones():
    raw = raw_name_loc(raw_string("n"), raw_file_loc(raw_string("f"), raw_int(3), raw_int(4)))
    made = NameLoc(StringAttr("n"), FileLineColLoc(StringAttr("f"), IntAttr(3), IntAttr(4)))
    assert raw == made
    assert hash(raw) == hash(made)
    assert str(raw) == str(made)
    assert raw.__dict__ == made.__dict__
    assert raw_name_loc(raw_string("n")) == NameLoc(StringAttr("n"), NoneAttr())


def test_raw_nodes_equal_created_ones():
    t = tensor_type([4], f32)
    add = op_class("Add")
    block = Block(arg_types=[t, t])
    a, b = block.args
    raw = create_node(add, [a, a], [t], {}, {"ge.k": StringAttr("v")}, UNKNOWN_LOC)
    made = add.create(operands=[b, b], result_types=[t], attributes={"ge.k": StringAttr("v")})
    neighbours = {"parent", "_prev_op", "_next_op"}  # written at once, all None
    assert set(raw.__dict__) == set(made.__dict__) | neighbours
    for name, value in raw.__dict__.items():
        assert type(value) is type(getattr(made, name)), name
    assert set(raw.results[0].__dict__) >= set(made.results[0].__dict__)
    for name, value in raw.results[0].__dict__.items():
        assert type(value) is type(getattr(made.results[0], name)), name
    block.add_ops([raw, made])
    assert [(u.operation, u.index) for u in a.uses] == [(raw, 1), (raw, 0)]
    assert [(u.operation, u.index) for u in b.uses] == [(made, 1), (made, 0)]
    assert raw.results[0].op is raw
    raw.verify()
    raw.operands[1] = b
    assert a.has_one_use()
    assert [(u.operation, u.index) for u in b.uses] == [(raw, 1), (made, 1), (made, 0)]
    made.detach()
    made.erase()
    assert b.has_one_use()
    raw.results[0].name_hint = "r"
    assert raw.clone().is_structurally_equivalent(raw, {b: b, a: a})


def test_our_lexer_has_xdsls_strings():
    import re

    from xdsl.utils.mlir_lexer import MLIRLexer

    ours = OpenLexer._unescaped_characters_regex
    stock = MLIRLexer._unescaped_characters_regex
    assert re.sub(r"\+\+|\*\+", lambda m: m.group()[0], ours.pattern) == stock.pattern
    for text in ('""', '"a"', r'"a\22b\\"', r'"\n\t"', '"a', r'"\q"', '"a\nb"'):
        assert (ours.match(text) is None) == (stock.match(text) is None)
