"""Recipes: text and tree, types without bytes, values through the golden operators."""

from __future__ import annotations

import warnings

import ml_dtypes
import numpy as np
import pytest
from xdsl.dialects.builtin import bf16, f16, f32, i8

from ge_dialect.diagnostics import GeError
from ge_dialect.ir.types import tensor_type
from ge_dialect.weights import WeightStore
from ge_dialect.weights.recipe import parse_recipe, print_recipe, recipe_names
from ge_dialect.weights.resolve import describe, recipe, resolve, weight

RNG = np.random.default_rng(5)
W = RNG.normal(size=(2, 3)).astype(np.float32)
G = RNG.normal(size=(3,)).astype(np.float32)


@pytest.fixture
def store() -> WeightStore:
    return WeightStore({"w": W, "g": G, "i": np.arange(6, dtype=np.int32)})


@pytest.mark.parametrize(
    "text",
    [
        '"w"',
        'cast(mul("w", "g"), f16)',
        'transpose("w", [1, 0])',
        'concat(["w", "w"], 0)',
        'add("g", const([1.0, 2.5, -3.0], f32))',
        'bits("0x0000C07F", [1], f32)',
        "splat(0.5, [64, 64], bf16)",
        'BatchMatMulV2("a", "b", none, adj_x1 = true, adj_x2 = false)',
        'Foo("a", scale = 1.0e-05, mode = "x\\"y", axes = [[1], []])',
        'result(SplitD("w", split_dim = 0, num_split = 2), 1)',
        '"odd \\" name \\\\ \\n"',
    ],
)
def test_canonical_text_is_a_fixed_point(text):
    assert print_recipe(parse_recipe(text)) == text


def test_spacing_is_normalised():
    assert print_recipe(parse_recipe('  cast( mul("w","g") ,f16 ) ')) == 'cast(mul("w", "g"), f16)'


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a(",
        "a)",
        "a(b c)",
        "[1,",
        'a(x = 1, "w")',
        '"a" "b"',
        "a(,)",
        "a(1,)",
        "x = 3",
        "a(=1)",
        '"unfinished',
        '"\\q"',
        "a(@)",
        "(1)",
        "a(x = y = 1)",
    ],
)
def test_broken_text_points_at_the_place(text):
    with pytest.raises(GeError) as caught:
        parse_recipe(text)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "GX-308"
    assert "column" in diagnostic.message
    assert "^" in (diagnostic.excerpt or "")


def test_builders_give_the_canonical_attribute():
    product = recipe("mul", weight("w"), "g")
    assert product.expr == 'mul("w", "g")'
    assert recipe("cast", product, f16).expr == 'cast(mul("w", "g"), f16)'
    assert recipe("cast", product, f16) is recipe("cast", product, f16)
    assert str(recipe("cast", "w", f16)) == '#ge.weight<cast("w", f16)>'
    assert recipe_names(parse_recipe(recipe("add", product, "w").expr)) == ["w", "g"]


def test_the_attribute_survives_text(store):
    from ge_dialect import api

    attr = recipe("add", recipe("mul", "w", "g"), np.array([1e-5, np.inf, 0.1], np.float32))
    text = (
        "ge.graph @g() {\n"
        f"  %c = ge.Const() {{value = {attr}}} : tensor<2x3xf32>\n"
        "  ge.NetOutput(%c)\n}\n"
    )
    model = api.parse(text, weights=store)
    found = api.evaluate(model, {}).outputs[0]
    np.testing.assert_array_equal(found, W * G + np.array([1e-5, np.inf, 0.1], np.float32))
    assert str(attr) in api.parse(model.text()).text()


@pytest.mark.parametrize(
    ("attr", "expected"),
    [
        (recipe("mul", "w", "g"), W * G),
        (recipe("cast", "w", f16), W.astype(np.float16)),
        (recipe("cast", "w", bf16), W.astype(ml_dtypes.bfloat16)),
        (recipe("transpose", "w", [1, 0]), W.T),
        (recipe("reshape", "w", [3, -1]), W.reshape(3, 2)),
        (recipe("broadcast", "g", [4, 3]), np.broadcast_to(G, (4, 3))),
        (recipe("concat", ["w", "w"], 1), np.concatenate([W, W], 1)),
        (recipe("slice", "w", [0, 1], [2, 2]), W[:, 1:]),
        (recipe("pad", "g", [[1, 2]]), np.pad(G, (1, 2))),
        (recipe("sub", "w", 0.5 * np.ones(3, np.float32)), W - np.float32(0.5)),
        (recipe("div", "w", "g"), W / G),
        (recipe("sqrt", recipe("mul", "w", "w")), np.abs(W)),
        (recipe("result", recipe("SplitD", "i", split_dim=0, num_split=2), 1), np.arange(3, 6)),
        (recipe("MatMulV2", "w", "w", transpose_x2=True), W @ W.T),
        (recipe("matmul", "w", recipe("transpose", "w", [1, 0])), W @ W.T),
    ],
    ids=lambda v: getattr(v, "expr", ""),
)
def test_values_and_types(store, attr, expected):
    from ge_dialect.dtypes import from_numpy

    if not isinstance(attr, str) and "result" in attr.expr:
        expected = expected.astype(np.int32)
    type_ = describe(attr, store)
    assert type_ == tensor_type(expected.shape, from_numpy(expected.dtype))
    found = resolve(attr, store)
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found.astype(np.float64), expected.astype(np.float64), rtol=1e-6)
    assert not found.flags.writeable


