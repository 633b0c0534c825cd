"""What inference says of an application against what its execution gives, for every operator.

Applications are drawn by the generator kit and widened (ranks up to 8, no elements, scalars, axes
counted from the end, absent and dynamic inputs, every dtype arrays can hold). Shape, number and
kind of the results of the golden function must be those inferred: exactly where the rule knew all
it asked for, and without contradiction where dims, ranks or constants are hidden from it.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
import pytest

from ge_dialect.diagnostics import GeError
from ge_dialect.dtypes import numpy_dtype, to_xdsl
from ge_dialect.infer.errors import InferError
from ge_dialect.ir.types import elem_of, shape_of, tensor_type
from ge_dialect.ops.registry import op_class, op_names
from ge_dialect.semantics.numerics import finish
from ge_dialect.semantics.registry import ROUTING, has_semantics
from passes.testing.applications import (
    MAX_RANK,
    accepts,
    applications,
    arrays,
    golden,
    infer,
    slot_dtypes,
)
from passes.testing.widen import connected, retyped, widened

SEED = 4
FEW, FULL, NIGHTLY = 4, 70, 3000

#: Their results have as many elements as the data says, whatever is known of types.
DATA_SIZED = {
    "AllGatherMatmul": "as many parts as the group has ranks",
    "DynamicPartition": "elements of each part",
    "DynamicStitch": "the largest index",
    "MatmulReduceScatter": "as many parts as the group has ranks",
    "UniqueConsecutive": "runs of equal elements",
    "HostUnique": "distinct elements",
    "MaskedSelect": "elements under the mask",
    "NonMaxSuppressionV3": "boxes taken",
    "NonMaxSuppressionV6": "boxes taken",
    "NonZero": "places of elements that are not zero",
    "Unique": "distinct elements",
    "UniqueWithCounts": "distinct elements",
    "UniqueWithCountsAndSorting": "distinct elements",
    "Where": "places of elements that are true",
}
#: Refusals by golden functions that no rule on types can foresee, by their message.
VALUES = {
    "an assertion does not hold": "conditions are data",
    "what makes it did not run": "which way a Switch goes is data",
    "frames of loops": "loops are seen as a whole, when they run",
    "is out of range": "an index is data",
    "has not one entry per rank": "what the ranks of a group give must fit together",
    "an expert has no bias": "numbers of experts are data",
    "does not name rows": "numbers of rows are data",
    "does not cut the axis": "ends of groups are data",
    "a block is not within": "places and counts of blocks are data",
    "recv_count": "counts are data",
    "GX-250": "what the ranks of a group give must fit together",
    "GX-251": "a rank needs a partner",
    "lies outside": "an index is data; an axis without elements has no index at all",
    "a scale is not positive": "scales beside sizes are data",
    "a box names an image": "numbers of images are data",
    "offset_w is reserved": "a dump may hold it; nobody says what it means",
    "not evaluated": "a feature that golden semantics lack is refused by its name",
    "lengths do not fit": "lengths of samples are data",
    "lengths of the samples": "lengths of samples are data",
    "is needed": "optional in the prototype, yet nothing can be computed without it",
    "too few bits": "bits of a mask are counted when it is used",
    "dropout needs drop_mask": "probabilities below 1 draw nothing by themselves",
    "complex numbers have no order": "the prototype allows complex numbers",
}
#: Operators of which no application is drawn, with what covers them instead; those with graphs are
#: looked at in `test_bodies`.
NOT_DRAWN = {
    "Variable": "its type is declared; samples.py",
    **dict.fromkeys(ROUTING, "means something in a whole graph; test_semantics_switching.py"),
}
#: Few ways to apply them.
SELDOM = {
    "Const": 30,
    "Constant": 30,
    "ControlTrigger": 1,
    "NoOp": 1,
    "Print": 5,
    "Rank": 20,
    "NetOutput": 20,
}
#: A single rank has nobody to exchange with; tests/ops/test_semantics_ranks.py runs several.
ALONE = ("HcomReceive", "HcomSend")
#: Inputs that must fit several others, and are so drawn too seldom for every dtype; what has them.
SELDOM_DRAWN = {
    ("FlashAttentionScore", None): "samples_attention.py",
    ("FusedInferAttentionScore", None): "samples_attention.py",
    ("IncreFlashAttention", None): "samples_attention.py",
    ("PromptFlashAttention", None): "samples_attention.py",
    ("GroupedMatmul", None): "samples_transformer.py",
    ("MatmulAllReduce", None): "samples_collective.py",
    ("MoeFinalizeRoutingV2", None): "samples_moe.py",
}
#: Dtypes that the prototype has and the rule refuses, with the reason.
REFUSED_DTYPES = {
    ("BatchMatMulV3", "offset_w"): "reserved: refused by its diagnostic",
    ("FullyConnection", "offset_w"): "reserved: refused by its diagnostic",
    ("HostCol2Im", "T"): "strings have no sum (ONNX names them among the dtypes)",
}

_ERRORS = (GeError, ValueError, IndexError, OverflowError, ZeroDivisionError)


def drawn_ops():
    """Operators with semantics that stand for themselves, from the registry."""
    named = [t for t in op_names() if has_semantics(t) and t not in NOT_DRAWN]
    return [t for t in named if not op_class(t).ge_table().graphs]


def seed_of(op, salt=0):
    return zlib.crc32(op.encode()) + salt


def execute(app, inferred, seed):
    """Results of the golden function, or None where only values are refused."""
    error = None
    for zeros in (False, True):
        try:
            return golden(app, arrays(app, seed, zeros=zeros), inferred.types)
        except _ERRORS as refusal:
            error = refusal
    assert inferred.in_vain or any(m in str(error) for m in VALUES), f"{app}: {error!r}"
    return None


def fits(shape, found):
    return len(shape) == len(found) and all(d in (-1, n) for d, n in zip(shape, found, strict=True))


def check_exact(app, inferred, results):
    """Number, kind and shape of the results, where the rule knew what it asked for."""
    assert len(results) == len(inferred.types), str(app)
    for i, (type_, value) in enumerate(zip(inferred.types, results, strict=True)):
        where = f"{app}: result {i}"
        rounded = finish(value, numpy_dtype(elem_of(type_)))  # TypeError: another kind of number
        shape = shape_of(type_)
        assert fits(shape, rounded.shape), f"{where}: {rounded.shape}, inferred {shape}"
        if -1 in shape:
            assert inferred.in_vain or app.op in DATA_SIZED, f"{where}: {shape} of {rounded.shape}"


def check_partial(app, inferred, results, random):
    """The rule with dims, ranks and constants hidden contradicts nothing."""
    share = random.choice((0.2, 0.6, 1.0))
    types = {}

    def type_of(i, k, operand):
        if (i, k) not in types:
            dims = tuple(-1 if random.random() < share else d for d in operand.dims)
            shape = None if random.random() < 0.15 else dims
            known = operand.ref or random.random() < 0.25
            types[i, k] = operand.type if known else tensor_type(shape, to_xdsl(operand.dtype))
        return types[i, k]

    hidden = frozenset(i for i in range(len(app.args)) if random.random() < 0.4)
    try:
        partly = infer(app, types=type_of, hidden=hidden)
    except InferError as error:
        if "number of results is not known" in error.message:
            return  # nothing else can be said without the length of a list
        raise AssertionError(f"{app}: {error} with {list(map(str, types.values()))}") from None
    assert len(partly.types) == len(inferred.types), str(app)
    for type_, whole, value in zip(partly.types, inferred.types, results, strict=True):
        where = f"{app} as {list(map(str, types.values()))}, {hidden} hidden: {type_}"
        assert elem_of(type_) == elem_of(whole), where
        shape = shape_of(type_)
        assert shape is None or fits(shape, np.shape(value)), f"{where}, not {np.shape(value)}"


def features(app):
    """What of the required variety an application shows."""
    dims = [o.dims for _, _, o in app.operands()]
    numbers = [v for _, value in app.attrs for v in (value if type(value) is tuple else (value,))]
    numbers += [v for _, _, o in app.operands() for v in o.values or ()]
    found = {"any"}
    found |= {"no elements"} if any(0 in d for d in dims) else set()
    found |= {"scalar"} if () in dims else set()
    found |= {f"rank > {MAX_RANK - 3}"} if max(map(len, dims), default=0) > MAX_RANK - 3 else set()
    found |= {"negative number"} if any(type(v) is int and v < 0 for v in numbers) else set()
    found |= {"absent input"} if None in app.args else set()
    found |= {"broadcasting"} if len({d for d in dims if d}) > 1 else set()
    return found


def check_op(op, count, salt=0):
    """Draw and check applications of an operator; what was seen, by feature."""
    random = Random(seed_of(op, salt))
    seen = Counter()
    for app in applications(op, SEED + salt, count):
        inferred = accepts(app)
        assert inferred is not None
        seen.update(features(app))
        results = execute(app, inferred, random.getrandbits(20))
        if results is None:
            seen["refused for its values"] += 1
            continue
        check_exact(app, inferred, results)
        for _ in range(2):
            check_partial(app, inferred, results, random)
    return seen


@pytest.mark.parametrize("op", drawn_ops())
def test_inference_and_execution_agree(op):
    assert check_op(op, FEW)["any"] > 0


@pytest.mark.full
@pytest.mark.parametrize("op", drawn_ops())
def test_inference_and_execution_agree_often(op, record_property):
    seen = check_op(op, FULL, 1)
    record_property("applications", dict(seen))
    print(op, dict(seen))
    assert seen["any"] >= SELDOM.get(op, 15)
    assert op in ALONE or seen["refused for its values"] <= seen["any"] * 0.75


@pytest.mark.nightly
@pytest.mark.parametrize("op", drawn_ops())
def test_inference_and_execution_agree_by_the_thousand(op):
    seen = check_op(op, NIGHTLY, 2)
    print(op, dict(seen))


@cache
def _dtypes_of(op):
    """Dtypes that were accepted somewhere, by symbol or input."""
    wanted = {(k, d) for k, ds in slot_dtypes(op).items() for d in ds}
    table, random = op_class(op).ge_table(), Random(seed_of(op))
    keys = [s.dtypes if s.dtypes in table.types else s.name for s in table.inputs]
    pool = list(applications(op, SEED, 40))
    met = {(keys[i], o.dtype) for app in pool for i, _, o in app.operands()}
    for key, dtype in sorted(wanted - met):
        for _ in range(300 if pool else 0):
            app = retyped(connected(random.choice(pool), key, random), key, dtype)
            if random.random() < 0.5:  # symbols of their own that only meet in one dtype
                for other, allowed in slot_dtypes(op).items():
                    app = retyped(app, other, dtype) if dtype in allowed else app
            app = widened(app, random) if random.random() < 0.6 else app
            here = {(keys[i], o.dtype) for i, _, o in app.operands()}
            if (key, dtype) in here and accepts(app) is not None:
                pool.append(app)
                met |= here
                break
    return wanted, met


@pytest.mark.full
@pytest.mark.parametrize("op", drawn_ops())
def test_every_dtype_of_the_prototype_is_accepted(op):
    wanted, met = _dtypes_of(op)
    seldom = (op, None) in SELDOM_DRAWN
    missing = {(k, d) for k, d in wanted - met if (op, k) not in REFUSED_DTYPES and not seldom}
    assert not missing


def test_the_lists_name_operators():
    for op in [*DATA_SIZED, *NOT_DRAWN, *SELDOM, *(op for op, _ in REFUSED_DTYPES)]:
        assert has_semantics(op), op
    for (op, _), file in SELDOM_DRAWN.items():
        assert op in Path(__file__).with_name(file).read_text(encoding="utf-8"), op
    for reason in (*DATA_SIZED.values(), *VALUES.values(), *REFUSED_DTYPES.values()):
        assert re.fullmatch(r"\w.{8,}", reason)


# -------------------------------------------------------------------------------------- bodies


def _bodies(seeds):
    from ge_dialect.infer.node import infer_op
    from ge_dialect.ir.attributes import RefType
    from ge_dialect.ir.graph import module_graphs
    from ge_dialect.semantics.evaluator import evaluate_graph
    from passes.testing.inputs import input_sets
    from passes.testing.knobs import Knobs
    from passes.testing.seeded import random_spec

    knobs = Knobs(subgraphs=2.0, max_ops=4, min_ops=2, io=0.0, random=0.0, dynamic=0.4, refs=0.0)
    met = Counter()
    for seed in seeds:
        spec = random_spec(seed, knobs)
        model = spec.build()
        (graph,) = module_graphs(model.module)
        for inputs in input_sets(spec, seed, kinds=("exact",)):
            found = evaluate_graph(graph, inputs, model.weights, "all")
            for op in graph.body.ops:
                kept = found.values.get(op.ge_node_name)
                if kept is None:
                    continue
                met[op.ge_type] += 1
                for type_, value in zip(infer_op(op), kept, strict=True):
                    if isinstance(type_, RefType):
                        continue
                    shape = shape_of(type_)
                    assert np.asarray(value).dtype == numpy_dtype(elem_of(type_)), op
                    assert shape is None or fits(shape, np.shape(value)), op
    return met


def test_bodies():
    met = _bodies(range(40))
    assert all(met[op] for op in ("If", "While", "PartitionedCall"))


@pytest.mark.full
def test_bodies_often():
    _bodies(range(1000, 1500))
