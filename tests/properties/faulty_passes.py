"""Passes with one planted fault each, as people write them. The kit must find every one.

Not collected as tests; `test_faulty_passes.py` runs them. Each class says in its docstring what is
wrong. `FAULTY` lists them with the properties that may report the fault.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ge_dialect.ir.base import set_str
from ge_dialect.ir.build import build, const
from ge_dialect.ir.control import control_inputs, control_of, set_control
from ge_dialect.ir.graph import module_graphs, walk_graphs
from ge_dialect.ir.names import set_node_name
from ge_dialect.ir.private import drop_node
from ge_dialect.ir.rewriter import Rewriter
from ge_dialect.ir.types import elem_of, layout_of
from passes.base import Contract, Pass, PassResult
from passes.folding import constant_op
from passes.rewriting import Pattern, PatternRewriter, apply_patterns, defining_op, producer
from passes.values import constant_array

FLOATS = ("float16", "float32", "float64", "bfloat16")


@dataclass(frozen=True)
class FaultyPass(Pass):
    """Runs the patterns of the class."""

    patterns: ClassVar[tuple[type[Pattern], ...]] = ()

    def run(self, module: Any, ctx: Any) -> PassResult:
        report = apply_patterns(module, [p() for p in self.patterns], ctx)
        return PassResult.from_counters(report)


def array_of(value: Any) -> Any:
    """The inline value of a constant."""
    op = constant_op(value)
    return None if op is None else constant_array(op, None)


def is_all(value: Any, number: float) -> bool:
    held = array_of(value)
    return held is not None and held.size > 0 and bool((held == number).all())


def same_shape(a: Any, b: Any) -> bool:
    return a.type == b.type


# ---------------------------------------------------------------------------- operands and uses


class SwapSub(Pattern):
    root: ClassVar = ("Sub",)

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        a, b = op.ge_data_operands
        first = defining_op(b)
        if first is not None and first.name == "ge.Relu" and a.type == b.type:
            rw.replace(op, build("Sub", [b, a], result_types=[op.results[0].type]))


@dataclass(frozen=True)
class SwappedOperands(FaultyPass):
    """Sub(a, Relu(b)) becomes Sub(Relu(b), a)."""

    name: ClassVar[str] = "swapped-operands"
    patterns: ClassVar = (SwapSub,)


class SortInputs(Pattern):
    root: ClassVar = ("Add", "Mul", "Sub", "RealDiv", "Pow")

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        a, b = op.ge_data_operands
        if constant_op(a) is not None and constant_op(b) is None:
            rw.set_operand(op, 0, b)
            rw.set_operand(op, 1, a)


@dataclass(frozen=True)
class CommutedConstants(FaultyPass):
    """Constants go to the right, also where the operator does not commute."""

    name: ClassVar[str] = "commuted-constants"
    patterns: ClassVar = (SortInputs,)


class FuseWithoutLook(Pattern):
    root: ClassVar = ("Relu",)

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        first = producer(op)
        if first is None or first.name != "ge.Neg":
            return
        # the other users of Neg are served with the fused value, too
        zero = build("ZerosLike", [first.operands[0]])
        fused = build("Minimum", [first.operands[0], zero.results[0]])
        done = build("Neg", [fused.results[0]])
        rw.insert_before(first, zero)
        rw.replace(first, [fused, done], [done.results[0]])
        rw.replace_by_value(op, [done.results[0]])


@dataclass(frozen=True)
class FanOutIgnored(FaultyPass):
    """Relu(Neg(x)) is fused although Neg has other users, which then read the fused value."""

    name: ClassVar[str] = "fan-out-ignored"
    contract: ClassVar[Contract] = Contract(grows=True)
    patterns: ClassVar = (FuseWithoutLook,)


class TwiceNeg(Pattern):
    root: ClassVar = ("Neg",)

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        first = producer(op)
        if first is None or first.name != "ge.Neg":
            return
        readers = [u.operation.name for u in first.results[0].uses]
        if readers.count("ge.Neg") == 1 and "ge.NetOutput" in readers:
            # only other nodes are looked at: the output now shows the wrong value
            rw.replace_by_value(first, [first.operands[0]])


@dataclass(frozen=True)
class OutputSwallowed(FaultyPass):
    """Neg(Neg(x)) goes, and a graph output that showed the inner value shows x."""

    name: ClassVar[str] = "output-swallowed"
    patterns: ClassVar = (TwiceNeg,)


# ------------------------------------------------------------------------------- NaN-unsafe algebra


class TimesZero(Pattern):
    root: ClassVar = ("Mul",)

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        for a, b in (op.ge_data_operands, op.ge_data_operands[::-1]):
            if is_all(b, 0) and same_shape(b, op.results[0]) and constant_op(a) is None:
                rw.replace_by_value(op, [b])
                return


@dataclass(frozen=True)
class TimesZeroIsZero(FaultyPass):
    """x * 0 becomes 0 for floats: wrong for NaN, infinities and negative numbers (-0)."""

    name: ClassVar[str] = "times-zero-is-zero"
    patterns: ClassVar = (TimesZero,)


class MinusSelf(Pattern):
    root: ClassVar = ("Sub",)

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        a, b = op.ge_data_operands
        if a is b:
            rw.replace(op, build("ZerosLike", [a]))


@dataclass(frozen=True)
class MinusSelfIsZero(FaultyPass):
    """x - x becomes 0."""

    name: ClassVar[str] = "minus-self-is-zero"
    patterns: ClassVar = (MinusSelf,)


class OverSelf(Pattern):
    root: ClassVar = ("RealDiv", "Div")

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        a, b = op.ge_data_operands
        if a is b:
            rw.replace(op, build("OnesLike", [a]))


@dataclass(frozen=True)
class OverSelfIsOne(FaultyPass):
    """x / x becomes 1."""

    name: ClassVar[str] = "over-self-is-one"
    patterns: ClassVar = (OverSelf,)


class PlusZero(Pattern):
    root: ClassVar = ("Add",)

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        a, b = op.ge_data_operands
        if is_all(b, 0) and a.type == op.results[0].type:
            rw.replace_by_value(op, [a])


@dataclass(frozen=True)
class PlusZeroIsNothing(FaultyPass):
    """x + 0 becomes x: wrong for -0.0."""

    name: ClassVar[str] = "plus-zero-is-nothing"
    patterns: ClassVar = (PlusZero,)


class ExpLog(Pattern):
    root: ClassVar = ("Sqrt",)

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        first = producer(op)
        if first is not None and first.name == "ge.Square":
            rw.replace(op, build("Abs", [first.operands[0]]))


@dataclass(frozen=True)
class SqrtSquareIsAbs(FaultyPass):
    """Sqrt(Square(x)) becomes |x|: wrong where the square overflows or underflows."""

    name: ClassVar[str] = "sqrt-square-is-abs"
    patterns: ClassVar = (ExpLog,)


class Regroup(Pattern):
    root: ClassVar = ("Add",)

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        a, b = op.ge_data_operands
        first = defining_op(a)
        if first is None or first.name != "ge.Add" or first.results[0].has_one_use() is False:
            return
        x, y = first.ge_data_operands
        if x.type == y.type == b.type and x is not b:
            inner = build("Add", [y, b])
            rw.replace(op, [inner, build("Add", [x, inner.results[0]])])
            if first.results[0].first_use is None:
                rw.erase(first)


class RegroupOnce(Regroup):
    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        second = defining_op(op.ge_data_operands[1])
        if second is None or second.name != "ge.Add":
            super().match_and_rewrite(op, rw)


@dataclass(frozen=True)
class ReassociatedExactly(FaultyPass):
    """(x + y) + z becomes x + (y + z) under the promise "exact"."""

    name: ClassVar[str] = "reassociated-exactly"
    patterns: ClassVar = (RegroupOnce,)


# ---------------------------------------------------------------------------------- dtypes, shapes


class DropPair(Pattern):
    root: ClassVar = ("Cast",)

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        first = producer(op)
        if first is not None and first.name == "ge.Cast":
            if first.operands[0].type == op.results[0].type:
                rw.replace_by_value(op, [first.operands[0]])


@dataclass(frozen=True)
class LossyCastPair(FaultyPass):
    """Two casts that lead back to the dtype go, also where the first one loses values."""

    name: ClassVar[str] = "lossy-cast-pair"
    patterns: ClassVar = (DropPair,)


class ForgetDtype(Pattern):
    root: ClassVar = ("Cast",)

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        first = producer(op)
        if first is not None and first.name == "ge.Relu":
            rw.replace_by_value(op, [first.results[0]])


@dataclass(frozen=True)
class DtypeLost(FaultyPass):
    """A Cast behind a Relu goes; its users get the dtype they did not ask for."""

    name: ClassVar[str] = "dtype-lost"
    patterns: ClassVar = (ForgetDtype,)


class WrongAxis(Pattern):
    root: ClassVar = ("SoftmaxV2", "LogSoftmaxV2")

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        first = producer(op)
        if first is None or first.name != "ge.TransposeD":
            return
        # the axes must be mapped through the permutation
        inner = build(op.ge_type, [first.operands[0]], op.ge_attrs())
        outer = build("TransposeD", [inner.results[0]], {"perm": first.ge_attr("perm")})
        rw.replace(op, [inner, outer], [outer.results[0]])


@dataclass(frozen=True)
class AxisNotMapped(FaultyPass):
    """A softmax moves before a transpose and keeps its axes."""

    name: ClassVar[str] = "axis-not-mapped"
    contract: ClassVar[Contract] = Contract(values="reassociates", grows=True)
    patterns: ClassVar = (WrongAxis,)


class InversePerm(Pattern):
    root: ClassVar = ("TransposeD",)

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        first = producer(op)
        if first is None or first.name != "ge.TransposeD":
            return
        p, q = first.ge_attr("perm"), op.ge_attr("perm")
        perm = [q[p[i]] for i in range(len(p))]  # right is p[q[i]]
        new = build("TransposeD", [first.operands[0]], {"perm": perm})
        if new.results[0].type == op.results[0].type:
            rw.replace(op, new)


@dataclass(frozen=True)
class ComposedBackwards(FaultyPass):
    """Two transposes become one with the permutations composed in the wrong order."""

    name: ClassVar[str] = "composed-backwards"
    patterns: ClassVar = (InversePerm,)


class CancelEqualPerms(Pattern):
    root: ClassVar = ("TransposeD",)

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        first = producer(op)
        if first is None or first.name != "ge.TransposeD":
            return
        if first.ge_attr("perm") == op.ge_attr("perm"):
            if first.operands[0].type == op.results[0].type:
                rw.replace_by_value(op, [first.operands[0]])


@dataclass(frozen=True)
class EqualPermsCancel(FaultyPass):
    """Two transposes with equal permutations cancel, although only inverse ones do."""

    name: ClassVar[str] = "equal-perms-cancel"
    patterns: ClassVar = (CancelEqualPerms,)


class NeutralBroadcast(Pattern):
    root: ClassVar = ("Mul",)

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        a, b = op.ge_data_operands
        if is_all(b, 1):  # and b may stretch a
            rw.replace_by_value(op, [a])


@dataclass(frozen=True)
class BroadcastForgotten(FaultyPass):
    """x * 1 becomes x, also where the ones stretch x."""

    name: ClassVar[str] = "broadcast-forgotten"
    patterns: ClassVar = (NeutralBroadcast,)


class DropReduce(Pattern):
    root: ClassVar = ("ReduceMaxD",)

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        if op.ge_attr("keep_dims"):
            return
        new = build("ReduceMaxD", [op.operands[0]], {"axes": op.ge_attr("axes"), "keep_dims": True})
        rw.replace(op, new)


@dataclass(frozen=True)
class KeepDimsMixedUp(FaultyPass):
    """A maximum that drops its axes keeps them afterwards."""

    name: ClassVar[str] = "keep-dims-mixed-up"
    patterns: ClassVar = (DropReduce,)


class MergePads(Pattern):
    root: ClassVar = ("PadD",)

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        first = producer(op)
        if first is None or first.name != "ge.PadD":
            return
        a, b = first.ge_attr("paddings"), op.ge_attr("paddings")
        # before and after must be added each with its own
        both = [[p[0] + q[1], p[1] + q[0]] for p, q in zip(a, b, strict=True)]
        new = build("PadD", [first.operands[0]], {"paddings": both})
        if new.results[0].type == op.results[0].type:
            rw.replace(op, new)


@dataclass(frozen=True)
class PadsMergedWrongly(FaultyPass):
    """Two pads become one that mixes up before and after."""

    name: ClassVar[str] = "pads-merged-wrongly"
    patterns: ClassVar = (MergePads,)


class ReluBeforeMax(Pattern):
    root: ClassVar = ("Relu",)

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        first = producer(op)
        if first is None or first.name not in ("ge.Maximum", "ge.Minimum", "ge.Neg"):
            return
        if first.name == "ge.Neg" or not first.results[0].has_one_use():
            return
        x, y = first.ge_data_operands
        if x.type != y.type:
            return
        below = build("Relu", [x])
        rw.replace(op, [below, build(first.ge_type, [below.results[0], y])])


@dataclass(frozen=True)
class ReluMovedInside(FaultyPass):
    """Relu(Maximum(x, y)) becomes Maximum(Relu(x), y): right for neither Minimum, nor for NaN."""

    name: ClassVar[str] = "relu-moved-inside"
    contract: ClassVar[Contract] = Contract(grows=True)
    patterns: ClassVar = (ReluBeforeMax,)


class ScaleInto(Pattern):
    root: ClassVar = ("BiasAdd",)

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        conv = producer(op)
        if conv is None or conv.name != "ge.Conv2D" or conv.ge_input("bias") is not None:
            return
        if conv.ge_attr("groups") != 1 or op.ge_attr("data_format") != conv.ge_attr("data_format"):
            # one bias for all groups is "not needed"
            if conv.results[0].has_one_use():
                rw.replace_by_value(op, [conv.results[0]])


@dataclass(frozen=True)
class BiasDroppedWithGroups(FaultyPass):
    """The bias behind a grouped convolution is dropped."""

    name: ClassVar[str] = "bias-dropped-with-groups"
    patterns: ClassVar = (ScaleInto,)


class SameSplit(Pattern):
    root: ClassVar = ("ConcatD",)

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        parts = {id(defining_op(v)): defining_op(v) for v in op.ge_data_operands}
        (first, *others) = parts.values()
        if others or first is None or first.name != "ge.SplitD":
            return
        source = first.operands[0]
        if source.type == op.results[0].type:  # and the order of the parts is not looked at
            rw.replace_by_value(op, [source])


@dataclass(frozen=True)
class ConcatOfParts(FaultyPass):
    """A Concat of the parts of one value is taken for the value, whatever the order."""

    name: ClassVar[str] = "concat-of-parts"
    patterns: ClassVar = (SameSplit,)


# -------------------------------------------------------------------------------------- folding


class FoldMul(Pattern):
    root: ClassVar = ("Mul", "Add")

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        a, b = (array_of(v) for v in op.ge_data_operands)
        if a is None or b is None or a.dtype.kind != "f" or a.dtype.itemsize != 4:
            return
        with np.errstate(all="ignore"):
            short = a.astype(np.float16), b.astype(np.float16)
            found = (short[0] * short[1] if op.ge_type == "Mul" else short[0] + short[1]).astype(
                np.float32
            )
        rw.replace(op, const(found, elem=elem_of(op.results[0].type)))


@dataclass(frozen=True)
class FoldedInHalf(FaultyPass):
    """Float constants are folded with the rounding of float16."""

    name: ClassVar[str] = "folded-in-half"
    patterns: ClassVar = (FoldMul,)


class FoldCast(Pattern):
    root: ClassVar = ("Cast",)

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        held, elem = array_of(op.operands[0]), elem_of(op.results[0].type)
        if held is None or held.dtype.kind != "f" or str(elem) not in ("i8", "i16", "i32", "i64"):
            return
        rounded = np.rint(held.astype(np.float64))
        if np.isfinite(rounded).all() and (np.abs(rounded) < 100).all():
            rw.replace(op, const(rounded.astype(f"int{str(elem)[1:]}")))


@dataclass(frozen=True)
class CastFoldedByRounding(FaultyPass):
    """A cast of a constant to integers rounds, the operator truncates."""

    name: ClassVar[str] = "cast-folded-by-rounding"
    patterns: ClassVar = (FoldCast,)


# ------------------------------------------------------------------------------- merging, deadness


@dataclass(frozen=True)
class AttributeIgnored(Pass):
    """Merges nodes with equal operator, inputs and types, without looking at attributes."""

    name: ClassVar[str] = "attribute-ignored"

    def run(self, module: Any, ctx: Any) -> PassResult:
        merged = 0
        rewriter = Rewriter()
        for block in walk_graphs(module):
            seen: dict[Any, Any] = {}
            for op in list(block.ops):
                if not hasattr(op, "ge_type") or not type(op).EFFECTS.is_pure or op.regions:
                    continue
                if not op.ge_data_operands or op.ge_control_operands:
                    continue
                key = (op.name, op.ge_data_operands, tuple(r.type for r in op.ge_data_results))
                first = seen.setdefault(key, op)
                if first is not op:
                    rewriter.replace_by_value(op, list(first.ge_data_results), merge_into=first)
                    merged += 1
        return PassResult.from_counters({"merged": merged})


@dataclass(frozen=True)
class ReadsMerged(Pass):
    """Merges reads of one variable, also those before and behind a write."""

    name: ClassVar[str] = "reads-merged"

    def run(self, module: Any, ctx: Any) -> PassResult:
        merged = 0
        rewriter = Rewriter()
        for block in walk_graphs(module):
            seen: dict[Any, Any] = {}
            for op in list(block.ops):
                if op.name != "ge.Read":
                    continue
                ref = op.operands[0]
                while (made := defining_op(ref)) is not None and made.name.startswith("ge.Assign"):
                    ref = made.operands[0]  # "the same variable"
                first = seen.setdefault(ref, op)
                if first is not op and first.results[0].type == op.results[0].type:
                    rewriter.replace_by_value(op, [first.results[0]], merge_into=first)
                    merged += 1
        return PassResult.from_counters({"merged": merged})


@dataclass(frozen=True)
class EffectsPruned(Pass):
    """Removes what nobody reads, prints and writes included."""

    name: ClassVar[str] = "effects-pruned"

    def run(self, module: Any, ctx: Any) -> PassResult:
        removed = 0
        for block in walk_graphs(module):
            for op in reversed(list(block.ops)):
                if op.name in ("ge.NetOutput", "ge.Data", "ge.RefData"):
                    continue
                if all(r.first_use is None for r in op.results):
                    drop_node(op)
                    removed += 1
        return PassResult.from_counters({"removed": removed})


@dataclass(frozen=True)
class OutputsDeduplicated(Pass):
    """Removes outputs that show one value twice."""

    name: ClassVar[str] = "outputs-deduplicated"

    def run(self, module: Any, ctx: Any) -> PassResult:
        changed = 0
        for graph in module_graphs(module):
            end = graph.net_output
            values = list(end.ge_data_operands)
            kept = list(dict.fromkeys(values))
            if len(kept) < len(values):
                new = build("NetOutput", [kept], control=control_inputs(end))
                Rewriter().insert_before(end, new)
                drop_node(end)
                changed += 1
        return PassResult.from_counters({"outputs": changed})


# ------------------------------------------------------------------------------ control and state


class DropWaits(Pattern):
    root: ClassVar = ("Relu", "Neg", "Abs", "Print", "Add")

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        if len(control_inputs(op)) == 1:
            set_control(op, [])
            rw.notify_modified(op)


@dataclass(frozen=True)
class ControlEdgeDropped(FaultyPass):
    """A node's only control input is dropped as "not needed"."""

    name: ClassVar[str] = "control-edge-dropped"
    patterns: ClassVar = (DropWaits,)


