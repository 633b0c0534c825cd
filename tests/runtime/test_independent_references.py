"""A third formulation where kernel and golden function rest on one numpy call, or no kernel exists.

Which numpy functions both reach is read from their code. Those that decide a value (not merely make
or describe arrays) are compared with plain Python in `test_plain_numpy.py`; operators without a
kernel as a whole. A function or operator that has neither fails the test by its name.
"""

from __future__ import annotations

import dis
import functools
import inspect
import types
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from ge_dialect.ops.registry import op_class, op_names
from ge_dialect.semantics.registry import ROUTING, has_semantics, lookup
from runtime.kernels.registry import AICPU, find_kernel
from tests.runtime.test_plain_numpy import PLAIN

# ------------------------------------------------------------------------------ who calls what

#: Methods of arrays that are functions of numpy.
METHODS = set(
    "sum prod mean max min all any argmax argmin cumsum cumprod sort argsort transpose reshape "
    "swapaxes repeat squeeze take".split()
)
#: Functions that make or describe arrays, or move elements in ways the others say.
MOVES = set(
    "arange array array2string asarray ascontiguousarray broadcast_arrays broadcast_shapes copy "
    "copysign empty empty_like eye full full_like imag ix_ meshgrid ndindex nonzero ones ones_like "
    "ravel real result_type shape unravel_index zeros zeros_like sliding_window_view as_strided "
    "iinfo finfo errstate dtype shares_memory put_along_axis array_split frombuffer broadcast diag "
    "indices".split()
)


def _codes(code):
    yield code
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            yield from _codes(inner)


def _is_numpy(value):
    return (getattr(value, "__module__", None) or type(value).__module__ or "").startswith("numpy")


def _attribute(base, name):
    """The value of `base.name` where it is plain from the code, else None."""
    return getattr(base, name, None) if isinstance(base, types.ModuleType) else None


@functools.cache
def _direct(function):
    """numpy functions a function names, and the functions of its package it may call."""
    names, inner = set(), []
    for code in _codes(function.__code__):
        base = None
        for ins in dis.get_instructions(code):
            if ins.opname == "LOAD_GLOBAL":
                base = function.__globals__.get(ins.argval)
                inner.append(base)
                continue
            if ins.opname in ("LOAD_ATTR", "LOAD_METHOD"):
                found = _attribute(base, ins.argval)
                if found is None:
                    names |= {ins.argval} & METHODS
                elif callable(found) and not isinstance(found, type):
                    if base.__name__.startswith("numpy"):
                        names.add(ins.argval)
                    else:
                        inner.append(found)
                base = found
                continue
            if ins.opname == "BINARY_OP" and ins.argrepr == "@":
                names.add("matmul")
            base = None
    return names, inner


def reached(function, package):
    """Names of the numpy functions a function reaches through its own package."""
    out, seen, todo = set(), set(), [function]
    while todo:
        one = todo.pop()
        if isinstance(one, functools.partial):
            todo += [one.func, *one.args, *one.keywords.values()]
            continue
        if isinstance(one, np.ufunc) or (
            callable(one) and not isinstance(one, type) and _is_numpy(one)
        ):
            out.add(one.__name__)
            continue
        one = inspect.unwrap(one) if isinstance(one, types.FunctionType) else one
        if not isinstance(one, types.FunctionType) or not one.__module__.startswith(package):
            continue
        if one in seen:
            continue
        seen.add(one)
        names, inner = _direct(one)
        out |= names
        cells = [c.cell_contents for c in one.__closure__ or ()]
        tables = [v for c in (*cells, *inner) if isinstance(c, dict) for v in c.values()]
        todo += [v for v in (*inner, *cells, *tables) if callable(v) and not isinstance(v, type)]
    return out


def with_kernel():
    named = [t for t in op_names() if has_semantics(t)]
    return [t for t in named if find_kernel(t, AICPU, ["ND"] * 8) is not None]


@functools.cache
def shared(op):
    """numpy functions that both formulations of an operator reach and that decide a value."""
    kernel = find_kernel(op, AICPU, ["ND"] * 8)
    mine = reached(lookup(op), "ge_dialect.semantics")
    theirs = reached(kernel.function, "runtime.kernels")
    return (mine & theirs) - MOVES


#: Operators without a kernel, with where their independent formulation is.
ELSEWHERE = {
    "NonZero": "tests/ops/test_semantics_by_loops.py",
    "Where": "tests/ops/test_semantics_by_loops.py",
    "MaskedSelect": "tests/ops/test_semantics_by_loops.py",
    "Unique": "tests/ops/test_semantics_by_loops.py",
    "UniqueWithCounts": "tests/ops/test_semantics_by_loops.py",
    "UniqueWithCountsAndSorting": "tests/ops/test_semantics_by_loops.py",
    "HostUnique": "tests/ops/test_semantics_by_loops.py",
    "NonMaxSuppressionV3": "tests/ops/test_semantics_by_loops.py",
    "NonMaxSuppressionV6": "tests/ops/test_semantics_by_loops.py",
    "BroadcastGradientArgs": "tests/ops/test_semantics_shape_forms.py",
    "DynamicPartition": "tests/ops/test_semantics_index_forms.py",
    "DynamicStitch": "tests/ops/test_semantics_index_forms.py",
    "UniqueConsecutive": "tests/ops/test_semantics_index_forms.py",
    "Const": "holds what it is given",
    "Constant": "holds what it is given",
    "Data": "gives what it is given",
    "NetOutput": "gives what it is given",
    "RefData": "gives what it is given",
    "Variable": "holds what it is given",
    **dict.fromkeys(ROUTING, "tests/ops/test_semantics_switching.py"),
}


# ------------------------------------------------------------------------------- nothing is left


@pytest.mark.parametrize("op", with_kernel())
def test_what_both_formulations_call_has_a_third_one(op):
    assert shared(op) <= PLAIN


def test_operators_without_a_kernel_have_another_formulation():
    rest = [t for t in op_names() if has_semantics(t) and t not in with_kernel()]
    rest = [t for t in rest if not op_class(t).ge_table().graphs]  # bodies: runtime/test_loaded.py
    assert set(rest) <= set(ELSEWHERE), "give it a formulation of its own"
    root = Path(__file__).parents[2]
    for op, where in ELSEWHERE.items():
        if where.startswith("tests/"):
            assert op in (root / where).read_text(encoding="utf-8"), op


def test_how_many_share_what():
    counts = Counter(name for op in with_kernel() for name in shared(op))
    apart = sum(not shared(op) for op in with_kernel())
    print(
        f"{apart} of {len(with_kernel())} operators share no numpy function that decides a value;"
    )
    print("the others share", dict(counts.most_common()))
    assert apart > 100
