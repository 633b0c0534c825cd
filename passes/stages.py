"""Stages and named pipelines; their contents are data in `passes/pipelines/`.

A file ``NAME.toml`` holds ``version``, ``title`` and ``passes`` (a list of pipeline items as text);
a stage's file also ``ge_dump``, the name GE gives to the dump written after that stage. A table
``waives`` holds properties of the kit that do not hold for the whole, with reasons.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ge_dialect.diagnostics import ExitCode, user_error
from passes.pipeline import GroupItem, Item, NamedItem, parse_pipeline

#: The stages of GE's compile flow, in order.
STAGE_NAMES = (
    "prepare",
    "fuse",
    "format-prepare",
    "format",
    "stage1",
    "partition",
    "subgraph",
    "stage2",
    "build",
)
#: GE's name of the dump before any stage.
BEGIN_DUMP = "PreRunBegin"
DEFAULT_PIPELINE = "ge-default"
FORMAT_VERSION = 1

_FOLDER = Path(__file__).with_name("pipelines")
_resolving: list[str] = []


@dataclass(frozen=True, slots=True)
class NamedPipeline:
    """A stage or another named pipeline as its file declares it."""

    name: str
    title: str
    passes: tuple[str, ...]
    ge_dump: str | None = None
    waives: tuple[tuple[str, str], ...] = ()

    @property
    def is_stage(self) -> bool:
        """Whether this is one of the stages."""
        return self.name in STAGE_NAMES


@cache
def pipeline_names() -> tuple[str, ...]:
    """Names of all stages and named pipelines, stages first and in order."""
    found = {e[:-5] for e in os.listdir(_FOLDER) if e.endswith(".toml")}
    return (*STAGE_NAMES, *sorted(found.difference(STAGE_NAMES)))


@cache
def named_pipeline(name: str) -> NamedPipeline:
    """Declaration of a stage or named pipeline, validated; raises `GeError` GX-402."""
    import tomllib

    path = _FOLDER / f"{name}.toml"
    try:
        data: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise user_error(
            "GX-402", f"no pipeline is called '{name}'", exit_code=ExitCode.USAGE
        ) from None
    problem = _check(data, name)
    if problem:
        raise user_error("GX-401", f"{path.name}: {problem}", exit_code=ExitCode.INTERNAL)
    waives = tuple(data.get("waives", {}).items())
    return NamedPipeline(name, data["title"], tuple(data["passes"]), data.get("ge_dump"), waives)


def _check(data: dict[str, Any], name: str) -> str | None:
    if data.get("version") != FORMAT_VERSION:
        return f"version must be {FORMAT_VERSION}"
    if not isinstance(data.get("title"), str):
        return "title must be a string"
    passes = data.get("passes")
    if not isinstance(passes, list) or not all(isinstance(p, str) for p in passes):
        return "passes must be a list of strings"
    if name in STAGE_NAMES and not isinstance(data.get("ge_dump"), str):
        return "a stage needs ge_dump"
    waives = data.get("waives", {})
    if not isinstance(waives, dict) or not all(isinstance(r, str) and r for r in waives.values()):
        return "waives must map properties to reasons"
    extra = set(data) - {"version", "title", "passes", "ge_dump", "waives"}
    return f"unknown keys {sorted(extra)}" if extra else None


@cache
def named_items(name: str) -> tuple[Item, ...]:
    """Items of a stage or named pipeline; raises `GeError` GX-410 when it includes itself."""
    if name in _resolving:
        chain = " -> ".join([*_resolving, name])
        raise user_error(
            "GX-410", f"pipeline includes itself: {chain}", exit_code=ExitCode.INTERNAL
        )
    _resolving.append(name)
    try:
        declared = named_pipeline(name)
        items = parse_pipeline(", ".join(declared.passes), f"{name}.toml").items
        _resolve(items)
        return items
    finally:
        _resolving.pop()


def _resolve(items: tuple[Item, ...]) -> None:
    """Look inside named pipelines, so that one which includes itself is found here."""
    for item in items:
        if isinstance(item, NamedItem):
            named_items(item.name)
        elif isinstance(item, GroupItem):
            _resolve(item.items)
