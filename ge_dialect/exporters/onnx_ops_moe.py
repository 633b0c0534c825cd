"""ONNX exports: routing tokens to experts, products of groups."""

from __future__ import annotations

import math

from xdsl.ir import Attribute

from ge_dialect.exporters.onnx_node import Out
from ge_dialect.exporters.onnx_rules import Results, export
from ge_dialect.exporters.onnx_values import NoCounterpart, Val
from ge_dialect.ir.types import elem_of, shape_of


def _best(n: Out, x: Val, k: int, axis: int, role: str) -> list[Val]:
    """The k largest along an axis, the first of equals first, and their places."""
    count = n.constant([k], f"{role}_k")
    return n.emit_all("TopK", [x, count], 2, {"axis": axis, "largest": 1, "sorted": 1})


def _picked(n: Out, x: Val, places: Val, axis: int) -> Val:
    return n.emit("GatherElements", [x, places], "Picked", axis=axis)


def _zeros(n: Out, x: Val) -> Val:
    return n.emit("Expand", [n.like(0, x, "blank"), n.emit("Shape", [x])], "Zeros")


@export("MoeGatingTopK")
def moe_gating_top_k(n: Out) -> Results:
    """TopK of Sigmoid or Softmax, of the best groups."""
    shape = n.known(0)
    x, groups, sigmoid = n.wide(0), n.attrs["group_count"], n.attrs["norm_type"] == 1
    scores = n.emit("Sigmoid", [x]) if sigmoid else n.emit("Softmax", [x], axis=-1)
    ranked = n.emit("Add", [scores, n.cast(n.x(1), scores.elem)]) if n.has(1) else scores
    if groups > 1:
        if 0 in shape:
            raise NoCounterpart("a size is zero")
        size = shape[1] // groups
        parts = n.reshape(ranked, [shape[0], groups, size], "Groups")
        if n.attrs["group_select_mode"] == 1:
            best, _ = _best(n, parts, min(2, size), 2, "pair")
            rank = n.reduce("ReduceSum", best, [2], False, "Rank")
        else:
            rank = n.reduce("ReduceMax", parts, [2], False, "Rank")
        _, chosen = _best(n, rank, n.attrs["k_group"], 1, "group")
        both = n.constant([0, 1], "flags")
        hot = n.emit("OneHot", [chosen, n.constant(groups, "groups"), both], axis=1)
        kept = n.cast(n.reduce("ReduceMax", hot, [2], False, "Kept"), "bool")
        kept = n.unsqueeze(kept, [2], "Spread")
        masked = n.emit("Where", [kept, parts, n.like(-math.inf, parts, "lowest")], "Masked")
        ranked = n.reshape(masked, shape, "Whole")
    _, experts = _best(n, ranked, n.attrs["k"], 1, "experts")
    y = _picked(n, scores, experts, 1)
    if sigmoid:
        total = n.reduce("ReduceSum", y, [1], True, "Total")
        y = n.emit("Div", [y, n.binary("Add", total, n.attrs["eps"], "Epsilon")], "Share")
    y = n.binary("Mul", y, n.attrs["routed_scaling_factor"], "Factor")
    return [y, experts, scores if n.attrs["out_flag"] else _zeros(n, scores)]


def _finished(n: Out, experts: Val, count: int) -> Val:
    """The experts, or one beyond the last for rows that are finished."""
    if not n.has(1):
        return experts
    flags = n.unsqueeze(n.cast(n.x(1), "bool"), [-1], "Flags")
    return n.emit("Where", [flags, n.constant(count, "beyond"), experts], "Experts")


def _last(n: Out) -> int:
    shape = n.shape(0)
    if not shape or shape[-1] < 0:
        raise NoCounterpart("the number of experts must be known")
    return shape[-1]


@export("MoeGatingTopKSoftmax")
def moe_gating_top_k_softmax(n: Out) -> Results:
    """TopK of Softmax; rows are numbered column by column."""
    import numpy as np

    shape, k = n.known(0), n.attrs["k"]
    scores = n.emit("Softmax", [n.wide(0)], axis=-1)
    y, experts = _best(n, scores, k, -1, "experts")
    rows = math.prod(shape[:-1])
    numbers = np.arange(rows)[:, None] + np.arange(k) * rows
    held = n.constant(numbers.reshape(*shape[:-1], k), "numbers")
    return [y, _finished(n, experts, _last(n)), n.emit("Identity", [held])]


