"""Single applications of an operator: types, constants and attributes that its rule accepts.

What the kit's rules make (`rules`) is a start; `widen` changes it step by step, keeping what the
operator's inference accepts. So ranks, sizes, dtypes, absent inputs and attributes occur that
generated graphs seldom or never have. Nothing is listed per operator, but for those without inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from math import prod
from random import Random
from typing import TYPE_CHECKING, Any

from ge_dialect.containers import as_list
from ge_dialect.dtypes import expand_spec, ge_name, numpy_dtype, to_xdsl
from ge_dialect.infer.errors import InferError
from ge_dialect.infer.node import InferNode
from ge_dialect.ir.base import DYNAMIC, REQUIRED, OpTable
from ge_dialect.ir.types import elem_of, num_elements, ref_type, shape_of, tensor_type
from ge_dialect.ops.registry import op_class
from passes.testing.spec import ANY, Domain

if TYPE_CHECKING:
    from numpy.random import Generator as NumpyRandom
    from xdsl.ir import Attribute

Dims = tuple[int, ...]

MAX_RANK = 8
MAX_ELEMENTS = 3000
#: So many applications are there before few are made anew; so many are kept to be widened.
_MANY, _POOL = 90, 48
_WORDS = ("", "a", "bc", "ge")


@dataclass(frozen=True)
class Operand:
    """One input value: dims, GE dtype, and what it may hold.

    values: the numbers it holds, flattened, which inference may see; None where any numbers of
    `domain` will do. ref: whether it is a handle to state.
    """

    dims: Dims
    dtype: str
    values: tuple[Any, ...] | None = None
    domain: Domain = ANY
    ref: bool = False

    @property
    def type(self) -> Attribute:
        """Its type in the IR."""
        return _type(self.dims, self.dtype, self.ref)

    @property
    def size(self) -> int:
        """Number of elements."""
        return prod(self.dims)


@lru_cache(maxsize=1 << 15)
def _type(dims: Dims, dtype: str, ref: bool) -> Attribute:
    plain = tensor_type(dims, to_xdsl(dtype))
    return ref_type(plain) if ref else plain


Arg = Operand | None | tuple[Operand, ...]


@dataclass(frozen=True)
class Application:
    """An operator with its inputs, one entry per declared one, and attributes (Python values)."""

    op: str
    args: tuple[Arg, ...]
    attrs: tuple[tuple[str, Any], ...] = ()

    @property
    def table(self) -> OpTable:
        """The operator's declaration."""
        return op_class(self.op).ge_table()

    def operands(self) -> list[tuple[int, int | None, Operand]]:
        """All values: index of the input, place in a dynamic one, operand."""
        out: list[tuple[int, int | None, Operand]] = []
        for i, arg in enumerate(self.args):
            if isinstance(arg, tuple):
                out += [(i, k, one) for k, one in enumerate(arg)]
            elif arg is not None:
                out.append((i, None, arg))
        return out

    def put(self, index: int, place: int | None, new: Operand) -> Application:
        """With another operand at one place."""
        arg = self.args[index]
        whole: Arg = new
        if place is not None:
            assert isinstance(arg, tuple)
            whole = (*arg[:place], new, *arg[place + 1 :])
        return replace(self, args=(*self.args[:index], whole, *self.args[index + 1 :]))

    def with_attr(self, name: str, value: Any) -> Application:
        """With an attribute set; None takes it away."""
        held = {**dict(self.attrs), name: value}
        return replace(self, attrs=tuple((n, v) for n, v in held.items() if v is not None))

    def __str__(self) -> str:
        def one(o: Operand) -> str:
            dims = "x".join(map(str, (*o.dims, o.dtype)))
            return ("&" if o.ref else "") + dims + ("" if o.values is None else f"={o.values}")

        shown = [
            "-" if a is None else str([one(o) for o in a]) if isinstance(a, tuple) else one(a)
            for a in self.args
        ]
        return f"{self.op}({', '.join(shown)}) {dict(self.attrs)}"


# ----------------------------------------------------------------------------------- inference


@dataclass(frozen=True)
class Inferred:
    """What the rule says: result types; whether it asked for a value that was not known."""

    types: tuple[Attribute, ...]
    in_vain: bool


