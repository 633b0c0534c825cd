"""What a pass is: a small frozen dataclass with options, a contract and a `run` method."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from passes.context import PassContext

EXACT = "exact"
REASSOCIATES = "reassociates"


def precision(dtype: str) -> str:
    """Value promise of a pass that may lower precision to `dtype` (GE name, "float16")."""
    return f"precision({dtype})"


@dataclass(frozen=True, slots=True)
class Contract:
    """What a pass promises and what it needs.

    values: ``"exact"``, ``"reassociates"`` or ``precision(dtype)``.
    requires / establishes / destroys: names of IR properties (see `passes.properties`).
    preserves: names of analyses that stay valid although the pass changed the module.
    grows: whether the pass may increase the number of operations.
    reads_only: the pass looks and reports, and changes nothing.
    """

    values: str = EXACT
    requires: tuple[str, ...] = ()
    establishes: tuple[str, ...] = ()
    preserves: tuple[str, ...] = ()
    grows: bool = False
    destroys: tuple[str, ...] = ()
    reads_only: bool = False


@dataclass(frozen=True, slots=True)
class AtLeast:
    """The smallest value of a numeric option: ``max_bytes: Annotated[int, AtLeast(0)] = 64``."""

    least: float


@dataclass(frozen=True, slots=True)
class PassResult:
    """Outcome of a run: whether the module changed, and named counters for statistics."""

    changed: bool
    counters: Mapping[str, int] = field(default_factory=dict[str, int])

    @classmethod
    def from_counters(cls, counters: Mapping[str, int]) -> PassResult:
        """A result that counts as a change when any counter is positive."""
        return cls(any(counters.values()), dict(counters))


@dataclass(frozen=True)
class Pass:
    """Base of all passes.

    A subclass is a frozen dataclass in a file of the pass's name (``-`` becomes ``_``). Its fields
    are the options: int, float, bool, str, a tuple of those, ``Literal[...]`` or ``... | None``,
    always with a default; ``Annotated[int, AtLeast(0)]`` says the smallest number there may be. Its
    docstring holds a before and an after example, which run as tests.
    A user's error goes to ``ctx.sink``; exceptions are bugs of the pass.
    """

    name: ClassVar[str] = ""
    stage: ClassVar[str] = ""
    contract: ClassVar[Contract] = Contract()
    #: False: named pipelines leave the pass out unless it is enabled by name.
    enabled: ClassVar[bool] = True
    #: Where `--enable-pass` puts the pass in a stage that does not list it: "end" or "start".
    joins: ClassVar[str] = "end"
    #: Properties of the kit (`passes.testing.properties`) that do not hold for the pass, each with
    #: the reason, which its page shows. Only those that are no matter of correctness can be waived.
    waives: ClassVar[Mapping[str, str]] = {}

    def run(self, module: ModuleOp, ctx: PassContext) -> PassResult:
        """Transform `module` in place and say whether anything changed."""
        raise NotImplementedError

    @classmethod
    def option_fields(cls) -> tuple[dataclasses.Field[Any], ...]:
        """The dataclass fields that are options, in declaration order."""
        return dataclasses.fields(cls)

    @classmethod
    def summary(cls) -> str:
        """First line of the docstring."""
        return (cls.__doc__ or "").strip().split("\n", 1)[0]

    def options(self) -> dict[str, Any]:
        """Options that differ from their defaults, in declaration order."""
        changed: dict[str, Any] = {}
        for f in dataclasses.fields(self):
            value = getattr(self, f.name)
            if f.default_factory is not dataclasses.MISSING:
                default: Any = f.default_factory()
            else:
                default = f.default
            if value != default:
                changed[f.name] = value
        return changed
