"""The base class of all `ge` operators and the table each class computes once from its fields."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from xdsl.dialects.builtin import IntegerAttr, StringAttr, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    AttrSizedResultSegments,
    IRDLOperation,
    IRDLOption,
    OptOperandDef,
    OptPropertyDef,
    OptResultDef,
    VarOperandDef,
    VarResultDef,
    irdl_op_definition,
    opt_result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import IsTerminator, OpTrait, Pure
from xdsl.utils.exceptions import VerifyException

from ge_dialect.ir import kinds
from ge_dialect.ir.attributes import CTRL, CtrlType
from ge_dialect.ir.effects import Effects, EffectSet
from ge_dialect.ir.fields import AnySlot, CtrlConstraint, SlotConstraint
from ge_dialect.ir.private import operands_of
from ge_dialect.ir.types import elem_of, tensor_under

if TYPE_CHECKING:
    from xdsl.parser import Parser
    from xdsl.printer import Printer

    from ge_dialect.infer.node import InferNode

REQUIRED, DYNAMIC, OPTIONAL = 0, 1, 2

_OPERAND_SEGMENTS = "operandSegmentSizes"
_RESULT_SEGMENTS = "resultSegmentSizes"
SEGMENT_PROPERTIES = frozenset({_OPERAND_SEGMENTS, _RESULT_SEGMENTS})


@dataclass(frozen=True, slots=True)
class SlotSpec:
    """One declared input or output; kind is REQUIRED, DYNAMIC or OPTIONAL."""

    name: str
    field: str
    kind: int
    dtypes: str
    is_ref: bool
    is_any: bool


@dataclass(frozen=True, slots=True)
class AttrSpec:
    """One declared attribute; `default` is None where there is none."""

    name: str
    kind: kinds.Kind
    default: Attribute | None
    required: bool


@dataclass(frozen=True, slots=True)
class GraphSpec:
    """One declared sub-graph; `dynamic` for a list of them."""

    name: str
    dynamic: bool


class OpTable:
    """All that text, verifier and inference need of a class, computed once.

    fixed: every input is required, so no operand segment sizes are stored.
    sized_results: the class stores result segment sizes.
    solo: the only input is dynamic, so its brackets are dropped in text.
    hands_refs: some output is a ref.
    first_named: index of the first optional input; from there inputs are written by name.
    """

    __slots__ = (
        "attrs",
        "defaults",
        "first_named",
        "fixed",
        "graphs",
        "hands_refs",
        "inputs",
        "outputs",
        "positions",
        "sized_results",
        "solo",
        "types",
    )

    def __init__(self, cls: type[GeOp]) -> None:
        d = cls.get_irdl_definition()
        self.inputs = tuple(
            _slot(name, spec, isinstance(spec, OptOperandDef), isinstance(spec, VarOperandDef))
            for name, spec in d.operands
            if name != "ge_ctrl_in"
        )
        self.outputs = tuple(
            _slot(name, spec, isinstance(spec, OptResultDef), isinstance(spec, VarResultDef))
            for name, spec in d.results
            if name != "ge_ctrl_out"
        )
        self.attrs: dict[str, AttrSpec] = {
            name: AttrSpec(
                name,
                p.constr.kind if isinstance(p.constr, kinds.KindConstraint) else kinds.ANY,
                p.default_value,
                p.default_value is None and not isinstance(p, OptPropertyDef),
            )
            for name, p in d.properties.items()
            if name not in SEGMENT_PROPERTIES
        }
        self.graphs = tuple(GraphSpec(n, "Var" in type(r).__name__) for n, r in d.regions)
        self.defaults = {a.name: a.default for a in self.attrs.values() if a.default is not None}
        self.positions = {s.name: i for i, s in enumerate(self.inputs)}
        self.fixed = all(s.kind == REQUIRED for s in self.inputs)
        self.hands_refs = any(s.is_ref for s in self.outputs)
        self.sized_results = any(s.kind != REQUIRED for s in self.outputs)
        self.solo = len(self.inputs) == 1 and self.inputs[0].kind == DYNAMIC
        self.first_named = next(
            (i for i, s in enumerate(self.inputs) if s.kind == OPTIONAL), len(self.inputs)
        )
        self.types: dict[str, str] = dict(cls.TYPES)

    def input_index(self, name: str) -> int:
        """Position of the input called `name`; KeyError where there is none."""
        return self.positions[name]


def _unknown_dtype(text: str) -> str:
    """What to say of an element type that GE has not."""
    from ge_dialect.ir.type_habits import element_text

    near = element_text(text)
    return "; GE has no such dtype" + (f", did you mean {near!r}?" if near else "")


def _slot(field: str, spec: Any, optional: bool, variadic: bool) -> SlotSpec:
    constr = spec.constr
    while not isinstance(constr, SlotConstraint):  # xDSL wraps it in range constraints
        inner = getattr(constr, "constraint", None) or getattr(constr, "constr", None)
        if inner is None:
            break
        constr = inner
    assert isinstance(constr, SlotConstraint), f"{field} is not declared with tin, tout, ..."
    kind = OPTIONAL if optional else DYNAMIC if variadic else REQUIRED
    return SlotSpec(
        constr.ge_name or field,
        field,
        kind,
        constr.dtypes,
        constr.is_ref,
        isinstance(constr, AnySlot),
    )


class GeOp(IRDLOperation):
    """Base class of `ge` operators.

    Operands: data inputs in declared order, then control inputs. Results: data outputs, then at
    most one `!ge.ctrl`. All members start with `ge_`, so that no GE name hides one.
    """

    #: dtype symbols of the class: name -> comma list of dtype and group names.
    TYPES: ClassVar[dict[str, str]] = {}
    #: declared effects.
    EFFECTS: ClassVar[EffectSet] = Effects.PURE

    if TYPE_CHECKING:  # set by `ge_table` and `ge_op`; IRDL takes no annotation without a value
        ge_own_table: ClassVar[OpTable]
        ge_own_rule: ClassVar[bool]
        irdl_options: ClassVar[tuple[IRDLOption, ...]]

    ge_ctrl_in = var_operand_def(CtrlConstraint())
    ge_ctrl_out = opt_result_def(CtrlConstraint())

    # --------------------------------------------------------------------------- class facts

    @classmethod
    def ge_table(cls) -> OpTable:
        """The class's table, computed on first use."""
        table = cls.__dict__.get("ge_own_table")
        if table is None:
            table = OpTable(cls)
            cls.ge_own_table = table
        return table

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        """Result types (logical, without layout); the default keeps the declared ones."""
        return n.declared

    @classmethod
    def ge_body_types(cls, operand_types: Sequence[Attribute], index: int) -> Sequence[Attribute]:
        """Types of the arguments of body `index`: by default all data inputs."""
        return [t for t in operand_types if not isinstance(t, CtrlType)]

    # ------------------------------------------------------------------------------ instance

    @property
    def ge_type(self) -> str:
        """GE's operator type, for example "Conv2D"."""
        return self.name[3:]

    @property
    def ge_data_count(self) -> int:
        """Number of data operands; control operands follow them."""
        operands = operands_of(self)
        n = len(operands)
        while n and type(operands[n - 1].type) is CtrlType:
            n -= 1
        return n

    @property
    def ge_data_operands(self) -> tuple[SSAValue, ...]:
        """Operands that carry data or refs."""
        return operands_of(self)[: self.ge_data_count]

    @property
    def ge_control_operands(self) -> tuple[SSAValue, ...]:
        """Operands of type `!ge.ctrl`."""
        return operands_of(self)[self.ge_data_count :]

    @property
    def ge_data_results(self) -> tuple[Any, ...]:
        """Results without the control result."""
        results = tuple(self.results)
        if results and type(results[-1].type) is CtrlType:
            return results[:-1]
        return results

    def ge_segments(self) -> tuple[int, ...]:
        """Number of operands per declared input, control operands last."""
        table = type(self).ge_table()
        if table.fixed:
            n = len(table.inputs)
            return (*(1,) * n, len(operands_of(self)) - n)
        return kinds.INTS.to_python(self.properties[_OPERAND_SEGMENTS])

    def ge_args(self) -> list[SSAValue | list[SSAValue] | None]:
        """One entry per declared input: a value, None for an absent one, a list for a dynamic."""
        table = type(self).ge_table()
        operands = operands_of(self)
        if table.fixed:
            return list(operands[: len(table.inputs)])
        out: list[SSAValue | list[SSAValue] | None] = []
        i = 0
        for slot, count in zip(table.inputs, self.ge_segments(), strict=False):
            group = operands[i : i + count]
            i += count
            if slot.kind == DYNAMIC:
                out.append(list(group))
            else:
                out.append(group[0] if group else None)
        return out

    def ge_input(self, name: str) -> SSAValue | None:
        """The value of an input that is not dynamic, None where not connected."""
        arg = self.ge_args()[type(self).ge_table().input_index(name)]
        if isinstance(arg, list):
            raise TypeError(f"input {name} of {self.name} is dynamic; use ge_inputs")
        return arg

    def ge_inputs(self, name: str) -> tuple[SSAValue, ...]:
        """The values of any input as a tuple."""
        arg = self.ge_args()[type(self).ge_table().input_index(name)]
        if isinstance(arg, list):
            return tuple(arg)
        return () if arg is None else (arg,)

    def ge_operand_index(self, name: str, offset: int = 0) -> int:
        """Index in the operand list of (the `offset`-th value of) an input."""
        index = type(self).ge_table().input_index(name)
        return sum(self.ge_segments()[:index]) + offset

    def ge_attr(self, name: str) -> Any:
        """Python value of an attribute, None where it is optional and absent."""
        spec = type(self).ge_table().attrs[name]
        value = self.properties.get(name)
        return None if value is None else spec.kind.to_python(value)

    def ge_attrs(self) -> dict[str, Any]:
        """Python values of all attributes; absent optional ones are None."""
        props = self.properties
        out: dict[str, Any] = {}
        for name, spec in type(self).ge_table().attrs.items():
            value = props.get(name)
            out[name] = None if value is None else spec.kind.to_python(value)
        return out

    def ge_set_attr(self, name: str, value: Any) -> None:
        """Set an attribute from a Python value; None removes an optional one.

        Raises KeyError for an unknown attribute, TypeError or ValueError for a bad value.
        """
        spec = type(self).ge_table().attrs[name]
        if value is None:
            self.properties.pop(name, None)
        else:
            self.properties[name] = spec.kind.to_attr(value)

    def ge_effects(self) -> EffectSet:
        """Declared effects."""
        return type(self).EFFECTS

    @property
    def ge_node_name(self) -> str | None:
        """The node's name, unique in its graph; None before one is given."""
        from ge_dialect.ir.names import node_name

        return node_name(self)

    @property
    def ge_origins(self) -> tuple[str, ...]:
        """Source node names this node stands for."""
        from ge_dialect.ir.names import origins

        return origins(self)

    # -------------------------------------------------------------------- verification, text

    def verify_(self) -> None:
        """Dtype symbols: operands and results of one symbol agree, and each is allowed."""
        problems = self.ge_dtype_problems()
        if problems:
            raise VerifyException("; ".join(problems))

    def ge_dtype_problems(self) -> list[str]:
        """All violations of the declared dtypes, in words."""
        from ge_dialect.dtypes import dtype_of, expand_spec, ge_name

        table = type(self).ge_table()
        bound: dict[str, tuple[Attribute, str]] = {}
        out: list[str] = []
        for side, name, spec, type_ in self.ge_typed_slots():
            tensor = tensor_under(type_)
            if tensor is None:
                continue
            elem = elem_of(tensor)
            allowed = table.types.get(spec, spec)
            if elem not in expand_spec(allowed):
                said = f"{side} {name} has dtype {ge_name(elem)}, expected one of {allowed}"
                out.append(said + ("" if dtype_of(elem) else _unknown_dtype(str(elem))))
            if spec in table.types:
                first = bound.setdefault(spec, (elem, name))
                if first[0] != elem:
                    out.append(
                        f"{side} {name} has dtype {ge_name(elem)}, but {first[1]} has "
                        f"{ge_name(first[0])}; both are {spec}"
                    )
        return out

    def ge_typed_slots(self) -> list[tuple[str, str, str, Attribute]]:
        """(side, name, dtype spec, type) of every connected data operand and result."""
        table = type(self).ge_table()
        out: list[tuple[str, str, str, Attribute]] = []
        for slot, arg in zip(table.inputs, self.ge_args(), strict=True):
            values = arg if isinstance(arg, list) else [] if arg is None else [arg]
            out += [("input", slot.name, slot.dtypes, v.type) for v in values]
        for slot, group in zip(table.outputs, self.ge_result_groups(), strict=True):
            out += [("output", slot.name, slot.dtypes, r.type) for r in group]
        return out

    def ge_result_groups(self) -> list[tuple[Any, ...]]:
        """Results per declared output."""
        table = type(self).ge_table()
        results = tuple(self.results)
        if not table.sized_results:
            return [(r,) for r in results[: len(table.outputs)]]
        sizes = kinds.INTS.to_python(self.properties[_RESULT_SEGMENTS])
        out: list[tuple[Any, ...]] = []
        i = 0
        for size in sizes[: len(table.outputs)]:
            out.append(results[i : i + size])
            i += size
        return out

    @classmethod
    def parse(cls, parser: Parser) -> GeOp:
        from ge_dialect.ir.stock_text import parse_op

        return parse_op(cls, parser)

    def print(self, printer: Printer) -> None:
        from ge_dialect.ir.op_text import print_op

        print_op(self, printer)


