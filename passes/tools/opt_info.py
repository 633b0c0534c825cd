"""What `ge-opt` tells about itself: version, passes, pipelines, dialects."""

from __future__ import annotations

import argparse
import sys

from passes.options import format_value, option_types, type_name
from passes.registry import pass_class, pass_names
from passes.stages import STAGE_NAMES, named_pipeline, pipeline_names


def show(args: argparse.Namespace) -> int:
    """Write what was asked for to stdout."""
    if args.version:
        sys.stdout.write(version_text())
    if args.list_passes:
        sys.stdout.write(passes_text())
    if args.list_pipelines:
        sys.stdout.write(pipelines_text())
    if args.show_dialects:
        from ge_dialect.ir.context import DIALECTS

        sys.stdout.write("dialects: " + ", ".join(sorted(["builtin", *DIALECTS])) + "\n")
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
    for name in pass_names():
        by_stage.setdefault(pass_class(name).stage, []).append(name)
    lines = []
    for stage in [*STAGE_NAMES, *sorted(set(by_stage) - set(STAGE_NAMES))]:
        if stage not in by_stage:
            continue
        lines.append(f"{stage or 'any stage'}:")
        for name in by_stage[stage]:
            cls = pass_class(name)
            off = "" if cls.enabled else " (off by default)"
            lines.append(f"  {name:<34} {cls.summary()}{off}")
            defaults = cls()
            for field, kind in option_types(cls).items():
                value = format_value(getattr(defaults, field))
                lines.append(f"      {field.replace('_', '-')}={value}  ({type_name(kind)})")
    return "\n".join(lines) + "\n"


def pipelines_text() -> str:
    """Stages and named pipelines with what they run."""
    lines = []
    for name in pipeline_names():
        declared = named_pipeline(name)
        kind = "stage" if declared.is_stage else "pipeline"
        lines.append(f"{name:<16} {kind:<9} {declared.title}")
        lines.append(f"{'':<16} = {', '.join(declared.passes) or '(nothing yet)'}")
    return "\n".join(lines) + "\n"
