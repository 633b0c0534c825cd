"""Properties of the IR that passes require, establish or destroy.

A pipeline is checked against them before it runs: a required property must hold on the input or be
established by an earlier pass. Add a line here for a new property; its probe looks at a module and
says whether the property holds, reading as little as it can.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from ge_dialect.diagnostics import Diagnostic, ExitCode, GeError
from passes.pipeline import PassItem
from passes.registry import PASSES, pass_class

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp


@dataclass(frozen=True, slots=True)
class Property:
    """Name, meaning and probe ("module:function", taking the module) of one property."""

    name: str
    doc: str
    probe: str

    def holds(self, module: ModuleOp) -> bool:
        """Whether `module` has the property."""
        where, _, attribute = self.probe.partition(":")
        return bool(getattr(import_module(where), attribute)(module))


PROPERTIES: dict[str, Property] = {
    p.name: p
    for p in (
        Property("graph", "holds ge.graph, not yet lowered to rt", "passes.probes:is_graph"),
        Property(
            "normalized-io",
            "every graph argument enters through one ge.Data",
            "passes.probes:has_normalized_io",
        ),
        Property(
            "shapes-known",
            "no value has an unknown rank or dimension",
            "passes.probes:has_known_shapes",
        ),
        Property("engines-claimed", "every node has ge.engine", "passes.probes:has_engines"),
        Property(
            "layouts-assigned",
            "layouts agree on every edge and TransData stands where they change",
            "passes.probes:has_layouts",
        ),
        Property("streams-assigned", "every node has ge.stream", "passes.probes:has_streams"),
        Property("memory-planned", "every value has an offset", "passes.probes:has_memory_plan"),
        Property("lowered", "holds rt.model", "passes.probes:is_lowered"),
    )
}


def check_order(items: Iterable[PassItem], module: ModuleOp) -> None:
    """Check that everything the passes require is there when they run, in the given order.

    Raises `GeError` (usage) with one GX-405 for every pass whose needs are not met.
    """
    state: dict[str, bool] = {}
    problems: list[Diagnostic] = []
    for item in items:
        contract = item.cls.contract
        for need in contract.requires:
            if need not in state:
                known = PROPERTIES.get(need)
                state[need] = known is not None and known.holds(module)
            if not state[need]:
                problems.append(_unmet(item, need))
        for gone in contract.destroys:
            state[gone] = False
        for new in contract.establishes:
            state[new] = True
    if problems:
        raise GeError(problems, ExitCode.USAGE)


def _unmet(item: PassItem, need: str) -> Diagnostic:
    sources = [n for n in sorted(PASSES) if need in pass_class(n).contract.establishes]
    known = PROPERTIES.get(need)
    return Diagnostic(
        "GX-405",
        f"pass '{item.name}' requires '{need}', which neither holds on the input nor is "
        "established before it",
        expected=known.doc if known else None,
        hint=f"run one of these first: {', '.join(sources)}" if sources else None,
        pass_name=item.name,
    )
