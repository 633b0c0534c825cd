"""Rules: a shape, conditions, and what stands there afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, cast

from xdsl.ir import Attribute, Operation, SSAValue

from ge_dialect.containers import is_list, is_tuple
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.build import build
from passes.effects import droppable, is_pinned
from passes.folding import constant_op
from passes.pattern_dsl.matcher import State, compile_root
from passes.pattern_dsl.terms import Condition, Node, Term, terms_of
from passes.pattern_pass import TAKEN_OVER
from passes.rewriting import Pattern, PatternRewriter

if TYPE_CHECKING:
    from ge_dialect.ir.build import Arg

Replacement = Any
"""What a rule gives for the root: an op, a value, a template, a term, or a list of these with None
for unused results."""


class Match:
    """A match under its captured names: ``m.x`` is a value, ``m.conv`` an op.

    root: the op the rule starts from. rw: the rewriter. nodes: the other ops matched, consumers
    first.
    """

    def __init__(self, state: State, root: GeOp) -> None:
        self.root = root
        self.rw = state.rw
        self.nodes: list[GeOp] = [op for _, op in state.nodes]
        self._bound = dict(state.bound)
        self.absorbed_ops: list[GeOp] = [op for term, op in state.nodes if term.absorbed]
        self.new_ops: list[GeOp] = []
        self.is_declined = False

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["_bound"][name]
        except KeyError:
            raise AttributeError(f"the pattern captures nothing called '{name}'") from None

    def build(
        self,
        op_type: str,
        inputs: Sequence[Arg] | Mapping[str, Arg] = (),
        attrs: Mapping[str, Any] | None = None,
        **more: Any,
    ) -> GeOp:
        """A new op of the replacement, see `ge_dialect.ir.build.build`; ops keep this order."""
        return self.include(build(op_type, inputs, attrs, **more))

    def include(self, op: GeOp) -> GeOp:
        """Put an op built elsewhere into the replacement."""
        self.new_ops.append(op)
        return op

    def decline(self, reason: str) -> None:
        """Give the rewrite up after all; the rule then returns None."""
        self.rw.missed(reason)
        self.is_declined = True

    def first_of(self, *names: str) -> Any:
        """The first capture of these names that is there (for alternatives)."""
        return next((self._bound[n] for n in names if n in self._bound), None)


@dataclass(frozen=True, eq=False)
class Template:
    """An op to be built, as data; see `make`."""

    op_type: str
    inputs: tuple[Any, ...]
    attrs: tuple[tuple[str, Any], ...] = ()
    like: Term | None = None

    def typed_like(self, term: Term) -> Template:
        """The result has the type of a captured value; the outermost op has the root's type."""
        return Template(self.op_type, self.inputs, self.attrs, term)


@dataclass(frozen=True, eq=False)
class AttrOf:
    """The value of an attribute of a captured op, see `attr_of`."""

    term: str
    attr: str


def make(op_type: str, *inputs: Any, **attrs: Any) -> Template:
    """An op of a replacement: inputs are terms of the shape, other templates, or None."""
    return Template(op_type, inputs, tuple(attrs.items()))


def attr_of(term: str, attr: str) -> AttrOf:
    """In a template: the value which an attribute of the op captured as `term` has."""
    return AttrOf(term, attr)


class DslPattern(Pattern):
    """A pattern declared by its shape; subclass it, or use `rule`.

    shape: the op to start from and what is around it. conditions: judged in order once the shape
    and all its clauses hold; after them, no matched node may be marked to stay
    (`no_need_constant_folding`). `replace` gives what stands in the root's place; before that
    nothing may be changed, and afterwards the rule itself removes ops that were absorbed, and
    constants and other matched ops that nothing reads any more.
    """

    shape: ClassVar[Node]
    conditions: ClassVar[tuple[Condition, ...]] = ()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "shape" in cls.__dict__:
            _check_names(cls.shape, cls.name or cls.__name__)
            cls.root = cls.shape.types
            cls._matcher = staticmethod(compile_root(cls.shape, Match))

    def replace(self, m: Match) -> Replacement:
        """What replaces the root, or None after ``m.decline(reason)``."""
        raise NotImplementedError

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        """Match at `op` and rewrite."""
        if rw.after_graphs:
            return
        match = self._matcher(op, rw, self.conditions)
        if match is None:
            return
        pinned = next((n for n in (match.root, *match.nodes) if is_pinned(n)), None)
        if pinned is not None:
            rw.missed("a node is marked to stay as it is", pinned)
            return
        self.rewrite(match)

    def rewrite(self, m: Match) -> None:
        """Put the replacement in the root's place; to override where that is not enough.

        An own version changes the graph through ``m.rw`` and cleans up by itself.
        """
        result = self.replace(m)
        if result is None:
            if not m.is_declined:
                raise TypeError(f"{self.label}: replace() gave nothing and did not decline")
            return
        _apply(m, result)

    def __str__(self) -> str:
        from passes.pattern_dsl.text import rule_text

        return rule_text(self)


class Rule(DslPattern):
    """A pattern made by `rule`."""

    def __init__(
        self,
        name: str,
        shape: Node,
        replacement: Any,
        conditions: tuple[Condition, ...],
        doc: str,
        claims: Mapping[str, Any],
    ) -> None:
        own = {"name": name, "shape": shape, "conditions": conditions, "root": shape.types}
        vars(self).update({**claims, **own})  # class variables of a pattern written as a class
        self.replacement = replacement
        self.doc = doc
        _check_names(shape, name)
        self._matcher = compile_root(shape, Match)

    def replace(self, m: Match) -> Replacement:
        """What the declaration says."""
        found = self.replacement
        if callable(found) and not isinstance(found, Term):
            return found(m)
        return found


