"""What a semantics function may ask besides its arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn

from ge_dialect.diagnostics import Diagnostic, GeError
from ge_dialect.dtypes import numpy_dtype
from ge_dialect.ir.types import elem_of, shape_of
from ge_dialect.semantics.numerics import shadowed

if TYPE_CHECKING:
    import numpy as np

    from ge_dialect.semantics.ranks import Communicator


class Ref:
    """A handle to state: the run-time value of type `!ge.ref<…>`.

    Values held are never modified in place; `assign` replaces them. `value` is None before the
    first assignment.
    """

    __slots__ = ("key", "value")

    def __init__(self, key: str, value: np.ndarray[Any, Any] | None = None) -> None:
        self.key = key
        self.value = value

    def __repr__(self) -> str:
        return f"Ref({self.key!r})"


class Dead:
    """What stands where no value is: in a branch of a Switch that was not taken."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "dead"


DEAD = Dead()
#: What values of a run may be besides arrays.
NO_ARRAY = (Ref, Dead)


@dataclass
class State:
    """Everything that outlives a node within a run; hand it to the next run to continue.

    variables: cells by the name of the Variable or RefData. draws: number of draws so far by
    stable id, so that a random op in a loop gives fresh numbers. printed: (node, text) of Print.
    comm: the other ranks of the run (see `ranks.evaluate_ranks`), None for a rank alone.
    """

    variables: dict[str, Ref] = field(default_factory=dict)
    draws: dict[str, int] = field(default_factory=dict)
    printed: list[tuple[str, str]] = field(default_factory=list)
    comm: Communicator | None = None

    def ranks(self) -> Communicator:
        """The rank this run is; one that is alone in its world where nobody said otherwise."""
        if self.comm is None:
            from ge_dialect.semantics.ranks import Alone

            self.comm = Alone()
        return self.comm


@dataclass
class Context:
    """The surroundings of one node during evaluation.

    compute_dtype: None, or numpy's float64 in a shadow run, where every float is an f64 and
    nothing is rounded on the way. node_name and node_id: the node's name and its stable id (what
    random ops are keyed by). seed: of the whole run. out_types: declared result types (xDSL), or
    empty. run_body(i, args): evaluates body `i` of `bodies`, returns the list of its outputs.
    constant(attr): the array a tensor attribute holds.
    """

    compute_dtype: Any = None
    node_name: str = ""
    node_id: str = ""
    seed: int = 0
    out_types: Sequence[Any] = ()
    state: State = field(default_factory=State)
    run_body: Callable[[int, Sequence[Any]], list[Any]] = None  # type: ignore[assignment]
    constant: Callable[[Any], Any] = None  # type: ignore[assignment]
    arg_types: Sequence[Any] = ()
    bodies: int = 0

    def dtype(self, elem: Any) -> np.dtype[Any]:
        """numpy dtype in which values of an element type are held in this run."""
        try:
            return shadowed(numpy_dtype(elem), self.compute_dtype)
        except ValueError as error:
            self.fail(str(error), hint="values of this type can be compiled, not computed")

    def out_dtype(self, index: int = 0) -> np.dtype[Any] | None:
        """numpy dtype of result `index` in this run, None where not declared."""
        if index >= len(self.out_types):
            return None
        type_ = self.out_types[index]
        if self.compute_dtype is not None:
            return self.dtype(elem_of(type_))
        found = type_.__dict__.get("ge_numpy")
        if found is None:
            found = vars(type_)["ge_numpy"] = self.dtype(elem_of(type_))
        return found

    def out_shape(self, index: int = 0) -> tuple[int, ...] | None:
        """Declared shape of result `index` (-1 unknown), None where unknown."""
        if index >= len(self.out_types):
            return None
        return shape_of(self.out_types[index])

    def fail(
        self,
        message: str,
        *,
        code: str = "GX-240",
        found: object = None,
        expected: object = None,
        hint: str | None = None,
    ) -> NoReturn:
        """Refuse to evaluate the node: raises GeError with one diagnostic."""
        raise GeError(
            Diagnostic(
                code,
                message,
                node=self.node_name or None,
                found=None if found is None else str(found),
                expected=None if expected is None else str(expected),
                hint=hint,
            )
        )
