"""ONNX rules: extremes, sorting, distinct elements, running sums, choices by value."""

from __future__ import annotations

from xdsl.ir import SSAValue

from ge_dialect.dtypes import to_xdsl
from ge_dialect.importers.onnx_graph import Refused
from ge_dialect.importers.onnx_node import Node
from ge_dialect.importers.onnx_ops_scatter import axis_size
from ge_dialect.importers.onnx_rules import Outputs, rule
from ge_dialect.ir.types import shape_of

_INT64 = 9  # GE's number


def _arg(n: Node, ge_type: str) -> Outputs:
    x, rank = n.x(), n.rank()
    axis, last, keep = (
        n.axis(n.int("axis", 0), rank),
        n.int("select_last_index", 0),
        n.int("keepdims", 1),
    )
    where = n.constant(axis, "axis", to_xdsl("int64"))
    attrs = {"dtype": to_xdsl("int64")}
    if not last:
        y = n.emit(ge_type, [x, where], attrs, role="Position" if keep else None)
    else:
        # The last of equals is the first from behind.
        back = n.emit("ReverseV2", [x, n.constant([axis], "axes")], role="Reversed")
        found = n.emit(ge_type, [back, where], attrs, role="FromBehind")
        size = axis_size(n, x, axis, "size")
        end = n.emit("Sub", [size, n.constant([1], "one")], role="Last")
        if shape_of(found.type) == ():
            end = n.reshape(end, [], "LastScalar")
        y = n.emit("Sub", [end, found], role="Position" if keep else None)
    return n.emit("Unsqueeze", [y], {"axes": [axis]}) if keep else y


@rule("ArgMax", "1 11 12 13")
def arg_max(n: Node) -> Outputs:
    """ArgMaxV2; `select_last_index` on the reversed axis."""
    return _arg(n, "ArgMaxV2")


@rule("ArgMin", "1 11 12 13")
def arg_min(n: Node) -> Outputs:
    """ArgMin; `select_last_index` on the reversed axis."""
    return _arg(n, "ArgMin")


@rule("TopK", "1")
def top_k_1(n: Node) -> Outputs:
    """TopKV2 with k as a constant."""
    return _top_k(n, n.constant(n.int("k", 0), "k", to_xdsl("int64")))


@rule("TopK", "10 11 24")
def top_k(n: Node) -> Outputs:
    """TopKV2 with positions in int64."""
    return _top_k(n, n.x(1))


def _top_k(n: Node, k: SSAValue) -> Outputs:
    attrs = {
        "dim": n.axis(n.int("axis", -1), n.rank()),
        "largest": bool(n.int("largest", 1)),
        "sorted": bool(n.int("sorted", 1)),
        "indices_dtype": _INT64,
    }
    return n.emit_all("TopKV2", [n.x(0), k], attrs)


@rule("Unique", "11 28")
def unique(n: Node) -> Outputs:
    """HostUnique, an operator of ours: GE's keep no first places and know no axis."""
    axis = n.axis(n.int("axis", 0), n.rank()) if n.has_attr("axis") else None
    attrs = {"axis": axis, "sorted": bool(n.int("sorted", 1))}
    return n.emit_all("HostUnique", [n.x()], {k: v for k, v in attrs.items() if v is not None})


@rule("NonZero", "9 13")
def non_zero(n: Node) -> Outputs:
    """NonZero with a column for each element."""
    return n.emit("NonZero", [n.x()], {"transpose": True})


@rule("Compress", "9 11 28")
def compress(n: Node) -> Outputs:
    """GatherV2 at the places where the condition is true; it may be shorter than the axis."""
    x, axis = n.x(0), 0
    if n.has_attr("axis"):
        axis = n.axis(n.int("axis", 0), n.rank(0))
    elif len(shape_of(x.type) or ()) != 1:
        x = n.reshape(x, [-1], "Flat")
    rows = n.emit("Where", [n.x(1)], role="Where")
    places = n.emit("Squeeze", [rows], {"axis": [1]}, role="Places")
    return n.emit("GatherV2", [x, places, n.constant(axis, "axis", to_xdsl("int64"))])


