"""`#ge.weight` in text: our reader and stock xDSL read back what is printed."""

from __future__ import annotations

import pytest

from ge_dialect import api

RECIPES = [
    '"w"',
    '"w", abstract',
    'add("g", const([1.0e-05, -1.0, 2.5, 1.0e+30], f32))',
    'Foo("g", a = -1.0e+30, b = true, c = [], d = none, e = -3)',
    'concat(["w", "w"], 0)',
    'bits("0x0000C07F", [1], f32)',
    '"odd \\" \\\\ \\n name ünï"',
]


@pytest.mark.parametrize("expr", RECIPES)
def test_text_is_stable(expr):
    from xdsl.parser import Parser

    from ge_dialect.ir.context import make_context

    line = f"  %c = ge.Const() {{value = #ge.weight<{expr}>}} : tensor<2x3xf32>"
    model = api.parse(f"ge.graph @g() {{\n{line}\n  ge.NetOutput(%c)\n}}\n")
    assert line in model.text().splitlines()
    for generic in (False, True):
        text = model.text(generic=generic)
        stock = Parser(make_context(), text).parse_module()
        attr = next(op for op in stock.walk() if op.name == "ge.Const").properties["value"]
        assert str(attr) == f"#ge.weight<{expr}>"
