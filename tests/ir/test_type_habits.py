"""Types written as elsewhere: what is wrong, where, and how the type is written here."""

from __future__ import annotations

import pytest

from ge_dialect.api import parse
from ge_dialect.diagnostics import Diagnostic, GeError
from ge_dialect.ir.type_habits import element_text


def refused(type_: str) -> Diagnostic:
    """The first diagnostic of a graph whose argument has that type."""
    with pytest.raises(GeError) as caught:
        parse(f"ge.graph @g(%x: {type_}) {{\n  ge.NetOutput(%x)\n}}")
    return caught.value.diagnostics[0]


@pytest.mark.parametrize(
    ("type_", "column", "hint"),
    [
        ("tensor<4xfloat16>", 26, "did you mean 'f16'? tensor<4xf16>"),
        ("tensor<4xfp16>", 26, "did you mean 'f16'? tensor<4xf16>"),
        ("tensor<4xF32>", 26, "did you mean 'f32'? tensor<4xf32>"),
        ("tensor<2x3xbfloat16>", 28, "did you mean 'bf16'? tensor<2x3xbf16>"),
        ("tensor<?xint8>", 26, "did you mean 'i8'? tensor<?xi8>"),
        ("tensor<*xuint8>", 26, "did you mean 'ui8'? tensor<*xui8>"),
        ("tensor<u8>", 24, "did you mean 'ui8'? tensor<ui8>"),
        ("tensor<4xbool>", 26, "did you mean 'i1'? tensor<4xi1>"),
        ("tensor<4xstring>", 26, "did you mean '!ge.string'? tensor<4x!ge.string>"),
        ("tensor<4xdouble, #ge.layout<NCHW>>", 26, "did you mean 'f64'? tensor<4xf64>"),
        ("tensor<4xcomplex64>", 26, "did you mean 'complex<f32>'? tensor<4xcomplex<f32>>"),
        ("tensor<4xfloat61>", 26, "did you mean 'f64'?"),
        ("tensor<4xzzz>", 26, None),
        ("tensor<4 x f32>", 24, "write tensor<4xf32>"),
        ("tensor<4,3,f32>", 24, "write tensor<4x3xf32>"),
        ("tensor<4X3xf32>", 24, "write tensor<4x3xf32>"),
        ("tensor<-1xf32>", 24, "write tensor<?xf32>"),
        ("tensor<Nxf32>", 24, "write tensor<?xf32>"),
        ("tensor<NxCx4xf32>", 24, "write tensor<?x?x4xf32>"),
        ("tensor<f32x4>", 24, "write tensor<4xf32>"),
        ("tensor<float16x4x3>", 24, "write tensor<4x3xf16>"),
        ("tensor<4xf32, NCHW>", 29, "write tensor<4xf32, #ge.layout<NCHW>>"),
        ("tensor<4xf32, ND>", 29, "write tensor<4xf32>"),
        ("tensor<4xf32", 29, "tensor<4xf32>"),
        ("tensor<4>", 24, "for instance tensor<4xf32>"),
        ("tensor<>", 24, "for instance tensor<f32>"),
        ("Tensor<4xfp32>", 17, "write tensor<4xf32>"),
        ("tensor[4xf32]", 17, "write tensor<4xf32>"),
        ("tensor<4x!ge.strng>", 26, "did you mean '!ge.string'?"),
        ("!ge.ref<tensor<4xfloat32>>", 34, "did you mean 'f32'? tensor<4xf32>"),
    ],
)
def test_a_type_of_elsewhere(type_: str, column: int, hint: str | None) -> None:
    said = refused(type_)
    assert said.code == "GX-101"
    assert (said.location, said.hint) == (f"<string>:1:{column}", hint), said.render()
    assert "shape" not in said.message


def test_types_of_results_too() -> None:
    text = (
        "ge.graph @g(%x: tensor<4xf16>) {\n  %y = ge.Relu(%x) : tensor<4xfloat16>\n"
        "  %z = ge.Relu(%x) : tensor<4 x f16>\n  ge.NetOutput(%z)\n}"
    )
    with pytest.raises(GeError) as caught:
        parse(text)
    hints = [d.hint for d in caught.value.diagnostics]
    assert hints == ["did you mean 'f16'? tensor<4xf16>", "write tensor<4xf16>"]


def test_other_errors_stay_as_they_are() -> None:
    text = "ge.graph @g(%x: tensor<4xf16>) {\n  %y = ge.Relu(%x : tensor<4xf16>\n}"
    with pytest.raises(GeError) as caught:
        parse(text)
    assert "tensor" not in caught.value.diagnostics[0].message
    assert refused("tensor<4xf32, #ge.layout<NCWH>>").code == "GX-108"


@pytest.mark.parametrize(
    ("word", "text"),
    [
        *(("half", "f16"), ("torch.float16", "f16"), ("np.int64", "i64"), ("DT_FLOAT", "f32")),
        *(("uint16_t", "ui16"), ("si8", "i8"), ("s32", "i32"), ("i7", None), ("", None)),
    ],
)
def test_names_of_element_types(word: str, text: str | None) -> None:
    assert element_text(word) == text
