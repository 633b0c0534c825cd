"""Inputs of a run: checked against the model, or drawn at random from a seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ge_dialect.diagnostics import Diagnostic, GeError
from ge_dialect.ir.types import shape_of, tensor_under
from ge_dialect.rt.view import Buffer

if TYPE_CHECKING:
    from xdsl.ir import SSAValue

    from ge_dialect.ir.graph import GraphOp
    from ge_dialect.ir.types import Shape
    from ge_dialect.rt.view import ModelView
    from runtime.memory import LayoutCache

Inputs = Mapping[str, Any] | Sequence[Any]
#: Integers are drawn below this: most are masks and flags, and -inf comes of other masks.
FLAGS = 2
#: Indices are drawn below this, where their table has so many rows.
INDICES = 10
#: Operators whose second input holds indices into the first.
INDEXING = frozenset({"Gather", "GatherV2", "GatherElements"})
_PASSING = frozenset({"Cast", "Data", "Identity", "Reshape", "Squeeze", "Unsqueeze"})


@dataclass(frozen=True, slots=True)
class InputSpec:
    """Name, logical shape and numpy dtype of one input of a model.

    high: integers drawn for it lie below.
    """

    name: str
    shape: Shape
    dtype: np.dtype[Any]
    high: int = FLAGS


def _rows(table: Any) -> int:
    """Below what any index into a table of this type is right, whatever the axis."""
    return min([INDICES, *(n for n in shape_of(table) or () if n > 0)])


def _argument_bound(arg: SSAValue) -> int:
    """`InputSpec.high` of a graph's argument: what it indexes, as it is, cast or reshaped."""
    bounds, stack = [], [arg]
    while stack:
        value = stack.pop()
        for use in value.uses:
            op = use.operation
            if op.name[3:] in INDEXING and use.index == 1:
                bounds.append(_rows(op.operands[0].type))
            elif op.name[3:] in _PASSING and use.index == 0:
                stack.append(op.results[0])
    return min(bounds, default=FLAGS)


def graph_specs(graph: GraphOp, layouts: LayoutCache) -> list[InputSpec]:
    """The inputs of a `ge.graph`."""
    specs = []
    for name, arg in zip(graph.arg_names(), graph.args, strict=True):
        try:
            layout = layouts(tensor_under(arg.type))
        except GeError as error:
            named = [replace(d, node=name) for d in error.diagnostics]
            raise GeError(named, error.exit_code) from None
        specs.append(InputSpec(name, layout.shape, layout.dtype, _argument_bound(arg)))
    return specs


def model_specs(model: ModelView, layouts: LayoutCache) -> list[InputSpec]:
    """The inputs of a compiled model."""
    places = {(b.buffer.space, b.buffer.offset) for b in model.inputs}
    bounds: dict[tuple[str, int], int] = {}
    for kernel in model.kernels():
        if kernel.op_type in INDEXING:
            table, indices = kernel.inputs[:2]
            if isinstance(table, Buffer) and isinstance(indices, Buffer):
                place = indices.space, indices.offset
                if place in places:
                    bounds[place] = min(bounds.get(place, INDICES), _rows(table.type))
    specs = []
    for b in model.inputs:
        layout = layouts(b.buffer.type)
        high = bounds.get((b.buffer.space, b.buffer.offset), FLAGS)
        specs.append(InputSpec(b.node, layout.shape, layout.dtype, high))
    return specs


def check_inputs(specs: Sequence[InputSpec], given: Inputs | None) -> list[np.ndarray]:
    """The input arrays in the model's order.

    `given` is a mapping by name or a sequence in order. Raises `GeError` with all problems: GX-602
    for missing or unknown inputs, GX-603 for a wrong shape or dtype. Nothing is converted but plain
    Python numbers and lists, which take the dtype of the input.
    """
    values, problems = _assign(specs, {} if given is None else given)
    arrays: list[np.ndarray] = []
    for spec in specs:
        if spec.name not in values:
            continue
        value = values[spec.name]
        try:
            array = value if isinstance(value, np.ndarray) else np.asarray(value, spec.dtype)
        except (ValueError, TypeError, OverflowError) as error:
            found = " ".join(str(error).split())[:200]
            problems.append(Diagnostic("GX-603", f"input '{spec.name}' is no array", found=found))
            continue
        if array.shape != spec.shape or array.dtype != spec.dtype:
            problems.append(
                Diagnostic(
                    "GX-603",
                    f"input '{spec.name}' has the wrong type",
                    found=_text(array.shape, array.dtype),
                    expected=_text(spec.shape, spec.dtype),
                )
            )
        arrays.append(array)
    if problems:
        raise GeError(problems)
    return arrays


def _assign(specs: Sequence[InputSpec], given: Inputs) -> tuple[dict[str, Any], list[Diagnostic]]:
    names = [s.name for s in specs]
    listed = ", ".join(f"{s.name}: {_text(s.shape, s.dtype)}" for s in specs) or "none"
    if not isinstance(given, Mapping):
        given = list(given)
        if len(given) == len(specs):
            return dict(zip(names, given, strict=True)), []
        problem = Diagnostic(
            "GX-602", "wrong number of inputs", found=str(len(given)), expected=listed
        )
        return {}, [problem]
    missing = [n for n in names if n not in given]
    unknown = [n for n in given if n not in names]
    problems = []
    if missing:
        problems.append(
            Diagnostic(
                "GX-602",
                "inputs are missing: " + ", ".join(missing),
                found=", ".join(map(str, given)) or "no inputs",
                expected=listed,
            )
        )
    if unknown:
        problems.append(
            Diagnostic("GX-602", "unknown inputs: " + ", ".join(map(str, unknown)), expected=listed)
        )
    return {n: given[n] for n in names if n in given}, problems


def _text(shape: Sequence[int], dtype: np.dtype[Any]) -> str:
    return "x".join([*map(str, shape), str(dtype)])


def random_inputs(specs: Sequence[InputSpec], seed: int = 0) -> dict[str, np.ndarray]:
    """Inputs drawn from a seed: floats standard normal, integers below `high`, bools even odds."""
    generator = np.random.Generator(np.random.PCG64(seed))
    drawn: dict[str, np.ndarray] = {}
    for spec in specs:
        if spec.dtype.kind == "b":
            array = generator.random(spec.shape) < 0.5
        elif spec.dtype.kind in "iu":
            array = generator.integers(0, spec.high, spec.shape)
        else:
            array = generator.standard_normal(spec.shape, np.float32)
        drawn[spec.name] = np.asarray(array).astype(spec.dtype)
    return drawn
