"""ONNX exports: fused attention and softmax with masks.

Attention to everything without shifts or dropout is ONNX's Attention (from opset 23); the other
forms are products around a softmax in which a row with nothing left gives 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ge_dialect.exporters.onnx_node import Out
from ge_dialect.exporters.onnx_rules import Results, export
from ge_dialect.exporters.onnx_values import NoCounterpart, Val
from ge_dialect.ir.types import elem_of, shape_of

_LOWEST, _HIGHEST = -3.4028234663852886e38, 3.4028234663852886e38
_NEGATIVE = -math.inf
_FLASH = (
    "query key value real_shift drop_mask padding_mask atten_mask prefix actual_seq_qlen "
    "actual_seq_kvlen q_start_idx kv_start_idx d_scale_q d_scale_k d_scale_v query_rope key_rope "
    "sink p_scale"
).split()
_PROMPT = "query key value pse_shift atten_mask actual_seq_lengths actual_seq_lengths_kv".split()
_STEP = "query key value pse_shift atten_mask actual_seq_lengths_kv".split()
_READ = frozenset(
    "query key value real_shift pse_shift atten_mask actual_seq_lengths actual_seq_lengths_kv "
    "query_rope key_rope".split()
)


class _Heads:
    """A tensor of heads as (batch, heads, positions, size), and its known sizes."""

    def __init__(
        self, n: Out, value: Val, given: Sequence[int] | None, layout: str, heads: int
    ) -> None:
        if layout == "TND" or given is None:
            raise NoCounterpart("samples strung together" if given else "the rank must be known")
        shape = list(given)
        if layout == "SBH":
            value, layout = n.transpose(value, [1, 0, 2], "Batch"), "BSH"
            shape = [shape[1], shape[0], shape[2]]
        if layout == "BSH":
            if heads < 1 or shape[2] < 0 or 0 in shape:
                raise NoCounterpart("the size of the heads must be known")
            size = shape[2] // heads
            value = n.reshape(value, [0, 0, heads, size], "Heads")
            shape, layout = [*shape[:2], heads, size], "BSND"
        if layout == "BSND":
            value = n.transpose(value, [0, 2, 1, 3], "Turn")
            shape = [shape[0], shape[2], shape[1], shape[3]]
        self.value, self.shape = value, shape
        self.batch, self.heads, self.length, self.size = shape


def _together(n: Out, y: Val, layout: str) -> Val:
    """The inverse."""
    if layout == "BNSD":
        return y
    y = n.emit("Transpose", [y], "Back", perm=[0, 2, 1, 3])
    if layout == "BSND":
        return y
    y = n.reshape(y, [0, 0, -1], "Join")
    return n.transpose(y, [1, 0, 2], "Order") if layout == "SBH" else y


def _shared(n: Out, x: _Heads, heads: int, role: str) -> Val:
    """Each head as often as query heads share it."""
    if x.heads < 1 or heads < 1:
        raise NoCounterpart("the number of heads must be known")
    group = heads // x.heads
    if group == 1:
        return x.value
    places = [i // group for i in range(heads)]
    return n.emit("Gather", [x.value, n.constant(places, f"{role}_heads")], role, axis=1)


def _distance(rows: int, columns: int) -> list[list[int]]:
    return [[j - i for j in range(columns)] for i in range(rows)]


def _need(size: int) -> int:
    if size < 0:
        raise NoCounterpart("the number of positions must be known")
    return size


def _either(n: Out, masks: Sequence[Val]) -> Val | None:
    total: Val | None = None
    for mask in masks:
        total = mask if total is None else n.emit("Or", [total, mask])
    return total


def _mode_mask(
    n: Out, mode: int, q: _Heads, k: _Heads, band: tuple[int, int], lengths: tuple[Val | None, ...]
) -> Val:
    """What a sparse mode of 2 to 4 leaves out: (rows, columns), or with a sample's lengths."""
    rows, columns = _need(q.length), _need(k.length)
    distance: Val = n.constant(_distance(rows, columns), "distance")
    if mode == 2:
        return n.emit("Greater", [distance, n.constant(0, "diagonal")], "Later")
    if any(v is not None for v in lengths):
        wholes = (n.constant(rows, "rows"), n.constant(columns, "columns"))
        a, b = (w if v is None else v for v, w in zip(lengths, wholes, strict=True))
        distance = n.emit("Sub", [distance, n.emit("Sub", [b, a], "Shift")], "Distance")
    else:
        distance = n.constant([[d - columns + rows for d in r] for r in _distance(rows, columns)],
                              "aligned")  # fmt: skip
    if mode == 3:
        return n.emit("Greater", [distance, n.constant(0, "diagonal")], "Later")
    before = n.emit("Less", [distance, n.constant(-band[0], "before")], "Before")
    return n.emit("Or", [before, n.emit("Greater", [distance, n.constant(band[1], "after")])])


