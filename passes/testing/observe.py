"""What a run of a graph shows: outputs, prints, final variables, and values of nodes; and the first
difference between two such runs under a promise about values."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ge_dialect.api import Model, pick_graph
from ge_dialect.diagnostics import Diagnostic, GeError, user_error
from ge_dialect.ir.names import node_name, origins
from ge_dialect.semantics.context import Ref
from ge_dialect.semantics.evaluator import EvalResult, evaluate_graph
from passes.guard import PassTimeout, time_limit
from passes.testing.compare import Bounds, Mismatch, compare_values

if TYPE_CHECKING:
    import numpy.typing as npt

    from ge_dialect.ir.base import GeOp
    from ge_dialect.ir.graph import GraphOp

    #: What a node gets for one declared input: an array, a `Ref`, None, or a list of those.
    _Given = npt.NDArray[Any] | Ref | list[npt.NDArray[Any] | Ref | None] | None

#: Kinds of input sets with which values are validated unless the user gives some.
VALIDATION_KINDS = ("exact", "special")
#: Tried where a graph runs on none of those.
LAST_RESORT = "zeros"
#: A graph may run this long on drawn inputs; a loop may not end on them.
DRAWN_SECONDS = 60.0


@dataclass
class Observed:
    """What one run showed; arrays are never changed in place.

    values: results by node name, where they were kept; sources, kinds: origins and types of those.
    watched: False where only outputs are known, so that prints cannot be compared.
    """

    outputs: list[Any]
    names: list[str]
    printed: list[tuple[str, str]] = field(default_factory=list)
    variables: dict[str, Any] = field(default_factory=dict)
    values: dict[str, list[Any]] = field(default_factory=dict)
    sources: dict[str, tuple[str, ...]] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    watched: bool = True


#: Runs a module that is no `ge.graph` any more, from a model and its inputs: outputs in order, or
#: also what it printed and what its variables hold, which are compared then.
Executor = Callable[[Model, Sequence[Any]], Sequence[Any] | Observed]


@dataclass(frozen=True)
class Difference:
    """The first thing that differs: what it is ("value", "output", "print", "variable"), the node
    or output, the source nodes it stands for, and how."""

    kind: str
    name: str
    mismatch: Mismatch
    sources: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.kind} '{self.name}': {self.mismatch}"


def observe(
    model: Model,
    inputs: Sequence[Any],
    *,
    graph: str | None = None,
    keep: Any = None,
    seed: int = 0,
    memo: Memo | None = None,
    executor: Executor | None = None,
) -> Observed:
    """Run the model's graph (or the one named) on inputs in order.

    A module without `ge.graph` needs an executor; GeError GX-440 where there is none. Other errors
    are those of `evaluate_graph`.
    """
    if not model.graphs:
        if executor is None:
            raise user_error(
                "GX-440",
                "a compiled model has no golden semantics",
                hint="pass an executor, or validate up to the stage before build",
            )
        shown = executor(model, inputs)
        if isinstance(shown, Observed):
            return shown
        outputs = list(shown)
        return Observed(outputs, [str(i) for i in range(len(outputs))], watched=False)
    top = pick_graph(model, graph)
    if memo is not None:
        memo.begin()
    try:
        result = evaluate_graph(
            top,
            list(inputs),
            weights=model.weights,
            keep=keep,
            seed=seed,
            around=None if memo is None else memo.around,
        )
    except (AssertionError, AttributeError, KeyError, TypeError) as error:
        # IR that does not verify; the evaluator relies on it
        said = f"{type(error).__name__}: {error}"
        raise user_error("GX-444", f"the graph cannot be evaluated: {said[:200]}") from error
    if memo is not None:
        memo.end()
    return _observed(top, result)


def _observed(top: GraphOp, result: EvalResult) -> Observed:
    sources: dict[str, tuple[str, ...]] = {}
    kinds: dict[str, str] = {}
    if result.values:
        for op in top.body.ops:
            name = node_name(op)
            if name is not None and name in result.values:
                sources[name], kinds[name] = origins(op), op.name
    return Observed(
        [_held(v) for v in result.outputs],
        result.output_names,
        list(result.state.printed),
        {n: r.value for n, r in result.state.variables.items()},
        result.values,
        sources,
        kinds,
    )


def _held(value: Any) -> Any:
    return value.value if isinstance(value, Ref) else value


class Memo:
    """Results of pure nodes by what they are and the very arrays they read; a node that reads the
    same arrays as in the run before is not computed again. Holds the last run's arrays only."""

    def __init__(self) -> None:
        self.old: dict[Any, tuple[list[Any], list[Any]]] = {}
        self.new: dict[Any, tuple[list[Any], list[Any]]] = {}
        self.hits = self.runs = 0

    def begin(self) -> None:
        """A run starts: what the last one used can be found."""
        self.old, self.new = {**self.old, **self.new}, {}

    def end(self) -> None:
        """A run has ended well: what it did not use is dropped."""
        self.old = {}

    def around(
        self, op: GeOp, name: str, args: list[_Given], run: Callable[[list[Any]], list[Any]]
    ) -> list[Any]:
        """The evaluator's hook."""
        if op.regions or not type(op).EFFECTS.is_pure or "/" in name:
            return run(args)
        flat = [v for a in args for v in (a if isinstance(a, list) else [a])]
        key = (
            type(op),
            tuple(op.properties.items()),
            tuple([len(a) if isinstance(a, list) else a is None for a in args]),
            tuple(map(id, flat)),
            tuple(r.type for r in op.ge_data_results),
        )
        found = self.new.get(key) or self.old.get(key)
        self.runs += 1
        if found is None:
            found = (run(args), flat)  # the arguments stay alive, so their ids mean them
        else:
            self.hits += 1
        self.new[key] = found
        return found[0]


