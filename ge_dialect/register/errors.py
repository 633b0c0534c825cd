"""GE's error codes: title, arguments, and in our words what happened and what to do.

Code numbers and names of arguments are GE's; a user who searches for one finds it in
GE's own pages. The texts are ours. Prefixes: E1 GE, E2 FE; W is a warning.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class ErrorCode:
    """One entry of the registry; `text` names its arguments in braces."""

    code: str
    title: str
    args: tuple[str, ...]
    text: str
    cause: str
    solution: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One use of a code: which node it is about, and the values of the arguments."""

    code: str
    node: str | None
    args: tuple[tuple[str, str], ...]

    @property
    def entry(self) -> ErrorCode:
        """The code's entry."""
        return error_codes()[self.code]

    @property
    def text(self) -> str:
        """The message with its values in place."""
        return self.entry.text.format(**dict(self.args))

    @property
    def severity(self) -> str:
        """ "error" or "warning", by the first letter of the code."""
        return "warning" if self.code.startswith("W") else "error"

    @property
    def message(self) -> str:
        """Code, title and text, as a tool says them."""
        return f"{self.code} {self.entry.title}: {self.text}"


def finding(code: str, node: str | None = None, **args: object) -> Finding:
    """A finding; ValueError where the values are not those of the code's arguments."""
    wanted = error_codes()[code].args
    if set(args) != set(wanted):
        raise ValueError(f"{code} takes {', '.join(wanted) or 'nothing'}, not {', '.join(args)}")
    return Finding(code, node, tuple((name, str(args[name])) for name in wanted))


@cache
def error_codes() -> dict[str, ErrorCode]:
    """All codes, in order."""
    import tomllib
    from importlib.resources import files

    text = files("ge_dialect.register").joinpath("errors.toml").read_text(encoding="utf-8")
    return {
        code: ErrorCode(
            code, row["title"], tuple(row["args"]), row["text"], row["cause"], row["solution"]
        )
        for code, row in tomllib.loads(text).items()
    }
