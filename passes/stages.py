"""Stages and named pipelines; their contents are data in `passes/pipelines/`.

A file ``NAME.toml`` holds ``version``, ``title`` and ``passes`` (a list of pipeline items as text);
a stage's file also ``ge_dump``, the name GE gives to the dump written after that stage. A table
``waives`` holds properties of the kit that do not hold for the whole, with reasons.

Plug-ins offer such files, too (not for stages), and a file that is loaded has `register_pipeline`.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ge_dialect.containers import is_list, is_object
from ge_dialect.diagnostics import ExitCode, GeError, user_error
from ge_dialect.plugins import entries, journal
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
_registered: dict[str, NamedPipeline] = {}


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
    """Names of all our stages and named pipelines, stages first and in order."""
    found = {e[:-5] for e in os.listdir(_FOLDER) if e.endswith(".toml")}
    return (*STAGE_NAMES, *sorted(found.difference(STAGE_NAMES)))


def known_pipelines() -> list[str]:
    """Names of pipelines that are not ours: registered ones and those of plug-ins, sorted."""
    return sorted({*_registered, *entries.names("pipelines")} - set(pipeline_names()))


def is_pipeline(name: str) -> bool:
    """Whether a stage or named pipeline has that name, one of a plug-in included."""
    return name in pipeline_names() or name in _registered or entries.offers("pipelines", name)


def register_pipeline(name: str, passes: str, title: str = "") -> NamedPipeline:
    """Give a pipeline text a name.

    The text is read when it is used. Raises ValueError where a pass or pipeline has the name.
    """
    from passes.registry import PASSES, is_own_name

    if is_own_name(name) or name in PASSES or name in _registered:
        raise ValueError(f"'{name}' is a pass or pipeline already")
    made = _registered[name] = NamedPipeline(name, title or passes, (passes,))
    journal.note("pipeline", name, None, lambda: unregister_pipeline(name))
    return made


def unregister_pipeline(name: str) -> None:
    """Forget a pipeline registered with `register_pipeline`; KeyError for any other one."""
    del _registered[name]


def named_pipeline(name: str) -> NamedPipeline:
    """Declaration of a stage or named pipeline, validated; raises `GeError` GX-402.

    Raises GX-020 to GX-022 for one of a plug-in that is broken.
    """
    if name in pipeline_names():
        return _own_pipeline(name)
    if name in _registered:
        return _registered[name]
    if entries.offers("pipelines", name):
        found = entries.entry("pipelines", name)
        try:
            return _read(Path(entries.resource(found, f"{name}.toml")), name)
        except (GeError, OSError, ValueError) as error:
            if isinstance(error, GeError) and error.diagnostics[0].code != "GX-401":
                raise
            raise entries.wrong(found, str(error)) from error
    raise user_error("GX-402", f"no pipeline is called '{name}'", exit_code=ExitCode.USAGE)


@cache
def _own_pipeline(name: str) -> NamedPipeline:
    return _read(_FOLDER / f"{name}.toml", name)


def _read(path: Path, name: str) -> NamedPipeline:
    import tomllib

    data: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
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
    if not is_list(passes) or not all(isinstance(p, str) for p in passes):
        return "passes must be a list of strings"
    if name in STAGE_NAMES and not isinstance(data.get("ge_dump"), str):
        return "a stage needs ge_dump"
    waives = data.get("waives", {})
    if not is_object(waives) or not all(isinstance(r, str) and r for r in waives.values()):
        return "waives must map properties to reasons"
    extra = set(data) - {"version", "title", "passes", "ge_dump", "waives"}
    return f"unknown keys {sorted(extra)}" if extra else None


def named_items(name: str) -> tuple[Item, ...]:
    """Items of a stage or named pipeline; raises `GeError` GX-410 when it includes itself."""
    return _own_items(name) if name in pipeline_names() else _items(name)


@cache
def _own_items(name: str) -> tuple[Item, ...]:
    return _items(name)


def _items(name: str) -> tuple[Item, ...]:
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
