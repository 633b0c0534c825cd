"""Writes `docs/reference/passes.md` from the passes: ``python -m passes.docgen [--check]``."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from ge_dialect.tools.generated import write_generated
from passes.base import Pass
from passes.options import format_value, option_types, type_name
from passes.plugins import source_label
from passes.properties import PROPERTIES
from passes.registry import own_pass_names, pass_class
from passes.stages import STAGE_NAMES, named_pipeline, pipeline_names

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "passes.md"
_HEAD = """\
# Passes

Written by `python -m passes.docgen` from the classes; edit those.

"""


def page_text() -> str:
    """The page: stages and pipelines, properties, then every pass by stage."""
    names = sorted(own_pass_names())
    by_stage: dict[str, list[str]] = {}
    for name in names:
        by_stage.setdefault(pass_class(name).stage, []).append(name)
    parts = [_HEAD, "## Stages and pipelines\n\n", _pipelines(), "\n## Properties\n\n", _table()]
    for stage in [*STAGE_NAMES, *sorted(set(by_stage) - set(STAGE_NAMES))]:
        if stage not in by_stage:
            continue
        parts.append(f"\n## {f'Stage `{stage}`' if stage else 'Any stage'}\n")
        parts += [_pass_text(pass_class(name)) for name in by_stage[stage]]
    return "".join(parts)


def _pipelines() -> str:
    rows = ["| name | runs | GE's dump after it |\n|---|---|---|\n"]
    for name in pipeline_names():
        declared = named_pipeline(name)
        runs = ", ".join(f"`{p}`" for p in declared.passes) or "nothing yet"
        rows.append(f"| `{name}` | {declared.title}: {runs} | {declared.ge_dump or ''} |\n")
    for name in pipeline_names():
        waived = _waived(named_pipeline(name).waives)
        if waived:
            rows.append(f"\n`{name}`:\n{waived}")
    return "".join(rows)


def _table() -> str:
    rows = ["| property | meaning |\n|---|---|\n"]
    rows += [f"| `{p.name}` | {p.doc} |\n" for p in PROPERTIES.values()]
    return "".join(rows)


def _pass_text(cls: type[Pass]) -> str:
    doc = inspect.cleandoc(cls.__doc__ or "")
    contract = cls.contract
    facts = [f"values: {contract.values}"]
    for label, names in (
        ("requires", contract.requires),
        ("establishes", contract.establishes),
        ("destroys", contract.destroys),
        ("preserves analyses", contract.preserves),
    ):
        if names:
            facts.append(f"{label}: {', '.join(f'`{n}`' for n in names)}")
    if contract.reads_only:
        facts.append("changes nothing")
    else:
        facts.append("may add operations" if contract.grows else "never adds operations")
    if not cls.enabled:
        facts.append("off by default in named pipelines")
    text = f"\n### `{cls.name}`\n\n{doc}\n\n{_options(cls)}Contract: {'; '.join(facts)}.\n"
    source = source_label("pass", cls.name)
    origin = f"\nFrom: {source}.\n" if source else ""
    return text + origin + _rules(cls) + _waived(cls.waives.items())


def pass_page(name: str) -> str:
    """The page of one pass, one of a plug-in or a loaded file included: Markdown."""
    return _pass_text(pass_class(name)).lstrip()


def _rules(cls: type[Pass]) -> str:
    """The rules of the pass that are written in the pattern language, as they print."""
    from passes.pattern_dsl.text import rules_in

    found = [str(r) for r in rules_in(sys.modules[cls.__module__])]
    return "\n```text\n" + "\n".join(found) + "\n```\n" if found else ""


def _waived(waives: Iterable[tuple[str, str]]) -> str:
    rows = [f"- Not {name}: {reason}\n" for name, reason in waives]
    return "\n" + "".join(rows) if rows else ""


def _options(cls: type[Pass]) -> str:
    types = option_types(cls)
    if not types:
        return ""
    defaults = cls()
    rows = ["| option | type | default |\n|---|---|---|\n"]
    for name, kind in types.items():
        value = format_value(getattr(defaults, name))
        rows.append(f"| `{name.replace('_', '-')}` | {type_name(kind)} | `{value}` |\n")
    return "".join(rows) + "\n"


def main(argv: Sequence[str] | None = None) -> int:
    """Write the page; with `--check` only compare, status 1 where it is out of date."""
    return write_generated(PAGE, page_text(), "passes.docgen", argv)


if __name__ == "__main__":
    sys.exit(main())
