"""`examples/plugin`: loaded by path here; built, installed and tested by itself in the full run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from ge_dialect.plugins import entries, loading

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "plugin"
NET = """
ge.graph @g(%x: tensor<1x16x4x4xf32>) {
  %c = ge.Const() {value = dense<30.0> : tensor<f32>} : tensor<f32>
  %d = ge.RealDiv(%x, %c) : tensor<1x16x4x4xf32>
  %t = ge.Tanh(%d) : tensor<1x16x4x4xf32>
  %y = ge.Mul(%t, %c) : tensor<1x16x4x4xf32>
  %n = ge.Neg(%y) : tensor<1x16x4x4xf32>
  %s = ge.SoftCap(%n) {cap = 4.0} : tensor<1x16x4x4xf32>
  %z = ge.Neg(%s) : tensor<1x16x4x4xf32>
  ge.NetOutput(%z)
}
"""


def test_by_path(tool: Any, tmp_path: Path) -> None:
    """Everything it offers can be used, and one command takes a graph through it."""
    load = f"--load={EXAMPLE}"
    path = tmp_path / "net.mlir"
    path.write_text(NET)
    done = tool("ge-opt", str(path), load, "-p", "soft-cap-flow", "--validate=each")
    assert done.status == 0, done.err
    assert done.out.decode().count(" = ge.") == 2
    done = tool(
        "ge-opt", str(path), load, "-p", "ge-default", "--stop-after=fuse",
        "--enable-pass=soft-cap-odd,soft-cap-fusion", "--validate=each",
    )  # fmt: skip
    assert done.out.decode().count("ge.SoftCap") == 2, done.err
    done = tool("ge-run", str(path), load, "--random-inputs=0", "--check=1e-5")
    assert done.status == 0, done.err
    done = tool("ge-opt", "--list-plugins", load)
    assert done.err == b""
    groups = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]["entry-points"]
    listed = done.out.decode().splitlines()
    assert len(listed) == 1 + sum(len(table) for table in groups.values())
    assert not any("(broken)" in line or "(not used)" in line for line in listed)
    assert {g.removeprefix("ge_opt.") for g in groups} == set(entries.GROUPS) - {"socs"}
    assert not any(name.startswith("ge_softcap") for name in sys.modules)
    assert tool("ge-opt", str(path), "-p", "cse").status == 1  # nothing stays


def test_its_passes_hold_what_they_promise() -> None:
    from passes.testing.check import check_pass

    with loading.loading([str(EXAMPLE)]):
        report = check_pass("soft-cap-fusion", profile="quick")
    report.raise_if_failed()
    assert report.changed


@pytest.mark.full
def test_built_installed_and_tested(tmp_path: Path) -> None:
    """In a clean environment, away from both checkouts: found by its entry points."""
    project = tmp_path / "ours"
    project.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, project / name)
    skipped = shutil.ignore_patterns("__pycache__", "*.egg-info")
    for package in ("ge_dialect", "passes", "runtime"):
        shutil.copytree(ROOT / package, project / package, ignore=skipped)
    plugin = tmp_path / "plugin"
    shutil.copytree(EXAMPLE, plugin, ignore=skipped)
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}

    def run(*command: str) -> str:
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=600
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    wheels = str(tmp_path / "wheels")
    for source in (project, plugin):
        run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", wheels, str(source))
    (ours,) = Path(wheels).glob("ge_opt-*.whl")
    (its,) = Path(wheels).glob("ge_softcap-*.whl")
    run(sys.executable, "-m", "venv", "env")
    bin_ = tmp_path / "env" / "bin"
    pip = (str(bin_ / "python"), "-m", "pip", "install", "-q", "--disable-pip-version-check")
    run(*pip, f"{ours}[onnx]", str(its), "pytest", "hypothesis")
    (tmp_path / "net.mlir").write_text(NET)
    listed = run(str(bin_ / "ge-opt"), "--list-plugins")
    assert listed.startswith("ge-softcap 0.1.0:\n")
    assert "(broken)" not in listed
    out = run(str(bin_ / "ge-opt"), "net.mlir", "-p", "soft-cap-flow", "--validate=each")
    assert out.count(" = ge.") == 2
    run(str(bin_ / "ge-run"), "net.mlir", "--random-inputs=0", "--check=1e-5")
    shutil.rmtree(plugin / "src")
    tested = run(str(bin_ / "python"), "-m", "pytest", "-q", str(plugin))
    assert "passed" in tested
    assert "skipped" not in tested
    run(str(bin_ / "python"), "-m", "pip", "uninstall", "-q", "-y", "ge-softcap")
    assert run(str(bin_ / "ge-opt"), "--list-plugins") == "no plug-ins\n"
