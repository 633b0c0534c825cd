"""Which values share memory, and what every memory class holds.

A node without a task whose result is its input in another shape (Reshape, Squeeze, Identity …) has
no memory of its own: its result *is* the place of its input. The output ref of an Assign is its
variable. `Roots` finds for every value the one that owns the bytes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from xdsl.ir import BlockArgument

from ge_dialect.ir.attributes import RefType
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.types import layout_of
from ge_dialect.layouts import is_heavy, storage_bytes
from ge_dialect.target.engines import BODY_OPS

if TYPE_CHECKING:
    from xdsl.ir import Operation, SSAValue

CONSTANTS = frozenset({"ge.Const", "ge.Constant", "ge.FileConstant"})
VARIABLES = frozenset({"ge.Variable", "ge.VariableV2"})
_BODIES = frozenset(f"ge.{name}" for name in BODY_OPS)
_RELABEL = frozenset({"Reinterpret", "ReFormat", "Bitcast"})
_NO_VALUES = frozenset({"ge.NoOp", "ge.NetOutput"})
_CONTROL_HINT = (
    "ge-run --mode eager runs it; loops of ONNX whose rounds the input shapes settle are unrolled "
    "where these are given at import (--input-shape)"
)
_FILE_HINT = "a ge.Const whose value is a weight of the model has a place"


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a node has no place in a static model."""

    op: Operation
    reason: str
    hint: str | None = None


@dataclass(slots=True)
class Roots:
    """Which values own bytes, by the id of a value, for hashing the value itself costs a call.

    alias: the owner of every value that is not its own. held: the owner of every value that lies
    in no buffer of a task: results of constants and variables, and refs. problems: nodes that
    cannot be handled.
    """

    alias: dict[int, SSAValue] = field(default_factory=dict)
    held: dict[int, SSAValue] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def of(self, value: SSAValue) -> SSAValue:
        """The value that owns the bytes of a value."""
        return self.alias.get(id(value), value)

    def join(self, result: SSAValue, source: SSAValue) -> None:
        """A result is the place of an input of its node."""
        owner = self.alias[id(result)] = self.of(source)
        if id(owner) in self.held:
            self.held[id(result)] = owner

    def add(self, op: Operation, *, has_task: bool) -> None:
        """Take in the next node in graph order; only what has no bytes of its own is noted."""
        if not isinstance(op, GeOp):
            self.problems.append(Problem(op, "is no operator of GE: no kernel computes it"))
            return
        name = op.name
        if name in _NO_VALUES:
            return
        if name in _BODIES:
            reason = "runs graphs of its own, which needs control flow"
            self.problems.append(Problem(op, reason, _CONTROL_HINT))
        elif name in CONSTANTS or name in VARIABLES:
            if name == "ge.FileConstant":
                self.problems.append(Problem(op, "takes its value from a file", _FILE_HINT))
            self.held.update((id(result), result) for result in op.ge_data_results)
        elif has_task:
            if type(op).ge_table().hands_refs:
                _task_refs(op, self)
        else:
            _relabelled(op, self)


def _task_refs(op: GeOp, found: Roots) -> None:
    """The refs that a task gives: those it was given, or memory of their own."""
    for result, source in ref_results(op):
        found.join(result, source)
    for result in op.ge_data_results:
        if is_state(result) and id(result) not in found.alias:
            found.held[id(result)] = result


def _relabelled(op: GeOp, found: Roots) -> None:
    """A node without a task: its results are its inputs."""
    results, operands = op.ge_data_results, op.ge_data_operands
    if not results:
        return
    if len(operands) < len(results) or (len(results) > 1 and op.ge_type != "IdentityN"):
        found.problems.append(Problem(op, "has no task, but results of its own"))
        return
    for result, source in zip(results, operands, strict=False):
        if not _same_bytes(op, result, source):
            found.problems.append(Problem(op, "would change the storage of its input"))
        found.join(result, source)


def ref_results(op: GeOp) -> list[tuple[SSAValue, SSAValue]]:
    """(output ref, input ref) of a node that hands a ref on: they are one variable."""
    table = type(op).ge_table()
    if not table.hands_refs:
        return []
    inputs = {
        slot.name: arg
        for slot, arg in zip(table.inputs, op.ge_args(), strict=True)
        if slot.is_ref and arg is not None and not isinstance(arg, list)
    }
    out: list[tuple[SSAValue, SSAValue]] = []
    for slot, group in zip(table.outputs, op.ge_result_groups(), strict=True):
        if slot.is_ref and group:
            source = inputs.get(slot.name)
            if source is None and len(inputs) == 1:
                source = next(iter(inputs.values()))
            if source is not None:
                out.append((group[0], source))
    return out


def _same_bytes(op: GeOp, a: SSAValue, b: SSAValue) -> bool:
    """Whether a result can be the place of an input: equal types, or no layout on either."""
    if a.type == b.type or isinstance(a.type, RefType):
        return True
    if op.ge_type in _RELABEL:
        return storage_bytes(a.type) == storage_bytes(b.type)
    layouts = (layout_of(a.type), layout_of(b.type))
    return not any(f is not None and is_heavy(f.format) for f in layouts)


def is_input(value: SSAValue) -> bool:
    """Whether a root is a graph input."""
    return isinstance(value, BlockArgument)


def is_constant(value: SSAValue) -> bool:
    """Whether a root is a constant."""
    return getattr(value.owner, "name", None) in CONSTANTS


def is_state(value: SSAValue) -> bool:
    """Whether a root is a variable or a graph input that the graph updates."""
    return isinstance(value.type, RefType)
