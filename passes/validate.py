"""`--validate`: golden values before and after passes, compared under what each pass promises."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from ge_dialect.diagnostics import Diagnostic, GeError
from passes.guard import PassTimeout, time_limit
from passes.instrument import Instrument, PassRun

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from passes.context import PassContext
    from passes.pipeline import PassItem
    from passes.testing.compare import Bounds
    from passes.testing.observe import Difference, Evaluated, Executor, Observed

ValidateMode = Literal["each", "stage", "ends"]
VALIDATE_MODES: tuple[ValidateMode, ...] = ("each", "stage", "ends")


@dataclass
class _Segment:
    """What ran since values were last compared."""

    promises: list[str] = field(default_factory=list)
    passes: list[str] = field(default_factory=list)
    start: Any = None


class Validate(Instrument):
    """Runs the graphs by golden semantics and stops at the first pass (stage, pipeline) after which
    a value differs by more than the contracts allow. Passes that changed nothing cost nothing, and
    nodes that read the same values as before are not computed again.

    ctx: of the run; it has the weights. inputs: values by input name; by default two sets drawn
    from `seed` (exact numbers, special values). executor: runs the compiled model, from a model and
    inputs in order to outputs in order, and may sum in another order; without one, validation ends
    where `ge.graph` ends, with a warning. inputs_path: file of `inputs`, for the reproducer.
    max_steps: nodes run and bodies entered in one run, 0 for no limit; None for what counts anyway
    (`ge_dialect.semantics.budget`).
    """

    def __init__(
        self,
        when: ValidateMode,
        ctx: PassContext,
        *,
        inputs: Mapping[str, Any] | None = None,
        inputs_path: str | None = None,
        seed: int = 0,
        executor: Executor | None = None,
        max_steps: int | None = None,
    ) -> None:
        if when not in VALIDATE_MODES:
            raise ValueError(f"when must be one of {', '.join(VALIDATE_MODES)}")
        self.when = when
        self.ctx = ctx
        self.inputs = inputs
        self.inputs_path = inputs_path
        self.seed = seed
        self.executor = executor
        self.max_steps = max_steps
        self.comparisons = 0
        self._sets: list[Evaluated] = []
        self._pending: dict[int, Observed] = {}
        self._named: dict[int, frozenset[str]] = {}
        self._segment = _Segment()
        self._ended = False
        self._promise = "exact"

    # ----------------------------------------------------------------------------------- hooks

    def begin(self, module: ModuleOp) -> None:
        """Evaluate the module that is given. Raises GeError GX-444 where that cannot be done."""
        from passes.testing.observe import evaluated

        self._segment, self._ended, self._pending = _Segment(), False, {}
        with self._limits():
            self._sets = evaluated(self._model(module), self.inputs, seed=self.seed)
        self._named = {id(one): frozenset(one.seen.values) for one in self._sets}
        self._restart(module)

    def before_pass(self, item: PassItem, module: ModuleOp) -> None:
        """Keep the module where a bound may be needed, or where it is the last `ge.graph`."""
        self._promise = item.cls.contract.values
        if self._ended:
            return
        lowers = "graph" in item.cls.contract.destroys
        if self._promise == "exact" and (lowers or not _has_graphs(module)):
            self._promise = "reassociates"  # a machine sums in its own order
        if self._promise != "exact" and self._segment.start is None:
            self._segment.start = _copy(module)
        if lowers and self.executor is None and self.when != "each":
            self._pending = {id(one): self._observe(module, one) for one in self._sets}

    def after_pass(self, run: PassRun, module: ModuleOp) -> None:
        """Note what a pass that changed something promised."""
        if run.changed:
            self._segment.passes.append(run.name)
            self._segment.promises.append(self._promise)

    def judge(self, where: str, name: str, module: ModuleOp) -> Sequence[Diagnostic]:
        """Compare, where the mode says so."""
        due = {"each": ("pass",), "stage": ("stage", "end"), "ends": ("end",)}[self.when]
        if self._ended or where not in due or not self._segment.passes:
            return ()
        found = self._compare(module)
        if found is None:
            self._restart(module)
            return ()
        one, difference = found
        return self._report(where, name, module, one, difference)

    def options(self) -> Mapping[str, Any]:
        """What a reproducer needs."""
        said: dict[str, Any] = {"validate": self.when}
        if self.inputs_path is not None:
            said["validate_inputs"] = os.path.abspath(self.inputs_path)
        if self.seed:
            said["validate_seed"] = self.seed
        if self.max_steps is not None:
            said["max_steps"] = self.max_steps
        return said

    # --------------------------------------------------------------------------------- running

    def _model(self, module: ModuleOp) -> Any:
        from ge_dialect.api import Model

        weights = self.ctx.weights
        return Model(module) if weights is None else Model(module, weights)

    def _limits(self) -> AbstractContextManager[None]:
        """A block in which runs have the steps that were asked for."""
        from ge_dialect.semantics.budget import limited, with_steps

        return limited(with_steps(self.max_steps))

    def _observe(self, module: ModuleOp, one: Evaluated) -> Observed:
        from passes.testing.observe import observe

        with self._limits():
            return observe(
                self._model(module),
                one.inputs,
                graph=one.graph,
                keep="all",
                memo=one.memo,
                executor=self.executor,
            )

    def _compare(self, module: ModuleOp) -> tuple[Evaluated, Difference] | None:
        from passes.testing.compare import Mismatch, weakest
        from passes.testing.observe import DRAWN_SECONDS, Difference, first_difference

        self.comparisons += 1
        promise = weakest(self._segment.promises)
        lowered = not _has_graphs(module)
        if lowered and self.executor is None:
            self._warn_lowered()
        for one in self._sets:
            after = self._pending.get(id(one)) if lowered and self.executor is None else None
            if lowered and self.executor is None and after is None:
                continue
            if after is None:
                try:
                    with time_limit(None if self.inputs is not None else DRAWN_SECONDS):
                        after = self._observe(module, one)
                except GeError as error:
                    first = error.diagnostics[0]
                    said = f"{first.code}: {first.message}"
                    what = Mismatch("kind", "values", said)
                    return one, Difference("node", first.node or "?", what)
                except PassTimeout:
                    what = Mismatch("kind", "an end", f"no end in {DRAWN_SECONDS:g} s")
                    return one, Difference("graph", one.graph, what)
            found = first_difference(
                one.seen,
                after,
                promise,
                lambda one=one: self._bounds(one),
                named=self._named[id(one)],
            )
            if found is not None:
                return one, found
            if self.when != "ends":
                one.seen = after
        return None

    def _bounds(self, one: Evaluated) -> Bounds | None:
        from passes.testing.compare import f64_bound, precision_dtype, weakest

        if self._segment.start is None or not _has_graphs(self._segment.start):
            return None
        dtype = precision_dtype(weakest(self._segment.promises))
        model = self._model(self._segment.start)
        with self._limits():
            return f64_bound(model, one.inputs, dtype=dtype, graph=one.graph, keep="all")

    def _restart(self, module: ModuleOp) -> None:
        """Values are right up to here."""
        self._segment = _Segment()
        if self.when != "each" and not self._ended:
            self._segment.start = _copy(module)

    def _warn_lowered(self) -> None:
        self._ended = True
        self.ctx.sink.warning(
            "GX-440",
            "values of the compiled model are not validated; they were up to here"
            if self.when == "each" or self._pending
            else "values of the compiled model are not validated",
            hint="ge-run --golden compares a run of it",
        )

    # ------------------------------------------------------------------------------- reporting

    def _report(
        self, where: str, name: str, module: ModuleOp, one: Evaluated, found: Difference
    ) -> list[Diagnostic]:
        from passes.testing.compare import weakest

        ran = self._segment.passes
        who = {"pass": f"pass '{name}'", "stage": f"stage '{name}'"}.get(where, "the pipeline")
        promise = weakest(self._segment.promises)
        mismatch = found.mismatch
        details = str(mismatch).partition("found ")[2]
        at = f" at [{', '.join(map(str, mismatch.index))}]" if mismatch.index else ""
        head = Diagnostic(
            "GX-441",
            f"values differ after {who}, which promises '{promise}': {found.kind} '{found.name}'"
            + at,
            node=found.name,
            location=_location(module, one.graph, found.name),
            expected=mismatch.expected,
            found=details or mismatch.found,
        )
        said = [f"graph '{one.graph}' on {one.label}"]
        if found.sources and found.sources != (found.name,):
            said.append(f"source nodes: {', '.join(found.sources[:8])}")
        if where != "pass":
            said.append(f"passes that changed something: {', '.join(ran[-12:])}")
        return [head, *(Diagnostic("GX-441", text, "note") for text in said)]


def _has_graphs(module: ModuleOp) -> bool:
    from ge_dialect.ir.graph import module_graphs

    return bool(module_graphs(module))


def _copy(module: ModuleOp) -> Any:
    from ge_dialect.ir.copying import copy_module

    return copy_module(module)


def _location(module: ModuleOp, graph: str, name: str) -> str | None:
    """Place in the text of a node of a graph."""
    from ge_dialect.ir.graph import module_graphs
    from ge_dialect.ir.names import file_location, node_name

    for g in module_graphs(module):
        if g.sym_name.data == graph:
            for op in g.body.ops:
                if node_name(op) == name.split(":")[0]:
                    return file_location(op)
    return None


# -------------------------------------------------------------------------------------- inputs


def load_inputs(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Arrays by name from an `.npz` file. GeError GX-001 where it is none."""
    from ge_dialect.tools.npz import read_npz

    return read_npz(path, "GX-001")


__all__ = ["VALIDATE_MODES", "Validate", "ValidateMode", "load_inputs"]
