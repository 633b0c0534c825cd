"""Objects made in batches are objects of their own."""

from __future__ import annotations

from xdsl.dialects.builtin import UNKNOWN_LOC, StringAttr, f32
from xdsl.ir import Block

from ge_dialect.ir.batches import Batch
from ge_dialect.ir.private import create_node
from ge_dialect.ir.types import tensor_type
from ge_dialect.ops.registry import op_class


class Counted:
    """Counts how many of it were made."""

    made = 0

    def __init__(self) -> None:
        Counted.made += 1


def test_every_object_is_given_out_once():
    batch = Batch(Counted)
    taken = [batch.take() for _ in range(1000)]
    assert len({id(one) for one in taken}) == 1000


def test_what_waits_is_never_more_than_what_was_taken():
    Counted.made = 0
    batch = Batch(Counted)
    for taken in range(1, 1000):
        batch.take()
        assert taken <= Counted.made <= min(2 * taken, taken + 64)


def test_nodes_share_nothing_that_can_change():
    t = tensor_type([4], f32)
    block = Block(arg_types=[t])
    given = {"ge.k": StringAttr("v")}
    nodes = [create_node(op_class("Relu"), [block.args[0]], [t], {}, given, UNKNOWN_LOC)]
    for _ in range(200):
        last = nodes[-1].results[0]
        nodes.append(create_node(op_class("Relu"), [last], [t], {}, given, UNKNOWN_LOC))
    block.add_ops(nodes)
    for i, node in enumerate(nodes):
        node.attributes["ge.i"] = StringAttr(str(i))
        node.properties["own"] = StringAttr(str(i))
    assert given == {"ge.k": StringAttr("v")}
    for i, node in enumerate(nodes):
        assert node.attributes == {"ge.k": StringAttr("v"), "ge.i": StringAttr(str(i))}
        assert node.properties == {"own": StringAttr(str(i))}
        assert node.results[0].op is node
        assert [use.operation for use in node.results[0].uses] == nodes[i + 1 : i + 2]
