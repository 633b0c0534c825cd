"""Rules of the pattern language as PDL, MLIR's dialect for patterns.

PDL matches an exact operator, number of operands and attributes, so a rule becomes one
``pdl.pattern`` for each choice it leaves open: operator types, order of commutative inputs, absent
or present optional inputs, alternatives. What PDL cannot say (dtypes, shapes, uses, conditions) is
a native constraint, whose name and Python function come with the text; a replacement that is a
Python function is a native rewrite under the rule's name. Control edges are not part of PDL: the
patterns match nodes that wait for nothing and that nothing waits for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from xdsl.ir import Attribute

from ge_dialect.containers import is_list, is_tuple
from ge_dialect.ir.base import DYNAMIC, OPTIONAL, GeOp
from ge_dialect.ops.registry import op_class
from passes.pattern_dsl.rules import AttrOf, DslPattern, Rule, RuleTable, Template
from passes.pattern_dsl.terms import (
    Absent,
    AnyOf,
    Clause,
    Const,
    Node,
    Optional,
    Term,
    Values,
)

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

#: A rule that leaves more choices open is not exported.
MAX_PATTERNS = 64


class PdlExportError(ValueError):
    """A rule that PDL cannot hold, with the reason."""


class _Unsaid(Exception):
    """A replacement that has to stay native."""


@dataclass
class PdlExport:
    """PDL text and what it refers to.

    constraints: Python function of each native constraint, called with the matched operations and
    values. rewrites: rule of each native rewrite.
    """

    text: str = ""
    constraints: dict[str, Callable[..., bool]] = field(default_factory=dict)
    rewrites: dict[str, DslPattern] = field(default_factory=dict)
    patterns: int = 0


def export_pdl(what: DslPattern | RuleTable | Sequence[DslPattern]) -> PdlExport:
    """PDL of a rule or of several; raises `PdlExportError` where a shape cannot be said."""
    rules = [what] if isinstance(what, DslPattern) else list(what)
    out = PdlExport()
    parts: list[str] = []
    for rule in rules:
        shapes = list(_variants(rule.shape, rule.label))
        for number, shape in enumerate(shapes):
            label = _slug(rule.label) + (f"_{number}" if len(shapes) > 1 else "")
            parts.append(_Writer(rule, shape, label, out).pattern())
            out.patterns += 1
    out.text = "builtin.module {\n" + "\n".join(parts) + "\n}\n"
    return out


def parse_pdl(export: PdlExport) -> ModuleOp:
    """The text as a verified module of xDSL's pdl dialect."""
    from xdsl.dialects import pdl
    from xdsl.parser import Parser

    from ge_dialect.ir.context import make_context

    ctx = make_context()
    ctx.load_dialect(pdl.PDL)
    module = Parser(ctx, export.text).parse_module()
    module.verify()
    return module


def apply_pdl(export: PdlExport, module: ModuleOp) -> bool:
    """Rewrite `module` with xDSL's PDL interpreter; whether anything changed.

    Only for replacements that PDL says itself; `PdlExportError` for native rewrites.
    """
    from xdsl.dialects import pdl
    from xdsl.interpreters.pdl import PDLRewritePattern
    from xdsl.pattern_rewriter import (
        GreedyRewritePatternApplier,
        PatternRewriteWalker,
        RewritePattern,
    )

    from ge_dialect.ir.context import make_context

    if export.rewrites:
        names = ", ".join(export.rewrites)
        raise PdlExportError(f"native rewrites cannot be interpreted: {names}")
    found = [op for op in parse_pdl(export).walk() if isinstance(op, pdl.RewriteOp)]
    ctx = make_context()
    patterns = [
        PDLRewritePattern(op, ctx, native_constraints=dict(export.constraints)) for op in found
    ]
    applier = GreedyRewritePatternApplier(list[RewritePattern](patterns), dce_enabled=False)
    return PatternRewriteWalker(applier).rewrite_module(module)


# ------------------------------------------------------------------------------- the choices


def _variants(shape: Node, label: str) -> Iterator[Node]:
    """Every way to close the choices of a shape; the shapes that come out have none."""
    for number, term in enumerate(_closed(shape, label)):
        if number >= MAX_PATTERNS:
            raise PdlExportError(f"{label}: more than {MAX_PATTERNS} patterns")
        assert isinstance(term, Node)
        yield term


