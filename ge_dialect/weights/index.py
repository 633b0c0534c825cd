"""The index of a weight folder: what is in it, where, and the checks on both.

`index.json` is `{"format": "ge-weights", "version": 1, "weights": {name: {"dtype": GE name,
"shape": [...], "shard": file name or null, "key": name inside the shard}}}`. A weight with a null
shard is abstract: it has a type and no bytes.
"""

from __future__ import annotations

import errno
import json
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ge_dialect.diagnostics import GeError, user_error
from ge_dialect.dtypes import ALIASES, BY_NAME

INDEX = "index.json"
FORMAT = "ge-weights"
VERSION = 1
_MAX_RANK = 64


@dataclass(frozen=True)
class Entry:
    """One weight: GE dtype name, shape, shard file name (None: abstract), key in the shard."""

    dtype: str
    shape: tuple[int, ...]
    shard: str | None = None
    key: str = ""


def shard_key(name: str) -> str:
    """Key of a weight inside its shard; safetensors keeps `__metadata__` for itself."""
    return "\\" + name if name.startswith(("__metadata__", "\\")) else name


def write_index(folder: Path, entries: Mapping[str, Entry]) -> None:
    """Write `index.json`, names in order, so that equal stores give equal bytes."""
    weights: dict[str, Any] = {}
    for name in sorted(entries):
        entry = entries[name]
        row: dict[str, Any] = {"dtype": entry.dtype, "shape": list(entry.shape)}
        row["shard"] = entry.shard
        if entry.shard is not None and entry.key != name:
            row["key"] = entry.key
        weights[name] = row
    document = {"format": FORMAT, "version": VERSION, "weights": weights}
    text = json.dumps(document, indent=0, ensure_ascii=True) + "\n"
    (folder / INDEX).write_text(text, encoding="ascii")


def read_index(folder: Path) -> dict[str, Entry]:
    """Read and check `index.json`. Raises `GeError` GX-300, GX-301 or GX-302."""
    path = inside(folder, INDEX)
    try:
        check_regular(path)
        document = json.loads(path.read_bytes())
    except FileNotFoundError:
        raise user_error(
            "GX-300",
            f"no weight folder at {str(folder)!r}",
            found="no folder" if not folder.is_dir() else f"no {INDEX} in it",
            hint="keep the folder beside the text that names it, or pass --weights DIR",
        ) from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise user_error("GX-300", f"cannot read {str(path)!r}: {reason}") from None
    except (ValueError, RecursionError) as error:
        raise _bad(path, f"is not JSON ({error})") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise _bad(path, "is not the index of a weight folder")
    if document.get("version") != VERSION:
        raise _bad(
            path,
            "has another version",
            found=repr(document.get("version")),
            expected=str(VERSION),
        )
    weights = document.get("weights")
    if not isinstance(weights, dict):
        raise _bad(path, "has no table of weights")
    return {name: _read_entry(path, name, row) for name, row in weights.items()}


def _bad(path: Path, what: str, **fields: Any) -> GeError:
    return user_error("GX-301", f"weight index {str(path)!r} {what}", **fields)


def _read_entry(path: Path, name: str, row: Any) -> Entry:
    where = f"describes {name!r} wrongly"
    if not isinstance(row, dict) or set(row) - {"dtype", "shape", "shard", "key"}:
        raise _bad(path, where, found=str(row)[:120], expected="dtype, shape, shard and key")
    dtype, shape, shard = row.get("dtype"), row.get("shape"), row.get("shard")
    key = row.get("key", name)
    if not isinstance(dtype, str) or ALIASES.get(dtype, dtype) not in BY_NAME:
        raise _bad(path, where, found=f"dtype {dtype!r}")
    if (
        not isinstance(shape, list)
        or len(shape) > _MAX_RANK
        or not all(type(n) is int and n >= 0 for n in shape)
    ):
        raise _bad(path, where, found=f"shape {str(shape)[:80]}")
    if not isinstance(key, str) or not (shard is None or isinstance(shard, str)):
        raise _bad(path, where, found=f"shard {shard!r}, key {key!r}"[:120])
    if shard is not None:
        check_shard_name(shard)
    return Entry(ALIASES.get(dtype, dtype), tuple(shape), shard, key)


