"""The model that `ge-run` is given: read once, imported with the shapes that are asked for."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import StringAttr

from ge_dialect.api import (
    WEIGHTS_ATTRIBUTE,
    Model,
    give_shapes,
    load_data,
    open_weights,
    pick_graph,
)
from ge_dialect.diagnostics import user_error
from ge_dialect.importers.sniff import sniff_kind
from ge_dialect.ir.types import is_static, tensor_under
from ge_dialect.ir.verifier import verify_or_raise
from ge_dialect.rt.view import find_model
from ge_dialect.tools.common import input_name, read_input
from ge_dialect.tools.npz import read_npz
from ge_dialect.weights.store import WeightStore
from passes import run_pipeline
from runtime.api import is_compiled

if TYPE_CHECKING:
    from ge_dialect.input_shapes import InputShapes


def read_model(options: argparse.Namespace) -> Model:
    """The verified model of a command line, its open dims closed where sizes are given.

    ONNX is imported with the sizes: what depends on them alone (the rounds of a loop) is then
    known at once. Raises `GeError` as `ge_dialect.api.load` and the verifier do, GX-339 (sizes that
    do not fit) and GX-011 (no such graph).
    """
    data = read_input(options.model)
    shapes = None
    if options.input_shape is not None:
        from ge_dialect.input_shapes import parse_input_shapes

        shapes = parse_input_shapes(options.input_shape)
    is_onnx = sniff_kind(data, input_name(options.model)) == "onnx"
    model = _load(options, data, shapes if is_onnx else None)
    if is_compiled(model.module):
        if shapes is not None:
            raise user_error("GX-339", "a compiled model has no open dims", found="rt.model")
        chosen = _chosen(model, options.graph)
        options.graph = None  # there is no choice any more
        return chosen
    if shapes is None and options.inputs and (wanted := _open_inputs(model, options.graph)):
        arrays = read_npz(options.inputs, "GX-611")
        shapes = {name: a.shape for name, a in arrays.items() if name in wanted}
        if shapes and is_onnx:
            model = _load(options, data, shapes)
    if shapes and not is_onnx:
        give_shapes(model, shapes, graph=options.graph)
        run_pipeline(model, "infer-shape", reproducer=False)
    return model


def _chosen(model: Model, name: str | None) -> Model:
    """The model with the one `rt.model` that is to run."""
    chosen = find_model(model.module, name)
    for op in list(model.module.body.block.ops):
        if op is not chosen:
            op.detach()
            op.erase()
    return model


def _load(options: argparse.Namespace, data: bytes, shapes: InputShapes | None) -> Model:
    found = load_data(
        data,
        options.model,
        weights=options.weights,
        input_shapes=shapes,
        open_store=lambda module: _store(options, Model(module)),
    )
    verify_or_raise(found.module)
    return found


def _store(options: argparse.Namespace, model: Model) -> WeightStore:
    """The weights; none where their folder is missing and nobody needs it."""
    from ge_dialect.ir.weight_use import used_weight_names
    from ge_dialect.weights.index import beside

    named = model.module.attributes.get(WEIGHTS_ATTRIBUTE)
    if options.weights is None and isinstance(named, StringAttr):
        folder = beside(options.model, named.data)
        if not os.path.lexists(folder) and (
            options.time_only or not used_weight_names(model.module)
        ):
            return WeightStore()
    return open_weights(model.module, options.model, options.weights)


def _open_inputs(model: Model, name: str | None) -> set[str]:
    """Names of the inputs whose shapes are not known."""
    graph = pick_graph(model, name)
    types = [tensor_under(a.type) for a in graph.args]
    return {
        name
        for name, type_ in zip(graph.arg_names(), types, strict=True)
        if type_ is not None and not is_static(type_)
    }
