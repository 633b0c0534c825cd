"""Element types: GE's names and numbers, MLIR's types, sizes and numpy types in one table.

numpy is imported only by `numpy_dtype`, so that importing the dialect stays cheap.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import (
    BFloat16Type,
    ComplexType,
    Float4E2M1FNType,
    Float6E2M3FNType,
    Float6E3M2FNType,
    Float8E4M3FNType,
    Float8E4M3FNUZType,
    Float8E5M2FNUZType,
    Float8E5M2Type,
    Float8E8M0FNUType,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
    Signedness,
)
from xdsl.ir import Attribute

from ge_dialect.ir.attributes import EXTRA_ELEMENT_TYPES

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class DType:
    """One element type.

    name: GE's lower-case name ("float32"); printed: GE's `DT_` name; enum: GE's number;
    type: the xDSL type; bits: size of one element in storage; numpy: numpy or ml_dtypes name,
    None where there is none. Numbers from `HOST_ONLY` on are ours, not GE's.
    """

    name: str
    printed: str
    enum: int
    type: Attribute
    bits: int
    numpy: str | None

    @property
    def host_only(self) -> bool:
        """Whether GE has no such dtype: only the host engine computes with it."""
        return self.enum >= HOST_ONLY


#: Numbers of dtypes that GE does not have: this plus ONNX's number.
HOST_ONLY = 1000


def _uint(bits: int) -> IntegerType:
    return IntegerType(bits, Signedness.UNSIGNED)


def _extra(name: str) -> Attribute:
    return EXTRA_ELEMENT_TYPES[name]()


_F16, _F32, _F64 = Float16Type(), Float32Type(), Float64Type()

#: name, DT_ name, GE number, xDSL type, bits, numpy name
_ROWS: tuple[tuple[str, str, int, Attribute, int, str | None], ...] = (
    ("float32", "DT_FLOAT", 0, _F32, 32, "float32"),
    ("float16", "DT_FLOAT16", 1, _F16, 16, "float16"),
    ("int8", "DT_INT8", 2, IntegerType(8), 8, "int8"),
    ("int32", "DT_INT32", 3, IntegerType(32), 32, "int32"),
    ("uint8", "DT_UINT8", 4, _uint(8), 8, "uint8"),
    ("int16", "DT_INT16", 6, IntegerType(16), 16, "int16"),
    ("uint16", "DT_UINT16", 7, _uint(16), 16, "uint16"),
    ("uint32", "DT_UINT32", 8, _uint(32), 32, "uint32"),
    ("int64", "DT_INT64", 9, IntegerType(64), 64, "int64"),
    ("uint64", "DT_UINT64", 10, _uint(64), 64, "uint64"),
    ("float64", "DT_DOUBLE", 11, _F64, 64, "float64"),
    ("bool", "DT_BOOL", 12, IntegerType(1), 8, "bool"),
    ("string", "DT_STRING", 13, _extra("string"), 128, "object"),
    ("dual_sub_int8", "DT_DUAL_SUB_INT8", 14, _extra("dual_sub_int8"), 8, None),
    ("dual_sub_uint8", "DT_DUAL_SUB_UINT8", 15, _extra("dual_sub_uint8"), 8, None),
    ("complex64", "DT_COMPLEX64", 16, ComplexType(_F32), 64, "complex64"),
    ("complex128", "DT_COMPLEX128", 17, ComplexType(_F64), 128, "complex128"),
    ("qint8", "DT_QINT8", 18, _extra("qint8"), 8, "int8"),
    ("qint16", "DT_QINT16", 19, _extra("qint16"), 16, "int16"),
    ("qint32", "DT_QINT32", 20, _extra("qint32"), 32, "int32"),
    ("quint8", "DT_QUINT8", 21, _extra("quint8"), 8, "uint8"),
    ("quint16", "DT_QUINT16", 22, _extra("quint16"), 16, "uint16"),
    ("resource", "DT_RESOURCE", 23, _extra("resource"), 64, None),
    ("string_ref", "DT_STRING_REF", 24, _extra("string_ref"), 128, None),
    ("dual", "DT_DUAL", 25, _extra("dual"), 40, None),
    ("variant", "DT_VARIANT", 26, _extra("variant"), 64, None),
    ("bfloat16", "DT_BF16", 27, BFloat16Type(), 16, "bfloat16"),
    ("int4", "DT_INT4", 29, IntegerType(4), 4, "int4"),
    ("uint1", "DT_UINT1", 30, _uint(1), 1, None),
    ("int2", "DT_INT2", 31, IntegerType(2), 2, "int2"),
    ("uint2", "DT_UINT2", 32, _uint(2), 2, "uint2"),
    ("complex32", "DT_COMPLEX32", 33, ComplexType(_F16), 32, None),
    ("hifloat8", "DT_HIFLOAT8", 34, _extra("hif8"), 8, None),
    ("float8_e5m2", "DT_FLOAT8_E5M2", 35, Float8E5M2Type(), 8, "float8_e5m2"),
    ("float8_e4m3fn", "DT_FLOAT8_E4M3FN", 36, Float8E4M3FNType(), 8, "float8_e4m3fn"),
    ("float8_e8m0", "DT_FLOAT8_E8M0", 37, Float8E8M0FNUType(), 8, "float8_e8m0fnu"),
    ("float6_e3m2", "DT_FLOAT6_E3M2", 38, Float6E3M2FNType(), 6, "float6_e3m2fn"),
    ("float6_e2m3", "DT_FLOAT6_E2M3", 39, Float6E2M3FNType(), 6, "float6_e2m3fn"),
    ("float4_e2m1", "DT_FLOAT4_E2M1", 40, Float4E2M1FNType(), 4, "float4_e2m1fn"),
    ("float4_e1m2", "DT_FLOAT4_E1M2", 41, _extra("f4e1m2"), 4, None),
    ("hifloat4", "DT_HIFLOAT4", 42, _extra("hif4"), 4, None),
)

#: Dtypes that GE does not have; frameworks do, and the host engine computes with them.
_HOST_ROWS: tuple[tuple[str, str, int, Attribute, int, str | None], ...] = (
    ("float8_e4m3fnuz", "HOST_FLOAT8_E4M3FNUZ", 1018, Float8E4M3FNUZType(), 8, "float8_e4m3fnuz"),
    ("float8_e5m2fnuz", "HOST_FLOAT8_E5M2FNUZ", 1020, Float8E5M2FNUZType(), 8, "float8_e5m2fnuz"),
    ("uint4", "HOST_UINT4", 1021, _uint(4), 4, "uint4"),
)

DTYPES: tuple[DType, ...] = tuple(DType(*row) for row in _ROWS)
HOST_DTYPES: tuple[DType, ...] = tuple(DType(*row) for row in _HOST_ROWS)
BY_NAME: dict[str, DType] = {d.name: d for d in (*DTYPES, *HOST_DTYPES)}
#: Other spellings met in op libraries, dumps and options.
ALIASES: dict[str, str] = {
    "float": "float32",
    "double": "float64",
    "bf16": "bfloat16",
    "fp16": "float16",
    "fp32": "float32",
    "half": "float16",
}
BY_ENUM: dict[int, DType] = {d.enum: d for d in (*DTYPES, *HOST_DTYPES)}
#: By MLIR's spelling ("f16", "ui8", "complex<f32>").
_BY_TEXT: dict[str, Attribute] = {str(d.type): d.type for d in (*DTYPES, *HOST_DTYPES)}
_BY_TYPE: dict[Attribute, DType] = {d.type: d for d in (*DTYPES, *HOST_DTYPES)}

#: Groups of dtypes as operator prototypes name them.
GROUPS: dict[str, Sequence[str]] = {
    "ALL": (
        "bool complex128 complex64 float64 float32 float16 int16 int32 int64 int8 qint16 qint32 "
        "qint8 quint16 quint8 resource string uint16 uint32 uint64 uint8 bfloat16 complex32"
    ).split(),
    "QuantifiedType": "qint16 qint32 qint8 quint16 quint8".split(),
    "OrdinaryType": (
        "bool complex128 complex64 float64 float32 float16 int16 int32 int64 int8 uint16 uint32 "
        "uint64 uint8 bfloat16 complex32"
    ).split(),
    "BasicType": (
        "complex128 complex64 float64 float32 float16 int16 int32 int64 int8 qint16 qint32 qint8 "
        "quint16 quint8 uint16 uint32 uint64 uint8 bfloat16 complex32"
    ).split(),
    "NumberType": (
        "complex128 complex64 float64 float32 float16 int16 int32 int64 int8 qint32 qint8 quint8 "
        "uint16 uint32 uint64 uint8 bfloat16 complex32"
    ).split(),
    "RealNumberType": (
        "float64 float32 float16 int16 int32 int64 int8 uint16 uint32 uint64 uint8 bfloat16"
    ).split(),
    "ComplexDataType": "complex128 complex64 complex32".split(),
    "IntegerDataType": "int16 int32 int64 int8 uint16 uint32 uint64 uint8".split(),
    "SignedDataType": "int16 int32 int64 int8".split(),
    "UnsignedDataType": "uint16 uint32 uint64 uint8".split(),
    "FloatingDataType": "float64 float32 float16".split(),
    "IndexNumberType": "int32 int64".split(),
    "UnaryDataType": "complex128 complex64 float64 float32 float16 bfloat16 complex32".split(),
    "FLOAT": "float32 float16 bfloat16".split(),
    # Not GE's: every dtype there is, for operators that only move data.
    "ANY": tuple(BY_NAME),
}

#: GE's format names and numbers.
FORMATS: dict[str, int] = {
    name: i
    for i, name in enumerate(
        (
            "NCHW NHWC ND NC1HWC0 FRACTAL_Z NC1C0HWPAD NHWC1C0 FSR_NCHW FRACTAL_DECONV C1HWNC0 "
            "FRACTAL_DECONV_TRANSPOSE FRACTAL_DECONV_SP_STRIDE_TRANS NC1HWC0_C04 FRACTAL_Z_C04 "
            "CHWN DECONV_SP_STRIDE8_TRANS HWCN NC1KHKWHWC0 BN_WEIGHT FILTER_HWCK "
            "HASHTABLE_LOOKUP_LOOKUPS HASHTABLE_LOOKUP_KEYS HASHTABLE_LOOKUP_VALUE "
            "HASHTABLE_LOOKUP_OUTPUT HASHTABLE_LOOKUP_HITS C1HWNCoC0 MD NDHWC FRACTAL_ZZ "
            "FRACTAL_NZ NCDHW DHWCN NDC1HWC0 FRACTAL_Z_3D CN NC DHWNC FRACTAL_Z_3D_TRANSPOSE "
            "FRACTAL_ZN_LSTM FRACTAL_Z_G RESERVED ALL NULL ND_RNN_BIAS FRACTAL_ZN_RNN NYUV NYUV_A "
            "NCL FRACTAL_Z_WINO C1HWC0 FRACTAL_NZ_C0_16 FRACTAL_NZ_C0_32 FRACTAL_NZ_C0_2 "
            "FRACTAL_NZ_C0_4 FRACTAL_NZ_C0_8"
        ).split()
    )
}


def to_xdsl(name: str) -> Attribute:
    """xDSL type of GE's dtype `name`; KeyError for an unknown name."""
    return BY_NAME[ALIASES.get(name, name)].type


