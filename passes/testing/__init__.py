"""The pass author's kit: generated graphs, properties of passes, reduction.

Importable by any project that installs the distribution. Names are loaded on first use, so that
`import passes.testing` needs neither numpy nor hypothesis.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from passes.testing.check import CheckReport, check_pass, check_pipeline
    from passes.testing.compare import compare_values, f64_bound
    from passes.testing.contract_test import PassContractTest
    from passes.testing.exhaustive import all_specs
    from passes.testing.from_pattern import pattern_specs
    from passes.testing.hypothesis_front import specs
    from passes.testing.inputs import input_sets
    from passes.testing.knobs import PROFILES, Knobs
    from passes.testing.reduce import Budget, Reduced, reduce
    from passes.testing.seeded import random_spec, random_specs
    from passes.testing.spec import GraphSpec, Input, Literal, Step, Text

_WHERE = {
    "GraphSpec": "spec",
    "Input": "spec",
    "Literal": "spec",
    "Step": "spec",
    "Text": "spec",
    "Knobs": "knobs",
    "PROFILES": "knobs",
    "random_spec": "seeded",
    "random_specs": "seeded",
    "specs": "hypothesis_front",
    "all_specs": "exhaustive",
    "input_sets": "inputs",
    "pattern_specs": "from_pattern",
    "Budget": "reduce",
    "Reduced": "reduce",
    "reduce": "reduce",
    "compare_values": "compare",
    "f64_bound": "compare",
    "CheckReport": "check",
    "check_pass": "check",
    "check_pipeline": "check",
    "PassContractTest": "contract_test",
}

__all__ = [
    "PROFILES",
    "Budget",
    "CheckReport",
    "GraphSpec",
    "Input",
    "Knobs",
    "Literal",
    "PassContractTest",
    "Reduced",
    "Step",
    "Text",
    "all_specs",
    "check_pass",
    "check_pipeline",
    "compare_values",
    "f64_bound",
    "input_sets",
    "pattern_specs",
    "random_spec",
    "random_specs",
    "reduce",
    "specs",
]


def __getattr__(name: str) -> Any:
    where = _WHERE.get(name)
    if where is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{where}"), name)
    globals()[name] = value
    return value
