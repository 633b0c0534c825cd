"""ONNX rules: sampling of images by grids and boxes, columns back to images."""

from __future__ import annotations

from ge_dialect.importers.onnx_graph import Refused
from ge_dialect.importers.onnx_node import Node
from ge_dialect.importers.onnx_rules import Outputs, rule


@rule("GridSample", "16 20 22")
def grid_sample(n: Node) -> Outputs:
    """GridSampler2D or GridSampler3D; since 20 the modes have names without a dimension."""
    rank = n.rank(0)
    if rank not in (4, 5):
        raise Refused(f"{rank - 2} spatial dims are not supported")
    modes = {"linear": "bilinear", "cubic": "bicubic"}
    mode = n.string("mode", "bilinear" if n.since < 20 else "linear")
    attrs = {
        "interpolation_mode": modes.get(mode, mode),
        "padding_mode": n.string("padding_mode", "zeros"),
        "align_corners": bool(n.int("align_corners", 0)),
    }
    return n.emit(f"GridSampler{rank - 2}D", [n.x(0), n.x(1)], attrs)


@rule("AffineGrid", "20")
def affine_grid(n: Node) -> Outputs:
    """AffineGrid."""
    return n.emit(
        "AffineGrid", [n.x(0), n.x(1)], {"align_corners": bool(n.int("align_corners", 0))}
    )


@rule("RoiAlign", "10 16 22")
def roi_align(n: Node) -> Outputs:
    """ROIAlign, whose boxes carry the number of their image in front."""
    default = "output_half_pixel" if n.since < 16 else "half_pixel"
    half = n.string("coordinate_transformation_mode", default) == "half_pixel"
    number = n.cast(n.x(2), n.elem(1), "ImageNumber")
    number = n.emit("Unsqueeze", [number], {"axes": [1]}, role="ImageColumn")
    boxes = n.emit("ConcatD", [[number, n.x(1)]], {"concat_dim": 1, "N": 2}, role="Boxes")
    attrs = {
        "spatial_scale": n.float("spatial_scale", 1.0),
        "pooled_height": n.int("output_height", 1),
        "pooled_width": n.int("output_width", 1),
        "sample_num": n.int("sampling_ratio", 0),
        "roi_end_mode": 2 if half else 0,
        "pool_mode": n.string("mode", "avg"),
    }
    return n.emit("ROIAlign", [n.x(0), boxes, None], attrs)


@rule("MaxRoiPool", "1 22")
def max_roi_pool(n: Node) -> Outputs:
    """ROIPooling, one scale for both axes."""
    height, width = n.int_list("pooled_shape") or [0, 0]
    scale = n.float("spatial_scale", 1.0)
    attrs = {"pooled_h": height, "pooled_w": width}
    attrs |= {"spatial_scale_h": scale, "spatial_scale_w": scale}
    return n.emit("ROIPooling", [n.x(0), n.x(1), None], attrs)


@rule("Col2Im", "18")
def col2im(n: Node) -> Outputs:
    """HostCol2Im: the sizes are inputs, and there may be any number of them."""
    attrs = {k: v for k in ("strides", "pads", "dilations") if (v := n.int_list(k)) is not None}
    return n.emit("HostCol2Im", [n.x(0), n.x(1), n.x(2)], attrs)
