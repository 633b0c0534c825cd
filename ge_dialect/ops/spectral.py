"""Fourier transforms of complex numbers, as TensorFlow has them under the same names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.infer.dims import require_rank
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import tin, tout

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode


class _LastAxis(GeOp):
    """A transform along the last axis."""

    x = tin("T")
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        require_rank(n.shape("x"), range(1, 64), "x")
        return (n.logical("x"),)


@ge_op
class FFT(_LastAxis):
    """y_k = sum over j of x_j · exp(-2πi·j·k / n) along the last axis, of n numbers."""

    name = "ge.FFT"
    TYPES: ClassVar = {"T": "complex64, complex128"}


@ge_op
class IFFT(_LastAxis):
    """y_j = sum over k of x_k · exp(2πi·j·k / n) / n along the last axis: FFT undone."""

    name = "ge.IFFT"
    TYPES: ClassVar = {"T": "complex64, complex128"}


@ge_op
class FFT2D(GeOp):
    """FFT along the last axis, and along the one before it."""

    name = "ge.FFT2D"
    TYPES: ClassVar = {"T": "complex64, complex128"}

    x = tin("T")
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        require_rank(n.shape("x"), range(2, 64), "x")
        return (n.logical("x"),)
