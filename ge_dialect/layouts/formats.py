"""Names, numbers and axis letters of GE's tensor formats.

A format names how the axes of a tensor lie in memory. *Origin* formats are permutations of axis
letters (NCHW, NDHWC …); *heavy* formats cut axes into the blocks the cube unit reads. The numbers
are GE's enumeration; `pack_format` puts a primary format, its group count and its C0 into the one
int32 that GE stores.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from ge_dialect.diagnostics import Diagnostic, GeError
from ge_dialect.dtypes import FORMATS


class LayoutLike(Protocol):
    """What this package reads of a layout: `ge_dialect.ir.LayoutAttr` or a `Layout` tuple."""

    @property
    def format(self) -> str: ...
    @property
    def origin(self) -> str | None: ...
    @property
    def groups(self) -> int: ...
    @property
    def c0(self) -> int | None: ...


class Layout(NamedTuple):
    """A plain layout value for code that works without the IR.

    `origin` is the axis order of the logical tensor (None: by rank), `groups` the convolution
    groups packed into a fractal weight, `c0` the block size when it does not follow from the
    element type.
    """

    format: str
    origin: str | None = None
    groups: int = 1
    c0: int | None = None


class LayoutError(GeError, ValueError):
    """A tensor cannot lie in the layout asked for (GX-514); the text says why."""

    def __init__(self, text: str) -> None:
        super().__init__(Diagnostic("GX-514", text))
        self.text = text

    def __str__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[type[LayoutError], tuple[str]]:
        return LayoutError, (self.text,)


FORMAT_NUMBERS = FORMATS
FORMAT_NAMES: dict[int, str] = {number: name for name, number in FORMATS.items()}

ORIGIN_FORMATS = frozenset(
    ("NCHW", "NHWC", "HWCN", "CHWN", "NCDHW", "NDHWC", "DHWCN", "DHWNC", "ND")
)
NZ_FORMATS = frozenset(("FRACTAL_NZ", *(f"FRACTAL_NZ_C0_{n}" for n in (2, 4, 8, 16, 32))))
HEAVY_FORMATS = NZ_FORMATS | {
    "NC1HWC0",
    "NC1HWC0_C04",
    "C1HWNCoC0",
    "C1HWC0",
    "FRACTAL_Z",
    "FRACTAL_Z_C04",
    "FRACTAL_Z_WINO",
    "NDC1HWC0",
    "FRACTAL_Z_3D",
    "FRACTAL_Z_3D_TRANSPOSE",
    "FRACTAL_ZN_LSTM",
    "FRACTAL_ZZ",
}
GROUPED_FORMATS = frozenset(("FRACTAL_Z", "FRACTAL_Z_3D"))

# C0 fixed by the format itself, whatever the element type.
FIXED_C0: dict[str, int] = {"NC1HWC0_C04": 4} | {f"FRACTAL_NZ_C0_{n}": n for n in (2, 4, 8, 16, 32)}

# Axes that the dims of a tensor of lower rank stand for; the other axes of the origin format become
# 1.
EXPAND_AXES: dict[str, dict[int, str]] = {
    "NCHW": {1: "C", 2: "CH", 3: "CHW"},
    "NHWC": {1: "C", 2: "HW", 3: "HWC"},
    "HWCN": {1: "C", 2: "CN", 3: "WCN"},
    "CHWN": {1: "C", 2: "WN", 3: "HWN"},
    "NCDHW": {1: "C", 2: "HW", 3: "DHW", 4: "CDHW"},
    "NDHWC": {1: "C", 2: "WC", 3: "HWC", 4: "DHWC"},
    "DHWCN": {1: "C", 2: "CN", 3: "WCN", 4: "HWCN"},
    "DHWNC": {1: "C", 2: "NC", 3: "WNC", 4: "HWNC"},
}


def is_heavy(fmt: str) -> bool:
    """Whether `fmt` cuts axes into blocks (so that storage is more than a permutation)."""
    return fmt in HEAVY_FORMATS


def default_origin(rank: int) -> str:
    """Origin format of a logical tensor that names none: NCHW for rank 4, NCDHW for rank 5, else
    ND.
    """
    return {4: "NCHW", 5: "NCDHW"}.get(rank, "ND")


def pack_format(primary: str, groups: int = 1, c0: int | None = None) -> int:
    """GE's int32 of a format: number, groups (0 and 1 mean none) at bit 8, log2(C0) + 1 at bit 24.

    Raises LayoutError for an unknown name, a group count over 65535 or a C0 that is no power of two
    up to 256.
    """
    if primary not in FORMAT_NUMBERS:
        raise LayoutError(f"unknown format {primary!r}")
    if not 0 <= groups <= 0xFFFF:
        raise LayoutError(f"group count {groups} does not fit 16 bits")
    code = 0
    if c0 is not None:
        code = c0.bit_length()
        if c0 <= 0 or c0 & (c0 - 1) or code > 9:
            raise LayoutError(f"C0 must be a power of two up to 256, found {c0}")
    return FORMAT_NUMBERS[primary] | (groups if groups > 1 else 0) << 8 | code << 24


def unpack_format(packed: int) -> Layout:
    """Inverse of `pack_format`; groups 0 is read as 1, a missing C0 as None."""
    number, code = packed & 0xFF, packed >> 24 & 0xF
    if number not in FORMAT_NAMES:
        raise LayoutError(f"unknown format number {number}")
    groups = packed >> 8 & 0xFFFF
    return Layout(FORMAT_NAMES[number], None, max(groups, 1), 1 << (code - 1) if code else None)
