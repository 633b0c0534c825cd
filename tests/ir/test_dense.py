"""Dense literals survive text: ours, stock xDSL's reading of ours, and our reading of stock's."""

from __future__ import annotations

import math
import random
from io import StringIO

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import (
    BFloat16Type,
    Builtin,
    ComplexType,
    Float8E4M3FNType,
    Float8E5M2Type,
    IndexType,
    IntegerType,
    Signedness,
    TensorType,
    f16,
    f32,
    f64,
    i1,
    i64,
)
from xdsl.parser import Parser
from xdsl.printer import Printer

from ge_dialect.ir.dense import (
    DenseError,
    attribute_text,
    dense_from_numpy,
    dense_text,
    dense_to_numpy,
    make_dense,
    parse_dense,
)
from ge_dialect.ir.dense_reader import normalise_bytes

bf16 = BFloat16Type()
i4, i8 = IntegerType(4), IntegerType(8)
ui8 = IntegerType(8, Signedness.UNSIGNED)
ELEMENTS = [
    f16,
    bf16,
    f32,
    f64,
    i1,
    i4,
    i8,
    i64,
    ui8,
    IndexType(),
    ComplexType(f32),
    Float8E4M3FNType(),
    Float8E5M2Type(),
]
SHAPES = [[], [1], [2], [2, 3], [3, 1, 2], [0], [2, 0], [70]]


def stock() -> Context:
    ctx = Context()
    ctx.load_dialect(Builtin)
    return ctx


def read(text: str):
    body, _, type_ = text.removeprefix("dense<").rpartition("> : ")
    return parse_dense(body, Parser(stock(), type_).parse_type())


@pytest.mark.parametrize("elem", ELEMENTS, ids=str)
def test_random_bytes_survive_text_here_and_in_stock_xdsl(elem):
    rng = random.Random(str(elem))
    for trial in range(60):
        shape = rng.choice(SHAPES)
        size = elem.compile_time_size
        data = normalise_bytes(rng.randbytes(math.prod(shape) * size), elem)
        if trial % 3 == 0 and data:
            data = data[:size] * math.prod(shape)
        attr = make_dense(TensorType(elem, shape), data)
        text = dense_text(attr)
        assert read(text) == attr, text
        assert Parser(stock(), text).parse_attribute() == attr, text


SPECIAL = [math.nan, math.inf, -math.inf, 16777216.0, 123456784.0, -0.0, 0.1, 1e-5, 65504.0]


