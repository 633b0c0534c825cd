"""What installed packages offer through entry points, found when it is needed.

Each group is a kind of thing and each entry point one thing by its name::

    [project.entry-points."ge_opt.operators"]
    HardClamp = "ge_clamp.ops:HardClamp"

So a name clash shows without importing anything, and only what is used is imported. The metadata
of installed packages is read once, when a name is met that is not ours, or for a listing.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NoReturn

from ge_dialect.diagnostics import Diagnostic, GeError, user_error
from ge_dialect.plugins.journal import Source, fault, foreign_code, is_interrupt

PREFIX = "ge_opt."
#: Group (without prefix) -> what one of its entries is called in messages.
GROUPS: dict[str, str] = {
    "operators": "operator",
    "semantics": "semantics",
    "kernels": "kernel",
    "targets": "target data",
    "onnx": "ONNX rule",
    "passes": "pass",
    "patterns": "pattern",
    "pipelines": "pipeline",
    "socs": "SoC",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry point: `value` is "module:attribute" or "module"."""

    group: str
    name: str
    value: str
    source: Source

    def __str__(self) -> str:
        return f"{GROUPS.get(self.group, self.group)} '{self.name}'"


_index: dict[str, dict[str, list[Entry]]] | None = None
_projects: list[Entry] = []
_values: dict[Entry, Any] = {}


def offers(group: str, name: str) -> bool:
    """Whether a plug-in has something of that name; imports none."""
    return name in _entries().get(group, ())


def names(group: str) -> list[str]:
    """All names of a group, sorted."""
    return sorted(_entries().get(group, ()))


def entry(group: str, name: str) -> Entry:
    """The entry of that name. Raises KeyError, or `GeError` GX-022 where several packages have one.

    A project folder that was loaded goes before an installed package.
    """
    found = _entries()[group][name]
    loaded = [e for e in found if e.source.path is not None]
    if len(loaded or found) > 1:
        raise GeError(_duplicate(loaded or found))
    return (loaded or found)[0]


def value_of(found: Entry, check: Callable[[Any], str | None] | None = None) -> Any:
    """Import what an entry names.

    check: says what is wrong with the value, None where nothing is. Raises `GeError` GX-020 for
    what cannot be imported, GX-021 for a wrong value; both name the distribution.
    """
    if found in _values:
        return _values[found]
    module, _, attribute = found.value.partition(":")
    with foreign_code(found.source):
        try:
            value: Any = import_module(module)
            for part in attribute.split(".") if attribute else ():
                value = getattr(value, part)
        except GeError:
            raise
        except BaseException as error:  # foreign code may raise anything
            _broken(found, error)
        problem = check(value) if check is not None else None
        if problem is not None:
            raise wrong(found, problem)
    _values[found] = value
    return value


def provide(group: str, name: str, check: Callable[[Any], str | None] | None = None) -> Any:
    """Import the thing of that name; as `entry` and `value_of`."""
    return value_of(entry(group, name), check)


def resource(found: Entry, filename: str) -> str:
    """Path of a data file in the package an entry names, which is not imported for it.

    Raises `GeError` GX-020 where there is no such package or file.
    """
    from importlib.util import find_spec

    try:
        spec = find_spec(found.value)
    except BaseException as error:  # its parent package is imported
        _broken(found, error)
    folders = [] if spec is None else list(spec.submodule_search_locations or ())
    for folder in folders:
        path = os.path.join(folder, filename)
        if os.path.isfile(path):
            return path
    what = f"no file {filename} in it" if folders else f"no package {found.value}"
    raise user_error(
        "GX-020",
        f"plug-in {found.source.label}: {found} cannot be loaded from {found.value}",
        found=what,
        expected=f"a package that holds {filename}",
    )


def wrong(found: Entry, problem: str, expected: str | None = None) -> GeError:
    """The error for an entry whose value is not what its group asks for."""
    return user_error(
        "GX-021",
        f"plug-in {found.source.label}: {found} is wrong: {problem}",
        found=found.value,
        expected=expected,
    )


def _broken(found: Entry, error: BaseException) -> NoReturn:
    if is_interrupt(error):
        raise error
    raise user_error(
        "GX-020",
        f"plug-in {found.source.label}: {found} cannot be loaded from {found.value}",
        found=fault(error),
        hint="the plug-in is broken, or does not fit this version; tell its authors",
    ) from error