@dataclass
class Evaluated:
    """A graph with inputs it can be run on: what they are, the arrays, and what a run showed."""

    graph: str
    label: str
    inputs: list[Any]
    memo: Memo
    seen: Observed


def evaluated(
    model: Model, given: Mapping[str, Any] | None = None, *, seed: int = 0
) -> list[Evaluated]:
    """Every graph of a model, run on the inputs given or else on those drawn from the seed.

    Drawn inputs on which a graph refuses to run are left out, as long as some are left. Raises
    GeError: GX-444 with the reasons where a graph does not run at all, GX-246 for missing inputs.
    """
    out: list[Evaluated] = []
    for graph in model.graphs:
        name = graph.sym_name.data
        refused: GeError | None = None
        count = len(out)
        for label, inputs in _candidates(model, graph, given, seed):
            if len(out) > count and label.startswith(LAST_RESORT):
                break
            memo = Memo()
            try:
                with time_limit(DRAWN_SECONDS if given is None else None):
                    seen = observe(model, inputs, graph=name, keep="all", memo=memo)
            except GeError as error:
                refused = refused or error
                continue
            except PassTimeout:
                said = f"it ran longer than {DRAWN_SECONDS:g} s on {label}"
                refused = refused or user_error("GX-444", said)
                continue
            out.append(Evaluated(name, label, inputs, memo, seen))
        if len(out) == count and refused is not None:
            head = Diagnostic(
                "GX-444",
                f"graph '{name}' cannot be evaluated, so its values cannot be compared",
                hint="give inputs that fit: --validate-inputs FILE.npz",
            )
            raise GeError([head, *refused.diagnostics], refused.exit_code)
    return out


def _candidates(
    model: Model, graph: GraphOp, given: Mapping[str, Any] | None, seed: int
) -> list[tuple[str, list[Any]]]:
    names = graph.arg_names()
    if given is not None:
        values = fitting_inputs(graph, given)
        return [("the inputs given", [values[n] for n in names])]
    if not names:
        return [("no inputs", [])]
    kinds = (*VALIDATION_KINDS, LAST_RESORT)
    try:
        sets = drawn_inputs(graph, seed, kinds)
    except (GeError, ValueError, TypeError) as error:
        raise user_error(
            "GX-444",
            f"no inputs can be drawn for graph '{graph.sym_name.data}'",
            found=(str(error).splitlines() or ["?"])[0],
            hint="give some: --validate-inputs FILE.npz",
        ) from None
    return [
        (f"{kind} values, seed {seed}", [s[n] for n in names])
        for kind, s in zip(kinds, sets, strict=True)
    ]


def drawn_inputs(graph: GraphOp, seed: int, kinds: Sequence[str]) -> list[dict[str, Any]]:
    """Sets of inputs of some kinds; where sizes depend on values, integers stay small in all.

    Raises ValueError or GeError for types without values.
    """
    from passes.testing.inputs import input_sets

    sets = input_sets(graph, seed, kinds)
    if all(_is_static(r.type) for op in graph.body.ops for r in op.results):
        return sets
    (plain,) = input_sets(graph, seed, ("exact",))
    return [{n: plain[n] if v.dtype.kind in "iu" else v for n, v in one.items()} for one in sets]


def _is_static(type_: Any) -> bool:
    from ge_dialect.ir.attributes import CtrlType
    from ge_dialect.ir.types import is_static

    return isinstance(type_, CtrlType) or is_static(type_)


