"""Decisions in the source of a pass, made visible to a probe.

Preconditions of patterns go through ``rw.when`` and the like and are seen there. Everything else
a pass decides (an ``if``, a filter in a comprehension, a comparison that is returned) is plain
Python. `Decisions` recompiles the functions of the modules of a pass so that each such condition
is shown to a probe, under the name of its function and its own text, and takes the probe's answer.
Outside of the ``with`` block nothing is changed and nothing costs anything.

Left out are preconditions (they are judged already), conditions about remarks and the rewrite
limit, ``while`` and ``assert``, and code that runs when a module is loaded.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator, Sequence
from functools import cached_property
from types import CodeType, FunctionType, ModuleType, TracebackType
from typing import TYPE_CHECKING, Any

from passes.base import Pass
from passes.probe import Probe
from passes.registry import PASSES, pass_class
from passes.rewriting import Pattern

if TYPE_CHECKING:
    from typing_extensions import TypeIs

_NAME = "__decide__"
#: Calls by which patterns say their conditions.
_JUDGED = frozenset({"when", "holds", "candidate", "fits", "convolution_fits"})
#: What only explanations, bisection and type checkers look at.
_ASIDE = frozenset({"remarks_enabled", "watched", "rewrite_limit", "TYPE_CHECKING"})
_BOOLEAN_CALLS = frozenset({"any", "all", "isinstance", "issubclass"})


class Place(Pattern):
    """What a probe is told instead of a pattern: the function that decides."""

    def __init__(self, function: str) -> None:
        self.function = function

    @property
    def label(self) -> str:
        """Name of the function."""
        return self.function


class Decisions:
    """The decisions of modules; a context manager in which `probe` judges them.

    places: (function, text) of every decision, in the order of the source. probe: may be changed
    at any time; None answers nothing.
    """

    def __init__(self, modules: Sequence[ModuleType], probe: Probe | None = None) -> None:
        self.probe = probe
        self.places: list[tuple[str, str]] = []
        self._patterns: dict[str, Place] = {}
        self._swaps: list[tuple[FunctionType, CodeType, CodeType]] = []
        self._modules = modules
        for module in modules:
            self._prepare(module)

    def _prepare(self, module: ModuleType) -> None:
        tree = ast.parse(inspect.getsource(module))
        shown = _Shown(self.places)
        tree = ast.fix_missing_locations(shown.visit(tree))
        code = compile(tree, module.__file__ or module.__name__, "exec", dont_inherit=True)
        made = {(c.co_qualname, c.co_firstlineno): c for c in _codes(code)}
        for function in _functions(module):
            old = function.__code__
            new = made.get((old.co_qualname, old.co_firstlineno))
            if new is not None:
                self._swaps.append((function, old, new))

    def _decide(self, index: int, value: Any) -> Any:
        probe = self.probe
        if probe is None:
            return value
        function, text = self.places[index]
        place = self._patterns.setdefault(function, Place(function))
        return probe.judge(place, text, bool(value))

    def __enter__(self) -> Decisions:
        for module in self._modules:
            setattr(module, _NAME, self._decide)
        for function, _, new in self._swaps:
            function.__code__ = new
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for function, old, _ in self._swaps:
            function.__code__ = old
        for module in self._modules:
            delattr(module, _NAME)


def modules_of(name: str) -> list[ModuleType]:
    """The module of a registered pass, and those of its folder that it uses and that are no pass.

    Nothing for a pass without source.
    """
    cls: type[Pass] = pass_class(name)
    own = sys.modules.get(cls.__module__)
    if own is None or getattr(own, "__file__", None) is None:
        return []
    taken = {target.partition(":")[0] for target in PASSES.values()}
    found = {own.__name__: own}
    for held in vars(own).values():
        near = held.__name__ if isinstance(held, ModuleType) else getattr(held, "__module__", "")
        beside = (
            isinstance(near, str) and near.rpartition(".")[0] == own.__name__.rpartition(".")[0]
        )
        if beside and near not in taken and near in sys.modules:
            found.setdefault(near, sys.modules[near])
    return list(found.values())


class _Shown(ast.NodeTransformer):
    """Wraps every decision inside functions in a call of `__decide__`."""

    def __init__(self, places: list[tuple[str, str]]) -> None:
        self._places = places
        self._names: list[str] = []
        self._seen: dict[tuple[str, str], int] = {}
        self._inside = 0

    # ---- where we are ---------------------------------------------------------------------

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self._names.append(node.name)
        self.generic_visit(node)
        self._names.pop()
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self._names.append(node.name)
        self._inside += 1
        node.body = [self.visit(part) for part in node.body]
        self._inside -= 1
        self._names.pop()
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        return self.generic_visit(node) if self._inside else node

    # ---- what decides ---------------------------------------------------------------------

    def visit_If(self, node: ast.If) -> ast.AST:
        self.generic_visit(node)
        node.test = self._test(node.test)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        node.test = self._test(node.test)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        self.generic_visit(node)
        node.ifs = [self._test(t) for t in node.ifs]
        return node

    def visit_Return(self, node: ast.Return) -> ast.AST:
        self.generic_visit(node)
        if node.value is not None and _boolean(node.value):
            node.value = self._test(node.value)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        self.generic_visit(node)
        if _boolean(node.value):
            node.value = self._test(node.value)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if _over_elements(node):
            elements = node.args[0]
            assert isinstance(elements, ast.GeneratorExp)
            elements.elt = self._test(elements.elt)
        return node

    def _test(self, node: ast.expr) -> ast.expr:
        """The parts of a condition that are true or false by themselves."""
        if not self._inside:
            return node
        if isinstance(node, ast.BoolOp):
            node.values = [self._test(v) for v in node.values]
            return node
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            node.operand = self._test(node.operand)
            return node
        if isinstance(node, ast.Constant) or _is_shown(node) or _is_aside(node):
            return node
        name = ".".join(self._names)
        text = ast.unparse(_Plain().visit(ast.parse(ast.unparse(node), mode="eval")))
        count = self._seen[name, text] = self._seen.get((name, text), 0) + 1
        self._places.append((name, f"{text} ({count})" if count > 1 else text))
        index = ast.Constant(len(self._places) - 1)
        call = ast.Call(ast.Name(_NAME, ast.Load()), [index, node], [])
        return ast.copy_location(call, node)


class _Plain(ast.NodeTransformer):
    """Takes the calls of `__decide__` out again."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        shown = isinstance(node.func, ast.Name) and node.func.id == _NAME
        return node.args[1] if shown else node