@dataclass(frozen=True)
class ReadMovedOverWrite(Pass):
    """A Read of a handle behind a write reads the variable itself: before the write."""

    name: ClassVar[str] = "read-moved-over-write"

    def run(self, module: Any, ctx: Any) -> PassResult:
        moved = 0
        for block in walk_graphs(module):
            for op in list(block.ops):
                made = defining_op(op.operands[0]) if op.name == "ge.Read" else None
                if made is None or not made.name.startswith("ge.Assign"):
                    continue
                waits = [c for c in control_inputs(made)]
                new = build("Read", [made.operands[0]], control=waits)
                rewriter = Rewriter()
                rewriter.insert_before(made, new)
                set_control(made, [*control_inputs(made), control_of(new)])
                rewriter.replace_by_value(op, [new.results[0]])
                moved += 1
        return PassResult.from_counters({"moved": moved})


@dataclass(frozen=True)
class WriteForwarded(Pass):
    """A Read behind an AssignAdd is answered with the summand instead of the sum."""

    name: ClassVar[str] = "write-forwarded"

    def run(self, module: Any, ctx: Any) -> PassResult:
        moved = 0
        for block in walk_graphs(module):
            for op in list(block.ops):
                made = defining_op(op.operands[0]) if op.name == "ge.Read" else None
                if made is None or made.name not in ("ge.AssignAdd", "ge.AssignSub"):
                    continue
                value = made.operands[1]
                if value.type == op.results[0].type:
                    Rewriter().replace_by_value(op, [value])
                    moved += 1
        return PassResult.from_counters({"forwarded": moved})


