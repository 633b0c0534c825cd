"""Graphs that are wide in one way each, as text: `SHAPES` maps names to makers.

A maker takes the number of nodes (or inputs, graphs …) that come `n` times.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

_T = "tensor<8xf16>"
_F32 = "tensor<8xf32>"  # has more values than f16
_IMAGE = "tensor<1x16x8x8xf16>"
_CONV = '{strides = [1, 1, 1, 1], pads = [1, 1, 1, 1], data_format = "NCHW"}'


def _graph(args: str, lines: Iterable[str], outputs: str) -> str:
    body = "".join(f"  {line}\n" for line in lines)
    return f"ge.graph @g({args}) {{\n{body}  ge.NetOutput({outputs})\n}}\n"


def _values(name: str, n: int) -> str:
    return ", ".join(f"%{name}{i}" for i in range(n))


def inputs(n: int) -> str:
    """Many inputs, each read once."""
    args = ", ".join(f"%x{i}: {_T}" for i in range(n))
    return _graph(args, [f"%r{i} = ge.Relu(%x{i}) : {_T}" for i in range(n)], _values("r", n))


def chain(n: int) -> str:
    """Each reads the one before."""
    kinds = ("Exp", "Relu")
    lines = [f"%r{i + 1} = ge.{kinds[i % 2]}(%r{i}) : {_T}" for i in range(n)]
    return _graph(f"%r0: {_T}", lines, f"%r{n}")


def fan(n: int) -> str:
    """One value read by many, which differ."""
    lines = [f"%q = ge.Abs(%x) : {_T}"]
    lines += [f"%r{i} = ge.Muls(%q) {{value = {i}.5}} : {_T}" for i in range(n)]
    return _graph(f"%x: {_T}", lines, _values("r", n))


def equal(n: int) -> str:
    """One value read by many that compute the same; the graph has their values as outputs."""
    return _graph(f"%x: {_T}", [f"%r{i} = ge.Exp(%x) : {_T}" for i in range(n)], _values("r", n))


def join(n: int) -> str:
    """One node that reads many."""
    lines = [f"%r{i} = ge.Muls(%x) {{value = {i}.5}} : {_T}" for i in range(n)]
    lines.append(f"%s = ge.AddN([{_values('r', n)}]) {{N = {n}}} : {_T}")
    return _graph(f"%x: {_T}", lines, "%s")


def constants(n: int) -> str:
    """Many constants, all different."""
    lines: list[str] = []
    for i in range(n):
        lines.append(f"%c{i} = ge.Const() {{value = dense<{i}.5> : {_F32}}} : {_F32}")
        lines.append(f"%r{i} = ge.Mul(%x, %c{i}) : {_F32}")
    return _graph(f"%x: {_F32}", lines, _values("r", n))


def variables(n: int) -> str:
    """Many variables, each read once."""
    lines: list[str] = []
    for i in range(n):
        what = f'{{container = "", shared_name = "v{i}"}}'
        lines.append(f"%v{i} = ge.Variable() {what} : !ge.ref<{_T}>")
        lines.append(f"%r{i} = ge.Read(%v{i}) : {_T}")
    return _graph("", lines, _values("r", n))


def control_fan(n: int) -> str:
    """Many wait for one."""
    lines = [f"%a, %a_done = ge.Exp(%x) : {_T}, !ge.ctrl"]
    lines += [f"%r{i} = ge.Relu(%x) after(%a_done) : {_T}" for i in range(n)]
    return _graph(f"%x: {_T}", lines, f"%a, {_values('r', n)}")


def control_join(n: int) -> str:
    """One waits for many that compute the same."""
    lines = [f"%r{i}, %d{i} = ge.Exp(%x) : {_T}, !ge.ctrl" for i in range(n)]
    lines.append(f"%z = ge.Abs(%x) after({_values('d', n)}) : {_T}")
    return _graph(f"%x: {_T}", lines, "%z")


def reshapes(n: int) -> str:
    """Nodes without a task, each before one that has one."""
    lines: list[str] = []
    for i in range(n):
        lines.append(f"%q{i} = ge.Reshape(%x, %s) : {_T}")
        lines.append(f"%r{i} = ge.Relu(%q{i}) : {_T}")
    return _graph(f"%x: {_T}, %s: tensor<1xi64>", lines, _values("r", n))


def identities(n: int) -> str:
    """A chain that is removed, node by node."""
    lines = [f"%r{i + 1} = ge.Identity(%r{i}) : {_T}" for i in range(n)]
    return _graph(f"%r0: {_T}", lines, f"%r{n}")


def dead(n: int) -> str:
    """A chain that nothing reads."""
    return _graph(f"%r0: {_T}", [f"%r{i + 1} = ge.Exp(%r{i}) : {_T}" for i in range(n)], "%r0")


def convolutions(n: int) -> str:
    """Equal convolutions of one image, whose results are outputs: many conversions of layout."""
    lines = [f"%r{i} = ge.Conv2D(%x, %w) {_CONV} : {_IMAGE}" for i in range(n)]
    return _graph(f"%x: {_IMAGE}, %w: tensor<16x16x3x3xf16>", lines, _values("r", n))


def graphs(n: int) -> str:
    """Many small graphs in one module."""
    one = _graph(f"%x: {_T}", [f"%r = ge.Relu(%x) : {_T}"], "%r")
    return "".join(one.replace("@g", f"@g{i}") for i in range(n))


SHAPES: dict[str, Callable[[int], str]] = {
    make.__name__: make
    for make in (
        inputs, chain, fan, equal, join, constants, variables, control_fan, control_join,
        reshapes, identities, dead, convolutions, graphs,
    )
}  # fmt: skip
