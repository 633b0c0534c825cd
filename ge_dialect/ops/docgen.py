"""Writes `docs/reference/operators.md`: `python -m ge_dialect.ops.docgen [--check]`."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ge_dialect.ir.kinds import write_attr
from ge_dialect.ops._index import MODULES
from ge_dialect.ops.from_data import RULES
from ge_dialect.ops.registry import op_class
from ge_dialect.tools.generated import write_generated

if TYPE_CHECKING:
    from ge_dialect.ir.base import AttrSpec, GeOp, SlotSpec

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "operators.md"
_HEAD = """\
# Operators

Written by `python -m ge_dialect.ops.docgen` from the classes and data files; edit those.

Inputs marked `?` are optional, those marked `*` dynamic (any number), `&` is a ref to state, `~` a
tensor or a ref. Where a list of dtypes has a name (`T`), all tensors of that name share one dtype.
An attribute with `=` has a default, one with `?` is optional, the others are required. Effects are
named where there are any. Groups of dtypes are explained at the end.

"""


def page_text() -> str:
    """The page: operators with semantics by family, then those of the tail."""
    families: dict[str, list[str]] = {}
    for name, module in MODULES.items():
        families.setdefault(module, []).append(name)
    core = sorted(f for f in families if not f.startswith("tail."))
    tail = sorted(f for f in families if f.startswith("tail."))
    parts = [_HEAD, "| part | operators |\n|---|---|\n"]
    for family in (*core, *tail):
        title = _title(family)
        links = ", ".join(f"[{n}](#{n.lower()})" for n in sorted(families[family]))
        parts.append(f"| {title} | {links} |\n")
    parts.append("\n# Operators with semantics\n")
    for family in core:
        parts.append(f"\n## Family: {_title(family)}\n\n`ge_dialect/ops/{family}.py`\n")
        parts += [_op_text(n) for n in sorted(families[family])]
    parts.append(
        "\n# The tail\n\nKnown by inputs, outputs and attributes; without golden semantics yet.\n"
    )
    for family in tail:
        parts.append(
            f"\n## Family: {_title(family)}\n\n`ge_dialect/ops/{family.replace('.', '/')}.py`\n"
        )
        parts += [_op_text(n) for n in sorted(families[family])]
    parts.append(_groups())
    return "".join(parts)


def _title(family: str) -> str:
    name = family.removeprefix("tail.").replace("_", " ")
    return f"{name} (tail)" if family.startswith("tail.") else name


def _op_text(name: str) -> str:
    cls = op_class(name)
    table = cls.ge_table()
    lines = [f"\n### {name}\n\n{inspect.cleandoc(cls.__doc__ or '')}\n"]
    given = "; ".join(map(_slot, table.inputs))
    made = "; ".join(map(_slot, table.outputs))
    lines.append(f"\n- `{name}({given}) -> ({made})`\n")
    if table.attrs:
        lines.append("- attributes: " + ", ".join(map(_attr, table.attrs.values())) + "\n")
    if table.graphs:
        graphs = ", ".join(f"`{g.name}{'*' if g.dynamic else ''}`" for g in table.graphs)
        lines.append(f"- graphs: {graphs}\n")
    if table.types:
        types = "; ".join(f"`{k}`: {v}" for k, v in table.types.items())
        lines.append(f"- dtypes: {types}\n")
    effects = _effects(cls)
    if effects:
        lines.append(f"- effects: {effects}\n")
    if MODULES[name].startswith("tail."):
        lines.append(f"- result types: {_rule(cls)}\n")
    return "".join(lines)


def _slot(slot: SlotSpec) -> str:
    marks = ("", "*", "?")[slot.kind] + ("~" if slot.is_any else "&" if slot.is_ref else "")
    return f"{slot.name}{marks}: {slot.dtypes}"


def _attr(spec: AttrSpec) -> str:
    text = f"`{spec.name}: {spec.kind.name}"
    if spec.default is not None:
        value = (
            spec.kind.write(spec.default) if spec.kind.name != "Any" else write_attr(spec.default)
        )
        text += f" = {value}"
    elif not spec.required:
        text += "?"
    return text + "`"


def _effects(cls: type[GeOp]) -> str:
    effects = cls.EFFECTS
    words = []
    if effects.reads:
        words.append("reads " + ", ".join(f"`{r}`" for r in effects.reads))
    if effects.writes:
        words.append("writes " + ", ".join(f"`{w}`" for w in effects.writes))
    if effects.channel:
        words.append(f"input and output on `{effects.channel}`")
    if not words and not effects.is_pure:
        words.append("undeclared" if effects.kind.value == "unknown" else effects.kind.value)
    return ", ".join(words)


def _rule(cls: type[GeOp]) -> str:
    own = getattr(cls.ge_infer, "__func__", None)
    for rule in RULES.values():
        if rule is own:
            doc = inspect.cleandoc(rule.__doc__ or "").splitlines()[0]
            return doc[0].lower() + doc[1:].rstrip(".")
    return "as declared"


def _groups() -> str:
    from ge_dialect.dtypes import GROUPS

    rows = ["\n# Groups of dtypes\n\n| group | dtypes |\n|---|---|\n"]
    rows += [f"| {name} | {', '.join(members)} |\n" for name, members in GROUPS.items()]
    return "".join(rows)


def main(argv: Sequence[str] | None = None) -> int:
    """Write the page; with `--check` only compare, status 1 where it is out of date."""
    return write_generated(PAGE, page_text(), "ge_dialect.ops.docgen", argv)


if __name__ == "__main__":
    sys.exit(main())
