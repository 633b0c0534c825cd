"""Graphs that have the shape of a pattern written in the pattern language.

The terms of the shape say which ops stand where; what they leave open (other inputs, attributes,
types) is filled in by the rules of the generator.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ge_dialect.dtypes import numpy_dtype, to_xdsl
from ge_dialect.ir.base import DYNAMIC
from ge_dialect.ops.registry import has_op, op_class
from ge_dialect.semantics.registry import has_semantics
from passes.testing.choices import RandomChoices
from passes.testing.knobs import DTYPES, Knobs
from passes.testing.rules import Call, finish
from passes.testing.scope import Palette, Scope, Value
from passes.testing.spec import GraphSpec, Literal

if TYPE_CHECKING:
    from passes.pattern_dsl.terms import Node, Term

KNOBS = Knobs(dtypes=("float32",) * 4 + ("float16",), constants=0.3, attrs=0.2, special=0.0)
FLOATS = ("float32", "float16", "bfloat16")


class NotMade(Exception):
    """No graph of the shape came about from these choices."""


def shape_instance(shape: Node, seed: int, knobs: Knobs = KNOBS) -> GraphSpec | None:
    """A graph with the shape, its root an output; None where this seed gives none.

    Conditions that are Python code are not looked at, so the graph may still be a near miss.
    """
    source = RandomChoices(seed, knobs.chains)
    scope = Scope(source, knobs, Palette(source, knobs))
    try:
        root = _Instance(scope).node(shape, DTYPES)
    except NotMade:
        return None
    assert root.maker is not None
    return scope.finish(root.maker.results)


class _Instance:
    """One instantiation: what the captured names stand for."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.bound: dict[str, Any] = {}

    def term(self, term: Term, call: Call, name: str) -> None:
        """Give an input of a call what a term says."""
        from passes.pattern_dsl import terms

        slot = call.slot(name)
        if isinstance(term, terms.Absent):
            call.args[name] = None
            call.fixed |= {name}
        elif isinstance(term, terms.Optional):
            if self.scope.choose(2):
                self.term(term.term, call, name)
            else:
                call.args[name] = None
                call.fixed |= {name}
        elif isinstance(term, terms.AnyOf):
            self.term(self.scope.pick(term.terms), call, name)
        elif term.name is not None and term.name in self.bound:
            value = self.bound[term.name]
            if value.dtype not in call.allowed(name):
                raise NotMade
            call.give(name, value)
        elif isinstance(term, terms.Node):
            value = self.node(term, call.allowed(name))
            call.give(name, [value] if slot.kind == DYNAMIC else value)
        else:
            self._leaf(term, call, name)

    def _leaf(self, term: Term, call: Call, name: str) -> None:
        """A value or constant: made now where its form is known, else by the rules."""
        facts = {c.kind: c.data for c in term.clauses}
        dims, dtype = self._form(facts, call, name)
        if dims is None:
            return
        value = self.scope.fresh(dims, dtype)
        if "filled" in facts:
            import numpy as np

            held = np.full(dims, facts["filled"], numpy_dtype(to_xdsl(dtype)))
            value = self.scope.held(Literal.of(held))
        elif _is_constant(term):
            self.scope.make_constant(value)
        call.give(name, value)

    def _form(
        self, facts: dict[str, Any], call: Call, name: str
    ) -> tuple[tuple[int, ...] | None, str]:
        """Shape and dtype that the clauses fix; None where the operator's rule should choose."""
        allowed = [d for d in facts.get("dtype") or DTYPES if d in call.allowed(name)]
        if not allowed:
            raise NotMade
        known = [d for d in self.scope.knobs.dtypes if d in allowed] or allowed
        dtype = self.scope.pick(known)
        if "shape" in facts:
            return tuple(2 if d is None else d for d in facts["shape"]), dtype
        if "rank" in facts and not call.args:  # beside another input it has to fit that
            return self.scope.palette.dims(self.scope, self.scope.pick(facts["rank"])), dtype
        if "filled" in facts:
            return (), dtype
        return None, dtype

    def node(self, term: Node, dtypes: Sequence[str]) -> Value:
        """A node of the shape with all that hangs on it; its result of one of some dtypes."""
        types = [t for t in term.types if has_op(t) and has_semantics(t)]
        if not types:
            raise NotMade
        call = Call(self.scope.pick(types))
        names = [s.name for s in call.table.inputs]
        given = [(names[k] if isinstance(k, int) else k, t) for k, t in term.inputs]
        if term.swaps and len(given) >= 2 and self.scope.choose(2):
            given[0], given[1] = (given[0][0], given[1][1]), (given[1][0], given[0][1])
        for clause in term.clauses:
            if clause.kind == "attr":
                call.attrs[clause.data[0]] = clause.data[1]
        fixed = dict(call.attrs)
        # nodes first: what stands beside them has to fit them
        for name, inner in sorted(given, key=lambda g: not _is_node(g[1])):
            self.term(inner, call, name)
        self._taller(call, given)
        constants = [n for n, t in given if _is_constant(t) and n not in call.fixed]
        step = finish(self.scope, call, constants)
        if step is None or any(step.attrs.get(k, v) != v for k, v in fixed.items()):
            raise NotMade
        for name, inner in given:
            found = step.args[call.table.input_index(name)]
            if not isinstance(found, Value):
                continue
            if any(c.kind == "rank" and len(found.dims) not in c.data for c in inner.clauses):
                raise NotMade
            if inner.name is not None:
                self.bound.setdefault(inner.name, found)
        value = step.results[min(term.result, len(step.results) - 1)]
        if value.dtype not in dtypes:
            raise NotMade
        return value

    def _taller(self, call: Call, given: Sequence[tuple[str, Term]]) -> None:
        """Beside a short operand mostly one with more axes: that is what broadcasts are for."""
        held = [v for v in call.args.values() if isinstance(v, Value)]
        free = [n for n, t in given if n not in call.args and not _is_constant(t)]
        if len(held) != 1 or len(free) != 1 or not _broadcasts(call.op):
            return
        if len(held[0].dims) > 2 or not self.scope.choose(3):
            return
        lead = tuple(1 + self.scope.choose(3) for _ in range(1 + self.scope.choose(2)))
        dtype = held[0].dtype
        if self.scope.choose(4) == 3:  # where operands may differ, patterns forget it
            dtype = self.scope.pick([d for d in FLOATS if d in call.allowed(free[0])] or [dtype])
        call.give(free[0], self.scope.fresh((*lead, *held[0].dims), dtype))


def _broadcasts(op_type: str) -> bool:
    from ge_dialect.ops._bases import Binary, Comparison, Promoting

    return issubclass(op_class(op_type), Binary | Comparison | Promoting)


def _is_node(term: Term) -> bool:
    from passes.pattern_dsl.terms import Node

    return isinstance(term, Node)


def _is_constant(term: Term) -> bool:
    from passes.pattern_dsl.terms import Const, Optional

    if isinstance(term, Optional):
        return _is_constant(term.term)
    return isinstance(term, Const) or any(c.kind == "constant" for c in term.clauses)
