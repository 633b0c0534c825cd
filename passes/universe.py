"""Our passes and named pipelines in stock `xdsl-opt`, under names beginning with ``ge-``.

What the user or a plug-in registers is not among them, so the universe does not depend on when
this module is imported. `xdsl-opt` imports this module on every start, so it holds factories only.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from xdsl.universe import Universe

from passes.registry import ALIASES, own_pass_names
from passes.stages import pipeline_names

if TYPE_CHECKING:
    from xdsl.passes import ModulePass


def xdsl_name(name: str) -> str:
    """Name of a pass or pipeline of ours in `xdsl-opt`."""
    return name if name.startswith("ge-") else f"ge-{name}"


def _pass_factory(name: str, shown: str) -> type[ModulePass]:
    """A `ModulePass` called `shown` with the options of our pass."""
    import dataclasses

    from passes.options import option_types, plain_type
    from passes.registry import pass_class

    cls = pass_class(name)
    fields: list[Any] = []
    for field in cls.option_fields():
        kind = plain_type(option_types(cls)[field.name])
        default = dataclasses.field(default=getattr(cls(), field.name))
        fields.append((field.name, kind, default))

    def build(adapter: Any) -> Any:
        return cls(**{f[0]: getattr(adapter, f[0]) for f in fields})

    return _adapter(shown, fields, build)


def _pipeline_factory(name: str) -> type[ModulePass]:
    """A `ModulePass` running a stage or named pipeline."""
    return _adapter(xdsl_name(name), [], lambda adapter: name)


def _adapter(name: str, fields: list[Any], what: Callable[[Any], Any]) -> type[ModulePass]:
    import dataclasses

    from xdsl.passes import ModulePass
    from xdsl.utils.exceptions import PassFailedException

    def apply(self: Any, ctx: Any, op: Any) -> None:
        from ge_dialect.diagnostics import GeError
        from ge_dialect.ir.naming import name_missing
        from passes.manager import run_pipeline

        name_missing(op)
        try:
            run_pipeline(op, what(self), verify="off", reproducer=False)
        except GeError as error:
            raise PassFailedException(str(error)) from error

    class_name = "".join(part.capitalize() for part in name.split("-")) + "Pass"
    made = dataclasses.make_dataclass(
        class_name,
        fields,
        bases=(ModulePass,),
        namespace={"name": name, "apply": apply, "__module__": __name__},
        frozen=True,
    )
    return made


PASSES_UNIVERSE = Universe(
    all_passes={
        **{xdsl_name(n): partial(_pass_factory, n, xdsl_name(n)) for n in own_pass_names()},
        **{xdsl_name(a): partial(_pass_factory, n, xdsl_name(a)) for a, n in ALIASES.items()},
        **{xdsl_name(n): partial(_pipeline_factory, n) for n in pipeline_names()},
    }
)