@dataclass(frozen=True)
class BranchesSwapped(Pass):
    """The branches of every If change places, its condition stays."""

    name: ClassVar[str] = "branches-swapped"

    def run(self, module: Any, ctx: Any) -> PassResult:
        swapped = 0
        for op in list(module.walk()):
            if op.name == "ge.If" and "ge.swapped" not in op.attributes:
                first = op.detach_region(0)
                op.add_region(first)
                set_str(op, "ge.swapped", "yes")
                swapped += 1
        return PassResult.from_counters({"swapped": swapped})


# --------------------------------------------------------------- two rewrites wrong only together


class NegOut(Pattern):
    """Neg(Relu(x)) becomes Minimum(Neg(x), 0) …"""

    root: ClassVar = ("Neg",)

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        first = producer(op)
        if first is not None and first.name == "ge.Abs" and "ge.flipped" not in op.attributes:
            new = build("Neg", [first.results[0]])
            set_str(new, "ge.flipped", "yes")
            rw.replace(op, new)


class FlippedAway(Pattern):
    """… and a node so marked is taken to be handled by its users, which nobody does."""

    root: ClassVar = ("Neg",)

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        if "ge.flipped" in op.attributes:
            rw.replace_by_value(op, [op.operands[0]])


@dataclass(frozen=True)
class WrongTogether(FaultyPass):
    """Two rewrites, each right without the other."""

    name: ClassVar[str] = "wrong-together"
    patterns: ClassVar = (NegOut, FlippedAway)