def check_shard_name(name: str) -> None:
    """Refuse (GX-302) anything but the plain name of a file."""
    if (
        not name
        or name in (".", "..")
        or name == INDEX
        or any(c in name for c in "/\\:\0")
        or len(name) > 255
    ):
        raise user_error(
            "GX-302",
            "a shard must be a plain file name in the weight folder",
            found=repr(name[:120]),
        )


def check_regular(path: Path) -> None:
    """Raise `OSError` for anything but a file with bytes: opening a pipe would wait for ever."""
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode):
        number = errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL
        raise OSError(number, "Is a directory" if stat.S_ISDIR(mode) else "not a regular file")


def inside(folder: Path, name: str) -> Path:
    """`folder/name`, refused (GX-302) when a link leads it out of the folder."""
    path = folder / name
    real, base = os.path.realpath(path), os.path.realpath(folder)
    if os.path.dirname(real) != base:
        raise user_error("GX-302", f"{str(path)!r} leads out of the weight folder", found=real)
    return path


def side_folders(path: str | os.PathLike[str]) -> tuple[Path, ...]:
    """Where files that belong to a file are looked for: beside its name, then beside what it is.

    The two differ where the name is a symbolic link. "-" is standard input: the working folder.
    """
    name = Path(path)
    if os.fspath(path) == "-":
        return (Path(),)
    real = Path(os.path.realpath(name)).parent
    return (name.parent,) if real == Path(os.path.realpath(name.parent)) else (name.parent, real)


def beside(text_path: str | os.PathLike[str], relative: str) -> Path:
    """Folder named by `ge.weights` in a text: beside or below it, never outside (GX-302).

    A text that is read through a symbolic link has it beside the link, or beside the file that the
    link leads to; the first that is there counts, and neither may lead out of where it stands.
    """
    parts = Path(relative).parts
    if not relative or Path(relative).is_absolute() or ".." in parts or "\0" in relative:
        raise user_error(
            "GX-302",
            "ge.weights must name a folder beside the text",
            found=repr(relative[:120]),
            expected="a relative path without '..'",
        )
    bases = side_folders(text_path)
    for base in bases:
        folder = base / relative
        real, root = os.path.realpath(folder), os.path.realpath(base)
        if os.path.commonpath([real, root]) != root:
            raise user_error("GX-302", f"{str(folder)!r} leads out of the folder of the text")
        if os.path.lexists(folder):
            return folder
    return bases[0] / relative


def new_beside(output: str | os.PathLike[str], label: str = "") -> Path:
    """Folder for the weights of a text that is going to be written, named after its file.

    What is written to a symbolic link goes to the file that the link leads to, and so do the
    weights. Raises `GeError` GX-310 where a folder beside the link would be read in their place.
    """
    name = Path(output)
    target = Path(os.path.realpath(name)) if name.is_symlink() else name
    folder = target.parent / f"{target.name.removesuffix('.mlir')}{label}.weights"
    near = name.parent / folder.name
    if os.path.lexists(near) and os.path.realpath(near) != os.path.realpath(folder):
        raise user_error(
            "GX-310",
            f"{str(near)!r} would be read in place of the weights of {str(name)!r}",
            found=f"a link to {str(target)!r}, beside which its weights go",
            hint="name the file itself, or take the folder away",
        )
    return folder


def name_beside(output: str | os.PathLike[str], folder: str | os.PathLike[str]) -> str | None:
    """What a text written to `output` calls a weight folder; None where it cannot name it."""
    base = os.path.realpath(side_folders(output)[-1])
    relative = os.path.relpath(os.path.realpath(folder), base)
    return None if Path(relative).parts[:1] in ((), ("..",)) else relative
