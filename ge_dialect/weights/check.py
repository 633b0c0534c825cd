"""Whether weights fit the constants that name them: recipes by themselves, and against a store."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from xdsl.ir import Attribute, Operation

from ge_dialect.diagnostics import Diagnostic, GeError
from ge_dialect.ir.attributes import WeightAttr
from ge_dialect.ir.graph import find_ops
from ge_dialect.ir.names import file_location, node_name
from ge_dialect.ir.types import elem_of, shape_of
from ge_dialect.weights.forms import SHORT
from ge_dialect.weights.recipe import Call, Ref, parse_recipe, post_order, recipe_names, term_text

if TYPE_CHECKING:
    from ge_dialect.weights.store import WeightStore

_CONSTANTS = frozenset({"ge.Const", "ge.Constant"})


@lru_cache(maxsize=65536)
def recipe_problem(expr: str) -> tuple[str, str] | None:
    """Code and text of what is wrong with the text of a weight, whatever the store holds.

    Looked at are the syntax, names of operators, and how many arguments a short form takes.
    """
    try:
        term = parse_recipe(expr)
    except GeError as error:
        return error.diagnostics[0].code, error.diagnostics[0].message
    if isinstance(term, Ref):
        return None
    if not isinstance(term, Call):
        return "GX-309", f"{term_text(term)[:80]} is no weight: names stand in quotes"
    for call in post_order(term):
        try:
            _look_at(call)
        except (ValueError, TypeError, IndexError, KeyError) as error:
            return "GX-309", f"recipe {call.text[:80]}: {error}"
    return None


def _look_at(call: Call) -> None:
    """Raises ValueError (or what the form raises) for a call that no store can make right."""
    from ge_dialect.ir import has_op, op_class
    from ge_dialect.weights.resolve import leaf_type, word_type

    name = call.name
    if name in ("const", "bits", "splat"):
        leaf_type(call)
    elif name == "result":
        inner, index = call.args
        if not isinstance(inner, Call) or not isinstance(index, int):
            raise ValueError("result(call, index) expected")
    elif (form := SHORT.get(name)) is not None:
        form(list(call.args), word_type)
    elif not name[:1].isupper():
        raise ValueError(f"{name} is neither a short form nor an operator")
    elif not has_op(name):
        raise ValueError(f"there is no operator {name}")
    else:
        table = op_class(name).ge_table()
        if len(call.args) > len(table.inputs):
            raise ValueError(f"{name} takes {len(table.inputs)} inputs, {len(call.args)} given")
        unknown = [key for key, _ in call.attrs if key not in table.attrs]
        if unknown:
            raise ValueError(f"{name} has no attribute {unknown[0]!r}")


def weight_constants(module: Operation) -> dict[tuple[WeightAttr, Attribute], Operation]:
    """Weights that constants of a module name, with their declared types and a node each."""
    found: dict[tuple[WeightAttr, Attribute], Operation] = {}
    for op in find_ops(module, _CONSTANTS):
        value = op.properties.get("value")
        if isinstance(value, WeightAttr):
            found.setdefault((value, op.results[0].type), op)
    return found


class WeightCheck:
    """Compares constants with a store; what was found right once is not looked at again."""

    def __init__(self, store: WeightStore | None) -> None:
        self._store = store
        self._right: set[tuple[WeightAttr, Attribute]] = set()

    def problems(self, module: Operation) -> list[Diagnostic]:
        """One diagnostic per constant of the module whose weight has another dtype or shape.

        Weights that the store does not hold are passed by: times can be had without them.
        """
        return self.problems_of(weight_constants(module))

    def problems_of(
        self, constants: Mapping[tuple[WeightAttr, Attribute], Operation]
    ) -> list[Diagnostic]:
        """The same for the constants of `weight_constants`."""
        out: list[Diagnostic] = []
        for key, op in constants.items():
            if key in self._right:
                continue
            found = self._problem(*key, op)
            if found is None:
                self._right.add(key)
            else:
                out.append(found)
        return out

    def _problem(self, value: WeightAttr, type_: Attribute, op: Operation) -> Diagnostic | None:
        from ge_dialect.weights.resolve import describe

        store = self._store
        names = recipe_names(parse_recipe(value.expr))
        if names and (store is None or any(n not in store for n in names)):
            return None
        at, node = file_location(op), node_name(op)
        text = value.ge_text() if len(value.expr) <= 80 else value.ge_text()[:77] + "..."
        try:
            have = describe(value, store)
        except GeError as error:
            first = error.diagnostics[0]
            return Diagnostic(first.code, first.message, location=at, node=node, found=first.found)
        if elem_of(have) == elem_of(type_) and _fits(shape_of(have), shape_of(type_)):
            return None
        return Diagnostic(
            "GX-216",
            f"weight {text} does not have the type of its constant",
            found=str(have),
            expected=str(type_),
            location=at,
            node=node,
        )


def _fits(have: tuple[int, ...] | None, want: tuple[int, ...] | None) -> bool:
    if have is None or want is None:
        return True
    return len(have) == len(want) and all(
        -1 in (a, b) or a == b for a, b in zip(have, want, strict=True)
    )