@export("MoeGatingTopKSoftmaxV2")
def moe_gating_top_k_softmax_v2(n: Out) -> Results:
    """TopK of Softmax, or Softmax of TopK."""
    x = n.wide(0)
    scores = n.emit("Softmax", [x], axis=-1)
    best, experts = _best(n, x if n.attrs["renorm"] else scores, n.attrs["k"], -1, "experts")
    y = n.emit("Softmax", [best], "Shares", axis=-1) if n.attrs["renorm"] else best
    shown = n.attrs["output_softmax_result_flag"] and not n.attrs["renorm"]
    return [y, _finished(n, experts, _last(n)), scores if shown else _zeros(n, scores)]


@export("MoeInitRouting")
def moe_init_routing(n: Out) -> Results:
    """Rows sorted by expert: TopK, and Gather."""
    rows, (lead, k) = n.known(0)[0], n.known(2)
    total = lead * k
    if not total or not rows:
        raise NoCounterpart("a size is zero")
    flat = n.reshape(n.x(2), [-1], "Flat")
    attrs = {"axis": 0, "largest": 0, "sorted": 1}
    ordered, order = n.emit_all("TopK", [flat, n.constant([total], "k")], 2, attrs)
    moved = n.emit("Gather", [n.reshape(n.int64(1), [-1], "Numbers"), order], "Moved", axis=0)
    import numpy as np

    places = n.constant(np.arange(total), "places")
    blank = n.constant(np.zeros(total, np.int64), "blank")
    back = n.emit("ScatterElements", [blank, moved, places], "Places", axis=0)
    count = min(rows, n.attrs["active_num"]) * k
    first = n.slice(moved, 0, count, 0, "Active") if count < total else moved
    source = n.emit("Mod", [first, n.constant(rows, "rows")], "Rows")
    return [n.emit("Gather", [n.x(0), source], axis=0), back, ordered]


def _mix(n: Out, at: dict[str, int], mode: int) -> Results:
    """Results of the experts, weighed and added up."""
    shape = list(n.known(at["expanded"]))
    results = n.wide(at["expanded"])
    if len(shape) > 2:
        results = n.reshape(results, [math.prod(shape[:-1]), shape[-1]], "Results")
    (count,) = n.known(at["places"])
    rows, k = n.known(at["scales"]) if n.has(at["scales"]) else (count, 1)
    if 0 in (*shape, count, rows, k):
        raise NoCounterpart("a size is zero")
    places = n.int64(at["places"])
    if mode >= 2:
        table = n.reshape(places, [rows, k], "Table")
    else:
        table = n.transpose(n.reshape(places, [k, rows], "Columns"), [1, 0], "Table")
    if mode in (1, 3):  # row -1, the last one, is a dropped one
        import numpy as np

        empty = n.constant(np.zeros((1, shape[-1])), "dropped", results.elem)
        results = n.emit("Concat", [results, empty], "Padded", axis=0)
    total = n.emit("Gather", [results, table], "Picked", axis=0)
    if n.has(at["bias"]):
        bias = n.emit("Gather", [n.wide(at["bias"]), n.int64(at["experts"])], "Biases", axis=0)
        total = n.emit("Add", [total, n.cast(bias, total.elem)], "Biased")
    if n.has(at["scales"]):
        scales = n.unsqueeze(n.cast(n.wide(at["scales"]), total.elem), [2], "Scales")
        total = n.emit("Mul", [total, scales], "Weighed")
    total = n.reduce("ReduceSum", total, [1], False, "Sum")
    for name in ("x1", "x2"):
        if n.has(at[name]):
            total = n.emit("Add", [total, n.cast(n.x(at[name]), total.elem)], name.upper())
    return total


_FIRST = "expanded x1 x2 bias scales places experts".split()
_SECOND = "expanded places x1 x2 bias scales experts".split()


@export("MoeFinalizeRouting")
def moe_finalize_routing(n: Out) -> Results:
    """Gather, Mul and ReduceSum of the experts' results."""
    return _mix(n, {name: i for i, name in enumerate(_FIRST)}, 0)


@export("MoeFinalizeRoutingV2")
def moe_finalize_routing_v2(n: Out) -> Results:
    """Gather, Mul and ReduceSum of the experts' results."""
    return _mix(n, {name: i for i, name in enumerate(_SECOND)}, n.attrs["drop_pad_mode"])


@export("MoeComputeExpertTokens")
def moe_compute_expert_tokens(n: Out) -> Results:
    """How many tokens stand at or before each expert."""
    import numpy as np

    experts = n.constant(np.arange(n.attrs["num_experts"])[:, None], "experts")
    rows = n.emit("LessOrEqual", [n.unsqueeze(n.int64(0), [0], "Row"), experts])
    return n.reduce("ReduceSum", n.cast(rows, "int64"), [1], False, "Count")


