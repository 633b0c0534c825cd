"""Kernels about shapes: copies under another shape, transposition, shape values."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runtime.kernels.refusal import Refusal
from runtime.kernels.registry import Call, kernel
from runtime.kernels.views import logical, store, wide


@kernel(
    "Reshape",
    "Flatten",
    "Squeeze",
    "SqueezeV3",
    "Unsqueeze",
    "UnsqueezeV3",
    "ExpandDims",
)
def reshape(call: Call) -> None:
    """The same elements in row-major order under the shape of the result."""
    out = call.outs[0]
    store(out, np.ascontiguousarray(logical(call.arg(0))).reshape(out.shape))


@kernel("Identity", "Reinterpret", layouts="*")
def identity(call: Call) -> None:
    """A copy of the input."""
    x, y = call.arg(0), call.outs[0]
    if x.data.shape == y.data.shape and x.format == y.format:
        y.data[...] = x.data
    else:
        store(y, np.ascontiguousarray(logical(x)).reshape(y.shape))


def _transpose(call: Call, perm: Sequence[int]) -> None:
    store(call.outs[0], logical(call.arg(0)).transpose(tuple(perm)))


@kernel("Transpose")
def transpose(call: Call) -> None:
    """Permute axes by a tensor."""
    _transpose(call, call.ints(1))


@kernel("TransposeD")
def transpose_d(call: Call) -> None:
    """Permute axes by an attribute."""
    _transpose(call, call.attrs["perm"])


@kernel("Shape", layouts="*")
def shape(call: Call) -> None:
    """The logical shape of x."""
    call.outs[0].data[...] = np.array(call.arg(0).shape).reshape(call.outs[0].data.shape)


@kernel("Size", layouts="*")
def size(call: Call) -> None:
    """The number of logical elements of x."""
    call.outs[0].data[...] = int(np.prod(call.arg(0).shape, dtype=np.int64))


@kernel("Rank", layouts="*")
def rank(call: Call) -> None:
    """The number of axes of x."""
    call.outs[0].data[...] = len(call.arg(0).shape)


@kernel("Assert")
def assert_(call: Call) -> None:
    """Nothing, or an error."""
    if not call.arg(0).data.any():
        most = int(call.attrs.get("summarize", 3))
        shown = [
            wide(logical(v)).reshape(-1)[: most if most >= 0 else None].tolist()
            for v in call.flat()[1:]
        ]
        raise Refusal(
            "an assertion does not hold",
            code="GX-252",
            found="a false condition, and " + (" ".join(map(str, shown)) or "no data"),
            expected="a true condition",
            hint="the graph itself checks its values here: look at what computes the condition",
        )


@kernel("NoOp", layouts="*")
def nothing(call: Call) -> None:
    """No result."""


@kernel("Print")
def print_(call: Call) -> None:
    """Hand the text of the inputs to the host."""
    texts = [np.array2string(wide(logical(v)), threshold=64, separator=", ") for v in call.flat()]
    call.printed.append((call.node_id, " ".join(texts)))
