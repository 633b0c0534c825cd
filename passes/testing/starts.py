"""Where single applications of an operator start: what the kit's hints and forms make of it."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from math import prod
from random import Random
from typing import Any

from ge_dialect.dtypes import numpy_dtype, to_xdsl
from ge_dialect.ir.base import REQUIRED
from ge_dialect.ops.registry import op_class
from passes.testing.agreement import FORMS
from passes.testing.applications import MAX_RANK, Application, Arg, Operand, held_dtypes
from passes.testing.choices import RandomChoices
from passes.testing.judge import supported
from passes.testing.knobs import Knobs
from passes.testing.rules import CHOICES, Call, finish, make
from passes.testing.scope import Given, Palette, Pending, Scope, Value
from passes.testing.spec import ANY, Literal
from passes.testing.widen import SIZES

KNOBS = Knobs(
    dynamic=0.0,
    zero_size=0.08,
    rank0=0.15,
    attrs=0.6,
    data_nodes=0.0,
    weights=0.0,
    constants=0.2,
    max_elements=1500,
)
_REQUIRED: dict[str, Any] = {"Int": 1, "Float": 1.0, "Bool": False, "String": "", "ListInt": (1,)}


def start(op: str, seed: int, knobs: Knobs = KNOBS) -> Application | None:
    """An application made by the kit's rules, None where none came about."""
    import_module("passes.testing.engine")  # its hints count

    if op in _BY_HAND:
        return _BY_HAND[op](op, Random(seed))
    table = op_class(op).ge_table()
    if not all(supported(s.dtypes, table) for s in table.inputs if s.kind == REQUIRED):
        return _of_one_shape(op, Random(seed))
    source = RandomChoices(seed)
    scope = Scope(source, knobs, Palette(source, knobs))
    forms = FORMS.get(op)
    if forms and seed % 3 == 0:
        from passes.testing.rules_templates import fill

        call = Call(op)
        fill(scope, call, scope.pick(forms))
        step = finish(scope, call, hinted=False)
    else:
        step = make(scope, op)
    return None if step is None else _of_step(step)


def _of_one_shape(op: str, random: Random) -> Application:
    """Required inputs of one shape, with dtypes generated graphs do not hold."""
    table = op_class(op).ge_table()
    dims = random.choice(((), (3,), (2, 3), (2, 3, 4), (0, 2)))
    bound = {
        s.dtypes: random.choice(held_dtypes(table.types.get(s.dtypes, s.dtypes)))
        for s in table.inputs
    }
    args: list[Arg] = [
        None
        if s.kind != REQUIRED
        else Operand(random.choice((dims, dims, (), (1,))), bound[s.dtypes], ref=s.is_ref)
        for s in table.inputs
    ]
    attrs = {
        a.name: random.choice(CHOICES[a.name]) if a.name in CHOICES else _REQUIRED[a.kind.name]
        for a in table.attrs.values()
        if a.required and a.kind.name in _REQUIRED
    }
    return Application(op, tuple(args), tuple(attrs.items()))


def _of_step(step: Pending) -> Application:
    slots = op_class(step.op).ge_table().inputs

    def one(value: Value, ref: bool) -> Operand:
        values = value.actual
        if values is None and value.maker is not None:
            # a constant whose content was chosen when it joined the graph: any other will do
            held = dict(value.maker.attrs).get("value")
            if isinstance(held, Literal) and value.domain == ANY and value.dtype != "bool":
                values = None
        return Operand(value.dims, value.dtype, values, value.domain, ref)

    def arg(given: Given, ref: bool) -> Arg:
        if given is None:
            return None
        if isinstance(given, list):
            return tuple([one(v, ref) for v in given])
        return one(given, ref)

    args = [arg(a, s.is_ref) for a, s in zip(step.args, slots, strict=True)]
    return Application(step.op, tuple(args), tuple(step.attrs.items()))


def _constant(op: str, random: Random) -> Application:
    """A node that makes a tensor of an attribute."""
    import numpy as np

    from ge_dialect.ir.dense import dense_from_numpy

    dims = tuple(random.choice(SIZES) for _ in range(random.choice((0, 1, 2, 2, 3, 4))))
    dims = random.choice((dims, dims, dims, (1,) * random.randrange(MAX_RANK + 1)))
    dtype = random.choice([d for d in held_dtypes("BasicType") if d != "string" and d[0] != "q"])
    first = random.randrange(2)
    array = (np.arange(prod(dims)) % 2 + first) % 2
    array = array.reshape(dims).astype(numpy_dtype(to_xdsl(dtype)))
    return Application(op, (), (("value", dense_from_numpy(array, to_xdsl(dtype))),))


def _conversion(op: str, random: Random) -> Application:
    """A conversion between layouts that says nothing of the logical tensor."""
    dims = random.choice(((), (3,), (2, 3), (2, 0), (2, 3, 4, 5)))
    x = Operand(dims, random.choice(held_dtypes("BasicType")))
    return Application(op, (x,), (("src_format", "ND"), ("dst_format", "ND")))


_BY_HAND: dict[str, Callable[[str, Random], Application]] = {
    "Const": _constant,
    "Constant": _constant,
    "Variable": _constant,
    "TransData": _conversion,
}
