"""How a node of an operator is made: from the operator's own definition, its inference as judge.

An operator's inputs are taken from the graph, or made, by its declared dtypes; shapes and
attributes are tried until its rule accepts them. Where trying would seldom succeed, a hint (the
other `rules_*` files) sets some inputs and attributes first; what it leaves out is filled in here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from importlib import import_module
from itertools import islice
from typing import Any

from ge_dialect.ir.base import DYNAMIC, OPTIONAL, AttrSpec, GeOp, OpTable, SlotSpec
from ge_dialect.ops.registry import op_class
from ge_dialect.plugins import journal
from passes.testing.judge import Called, supported
from passes.testing.scope import Dims, Given, Pending, Scope, Value
from passes.testing.spec import Literal, Text

#: A hint sets inputs and attributes of a call; False gives the operator up for this step.
Hint = Callable[[Scope, "Call"], Any]
HINTS: dict[str, Hint] = {}

#: Values of attributes by name, where the kind alone says too little.
CHOICES: dict[str, tuple[Any, ...]] = {
    "data_format": ("NHWC", "NCHW"),
    "approximate": ("none", "tanh"),
    "mode": ("constant", "edge", "reflect"),
    "dtype": (3, 9),
    "epsilon": (0.001, 0.0001, 1.0),
    "alpha": (0.5, 1.0, 2.0, 0.25),
    "base": (-1.0, 2.0, 10.0),
    "depth_radius": (1, 2, 5),
    "decimals": (0, 1, 2),
    "dst_type": (0, 1, 3, 27),
    "out_idx": ("int32", "int64"),
    "y2_dtype": ("int32", "int64"),
    "indices_dtype": (3, 9),
    "diagonal": (0, 1, -1, 2),
}
#: Attributes that say nothing of the result.
SILENT = frozenset(
    {
        *("config", "config_proto", "executor_type", "container", "shared_name", "offset_x"),
        *("is_preprocessed", "use_locking", "parallel_iterations", "src_subformat"),
        *("dst_subformat", "index", "norm_region", "validate_indices", "exponential_avg_factor"),
    }
)
_KINDS: dict[str, tuple[Any, ...]] = {
    "Int": (1, 0, 2, -1, 3),
    "Float": (0.5, 1.0, 2.0, -1.0, 0.0),
    "Bool": (True, False),
    "String": ("",),
    "ListFloat": ((1.0,), (0.5, 2.0)),
    "ListBool": ((True,), (False, True)),
    "ListString": ((), ("a",)),
    "ListListInt": (((0, 0),), ((0, 1), (1, 0)), ()),
    "ListType": (("float32",), ("int32", "float32")),
    "Tensor": (Literal("float32", (), bytes(4)), Literal("int32", (2,), bytes(8))),
    "Any": (Text("unit"), Text("1 : i64")),
    "Type": ("float32", "float16", "int32", "int64"),
}
_MAIN_TRIES = 3
#: After so many refusals an operator is given up for this step.
MOST_TRIES = 40
_RANKS = (4, 2, 3, 1, 0)


class Unfit(Exception):
    """An input that was given does not suit the hint."""


def hint(*op_types: str) -> Callable[[Hint], Hint]:
    """Decorator: the function is the hint of these operator types."""

    def add(fn: Hint) -> Hint:
        if journal.is_foreign(fn):
            import_module("passes.testing.engine")  # ours come first, and it replaces them
        for op_type in op_types:
            old = HINTS.get(op_type)
            HINTS[op_type] = fn
            journal.note("hint", op_type, fn, partial(_restore, op_type, old))
        return fn

    return add


def _restore(op_type: str, old: Hint | None) -> None:
    if old is None:
        HINTS.pop(op_type, None)
    else:
        HINTS[op_type] = old


class Call:
    """A node being put together: inputs by name, attributes, bound dtype symbols."""

    def __init__(self, op: str) -> None:
        self.op = op
        self.table: OpTable = op_class(op).ge_table()
        self.args: dict[str, Given] = {}
        self.attrs: dict[str, Any] = {}
        self.fixed: frozenset[str] = frozenset()
        self._bound: dict[str, str] = {}

    def main(
        self,
        scope: Scope,
        name: str = "x",
        rank: int | range | None = None,
        dtypes: Sequence[str] | None = None,
    ) -> Value:
        """The input that decides most: the one given, else a tensor of the graph.

        Raises Unfit where the given one has another rank.
        """
        given = self.args.get(name)
        if isinstance(given, Value):
            if rank is not None and given.rank not in ((rank,) if isinstance(rank, int) else rank):
                raise Unfit
            return given
        allowed = [d for d in dtypes or self.allowed(name) if d in scope.knobs.dtypes]
        return self.put(name, scope.tensor(allowed or self.allowed(name), rank=rank))

    def give(self, name: str, given: Given) -> None:
        """Set an input that hints must leave alone."""
        self.put(name, given)
        self.fixed |= {name}

    def allowed(self, name: str) -> tuple[str, ...]:
        """Dtypes an input may have now."""
        slot = self.slot(name)
        bound = self._bound.get(slot.dtypes)
        return _supported(self.op, slot) if bound is None else (bound,)

    def slot(self, name: str) -> SlotSpec:
        """The declaration of an input."""
        return self.table.inputs[self.table.input_index(name)]

    def put(self, name: str, given: Given) -> Any:
        """Set an input; its dtype binds its symbol. One that was given stays."""
        if name in self.fixed:
            return self.args[name]
        self.args[name] = given
        one = given[0] if isinstance(given, list) and given else given
        spec = self.slot(name).dtypes
        if isinstance(one, Value) and spec in self.table.types:
            self._bound[spec] = one.dtype
        return given

    def called(self) -> Called:
        """The node as it stands; absent inputs are None, or empty lists where dynamic."""
        args: list[Given] = []
        for s in self.table.inputs:
            given = self.args.get(s.name)
            args.append([] if given is None and s.kind == DYNAMIC else given)
        order = self.table.attrs
        attrs = {n: self.attrs[n] for n in order if n in self.attrs}
        return Called(self.op, args, attrs)

    def copy(self) -> Call:
        """A copy to try something with."""
        new = Call.__new__(Call)
        new.op, new.table = self.op, self.table
        new.args, new.attrs, new._bound = dict(self.args), dict(self.attrs), dict(self._bound)
        new.fixed = self.fixed
        return new


_supported_memo: dict[tuple[type[GeOp], str], tuple[str, ...]] = {}


def _supported(op: str, slot: SlotSpec) -> tuple[str, ...]:
    cls = op_class(op)
    key = (cls, slot.name)
    found = _supported_memo.get(key)
    if found is None:
        found = _supported_memo[key] = supported(slot.dtypes, cls.ge_table())
    return found


def make(scope: Scope, op: str) -> Pending | None:
    """Append a node of an operator; None where none came about (the step is then left out)."""
    return finish(scope, Call(op))


def finish(
    scope: Scope, call: Call, constants: Collection[str] = (), *, hinted: bool = True
) -> Pending | None:
    """Append a call with its other inputs and attributes filled in; None where none came about.

    constants: inputs that must be constants. hinted: whether the operator's hint is asked.
    """
    fn = HINTS.get(call.op) if hinted else None
    try:
        if fn is not None and fn(scope, call) is False:
            return None
    except Unfit:
        return None
    for ready in islice(_completed(scope, call), MOST_TRIES):
        for name in constants:
            scope.make_constant(ready.args.get(name))
        step = scope.try_call(ready.called())
        if step is not None:
            return step
    return None


def _completed(scope: Scope, call: Call) -> Iterator[Call]:
    """The call with its other inputs and attributes filled in, in several ways."""
    flipped = _flipped(scope, call)
    for base in _with_main(scope, call):
        main = _main_of(base)
        for with_attrs in (flipped, {}) if flipped else (flipped,):
            for ready in _with_companions(scope, base, main):
                _fill_attrs(scope, ready, main, with_attrs)
                yield ready


# ------------------------------------------------------------------------------------- inputs


def _with_main(scope: Scope, call: Call) -> Iterator[Call]:
    """With the input that decides most: the one of the most dtypes, the first of equals."""
    missing = [s for s in call.table.inputs if s.kind != OPTIONAL and s.name not in call.args]
    if not missing or (call.args and len(missing) < len(call.table.inputs)):
        yield call
        return
    slot = max(missing, key=lambda s: len(_supported(call.op, s)))
    dtypes = [d for d in call.allowed(slot.name) if d in scope.knobs.dtypes]
    dtypes = dtypes or list(call.allowed(slot.name))
    if not dtypes:
        return  # of strings, say
    found = scope.tensors(dtypes)
    first = scope.source.index(len(found)) if found and not scope.flag(0.1) else -1
    if first >= 0:
        for k in range(min(_MAIN_TRIES, len(found))):
            yield _put(call, slot, found[first - k])
    dtype = scope.dtype(dtypes)
    yield _put(call, slot, scope.fresh(scope.palette.dims(scope), dtype))
    for rank in _RANKS:
        if rank <= max(scope.knobs.max_rank, 1):
            yield _put(call, slot, scope.fresh(scope.palette.dims(scope, rank), dtype))


def _put(call: Call, slot: SlotSpec, value: Value) -> Call:
    new = call.copy()
    new.put(slot.name, [value] if slot.kind == DYNAMIC else value)
    return new


def _main_of(call: Call) -> Value | None:
    best: Value | None = None
    for given in call.args.values():
        one = given[0] if isinstance(given, list) and given else given
        if isinstance(one, Value) and (best is None or one.size > best.size):
            best = one
    return best


def _with_companions(scope: Scope, call: Call, main: Value | None) -> Iterator[Call]:
    """With the other inputs: values of the graph first, then fresh ones of likely shapes."""
    missing = [s for s in call.table.inputs if s.name not in call.args and _wanted(scope, s)]
    missing = [s for s in missing if s.kind != OPTIONAL or call.allowed(s.name)]
    if any(s.kind != DYNAMIC and not call.allowed(s.name) for s in missing):
        return  # an input of a dtype without values
    lists = [s for s in call.table.inputs if s.kind == DYNAMIC]
    if main is not None and "N" not in call.attrs:
        for s in lists:
            given = call.args.get(s.name)
            if not isinstance(given, list) or len(given) <= 1:
                call = call.copy()
                call.put(s.name, _alike(scope, main, 1 + scope.choose(3)))
    if not missing or all(s.kind == DYNAMIC for s in missing):
        yield call
        return
    index = [s for s in missing if _is_index(call, s, main)]
    missing = [s for s in missing if s.kind != DYNAMIC and s not in index]
    for says in _index_values(scope) if index else (None,):
        base = call.copy()
        for s in index:
            base.put(s.name, _integers(scope, base, s, says))
        if not missing:
            yield base
            continue
        ready = base.copy()
        anew = main is not None and scope.flag(0.15)
        for s in missing:
            dtypes = ready.allowed(s.name)
            if anew and main is not None and main.dtype in dtypes:
                ready.put(s.name, scope.fresh(main.dims, main.dtype))
                continue
            found = scope.tensors(dtypes)
            ready.put(s.name, scope.choose_value(found) if found else main)
        yield ready
        for dims in _likely_dims(scope, main):
            ready = base.copy()
            for s in missing:
                dtypes = ready.allowed(s.name)
                dtype = main.dtype if main is not None and main.dtype in dtypes else dtypes[0]
                ready.put(s.name, existing(scope, dims, dtype) or scope.fresh(dims, dtype))
            yield ready
        if any(s.kind == OPTIONAL for s in missing):
            yield base


def _is_index(call: Call, slot: SlotSpec, main: Value | None) -> bool:
    """Whether an input holds integers about the others (an axis, a count), as its dtypes say."""
    kinds = _supported(call.op, slot)
    known = bool(kinds) and set(kinds) <= {"int32", "int64"}
    return main is not None and slot.kind != DYNAMIC and known


def _index_values(scope: Scope) -> list[int | tuple[int, ...]]:
    """What such integers may be: small numbers and lists."""
    options: list[int | tuple[int, ...]] = [0, 1, -1, 2, (0,), (1, 0), (2, 1)]
    first = scope.choose(len(options))
    return [*options[first:], *options[:first]]


def _integers(scope: Scope, call: Call, slot: SlotSpec, says: Any) -> Value:
    dtypes = call.allowed(slot.name)
    return scope.number(says, dtypes) if isinstance(says, int) else scope.vector(says, dtypes)


def _wanted(scope: Scope, slot: SlotSpec) -> bool:
    return slot.kind != OPTIONAL or scope.flag(scope.knobs.attrs)


def _likely_dims(scope: Scope, main: Value | None) -> list[Dims]:
    """Shapes an input beside `main` may have: equal, stretching, per channel, a factor matrix."""
    if main is None:
        return [scope.palette.dims(scope)]
    d = main.dims
    options: list[Dims] = [d, (), d[-1:], (1,)]
    if len(d) >= 2:
        options += [d[1:2], (*d[:-1], 1), (d[-1], 2), (*d[:-2], d[-1], 2)]
    first = scope.choose(len(options))
    return list(dict.fromkeys([*options[first:], *options[:first]]))


def existing(scope: Scope, dims: Dims, dtype: str) -> Value | None:
    """A value of the graph with this shape and dtype; now and then none although there is one."""
    found = [v for v in scope.values if v.dims == dims and v.dtype == dtype]
    if not found or scope.flag(0.25):
        return None
    return scope.choose_value(found)


def _alike(scope: Scope, main: Value, count: int) -> list[Value]:
    """`count` values of one type, `main` among them."""
    found = [v for v in scope.values if v.ctype is main.ctype] or [main]
    return [main, *(scope.choose_value(found) for _ in range(count - 1))]


# ---------------------------------------------------------------------------------- attributes


def _optional(call: Call) -> list[AttrSpec]:
    return [
        a
        for a in call.table.attrs.values()
        if not a.required
        and a.name not in call.attrs
        and a.name not in SILENT
        and (a.kind.name in _KINDS or a.kind.name == "ListInt")
        and (a.kind.name != "String" or a.name in CHOICES)
    ]


def _flipped(scope: Scope, call: Call) -> dict[str, Any]:
    """One attribute that is not its default, seldom."""
    options = _optional(call)
    if not options or not scope.flag(scope.knobs.attrs):
        return {}
    spec = options[scope.choose(len(options))]
    return {spec.name: spec}


def _fill_attrs(scope: Scope, call: Call, main: Value | None, flipped: dict[str, AttrSpec]) -> None:
    for name, spec in call.table.attrs.items():
        if name in call.attrs:
            continue
        if name == "N":
            call.attrs[name] = sum(len(a) for a in call.args.values() if isinstance(a, list))
        elif spec.required or name in flipped:
            call.attrs[name] = attr_value(scope, spec, main)


def attr_value(scope: Scope, spec: AttrSpec, main: Value | None) -> Any:
    """A value of an attribute's kind."""
    if spec.name in CHOICES and _is_of_kind(CHOICES[spec.name][0], spec.kind.name):
        return scope.pick(CHOICES[spec.name])
    if spec.kind.name == "ListInt":
        rank = main.rank if main is not None else 1
        axis = scope.choose(max(rank, 1))
        return (axis,) if scope.choose(2) == 0 else (axis - rank,)
    options: Sequence[Any] = _KINDS[spec.kind.name]
    if spec.kind.name == "Bool" and spec.default is not None:
        return not spec.kind.to_python(spec.default)
    return scope.pick(options)


def _is_of_kind(value: Any, kind: str) -> bool:
    return {"String": str, "Type": str, "Int": int, "Float": float}.get(kind) is type(value)