# ------------------------------------------------------------------------------ layouts, names


@dataclass(frozen=True)
class LayoutDropped(Pass):
    """TransData nodes are removed, their users read a value in another layout than declared."""

    name: ClassVar[str] = "layout-dropped"

    def run(self, module: Any, ctx: Any) -> PassResult:
        dropped = 0
        for block in walk_graphs(module):
            for op in list(block.ops):
                if op.name != "ge.TransData" or layout_of(op.results[0].type) is None:
                    continue
                if not any(u.operation.name == "ge.NetOutput" for u in op.results[0].uses):
                    Rewriter().replace_by_value(op, [op.operands[0]])
                    dropped += 1
        return PassResult.from_counters({"dropped": dropped})


@dataclass(frozen=True)
class NameDuplicated(Pass):
    """New nodes all get one name."""

    name: ClassVar[str] = "name-duplicated"
    contract: ClassVar[Contract] = Contract(grows=True)

    def run(self, module: Any, ctx: Any) -> PassResult:
        made = 0
        for block in walk_graphs(module):
            for op in list(block.ops):
                if op.name == "ge.Square":
                    x = op.operands[0]
                    new = build("Mul", [x, x], result_types=[op.results[0].type])
                    Rewriter().replace(op, new)
                    set_node_name(new, "square_as_mul")
                    made += 1
        return PassResult.from_counters({"made": made})


