"""Reproducers: the IR, the pipeline and the options of a failed run in one file.

The file is ordinary IR under a comment header::

    // ge-opt reproducer 1
    // error: pass 'cse' raised KeyError: 'x'
    // pipeline: prepare,cse
    // options: {"verify": "each"}
    // run with: ge-opt --run-reproducer FILE
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ge_dialect.containers import is_list, is_object
from ge_dialect.diagnostics import ExitCode, user_error

VERSION = 1
_MAGIC = "// ge-opt reproducer "
#: Options that are numbers, at least 0; whether they are whole.
_NUMBERS = {"max_steps": True, "pass_timeout": False, "rewrite_limit": True, "validate_seed": True}
#: Options that are lists of names or paths.
_NAMES = ("enable", "load")


@dataclass(frozen=True)
class Reproducer:
    """What a reproducer holds; `options` is JSON-able, `error` one line."""

    ir: str
    pipeline: str
    error: str = ""
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def render(self) -> str:
        """The file's text."""
        head = [
            f"{_MAGIC}{VERSION}",
            f"// error: {' '.join(self.error.split())[:300]}",
            f"// pipeline: {self.pipeline}",
            f"// options: {json.dumps(dict(sorted(self.options.items())))}",
            "// run with: ge-opt --run-reproducer FILE",
        ]
        ir = self.ir if self.ir.endswith("\n") else self.ir + "\n"
        text = "\n".join(head) + "\n" + ir
        return text.encode("utf-8", "backslashreplace").decode("utf-8")


def origin_options(passes: Sequence[str]) -> dict[str, Any]:
    """What a reproducer says of foreign code: files to load, and the packages passes came from.

    passes: those that ran, with their options.
    """
    from ge_dialect.plugins import journal
    from ge_dialect.plugins.loading import loaded_paths

    options: dict[str, Any] = {}
    if loaded := loaded_paths():
        options["load"] = loaded
    names = {text.partition("{")[0] for text in passes}
    sources = {name: journal.source_of("pass", name) for name in names}
    packages = {n: s.label for n, s in sources.items() if s is not None and s.path is None}
    if packages:
        options["plugins"] = dict(sorted(packages.items()))
    return options


def is_reproducer(text: str) -> bool:
    """Whether `text` is a reproducer file."""
    return text.startswith(_MAGIC)


def parse_reproducer(text: str, filename: str) -> Reproducer:
    """Read a reproducer; the IR keeps its line numbers. Raises `GeError` GX-412."""

    def bad(message: str, line: int) -> Exception:
        return user_error(
            "GX-412", message, location=f"{filename}:{line}:1", exit_code=ExitCode.USAGE
        )

    if not is_reproducer(text):
        raise bad("this is not a reproducer: its first line is not '// ge-opt reproducer 1'", 1)
    lines = text.split("\n", 6)
    if lines[0][len(_MAGIC) :].strip() != str(VERSION):
        raise bad("reproducer of another version", 1)
    fields: dict[str, str] = {}
    for line in lines[1:5]:
        key, colon, value = line.removeprefix("// ").partition(": ")
        if colon or key.endswith(":"):
            fields[key.rstrip(":")] = value
    if "pipeline" not in fields:
        raise bad("the header names no pipeline", 3)
    try:
        options = json.loads(fields.get("options", "{}"))
    except (ValueError, RecursionError):
        raise bad("the options are not JSON", 4) from None
    if not is_object(options):
        raise bad("the options are not a JSON object", 4)
    for name, whole in _NUMBERS.items():
        if not _is_number(options.get(name), whole):
            kind = "whole" if whole else "finite"
            raise bad(f"the option {name!r} is not a {kind} number, at least 0", 4)
    for name in _NAMES:
        named = options.get(name, [])
        if not is_list(named) or not all(isinstance(n, str) for n in named):
            raise bad(f"the option {name!r} is not a list of names", 4)
    return Reproducer(text, fields["pipeline"], fields.get("error", ""), options)


def _is_number(value: object, whole: bool) -> bool:
    """Whether an option is a finite number that is not negative, or not given."""
    if value is None:
        return True
    if isinstance(value, bool) or not isinstance(value, int if whole else int | float):
        return False
    return 0 <= value < float("inf")


def write_reproducer(reproducer: Reproducer, label: str, folder: str | None = None) -> str | None:
    """Write a reproducer and return its path, or None when it cannot be written.

    The name depends on the contents, so the same failure gives the same file.
    """
    import hashlib
    import tempfile

    from ge_dialect.tools.common import atomic_write

    text = reproducer.render()
    digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:8]
    where = tempfile.gettempdir() if folder is None else folder
    path = os.path.join(where, f"ge-opt-{label}-{digest}.mlir")
    try:
        os.makedirs(where, exist_ok=True)
        atomic_write(path, text)
    except Exception:  # a failure to write it must not hide the failure it describes
        return None
    return path