OpT = TypeVar("OpT", bound=type[GeOp])


def ge_op(cls: OpT) -> OpT:
    """Class decorator of operators: adds segment options and effect traits, then IRDL."""
    dynamic_in = dynamic_out = False
    own = cls.__mro__[: cls.__mro__.index(GeOp)]  # the control operands of all need no sizes
    for value in chain.from_iterable(vars(base).values() for base in own):
        field = getattr(value, "cls", None)
        if not isinstance(field, type):
            continue
        dynamic_in = dynamic_in or issubclass(field, VarOperandDef)
        dynamic_out = dynamic_out or issubclass(field, VarResultDef)
    options: list[IRDLOption] = []
    if dynamic_in:
        options.append(AttrSizedOperandSegments(as_property=True))
    if dynamic_out:
        options.append(AttrSizedResultSegments(as_property=True))
    cls.irdl_options = tuple(options)
    traits: list[OpTrait] = []
    if cls.EFFECTS.is_pure and not cls.__dict__.get("GE_TERMINATOR", False):
        traits.append(Pure())
    if cls.__dict__.get("GE_TERMINATOR", False):
        traits.append(IsTerminator())
    cls.traits = traits_def(*traits)
    own_rule = cls.verify_ is not GeOp.verify_  # the decorator gives every class one
    made = irdl_op_definition(cls)
    made.ge_own_rule = own_rule
    return made


def get_str(op: Operation, name: str) -> str | None:
    """A string attribute of the compiler (`ge.engine`), None where absent or of another kind."""
    value = op.attributes.get(name)
    return value.data if isinstance(value, StringAttr) else None


def get_int(op: Operation, name: str) -> int | None:
    """An integer attribute of the compiler (`ge.stream`), None where absent or of another kind."""
    value = op.attributes.get(name)
    return value.value.data if isinstance(value, IntegerAttr) else None


def set_str(op: Operation, name: str, value: str) -> None:
    """Set a string attribute of the compiler."""
    op.attributes[name] = kinds.string_to_attr(value)


def set_int(op: Operation, name: str, value: int) -> None:
    """Set a 64-bit integer attribute of the compiler."""
    op.attributes[name] = kinds.int_to_attr(value)


__all__ = [
    "CTRL",
    "DYNAMIC",
    "OPTIONAL",
    "REQUIRED",
    "SEGMENT_PROPERTIES",
    "AttrSpec",
    "GeOp",
    "GraphSpec",
    "OpTable",
    "SlotSpec",
    "ge_op",
    "get_int",
    "get_str",
    "i64",
    "set_int",
    "set_str",
]
