"""What tests of refusals share: a small graph, and the look of a refusal."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import Any

Tool = Callable[..., Any]

NET = """\
ge.graph @g(%x: tensor<4xf32>) {
  %y = ge.Relu(%x) : tensor<4xf32>
  ge.NetOutput(%y)
}
"""


def graph(type_: str, value: str = "") -> str:
    """A graph of one node of that type: a Const with a value, else a Relu."""
    node = f"ge.Const() {{value = {value}}}" if value else "ge.Relu(%x)"
    return f"ge.graph @g(%x: {type_}) {{\n  %y = {node} : {type_}\n  ge.NetOutput(%y)\n}}\n"


def refused(tool: Tool, *arguments: str, status: int = 1, code: str, stdin: str = "") -> str:
    """Diagnostics of a run that must end with that status and code, leaving nothing behind.

    code: a whole one, or the first digits of several.
    """
    before = sorted(os.listdir())
    done = tool(*arguments, stdin=stdin.encode())
    said = done.err.decode()
    assert done.status == status, said
    assert done.out == b""
    assert re.search(rf"{code}\d*: ", said), said
    assert "Traceback" not in said
    assert len(said.splitlines()) <= 45
    assert max(map(len, said.splitlines())) <= 400
    assert sorted(os.listdir()) == before
    return said