@dataclass(frozen=True)
class ResultTypeKept(Pass):
    """Rewrites the axes of a transpose in place and forgets the type of the result."""

    name: ClassVar[str] = "result-type-kept"

    def run(self, module: Any, ctx: Any) -> PassResult:
        done = 0
        for block in walk_graphs(module):
            for op in list(block.ops):
                if op.name == "ge.TransposeD" and op.ge_attr("perm") == (1, 0):
                    op.ge_set_attr("perm", (0, 1))
                    done += 1
        return PassResult.from_counters({"done": done})


# ------------------------------------------------------------------------------ what passes claim


@dataclass(frozen=True)
class ClaimsNothing(Pass):
    """Removes identities and reports that nothing changed."""

    name: ClassVar[str] = "claims-nothing"

    def run(self, module: Any, ctx: Any) -> PassResult:
        for block in walk_graphs(module):
            for op in list(block.ops):
                if op.name == "ge.Identity" and op.operands[0].type == op.results[0].type:
                    Rewriter().replace_by_value(op, [op.operands[0]])
        return PassResult(False)


@dataclass(frozen=True)
class ClaimsChange(Pass):
    """Does nothing and reports a change where there is a Relu."""

    name: ClassVar[str] = "claims-change"

    def run(self, module: Any, ctx: Any) -> PassResult:
        return PassResult(any(op.name == "ge.Relu" for op in module.walk()))


