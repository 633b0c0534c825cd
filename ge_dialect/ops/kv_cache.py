"""Latent keys and values on their way into a cache.

Source: the prototype and the public description of KvRmsNormRopeCache.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import ge_name
from ge_dialect.infer.dims import UNKNOWN, merge_dim, product, require_rank
from ge_dialect.infer.errors import DTYPE, SHAPE
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.effects import Effects
from ge_dialect.ir.fields import bool_, float_, opt_tin, ref_in, ref_out, string, tin, tout
from ge_dialect.ir.types import ref_type, tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_PAGED = ("PA", "PA_BNSD")
_MODES = ("Norm", *_PAGED, "PA_NZ", "PA_BLK_BNSD", "PA_BLK_NZ")
_BOTH = ("k_cache", "ckv_cache")


@ge_op
class KvRmsNormRopeCache(GeOp):
    """RmsNorm of one part of kv, rotary embedding of the other, both written to caches.

    kv is [batch, heads, tokens, size]. The first numbers of a token, as many as gamma has, become
    c_kv = x / sqrt(mean(x²) + epsilon) · gamma; of the others k_rope is made: their even places,
    then the odd ones, times cos, plus the negated odd ones, then the even ones, times sin.

    In the `cache_mode` Norm the caches are [batch, heads, places, size], and index[b, t] is the
    place of token t in row b. In PA (or PA_BNSD) they are [blocks, block_size, heads, size], and
    index has a place in all blocks for each token, b by b. A negative place is left out. Both
    results are given whatever `is_output_kv` says. Caches of int8, and modes with other layouts,
    are carried, not evaluated.
    """

    name = "ge.KvRmsNormRopeCache"
    TYPES: ClassVar = {"T": "FLOAT", "K": "FLOAT, int8", "C": "FLOAT, int8"}
    EFFECTS: ClassVar = Effects.writes(*_BOTH, reads=_BOTH)

    kv = tin("T")
    gamma = tin("T")
    cos = tin("T")
    sin = tin("T")
    index = tin("int64")
    k_cache = ref_in("K")
    ckv_cache = ref_in("C")
    k_rope_scale = opt_tin("float32")
    c_kv_scale = opt_tin("float32")
    k_rope_offset = opt_tin("float32")
    c_kv_offset = opt_tin("float32")
    v = opt_tin("FLOAT")
    k_cache_ = ref_out("K", name="k_cache")
    ckv_cache_ = ref_out("C", name="ckv_cache")
    k_rope = tout("T")
    c_kv = tout("T")
    epsilon = float_(1e-5)
    cache_mode = string("Norm")
    is_output_kv = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        mode, kv, gamma = n.attr("cache_mode"), n.shape("kv"), n.shape("gamma")
        if mode not in _MODES:
            n.fail("cache_mode is not supported", found=mode, expected=", ".join(_MODES))
        require_rank(kv, 4, "kv")
        require_rank(gamma, 1, "gamma")
        batch, heads, tokens, size = (UNKNOWN,) * 4 if kv is None else kv
        normed = UNKNOWN if gamma is None else gamma[0]
        known = UNKNOWN not in (size, normed)
        turned = size - normed if known else UNKNOWN
        if known and (turned < 0 or turned % 2):
            found = f"{size} numbers, {normed} of them for gamma"
            n.fail("what is turned has no pairs", found=found, expected="an even rest", code=SHAPE)
        for name in ("cos", "sin"):
            _turns(n, name, (batch, 1, tokens, turned))
        for name, width in (("k_cache", turned), ("ckv_cache", normed)):
            _cache(n, name, batch, heads, width)
        _index(n, batch, tokens)
        refs = [ref_type(n.logical(name)) for name in _BOTH]
        shapes = ((batch, heads, tokens, width) for width in (turned, normed))
        return [*refs, *(tensor_type(s, n.elem("kv")) for s in shapes)]


def _turns(n: InferNode, name: str, want: tuple[int, ...]) -> None:
    """Check cos or sin: for each token, or the same for all tokens of a batch."""
    given = n.shape(name)
    require_rank(given, 4, name)
    if given is None:
        return
    for axis, (have, dim) in enumerate(zip(given, want, strict=True)):
        if axis == 2 and have == 1:
            continue
        merge_dim(dim, have, f"axis {axis} of {name} and kv")


def _cache(n: InferNode, name: str, batch: int, heads: int, width: int) -> None:
    given, elem = n.shape(name), ge_name(n.elem(name))
    if elem != "int8" and n.elem(name) != n.elem("kv"):
        expected = f"{ge_name(n.elem('kv'))} or int8"
        n.fail(f"{name} has another dtype than kv", found=elem, expected=expected, code=DTYPE)
    require_rank(given, 4, name)
    if given is None or n.attr("cache_mode") not in ("Norm", *_PAGED):
        return
    if n.attr("cache_mode") == "Norm" and 0 <= given[0] < batch:
        n.fail(f"{name} has fewer rows than kv", found=given[0], expected=f"≥ {batch}", code=SHAPE)
    merge_dim(heads, given[1 if n.attr("cache_mode") == "Norm" else 2], f"heads of kv and {name}")
    merge_dim(width, given[3], f"numbers of a token and {name}")


def _index(n: InferNode, batch: int, tokens: int) -> None:
    index, mode = n.shape("index"), n.attr("cache_mode")
    if mode == "Norm":
        require_rank(index, 2, "index")
        if index is not None:
            merge_dim(batch, index[0], "batches of kv and index")
            merge_dim(tokens, index[1], "tokens of kv and index")
    elif mode in _PAGED:
        require_rank(index, 1, "index")
        if index is not None:
            merge_dim(product((batch, tokens)), index[0], "tokens of kv and index")
