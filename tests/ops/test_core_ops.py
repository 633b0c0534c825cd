"""Every core operator: the types its rule gives, also where dims, ranks or values are unknown."""

from __future__ import annotations

import time

import numpy as np
import pytest

from ge_dialect.infer.dims import refine
from ge_dialect.infer.errors import InferError
from ge_dialect.infer.node import check_op, infer_op
from ge_dialect.ir.types import elem_of, shape_of, tensor_type
from ge_dialect.ops._index import MODULES
from ge_dialect.semantics.registry import ROUTING
from ge_dialect.target.engines import BODY_OPS
from tests.ops import samples

SAMPLES = samples.SAMPLES
IDS = [s.label for s in SAMPLES]


@pytest.mark.parametrize("sample", SAMPLES, ids=IDS)
def test_result_types(sample):
    _, node = samples.place(sample)
    assert [r.type for r in node.ge_data_results] == [samples.type_of(t) for t in sample.want]
    assert infer_op(node) == [r.type for r in node.ge_data_results]
    assert not check_op(node)
    assert not node.ge_dtype_problems()
    node.verify()


@pytest.mark.parametrize("sample", SAMPLES, ids=IDS)
def test_less_knowledge_gives_no_other_answer(sample):
    """Hiding a dim, the rank or a value never leads to a type that contradicts the known one."""
    want = [samples.type_of(t) for t in sample.want]
    rng = np.random.default_rng(0)

    def hidden(text):
        if text.startswith("&"):
            return samples.type_of(text)
        known = samples.type_of(text)
        shape = shape_of(known)
        if shape is None or rng.random() < 0.15:
            return tensor_type(None, elem_of(known))
        return tensor_type([-1 if rng.random() < 0.5 else d for d in shape], elem_of(known))

    for _ in range(6):
        _, node = samples.place(sample, hidden)
        for hide_values in (False, True):
            const_of = (lambda v: None) if hide_values else None
            got = infer_op(node, const_of)
            assert len(got) == len(want)
            for g, w in zip(got, want, strict=True):
                assert elem_of(g) == elem_of(w)
                refine(shape_of(g), shape_of(w))


def test_every_core_operator_has_a_sample():
    apart = {"Const", "Constant", "NetOutput", "Opaque", "Variable", "If", "While"}
    apart |= {"PartitionedCall"}  # tested in test_graph_ops.py
    apart |= BODY_OPS  # tested in test_semantics_branches.py
    apart |= ROUTING  # tested in test_semantics_switching.py
    core = {n for n, m in MODULES.items() if not m.startswith("tail.")}
    assert core - apart == {s.op for s in SAMPLES}


def test_inference_is_quick():
    """About as quick as copying the nodes, which is the measure so that no machine matters."""
    nodes = [samples.place(s)[1] for s in SAMPLES]
    for node in nodes:
        infer_op(node)
    rounds = [(_seconds(nodes, infer_op), _seconds(nodes, lambda n: n.clone())) for _ in range(4)]
    inferred, copied = (min(times) for times in zip(*rounds, strict=True))
    assert inferred < 4 * copied


def _seconds(nodes, what):
    start = time.process_time()
    for node in nodes:
        what(node)
    return time.process_time() - start


