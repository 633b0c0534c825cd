"""Messages as read from a dump: fields by name, the place in the text, what nobody declared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ge_dialect.diagnostics import Diagnostic, GeError

#: Key of what the schema does not declare: a list of (name, raw scalar or message).
UNKNOWN = "?"
#: Name in that list for JSON's `null`: a field that is named and not set.
NULL = "null"
#: More problems than this are not looked for in one text.
MAX_PROBLEMS = 60


class Msg:
    """One message: `f` maps fields to values, lists where repeated, `attr` to a dictionary.

    Equal blocks of a text share one object, so a message is not to be changed. `pos` is where its
    content begins, `at` where the repeated messages in it begin.
    """

    __slots__ = ("at", "f", "pos", "type")

    def __init__(self, type_: str, pos: int = -1, f: dict[str, Any] | None = None) -> None:
        self.type = type_
        self.pos = pos
        self.f: dict[str, Any] = {} if f is None else f
        self.at: dict[str, list[int]] | None = None

    def get(self, name: str, default: Any = None) -> Any:
        """Value of a field, `default` where it is not set."""
        return self.f.get(name, default)

    def many(self, name: str) -> list[Any]:
        """Values of a repeated field."""
        return self.f.get(name) or []

    @property
    def attrs(self) -> dict[str, Msg]:
        """The attribute map."""
        return self.f.get("attr") or {}

    def place(self, name: str, index: int) -> int:
        """Where the `index`-th message of a repeated field begins."""
        places = (self.at or {}).get(name)
        return places[index] if places and index < len(places) else self.pos

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Msg) and self.type == other.type and self.f == other.f

    __hash__ = None  # pyright: ignore[reportAssignmentType]

    def __repr__(self) -> str:
        return f"Msg({self.type}, {self.f})"


class Source:
    """A text and its name: positions become lines and columns, problems are collected."""

    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self.name = name
        self.problems: list[Diagnostic] = []
        #: field of a message -> offset, set by the reader of the format
        self.find: Callable[[Msg, str, int], int] = lambda msg, field, index: msg.pos

    def where(self, pos: int) -> str:
        """ "file:line:col" of an offset."""
        pos = max(0, min(pos, len(self.text)))
        line = self.text.count("\n", 0, pos) + 1
        return f"{self.name}:{line}:{pos - self.text.rfind(chr(10), 0, pos)}"

    def excerpt(self, pos: int) -> str:
        """The line of an offset with a caret under it, cut where it is long."""
        pos = max(0, min(pos, len(self.text)))
        start = self.text.rfind("\n", 0, pos) + 1
        end = self.text.find("\n", pos)
        line = self.text[start : len(self.text) if end < 0 else end].replace("\t", " ")
        column = pos - start
        cut = max(0, column - 50)
        return f"{line[cut : cut + 90]}\n{' ' * (column - cut)}^"

    def error(self, code: str, message: str, pos: int, **fields: Any) -> None:
        """Record a problem at an offset."""
        if len(self.problems) < MAX_PROBLEMS:
            fields.setdefault("excerpt", self.excerpt(pos))
            self.problems.append(Diagnostic(code, message, location=self.where(pos), **fields))

    def error_in(
        self, code: str, message: str, msg: Msg, field: str = "", index: int = 0, **fields: Any
    ) -> None:
        """Record a problem at a field of a message."""
        pos = self.find(msg, field, index) if field else msg.pos
        self.error(code, message, pos, **fields)

    @property
    def full(self) -> bool:
        """Whether so much is wrong that there is no use in going on."""
        return len(self.problems) >= MAX_PROBLEMS

    def raise_problems(self) -> None:
        """Raise `GeError` with all problems, in the order of the text, where there are any."""
        if self.problems:
            raise GeError(sorted(self.problems, key=_place))


def _place(diagnostic: Diagnostic) -> tuple[int, int]:
    parts = (diagnostic.location or "").rsplit(":", 2)
    return (int(parts[-2]), int(parts[-1])) if len(parts) == 3 else (0, 0)
