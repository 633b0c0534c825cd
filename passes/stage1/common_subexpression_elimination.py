"""Common-subexpression elimination."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ge_dialect.ir.attributes import CtrlType
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.control import control_inputs, control_of, control_result, set_control
from ge_dialect.ir.merge import MergePolicy, policy_of
from ge_dialect.ir.names import node_name
from ge_dialect.ir.printer_tables import segment_sizes
from ge_dialect.ir.private import operands_of, redirect_uses, split_operands
from ge_dialect.ir.rewriter import Rewriter
from passes.base import Contract, Pass, PassResult
from passes.effects import is_pinned

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Attribute, Block, Operation

    from passes.context import PassContext

_RESULT_SIZES = "resultSegmentSizes"


@dataclass(frozen=True)
class CommonSubexpressionElimination(Pass):
    """Merge nodes that compute the same value.

    Two nodes of a graph are the same when they have the same operator, operands (and the same
    control inputs), properties and result types, and no effect; whether others wait for them does
    not matter. The first in graph order stays and takes over users, control users, names of origin
    and discardable attributes (by the policy of each; nodes whose policy is "equal or refuse" and
    whose values differ are not merged). Nodes that own graphs are left alone; every graph is its
    own scope. One sweep, linear in the ops: merging makes later keys equal, so chains of duplicates
    go in the same sweep.

    Before::

        ge.graph @g(%x: tensor<4xf32>) {
          %a = ge.Relu(%x) : tensor<4xf32>
          %b = ge.Relu(%x) : tensor<4xf32>
          %c = ge.Add(%a, %b) : tensor<4xf32>
          ge.NetOutput(%c)
        }

    After::

        ge.graph @g(%x: tensor<4xf32>) {
          %a = ge.Relu(%x) : tensor<4xf32> loc("a"(fused["a", "b"]))
          %c = ge.Add(%a, %a) : tensor<4xf32>
          ge.NetOutput(%c)
        }
    """

    name: ClassVar[str] = "common-subexpression-elimination"
    stage: ClassVar[str] = "stage1"
    contract: ClassVar[Contract] = Contract(values="exact")

    def run(self, module: ModuleOp, ctx: PassContext) -> PassResult:
        sweep = _Sweep(ctx)
        for op in module.ops:
            for region in op.regions:
                for block in region.blocks:
                    sweep.block(block)
        return PassResult(bool(sweep.merged), dict(sorted(sweep.merged.items())))


class _Sweep:
    """One run. Attributes are numbered by value once, so a key is a tuple of small integers."""

    def __init__(self, ctx: PassContext) -> None:
        self.ctx = ctx
        self.merged: Counter[str] = Counter()
        self._rewriter = Rewriter()
        self._mergeable: dict[type[Operation], bool] = {}
        self._by_identity: dict[int, int] = {}
        self._by_value: dict[Attribute, int] = {}
        self._alive: list[Attribute] = []
        self._shapes: dict[tuple[str, ...], tuple[int, tuple[str, ...], bool]] = {}
        self._name_sets: dict[frozenset[str], tuple[int, tuple[str, ...]]] = {}
        self._near: dict[Hashable, Operation] = {}
        # nodes still to come that may wait for a kept node more often than once: of a node that
        # waits for many, all of it is looked at once, not per merge
        self._redirected: set[Operation] = set()

    def block(self, block: Block) -> None:
        """Merge within `block`, then within the graphs of its nodes."""
        known: dict[Hashable, Operation] = {}
        mergeable = self._mergeable
        op = block.first_op
        while op is not None:
            following = op.next_op
            if self._redirected and op in self._redirected:
                self._redirected.remove(op)
                set_control(op, control_inputs(op))
            if op.regions:
                for region in op.regions:
                    for inner in region.blocks:
                        self.block(inner)
            else:
                candidate = mergeable.get(type(op))
                if candidate is None:
                    candidate = mergeable[type(op)] = _is_candidate(type(op))
                merged = False
                if candidate and not (op.attributes and is_pinned(op)):
                    key = self._key(op)
                    first = known.setdefault(key, op)
                    if first is not op:
                        self._merge(op, first)
                        merged = True
                if self.ctx.remarks_enabled and not merged:
                    self._explain(op, bool(candidate))
            op = following

    def _key(self, op: Operation) -> Hashable:
        """What must agree; nodes with equal keys compute the same."""
        numbers = self._by_identity
        operands = operands_of(op)
        parts: list[Hashable] = [type(op)]
        if operands and type(op.operands[-1].type) is CtrlType:
            data, waits = split_operands(op, CtrlType)
            parts.append(frozenset(map(id, waits)))
            operands = data
        # values are told apart by identity; those of a kept node live as long as the node
        parts += map(id, operands)
        properties = op.properties
        if properties:
            names = tuple(properties)
            number, order, sized = self._shapes.get(names) or self._shape(names)
            parts.append(number)
            if sized:  # all but the last, which says whether something waits for the node
                parts.append((segment_sizes(properties[_RESULT_SIZES]) or ())[:-1])
            for name in order:
                attribute = properties[name]
                part = numbers.get(id(attribute))
                parts.append(self._number(attribute) if part is None else part)
        for result in op.results:
            type_ = result.type
            part = numbers.get(id(type_))
            if part is None:
                if type(type_) is CtrlType:  # no part of the value
                    continue
                part = self._number(type_)
            parts.append(part)
        if op.attributes:
            parts += self._decided(op)
        return tuple(parts)

    def _shape(self, names: tuple[str, ...]) -> tuple[int, tuple[str, ...], bool]:
        """Number and order of a set of property names, whatever order a node has them in, and
        whether sizes of results are among them, which are left out of the order."""
        known = self._name_sets
        order = tuple(n for n in names if n != _RESULT_SIZES)
        number, order = known.setdefault(frozenset(names), (len(known), order))
        found = self._shapes[names] = (number, order, _RESULT_SIZES in names)
        return found

    def _decided(self, op: Operation) -> list[Hashable]:
        """Discardable attributes that must be equal for two nodes to merge."""
        numbers = self._by_identity
        out: list[Hashable] = []
        for name, value in op.attributes.items():
            if policy_of(name) is MergePolicy.EQUAL:
                part = numbers.get(id(value))
                out.append((name, self._number(value) if part is None else part))
        if len(out) > 1:
            out.sort()  # pyright: ignore[reportCallIssue]  # pairs of a name and a number, no name twice
        return out

    def _number(self, attribute: Attribute) -> int:
        """The number of an attribute's value; the attribute is kept so that its id stays its."""
        number = self._by_value.setdefault(attribute, len(self._by_value))
        self._by_identity[id(attribute)] = number
        self._alive.append(attribute)
        return number

    def _explain(self, op: Operation, candidate: bool) -> None:
        """Remark: what tells a node from an earlier one with the same operator and inputs."""
        data, waits = split_operands(op, CtrlType)
        if not data or not isinstance(op, GeOp):
            return
        first = self._near.setdefault((op.parent, op.name, *map(id, data)), op)
        if first is op or first.parent is None:
            return
        reason = ""
        if not candidate:
            reason = "the operator may have an effect"
        elif is_pinned(op) or is_pinned(first):
            reason = "a node is marked no_need_constant_folding"
        elif set(waits) != set(split_operands(first, CtrlType)[1]):
            reason = "the nodes wait for different nodes"
        else:
            differs = [
                n
                for n in op.properties
                if n != _RESULT_SIZES and op.properties[n] != first.properties.get(n)
            ]
            differs += [n for n in _bound(op, first) if n not in differs]
            reason = (
                f"{', '.join(differs)} differ" if differs else "the types of the results differ"
            )
        self.ctx.remark(
            f"not merged with '{node_name(first)}': {reason}",
            op=op,
            category="missed",
            reason=reason,
            involved=(node_name(first),),
        )

    def _merge(self, op: Operation, first: Operation) -> None:
        """Let `first` stand for `op` too."""
        ctx = self.ctx
        if ctx.rewrite_limit is not None and not ctx.take_rewrite():
            return
        if ctx.remarks_enabled:
            ctx.remark(f"merged into '{node_name(first)}'", op=op, involved=(node_name(first),))
        done = control_result(op)
        if done is not None and done.first_use is not None:
            instead = control_of(first)
            self._redirected.update(use.operation for use in done.uses)
            redirect_uses(done, instead)
        data = [r for r in first.results if not isinstance(r.type, CtrlType)]
        self._rewriter.replace_by_value(op, data, merge_into=first)
        self.merged[op.name.removeprefix("ge.")] += 1


def _bound(op: Operation, other: Operation) -> list[str]:
    """Discardable attributes that keep two nodes apart."""
    names = dict.fromkeys([*op.attributes, *other.attributes])
    return [
        n
        for n in names
        if policy_of(n) is MergePolicy.EQUAL and op.attributes.get(n) != other.attributes.get(n)
    ]


def _is_candidate(cls: type[Operation]) -> bool:
    return issubclass(cls, GeOp) and cls.EFFECTS.is_pure and not cls.ge_table().graphs