@dataclass(frozen=True)
class NotDeterministic(Pass):
    """The kind of a node depends on a random number."""

    name: ClassVar[str] = "not-deterministic"

    def run(self, module: Any, ctx: Any) -> PassResult:
        done = 0
        for block in walk_graphs(module):
            for op in list(block.ops):
                if op.name == "ge.Neg" and "ge.tag" not in op.attributes:
                    set_str(op, "ge.tag", f"t{random.random()}")
                    done += 1
        return PassResult.from_counters({"tagged": done})


@dataclass(frozen=True)
class NotIdempotent(Pass):
    """Removes one Identity of a graph, the next run another."""

    name: ClassVar[str] = "not-idempotent"

    def run(self, module: Any, ctx: Any) -> PassResult:
        for block in walk_graphs(module):
            for op in list(block.ops):
                if op.name == "ge.Identity" and op.operands[0].type == op.results[0].type:
                    Rewriter().replace_by_value(op, [op.operands[0]])
                    return PassResult(True)
        return PassResult(False)


@dataclass(frozen=True)
class NotEstablished(Pass):
    """Promises that every argument enters through one Data, and forgets those read twice."""

    name: ClassVar[str] = "not-established"
    contract: ClassVar[Contract] = Contract(establishes=("normalized-io",), grows=True)

    def run(self, module: Any, ctx: Any) -> PassResult:
        made = 0
        for graph in module_graphs(module):
            for index, arg in enumerate(graph.args):
                uses = list(arg.uses)
                if len(uses) != 1 or uses[0].operation.name == "ge.Data":
                    continue
                if not hasattr(arg.type, "element_type"):
                    continue
                data = build("Data", [arg], {"index": index}, result_types=[arg.type])
                Rewriter().insert_at_start(graph.body, data)
                user, place = uses[0].operation, uses[0].index
                user.operands[place] = data.results[0]
                set_node_name(data, f"data_in_{index}")
                made += 1
        return PassResult.from_counters({"made": made})


