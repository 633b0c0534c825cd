"""The verifier: all problems of a module at once, with place, node and what would be right.

It checks what xDSL's verifier checks and what that leaves out: dominance and isolation, places of
control edges, dtype groups, graphs and their NetOutput, node names, constants, inferred types, and
the order of effects. What depends on a node's class, types and attributes alone is looked at once
per combination: types and attributes are shared objects, so a table of their identities is enough.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from xdsl.dialects.builtin import DictionaryAttr, ModuleOp, NameLoc, StringAttr
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, Region, SSAValue
from xdsl.traits import IsolatedFromAbove
from xdsl.utils.exceptions import VerifyException

from ge_dialect.diagnostics import Diagnostic, ExitCode, GeError
from ge_dialect.ir.attributes import CtrlType, RefType
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.effects import EffectKind
from ge_dialect.ir.graph import GraphOp
from ge_dialect.ir.names import file_location, node_name
from ge_dialect.ir.narrow import is_array
from ge_dialect.ir.private import operands_of
from ge_dialect.ir.stock_text import MAX_DEPTH
from ge_dialect.ir.types import elem_of, layout_of, shape_of
from ge_dialect.ir.verify_node import (
    Inference,
    Problem,
    class_problems,
    constant_key,
    structure_problems,
    type_problems,
    value_type_problem,
)
from ge_dialect.ir.verify_order import BOUNDARY, Resources, conflicts

_MEMO_LIMIT = 200_000


class _Memo:
    """Combinations found right, over all verifications of the process.

    Keys are identities, so the objects are kept alive; the table is emptied when it grows large.
    """

    def __init__(self) -> None:
        self.right: dict[Any, bool] = {}
        self.constants: set[Any] = set()
        self.keep: list[Any] = []

    def trim(self, limit: int = _MEMO_LIMIT) -> None:
        """Empty the table when it is large."""
        if len(self.right) + len(self.constants) > limit:
            self.right.clear()
            self.constants.clear()
            self.keep.clear()


_MEMO = _Memo()


def forget() -> None:
    """Empty the table of combinations found right (for benchmarks, and after reloading classes)."""
    _MEMO.trim(0)


class _ClassFacts:
    __slots__ = ("effect", "graphs", "is_net_output", "resultless_only")

    def __init__(self, cls: type[GeOp]) -> None:
        kind = cls.EFFECTS.kind
        self.graphs = bool(cls.ge_table().graphs)
        self.is_net_output = cls.name == "ge.NetOutput"
        #: 0: no effects, 1: effects, 2: effects only where a ref comes in
        self.effect = 0
        if cls.name not in BOUNDARY:
            if kind in (EffectKind.STATE, EffectKind.IO) or self.graphs:
                self.effect = 1
            elif kind is EffectKind.UNKNOWN:
                self.effect = 2


def verify(module: Operation) -> list[Diagnostic]:
    """All problems of a module (or of one graph), in the order of the text; empty where none."""
    _MEMO.trim()
    run = _Verifier()
    run.operation(module, None)
    return run.found


def verify_or_raise(module: Operation) -> None:
    """Raise a GeError of all problems, with the verifier's exit status, where there are any."""
    found = verify(module)
    if found:
        raise GeError(found, ExitCode.VERIFY)


