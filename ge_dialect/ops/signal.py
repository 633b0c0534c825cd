"""Signals: Fourier transforms and mel filters.

Not GE's: operators of the host engine for ONNX's DFT, STFT and MelWeightMatrix, whose parameters
are inputs. A complex number is a last axis of two, (re, im); of one where it is real.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.infer.dims import UNKNOWN, merge_dim, norm_axis, require_rank
from ge_dialect.infer.errors import SHAPE, SIZE
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import bool_, opt_tin, tin, tout, type_
from ge_dialect.ir.types import tensor_type
from ge_dialect.ops._bases import REAL

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode


def _positive(n: InferNode, name: str) -> int | None:
    """A size given as an input of one element, None where absent or unknown."""
    value = n.scalar(name) if n.has(name) else None
    if value is not None and value < 1:
        n.fail(f"{name} must be positive", found=value, expected="≥ 1", code=SIZE)
    return value


def _parts(n: InferNode, size: int, name: str = "x") -> None:
    if size not in (1, 2, UNKNOWN):
        n.fail(f"the last axis of {name} is no number", found=size, expected="1 or 2", code=SHAPE)


@ge_op
class HostDFT(GeOp):
    """Discrete Fourier transform of x along `axis` (default -2); the inverse divides by the length.

    x is cut or filled with zeros to `dft_length`. `onesided` keeps the first half of a forward
    transform, and takes such a half for a real inverse, whose length is 2·(in - 1) by default.
    """

    name = "ge.HostDFT"
    TYPES: ClassVar = {"T": REAL}

    x = tin("T")
    dft_length = opt_tin("IndexNumberType")
    axis = opt_tin("IndexNumberType")
    y = tout("T")
    inverse = bool_(False)
    onesided = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, length = n.shape("x"), _positive(n, "dft_length")
        inverse, onesided = n.attr("inverse"), n.attr("onesided")
        axis = n.scalar("axis") if n.has("axis") else -2
        if shape is None:
            return (tensor_type(None, n.elem("x")),)
        rank = len(shape)
        require_rank(shape, range(2, 64), "x")
        _parts(n, shape[-1])
        last = 1 if inverse and onesided else 2
        if axis is None:
            return (tensor_type((*(UNKNOWN,) * (rank - 1), last), n.elem("x")),)
        axis = norm_axis(axis, rank)
        if axis == rank - 1:
            n.fail("axis is that of real and imaginary parts", found=axis, expected="another one")
        if length is None and not n.has("dft_length"):
            length = shape[axis]
            if inverse and onesided and length >= 0:
                length = 2 * max(length - 1, 0)
            if length == 0:
                n.fail("the transform has no elements", found=0, expected="≥ 1", code=SIZE)
        size = UNKNOWN if length is None else length
        if onesided and not inverse and size >= 0:
            size = size // 2 + 1
        return (tensor_type((*shape[:axis], size, *shape[axis + 1 : -1], last), n.elem("x")),)


@ge_op
class HostSTFT(GeOp):
    """Fourier transforms of the frames of x [N, L, 1 or 2]: [N, frames, bins, 2].

    Frames start every `frame_step` elements, have `frame_length` (default: that of the window, else
    all of x), lie within x, and are weighted by `window`. `onesided` keeps half of the bins.
    """

    name = "ge.HostSTFT"
    TYPES: ClassVar = {"T": REAL}

    x = tin("T")
    frame_step = tin("IndexNumberType")
    window = opt_tin("T")
    frame_length = opt_tin("IndexNumberType")
    y = tout("T")
    onesided = bool_(True)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, window = n.shape("x"), n.shape("window")
        require_rank(shape, (2, 3), "x")
        require_rank(window, 1, "window")
        if shape is not None and len(shape) == 3:
            _parts(n, shape[2])
        step, length = _positive(n, "frame_step"), _positive(n, "frame_length")
        signal = UNKNOWN if shape is None else shape[1]
        if length is None:
            length = UNKNOWN
            if not n.has("frame_length"):
                length = signal if window is None and not n.has("window") else UNKNOWN
        if window is not None:
            length = merge_dim(length, window[0], "frame_length and window")
        if length == 0:
            n.fail("a frame has no elements", found=0, expected="≥ 1", code=SIZE)
        if signal >= 0 and length > signal:
            n.fail("a frame is longer than x", found=length, expected=f"≤ {signal}", code=SIZE)
        frames = UNKNOWN
        if step is not None and length >= 0 and signal >= 0:
            frames = 1 + (signal - length) // step
        bins = length // 2 + 1 if n.attr("onesided") and length >= 0 else length
        batch = UNKNOWN if shape is None else shape[0]
        return (tensor_type((batch, frames, bins, 2), n.elem("x")),)


@ge_op
class HostMelWeightMatrix(GeOp):
    """Triangular filters from the bins of a transform to mel bands: [dft_length / 2 + 1, bands].

    A frequency f is 2595·log10(1 + f / 700) mel; the bands' edges are equally spaced in mel and
    rounded down to bins.
    """

    name = "ge.HostMelWeightMatrix"

    num_mel_bins = tin("IndexNumberType")
    dft_length = tin("IndexNumberType")
    sample_rate = tin("IndexNumberType")
    lower_edge_hertz = tin(REAL)
    upper_edge_hertz = tin(REAL)
    y = tout("NumberType")
    dtype = type_("float32")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        bands, length = _positive(n, "num_mel_bins"), _positive(n, "dft_length")
        _positive(n, "sample_rate")
        for edge in ("lower_edge_hertz", "upper_edge_hertz"):
            if n.shape(edge) not in (None, (), (1,), (UNKNOWN,)):
                n.fail(f"{edge} must hold one value", found=n.shape(edge), expected="a scalar")
        rows = UNKNOWN if length is None else length // 2 + 1
        return (tensor_type((rows, UNKNOWN if bands is None else bands), n.attr("dtype")),)
