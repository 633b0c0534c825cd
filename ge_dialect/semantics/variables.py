"""Golden meaning of state. Values of type `!ge.ref<…>` are `Ref` cells."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context, Ref
from ge_dialect.semantics.numerics import Array, finish, widen_all
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]


@semantics("Variable")
def variable(args: list[Any], attrs: Attrs, ctx: Context) -> Ref:
    """The variable's cell: the one of an earlier run, else a new one holding `value`."""
    key = ctx.node_name
    cell = ctx.state.variables.get(key)
    if cell is None:
        cell = ctx.state.variables[key] = Ref(key)
        if attrs.get("value") is not None:
            cell.value = ctx.constant(attrs["value"])
    return cell


@semantics("RefData")
def ref_data(args: list[Any], attrs: Attrs, ctx: Context) -> Ref:
    """The cell that came in as the graph's argument."""
    return args[0]


@semantics("Read")
def read(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """What the cell holds now."""
    return held(args[0], ctx)


@semantics("Assign")
def assign(args: list[Any], attrs: Attrs, ctx: Context) -> Ref:
    """The cell takes the value."""
    cell, value = args
    shape = None if cell.value is None else cell.value.shape
    if attrs["validate_shape"] and shape is not None and shape != value.shape:
        ctx.fail("a variable keeps its shape", code="GX-221", found=value.shape, expected=shape)
    cell.value = value
    return cell


@semantics("AssignAdd")
def assign_add(args: list[Any], attrs: Attrs, ctx: Context) -> Ref:
    """The cell takes its value plus another."""
    return _update(args, np.add, ctx)


@semantics("AssignSub")
def assign_sub(args: list[Any], attrs: Attrs, ctx: Context) -> Ref:
    """The cell takes its value minus another."""
    return _update(args, np.subtract, ctx)


def _update(args: list[Any], fn: Any, ctx: Context) -> Ref:
    cell, value = args
    old = held(cell, ctx)
    new = finish(fn(*widen_all([old, value])), old.dtype)
    if new.shape != old.shape:
        ctx.fail(
            "the value does not stretch to the variable", found=value.shape, expected=old.shape
        )
    cell.value = new
    return cell


def held(cell: Ref, ctx: Context) -> Array:
    """The value of a cell; GeError where nothing was assigned yet."""
    if cell.value is None:
        ctx.fail(
            f"variable {cell.key!r} is read before it has a value",
            code="GX-244",
            hint="give it a `value`, assign it first, or order the read after the assignment",
        )
    return cell.value
