"""Work on a graph that all passes share: whether it is one, and what golden semantics make of it.

The same graphs are offered to many passes (random ones, those of a pattern to its pass and to each
pipeline with it), so each is built, verified and evaluated once. Nothing here depends on a pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ge_dialect.diagnostics import GeError
from passes.testing.compare import Bounds, f64_bound
from passes.testing.inputs import input_sets
from passes.testing.limits import is_over_budget, too_large
from passes.testing.observe import Observed, observe
from passes.testing.spec import GraphSpec

if TYPE_CHECKING:
    from ge_dialect.api import Model

#: Sums in another order may overflow on the way where values are larger.
_TAME = 2.0**10


@lru_cache(maxsize=8192)
def is_sound(spec: GraphSpec, operators: int) -> bool:
    """Whether the graph verifies; `operators`: see `golden_of`."""
    from ge_dialect.ir.verifier import verify

    return not any(d.severity == "error" for d in verify(spec.build().module))


@lru_cache(maxsize=8192)
def is_small(spec: GraphSpec) -> bool:
    """Whether all its types are within the limits of the kit."""
    return not too_large(spec)


class Golden:
    """Golden runs of one graph on its inputs, made on demand and kept.

    inputs: in order, one list per kind. over: whether some run ended at the budget. Models given
    to it are builds of the graph that nobody has changed.
    """

    def __init__(self, inputs: Sequence[Sequence[Any]]) -> None:
        self.inputs = [list(one) for one in inputs]
        self.over = False
        self._seen: dict[int, Observed | None] = {}
        self._bounds: dict[tuple[int, str | None], Bounds] = {}

    def at(self, inputs: Sequence[Any]) -> int | None:
        """Which of the inputs these are, known by identity; None where they are others."""
        return next((i for i, held in enumerate(self.inputs) if held is inputs), None)

    def seen(self, model: Model, inputs: Sequence[Any]) -> Observed | None:
        """What a run shows; None where golden semantics refuse the inputs."""
        at = self.at(inputs)
        if at is not None and at in self._seen:
            return self._seen[at]
        try:
            found: Observed | None = observe(model, inputs)
        except GeError as error:
            found = None
            self.over = self.over or is_over_budget(error)
        if at is not None:
            self._seen[at] = found
        return found

    def bounds(self, model: Model, inputs: Sequence[Any], dtype: str | None) -> Bounds:
        """How far values may move, see `f64_bound`."""
        at = self.at(inputs)
        if at is None:
            return f64_bound(model, inputs, dtype=dtype)
        if (at, dtype) not in self._bounds:
            self._bounds[(at, dtype)] = f64_bound(model, inputs, dtype=dtype)
        return self._bounds[(at, dtype)]


@lru_cache(maxsize=1024)
def golden_of(
    spec: GraphSpec, seed: int, kinds: tuple[str, ...], *, tame: bool, operators: int
) -> Golden:
    """Golden runs on drawn inputs.

    tame: without finite values whose sums may overflow. operators: `op_state()`, so that nothing
    is kept from before one was registered or changed.
    """
    found = [list(s.values()) for s in input_sets(spec, seed, kinds)]
    if tame:
        found = [[_tame(a) for a in one] for one in found]
    return Golden(found)


def _tame(array: Any) -> Any:
    """The array without finite values so large that another order of additions overflows."""
    import numpy as np

    if array.dtype.kind in "biuO":
        return array
    with np.errstate(all="ignore"):
        wide = array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)
        large = np.isfinite(wide) & (np.abs(wide) > _TAME)
        return np.where(large, _TAME, wide).astype(array.dtype)


__all__ = ["Golden", "golden_of", "is_small", "is_sound"]