def _check_names(shape: Node, label: str) -> None:
    """ValueError for a capture under a name that a match has for something else."""
    taken = {n for n in vars(Match) if not n.startswith("_")} | {"rw", "nodes"}
    taken |= {"new_ops", "absorbed_ops", "is_declined"}
    for term in terms_of(shape):
        if term.name in taken or (term.name == "root" and term is not shape):
            raise ValueError(f"{label}: a capture cannot be called '{term.name}'")


def rule(
    name: str,
    shape: Node,
    replacement: Term | Template | Sequence[Any] | Callable[[Match], Replacement],
    *conditions: Condition,
    doc: str = "",
    **claims: Any,
) -> Rule:
    """A pattern: where `shape` fits and all `conditions` hold, `replacement` takes its place.

    replacement: a captured term, a template (`make`), a list of these (one per result of the
    root), or a function of the match. claims: `contract`, `stage` and the like of the pass that a
    loaded file or a package makes of the rule (`passes.pattern_pass`).
    """
    return Rule(name, shape, replacement, conditions, doc, _known(claims))


@dataclass(frozen=True)
class RuleTable:
    """Rules that belong together. Prints as a table; ``table.patterns`` goes to `apply_patterns`,
    beside patterns of any other kind."""

    name: str
    rules: tuple[DslPattern, ...]
    claims: Mapping[str, Any] = field(default_factory=dict[str, Any], compare=False)

    @property
    def patterns(self) -> list[Pattern]:
        """The rules, in order of preference."""
        return list(self.rules)

    def __iter__(self) -> Iterator[DslPattern]:
        return iter(self.rules)

    def __add__(self, other: RuleTable) -> RuleTable:
        return RuleTable(f"{self.name}+{other.name}", (*self.rules, *other.rules), self.claims)

    def __str__(self) -> str:
        from passes.pattern_dsl.text import table_text

        return table_text(self)


def table(name: str, *rules: DslPattern, **claims: Any) -> RuleTable:
    """A table of rules; ValueError where two have one name. claims: as for `rule`."""
    labels = [r.label for r in rules]
    twice = next((n for n in labels if labels.count(n) > 1), None)
    if twice is not None:
        raise ValueError(f"two rules are called '{twice}'")
    return RuleTable(name, rules, _known(claims))


def _known(claims: Mapping[str, Any]) -> Mapping[str, Any]:
    """What may be said of a pass; TypeError for anything else."""
    wrong = next((n for n in claims if n not in TAKEN_OVER), None)
    if wrong is not None:
        raise TypeError(f"'{wrong}' is none of {', '.join(TAKEN_OVER)}")
    return claims


# ----------------------------------------------------------------------------------- rewriting


def _apply(match: Match, result: Replacement) -> None:
    """Replace the root, then take away what the match leaves behind."""
    rw, root = match.rw, match.root
    parts = result if is_list(result) or is_tuple(result) else [result]
    count = len(root.ge_data_results)
    values: list[SSAValue | None] = []
    for part in parts:
        if part is None:
            values.append(None)
            continue
        wanted = [r.type for r in root.ge_data_results] if len(parts) == 1 else None
        made = evaluate(part, match, wanted)
        if isinstance(made, Operation):
            node = cast("GeOp", made)
            if node.parent is None and node not in match.new_ops:
                match.include(node)
            found = node.ge_data_results
            values += found[:count] if len(parts) == 1 else found[:1]
        else:
            values.append(made)
    values += [None] * (count - len(values))
    constants = [constant_op(v) for op in (root, *match.nodes) for v in op.ge_data_operands]
    if match.new_ops:
        rw.replace(root, match.new_ops, values, merged=match.absorbed_ops)
    else:
        rw.replace_by_value(root, values)
    for op in match.nodes:
        if (
            op.parent is None
            or op in match.new_ops
            or any(r.first_use is not None for r in op.results)
        ):
            continue
        if op in match.absorbed_ops or droppable(op):
            rw.erase(op)
    for const in dict.fromkeys(constants):
        if const is None or const.parent is None or is_pinned(const):
            continue
        if all(r.first_use is None for r in const.results):
            rw.erase(const)


def evaluate(part: Any, match: Match, types: Sequence[Attribute] | None = None) -> Any:
    """The value or op that a part of a replacement stands for; templates are built."""
    if isinstance(part, Template):
        inputs = [None if i is None else _as_input(evaluate(i, match)) for i in part.inputs]
        attrs = {k: _attr_value(v, match) for k, v in part.attrs}
        if part.like is not None:
            types = [_as_input(evaluate(part.like, match)).type]
        return match.build(part.op_type, inputs, attrs, result_types=types)
    if isinstance(part, Node):
        if part.name is None:
            raise ValueError("a node used in a replacement needs a name")
        return getattr(match, part.name).results[part.result]
    if isinstance(part, Term):
        if part.name is None:
            raise ValueError("a value used in a replacement needs a name")
        return getattr(match, part.name)
    if isinstance(part, str):
        return getattr(match, part)
    return part


def _as_input(part: Any) -> Any:
    return part.results[0] if isinstance(part, Operation) else part


def _attr_value(held: Any, match: Match) -> Any:
    if isinstance(held, AttrOf):
        return getattr(match, held.term).ge_attr(held.attr)
    return held(match) if callable(held) else held
