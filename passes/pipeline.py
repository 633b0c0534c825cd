"""Pipelines as text and as trees.

Grammar (whitespace and comments, from ``#`` or ``//`` to the end of the line, may stand between
tokens)::

    pipeline := [ item { "," item } ]
    item     := name [ options ]                  a pass, a stage or a named pipeline
              | "fix" "(" pipeline ")" [ "{" "max" "=" int "}" ]
              | [ "group" ] "(" pipeline ")" [ "{" "name" "=" string "}" ]
              | "builtin.module" "(" pipeline ")" MLIR's anchor, a plain group here
              | "@" path                          the pipeline in a file
    options  := "{" { key [ "=" value ] [ "," ] } "}"
    value    := scalar { "," scalar } | "[" [ scalar { "," scalar } ] "]"
    scalar   := number | "true" | "false" | "none" | word | string in double quotes

``-`` and ``_`` are the same in option names; an option without a value is ``true``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from ge_dialect.diagnostics import ExitCode, user_error
from passes.base import Pass
from passes.options import format_value
from passes.registry import pass_class

if TYPE_CHECKING:
    from typing_extensions import TypeIs

#: Rounds of `fix(...)` when no `max` is given.
DEFAULT_ROUNDS = 16


@dataclass(frozen=True)
class PassItem:
    """One pass with the options that were given (Python values by field name)."""

    name: str
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    instance: Pass | None = field(default=None, compare=False)

    @property
    def cls(self) -> type[Pass]:
        """The class of the pass."""
        return type(self.instance) if self.instance else pass_class(self.name)

    def build(self) -> Pass:
        """The pass object."""
        return self.instance or pass_class(self.name)(**self.options)

    def __str__(self) -> str:
        options = self.build().options() if self.options or self.instance else {}
        if not options:
            return self.name
        shown = " ".join(f"{k.replace('_', '-')}={format_value(v)}" for k, v in options.items())
        return f"{self.name}{{{shown}}}"


@dataclass(frozen=True)
class NamedItem:
    """A stage or a named pipeline; its items come from data when asked for, unless `given`."""

    name: str
    given: tuple[Item, ...] | None = field(default=None, compare=False)

    @property
    def items(self) -> tuple[Item, ...]:
        """Items of the named pipeline."""
        if self.given is not None:
            return self.given
        from passes.stages import named_items

        return named_items(self.name)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class GroupItem:
    """Items run in order; with `rounds`, again until a round changes nothing."""

    items: tuple[Item, ...]
    label: str | None = None
    rounds: int | None = None

    def __str__(self) -> str:
        inner = ",".join(map(str, self.items))
        if self.rounds is not None:
            extra = "" if self.rounds == DEFAULT_ROUNDS else f"{{max={self.rounds}}}"
            return f"fix({inner}){extra}"
        extra = f"{{name={format_value(self.label)}}}" if self.label else ""
        return f"group({inner}){extra}"


Item = PassItem | NamedItem | GroupItem


@dataclass(frozen=True)
class Pipeline:
    """A parsed pipeline; ``str()`` gives the canonical text, which parses back to an equal one."""

    items: tuple[Item, ...] = ()

    def __str__(self) -> str:
        return ",".join(map(str, self.items))

    def passes(self) -> Iterator[PassItem]:
        """Every pass in running order; bodies of `fix` once."""
        return (item for item, _ in _walk(self.items, False))

    def running(self, disable: Collection[str], enable: Collection[str]) -> Iterator[PassItem]:
        """The passes that a run with these names disabled and enabled would not leave out."""
        for item, named in _walk(self.items, False):
            if not is_left_out(item, named, disable, enable):
                yield item

    def joined(self, names: Collection[str]) -> Pipeline:
        """The same pipeline with passes put into the stages they belong to.

        Each pass in `names` that the pipeline does not hold joins its stage (`Pass.stage`) wherever
        that stands, at the end or the start (`Pass.joins`); one whose stage is not there does not.
        """
        held = {item.name for item in self.passes()}
        joining = [pass_class(name) for name in names if name not in held]
        return Pipeline(tuple(_joined(self.items, joining))) if joining else self

    def expanded(self) -> Pipeline:
        """The same pipeline with stages and named pipelines replaced by their passes."""
        return Pipeline(tuple(_expand(self.items)))

    def with_stages(self) -> list[Item]:
        """Top-level items with named pipelines (not stages) replaced by what they list."""
        from passes.stages import STAGE_NAMES

        flat: list[Item] = []
        for item in self.items:
            if isinstance(item, NamedItem) and item.name not in STAGE_NAMES:
                flat += Pipeline(item.items).with_stages()
            else:
                flat.append(item)
        return flat

    def between(self, start_at: str | None = None, stop_after: str | None = None) -> Pipeline:
        """The part from stage `start_at` to stage `stop_after`, both included.

        Either may also name a pass that stands on the top level. Raises `GeError` GX-402 when a
        name is not part of the pipeline.
        """
        if start_at is None and stop_after is None:
            return self
        flat = self.with_stages()
        names = [getattr(i, "name", "") for i in flat]
        first = 0 if start_at is None else _position(start_at, names, "--start-at")
        last = len(flat) - 1
        if stop_after is not None:
            last = _position(stop_after, names, "--stop-after", last=True)
        if last < first:
            raise user_error(
                "GX-402",
                f"'{stop_after}' comes before '{start_at}' in the pipeline",
                exit_code=ExitCode.USAGE,
            )
        return Pipeline(tuple(flat[first : last + 1]))


def _position(name: str, names: Sequence[str], flag: str, *, last: bool = False) -> int:
    """Place of the first (or last) item of that name."""
    from passes.registry import canonical_name, did_you_mean

    name = canonical_name(name) or name
    if name in names:
        return len(names) - 1 - list(names)[::-1].index(name) if last else list(names).index(name)

    known = [n for n in names if n]
    raise user_error(
        "GX-402",
        f"{flag}: the pipeline has no stage or pass '{name}'",
        expected=", ".join(dict.fromkeys(known)) or "a pipeline with stages",
        hint=did_you_mean(name, known),
        exit_code=ExitCode.USAGE,
    )


def is_left_out(
    item: PassItem, inside_named: bool, disable: Collection[str], enable: Collection[str]
) -> bool:
    """Whether a pass is disabled by name, or off by default inside a stage or named pipeline."""
    if item.name in disable:
        return True
    return inside_named and item.name not in enable and not item.cls.enabled


def _walk(items: Iterable[Item], inside_named: bool) -> Iterator[tuple[PassItem, bool]]:
    for item in items:
        if isinstance(item, PassItem):
            yield item, inside_named
        else:
            yield from _walk(item.items, inside_named or isinstance(item, NamedItem))


def _joined(items: Iterable[Item], joining: Sequence[type[Pass]]) -> Iterator[Item]:
    for item in items:
        if isinstance(item, GroupItem):
            yield GroupItem(tuple(_joined(item.items, joining)), item.label, item.rounds)
        elif isinstance(item, NamedItem):
            old = item.items
            mine = [c for c in joining if c.stage == item.name]
            first = [PassItem(c.name) for c in mine if c.joins == "start"]
            last = [PassItem(c.name) for c in mine if c.joins != "start"]
            new = (*first, *_joined(old, joining), *last)
            # not by ==: what a named item holds is not compared
            same = len(new) == len(old) and all(a is b for a, b in zip(new, old, strict=True))
            yield item if same else NamedItem(item.name, new)
        else:
            yield item


def _expand(items: Iterable[Item]) -> Iterator[Item]:
    for item in items:
        if isinstance(item, NamedItem):
            yield from _expand(item.items)
        elif isinstance(item, GroupItem):
            yield GroupItem(tuple(_expand(item.items)), item.label, item.rounds)
        else:
            yield item


PipelineLike = str | Pipeline | Pass | type[Pass] | Sequence["str | Pass | type[Pass] | Pipeline"]


def as_pipeline(what: PipelineLike) -> Pipeline:
    """A `Pipeline` from text, a pass, a pass class, a pipeline or a sequence of those."""
    if isinstance(what, Pipeline):
        return what
    if isinstance(what, str):
        return parse_pipeline(what)
    if _is_pass_class(what):
        what = what()
    if isinstance(what, Pass):
        return Pipeline((PassItem(what.name, what.options(), what),))
    items: list[Item] = []
    for part in _parts(what):
        items += as_pipeline(part).items
    return Pipeline(tuple(items))


def _is_pass_class(what: object) -> TypeIs[type[Pass]]:
    return isinstance(what, type) and issubclass(what, Pass)


def _parts(what: object) -> Iterable[Any]:
    """The members of a sequence; TypeError for what is none."""
    if not isinstance(what, Iterable):
        raise TypeError(f"a pipeline is text, passes or a list of both, not {type(what).__name__}")
    return cast("Iterable[Any]", what)


def parse_pipeline(text: str, filename: str = "<pipeline>") -> Pipeline:
    """Parse pipeline text.

    Raises `GeError` (usage) GX-401 for malformed text, GX-402 for unknown names, GX-403 and GX-404
    for options; unknown names and bad options are reported all at once, each with its column.
    """
    from passes.pipeline_parser import PipelineParser

    return PipelineParser(text, filename).parse()
