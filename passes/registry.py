"""Registry of passes: names and where they live. Nothing is imported before it is used.

A name that is not here is looked for among the plug-ins (`passes.plugins`). A pass of ours lives in
a file of its own name (``-`` becomes ``_``). Keep one line per pass, grouped by stage.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module

from ge_dialect.diagnostics import ExitCode, GeError, user_error
from ge_dialect.plugins import entries, journal
from passes.base import Pass

#: pass name -> "module:Class"
PASSES: dict[str, str] = {
    # prepare
    "func-to-graph": "passes.prepare.func_to_graph:FuncToGraph",
    "normalize-io": "passes.prepare.normalize_io:NormalizeIo",
    "infer-shape": "passes.prepare.infer_shape:InferShape",
    "constant-folding": "passes.prepare.constant_folding:ConstantFolding",
    "cond-remove": "passes.prepare.cond_remove:CondRemove",
    "infer-shape-for-preprocess": "passes.prepare.infer_shape_for_preprocess"
    ":InferShapeForPreprocess",
    "unfold-subgraph": "passes.prepare.unfold_subgraph:UnfoldSubgraph",
    "no-use-reshape-remove": "passes.prepare.no_use_reshape_remove:NoUseReshapeRemove",
    "unchanged-transpose-remove": "passes.prepare.unchanged_transpose_remove"
    ":UnchangedTransposeRemove",
    "identity-remove": "passes.prepare.identity_remove:IdentityRemove",
    "legality-check": "passes.prepare.legality_check:LegalityCheck",
    "print-shape-analysis": "passes.prepare.print_shape_analysis:PrintShapeAnalysis",
    # fuse
    "conv-bn-fold": "passes.fuse.conv_bn_fold:ConvBnFold",
    "conv-scale-fold": "passes.fuse.conv_scale_fold:ConvScaleFold",
    # format-prepare, format
    "engine-claim": "passes.format.engine_claim:EngineClaim",
    "heavy-format-propagation": "passes.format.heavy_format_propagation:HeavyFormatPropagation",
    "trans-node-merge": "passes.format.trans_node_merge:TransNodeMerge",
    # stage1
    "cast-remove": "passes.stage1.cast_remove:CastRemove",
    "common-subexpression-elimination": "passes.stage1.common_subexpression_elimination"
    ":CommonSubexpressionElimination",
    "dim1-transpose-to-squeeze": "passes.stage1.dim1_transpose_to_squeeze:Dim1TransposeToSqueeze",
    "prune": "passes.stage1.prune:Prune",
    "transop-symmetry-elimination": "passes.stage1.transop_symmetry_elimination"
    ":TransopSymmetryElimination",
    "useless-control-out-remove": "passes.stage1.useless_control_out_remove"
    ":UselessControlOutRemove",
    # partition
    "engine-placement": "passes.partition.engine_placement:EnginePlacement",
    # stage2, build
    "topological-order": "passes.build.topological_order:TopologicalOrder",
    "stream-assignment": "passes.build.stream_assignment:StreamAssignment",
    "event-insertion": "passes.build.event_insertion:EventInsertion",
    "memory-plan": "passes.build.memory_plan:MemoryPlan",
    "lower-to-rt": "passes.build.lower_to_rt:LowerToRt",
}

#: short names by which passes are also known
ALIASES: dict[str, str] = {
    "cse": "common-subexpression-elimination",
    "dce": "prune",
}

_loaded: dict[str, type[Pass]] = {}
_OURS = tuple(PASSES)


def register_pass(cls: type[Pass]) -> type[Pass]:
    """Make a pass class known under its name (also usable as a decorator)."""
    if not cls.name:
        raise ValueError(f"{cls.__qualname__} has no name")
    known = PASSES.get(cls.name)
    target = f"{cls.__module__}:{cls.__qualname__}"
    if known is not None and known != target:
        raise ValueError(f"pass name '{cls.name}' is taken by {known}")
    if cls.name not in _OURS and is_own_name(cls.name):
        raise ValueError(f"'{cls.name}' is a pipeline or another name of a pass already")
    PASSES[cls.name] = target
    _loaded[cls.name] = cls
    journal.note("pass", cls.name, cls, lambda: unregister_pass(cls.name))
    return cls


def unregister_pass(name: str) -> None:
    """Forget a pass registered with `register_pass`."""
    PASSES.pop(name, None)
    _loaded.pop(name, None)


def canonical_name(name: str) -> str | None:
    """The pass's own name for its name, an alias or its name in `xdsl-opt`; None when unknown."""
    candidates = (name, name.removeprefix("ge-"))
    for candidate in candidates:
        if candidate in PASSES:
            return candidate
        target = ALIASES.get(candidate)
        if target in PASSES:
            return target
    for candidate in candidates:
        if entries.offers("passes", candidate) or entries.offers("patterns", candidate):
            return candidate
    return None


def is_own_name(name: str) -> bool:
    """Whether a pass, an alias, a stage or a pipeline of ours has that name."""
    from passes.stages import pipeline_names

    return name in _OURS or name in ALIASES or name in pipeline_names()


def known_names() -> list[str]:
    """Pass names and aliases, those of plug-ins included, for hints."""
    aliases = (a for a, target in ALIASES.items() if target in PASSES)
    return sorted({*PASSES, *aliases, *entries.names("passes"), *entries.names("patterns")})


def unknown_pass(name: str, flag: str = "") -> GeError:
    """The usage error for a name that is no pass, with the nearest name."""
    lead = f"{flag}: " if flag else ""
    return user_error(
        "GX-402",
        f"{lead}no pass is called '{name}'",
        hint=did_you_mean(name, known_names()),
        exit_code=ExitCode.USAGE,
    )


def pass_names() -> list[str]:
    """Names of our passes and of registered ones, sorted; not of plug-ins nobody has used."""
    return sorted(PASSES)


def own_pass_names() -> tuple[str, ...]:
    """Names of our passes by stage, whatever else is registered."""
    return _OURS


def pass_class(name: str) -> type[Pass]:
    """The class of a pass; raises `GeError` GX-402 with the nearest name when unknown.

    Raises GX-020 to GX-022 for a pass of a plug-in that is broken.
    """
    cls = _loaded.get(name)
    if cls is not None:
        return cls
    own = canonical_name(name)
    if own is None:
        raise unknown_pass(name)
    if own not in PASSES:
        from passes.plugins import plugin_pass

        return plugin_pass(own)
    cls = _loaded.get(own)
    if cls is not None:
        return cls
    where, _, attribute = PASSES[own].partition(":")
    try:
        cls = getattr(import_module(where), attribute)
    except (ImportError, AttributeError, SyntaxError) as error:
        raise user_error(
            "GX-406",
            f"pass '{own}' cannot be loaded from {PASSES[own]}",
            found=f"{type(error).__name__}: {error}",
            exit_code=ExitCode.INTERNAL,
        ) from error
    _loaded[own] = cls
    return cls


def did_you_mean(name: str, names: Iterable[str]) -> str | None:
    """A hint naming the entry of `names` closest to `name`, or None."""
    from ge_dialect.spelling import nearest

    near = nearest(name, names)
    return f"did you mean '{near}'?" if near else None


#: Passes of MLIR that have another name here, or are no pass.
_HABITS = {
    "canonicalize": "the stages prepare and stage1 do what canonicalize does",
    "sccp": "did you mean 'constant-folding'?",
    "symbol-dce": "did you mean 'prune'?",
}


def pass_hint(name: str, names: Iterable[str]) -> str | None:
    """`did_you_mean`, also for MLIR's words."""
    return _HABITS.get(name) or did_you_mean(name, names)
