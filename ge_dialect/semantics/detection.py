"""Golden meaning of the choice of boxes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import Array, scalar, widen
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]


def _corners(boxes: Array, centred: bool) -> Array:
    """Lower and upper corners (…, 4) of boxes given by two corners or by centre and size."""
    if centred:
        middle, half = boxes[..., :2], boxes[..., 2:] / boxes.dtype.type(2)
        return np.concatenate([middle - half, middle + half], axis=-1)
    a, b = boxes[..., :2], boxes[..., 2:]
    return np.concatenate([np.minimum(a, b), np.maximum(a, b)], axis=-1)


def _overlap(box: Array, others: Array) -> Array:
    """Intersection over union of one box with others; 0 where both are empty."""
    low = np.maximum(box[:2], others[:, :2])
    high = np.minimum(box[2:], others[:, 2:])
    inner = np.prod(np.maximum(high - low, 0), axis=1)
    area = np.prod(box[2:] - box[:2]) + np.prod(others[:, 2:] - others[:, :2], axis=1) - inner
    return np.where(area > 0, inner / np.where(area > 0, area, 1), 0)


def _taken(corners: Array, ranked: Array, limit: int, overlap: Any, least: Any) -> list[int]:
    """Boxes in order of score that overlap no better one too much."""
    kept: list[int] = []
    for box in np.argsort(-ranked, kind="stable"):
        if len(kept) >= limit or not ranked[box] > least:
            break
        if not (_overlap(corners[box], corners[kept]) > overlap).any():
            kept.append(int(box))
    return kept


@semantics("NonMaxSuppressionV3")
def non_max_suppression_v3(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Numbers of the boxes taken."""
    if attrs["offset"]:
        ctx.fail("an offset of boxes is not evaluated", found=attrs["offset"], expected="0")
    limit = scalar(args[2], "max_output_size", ctx)
    overlap, least = (
        scalar(widen(a), name, ctx)
        for a, name in ((args[3], "iou_threshold"), (args[4], "score_threshold"))
    )
    found = _taken(_corners(widen(args[0]), False), widen(args[1]), limit, overlap, least)
    return np.array(found, np.int32)


@semantics("NonMaxSuppressionV6")
def non_max_suppression(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Boxes in order of score that overlap no better one too much, per image and class."""
    corners, scores = _corners(widen(args[0]), bool(attrs["center_point_box"])), widen(args[1])
    images, classes, count = scores.shape
    limit = count if args[2] is None else min(scalar(args[2], "max_output_size", ctx), count)
    overlap = 0.0 if args[3] is None else scalar(widen(args[3]), "iou_threshold", ctx)
    least = -np.inf if args[4] is None else scalar(widen(args[4]), "score_threshold", ctx)
    rows: list[tuple[int, int, int]] = []
    for image in range(images):
        for group in range(classes):
            kept = _taken(corners[image], scores[image, group], limit, overlap, least)
            rows += [(image, group, box) for box in kept]
    return np.array(rows, np.int32).reshape(-1, 3)
