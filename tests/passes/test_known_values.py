"""What is known of a value does not depend on what was asked for before."""

from __future__ import annotations

import pytest

from ge_dialect.api import parse
from ge_dialect.ir.graph import module_graphs
from passes.values import KnownValues


@pytest.mark.parametrize("follows", [False, True])
def test_what_was_too_far_to_go_is_known_once_it_is_nearer(follows: bool):
    """The end of a long chain is not gone through to its beginning; from its middle on it is."""
    chain = "".join(f"  %v{i + 1} = ge.Identity(%v{i}) : tensor<2xi32>\n" for i in range(300))
    model = parse(
        "ge.graph @g() {\n"
        "  %v0 = ge.Const() {value = dense<[3, 5]> : tensor<2xi32>} : tensor<2xi32>\n"
        f"{chain}  ge.NetOutput(%v300)\n}}\n"
    )
    (graph,) = module_graphs(model.module)
    values = [op.results[0] for op in graph.body.ops if op.results]
    known = KnownValues()
    if follows:
        known.follow(lambda: 0)
    found = [known.array(values[i]) for i in (300, 150, 300)]
    assert [None if f is None else f.tolist() for f in found] == [None, [3, 5], [3, 5]]
