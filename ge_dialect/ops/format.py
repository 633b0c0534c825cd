"""Layout changes: the same logical tensor lies differently in storage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import FORMATS, bits
from ge_dialect.infer.dims import product, show
from ge_dialect.infer.errors import SIZE
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import int_, string, tin, tout
from ge_dialect.ir.types import elem_of, layout_of, shape_of, tensor_type
from ge_dialect.layouts import origin_of

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

#: Formats a tensor without layout may be said to have.
PLAIN = (
    "ND",
    "NCHW",
    "NHWC",
    "HWCN",
    "CHWN",
    "NCDHW",
    "NDHWC",
    "DHWCN",
    "DHWNC",
    "NCL",
    "NC",
    "CN",
)

#: Formats whose layout depends on the number of groups.
GROUPED = ("FRACTAL_Z", "FRACTAL_Z_3D")


def _check_format(n: InferNode, attr: str, side: str, type_: Attribute) -> None:
    format_ = n.attr(attr)
    if format_ not in FORMATS:
        n.fail(f"{attr} is no format", found=format_, expected="a name of GE's format table")
    found = layout_of(type_)
    if found is None:
        if shape_of(type_) is not None and format_ not in PLAIN:
            n.fail(
                f"{attr} does not fit the {side}",
                found=format_,
                expected="a plain format, since the tensor has no layout",
            )
    elif found.format != format_:
        n.fail(
            f"{attr} does not fit the {side}",
            found=format_,
            expected=f"{found.format}, the tensor's layout",
        )
    elif found.format in GROUPED and n.attr("groups") != found.groups:
        n.fail(
            f"groups does not fit the {side}",
            found=n.attr("groups"),
            expected=f"{found.groups}, the layout's",
        )


def _check_origin(n: InferNode, src: Attribute, dst: Attribute) -> None:
    """A plain end is called after its axes: as the layout of the other end says, or ND."""
    ends = (("src_format", src, dst), ("dst_format", dst, src))
    for attr, plain, other in ends:
        shape, held = shape_of(other), layout_of(other)
        if layout_of(plain) is not None or held is None or shape is None:
            continue
        origin = origin_of(len(shape), held)
        if n.attr(attr) not in ("ND", origin) and len(n.attr(attr)) == len(shape):
            n.fail(
                f"{attr} does not fit the layout of the other end",
                found=n.attr(attr),
                expected=f"{origin}, the axes that {held.ge_text()} is made of, or ND",
            )


@ge_op
class TransData(GeOp):
    """src stored in another layout; the values and the logical shape stay.

    The formats must be those of the types; a type without layout fits any plain format.
    """

    name = "ge.TransData"
    TYPES: ClassVar = {"T": "ANY"}

    src = tin("T")
    dst = tout("T")
    src_format = string()
    dst_format = string()
    src_subformat = int_(0)
    dst_subformat = int_(0)
    groups = int_(1)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        src = n.type("src")
        assert src is not None
        _check_format(n, "src_format", "input", src)
        if n.attr("dst_format") not in FORMATS:
            n.fail(
                "dst_format is no format", found=n.attr("dst_format"), expected="a format's name"
            )
        for declared in n.declared:
            _check_format(n, "dst_format", "result", declared)
            _check_origin(n, src, declared)
        return (n.logical("src"),)


@ge_op
class Reinterpret(GeOp):
    """The bytes of x seen with the declared type; stands where GE lets two ends of an edge differ.

    Has no task; matchers look through it and exporters fold it away.
    """

    name = "ge.Reinterpret"

    x = tin("ANY")
    y = tout("ANY")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        if not n.declared:
            return (n.logical("x"),)
        x = n.logical("x")
        (y,) = n.declared
        a, b = shape_of(x), shape_of(y)
        if a is not None and b is not None:
            have, want = product(a), product(b)
            if have >= 0 and want >= 0:
                have, want = have * bits(elem_of(x)), want * bits(elem_of(y))
                if have != want:
                    n.fail(
                        "the two types differ in size",
                        found=f"{show(a)} ({have} bits) as {show(b)} ({want} bits)",
                        expected="equal sizes",
                        code=SIZE,
                    )
        return (tensor_type(b, elem_of(y)),)
