"""Command lines of the tools: their parser, the types of options, which go together."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

from ge_dialect.tools.common import EXIT_USAGE


class ToolParser(argparse.ArgumentParser):
    """``argparse`` with exit status 2, one-line errors, no abbreviations and trailing examples."""

    def __init__(
        self, prog: str, description: str, examples: Sequence[str] = (), **kwargs: Any
    ) -> None:
        epilog = "examples:\n" + "\n".join(f"  {line}" for line in examples) if examples else None
        super().__init__(
            prog=prog,
            description=description,
            epilog=epilog,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
            **kwargs,
        )

    def print_help(self, file: Any = None) -> None:
        """Write the help; unlike argparse, say so where it cannot be written (``OSError``)."""
        out = sys.stdout if file is None else file
        out.write(self.format_help())
        out.flush()

    def error(self, message: str) -> NoReturn:
        """Report wrong usage: message, where help is, exit status 2."""
        from ge_dialect.spelling import nearest

        flag = message.partition("unrecognized arguments: ")[2].split(" ")[0].split("=")[0]
        near = nearest(flag.replace("_", "-"), self._option_string_actions) if flag else None
        hint = f"did you mean {near!r}?" if near else f"{self.prog} --help lists the options"
        hint = f"  hint: {hint}\n"
        self.exit(EXIT_USAGE, f"{self.prog}: error: GX-008: {message}\n{hint}")


#: Numbers as options take them. Python's own conversions also take spaces, signs, underscores and
#: the digits of any script, which in an option are rather a mistake.
_WHOLE = re.compile(r"[0-9]{1,40}")
_DECIMAL = re.compile(r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
#: So much of a wrong value is shown.
_SHOWN = 40


def _wrong(expected: str, text: str) -> argparse.ArgumentTypeError:
    shown = text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
    return argparse.ArgumentTypeError(f"must be {expected}: {shown!r}")


def count(text: str) -> int:
    """``type=`` of an option: a whole number, at least 0 (a seed, a limit), in decimal digits."""
    if not _WHOLE.fullmatch(text):
        raise _wrong("a whole number, at least 0", text)
    return int(text)


def number(text: str) -> int:
    """``type=`` of an option: a whole number, at least 1 (of rounds, of trials)."""
    if not _WHOLE.fullmatch(text) or not int(text):
        raise _wrong("a whole number, at least 1", text)
    return int(text)


def amount(text: str) -> float:
    """``type=`` of an option: a finite number, at least 0 (seconds, a tolerance), in decimal."""
    if not _DECIMAL.fullmatch(text) or float(text) == float("inf"):
        raise _wrong("a finite number, at least 0", text)
    return float(text)


def positive(text: str) -> float:
    """``type=`` of an option: a finite number above 0 (seconds that something may take)."""
    value = amount(text)
    if not value:
        raise _wrong("above 0", text)
    return value


def nonempty(text: str) -> str:
    """``type=`` of an option: a name or path, not empty."""
    if not text:
        raise argparse.ArgumentTypeError("a name is missing")
    return text


def names(text: str) -> list[str]:
    """``type=`` of an option: names with commas between, at least one."""
    found = [name.strip() for name in text.split(",") if name.strip()]
    if not found:
        raise argparse.ArgumentTypeError("a name is missing")
    return found


def add_load(add: Callable[..., Any]) -> None:
    """Add ``--load``, which all tools have. add: `add_argument` of a parser or a group."""
    add(
        "--load",
        type=nonempty,
        action="append",
        default=[],
        metavar="FILE",
        help="Python file, plug-in folder",
    )


def need_company(
    parser: argparse.ArgumentParser, rules: Iterable[tuple[str, object, object, str]]
) -> None:
    """Refuse options that would do nothing, because the one they belong to is missing.

    rules: the option, whether it was given, whether what it needs is there, and what that is.
    """
    for flag, given, has, owner in rules:
        if given and not has:
            parser.error(f"{flag} does nothing without {owner}")


def forbid_company(
    parser: argparse.ArgumentParser, owner: str, options: Iterable[tuple[str, object]]
) -> None:
    """Refuse options, each with whether it was given, that would do nothing beside `owner`."""
    for flag, given in options:
        if given:
            parser.error(f"{flag} does nothing with {owner}")


def given(
    parser: argparse.ArgumentParser, args: argparse.Namespace, *dests: str
) -> list[tuple[str, bool]]:
    """Options by the names of their values, each with whether its value is not the default."""
    flags = {a.dest: (a.option_strings or [a.metavar])[-1] for a in parser._actions}
    return [(str(flags[d]), getattr(args, d) != parser.get_default(d)) for d in dests]


def one_on_stdout(parser: argparse.ArgumentParser, outputs: Iterable[tuple[str, object]]) -> None:
    """Refuse two outputs, each an option and its value, of which both are standard output."""
    taken = [flag for flag, path in outputs if path == "-"]
    if len(taken) > 1:
        parser.error(f"{' and '.join(taken)} would both go to standard output")
