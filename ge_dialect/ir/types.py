"""Interned tensor types and the questions passes ask of them.

Types are built through `tensor_type`, so equal types are mostly one object; comparisons should
try `is` first. In shapes handed out here an unknown dim is -1 and an unknown rank is None.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IntAttr,
    NoneAttr,
    StringAttr,
    TensorType,
    UnrankedTensorType,
)
from xdsl.ir import Attribute

from ge_dialect.ir.attributes import CTRL, CtrlType, LayoutAttr, RefType

if TYPE_CHECKING:
    from typing_extensions import TypeIs

AnyTensor = TensorType[Attribute] | UnrankedTensorType[Attribute]
Shape = tuple[int, ...]

_NONE = NoneAttr()
_tensors: dict[tuple[Shape | None, Attribute, LayoutAttr | None], AnyTensor] = {}
_layouts: dict[tuple[str, str | None, int, int | None], LayoutAttr] = {}
_refs: dict[Attribute, RefType] = {}

__all__ = [
    "CTRL",
    "AnyTensor",
    "CtrlType",
    "LayoutAttr",
    "RefType",
    "Shape",
    "elem_of",
    "intern_type",
    "is_ctrl",
    "is_static",
    "is_tensor",
    "layout",
    "layout_of",
    "num_elements",
    "private_types",
    "ref_type",
    "shape_of",
    "tensor_type",
    "tensor_under",
    "type_text",
    "with_layout",
]


def layout(
    format: str, *, origin: str | None = None, groups: int = 1, c0: int | None = None
) -> LayoutAttr:
    """The interned `#ge.layout` attribute."""
    key = (format, origin, groups, c0)
    found = _layouts.get(key)
    if found is None:
        found = _layouts[key] = LayoutAttr(
            StringAttr(format),
            _NONE if origin is None else StringAttr(origin),
            IntAttr(groups),
            _NONE if c0 is None else IntAttr(c0),
        )
    return found


def tensor_type(
    shape: Iterable[int] | None, elem: Attribute, layout: LayoutAttr | None = None
) -> AnyTensor:
    """The interned tensor type; any negative dim is unknown, `shape=None` is unknown rank.

    Raises ValueError for a layout on a tensor of unknown rank.
    """
    dims = None if shape is None else tuple([-1 if d < 0 else d for d in shape])
    key = (dims, elem, layout)
    found = _tensors.get(key)
    if found is None:
        if dims is None:
            if layout is not None:
                raise ValueError("a tensor of unknown rank has no layout")
            found = UnrankedTensorType(elem)
        elif (
            layout is not None
            and (plain := _without_derivable(layout, len(dims), elem)) is not layout
        ):
            found = _tensors[key] = tensor_type(dims, elem, plain)
            return found
        else:
            found = TensorType(
                elem,
                [DYNAMIC_INDEX if d < 0 or hasattr(d, "is_symbolic") else d for d in dims],
                _NONE if layout is None else layout,
            )
        vars(found)["ge_shape"] = dims
        _tensors[key] = found
    return found


def _without_derivable(held: LayoutAttr, rank: int, elem: Attribute) -> LayoutAttr:
    """The layout without what rank and element type say anyway, so that one layout is one type."""
    origin, c0 = held.origin, held.c0
    if origin is None and c0 is None:
        return held
    from ge_dialect.layouts import LayoutError, c0_of, origin_of

    if origin == origin_of(rank, layout(held.format, groups=held.groups, c0=c0)):
        origin = None
    try:
        if c0 == c0_of(elem, layout(held.format, groups=held.groups)):
            c0 = None
    except (LayoutError, KeyError, ValueError, TypeError):
        pass  # no element type of a layout
    if (origin, c0) == (held.origin, held.c0):
        return held
    return layout(held.format, origin=origin, groups=held.groups, c0=c0)


@contextmanager
def private_types() -> Generator[None]:
    """Types made inside are nobody else's: for shapes of something that only acts like integers."""
    global _tensors, _refs
    held, _tensors = _tensors, {}
    refs, _refs = _refs, {}
    try:
        yield
    finally:
        _tensors, _refs = held, refs


