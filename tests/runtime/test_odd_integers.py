"""Integers that may be indices: whatever they are, kernel and golden function answer alike.

Each integer input of drawn applications gets numbers that name no element: those before the first
and behind the last of every dim around, and the largest and smallest there are. Both refuse them
with one code, or both take them and give the same. No operator is named for that: what indexes is
found out by trying.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import prod
from random import Random
from typing import Any

import numpy as np
import pytest

from ge_dialect.diagnostics import Diagnostic, GeError
from ge_dialect.dtypes import numpy_dtype, to_xdsl
from ge_dialect.ir.types import elem_of, shape_of
from ge_dialect.semantics.numerics import finish
from passes.testing.applications import Application, Operand, accepts, applications, arrays, golden
from tests.runtime import test_kernels_golden_drawn as drawn

MOST = 100_000
#: What the device refuses and golden semantics do not, with the reason.
DEVICE_ALONE = {"Assign": "a variable whose shape changes has no place in memory"}
#: Whose values differ for numbers of many digits, with the reason.
FEWER_DIGITS = {"Resize": "double precision has not all digits of 64-bit integers"}

Place = tuple[int, int | None, Operand]


def integers(app: Application) -> list[Place]:
    """Operands of whole bytes of integers, but for state."""
    slots = app.table.inputs
    return [
        (i, k, o)
        for i, k, o in app.operands()
        if o.dtype.lstrip("q").startswith(("int", "uint"))
        and numpy_dtype(to_xdsl(o.dtype)).kind in "iu"
        and o.size
        and not slots[i].is_ref
    ]


def numbers(app: Application, operand: Operand, random: Random, count: int) -> list[int]:
    """Some numbers that lie just outside of a dim of the application, or far outside."""
    dims = {d for _, _, o in app.operands() for d in (*o.dims, o.size)}
    info = np.iinfo(numpy_dtype(to_xdsl(operand.dtype)))
    near = {-1, *dims, *(-d - 1 for d in dims)}
    ends = [info.max, info.min, 2**33]
    fit = sorted(n for n in {*near, *ends} if info.min <= n <= info.max)
    return random.sample(fit, min(count, len(fit)))


def changed(
    app: Application, random: Random, count: int
) -> Iterator[tuple[Application, list[Any]]]:
    """The application as it is, then with one number changed; what it is applied to."""
    yield app, arrays(app, random.getrandbits(20))
    for i, k, operand in integers(app):
        for number in numbers(app, operand, random, count):
            args = arrays(app, random.getrandbits(20))
            new = (args[i] if k is None else args[i][k]).copy()
            new.reshape(-1)[random.randrange(new.size)] = number
            if k is None:
                args[i] = new
            else:
                args[i][k] = new
            known = None if operand.values is None else tuple(new.reshape(-1).tolist())
            yield app.put(i, k, replace(operand, values=known)), args


def check(op: str, draw: int, count: int) -> int:
    """Compare both on some applications; how often both refused."""
    random, refused = Random(f"{op}/{draw}"), 0
    for base in applications(op, draw, count):
        if any(o.dtype == "string" for _, _, o in base.operands()):
            continue  # strings have no size in memory
        for app, args in changed(base, random, 6):
            inferred = accepts(app)
            shapes = [None] if inferred is None else [shape_of(t) for t in inferred.types]
            if inferred is None or not all(small(s) for s in shapes):
                continue  # refused before the run, or a size follows from values
            if shapes and not any(prod(s or ()) for s in shapes):
                continue  # nothing is launched
            refused += compared(app, args, inferred.types)
    return refused


def small(shape: tuple[int, ...] | None) -> bool:
    """Whether all is known, and memory for it at hand, also where another dim is 0."""
    return shape is not None and -1 not in shape and prod(d or 1 for d in shape) < MOST


def compared(app: Application, args: list[Any], types: tuple[Any, ...]) -> bool:
    """Whether both refuse; an error where they do not answer alike."""
    memory = [np.zeros(shape_of(t) or (), numpy_dtype(elem_of(t))) for t in types]
    wanted = answer(lambda: golden(app, drawn.arrays_copy(args), types))
    said = answer(lambda: drawn.launch(app, args, types, memory))
    if app.op in DEVICE_ALONE and isinstance(said, Diagnostic) and isinstance(wanted, list):
        assert said.code != "GX-612", app
        return False
    if isinstance(wanted, Diagnostic):
        assert isinstance(said, Diagnostic), f"{app}: {wanted.render()}"
        expected = (wanted.code, f"{app.op}: {wanted.message}", wanted.expected, "node")
        assert (said.code, said.message, said.expected, said.node) == expected, app
        assert (said.found is None) == (wanted.found is None), app
        return True
    assert isinstance(said, list), f"{app}: {said.render()}"
    if app.op not in FEWER_DIGITS:
        with np.errstate(all="ignore"):
            for i, (got, want, type_) in enumerate(zip(said, wanted, types, strict=True)):
                want = finish(want, numpy_dtype(elem_of(type_)))
                drawn.compare(got, want, app, args, f"{app}: result {i}")
    return False


def answer(run: Any) -> list[Any] | Diagnostic:
    """Results, or why there are none."""
    try:
        return run()
    except GeError as error:
        (found,) = error.diagnostics
        return found


@pytest.mark.parametrize("op", drawn.ops())
def test_odd_integers(op: str) -> None:
    check(op, 31, 2)


@pytest.mark.full
@pytest.mark.parametrize("op", drawn.ops())
def test_odd_integers_often(op: str) -> None:
    check(op, 32, 40)


@pytest.mark.parametrize("op", ["GatherV2", "ScatterNd", "UnsortedSegmentSum", "Index", "NLLLoss"])
def test_indices_are_refused(op: str) -> None:
    """That the draw reaches what it is for."""
    assert check(op, 33, 6) > 5