@pytest.mark.parametrize(
    "array",
    [
        np.array([0.1, -2.5, 16777216.0, -0.0], np.float32),
        np.array([np.nan, np.inf, -np.inf], np.float32),
        np.array([1e-45, 3.4e38, 1 / 3], np.float32),
        np.array([0.1, 1 / 3], np.float64),
        np.array([0.1, 65504], np.float16),
        np.array([0.1, 3.0]).astype(ml_dtypes.bfloat16),
        np.array([[1, -2], [3, 4]], np.int8),
        np.array([2**63], np.uint64),
        np.array([True, False]),
        np.array(3, np.int64),
        np.zeros((0, 2), np.float32),
        np.array([1 + 2j], np.complex64),
    ],
    ids=str,
)
def test_literals_keep_their_bits(array):
    from ge_dialect.weights.recipe import print_recipe as text_of
    from ge_dialect.weights.resolve import const_term, leaf_value

    again = leaf_value(parse_recipe(text_of(const_term(array))))
    assert (again.dtype, again.shape) == (array.dtype, array.shape)
    assert again.tobytes() == array.tobytes()


@pytest.mark.parametrize(
    "dtype",
    ["float32", "float16", "float64", "int8", "uint8", "int64", "uint64", "bool", "complex64",
     ml_dtypes.bfloat16, ml_dtypes.int4, ml_dtypes.uint4, ml_dtypes.float8_e4m3fn],
)  # fmt: skip
@pytest.mark.parametrize("value", [0.0, -0.0, 1.0, 0.1, float("inf"), float("nan")])
def test_many_equal_elements_are_written_once(dtype, value):
    from ge_dialect.weights.resolve import const_term

    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        array = np.full((5, 1, 13), value).astype(dtype)
    text = print_recipe(const_term(array))
    assert len(text) < 70
    assert text.startswith(("splat(", "broadcast(bits("))
    again = resolve(text, None)
    assert (again.dtype, again.shape) == (array.dtype, array.shape)
    assert again.tobytes() == array.tobytes()


def test_many_different_elements_are_bytes():
    from ge_dialect.weights.resolve import const_term

    array = np.arange(65, dtype=np.float32)
    text = print_recipe(const_term(array))
    assert text.startswith('bits("0x000000000000803F')
    assert resolve(text, None).tobytes() == array.tobytes()
    assert print_recipe(const_term(array[:64])).startswith("const([0.0, 1.0, 2.0")


def test_describe_touches_no_bytes():
    def fail():
        raise AssertionError("bytes were asked for")

    store = WeightStore()
    store.put_lazy("w", "float32", (4, 5), fail)
    store.declare("huge", "float16", (10**6, 10**6))
    assert describe(recipe("cast", "w", f16), store) == tensor_type((4, 5), f16)
    turned = recipe("transpose", "huge", [1, 0])
    assert describe(recipe("cast", turned, f32), store) == tensor_type((10**6, 10**6), f32)
    with pytest.raises(GeError, match="GX-305"):
        resolve(turned, store)


def test_abstract_is_contagious(store):
    attr = recipe("cast", weight("w", abstract=True), f16)
    assert str(attr) == '#ge.weight<cast("w", f16), abstract>'
    assert recipe("concat", ["g", attr], 0).abstract
    with pytest.raises(GeError, match="abstract"):
        resolve(attr, store)


def test_values_are_cached_and_the_cache_is_bounded(store, monkeypatch):
    from ge_dialect.weights import store as module

    attr = recipe("mul", "w", "g")
    assert resolve(attr, store) is resolve(attr, store)
    monkeypatch.setattr(module, "CACHE_BYTES", 30)
    resolve(recipe("add", "w", "g"), store)
    assert store._derived_bytes <= 30


def test_long_chains_neither_recurse_nor_slow_down(store):
    term = weight("g")
    for _ in range(300):
        term = recipe("add", term, "g")
    found = resolve(term, store)
    np.testing.assert_allclose(found, G * 301, rtol=1e-4)
    assert print_recipe(parse_recipe(term.expr)) == term.expr


@pytest.mark.parametrize(
    "text",
    [
        'mul("w")',
        'mul("w", "i")',
        'frobnicate("w")',
        'NoSuchOp("w")',
        'cast("w", 3)',
        'transpose("w", [0, 0])',
        'reshape("w", [7])',
        'result("w", 0)',
        "const([1.0, 2.0], nonsense)",
        "const([[1.0], [1.0, 2.0]], f32)",
        'bits("0x00", [1], f32)',
        "splat(1.0, [-1], f32)",
        "f32",
        "3",
        'MatMulV2("w", "w", nonsense = 1)',
    ],
)
def test_what_cannot_be_evaluated_says_so(store, text):
    for ask in (describe, resolve):
        if ask is describe and text.startswith(("const", "bits")):
            continue
        with pytest.raises(GeError) as caught:
            ask(text, store)
        assert caught.value.diagnostics[0].code in ("GX-309",)


def test_unknown_names(store):
    with pytest.raises(GeError, match="GX-304"):
        resolve(recipe("cast", "nowhere", i8), store)
    with pytest.raises(GeError, match="GX-304"):
        describe(weight("nowhere"), None)
