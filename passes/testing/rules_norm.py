"""Hints for normalisation over trailing axes or groups, and for transforms of signals."""

from __future__ import annotations

from passes.testing.rules import Call, existing, hint
from passes.testing.scope import Dims, Scope, Value, scalar_literal


def _parameter(scope: Scope, dims: Dims, dtype: str) -> Value:
    """A scale or shift."""
    return existing(scope, dims, dtype) or scope.fresh(dims, dtype)


@hint("LayerNorm", "LayerNormV3", "LayerNormV4")
def _layer_norm(scope: Scope, call: Call) -> None:
    x = call.main(scope, "x", range(1, 5))
    first = x.rank - 1 - scope.choose(min(x.rank, 2))
    tail = x.dims[first:]
    if call.op == "LayerNormV4":
        call.put("normalized_shape", scope.vector(tail))
    else:
        call.attrs.update(begin_norm_axis=first, begin_params_axis=first)
    for name in ("gamma", "beta"):
        absent = call.op == "LayerNormV4" and scope.choose(3) == 2
        call.put(name, None if absent else _parameter(scope, tail, x.dtype))


@hint("RmsNorm", "AddRmsNorm")
def _rms_norm(scope: Scope, call: Call) -> None:
    first = "x" if call.op == "RmsNorm" else "x1"
    x = call.main(scope, first, range(1, 5))
    if call.op == "AddRmsNorm":
        call.put("x2", _parameter(scope, x.dims, x.dtype))
    call.put("gamma", _parameter(scope, x.dims[-1 - scope.choose(min(x.rank, 2)) :], x.dtype))


@hint("GroupNorm", "InstanceNorm")
def _group_norm(scope: Scope, call: Call) -> None:
    rank = 4 if call.op == "GroupNorm" else range(3, 5)
    x = call.main(scope, "x", rank)
    channels = x.dims[1]
    if call.op == "GroupNorm":
        call.attrs["num_groups"] = 2 if channels % 2 == 0 and scope.choose(2) else 1
        call.attrs["data_format"] = "NCHW"
    else:
        call.attrs["data_format"] = scope.pick(("NCHW", "NHWC"))
        channels = channels if call.attrs["data_format"] == "NCHW" else x.dims[-1]
    for name in ("gamma", "beta"):
        call.put(name, _parameter(scope, (channels,), x.dtype))


@hint("HostDFT")
def _dft(scope: Scope, call: Call) -> None:
    dims = (1 + scope.choose(2), 2 + scope.choose(4), 1 + scope.choose(2))
    dtype = scope.dtype([d for d in call.allowed("x") if d in scope.knobs.dtypes] or ("float32",))
    call.put("x", existing(scope, dims, dtype) or scope.fresh(dims, dtype))
    call.put("dft_length", scope.number(2 + scope.choose(4)) if scope.choose(2) else None)
    call.put("axis", scope.number(1) if scope.choose(2) else None)


@hint("HostSTFT")
def _stft(scope: Scope, call: Call) -> None:
    dims = (1 + scope.choose(2), 5 + scope.choose(3), 1)
    dtype = scope.dtype([d for d in call.allowed("x") if d in scope.knobs.dtypes] or ("float32",))
    call.put("x", existing(scope, dims, dtype) or scope.fresh(dims, dtype))
    call.put("frame_step", scope.number(1 + scope.choose(2)))
    length = 2 + scope.choose(3)
    kind = scope.choose(3)
    call.put("window", scope.fresh((length,), dtype) if kind else None)
    call.put("frame_length", scope.number(length) if kind < 2 else None)


@hint("HostMelWeightMatrix")
def _mel(scope: Scope, call: Call) -> None:
    call.put("num_mel_bins", scope.number(1 + scope.choose(3)))
    call.put("dft_length", scope.number(4 + scope.choose(4)))
    call.put("sample_rate", scope.number(16))
    allowed = [d for d in ("float32", "float16") if d in scope.knobs.dtypes]
    dtype = scope.dtype(allowed or ("float32",))
    call.put("lower_edge_hertz", scope.held(scalar_literal(0, dtype)))
    call.put("upper_edge_hertz", scope.held(scalar_literal(4 + scope.choose(4), dtype)))


