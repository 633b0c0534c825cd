"""Steps of several nodes: chains, diamonds, residual and inverse pairs, fan-out, duplicates.

Single random nodes make shallow graphs; passes look for these shapes.
"""

from __future__ import annotations

from functools import lru_cache

from ge_dialect.dtypes import ge_enum, to_xdsl
from ge_dialect.ir.types import is_static, layout, tensor_type, with_layout
from passes.testing.judge import Called, supported
from passes.testing.knobs import Knobs
from passes.testing.rules_shape import permutation
from passes.testing.scope import Pending, Scope, Value

_UNARY = (
    *("Relu", "Neg", "Abs", "Square", "Sign", "Identity", "Relu6", "Sigmoid", "Tanh", "Exp"),
    *("Sqrt", "LogicalNot", "Invert", "ZerosLike", "OnesLike", "Floor", "Reciprocal", "Erf"),
)
_BINARY = (
    *("Add", "Mul", "Sub", "Maximum", "Minimum", "LogicalAnd", "LogicalOr", "SquaredDifference"),
    *("RealDiv", "BitwiseXor"),
)
#: Casts that lose nothing, and one that does.
_WIDER = {"float16": "float32", "bfloat16": "float32", "int8": "int32", "int32": "int64"}


@lru_cache(maxsize=256)
def _fitting(ops: tuple[str, ...], knobs: Knobs, dtype: str) -> tuple[str, ...]:
    """Those of `ops` that the knobs admit and that take the dtype."""
    from ge_dialect.ops.registry import op_class

    out: list[str] = []
    for op in ops:
        if (knobs.ops is None or op in knobs.ops) and op not in knobs.exclude:
            table = op_class(op).ge_table()
            if dtype in supported(table.inputs[0].dtypes, table):
                out.append(op)
    return tuple(out)


def _unary(scope: Scope, x: Value) -> Value | None:
    ops = _fitting(_UNARY, scope.knobs, x.dtype)
    if not ops:
        return None
    step = scope.try_call(Called(scope.pick(ops), [x], {}))
    return None if step is None else step.results[0]


def _binary(scope: Scope, x: Value, y: Value) -> Value | None:
    ops = _fitting(_BINARY, scope.knobs, x.dtype)
    if not ops or x.dtype != y.dtype:
        return None
    step = scope.try_call(Called(scope.pick(ops), [x, y], {}))
    return None if step is None else step.results[0]


def _start(scope: Scope) -> Value:
    return scope.tensor(scope.knobs.dtypes)


def _maker(value: Value | None) -> Pending | None:
    return None if value is None else value.maker


def chain(scope: Scope) -> Pending | None:
    """Two or three nodes in a row."""
    value: Value | None = _start(scope)
    for _ in range(2 + scope.choose(2)):
        value = None if value is None else _unary(scope, value)
    return _maker(value)


def diamond(scope: Scope) -> Pending | None:
    """Two nodes of one value, joined."""
    x = _start(scope)
    a = _unary(scope, x)
    b = _unary(scope, x)
    return None if a is None or b is None else _maker(_binary(scope, a, b))


def residual(scope: Scope) -> Pending | None:
    """A value, changed, joined with itself."""
    x = _start(scope)
    a = _unary(scope, x)
    b = None if a is None or scope.choose(2) else _unary(scope, a)
    found = b or a
    return None if found is None else _maker(_binary(scope, found, x))


def fan_out(scope: Scope) -> Pending | None:
    """Two to four nodes of one value."""
    x = _start(scope)
    value = None
    for _ in range(2 + scope.choose(3)):
        value = _unary(scope, x)
    return _maker(value)


def on_loose(scope: Scope) -> Pending | None:
    """A node of a value whose size depends on the data."""
    if not scope.loose:
        return None
    x = scope.choose_value(scope.loose)
    if scope.choose(4) == 3 and not _forbidden(scope, "Size"):
        return scope.try_call(Called("Size", [x], {}))
    return _maker(_unary(scope, x))


def twice(scope: Scope) -> Pending | None:
    """A node that reads one value twice."""
    x = _start(scope)
    return _maker(_binary(scope, x, x))


def duplicate(scope: Scope) -> Pending | None:
    """An earlier node once more, with the same inputs and attributes."""
    found = [
        s
        for s in scope.steps
        if s.results and all(v.plan is None for v in s.results) and _is_plain(s)
    ]
    if not found:
        return None
    step = found[scope.source.index(len(found))]
    called = Called(step.op, list(step.args), dict(step.attrs))
    types = [v.type for v in step.results]
    made = scope.append(called, types, [v.ctype for v in step.results], bodies=step.bodies)
    made.has_task = step.has_task
    for old, new in zip(step.results, made.results, strict=True):
        new.known, new.actual = old.known, old.actual
    return made


def _is_plain(step: Pending) -> bool:
    from ge_dialect.ops.registry import op_class

    return op_class(step.op).EFFECTS.is_pure


