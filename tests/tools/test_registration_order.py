"""What users register counts alike before and after our own tables were loaded.

Each way runs in a fresh process, as the tables are loaded once.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

LOAD = """\
import ge_dialect.exporters.onnx_rules as exporters
import ge_dialect.importers.onnx_rules as importers
import passes.testing.engine
import runtime.kernels.registry as kernels
exporters._load(); importers._load(); kernels.load_all()
"""
USE = """\
import ge_dialect.exporters.onnx_rules as exporters
import ge_dialect.importers.onnx_rules as importers
import runtime.kernels.registry as kernels
from ge_dialect.plugins import journal
from passes.testing.rules import HINTS, hint


def mine(*arguments):
    return None


def refused(call):
    try:
        call()
    except ValueError as error:
        return str(error)


source = journal.Source("a test")
with journal.registering(source):
    print(refused(lambda: importers.add_rule("Relu", "99 13", mine)))
    print(refused(lambda: importers.add_rule("com.example.Relu", "1", mine)))
    print(refused(lambda: exporters.add_export("Relu", mine)))
    print(refused(lambda: exporters.add_export("MyRelu", mine)))
    kernels.kernel("Relu")(mine)
    hint("Concat")(mine)
print(99 in importers.known_revisions("Relu"), 14 in importers.known_revisions("Relu"))
print(exporters.find_export("Relu") is mine, exporters.find_export("MyRelu") is mine)
print(kernels.find_kernel("Relu", "AIcoreEngine", ["ND", "ND"]).function is mine)
import passes.testing.engine
print(HINTS["Concat"] is mine)
journal.forget(source)
print(importers.known_revisions("com.example.Relu"), exporters.find_export("MyRelu"))
print(kernels.find_kernel("Relu", "AIcoreEngine", ["ND", "ND"]).function.__module__[:15])
print(HINTS["Concat"].__module__)
"""
SHOWN = """\
Relu since 13 has a rule already
None
Relu has a rule already
None
False True
False True
True
True
[] None
runtime.kernels
passes.testing.rules_shape
"""


@pytest.mark.parametrize("before", ["", LOAD], ids=["first", "after ours"])
def test_users_registrations(before: str) -> None:
    pytest.importorskip("onnx", reason="needs the extra ge-opt[onnx]")
    done = subprocess.run(
        [sys.executable, "-c", before + USE], capture_output=True, text=True, timeout=120
    )
    assert done.stdout == SHOWN, done.stderr