class _Verifier:
    def __init__(self) -> None:
        self.found: list[Diagnostic] = []
        self.resources = Resources()
        self._facts: dict[type, _ClassFacts] = {}
        self._said: set[tuple[Operation, SSAValue]] = set()

    # ------------------------------------------------------------------------- reporting

    def report(self, op: Operation, problem: Problem) -> None:
        """Record a problem at a node."""
        name = node_name(op)
        if name is None:
            name = _graph_name(op)
        self.found.append(
            Diagnostic(
                problem.code,
                problem.message,
                location=file_location(op),
                node=name,
                found=problem.found,
                expected=problem.expected,
                hint=problem.hint,
            )
        )

    def error(self, op: Operation, code: str, message: str, **kw: str | None) -> None:
        """Record a problem given in parts."""
        self.report(op, Problem(code, message, **kw))

    # ------------------------------------------------------------------------ operations

    def operation(self, op: Operation, outer: set[int] | None) -> None:
        """Check an operation that is no node of a graph, and all in it.

        outer: identities of the values visible around it.
        """
        if isinstance(op, GraphOp):
            self._graph(op)
            return
        if isinstance(op, GeOp):
            # a node outside of any graph, as in a test or in a func.func
            self._block_of([op], outer if outer is not None else set(), None, 0)
            return
        problems = getattr(op, "ge_problems", None)
        if problems is not None:  # it knows all about itself and what stands in it: `rt.model`
            self.found += problems()
            return
        if not isinstance(op, ModuleOp) or self._unique_graphs(op):
            self._own_rule(op)
        isolated = op.has_trait(IsolatedFromAbove, value_if_unregistered=False)
        for region in op.regions:
            visible: set[int] = set() if isolated or outer is None else set(outer)
            self._foreign_region(region, visible)

    def _own_rule(self, op: Operation) -> bool:
        """What xDSL says of an operation by its definition; True where it is right."""
        try:
            op.verify(verify_nested_ops=False)
        except (VerifyException, ValueError, LookupError, TypeError, AttributeError) as error:
            words = str(error).strip().splitlines() or ["the operation is not valid"]
            self.error(op, "GX-217", f"{op.name}: {words[0]}")
            return False
        return True

    def _unique_graphs(self, module: ModuleOp) -> bool:
        seen: set[str] = set()
        unique = True
        for block in module.body.blocks:
            for op in block.ops:
                name = _graph_name(op)
                if name is None:
                    continue
                if name in seen:
                    self.error(op, "GX-219", f"two graphs of the module are called @{name}")
                    unique = False
                seen.add(name)
        return unique

    def _foreign_region(self, region: Region, visible: set[int]) -> None:
        blocks = list(region.blocks)
        if len(blocks) > 1:
            # dominance between blocks is not ours to check: all values of the region are visible
            for block in blocks:
                visible.update(map(id, block.args))
                visible.update(id(r) for op in block.ops for r in op.results)
        for block in blocks:
            visible.update(map(id, block.args))
            self._block_of(block.ops, visible, None, 0)

    def _graph(self, op: GraphOp) -> None:
        name = _graph_name(op)
        if len(op.regions) != 1 or len(op.region.blocks) != 1:
            self.error(op, "GX-213", f"graph @{name} must have exactly one block")
            return
        if name is None:
            self.error(op, "GX-206", "ge.graph needs its name", expected="ge.graph @name")
        attrs = op.properties.get("arg_attrs")
        if (
            op.operands
            or op.results
            or set(op.properties) - {"sym_name", "arg_attrs"}
            or not _are_arg_attrs(attrs, len(op.args))
        ):
            self.error(
                op,
                "GX-217",
                f"graph @{name} has parts that a graph does not have",
                expected="sym_name, arg_attrs with one dictionary per argument, one region",
            )
        for arg in op.args:
            problem = value_type_problem(arg.type)
            if problem is not None:
                self.error(
                    op,
                    "GX-204",
                    f"argument {arg.index} of graph @{name} has the wrong type",
                    found=str(arg.type)[:200],
                    expected=problem,
                )
        self._body(op.body, op, 0)

    def _body(self, block: Block, owner: Operation, depth: int) -> None:
        """A graph block: isolated, ended by its only NetOutput."""
        if depth > MAX_DEPTH:
            self.error(owner, "GX-110", f"graphs are nested more than {MAX_DEPTH} levels deep")
            return
        last = block.last_op
        if last is None or last.name != "ge.NetOutput":
            self.error(
                last if last is not None else owner,
                "GX-213",
                "a graph ends with ge.NetOutput",
                found="nothing" if last is None else last.name,
            )
        self._block_of(block.ops, set(map(id, block.args)), block, depth)

    # ------------------------------------------------------------------------- the block

    def _block_of(
        self, ops: Iterable[Any], defined: set[int], block: Block | None, depth: int
    ) -> None:
        """Nodes in order; `block` where they are all of a graph's block."""
        facts_of = self._facts
        right = _MEMO.right
        names: set[str] = set()
        touching: list[Operation] = []
        for op in ops:
            cls: type[Operation] = op.__class__
            facts = facts_of.get(cls)
            if facts is None:
                if not issubclass(cls, GeOp):
                    self._foreign_in(op, defined)
                    continue
                facts = facts_of[cls] = _ClassFacts(cls)
            operands = operands_of(op)
            results = op.results
            key: list[Any] = [cls]
            for value in operands:
                if id(value) not in defined:
                    self._undominated(op, value, block)
                key.append(id(value.type))
            key.append(None)
            for result in results:
                defined.add(id(result))
                key.append(id(result.type))
            props = op.properties
            key += props
            key += map(id, props.values())
            entry = tuple(key)
            clean = right.get(entry)
            if clean is None or facts.graphs:
                self._node(op, entry, facts)
            elif clean and (*entry, *map(constant_key, operands)) not in _MEMO.constants:
                self._infer_again(op, entry)

            loc = op.location
            if type(loc) is NameLoc:
                name = loc.desc.data
                if name in names:
                    self.error(
                        op,
                        "GX-215",
                        f"two nodes of the graph are called {name!r}",
                        hint="a node's name is unique in its graph",
                    )
                names.add(name)
            if facts.is_net_output and block is not None and op is not block.last_op:
                self.error(op, "GX-213", "ge.NetOutput ends a graph; nodes follow it here")
            if facts.effect and (
                facts.effect == 1 or any(isinstance(v.type, RefType) for v in operands)
            ):
                touching.append(op)
            if op.regions:
                self._bodies(op, depth)
        if len(touching) > 1 and block is not None:
            self._order(block, touching)

    def _foreign_in(self, op: Operation, defined: set[int]) -> None:
        """A foreign operation among nodes: its own verifier, and dominance."""
        for value in operands_of(op):
            if id(value) not in defined:
                self._undominated(op, value, op.parent)
        if isinstance(op, GraphOp) and _inside_a_graph(op):
            self.error(
                op,
                "GX-217",
                f"graph @{_graph_name(op)} stands in another graph",
                hint="graphs stand side by side; what a node runs is a body of it: If, While, ...",
            )
        self.operation(op, defined)
        defined.update(map(id, op.results))

    def _undominated(self, op: Operation, value: SSAValue, block: Block | None) -> None:
        if (op, value) in self._said:
            return  # it reads the value twice
        self._said.add((op, value))
        label = _value_label(value)
        if isinstance(value, OpResult) and value.op.parent is op.parent:
            if value.op is op:
                self.error(op, "GX-201", f"{op.name} uses its own result {label}")
            else:
                self.error(
                    op,
                    "GX-201",
                    f"{label} is used before its definition",
                    hint="nodes stand after those whose values they use",
                )
            return
        if not isinstance(value, OpResult | BlockArgument) or value.owner.parent is None:
            self.error(op, "GX-201", f"{label} is used, but its definition is gone")
            return
        self.error(
            op,
            "GX-202",
            f"{label} belongs to another graph",
            hint="a graph sees its own values only; pass the value in as an argument",
        )

    # --------------------------------------------------------------------------- one node

    def _node(self, op: GeOp, entry: tuple[Any, ...], facts: _ClassFacts) -> None:
        problems = structure_problems(op)
        asked = False
        if not problems:
            problems = type_problems(op)
            if not problems:
                inference = Inference(op)
                problems = inference.problems or class_problems(op)
                asked = inference.asked
        if problems:
            for problem in problems:
                self.report(op, problem)
            return
        _MEMO.right[entry] = asked
        operands = operands_of(op)
        _MEMO.keep.append(
            (
                [v.type for v in operands],
                [r.type for r in op.results],
                list(op.properties.values()),
            )
        )
        if asked:
            _MEMO.constants.add((*entry, *map(constant_key, operands)))

    def _infer_again(self, op: GeOp, entry: tuple[Any, ...]) -> None:
        """Inference of a node like one seen before, but with other constants coming in."""
        problems = Inference(op).problems
        for problem in problems:
            self.report(op, problem)
        if not problems:
            _MEMO.constants.add((*entry, *map(constant_key, operands_of(op))))

    # ------------------------------------------------------------------------------ bodies

    def _bodies(self, op: Operation, depth: int) -> None:
        assert isinstance(op, GeOp)
        cls = type(op)
        labels = _labels(op)
        types = [v.type for v in operands_of(op)]
        for index, region in enumerate(op.regions):
            label = labels[index] if index < len(labels) else f"graph {index}"
            if len(region.blocks) != 1:
                self.error(op, "GX-213", f"{label} of {op.name} must have exactly one block")
                continue
            block = region.block
            try:
                want = list(cls.ge_body_types(types, index))
            except (IndexError, TypeError, ValueError):
                want = None
            have = [a.type for a in block.args]
            if want is not None and have != want:
                self.error(
                    op,
                    "GX-211",
                    f"{label} of {op.name} does not take what the node passes",
                    found=_types_text(have),
                    expected=_types_text(want),
                )
            self._body(block, op, depth + 1)
            self._outputs(op, block, label)

    def _outputs(self, op: GeOp, block: Block, label: str) -> None:
        """What a body's NetOutput gives against the results of the node."""
        last = block.last_op
        if last is None or last.name != "ge.NetOutput" or label == "cond":
            return
        have = [v.type for v in operands_of(last) if not isinstance(v.type, CtrlType)]
        want = [r.type for r in op.ge_data_results]
        if len(have) != len(want):
            self.error(
                last,
                "GX-212",
                f"{label} of {op.name} gives {len(have)} values, the node has {len(want)} results",
            )
            return
        for i, (a, b) in enumerate(zip(have, want, strict=True)):
            if a is not b and a != b and not _fits(a, b):
                self.error(
                    last,
                    "GX-212",
                    f"output {i} of {label} of {op.name} has another type than result {i}",
                    found=str(a),
                    expected=str(b),
                )

    # ------------------------------------------------------------------------------- order

    def _order(self, block: Block, touching: list[Operation]) -> None:
        try:
            pairs = conflicts(block, touching, self.resources)
        except (KeyError, IndexError, ValueError, TypeError):
            return  # a node's operands are wrong; that is reported already
        for first, second, resource in pairs:
            what = _resource_text(*resource)
            self.error(
                second,
                "GX-214",
                f"{_name(first)} and {_name(second)} both touch {what}, "
                "and no edge says which is first",
                hint=f"add a control edge, as after(...) of {_name(first)}",
            )


