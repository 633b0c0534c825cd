"""Recipes survive every reader, stores every array, whatever their contents."""

from __future__ import annotations

import tempfile
from pathlib import Path

import ml_dtypes
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ge_dialect import api
from ge_dialect.weights import WeightStore
from ge_dialect.weights.recipe import Call, Ref, Word, parse_recipe, term_text
from ge_dialect.weights.resolve import const_term, leaf_value, resolve

WORDS = st.sampled_from(["f16", "bf16", "none", "ui8", "complex64", "hifloat8"])
#: Names of calls and attributes.
IDENTIFIERS = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,8}", fullmatch=True).filter(
    lambda w: w not in ("true", "false", "abstract")
)
NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
NUMBERS = st.one_of(st.integers(-(2**63), 2**63), st.floats(allow_nan=False, allow_infinity=False))
ATOMS = st.one_of(NAMES.map(Ref), WORDS.map(Word), NUMBERS, st.booleans())


def _extend(children):
    lists = st.lists(children, max_size=3).map(tuple)
    calls = st.builds(
        Call,
        IDENTIFIERS,
        st.lists(children, max_size=3).map(tuple),
        st.lists(st.tuples(IDENTIFIERS, children), max_size=2).map(tuple),
    )
    return st.one_of(lists, calls)


TERMS = st.recursive(ATOMS, _extend, max_leaves=12)
RECIPES = st.one_of(
    NAMES.map(Ref),
    st.builds(Call, IDENTIFIERS, st.lists(TERMS, min_size=1, max_size=3).map(tuple)),
)


@settings(max_examples=150, deadline=None)
@given(TERMS)
def test_text_reads_back(term):
    text = term_text(term)
    assert term_text(parse_recipe(text)) == text


@settings(max_examples=80, deadline=None)
@given(RECIPES, st.booleans())
def test_both_readers_take_every_recipe(term, abstract):
    from xdsl.parser import Parser

    from ge_dialect.ir.context import make_context

    inner = term_text(term) + (", abstract" if abstract else "")
    line = f"  %c = ge.Const() {{value = #ge.weight<{inner}>}} : tensor<2xf32>"
    text = f"ge.graph @g() {{\n{line}\n  ge.NetOutput(%c)\n}}\n"
    assert api.parse(text).text() == text
    stock = Parser(make_context(), text).parse_module()
    attr = next(op for op in stock.walk() if op.name == "ge.Const").properties["value"]
    assert str(attr) == f"#ge.weight<{inner}>"


KINDS = [
    np.float32, np.float64, np.float16, np.int8, np.uint16, np.int64, np.uint64, np.bool_,
    ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2,
]  # fmt: skip
NARROW = [ml_dtypes.int4, ml_dtypes.uint4, ml_dtypes.int2, ml_dtypes.uint2]


@st.composite
def arrays(draw):
    shape = tuple(draw(st.lists(st.integers(0, 4), max_size=3)))
    kind = np.dtype(draw(st.sampled_from(KINDS + NARROW)))
    count = int(np.prod(shape, dtype=int))
    raw = np.frombuffer(draw(st.binary(min_size=8 * count, max_size=8 * count)), np.uint8)
    if kind in [np.dtype(k) for k in NARROW]:
        return raw[:count].astype(np.int64).astype(kind).reshape(shape)
    if kind == np.bool_:
        return (raw[:count] & 1).astype(bool).reshape(shape)
    return raw[: count * kind.itemsize].view(kind).reshape(shape)


def bits(array) -> bytes:
    """Comparable contents; the unused bits of narrow integers do not count."""
    narrow = array.dtype in [np.dtype(k) for k in NARROW]
    return array.astype(np.int8).tobytes() if narrow else array.tobytes()


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(NAMES, arrays(), max_size=5))
def test_a_folder_keeps_every_bit(held):
    with tempfile.TemporaryDirectory() as scratch:
        folder = WeightStore(held).save(Path(scratch) / "w", shard_bytes=100)
        again = WeightStore.open(folder)
        assert sorted(again.names()) == sorted(held)
        for name, array in held.items():
            found = again.get(name)
            assert (found.dtype, found.shape) == (array.dtype, array.shape)
            assert bits(found) == bits(array)


@settings(max_examples=100, deadline=None)
@given(arrays())
def test_literals_keep_every_bit(array):
    text = term_text(const_term(array))
    again = resolve(text, None) if text.startswith("broadcast") else leaf_value(parse_recipe(text))
    assert (again.dtype, again.shape) == (array.dtype, array.shape)
    assert bits(again) == bits(array)
