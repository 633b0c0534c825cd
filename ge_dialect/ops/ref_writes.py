"""Writes into parts of a variable: by index tuples, by a slice, into a paged cache.

Sources: TensorFlow's ScatterNdUpdate and ResourceStridedSliceAssign; the public document of
aclnnScatterPaKvCache.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.infer.broadcast import broadcast_to
from ge_dialect.infer.dims import UNKNOWN, merge_dim, refine, require_rank
from ge_dialect.infer.errors import LENGTH
from ge_dialect.infer.slicing import strided_slice_shape
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.effects import Effects
from ge_dialect.ir.fields import bool_, int_, ints, opt_tin, ref_in, ref_out, string, tin
from ge_dialect.ir.types import ref_type
from ge_dialect.ops.scatter import slices_shape

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_INDEX = "IndexNumberType"
_ANY = "BasicType, bool, float8_e4m3fn, float8_e5m2, hifloat8"
_MASKS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")


@ge_op
class ScatterNdUpdate(GeOp):
    """var takes the slices `updates` at the index tuples along the last axis of indices.

    Of several slices for one place the last one stays; an index outside var is an error.
    """

    name = "ge.ScatterNdUpdate"
    TYPES: ClassVar = {"T": _ANY}  # the headers' list lost a group: assumed
    EFFECTS: ClassVar = Effects.writes("var", reads=("var",))

    var = ref_in("T")
    indices = tin(_INDEX)
    updates = tin("T")
    var_ = ref_out("T", name="var")
    use_locking = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        want = slices_shape(n, n.shape("var"), n.shape("indices"), "indices")
        refine(n.shape("updates"), want, "updates and the slices of var")
        return (ref_type(n.logical("var")),)


@ge_op
class StridedSliceAssign(GeOp):
    """var takes input_value where StridedSlice by the same bounds and masks would read.

    input_value stretches to the slice (assumed).
    """

    name = "ge.StridedSliceAssign"
    TYPES: ClassVar = {"T": _ANY}  # the dtypes of the headers are those of another slot: assumed
    EFFECTS: ClassVar = Effects.writes("var", reads=("var",))

    var = ref_in("T")
    begin = tin(_INDEX)
    end = tin(_INDEX)
    strides = tin(_INDEX)
    input_value = tin("T")
    var_ = ref_out("T", name="var")
    begin_mask = int_(0)
    end_mask = int_(0)
    ellipsis_mask = int_(0)
    new_axis_mask = int_(0)
    shrink_axis_mask = int_(0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        names = ("begin", "end", "strides")
        lengths = {v for name in names if (v := n.vector_length(name)) is not None}
        if len(lengths) > 1:
            n.fail(
                "begin, end and strides differ in length",
                found=sorted(lengths),
                expected="equal lengths",
                code=LENGTH,
            )
        masks = [n.attr(name) for name in _MASKS]
        if any(m < 0 for m in masks):
            n.fail("a mask is negative", found=masks, expected="bit masks")
        bounds = [n.ints(name) for name in names]
        if None not in bounds:
            read = strided_slice_shape(n.shape("var"), bounds[0], bounds[1], bounds[2], *masks)
            broadcast_to(n.shape("input_value"), read)
        return (ref_type(n.logical("var")),)


@ge_op
class ScatterPaKvCache(GeOp):
    """Keys and values of new tokens go to their slots of a paged cache.

    key and value are [tokens, heads, size], the caches [blocks, block_size, heads, size]; token t
    goes to place slot_mapping[t] of all blocks in a row. A negative slot is left out (assumed).
    Only cache_mode "Norm" with scatter_mode "None" is evaluated.
    """

    name = "ge.ScatterPaKvCache"
    TYPES: ClassVar = {
        "T": (
            "int8, uint8, hifloat8, float8_e5m2, float8_e4m3fn, int16, uint16, float16, bfloat16, "
            "int32, uint32, float32"
        )
    }
    EFFECTS: ClassVar = Effects.writes(
        "key_cache", "value_cache", reads=("key_cache", "value_cache")
    )

    key = tin("T")
    key_cache = ref_in("T")
    slot_mapping = tin(_INDEX)
    value = tin("T")
    value_cache = ref_in("T")
    compress_lens = opt_tin(_INDEX)
    compress_seq_offset = opt_tin(_INDEX)
    seq_lens = opt_tin(_INDEX)
    key_cache_ = ref_out("T", name="key_cache")
    value_cache_ = ref_out("T", name="value_cache")
    cache_mode = string("Norm")
    scatter_mode = string("None")
    strides = ints([1, 1])
    offsets = ints([0, 0])

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        refs = [ref_type(n.logical(name)) for name in ("key_cache", "value_cache")]
        if n.attr("cache_mode") != "Norm" or n.attr("scatter_mode") != "None":
            return refs
        slots = n.shape("slot_mapping")
        require_rank(slots, 1, "slot_mapping")
        for name in ("key", "value"):
            shape, cache = n.shape(name), n.shape(f"{name}_cache")
            require_rank(shape, 3, name)
            require_rank(cache, 4, f"{name}_cache")
            if shape is not None:
                tokens = UNKNOWN if slots is None else slots[0]
                merge_dim(shape[0], tokens, f"tokens of {name} and slot_mapping")
                if cache is not None:
                    refine(shape[1:], cache[2:], f"heads of {name} and its cache")
        return refs
