"""Written-down calls of pooling with places and of moved samples.

The form is that of `rules_templates`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_POOL: dict[str, Any] = {"ksize": (1, 2, 3, 1), "strides": (1, 2, 1, 1), "pads": (1, 1, 1, 1)}
_BARE: dict[str, Any] = {"ksize": (1, 2, 2, 1), "strides": (1, 1, 2, 1), "pads": (1, 0, 0, 1)}
_WIDE: dict[str, Any] = {**_BARE, "dilation": (1, 2, 1, 1), "ceil_mode": True}
_NHWC: dict[str, Any] = {
    "strides": (1, 1, 2, 1),
    "pads": (0, 1, 0, 1),
    "ksize": (2, 1),
    "data_format": "NHWC",
}
_PLAIN: dict[str, Any] = {
    "strides": (1, 1, 1, 1),
    "pads": (0, 0, 0, 0),
    "ksize": (1, 2),
    "deformable_groups": 2,
    "modulated": False,
}

VISION: dict[str, Sequence[tuple[str, dict[str, Any]]]] = {
    "MaxPoolWithArgmaxV1": (("x:N,C,4,5", _POOL), ("x:N,C,3,5", _BARE), ("x:N,C,4,4", _WIDE)),
    "MaxPoolGradWithArgmaxV1": (
        ("x:N,C,4,5; grad:N,C,3,5; argmax:N,C,3,5::<20", _POOL),
        ("x:N,C,3,5; grad:N,C,2,2; argmax:N,C,2,2::<15", _BARE),
        ("x:N,C,4,4; grad:N,C,2,2; argmax:N,C,2,2::<16", _WIDE),
    ),
    "Col2im": (
        (
            "x:N,C,4,6; output_size:2:int32:=3,4",
            {"kernel_size": (2, 2), "dilation": (1, 1), "padding": (0, 0), "stride": (1, 1)},
        ),
        (
            "x:N,C,2,6; output_size:2:int32:=3,3",
            {"kernel_size": (2, 1), "dilation": (2, 1), "padding": (1, 1), "stride": (2, 2)},
        ),
    ),
    "DeformableOffsets": (
        ("x:N,3,4,C; offsets:N,3,3,6", _NHWC),
        ("x:N,4,3,4; offsets:N,8,3,3", _PLAIN),
    ),
    "DeformableOffsetsGrad": (
        ("grad:N,6,3,C; x:N,3,4,C; offsets:N,3,3,6", _NHWC),
        ("grad:N,4,3,6; x:N,4,3,4; offsets:N,8,3,3", _PLAIN),
    ),
}
