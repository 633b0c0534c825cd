"""Kernels of fused attention on ND: a row at a time over blocks of keys, as flash attention does.

Running maximum, sum and value of a row are corrected as each block comes (T. Dao et al.,
"FlashAttention", NeurIPS 2022). No product of all queries and keys is ever held.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ge_dialect.ops.registry import op_class
from runtime.kernels.refusal import Refusal, refuse_where
from runtime.kernels.registry import Call, View, kernel
from runtime.kernels.views import is_float, logical, store, wide

BLOCK = 16
#: Axes of positions, heads and batch in a layout, None where there is none.
AXES = {"BSH": (1, None, 0), "SBH": (0, None, 1), "BSND": (1, 2, 0), "BNSD": (2, 1, 0)}
#: Turns a block of products into scores: (sample, head, rows, columns, products) -> scores.
Scores = Callable[[int, int, np.ndarray, np.ndarray, np.ndarray], np.ndarray]
#: Which of the scores (rows, columns) are left out.
Masked = Callable[[int, int, np.ndarray, np.ndarray], Any]


def head_of(x: np.ndarray, layout: str, sample: int, head: int, size: int) -> np.ndarray:
    """Positions by size of one head: a view."""
    if layout == "TND":
        return x[:, head]
    _, heads, batch = AXES[layout]
    x = np.moveaxis(x, batch, 0)[sample]
    if heads is None:
        return x[:, head * size : (head + 1) * size]
    return x[:, head] if layout == "BSND" else x[head]


def _flash(
    q: np.ndarray,
    k: np.ndarray,
    v: np.ndarray,
    scores: Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray],
    masked: Callable[[np.ndarray, np.ndarray], Any],
    keep: Callable[[np.ndarray, np.ndarray], Any] | None = None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Values, maxima and sums of the rows of one head."""
    rows = np.arange(len(q))[:, None]
    top = np.full((len(q), 1), -np.inf, q.dtype)
    total = np.zeros_like(top)
    value = np.zeros((len(q), v.shape[1]), q.dtype)
    for start in range(0, len(k), BLOCK):
        part = slice(start, min(start + BLOCK, len(k)))
        columns = np.arange(part.start, part.stop)[None, :]
        s = scores(rows, columns, q @ k[part].T)
        out = np.broadcast_to(masked(rows, columns), s.shape)
        s = np.where(out, -np.inf, s).astype(q.dtype)
        new = np.maximum(top, s.max(axis=1, keepdims=True))
        safe = np.where(np.isneginf(new), 0, new)
        old, weight = np.exp(top - safe), np.exp(s - safe)
        total = total * old + weight.sum(axis=1, keepdims=True)
        kept = weight if keep is None else weight * keep(rows, columns)
        value = value * old + read_products(kept.astype(q.dtype), v[part], out)
        top = new
    none = np.isneginf(top)
    return np.where(none, 0, value / np.where(none, 1, total)), top, total


def read_products(weight: np.ndarray, v: np.ndarray, out: np.ndarray) -> np.ndarray:
    """weight @ v where every row reads the keys that are not left out."""
    if np.isfinite(v).all():
        return weight @ v
    rows = [w[~o] @ v[~o] for w, o in zip(weight, out, strict=True)]
    return np.stack(rows) if rows else weight @ v


def pick(x: np.ndarray, sample: int, head: int, rows: np.ndarray, columns: np.ndarray) -> Any:
    """Elements of something that stretches to (batch, heads, rows, columns)."""
    x = x[(None,) * (4 - x.ndim)]
    index = (np.asarray(sample), np.asarray(head), rows, columns)
    places = tuple(0 if n == 1 else i for n, i in zip(x.shape, index, strict=True))
    return x[places]


def by_mode(
    mode: int, mask: np.ndarray | None, size: tuple[int, int], band: Sequence[int]
) -> Masked:
    """What a sparse mode leaves out of `size` scores."""
    shift = 0 if mode == 2 else size[1] - size[0]
    ahead = band[1] if mode == 4 else 0

    def masked(sample: int, head: int, rows: np.ndarray, columns: np.ndarray) -> Any:
        if mode < 2:
            return False if mask is None else pick(mask, sample, head, rows, columns) != 0
        out = columns > rows + shift + ahead
        if mode == 4:
            out |= columns < rows + shift - band[0]
        return out

    return masked