@pytest.mark.parametrize("elem", [f16, bf16, f32, f64], ids=str)
@pytest.mark.parametrize("value", SPECIAL)
def test_special_floats(elem, value):
    try:
        data = elem.pack((value, 1.0))
    except OverflowError:
        return  # outside of the format
    for payload, shape in ((data, [2]), (data[: len(data) // 2] * 4, [4])):
        attr = make_dense(TensorType(elem, shape), payload)
        text = dense_text(attr)
        assert read(text) == attr
        assert Parser(stock(), text).parse_attribute() == attr
        if not math.isfinite(value):
            assert 'dense<"0x' in text


@pytest.mark.parametrize("elem", [f32, f64], ids=str)
def test_hexadecimal_elements_that_stock_xdsl_writes_are_bit_patterns(elem):
    values = [math.inf, -math.inf, math.nan, 16777216.0, 1.5]
    attr = make_dense(TensorType(elem, [5]), elem.pack(values))
    out = StringIO()
    Printer(out).print_attribute(attr)
    assert "0x" in out.getvalue()
    assert read(out.getvalue()) == attr


def test_mixed_list_and_short_text():
    assert dense_text(read("dense<[1, 0x7C00, -0.0]> : tensor<3xf16>")) == (
        'dense<"0x003C007C0080"> : tensor<3xf16>'
    )
    assert dense_text(read("dense<0.1> : tensor<3xf16>")) == "dense<0.1> : tensor<3xf16>"
    assert dense_text(read("dense<1e-05> : tensor<f32>".replace("1e", "1.0e"))) == (
        "dense<1.0e-05> : tensor<f32>"
    )
    assert dense_text(read("dense<[[true, false]]> : tensor<1x2xi1>")) == (
        "dense<[[true, false]]> : tensor<1x2xi1>"
    )


def test_negative_zero_is_no_splat_with_zero():
    attr = make_dense(TensorType(f32, [2]), f32.pack((0.0, -0.0)))
    assert dense_text(attr) == "dense<[0.0, -0.0]> : tensor<2xf32>"


def test_bools_stay_a_list_and_large_data_is_bytes():
    bools = make_dense(TensorType(i1, [100]), bytes([0, 255] * 50))
    assert '"' not in dense_text(bools)
    ints = make_dense(TensorType(i8, [65]), bytes(range(65)))
    assert dense_text(ints).startswith('dense<"0x000102')


def test_narrow_integers_written_by_mlir_are_zero_extended():
    assert read('dense<"0x0F01"> : tensor<2xi4>') == read("dense<[-1, 1]> : tensor<2xi4>")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dense<[1, 2]> : tensor<3xi8>", "shape"),
        ("dense<[[1], [2, 3]]> : tensor<2x1xi8>", "different lengths"),
        ("dense<[1, 300]> : tensor<2xi8>", "does not fit i8"),
        ("dense<[1.5]> : tensor<1xi8>", "expected an integer"),
        ("dense<[-1]> : tensor<1xui8>", "negative"),
        ("dense<[true]> : tensor<1xi8>", "value of i1"),
        ("dense<[1.0e6]> : tensor<1xf16>", "does not fit f16"),
        ("dense<[1.0e39]> : tensor<1xbf16>", "does not fit bf16"),
        (f"dense<1{'0' * 23}> : tensor<2xf16>", "does not fit f16"),
        (f"dense<[1{'0' * 23}, 1]> : tensor<2xf16>", "does not fit f16"),
        (f"dense<[1{'0' * 400}, 1]> : tensor<2xf32>", "does not fit f32"),
        (f"dense<1{'0' * 400}> : tensor<2xf64>", "does not fit f64"),
        ("dense<[NaN]> : tensor<1xf32>", "expected a number"),
        ("dense<0x1FFFF> : tensor<1xf16>", "more bits"),
        ('dense<"0x00"> : tensor<2xf32>', "bytes"),
        ('dense<"0xZZ"> : tensor<1xi8>', "hexadecimal"),
        ('dense<"7"> : tensor<1xi8>', "0x"),
        ("dense<> : tensor<2xi8>", "has none"),
        ("dense<[1, 2> : tensor<2xi8>", "expected ]"),
        ("dense<1 2> : tensor<2xi8>", "unexpected 2"),
        ("dense<(1.0, 2.0)> : tensor<1xf32>", "complex"),
        ("dense<1.0> : tensor<1xcomplex<f32>>", "real"),
        ("dense<1> : tensor<?xi8>", "static"),
        (f"dense<{'[' * 200}1{']' * 200}> : tensor<1xi8>", "nested too deeply"),
    ],
)
def test_wrong_literals_are_refused_in_words(text, message):
    with pytest.raises(DenseError, match=message):
        read(text)


def test_random_characters_never_raise_anything_else():
    rng = random.Random(3)
    alphabet = '[](),0123456789.eE+-xAF"truefals \\\n{'
    for _ in range(3000):
        body = "".join(rng.choice(alphabet) for _ in range(rng.randrange(14)))
        for elem in (f16, i8, i1, ComplexType(f32)):
            try:
                parse_dense(body, TensorType(elem, [2]))
            except DenseError:
                pass


def test_numpy_both_ways():
    import ml_dtypes

    arrays = [
        np.array([[1.5, np.nan], [np.inf, -0.0]], np.float32),
        np.array([1, 2, 3], np.int64),
        np.array([True, False, True]),
        np.array(3, np.uint8),
        np.zeros((0, 3), np.float16),
        np.array([1 + 2j], np.complex64),
        np.array([0.1, 3.0e38], ml_dtypes.bfloat16),
        np.array([-8, 7, -1], ml_dtypes.int4),
        np.array([0.5, 448.0], ml_dtypes.float8_e4m3fn),
    ]
    for array in arrays:
        attr = dense_from_numpy(array)
        back = dense_to_numpy(attr)
        assert back.dtype == array.dtype
        assert back.shape == array.shape
        assert back.tobytes() == array.tobytes()
        assert read(dense_text(attr)) == attr


def test_numpy_with_an_element_type_of_ones_own():
    attr = dense_from_numpy(np.array([0.5, 2.0]), bf16)
    assert dense_text(attr) == "dense<[0.5, 2.0]> : tensor<2xbf16>"
    assert dense_from_numpy(np.array([1, 0]), i1) == read("dense<[true, false]> : tensor<2xi1>")


def test_nested_attributes_keep_dense_literals_exact():
    from xdsl.dialects.builtin import ArrayAttr

    attr = make_dense(TensorType(f32, [2]), f32.pack((math.inf, 1.0)))
    text = attribute_text(ArrayAttr([attr]))
    assert Parser(stock(), text).parse_attribute() == ArrayAttr([attr])