def _attend(
    n: Out, q: _Heads, k: _Heads, v: _Heads, scores: Val, out: Val | None
) -> tuple[Val, Val, Val]:
    """Values of (B, N, S1, D), maxima and sums of the rows; `out`: which scores are left out."""
    floor = n.like(_NEGATIVE, scores, "lowest")
    if out is not None:
        scores = n.emit("Where", [out, floor, scores], "Masked")
    top = n.reduce("ReduceMax", scores, [3], True, "Top")
    empty = n.emit("Equal", [top, floor], "Empty")
    base = n.emit("Where", [empty, n.like(0, scores, "zero"), top], "Base")
    weights = n.emit("Exp", [n.emit("Sub", [scores, base], "Shifted")])
    total = n.reduce("ReduceSum", weights, [3], True, "Total")
    product = n.emit("MatMul", [weights, _shared(n, v, q.heads, "Values")], "Weighed")
    share = n.emit("Where", [empty, n.like(1, scores, "one"), total], "Share")
    y = n.emit("Div", [product, share], "Mean")
    return n.emit("Where", [empty, n.like(0, scores, "none"), y], "Rows"), top, total


def _products(n: Out, q: _Heads, k: _Heads) -> Val:
    turned = n.emit("Transpose", [_shared(n, k, q.heads, "Keys")], "Turned", perm=[0, 1, 3, 2])
    return n.emit("MatMul", [q.value, turned], "Scores")


def _plain(n: Out, q: _Heads, k: _Heads, v: _Heads, scale: float) -> Val | None:
    """ONNX's Attention, where the opset has it and sizes are those it takes."""
    sizes = (q.heads, k.heads, q.size, k.length)
    if n.opset < 23 or min(sizes) < 1 or not 0 < scale < math.inf:
        return None
    return n.emit("Attention", [q.value, k.value, v.value], "Attention", scale=scale)


def _given(n: Out, names: Sequence[str]) -> dict[str, int]:
    """Places of the inputs by name; refused where one is connected that is not written."""
    for i in range(len(n.args)):
        name = names[i] if i < len(names) else f"input {i}"
        if n.has(i) and name not in _READ:
            raise NoCounterpart(f"{name} is connected")
    return {name: i for i, name in enumerate(names) if n.has(i)}


def _operand(n: Out, index: int, layout: str, heads: int, role: str) -> _Heads:
    source = n.ssa(index)
    if isinstance(source, list):
        if len(source) != 1:
            raise NoCounterpart("keys and values in several tensors")
        (source,) = source
    value = n.graph.values[source]
    value = n.cast(value, "float64" if n.dtype() == "float64" else "float32")
    return _Heads(n, value, shape_of(source.type), layout, heads)


@export("FlashAttentionScore")
def flash_attention_score(n: Out) -> Results:
    """Attention, or products around a softmax, whose maxima and sums are results."""
    at = _given(n, _FLASH)
    layout, heads, mode = n.attrs["input_layout"], n.attrs["head_num"], n.attrs["sparse_mode"]
    if n.attrs["pse_type"] not in (0, 1) or mode > 4:
        raise NoCounterpart("slopes, prefixes and bands of blocks")
    q = _operand(n, 0, layout, heads, "Query")
    shape = n.shape(1)
    if layout in ("BSH", "SBH") and (shape is None or shape[2] < 0):
        raise NoCounterpart("the size of the heads must be known")
    shared = shape[2] // max(q.size, 1) if shape and layout in ("BSH", "SBH") else 0
    k, v = (_operand(n, i, layout, shared, r) for i, r in ((1, "Key"), (2, "Value")))
    if "query_rope" in at:
        parts = [(at["query_rope"], heads, q), (at["key_rope"], k.heads, k)]
        for index, count, x in parts:
            rope = _operand(n, index, layout, count, "Rope")
            x.value = n.emit("Concat", [x.value, rope.value], "Whole", axis=3)
    scale, places = n.attrs["scale_value"], at.get("real_shift")
    bare = mode in (0, 1) and "atten_mask" not in at and places is None
    if bare and not (n.wants(0) or n.wants(1)) and "query_rope" not in at:
        y = _plain(n, q, k, v, scale)
        if y is not None:
            return [None, None, _nothing(n, 2), _together(n, y, layout)]
    scores = _products(n, q, k)
    if places is not None:
        shift = n.cast(n.x(places), scores.elem)
        if n.attrs["pse_type"] == 1:
            scores = n.binary("Mul", n.emit("Add", [scores, shift], "Moved"), scale, "Scaled")
        else:
            scores = n.emit("Add", [n.binary("Mul", scores, scale, "Scaled"), shift], "Moved")
    else:
        scores = n.binary("Mul", scores, scale, "Scaled")
    out: Val | None = None
    if mode >= 2:
        band = (n.attrs["pre_tockens"], n.attrs["next_tockens"])
        out = _mode_mask(n, mode, q, k, band, (None, None))
    elif "atten_mask" in at:
        out = n.cast(n.x(at["atten_mask"]), "bool")
    y, top, total = _attend(n, q, k, v, scores, out)
    floor = n.like(_NEGATIVE, top, "bottom")
    empty = n.emit("Equal", [top, floor], "Nothing")
    eight = n.constant([1, 1, 1, 8], "times")
    saved = [
        n.emit("Tile", [n.emit("Where", [empty, n.like(limit, top, "limit"), x]), eight], role)
        for x, limit, role in ((top, _LOWEST, "Maxima"), (total, _HIGHEST, "Sums"))
    ]
    return [*saved, _nothing(n, 2), _together(n, y, layout)]


