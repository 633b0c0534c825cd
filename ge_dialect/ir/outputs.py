"""Names of a graph's outputs, the same at every stage of the compile flow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import BlockArgument, OpResult, SSAValue

from ge_dialect.ir.base import GeOp
from ge_dialect.ir.names import node_name
from ge_dialect.ir.narrow import is_array
from ge_dialect.ir.taken_names import TakenNames

if TYPE_CHECKING:
    from ge_dialect.ir.graph import GraphOp

#: Attribute of a graph: the names its outputs were given, in order.
OUTPUT_NAMES = "ge.output_names"


def output_names(graph: GraphOp) -> list[str]:
    """Names of the outputs: `ge.output_names` where the graph has it, else those of their nodes.

    Layout conversions are looked through, so that a compiled graph has the names of its source. A
    further result of a node is called "node:1"; a name met again gets a number ("node_1").
    """
    end = graph.net_output
    values = end.ge_data_operands if isinstance(end, GeOp) else ()
    given = graph.attributes.get(OUTPUT_NAMES)
    if is_array(given) and len(given.data) == len(values):
        return [a.data if isinstance(a, StringAttr) else str(a) for a in given.data]
    return names_of_values(values, dict(zip(graph.args, graph.arg_names(), strict=True)))


def names_of_values(
    values: Iterable[SSAValue], arguments: Mapping[BlockArgument, str]
) -> list[str]:
    """Names of values as outputs of a graph that gives its outputs none; see `output_names`.

    arguments: the graph's arguments and their names.
    """
    names: list[str] = []
    taken = TakenNames()
    for i, value in enumerate(values):
        while isinstance(value.owner, GeOp) and value.owner.ge_type == "TransData":
            value = value.owner.ge_data_operands[0]
        if isinstance(value, OpResult):
            name = node_name(value.op) or f"output{i}"
            name += f":{value.index}" if value.index else ""
        else:
            assert isinstance(value, BlockArgument)
            name = arguments[value]
        names.append(taken.fresh(name))
    return names
