"""A graph under construction: what rules see of it and build it with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import prod
from typing import TYPE_CHECKING, Any, TypeVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import ge_name, to_xdsl
from ge_dialect.ir.attributes import RefType
from ge_dialect.ir.dense import INLINE_LIMIT
from ge_dialect.ir.kinds import f32_round
from ge_dialect.ir.types import elem_of, layout_of, shape_of, tensor_type
from ge_dialect.ops.registry import op_class
from passes.testing.judge import Called, judge
from passes.testing.knobs import Knobs
from passes.testing.spec import ANY, Domain, GraphSpec, Input, Literal, Step, Text
from passes.testing.tables import literal, variant_count
from passes.testing.type_text import dims_of, text_of

if TYPE_CHECKING:
    from ge_dialect.ir.base import GeOp
    from passes.testing.choices import Choices

Dims = tuple[int, ...]
#: Constants of more elements are weights.
INLINE = INLINE_LIMIT
INDEX = ("int64", "int32")


class Value:
    """A value of the graph under construction.

    type: declared; dims: the concrete sizes of the run it is generated for; ctype: the type with
    those. known: integers that inference sees; actual: integers it holds in that run, if fixed.
    plan: how to make a value that is not in the graph yet (a domain, or a constant); domain: what
    a fresh value holds.
    """

    __slots__ = (
        "actual",
        "ctype",
        "dims",
        "domain",
        "dtype",
        "known",
        "maker",
        "plan",
        "type",
        "uses",
    )

    def __init__(
        self,
        type_: Attribute,
        ctype: Attribute,
        maker: Pending | None,
        known: tuple[int, ...] | None = None,
        actual: tuple[int, ...] | None = None,
        plan: Any = None,
    ) -> None:
        self.type = type_
        self.ctype = ctype
        self.dims = dims_of(ctype)
        self.dtype = ge_name(elem_of(ctype))
        self.maker = maker
        self.known = known
        self.actual = known if actual is None else actual
        self.uses = 0
        self.plan = plan
        self.domain: Domain = plan if isinstance(plan, tuple) else ANY

    @property
    def rank(self) -> int:
        """Number of axes."""
        return len(self.dims)

    @property
    def size(self) -> int:
        """Number of elements in the run it is generated for."""
        return prod(self.dims)


_T = TypeVar("_T")

Given = Value | list[Value] | None


@dataclass(eq=False, slots=True)
class Pending:
    """A step under construction; its values are objects, not numbers yet."""

    op: str
    args: list[Given]
    attrs: dict[str, Any]
    results: list[Value] = field(default_factory=list)
    after: list[Pending] = field(default_factory=list)
    bodies: tuple[GraphSpec, ...] = ()
    has_task: bool = True


@dataclass(eq=False, slots=True)
class State:
    """A variable: its handles, and who touched it last. inside: of a body's own graph."""

    source: Value
    latest: Value
    written: Pending | None = None
    read: list[Pending] = field(default_factory=list)