def _nothing(n: Out, index: int) -> Val | None:
    """A result without elements, where something reads it."""
    if not n.wants(index):
        return None
    result = n.result(index)
    import numpy as np

    return n.emit("Identity", [n.constant(np.zeros(shape_of(result) or (0,)), "empty",
                                          elem_of(result))])  # fmt: skip


def _lengths(n: Out, at: dict[str, int], name: str) -> Val | None:
    """Lengths of the samples as (samples, 1, 1, 1)."""
    if name not in at:
        return None
    return n.reshape(n.int64(at[name]), [-1, 1, 1, 1], "Lengths")


def _beyond(n: Out, size: int, length: Val, axis: int) -> Val:
    dims = [1, 1, 1, 1]
    dims[axis] = _need(size)
    import numpy as np

    places = n.constant(np.arange(size).reshape(dims), "places")
    return n.emit("GreaterOrEqual", [places, length], "Beyond")


def _inference(n: Out, names: Sequence[str], wants_sums: bool = False) -> tuple[Val, Val | None]:
    """The result, and the logarithms of the rows' sums where they are asked for."""
    at = _given(n, names)
    if n.attrs.get("pse_type", 0) not in (0, 1):
        raise NoCounterpart("slopes")
    layout, _, result = n.attrs["input_layout"].partition("_")
    heads, mode = n.attrs["num_heads"], n.attrs.get("sparse_mode", 0)
    if mode > 4:
        raise NoCounterpart("prefixes and bands of blocks")
    q = _operand(n, 0, layout, heads, "Query")
    shared = n.attrs["num_key_value_heads"] or heads
    k, v = (_operand(n, i, layout, shared, r) for i, r in ((1, "Key"), (2, "Value")))
    scale = n.attrs["scale_value" if "scale_value" in n.attrs else "scale"]
    if not set(at) - {"query", "key", "value"} and mode < 2 and not wants_sums:
        plain = _plain(n, q, k, v, scale)
        if plain is not None:
            return _together(n, plain, result or layout), None
    scores = n.binary("Mul", _products(n, q, k), scale, "Scaled")
    if "pse_shift" in at:
        scores = n.emit("Add", [scores, n.cast(n.x(at["pse_shift"]), scores.elem)], "Moved")
    rows, columns = (_lengths(n, at, f"actual_seq_lengths{end}") for end in ("", "_kv"))
    masks: list[Val] = []
    if mode >= 2:
        band = (n.attrs["pre_tokens"], n.attrs["next_tokens"])
        masks.append(_mode_mask(n, mode, q, k, band, (rows, columns)))
    elif "atten_mask" in at:
        masks.append(_mask(n, at["atten_mask"]))
    if columns is not None:
        masks.append(_beyond(n, k.length, columns, 3))
    if rows is not None:
        masks.append(_beyond(n, q.length, rows, 2))
    y, top, total = _attend(n, q, k, v, scores, _either(n, masks))
    sums: Val | None = None
    if wants_sums:
        empty = n.emit("Equal", [top, n.like(_NEGATIVE, top, "bottom")], "Nothing")
        logs = n.emit("Add", [top, n.emit("Log", [total])], "Sums")
        sums = n.emit("Where", [empty, n.like(math.inf, top, "limit"), logs], "Sum")
    return _together(n, y, result or layout), sums


def _mask(n: Out, index: int) -> Val:
    """A mask as booleans that stretch to the scores."""
    mask = n.x(index)
    if n.is_float(index):
        mask = n.cast(mask, "float32")
    mask, rank = n.cast(mask, "bool"), n.rank(index)
    if rank == 2 and "sparse_mode" not in n.attrs:  # a row for each sample
        return n.unsqueeze(mask, [1, 2], "Mask")
    return n.unsqueeze(mask, [1], "Mask") if rank == 3 else mask


@export("PromptFlashAttention")
def prompt_flash_attention(n: Out) -> Results:
    """Attention, or products around a softmax."""
    return _inference(n, _PROMPT)[0]


