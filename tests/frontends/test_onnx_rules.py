"""The table of ONNX rules: complete, documented, and in step with the onnx package."""

from __future__ import annotations

import pytest

onnx = pytest.importorskip("onnx", reason="needs the extra ge-opt[onnx]")

from ge_dialect.importers.onnx_rules import (  # noqa: E402
    OLDEST_OPSET,
    add_rule,
    all_rules,
    rule_table,
)


def test_the_reference_page_is_up_to_date():
    from ge_dialect.importers import docgen

    assert docgen.main(["--check"]) == 0


def test_every_rule_says_what_it_makes():
    assert [r.op_type for r in all_rules() if not r.run.__doc__] == []


def test_revisions_exist_in_onnx():
    history: dict[str, set[int]] = {}
    for schema in onnx.defs.get_all_schemas_with_history():
        if not schema.domain:
            history.setdefault(schema.name, set()).add(schema.since_version)
    newest = onnx.defs.onnx_opset_version()
    for op_type, revisions in rule_table().items():
        known = [r for r in revisions if r <= newest]
        assert set(known) <= history[op_type], op_type


def test_every_revision_from_the_oldest_opset_on_is_covered():
    """An operator is imported in all its revisions, up to the newest opset looked at."""
    gaps = {}
    for op_type, revisions in rule_table().items():
        for opset in range(OLDEST_OPSET, min(onnx.defs.onnx_opset_version(), 28) + 1):
            try:
                since = onnx.defs.get_schema(op_type, opset, "").since_version
            except onnx.defs.SchemaError:
                continue
            if since not in revisions:
                gaps.setdefault(op_type, set()).add(since)
    assert gaps == {}


def test_a_revision_has_one_rule():
    with pytest.raises(ValueError, match="already"):
        add_rule("Relu", "13", lambda n: [])
