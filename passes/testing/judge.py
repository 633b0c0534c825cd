"""Asking an operator's own rules whether a node is right, with a memo of the answers.

The answer depends on types, attributes and known integers alone, so the memo never changes what is
generated.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from xdsl.ir import Attribute

from ge_dialect.diagnostics import GeError
from ge_dialect.dtypes import expand_spec, ge_name, to_xdsl
from ge_dialect.infer.errors import InferError
from ge_dialect.infer.node import InferNode
from ge_dialect.ir.base import DYNAMIC, REQUIRED, GeOp, OpTable
from ge_dialect.ir.types import elem_of, num_elements, shape_of
from ge_dialect.ops.registry import op_class, op_family
from passes.testing.knobs import DTYPES
from passes.testing.tables import small_numbers

if TYPE_CHECKING:
    from passes.testing.scope import Given, Value

MAX_RANK = 6
#: Families of operators whose rules refuse all that their semantics refuse. Nodes of others (and
#: of the user's) are tried on small numbers besides.
COMPLETE = frozenset(
    (
        "activation broadcast control_flow conv data_movement elementwise format graph_io indexing "
        "matmul norm pooling random reduce shape variables running sorting selection"
    ).split()
)
#: Types of one declared input: a type, None for an absent one, a list for a dynamic one.
_Slot = Attribute | list[Attribute] | None

_LIMIT = 100_000
_memo: dict[Any, Any] = {}
_SUPPORTED = frozenset(to_xdsl(d) for d in DTYPES)
_UNSEEN = object()


@dataclass(eq=False, slots=True)
class Called:
    """A node to be: an operator with arguments per declared input, and attributes."""

    op: str
    args: list[Given]
    attrs: dict[str, Any] = field(default_factory=dict[str, Any])

    def values(self) -> Iterator[Value]:
        """All values it reads."""
        for a in self.args:
            if isinstance(a, list):
                yield from a
            elif a is not None:
                yield a


def judge(
    called: Called, max_elements: int
) -> tuple[Sequence[Attribute], Sequence[Attribute]] | None:
    """Declared and concrete result types of a node; None where its operator refuses it.

    Refused too: results of dtypes golden semantics lack, of more than `max_elements` elements or
    MAX_RANK axes, and of unknown size in the concrete run, unless the size depends on the data (the
    rule knew all it asked for).
    """
    found = _ask(called, "ctype", "actual")
    if found is None:
        return None
    concrete, asked_in_vain = found
    for type_ in concrete:
        dims, count = shape_of(type_), num_elements(type_)
        if dims is None or len(dims) > MAX_RANK:
            return None
        if asked_in_vain if count is None else count > max_elements:
            return None
    if not _is_complete(op_class(called.op)) and not _runs(called, concrete):
        return None
    if all(v.type is v.ctype and v.known == v.actual for v in called.values()):
        return concrete, concrete
    declared = _ask(called, "type", "known")
    return None if declared is None else (declared[0], concrete)


def _ask(called: Called, types: str, ints: str) -> tuple[tuple[Attribute, ...], bool] | None:
    """The operator's answer for one view of its inputs; whether it asked for an unknown value."""
    entry = _key(called, types, ints)
    found = _memo.get(entry, _UNSEEN)
    if found is _UNSEEN:
        if len(_memo) > _LIMIT:
            _memo.clear()
        found = _memo[entry] = _infer(called, types, ints)
    return found


def _key(called: Called, types: str, ints: str) -> tuple[Any, ...]:
    """All that an answer depends on; types are interned and live on.

    The class, not its name: a file that is loaded again may bring another one.
    """
    key: list[Any] = [op_class(called.op)]
    for a in called.args:
        if isinstance(a, list):
            key.append(len(a))
            for v in a:
                key.append(id(getattr(v, types)))
                key.append(getattr(v, ints))
        elif a is None:
            key.append(None)
        else:
            key.append(id(getattr(a, types)))
            key.append(getattr(a, ints))
    key.append(tuple(called.attrs.items()))
    return tuple(key)


