"""What the reader builds without xDSL's checks is what xDSL's public API builds."""

from __future__ import annotations

import random
from collections.abc import Callable

from xdsl.dialects.builtin import (
    UNKNOWN_LOC,
    FileLineColLoc,
    IntAttr,
    NameLoc,
    NoneAttr,
    StringAttr,
    f32,
)
from xdsl.ir import Block, Operation
from xdsl.rewriter import Rewriter

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


def test_a_new_node_is_detached():
    t = tensor_type([4], f32)
    block = Block(arg_types=[t])
    nodes = [
        create_node(op_class("Relu"), [block.args[0]], [t], {}, {}, UNKNOWN_LOC) for _ in range(9)
    ]
    for op in nodes:
        assert (op.parent, op.next_op, op.prev_op, op.parent_op()) == (None,) * 4
        assert (op.regions, list(op.successors), op.results[0].name_hint) == ((), [], None)


def edited(made: Callable[..., Operation], seed: int) -> list[object]:
    """What is seen of a block while nodes of `made` are put in, moved, replaced and erased."""
    rng = random.Random(seed)
    t = tensor_type([4], f32)
    block = Block(arg_types=[t, t])
    loose: list[Operation] = []
    seen: list[object] = []
    for step in range(50):
        ops = list(block.ops)
        values = [*block.args, *[r for op in (*ops, *loose) for r in op.results]]
        unused = [op for op in ops if not any(r.first_use for r in op.results)]
        action = rng.randrange(9)
        if action < 3 or len(ops) < 3:
            read = rng.choices(values[-6:], k=rng.choice([0, 1, 2, 3]))
            op = made(read, [t] * rng.choice([0, 1, 1, 3]), {"ge.k": StringAttr(str(step))})
            if not ops:
                block.add_op(op)
            elif action:
                put = rng.choice([block.insert_op_before, block.insert_op_after])
                put(op, rng.choice(ops))
            else:
                loose.append(op)
        elif action == 3:
            op = rng.choice(ops)
            op.detach()
            loose.append(op)
        elif action == 4 and loose:
            block.add_op(loose.pop())
        elif action == 5 and unused:
            block.erase_op(rng.choice(unused))
        elif action == 6:
            op = rng.choice(ops)
            if op.operands:
                op.operands[rng.randrange(len(op.operands))] = rng.choice(values)
        elif action == 7:
            old, new = rng.sample(values, 2)
            old.replace_all_uses_with(new)
        else:
            op = rng.choice(ops)
            new = made(list(op.operands), [t] * len(op.results), dict(op.attributes))
            Rewriter.replace_op(op, new)
        ops = [*block.ops, *loose]
        place: dict[object, int] = {op: i for i, op in enumerate(ops)}
        values = [*block.args, *[r for op in ops for r in op.results]]
        number: dict[object, int] = {v: i for i, v in enumerate(values)}
        seen += [
            (
                op.parent is block,
                (place.get(op.prev_op), place.get(op.next_op)),
                [number[v] for v in op.operands],
                [[(place[u.operation], u.index) for u in r.uses] for r in op.results],
                [(r.op is op, r.index, r.has_one_use()) for r in op.results],
                op.attributes,
            )
            for op in ops
        ]
        seen.append([[(place[u.operation], u.index) for u in a.uses] for a in block.args])
    return seen


def test_raw_nodes_behave_as_created_ones():
    """Uses in their order (newest first), neighbours and parents, through the public API."""
    cls = op_class("Opaque")

    def raw(operands: list, types: list, attributes: dict) -> Operation:
        return create_node(cls, operands, types, {}, attributes, UNKNOWN_LOC)

    def created(operands: list, types: list, attributes: dict) -> Operation:
        return cls.create(operands=operands, result_types=types, attributes=attributes)

    for seed in range(20):
        assert edited(raw, seed) == edited(created, seed)


def test_our_lexer_has_xdsls_strings():
    import re

    from xdsl.utils.mlir_lexer import MLIRLexer

    ours = OpenLexer._unescaped_characters_regex
    stock = MLIRLexer._unescaped_characters_regex
    assert re.sub(r"\+\+|\*\+", lambda m: m.group()[0], ours.pattern) == stock.pattern
    for text in ('""', '"a"', r'"a\22b\\"', r'"\n\t"', '"a', r'"\q"', '"a\nb"'):
        assert (ours.match(text) is None) == (stock.match(text) is None)