@export("IncreFlashAttention")
def incre_flash_attention(n: Out) -> Results:
    """Attention, or products around a softmax."""
    return _inference(n, _STEP)[0]


@export("FusedInferAttentionScore")
def fused_infer_attention_score(n: Out) -> Results:
    """Attention, or products around a softmax; logarithms of sums on demand."""
    wants = bool(n.attrs["softmax_lse_flag"])
    y, sums = _inference(n, _PROMPT, wants)
    return [y, sums if wants else _nothing(n, 1)]


# --- softmax with masks -----------------------------------------------------------------------


def _softmax(n: Out, x: Val) -> Val:
    return n.emit("Softmax", [x], axis=-1)


@export("ScaledMaskedSoftmax")
def scaled_masked_softmax(n: Out) -> Results:
    """Softmax of what the mask leaves; the rest is the smallest float32."""
    x = n.binary("Mul", n.wide(0), n.attrs["scale"], "Scaled")
    mask = n.opt(1)
    if n.attrs["fixed_triu_mask"]:
        shape = n.shape()
        if shape is None or len(shape) < 2:
            raise NoCounterpart("the rank must be known")
        rows, columns = (_need(d) for d in shape[-2:])
        later = [[j > i for j in range(columns)] for i in range(rows)]
        import numpy as np

        mask = n.constant(np.array(later, bool).reshape(rows, columns), "later")
    if mask is not None:
        x = n.emit("Where", [n.cast(mask, "bool"), n.like(_LOWEST, x, "lowest"), x], "Masked")
    return _softmax(n, x)


@export("MaskedSoftmaxWithRelPosBias")
def masked_softmax_with_rel_pos_bias(n: Out) -> Results:
    """Softmax of scores, mask and bias added up."""
    shape = n.known(0)
    if 0 in shape:
        raise NoCounterpart("a size is zero")
    x = n.binary("Mul", n.wide(0), n.attrs["scale_value"], "Scaled")
    if n.has(1):
        outer = n.known(1)
        windows = math.prod(outer[:-2])
        mask = n.reshape(n.wide(1), [windows, 1, *outer[-2:]], "Mask")
        if len(shape) == 4:
            parts = [shape[0] // max(windows, 1), windows, *shape[1:]]
            x = n.emit("Add", [n.reshape(x, parts, "Windows"), mask], "Moved")
            x = n.reshape(x, shape, "Whole")
        else:
            x = n.emit("Add", [x, mask], "Moved")
    bias = n.reshape(n.wide(2), n.known(2)[-3:], "Bias")
    return _softmax(n, n.emit("Add", [x, bias], "Biased"))


# --- rotary positions -------------------------------------------------------------------------


def _turned(n: Out, x: Val, rank: int, width: int, mode: str) -> Val:
    """x turned by a quarter, with its pairs where the mode has them."""
    if mode == "interleave":
        places = [i + 1 - 2 * (i % 2) for i in range(width)]
        signs = [-1.0 if i % 2 == 0 else 1.0 for i in range(width)]
    else:
        size = width // (4 if mode == "quarter" else 2)
        places = [i + size if i // size % 2 == 0 else i - size for i in range(width)]
        signs = [-1.0 if i // size % 2 == 0 else 1.0 for i in range(width)]
    turned = n.emit("Gather", [x, n.constant(places, "places")], "Pairs", axis=rank - 1)
    return n.emit("Mul", [turned, n.constant(signs, "signs", x.elem)], "Turned")


def _width(n: Out, index: int) -> int:
    shape = n.shape(index)
    if not shape or shape[-1] < 1:
        raise NoCounterpart("the size of the heads must be known")
    return shape[-1]


def _rotated(n: Out, x: Val, index: int, mode: str, cos: Val, sin: Val) -> Val:
    turned = _turned(n, x, n.rank(index), _width(n, index), mode)
    return n.emit("Add", [n.emit("Mul", [x, cos]), n.emit("Mul", [turned, sin])])


@export("ApplyRotaryPosEmb")
def apply_rotary_pos_emb(n: Out) -> Results:
    """Query and key, each times cosines plus itself turned times sines."""
    cos, sin, mode = n.wide(2), n.wide(3), n.attrs["rotary_mode"]
    return [_rotated(n, n.wide(i), i, mode, cos, sin) for i in (0, 1)]


@export("InterleaveRope")
def interleave_rope(n: Out) -> Results:
    """The even elements before the odd ones, then turned by halves."""
    width, rank = _width(n, 0), n.rank(0)
    order = [*range(0, width, 2), *range(1, width, 2)]
    x = n.emit("Gather", [n.wide(0), n.constant(order, "order")], "Sorted", axis=rank - 1)
    return _rotated(n, x, 0, "half", n.wide(1), n.wide(2))
