"""Every kernel against the golden function of its operator, on drawn applications.

The draw is that of `tests/ops/test_infer_vs_execution.py`: attribute sets, ranks, absent inputs and
all dtypes with a size in memory. Kernels and golden functions are two formulations; where both rest
on one numpy call, `test_independent_references.py` adds a third.
"""

from __future__ import annotations

import warnings
import zlib
from random import Random

import ml_dtypes
import numpy as np
import pytest

from ge_dialect.diagnostics import GeError
from ge_dialect.dtypes import numpy_dtype, to_xdsl
from ge_dialect.ir.types import elem_of
from ge_dialect.ops.registry import op_family, op_names
from ge_dialect.semantics.numerics import finish, kind
from ge_dialect.semantics.registry import has_semantics
from passes.testing.applications import (
    Operand,
    accepts,
    applications,
    arrays,
    full_attrs,
    golden,
)
from runtime.executor import run_kernel
from runtime.kernels.registry import AICPU, Call, View, find_kernel
from runtime.kernels.views import logical

SEED = 9
FEW, FULL, NIGHTLY = 2, 40, 1500

#: What is left out, with what covers it instead.
NOT_DRAWN = {
    "Const": "weights are memory that is there when the model is loaded",
    "Constant": "weights are memory that is there when the model is loaded",
    "Data": "inputs are memory that is there when the model runs",
    "RefData": "variables are memory that outlives a run",
    "Variable": "variables are memory that outlives a run",
    "NetOutput": "outputs are memory that is read after the run",
    "If": "bodies are streams of their own: test_loaded.py",
    "While": "bodies are streams of their own: test_loaded.py",
    "PartitionedCall": "bodies are inlined",
    **dict.fromkeys(
        ("PrintV2", "StringLength"), "strings have no size in memory: test_semantics_strings.py"
    ),
}
#: Absolute differences between the formulations, beside the last digits.
SLACK = {
    "GeluV2": (1e-12, "by the kernel's erf"),
    "GeGluV2": (1e-12, "by the kernel's erf"),
}
#: Integers that may differ by so much.
OFF_BY_ONE = {"Resize": (1, "halves between two integers round either way")}
#: Inputs that are sorted by definition.
SORTED = {"MoeComputeExpertTokens": 0}
#: Beginnings of names of lengths of samples, of which only some are within what there is.
LENGTHS = ("actual_seq",)
#: Operators that few applications run of, with how many at least.
SELDOM = {"ControlTrigger": 1, "HcomReceive": 0, "HcomSend": 0, "NoOp": 1, "Print": 1, "Rank": 1}
#: Beginnings of names of hyper-parameters, which are shares.
FRACTIONS = ("beta", "epsilon", "lr", "momentum", "rho", "weight_decay", "dampening")
#: Families whose functions leave no choice of the order in which infinities meet. In sums of
#: products (normalisation, attention, interpolation) one formulation has inf - inf, another inf.
ONE_FORMULA = frozenset(
    "activation bits broadcast data_movement elementwise indexing rearrange reduce running "
    "selection shape sorting".split()
)
_ERRORS = (GeError, ValueError, IndexError, OverflowError, ZeroDivisionError)


def ops():
    """Operators with a kernel (`test_kernels_golden.py` says which have none)."""
    named = [t for t in op_names() if has_semantics(t) and t not in NOT_DRAWN]
    return [t for t in named if find_kernel(t, AICPU, ["ND"] * 8) is not None]


def view(array):
    return View(np.array(array), np.shape(array), None)


def launch(app, args, types, results):
    """Results of the kernel on memory that holds rubbish where it is to write."""
    slots = [
        None if a is None else [view(x) for x in a] if isinstance(a, list) else view(a)
        for a in args
    ]
    outs = []
    for type_, value in zip(types, results, strict=True):
        out = np.empty(np.shape(value), numpy_dtype(elem_of(type_)))
        out.reshape(-1).view(np.uint8)[...] = 0xFF
        outs.append(View(out, out.shape, None))
    found = find_kernel(app.op, AICPU, ["ND"] * (len(outs) + len(app.operands())))
    assert found is not None, app.op
    call = Call(slots, outs, full_attrs(app), node_id="node")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if found.prepare is not None:
            found.prepare(call)
        run_kernel(found.function, call, app.op, "node")
    return [logical(o) for o in outs]


def digits(app, out):
    """The coarsest spacing of numbers near 1 that an operand or the result is computed with."""
    found = [float(np.finfo(np.float64).eps)]
    for dtype in (out, *(numpy_dtype(to_xdsl(o.dtype)) for _, _, o in app.operands())):
        if kind(dtype) in "fc":
            wide = np.float64 if dtype in (np.float64, np.complex128) else np.float32
            found.append(float(np.finfo(wide).eps))
    return max(found)


