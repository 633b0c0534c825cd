"""What the reference of the kit shows, in order, each name with an example that a test runs.

`passes.testing.docgen` takes signatures and texts from the code; here stand order and examples.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Entry:
    """A public name, "module:name" below `passes.testing`, and Python code that uses it."""

    target: str
    example: str

    @property
    def name(self) -> str:
        """The name alone."""
        return self.target.partition(":")[2]


@dataclass(frozen=True)
class Section:
    """A chapter. tables: names of tables the generator makes, after the text."""

    title: str
    text: str
    entries: tuple[Entry, ...] = ()
    tables: tuple[str, ...] = ()


_GRAPHS = (
    Entry(
        "spec:GraphSpec",
        """\
from passes.testing import GraphSpec, Input, Step

spec = GraphSpec((Input("?x3xf32", dims=(2, 3)),), (Step("Relu", (0,)),), (1,)).normalized()
assert GraphSpec.from_json(spec.to_json()) == spec
assert GraphSpec.from_model(spec.build()).op_types() == {"Relu"}""",
    ),
    Entry(
        "spec:Input",
        """\
from passes.testing import Input

ids = Input("4xi32", name="ids")
state = Input("&2x3xf32")  # a reference: what a Variable outside would give""",
    ),
    Entry(
        "spec:Step",
        """\
from passes.testing import GraphSpec, Input, Step

steps = (Step("ReduceSumD", (0,), (("axes", (1,)),)), Step("Neg", (1,), after=(0,)))
spec = GraphSpec((Input("2x3xf32"),), steps, (2,)).normalized()
assert spec.steps[0].types == ("2xf32",)  # inferred""",
    ),
    Entry(
        "spec:Literal",
        """\
import numpy as np
from passes.testing import GraphSpec, Literal, Step

two = Literal.of(np.full((2,), 2.0, np.float32))
assert (two.dtype, two.shape) == ("float32", (2,))
constant = GraphSpec((), (Step("Const", attrs=(("value", two),)),), (0,)).normalized()
assert constant.steps[0].types == ("2xf32",)""",
    ),
    Entry(
        "spec:Text",
        """\
from passes.testing import Literal, Step, Text

held = Literal("float32", (1,), bytes(4))
weight = Step("Const", attrs=(("value", Text('#ge.weight<"w">')),), types=("1xf32",))
# GraphSpec(..., weights=(("w", held),)) has the bytes""",
    ),
)
_FRONTS = (
    Entry(
        "seeded:random_spec",
        """\
from passes.testing import random_spec

spec = random_spec(7, "small")
assert spec == random_spec(7, "small")
assert 1 <= spec.op_count""",
    ),
    Entry(
        "seeded:random_specs",
        """\
from passes.testing import Knobs, random_specs

few = Knobs(ops=("Relu", "Add"), min_ops=2, max_ops=3)
assert len(list(random_specs(0, 5, few))) == 5""",
    ),
    Entry(
        "hypothesis_front:specs",
        """\
from hypothesis import given, settings
from passes.testing import specs


@settings(max_examples=3, deadline=None, database=None)
@given(specs("plain"))
def test_builds(spec):
    spec.build()


test_builds()""",
    ),
    Entry(
        "exhaustive:all_specs",
        """\
from passes.testing import all_specs

found = list(all_specs(1, ("Relu", "Sub")))
assert len(found) == len(set(found))""",
    ),
    Entry(
        "from_pattern:pattern_specs",
        """\
from passes.pattern_dsl import node, rule, value
from passes.testing import pattern_specs

squared = node("Sqrt", node("Square", value("x").dtype("float32")))
found = pattern_specs(rule("abs", squared, "x"), tries=60)
assert found.positives
assert found.reasons <= {"the dtype of x is not float32"}""",
    ),
    Entry(
        "rules:hint",
        """\
from passes.testing.rules import HINTS, hint


@hint("MyConcat")
def my_concat(scope, call):
    x = call.main(scope, "x", rank=range(1, 4))
    call.attrs["axis"] = scope.choose(x.rank)


del HINTS["MyConcat"]""",
    ),
    Entry(
        "recast:recast",
        """\
from passes.testing import random_spec
from passes.testing.recast import recast

half = recast(random_spec(3, "plain"), "float32", "float16")
assert "f16" in str(half)
assert "f32" not in str(half)""",
    ),
    Entry(
        "knobs:Knobs",
        """\
from passes.testing import PROFILES, Knobs

halves = Knobs(ops=("Conv2D", "Relu"), dtypes=("float16",), max_ops=6)
quiet = PROFILES["plain"].but(max_ops=3)
assert (quiet.io, quiet.max_ops) == (0.0, 3)""",
    ),
)
_INPUTS = (
    Entry(
        "inputs:input_sets",
        """\
from passes.testing import input_sets, random_spec

spec = random_spec(2, "plain")
exact, special = input_sets(spec, seed=0, kinds=("exact", "special"))
assert list(exact) == list(special)""",
    ),
)
_CHECKING = (
    Entry(
        "check:check_pass",
        """\
from passes.testing import check_pass

report = check_pass("cast-remove", profile="quick", properties=("ends", "values"))
report.raise_if_failed()
assert set(report.checked) == {"ends", "values"}""",
    ),
    Entry(
        "check:check_pipeline",
        """\
from passes.testing import check_pipeline

assert check_pipeline("cast-remove,prune", profile="quick", properties=("verifies",)).ok""",
    ),
    Entry(
        "contract_test:PassContractTest",
        """\
from passes.testing import PassContractTest


class TestCastRemove(PassContractTest):
    subject = "cast-remove"
    profile = "quick"
    settings = {"seed": 3}""",
    ),
    Entry(
        "check:CheckReport",
        """\
from passes.testing import check_pass

report = check_pass("prune", profile="quick", properties=("ends",))
assert report.ok
assert report.changed + report.refused <= report.graphs
assert str(report).startswith("prune: ok on ")""",
    ),
    Entry(
        "check:Failure",
        """\
from passes.pattern_dsl import node, rule, value
from passes.pattern_pass import pattern_pass
from passes.testing import GraphSpec, Input, Step, check_pass

wrong = pattern_pass(rule("lose-relu", node("Relu", value("x")), "x"))
graph = GraphSpec((Input("4xf32"),), (Step("Relu", (0,)), Step("Neg", (1,))), (2,)).normalized()
failure = check_pass(wrong(), graphs=[graph], stop_at_first=True).failures[0]
assert (failure.prop, failure.ops) == ("values", 1)
assert failure.command.startswith("python -m passes.testing.check ")""",
    ),
    Entry(
        "graphs:Profile",
        """\
from passes.testing import check_pass
from passes.testing.graphs import Profile

few = Profile("few", 4, 2, 0, 2, 1, 20, 6, 2, 1, 5.0)
assert check_pass("prune", profile=few, properties=("ends",)).profile == "few\"""",
    ),
)
_MUTATION = (
    Entry(
        "mutation:mutate_pass",
        """\
from passes.testing.graphs import Profile
from passes.testing.mutation import mutate_pass, score

few = Profile("few", 10, 0, 0, 0, 1, 60, 40, 0, 1, 0.0)
corpus, verdicts = mutate_pass("cast-remove", few)
killed, counted = score(verdicts)
assert 0 < killed <= counted""",
    ),
    Entry(
        "mutation:Mutant",
        """\
from passes.testing.mutation import Mutant

mutant = Mutant("cast-remove", "drop-cast", "the first cast loses values", "drop")
assert str(mutant) == "cast-remove/drop-cast: drop 'the first cast loses values'\"""",
    ),
    Entry(
        "mutation:Verdict",
        """\
from passes.testing.mutation import Mutant, Verdict

mutant = Mutant("my-pass", "MyPattern", "it has other users", "drop")
assert Verdict(mutant, changes=True, killed_by=None).survives
assert not Verdict(mutant, changes=True, killed_by="values").survives""",
    ),
    Entry(
        "mutation:score",
        """\
from passes.testing.mutation import Mutant, Verdict, score

mutant = Mutant("my-pass", "MyPattern", "it has other users", "drop")
found = [Verdict(mutant, True, "values"), Verdict(mutant, True, None), Verdict(mutant, False, None)]
assert score(found) == (1, 2)""",
    ),
)
_REDUCTION = (
    Entry(
        "reduce:reduce",
        """\
from ge_dialect.api import load
from passes.testing import reduce

small = reduce(load("examples/tour.mlir"), "", lambda model, pipeline: "ge.Relu" in model.text())
assert small.ops == 1""",
    ),
    Entry(
        "reduce:Reduced",
        """\
from ge_dialect.api import load
from passes.testing import reduce

small = reduce(load("examples/tour.mlir"), "prune", lambda m, p: "ge.Relu" in m.text())
assert small.complete
small.save("small.mlir")  # the graph, and inputs beside it where the failure needs them""",
    ),
    Entry(
        "reduce:Budget",
        """\
from ge_dialect.api import load
from passes.testing import Budget, reduce

cut = Budget(seconds=5.0, trials=4)
small = reduce(load("examples/tour.mlir"), "", lambda m, p: "ge.Relu" in m.text(), budget=cut)
assert not small.complete""",
    ),
)
_COMPARING = (
    Entry(
        "compare:compare_values",
        """\
import numpy as np
from passes.testing import compare_values

one = np.ones(3, np.float32)
assert compare_values(one, one) is None
assert compare_values(one, -one).what == "value\"""",
    ),
    Entry(
        "compare:f64_bound",
        """\
import numpy as np
from ge_dialect.api import evaluate, load
from passes.testing import compare_values, f64_bound

model = load("examples/tour.mlir")
x = np.random.default_rng(0).standard_normal((1, 16, 8, 8)).astype(np.float32)
bounds, plain = f64_bound(model, [x]), evaluate(model, [x]).outputs
close = [plain[0] * np.float32(1 + 1e-7)]
assert compare_values(plain, close, "exact") is not None
assert compare_values(plain, close, "reassociates", bound=bounds) is None""",
    ),
    Entry(
        "compare:Mismatch",
        """\
import numpy as np
from passes.testing import compare_values

found = compare_values(np.array([1, 2], np.int32), np.array([1, 3], np.int32))
assert (found.what, found.index) == ("value", (1,))""",
    ),
)

