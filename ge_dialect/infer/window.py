"""Output sizes of sliding windows: convolution and pooling."""

from __future__ import annotations

from collections.abc import Sequence

from ge_dialect.infer.dims import UNKNOWN
from ge_dialect.infer.errors import ATTR, LENGTH, SIZE, InferError

SPATIAL = {"NCHW": (2, 3), "NHWC": (1, 2), "NCDHW": (2, 3, 4), "NDHWC": (1, 2, 3)}
"""Positions of the spatial axes by format."""
CHANNEL = {"NCHW": 1, "NHWC": 3, "NCDHW": 1, "NDHWC": 4}


def spatial_axes(data_format: str, formats: Sequence[str] = ("NCHW", "NHWC")) -> tuple[int, ...]:
    """Positions of the spatial axes; an error for a format not in `formats`."""
    if data_format not in formats:
        raise InferError(
            "data_format is not supported",
            found=data_format,
            expected=" or ".join(formats),
            code=ATTR,
        )
    return SPATIAL[data_format]


def require_length(values: Sequence[object], n: int | Sequence[int], what: str) -> None:
    """An error unless `values` has `n` (or one of `n`) entries."""
    allowed = (n,) if isinstance(n, int) else tuple(n)
    if len(values) not in allowed:
        raise InferError(
            f"{what} has the wrong number of entries",
            found=f"{len(values)} ({list(values)})",
            expected=" or ".join(map(str, allowed)),
            code=LENGTH,
        )


def require_positive(values: Sequence[int], what: str) -> None:
    """An error unless all entries are at least 1."""
    for v in values:
        if v < 1:
            raise InferError(
                f"{what} must be positive", found=list(values), expected="entries ≥ 1", code=ATTR
            )


def require_at_least_zero(values: Sequence[int], what: str) -> None:
    """An error unless no entry is negative."""
    for v in values:
        if v < 0:
            raise InferError(
                f"{what} must not be negative",
                found=list(values),
                expected="entries ≥ 0",
                code=ATTR,
            )


def window_output(
    size: int,
    kernel: int,
    stride: int,
    pad_before: int,
    pad_after: int,
    dilation: int = 1,
    ceil_mode: bool = False,
    what: str = "window",
) -> int:
    """Number of window positions along one axis, -1 when the size or the kernel is unknown.

    floor((size + pads - ((kernel - 1) * dilation + 1)) / stride) + 1. In ceil mode the division
    rounds up, but a last window that would start in the padding behind the data is dropped
    (PyTorch's and ONNX's rule). A window larger than the padded axis is an error; an axis of
    size 0 has no window that touches data and is refused the same way unless padding covers it.
    """
    if kernel == 0:
        raise InferError(f"the {what} is empty", found=0, expected="at least 1 element", code=SIZE)
    if size < 0 or kernel < 0:
        return UNKNOWN
    room = size + pad_before + pad_after - (kernel - 1) * dilation - 1
    if room < 0:
        raise InferError(
            f"the {what} is larger than the padded input",
            found=f"extent {(kernel - 1) * dilation + 1} over {size} + {pad_before} + {pad_after}",
            expected=f"at most {size + pad_before + pad_after}",
            code=SIZE,
        )
    if not ceil_mode:
        return room // stride + 1
    out = -(-room // stride) + 1
    if (out - 1) * stride >= size + pad_before:
        out -= 1
    return out


def same_output(size: int, stride: int) -> int:
    """Output size of SAME padding: ceil(size / stride), -1 when unknown."""
    return UNKNOWN if size < 0 else -(-size // stride)


def same_pads(
    size: int, kernel: int, stride: int, dilation: int = 1, lower: bool = False
) -> tuple[int, int]:
    """Padding before and after an axis that gives ceil(size / stride) windows.

    The odd element goes behind (SAME_UPPER) unless `lower`.
    """
    extent = (kernel - 1) * dilation + 1
    total = max((-(-size // stride) - 1) * stride + extent - size, 0)
    small = total // 2
    return (total - small, small) if lower else (small, total - small)