# ------------------------------------------------------------------------------------ listing


def all_entries() -> list[Entry]:
    """Every entry, by source, group and name."""
    found = [e for table in _entries().values() for same in table.values() for e in same]
    order = {group: i for i, group in enumerate(GROUPS)}
    return sorted(found, key=lambda e: (e.source.label, order.get(e.group, 99), e.name))


def problems(taken: Callable[[str, str], bool]) -> list[Diagnostic]:
    """What is wrong with the metadata alone: unknown groups, names given twice or `taken` by ours
    (asked with group and name). Warnings; no plug-in is imported."""
    out: list[Diagnostic] = []
    for group, table in _entries().items():
        for name, found in table.items():
            first = found[0]
            if group not in GROUPS:
                out.append(_unknown_group(first))
            elif taken(group, name):
                out += [_taken(e) for e in found]
            elif len({e.source.path is None for e in found}) == 1 and len(found) > 1:
                out.append(_duplicate(found, "warning"))
    return sorted(out, key=lambda d: d.message)


def _duplicate(found: list[Entry], severity: Any = "error") -> Diagnostic:
    who = " and ".join(sorted(e.source.label for e in found))
    return Diagnostic(
        "GX-022",
        f"plug-ins {who} both have a {found[0]}",
        severity,
        found=", ".join(e.value for e in found),
        hint="uninstall one of them",
    )


def _taken(found: Entry) -> Diagnostic:
    return Diagnostic(
        "GX-023",
        f"plug-in {found.source.label}: {found} has a name that is taken, and is not used",
        "warning",
        found=found.value,
    )


def _unknown_group(found: Entry) -> Diagnostic:
    from difflib import get_close_matches

    near = get_close_matches(found.group, GROUPS, n=1, cutoff=0.4)
    return Diagnostic(
        "GX-024",
        f"plug-in {found.source.label}: there is no entry point group '{PREFIX}{found.group}'",
        "warning",
        expected=", ".join(PREFIX + g for g in GROUPS),
        hint=f"did you mean '{PREFIX}{near[0]}'?" if near else None,
    )


# ----------------------------------------------------------------------------------- scanning


def _entries() -> dict[str, dict[str, list[Entry]]]:
    global _index
    if _index is None:
        _index = {}
        for found in (*_projects, *_installed()):
            same = _index.setdefault(found.group, {}).setdefault(found.name, [])
            if found not in same:
                same.append(found)
    return _index


def rescan() -> None:
    """Read the metadata again on the next question (packages were installed meanwhile)."""
    global _index
    _index = None


def add_project(entries: Iterable[Entry]) -> None:
    """Offer the entries of a project folder."""
    _projects.extend(entries)
    rescan()


def remove_project(source: Source) -> None:
    """Take the entries of a project folder back."""
    _projects[:] = [e for e in _projects if e.source != source]
    for found in [e for e in _values if e.source == source]:
        del _values[found]
    rescan()


def _installed() -> Iterator[Entry]:
    if not _something_installed():
        return
    from importlib.metadata import distributions

    seen: set[str] = set()
    for dist in distributions():
        try:
            points = [p for p in dist.entry_points if p.group.startswith(PREFIX)]
            name = dist.metadata["Name"] if points else ""
            version = dist.version if points else ""
        except Exception:  # metadata of others that cannot be read is no business of ours
            continue
        if not points or name in seen:  # the first on the path is the one that is imported
            continue
        seen.add(name)
        source = Source(f"{name or 'without a name'} {version or ''}".strip())
        for point in points:
            value = point.value.partition("[")[0].strip()  # "module:name [extra]" asks for extras
            yield Entry(point.group.removeprefix(PREFIX), point.name, value, source)


def _something_installed() -> bool:
    """Whether any metadata on the path mentions one of our groups.

    importlib.metadata costs 30 ms to import; reading the small files costs 1 ms.
    """
    for place in sys.path:
        try:
            with os.scandir(place or ".") as items:
                folders = [e.path for e in items if e.name.endswith((".dist-info", ".egg-info"))]
        except NotADirectoryError:
            return True  # an archive: importlib.metadata can read it
        except OSError:
            continue
        for folder in folders:
            try:
                with open(os.path.join(folder, "entry_points.txt"), "rb") as file:
                    if PREFIX.encode() in file.read():
                        return True
            except OSError:
                continue
    return False
