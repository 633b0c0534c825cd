"""Sampling of images at computed places.

Places come as grids of normalised coordinates, as boxes, or as offsets to the taps of a filter.
Between elements values are interpolated.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import ge_name
from ge_dialect.infer.dims import UNKNOWN, merge_dim, product, require_rank, show
from ge_dialect.infer.errors import DTYPE, LENGTH, SHAPE, SIZE
from ge_dialect.infer.window import (
    CHANNEL,
    require_at_least_zero,
    require_length,
    require_positive,
    spatial_axes,
    window_output,
)
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import bool_, float_, int_, ints, opt_tin, string, tin, tout
from ge_dialect.ir.types import tensor_type
from ge_dialect.ops._bases import REAL
from ge_dialect.ops.conv import FILTER_AXES, check_bias, check_lists, filter_positions

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode


def _require_elements(n: InferNode, what: str, dims: Sequence[int]) -> None:
    """An error where an axis that is read from is empty."""
    if 0 in dims:
        n.fail(f"{what} has nothing to sample", found=show(tuple(dims)), expected="≥ 1", code=SIZE)


INTERPOLATION = ("bilinear", "nearest", "bicubic")
PADDING = ("zeros", "border", "reflection")


def _grid_sampled(n: InferNode, spatial: int) -> Sequence[Attribute]:
    for name, allowed in (("interpolation_mode", INTERPOLATION), ("padding_mode", PADDING)):
        if n.attr(name) not in allowed:
            n.fail(f"{name} is not supported", found=n.attr(name), expected=", ".join(allowed))
    x, grid = n.shape("x"), n.shape("grid")
    require_rank(x, spatial + 2, "x")
    require_rank(grid, spatial + 2, "grid")
    batch, channels, places = UNKNOWN, UNKNOWN, (UNKNOWN,) * spatial
    if x is not None:
        batch, channels = x[:2]
        _require_elements(n, "x", x[2:])
    if grid is not None:
        batch = merge_dim(batch, grid[0], "batches of x and grid")
        places = grid[1:-1]
        if grid[-1] not in (spatial, UNKNOWN):
            n.fail("grid has no coordinates", found=grid[-1], expected=spatial, code=SHAPE)
    return (tensor_type((batch, channels, *places), n.elem("x")),)


@ge_op
class GridSample(GeOp):
    """GridSampler2D or GridSampler3D by the rank of x; x with channels last is not evaluated."""

    name = "ge.GridSample"
    TYPES: ClassVar = {"T": REAL}  # beyond float16 and float32 assumed

    x = tin("T")
    grid = tin(REAL)
    y = tout("T")
    interpolation_mode = string("bilinear")
    padding_mode = string("zeros")
    align_corners = bool_(False)
    channel_last = bool_(False)
    scheduler_mode = int_(1)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, grid = n.shape("x"), n.shape("grid")
        if n.attr("channel_last"):
            return (tensor_type(None, n.elem("x")),)
        rank = len(shape or grid or ()) - 2
        if shape is None and grid is None:
            return (tensor_type(None, n.elem("x")),)
        if rank not in (2, 3):
            n.fail("x has the wrong rank", found=rank + 2, expected="4 or 5", code="GX-220")
        return _grid_sampled(n, rank)


@ge_op
class GridSampler2D(GeOp):
    """x [N, C, H, W] sampled at grid [N, H', W', 2] of coordinates (x, y).

    -1 and 1 are the middles of the end elements with `align_corners`, else their outer edges.
    `padding_mode` says what lies beyond. nearest rounds halves to even; bicubic has the slope
    -0.75. The prototype is not in the public data (assumed).
    """

    name = "ge.GridSampler2D"
    TYPES: ClassVar = {"T": REAL}

    x = tin("T")
    grid = tin(REAL)
    y = tout("T")
    interpolation_mode = string("bilinear")
    padding_mode = string("zeros")
    align_corners = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _grid_sampled(n, 2)


@ge_op
class GridSampler3D(GeOp):
    """x [N, C, D, H, W] sampled at grid [N, D', H', W', 3] of coordinates (x, y, z).

    As GridSampler2D; bicubic along three axes is ours, on the host engine. The prototype is not in
    the public data (assumed).
    """

    name = "ge.GridSampler3D"
    TYPES: ClassVar = {"T": REAL}

    x = tin("T")
    grid = tin(REAL)
    y = tout("T")
    interpolation_mode = string("bilinear")
    padding_mode = string("zeros")
    align_corners = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _grid_sampled(n, 3)


@ge_op
class AffineGrid(GeOp):
    """Grid for GridSampler of the places theta [N, r, r + 1] · (coordinates, 1), r = 2 or 3.

    `output_size` is the shape [N, C, *spatial] of what will be sampled; the result is
    [N, *spatial, r]. Coordinates go from -1 to 1, the last axis first. The prototype is not in the
    public data (assumed).
    """

    name = "ge.AffineGrid"
    TYPES: ClassVar = {"T": REAL}

    theta = tin("T")
    output_size = tin("IndexNumberType")
    y = tout("T")
    align_corners = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        theta = n.shape("theta")
        require_rank(theta, 3, "theta")
        length, sizes = n.vector_length("output_size"), n.ints("output_size")
        if length not in (None, 4, 5):
            what = "output_size has the wrong number of entries"
            n.fail(what, found=length, expected="4 or 5", code=LENGTH)
        spatial = UNKNOWN if length is None else length - 2
        batch = UNKNOWN if theta is None else theta[0]
        if theta is not None:
            spatial = merge_dim(spatial, theta[1], "dims of theta and output_size")
            if spatial >= 0:
                merge_dim(theta[2], spatial + 1, "columns of theta")
            elif theta[2] >= 0:
                spatial = theta[2] - 1
        if spatial not in (2, 3, UNKNOWN):
            n.fail("theta has the wrong size", found=spatial, expected="2 or 3 rows", code=SHAPE)
        if sizes is not None:
            if any(s < 1 for s in sizes):
                n.fail("output_size must be positive", found=list(sizes), expected="≥ 1")
            batch = merge_dim(batch, sizes[0], "batches of theta and output_size")
            return (tensor_type((batch, *sizes[2:], spatial), n.elem("theta")),)
        shape = None if spatial < 0 else (batch, *(UNKNOWN,) * spatial, spatial)
        return (tensor_type(shape, n.elem("theta")),)


@ge_op
class CropAndResize(GeOp):
    """Boxes cut from images x [N, H, W, C], each sampled at crop_size points: [K, h, w, C].

    boxes [K, 4] are y1, x1, y2, x2, where 0 and 1 are the middles of the end elements; y2 < y1
    turns the crop over. The points go from one side to the other, a single one is in the middle.
    `nearest` takes halves upwards. A point outside of the image is `extrapolation_value`. That y
    has the dtype of boxes is assumed.
    """

    name = "ge.CropAndResize"
    TYPES: ClassVar = {"B": "float16, float32"}

    x = tin("SignedDataType, float16, float32, float64, uint8, uint16")
    boxes = tin("B")
    box_index = tin("int32")
    crop_size = tin("int32")
    y = tout("B")
    extrapolation_value = float_(0.0)
    method = string("bilinear")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        if n.attr("method") not in ("bilinear", "nearest"):
            found = n.attr("method")
            n.fail("method is not supported", found=found, expected="bilinear, nearest")
        x, boxes, index = n.shape("x"), n.shape("boxes"), n.shape("box_index")
        for name, shape, rank in (("x", x, 4), ("boxes", boxes, 2), ("box_index", index, 1)):
            require_rank(shape, rank, name)
        length, sizes = n.vector_length("crop_size"), n.ints("crop_size")
        if length not in (None, 2):
            n.fail("crop_size has the wrong length", found=length, expected=2, code=LENGTH)
        if sizes is not None and any(s < 1 for s in sizes):
            n.fail("crop_size must be positive", found=list(sizes), expected="≥ 1")
        if x is not None:
            _require_elements(n, "x", x[1:3])
        count = UNKNOWN if boxes is None else boxes[0]
        if boxes is not None and boxes[1] not in (4, UNKNOWN):
            n.fail("a box has four numbers", found=show(boxes), expected="?x4", code=SHAPE)
        if index is not None:
            count = merge_dim(count, index[0], "numbers of boxes and box_index")
        images, known = UNKNOWN if x is None else x[0], n.ints("box_index")
        if known is not None and images >= 0 and any(not 0 <= i < images for i in known):
            n.fail(
                "a box names an image there is not", found=list(known), expected=f"below {images}"
            )
        depth = UNKNOWN if x is None else x[3]
        return (tensor_type((count, *(sizes or (UNKNOWN, UNKNOWN)), depth), n.elem("boxes")),)


@ge_op
class ROIAlign(GeOp):
    """Interpolated samples of features [N, C, H, W] in boxes, pooled to a fixed size.

    rois [K, 5] holds an image number and the corners x1, y1, x2, y2, times `spatial_scale`. Each of
    pooled_height·pooled_width bins has `sample_num`² samples, with 0 as many as ceil(box / pooled)
    a side. `roi_end_mode` 0 takes boxes of at least 1·1 as they are, 1 adds one to the ends, 2
    moves corners by -½ and lets boxes shrink. `pool_mode` avg is the mean of the samples, max the
    largest weighted neighbour of any (Caffe2's and ONNX's meaning). Samples more than one element
    outside are zero.
    """

    name = "ge.ROIAlign"
    TYPES: ClassVar = {"T": "FLOAT, float64"}  # beyond float16 and float32 assumed

    features = tin("T")
    rois = tin("T")
    rois_n = opt_tin("int32")
    y = tout("T")
    spatial_scale = float_()
    pooled_height = int_()
    pooled_width = int_()
    sample_num = int_(2)
    roi_end_mode = int_(1)
    pool_mode = string("avg")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        x, rois = n.shape("features"), n.shape("rois")
        require_rank(x, 4, "features")
        require_rank(rois, 2, "rois")
        if x is not None:
            _require_elements(n, "features", (x[0], *x[2:]))
        if rois is not None and rois[1] not in (5, UNKNOWN):
            n.fail("rois has the wrong number of columns", found=rois[1], expected=5, code=SHAPE)
        size = [n.attr("pooled_height"), n.attr("pooled_width")]
        require_positive(size, "pooled_height and pooled_width")
        require_at_least_zero([n.attr("sample_num")], "sample_num")
        scale = n.attr("spatial_scale")
        if not 0 < scale < float("inf"):
            n.fail("spatial_scale must be positive", found=scale, expected="a number > 0")
        for name, allowed in (("roi_end_mode", (0, 1, 2)), ("pool_mode", ("avg", "max"))):
            if n.attr(name) not in allowed:
                n.fail(f"{name} is not supported", found=n.attr(name), expected=allowed)
        count = UNKNOWN if rois is None else rois[0]
        channels = UNKNOWN if x is None else x[1]
        return (tensor_type((count, channels, *size), n.elem("features")),)


@ge_op
class DeformableConv2D(GeOp):
    """Convolution whose filter elements read at places moved by `offsets`, zero outside of x.

    Offsets have, for each of `deformable_groups` of channels and each filter element, the channels:
    all moves along x, then all along y, then, if `modulated`, all factors of the values read.
    """

    name = "ge.DeformableConv2D"
    TYPES: ClassVar = {"T": "FLOAT, float64"}  # beyond float16 and float32 assumed

    x = tin("T")
    filter = tin("T")
    offsets = tin("T")
    bias = opt_tin("T")
    y = tout("T")
    strides = ints()
    pads = ints()
    dilations = ints([1, 1, 1, 1])
    groups = int_(1)
    data_format = string("NHWC")
    deformable_groups = int_(1)
    modulated = bool_(True)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        data_format = n.attr("data_format")
        spatial, channel = spatial_axes(data_format), CHANNEL.get(data_format, 1)
        x, filter_, offsets = n.shape("x"), n.shape("filter"), n.shape("offsets")
        for name, shape in (("x", x), ("filter", filter_), ("offsets", offsets)):
            require_rank(shape, 4, name)
            if n.elem(name) != n.elem("x"):
                n.fail(f"x and {name} differ in dtype", found=n.elem(name), code=DTYPE)
        if x is not None:
            _require_elements(n, "x", [x[a] for a in spatial])
        lists = check_lists(n, spatial, 4)
        groups, parts = n.attr("groups"), n.attr("deformable_groups")
        require_positive([groups, parts], "groups and deformable_groups")
        x, filter_, offsets = (s or (UNKNOWN,) * 4 for s in (x, filter_, offsets))
        out_channels, per_group, *kernel = (filter_[a] for a in FILTER_AXES[data_format])
        for what, count, divisor in (
            ("input channels", x[channel], parts),
            ("output channels", out_channels, groups),
        ):
            if count >= 0 and count % divisor:
                n.fail(
                    f"{what} do not divide into groups", found=count, expected=divisor, code=SHAPE
                )
        if per_group >= 0:
            merge_dim(x[channel], per_group * groups, "channels of x and filter")
        elements = product(kernel)
        if elements >= 0:
            wanted = elements * parts * (3 if n.attr("modulated") else 2)
            merge_dim(offsets[channel], wanted, "channels of offsets and what the filter needs")
        check_bias(n, out_channels)
        out = [merge_dim(x[0], offsets[0], "batches of x and offsets")] * 4
        out[channel] = out_channels
        for k, axis in enumerate(spatial):
            size = filter_positions(lists, axis, k, x[axis], kernel[k])
            out[axis] = merge_dim(size, offsets[axis], "places of the filter and of offsets")
        return (tensor_type(out, n.elem("x")),)


@ge_op
class HostCol2Im(GeOp):
    """Sums columns back into images: x [N, C·window, L] gives [N, C, *image_shape].

    The transpose of taking windows of `block_shape`. `pads` are all begins, then all ends; L counts
    the positions. Not GE's: an operator of the host engine for ONNX's Col2Im, whose sizes are
    inputs.
    """

    name = "ge.HostCol2Im"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    image_shape = tin("IndexNumberType")
    block_shape = tin("IndexNumberType")
    y = tout("T")
    strides = ints(opt=True)
    pads = ints(opt=True)
    dilations = ints(opt=True)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        x = n.shape("x")
        require_rank(x, 3, "x")
        if ge_name(n.elem("x")).startswith("string"):
            n.fail("strings have no sum", found="string", expected="numbers", code=DTYPE)
        image, block = n.ints("image_shape"), n.ints("block_shape")
        rank = n.vector_length("image_shape")
        other = n.vector_length("block_shape")
        if None not in (rank, other) and rank != other:
            n.fail("image_shape and block_shape differ", found=other, expected=rank, code=LENGTH)
        rank = other if rank is None else rank
        for name, factor in (("strides", 1), ("dilations", 1), ("pads", 2)):
            values = n.attr(name)
            if values is not None:
                if rank is not None:
                    require_length(values, factor * rank, name)
                (require_at_least_zero if name == "pads" else require_positive)(values, name)
        lead = [UNKNOWN, UNKNOWN] if x is None else [x[0], UNKNOWN]
        if block is not None:
            require_positive(block, "block_shape")
        if block is not None and x is not None and x[1] >= 0:
            size = product(block)
            if x[1] % size:
                expected = f"a multiple of {size}"
                n.fail("x does not divide into windows", found=x[1], expected=expected, code=SHAPE)
            lead[1] = x[1] // size
        if rank is None:
            return (tensor_type(None, n.elem("x")),)
        if image is not None:
            require_at_least_zero(image, "image_shape")
            _check_positions(n, image, block, x)
        spatial = image if image is not None else (UNKNOWN,) * rank
        return (tensor_type((*lead, *spatial), n.elem("x")),)


def _check_positions(
    n: InferNode,
    image: Sequence[int],
    block: Sequence[int] | None,
    x: tuple[int, ...] | None,
) -> None:
    if block is None:
        return
    rank = len(image)
    strides, dilations = n.attr("strides") or [1] * rank, n.attr("dilations") or [1] * rank
    pads = n.attr("pads") or [0] * (2 * rank)
    count = product(
        window_output(image[i], block[i], strides[i], pads[i], pads[i + rank], dilations[i])
        for i in range(rank)
    )
    if x is not None:
        merge_dim(x[2], count, "columns of x and positions of the window")
