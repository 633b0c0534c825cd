"""Attributes as plain Python values, and the error of a name that is not there."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, cast

from xdsl.dialects.builtin import DenseArrayBase, DictionaryAttr, StringAttr, UnitAttr, i1
from xdsl.ir import Attribute

from ge_dialect.diagnostics import Diagnostic, GeError
from ge_dialect.dtypes import dtype_of
from ge_dialect.ir.kinds import write_attr
from ge_dialect.ir.narrow import is_array, is_dense, is_dense_array, is_float, is_integer
from ge_dialect.spelling import nearest

#: How an attribute that a dump of GE has beyond the declared ones is called in the text.
DUMPED = "ge.attr."


class UnknownName(GeError, KeyError):
    """GX-256: nothing of what a view shows has that name. A KeyError as well."""


def unknown(
    message: str, name: object, known: Collection[str], hint: str | None = None
) -> UnknownName:
    """The error to raise for `name`; `known` gives the nearest name and what is shown."""
    near = nearest(name, known) if isinstance(name, str) else None
    shown = ", ".join(list(known)[:8]) + (", …" if len(known) > 8 else "")
    return UnknownName(
        Diagnostic(
            "GX-256",
            message,
            found=repr(name),
            expected=shown or "none: there is none",
            hint=hint or (f"did you mean {near!r}?" if near else None),
        )
    )


def plain_value(held: Attribute) -> Any:
    """Python value of an attribute.

    Numbers, booleans and strings as such, lists as tuples, dictionaries as `dict`, a unit attribute
    as True, an element type by GE's name ("float16"), a dense literal as an array that cannot be
    written to; anything else (a weight, a tensor type) as its text.
    """
    if isinstance(held, StringAttr):
        return held.data
    if is_integer(held):
        return bool(held.value.data) if held.type == i1 else held.value.data
    if is_float(held):
        return held.value.data
    if is_array(held):
        return tuple([plain_value(item) for item in held.data])
    if is_dense_array(held):
        values: Any = cast("DenseArrayBase[Any]", held).get_values()
        return tuple([bool(v) for v in values] if held.elt_type == i1 else values)
    if isinstance(held, DictionaryAttr):
        return {name: plain_value(item) for name, item in held.data.items()}
    if isinstance(held, UnitAttr):
        return True
    if is_dense(held):
        from ge_dialect.ir.dense import dense_to_numpy

        return dense_to_numpy(held)
    dtype = dtype_of(held)
    return write_attr(held) if dtype is None else dtype.name


class Attributes(Mapping[str, Any]):
    """Read-only mapping from names to Python values (`plain_value`), made when asked for.

    What begins with `ge.attr.` has GE's name, without it, where no other has that name.
    An unknown name is an `UnknownName`, which is a KeyError.
    """

    __slots__ = ("_held", "_where")

    def __init__(self, held: Mapping[str, Attribute | int | None], where: str) -> None:
        self._held: dict[str, Attribute | int | None] = {}
        dumped: list[tuple[str, str]] = []
        for name, value in held.items():
            if name.startswith(DUMPED):
                dumped.append((name, name.removeprefix(DUMPED)))
            else:
                self._held[name] = value
        for name, short in dumped:
            self._held[name if short in self._held else short] = held[name]
        self._where = where

    def __getitem__(self, name: str) -> Any:
        if name not in self._held:
            raise unknown(f"{self._where} has no attribute {name!r}", name, self._held)
        value = self._held[name]
        return plain_value(value) if isinstance(value, Attribute) else value

    def __contains__(self, name: object) -> bool:
        return name in self._held

    def get(self, name: str, default: Any = None) -> Any:
        """The value, or `default` where there is none (an absent optional one is None)."""
        return self[name] if name in self._held else default

    def __iter__(self) -> Iterator[str]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)

    def __repr__(self) -> str:
        return repr(dict(self))
