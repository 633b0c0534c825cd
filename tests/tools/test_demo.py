"""`make demo`: what it prints and leaves, from start to end on the real topology."""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("onnx", reason="needs the extra onnx: pip install 'ge-opt[onnx]'")
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    out = tmp_path_factory.mktemp("demo")
    run = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "demo.py"), "--out", str(out)],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return out, run.stdout


def test_summary_is_complete(demo: tuple[Path, str]) -> None:
    text = demo[1]
    for word in ("nodes", "engines", "op by op", "loaded graph", "lower bound", "largest error"):
        assert word in text
    imported, kernels = map(int, re.search(r"(\d+) imported, (\d+) kernels", text).groups())
    assert imported == 176
    assert kernels < imported  # fusion took more nodes away than TransData brought


def test_fusion_and_layouts_happened(demo: tuple[Path, str]) -> None:
    text = (demo[0] / "resnet50.rt.mlir").read_text()
    assert text.count(" Conv2D(") == 53
    assert "BNInfer(" not in text
    assert "#ge.layout<FRACTAL_Z>" in text
    assert text.count(" TransData(") <= 4


def test_a_loaded_graph_is_faster_than_single_operators(demo: tuple[Path, str]) -> None:
    eager = float(re.search(r"op by op +([\d.]+) us", demo[1]).group(1))
    graph = float(re.search(r"loaded graph +([\d.]+) us", demo[1]).group(1))
    assert graph < eager


def test_what_it_leaves(demo: tuple[Path, str]) -> None:
    out, text = demo
    events = json.loads((out / "trace.json").read_text())
    events = events["traceEvents"] if isinstance(events, dict) else events
    rows = list(csv.DictReader((out / "op_summary.csv").open()))
    assert sum(r["Op Name"] != "" for r in rows) == len(rows) > 50
    assert any(e.get("ph") == "X" for e in events)
    assert len(list((out / "stages").iterdir())) >= 9
    for name in re.findall(r"^  (\S+)", text, re.MULTILINE):
        assert (out / name).exists(), name
