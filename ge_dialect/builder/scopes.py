"""The block that nodes go to: of a graph, or of a sub-graph that takes outer values as inputs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from inspect import signature
from typing import TYPE_CHECKING, Any

from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from ge_dialect.builder.failing import fail
from ge_dialect.builder.values import Handle, Ref, Tensor
from ge_dialect.ir.attributes import RefType
from ge_dialect.ir.build import build
from ge_dialect.ir.private import append_argument, reorder_arguments, set_name_hint
from ge_dialect.ir.stock_text import MAX_DEPTH
from ge_dialect.ir.taken_names import TakenNames

if TYPE_CHECKING:
    from ge_dialect.builder.graph import Graph


#: Frames of Python that a level of nesting takes, the builder's and the user's.
_FRAMES = 40


@contextmanager
def room_for(frames: int) -> Iterator[None]:
    """Let calls nest so much deeper than Python's limit allows."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(limit + frames)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


def block_of(value: SSAValue) -> Block | None:
    """The block a value lives in."""
    owner = value.owner
    return owner if isinstance(owner, Block) else owner.parent


def wrap(graph: Graph, value: SSAValue) -> Tensor | Ref:
    """A handle of a value."""
    return (Ref if isinstance(value.type, RefType) else Tensor)(graph, value)


class Scope:
    """A block under construction, and what a sub-graph takes from outside."""

    def __init__(self, graph: Graph, block: Block, parent: Scope | None = None) -> None:
        self.graph = graph
        self.block = block
        self.parent = parent
        #: How many sub-graphs stand around what is built here, this one counted.
        self.depth: int = 0 if parent is None else parent.depth + 1
        self.taken = TakenNames()
        #: Names given since the call under way began.
        self.fresh: set[str] = set()
        self.captured: dict[SSAValue, BlockArgument] = {}

    def name(self, given: str | None, base: str) -> str:
        """A node's name: the one given, which must be new, else one made from `base`."""
        if given is None:
            return self._take(self.taken.free(base))
        if not isinstance(given, str) or not given:
            fail("GX-108", "a node's name is a text", found=repr(given))
        if given in self.taken:
            fail("GX-133", f"the graph has a node {given!r} already", hint="names are unique")
        return self._take(given)

    def _take(self, name: str) -> str:
        self.taken.add(name)
        self.fresh.add(name)
        return name

    def value(self, handle: Tensor | Ref) -> SSAValue:
        """The value of a handle in this block; an outer one becomes an argument."""
        if handle.graph is not self.graph:
            fail(
                "GX-130",
                f"{handle!r} belongs to another graph",
                found=f"graph {handle.graph.name!r}",
                expected=f"graph {self.graph.name!r}",
                hint="values pass between graphs only as inputs and outputs",
            )
        return self._resolved(handle.ssa, handle)

    def _resolved(self, value: SSAValue, handle: Tensor | Ref) -> SSAValue:
        between: list[Scope] = []
        scope: Scope | None = self
        home = block_of(value)
        while scope is not None and scope.block is not home:
            between.append(scope)
            scope = scope.parent
        if scope is None:
            fail(
                "GX-130",
                f"{handle!r} belongs to a sub-graph that is finished",
                hint="return it from the sub-graph",
            )
        for inner in reversed(between):
            found = inner.captured.get(value)
            if found is None:
                found = append_argument(inner.block, value.type)
                set_name_hint(found, value.name_hint)
                inner.captured[value] = found
            value = found
        return value

    def waited(self, after: Any) -> list[Operation]:
        """The nodes of this block that a new one waits for."""
        items = list(after) if isinstance(after, list | tuple) else [after]
        found: list[Operation] = []
        for item in items:
            if not isinstance(item, Handle):
                fail("GX-106", f"a node cannot wait for {item!r}", expected="tensors or nodes")
            if item.graph is not self.graph:
                fail("GX-130", f"{item!r} belongs to another graph")
            if item.op is None:
                fail("GX-107", f"{item!r} is an input, which orders nothing")
            if item.op.parent is not self.block:
                fail(
                    "GX-130", f"{item!r} stands in another sub-graph, whose nodes cannot be awaited"
                )
            found.append(item.op)
        return found


class Body:
    """A sub-graph made by a Python function of its inputs."""

    def __init__(
        self, outer: Scope, types: Sequence[Any], fn: Callable[..., Any], what: str
    ) -> None:
        if not callable(fn):
            fail("GX-106", f"{what} is a function of the sub-graph's inputs", found=repr(fn))
        self.what = what
        self._check_arguments(fn, len(types))
        self.block = Block(arg_types=types)
        self.scope = Scope(outer.graph, self.block, outer)
        if self.scope.depth > MAX_DEPTH:
            fail("GX-110", f"{what}: graphs are nested more than {MAX_DEPTH} levels deep",
                 hint="let a sub-graph hold what stands in it, or use a loop")  # fmt: skip
        graph = outer.graph
        graph.enter(self.scope)
        try:
            # a level takes a dozen frames of Python, and the limit is a thousand
            with room_for(MAX_DEPTH * _FRAMES) if self.scope.depth == 1 else nullcontext():
                made = fn(*(wrap(graph, a) for a in self.block.args))
            items = list(made) if isinstance(made, tuple | list) else [made]
            self.outputs = [self.scope.value(self._handle(i)) for i in items]
        finally:
            graph.leave(self.scope)

    def _check_arguments(self, fn: Callable[..., Any], count: int) -> None:
        """Refuse a function that cannot be called with so many arguments."""
        try:
            called = signature(fn)
        except (ValueError, TypeError):  # some of Python's own do not say
            return
        try:
            called.bind(*range(count))
        except TypeError:
            fail(
                "GX-106",
                f"{self.what} takes other arguments than it is given",
                found=f"parameters {called}",
                expected=f"{count} arguments, one for each input of the sub-graph",
            )

    def _handle(self, item: Any) -> Tensor | Ref:
        if isinstance(item, Tensor | Ref):
            return item
        from ge_dialect.builder.constants import constant

        if item is None:
            fail("GX-106", f"{self.what} returns nothing", expected="a tensor, or several")
        return wrap(self.scope.graph, constant(self.scope, item, None, "value"))

    def finish(self, captured: Sequence[SSAValue], loops: bool) -> None:
        """Take `captured` as last inputs, in that order, and end; a loop hands them on."""
        own = len(self.block.args) - len(self.scope.captured)
        fresh: list[BlockArgument] = []
        for outer in captured:
            arg = self.scope.captured.get(outer)
            fresh.append(append_argument(self.block, outer.type) if arg is None else arg)
        reorder_arguments(self.block, [*self.block.args[:own], *fresh])
        ends = [*self.outputs, *fresh] if loops else self.outputs
        self.block.add_op(build("NetOutput", [ends], name=self.scope.name(None, "NetOutput")))