def infer(
    app: Application,
    *,
    types: Callable[[int, int | None, Operand], Attribute] | None = None,
    hidden: frozenset[int] = frozenset(),
) -> Inferred:
    """Result types by the operator's rule; InferError where it refuses.

    types: the type each operand is declared with, its own by default; hidden: inputs whose values
    the rule is not to see.
    """
    cls = op_class(app.op)
    table = cls.ge_table()

    def type_of(i: int, k: int | None, o: Operand) -> Attribute:
        return o.type if types is None else types(i, k, o)

    given = [
        None
        if a is None
        else [type_of(i, k, o) for k, o in enumerate(a)]
        if isinstance(a, tuple)
        else type_of(i, None, a)
        for i, a in enumerate(app.args)
    ]
    in_vain = False

    def const_of(name: str) -> Any:
        nonlocal in_vain
        index = table.input_index(name)
        arg = app.args[index]
        if arg is None:
            return None
        if isinstance(arg, tuple):
            return [None if index in hidden else o.values for o in arg]
        value = None if index in hidden else arg.values
        in_vain = in_vain or value is None
        return value

    for slot, arg in zip(table.inputs, app.args, strict=True):
        if slot.kind == REQUIRED and arg is None:
            raise InferError(f"input {slot.name} is missing")
    node = InferNode.from_parts(cls, given, dict(app.attrs), const_of)
    return Inferred(tuple(cls.ge_infer(node)), in_vain)


def dtype_problems(app: Application, results: Sequence[Attribute]) -> list[str]:
    """Operands and results whose dtype is not among the declared ones, or differs in a symbol."""
    table = app.table
    bound: dict[str, Attribute] = {}
    out: list[str] = []

    def check(spec: str, elem: Attribute, what: str) -> None:
        if elem not in expand_spec(table.types.get(spec, spec)):
            out.append(f"{what} is {ge_name(elem)}, not {table.types.get(spec, spec)}")
        elif spec in table.types and bound.setdefault(spec, elem) != elem:
            out.append(f"{what} is {ge_name(elem)}, {spec} is {ge_name(bound[spec])}")

    for i, _, operand in app.operands():
        slot = table.inputs[i]
        check(slot.dtypes, to_xdsl(operand.dtype), f"input {slot.name}")
    for slot, type_ in zip(result_slots(table, len(results)), results, strict=True):
        check(slot.dtypes, elem_of(type_), f"result {slot.name}")
    return out


def result_slots(table: OpTable, count: int) -> list[Any]:
    """The declaration of each of `count` results."""
    outputs = table.outputs
    many = [i for i, s in enumerate(outputs) if s.kind == DYNAMIC]
    if not many:
        return list(outputs)[:count]
    more = [outputs[many[0]]] * (count - len(outputs) + 1)
    return [*outputs[: many[0]], *more, *outputs[many[0] + 1 :]]


def accepts(app: Application) -> Inferred | None:
    """The inferred types where the operator takes the application and it is of moderate size."""
    if any(len(o.dims) > MAX_RANK or o.size > MAX_ELEMENTS for _, _, o in app.operands()):
        return None
    try:
        found = infer(app)
    except InferError:
        return None
    for type_ in found.types:
        dims = shape_of(type_)
        if dims is None or len(dims) > MAX_RANK + 1:
            return None
        if (num_elements(type_) or 0) > MAX_ELEMENTS:
            return None
    if dtype_problems(app, found.types) or not all(holds(elem_of(t)) for t in found.types):
        return None
    return found


# ------------------------------------------------------------------------------------- dtypes


@cache
def holds(elem: Attribute) -> bool:
    """Whether numpy or ml_dtypes has arrays of an element type."""
    try:
        numpy_dtype(elem)
    except ValueError:
        return False
    return True


@cache
def held_dtypes(spec: str) -> tuple[str, ...]:
    """GE names of the dtypes of a comma list of dtypes and groups that arrays can hold, sorted."""
    return tuple(sorted(ge_name(e) for e in expand_spec(spec) if holds(e)))


def slot_dtypes(op: str) -> dict[str, tuple[str, ...]]:
    """Dtypes that arrays can hold, by symbol, or by input name where it has no symbol."""
    table = op_class(op).ge_table()
    out: dict[str, tuple[str, ...]] = {}
    for slot in table.inputs:
        if slot.dtypes in table.types:
            out[slot.dtypes] = held_dtypes(table.types[slot.dtypes])
        else:
            out[slot.name] = held_dtypes(slot.dtypes)
    return out


# ------------------------------------------------------------------------------------- arrays


