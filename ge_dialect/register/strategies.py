"""How an operator can be executed: by which engine, out of which kernel library, on which dtypes.

Engines, libraries and costs are GE's engine table; which operators a library has is what this
project's op library and kernels say (`ge_dialect.target`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ge_dialect.diagnostics import user_error
from ge_dialect.ops.registry import has_op, op_names
from ge_dialect.semantics.registry import ROUTING, has_semantics
from ge_dialect.spelling import nearest
from ge_dialect.target.engines import (
    AICORE,
    AICPU,
    ENGINES,
    GE_LOCAL,
    LOCAL_OPS,
    RTS,
    RTS_OPS,
    engine_refusal,
)
from ge_dialect.target.oplib import OpEntry, aicore_entry

if TYPE_CHECKING:
    from ge_dialect.ir.base import GeOp


@dataclass(frozen=True, slots=True)
class Engine:
    """A row of GE's engine table: its kernel library, and its cost (the lowest is asked first)."""

    name: str
    library: str
    cost: int


#: The engines of the simulated device.
ENGINE_TABLE: dict[str, Engine] = {
    AICORE: Engine(AICORE, "AIcoreEngine", 1),
    RTS: Engine(RTS, "DNN_VM_RTS_OP_STORE", 2),
    AICPU: Engine(AICPU, "aicpu_ascend_kernel", 4),
    GE_LOCAL: Engine(GE_LOCAL, "DNN_VM_GE_LOCAL_OP_STORE", 9),
}


@dataclass(frozen=True, slots=True)
class Strategy:
    """One way to execute an operator.

    dtypes: per column of the library the dtypes of inputs and outputs in order, or per letter of
    its signature the dtypes it takes; empty where any dtype of the prototype is taken. layouts: the
    rule by which storage layouts are chosen ("ND": plain only). assumed: not from the public
    library. refusal: why this engine does not take the node asked about; None where it does, or
    where an operator was asked about.
    """

    engine: Engine
    layouts: str
    dtypes: tuple[str, ...] = ()
    assumed: bool = False
    refusal: str | None = None


def strategies(op_type: str) -> tuple[Strategy, ...]:
    """All ways to execute an operator, in the order in which engines are asked; none for one that
    no engine takes. Raises `GeError` GX-112 where there is no operator of that type.
    """
    found = tuple(_of_type(op_type))
    if not found and not has_op(op_type):
        near = nearest(op_type, op_names())
        hint = f"did you mean {near!r}?" if near else None
        raise user_error("GX-112", f"there is no operator of type {op_type!r}", hint=hint)
    return found


def node_strategies(op: GeOp) -> tuple[Strategy, ...]:
    """One strategy per engine for a node with its types, each with its refusal."""
    found = {s.engine.name: s for s in _of_type(op.ge_type)}
    return tuple(
        Strategy(
            ENGINE_TABLE[name],
            found[name].layouts if name in found else "",
            found[name].dtypes if name in found else (),
            found[name].assumed if name in found else False,
            engine_refusal(op, name),
        )
        for name in ENGINES
    )


def _of_type(op_type: str) -> Iterator[Strategy]:
    if op_type in LOCAL_OPS:
        yield Strategy(ENGINE_TABLE[GE_LOCAL], "any")
        return
    if op_type in RTS_OPS:
        yield Strategy(ENGINE_TABLE[RTS], "any")
        return
    entry = aicore_entry(op_type)
    if entry is not None:
        yield Strategy(ENGINE_TABLE[AICORE], entry.rule, _dtypes(entry), entry.assumed)
    if has_semantics(op_type) and op_type not in ROUTING:
        yield Strategy(ENGINE_TABLE[AICPU], "ND")


def _dtypes(entry: OpEntry) -> tuple[str, ...]:
    if entry.columns:
        return tuple(sorted(",".join(column) for column in entry.columns))
    return tuple(f"{letter}: {','.join(sorted(s))}" for letter, s in sorted(entry.sets.items()))