class Scope:
    """One graph or body under construction, with the choices that shape it."""

    def __init__(
        self, source: Choices, knobs: Knobs, palette: Palette, outer: Scope | None = None
    ) -> None:
        self.source = source
        self.knobs = knobs
        self.palette = palette
        self.outer = outer
        self.depth: int = 0 if outer is None else outer.depth + 1
        self.inputs: list[tuple[Value, Domain]] = []
        self.values: list[Value] = []
        self.laid_out: list[Value] = []
        self.loose: list[Value] = []  # of a size that depends on the data
        self.states: list[State] = []
        self.steps: list[Pending] = []
        self.printed: Pending | None = None
        self.prints = False
        self.weights: list[tuple[str, Literal]] = [] if outer is None else outer.weights
        self.choose = source.choose
        self.flag = source.flag

    # ------------------------------------------------------------------------------- choosing

    def pick(self, values: Sequence[_T]) -> _T:
        """One of some alternatives, the first being the simplest."""
        return values[self.source.choose(len(values))]

    def choose_value(self, candidates: Sequence[Value]) -> Value:
        """One of some values, given oldest first."""
        return candidates[self.source.index(len(candidates))]

    def tensors(
        self, dtypes: Sequence[str] | None = None, rank: int | range | None = None
    ) -> list[Value]:
        """Plain tensors in the graph, oldest first, of some dtypes and ranks."""
        found = self.values
        if dtypes is not None:
            found = [v for v in found if v.dtype in dtypes]
        if isinstance(rank, int):
            found = [v for v in found if len(v.dims) == rank]
        elif rank is not None:
            found = [v for v in found if len(v.dims) in rank]
        return found

    def tensor(
        self,
        dtypes: Sequence[str],
        *,
        rank: int | range | None = None,
        dims: Dims | None = None,
    ) -> Value:
        """A tensor of the graph, or a fresh one where none fits (or, seldom, all the same)."""
        found = self.tensors(dtypes, rank)
        if dims is not None:
            found = [v for v in found if v.dims == dims]
        if found and not self.flag(0.1):
            return self.choose_value(found)
        dtype = self.dtype(dtypes)
        return self.fresh(self.palette.dims(self, rank) if dims is None else dims, dtype)

    def dtype(self, dtypes: Sequence[str]) -> str:
        """One of some dtypes, by the weights of the knobs."""
        weighted = [d for d in self.knobs.dtypes if d in dtypes] or list(dtypes)
        return self.pick(weighted)

    # ------------------------------------------------------------------------- fresh values
    # A fresh value joins the graph only with the node that reads it (`register`).

    def fresh(self, dims: Dims, dtype: str, domain: Domain = ANY) -> Value:
        """A new input of the graph, or a constant."""
        type_ = tensor_type(dims, to_xdsl(dtype))
        return Value(type_, type_, None, plan=domain)

    def vector(self, values: Sequence[int], dtypes: Sequence[str] = INDEX) -> Value:
        """Integers that say something of a shape: a constant, or known only when run."""
        return self._integers(tuple(values), (len(values),), dtypes)

    def number(self, value: int, dtypes: Sequence[str] = INDEX) -> Value:
        """One integer that says something of a shape, as a scalar or a vector of one."""
        return self._integers((value,), () if self.choose(4) < 3 else (1,), dtypes)

    def matrix(self, rows: Sequence[Sequence[int]]) -> Value:
        """A matrix of integers that says something of a shape."""
        flat = tuple(v for row in rows for v in row)
        return self._integers(flat, (len(rows), len(rows[0]) if rows else 2), INDEX)

    def _integers(self, values: Dims, dims: Dims, dtypes: Sequence[str]) -> Value:
        dtype = self.pick(dtypes)
        type_ = tensor_type(dims, to_xdsl(dtype))
        room = self.outer is None and len(self.inputs) < self.knobs.max_inputs + 2
        if self.palette.dynamic and room and self.choose(2):
            return Value(type_, type_, None, None, values, plan=("fixed", *values))
        for v in self.values:
            if v.known == values and v.type is type_:
                return v
        return Value(type_, type_, None, values, plan=Literal(dtype, dims, _bytes(values, dtype)))

    def held(self, value: Literal) -> Value:
        """A constant whose values inference sees; it joins the graph with its reader."""
        type_ = tensor_type(value.shape, to_xdsl(value.dtype))
        known = tuple(value.array().reshape(-1).tolist())
        return Value(type_, type_, None, known, plan=value)

    def make_constant(self, value: Given) -> None:
        """Let a fresh value become a constant when it joins the graph."""
        if not isinstance(value, Value) or value.plan is None or isinstance(value.plan, Literal):
            return
        positive = value.plan[0] == "positive"
        count = variant_count(value.dtype, special=self.knobs.special > 0)
        variant = -1 if positive else self.choose(count)
        value.plan = literal(value.dims, value.dtype, variant)

    def register(self, value: Value) -> None:
        """Bring a fresh value into the graph: as an input, an inline constant or a weight."""
        plan, value.plan = value.plan, None
        if isinstance(plan, Literal):
            self.constant(plan, value)
            return
        full = self.outer is not None or len(self.inputs) >= self.knobs.max_inputs
        if plan[0] == "fixed" or not (full or self.flag(self.knobs.constants)):
            if plan[0] != "fixed" and self.palette.dynamic and value.dims and self.choose(2):
                value.type = tensor_type(self._opened(value.dims), to_xdsl(value.dtype))
            self._add_input(value, plan)
        elif plan[0] == "index":
            self.constant(_indices(value.dims, value.dtype, plan[1], self.choose(8)), value)
        else:
            variant = -1
            if plan[0] != "positive":
                count = variant_count(value.dtype, special=self.knobs.special > 0)
                variant = self.choose(count)
            self.constant(literal(value.dims, value.dtype, variant), value)

    def _add_input(self, value: Value, domain: Domain) -> None:
        """An input of the graph that is `value`, or that a Data node makes it of."""
        self.values.append(value)
        if not self.palette.data_nodes:
            self.inputs.append((value, domain))
            return
        raw = Value(value.type, value.ctype, None)
        value.maker = Pending("Data", [raw], _index(len(self.inputs)), [value], has_task=False)
        self.steps.append(value.maker)
        self.inputs.append((raw, domain))

    def _opened(self, dims: Dims) -> Dims:
        """The dims with one, or all, unknown."""
        axis = self.choose(len(dims) + 1)
        return (-1,) * len(dims) if axis == len(dims) else (*dims[:axis], -1, *dims[axis + 1 :])

    def constant(self, held: Literal, value: Value | None = None) -> Value:
        """A Const, inline or of a weight; it makes `value` where that is given."""
        if value is None:
            type_ = tensor_type(held.shape, to_xdsl(held.dtype))
            known = None
            if held.dtype in INDEX and prod(held.shape) <= INLINE:
                known = tuple(held.array().reshape(-1).tolist())
            value = Value(type_, type_, None, known)
        op = "Const"
        shown: Literal | Text = held
        plain = value.known is None
        if prod(held.shape) > INLINE or (plain and self.flag(self.knobs.weights)):
            shown = Text(f'#ge.weight<"{self._weight(held)}">')
        elif self.knobs.ops is None and self.choose(16) == 15:
            op = "Constant"
        step = Pending(op, [], {"value": shown}, [value], has_task=False)
        value.maker = step
        self.steps.append(step)
        self.values.append(value)
        return value

    def _weight(self, held: Literal) -> str:
        """Name of a weight that holds these bytes."""
        for name, known in self.weights:
            if known == held:
                return name
        name = f"w{len(self.weights)}"
        self.weights.append((name, held))
        return name

    # ------------------------------------------------------------------------------- adding

    def try_call(self, called: Called, after: Sequence[Pending] = ()) -> Pending | None:
        """Append a node, and its fresh inputs, where its operator's rule takes it, else None."""
        types = judge(called, self.knobs.max_elements)
        if types is None:
            return None
        if self.knobs.data_dependent <= 0.0 and any(-1 in dims_of(t) for t in types[1]):
            return None
        fresh = [v for v in called.values() if v.plan is not None]
        for value in fresh:
            if value.plan is not None:  # it may be there twice
                self.register(value)
        if any(v.type is not v.ctype for v in fresh):
            types = judge(called, self.knobs.max_elements)
            if types is None:
                for value in fresh:
                    value.type = value.ctype
                    if value.maker is not None and value.maker.op == "Data":
                        source = value.maker.args[0]
                        assert isinstance(source, Value)
                        source.type = value.ctype
                types = judge(called, self.knobs.max_elements)
                assert types is not None
        return self.append(called, *types, after=after)

    def append(
        self,
        called: Called,
        types: Sequence[Attribute],
        ctypes: Sequence[Attribute] | None = None,
        *,
        after: Sequence[Pending] = (),
        bodies: tuple[GraphSpec, ...] = (),
    ) -> Pending:
        """Append a node with given result types (concrete ones where they differ)."""
        step = Pending(called.op, called.args, called.attrs, after=list(after), bodies=bodies)
        for value in called.values():
            value.uses += 1
        for i, type_ in enumerate(types):
            ctype = type_ if ctypes is None else ctypes[i]
            known, actual = _known(called)
            value = Value(type_, ctype, step, known, actual)
            step.results.append(value)
            if isinstance(type_, RefType):
                continue
            if layout_of(type_) is not None:
                self.laid_out.append(value)
            else:
                (self.loose if -1 in value.dims else self.values).append(value)
        self.steps.append(step)
        return step

    # ------------------------------------------------------------------------------ finishing

    def finish(self, outputs: Sequence[Value], after: Sequence[Pending] = ()) -> GraphSpec:
        """The spec: values are numbered now."""
        number: dict[int, int] = {}
        for value, _ in self.inputs:
            number[id(value)] = len(number)
        for step in self.steps:
            for value in step.results:
                number[id(value)] = len(number)
        place = {id(s): i for i, s in enumerate(self.steps)}

        def arg(given: Given) -> Any:
            if given is None:
                return None
            if isinstance(given, list):
                return tuple([number[id(v)] for v in given])
            return number[id(given)]

        steps = [
            Step(
                s.op,
                tuple([arg(a) for a in s.args]),
                _recorded(s.op, s.attrs),
                tuple([text_of(v.type) for v in s.results]),
                tuple([place[id(p)] for p in s.after]),
                s.bodies,
            )
            for s in self.steps
        ]
        return GraphSpec(
            tuple([self._input(v, d) for v, d in self.inputs]),
            tuple(steps),
            tuple([number[id(v)] for v in outputs]),
            after=tuple([place[id(p)] for p in after]),
            weights=tuple(self.weights) if self.outer is None else (),
        )

    def _input(self, value: Value, domain: Domain) -> Input:
        dims = value.dims if value.type is not value.ctype else None
        return Input(text_of(value.type), None, dims, domain)