@hint("MatrixDeterminant")
def _determinant(scope: Scope, call: Call) -> None:
    allowed = [d for d in call.allowed("x") if d in scope.knobs.dtypes] or call.allowed("x")
    found = [v for v in scope.tensors(allowed, range(2, 5)) if v.dims[-1] == v.dims[-2]]
    if found and scope.choose(2) == 0:
        call.put("x", scope.choose_value(found))
        return
    side = 1 + scope.choose(3)
    lead = scope.palette.base[: scope.choose(2)]
    call.put("x", scope.fresh((*lead, side, side), scope.dtype(allowed)))


@hint("Unique", "UniqueWithCounts")
def _unique(scope: Scope, call: Call) -> None:
    call.main(scope, "x", 1)
    call.attrs["out_idx"] = scope.pick(("int32", "int64"))


@hint("UniqueWithCountsAndSorting")
def _unique_in_order(scope: Scope, call: Call) -> None:
    call.main(scope, "x", range(1, 5))
    for name in ("return_inverse", "return_counts"):
        call.attrs[name] = bool(scope.choose(2))


@hint("TopK", "TopKV2")
def _top_k(scope: Scope, call: Call) -> None:
    x = call.main(scope, "x", range(1, 5))
    axis = scope.choose(x.rank)
    call.put("k", scope.number(scope.choose(x.dims[axis] + 1), call.allowed("k")))
    call.attrs["dim"] = axis


@hint("ArgMaxV2", "ArgMin", "Cumsum", "Cumprod")
def _along(scope: Scope, call: Call) -> None:
    x = call.main(scope, "x", range(1, 5))
    call.put(call.table.inputs[1].name, scope.number(scope.choose(x.rank)))


@hint("ReverseV2")
def _reverse(scope: Scope, call: Call) -> None:
    x = call.main(scope, "x", range(1, 5))
    call.put("axis", scope.vector((scope.choose(x.rank),)))


@hint("Select")
def _select(scope: Scope, call: Call) -> None:
    x = call.main(scope, "x1", range(5))
    call.put("x2", _parameter(scope, x.dims, x.dtype))
    dims = scope.pick((x.dims, (), x.dims[:1]))
    call.put("condition", _parameter(scope, dims, "bool"))


@hint("DropOutDoMask", "DropOutDoMaskV3D")
def _dropout(scope: Scope, call: Call) -> None:
    x = call.main(scope, "x", range(5))
    bits = -(-x.size // 128) * 128
    if "keep_prob" in call.table.attrs:
        call.attrs["keep_prob"] = scope.pick((0.5, 0.75))
        size, dtype = scope.pick(((bits // 8, "uint8"), (bits, "uint8"), (bits, "bool")))
        call.put("mask", _parameter(scope, (size,), dtype))
    else:
        call.put("mask", _parameter(scope, (bits // 8,), "uint8"))
        call.put("keep_prob", scope.fresh((), x.dtype, ("positive",)))


@hint("DropOutGenMask")
def _dropout_mask(scope: Scope, call: Call) -> None:
    call.put("shape", scope.vector(scope.palette.dims(scope)))
    call.put("prob", scope.held(scalar_literal(0.5, "float32")))


@hint("RandomUniformInt")
def _random_int(scope: Scope, call: Call) -> None:
    dtype = scope.pick(("int32", "int64"))
    call.put("shape", scope.vector(scope.palette.dims(scope)))
    call.put("min", scope.held(scalar_literal(scope.choose(3), dtype)))
    call.put("max", scope.held(scalar_literal(4 + scope.choose(3), dtype)))


@hint("MirrorPad")
def _mirror_pad(scope: Scope, call: Call) -> None:
    x = call.main(scope, "x", range(1, 5))
    call.attrs["mode"] = scope.pick(("SYMMETRIC", "REFLECT"))
    most = [max(d - (call.attrs["mode"] == "REFLECT"), 0) for d in x.dims]
    call.put("paddings", scope.matrix([(min(m, scope.choose(2)), min(m, 1)) for m in most]))


@hint("UnsortedSegmentSum")
def _segment_sum(scope: Scope, call: Call) -> None:
    x = call.main(scope, "x", range(1, 5))
    count = 1 + scope.choose(3)
    dtype = scope.pick(("int32", "int64"))
    call.put("segment_ids", scope.fresh(x.dims[:1], dtype, ("index", count)))
    call.put("num_segments", scope.number(count))


@hint("SplitVD")
def _split_vd(scope: Scope, call: Call) -> None:
    x = call.main(scope, "x", range(1, 5))
    axis = scope.choose(x.rank)
    first = scope.choose(x.dims[axis] + 1)
    sizes = (first, x.dims[axis] - first)
    call.attrs.update(size_splits=sizes, split_dim=axis, num_split=2)
