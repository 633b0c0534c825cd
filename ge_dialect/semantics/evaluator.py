"""Running a `ge.graph` by golden semantics.

Nodes run in block order, which is a legal order of their effects; a value is dropped after its
last use unless it is to be kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, ModuleOp, StringAttr
from xdsl.ir import Block, Operation

from ge_dialect.diagnostics import Diagnostic, GeError, op_place
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.graph import GraphOp, module_graphs
from ge_dialect.ir.names import STABLE_ID, node_name
from ge_dialect.ir.outputs import output_names
from ge_dialect.keep import Keep, checked, is_kept, node_names
from ge_dialect.ops._index import MODULES
from ge_dialect.semantics.budget import Budget, current, limited
from ge_dialect.semantics.context import Context, Ref, State
from ge_dialect.semantics.inputs import bind_inputs
from ge_dialect.semantics.numerics import shadowed
from ge_dialect.semantics.registry import ROUTING, SemanticsFn, has_semantics, lookup
from ge_dialect.semantics.single import apply_op, call, fold_op, plain_constant
from ge_dialect.semantics.value_rules import check_values, rule_of

if TYPE_CHECKING:
    from ge_dialect.infer.values import ValueRule
    from ge_dialect.semantics.routes import Routes
    from ge_dialect.weights.store import WeightStore

Inputs = Mapping[str, Any] | Sequence[Any]
#: Stands between the evaluator and each node: `around(op, name, args, run)` gives the node's
#: results, by `run(args)` or otherwise.
Around = Callable[[GeOp, str, list[Any], Callable[[list[Any]], list[Any]]], list[Any]]


@dataclass
class EvalResult:
    """What a run gives.

    outputs: the graph's outputs in order (arrays; `Ref` where an output is a handle).
    output_names: one per output. values: the results of the nodes kept, by node name; nodes of
    bodies are called "outer/inner". state: variables, prints, random draws.
    """

    outputs: list[Any]
    output_names: list[str]
    values: dict[str, list[Any]] = field(default_factory=dict)
    state: State = field(default_factory=State)

    def by_name(self) -> dict[str, Any]:
        """The outputs by their names."""
        return dict(zip(self.output_names, self.outputs, strict=True))


@dataclass(slots=True)
class _Step:
    """One node, prepared: values are places in a list, arguments lie as `GeOp.ge_args` gives them.

    first: place of the first result. dead: places that nothing reads any more.
    """

    op: GeOp
    name: str
    node_id: str
    fn: SemanticsFn
    args: list[Any]
    attrs: dict[str, Any]
    first: int
    out_types: list[Any]
    arg_types: list[Any]
    dead: list[int]
    rule: ValueRule | None = None


@dataclass(slots=True)
class _Plan:
    """A graph or body, prepared: its nodes, the number of values, places of its outputs.

    routes: how values find their nodes, where some of these may not run.
    """

    steps: list[_Step]
    size: int
    outputs: list[int]
    routes: Routes | None = None


class _Run:
    def __init__(
        self,
        weights: WeightStore | None,
        keep: Keep,
        seed: int,
        state: State,
        compute_dtype: Any,
        around: Around | None,
    ) -> None:
        self.around = around
        self.weights = weights
        self.keep = keep
        self.seed = seed
        self.state = state
        self.compute_dtype = compute_dtype
        self.values: dict[str, list[Any]] = {}
        self.plans: dict[tuple[int, str], _Plan] = {}
        self.steps = 0
        self.most = current().steps

    def kept(self, name: str) -> bool:
        return is_kept(self.keep, name)

    def constant(self, attr: Any) -> Any:
        """Array of a tensor attribute, in the dtype this run computes with."""
        if isinstance(attr, DenseIntOrFPElementsAttr):
            array = plain_constant(attr)
        else:
            from ge_dialect.weights.resolve import resolve

            array = resolve(attr, self.weights)
        return array.astype(shadowed(array.dtype, self.compute_dtype), copy=False)

    def block(self, block: Block, args: Sequence[Any], prefix: str) -> list[Any]:
        """Outputs of a graph or body on arguments."""
        self.count(prefix.removesuffix("/"))
        key = (id(block), prefix)
        plan = self.plans.get(key)
        if plan is None:
            plan = self.plans[key] = _plan(block, prefix)
        if len(args) != len(block.args):
            raise ValueError(f"{len(args)} values for {len(block.args)} arguments")
        if plan.routes is not None:
            return plan.routes.run(self, list(args))
        env: list[Any] = [*args, *[None] * (plan.size - len(args))]
        for step in plan.steps:
            results = self.step(step, env)
            if len(results) != len(step.out_types):
                raise ValueError(f"{step.name} gave {len(results)} results")
            env[step.first : step.first + len(results)] = results
            if self.keep is not None and self.kept(step.name):
                self.values[step.name] = results
            for place in step.dead:
                env[place] = None
        return [env[place] for place in plan.outputs]

    def count(self, name: str) -> None:
        """One more node run, or body entered."""
        self.steps += 1
        if self.most is not None and self.steps > self.most:
            raise GeError(
                Diagnostic(
                    "GX-249",
                    "the run takes more steps than its budget allows; a loop may not end",
                    node=name or None,
                    found=f"{self.steps} steps",
                    expected=f"at most {self.most} nodes run and bodies entered",
                    hint="more by Budget(steps=…), in ge-run and ge-opt by --max-steps N",
                )
            )

    def step(self, step: _Step, env: Any, seen: bool = True) -> list[Any]:
        """Results of a node on the values at its places; seen: `around` may stand before it."""
        op = step.op
        self.count(step.name)
        args = [
            a if a is None else [env[i] for i in a] if isinstance(a, list) else env[a]
            for a in step.args
        ]
        ctx = Context(
            compute_dtype=self.compute_dtype,
            node_name=step.name,
            node_id=step.node_id,
            seed=self.seed,
            out_types=step.out_types,
            arg_types=step.arg_types,
            state=self.state,
            constant=self.constant,
        )
        if step.rule is not None:
            check_values(step.rule, step.name, args, step.arg_types)
        if op.regions:
            ctx.bodies = len(op.regions)
            ctx.run_body = lambda i, given: self.block(op.regions[i].block, given, step.name + "/")
        if seen and self.around is not None:
            return self.around(
                op, step.name, args, lambda given: call(op.ge_type, step.fn, given, step.attrs, ctx)
            )
        return call(op.ge_type, step.fn, args, step.attrs, ctx)


def _run_only_body(args: list[Any], attrs: Mapping[str, Any], ctx: Context) -> tuple[Any, ...]:
    """Meaning of a fused operator: the sub-graph it keeps."""
    flat = [v for a in args if a is not None for v in (a if isinstance(a, list) else [a])]
    return tuple(ctx.run_body(0, flat))


def _meaning(op: GeOp) -> SemanticsFn:
    fn = lookup(op.ge_type)
    return _run_only_body if fn is None else fn


def _has_meaning(op: Operation) -> bool:
    if not isinstance(op, GeOp):
        return False
    # a user's operator with one body means that body; a For of the library does not
    fused = len(op.regions) == 1 and bool(op.regions[0].blocks) and op.ge_type not in MODULES
    return has_semantics(op.ge_type) or fused


def _plan(block: Block, prefix: str) -> _Plan:
    """Nodes of a block with the values that die after each."""
    # by identity: values have no quick hash
    places: dict[int, int] = {id(arg): i for i, arg in enumerate(block.args)}
    last = block.last_op
    steps: list[_Step] = []
    kinds: set[str] = set()
    for op in block.ops:
        if op is last:
            break
        assert isinstance(op, GeOp)
        kinds.add(op.ge_type)
        name = prefix + (node_name(op) or f"{op.ge_type}_{len(steps)}")
        marker = op.attributes.get(STABLE_ID)
        results = op.ge_data_results
        args = [
            a if a is None else [places[id(v)] for v in a] if isinstance(a, list) else places[id(a)]
            for a in op.ge_args()
        ]
        first = len(places)
        for result in results:
            places[id(result)] = len(places)
        steps.append(
            _Step(
                op,
                name,
                marker.data if isinstance(marker, StringAttr) else name,
                _meaning(op),
                args,
                op.ge_attrs(),
                first,
                [r.type for r in results],
                [v.type for v in op.ge_data_operands],
                [],
                rule_of(op),
            )
        )
    assert isinstance(last, GeOp)
    outputs = [places[id(v)] for v in last.ge_data_operands]
    seen = set(outputs)
    for step in reversed(steps):
        read = [i for a in step.args if a is not None for i in (a if isinstance(a, list) else [a])]
        for place in (*range(step.first, step.first + len(step.out_types)), *read):
            if place not in seen:
                seen.add(place)
                step.dead.append(place)
    plan = _Plan(steps, len(places), outputs)
    if not kinds.isdisjoint(ROUTING):
        from ge_dialect.semantics.routes import Routes

        plan.routes = Routes(block, plan)
    return plan


def check_semantics(graph: Operation) -> None:
    """Refuse a graph with nodes that have no golden meaning: GeError naming all of them."""
    found: dict[str, list[str]] = {}
    places: dict[str, str | None] = {}
    known: set[type] = set()  # classes that mean the same in all their nodes
    for op in graph.walk():
        if type(op) in known or op is graph:
            continue
        if _has_meaning(op):
            if not op.regions:
                known.add(type(op))
            continue
        if isinstance(op, GraphOp | ModuleOp) and isinstance(op.parent_op(), ModuleOp | None):
            continue
        kind = op.ge_attr("type") if op.name == "ge.Opaque" else op.name.removeprefix("ge.")  # type: ignore[attr-defined]
        where, node = op_place(op)
        places.setdefault(str(kind), where)
        found.setdefault(str(kind), []).append(node or op.name)
    if found:
        raise GeError(
            Diagnostic(
                "GX-241",
                f"operator {kind} has no golden semantics",
                location=places[kind],
                node=", ".join(nodes[:3]) + (f" and {len(nodes) - 3} more" if nodes[3:] else ""),
                hint="give it some with @ge_dialect.semantics.semantics, or leave out its nodes",
            )
            for kind, nodes in sorted(found.items())
        )


def the_graph(root: Operation) -> GraphOp:
    """`root` itself, or the only graph of a module; GeError where there are several or none."""
    if isinstance(root, GraphOp):
        return root
    graphs = module_graphs(root)
    if len(graphs) == 1:
        return graphs[0]
    names = ", ".join(g.sym_name.data for g in graphs) or "none"
    raise GeError(
        Diagnostic("GX-245", "the module does not hold one graph", found=names, expected="one")
    )


def evaluate_graph(
    graph: Operation,
    inputs: Inputs = (),
    weights: WeightStore | None = None,
    keep: Keep = None,
    *,
    seed: int = 0,
    state: State | None = None,
    compute_dtype: Any = None,
    around: Around | None = None,
    budget: Budget | None = None,
) -> EvalResult:
    """Run a graph (or a module with one) and return its outputs.

    inputs: arrays by position or by name; their dtypes must be those of the arguments.
    weights: the store that `#ge.weight` constants refer to. keep: "all", or names of nodes whose
    results are wanted besides the outputs. seed: of random operators. state: variables of an
    earlier run to continue with. compute_dtype: np.float64 for a shadow run, in which every float
    is an f64 and nothing is rounded in between. budget: limits of the run, by default those that
    count around it (`ge_dialect.semantics.budget.limited`).
    Raises GeError: a node without semantics (all are named), inputs that do not fit, names to keep
    that no node has (GX-255), and whatever a node refuses (with its name), GX-248 and GX-249 for
    what goes beyond the budget included.
    """
    top = the_graph(graph)
    check_semantics(top)
    if top.net_output is None:
        raise GeError(Diagnostic("GX-245", "the graph does not end in NetOutput"))
    with limited(budget or current()), np.errstate(all="ignore"):
        state = State() if state is None else state
        wanted = checked(keep, lambda: dict.fromkeys(node_names(top.body), ()))
        run = _Run(weights, wanted, seed, state, compute_dtype, around)
        args = bind_inputs(top, inputs, run.state, compute_dtype)
        outputs = run.block(top.body, args, "")
    return EvalResult(outputs, output_names(top), run.values, run.state)


__all__ = [
    "EvalResult",
    "Ref",
    "State",
    "apply_op",
    "check_semantics",
    "evaluate_graph",
    "fold_op",
]