SECTIONS: tuple[Section, ...] = (
    Section(
        "Graphs",
        "A graph as plain, frozen data: it prints, compares, hashes, pickles and goes to JSON and "
        "back. A type is written as in `tensor<2x?xf32>`, without the brackets; `&` in front is a "
        "reference. Values are numbered: inputs first, then results in the order of steps.",
        _GRAPHS,
    ),
    Section(
        "Fronts and knobs",
        "One engine makes graphs; the fronts differ in who answers its questions. All graphs "
        "verify, and golden semantics run them.",
        _FRONTS,
        ("knob profiles",),
    ),
    Section("Inputs", "Values for the inputs of a graph, by name.", _INPUTS, ("kinds",)),
    Section(
        "Properties and checks",
        "Every pass is held to every property below. Those marked so can be waived: "
        '`waives: ClassVar = {"locality": "the reason"}` on the pass (or the pattern that becomes '
        "one), a table `[waives]` in the file of a pipeline. The reason stands on the page of the "
        "pass, and in every report. Waiving another one is a ValueError.",
        _CHECKING,
        ("properties", "profiles"),
    ),
    Section(
        "Mutation",
        "Each condition of a pass is answered otherwise in turn, and the kit must notice.",
        _MUTATION,
    ),
    Section(
        "Reduction",
        "Graph and pipeline become smaller as long as they fail in the same way; "
        "`ge-reduce` is the same as a tool.",
        _REDUCTION,
    ),
    Section(
        "Comparing values",
        "What a contract allows: `exact` is bit by bit (NaN in the same places, -0.0 is not 0.0), "
        "`reassociates` and `precision(dtype)` an error measured for each element.",
        _COMPARING,
    ),
    Section(
        "From a shell",
        "Status 0 where everything holds, 4 where something does not.",
        (),
        ("command", "codes"),
    ),
)
