"""Shapes that the user gives to the inputs of a model, in the notation of ATC's `--input_shape`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ge_dialect.diagnostics import Diagnostic, ExitCode, GeError, user_error

InputShapes = Mapping[str, Sequence[int]]
#: Of one input: sizes, names of open dims, -1 for an open one without a name.
Dims = Sequence[int | str]
#: The largest dim a tensor can have.
_MOST = 2**59


def parse_input_shapes(text: str) -> dict[str, tuple[int, ...]]:
    """Shapes by input from "ids:2,128;mask:2,128"; -1 is any size, nothing is a scalar.

    Raises `GeError` GX-339.
    """
    found: dict[str, tuple[int, ...]] = {}
    for part in text.split(";"):
        name, colon, dims = part.strip().rpartition(":")
        entries = [d.strip() for d in dims.split(",")] if dims.strip() else []
        if not colon or not name or not all(_is_size(d) for d in entries):
            raise user_error(
                "GX-339",
                "input shapes are not understood",
                exit_code=ExitCode.USAGE,
                found=part.strip() or "nothing",
                expected='an input and its dims, as in "ids:2,128;mask:2,-1"',
            )
        if name in found:
            raise user_error(
                "GX-339", f"the shape of {name} is given twice", exit_code=ExitCode.USAGE
            )
        found[name] = tuple(int(d) for d in entries)
    return found


def _is_size(text: str) -> bool:
    if text == "-1":
        return True
    return text.isascii() and text.isdecimal() and len(text) < 19 and int(text) <= _MOST


def settle_shapes(
    declared: Mapping[str, Dims | None], given: InputShapes, label: str | None = None
) -> dict[str, tuple[int, ...]]:
    """Shapes of the inputs they are known of, -1 where a size stays open.

    declared: dims of each input, None where its rank is not known. A named dim that gets a size in
    one input has it in all. Raises `GeError` GX-339 with all problems: an unknown input, another
    rank, a size other than the declared one or that of an equal name. label: what messages call
    the model.
    """
    problems: list[Diagnostic] = []
    sizes: dict[str, tuple[int, str]] = {}
    for name, shape in given.items():
        if name not in declared:
            known = ", ".join(declared) or "none"
            problems.append(
                Diagnostic("GX-339", f"the model has no input {name!r}", expected=known)
            )
        elif (dims := declared[name]) is not None:
            problems += _contradictions(name, shape, dims, sizes)
    if problems:
        raise GeError([replace(p, location=label) for p in problems] if label else problems)
    return {
        name: _settled(dims, given.get(name), sizes)
        for name, dims in declared.items()
        if dims is not None or name in given
    }


def _contradictions(
    name: str, shape: Sequence[int], dims: Dims, sizes: dict[str, tuple[int, str]]
) -> Iterator[Diagnostic]:
    """What is wrong with a shape; sizes: of each named dim, and which input said so."""
    known = [d if isinstance(d, int) else -1 for d in dims]
    if len(dims) != len(shape) or any(
        -1 not in (want, have) and want != have for want, have in zip(shape, known, strict=True)
    ):
        yield Diagnostic(
            "GX-339",
            f"the shape given for {name} contradicts the model",
            found=", ".join(map(str, shape)),
            expected=", ".join(map(str, dims)) or "no dims",
        )
        return
    for size, dim in zip(shape, dims, strict=True):
        if isinstance(dim, int) or size == -1:
            continue
        other, where = sizes.setdefault(dim, (size, name))
        if other != size:
            yield Diagnostic(
                "GX-339",
                f"dim {dim!r} gets two sizes",
                found=f"{size} in {name}",
                expected=f"{other} as in {where}",
            )


def _settled(
    dims: Dims | None, own: Sequence[int] | None, sizes: Mapping[str, tuple[int, str]]
) -> tuple[int, ...]:
    """The shape of one input: declared sizes first, then those of named dims, then its own."""
    if dims is None:
        return tuple(own or ())
    known = [d if isinstance(d, int) else sizes.get(d, (-1, ""))[0] for d in dims]
    if own is not None:
        known = [a if b == -1 else b for a, b in zip(own, known, strict=True)]
    return tuple(known)