def _running(n: Node, ge_type: str) -> Outputs:
    attrs = {a: bool(n.int(a, 0)) for a in ("exclusive", "reverse")}
    return n.emit(ge_type, [n.x(0), n.x(1)], attrs)


@rule("CumSum", "11 14")
def cum_sum(n: Node) -> Outputs:
    """Cumsum."""
    return _running(n, "Cumsum")


@rule("CumProd", "26")
def cum_prod(n: Node) -> Outputs:
    """Cumprod."""
    return _running(n, "Cumprod")


@rule("Hardmax", "1 11")
def hardmax_1(n: Node) -> Outputs:
    """Before opset 13 over all axes from `axis` on together: on a matrix."""
    shape = n.shape()
    if shape is None or -1 in shape:
        raise Refused("the shape must be known where the axes are flattened (opset < 13)")
    first = n.int("axis", 1)
    first += len(shape) if first < 0 else 0
    if not 0 <= first <= len(shape):
        raise Refused(f"axis {n.int('axis', 1)} is out of range", "GX-333")
    rows = 1
    for d in shape[:first]:
        rows *= d
    flat = n.emit("Flatten", [n.x()], {"axis": first}, role="Flatten")
    return n.reshape(_hardmax(n, flat, 1, "Hot"), list(shape), None)


@rule("Hardmax", "13")
def hardmax(n: Node) -> Outputs:
    """OneHot of ArgMaxV2: 1 at the first of the largest elements, 0 elsewhere."""
    return _hardmax(n, n.x(), n.axis(n.int("axis", -1), n.rank()), None)


def _hardmax(n: Node, x: SSAValue, axis: int, role: str | None) -> SSAValue:
    from ge_dialect.ir.types import elem_of

    where = n.constant(axis, "axis", to_xdsl("int64"))
    place = n.emit("ArgMaxV2", [x, where], {"dtype": to_xdsl("int64")}, role="ArgMax")
    depth = axis_size(n, x, axis, "depth")
    on, off = (n.constant(v, r, elem_of(x.type)) for v, r in ((1, "on"), (0, "off")))
    return n.emit("OneHot", [place, depth, on, off], {"axis": axis}, role=role)


@rule("NonMaxSuppression", "10 11")
def non_max_suppression(n: Node) -> Outputs:
    """NonMaxSuppressionV6 with its rows as int64; no bound means no box."""
    limit = n.x(2) if n.has(2) else n.constant(0, "limit", to_xdsl("int64"))
    overlap = n.x(3) if n.has(3) else n.constant(0.0, "overlap", to_xdsl("float32"))
    operands = [n.x(0), n.x(1), limit, overlap, n.optional(4)]
    attrs = {"center_point_box": n.int("center_point_box", 0)}
    rows = n.emit("NonMaxSuppressionV6", operands, attrs, role="Rows")
    return n.cast(rows, to_xdsl("int64"), None)


@rule("TfIdfVectorizer", "9")
def tf_idf(n: Node) -> Outputs:
    """HostTfIdfVectorizer, an operator of ours."""
    pool = n.int_list("pool_int64s")
    if pool is None:
        raise Refused("pools of strings are not supported", "GX-335")
    attrs = {
        "mode": n.string("mode", "TF"),
        "pool_int64s": pool,
        "ngram_counts": n.int_list("ngram_counts") or [],
        "ngram_indexes": n.int_list("ngram_indexes") or [],
        "weights": n.float_list("weights") or [],
    }
    for name in ("min_gram_length", "max_gram_length", "max_skip_count"):
        attrs[name] = n.int(name, 1 if "gram" in name else 0)
    return n.emit("HostTfIdfVectorizer", [n.x()], attrs)