def _closed(term: Term, label: str) -> Iterator[Term]:
    if isinstance(term, AnyOf):
        for option in term.terms:
            yield from _closed(option, label)
    elif isinstance(term, Optional):
        yield Absent(term.term.name)
        yield from _closed(term.term, label)
    elif isinstance(term, Const):
        for op_type in ("Const", "Constant"):
            yield _ConstNode(term.name, term.clauses, (op_type,))
    elif isinstance(term, Values):
        raise PdlExportError(f"{label}: a dynamic input cannot be said in PDL")
    elif isinstance(term, Node):
        for op_type in term.types:
            yield from _closed_node(term, op_type, label)
    else:
        yield term


@dataclass(frozen=True, eq=False)
class _ConstNode(Node):
    """A Const that was written as `const()`: its capture is the value."""


def _closed_node(term: Node, op_type: str, label: str) -> Iterator[Node]:
    table = op_class(op_type).ge_table()
    given = {s if isinstance(s, int) else table.input_index(s): t for s, t in term.inputs}
    slots: list[list[Term]] = []
    for index, slot in enumerate(table.inputs):
        found = given.get(index)
        if found is None:
            if slot.kind == DYNAMIC:
                raise PdlExportError(f"{label}: a dynamic input cannot be said in PDL")
            slots.append([Term()] if slot.kind != OPTIONAL else [Absent(), Term()])
        else:
            slots.append(list(_closed(found, label)))
    if any(s.kind != 0 for s in table.outputs):
        raise PdlExportError(f"{label}: {op_type} has a variable number of results")
    orders = [False, True] if term.swaps else [False]
    for swapped, choice in product(orders, product(*slots)):
        inputs = list(enumerate(choice))
        if swapped:
            inputs[:2] = [(0, choice[1]), (1, choice[0])]
        yield replace(term, types=(op_type,), inputs=tuple(inputs), swaps=False)


# ------------------------------------------------------------------------------------- text