def element_type_of(what: Any) -> Attribute:
    """Element type of what names one: GE's name ("float16"), MLIR's ("f16", "ui8"), a dtype or
    scalar type of numpy or ml_dtypes, or an element type itself. ValueError for anything else.

    Python's `float` and `int` name none: numpy and GE disagree about their width.
    """
    if isinstance(what, str):
        try:
            return to_xdsl(what)
        except KeyError:
            found = _BY_TEXT.get(what)
            if found is None:
                raise ValueError(f"no element type is called {what!r}") from None
            return found
    if isinstance(what, Attribute) and what in _BY_TYPE:
        return what
    if what is bool:
        return to_xdsl("bool")
    module = type(what).__module__ if not isinstance(what, type) else what.__module__
    if module.partition(".")[0] not in ("numpy", "ml_dtypes"):
        raise ValueError(f"{what!r:.60} names no element type")
    try:
        return from_numpy(what)
    except TypeError:
        raise ValueError(f"{what!r:.60} names no element type") from None


def dtype_of(elem: Attribute) -> DType | None:
    """Table row of an element type, None for one that GE has not."""
    return _BY_TYPE.get(elem)


def ge_name(elem: Attribute) -> str:
    """GE's lower-case name of an element type; its MLIR text where GE has none."""
    row = _BY_TYPE.get(elem)
    return row.name if row is not None else str(elem)


