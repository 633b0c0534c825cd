"""The operators that `test_infer_vs_execution.py` leaves: a file of their own runs beside it."""

from __future__ import annotations

import pytest

from tests.ops import application_checks as checks

FULL, NIGHTLY = 2000, 5000


@pytest.mark.full
@pytest.mark.parametrize("op", checks.drawn_ops()[1::2])
def test_inference_and_execution_agree_by_the_thousand(op):
    found, lacks = checks.thousands_of(op, FULL, 1)
    print(op, dict(found.seen))
    assert not lacks


@pytest.mark.nightly
@pytest.mark.parametrize("op", checks.drawn_ops()[1::2])
def test_inference_and_execution_agree_by_more_thousands(op):
    found, lacks = checks.thousands_of(op, NIGHTLY, 2)
    print(op, dict(found.seen))
    assert not lacks
