"""Operator classes made from data: the long tail of the library and `register_op`.

An entry is a dictionary of plain literals:

    {
        "doc": "One line.",
        "in": "x: T; bias?: float16, float32; rest*: ALL; var&: T",
        "out": "y: T",
        "attrs": (("strides", "ListInt"), ("groups", "Int", 1), ("tag", "String", None)),
        "types": {"T": "float16, float32"},
        "graphs": ("then_branch", "branches*"),
        "effects": "pure",
        "infer": "same",
    }

`?` marks an optional input, `*` a dynamic one, `&` one that is a ref to state; `~` takes tensors
and refs. An attribute without a third entry is required, one with None is optional. A missing key
means none (types: every dtype). Effects: "pure" (the default), "random", "unknown", "io:<channel>",
or "writes:<ref>,…" and "reads:<ref>,…", separated by a blank. Inference: a rule of `RULES`; without
one a node keeps its declared types. `body` says what the sub-graphs take, see `BODIES`.
"""

from __future__ import annotations

import keyword
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from xdsl.ir import Attribute

from ge_dialect.dtypes import expand_spec
from ge_dialect.infer.broadcast import broadcast_all
from ge_dialect.ir import fields, kinds
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.effects import EffectKind, Effects, EffectSet
from ge_dialect.ir.types import CtrlType, RefType, elem_of, ref_type, shape_of, tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

KEYS = frozenset({"doc", "in", "out", "attrs", "types", "graphs", "effects", "infer", "body"})
_MARKS = "?*&~"


class Slot(NamedTuple):
    """One input or output of an entry: marks is a subset of `?*&~`."""

    name: str
    marks: str
    dtypes: str


def parse_slots(text: str) -> list[Slot]:
    """Read "x: T; bias?: float32"; ValueError for another form."""
    return [parse_slot(part) for part in text.split(";") if part.strip()]


def parse_slot(text: str) -> Slot:
    """Read "bias?: float32"; ValueError for another form."""
    name, colon, dtypes = text.partition(":")
    name, dtypes = name.strip(), dtypes.strip()
    marks = ""
    while name and name[-1] in _MARKS:
        marks += name[-1]
        name = name[:-1]
    if not colon or not dtypes or not name.isidentifier() or len(set(marks)) != len(marks):
        raise ValueError(f"expected 'name: dtypes', found {text!r}")
    return Slot(name, marks, dtypes)


def field_name(name: str, taken: Mapping[str, Any]) -> str:
    """The Python field for a GE name: with an underscore behind where it cannot be the same."""
    while keyword.iskeyword(name) or name in taken or hasattr(GeOp, name):
        name += "_"
    return name


def parse_effects(text: str) -> EffectSet:
    """Read the `effects` entry; ValueError for an unknown one."""
    if text in ("pure", "random", "unknown"):
        return EffectSet(EffectKind(text))
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    for part in text.split():
        kind, _, names = part.partition(":")
        if kind == "io" and names and part == text:
            return Effects.io(names)
        if kind == "reads" and names:
            reads = tuple(names.split(","))
        elif kind == "writes" and names:
            writes = tuple(names.split(","))
        else:
            raise ValueError(f"unknown effects {text!r}")
    return Effects.writes(*writes, reads=reads) if writes else Effects.reads(*reads)


def class_from_data(op_type: str, entry: Mapping[str, Any]) -> type[GeOp]:
    """The operator class of an entry; ValueError where the entry is wrong."""
    unknown = set(entry) - KEYS
    if unknown:
        raise ValueError(f"{op_type}: unknown key {sorted(unknown)[0]!r}")
    body: dict[str, Any] = {
        "name": f"ge.{op_type}",
        "__doc__": entry.get("doc", ""),
        "__module__": __name__,
        "__annotations__": {},
    }
    types = dict(entry.get("types", {}))
    _constant(body, "TYPES", types)
    _constant(body, "EFFECTS", parse_effects(entry.get("effects", "pure")))
    inputs, outputs = parse_slots(entry.get("in", "")), parse_slots(entry.get("out", ""))
    for slot in (*inputs, *outputs):
        try:
            expand_spec(types.get(slot.dtypes, slot.dtypes))
        except KeyError as error:
            raise ValueError(f"{op_type}: {slot.name} has the unknown dtype {error}") from None
    for slot in inputs:
        body[field_name(slot.name, body)] = _input(op_type, slot)
    for slot in outputs:
        field = field_name(slot.name, body)
        body[field] = _output(op_type, slot, field)
    for attr in entry.get("attrs", ()):
        name, kind, *default = attr
        if kind not in kinds.KINDS:
            raise ValueError(f"{op_type}: attribute {name} has the unknown kind {kind!r}")
        field = field_name(name, body)
        try:
            body[field] = _attribute(kinds.KINDS[kind], default, name if name != field else None)
        except (TypeError, KeyError, ValueError) as error:
            raise ValueError(f"{op_type}: default of attribute {name}: {error}") from None
    for name in entry.get("graphs", ()):
        dynamic = name.endswith("*")
        body[name.rstrip("*")] = fields.subgraphs() if dynamic else fields.subgraph()
    rule = entry.get("infer")
    if rule is not None:
        if rule not in RULES:
            raise ValueError(f"{op_type}: unknown inference rule {rule!r}")
        body["ge_infer"] = classmethod(RULES[rule])
    if "body" in entry:
        body["ge_body_types"] = classmethod(BODIES[entry["body"]])
    return ge_op(type(op_type, (GeOp,), body))


