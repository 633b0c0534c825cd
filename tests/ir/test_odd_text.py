"""Text with a fault that xDSL's parser names badly, or that costs more than it should."""

from __future__ import annotations

import time

import pytest

from ge_dialect.diagnostics import GeError
from ge_dialect.ir.reader import parse_module

NET = """\
ge.graph @g(%x: tensor<4xf32>) {
  %y = ge.Relu(%x) {ge.a = VALUE} : tensor<4xf32>
  ge.NetOutput(%y)
}
"""


def said(text: str) -> str:
    """The first diagnostic of a text that is refused, within a second."""
    start = time.process_time()
    with pytest.raises(GeError) as caught:
        parse_module(text)
    assert time.process_time() - start < 1
    return caught.value.diagnostics[0].render()


@pytest.mark.parametrize(
    ("value", "place", "words"),
    [
        (r'"\q"', "2:29", "no such escape"),
        (r'"ab\x41"', "2:31", "no such escape"),
        (r'"\u00e9"', "2:29", "no such escape"),
        ('"ab\nc"', "2:28", "a line ends in it"),
        ('"ab', "2:28", "a line ends in it"),
        ("9" * 5000, "2:28", "more digits than any value"),
        ("-" + "9" * 5000 + " : i64", "2:28", "more digits than any value"),
        ("0 : i99999999999", "2:32", "type expected"),
    ],
)
def test_values(value: str, place: str, words: str) -> None:
    text = said(NET.replace("VALUE", value))
    assert f"<stdin>:{place}: " in text
    assert words in text


def test_the_end_of_the_text() -> None:
    text = NET.replace("VALUE", "1")
    assert "a string is not closed: the text ends in it" in said(text + '"abc')
    assert "'}' expected: the body" in said(text.rstrip("}\n"))


def test_negative_dims() -> None:
    text = said(NET.replace("VALUE", "1").replace("<4x", "<-4x", 1))
    assert "numbers or '?'" in text
    assert "write tensor<?xf32>" in text


def test_characters_that_would_break_the_line() -> None:
    text = said(NET.replace("VALUE", "1").replace("\n", "\u2028", 1))
    assert "(U+2028)" in text
    assert "\u2028" not in text


@pytest.mark.parametrize(
    ("first", "joined", "use"),
    [
        ("#a0 = [1, 1]", "#{} = [{}]", "#{}"),
        ("!a0 = tuple<i1, i1>", "!{} = tuple<{}>", "!{}"),
        ("#a0 = {k = 1}", "#{} = {{k = [{}]}}", "#{}"),
    ],
)
def test_aliases_that_stand_for_too_much(first: str, joined: str, use: str) -> None:
    mark = first[0]
    lines = [first] + [
        joined.format(f"a{i + 1}", ", ".join([f"{mark}a{i}"] * 10)) for i in range(9)
    ]
    text = "\n".join(lines) + "\n" + NET.replace("VALUE", use.format("a9"))
    assert "stands for more than 100000 values" in said(text)


def test_locations_that_stand_for_too_much() -> None:
    lines = ['#a0 = loc("a")']
    lines += [f"#a{i + 1} = loc(fused[{', '.join([f'#a{i}'] * 10)}])" for i in range(9)]
    text = NET.replace("VALUE", "1").replace(": tensor<4xf32>\n", ": tensor<4xf32> loc(#a9)\n")
    with pytest.raises(GeError, match="stands for more than"):
        parse_module(text + "\n".join(lines) + "\n")


def test_aliases_of_aliases_are_as_good_as_before() -> None:
    text = "#a = [1, 2]\n#b = [#a, #a]\n!t = tensor<4xf32>\n" + NET.replace("VALUE", "#b")
    module = parse_module(text.replace(": tensor<4xf32>\n", ": !t\n"))
    assert "[[1 : i64, 2 : i64], [1 : i64, 2 : i64]]" in str(module)
