"""The guard of tests/conftest.py: a module of tests that leaves something for others fails."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from ge_dialect.ops.registry import register_op, unregister_op
from ge_dialect.semantics.registry import forget, semantics
from passes.stages import register_pipeline, unregister_pipeline

CONFTEST = Path(__file__).resolve().parents[1] / "conftest.py"
LEAVES = """\
import os
{at_import}

def test_first():
    {in_a_test}

def test_second():
    pass
"""


@pytest.fixture(scope="module")
def guard() -> ModuleType:
    spec = importlib.util.spec_from_file_location("ge_test_guard", CONFTEST)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def _operator() -> Callable[[], object]:
    register_op({"name": "LeftBehind", "in": "x: float32", "out": "y: float32"})
    return lambda: unregister_op("LeftBehind")


def _semantics() -> Callable[[], object]:
    semantics("LeftBehind")(lambda args, attrs, ctx: args[0])
    return lambda: forget("LeftBehind")


def _pipeline() -> Callable[[], object]:
    register_pipeline("left-behind", "prune")
    return lambda: unregister_pipeline("left-behind")


def _variable() -> Callable[[], object]:
    os.environ["LEFT_BEHIND"] = "1"
    return lambda: os.environ.pop("LEFT_BEHIND")


def _path() -> Callable[[], object]:
    sys.path.append("/left/behind")
    return lambda: sys.path.remove("/left/behind")


def _numpy() -> Callable[[], object]:
    old = np.seterr(over="raise")
    return lambda: np.seterr(**old)


def _recursion() -> Callable[[], object]:
    old = sys.getrecursionlimit()
    sys.setrecursionlimit(old + 1)
    return lambda: sys.setrecursionlimit(old)


def _thread() -> Callable[[], object]:
    end = threading.Event()
    thread = threading.Thread(target=end.wait)
    thread.start()

    def stop() -> None:
        end.set()
        thread.join()

    return stop


@pytest.mark.parametrize(
    ("leave", "said"),
    [
        (_operator, "ops.registry:_user['LeftBehind']"),
        (_semantics, "semantics.registry:_TABLE['LeftBehind']"),
        (_pipeline, "stages:_registered['left-behind']"),
        (_variable, "environment variable LEFT_BEHIND: was nothing, is '1'"),
        (_path, "/left/behind"),
        (_numpy, "numpy.geterr()"),
        (_recursion, "recursion limit"),
        (_thread, "threads"),
    ],
)
def test_what_is_left_is_named(guard: Any, leave: Callable[[], Any], said: str) -> None:
    with guard.unchanged_process():
        leave()()  # it is taken back
    before = guard.process_state()
    undo = leave()
    try:
        (line,) = guard.changes(before, guard.process_state())
    finally:
        undo()
    assert said in line


@pytest.mark.parametrize("where", ["at_import", "in_a_test", "nowhere"])
def test_the_module_fails(tmp_path: Path, where: str) -> None:
    shutil.copy(CONFTEST, tmp_path)
    parts = dict.fromkeys(("at_import", "in_a_test"), "pass")
    (tmp_path / "test_it.py").write_text(
        LEAVES.format(**{**parts, where: "os.environ['LEFT_BEHIND'] = '1'"})
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)],
        cwd=tmp_path, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == {"at_import": 2, "in_a_test": 1, "nowhere": 0}[where], done.stdout
    assert ("LEFT_BEHIND: was nothing, is '1'" in done.stdout) == (where != "nowhere")


def test_what_our_own_packages_register_when_imported_is_no_difference() -> None:
    code = (
        "import importlib.util, sys\n"
        f"spec = importlib.util.spec_from_file_location('guard', {str(CONFTEST)!r})\n"
        "guard = sys.modules['guard'] = importlib.util.module_from_spec(spec)\n"
        "spec.loader.exec_module(guard)\n"
        "with guard.unchanged_process():\n"
        "    import passes.plugins, passes.testing.check, runtime.api, ge_dialect.api\n"
        "    from ge_dialect.importers import onnx_rules\n"
        "    from ge_dialect.semantics.registry import lookup\n"
        "    from runtime.kernels.registry import load_all\n"
        "    onnx_rules._load()\n"
        "    load_all()\n"
        "    lookup('Relu')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
