"""Writes `docs/reference/kit.md` from the code: ``python -m passes.testing.docgen [--check]``."""

from __future__ import annotations

import dataclasses
import inspect
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from ge_dialect.tools.generated import write_generated
from passes.testing.reference import SECTIONS, Entry

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "kit.md"
_HEAD = """\
# The kit

Written by `python -m passes.testing.docgen` from the code; edit that. [The guide](../kit.md) tells
the same as a story. Names are those of `passes.testing` where no module is given; examples are run
by the tests, in a folder that holds `examples/`.
"""
#: Defaults longer than this say little; the type says more.
_LONG = 28
#: What each kind of inputs is for.
_KINDS = {
    "exact": "small integers and quarters; sums and products of them are exact in float32",
    "ordinary": "random numbers of full precision, so that rounding shows",
    "special": "NaN, infinities, -0.0, denormals, extremes of the dtype, among small numbers",
    "extreme": "huge and tiny magnitudes only",
    "zeros": "0.0 and -0.0",
    "fp16": "`ordinary`, but every value is one of float16",
    "bf16": "`ordinary`, but every value is one of bfloat16",
}


def resolve(entry: Entry) -> Any:
    """The object an entry is about."""
    module, _, name = entry.target.partition(":")
    return getattr(import_module(f"passes.testing.{module}"), name)


def page_text() -> str:
    """The page."""
    parts = [_HEAD]
    for section in SECTIONS:
        parts.append(f"\n## {section.title}\n\n{section.text}\n")
        parts += [f"\n{_TABLES[name]()}" for name in section.tables]
        parts += [_entry_text(entry) for entry in section.entries]
    return "".join(parts)


def _entry_text(entry: Entry) -> str:
    from passes.testing import __all__ as short

    what = resolve(entry)
    module = entry.target.partition(":")[0]
    where = "" if entry.name in short else f"`passes.testing.{module}`. "
    doc = _markdown(inspect.getdoc(what) or "")
    parts = [
        f"\n### `{entry.name}`\n\n```text\n{signature(what, entry.name)}\n```\n\n{where}{doc}\n"
    ]
    rows = [f"| `{name}` | {line} |\n" for name, line in _methods(what)]
    if rows:
        parts.append("\n| member | |\n|---|---|\n" + "".join(rows))
    parts.append(f"\n```python\n{entry.example}\n```\n")
    return "".join(parts)


def _markdown(doc: str) -> str:
    """A docstring as Markdown: its literal blocks and roles become code."""
    out: list[str] = []
    block = False
    for line in doc.replace("``", "`").replace("<", "&lt;").splitlines():
        if line.endswith("::"):
            line = line[:-1]
        indented = line.startswith("    ")
        if indented and not block:
            out.append("```text")
        elif block and line and not indented:
            out[-1:] = ["```", ""] if out[-1] == "" else [out[-1], "```"]
        block = indented or (block and not line)
        out.append(line[4:] if indented else line)
    return "\n".join([*out, "```"] if block else out)


def signature(what: Any, name: str) -> str:
    """A call as text: one line, or one parameter a line; long defaults are "…"."""
    if isinstance(what, type) and not dataclasses.is_dataclass(what):
        return f"class {name}"
    found = inspect.signature(what)
    shown: list[str] = []
    keyword = False
    for p in found.parameters.values():
        if p.kind is p.KEYWORD_ONLY and not keyword:
            keyword = True
            shown.append("*")
        star = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
        text = star + p.name
        if p.annotation is not p.empty:
            text += f": {p.annotation}"
        if p.default is not p.empty:
            value = repr(p.default)
            text += f" = {value if len(value) <= _LONG and '<' not in value else '…'}"
        shown.append(text)
    returns = "" if isinstance(what, type) else f" -> {found.return_annotation}"
    line = f"{name}({', '.join(shown)}){returns}"
    if len(line) <= 100:
        return line
    return f"{name}(\n" + "".join(f"    {s},\n" for s in shown) + f"){returns}"


def _methods(what: Any) -> list[tuple[str, str]]:
    """Public methods and properties of a class, with the first line of what they say."""
    if not isinstance(what, type):
        return []
    out: list[tuple[str, str]] = []
    members: dict[str, Any] = dict(vars(what))
    for name, held in members.items():
        if name.startswith(("_", "test_")):
            continue
        if isinstance(held, property):
            shown, doc = name, held.__doc__
        elif isinstance(held, classmethod | staticmethod):
            shown, doc = f"{name}(…)", held.__doc__
        elif inspect.isfunction(held):
            shown, doc = f"{name}(…)", held.__doc__
        else:
            continue
        out.append((shown, " ".join((doc or "").strip().partition("\n\n")[0].split())))
    return out


# -------------------------------------------------------------------------------------- tables


def _table(head: str, rows: Sequence[Sequence[str]]) -> str:
    bars = "|" + "---|" * (head.count("|") - 1)
    return f"{head}\n{bars}\n" + "".join(f"| {' | '.join(r)} |\n" for r in rows)


def _properties() -> str:
    from passes.testing.properties import ALL

    rows = [
        (
            f"`{p.name}`",
            p.doc,
            "yes" if p.waivable else "no",
            "every graph" if p.share == 1 else f"1 of {p.share}",
        )
        for p in ALL
    ]
    return _table("| property | holds where | can be waived | checked on |", rows)


def _profiles() -> str:
    from passes.testing.graphs import PROFILES

    names = [f.name for f in dataclasses.fields(next(iter(PROFILES.values())))][1:]
    head = "| profile | " + " | ".join(f"`{n}`" for n in names) + " |"
    return _table(
        head, [(f'"{p.name}"', *(f"{getattr(p, n):g}" for n in names)) for p in PROFILES.values()]
    )


def _knob_profiles() -> str:
    from passes.testing.knobs import PROFILES, Knobs

    base = Knobs()
    rows: list[tuple[str, str]] = []
    for name, knobs in PROFILES.items():
        changed = [
            f"{f.name}={getattr(knobs, f.name)!r}"
            for f in dataclasses.fields(Knobs)
            if getattr(knobs, f.name) != getattr(base, f.name)
        ]
        rows.append((f'"{name}"', f"`{', '.join(changed)}`" if changed else "the defaults"))
    return _table("| `PROFILES` | other than the defaults |", rows)


def _kinds() -> str:
    from passes.testing.inputs import KINDS

    return _table("| kind | values |", [(f"`{k}`", _KINDS[k]) for k in KINDS])


def _command() -> str:
    from passes.testing.command import arguments

    rows = [
        (f"`{(action.option_strings or [action.dest])[0]}`", action.help or "")
        for action in arguments()._actions
        if action.dest != "help"
    ]
    return _table("| `python -m passes.testing.check` | |", rows)


def _codes() -> str:
    from ge_dialect.codes import CODES

    rows = [(code, title) for code, title in CODES.items() if "GX-440" <= code <= "GX-445"]
    return _table("| code | what |", rows)


_TABLES: dict[str, Callable[[], str]] = {
    "codes": _codes,
    "command": _command,
    "kinds": _kinds,
    "knob profiles": _knob_profiles,
    "profiles": _profiles,
    "properties": _properties,
}


def main(argv: Sequence[str] | None = None) -> int:
    """Write the page; with `--check` only compare, status 1 where it is out of date."""
    return write_generated(PAGE, page_text(), "passes.testing.docgen", argv)


if __name__ == "__main__":
    sys.exit(main())