def _infer(called: Called, types: str, ints: str) -> tuple[tuple[Attribute, ...], bool] | None:
    cls = op_class(called.op)
    table = cls.ge_table()
    given: list[_Slot] = [
        None
        if a is None
        else [getattr(v, types) for v in a]
        if isinstance(a, list)
        else getattr(a, types)
        for a in called.args
    ]
    if any(s.kind == REQUIRED and a is None for s, a in zip(table.inputs, given, strict=True)):
        return None
    index = {s.name: i for i, s in enumerate(table.inputs)}

    in_vain = False

    def const_of(name: str) -> Any:
        nonlocal in_vain
        a = called.args[index[name]]
        if a is None:
            return None
        value = [getattr(v, ints) for v in a] if isinstance(a, list) else getattr(a, ints)
        in_vain = in_vain or value is None
        return value

    try:
        found = tuple(cls.ge_infer(InferNode.from_parts(cls, given, called.attrs, const_of)))
    except InferError:
        return None
    return (found, in_vain) if _dtypes_fit(cls, table, given, found) else None


@lru_cache(maxsize=1024)
def _is_complete(cls: type[GeOp]) -> bool:
    return op_family(cls.name[3:]) in COMPLETE or not cls.EFFECTS.is_pure


def _runs(called: Called, results: Sequence[Attribute]) -> bool:
    """Whether golden semantics take the node, on small numbers."""
    entry = (_key(called, "ctype", "actual"), tuple([v.domain for v in called.values()]))
    found = _memo.get(entry)
    if found is None:
        found = _memo[entry] = _try_run(called, results)
    return found


def _try_run(called: Called, results: Sequence[Attribute]) -> bool:
    from ge_dialect.semantics import apply_op, limited
    from passes.testing.limits import KIT

    def array(value: Value) -> Any:
        import numpy as np

        from ge_dialect.dtypes import numpy_dtype

        dims = tuple(max(d, 1) if d < 0 else d for d in value.dims)
        if value.actual is not None:
            dtype = numpy_dtype(to_xdsl(value.dtype))
            return np.array(value.actual, dtype).reshape(dims)
        variant = {"index": 2, "positive": -1}.get(value.domain[0], 0)
        return small_numbers(dims, value.dtype, variant)

    args = [
        None if a is None else [array(v) for v in a] if isinstance(a, list) else array(a)
        for a in called.args
    ]
    try:
        with limited(KIT):
            apply_op(called.op, args, called.attrs, out_types=results)
    except GeError:
        return False
    return True


def _dtypes_fit(
    cls: type[GeOp], table: OpTable, given: Sequence[_Slot], results: Sequence[Attribute]
) -> bool:
    """Whether inputs and results have dtypes the operator declares, symbols being one dtype."""
    bound: dict[str, Attribute] = {}

    def fits(spec: str, type_: Attribute) -> bool:
        elem = elem_of(type_)
        if elem not in expand_spec(table.types.get(spec, spec)):
            return False
        return spec not in table.types or bound.setdefault(spec, elem) == elem

    for slot, types in zip(table.inputs, given, strict=True):
        held = types if isinstance(types, list) else () if types is None else (types,)
        if not all(fits(slot.dtypes, type_) for type_ in held):
            return False
    if not all(elem_of(t) in _SUPPORTED for t in results):
        return False
    outputs = table.outputs
    if outputs and outputs[-1].kind == DYNAMIC:
        slots = [*outputs[:-1], *[outputs[-1]] * (len(results) - len(outputs) + 1)]
    else:
        slots = list(outputs)
    return len(slots) == len(results) and all(
        fits(s.dtypes, t) for s, t in zip(slots, results, strict=True)
    )


def supported(spec: str, table: OpTable) -> tuple[str, ...]:
    """Dtypes of a slot that golden semantics compute with, in the order of `DTYPES`."""
    return _supported_of(table.types.get(spec, spec))


@lru_cache(maxsize=1024)
def _supported_of(spec: str) -> tuple[str, ...]:
    allowed = expand_spec(spec)
    return tuple(d for d in DTYPES if to_xdsl(d) in allowed)


__all__ = ["Called", "ge_name", "judge", "supported"]
