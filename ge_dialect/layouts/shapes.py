"""Storage shapes: how large a logical tensor is in a layout.

No numpy here: passes, planners and the cost model ask these questions while nothing is being
computed. Unknown dims are -1 and make every product they enter -1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import gcd, lcm
from typing import TYPE_CHECKING, Any

from ge_dialect.layouts.formats import (
    EXPAND_AXES,
    FIXED_C0,
    GROUPED_FORMATS,
    NZ_FORMATS,
    ORIGIN_FORMATS,
    LayoutError,
    LayoutLike,
    default_origin,
)

if TYPE_CHECKING:
    from xdsl.dialects.builtin import TensorType

ROWS = 16  # rows of a fractal block: N0 of weights, M0 of matrices
_C0_BY_BITS = {8: 32, 4: 64, 2: 128, 1: 256}


def element_bits(elem: Any) -> int:
    """Bits of one element of `elem`: a GE dtype name ("float16"), a numpy dtype or an xDSL type.
    Bool counts 8.
    """
    from ge_dialect import dtypes

    if isinstance(elem, str):
        elem = dtypes.to_xdsl(elem)
    elif not hasattr(elem, "verify"):  # a numpy dtype; xDSL attributes all have `verify`
        name = str(getattr(elem, "name", elem))
        return (
            4
            if name in ("int4", "uint4")
            else 2
            if name in ("int2", "uint2")
            else elem.itemsize * 8
        )
    return dtypes.bits(elem)


def c0_of(elem: Any, layout: LayoutLike | None = None) -> int:
    """Block size C0 of an element type in a layout.

    Precedence: fixed by the format (NC1HWC0_C04, FRACTAL_NZ_C0_x), then `layout.c0`, then K0 of the
    element type (16; 32 for 8-bit types, 64, 128, 256 for 4, 2, 1 bits). `elem` as for
    `element_bits`.
    """
    if layout is not None:
        if layout.format in FIXED_C0:
            return FIXED_C0[layout.format]
        if layout.c0 is not None:
            return layout.c0
    return _C0_BY_BITS.get(element_bits(elem), 16)


def ceil_div(a: int, b: int) -> int:
    """ceil(a / b); -1 when `a` is unknown."""
    return -1 if a < 0 else -(-a // b)


def product(dims: Sequence[int]) -> int:
    """Product of dims; -1 when one is unknown."""
    result = 1
    for dim in dims:
        if dim < 0:
            return -1
        result *= dim
    return result


def origin_of(rank: int, layout: LayoutLike) -> str:
    """Axis order of a logical tensor of this rank in `layout`.

    A layout without origin takes NCHW or NCDHW by rank; tensors of lower rank are ND, except that
    formats with a channel block read them as NCHW (a bias of 64 in NC1HWC0 is its C axis).
    """
    if layout.origin is not None:
        return layout.origin
    origin = default_origin(rank)
    if origin == "ND" and rank < 4 and layout.format in ("NC1HWC0", "NC1HWC0_C04", "C1HWC0"):
        return "NCHW"
    if origin == "ND" and rank < 5 and layout.format in ("NDC1HWC0", "FRACTAL_Z_3D"):
        return "NCDHW"
    if rank == 4 and layout.format == "NDC1HWC0":
        return "NCHW"
    return origin


def named_dims(shape: Sequence[int], origin: str, fmt: str) -> dict[str, int]:
    """Dims by axis letter after lifting a tensor of lower rank to its origin format; missing axes
    are 1.

    Raises LayoutError when rank and origin format do not fit each other.
    """
    if origin == "ND" and len(shape) == 4:
        origin = "NCHW"
    if origin not in EXPAND_AXES:
        raise LayoutError(
            f"format {fmt} needs named axes; a rank-{len(shape)} {origin} tensor has none"
        )
    axes = origin if len(shape) == len(origin) else EXPAND_AXES[origin].get(len(shape))
    if axes is None:
        raise LayoutError(f"rank {len(shape)} does not fit origin format {origin}")
    dims = dict.fromkeys(origin, 1)
    dims.update(zip(axes, shape, strict=True))
    dims.setdefault("D", 1)
    return dims


def group_packing(c: int, n: int, groups: int, c0: int) -> tuple[int, int, int, int]:
    """How a grouped filter packs: (E, G', C1', N').

    `c` is the channel count per group, `n` all output channels. E groups share one block (as many
    as fill both block axes), G' blocks of groups follow each other, each with C1' channel blocks
    and N' output channels.
    """
    if n < groups or n % groups:
        raise LayoutError(f"{n} output channels do not divide into {groups} groups")
    cout = n // groups
    enlarge = min(lcm(c0 // gcd(c, c0), ROWS // gcd(cout, ROWS)), groups)
    return enlarge, ceil_div(groups, enlarge), ceil_div(c * enlarge, c0), cout * enlarge


def _fractal_z(d: Mapping[str, int], layout: LayoutLike, c0: int) -> tuple[int, ...]:
    n, c, depth, h, w = (d[a] for a in "NCDHW")
    groups = layout.groups
    if groups > 1:
        if n < 0 or c < 0:
            return (-1, -1, ROWS, c0)
        _, blocks, c1, n_block = group_packing(c, n, groups, c0)
        return (product((blocks, c1, depth, h, w)), ceil_div(n_block, ROWS), ROWS, c0)
    return (product((ceil_div(c, c0), depth, h, w)), ceil_div(n, ROWS), ROWS, c0)


def _fractal_nz(shape: Sequence[int], c0: int) -> tuple[int, ...]:
    if len(shape) == 1:  # GE's graph compiler reads a vector as a column; see docs/layouts.md
        return (1, ceil_div(shape[0], ROWS), ROWS, c0)
    *batch, m, n = shape
    return (*batch, ceil_div(n, c0), ceil_div(m, ROWS), ROWS, c0)


def _by_axes(
    fmt: str, d: Mapping[str, int], layout: LayoutLike, origin: str, c0: int
) -> tuple[int, ...]:
    n, c, depth, h, w = (d[a] for a in "NCDHW")
    c1, n1 = ceil_div(c, c0), ceil_div(n, ROWS)
    if depth != 1 and "3D" not in fmt and fmt != "NDC1HWC0":
        raise LayoutError(f"format {fmt} has no place for axis D of size {depth}")
    if fmt in ("NC1HWC0", "NC1HWC0_C04"):
        return (n, c1, h, w, c0)
    if fmt == "NDC1HWC0":
        return (n, depth, c1, h, w, c0)
    if fmt == "C1HWC0":
        return (ceil_div(n, c0), h, w, c0)
    if fmt == "C1HWNCoC0":
        return (c1, h, w, n1, c0, c0)
    if fmt in ("FRACTAL_Z", "FRACTAL_Z_3D"):
        return _fractal_z(d, layout, c0)
    if fmt == "FRACTAL_Z_3D_TRANSPOSE":
        if origin == "DHWNC":  # the host's own route, with the roles of N and C swapped
            return (product((depth, ceil_div(n, c0), h, w)), ceil_div(c, ROWS), ROWS, c0)
        return (product((depth, h, w, n1)), c1, ROWS, c0)
    if fmt == "FRACTAL_Z_C04":
        if c > 4:
            raise LayoutError(f"FRACTAL_Z_C04 holds at most 4 channels, found {c}")
        return (ceil_div(product((4, h, w)), c0), n1, ROWS, c0)
    if fmt == "FRACTAL_Z_WINO":
        return (c1, n1, 2, product((h, w)), 8, c0)
    if fmt == "FRACTAL_ZN_LSTM":
        if n < 0 or c < 0:
            return (-1, -1, ROWS, ROWS)
        hidden = n // 4
        rows = ceil_div(c - hidden, ROWS) + ceil_div(hidden, ROWS)
        return (rows, 4 * ceil_div(hidden, ROWS), ROWS, ROWS)
    raise LayoutError(f"no storage rule for format {fmt}")


def storage_shape(shape: Sequence[int], elem: Any, layout: LayoutLike | None) -> tuple[int, ...]:
    """Shape in storage of a logical tensor.

    shape: logical dims, -1 unknown. elem: element type as for `element_bits` (only its C0 matters).
    layout: None and ND leave the shape as it is, as does rank 0.
    Raises LayoutError when the format has no rule for this rank, origin or group count.
    """
    shape = tuple(shape)
    if layout is None or layout.format == "ND" or not shape:
        return shape
    fmt = layout.format
    if layout.groups > 1 and fmt not in GROUPED_FORMATS:
        raise LayoutError(f"format {fmt} has no groups, found {layout.groups}")
    origin = origin_of(len(shape), layout)
    if fmt in ORIGIN_FORMATS:
        order = permutation(len(shape), origin, fmt)
        return shape if order is None else tuple(shape[i] for i in order)
    c0 = c0_of(elem, layout)
    if fmt in NZ_FORMATS:
        return _fractal_nz(shape, c0)
    if fmt == "FRACTAL_ZZ":
        if len(shape) < 2:
            raise LayoutError("FRACTAL_ZZ needs rank 2 or more")
        *batch, h, w = shape
        return (*batch, ceil_div(h, c0), ceil_div(w, c0), c0, c0)
    if origin == "ND" and fmt == "FRACTAL_Z":
        if len(shape) == 2:
            return (ceil_div(shape[0], c0), ceil_div(shape[1], ROWS), ROWS, c0)
        if len(shape) != 4:
            raise LayoutError(f"FRACTAL_Z of an ND tensor needs rank 2 or 4, found {len(shape)}")
    return _by_axes(fmt, named_dims(shape, origin, fmt), layout, origin, c0)


def permutation(rank: int, origin: str, fmt: str) -> tuple[int, ...] | None:
    """Order in which the axes of an `origin` tensor lie in the permuted format `fmt`; None: as they
    are.

    Tensors of lower rank than the format, and ND tensors that are no rank-4 image, stay as they are
    (GE does the same).
    """
    if origin == "ND" and rank == 4 and len(fmt) == 4:
        origin = "NCHW"
    if fmt in ("ND", origin) or origin == "ND" or rank != len(origin) or len(fmt) != len(origin):
        return None
    return tuple(origin.index(axis) for axis in fmt)


@lru_cache(maxsize=65536)
def storage_bytes(tensor: TensorType) -> int:
    """Bytes a tensor occupies in its layout, without alignment; -1 when a dim or the rank is
    unknown.

    Types under a byte are packed over the whole tensor. A string counts its 16-byte head.
    """
    from ge_dialect.ir import elem_of, layout_of, shape_of

    shape = shape_of(tensor)
    if shape is None:
        return -1
    count = product(storage_shape(shape, elem_of(tensor), layout_of(tensor)))
    return -1 if count < 0 else -(-count * element_bits(elem_of(tensor)) // 8)


def reserved_bytes(size: int, pad: int = 32) -> int:
    """Bytes GE reserves for a tensor of `size` bytes: never zero, so that its address is not null;
    -1 stays unknown.
    """
    if size < 0:
        return -1
    return max((size + 32 + pad - 1) // 32 * 32, 32)
