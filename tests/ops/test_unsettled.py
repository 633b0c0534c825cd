"""The table of operators without a meaning is true."""

from __future__ import annotations

from ge_dialect.ops.registry import op_names
from ge_dialect.ops.unsettled import REASONS, UNSETTLED
from ge_dialect.semantics.registry import has_semantics


def test_what_it_names_is_declared_and_not_evaluated():
    known = set(op_names())
    assert sorted(set(REASONS) - known) == []
    assert [n for n in REASONS if has_semantics(n)] == []
    assert len(REASONS) == sum(len(names.split()) for names in UNSETTLED.values()), "a name twice"


def test_every_operator_is_named_or_evaluated():
    from ge_dialect.ops._index import MODULES

    tail = [n for n, module in MODULES.items() if module.startswith("tail.")]
    assert [n for n in tail if n not in REASONS] == []
