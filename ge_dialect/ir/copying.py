"""Copies of modules that keep every name."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from ge_dialect.ir.private import name_hint, set_name_hint


def copy_module(module: ModuleOp) -> ModuleOp:
    """A deep copy; xDSL's `clone` drops the trailing number of SSA names, which name inputs."""
    copy = module.clone()
    for old, new in zip(module.walk(), copy.walk(), strict=True):
        for a, b in zip(old.results, new.results, strict=True):
            set_name_hint(b, name_hint(a))
        for before, after in zip(old.regions, new.regions, strict=True):
            for first, second in zip(before.blocks, after.blocks, strict=True):
                for a, b in zip(first.args, second.args, strict=True):
                    set_name_hint(b, name_hint(a))
    return copy