def fitting_inputs(graph: GraphOp, given: Mapping[str, Any]) -> dict[str, Any]:
    """Values for the inputs of a graph; floats take the dtype of an input that `.npz` cannot hold.

    Raises GeError GX-246 for missing inputs; the evaluator checks the rest.
    """
    import numpy as np

    from ge_dialect.dtypes import numpy_dtype
    from ge_dialect.ir.types import elem_of

    out: dict[str, Any] = {}
    missing: list[str] = []
    for arg, name in zip(graph.args, graph.arg_names(), strict=True):
        if name not in given:
            missing.append(name)
            continue
        array = np.asarray(given[name])
        want = np.dtype(numpy_dtype(elem_of(arg.type)))
        if array.dtype != want and want.kind not in "biufcSU" and array.dtype.kind in "fV":
            array = array.astype(np.float32).astype(want)
        out[name] = array
    if missing:
        raise user_error(
            "GX-246",
            f"values are missing for inputs of graph '{graph.sym_name.data}'",
            found=", ".join(given) or "none",
            expected=", ".join(missing),
        )
    return out


# ----------------------------------------------------------------------------------- comparing


def first_difference(
    before: Observed,
    after: Observed,
    promise: str,
    bounds: Callable[[], Bounds | None] = lambda: None,
    *,
    named: Collection[str] | None = None,
) -> Difference | None:
    """The first difference that a promise does not allow.

    Values kept in both runs are compared first, by node name, in the order of the run after; then
    outputs by position, prints in order, and variables by name. bounds: asked only when values are
    not equal bit by bit and the promise allows that. named: nodes of which a difference counts even
    where no output differs (None: all); a name that a pass made may be free again and made twice.
    """
    found = _compare(before, after, "exact", None, named)
    if found is None or promise == "exact" or not _numeric(found):
        return found
    return _compare(before, after, promise, bounds(), named)


def _numeric(found: Difference) -> bool:
    return found.kind == "print" or found.mismatch.what in ("value", "nan", "inf")


def _compare(
    before: Observed,
    after: Observed,
    promise: str,
    bounds: Bounds | None,
    named: Collection[str] | None,
) -> Difference | None:
    limits = bounds.values if bounds is not None else {}
    outside = _outside(before, after, promise, bounds)
    for name, values in after.values.items():
        held = before.values.get(name)
        if held is None or len(held) != len(values) or not _same_types(held, values):
            continue  # a name may have come to stand for another value
        if before.sources.get(name) != after.sources.get(name):
            continue  # or for several nodes
        if outside is None:
            if before.kinds.get(name) != after.kinds.get(name):
                continue  # or be given to another node after its own was removed
            if named is not None and name not in named:
                continue
        found = compare_values(held, values, promise, bound=limits.get(name))
        if found is not None:
            return Difference("value", name, found, after.sources.get(name, ()))
    return outside


def _outside(
    before: Observed, after: Observed, promise: str, bounds: Bounds | None
) -> Difference | None:
    """The first difference that shows outside of the graph."""
    found = compare_values(before.outputs, after.outputs, promise, bound=bounds)
    if found is not None:
        at = found.output
        name = before.names[at] if at < len(before.names) else str(at)
        return Difference("output", name, found, after.sources.get(name.split(":")[0], ()))
    if before.watched and after.watched:
        difference = _prints(before.printed, after.printed, exact=promise == "exact")
        if difference is not None:
            return difference
    for name, value in before.variables.items():
        if name in after.variables:
            found = compare_values([value], [after.variables[name]], promise)
            if found is not None:
                return Difference("variable", name, found)
    return None


def _same_types(left: list[Any], right: list[Any]) -> bool:
    for a, b in zip(left, right, strict=True):
        if isinstance(a, Ref) or isinstance(b, Ref):
            return False
        if a.dtype != b.dtype or a.shape != b.shape:
            return False
    return True


def _prints(
    before: list[tuple[str, str]], after: list[tuple[str, str]], *, exact: bool
) -> Difference | None:
    for i in range(max(len(before), len(after))):
        x = before[i] if i < len(before) else None
        y = after[i] if i < len(after) else None
        if x is not None and y is not None and (x[1] == y[1] or (not exact and x[0] == y[0])):
            continue
        mismatch = Mismatch("value", _line(x), _line(y), i)
        node = x or y
        assert node is not None
        return Difference("print", node[0], mismatch, (node[0],))
    return None


def _line(entry: tuple[str, str] | None) -> str:
    return "nothing" if entry is None else repr(entry[1][:80])