def _constant(body: dict[str, Any], name: str, value: Any) -> None:
    # IRDL takes an upper-case field only when it is annotated as a class variable
    body[name] = value
    body["__annotations__"][name] = ClassVar[Any]


def _input(op_type: str, slot: Slot) -> Any:
    table: dict[str, Callable[..., Any]] = {
        "": fields.tin,
        "?": fields.opt_tin,
        "*": fields.dyn_tin,
        "&": fields.ref_in,
        "~": fields.any_in,
        "*~": fields.dyn_any_in,
    }
    return _slot(op_type, slot, table, True)


def _output(op_type: str, slot: Slot, field: str) -> Any:
    table: dict[str, Callable[..., Any]] = {
        "": fields.tout,
        "?": fields.opt_tout,
        "*": fields.dyn_tout,
        "&": fields.ref_out,
        "~": fields.any_out,
        "*~": fields.dyn_any_out,
    }
    return _slot(op_type, slot, table, field == slot.name)


def _slot(
    op_type: str, slot: Slot, table: Mapping[str, Callable[..., Any]], same_field: bool
) -> Any:
    make = table.get("".join(sorted(slot.marks)))
    if make is None:
        raise ValueError(f"{op_type}: {slot.name} cannot be {slot.marks!r}")
    # the GE name is always given, so that a renamed field keeps it
    return (
        make(slot.dtypes) if same_field and _plain(slot.name) else make(slot.dtypes, name=slot.name)
    )


def _plain(name: str) -> bool:
    return not keyword.iskeyword(name) and not hasattr(GeOp, name)


def _attribute(kind: kinds.Kind, default: Sequence[Any], name: str | None) -> Any:
    if not default:
        return fields.attr(kind, name=name)
    if default[0] is None:
        return fields.attr(kind, opt=True, name=name)
    return fields.attr(kind, default[0], name=name)


# ----------------------------------------------------------------------------- generic rules


def _first(n: InferNode) -> str:
    return n.cls.ge_table().inputs[0].name


def same_rule(cls: type[GeOp], n: InferNode) -> Sequence[Attribute]:
    """Every output has the type of the first input."""
    given = n.type(_first(n))
    assert given is not None
    return (_plain_type(given),) * len(cls.ge_table().outputs)


def broadcast_rule(cls: type[GeOp], n: InferNode) -> Sequence[Attribute]:
    """The only output has the broadcast shape of all inputs and the dtype of the first."""
    shape = broadcast_all(*(shape_of(t) for s in cls.ge_table().inputs for t in n.types(s.name)))
    return (tensor_type(shape, n.elem(_first(n))),)


def ref_rule(cls: type[GeOp], n: InferNode) -> Sequence[Attribute]:
    """Every output is the input of its name."""
    return [_plain_type(t) for slot in cls.ge_table().outputs for t in n.types(slot.name)]


def each_rule(cls: type[GeOp], n: InferNode) -> Sequence[Attribute]:
    """The dynamic output repeats the dynamic first input."""
    return [_plain_type(t) for t in n.types(_first(n))]


def _plain_type(given: Attribute) -> Attribute:
    tensor = tensor_type(shape_of(given), elem_of(given))
    return ref_type(tensor) if isinstance(given, RefType) else tensor


#: Rules that data may name.
RULES: dict[str, Callable[[type[GeOp], InferNode], Sequence[Attribute]]] = {
    "same": same_rule,
    "broadcast": broadcast_rule,
    "ref": ref_rule,
    "each": each_rule,
}


def _skip(count: int, before: Sequence[Attribute] = ()) -> Callable[..., Sequence[Attribute]]:
    def body_types(
        cls: type[GeOp], operand_types: Sequence[Attribute], index: int
    ) -> Sequence[Attribute]:
        rest = [t for t in operand_types[count:] if not isinstance(t, CtrlType)]
        return [*before, *rest]

    return body_types


def _loop_body(
    cls: type[GeOp], operand_types: Sequence[Attribute], index: int
) -> Sequence[Attribute]:
    """The body of For takes the counter, a scalar of the type of `start`, then the inputs."""
    counter = tensor_type((), elem_of(operand_types[0]))
    return [counter, *(t for t in operand_types[3:] if not isinstance(t, CtrlType))]


#: Arguments of the bodies: all inputs but the first ones; the loop counter and all but three.
BODIES: dict[str, Callable[..., Sequence[Attribute]]] = {
    "all": _skip(0),
    "skip1": _skip(1),
    "for": _loop_body,
}
