"""Input values for generated graphs.

Kinds of sets, all keyed by a seed:

- "exact": small integers and quarters, so that sums and products are exact in float32 at test
  sizes (and mostly in float16): a pass that only moves or reorders must not change a bit.
- "ordinary": random numbers of ordinary size with full precision, so that rounding shows.
- "special": NaN, both infinities, -0.0, denormals and the extremes of the dtype among small ones.
- "extreme": large and tiny magnitudes only; sums overflow, products underflow.
- "zeros": all zero; every second one -0.0.
- "fp16", "bf16": like "ordinary", but every value is one of float16, of bfloat16.

Inputs with a domain (indices, shapes known only when run) get values of it, whatever the kind.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import TYPE_CHECKING, Any

from passes.testing.spec import GraphSpec, Input
from passes.testing.tables import small_numbers
from passes.testing.type_text import type_of

if TYPE_CHECKING:
    from numpy.random import Generator as NumpyRandom

    from ge_dialect.api import Model

KINDS = ("exact", "ordinary", "special", "extreme", "zeros", "fp16", "bf16")
#: Size of an axis that neither the type nor the spec fixes.
UNKNOWN_SIZE = 2


def input_names(spec: GraphSpec) -> list[str]:
    """Names under which the built graph takes its inputs."""
    return [given.name or f"arg{i}" for i, given in enumerate(spec.inputs)]


def input_sets(
    graph: GraphSpec | Model | Any, seed: int = 0, kinds: Sequence[str] = ("exact", "special")
) -> list[dict[str, Any]]:
    """One set of inputs per kind: arrays by input name.

    graph: a spec, or a model or module with one graph (domains of its inputs are guessed from
    their users). Raises ValueError for an unknown kind.
    """
    if not isinstance(graph, GraphSpec):
        from passes.testing.domains import with_guessed_domains

        graph = with_guessed_domains(GraphSpec.from_model(graph))
    for kind in kinds:
        if kind not in KINDS:
            raise ValueError(f"unknown kind of inputs {kind!r}, expected one of {', '.join(KINDS)}")
    return [_one_set(graph, seed, kind) for kind in kinds]


def _one_set(spec: GraphSpec, seed: int, kind: str) -> dict[str, Any]:
    import numpy as np

    rng = np.random.default_rng([seed, KINDS.index(kind)])
    names = input_names(spec)
    return {n: make_array(i, kind, rng) for n, i in zip(names, spec.inputs, strict=True)}


def input_dims(given: Input) -> tuple[int, ...]:
    """The sizes an input is run with."""
    from ge_dialect.ir.types import shape_of

    if given.dims is not None:
        return given.dims
    return tuple(UNKNOWN_SIZE if d < 0 else d for d in shape_of(type_of(given.type)) or ())


def make_array(given: Input, kind: str, rng: Any) -> Any:
    """Values of one input; `rng` is a numpy generator."""
    import numpy as np

    from ge_dialect.dtypes import ge_name, numpy_dtype
    from ge_dialect.ir.types import elem_of

    elem = elem_of(type_of(given.type))
    dtype, dims = numpy_dtype(elem), input_dims(given)
    domain = given.domain
    if domain[0] == "fixed":
        return np.array(domain[1:], dtype).reshape(dims)
    if domain[0] == "index":
        return rng.integers(0, max(domain[1], 1), dims).astype(dtype)
    name = ge_name(elem)
    if name == "bool":
        values: Any = rng.integers(0, 2, dims) != 0
    elif name.startswith(("int", "uint")):
        values = _integers(dims, dtype, kind, rng)
    elif name.startswith("complex"):
        values = np.empty(dims, np.complex128)
        values.real, values.imag = (_floats(dims, "float32", kind, rng) for _ in range(2))
    else:
        values = _floats(dims, name, kind, rng)
    with np.errstate(all="ignore"):
        array = np.asarray(values).astype(dtype).reshape(dims)
        if domain[0] == "positive":
            # NaN and infinity stay; a variance of zero or less is no variance
            array = (np.abs(array) + np.array(0.5, dtype)).astype(dtype)
    return array


def _integers(dims: tuple[int, ...], dtype: Any, kind: str, rng: NumpyRandom) -> Any:
    import numpy as np

    info = np.iinfo(dtype)
    low = max(info.min, -8)
    values = rng.integers(low, 9, dims)
    if kind == "zeros":
        return values * 0
    if kind in ("special", "extreme"):
        ends = np.array([info.min, info.max, info.max - 1, 0, 1, max(info.min, -1)], dtype=dtype)
        chosen = ends[rng.integers(0, len(ends), dims)]
        keep = rng.random(dims) < (0.5 if kind == "special" else 0.1)
        return np.where(keep, values.astype(dtype), chosen)
    return values


def _floats(dims: tuple[int, ...], name: str, kind: str, rng: NumpyRandom) -> Any:
    import numpy as np

    count = prod(dims)
    if kind == "exact":
        walk = np.asarray(small_numbers((23,), "float64", 0))
        values = rng.permutation(np.resize(walk, max(count, 23)))[:count]
        # quarters in half of the sets: sums stay exact, products show a lost factor
        return (values / 4 if rng.integers(0, 2) else values).reshape(dims)
    if kind == "zeros":
        return np.resize(np.array([0.0, -0.0]), count).reshape(dims)
    ordinary = rng.standard_normal(dims) * 2.0
    if kind == "ordinary":
        return ordinary
    if kind in ("fp16", "bf16"):
        import ml_dtypes

        return ordinary.astype(np.float16 if kind == "fp16" else ml_dtypes.bfloat16)
    ends = _ends(name)
    if kind == "special":
        chosen = ends[rng.integers(0, len(ends), dims)]
        small = np.round(ordinary * 2) / 2
        return np.where(rng.random(dims) < 0.5, small, chosen)
    finite = ends[np.isfinite(ends) & (ends != 0)]
    return finite[rng.integers(0, len(finite), dims)]


def _ends(name: str) -> Any:
    """Special values of a float dtype, in f64: NaN, infinities, zeros, denormals, extremes."""
    import numpy as np

    from ge_dialect.dtypes import numpy_dtype, to_xdsl
    from passes.testing.shadow import limits_of

    info = limits_of(numpy_dtype(to_xdsl(name)))
    most, normal, least = float(info.max), float(info.tiny), float(info.smallest_subnormal)
    return np.array(
        [
            *(np.nan, np.inf, -np.inf, -0.0, 0.0),
            *(most, -most, normal, -normal, least, -least, most / 2, 1.0, -1.0),
        ]
    )


def evaluates(spec: GraphSpec, inputs: dict[str, Any]) -> bool:
    """Whether golden semantics run the graph on these inputs, within the limits of the kit."""
    from ge_dialect.api import evaluate
    from ge_dialect.diagnostics import GeError
    from passes.testing.limits import KIT, is_over_budget, refused

    try:
        evaluate(spec.build(), inputs, budget=KIT)
    except GeError as error:
        if is_over_budget(error):
            refused("graph")
        return False
    return True


Oracle = Callable[[GraphSpec], bool]