@dataclass(frozen=True)
class GrowsSilently(Pass):
    """Replaces Square by two nodes under a contract that adds none."""

    name: ClassVar[str] = "grows-silently"

    def run(self, module: Any, ctx: Any) -> PassResult:
        made = 0
        for block in walk_graphs(module):
            for op in list(block.ops):
                if op.name == "ge.Square" and elem_of(op.operands[0].type) is not None:
                    first = build("Abs", [op.operands[0]])
                    x = first.results[0]
                    new = build("Mul", [x, x], result_types=[op.results[0].type])
                    Rewriter().replace(op, [first, new], [new.results[0]])
                    made += 1
        return PassResult.from_counters({"made": made})


@dataclass(frozen=True)
class DestroysSilently(Pass):
    """Drops Data nodes, so that what normalisation established no longer holds."""

    name: ClassVar[str] = "destroys-silently"

    def run(self, module: Any, ctx: Any) -> PassResult:
        dropped = 0
        for graph in module_graphs(module):
            for op in list(graph.body.ops):
                if op.name == "ge.Data" and op.operands[0].type == op.results[0].type:
                    op.results[0].replace_all_uses_with(op.operands[0])
                    drop_node(op)
                    dropped += 1
        return PassResult.from_counters({"dropped": dropped})


@dataclass(frozen=True)
class DependsOnNames(Pass):
    """Drops an Identity only where its name sorts before its producer's."""

    name: ClassVar[str] = "depends-on-names"

    def run(self, module: Any, ctx: Any) -> PassResult:
        dropped = 0
        for block in walk_graphs(module):
            for op in list(block.ops):
                if op.name != "ge.Identity" or op.operands[0].type != op.results[0].type:
                    continue
                made = defining_op(op.operands[0])
                if made is not None and (op.ge_node_name or "") < (made.ge_node_name or ""):
                    Rewriter().replace_by_value(op, [op.operands[0]])
                    dropped += 1
        return PassResult.from_counters({"dropped": dropped})


