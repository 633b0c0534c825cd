"""The wheel, installed in a clean environment away from the checkout, brings just our packages."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    source = out / "src"
    # git archive would miss uncommitted work; copy what a build needs
    source.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        (source / name).write_bytes((ROOT / name).read_bytes())
    for package in ("ge_dialect", "passes", "runtime"):
        for file in (ROOT / package).rglob("*"):
            if file.is_file() and "__pycache__" not in file.parts:
                target = source / file.relative_to(ROOT)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(file.read_bytes())
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(out), str(source)],
        check=True,
        timeout=300,
    )
    return next(out.glob("*.whl"))


def test_only_the_three_packages(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as z:
        names = z.namelist()
    tops = {n.split("/")[0] for n in names if not n.split("/")[0].endswith(".dist-info")}
    assert tops == {"ge_dialect", "passes", "runtime"}
    assert any(n.endswith(".toml") and "/soc/" in n for n in names), "SoC files are missing"


def test_tools_work_away_from_the_checkout(wheel: Path, tmp_path: Path) -> None:
    env_dir = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", str(env_dir)], check=True, timeout=300)
    python = env_dir / "bin" / "python"
    env = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    subprocess.run(
        [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", str(wheel)],
        check=True,
        cwd=tmp_path,
        env=env,
        timeout=600,
    )
    for tool in ("ge-opt", "ge-run", "ge-translate"):
        run = subprocess.run(
            [str(env_dir / "bin" / tool), "--help"],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env=env,
            timeout=120,
        )
        assert run.returncode == 0, run.stderr
        assert "example" in run.stdout.lower()
    text = (ROOT / "examples" / "tour.mlir").read_text()
    (tmp_path / "tour.mlir").write_text(text)
    run = subprocess.run(
        [str(env_dir / "bin" / "ge-opt"), "tour.mlir", "--pipeline=cse"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=env,
        timeout=120,
    )
    assert run.returncode == 0, run.stderr
    assert "ge.graph @tour" in run.stdout
    run = subprocess.run(
        [str(env_dir / "bin" / "ge-run"), "tour.mlir", "--random-inputs", "0"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=env,
        timeout=120,
    )
    assert run.returncode == 0, run.stderr
    top = (
        "import importlib.metadata as m, json;"
        "print(json.dumps(sorted(m.distribution('ge-opt').read_text('top_level.txt').split())))"
    )
    run = subprocess.run([str(python), "-c", top], capture_output=True, text=True, timeout=60)
    assert run.stdout.strip() == '["ge_dialect", "passes", "runtime"]'


def test_a_shadowing_package_is_named(tmp_path: Path) -> None:
    """A foreign `runtime` found first is named by the tool, without importing it."""
    foreign = tmp_path / "runtime"
    foreign.mkdir()
    (foreign / "__init__.py").write_text("raise SystemExit('imported the foreign package')\n")
    code = (
        "import sys; sys.path.insert(0, sys.argv.pop(1));"
        "from passes.tools.ge_opt import main; sys.exit(main())"
    )
    code_run = code.replace("passes.tools.ge_opt", "runtime.tools.ge_run")
    assert "ge_run" in code_run
    shim = "from ge_dialect.tools.common import check_packages; check_packages(['runtime'])"
    run = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r}); {shim}"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert run.returncode != 0
    assert "imported the foreign package" not in run.stderr
    assert str(foreign) in run.stderr


#: All that stands at the top of the repository.
TOP = {
    "pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "Makefile", ".ci", ".gitignore",
    "ge_dialect", "passes", "runtime", "tests", "docs", "examples", "benchmarks",
}  # fmt: skip


def test_nothing_strays_at_the_top_of_the_repository() -> None:
    if (ROOT / ".git").exists():
        listed = subprocess.run(
            ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout.split("\0")
        names = {name.partition("/")[0] for name in listed if name}
    else:  # an archive of the repository
        names = {entry.name for entry in ROOT.iterdir()}
    assert names >= TOP
    assert not (ROOT / ".git").exists() or names == TOP
