"""Functions become graphs: values, prints and the order of effects stay."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr
from xdsl.dialects.func import FuncOp, ReturnOp

from ge_dialect.api import Model, evaluate, parse
from ge_dialect.diagnostics import GeError
from ge_dialect.ir.control import control_inputs, control_result, drop_control_result, set_control
from ge_dialect.ir.graph import GraphOp
from ge_dialect.ir.printer import print_module
from ge_dialect.ir.reader import parse_module
from ge_dialect.ir.verifier import verify
from passes import run_pipeline
from passes.testing.inputs import input_sets
from passes.testing.knobs import Knobs
from passes.testing.seeded import random_spec

KNOBS = Knobs(refs=0.3, io=0.2, subgraphs=0.1)


def as_function(graph: GraphOp) -> FuncOp:
    """The graph as a function, without control edges: there the place of a line is its order."""
    block = graph.body
    end = block.last_op
    function = FuncOp(
        graph.sym_name.data,
        ([a.type for a in block.args], [v.type for v in end.ge_data_operands]),
        arg_attrs=ArrayAttr([DictionaryAttr(graph.arg_attributes(a.index)) for a in block.args]),
    )
    inner = function.body.block
    for old, new in zip(block.args, inner.args, strict=True):
        new.name_hint = old.name_hint
        old.replace_all_uses_with(new)
    for op in [o for o in block.ops if o is not end]:
        if control_inputs(op):
            set_control(op, [])
        op.detach()
        inner.add_op(op)
    inner.add_op(ReturnOp(*end.ge_data_operands))
    end.detach()
    end.erase()
    for op in inner.ops:
        done = control_result(op)
        if done is not None and done.first_use is None:
            drop_control_result(op)
    graph.parent.insert_op_before(function, graph)
    graph.detach()
    graph.erase()
    return function


def test_there_and_back() -> None:
    done = edges = 0
    for seed in range(60):
        model = random_spec(seed, KNOBS).build()
        (inputs,) = input_sets(model, seed, ("exact",))
        try:
            before = evaluate(model, inputs)
        except GeError:
            continue  # values that an operator refuses
        (graph,) = model.graphs
        graph.attributes.clear()
        as_function(graph)
        text = print_module(model.module)
        assert "func.func" in text
        again = Model(parse_module(text), model.weights)
        (run,) = run_pipeline(again, "func-to-graph").runs
        assert run.changed
        assert verify(again.module) == []
        after = evaluate(again, list(inputs.values()))
        for a, b in zip(before.outputs, after.outputs, strict=True):
            assert np.asarray(a).tobytes() == np.asarray(b).tobytes(), seed
        assert [t for _, t in before.state.printed] == [t for _, t in after.state.printed]
        done += 1
        edges += run.counters["edges"]
    assert done > 45
    assert edges > 10


def test_a_function_compiles_and_runs() -> None:
    from runtime.api import simulate

    model = parse(
        """
        func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
          %a = ge.Relu(%x) : tensor<4xf32>
          %b = ge.Add(%a, %a) : tensor<4xf32>
          func.return %b : tensor<4xf32>
        }
        """
    )
    run_pipeline(model, "func-to-graph,ge-default")
    (found,) = simulate(model, [np.array([-1, 0, 1, 2], np.float32)]).outputs
    assert found.tolist() == [0, 0, 2, 4]
