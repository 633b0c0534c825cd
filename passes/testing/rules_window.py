"""Hints for convolutions, pooling, normalisation, matrix products and conversions."""

from __future__ import annotations

from typing import Any

from ge_dialect.dtypes import ge_enum, to_xdsl
from passes.testing.rules import Call, existing, hint
from passes.testing.scope import Dims, Scope, Value

_FLOATS = ("float32", "float16", "bfloat16")


def _image(scope: Scope, call: Call, dtypes: tuple[str, ...] | None = None) -> Value:
    """An input of rank 4, and its data format where the operator has one."""
    x = call.main(scope, "x", 4, dtypes)
    if "data_format" in call.table.attrs:
        call.attrs["data_format"] = scope.pick(("NCHW", "NHWC"))
    return x


def _places(call: Call) -> tuple[int, tuple[int, int]]:
    """Channel axis and spatial axes."""
    return (3, (1, 2)) if call.attrs.get("data_format") == "NHWC" else (1, (2, 3))


def _spread(call: Call, first: int, second: int) -> Dims:
    """One entry per axis, 1 along batch and channels."""
    return (
        (1, first, second, 1) if call.attrs.get("data_format") == "NHWC" else (1, 1, first, second)
    )


@hint("Conv2D", "DepthwiseConv2D")
def _conv(scope: Scope, call: Call) -> Any:
    x = _image(scope, call, (*_FLOATS, "int8"))
    channel, (h, w) = _places(call)
    c = x.dims[channel]
    if not c:
        return False
    kernel = min(1 + 2 * scope.choose(2), x.dims[h] or 1, x.dims[w] or 1)
    pad = scope.choose(2)
    out = 1 + scope.choose(4)
    nhwc = call.attrs["data_format"] == "NHWC"
    if call.op == "Conv2D":
        groups = 2 if c % 2 == 0 and scope.choose(4) == 3 else 1
        out *= groups
        if groups > 1:
            call.attrs["groups"] = groups
        shape = (kernel, kernel, c // groups, out) if nhwc else (out, c // groups, kernel, kernel)
    else:
        times = 1 + scope.choose(2)
        out = c * times
        shape = (kernel, kernel, c, times) if nhwc else (out, 1, kernel, kernel)
    call.put("filter", existing(scope, shape, x.dtype) or scope.fresh(shape, x.dtype))
    bias = "int32" if x.dtype == "int8" else x.dtype
    call.put("bias", scope.fresh((out,), bias) if scope.choose(2) else None)
    call.put("offset_w", None)
    step = 1 + scope.choose(2)
    call.attrs["strides"] = _spread(call, step, step)
    call.attrs["pads"] = (pad,) * 4 if scope.choose(4) < 3 else (0, pad, pad, 0)
    call.attrs["dilations"] = (1, 1, 1, 1)
    return None


_SPATIAL = {"NCHW": (2, 3), "NHWC": (1, 2), "NCDHW": (2, 3, 4), "NDHWC": (1, 2, 3)}


def _spread_over(data_format: str, value: int) -> Dims:
    """`value` along the spatial axes of a format, 1 along batch and channels."""
    places = _SPATIAL[data_format]
    return tuple(value if i in places else 1 for i in range(len(data_format)))


@hint("Conv3D", "Conv2DTranspose", "Conv2DTransposeD", "Conv3DTranspose")
def _conv_more(scope: Scope, call: Call) -> Any:
    rank = 4 if "2D" in call.op else 5
    formats = ("NCHW", "NHWC") if rank == 4 else ("NCDHW", "NDHWC")
    x = call.main(scope, "x", rank, [d for d in call.allowed("x") if d != "int16"])
    data_format = scope.pick(formats)
    c = x.dims[data_format.index("C")]
    sizes = [x.dims[a] for a in _SPATIAL[data_format]]
    if not c or 0 in sizes:
        return False
    kernel = 1 + scope.choose(min(2, *sizes) if rank == 5 else 2)
    out = 1 + scope.choose(3)
    channels = (c, out) if "Transpose" in call.op else (out, c)
    window = (kernel,) * (rank - 2)
    shape = (*channels, *window) if data_format[1] == "C" else (*window, *channels[::-1])
    call.put("filter", scope.fresh(shape, x.dtype))
    bias = "int32" if x.dtype == "int8" else x.dtype
    call.put("bias", scope.fresh((out,), bias) if scope.choose(2) else None)
    call.args["offset_w"] = None
    step = 1 + scope.choose(2)
    pad = scope.choose(2) if kernel > 1 or "Transpose" not in call.op else 0
    call.attrs.update(
        strides=_spread_over(data_format, step),
        pads=(pad,) * (2 * (rank - 2)),
        dilations=(1,) * rank,
        data_format=data_format,
    )
    if call.op == "Conv2DTransposeD":
        call.attrs["input_size"] = (0,) * rank
    elif "Transpose" in call.op:
        call.put("input_size", scope.vector((0,) * rank))
    return None


@hint("Conv2DBackpropInput")
def _conv_gradient(scope: Scope, call: Call) -> Any:
    grad = call.main(scope, "out_backprop", 4)
    data_format = scope.pick(("NCHW", "NHWC"))
    if not grad.size:
        return False
    kernel, channels = 1 + scope.choose(2), 1 + scope.choose(3)
    c = grad.dims[data_format.index("C")]
    window = (kernel, kernel)
    first = data_format == "NCHW"
    shape = (c, channels, *window) if first else (*window, channels, c)
    call.put("filter", scope.fresh(shape, grad.dtype))
    sizes = list(grad.dims)
    sizes[data_format.index("C")] = channels
    for axis in _SPATIAL[data_format]:
        sizes[axis] += kernel - 1
    call.put("input_size", scope.vector(tuple(sizes)))
    call.attrs.update(strides=(1,) * 4, pads=(0,) * 4, data_format=data_format)
    return None


@hint("AdaptiveAvgPool2d")
def _adaptive_pool(scope: Scope, call: Call) -> Any:
    x = call.main(scope, "x", range(3, 5))
    call.attrs["output_size"] = (1 + scope.choose(3), 1 + scope.choose(3))
    return None if 0 not in x.dims[-2:] else False


@hint("MaxPool3D", "AvgPool3D", "MaxPool3DWithArgmaxV2")
def _pool_3d(scope: Scope, call: Call) -> None:
    call.main(scope, "x", 5)
    data_format = scope.pick(("NCDHW", "NDHWC"))
    size = 1 + scope.choose(2)
    call.attrs.update(
        ksize=_spread_over(data_format, size),
        strides=_spread_over(data_format, 1 + scope.choose(2)),
        pads=(0,) * 6 if size == 1 else (scope.choose(2),) * 6,
        data_format=data_format,
    )
    if call.op == "MaxPool3D":
        call.attrs["padding"] = scope.pick(("SAME", "VALID", "CALCULATED"))


@hint("MaxPool", "AvgPool", "MaxPoolV3", "AvgPoolV2", "MaxPoolWithArgmax")
def _pool(scope: Scope, call: Call) -> None:
    _image(scope, call)
    size = 2 + scope.choose(2)
    call.attrs["ksize"] = _spread(call, size, size)
    step = 1 + scope.choose(2)
    call.attrs["strides"] = _spread(call, step, step)
    if "padding" in call.table.attrs:
        call.attrs["padding"] = scope.pick(("SAME", "VALID"))
        return
    kind = scope.choose(4)
    if kind == 0:
        call.attrs["pads"] = (scope.choose(2),) * 4
    elif kind < 3:
        call.attrs["padding_mode"] = ("SAME", "VALID")[kind - 1]
    else:
        call.attrs["global_pooling"] = True


@hint("Resize", "ResizeNearestNeighborV2", "ResizeBilinearV2")
def _resize(scope: Scope, call: Call) -> Any:
    x = call.main(scope, "x", 4)
    if not x.size:
        return False  # an axis without elements cannot grow
    sides = tuple(1 + (d + scope.choose(4)) % 6 for d in x.dims[2:])
    if call.op == "Resize":
        call.args.update(roi=None, scales=None)
        call.put("sizes", scope.vector((*x.dims[:2], *sides)))
        call.attrs["mode"] = scope.pick(("nearest", "linear", "cubic"))
    else:
        call.put("size", scope.vector(sides, ("int32",)))
    return None


@hint("BatchNorm", "BNInfer")
def _batch_norm(scope: Scope, call: Call) -> Any:
    x = call.main(scope, "x", range(2, 5))
    if call.op == "BatchNorm":
        call.attrs["data_format"] = scope.pick(("NCHW", "NHWC"))
        call.attrs["is_training"] = scope.choose(4) == 3
    last = call.attrs.get("data_format") == "NHWC"
    dims = (x.dims[-1] if last else x.dims[1],)
    names = ["scale", "offset", "mean", "variance"]
    if call.attrs.get("is_training"):
        del names[2:]
        call.args.update(mean=None, variance=None)
    for name in names:
        domain = ("positive",) if name == "variance" else ("any",)
        call.put(name, scope.fresh(dims, "float32", domain))
    if call.op == "BNInfer":
        call.attrs["epsilon"] = scope.pick((0.001, 1.0))


@hint("GlobalAveragePool", "LRN")
def _ranked(scope: Scope, call: Call) -> None:
    _image(scope, call)


@hint("BiasAdd")
def _bias_add(scope: Scope, call: Call) -> None:
    x = call.main(scope, "x", range(2, 5))
    call.attrs["data_format"] = scope.pick(("NHWC", "NCHW"))
    dims = (x.dims[-1] if call.attrs["data_format"] == "NHWC" else x.dims[1],)
    call.put("bias", existing(scope, dims, x.dtype) or scope.fresh(dims, x.dtype))


@hint("MatMul", "MatMulV2", "MatMulV3", "BatchMatMul", "BatchMatMulV2")
def _product(scope: Scope, call: Call) -> None:
    batched = call.op.startswith("Batch")
    flags = ("adj_x1", "adj_x2") if batched else ("transpose_x1", "transpose_x2")
    x1 = call.main(scope, "x1", range(2, 5) if batched else 2)
    turned = [scope.choose(3) == 2, scope.choose(3) == 2]
    for name, on in zip(flags, turned, strict=True):
        if on:
            call.attrs[name] = True
    inner = x1.dims[-2] if turned[0] else x1.dims[-1]
    found = [
        v
        for v in scope.tensors((x1.dtype,), range(2, 3))
        if v.dims[-1 if turned[1] else -2] == inner
    ]
    if found and scope.choose(3) < 2:
        x2 = scope.choose_value(found)
    else:
        lead = x1.dims[:-2] if scope.choose(2) == 0 else ()
        out = 1 + scope.choose(4)
        x2 = scope.fresh((*lead, *((out, inner) if turned[1] else (inner, out))), x1.dtype)
    call.put("x2", x2)
    columns = x2.dims[-2] if turned[1] else x2.dims[-1]
    for name in ("bias", "offset_w"):
        if any(s.name == name for s in call.table.inputs):
            call.args[name] = None
    if "bias" in call.args and scope.choose(3) == 2:
        call.put("bias", scope.fresh((columns,), "int32" if x1.dtype == "int8" else x1.dtype))


@hint("Cast")
def _cast(scope: Scope, call: Call) -> None:
    x = call.main(scope)
    others = [d for d in dict.fromkeys(scope.knobs.dtypes) if d in call.allowed("x")]
    call.attrs["dst_type"] = ge_enum(to_xdsl(scope.pick(others or [x.dtype])))
