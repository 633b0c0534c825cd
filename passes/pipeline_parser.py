"""Parser of pipeline text; the grammar stands in `passes.pipeline`."""

from __future__ import annotations

import os
import re
from typing import Any, NoReturn

from ge_dialect.diagnostics import Diagnostic, ExitCode, GeError
from passes.options import NUMBER, WORD, OptionError, Scalar, Written, convert, option_types
from passes.pipeline import DEFAULT_ROUNDS, GroupItem, Item, NamedItem, PassItem, Pipeline
from passes.registry import canonical_name, did_you_mean, known_names, pass_class, pass_hint

_BLANK = re.compile(r"(?:\s+|#[^\n]*|//[^\n]*)*")
_STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
_PATH = re.compile(r'[^\s,(){}"]+')
#: Anchors of MLIR pipelines; here every pass runs on the whole module.
_ANCHORS = ("builtin.module", "any")
_GROUPS = ("fix", "group", *_ANCHORS)
_ESCAPES = {"n": "\n", "t": "\t"}
MAX_NESTING = 50


class PipelineParser:
    """One pass over the text; problems that do not stop parsing are collected."""

    def __init__(self, text: str, filename: str, including: tuple[str, ...] = ()) -> None:
        self.text = text
        self.filename = filename
        self.including = including
        self.pos = 0
        self.depth = 0
        self.problems: list[Diagnostic] = []

    def parse(self) -> Pipeline:
        """The whole text as a pipeline."""
        self._blank()
        items = () if self.pos == len(self.text) else self._items()
        if self.pos < len(self.text):
            self._stop("unexpected text", expected="',' or the end of the pipeline")
        if self.problems:
            raise GeError(self.problems, ExitCode.USAGE)
        return Pipeline(items)

    # --- items ---

    def _items(self) -> tuple[Item, ...]:
        items: list[Item] = []
        while True:
            items += self._item()
            if not self._take(","):
                return tuple(items)

    def _item(self) -> tuple[Item, ...]:
        self._blank()
        start = self.pos
        if self.text.startswith("@", start):
            return self._file(start)
        if self.text.startswith("(", start):
            return (self._group("group", start, start),)
        match = WORD.match(self.text, start)
        if match is None:
            self._stop("a pass, stage or pipeline name is missing here")
        name = match.group()
        self.pos = match.end()
        self._blank()
        if self.text.startswith("(", self.pos):
            return (self._group(name, start, match.end()),)
        return self._named(name, start, match.end())

    def _group(self, kind: str, start: int, end: int) -> GroupItem:
        if kind not in _GROUPS:
            self._problem(
                "GX-402",
                f"'{kind}' is not a group",
                start,
                end,
                expected="fix(...) or group(...)",
                hint="a pass sees the whole module: name it alone, without what it stands in"
                if "." in kind
                else did_you_mean(kind, _GROUPS),
            )
        self._expect("(")
        self.depth += 1
        if self.depth > MAX_NESTING:
            self._stop(f"groups are nested deeper than {MAX_NESTING}")
        self._blank()
        items = () if self.text.startswith(")", self.pos) else self._items()
        self._expect(")")
        self.depth -= 1
        types: dict[str, Any] = {"max": int} if kind == "fix" else {"name": str}
        options = self._options(kind, lambda: types)
        if kind != "fix":
            return GroupItem(items, options.get("name"))
        rounds = options.get("max", DEFAULT_ROUNDS)
        if rounds < 1:
            self._problem("GX-404", "max of fix(...) must be at least 1", start, end)
        return GroupItem(items, None, rounds)

    def _named(self, name: str, start: int, end: int) -> tuple[Item, ...]:
        from passes.stages import is_pipeline, known_pipelines, pipeline_names

        own = None if name in pipeline_names() else canonical_name(name)
        if own is not None:
            options = self._options(name, lambda: option_types(pass_class(own)))
            return (PassItem(own, options),)
        if is_pipeline(name):
            self._options(name, dict)
            return (NamedItem(name),)
        self._problem(
            "GX-402",
            f"no pass, stage or pipeline is called '{name}'",
            start,
            end,
            hint=pass_hint(name, [*known_names(), *pipeline_names(), *known_pipelines()])
            or "--list-passes shows what there is",
        )
        self._options(name, None)
        return ()

    def _file(self, start: int) -> tuple[Item, ...]:
        self.pos += 1
        quoted = _STRING.match(self.text, self.pos)
        match = quoted or _PATH.match(self.text, self.pos)
        if match is None:
            self._stop("a file name is missing after '@'")
        written = _unescape(quoted.group(1)) if quoted else match.group()
        self.pos = match.end()
        base = os.path.dirname(self.including[-1]) if self.including else ""
        path = os.path.join(base, os.path.expanduser(written))
        real = os.path.realpath(path)
        if real in self.including:
            self._problem("GX-410", f"'{written}' includes itself", start, self.pos)
            return ()
        try:
            with open(path, encoding="utf-8") as stream:
                text = stream.read()
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
            self._problem("GX-001", f"cannot read '{written}': {reason}", start, self.pos)
            return ()
        try:
            inner = PipelineParser(text, written, (*self.including, real)).parse()
        except GeError as error:
            self.problems += error.diagnostics
            return ()
        return inner.items

    # --- options ---

    def _options(self, owner: str, types: Any) -> dict[str, Any]:
        """Options after an item. `types()` gives the known ones; None accepts anything."""
        self._blank()
        if not self.text.startswith("{", self.pos):
            return {}
        self.pos += 1
        known: dict[str, Any] | None = types() if types else None
        options: dict[str, Any] = {}
        while not self._take("}"):
            self._take(",")
            self._blank()
            start = self.pos
            match = WORD.match(self.text, start)
            if match is None:
                self._stop("an option name is missing here", expected="name=value or '}'")
            key = match.group().replace("-", "_")
            self.pos = end = match.end()
            self._blank()
            flag = not self.text.startswith("=", self.pos)
            value: Written
            if flag:
                value = Scalar("word", "true", start, end)
            else:
                self.pos += 1
                value = self._value()
            if known is None:
                continue
            if key not in known:
                self._unknown_option(owner, match.group(), known, start, end)
            elif key in options:
                self._problem("GX-403", f"option '{key}' is given twice", start, end)
            else:
                self._set(options, owner, key, value, known[key])
        return options

    def _unknown_option(
        self, owner: str, key: str, known: dict[str, Any], start: int, end: int
    ) -> None:
        names = [k.replace("_", "-") for k in known]
        self._problem(
            "GX-403",
            f"'{owner}' has no option '{key}'",
            start,
            end,
            expected=", ".join(names) or "no options",
            hint=did_you_mean(key.replace("_", "-"), names),
        )

    def _set(
        self, options: dict[str, Any], owner: str, key: str, value: Written, wanted: Any
    ) -> None:
        try:
            options[key] = convert(value, wanted)
        except OptionError as error:
            parts = value if isinstance(value, tuple) else (value,)
            start = parts[0].start if parts else self.pos - 1
            end = parts[-1].end if parts else self.pos
            wrong = "has the wrong type" if error.in_domain else "is too small"
            self._problem(
                "GX-404",
                f"option '{key.replace('_', '-')}' of '{owner}' {wrong}",
                start,
                end,
                found=self.text[start:end],
                expected=error.expected,
            )

    def _value(self) -> Written:
        self._blank()
        if self.text.startswith("[", self.pos):
            self.pos += 1
            parts: list[Scalar] = []
            while not self._take("]"):
                if parts:
                    self._expect(",")
                parts.append(self._scalar())
            return tuple(parts)
        parts = [self._scalar()]
        while self._continues():
            self._expect(",")
            parts.append(self._scalar())
        return parts[0] if len(parts) == 1 else tuple(parts)

    def _continues(self) -> bool:
        """Whether a comma here goes on with the list, rather than beginning the next option."""
        match = re.compile(rf",\s*(?:({WORD.pattern})\s*(?P<next>=)?|[^\s}}])").match(
            self.text, self._peek()
        )
        return match is not None and match.group("next") is None

    def _scalar(self) -> Scalar:
        self._blank()
        start = self.pos
        if match := _STRING.match(self.text, start):
            self.pos = match.end()
            return Scalar("string", _unescape(match.group(1)), start, self.pos)
        if match := NUMBER.match(self.text, start):
            self.pos = match.end()
            return Scalar("number", match.group(), start, self.pos)
        if match := WORD.match(self.text, start):
            self.pos = match.end()
            return Scalar("word", match.group(), start, self.pos)
        if self.text.startswith('"', start):
            self._stop("the string has no end")
        self._stop("a value is missing here", expected="a number, a word or a quoted string")

    # --- scanning ---

    def _peek(self) -> int:
        match = _BLANK.match(self.text, self.pos)
        return match.end() if match else self.pos

    def _blank(self) -> None:
        self.pos = self._peek()

    def _take(self, token: str) -> bool:
        self._blank()
        if not self.text.startswith(token, self.pos):
            return False
        self.pos += len(token)
        self._blank()
        return True

    def _expect(self, token: str) -> None:
        if not self._take(token):
            self._stop(f"'{token}' is missing here")

    def _problem(self, code: str, message: str, start: int, end: int, **fields: Any) -> None:
        line = self.text.count("\n", 0, start) + 1
        begin = self.text.rfind("\n", 0, start) + 1
        column = start - begin + 1
        stop = self.text.find("\n", start)
        source = self.text[begin:] if stop < 0 else self.text[begin:stop]
        width = max(1, min(end, begin + len(source)) - start)
        shown, offset = _window(source, column - 1)
        self.problems.append(
            Diagnostic(
                code,
                message,
                location=f"{self.filename}:{line}:{column}",
                excerpt=f"{shown}\n{' ' * offset}{'^' * min(width, 60)}",
                **fields,
            )
        )

    def _stop(self, message: str, **fields: Any) -> NoReturn:
        if self.pos < len(self.text):
            fields.setdefault("found", repr(self.text[self.pos : self.pos + 1]))
        else:
            fields.setdefault("found", "the end of the pipeline")
        self._problem("GX-401", message, self.pos, self.pos + 1, **fields)
        raise GeError(self.problems, ExitCode.USAGE)


def _unescape(body: str) -> str:
    return re.sub(r"\\(.)", lambda m: _ESCAPES.get(m.group(1), m.group(1)), body)


def _window(source: str, column: int) -> tuple[str, int]:
    """A part of a long line around `column`, with tabs as blanks, and the caret's place in it."""
    source = source.replace("\t", " ")
    begin = 0 if column < 70 else column - 40
    shown = source[begin : begin + 96]
    lead = "..." if begin else ""
    tail = "..." if begin + 96 < len(source) else ""
    return lead + shown + tail, column - begin + len(lead)