class Palette:
    """What one graph and its bodies share: shapes, so that values fit each other; kinds of steps.

    kinds: makers of steps, and of those at the depth limit.
    """

    def __init__(self, source: Choices, knobs: Knobs, kinds: tuple[Any, Any] = ((), ())) -> None:
        self.kinds = kinds
        dims = knobs.dims
        self._knobs = knobs
        self.base: Dims = tuple(
            [dims[source.choose(len(dims))] for _ in range(max(knobs.max_rank, 1))]
        )
        if source.flag(knobs.zero_size):
            at = source.choose(len(self.base))
            self.base = (*self.base[:at], 0, *self.base[at + 1 :])
        self.dynamic = source.flag(knobs.dynamic)
        self.data_nodes = source.flag(knobs.data_nodes)
        self.ref_inputs = source.flag(knobs.ref_inputs)

    def dims(self, scope: Scope, rank: int | range | None = None) -> Dims:
        """The shape of a fresh value."""
        base = self.base
        many = base * 8
        if rank is None:
            if scope.flag(self._knobs.rank0):
                return ()
            rank = 1 + scope.choose(len(base)) if len(base) > 1 else 1
            rank = (2, 1, 3, 4)[rank - 1] if len(base) == 4 else rank
        elif isinstance(rank, range):
            rank = rank[scope.choose(len(rank))]
        if rank == 4:
            # an image: channels and sides large enough for windows
            batch, channels, side = many[0], many[1], many[-1]
            return (batch, 2 * channels, 3 + side, 4)
        return many[-rank:] if rank else ()


