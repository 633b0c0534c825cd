"""Which weights of the store a module names, also inside recipes and `rt` text."""

from __future__ import annotations

from xdsl.dialects.builtin import DictionaryAttr
from xdsl.ir import Attribute, Operation, ParametrizedAttribute

from ge_dialect.ir.attributes import WeightAttr
from ge_dialect.ir.narrow import is_array


def weight_attributes(module: Operation) -> list[WeightAttr]:
    """All `#ge.weight` attributes under a module, each once, in order of appearance."""
    found: dict[WeightAttr, None] = {}
    for op in module.walk():
        for value in (*op.properties.values(), *op.attributes.values()):
            if isinstance(value, WeightAttr):
                found.setdefault(value)
            elif is_array(value) or isinstance(value, DictionaryAttr | ParametrizedAttribute):
                _search(value, found)
    return list(found)


def _search(value: Attribute, found: dict[WeightAttr, None]) -> None:
    stack: list[Attribute] = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, WeightAttr):
            found.setdefault(item)
        elif is_array(item):
            stack.extend(item.data)
        elif isinstance(item, DictionaryAttr):
            stack.extend(item.data.values())
        elif isinstance(item, ParametrizedAttribute):
            stack.extend(item.parameters)


def used_weight_names(module: Operation) -> list[str]:
    """Names in the weight store that the module needs, in order of appearance."""
    from ge_dialect.weights.recipe import parse_recipe, recipe_names

    out: dict[str, None] = {}
    for attr in weight_attributes(module):
        for name in recipe_names(parse_recipe(attr.expr)):
            out.setdefault(name)
    return list(out)
