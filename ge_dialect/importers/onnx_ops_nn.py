"""ONNX rules: matrix products, dropout; the windows of convolutions and pools."""

from __future__ import annotations

import math
from collections.abc import Sequence

from xdsl.ir import SSAValue

from ge_dialect.dtypes import is_float, to_xdsl
from ge_dialect.importers.onnx_graph import Refused
from ge_dialect.importers.onnx_node import Node
from ge_dialect.importers.onnx_ops_math import scalar_like
from ge_dialect.importers.onnx_rules import Outputs, rule
from ge_dialect.ir.types import elem_of, shape_of, tensor_type

# --- matrix products -------------------------------------------------------------------------


@rule("MatMul", "1 9 13")
def matmul(n: Node) -> Outputs:
    """Two matrices are MatMulV2, stacks BatchMatMulV2; a vector is lent a dim of one.

    An operand of unknown rank is taken for a stack.
    """
    a, b = n.x(0), n.x(1)
    shapes = [n.shape(0), n.shape(1)]
    ranks = [3 if s is None else len(s) for s in shapes]
    if None in shapes and min(ranks) == 1:
        raise Refused("a vector times an operand of unknown rank is not supported")
    if 0 in ranks:
        raise Refused("an operand is a scalar", "GX-333")
    dropped = []
    if ranks[0] == 1:
        a = n.emit("Unsqueeze", [a], {"axes": [0]}, role="Row")
        dropped.append(-2)
    if ranks[1] == 1:
        b = n.emit("Unsqueeze", [b], {"axes": [1]}, role="Column")
        dropped.append(-1)
    role = "Product" if dropped else None
    if max(ranks) <= 2:
        y = n.emit("MatMulV2", [a, b], role=role)
    else:
        y = n.emit("BatchMatMulV2", [a, b], role=role)
    if not dropped:
        return y
    rank = len(shape_of(y.type) or ())
    return n.emit("Squeeze", [y], {"axis": sorted(rank + d for d in dropped)})


@rule("Gemm", "7 9 11 13")
def gemm(n: Node) -> Outputs:
    """`alpha * A' B' + beta * C`; a C of one row without scaling is the product's bias."""
    alpha, beta = n.float("alpha", 1.0), n.float("beta", 1.0)
    a, b = n.x(0), n.x(1)
    attrs = {"transpose_x1": bool(n.int("transA", 0)), "transpose_x2": bool(n.int("transB", 0))}
    c = n.optional(2)
    if c is None or beta == 0:
        if alpha == 1:
            return n.emit("MatMulV2", [a, b], attrs)
        return _scaled(n, n.emit("MatMulV2", [a, b], attrs, role="Product"), alpha, None)
    columns = (shape_of(b.type) or (-1, -1))[0 if attrs["transpose_x2"] else 1]
    if alpha == beta == 1 and columns > 0 and shape_of(c.type) == (columns,):
        return n.emit("MatMulV2", [a, b, c], attrs)
    y = n.emit("MatMulV2", [a, b], attrs, role="Product")
    y = _scaled(n, y, alpha, "Alpha")
    return n.emit("Add", [y, _scaled(n, c, beta, "Beta")])


def _scaled(n: Node, x: SSAValue, factor: float, role: str | None) -> SSAValue:
    if factor == 1:
        return x
    if is_float(elem_of(x.type)):
        return n.emit("Muls", [x], {"value": factor}, role=role)
    return n.emit("Mul", [x, scalar_like(n, factor, x, f"{role or 'scale'}_value")], role=role)


# --- windows ---------------------------------------------------------------------------------


def window_pads(
    n: Node,
    spatial: Sequence[int],
    kernel: Sequence[int],
    strides: Sequence[int],
    dilations: Sequence[int],
) -> list[tuple[int, int]]:
    """(before, after) padding of each spatial dim from `pads` or `auto_pad`.

    SAME_UPPER puts an odd element of padding after, SAME_LOWER before; both need the input's
    spatial dims.
    """
    rank = len(kernel)
    mode = n.string("auto_pad", "NOTSET")
    if mode in ("NOTSET", ""):
        pads = n.int_list("pads") or [0] * (2 * rank)
        if len(pads) != 2 * rank:
            raise Refused(f"pads has {len(pads)} entries for {rank} spatial dims", "GX-333")
        if min(pads) < 0:
            raise Refused("negative pads are not supported")
        return [(pads[i], pads[i + rank]) for i in range(rank)]
    if mode == "VALID":
        return [(0, 0)] * rank
    if mode not in ("SAME_UPPER", "SAME_LOWER"):
        raise Refused(f"auto_pad = {mode} is unknown", "GX-333")
    out = []
    for size, k, s, d in zip(spatial, kernel, strides, dilations, strict=True):
        if size < 0:
            raise Refused(f"auto_pad = {mode} needs known spatial dims")
        total = max((math.ceil(size / s) - 1) * s + (k - 1) * d + 1 - size, 0)
        small, large = total // 2, total - total // 2
        out.append((small, large) if mode == "SAME_UPPER" else (large, small))
    return out


def spatial_list(n: Node, name: str, rank: int) -> list[int]:
    """A per-dim attribute (strides, dilations), ones where not given."""
    found = n.int_list(name) or [1] * rank
    if len(found) != rank or min(found) < 1:
        raise Refused(f"{name} = {found} does not fit {rank} spatial dims", "GX-333")
    return found


# --- dropout ---------------------------------------------------------------------------------


@rule("Dropout", "7 10")
def dropout_7(n: Node) -> Outputs:
    """Inference: the input itself, and a mask that keeps everything."""
    return _dropout(n)


@rule("Dropout", "12 13 22")
def dropout(n: Node) -> Outputs:
    """Inference: Identity, and a mask that keeps everything; else see `training_dropout`."""
    training = n.const(2)
    if n.has(2) and (training is None or training.any()):
        from ge_dialect.importers.onnx_ops_random import training_dropout

        return training_dropout(n)
    return _dropout(n)


def _dropout(n: Node) -> Outputs:
    x = n.x(0)
    y = n.emit("Identity", [x])
    if not n.wants(1):
        return [y]
    elem = elem_of(x.type) if n.since < 10 else to_xdsl("bool")
    one = n.constant(1, "mask_value", elem)
    shape = shape_of(x.type)
    if shape is not None and -1 not in shape:
        dims = n.constant(list(shape), "mask_dims")
        return [y, n.emit("Fill", [dims, one], role="Mask")]
    dims = n.emit("Shape", [x], {"dtype": 9}, role="MaskDims")
    result = tensor_type(shape, elem)
    return [y, n.emit("Fill", [dims, one], role="Mask", result_types=[result])]
