"""Every kernel against the golden function of its operator on inputs with NaN, infinities and -0.

`docs/numerics.md`, "NaN, infinities, zeros", says what they mean. A finite input may be so large
that an intermediate leaves the working dtype: there, and only there, the result may also be that of
float64.
"""

from __future__ import annotations

import zlib
from random import Random

import ml_dtypes
import numpy as np
import pytest

from ge_dialect.dtypes import numpy_dtype
from ge_dialect.ir import op_class
from ge_dialect.ir.types import elem_of
from ge_dialect.semantics.numerics import cast, finish, kind
from passes.testing.applications import accepts, applications, arrays, golden
from tests.runtime import test_kernels_golden_drawn as drawn

SEED = 77
FEW, FULL = 2, 40
SPECIAL = (np.nan, np.inf, -np.inf, -0.0, 1e30)
LARGE = 1e9
#: Inputs that stay finite, with the reason.
SPARED = {
    ("ROIAlign", "rois"): "boxes that are not finite are refused: test_non_finite_by_definition.py",
    ("ROIPooling", "rois"): "boxes that are not finite are refused",
    ("PSROIPooling", "rois"): "boxes that are not finite are refused",
    ("PSROIPoolingV2", "rois"): "boxes that are not finite are refused",
}
#: Operators that refuse most of these inputs, with what is refused.
REFUSING = {
    "HcomSend": "sends to nobody",
    "HostMelWeightMatrix": "edges that are no frequencies",
    "MultinomialWithReplacement": "weights that are not finite",
    "Range": "ends without a number of steps",
}
#: Operators whose complex inputs stay finite, with the reason.
SPARED_COMPLEX = {
    "Atanh": "libraries differ in the parts of a function of an infinite complex number",
    "Sigmoid": "the quotient of infinite complex numbers is 0 by limit, NaN by parts",
}


def poisoned(app, args, random):
    """Puts special values into inputs of real and complex numbers; whether there was a place."""
    kinds = "f" if app.op in SPARED_COMPLEX else "fc"
    hit = False
    for name, slot in zip((s.name for s in app.table.inputs), args, strict=True):
        for a in slot if isinstance(slot, list) else [slot]:
            if a is None or not a.size or kind(a.dtype) not in kinds or (app.op, name) in SPARED:
                continue
            flat = a.reshape(-1)
            for _ in range(random.choice((1, 1, 2))):
                value = random.choice(SPECIAL)
                if kind(a.dtype) == "c":  # no large parts: their products cancel
                    value = complex(random.choice(SPECIAL[:-1]), random.choice((0.0, 1.0, np.inf)))
                with np.errstate(all="ignore"):
                    flat[random.randrange(flat.size)] = np.array(value).astype(a.dtype)
            hit = True
    return hit


def _flat(args):
    return [a for s in args for a in (s if isinstance(s, list) else [s]) if a is not None]


def is_large(args):
    """Whether a finite input is so large that its powers may leave float32."""
    for a in _flat(args):
        if kind(a.dtype) == "f":
            wide = np.abs(a.astype(np.float64))
            if (wide[np.isfinite(wide)] > LARGE).any():
                return True
    return False


def in_double(app, args, types):
    """The golden function with every float in float64."""

    def wide(a):
        if a is None or isinstance(a, list):
            return a if a is None else [wide(x) for x in a]
        return a.astype(np.float64) if kind(a.dtype) == "f" else a.copy()

    return golden(app, [wide(a) for a in args], types, np.float64)


def rounded(value, dtype):
    """`finish`, for results of another kind as a cast."""
    with np.errstate(all="ignore"):
        return cast(np.asarray(value), dtype) if kind(dtype) == "f" else finish(value, dtype)


def agreeing(app, got, want, large):
    """Where both have the same NaN, the same infinity, or finite numbers as near as rounding goes.

    Numbers that are left beside very large ones are not compared. Integers may be one apart where
    a float was rounded to them.
    """
    k = kind(want.dtype)
    if k not in "fc":
        return np.abs(got.astype(np.float64) - want.astype(np.float64)) <= 1
    whole = np.complex128 if k == "c" else np.float64
    a, b = got.astype(whole), want.astype(whole)
    both = np.isfinite(a) & np.isfinite(b)
    near = both
    if not large and both.any():
        rounding = 2 * float(ml_dtypes.finfo(want.dtype).eps) if want.dtype.itemsize < 4 else 0.0
        largest = np.abs(b[both]).max()
        tol = rounding * largest + 64 * drawn.digits(app, want.dtype) * max(largest, 4.0)
        with np.errstate(invalid="ignore"):  # infinity from infinity, which `both` leaves out
            near = both & (np.abs(a - b) <= tol + drawn.SLACK.get(app.op, (0.0, ""))[0])
    if k == "c":  # one infinite or lost part leaves the other without meaning
        return near | ~(np.isfinite(a) | np.isfinite(b))
    return near | (np.isnan(a) & np.isnan(b)) | ((a == b) & ~both)


def differences(op, count):
    """Where kernel and golden function disagree, and how many were compared, of how many."""
    random, found, compared, tried = Random(zlib.crc32(op.encode())), [], 0, 0
    for app in applications(op, SEED, count):
        inferred = accepts(app)
        assert inferred is not None
        if any(o.dtype == "string" for _, _, o in app.operands()):
            continue
        args = arrays(app, random.getrandbits(20))
        if app.op == "Assign" and args[0].shape != args[1].shape:
            continue
        if app.op in drawn.SORTED:
            args[drawn.SORTED[app.op]].sort()
        if not poisoned(app, args, random):
            continue
        tried += 1
        try:
            raw = golden(app, drawn.arrays_copy(args), inferred.types)
        except drawn._ERRORS:
            continue  # refused
        dtypes = [numpy_dtype(elem_of(t)) for t in inferred.types]
        want = [finish(r, t) for r, t in zip(raw, dtypes, strict=True)]
        compared += 1
        try:
            got = drawn.launch(app, drawn.arrays_copy(args), inferred.types, want)
        except drawn._ERRORS as error:
            found.append(f"{app}: {error!r}")
            continue
        large = is_large(args)
        wide = in_double(app, args, inferred.types) if large else None
        for i, (a, b) in enumerate(zip(got, want, strict=True)):
            good = agreeing(app, a, b, large)
            if wide is not None:
                good |= agreeing(app, a, rounded(wide[i], dtypes[i]), large)
            if not good.all():
                bad = ~good
                found.append(f"{app}: result {i}: {a[bad][:8]}, not {b[bad][:8]}; {args}")
                break
    return found, compared, tried


@pytest.mark.parametrize("op", drawn.ops())
def test_non_finite_values_stand_in_the_same_places(op):
    found, _, _ = differences(op, FEW)
    assert not found, found[0]


@pytest.mark.full
@pytest.mark.parametrize("op", drawn.ops())
def test_non_finite_values_stand_in_the_same_places_often(op):
    found, compared, tried = differences(op, FULL)
    print(op, compared, tried)
    assert not found, f"{len(found)} of {compared}: {found[0]}"
    assert 3 * compared >= tried or op in REFUSING


def test_what_is_spared_is_in_the_library():
    for op, name in SPARED:
        assert name in [s.name for s in op_class(op).ge_table().inputs]
    assert {*SPARED_COMPLEX, *REFUSING} <= set(drawn.ops())
