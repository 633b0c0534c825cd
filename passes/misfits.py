"""Constants that do not fit the weights they name, looked for once the weights are open.

A run opens the weight store only where a pass asks for it, so that most runs read none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ge_dialect.diagnostics import GeError

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Attribute, Operation

    from ge_dialect.diagnostics import Diagnostic
    from ge_dialect.ir.attributes import WeightAttr
    from ge_dialect.weights.check import WeightCheck
    from passes.context import PassContext


class Misfits:
    """Compares the constants of a run with the weights of its context."""

    def __init__(self, ctx: PassContext) -> None:
        self._ctx = ctx
        self._check: WeightCheck | None = None
        self._given: Mapping[tuple[WeightAttr, Attribute], Operation] = {}

    def begin(self, module: ModuleOp) -> None:
        """Note which constants came with the input: those are no pass's fault."""
        if self._ctx.has_weights:
            from ge_dialect.weights.check import weight_constants

            self._given = weight_constants(module)

    def look(self, module: ModuleOp) -> tuple[list[Diagnostic], list[Diagnostic]]:
        """What is wrong with the input, and with what passes made; nothing while unopened."""
        if not self._ctx.weights_opened:
            return [], []
        if self._check is None:
            from ge_dialect.weights.check import WeightCheck

            self._check = WeightCheck(self._ctx.weights)
            given = self._check.problems_of(self._given)
            if given:
                return given, []
        return [], self._check.problems(module)

    def before_lowering(self, module: ModuleOp) -> list[Diagnostic]:
        """All that is wrong, with the weights opened for it; none where there are no weights."""
        try:
            if self._ctx.weights is None:
                return []
        except GeError as error:
            if error.diagnostics[0].code == "GX-300":  # no folder; a model that is timed needs none
                return []
            raise
        given, made = self.look(module)
        return [*given, *made]