def _are_arg_attrs(attrs: Attribute | None, count: int) -> bool:
    """Whether this is one dictionary per argument, or nothing."""
    if attrs is None:
        return True
    return (
        is_array(attrs)
        and len(attrs.data) == count
        and all(isinstance(d, DictionaryAttr) for d in attrs.data)
    )


def _inside_a_graph(op: Operation) -> bool:
    around = op.parent_op()
    while around is not None and not isinstance(around, GraphOp | GeOp):
        around = around.parent_op()
    return around is not None


def _graph_name(op: Operation) -> str | None:
    name = op.properties.get("sym_name") if isinstance(op, GraphOp) else None
    return name.data if isinstance(name, StringAttr) else None


def _name(op: Any) -> str:
    name = node_name(op) if isinstance(op, Operation) else None
    return f"{op.name[3:]} {name!r}" if name is not None else str(getattr(op, "name", op))


def _resource_text(kind: str, what: object) -> str:
    if kind == "variable":
        return _name(what)
    if kind == "argument":
        return f"the ref in {_value_label(what)}"
    return f"channel {what}" if kind == "channel" else "state that cannot be told apart"


def _value_label(value: Any) -> str:
    if isinstance(value, OpResult):
        if value.name_hint:
            return f"%{value.name_hint}"
        return f"result {value.index} of {value.op.name}"
    if isinstance(value, BlockArgument):
        return f"%{value.name_hint}" if value.name_hint else f"argument {value.index}"
    return "a value"


def _types_text(types: list[Attribute]) -> str:
    return "(" + ", ".join(map(str, types)) + ")"


def _labels(op: GeOp) -> list[str]:
    from ge_dialect.ir.op_text import body_labels

    return body_labels(op, type(op).ge_table())


def _fits(inner: Attribute, outer: Attribute) -> bool:
    """Whether a value of type `inner` may stand for one of `outer`, where dims may be unknown."""
    if isinstance(inner, RefType) != isinstance(outer, RefType):
        return False
    try:
        a, b = shape_of(inner), shape_of(outer)
        if elem_of(inner) != elem_of(outer):
            return False
        if b is None:
            return True
        if layout_of(inner) != layout_of(outer):
            return False
    except TypeError:
        return False
    if a is None or len(a) != len(b):
        return False
    return all(y == -1 or x == y for x, y in zip(a, b, strict=True))


__all__ = ["forget", "verify", "verify_or_raise"]
