"""Faults of passes that the kit found, each with the small graph it showed."""

from __future__ import annotations

import numpy as np

from ge_dialect.api import evaluate, parse
from passes.manager import run_pipeline
from passes.properties import PROPERTIES
from passes.testing.spec import GraphSpec, Input, Literal, Step, Text


def test_folding_keeps_the_shape_that_reinterpret_declares():
    """The recipe of a reinterpreted weight had the shape of the weight."""
    held = Literal.of(np.arange(120, dtype=np.float32).reshape(1, 6, 5, 4))
    spec = GraphSpec(
        (),
        (
            Step("Const", (), (("value", Text('#ge.weight<"w0">')),), ("1x6x5x4xf32",)),
            Step("Reinterpret", (0,), types=("120xf32",)),
        ),
        (1,),
        weights=(("w0", held),),
    )
    model = spec.build()
    run_pipeline(model, "constant-folding")
    (found,) = evaluate(model, []).outputs
    np.testing.assert_array_equal(found, np.arange(120, dtype=np.float32))


def test_folding_leaves_bytes_read_as_another_dtype():
    held = Literal.of(np.arange(100, dtype=np.int32))
    spec = GraphSpec(
        (),
        (
            Step("Const", (), (("value", Text('#ge.weight<"w0">')),), ("100xi32",)),
            Step("Reinterpret", (0,), types=("100xui32",)),
        ),
        (1,),
        weights=(("w0", held),),
    )
    model = spec.build()
    before = evaluate(spec.build(), []).outputs
    run_pipeline(model, "constant-folding")
    np.testing.assert_array_equal(evaluate(model, []).outputs[0], before[0])


def test_an_unnamed_input_keeps_its_name():
    """Users of a removed node moved to a graph input, which then took the name of the node."""
    spec = GraphSpec((Input("1xf64"),), (Step("Cast", (0,), (("dst_type", 11),), name="c"),), (1,))
    model = spec.build()
    before = model.graphs[0].arg_names()
    run_pipeline(model, "cast-remove")
    assert model.graphs[0].arg_names() == before == ["arg0"]


def test_an_input_of_unknown_size_is_an_unknown_shape():
    """'shapes-known' looked at results only, so that normalising inputs broke it."""
    module = parse("ge.graph @g(%x: tensor<?xf32>) {\n  ge.NetOutput(%x)\n}").module
    assert not PROPERTIES["shapes-known"].holds(module)


def test_lowering_an_empty_graph_is_a_change():
    model = parse("ge.graph @g() {\n  ge.NetOutput()\n}")
    assert run_pipeline(model, "ge-default").runs[-1].changed


def test_power_of_minus_infinity_is_the_same_alone_and_in_vectors():
    """numpy's vector loop and its scalar loop differ there."""
    text = (
        "ge.graph @g(%x: tensor<{n}xf32>, %e: tensor<{n}xf32>) {{\n"
        "  %y = ge.Pow(%x, %e) : tensor<{n}xf32>\n  ge.NetOutput(%y)\n}}"
    )
    for n in (1, 4, 33):
        for exponent, expected in ((0.5, np.inf), (-0.5, 0.0), (1.5, np.inf)):
            x = np.full(n, -np.inf, np.float32)
            given = [x, np.full(n, exponent, np.float32)]
            (found,) = evaluate(parse(text.format(n=n)), given).outputs
            np.testing.assert_array_equal(found, np.full(n, expected, np.float32))