@lru_cache(maxsize=1024)
def _defaults(cls: type[GeOp]) -> dict[str, Any]:
    table = cls.ge_table()
    out = {n: table.attrs[n].kind.to_python(d) for n, d in table.defaults.items()}
    return {n: ge_name(v) if isinstance(v, Attribute) else v for n, v in out.items()}


def _recorded(op: str, attrs: dict[str, Any]) -> tuple[tuple[str, Any], ...]:
    """The attributes that differ from their defaults."""
    if not attrs:
        return ()
    defaults = _defaults(op_class(op))
    held = [(n, f32_round(v) if type(v) is float else v) for n, v in attrs.items()]
    return tuple([(n, v) for n, v in held if n not in defaults or v != defaults[n]])


def _index(index: int) -> dict[str, Any]:
    return {"index": index} if index else {}


def _known(called: Called) -> tuple[Dims | None, Dims | None]:
    """Integers the results of a node are known to hold, statically and in this run."""
    if called.op == "Shape":
        (x,) = called.args
        assert isinstance(x, Value)
        declared = shape_of(x.type)
        actual = None if -1 in x.dims else x.dims
        return (actual if declared is not None and -1 not in declared else None), actual
    if called.op == "Identity":
        (x,) = called.args
        assert isinstance(x, Value)
        return x.known, x.actual
    if called.op == "Size":
        (x,) = called.args
        assert isinstance(x, Value)
        return None, None if -1 in x.dims else (x.size,)
    return None, None


def _bytes(values: Sequence[int], dtype: str) -> bytes:
    size = int(dtype.lstrip("uint")) // 8
    signed = not dtype.startswith("u")
    return b"".join([v.to_bytes(size, "little", signed=signed) for v in values])


def scalar_literal(number: float, dtype: str) -> Literal:
    """A scalar constant."""
    import numpy as np

    from ge_dialect.dtypes import numpy_dtype

    return Literal.of(np.array(number, numpy_dtype(to_xdsl(dtype))))


def _indices(dims: Dims, dtype: str, bound: int, seed: int) -> Literal:
    count = prod(dims)
    values = [(seed + i * (1 + seed % 3)) % max(bound, 1) for i in range(count)]
    return Literal(dtype, dims, _bytes(values, dtype))