X, F = "2x4x9x9xf32", "8x4x3x3xf32"
CONV = {"strides": [1, 1, 1, 1], "pads": [0, 0, 0, 0], "data_format": "NCHW"}
POOL = {"ksize": [1, 1, 3, 3], "strides": [1, 1, 2, 2]}
ints, scalar = samples.ints, samples.scalar
REFUSED = [
    ("Assert", ["2xi1", []], {}, "GX-221"),
    ("Add", ["2x3xf32", "4xf32"], {}, "GX-221"),
    ("Equal", ["2x3xf32", "4xf32"], {}, "GX-221"),
    ("AddN", [["2xf32", "3xf32"]], {"N": 2}, "GX-221"),
    ("AddN", [["2xf32", "2xf32"]], {"N": 3}, "GX-226"),
    ("Select", ["2x3xi1", "2x3xf32", "3x2xf32"], {}, "GX-221"),
    ("Select", ["3xi1", "2x3xf32", "2x3xf32"], {}, "GX-221"),
    ("BroadcastTo", ["3xf32", ints(2, 4)], {}, "GX-221"),
    ("BroadcastTo", ["3xf32", ints(-2, 3)], {}, "GX-223"),
    ("BroadcastTo", ["3x1xf32", ints(-1, 3, 4)], {}, "GX-223"),
    ("Conv2D", [X, "8x4x3x0xf32"], CONV, "GX-227"),
    ("DepthwiseConv2D", ["2x0x9x9xf32", "8x1x3x3xf32"], CONV, "GX-221"),
    ("BiasAdd", ["2x3xf32", "4xf32"], {}, "GX-221"),
    ("BiasAdd", ["2x3xf32", "3xf32"], {"data_format": "CHW"}, "GX-223"),
    ("BiasAdd", ["2x3xf32", "1x3xf32"], {}, "GX-220"),
    ("Cast", ["2xf32"], {"dst_type": 5}, "GX-223"),
    ("Exp", ["2xf32"], {"base": 0.0}, "GX-223"),
    ("ClipByValue", ["2xf32", "3xf32", "f32"], {}, "GX-221"),
    ("PRelu", ["2x3x4xf32", "4xf32"], {}, "GX-221"),
    ("GeluV2", ["2xf32"], {"approximate": "fast"}, "GX-223"),
    ("SoftmaxV2", ["2x3xf32"], {"axes": [2]}, "GX-222"),
    ("SoftmaxV2", ["2x3xf32"], {"axes": []}, "GX-223"),
    ("SoftmaxV2", ["2x3xf32"], {"half_to_float": True}, "GX-223"),
    ("Conv2D", ["4x9x9xf32", F], CONV, "GX-220"),
    ("Conv2D", [X, "8x3x3x3xf32"], CONV, "GX-221"),
    ("Conv2D", [X, F, "4xf32"], CONV, "GX-221"),
    ("Conv2D", [X, F], {**CONV, "groups": 3}, "GX-221"),
    ("Conv2D", [X, F], {**CONV, "groups": 0}, "GX-223"),
    ("Conv2D", [X, F], {**CONV, "strides": [1, 1, 1]}, "GX-224"),
    ("Conv2D", [X, F], {**CONV, "strides": [1, 1, 0, 1]}, "GX-223"),
    ("Conv2D", [X, F], {**CONV, "strides": [1, 2, 1, 1]}, "GX-223"),
    ("Conv2D", [X, F], {**CONV, "pads": [0, 0, -1, 0]}, "GX-223"),
    ("Conv2D", [X, F], {**CONV, "dilations": [1, 1, 9, 9]}, "GX-227"),
    ("Conv2D", [X, F], {**CONV, "data_format": "HWCN"}, "GX-223"),
    ("Conv2D", [X, "8x4x3x3xf16"], CONV, "GX-225"),
    ("DepthwiseConv2D", [X, "8x2x3x3xf32"], CONV, "GX-221"),
    ("DepthwiseConv2D", [X, "6x1x3x3xf32"], CONV, "GX-221"),
    ("MaxPoolV3", [X], {**POOL, "pads": [3, 0, 0, 0]}, "GX-223"),
    ("MaxPoolV3", [X], {**POOL, "padding_mode": "FULL"}, "GX-223"),
    ("MaxPoolV3", ["2x4x2x2xf32"], POOL, "GX-227"),
    ("MaxPool", [X], {**POOL, "padding": "CALCULATED", "data_format": "NCHW"}, "GX-223"),
    ("AvgPoolV2", [X], {**POOL, "divisor_override": -1}, "GX-223"),
    ("AvgPoolV2", [X], {**POOL, "ksize": [1, 3, 3, 1]}, "GX-223"),
    ("GlobalAveragePool", ["2x4xf32"], {}, "GX-220"),
    ("BatchNorm", [X, "4xf32", "4xf32"], {"is_training": False}, "GX-228"),
    ("BatchNorm", [X, "4xf32", "9xf32"], {}, "GX-221"),
    ("BNInfer", [X, "4xf32", "4xf32", "4xf32", "5xf32"], {"epsilon": 0.1}, "GX-221"),
    ("LRN", ["2x4x9xf32"], {}, "GX-220"),
    ("LRN", [X], {"norm_region": "EVERYWHERE"}, "GX-223"),
    ("MatMulV2", ["2x3xf32", "4x3xf32"], {}, "GX-221"),
    ("MatMulV2", ["2x3xf32", "1x3x4xf32"], {}, "GX-220"),
    ("MatMulV2", ["2x3xf32", "3x4xf32", "3xf32"], {}, "GX-221"),
    ("BatchMatMulV2", ["3xf32", "3x4xf32"], {}, "GX-220"),
    ("BatchMatMul", ["2x2x3xf32", "3x3x4xf32"], {}, "GX-221"),
    ("ReduceSum", ["2x3xf32", ints(2)], {}, "GX-222"),
    ("ReduceSum", ["2x3xf32", ints(0, -2)], {}, "GX-222"),
    ("ReduceSumD", ["2x3xf32"], {"axes": [-3]}, "GX-222"),
    ("Reshape", ["2x3xf32", ints(4)], {}, "GX-221"),
    ("Reshape", ["2x3xf32", ints(-1, -1)], {}, "GX-223"),
    ("Reshape", ["2x3xf32", np.array([[2, 3]])], {}, "GX-220"),
    ("Squeeze", ["2x3xf32"], {"axis": [0]}, "GX-221"),
    ("Unsqueeze", ["2x3xf32"], {"axes": [0, 0]}, "GX-222"),
    ("Unsqueeze", ["2x3xf32"], {"axes": [4]}, "GX-222"),
    ("ExpandDims", ["2x3xf32", ints(0, 1)], {}, "GX-221"),
    ("Flatten", ["2x3xf32"], {"axis": 3}, "GX-222"),
    ("Shape", ["2xf32"], {"dtype": 0}, "GX-223"),
    ("Transpose", ["2x3xf32", ints(0, 0)], {}, "GX-222"),
    ("TransposeD", ["2x3xf32"], {"perm": [0]}, "GX-222"),
    ("ConcatD", [["2x3xf32", "3x3xf32"]], {"N": 2, "concat_dim": 1}, "GX-221"),
    ("ConcatD", [["2x3xf32", "2x3xf32"]], {"N": 3, "concat_dim": 1}, "GX-226"),
    ("ConcatV2", [["2x3xf32", "2x3xf32"], scalar(2)], {"N": 2}, "GX-222"),
    ("Concat", [ints(0, 1), ["2x3xf32"]], {"N": 1}, "GX-221"),
    ("Pack", [["2x3xf32", "3x2xf32"]], {"N": 2}, "GX-221"),
    ("Unpack", ["2x3xf32"], {"num": 3}, "GX-226"),
    ("Split", [scalar(0), "5x3xf32"], {"num_split": 2}, "GX-221"),
    ("SplitD", ["4x3xf32"], {"num_split": 0, "split_dim": 0}, "GX-223"),
    ("SplitV", ["4xf32", ints(1, 1), scalar(0)], {"num_split": 2}, "GX-221"),
    ("SplitV", ["4xf32", ints(1, 3), scalar(0)], {"num_split": 3}, "GX-224"),
    ("Pad", ["2x3xf32", np.array([[1, 1]])], {}, "GX-224"),
    ("Pad", ["2x3xf32", np.array([[1, -1], [0, 0]])], {}, "GX-223"),
    ("PadV3", ["2x3xf32", ints(2, 0, 0, 0)], {"mode": "reflect"}, "GX-221"),
    ("PadV3", ["2x3xf32", ints(0, 0, 0, 0)], {"mode": "wrap"}, "GX-223"),
    ("PadV3", ["2x3xf32", ints(0, 0, 0, 0), "2xf32"], {}, "GX-221"),
    ("Tile", ["2x3xf32", ints(2)], {}, "GX-224"),
    ("TileD", ["2xf32"], {"multiples": [-1]}, "GX-223"),
    ("Fill", [ints(-1), "f32"], {}, "GX-223"),
    ("Fill", [ints(2), "2xf32"], {}, "GX-221"),
    ("Slice", ["4xf32", ints(3), ints(2)], {}, "GX-227"),
    ("Slice", ["4xf32", ints(0, 0), ints(2)], {}, "GX-224"),
    ("SliceD", ["4xf32"], {"offsets": [-1], "size": [1]}, "GX-223"),
    ("StridedSlice", ["4xf32", ints(0), ints(1), ints(0)], {}, "GX-223"),
    ("StridedSlice", ["4xf32", ints(0), ints(1, 1), ints(1)], {}, "GX-224"),
    ("StridedSlice", ["4xf32", ints(0, 0), ints(1, 1), ints(1, 1)], {}, "GX-220"),
    ("StridedSliceD", ["4xf32"], {"begin": [0], "end": [1], "strides": [1], "end_mask": -1},
     "GX-223"),
    ("Gather", ["f32", ints(0)], {}, "GX-220"),
    ("GatherV2", ["4x5xf32", ints(0), scalar(2)], {}, "GX-222"),
    ("GatherV2", ["4x5xf32", ints(0), scalar(0)], {"batch_dims": 1}, "GX-223"),
    ("TransData", ["4xf32"], {"src_format": "ND", "dst_format": "NCWH"}, None),
    ("TransData", ["4xf32"], {"src_format": "NC1HWC0", "dst_format": "ND"}, "GX-223"),
    ("RandomUniform", [ints(-1)], {"dtype": "float32"}, "GX-223"),
    ("RandomUniform", [ints(2)], {"dtype": "int32"}, "GX-225"),
    ("Data", ["2xf32"], {"index": -1}, "GX-223"),
    ("Assign", ["&2xf32", "3xf32"], {}, "GX-221"),
    ("AssignAdd", ["&2xf32", "3xf32"], {}, "GX-221"),
]  # fmt: skip


@pytest.mark.parametrize(
    "case", [c for c in [*REFUSED, *samples.REFUSED] if c[3]], ids=lambda c: f"{c[0]} {c[1]} {c[2]}"
)
def test_refusals(case):
    op, inputs, attrs, code = case
    with pytest.raises(InferError) as error:
        samples.place(samples.Sample(op, inputs, attrs, None))
    assert error.value.code == code
    assert error.value.found is not None or error.value.expected is not None