def need_unconnected(call: Call, op_type: str, *others: int) -> None:
    """Refuse what is connected but for the first three inputs and the `others`."""
    for i, slot in enumerate(op_class(op_type).ge_table().inputs):
        if i > 2 and i not in others and call.opt(i) is not None:
            message = f"{slot.name} is not evaluated"
            raise Refusal(message, found="connected", expected="not connected")


def need_known_form(attrs: Mapping[str, Any]) -> None:
    """Refuse shifts and masks of other kinds."""
    shift, mode = attrs["pse_type"], attrs["sparse_mode"]
    refuse_where(
        shift not in (0, 1) or not 0 <= mode <= 4,
        "this form of attention is not evaluated",
        found=f"pse_type {shift}, sparse_mode {mode}",
        expected="pse_type 0 or 1, sparse_mode 0 … 4",
    )


def need_drop_mask(call: Call, slot: int) -> None:
    """Refuse dropout without the mask in that slot."""
    if call.attrs["keep_prob"] < 1 and call.opt(slot) is None:
        raise Refusal("dropout needs drop_mask", expected="drop_mask connected or keep_prob = 1")


def need_bits(bits: np.ndarray | None, count: int) -> None:
    """Refuse a mask of bytes with fewer bits than there are weights."""
    if bits is not None and 8 * bits.size < count:
        raise Refusal("drop_mask has too few bits", found=8 * bits.size, expected=count)


def _spans(call: Call, longest: tuple[int, int]) -> list[tuple[int, int, int, int]]:
    """Begin and end of queries and keys of samples strung together, by their running sums."""
    ends = [call.ints(8), call.ints(9)]
    lengths = [len(e) for e in ends]
    message = "queries and keys are of different samples"
    refuse_where(lengths[0] != lengths[1], message, found=lengths)
    other = call.opt(3) is not None or call.opt(4) is not None
    refuse_where(other, "real_shift and drop_mask are not evaluated with TND")
    for end, whole in zip(ends, longest, strict=True):
        steps = np.diff([0, *end, whole])
        if (steps < 0).any():
            message = "running sums of lengths do not fit"
            raise Refusal(message, found=end, expected=whole)
    return list(zip([0, *ends[0][:-1]], ends[0], [0, *ends[1][:-1]], ends[1], strict=True))


@kernel("FlashAttentionScore")
def flash_attention_score(call: Call) -> None:
    """Head by head; samples strung together are cut apart first."""
    attrs = call.attrs
    need_unconnected(call, "FlashAttentionScore", 3, 4, 6, 8, 9, 15, 16)
    need_known_form(attrs)
    dtype = call.arg(0).data.dtype
    small = dtype.itemsize == 1
    refuse_where(small, "8-bit floats are not evaluated here", found=dtype, expected="FLOAT")
    need_drop_mask(call, 4)
    layout, heads = attrs["input_layout"], attrs["head_num"]
    q, k, v = (wide(logical(call.arg(i))) for i in range(3))
    size = q.shape[-1] // heads if layout in ("BSH", "SBH") else q.shape[-1]
    shared = count_heads(k, layout, size)
    ropes = [None if call.opt(i) is None else wide(logical(call.arg(i))) for i in (15, 16)]
    out, top, total = (np.zeros(call.outs[i].shape, q.dtype) for i in (3, 0, 1))
    shift, mask = (None if call.opt(i) is None else wide(logical(call.arg(i))) for i in (3, 6))
    bits = None if call.opt(4) is None else call.arg(4).data.reshape(-1)
    scale, first = q.dtype.type(attrs["scale_value"]), attrs["pse_type"] == 1
    band = (attrs["pre_tockens"], attrs["next_tockens"])
    batch = 1 if layout == "TND" else q.shape[AXES[layout][2]]
    longest = tuple(x.shape[0 if layout == "TND" else AXES[layout][0]] for x in (q, k))
    spans = _spans(call, longest) if layout == "TND" else [(0, longest[0], 0, longest[1])]
    need_bits(bits, batch * heads * longest[0] * longest[1])
    for b in range(batch):
        for n in range(heads):
            m = n * shared // heads
            whole = [
                _with_rope(x, rope, layout, b, head, size)
                for x, rope, head in ((q, ropes[0], n), (k, ropes[1], m))
            ]
            value = head_of(v, layout, b, m, head_size(v, layout, shared))
            done = head_of(out, layout, b, n, head_size(v, layout, shared))
            for a, e, c, d in spans:
                rows, keys = whole[0][a:e], whole[1][c:d]
                masked = by_mode(attrs["sparse_mode"], mask, (len(rows), len(keys)), band)
                found, m1, s1 = _flash(
                    rows,
                    keys,
                    value[c:d],
                    lambda r, j, p, b=b, n=n: shifted(p, shift, scale, first, b, n, r, j),
                    lambda r, j, b=b, n=n, masked=masked: masked(b, n, r, j),
                    None
                    if bits is None
                    else dropout(bits, (heads, len(rows), len(keys)), b, n, attrs),
                )
                done[a:e] = found
                none = s1 == 0
                m1 = np.where(none, np.finfo(np.float32).min, m1)
                s1 = np.where(none, np.finfo(np.float32).max, s1)
                for saved, number in ((top, m1), (total, s1)):
                    (saved[:, n] if layout == "TND" else saved[b, n])[a:e] = number
    for view, number in zip(call.outs, (top, total, None, out), strict=True):
        if number is not None:
            store(view, number)
    if layout == "TND":
        _uncovered(call, spans)


