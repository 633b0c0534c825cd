"""GE's base classes for Python passes, and what makes passes of ours from their subclasses.

Each registered class becomes a `Pass`: its name in kebab case without "Pass" at the end, in the
stage that stands for GE's, with the contract the class states (``contract = Contract(...)``), else
a careful one: sums may be taken in another order, and the graph may grow.
"""

from __future__ import annotations

import contextlib
import dataclasses
import inspect
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from enum import Enum
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

from ge_dialect.containers import is_list, is_tuple
from passes.base import REASSOCIATES, Contract, Pass, PassResult
from passes.effects import is_pinned
from passes.ge_adapter.builder import Graph, GraphBuilder, TensorHolder, as_graph
from passes.ge_adapter.matching import (
    MatchResult,
    Pattern,
    PatternMatcherConfig,
    create_pattern,
    match,
)
from passes.ge_adapter.splicing import replace_match, splice
from passes.ge_adapter.views import NodeView
from passes.ge_modules import ge_modules
from passes.pattern_pass import kebab
from passes.rewriting import Pattern as RewritePattern
from passes.rewriting import PatternRewriter, apply_patterns

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from passes.context import PassContext as OurContext

C = TypeVar("C", bound="type[FusionBasePass]")
D = TypeVar("D", bound="type[DecomposePass]")
DEFAULT_CONTRACT = Contract(values=REASSOCIATES, grows=True)


class PassStage(Enum):
    """GE's four places for fusion passes of the user."""

    BEFORE_INFER_SHAPE = "BeforeInferShape"
    AFTER_INFER_SHAPE = "AfterInferShape"
    AFTER_BUILTIN_FUSION_PASS = "AfterBuiltinFusionPass"
    AFTER_ORIGIN_GRAPH_OPTIMIZE = "AfterOriginGraphOptimize"


#: GE's stage -> our stage, and at which end of it the pass joins.
STAGES: dict[PassStage, tuple[str, str]] = {
    PassStage.BEFORE_INFER_SHAPE: ("prepare", "start"),
    PassStage.AFTER_INFER_SHAPE: ("prepare", "end"),
    PassStage.AFTER_BUILTIN_FUSION_PASS: ("fuse", "end"),
    PassStage.AFTER_ORIGIN_GRAPH_OPTIMIZE: ("stage1", "end"),
}


class PassContext:
    """What a `FusionBasePass` is given: its name, options of the run, a message for an error."""

    def __init__(self, name: str, ctx: OurContext) -> None:
        self._name = name
        self._ctx = ctx
        self._message = ""

    def get_pass_name(self) -> str:
        """GE's name of the pass."""
        return self._name

    def set_pass_name(self, name: str) -> None:
        """Change the name in messages."""
        self._name = name

    def get_error_message(self) -> str:
        """The message that was set, empty where none was."""
        return self._message

    def set_error_message(self, message: str) -> None:
        """What to say when the pass fails."""
        self._message = message

    def get_option_value(self, key: str) -> str:
        """An option of the run, as text; RuntimeError where it is not given."""
        if key not in self._ctx.options:
            raise RuntimeError(f"option {key!r} is not given")
        return str(self._ctx.options[key])


class GraphView:
    """The graph a `FusionBasePass` looks at. It cannot be edited edge by edge."""

    def __init__(self, block: Any, name: str, weights: Any) -> None:
        self._block = block
        self.name = name
        self._weights = weights

    def get_name(self) -> str:
        """Name of the graph."""
        return self.name

    def get_all_nodes(self) -> list[NodeView]:
        """The nodes in topological order."""
        return [NodeView(op, self._weights) for op in self._block.ops]

    get_direct_nodes = get_all_nodes

    def __getattr__(self, name: str) -> Any:
        raise NotImplementedError(
            f"Graph.{name} is not available here: a pass of this project rewrites through patterns "
            "(PatternFusionPass, DecomposePass) or as a passes.base.Pass"
        )


