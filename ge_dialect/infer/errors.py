"""The error by which an operator's rule refuses its inputs or attributes."""

from __future__ import annotations


class InferError(Exception):
    """One refusal: what is wrong, what was found, what would be right.

    Raised by the helpers of this package and by `InferNode.fail`; the verifier and `build` turn it
    into a diagnostic with the code, the node's name and its location.
    """

    def __init__(
        self,
        message: str,
        *,
        found: object = None,
        expected: object = None,
        code: str = "GX-221",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.found = found
        self.expected = expected
        self.code = code

    def __str__(self) -> str:
        text = self.message
        if self.found is not None:
            text += f"; found {self.found}"
        if self.expected is not None:
            text += f"; expected {self.expected}"
        return text


RANK = "GX-220"
SHAPE = "GX-221"
AXIS = "GX-222"
ATTR = "GX-223"
LENGTH = "GX-224"
DTYPE = "GX-225"
COUNT = "GX-226"
SIZE = "GX-227"
MISSING = "GX-228"
"""Codes of refusals; their titles stand in `ge_dialect.codes`."""
