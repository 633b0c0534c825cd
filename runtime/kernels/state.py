"""Kernels on variables: the first input is the variable's own memory."""

from __future__ import annotations

import numpy as np

from runtime.kernels.refusal import Refusal
from runtime.kernels.registry import Call, View, kernel
from runtime.kernels.views import logical, store


def _shares(a: View, b: View) -> bool:
    return a.data.size > 0 and bool(np.shares_memory(a.data, b.data))


def _update(call: Call, value: np.ndarray) -> None:
    ref = call.arg(0)
    store(ref, value)
    for out in call.outs:
        # The ref output is the variable itself unless the plan gave it memory of its own.
        if not _shares(out, ref):
            out.data[...] = ref.data.reshape(out.data.shape)


@kernel("Assign", layouts="*")
def assign(call: Call) -> None:
    """Overwrite a variable."""
    value = logical(call.arg(1))
    if value.shape != call.arg(0).shape:
        # golden semantics let a variable change its shape; memory is planned once
        raise Refusal(
            "a variable in memory cannot take a value of another shape",
            code="GX-221",
            found=value.shape,
            expected=call.arg(0).shape,
        )
    _update(call, value.copy())


@kernel("AssignAdd", layouts="*")
def assign_add(call: Call) -> None:
    """Add to a variable."""
    _update(call, logical(call.arg(0)) + logical(call.arg(1)))


@kernel("AssignSub", layouts="*")
def assign_sub(call: Call) -> None:
    """Subtract from a variable."""
    _update(call, logical(call.arg(0)) - logical(call.arg(1)))


@kernel("Read", layouts="*")
def read(call: Call) -> None:
    """The value of a variable at this point."""
    x, y = call.arg(0), call.outs[0]
    if x.data.shape == y.data.shape and x.format == y.format:
        y.data[...] = x.data
    else:
        store(y, logical(x))


@kernel("ScatterUpdate")
def scatter_update(call: Call) -> None:
    """Replace rows of a variable, one by one."""
    value = logical(call.arg(0)).copy()
    indices = call.ints(1)
    outside = [i for i in indices if not 0 <= i < len(value)]
    if outside:
        expected = f"0 … {len(value) - 1}"
        raise Refusal("an index lies outside the axis", found=outside[0], expected=expected)
    rows = logical(call.arg(2)).reshape(len(indices), *value.shape[1:])
    for index, row in zip(indices, rows, strict=True):
        value[index] = row
    _update(call, value)
