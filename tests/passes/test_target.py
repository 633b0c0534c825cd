"""SoC files, the operator library and the cost model."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from xdsl.dialects.builtin import bf16, f16, f32, f64, i8, i32, i64

from ge_dialect.diagnostics import GeError
from ge_dialect.ir import layout, tensor_type
from ge_dialect.target import load_soc, soc_names
from ge_dialect.target.cost import block_dim, copy_cost, kernel_cost
from ge_dialect.target.oplib import RULES, SHORT_DTYPES, aicore_entry, dtype_refusal
from ge_dialect.target.oplib_data import OPS
from ge_dialect.target.soc_file import COST_CLASSES, FOLDER, read_soc
from ge_dialect.target.work import COST_CLASS, work_of

SOC = load_soc()
AICORE, AICPU = "AIcoreEngine", "DNN_VM_AICPU"


# ------------------------------------------------------------------------------------- SoC


@pytest.mark.parametrize("name", ["Ascend910B2", "910B2", "ascend910b2"])
def test_names_of_a_soc(name: str) -> None:
    soc = load_soc(name)
    assert (soc.name, soc.cube.cores, soc.vector.cores, soc.aicpu.cores) == (
        "Ascend910B2",
        24,
        48,
        6,
    )


def test_every_number_says_where_it_is_from() -> None:
    assert set(SOC.cost) == set(COST_CLASSES)
    for key, provenance in SOC.provenance.items():
        assert provenance.kind in ("documented", "fitted", "assumed"), key
    assert len(SOC.provenance) > 60
    assert "Ascend910B2" in soc_names()


def test_unknown_soc() -> None:
    with pytest.raises(GeError, match="GX-501") as caught:
        load_soc("Ascend1000")
    assert "Ascend910B2" in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("schema = 1", "schema = 9", "schema version 9"),
        ('24, from = "documented"', '24, from = "rumour"', "rumour"),
        ("cores = { value = 24,", "cores = { value = -1,", "value = -1"),
        ("[queue]", "[quene]", "unknown section"),
        ("tile = {", "tyle = {", "cube.tyle"),
        ("memory = { value = 0.53,", "memory = { value = 53.0,", "a share in"),
        ("[cost.conv]", "[cost.convolution]", "unknown class"),
        ("schema = 1", "schema = ", "cannot be read"),
    ],
)  # fmt: skip
def test_broken_soc_files(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = (FOLDER / "ascend910b2.toml").read_text()
    assert old in text
    file = tmp_path / "own.toml"
    file.write_text(text.replace(old, new))
    with pytest.raises(GeError, match="GX-502") as caught:
        read_soc(file)
    assert message in str(caught.value)


def test_own_soc_file(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    text = (FOLDER / "ascend910b2.toml").read_text()
    file.write_text(text.replace("cores = { value = 24", "cores = { value = 20", 1))
    assert load_soc(str(file)).cube.cores == 20


# ----------------------------------------------------------------------------- op library


def test_entries_are_well_formed() -> None:
    known = set(SHORT_DTYPES.values())
    for name in OPS:
        entry = aicore_entry(name)
        assert entry is not None
        assert entry.rule in RULES, name
        for letter in entry.inputs + entry.outputs:
            assert entry.columns or entry.sets[letter] <= known, name
        for column in entry.columns:
            assert len(column) == len(entry.inputs) + len(entry.outputs), name
            assert set(column) <= known
    assert aicore_entry("NoSuchOp") is None


def test_entries_fit_the_operators() -> None:
    """As many letters as the operator has inputs and outputs."""
    from ge_dialect.ir import has_op, op_class

    for name in OPS:
        if not has_op(name):
            continue
        entry, table = aicore_entry(name), op_class(name).ge_table()
        assert entry is not None
        assert len(entry.inputs) == len(table.inputs), name
        assert len(entry.outputs) == len(table.outputs), name


def test_dtypes() -> None:
    add = aicore_entry("Add")
    assert add is not None
    assert dtype_refusal(add, [f16, f16], [f16]) is None
    assert "(f16, f32) -> (f16)" in str(dtype_refusal(add, [f16, f32], [f16]))
    assert dtype_refusal(add, [f64, f64], [f64]) is not None
    concat = aicore_entry("ConcatV2")
    assert concat is not None
    assert dtype_refusal(concat, [[f32, f32, f32], i64], [f32]) is None
    assert dtype_refusal(concat, [[f32, f16], i64], [f32]) is not None
    conv = aicore_entry("Conv2D")
    assert conv is not None
    assert dtype_refusal(conv, [bf16, bf16, None, None], [bf16]) is None
    assert dtype_refusal(conv, [i8, i8, None, None], [i32]) is not None
    plain = aicore_entry("AssignAdd")
    assert plain is not None
    assert plain.columns
    assert dtype_refusal(plain, [f32, f16], [f32]) is None
    assert dtype_refusal(plain, [f16, f32], [f16]) is not None


def shared_data(name: str) -> Path:
    root = Path(os.environ.get("GE_SHARED", Path(__file__).resolve().parents[2] / ".." / "shared"))
    file = root / "data" / name
    if not file.is_file():
        pytest.skip(f"{name} is not here (set GE_SHARED)")
    return file


def test_entries_that_are_not_assumed_are_those_of_the_public_library() -> None:
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
    data = yaml.safe_load(shared_data("op_info_910b.yaml").read_text())
    library = {o["name"]: o for o in data["ops"]}
    checked = 0
    for name in OPS:
        entry = aicore_entry(name)
        assert entry is not None
        if entry.assumed:
            continue
        tensors = library[name]["tensors"]
        outputs = [t for t in tensors if t["io"] == "out"]
        assert len(outputs) == len(entry.outputs)
        first = outputs[0]["dtypes"]
        listed = {first} if isinstance(first, str) else set(first)
        allowed = (
            {c[len(entry.inputs)] for c in entry.columns}
            if entry.columns
            else entry.sets[entry.outputs[0]]
        )
        assert allowed <= {SHORT_DTYPES.get(d) for d in listed}, name
        checked += 1
    assert checked > 200


# ------------------------------------------------------------------------------ cost model


def gemm(n: int, elem: object = f16) -> int:
    t = tensor_type((n, n), elem)
    return kernel_cost("MatMulV2", [t, t, None, None], [t], {}, AICORE, SOC).ns


def test_matrix_products_against_a_public_run() -> None:
    """Published 910B2 fp16 times of N x N x N: 21.9, 68.4, 437 and 3600 us."""
    for n, measured in ((1024, 21.9), (2048, 68.4), (4096, 437.0), (8192, 3600.0)):
        assert 0.5 < gemm(n) / 1000 / measured < 1.5
    assert 3 < gemm(8192, f32) / gemm(8192) < 5


def test_flops() -> None:
    x = tensor_type((1, 64, 56, 56), f16, layout("NC1HWC0"))
    w = tensor_type((128, 64, 3, 3), f16, layout("FRACTAL_Z"))
    y = tensor_type((1, 128, 56, 56), f16, layout("NC1HWC0"))
    work = work_of("Conv2D", [x, w, None, None], [y], {"data_format": "NCHW"})
    assert work.flops == 2 * 128 * 56 * 56 * 64 * 9
    assert work.bytes == 2 * (64 * 56 * 56 + 64 * 9 * 128 + 128 * 56 * 56)
    grouped = work_of(
        "Conv2D", [x, tensor_type((128, 16, 3, 3), f16), None, None], [y], {"data_format": "NCHW"}
    )
    assert grouped.flops * 4 == work.flops
    nhwc = work_of(
        "Conv2D",
        [tensor_type((1, 56, 56, 64), f16), tensor_type((3, 3, 64, 128), f16), None, None],
        [tensor_type((1, 56, 56, 128), f16)],
        {"data_format": "NHWC"},
    )
    assert nhwc.flops == work.flops
    a, b = tensor_type((7, 30, 20), f16), tensor_type((7, 30, 40), f16)
    product = work_of("BatchMatMul", [a, b], [tensor_type((7, 20, 40), f16)], {"adj_x1": True})
    assert product.flops == 2 * 7 * 20 * 40 * 30


def test_costs_explain_themselves() -> None:
    small = tensor_type((8,), f16)
    big = tensor_type((64, 1024, 1024), f16)
    assert kernel_cost("Add", [small, small], [small], {}, AICORE, SOC).bound == "launch"
    add = kernel_cost("Add", [big, big], [big], {}, AICORE, SOC)
    assert add.bound == "memory"
    assert add.ns == add.launch_ns + max(add.compute_ns, add.memory_ns)
    assert add.bytes == 3 * 64 * 1024 * 1024 * 2
    cpu = kernel_cost("Add", [small, small], [small], {}, AICPU, SOC)
    assert cpu.bound == "aicpu"
    assert cpu.ns > 10 * kernel_cost("Add", [small, small], [small], {}, AICORE, SOC).ns
    assert kernel_cost("Exp", [big], [big], {}, AICORE, SOC).compute_ns > (
        kernel_cost("Abs", [big], [big], {}, AICORE, SOC).compute_ns
    )
    assert copy_cost(2**20, SOC).ns < copy_cost(2**24, SOC).ns


def test_times_grow_with_the_tensor() -> None:
    for op in ("Add", "SoftmaxV2", "ReduceSumD", "TransposeD", "ConcatD"):
        last = 0
        for n in (1, 1000, 100_000, 10_000_000):
            t = tensor_type((n,), f32)
            now = kernel_cost(op, [t], [t], {}, AICORE, SOC).ns
            assert isinstance(now, int)
            assert now >= last
            last = now


def test_cores_used() -> None:
    assert block_dim("Relu", [tensor_type((8,), f16)], AICORE, SOC) == 1
    assert block_dim("Relu", [tensor_type((10**7,), f16)], AICORE, SOC) == 48
    assert block_dim("MatMulV2", [tensor_type((4096, 4096), f16)], AICORE, SOC) == 24
    assert block_dim("Relu", [tensor_type((10**7,), f16)], AICPU, SOC) == 1


def test_classes_are_known() -> None:
    assert set(COST_CLASS.values()) <= set(COST_CLASSES)
    assert re.fullmatch(r"[a-z ]+", " ".join(COST_CLASSES))


@pytest.mark.parametrize(
    ("shapes", "equation", "flops"),
    [
        ([(2, 3), (3, 4)], "ij,jk->ik", 2 * 24),
        ([(5, 2, 3), (3, 4)], "...ij,jk", 2 * 5 * 24),
        ([(3, 3)], "ii", 2 * 3),
        ([(2, 3), (3, 4), (4, 5)], "ij,jk,kl->il", 4 * 120),
    ],
)
def test_work_of_a_contraction(shapes, equation, flops):
    from ge_dialect.dtypes import to_xdsl
    from ge_dialect.ir.types import tensor_type
    from ge_dialect.target.work import work_of

    types = [tensor_type(s, to_xdsl("float32")) for s in shapes]
    work = work_of("Einsum", [types], [types[0]], {"equation": equation})
    assert (work.cost_class, work.flops) == ("matmul", flops)


def test_a_gather_reads_only_its_rows():
    """The cost of a look-up does not grow with the table."""
    from ge_dialect.dtypes import to_xdsl
    from ge_dialect.ir.types import tensor_type
    from ge_dialect.target.work import work_of

    f16, i64 = to_xdsl("float16"), to_xdsl("int64")
    rows, indices = tensor_type((3, 64), f16), tensor_type((3,), i64)
    works = [
        work_of("GatherV2", [tensor_type((n, 64), f16), indices, None], [rows], {})
        for n in (100, 100_000)
    ]
    assert works[0] == works[1]
    assert works[0].bytes == 2 * 3 * 64 * 2 + 3 * 8
    small = work_of("SliceD", [tensor_type((2, 64), f16)], [tensor_type((2, 1), f16)], {})
    assert (small.bytes, small.elements) == (8, 2)
