"""The text form of `ge.graph` on xDSL's own parser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr
from xdsl.ir import Attribute

from ge_dialect.ir.stock_text import fail, here, parse_body
from ge_dialect.ir.types import intern_type

if TYPE_CHECKING:
    from xdsl.parser import Parser

    from ge_dialect.ir.graph import GraphOp


def parse_graph(cls: type[GraphOp], p: Parser) -> GraphOp:
    """Read `@name(%arg: type {attrs}, ...) attributes {...} { body }`."""
    if here(p).text != "@":
        fail(p, "expected the graph's name", expected="ge.graph @name(...)")
    name = p.parse_symbol_name()
    arg_attrs: list[DictionaryAttr] = []

    def one() -> Any:
        arg = p.parse_argument()
        arg.type = intern_type(arg.type)
        location = p.parse_optional_location()
        arg_attrs.append(DictionaryAttr(p.parse_optional_attr_dict()))
        arg.location = location or p.parse_optional_location()
        return arg

    args = p.parse_comma_separated_list(p.Delimiter.PAREN, one, " in the arguments of a graph")
    if here(p).text == "-":
        fail(
            p,
            "a graph does not say the types of its results",
            expected="{",
            hint="they are those of ge.NetOutput; leave out what begins with ->",
        )
    extra = p.parse_optional_attr_dict_with_keyword(("sym_name", "arg_attrs"))
    region = parse_body(p, args, counts=False)
    props: dict[str, Attribute] = {"sym_name": name}
    if any(d.data for d in arg_attrs):
        props["arg_attrs"] = ArrayAttr(arg_attrs)
    return cls.create(
        properties=props,
        attributes=dict(extra.data) if extra is not None else {},
        regions=[region],
    )
