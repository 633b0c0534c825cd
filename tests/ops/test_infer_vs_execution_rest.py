"""The operators that `test_infer_vs_execution.py` leaves: a file of their own runs beside it."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest


def _load(name):
    """A file beside this one, once."""
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
        assert spec is not None
        assert spec.loader is not None
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


checks = _load("application_checks")
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
