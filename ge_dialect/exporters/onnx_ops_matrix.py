"""ONNX exports: matrix products."""

from __future__ import annotations

from ge_dialect.dtypes import is_float
from ge_dialect.exporters.onnx_node import Out
from ge_dialect.exporters.onnx_rules import Results, export
from ge_dialect.exporters.onnx_values import NoCounterpart, Val
from ge_dialect.ir.types import elem_of


def _operands(n: Out) -> tuple[Val, Val]:
    """Both operands; narrow integers as int32, because their product is."""
    if n.has(3):
        raise NoCounterpart("offset_w is reserved")
    a, b = n.x(0), n.x(1)
    if not n.is_float():
        wide = elem_of(n.result())
        a, b = (
            n.cast(a, "int32" if is_float(wide) else wide),
            n.cast(b, "int32" if is_float(wide) else wide),
        )
        if n.attrs.get("offset_x"):
            a = n.emit("Sub", [a, n.like(n.attrs["offset_x"], a, "offset")])
    return a, b


def _turned(n: Out, x: Val, index: int, flag: bool, role: str) -> Val:
    if not flag:
        return x
    rank = n.rank(index)
    return n.transpose(x, [*range(rank - 2), rank - 1, rank - 2], role)


def _with_bias(n: Out, y: Val) -> Val:
    if not n.has(2):
        return y
    return n.emit("Add", [y, n.cast(n.x(2), y.elem)])


@export("MatMul", "MatMulV2", "MatMulV3")
def mat_mul(n: Out) -> Results:
    """MatMul; Gemm where an operand is transposed or there is a bias."""
    first, second = n.attrs["transpose_x1"], n.attrs["transpose_x2"]
    a, b = _operands(n)
    complex_ = n.dtype().startswith("complex")
    if not (first or second or n.has(2)) or complex_:
        if complex_ and (first or second or n.has(2)):
            raise NoCounterpart("complex products with transposes or bias")
        return n.emit("MatMul", [a, b])
    bias = n.cast(n.x(2), a.elem) if n.has(2) else None
    return n.emit("Gemm", [a, b, bias], transA=int(first) or None, transB=int(second) or None)


@export("BatchMatMul", "BatchMatMulV2", "BatchMatMulV3")
def batch_mat_mul(n: Out) -> Results:
    """MatMul, behind Transposes where asked for, before Add of a bias."""
    a, b = _operands(n)
    a = _turned(n, a, 0, n.attrs["adj_x1"], "Adjoint1")
    b = _turned(n, b, 1, n.attrs["adj_x2"], "Adjoint2")
    return _with_bias(n, n.emit("MatMul", [a, b]))


@export("Einsum")
def einsum(n: Out) -> Results:
    """Einsum."""
    return n.emit("Einsum", n.xs(), equation=n.attrs["equation"])
