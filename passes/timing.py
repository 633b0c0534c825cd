"""A tree of wall times and its report."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass
class TimingNode:
    """Time spent under one name; `seconds` includes the children."""

    name: str
    seconds: float = 0.0
    runs: int = 0
    children: dict[str, TimingNode] = field(default_factory=dict)

    def child(self, name: str) -> TimingNode:
        """The child of that name, made when missing."""
        node = self.children.get(name)
        if node is None:
            node = self.children[name] = TimingNode(name)
        return node

    def to_json(self) -> dict[str, Any]:
        """Nested dictionaries; times in seconds."""
        data: dict[str, Any] = {"name": self.name, "seconds": round(self.seconds, 6)}
        if self.runs > 1:
            data["runs"] = self.runs
        if self.children:
            data["children"] = [c.to_json() for c in self.children.values()]
        return data


class TimingTree:
    """Nested scopes, each timed; scopes of one name under one parent add up."""

    def __init__(self) -> None:
        self.root = TimingNode("Total")
        self._stack = [self.root]
        self._begin = time.perf_counter()

    @contextmanager
    def scope(self, name: str) -> Generator[None]:
        """Time the body of a ``with`` statement."""
        node = self._stack[-1].child(name)
        self._stack.append(node)
        start = time.perf_counter()
        try:
            yield
        finally:
            node.seconds += time.perf_counter() - start
            node.runs += 1
            self._stack.pop()

    def finish(self) -> TimingNode:
        """Set the total and return the root."""
        self.root.seconds = time.perf_counter() - self._begin
        return self.root

    def render(self, display: str = "tree") -> str:
        """The report as text: "tree" keeps the nesting, "list" sums by name, longest first."""
        root = self.finish()
        total = root.seconds or 1e-9
        rule = "===" + "-" * 73 + "==="
        title = "... Execution time report ..."
        lines = [rule, title.center(79).rstrip(), rule]
        lines.append(f"  Total Execution Time: {root.seconds:.4f} seconds")
        lines += ["", "  ----Wall Time----  ----Name----"]
        rows = _tree_rows(root, 0) if display == "tree" else _list_rows(root)
        rest = root.seconds - sum(c.seconds for c in root.children.values())
        rows += [(max(rest, 0.0), "Rest"), (root.seconds, "Total")]
        for seconds, name in rows:
            lines.append(f"  {seconds:9.4f} ({seconds / total * 100:5.1f}%)  {name}")
        return "\n".join(lines) + "\n"


def _tree_rows(node: TimingNode, depth: int) -> list[tuple[float, str]]:
    rows: list[tuple[float, str]] = []
    for child in node.children.values():
        runs = f" (x{child.runs})" if child.runs > 1 else ""
        rows.append((child.seconds, "  " * depth + child.name + runs))
        rows += _tree_rows(child, depth + 1)
    return rows


def _list_rows(root: TimingNode) -> list[tuple[float, str]]:
    own: dict[str, float] = {}

    def visit(node: TimingNode) -> None:
        spent = node.seconds - sum(c.seconds for c in node.children.values())
        own[node.name] = own.get(node.name, 0.0) + max(spent, 0.0)
        for child in node.children.values():
            visit(child)

    for child in root.children.values():
        visit(child)
    return [(s, n) for n, s in sorted(own.items(), key=lambda kv: (-kv[1], kv[0]))]
