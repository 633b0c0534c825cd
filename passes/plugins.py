"""Passes, patterns and pipelines of plug-ins and of files that are loaded by path.

`load("my_pass.py")` is `--load` of the tools: it registers the passes and patterns a file defines
(see `ge_dialect.plugins.loading`). Entry points are found by `passes.registry` and `passes.stages`
when a name is not ours.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from ge_dialect.diagnostics import Diagnostic, GeError, user_error
from ge_dialect.plugins import entries, journal, loading
from ge_dialect.plugins.loading import Loaded, loaded_paths, unload
from passes.base import Pass
from passes.ge_modules import ge_modules
from passes.guard import PassTimeout, global_state_kept, time_limit


def load(path: str | os.PathLike[str]) -> Loaded:
    """Load a Python file, or a project folder with its entry points, until `unload(path)`.

    Passes, patterns, rule tables and operators that the file defines are registered under their
    names. Raises `GeError` GX-001 and GX-025; then nothing of it stays.
    """
    return loading.load(path)


@contextmanager
def loaded_for(paths: Iterable[str]) -> Generator[None]:
    """Load files and folders for the time of the block: `--load` of a tool."""
    with loading.loading(paths):
        yield


def recorded(paths: Iterable[Any]) -> list[str]:
    """What of the files a reproducer names is to be loaded for it.

    A file that is gone is left out where one of the same name was given instead.
    """
    given = {os.path.basename(p) for p in loaded_paths()}
    there = [str(p) for p in paths]
    return [p for p in there if os.path.exists(p) or os.path.basename(p) not in given]


def load_words() -> list[str]:
    """The `--load` arguments with which a command finds what is loaded now."""
    words: list[str] = []
    for path in loaded_paths():
        near = os.path.relpath(path)
        words.append(f"--load={path if near.startswith('..') else near}")
    return words


def adopt(module: ModuleType) -> None:
    """Register the passes, patterns, rules and rule tables that a module defines.

    A pattern becomes a pass of its own name where no pass has it. Raises ValueError for a name that
    is taken and for a pass that is no dataclass although it has options.
    """
    from passes.registry import PASSES, register_pass

    held = [v for v in vars(module).values() if _is_mine(v, module)]
    for cls in held:
        if isinstance(cls, type) and issubclass(cls, Pass) and cls.name:
            problem = pass_problem(cls)
            if problem is not None:
                raise ValueError(f"{cls.__qualname__} {problem}")
            register_pass(cls)
        elif isinstance(cls, type) and issubclass(cls, Pass) and cls.run is not Pass.run:
            _say_left_out(cls, 'it says no name = "…"')
    if "passes.rewriting" not in sys.modules:  # then it has no pattern either
        return
    from passes.pattern_dsl.rules import RuleTable
    from passes.pattern_pass import pattern_pass
    from passes.rewriting import Pattern

    for value in vars(module).values():
        if isinstance(value, type):
            wanted = issubclass(value, Pattern) and _is_complete(value, module)
        else:
            wanted = isinstance(value, RuleTable | Pattern)
        if not wanted:
            if isinstance(value, type) and issubclass(value, Pattern) and _is_mine(value, module):
                _say_incomplete(value)
            continue
        _say_unknown_types(value)
        made = pattern_pass(value)
        made.__module__ = module.__name__
        if made.name not in PASSES:
            register_pass(made)
        else:
            owner = journal.source_of("pass", made.name)
            if owner is None or owner.path != getattr(module, "__file__", None):
                _say_taken(made.name, owner)


def _is_subclass(value: object, base: type) -> bool:
    return isinstance(value, type) and issubclass(value, base)


def _is_mine(value: Any, module: ModuleType) -> bool:
    return getattr(value, "__module__", None) == module.__name__


def _is_complete(cls: type[Any], module: ModuleType) -> bool:
    """Whether a pattern class of the module can stand alone: it rewrites, and needs no argument."""
    from passes.pattern_dsl.rules import DslPattern
    from passes.rewriting import Pattern

    if not _is_mine(cls, module) or cls.match_and_rewrite is Pattern.match_and_rewrite:
        return False
    if issubclass(cls, DslPattern) and getattr(cls, "shape", None) is None:
        return False
    try:
        cls()
    except TypeError:
        return False
    return True


def _say_incomplete(cls: type[Any]) -> None:
    """Warn of a pattern class that cannot rewrite; one that only needs arguments is a part."""
    from passes.pattern_dsl.rules import DslPattern
    from passes.rewriting import Pattern

    if issubclass(cls, DslPattern):
        if getattr(cls, "shape", None) is None:
            _say_left_out(cls, "it has no shape = node(…)")
    elif cls.match_and_rewrite is Pattern.match_and_rewrite:
        _say_left_out(cls, "it has no match_and_rewrite(self, op, rw)")


def _say_left_out(cls: type[Any], why: str) -> None:
    if cls.__subclasses__() or cls.__name__.startswith("_"):
        return  # a base of others
    from ge_dialect.tools.common import render_diagnostics

    said = Diagnostic("GX-021", f"no pass is made of {cls.__qualname__}: {why}", "warning")
    render_diagnostics([said])


def _say_unknown_types(what: Any) -> None:
    """Warn of operator types that a pattern, rule or table looks for and nobody registered."""
    from ge_dialect.ops.registry import has_op, op_names
    from ge_dialect.spelling import nearest
    from ge_dialect.tools.common import render_diagnostics
    from passes.pattern_dsl.terms import Node, terms_of

    for pattern in getattr(what, "patterns", None) or [what]:
        shape = getattr(pattern, "shape", None)
        nodes = [] if shape is None else [t for t in terms_of(shape) if isinstance(t, Node)]
        root = [pattern.root] if isinstance(pattern.root, str) else pattern.root
        for name in dict.fromkeys([*root, *(t for n in nodes for t in n.types)]):
            plain = name.removeprefix("ge.")
            if has_op(plain):
                continue
            near = nearest(plain, op_names())
            label = pattern.__name__ if isinstance(pattern, type) else pattern.label
            said = Diagnostic(
                "GX-112",
                f"{label} looks for operators of type {plain}, which nobody registered",
                "warning",
                hint=f"did you mean {near!r}?" if near else None,
            )
            render_diagnostics([said])


def _say_taken(name: str, owner: journal.Source | None) -> None:
    from ge_dialect.tools.common import render_diagnostics

    said = Diagnostic(
        "GX-023",
        f"the pattern is no pass of its own: '{name}' is a pass already",
        "warning",
        found=None if owner is None else f"one from {owner.label}",
        hint="give the pattern another name, or use it in a pass",
    )
    render_diagnostics([said])


#: Seconds that loading a file, or importing what an entry names, may take.
LOAD_TIMEOUT = 600.0


@contextmanager
def _around(label: str) -> Generator[None]:
    """Stands around foreign code while it is loaded, as the driver does around a pass.

    It ends in time, leaves the state of the process alone, and may import GE's Python package (see
    `passes.ge_modules`).
    """
    start = time.monotonic()
    try:
        with global_state_kept(), ge_modules(), time_limit(LOAD_TIMEOUT):
            yield
    except PassTimeout:
        if time.monotonic() - start < LOAD_TIMEOUT:  # the limit of a pass that loads something
            raise
        raise user_error("GX-025", f"loading {label} took longer than {LOAD_TIMEOUT:g} s") from None


loading.ADOPTERS.append(adopt)
journal.AROUND.append(_around)
journal.INTERRUPTS.append(PassTimeout)


def pass_problem(cls: type[Pass]) -> str | None:
    """What is wrong with a pass class before it ever runs, None where nothing is."""
    import dataclasses

    own = vars(cls).get("__annotations__", {})
    options = [n for n, kind in own.items() if "ClassVar" not in str(kind)]
    if options and "__dataclass_params__" not in vars(cls):
        return f"has options ({', '.join(options)}) but is no @dataclass(frozen=True)"
    missing = [
        f.name
        for f in dataclasses.fields(cls)
        if f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING
    ]
    if missing:
        return f"has an option without default: {', '.join(missing)}"
    if cls.run is Pass.run:
        return "has no run()"
    for name in ("name", "stage"):
        if not isinstance(getattr(cls, name), str):
            return f"has a {name} that is no text: {getattr(cls, name)!r:.60}"
    return None


# ------------------------------------------------------------------------------- entry points


def offered(name: str) -> bool:
    """Whether a plug-in has a pass, or a pattern, of that name; imports none."""
    return entries.offers("passes", name) or entries.offers("patterns", name)


def offered_names() -> list[str]:
    """Names of the passes and patterns of plug-ins, sorted."""
    return sorted({*entries.names("passes"), *entries.names("patterns")})


def plugin_pass(name: str) -> type[Pass]:
    """Import the pass of that name. Raises `GeError` GX-020 to GX-022."""
    from passes.registry import PASSES, register_pass
    from passes.rewriting import Pattern

    group = "passes" if entries.offers("passes", name) else "patterns"
    made: list[type[Pass]] = []

    def register(value: Any) -> str | None:
        if group == "patterns":
            known = _is_subclass(value, Pattern) or isinstance(value, Pattern)
            if not known and not hasattr(value, "patterns"):
                return f"it gives {value!r:.200}, no pattern"
            cls = pattern_pass_of(value, name)
        elif isinstance(value, type) and issubclass(value, Pass):
            cls = value
        else:
            return f"it gives {value!r:.200}, no pass class"
        problem = pass_problem(cls)
        if problem is None and cls.name != name:
            problem = f"the pass is called '{cls.name}'"
        if problem is not None:
            return f"{cls.__qualname__} {problem}" if cls.name == name else problem
        made.append(cls)
        if PASSES.get(name) is None:
            register_pass(cls)
        return None

    value = entries.value_of(entries.entry(group, name), register)
    if not made:  # its value was imported before, and the pass forgotten since
        register(value)
    return made[0]


def pattern_pass_of(value: Any, name: str) -> type[Pass]:
    """The pass of a pattern, called `name`."""
    from passes.pattern_pass import pattern_pass

    return pattern_pass(value, name)


def source_label(kind: str, name: str) -> str | None:
    """Where a pass ("pass"), pipeline or operator comes from; None for ours."""
    source = journal.source_of(kind, name)
    if source is not None:
        return source.label
    groups = {"pass": ("passes", "patterns"), "pipeline": ("pipelines",)}
    for group in groups.get(kind, (f"{kind}s",)):
        if entries.offers(group, name):
            try:
                return entries.entry(group, name).source.label
            except GeError as error:
                return error.diagnostics[0].message
    return None


def use(entry: entries.Entry) -> None:
    """Take one entry as a run that needs it would; raises what that raises.

    A kernel is only imported: its registry belongs to the runtime.
    """
    group, name = entry.group, entry.name
    entries.entry(group, name)
    if group in ("passes", "patterns"):
        plugin_pass(name)
    elif group == "pipelines":
        from passes.stages import named_items

        named_items(name)
    elif group == "operators":
        from ge_dialect.ops.registry import op_class

        op_class(name)
    elif group == "semantics":
        from ge_dialect.semantics.registry import lookup

        lookup(name)
    elif group == "targets":
        from ge_dialect.target.registered import target_of

        target_of(name)
    elif group == "onnx":
        from ge_dialect.importers.onnx_rules import known_revisions

        known_revisions(name)
    elif group == "socs":
        from ge_dialect.target.soc_file import load_soc

        load_soc(name)
    else:
        entries.value_of(entry)


def is_taken(group: str, name: str) -> bool:
    """Whether a plug-in cannot have that name because something of ours has it."""
    from ge_dialect.ops._index import MODULES

    if group == "operators":
        return name in MODULES
    if group == "semantics":
        return name in MODULES and not MODULES[name].startswith("tail.")
    if group == "targets":
        from ge_dialect.target.oplib_data import OPS

        return name in OPS
    if group in ("passes", "patterns", "pipelines"):
        from passes.registry import is_own_name

        return is_own_name(name)
    if group == "socs":
        from ge_dialect.target.soc_file import is_own_soc

        return is_own_soc(name)
    return False


__all__ = [
    "adopt",
    "is_taken",
    "load",
    "load_words",
    "loaded_for",
    "loaded_paths",
    "offered",
    "offered_names",
    "plugin_pass",
    "recorded",
    "source_label",
    "unload",
    "use",
]
