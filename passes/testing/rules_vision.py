"""Hints for operators that sample images at computed places."""

from __future__ import annotations

from typing import Any

from passes.testing.rules import Call, existing, hint
from passes.testing.scope import Scope, Value
from passes.testing.spec import Literal


def _image(scope: Scope, call: Call, name: str, rank: int) -> Value:
    """An input with elements along every axis, or one without."""
    return call.main(scope, name, rank)


@hint("GridSampler2D", "GridSampler3D")
def _grid_sampler(scope: Scope, call: Call) -> None:
    spatial = 2 if call.op.endswith("2D") else 3
    x = _image(scope, call, "x", spatial + 2)
    dims = (x.dims[0], *(1 + scope.choose(3) for _ in range(spatial)), spatial)
    call.put("grid", existing(scope, dims, x.dtype) or scope.fresh(dims, x.dtype))
    call.attrs.update(
        interpolation_mode=scope.pick(("bilinear", "nearest", "bicubic")),
        padding_mode=scope.pick(("zeros", "border", "reflection")),
    )


@hint("AffineGrid")
def _affine_grid(scope: Scope, call: Call) -> None:
    spatial = 2 + scope.choose(2)
    batch = 1 + scope.choose(2)
    dtype = scope.dtype(
        [d for d in call.allowed("theta") if d in scope.knobs.dtypes] or ["float32"]
    )
    call.put("theta", scope.fresh((batch, spatial, spatial + 1), dtype))
    sizes = (batch, 1, *(1 + scope.choose(3) for _ in range(spatial)))
    call.put("output_size", scope.vector(sizes))


@hint("ROIAlign")
def _roi_align(scope: Scope, call: Call) -> Any:
    import numpy as np

    from ge_dialect.dtypes import numpy_dtype, to_xdsl

    x = _image(scope, call, "features", 4)
    if not x.size:
        return False
    # the first column is the number of an image
    boxes = np.array([[0, 0, 0, 2, 2], [0, 1, 1, 3, 2.5]])[: 1 + scope.choose(2)]
    call.put("rois", scope.held(Literal.of(boxes.astype(numpy_dtype(to_xdsl(x.dtype))))))
    call.put("rois_n", None)
    call.attrs.update(
        spatial_scale=scope.pick((1.0, 0.5)),
        pooled_height=1 + scope.choose(2),
        pooled_width=1 + scope.choose(2),
        sample_num=scope.choose(3),
        roi_end_mode=scope.choose(3),
        pool_mode=scope.pick(("avg", "max")),
    )
    return None


@hint("ROIPooling")
def _roi_pooling(scope: Scope, call: Call) -> Any:
    import numpy as np

    from ge_dialect.dtypes import numpy_dtype, to_xdsl

    x = _image(scope, call, "x", 4)
    if not x.size:
        return False
    boxes = np.array([[0, 0, 0, 2, 2], [0, 1, 1, 3, 2.5]])[: 1 + scope.choose(2)]
    call.put("roi_actual_num", None)
    if scope.choose(2):  # by image
        boxes = np.stack([boxes.T] * x.dims[0])
        if scope.choose(2):
            count = np.full((x.dims[0], 8), 1, np.int32)
            call.put("roi_actual_num", scope.held(Literal.of(count)))
    call.put("rois", scope.held(Literal.of(boxes.astype(numpy_dtype(to_xdsl(x.dtype))))))
    call.attrs.update(
        pooled_h=1 + scope.choose(3),
        pooled_w=1 + scope.choose(2),
        spatial_scale_h=scope.pick((1.0, 0.5)),
        spatial_scale_w=scope.pick((1.0, 0.75)),
    )
    return None


@hint("PSROIPooling", "PSROIPoolingV2")
def _position_sensitive(scope: Scope, call: Call) -> Any:
    import numpy as np

    from ge_dialect.dtypes import numpy_dtype, to_xdsl

    size, channels = 1 + scope.choose(2), 1 + scope.choose(2)
    dtype = scope.dtype([d for d in call.allowed("x") if d in scope.knobs.dtypes] or ["float32"])
    batch = 1 + scope.choose(2)
    dims = (batch, channels * size * size, 2 + scope.choose(2), 3)
    call.put("x", existing(scope, dims, dtype) or scope.fresh(dims, dtype))
    count = 0 if 0 in scope.palette.base else 1 + scope.choose(2)
    boxes = np.array([[0, 0, 0, 2, 2], [0, 1, 1, 3, 2.5]])[:count]
    boxes = np.stack([boxes.T] * batch).astype(numpy_dtype(to_xdsl(dtype)))
    call.put("rois", scope.held(Literal.of(boxes)))
    call.attrs.update(spatial_scale=scope.pick((1.0, 0.5)), output_dim=channels, group_size=size)
    return None


@hint("DeformableConv2D")
def _deformable(scope: Scope, call: Call) -> Any:
    x = _image(scope, call, "x", 4)
    nhwc = scope.choose(2) == 1
    channel, h, w = (3, 1, 2) if nhwc else (1, 2, 3)
    c = x.dims[channel]
    if 0 in x.dims:
        return False
    kernel = 1 + scope.choose(min(2, x.dims[h], x.dims[w]))
    out = 1 + scope.choose(3)
    modulated = scope.choose(2) == 0
    shape = (kernel, kernel, c, out) if nhwc else (out, c, kernel, kernel)
    call.put("filter", scope.fresh(shape, x.dtype))
    count = kernel * kernel * (3 if modulated else 2)
    places = (x.dims[h] - kernel + 1, x.dims[w] - kernel + 1)
    dims = (x.dims[0], *places, count) if nhwc else (x.dims[0], count, *places)
    call.put("offsets", scope.fresh(dims, x.dtype))
    call.put("bias", scope.fresh((out,), x.dtype) if scope.choose(2) else None)
    call.attrs.update(
        strides=(1, 1, 1, 1),
        pads=(0, 0, 0, 0),
        dilations=(1, 1, 1, 1),
        groups=1,
        data_format="NHWC" if nhwc else "NCHW",
        deformable_groups=1,
        modulated=modulated,
    )
    return None


@hint("HostCol2Im")
def _col2im(scope: Scope, call: Call) -> None:
    allowed = [d for d in call.allowed("x") if d in scope.knobs.dtypes] or call.allowed("x")
    image = (2 + scope.choose(2), 2 + scope.choose(3))
    positions = (image[0] - 1) * (image[1] - 1)
    dims = (1 + scope.choose(2), 4 * (1 + scope.choose(2)), positions)
    dtype = scope.dtype([d for d in allowed if d != "complex64"] or allowed)
    call.put("x", existing(scope, dims, dtype) or scope.fresh(dims, dtype))
    call.put("image_shape", scope.vector(image))
    call.put("block_shape", scope.vector((2, 2)))
