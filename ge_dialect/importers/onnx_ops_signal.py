"""ONNX rules: Fourier transforms, mel filters, determinants."""

from __future__ import annotations

from ge_dialect.dtypes import to_xdsl
from ge_dialect.importers.onnx_node import Node
from ge_dialect.importers.onnx_reader import dtype_name
from ge_dialect.importers.onnx_rules import Outputs, rule


@rule("DFT", "17")
def dft_17(n: Node) -> Outputs:
    """HostDFT; the axis is an attribute."""
    axis = n.constant(n.int("axis", 1), "axis")
    return n.emit("HostDFT", [n.x(0), n.optional(1), axis], _transform(n))


@rule("DFT", "20")
def dft_20(n: Node) -> Outputs:
    """HostDFT; the axis is an input."""
    return n.emit("HostDFT", [n.x(0), n.optional(1), n.optional(2)], _transform(n))


def _transform(n: Node) -> dict[str, bool]:
    return {k: bool(n.int(k, 0)) for k in ("inverse", "onesided")}


@rule("STFT", "17")
def stft(n: Node) -> Outputs:
    """HostSTFT."""
    inputs = [n.x(0), n.x(1), n.optional(2), n.optional(3)]
    return n.emit("HostSTFT", inputs, {"onesided": bool(n.int("onesided", 1))})


@rule("MelWeightMatrix", "17")
def mel_weight_matrix(n: Node) -> Outputs:
    """HostMelWeightMatrix."""
    dtype = to_xdsl(dtype_name(n.int("output_datatype", 1)))
    return n.emit("HostMelWeightMatrix", [n.x(i) for i in range(5)], {"dtype": dtype})


@rule("Det", "11 22")
def det(n: Node) -> Outputs:
    """MatrixDeterminant."""
    return n.emit("MatrixDeterminant", [n.x(0)])