# --- products of groups ------------------------------------------------------------------------


@export("GroupedMatmul")
def grouped_matmul(n: Out) -> Results:
    """MatMul of each pair, or of the slices of constant groups."""
    if any(n.args[i] for i in (3, 4, 5, 6)) or n.has(8) or n.attrs["act_type"]:
        raise NoCounterpart("quantised forms and activations")
    types = [v.type for i in (0, 1) for v in n.ssa(i)]
    if any(str(elem_of(t)) not in ("f16", "bf16", "f32") for t in types):
        raise NoCounterpart("whole numbers")
    flags = ("transpose_x", "transpose_weight")
    turned = [n.attrs[f] for f in flags]
    xs = [_matrix(n, v, v2.type, turned[0]) for v, v2 in zip(n.xs(0), n.ssa(0), strict=True)]
    ws = [_matrix(n, v, v2.type, turned[1]) for v, v2 in zip(n.xs(1), n.ssa(1), strict=True)]
    biases = [n.cast(b, "float32") for b in n.xs(2)]
    single = n.attrs["split_item"] in (2, 3)
    if n.attrs["group_type"] == -1:
        made = [_plus(n, x, w, _bias(n, biases, i, len(xs))) for i, (x, w) in
                enumerate(zip(xs, ws, strict=True))]  # fmt: skip
        return n.emit("Concat", made, axis=0) if single else made
    numbers = n.need_ints(7, "group_list")
    if n.attrs["group_list_type"] == 0:
        numbers = [b - a for a, b in zip([0, *numbers], numbers, strict=False)]
    if min(numbers, default=-1) < 0:
        raise NoCounterpart("group_list does not cut the axis")
    starts = [sum(numbers[:i]) for i in range(len(numbers))]
    if n.attrs["group_type"] == 2:
        parts = []
        for i, (a, size) in enumerate(zip(starts, numbers, strict=True)):
            x = n.slice(xs[0], a, a + size, 1, f"Left_{i}")
            w = n.slice(ws[0], a, a + size, 0, f"Right_{i}")
            parts.append(n.unsqueeze(n.emit("MatMul", [x, w]), [0], f"Part_{i}"))
        return n.emit("Concat", parts, axis=0)
    each = ws
    rank = len(shape_of(n.ssa(1)[0].type) or ())
    if len(ws) == 1 and rank == 3:
        one = [n.slice(ws[0], i, i + 1, 0, f"Weight_{i}") for i in range(len(numbers))]
        each = [n.squeeze(w, [0], f"Matrix_{i}") for i, w in enumerate(one)]
    if len(each) != len(numbers):
        raise NoCounterpart("there is not one weight per group")
    made = []
    for i, (a, size, w) in enumerate(zip(starts, numbers, each, strict=True)):
        x = n.slice(xs[0], a, a + size, 0, f"Rows_{i}")
        made.append(_plus(n, x, w, _bias(n, biases, i, len(numbers))))
    if not single:
        return made
    shape, columns = shape_of(n.ssa(0)[0].type), shape_of(n.result())
    if shape is None or columns is None or -1 in (shape[turned[0]], columns[1]):
        raise NoCounterpart("the number of rows must be known")
    left = shape[int(turned[0])] - sum(numbers)
    if left:
        import numpy as np

        made.append(n.constant(np.zeros((left, columns[1]), np.float32), "rest"))
    return n.emit("Concat", made, axis=0)


def _matrix(n: Out, value: Val, type_: Attribute, turned: bool) -> Val:
    """An operand in f32, its last two axes swapped where asked for."""
    value = n.cast(value, "float32")
    if not turned:
        return value
    rank = len(shape_of(type_) or ())
    if rank < 2:
        raise NoCounterpart("the rank must be known")
    return n.transpose(value, [*range(rank - 2), rank - 1, rank - 2], "Turned")


def _bias(n: Out, biases: list[Val], index: int, count: int) -> Val | None:
    if not biases:
        return None
    if len(biases) == 1 and count != 1:
        row = n.slice(biases[0], index, index + 1, 0, f"Bias_{index}")
        return n.squeeze(row, [0], f"BiasRow_{index}")
    return biases[index]


def _plus(n: Out, x: Val, w: Val, bias: Val | None) -> Val:
    y = n.emit("MatMul", [x, w])
    return y if bias is None else n.emit("Add", [y, bias])
