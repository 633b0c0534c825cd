"""Numbers, lists and arrays as constants: small ones in the graph, large ones in its weights."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from warnings import catch_warnings, simplefilter

from xdsl.dialects.builtin import ComplexType, IntegerType
from xdsl.ir import Attribute, SSAValue

from ge_dialect.builder.failing import fail
from ge_dialect.dtypes import expand_spec, ge_name, numpy_dtype, to_xdsl
from ge_dialect.ir.build import build
from ge_dialect.ir.dense import INLINE_LIMIT, dense_from_numpy
from ge_dialect.ir.types import tensor_type

if TYPE_CHECKING:
    import numpy as np

    from ge_dialect.builder.scopes import Scope

#: Element types for Python's numbers, best first.
_PREFERRED = {
    "b": ("bool",),
    "i": ("int64", "int32", "float32", "float16", "float64", "int16", "int8", "uint8", "bool"),
    "f": ("float32", "float16", "float64", "bfloat16"),
    "c": ("complex64", "complex128"),
}


def as_array(
    value: Any, elem: Attribute | None, allowed: str | None = None
) -> tuple[Any, Attribute]:
    """Array and element type of what is to be a constant.

    elem: of Python's numbers and lists, None where nothing says it; then the first usual one of
    `allowed`, a dtype specification. Arrays keep the type they have.
    """
    import numpy as np

    from ge_dialect.dtypes import from_numpy

    if isinstance(value, np.ndarray | np.generic):
        array = np.asarray(value)
        if array.dtype.kind == "O":
            fail("GX-131", "an array of Python objects is no constant", found=f"{value!r:.60}")
        try:
            return array, from_numpy(array.dtype)
        except (ValueError, TypeError):
            fail("GX-131", f"GE has no element type for numpy's {array.dtype}")
    try:
        array = np.asarray(value)
    except ValueError as error:
        fail("GX-131", "a list of numbers must have one shape", found=str(error).split(".")[0])
    if array.dtype.kind not in "biufc":
        fail("GX-131", f"{type(value).__name__} {value!r:.60} is neither tensor nor number")
    if elem is None:
        elem = _usual(array, allowed)
    with np.errstate(all="ignore"), catch_warnings():
        simplefilter("ignore")  # numpy warns of the imaginary parts it drops
        fitted = array.astype(numpy_dtype(elem))
        back = fitted.astype(array.dtype)
    whole = isinstance(elem, IntegerType)  # to bool, int4 … int64
    same = np.array_equal(back, array) and (
        fitted.dtype.kind not in "iu" or np.array_equal(fitted, array)
    )
    if whole and array.dtype.kind in "fc" and not same:
        fail("GX-131", f"{value!r:.60} does not fit {ge_name(elem)}")
    if array.dtype.kind in "iu" and whole and fitted.dtype.kind != "b" and not same:
        fail("GX-131", f"{value!r:.60} is out of the range of {ge_name(elem)}")
    if array.dtype.kind == "c" and not isinstance(elem, ComplexType):
        fail("GX-131", f"{value!r:.60} does not fit {ge_name(elem)}")
    # An 8-bit float may have no infinity: what is too large has become a NaN there.
    if not whole and array.dtype.kind in "iuf" and not np.isfinite(back[np.isfinite(array)]).all():
        fail("GX-131", f"{value!r:.60} is out of the range of {ge_name(elem)}")
    return fitted, elem


def converted(value: Any, elem: Attribute) -> Any:
    """An array of the element type: arrays as numpy converts them, Python's numbers exactly."""
    import numpy as np

    if not isinstance(value, np.ndarray | np.generic):
        return as_array(value, elem)[0]
    array, have = as_array(value, None)
    if isinstance(have, ComplexType) and not isinstance(elem, ComplexType):
        fail("GX-131", f"numbers of {ge_name(have)} have no counterpart in {ge_name(elem)}")
    with np.errstate(all="ignore"):
        return array.astype(numpy_dtype(elem))


def _usual(array: Any, allowed: str | None) -> Attribute:
    kinds = _PREFERRED["i" if array.dtype.kind == "u" else array.dtype.kind]
    if array.size == 0:
        kinds = ("int64", *kinds)
    if allowed is not None:
        held = expand_spec(allowed)
        for name in kinds:
            if to_xdsl(name) in held:
                return to_xdsl(name)
    return to_xdsl(kinds[0])


def tensor_attr(scope: Scope, array: np.ndarray, elem: Attribute, name: str) -> Attribute:
    """The attribute that holds an array: inline, or by name in the graph's weights."""
    if array.size <= INLINE_LIMIT:
        return dense_from_numpy(array, elem)
    from ge_dialect.weights.resolve import weight

    store = scope.graph.weights
    key = store.unique_name(name)
    store.put(key, array, dtype=ge_name(elem))
    return weight(key)


def constant(
    scope: Scope,
    value: Any,
    elem: Attribute | None,
    base: str,
    *,
    name: str | None = None,
    allowed: str | None = None,
) -> SSAValue:
    """A Const node in the block under construction."""
    array, elem = as_array(value, elem, allowed)
    node = scope.name(name, base)
    held = tensor_attr(scope, array, elem, node)
    op = build(
        "Const", [], {"value": held}, result_types=[tensor_type(array.shape, elem)], name=node
    )
    scope.block.add_op(op)
    return op.results[0]
