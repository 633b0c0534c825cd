"""One walk over a graph that gives every value its dims."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from xdsl.ir import Attribute, Block, SSAValue

from ge_dialect.infer.errors import InferError
from ge_dialect.infer.node import InferNode, infer_op
from ge_dialect.ir.attributes import RefType
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.types import (
    CtrlType,
    elem_of,
    is_tensor,
    private_types,
    shape_of,
    tensor_type,
    tensor_under,
)
from passes.shapes.bounds import upper_bounds
from passes.shapes.data import ShapeData
from passes.shapes.expr import Expr, constant, symbol
from passes.shapes.facts import Facts
from passes.shapes.given import input_shapes
from passes.shapes.ranges import ANY_SIZE, INF, Range, meet, range_of, size_range, union
from passes.shapes.tracing import (
    Dim,
    Path,
    Size,
    Untraceable,
    Vague,
    trace,
)
from passes.values import KnownValues

if TYPE_CHECKING:
    from xdsl.ir import BlockArgument, OpResult

#: Dims of a value as expressions, None for an unknown rank.
Shape: TypeAlias = "tuple[Expr, ...] | None"
_Dims: TypeAlias = "Sequence[Expr | Vague] | None"
_NO_RULE = GeOp.ge_infer.__func__
_BRANCHES = frozenset({"ge.If", "ge.StatelessIf", "ge.Case", "ge.StatelessCase"})
#: Loops: the body's place among the graphs, operands before those that go around.
_LOOPS = {"ge.While": (1, 0), "ge.StatelessWhile": (1, 0), "ge.For": (0, 3)}
_CALLS = frozenset(
    f"ge.{name}"
    for name in (
        "AscBackend",
        "FusedAscBackend",
        "PartitionedCall",
        "StatefulPartitionedCall",
        "SuperKernel",
    )
)


@dataclass
class GraphShapes:
    """What is known of the shapes of one graph.

    shapes: dims per tensor value. ranges: per symbol; an opaque symbol (its name begins with "?")
    stands for a size that depends on values, or that no rule gives. facts: what every run that
    works fulfils, beyond the ranges, as text.
    """

    shapes: dict[SSAValue, Shape] = field(default_factory=dict)
    ranges: dict[str, Range] = field(default_factory=dict)
    facts: list[str] = field(default_factory=list)

    @property
    def opaque(self) -> tuple[str, ...]:
        """The opaque symbols that occur in a shape, in order of appearance."""
        used = {n: None for s in self.shapes.values() for e in s or () for n in sorted(e.symbols())}
        return tuple(n for n in used if n.startswith("?"))


class Tracker:
    """Walks over one graph and gives every value its dims."""

    def __init__(self, known: KnownValues) -> None:
        self.ranges: dict[str, Range] = {}
        self._known = known
        self._shapes: dict[SSAValue, Shape] = {}
        self._facts = Facts(self.ranges)
        self._data = ShapeData(self, known)
        self._depth = 0

    def run(self, graph: Any) -> GraphShapes:
        """The dims of all values of a graph, those of bodies included."""
        shapes, self.ranges = input_shapes(graph)
        self._facts = Facts(self.ranges)
        for arg, dims in zip(graph.args, shapes, strict=True):
            if tensor_under(arg.type) is not None:
                self._shapes[arg] = dims if is_tensor(arg.type) else self._declared(arg)
        self._block(graph.body)
        final = {v: self._resolved(dims) for v, dims in self._shapes.items()}
        used = {n for dims in final.values() for e in dims or () for n in e.symbols()}
        ranges = {n: r for n, r in self.ranges.items() if n in used}
        return GraphShapes(final, ranges, list(dict.fromkeys(self._facts.texts)))

    # ------------------------------------------------------------------- what others ask for

    def shape(self, value: SSAValue) -> Shape:
        """Dims of a value, with everything learned so far."""
        return self._resolved(self._shapes.get(value))

    def _resolved(self, dims: Shape) -> Shape:
        return None if dims is None else tuple([self._facts.put_into(e) for e in dims])

    def fixed_shape(self, value: SSAValue) -> tuple[int, ...] | None:
        """Dims where all are numbers."""
        dims = self.shape(value)
        sizes = None if dims is None else tuple([e.value for e in dims])
        return None if sizes is None or None in sizes else cast("tuple[int, ...]", sizes)

    def range_of(self, e: Expr) -> Range:
        """The interval of an expression."""
        return range_of(e, self.ranges)

    def minimum(self, a: Expr, b: Expr) -> Expr:
        """The smaller one, simplified by ranges."""
        return Path(self.ranges).minimum(a, b)

    def maximum(self, a: Expr, b: Expr) -> Expr:
        """The larger one, simplified by ranges."""
        return Path(self.ranges).maximum(a, b)

    # ------------------------------------------------------------------------------- walking

    def _block(self, block: Block) -> None:
        for op in block.ops:
            if isinstance(op, GeOp) and op.name != "ge.NetOutput":
                self._node(op)
            else:
                for result in op.results:
                    if tensor_under(result.type) is not None:
                        self._shapes[result] = self._declared(result)

    def _node(self, op: GeOp) -> None:
        results = [r for r in op.ge_data_results if tensor_under(r.type) is not None]
        found: Sequence[_Dims] | None = None
        if op.regions:
            found = self._with_bodies(op)
        elif not self._is_settled(op, results):
            found = self._by_rule(op)
        if found is None or len(found) != len(op.ge_data_results):
            found = [None] * len(op.ge_data_results)
        limits = None
        for i, (result, dims) in enumerate(zip(op.ge_data_results, found, strict=True)):
            if tensor_under(result.type) is None:
                continue
            declared = shape_of(result.type)
            if dims is None and declared is not None:
                dims = [Vague(ANY_SIZE)] * len(declared)
            if dims is None or (declared is not None and len(declared) != len(dims)):
                self._shapes[result] = None if declared is None else self._declared(result)
                continue
            out: list[Expr] = []
            for axis, dim in enumerate(dims):
                if declared is not None and declared[axis] >= 0:
                    out.append(constant(declared[axis]))
                elif isinstance(dim, Vague):
                    limits = upper_bounds(op, self) if limits is None else limits
                    bound = limits.get((i, axis))
                    high = INF if bound is None else self.range_of(bound)[1]
                    out.append(self._opaque(result, axis, meet(dim.range, (0, high))))
                else:
                    out.append(dim)
            self._shapes[result] = tuple(out)

    def _is_settled(self, op: GeOp, results: Sequence[SSAValue]) -> bool:
        """Whether there is nothing to ask the rule: no size is open, neither above nor below."""
        if any(-1 in (shape_of(r.type) or (-1,)) for r in results):
            return False
        return all(
            e.value is not None for v in op.ge_data_operands for e in self._shapes.get(v) or ()
        )

    def _by_rule(self, op: GeOp) -> list[_Dims] | None:
        """Dims of the results by the operator's rule: expressions or ranges; None without one."""
        if type(op).ge_infer.__func__ is _NO_RULE:
            return None
        if op.name == "ge.Range":
            return self._range_length(op)
        try:
            traced = trace(lambda path: self._ruled(op, path), self.ranges)
        except (Untraceable, TypeError, AttributeError, ValueError, OverflowError, IndexError):
            return self._plainly(op)
        if traced.shapes is None:
            return None
        if self._depth == 0:
            for fact in traced.facts:
                self._facts.learn(fact)
        out: list[Any] = []
        for dims in traced.shapes:
            if dims is None:
                out.append(None)
            else:
                out.append([_followed(d) for d in dims])
        return out

    def _ruled(self, op: GeOp, path: Path) -> list[Any]:
        """The shapes that the rule gives on one path."""
        cls = type(op)
        args = op.ge_args()
        with private_types():
            inputs = [
                None
                if a is None
                else [self._type(v, path) for v in a]
                if isinstance(a, list)
                else self._type(a, path)
                for a in args
            ]

            def const(name: str) -> Any:
                arg = args[cls.ge_table().input_index(name)]
                return None if arg is None or isinstance(arg, list) else self._const(arg, path)

            declared = [r.type for r in op.ge_data_results]
            node = InferNode(cls, inputs, None, const, declared, op)
            found = list(cls.ge_infer(node))
            return [None if tensor_under(t) is None else shape_of(t) for t in found]

    def _type(self, value: SSAValue, path: Path) -> Attribute:
        dims = self.shape(value) if value in self._shapes else None
        if tensor_under(value.type) is None:
            return value.type
        if dims is None or all(e.value is not None for e in dims):
            if dims is None or -1 not in (shape_of(value.type) or (-1,)):
                return value.type
        sizes: list[Any] = [Size(e, path) if e.value is None else e.value for e in dims]
        made = tensor_type(sizes, elem_of(value.type))
        return made if is_tensor(value.type) else RefType(made)

    def _const(self, value: SSAValue, path: Path) -> Any:
        found = self._data.constants(value)
        if found is not None:
            return found
        held = self._data.array(value)
        if held is None:
            return None
        import numpy as np

        flat = [Size(e, path) if e.value is None else e.value for e in held.ravel().tolist()]
        if held.ndim <= 1:
            return tuple(flat)
        out = np.empty(len(flat), object)
        out[:] = flat
        shape: tuple[int, ...] = held.shape
        return out.reshape(shape)

    def _plainly(self, op: GeOp) -> list[Any] | None:
        """What the rule says of numbers alone; open dims are only known to be sizes."""
        try:
            types = infer_op(op, self._data.constants)
        except InferError:
            return None
        out: list[Any] = []
        for t in types:
            shape = None if tensor_under(t) is None else shape_of(t)
            if shape is None:
                out.append(None)
            else:
                out.append([Vague(ANY_SIZE) if d < 0 else constant(d) for d in shape])
        return out

    def _range_length(self, op: GeOp) -> list[Any]:
        ends = [self._data.array(v) for v in op.ge_data_operands]
        if any(e is None or e.size != 1 for e in ends):
            return self._plainly(op) or [[Vague(ANY_SIZE)]]
        start, limit, delta = [e.ravel()[0] for e in ends]
        step = delta.value
        if not step:
            return [[Vague(ANY_SIZE)]]
        span = limit - start if step > 0 else start - limit
        step = abs(step)
        closed = op.ge_attr("is_closed")
        count = span // step + 1 if closed else (span + (step - 1)) // step
        return [[self.maximum(count, constant(0))]]

    # ---------------------------------------------------------------------- graphs in nodes

    def _with_bodies(self, op: GeOp) -> list[_Dims] | None:
        self._depth += op.name not in _CALLS
        try:
            if op.name in _LOOPS:
                return self._loop(op)
            first = 1 if op.name in _BRANCHES else 0
            known = op.name in _BRANCHES or op.name in _CALLS
            passed = [self.shape(v) for v in op.ge_data_operands[first:]]
            results = [
                self._body(r, passed if known else self._entering(op, i))
                for i, r in enumerate(op.regions)
            ]
            if not known or not results or any(r is None for r in results):
                return None
            return self._either(results)
        finally:
            self._depth -= op.name not in _CALLS

    def _entering(self, op: GeOp, index: int) -> list[Shape] | None:
        """Dims of a body's arguments as far as the operator's rule says them; else opaque."""
        given: list[Attribute] = []
        for value in op.ge_data_operands:
            dims = self.shape(value) if value in self._shapes else None
            if dims is None or not is_tensor(value.type):
                given.append(value.type)
            else:
                sizes = [-1 if e.value is None else e.value for e in dims]
                given.append(tensor_type(sizes, elem_of(value.type)))
        block = op.regions[index].blocks.first
        wanted = type(op).ge_body_types(given, index)
        if block is None or len(wanted) != len(block.args):
            return None
        return [
            None
            if tensor_under(t) is None or shape_of(t) is None
            else tuple(
                [
                    self._opaque(arg, i, ANY_SIZE) if d < 0 else constant(d)
                    for i, d in enumerate(shape_of(t) or ())
                ]
            )
            for arg, t in zip(block.args, wanted, strict=True)
        ]

    def _body(self, region: Any, passed: Sequence[Shape] | None) -> list[Shape] | None:
        """Dims of what a body gives, for those passed to it (None: whatever its types say)."""
        block = region.blocks.first
        if block is None:
            return None
        fits = passed is not None and len(passed) == len(block.args)
        for i, arg in enumerate(block.args):
            if tensor_under(arg.type) is not None:
                given = passed[i] if passed is not None and fits else None
                declared = shape_of(arg.type)
                same_rank = given is not None and len(given) == len(declared or given)
                self._shapes[arg] = given if same_rank else self._declared(arg)
        self._data.forget([r for op in block.ops for r in op.results] + list(block.args))
        self._block(block)
        last = block.last_op
        if last is None or last.name != "ge.NetOutput":
            return None
        return [self.shape(v) for v in last.operands if not isinstance(v.type, CtrlType)]

    def _either(self, results: Sequence[Sequence[Shape] | None]) -> list[Any] | None:
        """Dims that hold whichever of several bodies runs."""
        if len({len(r or ()) for r in results}) != 1:
            return None
        out: list[Any] = []
        for shapes in zip(*[r or () for r in results], strict=True):
            if any(s is None or len(s) != len(shapes[0] or ()) for s in shapes):
                out.append(None)
                continue
            dims: list[Any] = []
            for sizes in zip(*[s or () for s in shapes], strict=True):
                if all(e == sizes[0] for e in sizes):
                    dims.append(sizes[0])
                    continue
                limit = size_range(sizes[0], self.ranges)
                for e in sizes[1:]:
                    limit = union(limit, size_range(e, self.ranges))
                dims.append(Vague(limit))
            out.append(dims)
        return out

    def _loop(self, op: GeOp) -> list[Any] | None:
        """A dim of a loop stays what it is when a turn gives back what it was given."""
        place, first = _LOOPS[op.name]
        passed: list[Shape] = [self.shape(v) for v in op.ge_data_operands[first:]]
        counter: list[Shape] = [()] if first else []
        body = op.regions[place].blocks.first
        if body is None or len(body.args) != len(counter) + len(passed):
            return None
        args = body.args[len(counter) :]
        while True:
            turn = self._body(op.regions[place], counter + passed)
            if turn is None or len(turn) != len(passed):
                return None
            held: list[Shape] = []
            for arg, before, after in zip(args, passed, turn, strict=True):
                if before is None or after is None or len(before) != len(after):
                    held.append(None)
                    continue
                held.append(
                    tuple(
                        [
                            x if x == y or self._is_own(x, arg) else self._opaque(arg, i, ANY_SIZE)
                            for i, (x, y) in enumerate(zip(before, after, strict=True))
                        ]
                    )
                )
            if held == passed:
                break
            passed = held
        for other in op.regions[:place]:
            self._body(other, passed)
        return [
            None if s is None else [Vague(ANY_SIZE) if self._is_own(e, a) else e for e in s]
            for s, a in zip(passed, args, strict=True)
        ]

    def _is_own(self, e: Expr, arg: SSAValue) -> bool:
        """Whether it is the opaque symbol of a dim of this argument."""
        return e.name is not None and e.name.startswith(f"?{self._label(arg)}[")

    # -------------------------------------------------------------------- symbols and facts

    def _declared(self, value: SSAValue) -> Shape:
        declared = shape_of(value.type)
        if declared is None:
            return None
        return tuple(
            [
                self._opaque(value, i, ANY_SIZE) if d < 0 else constant(d)
                for i, d in enumerate(declared)
            ]
        )

    def _label(self, value: SSAValue) -> str:
        from ge_dialect.ir.names import node_name

        owner = value.owner
        if isinstance(owner, Block):
            parent = owner.parent_op()
            name = (node_name(parent) if isinstance(parent, GeOp) else None) or "graph"
            region = owner.parent
            place = 0 if parent is None or region is None else parent.regions.index(region)
            arg = cast("BlockArgument", value)
            return f"{name}.{place}.{arg.index}"
        outer, deep = owner.parent_op(), ""
        if isinstance(outer, GeOp):  # names are unique in a graph, not among its bodies
            block = owner.parent
            region = None if block is None else block.parent
            place = 0 if region is None else outer.regions.index(region)
            deep = f"{node_name(outer) or outer.name}.{place}/"
        index = cast("OpResult", value).index
        return deep + (node_name(owner) or owner.name) + (f":{index}" if index else "")

    def _opaque(self, value: SSAValue, axis: int, limit: Range) -> Expr:
        name = f"?{self._label(value)}[{axis}]"
        if limit[0] == limit[1] and limit[0] != INF:
            return constant(int(limit[0]))
        self.ranges[name] = limit
        return symbol(name)


def _followed(dim: Dim) -> Expr | Vague:
    """A dim as it is followed further: of a long expression only the range."""
    if isinstance(dim, Vague):
        return dim
    e, limits = dim
    return Vague(limits) if e.is_long else e
