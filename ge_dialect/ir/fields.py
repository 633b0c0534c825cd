"""Declarations an operator class is made of: inputs, outputs, attributes, sub-graphs.

They return xDSL's IRDL definitions; the constraint object carries what the text form, inference
and the verifier need to know (see `OpTable` in base.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from xdsl.ir import Attribute
from xdsl.irdl import (
    AttrConstraint,
    VerificationContext,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    opt_result_def,
    prop_def,
    region_def,
    result_def,
    var_operand_def,
    var_region_def,
    var_result_def,
)
from xdsl.utils.exceptions import VerifyException

from ge_dialect.ir import kinds
from ge_dialect.ir.attributes import CtrlType, RefType
from ge_dialect.ir.types import is_tensor


@dataclass(frozen=True)
class SlotConstraint(AttrConstraint[Attribute]):
    """Constraint of one input or output: a tensor, or a ref, of some dtypes.

    dtypes: comma list of dtype and group names, or a symbol of the class's TYPES.
    ge_name: GE's name where the Python field cannot have it.
    """

    dtypes: str
    is_ref: bool = False
    ge_name: str | None = None

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        if self.is_ref:
            if not isinstance(attr, RefType):
                raise VerifyException(f"expected a !ge.ref, found {attr}")
        elif not is_tensor(attr):
            raise VerifyException(f"expected a tensor, found {attr}")

    def mapping_type_vars(self, type_var_mapping: Any) -> SlotConstraint:
        return self


@dataclass(frozen=True)
class AnySlot(SlotConstraint):
    """Takes tensors and refs alike (pass-through operators, bodies)."""

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        if not (isinstance(attr, RefType) or is_tensor(attr)):
            raise VerifyException(f"expected a tensor or a !ge.ref, found {attr}")


@dataclass(frozen=True)
class CtrlConstraint(AttrConstraint[Attribute]):
    """`!ge.ctrl`."""

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        if not isinstance(attr, CtrlType):
            raise VerifyException(f"expected !ge.ctrl, found {attr}")

    def mapping_type_vars(self, type_var_mapping: Any) -> CtrlConstraint:
        return self


# ------------------------------------------------------------------------------------- inputs


def tin(dtypes: str = "ALL", *, name: str | None = None) -> Any:
    """A required tensor input."""
    return operand_def(SlotConstraint(dtypes, ge_name=name))


def opt_tin(dtypes: str = "ALL", *, name: str | None = None) -> Any:
    """An optional tensor input."""
    return opt_operand_def(SlotConstraint(dtypes, ge_name=name))


def dyn_tin(dtypes: str = "ALL", *, name: str | None = None) -> Any:
    """A dynamic tensor input: any number of tensors."""
    return var_operand_def(SlotConstraint(dtypes, ge_name=name))


def ref_in(dtypes: str = "ALL", *, name: str | None = None) -> Any:
    """A required input that is a handle to state."""
    return operand_def(SlotConstraint(dtypes, is_ref=True, ge_name=name))


def any_in(dtypes: str = "ANY", *, name: str | None = None) -> Any:
    """A required input: tensor or ref."""
    return operand_def(AnySlot(dtypes, ge_name=name))


def dyn_any_in(dtypes: str = "ANY", *, name: str | None = None) -> Any:
    """A dynamic input of tensors and refs (If, While, PartitionedCall, NetOutput)."""
    return var_operand_def(AnySlot(dtypes, ge_name=name))


# ------------------------------------------------------------------------------------ outputs


def tout(dtypes: str = "ALL", *, name: str | None = None) -> Any:
    """A tensor output."""
    return result_def(SlotConstraint(dtypes, ge_name=name))


def opt_tout(dtypes: str = "ALL", *, name: str | None = None) -> Any:
    """An optional tensor output; the class gets result segment sizes."""
    return opt_result_def(SlotConstraint(dtypes, ge_name=name))


def dyn_tout(dtypes: str = "ALL", *, name: str | None = None) -> Any:
    """A dynamic tensor output."""
    return var_result_def(SlotConstraint(dtypes, ge_name=name))


def ref_out(dtypes: str = "ALL", *, name: str | None = None) -> Any:
    """An output that is a handle to state."""
    return result_def(SlotConstraint(dtypes, is_ref=True, ge_name=name))


def any_out(dtypes: str = "ANY", *, name: str | None = None) -> Any:
    """An output: tensor or ref."""
    return result_def(AnySlot(dtypes, ge_name=name))


def dyn_any_out(dtypes: str = "ANY", *, name: str | None = None) -> Any:
    """A dynamic output of tensors and refs."""
    return var_result_def(AnySlot(dtypes, ge_name=name))


# --------------------------------------------------------------------------------- attributes

_REQUIRED: Any = object()
_constraints = {k.name: kinds.KindConstraint(k) for k in kinds.KINDS.values()}


def attr(kind: kinds.Kind, default: Any = _REQUIRED, *, opt: bool = False, name: str | None = None):
    """An operator attribute of a kind: required, with a default, or optional (`opt=True`)."""
    constraint = _constraints[kind.name]
    if opt:
        return opt_prop_def(constraint, prop_name=name)
    if default is _REQUIRED:
        return prop_def(constraint, prop_name=name)
    return prop_def(constraint, kind.to_attr(default), prop_name=name)


def int_(default: Any = _REQUIRED, *, opt: bool = False, name: str | None = None) -> Any:
    """A 64-bit integer attribute."""
    return attr(kinds.INT, default, opt=opt, name=name)


def bool_(default: Any = _REQUIRED, *, opt: bool = False, name: str | None = None) -> Any:
    """A boolean attribute."""
    return attr(kinds.BOOL, default, opt=opt, name=name)


def float_(default: Any = _REQUIRED, *, opt: bool = False, name: str | None = None) -> Any:
    """An f32 attribute."""
    return attr(kinds.FLOAT, default, opt=opt, name=name)


def string(default: Any = _REQUIRED, *, opt: bool = False, name: str | None = None) -> Any:
    """A string attribute."""
    return attr(kinds.STRING, default, opt=opt, name=name)


def ints(default: Any = _REQUIRED, *, opt: bool = False, name: str | None = None) -> Any:
    """A list of 64-bit integers."""
    return attr(kinds.INTS, default, opt=opt, name=name)


def floats(default: Any = _REQUIRED, *, opt: bool = False, name: str | None = None) -> Any:
    """A list of f32."""
    return attr(kinds.FLOATS, default, opt=opt, name=name)


def bools(default: Any = _REQUIRED, *, opt: bool = False, name: str | None = None) -> Any:
    """A list of booleans."""
    return attr(kinds.BOOLS, default, opt=opt, name=name)


def strings(default: Any = _REQUIRED, *, opt: bool = False, name: str | None = None) -> Any:
    """A list of strings."""
    return attr(kinds.STRINGS, default, opt=opt, name=name)


def list_ints(default: Any = _REQUIRED, *, opt: bool = False, name: str | None = None) -> Any:
    """A list of lists of 64-bit integers."""
    return attr(kinds.LIST_INTS, default, opt=opt, name=name)


def type_(default: Any = _REQUIRED, *, opt: bool = False, name: str | None = None) -> Any:
    """An element type."""
    return attr(kinds.TYPE, default, opt=opt, name=name)


def types(default: Any = _REQUIRED, *, opt: bool = False, name: str | None = None) -> Any:
    """A list of element types."""
    return attr(kinds.TYPES, default, opt=opt, name=name)


def tensor(*, opt: bool = False, name: str | None = None) -> Any:
    """A tensor: inline `dense<…>` or `#ge.weight<…>`."""
    return attr(kinds.TENSOR, opt=opt, name=name)


# --------------------------------------------------------------------------------- sub-graphs


def subgraph() -> Any:
    """A sub-graph: a single-block region, isolated from above."""
    return region_def("single_block")


def subgraphs() -> Any:
    """A dynamic list of sub-graphs."""
    return var_region_def("single_block")