def bits(elem: Attribute) -> int:
    """Bits of one element in storage; ValueError where unknown."""
    row = _BY_TYPE.get(elem)
    if row is None:
        raise ValueError(f"no storage size is known for element type {elem}")
    return row.bits


def ge_enum(elem: Attribute) -> int:
    """Number of an element type (the `dst_type` of Cast), ours for a host-only dtype.

    ValueError where it has none.
    """
    row = _BY_TYPE.get(elem)
    if row is None:
        raise ValueError(f"GE has no number for element type {elem}")
    return row.enum


def from_enum(number: int) -> Attribute:
    """Element type of a number, GE's or ours; KeyError for an unknown one."""
    return BY_ENUM[number].type


@cache
def numpy_dtype(elem: Attribute) -> np.dtype[Any]:
    """numpy (or ml_dtypes) dtype of an element type; ValueError where there is none."""
    import ml_dtypes
    import numpy as np

    row = _BY_TYPE.get(elem)
    if row is None or row.numpy is None:
        raise ValueError(f"no numpy type is known for element type {elem}")
    if hasattr(ml_dtypes, row.numpy):
        return np.dtype(getattr(ml_dtypes, row.numpy))
    return np.dtype(row.numpy)


@cache
def _from_numpy_table() -> dict[Any, Attribute]:
    out: dict[Any, Attribute] = {}
    for row in (*DTYPES, *HOST_DTYPES):
        if row.numpy is not None and not row.name.startswith(("q", "dual")):
            out.setdefault(numpy_dtype(row.type), row.type)
    return out


def from_numpy(dtype: Any) -> Attribute:
    """Element type of a numpy or ml_dtypes dtype; ValueError where there is none."""
    import numpy as np

    found = _from_numpy_table().get(np.dtype(dtype))
    if found is None:
        raise ValueError(f"no element type is known for numpy dtype {dtype}")
    return found


@cache
def expand_spec(spec: str) -> frozenset[Attribute]:
    """Element types of a comma list of dtype and group names; KeyError for an unknown name."""
    out: set[Attribute] = set()
    for part in spec.split(","):
        word = part.strip()
        if word in GROUPS:
            out.update(BY_NAME[n].type for n in GROUPS[word])
        else:
            out.add(to_xdsl(word))
    return frozenset(out)


def is_float(elem: Attribute) -> bool:
    """True for real floating types of any width."""
    row = _BY_TYPE.get(elem)
    return row is not None and row.name.startswith(("float", "bfloat", "hifloat"))


def is_integer(elem: Attribute) -> bool:
    """True for integer types, bool excluded."""
    return isinstance(elem, IntegerType) and elem.width.data != 1