def within(args):
    """The largest number among the inputs: what cancels was of that size."""
    flat = [x for a in args for x in (a if isinstance(a, list) else [a]) if x is not None]
    found = [
        np.abs(x.astype(np.complex128)).max() for x in flat if x.size and kind(x.dtype) in "fc"
    ]
    return min(max(found, default=0.0), 4.0)


def compare(got, want, app, args, where):
    """Integers are equal; floats are, up to the last digits of the largest one."""
    assert got.dtype == want.dtype, where
    assert got.shape == want.shape, where
    k = kind(want.dtype)
    if k not in "fc":
        apart = np.abs(got.astype(np.float64) - want.astype(np.float64))
        assert (apart <= OFF_BY_ONE.get(app.op, (0, ""))[0]).all(), f"{where}: {got}, not {want}"
        return
    whole = np.complex128 if k == "c" else np.float64
    a, b = got.astype(whole), want.astype(whole)
    if k == "f":
        np.testing.assert_array_equal(np.isnan(a), np.isnan(b), err_msg=where)
        endless = np.isinf(a) | np.isinf(b)
        np.testing.assert_array_equal(a[endless], b[endless], err_msg=where)
    else:  # one infinite or lost part leaves the other without meaning
        np.testing.assert_array_equal(np.isfinite(a), np.isfinite(b), err_msg=where)
    good = np.isfinite(a) & np.isfinite(b)
    if good.any():
        rounding = 2 * float(ml_dtypes.finfo(want.dtype).eps) if want.dtype.itemsize < 4 else 0.0
        largest = max(np.abs(b[good]).max(), 1e-30)
        tol = rounding * largest + 64 * digits(app, want.dtype) * max(largest, within(args))
        worst = np.abs(a[good] - b[good]).max()
        assert worst <= tol + SLACK.get(app.op, (0.0, ""))[0], f"{where}: {worst} apart, of {tol}"


def special(array, random):
    """The array with NaN, infinities and negative zeros in some places."""
    if array is None or isinstance(array, list) or array.dtype.kind != "f":
        return array
    flat = array.reshape(-1).copy()
    for _ in range(1 + flat.size // 8 if flat.size else 0):
        flat[random.randrange(flat.size)] = random.choice((np.nan, np.inf, -np.inf, -0.0))
    return flat.reshape(array.shape)


def check_op(op, count, salt=0, specials=False):
    """Compare both on some applications; how many were compared."""
    random, compared = Random(zlib.crc32(op.encode()) + salt), 0
    for app in applications(op, SEED + salt, count):
        inferred = accepts(app)
        assert inferred is not None
        if any(o.dtype == "string" for _, _, o in app.operands()):
            continue  # strings have no size in memory
        args = arrays(app, random.getrandbits(20))
        if app.op == "Assign" and args[0].shape != args[1].shape:
            continue  # refused: the memory of a variable has one size
        if specials:
            free = [not isinstance(a, Operand) or a.values is None for a in app.args]
            args = [special(a, random) if f else a for a, f in zip(args, free, strict=True)]
        if app.op in SORTED:
            args[SORTED[app.op]].sort()
        for i, slot in enumerate(app.table.inputs):
            if slot.name.startswith(LENGTHS) and args[i] is not None:
                args[i] = np.ones_like(args[i])
            if slot.name.startswith(FRACTIONS) and args[i] is not None and args[i].size == 1:
                args[i] = np.full(args[i].shape, random.uniform(0.1, 0.9)).astype(args[i].dtype)
        try:
            raw = golden(app, arrays_copy(args), inferred.types)
        except _ERRORS:
            continue  # values out of range: test_infer_vs_execution.py looks at these
        want = [
            finish(r, numpy_dtype(elem_of(t))) for r, t in zip(raw, inferred.types, strict=True)
        ]
        got = launch(app, args, inferred.types, want)
        for i, (a, b) in enumerate(zip(got, want, strict=True)):
            compare(a, b, app, args, f"{app}: result {i}")
        compared += 1
    return compared


def arrays_copy(args):
    return [
        None if a is None else [x.copy() for x in a] if isinstance(a, list) else a.copy()
        for a in args
    ]


@pytest.mark.parametrize("op", ops())
def test_kernel_and_golden_function_agree(op):
    check_op(op, FEW)


@pytest.mark.full
@pytest.mark.parametrize("op", ops())
def test_kernel_and_golden_function_agree_often(op):
    compared = check_op(op, FULL, 1)
    print(op, compared)
    assert compared >= SELDOM.get(op, 8)


@pytest.mark.full
@pytest.mark.parametrize("op", [t for t in ops() if op_family(t) in ONE_FORMULA])
def test_special_values(op):
    check_op(op, 20, 3, specials=True)


@pytest.mark.nightly
@pytest.mark.parametrize("op", ops())
def test_kernel_and_golden_function_agree_by_the_thousand(op):
    print(op, check_op(op, NIGHTLY, 2))


def test_what_is_left_out_is_in_the_library():
    for op, reason in NOT_DRAWN.items():
        assert has_semantics(op), op
        assert reason