class _Writer:
    """Writes one pattern."""

    def __init__(self, rule: DslPattern, shape: Node, label: str, out: PdlExport) -> None:
        self.rule, self.shape, self.label, self.out = rule, shape, label, out
        self.lines: list[str] = []
        self.natives: list[str] = []
        #: capture name -> (kind, SSA name), kind "operation" or "value"
        self.captures: dict[str, tuple[str, str]] = {}
        #: term -> SSA name of its type
        self.types: dict[int, str] = {}
        self.named_types: dict[str, str] = {}
        self.attributes: dict[tuple[str, str], str] = {}
        self.results: dict[str, int] = {}
        self.absorbed: list[str] = []
        self.count = 0
        self.wanted = _wanted_attributes(rule)

    def fresh(self, prefix: str) -> str:
        """A new SSA name."""
        self.count += 1
        return f"%{prefix}{self.count}"

    def pattern(self) -> str:
        """The whole ``pdl.pattern``."""
        root, types = self.node(self.shape, is_root=True)
        for condition in self.rule.conditions:
            self.condition(condition.check, condition.reason, root)
        try:
            rewrite = self.rewrite(root, types)
        except _Unsaid:
            name = self.rule.label
            self.out.rewrites[name] = self.rule
            rewrite = [f'    pdl.rewrite {root} with "{name}"']
        lines = [*(f"    {line}" for line in (*self.lines, *self.natives)), *rewrite]
        benefit = _benefit(self.shape)
        return f"  pdl.pattern @{self.label} : benefit({benefit}) {{\n" + "\n".join(lines) + "\n  }"

    # ---- the shape ----

    def node(self, term: Node, is_root: bool = False) -> tuple[str, list[str]]:
        """Lines of an operation; its SSA name and those of its result types."""
        (op_type,) = term.types
        cls = op_class(op_type)
        table = cls.ge_table()
        operands: list[str] = []
        sizes: list[int] = []
        for _, inner in term.inputs:
            value = self.value(inner)
            sizes.append(0 if value is None else 1)
            if value is not None:
                operands.append(value)
        attributes: list[tuple[str, str]] = []
        if not table.fixed:
            sizes_text = ", ".join(map(str, (*sizes, 0)))
            attributes.append(("operandSegmentSizes", self.constant(f"array<i32: {sizes_text}>")))
        for clause in term.clauses:
            if clause.kind == "attr":
                name, held = clause.data
                attributes.append((name, self.constant(str(table.attrs[name].kind.to_attr(held)))))
        op = self.fresh("op")
        name = term.name or ("root" if is_root else None)
        for attr in self.wanted.get(name or "", ()):
            known = dict(attributes).get(attr)
            if known is None:
                known = self.fresh("attr")
                self.lines.append(f"{known} = pdl.attribute")
                attributes.append((attr, known))
            self.attributes[(name or "", attr)] = known
        types: list[str] = []
        for _ in table.outputs:
            types.append(self.fresh("t"))
            self.lines.append(f"{types[-1]} = pdl.type")
        text = f'{op} = pdl.operation "{cls.name}"'
        if operands:
            text += f" ({', '.join(operands)} : {', '.join(['!pdl.value'] * len(operands))})"
        if attributes:
            text += " {" + ", ".join(f'"{k}" = {v}' for k, v in attributes) + "}"
        if types:
            text += f" -> ({', '.join(types)} : {', '.join(['!pdl.type'] * len(types))})"
        self.lines.append(text)
        if is_root:
            self.captures["root"] = ("operation", op)
            self.named_types["root"] = types[0] if types else ""
        if term.name is not None and not isinstance(term, _ConstNode):
            self.captures[term.name] = ("operation", op)
            self.results[term.name] = term.result
            self.named_types[term.name] = types[term.result]
        if term.absorbed:
            self.absorbed.append(op)
        for clause in (*term.guards, *term.clauses):
            if clause.kind == "attr":
                continue
            self.clause(clause, op, None if isinstance(term, _ConstNode) else term.result)
        return op, types

    def value(self, term: Term) -> str | None:
        """SSA name of a value; None for an absent input."""
        if isinstance(term, Absent):
            if term.name is not None:
                self.captures.setdefault(term.name, ("absent", ""))
            return None
        if isinstance(term, Node):
            known, types = self.captures.get(term.name or ""), [""]
            if known is not None and known[0] == "operation":
                op = known[1]
            elif known is not None:
                return known[1]
            else:
                op, types = self.node(term)
            name = self.fresh("v")
            self.lines.append(f"{name} = pdl.result {term.result} of {op}")
            if isinstance(term, _ConstNode) and term.name is not None:
                self.captures[term.name] = ("value", name)
                self.named_types[term.name] = types[0]
            return name
        if term.name is not None and term.name in self.captures:
            return self.captures[term.name][1]
        type_, name = self.fresh("t"), self.fresh(f"{_slug(term.name)}_" if term.name else "v")
        self.lines += [f"{type_} = pdl.type", f"{name} = pdl.operand : {type_}"]
        if term.name is not None:
            self.captures[term.name] = ("value", name)
            self.named_types[term.name] = type_
        for clause in term.clauses:
            self.clause(clause, name, None, of_value=True)
        return name

    def constant(self, text: str) -> str:
        """SSA name of a constant attribute."""
        name = self.fresh("attr")
        self.lines.append(f"{name} = pdl.attribute = {text}")
        return name

    # ---- native constraints ----

    def clause(self, clause: Clause, ssa: str, result: int | None, of_value: bool = False) -> None:
        """A clause on one operation or value."""
        check = clause.check

        def holds(subject: Any) -> bool:
            if of_value:
                return bool(check(None, subject))
            if result is None:
                return bool(check(None, subject.results[0]))
            return bool(check(subject, subject.results[result] if subject.results else None))

        kind = "value" if of_value else "operation"
        self.native(clause.reason, holds, [(ssa, kind)])

    def condition(self, check: Callable[[Any], Any], reason: str, root: str) -> None:
        """A condition on the whole match: the captures are its arguments."""
        present = {n: (k, v) for n, (k, v) in self.captures.items() if k != "absent"}
        missing = [n for n, (k, _) in self.captures.items() if k == "absent"]
        names = list(present)

        def holds(*args: Any) -> bool:
            match = SimpleNamespace(rw=None, nodes=[], **dict.fromkeys(missing))
            for name, arg in zip(names, args, strict=True):
                setattr(match, name, arg)
            return bool(check(match))

        self.native(reason, holds, [(v, k) for k, v in present.values()])

    def native(
        self, reason: str, holds: Callable[..., bool], args: Sequence[tuple[str, str]]
    ) -> None:
        """A native constraint; one name per pattern and reason."""
        base = name = f"{self.label}.{_slug(reason)}"
        number = 1
        while name in self.out.constraints:
            number += 1
            name = f"{base}_{number}"
        self.out.constraints[name] = holds
        values = ", ".join(a for a, _ in args)
        types = ", ".join(f"!pdl.{k}" for _, k in args)
        self.natives.append(f'pdl.apply_native_constraint "{name}"({values} : {types})')

    # ---- the replacement ----

    def rewrite(self, root: str, types: list[str]) -> list[str]:
        """Lines of the ``pdl.rewrite``; `_Unsaid` where it has to stay native."""
        if not isinstance(self.rule, Rule):
            raise _Unsaid
        body: list[str] = []
        wanted = self.rule.replacement
        parts = wanted if is_list(wanted) or is_tuple(wanted) else [wanted]
        if len(parts) == 1 and isinstance(parts[0], Template):
            new = self.template(parts[0], body, types)
            body.append(f"pdl.replace {root} with {new}")
        else:
            values = [self.part(p, body) for p in parts]
            if len(values) != len(types):
                raise _Unsaid
            kinds = ", ".join(["!pdl.value"] * len(values))
            body.append(f"pdl.replace {root} with ({', '.join(values)} : {kinds})")
        body += [f"pdl.erase {op}" for op in self.absorbed]
        return [f"    pdl.rewrite {root} {{", *(f"      {line}" for line in body), "    }"]

    def part(self, part: Any, body: list[str]) -> str:
        """SSA name of a value in the rewrite."""
        if isinstance(part, Template):
            new = self.template(part, body, None)
            name = self.fresh("v")
            body.append(f"{name} = pdl.result 0 of {new}")
            return name
        label = part if isinstance(part, str) else getattr(part, "name", None)
        kind, ssa = self.captures.get(label or "", ("absent", ""))
        if kind == "absent":
            raise _Unsaid
        if kind == "value":
            return ssa
        name = self.fresh("v")
        index = part.result if isinstance(part, Node) else self.results.get(label or "", 0)
        body.append(f"{name} = pdl.result {index} of {ssa}")
        return name

    def template(self, part: Template, body: list[str], types: list[str] | None) -> str:
        """SSA name of a new operation."""
        cls: type[GeOp] = op_class(part.op_type)
        table = cls.ge_table()
        if not table.fixed or len(part.inputs) != len(table.inputs) or len(table.outputs) != 1:
            raise _Unsaid
        operands = [self.part(i, body) for i in part.inputs if i is not None]
        if part.like is not None:
            known = self.named_types.get(part.like.name or "")
            if not known:
                raise _Unsaid
            types = [known]
        if types is None or len(types) != 1:
            raise _Unsaid
        attributes: list[str] = []
        for name, held in self.template_attributes(part, table):
            if isinstance(held, str):
                attributes.append(f'"{name}" = {held}')
                continue
            ssa = self.fresh("attr")
            body.append(f"{ssa} = pdl.attribute = {held}")
            attributes.append(f'"{name}" = {ssa}')
        new = self.fresh("new")
        text = f'{new} = pdl.operation "{cls.name}"'
        if operands:
            text += f" ({', '.join(operands)} : {', '.join(['!pdl.value'] * len(operands))})"
        if attributes:
            text += " {" + ", ".join(attributes) + "}"
        body.append(f"{text} -> ({types[0]} : !pdl.type)")
        return new

    def template_attributes(
        self, part: Template, table: Any
    ) -> Iterator[tuple[str, str | Attribute]]:
        """Every attribute of a new operation: an SSA name where it is taken from the match."""
        given = dict(part.attrs)
        for name, spec in table.attrs.items():
            held = given.pop(name, None)
            if isinstance(held, AttrOf):
                yield name, self.attributes[(held.term, held.attr)]
            elif callable(held):
                raise _Unsaid
            elif held is not None:
                yield name, spec.kind.to_attr(held)
            elif spec.default is not None:
                yield name, spec.default
            elif spec.required:
                raise _Unsaid


def _wanted_attributes(rule: DslPattern) -> dict[str, list[str]]:
    """Attributes of matched operations which the replacement copies, by capture."""
    out: dict[str, list[str]] = {}

    def look(part: Any) -> None:
        if is_list(part) or is_tuple(part):
            for p in part:
                look(p)
        elif isinstance(part, Template):
            look(part.inputs)
            for _, held in part.attrs:
                if isinstance(held, AttrOf):
                    out.setdefault(held.term, []).append(held.attr)

    look(getattr(rule, "replacement", None))
    return out


def _benefit(shape: Node) -> int:
    """Number of operations: larger patterns first."""
    return 1 + sum(_benefit(t) for _, t in shape.inputs if isinstance(t, Node))


def _slug(text: str) -> str:
    return re.sub(r"\W+", "_", text).strip("_")
