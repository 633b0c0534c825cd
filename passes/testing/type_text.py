"""Types as specs write them: "2x?xf32", "f32", "*xf32", "&2xf32" for a ref."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from ge_dialect.ir.attributes import RefType
from ge_dialect.ir.types import (
    elem_of,
    intern_type,
    is_tensor,
    layout_of,
    ref_type,
    shape_of,
    tensor_type,
    type_text,
)

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Attribute

_SIMPLE = re.compile(r"((?:(?:\d+|\?)x)*|\*x)([a-z]+\d*(?:<[a-z]+\d*>)?)")


@lru_cache(maxsize=8192)
def type_of(text: str) -> Attribute:
    """The type a spec writes as `text`; ValueError where it is none."""
    if text.startswith("&"):
        return ref_type(type_of(text[1:]))
    match = _SIMPLE.fullmatch(text)
    elem = None if match is None else _elements().get(match.group(2))
    if match is None or elem is None:
        return intern_type(parse_attribute(f"tensor<{text}>", kind="type"))
    if match.group(1) == "*x":
        return tensor_type(None, elem)
    dims = match.group(1).split("x")[:-1]
    return tensor_type([-1 if d == "?" else int(d) for d in dims], elem)


def text_of(type_: Attribute) -> str:
    """How a spec writes a tensor or ref; ValueError for another type."""
    text = type_.__dict__.get("ge_spec_text")
    if text is None:
        text = _text_of(type_)
        object.__setattr__(type_, "ge_spec_text", text)  # attributes are frozen
    return text


def _text_of(type_: Attribute) -> str:
    if isinstance(type_, RefType):
        return "&" + text_of(type_.tensor)
    if not is_tensor(type_):
        raise ValueError(f"a graph holds tensors and refs, not {type_}")
    whole = type_text(type_)
    if whole.startswith("tensor<"):
        return whole[len("tensor<") : -1]
    dims = shape_of(type_)
    assert layout_of(type_) is None
    lead = "*x" if dims is None else "".join("?x" if d < 0 else f"{d}x" for d in dims)
    return lead + str(elem_of(type_))


def dims_of(type_: Attribute) -> tuple[int, ...]:
    """Dims of a tensor, or of that under a ref, whose rank is known; unknown dims are -1."""
    dims = shape_of(type_)
    assert dims is not None, type_
    return dims


@lru_cache(maxsize=1)
def _elements() -> dict[str, Attribute]:
    from ge_dialect.dtypes import DTYPES

    return {str(d.type): d.type for d in DTYPES if not str(d.type).startswith("!")}


@lru_cache(maxsize=1)
def _context() -> Context:
    from ge_dialect.ir.context import make_context

    return make_context(allow_unregistered=True)


def parse_attribute(text: str, *, kind: str = "attribute") -> Attribute:
    """An attribute or type of MLIR text; ValueError where it is none."""
    from xdsl.parser import Parser
    from xdsl.utils.exceptions import ParseError

    parser = Parser(_context(), text)
    try:
        return parser.parse_type() if kind == "type" else parser.parse_attribute()
    except ParseError as error:
        raise ValueError(f"{text!r} is no {kind}: {error}") from None
