"""Storage shapes and element placement against golden vectors and the scalar index formulas."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ge_dialect.dtypes import to_xdsl
from ge_dialect.ir.types import layout, tensor_type
from ge_dialect.layouts import (
    FORMAT_NUMBERS,
    Layout,
    LayoutError,
    c0_of,
    default_origin,
    from_storage,
    pack_format,
    reserved_bytes,
    storage_bytes,
    storage_shape,
    to_storage,
    unpack_format,
)

VECTORS = json.loads((Path(__file__).parent / "data" / "layout_vectors.json").read_text())


@pytest.mark.parametrize("v", VECTORS["shape"], ids=lambda v: f"{v['format']}-{v['origin_format']}")
def test_shape_vector(v):
    layout = Layout(v["format"], v["origin_format"], v["groups"])
    assert storage_shape(v["origin_shape"], v["dtype"], layout) == tuple(v["storage_shape"])


@pytest.mark.parametrize("v", VECTORS["data"], ids=lambda v: v["name"])
def test_placement_vector(v):
    layout = Layout(v["dst_format"], v["src_format"], v.get("groups", 1), v["c0"])
    logical = np.array(v["src"], np.float32).reshape(v["src_shape"])
    storage = to_storage(logical, layout)
    assert storage.shape == tuple(v["dst_shape"])
    assert storage.ravel().tolist() == v["dst"]
    np.testing.assert_array_equal(from_storage(storage, logical.shape, layout), logical)


def rows(storage, c0):
    flat = storage.reshape(-1, c0)
    return {i: r.tolist() for i, r in enumerate(flat) if r.any()}


def count(*shape):
    return np.arange(1, np.prod(shape) + 1, dtype=np.int32).reshape(shape)


def test_worked_examples():
    def place(fmt, origin, shape, c0=4, groups=1):
        return rows(to_storage(count(*shape), Layout(fmt, origin, groups, c0)), c0)

    assert place("FRACTAL_Z", "NCHW", (2, 3, 1, 2)) == {
        0: [1, 3, 5, 0], 1: [7, 9, 11, 0], 16: [2, 4, 6, 0], 17: [8, 10, 12, 0],
    }  # fmt: skip
    assert place("FRACTAL_Z", "HWCN", (1, 1, 2, 4), groups=2) == {
        0: [1, 5, 0, 0], 1: [2, 6, 0, 0], 2: [0, 0, 3, 7], 3: [0, 0, 4, 8],
    }  # fmt: skip
    assert place("FRACTAL_Z", "ND", (3, 2)) == {0: [1, 3, 5, 0], 1: [2, 4, 6, 0]}
    assert place("FRACTAL_NZ", "ND", (3, 5)) == {
        0: [1, 2, 3, 4], 1: [6, 7, 8, 9], 2: [11, 12, 13, 14],
        16: [5, 0, 0, 0], 17: [10, 0, 0, 0], 18: [15, 0, 0, 0],
    }  # fmt: skip
    assert place("C1HWNCoC0", "HWCN", (1, 1, 3, 1), c0=2) == {0: [1, 0], 1: [0, 2], 2: [3, 0]}
    assert place("FRACTAL_Z_3D", "DHWCN", (2, 1, 1, 3, 2), c0=2) == {
        0: [1, 3], 1: [2, 4], 16: [5, 0], 17: [6, 0],
        32: [7, 9], 33: [8, 10], 48: [11, 0], 49: [12, 0],
    }  # fmt: skip
    assert rows(to_storage(count(1, 3, 2, 2).astype(np.float16), Layout("NC1HWC0")), 16)[0][:4] == [
        1,
        5,
        9,
        0,
    ]


def axes_of(index, order):
    return dict(zip(order, index, strict=True))


def formula(fmt, d, i, c0, groups=1):
    """Scalar destination index of one element, written from the index formulas alone."""
    n, c, h, w, depth = i["N"], i["C"], i["H"], i["W"], i.get("D", 0)
    H, W, D = d["H"], d["W"], d.get("D", 1)
    c1s, n1s = -(-d["C"] // c0), -(-d["N"] // 16)
    if fmt == "NC1HWC0":
        return (((n * c1s + c // c0) * H + h) * W + w) * c0 + c % c0
    if fmt == "NDC1HWC0":
        return ((((n * D + depth) * c1s + c // c0) * H + h) * W + w) * c0 + c % c0
    if fmt in ("FRACTAL_Z", "FRACTAL_Z_3D") and groups == 1:
        return ((((depth * c1s + c // c0) * H + h) * W + w) * n1s * 16 + n) * c0 + c % c0
    cin, cout = d["C"], d["N"] // groups
    e = min(np.lcm(c0 // np.gcd(cin, c0), 16 // np.gcd(cout, 16)), groups)
    c1s, no = -(-cin * e // c0), -(-e * cout // 16) * 16
    g, j = divmod(n, cout)
    ci, co = (g % e) * cin + c, (g % e) * cout + j
    block = (g // e * D + depth) * c1s + ci // c0
    return ((((block * H + h) * W + w) * no) + co) * c0 + ci % c0


@pytest.mark.parametrize(
    ("fmt", "origin", "shape", "groups"),
    [
        ("NC1HWC0", "NCHW", (2, 5, 2, 3), 1),
        ("NC1HWC0", "NHWC", (2, 2, 3, 9), 1),
        ("NC1HWC0", "HWCN", (2, 1, 7, 2), 1),
        ("NC1HWC0", "CHWN", (3, 1, 2, 2), 1),
        ("NDC1HWC0", "NDHWC", (1, 2, 1, 3, 5), 1),
        ("NDC1HWC0", "NCDHW", (2, 5, 2, 1, 3), 1),
        ("FRACTAL_Z", "NHWC", (17, 2, 1, 5), 1),
        ("FRACTAL_Z", "HWCN", (2, 3, 5, 18), 1),
        ("FRACTAL_Z", "NCHW", (24, 2, 2, 1), 3),
        ("FRACTAL_Z", "NCHW", (32, 1, 3, 3), 32),
        ("FRACTAL_Z", "NHWC", (10, 1, 2, 3), 5),
        ("FRACTAL_Z_3D", "NCDHW", (18, 3, 2, 1, 2), 1),
        ("FRACTAL_Z_3D", "DHWCN", (2, 1, 2, 3, 12), 4),
    ],
)
@pytest.mark.parametrize("c0", [2, 4, 16])
def test_placement_follows_the_index_formula(fmt, origin, shape, groups, c0):
    logical = count(*shape)
    layout = Layout(fmt, origin, groups, c0)
    d = axes_of(shape, origin)
    expected = np.zeros(storage_shape(shape, "int32", layout), np.int32).ravel()
    for index in product(*map(range, shape)):
        expected[formula(fmt, d, axes_of(index, origin), c0, groups)] = logical[index]
    np.testing.assert_array_equal(to_storage(logical, layout).ravel(), expected)
    np.testing.assert_array_equal(from_storage(expected, shape, layout), logical)


ORIGINS4 = ("NCHW", "NHWC", "HWCN", "CHWN")
ORIGINS5 = ("NCDHW", "NDHWC", "DHWCN", "DHWNC")


@st.composite
def cases(draw):
    fmt = draw(st.sampled_from(
    "ND NCHW NHWC HWCN CHWN NDHWC NCDHW DHWCN DHWNC NC1HWC0 NC1HWC0_C04 NDC1HWC0 FRACTAL_Z"
    " FRACTAL_Z_3D FRACTAL_Z_3D_TRANSPOSE FRACTAL_Z_C04 FRACTAL_NZ FRACTAL_NZ_C0_2"
    " FRACTAL_NZ_C0_8 FRACTAL_ZZ C1HWC0 C1HWNCoC0".split()
    ))  # fmt: skip
    small = st.integers(1, 5)
    rank = draw(st.sampled_from([4, 5] if fmt in ("NDC1HWC0", "FRACTAL_Z_3D") else [4]))
    if ("D" in fmt and len(fmt) == 5) or fmt.startswith("FRACTAL_Z_3D_T"):
        rank = 5
    origin = draw(st.sampled_from((None, *(ORIGINS4 if rank == 4 else ORIGINS5))))
    axes = origin or default_origin(rank)
    dims = {a: draw(small) for a in "NDCHW"}
    groups = draw(st.sampled_from([1, 1, 2, 3, 5])) if fmt in ("FRACTAL_Z", "FRACTAL_Z_3D") else 1
    dims["N"] = dims["N"] * groups * draw(st.sampled_from([1, 4, 7]))
    dims["C"] *= draw(st.sampled_from([1, 3, 8]))
    if fmt.endswith("C04"):
        dims["C"] = min(dims["C"], 4) if fmt == "FRACTAL_Z_C04" else dims["C"]
    if fmt == "C1HWC0":
        dims["C"] = 1
    if fmt == "C1HWNCoC0":
        dims["N"] = 1
    shape = tuple(dims[a] for a in axes)
    if fmt in ("FRACTAL_NZ", "FRACTAL_NZ_C0_2", "FRACTAL_NZ_C0_8", "FRACTAL_ZZ", "ND"):
        shape, origin = shape[: draw(st.integers(2, 4))], "ND"
    return (
        shape,
        Layout(fmt, origin, groups),
        draw(st.sampled_from(["float16", "float32", "int8", "uint8", "int16"])),
    )


@given(cases())
@settings(max_examples=300, deadline=None)
def test_round_trip(case):
    shape, layout, dtype = case
    logical = (count(*shape) % 100 + 1).astype(dtype)
    storage = to_storage(logical, layout)
    assert storage.shape == storage_shape(shape, dtype, layout)
    assert storage.flags.c_contiguous
    assert storage.dtype == logical.dtype
    np.testing.assert_array_equal(from_storage(storage, shape, layout), logical)
    np.testing.assert_array_equal(from_storage(storage.ravel(), shape, layout), logical)
    assert np.count_nonzero(storage) == np.count_nonzero(logical)  # padding is zero


def test_lower_rank_is_lifted():
    bias = count(33).astype(np.float16)
    layout = Layout("NC1HWC0")
    storage = to_storage(bias, layout)
    assert storage.shape == (1, 3, 1, 1, 16)
    assert storage.ravel()[:33].tolist() == bias.tolist()
    np.testing.assert_array_equal(from_storage(storage, (33,), layout), bias)
    assert storage_shape((4, 6), "float16", Layout("NC1HWC0", "NHWC")) == (1, 1, 4, 6, 16)
    assert storage_shape((5,), "float32", Layout("NHWC")) == (5,)
    assert storage_shape((), "float32", Layout("NC1HWC0")) == ()
    assert storage_shape((40,), "bfloat16", Layout("FRACTAL_NZ")) == (1, 3, 16, 16)


def test_a_depth_of_one_is_dropped():
    logical = count(2, 3, 1, 2, 2)
    flat = Layout("NC1HWC0", "NCDHW", c0=4)
    image = Layout("NC1HWC0", "NCHW", c0=4)
    storage = to_storage(logical, flat)
    np.testing.assert_array_equal(storage, to_storage(logical[:, :, 0], image))
    np.testing.assert_array_equal(from_storage(storage, logical.shape, flat), logical)


def test_unknown_dims_spread():
    assert storage_shape((-1, 2, 3, 3), "float16", Layout("FRACTAL_Z", groups=2)) == (
        -1,
        -1,
        16,
        16,
    )
    assert storage_shape((-1, 2, 1, 1), "float16", Layout("FRACTAL_ZN_LSTM")) == (-1, -1, 16, 16)
    assert storage_shape((3, -1, 5, 5), "int8", Layout("NC1HWC0")) == (3, -1, 5, 5, 32)


def test_lstm_gates_are_padded_apart():
    inputs, hidden = 3, 2
    logical = count(1, 1, inputs + hidden, 4 * hidden)
    layout = Layout("FRACTAL_ZN_LSTM", "HWCN")
    storage = to_storage(logical, layout)
    assert storage.shape == (2, 4, 16, 16)
    matrix = logical[0, 0]
    for gate in range(4):
        columns = slice(gate * hidden, (gate + 1) * hidden)
        np.testing.assert_array_equal(
            storage[0, gate, :hidden, :inputs], matrix[:inputs, columns].T
        )
        np.testing.assert_array_equal(
            storage[1, gate, :hidden, :hidden], matrix[inputs:, columns].T
        )
    np.testing.assert_array_equal(from_storage(storage, logical.shape, layout), logical)


def test_c0_precedence():
    assert c0_of("int8", Layout("FRACTAL_NZ_C0_4", c0=32)) == 4
    assert c0_of("float16", Layout("NC1HWC0_C04", c0=16)) == 4
    assert c0_of("float32", Layout("NC1HWC0", c0=8)) == 8
    assert [c0_of(t) for t in ("float32", "bool", "int4", "int2", "uint1", "int64")] == [
        16,
        32,
        64,
        128,
        256,
        16,
    ]
    assert c0_of(np.dtype("int8")) == 32
    assert c0_of(np.dtype("float64")) == 16


@pytest.mark.parametrize(
    ("layout", "shape", "text"),
    [
        (Layout("FRACTAL_Z_C04"), (8, 5, 3, 3), "at most 4 channels"),
        (Layout("FRACTAL_Z", groups=3), (8, 5, 3, 3), "do not divide"),
        (Layout("NC1HWC0", groups=3), (8, 5, 3, 3), "no groups"),
        (Layout("NC1HWC0", "NCDHW"), (8, 5, 2, 3, 3), "no place for axis D"),
        (Layout("NC1HWC0", "ND"), (8, 5), "named axes"),
        (Layout("HASHTABLE_LOOKUP_KEYS"), (8, 5, 3, 3), "no storage rule"),
        (Layout("FRACTAL_ZZ"), (8,), "rank 2"),
        (Layout("NC1HWC0", "NCHW"), (8, 5, 3, 3, 2), "does not fit origin"),
        (Layout("FRACTAL_Z", "ND"), (8, 5, 3), "rank 2 or 4"),
    ],
)
def test_errors_say_why(layout, shape, text):
    with pytest.raises(LayoutError, match=text):
        storage_shape(shape, "float16", layout)


def test_placement_that_is_not_defined_is_refused():
    a = np.zeros((3, 3, 20, 4), np.float16)
    with pytest.raises(LayoutError, match="N = 1 only"):
        to_storage(a, Layout("C1HWNCoC0", "HWCN"))
    with pytest.raises(LayoutError, match="no public element placement"):
        to_storage(a, Layout("FRACTAL_Z_WINO", "HWCN"))
    with pytest.raises(LayoutError, match="found 7 elements"):
        from_storage(np.zeros(7, np.float16), (1, 3, 2, 2), Layout("NC1HWC0"))


def test_zero_elements():
    layout = Layout("NC1HWC0")
    storage = to_storage(np.zeros((0, 3, 2, 2), np.float16), layout)
    assert storage.shape == (0, 1, 2, 2, 16)
    assert from_storage(storage, (0, 3, 2, 2), layout).shape == (0, 3, 2, 2)


def test_packed_format_numbers():
    assert pack_format("FRACTAL_Z", 8) == 2052
    assert pack_format("NC1HWC0", c0=16) == 83886083
    assert pack_format("FRACTAL_Z", 2, 32) == 100663812
    assert unpack_format(100663812) == Layout("FRACTAL_Z", None, 2, 32)
    names = ("HWCN", "NDHWC", "FRACTAL_NZ", "DHWNC", "RESERVED", "C1HWC0")
    assert [FORMAT_NUMBERS[f] for f in names] == [16, 27, 29, 36, 40, 49]
    assert FORMAT_NUMBERS["FRACTAL_NZ_C0_8"] == 54
    with pytest.raises(LayoutError):
        pack_format("NC1HWC0", c0=24)


def test_bytes_of_a_tensor_type():
    def size(shape, elem, *args, **kwargs):
        made = layout(*args, **kwargs) if args else None
        return storage_bytes(tensor_type(shape, to_xdsl(elem), made))

    assert size((1, 3, 4, 4), "float16") == 96
    assert size((1, 3, 4, 4), "float16", "NC1HWC0") == 512
    assert size((1, 3, 4, 4), "int8", "NC1HWC0") == 512
    assert size((1, 3, 4, 4), "bool", "NC1HWC0") == 512
    assert size((32, 1, 3, 3), "float16", "FRACTAL_Z", groups=32) == 18 * 16 * 16 * 2
    assert size((3,), "int4") == 2
    assert size((), "float64") == 8
    assert size((2, -1), "float32") == -1
    assert size(None, "float32") == -1
    assert size((2,), "string") == 32


def test_reserved_size():
    assert [reserved_bytes(n) for n in (0, 2, 32, 33, -1)] == [32, 64, 64, 96, -1]


def test_import_needs_no_numpy():
    code = (
        "import sys, ge_dialect.layouts as m;"
        "m.storage_shape((1, 3, 4, 4), 'float16', m.Layout('NC1HWC0'));"
        "assert 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
