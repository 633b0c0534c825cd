"""Values that an operator does not take are refused alike by its kernel and its golden function."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ge_dialect.diagnostics import GeError
from ge_dialect.dtypes import numpy_dtype
from ge_dialect.ir.types import elem_of, shape_of
from ge_dialect.ops.registry import op_class, op_names
from ge_dialect.semantics.registry import ROUTING, has_semantics
from passes.testing.applications import accepts, applications, arrays, full_attrs, golden
from runtime.executor import run_kernel
from runtime.kernels.registry import AICPU, Call, View, find_kernel

F16, F32, I32, I64 = np.float16, np.float32, np.int32, np.int64


def zeros(*shape: int, dtype: Any = F32) -> np.ndarray:
    return np.zeros(shape, dtype)


POOL = {"ksize": [1, 2, 2, 1], "strides": [1, 2, 2, 1], "pads": [1, 0, 0, 1]}
BOXES = {"pooled_h": 2, "pooled_w": 2, "spatial_scale_h": 1.0, "spatial_scale_w": 1.0}
OWN = {"spatial_scale": 1.0, "output_dim": 1, "group_size": 2}
ALIGN = {"pooled_height": 2, "pooled_width": 2, "spatial_scale": 1.0}
ATTENTION = {"num_heads": 1, "num_key_value_heads": 1, "input_layout": "BSND"}
Q, T = zeros(1, 2, 1, 2), zeros(2, 1, 2)
LOSS = (zeros(3, 4), np.array([1, -1, 0], I32), zeros(4) + F32(1))
#: Operator, inputs, attributes, shapes and dtypes of results, the golden code.
CASES: list[tuple[str, list[Any], dict[str, Any], list[np.ndarray], str]] = [
    ("MaxPoolGradWithArgmaxV1", [zeros(1, 1, 4, 4), zeros(1, 1, 2, 2),
     np.full((1, 1, 2, 2), 16, I32)], POOL, [zeros(1, 1, 4, 4)], "GX-222"),
    ("MaxPoolGradWithArgmax", [zeros(1, 4, 4, 1), zeros(1, 2, 2, 1),
     np.full((1, 2, 2, 1), -1, I64)],
     {"ksize": [1, 2, 2, 1], "strides": [1, 2, 2, 1], "padding": "VALID", "data_format": "NHWC"},
     [zeros(1, 4, 4, 1)], "GX-222"),
    ("ForeachMulScalarList", [[zeros(2), zeros(3)], zeros(3)], {}, [zeros(2), zeros(3)], "GX-221"),
    ("ForeachRoundOffNumber", [[zeros(2)], np.array([7], np.int8)], {}, [zeros(2)], "GX-240"),
    ("ForeachNorm", [[zeros(2)], np.array([np.nan], F32)], {}, [zeros()], "GX-240"),
    ("ROIPooling", [zeros(1, 1, 4, 4), np.array([[1, 0, 0, 2, 2]], F32), None], BOXES,
     [zeros(1, 1, 2, 2)], "GX-240"),
    ("ROIPooling", [zeros(1, 1, 4, 4), np.array([[0, 0, 0, 1e20, 2]], F32), None], BOXES,
     [zeros(1, 1, 2, 2)], "GX-240"),
    ("ROIPooling", [zeros(1, 1, 4, 4), zeros(1, 5, 1), np.full((1, 8), 2, I32)], BOXES,
     [zeros(1, 1, 2, 2)], "GX-240"),
    ("PSROIPooling", [zeros(1, 4, 4, 4), np.array([2, 0, 0, 2, 2], F32).reshape(1, 5, 1)], OWN,
     [zeros(1, 1, 2, 2)], "GX-240"),
    ("PSROIPooling", [zeros(1, 4, 4, 4), np.array([0, 0, 0, np.nan, 2], F32).reshape(1, 5, 1)],
     OWN, [zeros(1, 1, 2, 2)], "GX-240"),
    ("ROIAlign", [zeros(2, 1, 4, 4), np.array([[-1, 0, 0, 2, 2]], F32), None], ALIGN,
     [zeros(1, 1, 2, 2)], "GX-240"),
    ("ROIAlign", [zeros(2, 1, 4, 4), np.array([[0, 0, 0, np.inf, 2]], F32), None], ALIGN,
     [zeros(1, 1, 2, 2)], "GX-240"),
    ("CropAndResize", [zeros(1, 4, 4, 1), zeros(1, 4), np.array([1], I32), np.array([2, 2], I32)],
     {}, [zeros(1, 2, 2, 1)], "GX-240"),
    ("PromptFlashAttention", [Q, Q, Q, None, None, np.array([-1], I64), *[None] * 6], ATTENTION,
     [Q], "GX-240"),
    ("PromptFlashAttention", [Q, Q, Q, None, None, np.array([1, 1], I64), *[None] * 6], ATTENTION,
     [Q], "GX-240"),
    *(("IncreFlashAttention", [zeros(1, 1, 2), [zeros(2, 2, 2)], [zeros(2, 2, 2)], None, None,
       np.array([3], I64), *[None] * 7, np.array([[0, n]], I32), None], {**ATTENTION,
       "input_layout": "BSH", "block_size": 2}, [zeros(1, 1, 2)], "GX-240") for n in (-1, 2)),
    ("FlashAttentionScore", [Q, Q, Q, *[None] * 16],
     {"head_num": 1, "input_layout": "BSND", "keep_prob": 0.5},
     [zeros(1, 1, 2, 8), zeros(1, 1, 2, 8), zeros(0), Q], "GX-240"),
    ("ClipByValue", [zeros(2, dtype=np.complex64)] * 3, {}, [zeros(2, dtype=np.complex64)],
     "GX-240"),
    ("NLLLoss", list(LOSS), {"ignore_index": -100}, [zeros(), zeros()], "GX-222"),
    ("NLLLoss", [LOSS[0], np.array([1, 4, 0], I32), LOSS[2]], {"ignore_index": -1},
     [zeros(), zeros()], "GX-222"),
    ("SparseSoftmaxCrossEntropyWithLogits", [zeros(3, 4), np.array([1, -1, 0], I32)], {},
     [zeros(3), zeros(3, 4)], "GX-222"),
    *(("MoeInitRouting", [zeros(2, 2), np.array([[0], [n]], I32), np.array([[0], [1]], I32)],
       {"active_num": 2}, [zeros(2, 2), zeros(2, dtype=I32), zeros(2, dtype=I32)], "GX-240")
      for n in (-1, 2)),
    *(("MoeFinalizeRoutingV2", [zeros(2, 2), np.array([0, n], I32), *[None] * 5], {},
       [zeros(2, 2)], "GX-240") for n in (-1, 2)),
    ("MoeFinalizeRoutingV2", [zeros(2, 2), np.array([0, 1], I32), None, None, zeros(1, 2),
     zeros(2, 1), np.array([[0], [1]], I32)], {}, [zeros(2, 2)], "GX-240"),
    ("DynamicQuant", [zeros(3, 2, dtype=F16), zeros(2, 2, dtype=F16),
     np.array([2, 1], I32)], {}, [zeros(3, 2, dtype=np.int8), zeros(3)], "GX-240"),
    ("DynamicQuant", [zeros(3, 2, dtype=F16), zeros(2, 2, dtype=F16),
     np.array([1, 2], I32)], {}, [zeros(3, 2, dtype=np.int8), zeros(3)], "GX-240"),
    ("DequantSwigluQuant", [zeros(2, 4, dtype=F16), None, None, None, zeros(2) + F32(1),
     None, np.array([3, 0], I64)], {}, [zeros(2, 2, dtype=np.int8), zeros(2)], "GX-240"),
    ("DequantSwigluQuant", [zeros(2, 4, dtype=F16), None, None, None, zeros(2) + F32(1),
     None, np.array([2**40, 0], I64)], {}, [zeros(2, 2, dtype=np.int8), zeros(2)], "GX-240"),
    ("CTCLoss", [zeros(2, 1, 3), np.array([[0, 0]], I64), np.array([1], I32), np.array([3], I32)],
     {}, [zeros(1), zeros(2, 1, 3)], "GX-240"),
    ("CTCLoss", [zeros(2, 1, 3), np.array([[0, 0]], I64), np.array([-1], I32), np.array([2], I32)],
     {}, [zeros(1), zeros(2, 1, 3)], "GX-222"),
    ("CTCLoss", [zeros(2, 1, 3), np.array([[0, 0]], I64), np.array([1], I32), np.array([0], I32)],
     {}, [zeros(1), zeros(2, 1, 3)], "GX-240"),
    ("CTCLoss", [zeros(2, 1, 3), np.array([[0, 1], [0, 0]], I64), np.array([1, 0], I32),
     np.array([2], I32)], {}, [zeros(1), zeros(2, 1, 3)], "GX-240"),
    ("CTCLoss", [zeros(2, 1, 3), np.array([[1, 0]], I64), np.array([1], I32), np.array([2], I32)],
     {}, [zeros(1), zeros(2, 1, 3)], "GX-240"),
    ("FFN", [zeros(3, 2, dtype=F16), zeros(2, 2, 4, dtype=F16), zeros(2, 4, 2, dtype=F16),
     np.array([1, 1], I64), *[None] * 10], {"activation": "relu"}, [zeros(3, 2, dtype=F16)],
     "GX-240"),
    ("MatMulV2", [zeros(2, 3), zeros(3, 2), None, zeros(3, 2, dtype=np.int8)], {}, [zeros(2, 2)],
     "GX-240"),
    ("Conv2D", [zeros(1, 1, 3, 3), zeros(1, 1, 2, 2), None, zeros(1, 1, 2, 2, dtype=np.int8)],
     {"strides": [1] * 4, "pads": [0] * 4, "data_format": "NCHW"}, [zeros(1, 1, 2, 2)], "GX-240"),
    ("Conv2DTransposeD", [zeros(1, 1, 2, 2), zeros(1, 1, 2, 2), None,
     zeros(1, 1, 2, 2, dtype=np.int8)], {"input_size": [1, 1, 3, 3], "strides": [1] * 4,
     "pads": [0] * 4, "data_format": "NCHW"}, [zeros(1, 1, 3, 3)], "GX-240"),
    ("GroupedMatmul", [[zeros(3, 2)], [zeros(2, 2, 2)], [], [], [], [], [], np.array([2, 4], I64),
     None], {"group_type": 0, "split_item": 3}, [zeros(3, 2)], "GX-240"),
    ("ReverseSequence", [zeros(2, 3), np.array([1, 4], I64)], {"seq_dim": 1}, [zeros(2, 3)],
     "GX-240"),
    ("HcomAllGatherV", [zeros(3), np.array(2, I64), np.array([1, 1], I64), None],
     {"group": "g"}, [zeros(2)], "GX-240"),
    ("HcomAllGatherV", [zeros(3), np.array(4, I64), np.array([4], I64), None], {"group": "g"},
     [zeros(4)], "GX-240"),
    ("HcomReduceScatterV", [zeros(3), np.array(2, I64), np.array([1], I64), None],
     {"group": "g", "reduction": "sum"}, [zeros(2)], "GX-240"),
    ("Assert", [np.array(False), [np.arange(3)]], {}, [], "GX-252"),
    *((op, [zeros(3, 2), np.array([i], I64), *more], attrs, [zeros(1, 2)], "GX-240")
      for i in (-4, -1, 3, 2**40)
      for op, more, attrs in (("Gather", (), {}), ("GatherV2", (np.array(0),), {}))),
    *(("GatherV2", [zeros(2, 3), np.array([i], I64), np.array(1)], {"negative_index_support": True},
       [zeros(2, 1)], "GX-240") for i in (-4, 3)),
    *(("GatherNd", [zeros(3, 2), np.array([[0, i]], I64)], {}, [zeros(1)], "GX-240")
      for i in (-1, 2, 2**40)),
    *(("GatherElements", [zeros(3), np.array([i])], {}, [zeros(1)], "GX-240") for i in (-4, 3)),
    *(("ScatterElements", [zeros(3), np.array([i]), zeros(1)], {}, [zeros(3)], "GX-240")
      for i in (-4, 3)),
    *(("TensorScatterUpdate", [zeros(3), np.array([[i]]), zeros(1)], {}, [zeros(3)], "GX-240")
      for i in (-1, 3)),
    *(("ScatterNd", [np.array([[i]]), zeros(1), np.array([3])], {}, [zeros(3)], "GX-240")
      for i in (-1, 3)),
    ("UnsortedSegmentSum", [zeros(2), np.array([-1, 3]), np.array(3)], {}, [zeros(3)], "GX-240"),
    *(("EmbeddingDenseGrad", [zeros(1, 2), np.array([i], I32)], {"num_weights": 3}, [zeros(3, 2)],
       "GX-240") for i in (-1, 3)),
    *(("InplaceIndexAdd", [zeros(3), np.array([i], I32), zeros(1), None], {"axis": 0}, [zeros(3)],
       "GX-240") for i in (-1, 3)),
    *(("IndexByTensor", [zeros(3), [np.array([i], I64)]], {}, [zeros(1)], "GX-240")
      for i in (-4, 3)),
    ("SearchSorted", [zeros(2), zeros(1), np.array([0, 2], I64)], {"dtype": 9},
     [zeros(1, dtype=I64)], "GX-240"),
    *(("AsStrided", [zeros(4), np.array([2]), np.array([n]), np.array([0])], {}, [zeros(2)],
       "GX-240") for n in (-1, 4)),
    ("BroadcastArgs", [np.array([2], I64), np.array([3], I64)], {}, [zeros(1, dtype=I64)],
     "GX-221"),
    *(("HostSTFT", [zeros(1, 4, 1), np.array(step), window, np.array(length)], {},
       [zeros(1, 2, 2, 2)], "GX-240") for step, window, length in
      ((0, None, 2), (1, None, 0), (1, None, 5), (1, zeros(2), 3))),
    ("HostDFT", [zeros(1, 4, 1), np.array(0), None], {}, [zeros(1, 4, 2)], "GX-240"),
    ("FlashAttentionScore", [Q, Q, Q, None, np.zeros(0, np.uint8), *[None] * 14],
     {"head_num": 1, "input_layout": "BSND"}, [zeros(1, 1, 2, 8), zeros(1, 1, 2, 8), zeros(0), Q],
     "GX-240"),
    *(("FlashAttentionScore", [T, T, T, *[None] * 5, np.array(a, I64), np.array(b, I64),
       *[None] * 9], {"head_num": 1, "input_layout": "TND"},
       [zeros(2, 1, 8), zeros(2, 1, 8), zeros(0), T], "GX-240")
      for a, b in (([2], [1, 2]), ([2], [3]), ([2, 1], [1, 2]))),
    ("MultinomialWithReplacement", [np.array([[np.inf, 1]], F32), np.array([1], I64),
     np.array([0], I64)], {"numsamples": 2}, [zeros(1, 2, dtype=I64)], "GX-240"),
]  # fmt: skip


def attributes(op: str, given: dict[str, Any]) -> dict[str, Any]:
    """All attributes with their defaults, as a task carries them."""
    table = op_class(op).ge_table()
    known = {a.name: a.kind.to_python(a.default) for a in table.attrs.values() if not a.required}
    return {name: value for name, value in {**known, **given}.items() if value is not None}


def view(value: Any) -> Any:
    if value is None:
        return None
    return [view(v) for v in value] if isinstance(value, list) else View(value, value.shape)


@pytest.mark.parametrize(("op", "args", "attrs", "results", "code"), CASES)
def test_refused_alike(
    op: str, args: list[Any], attrs: dict[str, Any], results: list[np.ndarray], code: str
) -> None:
    with pytest.raises(GeError) as refused, np.errstate(all="ignore"):
        golden_call(op, args, attributes(op, attrs), results)
    found = find_kernel(op, AICPU, ["ND"] * (len(args) + len(results)))
    assert found is not None
    call = Call([view(a) for a in args], [view(r.copy()) for r in results], attributes(op, attrs))
    with pytest.raises(GeError) as device:
        run_kernel(found.function, call, op, "n")
    (said,), (wanted,) = device.value.diagnostics, refused.value.diagnostics
    assert wanted.code == code
    assert (said.code, said.node) == (code, "n")
    assert said.message == f"{op}: {wanted.message}"
    assert said.expected == wanted.expected


def golden_call(op: str, args: list[Any], attrs: dict[str, Any], results: list[Any]) -> None:
    """The golden function by itself: the rule of types may refuse what values say, too."""
    from ge_dialect.dtypes import from_numpy
    from ge_dialect.ir.types import tensor_type
    from ge_dialect.semantics.context import Context
    from ge_dialect.semantics.registry import lookup

    golden = lookup(op)
    assert golden is not None
    types = [tensor_type(r.shape, from_numpy(r.dtype)) for r in results]
    golden(list(args), attrs, Context(out_types=types))


def with_kernel() -> list[str]:
    """Operators with a kernel; `test_kernels_golden.py` says which have none."""
    named = [t for t in op_names() if has_semantics(t) and t not in ROUTING]
    return [t for t in named if find_kernel(t, AICPU, ["ND"] * 8) is not None]


@pytest.mark.full
@pytest.mark.parametrize("op", with_kernel())
def test_no_kernel_takes_what_the_golden_function_refuses(op: str) -> None:
    found = find_kernel(op, AICPU, ["ND"] * 8)
    assert found is not None
    for number, app in enumerate(applications(op, 77, 30)):
        inferred = accepts(app)
        shapes = [shape_of(t) for t in inferred.types] if inferred is not None else []
        if inferred is None or any(s is None or -1 in s for s in shapes):
            continue  # a size follows from values
        results = [np.zeros(s or (), numpy_dtype(elem_of(t)))
                   for s, t in zip(shapes, inferred.types, strict=True)]  # fmt: skip
        args = arrays(app, number)
        if (results and not any(r.size for r in results)) or "O" in {r.dtype.kind for r in results}:
            continue  # nothing is launched
        try:
            golden(app, arrays(app, number), inferred.types)
        except GeError as error:
            (wanted,) = error.diagnostics
            call = Call([view(a) for a in args], [view(r) for r in results], full_attrs(app))
            with pytest.raises(GeError) as device:
                run_kernel(found.function, call, op, "n")
            (said,) = device.value.diagnostics
            assert (said.code, said.message) == (wanted.code, f"{op}: {wanted.message}")