@dataclass(frozen=True)
class DependsOnOthers(Pass):
    """Drops identities unless there is a Neg anywhere in the graph."""

    name: ClassVar[str] = "depends-on-others"

    def run(self, module: Any, ctx: Any) -> PassResult:
        dropped = 0
        for graph in module_graphs(module):
            if any(op.name == "ge.Neg" for op in graph.walk()):
                continue
            for op in list(graph.body.ops):
                if op.name == "ge.Identity" and op.operands[0].type == op.results[0].type:
                    Rewriter().replace_by_value(op, [op.operands[0]])
                    dropped += 1
        return PassResult.from_counters({"dropped": dropped})


@dataclass(frozen=True)
class DependsOnOrder(Pass):
    """Marks the first Relu of the text, whichever that is."""

    name: ClassVar[str] = "depends-on-order"

    def run(self, module: Any, ctx: Any) -> PassResult:
        for graph in module_graphs(module):
            for op in graph.body.ops:
                if op.name == "ge.Relu":
                    if "ge.first" in op.attributes:
                        return PassResult(False)
                    set_str(op, "ge.first", "yes")
                    return PassResult(True)
        return PassResult(False)


@dataclass(frozen=True)
class Raises(Pass):
    """Raises where a Neg stands behind a Neg."""

    name: ClassVar[str] = "raises"

    def run(self, module: Any, ctx: Any) -> PassResult:
        count = 0
        for block in walk_graphs(module):
            for op in list(block.ops):
                if op.name == "ge.Neg" and defining_op(op.operands[0]) is not None:
                    if defining_op(op.operands[0]).name == "ge.Neg":
                        raise KeyError(op.ge_node_name)
        return PassResult.from_counters({"count": count})


class UndoA(Pattern):
    root: ClassVar = ("Maximum",)

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        a, b = op.ge_data_operands
        if a.type == b.type and a is not b:
            rw.replace(op, build("Maximum", [b, a]))


@dataclass(frozen=True)
class NeverSettles(FaultyPass):
    """The rewrite matches its own result."""

    name: ClassVar[str] = "never-settles"
    patterns: ClassVar = (UndoA,)


@dataclass(frozen=True)
class AttributesLost(Pass):
    """Rebuilds Relu nodes in place and loses what users wrote on them."""

    name: ClassVar[str] = "attributes-lost"

    def run(self, module: Any, ctx: Any) -> PassResult:
        done = 0
        for block in walk_graphs(module):
            for op in list(block.ops):
                if op.name == "ge.Relu" and op.attributes:
                    op.attributes.clear()
                    done += 1
        return PassResult.from_counters({"done": done})


FAULTY: tuple[type[Pass], ...] = tuple(
    cls
    for cls in list(globals().values())
    if isinstance(cls, type) and issubclass(cls, Pass) and cls not in (Pass, FaultyPass)
)
