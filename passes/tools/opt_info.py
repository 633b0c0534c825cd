"""What `ge-opt` tells about itself: version, passes, pipelines, plug-ins, dialects."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace

from ge_dialect.diagnostics import Diagnostic, GeError
from ge_dialect.plugins import entries, loading
from ge_dialect.plugins.entries import Entry
from ge_dialect.plugins.journal import fault
from ge_dialect.tools.common import render_diagnostics
from passes.options import format_value, option_types, type_name
from passes.plugins import is_taken, loaded_for, offered_names, source_label, use
from passes.registry import pass_class, pass_names
from passes.stages import STAGE_NAMES, known_pipelines, named_pipeline, pipeline_names


def show(args: argparse.Namespace) -> int:
    """Write what was asked for to stdout, and what is wrong with plug-ins to stderr."""
    if args.version:
        sys.stdout.write(version_text())
    lists = (
        (args.list_passes, passes_text),
        (args.list_pipelines, pipelines_text),
        (args.list_plugins, plugins_text),
        (args.show_dialects, dialects_text),
    )
    wanted = [text for chosen, text in lists if chosen]
    if not wanted:
        return 0
    with loaded_for(args.load):
        for text in wanted:
            sys.stdout.write(text())
        sys.stdout.flush()
        render_diagnostics(_problems(deep=args.list_plugins))
    return 0


def version_text() -> str:
    """Versions of this project and of xDSL."""
    from importlib.metadata import PackageNotFoundError, version

    def of(name: str) -> str:
        try:
            return version(name)
        except PackageNotFoundError:
            return "unknown"

    return f"ge-opt {of('ge-opt')} (xdsl {of('xdsl')})\n"


def passes_text() -> str:
    """All passes by stage, with a line each and their options."""
    by_stage: dict[str, list[str]] = {}
    broken: list[str] = []
    for name in sorted({*pass_names(), *offered_names()}):
        try:
            by_stage.setdefault(pass_class(name).stage, []).append(name)
        except GeError as error:
            broken.append(f"  {name:<34} {error.diagnostics[0].message}")
    lines: list[str] = []
    for stage in [*STAGE_NAMES, *sorted(set(by_stage) - set(STAGE_NAMES))]:
        if stage not in by_stage:
            continue
        lines.append(f"{stage or 'any stage'}:")
        for name in by_stage[stage]:
            try:
                lines += _pass_lines(name)
            except GeError:
                raise
            except Exception as error:  # a pass of others: its summary, or a default of an option
                if source_label("pass", name) is None:
                    raise
                broken.append(f"  {name:<34} {fault(error)}{_from('pass', name)}")
    if broken:
        lines += ["broken plug-ins:", *broken]
    return "\n".join(lines) + "\n"


def _pass_lines(name: str) -> list[str]:
    cls = pass_class(name)
    off = "" if cls.enabled else " (off by default)"
    lines = [f"  {name:<34} {cls.summary()}{off}{_from('pass', name)}"]
    defaults = cls()
    for field, kind in option_types(cls).items():
        value = format_value(getattr(defaults, field))
        lines.append(f"      {field.replace('_', '-')}={value}  ({type_name(kind)})")
    return lines


def pipelines_text() -> str:
    """Stages and named pipelines with what they run."""
    lines: list[str] = []
    for name in (*pipeline_names(), *known_pipelines()):
        try:
            declared = named_pipeline(name)
        except GeError as error:
            lines.append(f"{name:<16} broken    {error.diagnostics[0].message}")
            continue
        kind = "stage" if declared.is_stage else "pipeline"
        lines.append(f"{name:<16} {kind:<9} {declared.title}{_from('pipeline', name)}")
        lines.append(f"{'':<16} = {', '.join(declared.passes) or '(nothing yet)'}")
    return "\n".join(lines) + "\n"


def plugins_text() -> str:
    """What plug-ins and loaded files bring, by where it comes from."""
    lines: list[str] = []
    at = None
    for entry in entries.all_entries():
        if entry.source != at:
            at = entry.source
            lines.append(f"{at.label}:")
        note = " (broken)" if _broken(entry) else " (not used)" if _is_hidden(entry) else ""
        lines.append(f"  {entry.group:<10} {entry.name:<28} {entry.value}{note}")
    for held in loading.all_loaded():
        if held.module is not None:
            lines.append(f"{held.source.label}:")
            lines += [f"  {kind:<10} {name}" for kind, name in held.names]
    return "\n".join(lines or ["no plug-ins"]) + "\n"


def dialects_text() -> str:
    """The dialects, and which operators plug-ins and loaded files add to `ge`."""
    from ge_dialect.ir.context import DIALECTS
    from ge_dialect.ops.registry import op_family, op_names

    lines = ["dialects: " + ", ".join(sorted(["builtin", *DIALECTS]))]
    added = {name for name in op_names() if op_family(name) == "user"}
    added |= {name for name in entries.names("operators") if not is_taken("operators", name)}
    lines += [f"  ge.{name}{_from('operator', name)}" for name in sorted(added)]
    return "\n".join(lines) + "\n"


def _from(kind: str, name: str) -> str:
    source = source_label(kind, name)
    return f" [{source}]" if source else ""


def _is_hidden(entry: Entry) -> bool:
    return entry.group not in entries.GROUPS or is_taken(entry.group, entry.name)


def _broken(entry: Entry) -> tuple[Diagnostic, ...]:
    """Why an entry cannot be used; nothing where it can, or is not looked at."""
    if _is_hidden(entry):
        return ()
    try:
        use(entry)
    except GeError as error:
        return error.diagnostics
    return ()


def _problems(deep: bool) -> list[Diagnostic]:
    """What is wrong with plug-ins: by their metadata; `deep`: after importing all they offer."""
    found = {d.message: d for d in entries.problems(is_taken)}
    if deep:
        for entry in entries.all_entries():
            for d in _broken(entry):
                found.setdefault(d.message, replace(d, severity="warning"))
    return list(found.values())
