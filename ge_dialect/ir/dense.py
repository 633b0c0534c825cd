"""Dense literals: text to bytes and back, exactly.

Stock xDSL writes NaN, infinities and floats without a short decimal as hexadecimal integers inside
a list and reads them back as the *value* of that integer.  We therefore write a literal as a list
only when every element has a decimal that reads back to the same bits, and as bytes
(``dense<"0x0000C07F">``, little endian, as MLIR does) otherwise; and we read hexadecimal elements
of a float list as bit patterns, which is what MLIR means by them.

Stored bytes are those of xDSL: one element takes ``compile_time_size`` bytes, integers narrower
than a byte are sign extended (a true ``i1`` is ``0xFF``).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import (
    BytesAttr,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerType,
    Signedness,
    TensorType,
)
from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException

from ge_dialect.ir.dense_reader import DenseError, normalise_bytes, parse_dense_body
from ge_dialect.ir.dense_writer import (
    INLINE_LIMIT,
    attribute_text,
    dense_body,
    dense_text,
    short_decimal,
)
from ge_dialect.ir.narrow import is_integer_type

if TYPE_CHECKING:
    import numpy.typing as npt
    from xdsl.dialects.builtin import AnyDenseElement, RankedStructure

__all__ = [
    "INLINE_LIMIT",
    "DenseError",
    "attribute_text",
    "dense_body",
    "dense_from_numpy",
    "dense_text",
    "dense_to_numpy",
    "make_dense",
    "parse_dense",
    "parse_dense_body",
    "short_decimal",
]


def _new(type_: Attribute, data: bytes) -> DenseIntOrFPElementsAttr:
    """The attribute; its own verification refuses a type that is no tensor of numbers."""
    return DenseIntOrFPElementsAttr(
        cast("RankedStructure[AnyDenseElement]", type_), BytesAttr(data)
    )


@lru_cache(maxsize=4096)
def _make(type_: Attribute, data: bytes) -> DenseIntOrFPElementsAttr:
    return _new(type_, data)


def make_dense(type_: Attribute, data: bytes) -> DenseIntOrFPElementsAttr:
    """An attribute of raw little-endian bytes; small ones are shared."""
    if len(data) <= 1024:
        return _make(type_, data)
    return _new(type_, data)


def parse_dense(body: str, type_: Attribute) -> DenseIntOrFPElementsAttr:
    """The attribute for the text between ``dense<`` and ``>``; errors as `parse_dense_body`."""
    return make_dense(type_, parse_dense_body(body, type_))


def dense_from_numpy(
    array: npt.ArrayLike, elem: Attribute | None = None
) -> DenseIntOrFPElementsAttr:
    """A dense attribute with the shape and bytes of `array`.

    `elem` is the xDSL element type; without it the array's dtype decides.  The values are cast to
    `elem` by numpy's rules where the two differ.  Raises ValueError for a dtype without a
    counterpart, and for an element type no dense attribute has (`!ge.qint8`).
    """
    import numpy as np

    from ge_dialect import dtypes

    array = np.asarray(array)
    if elem is None:
        elem = dtypes.from_numpy(array.dtype)
    data: bytes
    if is_integer_type(elem) and elem.width.data < 8:
        wide = array.astype(bool) if elem.width.data == 1 else array.astype(np.int8)
        data = (
            np.where(wide, -1, 0).astype(np.int8).tobytes()
            if elem.width.data == 1
            else (normalise_bytes(wide.tobytes(), elem))
        )
    elif isinstance(elem, IndexType):
        data = array.astype("<i8").tobytes()
    else:
        want = dtypes.numpy_dtype(elem)
        data = np.ascontiguousarray(array.astype(want, copy=False)).tobytes()
    try:
        return make_dense(TensorType(elem, list(array.shape)), data)
    except VerifyException:
        raise ValueError(f"a dense attribute cannot hold elements of type {elem}") from None


def dense_to_numpy(attr: DenseIntOrFPElementsAttr) -> npt.NDArray[Any]:
    """The values with the type's shape; bool for i1, ml_dtypes arrays for bf16, fp8 and int4.

    The array cannot be written to: it is remembered with the attribute.
    """
    found = attr.__dict__.get("ge_array")
    if found is None:
        found = vars(attr)["ge_array"] = _array_of(attr)
        found.flags.writeable = False
    return found


def _array_of(attr: DenseIntOrFPElementsAttr) -> npt.NDArray[Any]:
    import numpy as np

    from ge_dialect import dtypes

    elem = attr.type.element_type
    shape = tuple(attr.type.get_shape())
    data = attr.data.data
    if isinstance(elem, IndexType):
        return np.frombuffer(data, "<i8").reshape(shape)
    want = dtypes.numpy_dtype(elem)
    if isinstance(elem, IntegerType) and elem.width.data == 1:
        return (np.frombuffer(data, np.int8) != 0).reshape(shape)
    if isinstance(elem, IntegerType) and elem.width.data < 8:
        raw = np.uint8 if elem.signedness.data == Signedness.UNSIGNED else np.int8
        return np.frombuffer(data, raw).reshape(shape).astype(want)
    return np.frombuffer(data, want).reshape(shape)
