"""What a user says of the open dims of a graph's inputs: names and ranges."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import StringAttr

from ge_dialect.diagnostics import user_error
from ge_dialect.ir.narrow import is_array
from ge_dialect.ir.types import is_tensor, shape_of
from passes.shapes.expr import Expr, constant, symbol
from passes.shapes.ranges import INF, Range

if TYPE_CHECKING:
    from ge_dialect.ir.graph import GraphOp

SYMBOLS = "ge.symbols"
SHAPE_RANGE = "ge.shape_range"
#: An open dim of an input of which nothing is said: empty tensors must be asked for, "0~-1".
USUAL: Range = (1, INF)
_WORD = re.compile(r"[A-Za-z_][\w.]*")
_SUM = re.compile(r"[\w.]+(\s*[-+*]\s*[\w.]+)*")


def parse_ranges(text: str) -> list[Range]:
    """`"[1~10,3,-1,4~-1]"`, GE's notation: low~high, one size, -1 for any (brackets optional).

    ValueError where it is not of that form.
    """
    inner = text.strip().removeprefix("[").removesuffix("]").strip()
    out: list[Range] = []
    for part in inner.split(",") if inner else []:
        low, tilde, high = part.partition("~")
        first = int(low)
        if not tilde:
            out.append(USUAL if first == -1 else (first, first))
        else:
            last = int(high)
            out.append((first, INF if last == -1 else last))
        if out[-1][0] < 0 or out[-1][1] < out[-1][0]:
            raise ValueError(f"{part.strip()} is no range of sizes")
    return out


def input_attributes(graph: GraphOp, index: int) -> dict[str, Any]:
    """Attributes of an argument, and for what it leaves open those of its `ge.Data`."""
    out = graph.arg_attributes(index)
    for use in graph.args[index].uses:
        if use.operation.name == "ge.Data":
            for name in (SYMBOLS, SHAPE_RANGE):
                held = use.operation.attributes.get(name)
                if held is not None:
                    out.setdefault(name, held)
    return out


def input_shapes(
    graph: GraphOp,
) -> tuple[list[tuple[Expr, ...] | None], dict[str, Range]]:
    """Per argument its dims as expressions (None: unknown rank), and the ranges of the symbols.

    An open dim is the symbol that the user named; a name like "past + sequence" of other symbols
    is that expression; a dim without a name is `x[1]`, dim 1 of input x. Where no range is given
    it is 1 or more. Raises `GeError` GX-434
    for ranges that cannot be read or contradict the type.
    """
    names = graph.arg_names()
    given: list[tuple[tuple[int, ...] | None, list[str], list[Range]]] = []
    for i, arg in enumerate(graph.args):
        shape = shape_of(arg.type) if is_tensor(arg.type) else None
        if shape is None:
            given.append((None, [], []))
            continue
        attributes = input_attributes(graph, i)
        held = attributes.get(SYMBOLS)
        listed = held.data if is_array(held) else ()
        words = [s.data.strip() if isinstance(s, StringAttr) else "" for s in listed]
        given.append((shape, words, _ranges(graph, names[i], shape, attributes)))
    known = {w for _, words, _ in given for w in words if _WORD.fullmatch(w)}
    ranges: dict[str, Range] = {}
    out: list[tuple[Expr, ...] | None] = []
    for name, (shape, words, limits) in zip(names, given, strict=True):
        if shape is None:
            out.append(None)
            continue
        dims: list[Expr] = []
        for axis, size in enumerate(shape):
            if size >= 0:
                dims.append(constant(size))
                continue
            word = words[axis] if axis < len(words) else ""
            e = _combined(word, known) or symbol(word or f"{name}[{axis}]")
            dims.append(e)
            if e.name is not None:
                limit = limits[axis] if limits else USUAL
                low, high = ranges.get(e.name, limit)
                both = max(low, limit[0]), min(high, limit[1])
                if both[0] > both[1]:
                    raise _refused(graph, name, f"{e} cannot be within {limit} and {(low, high)}")
                ranges[e.name] = both
        out.append(tuple(dims))
    for shape in out:
        for word in {w for e in shape or () for w in e.symbols()}:
            ranges.setdefault(word, USUAL)
    return out, ranges


def _ranges(
    graph: GraphOp, name: str, shape: tuple[int, ...], attributes: dict[str, Any]
) -> list[Range]:
    held = attributes.get(SHAPE_RANGE)
    if held is None:
        return []
    if not isinstance(held, StringAttr):
        raise _refused(graph, name, str(held))
    try:
        limits = parse_ranges(held.data)
    except ValueError:
        raise _refused(graph, name, held.data) from None
    fits = len(limits) == len(shape) and all(
        d < 0 or low <= d <= high for d, (low, high) in zip(shape, limits, strict=True)
    )
    if not fits:
        raise _refused(graph, name, held.data)
    return limits


def _refused(graph: GraphOp, name: str, found: str) -> Exception:
    return user_error(
        "GX-434",
        f"ge.shape_range of input '{name}' of @{graph.sym_name.data} does not fit",
        found=found,
        expected='an entry per dim, like "[1~10,3,-1]"',
    )


def _combined(word: str, known: set[str]) -> Expr | None:
    """The sum or product of symbols and numbers that a name spells out."""
    if _WORD.fullmatch(word) or not _SUM.fullmatch(word):
        return None
    total = constant(0)
    for sign, product in re.findall(r"([-+]?)\s*([^-+]+)", word):
        part = constant(-1 if sign == "-" else 1)
        for factor in product.split("*"):
            factor = factor.strip()
            if factor.isascii() and factor.isdigit():
                part = part * int(factor)
            elif factor in known:
                part = part * symbol(factor)
            else:
                return None
        total = total + part
    return total