# --------------------------------------------------------------------------------- inverse pairs


def inverse_pair(scope: Scope) -> Pending | None:
    """A node and its inverse, with or without something in between."""
    x = _start(scope)
    kinds = [cast_pair]
    if x.rank >= 2:
        kinds.append(transpose_pair)
    kinds.append(reshape_pair)
    return scope.pick(kinds)(scope, x)


def _between(scope: Scope, value: Value) -> Value:
    return (_unary(scope, value) or value) if scope.choose(2) else value


def cast_pair(scope: Scope, x: Value) -> Pending | None:
    """To a wider dtype (or, seldom, another) and back."""
    if _forbidden(scope, "Cast"):
        return None
    to = _WIDER.get(x.dtype, "float16")
    if x.dtype in ("complex64", to):
        return None
    first = scope.try_call(Called("Cast", [x], {"dst_type": ge_enum(to_xdsl(to))}))
    if first is None:
        return None
    value = _between(scope, first.results[0])
    return scope.try_call(Called("Cast", [value], {"dst_type": ge_enum(to_xdsl(x.dtype))}))


def transpose_pair(scope: Scope, x: Value) -> Pending | None:
    """A transpose and its inverse (or, seldom, itself again)."""
    if _forbidden(scope, "TransposeD"):
        return None
    perm = permutation(scope, x.rank)
    first = scope.try_call(Called("TransposeD", [x], {"perm": perm}))
    if first is None:
        return None
    value = _between(scope, first.results[0])
    back = tuple(perm.index(i) for i in range(x.rank)) if scope.choose(4) < 3 else perm
    return scope.try_call(Called("TransposeD", [value], {"perm": back}))


def reshape_pair(scope: Scope, x: Value) -> Pending | None:
    """A reshape to a vector and back."""
    if _forbidden(scope, "Reshape"):
        return None
    first = scope.try_call(Called("Reshape", [x, scope.vector((x.size,))], {}))
    if first is None:
        return None
    value = _between(scope, first.results[0])
    return scope.try_call(Called("Reshape", [value, scope.vector(x.dims)], {}))


def _forbidden(scope: Scope, op: str) -> bool:
    knobs = scope.knobs
    return op in knobs.exclude or (knobs.ops is not None and op not in knobs.ops)


# --------------------------------------------------------------------------------------- layouts

_FORMATS = {4: ("NC1HWC0", "NHWC", "FRACTAL_Z"), 2: ("FRACTAL_NZ",)}


def trans_data(scope: Scope) -> Pending | None:
    """A value into another layout, a node in that layout, or back to no layout."""
    kind = scope.choose(3) if scope.laid_out else 0
    if kind == 0:
        found = [
            v
            for v in scope.tensors(("float16", "float32"))
            if v.rank in _FORMATS and is_static(v.type)
        ]
        x = scope.choose_value(found) if found else None
        if x is None:
            x = scope.fresh(scope.palette.dims(scope, 4), scope.dtype(("float16", "float32")))
            scope.register(x)
            if not is_static(x.type):
                return None
        to = scope.pick(_FORMATS[x.rank])
        source = "NCHW" if x.rank == 4 else "ND"
        if scope.choose(8) == 7:
            called = Called("TransData", [x], {"src_format": source, "dst_format": source})
            return scope.append(called, [x.type])
        type_ = with_layout(x.type, layout(to))
        called = Called("TransData", [x], {"src_format": source, "dst_format": to})
        return scope.append(called, [type_])
    x = scope.choose_value(scope.laid_out)
    if kind == 1:
        return to_plain(scope, x)
    ops = _fitting(_UNARY, scope.knobs, x.dtype)
    return scope.append(Called(scope.pick(ops), [x], {}), [x.type]) if ops else None


def to_plain(scope: Scope, x: Value) -> Pending:
    """A TransData back to no layout."""
    from ge_dialect.ir.types import layout_of

    held = layout_of(x.type)
    assert held is not None
    to = "NCHW" if x.rank == 4 else "ND"
    called = Called("TransData", [x], {"src_format": held.format, "dst_format": to})
    return scope.append(called, [with_layout(x.type, None)])


#: Dtypes whose bytes may be read as each other without a change of meaning under tolerance.
_SAME_BITS = {"int32": "uint32", "int8": "uint8", "int16": "uint16", "int64": "uint64"}


def reinterpret(scope: Scope) -> Pending | None:
    """The bytes of a value as another shape, or as integers with or without sign."""
    x = _start(scope)
    if x.plan is not None:
        scope.register(x)
    if not is_static(x.type):
        return None
    other = _SAME_BITS.get(x.dtype)
    if other is not None and scope.choose(2):
        type_ = tensor_type(x.dims, to_xdsl(other))
    else:
        type_ = tensor_type((x.size,), to_xdsl(x.dtype))
    return scope.append(Called("Reinterpret", [x], {}), [type_])
