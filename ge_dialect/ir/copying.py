"""Copies of modules that keep every name."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from ge_dialect.ir.private import name_hint, operands_of, set_name_hint


def copy_module(module: ModuleOp) -> ModuleOp:
    """A deep copy with all names.

    xDSL's `clone` drops the trailing number of SSA names, which name inputs, and inserts the
    arguments of a block one by one, each time into a new tuple.
    """
    copier = _Copier()
    copy = copier.operation(module)
    for old, new in copier.ops:  # at the end: a value may be made after it is used
        operands = operands_of(old)
        if operands:
            new.operands = [copier.values.get(v, v) for v in operands]
    assert isinstance(copy, ModuleOp)
    return copy


class _Copier:
    """What is copied so far."""

    def __init__(self) -> None:
        self.values: dict[SSAValue, SSAValue] = {}
        self.blocks: dict[Block, Block] = {}
        self.ops: list[tuple[Operation, Operation]] = []

    def operation(self, old: Operation) -> Operation:
        """A copy with bodies and without operands."""
        new = old.clone_without_regions(
            self.values, self.blocks, clone_name_hints=False, clone_operands=False
        )
        self.ops.append((old, new))
        for a, b in zip(old.results, new.results, strict=True):
            set_name_hint(b, name_hint(a))
        for before, after in zip(old.regions, new.regions, strict=True):
            after.add_block([self._empty(b) for b in before.blocks])
            for block in before.blocks:
                self.blocks[block].add_ops(self.operation(op) for op in block.ops)
        return new

    def _empty(self, old: Block) -> Block:
        """A block with the same arguments."""
        new = self.blocks[old] = Block(arg_types=[a.type for a in old.args])
        new.name_hint = old.name_hint
        for a, b in zip(old.args, new.args, strict=True):
            b.location = a.location
            set_name_hint(b, name_hint(a))
            self.values[a] = b
        return new
