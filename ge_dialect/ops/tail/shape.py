"""Shapes: operators as data; see `ge_dialect.ops.from_data` for the form."""

from __future__ import annotations

from typing import Any

# fmt: off
OPS: dict[str, dict[str, Any]] = {
    "BroadcastArgs": {
        "doc": "Broadcast of two shape vectors.",
        "in": "x1: IndexNumberType; x2: IndexNumberType",
        "out": "y: IndexNumberType",
    },
    "BroadcastGradientArgs": {
        "doc": "Reduction axes for gradients of a broadcast.",
        "in": "x1: IndexNumberType; x2: IndexNumberType",
        "out": "y1: IndexNumberType; y2: IndexNumberType",
    },
    "FlattenV2": {
        "doc": "Flattens the axes in [axis,end_axis].",
        "in": "x: ANY",
        "out": "y: ANY",
        "attrs": (("axis", "Int", 1), ("end_axis", "Int", -1)),
    },
    "GatherShapes": {
        "doc": "Picks dims of several inputs into one vector.",
        "in": "x*: ANY",
        "out": "shape: IndexNumberType",
        "attrs": (("axes", "ListListInt"), ("dtype", "Int", 3)),
    },
    "Permute": {
        "doc": "Permutes axes by attribute `order` (Caffe).",
        "in": "x: float16, float32",
        "out": "y: float16, float32",
        "attrs": (("order", "ListInt", [0]),),
    },
    "ShapeN": {
        "doc": "Shapes of N tensors.",
        "in": "x*: ANY",
        "out": "y*: IndexNumberType",
        "attrs": (("dtype", "Int", 3),),
    },
    "SqueezeV2": {
        "doc": "Squeeze used for internal graphs; `axis` attribute.",
        "in": "x: ANY",
        "out": "y: ANY",
        "attrs": (("axis", "ListInt", []),),
    },
    "UnsqueezeV2": {
        "doc": "Unsqueeze used for internal graphs; `axis` attribute.",
        "in": "x: ANY",
        "out": "y: ANY",
        "attrs": (("axis", "ListInt", []),),
    },
}
# fmt: on
