"""A pass made of patterns alone: what a plug-in, or a loaded file, need not write."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from passes.base import Contract, Pass, PassResult

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from passes.context import PassContext

#: What a pass of a pattern takes over from the pattern (or its class).
TAKEN_OVER = ("stage", "contract", "enabled", "waives", "joins", "examples")


def kebab(name: str) -> str:
    """ "DropSecondRelu" as the name of a pass, "drop-second-relu"."""
    split = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", name)
    return re.sub(r"[^a-z0-9]+", "-", split.lower()).strip("-")


def pattern_pass(what: Any, name: str | None = None) -> type[Pass]:
    """A pass class that applies a pattern (class or object) or a rule table.

    Its name is that of the pattern in kebab case; its options are the fields of a pattern class
    that is a dataclass. A pattern may say `stage`, `contract`, `enabled`, `waives` and `joins` as
    a pass does; without a `contract` its values are exact and the graph does not grow.
    """
    patterns: Any = getattr(what, "patterns", None)
    if patterns is not None:
        doc = f"The rules of table '{what.name}'.\n\n{what}"
        return _made(what, name or kebab(what.name), doc, (), lambda _: list(patterns))
    cls = _class_of(what)
    doc = cls.__doc__ or ""
    if cls is not what:
        label = name or kebab(what.label)
        return _made(what, label, str(what) if "shape" in dir(what) else doc, (), lambda _: [what])
    label = name or kebab(cls.name or cls.__name__)
    given = dataclasses.fields(cls) if dataclasses.is_dataclass(cls) else ()
    options = tuple(f for f in given if f.init)

    def make(chosen: Any) -> list[Any]:
        return [what(**{f.name: getattr(chosen, f.name) for f in options})]

    return _made(what, label, doc, options, make)


def _class_of(what: object) -> Any:
    """The class that a pattern is, or is of."""
    return what if isinstance(what, type) else type(what)


def _made(
    what: Any,
    name: str,
    doc: str,
    options: Sequence[dataclasses.Field[Any]],
    make: Callable[[Any], list[Any]],
) -> type[Pass]:
    def run(self: Any, module: ModuleOp, ctx: PassContext) -> PassResult:
        from passes.rewriting import apply_patterns

        return PassResult.from_counters(apply_patterns(module, make(self), ctx))

    owner = _class_of(what)
    home = getattr(what, "__module__", owner.__module__)
    given = {n: getattr(what, n) for n in TAKEN_OVER if hasattr(what, n)}
    given |= getattr(what, "claims", {})  # of a rule table
    given.setdefault("contract", Contract())
    namespace = {"name": name, "run": run, "__doc__": doc or f"Apply {name}.", **given}
    fields: list[Any] = []
    for field in options:
        default = field.default
        factory = field.default_factory
        if factory is not dataclasses.MISSING:
            fields.append((field.name, field.type, dataclasses.field(default_factory=factory)))
        else:
            fields.append((field.name, field.type, dataclasses.field(default=default)))
    class_name = "".join(part.capitalize() for part in name.split("-"))
    made: Any = dataclasses.make_dataclass(
        class_name, fields, bases=(Pass,), namespace=namespace, frozen=True
    )
    made.__module__ = home
    return made