def contents(operand: Operand, rng: NumpyRandom, *, zeros: bool = False) -> Any:
    """An array the operand may be, drawn from numpy's generator; with `zeros`, of zero indices.

    Small numbers, so that sums of many are near their exact value in any dtype.
    """
    import numpy as np

    dims, elem = operand.dims, to_xdsl(operand.dtype)
    dtype = numpy_dtype(elem)
    if dtype.kind == "O":
        words = np.array(_WORDS, object)
        return words[rng.integers(0, len(_WORDS), (prod(dims),))].reshape(dims)
    if operand.values is not None:
        return np.array(operand.values).astype(dtype).reshape(dims)
    name = operand.dtype
    if name == "bool":
        return rng.random(dims) < 0.5
    whole = name.startswith(("int", "uint", "qint", "quint"))
    if whole:
        low, high = (-3, 5) if not name.lstrip("q").startswith("uint") else (0, 5)
        if name[-1] in "12" and name[-2:] not in ("32",):
            low, high = max(low, -1), 2
        if operand.domain[0] == "index":
            low, high = 0, max(int(operand.domain[1]), 1)
        elif operand.domain[0] == "positive":
            low, high = 1, 4
        if zeros:
            low, high = 0, 1
        return np.asarray(rng.integers(low, max(high, low + 1), dims)).astype(dtype)
    low = 0.25 if operand.domain[0] == "positive" else -3.0
    values: Any = np.round(rng.uniform(low, 3.0, dims) * 16) / 16
    if dtype.kind == "c":
        values = values + 1j * np.round(rng.uniform(-2.0, 2.0, dims) * 16) / 16
    return np.asarray(values).astype(dtype)


def arrays(app: Application, seed: int, *, zeros: bool = False) -> list[Any]:
    """One entry per declared input: an array, None, or a list of arrays."""
    import numpy as np

    rng = np.random.default_rng(seed)
    return [
        None
        if a is None
        else [contents(o, rng, zeros=zeros) for o in a]
        if isinstance(a, tuple)
        else contents(a, rng, zeros=zeros)
        for a in app.args
    ]


# ------------------------------------------------------------------------------------- drawing


def applications(
    op: str,
    seed: int,
    count: int,
    tries: int | None = None,
    accept: Callable[[Application], Inferred | None] = accepts,
) -> Generator[Application, bool | None]:
    """Up to `count` different applications that the operator accepts, after so many tries.

    Every third one is made anew, every twelfth where there are many; the others are widened from
    earlier ones. Those made anew go through the dtypes the operator allows. An application that
    False is sent for is not widened. accept: asked last of the application that comes next.
    """
    from passes.testing.starts import start
    from passes.testing.widen import connected, retyped, widened

    random = Random(f"{op}/{seed}")
    pool: list[Application] = []
    seen: set[str] = set()
    wanted = [(k, d) for k, ds in slot_dtypes(op).items() for d in ds]
    random.shuffle(wanted)
    limit, made = (6 * count + 20) if tries is None else tries, 0
    for attempt in range(limit):
        if len(seen) >= count:
            return
        app: Application | None
        many = len(seen) >= _MANY
        if pool and attempt % (12 if many else 3):
            app = pool[random.randrange(len(pool))]
            for _ in range(random.choice((1, 1, 2, 3))):
                app = widened(app, random, further=many)
        else:
            app = start(op, random.getrandbits(32))
            if app is not None and many and wanted:
                made += 1
                key, dtype = wanted[made % len(wanted)]
                app = retyped(connected(app, key, random), key, dtype)
            elif app is not None and wanted and attempt % 2:
                app = retyped(app, *wanted[attempt % len(wanted)])
        if app is None:
            continue
        key = str(app)
        if key in seen or accept(app) is None:
            continue
        seen.add(key)
        if (yield app) is False:
            continue
        if len(pool) < _POOL:
            pool.append(app)
        else:
            pool[random.randrange(_POOL)] = app


# ----------------------------------------------------------------------------------- execution


def full_attrs(app: Application) -> dict[str, Any]:
    """All attributes as semantics and kernels get them: defaults filled in, None where unset."""
    from ge_dialect.ir.build import make_properties

    cls = op_class(app.op)
    table = cls.ge_table()
    props = make_properties(cls, table, dict(app.attrs))
    return {
        name: spec.kind.to_python(props[name]) if name in props else None
        for name, spec in table.attrs.items()
    }


def golden(
    app: Application, args: Sequence[Any], types: Sequence[Attribute], compute_dtype: Any = None
) -> list[Any]:
    """What the golden function computes, before it is rounded to the declared dtypes.

    args: see `arrays`; they may be changed. types: the declared result types. compute_dtype: of a
    shadow run, which the floats of `args` have. Raises what the function raises: GeError where it
    refuses.
    """
    import numpy as np

    from ge_dialect.semantics.context import Context, Ref
    from ge_dialect.semantics.registry import lookup
    from ge_dialect.semantics.single import plain_constant

    fn = lookup(app.op)
    assert fn is not None, app.op
    slots = app.table.inputs
    given = [
        Ref("state", a) if s.is_ref and a is not None else a
        for s, a in zip(slots, args, strict=True)
    ]
    context = Context(
        node_name="node",
        node_id="node",
        out_types=list(types),
        arg_types=[o.type for _, _, o in app.operands()],
        constant=plain_constant,
        compute_dtype=compute_dtype,
    )
    with np.errstate(all="ignore"):
        found = fn(given, full_attrs(app), context)
    return [r.value if isinstance(r, Ref) else np.asarray(r) for r in as_list(found)]
