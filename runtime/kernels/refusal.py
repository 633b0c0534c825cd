"""What a kernel raises where the values it is given are to blame, not the kernel."""

from __future__ import annotations


class Refusal(ValueError):
    """The values of a call are none the operator takes.

    Becomes a diagnostic of that code which names the node; `found`, `expected` and `hint` are its
    phrases. Message, code and `expected` are those of the golden function's refusal.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str = "GX-240",
        found: object = None,
        expected: object = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.found = None if found is None else str(found)
        self.expected = None if expected is None else str(expected)
        self.hint = hint


def need_absent(given: object, name: str) -> None:
    """`Refusal` where an input that GE reserves is connected."""
    if given is not None:
        raise Refusal(f"{name} is reserved by GE and has no meaning", expected="not connected")