def _is_shown(node: ast.AST) -> bool:
    """Whether a part is shown already; `any` of a generator is, through its elements."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return False
    return node.func.id == _NAME or _over_elements(node)


def _over_elements(node: ast.Call) -> bool:
    named = node.func.id if isinstance(node.func, ast.Name) else ""
    return (
        named in ("any", "all") and bool(node.args) and isinstance(node.args[0], ast.GeneratorExp)
    )


def _is_aside(node: ast.AST) -> bool:
    """Whether a condition is judged elsewhere or is no matter of the result."""
    for part in ast.walk(node):
        if isinstance(part, ast.Call):
            called = part.func
            label = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            if label in _JUDGED:
                return True
        label = part.attr if isinstance(part, ast.Attribute) else getattr(part, "id", "")
        if label in _ASIDE:
            return True
    return False


def _boolean(node: ast.AST) -> bool:
    """Whether an expression surely gives a truth value."""
    if isinstance(node, ast.BoolOp):
        return all(map(_boolean, node.values))
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id in _BOOLEAN_CALLS or node.func.id == _NAME
    return isinstance(node, ast.Compare)


def _codes(code: CodeType) -> Iterator[CodeType]:
    for held in code.co_consts:
        if isinstance(held, CodeType):
            yield held
            yield from _codes(held)


def _functions(module: ModuleType) -> Iterator[FunctionType]:
    """The functions and methods a module defines."""
    todo: list[Any] = [v for v in vars(module).values() if _is_own(v, module)]
    while todo:
        held = todo.pop()
        if isinstance(held, type):
            todo += [v for v in vars(held).values() if not isinstance(v, type)]
        elif isinstance(held, FunctionType):
            if held.__module__ == module.__name__:
                yield held
        elif _is_wrapped(held):
            todo.append(held.__func__)
        elif isinstance(held, property):
            todo.append(held.fget)
        elif isinstance(held, cached_property):
            todo.append(held.func)
        elif hasattr(held, "__wrapped__"):
            todo.append(held.__wrapped__)


def _is_own(held: Any, module: ModuleType) -> bool:
    return getattr(held, "__module__", None) == module.__name__


def _is_wrapped(value: object) -> TypeIs[staticmethod[..., Any] | classmethod[Any, ..., Any]]:
    """Whether a value is a function that a class holds as a static or class method."""
    return isinstance(value, staticmethod | classmethod)


__all__ = ["Decisions", "Place", "modules_of"]
