"""Small changes to an application of an operator, each of which may make it wrong.

What is wrong is for the operator's inference to say; what it lets through is for the semantics.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

from ge_dialect.containers import is_sequence
from ge_dialect.ir.base import DYNAMIC, OPTIONAL, REQUIRED, AttrSpec
from passes.testing.agreement import TOGETHER
from passes.testing.applications import (
    MAX_RANK,
    Application,
    Operand,
    held_dtypes,
    slot_dtypes,
)

SIZES = (0, 1, 2, 3, 4, 5, 7)
STRINGS = (
    *("NHWC", "NCHW", "NDHWC", "NCDHW", "SAME", "VALID", "CALCULATED", "none", "tanh", "constant"),
    *(
        "edge",
        "reflect",
        "REFLECT",
        "SYMMETRIC",
        "DCR",
        "CRD",
        "add",
        "mul",
        "max",
        "min",
        "update",
    ),
    *("sum", "mean", "nearest", "linear", "bilinear", "cubic", "zeros", "border", "reflection"),
    *("half_pixel", "asymmetric", "align_corners", "floor", "ceil", "avg", "float32", "int64", ""),
    *("left_down", "right_up", "interleaved", "half", "ND", "TND", "BSH", "BNSD", "BSND"),
)
_MOST_PARTS, _MOST_KNOWN = 5, 12


def widened(app: Application, random: Random, *, further: bool = False) -> Application:
    """The application with one change; itself where the change does not apply.

    further: with changes besides that give more different ones where many are asked for.
    """
    change = random.choice(_FURTHER if further else _CHANGES)
    return change(app, random)


def retyped(app: Application, key: str, dtype: str) -> Application:
    """With another dtype for a dtype symbol, or for an input that has none.

    Inputs that must have the same one follow, where they may have it.
    """
    table = app.table
    named = {s.name for s in table.inputs if key in (s.dtypes, s.name)}
    for group in TOGETHER.get(app.op, ()):
        if named.intersection(group):
            named.update(group)
    for i, k, operand in app.operands():
        slot = table.inputs[i]
        if slot.name not in named or operand.dtype == dtype:
            continue
        if key in (slot.dtypes, slot.name) or dtype in slot_dtypes(app.op)[_key(app, i)]:
            values = operand.values
            if values is not None and dtype == "string":
                values = None
            elif values is not None and "int" in dtype:
                values = tuple(int(v) for v in values)
            app = app.put(i, k, replace(operand, dtype=dtype, values=values))
    return app


def _key(app: Application, index: int) -> str:
    """What the dtype of an input goes by: its symbol, or its own name."""
    slot = app.table.inputs[index]
    return slot.dtypes if slot.dtypes in app.table.types else slot.name


def connected(app: Application, key: str, random: Random) -> Application:
    """With a value for each absent optional input of a dtype symbol, or of that name.

    A dynamic one without values counts as absent.
    """
    for i, (slot, arg) in enumerate(zip(app.table.inputs, app.args, strict=True)):
        if slot.kind == REQUIRED or arg or key not in (slot.dtypes, slot.name):
            continue
        new: Any = _companion(app, slot, random)
        new = (new,) if slot.kind == DYNAMIC else new
        app = replace(app, args=(*app.args[:i], new, *app.args[i + 1 :]))
    return app


def _retype(app: Application, random: Random) -> Application:
    dtypes = [(k, d) for k, d in slot_dtypes(app.op).items() if d]
    if not dtypes:
        return app
    key, allowed = random.choice(dtypes)
    return retyped(app, key, random.choice(allowed))


def _free(app: Application) -> list[tuple[int, int | None, Operand]]:
    """Operands whose numbers do not matter to the rule."""
    return [o for o in app.operands() if o[2].values is None]


def _resize(app: Application, random: Random) -> Application:
    """One size, of one axis or wherever it occurs."""
    free = [o for o in _free(app) if o[2].dims]
    if not free:
        return app
    return _with_size(app, free, random.choice(SIZES), random)


def _enlarge(app: Application, random: Random) -> Application:
    """As `_resize`, to some larger size."""
    free = [o for o in _free(app) if o[2].dims]
    return _with_size(app, free, random.randrange(6, 40), random) if free else app


def _with_size(
    app: Application,
    free: list[tuple[int, int | None, Operand]],
    new: int,
    random: Random,
) -> Application:
    i, k, operand = random.choice(free)
    axis = random.randrange(len(operand.dims))
    old = operand.dims[axis]
    if random.random() < 0.4:
        dims = (*operand.dims[:axis], new, *operand.dims[axis + 1 :])
        return app.put(i, k, replace(operand, dims=dims))
    for i, k, operand in free:
        dims = tuple(new if d == old else d for d in operand.dims)
        app = app.put(i, k, replace(operand, dims=dims))
    return app


def _rerank(app: Application, random: Random) -> Application:
    """An axis more or less at one end, of one operand or of all of that rank."""
    free = _free(app)
    if not free:
        return app
    one = random.choice(free)
    rank = len(one[2].dims)
    alike = [o for o in free if len(o[2].dims) == rank] if random.random() < 0.6 else [one]
    kind = random.randrange(5)
    size = random.choice((1, 2, 3, 0, 1))
    many = random.choice((1, 1, 1, 2, 4))

    def change(dims: tuple[int, ...]) -> tuple[int, ...]:
        if kind == 0:
            return ()
        if kind == 1:
            return dims[1:]
        if kind == 2:
            return (*dims, size)
        return ((size,) * many + dims)[-MAX_RANK:]

    for i, k, operand in alike:
        app = app.put(i, k, replace(operand, dims=change(operand.dims)))
    return app


def _renumber(app: Application, random: Random) -> Application:
    """Another number in a constant operand: a neighbour, or counted from the end; or one more."""
    held = [o for o in app.operands() if o[2].values is not None]
    if not held:
        return app
    i, k, operand = random.choice(held)
    values: list[Any] = list(operand.values or ())
    kind = random.randrange(5)
    if kind == 0 and len(operand.dims) == 1:
        values = (
            values[:-1] if values and random.random() < 0.5 else [*values, *(values[:1] or [0])]
        )
        return app.put(i, k, replace(operand, dims=(len(values),), values=tuple(values)))
    if kind == 1 and len(values) == 1:
        return app.put(i, k, replace(operand, dims=() if operand.dims else (1,)))
    if not values or not all(isinstance(v, int | float) for v in values):
        return app
    at = random.randrange(len(values))
    values[at] = _other_number(app, values[at], random)
    return app.put(i, k, replace(operand, values=tuple(values)))


def _know(app: Application, random: Random) -> Application:
    """A few integers that were any become constants, which the rule sees."""
    small = [
        o
        for o in _free(app)
        if o[2].dtype in ("int32", "int64") and not o[2].ref and o[2].size <= _MOST_KNOWN
    ]
    if not small:
        return app
    i, k, operand = random.choice(small)
    low, high = -3, 5
    if operand.domain[0] == "index":
        low, high = 0, max(int(operand.domain[1]), 1)
    elif operand.domain[0] == "positive":
        low, high = 1, 4
    values = tuple(random.randrange(low, high) for _ in range(operand.size))
    return app.put(i, k, replace(operand, values=values))


def _other_number(app: Application, value: Any, random: Random) -> Any:
    if isinstance(value, bool):
        return not value
    if not isinstance(value, int):
        return random.choice((value + 1.0, -value, 0.0, 0.5, value * 2))
    ranks = [len(o.dims) for _, _, o in app.operands()] or [1]
    shift = random.choice(ranks)
    options = (value + 1, value - 1, -1, 0, value - shift if value >= 0 else value + shift, 2)
    return random.choice(options)


def _toggle_input(app: Application, random: Random) -> Application:
    """An optional input there or absent; a dynamic one with a value more or fewer."""
    table = app.table
    places = [i for i, s in enumerate(table.inputs) if s.kind != REQUIRED]
    if not places:
        return app
    i = random.choice(places)
    slot, arg = table.inputs[i], app.args[i]
    new: Operand | tuple[Operand, ...] | None
    if slot.kind == OPTIONAL:
        if arg is not None:
            new = None
        else:
            new = _companion(app, slot, random)
    else:
        assert slot.kind == DYNAMIC
        parts: tuple[Operand, ...] = arg if isinstance(arg, tuple) else ()
        if not parts:
            new = (_companion(app, slot, random),)
        elif random.random() < 0.5 and len(parts) > 1:
            new = parts[:-1]
        else:
            new = (*parts, random.choice(parts))[:_MOST_PARTS]
    app = replace(app, args=(*app.args[:i], new, *app.args[i + 1 :]))
    if slot.kind == DYNAMIC and "N" in table.attrs and isinstance(new, tuple):
        app = app.with_attr("N", len(new))
    return app


def _companion(app: Application, slot: Any, random: Random) -> Operand:
    """A value for an input that is absent: of a shape among those there are."""
    shapes = [o.dims for _, _, o in app.operands()] or [(2,)]
    dims = random.choice(shapes)
    dims = random.choice((dims, dims[-1:], dims[1:2], (), dims[:1]))
    bound = [o.dtype for i, _, o in app.operands() if app.table.inputs[i].dtypes == slot.dtypes]
    spec = app.table.types.get(slot.dtypes, slot.dtypes)
    dtype = random.choice(bound or list(held_dtypes(spec)) or ["float32"])
    values = None
    if dtype in ("int32", "int64") and random.random() < 0.7:
        count = random.choice((1, 1, 2))
        values = tuple(random.choice((0, 1, -1, 2)) for _ in range(count))
        dims = () if count == 1 and random.random() < 0.5 else (count,)
    return Operand(dims, dtype, values, ref=slot.is_ref)


def _reattribute(app: Application, random: Random) -> Application:
    """Another value of an attribute, or its default."""
    specs = [a for a in app.table.attrs.values() if a.name != "N"]
    if not specs:
        return app
    spec = random.choice(specs)
    held = dict(app.attrs)
    if spec.name in held and not spec.required and random.random() < 0.2:
        return app.with_attr(spec.name, None)
    old = held.get(spec.name)
    if old is None and spec.default is not None:
        old = spec.kind.to_python(spec.default)
    new = other_value(app, spec, old, random)
    return app if new is None else app.with_attr(spec.name, new)


def other_value(app: Application, spec: AttrSpec, old: Any, random: Random) -> Any:
    """Some value of an attribute's kind, near the old one; None where there is none to offer."""
    kind = spec.kind.name
    if kind == "Bool":
        return not old
    if kind == "Int":
        return _other_number(app, old if isinstance(old, int) else 1, random)
    if kind == "Float":
        return random.choice((0.5, 1.0, 2.0, 0.0, -1.0, 0.001))
    if kind == "String":
        return random.choice(STRINGS)
    if kind == "Type":
        return random.choice(held_dtypes("ALL"))
    if kind == "ListInt":
        return _other_list(app, old, random)
    if kind == "ListFloat" and is_sequence(old) and old:
        values = list(old)
        values[random.randrange(len(values))] = random.choice((0.5, 1.0, 2.0, -1.0))
        return tuple(values)
    if kind == "ListListInt" and is_sequence(old) and old:
        rows: list[tuple[Any, ...]] = [tuple(r) for r in old]
        at = random.randrange(len(rows))
        rows[at] = tuple(_other_list(app, rows[at], random))
        return tuple(rows)
    return None


def _other_list(app: Application, old: Any, random: Random) -> tuple[int, ...]:
    values = [int(v) for v in old] if is_sequence(old) else []
    kind = random.randrange(6)
    if kind == 0 or not values:
        return (*values, random.choice((0, 1, -1, 2)))
    if kind == 1:
        return tuple(values[:-1])
    if kind == 2:
        random.shuffle(values)
        return tuple(values)
    at = random.randrange(len(values))
    values[at] = _other_number(app, values[at], random)
    return tuple(values)


_CHANGES: tuple[Callable[[Application, Random], Application], ...] = (
    *(_retype,) * 2,
    *(_resize,) * 3,
    *(_rerank,) * 2,
    *(_renumber,) * 3,
    _toggle_input,
    *(_reattribute,) * 3,
)
_FURTHER = (*_CHANGES, _know, _enlarge)