class FusionBasePass:
    """A pass with a `run` of its own, which looks at each graph and says whether that went well."""

    contract: ClassVar[Contract] = DEFAULT_CONTRACT
    waives: ClassVar[dict[str, str]] = {}
    #: The pass of ours that a registered class became.
    __ge_pass__: ClassVar[type[Pass]]

    def run(self, graph: GraphView, context: PassContext) -> bool | int | None:
        """None or a true value: fine; False or 0: an error, with the message of the context."""
        raise NotImplementedError


def pattern(method: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a method of a `PatternFusionPass` that gives a pattern as an expression of inputs."""
    cast("Any", method).__ge_pattern__ = True
    return method


class _Inputs:
    """Inputs of a pattern or replacement that is written as an expression: ``inputs[i]``."""

    def __init__(self, builder: GraphBuilder) -> None:
        self._builder = builder
        self.made: dict[int, TensorHolder] = {}

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            if index.stop is None:
                raise TypeError("say how many inputs there are: inputs[:N]")
            return [self[i] for i in range(index.stop)[index]]
        if index not in self.made:
            self.made[index] = self._builder.create_input(index)
        return self.made[index]

    def __iter__(self) -> Iterator[Any]:
        raise TypeError("the number of inputs is not known: use inputs[:N]")


class PatternFusionPass(FusionBasePass):
    """A pass that looks for graphs (`patterns`, or methods marked `@pattern`) and replaces them."""

    def __init__(self, matcher_config: PatternMatcherConfig | None = None) -> None:
        self.matcher_config = matcher_config or PatternMatcherConfig()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "run" in vars(cls):
            raise TypeError(f"{cls.__name__}: such a pass has no run() of its own")

    def patterns(self) -> Iterable[Pattern | Graph]:
        """The graphs to look for."""
        raise NotImplementedError

    def meet_requirements(self, match_result: MatchResult) -> bool:
        """Whether to replace a match."""
        return True

    def replacement(self, *args: Any, **kwargs: Any) -> Any:
        """The graph to put there: of (match_result), (inputs) or (inputs, match_result)."""
        raise NotImplementedError


class DecomposePass(FusionBasePass):
    """A pass that replaces single nodes of some operator types by graphs."""

    op_types: ClassVar[tuple[str, ...] | list[str] | None] = None

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "run" in vars(cls):
            raise TypeError(f"{cls.__name__}: such a pass has no run() of its own")

    def meet_requirements(self, node: NodeView) -> bool:
        """Whether to replace a node."""
        return True

    def replacement(self, node: NodeView) -> Graph:
        """The graph to put there; its inputs are the values the node reads, each once."""
        raise NotImplementedError


# ------------------------------------------------------------------------------- registration

_registered: dict[str, type[Pass]] = {}


def _is_subclass(given: object, base: type) -> bool:
    return inspect.isclass(given) and issubclass(given, base)


def _is_name(given: object) -> bool:
    return isinstance(given, str) and bool(given)


def register_fusion_pass(
    *, name: str, stage: PassStage, kind: str | None = None
) -> Callable[[C], C]:
    """Class decorator: make the pass known, as a pass of ours (`adapted` gives it)."""

    def decorate(cls: C) -> C:
        if not _is_subclass(cls, FusionBasePass):
            raise TypeError("register_fusion_pass is for subclasses of FusionBasePass")
        _register(cls, name, stage)
        return cls

    return decorate


def register_decompose_pass(
    *, name: str, stage: PassStage, op_types: Iterable[str]
) -> Callable[[D], D]:
    """Class decorator for a `DecomposePass`; op_types: the operator types it is tried at."""
    types = (op_types,) if isinstance(op_types, str) else tuple(op_types)
    if not types or not all(map(_is_name, types)):
        raise TypeError("op_types must be names of operator types")

    def decorate(cls: D) -> D:
        if not _is_subclass(cls, DecomposePass):
            raise TypeError("register_decompose_pass is for subclasses of DecomposePass")
        cls.op_types = types
        _register(cls, name, stage)
        return cls

    return decorate


def _register(cls: type[FusionBasePass], name: str, stage: PassStage) -> None:
    from ge_dialect.plugins import journal
    from passes.registry import register_pass

    made = _make(cls, name, stage)
    register_pass(made)
    _registered[name] = made
    journal.note("GE pass", name, cls, lambda: _registered.pop(name, None))
    cls.__ge_pass__ = made


def adapted(cls: type[FusionBasePass]) -> type[Pass]:
    """The pass of ours that a registered class became; an entry point can name it.

    Raises TypeError for a class that is not registered.
    """
    found = vars(cls).get("__ge_pass__")
    if found is None:
        raise TypeError(f"{cls.__name__} is not registered with register_fusion_pass")
    return found


def get_registered_passes() -> list[type[Pass]]:
    """All passes of ours that were made from GE-style classes."""
    return list(_registered.values())


# ------------------------------------------------------------------------------------ running


def _make(cls: type[FusionBasePass], ge_name: str, stage: PassStage) -> type[Pass]:
    ours, joins = STAGES[PassStage(stage)]

    def run(self: Pass, module: ModuleOp, ctx: OurContext) -> PassResult:
        if issubclass(cls, PatternFusionPass):
            patterns: list[RewritePattern] = [*_pattern_rewrites(cls, ge_name)]
        elif issubclass(cls, DecomposePass):
            patterns = [_Decompose(cls, ge_name, module)]
        else:
            return _run_base(cls, ge_name, module, ctx)
        return PassResult.from_counters(apply_patterns(module, patterns, ctx))

    name = kebab(ge_name.removesuffix("Pass"))
    made: Any = dataclasses.make_dataclass(
        f"{cls.__name__}Adapter",
        [],
        bases=(Pass,),
        namespace={
            "name": name,
            "stage": ours,
            "joins": joins,
            "contract": cls.contract,
            "waives": cls.waives,
            "ge_name": ge_name,
            "run": run,
            "__doc__": cls.__doc__ or f"GE's fusion pass {ge_name}.",
        },
        frozen=True,
    )
    made.__module__ = cls.__module__
    made.examples = staticmethod(lambda: _examples(cls, ge_name))
    return made


def _examples(cls: type[FusionBasePass], ge_name: str) -> list[str]:
    """Graphs the kit starts from: those the class gives, and instances of its patterns."""
    given: Any = getattr(cls, "examples", None)
    found: list[str] = [] if given is None else list(given())
    if issubclass(cls, PatternFusionPass):
        for rewrite in _pattern_rewrites(cls, ge_name):
            found += rewrite.examples()
    return found


@contextlib.contextmanager
def _foreign() -> Generator[None]:
    """Around calls of the pass: what it prints goes to stderr, as stdout carries the result, and
    it may import GE's modules."""
    with contextlib.redirect_stdout(sys.stderr), ge_modules():
        yield


def _run_base(
    cls: type[FusionBasePass], name: str, module: ModuleOp, ctx: OurContext
) -> PassResult:
    from ge_dialect.ir.graph import module_graphs

    for graph in module_graphs(module):
        context = PassContext(name, ctx)
        with _foreign():
            view = GraphView(graph.body, graph.sym_name.data, _store(ctx))
            status = cls().run(view, context)
        if status is not None and not status:
            said = context.get_error_message() or "no message"
            ctx.sink.error("GX-427", f"GE pass {context.get_pass_name()} failed: {said}", op=graph)
    return PassResult(False)


def _store(ctx: OurContext) -> Any:
    return (lambda: ctx.weights) if ctx.has_weights else None


def _pattern_rewrites(cls: type[PatternFusionPass], name: str) -> list[_Fuse]:
    with _foreign():
        subject = cls()
        marked = [m for m in _marked(cls) if callable(m)]
        if marked and cls.patterns is not PatternFusionPass.patterns:
            raise TypeError(f"{cls.__name__} has patterns() and methods marked @pattern")
        if marked:
            found = [_expression_pattern(subject, method) for method in marked]
        else:
            given = list(subject.patterns())
            found = [p if isinstance(p, Pattern) else create_pattern(p) for p in given]
    many = len(found) > 1
    return [
        _Fuse(subject, p, f"{name}.{p.graph.name}" if many else name, bool(marked)) for p in found
    ]


def _marked(cls: type) -> list[Callable[..., Any]]:
    """Methods marked `@pattern`, in the order of their definition, of base classes first."""
    names: dict[str, None] = {}
    for base in reversed(cls.__mro__):
        for name, value in vars(base).items():
            if getattr(value, "__ge_pattern__", False):
                names[name] = None
    return [getattr(cls, name) for name in names]


def _expression_pattern(subject: PatternFusionPass, method: Callable[..., Any]) -> Pattern:
    builder = GraphBuilder(method.__name__)
    inputs = _Inputs(builder)
    outputs = _outputs(method(subject, inputs), method.__name__)
    made = create_pattern(builder.build_and_reset(outputs))
    for index in sorted(inputs.made):
        made.capture_tensor(inputs.made[index])
    for out in outputs:
        made.capture_tensor(out)
    return made


def _outputs(value: Any, what: str) -> list[TensorHolder]:
    given: list[Any] = list(value) if is_list(value) or is_tuple(value) else [value]
    found = [t for t in given if isinstance(t, TensorHolder)]
    if not given or len(found) != len(given):
        raise TypeError(f"{what}() must return a tensor or a list of tensors, not {value!r}")
    return found


class _Fuse(RewritePattern):
    """One pattern of a `PatternFusionPass`."""

    def __init__(
        self, subject: PatternFusionPass, sought: Pattern, label: str, expression: bool
    ) -> None:
        self.subject = subject
        self.sought = sought
        vars(self).update(name=label, root=(sought.graph.outputs[0].node.type,))
        self.expression = expression

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        """Match at the node that makes the first output."""
        found = match(self.sought, self.subject.matcher_config, op, rw)
        if found is None:
            return
        with _foreign():
            fits = self.subject.meet_requirements(found)
        if not rw.when(fits, found.reason or "meet_requirements() said no"):
            return
        with _foreign():
            graph = self._replacement(found)
        replace_match(found, graph, rw)

    def examples(self) -> list[str]:
        """Graphs for the kit: instances of the pattern."""
        from passes.ge_adapter.instances import instances

        return instances(self.sought.graph)

    def _replacement(self, found: MatchResult) -> Graph:
        wanted = list(inspect.signature(self.subject.replacement).parameters)
        if wanted == ["match_result"] or (not self.expression and len(wanted) == 1):
            made = self.subject.replacement(found)
        else:
            builder = GraphBuilder(f"{found.get_pattern_graph_name()}_replacement")
            given: list[Any] = [_Inputs(builder)]
            if len(wanted) > 1:
                given.append(found)
            made = self.subject.replacement(*given)
            if not isinstance(made, Graph):
                made = builder.build_and_reset(_outputs(made, "replacement"))
        if not isinstance(made, Graph):
            raise TypeError(f"replacement() must return a Graph, not {made!r}")
        return made


class _Decompose(RewritePattern):
    """The rewrite of a `DecomposePass` in one module.

    GE collects the nodes up front, so what a replacement holds is not decomposed again.
    """

    def __init__(self, cls: type[DecomposePass], label: str, module: ModuleOp) -> None:
        with _foreign():
            self.subject = cls()
        vars(self).update(name=label, root=tuple(cls.op_types or ()))
        if not self.root:
            raise TypeError(f"{cls.__name__} names no op_types")
        types = {f"ge.{t}" for t in self.root}
        self.nodes = frozenset(op for op in module.walk() if op.name in types)

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        """Replace one node."""
        if op not in self.nodes:
            return
        from ge_dialect.ir.order import is_effectful

        view = NodeView(op, _store(rw.ctx))
        with _foreign():
            fits = self.subject.meet_requirements(view)
        if not rw.when(fits, "meet_requirements() said no"):
            return
        if not rw.when(not is_effectful(op), "it has effects"):
            return
        if not rw.when(not is_pinned(op), "it is marked no_need_constant_folding"):
            return
        with _foreign():
            graph = as_graph(
                self.subject.replacement(view), "replacement() must return a Graph, not"
            )
        inputs = dict(enumerate(dict.fromkeys(op.ge_data_operands)))
        splice(graph, inputs, list(op.ge_data_results), [op], rw)