def ref_type(tensor: Attribute) -> RefType:
    """The interned `!ge.ref` of a tensor type."""
    found = _refs.get(tensor)
    if found is None:
        found = _refs[tensor] = RefType(tensor)
    return found


def is_tensor(type_: Attribute) -> TypeIs[AnyTensor]:
    """True for ranked and unranked tensors."""
    return isinstance(type_, TensorType | UnrankedTensorType)


def is_ctrl(type_: Attribute) -> bool:
    """True for `!ge.ctrl`."""
    return type(type_) is CtrlType


def tensor_under(type_: Attribute) -> AnyTensor | None:
    """The tensor type itself, that of a ref, or None for anything else."""
    if type(type_) is RefType:  # isinstance is slow for abstract classes
        type_ = type_.tensor
    if type(type_) is TensorType:
        return type_
    return type_ if is_tensor(type_) else None


def shape_of(type_: Attribute) -> Shape | None:
    """Logical shape with -1 for unknown dims, None for unknown rank; refs are looked through.

    Raises TypeError for a type that is no tensor.
    """
    if type(type_) is RefType:  # isinstance is slow for abstract classes
        type_ = type_.tensor
    cached = type_.__dict__.get("ge_shape", _NONE)
    if cached is not _NONE:
        return cached
    if isinstance(type_, TensorType):
        shape = tuple([-1 if d.data < 0 else d.data for d in type_.shape.data])
    elif isinstance(type_, UnrankedTensorType):
        shape = None
    else:
        raise TypeError(f"{type_} is not a tensor type")
    vars(type_)["ge_shape"] = shape
    return shape


def elem_of(type_: Attribute) -> Attribute:
    """Element type of a tensor or of the tensor under a ref; TypeError otherwise."""
    if type(type_) is RefType:
        type_ = type_.tensor
    if type(type_) is TensorType or is_tensor(type_):
        return type_.element_type
    raise TypeError(f"{type_} is not a tensor type")


def layout_of(type_: Attribute) -> LayoutAttr | None:
    """Layout of a tensor (or of the tensor under a ref), None where it has none."""
    if type(type_) is RefType:
        type_ = type_.tensor
    if type(type_) is TensorType and type(type_.encoding) is LayoutAttr:
        return type_.encoding
    return None


def with_layout(type_: Attribute, layout: LayoutAttr | None) -> AnyTensor:
    """The same logical tensor in another layout (None removes it)."""
    return tensor_type(shape_of(type_), elem_of(type_), layout)


def is_static(type_: Attribute) -> bool:
    """True where rank and all dims are known."""
    shape = shape_of(type_)
    return shape is not None and -1 not in shape


def num_elements(type_: Attribute) -> int | None:
    """Number of logical elements, None where not known."""
    shape = shape_of(type_)
    if shape is None or -1 in shape:
        return None
    n = 1
    for d in shape:
        n *= d
    return n


def type_text(type_: Attribute) -> str:
    """MLIR text of a type, memoised on the type."""
    text = type_.__dict__.get("ge_text")
    if text is None:
        text = vars(type_)["ge_text"] = str(type_)
    return text


def intern_type(type_: Attribute) -> Attribute:
    """The shared object for a tensor type or a ref; any other type as it is."""
    if is_tensor(type_):
        encoding = getattr(type_, "encoding", None)
        if encoding is None or isinstance(encoding, NoneAttr | LayoutAttr):
            found = layout_of(type_)
            if found is not None:
                found = layout(found.format, origin=found.origin, groups=found.groups, c0=found.c0)
            shape = getattr(type_, "shape", None)
            dims = None if shape is None else [d.data for d in shape.data]
            return tensor_type(dims, type_.element_type, found)
    elif isinstance(type_, RefType):
        return ref_type(intern_type(type_.tensor))
    return type_
