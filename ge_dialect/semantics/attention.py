"""Golden meaning of fused attention: all scores at once, as the formulas stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import F32, Array, int_list, kind, matmul, widen
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]
_LOWEST, _HIGHEST = np.finfo(F32).min, np.finfo(F32).max


class Rows(NamedTuple):
    """Attention of some rows: values, and maximum and sum of each row's scores."""

    out: Array
    top: Array
    total: Array


def apart(x: Array, layout: str, heads: int) -> Array:
    """A tensor of heads as (batch, heads, positions, size)."""
    if layout == "SBH":
        x, layout = x.swapaxes(0, 1), "BSH"
    if layout == "TND":
        x, layout = x[None], "BSND"
    if layout == "BSH":
        size = x.shape[2] // heads if heads else 0
        x = x.reshape(x.shape[0], x.shape[1], heads, size)
    return x if layout == "BNSD" else x.swapaxes(1, 2)


def together(x: Array, layout: str) -> Array:
    """The inverse of `apart`."""
    if layout == "BNSD":
        return x
    x = x.swapaxes(1, 2)
    if layout == "TND":
        return x[0]
    if layout == "BSND":
        return x
    x = x.reshape(*x.shape[:2], -1) if x.size else x.reshape(*x.shape[:2], x.shape[2] * x.shape[3])
    return x.swapaxes(0, 1) if layout == "SBH" else x


def left_out(mode: int, mask: Array | None, rows: int, columns: int, band: tuple[int, int]) -> Any:
    """Which scores a sparse mode leaves out: booleans that stretch to (…, rows, columns)."""
    if mode < 2:
        return False if mask is None else widen(mask) != 0
    distance = np.arange(columns)[None, :] - np.arange(rows)[:, None]
    if mode == 2:
        return distance > 0
    distance = distance - (columns - rows)
    if mode == 3:
        return distance > 0
    return (distance < -band[0]) | (distance > band[1])


def attend(q: Array, k: Array, v: Array, scores: Any, out: Any, keep: Any = None) -> Rows:
    """Attention of (B, N, S1, D) to (B, N2, S2, D); `scores` turns products into scores.

    out: which scores are left out. keep: factors of the weights (dropout).
    """
    group = q.shape[1] // max(k.shape[1], 1)
    k, v = (np.repeat(x, group, axis=1) for x in (k, v))
    s = scores(matmul(q, k.swapaxes(2, 3)))
    s = np.where(out, -np.inf, s)
    top = np.max(s, axis=-1, keepdims=True, initial=-np.inf)
    empty = np.isneginf(top)
    weights = np.exp(s - np.where(empty, 0, top))
    total = weights.sum(axis=-1, keepdims=True)
    if keep is not None:
        weights = weights * keep
    y = weighted(weights, v, out) / np.where(empty, 1, total)
    return Rows(np.where(empty, 0, y).astype(q.dtype), top, total)


def weighted(weights: Array, v: Array, out: Any) -> Array:
    """weights @ v, in which what is left `out` is not read: no zero meets its infinities."""
    if np.isfinite(v).all():
        return matmul(weights, v)
    y = np.zeros((*weights.shape[:3], v.shape[3]), np.result_type(weights, v))
    out = np.broadcast_to(out, weights.shape)
    for j in range(v.shape[2]):
        part = weights[..., j, None] * v[:, :, None, j]
        y += np.where(out[..., j, None], y.dtype.type(0), part)
    return y


_FLASH = (
    "query key value real_shift drop_mask padding_mask atten_mask prefix actual_seq_qlen "
    "actual_seq_kvlen q_start_idx kv_start_idx d_scale_q d_scale_k d_scale_v query_rope key_rope "
    "sink p_scale"
).split()
_FLASH_READ = frozenset(
    "query key value real_shift drop_mask atten_mask actual_seq_qlen actual_seq_kvlen query_rope "
    "key_rope".split()
)


