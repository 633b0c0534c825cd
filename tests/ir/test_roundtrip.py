"""Every operator class survives text: custom and generic, our reader and stock xDSL's parser."""

from __future__ import annotations

from io import StringIO

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin
from xdsl.parser import Parser
from xdsl.printer import Printer

from ge_dialect.ir.printer import print_module
from ge_dialect.ir.reader import parse_module
from ge_dialect.ir.stubs import stub_dialect

SEEDS = range(2)


def stock_context() -> Context:
    ctx = Context()
    ctx.load_dialect(Builtin)
    ctx.register_dialect("ge", stub_dialect)
    return ctx


def same(a, b) -> bool:
    return a.is_structurally_equivalent(b)


@pytest.mark.parametrize("generic", [False, True], ids=["custom", "generic"])
@pytest.mark.parametrize("seed", SEEDS)
def test_library_through_our_reader(library_module, seed, generic):
    module = library_module(seed)
    text = print_module(module, generic=generic)
    again = parse_module(text)
    assert same(module, again)
    assert print_module(again, generic=generic) == text


@pytest.mark.parametrize("generic", [False, True], ids=["custom", "generic"])
def test_library_through_stock_xdsl(library_module, generic):
    module = library_module(2)
    text = print_module(module, generic=generic)
    again = Parser(stock_context(), text).parse_module()
    assert same(module, again)
    # what stock xDSL prints of it, we read
    out = StringIO()
    Printer(out, print_generic_format=generic).print_op(again)
    assert same(module, parse_module(out.getvalue()))


def test_names_and_locations_survive(library_module):
    first = parse_module(print_module(library_module(3)))
    for generic in (False, True):
        text = print_module(first, generic=generic, debuginfo=True)
        again = parse_module(text)
        a = [str(op.location) for op in first.walk() if op.name != "builtin.module"]
        b = [str(op.location) for op in again.walk() if op.name != "builtin.module"]
        assert a == b


def test_printing_is_deterministic(library_module):
    assert print_module(library_module(7)) == print_module(library_module(7))


def test_generic_lines_and_stock_path_read_the_same(library_module):
    """Odd spacing sends a line to xDSL's parser; the result must not differ."""
    text = print_module(library_module(4), generic=True, debuginfo=True)
    fast = parse_module(text)
    slow = parse_module(text.replace('"(', '" ('))
    assert same(fast, slow)
    assert print_module(fast, debuginfo=True) == print_module(slow, debuginfo=True)