def _uncovered(call: Call, spans: Sequence[tuple[int, int, int, int]]) -> None:
    """Rows behind the last sample have nothing to attend to."""
    end = max((e for _, e, _, _ in spans), default=0)
    top, total = (logical(call.outs[i]) for i in (0, 1))
    top[end:], total[end:] = np.finfo(np.float32).min, np.finfo(np.float32).max


def count_heads(k: np.ndarray, layout: str, size: int) -> int:
    """How many heads key and value have."""
    if layout in ("BSH", "SBH"):
        return k.shape[-1] // max(size, 1)
    return k.shape[1] if layout in ("BNSD", "TND") else k.shape[2]


def head_size(x: np.ndarray, layout: str, heads: int) -> int:
    return x.shape[-1] // max(heads, 1) if layout in ("BSH", "SBH") else x.shape[-1]


def _with_rope(
    x: np.ndarray, rope: np.ndarray | None, layout: str, b: int, head: int, size: int
) -> np.ndarray:
    """A head with its rope part behind."""
    part = head_of(x, layout, b, head, size)
    if rope is None:
        return part
    heads = x.shape[-1] // size if layout in ("BSH", "SBH") else 1
    behind = head_of(rope, layout, b, head, rope.shape[-1] // heads)
    return np.concatenate([part, behind], axis=1)


def shifted(
    products: np.ndarray,
    shift: np.ndarray | None,
    scale: Any,
    first: bool,
    b: int,
    n: int,
    rows: np.ndarray,
    columns: np.ndarray,
) -> np.ndarray:
    """Products of a block as scores."""
    if shift is None:
        return products * scale
    added = pick(shift, b, n, rows, columns)
    return (products + added) * scale if first else products * scale + added


def dropout(
    bits: np.ndarray, shape: Sequence[int], b: int, n: int, attrs: Mapping[str, Any]
) -> Callable[[np.ndarray, np.ndarray], Any]:
    """The factor of each weight, by the bit of its number."""
    heads, height, width = shape

    def keep(rows: np.ndarray, columns: np.ndarray) -> Any:
        number = ((b * heads + n) * height + rows) * width + columns
        bit = bits[number // 8] >> (number % 8).astype(np.uint8) & 1
        return bit / np.float32(attrs["keep_prob"])

    return keep


# ---------------------------------------------------------------------------------- inference


def _blocks(pool: np.ndarray, row: Sequence[int], head: int, size: int) -> np.ndarray:
    """One head of a sample from its blocks, one behind the other."""
    parts = [
        pool[block][:, head * size : (head + 1) * size] if pool.ndim == 3 else pool[block][head]
        for block in row
    ]
    return np.concatenate(parts) if parts else np.zeros((0, size), pool.dtype)


def _length(view: View | None, sample: int, batch: int, whole: int) -> int:
    """The length of one of `batch` samples; one number serves all."""
    if view is None:
        return whole
    numbers = view.data.reshape(-1)
    if numbers.size not in (1, batch):
        raise Refusal("lengths do not fit the samples", found=numbers.size, expected=batch)
    if (numbers < 0).any():
        raise Refusal("lengths of the samples are negative", found=numbers.tolist(), expected="≥ 0")
    return int(numbers[sample if numbers.size > 1 else 0])


def _infer(call: Call, slots: Mapping[str, int], op_type: str) -> tuple[np.ndarray, np.ndarray]:
    """Values in the layout of the result, and log-sum-exp per row."""
    attrs = call.attrs
    need_unconnected(call, op_type, *slots.values())
    whole = any(not is_float(v.data.dtype) for i in range(3) for v in call.many(i))
    refuse_where(whole, "quantised attention is not evaluated", expected="float operands")
    shift_kind = attrs.get("pse_type", 0)
    message = "slopes are not evaluated"
    refuse_where(shift_kind not in (0, 1), message, found=shift_kind, expected="pse_type 0")
    layout, _, result = attrs["input_layout"].partition("_")
    heads = attrs["num_heads"]
    shared = attrs["num_key_value_heads"] or heads
    q = wide(logical(call.arg(0)))
    pools = [[wide(logical(x)) for x in call.many(i)] for i in (1, 2)]
    options = {name: call.opt(slot) for name, slot in slots.items()}
    table = options.get("table")
    if table is not None:
        found = logical(table).tolist()
        count = min(len(pool[0]) for pool in pools)
        if not all(0 <= block < count for row in found for block in row):
            raise Refusal("block_table does not name blocks of the pool", found=found)
    if table is not None and options["keys"] is None:
        message = "a pool of blocks needs the lengths of the samples"
        raise Refusal(message, expected="actual lengths")
    mask, shift = (
        None if options[name] is None else wide(logical(call.arg(slots[name])))
        for name in ("mask", "shift")
    )
    mode, out = attrs.get("sparse_mode", 0), call.outs[0]
    size_q = head_size(q, layout, heads)
    if table is None:
        size_v = head_size(pools[1][0], layout, shared)
    else:
        size_v = pools[1][0].shape[-1] // (shared if pools[1][0].ndim == 3 else 1)
    batch, height = q.shape[0], q.shape[AXES[layout][0]]
    values = np.zeros(out.shape, q.dtype)
    sums = np.zeros((batch, heads, height, 1), q.dtype)
    scale = q.dtype.type(attrs.get("scale_value", attrs.get("scale")))
    for b in range(batch):
        for n in range(heads):
            m = n * shared // heads
            if table is not None:
                k, v = (
                    _blocks(p[0], table.data[b], m, s)
                    for p, s in zip(pools, (size_q, size_v), strict=True)
                )
            else:
                at = [p[b] if len(p) > 1 else p[0] for p in pools]
                sample = 0 if len(pools[0]) > 1 else b
                k, v = (head_of(x, layout, sample, m, head_size(x, layout, shared)) for x in at)
            rows = _length(options.get("rows"), b, batch, height)
            keys = _length(options["keys"], b, batch, len(k))
            masked = by_mode(
                mode,
                _for_sample(mask, b, attrs),
                (rows, keys) if mode >= 2 else (height, len(k)),
                (attrs.get("pre_tokens", 0), attrs.get("next_tokens", 0)),
            )
            found, top, total = _flash(
                head_of(q, layout, b, n, size_q)[:rows],
                k[:keys],
                v[:keys],
                lambda r, j, p, b=b, n=n: shifted(p, shift, scale, False, b, n, r, j),
                lambda r, j, b=b, n=n, masked=masked: masked(b, n, r, j),
            )
            head_of(values, result or layout, b, n, size_v)[:rows] = found
            sums[b, n] = np.inf
            sums[b, n, :rows] = np.where(total == 0, np.inf, top + np.log(total))
    return values, sums


def _for_sample(
    mask: np.ndarray | None, sample: int, attrs: Mapping[str, Any]
) -> np.ndarray | None:
    """A mask without an axis of heads as one that has it."""
    if mask is None or mask.ndim == 4:
        return mask
    if mask.ndim == 3:
        return mask[:, None]
    return mask if "sparse_mode" in attrs else mask[:, None, None]


@kernel("PromptFlashAttention")
def prompt_flash_attention(call: Call) -> None:
    """All positions of a prompt."""
    slots = {"shift": 3, "mask": 4, "rows": 5, "keys": 6}
    store(call.outs[0], _infer(call, slots, "PromptFlashAttention")[0])


@kernel("IncreFlashAttention")
def incre_flash_attention(call: Call) -> None:
    """One new position against a cache."""
    slots = {"shift": 3, "mask": 4, "keys": 5, "table": 13}
    store(call.outs[0], _infer(call, slots, "IncreFlashAttention")[0])


@kernel("FusedInferAttentionScore")
def fused_infer_attention_score(call: Call) -> None:
    """Either, with the logarithm of each row's sum on demand."""
    slots = {"shift": 3, "mask": 4, "rows": 5, "keys": 6, "table": 14}
    values, sums = _infer(call, slots, "FusedInferAttentionScore")
    store(call.outs[0], values)
    if call.attrs["softmax_lse_flag"]:
        store(call.outs[1], sums)
