"""Fitting given arrays to the arguments of a graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ge_dialect.diagnostics import Diagnostic, GeError
from ge_dialect.dtypes import ge_name, numpy_dtype
from ge_dialect.ir.attributes import RefType
from ge_dialect.ir.graph import GraphOp
from ge_dialect.ir.names import node_name
from ge_dialect.ir.types import elem_of, is_tensor, shape_of
from ge_dialect.semantics.context import Ref, State
from ge_dialect.semantics.numerics import shadowed


def input_names(graph: GraphOp) -> list[tuple[str, ...]]:
    """The names each argument may be given by: its own, then those of its Data nodes."""
    out = []
    for arg, name in zip(graph.args, graph.arg_names(), strict=True):
        nodes = (
            node_name(use.operation)
            for use in arg.uses
            if use.operation.name in ("ge.Data", "ge.RefData")
        )
        out.append((name, *sorted(n for n in nodes if n and n != name)))
    return out


def _fail(message: str, **fields: Any) -> None:
    raise GeError(Diagnostic("GX-246", message, **fields))


def bind_inputs(
    graph: GraphOp, inputs: Mapping[str, Any] | Sequence[Any], state: State, compute_dtype: Any
) -> list[Any]:
    """One value per argument, checked; refs become cells of `state`.

    Raises GeError GX-246 for missing, unknown or surplus inputs, and for every input whose dtype
    or shape does not fit its argument. Nothing is converted but plain Python numbers and lists,
    which take the dtype of the input.
    """
    names = input_names(graph)
    inputs = () if inputs is None else inputs
    if isinstance(inputs, Mapping):
        given = _by_name(names, inputs)
    else:
        given = list(inputs)
        if len(given) != len(names):
            shown = ", ".join(n[0] for n in names)
            _fail(
                "the number of inputs does not fit",
                found=str(len(given)),
                expected=f"{len(names)}" + (f": {shown}" if names else ""),
            )
    problems: list[Diagnostic] = []
    out = []
    for arg, (name, *_), value in zip(graph.args, names, given, strict=True):
        if isinstance(value, Ref):
            out.append(value)
            continue
        try:
            array = _array(value, arg.type)
        except (ValueError, TypeError, OverflowError) as error:
            text = f"input {name!r} is no array"
            problems.append(Diagnostic("GX-246", text, found=" ".join(str(error).split())[:200]))
            continue
        problems += _problems(name, array, arg.type)
        out.append(_held(name, array, arg.type, state, compute_dtype))
    if problems:
        raise GeError(problems)
    return out


def _array(value: Any, type_: Any) -> Any:
    if isinstance(value, bool | int | float | complex | list | tuple) and is_tensor(type_):
        return np.asarray(value, numpy_dtype(elem_of(type_)))
    return np.asarray(value)


def _by_name(names: list[tuple[str, ...]], inputs: Mapping[str, Any]) -> list[Any]:
    left = dict(inputs)
    given, absent = [], []
    for known in names:
        found = next((n for n in known if n in left), None)
        if found is None:
            absent.append(known[0])
        else:
            given.append(left.pop(found))
    if absent or left:
        expected = ", ".join(n[0] for n in names) or "no inputs"
        found = "; ".join(
            f"{what} {', '.join(sorted(map(str, which)))}"
            for what, which in (("missing", absent), ("unknown", list(left)))
            if which
        )
        _fail("the inputs do not fit the graph", found=found, expected=expected)
    return given


def _problems(name: str, array: Any, type_: Any) -> list[Diagnostic]:
    out = []
    elem, shape = elem_of(type_), shape_of(type_)
    try:
        want = numpy_dtype(elem)
    except ValueError as error:
        return [Diagnostic("GX-246", f"input {name!r} cannot be held: {error}")]
    if array.dtype != want:
        out.append(
            Diagnostic(
                "GX-246",
                f"input {name!r} has the wrong dtype",
                found=str(array.dtype),
                expected=f"{ge_name(elem)} (numpy {want})",
                hint=f"convert it: x.astype({str(want)!r})",
            )
        )
    if shape is not None and (
        len(shape) != array.ndim
        or any(n not in (-1, m) for n, m in zip(shape, array.shape, strict=True))
    ):
        out.append(
            Diagnostic(
                "GX-246",
                f"input {name!r} has the wrong shape",
                found=str(list(array.shape)),
                expected=str(list(shape)).replace("-1", "?"),
            )
        )
    return out


def _held(name: str, array: Any, type_: Any, state: State, compute_dtype: Any) -> Any:
    held = array.astype(shadowed(array.dtype, compute_dtype), copy=False)
    if not isinstance(type_, RefType):
        return held
    cell = state.variables.setdefault(name, Ref(name))
    cell.value = held.copy()  # the run may outlive what the caller does with the array
    return cell