@semantics("FlashAttentionScore")
def flash_attention_score(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
    """Attention with dropout; maxima and sums of the rows for the gradient."""
    given: dict[str, Any] = dict(zip(_FLASH, args, strict=True))
    for name, value in given.items():
        if value is not None and name not in _FLASH_READ:
            ctx.fail(f"{name} is not evaluated", found="connected", expected="not connected")
    if attrs["pse_type"] not in (0, 1) or not 0 <= attrs["sparse_mode"] <= 4:
        ctx.fail(
            "this form of attention is not evaluated",
            found=f"pse_type {attrs['pse_type']}, sparse_mode {attrs['sparse_mode']}",
            expected="pse_type 0 or 1, sparse_mode 0 … 4",
        )
    if args[0].dtype.itemsize == 1:
        ctx.fail("8-bit floats are not evaluated here", found=args[0].dtype, expected="FLOAT")
    if attrs["keep_prob"] < 1 and given["drop_mask"] is None:
        ctx.fail("dropout needs drop_mask", expected="drop_mask connected or keep_prob = 1")
    layout, heads = attrs["input_layout"], attrs["head_num"]
    q = apart(widen(given["query"]), layout, heads)
    shared = given["key"].shape[-1] // max(q.shape[-1], 1) if layout in ("BSH", "SBH") else 0
    k, v = (apart(widen(given[name]), layout, shared) for name in ("key", "value"))
    if given["query_rope"] is not None:
        rope_q = apart(widen(given["query_rope"]), layout, heads)
        rope_k = apart(widen(given["key_rope"]), layout, k.shape[1])
        q, k = np.concatenate([q, rope_q], axis=-1), np.concatenate([k, rope_k], axis=-1)
    if layout == "TND":
        rows = _strung(given, q, k, v, attrs, ctx)
        saved = [np.repeat(x[0].swapaxes(0, 1), 8, axis=-1) for x in rows[1:]]
    else:
        rows = _sample(given, q, k, v, attrs, 0, ctx)
        saved = [np.repeat(x, 8, axis=-1) for x in rows[1:]]
    nothing = np.isneginf(saved[0])
    top = np.where(nothing, _LOWEST, saved[0]).astype(q.dtype)
    total = np.where(nothing, _HIGHEST, saved[1]).astype(q.dtype)
    empty = np.zeros((0, 0, 0, 0), q.dtype)
    return top, total, empty, together(rows.out, layout)


def _sample(
    given: Mapping[str, Any], q: Array, k: Array, v: Array, attrs: Attrs, first: int, ctx: Context
) -> Rows:
    """Attention of samples of one length; `first` is the number of the first bit of drop_mask."""
    scale, shift = q.dtype.type(attrs["scale_value"]), given["real_shift"]
    shift = None if shift is None else widen(shift)

    def scores(products: Array) -> Array:
        if shift is None:
            return products * scale
        added = (products + shift) * scale if attrs["pse_type"] == 1 else products * scale + shift
        return added.astype(products.dtype)

    mask = left_out(
        attrs["sparse_mode"],
        given["atten_mask"],
        q.shape[2],
        k.shape[2],
        (attrs["pre_tockens"], attrs["next_tockens"]),
    )
    keep = None
    if given["drop_mask"] is not None:
        shape = (*q.shape[:3], k.shape[2])
        bits = np.unpackbits(given["drop_mask"].reshape(-1), bitorder="little")[first:]
        if bits.size < np.prod(shape):
            ctx.fail("drop_mask has too few bits", found=bits.size, expected=np.prod(shape))
        keep = bits[: int(np.prod(shape))].reshape(shape) / q.dtype.type(attrs["keep_prob"])
        keep = keep.astype(q.dtype)
    return attend(q, k, v, scores, mask, keep)


def _strung(
    given: Mapping[str, Any], q: Array, k: Array, v: Array, attrs: Attrs, ctx: Context
) -> Rows:
    """Samples strung together, cut at the running sums of their lengths."""
    ends = [int_list(given[name]) for name in ("actual_seq_qlen", "actual_seq_kvlen")]
    if len(ends[0]) != len(ends[1]):
        ctx.fail("queries and keys are of different samples", found=[len(e) for e in ends])
    if given["real_shift"] is not None or given["drop_mask"] is not None:
        ctx.fail("real_shift and drop_mask are not evaluated with TND")
    for end, x in zip(ends, (q, k), strict=True):
        if sorted(end) != end or (end and not 0 <= end[0] <= end[-1] <= x.shape[2]):
            ctx.fail("running sums of lengths do not fit", found=end, expected=x.shape[2])
    out = np.zeros((*q.shape[:3], v.shape[3]), q.dtype)
    top = np.full((*q.shape[:3], 1), -np.inf, q.dtype)
    total = np.zeros_like(top)
    starts = [[0, *e[:-1]] for e in ends]
    for a, b, c, d in zip(starts[0], ends[0], starts[1], ends[1], strict=True):
        rows = _sample(given, q[:, :, a:b], k[:, :, c:d], v[:, :, c:d], attrs, 0, ctx)
        out[:, :, a:b], top[:, :, a:b], total[:, :, a:b] = rows
    return Rows(out, top, total)


# ---------------------------------------------------------------------------------- inference

_PROMPT = (
    "query key value pse_shift atten_mask actual_seq_lengths actual_seq_lengths_kv deq_scale1 "
    "quant_scale1 deq_scale2 quant_scale2 quant_offset2"
).split()
_STEP = (
    "query key value pse_shift atten_mask actual_seq_lengths_kv dequant_scale1 quant_scale1 "
    "dequant_scale2 quant_scale2 quant_offset2 antiquant_scale antiquant_offset block_table "
    "kv_padding_size"
).split()
_FUSED = (
    "query key value pse_shift atten_mask actual_seq_lengths actual_seq_lengths_kv dequant_scale1 "
    "quant_scale1 dequant_scale2 quant_scale2 quant_offset2 antiquant_scale antiquant_offset "
    "block_table query_padding_size kv_padding_size key_antiquant_scale key_antiquant_offset "
    "value_antiquant_scale value_antiquant_offset key_shared_prefix value_shared_prefix "
    "actual_shared_prefix_len query_rope key_rope key_rope_antiquant_scale dequant_scale_query "
    "learnable_sink q_start_idx kv_start_idx"
).split()
_READ = frozenset(
    "query key value pse_shift atten_mask actual_seq_lengths actual_seq_lengths_kv "
    "block_table".split()
)


def _pooled(pool: Array, table: Array, layout: str, heads: int, ctx: Context) -> Array:
    """Keys or values of each sample out of a pool of blocks, as (B, N, S, D)."""
    if pool.ndim == 3:
        size = pool.shape[2] // heads
        pool = pool.reshape(*pool.shape[:2], heads, size).swapaxes(1, 2)
    if table.ndim != 2 or (table.size and not 0 <= table.min() <= table.max() < len(pool)):
        ctx.fail("block_table does not name blocks of the pool", found=table.tolist())
    picked = pool[table].swapaxes(1, 2)  # batch, heads, blocks, block_size, size
    length = picked.shape[2] * picked.shape[3]
    return picked.reshape(*picked.shape[:2], length, picked.shape[-1])


def _keys(value: Any, table: Any, layout: str, heads: int, ctx: Context) -> list[Array]:
    """Keys or values as one array (B, N, S, D), or as one per sample."""
    parts = [widen(x) for x in (value if isinstance(value, list) else [value])]
    if table is not None:
        return [_pooled(parts[0], table, layout, heads, ctx)]
    return [apart(x, layout, heads) for x in parts]


def _cut(lengths: Any, batch: int, whole: int, ctx: Context) -> Array:
    """The length of each sample; one number serves all."""
    if lengths is None:
        return np.full(batch, whole)
    numbers = np.asarray(int_list(lengths))
    if numbers.size not in (1, batch):
        ctx.fail("lengths do not fit the samples", found=numbers.size, expected=batch)
    if (numbers < 0).any():
        ctx.fail("lengths of the samples are negative", found=numbers.tolist(), expected="≥ 0")
    return np.broadcast_to(numbers, (batch,))


def _inference(
    names: Sequence[str], args: list[Any], attrs: Attrs, ctx: Context
) -> tuple[Any, ...]:
    given: dict[str, Any] = dict.fromkeys(_READ)
    given.update(zip(names, args, strict=True))
    for name, value in given.items():
        if value is not None and name not in _READ:
            ctx.fail(f"{name} is not evaluated", found="connected", expected="not connected")
    if any(kind(x.dtype) != "f" for x in _tensors(args[:3])):
        ctx.fail("quantised attention is not evaluated", expected="float operands")
    if attrs.get("pse_type", 0) not in (0, 1):
        ctx.fail("slopes are not evaluated", found=attrs["pse_type"], expected="pse_type 0")
    layout, _, result = attrs["input_layout"].partition("_")
    heads = attrs["num_heads"]
    q = apart(widen(given["query"]), layout, heads)
    shared = attrs["num_key_value_heads"] or heads
    table = given["block_table"]
    k, v = (_keys(given[name], table, layout, shared, ctx) for name in ("key", "value"))
    if table is not None and given["actual_seq_lengths_kv"] is None:
        ctx.fail("a pool of blocks needs the lengths of the samples", expected="actual lengths")
    batch = q.shape[0]
    lengths_q = _cut(given["actual_seq_lengths"], batch, q.shape[2], ctx)
    outs, lses = [], []
    for b in range(batch):
        kb, vb = (x[b] if len(x) > 1 else x[0][b : b + 1] for x in (k, v))
        whole = kb.shape[2]
        length = int(_cut(given["actual_seq_lengths_kv"], batch, whole, ctx)[b])
        rows = _row(given, attrs, q[b : b + 1], kb, vb, b, int(lengths_q[b]), length)
        outs.append(rows.out)
        lses.append(np.where(np.isneginf(rows.top), np.inf, rows.top + np.log(rows.total)))
    if not outs:
        size = v[0].shape[-1]
        nothing = np.zeros((*q.shape[:3], size), q.dtype)
        return together(nothing, result or layout), np.zeros((*q.shape[:3], 1), q.dtype)
    return together(np.concatenate(outs), result or layout), np.concatenate(lses)


def _tensors(args: Sequence[Any]) -> list[Array]:
    return [x for a in args for x in (a if isinstance(a, list) else [a])]


def _of(x: Array, b: int) -> Array:
    """The part of an addend or mask that belongs to sample b."""
    return x[b : b + 1] if x.ndim == 4 and x.shape[0] > 1 else x


def _row(
    given: Mapping[str, Any],
    attrs: Attrs,
    q: Array,
    k: Array,
    v: Array,
    b: int,
    length_q: int,
    length: int,
) -> Rows:
    """Attention of one sample to its first `length` keys."""
    rows, whole = q.shape[2], k.shape[2]
    scale = q.dtype.type(attrs.get("scale_value", attrs.get("scale")))
    shift, mask = given["pse_shift"], given["atten_mask"]

    def scores(products: Array) -> Array:
        s = products * scale
        return s if shift is None else (s + _of(widen(shift), b)).astype(s.dtype)

    mode = attrs.get("sparse_mode", 0)
    if mask is not None and mode < 2:
        if mask.ndim == 2 and "sparse_mode" not in attrs:
            mask = mask[b if mask.shape[0] > 1 else 0]
        elif mask.ndim == 3:
            mask = mask[b if mask.shape[0] > 1 else 0]
        else:
            mask = _of(mask, b)
    band = (attrs.get("pre_tokens", 0), attrs.get("next_tokens", 0))
    out = left_out(mode, mask, rows if mode < 2 else length_q, whole if mode < 2 else length, band)
    if mode >= 2:
        full = np.zeros((rows, whole), bool)
        full[:length_q, :length] = out[:rows, :whole]
        out = full
    out = out | (np.arange(whole) >= length) | (np.arange(rows) >= length_q)[:, None]
    return attend(q, k, v, scores, out)


@semantics("PromptFlashAttention")
def prompt_flash_attention(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Attention of all positions of a prompt."""
    return _inference(_PROMPT, args, attrs, ctx)[0]


@semantics("IncreFlashAttention")
def incre_flash_attention(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Attention of one new position."""
    return _inference(_STEP, args, attrs, ctx)[0]


@semantics("FusedInferAttentionScore")
def fused_infer_attention_score(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Any, ...]:
    """Attention, and the logarithm of each row's sum on demand."""
    out, lse = _inference(_FUSED, args, attrs, ctx)
    return out, lse if attrs["softmax_lse_flag"] else np.zeros((0,), F32)
